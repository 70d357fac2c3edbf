//! Messages given out: to a getter that asks, and to one that waits.

use std::sync::Arc;
use std::time::Duration;

use formats::headers::Place;
use mqi::Reason;
use objects::PropertyControl;
use platform::{Monotonic, WallTime};
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::record::RESERVED_SMALL;
use storage::{Lsn, Purpose, Record, Reservation, Sequence};

use super::entry::{ANY_TIME, Entry, EntryState, NONE, Slot};
use super::order::Position;
use super::request::{Action, Request, Start, Syncpoint};
use super::selecting::Slice;
use super::token::Token;
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::connection::Wanted;
use crate::conversation::{Conversation, Held, Wait};
use crate::engine::Engine;
use crate::message::presentation::{self, Form};
use crate::message::{self, context::Saved};
use crate::reports::content::Report;
use crate::reports::kind::{Asked, Kind};
use crate::reports::{Delivery, Due, Whose};
use crate::unit_of_work::{Effect, Operation, Unit};
use crate::{Concluded, Gated, GotMessage, Outcome, Reserve, Series, WaitToken};

/// What became of a message that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// The getter has it, or it is set aside for the getter.
    Taken,
    /// It is still to be had.
    Kept,
}

/// Who is given a message, and what for: the parts of a get or of a waiter.
pub(super) struct Getter<'a> {
    pub(super) conversation: &'a Arc<Conversation>,
    pub(super) request: &'a Request,
    pub(super) token: WaitToken,
    /// Room for the record of the get.
    pub(super) reservation: &'a mut Option<Reservation>,
    pub(super) now: Monotonic,
}

/// A get at the moment it asks.
pub(crate) struct Asking<'a> {
    pub(crate) conversation: &'a Arc<Conversation>,
    pub(crate) request: &'a Request,
    /// The message it asks for, and those it takes after that if it must wait.
    pub(crate) series: Series,
    /// Whether to wait when there is nothing.
    pub(crate) waits: bool,
    pub(crate) deadline: Option<Monotonic>,
    /// Whether it was just given a message and takes several at a time.
    pub(crate) goes_on: bool,
    /// Who is given those that are there but for the last, where it takes as many of its series as are there.
    pub(crate) take: Option<Take<'a>>,
}

/// Who is given messages of a series, under the queue's lock.
pub(crate) type Take<'a> = &'a mut dyn FnMut(Outcome<GotMessage>);

/// How long a getter that goes on comes before others: a turn of a reactor that has much to do, in which a burst arrives.
const GOES_ON_FOR: Duration = Duration::from_micros(500);

impl Queue {
    /// Gives the first message that fits, or registers a waiter. `reservation` covers the record of the get.
    pub(crate) fn get(
        self: &Arc<Self>,
        engine: &Engine,
        asking: Asking<'_>,
        reservation: &mut Option<Reservation>,
    ) -> Option<Outcome<GotMessage>> {
        let mut state = self.lock_indexed(asking.request);
        // Read under the lock: whoever waits for it must not give out what expired meanwhile.
        let mut now = state.now_for_get(engine, asking.request);
        if state.is_expiry_due(now) {
            drop(state);
            self.sweep(engine, now);
            state = self.lock_indexed(asking.request);
            now = state.now_for_get(engine, asking.request);
        }
        if state.deleted {
            return Some(Gated::new(state.last_change, Err(Reason::Q_DELETED)));
        }
        if state.attributes.get_inhibited {
            return Some(Gated::new(state.last_change, Err(Reason::GET_INHIBITED)));
        }
        let mut slot = if asking.request.is_selecting() {
            let beginning = asking.request.beginning();
            match state.look(asking.request, beginning, now) {
                Slice::Found(slot) => slot,
                Slice::Nothing => NONE,
                Slice::More(_) | Slice::Unread(..) => {
                    let waiter = asking.into_waiter(reservation.take());
                    self.scan_anew(&mut state, engine, waiter);
                    return None;
                }
            }
        } else {
            state.first_for(asking.request, now)
        };
        slot = state.or_locked(slot, asking.request, now);
        if slot == NONE && !asking.request.is_selecting() {
            slot = state.find_damaged(asking.request);
        }
        if slot == NONE {
            self.release_lock_of(&mut state, engine, asking.request, now);
            let outcome = self.nothing_there(&mut state, engine, asking, reservation);
            let reported = Self::release(engine, state);
            return outcome.map(|outcome| outcome.and_needs(reported));
        }
        if lacks_room(engine, &state, slot, asking.request, reservation) {
            return self.park(&mut state, engine, slot, asking.into_waiter(None));
        }
        if state.is_in_memory(asking.request, slot) {
            let Asking { conversation, request, series, take, .. } = asking;
            let getter = Getter { conversation, request, token: series.token, reservation, now };
            let (mut outcome, delivered) = self.deliver(&mut state, engine, slot, getter);
            if let Some(take) = take
                && delivered == Delivered::Taken
            {
                let getter = Getter { conversation, request, token: series.token, reservation, now };
                outcome = self.deliver_rest(&mut state, engine, outcome, (getter, series), take);
            }
            let reported = Self::release(engine, state);
            return Some(outcome.and_needs(reported));
        }
        let waiter = asking.into_waiter(reservation.take());
        self.read_for_getter(&mut state, engine, slot, waiter);
        Self::release(engine, state);
        None
    }

