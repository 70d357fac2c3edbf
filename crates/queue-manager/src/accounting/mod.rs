//! Accounting and statistics: counting what programs ask for, and telling it by messages in binary form.
//!
//! Lives here: taking into use what attributes of a queue ask for. The accounts of a connection are in
//! `account`; `statistics` and `records` put the messages. Lives elsewhere: the numbers (`counters`), times on
//! queues, and the depths between which they go (`queue::measured`), the times at which all connections are
//! told of (`collection`), the same figures for other readers (`call_figures`).
//!
//! | messages | asked for by | tell |
//! |---|---|---|
//! | statistics | STATMQI; STATQ of the queue manager and of queues | of all connections; of each queue that was used |
//! | accounting | ACCTMQI; ACCTQ of the queue manager and of queues; a connection's own choice | of one connection; of each queue that it used |
//!
//! Always: while counting is off, a call pays one look at a number that all connections share and none
//! changes. A connection counts for itself, in a place no other writes to; only figures of a queue are shared
//! by its users.

mod account;
mod records;
mod statistics;

pub(crate) use account::Accounts;
pub(crate) use records::{Accounted, Parted};
pub(crate) use statistics::Period;

use mqi::constants::*;
use objects::effective;
use queues::counters::collecting::Counted;
use queues::queue::Queue;
use queues::queue::measured::Measuring;

use crate::directory::Directory;

impl Directory {
    /// Takes attributes of a queue into use that control its measurements.
    pub(crate) fn measure(&self, queue: &Queue) {
        let _deciding = self.queues.collecting.deciding.lock();
        let measuring = self.remeasure(queue);
        if measuring.statistics || measuring.watched {
            self.queues.collecting.set(Counted::Queues, true);
        }
        if measuring.accounting {
            self.queues.collecting.set(Counted::Accounts, true);
        }
    }

    /// The same, by one who is deciding what is counted: he counts what is returned.
    pub(crate) fn remeasure(&self, queue: &Queue) -> Measuring {
        let manager = self.catalogue.manager().attributes.collected;
        let was = queue.measuring();
        let attributes = queue.attributes();
        let measuring = Measuring {
            monitoring: effective(attributes.monitoring, manager.monitoring),
            statistics: effective(attributes.statistics, manager.queue_statistics) == MQMON_ON,
            accounting: effective(attributes.accounting, manager.queue_accounting) == MQMON_ON,
            watched: was.watched,
        };
        drop(attributes);
        if was.statistics && !measuring.statistics {
            self.tell_statistics_of(queue);
        }
        if measuring != was {
            queue.measure(|now| Measuring { watched: now.watched, ..measuring });
        }
        measuring
    }
}
