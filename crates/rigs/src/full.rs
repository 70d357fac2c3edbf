//! R8 on a real file system: an ext4 of 64 MiB fills up, or has no room for another file, while clients are
//! at work.
//!
//! Puts, commits and definitions may be refused for lack of room, and nothing else may: the server lives,
//! what was put is got, units of work are backed out and DISPLAY answers, each within a second, and a call is
//! refused within a second. Every queue can be emptied. One that is killed starts again without room. Within
//! a second of room it puts again, without a restart. At the end it is killed, and what was acknowledged is
//! there.

use std::fmt;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use mqi::{Reason, Verbs as _, Wait};
use platform::simulated::Random;
use testing::history::{self, Recorder};

use super::installation::{Broken, Installation, Running};
use super::load::{self, Client, Load, Put, QUEUES, Work, is_lack_of_room};
use super::{Outcome, Size};
use crate::disk::device::{MountedImage, RigError, mount_small};

const DISK_BYTES: u64 = 64 << 20;
/// So many files fit on a disk that runs out of them.
const FILES: u32 = 96;
const SETTINGS: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 3\nsecondary_extents = 12\n\
    [checkpoint]\ninterval_seconds = 1\n[memory]\nbudget = \"8 MiB\"\n";
/// A log that a queue of small messages outgrows, and that no timer looks after.
const SMALL_LOG: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 2\nsecondary_extents = 4\n\
    [checkpoint]\ninterval_seconds = 86400\n";
/// Calls that need no room are answered within this.
const ANSWER_MAX: Duration = Duration::from_secs(1);
/// A call that has no room is refused within this.
const REFUSAL_MAX: Duration = Duration::from_secs(1);
/// Puts succeed so soon after there is room.
const HEALING_MAX: Duration = Duration::from_secs(1);
/// Puts that nobody gets fill the log within this.
const FILLING_MAX: Duration = Duration::from_secs(20);
/// So many calls refused show how they are.
const REFUSALS_ENOUGH: u64 = 12;
/// Most that is left when the disk is filled.
const ROOM_MAX: u64 = 600 << 10;
/// Messages that are there before, for the calls that need no room.
const BEFORE: u64 = 30;
/// Their length, and that of the others put here.
const BYTES: u64 = 700;
/// Messages that are there before where the queue is emptied, and their length.
const BEFORE_EMPTYING: u64 = 3_000;
const SMALL_BYTES: u64 = 800;
/// So many gets for each put of a program that puts whenever it can while the queue is emptied.
const GETS_FOR_A_PUT: u64 = 100;

/// Activity of the clients when there is no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum During {
    /// A queue is emptied, one get after the other.
    Get,
    Put,
    Commit,
    Define,
    Checkpoint,
    LogSwitch,
    Recovery,
}

/// Resource that runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shortage {
    Bytes,
    Files,
}

impl Shortage {
    /// Bytes that are left, often none.
    fn left(self, random: &mut Random) -> u64 {
        let most = match self {
            Self::Bytes => ROOM_MAX,
            Self::Files => 3,
        };
        if random.percent(50) { 0 } else { random.below(most) }
    }
}

impl fmt::Display for During {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Get => "get",
            Self::Put => "put",
            Self::Commit => "commit",
            Self::Define => "define",
            Self::Checkpoint => "checkpoint",
            Self::LogSwitch => "log switch",
            Self::Recovery => "recovery",
        })
    }
}

