//! What a handler may do with the connections when a tick ends.

use super::Listening;
use super::table::Table;
use crate::handler::Closed;
use crate::output::Outgoing;
use crate::remote::{ConnectionId, Shared};

/// The connections of a reactor at the end of a tick.
pub struct Tick<'a, C, O> {
    table: &'a mut Table<C, O>,
    listeners: &'a mut Vec<Option<Listening>>,
    shared: &'a Shared,
    noted: &'a mut Vec<ConnectionId>,
}

impl<'a, C, O: Outgoing + Default> Tick<'a, C, O> {
    pub(super) fn new(
        table: &'a mut Table<C, O>,
        listeners: &'a mut Vec<Option<Listening>>,
        shared: &'a Shared,
        noted: &'a mut Vec<ConnectionId>,
    ) -> Self {
        Self { table, listeners, shared, noted }
    }

    /// The next connection, not told yet in this tick, that brought bytes or was noted: by another thread, or by
    /// this one meanwhile.
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

    /// Whether connections wait for their next turn of being read.
    #[must_use]
    pub fn more_is_ready(&self) -> bool {
        self.table.ready_count() > 0
    }

    /// Every connection there is.
    #[must_use]
    pub fn ids(&self) -> Vec<ConnectionId> {
        self.table.ids()
    }

    /// Nobody can connect from now on; Unix sockets go with their paths.
    pub fn stop_listening(&mut self) {
        for mut listening in self.listeners.drain(..).flatten() {
            listening.listener.deregister(self.table.registry());
        }
    }
}
