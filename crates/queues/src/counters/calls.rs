//! The calls of one connection, as far as they are counted.
//!
//! Always: a connection counts for itself, in a place that no other writes to. Calls of a part of the queue
//! manager are not counted: no program made them.

use std::sync::Arc;

use super::account::{Leaving, Tallies};
use super::collecting::{Collecting, Counted};
use super::{BACKOUTS, CALLS, COMMITS, COMMITS_FAILED, Count, Counters, Message, Passed, Totals, Verb};

/// Calls that succeed, and calls that do not.
pub type Pair = (Count, Count);

/// The choice of one connection, where the queue manager lets it choose.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// True if accounting messages report its calls.
    pub is_told: bool,
    /// True if it is counted by its own choice, even if no other connection is.
    pub is_chosen: bool,
}

/// The counts of the calls of one connection.
pub struct CallCounts {
    counters: Counters<CALLS>,
    /// Choice of the connection about its own accounting.
    pub choice: Choice,
    /// True for a part of the queue manager's process.
    pub(crate) is_own: bool,
    collecting: Arc<Collecting>,
}

impl CallCounts {
    /// Counts of a new connection; `is_own` for one of the queue manager's own.
    pub fn new(collecting: Arc<Collecting>, choice: Choice, is_own: bool) -> Self {
        Self { counters: Counters::default(), choice, is_own, collecting }
    }

    /// True if any of its calls is counted.
    #[inline]
    pub fn is_any_counted(&self) -> bool {
        !self.is_own && (self.choice.is_chosen || self.collecting.is_any())
    }

    /// True if its calls are counted.
    fn are_all_counted(&self) -> bool {
        let is_wanted =
            self.choice.is_told || self.collecting.is(Counted::Calls) || self.collecting.is(Counted::Watched);
        is_wanted && !self.is_own
    }

    /// The counts up to now.
    pub fn totals(&self) -> Totals<CALLS> {
        self.counters.totals()
    }

    /// Counts a call on a queue.
    pub fn pass(&self, tallies: &Tallies, passed: Passed) {
        self.pass_alone(passed);
        if let Some(traffic) = &tallies.traffic {
            traffic.counters().pass(passed);
        }
        if let Some(account) = &tallies.account {
            account.pass(passed);
        }
    }

    /// Counts a call of which no queue counts anything.
    pub fn pass_alone(&self, passed: Passed) {
        if self.are_all_counted() {
            self.counters.pass(passed);
        }
    }

    /// Counts a call on an object of a kind, by its result.
    pub fn count(&self, (done, failed): Pair, kind: usize, is_done: bool) {
        if self.are_all_counted() {
            self.counters.add(if is_done { done } else { failed }, kind);
        }
    }

    /// Counts a commit.
    #[cold]
    pub fn count_commit(&self, is_done: bool) {
        self.count((COMMITS, COMMITS_FAILED), 0, is_done);
    }

    /// Counts a backout.
    #[cold]
    pub fn count_backout(&self) {
        self.count((BACKOUTS, BACKOUTS), 0, true);
    }

    /// Counts a message that was got.
    pub(crate) fn pass_left(&self, tallies: &Tallies, leaving: Leaving) {
        let Leaving { arrived, persistent, bytes } = leaving;
        self.pass(tallies, Passed::Done(Verb::Get, Message { persistent, bytes: u64::from(bytes) }));
        if let Some(account) = &tallies.account
            && let Some(micros) = arrived.micros_until(self.collecting.now())
        {
            account.note_waited(persistent, micros);
        }
    }
}
