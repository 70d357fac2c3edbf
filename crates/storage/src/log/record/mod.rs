//! One record of the log as bytes.
//!
//! ```text
//! offset  bytes
//!      0      4  length of the whole record
//! 4      4  crc32c of all other bytes but bodies with checksums of their own, seeded with nonce and position
//!      8      1  type
//!      9      1  flags: 1 = belongs to a unit of work, 2 = a put that is delivered later,
//!               4 = the bodies are last in the record and have checksums of their own
//!     10      2  zero
//!     12      4  unit: epoch
//!     16      8  unit: counter
//!     24      8  object
//!     32      …  by type
//! ```
//!
//! All numbers are little-endian. A put continues with sequence (8), expiry (8), message, correlation and
//! group identifier (24 each), priority (1), where the body is (1: 0 inline, 1 fragments), reports asked for
//! (1), flags of its group (1), descriptor length (4), body length (8), with the flag 4 the crc32c of the
//! body (4), for a message with flags of a group its number there, offset, length and feedback (4 each), for
//! one that is delivered later the time of that (8), descriptor, then the body or the positions of its
//! fragments (8 each). What messages put together say is in `copies`, what a unit that is prepared says in
//! `prepare`.
//!
//! The checksum of a body needs no seed: that of the record covers it and says where it belongs. A put with
//! its body in it always has the flag 4; one without was written by an earlier version.

mod output;
mod prepare;

use std::ops::Range;

use crate::checksum::Seed;
use crate::copies::{self, Copies};
use crate::input::Input;
use crate::record::{Body, ChannelCommit, ClientCommit, Counterpart, GroupHead, PreparedFor};
pub(crate) use output::{Output, set};

use crate::{Lsn, MessageHead, ObjectId, Record, Sequence, UnitId};

pub(crate) const RECORD_HEADER_BYTES: usize = 32;
const PUT_HEAD_BYTES: usize = 104;
/// Bytes of the checksum of a body.
const BODY_SUM_BYTES: usize = 4;
/// Bytes of the time at which a message is delivered.
pub(crate) const DELIVER_AT_BYTES: usize = 8;
const RETURNED_BYTES: usize = 20;

const TYPE_PUT: u8 = 1;
const TYPE_GET: u8 = 2;
const TYPE_REMOVE: u8 = 3;
const TYPE_COMMIT: u8 = 4;
const TYPE_BACKOUT: u8 = 5;
const TYPE_DEFINE: u8 = 6;
const TYPE_DELETE: u8 = 7;
const TYPE_FRAGMENT: u8 = 8;
const TYPE_EPOCH: u8 = 9;
const TYPE_PUT_MANY: u8 = 10;
const TYPE_PREPARE: u8 = 11;

const FLAG_UNIT: u8 = 1;
const FLAG_LATER: u8 = 2;
const FLAG_APART: u8 = 4;

/// In a commit: the party that counts it.
const BY_CLIENT: u8 = 1;
const BY_CHANNEL: u8 = 2;

/// Entries of the log: the engine's records, and those that storage adds of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'a> {
    /// A record of the engine.
    Engine(Record<'a>),
    /// A piece of a large body.
    Fragment(&'a [u8]),
    /// A start of the queue manager.
    Epoch(Epoch),
}

/// The record that begins a new epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Epoch {
    /// Its number.
    pub(crate) number: u32,
    /// Seed of the checksums from here on.
    pub(crate) nonce: u64,
    /// When it began, microseconds of the time of day.
    pub(crate) began_at: i64,
}

/// Bytes of a put record at most with so much descriptor, and body or list of fragments.
pub(crate) const fn put_length(descriptor: usize, rest: usize) -> usize {
    let head = PUT_HEAD_BYTES + BODY_SUM_BYTES + GroupHead::BYTES + DELIVER_AT_BYTES;
    RECORD_HEADER_BYTES + head + descriptor + rest
}

pub(crate) const fn fragment_length(bytes: usize) -> usize {
    RECORD_HEADER_BYTES + bytes
}

