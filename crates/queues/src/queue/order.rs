//! The order of delivery: available entries by rank and sequence.

use super::entry::{Entry, NONE, Slab, Slot};
use super::landmarks::Landmarks;
use super::lists::{Kind, List};

/// Number of ranks: one for each priority.
pub(crate) const RANKS: usize = 10;

/// A place in a queue: earlier positions are delivered first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// 0 for the highest priority; always 0 in a queue whose order is that of arrival.
    pub(crate) rank: u8,
    /// Order of arrival within the rank.
    pub(crate) sequence: u64,
}

impl Position {
    pub(crate) fn of(entry: &Entry, fifo: bool) -> Self {
        Self { rank: Self::rank_of(entry, fifo), sequence: entry.sequence }
    }

    pub(crate) fn rank_of(entry: &Entry, fifo: bool) -> u8 {
        if fifo { 0 } else { 9 - entry.priority }
    }
}

/// The available entries of a queue, a list for each rank.
#[derive(Debug)]
pub(crate) struct Order {
    lists: [List; RANKS],
    /// Ranks that have entries, a bit for each.
    occupied: u16,
    /// Order of arrival alone, without regard to priority.
    pub(crate) fifo: bool,
    count: usize,
}

impl Order {
    pub(crate) fn new(fifo: bool) -> Self {
        Self { lists: [List::EMPTY; RANKS], occupied: 0, fifo, count: 0 }
    }

    /// Number of available entries.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Inserts an entry, at once when the available entry `before` is the one before it.
    pub(super) fn insert_behind(
        &mut self,
        slab: &mut Slab,
        landmarks: &mut Landmarks,
        slot: Slot,
        before: Slot,
    ) {
        let rank = Position::rank_of(&slab[slot], self.fifo);
        let is_near = before != NONE && Position::rank_of(&slab[before], self.fifo) == rank;
        let list = &mut self.lists[usize::from(rank)];
        if !is_near || !list.insert_behind(slab, Kind::Order, slot, before) {
            list.insert(slab, landmarks, (Kind::Order, rank), slot);
        }
        self.occupied |= 1 << rank;
        self.count += 1;
    }

    pub(crate) fn remove(&mut self, slab: &mut Slab, slot: Slot) {
        let rank = Position::rank_of(&slab[slot], self.fifo);
        let list = &mut self.lists[usize::from(rank)];
        list.remove(slab, Kind::Order, slot);
        if list.is_empty() {
            self.occupied &= !(1 << rank);
        }
        self.count -= 1;
    }

    /// The entry delivered first.
    pub(crate) fn first(&self) -> Slot {
        self.first_from(0)
    }

    fn first_from(&self, rank: u8) -> Slot {
        let later = u32::from(self.occupied) >> rank;
        if later == 0 { NONE } else { self.lists[usize::from(rank) + later.trailing_zeros() as usize].head }
    }

    /// The available entry after an available one.
    pub(crate) fn after(&self, slab: &Slab, slot: Slot) -> Slot {
        let entry = &slab[slot];
        match entry.order.next {
            NONE => self.first_from(Position::rank_of(entry, self.fifo) + 1),
            next => next,
        }
    }

    /// The available entry before an available one.
    pub(crate) fn before(&self, slab: &Slab, slot: Slot) -> Slot {
        let entry = &slab[slot];
        if entry.order.previous != NONE {
            return entry.order.previous;
        }
        let earlier = self.occupied & ((1 << Position::rank_of(entry, self.fifo)) - 1);
        if earlier == 0 { NONE } else { self.lists[earlier.ilog2() as usize].tail }
    }

    /// The first entry of each rank that has any.
    pub(crate) fn heads(&self) -> impl Iterator<Item = Slot> {
        self.ranks().map(|rank| self.lists[usize::from(rank)].head)
    }

    /// The ranks that have entries, first delivered first.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = u8> + use<> {
        let occupied = self.occupied;
        (0..RANKS as u8).filter(move |rank| occupied & (1 << rank) != 0)
    }

    /// The first available entry after a position that may itself be gone. Searches from both ends of the
    /// rank.
    pub(crate) fn after_position(&self, slab: &Slab, position: Position) -> Slot {
        let list = self.lists[usize::from(position.rank)];
        let (mut forward, mut backward) = (list.head, list.tail);
        if list.is_empty() || slab[backward].sequence <= position.sequence {
            return self.first_from(position.rank + 1);
        }
        loop {
            if slab[forward].sequence > position.sequence {
                return forward;
            }
            let before = slab[backward].order.previous;
            if slab[before].sequence <= position.sequence {
                return backward;
            }
            (forward, backward) = (slab[forward].order.next, before);
        }
    }
}
