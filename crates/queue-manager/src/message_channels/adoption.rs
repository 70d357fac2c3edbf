//! Connections that take a channel from one another: a partner that comes again, or two under one identifier.
//!
//! Always: a partner that comes again from its own address takes its place as often as it likes. Of two
//! addresses that take the channel from each other, one is a copy, and only a person knows which: the channel
//! is closed to both, and to no other partner.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use mqi::ObjectName;
use platform::Monotonic;

use crate::ground::place::connection_name;

/// The takings, of one channel by one identifier within [`INTERVAL`], of which the last closes it to that.
const TAKINGS: usize = 3;
const INTERVAL: Duration = Duration::from_secs(60);

/// Most pairs of which takings or a closing are kept: beyond it one more is not counted, so that callers with
/// ever new identifiers take no memory. A thousand branches may move to other addresses within a minute.
const PAIRS_MAX: usize = 1_000;

/// A channel, and the identifier of a partner.
type Pair = (ObjectName, Box<str>);

/// The pairs whose channel another address took than had it.
#[derive(Debug, Default)]
pub(super) struct Adoptions {
    /// The times of the takings: for each pair less than [`TAKINGS`].
    taken: BTreeMap<Pair, VecDeque<Monotonic>>,
    /// The two addresses to which a channel is closed.
    closed: BTreeMap<Pair, Box<[String; 2]>>,
}

impl Adoptions {
    /// Another address takes a channel. Returns true if it is once too often: the channel is closed to both.
    pub(super) fn note(
        &mut self,
        channel: ObjectName,
        identifier: &str,
        addresses: &[String; 2],
        now: Monotonic,
    ) -> bool {
        self.taken.retain(|_, times| {
            times.retain(|time| now.since(*time) < INTERVAL);
            !times.is_empty()
        });
        let pair = (channel, Box::from(identifier));
        if self.taken.len() + self.closed.len() >= PAIRS_MAX && !self.taken.contains_key(&pair) {
            return false;
        }
        let times = self.taken.entry(pair.clone()).or_default();
        times.push_back(now);
        let is_last = times.len() >= TAKINGS;
        if is_last {
            self.taken.remove(&pair);
            self.closed.insert(pair, Box::new(addresses.clone()));
        }
        is_last
    }

    /// The addresses that claimed this identifier in turn, where the channel is closed to them.
    pub(super) fn closed_to(&self, channel: ObjectName, identifier: &str) -> Option<&[String; 2]> {
        self.closed.get(&(channel, Box::from(identifier))).map(|addresses| &**addresses)
    }

    /// A command opens the channel to each partner, or the channel is gone.
    pub(super) fn forget(&mut self, channel: &ObjectName) {
        self.taken.retain(|(taken, _), _| taken != channel);
        self.closed.retain(|(closed, _), _| closed != channel);
    }
}

/// True for two hosts that are known to differ; false where one of them is no address.
pub(super) fn are_two_hosts(one: &str, other: &str) -> bool {
    matches!((host_of(one), host_of(other)), (Some(one), Some(other)) if one != other)
}

fn host_of(address: &str) -> Option<IpAddr> {
    connection_name(address).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(second: u64) -> Monotonic {
        Monotonic::default().after(Duration::from_secs(second))
    }

    #[test]
    fn the_third_taking_within_a_minute_is_once_too_often() {
        let [one, other] = ["ONE", "OTHER"].map(|name| name.parse::<ObjectName>().unwrap());
        let mut adoptions = Adoptions::default();
        let addresses = ["10.0.0.1", "10.0.0.2"].map(str::to_owned);
        for (pair, at, expected) in [
            ((one, "A_1"), 0, false),
            ((one, "A_1"), 30, false),
            ((other, "A_1"), 31, false),
            ((one, "A_2"), 32, false), // Another partner moved.
            ((one, "A_1"), 60, false), // The first is forgotten.
            ((one, "A_1"), 70, true),
            ((one, "A_2"), 71, false),
        ] {
            assert_eq!(adoptions.note(pair.0, pair.1, &addresses, second(at)), expected, "{pair:?} at {at}");
        }
        assert_eq!(adoptions.closed_to(one, "A_1"), Some(&addresses));
        assert_eq!((adoptions.closed_to(one, "A_2"), adoptions.closed_to(other, "A_1")), (None, None));
        adoptions.forget(&one);
        assert_eq!(adoptions.closed_to(one, "A_1"), None);
        assert!(!adoptions.note(one, "A_1", &addresses, second(73)));
    }

    #[test]
    fn ever_new_identifiers_take_no_more_than_their_bound() {
        let channel: ObjectName = "ONE".parse().unwrap();
        let addresses = ["10.0.0.1", "10.0.0.2"].map(str::to_owned);
        let mut adoptions = Adoptions::default();
        for number in 0..PAIRS_MAX + 10 {
            adoptions.note(channel, &format!("A_{number}"), &addresses, second(0));
        }
        assert_eq!(adoptions.taken.len(), PAIRS_MAX);
        adoptions.note(channel, "B_1", &addresses, second(61));
        assert_eq!(adoptions.taken.len(), 1, "those of a minute ago are forgotten");
    }

    #[test]
    fn ports_and_unknown_addresses_make_no_two_hosts() {
        for (one, other, expected) in [
            ("tcp 10.0.0.1:1000", "tcp 10.0.0.2:1000", true),
            ("tcp 10.0.0.1:1000", "tcp 10.0.0.1:2000", false),
            ("tcp [::ffff:10.0.0.1]:1", "tcp 10.0.0.1:2", false),
            ("tcp [::1]:1", "127.0.0.1", true),
            ("link 1", "link 2", false),
            ("link 1", "tcp 10.0.0.1:1", false),
        ] {
            assert_eq!(are_two_hosts(one, other), expected, "{one} and {other}");
        }
    }
}