/// Bytes of the record in the log.
pub(crate) fn encoded_length(record: &Record<'_>) -> usize {
    let content = match record {
        Record::Put { head, descriptor, body, .. } => {
            let group = if head.group.flags == 0 { 0 } else { GroupHead::BYTES };
            let rest = match body {
                Body::Inline(body) => BODY_SUM_BYTES + body.len(),
                Body::Fragments { at, .. } => at.len() * 8,
            };
            let later = if head.deliver_at == 0 { 0 } else { DELIVER_AT_BYTES };
            PUT_HEAD_BYTES + group + later + descriptor.len() + rest
        }
        Record::PutMany { copies, .. } => copies.content().len(),
        Record::Get { .. } => 8,
        Record::Remove { sequences, .. } => sequences.len() * 8,
        Record::Commit { .. } => 40,
        Record::Prepare { purpose, .. } => prepare::encoded_length(purpose),
        Record::Backout { returned, .. } => returned.len() * RETURNED_BYTES,
        Record::Define { definition, .. } => definition.len(),
        Record::Delete { .. } => 0,
    };
    RECORD_HEADER_BYTES + content
}

/// Bytes that a record of an earlier release gains when it is written anew: the checksum of its body.
pub(crate) fn gained(record: &[u8], entry: &Entry<'_>) -> usize {
    let is_apart = record.get(9).is_some_and(|flags| flags & FLAG_APART != 0);
    match entry {
        Entry::Engine(Record::Put { body: Body::Inline(_), .. }) if !is_apart => BODY_SUM_BYTES,
        _ => 0,
    }
}

pub(crate) fn entry_length(entry: &Entry<'_>) -> usize {
    match entry {
        Entry::Engine(record) => encoded_length(record),
        Entry::Fragment(bytes) => fragment_length(bytes.len()),
        Entry::Epoch(_) => RECORD_HEADER_BYTES + 16,
    }
}

struct Header {
    kind: u8,
    /// Besides that of a unit.
    flags: u8,
    unit: Option<UnitId>,
    object: u64,
}

impl Header {
    fn of(entry: &Entry<'_>) -> Self {
        let of_unit = |kind, unit, object| Self { kind, flags: 0, unit, object };
        let plain = |kind, object| of_unit(kind, None, object);
        match *entry {
            Entry::Engine(Record::Put { unit, head, body, .. }) => {
                let later = if head.deliver_at == 0 { 0 } else { FLAG_LATER };
                let apart = if matches!(body, Body::Inline(_)) { FLAG_APART } else { 0 };
                Self { kind: TYPE_PUT, flags: later | apart, unit, object: head.queue.0 }
            }
            Entry::Engine(Record::PutMany { unit, ref copies }) => {
                let flags = if copies.are_apart() { FLAG_APART } else { 0 };
                Self { flags, ..of_unit(TYPE_PUT_MANY, unit, 0) }
            }
            Entry::Engine(Record::Get { unit, queue, .. }) => of_unit(TYPE_GET, unit, queue.0),
            Entry::Engine(Record::Remove { queue, .. }) => plain(TYPE_REMOVE, queue.0),
            Entry::Engine(Record::Commit { unit, counterpart, .. }) => {
                let object = match counterpart {
                    Some(Counterpart::Channel(channel)) => channel.sync_object.0,
                    Some(Counterpart::Client(_)) | None => 0,
                };
                of_unit(TYPE_COMMIT, Some(unit), object)
            }
            Entry::Engine(Record::Prepare { unit, purpose, .. }) => {
                let object = match purpose {
                    PreparedFor::Channel(batch) => batch.sync_object.0,
                    PreparedFor::Branch(_) => 0,
                };
                of_unit(TYPE_PREPARE, Some(unit), object)
            }
            Entry::Engine(Record::Backout { unit, .. }) => of_unit(TYPE_BACKOUT, Some(unit), 0),
            Entry::Engine(Record::Define { object, .. }) => plain(TYPE_DEFINE, object.0),
            Entry::Engine(Record::Delete { object }) => plain(TYPE_DELETE, object.0),
            Entry::Fragment(_) => plain(TYPE_FRAGMENT, 0),
            Entry::Epoch(epoch) => plain(TYPE_EPOCH, u64::from(epoch.number)),
        }
    }

