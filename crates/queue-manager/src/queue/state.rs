//! The state of a queue as commands show it, and why a command on it is refused.

use mqi::Reason;
use objects::Moment;
use storage::Lsn;

/// Why a queue is not cleared or deleted now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// Handles have it open.
    Open {
        /// How many.
        handles: u32,
    },
    /// It holds messages.
    NotEmpty {
        /// How many.
        messages: u32,
    },
    /// Units of work hold messages of it.
    Uncommitted {
        /// How many.
        messages: u32,
    },
    /// The engine's own reason, such as a full log.
    Refused(Reason),
}

/// A queue was emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// How many messages went.
    pub messages: u32,
    /// What must be durable before anyone outside hears of it.
    pub need: Lsn,
}

/// How a queue stands.
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
    /// What its messages take, in megabytes, begun ones counted.
    pub megabytes: u32,
    /// What they may take: MAXFSIZE.
    pub megabytes_max: Option<u32>,
    /// Handles open for input.
    pub input_handles: u32,
    /// Handles open for output.
    pub output_handles: u32,
    /// Handles open in any way.
    pub handles: u32,
    /// MONQ as it is in force, an MQMON_ value.
    pub monitoring: i32,
    /// How long messages that were got had been on it, in microseconds: the last few, and more of them.
    pub time_on_queue: Option<(u64, u64)>,
    /// Age of the oldest message in seconds.
    pub oldest_age: Option<u32>,
    /// The last put since the start.
    pub last_put: Option<Moment>,
    /// The last get since the start.
    pub last_get: Option<Moment>,
    /// What must be durable before anyone outside hears of this.
    pub need: Lsn,
}

/// What was counted of a queue since the last time that it was told.
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
