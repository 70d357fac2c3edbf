//! Messages that leave their queue: to a getter at once, within a unit of work, or first set aside for it.

use std::sync::Arc;

use mqi::Reason;
use platform::WallTime;
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::record::RESERVED_SMALL;
use storage::{Lsn, Purpose, Record, Reservation, Sequence};

use super::entry::{Entry, EntryState, Slot};
use super::request::{Action, Request, Start, Syncpoint};
use super::{Queue, State};
use crate::ground::Ground;
use crate::message;
use crate::message::report_kind::Asked;
use crate::queue::due::{Delivery, Due};
use crate::queue::getter::WaitToken;
use crate::queue::party::{Held, Party};
use crate::queues::Queues;
use crate::unit_of_work::choice::Whose;
use crate::unit_of_work::slot::UnitSlot;
use crate::unit_of_work::{Effect, Operation, Unit};
use crate::{Gated, Outcome};

impl Queue {
    /// Sets a message aside for a connection.
    #[expect(clippy::too_many_arguments, reason = "the parts of one get, borrowed from different owners")]
    pub(super) fn set_aside(
        self: &Arc<Self>,
        state: &mut State,
        slot: Slot,
        party: &Arc<Party>,
        request: &Request,
        token: WaitToken,
        syncpoint: Syncpoint,
        room: Option<Reservation>,
    ) -> Result<(), Reason> {
        let mut held = party.held.lock();
        if party.has_ended() {
            return Err(Reason::CONNECTION_BROKEN);
        }
        let sequence = state.slab[slot].sequence;
        let leaving = state.slab[slot].leaving();
        let tallies = request.tallies.clone();
        held.insert(
            token.0,
            Held { queue: Arc::clone(self), slot, sequence, syncpoint, leaving, tallies, room },
        );
        drop(held);
        state.leave_order(request, slot, EntryState::Reserved);
        Ok(())
    }

    /// The application has the message that was set aside for it: it takes it within a unit of work that it
    /// names, or as it said when that was set aside.
    pub fn take_held(
        self: &Arc<Self>,
        queues: &Queues,
        own: &Arc<UnitSlot>,
        within: Option<&Arc<UnitSlot>>,
        held: &mut Held,
    ) -> Outcome<()> {
        let reservation = &mut held.room;
        let mut state = self.lock();
        if !state.holds(held.slot, held.sequence) {
            return Gated::new(state.last_change, Err(Reason::Q_DELETED));
        }
        let Entry { persistent, need, reports, .. } = state.slab[held.slot];
        let of_connection = || held.syncpoint.is_within(persistent).then_some(own);
        let unit = within.or_else(of_connection);
        if unit.is_none() && state.attributes.requires_unit {
            return Gated::new(state.last_change, Err(Reason::UNIT_OF_WORK_NOT_STARTED));
        }
        if unit.is_some() || reports.contains(Asked::DELIVERY) {
            let taken = self.take_within(&mut state, queues, held.slot, unit, None, reservation);
            let reported = Self::release(queues, state);
            return Gated::new(need.max(reported), taken);
        }
        let need = self.take_at_once(&mut state, &queues.ground, held.slot, None, reservation);
        let leaving = state.slab[held.slot].leaving();
        state.finish(&queues.ground, held.slot, need);
        state.was_got(&queues.ground, leaving, queues.ground.world.clock.wall_roughly());
        Self::release(queues, state);
        Gated::new(need, Ok(()))
    }

    /// The application has not seen the message that was set aside for it.
    pub fn give_back(self: &Arc<Self>, queues: &Queues, slot: Slot, sequence: u64) {
        let mut state = self.lock();
        self.return_reserved(&mut state, queues, slot, sequence);
        Self::release(queues, state);
    }

    /// The application had the message that was set aside for it, and failed: its backout count is higher
    /// from now on. Where the log has no room to say so the next checkpoint does.
    pub fn give_back_counted(self: &Arc<Self>, queues: &Queues, held: &mut Held) {
        let Held { slot, sequence, room, .. } = held;
        let mut room = room.take().filter(|room| room.left() >= RESERVED_SMALL);
        let mut state = self.lock();
        let is_there =
            state.slab.get_if(*slot, *sequence).is_some_and(|entry| entry.state == EntryState::Reserved);
        if is_there && !state.deleted {
            let entry = &mut state.slab[*slot];
            entry.backout_count = entry.backout_count.saturating_add(1);
            let (persistent, count) = (entry.persistent, entry.backout_count);
            if persistent {
                state.returned.insert(*slot);
                room = room.or_else(|| queues.reserve(RESERVED_SMALL, Purpose::Drain).ok());
            }
            if let Some(room) = room.as_mut().filter(|_| persistent) {
                let unit = queues.units.open(&queues.ground.storage, None);
                let returned = &[(self.id, Sequence(*sequence), count)];
                let need = queues.ground.storage.append(&Record::Backout { unit, returned }, None, room).need;
                queues.units.close(unit, need);
            }
        }
        self.return_reserved(&mut state, queues, *slot, *sequence);
        Self::release(queues, state);
    }