    /// Gives out what a getter that was just given a message would be given if it asked again at once, as far as it takes it; returns
    /// what came of the last.
    fn deliver_rest(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        mut last: Outcome<GotMessage>,
        (getter, mut series): (Getter<'_>, Series),
        take: Take<'_>,
    ) -> Outcome<GotMessage> {
        let Getter { conversation, request, reservation, now, .. } = getter;
        loop {
            let rest = last.value().as_ref().ok().and_then(|message| series.after(message.body.len()));
            let Some((rest, slot)) = rest.zip(state.next_at_once(request, now)) else { return last };
            take(last);
            series = rest;
            let getter = Getter { conversation, request, token: series.token, reservation, now };
            let delivered;
            (last, delivered) = self.deliver(state, engine, slot, getter);
            if delivered == Delivered::Kept {
                return last;
            }
        }
    }

    fn nothing_there(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        asking: Asking<'_>,
        reservation: &mut Option<Reservation>,
    ) -> Option<Outcome<GotMessage>> {
        if asking.request.start == Start::AtCursor {
            return Some(Gated::new(state.last_change, Err(Reason::NO_MSG_UNDER_CURSOR)));
        }
        if !asking.waits {
            return Some(Gated::new(state.last_change, Err(Reason::NO_MSG_AVAILABLE)));
        }
        // Asked under the lock: a queue manager that begins to end refuses the waits it finds seated, and this one here.
        if let Err(reason) = engine.quiescing(asking.request.fail_if_quiescing) {
            return Some(Gated::new(state.last_change, Err(reason)));
        }
        let deadline = asking.deadline;
        let first_until = asking.goes_on.then(|| engine.now().after(GOES_ON_FOR));
        let mut waiter = asking.into_waiter(reservation.take());
        waiter.first_until = first_until;
        if let Err(reason) = self.seat(state, waiter) {
            return Some(Gated::free(Err(reason)));
        }
        if let Some(deadline) = deadline {
            state.want_tick(engine, self.id, deadline);
        }
        None
    }

    /// Seats a waiter and notes it with its connection; a connection that has ended is refused.
    pub(super) fn seat(self: &Arc<Self>, state: &mut State, waiter: Box<Waiter>) -> Result<Ticket, Reason> {
        let conversation = Arc::clone(&waiter.conversation);
        let token = waiter.series.token;
        let mut waits = conversation.waits.lock();
        if conversation.has_ended() {
            return Err(Reason::CONNECTION_BROKEN);
        }
        let ticket = state.waiters.insert(waiter);
        waits.push(Wait { token, queue: Arc::clone(self), ticket });
        Ok(ticket)
    }

    /// Gives a message that is on no list to a waiter.
    pub(super) fn hand_off(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        mut waiter: Box<Waiter>,
        now: Monotonic,
    ) -> Delivered {
        if waiter.conversation.has_ended() {
            return Delivered::Kept;
        }
        if state.slab[slot].payload.is_none() {
            if waiter.request.is_selecting() {
                self.scan_anew(state, engine, waiter);
                return Delivered::Kept;
            }
            waiter.conversation.forget_wait(waiter.series.token);
            let is_browse = waiter.request.action == Action::Browse;
            self.read_back(state, engine, slot, waiter);
            return if is_browse { Delivered::Kept } else { Delivered::Taken };
        }
        if lacks_room(engine, state, slot, &waiter.request, &mut waiter.reservation) {
            waiter.conversation.forget_wait(waiter.series.token);
            // A connection that ended meanwhile waits for nothing.
            let _ = self.park(state, engine, slot, waiter);
            return Delivered::Kept;
        }
        let (outcome, delivered) = self.deliver(state, engine, slot, waiter.getter(now));
        match delivered {
            Delivered::Taken => self.answer_one_of_series(state, engine, waiter, outcome),
            Delivered::Kept => state.answer(waiter, outcome),
        }
        delivered
    }

    /// Gives a message out as the request says: a copy, or the message itself, at once or within the unit of work.
    pub(super) fn deliver(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        if getter.request.only_looks {
            let seen = self.copy_of(state, slot, getter.request, getter.now, None).seen();
            return (Gated::new(state.slab[slot].need, Ok(seen)), Delivered::Kept);
        }
        if getter.request.concerns_locks() {
            self.deliver_and_lock(state, engine, slot, getter)
        } else {
            self.deliver_plainly(state, engine, slot, getter)
        }
    }

    /// The same, whatever the handle has locked.
    pub(super) fn deliver_plainly(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let is_grouped = state.slab[slot].group.is_some() || getter.request.grouping.is_some();
        if is_grouped || getter.conversation.courses.are_used() {
            return self.deliver_grouped(state, engine, slot, getter);
        }
        self.deliver_one(state, engine, slot, getter)
    }

    /// The same for one message, whatever its group.
    pub(super) fn deliver_one(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let Getter { conversation, request, token, reservation, now } = getter;
        let entry = &state.slab[slot];
        let need = entry.need;
        let is_truncated = state.given(slot).is_too_long(request);
        if is_truncated && !request.accept_truncated {
            let got = self.copy_of(state, slot, request, now, Some(Reason::TRUNCATED_MSG_FAILED));
            return (Gated::new(need, Ok(got)), Delivered::Kept);
        }
        let warning = is_truncated.then_some(Reason::TRUNCATED_MSG_ACCEPTED);
        let within = match request.action {
            Action::Browse => {
                if let Err(reason) = self.mark(state, engine, slot, request, now) {
                    return (Gated::new(need, Err(reason)), Delivered::Kept);
                }
                let got = self.copy_of(state, slot, request, now, warning);
                state.move_cursor(request, slot, false);
                return (Gated::new(need, Ok(got)), Delivered::Kept);
            }
            Action::Reserve(syncpoint, which) if which == Reserve::All || entry.persistent => {
                let got = self.copy_of(state, slot, request, now, warning);
                let room = reservation.take_if(|_| entry.persistent);
                let set_aside = self.set_aside(state, slot, conversation, request, token, syncpoint, room);
                return match set_aside {
                    Ok(()) => (Gated::new(need, Ok(got)), Delivered::Taken),
                    Err(reason) => (Gated::free(Err(reason)), Delivered::Kept),
                };
            }
            Action::Reserve(..) => false,
            Action::Take(syncpoint) => syncpoint.is_within(entry.persistent),
        };
        #[cfg(feature = "planted")]
        if planted::strikes(Fault::DoubleDelivery) {
            return (Gated::new(need, Ok(self.copy_of(state, slot, request, now, warning))), Delivered::Kept);
        }
        let is_reported = entry.reports.contains(Asked::DELIVERY);
        if within || is_reported {
            let conversation = within.then_some(conversation);
            let taken = self.take_within(state, engine, slot, conversation, Some(request), reservation);
            if let Err(reason) = taken {
                return (Gated::new(need, Err(reason)), Delivered::Kept);
            }
            let got = self.copy_of(state, slot, request, now, warning);
            return (Gated::new(need, Ok(got)), Delivered::Taken);
        }
        let need = self.take_at_once(state, engine, slot, Some(request), reservation);
        let payload = state.slab[slot].payload.take().expect("a message is given out from memory");
        state.forget_payload(engine, Some(&payload));
        let got = self.finish_copy(payload, state.given(slot), request, now, warning);
        let leaving = state.slab[slot].leaving();
        state.finish(engine, slot, need);
        state.was_got(engine, leaving, engine.world.clock.wall_roughly());
        (Gated::new(need, Ok(got)), Delivered::Taken)
    }

    /// Sets a message aside for a connection.
    #[expect(clippy::too_many_arguments, reason = "the parts of one get, borrowed from different owners")]
    fn set_aside(
        self: &Arc<Self>,
        state: &mut State,
        slot: Slot,
        conversation: &Arc<Conversation>,
        request: &Request,
        token: WaitToken,
        syncpoint: Syncpoint,
        room: Option<Reservation>,
    ) -> Result<(), Reason> {
        let mut held = conversation.held.lock();
        if conversation.has_ended() {
            return Err(Reason::CONNECTION_BROKEN);
        }
        let sequence = state.slab[slot].sequence;
        let leaving = state.slab[slot].leaving();
        let tallies = request.tallies.clone();
        held.push(Held { token, queue: Arc::clone(self), slot, sequence, syncpoint, leaving, tallies, room });
        drop(held);
        state.leave_order(request, slot, EntryState::Reserved);
        Ok(())
    }

    /// The application has the message that was set aside for it.
    pub(crate) fn take_held(
        self: &Arc<Self>,
        engine: &Engine,
        conversation: &Arc<Conversation>,
        held: &mut Held,
    ) -> Outcome<()> {
        let reservation = &mut held.room;
        let mut state = self.lock();
        if !state.holds(held.slot, held.sequence) {
            return Gated::new(state.last_change, Err(Reason::Q_DELETED));
        }
        let Entry { persistent, need, reports, .. } = state.slab[held.slot];
        let within = held.syncpoint.is_within(persistent);
        if within || reports.contains(Asked::DELIVERY) {
            let conversation = within.then_some(conversation);
            let taken = self.take_within(&mut state, engine, held.slot, conversation, None, reservation);
            let reported = Self::release(engine, state);
            return Gated::new(need.max(reported), taken);
        }
        let need = self.take_at_once(&mut state, engine, held.slot, None, reservation);
        let leaving = state.slab[held.slot].leaving();
        state.finish(engine, held.slot, need);
        state.was_got(engine, leaving, engine.world.clock.wall_roughly());
        Self::release(engine, state);
        Gated::new(need, Ok(()))
    }

    /// The application has not seen the message that was set aside for it.
    pub(crate) fn give_back(self: &Arc<Self>, engine: &Engine, held: &Held) {
        let mut state = self.lock();
        self.return_reserved(&mut state, engine, held.slot, held.sequence);
        Self::release(engine, state);
    }

    /// Takes a message into the unit of work of a connection, or, to report its delivery, into one of the queue
    /// manager's own.
    fn take_within(
        self: &Arc<Self>,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        conversation: Option<&Arc<Conversation>>,
        request: Option<&Request>,
        reservation: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        let Entry { persistent, need, reports, deadline, .. } = state.slab[slot];
        let is_reported = reports.contains(Asked::DELIVERY);
        let operations = 1 + usize::from(is_reported);
        let mut own = None;
        let mut of_connection = conversation.map(|conversation| conversation.unit.lock());
        let unit = match &mut of_connection {
            Some(unit) => {
                unit.admit(operations, engine.uncommitted_max())?;
                &mut **unit
            }
            None => &mut **own.insert(Box::<Unit>::default()),
        };
        let mut room = if persistent { Some(room_for_get(engine, reservation)?) } else { None };
        let got_at = self.add_get(&state.slab[slot], engine, slot, (unit, conversation), room.as_mut());
        let number = unit.number();
        drop(of_connection);
        if is_reported {
            let original = state.slab[slot].message().expect("a message is given out from memory");
            let whose = match (own, conversation) {
                (Some(unit), _) => Whose::Own(unit),
                (None, conversation) => {
                    let conversation = conversation.expect("a unit is its connection's or our own");
                    Whose::Of { conversation: Arc::clone(conversation), number, gathered: None }
                }
            };
            let (queue, sequence) = (Arc::clone(self), state.slab[slot].sequence);
            let left = message::remaining(deadline, engine.now());
            let others = Vec::new();
            let answer = None;
            let delivery = Delivery { queue, slot, sequence, original, left, others, whose, room, answer };
            state.due.push(Due::Delivery(Box::new(delivery)));
        }
        state.leave_order(request, slot, EntryState::Locked);
        state.marks.forget(slot);
        state.count_out(slot);
        state.uncommitted += 1;
        state.last_change = state.last_change.max(need);
        state.was_got(engine, state.slab[slot].leaving(), got_at);
        Ok(())
    }

    /// Logs a get within a unit of work and adds it there; returns when.
    pub(super) fn add_get(
        self: &Arc<Self>,
        entry: &Entry,
        engine: &Engine,
        slot: Slot,
        (unit, conversation): (&mut Unit, Option<&Arc<Conversation>>),
        room: Option<&mut Reservation>,
    ) -> WallTime {
        let Entry { sequence, need, .. } = *entry;
        if let Some(room) = room {
            let name = unit.begin(engine, conversation, room);
            unit.widen_end(room);
            let record = Record::Get { unit: Some(name), queue: self.id, sequence: Sequence(sequence) };
            unit.logged(engine.storage.append(&record, None, room).at);
        }
        unit.observe(need);
        let got_at = engine.world.clock.wall_roughly();
        let operation = Operation { queue: Arc::clone(self), slot, sequence, effect: Effect::Got };
        unit.add(operation, got_at);
        got_at
    }

    /// Logs a get outside units of work and takes the message off the lists. Its entry is still there, to be finished with
    /// the need returned.
    fn take_at_once(
        &self,
        state: &mut State,
        engine: &Engine,
        slot: Slot,
        request: Option<&Request>,
        reservation: &mut Option<Reservation>,
    ) -> Lsn {
        let Entry { sequence, persistent, mut need, .. } = state.slab[slot];
        #[cfg(feature = "planted")]
        let persistent = persistent && !planted::strikes(Fault::ResurrectedGet);
        if persistent {
            let record = Record::Get { unit: None, queue: self.id, sequence: Sequence(sequence) };
            let mut room = reservation.take().unwrap_or_else(|| engine.reserve_under_lock(RESERVED_SMALL));
            need = need.max(engine.storage.append(&record, None, &mut room).need);
        }
        state.leave_order(request, slot, EntryState::Reserved);
        state.count_out(slot);
        need
    }

    /// Ends a wait that has not been decided: the message being read back for it returns to its place.
    pub(crate) fn cancel(self: &Arc<Self>, engine: &Engine, ticket: Ticket) -> Option<Box<Waiter>> {
        let mut state = self.lock();
        let waiter = state.waiters.remove(ticket)?;
        if let (Some((slot, sequence)), true) = (waiter.reading, waiter.request.action != Action::Browse) {
            self.return_reserved(&mut state, engine, slot, sequence);
        }
        Self::release(engine, state);
        Some(waiter)
    }

    /// Has a wait go on only until the message is read that it has found. None when there is no such wait.
    pub(crate) fn conclude(&self, ticket: Ticket) -> Option<Concluded> {
        let mut state = self.lock();
        let waiter = state.waiters.get_mut(ticket)?;
        if waiter.reading.is_none() {
            return Some(Concluded::HasNothing);
        }
        waiter.waits = false;
        Some(Concluded::Reads)
    }

    /// Ends the waits whose time is over, and expires what is due; asks to come by again.
    pub(crate) fn tick(self: &Arc<Self>, engine: &Engine, now: Monotonic) {
        let mut state = self.lock();
        state.tick_at = super::entry::NEVER;
        while let Some(waiter) = state.waiters.take_overdue(now) {
            let need = state.last_change;
            waiter.complete(Gated::new(need, Err(Reason::NO_MSG_AVAILABLE)));
        }
        drop(state);
        self.lapse_marks(engine, now);
        if self.expiry_due(now) {
            self.sweep(engine, now);
        }
        let mut state = self.lock();
        let wait = state.waiters.next_deadline();
        let expiry = state.expiring.first().map(|(deadline, _)| super::expiry::tick_for(*deadline));
        let lapse = state.marks.next_lapse();
        if let Some(next) = [wait, expiry, lapse].into_iter().flatten().min() {
            state.want_tick(engine, self.id, next.max(Monotonic(now.0 + 1)));
        }
    }

    /// Ends the waits for which a condition holds.
    pub(crate) fn refuse_waiters(&self, reason: Reason, condition: impl Fn(&Waiter) -> bool) {
        let mut state = self.lock();
        let need = state.last_change;
        for waiter in state.waiters.take_if(|waiter| waiter.reading.is_none() && condition(waiter)) {
            waiter.complete(Gated::new(need, Err(reason)));
        }
    }

    /// A unit of work that had got this message stands.
    pub(crate) fn get_committed(&self, state: &mut State, engine: &Engine, slot: Slot, need: Lsn) {
        assert!(state.slab[slot].state == EntryState::Locked, "a commit finds its gets as it left them");
        state.uncommitted -= 1;
        state.finish(engine, slot, need);
    }

    /// A unit of work that had put this message was backed out.
    pub(crate) fn put_backed_out(&self, state: &mut State, engine: &Engine, slot: Slot, need: Lsn) {
        assert!(
            state.slab[slot].state == EntryState::Uncommitted,
            "a backout finds its puts as it left them"
        );
        state.uncommitted -= 1;
        state.count_out(slot);
        state.finish(engine, slot, need);
    }

    /// Runs a part of the end of a unit of work on this queue, unless the queue is gone. What it makes due is to be
    /// reported when no lock is held any more.
    #[must_use]
    pub(crate) fn with_state(&self, part: impl FnOnce(&mut State)) -> Vec<Due> {
        let mut state = self.lock();
        if !state.deleted {
            part(&mut state);
        }
        std::mem::take(&mut state.due)
    }

    /// Looks at this queue for the end of a unit of work, unless the queue is gone.
    pub(crate) fn look(&self, part: impl FnOnce(&State)) {
        let state = self.lock();
        if !state.deleted {
            part(&state);
        }
    }

    /// Whether a message is still on the queue.
    pub(crate) fn has(&self, slot: Slot, sequence: u64) -> bool {
        self.lock().holds(slot, sequence)
    }
}

impl State {
    /// The time at which a getter asks. Where nothing expires and the getter's handle has no locks and no marks the time decides
    /// nothing, and the clock is not read.
    fn now_for_get(&self, engine: &Engine, request: &Request) -> Monotonic {
        if request.memo.is_some() || self.expires_any() { engine.now() } else { ANY_TIME }
    }

