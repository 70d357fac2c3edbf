//! The beginning of a restart: the manifest, in two files written in turn.
//!
//! ```text
//! offset  bytes
//!      0      8  magic "FERRYMAN"
//!      8      4  format version
//!     12      4  crc32c of all other bytes of header and content
//!     16      8  length of the content
//!     24      8  generation: the larger one of two good files counts
//!     32     16  identity of the queue manager
//!     48      8  secret: with the identity the seed of what verifies before a nonce is known
//!     56      8  zero
//! 64      …  content: replay start (8), durable end of the log (8), chain at the start: index (8), crc (4),
//!                epoch (4), nonce (8), last block (8), crc before (4); the nonce of the start that
//! wrote what is before the durable end (8); next segment (4), number of segments (4), each: number (4),
//! messages (4), its nonce (8), crc of its footer (4), one bit a message (8 bytes for 64); 1 and length (8)
//! and bytes of the engine's
//!                snapshot, or 0
//! ```
//!
//! That nonce, and what tells a segment from others of its number, are zero where they are not known: version
//! 1 did not have them.
//!
//! Always: of the file that counts no byte is changed; the other one is written, and counts when it is
//! durable. Files have room ahead, so that a full disk does not stop a checkpoint; a checkpoint makes what
//! both lack of it before anything else ([`make_room`]). A restart replaces the file that it read, since it
//! may have read what is in memory of the machine only, and removes the other one if that could not be read:
//! it may be newer, and must not come to count again.

use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use platform::{Access, Disk, OpenMode};

use crate::OpenError;
use crate::checksum::{self, Secret, Seed, VERSION_OF_NONE};
use crate::input::Input;
use crate::log::chain::Chain;
use crate::log::extent::{DATA_OFFSET, identity_text};
use crate::log::scan::Known;
use crate::store::seal::{Seal, SegmentEntry};
use crate::words::errors::is_lack_of_space;
use crate::words::positions::{COUNTED_FEW_MAX, COUNTED_MAX};

/// The newest format of the manifest this program reads, and the one it writes. Version 2 has what tells
/// files of the log and the store from those of another time.
pub(crate) const FORMAT_VERSION: u32 = 2;
const MAGIC: &[u8; 8] = b"FERRYMAN";
const HEADER_BYTES: usize = 64;
/// Content but for segments and snapshot.
const CONTENT_BYTES: usize = 69;
/// Bytes of a segment's entry, besides its messages.
const SEGMENT_BYTES: usize = 20;
/// A file of the manifest grows by this.
const ROOM_BYTES: usize = 64 << 10;
/// Room that is free in each file after a manifest, at least, while the disk has room: for the entry of one
/// more segment, that of the spare. Such an entry has a bit for each of half a million messages when the
/// segment is as long as can be and they have neither descriptor nor body.
pub(crate) const ENTRY_BYTES_MAX: usize = 64 << 10;

/// State that a checkpoint leaves for restart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) identity: [u8; 16],
    pub(crate) secret: Secret,
    pub(crate) generation: u64,
    /// The first position of the extent where replay starts.
    pub(crate) redo: u64,
    /// The log was durable to here when this was written.
    pub(crate) reflects: u64,
    /// The nonce of the start that wrote what ends there; none where it is not known.
    pub(crate) nonce: Option<u64>,
    /// State of the chain of blocks at `redo`.
    pub(crate) chain: Chain,
    pub(crate) segment_next: u32,
    pub(crate) segments: Vec<SegmentEntry>,
    pub(crate) snapshot: Option<Bytes>,
}

/// The file a generation is written to.
pub(crate) fn path(generation: u64) -> PathBuf {
    PathBuf::from(format!("manifest.{}", generation % 2))
}

/// True if there is a manifest of either generation: false only where the system says that there is none.
pub(crate) fn is_there(disk: &dyn Disk) -> bool {
    (0..2).any(|generation| match disk.open(&path(generation), OpenMode::Read, Access::Cached) {
        Ok(_) => true,
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    })
}

impl Manifest {
    /// The seed of bytes that must verify before any nonce is known.
    pub(crate) fn seed(&self) -> Seed {
        Seed::of_queue_manager(&self.identity, self.secret)
    }

    /// State of the log that the manifest records.
    pub(crate) fn log(&self) -> Known {
        let Self { redo, reflects, nonce, chain, .. } = *self;
        Known { identity: self.seed(), first: redo, chain, reflects, nonce }
    }

    /// Bytes that a file must have so that this manifest, with one more segment, can be written to it.
    pub(crate) fn room(&self) -> u64 {
        (self.length() + ENTRY_BYTES_MAX) as u64
    }

