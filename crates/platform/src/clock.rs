//! Time of day and time elapsed.

use std::fmt::Debug;
use std::time::Duration;

/// Time since some fixed moment of this run; never steps. Use it for waits, expiry and intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monotonic(pub u64);

impl Monotonic {
    /// The moment `duration` later, or the last one there is.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)))
    }

    /// Time since `earlier`; zero if that is later than this.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// Time of day in microseconds since 1970-01-01T00:00:00Z. May step; use it for what is stored or shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallTime(pub i64);

/// Tells the time.
pub trait Clock: Send + Sync + Debug {
    /// Nanoseconds that never step.
    fn now(&self) -> Monotonic;
    /// The time of day.
    fn wall(&self) -> WallTime;

    /// Returns the time of a moment ago, at most 10 ms: for times that are kept in seconds, and read with
    /// every message.
    fn now_roughly(&self) -> Monotonic {
        self.now()
    }

    /// The time of day as of a moment ago, likewise.
    fn wall_roughly(&self) -> WallTime {
        self.wall()
    }
}
