//! O2: health while something is wrong. A full disk, a disk that stalls and a long restart never make a queue
//! manager seem dead; a thread that hangs does; a control process that is stopped or killed changes nothing.
//!
//! Always: each trouble is real (a full ext4, a device that answers nothing, a replay that the device slows
//! down, a thread held by a tracer), and each verdict is asked for as a kubelet does, with a bound on the
//! answer.

use std::fmt;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use mqi::Wait;
use platform::simulated::Random;
use rustix::process::Signal;

use super::full::{Ballast, Shortage, lives, put};
use super::installation::{Broken, Installation, Running};
use super::load::{self, Client, Load, QUEUES, Work, is_lack_of_room};
use super::looks::{signal, status, stays, thread_of, wait_for_status, wait_until};
use super::outcome::Lack;
use super::starts::forget;
use super::{Outcome, Size};
use crate::disk::device::{Pace, SlowDevice, mount_small};

const DISK_BYTES: u64 = 64 << 20;
const SETTINGS: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 3\nsecondary_extents = 12\n\
    [health]\naddress = \"127.0.0.1:0\"\nforce_seconds_max = 5\n";
/// The disk of the machine is not the trouble.
const WITH_CONTROL: &str = "[health]\naddress = \"127.0.0.1:0\"\ndisk_free_percent_min = 0\n\
    [http]\naddress = \"127.0.0.1:0\"\n";
/// No checkpoint comes before a quarter of this is written.
const LONG_LOG: &str = "[log]\nextent_size = \"4 MiB\"\nprimary_extents = 16\n\
    [checkpoint]\ninterval_seconds = 86400\n";
/// Messages that a long restart replays, and the length of each: less than a quarter of the log.
const REPLAYED: u64 = 200;
const REPLAYED_BYTES: u64 = 64 << 10;
/// The device reads so much a second while they are replayed.
const READ_BYTES: u64 = 8 << 20;
/// A restart that is shorter shows nothing.
const RESTART_MIN: Duration = Duration::from_secs(3);
/// The stall of a disk: longer than a thread that hangs may take to be seen.
const STALL: Duration = Duration::from_secs(38);
/// `/livez` says so soon that a thread hangs: 30 seconds, and what lies between two looks.
const HANG_SEEN_MAX: Duration = Duration::from_secs(40);
/// A thread that takes turns again is seen so soon.
const RECOVERY_MAX: Duration = Duration::from_secs(12);
/// Checks are made once a second, and only while somebody asks.
const CHECK_SEEN_MAX: Duration = Duration::from_secs(6);
/// A write that takes five seconds is critical; so soon after its beginning that is told.
const FORCE_SEEN_MAX: Duration = Duration::from_secs(9);
/// A control process that was killed is back so soon.
const CONTROL_BACK_MAX: Duration = Duration::from_secs(2);
/// A call that needs no control process is answered so soon.
const ANSWER_MAX: Duration = Duration::from_secs(1);
/// A time in which a verdict that must stay is asked for.
const STAYS: Duration = Duration::from_secs(2);

const ALIVE: (&str, u16) = ("/livez", 200);
const READY: (&str, u16) = ("/readyz", 200);
const WELL: u16 = 200;
const ILL: u16 = 503;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    FullDisk,
    StalledDisk,
    LongRestart,
    ControlStopped,
    ReactorHangs,
    HousekeepingHangs,
}

const TROUBLES: [Trouble; 6] = [
    Trouble::FullDisk,
    Trouble::LongRestart,
    Trouble::ControlStopped,
    Trouble::StalledDisk,
    Trouble::ReactorHangs,
    Trouble::HousekeepingHangs,
];

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::FullDisk => "full disk",
            Self::StalledDisk => "stalled disk",
            Self::LongRestart => "long restart",
            Self::ControlStopped => "stopped control process",
            Self::ReactorHangs => "reactor that hangs",
            Self::HousekeepingHangs => "housekeeping that hangs",
        })
    }
}

