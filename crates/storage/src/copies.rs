//! Messages put together by one record, as the copies of a publication are: their common content is written
//! once.
//!
//! ```text
//! after the header of the record, whose flags say that bodies are apart:
//!  0  kinds                       4     28  the positions of those fragments, 8 each
//!  4  copies                      4      …  kinds
//!  8  fragments                   4      …  copies
//! 12  bytes of bodies             4      …  the beginnings of bodies, as their kinds follow one another
//! 16  length of the common end    8      …  the common end of the bodies, unless it is in fragments
//! 24  crc32c of the common end    4
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
//! 68  crc32c of the beginning 4
//! 72  with flags of a group its place there, 16; delivered later, when, 8; descriptor
//! ```
//!
//! Earlier versions had no checksums but that of the record. Without that flag byte 12 is zero, neither
//! number 24 nor number 68 is there, the common end stands before the kinds, and a beginning behind its
//! descriptor.
//!
//! A copy's position in the log is that of its 48 bytes, so each message has a position of its own. No
//! record's length has the highest bit set: by it a reader at a copy's position knows that the record begins
//! before it.
//!
//! Lives elsewhere: the header and checksum of the record (`log::record`), when messages are put together
//! (the engine).

use std::ops::Range;

use crate::input::Input;
use crate::log::record::{DELIVER_AT_BYTES, RECORD_HEADER_BYTES, body_verifies, set};
use crate::record::{Body, GroupHead};
use crate::space::cost;
use crate::{FRAGMENT_BYTES, Lsn, MessageHead};

const HEAD_BYTES: usize = 28;
const KIND_BYTES: usize = BEGINNING_SUM + SUM_BYTES;
/// Without checksums of bodies.
const OLDER_HEAD_BYTES: usize = 24;
const OLDER_KIND_BYTES: usize = 68;
/// Where a record says how many bytes of it are bodies.
const BODIES_LENGTH: usize = 12;
/// Where a kind has the checksum of its beginning.
const BEGINNING_SUM: usize = 68;
const SUM_BYTES: usize = 4;
const COPY_BYTES: usize = 48;
const BACK: u32 = 1 << 31;
const HAS_END: u8 = 1;
const IS_LATER: u8 = 2;

/// Most bytes of one such record: with its header and that of its block less than the end of an extent may
/// lose.
pub const COPIES_BYTES_MAX: usize = 72 << 10;

/// Log space to reserve for a copy with a descriptor and body beginning of these lengths, when it shares
/// nothing with another.
#[must_use]
pub const fn reserved_for_copy(descriptor_length: usize, beginning_length: usize) -> u64 {
    (COPY_BYTES + KIND_BYTES + GroupHead::BYTES + DELIVER_AT_BYTES + descriptor_length + beginning_length)
        as u64
}

/// Log space to reserve for so many copies besides that: the common end of their bodies, and the pages of the
/// records.
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
    /// The head that restart needs.
    pub head: &'a MessageHead,
    /// The descriptor as the engine encodes it.
    pub descriptor: &'a [u8],
    /// The body up to where it is as that of the others, or all of it.
    pub beginning: &'a [u8],
    /// True if the common end follows.
    pub has_end: bool,
}

/// Gathers messages for one record.
#[derive(Debug, Default)]
pub struct CopiesWriter {
    /// All that copies say alike, each with the beginning of its body behind it and without a checksum: so
    /// one comparison tells whether it is known.
    kinds: Vec<u8>,
    /// Where each is, and the beginning in it.
    places: Vec<(Range<usize>, Range<usize>)>,
    copies: Vec<u8>,
}

impl CopiesWriter {
    /// One for about so many messages.
    #[must_use]
    pub fn for_copies(count: usize) -> Self {
        let copies = Vec::with_capacity((count * COPY_BYTES).min(COPIES_BYTES_MAX));
        Self { copies, ..Self::default() }
    }

