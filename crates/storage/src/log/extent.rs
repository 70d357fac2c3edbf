//! One file of the log: `log/<first position, hexadecimal>.seg`.
//!
//! ```text
//! offset  bytes
//!      0      8  magic "FERRYLOG"
//!      8      4  format version
//!     12      4  crc32c of all other bytes up to 48
//!     16     16  identity of the queue manager
//!     32      8  first position
//!     40      8  length of the file
//!     48      …  zeros to 4096
//!   4096      …  blocks
//! ```
//!
//! The page counts in positions: the byte at offset `o` has position first + `o`. A file is written with
//! zeros when it is made, so that no force ever changes its length or its map; used again, it gets a new name
//! and a new page, and what is left from before never verifies at its new position.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::sync::Mutex;
use platform::{Access, AlignedBuffer, BLOCK_ALIGNMENT, Disk, File, Identity, OpenMode};

use super::block::{HEADER_BYTES, Header};
use crate::checksum::{self, Seed, VERSION_OF_NONE};
use crate::input::Input;
use crate::words::positions::COUNTED_MAX;
use crate::{EntryToken, Lsn, ObjectId, OpenError};

/// The directory of the extents.
pub(crate) const LOG_DIRECTORY: &str = "log";

/// The name of the extent that begins at this position.
pub(crate) fn extent_name(first: u64) -> String {
    format!("{first:016x}.seg")
}

/// Its file.
pub(crate) fn extent_path(first: u64) -> PathBuf {
    PathBuf::from(LOG_DIRECTORY).join(extent_name(first))
}

/// The newest format of the log this program reads, and the one it writes.
/// Version 2 has records of messages put together; version 3 units that are prepared, commits that channels
/// count, and puts that are delivered later.
pub(crate) const FORMAT_VERSION: u32 = 3;
/// Blocks begin after the page.
pub(crate) const DATA_OFFSET: u64 = BLOCK_ALIGNMENT as u64;
const MAGIC: &[u8; 8] = b"FERRYLOG";
const PAGE_USED: usize = 48;
/// Zeros that one write adds to a new file.
const ZEROS: usize = 1 << 20;

/// A message whose put, or first fragment, is in an extent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) queue: ObjectId,
    pub(crate) entry: EntryToken,
    /// Its put record.
    pub(crate) at: Lsn,
}

/// State of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// All that it says.
    Known,
    /// All that it says, which is of an older format.
    Older,
    /// The page is lost. The bytes from before the extent was used again are in the place of its first block.
    LostWithoutBlock,
    /// It is lost, and zeros are where the first block would be: as in a new extent, or in one of which more
    /// is lost.
    LostWithZeros,
}

/// An open file of the log.
#[derive(Debug)]
pub(crate) struct Extent {
    pub(crate) first: u64,
    pub(crate) length: u64,
    /// As it was found.
    pub(crate) page: Page,
    pub(crate) file: Arc<dyn File>,
    /// Of the file.
    pub(crate) identity: Identity,
    /// The messages that must be looked at before the file is used again.
    pub(crate) items: Mutex<Vec<Item>>,
}

impl Extent {
    fn of(first: u64, length: u64, page: Page, file: Arc<dyn File>) -> io::Result<Self> {
        let identity = file.identity()?;
        Ok(Self { first, length, page, file, identity, items: Mutex::default() })
    }

    pub(crate) fn end(&self) -> u64 {
        self.first + self.length
    }

    pub(crate) fn path(&self) -> PathBuf {
        extent_path(self.first)
    }

    /// Makes a file of zeros and gives it its name only when it is whole and durable.
    pub(crate) fn create(disk: &dyn Disk, identity: &[u8; 16], first: u64, length: u64) -> io::Result<Self> {
        let unfinished = Path::new("log/unfinished.tmp");
        let made = write_zeros(disk, unfinished, identity, first, length);
        if let Err(error) = made.and_then(|()| name(disk, unfinished, &extent_path(first))) {
            let _ = disk.remove(unfinished);
            return Err(error);
        }
        let file = disk.open(&extent_path(first), OpenMode::Write, Access::Durable)?;
        Self::of(first, length, Page::Known, file)
    }

