//! The engine's part in a checkpoint, and the state that it keeps besides messages.
//!
//! ```text
//! version u8 = 2
//! length u32, the catalogue                      see `catalogue::restore`
//! the commits of clients                         see `clients`
//! count u32, count times, ascending:             a queue
//!     identifier u64 | next sequence u64
//!     count u32, count times: sequence u64, backout count u32
//! state objects                                  see `state_objects`
//! count u32, count times, ascending:             a unit of work that is prepared, see
//! `unit_of_work::prepared`
//! ```
//!
//! Version 1 ends behind the queues.

use std::num::NonZeroU32;
use std::sync::Arc;

use bytes::Bytes;
use platform::sync::atomic::Ordering;
use queues::ground::events;
use queues::message::encoding;
use queues::queue::entry::Slot;
use storage::{Checkpointed, EntryToken, Location, Lsn, ObjectId, Recalled};

use crate::engine::Engine;

pub(crate) const VERSION: u8 = 2;
/// The first that lists units of work that are prepared.
pub(crate) const VERSION_WITH_PREPARED: u8 = 2;
/// Bytes before the catalogue.
const HEAD_BYTES: usize = 1 + 4;

impl Engine {
    /// Takes a checkpoint. Blocks.
    pub(crate) fn checkpoint(self: &Arc<Self>) {
        let appended = self.ground().storage.appended();
        let taken = self.ground().storage.checkpoint(&**self);
        // Said once, not at every attempt.
        let failed_before = self.checkpoint_failed.swap(taken.is_err(), Ordering::Relaxed);
        match taken {
            Ok(()) => *self.last_checkpoint.lock() = (self.ground().now(), appended),
            Err(error) => {
                if !failed_before {
                    self.ground().host.event(&events::CHECKPOINT_NOT_TAKEN.with([error.to_string()]));
                }
                // Not again before the interval is over, unless storage asks.
                self.last_checkpoint.lock().0 = self.ground().now();
            }
        }
    }
}

impl Checkpointed for Engine {
    fn is_live(&self, queue: ObjectId, entry: EntryToken, at: Location) -> bool {
        let slot = entry.0 as Slot;
        self.queues.find(queue).is_some_and(|queue| queue.is_live(slot, at))
    }

    fn relocate(&self, queue: ObjectId, entry: EntryToken, from: Location, to: Location) -> bool {
        let slot = entry.0 as Slot;
        self.queues.find(queue).is_some_and(|queue| queue.relocate(slot, from, to))
    }

    fn recall(&self, queue: ObjectId, entry: EntryToken, at: Location) -> Option<Recalled> {
        let slot = entry.0 as Slot;
        self.queues.find(queue)?.recall(self.ground(), slot, at)
    }

    fn lost(&self, queue: ObjectId, entry: EntryToken, at: Location, reason: &str) {
        let slot = entry.0 as Slot;
        if let Some(queue) = self.queues.find(queue) {
            queue.lose(&self.queues.ground, slot, at, reason);
        }
    }

    fn put_second(&self, descriptor: &[u8]) -> Option<NonZeroU32> {
        encoding::put_second(descriptor)
    }

    fn oldest_unit(&self) -> Option<Lsn> {
        self.queues.units.oldest()
    }

    fn snapshot(&self) -> (Bytes, Lsn) {
        // No end of a unit of work is between its record and its effects now. What is outside units appends
        // and takes effect under a lock that is taken below, after the position was read.
        let upto = {
            let _effects = self.queues.effects.write();
            self.ground().storage.appended()
        };
        let mut bytes = vec![0; HEAD_BYTES];
        self.directory.catalogue.write_snapshot(&mut bytes);
        let length = (bytes.len() - HEAD_BYTES) as u32;
        bytes[0] = VERSION;
        bytes[1..HEAD_BYTES].copy_from_slice(&length.to_le_bytes());
        let mut rest = Vec::new();
        self.queues.clients.lock().encode(&mut rest);
        let queues = self.queues.all();
        rest.extend((queues.len() as u32).to_le_bytes());
        for queue in queues {
            let (next, returned) = queue.durable_state();
            rest.extend(queue.id.0.to_le_bytes());
            rest.extend(next.to_le_bytes());
            rest.extend((returned.len() as u32).to_le_bytes());
            for (sequence, count) in returned {
                rest.extend(sequence.to_le_bytes());
                rest.extend(count.to_le_bytes());
            }
        }
        let records = self.directory.door.book.objects();
        self.queues.state_objects.lock().encode(records, &mut rest);
        let (prepared, _) = self.queues.units.prepared();
        rest.extend((prepared.len() as u32).to_le_bytes());
        prepared.iter().for_each(|unit| unit.encode(&mut rest));
        // The catalogue may be large: no more room than it takes.
        bytes.reserve_exact(rest.len());
        bytes.extend(rest);
        (Bytes::from(bytes), upto)
    }
}
