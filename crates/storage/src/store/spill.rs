//! Messages that need not outlive this run, put aside for lack of memory: `spill/<number, hexadecimal>.tmp`.
//!
//! A message takes whole pages of [`PAGE_BYTES`]: crc32c (4), descriptor length (4), body length (8),
//! descriptor, body. Nothing here is flushed. Files are removed when nothing in them is wanted, and all of
//! them at start.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use platform::sync::Mutex;
use platform::{Access, Disk, File, OpenMode};

use crate::checksum::Seed;
use crate::input::Input;
use crate::{Location, OutOfSpace, ReadError, StoredMessage};

/// Unit of a location: small, so that a short message does not take much more than its bytes.
pub(crate) const PAGE_BYTES: u64 = 256;
/// A file is full at this many bytes.
const FILE_BYTES: u64 = 64 << 20;
/// A file in which nothing is wanted goes on being filled up to this many bytes, to spare making files.
const IDLE_FILE_BYTES: u64 = 1 << 20;
const HEADER_BYTES: usize = 16;

/// The spill files of this run.
#[derive(Debug)]
pub(crate) struct Spill {
    disk: Arc<dyn Disk>,
    bytes_max: u64,
    files: Mutex<Files>,
}

#[derive(Debug, Default)]
struct Files {
    open: BTreeMap<u32, SpillFile>,
    /// The one being filled.
    current: Option<u32>,
    next: u32,
    /// Of all files.
    bytes: u64,
}

#[derive(Debug)]
struct SpillFile {
    file: Arc<dyn File>,
    used: u64,
    wanted: u32,
}

impl Spill {
    /// Without limit when `bytes_max` is 0.
    pub(crate) fn new(disk: Arc<dyn Disk>, bytes_max: u64) -> Self {
        Self { disk, bytes_max, files: Mutex::default() }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.files.lock().bytes
    }

    pub(crate) fn write(&self, descriptor: &[u8], body: &[u8]) -> Result<Location, OutOfSpace> {
        let length = HEADER_BYTES + descriptor.len() + body.len();
        let pages = (length as u64).div_ceil(PAGE_BYTES) * PAGE_BYTES;
        let refused = |reason: String| OutOfSpace { wanted: pages, reason };
        let (number, offset, file) = self.allocate(pages)?;
        let page = u32::try_from(offset / PAGE_BYTES).expect("a spill file is small");
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(descriptor.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(descriptor);
        bytes.extend_from_slice(body);
        let sum = checksum(number, page, &bytes[4..]);
        bytes[..4].copy_from_slice(&sum.to_le_bytes());
        if let Err(error) = file.write_at(&bytes, offset) {
            self.release(number, page);
            return Err(refused(format!("{error}; free space on the disk")));
        }
        Ok(Location::Spill { file: number, page })
    }

    fn allocate(&self, bytes: u64) -> Result<(u32, u64, Arc<dyn File>), OutOfSpace> {
        let mut files = self.files.lock();
        if self.bytes_max > 0 && files.bytes + bytes > self.bytes_max {
            let reason = format!("spill files may take {} bytes; raise spill_bytes_max", self.bytes_max);
            return Err(OutOfSpace { wanted: bytes, reason });
        }
        let full = |file: &SpillFile| file.used > 0 && file.used + bytes > FILE_BYTES;
        if let Some(current) = files.current
            && files.open.get(&current).is_none_or(full)
        {
            files.current = None;
        }
        let number = match files.current {
            Some(current) => current,
            None => self.add_file(&mut files).map_err(|error| OutOfSpace {
                wanted: bytes,
                reason: format!("{error}; free space on the disk"),
            })?,
        };
        files.bytes += bytes;
        let file = files.open.get_mut(&number).expect("the current file is open");
        let offset = file.used;
        file.used += bytes;
        file.wanted += 1;
        Ok((number, offset, Arc::clone(&file.file)))
    }

    fn add_file(&self, files: &mut Files) -> io::Result<u32> {
        let number = files.next;
        let file = self.disk.open(&path(number), OpenMode::Truncate, Access::Cached)?;
        files.next += 1;
        files.open.insert(number, SpillFile { file, used: 0, wanted: 0 });
        files.current = Some(number);
        Ok(number)
    }

    pub(crate) fn release(&self, number: u32, page: u32) {
        let _ = page;
        let mut files = self.files.lock();
        let current = files.current == Some(number);
        let Some(file) = files.open.get_mut(&number) else { return };
        file.wanted = file.wanted.saturating_sub(1);
        if file.wanted > 0 || (current && file.used < IDLE_FILE_BYTES) {
            return;
        }
        let used = file.used;
        files.open.remove(&number);
        files.bytes -= used;
        if current {
            files.current = None;
        }
        drop(files);
        // What cannot be removed now is removed at the next start.
        let _ = self.disk.remove(&path(number));
    }

    pub(crate) fn read(&self, number: u32, page: u32) -> Result<StoredMessage, ReadError> {
        let gone = || ReadError::Moved(Location::Spill { file: number, page });
        let file = self.files.lock().open.get(&number).map(|file| Arc::clone(&file.file));
        let file = file.ok_or_else(gone)?;
        let offset = u64::from(page) * PAGE_BYTES;
        let failed = |source| ReadError::Io { path: path(number), source };
        let damaged =
            |reason: &str| ReadError::Damaged { path: path(number), offset, reason: reason.to_owned() };
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, offset).map_err(failed)?;
        let (sum, descriptor, body) = read_header(&header).ok_or_else(|| damaged("there is no message"))?;
        let length = length_at(offset, descriptor, body);
        let length = length.ok_or_else(|| damaged("the message has an impossible length"))?;
        let mut bytes = vec![0; HEADER_BYTES + length];
        file.read_exact_at(&mut bytes, offset).map_err(failed)?;
        if checksum(number, page, &bytes[4..]) != sum {
            return Err(damaged("the checksum of the message is wrong"));
        }
        let mut body = Bytes::from(bytes).split_off(HEADER_BYTES);
        let descriptor = body.split_to(descriptor);
        Ok(StoredMessage { descriptor, body })
    }
}

