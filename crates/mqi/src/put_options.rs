//! Options of a put, and its result.

use std::borrow::Cow;
use std::time::Duration;

use crate::{MessageHandle, ObjectHandle, ObjectName, PutFlags, QueueManagerName, Reason, constants};

/// Relation of a put to an earlier message (`MQACTP_`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PutAction {
    /// Nothing: the message is new.
    #[default]
    New,
    /// It passes the earlier message on.
    Forward,
    /// It replies to the earlier message.
    Reply,
    /// It reports on the earlier message.
    Report,
}

impl PutAction {
    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::New => constants::MQACTP_NEW,
            Self::Forward => constants::MQACTP_FORWARD,
            Self::Reply => constants::MQACTP_REPLY,
            Self::Report => constants::MQACTP_REPORT,
        }
    }

    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_ACTION_ERROR` for a number without a meaning here.
    pub const fn from_code(code: i32) -> Result<Self, Reason> {
        match code {
            constants::MQACTP_NEW => Ok(Self::New),
            constants::MQACTP_FORWARD => Ok(Self::Forward),
            constants::MQACTP_REPLY => Ok(Self::Reply),
            constants::MQACTP_REPORT => Ok(Self::Report),
            _ => Err(Reason::ACTION_ERROR),
        }
    }
}

/// The put-message options; the last fields are filled by the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutOptions {
    /// Options of the put.
    pub flags: PutFlags,
    /// The queue whose saved context is passed on.
    pub context: Option<ObjectHandle>,
    /// Properties of the message this one comes from.
    pub original_message_handle: MessageHandle,
    /// Properties of the message put.
    pub new_message_handle: MessageHandle,
    /// Relation of the message to the one it comes from.
    pub action: PutAction,
    /// Highest level of the subscribers that see the publication first; 9 for all.
    pub publication_level: i32,
    /// Time for which no getter is given the message; it is accepted, logged and counted at once.
    pub delivery_delay: Duration,
    /// Filled by the call: the queue the message is on.
    pub resolved_queue_name: ObjectName,
    /// Filled by the call: the queue manager that has that queue.
    pub resolved_queue_manager_name: QueueManagerName,
    /// Filled by the call: a remark on a put that succeeded.
    pub warning: Option<Reason>,
}

impl Default for PutOptions {
    fn default() -> Self {
        Self {
            flags: PutFlags::EMPTY,
            context: None,
            original_message_handle: MessageHandle::NONE,
            new_message_handle: MessageHandle::NONE,
            action: PutAction::New,
            publication_level: 9,
            delivery_delay: Duration::ZERO,
            resolved_queue_name: ObjectName::BLANK,
            resolved_queue_manager_name: QueueManagerName::BLANK,
            warning: None,
        }
    }
}

impl PutOptions {
    /// Defaults with these flags.
    #[must_use]
    pub fn with(flags: PutFlags) -> Self {
        Self { flags, ..Self::default() }
    }

    /// True if the message may come from message handles, beside the arguments of the call.
    #[must_use]
    pub fn uses_message_handles(&self) -> bool {
        self.original_message_handle != MessageHandle::NONE
            || self.new_message_handle != MessageHandle::NONE
            || self.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY)
    }

    /// True if nobody waits for the outcome of the put.
    #[must_use]
    pub fn is_asynchronous(&self) -> bool {
        self.flags.contains(PutFlags::ASYNC_RESPONSE) && !self.flags.contains(PutFlags::SYNC_RESPONSE)
    }

    /// These, saying whether the put is waited for where they leave that to the object.
    #[must_use]
    pub fn answered_as(&self, puts_asynchronously: bool) -> Cow<'_, Self> {
        let says = PutFlags::ASYNC_RESPONSE | PutFlags::SYNC_RESPONSE;
        if !puts_asynchronously || self.flags.intersects(says) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { flags: self.flags | PutFlags::ASYNC_RESPONSE, ..self.clone() })
    }
}
