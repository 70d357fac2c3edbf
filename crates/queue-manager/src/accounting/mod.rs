//! Accounting and statistics: counting what programs ask for, and telling it by messages in binary form.
//!
//! Lives here: taking into use what attributes ask for. The accounts of a
//! connection are in `account`; `statistics` and `records` put the messages, `told` gives the same
//! figures to other readers. Lives elsewhere: the numbers (`counters`), times on queues, and the depths
//! between which they go (`queue::measured`).
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
mod told;

pub(crate) use account::Accounts;
pub(crate) use records::Parted;

use mqi::constants::*;
use objects::effective;
use queues::counters::collecting::Counted;
use queues::queue::Queue;
use queues::queue::measured::Measuring;

use crate::engine::Engine;

impl Engine {
    /// Takes attributes of the queue manager into use that control the collection.
    pub(crate) fn collect(&self) {
        let collected = self.directory.catalogue.manager().attributes.collected;
        self.message_channels.collect(collected.channel_statistics);
        let begins = collected.statistics && !self.queues.collecting.is(Counted::Calls);
        if !collected.statistics && self.queues.collecting.is(Counted::Calls) {
            // What was counted until now is told.
            self.tell_statistics(self.ground().now());
        }
        self.queues.collecting.set(Counted::Calls, collected.statistics);
        if begins {
            self.begin_statistics(self.ground().now());
        }
        self.queues.collecting.set(Counted::Queues, false);
        self.queues.collecting.set(Counted::Accounts, false);
        for queue in self.queues.all() {
            self.measure(&queue);
        }
    }

    /// Takes attributes of a queue into use that control its measurements.
    pub(crate) fn measure(&self, queue: &Queue) {
        let manager = self.directory.catalogue.manager().attributes.collected;
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
        if measuring.statistics || measuring.watched {
            self.queues.collecting.set(Counted::Queues, true);
        }
        if measuring.accounting {
            self.queues.collecting.set(Counted::Accounts, true);
        }
    }
}