    /// Number of messages.
    #[must_use]
    pub fn count(&self) -> usize {
        self.copies.len() / COPY_BYTES
    }

    /// True if the record would be too long with this message and so much of its end.
    #[must_use]
    pub fn is_full_for(&self, copy: &NewCopy<'_>, end_length: usize) -> bool {
        let more = reserved_for_copy(copy.descriptor.len(), copy.beginning.len()) as usize;
        let here = self.kinds.len() + self.places.len() * SUM_BYTES + self.copies.len();
        HEAD_BYTES + here + more + end_length > COPIES_BYTES_MAX
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
        let same = self.places.iter().rposition(|(place, _)| kind.is_said_by(&self.kinds[place.clone()]));
        let place = same.unwrap_or_else(|| {
            let begin = self.kinds.len();
            kind.append(&mut self.kinds);
            let end = self.kinds.len();
            self.places.push((begin..end, end - copy.beginning.len()..end));
            self.places.len() - 1
        });
        place as u32
    }

    /// Returns the encoded record, with the common end of the bodies.
    #[must_use]
    pub fn finish(mut self, end: Body<'_>) -> Vec<u8> {
        let (length, fragments, here) = match end {
            Body::Inline(bytes) => (bytes.len() as u64, 0, bytes),
            Body::Fragments { at, length } => (length, at.len(), &[][..]),
        };
        let beginnings = || self.places.iter().map(|(_, beginning)| &self.kinds[beginning.clone()]);
        let bodies = beginnings().map(<[u8]>::len).sum::<usize>() + here.len();
        let mut content = Vec::with_capacity(COPIES_BYTES_MAX);
        for number in [self.places.len(), self.count(), fragments, bodies] {
            content.extend_from_slice(&(number as u32).to_le_bytes());
        }
        content.extend_from_slice(&length.to_le_bytes());
        content.extend_from_slice(&crc32c::crc32c(here).to_le_bytes());
        if let Body::Fragments { at, .. } = end {
            at.iter().for_each(|at| content.extend_from_slice(&at.0.to_le_bytes()));
        }
        for ((kind, beginning), bytes) in self.places.iter().zip(beginnings()) {
            content.extend_from_slice(&self.kinds[kind.start..kind.start + BEGINNING_SUM]);
            content.extend_from_slice(&crc32c::crc32c(bytes).to_le_bytes());
            content.extend_from_slice(&self.kinds[kind.start + BEGINNING_SUM..beginning.start]);
        }
        let first = RECORD_HEADER_BYTES + content.len();
        for (copy, at) in self.copies.chunks_exact_mut(COPY_BYTES).zip((first as u32..).step_by(COPY_BYTES)) {
            set(copy, 0, (BACK | at).to_le_bytes());
        }
        content.extend_from_slice(&self.copies);
        beginnings().for_each(|beginning| content.extend_from_slice(beginning));
        content.extend_from_slice(here);
        content
    }
}

/// The part of a copy that others may say alike, in the pieces in which it is written.
struct NewKind<'a> {
    head: [u8; BEGINNING_SUM],
    group: Option<[u8; GroupHead::BYTES]>,
    deliver_at: Option<[u8; DELIVER_AT_BYTES]>,
    descriptor: &'a [u8],
    beginning: &'a [u8],
}

impl<'a> NewKind<'a> {
    fn of(copy: &NewCopy<'a>) -> Self {
        let NewCopy { head: said, descriptor, beginning, has_end } = *copy;
        let is_later = if said.deliver_at == 0 { 0 } else { IS_LATER };
        let mut head = [0; BEGINNING_SUM];
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

/// Fields that several messages share.
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
    beginning: Part<'a>,
}

/// All that is apart from the rest of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part<'a> {
    bytes: &'a [u8],
    /// Its checksum; none in the records of earlier versions.
    sum: Option<u32>,
    /// Something of it is known to be wrong or missing.
    is_damaged: bool,
}