    /// Bytes of it.
    fn length(&self) -> usize {
        let segments = self.segments.iter().map(|segment| SEGMENT_BYTES + size_of_val(&segment.live[..]));
        let snapshot = self.snapshot.as_ref().map_or(0, |bytes| size_of::<u64>() + bytes.len());
        let content = CONTENT_BYTES + segments.sum::<usize>() + snapshot;
        HEADER_BYTES + content
    }

    /// True if counting can go on from every number of the manifest.
    fn has_come_by_counting(&self) -> bool {
        let Self { generation, redo, reflects, chain, segment_next, .. } = self;
        let counted = [*generation, *redo, *reflects, chain.index, chain.last_at];
        let numbers = || self.segments.iter().map(|segment| segment.number);
        counted.into_iter().all(|number| number <= COUNTED_MAX)
            && [chain.epoch, *segment_next].into_iter().all(|number| number <= COUNTED_FEW_MAX)
            && redo.is_multiple_of(DATA_OFFSET)
            && numbers().zip(numbers().skip(1)).all(|(one, next)| one < next)
            && numbers().all(|number| number < *segment_next)
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = vec![0; HEADER_BYTES];
        out.extend_from_slice(&self.redo.to_le_bytes());
        out.extend_from_slice(&self.reflects.to_le_bytes());
        out.extend_from_slice(&self.chain.index.to_le_bytes());
        out.extend_from_slice(&self.chain.previous.to_le_bytes());
        out.extend_from_slice(&self.chain.epoch.to_le_bytes());
        out.extend_from_slice(&self.chain.nonce.to_le_bytes());
        out.extend_from_slice(&self.chain.last_at.to_le_bytes());
        out.extend_from_slice(&self.chain.before.to_le_bytes());
        out.extend_from_slice(&self.nonce.unwrap_or_default().to_le_bytes());
        out.extend_from_slice(&self.segment_next.to_le_bytes());
        out.extend_from_slice(&(self.segments.len() as u32).to_le_bytes());
        for segment in &self.segments {
            out.extend_from_slice(&segment.number.to_le_bytes());
            out.extend_from_slice(&segment.messages.to_le_bytes());
            let seal = segment.seal.unwrap_or_default();
            out.extend_from_slice(&seal.nonce.to_le_bytes());
            out.extend_from_slice(&seal.footer_sum.to_le_bytes());
            segment.live.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        }
        out.push(u8::from(self.snapshot.is_some()));
        if let Some(snapshot) = &self.snapshot {
            // It may be large: no more room than it takes.
            out.reserve_exact(size_of::<u64>() + snapshot.len());
            out.extend_from_slice(&(snapshot.len() as u64).to_le_bytes());
            out.extend_from_slice(snapshot);
        }
        let length = (out.len() - HEADER_BYTES) as u64;
        out[0..8].copy_from_slice(MAGIC);
        out[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        out[16..24].copy_from_slice(&length.to_le_bytes());
        out[24..32].copy_from_slice(&self.generation.to_le_bytes());
        out[32..48].copy_from_slice(&self.identity);
        out[48..56].copy_from_slice(&self.secret.0.to_le_bytes());
        let sum = checksum::of_page(&out);
        out[12..16].copy_from_slice(&sum.to_le_bytes());
        out
    }

    /// Reads a manifest; the error describes the fault.
    #[deny(clippy::indexing_slicing)]
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Unusable> {
        let mut input = Input::new(bytes);
        let wrong = || Unusable::Damaged("it is cut");
        if input.array::<8>().ok_or_else(wrong)? != *MAGIC {
            return Err(Unusable::Damaged("this is not a manifest"));
        }
        let version = input.u32().ok_or_else(wrong)?;
        let (sum, length) = (input.u32().ok_or_else(wrong)?, input.u64().ok_or_else(wrong)?);
        let end = usize::try_from(length).ok().and_then(|length| length.checked_add(HEADER_BYTES));
        let bytes = end.and_then(|end| bytes.get(..end)).ok_or_else(wrong)?;
        if checksum::of_page(bytes) != sum {
            return Err(Unusable::Damaged("its checksum is wrong"));
        }
        if version == 0 {
            return Err(Unusable::Damaged(VERSION_OF_NONE));
        }
        if version > FORMAT_VERSION {
            return Err(Unusable::Newer(version));
        }
        decode_content(bytes).ok_or(Unusable::Damaged("its content makes no sense"))
    }
}

/// The format version of a manifest whose checksum is right.
pub(crate) fn sealed_version(bytes: &[u8]) -> Option<u32> {
    let length = usize::try_from(claimed_bytes(bytes)?).ok()?;
    checksum::sealed_version(bytes.get(..length)?)
}

#[deny(clippy::indexing_slicing)]
pub(crate) fn decode_content(bytes: &[u8]) -> Option<Manifest> {
    let mut input = Input::new(bytes);
    input.take(8)?;
    let version = input.u32()?;
    input.take(12)?;
    let (generation, identity, secret) = (input.u64()?, input.array::<16>()?, Secret(input.u64()?));
    input.take(8)?;
    let (redo, reflects) = (input.u64()?, input.u64()?);
    let chain = Chain {
        index: input.u64()?,
        previous: input.u32()?,
        epoch: input.u32()?,
        nonce: input.u64()?,
        last_at: input.u64()?,
        before: input.u32()?,
    };
    let nonce = match version {
        ..2 => None,
        _ => Some(input.u64()?).filter(|nonce| *nonce != 0),
    };
    let (segment_next, count) = (input.u32()?, input.u32()?);
    let mut segments = Vec::new();
    for _ in 0..count {
        let (number, messages) = (input.u32()?, input.u32()?);
        let seal = match version {
            ..2 => None,
            _ => Seal { nonce: input.u64()?, footer_sum: input.u32()? }.known(),
        };
        let words = messages.div_ceil(64) as usize;
        let live = input.take(words.checked_mul(8)?)?.chunks_exact(8);
        let live = live.map(|word| Input::new(word).u64()).collect::<Option<Vec<_>>>()?;
        segments.push(SegmentEntry { number, messages, seal, live });
    }
    let snapshot = match input.u8()? {
        0 => None,
        _ => {
            let length = usize::try_from(input.u64()?).ok()?;
            Some(Bytes::copy_from_slice(input.take(length)?))
        }
    };
    let manifest = Manifest {
        identity,
        secret,
        generation,
        redo,
        reflects,
        nonce,
        chain,
        segment_next,
        segments,
        snapshot,
    };
    manifest.has_come_by_counting().then_some(manifest)
}

/// Why a file is not a manifest to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    Damaged(&'static str),
    Newer(u32),
}

