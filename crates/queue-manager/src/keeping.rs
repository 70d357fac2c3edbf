//! The messages that an orderly end keeps besides persistent ones: non-persistent messages of queues with
//! NPMCLASS(HIGH).
//!
//! Lives here: the end of one run and the start of the next. Lives elsewhere: which messages of a queue
//! (`queue::keeping`), the file (`storage`).
//!
//! Always: they are kept when every connection has ended and the log is durable to its end, so that nothing
//! they depend on can be undone; a failure or a crash keeps none of them; messages that came back are gone
//! from the disk before any getter is given one.

use std::sync::Arc;

use queues::ground::events;
use queues::queue::Queue;
use storage::{KeptFound, KeptMessage, OpenError};

use crate::catalogue::Lifetime;
use crate::engine::Engine;

impl Engine {
    /// The last act of an orderly end.
    pub(crate) fn keep_messages(&self) {
        let queues: Vec<_> = self.queues.all().into_iter().filter(|queue| self.outlives(queue)).collect();
        let to_keep = queues.iter().flat_map(|queue| {
            queue
                .to_keep()
                .into_iter()
                .filter_map(|(slot, sequence)| queue.keep(self.ground(), slot, sequence))
        });
        if let Err(error) = self.ground().storage.keep(&mut { to_keep }) {
            self.ground().host.event(&events::NOT_KEPT.with([error.to_string()]));
        }
    }

    /// True if a queue is there after a restart.
    fn outlives(&self, queue: &Arc<Queue>) -> bool {
        let found = self.directory.catalogue.find(&queue.name).object;
        found.is_some_and(|object| {
            let is_same = object.queue().is_some_and(|other| Arc::ptr_eq(other, queue));
            is_same && object.lifetime() == Lifetime::Logged
        })
    }

    /// Removes the messages kept by the last end from the disk, and reports the unreadable ones.
    pub(crate) fn forget_kept(&self, found: &KeptFound) -> Result<(), OpenError> {
        if found.kept > 0 || found.damage.is_some() {
            self.ground().storage.forget_kept()?;
        }
        if let Some(damage) = &found.damage {
            let inserts = [found.read.to_string(), found.kept.to_string(), damage.clone()];
            self.ground().host.event(&events::KEPT_UNREADABLE.with(inserts));
        }
        Ok(())
    }
}

/// Room for messages that come back: memory as far as the budget goes, then the spill files.
pub(crate) struct Returning<'a> {
    pub(crate) storage: &'a storage::Storage,
    pub(crate) memory_left: u64,
}

impl Returning<'_> {
    /// Returns the place of a message from now on; without room for a spill file it stays in memory even over
    /// the budget.
    pub(crate) fn place(&mut self, kept: &KeptMessage) -> Option<storage::Location> {
        let bytes = kept.message.body.len() as u64 + PAYLOAD_BYTES;
        if bytes <= self.memory_left {
            self.memory_left -= bytes;
            return None;
        }
        self.storage.spill(&kept.message.descriptor, &kept.message.body).ok()
    }
}

/// Memory that a message takes besides its body, roughly: it only decides if a message is spilled at a start.
const PAYLOAD_BYTES: u64 = 1 << 10;
