//! The state of a queue as commands show it, and why a command on it is refused.

use mqi::Reason;
use objects::Moment;
use storage::Lsn;

/// Why a queue is not cleared or deleted now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// Handles have it open.
    Open {
        /// Number of handles.
        handles: u32,
    },
    /// It holds messages.
    NotEmpty {
        /// Number of messages.
        messages: u32,
    },
    /// Units of work hold messages of it.
    Uncommitted {
        /// Number of messages.
        messages: u32,
    },
    /// The engine's own reason, such as a full log.
    Refused(Reason),
}

/// Fate of a deleted queue's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// There must be none.
    Keep,
    /// They go with the queue.
    Purge,
}

/// A queue was emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// Number of messages removed.
    pub messages: u32,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

/// State of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueState {
    /// Messages on it, uncommitted ones included.
    pub depth: u32,
    /// Messages put or got by units of work that have not ended.
    pub uncommitted: u32,
    /// Messages set aside because they cannot be read back.
    pub damaged: u32,
    /// Messages that are delivered later.
    pub delayed: u32,
    /// Size of its messages, in megabytes, rounded up.
    pub megabytes: u32,
    /// Greatest size of its messages: MAXFSIZE.
    pub megabytes_max: u32,
    /// Handles open for input.
    pub input_handles: u32,
    /// Handles open for output.
    pub output_handles: u32,
    /// Handles open in any way.
    pub handles: u32,
    /// MONQ as it is in force, an MQMON_ value.
    pub monitoring: i32,
    /// Mean time that got messages had been on it, in microseconds: of the last few, and of more of them.
    pub time_on_queue: Option<(u64, u64)>,
    /// Age of the oldest message in seconds.
    pub oldest_age: Option<u32>,
    /// The last put since the start.
    pub last_put: Option<Moment>,
    /// The last get since the start.
    pub last_get: Option<Moment>,
    /// Position that must be durable before the outside may learn of this.
    pub need: Lsn,
}

/// Counts of a queue since the last report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueFigures {
    /// For how long.
    pub seconds: u64,
    /// The greatest depth meanwhile.
    pub depth_highest: u32,
    /// Messages put.
    pub enqueued: u64,
    /// Messages got.
    pub dequeued: u64,
}
