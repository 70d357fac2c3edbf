//! Messages at a fixed rate: the moment at which a client's next one is due.

use std::thread;
use std::time::{Duration, Instant};

use crate::run::{Phase, Shared};

/// When the next messages are due, those of a window together.
pub(crate) struct Pace {
    interval: Duration,
    due: Instant,
    /// Clients begin one after the other within an interval.
    offset: Duration,
}

/// Longest sleep of a client that waits before it looks if all is over.
const SLEEP_MAX: Duration = Duration::from_millis(50);

impl Pace {
    /// The pace of one of so many clients that make so many messages a second together, a window of them at a
    /// time.
    pub(crate) fn new(rate: f64, number: usize, clients: usize, window: usize) -> Self {
        let interval = Duration::from_secs_f64((clients * window) as f64 / rate);
        let offset = interval.mul_f64(number as f64 / clients as f64);
        Self { interval, due: Instant::now(), offset }
    }

    /// Lets it count from now on.
    pub(crate) fn begin(&mut self) {
        // A sleep ends 50 µs late otherwise, which would count as the queue manager's.
        #[cfg(target_os = "linux")]
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
        self.due = Instant::now() + self.offset;
    }

    /// Waits until a message is due and returns the moment its latency counts from, which is then; none when
    /// the repetition is over.
    ///
    /// A message that is late, because the one before it was late or its client was woken late, counts from
    /// when it was due, so that a stall is seen by all messages that it would have held up and not by one
    /// alone.
    pub(crate) fn next(&mut self, shared: &Shared) -> Option<Instant> {
        let due = self.due;
        self.due += self.interval;
        let mut left = due.saturating_duration_since(Instant::now());
        while !left.is_zero() {
            thread::sleep(left.min(SLEEP_MAX));
            if shared.is(Phase::Done) {
                return None;
            }
            left = due.saturating_duration_since(Instant::now());
        }
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_due_one_interval_after_the_other_however_late_each_is() {
        let shared = Shared::default();
        let mut pace = Pace::new(1_000.0, 1, 4, 2);
        pace.begin();
        let first = pace.next(&shared).expect("it is not over");
        for number in 1..5 {
            if number == 2 {
                thread::sleep(Duration::from_millis(30));
            }
            let due = pace.next(&shared).expect("it is not over");
            assert_eq!(due - first, Duration::from_millis(8) * number);
            assert!(Instant::now() >= due, "none is early");
        }
        shared.enter(Phase::Done);
        assert!(Pace { due: Instant::now() + SLEEP_MAX, ..pace }.next(&shared).is_none());
    }
}
