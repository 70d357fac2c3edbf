//! Something that one does at a time: [`Turn`].

use platform::sync::atomic::{AtomicBool, Ordering};

/// A turn that at most one thread has; the next to have it sees all that the one before did.
#[derive(Debug, Default)]
pub struct Turn {
    is_taken: AtomicBool,
}

impl Turn {
    /// Takes the turn; false if another thread has it.
    pub fn take(&self) -> bool {
        !self.is_taken.swap(true, Ordering::AcqRel)
    }

    /// True if a thread has it.
    pub fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Acquire)
    }

    /// Ends the turn, once its work is done.
    pub fn end(&self) {
        // A swap, as every other change of it, so that all of them are in one order.
        self.is_taken.swap(false, Ordering::AcqRel);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
