//! Messages whose time is over, and those whose time comes.
//!
//! No get returns one whose time is over. They are removed in batches, with one record for the persistent
//! ones of a batch; messages that a unit of work holds expire when they come back.
//!
//! Expired messages whose expiry is to be reported leave in a unit of work of the queue manager's own, with
//! their reports. When a message to report on is not in memory a job reads it, and the unit ends there.
//!
//! A message that is delivered later (`later`) goes to its place when its time comes, without a record. One
//! whose life is over before goes there then, and expires. It counts for a trigger from the moment at which
//! it may be given out.

use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;
use storage::{Lsn, Purpose, Record, Reservation, Sequence};

use super::due::{self, Due};
use super::entry::{EntryState, Slot};
use super::later::Time;
use super::order::Position;
use super::{Queue, State};
use crate::ground::Ground;
use crate::message::Payload;
use crate::message::report::Report;
use crate::message::report_kind::{Asked, Kind};
use crate::queues::Queues;
use crate::unit_of_work::Unit;

/// Longest stay of an expired message that waits for company, so that many go with one record.
const BATCH_DELAY: Duration = Duration::from_millis(50);

/// Most messages removed with one record, and under one hold of the lock.
const BATCH_MESSAGES: usize = 500;

/// Most messages reported with one unit of work.
const REPORTED_MESSAGES: usize = 50;

/// Messages that left their queue by a unit of work, to be reported.
struct Expired {
    unit: Box<Unit>,
    messages: Vec<(Slot, u64, Option<Arc<Payload>>)>,
    /// Room for the records of the reports.
    room: Option<Reservation>,
}

/// When housekeeping is to come for a message with this deadline.
pub(super) fn tick_for(deadline: Monotonic) -> Monotonic {
    deadline.after(BATCH_DELAY)
}

impl State {
    /// True if any available message can expire.
    pub(super) fn expires_any(&self) -> bool {
        !self.expiring.is_empty()
    }

    pub(super) fn is_expiry_due(&self, now: Monotonic) -> bool {
        self.expiring.first().is_some_and(|(deadline, _)| *deadline <= now)
    }
}

impl Queue {
    pub(super) fn expiry_due(&self, now: Monotonic) -> bool {
        self.lock().is_expiry_due(now)
    }

    /// Removes messages that have expired by now, for callers that they would hinder.
    pub fn expire(self: &Arc<Self>, queues: &Queues) {
        let now = queues.ground.now();
        if self.expiry_due(now) {
            self.sweep(queues, now);
        }
    }

    /// Removes expired messages.
    pub(crate) fn sweep(self: &Arc<Self>, queues: &Queues, now: Monotonic) {
        while self.sweep_batch(queues, now) {}
    }

    /// Removes some; whether there may be more.
    fn sweep_batch(self: &Arc<Self>, queues: &Queues, now: Monotonic) -> bool {
        let room =
            Record::Remove { queue: self.id, sequences: &[Sequence(0); BATCH_MESSAGES] }.reserved_bytes();
        // Without room the messages stay, unseen by gets, until housekeeping comes again.
        let Ok(mut reservation) = queues.reserve(room, Purpose::Drain) else { return false };
        let mut state = self.lock();
        if state.deleted {
            return false;
        }
        let (reported, due): (Vec<_>, Vec<_>) = state
            .expiring
            .iter()
            .take_while(|(deadline, _)| *deadline <= now)
            .map(|(_, slot)| *slot)
            .take(BATCH_MESSAGES)
            .partition(|slot| state.slab[*slot].reports.contains(Asked::EXPIRATION));
        let sequences: Vec<_> = due
            .iter()
            .map(|slot| &state.slab[*slot])
            .filter(|entry| entry.persistent)
            .map(|entry| Sequence(entry.sequence))
            .collect();
        let mut need = Lsn::ZERO;
        if !sequences.is_empty() {
            let record = Record::Remove { queue: self.id, sequences: &sequences };
            need = queues.ground.storage.append(&record, None, &mut reservation).need;
        }
        state.note_expired(queues, due.len());
        for slot in &due {
            state.unlink(*slot, EntryState::Reserved);
            state.count_out(*slot);
            let need = need.max(state.slab[*slot].need);
            state.finish(&queues.ground, *slot, need);
        }
        let expired = self.set_expired_aside(&mut state, queues, &reported);
        state.note_expired(queues, expired.messages.len());
        drop(state);
        let is_full = due.len() + reported.len() == BATCH_MESSAGES;
        // Those left were not reported for want of room: they stay, unseen, until housekeeping comes again.
        let goes_on = expired.messages.len() == reported.len().min(REPORTED_MESSAGES)
            && (is_full || reported.len() > REPORTED_MESSAGES);
        self.report_expired(queues, expired);
        goes_on
    }