    fn encode(&self, length: u32) -> [u8; RECORD_HEADER_BYTES] {
        let mut bytes = [0; RECORD_HEADER_BYTES];
        set(&mut bytes, 0, length.to_le_bytes());
        bytes[8] = self.kind;
        bytes[9] = self.flags;
        if let Some(unit) = self.unit {
            bytes[9] |= FLAG_UNIT;
            set(&mut bytes, 12, unit.epoch.to_le_bytes());
            set(&mut bytes, 16, unit.counter.to_le_bytes());
        }
        set(&mut bytes, 24, self.object.to_le_bytes());
        bytes
    }
}

/// Adds the record to `out`, its checksum still zero: see [`seal`].
///
/// # Panics
/// When the record is 4 GiB or longer, which no extent takes.
pub(crate) fn encode(entry: &Entry<'_>, out: &mut impl Output) {
    let length = u32::try_from(entry_length(entry)).expect("a record fits an extent");
    let header = Header::of(entry).encode(length);
    if let Entry::Engine(Record::Put { head, descriptor, body, .. }) = entry {
        return encode_put(&header, head, descriptor, body, out);
    }
    out.put(&header);
    match entry {
        Entry::Engine(record) => encode_content(record, out),
        Entry::Fragment(bytes) => out.put(bytes),
        Entry::Epoch(epoch) => {
            out.put(&epoch.nonce.to_le_bytes());
            out.put(&epoch.began_at.to_le_bytes());
        }
    }
}

fn encode_content(record: &Record<'_>, out: &mut impl Output) {
    match record {
        // Goes out with its header.
        Record::Put { .. } => {}
        Record::PutMany { copies, .. } => out.put(copies.content()),
        Record::Get { sequence, .. } => out.put(&sequence.0.to_le_bytes()),
        Record::Remove { sequences, .. } => {
            sequences.iter().for_each(|sequence| out.put(&sequence.0.to_le_bytes()));
        }
        Record::Commit { records, first, counterpart, .. } => {
            out.put(&encode_commit(*records, *first, counterpart.as_ref()));
        }
        Record::Prepare { records, first, purpose, .. } => prepare::encode(*records, *first, purpose, out),
        Record::Backout { returned, .. } => {
            for (queue, sequence, count) in *returned {
                out.put(&queue.0.to_le_bytes());
                out.put(&sequence.0.to_le_bytes());
                out.put(&count.to_le_bytes());
            }
        }
        Record::Define { definition, .. } => out.put(definition),
        Record::Delete { .. } => {}
    }
}

fn encode_commit(records: u32, first: Lsn, counterpart: Option<&Counterpart>) -> [u8; 40] {
    let mut bytes = [0; 40];
    set(&mut bytes, 0, first.0.to_le_bytes());
    set(&mut bytes, 8, records.to_le_bytes());
    match counterpart {
        Some(Counterpart::Client(client)) => {
            bytes[12] = BY_CLIENT;
            set(&mut bytes, 16, client.instance);
            set(&mut bytes, 32, client.number.to_le_bytes());
        }
        Some(Counterpart::Channel(channel)) => {
            bytes[12] = BY_CHANNEL;
            set(&mut bytes, 16, channel.chain.to_le_bytes());
            set(&mut bytes, 24, channel.batch.to_le_bytes());
            set(&mut bytes, 32, channel.sequence.to_le_bytes());
        }
        None => {}
    }
    bytes
}

/// The header of a put goes out with its head: most records are puts, and each piece has its price.
fn encode_put(
    header: &[u8; RECORD_HEADER_BYTES],
    head: &MessageHead,
    descriptor: &[u8],
    body: &Body<'_>,
    out: &mut impl Output,
) {
    let mut front = [0; RECORD_HEADER_BYTES + PUT_HEAD_BYTES + BODY_SUM_BYTES];
    front[..RECORD_HEADER_BYTES].copy_from_slice(header);
    let bytes = &mut front[RECORD_HEADER_BYTES..];
    set(bytes, 0, head.sequence.0.to_le_bytes());
    set(bytes, 8, head.expires_at.to_le_bytes());
    set(bytes, 16, head.message_id);
    set(bytes, 40, head.correlation_id);
    set(bytes, 64, head.group_id);
    bytes[88] = head.priority;
    bytes[90] = head.reports;
    bytes[91] = head.group.flags;
    set(bytes, 92, (descriptor.len() as u32).to_le_bytes());
    match body {
        Body::Inline(body) => {
            set(bytes, 96, (body.len() as u64).to_le_bytes());
            set(bytes, 104, crc32c::crc32c(body).to_le_bytes());
            out.put(&front);
        }
        Body::Fragments { length, .. } => {
            bytes[89] = 1;
            set(bytes, 96, length.to_le_bytes());
            out.put(&front[..RECORD_HEADER_BYTES + PUT_HEAD_BYTES]);
        }
    }
    if head.group.flags != 0 {
        out.put(&head.group.encode());
    }
    if head.deliver_at != 0 {
        out.put(&head.deliver_at.to_le_bytes());
    }
    out.put(descriptor);
    match body {
        Body::Inline(body) => out.put(body),
        Body::Fragments { at, .. } => at.iter().for_each(|lsn| out.put(&lsn.0.to_le_bytes())),
    }
}

