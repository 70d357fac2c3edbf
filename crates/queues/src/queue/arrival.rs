//! Messages arriving: put, committed, given back.

use std::sync::Arc;

use mqi::{CorrelationId, Expiry, Reason};
use objects::QueueAttributes;
use platform::sync::MutexGuard;
use platform::{Monotonic, WallTime};
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::record::{Body, INLINE_BODY_BYTES_MAX, RESERVED_END, reserved_for_put};
use storage::{EntryToken, Location, Lsn, MessageHead, Purpose, Record, Reservation, Sequence};

use super::delivery::Delivered;
use super::entry::{Entry, EntryState, GroupPart, Links, NONE, Slot, size_of_message};
use super::handing::{self, Offer};
use super::waiters::Waiter;
use super::{Queue, State};
use crate::ground::Ground;
use crate::ground::time::{ANY_TIME, Arrived, NEVER};
use crate::message::report_kind::Asked;
use crate::message::{self, LoggedDescriptor, Payload, group_place};
use crate::queue::party::Party;
use crate::queues::Queues;
use crate::unit_of_work::choice::Whose;
use crate::unit_of_work::gathering::{Beginning, Gathered, Joined};
use crate::unit_of_work::slot::UnitSlot;
use crate::unit_of_work::{Effect, Operation, Unit};
use crate::{Gated, Outcome};

/// A message ready to be put: every field of its descriptor is filled.
pub struct Arrival {
    /// The message.
    pub payload: Arc<Payload>,
    /// Its own, where the payload is that of several copies.
    pub correlation_id: Option<CorrelationId>,
    /// The facts that its queue needs.
    pub facts: Facts,
}

impl Arrival {
    /// A message that shares its payload with no other.
    pub fn new(payload: Arc<Payload>, facts: Facts) -> Self {
        Self { payload, correlation_id: None, facts }
    }
}

/// Further facts of a message that arrives.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// True if it is persistent.
    pub persistent: bool,
    /// 0 to 9.
    pub priority: u8,
    /// Its life on the queue.
    pub life: Life,
    /// Time of day of the put.
    pub put_at: WallTime,
    /// True if it may make a trigger message due: no trigger message does.
    pub may_trigger: bool,
    /// True if its queue has a stream queue, and a program puts it.
    pub is_streamed: bool,
    /// True if its queue takes messages of programs in units of work alone, and a program puts it.
    pub requires_unit: bool,
    /// True if its queue makes a trigger message for each message, and a program puts it.
    pub fires: bool,
    /// True if its queue, unless that is gone, takes it even if the queue is full or allows no puts by now: a
    /// copy that must be.
    pub is_promised: bool,
    /// True if it may use what is left above the quota of the queue manager: a report, a dead letter.
    pub uses_spare: bool,
    /// The queue managers that it has passed, this one included, where a channel brought it.
    pub hops: u8,
}

/// Time for which a message is worth delivering.
#[derive(Clone, Copy, Debug)]
pub struct Life {
    deadline: Monotonic,
    /// That end by the time of day, as the log keeps it.
    expires_at: i64,
    /// The time of day at which it may be given out; 0 for at once.
    deliver_at: i64,
}

impl Life {
    /// The expiry of a message that is put now. The clock is not read for a message that never expires.
    #[inline]
    pub fn of(ground: &Ground, expiry: Expiry, put_at: WallTime) -> Self {
        let Some(tenths) = expiry.limit() else {
            return Self { deadline: NEVER, expires_at: i64::MAX, deliver_at: 0 };
        };
        Self {
            deadline: message::deadline(expiry, ground.now()),
            expires_at: put_at.0.saturating_add(i64::from(tenths) * 100_000),
            deliver_at: 0,
        }
    }

    /// Delays the delivery to a time of day; none where that has come when the message is put.
    #[inline]
    pub fn delivered_at(self, time: i64, put_at: WallTime) -> Self {
        Self { deliver_at: if time > put_at.0 { time } else { 0 }, ..self }
    }

    /// Returns true for a message that is delivered later.
    #[inline]
    pub fn is_later(self) -> bool {
        self.deliver_at != 0
    }
}