impl Part<'_> {
    fn verifies(&self) -> bool {
        self.sum.is_none_or(|sum| body_verifies(self.bytes, sum))
    }

    /// Marks the part as damaged if its checksum fails, or it has none.
    fn note_damage(&mut self) {
        self.is_damaged |= self.sum.is_none() || !self.verifies();
    }
}

/// Messages put together, as a record says them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies<'a> {
    content: &'a [u8],
    are_apart: bool,
    /// The common end, if it is in the record.
    end: Part<'a>,
    end_length: u64,
    /// The positions of its fragments.
    fragments: &'a [u8],
    kinds: Vec<Kind<'a>>,
    /// Where the first copy is in the record.
    first: usize,
    copies: &'a [u8],
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutCopy<'a> {
    /// From the start of the record to its place there.
    pub offset: u64,
    /// The head that restart needs.
    pub head: MessageHead,
    /// The descriptor as the engine encoded it.
    pub descriptor: &'a [u8],
    /// The body, or the part before the common end.
    pub beginning: &'a [u8],
    /// True if the common end follows.
    pub has_end: bool,
    /// Bytes of the whole body.
    pub body_length: u64,
    /// True if a restart found that the body differs from the one that was put.
    pub is_damaged: bool,
    /// Place in the list of kinds.
    kind: usize,
}

impl<'a> Copies<'a> {
    /// Reads the content of a record; none when it is not whole or contradicts itself.
    #[deny(clippy::indexing_slicing)]
    #[must_use]
    pub fn read(content: &'a [u8]) -> Option<Self> {
        let mut input = Input::new(content);
        let (kinds, copies) = (input.u32()? as usize, input.u32()? as usize);
        let (fragments, bodies) = (input.u32()? as usize, input.u32()? as usize);
        let (end_length, sum) = (input.u64()?, input.u32()?);
        let fragments = input.take(fragments.checked_mul(8)?)?;
        let mut bodies = Input::new(content.get(content.len().checked_sub(bodies)?..)?);
        if kinds > input.remaining() / KIND_BYTES {
            return None;
        }
        let mut kind = |_| {
            let (mut kind, beginning) = decode_kind(&mut input, true)?;
            kind.beginning.bytes = bodies.take(beginning)?;
            Some(kind)
        };
        let kinds = (0..kinds).map(&mut kind).collect::<Option<Vec<_>>>()?;
        let end_here = if fragments.is_empty() { usize::try_from(end_length).ok()? } else { 0 };
        let end = Part { bytes: bodies.take(end_here)?, sum: Some(sum), is_damaged: false };
        bodies.end()?;
        let first = content.len() - input.remaining();
        let copies = input.take(copies.checked_mul(COPY_BYTES)?)?;
        let behind = kinds.iter().map(|kind| kind.beginning.bytes.len()).sum::<usize>() + end_here;
        let read = Self { content, are_apart: true, end, end_length, fragments, kinds, first, copies };
        (input.remaining() == behind).then_some(read)?.checked()
    }

    /// As [`Self::read`], of a record of an earlier version.
    #[deny(clippy::indexing_slicing)]
    pub(crate) fn read_older(content: &'a [u8]) -> Option<Self> {
        let mut input = Input::new(content);
        let (kinds, copies) = (input.u32()? as usize, input.u32()? as usize);
        let (fragments, _) = (input.u32()? as usize, input.u32()?);
        let end_length = input.u64()?;
        let fragments = input.take(fragments.checked_mul(8)?)?;
        let end_here = if fragments.is_empty() { usize::try_from(end_length).ok()? } else { 0 };
        let end = Part { bytes: input.take(end_here)?, sum: None, is_damaged: false };
        if kinds > input.remaining() / OLDER_KIND_BYTES {
            return None;
        }
        let mut kind = |_| {
            let (mut kind, beginning) = decode_kind(&mut input, false)?;
            kind.beginning.bytes = input.take(beginning)?;
            Some(kind)
        };
        let kinds = (0..kinds).map(&mut kind).collect::<Option<Vec<_>>>()?;
        let first = content.len() - input.remaining();
        let copies = input.take(copies.checked_mul(COPY_BYTES)?)?;
        input.end()?;
        Self { content, are_apart: false, end, end_length, fragments, kinds, first, copies }.checked()
    }

