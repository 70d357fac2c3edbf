//! `ferry-bridge`: the process that moves messages between a queue manager and other messaging systems.
//!
//! Lives here: definitions, as the queue manager displays them ([`definitions`]); the way to a queue manager
//! ([`door`]); a thread for each pipe ([`running`]); the process as a whole ([`supervisor`]).
//! Lives elsewhere: everything that decides about messages (crate `bridge`).
//!
//! Always: it is a program like others. It reaches its queue manager over a connection, and a fault of it
//! ends this process alone. Killed at any moment, it loses and doubles nothing that the promise of a pipe
//! covers.

pub mod definitions;
pub mod door;
pub mod running;
pub mod supervisor;
