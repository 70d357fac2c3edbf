//! Messages of groups given out: in the middle of a group by its rules, and segments joined to their logical
//! message.
//!
//! Joined segments leave together: within a unit of work as one get each, outside by one record for all, or,
//! where deliveries are to be reported, by a unit of work of the queue manager's own. So a crash leaves all
//! of them on the queue, or none.
//!
//! A job reads segments that are not in memory, and keeps them until all are there; nothing is set aside
//! meanwhile, so a quicker getter may take them.
//!
//! Always: what is refused stays where it is, and moves no handle.

use std::sync::Arc;

use formats::headers::Place;
use mqi::{MessageFlags, Reason};
use storage::record::{RESERVED_END, RESERVED_END_EACH, RESERVED_SMALL};
use storage::{GroupHead, Lsn, ReadError, Record, Reservation, Sequence};

use super::delivery::{Delivered, Getter};
use super::entry::{Entry, EntryState, Slot};
use super::got_message::GotMessage;
use super::got_message::{Segment, Segments};
use super::groups::Readiness;
use super::read_back::Wanted;
use super::request::{Action, Request, Start, Syncpoint};
use super::waiters::{Ticket, Waiter};
use super::{Queue, State};
use crate::gate::BehindGate;
use crate::ground::Ground;
use crate::grouping::{Calls, Manner};
use crate::message::group_place::{self, is_segment};
use crate::message::report::Report;
use crate::message::report_kind::{Asked, Kind};
use crate::message::{self, Payload};
use crate::queue::due::{Delivery, Due};
use crate::queues::Queues;
use crate::unit_of_work::Unit;
use crate::unit_of_work::choice::Whose;
use crate::unit_of_work::slot::UnitSlot;
use crate::{Gated, Outcome};

/// A logical message, joined.
struct Joined {
    /// The segments it is made of.
    slots: Vec<Slot>,
    length: usize,
    /// Its place in the group.
    place: GroupHead,
    /// Why not all segments are part of it.
    remark: Option<Reason>,
}

impl State {
    /// The segments that a getter wants joined when it gets this message; none when it is given out as it is.
    #[inline]
    fn segments_for(&self, request: &Request, slot: Slot) -> Option<Vec<Slot>> {
        if request.grouping.as_ref().is_some_and(|grouping| grouping.joins) {
            self.segments_from(slot)
        } else {
            None
        }
    }

    /// The segments of the message that this one begins, if it is split.
    #[inline(never)]
    fn segments_from(&self, slot: Slot) -> Option<Vec<Slot>> {
        let entry = &self.slab[slot];
        let place = entry.member_place().filter(|place| is_segment(place) && place.offset == 0)?;
        Some(self.groups.segments(&entry.group_key()?, place.sequence_number))
    }

    /// True if all segments that a getter is to be given are in memory.
    #[inline]
    pub(super) fn is_in_memory(&self, request: &Request, slot: Slot) -> bool {
        match self.segments_for(request, slot) {
            None => self.slab[slot].payload.is_some(),
            Some(segments) => segments.iter().all(|slot| self.slab[*slot].payload.is_some()),
        }
    }

    /// Room in the log that a getter needs to be given this message; none when nothing is logged. Each get
    /// asks: calls for it and for what it is needed by cost 25 instructions, and come and go with other code.
    #[inline(always)]
    pub(super) fn room_wanted(&self, request: &Request, slot: Slot) -> Option<u64> {
        if request.action == Action::Browse {
            return None;
        }
        let segments = request.grouping.as_ref().and_then(|_| self.segments_for(request, slot));
        match segments {
            None => {
                let entry = &self.slab[slot];
                entry.persistent.then(|| super::delivery::room_wanted(entry, request.action))
            }
            Some(segments) => self.room_wanted_for(&segments),
        }
    }

