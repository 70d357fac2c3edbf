//! State shared by the clients of one repetition: its phase, the first failure, counters.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};

use crate::access::{Access, LOG_BYTES, LOG_RECORDS, LOG_WRITES};
use crate::flushes::Disk;
use crate::network::Network;
use crate::processor::{self, Used, UsedByAll};
use crate::progress::Bar;
use crate::report::Column;

/// Where the repetition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It runs, and nothing is counted.
    WarmUp = 0,
    /// Messages count from now on.
    Measure = 1,
    /// Nothing new is begun.
    Done = 2,
}

/// State shared by the clients of a repetition.
#[derive(Default)]
pub struct Shared {
    phase: AtomicU8,
    has_measured: AtomicBool,
    failure: OnceLock<String>,
}

/// Progress of a client, which it tells after each message, and so on lines that no other writes: processors
/// fetch lines of memory in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Count(AtomicU64);

impl Count {
    /// Says how far it is.
    pub fn say(&self, count: u64) {
        self.0.store(count, Ordering::Relaxed);
    }

    /// Returns the progress.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Shared {
    /// Lets all of them see that it is there now; it does not go back, since one that failed has ended it for
    /// all.
    pub fn enter(&self, phase: Phase) {
        self.phase.fetch_max(phase as u8, Ordering::Relaxed);
    }

    /// Returns true if it is there.
    #[must_use]
    pub fn is(&self, phase: Phase) -> bool {
        self.phase.load(Ordering::Relaxed) == phase as u8
    }

    /// Returns true if one of them failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failure.get().is_some()
    }

    /// Says that something was measured; each says it once.
    pub fn say_measured(&self) {
        self.has_measured.store(true, Ordering::Relaxed);
    }

    /// Returns true if one of them measured something, or failed, so that nothing may come.
    #[must_use]
    pub fn has_measured(&self) -> bool {
        self.has_measured.load(Ordering::Relaxed) || self.has_failed()
    }

    /// Lets all others end when one has failed.
    ///
    /// # Errors
    /// The first that it was given: those that follow mostly tell that somebody else failed.
    pub fn watch<T>(&self, outcome: Result<T>) -> Result<T> {
        outcome.map_err(|error| {
            let first = self.failure.get_or_init(|| format!("{error:#}"));
            self.enter(Phase::Done);
            anyhow!("{first}")
        })
    }

    /// Lets them run so long, or until all is done, one fails or somebody presses Ctrl-C.
    pub fn run_for(&self, time: Duration, interrupt: &AtomicBool, what: &'static str) {
        let bar = Bar::of_time(time, what);
        let begun = Instant::now();
        while begun.elapsed() < time && !self.is(Phase::Done) && !interrupt.load(Ordering::Relaxed) {
            bar.passed(begun.elapsed());
            thread::sleep(Duration::from_millis(20).min(time.saturating_sub(begun.elapsed())));
        }
    }
}

/// Clients need little; a thousand of them should not need a thousand times eight MiB.
const STACK_BYTES: usize = 512 << 10;

/// Starts the thread of one client.
///
/// # Errors
/// When the system has no thread to give.
pub fn spawn<T: Send + 'static>(
    name: String,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<thread::JoinHandle<T>> {
    thread::Builder::new().name(name).stack_size(STACK_BYTES).spawn(work).context("cannot start a thread")
}

/// Counters at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    own: Duration,
    clients: UsedByAll,
    server: Option<Used>,
    /// That of the other half, where it is another process.
    far: Option<Used>,
    forces: Option<u64>,
    flushes: Option<u64>,
    log_bytes: Option<u64>,
    log_records: Option<u64>,
    resident_bytes: Option<u64>,
    network: Network,
}

/// Growth of counters between two moments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// Processor time of the clients: of this process, and of those it started for them.
    pub(crate) own: Duration,
    /// Processor time of the queue manager's process, when that is another; of both where there are two.
    pub(crate) server: Option<Duration>,
    /// The part of it that the queue manager of the other half used, where there are two.
    pub(crate) far: Option<Duration>,
    /// Writes of the log, each forced.
    pub(crate) forces: Option<u64>,
    /// Flushes that the disk of the log counted.
    pub(crate) flushes: Option<u64>,
    pub(crate) log_bytes: Option<u64>,
    pub(crate) log_records: Option<u64>,
    /// Memory that the queue manager's process holds at the end.
    pub(crate) resident_bytes: Option<u64>,
    /// Sent over the network, by all programs of the machine.
    pub(crate) network: Network,
}

