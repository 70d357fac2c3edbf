//! Messages that cannot be read back: their bytes on the disk are not those that were written, or cannot be
//! read.
//!
//! The get or browse that reaches such a message first answers 2101, and an event names queue, message and
//! position. The message is then set aside, so that it does not stop those behind it: it stays on the queue,
//! counts in CURDEPTH and in DAMAGED of DISPLAY QSTATUS, and is passed over by gets for any message and by
//! browses. A get that asks for it by an identifier is not told that it is not there: it has it read once
//! more, and gets it if the file was put right, or 2101. After a restart it is met, and told of, again; where
//! the damage is in the part of the log that a restart reads, the start tells of it if it is in nothing but
//! the body, else it is refused. Only CLEAR and PURGE remove it; nothing is dropped in silence.
//!
//! A checkpoint that needs the extent of the log with such a message moves it as a mark, and so may be the
//! first to meet it: the damage is then reported without any get, and again by every start, which finds the
//! mark. If the engine has it in memory still, the checkpoint stores it whole. A message reported in this way
//! stays in its place: the get or browse that reaches it answers 2101 as the first to meet it would, and sets
//! it aside.
//!
//! Always: a run tells of a message once.

use std::sync::Arc;

use mqi::Reason;
use storage::{Location, MessageHead, Recalled, Sequence, StoredMessage};

use super::entry::{Entry, EntryState, NONE, Slot};
use super::got_message::GotMessage;
use super::request::{Action, Request};
use super::waiters::Ticket;
use super::{Queue, State};
use crate::ground::Ground;
use crate::ground::events;
use crate::ground::time::NEVER;
use crate::{Gated, Outcome};

impl Queue {
    /// Answers the getter that waited for a message that cannot be read back, and sets the message aside.
    pub(super) fn refuse_damaged(
        self: &Arc<Self>,
        state: &mut State,
        ground: &Ground,
        ticket: Ticket,
        reason: &str,
    ) {
        let Some(waiter) = state.waiters.remove(ticket) else { return };
        let Some((slot, sequence)) = waiter.reading else { return };
        assert!(state.holds(slot, sequence), "a message that is being read back stays");
        match state.slab[slot].state {
            EntryState::Available => {
                // A browser that joins segments stays before the first: what is incomplete is passed over.
                if !waiter.is_joining {
                    state.move_cursor(&waiter.request, slot, true);
                }
                state.unlink(slot, EntryState::Damaged);
            }
            // A browser leaves alone what somebody else holds.
            _ if waiter.request.action == Action::Browse => {}
            _ => {
                state.forget_lock(&waiter.request, slot);
                state.slab[slot].state = EntryState::Damaged;
            }
        }
        if state.slab[slot].state == EntryState::Damaged {
            state.damaged.insert(slot);
        }
        self.tell_of_damage(state, ground, slot, reason);
        let refused: Outcome<GotMessage> = Gated::new(state.last_change, Err(Reason::OBJECT_DAMAGED));
        waiter.complete(refused);
    }

    /// Answers a getter that reached an unreadable message without holding it back from others. False when
    /// the message is not there as it was: there is another to look for.
    pub(super) fn refuse_damaged_there(
        self: &Arc<Self>,
        state: &mut State,
        ground: &Ground,
        ticket: Ticket,
        reached: (Slot, u64),
        reason: &str,
    ) -> bool {
        let (slot, sequence) = reached;
        let is_there = state
            .slab
            .get_if(slot, sequence)
            .is_some_and(|entry| entry.state == EntryState::Available && entry.payload.is_none());
        if is_there {
            if let Some(waiter) = state.waiters.get_mut(ticket) {
                waiter.reading = Some(reached);
            }
            self.refuse_damaged(state, ground, ticket, reason);
        }
        is_there
    }

    /// Returns the facts for a checkpoint of a message whose bytes in the log are damaged.
    pub fn recall(&self, ground: &Ground, slot: Slot, at: Location) -> Option<Recalled> {
        let state = self.lock();
        let entry = state.slab.get(slot).filter(|entry| entry.location == Some(at))?;
        let head = self.head_of(ground, entry, state.deliver_at(slot));
        let message = entry.payload.as_ref().map(|payload| StoredMessage {
            descriptor: payload.encoded().into(),
            body: payload.body.clone(),
        });
        Some(Recalled { head, body_length: u64::from(entry.body_length), message })
    }

    /// Returns the head in the record of a message's put.
    pub(super) fn head_of(&self, ground: &Ground, entry: &Entry, deliver_at: i64) -> MessageHead {
        let now = ground.now();
        let expires_at = if entry.deadline == NEVER {
            i64::MAX
        } else {
            let wall = ground.world.clock.wall().0;
            let micros = |left: u128| i64::try_from(left).unwrap_or(i64::MAX);
            let (left, past) = (entry.deadline.since(now), now.since(entry.deadline));
            wall.saturating_add(micros(left.as_micros())).saturating_sub(micros(past.as_micros()))
        };
        MessageHead {
            queue: self.id,
            sequence: Sequence(entry.sequence),
            priority: entry.priority,
            reports: entry.reports.bits(),
            expires_at,
            message_id: entry.message_id,
            correlation_id: entry.correlation_id,
            group_id: entry.group.as_ref().map_or([0; 24], |group| group.group_id),
            group: entry.group_head(),
            deliver_at,
        }
    }

    /// A checkpoint could save of a message only that there was one.
    pub fn lose(&self, ground: &Ground, slot: Slot, at: Location, reason: &str) {
        let mut state = self.lock();
        if state.slab.get(slot).is_some_and(|entry| entry.location == Some(at)) {
            self.note_damaged(&mut state, ground, slot, reason);
        }
    }

    /// Tells of a message that is known to be damaged before any program asked for it. It stays in its place,
    /// so that the get or browse that reaches it first answers 2101.
    pub(super) fn note_damaged(&self, state: &mut State, ground: &Ground, slot: Slot, reason: &str) {
        if state.slab[slot].payload.is_none() {
            self.tell_of_damage(state, ground, slot, reason);
        }
    }

    pub(super) fn tell_of_damage(&self, state: &mut State, ground: &Ground, slot: Slot, reason: &str) {
        let entry = &state.slab[slot];
        let message_id = mqi::MessageId(entry.message_id).to_string();
        if state.told.insert(entry.sequence) {
            let inserts = [message_id, self.name.to_string(), reason.to_owned()];
            ground.host.event(&events::MESSAGE_UNREADABLE.with(inserts));
        }
    }
}

impl State {
    /// A message set aside that a getter asks for by an identifier.
    pub(super) fn find_damaged(&self, request: &Request) -> Slot {
        if self.damaged.is_empty() || request.action == Action::Browse || !request.criteria.names_one() {
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
