//! Frames of client channels: encoding, fragments, negotiation. Pure: bytes in, frames out.
//!
//! Lives here: what the bytes on a connection mean ([`Frame`], [`client`]), how a connection begins ([`preamble`],
//! [`login`]), how long bodies travel in pieces ([`Assembly`]) or
//! only once ([`kept`]), and the buffer replies leave through ([`Output`]).
//! The layouts are drawn in `docs/internals/channel-protocol.md`.
//!
//! Lives elsewhere: what a request does (`agents`), sockets (`transport`, `client`).
//!
//! Always: a decoder answers any bytes with a value or an error, and nothing is allocated for a length that was
//! not checked against the negotiated limits first.

pub mod assembly;
pub mod client;
pub mod descriptor;
pub mod error;
pub mod frame;
pub mod kept;
pub mod login;
pub mod output;
pub mod preamble;
mod wire;

pub use assembly::Assembly;
pub use client::{Reply, Request, Statistics, StopMode, decode_any};
pub use descriptor::FieldSet;
pub use error::Error;
pub use frame::{Conversation, Flags, Frame, Header, Kind, RequestNumber};
pub use kept::Kept;
pub use login::{Hello, Limits, Refusals, Refused, Versions, Welcome};
pub use output::Output;
pub use preamble::{Foreign, Preamble};
