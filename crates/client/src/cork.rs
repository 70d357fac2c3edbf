//! The writing half of a link: what is corked there, and whether the flusher looks after it.
//!
//! Lives here: waking the flusher, and its looking away. Lives elsewhere: the output and its own ways out
//! (`link`), the flusher's thread (`flusher`).
//!
//! Always: corked output leaves with a write of some thread, or is watched. A thread that corks decides on
//! waking the flusher after it has written; the flusher marks that it looks away before its last look.

use platform::sync::atomic::{AtomicBool, Ordering};
use platform::sync::{Mutex, MutexGuard};

/// The writing half of a link.
#[derive(Debug)]
pub(crate) struct Cork<W> {
    writer: Mutex<W>,
    is_watched: AtomicBool,
}

impl<W> Cork<W> {
    /// Makes a cork that is not watched.
    pub(crate) fn new(writer: W) -> Self {
        Self { writer: Mutex::new(writer), is_watched: AtomicBool::new(false) }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, W> {
        self.writer.lock()
    }

    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, W>> {
        self.writer.try_lock()
    }

    /// Makes the flusher watch the output, through `watch`, unless it does already.
    pub(crate) fn leave_corked(&self, written: MutexGuard<'_, W>, watch: impl FnOnce()) {
        // Who looks away says so before it takes the lock that is held here, or finds what was written.
        if !self.is_watched.load(Ordering::Relaxed) && !self.is_watched.swap(true, Ordering::AcqRel) {
            watch();
        }
        drop(written);
    }

    /// Ends the flusher's watch; false when something is corked after all, or another thread writes: a writer
    /// may be held up for long, and other links wait for the flusher.
    pub(crate) fn leave_unwatched(&self, is_empty: impl FnOnce(&W) -> bool) -> bool {
        self.is_watched.swap(false, Ordering::AcqRel);
        let is_empty = self.writer.try_lock().is_some_and(|writer| is_empty(&writer));
        is_empty || self.is_watched.swap(true, Ordering::AcqRel)
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
