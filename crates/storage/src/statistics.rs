//! Counts of what storage does: [`Statistics`].

use platform::Monotonic;
use platform::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Microseconds by which forces are told apart.
pub const FORCE_BOUNDS: [u64; 10] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000];

/// Counts of storage since it was opened, and its present state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Durable writes of the log.
    pub forces: u64,
    /// Bytes of them, with headers and padding.
    pub forced_bytes: u64,
    /// Records in them.
    pub records: u64,
    /// Duration of the last force.
    pub force_micros_last: u64,
    /// Recent average duration (each new force counts for an eighth).
    pub force_micros_mean: u64,
    /// The longest.
    pub force_micros_max: u64,
    /// When the longest ended, by the clock that only goes on; the beginning of that before the first.
    pub force_max_ended: Monotonic,
    /// Duration of all of them together.
    pub force_micros_total: u64,
    /// Counts of those that took no longer than each of [`FORCE_BOUNDS`], and longer than the one before;
    /// last, of those that took longer than all.
    pub forces_within: [u64; FORCE_BOUNDS.len() + 1],
    /// Checkpoints taken.
    pub checkpoints: u64,
    /// Messages copied from the log to the store by them.
    pub messages_stored: u64,
    /// Extents of the log.
    pub extents: u64,
    /// Bytes of the extents.
    pub log_bytes: u64,
    /// Bytes of them that can still be promised.
    pub log_bytes_free: u64,
    /// True while the disk takes no more, so that puts are refused.
    pub is_disk_full: bool,
    /// Store segments.
    pub segments: u64,
    /// Live messages in them.
    pub segment_messages: u64,
    /// Bytes of spill files.
    pub spill_bytes: u64,
}

/// Counts of forces, written by the thread that forces.
#[derive(Debug, Default)]
pub(crate) struct Forces {
    forces: AtomicU64,
    bytes: AtomicU64,
    records: AtomicU64,
    bytes_last: AtomicU64,
    nanos_last: AtomicU64,
    nanos_mean: AtomicU64,
    nanos_max: AtomicU64,
    max_ended: AtomicU64,
    nanos_total: AtomicU64,
    within: [AtomicU64; FORCE_BOUNDS.len() + 1],
    /// When the force under way began; 0 while none is.
    under_way: AtomicU64,
}

impl Forces {
    /// A force begins. There is one at a time.
    pub(crate) fn begin(&self, began: Monotonic) {
        self.under_way.store(began.0.max(1), Ordering::Relaxed);
    }

    pub(crate) fn count(&self, bytes: usize, records: u32, taken: Duration, ended: Monotonic) {
        let nanos = u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX);
        let mean = self.nanos_mean.load(Ordering::Relaxed);
        let mean = if mean == 0 { nanos } else { mean - mean / 8 + nanos / 8 };
        self.under_way.store(0, Ordering::Relaxed);
        self.forces.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        self.records.fetch_add(u64::from(records), Ordering::Relaxed);
        self.bytes_last.store(bytes as u64, Ordering::Relaxed);
        self.nanos_last.store(nanos, Ordering::Relaxed);
        self.nanos_mean.store(mean, Ordering::Relaxed);
        self.nanos_total.fetch_add(nanos, Ordering::Relaxed);
        let place = FORCE_BOUNDS.iter().position(|bound| nanos <= bound * 1000);
        self.within[place.unwrap_or(FORCE_BOUNDS.len())].fetch_add(1, Ordering::Relaxed);
        if self.nanos_max.fetch_max(nanos, Ordering::Relaxed) < nanos {
            self.max_ended.store(ended.0, Ordering::Relaxed);
        }
    }

    pub(crate) fn last(&self) -> (usize, Duration) {
        let bytes = self.bytes_last.load(Ordering::Relaxed) as usize;
        (bytes, Duration::from_nanos(self.nanos_last.load(Ordering::Relaxed)))
    }

    /// When the force began that is under way, if one is.
    pub(crate) fn under_way(&self) -> Option<Monotonic> {
        let began = self.under_way.load(Ordering::Relaxed);
        (began > 0).then_some(Monotonic(began))
    }

    pub(crate) fn fill(&self, statistics: &mut Statistics) {
        statistics.forces = self.forces.load(Ordering::Relaxed);
        statistics.forced_bytes = self.bytes.load(Ordering::Relaxed);
        statistics.records = self.records.load(Ordering::Relaxed);
        statistics.force_micros_last = self.nanos_last.load(Ordering::Relaxed) / 1000;
        statistics.force_micros_mean = self.nanos_mean.load(Ordering::Relaxed) / 1000;
        statistics.force_max_ended = Monotonic(self.max_ended.load(Ordering::Relaxed));
        statistics.force_micros_total = self.nanos_total.load(Ordering::Relaxed) / 1000;
        for (place, count) in statistics.forces_within.iter_mut().zip(&self.within) {
            *place = count.load(Ordering::Relaxed);
        }
        statistics.force_micros_max = self.nanos_max.load(Ordering::Relaxed) / 1000;
    }
}
