//! R17: a queue manager that may have no more files, threads or memory.
//!
//! Programs that are connected go on, an accept that cannot succeed does not spin, and all is as before when
//! there is room again. A limit of memory ends nothing: bodies that have no room in memory are on the disk.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use mqi::Wait;
use platform::simulated::Random;
use rustix::process::Signal;
use testing::history::Recorder;

use super::full::lives;
use super::groups::{Bound, Group};
use super::health::control_of;
use super::installation::{Broken, Installation, Running, connect_alone};
use super::load::{self, Client, Load, Put, QUEUES, Work};
use super::looks::{processor_seconds, signal, threads, wait_until};
use super::outcome::Lack;
use super::{Outcome, Size};

/// Files that a queue manager may have open.
const FILES: [u64; 2] = [256, 64];
/// The part of a processor that accepting may take while there are no more files.
const IDLE_MAX: f64 = 0.2;
/// The time over which that is measured.
const IDLE: Duration = Duration::from_secs(3);
/// Everything is as before so soon after there is room.
const RECOVERY_MAX: Duration = Duration::from_secs(5);
/// The clients at work make their next calls within this.
const PROGRESS_MAX: Duration = Duration::from_secs(5);
/// The limit of memory, and the messages put beneath it: twice as many bytes.
const MEMORY_BYTES: u64 = 160 << 20;
const BODY_BYTES: u64 = 900_000;
const BODIES: u64 = 2 * MEMORY_BYTES / BODY_BYTES;
/// The longest that DISPLAY may take.
const DISPLAY_MAX: Duration = Duration::from_secs(1);
const WITH_CONTROL: &str = "[http]\naddress = \"127.0.0.1:0\"\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Files(u64),
    Threads,
    Memory,
}

const LIMITS: [Limit; 4] = [Limit::Files(FILES[0]), Limit::Threads, Limit::Memory, Limit::Files(FILES[1])];

/// Sets limits, in turn.
#[must_use]
pub fn of_the_system(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let mut random = Random::stream(size.seed, "R17");
    for case in size.numbers() {
        let limit = LIMITS[(case % LIMITS.len() as u64) as usize];
        let place = folder.join(format!("case-{case}"));
        let done = match limit {
            Limit::Files(most) => files(ferry, &place, most, &mut random),
            Limit::Threads => tasks(ferry, &place, &mut random),
            Limit::Memory => memory(ferry, &place),
        };
        let name = format!("{limit:?}, case {case} of seed {}", size.seed).to_lowercase();
        outcome.tried(&name, done);
    }
    outcome
}

fn files(ferry: &Path, place: &Path, most: u64, random: &mut Random) -> Result<String, Lack> {
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let limit = format!("--nofile={most}:{most}");
    let started = installation.start_by(installation.start_command_under("prlimit", &[limit]));
    let mut server = started.map_err(|ended| ended.said)?;
    load::define(&mut server.connect("define")?)?;
    let recorder = load::recorder();
    let load = begin(&server, &recorder, random)?;
    let mut held = Vec::new();
    let refused = loop {
        match connect_alone(server.port(), "holds a socket") {
            Ok(connection) if (held.len() as u64) < most => held.push(connection),
            Ok(_) => {
                return Err(Lack::Broken(format!("{most} files are enough for {} programs", held.len())));
            }
            Err(refused) => break refused,
        }
    };
    progress(&load, "while there are no more files")?;
    load.stop();
    load.end()?;
    lives(&mut server, "without a file to open")?;
    // One more waits to be accepted, which is what a loop would spin on.
    let waiting =
        std::net::TcpStream::connect(("127.0.0.1", server.port())).map_err(|error| error.to_string())?;
    let before = processor_seconds(server.process())?;
    thread::sleep(IDLE);
    let share = (processor_seconds(server.process())? - before) / IDLE.as_secs_f64();
    if share > IDLE_MAX {
        return Err(Lack::Broken(format!("accepting takes {:.0} % of a processor", share * 100.0)));
    }
    drop(waiting);
    let count = held.len();
    drop(held);
    let back = wait_until("a program connects again", RECOVERY_MAX, || {
        connect_alone(server.port(), "comes later").is_ok()
    })?;
    audit(server, &installation, &recorder)?;
    Ok(format!(
        "{most} files: {count} programs beside those at work, the next was told \"{refused}\", accepting takes \
         {:.1} % of a processor, a program connects {back:.1?} after there was room",
        share * 100.0
    ))
}

