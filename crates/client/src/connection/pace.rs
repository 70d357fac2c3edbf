//! Whether a program that has just put will soon call again, so that the put may wait to go out with more.

use std::time::{Duration, Instant};

/// A program that comes back within so long is busy: waiting for its next call costs less than a write of its own.
const QUICK: Duration = Duration::from_micros(50);

/// What the calls so far say about the next.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Whether a put without a reply was ever made: who only gets need not be timed.
    puts: bool,
    /// When a message was last taken from those that are here.
    got: Option<Instant>,
    /// When the last put without a reply was made.
    put: Option<Instant>,
    /// Whether the program lately took little time over a message.
    is_quick: bool,
    /// Puts in a row that a call which sends them followed at once.
    followed: u32,
}

/// After so many puts that were followed at once, the next is taken to be.
const FOLLOWED: u32 = 4;

impl Pace {
    /// A message was taken.
    pub(super) fn got(&mut self) {
        self.got = self.puts.then(Instant::now);
    }

    /// A call that sends what is corked, should it have to wait.
    pub(super) fn called(&mut self) {
        if let Some(put) = self.put.take() {
            self.followed = if put.elapsed() < QUICK { self.followed.saturating_add(1) } else { 0 };
        }
    }

    /// A put without a reply; whether another call is expected at once. `has_messages` says that the program's next
    /// get will not have to wait.
    pub(super) fn put(&mut self, has_messages: bool) -> bool {
        self.puts = true;
        let now = Instant::now();
        if let Some(got) = self.got.take() {
            self.is_quick = now - got < QUICK;
        }
        let is_burst = self.put.replace(now).is_some_and(|before| now - before < QUICK);
        is_burst || has_messages && self.is_quick || self.followed >= FOLLOWED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_put_is_sent_at_once_and_a_burst_gathers() {
        let mut pace = Pace { put: Instant::now().checked_sub(Duration::from_secs(1)), ..Pace::default() };
        assert!(!pace.put(false));
        pace.put = Some(Instant::now() + Duration::from_secs(1));
        assert!(pace.put(false));
    }

    #[test]
    fn a_put_gathers_once_a_get_has_followed_at_once_a_few_times() {
        let mut pace = Pace::default();
        let soon = Instant::now() + Duration::from_secs(1);
        for _ in 0..FOLLOWED {
            assert!(!pace.put(false));
            pace.put = Some(soon);
            pace.called();
        }
        assert!(pace.put(false));
        pace.put = Instant::now().checked_sub(Duration::from_secs(1));
        pace.called();
        assert!(!pace.put(false), "the program took its time");
    }

    #[test]
    fn a_program_that_only_gets_is_not_timed() {
        let mut pace = Pace::default();
        pace.got();
        assert_eq!(pace.got, None);
        pace.put(true);
        pace.got();
        assert_ne!(pace.got, None);
    }

    #[test]
    fn a_quick_responder_with_more_to_do_gathers_and_a_slow_one_does_not() {
        let mut pace = Pace { got: Some(Instant::now() + Duration::from_secs(1)), ..Pace::default() };
        assert!(pace.put(true));
        pace.put = None;
        assert!(!pace.put(false), "nothing is left to get");
        pace.put = None;
        pace.got = Instant::now().checked_sub(Duration::from_secs(1));
        assert!(!pace.put(true));
    }
}