/// Fills disks up, in turn during everything and in both ways.
#[must_use]
pub fn disks(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let mut random = Random::stream(size.seed, "R8-ext4");
    let mut told = Told::default();
    let during = [
        During::Get,
        During::Put,
        During::Commit,
        During::Define,
        During::Checkpoint,
        During::LogSwitch,
        During::Recovery,
    ];
    for case in size.numbers() {
        // Seven and two: each meets each.
        let during = during[(case % 7) as usize];
        let shortage = if case.is_multiple_of(2) { Shortage::Bytes } else { Shortage::Files };
        let place = folder.join(format!("case-{case}"));
        let done = fs::create_dir_all(&place).map_err(RigError::from).and_then(|()| {
            let files = (shortage == Shortage::Files).then_some(FILES);
            mount_small(&place.join("disk.img"), &place.join("mount"), DISK_BYTES, files)
        });
        let disk = match done {
            Ok(disk) => disk,
            Err(RigError::Unavailable(what)) => return Outcome::skipped(what),
            Err(error) => {
                outcome.case(&format!("case {case}"), Err(error.to_string()));
                continue;
            }
        };
        let result = Case { ferry, place: &place, during, shortage }.run(&mut random, &mut told);
        drop::<MountedImage>(disk);
        if result.is_ok() {
            // The next one needs none of it.
            let _ = fs::remove_dir_all(&place);
        }
        let name = format!("{during}, out of {shortage:?}, case {case} of seed {}", size.seed);
        outcome.case(&name.to_lowercase(), result);
    }
    outcome.note(format!(
        "{} calls refused for lack of room, longest answer {:.0?}, longest refusal {:.0?}, longest wait for a put once there was room {:.0?}",
        told.refusals, told.longest_answer, told.longest_refusal, told.longest_healing
    ));
    outcome
}

#[derive(Default)]
struct Told {
    refusals: u64,
    longest_answer: Duration,
    longest_refusal: Duration,
    longest_healing: Duration,
}

struct Case<'a> {
    ferry: &'a Path,
    place: &'a Path,
    during: During,
    shortage: Shortage,
}

