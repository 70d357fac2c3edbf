//! S16-floods: three users with few rights and twenty strangers do at once all that fills memory, files and
//! queues of logins, while an administrator and two programs work.
//!
//! The memory of the queue manager stays within its bounds and is given back, no message of the programs
//! is lost or out of order, the refusals of others stand in the record, and the programs wait at most three
//! times as long as beside the same load on another queue manager of the machine. Control: the floods are
//! told their refusals, so they reach their bounds.

use std::collections::VecDeque;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use channel::{Hello, Kind};
use client::{Connection, Options};
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, SubscribeOptions, SubscriptionDescriptor, Verbs as _, Wait,
};
use rustix::net::{AddressFamily, SocketType};

use super::super::installation::Broken;
use super::super::looks::memory_bytes;
use super::super::{Outcome, Size};
use super::of_cases;
use super::secured::{Secured, add_user, administrator, credentials, opening};
use super::timing::percentile;

const CHANNEL: &str = "FLOODS";
const PASSWORD: &str = "High water 3";
/// The users with few rights: one is refused, one asks for long answers, one makes what stays.
const LOW: [&str; 3] = ["refused", "asks", "makes"];
/// The user of the programs.
const WORKER: &str = "works";
/// A user that is refused now and then, whose records must not be lost among those of others.
const WITNESS: &str = "witness";
const MODEL: &str = "FLOODS.MODEL";
/// A queue that nobody but the administrator may use.
const SHUT: &str = "FLOODS.SHUT";
const STRANGERS: u8 = 20;
/// A stranger tries a password at this interval, and waits for no answer.
const GUESS: Duration = Duration::from_millis(100);
/// Sockets that a stranger keeps open.
const SOCKETS: usize = 16;
/// Programs that work beside the floods.
const PROGRAMS: usize = 2;
/// The commands of one script.
const COMMANDS: usize = 30;
const MEBIBYTE: u64 = 1 << 20;
/// Most memory that the floods may take beside what stood before.
const MORE_MAX: u64 = 200 * MEBIBYTE;
/// Most of it that may be left some time after them, beside what bounds let stay.
const LEFT_MAX: u64 = 50 * MEBIBYTE;
/// The factor by which programs may wait longer than beside the same load elsewhere.
const LONGER_MAX: f64 = 3.0;
/// A login with the right password takes at most this.
const LOGIN_MAX: Duration = Duration::from_secs(1);

/// The length of a run, and its verdicts.
#[derive(Clone, Copy)]
struct Extent {
    flood: Duration,
    /// Time after the floods until the memory is looked at.
    after: Duration,
    subscriptions: usize,
    /// Most queues, and most subscriptions, that one user makes: a busy machine reaches it within the floods.
    made_max: usize,
    /// Times are verdicts, and not only told.
    judges_times: bool,
}

/// As long as the figure says, on a machine that does nothing else.
const LONG: Extent = Extent {
    flood: Duration::from_secs(60),
    after: Duration::from_secs(30),
    subscriptions: 7_500,
    made_max: 1_000,
    judges_times: true,
};

/// Some seconds, on any machine.
const SHORT: Extent = Extent {
    flood: Duration::from_secs(6),
    after: Duration::from_secs(6),
    subscriptions: 500,
    made_max: 50,
    judges_times: false,
};

/// A minute of floods, once a case.
#[must_use]
pub fn a_minute(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("floods", folder, size, |place, outcome| run(ferry, place, LONG, outcome))
}

/// Some seconds of floods, once a case.
#[must_use]
pub fn some_seconds(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    of_cases("floods", folder, size, |place, outcome| run(ferry, place, SHORT, outcome))
}

