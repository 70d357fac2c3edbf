//! Messages whose time is over.
//!
//! No get returns one. They are removed in batches, with one record for the persistent ones of a batch; messages
//! that a unit of work holds expire when they come back.
//!
//! Those whose expiry is to be reported leave by a unit of work of the queue manager's own, with their reports. When a
//! message to report on is not in memory it is read by a job, and the unit ends there.

use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;
use storage::{Lsn, Purpose, Record, Reservation, Sequence};

use super::entry::{EntryState, Slot};
use super::{Queue, State};
use crate::engine::Engine;
use crate::message::Payload;
use crate::reports::content::Report;
use crate::reports::kind::{Asked, Kind};
use crate::unit_of_work::Unit;

/// How long an expired message may stay for company, so that many go with one record.
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
    /// Whether the time matters for what is available.
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

    /// Removes what has expired by now, for those whom it would be in the way.
    pub(crate) fn expire(self: &Arc<Self>, engine: &Engine) {
        let now = engine.now();
        if self.expiry_due(now) {
            self.sweep(engine, now);
        }
    }

    /// Removes what has expired.
    pub(crate) fn sweep(self: &Arc<Self>, engine: &Engine, now: Monotonic) {
        while self.sweep_batch(engine, now) {}
    }

    /// Removes some; whether there may be more.
    fn sweep_batch(self: &Arc<Self>, engine: &Engine, now: Monotonic) -> bool {
        let room =
            Record::Remove { queue: self.id, sequences: &[Sequence(0); BATCH_MESSAGES] }.reserved_bytes();
        // Without room the messages stay, unseen by gets, until housekeeping comes again.
        let Ok(mut reservation) = engine.reserve(room, Purpose::Drain) else { return false };
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
            need = engine.storage.append(&record, None, &mut reservation).need;
        }
        state.note_expired(engine, due.len());
        for slot in &due {
            state.unlink(*slot, EntryState::Reserved);
            state.count_out(*slot);
            let need = need.max(state.slab[*slot].need);
            state.finish(engine, *slot, need);
        }
        let expired = self.set_expired_aside(&mut state, engine, &reported);
        state.note_expired(engine, expired.messages.len());
        drop(state);
        let is_full = due.len() + reported.len() == BATCH_MESSAGES;
        // Those left were not reported for want of room: they stay, unseen, until housekeeping comes again.
        let goes_on = expired.messages.len() == reported.len().min(REPORTED_MESSAGES)
            && (is_full || reported.len() > REPORTED_MESSAGES);
        self.report_expired(engine, expired);
        goes_on
    }

    /// Takes messages whose expiry is to be reported off the queue, as far as there is room to report it.
    fn set_expired_aside(self: &Arc<Self>, state: &mut State, engine: &Engine, slots: &[Slot]) -> Expired {
        let mut expired = Expired { unit: Box::default(), messages: Vec::new(), room: None };
        for slot in slots.iter().copied().take(REPORTED_MESSAGES) {
            let entry = &state.slab[slot];
            let (payload, sequence) = (entry.message(), entry.sequence);
            let mut room = None;
            if entry.persistent {
                let all = entry.body_length as usize;
                let data_length = payload.as_ref().map_or(all, |it| Kind::Expiration.data_length(it));
                let wanted = crate::room::WITHIN_UNIT + Report::room(data_length);
                let Ok(reserved) = engine.reserve(wanted, Purpose::Drain) else { break };
                room = Some(reserved);
            }
            self.add_get(entry, engine, slot, &mut expired.unit, room.as_mut());
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
    fn report_expired(self: &Arc<Self>, engine: &Engine, expired: Expired) {
        if expired.messages.is_empty() {
            return;
        }
        if expired.messages.iter().all(|(_, _, payload)| payload.is_some()) {
            return self.finish_expired(engine, expired);
        }
        let queue = Arc::clone(self);
        engine.leave_job(move |engine| queue.finish_expired(engine, expired));
    }

    fn finish_expired(self: &Arc<Self>, engine: &Engine, expired: Expired) {
        let Expired { unit, messages, room } = expired;
        let known = |(slot, sequence, payload): (Slot, u64, Option<Arc<Payload>>)| {
            payload.or_else(|| self.fetch(engine, slot, sequence))
        };
        let originals = messages.into_iter().filter_map(known).collect();
        engine.report_expired(originals, unit, room);
    }
}
