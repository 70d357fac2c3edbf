//! S16: many users return at once, each with a password of its own over TLS: after a network that broke, and
//! after a restart.
//!
//! All are at work again within two seconds of the break and fifteen of the restart, and programs that stayed
//! wait at most three times as long meanwhile. Hashes are those of a queue manager as shipped. Controls: a
//! wrong password is refused, and each program acts as a user of its own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags,
    PutOptions, Reason, Verbs as _, Wait,
};

use super::super::installation::{Broken, Installation};
use super::super::{Outcome, Size};
use super::of_cases;
use super::secured::{
    ANY, QUEUE, Secured, TLS_ALONE, add_user, credentials, make_keys, refusal, tls, without_key,
};
use super::timing::percentile;

const CHANNEL: &str = "RETURNS";
const PASSWORD: &str = "Back again 5";
/// The user that the command adds, and whose line the others have.
const FIRST: &str = "user0";
/// Programs that stay while the others return.
const STAYING: usize = 2;
/// Their round trips are timed for so long before.
const ALONE: Duration = Duration::from_secs(5);
/// A program that is refused, or finds nobody, tries again after this.
const TRY_AGAIN: Duration = Duration::from_millis(20);
/// A program that is not back by now does not come back.
const GIVEN_UP: Duration = Duration::from_secs(120);
/// The stack of a program's thread.
const STACK_BYTES: usize = 512 << 10;
/// The factor by which a program that stays may wait longer.
const LONGER_MAX: f64 = 3.0;

/// The most that a return may take.
#[derive(Clone, Copy)]
struct Bounds {
    users: usize,
    after_break: Duration,
    after_restart: Duration,
    /// The time of programs that stay is a verdict, and not only told.
    judges_others: bool,
}

/// Five hundred users, on a machine that does nothing else.
const MANY: Bounds = Bounds {
    users: 500,
    after_break: Duration::from_secs(2),
    after_restart: Duration::from_secs(15),
    judges_others: true,
};

/// Some, on any machine and with any build: that they all return.
const FEW: Bounds = Bounds {
    users: 24,
    after_break: Duration::from_secs(20),
    after_restart: Duration::from_secs(40),
    judges_others: false,
};

/// Has five hundred return, once a case.
#[must_use]
pub fn five_hundred(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("returns", folder, size, |place, outcome| run(ferry, place, MANY, outcome))
}

/// Has some return, once a case.
#[must_use]
pub fn few(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("returns", folder, size, |place, outcome| run(ferry, place, FEW, outcome))
}

fn run(ferry: &Path, place: &Path, bounds: Bounds, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut secured = Secured::start(ferry, place, TLS_ALONE, |installation| {
        make_keys(installation)?;
        make_users(installation, bounds.users)
    })?;
    secured.tell_all(&[
        &format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999)"),
        &format!(
            "DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) SSLCIPH({ANY}) SSLCAUTH(OPTIONAL) MAXINST(999999999) \
             MAXINSTC(999999999)"
        ),
        &format!(
            "SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"
        ),
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
        &format!("SET AUTHREC PROFILE({QUEUE}) OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(PUT,GET)"),
    ])?;
    let port = secured.server.port();
    let file = without_key(&secured.installation);
    let options = |user: &str, password: &str| -> Result<Options, Broken> {
        let options = secured.options(CHANNEL).tls(tls(&file, ANY));
        Ok(options.credentials(credentials(user, password)?))
    };
    let wrong = refusal(options(FIRST, "wrong")?).and_then(|(reason, text)| match reason {
        Reason::NOT_AUTHORIZED => Ok(()),
        _ => Err(format!("{reason}: {text}")),
    });
    outcome.case("control: a wrong password", wrong);
    let all: Vec<Options> =
        (0..bounds.users).map(|number| options(&user(number), PASSWORD)).collect::<Result<_, _>>()?;
    let first = Crowd::come(&all, Instant::now())?;
    outcome.note(format!("{} users came in {:.2?} for the first time", bounds.users, first.took));
    let shown = secured.tell(&format!("DISPLAY CONN(*) WHERE(CHANNEL EQ {CHANNEL}) USERID"))?;
    let here = (0..bounds.users).filter(|number| shown.contains(&format!("USERID({})", user(*number))));
    let missing = bounds.users - here.count();
    let each = if missing == 0 { Ok(()) } else { Err(format!("{missing} are not shown")) };
    outcome.case("control: each acts as a user of its own", each);

    let staying = Staying::begin(&all[..STAYING])?;
    thread::sleep(ALONE);
    let mut alone = staying.take();
    let broken = Instant::now();
    first.break_off();
    let second = Crowd::come(&all, broken)?;
    let mut beside = staying.end()?;
    outcome.case("a broken network", within(second.took, bounds.after_break));
    let (alone, beside) = (percentile(&mut alone, 0.99), percentile(&mut beside, 0.99));
    let longer = beside.as_secs_f64() / alone.as_secs_f64().max(f64::MIN_POSITIVE);
    outcome.note(format!(
        "{} users were back {:.2?} after a broken network; the 99th percentile of {STAYING} others was \
         {beside:.2?}, {longer:.1} times the {alone:.2?} of before",
        bounds.users, second.took
    ));
    if bounds.judges_others {
        let few = if longer <= LONGER_MAX { Ok(()) } else { Err(format!("{longer:.1} times")) };
        outcome.case("programs that stay", few);
    }

    let installation = Installation::at(ferry, &place.join("data"));
    secured.end();
    second.break_off();
    let server = installation.start_by(installation.start_command_at(port)).map_err(|ended| ended.said)?;
    let third = Crowd::come(&all, Instant::now())?;
    outcome.case("a restart", within(third.took, bounds.after_restart));
    outcome.note(format!("{} users were back {:.2?} after a restart", bounds.users, third.took));
    third.break_off();
    Secured::of(installation, server)?.end();
    Ok(())
}

