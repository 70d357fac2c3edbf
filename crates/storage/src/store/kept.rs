//! Messages that no log holds and that outlive an orderly end all the same: `store/kept`.
//!
//! ```text
//! header    0  8  magic "FERRYKEP"          each message   0  4  crc32c of what follows up to the body,
//! seeded with nonce
//!           8  4  format version                                 and offset
//!          12  4  crc32c of the rest of the header          4  4  backout count
//! 16 16  identity                                  8  …  the record of a put (see `log::record`), body
//! inline,
//!                                                                 the checksum of the record zero
//!          32  8  nonce
//!          40  8  number of messages
//! ```
//!
//! Lives here: the file. Lives elsewhere: the choice of the messages, and the guard that none of them is got
//! after the file counts (`queue-manager`).
//!
//! Always: the file is written under another name, flushed, and then named. The start that reads it removes
//! it, and makes that last, before it answers its first caller: so its messages come back once, and a start
//! that a crash cuts off finds them again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use platform::{Access, Disk, File, OpenMode};

use crate::checksum::{self, Seed};
use crate::input::Input;
use crate::log::extent::identity_text;
use crate::log::record::{self, Entry, Lists};
use crate::record::Body;
use crate::store::segment::DIRECTORY;
use crate::{MessageHead, OpenError, Record, StoredMessage};

/// Version 2 has puts that are delivered later.
pub(crate) const FORMAT_VERSION: u32 = 2;
const MAGIC: &[u8; 8] = b"FERRYKEP";
const HEADER_BYTES: usize = 48;
/// Checksum and backout count.
const PREFIX_BYTES: usize = 8;
/// Bytes gathered before a write.
const WRITE_BYTES: usize = 1 << 20;

/// A message that is kept over an orderly end.
#[derive(Clone, Debug)]
pub struct KeptMessage {
    /// The head that a record of its put would have.
    pub head: MessageHead,
    /// Number of times it was backed out.
    pub backout_count: u32,
    /// The message.
    pub message: StoredMessage,
}

/// Messages that the last orderly end kept, as this start found them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptFound {
    /// Number of messages kept, as far as it is known.
    pub kept: u64,
    /// Number of messages that could be read.
    pub read: u64,
    /// Why not all of them.
    pub damage: Option<String>,
}

/// Messages could not be kept.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {source}")]
pub struct KeepError {
    /// The file.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

pub(crate) fn path() -> PathBuf {
    Path::new(DIRECTORY).join("kept")
}

pub(crate) fn unfinished() -> PathBuf {
    Path::new(DIRECTORY).join("kept.tmp")
}

fn failed(doing: &'static str) -> impl Fn(io::Error) -> OpenError + Copy {
    move |source| OpenError::Io { doing, path: path(), source }
}

/// Writes messages to the file of those that are kept; how many there were. Without any there is no file.
pub(crate) fn write(
    disk: &dyn Disk,
    identity: &[u8; 16],
    nonce: u64,
    messages: &mut dyn Iterator<Item = KeptMessage>,
) -> Result<u64, KeepError> {
    let mut messages = messages.peekable();
    if messages.peek().is_none() {
        return Ok(0);
    }
    let written = write_unfinished(disk, identity, nonce, &mut messages);
    written.map_err(|source| {
        // What cannot be removed now is removed at the next start.
        let _ = disk.remove(&unfinished());
        KeepError { path: unfinished(), source }
    })
}

fn write_unfinished(
    disk: &dyn Disk,
    identity: &[u8; 16],
    nonce: u64,
    messages: &mut dyn Iterator<Item = KeptMessage>,
) -> io::Result<u64> {
    let file = disk.open(&unfinished(), OpenMode::Truncate, Access::Cached)?;
    let mut writer = Writer { file, gathered: vec![0; HEADER_BYTES], written: 0 };
    let mut count = 0;
    for message in messages {
        writer.add(nonce, &message)?;
        count += 1;
    }
    writer.write()?;
    let header = Header { nonce, messages: count };
    writer.file.write_at(&header.encode(identity), 0)?;
    writer.file.sync()?;
    disk.rename(&unfinished(), &path())?;
    disk.sync_directory(Path::new(DIRECTORY))?;
    Ok(count)
}

struct Writer {
    file: Arc<dyn File>,
    gathered: Vec<u8>,
    written: u64,
}

impl Writer {
    fn add(&mut self, nonce: u64, kept: &KeptMessage) -> io::Result<()> {
        let start = self.gathered.len();
        let offset = self.written + start as u64;
        self.gathered.extend_from_slice(&[0; 4]);
        self.gathered.extend_from_slice(&kept.backout_count.to_le_bytes());
        let StoredMessage { descriptor, body } = &kept.message;
        let put = Record::Put { unit: None, head: kept.head, descriptor, body: Body::Inline(body) };
        record::encode(&Entry::Engine(put), &mut self.gathered);
        let sum = checksum(nonce, offset, &self.gathered[start + 4..]);
        self.gathered[start..start + 4].copy_from_slice(&sum.to_le_bytes());
        if self.gathered.len() >= WRITE_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        self.file.write_at(&self.gathered, self.written)?;
        self.written += self.gathered.len() as u64;
        self.gathered.clear();
        Ok(())
    }
}

/// The file that one end left behind. It stays readable when a start removes it.
#[derive(Clone, Debug)]
pub(crate) struct Left {
    pub(crate) file: Arc<dyn File>,
    pub(crate) length: u64,
    header: Vec<u8>,
    /// Why the header could not be read.
    refused: Option<String>,
}

impl Left {
    /// None when the last end kept nothing, or a start has given it back.
    pub(crate) fn find(disk: &dyn Disk) -> Result<Option<Self>, OpenError> {
        let file = match disk.open(&path(), OpenMode::Read, Access::Cached) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(failed("open")(source)),
        };
        let length = file.length().map_err(failed("measure"))?;
        let mut header = vec![0; length.min(HEADER_BYTES as u64) as usize];
        let refused = file.read_exact_at(&mut header, 0).err().map(|error| error.to_string());
        Ok(Some(Self { file, length, header, refused }))
    }

