//! S6 and S8 under load: a right that is taken away, and keys that are rotated, while programs put and get.
//!
//! No put and no get succeeds a second after the right is gone. A key may be rotated a hundred times, by the
//! command and by files that are replaced through a symbolic link as mounts of secrets do: no connection
//! breaks, and what was put is got. Control: the same programs work before the right is taken, and with it
//! given back.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, Verbs as _, Wait,
};

use super::super::installation::Broken;
use super::super::looks::wait_until;
use super::super::{Outcome, Size};
use super::secured::{self, ANY, QUEUE, Secured, TLS_ALONE, bundle, make_keys, tls};

/// Nothing succeeds so long after the right is gone.
const TAKEN_MAX: Duration = Duration::from_secs(1);
/// Programs are at work within this.
const WORK_MAX: Duration = Duration::from_secs(20);
const PROGRAMS: usize = 4;
const CHANNEL: &str = "CHANGES";
const BODY: &[u8] = b"a message";

/// A program that puts and gets until it is told to end, or is refused.
struct RepeatingProgram {
    /// Round trips so far.
    rounds: Arc<AtomicU64>,
    thread: JoinHandle<(Reason, Instant)>,
}

fn program(options: Options, ends: &Arc<AtomicBool>) -> Result<RepeatingProgram, Broken> {
    let mut one = Connection::connect(options).map_err(|error| error.to_string())?;
    let queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let opened = one.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    let handle = opened.map_err(|reason| format!("open: {reason}"))?.handle;
    let rounds = Arc::<AtomicU64>::default();
    let (counted, ends) = (Arc::clone(&rounds), Arc::clone(ends));
    let thread = thread::spawn(move || {
        let mut last = Instant::now();
        while !ends.load(Ordering::Relaxed) {
            if let Err(reason) = round(&mut one, handle) {
                return (reason, last);
            }
            last = Instant::now();
            counted.fetch_add(1, Ordering::Relaxed);
        }
        (Reason::NONE, last)
    });
    Ok(RepeatingProgram { rounds, thread })
}

/// A persistent message there and back.
fn round(one: &mut Connection, handle: ObjectHandle) -> Result<(), Reason> {
    let mut descriptor =
        MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
    one.put(handle, &mut descriptor, &mut PutOptions::with(PutFlags::NO_SYNCPOINT), BODY.into())?;
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(5_000));
    one.get(handle, &mut MessageDescriptor::default(), &mut options, BODY.len()).map(drop)
}

fn work(programs: &[RepeatingProgram]) -> Result<(), Broken> {
    let before: Vec<u64> = programs.iter().map(|one| one.rounds.load(Ordering::Relaxed)).collect();
    wait_until("each program makes a round trip", WORK_MAX, || {
        programs.iter().zip(&before).all(|(one, before)| one.rounds.load(Ordering::Relaxed) > *before)
    })
    .map(drop)
}

/// Takes rights away under load: PUT, GET, by turns, once a case.
#[must_use]
pub fn rights_taken(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let right = if case % 2 == 0 { "PUT" } else { "GET" };
        match taken(ferry, &folder.join(format!("case-{case}")), right) {
            Ok(note) => {
                outcome.note(note);
                outcome.case(right, Ok(()));
            }
            Err(problem) => outcome.case(right, Err(problem)),
        }
    }
    outcome
}

fn taken(ferry: &Path, place: &Path, right: &str) -> Result<String, Broken> {
    let mut secured = Secured::start(ferry, place, "", |_| Ok(()))?;
    secured.let_in(CHANNEL, "taken")?;
    let ends = Arc::<AtomicBool>::default();
    let start = |secured: &Secured| -> Result<Vec<RepeatingProgram>, Broken> {
        (0..PROGRAMS).map(|_| program(secured.options(CHANNEL), &ends)).collect()
    };
    let programs = start(&secured)?;
    work(&programs)?;
    let change = |what: &str| {
        format!("SET AUTHREC PROFILE({QUEUE}) OBJTYPE(QUEUE) PRINCIPAL('taken') {what}({right})")
    };
    secured.tell(&change("AUTHRMV"))?;
    let gone = Instant::now();
    let mut latest = Duration::ZERO;
    for one in programs {
        wait_until("a program is refused", WORK_MAX, || one.thread.is_finished())?;
        let (reason, last) = one.thread.join().map_err(|_| "a program panicked".to_owned())?;
        let after = last.saturating_duration_since(gone);
        if reason != Reason::NOT_AUTHORIZED || after > TAKEN_MAX {
            return Err(format!(
                "a program is told {reason}, its last round trip {after:.2?} after {right} was gone"
            ));
        }
        latest = latest.max(after);
    }
    secured.tell(&change("AUTHADD"))?;
    let again = start(&secured)?;
    work(&again)?;
    ends.store(true, Ordering::Relaxed);
    for one in again {
        one.thread.join().map_err(|_| "a program panicked".to_owned())?;
    }
    secured.end();
    Ok(format!("{right}: the last of {PROGRAMS} programs ended a round trip {latest:.2?} after the command"))
}

