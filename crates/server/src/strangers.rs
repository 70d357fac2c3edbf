//! Programs that have connected and not logged in.
//!
//! Lives here: their number, all together and by source, the one that makes room for another, and the rate at
//! which a source is told of. Lives elsewhere: the time that a login may take (`agents`), the verdict on it
//! (`logins`).
//!
//! Always: no stranger keeps another out for longer than its login may take; a source that floods makes room
//! for others before these do.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::net::{AddrParseError, IpAddr};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};

/// Most strangers at one time: each has a socket, and up to 10 KiB of a login that is not whole.
const STRANGERS_MAX: usize = 2_000;

/// Most strangers of one source while more than half of all places are taken.
const OF_SOURCE_MAX: usize = 32;

/// Most sources for which reports are counted. Of more the one that was quiet for longest is forgotten.
const SOURCES_MAX: usize = 4_096;

/// Most reports of one source within a second; more are counted, and said with the next.
const REPORTS_MAX: u32 = 10;

/// The source of connections: an IPv4 address, or the 64 bits of an IPv6 address that name a network, in
/// which a machine has any number of addresses. Loopback is one, whatever the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Source(IpAddr);

/// The bits of an IPv6 address that name a network, as they are shown behind it.
const NETWORK: &str = "/64";

impl Source {
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(security::address::network_of(address))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(formatter),
            IpAddr::V6(network) => write!(formatter, "{network}{NETWORK}"),
        }
    }
}

impl FromStr for Source {
    type Err = AddrParseError;

    fn from_str(text: &str) -> Result<Self, AddrParseError> {
        text.strip_suffix(NETWORK).unwrap_or(text).parse().map(Self::of)
    }
}

/// Shortest time between two reports of programs that were turned away since all places are taken.
const CROWD_TOLD_AGAIN: Duration = Duration::from_secs(10);

/// A login is given so much time before it makes room for others.
const LOGIN_USUAL: Duration = Duration::from_secs(1);

/// All strangers.
#[derive(Default)]
pub(crate) struct Strangers {
    state: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    next: u64,
    by_number: BTreeMap<u64, One>,
    by_source: BTreeMap<Source, BTreeSet<u64>>,
    reported: BTreeMap<Source, Reported>,
    /// Sources in the order of their last report that began a second.
    quiet: VecDeque<(Instant, Source)>,
    crowd: Option<Reported>,
}

struct One {
    source: Source,
    since: Instant,
    ends: Arc<AtomicBool>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl One {
    fn end(&self) {
        self.ends.store(true, Ordering::Release);
        (self.wake)();
    }
}

struct Reported {
    since: Instant,
    count: u32,
    left_out: u64,
}

/// A place among the strangers, until it is dropped.
pub(crate) struct Stranger {
    strangers: Arc<Strangers>,
    number: u64,
    ends: Arc<AtomicBool>,
}

impl Stranger {
    /// Returns true once it has to make room for another.
    pub(crate) fn is_ended(&self) -> bool {
        self.ends.load(Ordering::Acquire)
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.strangers.state.lock().remove(self.number);
    }
}

impl Places {
    fn remove(&mut self, number: u64) -> Option<One> {
        let one = self.by_number.remove(&number)?;
        if let Some(numbers) = self.by_source.get_mut(&one.source) {
            numbers.remove(&number);
            if numbers.is_empty() {
                self.by_source.remove(&one.source);
            }
        }
        Some(one)
    }

    /// The oldest stranger of the fullest source.
    fn fullest(&self) -> Option<u64> {
        let fullest = self.by_source.values().max_by_key(|numbers| numbers.len());
        fullest.and_then(BTreeSet::first).copied()
    }
}

impl Strangers {
    /// Says if a source may have one more.
    pub(crate) fn has_room(&self, source: Source) -> bool {
        let state = self.state.lock();
        let own = state.by_source.get(&source).map_or(0, BTreeSet::len);
        own < OF_SOURCE_MAX || state.by_number.len() <= STRANGERS_MAX / 2
    }

