//! Messages put together by one record, as the copies of a publication are: what they have in common is said once.
//!
//! ```text
//! after the header of the record:
//!  0  kinds           4     16  length of the common end of the bodies            8
//!  4  copies          4     24  the common end, or the positions of its fragments, 8 each
//!  8  fragments       4      …  kinds
//! 12  zero            4      …  copies
//!
//! a kind, what copies say alike:                    a copy, 48 bytes:
//!  0  expiry                 8                       0  from the record's start to here, highest bit set   4
//!  8  message identifier    24                       4  kind                      4
//! 32  group identifier      24                       8  queue                     8
//! 56  priority               1                      16  sequence                  8
//! 57  reports asked for      1                      24  correlation identifier   24
//! 58  flags of its group     1
//! 59  1: the common end follows the beginning of the body, 2: delivered later
//! 60  descriptor length      4
//! 64  beginning length       4
//! 68  with flags of a group its place there, 16; delivered later, when, 8; descriptor; beginning of the body
//! ```
//!
//! A copy's position in the log is that of its 48 bytes, so each message has a position of its own. No record's length has the highest
//! bit set: by it a reader at a copy's position knows that the record begins before it.
//!
//! Lives elsewhere: the header and checksum of the record (`log::record`), when messages are put together (the engine).

use std::ops::Range;

use crate::input::Input;
use crate::log::record::{DELIVER_AT_BYTES, RECORD_HEADER_BYTES, set};
use crate::record::{Body, GroupHead};
use crate::space::cost;
use crate::{FRAGMENT_BYTES, Lsn, MessageHead};

const HEAD_BYTES: usize = 24;
const KIND_BYTES: usize = 68;
const COPY_BYTES: usize = 48;
const BACK: u32 = 1 << 31;
const HAS_END: u8 = 1;
const IS_LATER: u8 = 2;

/// Most bytes of one such record: with its header and that of its block less than the end of an extent may lose.
pub const COPIES_BYTES_MAX: usize = 72 << 10;

/// What to reserve for a copy with so much descriptor and beginning of its own, when nothing of it is said with another.
#[must_use]
pub const fn reserved_for_copy(descriptor_length: usize, beginning_length: usize) -> u64 {
    (COPY_BYTES + KIND_BYTES + GroupHead::BYTES + DELIVER_AT_BYTES + descriptor_length + beginning_length)
        as u64
}

/// What to reserve for so many copies beside that: the common end of their bodies, and the pages of the records.
#[must_use]
pub fn reserved_for_copies(copies: usize, end_length: usize) -> u64 {
    // A full record may be as good as empty when the next copy is large, so each is given the pages of one.
    const COPIES_OF_A_PAGE: usize = 16;
    let fragments = end_length.div_ceil(FRAGMENT_BYTES).max(1);
    let end = fragments as u64 * cost(RECORD_HEADER_BYTES + end_length.min(FRAGMENT_BYTES));
    let positions = cost(RECORD_HEADER_BYTES + HEAD_BYTES + fragments * 8);
    end + positions * (1 + copies.div_ceil(COPIES_OF_A_PAGE)) as u64
}

/// One message that is put with others.
#[derive(Clone, Copy, Debug)]
pub struct NewCopy<'a> {
    /// What restart must know.
    pub head: &'a MessageHead,
    /// The descriptor as the engine encodes it.
    pub descriptor: &'a [u8],
    /// The body up to where it is as that of the others, or all of it.
    pub beginning: &'a [u8],
    /// Whether the common end follows.
    pub has_end: bool,
}

/// Gathers messages for one record.
#[derive(Debug, Default)]
pub struct CopiesWriter {
    kinds: Vec<u8>,
    /// Where each kind is.
    places: Vec<Range<usize>>,
    copies: Vec<u8>,
}

impl CopiesWriter {
    /// One for about so many messages.
    #[must_use]
    pub fn for_copies(count: usize) -> Self {
        let copies = Vec::with_capacity((count * COPY_BYTES).min(COPIES_BYTES_MAX));
        Self { copies, ..Self::default() }
    }