fn run(ferry: &Path, place: &Path, extent: Extent, outcome: &mut Outcome) -> Result<(), Broken> {
    let mut attacked = prepared(ferry, &place.join("attacked"), extent)?;
    let elsewhere = prepared(ferry, &place.join("elsewhere"), extent)?;
    let process = attacked.server.process();

    let beside = worked(&attacked, &elsewhere, extent)?;
    let before = memory_bytes(process)?;
    let done = Arc::new(AtomicBool::new(false));
    let looking = highest(process, Arc::clone(&done));
    let within = worked(&attacked, &attacked, extent)?;
    done.store(true, Ordering::Relaxed);
    let highest = looking.join().map_err(|_| "the look at the memory panicked".to_owned())??;
    let more = highest.saturating_sub(before);
    thread::sleep(extent.after);
    let left = memory_bytes(process)?.saturating_sub(before);
    outcome.case("the memory beside the floods", at_most(more, MORE_MAX));
    outcome.case("the memory after the floods", at_most(left, LEFT_MAX));
    outcome.case("the programs", within.programs);
    outcome.case("control: the floods are refused", within.told.judge());
    let shown = attacked.tell("DISPLAY QMGR").map(drop);
    outcome.case("the administrator afterwards", shown);
    outcome.case("the refusals of another user", witness(&attacked, within.witnessed));
    let longer = within.p99.as_secs_f64() / beside.p99.as_secs_f64().max(f64::MIN_POSITIVE);
    outcome.note(format!(
        "{:?} of floods: {} MiB more, {} MiB {:?} later; programs' 99th percentile {:.2?}, {longer:.1} times the \
         {:.2?} beside the same load elsewhere; slowest login {:.2?}, slowest command of the administrator {:.2?}; {}",
        extent.flood,
        more / MEBIBYTE,
        left / MEBIBYTE,
        extent.after,
        within.p99,
        beside.p99,
        within.login,
        within.administrator,
        within.told.shown(),
    ));
    if extent.judges_times {
        let few = if longer <= LONGER_MAX { Ok(()) } else { Err(format!("{longer:.1} times")) };
        outcome.case("the time of the programs", few);
        let soon = if within.login <= LOGIN_MAX { Ok(()) } else { Err(format!("{:.2?}", within.login)) };
        outcome.case("a good login", soon);
    }
    let lives = if attacked.server.lives() { Ok(()) } else { Err("it ended".to_owned()) };
    outcome.case("the queue manager", lives);
    attacked.end();
    elsewhere.end();
    Ok(())
}

fn at_most(bytes: u64, bound: u64) -> Result<(), Broken> {
    if bytes <= bound { Ok(()) } else { Err(format!("{} MiB more", bytes / MEBIBYTE)) }
}

/// A queue manager with the users, queues and subscriptions of the floods.
fn prepared(ferry: &Path, place: &Path, extent: Extent) -> Result<Secured, Broken> {
    let most = extent.made_max;
    let settings = format!("[growth]\ndynamic_queues_user_max = {most}\nsubscriptions_user_max = {most}\n");
    let mut secured = Secured::start(ferry, place, &settings, |installation| {
        let users = LOW.iter().chain([&WORKER, &WITNESS]);
        users.copied().try_for_each(|user| add_user(installation, user, PASSWORD))
    })?;
    secured.tell_all(&[
        &format!("DEFINE CHANNEL({CHANNEL}) CHLTYPE(SVRCONN) MAXINST(999999999) MAXINSTC(999999999)"),
        &format!(
            "SET CHLAUTH({CHANNEL}) TYPE(ADDRESSMAP) ADDRESS('127.*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)"
        ),
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
        &format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{}') AUTHADD(DSP)", LOW[1]),
        &format!("SET AUTHREC PROFILE('**') OBJTYPE(TOPIC) PRINCIPAL('{}') AUTHADD(DSP)", LOW[1]),
        &format!("SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('{}') AUTHADD(DSP)", LOW[1]),
        &format!("DEFINE QMODEL({MODEL}) DEFTYPE(PERMDYN)"),
        &format!("SET AUTHREC PROFILE({MODEL}) OBJTYPE(QUEUE) PRINCIPAL('{}') AUTHADD(DSP,PUT,GET)", LOW[2]),
        &format!(
            "SET AUTHREC PROFILE(SYSTEM.BASE.TOPIC) OBJTYPE(TOPIC) PRINCIPAL('{}') AUTHADD(PUB,SUB)",
            LOW[2]
        ),
        &format!("DEFINE QLOCAL({SHUT})"),
    ])?;
    for number in 0..PROGRAMS {
        secured.tell(&format!("DEFINE QLOCAL({})", work_queue(number)))?;
        secured.tell(&format!(
            "SET AUTHREC PROFILE({}) OBJTYPE(QUEUE) PRINCIPAL('{WORKER}') AUTHADD(PUT,GET)",
            work_queue(number)
        ))?;
    }
    let define = |number| format!("DEFINE SUB('S{number}') TOPICSTR('floods/{number}') DEST({SHUT})\n");
    let script: String = (0..extent.subscriptions).map(define).collect();
    secured.tell(&script)?;
    Ok(secured)
}