    /// Itself, if each copy is where it says and of a kind that is there.
    #[deny(clippy::indexing_slicing)]
    fn checked(mut self) -> Option<Self> {
        self.first += RECORD_HEADER_BYTES;
        for (number, copy) in self.copies.chunks_exact(COPY_BYTES).enumerate() {
            let mut input = Input::new(copy);
            let at = self.first + number * COPY_BYTES;
            let is_right = input.u32()? ^ BACK == u32::try_from(at).ok()?;
            if !is_right || input.u32()? as usize >= self.kinds.len() {
                return None;
            }
        }
        Some(self)
    }

    /// True if the bodies have checksums of their own.
    pub(crate) fn are_apart(&self) -> bool {
        self.are_apart
    }

    /// Looks for the damaged bodies in a record that does not verify. Each message then knows if its own is.
    pub(crate) fn note_damage(&mut self) {
        self.kinds.iter_mut().for_each(|kind| kind.beginning.note_damage());
        self.end.note_damage();
    }

    /// Notes that fragments of the common end are missing.
    pub(crate) fn note_missing_end(&mut self) {
        self.end.is_damaged = true;
    }

    /// True if all that the record has of a message's body is as it was put.
    pub(crate) fn has_right_body(&self, copy: &PutCopy<'_>) -> bool {
        let kind = self.kinds.get(copy.kind);
        kind.is_some_and(|kind| kind.beginning.verifies()) && (!copy.has_end || self.end.verifies())
    }

    /// The bytes after the header of the record.
    pub(crate) fn content(&self) -> &'a [u8] {
        self.content
    }

    /// Number of messages.
    #[must_use]
    pub fn count(&self) -> usize {
        self.copies.len() / COPY_BYTES
    }

    /// Number of kinds: sets of the fields that copies can share. With one kind, the messages differ only in
    /// queue, sequence and correlation identifier.
    #[must_use]
    pub fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// Bytes of the common end of their bodies, and in how many fragments they are; in none when they are in
    /// the record.
    #[must_use]
    pub fn end(&self) -> (u64, usize) {
        (self.end_length, self.fragments.len() / 8)
    }

    /// The common end, when it is in the record.
    #[must_use]
    pub fn end_here(&self) -> Option<&'a [u8]> {
        self.fragments.is_empty().then_some(self.end.bytes)
    }

    /// Where it is in a record of an earlier version.
    pub(crate) fn end_in_record(&self) -> Option<Range<usize>> {
        let begin = RECORD_HEADER_BYTES + OLDER_HEAD_BYTES;
        self.fragments.is_empty().then_some(begin..begin + self.end.bytes.len())
    }

    /// Where the fragments of the common end are.
    #[must_use]
    pub fn fragments(&self) -> Vec<Lsn> {
        let mut input = Input::new(self.fragments);
        std::iter::from_fn(|| input.lsn()).collect()
    }

    /// Where the first of them is.
    #[must_use]
    pub fn first_fragment(&self) -> Option<Lsn> {
        Input::new(self.fragments).lsn()
    }

    /// The messages, in the order in which they were put.
    pub fn iter(&self) -> impl Iterator<Item = PutCopy<'a>> + '_ {
        let offsets = (self.first as u64..).step_by(COPY_BYTES);
        self.copies.chunks_exact(COPY_BYTES).zip(offsets).filter_map(|(copy, offset)| self.copy(copy, offset))
    }

    /// The message at this distance from the start of the record.
    #[must_use]
    pub fn at(&self, offset: u64) -> Option<PutCopy<'a>> {
        let into = usize::try_from(offset).ok()?.checked_sub(self.first)?;
        let copy = self.copies.get(into..into.checked_add(COPY_BYTES)?)?;
        into.is_multiple_of(COPY_BYTES).then(|| self.copy(copy, offset)).flatten()
    }

    #[deny(clippy::indexing_slicing)]
    fn copy(&self, copy: &[u8], offset: u64) -> Option<PutCopy<'a>> {
        let mut input = Input::new(copy);
        let (_, number) = (input.u32()?, input.u32()? as usize);
        let kind = self.kinds.get(number)?;
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
            beginning: kind.beginning.bytes,
            has_end: kind.has_end,
            body_length: end_length.checked_add(kind.beginning.bytes.len() as u64)?,
            is_damaged: kind.beginning.is_damaged || (kind.has_end && self.end.is_damaged),
            kind: number,
        })
    }
}