/// The manifest that counts.
pub(crate) fn load(disk: &dyn Disk) -> Result<Manifest, OpenError> {
    load_in(disk, Path::new(""))
}

/// The newest good manifest of a copy in a directory.
pub(crate) fn load_in(disk: &dyn Disk, directory: &Path) -> Result<Manifest, OpenError> {
    let mut newest: Option<Manifest> = None;
    let mut unusable = None;
    let mut refused = None;
    for generation in [0, 1] {
        let path = directory.join(path(generation));
        let bytes = match read_file(disk, &path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Vec::new(),
            Err(source) => {
                refused = Some(OpenError::Io { doing: "read", path, source });
                continue;
            }
        };
        match Manifest::decode(&bytes) {
            Ok(found) if newest.as_ref().is_none_or(|newest| newest.generation < found.generation) => {
                newest = Some(found);
            }
            Ok(_) => {}
            Err(Unusable::Newer(found)) => {
                return Err(OpenError::NewerVersion { path, found, supported: FORMAT_VERSION });
            }
            Err(Unusable::Damaged(reason)) => unusable = Some((path, reason)),
        }
    }
    match (newest, refused, unusable) {
        // A crash left the other one half written, or with a sector that cannot be read until it is written
        // again.
        (Some(newest), ..) => Ok(newest),
        (None, Some(refused), _) => Err(refused),
        (None, None, Some((path, reason))) => Err(OpenError::Damaged {
            path,
            offset: 0,
            reason: format!("{reason}, and there is no other copy"),
        }),
        (None, None, None) => Err(OpenError::Absent { path: directory.join(path(0)) }),
    }
}

/// Names the file that is wrong when others are only missing because a manifest of an earlier time had to be
/// taken, or seem to be of another queue manager because the manifest is.
pub(crate) fn explain(disk: &dyn Disk, error: OpenError) -> OpenError {
    let missing = match &error {
        OpenError::MissingExtent { path, .. } | OpenError::MissingSegment { path, .. } => Some(path.clone()),
        OpenError::WrongQueueManager { .. } => None,
        _ => return error,
    };
    let both =
        [0, 1].map(|generation| read_file(disk, &path(generation)).map(|bytes| Manifest::decode(&bytes)));
    if let [Ok(Ok(one)), Ok(Ok(other))] = &both
        && one.identity != other.identity
    {
        return OpenError::Mixed { even: identity_text(&one.identity), odd: identity_text(&other.identity) };
    }
    let Some(missing) = missing else { return error };
    for (generation, read) in (0..).zip(both) {
        let path = path(generation);
        let wrong = match read {
            Ok(Err(Unusable::Damaged(reason))) => reason.to_owned(),
            Err(error) => error.to_string(),
            Ok(_) => continue,
        };
        let reason =
            format!("{wrong}; the other copy is older, and {} that it names is gone", missing.display());
        return OpenError::Damaged { path, offset: 0, reason };
    }
    error
}