    /// How many messages there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.copies.len() / COPY_BYTES
    }

    /// Whether the record would be too long with this message and so much of its end.
    #[must_use]
    pub fn is_full_for(&self, copy: &NewCopy<'_>, end_length: usize) -> bool {
        let more = reserved_for_copy(copy.descriptor.len(), copy.beginning.len()) as usize;
        HEAD_BYTES + self.kinds.len() + self.copies.len() + more + end_length > COPIES_BYTES_MAX
    }

    /// Adds a message.
    pub fn add(&mut self, copy: &NewCopy<'_>) {
        let kind = self.kind_of(copy);
        let head = copy.head;
        let mut said = [0; COPY_BYTES];
        // Its distance, in front, is known when the others are.
        set(&mut said, 4, kind.to_le_bytes());
        set(&mut said, 8, head.queue.0.to_le_bytes());
        set(&mut said, 16, head.sequence.0.to_le_bytes());
        set(&mut said, 24, head.correlation_id);
        self.copies.extend_from_slice(&said);
    }

    /// The kind that says the same, which is mostly the last; else a new one. It is compared where it lies,
    /// so that a copy that says nothing new writes nothing.
    fn kind_of(&mut self, copy: &NewCopy<'_>) -> u32 {
        let kind = NewKind::of(copy);
        let same = self.places.iter().rposition(|place| kind.is_said_by(&self.kinds[place.clone()]));
        let place = same.unwrap_or_else(|| {
            let begin = self.kinds.len();
            kind.append(&mut self.kinds);
            self.places.push(begin..self.kinds.len());
            self.places.len() - 1
        });
        place as u32
    }

    /// What the record says, with the common end of the bodies.
    #[must_use]
    pub fn finish(mut self, end: Body<'_>) -> Vec<u8> {
        let (length, fragments) = match end {
            Body::Inline(bytes) => (bytes.len() as u64, 0),
            Body::Fragments { at, length } => (length, at.len()),
        };
        let mut content = Vec::with_capacity(COPIES_BYTES_MAX);
        for number in [self.places.len() as u32, self.count() as u32, fragments as u32, 0] {
            content.extend_from_slice(&number.to_le_bytes());
        }
        content.extend_from_slice(&length.to_le_bytes());
        match end {
            Body::Inline(bytes) => content.extend_from_slice(bytes),
            Body::Fragments { at, .. } => {
                at.iter().for_each(|at| content.extend_from_slice(&at.0.to_le_bytes()));
            }
        }
        content.extend_from_slice(&self.kinds);
        let first = RECORD_HEADER_BYTES + content.len();
        for (copy, at) in self.copies.chunks_exact_mut(COPY_BYTES).zip((first as u32..).step_by(COPY_BYTES)) {
            set(copy, 0, (BACK | at).to_le_bytes());
        }
        content.extend_from_slice(&self.copies);
        content
    }
}

/// The part of a copy that others may say alike, in the pieces in which it is written.
struct NewKind<'a> {
    head: [u8; KIND_BYTES],
    group: Option<[u8; GroupHead::BYTES]>,
    deliver_at: Option<[u8; DELIVER_AT_BYTES]>,
    descriptor: &'a [u8],
    beginning: &'a [u8],
}

impl<'a> NewKind<'a> {
    fn of(copy: &NewCopy<'a>) -> Self {
        let NewCopy { head: said, descriptor, beginning, has_end } = *copy;
        let is_later = if said.deliver_at == 0 { 0 } else { IS_LATER };
        let mut head = [0; KIND_BYTES];
        set(&mut head, 0, said.expires_at.to_le_bytes());
        set(&mut head, 8, said.message_id);
        set(&mut head, 32, said.group_id);
        set(&mut head, 56, [said.priority, said.reports, said.group.flags, u8::from(has_end) | is_later]);
        set(&mut head, 60, (descriptor.len() as u32).to_le_bytes());
        set(&mut head, 64, (beginning.len() as u32).to_le_bytes());
        Self {
            head,
            group: (said.group.flags != 0).then(|| said.group.encode()),
            deliver_at: (said.deliver_at != 0).then(|| said.deliver_at.to_le_bytes()),
            descriptor,
            beginning,
        }
    }

    /// The pieces that follow the head, in order; the head has their lengths.
    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let group = self.group.as_ref().map_or(&[][..], |group| group);
        let deliver_at = self.deliver_at.as_ref().map_or(&[][..], |deliver_at| deliver_at);
        [group, deliver_at, self.descriptor, self.beginning].into_iter().filter(|piece| !piece.is_empty())
    }

    fn is_said_by(&self, known: &[u8]) -> bool {
        let Some((head, mut rest)) = known.split_first_chunk() else { return false };
        *head == self.head
            && self.pieces().all(|piece| rest.split_off(..piece.len()).is_some_and(|known| known == piece))
    }

    fn append(&self, kinds: &mut Vec<u8>) {
        kinds.extend_from_slice(&self.head);
        self.pieces().for_each(|piece| kinds.extend_from_slice(piece));
    }
}

