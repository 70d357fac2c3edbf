//! Places in the topic tree that programs used and use no more: each is shown for as long as TREELIFE says.
//!
//! Lives here: the list of places. Lives elsewhere: the present users of a place (`command::topics`).
//!
//! Always: only displays of the tree look here, since the attributes and the hearers at a place follow from
//! its present users. A place that is used again may be here, too; when that use ends it is left anew. A
//! program that leaves a place again in the same second takes no lock: one that publishes by name does so
//! with each message.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use foldhash::fast::FixedState;
use platform::Monotonic;
use platform::sync::Mutex;

/// Most bytes for what is left, so that programs that name a topic of its own for each message, or a TREELIFE
/// without an end, do not fill the memory: some ten thousand places. Of more the first that was left goes
/// first.
const BYTES_MAX: usize = 2 << 20;

/// Bytes that a place takes besides its name.
const PLACE_BYTES: usize = 128;

/// Number of places remembered as left just now: more than programs usually publish to in turn by name. Of
/// two places with one position in the table, by the hash of the place, the last that was left is there.
const RECENT: usize = 1 << 10;

/// Places that were left.
#[derive(Debug)]
pub(crate) struct LeftPlaces {
    left: Mutex<Left>,
    /// Changed under the lock, and read without it: each place here is in `left` with this moment.
    recent: Box<[ArcSwapOption<Recent>]>,
    hasher: FixedState,
}

/// A place that was left, and in which second.
#[derive(Debug)]
struct Recent {
    place: Arc<str>,
    since: Monotonic,
}

#[derive(Debug, Default)]
struct Left {
    /// In which second each was left, by topic string.
    since: BTreeMap<Arc<str>, Monotonic>,
    /// The first that was left first.
    in_order: BTreeSet<(Monotonic, Arc<str>)>,
    bytes: usize,
}

impl Default for LeftPlaces {
    fn default() -> Self {
        let recent = (0..RECENT).map(|_| ArcSwapOption::empty()).collect();
        Self { left: Mutex::default(), recent, hasher: FixedState::default() }
    }
}

impl LeftPlaces {
    /// A use of a place ended.
    pub(crate) fn leave(&self, place: &str, now: Monotonic) {
        let since = second_of(now);
        if self.is_left(place, since) {
            return;
        }
        let mut left = self.left.lock();
        let place = left.add(place, since);
        let recent = self.recent(&place);
        recent.store(Some(Arc::new(Recent { place, since })));
        while left.bytes > BYTES_MAX {
            self.forget_first(&mut left);
        }
    }

    /// True if a place is known to be left in a second, without a lock.
    fn is_left(&self, place: &str, since: Monotonic) -> bool {
        let recent = self.recent(place).load();
        recent.as_deref().is_some_and(|recent| recent.since == since && *recent.place == *place)
    }

    fn recent(&self, place: &str) -> &ArcSwapOption<Recent> {
        &self.recent[self.hasher.hash_one(place) as usize % RECENT]
    }

    fn forget_first(&self, left: &mut Left) {
        if let Some(place) = left.take_first() {
            self.recent(&place).store(None);
        }
    }

    /// The places that are shown still; without TREELIFE all of them.
    pub(crate) fn shown(&self, now: Monotonic, tree_life: Option<Duration>) -> Vec<Arc<str>> {
        let mut left = self.left.lock();
        if let Some(most) = tree_life {
            while left.in_order.first().is_some_and(|(since, _)| now.since(*since) >= most) {
                self.forget_first(&mut left);
            }
        }
        left.since.keys().cloned().collect()
    }
}

/// When the second began: TREELIFE counts in such.
fn second_of(now: Monotonic) -> Monotonic {
    Monotonic(now.0 - now.0 % 1_000_000_000)
}