    /// Takes a message into the current unit of work of a slot, or, to report its delivery, into one of the
    /// queue manager's own.
    pub(super) fn take_within(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        slot_of_unit: Option<&Arc<UnitSlot>>,
        request: Option<&Request>,
        reservation: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        let Entry { persistent, need, reports, deadline, .. } = state.slab[slot];
        let is_reported = reports.contains(Asked::DELIVERY);
        let operations = 1 + usize::from(is_reported);
        let mut own = None;
        let mut of_connection = slot_of_unit.map(|slot| slot.lock());
        let unit = match &mut of_connection {
            Some(unit) => {
                unit.admit(operations, queues.ground.limits.uncommitted_max())?;
                &mut **unit
            }
            None => &mut **own.insert(Box::<Unit>::default()),
        };
        let mut room = if persistent { Some(room_for_get(queues, reservation)?) } else { None };
        let got_at = self.add_get(&state.slab[slot], queues, slot, unit, room.as_mut());
        let number = unit.number();
        drop(of_connection);
        if is_reported {
            let original = state.slab[slot].message().expect("a message is given out from memory");
            let whose = Whose::taker(own, slot_of_unit, number);
            let (queue, sequence) = (Arc::clone(self), state.slab[slot].sequence);
            let left = message::remaining(deadline, queues.ground.now());
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
        state.was_got(&queues.ground, state.slab[slot].leaving(), got_at);
        Ok(())
    }

    /// Logs a get within a unit of work and adds it there; returns when.
    pub(super) fn add_get(
        self: &Arc<Self>,
        entry: &Entry,
        queues: &Queues,
        slot: Slot,
        unit: &mut Unit,
        room: Option<&mut Reservation>,
    ) -> WallTime {
        let Entry { sequence, need, .. } = *entry;
        if let Some(room) = room {
            let name = unit.begin(queues, room);
            unit.widen_end(room);
            let record = Record::Get { unit: Some(name), queue: self.id, sequence: Sequence(sequence) };
            unit.logged(queues.ground.storage.append(&record, None, room).at);
        }
        unit.observe(need);
        let got_at = queues.ground.world.clock.wall_roughly();
        let operation = Operation { queue: Arc::clone(self), slot, sequence, effect: Effect::Got };
        unit.add(operation, got_at);
        got_at
    }

    /// Logs a get outside units of work and takes the message off the lists. Its entry is still there, to be
    /// finished with the need returned.
    pub(super) fn take_at_once(
        &self,
        state: &mut State,
        ground: &Ground,
        slot: Slot,
        request: Option<&Request>,
        reservation: &mut Option<Reservation>,
    ) -> Lsn {
        let Entry { sequence, persistent, mut need, .. } = state.slab[slot];
        #[cfg(feature = "planted")]
        let persistent = persistent && !planted::strikes(Fault::ResurrectedGet);
        if persistent {
            let record = Record::Get { unit: None, queue: self.id, sequence: Sequence(sequence) };
            let mut room = reservation.take().unwrap_or_else(|| ground.reserve_under_lock(RESERVED_SMALL));
            need = need.max(ground.storage.append(&record, None, &mut room).need);
        }
        state.leave_order(request, slot, EntryState::Reserved);
        state.count_out(slot);
        need
    }

    /// A unit of work that had got this message stands.
    pub(crate) fn get_committed(&self, state: &mut State, ground: &Ground, slot: Slot, need: Lsn) {
        assert!(state.slab[slot].state == EntryState::Locked, "a commit finds its gets as it left them");
        state.uncommitted -= 1;
        state.finish(ground, slot, need);
    }

    /// A unit of work that had put this message was backed out.
    pub(crate) fn put_backed_out(&self, state: &mut State, ground: &Ground, slot: Slot, need: Lsn) {
        assert!(
            state.slab[slot].state == EntryState::Uncommitted,
            "a backout finds its puts as it left them"
        );
        state.forget_prepared(slot);
        state.undelay(slot);
        state.uncommitted -= 1;
        state.note_in_total(|total| total.puts_backed_out += 1);
        state.count_out(slot);
        state.finish(ground, slot, need);
    }
}

impl State {
    /// Ends a message for good: frees its slot, and its bytes once the log is durable to `need`.
    pub(super) fn finish(&mut self, ground: &Ground, slot: Slot, need: Lsn) {
        let entry = &mut self.slab[slot];
        let (sequence, location, state) = (entry.sequence, entry.location, entry.state);
        let (backout_count, payload) = (entry.backout_count, entry.payload.take());
        self.slab.remove(slot);
        if !self.marks.is_empty() {
            self.marks.forget(slot);
        }
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
        if let Some(payload) = payload {
            self.forget_payload(ground, &payload);
        }
        if let Some(location) = location {
            ground.storage.release(location, need);
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

fn room_for_get(queues: &Queues, reservation: &mut Option<Reservation>) -> Result<Reservation, Reason> {
    // What was set aside for a get outside of units is too little.
    match reservation.take_if(|room| room.left() >= crate::room::WITHIN_UNIT) {
        Some(room) => Ok(room),
        None => queues.reserve(crate::room::WITHIN_UNIT, Purpose::Drain),
    }
}