/// Why a manifest does not count.
#[derive(Debug)]
pub(crate) enum NotStored {
    /// The files that restart looks at are as they were.
    Before(io::Error),
    /// One of them, not the one that counted, may be anything.
    During(io::Error),
}

impl NotStored {
    pub(crate) fn into_error(self) -> io::Error {
        match self {
            Self::Before(error) | Self::During(error) => error,
        }
    }
}

/// Makes `manifest` the one that counts.
pub(crate) fn store(disk: &dyn Disk, manifest: &Manifest) -> Result<(), NotStored> {
    let path = path(manifest.generation);
    let bytes = manifest.encode();
    let file = match disk.open(&path, OpenMode::Write, Access::Cached) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return replace(disk, &path, bytes),
        Err(error) => return Err(NotStored::Before(error)),
    };
    let write = |bytes: &[u8]| file.write_at(bytes, 0).and_then(|()| file.sync()).map_err(NotStored::During);
    let (length, needed) = (file.length().map_err(NotStored::Before)?, bytes.len() as u64);
    if length >= manifest.room() {
        return write(&bytes);
    }
    match replace(disk, &path, bytes) {
        // This is what the room was for.
        Err(NotStored::Before(error)) if is_lack_of_space(&error) && length >= needed => {
            write(&manifest.encode())
        }
        replaced => replaced,
    }
}