impl Case<'_> {
    fn run(&self, random: &mut Random, told: &mut Told) -> Result<(), Broken> {
        let mount = self.place.join("mount");
        let settings = if self.during == During::Get { SMALL_LOG } else { SETTINGS };
        let installation = Installation::create(self.ferry, &mount.join("data"), settings)?;
        let mut server = installation.start()?;
        load::define(&mut server.connect("define")?)?;
        let recorder = load::recorder();
        let mut client = Client::open(&server, &recorder, 100)?;
        let ballast = if self.during == During::Get {
            put_before(&mut client, BEFORE_EMPTYING, SMALL_BYTES)?;
            let ballast = Ballast::fill(&mount, self.shortage, 0)?;
            self.empty(&mut client, told)?;
            lives(&mut server, "after its queue was emptied")?;
            ballast
        } else {
            put_before(&mut client, BEFORE, BYTES)?;
            // A unit that is open when there is no room.
            let mut keeper = Client::open(&server, &recorder, 101)?;
            for sequence in 1..=5 {
                put(&mut keeper, sequence, BYTES, true)
                    .map_err(|reason| format!("a put with room: {reason}"))?;
            }
            let ballast = Ballast::fill(&mount, self.shortage, self.shortage.left(random))?;
            self.work(&server, &recorder, random, told)?;
            lives(&mut server, "while there is no room")?;
            self.calls_without_room(&server, &mut client, &mut keeper, told)?;
            lives(&mut server, "after calls that need no room")?;
            ballast
        };
        if self.during == During::Recovery {
            server.kill();
            recorder.restart();
            server = installation.start().map_err(|said| format!("the start on a full disk: {said}"))?;
            lives(&mut server, "after a start without room")?;
            client = Client::open(&server, &recorder, 102)?;
        }
        ballast.remove();
        let healing = heal(&mut client)?;
        told.longest_healing = told.longest_healing.max(healing);
        lives(&mut server, "once there was room")?;

        server.kill();
        recorder.restart();
        let server = installation.start()?;
        load::empty(&server, &recorder)?;
        let verdict = history::check(&recorder.take());
        if verdict.is_clean() { Ok(()) } else { Err(verdict.to_string()) }
    }

    /// Fills the log, then gets all there is; a program puts whenever it can.
    fn empty(&self, client: &mut Client, told: &mut Told) -> Result<(), Broken> {
        let mut sequence = BEFORE_EMPTYING;
        let begun = Instant::now();
        while told.try_put(client, &mut sequence)? {
            if begun.elapsed() > FILLING_MAX {
                return Err("the disk was filled and nothing was refused".to_owned());
            }
        }
        for got in 1_u64.. {
            let begun = Instant::now();
            let is_there = client.get(QUEUES[0], false, Wait::No);
            let is_there =
                is_there.map_err(|reason| format!("get {got}, after {:.1?}: {reason}", begun.elapsed()))?;
            told.note_answer(&format!("get {got}"), begun.elapsed())?;
            if !is_there {
                break;
            }
            if got.is_multiple_of(GETS_FOR_A_PUT) {
                told.try_put(client, &mut sequence)?;
            }
        }
        Ok(())
    }

    /// The stage that the clients have reached.
    fn work(
        &self,
        server: &Running,
        recorder: &Recorder,
        random: &mut Random,
        told: &mut Told,
    ) -> Result<(), Broken> {
        // Where nobody gets, the load goes on until calls are refused.
        let (putters, getters, large, time) = match self.during {
            During::Get => unreachable!("a queue that is emptied has no load"),
            During::Define => return define_until_refused(server, told),
            During::Put => (3, 0, 10, None),
            During::Commit => (4, 0, 30, None),
            During::Checkpoint => (2, 2, 5, Some(2_200)),
            During::LogSwitch => (3, 4, 5, Some(1_500)),
            During::Recovery => (3, 0, 5, None),
        };
        let work = Work {
            putters,
            getters,
            calls_max: u64::MAX,
            sequence: 1_000,
            large,
            room_may_lack: true,
            first_client: 0,
        };
        let load = Load::start(server.port(), work, recorder, random);
        let until = Instant::now() + time.map_or(FILLING_MAX, Duration::from_millis);
        while Instant::now() < until && (time.is_some() || load.refusals() < REFUSALS_ENOUGH) {
            thread::sleep(Duration::from_millis(10));
        }
        load.stop();
        let (refusals, longest) = (load.refusals(), load.longest_refusal());
        load.end()?;
        told.refusals += refusals;
        if time.is_none() && refusals == 0 {
            return Err("the disk was filled and nothing was refused".to_owned());
        }
        told.note_refusal(longest)
    }

    fn calls_without_room(
        &self,
        server: &Running,
        client: &mut Client,
        keeper: &mut Client,
        told: &mut Told,
    ) -> Result<(), Broken> {
        let mut timed = |what: &str, begun: Instant, done: Result<(), Broken>| {
            let took = begun.elapsed();
            done.map_err(|problem| format!("{what}: {problem}"))?;
            told.note_answer(what, took)
        };
        let begun = Instant::now();
        let gone = keeper.end_unit(false, &[]).map_err(|reason| reason.to_string());
        timed("a backout", begun, gone)?;
        let begun = Instant::now();
        let got = client.get(QUEUES[0], false, Wait::No).map(drop).map_err(|reason| reason.to_string());
        timed("a get", begun, got)?;
        let begun = Instant::now();
        let got = client.get(QUEUES[0], true, Wait::No).map_err(|reason| reason.to_string());
        let got = got.and_then(|_| client.end_unit(true, &[]).map_err(|reason| reason.to_string()));
        timed("a get in a unit of work and its commit", begun, got)?;
        let mut connection = server.connect("display")?;
        let begun = Instant::now();
        let shown = load::command(&mut connection, &format!("DISPLAY QLOCAL({}) CURDEPTH", QUEUES[0]));
        timed("DISPLAY", begun, shown.map(drop))
    }
}

impl Told {
    /// A call that needs no room was answered.
    fn note_answer(&mut self, what: &str, took: Duration) -> Result<(), Broken> {
        self.longest_answer = self.longest_answer.max(took);
        if took > ANSWER_MAX { Err(format!("{what} took {took:.1?}")) } else { Ok(()) }
    }

    /// A call was refused.
    fn note_refusal(&mut self, took: Duration) -> Result<(), Broken> {
        self.longest_refusal = self.longest_refusal.max(took);
        if took > REFUSAL_MAX { Err(format!("a call was refused after {took:.1?}")) } else { Ok(()) }
    }

    /// Puts the next message; false when there is no room for it.
    fn try_put(&mut self, client: &mut Client, sequence: &mut u64) -> Result<bool, Broken> {
        *sequence += 1;
        let begun = Instant::now();
        match put(client, *sequence, SMALL_BYTES, false) {
            Ok(()) => Ok(true),
            Err(reason) if is_lack_of_room(reason) => {
                self.refusals += 1;
                self.note_refusal(begun.elapsed()).map(|()| false)
            }
            Err(reason) => Err(format!("a put: {reason}")),
        }
    }
}

