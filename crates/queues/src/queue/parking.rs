//! Getters whose message is there, but not the room for the record that says they got it (see
//! [`crate::room`]).

use std::sync::Arc;

use mqi::Reason;
use storage::Reservation;

use super::entry::Slot;
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::Gated;
use crate::queues::Queues;

impl Queue {
    /// Seats a getter until there is room; it stands in no row meanwhile, and its message stays where it is.
    /// Returns a getter whose connection has ended.
    pub(super) fn park(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        mut waiter: Box<Waiter>,
    ) -> Result<(), Box<Waiter>> {
        waiter.lacks_room = true;
        let wanted = state.room_wanted(&waiter.request, slot).unwrap_or_default();
        let ticket = self.seat(state, waiter)?;
        queues.park(Arc::clone(self), ticket, wanted);
        Ok(())
    }

    /// Resumes the getter with the room that it waited for: it looks again.
    pub(crate) fn unpark(self: &Arc<Self>, queues: &Queues, ticket: Ticket, room: Reservation) {
        let request = {
            let mut state = self.lock();
            let Some(waiter) = state.waiters.get_mut(ticket) else { return };
            waiter.reservation = Some(room);
            waiter.request.clone()
        };
        let mut state = self.lock_indexed(&request);
        self.look_again(&mut state, queues, ticket);
        Self::release(queues, state);
    }

    /// Ends the wait of a getter that found no room.
    pub(crate) fn refuse_parked(&self, ticket: Ticket, reason: Reason) {
        let waiter = self.lock().waiters.remove(ticket);
        if let Some(waiter) = waiter {
            waiter.complete(Gated::free(Err(reason)));
        }
    }
}