    /// The message that a get in physical order finds.
    fn first_for(&self, request: &Request, now: Monotonic) -> Slot {
        let slot = self.find(request, now);
        #[cfg(feature = "planted")]
        let slot = self.after_the_right_one(slot, request);
        slot
    }

    /// The message that a getter who was just given one finds if it asks again at once; none where there is more to it than to find it:
    /// a report to be made first, what its handle remembers, room in the log, a message that is not in memory.
    fn next_at_once(&self, request: &Request, now: Monotonic) -> Option<Slot> {
        let is_plain = self.due.is_empty()
            && request.memo.is_none()
            && request.grouping.is_none()
            && !request.is_selecting();
        let slot = is_plain.then(|| self.first_for(request, now)).filter(|slot| *slot != NONE)?;
        let entry = &self.slab[slot];
        (!entry.persistent && entry.payload.is_some()).then_some(slot)
    }

    /// Ends each operation of a unit of work whose message is still there. Where somebody waits, in the order of delivery: who
    /// waits longest is given what a getter that asked a moment later would be given first, and no message comes before an
    /// earlier one that returns with it. Where nobody does, in the order given, which costs nothing.
    pub(crate) fn each_for_delivery(
        &mut self,
        operations: &[Operation],
        mut end: impl FnMut(&mut Self, &Operation),
    ) {
        if self.waiters.count() == 0 {
            for operation in operations {
                if self.holds(operation.slot, operation.sequence) {
                    end(self, operation);
                }
            }
            return;
        }
        let held = operations.iter().filter(|operation| self.holds(operation.slot, operation.sequence));
        let mut held: Vec<&Operation> = held.collect();
        held.sort_by_key(|operation| Position::of(&self.slab[operation.slot], self.fifo()));
        for operation in held {
            end(self, operation);
        }
    }

