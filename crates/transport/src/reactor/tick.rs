//! The handler's view of the connections when a tick ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Listening;
use super::table::Table;
use crate::dial::From;
use crate::handler::{Closed, Refused};
use crate::output::Outgoing;
use crate::remote::{ConnectionId, Shared, Wake};

/// The connections of a reactor at the end of a tick.
pub struct Tick<'a, C, O> {
    table: &'a mut Table<C, O>,
    listeners: &'a mut Vec<Option<Listening>>,
    shared: &'a Arc<Shared>,
    noted: &'a mut Vec<ConnectionId>,
}

impl<'a, C, O: Outgoing + Default> Tick<'a, C, O> {
    pub(super) fn new(
        table: &'a mut Table<C, O>,
        listeners: &'a mut Vec<Option<Listening>>,
        shared: &'a Arc<Shared>,
        noted: &'a mut Vec<ConnectionId>,
    ) -> Self {
        Self { table, listeners, shared, noted }
    }

    /// The next connection, not told yet in this tick, that brought bytes or was noted: by another thread, or
    /// by this one meanwhile.
    pub fn next_touched(&mut self) -> Option<ConnectionId> {
        if let Some(id) = self.table.next_touched() {
            return Some(id);
        }
        self.shared.take_noted(self.noted);
        for id in self.noted.drain(..) {
            self.table.news(id);
        }
        self.table.next_touched()
    }

    /// A connection and its output; none when it is over.
    pub fn get(&mut self, id: ConnectionId) -> Option<(&mut C, &mut O)> {
        let slot = self.table.get_mut(id)?;
        Some((&mut slot.connection, &mut slot.output))
    }

    /// Begins a connection to an address, without waiting for it.
    /// [`Handler::reached`](crate::Handler::reached) is called once it is there,
    /// [`Handler::closed`](crate::Handler::closed) with [`Closed::Unreached`] if it is not there in time.
    ///
    /// # Errors
    /// When there are as many connections as may be, or the system has no socket to give.
    pub fn connect(
        &mut self,
        address: SocketAddr,
        within: Duration,
        connection: impl FnOnce(Arc<Wake>) -> C,
    ) -> Result<ConnectionId, Refused> {
        self.table.connect((address, From::default(), None), within, self.shared, connection)
    }

    /// Takes the next connection whose deadline has passed; it has none from then on. Each is due when it is
    /// there for the first time, so that it can be given one. Those that the handler does not take are
    /// forgotten with the tick.
    pub fn next_due(&mut self) -> Option<ConnectionId> {
        self.table.next_due()
    }

    /// Sets the deadline of a connection, in place of the one it had. One that is being opened or ended has a
    /// deadline of the reactor's, which stays.
    pub fn set_deadline(&mut self, id: ConnectionId, deadline: Option<Instant>) {
        self.table.set_deadline(id, deadline);
    }

    /// Has the system probe the other end of a connection after so long a silence, where it goes over TCP.
    pub fn keep_alive(&mut self, id: ConnectionId, silence: Duration) {
        if let Some(slot) = self.table.get_mut(id) {
            // Without probes a connection is as good as it was: heartbeats look after it.
            let _ = slot.socket.keep_alive(silence);
        }
    }

    /// Writes what waits for a connection, as far as the kernel takes it; the rest follows by itself.
    pub fn flush(&mut self, id: ConnectionId) {
        self.table.flush(id);
    }

    /// Goes on with a connection that was paused: first with what is left of its input.
    pub fn resume(&mut self, id: ConnectionId) {
        self.table.resume(id);
    }

    /// Ends a connection once its output is written.
    pub fn finish(&mut self, id: ConnectionId) {
        self.table.finish(id);
    }

    /// Ends a connection now.
    pub fn end(&mut self, id: ConnectionId) {
        self.table.end(id, Closed::ByUs);
    }

    /// Returns true if connections wait for their next turn of being read.
    #[must_use]
    pub fn more_is_ready(&self) -> bool {
        self.table.ready_count() > 0
    }

    /// Every connection there is.
    #[must_use]
    pub fn ids(&self) -> Vec<ConnectionId> {
        self.table.ids()
    }

    /// Stops listening; Unix sockets go with their paths.
    pub fn stop_listening(&mut self) {
        for mut listening in self.listeners.drain(..).flatten() {
            listening.listener.deregister(self.table.registry());
        }
    }
}
