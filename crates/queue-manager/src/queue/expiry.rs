//! Messages whose time is over.
//!
//! No get returns one. They are removed in batches, with one record for the persistent ones of a batch; messages
//! that a unit of work holds expire when they come back.

use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;
use storage::{Lsn, Purpose, Record, Sequence};

use super::entry::EntryState;
use super::{Queue, State};
use crate::engine::Engine;

/// How long an expired message may stay for company, so that many go with one record.
const BATCH_DELAY: Duration = Duration::from_millis(50);

/// Most messages removed with one record, and under one hold of the lock.
const BATCH_MESSAGES: usize = 500;

/// When housekeeping is to come for a message with this deadline.
pub(super) fn tick_for(deadline: Monotonic) -> Monotonic {
    deadline.after(BATCH_DELAY)
}

impl State {
    pub(super) fn is_expiry_due(&self, now: Monotonic) -> bool {
        self.expiring.first().is_some_and(|(deadline, _)| *deadline <= now)
    }
}

impl Queue {
    pub(super) fn expiry_due(&self, now: Monotonic) -> bool {
        self.lock().is_expiry_due(now)
    }

    /// Removes what has expired.
    pub(crate) fn sweep(self: &Arc<Self>, engine: &Engine, now: Monotonic) {
        while self.sweep_batch(engine, now) == BATCH_MESSAGES {}
    }

    fn sweep_batch(&self, engine: &Engine, now: Monotonic) -> usize {
        let room =
            Record::Remove { queue: self.id, sequences: &[Sequence(0); BATCH_MESSAGES] }.reserved_bytes();
        // Without room the messages stay, unseen by gets, until housekeeping comes again.
        let Ok(mut reservation) = engine.reserve(room, Purpose::Drain) else { return 0 };
        let mut state = self.lock();
        if state.deleted {
            return 0;
        }
        let due: Vec<_> = state
            .expiring
            .iter()
            .take_while(|(deadline, _)| *deadline <= now)
            .map(|(_, slot)| *slot)
            .take(BATCH_MESSAGES)
            .collect();
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
        for slot in &due {
            state.unlink(*slot, EntryState::Reserved);
            state.depth -= 1;
            let need = need.max(state.slab[*slot].need);
            state.finish(engine, *slot, need);
        }
        due.len()
    }
}