    /// True if both were left by the same end.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.length == other.length && self.header == other.header
    }
}

/// Reads the messages that were kept, in the order they were written, and gives each to `take`. Nothing is
/// removed: see [`remove`].
pub(crate) fn read(
    disk: &dyn Disk,
    identity: &[u8; 16],
    take: &mut dyn FnMut(KeptMessage),
) -> Result<KeptFound, OpenError> {
    match Left::find(disk)? {
        Some(left) => read_left(&left, identity, take),
        None => Ok(KeptFound::default()),
    }
}

/// As [`read`], of a file that was found.
pub(crate) fn read_left(
    left: &Left,
    identity: &[u8; 16],
    take: &mut dyn FnMut(KeptMessage),
) -> Result<KeptFound, OpenError> {
    let (file, length) = (&*left.file, left.length);
    let damaged = |kept, read, offset: u64, reason: &str| {
        let damage = format!("{} is damaged at offset {offset}: {reason}", path().display());
        Ok(KeptFound { kept, read, damage: Some(damage) })
    };
    // What cannot be read is as lost as what rotted: nobody is kept from starting by messages that need not
    // outlast a failure.
    if let Some(reason) = &left.refused {
        return damaged(0, 0, 0, reason);
    }
    let Some(header) = left.header.first_chunk() else {
        return damaged(0, 0, 0, "it was cut");
    };
    let header = match Header::decode(header, identity) {
        Ok(header) => header,
        Err(Unusable::Damaged(reason)) => return damaged(0, 0, 0, reason),
        Err(Unusable::Refused(error)) => return Err(error),
    };
    let mut offset = HEADER_BYTES as u64;
    let mut read = 0;
    let mut without_body = None;
    for _ in 0..header.messages {
        match read_message(file, header.nonce, offset, length) {
            Ok(Some((message, end))) => {
                match message {
                    Some(message) => {
                        read += 1;
                        take(message);
                    }
                    None => without_body = without_body.or(Some(offset)),
                }
                offset = end;
            }
            Ok(None) => {
                return damaged(header.messages, read, offset, "there is no message as it was written");
            }
            Err(error) => return damaged(header.messages, read, offset, &error.to_string()),
        }
    }
    match without_body {
        Some(offset) => damaged(header.messages, read, offset, "the checksum of the body is wrong"),
        None => Ok(KeptFound { kept: header.messages, read, damage: None }),
    }
}

