//! Where outcomes of waits, and answers to what jobs do, arrive from other threads.
//!
//! Always: a thread that leaves something wakes the agent after it has left it, unless something was there
//! already; the agent takes all when it is woken.

use crate::agent::{Ticket, Wake};
use crate::logins::{AwaitsVerdict, Verdict};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};
use queue_manager::{Completions, Gated, GotMessage, Outcome, WaitToken};
use std::sync::Arc;

/// Arrivals for a connection, whose jobs leave answers of a kind.
pub(crate) struct Arrived<Answer> {
    /// Under the names its waits were given.
    pub(crate) outcomes: Vec<(WaitToken, Outcome<GotMessage>)>,
    pub(crate) answers: Vec<(Ticket, Gated<Answer>)>,
    /// The verdict on the login.
    pub(crate) verdict: Option<Box<Verdict>>,
}

impl<Answer> Default for Arrived<Answer> {
    fn default() -> Self {
        Self { outcomes: Vec::new(), answers: Vec::new(), verdict: None }
    }
}

impl<Answer> Arrived<Answer> {
    pub(crate) fn is_empty(&self) -> bool {
        self.outcomes.is_empty() && self.answers.is_empty() && self.verdict.is_none()
    }
}

/// The mailbox of one connection.
pub(crate) struct Inbox<Answer> {
    arrived: Mutex<Arrived<Answer>>,
    /// Says whether an administrator ended a conversation.
    is_stopped: AtomicBool,
    /// True if the queue manager quiesces, and the watchers were not told.
    is_quiescing: AtomicBool,
    waker: Arc<dyn Wake>,
}

impl<Answer> Inbox<Answer> {
    pub(crate) fn new(waker: Arc<dyn Wake>) -> Self {
        Self {
            arrived: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            is_quiescing: AtomicBool::new(false),
            waker,
        }
    }

    /// Says whether an administrator has ended a conversation.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Says whether the queue manager quiesces; true once.
    pub(crate) fn take_quiesce(&self) -> bool {
        self.is_quiescing.load(Ordering::Relaxed) && self.is_quiescing.swap(false, Ordering::AcqRel)
    }

    /// Exchanges what arrived for `empty`, so that neither list is allocated again.
    pub(crate) fn take(&self, empty: &mut Arrived<Answer>) {
        debug_assert!(empty.is_empty());
        std::mem::swap(&mut *self.arrived.lock(), empty);
    }

    /// Leaves the answer to what a job did.
    pub(crate) fn answer(&self, ticket: Ticket, answer: Gated<Answer>) {
        self.leave(|arrived| arrived.answers.push((ticket, answer)));
    }

    /// The one that wakes the agent.
    pub(crate) fn waker(&self) -> Arc<dyn Wake> {
        Arc::clone(&self.waker)
    }

    /// Makes the host call the agent once more.
    pub(crate) fn wake(&self) {
        self.waker.wake();
    }

    fn leave(&self, put: impl FnOnce(&mut Arrived<Answer>)) {
        let is_first = {
            let mut arrived = self.arrived.lock();
            let is_first = arrived.is_empty();
            put(&mut arrived);
            is_first
        };
        // A reader that is woken takes all mail, so one wake is enough.
        if is_first {
            self.waker.wake();
        }
    }

    /// Forgets the outcomes of waits that are no longer wanted.
    pub(crate) fn forget(&self, is_gone: impl Fn(WaitToken) -> bool) {
        self.arrived.lock().outcomes.retain(|(token, _)| !is_gone(*token));
    }
}

impl<Answer: Send> Completions for Inbox<Answer> {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.leave(|arrived| arrived.outcomes.push((token, outcome)));
    }

    fn tells_of_delivery(&self) -> bool {
        true
    }

    fn decided(&self) {
        self.waker.wake();
    }

    fn stopped(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.waker.wake();
    }

    fn quiesces(&self) {
        self.is_quiescing.store(true, Ordering::Release);
        self.waker.wake();
    }
}

impl<Answer: Send> AwaitsVerdict for Inbox<Answer> {
    fn take(&self, verdict: Verdict) {
        self.leave(|arrived| arrived.verdict = Some(Box::new(verdict)));
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
