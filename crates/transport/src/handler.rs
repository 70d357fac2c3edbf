//! The reactor's handler: the part that understands the bytes.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use bytes::BytesMut;

use crate::cover::{CoverError, Facts};
use crate::dial::DialId;
use crate::listener::ListenerId;
use crate::output::Outgoing;
use crate::reactor::Tick;
use crate::remote::Wake;
use crate::socket::Peer;

/// The next step with a connection's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// All complete frames are taken; bring more bytes when there are some.
    Continue,
    /// Complete frames are left in the buffer: its share of this turn is used up, call again in the next one.
    More,
    /// Nothing more is wanted until [`Tick::resume`]; frames may be left in the buffer.
    Pause,
    /// Nothing more is wanted; the connection will be ended by [`Tick::finish`] or [`Tick::end`].
    Stop,
}

/// The next step after a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Wait for the next event.
    Wait,
    /// Take what is ready now, without waiting, and end the tick again.
    Again,
    /// End the reactor.
    Stop,
}

/// Why a connection ended.
#[derive(Debug)]
pub enum Closed {
    /// The other end closed it.
    ByPeer,
    /// The handler ended it.
    ByUs,
    /// The system says it broke.
    Broken(io::Error),
    /// Its cover gave up: the handshake failed or took too long, or a record was wrong.
    Uncovered(CoverError),
    /// It was never there: the other end refused, or did not answer in time.
    Unreached(io::Error),
}

/// A program that connected, and the listener that it came by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The listener.
    pub listener: ListenerId,
    /// The program.
    pub peer: Peer,
    /// The address of this end; none for a program of this machine.
    pub local: Option<SocketAddr>,
    /// The place that it has.
    pub place: Place,
}

/// The place of a program among the connections of a reactor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// One of those that there are for programs.
    Ordinary,
    /// None: all are taken. It is connected so that it can be told, and is to go soon.
    Beyond {
        /// The limit.
        connections_max: usize,
    },
}

/// Why programs that try to connect are not served.
#[derive(Debug)]
pub enum Refused {
    /// As many connections as allowed are there, and as many beyond them as may be told.
    TooMany {
        /// The program that was turned away.
        peer: Peer,
        /// The limit.
        connections_max: usize,
    },
    /// The system has no descriptors or memory left; accepting pauses a moment.
    NoResources(io::Error),
}

/// Understands the bytes of all connections of a reactor. Called by the reactor's thread only.
pub trait Handler: Sized {
    /// State of one connection.
    type Connection;
    /// Output that waits to be written to it.
    type Output: Outgoing + Default;

    /// Says if a program that comes by a listener may stay. One that may not is closed without a word, before
    /// anything is read of it.
    fn admits(&mut self, _accepted: &Accepted) -> bool {
        true
    }

    /// Says if a program may have one of the few places that are kept for administrators, where all others
    /// are taken.
    fn is_favoured(&mut self, _accepted: &Accepted) -> bool {
        false
    }

    /// A program connected. `wake` lets any thread bring the connection into the next tick.
    fn connected(&mut self, accepted: &Accepted, wake: Arc<Wake>) -> Self::Connection;

    /// Another thread has this reactor open a connection ([`Remote::dial`](crate::Remote::dial)).
    /// [`reached`](Self::reached) or [`closed`](Self::closed) follows.
    ///
    /// # Panics
    /// Where this handler dials no connections.
    fn dialled(&mut self, id: DialId, _wake: Arc<Wake>) -> Self::Connection {
        panic!("this handler opens no connections for others, and was asked for {id:?}")
    }

    /// A connection could not be begun at all, so [`dialled`](Self::dialled) was not called.
    fn undialled(&mut self, _id: DialId, _refused: Refused) {}

    /// A connection that this side opened ([`Tick::connect`]) is there: output leaves and bytes may come from
    /// now on. The connection is among those touched in any case. `local` is the address of this end.
    fn reached(&mut self, _connection: &mut Self::Connection, _local: Option<SocketAddr>) {}

    /// The handshake of a connection under a cover is done, and established these facts; or there are none,
    /// as the program does not encrypt. No byte that it sent was received before.
    fn covered(&mut self, _connection: &mut Self::Connection, _facts: Option<Facts>) {}

    /// Bytes came. Takes the complete frames from the front of `input`, as many as are its share of one turn;
    /// for an incomplete frame it may reserve the missing length.
    fn receive(
        &mut self,
        connection: &mut Self::Connection,
        input: &mut BytesMut,
        output: &mut Self::Output,
    ) -> Flow;

    /// In a turn in which many connections are read, one of them brought news for this one. Handles the news
    /// before the next is read, so that later news finds it handled. The connection is among those touched in
    /// any case.
    fn news(&mut self, _connection: &mut Self::Connection) {}

    /// Everything that was ready is taken: release output, write it, do what is due.
    fn end_of_tick(&mut self, tick: &mut Tick<'_, Self::Connection, Self::Output>) -> Next;

    /// A connection is over.
    fn closed(&mut self, connection: Self::Connection, peer: &Peer, why: Closed);

    /// Programs could not connect.
    fn refused(&mut self, refused: Refused);

    /// When to end a tick at the latest, even if nothing happens.
    fn deadline(&mut self) -> Option<Instant>;
}
