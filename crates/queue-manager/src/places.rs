//! Places in the topic tree that programs used and use no more: each is shown for as long as TREELIFE says.
//!
//! Lives here: which there are. Lives elsewhere: who uses a place now (`command::topics`).
//!
//! Always: only who shows the tree looks here, since what holds at a place and who hears what is published there follow from who
//! uses it now. A place that is used again may be here, too; when that use ends it is left anew.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;
use platform::sync::Mutex;

/// Most bytes for what is left, so that programs that name a topic of its own for each message, or a TREELIFE without an end, do not
/// fill the memory: some ten thousand places. Of more the first that was left goes first.
const BYTES_MAX: usize = 2 << 20;

/// What a place takes beside its name.
const PLACE_BYTES: usize = 128;

/// Places that were left.
#[derive(Debug, Default)]
pub(crate) struct LeftPlaces(Mutex<Left>);

#[derive(Debug, Default)]
struct Left {
    /// When each was left, by topic string.
    since: BTreeMap<Arc<str>, Monotonic>,
    /// The first that was left first.
    in_order: BTreeSet<(Monotonic, Arc<str>)>,
    bytes: usize,
}

impl LeftPlaces {
    /// A use of a place ended.
    pub(crate) fn leave(&self, place: &str, now: Monotonic) {
        let mut left = self.0.lock();
        let place = left.take(place).unwrap_or_else(|| place.into());
        left.bytes += place.len() + PLACE_BYTES;
        left.in_order.insert((now, Arc::clone(&place)));
        left.since.insert(place, now);
        while left.bytes > BYTES_MAX {
            left.forget_first();
        }
    }

    /// The places that are shown still; without TREELIFE all of them.
    pub(crate) fn shown(&self, now: Monotonic, tree_life: Option<Duration>) -> Vec<Arc<str>> {
        let mut left = self.0.lock();
        if let Some(most) = tree_life {
            while left.in_order.first().is_some_and(|(since, _)| now.since(*since) >= most) {
                left.forget_first();
            }
        }
        left.since.keys().cloned().collect()
    }
}

impl Left {
    fn take(&mut self, place: &str) -> Option<Arc<str>> {
        let (place, since) = self.since.remove_entry(place)?;
        self.bytes -= place.len() + PLACE_BYTES;
        let entry = (since, place);
        self.in_order.remove(&entry);
        Some(entry.1)
    }

    fn forget_first(&mut self) {
        if let Some((_, place)) = self.in_order.first().cloned() {
            self.take(&place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES_MAX, LeftPlaces, PLACE_BYTES};
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