    /// Room for several segments that are got together.
    #[inline(never)]
    fn room_wanted_for(&self, segments: &[Slot]) -> Option<u64> {
        let persistent = segments.iter().map(|slot| &self.slab[*slot]).filter(|entry| entry.persistent);
        let (mut count, mut reports) = (0_u64, 0);
        for entry in persistent {
            count += 1;
            if entry.reports.contains(Asked::DELIVERY) {
                let all = entry.body_length as usize;
                let data = entry.payload.as_ref().map_or(all, |payload| Kind::Delivery.data_length(payload));
                reports += Report::room(data);
            }
        }
        // More than one record for all takes: it may become a unit of work.
        (count > 0).then(|| count * (RESERVED_SMALL + RESERVED_END_EACH) + RESERVED_END + reports)
    }

    /// As many segments as can be one message: those in one character set and encoding.
    fn join(&self, mut slots: Vec<Slot>) -> Joined {
        let of = |slot: Slot| &self.payload(slot).descriptor;
        let first = of(slots[0]);
        let differs = |slot: &Slot| {
            let found = of(*slot);
            (found.coded_character_set != first.coded_character_set)
                .then_some(Reason::INCONSISTENT_CCSIDS)
                .or_else(|| (found.encoding != first.encoding).then_some(Reason::INCONSISTENT_ENCODINGS))
        };
        let odd = slots.iter().enumerate().find_map(|(index, slot)| Some((index, differs(slot)?)));
        let remark = odd.map(|(index, reason)| {
            slots.truncate(index);
            reason
        });
        let length: usize = slots.iter().map(|slot| self.covers(*slot)).sum();
        let place = self.slab[slots[0]].group_head();
        let ends = if remark.is_none() { MessageFlags::LAST_SEGMENT } else { MessageFlags::EMPTY };
        let place = GroupHead {
            flags: place.flags | u8::try_from(ends.bits()).unwrap_or_default(),
            length: i32::try_from(length).unwrap_or(i32::MAX),
            ..place
        };
        Joined { slots, length, place, remark }
    }

    fn payload(&self, slot: Slot) -> &Arc<Payload> {
        self.slab[slot].payload.as_ref().expect("a message is given out from memory")
    }

    /// Returns the number of bytes of the logical message that a segment covers. A report may have less data
    /// than the segment it is about.
    fn covers(&self, slot: Slot) -> usize {
        let length = self.slab[slot].group_head().length;
        usize::try_from(length).unwrap_or_default()
    }

    /// Returns the segments to join into a message, for use without the lock.
    fn segments_of(&self, joined: &Joined, bytes_max: usize) -> Box<Segments> {
        let segment =
            |slot: &Slot| Segment { data: self.payload(*slot).body.clone(), length: self.covers(*slot) };
        Box::new(Segments { all: joined.slots.iter().map(segment).collect(), bytes_max })
    }
}