fn put_before(client: &mut Client, messages: u64, bytes: u64) -> Result<(), Broken> {
    for sequence in 1..=messages {
        put(client, sequence, bytes, false).map_err(|reason| format!("a put with room: {reason}"))?;
    }
    Ok(())
}

pub(super) fn put(client: &mut Client, sequence: u64, length: u64, in_unit: bool) -> Result<(), Reason> {
    let put = Put {
        putter: 100 + u32::from(in_unit),
        sequence,
        length,
        priority: 4,
        persistent: true,
        in_unit,
        answered: true,
    };
    let call = client.put(&put)?;
    client.recorder.ok(call, history::Outcome::Done);
    Ok(())
}

/// Defines until that is refused for lack of room, or enough.
fn define_until_refused(server: &Running, told: &mut Told) -> Result<(), Broken> {
    let mut connection = server.connect("define")?;
    let begun = Instant::now();
    let mut number = 0;
    let mut refusals = 0;
    while begun.elapsed() < Duration::from_millis(2_000) && refusals < 20 {
        number += 1;
        let text = format!("DEFINE QLOCAL(MORE.{number}) DESCR('{}') REPLACE", "x".repeat(64));
        let asked = Instant::now();
        let response = connection.command(&text).map_err(|reason| format!("{text}: {reason}"))?;
        if response.failed {
            let of_room = ["2192", "2102", "2053"].iter().any(|code| response.text.contains(code));
            if !of_room {
                return Err(format!("{text}: {}", response.text));
            }
            refusals += 1;
            told.refusals += 1;
            told.note_refusal(asked.elapsed())?;
        }
    }
    // The connection ends with the case.
    let _ = connection.disconnect();
    Ok(())
}

/// Measures the time until a put succeeds.
fn heal(client: &mut Client) -> Result<Duration, Broken> {
    let begun = Instant::now();
    // Not those of any message put before.
    let mut sequence = 1_000_000;
    loop {
        sequence += 1;
        match put(client, sequence, BYTES, false) {
            Ok(()) if begun.elapsed() <= HEALING_MAX => return Ok(begun.elapsed()),
            Ok(()) => return Err(format!("a put succeeded {:.1?} after there was room", begun.elapsed())),
            Err(reason) if is_lack_of_room(reason) && begun.elapsed() < HEALING_MAX => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(reason) => {
                return Err(format!("a put {:.1?} after there was room: {reason}", begun.elapsed()));
            }
        }
    }
}

pub(super) fn lives(server: &mut Running, when: &str) -> Result<(), Broken> {
    if server.lives() { Ok(()) } else { Err(format!("the server ended {when}:\n{}", server.error_log())) }
}

/// Files that take the room away.
pub(super) struct Ballast {
    folder: PathBuf,
}

impl Ballast {
    /// Takes all but so many bytes, or files.
    pub(super) fn fill(mount: &Path, shortage: Shortage, left: u64) -> Result<Self, Broken> {
        let ballast = Self { folder: mount.join("ballast") };
        ballast.fill_up(shortage, left).map_err(|error| format!("ballast: {error}"))?;
        Ok(ballast)
    }

    fn fill_up(&self, shortage: Shortage, left: u64) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        match shortage {
            Shortage::Bytes => {
                // Whatever is left when it is full, and then a little less.
                let mut file = File::create(self.folder.join("bytes"))?;
                let zeros = vec![0; 64 << 10];
                let mut written: u64 = 0;
                while let Ok(bytes) = file.write(&zeros) {
                    written += bytes as u64;
                }
                file.set_len(written.saturating_sub(left))?;
                file.sync_all()
            }
            Shortage::Files => {
                let mut number = 0;
                while File::create(self.folder.join(format!("file-{number}"))).is_ok() {
                    number += 1;
                }
                for number in 0..left.min(number) {
                    fs::remove_file(self.folder.join(format!("file-{number}")))?;
                }
                Ok(())
            }
        }
    }

    pub(super) fn remove(&self) {
        // A second time there is nothing to remove.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
