//! Failed logins of late, for which the answer to the next one is put off longer.
//!
//! Always: an entry is one user at one source of connections; a login that succeeds forgets it; the table is
//! bounded, and the entry that failed longest ago makes room.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use crate::strangers::Source;

/// Longest delay of an answer: guesses come one a minute then, and a person who found the password waits no
/// longer.
const DELAY_MAX: Duration = Duration::from_secs(60);

/// Time without a failure after which a user is forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(600);

/// Most entries: more than the logins that can be put off within the longest delay.
const ENTRIES_MAX: usize = 4_096;

/// Most doublings that are counted: 60 seconds are reached from any delay before.
const DOUBLINGS_MAX: u32 = 16;

/// A user at a source; none for the programs of this machine.
type Key = (String, Option<Source>);

#[derive(Clone, Copy, Debug)]
struct Entry {
    count: u32,
    last: Instant,
}

/// The failed logins of late.
#[derive(Debug, Default)]
pub(crate) struct Failures {
    entries: BTreeMap<Key, Entry>,
}

impl Failures {
    /// Counts a failed login; the time until it is answered: `first` for the first one, twice as long for
    /// each that follows.
    pub(crate) fn fail(
        &mut self,
        user: &str,
        address: Option<IpAddr>,
        first: Duration,
        now: Instant,
    ) -> Duration {
        let key = (user.to_owned(), address.map(Source::of));
        if self.entries.len() >= ENTRIES_MAX && !self.entries.contains_key(&key) {
            self.make_room(now);
        }
        let entry = self.entries.entry(key).or_insert(Entry { count: 0, last: now });
        if now.duration_since(entry.last) >= FORGOTTEN_AFTER {
            entry.count = 0;
        }
        let delay = first.saturating_mul(1 << entry.count.min(DOUBLINGS_MAX));
        (entry.count, entry.last) = (entry.count.saturating_add(1), now);
        delay.min(DELAY_MAX.max(first))
    }

    /// Forgets the failures of a user that proved itself.
    pub(crate) fn succeed(&mut self, user: &str, address: Option<IpAddr>) {
        self.entries.remove(&(user.to_owned(), address.map(Source::of)));
    }

    fn make_room(&mut self, now: Instant) {
        self.entries.retain(|_, entry| now.duration_since(entry.last) < FORGOTTEN_AFTER);
        if self.entries.len() >= ENTRIES_MAX {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last).map(|(key, _)| key.clone());
            oldest.map(|key| self.entries.remove(&key));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_delay_doubles_for_a_user_at_a_source_until_a_minute_and_begins_anew_after_a_success() {
        let (mut failures, now) = (Failures::default(), Instant::now());
        let here: Option<IpAddr> = "192.0.2.1".parse().ok();
        let delay = |failures: &mut Failures| failures.fail("ada", here, SECOND, now).as_secs();
        let delays: Vec<u64> = (0..8).map(|_| delay(&mut failures)).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(failures.fail("bob", here, SECOND, now), SECOND, "another user");
        let there = "192.0.2.2".parse().ok();
        assert_eq!(failures.fail("ada", there, SECOND, now), SECOND, "another source");
        assert_eq!(failures.fail("ada", None, SECOND, now), SECOND, "this machine");
        failures.succeed("ada", here);
        assert_eq!(failures.fail("ada", here, SECOND, now), SECOND);
        assert_eq!(failures.fail("ada", here, SECOND, now + FORGOTTEN_AFTER), SECOND, "after a long time");
    }

    #[test]
    fn addresses_of_one_network_of_version_six_share_a_delay_and_so_do_those_of_loopback() {
        let (mut failures, now) = (Failures::default(), Instant::now());
        failures.fail("ada", "2001:db8::1".parse().ok(), SECOND, now);
        assert_eq!(failures.fail("ada", "2001:db8::2".parse().ok(), SECOND, now), 2 * SECOND);
        assert_eq!(failures.fail("ada", "2001:db8:0:1::2".parse().ok(), SECOND, now), SECOND);
        failures.fail("ada", "127.0.0.1".parse().ok(), SECOND, now);
        assert_eq!(
            failures.fail("ada", "127.0.0.2".parse().ok(), SECOND, now),
            2 * SECOND,
            "loopback is one"
        );
    }

    #[test]
    fn the_table_is_bounded_and_the_oldest_failure_goes() {
        let (mut failures, now) = (Failures::default(), Instant::now());
        for number in 0..=ENTRIES_MAX as u64 {
            failures.fail(&format!("user {number}"), None, SECOND, now + Duration::from_millis(number));
        }
        assert_eq!(failures.entries.len(), ENTRIES_MAX);
        assert_eq!(failures.fail("user 1", None, SECOND, now), 2 * SECOND);
        assert_eq!(failures.fail("user 0", None, SECOND, now), SECOND, "it was forgotten");
    }

    #[test]
    fn no_delay_stays_none_and_a_long_one_is_not_cut() {
        let (mut failures, now) = (Failures::default(), Instant::now());
        for _ in 0..40 {
            assert_eq!(failures.fail("ada", None, Duration::ZERO, now), Duration::ZERO);
        }
    }
}
