//! The model: what time does to messages.

use mqi::Expiry;
use platform::{Monotonic, WallTime};

/// Longest stay of an expired message that waits for company: until then it may or may not have been removed.
const REMOVED_AFTER_NANOS: u64 = 50_000_000;
const TENTH_NANOS: u64 = 100_000_000;

/// A message that is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpiringMessage {
    pub(super) number: u64,
    pub(super) persistent: bool,
    pub(super) put_at: WallTime,
    /// The second from which its age counts, in the time of this run: negative where it came long before.
    pub(super) here_since: i64,
    pub(super) end: Option<ExpiryTime>,
}

/// The second of a moment.
pub(super) fn second(moment: Monotonic) -> i64 {
    (moment.0 / 1_000_000_000).cast_signed()
}

/// When a message expires.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpiryTime {
    /// In the time of this run.
    at: Monotonic,
    /// By the time of day, as it is stored.
    by_day: WallTime,
}

impl ExpiryTime {
    pub(super) fn after_tenths(tenths: u32, now: Monotonic, wall: WallTime) -> Self {
        let nanos = u64::from(tenths) * TENTH_NANOS;
        Self { at: Monotonic(now.0 + nanos), by_day: WallTime(wall.0 + (nanos / 1_000) as i64) }
    }
}

impl ExpiringMessage {
    fn is_over(&self, now: Monotonic) -> bool {
        self.end.is_some_and(|end| end.at <= now)
    }

    /// Returns the time left as a descriptor has it. A start by a clock that was set back may have given it
    /// more than a descriptor can hold.
    pub(super) fn left(&self, now: Monotonic) -> Expiry {
        let Some(end) = self.end else { return Expiry::UNLIMITED };
        let tenths = end.at.0.saturating_sub(now.0).div_ceil(TENTH_NANOS);
        Expiry::tenths(u32::try_from(tenths).unwrap_or(u32::MAX))
    }
}

/// The messages of a queue, all of one priority.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    there: Vec<ExpiringMessage>,
    /// Expired, and perhaps not removed yet.
    over: Vec<ExpiringMessage>,
}

impl Messages {
    pub(super) fn put(&mut self, message: ExpiringMessage) {
        self.there.push(message);
    }

    /// Returns the messages that are there now.
    pub(super) fn at(&mut self, now: Monotonic) -> &[ExpiringMessage] {
        self.over.extend(self.there.extract_if(.., |message| message.is_over(now)));
        &self.there
    }

    pub(super) fn get(&mut self, now: Monotonic) -> Option<ExpiringMessage> {
        if self.at(now).is_empty() { None } else { Some(self.there.remove(0)) }
    }

    /// Notes that due messages were removed.
    pub(super) fn removed(&mut self, now: Monotonic) {
        let _ = self.at(now);
        self.over.retain(|message| {
            message.end.is_some_and(|end| end.at.0.saturating_add(REMOVED_AFTER_NANOS) > now.0)
        });
    }

    /// A new run begins at this moment and this time of day. Ages count from the times of the puts: a later
    /// message is not the older one, and a time in the future or none counts as that of a neighbour.
    /// `is_found` tells whether a message was found that may have been removed or not.
    pub(super) fn restart(&mut self, now: Monotonic, wall: WallTime, is_found: impl Fn(u64) -> bool) {
        let over = std::mem::take(&mut self.over);
        self.there.extend(over.into_iter().filter(|message| is_found(message.number)));
        self.there.sort_by_key(|message| message.number);
        self.there.retain_mut(|message| {
            if let Some(end) = &mut message.end {
                let left_micros = end.by_day.0.saturating_sub(wall.0).max(0);
                end.at = Monotonic(now.0 + left_micros.unsigned_abs() * 1_000);
            }
            message.persistent
        });
        let second_of_day = |time: WallTime| time.0.div_euclid(1_000_000);
        // Nothing was put in the first second there is: it stands for no time.
        let known = |message: &ExpiringMessage| {
            let put = second_of_day(message.put_at);
            (1..=second_of_day(wall)).contains(&put).then(|| second(now) - second_of_day(wall) + put)
        };
        let standing = |message: &&mut ExpiringMessage| !message.is_over(now);
        let first = self.there.iter().filter(|message| !message.is_over(now)).find_map(known);
        let mut latest = first.unwrap_or_else(|| second(now));
        for message in self.there.iter_mut().filter(standing) {
            latest = latest.max(known(message).unwrap_or(latest));
            message.here_since = latest;
        }
    }
}