    /// Whether a slot still holds the message an operation of a unit of work was about.
    pub(crate) fn holds(&self, slot: Slot, sequence: u64) -> bool {
        self.slab.get_if(slot, sequence).is_some()
    }

    /// Ends the wait of a getter that was just given something, now or when the delivery is reported.
    pub(super) fn answer(&mut self, waiter: Box<Waiter>, outcome: Outcome<GotMessage>) {
        let last = self.due.iter_mut().rev().find_map(|due| match due {
            Due::Delivery(delivery) => Some(delivery),
            Due::Trigger { .. } | Due::Performance { .. } => None,
        });
        match last {
            Some(delivery) if delivery.answer.is_none() => delivery.answer = Some((waiter, outcome)),
            _ => waiter.complete(outcome),
        }
    }

    /// The backout count of a message.
    pub(crate) fn backout_count(&self, slot: Slot) -> u32 {
        self.slab[slot].backout_count
    }

    pub(crate) fn is_persistent(&self, slot: Slot) -> bool {
        self.slab[slot].persistent
    }

    /// Ends a message for good: frees its slot, and its bytes once the log is durable to `need`.
    pub(super) fn finish(&mut self, engine: &Engine, slot: Slot, need: Lsn) {
        let entry = &mut self.slab[slot];
        let (sequence, location, state) = (entry.sequence, entry.location, entry.state);
        let (backout_count, payload) = (entry.backout_count, entry.payload.take());
        self.slab.remove(slot);
        self.marks.forget(slot);
        if backout_count > 0 {
            self.returned.remove(&slot);
        }
        if state == EntryState::Damaged {
            self.damaged.remove(&slot);
        }
        if !self.told.is_empty() {
            self.told.remove(&sequence);
        }
        self.last_change = self.last_change.max(need);
        self.forget_payload(engine, payload.as_deref());
        if let Some(location) = location {
            engine.storage.release(location, need);
        }
    }

