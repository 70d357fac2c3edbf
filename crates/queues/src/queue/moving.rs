//! MOVE QLOCAL: the messages of a queue, put on another.
//!
//! Messages move in batches, each a unit of work of the queue manager's own: a message is on one queue or the
//! other, never on both or neither. A batch is put before it is taken, so that a refusal leaves the rest as
//! it was. No program has the source queue open. Blocks while messages that are not in memory are read, so a
//! thread that serves others does one batch at a time, as a job.

use std::sync::Arc;

use mqi::Reason;
use objects::DefinitionType;
use platform::Monotonic;
use storage::Purpose;

use super::Queue;
use super::entry::{EntryState, Slot};
use super::state::Messages;
use crate::gate::BehindGate;
use crate::message::{self, Payload};
use crate::queue::arrival::{Arrival, Facts, Life, Placing};
use crate::queue::state::{Busy, Cleared};
use crate::queues::Queues;
use crate::unit_of_work::choice::Whose;

/// Most messages of one unit of work.
const BATCH_MESSAGES: usize = 100;
/// Most bytes of their bodies, but for the last: what is read at once when it is not in memory.
const BATCH_BYTES: u64 = 4 << 20;

/// A message to be moved.
#[derive(Clone, Copy)]
struct Moving {
    slot: Slot,
    sequence: u64,
    persistent: bool,
    priority: u8,
    deadline: Monotonic,
    deliver_at: i64,
}

fn fits(to: &Queue, payload: &Payload, persistent: bool) -> Result<(), Reason> {
    let attributes = to.attributes();
    if payload.body.len() > attributes.message_bytes_max as usize {
        Err(Reason::MSG_TOO_BIG_FOR_Q)
    } else if persistent && attributes.definition_type == DefinitionType::TemporaryDynamic {
        Err(Reason::PERSISTENT_NOT_ALLOWED)
    } else {
        Ok(())
    }
}

impl Queue {
    /// Moves some; how many, none when there are no more.
    pub fn move_some(self: &Arc<Self>, queues: &Queues, to: &Arc<Self>) -> Result<Cleared, Busy> {
        queues.ground.quiescing(false).map_err(Busy::Refused)?;
        self.expire(queues);
        let batch = self.next_to_move()?;
        if batch.is_empty() {
            return Ok(Cleared { messages: 0, need: self.last_change().max(to.last_change()) });
        }
        let mut whose = Whose::own();
        let moved = self.put_moving(queues, to, &batch, &mut whose).and_then(|()| {
            let Whose::Own(unit) = &mut whose else { unreachable!("it is the queue manager's own") };
            self.take_moving(queues, &batch, unit)
        });
        if let Err(busy) = moved {
            queues.back_out_own(whose);
            return Err(busy);
        }
        let need = queues.commit_own(whose).need().max(self.last_change()).max(to.last_change());
        Ok(Cleared { messages: u32::try_from(batch.len()).unwrap_or(u32::MAX), need })
    }

    fn put_moving(
        &self,
        queues: &Queues,
        to: &Arc<Self>,
        batch: &[Moving],
        whose: &mut Whose,
    ) -> Result<(), Busy> {
        for moving in batch {
            let payload = self.fetch(&queues.ground, moving.slot, moving.sequence);
            let mut payload = payload.ok_or(Busy::Refused(Reason::OBJECT_DAMAGED))?;
            // An administrator put it on this queue, and not where it goes on: there it is no command of his.
            if payload.is_of_administrator {
                Arc::make_mut(&mut payload).is_of_administrator = false;
            }
            fits(to, &payload, moving.persistent).map_err(Busy::Refused)?;
            let put_at = queues.ground.world.clock.wall();
            let life =
                Life::of(&queues.ground, message::remaining(moving.deadline, queues.ground.now()), put_at);
            let facts = Facts {
                persistent: moving.persistent,
                priority: moving.priority,
                life: life.delivered_at(moving.deliver_at, put_at),
                put_at,
                may_trigger: true,
                is_streamed: false,
                requires_unit: false,
                fires: false,
                is_promised: false,
                uses_spare: true,
                hops: 0,
            };
            let put = to.put(queues, Arrival::new(payload, facts), Placing::beside(whose, &mut None));
            put.into_inner().map_err(Busy::Refused)?;
        }
        Ok(())
    }

    /// Returns the first messages, while the queue has no users.
    fn next_to_move(&self) -> Result<Vec<Moving>, Busy> {
        let state = self.lock();
        state.busy(Messages::Purge)?;
        let mut batch = Vec::new();
        let mut bytes = 0;
        for slot in state.available().chain(state.delayed()) {
            if batch.len() == BATCH_MESSAGES || bytes >= BATCH_BYTES {
                break;
            }
            let entry = &state.slab[slot];
            bytes += u64::from(entry.body_length);
            batch.push(Moving {
                slot,
                sequence: entry.sequence,
                persistent: entry.persistent,
                priority: entry.priority,
                deadline: entry.deadline,
                deliver_at: state.deliver_at(slot),
            });
        }
        Ok(batch)
    }

    /// Takes messages into a unit of work, if all of them are still there and the queue has no new users.
    fn take_moving(
        self: &Arc<Self>,
        queues: &Queues,
        batch: &[Moving],
        unit: &mut crate::unit_of_work::Unit,
    ) -> Result<(), Busy> {
        let logged = batch.iter().filter(|message| message.persistent).count() as u64;
        let room = queues.reserve(logged * crate::room::WITHIN_UNIT, Purpose::Drain);
        let mut room = room.map_err(Busy::Refused)?;
        let mut state = self.lock();
        state.busy(Messages::Purge)?;
        let is_there = |message: &Moving| {
            let entry = state.slab.get_if(message.slot, message.sequence);
            entry.is_some_and(|entry| matches!(entry.state, EntryState::Available | EntryState::Delayed))
        };
        if !batch.iter().all(is_there) {
            // Some expired at this moment.
            return Err(Busy::Refused(Reason::NO_MSG_AVAILABLE));
        }
        for message in batch {
            let entry = &state.slab[message.slot];
            let room = message.persistent.then_some(&mut room);
            self.add_get(entry, queues, message.slot, unit, room);
            match entry.state {
                EntryState::Delayed => state.take_delayed(message.slot, EntryState::Locked),
                _ => state.unlink(message.slot, EntryState::Locked),
            }
            state.count_out(message.slot);
            state.uncommitted += 1;
        }
        Ok(())
    }
}