    /// Takes messages whose expiry is to be reported off the queue, as far as there is room to report it.
    fn set_expired_aside(self: &Arc<Self>, state: &mut State, queues: &Queues, slots: &[Slot]) -> Expired {
        let mut expired = Expired { unit: Box::default(), messages: Vec::new(), room: None };
        for slot in slots.iter().copied().take(REPORTED_MESSAGES) {
            let entry = &state.slab[slot];
            let (payload, sequence) = (entry.message(), entry.sequence);
            let mut room = None;
            if entry.persistent {
                let all = entry.body_length as usize;
                let data_length = payload.as_ref().map_or(all, |it| Kind::Expiration.data_length(it));
                let wanted = crate::room::WITHIN_UNIT + Report::room(data_length);
                let Ok(reserved) = queues.reserve(wanted, Purpose::Drain) else { break };
                room = Some(reserved);
            }
            self.add_get(entry, queues, slot, &mut expired.unit, room.as_mut());
            match (&mut expired.room, room) {
                (Some(all), Some(room)) => all.absorb(room),
                (all @ None, room) => *all = room,
                (Some(_), None) => {}
            }
            state.unlink(slot, EntryState::Locked);
            state.count_out(slot);
            state.uncommitted += 1;
            expired.messages.push((slot, sequence, payload));
        }
        expired
    }

    /// Reports what has expired; on a thread that may block when a message must be read for it.
    fn report_expired(self: &Arc<Self>, queues: &Queues, expired: Expired) {
        if expired.messages.is_empty() {
            return;
        }
        if expired.messages.iter().all(|(_, _, payload)| payload.is_some()) {
            return self.finish_expired(queues, expired);
        }
        let queue = Arc::clone(self);
        queues.leave_job(move |queues| queue.finish_expired(queues, expired));
    }

    fn finish_expired(self: &Arc<Self>, queues: &Queues, expired: Expired) {
        let Expired { unit, messages, room } = expired;
        let known = |(slot, sequence, payload): (Slot, u64, Option<Arc<Payload>>)| {
            payload.or_else(|| self.fetch(&queues.ground, slot, sequence))
        };
        let originals = messages.into_iter().filter_map(known).collect();
        let expired = due::Expired { messages: originals, unit, room };
        queues.report(vec![Due::Expired(Box::new(expired))]);
    }
}

/// Most messages whose time comes under one hold of the lock.
const DUE_BATCH: usize = 500;

impl State {
    /// Notes the time of a message that is delivered later.
    pub(super) fn delay(&mut self, ground: &Ground, slot: Slot, deliver_at: i64) {
        let left = deliver_at.saturating_sub(ground.world.clock.wall().0);
        let due = ground.now().after(Duration::from_micros(u64::try_from(left).unwrap_or(0)));
        let leaves = due.min(self.slab[slot].deadline);
        self.later.get_or_insert_default().note(slot, Time { leaves, deliver_at });
    }

    fn time_of(&self, slot: Slot) -> Option<Time> {
        self.later.as_ref()?.time_of(slot)
    }