    /// Gives a stranger its place. Where all are taken, another one ends, and `wake` is called for it.
    pub(crate) fn enter(self: &Arc<Self>, source: Source, wake: Arc<dyn Fn() + Send + Sync>) -> Stranger {
        let mut state = self.state.lock();
        let ended = if state.by_number.len() >= STRANGERS_MAX {
            state.fullest().and_then(|oldest| state.remove(oldest))
        } else {
            None
        };
        let (number, ends) = (state.next, Arc::new(AtomicBool::new(false)));
        state.next += 1;
        state.by_number.insert(number, One { source, since: Instant::now(), ends: Arc::clone(&ends), wake });
        state.by_source.entry(source).or_default().insert(number);
        drop(state);
        ended.iter().for_each(One::end);
        Stranger { strangers: Arc::clone(self), number, ends }
    }

    /// Ends a stranger, since a program has no place. One that has just come is left: it may be logging in.
    pub(crate) fn make_room(&self, now: Instant) {
        let mut state = self.state.lock();
        let has_waited = |one: &One| now.duration_since(one.since) >= LOGIN_USUAL;
        let ended = state.fullest().filter(|oldest| has_waited(&state.by_number[oldest]));
        let ended = ended.and_then(|oldest| state.remove(oldest));
        drop(state);
        ended.iter().for_each(One::end);
    }

    /// Says if it is told once more that all places are taken, and of how many it was not since it was last.
    pub(crate) fn may_report_crowd(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock();
        match &mut state.crowd {
            Some(told) if now.duration_since(told.since) < CROWD_TOLD_AGAIN => {
                told.left_out += 1;
                None
            }
            crowd => {
                let left_out = crowd.as_ref().map_or(0, |told| told.left_out);
                *crowd = Some(Reported { since: now, count: 1, left_out: 0 });
                Some(left_out)
            }
        }
    }

