//! Why moving messages between a queue and a file or a terminal ended early.

use std::io;

use mqi::Reason;

/// What stopped it; what was committed before stands.
pub(super) enum Stopped {
    /// A call was refused.
    Reason(Reason),
    /// What it reads from or writes to failed.
    Output(io::Error),
    /// A line of the input is no message, and why.
    Line(String),
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Self {
        Self::Reason(reason)
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