    /// Takes a message that is given out off the lists, if it is on them, and the cursor off the message.
    pub(super) fn leave_order<'a>(
        &mut self,
        request: impl Into<Option<&'a Request>>,
        slot: Slot,
        state: EntryState,
    ) {
        if self.slab[slot].state == EntryState::Available {
            if let Some(request) = request.into() {
                self.move_cursor(request, slot, true);
            }
            self.unlink(slot, state);
        } else {
            self.slab[slot].state = state;
        }
    }

    pub(super) fn move_cursor(&self, request: &Request, slot: Slot, leaving: bool) {
        let Some(memo) = &request.memo else { return };
        let is_cursor_get = request.start != Start::First || request.action == Action::Browse;
        if !is_cursor_get {
            return;
        }
        let cursor = if leaving { self.cursor_leaving(slot) } else { self.cursor_on(slot) };
        memo.state.lock().cursor = Some(cursor);
    }
}

impl Asking<'_> {
    fn into_waiter(self, reservation: Option<Reservation>) -> Box<Waiter> {
        Box::new(Waiter {
            conversation: Arc::clone(self.conversation),
            series: self.series,
            request: self.request.clone(),
            deadline: self.deadline.filter(|_| self.waits),
            waits: self.waits,
            lacks_room: false,
            is_scanning: false,
            is_joining: false,
            reservation,
            reading: None,
            first_until: None,
        })
    }
}