/// Rotates the key of the queue manager under load, as often as there are cases.
#[must_use]
pub fn keys_rotated(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    if let Err(problem) = rotated(ferry, folder, size, &mut outcome) {
        outcome.case("rotation", Err(problem));
    }
    outcome
}

fn rotated(ferry: &Path, place: &Path, size: Size, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut secured = Secured::start(ferry, place, TLS_ALONE, make_keys)?;
    secured.let_in(CHANNEL, "rotated")?;
    secured.tell(&format!("ALTER CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) SSLCIPH({ANY}) SSLCAUTH(REQUIRED)"))?;
    let file = bundle(&secured.installation, "app1")?;
    let options = secured.options(CHANNEL).tls(tls(&file, ANY));
    let ends = Arc::<AtomicBool>::default();
    let programs: Vec<RepeatingProgram> =
        (0..PROGRAMS).map(|_| program(options.clone(), &ends)).collect::<Result<_, _>>()?;
    let name = secured.installation.name().to_owned();
    let keys = secured.installation.folder().join("security/keys");
    for case in size.numbers() {
        secured::ferry(&secured.installation, &["tls", "renew", &name, "--all"], "")?;
        if case % 2 == 1 {
            replace_by_link(&keys, &place.join(format!("mount-{case}")))?;
        }
        let before = secured.server.error_log().matches("FRY9007I").count();
        secured.tell("REFRESH SECURITY TYPE(SSL)")?;
        let is_read = wait_until("the new key is read", WORK_MAX, || read_again(&secured, before));
        let newcomer = Connection::connect(options.clone()).map(drop).map_err(|error| error.to_string());
        outcome.case(&format!("rotation {case}"), is_read.and(newcomer).and_then(|()| work(&programs)));
    }
    ends.store(true, Ordering::Relaxed);
    let mut rounds = 0;
    for one in programs {
        let (reason, _) = one.thread.join().map_err(|_| "a program panicked".to_owned())?;
        let whole = if reason == Reason::NONE { Ok(()) } else { Err(format!("it is told {reason}")) };
        outcome.case("a connection from before", whole);
        rounds += one.rounds.load(Ordering::Relaxed);
    }
    let depth = secured.tell(&format!("DISPLAY QLOCAL({QUEUE}) CURDEPTH"))?;
    outcome.case("nothing is left over", if depth.contains("CURDEPTH(0)") { Ok(()) } else { Err(depth) });
    outcome.note(format!("{} rotations beside {rounds} round trips of {PROGRAMS} programs", size.cases));
    secured.end();
    Ok(())
}

/// True once the error log tells of another reading of the keys. Where it leaves repetitions out, a new key
/// that is shown is enough, for which a newcomer stands.
fn read_again(secured: &Secured, before: usize) -> bool {
    let log = secured.server.error_log();
    log.matches("FRY9007I").count() > before || log.contains("FRY9007I") && log.contains("left out")
}

/// Replaces the folder of keys by a link to a link to a copy, as a mount of a secret has it.
fn replace_by_link(keys: &Path, mount: &Path) -> Result<(), Broken> {
    let failed = |error: std::io::Error| format!("{}: {error}", mount.display());
    let data = mount.join("..data-1");
    std::fs::create_dir_all(&data).map_err(failed)?;
    for entry in std::fs::read_dir(keys).map_err(failed)?.flatten() {
        let to = data.join(entry.file_name());
        // The rights of the file go along.
        std::fs::copy(entry.path(), &to).map_err(failed)?;
        let beside = keys.join(format!("{}.link", entry.file_name().to_string_lossy()));
        let link = mount.join("..data");
        if !link.exists() {
            symlink(&data, &link).map_err(failed)?;
        }
        symlink(link.join(entry.file_name()), &beside).map_err(failed)?;
        std::fs::rename(&beside, entry.path()).map_err(failed)?;
    }
    Ok(())
}
