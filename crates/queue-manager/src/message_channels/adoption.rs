//! Connections that take a channel from one another: a partner that comes again, or two under one identifier.
//!
//! Always: a partner that comes again from its own address takes its place as often as it likes. Of two
//! addresses that take the channel from each other, one is a copy, and only a person knows which.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use mqi::ObjectName;
use platform::Monotonic;

use crate::ground::place::connection_name;

/// The takings, of one channel within [`INTERVAL`], of which the last stops it.
const TAKINGS: usize = 3;
const INTERVAL: Duration = Duration::from_secs(60);

/// The times at which channels were taken by another address than had them: for each channel less than
/// [`TAKINGS`].
#[derive(Debug, Default)]
pub(super) struct Adoptions(BTreeMap<ObjectName, VecDeque<Monotonic>>);

impl Adoptions {
    /// Another address takes a channel. Returns true if it is once too often.
    pub(super) fn note(&mut self, channel: ObjectName, now: Monotonic) -> bool {
        let times = self.0.entry(channel).or_default();
        times.push_back(now);
        times.retain(|time| now.since(*time) < INTERVAL);
        let is_last = times.len() >= TAKINGS;
        if is_last {
            self.0.remove(&channel);
        }
        is_last
    }

    /// The channel is gone.
    pub(super) fn forget(&mut self, channel: &ObjectName) {
        self.0.remove(channel);
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
        for (channel, at, expected) in [
            (one, 0, false),
            (one, 30, false),
            (other, 31, false),
            (one, 60, false), // The first is forgotten.
            (one, 70, true),
            (one, 71, false), // It was stopped, and begins anew.
        ] {
            assert_eq!(adoptions.note(channel, second(at)), expected, "{channel} at {at}");
        }
        adoptions.note(one, second(72));
        adoptions.forget(&one);
        assert!(!adoptions.note(one, second(73)));
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
