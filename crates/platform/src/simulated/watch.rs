//! A disk that asks a test before it writes.
//!
//! Lives here: [`Watch`], with the decisions of a test, and [`WatchedDisk`], which does as they say.
//! Lives elsewhere: a disk that fails by itself (`disk`).

use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Access, AlignedBuffer, DirectoryLock, Disk, File, Identity, OpenMode};

/// The decisions of a test: each call may wait, and an error is the outcome of the operation.
pub trait Watch: Debug + Send + Sync + 'static {
    /// Bytes are to be written to a file.
    ///
    /// # Errors
    /// The answer to the writer.
    fn before_write(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Ok(())
    }

    /// Bytes are to be made durable.
    ///
    /// # Errors
    /// The answer to the writer.
    fn before_force(&self, path: &Path) -> io::Result<()> {
        let _ = path;
        Ok(())
    }

    /// A file has a new name.
    fn renamed(&self, to: &Path) {
        let _ = to;
    }
}

/// A disk with a watch.
#[derive(Debug)]
pub struct WatchedDisk<W> {
    /// The disk below.
    pub disk: Arc<dyn Disk>,
    /// The test's part.
    pub watch: Arc<W>,
}

#[derive(Debug)]
struct WatchedFile<W> {
    file: Arc<dyn File>,
    path: PathBuf,
    watch: Arc<W>,
}

impl<W: Watch> Disk for WatchedDisk<W> {
    fn open(&self, path: &Path, mode: OpenMode, access: Access) -> io::Result<Arc<dyn File>> {
        let file = self.disk.open(path, mode, access)?;
        Ok(Arc::new(WatchedFile { file, path: path.to_owned(), watch: Arc::clone(&self.watch) }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)?;
        self.watch.renamed(to);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.remove_directory(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.disk.list(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_directory(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.disk.lock(path)
    }

    fn lock_directory(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.disk.lock_directory(path)
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        self.disk.identity(path)
    }

    fn bytes_free(&self) -> io::Result<u64> {
        self.disk.bytes_free()
    }
}

impl<W: Watch> File for WatchedFile<W> {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.watch.before_write(&self.path)?;
        self.file.write_at(bytes, offset)
    }

    fn write_durable(&self, buffer: &AlignedBuffer, length: usize, offset: u64) -> io::Result<()> {
        self.watch.before_force(&self.path)?;
        self.file.write_durable(buffer, length, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.watch.before_force(&self.path)?;
        self.file.sync()
    }

    fn identity(&self) -> io::Result<Identity> {
        self.file.identity()
    }

    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.file.set_length(length)
    }
}