/// Relation of a put to units of work.
pub enum Placing<'a> {
    /// It is in none, and stands at once. Where a connection waits for the answer, a persistent message may
    /// go to a waiting getter without the log.
    AtOnce {
        /// The connection that waits.
        answered: Option<&'a Arc<Party>>,
    },
    /// It is in one.
    InUnit(UnitPlace<'a>),
}

/// The unit of work that a put is in.
pub enum UnitPlace<'a> {
    /// The current one of a slot, where there must be room for so many operations.
    Within {
        /// The slot.
        unit: &'a Arc<UnitSlot>,
        /// The operations, with those that follow from it.
        operations: usize,
    },
    /// That of another operation, which it is a part of.
    Beside {
        /// The unit of work of that operation.
        whose: &'a mut Whose,
        /// Room for its record, where it was set aside.
        room: &'a mut Option<Reservation>,
    },
}

impl<'a> Placing<'a> {
    /// In the current unit of work of a slot, where there must be room for so many operations.
    #[inline]
    pub const fn within(unit: &'a Arc<UnitSlot>, operations: usize) -> Self {
        Self::InUnit(UnitPlace::Within { unit, operations })
    }

    /// In the unit of work of another operation, with room for its record where that was set aside.
    #[inline]
    pub const fn beside(whose: &'a mut Whose, room: &'a mut Option<Reservation>) -> Self {
        Self::InUnit(UnitPlace::Beside { whose, room })
    }
}

/// Log content of a persistent message, prepared before the lock. In a box: it is handed on several times,
/// and most messages have none.
#[derive(Debug)]
pub(crate) struct Logged {
    descriptor: LoggedDescriptor,
    fragments: Option<Vec<Lsn>>,
    /// Part of its body that is its own, when it is logged together with others.
    joins: Option<Beginning>,
    reservation: Reservation,
    /// Room for the trigger message that a commit puts because of it.
    for_trigger: Option<Reservation>,
}

impl Logged {
    /// True if parts of the message are in the log already.
    pub(super) fn has_fragments(&self) -> bool {
        self.fragments.is_some()
    }
}

