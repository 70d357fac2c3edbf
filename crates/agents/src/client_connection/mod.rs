//! The agent of a client's connection: frames in, verbs, frames out.
//!
//! How a host uses it: bytes from the socket go to [`receive`](ClientConnection::receive), again while
//! [`has_more`](ClientConnection::has_more); at the end of the tick [`release`](ClientConnection::release) with
//! proof of durability fills the connection's [`Output`], which the host writes. [`Wake`] says that other threads
//! completed something, so `release` is due. On an error the host calls [`farewell`](ClientConnection::farewell),
//! writes what it can and drops the agent.

mod peer;

pub use peer::{Answer, Close, Control, Limits, PeerInfo, Ticket, Wake};

use bytes::BytesMut;
use channel::Output;
use platform::Monotonic;
use queue_manager::QueueManager;
use std::sync::Arc;
use storage::{Durable, Lsn};

/// One client's connection with its conversations. Dropping it ends them.
pub struct ClientConnection {}

impl ClientConnection {
    /// A connection that was just accepted.
    #[must_use]
    pub fn new(queue_manager: QueueManager, peer: PeerInfo, limits: Limits, waker: Arc<dyn Wake>) -> Self {
        let _ = (queue_manager, peer, limits, waker);
        unimplemented!()
    }

    /// Decodes the frames that are whole and runs them, at most as many as one call may. What is not whole yet
    /// stays in `input`.
    ///
    /// # Errors
    /// When the connection is at its end.
    pub fn receive(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        let _ = input;
        unimplemented!()
    }

    /// Whether `input` still has whole frames that the last call had no turn for, and there is room for their
    /// output.
    #[must_use]
    pub fn has_more(&self) -> bool {
        unimplemented!()
    }

    /// Whether the host should read more from the socket; false while too much waits to be written.
    #[must_use]
    pub fn wants_input(&self) -> bool {
        unimplemented!()
    }

    /// Sends what may be known outside: in order for each conversation, as far as the log is durable and `output`
    /// has room. True when more could be sent once `output` was written.
    pub fn release(&mut self, proof: Durable, output: &mut Output) -> bool {
        let _ = (proof, output);
        unimplemented!()
    }

    /// The least position the log must reach before something more can be sent.
    #[must_use]
    pub fn lowest_need(&self) -> Option<Lsn> {
        unimplemented!()
    }

    /// Time passes: heartbeats and limits of patience. Call about once a second.
    ///
    /// # Errors
    /// When the connection is at its end.
    pub fn tick(&mut self, now: Monotonic) -> Result<(), Close> {
        let _ = now;
        unimplemented!()
    }

    /// The next thing only the host can do.
    pub fn take_control(&mut self) -> Option<Control> {
        unimplemented!()
    }

    /// Answers it.
    pub fn answer(&mut self, ticket: Ticket, answer: Answer) {
        let _ = (ticket, answer);
        unimplemented!()
    }

    /// A last word for the client on why its connection ends.
    pub fn farewell(&mut self, close: &Close, output: &mut Output) {
        let _ = (close, output);
        unimplemented!()
    }

    /// Ends all conversations in order: waits are cancelled, what was not delivered goes back, open units of work
    /// are backed out. Dropping does the same.
    pub fn close(self) {}
}
