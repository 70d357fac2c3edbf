//! Moments: of the day, as displays and definitions have it, and of this run.

use objects::Moment;
use platform::{Monotonic, WallTime};

/// A moment that never comes: the deadline of a message without expiry.
pub const NEVER: Monotonic = Monotonic(u64::MAX);

/// Stands for the present where it decides nothing: before every deadline.
pub(crate) const ANY_TIME: Monotonic = Monotonic(0);

/// When a message arrived, in the time of this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    pub(crate) second: i32,
    /// Fraction of the next second that had passed, as one more than its number of [`PARTS`]; zero when the
    /// time was not read.
    pub(crate) parts: u16,
}

/// So finely, some 15 µs, that a moment has room beside its second in every message's entry.
const PARTS: u64 = 65_535;

/// A time of day as commands and reports show it.
pub fn moment(time: WallTime) -> Moment {
    Moment(time.0.div_euclid(1_000_000))
}

impl Arrived {
    /// A moment, as finely as it is kept.
    pub(crate) fn at(now: Monotonic) -> Self {
        let (second, rest) = (now.0 / 1_000_000_000, now.0 % 1_000_000_000);
        let parts = 1 + rest * (PARTS - 1) / 1_000_000_000;
        Self { second: i32::try_from(second).unwrap_or(i32::MAX), parts: parts as u16 }
    }

    /// Microseconds since then; none when only the second is known.
    pub(crate) fn micros_until(self, now: Monotonic) -> Option<u64> {
        let parts = u64::from(self.parts).checked_sub(1)?;
        let then = u64::try_from(self.second).ok()? * 1_000_000_000 + parts * 1_000_000_000 / (PARTS - 1);
        Some(now.0.saturating_sub(then) / 1_000)
    }

    /// Microseconds since then, to a second where only that is known.
    pub fn micros_about(self, now: Monotonic) -> u64 {
        let seconds = (now.0 / 1_000_000_000).cast_signed() - i64::from(self.second);
        self.micros_until(now).unwrap_or_else(|| u64::try_from(seconds).unwrap_or(0) * 1_000_000)
    }
}
