//! R15: five thousand programs that are connected and do nothing, beside five hundred that work and others
//! that come and go.
//!
//! The programs at work do at least nine tenths of what they do alone, an idle program costs at most 32 KiB,
//! ten thousand programs come and go in a minute, and the files that they took are given back.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags,
    PutOptions, Verbs as _, Wait,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::full::lives;
use super::installation::{Broken, Installation, Running, connect_alone};
use super::load;
use super::looks::{files, memory_bytes, wait_until};
use super::outcome::Lack;
use super::{Outcome, Size};

const IDLE: usize = 5_000;
const ACTIVE: usize = 500;
/// Threads that drive those at work: each has a share of them, and lets one after the other make a round.
const DRIVERS: usize = 10;
/// The time in which a rate is measured.
const MEASURED: Duration = Duration::from_secs(8);
/// Programs that come and go in a minute, for so long.
const COMING_A_MINUTE: u64 = 10_000;
const COMING: Duration = Duration::from_secs(20);
/// Threads that they come by.
const COMERS: u64 = 4;
/// The least part of the rate alone, and of the programs that were to come.
const SHARE_MIN: f64 = 0.9;
/// The most memory of an idle program.
const IDLE_BYTES_MAX: u64 = 32 << 10;
/// Files of programs that are gone are given back within this.
const RETURN_MAX: Duration = Duration::from_secs(20);
/// Files that the queue manager opens for itself meanwhile, such as extents of the log.
const OWN_FILES: u64 = 16;
/// Files of this process and of the queue manager: a socket for each program, and room for others.
const FILES_MIN: u64 = 8_000;
const BODY_BYTES: usize = 512;
/// Room for every program of the machine.
const CHANNEL: &str =
    "ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MAXINST(999999999) MAXINSTC(999999999)";

/// Measures, as often as there are cases.
#[must_use]
pub fn connections(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let limit = getrlimit(Resource::Nofile);
    if limit.maximum.is_some_and(|most| most < FILES_MIN) {
        return Outcome::skipped(format!("{FILES_MIN} open files (ulimit -Hn says {:?})", limit.maximum));
    }
    // The queue manager takes over the limit of this process.
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum })
    {
        return Outcome::skipped(format!("{FILES_MIN} open files ({error})"));
    }
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let ran = run(ferry, &folder.join(format!("case-{case}")));
        outcome.tried("many clients", ran.map_err(Lack::Broken));
    }
    outcome
}

fn run(ferry: &Path, place: &Path) -> Result<String, Broken> {
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let mut server = installation.start()?;
    let mut commands = server.connect("define")?;
    load::command(&mut commands, CHANNEL)?;
    for driver in 0..DRIVERS {
        load::command(&mut commands, &format!("DEFINE QLOCAL({})", queue(driver)))?;
    }
    let files_before = files(server.process())?;
    let work = Working::begin(&server)?;
    let alone = work.rate();
    let memory_before = memory_bytes(server.process())?;
    let idle: Vec<Connection> =
        (0..IDLE).map(|_| connect_alone(server.port(), "is idle")).collect::<Result<_, _>>()?;
    let bytes = memory_bytes(server.process())?.saturating_sub(memory_before) / IDLE as u64;
    let beside_idle = work.rate();
    let came = come_and_go(server.port())?;
    drop(idle);
    let given_back = wait_until("idle programs are gone", RETURN_MAX, || {
        files(server.process()).is_ok_and(|files| files <= files_before + OWN_FILES + ACTIVE as u64)
    })?;
    let alone_again = work.rate();
    work.end()?;
    wait_until("all programs are gone", RETURN_MAX, || {
        files(server.process()).is_ok_and(|files| files <= files_before + OWN_FILES)
    })?;
    lives(&mut server, "after many programs")?;
    server.kill();
    let wanted = COMING_A_MINUTE as f64 * COMING.as_secs_f64() / 60.0;
    let alone = f64::midpoint(alone, alone_again);
    let told = format!(
        "{alone:.0} round trips a second alone, {beside_idle:.0} beside {IDLE} idle programs of {bytes} bytes \
         each; {came} of {wanted:.0} came and went; files given back after {given_back:.1?}"
    );
    if beside_idle < SHARE_MIN * alone || bytes > IDLE_BYTES_MAX || (came as f64) < SHARE_MIN * wanted {
        return Err(told);
    }
    Ok(told)
}