/// Writes the checksum of the record that fills `bytes`, for its place `at`.
pub(crate) fn seal(bytes: &mut [u8], seed: Seed, at: Lsn) {
    seal_but(bodies_length(bytes), bytes, seed, at);
}

/// Seals a record of which so many bytes are bodies with checksums of their own.
fn seal_but(bodies: usize, bytes: &mut [u8], seed: Seed, at: Lsn) {
    let sum = checksum_but(bodies, bytes, seed, at);
    set(bytes, 4, sum.to_le_bytes());
}

/// Seals a record whose entry is at hand.
pub(crate) fn seal_entry(entry: &Entry<'_>, bytes: &mut [u8], seed: Seed, at: Lsn) {
    match entry {
        Entry::Engine(Record::Put { body: Body::Inline(body), .. }) => seal_but(body.len(), bytes, seed, at),
        _ => seal(bytes, seed, at),
    }
}

/// The checksum of a record, bodies that have their own left out.
fn checksum(bytes: &[u8], seed: Seed, at: Lsn) -> u32 {
    checksum_but(bodies_length(bytes), bytes, seed, at)
}

fn checksum_but(bodies: usize, bytes: &[u8], seed: Seed, at: Lsn) -> u32 {
    let covered = bytes.get(..bytes.len() - bodies).unwrap_or_default();
    let length = covered.first_chunk().copied().unwrap_or_default();
    seed.checksum_of_record(at.0, length, covered.get(8..).unwrap_or_default())
}

/// Returns the number of bytes at the end of a record that have checksums of their own, as far as it is as
/// long as its own length.
pub(crate) fn bodies_length(bytes: &[u8]) -> usize {
    if bytes.get(9).is_none_or(|flags| flags & FLAG_APART == 0) {
        return 0;
    }
    let content = bytes.get(RECORD_HEADER_BYTES..).unwrap_or_default();
    let length = match bytes.get(8) {
        Some(&TYPE_PUT) => content.get(PUT_HEAD_BYTES - 8..).and_then(|length| Input::new(length).u64()),
        Some(&TYPE_PUT_MANY) => copies::bodies_length(content),
        _ => None,
    };
    let length = length.and_then(|length| usize::try_from(length).ok());
    length.filter(|length| *length <= content.len()).unwrap_or(0)
}

/// The length a record claims, when `bytes` begin with one that could be.
pub(crate) fn claimed_length(bytes: &[u8]) -> Option<usize> {
    let length = Input::new(bytes).u32()? as usize;
    (length >= RECORD_HEADER_BYTES).then_some(length)
}

/// True if the record that fills `bytes` is whole and belongs at `at`.
pub(crate) fn verifies(bytes: &[u8], seed: Seed, at: Lsn) -> bool {
    verifies_but_bodies(bytes, seed, at) && bodies_are(bytes, body_verifies)
}

/// True if all of a record is right and belongs at `at` but bodies that have checksums of their own.
pub(crate) fn verifies_but_bodies(bytes: &[u8], seed: Seed, at: Lsn) -> bool {
    #[cfg(feature = "planted")]
    if crate::planted::is(crate::planted::Fault::TornTailTaken) {
        return true;
    }
    let sum = bytes.get(4..).and_then(|rest| Input::new(rest).u32());
    sum == Some(checksum(bytes, seed, at))
}

/// True if a body is as it was put, by its checksum.
pub(crate) fn body_verifies(body: &[u8], sum: u32) -> bool {
    #[cfg(feature = "planted")]
    if crate::planted::is(crate::planted::Fault::TornTailTaken) {
        return true;
    }
    crc32c::crc32c(body) == sum
}

