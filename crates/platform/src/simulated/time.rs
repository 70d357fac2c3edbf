//! A clock moved by hand.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::{Clock, Monotonic, WallTime};

/// Where a fresh simulated machine's time of day starts: 2026-01-01T00:00:00Z.
const WALL_START: WallTime = WallTime(1_767_225_600_000_000);

/// A clock that stands still until told to move. Clones show the same time.
#[derive(Clone, Debug)]
pub struct SimulatedClock {
    time: Arc<Mutex<Time>>,
}

#[derive(Clone, Copy, Debug)]
struct Time {
    now: Monotonic,
    wall: WallTime,
}

impl Default for SimulatedClock {
    fn default() -> Self {
        Self::starting_at(WALL_START)
    }
}

impl SimulatedClock {
    /// A machine switched on at this time of day.
    #[must_use]
    pub fn starting_at(wall: WallTime) -> Self {
        Self { time: Arc::new(Mutex::new(Time { now: Monotonic(1), wall })) }
    }

    /// Lets time pass.
    pub fn advance(&self, duration: Duration) {
        let mut time = self.time.lock();
        time.now = time.now.after(duration);
        time.wall.0 = time.wall.0.saturating_add(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX));
    }

    /// Sets the time of day, as an administrator or a time server does; elapsed time does not notice.
    pub fn step_wall(&self, wall: WallTime) {
        self.time.lock().wall = wall;
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Monotonic {
        self.time.lock().now
    }

    fn wall(&self) -> WallTime {
        self.time.lock().wall
    }
}