/// Asks for health in each trouble, in turn.
#[must_use]
pub fn probes(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let mut random = Random::stream(size.seed, "O2");
    for case in size.numbers() {
        let trouble = TROUBLES[(case % TROUBLES.len() as u64) as usize];
        let place = folder.join(format!("case-{case}"));
        let made = std::fs::create_dir_all(&place).map_err(|error| Lack::Broken(error.to_string()));
        let done = made.and_then(|()| match trouble {
            Trouble::FullDisk => full_disk(ferry, &place),
            Trouble::StalledDisk => stalled_disk(ferry, &place, &mut random),
            Trouble::LongRestart => long_restart(ferry, &place),
            Trouble::ControlStopped => control_stopped(ferry, &place),
            Trouble::ReactorHangs => thread_hangs(ferry, &place, "ferry-reactor-0"),
            Trouble::HousekeepingHangs => thread_hangs(ferry, &place, "ferry-housekeeping"),
        });
        let name = format!("{trouble}, case {case} of seed {}", size.seed);
        outcome.tried(&name, done.map(|note| format!("{trouble}: {note}")));
    }
    outcome
}

fn full_disk(ferry: &Path, place: &Path) -> Result<String, Lack> {
    let mount = place.join("mount");
    let disk = mount_small(&place.join("disk.img"), &mount, DISK_BYTES, None)?;
    let installation = Installation::create(ferry, &mount.join("data"), SETTINGS)?;
    let mut server = installation.start()?;
    load::define(&mut server.connect("define")?)?;
    let mut client = Client::open(&server, &load::recorder(), 100)?;
    let health = server.health()?.to_owned();
    wait_for_status(&health, "/healthz", WELL, CHECK_SEEN_MAX)?;
    for sequence in 1..=10 {
        put(&mut client, sequence, 700, false).map_err(|reason| format!("a put with room: {reason}"))?;
    }
    let ballast = Ballast::fill(&mount, Shortage::Bytes, 0)?;
    let seen = wait_for_status(&health, "/healthz/disk_free", ILL, CHECK_SEEN_MAX)?;
    let mut refused = None;
    for sequence in 11..100_000 {
        if let Err(reason) = put(&mut client, sequence, 4_000, false) {
            refused = Some(reason);
            break;
        }
    }
    match refused {
        Some(reason) if is_lack_of_room(reason) => {}
        other => return Err(Lack::Broken(format!("puts on a full disk ended with {other:?}"))),
    }
    stays(&health, &[ALIVE, READY, ("/healthz", ILL)], STAYS)?;
    let got = client.get(QUEUES[0], false, Wait::No).map_err(|reason| format!("a get: {reason}"))?;
    if !got {
        return Err(Lack::Broken("the messages from before are gone".to_owned()));
    }
    ballast.remove();
    let healed = wait_for_status(&health, "/healthz", WELL, CHECK_SEEN_MAX)?;
    lives(&mut server, "on a full disk")?;
    server.kill();
    drop(disk);
    Ok(format!("told after {seen:.1?}, alive and ready throughout, well {healed:.1?} after there was room"))
}

