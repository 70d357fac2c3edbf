//! Places in long lists from which a search for another place may begin.
//!
//! A message that comes back to the middle of a deep queue, or is committed behind later ones, belongs
//! between two entries that a list alone finds only by passing all that are before or behind them. So every
//! so many entries of a list one is remembered by its sequence, and the last that was found a place: what is
//! put or got together mostly comes back together.
//!
//! Lives here: which entries are remembered, and the search. Lives elsewhere: linking (`lists`).
//!
//! Always: only an entry that is in the list now is begun from; one that has left is forgotten when it is
//! met, or when those remembered have doubled. So what leaves a list does nothing for its landmarks.

use std::collections::BTreeMap;

use super::entry::{Entry, EntryState, NONE, Slab, Slot};
use super::lists::{Kind, List};

/// One of about so many entries is remembered: few enough that they take no memory to speak of, near enough
/// for a short search.
const SPACING: u64 = 128;

/// Multiplier that spreads sequences: those at any distance from each other are remembered equally often. It
/// is the golden ratio of all numbers.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Steps from the ends of a list before landmarks are asked: what comes back mostly belongs near the head.
const STEPS_FROM_ENDS: u64 = 8;

/// Landmarks that are kept without asking which of them are in their lists.
const KEPT_UNASKED: usize = 64;

/// Tells one list of a queue from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    kind: Kind,
    rank: u8,
    /// Identity that all entries of one chain of an index share.
    key: [u8; 24],
}

impl Name {
    fn of(kind: Kind, rank: u8, entry: &Entry) -> Self {
        Self { kind, rank, key: kind.key(entry).copied().unwrap_or_default() }
    }
}

/// The landmarks in the lists of one queue.
#[derive(Debug, Default)]
pub(super) struct Landmarks {
    places: BTreeMap<(Name, u64), Slot>,
    /// Entry for which the last search found a place, in each kind of list and each rank.
    last: BTreeMap<(Kind, u8), (Name, u64, Slot)>,
    /// Number to remember before those that left their lists are forgotten.
    most: usize,
    /// Entries that searches have passed.
    passed: u64,
}

impl Landmarks {
    /// Entries that were passed on the way to the places of others.
    pub(super) fn passed(&self) -> u64 {
        self.passed
    }

    /// Forgets all, because the lists change.
    pub(super) fn clear(&mut self) {
        *self = Self { passed: self.passed, ..Self::default() };
    }

    /// Remembers an entry that was linked, if it is its turn and not alone.
    #[inline]
    pub(super) fn pass(&mut self, slab: &Slab, (kind, rank): (Kind, u8), slot: Slot) {
        if slab[slot].sequence.wrapping_mul(SPREAD) < u64::MAX / SPACING {
            let links = kind.links(&slab[slot]);
            if links.previous != NONE || links.next != NONE {
                self.lay(slab, Name::of(kind, rank, &slab[slot]), slot);
            }
        }
    }

    #[cold]
    fn lay(&mut self, slab: &Slab, name: Name, slot: Slot) {
        if self.places.len() >= self.most {
            self.places.retain(|(name, sequence), slot| is_in(slab, name.kind, *slot, *sequence));
            self.most = (2 * self.places.len()).max(KEPT_UNASKED);
        }
        self.places.insert((name, slab[slot].sequence), slot);
    }

    /// The entry that one belongs before which is to be linked before the tail of a list.
    pub(super) fn following(
        &mut self,
        slab: &Slab,
        list: List,
        (kind, rank): (Kind, u8),
        slot: Slot,
    ) -> Slot {
        let sequence = slab[slot].sequence;
        let (mut forward, mut backward) = (list.head, list.tail);
        let mut steps = 0;
        let following = loop {
            if slab[forward].sequence > sequence {
                break forward;
            }
            let before = kind.links(&slab[backward]).previous;
            if slab[before].sequence < sequence {
                break backward;
            }
            (forward, backward) = (kind.links(&slab[forward]).next, before);
            steps += 1;
            if steps == STEPS_FROM_ENDS {
                let name = Name::of(kind, rank, &slab[slot]);
                if let Some(before) = self.nearest_before(slab, &name, sequence)
                    && slab[before].sequence >= slab[forward].sequence
                {
                    forward = kind.links(&slab[before]).next;
                }
                if let Some(behind) = self.nearest_behind(slab, &name, sequence)
                    && slab[behind].sequence < slab[backward].sequence
                {
                    backward = behind;
                }
            }
            if steps % SPACING == 0 {
                let name = Name::of(kind, rank, &slab[slot]);
                self.lay(slab, name, forward);
                self.lay(slab, name, backward);
            }
        };
        self.passed += 2 * steps;
        if steps >= STEPS_FROM_ENDS {
            self.last.insert((kind, rank), (Name::of(kind, rank, &slab[slot]), sequence, slot));
        }
        following
    }

