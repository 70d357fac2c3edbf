//! Messages given out: to a getter that asks, and to one that waits.

use std::sync::Arc;
use std::time::Duration;

use mqi::Reason;
use objects::QueueAttributes;
use platform::Monotonic;
use storage::Reservation;
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};

use super::entry::{Entry, NONE, Slot};
use super::got_message::GotMessage;
use super::order::Position;
use super::request::{Action, Request, Start};
use super::selecting::Slice;
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::gate::BehindGate;
use crate::ground::Ground;
use crate::ground::time::{ANY_TIME, NEVER};
use crate::message::report::Report;
use crate::message::report_kind::{Asked, Kind};
use crate::queue::due::Due;
use crate::queue::getter::{Concluded, Get, Series, WaitToken};
use crate::queue::party::{Party, Wait};
use crate::queues::Queues;
use crate::unit_of_work::Operation;
use crate::{Gated, Outcome};

/// Fate of a message that was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// The getter has it, or it is set aside for the getter.
    Taken,
    /// The message is still available.
    Kept,
}

/// Receiver of a message, and its purpose: the parts of a get or of a waiter.
pub(super) struct Getter<'a> {
    pub(super) party: &'a Arc<Party>,
    pub(super) request: &'a Request,
    pub(super) token: WaitToken,
    /// Room for the record of the get.
    pub(super) reservation: &'a mut Option<Reservation>,
    pub(super) now: Monotonic,
}

/// A get at the moment it asks.
pub struct Asking<'a> {
    /// The connection.
    pub party: &'a Arc<Party>,
    /// The demands of the get.
    pub request: &'a Request,
    /// The message it asks for, and those it takes after that if it must wait.
    pub series: Series,
    /// True to wait when there is no message.
    pub waits: bool,
    /// End of the wait; none for one without end.
    pub deadline: Option<Monotonic>,
    /// True if it was just given a message and takes several at a time.
    pub goes_on: bool,
    /// Receiver of all but the last message, where a get takes as many of its series as are there.
    pub take: Option<Take<'a>>,
}

/// Receiver of messages of a series, called under the queue's lock.
pub type Take<'a> = &'a mut dyn FnMut(Outcome<GotMessage>);

/// Time for which a getter that goes on comes before others: a turn of a reactor that has much to do, in
/// which a burst arrives.
const GOES_ON_FOR: Duration = Duration::from_micros(500);

impl Queue {
    /// Gives the first message that fits, or registers a waiter. Room in the log is set aside once there is a
    /// message: a wait holds none.
    pub fn get(self: &Arc<Self>, queues: &Queues, asking: Asking<'_>) -> Get {
        let mut state = self.lock_indexed(asking.request);
        // Read under the lock: a getter that waited for the lock must not be given a message that expired
        // meanwhile.
        let mut now = state.now_for_get(&queues.ground, asking.request);
        if state.is_expiry_due(now) {
            drop(state);
            self.sweep(queues, now);
            state = self.lock_indexed(asking.request);
            now = state.now_for_get(&queues.ground, asking.request);
        }
        // Asked under the lock: an alias that is altered ends the waits it finds seated, and this one here.
        if let Some((reason, need)) = asking.request.refused_by_alias() {
            if asking.request.is_shut_out_by(reason) {
                return self.nothing_there(&mut state, &queues.ground, asking);
            }
            return Get::Done(Gated::new(need, Err(reason)));
        }
        if state.deleted {
            return Get::Done(Gated::new(state.last_change, Err(Reason::Q_DELETED)));
        }
        if state.attributes.restricts_gets
            && let Some(reason) = refuses_get(&state.attributes, asking.request)
        {
            if asking.request.is_shut_out_by(reason) {
                return self.nothing_there(&mut state, &queues.ground, asking);
            }
            return Get::Done(Gated::new(state.last_change, Err(reason)));
        }
        let mut slot = if asking.request.selector.is_some() && asking.request.is_selecting() {
            let beginning = asking.request.beginning();
            match state.look(asking.request, beginning, now) {
                Slice::Found(slot) => slot,
                Slice::Nothing => NONE,
                Slice::More(_) | Slice::Unread(..) => {
                    let waiter = asking.into_waiter(None);
                    self.scan_anew(&mut state, queues, waiter);
                    return Get::Waiting;
                }
            }
        } else {
            state.first_for(asking.request, now)
        };
        if asking.request.memo.is_some() {
            slot = state.or_locked(slot, asking.request, now);
        }
        if slot == NONE {
            slot = state.find_damaged(asking.request);
        }
        if slot == NONE {
            self.release_lock_of(&mut state, queues, asking.request, now);
            let mut answer = self.nothing_there(&mut state, &queues.ground, asking);
            answer.need_also(Self::release(queues, state));
            return answer;
        }
        let reservation = &mut None;
        if lacks_room(queues, &state, slot, asking.request, reservation) {
            let parked = self.park(&mut state, queues, slot, asking.into_waiter(None));
            return match parked {
                Ok(()) => Get::Waiting,
                Err(_) => Get::Done(Gated::free(Err(Reason::CONNECTION_BROKEN))),
            };
        }
        let is_in_memory = match &asking.request.grouping {
            None => state.slab[slot].payload.is_some(),
            Some(_) => state.is_in_memory(asking.request, slot),
        };
        if is_in_memory {
            let Asking { party, request, series, take, .. } = asking;
            let getter = Getter { party, request, token: series.token, reservation, now };
            let (mut outcome, delivered) = self.deliver(&mut state, queues, slot, getter);
            if let Some(take) = take
                && delivered == Delivered::Taken
            {
                let getter = Getter { party, request, token: series.token, reservation, now };
                let mut last = self.deliver_rest(&mut state, queues, outcome, (getter, series), take);
                last.need_also(Self::release(queues, state));
                return Get::Done(last);
            }
            outcome.need_also(Self::release(queues, state));
            return Get::Done(outcome);
        }
        let waiter = asking.into_waiter(reservation.take());
        self.read_for_getter(&mut state, queues, slot, waiter);
        Self::release(queues, state);
        Get::Waiting
    }