impl Moment {
    /// With clients in this process and in these.
    pub(crate) fn now(access: &dyn Access, clients: &[u32]) -> Self {
        let counters = access.counters();
        let far = access.far().filter(|far| far.queue_manager.is_some());
        let far = far.and_then(|far| far.access.server_pid());
        Self {
            far: far.and_then(Used::by),
            forces: counters.get(LOG_WRITES).copied(),
            flushes: access.disk().and_then(Disk::flushes),
            log_bytes: counters.get(LOG_BYTES).copied(),
            log_records: counters.get(LOG_RECORDS).copied(),
            server: access.server_pid().and_then(Used::by),
            resident_bytes: access.server_pid().and_then(processor::resident_bytes),
            network: Network::now(),
            own: processor::own(),
            clients: UsedByAll::of(clients.iter().copied()),
        }
    }

    /// Returns the growth since a moment. A counter that is not known at both is not known; nor is one that
    /// shrank, since it began anew.
    pub(crate) fn since(&self, before: &Self) -> Usage {
        let grown = |after: Option<u64>, before: Option<u64>| after?.checked_sub(before?);
        let used =
            |after: &Option<Used>, before: &Option<Used>| Some(after.as_ref()?.since(before.as_ref()?));
        let far = used(&self.far, &before.far);
        Usage {
            own: self.own.saturating_sub(before.own) + self.clients.since(&before.clients),
            server: used(&self.server, &before.server).map(|near| near + far.unwrap_or_default()),
            far,
            forces: grown(self.forces, before.forces),
            flushes: grown(self.flushes, before.flushes),
            log_bytes: grown(self.log_bytes, before.log_bytes),
            log_records: grown(self.log_records, before.log_records),
            resident_bytes: self.resident_bytes,
            network: Network {
                messages: grown(self.network.messages, before.network.messages),
                bytes: grown(self.network.bytes, before.network.bytes),
            },
        }
    }
}

impl Usage {
    /// The columns of [`Usage::each`].
    pub(crate) const COLUMNS: [Column; Self::COUNT] = [
        Column::new("server_cpu_us", "server CPU µs", 2),
        Column::new("client_cpu_us", "client CPU µs", 2),
        Column::new("forces", "forces each", 3),
        Column::new("flushes", "flushes each", 3),
        Column::new("log_bytes", "log B each", 0),
        Column::new("records", "records each", 2),
        Column::new("server_mib", "server MiB", 0),
        Column::new("network_messages", "network messages", 2),
        Column::new("network_bytes", "network B each", 0),
    ];

    /// The number of columns.
    pub(crate) const COUNT: usize = 9;

    /// Microseconds of processor that the queue manager of the other half used for each of so many, where
    /// there are two.
    pub(crate) fn far_each(&self, count: u64) -> Option<f64> {
        self.far.map(|far| far.as_secs_f64() * 1e6 / count as f64)
    }

    /// For each of so many: processor time of server and clients in microseconds, forces, flushes, bytes and
    /// records of the log; the server's memory; and for each again messages and bytes on the network.
    pub(crate) fn each(&self, count: u64) -> [Option<f64>; Self::COUNT] {
        let each = |total: f64| total / count as f64;
        let microseconds = |time: Duration| each(time.as_secs_f64() * 1e6);
        let counted = |total: Option<u64>| total.map(|total| each(total as f64));
        [
            self.server.map(microseconds),
            Some(microseconds(self.own)),
            counted(self.forces),
            counted(self.flushes),
            counted(self.log_bytes),
            counted(self.log_records),
            self.resident_bytes.map(|bytes| bytes as f64 / f64::from(1 << 20)),
            counted(self.network.messages),
            counted(self.network.bytes),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn each_that_is_asked_tells_of_the_first_failure() {
        let shared = Shared::default();
        assert_eq!(shared.watch(Ok(7)).unwrap(), 7);
        assert!(!shared.has_failed());
        let first = || -> Result<()> { Err(anyhow!("no room")).context("cannot put") };
        let next = || -> Result<()> { bail!("another client failed") };
        for outcome in [first(), next()] {
            assert_eq!(shared.watch(outcome).unwrap_err().to_string(), "cannot put: no room");
        }
        shared.enter(Phase::Measure);
        assert!(shared.has_failed() && shared.has_measured() && shared.is(Phase::Done));
    }
}
