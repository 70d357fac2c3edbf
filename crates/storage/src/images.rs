//! Images that are kept in the directory of the queue manager they are of.
//!
//! Lives here: where they are, and a directory seen as a disk of its own. Lives elsewhere: what is in one (`copy`), giving messages
//! back from one (`mending`).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::{Access, DirectoryLock, Disk, File, OpenMode};

/// The directory of all images; each has one of its own in it, named by the checkpoint it is of.
pub const DIRECTORY: &str = "images";

/// The directory of the image of a checkpoint.
#[must_use]
pub fn path(generation: u64) -> PathBuf {
    Path::new(DIRECTORY).join(format!("{generation:08x}"))
}

/// The images that there are, the newest first: the checkpoint each is of.
///
/// # Errors
/// When their directory cannot be read.
pub fn list(disk: &dyn Disk) -> io::Result<Vec<u64>> {
    let names = match disk.list(Path::new(DIRECTORY)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut generations: Vec<u64> =
        names.iter().filter_map(|name| u64::from_str_radix(name, 16).ok()).collect();
    generations.sort_unstable_by(|one, other| other.cmp(one));
    Ok(generations)
}

/// A directory of a disk as a disk of its own.
#[derive(Clone, Debug)]
pub struct Within {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
}

impl Within {
    /// The directory, which must exist for anything to be made in it.
    #[must_use]
    pub fn new(disk: Arc<dyn Disk>, directory: PathBuf) -> Self {
        Self { disk, directory }
    }

    fn at(&self, path: &Path) -> PathBuf {
        self.directory.join(path)
    }
}

impl Disk for Within {
    fn open(&self, path: &Path, mode: OpenMode, access: Access) -> io::Result<Arc<dyn File>> {
        self.disk.open(&self.at(path), mode, access)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(&self.at(from), &self.at(to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(&self.at(path))
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(&self.at(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.disk.list(&self.at(path))
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_directory(&self.at(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.disk.lock(&self.at(path))
    }

    fn bytes_free(&self) -> io::Result<u64> {
        self.disk.bytes_free()
    }
}
