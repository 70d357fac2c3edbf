//! Indexes by message, correlation and group identifier.
//!
//! An index is built when the first get asks for it and then kept, so that queues read in order pay nothing.
//! It is built in slices, between which the queue is unlocked; meanwhile an entry is in the index exactly if
//! it is at or before the place the building has reached. All-zero identifiers are not looked for (they match
//! any message), so they are not indexed.
//!
//! A chain holds the available entries of one key and one rank, ordered by sequence.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::entry::{Entry, NONE, Slab, Slot};
use super::landmarks::Landmarks;
use super::lists::{Kind, List};
use super::order::Position;

/// The index of one kind of identifier.
#[derive(Debug)]
pub(crate) struct Index {
    kind: Kind,
    chains: HashTable<List>,
    hasher: FixedState,
    /// The next entry to take in, while the index is being built.
    pub(crate) building: Option<Slot>,
}

impl Index {
    /// An empty index; entries of the queue, if any, are still to be taken in from `first`.
    pub(crate) fn new(kind: Kind, seed: u64, first: Slot) -> Self {
        let building = (first != NONE).then_some(first);
        Self { kind, chains: HashTable::new(), hasher: FixedState::with_seed(seed), building }
    }

    fn bit(&self) -> u8 {
        self.kind.bit()
    }

    fn hash(&self, key: &[u8; 24], rank: u8) -> u64 {
        self.hasher.hash_one((key, rank))
    }

    /// The first entry of a key in a rank.
    pub(crate) fn first(&self, slab: &Slab, fifo: bool, key: &[u8; 24], rank: u8) -> Slot {
        let hash = self.hash(key, rank);
        let same = |list: &List| {
            let entry = &slab[list.head];
            self.key(entry) == Some(key) && Position::rank_of(entry, fifo) == rank
        };
        self.chains.find(hash, same).map_or(NONE, |list| list.head)
    }

    fn key<'a>(&self, entry: &'a Entry) -> Option<&'a [u8; 24]> {
        self.kind.key(entry)
    }

    /// Takes an available entry in, if the building has come past its place.
    pub(super) fn insert(&mut self, slab: &mut Slab, landmarks: &mut Landmarks, fifo: bool, slot: Slot) {
        if let Some(next) = self.building
            && Position::of(&slab[slot], fifo) >= Position::of(&slab[next], fifo)
        {
            return;
        }
        self.link(slab, landmarks, fifo, slot);
    }

    fn link(&mut self, slab: &mut Slab, landmarks: &mut Landmarks, fifo: bool, slot: Slot) {
        let Some(key) = self.key(&slab[slot]).copied() else { return };
        let rank = Position::rank_of(&slab[slot], fifo);
        let kind = self.kind;
        let hash = self.hash(&key, rank);
        slab[slot].indexed |= self.bit();
        let same = |list: &List| {
            let entry = &slab[list.head];
            kind.key(entry) == Some(&key) && Position::rank_of(entry, fifo) == rank
        };
        match self.chains.find_mut(hash, same) {
            Some(list) => list.insert(slab, landmarks, (kind, rank), slot),
            None => {
                let mut list = List::EMPTY;
                list.insert(slab, landmarks, (kind, rank), slot);
                let hasher = &self.hasher;
                self.chains.insert_unique(hash, list, |list| {
                    let entry = &slab[list.head];
                    let key = kind.key(entry).expect("an indexed entry has a key");
                    hasher.hash_one((key, Position::rank_of(entry, fifo)))
                });
            }
        }
    }

    /// Takes an entry out, which is about to leave the order of delivery.
    pub(crate) fn remove(&mut self, slab: &mut Slab, fifo: bool, slot: Slot, following: Slot) {
        if self.building == Some(slot) {
            self.building = (following != NONE).then_some(following);
        }
        if slab[slot].indexed & self.bit() == 0 {
            return;
        }
        slab[slot].indexed &= !self.bit();
        let key = *self.key(&slab[slot]).expect("an indexed entry has a key");
        let rank = Position::rank_of(&slab[slot], fifo);
        let hash = self.hash(&key, rank);
        let kind = self.kind;
        let links = kind.links(&slab[slot]);
        if links.previous != NONE && links.next != NONE {
            // In the middle of its chain: neither end moves, so the table need not be asked.
            let mut middle = List::EMPTY;
            middle.remove(slab, kind, slot);
            return;
        }
        let same = |list: &List| list.head == slot || list.tail == slot;
        let mut found =
            self.chains.find_entry(hash, same).unwrap_or_else(|_| panic!("an indexed entry is in its chain"));
        found.get_mut().remove(slab, kind, slot);
        if found.get().is_empty() {
            found.remove();
        }
    }

    /// Takes in up to `entries` more; `following` names the successor in the order of delivery. True when
    /// built.
    pub(super) fn build(
        &mut self,
        slab: &mut Slab,
        landmarks: &mut Landmarks,
        fifo: bool,
        entries: usize,
        following: impl Fn(&Slab, Slot) -> Slot,
    ) -> bool {
        for _ in 0..entries {
            let Some(slot) = self.building else { return true };
            let next = following(slab, slot);
            self.building = (next != NONE).then_some(next);
            self.link(slab, landmarks, fifo, slot);
        }
        self.building.is_none()
    }
}
