//! Doubly linked lists through the slab, ordered by sequence.
//!
//! An entry is in at most one list of each kind: the order of delivery of its rank, and one chain of each
//! index.

use super::entry::{Entry, Links, NONE, Slab, Slot};
use super::landmarks::Landmarks;

/// Links of an entry that a list runs through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The order of delivery.
    Order,
    /// Entries with the same message identifier.
    Message,
    /// Entries with the same correlation identifier.
    Correlation,
    /// Entries of the same group.
    Group,
}

impl Kind {
    pub(crate) fn links(self, entry: &Entry) -> Links {
        match self {
            Self::Order => entry.order,
            Self::Message => entry.by_message,
            Self::Correlation => entry.by_correlation,
            Self::Group => entry.group.as_ref().map_or(Links::NONE, |group| group.links),
        }
    }

    /// The key of an entry in an index of this kind; none when it has none.
    pub(crate) fn key(self, entry: &Entry) -> Option<&[u8; 24]> {
        let key = match self {
            Self::Message => &entry.message_id,
            Self::Correlation => &entry.correlation_id,
            Self::Group => &entry.group.as_ref()?.group_id,
            Self::Order => return None,
        };
        (*key != [0; 24]).then_some(key)
    }

    /// The bit of the indexes of this kind in an entry.
    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }

    /// True if an entry is in the index of this kind.
    pub(super) fn is_linked(self, entry: &Entry) -> bool {
        entry.indexed & self.bit() != 0
    }

    fn links_mut(self, entry: &mut Entry) -> &mut Links {
        match self {
            Self::Order => &mut entry.order,
            Self::Message => &mut entry.by_message,
            Self::Correlation => &mut entry.by_correlation,
            Self::Group => {
                &mut entry.group.as_mut().expect("only members of groups are in a group's list").links
            }
        }
    }
}

/// Head and tail of one list; the neighbours are in the entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) head: Slot,
    pub(crate) tail: Slot,
}

impl List {
    pub(crate) const EMPTY: Self = Self { head: NONE, tail: NONE };

    pub(crate) fn is_empty(&self) -> bool {
        self.head == NONE
    }

    /// Links an entry at its place by sequence. New arrivals belong at the tail; the place of what comes back
    /// is searched for.
    pub(super) fn insert(
        &mut self,
        slab: &mut Slab,
        landmarks: &mut Landmarks,
        (kind, rank): (Kind, u8),
        slot: Slot,
    ) {
        let sequence = slab[slot].sequence;
        let following = match self.tail {
            NONE => NONE,
            tail if slab[tail].sequence < sequence => NONE,
            _ => landmarks.following(slab, *self, (kind, rank), slot),
        };
        self.link_before(slab, kind, slot, following);
        landmarks.pass(slab, (kind, rank), slot);
    }

    /// Links an entry behind another of the list, if that is its place.
    pub(crate) fn insert_behind(&mut self, slab: &mut Slab, kind: Kind, slot: Slot, before: Slot) -> bool {
        let sequence = slab[slot].sequence;
        let next = kind.links(&slab[before]).next;
        let is_place = slab[before].sequence < sequence && (next == NONE || slab[next].sequence > sequence);
        if is_place {
            self.link_before(slab, kind, slot, next);
        }
        is_place
    }

    fn link_before(&mut self, slab: &mut Slab, kind: Kind, slot: Slot, next: Slot) {
        let previous = if next == NONE { self.tail } else { kind.links(&slab[next]).previous };
        *kind.links_mut(&mut slab[slot]) = Links { previous, next };
        match previous {
            NONE => self.head = slot,
            previous => kind.links_mut(&mut slab[previous]).next = slot,
        }
        match next {
            NONE => self.tail = slot,
            next => kind.links_mut(&mut slab[next]).previous = slot,
        }
    }

    /// Takes an entry out.
    pub(crate) fn remove(&mut self, slab: &mut Slab, kind: Kind, slot: Slot) {
        let Links { previous, next } = std::mem::replace(kind.links_mut(&mut slab[slot]), Links::NONE);
        match previous {
            NONE => self.head = next,
            previous => kind.links_mut(&mut slab[previous]).next = next,
        }
        match next {
            NONE => self.tail = previous,
            next => kind.links_mut(&mut slab[next]).previous = previous,
        }
    }
}
