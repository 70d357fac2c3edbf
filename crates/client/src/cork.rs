//! The writing half of a link: what is corked there, and whether the flusher looks after it.
//!
//! Lives here: who tells the flusher, and when it looks away. Lives elsewhere: what is written and when it leaves by itself
//! (`link`), the flusher's thread (`flusher`).
//!
//! Always: what is corked leaves with somebody's write, or is watched. Who corks asks whether to tell the flusher after it has
//! written; the flusher says that it looks away before it looks a last time.

use platform::sync::atomic::{AtomicBool, Ordering};
use platform::sync::{Mutex, MutexGuard};

/// The writing half of a link.
#[derive(Debug)]
pub(crate) struct Cork<W> {
    writer: Mutex<W>,
    is_watched: AtomicBool,
}

impl<W> Cork<W> {
    /// Nobody watches.
    pub(crate) fn new(writer: W) -> Self {
        Self { writer: Mutex::new(writer), is_watched: AtomicBool::new(false) }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, W> {
        self.writer.lock()
    }

    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, W>> {
        self.writer.try_lock()
    }

    /// Has the flusher watch what was written, through `watch`, unless it does already.
    pub(crate) fn leave_corked(&self, written: MutexGuard<'_, W>, watch: impl FnOnce()) {
        // Who looks away says so before it takes the lock that is held here, or finds what was written.
        if !self.is_watched.load(Ordering::Relaxed) && !self.is_watched.swap(true, Ordering::AcqRel) {
            watch();
        }
        drop(written);
    }

    /// The flusher looks away; false when something is corked after all, or somebody writes: who writes may be held up for
    /// long, and other links wait for the flusher.
    pub(crate) fn leave_unwatched(&self, is_empty: impl FnOnce(&W) -> bool) -> bool {
        self.is_watched.swap(false, Ordering::AcqRel);
        let is_empty = self.writer.try_lock().is_some_and(|writer| is_empty(&writer));
        is_empty || self.is_watched.swap(true, Ordering::AcqRel)
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
