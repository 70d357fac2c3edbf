//! The recovery log as the host of a queue manager sees it: its state, its pace, its figures.
//!
//! Lives elsewhere: the proof of durability and the writes of the log (`manager`), the log itself
//! (`storage`).

use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;

use super::QueueManager;
use crate::engine::Engine;

/// The recovery log of a queue manager, and the store behind it.
#[derive(Clone, Copy, Debug)]
pub struct Log<'manager>(&'manager QueueManager);

impl QueueManager {
    /// The recovery log, and the store behind it.
    #[must_use]
    pub const fn log(&self) -> Log<'_> {
        Log(self)
    }
}

impl Log<'_> {
    const fn engine(&self) -> &Arc<Engine> {
        self.0.engine()
    }

    /// True if records wait to be driven.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.engine().ground().log_waits()
    }

    /// Says how long forces of the log have taken lately. Where they take long, a put may wait some
    /// microseconds for a getter that is about to come
    /// ([`Connection::expects_getter`](crate::Connection::expects_getter)).
    pub fn forces_take(&self, recent: Duration) {
        self.engine().queues.forces_take(recent);
    }

    /// True if a put may wait for a getter: a force takes long, and nobody else waits for one.
    #[must_use]
    pub fn waits_for_getters(&self) -> bool {
        self.engine().queues.waits_for_getters()
    }

    /// Counts of the log and the store, and their present state.
    #[must_use]
    pub fn statistics(&self) -> storage::Statistics {
        self.engine().ground().storage.statistics()
    }

    /// The time at which the write of the log began that is under way, if one is. Waits for no lock.
    #[must_use]
    pub fn force_under_way(&self) -> Option<Monotonic> {
        self.engine().ground().storage.force_under_way()
    }

    /// State of the recovery log.
    #[must_use]
    pub fn state(&self) -> storage::LogState {
        self.engine().ground().storage.log_state()
    }

    /// Bytes of the log needed to bring each image to the present state; none without images. Reads the disk.
    #[must_use]
    pub fn media_bytes(&self) -> Option<u64> {
        let from = self.engine().media_log_from()?;
        Some(self.engine().ground().storage.log_state().end.0.saturating_sub(from.0))
    }

    /// True if calls that put persistent messages had better be made a moment later: the log runs short of
    /// room and a checkpoint is about to make some. Calls that need no log, gets, commits and backouts need
    /// not wait.
    #[must_use]
    pub fn paces(&self) -> bool {
        self.engine().paces()
    }

    /// Looks at the files that are open; true when a start would find them. Files that were taken away are
    /// the failure of the log: nothing persistent is acknowledged after this has returned false.
    pub fn holds_its_files(&self) -> bool {
        self.engine().ground().storage.look_at_files().is_ok()
    }
}
