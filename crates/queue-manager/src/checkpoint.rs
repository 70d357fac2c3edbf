//! What a checkpoint asks of the engine, and what it keeps of it besides messages.
//!
//! ```text
//! version u8 = 1
//! length u32, the catalogue                      see `catalogue::restore`
//! the commits of clients                         see `clients`
//! count u32, count times, ascending:             a queue
//!     identifier u64 | next sequence u64
//!     count u32, count times: sequence u64, backout count u32
//! ```

use std::sync::Arc;

use bytes::Bytes;
use storage::{Checkpointed, EntryToken, Location, Lsn, ObjectId, Recalled};

use crate::engine::Engine;
use crate::events;
use crate::queue::entry::Slot;

pub(crate) const VERSION: u8 = 1;

impl Engine {
    /// Takes a checkpoint. Blocks.
    pub(crate) fn checkpoint(self: &Arc<Self>) {
        let appended = self.storage.appended();
        match self.storage.checkpoint(&**self) {
            Ok(()) => *self.last_checkpoint.lock() = (self.now(), appended),
            Err(error) => {
                self.host.event(&events::CHECKPOINT_NOT_TAKEN.with([error.to_string()]));
                // Not again before the interval is over, unless storage asks.
                self.last_checkpoint.lock().0 = self.now();
            }
        }
    }
}

impl Checkpointed for Engine {
    fn is_live(&self, queue: ObjectId, entry: EntryToken, at: Location) -> bool {
        let slot = entry.0 as Slot;
        self.queue(queue).is_some_and(|queue| queue.is_live(slot, at))
    }

    fn relocate(&self, queue: ObjectId, entry: EntryToken, from: Location, to: Location) -> bool {
        let slot = entry.0 as Slot;
        self.queue(queue).is_some_and(|queue| queue.relocate(slot, from, to))
    }

    fn recall(&self, queue: ObjectId, entry: EntryToken, at: Location) -> Option<Recalled> {
        let slot = entry.0 as Slot;
        self.queue(queue)?.recall(self, slot, at)
    }

    fn lost(&self, queue: ObjectId, entry: EntryToken, at: Location, reason: &str) {
        let slot = entry.0 as Slot;
        if let Some(queue) = self.queue(queue) {
            queue.lose(self, slot, at, reason);
        }
    }

    fn oldest_unit(&self) -> Option<Lsn> {
        self.units.oldest()
    }

    fn snapshot(&self) -> (Bytes, Lsn) {
        // No end of a unit of work is between its record and its effects now. What is outside units appends and
        // takes effect under a lock that is taken below, after the position was read.
        let upto = {
            let _effects = self.effects.write();
            self.storage.appended()
        };
        let mut bytes = vec![VERSION];
        let catalogue = self.catalogue.snapshot();
        bytes.extend((catalogue.len() as u32).to_le_bytes());
        bytes.extend(catalogue);
        self.clients.lock().encode(&mut bytes);
        let queues = self.all_queues();
        bytes.extend((queues.len() as u32).to_le_bytes());
        for queue in queues {
            let (next, returned) = queue.durable_state();
            bytes.extend(queue.id.0.to_le_bytes());
            bytes.extend(next.to_le_bytes());
            bytes.extend((returned.len() as u32).to_le_bytes());
            for (sequence, count) in returned {
                bytes.extend(sequence.to_le_bytes());
                bytes.extend(count.to_le_bytes());
            }
        }
        (Bytes::from(bytes), upto)
    }
}