impl Queue {
    /// Gives out a message when groups may be concerned: by the getter, by the message, or by where the
    /// handle is.
    pub(super) fn deliver_grouped(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let (party, request) = (getter.party, getter.request);
        let entry = &state.slab[slot];
        let need = entry.need;
        let member = entry.member_place().copied().zip(entry.group_key());
        let (place, key) = member.map_or_else(Default::default, |(place, key)| (place, Some(key)));
        let (calls, within_unit) = match request.action {
            Action::Browse => (Calls::Browses, false),
            Action::Take(syncpoint) | Action::Reserve(syncpoint, _) => {
                (Calls::Gets, syncpoint.is_within(entry.persistent))
            }
        };
        let grouping = request.grouping.as_deref();
        let in_order = grouping.is_some_and(|grouping| grouping.in_order);
        let manner = Manner { in_order, within_unit, persistent: entry.persistent };
        let courses = &party.courses;
        let judged = match calls {
            Calls::Gets => courses.judge_get(request.handle, key, &place, manner),
            Calls::Browses | Calls::Puts => Ok(None),
        };
        let joins = grouping.is_some_and(|grouping| grouping.joins);
        let judged = match judged {
            Ok(_) if joins && is_segment(&place) && place.offset > 0 => Err(Reason::INVALID_MSG_UNDER_CURSOR),
            Ok(_) if in_order && request.start != Start::AtCursor && !request.criteria.matches(entry) => {
                Err(Reason::MATCH_OPTIONS_ERROR)
            }
            judged => judged,
        };
        let remark = match judged {
            Ok(remark) => remark,
            Err(reason) => return (Gated::new(need, Err(reason)), Delivered::Kept),
        };
        let is_led = grouping.is_some_and(|grouping| grouping.next.is_some());
        let head = (calls == Calls::Browses && in_order && !is_led).then(|| state.cursor_on(slot));
        let (outcome, delivered, place) = match state.segments_for(request, slot) {
            None => {
                let (outcome, delivered) = self.deliver_one(state, queues, slot, getter);
                (outcome, delivered, place)
            }
            // The first was locked until now, by this handle, and what came with it is out of memory, or
            // gone.
            Some(segments)
                if !key.is_some_and(|key| {
                    state.groups.is_ready(&key, place.sequence_number, Readiness::Message)
                }) || segments.iter().any(|slot| state.slab[*slot].payload.is_none()) =>
            {
                return (Gated::new(need, Err(Reason::NO_MSG_UNDER_CURSOR)), Delivered::Kept);
            }
            Some(segments) => {
                let joined = state.join(segments);
                let (outcome, delivered) = self.deliver_joined(state, queues, &joined, getter);
                (outcome, delivered, joined.place)
            }
        };
        let outcome = outcome.changed(|result| {
            result.map(|mut got| {
                if got.warning != Some(Reason::TRUNCATED_MSG_FAILED) {
                    courses.note((request.handle, calls), key, &place, manner, head);
                    got.warning = got.warning.or(remark);
                }
                got
            })
        });
        (outcome, delivered)
    }

    fn deliver_joined(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        joined: &Joined,
        getter: Getter<'_>,
    ) -> (Outcome<GotMessage>, Delivered) {
        let Getter { party, request, reservation, now, .. } = getter;
        let Joined { slots, length, place, remark } = joined;
        let entries = slots.iter().map(|slot| &state.slab[*slot]);
        let need = entries.clone().map(|entry| entry.need).max().unwrap_or(Lsn::ZERO);
        // The headers of a message that was split are in its first segment.
        let first = state.payload(slots[0]);
        let form = state.form(first, request);
        let given_length = match form {
            None => *length,
            Some(form) => {
                let all = state.segments_of(joined, usize::MAX).joined();
                form.present(&Place::of(&first.descriptor), &all).body.len()
            }
        };
        let is_cut = given_length + request.extension_length(&first.descriptor) > request.bytes_max;
        let warning = match is_cut {
            true if request.accept_truncated => Some(Reason::TRUNCATED_MSG_ACCEPTED),
            true => Some(Reason::TRUNCATED_MSG_FAILED),
            false => None,
        };
        let mut got = self.copy_of(state, slots[0], request, now, warning);
        got.segments =
            Some(state.segments_of(joined, if form.is_none() { request.bytes_max } else { usize::MAX }));
        got.data_length = *length;
        got.descriptor.message_flags = group_place::flags(place);
        got.warning = warning.or(*remark);
        let kept = |got| (Gated::new(need, Ok(got)), Delivered::Kept);
        if is_cut && !request.accept_truncated {
            return kept(got);
        }
        let syncpoint = match request.action {
            Action::Take(syncpoint) => syncpoint,
            Action::Browse => {
                state.move_cursor(request, slots[0], false);
                return kept(got);
            }
            // Such gets are refused before.
            Action::Reserve(..) => return (Gated::free(Err(Reason::OPTIONS_ERROR)), Delivered::Kept),
        };
        let is_persistent = entries.clone().any(|entry| entry.persistent);
        let is_reported = entries.clone().any(|entry| entry.reports.contains(Asked::DELIVERY));
        let within = syncpoint != Syncpoint::Outside;
        let needs_unit = is_persistent && !within && slots.len() > 1;
        if needs_unit && !party.unit.lock().operations.is_empty() {
            return (Gated::new(need, Err(Reason::UOW_NOT_AVAILABLE)), Delivered::Kept);
        }
        let taken = if within || is_reported {
            let unit = within.then(|| request.unit(party));
            self.take_joined_within(state, queues, slots, unit, request, reservation)
        } else {
            self.take_joined_at_once(state, queues, slots, request, reservation)
        };
        match taken {
            Ok(taken) => (Gated::new(need.max(taken), Ok(got)), Delivered::Taken),
            Err(reason) => (Gated::new(need, Err(request.refused_in_unit(reason))), Delivered::Kept),
        }
    }

