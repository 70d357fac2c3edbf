//! Groups and logical messages: which of their messages are available, and what is complete.
//!
//! # The rules
//!
//! A *group* is what shares a group identifier. It consists of *logical messages*, numbered from 1; the one
//! flagged as the last ends it. A logical message is one message, or *segments*: each begins where the one
//! before it ends, from offset 0 to the one flagged as the last. Segments that are in no group are a group of
//! one logical message. Reports about segments take over their places, so that a report is told from its
//! original by its feedback.
//!
//! - **A logical message is whole** when its message, or all of its segments without a gap, are available.
//!   A message of an open unit of work, put or got, is not available; segments that do not fit are passed
//!   over.
//! - **A group is complete** when all of its logical messages up to the last are whole.
//! - **The position of a group** in the queue, when messages are got in logical order, is that of its *head*:
//!   the available message with number 1 and offset 0. Its other messages follow it, wherever they are. A
//!   group without a head has no position: in logical order only a getter in the middle of it is given its
//!   messages.
//! - Of several messages with the same place in a group, the one that is first in the queue counts.
//!
//! Lives here: the groups of one queue. Lives elsewhere: finding the message a get asks for (`logical`),
//! joining segments (`whole`), which place each handle has reached (`grouping`).
//!
//! Always: a group knows how many of its logical messages, from the first on, are whole (`run`), and where it
//! belongs among the heads; completeness is looked up, never searched for. A message that belongs to no group
//! is not in here and costs nothing.

mod group;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::ops::Bound;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use storage::GroupHead;

use super::entry::{Entry, Slot};
use super::order::Position;
use crate::message::group_place::Key;
use group::Group;

/// Messages that must be available before the first of a group is given out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Readiness {
    /// That message.
    #[default]
    First,
    /// The logical message it belongs to.
    Message,
    /// The group.
    Group,
}

impl Readiness {
    const ALL: [Self; 3] = [Self::First, Self::Message, Self::Group];
}

/// A message of a group, as far as its group is concerned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) key: Key,
    pub(crate) place: GroupHead,
    pub(crate) position: Position,
    pub(crate) slot: Slot,
}

impl Member {
    /// The message in a slot; none when it is neither in a group nor a segment.
    pub(crate) fn of(entry: &Entry, slot: Slot, fifo: bool) -> Option<Self> {
        let place = entry.member_place()?;
        let key = entry.group_key()?;
        Some(Self { key, place: *place, position: Position::of(entry, fifo), slot })
    }
}

/// The groups of the available messages of a queue.
#[derive(Debug)]
pub(crate) struct Groups {
    table: HashTable<Group>,
    hasher: FixedState,
    /// The heads of groups, each in the set of the most that is ready of its group.
    heads: [BTreeSet<(Position, Slot)>; 3],
    members: usize,
}

impl Groups {
    pub(crate) fn new(seed: u64) -> Self {
        let hasher = FixedState::with_seed(seed);
        Self { table: HashTable::new(), hasher, heads: Default::default(), members: 0 }
    }

    /// Number of available messages that belong to groups.
    pub(crate) fn members(&self) -> usize {
        self.members
    }

    /// Takes an available message in.
    pub(crate) fn insert(&mut self, member: &Member) {
        let hash = self.hash(&member.key.group_id);
        let hasher = &self.hasher;
        let rehash = |group: &Group| hasher.hash_one(group.key.group_id);
        let group = self
            .table
            .entry(hash, |group| group.key == member.key, rehash)
            .or_insert_with(|| Group::new(member.key))
            .into_mut();
        group.insert(member);
        group.list(&mut self.heads);
        self.members += 1;
    }

    /// Takes out a message that is not available any more.
    pub(crate) fn remove(&mut self, member: &Member) {
        let hash = self.hash(&member.key.group_id);
        let found = self.table.find_entry(hash, |group| group.key == member.key);
        let mut found = found.unwrap_or_else(|_| panic!("an available member is in its group"));
        let group = found.get_mut();
        group.remove(member);
        group.list(&mut self.heads);
        if group.is_empty() {
            found.remove();
        }
        self.members -= 1;
    }

    /// The available message with this place.
    pub(crate) fn at(&self, key: &Key, sequence_number: i32, offset: i32) -> Option<Slot> {
        self.group(key)?.at(sequence_number, offset)
    }

    /// True if enough of a group is available for the logical message `sequence_number` to be given out.
    pub(crate) fn is_ready(&self, key: &Key, sequence_number: i32, readiness: Readiness) -> bool {
        self.group(key).is_some_and(|group| match readiness {
            Readiness::First => true,
            Readiness::Message => group.is_whole(sequence_number),
            Readiness::Group => group.is_complete(),
        })
    }

    /// The segments of a whole logical message, in order.
    pub(crate) fn segments(&self, key: &Key, sequence_number: i32) -> Vec<Slot> {
        self.group(key).map(|group| group.segments(sequence_number)).unwrap_or_default()
    }

    /// The available messages of a group in which something became ready, or of the one logical message where
    /// that is enough.
    pub(crate) fn slots(&self, key: &Key, sequence_number: Option<i32>) -> impl Iterator<Item = Slot> {
        self.group(key).into_iter().flat_map(move |group| group.slots(sequence_number))
    }

    /// The first head behind a position with so much ready that fits.
    pub(crate) fn first_head(
        &self,
        readiness: Readiness,
        after: Option<Position>,
        fits: impl Fn(Slot) -> bool,
    ) -> Option<(Position, Slot)> {
        let from = after.map_or(Bound::Unbounded, |after| Bound::Excluded((after, Slot::MAX)));
        let first = |level: Readiness| {
            let heads = self.heads[level as usize].range((from, Bound::Unbounded));
            heads.copied().find(|(_, slot)| fits(*slot))
        };
        Readiness::ALL.into_iter().filter(|level| *level >= readiness).filter_map(first).min()
    }

    fn group(&self, key: &Key) -> Option<&Group> {
        self.table.find(self.hash(&key.group_id), |group| group.key == *key)
    }

    fn hash(&self, group_id: &[u8; 24]) -> u64 {
        self.hasher.hash_one(group_id)
    }
}
