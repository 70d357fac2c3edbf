//! R19: a disk that does twenty writes a second, or stalls for five seconds, with clients at work.
//!
//! Calls wait and none fails, the queue manager lives, no client's connection is ended, DISPLAY of a
//! definition is answered within a second, and all that was acknowledged is there after a kill. DISPLAY of a
//! depth is not asked for: it depends on messages, and waits until they are durable as every outcome does. A
//! reactor that writes the log by itself, as it may on two processors, stalls with the disk; then DISPLAY is
//! answered a second after it at the latest.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use platform::simulated::Random;

use super::full::lives;
use super::installation::{Broken, Installation, Running};
use super::load::{self, Load, QUEUES, Work};
use super::looks::wait_until;
use super::outcome::Lack;
use super::{Outcome, Size};
use crate::disk::device::{Pace, SlowDevice};

const DISK_BYTES: u64 = 128 << 20;
const WRITES_A_SECOND: u32 = 20;
const SETTINGS: &str = "[log]\nextent_size = \"4 MiB\"\nprimary_extents = 3\nsecondary_extents = 5\n";
/// The reactor never writes.
const BY_THREAD: &str = "writer = \"thread\"\n";
/// The time that a slow disk is worked with, and that of a stall.
const SLOW: Duration = Duration::from_secs(12);
const STALL: Duration = Duration::from_secs(5);
/// The longest that DISPLAY may take.
const DISPLAY_MAX: Duration = Duration::from_secs(1);
/// Calls go on so soon after a stall.
const RESUME_MAX: Duration = Duration::from_secs(5);
/// Fewer calls on a disk of twenty writes a second are no progress: each write takes many commits.
const CALLS_MIN: u64 = 100;

/// The trouble of the disk, and the settings by which it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    Slow,
    Stalls,
    StallsAsShipped,
}

const DISKS: [Disk; 3] = [Disk::Slow, Disk::Stalls, Disk::StallsAsShipped];

impl Disk {
    /// The longest that DISPLAY may take.
    fn display_max(self) -> Duration {
        if self == Self::StallsAsShipped { STALL + DISPLAY_MAX } else { DISPLAY_MAX }
    }
}

/// Slows disks down and stalls them, in turn.
#[must_use]
pub fn disks(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let mut random = Random::stream(size.seed, "R19");
    for case in size.numbers() {
        let disk = DISKS[(case % DISKS.len() as u64) as usize];
        let place = folder.join(format!("case-{case}"));
        let ran = run(ferry, &place, disk, &mut random);
        let name = format!("{disk:?}, case {case} of seed {}", size.seed);
        outcome.tried(&name, ran.map(|note| format!("{disk:?}: {note}")));
    }
    outcome
}

fn run(ferry: &Path, place: &Path, disk: Disk, random: &mut Random) -> Result<String, Lack> {
    let stalls = disk != Disk::Slow;
    let pace = if stalls { Pace::Full } else { Pace::Writes(WRITES_A_SECOND) };
    let device = SlowDevice::up(&place.join("device"), DISK_BYTES, pace)?;
    let settings = if disk == Disk::Stalls { format!("{SETTINGS}{BY_THREAD}") } else { SETTINGS.to_owned() };
    let installation = Installation::create(ferry, &device.mount_point().join("data"), &settings)?;
    let mut server = installation.start()?;
    load::define(&mut server.connect("define")?)?;
    let recorder = load::recorder();
    let work = Work {
        putters: 4,
        getters: 4,
        calls_max: u64::MAX,
        sequence: 1,
        large: 0,
        room_may_lack: false,
        first_client: 0,
    };
    // Connected before: a display of somebody who comes later waits for a login as well.
    let displays = Displays::begin(&server)?;
    let load = Load::start(server.port(), work, &recorder, random);
    let waited = wait_until("the clients are at work", RESUME_MAX, || load.calls() > 50)?;
    let begun = Instant::now();
    if stalls {
        let stall = device.stall()?;
        thread::sleep(STALL);
        drop(stall);
        let calls = load.calls();
        wait_until("the clients go on", RESUME_MAX, || load.calls() > calls + CALLS_MIN)?;
    } else {
        let calls = load.calls();
        thread::sleep(SLOW);
        let made = load.calls() - calls;
        if made < CALLS_MIN {
            return Err(Lack::Broken(format!("{made} calls in {SLOW:?}")));
        }
    }
    let took = begun.elapsed();
    let has_ended = load.has_ended();
    load.stop();
    let calls = load.calls();
    load.end()?;
    let displays = displays.end()?;
    lives(&mut server, "on a slow disk")?;
    if has_ended {
        return Err(Lack::Broken("the clients were cut off".to_owned()));
    }
    server.kill();
    recorder.restart();
    let server = installation.start()?;
    load::audit(&server, &recorder)?;
    server.kill();
    if displays.longest > disk.display_max() {
        return Err(Lack::Broken(format!(
            "DISPLAY took {:.1?}, once in {}",
            displays.longest, displays.count
        )));
    }
    Ok(format!(
        "{calls} calls in {took:.1?} and the {waited:.1?} before; the longest of {} displays took {:.0?}",
        displays.count, displays.longest
    ))
}

/// Displays that a thread asks for, over and over.
struct Displays {
    stop: std::sync::mpsc::Sender<()>,
    thread: thread::JoinHandle<Result<Displayed, Broken>>,
}

#[derive(Default)]
struct Displayed {
    count: u64,
    longest: Duration,
}

impl Displays {
    fn begin(server: &Running) -> Result<Self, Broken> {
        let mut connection = server.connect("display")?;
        let (stop, stopped) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let mut done = Displayed::default();
            while stopped.recv_timeout(Duration::from_millis(100))
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                let begun = Instant::now();
                load::command(&mut connection, &format!("DISPLAY QLOCAL({}) MAXDEPTH", QUEUES[0]))?;
                done.longest = done.longest.max(begun.elapsed());
                done.count += 1;
            }
            Ok(done)
        });
        Ok(Self { stop, thread })
    }

    fn end(self) -> Result<Displayed, Broken> {
        // A thread that failed has ended, and says why.
        let _ = self.stop.send(());
        self.thread.join().map_err(|_| "the displays panicked".to_owned())?
    }
}