    fn nearest_before(&mut self, slab: &Slab, name: &Name, sequence: u64) -> Option<Slot> {
        let last = self.last_if(slab, name, |last| last < sequence);
        let laid = loop {
            let laid = self.places.range((*name, 0)..(*name, sequence)).next_back();
            let Some((&(_, at), &slot)) = laid else { break None };
            if is_in(slab, name.kind, slot, at) {
                break Some(slot);
            }
            self.places.remove(&(*name, at));
        };
        last.into_iter().chain(laid).max_by_key(|slot| slab[*slot].sequence)
    }

    fn nearest_behind(&mut self, slab: &Slab, name: &Name, sequence: u64) -> Option<Slot> {
        let last = self.last_if(slab, name, |last| last > sequence);
        let laid = loop {
            let laid = self.places.range((*name, sequence + 1)..=(*name, u64::MAX)).next();
            let Some((&(_, at), &slot)) = laid else { break None };
            if is_in(slab, name.kind, slot, at) {
                break Some(slot);
            }
            self.places.remove(&(*name, at));
        };
        last.into_iter().chain(laid).min_by_key(|slot| slab[*slot].sequence)
    }

    fn last_if(&self, slab: &Slab, name: &Name, is_wanted: impl Fn(u64) -> bool) -> Option<Slot> {
        let (of, at, slot) = self.last.get(&(name.kind, name.rank))?;
        (of == name && is_wanted(*at) && is_in(slab, name.kind, *slot, *at)).then_some(*slot)
    }
}

/// True if the message with this sequence is in its list of a kind, by this slot.
fn is_in(slab: &Slab, kind: Kind, slot: Slot, sequence: u64) -> bool {
    slab.get_if(slot, sequence).is_some_and(|entry| match kind {
        Kind::Order => entry.state == EntryState::Available,
        _ => kind.is_linked(entry),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    const OF_LIST: (Kind, u8) = (Kind::Order, 0);

    /// A list beside a map of what is in it by sequence.
    struct Bench {
        slab: Slab,
        list: List,
        landmarks: Landmarks,
        model: BTreeMap<u64, Slot>,
    }

    impl Bench {
        fn of(sequences: impl Iterator<Item = u64>) -> Self {
            let (slab, landmarks) = (Slab::default(), Landmarks::default());
            let mut bench = Self { slab, list: List::EMPTY, landmarks, model: BTreeMap::new() };
            sequences.for_each(|sequence| bench.insert(sequence));
            bench
        }

        fn insert(&mut self, sequence: u64) {
            let entry = Entry { sequence, state: EntryState::Available, ..Entry::free(NONE) };
            let slot = self.slab.insert(entry);
            self.list.insert(&mut self.slab, &mut self.landmarks, OF_LIST, slot);
            self.model.insert(sequence, slot);
        }

        fn remove(&mut self, sequence: u64) {
            let slot = self.model.remove(&sequence).unwrap();
            self.list.remove(&mut self.slab, Kind::Order, slot);
            self.slab.remove(slot);
        }

        fn toggle(&mut self, sequence: u64) {
            if self.model.contains_key(&sequence) { self.remove(sequence) } else { self.insert(sequence) }
        }

        fn listed(&self) -> Vec<u64> {
            let next = |slot: &Slot| Some(self.slab[*slot].order.next).filter(|slot| *slot != NONE);
            let first = Some(self.list.head).filter(|slot| *slot != NONE);
            std::iter::successors(first, next).map(|slot| self.slab[slot].sequence).collect()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn what_comes_and_goes_anywhere_is_listed_by_its_sequence(
            step in 1..7_usize,
            toggled in proptest::collection::vec((1..6_000_u64, 1..200_u64), 1..60),
        ) {
            let mut bench = Bench::of((1..6_000).step_by(step));
            for (from, length) in toggled {
                for sequence in from..from + length {
                    bench.toggle(sequence);
                }
            }
            prop_assert_eq!(bench.listed(), bench.model.keys().copied().collect::<Vec<_>>());
        }
    }

    #[test]
    fn landmarks_of_what_has_left_are_forgotten() {
        let mut bench = Bench::of(1..2);
        for sequence in 2..100_000 {
            bench.insert(sequence);
            if sequence > 1_000 {
                bench.remove(sequence - 999);
            }
        }
        assert!(bench.landmarks.places.len() <= KEPT_UNASKED, "{}", bench.landmarks.places.len());
    }

    #[test]
    fn a_place_in_the_middle_is_found_without_passing_half_of_the_list() {
        let mut bench = Bench::of((1..200_000).step_by(2));
        for sequence in (50_000..150_000).step_by(1_010) {
            let before = bench.landmarks.passed();
            bench.insert(sequence);
            let passed = bench.landmarks.passed() - before;
            assert!(passed <= 4 * SPACING, "{passed} at {sequence}");
        }
    }
}
