//! Bytes that last: the traits [`Disk`] and [`File`].
//!
//! A [`Disk`] is one data directory; paths are relative to it. The contract is the weakest that POSIX and
//! honest devices give, so that code which is right against it is right on every machine:
//!
//! - `File::write_at` reaches the file for later readers at once, but may be lost, wholly or in any of its
//!   512-byte sectors, until `File::sync` returned.
//! - `File::write_durable` is on stable storage when it returns. Its buffer, offset and length are multiples
//!   of [`crate::BLOCK_ALIGNMENT`].
//! - Names (create, rename, remove) last after `Disk::sync_directory`.
//! - After a failed `sync` or `write_durable` the state of the bytes involved is unknown; the caller must not
//!   try again on that file to find out.

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::AlignedBuffer;

/// Way of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// Must exist, is read only.
    Read,
    /// Must exist, is read and written.
    Write,
    /// Must not exist, is created, read and written.
    CreateNew,
    /// Is created or emptied, read and written.
    Truncate,
}

/// Purpose of the writes to a file, from which the machine chooses its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Ordinary file: cached writes, `sync` when it matters.
    Cached,
    /// Recovery log: every write is `write_durable` on bytes that exist already.
    /// `O_DIRECT | O_DSYNC` where the file system takes it, otherwise write and `fdatasync`.
    Durable,
}

/// Identity of a file or directory, whichever name leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The file system.
    pub device: u64,
    /// The number there.
    pub number: u64,
}

/// One data directory.
pub trait Disk: Send + Sync + Debug {
    /// Opens a file.
    fn open(&self, path: &Path, mode: OpenMode, access: Access) -> io::Result<Arc<dyn File>>;
    /// Renames within the directory tree, replacing what `to` named.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Creates a directory and its parents; an existing one is fine.
    fn create_directory(&self, path: &Path) -> io::Result<()>;
    /// Removes a directory that is empty.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;
    /// The names in a directory, sorted; an absent directory is an error.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Makes creations, renames and removals in this directory last.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
    /// Takes the exclusive lock of a file, which is made when absent; held until the value is dropped.
    /// `WouldBlock` when another holder lives.
    fn lock(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>>;
    /// Takes the exclusive lock of a directory likewise; `NotFound` when there is none. On a file system
    /// without such locks it is held open only.
    fn lock_directory(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>>;
    /// Identity of what is at a path now; `NotFound` when nothing is.
    fn identity(&self, path: &Path) -> io::Result<Identity>;
    /// Bytes free for unprivileged writers, where the file system tells.
    fn bytes_free(&self) -> io::Result<u64>;
    /// Where other programs of the machine find a path of this disk, if they can look there at all.
    fn seen_by_others(&self, _path: &Path) -> Option<PathBuf> {
        None
    }
}

/// Proof that this process owns a data directory.
pub trait DirectoryLock: Send + Sync + Debug {
    /// Identity of the file or directory that is locked.
    fn identity(&self) -> io::Result<Identity>;
}

/// One open file. Offsets are absolute; there is no cursor, so a file may be shared between threads.
pub trait File: Send + Sync + Debug {
    /// Fills `buffer` from `offset`; `UnexpectedEof` when the file ends first.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
    /// A hint that this stretch is read soon: a disk may fetch it while its caller does something else.
    fn will_read(&self, _offset: u64, _length: u64) {}
    /// Writes all of `bytes` at `offset`, extending the file if need be.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    /// Writes the first `length` bytes of `buffer` at `offset`; durable on return. Never extends the file.
    fn write_durable(&self, buffer: &AlignedBuffer, length: usize, offset: u64) -> io::Result<()>;
    /// Makes everything written so far, and the length, last.
    fn sync(&self) -> io::Result<()>;
    /// Identity of the file that is open.
    fn identity(&self) -> io::Result<Identity>;
    /// The length in bytes.
    fn length(&self) -> io::Result<u64>;
    /// Cuts or extends (with zeros) the file.
    fn set_length(&self, length: u64) -> io::Result<()>;
}
