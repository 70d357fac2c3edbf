//! One conversation each: turning frames into verbs.
//!
//! Lives here: the agents, state machines without sockets, threads or clocks. A host hands them the bytes that
//! arrived and takes away the bytes to send.
//!
//! Lives elsewhere: what bytes mean (`channel`), what verbs do (`queue-manager`), sockets (`transport`, `server`).
//!
//! Always: an agent reaches queues through the verbs alone, and what it answers leaves through one gate
//! ([`Agent::release`]).

mod agent;
pub mod client_connection;
pub mod command_server;

pub use agent::{Agent, Answer, Close, Control, PeerInfo, Ticket, Wake};
pub use client_connection::{ClientConnection, Limits};
pub use wire::Output;
