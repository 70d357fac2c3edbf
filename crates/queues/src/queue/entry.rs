//! The entries of a queue: one compact record for each message, in a slab that grows by chunks.
//!
//! Lives here: what is kept of every message however deep the queue, and the slots it is kept in.
//! Lives elsewhere: the orders entries are linked in (`lists`), bodies and descriptors (`message`).
//!
//! Always: a slot is in use from the put to the end of the message; a chunk never moves, so growing a deep
//! queue copies nothing.

use std::sync::Arc;

use platform::Monotonic;
use storage::{GroupHead, Location, Lsn};

use crate::counters::account::Leaving;
use crate::ground::stored::Stored;
use crate::ground::time::{Arrived, NEVER};
use crate::message::group_place::{self, Key};
use crate::message::report_kind::Asked;
use crate::message::{Payload, QueueFields};
pub(crate) use crate::queues::slot::NONE;
pub use crate::queues::slot::Slot;

/// Entries of one chunk: large enough that allocation is rare, small enough that thousands of queues with a
/// few messages each take little.
const CHUNK_ENTRIES: usize = 16;

/// Most chunks that a queue keeps when its last message has gone: those of a queue that is filled a little
/// and emptied again and again.
const CHUNKS_KEPT_MAX: usize = 16;

/// Bytes that a message counts against MAXFSIZE besides its body: about as many as its descriptor and its
/// place take in the store.
const BESIDE_BODY_BYTES: u64 = 512;

/// Bytes that a message counts against MAXFSIZE.
pub(crate) fn size_of_message(body_length: usize) -> u64 {
    BESIDE_BODY_BYTES + body_length as u64
}

/// Neighbours in one doubly linked list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Links {
    pub(crate) previous: Slot,
    pub(crate) next: Slot,
}

impl Links {
    /// Links to no entry.
    pub(crate) const NONE: Self = Self { previous: NONE, next: NONE };
}

/// State of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryState {
    /// The slot is free.
    Free,
    /// Put in a unit of work that is still open.
    Uncommitted,
    /// Committed, and delivered later.
    Delayed,
    /// Available to any getter: linked in the order of delivery and in the indexes.
    Available,
    /// Got in a unit of work that is still open.
    Locked,
    /// Set aside: for a getter until its program has it, or locked by a browser.
    Reserved,
    /// Handed to a getter without the log, whose connection does not have it yet.
    HandedOver,
    /// Set aside because it could not be read back (see `damage`).
    Damaged,
}

/// Fields that only messages of groups, segments and the like have.
#[derive(Clone, Debug)]
pub(crate) struct GroupPart {
    pub(crate) group_id: [u8; 24],
    pub(crate) place: GroupHead,
    pub(crate) links: Links,
}

impl GroupPart {
    /// Reads the fields from a log or a segment; without flags the message is the only one of its kind.
    pub(crate) fn of_head(group_id: [u8; 24], place: GroupHead) -> Self {
        let place = match place.flags {
            0 => GroupHead { sequence_number: 1, ..GroupHead::default() },
            _ => place,
        };
        Self { group_id, place, links: Links::NONE }
    }
}

/// One message of a queue.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) message_id: [u8; 24],
    pub(crate) correlation_id: [u8; 24],
    /// Place of arrival; with the rank, the position in the queue.
    pub(crate) sequence: u64,
    /// Position to which the log must be durable before the message may be known outside.
    pub(crate) need: Lsn,
    pub(crate) deadline: Monotonic,
    /// Where its bytes are besides memory, if anywhere.
    pub(crate) location: Option<Location>,
    /// Its bytes in memory, unless evicted; of copies of a publication those of all, whose correlation
    /// identifier is not this one.
    pub(crate) payload: Option<Arc<Payload>>,
    pub(crate) group: Option<Box<GroupPart>>,
    pub(crate) body_length: u32,
    pub(crate) backout_count: u32,
    /// When it arrived, in seconds of this run; one from before it has the time of its put
    /// (see [`arrived_before`](super::arrived_before)).
    pub(crate) arrived_second: i32,
    /// Fraction of the next second that had passed; see [`Arrived`].
    pub(crate) arrived_parts: u16,
    pub(crate) order: Links,
    pub(crate) by_message: Links,
    pub(crate) by_correlation: Links,
    pub(crate) priority: u8,
    pub(crate) state: EntryState,
    pub(crate) persistent: bool,
    pub(crate) reports: Asked,
    /// In which indexes it is linked, a bit for each.
    pub(crate) indexed: u8,
}

impl Entry {
    /// The time of its arrival.
    pub(super) fn arrived(&self) -> Arrived {
        Arrived { second: self.arrived_second, parts: self.arrived_parts }
    }

