//! Bridges to other messaging systems: once and only once where the other system makes it possible.
//!
//! Lives here, and all of it is pure: the systems and their promises ([`system`]); the seat of the one
//! process that works ([`seat`]); the durable state of a pipe and the names of its branches ([`state`]); the
//! limits of a batch ([`batch`]); the calls that a machine asks its host for and the answers ([`exchange`]);
//! the machine of each direction ([`outbound`], [`inbound`]); the host that carries the calls out by verbs
//! ([`host`]); refused messages and retries ([`refusal`]); messages of one system as messages of the other
//! ([`mapping`]); and foreign systems, queue managers and hosts as models, with the simulation that judges
//! both machines ([`model`]).
//!
//! Lives elsewhere: the decision on batches in doubt (`channel::message::in_doubt`); sockets, threads and
//! definitions (`ferry-bridge`).
//!
//! Always: no socket, no clock, no randomness but what the caller hands in; bytes from a foreign system never
//! panic; no state of a machine is durable outside the queue manager and the foreign system.

pub mod batch;
mod bind;
mod digest;
pub mod exchange;
pub mod host;
pub mod inbound;
pub mod mapping;
pub mod model;
pub mod outbound;
pub mod refusal;
pub mod seat;
mod settlement;
pub mod state;
pub mod system;

pub use bind::{Bind, Machine};
