//! The state of the work on extents: those that no log needs, and the spare.

use std::sync::Arc;

use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::log::extent::Extent;

/// Extents besides those in the log, and the work on them.
#[derive(Debug, Default)]
pub(crate) struct Upkeep {
    /// Locked by the thread that makes or removes extents.
    pub(crate) work: Mutex<Leftovers>,
    /// The last attempt to make an extent found no room.
    pub(crate) failed: AtomicBool,
    /// Length of the spare; 0 when there is none.
    pub(crate) spare_bytes: AtomicU64,
    /// Held while the spare gets or loses its name: another thread than the one that makes it takes it.
    pub(crate) spare_naming: Mutex<()>,
}

/// Extents below the ones that restart needs.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    /// A reader still holds them.
    pub(crate) held: Vec<Arc<Extent>>,
    /// Found at start, not open.
    pub(crate) files: Vec<u64>,
}

impl Upkeep {
    pub(crate) fn new(files: Vec<u64>, spare_bytes: u64) -> Self {
        let work = Mutex::new(Leftovers { held: Vec::new(), files });
        Self {
            work,
            failed: AtomicBool::new(false),
            spare_bytes: AtomicU64::new(spare_bytes),
            spare_naming: Mutex::new(()),
        }
    }

    /// True if the last extent could not be made.
    pub(crate) fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}
