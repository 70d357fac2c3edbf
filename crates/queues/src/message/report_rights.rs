//! The rights that the reports about a message have beside those of the user it names.
//!
//! Always: only this queue manager makes them, when the message is put; no field of a message says them.
//! They stay with the message in memory, in the log, in segments and on other queues of this queue manager,
//! until a program puts it anew or a channel takes it away.

/// Verdicts about the reports of one message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportRights(u8);

impl ReportRights {
    /// The rights of the user that the message names, alone.
    pub const OF_USER: Self = Self(0);
    /// Rights of an administrator, whose login put the message for itself, and the context was made here.
    pub const OF_ADMINISTRATOR: Self = Self(1);
    /// Rights of the queue manager, which names the queue of this report itself. In memory alone: nothing is
    /// reported about a report.
    pub const OF_QUEUE_MANAGER: Self = Self(4);
    /// None: the login that put the message, in the name of another, may not put on its reply-to queue.
    pub const NONE: Self = Self(2);

    const KNOWN: u8 = Self::OF_ADMINISTRATOR.0 | Self::NONE.0;

    /// The bits by which they are kept.
    pub(crate) const fn bits(self) -> u8 {
        self.0 & Self::KNOWN
    }

    /// Takes the bits that were kept; those of a later release say nothing here.
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & Self::KNOWN)
    }

    /// True for the rights of an administrator.
    pub fn are_of_administrator(self) -> bool {
        self == Self::OF_ADMINISTRATOR
    }

    /// True if the login that put the message may not put on its reply-to queue.
    pub fn are_none(self) -> bool {
        self.0 & Self::NONE.0 != 0
    }
}
