//! One line of a history.

use serde::{Deserialize, Serialize};

/// Identity of a message: its putter, the number of the put, and the digest of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MessageIdentity {
    /// The client that put it.
    pub putter: u32,
    /// Counted by that client; later puts have higher ones.
    pub sequence: u64,
    /// Checksum of the whole body.
    pub crc: u32,
}

/// Request of a client. Units of work are counted by their client and never reused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Put a message.
    Put {
        /// Where to.
        queue: String,
        /// The message.
        message: MessageIdentity,
        /// 0 to 9.
        priority: u8,
        /// True if it must survive restarts.
        persistent: bool,
        /// Within this unit of work.
        unit: Option<u64>,
    },
    /// Get a message destructively.
    Get {
        /// Where from.
        queue: String,
        /// Within this unit of work.
        unit: Option<u64>,
        /// True if it asks for a certain one, so that order says nothing.
        selective: bool,
    },
    /// Make a unit of work stand.
    Commit {
        /// The unit.
        unit: u64,
    },
    /// Undo a unit of work.
    Backout {
        /// The unit.
        unit: u64,
    },
    /// Ask how many messages are on a queue.
    Depth {
        /// The queue.
        queue: String,
    },
}

/// Answer to a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is done.
    Done,
    /// This message.
    Message(MessageIdentity),
    /// A message whose body carries no identity: never one of ours.
    Unrecognised,
    /// No message.
    Empty,
    /// A message that cannot be read: it stays, and gets pass it over until the next restart.
    Unreadable,
    /// So many messages.
    Depth(u64),
}

/// Kind of event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// A call began.
    Invoke(Action),
    /// It succeeded.
    Ok(Outcome),
    /// It failed, and did nothing.
    Fail(String),
    /// The client does not know and never will.
    Unknown,
    /// The queue manager was started again: units of work that were open are over, non-persistent messages
    /// may be gone.
    Restart,
    /// The queue was found empty with nobody else at work: what has not been got by now is not there.
    Drained {
        /// The queue.
        queue: String,
    },
}

/// One line of a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Nanoseconds of a monotonic clock that all writers of the history share.
    pub at: u64,
    /// The client.
    pub client: u32,
    /// Number of its call; one call has an invocation and at most one outcome.
    pub call: u64,
    /// The kind of event.
    pub what: Happening,
}
