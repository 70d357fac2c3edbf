//! RECOVER QLOCAL: messages that cannot be read, given back from images and the log since.
//!
//! Every message of the queue that the disk should have is read; those that cannot be are looked for
//! (`storage::mending`), and the ones found come back to their places. The queue goes on meanwhile, and no
//! other is touched. Blocks.

use std::sync::Arc;

use storage::{EntryToken, Hurt, Location, ReadError, Sequence};

use super::entry::{EntryState, Slot};
use super::{Queue, State};
use crate::ground::Ground;
use crate::queues::Queues;

/// Messages noted under one hold of the lock, to be read without it.
const NOTED_MESSAGES: u32 = 1000;

impl Queue {
    /// Counts the messages that were read, and returns those that cannot be read in their place.
    pub fn hurt(&self, ground: &Ground) -> (u64, Vec<Hurt>) {
        let (mut read, mut hurt) = (0, Vec::new());
        let mut from = 0;
        loop {
            let noted = {
                let state = self.lock();
                let end = state.slab.end().min(from + NOTED_MESSAGES);
                if from == end || state.deleted {
                    return (read, hurt);
                }
                let noted: Vec<_> = (from..end).filter_map(|slot| state.on_disk(self, slot)).collect();
                from = end;
                noted
            };
            for hurting in noted {
                read += 1;
                let found = ground.storage.read(hurting.at);
                if matches!(found, Err(ReadError::Damaged { .. } | ReadError::Io { .. })) {
                    hurt.push(hurting);
                }
            }
        }
    }

    /// Makes messages that were found and had been set aside available again.
    pub fn readmit_mended(self: &Arc<Self>, queues: &Queues, hurt: &[Hurt]) {
        let mut state = self.lock();
        let now = queues.ground.now();
        for hurt in hurt {
            let slot = hurt.entry.0 as Slot;
            let is_elsewhere = |state: &State| {
                let entry = state.slab.get_if(slot, hurt.sequence.0);
                entry.filter(|entry| entry.location != Some(hurt.at)).map(|entry| entry.state)
            };
            let Some(found) = is_elsewhere(&state) else { continue };
            state.told.remove(&hurt.sequence.0);
            if found == EntryState::Damaged {
                state.damaged.remove(&slot);
                self.arrive(&mut state, queues, slot, now);
            }
        }
        Self::release(queues, state);
    }
}

impl State {
    /// A message whose bytes the disk should have.
    fn on_disk(&self, queue: &Queue, slot: Slot) -> Option<Hurt> {
        let entry = self.slab.get(slot).filter(|entry| entry.state != EntryState::Uncommitted)?;
        let at = entry.location.filter(|at| !matches!(at, Location::Spill { .. }))?;
        Some(Hurt {
            queue: queue.id,
            sequence: Sequence(entry.sequence),
            message_id: entry.message_id,
            entry: EntryToken(u64::from(slot)),
            at,
        })
    }
}
