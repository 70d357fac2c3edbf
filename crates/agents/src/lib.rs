//! One conversation each: turning frames into verbs.
//!
//! Lives here: the agents, state machines without sockets, threads or clocks. A host hands them the bytes that
//! arrived and takes away the bytes to send.
//!
//! Lives elsewhere: what bytes mean (`channel`), what verbs do (`queue-manager`), sockets (`transport`, `server`).
//!
//! Always: an agent reaches queues through the verbs alone, and what it answers leaves through one gate
//! ([`ClientConnection::release`]).

pub mod client_connection;
pub mod command_server;

pub use client_connection::{Answer, ClientConnection, Close, Control, Limits, PeerInfo, Ticket, Wake};
pub use wire::Output;
