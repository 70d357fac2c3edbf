//! Traffic on one way, out through a publisher's handle or to a subscription, and the time of its last use.
//!
//! Counted where it happens and read for displays; no decision depends on it.

use objects::Moment;
use platform::sync::atomic::{AtomicU64, Ordering};

/// Number of messages, and the time of the last.
#[derive(Debug, Default)]
pub struct Passed {
    messages: AtomicU64,
    /// In seconds; zero when there was none.
    last: AtomicU64,
    /// When a program took the subscription into use, likewise.
    taken: AtomicU64,
}

impl Passed {
    /// Counts one.
    #[inline]
    pub(crate) fn count(&self, at: Moment) {
        self.messages.fetch_add(1, Ordering::Relaxed);
        note(&self.last, at);
    }

    /// Number of messages.
    pub fn messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// When the last was.
    pub fn last(&self) -> Option<Moment> {
        noted(&self.last)
    }

    /// When the last was, in microseconds since 1970; 0 for never.
    pub(crate) fn last_micros(&self) -> u64 {
        micros_of(self.last())
    }

    /// A program takes the subscription into use.
    pub(crate) fn take(&self, at: Moment) {
        note(&self.taken, at);
    }

    /// When a program last took the subscription into use.
    pub fn taken(&self) -> Option<Moment> {
        noted(&self.taken)
    }
}

/// Microseconds since 1970; 0 for never.
pub(crate) fn micros_of(last: Option<Moment>) -> u64 {
    last.and_then(|last| u64::try_from(last.0).ok()).map_or(0, |seconds| seconds.saturating_mul(1_000_000))
}

fn note(place: &AtomicU64, at: Moment) {
    place.store(u64::try_from(at.0).unwrap_or(0), Ordering::Relaxed);
}

fn noted(place: &AtomicU64) -> Option<Moment> {
    let seconds = place.load(Ordering::Relaxed);
    i64::try_from(seconds).ok().filter(|seconds| *seconds > 0).map(Moment)
}
