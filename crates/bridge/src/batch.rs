//! The batch that is being filled, and when it ends.
//!
//! Numbers and chain count the messages that are in the branch. Messages outside it, which are
//! non-persistent, count for the limits alone: they do not come back from a prepared branch, so that a number
//! on them would shift.
//!
//! Always: a batch takes no message behind a limit; the message that passes the limit of bytes is in it.

use std::num::NonZeroU64;
use std::time::Duration;

use channel::message::{Facts, Filling, Mark, Sequence, Terms};

/// The highest message number of a line; then 1 follows.
pub const SEQUENCE_MAX: Sequence = Sequence(999_999_999);

/// Largest BATCHSZ.
pub const MESSAGES_MAX: u32 = 9_999;

/// Limits of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// BATCHSZ: messages, 1 to [`MESSAGES_MAX`].
    pub messages_max: u32,
    /// BATCHLIM: bytes of bodies; none for no limit.
    pub bytes_max: Option<NonZeroU64>,
    /// BATCHINT: time for which a batch waits for messages, from its first.
    pub interval: Duration,
    /// Time after which the foreign system gives up a transaction; a batch takes a third of it.
    pub foreign_timeout: Option<Duration>,
    /// Batches at a time, 1 or 2: the next is got while one is out.
    pub in_flight: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            messages_max: 500,
            bytes_max: NonZeroU64::new(1024 * 1024),
            interval: Duration::ZERO,
            foreign_timeout: None,
            in_flight: 2,
        }
    }
}

impl Limits {
    /// The limits as the terms of a channel have them.
    fn terms(&self) -> Terms {
        Terms {
            batch_messages_max: self.messages_max.clamp(1, MESSAGES_MAX),
            batch_bytes_max: self.bytes_max,
            message_bytes_max: u32::MAX,
            heartbeat_seconds: 0,
            highest: SEQUENCE_MAX,
            in_flight_max: self.in_flight.max(1),
            is_fast: false,
        }
    }

    /// Longest time from the first message of a batch to its end.
    fn age_max(&self) -> Duration {
        let third = self.foreign_timeout.map(|timeout| timeout / 3);
        third.unwrap_or(channel::message::batch::FILLING_MAX).min(channel::message::batch::FILLING_MAX)
    }
}

/// A batch that is being filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    terms: Terms,
    age_max: Duration,
    interval: Duration,
    filling: Filling,
    messages: u32,
    bytes: u64,
    began: Option<Duration>,
}

impl Fill {
    /// An empty one behind a mark.
    #[must_use]
    pub fn after(mark: Mark, limits: &Limits) -> Self {
        Self {
            terms: limits.terms(),
            age_max: limits.age_max(),
            interval: limits.interval,
            filling: Filling::after(mark),
            messages: 0,
            bytes: 0,
            began: None,
        }
    }

    /// Takes a message. `is_in_branch` says whether it comes back if the batch is prepared and in doubt.
    pub fn take(&mut self, facts: Facts<'_>, is_in_branch: bool, now: Duration) {
        self.began.get_or_insert(now);
        self.messages += 1;
        self.bytes += u64::from(facts.bytes);
        if is_in_branch {
            self.filling.take(facts, self.terms.highest, now);
        }
    }

    /// Messages in it.
    #[must_use]
    pub fn messages(&self) -> u32 {
        self.messages
    }

    /// Messages that it takes yet.
    #[must_use]
    pub fn messages_left(&self) -> u32 {
        if self.is_full() { 0 } else { self.terms.batch_messages_max - self.messages }
    }

    /// Bytes that it takes yet, to within its last message.
    #[must_use]
    pub fn bytes_left(&self) -> u64 {
        self.terms.batch_bytes_max.map_or(u64::MAX, |most| most.get().saturating_sub(self.bytes))
    }

    /// Returns true if it has as many messages or bytes as it may have.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.messages >= self.terms.batch_messages_max || (self.messages > 0 && self.bytes_left() == 0)
    }

    /// Returns true if it should end now. `is_idle` says that no message waits.
    #[must_use]
    pub fn is_due(&self, now: Duration, is_idle: bool) -> bool {
        self.is_full() || self.due_at(is_idle).is_some_and(|at| now >= at)
    }

    /// When it is due if nothing more happens; none for an empty one.
    #[must_use]
    pub fn due_at(&self, is_idle: bool) -> Option<Duration> {
        let wait = if is_idle { self.interval.min(self.age_max) } else { self.age_max };
        self.began.map(|began| began.saturating_add(wait))
    }

    /// The mark that the batch has once it ends behind another.
    #[must_use]
    pub fn end(&self, before: Mark) -> Mark {
        self.filling.end(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(bytes: u32) -> Facts<'static> {
        Facts { identifier: &[7; 24], bytes }
    }

    #[test]
    fn a_batch_ends_by_number_bytes_and_time() {
        let at = Duration::from_millis;
        let limits = |messages_max, bytes, interval, timeout| Limits {
            messages_max,
            bytes_max: NonZeroU64::new(bytes),
            interval: at(interval),
            foreign_timeout: timeout,
            in_flight: 2,
        };
        for (limits, bytes, now, is_idle, expected) in [
            (limits(2, 0, 0, None), &[1, 1][..], 0, false, true),
            (limits(3, 0, 0, None), &[1, 1], 0, false, false),
            (limits(3, 0, 0, None), &[1, 1], 0, true, true),
            (limits(3, 0, 100, None), &[1], 99, true, false),
            (limits(3, 0, 100, None), &[1], 100, true, true),
            (limits(3, 10, 0, None), &[9], 0, false, false),
            (limits(3, 10, 0, None), &[11], 0, false, true),
            (limits(9, 0, 0, None), &[1], 4999, false, false),
            (limits(9, 0, 0, None), &[1], 5000, false, true),
            (limits(9, 0, 60_000, Some(at(9000))), &[1], 2999, true, false),
            (limits(9, 0, 60_000, Some(at(9000))), &[1], 3000, true, true),
            (limits(9, 0, 0, None), &[], 9999, true, false),
            (limits(0, 0, 0, None), &[1], 0, false, true),
        ] {
            let mut fill = Fill::after(Mark::START, &limits);
            bytes.iter().for_each(|bytes| fill.take(facts(*bytes), true, Duration::ZERO));
            assert_eq!(fill.is_due(at(now), is_idle), expected, "{limits:?} {bytes:?} {now} {is_idle}");
        }
    }

    #[test]
    fn messages_outside_the_branch_count_for_limits_and_not_for_the_mark() {
        let limits = Limits { messages_max: 3, ..Limits::default() };
        let mut mixed = Fill::after(Mark::START, &limits);
        let mut alone = Fill::after(Mark::START, &limits);
        for is_in_branch in [true, false, true] {
            mixed.take(facts(5), is_in_branch, Duration::ZERO);
            if is_in_branch {
                alone.take(facts(5), true, Duration::ZERO);
            }
        }
        assert_eq!(mixed.end(Mark::START), alone.end(Mark::START));
        assert_eq!((mixed.messages_left(), alone.messages_left()), (0, 1));
        let empty = Fill::after(Mark::START, &limits).end(Mark::START);
        assert_eq!((empty.batch.0, empty.sequence.0), (1, 0));
    }
}
