//! The counts of one connection, in all and for each queue.

use std::sync::Arc;

use mqi::AccountingChoice;
use mqi::constants::*;
use objects::{Moment, effective};
use platform::Monotonic;
use platform::sync::Mutex;
use queues::counters::account::QueueAccount;
use queues::counters::calls::{CallCounts, Choice};
use queues::counters::{CALLS, Totals};
use queues::queue::Queue;
use queues::queue::measured::Measuring;

use crate::directory::Directory;

/// Counts of a connection for its accounting messages.
#[derive(Debug)]
pub(crate) struct Accounts {
    /// Accounting of queues that leave it to the queue manager, an MQMON_ value.
    pub(super) of_queues: i32,
    pub(super) connected: Moment,
    pub(super) state: Mutex<Unreported>,
}

/// Counts that no message has reported yet.
#[derive(Debug)]
pub(super) struct Unreported {
    /// Number of messages that reported on it before.
    pub(super) sequence: i32,
    pub(super) began: Moment,
    pub(super) since: Monotonic,
    pub(super) told: Totals<CALLS>,
    pub(super) queues: Vec<Arc<QueueAccount>>,
    /// The connection is over, and its last message was made.
    pub(super) is_over: bool,
}

impl Accounts {
    /// Makes the counts of a connection that begins now, which may have a choice of its own.
    pub(crate) fn new(directory: &Directory, choice: AccountingChoice) -> (Self, Choice) {
        let collected = directory.catalogue.manager().attributes.collected;
        let choice = if collected.connections_choose { choice } else { AccountingChoice::default() };
        let word = |chosen: bool| if chosen { MQMON_ON } else { MQMON_OFF };
        let of_queues = match (collected.queue_accounting, choice.queues) {
            (MQMON_NONE, _) => MQMON_NONE,
            (of_manager, chosen) => chosen.map_or(of_manager, word),
        };
        let is_told = choice.calls.unwrap_or(collected.accounting);
        let began = Moment(directory.ground().world.clock.wall().0.div_euclid(1_000_000));
        let state = Unreported {
            sequence: 0,
            began,
            since: directory.ground().now(),
            told: Totals::default(),
            queues: Vec::new(),
            is_over: false,
        };
        let choice = Choice { is_told, is_chosen: is_told || of_queues == MQMON_ON };
        (Self { of_queues, connected: began, state: Mutex::new(state) }, choice)
    }

    /// Time of the last report, or of the beginning.
    pub(crate) fn reported(&self) -> Monotonic {
        self.state.lock().since
    }
}

impl Directory {
    /// Returns the account of a connection's use of a queue, if it is to be reported.
    pub(crate) fn account_of(
        &self,
        accounts: &Accounts,
        calls: &CallCounts,
        queue: &Arc<Queue>,
    ) -> Option<Arc<QueueAccount>> {
        if !calls.is_any_counted() {
            return None;
        }
        let accounting = effective(queue.attributes().accounting, accounts.of_queues);
        if accounting != MQMON_ON {
            return None;
        }
        if !queue.measuring().accounting {
            queue.measure(|measuring| Measuring { accounting: true, ..measuring });
        }
        let mut state = accounts.state.lock();
        if let Some(known) = state.queues.iter().find(|account| account.id == queue.id) {
            return Some(Arc::clone(known));
        }
        let described = self.described(queue);
        let account = Arc::new(QueueAccount { id: queue.id, described, figures: Mutex::default() });
        state.queues.push(Arc::clone(&account));
        Some(account)
    }
}