/// True if `is_right` says so of each body of a record that has a checksum of its own.
pub(crate) fn bodies_are(bytes: &[u8], mut is_right: impl FnMut(&[u8], u32) -> bool) -> bool {
    if bytes.get(9).is_none_or(|flags| flags & FLAG_APART == 0) {
        return true;
    }
    let content = bytes.get(RECORD_HEADER_BYTES..).unwrap_or_default();
    if bytes.get(8) == Some(&TYPE_PUT_MANY) {
        return copies::bodies_are(content, is_right);
    }
    let body = bytes.get(bytes.len() - bodies_length(bytes)..).unwrap_or_default();
    let sum = content.get(PUT_HEAD_BYTES..).and_then(|sum| Input::new(sum).u32());
    sum.is_some_and(|sum| is_right(body, sum))
}

/// True if nothing is wrong with a record but one bit of a body, or of several bodies one each. A write
/// that was cut off leaves much more: that all was written is as certain as a checksum that is right, but
/// for the number of bits.
pub(crate) fn is_but_for_a_bit(bytes: &[u8], seed: Seed, at: Lsn) -> bool {
    if is_fragment(bytes) {
        let sum = Input::new(bytes.get(4..).unwrap_or_default()).u32().unwrap_or(0);
        return is_one_bit(checksum(bytes, seed, at) ^ sum, bytes.len() - RECORD_HEADER_BYTES);
    }
    verifies_but_bodies(bytes, seed, at)
        && bodies_are(bytes, |body, sum| is_one_bit(crc32c::crc32c(body) ^ sum, body.len()))
}

/// The generator of crc32c, its lowest power first.
const GENERATOR: u32 = 0x82F6_3B78;

/// True if two checksums differ by this because the bytes do in one bit at most, one of the last `length`
/// bytes.
fn is_one_bit(difference: u32, length: usize) -> bool {
    // A checksum is linear: the difference is what the checksum, begun with zero, makes of the bits that
    // are wrong.
    let step = |bit: &u32| Some((bit >> 1) ^ if bit & 1 == 0 { 0 } else { GENERATOR });
    let bits = std::iter::successors(Some(GENERATOR), step).take(length.saturating_mul(8));
    difference == 0 || { bits }.any(|bit| bit == difference)
}

/// Where the body is in a record of messages that are put, if it is there without a checksum of its own and
/// the record is right but for its checksum.
pub(crate) fn body_in(bytes: &[u8]) -> Option<Range<usize>> {
    if bytes.get(9)? & FLAG_APART != 0 {
        return None;
    }
    match decode(bytes, &mut Lists::default())? {
        Entry::Engine(Record::Put { body: Body::Inline(body), .. }) => {
            Some(bytes.len() - body.len()..bytes.len())
        }
        Entry::Engine(Record::PutMany { copies, .. }) => copies.end_in_record(),
        _ => None,
    }
}

/// True if the header of a record that fills `bytes` is that of a piece of a body, with any checksum.
pub(crate) fn is_fragment(bytes: &[u8]) -> bool {
    let header = u32::try_from(bytes.len()).map(|length| Header::of(&Entry::Fragment(&[])).encode(length));
    let (Ok(header), Some(found)) = (header, bytes.first_chunk::<RECORD_HEADER_BYTES>()) else {
        return false;
    };
    header[..4] == found[..4] && header[8..] == found[8..]
}

/// Lists that decoded records borrow; one serves any number of records, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    positions: Vec<Lsn>,
    sequences: Vec<Sequence>,
    returned: Vec<(ObjectId, Sequence, u32)>,
}