fn queue(driver: usize) -> String {
    format!("MANY.{driver}")
}

/// Programs that put and get, until they are told to end.
struct Working {
    rounds: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
    drivers: Vec<thread::JoinHandle<Result<(), Broken>>>,
}

impl Working {
    fn begin(server: &Running) -> Result<Self, Broken> {
        let (rounds, ends) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
        let mut drivers = Vec::new();
        for driver in 0..DRIVERS {
            let programs = (0..ACTIVE / DRIVERS)
                .map(|_| BusyClient::connect(server.port(), driver))
                .collect::<Result<_, _>>()?;
            let (rounds, ends) = (Arc::clone(&rounds), Arc::clone(&ends));
            drivers.push(thread::spawn(move || drive(programs, &rounds, &ends)));
        }
        Ok(Self { rounds, ends, drivers })
    }

    /// Rounds in a second.
    fn rate(&self) -> f64 {
        let (before, begun) = (self.rounds.load(Ordering::Relaxed), Instant::now());
        thread::sleep(MEASURED);
        (self.rounds.load(Ordering::Relaxed) - before) as f64 / begun.elapsed().as_secs_f64()
    }

    fn end(self) -> Result<(), Broken> {
        self.ends.store(true, Ordering::Relaxed);
        let ends =
            self.drivers.into_iter().map(|driver| driver.join().map_err(|_| "a driver panicked".to_owned()));
        ends.collect::<Result<Result<Vec<()>, _>, _>>()?.map(drop)
    }
}

fn drive(mut programs: Vec<BusyClient>, rounds: &AtomicU64, ends: &AtomicBool) -> Result<(), Broken> {
    while !ends.load(Ordering::Relaxed) {
        for program in &mut programs {
            program.round()?;
            rounds.fetch_add(1, Ordering::Relaxed);
        }
    }
    Ok(())
}

/// A program at work.
struct BusyClient {
    connection: Connection,
    handle: ObjectHandle,
    body: bytes::Bytes,
}

impl BusyClient {
    fn connect(port: u16, driver: usize) -> Result<Self, Broken> {
        let mut connection = connect_alone(port, "works")?;
        let queue = ObjectDescriptor::queue(queue(driver).parse().expect("a name"));
        let opened = connection.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        let handle = opened.map_err(|reason| format!("open: {reason}"))?.handle;
        Ok(Self { connection, handle, body: vec![b'x'; BODY_BYTES].into() })
    }

    /// A put and a get.
    fn round(&mut self) -> Result<(), Broken> {
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = self.connection.put(
            self.handle,
            &mut MessageDescriptor::default(),
            &mut options,
            self.body.clone(),
        );
        put.map_err(|reason| format!("a put: {reason}"))?;
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(5_000));
        let got =
            self.connection.get(self.handle, &mut MessageDescriptor::default(), &mut options, BODY_BYTES);
        got.map(drop).map_err(|reason| format!("a get: {reason}"))
    }
}

/// Has programs come and go at their pace; how many did.
fn come_and_go(port: u16) -> Result<u64, Broken> {
    let begun = Instant::now();
    let pause = Duration::from_micros(60_000_000 * COMERS / COMING_A_MINUTE);
    let comers: Vec<_> = (0..COMERS)
        .map(|_| {
            thread::spawn(move || -> Result<u64, Broken> {
                let mut came = 0;
                while begun.elapsed() < COMING {
                    connect_alone(port, "comes and goes")?
                        .disconnect()
                        .map_err(|reason| reason.to_string())?;
                    came += 1;
                    let due = begun + pause * came;
                    thread::sleep(due.saturating_duration_since(Instant::now()));
                }
                Ok(u64::from(came))
            })
        })
        .collect();
    let mut sum = 0;
    for comer in comers {
        sum += comer.join().map_err(|_| "a program that comes and goes panicked".to_owned())??;
    }
    Ok(sum)
}
