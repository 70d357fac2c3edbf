//! Bodies that come back to memory.
//!
//! A get that finds a message whose payload is evicted answers that it waits, and leaves a job. The job reads
//! the message and the next ones of the queue, so that a drain of a deep queue finds most of its messages in
//! memory. Then the getter looks again.
//!
//! Always: a message stays in its place while it is read, so that no later one is delivered before it.
//! Another getter that finds it has it read as well; the first whose job is done is given it, the next the
//! message behind.

use std::sync::Arc;

use mqi::{CorrelationId, GroupId, MessageId, Persistence, Reason};
use platform::Monotonic;
use storage::{Location, ReadError, StoredMessage};

use super::entry::{Entry, EntryState, NONE, Slot};
use super::request::Start;
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::Gated;
use crate::ground::Ground;
use crate::message::{Payload, encoding};
use crate::queue::party::Wait;
use crate::queues::Queues;

/// Most messages one job reads: enough that a drain rarely waits, little enough for the memory budget.
const READ_AHEAD_MESSAGES: usize = 128;

/// Most bytes one job reads ahead.
const READ_AHEAD_BYTES: u64 = 1 << 20;

/// Most messages of a queue in memory that were read back: those of two jobs, since two getters may take
/// turns.
const READ_BACK_MESSAGES_MAX: usize = 2 * READ_AHEAD_MESSAGES;

/// A message to be read.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) slot: Slot,
    pub(super) sequence: u64,
    pub(super) location: Location,
}

impl Queue {
    /// Reads a message back for a waiter, which is seated until it is in memory.
    pub(super) fn read_back(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        mut waiter: Box<Waiter>,
    ) {
        let sequence = state.slab[slot].sequence;
        waiter.reading = Some((slot, sequence));
        let party = Arc::clone(&waiter.party);
        let token = waiter.series.token;
        let mut waits = party.waits.lock();
        if party.has_ended() {
            drop(waits);
            return waiter.abandon();
        }
        let ticket = state.waiters.insert(waiter);
        waits.push(Wait { token, queue: Arc::clone(self), ticket });
        drop(waits);
        self.leave_job(queues, ticket);
    }

    /// Reads a message that its caller holds back from getters. Blocks. None when it cannot be read, which
    /// the error log says.
    pub(super) fn fetch(&self, ground: &Ground, slot: Slot, sequence: u64) -> Option<Arc<Payload>> {
        loop {
            let location = {
                let state = self.lock();
                let entry = state.slab.get_if(slot, sequence)?;
                if let Some(message) = entry.message() {
                    return Some(message);
                }
                entry.location?
            };
            let read = match ground.storage.read(location) {
                Err(ReadError::Moved(_)) if !self.lock().is_at(Wanted { slot, sequence, location }) => {
                    continue;
                }
                Err(error) => Err(error.to_string()),
                Ok(stored) => {
                    let wanted = Wanted { slot, sequence, location };
                    self.lock().restore(ground, wanted, &stored).map_err(|error| error.to_string())
                }
            };
            if let Err(error) = read {
                let mut state = self.lock();
                if state.holds(slot, sequence) {
                    self.tell_of_damage(&mut state, ground, slot, &error);
                }
                return None;
            }
        }
    }

    fn leave_job(self: &Arc<Self>, queues: &Queues, ticket: Ticket) {
        let queue = Arc::clone(self);
        queues.leave_job(move |queues| queue.read_for(queues, ticket));
    }