impl Queue {
    /// Puts a message.
    pub fn put(self: &Arc<Self>, queues: &Queues, arrival: Arrival, mut placing: Placing<'_>) -> Outcome<()> {
        let facts = arrival.facts;
        let prepared = facts.persistent.then(|| self.prepare(queues, &arrival.payload, facts, &mut placing));
        let logged = match prepared.transpose() {
            Ok(logged) => logged,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let locked = self.lock_for_put(queues, size_of_message(arrival.payload.body.len()));
        self.put_locked(queues, locked, arrival, logged, placing)
    }

    /// Prepares the log content of a persistent message, with all the room that it needs now and when its
    /// unit of work ends.
    pub(super) fn prepare(
        &self,
        queues: &Queues,
        payload: &Payload,
        facts: Facts,
        placing: &mut Placing<'_>,
    ) -> Result<Box<Logged>, Reason> {
        let mut logged = prepare(queues, payload, placing)?;
        if facts.fires && matches!(placing, Placing::InUnit(UnitPlace::Within { .. })) {
            logged.for_trigger = match queues.services() {
                Some(services) => services.reserve_for_trigger(self)?,
                None => None,
            };
        }
        Ok(logged)
    }

    /// Puts a message that is not persistent and stands at once, with a body of so many bytes, made from what
    /// the queue is by now. None when nothing was made.
    pub fn put_made(
        self: &Arc<Self>,
        queues: &Queues,
        body_bytes: usize,
        make: impl FnOnce(&QueueAttributes) -> Option<Arrival>,
    ) -> Option<Outcome<()>> {
        let locked = self.lock_for_put(queues, size_of_message(body_bytes));
        let arrival = make(&locked.0.attributes)?;
        Some(self.put_locked(queues, locked, arrival, None, Placing::AtOnce { answered: None }))
    }

    /// Puts a message whose queue is locked for it, unless that refuses it.
    #[inline]
    fn put_locked(
        self: &Arc<Self>,
        queues: &Queues,
        (mut state, refusal): (MutexGuard<'_, State>, Option<Reason>),
        arrival: Arrival,
        logged: Option<Box<Logged>>,
        placing: Placing<'_>,
    ) -> Outcome<()> {
        #[cfg(feature = "planted")]
        if planted::strikes(Fault::DroppedPut) {
            return Gated::free(Ok(()));
        }
        let Arrival { payload, correlation_id, facts } = arrival;
        if let Some(refusal) = refusal
            && (!facts.is_promised || state.deleted)
        {
            return self.refused(queues, state, refusal);
        }
        if let Some(stored) = state.slab.stored()
            && !stored
                .takes(size_of_message(payload.body.len()), facts.is_promised || placing.uses_spare(facts))
        {
            return self.refused(queues, state, Reason::STORAGE_MEDIUM_FULL);
        }
        let is_later = facts.life.is_later();
        let may_pass = matches!(placing, Placing::AtOnce { .. }) && logged.is_none() && !is_later;
        let slot = if state.waiters.count() > 0 && may_pass {
            match self.pass_or_admit(&mut state, &queues.ground, (payload, correlation_id), facts) {
                Some(slot) => slot,
                None => return Gated::free(Ok(())),
            }
        } else {
            state.admit(&queues.ground, payload, correlation_id, facts)
        };
        let placed = match placing {
            Placing::AtOnce { .. } if is_later => self.place_later(&mut state, queues, slot, facts, logged),
            Placing::AtOnce { answered } => {
                self.place_at_once(&mut state, queues, slot, facts, logged, answered)
            }
            Placing::InUnit(mut place) => {
                self.place_within(&mut state, queues, slot, facts, logged, &mut place)
            }
        };
        let is_over = queues.ground.memory.is_over();
        if is_over {
            state.mark_cold(slot);
        }
        let followed = Self::release(queues, state);
        if is_over {
            self.shed(&queues.ground);
        }
        placed.and_needs(followed)
    }

    /// Lets the queue go after it refused a message.
    #[cold]
    pub(super) fn refused(
        &self,
        queues: &Queues,
        mut state: MutexGuard<'_, State>,
        refusal: Reason,
    ) -> Outcome<()> {
        if refusal == Reason::Q_FULL {
            self.note_full(&mut state);
        }
        let need = state.last_change;
        Self::release(queues, state);
        Gated::new(need, Err(refusal))
    }

    /// The lock, and the reason why a message would be refused; a queue without room is first rid of what has
    /// expired.
    #[inline]
    pub(super) fn lock_for_put(
        self: &Arc<Self>,
        queues: &Queues,
        bytes: u64,
    ) -> (MutexGuard<'_, State>, Option<Reason>) {
        let mut state = self.lock();
        let mut refusal = state.refusal(bytes);
        if matches!(refusal, Some(Reason::Q_FULL | Reason::Q_SPACE_NOT_AVAILABLE)) {
            let now = queues.ground.now();
            if state.is_expiry_due(now) {
                drop(state);
                self.sweep(queues, now);
                state = self.lock();
                refusal = state.refusal(bytes);
            }
        }
        (state, refusal)
    }

    fn place_at_once(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        facts: Facts,
        logged: Option<Box<Logged>>,
        putter: Option<&Arc<Party>>,
    ) -> Outcome<()> {
        let is_trigger = facts.may_trigger && state.is_trigger(queues, slot);
        state.count_in(slot);
        state.was_put(facts.put_at);
        let sequence = state.slab[slot].sequence;
        let mut offer = Offer { logged, first: None };
        let now = state.now_for_put(&queues.ground, facts);
        if let Some(putter) = putter
            && state.waiters.count() > 0
            && let Some(decision) = self.hand_over(state, queues, slot, facts, &mut offer, (putter, now))
        {
            if is_trigger {
                self.note_trigger(state);
            }
            state.note_not_queued(slot, sequence);
            return handing::answer(decision);
        }
        let mut need = Lsn::ZERO;
        if let Some(logged) = &mut offer.logged {
            need = self.append_put(state, &queues.ground, slot, facts, logged, None).1;
        }
        state.last_change = state.last_change.max(need);
        self.offer_first_to(state, queues, slot, NONE, now, offer.first);
        if state.measured.is_some() {
            state.note_not_queued(slot, sequence);
        }
        if is_trigger {
            self.note_trigger(state);
        }
        Gated::new(need, Ok(()))
    }

    /// Logs and counts a message that is delivered later.
    #[cold]
    fn place_later(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        facts: Facts,
        logged: Option<Box<Logged>>,
    ) -> Outcome<()> {
        let mut need = Lsn::ZERO;
        if let Some(mut logged) = logged {
            need = self.append_put(state, &queues.ground, slot, facts, &mut logged, None).1;
        }
        state.last_change = state.last_change.max(need);
        state.delay(&queues.ground, slot, facts.life.deliver_at);
        state.count_in(slot);
        state.was_put(facts.put_at);
        self.waits_for_time(state, queues, slot, queues.ground.now());
        Gated::new(need, Ok(()))
    }

    fn place_within(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        facts: Facts,
        logged: Option<Box<Logged>>,
        place: &mut UnitPlace<'_>,
    ) -> Outcome<()> {
        let added = match place {
            UnitPlace::Within { unit, operations } => {
                let mut unit = unit.lock();
                unit.admit(*operations, queues.ground.limits.uncommitted_max()).map(|()| {
                    self.add_put(state, queues, slot, facts, logged, (&mut unit, None));
                })
            }
            UnitPlace::Beside { whose: Whose::Of { unit, number, gathered }, .. } => {
                let mut unit = unit.lock();
                if unit.number() == *number {
                    let unit = (&mut *unit, gathered.as_deref_mut());
                    self.add_put(state, queues, slot, facts, logged, unit);
                    Ok(())
                } else {
                    Err(Reason::BACKED_OUT)
                }
            }
            UnitPlace::Beside { whose: Whose::Own(unit), .. } => {
                let mut gathered = unit.gathered.take();
                self.add_put(state, queues, slot, facts, logged, (unit, gathered.as_deref_mut()));
                unit.gathered = gathered;
                Ok(())
            }
        };
        if let Err(reason) = added {
            state.drop_entry(&queues.ground, slot);
            return Gated::free(Err(reason));
        }
        state.hold_uncommitted(&queues.ground, slot, facts);
        Gated::free(Ok(()))
    }

    /// Logs a put within a unit of work, or has it logged with others, and adds it there.
    pub(super) fn add_put(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        facts: Facts,
        logged: Option<Box<Logged>>,
        (unit, gathered): (&mut Unit, Option<&mut Gathered>),
    ) {
        if let Some(mut logged) = logged {
            let name = unit.begin(queues, &mut logged.reservation);
            if let Some(room) = logged.for_trigger.take() {
                unit.keep_for_trigger(room);
            }
            match logged.joins {
                Some(beginning) => {
                    let gathered =
                        gathered.expect("what is to be logged with others was prepared beside them");
                    self.join(state, slot, facts, (*logged, beginning), gathered);
                }
                None => {
                    let (at, _) =
                        self.append_put(state, &queues.ground, slot, facts, &mut logged, Some(name));
                    unit.logged(at);
                }
            }
        }
        let sequence = state.slab[slot].sequence;
        let is_trigger = facts.may_trigger && !facts.life.is_later() && state.is_trigger(queues, slot);
        let effect = if is_trigger { Effect::PutAndTrigger } else { Effect::Put };
        let operation = Operation { queue: Arc::clone(self), slot, sequence, effect };
        unit.add(operation, facts.put_at);
    }

    /// Leaves the record of a put to those it is logged with.
    fn join(
        self: &Arc<Self>,
        state: &State,
        slot: Slot,
        facts: Facts,
        (logged, beginning): (Logged, Beginning),
        gathered: &mut Gathered,
    ) {
        let entry = &state.slab[slot];
        let payload = Arc::clone(entry.payload.as_ref().expect("a message that arrives is in memory"));
        let Logged { descriptor, reservation, .. } = logged;
        let (queue, head) = (Arc::clone(self), self.head_to_log(entry, facts));
        gathered.join(Joined { queue, slot, head, descriptor, payload, beginning }, reservation);
    }

    /// Returns the head of a message for the log: all but descriptor and body.
    fn head_to_log(&self, entry: &Entry, facts: Facts) -> MessageHead {
        let group_id = entry.group.as_ref().map_or([0; 24], |group| group.group_id);
        MessageHead {
            queue: self.id,
            sequence: Sequence(entry.sequence),
            priority: entry.priority,
            reports: entry.reports.bits(),
            expires_at: facts.life.expires_at,
            message_id: entry.message_id,
            correlation_id: entry.correlation_id,
            group_id,
            group: entry.group_head(),
            deliver_at: facts.life.deliver_at,
        }
    }

    /// A message that was logged together with others has its place there, unless it is gone.
    pub(crate) fn found_place(&self, slot: Slot, sequence: u64, at: Location, need: Lsn) {
        let mut state = self.lock();
        if state.holds(slot, sequence) {
            let entry = &mut state.slab[slot];
            entry.location = Some(at);
            entry.need = need;
        }
    }

    /// Appends the record of a put; returns its position and its need.
    pub(super) fn append_put(
        &self,
        state: &mut State,
        ground: &Ground,
        slot: Slot,
        facts: Facts,
        logged: &mut Logged,
        unit: Option<storage::UnitId>,
    ) -> (Lsn, Lsn) {
        let entry = &mut state.slab[slot];
        let payload = entry.payload.as_ref().expect("a message that arrives is in memory");
        let head = self.head_to_log(entry, facts);
        let body = match &logged.fragments {
            None => Body::Inline(&payload.body),
            Some(at) => Body::Fragments { at, length: payload.body.len() as u64 },
        };
        let record = Record::Put { unit, head, descriptor: logged.descriptor.bytes(payload), body };
        let token = EntryToken(u64::from(slot));
        let appended = ground.storage.append(&record, Some(token), &mut logged.reservation);
        entry.location = Some(Location::Log(appended.at));
        entry.need = appended.need;
        (appended.at, appended.need)
    }

    /// Offers a message that is on no list to the waiters, and makes it available if none takes it.
    pub(crate) fn arrive(self: &Arc<Self>, state: &mut State, queues: &Queues, slot: Slot, now: Monotonic) {
        self.arrive_behind(state, queues, slot, NONE, now);
    }

    /// Makes a message arrive behind a known available message.
    pub(super) fn arrive_behind(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        before: Slot,
        now: Monotonic,
    ) {
        self.offer_first_to(state, queues, slot, before, now, None);
    }

    /// Offers a message, with the first waiter when it was taken out already.
    fn offer_first_to(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        before: Slot,
        now: Monotonic,
        mut first: Option<Box<Waiter>>,
    ) {
        state.slab[slot].state = EntryState::Reserved;
        // Who was taken out before stands first; a message of a group is never offered so.
        if first.is_none() && state.waiters.grouping() > 0 && state.slab[slot].member_place().is_some() {
            return self.arrive_in_group(state, queues, slot, now);
        }
        while (first.is_some() || state.waiters.count() > 0) && state.slab[slot].deadline > now {
            let Some(waiter) = first.take().or_else(|| state.take_waiter_for(slot, now)) else { break };
            match self.hand_off(state, queues, slot, waiter, now) {
                Delivered::Taken => return,
                Delivered::Kept => {}
            }
        }
        let is_before_there = before != NONE && state.slab[before].state == EntryState::Available;
        state.link_behind(slot, if is_before_there { before } else { NONE });
        let deadline = state.slab[slot].deadline;
        if deadline != NEVER {
            state.want_tick(&queues.ground, self.id, super::expiry::tick_for(deadline));
        }
    }

    /// A unit of work that put this message stands.
    pub(crate) fn put_committed(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        need: Lsn,
        now: Monotonic,
    ) {
        let entry = &mut state.slab[slot];
        assert!(entry.state == EntryState::Uncommitted, "a commit finds its puts as it left them");
        entry.need = need;
        state.forget_prepared(slot);
        state.uncommitted -= 1;
        state.last_change = state.last_change.max(need);
        if state.later.is_some() && self.waits_for_time(state, queues, slot, now) {
            return;
        }
        self.arrive(state, queues, slot, now);
    }

    /// Returns a message whose get was backed out with its unit of work. No getter learns of it before the
    /// log is durable to `need`.
    pub(crate) fn get_backed_out(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        counts: bool,
        need: Lsn,
        now: Monotonic,
    ) {
        let entry = &mut state.slab[slot];
        assert!(entry.state == EntryState::Locked, "a backout finds its gets as it left them");
        state.note_in_total(|total| total.gets_backed_out += 1);
        let entry = &mut state.slab[slot];
        entry.backout_count = entry.backout_count.saturating_add(u32::from(counts));
        entry.need = entry.need.max(need);
        if entry.persistent && counts {
            state.returned.insert(slot);
        }
        state.uncommitted -= 1;
        state.last_change = state.last_change.max(need);
        state.count_in(slot);
        self.arrive(state, queues, slot, now);
    }
}

impl State {
    /// Why messages that take so many bytes would be refused at this moment.
    pub(super) fn refusal(&self, bytes: u64) -> Option<Reason> {
        if self.deleted {
            Some(Reason::Q_DELETED)
        } else if self.attributes.put_inhibited {
            Some(Reason::PUT_INHIBITED)
        } else if self.depth >= self.attributes.depth_max {
            Some(Reason::Q_FULL)
        } else if self.lacks_space(bytes) {
            Some(Reason::Q_SPACE_NOT_AVAILABLE)
        } else {
            None
        }
    }

    /// True if the messages on the queue and so many bytes more are above MAXFSIZE or QUOTA.
    fn lacks_space(&self, bytes: u64) -> bool {
        self.slab.bytes() + bytes > self.attributes.bytes_max
    }

    /// Returns the time at which a message arrives. Where no waiter minds it and nothing expires the time
    /// decides nothing, and the clock, which costs as much as a tenth of a put, is not read.
    pub(super) fn now_for_put(&self, ground: &Ground, facts: Facts) -> Monotonic {
        let decides = self.waiters.mind_time() || facts.life.deadline != NEVER || self.expires_any();
        if decides { ground.now() } else { ANY_TIME }
    }

    /// Takes out the oldest waiter that a message would satisfy.
    pub(super) fn take_waiter_for(&mut self, slot: Slot, now: Monotonic) -> Option<Box<Waiter>> {
        let fifo = self.fifo();
        let Self { waiters, slab, marks, .. } = self;
        waiters.end_first_places(now);
        waiters.take_oldest_match(&slab[slot], fifo, |request| !marks.hide(slot, request, now))
    }

    /// Counts a message that was put in a unit of work; it is not delivered before that ends.
    pub(super) fn hold_uncommitted(&mut self, ground: &Ground, slot: Slot, facts: Facts) {
        self.slab[slot].state = EntryState::Uncommitted;
        if facts.life.is_later() {
            self.delay(ground, slot, facts.life.deliver_at);
        }
        self.count_in(slot);
        self.uncommitted += 1;
        self.was_put(facts.put_at);
    }

    /// Takes a slot for a message that arrives, under the next sequence.
    #[inline]
    pub(super) fn admit(
        &mut self,
        ground: &Ground,
        payload: Arc<Payload>,
        correlation_id: Option<CorrelationId>,
        facts: Facts,
    ) -> Slot {
        self.account(ground, payload.bytes());
        let entry = self.entry_for(ground, payload, correlation_id, facts);
        self.slab.insert(entry)
    }

    /// Counts bytes of a payload that is in memory now.
    #[inline]
    pub(super) fn account(&mut self, ground: &Ground, bytes: u64) {
        self.resident_bytes += bytes;
        ground.memory.add(bytes);
    }

    /// Returns the time of an arrival now. The clock is read for it only where the queue is measured.
    #[inline]
    pub(super) fn arrival(&self, ground: &Ground) -> Arrived {
        match self.measured {
            None => Arrived { second: ground.second(), parts: 0 },
            Some(_) => Arrived::at(ground.now()),
        }
    }

    /// Makes the entry of a message that arrives, under the next sequence. Inlined, so that it is made in its
    /// slot: a call would copy it there.
    #[expect(clippy::inline_always, reason = "a copy of an entry is a good part of what a put costs")]
    #[inline(always)]
    pub(super) fn entry_for(
        &mut self,
        ground: &Ground,
        payload: Arc<Payload>,
        correlation_id: Option<CorrelationId>,
        facts: Facts,
    ) -> Entry {
        let descriptor = &payload.descriptor;
        let group = (descriptor.group_id.0 != [0; 24]).then(|| {
            let place = group_place::place_of(descriptor, payload.body.len());
            Box::new(GroupPart { group_id: descriptor.group_id.0, place, links: Links::NONE })
        });
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        let reports =
            if descriptor.report.is_empty() { Asked::default() } else { Asked::of(descriptor.report) };
        let arrived = self.arrival(ground);
        Entry {
            message_id: descriptor.message_id.0,
            correlation_id: correlation_id.unwrap_or(descriptor.correlation_id).0,
            sequence,
            need: Lsn::ZERO,
            deadline: facts.life.deadline,
            location: None,
            body_length: payload.body.len() as u32,
            payload: Some(payload),
            group,
            backout_count: 0,
            arrived_second: arrived.second,
            arrived_parts: arrived.parts,
            order: Links { previous: NONE, next: NONE },
            by_message: Links::NONE,
            by_correlation: Links::NONE,
            priority: facts.priority,
            state: EntryState::Reserved,
            persistent: facts.persistent,
            reports,
            indexed: 0,
        }
    }

    /// Drops a message whose put was refused after it had a slot.
    fn drop_entry(&mut self, ground: &Ground, slot: Slot) {
        let payload = self.slab[slot].payload.take();
        if let Some(payload) = payload {
            self.forget_payload(ground, &payload);
        }
        self.slab.remove(slot);
    }

    /// Takes a payload that left memory off the account.
    pub(super) fn forget_payload(&mut self, ground: &Ground, payload: &Payload) {
        let bytes = payload.bytes();
        self.resident_bytes -= bytes;
        ground.memory.subtract(bytes);
    }
}

fn prepare(queues: &Queues, payload: &Payload, placing: &mut Placing<'_>) -> Result<Box<Logged>, Reason> {
    let descriptor = payload.to_log();
    let length = descriptor.bytes(payload).len();
    if let Placing::InUnit(UnitPlace::Beside { whose, room }) = placing
        && let Some(gathered) = whose.gathering()
        && let Some(beginning) = gathered.beginnings.of(&payload.body)
    {
        let bytes = beginning.room(length);
        let reservation = match room {
            Some(room) if room.left() >= bytes => room.split(bytes),
            Some(_) => queues.reserve(bytes, Purpose::Drain)?,
            None => queues.reserve(bytes, Purpose::Fill)?,
        };
        return Ok(Box::new(Logged {
            descriptor,
            fragments: None,
            joins: Some(beginning),
            reservation,
            for_trigger: None,
        }));
    }
    let bytes = reserved_for_put(length, payload.body.len());
    let mut reservation = match placing {
        Placing::AtOnce { .. } => queues.reserve(bytes, Purpose::Fill)?,
        Placing::InUnit(UnitPlace::Within { .. } | UnitPlace::Beside { room: None, .. }) => {
            queues.reserve(bytes + RESERVED_END, Purpose::Fill)?
        }
        Placing::InUnit(UnitPlace::Beside { room: Some(room), .. }) if room.left() >= bytes => {
            room.split(bytes)
        }
        // The room was used for a queue that refused in the last moment.
        Placing::InUnit(UnitPlace::Beside { .. }) => queues.reserve(bytes, Purpose::Drain)?,
    };
    let is_large = payload.body.len() > INLINE_BODY_BYTES_MAX;
    let fragments = is_large.then(|| queues.ground.storage.append_body(&payload.body, &mut reservation));
    Ok(Box::new(Logged { descriptor, fragments, joins: None, reservation, for_trigger: None }))
}
