//! Parts that every codec is made of. Pure: bytes in, bytes out.
//!
//! Lives here: the buffer that frames leave through ([`Output`]), the fields that a payload is read as and
//! written from ([`fields`]), and bodies that arrive in pieces ([`Assembly`]).
//!
//! Lives elsewhere: frames and their meaning (`channel`), sockets (`transport`).
//!
//! Always: reading answers any bytes with a value or an error, and nothing is allocated for a length that was
//! not checked first.

pub mod assembly;
pub mod error;
pub mod fields;
pub mod output;

pub use assembly::Assembly;
pub use error::Error;
pub use fields::{Fields, Gathered};
pub use output::Output;
