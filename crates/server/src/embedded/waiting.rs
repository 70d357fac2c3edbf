//! Threads of the program that wait: for the log to be durable, or for the outcome of a get.

use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;
use platform::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use platform::sync::{Condvar, Mutex};
use queue_manager::{Completions, GotMessage, Outcome, QueueManager, WaitToken};

use super::waking::{Sleeper, Waking};

/// Time that a thread waits for another's write before it looks itself: longer than writes take, so that it
/// matters only if that thread failed.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Wake-ups of the program's threads: one for all connections of a queue manager.
#[derive(Default)]
pub(crate) struct Waiting {
    pub(crate) durability: Durability,
    pub(crate) waking: Waking,
}

/// Wakes threads that wait for durability.
#[derive(Default)]
pub(crate) struct Durability {
    waiting: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
    failed: AtomicBool,
}

/// The log failed: nothing becomes durable any more.
pub(crate) struct LogFailed;

impl Durability {
    /// Wakes the threads that wait for durability, after the log became durable further. The thread that
    /// wrote calls it, after a fence: together with the fence in `sleep_unless`, one of the two sees the
    /// other's store.
    pub(crate) fn advanced(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            // A thread between its look and its wait holds the lock, so this comes before or after both.
            drop(self.lock.lock());
            self.changed.notify_all();
        }
    }

    /// The log failed.
    pub(crate) fn failed(&self) {
        self.failed.store(true, Ordering::SeqCst);
        drop(self.lock.lock());
        self.changed.notify_all();
    }

    /// Gives an outcome up once the log is durable to its need; writes the log if no other thread does.
    pub(crate) fn open<T>(
        &self,
        engine: &QueueManager,
        mut outcome: Outcome<T>,
    ) -> Result<Result<T, mqi::Reason>, LogFailed> {
        let mut proof = engine.durable();
        loop {
            outcome = match outcome.open(proof) {
                Ok(value) => return Ok(value),
                Err(gated) => gated,
            };
            if outcome.awaits_getter() {
                if self.sleep_unless(|| !outcome.awaits_getter()) {
                    return Err(LogFailed);
                }
                proof = engine.durable();
                continue;
            }
            let driven = engine.drive();
            if driven.lsn() == proof.lsn() && self.sleep_unless(|| engine.durable().lsn() > proof.lsn()) {
                return Err(LogFailed);
            }
            proof = engine.durable();
        }
    }

    /// Waits likewise, for a caller that takes a failed log for a reason like others.
    pub(crate) fn await_outcome<T>(
        &self,
        engine: &QueueManager,
        outcome: Outcome<T>,
    ) -> Result<T, mqi::Reason> {
        self.open(engine, outcome).unwrap_or_else(|LogFailed| Err(mqi::Reason::UNEXPECTED_ERROR))
    }

    /// Sleeps while another thread writes or delivers, unless there is news; true if the log failed.
    pub(crate) fn sleep_unless(&self, is_news: impl FnOnce() -> bool) -> bool {
        self.waiting.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        let mut lock = self.lock.lock();
        if !is_news() && !self.failed.load(Ordering::SeqCst) {
            self.changed.wait_for(&mut lock, LOOK_AGAIN);
        }
        drop(lock);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        self.failed.load(Ordering::SeqCst)
    }
}

/// Where the outcome of a waiting get arrives for the thread that sleeps.
pub(super) struct Inbox {
    arrived: Mutex<Vec<(WaitToken, Outcome<GotMessage>)>>,
    sleeper: Arc<Sleeper>,
    /// True if the listener is to look up.
    is_woken: AtomicBool,
    waiting: Arc<Waiting>,
}

impl Inbox {
    pub(super) fn new(waiting: &Arc<Waiting>) -> Self {
        Self {
            arrived: Mutex::default(),
            sleeper: Arc::default(),
            is_woken: AtomicBool::default(),
            waiting: Arc::clone(waiting),
        }
    }

    /// Waits for the outcome of a get; those of others stay.
    pub(super) fn wait(&self, token: WaitToken) -> Outcome<GotMessage> {
        loop {
            if let Some(outcome) = self.take(token) {
                return outcome;
            }
            self.sleeper.sleep(None);
        }
    }

    /// The outcome of a get, if it is here.
    pub(super) fn take(&self, token: WaitToken) -> Option<Outcome<GotMessage>> {
        let mut arrived = self.arrived.lock();
        let place = arrived.iter().position(|(of, _)| *of == token)?;
        Some(arrived.remove(place).1)
    }

    /// Drops the outcomes of gets that were given up.
    pub(super) fn keep_only(&self, is_wanted: impl Fn(WaitToken) -> bool) {
        self.arrived.lock().retain(|(token, _)| is_wanted(*token));
    }

    /// Sleeps until something may have arrived; false when the time is over or another thread woke it.
    pub(super) fn sleep(&self, deadline: Option<Monotonic>) -> bool {
        if self.is_woken.swap(false, Ordering::AcqRel) {
            return false;
        }
        self.sleeper.sleep(deadline) && !self.is_woken.swap(false, Ordering::AcqRel)
    }

    /// Ends the sleep of the listener, or its next one.
    pub(super) fn wake(&self) {
        self.is_woken.swap(true, Ordering::AcqRel);
        self.sleeper.wake();
    }
}

impl Completions for Inbox {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.arrived.lock().push((token, outcome));
        self.waiting.waking.wake(&self.sleeper);
    }

    fn tells_of_delivery(&self) -> bool {
        true
    }

    fn decided(&self) {
        // A sleeper looks at the decision behind a fence of its own.
        fence(Ordering::SeqCst);
        self.waiting.durability.advanced();
    }

    /// Makes the listener look up and ask.
    fn quiesces(&self) {
        self.wake();
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