    /// The job: reads, then has the getter look again.
    fn read_for(self: &Arc<Self>, queues: &Queues, ticket: Ticket) {
        let (request, wanted) = {
            let state = self.lock();
            let Some(waiter) = state.waiters.get(ticket) else { return };
            (waiter.request.clone(), state.to_read(waiter))
        };
        let mut read: Vec<_> = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            let result = queues.ground.storage.read(wanted.location);
            let is_failure = result.is_err();
            read.push((wanted, result));
            if is_failure {
                break;
            }
        }
        let mut state = self.lock_indexed(&request);
        let mut failure = None;
        for (wanted, result) in read {
            match result.map(|stored| state.restore(&queues.ground, wanted, &stored)) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => failure = Some((wanted, error.to_string())),
                Err(ReadError::Moved(_)) if !state.is_at(wanted) => {}
                Err(error) => failure = Some((wanted, error.to_string())),
            }
        }
        self.finish_reading(&mut state, queues, ticket, failure);
        Self::release(queues, state);
    }

    fn finish_reading(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        ticket: Ticket,
        failure: Option<(Wanted, String)>,
    ) {
        let Some(waiter) = state.waiters.get(ticket) else { return };
        let Some((slot, sequence)) = waiter.reading else { return };
        let Some(entry) = state.slab.get_if(slot, sequence) else {
            return self.look_again(state, queues, ticket);
        };
        let now = queues.ground.now();
        let may_be_given = match entry.state {
            EntryState::Available | EntryState::Damaged => true,
            _ => state.or_locked(NONE, &waiter.request, now) == slot,
        };
        if entry.payload.is_none() && may_be_given {
            let is_damaged =
                failure.as_ref().is_some_and(|(wanted, _)| entry.location == Some(wanted.location));
            if !is_damaged {
                // The message moved to another place while it was read.
                return self.leave_job(queues, ticket);
            }
            let reason = failure.map(|(_, reason)| reason).unwrap_or_default();
            return self.refuse_damaged(state, &queues.ground, ticket, &reason);
        }
        if entry.state != EntryState::Damaged {
            return self.look_again(state, queues, ticket);
        }
        // Its file was put right. The getter that had it read comes first, then those that wait for it.
        state.damaged.remove(&slot);
        state.link(slot);
        self.look_again(state, queues, ticket);
        if state.slab.get_if(slot, sequence).is_some_and(|entry| entry.state == EntryState::Available) {
            state.unlink(slot, EntryState::Reserved);
            self.arrive(state, queues, slot, now);
        }
    }

    /// Restarts the search of a seated getter: its message was read or is gone, or it has room for its record
    /// now.
    pub(super) fn look_again(self: &Arc<Self>, state: &mut State, queues: &Queues, ticket: Ticket) {
        let Some(mut waiter) = state.waiters.remove(ticket) else { return };
        waiter.reading = None;
        waiter.lacks_room = false;
        waiter.is_joining = false;
        waiter.is_shut_out = false;
        if waiter.request.is_selecting() {
            return self.scan_anew(state, queues, waiter);
        }
        let now = queues.ground.now();
        let mut slot = state.or_locked(state.find(&waiter.request, now), &waiter.request, now);
        if slot == NONE {
            slot = state.find_damaged(&waiter.request);
        }
        self.serve(state, queues, slot, waiter, now);
    }

    /// Gives a getter that was taken from its seat the message it found, or seats it again when it found
    /// none.
    pub(super) fn serve(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        mut slot: Slot,
        mut waiter: Box<Waiter>,
        now: Monotonic,
    ) {
        waiter.is_shut_out = state.shuts_out(&waiter.request);
        if waiter.is_shut_out {
            slot = NONE;
        }
        if slot == NONE {
            self.release_lock_of(state, queues, &waiter.request, now);
            if waiter.request.start == Start::AtCursor {
                return waiter.complete(Gated::new(state.last_change, Err(Reason::NO_MSG_UNDER_CURSOR)));
            }
            if !waiter.waits || waiter.deadline.is_some_and(|deadline| deadline <= now) {
                let need = state.last_change;
                waiter.complete(Gated::new(need, Err(Reason::NO_MSG_AVAILABLE)));
                return;
            }
            if state.attributes.get_inhibited && !waiter.is_shut_out {
                return waiter.complete(Gated::new(state.last_change, Err(Reason::GET_INHIBITED)));
            }
            if let Err(reason) = queues.ground.quiescing(waiter.request.fail_if_quiescing) {
                return waiter.complete(Gated::new(state.last_change, Err(reason)));
            }
            waiter.party.forget_wait(waiter.series.token);
            if let Some(deadline) = waiter.deadline {
                state.want_tick(&queues.ground, self.id, deadline);
            }
            waiter.reservation = None;
            if let Err(waiter) = self.seat(state, waiter) {
                waiter.abandon();
            }
        } else if super::delivery::lacks_room(queues, state, slot, &waiter.request, &mut waiter.reservation) {
            waiter.party.forget_wait(waiter.series.token);
            self.park(state, queues, slot, waiter).unwrap_or_else(Waiter::abandon);
        } else if !state.is_in_memory(&waiter.request, slot) {
            waiter.party.forget_wait(waiter.series.token);
            self.read_for_getter(state, queues, slot, waiter);
        } else {
            let (outcome, _) = self.deliver(state, queues, slot, waiter.getter(now));
            state.answer(waiter, outcome);
        }
    }

    /// A message set aside for a getter that is no longer there returns to its place.
    pub(super) fn return_reserved(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        sequence: u64,
    ) {
        let is_reserved =
            state.slab.get_if(slot, sequence).is_some_and(|entry| entry.state == EntryState::Reserved);
        if is_reserved && !state.deleted {
            self.arrive(state, queues, slot, queues.ground.now());
            state.may_drop_again(&queues.ground, slot, sequence);
        }
    }
}

