//! R20: how long a start takes that finds a million messages on a hundred queues.
//!
//! With a log so large that no checkpoint came: a gibibyte or more to replay after a kill, three seconds for
//! each. As shipped, where checkpoints have moved most of the messages to the store: one second after a clean
//! stop. The other two starts are measured for comparison: a log keeps up to half of its size for the next
//! start to replay, also after a clean stop.
//!
//! Always: a start counts only if what it had to do is what the figure says. How much log it replayed and
//! what was in the store is read from the manifest that it began with, after it: reading before would warm
//! the cache, which is emptied.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

use mqi::{
    AttributeValue, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions,
    Reason, Selector, Verbs as _, constants,
};
use storage::inspect::Inspection;

use super::installation::{Broken, Installation, Running};
use super::load;
use super::{Outcome, Size};

const GIB: u64 = 1 << 30;
/// A checkpoint comes when a quarter of the log is written, which is here 1.75 GiB and more than the messages
/// take, or after a day.
const LARGE_LOG: &str = "[log]\nextent_size = \"64 MiB\"\nprimary_extents = 112\n\
    [checkpoint]\ninterval_seconds = 86400\n";
const AS_SHIPPED: &str = "";
const QUEUES: usize = 100;
const MESSAGES: u64 = 1_000_000;
const BODY_BYTES: usize = 900;
const PUTTERS: usize = 4;
const UNIT_MESSAGES: u64 = 500;
const SECONDS_PER_GIB: f64 = 3.0;
const CLEAN_MAX: Duration = Duration::from_secs(1);

/// Measures the starts after a kill and after a clean stop, with a large log and as shipped, `size.cases`
/// times.
#[must_use]
pub fn times(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let place = folder.join(format!("case-{case}"));
        let measured = large_log(ferry, &place.join("large"), &mut outcome)
            .and_then(|()| as_shipped(ferry, &place.join("shipped"), &mut outcome));
        match measured {
            Err(problem) => outcome.case("a start", Err(problem)),
            // Gibibytes that nobody will look at; what cannot be removed stays.
            Ok(()) => drop(fs::remove_dir_all(&place)),
        }
    }
    outcome
}

fn large_log(ferry: &Path, folder: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let (installation, server) = filled(ferry, folder, LARGE_LOG, outcome)?;
    server.kill();
    let started = Started::cold(&installation, "a large log, after a kill", outcome)?;
    let most = Duration::from_secs_f64(SECONDS_PER_GIB * started.gibibytes());
    outcome.case("a large log, after a kill", started.is_long().and_then(|()| started.is_right_within(most)));
    started.server.stop()?;
    let started = Started::cold(&installation, "a large log, after a clean stop", outcome)?;
    all_there(&started.server)
}

fn as_shipped(ferry: &Path, folder: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let (installation, server) = filled(ferry, folder, AS_SHIPPED, outcome)?;
    server.kill();
    let started = Started::cold(&installation, "as shipped, after a kill", outcome)?;
    all_there(&started.server)?;
    started.server.stop()?;
    let started = Started::cold(&installation, "as shipped, after a clean stop", outcome)?;
    outcome.case("as shipped, after a clean stop", started.is_right_within(CLEAN_MAX));
    Ok(())
}

/// A queue manager that has all the messages.
fn filled(
    ferry: &Path,
    folder: &Path,
    settings: &str,
    outcome: &mut Outcome,
) -> Result<(Installation, Running), Broken> {
    let installation = Installation::create(ferry, &folder.join("data"), settings)?;
    let server = installation.start()?;
    let begun = Instant::now();
    fill(&server)?;
    outcome.note(format!("{MESSAGES} messages put in {:.0} s", begun.elapsed().as_secs_f64()));
    all_there(&server)?;
    Ok((installation, server))
}

/// A queue manager that was started on files that were not in memory, and what it had before it.
struct Started {
    server: Running,
    /// Bytes of the log from where replay began.
    replayed: u64,
    /// Messages it found in the store.
    stored: u64,
}

