//! Puts whose record is written together, as those of a publication are.
//!
//! A message that joins is placed on its queue, within a unit of work, without a record: it is not delivered,
//! and a checkpoint passes it over. When all are placed one record has queue and sequence of each, and once
//! their common content. In a unit of the queue manager's own that record stands by itself, so it is all that
//! the log has of a publication.
//!
//! A message that cannot join, since its body differs and is long, has a record of its own in the same unit.
//!
//! Always: the puts of a unit of work are in the log before its end is; from their record to the moment at
//! which the queues know where they are in it, no checkpoint gives the record up (`Storage::append_many`).

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use storage::copies::{reserved_for_copies, reserved_for_copy};
use storage::record::Body;
use storage::{
    Copies, CopiesWriter, EntryToken, INLINE_BODY_BYTES_MAX, Location, Lsn, MessageHead, NewCopy, Reservation,
};

use super::Trace;
use crate::ground::Ground;
use crate::message::{LoggedDescriptor, Payload};
use crate::queue::Queue;
use crate::queue::entry::Slot;
use crate::unit_of_work::choice::Whose;

/// Most bytes of its own that a message may have besides its descriptor: several such messages fit one
/// record.
const BEGINNING_BYTES_MAX: usize = 16 << 10;

/// Part of a body that is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Its first bytes, up to the common end.
    Before(usize),
    /// All of it.
    Whole(usize),
}

/// Parts of bodies with a common end that are their own. Most messages share their body with the one before,
/// and no body is compared twice in a row.
#[derive(Debug)]
pub struct Beginnings {
    end: Bytes,
    last: Option<(Bytes, Option<Beginning>)>,
}

impl Beginnings {
    /// Begins beside other bodies that end like this.
    pub fn beside(end: Bytes) -> Self {
        Self { end, last: None }
    }

    /// Returns the part of a body that is its own; none when that is too long to be put together.
    pub fn of(&mut self, body: &Bytes) -> Option<Beginning> {
        if let Some((last, beginning)) = &self.last
            && is_same(last, body)
        {
            return *beginning;
        }
        let beginning = if is_same(body, &self.end) || body.ends_with(&self.end) {
            Beginning::Before(body.len() - self.end.len())
        } else {
            Beginning::Whole(body.len())
        };
        let beginning = Some(beginning).filter(|beginning| beginning.bytes() <= BEGINNING_BYTES_MAX);
        self.last = Some((body.clone(), beginning));
        beginning
    }
}

/// True if two bodies are the same bytes in memory.
fn is_same(one: &Bytes, other: &Bytes) -> bool {
    one.len() == other.len() && one.as_ptr() == other.as_ptr()
}

impl Beginning {
    fn bytes(self) -> usize {
        match self {
            Self::Before(bytes) | Self::Whole(bytes) => bytes,
        }
    }

    /// Room to set aside for a message with such a body.
    pub fn room(self, descriptor_length: usize) -> u64 {
        reserved_for_copy(descriptor_length, self.bytes())
    }
}

/// A message that is on its queue and not in the log yet.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) queue: Arc<Queue>,
    pub(crate) slot: Slot,
    pub(crate) head: MessageHead,
    pub(crate) descriptor: LoggedDescriptor,
    pub(crate) payload: Arc<Payload>,
    pub(crate) beginning: Beginning,
}

impl Joined {
    fn as_copy(&self) -> NewCopy<'_> {
        NewCopy {
            head: &self.head,
            descriptor: self.descriptor.bytes(&self.payload),
            beginning: &self.payload.body[..self.beginning.bytes()],
            has_end: matches!(self.beginning, Beginning::Before(_)),
        }
    }
}

/// Messages that are to have a record together.
#[derive(Debug)]
pub struct Gathered {
    /// Common end of their bodies, and the parts that are their own.
    pub beginnings: Beginnings,
    joined: Vec<Joined>,
    room: Reservation,
}

/// Their records.
struct Records {
    /// Where the common end is when it is in none of them.
    fragments: Vec<Lsn>,
    /// Content of each record, and the messages in it.
    contents: Vec<(Vec<u8>, Range<usize>)>,
}

/// Messages that are in the log now.
pub(super) struct Logged {
    gathered: Box<Gathered>,
    /// Where each is, and what must be durable before it is known.
    places: Vec<(Lsn, Lsn)>,
    /// True if they stand without another record.
    pub(super) stand_alone: bool,
}

impl Gathered {
    /// Begins to gather so many messages. What their records take besides the messages comes out of `room`.
    pub fn begin(end: Bytes, count: usize, room: &mut Reservation) -> Self {
        let room = room.split(Self::room(count, end.len()));
        Self { beginnings: Beginnings::beside(end), joined: Vec::with_capacity(count), room }
    }

