//! The entry of each message, by its sequence, while a restart reads the disk.
//!
//! A queue's messages come almost always in the order of their sequences, hundreds of thousands of them, and
//! those that were got go from the front. So they stand in a row that needs neither hashing nor sorting; the
//! few that come later than a higher one, after a segment was written anew, stand beside it.

use std::collections::{BTreeMap, VecDeque};

use super::entry::Slot;

/// The slots of the messages known so far.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    /// By ascending sequence; without a slot when the message is gone. The first has one.
    row: VecDeque<(u64, Option<Slot>)>,
    /// Messages that came after a higher one.
    late: BTreeMap<u64, Slot>,
}

impl Replayed {
    pub(super) fn get(&self, sequence: u64) -> Option<Slot> {
        let in_row = || self.place(sequence).and_then(|place| self.row.get(place)?.1);
        self.late.get(&sequence).copied().or_else(in_row)
    }

    /// The number of messages.
    pub(super) fn len(&self) -> usize {
        self.row.iter().filter(|(_, slot)| slot.is_some()).count() + self.late.len()
    }

    /// Takes in a message that is not known.
    pub(super) fn insert(&mut self, sequence: u64, slot: Slot) {
        match self.row.back() {
            Some((last, _)) if *last >= sequence => {
                self.late.insert(sequence, slot);
            }
            _ => self.row.push_back((sequence, Some(slot))),
        }
    }

    pub(super) fn remove(&mut self, sequence: u64) -> Option<Slot> {
        if let Some(slot) = self.late.remove(&sequence) {
            return Some(slot);
        }
        let place = self.place(sequence)?;
        let slot = self.row.get_mut(place)?.1.take();
        while matches!(self.row.front(), Some((_, None))) {
            self.row.pop_front();
        }
        slot
    }

    /// All of them, by ascending sequence.
    pub(super) fn into_ordered(self) -> Vec<(u64, Slot)> {
        let is_mixed = !self.late.is_empty();
        let in_row = self.row.into_iter().filter_map(|(sequence, slot)| Some((sequence, slot?)));
        let mut all: Vec<_> = in_row.chain(self.late).collect();
        if is_mixed {
            all.sort_unstable();
        }
        all
    }

    fn place(&self, sequence: u64) -> Option<usize> {
        // Most that are asked for are new and above all others.
        self.row.back().filter(|(last, _)| *last >= sequence)?;
        self.row.binary_search_by_key(&sequence, |(sequence, _)| *sequence).ok()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::collections::btree_map::Entry;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(steps in proptest::collection::vec((any::<bool>(), 0..40_u64), 0..120)) {
            let (mut replayed, mut model) = (Replayed::default(), BTreeMap::new());
            for (number, (is_put, sequence)) in steps.into_iter().enumerate() {
                prop_assert_eq!(replayed.get(sequence), model.get(&sequence).copied());
                if !is_put {
                    prop_assert_eq!(replayed.remove(sequence), model.remove(&sequence));
                } else if let Entry::Vacant(unknown) = model.entry(sequence) {
                    replayed.insert(sequence, number as Slot);
                    unknown.insert(number as Slot);
                }
            }
            prop_assert_eq!(replayed.into_ordered(), model.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_went_from_the_front_takes_no_place() {
        let mut replayed = Replayed::default();
        for sequence in 0..10_000 {
            replayed.insert(sequence, 1);
            assert_eq!(replayed.remove(sequence), Some(1));
        }
        assert!(replayed.row.is_empty());
    }
}
