//! Where blocks of the log go: the seam behind which the log may be a set of files, memory, or later a
//! replicated log.
//!
//! Called once a block, never once a record.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use platform::AlignedBuffer;
use platform::sync::RwLock;

use super::extent::{DATA_OFFSET, Extent, Item, extent_path};
use crate::Fatal;

/// A stretch of positions that one block may not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: u64,
    pub(crate) end: u64,
}

impl Span {
    /// Where its first block begins.
    pub(crate) fn data(self) -> u64 {
        self.first + DATA_OFFSET
    }
}

/// Where blocks go.
#[derive(Debug)]
pub(crate) enum LogStore {
    /// Files of a data directory.
    File(FileLog),
    /// Memory: for tests, and one day for queue managers that need not last.
    #[cfg_attr(not(test), expect(dead_code, reason = "for tests until a setting asks for it"))]
    Memory(MemoryLog),
}

/// The extents of a data directory, oldest first; those past the end of the log are ready for use.
#[derive(Debug, Default)]
pub(crate) struct FileLog {
    pub(crate) extents: RwLock<BTreeMap<u64, Arc<Extent>>>,
}

/// Blocks in memory.
#[derive(Debug)]
pub(crate) struct MemoryLog {
    blocks: RwLock<BTreeMap<u64, Box<[u8]>>>,
    extent_bytes: u64,
}

impl LogStore {
    /// The stretch that begins at `first`, if there is one.
    pub(crate) fn span_from(&self, first: u64) -> Option<Span> {
        match self {
            Self::File(log) => {
                let extents = log.extents.read();
                extents.get(&first).map(|extent| Span { first, end: extent.end() })
            }
            Self::Memory(log) => Some(Span { first, end: first.saturating_add(log.extent_bytes) }),
        }
    }

    /// The stretch that holds this position, which must exist.
    pub(crate) fn span_at(&self, at: u64) -> Option<Span> {
        match self {
            Self::File(log) => {
                log.extent_at(at).map(|extent| Span { first: extent.first, end: extent.end() })
            }
            Self::Memory(log) => self.span_from(at - at % log.extent_bytes),
        }
    }

    /// Writes the first `length` bytes of `block` at its place; durable on return.
    pub(crate) fn write(&self, at: u64, block: &AlignedBuffer, length: usize) -> Result<(), Fatal> {
        match self {
            Self::File(log) => log.write(at, block, length),
            Self::Memory(log) => {
                log.blocks.write().insert(at, block.as_slice()[..length].into());
                Ok(())
            }
        }
    }

    /// Fills `buffer` with the bytes from this position on. All of them must have been written.
    pub(crate) fn read(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File(log) => {
                let extent = log.extent_at(at).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
                extent.file.read_exact_at(buffer, at - extent.first)
            }
            Self::Memory(log) => log.read(at, buffer),
        }
    }

    /// Keeps the messages of the stretch that begins at `first` for the checkpoint that gives it up.
    pub(crate) fn keep_items(&self, at: u64, items: &[Item]) {
        if let Self::File(log) = self
            && let Some(extent) = log.extent_at(at)
        {
            extent.items.lock().extend_from_slice(items);
        }
    }

    /// The files, where there are files.
    pub(crate) fn files(&self) -> Option<&FileLog> {
        match self {
            Self::File(log) => Some(log),
            Self::Memory(_) => None,
        }
    }
}

impl FileLog {
    pub(crate) fn extent_at(&self, at: u64) -> Option<Arc<Extent>> {
        let extents = self.extents.read();
        let (_, extent) = extents.range(..=at).next_back()?;
        (at < extent.end()).then(|| Arc::clone(extent))
    }

    fn write(&self, at: u64, block: &AlignedBuffer, length: usize) -> Result<(), Fatal> {
        let extent = self.extent_at(at).ok_or_else(|| Fatal::Refused {
            operation: "write",
            path: extent_path(at),
            offset: 0,
            source: Arc::new(io::Error::other("there is no extent for a block that was promised one")),
        })?;
        #[cfg(feature = "planted")]
        if crate::planted::is(crate::planted::Fault::NoFlush) {
            let _ = extent.file.write_at(&block.as_slice()[..length], at - extent.first);
            return Ok(());
        }
        extent.file.write_durable(block, length, at - extent.first).map_err(|source| Fatal::Refused {
            operation: "write",
            path: extent.path(),
            offset: at - extent.first,
            source: Arc::new(source),
        })
    }
}

impl MemoryLog {
    #[cfg(test)]
    pub(crate) fn new(extent_bytes: u64) -> Self {
        Self { blocks: RwLock::default(), extent_bytes }
    }

    fn read(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let blocks = self.blocks.read();
        let mut done = 0;
        while done < buffer.len() {
            let from = at + done as u64;
            let (start, block) = blocks.range(..=from).next_back().ok_or(io::ErrorKind::NotFound)?;
            let bytes = block.get((from - start) as usize..).filter(|bytes| !bytes.is_empty());
            let bytes = bytes.ok_or(io::ErrorKind::UnexpectedEof)?;
            let count = bytes.len().min(buffer.len() - done);
            buffer[done..done + count].copy_from_slice(&bytes[..count]);
            done += count;
        }
        Ok(())
    }
}