fn checksum(number: u32, page: u32, bytes: &[u8]) -> u32 {
    Seed::of_nonce(u64::from(number)).checksum(u64::from(page), [bytes, &[]])
}

#[deny(clippy::indexing_slicing)]
fn read_header(header: &[u8; HEADER_BYTES]) -> Option<(u32, usize, u64)> {
    let mut input = Input::new(header);
    Some((input.u32()?, input.u32()? as usize, input.u64()?))
}

/// Bytes of descriptor and body of a message at an offset, when they can be so many.
fn length_at(offset: u64, descriptor: usize, body: u64) -> Option<usize> {
    let length = body.checked_add(descriptor as u64)?;
    let end = length.checked_add(offset)?;
    (end <= u64::from(u32::MAX)).then_some(length as usize)
}

/// Takes `bytes` for the header of a message, at an offset that they begin with.
pub(crate) fn decode_any(bytes: &[u8]) {
    if let Some((offset, rest)) = bytes.split_first_chunk()
        && let Some((_, descriptor, body)) = rest.first_chunk().and_then(read_header)
    {
        let _ = length_at(u64::from_le_bytes(*offset), descriptor, body);
    }
}

fn path(number: u32) -> PathBuf {
    Path::new("spill").join(format!("{number:08x}.tmp"))
}

#[cfg(test)]
mod tests {
    use platform::simulated::Machine;

    use super::*;

    #[test]
    fn a_message_of_an_impossible_length_is_damaged() {
        let world = Machine::new(1).world();
        world.disk.create_directory(Path::new("spill")).unwrap();
        let spill = Spill::new(Arc::clone(&world.disk), 0);
        for lengths in [(0, u64::MAX), (u32::MAX, u64::MAX), (1, u64::MAX - 1), (0, 1 << 40)] {
            spill.write(b"descriptor", b"body").unwrap();
            let Location::Spill { file: number, page } = spill.write(b"descriptor", b"body").unwrap() else {
                panic!("it is in a spill file");
            };
            assert_eq!(&spill.read(number, page).unwrap().body[..], b"body");
            let file = world.disk.open(&path(number), OpenMode::Write, Access::Cached).unwrap();
            let at = u64::from(page) * PAGE_BYTES;
            file.write_at(&u32::to_le_bytes(lengths.0), at + 4).unwrap();
            file.write_at(&u64::to_le_bytes(lengths.1), at + 8).unwrap();
            let error = spill.read(number, page).unwrap_err();
            assert!(matches!(error, ReadError::Damaged { .. }), "{lengths:?}: {error}");
        }
    }
}