fn stalled_disk(ferry: &Path, place: &Path, random: &mut Random) -> Result<String, Lack> {
    let device = SlowDevice::up(&place.join("device"), DISK_BYTES, Pace::Full)?;
    let installation = Installation::create(ferry, &device.mount_point().join("data"), SETTINGS)?;
    let mut server = installation.start()?;
    load::define(&mut server.connect("define")?)?;
    let health = server.health()?.to_owned();
    wait_for_status(&health, "/healthz/log_force", WELL, CHECK_SEEN_MAX)?;
    let recorder = load::recorder();
    let work = Work {
        putters: 2,
        getters: 2,
        calls_max: u64::MAX,
        sequence: 1,
        large: 0,
        room_may_lack: true,
        first_client: 0,
    };
    let load = Load::start(server.port(), work, &recorder, random);
    wait_until("the clients are at work", CHECK_SEEN_MAX, || load.calls() > 100)?;
    let stall = device.stall()?;
    let begun = Instant::now();
    let seen = wait_for_status(&health, "/healthz/log_force", ILL, FORCE_SEEN_MAX)?;
    let left = STALL.saturating_sub(begun.elapsed());
    let stayed = stays(&health, &[ALIVE, READY, ("/healthz", ILL)], left);
    drop(stall);
    stayed?;
    let healed = wait_for_status(&health, "/healthz", WELL, CHECK_SEEN_MAX)?;
    let calls = load.calls();
    wait_until("the clients go on", CHECK_SEEN_MAX, || load.calls() > calls + 100)?;
    load.stop();
    load.end()?;
    lives(&mut server, "while its disk stalled")?;
    server.kill();
    recorder.restart();
    let server = installation.start()?;
    load::audit(&server, &recorder)?;
    server.kill();
    Ok(format!(
        "a stall of {STALL:?} told after {seen:.1?}, alive and ready throughout, well after {healed:.1?}"
    ))
}

fn long_restart(ferry: &Path, place: &Path) -> Result<String, Lack> {
    let device = SlowDevice::up(&place.join("device"), 4 * DISK_BYTES, Pace::ReadBytes(READ_BYTES))?;
    let address = free_address()?;
    let settings = format!("{LONG_LOG}[health]\naddress = \"{address}\"\n");
    let installation = Installation::create(ferry, &device.mount_point().join("data"), &settings)?;
    let server = installation.start()?;
    load::define(&mut server.connect("define")?)?;
    let mut client = Client::open(&server, &load::recorder(), 100)?;
    for sequence in 1..=REPLAYED {
        put(&mut client, sequence, REPLAYED_BYTES, false).map_err(|reason| format!("a put: {reason}"))?;
    }
    server.kill();
    forget(&installation.folder().join("log")).map_err(|error| format!("emptying the cache: {error}"))?;
    let (server, looks) = thread::scope(|scope| {
        let starting = scope.spawn(|| installation.start());
        let mut looks = 0;
        while !starting.is_finished() {
            let seen = (status(&address, ALIVE.0)?, status(&address, READY.0)?);
            match seen {
                (None, None) if looks == 0 => {}
                (Some(WELL), Some(ILL)) => looks += 1,
                // It became ready between the two.
                (Some(WELL), Some(WELL)) if looks > 0 => {}
                other => return Err(format!("while it starts, alive and ready are {other:?}")),
            }
            thread::sleep(Duration::from_millis(50));
        }
        let server = starting.join().map_err(|_| "the start panicked".to_owned())??;
        Ok((server, looks))
    })?;
    if server.took < RESTART_MIN || looks < 10 {
        return Err(Lack::Broken(format!("the start took {:.1?}, with {looks} looks at it", server.took)));
    }
    stays(&address, &[ALIVE, READY], STAYS)?;
    let note = format!("{looks} looks in a start of {:.1?}, alive and not ready", server.took);
    server.kill();
    Ok(note)
}

fn control_stopped(ferry: &Path, place: &Path) -> Result<String, Lack> {
    let installation = Installation::create(ferry, &place.join("data"), WITH_CONTROL)?;
    let mut server = installation.start()?;
    load::define(&mut server.connect("define")?)?;
    let mut client = Client::open(&server, &load::recorder(), 100)?;
    let health = server.health()?.to_owned();
    let (control, metrics) = control_of(&server)?;
    if status(&metrics, "/metrics")? != Some(200) {
        return Err(Lack::Broken("there are no figures before the trouble".to_owned()));
    }
    signal(control, Signal::STOP)?;
    let stopped = status(&metrics, "/metrics").is_err();
    let judged = stays(&health, &[ALIVE, READY, ("/healthz", WELL), ("/healthz/log_room", WELL)], STAYS);
    let worked = timed_calls(&mut client, 1);
    signal(control, Signal::CONT)?;
    if !stopped {
        return Err(Lack::Broken("the control process answers while it is stopped".to_owned()));
    }
    judged?;
    worked?;
    wait_for_status(&metrics, "/metrics", 200, CHECK_SEEN_MAX)?;
    signal(control, Signal::KILL)?;
    let back = wait_until("another control process runs", CONTROL_BACK_MAX, || {
        control_of(&server).is_ok_and(|(process, _)| process != control)
    })?;
    timed_calls(&mut client, 2)?;
    stays(&health, &[ALIVE, READY, ("/healthz", WELL)], STAYS)?;
    lives(&mut server, "when its control process was killed")?;
    server.kill();
    Ok(format!("alive, ready and well while it is stopped and when it is killed, back after {back:.1?}"))
}

