//! A directory held open: files that are made in it go there wherever it is moved, never to another of its
//! name.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use platform::Identity;

/// A directory held open.
#[derive(Debug)]
pub(crate) struct HeldDirectory {
    file: File,
    path: PathBuf,
}

impl HeldDirectory {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, path: path.to_owned() })
    }

    /// Its identity, under any name.
    pub(super) fn identity(&self) -> io::Result<Identity> {
        let found = self.file.metadata()?;
        Ok(Identity { device: found.dev(), number: found.ino() })
    }

    /// A path that leads this process there. Where the system has no such, the one it was opened by.
    pub(crate) fn way(&self) -> PathBuf {
        let way = PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()));
        if way.is_dir() { way } else { self.path.clone() }
    }

    /// Where it is now, as others find it.
    pub(super) fn place(&self) -> PathBuf {
        fs::read_link(self.way()).unwrap_or_else(|_| self.path.clone())
    }
}
