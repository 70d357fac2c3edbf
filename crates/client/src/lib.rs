//! The application's side of a client channel: connect, reconnect, the verbs in Rust.
//!
//! Lives here: [`Channel`], one socket to a queue manager; [`Connection`], one conversation over it with the
//! verbs ([`mqi::Verbs`]), asynchronous puts and read-ahead; [`Address`] and [`Options`], where to and how.
//!
//! Lives elsewhere: the frames (`channel`), the other side (`agents`).
//!
//! Connections of one process to one queue manager share sockets (`sharing`).
//!
//! Always: a round trip costs one write and one read at most; a thread that waits reads for all that wait;
//! the one thread of its own (`flusher`) only sends output that a program left behind.
//!
//! A program connects, puts within a unit of work, commits, and gets. The queue manager of this example runs
//! in the same process, so that the example runs anywhere; a program that has one gives its address alone.
//!
//! ```
//! use client::{Address, Connection, Options};
//! use mqi::{
//!     GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Reason,
//!     Verbs, Wait,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let data = server::DataDirectory::at(folder.path());
//! # let name = "QM1".parse()?;
//! # server::instances::create(&data, &name, Some("[log]\nextent_size = \"1 MiB\"\n"))?;
//! # let addresses = Some(vec!["127.0.0.1:0".parse()?]);
//! # let options = server::Options { addresses, ..server::Options::new(data, name) };
//! # let server = server::Server::start(&options)?;
//! # let port = server.address().expect("it listens").port();
//! // The same as `"localhost:1414".parse()?`, on the port of this example's queue manager.
//! let address = Address::Tcp { host: "localhost".into(), port };
//! let mut connection = Connection::connect(Options::to(address).application("example"))?;
//! assert!(!connection.command("DEFINE QLOCAL(ORDERS) DEFPSIST(YES)")?.failed);
//!
//! let queue = ObjectDescriptor::queue("ORDERS".parse()?);
//! let opened = connection.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED)?;
//! for body in ["one", "two"] {
//!     let mut options = PutOptions::with(PutFlags::SYNCPOINT);
//!     connection.put(opened.handle, &mut MessageDescriptor::default(), &mut options, body.into())?;
//! }
//! connection.commit()?;
//!
//! let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
//! for body in ["one", "two"] {
//!     let mut descriptor = MessageDescriptor::default();
//!     let got = connection.get(opened.handle, &mut descriptor, &mut options, 1_000)?;
//!     assert_eq!(&got.body[..], body.as_bytes());
//! }
//! let nothing = connection.get(opened.handle, &mut MessageDescriptor::default(), &mut options, 1_000);
//! assert_eq!(nothing.unwrap_err(), Reason::NO_MSG_AVAILABLE);
//! connection.disconnect()?;
//! # Ok(())
//! # }
//! ```

mod address;
mod alternatives;
mod binary_table;
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
pub use ::channel::compression::Offer as CompressionOffer;
pub use ::channel::login::{Compression, Compressions};
pub use ::channel::{Credentials, Limits, Secret, Statistics, StopMode, Versions};
pub use address::{Address, AddressError, PORT};
pub use alternatives::{Alternative, Share, draw, draw_once, in_order};
pub use binary_table::{BINARY_TABLE_NAME, BINARY_TABLE_STEP, is_binary_table};
pub use connection::{Connection, Identity, ReadAhead};
pub use covered::TlsError;
pub use error::ConnectError;
pub use mqi::PutStatus;
pub use options::{Delay, Options, Reconnect};
pub use tls_options::Tls;
