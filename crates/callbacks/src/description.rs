//! Registrations of a program (MQCBD), and the operations of MQCB and MQCTL.

use mqi::{Reason, constants};

use crate::{Called, Consuming};

/// The purpose of a callback (`MQCBT_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallbackType {
    /// A consumer of a handle's messages.
    MessageConsumer,
    /// It is told what concerns the whole connection.
    EventHandler,
}

impl CallbackType {
    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_CALLBACK_TYPE_ERROR` for a number without a meaning.
    pub const fn from_code(code: i32) -> Result<Self, Reason> {
        match code {
            constants::MQCBT_MESSAGE_CONSUMER => Ok(Self::MessageConsumer),
            constants::MQCBT_EVENT_HANDLER => Ok(Self::EventHandler),
            _ => Err(Reason::CALLBACK_TYPE_ERROR),
        }
    }
}

/// When a callback is called besides (`MQCBDO_`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallbackOptions(pub i32);

impl CallbackOptions {
    /// Before its first message after a start; consumers alone.
    pub const START_CALL: Self = Self(constants::MQCBDO_START_CALL);
    /// After its last before a stop; consumers alone.
    pub const STOP_CALL: Self = Self(constants::MQCBDO_STOP_CALL);
    /// When it is registered.
    pub const REGISTER_CALL: Self = Self(constants::MQCBDO_REGISTER_CALL);
    /// When it is no longer.
    pub const DEREGISTER_CALL: Self = Self(constants::MQCBDO_DEREGISTER_CALL);
    /// When something happens to its queue.
    pub const EVENT_CALL: Self = Self(constants::MQCBDO_EVENT_CALL);
    /// Refuse to register while the queue manager quiesces. What is registered is told by the option of its
    /// get.
    pub const FAIL_IF_QUIESCING: Self = Self(constants::MQCBDO_FAIL_IF_QUIESCING);
    const KNOWN: i32 = constants::MQCBDO_START_CALL
        | constants::MQCBDO_STOP_CALL
        | constants::MQCBDO_REGISTER_CALL
        | constants::MQCBDO_DEREGISTER_CALL
        | constants::MQCBDO_EVENT_CALL
        | constants::MQCBDO_MC_EVENT_CALL
        | constants::MQCBDO_FAIL_IF_QUIESCING;

    /// Returns true if all of `other` is set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Removes the options for calls that only consumers get.
    pub(crate) const fn without_starts(self) -> Self {
        Self(self.0 & !(Self::START_CALL.0 | Self::STOP_CALL.0))
    }

    pub(crate) const fn is_known(self) -> bool {
        self.0 & !Self::KNOWN == 0
    }
}

/// A program's function. What it does with the connection it does through the first argument.
pub type Function = Box<dyn FnMut(&mut dyn Consuming, Called<'_>) + Send>;

/// A callback as a program registers it.
pub struct Description {
    /// The purpose of the callback.
    pub callback_type: CallbackType,
    /// When it is called besides.
    pub options: CallbackOptions,
    /// The function; there must be one.
    pub function: Option<Function>,
    /// Most bytes of a message it is given; -1 for all.
    pub message_bytes_max: i32,
}

impl Description {
    /// Describes a consumer of messages of any length.
    #[must_use]
    pub fn consumer(function: impl FnMut(&mut dyn Consuming, Called<'_>) + Send + 'static) -> Self {
        Self {
            callback_type: CallbackType::MessageConsumer,
            options: CallbackOptions::default(),
            function: Some(Box::new(function)),
            message_bytes_max: constants::MQCBD_FULL_MSG_LENGTH,
        }
    }

    /// A handler of what concerns the whole connection.
    #[must_use]
    pub fn event_handler(function: impl FnMut(&mut dyn Consuming, Called<'_>) + Send + 'static) -> Self {
        Self { callback_type: CallbackType::EventHandler, ..Self::consumer(function) }
    }

    /// Sets these options.
    #[must_use]
    pub fn with(self, options: CallbackOptions) -> Self {
        Self { options, ..self }
    }

    /// Cuts its messages to so many bytes.
    #[must_use]
    pub fn of_at_most(self, bytes: i32) -> Self {
        Self { message_bytes_max: bytes, ..self }
    }

    pub(crate) fn check(&self) -> Result<(), Reason> {
        if !self.options.is_known() {
            Err(Reason::CBD_OPTIONS_ERROR)
        } else if self.function.is_none() {
            Err(Reason::CALLBACK_ROUTINE_ERROR)
        } else if self.message_bytes_max < constants::MQCBD_FULL_MSG_LENGTH {
            Err(Reason::MAX_MSG_LENGTH_ERROR)
        } else {
            Ok(())
        }
    }
}

impl std::fmt::Debug for Description {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Description({:?}, {:#x})", self.callback_type, self.options.0)
    }
}

/// The operation of MQCB or MQCTL (`MQOP_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation(pub i32);

impl Operation {
    /// Begin to call consumers, on a thread of their own.
    pub const START: Self = Self(constants::MQOP_START);
    /// Call consumers on this thread until that ends.
    pub const START_WAIT: Self = Self(constants::MQOP_START_WAIT);
    /// End.
    pub const STOP: Self = Self(constants::MQOP_STOP);
    /// Register a callback.
    pub const REGISTER: Self = Self(constants::MQOP_REGISTER);
    /// Register it no longer.
    pub const DEREGISTER: Self = Self(constants::MQOP_DEREGISTER);
    /// Pause.
    pub const SUSPEND: Self = Self(constants::MQOP_SUSPEND);
    /// Go on.
    pub const RESUME: Self = Self(constants::MQOP_RESUME);

    /// Returns true if it is to fail while the queue manager quiesces. Operations that stop the calling of
    /// consumers never do, under any options: a program that is to end must be able to stop them.
    pub(crate) const fn fails_if_quiescing(self, options: i32) -> bool {
        matches!(self, Self::START | Self::START_WAIT | Self::RESUME)
            && options & constants::MQCTLO_FAIL_IF_QUIESCING != 0
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