    /// Delivers further messages of a series to a getter that was just given one, as if it asked again at
    /// once; returns the outcome of the last.
    fn deliver_rest(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        mut last: Outcome<GotMessage>,
        (getter, mut series): (Getter<'_>, Series),
        take: Take<'_>,
    ) -> Outcome<GotMessage> {
        let Getter { party, request, reservation, now, .. } = getter;
        loop {
            let rest = last.value().as_ref().ok().and_then(|message| series.after(message.body.len()));
            let next =
                rest.and_then(|rest| Some((rest, state.next_at_once(queues, request, reservation, now)?)));
            let Some((rest, slot)) = next else { return last };
            take(last);
            series = rest;
            let getter = Getter { party, request, token: series.token, reservation, now };
            let delivered;
            (last, delivered) = self.deliver(state, queues, slot, getter);
            if delivered == Delivered::Kept {
                return last;
            }
        }
    }

    fn nothing_there(self: &Arc<Self>, state: &mut State, ground: &Ground, asking: Asking<'_>) -> Get {
        if asking.request.start == Start::AtCursor {
            return Get::Done(Gated::new(state.last_change, Err(Reason::NO_MSG_UNDER_CURSOR)));
        }
        if !asking.waits {
            return Get::Done(Gated::new(state.last_change, Err(Reason::NO_MSG_AVAILABLE)));
        }
        // Asked under the lock: a queue manager that begins to end refuses the waits it finds seated, and
        // this one here.
        if let Err(reason) = ground.quiescing(asking.request.fail_if_quiescing) {
            return Get::Done(Gated::new(state.last_change, Err(reason)));
        }
        let deadline = asking.deadline;
        let first_until = asking.goes_on.then(|| ground.now().after(GOES_ON_FOR));
        let mut waiter = asking.into_waiter(None);
        waiter.first_until = first_until;
        waiter.is_shut_out = state.shuts_out(&waiter.request);
        if self.seat(state, waiter).is_err() {
            return Get::Done(Gated::free(Err(Reason::CONNECTION_BROKEN)));
        }
        if let Some(deadline) = deadline {
            state.want_tick(ground, self.id, deadline);
        }
        Get::Waiting
    }

    /// Seats a waiter and notes it with its connection; that of a connection that has ended is given back.
    pub(super) fn seat(
        self: &Arc<Self>,
        state: &mut State,
        waiter: Box<Waiter>,
    ) -> Result<Ticket, Box<Waiter>> {
        let party = Arc::clone(&waiter.party);
        let token = waiter.series.token;
        let mut waits = party.waits.lock();
        if party.has_ended() {
            drop(waits);
            return Err(waiter);
        }
        let ticket = state.waiters.insert(waiter);
        waits.push(Wait { token, queue: Arc::clone(self), ticket });
        Ok(ticket)
    }

    /// Gives a message that is on no list to a waiter.
    pub(super) fn hand_off(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        mut waiter: Box<Waiter>,
        now: Monotonic,
    ) -> Delivered {
        if waiter.party.has_ended() {
            waiter.abandon();
            return Delivered::Kept;
        }
        if state.slab[slot].payload.is_none() {
            if waiter.request.is_selecting() {
                self.scan_anew(state, queues, waiter);
                return Delivered::Kept;
            }
            waiter.party.forget_wait(waiter.series.token);
            self.read_back(state, queues, slot, waiter);
            return Delivered::Kept;
        }
        if lacks_room(queues, state, slot, &waiter.request, &mut waiter.reservation) {
            waiter.party.forget_wait(waiter.series.token);
            self.park(state, queues, slot, waiter).unwrap_or_else(Waiter::abandon);
            return Delivered::Kept;
        }
        let (outcome, delivered) = self.deliver(state, queues, slot, waiter.getter(now));
        match delivered {
            Delivered::Taken => self.answer_one_of_series(state, &queues.ground, waiter, outcome),
            Delivered::Kept => state.answer(waiter, outcome),
        }
        delivered
    }

    /// Gives a message out as the request says: a copy, or the message itself, at once or within the unit of
    /// work.
    pub(super) fn deliver(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        if getter.request.only_looks {
            let seen = self.copy_of(state, slot, getter.request, getter.now, None).seen();
            return (Gated::new(state.slab[slot].need, Ok(seen)), Delivered::Kept);
        }
        if getter.request.memo.is_some() && getter.request.concerns_locks() {
            self.deliver_and_lock(state, queues, slot, getter)
        } else {
            self.deliver_plainly(state, queues, slot, getter)
        }
    }

    /// Delivers without regard to the lock of the handle.
    pub(super) fn deliver_plainly(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let is_grouped = state.slab[slot].group.is_some() || getter.request.grouping.is_some();
        if is_grouped || getter.party.courses.are_used() {
            return self.deliver_grouped(state, queues, slot, getter);
        }
        self.deliver_one(state, queues, slot, getter)
    }

    /// Delivers one message without regard to its group.
    pub(super) fn deliver_one(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let Getter { party, request, token, reservation, now } = getter;
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
                if let Err(reason) = self.mark(state, queues, slot, request, now) {
                    return (Gated::new(need, Err(reason)), Delivered::Kept);
                }
                let got = self.copy_of(state, slot, request, now, warning);
                state.move_cursor(request, slot, false);
                return (Gated::new(need, Ok(got)), Delivered::Kept);
            }
            Action::Reserve(syncpoint, which) if which.sets_aside(entry.persistent) => {
                let got = self.copy_of(state, slot, request, now, warning);
                let room = reservation.take_if(|_| entry.persistent);
                let set_aside = self.set_aside(state, slot, party, request, token, syncpoint, room);
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
            let unit = within.then(|| request.unit(party));
            let taken = self.take_within(state, queues, slot, unit, Some(request), reservation);
            if let Err(reason) = taken {
                return (Gated::new(need, Err(request.refused_in_unit(reason))), Delivered::Kept);
            }
            let got = self.copy_of(state, slot, request, now, warning);
            return (Gated::new(need, Ok(got)), Delivered::Taken);
        }
        let need = self.take_at_once(state, &queues.ground, slot, Some(request), reservation);
        let payload = state.slab[slot].payload.take().expect("a message is given out from memory");
        state.forget_payload(&queues.ground, &payload);
        let got = self.finish_copy(payload, state.given(slot), request, now, warning);
        let leaving = state.slab[slot].leaving();
        state.finish(&queues.ground, slot, need);
        state.was_got(&queues.ground, leaving, queues.ground.world.clock.wall_roughly());
        (Gated::new(need, Ok(got)), Delivered::Taken)
    }