/// Reads the record that fills `bytes`; `None` when it is not one. Its checksum is not looked at.
#[deny(clippy::indexing_slicing)]
pub(crate) fn decode<'a>(bytes: &'a [u8], lists: &'a mut Lists) -> Option<Entry<'a>> {
    let mut input = Input::new(bytes);
    let length = input.u32()?;
    let _checksum = input.u32()?;
    if length as usize != bytes.len() {
        return None;
    }
    let (kind, flags, _) = (input.u8()?, input.u8()?, input.u16()?);
    let named = UnitId { epoch: input.u32()?, counter: input.u64()? };
    let unit = (flags & FLAG_UNIT != 0).then_some(named);
    let object = input.object()?;
    let record = match kind {
        TYPE_PUT => decode_put(input, unit, object, flags, lists)?,
        TYPE_PUT_MANY if flags & FLAG_APART == 0 => {
            Record::PutMany { unit, copies: Copies::read_older(input.rest())? }
        }
        TYPE_PUT_MANY => Record::PutMany { unit, copies: Copies::read(input.rest())? },
        TYPE_GET => {
            let sequence = input.sequence()?;
            input.end()?;
            Record::Get { unit, queue: object, sequence }
        }
        TYPE_REMOVE => {
            lists.sequences.clear();
            while input.remaining() > 0 {
                lists.sequences.push(input.sequence()?);
            }
            Record::Remove { queue: object, sequences: &lists.sequences }
        }
        TYPE_COMMIT => decode_commit(input, unit?, object)?,
        TYPE_PREPARE => prepare::decode(input, unit?, object)?,
        TYPE_BACKOUT => {
            lists.returned.clear();
            while input.remaining() > 0 {
                lists.returned.push((input.object()?, input.sequence()?, input.u32()?));
            }
            Record::Backout { unit: unit?, returned: &lists.returned }
        }
        TYPE_DEFINE => Record::Define { object, definition: input.rest() },
        TYPE_DELETE => {
            input.end()?;
            Record::Delete { object }
        }
        TYPE_FRAGMENT => return Some(Entry::Fragment(input.rest())),
        TYPE_EPOCH => {
            let number = u32::try_from(object.0).ok()?;
            let epoch = Epoch { number, nonce: input.u64()?, began_at: input.i64()? };
            input.end()?;
            return Some(Entry::Epoch(epoch));
        }
        _ => return None,
    };
    Some(Entry::Engine(record))
}

#[deny(clippy::indexing_slicing)]
fn decode_put<'a>(
    mut input: Input<'a>,
    unit: Option<UnitId>,
    queue: ObjectId,
    flags: u8,
    lists: &'a mut Lists,
) -> Option<Record<'a>> {
    let mut head = MessageHead {
        queue,
        sequence: input.sequence()?,
        expires_at: input.i64()?,
        message_id: input.array()?,
        correlation_id: input.array()?,
        group_id: input.array()?,
        priority: input.u8()?,
        reports: 0,
        group: GroupHead::default(),
        deliver_at: 0,
    };
    let place = input.u8()?;
    head.reports = input.u8()?;
    let group_flags = input.u8()?;
    let (descriptor_length, length) = (input.u32()? as usize, input.u64()?);
    let is_apart = flags & FLAG_APART != 0;
    if is_apart {
        let _sum = input.u32()?;
    }
    if group_flags != 0 {
        head.group = GroupHead::decode(group_flags, &mut input)?;
    }
    if flags & FLAG_LATER != 0 {
        // A put without a time is written without one.
        head.deliver_at = input.i64().filter(|time| *time != 0)?;
    }
    let descriptor = input.take(descriptor_length)?;
    let body = match place {
        0 if input.remaining() as u64 == length => Body::Inline(input.rest()),
        1 if !is_apart => {
            lists.positions.clear();
            while input.remaining() > 0 {
                lists.positions.push(input.lsn()?);
            }
            Body::Fragments { at: &lists.positions, length }
        }
        _ => return None,
    };
    Some(Record::Put { unit, head, descriptor, body })
}

#[deny(clippy::indexing_slicing)]
fn decode_commit(mut input: Input<'_>, unit: UnitId, object: ObjectId) -> Option<Record<'static>> {
    let (first, records, known) = (input.lsn()?, input.u32()?, input.u8()?);
    input.take(3)?;
    let counterpart = match known {
        BY_CLIENT => {
            let client = ClientCommit { instance: input.array()?, number: input.u64()? };
            Some(Counterpart::Client(client))
        }
        BY_CHANNEL => {
            let (chain, batch, sequence) = (input.u64()?, input.u64()?, input.u32()?);
            input.take(4)?;
            Some(Counterpart::Channel(ChannelCommit { sync_object: object, chain, batch, sequence }))
        }
        0 => {
            input.take(24)?;
            None
        }
        _ => return None,
    };
    input.end()?;
    Some(Record::Commit { unit, records, first, counterpart })
}

#[cfg(test)]
mod tests;
