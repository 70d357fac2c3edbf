//! The arrival of messages that a start found.
//!
//! Lives here: the time from which their age counts. Lives elsewhere: that of messages which arrive in this
//! run (`measured`), the age of a queue (`status`).
//!
//! The log has no time of arrival. The descriptor has the time of the put, which for most messages is the
//! same (0102). A program that sets the context may have written another time there, and a message that came
//! by a channel has the time of its first put. Messages of a queue arrive in the order of their sequences,
//! so:
//!
//! - one arrived no earlier than those before it: the latest of their times and its own counts;
//! - a time in the future, or none, counts as that of the message before it;
//! - before the first time that is known that one counts, and where none is known the start does;
//! - one that has expired says nothing of those behind it.

use std::num::NonZeroU32;

use platform::{Monotonic, WallTime};

/// The second of a message without a time of its put.
const UNKNOWN: i32 = i32::MIN;

/// One moment by both clocks.
#[derive(Clone, Copy, Debug)]
pub struct BothClocks {
    second: i64,
    second_of_day: i64,
}

impl BothClocks {
    /// The relation between both clocks at a start.
    pub fn new(now: Monotonic, wall: WallTime) -> Self {
        Self { second: (now.0 / 1_000_000_000).cast_signed(), second_of_day: wall.0.div_euclid(1_000_000) }
    }

    /// The second of this run of a put, whether it has come or not.
    pub fn second_of_put(self, put: Option<NonZeroU32>) -> i32 {
        put.map_or(UNKNOWN, |put| self.second_of(put.get().into()))
    }

    /// The second of this run of a time of day, in microseconds.
    pub(super) fn second_of_time(self, micros: i64) -> i32 {
        self.second_of(micros.div_euclid(1_000_000))
    }

    fn second_of(self, second_of_day: i64) -> i32 {
        let second = self.second.saturating_sub(self.second_of_day.saturating_sub(second_of_day));
        second.clamp((UNKNOWN + 1).into(), i32::MAX.into()) as i32
    }
}

/// The arrivals of the messages of one queue, in the order of their sequences.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrivedBefore {
    start: i32,
    latest: i32,
}

impl ArrivedBefore {
    /// Begins with the seconds of the puts of all messages that have not expired.
    pub(super) fn new(start: i32, puts: impl Iterator<Item = i32>) -> Self {
        let mut known = puts.filter(|put| is_known(*put, start));
        Self { start, latest: known.next().unwrap_or(start) }
    }

    /// The second of the last message that counted: that of one which has expired, too.
    pub(super) fn latest(&self) -> i32 {
        self.latest
    }

    /// The second from which the age of the next message counts.
    pub(super) fn next(&mut self, put: i32) -> i32 {
        if is_known(put, self.start) {
            self.latest = self.latest.max(put);
        }
        self.latest
    }
}

fn is_known(put: i32, start: i32) -> bool {
    put != UNKNOWN && put <= start
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600;
    /// 2026-11-21, 10:30.
    const START: i64 = 1_795_257_000;

    fn at(second: i64) -> Option<NonZeroU32> {
        NonZeroU32::new(u32::try_from(second).unwrap())
    }

    fn ages(puts: &[Option<NonZeroU32>]) -> Vec<i64> {
        // The machine was started a minute ago: what arrived before that has a negative second.
        let clocks = BothClocks::new(Monotonic(60_000_000_000), WallTime(START * 1_000_000));
        let puts: Vec<_> = puts.iter().map(|put| clocks.second_of_put(*put)).collect();
        let mut arrived = ArrivedBefore::new(60, puts.iter().copied());
        puts.iter().map(|put| 60 - i64::from(arrived.next(*put))).collect()
    }

    #[test]
    fn the_age_of_a_message_counts_from_its_put() {
        assert_eq!(ages(&[at(START - 3 * HOUR), at(START - HOUR), at(START)]), [3 * HOUR, HOUR, 0]);
    }

    #[test]
    fn a_message_is_not_older_than_one_that_came_before_it() {
        let moved = at(START - 400 * 24 * HOUR);
        assert_eq!(ages(&[at(START - 2 * HOUR), moved, at(START - HOUR)]), [2 * HOUR, 2 * HOUR, HOUR]);
        assert_eq!(ages(&[moved, at(START - HOUR)]), [400 * 24 * HOUR, HOUR]);
    }

    #[test]
    fn a_time_in_the_future_and_none_count_as_that_of_a_neighbour() {
        for unknown in [at(START + 1), at(4_102_444_740), at(u32::MAX.into()), None] {
            assert_eq!(ages(&[unknown]), [0]);
            assert_eq!(ages(&[unknown, unknown]), [0, 0]);
            assert_eq!(ages(&[unknown, at(START - HOUR)]), [HOUR, HOUR]);
            assert_eq!(ages(&[at(START - HOUR), unknown, at(START - 60)]), [HOUR, HOUR, 60]);
        }
    }

    #[test]
    fn the_first_second_of_1970_is_an_age_like_another() {
        assert_eq!(ages(&[at(1)]), [START - 1]);
        assert_eq!(ages(&[at(1), at(START - 1)]), [START - 1, 1]);
    }
}
