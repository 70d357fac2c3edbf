//! One group: its available messages by place, and how far it is complete.

use std::collections::{BTreeMap, BTreeSet};

use mqi::MessageFlags;

use super::super::entry::Slot;
use super::super::order::Position;
use super::{Member, Readiness};
use crate::message::group_place::{Key, flags, is_segment};

/// Where in the queue every position is behind.
const BEFORE_ALL: Position = Position { rank: 0, sequence: 0 };

/// A place in a group, and in the queue: the earliest in the queue counts.
type Place = (i32, i32, Position);

/// Entry of a member.
#[derive(Clone, Copy, Debug)]
struct Part {
    slot: Slot,
    length: i32,
    flags: MessageFlags,
}

/// The segments of one logical message.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    /// Number of segments, fitting or not.
    members: u32,
    /// Where the next segment would begin: up to here there is no gap.
    reach: i32,
    whole: bool,
}

#[derive(Debug)]
pub(super) struct Group {
    pub(super) key: Key,
    parts: BTreeMap<Place, Part>,
    /// Of each logical message that has segments.
    chains: BTreeMap<i32, Chain>,
    /// Logical messages 1 to this are whole.
    run: i32,
    /// The lowest number that is flagged as the last.
    last: Option<i32>,
    /// The set its head is in.
    listed: Option<(Readiness, Position, Slot)>,
}

impl Group {
    pub(super) fn new(key: Key) -> Self {
        Self { key, parts: BTreeMap::new(), chains: BTreeMap::new(), run: 0, last: None, listed: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn insert(&mut self, member: &Member) {
        let Member { place, position, slot, .. } = member;
        let (number, offset) = (place.sequence_number, place.offset);
        let part = Part { slot: *slot, length: place.length, flags: flags(place) };
        let before = self.parts.insert((number, offset, *position), part);
        assert!(before.is_none(), "a message is taken into its group once");
        if ends_group(part.flags) {
            self.last = Some(self.last.map_or(number, |last| last.min(number)));
        }
        if is_segment(place) {
            self.chains.entry(number).or_default().members += 1;
        }
        self.changed(number, offset);
    }

    pub(super) fn remove(&mut self, member: &Member) {
        let Member { place, position, .. } = member;
        let (number, offset) = (place.sequence_number, place.offset);
        let part = self.parts.remove(&(number, offset, *position)).expect("a member is in its group");
        if ends_group(part.flags) && self.last == Some(number) {
            let rest = self.parts.range((number, 0, BEFORE_ALL)..);
            self.last =
                rest.filter(|(_, part)| ends_group(part.flags)).map(|((number, ..), _)| *number).next();
        }
        if is_segment(place)
            && let Some(chain) = self.chains.get_mut(&number)
        {
            chain.members -= 1;
            if chain.members == 0 {
                self.chains.remove(&number);
            }
        }
        self.changed(number, offset);
    }

    /// Updates the group after a message came to this place or left it.
    fn changed(&mut self, number: i32, offset: i32) {
        if let Some(mut chain) = self.chains.get(&number).copied() {
            let goes_on = offset == chain.reach && !chain.whole;
            if offset <= chain.reach {
                if !goes_on {
                    (chain.reach, chain.whole) = (0, false);
                }
                self.extend(number, &mut chain);
                self.chains.insert(number, chain);
            }
        }
        if number > self.run + 1 {
            return;
        }
        self.run = self.run.min(number - 1);
        while self.is_whole(self.run + 1) {
            self.run += 1;
        }
    }

    /// Follows the segments from where the chain has got to.
    fn extend(&self, number: i32, chain: &mut Chain) {
        while let Some(part) = self.part(number, chain.reach) {
            if !part.flags.contains(MessageFlags::SEGMENT) {
                return;
            }
            if part.flags.contains(MessageFlags::LAST_SEGMENT) {
                chain.whole = true;
                return;
            }
            let Some(reach) = chain.reach.checked_add(part.length).filter(|reach| *reach > chain.reach)
            else {
                return;
            };
            chain.reach = reach;
        }
    }

    fn part(&self, number: i32, offset: i32) -> Option<&Part> {
        let mut from = self.parts.range((number, offset, BEFORE_ALL)..);
        from.next().filter(|((at, begins, _), _)| (*at, *begins) == (number, offset)).map(|(_, part)| part)
    }

    pub(super) fn at(&self, number: i32, offset: i32) -> Option<Slot> {
        self.part(number, offset).map(|part| part.slot)
    }

    pub(super) fn is_whole(&self, number: i32) -> bool {
        match self.part(number, 0) {
            None => false,
            Some(part) if !part.flags.contains(MessageFlags::SEGMENT) => true,
            Some(_) => self.chains.get(&number).is_some_and(|chain| chain.whole),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.last.is_some_and(|last| self.run >= last)
    }

    pub(super) fn segments(&self, number: i32) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut offset = 0;
        while let Some(part) = self.part(number, offset) {
            slots.push(part.slot);
            if part.flags.contains(MessageFlags::LAST_SEGMENT) || part.length <= 0 {
                break;
            }
            offset = offset.saturating_add(part.length);
        }
        slots
    }

    pub(super) fn slots(&self, number: Option<i32>) -> impl Iterator<Item = Slot> {
        let (from, to) = number.map_or((0, i32::MAX), |number| (number, number));
        let places = self.parts.range((from, 0, BEFORE_ALL)..);
        places.take_while(move |((at, ..), _)| *at <= to).map(|(_, part)| part.slot)
    }

    /// Puts the head of the group where it belongs among those of all.
    pub(super) fn list(&mut self, heads: &mut [BTreeSet<(Position, Slot)>; 3]) {
        let head = self.parts.range((1, 0, BEFORE_ALL)..).next();
        let head = head.filter(|((number, offset, _), _)| (*number, *offset) == (1, 0));
        let listed = head.map(|((_, _, position), part)| {
            let readiness = match () {
                () if self.is_complete() => Readiness::Group,
                () if self.is_whole(1) => Readiness::Message,
                () => Readiness::First,
            };
            (readiness, *position, part.slot)
        });
        if listed == self.listed {
            return;
        }
        if let Some((readiness, position, slot)) = self.listed {
            heads[readiness as usize].remove(&(position, slot));
        }
        if let Some((readiness, position, slot)) = listed {
            heads[readiness as usize].insert((position, slot));
        }
        self.listed = listed;
    }
}

/// True if a message belongs to the last logical message of its group; a message in no group is the last of
/// its own.
fn ends_group(flags: MessageFlags) -> bool {
    flags.contains(MessageFlags::LAST_MSG_IN_GROUP) || !flags.contains(MessageFlags::MSG_IN_GROUP)
}