    /// Checks that such a get is not refused for being in no unit of work. A deleted queue refuses it in its
    /// turn, for another reason.
    ///
    /// # Errors
    /// 2232.
    pub fn allows(&self, request: &Request) -> Result<(), Reason> {
        let refuses = self.attributes().requires_unit && request.action.takes_outside_unit();
        if refuses && !self.lock().deleted { Err(Reason::UNIT_OF_WORK_NOT_STARTED) } else { Ok(()) }
    }

    /// Ends a wait that has not been decided.
    pub fn cancel(&self, ticket: Ticket) -> Option<Box<Waiter>> {
        self.lock().waiters.remove(ticket)
    }

    /// Ends a wait early: one that has found a message lasts until that is read from the disk, and no longer.
    /// None when there is no such wait.
    pub fn conclude(&self, ticket: Ticket) -> Option<Concluded> {
        let mut state = self.lock();
        let waiter = state.waiters.get_mut(ticket)?;
        if waiter.reading.is_none() {
            return Some(Concluded::HasNothing);
        }
        waiter.waits = false;
        Some(Concluded::Reads)
    }

    /// Ends a wait that has found nothing. One that has found a message ends when that is read, with a
    /// message or without. None when there is no such wait.
    pub fn stop(&self, ticket: Ticket) -> Option<Concluded> {
        let mut state = self.lock();
        let waiter = state.waiters.get_mut(ticket)?;
        if waiter.reading.is_some() {
            waiter.waits = false;
            return Some(Concluded::Reads);
        }
        let ended = state.waiters.remove(ticket);
        drop(state);
        drop(ended);
        Some(Concluded::HasNothing)
    }

