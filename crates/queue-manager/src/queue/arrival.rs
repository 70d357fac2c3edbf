//! Messages arriving: put, committed, given back.

use std::sync::Arc;

use mqi::{MessageFlags, Reason};
use platform::{Monotonic, WallTime};
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::record::{Body, INLINE_BODY_BYTES_MAX, RESERVED_END, reserved_for_put};
use storage::{EntryToken, Location, Lsn, MessageHead, Purpose, Record, Reservation, Sequence};

use super::delivery::Delivered;
use super::entry::{Entry, EntryState, GroupPart, Links, NEVER, NONE, Slot};
use super::{Queue, State};
use crate::conversation::Conversation;
use crate::engine::Engine;
use crate::message::{Payload, encoding};
use crate::unit_of_work::{Effect, Operation};
use crate::{Gated, Outcome};

/// A message ready to be put: every field of its descriptor is filled.
pub(crate) struct Arrival {
    pub(crate) payload: Arc<Payload>,
    pub(crate) facts: Facts,
}

/// What else is known of a message that arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) persistent: bool,
    /// 0 to 9.
    pub(crate) priority: u8,
    pub(crate) deadline: Monotonic,
    pub(crate) put_at: WallTime,
    pub(crate) now: Monotonic,
}

/// What the log is to say of a persistent message, prepared before the lock.
struct Logged {
    descriptor: encoding::Encoded,
    fragments: Option<Vec<Lsn>>,
    reservation: Reservation,
}

impl Queue {
    /// Puts a message: at once, or within the unit of work of `unit`.
    pub(crate) fn put(
        self: &Arc<Self>,
        engine: &Engine,
        arrival: Arrival,
        unit: Option<&Arc<Conversation>>,
    ) -> Outcome<()> {
        #[cfg(feature = "planted")]
        if planted::strikes(Fault::DroppedPut) {
            return Gated::free(Ok(()));
        }
        let prepared = arrival.facts.persistent.then(|| prepare(engine, &arrival.payload, unit.is_some()));
        let logged = match prepared.transpose() {
            Ok(logged) => logged,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let Arrival { payload, facts } = arrival;
        let mut state = self.lock();
        if state.is_expiry_due(facts.now) && self.refusal(&state) == Some(Reason::Q_FULL) {
            drop(state);
            self.sweep(engine, facts.now);
            state = self.lock();
        }
        if let Some(refusal) = self.refusal(&state) {
            return Gated::new(state.last_change, Err(refusal));
        }
        let slot = state.admit(engine, payload, facts);
        let placed = match unit {
            None => self.place_at_once(&mut state, engine, slot, facts, logged),
            Some(conversation) => self.place_within(&mut state, engine, slot, facts, logged, conversation),
        };
        if engine.memory.is_over() {
            state.mark_cold(slot);
            drop(state);
            self.shed(engine);
        }
        placed
    }

    fn refusal(&self, state: &State) -> Option<Reason> {
        let attributes = self.attributes();
        if state.deleted {
            Some(Reason::Q_DELETED)
        } else if attributes.put_inhibited {
            Some(Reason::PUT_INHIBITED)
        } else if state.depth >= attributes.depth_max {
            Some(Reason::Q_FULL)
        } else {
            None
        }
    }

    fn place_at_once(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        facts: Facts,
        logged: Option<Logged>,
    ) -> Outcome<()> {
        let mut need = Lsn::ZERO;
        if let Some(mut logged) = logged {
            need = self.append_put(state, engine, slot, facts, &mut logged, None).1;
        }
        state.depth += 1;
        state.was_put(facts.put_at);
        state.last_change = state.last_change.max(need);
        self.arrive(state, engine, slot, facts.now);
        Gated::new(need, Ok(()))
    }

    fn place_within(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        facts: Facts,
        logged: Option<Logged>,
        conversation: &Arc<Conversation>,
    ) -> Outcome<()> {
        let mut unit = conversation.unit.lock();
        if let Err(reason) = unit.admit(engine.uncommitted_max()) {
            drop(unit);
            state.drop_entry(engine, slot);
            return Gated::free(Err(reason));
        }
        if let Some(mut logged) = logged {
            let name = unit.begin(engine, conversation, &mut logged.reservation);
            let (at, _) = self.append_put(state, engine, slot, facts, &mut logged, Some(name));
            unit.logged(at);
        }
        let sequence = state.slab[slot].sequence;
        let operation = Operation { queue: Arc::clone(self), slot, sequence, effect: Effect::Put };
        unit.add(operation, facts.put_at);
        drop(unit);
        state.slab[slot].state = EntryState::Uncommitted;
        state.depth += 1;
        state.uncommitted += 1;
        state.was_put(facts.put_at);
        Gated::free(Ok(()))
    }

    /// Appends the record of a put; returns its position and its need.
    fn append_put(
        &self,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        facts: Facts,
        logged: &mut Logged,
        unit: Option<storage::UnitId>,
    ) -> (Lsn, Lsn) {
        let entry = &mut state.slab[slot];
        let payload = entry.payload.as_ref().expect("a message that arrives is in memory");
        let head = MessageHead {
            queue: self.id,
            sequence: Sequence(entry.sequence),
            priority: entry.priority,
            expires_at: expires_at(facts),
            message_id: entry.message_id,
            correlation_id: entry.correlation_id,
            group_id: payload.descriptor.group_id.0,
        };
        let body = match &logged.fragments {
            None => Body::Inline(&payload.body),
            Some(at) => Body::Fragments { at, length: payload.body.len() as u64 },
        };
        let record = Record::Put { unit, head, descriptor: &logged.descriptor, body };
        let token = EntryToken(u64::from(slot));
        let appended = engine.storage.append(&record, Some(token), &mut logged.reservation);
        entry.location = Some(Location::Log(appended.at));
        entry.need = appended.need;
        (appended.at, appended.need)
    }

    /// Offers a message that is on no list to the waiters, and makes it available if none takes it.
    pub(crate) fn arrive(self: &Arc<Self>, state: &mut State, engine: &Engine, slot: Slot, now: Monotonic) {
        let fifo = state.fifo();
        state.slab[slot].state = EntryState::Reserved;
        while state.waiters.count() > 0 && state.slab[slot].deadline > now {
            let Some(waiter) = state.waiters.take_oldest_match(&state.slab[slot], fifo) else { break };
            match self.hand_off(state, engine, slot, waiter, now) {
                Delivered::Taken => return,
                Delivered::Kept => {}
            }
        }
        state.link(slot);
        let deadline = state.slab[slot].deadline;
        if deadline != NEVER {
            state.want_tick(engine, self.id, super::expiry::tick_for(deadline));
        }
    }

    /// A unit of work that put this message stands.
    pub(crate) fn put_committed(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        need: Lsn,
        now: Monotonic,
    ) {
        let entry = &mut state.slab[slot];
        assert!(entry.state == EntryState::Uncommitted, "a commit finds its puts as it left them");
        entry.need = need;
        state.uncommitted -= 1;
        state.last_change = state.last_change.max(need);
        self.arrive(state, engine, slot, now);
    }

    /// A unit of work that had got this message was backed out.
    pub(crate) fn get_backed_out(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        now: Monotonic,
    ) {
        let entry = &mut state.slab[slot];
        assert!(entry.state == EntryState::Locked, "a backout finds its gets as it left them");
        entry.backout_count = entry.backout_count.saturating_add(1);
        if entry.persistent {
            state.returned.insert(slot);
        }
        state.uncommitted -= 1;
        state.depth += 1;
        self.arrive(state, engine, slot, now);
    }
}

impl State {
    /// Takes a slot and a sequence for a message.
    fn admit(&mut self, engine: &Engine, payload: Arc<Payload>, facts: Facts) -> Slot {
        let descriptor = &payload.descriptor;
        let grouped = descriptor.group_id.0 != [0; 24]
            || descriptor.offset != 0
            || descriptor.message_sequence_number != 1
            || descriptor.message_flags.intersects(MessageFlags::SEGMENT | MessageFlags::MSG_IN_GROUP);
        let group = grouped.then(|| {
            Box::new(GroupPart {
                group_id: descriptor.group_id.0,
                message_sequence_number: descriptor.message_sequence_number,
                offset: descriptor.offset,
                links: Links::NONE,
            })
        });
        let bytes = payload.bytes();
        self.resident_bytes += bytes;
        engine.memory.add(bytes);
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        self.slab.insert(Entry {
            message_id: descriptor.message_id.0,
            correlation_id: descriptor.correlation_id.0,
            sequence,
            need: Lsn::ZERO,
            deadline: facts.deadline,
            location: None,
            body_length: payload.body.len() as u32,
            payload: Some(payload),
            group,
            backout_count: 0,
            arrived_second: engine.second(),
            order: Links { previous: NONE, next: NONE },
            by_message: Links::NONE,
            by_correlation: Links::NONE,
            priority: facts.priority,
            state: EntryState::Reserved,
            persistent: facts.persistent,
            indexed: 0,
        })
    }