    /// The facts that are counted when it is got.
    pub(super) fn leaving(&self) -> Leaving {
        Leaving { arrived: self.arrived(), persistent: self.persistent, bytes: self.body_length }
    }

    /// The message, if it is in memory.
    pub(crate) fn message(&self) -> Option<Arc<Payload>> {
        self.payload.as_ref().map(|payload| payload.of_copy(&self.correlation_id))
    }

    /// The fields that the message does not share with others that have its payload.
    #[inline]
    pub(crate) fn queue_fields(&self) -> QueueFields<'_> {
        QueueFields {
            correlation_id: &self.correlation_id,
            backout_count: self.backout_count,
            deadline: self.deadline,
        }
    }

    /// True if its get is to be reported.
    pub(crate) fn is_reported(&self) -> bool {
        self.reports.contains(Asked::DELIVERY)
    }

    /// True if it is set aside for a getter whose get is to be reported: then it is needed in memory, at once
    /// and under the queue's lock.
    pub(crate) fn is_kept_for_report(&self) -> bool {
        self.state == EntryState::Reserved && self.is_reported()
    }

    /// Its place in a group or logical message, if it is in one.
    pub(crate) fn member_place(&self) -> Option<&GroupHead> {
        self.group.as_ref().map(|group| &group.place).filter(|place| group_place::is_member(place))
    }

    /// Key that tells its group from others.
    pub(crate) fn group_key(&self) -> Option<Key> {
        let group = self.group.as_ref()?;
        Some(Key { group_id: group.group_id, feedback: group.place.feedback })
    }

    /// Returns the log's form of its place.
    pub(crate) fn group_head(&self) -> GroupHead {
        self.group.as_ref().map_or_else(GroupHead::default, |group| group.place)
    }

    pub(super) fn free(next: Slot) -> Self {
        Self {
            message_id: [0; 24],
            correlation_id: [0; 24],
            sequence: 0,
            need: Lsn::ZERO,
            deadline: NEVER,
            location: None,
            payload: None,
            group: None,
            body_length: 0,
            backout_count: 0,
            arrived_second: 0,
            arrived_parts: 0,
            order: Links { previous: NONE, next },
            by_message: Links::NONE,
            by_correlation: Links::NONE,
            priority: 0,
            state: EntryState::Free,
            persistent: false,
            reports: Asked::default(),
            indexed: 0,
        }
    }
}

/// The slots of one queue.
#[derive(Debug)]
pub(crate) struct Slab {
    #[expect(clippy::vec_box, reason = "a chunk never moves, so that growing copies no entry")]
    chunks: Vec<Box<[Entry; CHUNK_ENTRIES]>>,
    free: Slot,
    used: usize,
    /// Messages among them that end with the process.
    not_persistent: u32,
    /// Bytes of the messages in use, as MAXFSIZE counts them.
    bytes: u64,
    /// The bytes on all queues, once they are counted.
    stored: Option<Arc<Stored>>,
}

impl Default for Slab {
    fn default() -> Self {
        Self { chunks: Vec::new(), free: NONE, used: 0, not_persistent: 0, bytes: 0, stored: None }
    }
}

impl Slab {
    /// Takes a slot for an entry. Inlined, so that the entry is made there: a call would copy it.
    #[expect(clippy::inline_always, reason = "a copy of an entry is a good part of what a put costs")]
    #[inline(always)]
    pub(crate) fn insert(&mut self, entry: Entry) -> Slot {
        if self.free == NONE {
            self.grow();
        }
        let slot = self.free;
        let bytes = size_of_message(entry.body_length as usize);
        self.bytes += bytes;
        if let Some(stored) = &self.stored {
            stored.add(bytes);
        }
        self.not_persistent += u32::from(!entry.persistent);
        self.used += 1;
        let place = &mut self.chunks[slot as usize / CHUNK_ENTRIES][slot as usize % CHUNK_ENTRIES];
        self.free = place.order.next;
        *place = entry;
        slot
    }

    /// Gives a slot back.
    pub(crate) fn remove(&mut self, slot: Slot) {
        let free = self.free;
        let entry = &mut self[slot];
        assert!(entry.state != EntryState::Free, "slot {slot} was freed twice");
        let bytes = size_of_message(entry.body_length as usize);
        let not_persistent = u32::from(!entry.persistent);
        entry.state = EntryState::Free;
        entry.order.next = free;
        // What it owns goes now, the rest when the slot is taken again.
        entry.payload = None;
        entry.group = None;
        self.free = slot;
        self.used -= 1;
        self.not_persistent -= not_persistent;
        self.bytes -= bytes;
        if let Some(stored) = &self.stored {
            stored.subtract(bytes);
        }
        if self.used == 0 && self.chunks.len() > CHUNKS_KEPT_MAX {
            self.chunks = Vec::new();
            self.free = NONE;
        }
    }

