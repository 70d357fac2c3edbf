//! What an agent and its host tell each other besides bytes.

use channel::{Conversation, RequestNumber, Statistics, StopMode};
use mqi::Reason;

/// Wakes whoever writes a connection's output.
pub trait Wake: Send + Sync {
    /// The connection has completions to send. Called from other threads, under locks of the engine: note it and
    /// wake the one who calls [`release`](super::ClientConnection::release), nothing else.
    fn wake(&self);
}

/// What the host knows of the other side without asking it.
#[derive(Clone, Debug, Default)]
pub struct PeerInfo {
    /// Where it is, as shown by DISPLAY CONN: `tcp 127.0.0.1:4711`, `unix`.
    pub origin: String,
    /// The user the operating system vouches for; stands over what the client says.
    pub user: Option<String>,
    /// The process the operating system vouches for; stands over what the client says.
    pub process: Option<u32>,
    /// Whether it may run commands, stop the queue manager and read its counters.
    pub is_administrator: bool,
}

/// What bounds one connection. Each has its home in `ferry.toml`.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What is offered to the client.
    pub channel: channel::Limits,
    /// What is refused whatever the client asks.
    pub refuses: channel::Refusals,
    /// Seconds a client has for its first frame, and for each frame it began.
    pub login_seconds: u16,
    /// Frames run in one call of `receive`, so that connections take turns.
    pub frames_per_call: u32,
    /// Bytes of output beyond which no more is encoded or read until some were written.
    pub output_bytes_max: usize,
    /// Replies that may wait at the gate or for room before no more is read.
    pub replies_max: usize,
    /// Gets that may wait at once on one connection; also commands, and marks in what comes ahead, that may wait for their
    /// answer at once in one conversation.
    pub waits_max: usize,
    /// Bytes of bodies that may be on their way in at once on one connection, one body being always allowed.
    pub arriving_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            channel: channel::Limits::default(),
            refuses: channel::Refusals::default(),
            login_seconds: 30,
            frames_per_call: 256,
            output_bytes_max: 4 * 1024 * 1024,
            replies_max: 10_000,
            waits_max: 10_000,
            arriving_bytes_max: 256 * 1024 * 1024,
        }
    }
}

/// Something only the host can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// End the queue manager.
    Stop(StopMode, Ticket),
    /// Tell the counters of queue manager and process.
    Statistics(Ticket),
}

/// Names the request a host answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    pub(super) conversation: Conversation,
    pub(super) request: RequestNumber,
}

/// What the host answers a [`Control`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is under way.
    Stopping,
    /// The counters.
    Statistics(Statistics),
    /// It cannot be done.
    Failed(Reason),
}

/// Why a connection is at its end.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Close {
    /// The client said so.
    #[error("the client disconnected")]
    Disconnected,
    /// What arrived is not what the protocol says.
    #[error("{0}")]
    Protocol(#[from] channel::Error),
    /// An administrator ended all its conversations.
    #[error("the connection was ended by STOP CONN")]
    Stopped,
    /// The client was not let in.
    #[error("{text}")]
    Refused {
        /// What the program is told.
        reason: Reason,
        /// What a person is told.
        text: String,
    },
    /// The client began a frame, or the login, and did not finish it.
    #[error("the client did not finish {what} within {seconds} seconds")]
    Unfinished {
        /// What it began.
        what: &'static str,
        /// How long it had.
        seconds: u16,
    },
    /// The client does not read, and others wait until it has what they put.
    #[error("the client has read nothing for {seconds} seconds while others wait for it")]
    Stalled {
        /// How long.
        seconds: u64,
    },
    /// The client does not answer.
    #[error("the client has not answered a heartbeat for {seconds} seconds")]
    Silent {
        /// How long.
        seconds: u64,
    },
}