    /// Ends the waits whose time is over, and expires due messages; asks for the next tick.
    pub fn tick(self: &Arc<Self>, queues: &Queues, now: Monotonic) {
        let mut state = self.lock();
        state.tick_at = NEVER;
        while let Some(waiter) = state.waiters.take_overdue(now) {
            let need = state.last_change;
            waiter.complete(Gated::new(need, Err(Reason::NO_MSG_AVAILABLE)));
        }
        let is_due = state.next_due().is_some_and(|due| due <= now);
        drop(state);
        if is_due {
            self.release_due(queues, now);
        }
        self.lapse_marks(queues, now);
        if self.expiry_due(now) {
            self.sweep(queues, now);
        }
        let mut state = self.lock();
        let wait = state.waiters.next_deadline();
        let expiry = state.expiring.first().map(|(deadline, _)| super::expiry::tick_for(*deadline));
        let lapse = state.marks.next_lapse();
        if let Some(next) = [wait, expiry, lapse, state.next_due()].into_iter().flatten().min() {
            // What is due and still there could not be logged.
            let earliest = if next <= now { now.after(crate::room::RETRY) } else { next };
            state.want_tick(&queues.ground, self.id, earliest);
        }
    }

    /// Ends the waits for which a condition holds.
    pub fn refuse_waiters(&self, reason: Reason, condition: impl Fn(&Waiter) -> bool) {
        let mut state = self.lock();
        let need = state.last_change;
        for waiter in state.waiters.take_if(&condition) {
            waiter.complete(Gated::new(need, Err(reason)));
        }
    }

    /// Ends the waits of one handle, whose right is gone.
    pub fn end_waits_of(&self, party: &Arc<Party>, handle: i32, (need, reason): (storage::Lsn, Reason)) {
        let mut state = self.lock();
        let is_meant = |waiter: &Waiter| waiter.request.handle == handle && Arc::ptr_eq(&waiter.party, party);
        for waiter in state.waiters.take_if(is_meant) {
            waiter.complete(Gated::new(need, Err(reason)));
        }
    }

    /// Runs a part of the end of a unit of work on this queue, unless the queue is deleted. Returns the work
    /// that became due, which the caller does once it holds no lock.
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

    /// True if a message is still on the queue.
    pub fn has(&self, slot: Slot, sequence: u64) -> bool {
        self.lock().holds(slot, sequence)
    }
}

/// The reason for which attributes refuse a get, if they do.
#[cold]
fn refuses_get(attributes: &QueueAttributes, request: &Request) -> Option<Reason> {
    if attributes.get_inhibited {
        Some(Reason::GET_INHIBITED)
    } else if attributes.requires_unit && request.action.takes_outside_unit() {
        Some(Reason::UNIT_OF_WORK_NOT_STARTED)
    } else {
        None
    }
}

impl State {
    /// The time at which a getter asks. Where nothing expires and the getter's handle has no locks and no
    /// marks the time decides nothing, and the clock is not read.
    fn now_for_get(&self, ground: &Ground, request: &Request) -> Monotonic {
        if request.memo.is_some() || self.expires_any() { ground.now() } else { ANY_TIME }
    }

    /// Returns true if a getter waits until gets are not inhibited any more, on the queue or by its alias.
    pub(super) fn shuts_out(&self, request: &Request) -> bool {
        request.outlasts_inhibition
            && (self.attributes.get_inhibited
                || request.refused_by_alias().is_some_and(|(reason, _)| request.is_shut_out_by(reason)))
    }

