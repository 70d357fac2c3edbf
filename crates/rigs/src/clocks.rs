//! R18 on the shipped program: the time of day steps while it runs, between runs, or runs ten times too fast.
//!
//! `libfaketime` gives the server another time of day and leaves the monotonic clock alone. Within a run a
//! wait and an expiry take as long as they should whatever the time of day does; a start goes by the time
//! that was stored; message identifiers are never given twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, Reason, Verbs as _, Wait,
};
use platform::simulated::Random;

use super::installation::{Broken, Installation, Running};
use super::load::{self, QUEUES};
use super::{Outcome, Size};

const LIBRARY: &str = "faketime/libfaketimeMT.so.1";
const DAY: i64 = 86_400;
/// An hour, in tenths of a second: longer than a run, shorter than every step.
const LONG: u32 = 36_000;
/// The number of the message that does.
const LIVES_AN_HOUR: u64 = 1;
/// A second and a half.
const SHORT: u32 = 15;
/// Wait of a get through a step.
const WAIT: Duration = Duration::from_millis(1_000);
/// Longest extra time of a call on a busy machine.
const LATE_MAX: Duration = Duration::from_millis(900);

/// Step of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Goes by so many seconds at once.
    By(i64),
    /// Runs ten times as fast from now on.
    TenTimes,
    /// Passes the end of 32 bits of seconds, in January 2038.
    Year2038,
}

const STEPS: [Step; 7] = [
    Step::By(DAY),
    Step::By(-DAY),
    Step::By(3_650 * DAY),
    Step::By(-3_650 * DAY),
    Step::By(7_300),
    Step::TenTimes,
    Step::Year2038,
];

/// When it does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Running,
    /// And back again while it runs.
    ThereAndBack,
    BetweenRuns,
}

/// Steps clocks of all kinds, in turn.
#[must_use]
pub fn steps(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let Some(library) = library() else { return Outcome::skipped("libfaketime (package faketime)") };
    let mut outcome = Outcome::default();
    let mut random = Random::stream(size.seed, "R18");
    for case in size.numbers() {
        let step = STEPS[random.index(STEPS.len())];
        let step = if case < STEPS.len() as u64 * 3 { STEPS[(case / 3) as usize] } else { step };
        let when = [When::Running, When::ThereAndBack, When::BetweenRuns][(case % 3) as usize];
        let place = folder.join(format!("case-{case}"));
        let result = Case::new(ferry, &place, &library, step).and_then(|mut case| case.run(when));
        match result {
            Err(problem) if problem.contains(NOT_FAKED) => return Outcome::skipped(problem),
            result => outcome.case(&format!("{step:?} {when:?}, case {case} of seed {}", size.seed), result),
        }
    }
    outcome
}

const NOT_FAKED: &str = "a server that libfaketime reaches";

fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|folder| folder.path());
    folders.map(|folder| folder.join(LIBRARY)).find(|path| path.exists())
}

struct Case {
    installation: Installation,
    library: PathBuf,
    /// Where the library finds what time it is.
    clock: PathBuf,
    step: Step,
    identifiers: BTreeSet<[u8; 24]>,
}

impl Case {
    fn new(ferry: &Path, place: &Path, library: &Path, step: Step) -> Result<Self, Broken> {
        let installation =
            Installation::create(ferry, &place.join("data"), "[log]\nextent_size = \"1 MiB\"\n")?;
        let clock = place.join("clock");
        Ok(Self { installation, library: library.to_owned(), clock, step, identifiers: BTreeSet::new() })
    }

    fn run(&mut self, when: When) -> Result<(), Broken> {
        let before = if self.step == Step::Year2038 { "@2038-01-19 03:14:04" } else { "+0" };
        self.set(before)?;
        let mut server = self.start()?;
        load::define(&mut server.connect("define")?)?;
        let mut client = Client::open(&server)?;
        self.check_faked(&mut client)?;
        self.put(&mut client, LIVES_AN_HOUR, Some(LONG))?;
        if when != When::BetweenRuns {
            self.step_while_it_runs(&server, &mut client, when)?;
        }
        if !server.lives() {
            return Err(format!("the server ended:\n{}", server.error_log()));
        }
        server.kill();

        // 2038 has come by now, and a clock that runs fast needs no step.
        let stepped = match self.step {
            Step::By(seconds) if when != When::ThereAndBack => format!("{seconds:+}"),
            Step::Year2038 => "@2038-01-19 03:14:09".to_owned(),
            _ => "+0".to_owned(),
        };
        self.set(&stepped)?;
        let server = self.start()?;
        let mut client = Client::open(&server)?;
        let is_over = matches!(self.step, Step::By(seconds) if seconds > 3_600) && when != When::ThereAndBack;
        let mut is_there = false;
        while let Some(body) = client.get(0, Duration::ZERO)? {
            is_there |= body == LIVES_AN_HOUR.to_le_bytes();
        }
        if is_there == is_over {
            return Err(format!("after the restart the message that lives for an hour is there: {is_there}"));
        }
        for number in 0..20 {
            self.put(&mut client, number, None)?;
        }
        server.stop()
    }

