//! The queues as lists in memory, and as checkpoints see them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use bytes::Bytes;
use storage::{
    Checkpointed, EntryToken, Location, Lsn, MessageHead, ObjectId, Recalled, Sequence, StoredMessage,
};

use super::replay::object;
use crate::torture::QUEUES;

/// Place in a queue.
pub(super) type Place = (u8, Sequence);

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) token: EntryToken,
    pub(super) location: Location,
    /// Until the log is durable past it.
    pub(super) body: Option<Vec<u8>>,
    pub(super) persistent: bool,
    pub(super) need: Lsn,
    pub(super) held: Held,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    No,
    PutBy(u32),
    GotBy(u32),
}

/// The queues, as checkpoints see them.
#[derive(Debug, Default)]
pub(super) struct Queues {
    pub(super) entries: [BTreeMap<Place, Entry>; QUEUES],
    pub(super) places: BTreeMap<u64, (usize, Place)>,
    pub(super) changed: [Lsn; QUEUES],
    pub(super) sequences: [u64; QUEUES],
    pub(super) tokens: u64,
}

/// View that answers a checkpoint's questions.
pub(super) struct View<'a> {
    pub(super) queues: &'a RefCell<Queues>,
    pub(super) oldest_unit: Option<Lsn>,
    pub(super) appended: Lsn,
}

/// Returns the head of a message that restart needs.
pub(super) fn head(queue: usize, priority: u8, sequence: Sequence) -> MessageHead {
    MessageHead {
        queue: object(queue),
        sequence,
        priority,
        reports: 0,
        expires_at: i64::MAX,
        message_id: [1; 24],
        correlation_id: [2; 24],
        group_id: [3; 24],
        group: storage::GroupHead::default(),
        deliver_at: 0,
    }
}

impl Queues {
    pub(super) fn insert(&mut self, queue: usize, place: Place, mut entry: Entry) -> EntryToken {
        self.tokens += 1;
        entry.token = EntryToken(self.tokens);
        let token = entry.token;
        self.places.insert(token.0, (queue, place));
        self.entries[queue].insert(place, entry);
        token
    }

    pub(super) fn remove(&mut self, queue: usize, place: Place) -> Entry {
        let entry = self.entries[queue].remove(&place).expect("the message is there");
        self.places.remove(&entry.token.0);
        entry
    }

    pub(super) fn at(&mut self, queue: usize, place: Place) -> &mut Entry {
        self.entries[queue].get_mut(&place).expect("the message is there")
    }
}

impl Checkpointed for View<'_> {
    fn is_live(&self, queue: ObjectId, entry: EntryToken, at: Location) -> bool {
        let queues = self.queues.borrow();
        queues.places.get(&entry.0).is_some_and(|(known, place)| {
            let message = &queues.entries[*known][place];
            object(*known) == queue && message.location == at && !matches!(message.held, Held::PutBy(_))
        })
    }

    fn relocate(&self, _queue: ObjectId, entry: EntryToken, from: Location, to: Location) -> bool {
        let mut queues = self.queues.borrow_mut();
        let Some((queue, place)) = queues.places.get(&entry.0).copied() else { return false };
        let message = queues.at(queue, place);
        let moved = message.location == from;
        if moved {
            message.location = to;
        }
        moved
    }

    fn recall(&self, queue: ObjectId, entry: EntryToken, at: Location) -> Option<Recalled> {
        if !self.is_live(queue, entry, at) {
            return None;
        }
        let queues = self.queues.borrow();
        let (known, place) = queues.places.get(&entry.0).copied()?;
        let message = queues.entries[known][&place].body.as_ref().map(|body| StoredMessage {
            descriptor: Bytes::from_static(b"descriptor"),
            body: Bytes::copy_from_slice(body),
        });
        let (left, sequence) = place;
        let head = head(known, 9 - left, sequence);
        Some(Recalled {
            head,
            body_length: message.as_ref().map_or(0, |message| message.body.len() as u64),
            message,
        })
    }

    /// Told of by who reads it.
    fn lost(&self, _queue: ObjectId, _entry: EntryToken, _at: Location, _reason: &str) {}

    fn put_second(&self, _descriptor: &[u8]) -> Option<NonZeroU32> {
        None
    }

    fn oldest_unit(&self) -> Option<Lsn> {
        self.oldest_unit
    }

    fn snapshot(&self) -> (Bytes, Lsn) {
        let words = self.queues.borrow().sequences;
        (words.iter().flat_map(|word| word.to_le_bytes()).collect(), self.appended)
    }
}
