//! The end of a hand-over, which the answer to its put waits for.

use std::sync::Arc;

use platform::sync::atomic::{AtomicU64, Ordering};
use storage::Lsn;
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};

/// The fact that a putter's answer waits for: open, or decided with a need.
#[derive(Debug)]
pub(crate) struct Decision(AtomicU64);

impl Decision {
    const OPEN: u64 = u64::MAX;

    pub(crate) fn open() -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(Self::OPEN)))
    }

    /// Position to which the log must be durable, once that is decided.
    pub(crate) fn need(&self) -> Option<Lsn> {
        #[cfg(feature = "planted")]
        if planted::is(Fault::AckBeforeReceipt) {
            return Some(Lsn::ZERO);
        }
        match self.0.load(Ordering::Acquire) {
            Self::OPEN => None,
            need => Some(Lsn(need)),
        }
    }

    pub(crate) fn decide(&self, need: Lsn) {
        let before = self.0.swap(need.0, Ordering::AcqRel);
        assert!(before == Self::OPEN, "a hand-over is decided once");
    }
}