fn work_queue(number: usize) -> String {
    format!("FLOODS.WORK{number}")
}

fn options(secured: &Secured, user: &str) -> Result<Options, Broken> {
    Ok(secured.options(CHANNEL).credentials(credentials(user, PASSWORD)?))
}

/// Looks at the memory of a process until it is told to stop; returns the most that it saw.
fn highest(process: u32, stop: Arc<AtomicBool>) -> JoinHandle<Result<u64, Broken>> {
    thread::spawn(move || {
        let mut highest = 0;
        while !stop.load(Ordering::Relaxed) {
            highest = memory_bytes(process)?.max(highest);
            thread::sleep(Duration::from_millis(50));
        }
        Ok(highest)
    })
}

/// The answers to the programs and to the floods.
struct Course {
    programs: Result<(), Broken>,
    p99: Duration,
    login: Duration,
    administrator: Duration,
    /// Refusals of the witness.
    witnessed: usize,
    told: Told,
}

/// Has programs and an administrator work at `at` while the floods go to `floods`.
fn worked(at: &Secured, floods: &Secured, extent: Extent) -> Result<Course, Broken> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::new(Counts::default());
    let programs: Vec<JoinHandle<Result<Vec<Duration>, Broken>>> = (0..PROGRAMS)
        .map(|number| {
            let (options, stop) = (options(at, WORKER)?, Arc::clone(&stop));
            Ok(thread::spawn(move || work(options, number, &stop)))
        })
        .collect::<Result<_, Broken>>()?;
    let flooding = flood(floods, &stop, &told)?;
    let mut looks = administrator(&at.installation)?;
    let until = Instant::now() + extent.flood;
    let (mut login, mut slowest, mut witnessed) = (Duration::ZERO, Duration::ZERO, 0);
    let mut again = Instant::now();
    while Instant::now() < until {
        let begun = Instant::now();
        looks.command("DISPLAY QMGR CHLAUTH").map_err(|reason| format!("the administrator: {reason}"))?;
        slowest = slowest.max(begun.elapsed());
        if again <= Instant::now() {
            again = Instant::now() + Duration::from_secs(2);
            let begun = Instant::now();
            let mut other = Connection::connect(options(at, WITNESS)?).map_err(|error| error.to_string())?;
            login = login.max(begun.elapsed());
            match put(&mut other, SHUT, "x") {
                Err(Reason::NOT_AUTHORIZED) => witnessed += 1,
                other => return Err(format!("the witness is told {other:?}")),
            }
        }
        thread::sleep(Duration::from_millis(100));
    }
    stop.store(true, Ordering::Relaxed);
    let mut times = Vec::new();
    let mut verdict = Ok(());
    for program in programs {
        match program.join().map_err(|_| "a program panicked".to_owned())? {
            Ok(own) => times.extend(own),
            Err(problem) => verdict = Err(problem),
        }
    }
    for one in flooding {
        one.join().map_err(|_| "a flood panicked".to_owned())??;
    }
    Ok(Course {
        programs: verdict,
        p99: percentile(&mut times, 0.99),
        login,
        administrator: slowest,
        witnessed,
        told: told.told(),
    })
}

