//! One file of messages that outlived the log: `store/<number, hexadecimal>.seg`.
//!
//! ```text
//! header page   0  8  magic "FERRYSEG"      each message   0  4  crc32c, seeded with nonce and index
//!               8  4  format version                       4  4  descriptor length
//!              12  4  crc32c of the rest up to 48          8  8  body length
//!              16 16  identity                            16  …  descriptor, body
//!              32  4  number, then 4 zero
//!              40  8  nonce, then zeros to 4096
//!
//! footer, one entry of 152 bytes a message   0  8  queue          trailer, the last 64 bytes
//!                                            8  8  sequence          0  8  magic "FERRYEND"
//!                                           16  8  expiry            8  8  offset of the footer
//!                                           24 72  identifiers      16  4  number of messages
//!                                           96  1  priority         20  4  crc32c of the footer
//!                                           97  1  reports
//!                                           98  1  1: a mark
//!                                           99  1  flags of the group
//!                                          100  4  second of the put, 0 for not known
//!                                          104  8  offset           24  4  number of the segment
//!                                          112  4  descriptor length, 4 zero
//!                                          120  8  body length      28  4  crc32c of bytes 0 to 28
//!                                          128 16  place in the group
//!                                          144  8  when it is delivered, 0 for at once
//! ```
//!
//! A message that was damaged in the log when it was to be copied here leaves a *mark*: its entry in the
//! footer has a 1 at 98 and the lengths the message had, and in its place stand what verified of the
//! descriptor and, as body, a text that says what was wrong and where. Reading it gives that text as the
//! reason, and never a message.
//!
//! A segment is written under another name, flushed, and then named; it is never changed.

use std::collections::BTreeSet;
use std::io;
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use platform::sync::Mutex;
use platform::{Access, Disk, File, Identity, OpenMode};

use crate::StoredHead;
use crate::checksum::{self, Seed, VERSION_OF_NONE};
use crate::input::Input;
use crate::log::extent::identity_text;
use crate::log::record::{DELIVER_AT_BYTES, set};
use crate::read::{Cache, Region, Source};
use crate::record::GroupHead;
use crate::store::seal::{Seal, SegmentEntry};
use crate::{EntryToken, Location, MessageHead, ObjectId, OpenError, ReadError, Sequence, StoredMessage};

/// Version 2 has marks, version 3 places in groups, version 4 the times at which messages are delivered.
pub(crate) const FORMAT_VERSION: u32 = 4;
const MAGIC: &[u8; 8] = b"FERRYSEG";
const MAGIC_END: &[u8; 8] = b"FERRYEND";
const PAGE_BYTES: u64 = 4096;
const PAGE_USED: usize = 48;
const MESSAGE_HEADER_BYTES: usize = 16;
const FOOTER_ENTRY_BYTES: usize = 152;
/// Entries of versions before 4, without times of delivery.
const GROUPED_ENTRY_BYTES: usize = FOOTER_ENTRY_BYTES - DELIVER_AT_BYTES;
/// Entries of versions before 3, without places in groups.
const SHORT_ENTRY_BYTES: usize = GROUPED_ENTRY_BYTES - GroupHead::BYTES;
const ENTRY_LENGTHS: [usize; 3] = [FOOTER_ENTRY_BYTES, GROUPED_ENTRY_BYTES, SHORT_ENTRY_BYTES];
const TRAILER_BYTES: usize = 64;
/// In the footer: the message was damaged, and only what is known of it is here.
const IS_MARK: u8 = 1;
/// Most bytes of the text of a mark: a path and a sentence.
const REASON_BYTES_MAX: usize = 1000;
/// Bytes gathered before a write.
const WRITE_BYTES: usize = 1 << 20;

/// The directory of the segments.
pub(crate) const DIRECTORY: &str = "store";
/// Bytes of a segment besides those of its messages.
pub(crate) const FRAME_BYTES: u64 = PAGE_BYTES + TRAILER_BYTES as u64;
/// Bytes of a message in a segment besides descriptor and body.
pub(crate) const MESSAGE_FRAME_BYTES: u64 = (MESSAGE_HEADER_BYTES + FOOTER_ENTRY_BYTES) as u64;

pub(crate) fn path(number: u32) -> PathBuf {
    PathBuf::from(format!("store/{number:08x}.seg"))
}