    /// Returns true for a message whose time is still to come.
    pub(super) fn is_delayed(&self, slot: Slot) -> bool {
        self.time_of(slot).is_some()
    }

    /// The time of a message's delivery as the log has it; 0 for one that may be given out.
    pub(super) fn deliver_at(&self, slot: Slot) -> i64 {
        self.time_of(slot).map_or(0, |time| time.deliver_at)
    }

    /// The committed messages whose time is still to come, the first to arrive first.
    pub(super) fn delayed(&self) -> Vec<Slot> {
        let waiting = self.later.iter().flat_map(|later| later.waiting());
        let mut slots: Vec<Slot> = waiting.map(|(_, slot)| slot).collect();
        slots.sort_unstable_by_key(|slot| self.slab[*slot].sequence);
        slots
    }

    /// The number of those.
    pub(super) fn delayed_count(&self) -> u32 {
        self.later.as_ref().map_or(0, |later| later.waiting_count() as u32)
    }

    /// The moment at which the next of them goes to its place.
    pub(super) fn next_due(&self) -> Option<Monotonic> {
        Some(self.later.as_ref()?.waiting().next()?.0)
    }

    /// Forgets the time of a message, which counts like any other from now on.
    pub(super) fn undelay(&mut self, slot: Slot) {
        let Some(later) = &mut self.later else { return };
        if !later.forget(slot) {
            return;
        }
        if later.is_empty() {
            self.later = None;
        }
        self.count_for_trigger(slot);
    }

    /// Takes a committed message whose time is still to come out of this state, for one that ends or moves.
    pub(super) fn take_delayed(&mut self, slot: Slot, state: EntryState) {
        assert!(self.slab[slot].state == EntryState::Delayed, "only messages that wait for their time do");
        self.undelay(slot);
        self.slab[slot].state = state;
    }
}

impl Queue {
    /// A message that is delivered later may be given out by everything but its time: it waits for that, or
    /// goes to its place if it has come. False for any other message.
    pub(super) fn waits_for_time(
        self: &Arc<Self>,
        state: &mut State,
        queues: &Queues,
        slot: Slot,
        now: Monotonic,
    ) -> bool {
        let Some(time) = state.time_of(slot) else { return false };
        if time.leaves <= now {
            self.come_due(state, queues, slot, now);
            return true;
        }
        state.later.as_mut().expect("it has the time").wait(slot, time);
        state.slab[slot].state = EntryState::Delayed;
        state.want_tick(&queues.ground, self.id, time.leaves);
        true
    }

    /// The time of a message has come.
    fn come_due(self: &Arc<Self>, state: &mut State, queues: &Queues, slot: Slot, now: Monotonic) {
        let is_trigger = state.is_trigger(queues, slot);
        state.undelay(slot);
        let arrived = state.arrival(&queues.ground);
        let entry = &mut state.slab[slot];
        (entry.arrived_second, entry.arrived_parts) = (arrived.second, arrived.parts);
        self.arrive(state, queues, slot, now);
        if is_trigger {
            self.note_trigger(state);
        }
    }

    /// Messages whose time has come go to their places: those whose time came first are offered first.
    pub(super) fn release_due(self: &Arc<Self>, queues: &Queues, now: Monotonic) {
        loop {
            let mut state = self.lock();
            let waiting = state.later.iter().flat_map(|later| later.waiting());
            let mut due: Vec<_> = waiting.take_while(|(leaves, _)| *leaves <= now).take(DUE_BATCH).collect();
            if state.deleted || due.is_empty() {
                return;
            }
            let fifo = state.fifo();
            due.sort_by_key(|(leaves, slot)| (*leaves, Position::of(&state.slab[*slot], fifo)));
            for (_, slot) in due {
                self.come_due(&mut state, queues, slot, now);
            }
            Self::release(queues, state);
        }
    }
}
