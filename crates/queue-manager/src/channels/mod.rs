//! Channels as the host and the agents meet them.
//!
//! Lives here: server connections as clients meet them (`client`), message channels as partners and the host
//! meet them (`message`). Lives elsewhere: the callers (`agents`), attributes (`objects`), channels that run
//! (`message_channels`, `instances`).

mod client;
mod means;
mod message;

pub use client::{AmqpTerms, CLIENT_CHANNEL, ChannelRefusal, ClientTerms};
pub use message::{Dial, Dials};