    /// Says if a source is told of once more, and how often it was not since it was last.
    pub(crate) fn may_report(&self, source: Source, now: Instant) -> Option<u64> {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        if let Some(reported) = state.reported.get_mut(&source) {
            if now.duration_since(reported.since) >= Duration::from_secs(1) {
                (reported.since, reported.count) = (now, 0);
                state.quiet.push_back((now, source));
            }
            if reported.count >= REPORTS_MAX {
                reported.left_out += 1;
                return None;
            }
            reported.count += 1;
            let left_out = std::mem::take(&mut reported.left_out);
            state.forget_quiet();
            return Some(left_out);
        }
        state.reported.insert(source, Reported { since: now, count: 1, left_out: 0 });
        state.quiet.push_back((now, source));
        state.forget_quiet();
        Some(0)
    }
}

impl Places {
    /// Forgets the sources that were quiet for longest, as far as there are too many.
    fn forget_quiet(&mut self) {
        while self.reported.len() > SOURCES_MAX || self.quiet.len() > 2 * SOURCES_MAX {
            let Some((since, source)) = self.quiet.pop_front() else { return };
            if self.reported.get(&source).is_some_and(|reported| reported.since == since) {
                self.reported.remove(&source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn source(text: &str) -> Source {
        Source::of(text.parse().unwrap())
    }

    fn silent() -> Arc<dyn Fn() + Send + Sync> {
        Arc::new(|| ())
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_are_one_source_and_mapped_ones_are_those_of_ipv4() {
        assert_eq!(source("2001:db8::1"), source("2001:db8::ffff:1"));
        assert_ne!(source("2001:db8::1"), source("2001:db8:0:1::1"));
        assert_eq!(source("::ffff:192.0.2.1"), source("192.0.2.1"));
        assert_ne!(source("192.0.2.1"), source("192.0.2.2"));
        assert_eq!(source("127.0.0.2"), source("127.0.0.1"));
        assert_eq!(source("::1").to_string(), "127.0.0.1");
    }

    #[test]
    fn a_source_has_thirty_two_places_while_more_than_half_are_taken_and_any_number_before() {
        let strangers = Arc::<Strangers>::default();
        let (one, other) = (source("192.0.2.1"), source("192.0.2.2"));
        let mut places: Vec<Stranger> = Vec::new();
        while places.len() <= STRANGERS_MAX / 2 {
            assert!(strangers.has_room(one));
            places.push(strangers.enter(one, silent()));
        }
        assert!(!strangers.has_room(one) && strangers.has_room(other));
        for _ in 0..OF_SOURCE_MAX {
            assert!(strangers.has_room(other));
            places.push(strangers.enter(other, silent()));
        }
        assert!(!strangers.has_room(other));
        places.truncate(STRANGERS_MAX / 2 - 1);
        assert!(strangers.has_room(other) && strangers.has_room(one), "places are given back");
    }

    #[test]
    fn where_all_places_are_taken_the_oldest_of_the_fullest_source_makes_room() {
        let strangers = Arc::<Strangers>::default();
        let woken = Arc::new(AtomicUsize::new(0));
        let crowd = source("192.0.2.1");
        let quiet = strangers.enter(source("198.51.100.7"), silent());
        let counted = Arc::clone(&woken);
        let bell: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let many: Vec<Stranger> =
            (1..STRANGERS_MAX).map(|_| strangers.enter(crowd, Arc::clone(&bell))).collect();
        let newcomer = strangers.enter(source("203.0.113.5"), silent());
        assert!(many[0].is_ended() && !many[1].is_ended() && !quiet.is_ended() && !newcomer.is_ended());
        assert_eq!(woken.load(Ordering::Relaxed), 1);
        assert_eq!(strangers.state.lock().by_number.len(), STRANGERS_MAX);
        drop((many, newcomer, quiet));
        assert!(strangers.state.lock().by_number.is_empty() && strangers.state.lock().by_source.is_empty());
    }

    #[test]
    fn a_stranger_that_does_not_log_in_makes_room_and_one_that_has_just_come_does_not() {
        let strangers = Arc::<Strangers>::default();
        let (first, second) = (source("192.0.2.1"), source("192.0.2.2"));
        let places = [first, second, second].map(|source| strangers.enter(source, silent()));
        let ended = || places.iter().map(Stranger::is_ended).collect::<Vec<_>>();
        strangers.make_room(Instant::now());
        assert_eq!(ended(), [false, false, false]);
        let later = Instant::now() + LOGIN_USUAL;
        strangers.make_room(later);
        assert_eq!(ended(), [false, true, false]);
        (0..3).for_each(|_| strangers.make_room(later));
        assert_eq!(ended(), [true, true, true]);
    }

    #[test]
    fn a_crowd_is_told_once_and_after_some_time_with_its_count() {
        let strangers = Strangers::default();
        let start = Instant::now();
        let told: Vec<_> = (0..500).filter_map(|_| strangers.may_report_crowd(start)).collect();
        assert_eq!(told, [0]);
        assert_eq!(strangers.may_report_crowd(start + CROWD_TOLD_AGAIN), Some(499));
        assert_eq!(strangers.may_report_crowd(start + CROWD_TOLD_AGAIN), None);
        assert_eq!(strangers.may_report_crowd(start + 2 * CROWD_TOLD_AGAIN), Some(1));
    }

    #[test]
    fn a_source_is_told_of_ten_times_a_second_and_then_with_what_was_left_out() {
        let strangers = Strangers::default();
        let (one, start) = (source("192.0.2.1"), Instant::now());
        let told = |at| strangers.may_report(one, at);
        let first: Vec<_> = (0..500).filter_map(|_| told(start)).collect();
        assert_eq!(first, [0; 10]);
        assert_eq!(strangers.may_report(source("192.0.2.2"), start), Some(0), "each source for itself");
        assert_eq!(told(start + Duration::from_secs(1)), Some(490));
        assert_eq!(told(start + Duration::from_secs(1)), Some(0));
    }

    #[test]
    fn sources_beyond_a_bound_are_forgotten_the_quiet_ones_first() {
        let strangers = Strangers::default();
        let start = Instant::now();
        let busy = source("192.0.2.1");
        for number in 0..20_000_u32 {
            let at = start + Duration::from_millis(u64::from(number));
            strangers.may_report(Source::of(IpAddr::V4((0x0A00_0000 + number).into())), at);
            strangers.may_report(busy, at);
            let state = strangers.state.lock();
            assert!(state.reported.len() <= SOURCES_MAX && state.quiet.len() <= 2 * SOURCES_MAX);
            assert!(state.reported.contains_key(&busy));
        }
    }
}