/// What several messages say alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kind<'a> {
    expires_at: i64,
    message_id: [u8; 24],
    group_id: [u8; 24],
    priority: u8,
    reports: u8,
    group: GroupHead,
    deliver_at: i64,
    has_end: bool,
    descriptor: &'a [u8],
    beginning: &'a [u8],
}

/// Messages put together, as a record says them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies<'a> {
    content: &'a [u8],
    end: &'a [u8],
    end_length: u64,
    fragments: usize,
    kinds: Vec<Kind<'a>>,
    copies: &'a [u8],
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutCopy<'a> {
    /// From the start of the record to its place there.
    pub offset: u64,
    /// What restart must know.
    pub head: MessageHead,
    /// The descriptor as the engine encoded it.
    pub descriptor: &'a [u8],
    /// The body, or what is before the common end.
    pub beginning: &'a [u8],
    /// Whether the common end follows.
    pub has_end: bool,
    /// Bytes of the whole body.
    pub body_length: u64,
}

impl<'a> Copies<'a> {
    /// Reads what a record says; none when it is not whole or contradicts itself.
    #[deny(clippy::indexing_slicing)]
    #[must_use]
    pub fn read(content: &'a [u8]) -> Option<Self> {
        let mut input = Input::new(content);
        let (kinds, copies) = (input.u32()? as usize, input.u32()? as usize);
        let (fragments, _) = (input.u32()? as usize, input.u32()?);
        let end_length = input.u64()?;
        let end_here =
            if fragments == 0 { usize::try_from(end_length).ok()? } else { fragments.checked_mul(8)? };
        let end = input.take(end_here)?;
        if kinds > input.remaining() / KIND_BYTES {
            return None;
        }
        let kinds = (0..kinds).map(|_| decode_kind(&mut input)).collect::<Option<Vec<_>>>()?;
        let first = content.len() - input.remaining();
        let copies_here = input.take(copies.checked_mul(COPY_BYTES)?)?;
        input.end()?;
        for (number, copy) in copies_here.chunks_exact(COPY_BYTES).enumerate() {
            let mut input = Input::new(copy);
            let at = RECORD_HEADER_BYTES + first + number * COPY_BYTES;
            let is_right = input.u32()? ^ BACK == u32::try_from(at).ok()?;
            if !is_right || input.u32()? as usize >= kinds.len() {
                return None;
            }
        }
        Some(Self { content, end, end_length, fragments, kinds, copies: copies_here })
    }

