//! Accounting and statistics: counting what programs ask for, and telling it by messages in binary form.
//!
//! Lives here: the choice of connections and queues to count. The counts are in `counters`, the places that
//! count calls in `counting`, a connection's use of queues in `account`; `statistics` and `records` put the
//! messages, `told` gives the same figures to other readers. Lives elsewhere: times on queues, and the depths
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
pub(crate) mod counters;
pub(crate) mod counting;
mod records;
mod statistics;
mod told;

pub(crate) use account::{Accounts, QueueAccount};
pub(crate) use counters::{CALLS, Counters, Traffic};
pub(crate) use counting::Tallies;
pub(crate) use records::Parted;
pub(crate) use told::queue_calls;

use std::fmt;
use std::sync::Arc;

use mqi::constants::*;
use objects::effective;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use platform::{CachePadded, Clock, Monotonic};

use crate::engine::Engine;
use crate::ground::time::moment;
use crate::queue::Queue;
use crate::queue::measured::Measuring;
use statistics::Since;

/// The state of collection for all connections, and its beginning.
pub(crate) struct Collecting {
    /// Reasons to count: bits of [`Counted`].
    counted: CachePadded<AtomicU8>,
    clock: Arc<dyn Clock>,
    noted: [AtomicU64; Noted::COUNT],
    /// The most connections at one time.
    connections_most: AtomicU64,
    /// The most connections at one time, for the figures below `$SYS`.
    connections_most_watched: AtomicU64,
    /// Queues are counted for the figures below `$SYS`.
    watches_queues: AtomicBool,
    since: Mutex<Since>,
}

/// Reason to count, besides connections that ask for it themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// Every connection.
    Calls = 1,
    /// Some queue, with all of its users.
    Queues = 2,
    /// Some queue, by each connection for itself.
    Accounts = 4,
    /// Every connection, for a reader of the figures in another form.
    Watched = 8,
}

/// Events that are counted for the queue manager as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    Connected,
    NotConnected,
    Disconnected,
    /// A connection ended without MQDISC.
    Vanished,
    /// The queue manager ended a connection.
    Ended,
    Expired,
    Purged,
    /// A queue was emptied by a command, or went with its messages.
    QueuePurged,
    /// MQSTAT.
    StatusAsked,
    /// MQSUB made a subscription that is not durable.
    MadeBrief,
    /// MQSUB made a durable one.
    MadeDurable,
    /// MQSUB altered a durable one.
    Altered,
    /// MQSUB took a durable one into use.
    Resumed,
    /// MQSUB failed.
    NotSubscribed,
    /// A subscription of a program ended that was not durable.
    EndedBrief,
    /// A durable one did.
    EndedDurable,
    /// MQCLOSE was to end a subscription and did not.
    NotRemoved,
    /// MQSUBRQ.
    Requested,
    /// MQSUBRQ failed.
    NotRequested,
}

impl Noted {
    const COUNT: usize = Self::NotRequested as usize + 1;
}

impl fmt::Debug for Collecting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Collecting({})", self.counted.load(Ordering::Relaxed))
    }
}

impl Collecting {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            counted: CachePadded::default(),
            since: Mutex::new(Since::beginning(moment(clock.wall()), clock.now())),
            clock,
            noted: Default::default(),
            connections_most: AtomicU64::new(0),
            connections_most_watched: AtomicU64::new(0),
            watches_queues: AtomicBool::new(false),
        }
    }

    /// True if any connection or queue is counted.
    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        self.counted.load(Ordering::Relaxed) != 0
    }

    fn is(&self, counted: Counted) -> bool {
        self.counted.load(Ordering::Relaxed) & counted as u8 != 0
    }

    fn set(&self, counted: Counted, is_counted: bool) {
        if is_counted {
            self.counted.fetch_or(counted as u8, Ordering::Relaxed);
        } else {
            self.counted.fetch_and(!(counted as u8), Ordering::Relaxed);
        }
    }

    /// Counts so many events of a kind.
    pub(crate) fn note(&self, what: Noted, times: usize) {
        self.noted[what as usize].fetch_add(times as u64, Ordering::Relaxed);
    }

    /// Counts a new connection; there are so many now.
    pub(crate) fn note_connected(&self, connections: usize) {
        self.note(Noted::Connected, 1);
        self.connections_most.fetch_max(connections as u64, Ordering::Relaxed);
        self.connections_most_watched.fetch_max(connections as u64, Ordering::Relaxed);
    }

    pub(crate) fn note_parted(&self, parted: Parted) {
        let what = match parted {
            Parted::Disconnected => Noted::Disconnected,
            Parted::Vanished => Noted::Vanished,
            Parted::Ended => Noted::Ended,
        };
        self.note(what, 1);
    }

    pub(crate) fn now(&self) -> Monotonic {
        self.clock.now()
    }
}

impl Engine {
    /// Takes attributes of the queue manager into use that control the collection.
    pub(crate) fn collect(&self) {
        let collected = self.catalogue.manager().attributes.collected;
        self.message_channels.collect(collected.channel_statistics);
        let begins = collected.statistics && !self.collecting.is(Counted::Calls);
        if !collected.statistics && self.collecting.is(Counted::Calls) {
            // What was counted until now is told.
            self.tell_statistics(self.now());
        }
        self.collecting.set(Counted::Calls, collected.statistics);
        if begins {
            self.begin_statistics(self.now());
        }
        self.collecting.set(Counted::Queues, false);
        self.collecting.set(Counted::Accounts, false);
        for queue in self.all_queues() {
            self.measure(&queue);
        }
    }

    /// Takes attributes of a queue into use that control its measurements.
    pub(crate) fn measure(&self, queue: &Queue) {
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
        if measuring.statistics || measuring.watched {
            self.collecting.set(Counted::Queues, true);
        }
        if measuring.accounting {
            self.collecting.set(Counted::Accounts, true);
        }
    }
}