/// The number in the name of a segment's file; `None` for other names.
pub(crate) fn number_in_name(name: &str) -> Option<u32> {
    let number = u32::from_str_radix(name.strip_suffix(".seg")?, 16).ok()?;
    (path(number).file_name()? == name).then_some(number)
}

/// A message in a segment that is to be thinned out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) queue: ObjectId,
    pub(crate) entry: EntryToken,
    pub(crate) location: Location,
}

/// An open segment.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) number: u32,
    /// Of the file.
    pub(crate) bytes: u64,
    pub(crate) seal: Seal,
    /// Of the file.
    pub(crate) identity: Identity,
    file: Arc<dyn File>,
    /// Where each message begins, and at last where the footer does.
    offsets: Vec<u64>,
    /// The checksum of each entry of the footer: what is read of it later goes to other segments, whose
    /// footers would vouch for it.
    entry_sums: Vec<u32>,
    /// Messages that are only marks.
    marks: BTreeSet<u32>,
    members: Mutex<Members>,
}

/// Remains of a message that was damaged before it came to a segment.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// As far as it verified; else nothing.
    pub(crate) descriptor: Bytes,
    /// Bytes of the body that was.
    pub(crate) body_length: u64,
    /// Description of the damage, with its place.
    pub(crate) reason: String,
}

impl Mark {
    /// Text stored in place of the body.
    fn text(&self) -> &str {
        &self.reason[..self.reason.floor_char_boundary(REASON_BYTES_MAX)]
    }

    /// Bytes it takes in a segment.
    pub(crate) fn bytes(&self) -> u64 {
        MESSAGE_FRAME_BYTES + (self.descriptor.len() + self.text().len()) as u64
    }
}

#[derive(Debug, Default)]
struct Members {
    live: Vec<u64>,
    count: u32,
    owners: Vec<(ObjectId, EntryToken)>,
}

impl Segment {
    fn new(
        (number, bytes, seal): (u32, u64, Seal),
        file: Arc<dyn File>,
        footer: &[u8],
        offsets: Vec<u64>,
        marks: BTreeSet<u32>,
    ) -> io::Result<Self> {
        let identity = file.identity()?;
        let messages = offsets.len() - 1;
        let entry_bytes = (footer.len() / messages.max(1)).max(1);
        let entry_sums = footer.chunks_exact(entry_bytes).map(crc32c::crc32c).collect();
        let members = Members {
            live: vec![0; messages.div_ceil(64)],
            count: 0,
            owners: vec![(ObjectId(0), EntryToken(0)); messages],
        };
        Ok(Self {
            number,
            bytes,
            seal,
            identity,
            file,
            offsets,
            entry_sums,
            marks,
            members: Mutex::new(members),
        })
    }

    /// Live messages, and all.
    pub(crate) fn counts(&self) -> (u32, u32) {
        (self.members.lock().count, self.messages())
    }