    /// The bytes after the header of the record.
    pub(crate) fn content(&self) -> &'a [u8] {
        self.content
    }

    /// How many messages there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.copies.len() / COPY_BYTES
    }

    /// How much they say differently besides queue, sequence and correlation identifier: with one kind, nothing.
    #[must_use]
    pub fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// Bytes of the common end of their bodies, and in how many fragments they are; in none when they are in the record.
    #[must_use]
    pub fn end(&self) -> (u64, usize) {
        (self.end_length, self.fragments)
    }

    /// The common end, when it is in the record.
    #[must_use]
    pub fn end_here(&self) -> Option<&'a [u8]> {
        (self.fragments == 0).then_some(self.end)
    }

    /// Where it is in the record.
    pub(crate) fn end_in_record(&self) -> Option<Range<usize>> {
        let begin = RECORD_HEADER_BYTES + HEAD_BYTES;
        (self.fragments == 0).then_some(begin..begin + self.end.len())
    }

    /// Where the fragments of the common end are.
    #[must_use]
    pub fn fragments(&self) -> Vec<Lsn> {
        let mut input = Input::new(if self.fragments == 0 { &[] } else { self.end });
        std::iter::from_fn(|| input.lsn()).collect()
    }

    /// Where the first of them is.
    #[must_use]
    pub fn first_fragment(&self) -> Option<Lsn> {
        Input::new(self.end).lsn().filter(|_| self.fragments > 0)
    }

    /// The messages, in the order in which they were put.
    pub fn iter(&self) -> impl Iterator<Item = PutCopy<'a>> + '_ {
        let first = RECORD_HEADER_BYTES + self.content.len() - self.copies.len();
        let offsets = (first as u64..).step_by(COPY_BYTES);
        self.copies.chunks_exact(COPY_BYTES).zip(offsets).filter_map(|(copy, offset)| self.copy(copy, offset))
    }

    /// The message at this distance from the start of the record.
    #[must_use]
    pub fn at(&self, offset: u64) -> Option<PutCopy<'a>> {
        let first = RECORD_HEADER_BYTES + self.content.len() - self.copies.len();
        let into = usize::try_from(offset).ok()?.checked_sub(first)?;
        let copy = self.copies.get(into..into.checked_add(COPY_BYTES)?)?;
        into.is_multiple_of(COPY_BYTES).then(|| self.copy(copy, offset)).flatten()
    }

    #[deny(clippy::indexing_slicing)]
    fn copy(&self, copy: &[u8], offset: u64) -> Option<PutCopy<'a>> {
        let mut input = Input::new(copy);
        let (_, kind) = (input.u32()?, input.u32()?);
        let kind = self.kinds.get(kind as usize)?;
        let head = MessageHead {
            queue: input.object()?,
            sequence: input.sequence()?,
            priority: kind.priority,
            reports: kind.reports,
            expires_at: kind.expires_at,
            message_id: kind.message_id,
            correlation_id: input.array()?,
            group_id: kind.group_id,
            group: kind.group,
            deliver_at: kind.deliver_at,
        };
        let end_length = if kind.has_end { self.end_length } else { 0 };
        Some(PutCopy {
            offset,
            head,
            descriptor: kind.descriptor,
            beginning: kind.beginning,
            has_end: kind.has_end,
            body_length: end_length.checked_add(kind.beginning.len() as u64)?,
        })
    }
}

#[deny(clippy::indexing_slicing)]
fn decode_kind<'a>(input: &mut Input<'a>) -> Option<Kind<'a>> {
    let (expires_at, message_id, group_id) = (input.i64()?, input.array()?, input.array()?);
    let (priority, reports, group_flags, flags) = (input.u8()?, input.u8()?, input.u8()?, input.u8()?);
    let (descriptor, beginning) = (input.u32()? as usize, input.u32()? as usize);
    let group = match group_flags {
        0 => GroupHead::default(),
        flags => GroupHead::decode(flags, input)?,
    };
    let deliver_at = if flags & IS_LATER == 0 { 0 } else { input.i64().filter(|time| *time != 0)? };
    let (descriptor, beginning) = (input.take(descriptor)?, input.take(beginning)?);
    let has_end = flags & HAS_END != 0;
    Some(Kind {
        expires_at,
        message_id,
        group_id,
        priority,
        reports,
        group,
        deliver_at,
        has_end,
        descriptor,
        beginning,
    })
}