/// Puts a message and gets it, over and over; each must be the one that was put.
fn work(options: Options, number: usize, stop: &AtomicBool) -> Result<Vec<Duration>, Broken> {
    let failed = |reason: Reason| format!("program {number}: {reason}");
    let mut own = Connection::connect(options).map_err(|error| error.to_string())?;
    let queue = work_queue(number);
    let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
    let handle = own.open(&object, OpenOptions::INPUT_SHARED).map_err(failed)?.handle;
    let mut times = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let body = format!("{number} {}", times.len());
        let begun = Instant::now();
        put(&mut own, &queue, &body).map_err(failed)?;
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(60_000));
        let got = own.get(handle, &mut MessageDescriptor::default(), &mut options, 100).map_err(failed)?;
        times.push(begun.elapsed());
        if &got.body[..] != body.as_bytes() {
            return Err(format!("program {number} put {body:?} and got {:?}", got.body));
        }
    }
    Ok(times)
}

fn put(connection: &mut Connection, queue: &str, body: &str) -> Result<(), Reason> {
    let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
    let mut descriptor = MessageDescriptor { persistence: Persistence::Persistent, ..Default::default() };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    connection.put1(&object, &mut descriptor, &mut options, body.to_owned().into())
}

/// Counts of the answers to the floods.
#[derive(Default)]
struct Counts {
    guesses: AtomicU64,
    refused: AtomicU64,
    answered_bytes: AtomicU64,
    made: AtomicU64,
    bounded: AtomicU64,
}

impl Counts {
    fn told(&self) -> Told {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Told {
            guesses: read(&self.guesses),
            refused: read(&self.refused),
            answered_bytes: read(&self.answered_bytes),
            made: read(&self.made),
            bounded: read(&self.bounded),
        }
    }
}

/// The answers to the floods, counted.
struct Told {
    guesses: u64,
    refused: u64,
    answered_bytes: u64,
    made: u64,
    bounded: u64,
}

impl Told {
    /// Every flood has to have reached what bounds it.
    fn judge(&self) -> Result<(), Broken> {
        let counts = [self.guesses, self.refused, self.answered_bytes, self.made, self.bounded];
        if counts.iter().all(|count| *count > 0) { Ok(()) } else { Err(self.shown()) }
    }

    fn shown(&self) -> String {
        format!(
            "{} guesses, {} refused puts, {} MiB of answers, {} objects made and {} refused",
            self.guesses,
            self.refused,
            self.answered_bytes / MEBIBYTE,
            self.made,
            self.bounded
        )
    }
}

/// The calls of a user with few rights, until they are told to stop.
type Flood = fn(Options, &AtomicBool, &Counts) -> Result<(), Broken>;

/// A program of the floods.
type Flooding = JoinHandle<Result<(), Broken>>;

/// Begins all floods at a queue manager.
fn flood(at: &Secured, stop: &Arc<AtomicBool>, counts: &Arc<Counts>) -> Result<Vec<Flooding>, Broken> {
    let mut floods = Vec::new();
    let port = at.server.port();
    for number in 0..STRANGERS {
        let (stop, counts) = (Arc::clone(stop), Arc::clone(counts));
        floods.push(thread::spawn(move || guess(port, number, &stop, &counts)));
    }
    let kinds: [Flood; 3] = [refused_puts, long_answers, makes];
    for (user, kind) in LOW.into_iter().zip(kinds) {
        let (options, stop, counts) = (options(at, user)?, Arc::clone(stop), Arc::clone(counts));
        floods.push(thread::spawn(move || kind(options, &stop, &counts)));
    }
    Ok(floods)
}

