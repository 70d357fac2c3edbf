//! The choice of connections and queues to count, and the numbers of the queue manager as a whole.
//!
//! Always: while counting is off, a call pays one look at a number that all connections share and none
//! changes.

use std::fmt;
use std::sync::Arc;

use objects::Moment;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use platform::{CachePadded, Clock, Monotonic};

use super::{CALLS, Totals};
use crate::ground::time::moment;

/// The state of collection for all connections, and its beginning.
pub struct Collecting {
    /// Reasons to count: bits of [`Counted`].
    counted: CachePadded<AtomicU8>,
    clock: Arc<dyn Clock>,
    /// Events by [`Noted`].
    pub noted: [AtomicU64; Noted::COUNT],
    /// The most connections at one time.
    pub connections_most: AtomicU64,
    /// The most connections at one time, for the figures below `$SYS`.
    pub connections_most_watched: AtomicU64,
    /// Queues are counted for the figures below `$SYS`.
    pub watches_queues: AtomicBool,
    /// Counts at the last report.
    pub since: Mutex<Since>,
    /// Held while it is decided what is counted, so that of two changes the later one stands. Queues are
    /// locked, and statistics are told, under it.
    pub deciding: Mutex<()>,
}

/// Reason to count, besides connections that ask for it themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
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
pub enum Noted {
    /// A program connected.
    Connected,
    /// A program could not connect.
    NotConnected,
    /// A connection ended by MQDISC.
    Disconnected,
    /// A connection ended without MQDISC.
    Vanished,
    /// The queue manager ended a connection.
    Ended,
    /// A message expired.
    Expired,
    /// A command removed a message, or it went with its queue.
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
    /// Number of kinds of events.
    pub const COUNT: usize = Self::NotRequested as usize + 1;
}

impl fmt::Debug for Collecting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Collecting({})", self.counted.load(Ordering::Relaxed))
    }
}

impl Collecting {
    /// Nothing is counted yet.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            counted: CachePadded::default(),
            since: Mutex::new(Since::beginning(moment(clock.wall()), clock.now())),
            clock,
            noted: Default::default(),
            connections_most: AtomicU64::new(0),
            connections_most_watched: AtomicU64::new(0),
            watches_queues: AtomicBool::new(false),
            deciding: Mutex::default(),
        }
    }

    /// True if any connection or queue is counted.
    #[inline]
    pub(crate) fn is_any(&self) -> bool {
        self.counted.load(Ordering::Relaxed) != 0
    }

    /// True if there is this reason to count.
    pub fn is(&self, counted: Counted) -> bool {
        self.counted.load(Ordering::Relaxed) & counted as u8 != 0
    }

    /// Sets or takes away a reason to count.
    pub fn set(&self, counted: Counted, is_counted: bool) {
        if is_counted {
            self.counted.fetch_or(counted as u8, Ordering::Relaxed);
        } else {
            self.counted.fetch_and(!(counted as u8), Ordering::Relaxed);
        }
    }

    /// Counts so many events of a kind.
    pub fn note(&self, what: Noted, times: usize) {
        self.noted[what as usize].fetch_add(times as u64, Ordering::Relaxed);
    }

    /// Counts a new connection; there are so many now.
    pub fn note_connected(&self, connections: usize) {
        self.note(Noted::Connected, 1);
        self.connections_most.fetch_max(connections as u64, Ordering::Relaxed);
        self.connections_most_watched.fetch_max(connections as u64, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> Monotonic {
        self.clock.now()
    }
}

/// Counts at the last report.
#[derive(Debug)]
pub struct Since {
    /// Time of day of the last report.
    pub began: Moment,
    /// Time of the last report.
    pub since: Monotonic,
    /// Counts of connections that have ended.
    pub gone: Totals<CALLS>,
    /// Counts of all connections.
    pub told: Totals<CALLS>,
    /// Event counts of the queue manager.
    pub noted: [u64; Noted::COUNT],
}

impl Since {
    pub(crate) fn beginning(began: Moment, since: Monotonic) -> Self {
        Self { began, since, gone: Totals::default(), told: Totals::default(), noted: [0; Noted::COUNT] }
    }

    /// Counts of connections that have ended.
    pub fn gone(&self) -> Totals<CALLS> {
        self.gone.clone()
    }
}