    /// The entry in a slot, if the slot exists and is in use.
    pub(crate) fn get(&self, slot: Slot) -> Option<&Entry> {
        let entry = self.chunks.get(slot as usize / CHUNK_ENTRIES)?.get(slot as usize % CHUNK_ENTRIES)?;
        (entry.state != EntryState::Free).then_some(entry)
    }

    /// The entry in a slot, if it still is the message with this sequence.
    pub(crate) fn get_if(&self, slot: Slot, sequence: u64) -> Option<&Entry> {
        self.get(slot).filter(|entry| entry.sequence == sequence)
    }

    /// True if the entry in a slot may be given out.
    pub(crate) fn is_available(&self, slot: Slot, now: Monotonic) -> bool {
        self.get(slot).is_some_and(|entry| entry.state == EntryState::Available && entry.deadline > now)
    }

    /// Number of slots in use.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Messages in use that end with the process.
    pub(crate) fn not_persistent(&self) -> u32 {
        self.not_persistent
    }

    /// Bytes of the messages in use, as MAXFSIZE counts them.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts its bytes among those on all queues from now on.
    pub(crate) fn count_in(&mut self, stored: &Arc<Stored>) {
        if self.stored.is_none() {
            stored.add(self.bytes);
            self.stored = Some(Arc::clone(stored));
        }
    }

    /// The bytes on all queues, if they are counted.
    #[inline]
    pub(crate) fn stored(&self) -> Option<&Stored> {
        self.stored.as_deref()
    }

    /// After the last slot.
    pub(crate) fn end(&self) -> Slot {
        (self.chunks.len() * CHUNK_ENTRIES) as Slot
    }

    /// The slots in use, ascending.
    pub(crate) fn slots(&self) -> impl Iterator<Item = Slot> {
        (0..self.end()).filter(|slot| self.get(*slot).is_some())
    }

    #[cold]
    fn grow(&mut self) {
        let first = self.chunks.len() * CHUNK_ENTRIES;
        assert!(first + CHUNK_ENTRIES < NONE as usize, "a queue cannot hold more messages than it has slots");
        let entries = (1..=CHUNK_ENTRIES).map(|index| {
            let next = if index < CHUNK_ENTRIES { (first + index) as Slot } else { NONE };
            Entry::free(next)
        });
        let chunk: Box<[Entry]> = entries.collect();
        self.chunks.push(chunk.try_into().expect("a chunk has its number of entries"));
        self.free = first as Slot;
    }
}

impl std::ops::Index<Slot> for Slab {
    type Output = Entry;

    #[inline]
    fn index(&self, slot: Slot) -> &Entry {
        &self.chunks[slot as usize / CHUNK_ENTRIES][slot as usize % CHUNK_ENTRIES]
    }
}

impl std::ops::IndexMut<Slot> for Slab {
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut Entry {
        &mut self.chunks[slot as usize / CHUNK_ENTRIES][slot as usize % CHUNK_ENTRIES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry of a message without anything beside it.
    fn entry() -> Entry {
        Entry { state: EntryState::Uncommitted, ..Entry::free(NONE) }
    }

    #[test]
    fn few_messages_take_few_slots_and_many_give_theirs_back() {
        let mut slab = Slab::default();
        let ten: Vec<Slot> = (0..10).map(|_| slab.insert(entry())).collect();
        assert!(slab.end() <= 16, "ten messages have {} slots", slab.end());
        let many: Vec<Slot> = (0..10_000).map(|_| slab.insert(entry())).collect();
        let mut all: Vec<Slot> = ten.iter().chain(&many).copied().collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), slab.used()), (10_010, 10_010), "each has a slot of its own");
        for slot in many.into_iter().chain(ten) {
            slab.remove(slot);
        }
        assert_eq!((slab.end(), slab.used(), slab.bytes()), (0, 0, 0));
        for _ in 0..3 {
            let few: Vec<Slot> = (0..200).map(|_| slab.insert(entry())).collect();
            few.into_iter().for_each(|slot| slab.remove(slot));
            assert_eq!((slab.end(), slab.used()), (208, 0), "those of a few are kept");
        }
    }

    #[test]
    fn an_entry_stays_small() {
        assert!(size_of::<Entry>() <= 160, "an entry has {} bytes", size_of::<Entry>());
    }

    /// Each piece of memory as an allocator gives it: with eight bytes of its own, in sixteens.
    #[test]
    fn a_message_of_one_byte_takes_less_than_560_bytes_in_memory() {
        let piece = |bytes: usize| (bytes + 8).next_multiple_of(16).max(32);
        let counts_of_holders = 2 * size_of::<usize>();
        let bytes = size_of::<Entry>() + piece(counts_of_holders + size_of::<Payload>()) + piece(1);
        assert!(bytes <= 560, "{bytes} bytes");
    }
}
