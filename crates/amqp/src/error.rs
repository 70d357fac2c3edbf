//! Errors: the faults of bytes, and the conditions that the other side is told.
//!
//! Lives here: [`DecodeError`] of the codec, the table of [`Condition`]s, and [`Fault`], which says what ends
//! by it: the connection, a session or a link.

use std::borrow::Cow;

use crate::types::bounds::{EMPTY_ELEMENTS_MAX, MAP_PAIRS_MAX, NESTING_MAX};

/// Why bytes are not the value they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end within a value.
    #[error("the bytes end within a value")]
    Cut,
    /// A constructor that the protocol does not have.
    #[error("{0:#04x} is no constructor")]
    Constructor(u8),
    /// A list, map or array whose size and count do not fit what is in it.
    #[error("the size or the count of a list, map or array does not fit its content")]
    Size,
    /// Values are nested too deeply.
    #[error("values are nested more than {} deep", NESTING_MAX)]
    Nesting,
    /// A text that is no UTF-8, a symbol that is no ASCII, or a number that is no character.
    #[error("a text is not UTF-8, a symbol not ASCII, or a number no character")]
    Text,
    /// A map with a key that has no value.
    #[error("a map has a key without a value")]
    OddMap,
    /// A map with two equal keys.
    #[error("a map has the same key twice")]
    KeyTwice,
    /// A map with too many pairs.
    #[error("a map has more than {} pairs", MAP_PAIRS_MAX)]
    Pairs,
    /// An array of too many elements that have no bytes.
    #[error("an array claims more than {} elements that have no bytes", EMPTY_ELEMENTS_MAX)]
    EmptyElements,
    /// A descriptor that is neither a number nor a symbol.
    #[error("a descriptor is neither a number nor a symbol")]
    Descriptor,
    /// A field of another type than it has.
    #[error("the field \"{0}\" has a value of a type or range that it cannot have")]
    Field(&'static str),
    /// A field that must be there.
    #[error("the field \"{0}\" is missing")]
    Missing(&'static str),
    /// More fields than a type has.
    #[error("a list has more fields than its type")]
    Fields,
    /// A described type in a place where it cannot stand.
    #[error("a described type stands where it cannot")]
    Unexpected,
    /// Bytes behind a value that should be the last.
    #[error("bytes follow a value that should be the last")]
    Trailing,
    /// Sections of a message that do not stand in their order, or stand twice.
    #[error("the sections of a message are out of order, or one is there twice")]
    SectionOrder,
    /// A body of several kinds.
    #[error("the body of a message has sections of several kinds")]
    BodyKinds,
}

impl From<wire::Error> for DecodeError {
    fn from(_: wire::Error) -> Self {
        Self::Cut
    }
}

/// Makes the conditions, each with its symbol.
macro_rules! conditions {
    ($($(#[$meta:meta])* $name:ident $symbol:literal)+) => {
        /// A condition that the other side is told.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Condition {
            $($(#[$meta])* $name,)+
        }

        impl Condition {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its symbol.
            #[must_use]
            pub fn symbol(self) -> &'static str {
                match self {
                    $(Self::$name => $symbol,)+
                }
            }
        }
    };
}

conditions! {
    /// Something failed within the queue manager.
    InternalError "amqp:internal-error"
    /// No such node exists.
    NotFound "amqp:not-found"
    /// The user has no right to it.
    UnauthorizedAccess "amqp:unauthorized-access"
    /// Bytes cannot be decoded.
    DecodeError "amqp:decode-error"
    /// A bound is reached.
    ResourceLimitExceeded "amqp:resource-limit-exceeded"
    /// The node does not do that.
    NotAllowed "amqp:not-allowed"
    /// A field cannot have its value.
    InvalidField "amqp:invalid-field"
    /// Something that is not done here.
    NotImplemented "amqp:not-implemented"
    /// Another has it.
    ResourceLocked "amqp:resource-locked"
    /// A condition was not met.
    PreconditionFailed "amqp:precondition-failed"
    /// The node was deleted.
    ResourceDeleted "amqp:resource-deleted"
    /// Not in this state.
    IllegalState "amqp:illegal-state"
    /// An administrator, or the end of the queue manager, ended the connection.
    ConnectionForced "amqp:connection:forced"
    /// A frame is no frame.
    FramingError "amqp:connection:framing-error"
    /// More transfers than the window has.
    WindowViolation "amqp:session:window-violation"
    /// A link that is attached has this handle.
    HandleInUse "amqp:session:handle-in-use"
    /// No link has this handle.
    UnattachedHandle "amqp:session:unattached-handle"
    /// More transfers than the link has credit for.
    TransferLimitExceeded "amqp:link:transfer-limit-exceeded"
    /// A message is longer than the link takes.
    MessageSizeExceeded "amqp:link:message-size-exceeded"
    /// Another attach took the link's name.
    Stolen "amqp:link:stolen"
    /// No transaction has this identifier.
    UnknownTransaction "amqp:transaction:unknown-id"
    /// The transaction is backed out.
    TransactionRollback "amqp:transaction:rollback"
}

/// The extent of what a fault ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The connection.
    Connection,
    /// The session of this incoming channel.
    Session(u16),
    /// The link of this incoming channel and handle.
    Link(u16, u32),
}

/// A fault of the other side: what ends by it, the condition that it is told, and words for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Fault {
    /// The extent of what ends by it.
    pub scope: Scope,
    /// The condition.
    pub condition: Condition,
    /// The words.
    pub text: Cow<'static, str>,
}

impl Fault {
    /// A fault of this scope.
    pub fn new(scope: Scope, condition: Condition, text: impl Into<Cow<'static, str>>) -> Self {
        Self { scope, condition, text: text.into() }
    }

    /// A fault that ends the connection.
    pub fn of_connection(condition: Condition, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Scope::Connection, condition, text)
    }
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Self {
        Self::of_connection(Condition::DecodeError, error.to_string())
    }
}
