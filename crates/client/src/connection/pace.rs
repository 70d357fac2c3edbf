//! The guess if a program that has just put will soon call again, so that the put may wait to go out with
//! more.

use std::time::{Duration, Instant};

/// A program that comes back within so long is busy: waiting for its next call costs less than a write of its
/// own.
const QUICK: Duration = Duration::from_micros(50);

/// Facts of the calls so far that predict the next.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// True if a put without a reply was ever made: a program that only gets need not be timed.
    puts: bool,
    /// When a message was last taken from those that are here.
    got: Option<Instant>,
    /// When the last put without a reply was made.
    put: Option<Instant>,
    /// True if the program lately took little time over a message.
    is_quick: bool,
    /// Puts in a row of which each came quickly after the one before, as far as they were timed.
    burst: u32,
    /// Puts in a row that a call which sends them followed at once, as far as they were timed; at most
    /// [`STREAM`].
    followed: u32,
    /// Puts since one of so many that were followed was timed.
    untimed: u32,
}

/// After so many puts in a burst they are a stream, and so are so many that were followed at once: reading
/// the clock for each would cost as much as a tenth of it. One of a burst that finds nothing corked has come
/// late, and is timed.
const STREAM: u32 = 64;

/// Of so many puts of a stream one is timed, which is to be quick behind the one that was timed before: puts
/// of a stream follow each other within microseconds.
const TIMED_EACH: u32 = 8;

/// After so many puts that were followed at once, the next is taken to be.
const FOLLOWED: u32 = 4;

impl Pace {
    /// A message was taken.
    pub(super) fn got(&mut self) {
        let is_timed = self.puts && self.followed < STREAM;
        self.got = is_timed.then(Instant::now);
    }

    /// A call that sends what is corked, should it have to wait.
    pub(super) fn called(&mut self) {
        if let Some(put) = self.put.take() {
            self.followed = if put.elapsed() < QUICK { STREAM.min(self.followed + 1) } else { 0 };
        }
    }

    /// A put without a reply; whether another call is expected at once. `joins` says that it goes out with
    /// others, and `has_messages` that the program's next get will not have to wait.
    pub(super) fn put(&mut self, joins: bool, has_messages: impl FnOnce() -> bool) -> bool {
        self.puts = true;
        if joins && self.is_in_stream() {
            self.burst = self.burst.wrapping_add(1);
            return true;
        }
        if self.followed == STREAM && self.untimed + 1 < TIMED_EACH {
            self.untimed += 1;
            return true;
        }
        self.untimed = 0;
        let now = Instant::now();
        if let Some(got) = self.got.take() {
            self.is_quick = now - got < QUICK;
        }
        let is_burst = self.put.replace(now).is_some_and(|before| now - before < QUICK);
        self.burst = if is_burst { self.burst.wrapping_add(1) } else { 0 };
        is_burst || self.is_quick && has_messages() || self.followed >= FOLLOWED
    }

    /// True if so many puts have followed each other that the clock need not be read for this one.
    fn is_in_stream(&self) -> bool {
        self.got.is_none() && self.burst >= STREAM && !self.burst.is_multiple_of(TIMED_EACH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_put_is_sent_at_once_and_a_burst_gathers() {
        let mut pace = Pace { put: Instant::now().checked_sub(Duration::from_secs(1)), ..Pace::default() };
        assert!(!pace.put(false, || false));
        pace.put = Some(Instant::now() + Duration::from_secs(1));
        assert!(pace.put(false, || false));
    }

    #[test]
    fn a_stream_is_timed_now_and_then_and_ends_with_a_pause() {
        let mut pace = Pace::default();
        let soon = || Some(Instant::now() + Duration::from_secs(1));
        pace.put = soon();
        for _ in 0..STREAM {
            assert!(pace.put(true, || false));
            pace.put = soon();
        }
        let long_ago = Instant::now().checked_sub(Duration::from_secs(1));
        assert!(!stream(long_ago).put(false, || false), "nothing is corked any more");
        pace = stream(long_ago);
        for put in 1..TIMED_EACH {
            assert!(pace.put(true, || false), "{put}");
            assert_eq!(pace.put, long_ago, "{put}");
        }
        assert!(!pace.put(true, || false), "it is timed, and took too long");
        assert!(pace.put != long_ago && pace.burst == 0);
    }

    /// One whose last put was just timed.
    fn stream(put: Option<Instant>) -> Pace {
        Pace { burst: STREAM + 1, put, ..Pace::default() }
    }

    #[test]
    fn a_put_gathers_once_a_get_has_followed_at_once_a_few_times() {
        let mut pace = Pace::default();
        let soon = Instant::now() + Duration::from_secs(1);
        for _ in 0..FOLLOWED {
            assert!(!pace.put(false, || false));
            pace.put = Some(soon);
            pace.called();
        }
        assert!(pace.put(false, || false));
        pace.put = Instant::now().checked_sub(Duration::from_secs(1));
        pace.called();
        assert!(!pace.put(false, || false), "the program took its time");
    }

    #[test]
    fn puts_that_are_followed_at_once_are_timed_now_and_then_until_one_is_not() {
        let mut pace = Pace::default();
        let soon = Some(Instant::now() + Duration::from_secs(1));
        for _ in 0..STREAM {
            pace.put(false, || false);
            pace.put = soon;
            pace.called();
        }
        for _ in 1..TIMED_EACH {
            pace.got();
            assert!(pace.put(false, || false));
            assert_eq!((pace.got, pace.put), (None, None));
        }
        assert!(pace.put(false, || false));
        assert_ne!(pace.put, None);
        pace.put = Instant::now().checked_sub(Duration::from_secs(1));
        pace.called();
        assert!(!pace.put(false, || false), "the program took its time");
    }

    #[test]
    fn a_program_that_only_gets_is_not_timed() {
        let mut pace = Pace::default();
        pace.got();
        assert_eq!(pace.got, None);
        pace.put(false, || true);
        pace.got();
        assert_ne!(pace.got, None);
    }

    #[test]
    fn a_quick_responder_with_more_to_do_gathers_and_a_slow_one_does_not() {
        let mut pace = Pace { got: Some(Instant::now() + Duration::from_secs(1)), ..Pace::default() };
        assert!(pace.put(false, || true));
        pace.put = None;
        assert!(!pace.put(false, || false), "nothing is left to get");
        pace.put = None;
        pace.got = Instant::now().checked_sub(Duration::from_secs(1));
        assert!(!pace.put(false, || true));
    }
}