impl Left {
    fn add(&mut self, place: &str, since: Monotonic) -> Arc<str> {
        let place = self.take(place).unwrap_or_else(|| place.into());
        self.bytes += place.len() + PLACE_BYTES;
        self.in_order.insert((since, Arc::clone(&place)));
        self.since.insert(Arc::clone(&place), since);
        place
    }

    fn take(&mut self, place: &str) -> Option<Arc<str>> {
        let (place, since) = self.since.remove_entry(place)?;
        self.bytes -= place.len() + PLACE_BYTES;
        let entry = (since, place);
        self.in_order.remove(&entry);
        Some(entry.1)
    }

    fn take_first(&mut self) -> Option<Arc<str>> {
        let (_, place) = self.in_order.first().cloned()?;
        self.take(&place)
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES_MAX, LeftPlaces, PLACE_BYTES, RECENT};
    use platform::Monotonic;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    fn at(seconds: u32) -> Monotonic {
        Monotonic(0).after(SECOND * seconds)
    }

    #[test]
    fn a_place_is_shown_until_its_time_is_over() {
        let places = LeftPlaces::default();
        places.leave("a", at(0));
        places.leave("b", at(5));
        let shown = |seconds: u32, tree_life| {
            let shown = places.shown(at(seconds), tree_life);
            shown.iter().map(|place| place.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(shown(1_000_000, None), ["a", "b"]);
        assert_eq!(shown(9, Some(10 * SECOND)), ["a", "b"]);
        assert_eq!(shown(10, Some(10 * SECOND)), ["b"]);
        assert_eq!(shown(15, Some(10 * SECOND)), [""; 0]);
    }

    #[test]
    fn a_place_that_is_used_again_is_left_anew() {
        let places = LeftPlaces::default();
        places.leave("a", at(0));
        places.leave("a", at(7));
        assert_eq!(places.shown(at(12), Some(10 * SECOND)).len(), 1);
        assert_eq!(places.shown(at(17), Some(10 * SECOND)).len(), 0);
    }

    #[test]
    fn a_place_that_is_left_again_in_the_same_second_needs_no_lock() {
        let places = LeftPlaces::default();
        places.leave("a", at(1).after(SECOND / 2));
        let is_left = |place: &str, seconds| places.is_left(place, at(seconds));
        assert!(is_left("a", 1) && !is_left("a", 2) && !is_left("b", 1));
        places.leave("a", at(1).after(SECOND / 4 * 3));
        assert_eq!(places.shown(at(10), Some(10 * SECOND)).len(), 1);
        assert_eq!(places.shown(at(11), Some(10 * SECOND)).len(), 0);
    }

    #[test]
    fn a_place_that_was_forgotten_is_left_anew_in_the_same_second() {
        let places = LeftPlaces::default();
        places.leave("a", at(1));
        assert_eq!(places.shown(at(1), Some(Duration::ZERO)).len(), 0);
        places.leave("a", at(1));
        assert_eq!(places.shown(at(1), None).len(), 1);
    }

    #[test]
    fn places_that_share_a_position_are_all_shown() {
        let places = LeftPlaces::default();
        let names: Vec<_> = (0..2 * RECENT).map(|number| format!("{number:04}")).collect();
        for _ in 0..2 {
            names.iter().for_each(|name| places.leave(name, at(1)));
        }
        let shown: Vec<_> = places.shown(at(1), None).iter().map(|place| place.to_string()).collect();
        assert_eq!(shown, names);
    }

    #[test]
    fn of_too_many_the_first_that_was_left_goes_first() {
        let places = LeftPlaces::default();
        let long = "x".repeat(1_000);
        let most = BYTES_MAX / (PLACE_BYTES + long.len() + 4);
        for number in 0..most + 3 {
            places.leave(&format!("{long}{number:04}"), at(1));
        }
        let shown = places.shown(at(1), None);
        assert_eq!(shown.len(), most);
        assert!(shown[0].ends_with("0003"), "{}", &shown[0][1_000..]);
    }
}