    /// Room that the records of so many messages take besides the messages.
    pub fn room(count: usize, end_length: usize) -> u64 {
        reserved_for_copies(count, end_length)
    }

    /// Takes a message in, with the room that was set aside for it.
    pub(crate) fn join(&mut self, joined: Joined, room: Reservation) {
        self.joined.push(joined);
        self.room.absorb(room);
    }

    /// One record with all of them; or, when they are too many or their bodies too long, several, behind the
    /// end of the bodies.
    fn records(&mut self, ground: &Ground) -> Records {
        let end = self.beginnings.end.clone();
        let together = if end.len() <= INLINE_BODY_BYTES_MAX {
            self.writers(end.len()).filter(|writers| writers.len() == 1)
        } else {
            None
        };
        let mut fragments = Vec::new();
        let writers = together.unwrap_or_else(|| {
            fragments = ground.storage.append_body(&end, &mut self.room);
            self.writers(fragments.len() * size_of::<Lsn>())
                .expect("a message that joins fits a record alone")
        });
        let end = match fragments.as_slice() {
            [] => Body::Inline(&end),
            at => Body::Fragments { at, length: end.len() as u64 },
        };
        let mut next = 0;
        let contents = writers.into_iter().map(|writer| {
            let first = next;
            next += writer.count();
            (writer.finish(end), first..next)
        });
        Records { contents: contents.collect(), fragments }
    }

    /// The messages, in as many records as they need; none when one is too long for any.
    fn writers(&self, end_length: usize) -> Option<Vec<CopiesWriter>> {
        let mut full = Vec::new();
        let mut writer = CopiesWriter::for_copies(self.joined.len());
        for joined in &self.joined {
            let copy = joined.as_copy();
            if writer.is_full_for(&copy, end_length) {
                full.push(std::mem::take(&mut writer));
                if writer.is_full_for(&copy, end_length) {
                    return None;
                }
            }
            writer.add(&copy);
        }
        full.push(writer);
        Some(full)
    }
}

impl Logged {
    /// Position that must be durable before any of them is known outside.
    pub(super) fn need(&self) -> Lsn {
        self.places.last().map_or(Lsn::ZERO, |(_, need)| *need)
    }

    /// Tells the queues where their messages are. Under no lock.
    pub(super) fn tell_places(&self) {
        for (joined, (at, need)) in self.gathered.joined.iter().zip(&self.places) {
            joined.queue.found_place(joined.slot, joined.head.sequence.0, Location::Log(*at), *need);
        }
    }
}

impl Gathered {
    /// Appends the record of messages that were gathered in a unit of work. It stands by itself when it is
    /// all that the log has of the unit and the unit `may_stand_alone`. The caller tells the queues:
    /// [`Logged::tell_places`].
    pub(super) fn append(
        mut self: Box<Self>,
        ground: &Ground,
        trace: &mut Trace,
        may_stand_alone: bool,
    ) -> Logged {
        let records = if self.joined.is_empty() {
            Records { fragments: Vec::new(), contents: Vec::new() }
        } else {
            self.records(ground)
        };
        let stand_alone = may_stand_alone && trace.records == 0 && records.contents.len() <= 1;
        let unit = (!stand_alone).then_some(trace.name);
        let mut places = Vec::with_capacity(self.joined.len());
        for (content, range) in &records.contents {
            let copies = Copies::read(content).expect("what was gathered is as it is read");
            let tokens = self.joined[range.clone()].iter().map(|joined| EntryToken(u64::from(joined.slot)));
            let tokens: Vec<EntryToken> = tokens.collect();
            let appended = ground.storage.append_many(unit, &copies, &tokens, &mut self.room);
            if !stand_alone {
                let first = records.fragments.first().copied().unwrap_or(appended.at);
                trace.first.get_or_insert(first);
                trace.records += tokens.len() as u32;
            }
            places.extend(copies.iter().map(|copy| (Lsn(appended.at.0 + copy.offset), appended.need)));
        }
        Logged { gathered: self, places, stand_alone }
    }
}

impl Whose {
    /// Logs the puts gathered for the unit of work of a connection; those for one of the queue manager's own
    /// are logged by its end.
    pub fn log_gathered(&mut self, ground: &Ground) {
        let Self::Of { unit, number, gathered } = self else { return };
        let Some(gathered) = gathered.take() else { return };
        let logged = {
            let mut unit = unit.lock();
            // A unit that was backed out meanwhile took its puts with it.
            let Some(trace) = unit.trace_of(*number) else { return };
            gathered.append(ground, trace, false)
        };
        logged.tell_places();
    }
}
