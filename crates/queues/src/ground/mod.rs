//! The ground of the engine: what its parts stand on, and what names none of them.
//!
//! Lives here: [`Ground`] with settings, limits, time, timers, jobs, the account of memory, the log and the
//! doors to the host.
//! Lives elsewhere: the parts (`queue`, `message`, `unit_of_work`, `verbs`, `command`).

pub mod command_room;
pub(crate) mod decision;
pub mod events;
pub mod explanation;
pub mod growth;
pub mod host;
pub(crate) mod jobs;
pub mod limits;
pub mod login;
pub mod memory;
pub mod place;
pub mod relay;
pub mod request;
pub mod settings;
pub mod stored;
pub mod time;
pub(crate) mod timers;
pub mod turn;

use std::sync::Arc;

use mqi::Reason;
use platform::sync::atomic::{AtomicU8, Ordering};
use platform::{CachePadded, Monotonic, World};
use storage::{Purpose, Reservation, Storage};

use host::{Host, Job};
use jobs::Jobs;
use limits::Limits;
use memory::Memory;
use settings::Settings;
use timers::Timers;

/// Time, log, memory, jobs and host of one queue manager.
pub struct Ground {
    /// Settings of the start.
    pub settings: Settings,
    /// Limits that definitions of the queue manager set.
    pub limits: Arc<Limits>,
    /// Disk, clock and entropy.
    pub world: World,
    /// The host.
    pub host: Arc<dyn Host>,
    /// The log and the store.
    pub storage: Storage,
    /// The account of message bodies in memory.
    pub memory: Memory,
    /// Jobs that may block.
    pub jobs: Jobs,
    /// Times at which queues have work.
    pub timers: CachePadded<Timers>,
    /// Zero while the queue manager runs; higher from the beginning of its end.
    pub quiescing: AtomicU8,
}

impl Ground {
    /// The time.
    pub fn now(&self) -> Monotonic {
        self.world.clock.now()
    }

    /// The second of this run. Messages that a start found came before it: theirs may be negative.
    #[inline]
    pub(crate) fn second(&self) -> i32 {
        i32::try_from(self.world.clock.now_roughly().0 / 1_000_000_000).unwrap_or(i32::MAX)
    }

    /// Room for a small record that must be written now. When even what is kept back for such records is used
    /// up, the log gives it from its own last reserve.
    pub(crate) fn reserve_under_lock(&self, bytes: u64) -> Reservation {
        self.storage.reserve(bytes, Purpose::Drain).unwrap_or_else(|_| self.storage.reserve_nothing())
    }

    /// Leaves work for a thread that may block.
    pub fn leave_job(&self, job: Job) {
        self.jobs.push(job);
        self.host.job_waits();
    }

    /// True if something is to be forced.
    pub fn log_waits(&self) -> bool {
        self.storage.appended() > self.storage.durable().lsn()
    }

    /// The reason that refuses a call while the queue manager ends.
    pub fn quiescing(&self, fail_if_quiescing: bool) -> Result<(), Reason> {
        match self.quiescing.load(Ordering::Acquire) {
            0 => Ok(()),
            1 if fail_if_quiescing => Err(Reason::Q_MGR_QUIESCING),
            1 => Ok(()),
            _ => Err(Reason::Q_MGR_STOPPING),
        }
    }
}