    /// Takes segments into the unit of work of a connection, or, to report their deliveries, into one of the
    /// queue manager's own.
    fn take_joined_within(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slots: &[Slot],
        slot_of_unit: Option<&Arc<UnitSlot>>,
        request: &Request,
        reservation: &mut Option<Reservation>,
    ) -> Result<Lsn, Reason> {
        let now = queues.ground.now();
        let is_reported = |slot: &&Slot| state.slab[**slot].reports.contains(Asked::DELIVERY);
        let mut reported = slots.iter().filter(is_reported).map(|slot| {
            (
                state.payload(*slot).of_copy(&state.slab[*slot].correlation_id),
                message::remaining(state.slab[*slot].deadline, now),
            )
        });
        let first_reported = reported.next();
        let others: Vec<_> = reported.collect();
        let operations = slots.len() + others.len() + usize::from(first_reported.is_some());
        let mut own = None;
        let mut of_connection = slot_of_unit.map(|slot| slot.lock());
        let unit = match &mut of_connection {
            Some(unit) => {
                unit.admit(operations, queues.ground.limits.uncommitted_max())?;
                &mut **unit
            }
            None => &mut **own.insert(Box::<Unit>::default()),
        };
        let is_persistent = slots.iter().any(|slot| state.slab[*slot].persistent);
        let mut room = if is_persistent {
            Some(self.room_for_all(state, queues, slots, request, reservation)?)
        } else {
            None
        };
        let mut got_at = queues.ground.world.clock.wall_roughly();
        let mut need = Lsn::ZERO;
        for slot in slots {
            let entry = &state.slab[*slot];
            let room = if entry.persistent { room.as_mut() } else { None };
            got_at = self.add_get(entry, queues, *slot, &mut *unit, room);
            need = need.max(entry.need);
        }
        let number = unit.number();
        drop(of_connection);
        if let Some((original, left)) = first_reported {
            let whose = Whose::taker(own, slot_of_unit, number);
            let (queue, slot) = (Arc::clone(self), slots[0]);
            let sequence = state.slab[slot].sequence;
            let answer = None;
            let delivery = Delivery { queue, slot, sequence, original, left, others, whose, room, answer };
            state.due.push(Due::Delivery(Box::new(delivery)));
        }
        state.last_change = state.last_change.max(need);
        for (index, slot) in slots.iter().enumerate() {
            state.marks.forget(*slot);
            state.leave_order((index == 0).then_some(request), *slot, EntryState::Locked);
            state.count_out(*slot);
            state.uncommitted += 1;
            state.was_got(&queues.ground, state.slab[*slot].leaving(), got_at);
        }
        Ok(need)
    }

    /// Takes segments at once, those that last with one record for all.
    fn take_joined_at_once(
        &self,
        state: &mut State,
        queues: &Queues,
        slots: &[Slot],
        request: &Request,
        reservation: &mut Option<Reservation>,
    ) -> Result<Lsn, Reason> {
        let entries = slots.iter().map(|slot| &state.slab[*slot]);
        let lasting = entries.clone().filter(|entry| entry.persistent);
        let sequences: Vec<_> = lasting.map(|entry| Sequence(entry.sequence)).collect();
        let mut need = entries.map(|entry| entry.need).max().unwrap_or(Lsn::ZERO);
        if !sequences.is_empty() {
            let mut room = self.room_for_all(state, queues, slots, request, reservation)?;
            let record = Record::Remove { queue: self.id, sequences: &sequences };
            need = need.max(queues.ground.storage.append(&record, None, &mut room).need);
        }
        for (index, slot) in slots.iter().enumerate() {
            state.leave_order((index == 0).then_some(request), *slot, EntryState::Reserved);
            state.count_out(*slot);
            let leaving = state.slab[*slot].leaving();
            state.finish(&queues.ground, *slot, need);
            state.was_got(&queues.ground, leaving, queues.ground.world.clock.wall_roughly());
        }
        Ok(need)
    }