    /// Opens an existing file and checks that it is the one its name says.
    pub(crate) fn open(
        disk: &dyn Disk,
        identity: &[u8; 16],
        first: u64,
        mode: OpenMode,
    ) -> Result<Self, OpenError> {
        let path = extent_path(first);
        let failed = |doing, source| OpenError::Io { doing, path: extent_path(first), source };
        let file = disk.open(&path, mode, Access::Durable).map_err(|error| failed("open", error))?;
        let found = file.length().map_err(|error| failed("measure", error))?;
        if found < DATA_OFFSET {
            return Err(OpenError::Cut { path, found, expected: DATA_OFFSET });
        }
        let mut page = [0; PAGE_USED];
        file.read_exact_at(&mut page, 0).map_err(|error| failed("read", error))?;
        let (length, version) = check_page(&page, identity, first, &path)?;
        if found < length {
            return Err(OpenError::Cut { path, found, expected: length });
        }
        let page = if version == FORMAT_VERSION { Page::Known } else { Page::Older };
        Self::of(first, length, page, file).map_err(|error| failed("look at", error))
    }

    /// Opens a file whose page is lost, if all of the page's content is known. Either the first block in it
    /// claims to be of this queue manager and in this place, and the file ends where the next extent begins,
    /// if one does, at `end`. Or there is no block in that place yet, but zeros or bytes from before the log
    /// began at `redo`: then nothing is missed if the file is shorter than it was.
    pub(crate) fn open_without_page(
        disk: &dyn Disk,
        seed: Seed,
        first: u64,
        end: Option<u64>,
        redo: u64,
        mode: OpenMode,
    ) -> Option<Self> {
        let file = disk.open(&extent_path(first), mode, Access::Durable).ok()?;
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, DATA_OFFSET).ok()?;
        let length = file.length().ok()?;
        let is_whole = end.is_none_or(|end| end - first == length) && could_be_length(length);
        let page = if Header::claimed(&header, first + DATA_OFFSET, seed).is_some() {
            end.map(|_| Page::Known)
        } else if header == [0; HEADER_BYTES] {
            Some(Page::LostWithZeros)
        } else {
            let before = Header::claimed_anywhere(&header, seed)?;
            (before.at < redo).then_some(Page::LostWithoutBlock)
        };
        let page = page.filter(|_| is_whole)?;
        Self::of(first, length, page, file).ok()
    }

    /// Writes the page again.
    pub(crate) fn write_page(&self, identity: &[u8; 16]) -> io::Result<()> {
        write_page(&*self.file, identity, self.first, self.length)
    }

    /// Gives the file the place in the log that begins at `first`. The page goes first: restart does not read
    /// that far back, so a wrong page under an old name does no harm.
    pub(crate) fn recycle(
        self,
        disk: &dyn Disk,
        identity: &[u8; 16],
        first: u64,
    ) -> Result<Self, NotRecycled> {
        if self.file.length().map_err(|_| NotRecycled::Unfit)? < self.length {
            return Err(NotRecycled::Unfit);
        }
        write_page(&*self.file, identity, first, self.length).map_err(NotRecycled::Write)?;
        name(disk, &self.path(), &extent_path(first)).map_err(|_| NotRecycled::Unfit)?;
        let file = disk
            .open(&extent_path(first), OpenMode::Write, Access::Durable)
            .map_err(|_| NotRecycled::Unfit)?;
        // The file of that name may have been put there by others.
        let extent = Self::of(first, self.length, Page::Known, file);
        extent.ok().filter(|extent| extent.identity == self.identity).ok_or(NotRecycled::Unfit)
    }
}

/// Why an extent is not used again.
#[derive(Debug)]
pub(crate) enum NotRecycled {
    /// Existing log space could not be written: the last act.
    Write(io::Error),
    /// The system refused a name or a file, or the file was cut; another extent may be made in its place.
    Unfit,
}

