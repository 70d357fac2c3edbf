//! One conversation each: turning frames into verbs.
//!
//! Lives here: the agents, state machines without sockets, threads or clocks. A host hands them the bytes
//! that arrived and takes away the bytes to send, by the calls of [`Agent`]. Common to all of them:
//! `pending_connection` (a connection before its protocol is known), `gate` (replies in order, behind their
//! gates), `streams` (messages that come by credit), `inbox` (what other threads leave), `patience`,
//! `compression` (frames made smaller).
//!
//! Lives elsewhere: what bytes mean (`channel`), what verbs do (`queue-manager`), sockets (`transport`,
//! `server`).
//!
//! Always: an agent reaches queues through the verbs alone, and what it answers leaves through one gate
//! ([`Agent::release`]).

mod agent;
pub mod amqp_connection;
mod arriving;
pub mod client_connection;
pub mod command_server;
mod compression;
mod gate;
mod inbox;
mod logins;
pub mod message_channel;
mod patience;
mod pending_connection;
mod streams;

pub use agent::{Agent, Answer, Close, Control, LocalUser, PeerInfo, Ticket, Wake};
pub use amqp_connection::AmqpConnection;
pub use client_connection::{ClientConnection, Limits};
pub use logins::{Admission, AwaitsVerdict, Denial, Judging, Login, Logins, Standing, Verdict, Work};
pub use message_channel::MessageChannel;
pub use pending_connection::{PendingConnection, Protocol};
pub use wire::Output;