    /// Waits and expiries of a run whose clock steps.
    fn step_while_it_runs(
        &mut self,
        server: &Running,
        client: &mut Client,
        when: When,
    ) -> Result<(), Broken> {
        let mut waiter = Client::open(server)?;
        let begun = Instant::now();
        let waiting = thread::spawn(move || waiter.get(1, WAIT).map(|got| (got.is_some(), begun.elapsed())));
        self.put(client, 2, Some(SHORT))?;
        let put_at = Instant::now();
        thread::sleep(Duration::from_millis(200));
        match self.step {
            Step::By(seconds) => self.set(&format!("{seconds:+}"))?,
            Step::TenTimes => self.set("+0 x10")?,
            Step::Year2038 => {}
        }
        for number in 10..20 {
            self.put(client, number, None)?;
        }
        if client.browse_count()? != 12 && put_at.elapsed() < Duration::from_millis(1_400) {
            return Err("a message expired early".to_owned());
        }
        let answered = waiting.join().map_err(|_| "the waiting client panicked".to_owned())?;
        let (got, took) = answered?;
        if got || took < WAIT - Duration::from_millis(20) || took > WAIT + LATE_MAX {
            return Err(format!("a get that waits {WAIT:?} ended after {took:?} with a message: {got}"));
        }
        if when == When::ThereAndBack {
            self.set("+0")?;
        }
        thread::sleep(Duration::from_millis(1_800).saturating_sub(put_at.elapsed()));
        let left = client.browse_count()?;
        if left != 11 {
            return Err(format!("of 12 messages one of which is over {left} are there"));
        }
        let mut connection = server.connect("display")?;
        load::command(&mut connection, "DISPLAY QMGR").map(drop)
    }

    fn start(&self) -> Result<Running, Broken> {
        let mut command = self.installation.start_command();
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", &self.clock)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .env("DONT_FAKE_MONOTONIC", "1");
        self.installation.start_by(command).map_err(|ended| ended.said)
    }

    /// Replaces the file at once, so that nobody reads half of it.
    fn set(&self, time: &str) -> Result<(), Broken> {
        let next = self.clock.with_extension("next");
        let written = fs::write(&next, format!("{time}\n")).and_then(|()| fs::rename(&next, &self.clock));
        written.map_err(|error| format!("{}: {error}", self.clock.display()))
    }

    fn put(&mut self, client: &mut Client, number: u64, expiry: Option<u32>) -> Result<(), Broken> {
        let descriptor = client.put(number, expiry)?;
        if self.identifiers.insert(*descriptor.message_id.as_bytes()) {
            Ok(())
        } else {
            Err(format!("message identifier {:?} was given twice", descriptor.message_id))
        }
    }

    /// A library that does not reach the clock of the server proves nothing.
    fn check_faked(&mut self, client: &mut Client) -> Result<(), Broken> {
        let (now, far) = match self.step {
            Step::Year2038 => ("@2038-01-19 03:14:04", "@2001-01-01 00:00:00"),
            _ => ("+0", "-9000d"),
        };
        self.set(far)?;
        let year = client.put(0, None)?.put_date.to_string();
        self.set(now)?;
        client.get(0, Duration::ZERO)?;
        if year.starts_with("200") { Ok(()) } else { Err(format!("{NOT_FAKED}: it says {year}")) }
    }
}

/// A client without a history.
struct Client {
    connection: Connection,
    handles: Vec<ObjectHandle>,
}

impl Client {
    fn open(server: &Running) -> Result<Self, Broken> {
        let mut client = Self { connection: server.connect("clock")?, handles: Vec::new() };
        for queue in QUEUES {
            let queue = ObjectDescriptor::queue(queue.parse().expect("a name"));
            let options = OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::BROWSE;
            let opened =
                client.connection.open(&queue, options).map_err(|reason| format!("open: {reason}"))?;
            client.handles.push(opened.handle);
        }
        Ok(client)
    }

    fn put(&mut self, number: u64, expiry: Option<u32>) -> Result<MessageDescriptor, Broken> {
        let mut descriptor = MessageDescriptor {
            persistence: Persistence::Persistent,
            expiry: expiry.map_or(Expiry::UNLIMITED, Expiry::tenths),
            ..MessageDescriptor::default()
        };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
        let body = number.to_le_bytes().to_vec().into();
        let done = self.connection.put(self.handles[0], &mut descriptor, &mut options, body);
        done.map(|()| descriptor).map_err(|reason| format!("put: {reason}"))
    }

    /// The next message of a queue.
    fn get(&mut self, queue: usize, wait: Duration) -> Result<Option<Vec<u8>>, Broken> {
        let wait = if wait.is_zero() { Wait::No } else { wait.into() };
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, wait);
        let mut descriptor = MessageDescriptor::default();
        match self.connection.get(self.handles[queue], &mut descriptor, &mut options, 1_000) {
            Ok(got) => Ok(Some(got.body.to_vec())),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(format!("get: {reason}")),
        }
    }

    fn browse_count(&mut self) -> Result<usize, Broken> {
        let mut flags = GetFlags::BROWSE_FIRST;
        let mut count = 0;
        loop {
            let mut options = GetOptions::with(flags, Wait::No);
            let mut descriptor = MessageDescriptor::default();
            match self.connection.get(self.handles[0], &mut descriptor, &mut options, 1_000) {
                Ok(_) => count += 1,
                Err(Reason::NO_MSG_AVAILABLE) => return Ok(count),
                Err(reason) => return Err(format!("browse: {reason}")),
            }
            flags = GetFlags::BROWSE_NEXT;
        }
    }
}