/// The message at `offset`, unless its body is not what was kept, and where it ends; none when the bytes
/// are not one.
fn read_message(
    file: &dyn File,
    nonce: u64,
    offset: u64,
    length: u64,
) -> io::Result<Option<(Option<KeptMessage>, u64)>> {
    let left = length.saturating_sub(offset);
    let mut start = [0; PREFIX_BYTES + 4];
    if left < start.len() as u64 {
        return Ok(None);
    }
    file.read_exact_at(&mut start, offset)?;
    let Some(claimed) = record::claimed_length(&start[PREFIX_BYTES..]) else { return Ok(None) };
    let all = PREFIX_BYTES + claimed;
    if all as u64 > left {
        return Ok(None);
    }
    let mut bytes = vec![0; all];
    file.read_exact_at(&mut bytes, offset)?;
    let mut input = Input::new(&bytes);
    if input.u32() != Some(checksum(nonce, offset, &bytes[4..])) {
        return Ok(None);
    }
    let is_whole = record::bodies_are(&bytes[PREFIX_BYTES..], record::body_verifies);
    let end = offset + all as u64;
    Ok(decode(&bytes).map(|message| (is_whole.then_some(message), end)))
}

/// Makes what was kept last no longer: nothing of it comes back at another start.
pub(crate) fn remove(disk: &dyn Disk) -> Result<(), OpenError> {
    let failed = failed("remove");
    match disk.remove(&path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other.map_err(failed)?,
    }
    disk.sync_directory(Path::new(DIRECTORY)).map_err(failed)
}

/// A message with its prefix, whose checksum is not looked at.
#[deny(clippy::indexing_slicing)]
fn decode(bytes: &[u8]) -> Option<KeptMessage> {
    let mut input = Input::new(bytes);
    let (_, backout_count) = (input.u32()?, input.u32()?);
    let mut lists = Lists::default();
    let entry = record::decode(input.rest(), &mut lists)?;
    let Entry::Engine(Record::Put { unit: None, head, descriptor, body: Body::Inline(body) }) = entry else {
        return None;
    };
    let message =
        StoredMessage { descriptor: Bytes::copy_from_slice(descriptor), body: Bytes::copy_from_slice(body) };
    Some(KeptMessage { head, backout_count, message })
}

/// Takes `bytes` for each part of the file in turn.
pub(crate) fn decode_any(bytes: &[u8]) {
    if let Some(header) = bytes.first_chunk() {
        let _ = Header::decode(header, &[7; 16]);
        let _ = Header::decode_content(header);
    }
    let _ = decode(bytes);
}

/// Of a message behind its own checksum.
fn checksum(nonce: u64, offset: u64, bytes: &[u8]) -> u32 {
    let bodies = bytes.get(4..).map_or(0, record::bodies_length);
    Seed::of_nonce(nonce).checksum(offset, [&bytes[..bytes.len() - bodies], &[]])
}

struct Header {
    nonce: u64,
    messages: u64,
}

/// Why a header is not one to go by.
enum Unusable {
    Damaged(&'static str),
    Refused(OpenError),
}

impl Header {
    fn encode(&self, identity: &[u8; 16]) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes[16..32].copy_from_slice(identity);
        bytes[32..40].copy_from_slice(&self.nonce.to_le_bytes());
        bytes[40..48].copy_from_slice(&self.messages.to_le_bytes());
        let sum = checksum::of_page(&bytes);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[deny(clippy::indexing_slicing)]
    fn decode(bytes: &[u8; HEADER_BYTES], identity: &[u8; 16]) -> Result<Self, Unusable> {
        let mut input = Input::new(bytes);
        if input.array() != Some(*MAGIC) {
            return Err(Unusable::Damaged("this is not a file of kept messages"));
        }
        let (version, sum) = (input.u32().unwrap_or(0), input.u32());
        if sum != Some(checksum::of_page(bytes)) {
            return Err(Unusable::Damaged("the checksum of its header is wrong"));
        }
        if version > FORMAT_VERSION {
            let (found, supported) = (version, FORMAT_VERSION);
            return Err(Unusable::Refused(OpenError::NewerVersion { path: path(), found, supported }));
        }
        let found = input.array::<16>().unwrap_or_default();
        if found != *identity {
            let (expected, found) = (identity_text(identity), identity_text(&found));
            return Err(Unusable::Refused(OpenError::WrongQueueManager { path: path(), expected, found }));
        }
        Self::decode_content(bytes).ok_or(Unusable::Damaged("its header makes no sense"))
    }

    #[deny(clippy::indexing_slicing)]
    fn decode_content(bytes: &[u8; HEADER_BYTES]) -> Option<Self> {
        let mut input = Input::new(bytes);
        input.take(32)?;
        Some(Self { nonce: input.u64()?, messages: input.u64()? })
    }
}
