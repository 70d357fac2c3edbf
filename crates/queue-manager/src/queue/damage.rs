//! Messages that cannot be read back: their bytes on the disk are not those that were written, or cannot be read.
//!
//! The get or browse that reaches such a message first answers 2101, and an event names queue, message and position. The
//! message is then set aside, so that it does not stop those behind it: it stays on the queue, counts in CURDEPTH and in
//! DAMAGED of DISPLAY QSTATUS, keeps its bytes from being given up by checkpoints, and is passed over by gets for any
//! message and by browses. A get that asks for it by an identifier is not told that it is not there: it has it read once more,
//! and gets it if the file was put right, or 2101. After a restart it is met, and told of, again; where the damage is in the
//! part of the log that a restart reads, the start itself is refused. Only CLEAR and PURGE remove it; nothing is dropped in
//! silence.

use std::sync::Arc;

use mqi::Reason;

use super::entry::{EntryState, NONE, Slot};
use super::request::{Action, Request};
use super::waiters::Ticket;
use super::{Queue, State};
use crate::engine::Engine;
use crate::events;
use crate::{Gated, GotMessage, Outcome};

impl Queue {
    /// Answers who waited for a message that cannot be read back, and sets the message aside.
    pub(super) fn refuse_damaged(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        ticket: Ticket,
        reason: String,
    ) {
        let Some(waiter) = state.waiters.remove(ticket) else { return };
        let Some((slot, sequence)) = waiter.reading else { return };
        assert!(state.holds(slot, sequence), "a message that is being read back stays");
        let message_id = mqi::MessageId(state.slab[slot].message_id).to_string();
        match state.slab[slot].state {
            EntryState::Available => {
                state.move_cursor(&waiter.request, slot, true);
                state.unlink(slot, EntryState::Damaged);
            }
            // A browser leaves alone what somebody else holds.
            _ if waiter.request.action == Action::Browse => {}
            _ => state.slab[slot].state = EntryState::Damaged,
        }
        if state.slab[slot].state == EntryState::Damaged {
            state.damaged.insert(slot);
        }
        engine.host.event(&events::MESSAGE_UNREADABLE.with([message_id, self.name.to_string(), reason]));
        let refused: Outcome<GotMessage> = Gated::new(state.last_change, Err(Reason::OBJECT_DAMAGED));
        waiter.complete(refused);
    }
}

impl State {
    /// A message set aside that a getter asks for by an identifier.
    pub(super) fn find_damaged(&self, request: &Request) -> Slot {
        if self.damaged.is_empty() || request.action == Action::Browse || request.criteria.key().is_none() {
            return NONE;
        }
        let asked_for = |slot: &&Slot| request.criteria.matches(&self.slab[**slot]);
        let asked_for = self.damaged.iter().filter(asked_for).copied();
        asked_for.min_by_key(|slot| self.slab[*slot].sequence).unwrap_or(NONE)
    }

    /// Puts every message set aside back in its place.
    pub(super) fn readmit_damaged(&mut self) {
        for slot in std::mem::take(&mut self.damaged) {
            self.link(slot);
        }
    }
}
