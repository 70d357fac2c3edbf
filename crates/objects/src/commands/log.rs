//! Commands about the recovery log: the steps of RESET QMGR that it takes.

use mqi::constants::{MQACT_ADVANCE_LOG, MQACT_ARCHIVE_LOG, MQACT_REDUCE_LOG};

/// A step of the recovery log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogStep {
    /// Begin a new extent.
    Advance,
    /// Give extents back.
    Reduce,
    /// Take note that extents are kept elsewhere.
    Archived,
}

impl LogStep {
    /// The word of the parameter that may follow TYPE.
    pub(super) fn parameter(self) -> Option<&'static str> {
        match self {
            Self::Advance => None,
            Self::Reduce => Some("REDUCE"),
            Self::Archived => Some("ARCHIVED"),
        }
    }

    /// The step of an action in binary form.
    pub(super) fn of(action: i32) -> Option<Self> {
        match action {
            MQACT_ADVANCE_LOG => Some(Self::Advance),
            MQACT_REDUCE_LOG => Some(Self::Reduce),
            MQACT_ARCHIVE_LOG => Some(Self::Archived),
            _ => None,
        }
    }
}