fn within(took: Duration, most: Duration) -> Result<(), Broken> {
    if took <= most { Ok(()) } else { Err(format!("the last is at work after {took:.2?}")) }
}

fn user(number: usize) -> String {
    format!("user{number}")
}

/// Makes so many users: the command adds one, and the others have its line under names of their own. A hash
/// is proved by itself for each.
fn make_users(installation: &Installation, count: usize) -> Result<(), Broken> {
    add_user(installation, FIRST, PASSWORD)?;
    let path: PathBuf = installation.folder().join("security/users.toml");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let one = std::fs::read_to_string(&path).map_err(failed)?;
    let named = |number| one.replace(&format!("{FIRST:?}"), &format!("{:?}", user(number)));
    let text: String = (0..count).map(|number| named(number) + "\n").collect();
    std::fs::write(&path, text).map_err(failed)
}

/// Programs that are at work, each as a user of its own.
struct Crowd {
    programs: Vec<ReconnectingProgram>,
    /// The time until the last one was.
    took: Duration,
}

impl Crowd {
    /// Has all programs come at once, and waits until each has put and got a message.
    fn come(all: &[Options], since: Instant) -> Result<Self, Broken> {
        let together = Arc::new(Barrier::new(all.len()));
        let comers: Vec<_> = all
            .iter()
            .map(|options| {
                let (options, together) = (options.clone(), Arc::clone(&together));
                let thread = thread::Builder::new().stack_size(STACK_BYTES);
                thread.spawn(move || {
                    together.wait();
                    ReconnectingProgram::at_work(&options, since + GIVEN_UP)
                        .map(|program| (program, since.elapsed()))
                })
            })
            .collect::<Result<_, _>>()
            .map_err(|error| format!("a thread: {error}"))?;
        let mut crowd = Self { programs: Vec::new(), took: Duration::ZERO };
        for comer in comers {
            let (program, after) = comer.join().map_err(|_| "a program panicked".to_owned())??;
            crowd.programs.push(program);
            crowd.took = crowd.took.max(after);
        }
        Ok(crowd)
    }

    /// Has all programs give their connections up, as those of a network that breaks do.
    fn break_off(self) {
        drop(self.programs);
    }
}

/// A program of a user.
struct ReconnectingProgram {
    connection: Connection,
    handle: ObjectHandle,
}

impl ReconnectingProgram {
    /// Comes in, trying again until it is let in, and puts and gets a message.
    fn at_work(options: &Options, until: Instant) -> Result<Self, Broken> {
        let mut connection = loop {
            match Connection::connect(options.clone()) {
                Ok(connection) => break connection,
                Err(error) if Instant::now() >= until => return Err(error.to_string()),
                Err(_) => thread::sleep(TRY_AGAIN),
            }
        };
        let queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
        let opened = connection.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        let handle = opened.map_err(|reason| format!("open: {reason}"))?.handle;
        let mut program = Self { connection, handle };
        program.round()?;
        Ok(program)
    }

    /// A put and a get; the time of both.
    fn round(&mut self) -> Result<Duration, Broken> {
        let begun = Instant::now();
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let mut descriptor = MessageDescriptor::default();
        let put = self.connection.put(self.handle, &mut descriptor, &mut options, "back".into());
        put.map_err(|reason| format!("a put: {reason}"))?;
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(20_000));
        let got = self.connection.get(self.handle, &mut MessageDescriptor::default(), &mut options, 64);
        got.map(|_| begun.elapsed()).map_err(|reason| format!("a get: {reason}"))
    }
}

/// Programs that put and get all the time.
struct Staying {
    times: Arc<Mutex<Vec<Duration>>>,
    ends: Arc<AtomicBool>,
    threads: Vec<thread::JoinHandle<Result<(), Broken>>>,
}

impl Staying {
    fn begin(all: &[Options]) -> Result<Self, Broken> {
        let (times, ends) = (Arc::<Mutex<Vec<Duration>>>::default(), Arc::<AtomicBool>::default());
        let mut threads = Vec::new();
        for options in all {
            let mut program = ReconnectingProgram::at_work(options, Instant::now() + GIVEN_UP)?;
            let (times, ends) = (Arc::clone(&times), Arc::clone(&ends));
            threads.push(thread::spawn(move || {
                while !ends.load(Ordering::Relaxed) {
                    let took = program.round()?;
                    times.lock().unwrap_or_else(PoisonError::into_inner).push(took);
                }
                Ok(())
            }));
        }
        Ok(Self { times, ends, threads })
    }

    /// The times since they were last taken.
    fn take(&self) -> Vec<Duration> {
        std::mem::take(&mut *self.times.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn end(mut self) -> Result<Vec<Duration>, Broken> {
        self.ends.store(true, Ordering::Relaxed);
        for one in self.threads.drain(..) {
            one.join().map_err(|_| "a program panicked".to_owned())??;
        }
        Ok(self.take())
    }
}
