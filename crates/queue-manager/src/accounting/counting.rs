//! Where calls are counted: at the end of each verb, and where the wait of a get ends.

use std::sync::Arc;

use mqi::Reason;

use crate::conversation::{Conversation, Held};
use crate::counters::account::{QueueAccount, Tallies};
use crate::counters::{BACKOUTS, COMMITS, COMMITS_FAILED, Count, Message, Passed, Traffic, Verb, Why};
use crate::queue::Queue;
use crate::queue::got_message::GotMessage;
use crate::queue::measured::Leaving;
use crate::queue::request::{Action, Request};

/// A handle that is about to be closed: the kind of its object, and the queue's counts.
pub(crate) struct Closing {
    pub(crate) kind: usize,
    pub(crate) traffic: Option<Arc<Traffic>>,
}

/// Calls that succeed, and calls that do not.
pub(crate) type Pair = (Count, Count);

impl Tallies {
    pub(crate) fn of(queue: &Queue, account: Option<&Arc<QueueAccount>>) -> Self {
        Self { traffic: queue.traffic(), account: account.map(Arc::clone) }
    }
}

impl Conversation {
    pub(crate) fn pass(&self, tallies: &Tallies, passed: Passed) {
        if self.counts_calls() {
            self.calls.pass(passed);
        }
        if let Some(traffic) = &tallies.traffic {
            traffic.counters().pass(passed);
        }
        if let Some(account) = &tallies.account {
            account.pass(passed);
        }
    }

    pub(crate) fn count(&self, (done, failed): Pair, kind: usize, is_done: bool) {
        if self.counts_calls() {
            self.calls.add(if is_done { done } else { failed }, kind);
        }
    }

    #[cold]
    pub(crate) fn count_commit(&self, is_done: bool) {
        self.count((COMMITS, COMMITS_FAILED), 0, is_done);
    }

    #[cold]
    pub(crate) fn count_backout(&self) {
        self.count((BACKOUTS, BACKOUTS), 0, true);
    }

    fn pass_left(&self, tallies: &Tallies, leaving: Leaving) {
        let Leaving { arrived, persistent, bytes } = leaving;
        self.pass(tallies, Passed::Done(Verb::Get, Message { persistent, bytes: u64::from(bytes) }));
        if let Some(account) = &tallies.account
            && let Some(micros) = arrived.micros_until(self.collecting.now())
        {
            account.note_waited(persistent, micros);
        }
    }

    /// Counts the end of a get. A message that was only set aside is counted when its program takes it.
    pub(crate) fn count_got(&self, request: &Request, outcome: &Result<GotMessage, Reason>) {
        let Some(tallies) = &request.tallies else { return };
        let verb = if request.action == Action::Browse { Verb::Browse } else { Verb::Get };
        match (request.action, outcome) {
            (Action::Reserve(..), Err(_)) => {}
            (_, Err(reason)) => self.pass(tallies, Passed::Failed(verb, (*reason).into())),
            (_, Ok(got)) if got.warning == Some(Reason::TRUNCATED_MSG_FAILED) => {
                if !matches!(request.action, Action::Reserve(..)) {
                    self.pass(tallies, Passed::Failed(verb, Why::Truncated));
                }
            }
            (action, Ok(got)) => {
                let persistent = got.descriptor.is_persistent();
                let is_set_aside = match action {
                    Action::Reserve(_, which) => which.sets_aside(persistent),
                    Action::Browse | Action::Take(_) => false,
                };
                let bytes = got.data_length as u64;
                match verb {
                    _ if is_set_aside => {}
                    Verb::Get => {
                        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                        self.pass_left(tallies, Leaving { arrived: got.arrived, persistent, bytes });
                    }
                    verb => self.pass(tallies, Passed::Done(verb, Message { persistent, bytes })),
                }
            }
        }
    }

    /// Counts that its program took a message that was set aside for it.
    pub(crate) fn count_taken(&self, held: &Held) {
        if let Some(tallies) = &held.tallies {
            self.pass_left(tallies, held.leaving);
        }
    }
}

impl Queue {
    /// Traffic counters of this queue, if it is counted.
    fn traffic(&self) -> Option<Arc<Traffic>> {
        self.traffic.load_full()
    }

    /// Counts the traffic of this queue, or stops counting.
    pub(crate) fn count_traffic(&self, is_counted: bool) {
        if self.traffic.load().is_some() != is_counted {
            self.traffic.store(is_counted.then(Arc::default));
        }
    }

    pub(crate) fn traffic_counted(&self) -> Option<Arc<Traffic>> {
        self.traffic()
    }
}