/// All that copies say alike, and how long the beginning of their body is, wherever that is.
#[deny(clippy::indexing_slicing)]
fn decode_kind<'a>(input: &mut Input<'a>, is_apart: bool) -> Option<(Kind<'a>, usize)> {
    let (expires_at, message_id, group_id) = (input.i64()?, input.array()?, input.array()?);
    let (priority, reports, group_flags, flags) = (input.u8()?, input.u8()?, input.u8()?, input.u8()?);
    let (descriptor, beginning) = (input.u32()? as usize, input.u32()? as usize);
    let sum = if is_apart { Some(input.u32()?) } else { None };
    let group = match group_flags {
        0 => GroupHead::default(),
        flags => GroupHead::decode(flags, input)?,
    };
    let deliver_at = if flags & IS_LATER == 0 { 0 } else { input.i64().filter(|time| *time != 0)? };
    let kind = Kind {
        expires_at,
        message_id,
        group_id,
        priority,
        reports,
        group,
        deliver_at,
        has_end: flags & HAS_END != 0,
        descriptor: input.take(descriptor)?,
        beginning: Part { bytes: &[], sum, is_damaged: false },
    };
    Some((kind, beginning))
}

/// Bytes of bodies at the end of a record with such content.
pub(crate) fn bodies_length(content: &[u8]) -> Option<u64> {
    Input::new(content.get(BODIES_LENGTH..)?).u32().map(u64::from)
}

/// True if `is_right` says so of each part of a body in such content, by its checksum.
pub(crate) fn bodies_are(content: &[u8], mut is_right: impl FnMut(&[u8], u32) -> bool) -> bool {
    Copies::read(content).is_some_and(|copies| {
        let parts = copies.kinds.iter().map(|kind| &kind.beginning).chain([&copies.end]);
        parts.into_iter().all(|part| part.sum.is_some_and(|sum| is_right(part.bytes, sum)))
    })
}

