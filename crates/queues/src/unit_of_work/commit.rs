//! A unit of work stands.

use std::sync::Arc;

#[cfg(feature = "planted")]
use storage::planted::{self, Fault};
use storage::record::Counterpart;
use storage::{Lsn, Record};

use super::gathering::Logged;
use super::{Effect, Operation, Trace, Work};
use crate::queue::due::Due;
use crate::queues::Queues;
use crate::{Gated, Outcome};

/// A unit of work that stands.
pub struct Stood {
    /// The position that must be durable before a caller learns of it.
    pub need: Lsn,
    /// Work that fell due on its queues.
    pub due: Vec<Due>,
}

impl Queues {
    /// Makes a unit of work stand: its record first, then its effects.
    pub fn commit(&self, work: Work, counted: Option<Counterpart>) -> Outcome<()> {
        assert!(work.to_retain.is_empty(), "the engine sees to publications that a unit retains");
        let Stood { need, due } = self.make_stand(work, counted);
        Gated::new(need.max(self.report(due)), Ok(()))
    }

    /// Makes a unit of work stand, and leaves to the caller what fell due.
    pub fn make_stand(&self, work: Work, counted: Option<Counterpart>) -> Stood {
        let Work { operations, mut trace, mut need, gathered, to_retain: _ } = self.with_triggers(work);
        let effects = self.effects.read();
        let name = trace.as_ref().map(|trace| trace.name);
        let logged = gathered.zip(trace.as_mut()).map(|(gathered, trace)| {
            let logged = gathered.append(&self.ground, trace, counted.is_none());
            logged.tell_places();
            logged
        });
        need = need.max(logged.as_ref().map_or(Lsn::ZERO, Logged::need));
        match (trace, counted) {
            // What was put together is all that it did.
            (Some(_), None) if logged.is_some_and(|logged| logged.stand_alone) => {}
            (Some(trace), counted) => need = need.max(self.append_commit(trace, counted)),
            // Nothing of it outlives this run, so neither must the fact that it stands: its client, asking
            // again over a new connection, is told from memory, and after a restart that the unit is gone, as
            // it is.
            (None, Some(Counterpart::Client(client))) => self.clients.lock().remember(client, need),
            (None, Some(Counterpart::Channel(_))) => unreachable!("a batch that is counted is named before"),
            (None, None) => {}
        }
        let mut due = Vec::new();
        for run in operations.chunk_by(|one, other| Arc::ptr_eq(&one.queue, &other.queue)) {
            due.append(&mut self.commit_on_queue(run, need));
        }
        if let Some(name) = name {
            self.units.close(name, need);
        }
        drop(effects);
        Stood { need, due }
    }

    /// Puts the trigger messages of type EVERY that a unit of work makes due into it.
    pub(super) fn with_triggers(&self, work: Work) -> Work {
        if work.operations.iter().all(|operation| operation.effect != Effect::PutAndTrigger) {
            return work;
        }
        match self.services() {
            Some(services) => services.put_triggers(work),
            None => work,
        }
    }

    pub(super) fn append_commit(&self, trace: Trace, counterpart: Option<Counterpart>) -> Lsn {
        let Trace { name: unit, first, records, mut end, .. } = trace;
        let first = first.unwrap_or_else(|| self.ground.storage.appended());
        let record = Record::Commit { unit, records, first, counterpart };
        // Under the lock of the table, so that a checkpoint has both the record and the entry, or neither.
        match counterpart {
            None => self.ground.storage.append(&record, None, &mut end).need,
            Some(Counterpart::Client(client)) => {
                let mut clients = self.clients.lock();
                let need = self.ground.storage.append(&record, None, &mut end).need;
                clients.remember(client, need);
                need
            }
            Some(Counterpart::Channel(channel)) => {
                let mut channels = self.state_objects.lock();
                let need = self.ground.storage.append(&record, None, &mut end).need;
                channels.confirm(channel, need);
                need
            }
        }
    }

    pub(super) fn commit_on_queue(&self, run: &[Operation], need: Lsn) -> Vec<Due> {
        let queue = &run[0].queue;
        queue.with_state(|state| {
            // Read under the lock: what expired while it was waited for is given to nobody.
            let now = self.ground.now();
            state.each_for_delivery(run, |state, operation| {
                #[cfg(feature = "planted")]
                if operation.effect == Effect::Got && planted::is(Fault::CommitLosesGet) {
                    return queue.get_backed_out(state, self, operation.slot, true, need, now);
                }
                match operation.effect {
                    Effect::Put => queue.put_committed(state, self, operation.slot, need, now),
                    Effect::PutAndTrigger => {
                        queue.put_committed(state, self, operation.slot, need, now);
                        queue.trigger_at_end(state, false);
                    }
                    Effect::Got => queue.get_committed(state, &self.ground, operation.slot, need),
                }
            });
        })
    }
}
