//! The context of a call of a callback (MQCBC).

use bytes::Bytes;
use mqi::{CompletionCode, GetOptions, MessageDescriptor, ObjectHandle, Reason, constants};

/// Why a callback is called (`MQCBCT_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallType {
    /// Messages are about to come.
    Start,
    /// No more will.
    Stop,
    /// Registration of the callback.
    Register,
    /// End of its registration.
    Deregister,
    /// An event.
    Event,
    /// Here is a message, which is gone from its queue.
    MessageRemoved,
    /// Here is a message, which is still on its queue.
    MessageNotRemoved,
}

impl CallType {
    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Start => constants::MQCBCT_START_CALL,
            Self::Stop => constants::MQCBCT_STOP_CALL,
            Self::Register => constants::MQCBCT_REGISTER_CALL,
            Self::Deregister => constants::MQCBCT_DEREGISTER_CALL,
            Self::Event => constants::MQCBCT_EVENT_CALL,
            Self::MessageRemoved => constants::MQCBCT_MSG_REMOVED,
            Self::MessageNotRemoved => constants::MQCBCT_MSG_NOT_REMOVED,
        }
    }
}

/// The state of a consumer (`MQCS_`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConsumerState {
    /// The consumer goes on.
    #[default]
    None,
    /// It will go on by itself.
    SuspendedTemporary,
    /// It goes on when the program has seen to what is wrong and resumed it.
    SuspendedUserAction,
    /// The consumer does not go on by itself.
    Suspended,
    /// The connection does not call consumers any more.
    Stopped,
}

impl ConsumerState {
    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::None => constants::MQCS_NONE,
            Self::SuspendedTemporary => constants::MQCS_SUSPENDED_TEMPORARY,
            Self::SuspendedUserAction => constants::MQCS_SUSPENDED_USER_ACTION,
            Self::Suspended => constants::MQCS_SUSPENDED,
            Self::Stopped => constants::MQCS_STOPPED,
        }
    }
}

/// The context of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Why it is called.
    pub call_type: CallType,
    /// The handle whose messages it consumes; none for an event handler.
    pub handle: ObjectHandle,
    /// The completion code of the event.
    pub completion: CompletionCode,
    /// The reason for it.
    pub reason: Option<Reason>,
    /// The state of the consumer.
    pub state: ConsumerState,
    /// The whole length of the message.
    pub data_length: usize,
    /// Bytes of it that are here.
    pub buffer_length: usize,
    /// `MQCBCF_`: says if nothing that was read ahead is left.
    pub flags: i32,
    /// Milliseconds until the next attempt to reconnect.
    pub reconnect_delay: i32,
}

impl Context {
    pub(crate) fn new(call_type: CallType, handle: ObjectHandle) -> Self {
        Self {
            call_type,
            handle,
            completion: CompletionCode::Ok,
            reason: None,
            state: ConsumerState::None,
            data_length: 0,
            buffer_length: 0,
            flags: constants::MQCBCF_NONE,
            reconnect_delay: 0,
        }
    }

    pub(crate) fn because(self, completion: CompletionCode, reason: Option<Reason>) -> Self {
        Self { completion, reason, ..self }
    }

    pub(crate) fn in_state(self, state: ConsumerState) -> Self {
        Self { state, ..self }
    }
}

/// A message as a consumer is given it.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its descriptor.
    pub descriptor: MessageDescriptor,
    /// The options it was got with.
    pub options: GetOptions,
    /// As much of it as the consumer takes.
    pub body: Bytes,
}

/// One call.
#[derive(Clone, Copy, Debug)]
pub struct Called<'a> {
    /// The context of the call.
    pub context: Context,
    /// The message, when it is about one.
    pub message: Option<&'a Message>,
}
