//! Where blocks of the log go: the extents of a data directory.
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
    fn of(extent: &Extent) -> Self {
        Self { first: extent.first, end: extent.end() }
    }

    /// Where its first block begins.
    pub(crate) fn data(self) -> u64 {
        self.first + DATA_OFFSET
    }
}

/// The extents of a data directory, oldest first; those past the end of the log are ready for use.
#[derive(Debug, Default)]
pub(crate) struct LogFiles {
    pub(crate) extents: RwLock<BTreeMap<u64, Arc<Extent>>>,
}

impl LogFiles {
    /// The stretch that begins at `first`, if there is one.
    pub(crate) fn span_from(&self, first: u64) -> Option<Span> {
        self.extents.read().get(&first).map(|extent| Span::of(extent))
    }

    /// The stretch that holds this position, if there is one.
    pub(crate) fn span_at(&self, at: u64) -> Option<Span> {
        self.extent_at(at).map(|extent| Span::of(&extent))
    }

    fn extent_at(&self, at: u64) -> Option<Arc<Extent>> {
        let extents = self.extents.read();
        let (_, extent) = extents.range(..=at).next_back()?;
        (at < extent.end()).then(|| Arc::clone(extent))
    }

    /// Writes the first `length` bytes of `block` at its place; durable on return.
    pub(crate) fn write(&self, at: u64, block: &AlignedBuffer, length: usize) -> Result<(), Fatal> {
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

    /// Fills `buffer` with the bytes from this position on. All of them must have been written.
    pub(crate) fn read(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let extent = self.extent_at(at).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        extent.file.read_exact_at(buffer, at - extent.first)
    }

    /// Keeps the messages of the stretch that begins at `first` for the checkpoint that gives it up.
    pub(crate) fn keep_items(&self, at: u64, items: &[Item]) {
        if let Some(extent) = self.extent_at(at) {
            extent.items.lock().extend_from_slice(items);
        }
    }
}