    /// Drops a message whose put was refused after it had a slot.
    fn drop_entry(&mut self, engine: &Engine, slot: Slot) {
        let entry = self.slab.remove(slot);
        self.forget_payload(engine, entry.payload.as_deref());
    }

    /// Takes a payload that left memory off the account.
    pub(super) fn forget_payload(&mut self, engine: &Engine, payload: Option<&Payload>) {
        if let Some(payload) = payload {
            self.resident_bytes -= payload.bytes();
            engine.memory.subtract(payload.bytes());
        }
    }
}

fn prepare(engine: &Engine, payload: &Payload, is_in_unit: bool) -> Result<Logged, Reason> {
    let descriptor = encoding::encode(&payload.descriptor);
    let bytes = reserved_for_put(descriptor.len(), payload.body.len());
    let end = if is_in_unit { RESERVED_END } else { 0 };
    let mut reservation = engine.reserve(bytes + end, Purpose::Fill)?;
    let is_large = payload.body.len() > INLINE_BODY_BYTES_MAX;
    let fragments = is_large.then(|| engine.storage.append_body(&payload.body, &mut reservation));
    Ok(Logged { descriptor, fragments, reservation })
}

/// When the message expires by the time of day, as the log keeps it.
fn expires_at(facts: Facts) -> i64 {
    if facts.deadline == NEVER {
        return i64::MAX;
    }
    let left = facts.deadline.since(facts.now).as_micros();
    facts.put_at.0.saturating_add(i64::try_from(left).unwrap_or(i64::MAX))
}