impl Waiter {
    /// Ends the wait with an outcome.
    pub(crate) fn complete(self: Box<Self>, outcome: Outcome<GotMessage>) {
        self.conversation.forget_wait(self.series.token);
        self.conversation.count_got(&self.request, outcome.value());
        self.conversation.completions.complete(self.series.token, outcome);
    }
}

/// Whether a message cannot be given out because the log has no room for the record of it.
pub(super) fn lacks_room(
    engine: &Engine,
    state: &State,
    slot: Slot,
    request: &Request,
    reservation: &mut Option<Reservation>,
) -> bool {
    let Some(wanted) = state.room_wanted(request, slot) else { return false };
    if reservation.as_ref().is_some_and(|room| room.left() >= wanted) {
        return false;
    }
    // What was set aside before is given up first, so that it can be part of the room now.
    *reservation = None;
    *reservation = engine.room_for_get(wanted).ok();
    // A log that failed refuses nothing: what is appended to it goes nowhere, and nothing leaves the gate.
    reservation.is_none() && engine.storage.failure().is_none()
}

/// Room in the log for the records of a get as this, and for the report of a delivery.
pub(super) fn room_wanted(entry: &Entry, action: Action) -> u64 {
    if !entry.reports.contains(Asked::DELIVERY) {
        return crate::room::needed(action);
    }
    let all = entry.body_length as usize;
    let data_length = entry.payload.as_ref().map_or(all, |payload| Kind::Delivery.data_length(payload));
    crate::room::WITHIN_UNIT + Report::room(data_length)
}

