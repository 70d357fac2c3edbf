//! A message that programs fail on: moved to the backout queue of its queue, or kept as a dead letter.
//!
//! It is put and taken in one unit of work of the queue manager's own, so that it is in one place or the
//! other. A refusal of both queues leaves it where it is.

use std::sync::Arc;
use std::time::Duration;

use mqi::{ObjectDescriptor, Reason};
use storage::{Lsn, Purpose};

use super::Queue;
use super::entry::{EntryState, Slot};
use crate::Gated;
use crate::gate::BehindGate;
use crate::message;
use crate::message::report::Report;
use crate::queue::party::Held;
use crate::queues::Queues;
use crate::unit_of_work::Unit;
use crate::unit_of_work::choice::Whose;

/// The time for which messages that failed too often are given out as others are, after no queue took one:
/// so long that they do not go round in vain, so short that room which was made is used soon.
const STAY: Duration = Duration::from_secs(10);

impl Queue {
    /// Says whether a message is in memory.
    pub fn has_in_memory(&self, slot: Slot, sequence: u64) -> bool {
        self.lock().slab.get_if(slot, sequence).is_some_and(|entry| entry.message().is_some())
    }

    /// Moves a message that is set aside for a getter; true when it was moved. Blocks where it is not in
    /// memory.
    pub fn move_aside(self: &Arc<Self>, queues: &Queues, held: &Held) -> Gated<bool> {
        let moved = self.put_aside(queues, held).and_then(|mut whose| {
            let Whose::Own(unit) = &mut whose else { unreachable!("it is the queue manager's own") };
            match self.take_aside(queues, held, unit) {
                Ok(need) => Some(queues.commit_own(whose).and_needs(need)),
                Err(_) => {
                    queues.back_out_own(whose);
                    None
                }
            }
        });
        let moved = moved.map_or_else(|| Gated::free(false), |ended| ended.map(|ended| ended.is_ok()));
        if !*moved.value() {
            self.lock().failing_stay_until = queues.ground.now().after(STAY);
        }
        moved
    }

    /// Puts it on the first queue that takes it, in a unit of work of the queue manager's own.
    fn put_aside(&self, queues: &Queues, held: &Held) -> Option<Whose> {
        let payload = self.fetch(&queues.ground, held.slot, held.sequence)?;
        let rights = payload.report_rights;
        let (mut descriptor, body) = {
            let state = self.lock();
            let entry = state.slab.get_if(held.slot, held.sequence)?;
            let (descriptor, body) =
                message::for_getter(payload, entry.queue_fields(), queues.ground.now(), None);
            ((*descriptor).clone(), body)
        };
        descriptor.backout_count = 0;
        let backout_queue = self.attributes().backout_queue.filter(|name| *name != self.name);
        let own_name = ObjectDescriptor::queue(self.name);
        let message = Report::of_message(descriptor, body, own_name).with_rights(rights);
        queues.services()?.put_aside(message, backout_queue)
    }

    /// Takes it into the unit of work, if it is still there.
    fn take_aside(self: &Arc<Self>, queues: &Queues, held: &Held, unit: &mut Unit) -> Result<Lsn, Reason> {
        let room = queues.reserve(crate::room::WITHIN_UNIT, Purpose::Drain);
        let mut room = room?;
        let mut state = self.lock();
        let slot = held.slot;
        let is_there = |state: &super::State| {
            let entry = state.slab.get_if(slot, held.sequence);
            !state.deleted && entry.is_some_and(|entry| entry.state == EntryState::Reserved)
        };
        if !is_there(&state) {
            return Err(Reason::NO_MSG_AVAILABLE);
        }
        let entry = &state.slab[slot];
        let need = entry.need;
        let room = entry.persistent.then_some(&mut room);
        self.add_get(entry, queues, slot, unit, room);
        state.leave_order(None, slot, EntryState::Locked);
        state.marks.forget(slot);
        state.count_out(slot);
        state.uncommitted += 1;
        state.last_change = state.last_change.max(need);
        Self::release(queues, state);
        Ok(need)
    }
}