    fn messages(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    pub(crate) fn live_words(&self) -> Vec<u64> {
        self.members.lock().live.clone()
    }

    pub(crate) fn adopt(&self, index: u32, queue: ObjectId, entry: EntryToken) {
        let mut members = self.members.lock();
        let Some(owner) = members.owners.get_mut(index as usize) else { return };
        *owner = (queue, entry);
        let bit = 1 << (index % 64);
        let word = &mut members.live[index as usize / 64];
        let fresh = *word & bit == 0;
        *word |= bit;
        members.count += u32::from(fresh);
    }

    pub(crate) fn release(&self, index: u32) {
        let mut members = self.members.lock();
        let Some(word) = members.live.get_mut(index as usize / 64) else { return };
        let bit = 1 << (index % 64);
        let was = *word & bit != 0;
        *word &= !bit;
        members.count -= u32::from(was);
    }

    /// The live messages.
    pub(crate) fn members(&self) -> Vec<Member> {
        let members = self.members.lock();
        let live = |index: &u32| is_live(&members.live, *index as usize) == Some(true);
        let member = |index: u32| {
            let (queue, entry) = members.owners[index as usize];
            Member { queue, entry, location: Location::Segment { segment: self.number, index } }
        };
        (0..self.messages()).filter(live).map(member).collect()
    }

    /// True if anything in this stretch of the file is needed while only these messages are live.
    pub(crate) fn needs(&self, live: &[u64], stretch: &Range<u64>) -> bool {
        let is_frame = stretch.start < PAGE_BYTES || self.offsets.last().is_none_or(|end| *end < stretch.end);
        let mut places = self.offsets.windows(2).enumerate();
        let is_in_it = |place: &[u64]| place[0] < stretch.end && stretch.start < place[1];
        is_frame || places.any(|(index, place)| is_in_it(place) && is_live(live, index) == Some(true))
    }

    pub(crate) fn read(&self, cache: &Cache, index: u32) -> Result<StoredMessage, ReadError> {
        let found = self.read_any(cache, index)?;
        if self.marks.contains(&index) {
            let start = self.offsets.get(index as usize).copied().unwrap_or_default();
            return Err(self.damaged(start, &reason_of(&found)));
        }
        Ok(found)
    }

    /// Returns the head and mark of a message that is only a mark; none for a whole one.
    pub(crate) fn mark(&self, cache: &Cache, index: u32) -> Result<Option<(MessageHead, Mark)>, ReadError> {
        if !self.marks.contains(&index) {
            return Ok(None);
        }
        let (head, body_length) = self.footer_entry(cache, index)?;
        let found = self.read_any(cache, index)?;
        let reason = reason_of(&found);
        Ok(Some((head, Mark { descriptor: found.descriptor, body_length, reason })))
    }

    /// A message, or what stands in its place.
    fn read_any(&self, cache: &Cache, index: u32) -> Result<StoredMessage, ReadError> {
        let place = self.offsets.get(index as usize).zip(self.offsets.get(index as usize + 1));
        let Some((&start, &end)) = place else {
            return Err(self.damaged(0, "the segment has no such message"));
        };
        let length = (end - start) as usize;
        let region = self.region(cache, start, length)?;
        let bytes = region.get(start, length).expect("the region was read for this stretch");
        self.message(index, bytes).ok_or_else(|| self.damaged(start, "the checksum of the message is wrong"))
    }

    /// Returns the head of a message from the footer.
    pub(crate) fn head(&self, cache: &Cache, index: u32) -> Result<MessageHead, ReadError> {
        self.footer_entry(cache, index).map(|(head, _)| head)
    }

    /// The head of a message, and the length of its body.
    fn footer_entry(&self, cache: &Cache, index: u32) -> Result<(MessageHead, u64), ReadError> {
        let footer = self.offsets.last().copied().unwrap_or_default();
        let entries = self.bytes - TRAILER_BYTES as u64 - footer;
        let length = (entries / u64::from(self.messages().max(1))) as usize;
        let at = footer + u64::from(index) * length as u64;
        let region = self.region(cache, at, length)?;
        let bytes = region.get(at, length).unwrap_or_default();
        if self.entry_sums.get(index as usize) != Some(&crc32c::crc32c(bytes)) {
            return Err(self.damaged(at, "the checksum of the footer is wrong"));
        }
        let entry = read_footer_entry(&mut Input::new(bytes));
        entry
            .map(|entry| (entry.head, entry.body_length))
            .ok_or_else(|| self.damaged(at, "the footer makes no sense"))
    }

    fn region(&self, cache: &Cache, at: u64, length: usize) -> Result<Arc<Region>, ReadError> {
        let read = |from, buffer: &mut [u8]| self.file.read_exact_at(buffer, from);
        cache
            .region(Source::Segment(self.number), at, length, PAGE_BYTES..self.bytes, read)
            .map_err(|source| ReadError::Io { path: path(self.number), source })
    }

    #[deny(clippy::indexing_slicing)]
    fn message(&self, index: u32, bytes: &[u8]) -> Option<StoredMessage> {
        let mut input = Input::new(bytes);
        let (sum, descriptor, body) = (input.u32()?, input.u32()?, input.u64()?);
        let content = input.rest();
        if message_checksum(self.seal.nonce, index, bytes.get(4..MESSAGE_HEADER_BYTES)?, content) != sum
            || u64::from(descriptor).checked_add(body)? != content.len() as u64
        {
            return None;
        }
        let mut body = Bytes::copy_from_slice(content);
        let descriptor = body.split_to(descriptor as usize);
        Some(StoredMessage { descriptor, body })
    }

    fn damaged(&self, offset: u64, reason: &str) -> ReadError {
        ReadError::Damaged { path: path(self.number), offset, reason: reason.to_owned() }
    }
}

/// A segment whose footer is being fetched.
pub(crate) struct Unread<'a> {
    entry: &'a SegmentEntry,
    file: Arc<dyn File>,
    length: u64,
    seal: Seal,
    messages: u32,
    footer_at: u64,
    footer_bytes: u64,
}

