//! The parts inside a message's body.
//!
//! Lives here: character sets and number encodings, the headers that may stand before the data, folders of
//! properties and the handles programs keep properties in, and the conversion of all of these.
//! Lives elsewhere: the conversion of a message and the choice of properties for a getter (`queue-manager`,
//! `client`); commands and their parameters (`objects`).
//!
//! Always: bytes from outside are read to their end or refused with the offset, never trusted for a length.

pub mod character_set;
pub mod convert;
pub mod headers;
pub mod msmq;
pub mod properties;
