//! Users that were right from a source within the day.
//!
//! Always: the fact alone is kept, in memory: no password and no code of one; the table is bounded, and the
//! oldest fact makes room.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agents::{LocalUser, Login};

use crate::strangers::Source;

/// Time for which a fact counts: programs and people come back within the day.
const COUNTS_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Most facts: as many as users may be in the file; some hundred bytes each.
const FACTS_MAX: usize = 10_000;

/// The origin of a login.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A source of connections over a network.
    Network(Source),
    /// A user of this machine, by the local socket.
    Local(String),
}

impl Origin {
    /// The origin of a login.
    pub(super) fn of(login: &Login) -> Self {
        match (&login.local, login.address) {
            (None, Some(address)) => Self::Network(Source::of(address)),
            (Some(LocalUser { name, .. }), _) => Self::Local(name.clone()),
            (None, None) => Self::Local(String::new()),
        }
    }
}

/// The users that were right, by origin.
#[derive(Default)]
pub(super) struct Returners {
    facts: BTreeMap<(String, Origin), Instant>,
}

impl Returners {
    /// Notes that a user was right.
    pub(super) fn note(&mut self, user: &str, origin: Origin, now: Instant) {
        let key = (user.to_owned(), origin);
        if self.facts.len() >= FACTS_MAX && !self.facts.contains_key(&key) {
            self.facts.retain(|_, at| now.duration_since(*at) < COUNTS_FOR);
            if self.facts.len() >= FACTS_MAX {
                let oldest = self.facts.iter().min_by_key(|(_, at)| **at).map(|(key, _)| key.clone());
                oldest.map(|oldest| self.facts.remove(&oldest));
            }
        }
        self.facts.insert(key, now);
    }

    /// Tells if a user was right from this origin within the day.
    pub(super) fn has(&self, user: &str, origin: &Origin, now: Instant) -> bool {
        let at = self.facts.get(&(user.to_owned(), origin.clone()));
        at.is_some_and(|at| now.duration_since(*at) < COUNTS_FOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> Origin {
        Origin::Network(Source::of(address.parse().unwrap()))
    }

    #[test]
    fn a_fact_counts_for_its_user_and_source_and_for_a_day() {
        let (mut returners, now) = (Returners::default(), Instant::now());
        returners.note("ada", at("2001:db8::1"), now);
        for (user, origin, after, is_there) in [
            ("ada", at("2001:db8::1"), Duration::ZERO, true),
            ("ada", at("2001:db8::2"), Duration::from_secs(86_399), true),
            ("ada", at("2001:db8::1"), Duration::from_secs(86_400), false),
            ("ada", at("2001:db8:0:1::1"), Duration::ZERO, false),
            ("ada", Origin::Local("ada".to_owned()), Duration::ZERO, false),
            ("Ada", at("2001:db8::1"), Duration::ZERO, false),
            ("", at("2001:db8::1"), Duration::ZERO, false),
        ] {
            assert_eq!(returners.has(user, &origin, now + after), is_there, "{user} {origin:?} {after:?}");
        }
    }

    #[test]
    fn facts_are_bounded_and_the_oldest_goes() {
        let (mut returners, now) = (Returners::default(), Instant::now());
        let here = at("192.0.2.1");
        for number in 0..=FACTS_MAX as u64 {
            let at = now + Duration::from_millis(number);
            returners.note(&format!("user{number}"), here.clone(), at);
        }
        assert_eq!(returners.facts.len(), FACTS_MAX);
        assert!(!returners.has("user0", &here, now) && returners.has("user1", &here, now));
    }
}