impl<'a> Unread<'a> {
    /// Checks the first page and the trailer, and has the disk fetch the footer.
    pub(crate) fn open(
        disk: &dyn Disk,
        identity: &[u8; 16],
        entry: &'a SegmentEntry,
    ) -> Result<Self, OpenError> {
        let path = path(entry.number);
        let live = entry.live.iter().map(|word| word.count_ones()).sum();
        let file =
            disk.open(&path, OpenMode::Read, Access::Cached).map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => OpenError::MissingSegment { path, live },
                _ => OpenError::Io { doing: "open", path, source },
            })?;
        Self::of(file, identity, entry)
    }

    /// Reads a segment from an open file.
    pub(crate) fn of(
        file: Arc<dyn File>,
        identity: &[u8; 16],
        entry: &'a SegmentEntry,
    ) -> Result<Self, OpenError> {
        let number = entry.number;
        let path = path(number);
        let failed = |doing, source: io::Error| OpenError::Io { doing, path: path.clone(), source };
        let length = file.length().map_err(|error| failed("measure", error))?;
        if length < PAGE_BYTES + TRAILER_BYTES as u64 {
            return Err(OpenError::Cut { path, found: length, expected: PAGE_BYTES + TRAILER_BYTES as u64 });
        }
        let mut page = [0; PAGE_USED];
        file.read_exact_at(&mut page, 0).map_err(|error| failed("read", error))?;
        let nonce = check_page(&page, identity, number)?;
        let mut trailer = [0; TRAILER_BYTES];
        let trailer_at = length - TRAILER_BYTES as u64;
        file.read_exact_at(&mut trailer, trailer_at).map_err(|error| failed("read", error))?;
        let damaged = |offset, reason: &str| OpenError::Damaged {
            path: path.clone(),
            offset,
            reason: reason.to_owned(),
        };
        let (footer_at, messages, footer_sum) = check_trailer(&trailer, number)
            .ok_or_else(|| damaged(trailer_at, "the end of the segment is wrong: it was cut or changed"))?;
        let footer_bytes = trailer_at
            .checked_sub(footer_at)
            .filter(|bytes| ENTRY_LENGTHS.iter().any(|entry| *bytes == u64::from(messages) * *entry as u64))
            .ok_or_else(|| damaged(trailer_at, "the footer has an impossible place"))?;
        let seal = Seal { nonce, footer_sum };
        if entry.seal.is_some_and(|expected| expected != seal) {
            return Err(damaged(
                0,
                "this is another segment than the one that the manifest is of: a file of another time",
            ));
        }
        file.will_read(footer_at, footer_bytes);
        Ok(Self { entry, file, length, seal, messages, footer_at, footer_bytes })
    }

    /// Reads the footer, and shows the heads of the messages that the manifest says are live.
    pub(crate) fn read(self, show: &mut dyn FnMut(StoredHead)) -> Result<Segment, OpenError> {
        let Self { entry, file, length, seal, messages, footer_at, footer_bytes } = self;
        let damaged = |reason: &str| OpenError::Damaged {
            path: path(entry.number),
            offset: footer_at,
            reason: reason.to_owned(),
        };
        let mut footer = vec![0; footer_bytes as usize];
        file.read_exact_at(&mut footer, footer_at).map_err(|source| OpenError::Io {
            doing: "read",
            path: path(entry.number),
            source,
        })?;
        if crc32c::crc32c(&footer) != seal.footer_sum {
            return Err(damaged("the checksum of the footer is wrong"));
        }
        if entry.messages != messages {
            return Err(damaged("the manifest counts another number of messages"));
        }
        let entry_bytes = footer.len() / messages.max(1) as usize;
        let (offsets, marks) =
            read_footer(&footer, entry_bytes.max(1), footer_at, entry.number, &entry.live, show)
                .ok_or_else(|| damaged("the footer makes no sense"))?;
        Segment::new((entry.number, length, seal), file, &footer, offsets, marks)
            .map_err(|source| OpenError::Io { doing: "look at", path: path(entry.number), source })
    }
}

/// The text of a mark.
fn reason_of(found: &StoredMessage) -> String {
    String::from_utf8_lossy(&found.body).into_owned()
}

fn message_checksum(nonce: u64, index: u32, lengths: &[u8], content: &[u8]) -> u32 {
    Seed::of_nonce(nonce).checksum(u64::from(index), [lengths, content])
}

