//! The check that observations of several clients on one queue fit one order, which a queue of a few lines
//! would give.
//!
//! Lives here: [`Operation`] (a call with the times at which it began and was answered), [`linearize`], the
//! search for an order in the way of Wing and Gong with Lowe's memory of what was tried. Lives elsewhere: the
//! queue of a few lines (`model`), who makes the calls (`crate::concurrent`).
//!
//! Always: every client makes one call after the other; every call has an answer. Histories with calls of
//! unknown outcome are for `testing::history`, whose judge needs no search.

mod model;
mod search;

#[cfg(test)]
mod tests;

pub use search::{Verdict, linearize};

/// Identity of a message: every put makes another.
pub type MessageNumber = u32;

/// Request of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Put a message.
    Put {
        /// The message.
        message: MessageNumber,
        /// 0 to 9.
        priority: u8,
        /// Key by which it can be asked for.
        correlation: u8,
        /// After how many steps of the clock it is gone, if ever.
        expiry: Option<u32>,
        /// Within the client's unit of work.
        in_unit: bool,
    },
    /// Take the first message, or the first with a correlation identifier. Whether it waited makes no
    /// difference to what it may be told.
    Get {
        /// Key to look for.
        correlation: Option<u8>,
        /// Within the client's unit of work.
        in_unit: bool,
    },
    /// Look at the first message, or at the one after the last looked at.
    Browse {
        /// From the beginning.
        first: bool,
    },
    /// Make the client's unit of work stand.
    Commit,
    /// Undo it.
    Backout,
    /// The clock goes on by one step.
    Tick,
}

/// Answer to the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// It is done.
    Done,
    /// This message.
    Message(MessageNumber),
    /// No message.
    Nothing,
}

/// A call that was answered. Times of one history are all different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The request.
    pub call: Call,
    /// The answer.
    pub told: Told,
    /// When it began.
    pub began: u64,
    /// When it was answered.
    pub ended: u64,
    /// The clock when it began: a queue may judge expiry by any time between then and the moment the call
    /// takes effect.
    pub clock: u32,
}

/// Requests and answers of every client, in its order.
pub type History = Vec<Vec<Operation>>;
