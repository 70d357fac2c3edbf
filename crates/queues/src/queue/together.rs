//! Messages put together within a unit of work: under one hold of the queue's lock, after everything that could refuse one
//! of them was asked for all.

use std::sync::Arc;

use mqi::Reason;

use super::Queue;
use super::arrival::{Arrival, Placing};
use super::entry::size_of_message;
use crate::queues::Queues;
use crate::unit_of_work::slot::UnitSlot;
use crate::{Gated, Outcome};

impl Queue {
    /// Puts messages within a unit of work, which is to take so many reports and copies, too.
    pub fn put_all(
        self: &Arc<Self>,
        queues: &Queues,
        arrivals: Vec<Arrival>,
        unit: &Arc<UnitSlot>,
        reports: usize,
    ) -> Outcome<()> {
        if arrivals.is_empty() {
            return Gated::free(Ok(()));
        }
        let operations = arrivals.len() + reports;
        let mut placing = Placing::within(unit, operations);
        let mut prepared = Vec::with_capacity(arrivals.len());
        for Arrival { payload, facts, .. } in arrivals {
            let logged =
                facts.persistent.then(|| self.prepare(queues, &payload, facts, &mut placing)).transpose();
            match logged {
                Ok(logged) => prepared.push((payload, facts, logged)),
                Err(reason) => return Gated::free(Err(reason)),
            }
        }
        let bytes: u64 = prepared.iter().map(|(payload, ..)| size_of_message(payload.body.len())).sum();
        let (mut state, refusal) = self.lock_for_put(queues, bytes);
        let room = state.attributes.depth_max.saturating_sub(state.depth);
        let is_full = (prepared.len() as u64 > u64::from(room)).then_some(Reason::Q_FULL);
        if let Some(refusal) = refusal.or(is_full) {
            return self.refused(queues, state, refusal);
        }
        if state.slab.stored().is_some_and(|stored| !stored.takes(bytes, false)) {
            return self.refused(queues, state, Reason::STORAGE_MEDIUM_FULL);
        }
        let mut unit = unit.lock();
        if let Err(reason) = unit.admit(operations, queues.ground.limits.uncommitted_max()) {
            return Gated::free(Err(reason));
        }
        let is_over = queues.ground.memory.is_over();
        for (payload, facts, logged) in prepared {
            let slot = state.admit(&queues.ground, payload, None, facts);
            self.add_put(&mut state, queues, slot, facts, logged, (&mut unit, None));
            state.hold_uncommitted(&queues.ground, slot, facts);
            if is_over {
                state.mark_cold(slot);
            }
        }
        drop(unit);
        Self::release(queues, state);
        if is_over {
            self.shed(&queues.ground);
        }
        Gated::free(Ok(()))
    }
}