fn room_for_get(engine: &Engine, reservation: &mut Option<Reservation>) -> Result<Reservation, Reason> {
    match reservation.take() {
        Some(room) => Ok(room),
        None => engine.reserve(crate::room::WITHIN_UNIT, Purpose::Drain),
    }
}

/// A message that is given out, with what decides how.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) slot: Slot,
    pub(super) entry: &'a Entry,
    /// PROPCTL of its queue.
    pub(super) property_control: PropertyControl,
}

impl State {
    /// A message to be given out from its place.
    pub(super) fn given(&self, slot: Slot) -> Given<'_> {
        Given { slot, entry: &self.slab[slot], property_control: self.attributes.property_control }
    }

    /// In which form a getter is given the properties of a message; none for a message that has none.
    pub(super) fn form(&self, payload: &message::Payload, request: &Request) -> Option<Form> {
        form(payload, request, self.attributes.property_control)
    }
}

#[inline]
fn form(payload: &message::Payload, request: &Request, control: PropertyControl) -> Option<Form> {
    let has_any = presentation::may_have(&payload.descriptor);
    (has_any || request.properties.has_handle()).then(|| request.properties.form(control))
}

impl Given<'_> {
    /// Whether it is longer than its getter takes, in the form in which it would be given.
    #[inline]
    pub(super) fn is_too_long(self, request: &Request) -> bool {
        self.entry.body_length as usize > request.bytes_max && self.is_too_long_as_given(request)
    }

    fn is_too_long_as_given(self, request: &Request) -> bool {
        let Self { entry, property_control, .. } = self;
        let payload = entry.payload.as_ref().expect("a message is given out from memory");
        form(payload, request, property_control).is_none_or(|form| {
            if let Some(front) = payload.left_out(form) {
                return payload.body.len() - front.length > request.bytes_max;
            }
            form.present(&Place::of(&payload.descriptor), &payload.body).body.len() > request.bytes_max
        })
    }
}

