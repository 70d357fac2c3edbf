//! A unit of work falls.

use std::sync::Arc;

#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::record::RETURNED_MAX;
use storage::{Lsn, Record, Sequence};

use super::{Effect, Operation, Work};
use crate::queues::Queues;

impl Queues {
    /// Undoes a unit of work: puts go, gets return to their places with a higher backout count. The log is
    /// told, so that counts survive; room for that was set aside as the unit grew.
    pub fn back_out(&self, work: Work) {
        self.undo(work, true, false);
    }

    /// Backs out a unit that was prepared, with or without a higher backout count. Returns the position that
    /// must be durable before the outside may learn of it. A crash before that leaves the unit in doubt, so
    /// that it may yet be committed: its returned gets must not be visible until then.
    pub(super) fn back_out_prepared(&self, work: Work, counts: bool) -> Lsn {
        self.undo(work, counts, true)
    }

    fn undo(&self, work: Work, counts: bool, was_prepared: bool) -> Lsn {
        let effects = self.effects.read();
        let Work { mut operations, mut trace, .. } = work;
        let mut need = Lsn::ZERO;
        if let Some(trace) = &mut trace {
            let returned = if counts { returned(&operations) } else { Vec::new() };
            // At least one record, also when nothing returns.
            let (first, rest) = returned.split_at(returned.len().min(RETURNED_MAX));
            for returned in std::iter::once(first).chain(rest.chunks(RETURNED_MAX)) {
                let record = Record::Backout { unit: trace.name, returned };
                need = self.ground.storage.append(&record, None, &mut trace.end).need;
            }
        }
        let returned_at = if was_prepared { need } else { Lsn::ZERO };
        // From the last to the first: what returns to the head of a queue is linked there without a search.
        operations.reverse();
        let mut due = Vec::new();
        for run in operations.chunk_by(|one, other| Arc::ptr_eq(&one.queue, &other.queue)) {
            let queue = &run[0].queue;
            due.append(&mut queue.with_state(|state| {
                let now = self.ground.now();
                state.each_for_delivery(run, |state, operation| {
                    #[cfg(feature = "planted")]
                    if operation.effect == Effect::Put && planted::is(Fault::BackoutKeepsPut) {
                        return queue.put_committed(state, self, operation.slot, need, now);
                    }
                    match operation.effect {
                        Effect::Put => queue.put_backed_out(state, &self.ground, operation.slot, need),
                        Effect::PutAndTrigger => {
                            queue.put_backed_out(state, &self.ground, operation.slot, need);
                            queue.trigger_at_end(state, true);
                        }
                        Effect::Got => {
                            queue.get_backed_out(state, self, operation.slot, counts, returned_at, now);
                        }
                    }
                });
            }));
        }
        if let Some(trace) = trace {
            self.units.close(trace.name, need);
        }
        drop(effects);
        need.max(self.report(due))
    }
}

/// The persistent messages that return, each with its backout count from now on.
fn returned(operations: &[Operation]) -> Vec<(storage::ObjectId, Sequence, u32)> {
    let mut returned = Vec::new();
    for operation in operations.iter().filter(|operation| operation.effect == Effect::Got) {
        operation.queue.look(|state| {
            if state.holds(operation.slot, operation.sequence) && state.is_persistent(operation.slot) {
                let count = state.backout_count(operation.slot).saturating_add(1);
                returned.push((operation.queue.id, Sequence(operation.sequence), count));
            }
        });
    }
    returned
}