#[deny(clippy::indexing_slicing)]
fn check_page(page: &[u8; PAGE_USED], identity: &[u8; 16], number: u32) -> Result<u64, OpenError> {
    let damaged =
        |reason: &str| OpenError::Damaged { path: path(number), offset: 0, reason: reason.to_owned() };
    let mut input = Input::new(page);
    let fields = (|| {
        let (magic, version, sum) = (input.array::<8>()?, input.u32()?, input.u32()?);
        let (found, named) = (input.array::<16>()?, input.u32()?);
        input.take(4)?;
        Some((magic, version, sum, found, named, input.u64()?))
    })();
    let Some((magic, version, sum, found, named, nonce)) = fields else { return Err(damaged("it is cut")) };
    if &magic != MAGIC {
        return Err(damaged("this is not a store segment"));
    }
    if checksum::of_page(page) != sum {
        return Err(damaged("the checksum of the first page is wrong"));
    }
    if version == 0 {
        return Err(damaged(VERSION_OF_NONE));
    }
    if version > FORMAT_VERSION {
        let supported = FORMAT_VERSION;
        return Err(OpenError::NewerVersion { path: path(number), found: version, supported });
    }
    if &found != identity {
        let (expected, found) = (identity_text(identity), identity_text(&found));
        return Err(OpenError::WrongQueueManager { path: path(number), expected, found });
    }
    if named != number {
        return Err(damaged("the first page names another segment than the file name"));
    }
    Ok(nonce)
}

/// Returns true if these bytes begin with the first page of a segment of this queue manager, whatever its
/// number.
pub(crate) fn is_page_of(page: &[u8], identity: &[u8; 16]) -> bool {
    page.starts_with(MAGIC)
        && checksum::sealed_version(page).is_some()
        && page.get(16..32) == Some(&identity[..])
}

/// Offset of the footer, number of messages, checksum of the footer.
#[deny(clippy::indexing_slicing)]
fn check_trailer(trailer: &[u8; TRAILER_BYTES], number: u32) -> Option<(u64, u32, u32)> {
    let mut input = Input::new(trailer);
    let magic = input.array::<8>()?;
    let (footer_at, messages, footer_sum) = (input.u64()?, input.u32()?, input.u32()?);
    let (named, sum) = (input.u32()?, input.u32()?);
    let right = &magic == MAGIC_END && named == number && crc32c::crc32c(trailer.get(..28)?) == sum;
    right.then_some((footer_at, messages, footer_sum))
}

#[deny(clippy::indexing_slicing)]
fn read_footer(
    footer: &[u8],
    entry_bytes: usize,
    footer_at: u64,
    number: u32,
    live: &[u64],
    show: &mut dyn FnMut(StoredHead),
) -> Option<(Vec<u64>, BTreeSet<u32>)> {
    let mut offsets = Vec::with_capacity(footer.len() / entry_bytes + 1);
    let mut marks = BTreeSet::new();
    let mut least = PAGE_BYTES;
    for entry in footer.chunks(entry_bytes) {
        let index = offsets.len();
        let FooterEntry { head, is_mark, put_second, offset, descriptor_length, body_length } =
            read_footer_entry(&mut Input::new(entry))?;
        if is_mark {
            marks.insert(index as u32);
        }
        if offset < least || offset > footer_at {
            return None;
        }
        least = offset;
        if is_live(live, index)? {
            let location = Location::Segment { segment: number, index: index as u32 };
            let is_damaged = is_mark;
            show(StoredHead { head, location, descriptor_length, body_length, is_damaged, put_second });
        }
        offsets.push(offset);
    }
    offsets.push(footer_at);
    Some((offsets, marks))
}

/// True if a message is live, by these words with one bit for each message.
fn is_live(words: &[u64], index: usize) -> Option<bool> {
    Some(words.get(index / 64)? & (1 << (index % 64)) != 0)
}

/// Takes `bytes` for each part of a segment in turn.
pub(crate) fn decode_any(bytes: &[u8]) {
    if let Some(page) = bytes.first_chunk() {
        let _ = check_page(page, &[7; 16], 0);
    }
    if let Some(trailer) = bytes.first_chunk() {
        let _ = check_trailer(trailer, 0);
    }
    for entry_bytes in ENTRY_LENGTHS {
        let _ = read_footer(bytes, entry_bytes, u64::MAX, 0, &[u64::MAX; 4], &mut |_| {});
    }
}