fn tasks(ferry: &Path, place: &Path, random: &mut Random) -> Result<String, Lack> {
    let group = Group::new("tasks", Bound::Tasks, 1_000).map_err(Lack::OfMachine)?;
    let installation = Installation::create(ferry, &place.join("data"), WITH_CONTROL)?;
    let mut server = start_in(&installation, &group)?;
    load::define(&mut server.connect("define")?)?;
    let (control, _) = control_of(&server)?;
    let recorder = load::recorder();
    let load = begin(&server, &recorder, random)?;
    let has = threads(server.process())?;
    group.set(has)?;
    signal(control, Signal::KILL)?;
    progress(&load, "while no thread can be started")?;
    let mut later = server.connect("comes later")?;
    let begun = Instant::now();
    load::command(&mut later, &format!("DISPLAY QLOCAL({}) CURDEPTH", QUEUES[0]))?;
    if begun.elapsed() > DISPLAY_MAX {
        return Err(Lack::Broken(format!("DISPLAY took {:.1?}", begun.elapsed())));
    }
    thread::sleep(Duration::from_millis(1_500));
    if control_of(&server).is_ok_and(|(process, _)| process != control) {
        return Err(Lack::Broken("a control process was started although none could be".to_owned()));
    }
    group.set(1_000)?;
    let back = wait_until("the control process is back", RECOVERY_MAX, || {
        control_of(&server).is_ok_and(|(process, _)| process != control)
    })?;
    progress(&load, "once threads can be started")?;
    load.stop();
    load.end()?;
    lives(&mut server, "with all its threads")?;
    audit(server, &installation, &recorder)?;
    Ok(format!("{has} threads: programs go on and connect, the control process is back after {back:.1?}"))
}

fn memory(ferry: &Path, place: &Path) -> Result<String, Lack> {
    let group = Group::new("memory", Bound::Memory, MEMORY_BYTES).map_err(Lack::OfMachine)?;
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let mut server = start_in(&installation, &group)?;
    load::define(&mut server.connect("define")?)?;
    let recorder = load::recorder();
    let mut client = Client::open(&server, &recorder, 100)?;
    for sequence in 1..=BODIES {
        let put = Put {
            putter: 100,
            sequence,
            length: BODY_BYTES,
            priority: 4,
            persistent: sequence % 2 == 0,
            in_unit: false,
            answered: true,
        };
        let call = client.put(&put).map_err(|reason| format!("put {sequence}: {reason}"))?;
        client.recorder.ok(call, testing::history::Outcome::Done);
    }
    let begun = Instant::now();
    load::command(&mut client.connection, &format!("DISPLAY QLOCAL({}) CURDEPTH", QUEUES[0]))?;
    let displayed = begun.elapsed();
    let mut got = 0;
    while client.get(QUEUES[0], false, Wait::No).map_err(|reason| format!("get {got}: {reason}"))? {
        got += 1;
    }
    lives(&mut server, "with little memory")?;
    if got != BODIES || displayed > DISPLAY_MAX {
        return Err(Lack::Broken(format!(
            "{got} of {BODIES} bodies came back, DISPLAY took {displayed:.1?}"
        )));
    }
    load::audit(&server, &recorder)?;
    server.kill();
    Ok(format!(
        "{} MiB of memory: {BODIES} bodies of {BODY_BYTES} bytes, DISPLAY in {displayed:.0?}",
        MEMORY_BYTES >> 20
    ))
}

fn start_in(installation: &Installation, group: &Group) -> Result<Running, Broken> {
    installation
        .start_by(installation.start_command_under("sh", &group.joining()))
        .map_err(|ended| ended.said)
}

/// Sets clients to work and waits until they are.
fn begin(server: &Running, recorder: &Recorder, random: &mut Random) -> Result<Load, Broken> {
    let work = Work {
        putters: 2,
        getters: 2,
        calls_max: u64::MAX,
        sequence: 1_000,
        large: 0,
        room_may_lack: false,
        first_client: 0,
    };
    let load = Load::start(server.port(), work, recorder, random);
    progress(&load, "at the beginning")?;
    Ok(load)
}

fn progress(load: &Load, when: &str) -> Result<(), Broken> {
    let calls = load.calls();
    wait_until(&format!("the clients make calls {when}"), PROGRESS_MAX, || load.calls() > calls + 100)
        .map(drop)?;
    if load.has_ended() { Err(format!("a client ended {when}")) } else { Ok(()) }
}

fn audit(server: Running, installation: &Installation, recorder: &Recorder) -> Result<(), Broken> {
    server.kill();
    recorder.restart();
    let server = installation.start()?;
    load::audit(&server, recorder)?;
    server.kill();
    Ok(())
}
