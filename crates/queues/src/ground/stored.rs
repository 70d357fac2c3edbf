//! Bytes of the messages on all queues, and their bound: QUOTA of the queue manager.
//!
//! Always: nothing is counted before there is a quota for the first time, so that queues of a queue manager
//! without one pay nothing; from then on each queue counts in what it holds.

use platform::CachePadded;
use platform::sync::atomic::{AtomicU64, Ordering};

/// One part in so many is left above the quota for messages that are already promised.
const SPARE_PART: u64 = 20;

/// The bytes on all queues that count, and their bound.
#[derive(Debug)]
pub struct Stored {
    bytes: CachePadded<AtomicU64>,
    bytes_max: AtomicU64,
}

impl Default for Stored {
    fn default() -> Self {
        Self { bytes: CachePadded::default(), bytes_max: AtomicU64::new(u64::MAX) }
    }
}

impl Stored {
    /// Sets the bound; none for no bound.
    pub(crate) fn set_bound(&self, bytes_max: Option<u64>) {
        self.bytes_max.store(bytes_max.unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Counts messages in.
    pub(crate) fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts messages out.
    pub(crate) fn subtract(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// True if so many bytes more are within the bound, or within what is left above it. Puts on other queues
    /// at this moment are each judged alone.
    pub(crate) fn takes(&self, bytes: u64, uses_spare: bool) -> bool {
        let most = self.bytes_max.load(Ordering::Relaxed);
        let most = if uses_spare { most.saturating_add(most / SPARE_PART) } else { most };
        self.bytes.load(Ordering::Relaxed).saturating_add(bytes) <= most
    }

    /// The bytes that count.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
}