/// The position in the name of an extent's file; `None` for other names.
pub(crate) fn position_in_name(name: &str) -> Option<u64> {
    let first = u64::from_str_radix(name.strip_suffix(".seg")?, 16).ok()?;
    (extent_name(first) == name).then_some(first)
}

/// Writes an identity as it is shown.
pub(crate) fn identity_text(identity: &[u8; 16]) -> String {
    identity.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_page(file: &dyn File, identity: &[u8; 16], first: u64, length: u64) -> io::Result<()> {
    let mut page = AlignedBuffer::zeroed(BLOCK_ALIGNMENT);
    page.as_mut_slice()[..PAGE_USED].copy_from_slice(&encode_page(identity, first, length));
    file.write_durable(&page, BLOCK_ALIGNMENT, 0)
}

fn could_be_length(length: u64) -> bool {
    (2 * DATA_OFFSET..=COUNTED_MAX).contains(&length) && length.is_multiple_of(DATA_OFFSET)
}

fn write_zeros(disk: &dyn Disk, path: &Path, identity: &[u8; 16], first: u64, length: u64) -> io::Result<()> {
    let file = disk.open(path, OpenMode::Truncate, Access::Cached)?;
    let zeros = vec![0; ZEROS];
    let mut offset = 0;
    while offset < length {
        let bytes = (length - offset).min(ZEROS as u64);
        file.write_at(&zeros[..bytes as usize], offset)?;
        offset += bytes;
    }
    file.write_at(&encode_page(identity, first, length), 0)?;
    file.sync()
}

fn name(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    disk.rename(from, to)?;
    disk.sync_directory(Path::new("log"))
}

fn encode_page(identity: &[u8; 16], first: u64, length: u64) -> [u8; PAGE_USED] {
    let mut page = [0; PAGE_USED];
    page[0..8].copy_from_slice(MAGIC);
    page[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    page[16..32].copy_from_slice(identity);
    page[32..40].copy_from_slice(&first.to_le_bytes());
    page[40..48].copy_from_slice(&length.to_le_bytes());
    let sum = checksum::of_page(&page);
    page[12..16].copy_from_slice(&sum.to_le_bytes());
    page
}

/// The length of the file and the version of its format, as its page says.
#[deny(clippy::indexing_slicing)]
pub(crate) fn check_page(
    page: &[u8],
    identity: &[u8; 16],
    first: u64,
    path: &Path,
) -> Result<(u64, u32), OpenError> {
    let damaged =
        |reason: &str| OpenError::Damaged { path: path.to_owned(), offset: 0, reason: reason.to_owned() };
    let mut input = Input::new(page);
    let fields = (|| {
        let (magic, version, sum) = (input.array::<8>()?, input.u32()?, input.u32()?);
        Some((magic, version, sum, input.array::<16>()?, input.u64()?, input.u64()?))
    })();
    let Some((magic, version, sum, found, position, length)) = fields else {
        return Err(damaged("the first page is cut"));
    };
    if &magic != MAGIC {
        return Err(damaged("this is not an extent of a recovery log"));
    }
    if checksum::of_page(page) != sum {
        return Err(damaged("the checksum of the first page is wrong"));
    }
    if version == 0 {
        let (path, reason) = (path.to_owned(), VERSION_OF_NONE.to_owned());
        return Err(OpenError::OtherBuild { path, offset: 0, reason, found: 0 });
    }
    if version > FORMAT_VERSION {
        return Err(OpenError::NewerVersion {
            path: path.to_owned(),
            found: version,
            supported: FORMAT_VERSION,
        });
    }
    if &found != identity {
        return Err(OpenError::WrongQueueManager {
            path: path.to_owned(),
            expected: identity_text(identity),
            found: identity_text(&found),
        });
    }
    if position != first {
        return Err(damaged("the first page names another position than the file name"));
    }
    if position > COUNTED_MAX || position % DATA_OFFSET != 0 {
        return Err(damaged("the first page names an impossible position"));
    }
    if !could_be_length(length) {
        return Err(damaged("the first page gives an impossible length"));
    }
    Ok((length, version))
}