    /// The room that was set aside before the segments were given out.
    fn room_for_all(
        &self,
        state: &State,
        queues: &Queues,
        slots: &[Slot],
        request: &Request,
        reservation: &mut Option<Reservation>,
    ) -> Result<Reservation, Reason> {
        let wanted = state.room_wanted(request, slots[0]).unwrap_or_default();
        match reservation.take().filter(|room| room.left() >= wanted) {
            Some(room) => Ok(room),
            None => queues.reserve(wanted, storage::Purpose::Drain),
        }
    }

    /// Reads a getter's message or segments back; it is seated until they are in memory.
    pub(super) fn read_for_getter(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        mut waiter: Box<Waiter>,
    ) {
        let Some(segments) = state.segments_for(&waiter.request, slot) else {
            return self.read_back(state, queues, slot, waiter);
        };
        let segments: Vec<_> = segments.into_iter().map(|slot| (slot, state.slab[slot].sequence)).collect();
        waiter.is_joining = true;
        let ticket = match self.seat(state, waiter) {
            Ok(ticket) => ticket,
            Err(waiter) => return waiter.abandon(),
        };
        let queue = Arc::clone(self);
        queues.leave_job(move |queues| queue.read_to_join(queues, ticket, &segments));
    }

    /// The job: reads the segments of a message, then has the getter look again.
    fn read_to_join(self: &Arc<Self>, queues: &Queues, ticket: Ticket, segments: &[(Slot, u64)]) {
        let mut read = Vec::with_capacity(segments.len());
        let mut damage = None;
        for (slot, sequence) in segments {
            match self.read_segment(&queues.ground, *slot, *sequence) {
                Ok(Some(payload)) => read.push((*slot, *sequence, payload)),
                // It is gone: there is another message to look for.
                Ok(None) => break,
                Err(reason) => {
                    damage = Some((*slot, *sequence, reason));
                    break;
                }
            }
        }
        let mut state = self.lock();
        if let Some((slot, sequence, reason)) = damage {
            if !self.refuse_damaged_there(&mut state, &queues.ground, ticket, (slot, sequence), &reason) {
                self.look_again(&mut state, queues, ticket);
            }
            Self::release(queues, state);
            return;
        }
        for (slot, sequence, payload) in read {
            if state.slab.get_if(slot, sequence).is_some_and(|entry| entry.payload.is_none()) {
                state.keep_read(&queues.ground, slot, payload);
            }
        }
        self.look_again(&mut state, queues, ticket);
        Self::release(queues, state);
    }

    /// Reads one segment; none when it is not on the queue any more.
    fn read_segment(
        &self,
        ground: &Ground,
        slot: Slot,
        sequence: u64,
    ) -> Result<Option<Arc<Payload>>, String> {
        loop {
            let location = {
                let state = self.lock();
                let Some(entry) = state.slab.get_if(slot, sequence) else { return Ok(None) };
                if let Some(message) = entry.message() {
                    return Ok(Some(message));
                }
                let Entry { location: Some(location), .. } = entry else { return Ok(None) };
                *location
            };
            let wanted = Wanted { slot, sequence, location };
            match ground.storage.read(location) {
                Err(ReadError::Moved(_)) if !self.lock().is_at(wanted) => {}
                Err(error) => return Err(error.to_string()),
                Ok(stored) => {
                    self.lock().restore(ground, wanted, &stored).map_err(|error| error.to_string())?;
                }
            }
        }
    }
}
