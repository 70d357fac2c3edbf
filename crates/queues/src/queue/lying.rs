//! Messages that the queue manager itself keeps on a queue: those of one correlation identifier, or all, read
//! and taken.
//!
//! Lives elsewhere: gets of programs (`delivery`), what is kept so (`publishing::retained`).

use std::sync::Arc;

use mqi::Reason;
use platform::Monotonic;
use storage::{Lsn, Purpose};

use super::entry::{EntryState, NONE, Slot};
use super::index::Index;
use super::lists::Kind;
use super::order::RANKS;
use super::{Queue, State};
use crate::ground::Ground;
use crate::message::Payload;
use crate::queues::Queues;
use crate::unit_of_work::Unit;

/// A message on the queue that is available to any reader.
#[derive(Clone, Copy, Debug)]
pub struct Lying {
    slot: Slot,
    /// Its sequence number.
    pub sequence: u64,
    persistent: bool,
    /// End of its life.
    pub deadline: Monotonic,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

/// Result of reading a message without the disk.
pub enum Looked {
    /// The message.
    Here(Arc<Payload>),
    /// It would have to be read.
    OnDisk,
    /// It is not there any more.
    Gone,
}

impl Queue {
    /// Returns the messages of a correlation identifier, or all, whose time is not over: the first to arrive
    /// first. Also the position that must be durable before the outside may learn that there are no others.
    pub fn lying(&self, of: Option<&[u8; 24]>, now: Monotonic) -> (Vec<Lying>, Lsn) {
        let mut state = self.lock();
        let slots = match of {
            None => state.available().collect(),
            Some(key) => state.available_of(key),
        };
        let mut found: Vec<Lying> = slots.into_iter().map(|slot| state.lying(slot)).collect();
        found.retain(|lying| now < lying.deadline);
        found.sort_unstable_by_key(|lying| lying.sequence);
        (found, state.last_change)
    }

    /// Reads a message that lies there. Blocks when it is not in memory. None when it is gone or cannot be
    /// read.
    pub fn look_at(&self, ground: &Ground, lying: &Lying) -> Option<Arc<Payload>> {
        self.fetch(ground, lying.slot, lying.sequence)
    }

    /// Looks at a message that lies there, if it is in memory.
    pub fn look_in_memory(&self, lying: &Lying) -> Looked {
        match self.lock().slab.get_if(lying.slot, lying.sequence) {
            None => Looked::Gone,
            Some(entry) => entry.message().map_or(Looked::OnDisk, Looked::Here),
        }
    }

    /// Takes messages into a unit of work of the queue manager's own, as far as they are there still.
    pub fn take_lying(
        self: &Arc<Self>,
        queues: &Queues,
        all: &[Lying],
        unit: &mut Unit,
    ) -> Result<(), Reason> {
        let logged = all.iter().filter(|lying| lying.persistent).count() as u64;
        let mut room = queues.reserve(logged * crate::room::WITHIN_UNIT, Purpose::Drain)?;
        let mut state = self.lock();
        for lying in all {
            let entry = state.slab.get_if(lying.slot, lying.sequence);
            let Some(entry) = entry.filter(|entry| entry.state == EntryState::Available) else { continue };
            let room = lying.persistent.then_some(&mut room);
            self.add_get(entry, queues, lying.slot, unit, room);
            state.unlink(lying.slot, EntryState::Locked);
            state.count_out(lying.slot);
            state.uncommitted += 1;
        }
        Self::release(queues, state);
        Ok(())
    }
}

impl State {
    fn lying(&self, slot: Slot) -> Lying {
        let entry = &self.slab[slot];
        Lying {
            slot,
            sequence: entry.sequence,
            persistent: entry.persistent,
            deadline: entry.deadline,
            need: entry.need,
        }
    }

    /// The available messages, in the order of delivery.
    pub(super) fn available(&self) -> impl Iterator<Item = Slot> {
        let first = Some(self.order.first()).filter(|slot| *slot != NONE);
        let after = |slot: &Slot| Some(self.order.after(&self.slab, *slot)).filter(|slot| *slot != NONE);
        std::iter::successors(first, after)
    }

    /// Returns the messages of a correlation identifier, by the index, which the first call makes.
    fn available_of(&mut self, key: &[u8; 24]) -> Vec<Slot> {
        let place = Kind::Correlation as usize - 1;
        let (order, slab, landmarks) = (&self.order, &mut self.slab, &mut self.landmarks);
        let index = self.indexes[place]
            .get_or_insert_with(|| Index::new(Kind::Correlation, self.hash_seed, order.first()));
        let after = |slab: &_, slot| order.after(slab, slot);
        while !index.build(slab, landmarks, order.fifo, usize::MAX, after) {}
        let mut found = Vec::new();
        for rank in 0..RANKS as u8 {
            let mut slot = index.first(slab, order.fifo, key, rank);
            while slot != NONE {
                found.push(slot);
                slot = Kind::Correlation.links(&slab[slot]).next;
            }
        }
        found
    }
}
