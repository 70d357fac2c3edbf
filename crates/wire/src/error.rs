//! Faults of fields and of bodies in pieces.

use mqi::Reason;

/// Why bytes are not the field they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A frame ends within a field.
    #[error("a frame ends where its field \"{field}\" should be")]
    Cut {
        /// The field.
        field: &'static str,
    },
    /// A frame has more bytes of a body than the body is long.
    #[error("a frame has {0} bytes behind the end of its body")]
    Trailing(usize),
    /// A field has a value it cannot have.
    #[error("the field \"{field}\" has a value it cannot have ({reason})")]
    Field {
        /// The field.
        field: &'static str,
        /// The reason for the program.
        reason: Reason,
    },
    /// A message is longer than was agreed for the connection.
    #[error("a message of {length} bytes is longer than the {length_max} agreed for this connection")]
    MessageLength {
        /// The length that was announced.
        length: u32,
        /// The most that was agreed.
        length_max: u32,
    },
    /// A piece does not continue the body that is on its way.
    #[error("a piece of a body has no place here: {0}")]
    Piece(&'static str),
}