/// A put and a get, neither of which may wait for the control process.
fn timed_calls(client: &mut Client, sequence: u64) -> Result<(), Broken> {
    let begun = Instant::now();
    put(client, sequence, 700, false).map_err(|reason| format!("a put: {reason}"))?;
    let got = client.get(QUEUES[0], false, Wait::No).map_err(|reason| format!("a get: {reason}"))?;
    match begun.elapsed() {
        took if got && took <= ANSWER_MAX => Ok(()),
        took => Err(format!("a put and a get took {took:.1?}; a message came: {got}")),
    }
}

/// The newest control process and the address of its figures, as the error log tells them.
pub(super) fn control_of(server: &Running) -> Result<(u32, String), Broken> {
    let begun = Instant::now();
    loop {
        let log = server.error_log();
        let line = log.lines().rfind(|line| line.contains("FRY5042I"));
        let process =
            line.and_then(|line| line.split_once("runs as process ")?.1.split(',').next()?.parse().ok());
        let address = line.and_then(|line| {
            let (_, rest) = line.split_once(", on ")?;
            Some(rest.split(". ").next()?.to_owned())
        });
        if let (Some(process), Some(address)) = (process, address) {
            return Ok((process, address));
        }
        if begun.elapsed() > CHECK_SEEN_MAX {
            return Err(format!("the error log names no control process:\n{log}"));
        }
        thread::sleep(Duration::from_millis(50));
    }
}

fn thread_hangs(ferry: &Path, place: &Path, name: &str) -> Result<String, Lack> {
    let installation = Installation::create(ferry, &place.join("data"), SETTINGS)?;
    let mut server = installation.start()?;
    let health = server.health()?.to_owned();
    stays(&health, &[ALIVE, READY], STAYS)?;
    let held = Held::hold(thread_of(server.process(), name)?)?;
    let seen = wait_for_status(&health, ALIVE.0, ILL, HANG_SEEN_MAX)?;
    if seen < Duration::from_secs(20) {
        return Err(Lack::Broken(format!("it counts as dead after {seen:.1?}, before it may")));
    }
    let readiness = status(&health, READY.0)?;
    drop(held);
    if readiness != Some(ILL) {
        return Err(Lack::Broken(format!("one that is dead is ready: {readiness:?}")));
    }
    let healed = wait_for_status(&health, ALIVE.0, 200, RECOVERY_MAX)?;
    stays(&health, &[ALIVE, READY], STAYS)?;
    lives(&mut server, "when a thread of it was held")?;
    server.kill();
    Ok(format!("seen after {seen:.1?}, alive again after {healed:.1?}"))
}

/// A thread that a tracer holds at its next system call, until this is dropped.
struct Held(Child);

impl Held {
    fn hold(thread: u32) -> Result<Self, Lack> {
        let tracer = Command::new("strace")
            .args(["-qq", "-o", "/dev/null", "-e", "inject=all:delay_enter=600s", "-p", &thread.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        tracer.map(Self).map_err(|_| Lack::OfMachine("strace (package strace)".to_owned()))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // The system lets the thread go when its tracer is gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address of this machine that was free a moment ago.
fn free_address() -> Result<String, Broken> {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    bound.map(|address| address.to_string()).map_err(|error| error.to_string())
}