impl State {
    /// The message a waiter needs and those after it that are not in memory either.
    fn to_read(&self, waiter: &Waiter) -> Vec<Wanted> {
        waiter.reading.map_or_else(Vec::new, |(slot, sequence)| self.to_read_from(slot, sequence))
    }

    /// A message and those after it that are not in memory.
    pub(super) fn to_read_from(&self, slot: Slot, sequence: u64) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        let Some(entry) = self.slab.get_if(slot, sequence) else { return wanted };
        let mut bytes = 0;
        let mut add = |slot: Slot, entry: &Entry| {
            if let (None, Some(location)) = (&entry.payload, entry.location) {
                bytes += u64::from(entry.body_length);
                wanted.push(Wanted { slot, sequence: entry.sequence, location });
            }
            wanted.len() < READ_AHEAD_MESSAGES && bytes < READ_AHEAD_BYTES
        };
        add(slot, entry);
        let mut next = match entry.state {
            EntryState::Available => self.order.after(&self.slab, slot),
            _ => self.order.after_position(&self.slab, super::Position::of(entry, self.fifo())),
        };
        let mut looked_at = 0;
        while next != NONE && looked_at < 2 * READ_AHEAD_MESSAGES && add(next, &self.slab[next]) {
            looked_at += 1;
            next = self.order.after(&self.slab, next);
        }
        wanted
    }

    /// True if a message that is not in memory is where it was when it was wanted. When a message moves, its
    /// entry names the new place before the old one goes. So a message that is gone from the place in its
    /// entry was never moved, and looking for it again would never end.
    pub(super) fn is_at(&self, wanted: Wanted) -> bool {
        self.slab
            .get_if(wanted.slot, wanted.sequence)
            .is_some_and(|entry| entry.payload.is_none() && entry.location == Some(wanted.location))
    }

    /// Puts a message that was read into memory, if it is still there and still needs it.
    pub(super) fn restore(
        &mut self,
        ground: &Ground,
        wanted: Wanted,
        stored: &StoredMessage,
    ) -> Result<(), encoding::DecodeError> {
        if !self.is_at(wanted) {
            return Ok(());
        }
        let (mut descriptor, rights) = encoding::decode(&stored.descriptor)?;
        if !self.told.is_empty() {
            // Its file was put right.
            self.told.remove(&wanted.sequence);
        }
        let entry = &mut self.slab[wanted.slot];
        descriptor.message_id = MessageId(entry.message_id);
        descriptor.correlation_id = CorrelationId(entry.correlation_id);
        descriptor.group_id = GroupId(entry.group.as_ref().map_or([0; 24], |group| group.group_id)).into();
        descriptor.persistence =
            if entry.persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        let payload = Payload::new(descriptor, stored.body.clone()).with_report_rights(rights);
        let payload = Arc::new(payload);
        self.keep_read(ground, wanted.slot, payload);
        self.drop_read_back(ground);
        Ok(())
    }

    /// Puts a message that was read back into memory.
    pub(super) fn keep_read(&mut self, ground: &Ground, slot: Slot, payload: Arc<Payload>) {
        let bytes = payload.bytes();
        let entry = &mut self.slab[slot];
        entry.payload = Some(payload);
        self.read_back.push_back((slot, entry.sequence));
        self.resident_bytes += bytes;
        ground.memory.add(bytes);
        if !self.texts.is_empty() {
            self.learn_text(slot);
        }
    }

    /// Drops the payloads of messages that were read back long ago and are still there, as after browsing.
    pub(super) fn drop_read_back(&mut self, ground: &Ground) {
        while self.read_back.len() > READ_BACK_MESSAGES_MAX {
            let Some((slot, sequence)) = self.read_back.pop_front() else { return };
            let entry = self.slab.get_if(slot, sequence);
            if entry.is_some_and(|entry| entry.location.is_some() && !entry.is_kept_for_report()) {
                let payload = self.slab[slot].payload.take();
                payload.iter().for_each(|payload| self.forget_payload(ground, payload));
            }
        }
    }
}