struct FooterEntry {
    head: MessageHead,
    is_mark: bool,
    /// Releases before it wrote zeros and pass over it.
    put_second: Option<NonZeroU32>,
    offset: u64,
    descriptor_length: u32,
    body_length: u64,
}

#[deny(clippy::indexing_slicing)]
fn read_footer_entry(input: &mut Input<'_>) -> Option<FooterEntry> {
    let (queue, sequence, expires_at) = (input.object()?, input.sequence()?, input.i64()?);
    let (message_id, correlation_id, group_id) = (input.array()?, input.array()?, input.array()?);
    let (priority, reports, flags, group_flags) = (input.u8()?, input.u8()?, input.u8()?, input.u8()?);
    let put_second = NonZeroU32::new(input.u32()?);
    let (offset, descriptor_length) = (input.u64()?, input.u32()?);
    input.take(4)?;
    let (is_mark, body_length) = (flags & IS_MARK != 0, input.u64()?);
    let group = match group_flags {
        0 => {
            // Entries of old versions have no such bytes.
            let _nothing = input.take(GroupHead::BYTES);
            GroupHead::default()
        }
        flags => GroupHead::decode(flags, input)?,
    };
    let deliver_at = if input.remaining() < DELIVER_AT_BYTES { 0 } else { input.i64()? };
    let head = MessageHead {
        queue,
        sequence,
        priority,
        reports,
        expires_at,
        message_id,
        correlation_id,
        group_id,
        group,
        deliver_at,
    };
    Some(FooterEntry { head, is_mark, put_second, offset, descriptor_length, body_length })
}

fn encode_footer_entry(entry: &FooterEntry) -> [u8; FOOTER_ENTRY_BYTES] {
    let FooterEntry { head, is_mark, put_second, offset, descriptor_length, body_length } = entry;
    let Sequence(sequence) = head.sequence;
    let mut bytes = [0; FOOTER_ENTRY_BYTES];
    set(&mut bytes, 0, head.queue.0.to_le_bytes());
    set(&mut bytes, 8, sequence.to_le_bytes());
    set(&mut bytes, 16, head.expires_at.to_le_bytes());
    set(&mut bytes, 24, head.message_id);
    set(&mut bytes, 48, head.correlation_id);
    set(&mut bytes, 72, head.group_id);
    bytes[96] = head.priority;
    bytes[97] = head.reports;
    bytes[98] = if *is_mark { IS_MARK } else { 0 };
    bytes[99] = head.group.flags;
    set(&mut bytes, 100, put_second.map_or(0, NonZeroU32::get).to_le_bytes());
    set(&mut bytes, 104, offset.to_le_bytes());
    set(&mut bytes, 112, descriptor_length.to_le_bytes());
    set(&mut bytes, 120, body_length.to_le_bytes());
    set(&mut bytes, 128, head.group.encode());
    set(&mut bytes, 144, head.deliver_at.to_le_bytes());
    bytes
}

/// A segment while it is written. Dropped unfinished, its file is left for the next start to remove.
pub(crate) struct Writer {
    number: u32,
    nonce: u64,
    file: Arc<dyn File>,
    offsets: Vec<u64>,
    marks: BTreeSet<u32>,
    footer: Vec<u8>,
    gathered: Vec<u8>,
    written: u64,
}

/// The name of a segment until it is whole.
pub(crate) fn unfinished() -> &'static Path {
    Path::new("store/unfinished.tmp")
}