    /// The message that a get in physical order finds.
    fn first_for(&self, request: &Request, now: Monotonic) -> Slot {
        let slot = self.find(request, now);
        #[cfg(feature = "planted")]
        let slot = self.after_the_right_one(slot, request);
        slot
    }

    /// Returns the message that a getter finds if it asks again right after one. None where it takes more
    /// than a search: a report to be made first, state of its handle, room in the log, a message that is not
    /// in memory.
    fn next_at_once(
        &self,
        queues: &Queues,
        request: &Request,
        reservation: &mut Option<Reservation>,
        now: Monotonic,
    ) -> Option<Slot> {
        let is_plain = self.due.is_empty()
            && request.memo.is_none()
            && request.grouping.is_none()
            && !request.is_selecting();
        let slot = is_plain.then(|| self.first_for(request, now)).filter(|slot| *slot != NONE)?;
        let entry = &self.slab[slot];
        let mut is_logged_now = || {
            matches!(request.action, Action::Take(_)) && !lacks_room(queues, self, slot, request, reservation)
        };
        (entry.payload.is_some() && (!entry.persistent || is_logged_now())).then_some(slot)
    }

    /// Ends each operation of a unit of work whose message is still there. With waiting getters it goes in
    /// the order of delivery: the longest waiter is given the message that a getter a moment later would be
    /// given first, and no message comes before an earlier one that returns with it. Without any it goes in
    /// the order given, which costs nothing.
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

    /// True if a slot still holds the message that an operation of a unit of work was about.
    pub(crate) fn holds(&self, slot: Slot, sequence: u64) -> bool {
        self.slab.get_if(slot, sequence).is_some()
    }

    /// A message that is still on the queue.
    pub(crate) fn entry(&self, slot: Slot, sequence: u64) -> Option<&Entry> {
        self.slab.get_if(slot, sequence)
    }

    /// Ends the wait of a getter that was just given something, now or when the delivery is reported.
    pub(super) fn answer(&mut self, waiter: Box<Waiter>, outcome: Outcome<GotMessage>) {
        let last = self.due.iter_mut().rev().find_map(|due| match due {
            Due::Delivery(delivery) => Some(delivery),
            Due::Trigger { .. } | Due::Performance { .. } | Due::Expired(_) => None,
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
}

impl Asking<'_> {
    fn into_waiter(self, reservation: Option<Reservation>) -> Box<Waiter> {
        Box::new(Waiter {
            party: Arc::clone(self.party),
            series: self.series,
            request: self.request.clone(),
            deadline: self.deadline.filter(|_| self.waits),
            waits: self.waits,
            lacks_room: false,
            is_scanning: false,
            is_shut_out: false,
            is_joining: false,
            reservation,
            reading: None,
            first_until: None,
        })
    }
}

impl Waiter {
    /// Ends the wait with an outcome.
    pub fn complete(self: Box<Self>, outcome: Outcome<GotMessage>) {
        self.party.forget_wait(self.series.token);
        if let Some(tallies) = &self.request.tallies {
            self.party.count_got(tallies, self.request.action, outcome.value());
        }
        self.party.completions.complete(self.series.token, outcome);
    }

    /// Ends the wait of a connection that has ended. The thread that ended it finds no wait any more to
    /// complete.
    pub(crate) fn abandon(self: Box<Self>) {
        if let Some(reason) = self.party.end_told() {
            self.complete(Gated::free(Err(reason)));
        }
    }
}

/// True if a message cannot be given out because the log has no room for its record.
#[inline(always)]
pub(super) fn lacks_room(
    queues: &Queues,
    state: &State,
    slot: Slot,
    request: &Request,
    reservation: &mut Option<Reservation>,
) -> bool {
    state.room_wanted(request, slot).is_some_and(|wanted| lacks(queues, wanted, reservation))
}

/// True if the log has no room for so many bytes beside what is set aside.
#[inline(never)]
fn lacks(queues: &Queues, wanted: u64, reservation: &mut Option<Reservation>) -> bool {
    if reservation.as_ref().is_some_and(|room| room.left() >= wanted) {
        return false;
    }
    // What was set aside before is given up first, so that it can be part of the room now.
    *reservation = None;
    *reservation = queues.room_for_get(wanted).ok();
    // A log that failed refuses nothing: what is appended to it goes nowhere, and nothing leaves the gate.
    reservation.is_none() && !queues.ground.storage.has_failed()
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
