//! Health as the queue manager answers it by itself: alive, ready, and the checks of its board.
//!
//! Lives here: the verdicts. `answers` reads requests and has the answers, `service` is the thread that gives
//! them, `probes` says where. Lives elsewhere: the checks (`board`), `ferry check` (the command line).
//!
//! Always: whether it is alive and ready is judged without the disk, the log or a lock; a full disk, a slow
//! one or a long start never make it seem dead.

pub(crate) mod answers;
mod probes;
mod service;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use platform::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use platform::{Clock as _, os::OsClock};
use queue_manager::QueueManager;
use transport::Remote;

use crate::ending::{Ending, Phase};
pub use answers::{Asked, Request, read};
pub(crate) use probes::Probes;
pub use probes::{Place, place};
pub(crate) use service::{Service, ServiceError};

/// The names of the checks, in the order in which they are shown.
pub fn check_names() -> impl Iterator<Item = &'static str> {
    crate::board::CHECKS.iter().map(|check| check.name)
}

/// A thread that takes no turn for so long hangs: a turn takes milliseconds.
pub(crate) const TURN_WITHIN: Duration = Duration::from_secs(30);

/// A write of the log that takes longer is one of a disk that stalls.
const LONG_WRITE: Duration = Duration::from_secs(1);

/// The facts that health is judged by, written by those whose they are.
#[derive(Default)]
pub(crate) struct Health {
    ending: Arc<Ending>,
    is_started: AtomicBool,
    reactors: OnceLock<Vec<Remote>>,
    queue_manager: OnceLock<QueueManager>,
    /// The turns of housekeeping.
    pub(crate) housekeeping: Pulse,
}

/// The turns of a thread.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    turns: AtomicU64,
    /// The thread is at the disk, which may hold it up for as long as the disk does.
    is_at_disk: AtomicBool,
}

impl Pulse {
    /// The thread took a turn.
    pub(crate) fn beat(&self) {
        self.turns.fetch_add(1, Ordering::Relaxed);
    }

    /// Does something that waits for the disk.
    pub(crate) fn at_disk<T>(&self, work: impl FnOnce() -> T) -> T {
        self.is_at_disk.store(true, Ordering::Relaxed);
        let done = work();
        self.is_at_disk.store(false, Ordering::Relaxed);
        done
    }
}

impl Health {
    pub(crate) fn new(ending: Arc<Ending>) -> Self {
        Self { ending, ..Self::default() }
    }

    /// Says which threads there are.
    pub(crate) fn attend(&self, queue_manager: QueueManager, reactors: Vec<Remote>) {
        // They are known once; a second time would be the same.
        let _ = self.queue_manager.set(queue_manager);
        let _ = self.reactors.set(reactors);
    }

    /// The queue manager takes programs.
    pub(crate) fn started(&self) {
        self.is_started.store(true, Ordering::Release);
    }

    fn is_started(&self) -> bool {
        self.is_started.load(Ordering::Acquire)
    }

    /// Returns true once it was asked to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.is_asked()
    }

    /// Returns true while it takes programs: it has started, and was not asked to end.
    fn takes_programs(&self) -> bool {
        self.is_started() && !self.is_ending() && self.ending.phase() == Phase::Runs
    }

    /// Returns true while a write of the log takes long, which may hold up the reactor that makes it.
    fn waits_for_log(&self) -> bool {
        let began = self.queue_manager.get().and_then(|manager| manager.log().force_under_way());
        began.is_some_and(|began| OsClock.now().since(began) > LONG_WRITE)
    }
}

/// The turns of all threads as they were seen, and when each was last seen to go on.
pub(crate) struct Watch {
    health: Arc<Health>,
    seen: Vec<(u64, Instant)>,
}

impl Watch {
    pub(crate) fn new(health: Arc<Health>) -> Self {
        Self { health, seen: Vec::new() }
    }

    /// Looks at the turns of each thread. A reactor that sleeps is woken, so that the next look sees a turn.
    pub(crate) fn look(&mut self, now: Instant) {
        let Some(reactors) = self.health.reactors.get() else { return };
        let housekeeping = &self.health.housekeeping;
        let waits_for_log = self.health.waits_for_log();
        let turns = reactors.iter().map(|reactor| (reactor.turns(), waits_for_log));
        let at_disk = housekeeping.is_at_disk.load(Ordering::Relaxed);
        let turns: Vec<(u64, bool)> =
            turns.chain([(housekeeping.turns.load(Ordering::Relaxed), at_disk)]).collect();
        self.seen.resize(turns.len(), (u64::MAX, now));
        for (seen, (turns, is_held_up)) in self.seen.iter_mut().zip(turns) {
            if seen.0 != turns || is_held_up {
                *seen = (turns, now);
            }
        }
        reactors.iter().for_each(Remote::wake);
    }

    /// Returns true if every thread took a turn lately. One that starts or ends is alive.
    pub(crate) fn is_live(&self, now: Instant) -> bool {
        let is_settled = self.health.takes_programs();
        !is_settled || self.seen.iter().all(|(_, at)| now.saturating_duration_since(*at) <= TURN_WITHIN)
    }

    /// Returns true while programs may be sent to it.
    pub(crate) fn is_ready(&self, now: Instant) -> bool {
        self.health.takes_programs() && self.is_live(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ending::Mode;

    /// The turn of housekeeping is all there is, where there are no reactors.
    fn watched() -> (Arc<Health>, Watch) {
        let health = Arc::new(Health::new(Arc::default()));
        assert!(health.reactors.set(Vec::new()).is_ok(), "they are known once");
        (Arc::clone(&health), Watch::new(health))
    }

    #[test]
    fn one_that_starts_or_ends_is_alive_and_not_ready() {
        let (health, mut watch) = watched();
        let begun = Instant::now();
        watch.look(begun);
        let late = begun + 2 * TURN_WITHIN;
        assert_eq!((watch.is_live(late), watch.is_ready(late)), (true, false), "it starts");
        health.started();
        assert_eq!((watch.is_live(begun), watch.is_ready(begun)), (true, true), "it runs");
        assert!(!watch.is_live(late) && !watch.is_ready(late), "housekeeping hangs");
        health.ending.ask(Mode::Quiesce, "a test");
        assert_eq!((watch.is_live(late), watch.is_ready(late)), (true, false), "it ends");
    }

    #[test]
    fn a_thread_that_the_disk_holds_up_is_alive_and_one_that_hangs_is_not() {
        let (health, mut watch) = watched();
        health.started();
        let begun = Instant::now();
        watch.look(begun);
        let later = begun + TURN_WITHIN + Duration::from_secs(1);
        let live = health.housekeeping.at_disk(|| {
            watch.look(later);
            watch.is_live(later)
        });
        assert!(live, "it waits for the disk");
        let last = later + TURN_WITHIN + Duration::from_secs(1);
        watch.look(last);
        assert!(!watch.is_live(last), "it waits for nothing and takes no turn");
        health.housekeeping.beat();
        watch.look(last);
        assert!(watch.is_live(last), "it took one");
    }
}
