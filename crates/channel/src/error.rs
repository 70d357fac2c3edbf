//! Faults of bytes that came from the other side.

use crate::preamble::Foreign;
use mqi::Reason;

/// Why bytes are not the frame they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Another protocol is spoken.
    #[error("{0}")]
    Foreign(Foreign),
    /// The length at the head of a frame cannot be.
    #[error("a frame claims {length} bytes; at least {length_min} and at most {length_max} are allowed")]
    Length {
        /// Length that the frame claims.
        length: u32,
        /// The least a frame has.
        length_min: u32,
        /// The most that was agreed.
        length_max: u32,
    },
    /// The kind of a frame has no meaning.
    #[error("a frame has kind {0:#04x}, which this version of the protocol does not have")]
    Kind(u8),
    /// A frame arrived where it has no place.
    #[error("a frame of kind {kind:?} has no place here: {why}")]
    Unexpected {
        /// The kind.
        kind: crate::Kind,
        /// Description of the fault.
        why: &'static str,
    },
    /// A field, or a body in pieces, is not as it should be.
    #[error("{0}")]
    Wire(wire::Error),
    /// A message has a body that was sent before, and it is not kept.
    #[error(
        "a message has the body of {length} bytes that was kept {place} places ago, and there is none among {kept}"
    )]
    NotKept {
        /// Number of places back.
        place: u16,
        /// Length that the message claims.
        length: u32,
        /// Number of bodies kept.
        kept: usize,
    },
    /// A part of a frame is longer than it may be.
    #[error("the {what} has a length of {length}, and at most {length_max} is allowed: use a shorter one")]
    TooLong {
        /// The part.
        what: &'static str,
        /// Its length, in bytes or in entries.
        length: usize,
        /// The most it may have.
        length_max: usize,
    },
    /// No version is spoken by both sides.
    #[error(
        "the other side speaks {theirs} of the channel protocol, this side {ours}: use a client and a queue manager of \
         releases that have a version in common"
    )]
    Version {
        /// Theirs.
        theirs: crate::Versions,
        /// Ours.
        ours: crate::Versions,
    },
}

impl Error {
    /// A field with a value it cannot have.
    #[must_use]
    pub const fn field(field: &'static str, reason: Reason) -> Self {
        Self::Wire(wire::Error::Field { field, reason })
    }

    /// A frame that ends within a field.
    #[must_use]
    pub const fn cut(field: &'static str) -> Self {
        Self::Wire(wire::Error::Cut { field })
    }

    /// Checks the length of a part against the most it may have.
    ///
    /// # Errors
    /// When it is longer.
    pub const fn check_length(what: &'static str, length: usize, length_max: usize) -> Result<(), Self> {
        if length > length_max { Err(Self::TooLong { what, length, length_max }) } else { Ok(()) }
    }

    /// The reason to answer one request with, when the fault is confined to it and the connection can go on.
    #[must_use]
    pub fn of_request(&self) -> Option<Reason> {
        match self {
            Self::Wire(wire::Error::Field { reason, .. }) => Some(*reason),
            _ => None,
        }
    }
}

impl From<wire::Error> for Error {
    #[inline]
    fn from(error: wire::Error) -> Self {
        match error {
            wire::Error::Piece(why) => Self::Unexpected { kind: crate::Kind::Fragment, why },
            error => Self::Wire(error),
        }
    }
}
