//! An index of messages by the text of an identifier, as selectors see it.
//!
//! It is made when the first get asks for an identifier of messages on a deep queue, in slices, and kept as
//! long as anything is available. A message that is not in memory when it is taken in is among those of which
//! nothing is known, until it is read: each get looks at those too.
//!
//! A message without a text of its own has that of the 24 bytes of its identifier, which texts of JMS name:
//! a get asks for a message by both.
//!
//! Always: while it is built a message is in it exactly if it is before the place that was reached; the text
//! of a message does not change. What has the hash of a text need not have the text: the selector decides.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use mqi::properties::Synonym;

use crate::queues::slot::Slot;

/// A place in the order of delivery: rank, sequence, and the slot there.
pub(super) type Place = (u8, u64, Slot);

/// The text of a message's identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// This.
    Text(String),
    /// No text.
    Nothing,
    /// The message is not in memory.
    Unknown,
}

/// The available messages of a queue by the text of one identifier.
#[derive(Debug)]
pub(super) struct TextIndex {
    synonym: Synonym,
    hasher: FixedState,
    places: HashMap<u64, BTreeSet<Place>, FixedState>,
    /// The hash of each text that is known.
    hashes: HashMap<Slot, u64, FixedState>,
    unknown: BTreeSet<Place>,
    /// The next message to take in, while it is being built.
    pub(super) building: Option<Slot>,
}

impl TextIndex {
    /// An empty one; messages from `first` on are still to be taken in.
    pub(super) fn new(synonym: Synonym, seed: u64, first: Slot) -> Self {
        Self {
            synonym,
            hasher: FixedState::with_seed(seed),
            places: HashMap::default(),
            hashes: HashMap::default(),
            unknown: BTreeSet::new(),
            building: Some(first),
        }
    }

    pub(super) fn synonym(&self) -> Synonym {
        self.synonym
    }

    /// Takes a message in.
    pub(super) fn insert(&mut self, place: Place, said: &Said) {
        match said {
            Said::Text(text) => {
                let hash = self.hasher.hash_one(text.as_str());
                self.places.entry(hash).or_default().insert(place);
                self.hashes.insert(place.2, hash);
            }
            Said::Nothing => {}
            Said::Unknown => {
                self.unknown.insert(place);
            }
        }
    }

    /// Takes a message out, if it is in.
    pub(super) fn remove(&mut self, place: Place) {
        let Some(hash) = self.hashes.remove(&place.2) else {
            self.unknown.remove(&place);
            return;
        };
        if let Some(places) = self.places.get_mut(&hash) {
            places.remove(&place);
            if places.is_empty() {
                self.places.remove(&hash);
            }
        }
    }

    /// Returns true for a message of which nothing is known.
    pub(super) fn lacks(&self, place: Place) -> bool {
        self.unknown.contains(&place)
    }

    /// The first message behind a place that may have one of the texts.
    pub(super) fn next(&self, texts: [&str; 2], after: Option<(u8, u64)>) -> Option<Slot> {
        let from = after.map_or((0, 0, 0), |(rank, sequence)| (rank, sequence, Slot::MAX));
        let first_of = |places: &BTreeSet<Place>| places.range(from..).next().copied();
        let known = |text| self.places.get(&self.hasher.hash_one(text)).and_then(first_of);
        let next = texts.into_iter().filter_map(known).chain(first_of(&self.unknown)).min();
        next.map(|(_, _, slot)| slot)
    }
}

#[cfg(test)]
mod tests {
    use mqi::properties::Synonym;

    use super::{Said, TextIndex};

    #[test]
    fn messages_are_found_by_their_texts_in_the_order_of_delivery() {
        let mut index = TextIndex::new(Synonym::CorrelationId, 7, 0);
        let text = |text: &str| Said::Text(text.to_owned());
        let said = [("a", 5), ("b", 2), ("a", 3), ("a", 9)];
        for (slot, (body, sequence)) in said.into_iter().enumerate() {
            index.insert((0, sequence, slot as u32), &text(body));
        }
        index.insert((0, 4, 4), &Said::Nothing);
        index.insert((0, 6, 5), &Said::Unknown);
        let mut after = None;
        let mut found = Vec::new();
        while let Some(slot) = index.next(["a", "d"], after) {
            found.push(slot);
            let sequence = [5, 2, 3, 9, 4, 6][slot as usize];
            after = Some((0, sequence));
        }
        assert_eq!(found, [2, 0, 5, 3], "those that may have it");
        index.remove((0, 3, 2));
        index.remove((0, 6, 5));
        index.insert((0, 6, 5), &text("b"));
        assert_eq!(index.next(["a", "d"], None), Some(0));
        assert_eq!(index.next(["d", "b"], Some((0, 2))), Some(5));
        assert_eq!(index.next(["b", "a"], None), Some(1), "the first of both");
        assert_eq!(index.next(["c", "d"], None), None);
    }
}
