//! The application's side of a client channel: connect, reconnect, the verbs in Rust.
//!
//! Lives here: [`Channel`], one socket to a queue manager; [`Connection`], one conversation over it with the verbs
//! ([`mqi::Verbs`]), asynchronous puts and read-ahead; [`Address`] and [`Options`], where to and how.
//!
//! Lives elsewhere: the frames (`channel`), the other side (`agents`).
//!
//! Connections of one process to one queue manager share sockets (`sharing`).
//!
//! Always: a round trip costs one write and one read at most; a thread that waits reads for all that wait;
//! the one thread of its own (`flusher`) only sends output that a program left behind.
//!
//! ```no_run
//! use client::{Connection, Options};
//! use mqi::{ObjectDescriptor, OpenOptions, Verbs};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut connection = Connection::connect(Options::to("localhost:1414".parse()?))?;
//! let queue = ObjectDescriptor::queue("DEV.QUEUE.1".parse()?);
//! let opened = connection.open(&queue, OpenOptions::OUTPUT)?;
//! connection.put(opened.handle, &mut Default::default(), &mut Default::default(), "hello".into())?;
//! connection.disconnect()?;
//! # Ok(())
//! # }
//! ```

mod address;
mod alternatives;
mod channel;
mod connection;
mod cork;
mod covered;
mod error;
mod flusher;
mod inbox;
mod lead;
mod letters;
mod link;
mod mailboxes;
mod options;
mod patience;
mod process;
mod random;
mod reader;
mod sending;
mod sharing;
mod socket;
mod tls_options;

pub use crate::channel::Channel;
pub use ::channel::client::{CommandMessage, CommandResponse, Counter, ObjectStatistics};
pub use ::channel::{Credentials, Limits, Secret, Statistics, StopMode, Versions};
pub use address::{Address, AddressError, PORT};
pub use alternatives::{Alternative, Share, draw, draw_once, in_order};
pub use connection::{Connection, ReadAhead};
pub use covered::TlsError;
pub use error::ConnectError;
pub use mqi::PutStatus;
pub use options::{Delay, Options, Reconnect};
pub use tls_options::Tls;