impl Started {
    fn cold(installation: &Installation, when: &str, outcome: &mut Outcome) -> Result<Self, Broken> {
        forget(&installation.folder()).map_err(|error| format!("emptying the cache: {error}"))?;
        let server = installation.start()?;
        let world = platform::World::of_machine(installation.folder());
        let log = Inspection::open(&*world.disk).map_err(|error| error.to_string())?;
        let replayed = log.end.0.saturating_sub(log.replay_from.0);
        let started = Self { server, replayed, stored: log.stored_messages };
        outcome.note(format!("{when}, {started}: {:.2} s", started.server.took.as_secs_f64()));
        Ok(started)
    }

    fn gibibytes(&self) -> f64 {
        self.replayed as f64 / GIB as f64
    }

    /// Checks that there is as much to replay as the figure asks for, and that every message is part of it.
    fn is_long(&self) -> Result<(), Broken> {
        if self.replayed >= GIB && self.stored == 0 { Ok(()) } else { Err(format!("it had {self}")) }
    }

    fn is_right_within(&self, most: Duration) -> Result<(), Broken> {
        let (took, most) = (self.server.took.as_secs_f64(), most.as_secs_f64());
        if took > most {
            return Err(format!("the start took {took:.2} s, more than {most:.2} s"));
        }
        all_there(&self.server)
    }
}

impl fmt::Display for Started {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:.2} GiB of log to replay and {} messages in the store",
            self.gibibytes(),
            self.stored
        )
    }
}

/// Has the system forget what it has in memory of files, as after a start of the machine.
pub(super) fn forget(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            forget(&path)?;
        } else if path.is_file() {
            let file = fs::File::open(&path)?;
            file.sync_all()?;
            rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
        }
    }
    Ok(())
}

fn name(queue: usize) -> String {
    format!("START.{queue}")
}

fn fill(server: &Running) -> Result<(), Broken> {
    let mut connection = server.connect("define")?;
    for queue in 0..QUEUES {
        load::command(&mut connection, &format!("DEFINE QLOCAL({}) MAXDEPTH(999999999)", name(queue)))?;
    }
    let putters: Vec<_> = (0..PUTTERS)
        .map(|putter| {
            let connection = server.connect("fill");
            thread::spawn(move || put_share(connection?, putter))
        })
        .collect();
    let ends = putters.into_iter().map(|putter| putter.join().map_err(|_| "a putter panicked".to_owned()));
    ends.collect::<Result<Result<Vec<()>, _>, _>>()?.map(drop)
}

fn put_share(mut connection: client::Connection, putter: usize) -> Result<(), Broken> {
    let failed = |reason: Reason| format!("filling: {reason}");
    let mut handles = Vec::new();
    for queue in (putter..QUEUES).step_by(PUTTERS) {
        let queue = ObjectDescriptor::queue(name(queue).parse().expect("a name"));
        handles.push(connection.open(&queue, OpenOptions::OUTPUT).map_err(failed)?.handle);
    }
    let body = bytes::Bytes::from(vec![b'x'; BODY_BYTES]);
    let mut put = 0;
    while put < MESSAGES / PUTTERS as u64 {
        for number in 0..UNIT_MESSAGES {
            let handle = handles[(put + number) as usize % handles.len()];
            let mut descriptor =
                MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
            let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE);
            connection.put(handle, &mut descriptor, &mut options, body.clone()).map_err(failed)?;
        }
        connection.commit().map_err(failed)?;
        put += UNIT_MESSAGES;
    }
    connection.disconnect().map_err(failed)
}

/// Every queue has its share of the messages.
fn all_there(server: &Running) -> Result<(), Broken> {
    let mut connection = server.connect("count")?;
    let share = MESSAGES / QUEUES as u64;
    for queue in 0..QUEUES {
        let name = name(queue);
        let queue = ObjectDescriptor::queue(name.parse().expect("a name"));
        let opened = connection.open(&queue, OpenOptions::INQUIRE).map_err(|reason| reason.to_string())?;
        let depth = connection.inquire(opened.handle, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]);
        match depth.as_ref().map(|inquired| inquired.values.as_slice()) {
            Ok([AttributeValue::Integer(depth)]) if u64::try_from(*depth) == Ok(share) => {}
            other => return Err(format!("{name} has {other:?} of {share} messages")),
        }
    }
    Ok(())
}