/// Returns the number of bytes that the file of this generation lacks for a manifest that needs this
/// [`Manifest::room`]. A missing file lacks none: its writer makes it, with room.
pub(crate) fn lacks(disk: &dyn Disk, generation: u64, room: u64) -> io::Result<u64> {
    match disk.open(&path(generation), OpenMode::Read, Access::Cached).and_then(|file| file.length()) {
        Ok(length) => Ok(room.saturating_sub(length)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    }
}

/// Lengthens a file that is too short for that: its content stays, and zeros follow, which are never read. It
/// is as it was when this fails.
pub(crate) fn make_room(disk: &dyn Disk, generation: u64, room: u64) -> io::Result<()> {
    let file = disk.open(&path(generation), OpenMode::Write, Access::Cached)?;
    let length = file.length()?;
    let lengthen = |to: u64| {
        let zeros = [0; ROOM_BYTES];
        let lengthened = (length..to).step_by(ROOM_BYTES).try_for_each(|at| {
            let bytes = (to - at).min(ROOM_BYTES as u64) as usize;
            file.write_at(&zeros[..bytes], at)
        });
        lengthened.and_then(|()| file.sync()).inspect_err(|_| drop(file.set_length(length)))
    };
    match lengthen(with_room_ahead(room)) {
        Err(error) if is_lack_of_space(&error) => lengthen(room),
        other => other,
    }
}

/// Length of a new file for a manifest that needs this room.
fn with_room_ahead(room: u64) -> u64 {
    (2 * room - ENTRY_BYTES_MAX as u64).next_multiple_of(ROOM_BYTES as u64)
}

/// Makes the manifest that was loaded outlast a power cut, in spite of the end of the process that wrote it:
/// it may have ended before the flush, or because the flush failed, after which no other one writes these
/// bytes. So they go to a new file.
pub(crate) fn settle(disk: &dyn Disk, loaded: &Manifest) -> Result<(), OpenError> {
    let path = path(loaded.generation);
    let settled = match replace(disk, &path, loaded.encode()) {
        // A full disk is no reason not to start. This does all but undo a flush that failed.
        Err(NotStored::Before(error)) if is_lack_of_space(&error) => {
            let flushed = disk.open(&path, OpenMode::Write, Access::Cached).and_then(|file| file.sync());
            flushed.and_then(|()| disk.sync_directory(Path::new("")))
        }
        other => other.map_err(NotStored::into_error),
    };
    settled.map_err(|source| OpenError::Io { doing: "write", path, source })?;
    set_other_aside(disk, loaded)
}

/// Removes the other file if it counts more than the one that was loaded, or may do so once it can be read:
/// what it alone names is removed now, and what comes is built on the one that was loaded.
fn set_other_aside(disk: &dyn Disk, loaded: &Manifest) -> Result<(), OpenError> {
    let path = path(loaded.generation + 1);
    let counts_less = match read_file(disk, &path) {
        Ok(bytes) => match Manifest::decode(&bytes) {
            Ok(other) => other.generation < loaded.generation,
            Err(Unusable::Damaged(_)) => true,
            Err(Unusable::Newer(found)) => {
                return Err(OpenError::NewerVersion { path, found, supported: FORMAT_VERSION });
            }
        },
        Err(error) => [io::ErrorKind::NotFound, io::ErrorKind::UnexpectedEof].contains(&error.kind()),
    };
    if counts_less {
        return Ok(());
    }
    let removed = disk.remove(&path).and_then(|()| disk.sync_directory(Path::new("")));
    removed.map_err(|source| OpenError::Io { doing: "remove", path, source })
}

/// Writes a new file, with room behind the bytes, and gives it the name when it is durable.
fn replace(disk: &dyn Disk, path: &Path, mut bytes: Vec<u8>) -> Result<(), NotStored> {
    let length = with_room_ahead((bytes.len() + ENTRY_BYTES_MAX) as u64) as usize;
    let begun = bytes.len().next_multiple_of(ROOM_BYTES);
    bytes.reserve_exact(begun - bytes.len());
    bytes.resize(begun, 0);
    let unfinished = Path::new("manifest.tmp");
    let room = vec![0; ROOM_BYTES];
    let written = disk.open(unfinished, OpenMode::Truncate, Access::Cached).and_then(|file| {
        file.write_at(&bytes, 0)?;
        // In pieces: that of a large file is not to be in memory as a whole.
        for at in (bytes.len()..length).step_by(ROOM_BYTES) {
            file.write_at(&room, at as u64)?;
        }
        file.sync()
    });
    if let Err(error) = written {
        let _ = disk.remove(unfinished);
        return Err(NotStored::Before(error));
    }
    let named = disk.rename(unfinished, path).and_then(|()| disk.sync_directory(Path::new("")));
    named.map_err(NotStored::During)
}

/// Header and content. What stands after them is not looked at: a sector there that cannot be read says
/// nothing of the manifest.
pub(crate) fn read_file(disk: &dyn Disk, path: &Path) -> io::Result<Vec<u8>> {
    let file = disk.open(path, OpenMode::Read, Access::Cached)?;
    let whole = file.length()?;
    let mut bytes = vec![0; HEADER_BYTES.min(usize::try_from(whole).unwrap_or(HEADER_BYTES))];
    file.read_exact_at(&mut bytes, 0)?;
    // One that claims more than there is is told as cut by who decodes it.
    let claimed = claimed_bytes(&bytes).map_or(0, |claimed| claimed.min(whole));
    let length = usize::try_from(claimed).map_err(io::Error::other)?;
    if length > bytes.len() {
        let begun = bytes.len();
        bytes.resize(length, 0);
        file.read_exact_at(&mut bytes[begun..], begun as u64)?;
    }
    Ok(bytes)
}

/// Bytes of header and content, as the header says.
fn claimed_bytes(header: &[u8]) -> Option<u64> {
    let mut input = Input::new(header);
    input.take(16)?;
    input.u64()?.checked_add(HEADER_BYTES as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_of_version_1_is_read_without_what_it_does_not_know() {
        let segment = SegmentEntry { number: 3, messages: 65, seal: None, live: vec![1, 1] };
        let manifest = Manifest { segment_next: 4, segments: vec![segment], ..Manifest::default() };
        let mut bytes = manifest.encode();
        // The seal of the segment, and the nonce.
        bytes.drain(140..152);
        bytes.drain(116..124);
        bytes[8..12].copy_from_slice(&1_u32.to_le_bytes());
        let length = (bytes.len() - HEADER_BYTES) as u64;
        bytes[16..24].copy_from_slice(&length.to_le_bytes());
        let sum = checksum::of_page(&bytes);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(Manifest::decode(&bytes), Ok(manifest));
    }

    #[test]
    fn the_length_of_a_manifest_is_known_before_it_is_encoded() {
        let segment = |messages: u32| {
            let live = vec![0; messages.div_ceil(64) as usize];
            SegmentEntry { number: messages, messages, seal: None, live }
        };
        for snapshot in [None, Some(Bytes::new()), Some(Bytes::from_static(b"definitions"))] {
            for segments in [vec![], vec![segment(1)], vec![segment(64), segment(65)]] {
                let manifest = Manifest { segments, snapshot: snapshot.clone(), ..Manifest::default() };
                assert_eq!(manifest.length(), manifest.encode().len());
            }
        }
    }
}