/// A stranger tries passwords from an address of its own, and waits for no answer.
fn guess(port: u16, number: u8, stop: &AtomicBool, counts: &Counts) -> Result<(), Broken> {
    let hello = Hello { identifies: true, channel: CHANNEL.to_owned(), ..Hello::default() };
    let mut open = VecDeque::new();
    while !stop.load(Ordering::Relaxed) {
        let tried = counts.guesses.fetch_add(1, Ordering::Relaxed);
        let mut bytes = opening(&hello);
        let mut payload = Vec::new();
        credentials(&format!("guest{}", tried % 7), &format!("guess {tried}"))?.encode(&mut payload);
        bytes.extend((payload.len() as u32 + 8).to_le_bytes());
        bytes.extend([Kind::Identify as u8, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(payload);
        // A queue manager that has enough strangers lets no more in.
        if let Ok(mut socket) = socket_from(Ipv4Addr::new(127, 0, 7, number + 1), port) {
            let _ = socket.write_all(&bytes);
            open.push_back(socket);
        }
        if open.len() > SOCKETS {
            open.pop_front();
        }
        thread::sleep(GUESS);
    }
    Ok(())
}

/// A connection from this address of the machine.
fn socket_from(address: Ipv4Addr, port: u16) -> Result<TcpStream, rustix::io::Errno> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
    rustix::net::bind(&socket, &SocketAddrV4::new(address, 0))?;
    rustix::net::connect(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
    Ok(TcpStream::from(socket))
}

/// A user without the right puts as fast as it can.
fn refused_puts(options: Options, stop: &AtomicBool, counts: &Counts) -> Result<(), Broken> {
    let mut own = Connection::connect(options).map_err(|error| error.to_string())?;
    while !stop.load(Ordering::Relaxed) {
        match put(&mut own, SHUT, "x") {
            Err(Reason::NOT_AUTHORIZED) => counts.refused.fetch_add(1, Ordering::Relaxed),
            other => return Err(format!("a user without the right is told {other:?}")),
        };
    }
    Ok(())
}

/// A user who may display asks for the longest answers.
fn long_answers(options: Options, stop: &AtomicBool, counts: &Counts) -> Result<(), Broken> {
    let mut own = Connection::connect(options).map_err(|error| error.to_string())?;
    let script = "DISPLAY SUB(*) ALL\n".repeat(COMMANDS);
    while !stop.load(Ordering::Relaxed) {
        let answer = own.command(&script).map_err(|reason| format!("a long display: {reason}"))?;
        counts.answered_bytes.fetch_add(answer.text.len() as u64, Ordering::Relaxed);
    }
    Ok(())
}

/// A user makes queues, subscriptions and topics that outlive it.
fn makes(options: Options, stop: &AtomicBool, counts: &Counts) -> Result<(), Broken> {
    let mut own = Connection::connect(options).map_err(|error| error.to_string())?;
    let count = |told: Result<(), Reason>| match told {
        Ok(()) => Ok(counts.made.fetch_add(1, Ordering::Relaxed)),
        Err(Reason::RESOURCE_PROBLEM) => {
            thread::sleep(Duration::from_millis(1));
            Ok(counts.bounded.fetch_add(1, Ordering::Relaxed))
        }
        Err(reason) => Err(format!("what stays is refused: {reason}")),
    };
    let mut number = 0_u64;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        count(make_queue(&mut own))?;
        count(make_topic(&mut own, number))?;
        count(make_subscription(&mut own, number))?;
    }
    Ok(())
}

fn make_queue(own: &mut Connection) -> Result<(), Reason> {
    let object = ObjectDescriptor {
        dynamic_queue_name: "FLOODS.MADE.*".parse().expect("a name"),
        ..ObjectDescriptor::queue(MODEL.parse().expect("a name"))
    };
    let handle = own.open(&object, OpenOptions::INPUT_SHARED)?.handle;
    own.close(handle, CloseOptions::default()).map(drop)
}

fn make_topic(own: &mut Connection, number: u64) -> Result<(), Reason> {
    let object = ObjectDescriptor::topic(format!("floods/made/{number}"));
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
    own.put1(&object, &mut MessageDescriptor::default(), &mut options, "kept".into())
}

fn make_subscription(own: &mut Connection, number: u64) -> Result<(), Reason> {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let topic = format!("floods/made/{number}");
    let descriptor = SubscriptionDescriptor {
        name: format!("floods-{number}"),
        ..SubscriptionDescriptor::to(&topic, options)
    };
    let made = own.subscribe(&descriptor, None)?;
    let handles = [Some(made.subscription), made.queue];
    handles.into_iter().flatten().try_for_each(|handle| own.close(handle, CloseOptions::default()).map(drop))
}

/// The records of refusals have a line of the witness, whatever else was refused.
fn witness(secured: &Secured, refusals: usize) -> Result<(), Broken> {
    let folder = secured.installation.folder().join("audit");
    let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut lines = 0;
    for file in files.flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        lines += text.lines().filter(|line| line.contains(WITNESS)).count();
    }
    if lines >= refusals { Ok(()) } else { Err(format!("{lines} lines of {refusals} refusals")) }
}
