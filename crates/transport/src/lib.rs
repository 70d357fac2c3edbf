//! Bytes from here to there: the reactor, TCP and Unix sockets, rings in shared memory.
//!
//! Lives here: [`Listener`]s, [`Socket`]s, and the [`Reactor`], one thread that reads all sockets that are
//! ready, hands their bytes to a [`Handler`], and writes what the handler releases, one write for each
//! connection. Also the [`cover`]s that encrypt connections, and the connections that children of the process
//! do not take over ([`inheritance`]).
//!
//! Lives elsewhere: what the bytes mean (`channel`, `agents`), when something may be released (`server`).
//!
//! Always: a socket is touched by the thread of its reactor alone; other threads note a connection in its
//! [`Wake`] and the reactor is woken once however many were noted.

pub mod cover;
pub mod dial;
pub mod handler;
pub mod inheritance;
pub mod input;
pub mod listener;
pub mod output;
pub mod reactor;
mod received;
pub mod remote;
pub mod rings;
pub mod socket;
pub mod spin;

pub use cover::{Cover, CoverError, Covers, Facts, Opened, SharedCovers};
pub use dial::{DialId, Dialling};
pub use handler::{Accepted, Closed, Flow, Handler, Next, Place, Refused};
pub use listener::{BindError, ListenAddress, Listener, ListenerId};
pub use output::Outgoing;
pub use reactor::{Limits, Reactor, Tick};
pub use remote::{ConnectionId, Remote, Wake};
pub use socket::{Peer, Socket};
