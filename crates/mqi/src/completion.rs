//! Completion codes: how a call ended, before one asks why.

use crate::constants::{MQCC_FAILED, MQCC_OK, MQCC_WARNING};

/// Outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompletionCode {
    /// The call did its work.
    Ok,
    /// It did part of it, or did it with a remark; the reason says which.
    Warning,
    /// The call did nothing.
    Failed,
}

impl CompletionCode {
    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Ok => MQCC_OK,
            Self::Warning => MQCC_WARNING,
            Self::Failed => MQCC_FAILED,
        }
    }

    /// The completion a number stands for.
    #[must_use]
    pub const fn from_code(code: i32) -> Option<Self> {
        match code {
            MQCC_OK => Some(Self::Ok),
            MQCC_WARNING => Some(Self::Warning),
            MQCC_FAILED => Some(Self::Failed),
            _ => None,
        }
    }
}
