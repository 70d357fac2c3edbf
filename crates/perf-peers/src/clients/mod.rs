//! Clients of our own, one module for each protocol: frames out of a socket and into it, blocking, no thread
//! of their own.
//!
//! Why none of a library: `docs/decisions/0016-clients-of-our-own-for-the-peers.md`.

pub(crate) mod amqp091;
pub(crate) mod amqp10;
pub(crate) mod kafka;
pub(crate) mod mqtt;
pub(crate) mod nats;
pub(crate) mod resp;