impl Queue {
    /// A copy for a getter; the message keeps its payload.
    pub(super) fn copy_of(
        &self,
        state: &State,
        slot: Slot,
        request: &Request,
        now: Monotonic,
        warning: Option<Reason>,
    ) -> GotMessage {
        let given = state.given(slot);
        let payload = Arc::clone(given.entry.payload.as_ref().expect("a message is given out from memory"));
        self.finish_copy(payload, given, request, now, warning)
    }

    /// What a getter is given of a message that has left its payload.
    pub(super) fn finish_copy(
        &self,
        payload: Arc<message::Payload>,
        Given { slot, entry, property_control }: Given<'_>,
        request: &Request,
        now: Monotonic,
        warning: Option<Reason>,
    ) -> GotMessage {
        let mut form = form(&payload, request, property_control);
        let left_out = form.filter(|_| request.grouping.is_none()).and_then(|form| payload.left_out(form));
        if left_out.is_some() {
            form = None;
        }
        let left_out = left_out.copied();
        let (descriptor, mut body) = message::for_getter(payload, entry, now, left_out);
        #[cfg(feature = "planted")]
        crate::planted::change(&mut body);
        let data_length = body.len();
        // One whose properties change their form is cut when they have.
        if form.is_none() {
            body.truncate(request.bytes_max);
        }
        if let Some(memo) = request.memo.as_ref().filter(|memo| memo.saves_context)
            && request.action != Action::Browse
        {
            memo.state.lock().context = Some(Box::new(Saved::of(&descriptor)));
        }
        let resolved_queue_name = request.resolved_queue_name;
        let message_token = Token { slot, sequence: entry.sequence }.to_message_token(self.id);
        // What was cut is given as it is.
        let conversion = request.conversion.filter(|_| warning.is_none());
        let is_as_wanted = form.is_none() && conversion.is_none();
        let wanted = Wanted { form, conversion, bytes_max: request.bytes_max };
        let wanted = (!is_as_wanted).then(|| Box::new(wanted));
        let properties = None;
        GotMessage {
            descriptor,
            body,
            data_length,
            warning,
            resolved_queue_name,
            message_token,
            arrived: entry.leaving().arrived,
            properties,
            wanted,
            segments: None,
            receipt: None,
            waits_on: false,
        }
    }
}
