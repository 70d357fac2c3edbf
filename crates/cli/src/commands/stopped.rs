//! Why moving messages between a queue and a file or a terminal ended early.

use std::io;

use mqi::Reason;

use crate::lines::Unread;

/// Cause of a stop; work committed before it stands.
pub(super) enum Stopped {
    /// A call was refused.
    Reason(Reason),
    /// Its input or output failed.
    Output(io::Error),
    /// A line of the input is no message, and why.
    Line(String),
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Self {
        Self::Reason(reason)
    }
}

impl From<Unread> for Stopped {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Io(error) => Self::Output(error),
            Unread::TooLong { .. } => Self::Line(format!("{unread}, which no message has")),
            Unread::NotText { .. } => Self::Line(unread.to_string()),
        }
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
