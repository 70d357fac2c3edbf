//! Something that one does at a time: [`Turn`].

use platform::sync::atomic::{AtomicBool, Ordering};

/// Whose turn it is: at most one has it, and who has it next sees what the one before did.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    is_taken: AtomicBool,
}

impl Turn {
    /// Takes it, unless somebody has it.
    pub(crate) fn take(&self) -> bool {
        !self.is_taken.swap(true, Ordering::AcqRel)
    }

    /// Whether somebody has it.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Acquire)
    }

    /// Whoever has it has done what it was for.
    pub(crate) fn end(&self) {
        // A swap, as every other change of it, so that all of them are in one order.
        self.is_taken.swap(false, Ordering::AcqRel);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