impl Writer {
    /// Begins a segment in a new file, or in `file` that has room already.
    pub(crate) fn begin(
        disk: &dyn Disk,
        identity: &[u8; 16],
        number: u32,
        nonce: u64,
        mode: OpenMode,
    ) -> io::Result<Self> {
        let file = disk.open(unfinished(), mode, Access::Cached)?;
        let mut page = vec![0; PAGE_BYTES as usize];
        page[0..8].copy_from_slice(MAGIC);
        page[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        page[16..32].copy_from_slice(identity);
        page[32..36].copy_from_slice(&number.to_le_bytes());
        page[40..48].copy_from_slice(&nonce.to_le_bytes());
        let sum = checksum::of_page(&page[..PAGE_USED]);
        page[12..16].copy_from_slice(&sum.to_le_bytes());
        let (offsets, marks, footer) = (Vec::new(), BTreeSet::new(), Vec::new());
        Ok(Self { number, nonce, file, offsets, marks, footer, gathered: page, written: 0 })
    }

    /// Bytes of the file, were it finished now.
    pub(crate) fn bytes(&self) -> u64 {
        self.written + (self.gathered.len() + self.footer.len() + TRAILER_BYTES) as u64
    }

    /// Messages in it.
    pub(crate) fn messages(&self) -> u32 {
        self.offsets.len() as u32
    }

    /// Adds a message, and tells its index.
    pub(crate) fn add(
        &mut self,
        head: &MessageHead,
        put_second: Option<NonZeroU32>,
        message: &StoredMessage,
    ) -> io::Result<u32> {
        self.append(head, put_second, message, None)
    }

    /// Adds what is known of a message that is damaged, and tells its index.
    pub(crate) fn add_mark(
        &mut self,
        head: &MessageHead,
        put_second: Option<NonZeroU32>,
        mark: &Mark,
    ) -> io::Result<u32> {
        let body = Bytes::copy_from_slice(mark.text().as_bytes());
        let remains = StoredMessage { descriptor: mark.descriptor.clone(), body };
        self.append(head, put_second, &remains, Some(mark))
    }

    fn append(
        &mut self,
        head: &MessageHead,
        put_second: Option<NonZeroU32>,
        message: &StoredMessage,
        mark: Option<&Mark>,
    ) -> io::Result<u32> {
        let StoredMessage { descriptor, body } = message;
        let index = self.messages();
        let offset = self.written + self.gathered.len() as u64;
        let (descriptor_length, body_length) = (descriptor.len() as u32, body.len() as u64);
        let start = self.gathered.len();
        self.gathered.extend_from_slice(&[0; 4]);
        self.gathered.extend_from_slice(&descriptor_length.to_le_bytes());
        self.gathered.extend_from_slice(&body_length.to_le_bytes());
        self.gathered.extend_from_slice(descriptor);
        self.gathered.extend_from_slice(body);
        let (lengths, content) = self.gathered[start + 4..].split_at(MESSAGE_HEADER_BYTES - 4);
        let sum = message_checksum(self.nonce, index, lengths, content);
        self.gathered[start..start + 4].copy_from_slice(&sum.to_le_bytes());
        self.offsets.push(offset);
        if mark.is_some() {
            self.marks.insert(index);
        }
        self.footer.extend_from_slice(&encode_footer_entry(&FooterEntry {
            head: *head,
            is_mark: mark.is_some(),
            put_second,
            offset,
            descriptor_length,
            body_length: mark.map_or(body_length, |mark| mark.body_length),
        }));
        if self.gathered.len() >= WRITE_BYTES {
            self.write()?;
        }
        Ok(index)
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.write_at(&self.gathered, self.written)?;
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        Ok(())
    }

    /// Makes the segment last and gives it its name.
    pub(crate) fn finish(mut self, disk: &dyn Disk) -> io::Result<Segment> {
        let footer_at = self.written + self.gathered.len() as u64;
        let seal = Seal { nonce: self.nonce, footer_sum: crc32c::crc32c(&self.footer) };
        let mut trailer = [0; TRAILER_BYTES];
        trailer[0..8].copy_from_slice(MAGIC_END);
        trailer[8..16].copy_from_slice(&footer_at.to_le_bytes());
        trailer[16..20].copy_from_slice(&self.messages().to_le_bytes());
        trailer[20..24].copy_from_slice(&seal.footer_sum.to_le_bytes());
        trailer[24..28].copy_from_slice(&self.number.to_le_bytes());
        let sum = crc32c::crc32c(&trailer[..28]);
        trailer[28..32].copy_from_slice(&sum.to_le_bytes());
        self.gathered.extend_from_slice(&self.footer);
        self.gathered.extend_from_slice(&trailer);
        self.write()?;
        if self.file.length()? != self.written {
            self.file.set_length(self.written)?;
        }
        self.file.sync()?;
        let path = path(self.number);
        disk.rename(unfinished(), &path)?;
        let named = disk.sync_directory(Path::new("store"));
        let file =
            named.and_then(|()| disk.open(&path, OpenMode::Read, Access::Cached)).inspect_err(|_| {
                // Nothing refers to it, and it would take its room until the next start.
                let _ = disk.remove(&path);
            })?;
        self.offsets.push(footer_at);
        let named = (self.number, self.written, seal);
        Segment::new(named, file, &self.footer, self.offsets, self.marks)
    }
}