/// How far before a place in the log the record begins that has a message there; none when a record begins at that place.
pub(crate) fn distance_to_record(bytes: &[u8]) -> Option<u64> {
    let back = Input::new(bytes).u32()?;
    (back & BACK != 0).then_some(u64::from(back ^ BACK))
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::{ObjectId, Sequence};

    fn head(number: u64, message: u8) -> MessageHead {
        MessageHead {
            queue: ObjectId(number),
            sequence: Sequence(number * 7),
            priority: message % 10,
            reports: 0,
            expires_at: i64::MAX,
            message_id: [message; 24],
            correlation_id: [number as u8; 24],
            group_id: [0; 24],
            group: GroupHead { flags: message % 2, ..GroupHead::default() },
            deliver_at: i64::from(message / 2),
        }
    }

    proptest! {
        #[test]
        fn copies_come_back_as_they_were_gathered(
            messages in vec((0..5_u8, vec(any::<u8>(), 0..4), any::<bool>()), 1..40),
            end in vec(any::<u8>(), 0..300),
            fragments in vec(any::<u64>(), 0..3),
        ) {
            let mut writer = CopiesWriter::default();
            for (number, (message, beginning, has_end)) in messages.iter().enumerate() {
                let (descriptor, head) = (b"descriptor", head(number as u64, *message));
                writer.add(&NewCopy { head: &head, descriptor, beginning, has_end: *has_end });
            }
            let at: Vec<Lsn> = fragments.into_iter().map(Lsn).collect();
            let common = match at.as_slice() {
                [] => Body::Inline(&end),
                at => Body::Fragments { at, length: end.len() as u64 },
            };
            let content = writer.finish(common);
            let copies = Copies::read(&content).expect("what was written is read");
            prop_assert_eq!(copies.count(), messages.len());
            prop_assert_eq!(copies.fragments(), at);
            prop_assert!(copies.kinds() <= messages.len());
            for (copy, (number, (message, beginning, has_end))) in copies.iter().zip(messages.iter().enumerate()) {
                prop_assert_eq!(copy.head, head(number as u64, *message));
                prop_assert_eq!((copy.beginning, copy.has_end), (&beginning[..], *has_end));
                prop_assert_eq!(copy.descriptor, b"descriptor");
                prop_assert_eq!(copies.at(copy.offset), Some(copy));
                prop_assert_eq!(copies.at(copy.offset + 1), None);
                let place = &content[copy.offset as usize - RECORD_HEADER_BYTES..];
                prop_assert_eq!(distance_to_record(place), Some(copy.offset));
            }
        }

        #[test]
        fn any_bytes_are_copies_or_not(bytes in vec(any::<u8>(), 0..200), small: bool) {
            let mut bytes = bytes;
            if small {
                // Few kinds and copies, so that more than the first numbers are looked at.
                bytes.iter_mut().take(24).for_each(|byte| *byte = byte.is_multiple_of(31).into());
            }
            if let Some(copies) = Copies::read(&bytes) {
                prop_assert_eq!(copies.iter().count(), copies.count());
            }
        }
    }

    /// The number of kinds of two copies.
    fn kinds_of(one: &NewCopy<'_>, other: &NewCopy<'_>) -> usize {
        let mut writer = CopiesWriter::default();
        writer.add(one);
        writer.add(other);
        Copies::read(&writer.finish(Body::Inline(b"end"))).expect("what was written is read").kinds()
    }

    #[test]
    fn copies_that_differ_in_anything_but_their_place_are_of_two_kinds() {
        let first = head(1, 0);
        let copy = NewCopy { head: &first, descriptor: b"descriptor", beginning: b"own", has_end: true };
        let elsewhere =
            MessageHead { queue: ObjectId(2), sequence: Sequence(3), correlation_id: [9; 24], ..first };
        assert_eq!(kinds_of(&copy, &NewCopy { head: &elsewhere, ..copy }), 1);
        let member = |offset| GroupHead { flags: 1, offset, ..GroupHead::default() };
        let (grouped, later) =
            (MessageHead { group: member(1), ..first }, MessageHead { deliver_at: 1, ..first });
        for (one, other) in [
            (first, MessageHead { priority: 1, ..first }),
            (first, MessageHead { reports: 1, ..first }),
            (first, MessageHead { expires_at: 1, ..first }),
            (first, MessageHead { message_id: [1; 24], ..first }),
            (first, MessageHead { group_id: [1; 24], ..first }),
            (first, grouped),
            (grouped, MessageHead { group: member(2), ..first }),
            (first, later),
            (later, MessageHead { deliver_at: 2, ..first }),
        ] {
            let (one, other) = (NewCopy { head: &one, ..copy }, NewCopy { head: &other, ..copy });
            assert_eq!((kinds_of(&one, &other), kinds_of(&other, &other)), (2, 1), "{one:?} and {other:?}");
        }
        for other in [
            NewCopy { descriptor: b"Descriptor", ..copy },
            NewCopy { descriptor: b"descriptor2", ..copy },
            NewCopy { beginning: b"Own", ..copy },
            NewCopy { beginning: b"", ..copy },
            NewCopy { has_end: false, ..copy },
        ] {
            assert_eq!((kinds_of(&copy, &other), kinds_of(&other, &other)), (2, 1), "{other:?}");
        }
    }

    #[test]
    fn subscribers_that_are_told_the_same_take_48_bytes_each() {
        let length = |count: u64| {
            let mut writer = CopiesWriter::default();
            for number in 0..count {
                let copy = NewCopy {
                    head: &head(number, 4),
                    descriptor: &[1; 200],
                    beginning: &[2; 90],
                    has_end: true,
                };
                assert!(!writer.is_full_for(&copy, 2048));
                writer.add(&copy);
            }
            writer.finish(Body::Inline(&[3; 2048])).len()
        };
        assert_eq!(length(1000) - length(1), 999 * COPY_BYTES);
    }
}
