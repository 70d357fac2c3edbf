//! An open file of the machine.

use std::io;
use std::num::NonZeroU64;
use std::path::PathBuf;

use rustix::fd::OwnedFd;
use rustix::fs::{Advice, fadvise};

use super::disk::{identity_of, refuses_direct};
use super::transfer::{naming, read_fully, uninterrupted, write_fully};
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::{AlignedBuffer, BLOCK_ALIGNMENT, File, Identity};

/// Two descriptors of one file: one through the page cache, and, for durable files where the file system
/// takes it, one past it. The kernel drops cached pages that a direct write covers, so both see the same
/// bytes.
#[derive(Debug)]
pub(super) struct OsFile {
    path: PathBuf,
    cached: OwnedFd,
    direct: Option<OwnedFd>,
    /// Set when a file system let itself be opened for direct writes and then refused one.
    direct_refused: AtomicBool,
}

impl OsFile {
    pub(super) fn new(path: PathBuf, cached: OwnedFd, direct: Option<OwnedFd>) -> Self {
        Self { path, cached, direct, direct_refused: AtomicBool::new(false) }
    }

    fn write_cached(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        write_fully(bytes.len(), 1, |done| {
            rustix::io::pwrite(&self.cached, &bytes[done..], offset + done as u64)
        })
    }
}

impl File for OsFile {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        read_fully(buffer.len(), |done| {
            rustix::io::pread(&self.cached, &mut buffer[done..], offset + done as u64)
        })
        .map_err(naming(&format!("read at offset {offset} of"), &self.path))
    }

    fn will_read(&self, offset: u64, length: u64) {
        // What is not fetched early is read when it is asked for, and says then what is wrong.
        let _ = fadvise(&self.cached, offset, NonZeroU64::new(length), Advice::WillNeed);
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write_cached(bytes, offset).map_err(naming(&format!("write at offset {offset} of"), &self.path))
    }

    /// # Panics
    /// When offset or length is no multiple of [`BLOCK_ALIGNMENT`].
    fn write_durable(&self, buffer: &AlignedBuffer, length: usize, offset: u64) -> io::Result<()> {
        assert!(
            length.is_multiple_of(BLOCK_ALIGNMENT) && offset.is_multiple_of(BLOCK_ALIGNMENT as u64),
            "{length} bytes at offset {offset} are not whole blocks",
        );
        let bytes = &buffer.as_slice()[..length];
        let failed = |error| naming(&format!("write durably at offset {offset} of"), &self.path)(error);
        if let Some(direct) = self.direct.as_ref().filter(|_| !self.direct_refused.load(Ordering::Relaxed)) {
            let written = write_fully(length, BLOCK_ALIGNMENT, |done| {
                rustix::io::pwrite(direct, &bytes[done..], offset + done as u64)
            });
            match written {
                Err(error) if refuses_direct(&error) => self.direct_refused.store(true, Ordering::Relaxed),
                other => return other.map_err(failed),
            }
        }
        self.write_cached(bytes, offset).map_err(failed)?;
        // Not repeated when interrupted: what a second flush says about the first one's bytes is nothing.
        rustix::fs::fdatasync(&self.cached).map_err(|error| failed(error.into()))
    }

    fn sync(&self) -> io::Result<()> {
        rustix::fs::fsync(&self.cached).map_err(|error| naming("flush", &self.path)(error.into()))
    }

    fn identity(&self) -> io::Result<Identity> {
        let found =
            rustix::fs::fstat(&self.cached).map_err(|error| naming("look at", &self.path)(error.into()))?;
        Ok(identity_of(&found))
    }

    fn length(&self) -> io::Result<u64> {
        let figures = rustix::fs::fstat(&self.cached)
            .map_err(|error| naming("ask for the length of", &self.path)(error.into()))?;
        Ok(u64::try_from(figures.st_size).unwrap_or(0))
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        uninterrupted(|| rustix::fs::ftruncate(&self.cached, length))
            .map_err(naming(&format!("set the length {length} of"), &self.path))
    }
}