/// Distance from a place in the log that has a message back to the beginning of its record; none when a
/// record begins at that place.
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

    impl CopiesWriter {
        /// As the versions before checksums of bodies wrote it.
        fn finish_older(mut self, end: Body<'_>) -> Vec<u8> {
            let (length, fragments) = match end {
                Body::Inline(bytes) => (bytes.len() as u64, &[][..]),
                Body::Fragments { at, length } => (length, at),
            };
            let mut content = Vec::new();
            for number in [self.places.len(), self.count(), fragments.len(), 0] {
                content.extend_from_slice(&(number as u32).to_le_bytes());
            }
            content.extend_from_slice(&length.to_le_bytes());
            if let Body::Inline(bytes) = end {
                content.extend_from_slice(bytes);
            }
            fragments.iter().for_each(|at| content.extend_from_slice(&at.0.to_le_bytes()));
            content.extend_from_slice(&self.kinds);
            let first = RECORD_HEADER_BYTES + content.len();
            for (copy, at) in self.copies.chunks_exact_mut(COPY_BYTES).zip((first..).step_by(COPY_BYTES)) {
                copy[..4].copy_from_slice(&(BACK | at as u32).to_le_bytes());
            }
            content.extend_from_slice(&self.copies);
            content
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
        fn a_wrong_bit_of_a_body_is_that_of_the_messages_that_have_it(
            beginnings in vec(vec(any::<u8>(), 0..40), 1..12), end in vec(any::<u8>(), 1..300), bit: prop::sample::Index,
        ) {
            let mut writer = CopiesWriter::default();
            for (number, beginning) in beginnings.iter().enumerate() {
                let has_end = number % 3 != 0;
                writer.add(&NewCopy { head: &head(number as u64, 2), descriptor: b"descriptor", beginning, has_end });
            }
            let mut content = writer.finish(Body::Inline(&end));
            let bodies = usize::try_from(bodies_length(&content).unwrap()).unwrap();
            let first = content.len() - bodies;
            let bit = bit.index(bodies * 8);
            content[first + bit / 8] ^= 1 << (bit % 8);
            let mut copies = Copies::read(&content).expect("bodies do not tell where anything is");
            copies.note_damage();
            let mut damaged = 0;
            for (copy, (number, beginning)) in copies.iter().zip(beginnings.iter().enumerate()) {
                let has_end = number % 3 != 0;
                let is_right = copy.beginning == beginning && (!has_end || copies.end_here() == Some(&end));
                prop_assert_eq!(copy.is_damaged, !is_right, "{}", number);
                prop_assert_eq!(copies.has_right_body(&copy), is_right, "{}", number);
                damaged += usize::from(copy.is_damaged);
            }
            prop_assert!(damaged > 0 || beginnings.len() == 1);
            prop_assert!(!bodies_are(&content, body_verifies));
        }

        #[test]
        fn copies_of_an_earlier_version_are_read(
            messages in vec((vec(any::<u8>(), 0..4), any::<bool>()), 1..20), end in vec(any::<u8>(), 0..90), cut: bool,
        ) {
            let at = if cut { vec![Lsn(3), Lsn(9)] } else { Vec::new() };
            let common = match at.as_slice() {
                [] => Body::Inline(&end),
                at => Body::Fragments { at, length: end.len() as u64 },
            };
            let mut writer = CopiesWriter::default();
            for (number, (beginning, has_end)) in messages.iter().enumerate() {
                let (descriptor, head) = (b"descriptor", head(number as u64, 3));
                writer.add(&NewCopy { head: &head, descriptor, beginning, has_end: *has_end });
            }
            let older = writer.finish_older(common);
            let mut copies = Copies::read_older(&older).expect("what was written is read");
            prop_assert_eq!(copies.fragments(), at);
            for (copy, (number, (beginning, has_end))) in copies.iter().zip(messages.iter().enumerate()) {
                prop_assert_eq!(copy.head, head(number as u64, 3));
                prop_assert_eq!((copy.beginning, copy.has_end), (&beginning[..], *has_end));
                prop_assert!(copies.at(copy.offset) == Some(copy) && copies.has_right_body(&copy));
            }
            prop_assert!(cut || copies.end_here() == Some(&end));
            copies.note_damage();
            prop_assert!(copies.iter().all(|copy| copy.is_damaged), "nothing tells which are right");
        }

        #[test]
        fn any_bytes_are_copies_or_not(bytes in vec(any::<u8>(), 0..200), small: bool) {
            let mut bytes = bytes;
            if small {
                // Few kinds and copies, so that more than the first numbers are looked at.
                bytes.iter_mut().take(24).for_each(|byte| *byte = byte.is_multiple_of(31).into());
            }
            for copies in [Copies::read(&bytes), Copies::read_older(&bytes)].into_iter().flatten() {
                prop_assert_eq!(copies.iter().count(), copies.count());
            }
            let _ = bodies_are(&bytes, body_verifies);
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
