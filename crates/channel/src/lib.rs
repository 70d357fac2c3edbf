//! Frames of client and message channels: encoding, fragments, negotiation. Pure: bytes in, frames out.
//!
//! Lives here: what the bytes on a connection mean ([`Frame`], [`client`]), how a connection begins
//! ([`preamble`], [`login`]), how a body travels only once ([`body_cache`]), how frames are made smaller
//! ([`compression`]), and both ends of a message channel ([`message`]). The layouts are drawn in
//! `docs/internals/channel-protocol.md`.
//!
//! Lives elsewhere: fields, bodies in pieces and the output buffer (`wire`), what a request does (`agents`),
//! sockets (`transport`, `client`).
//!
//! Always: a decoder answers any bytes with a value or an error, and nothing is allocated for a length that
//! was not checked against the negotiated limits first.

pub mod body_cache;
pub mod client;
pub mod compression;
pub mod descriptor;
pub mod error;
pub mod frame;
pub mod login;
pub mod message;
pub mod preamble;

pub use body_cache::{BodyCache, Outlet, SharedBodies};
pub use client::{Reply, Request, Statistics, StopMode, decode_any};
pub use compression::Ways;
pub use descriptor::FieldSet;
pub use error::Error;
pub use frame::{Conversation, Flags, Frame, Header, Kind, RequestNumber};
pub use login::{Credentials, Hello, Limits, Offers, Refusals, Refused, Secret, Versions, Welcome};
pub use preamble::{Foreign, Preamble};
pub use wire::Output;

/// A body of a request that arrives in fragments. A conversation has one on its way in each direction.
pub type Assembly = wire::Assembly<RequestNumber>;
