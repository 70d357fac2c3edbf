//! The file of users, for its owner alone.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use platform::os::private::{self, Exposure};
use platform::os::text::unmarked;
use rustix::fs::{FlockOperation, flock};

use crate::users::{Users, UsersError};

/// Most bytes of the file.
const FILE_BYTES_MAX: u64 = 8 << 20;

/// Permissions that the file must not give.
const MODE_REFUSED: u32 = 0o077;

/// Why the file is not read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("cannot {what} {path}: {source}")]
    Io {
        /// The attempt.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Others may read or change it.
    #[error("{path} has mode {mode:04o}, so that others may read or change it: set it by `chmod 600 {path}`")]
    Mode {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// Another user owns it.
    #[error("{path} belongs to user {owner}: it must belong to the user of this process, or to root")]
    Owner {
        /// The file.
        path: PathBuf,
        /// The number of its owner.
        owner: u32,
    },
    /// The file is too long.
    #[error("{path} has more than {FILE_BYTES_MAX} bytes")]
    TooLong {
        /// The file.
        path: PathBuf,
    },
    /// The content is not valid.
    #[error("{path}: {source}")]
    Users {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: UsersError,
    },
}

/// The file of users at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsersFile(PathBuf);

impl UsersFile {
    /// The file at this path, which need not be there.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Reads it; without a file there are no users.
    ///
    /// # Errors
    /// When it is not for its owner alone, does not read, or is not right.
    pub fn read(&self) -> Result<Users, FileError> {
        let path = || self.0.clone();
        let refused = |source| FileError::Io { what: "read", path: path(), source };
        let file = match fs::File::open(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Users::default()),
            file => file.map_err(refused)?,
        };
        // Of the file that is open: another may be at the path by now.
        let found = file.metadata().map_err(refused)?;
        match private::exposure(&self.0, &found, MODE_REFUSED) {
            Some(Exposure::Mode(mode)) => return Err(FileError::Mode { path: path(), mode }),
            Some(Exposure::Owner(owner)) => return Err(FileError::Owner { path: path(), owner }),
            None => {}
        }
        let mut text = String::new();
        file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text).map_err(refused)?;
        if text.len() as u64 > FILE_BYTES_MAX {
            return Err(FileError::TooLong { path: path() });
        }
        Users::read(&unmarked(text)).map_err(|source| FileError::Users { path: path(), source })
    }

    /// Reads it, has it changed and writes it, while no other process or thread does.
    ///
    /// # Errors
    /// When it does not read, the system refuses, or the change is none; the file is as it was.
    pub fn change(
        &self,
        change: impl FnOnce(&mut Users) -> Result<(), UsersError>,
    ) -> Result<Result<(), UsersError>, FileError> {
        let refused = |source: io::Error| FileError::Io { what: "lock", path: self.0.clone(), source };
        let folder = self.0.parent().filter(|folder| !folder.as_os_str().is_empty());
        let lock = fs::File::open(folder.unwrap_or_else(|| Path::new("."))).map_err(refused)?;
        flock(&lock, FlockOperation::LockExclusive).map_err(|error| refused(error.into()))?;
        let mut users = self.read()?;
        match change(&mut users) {
            Ok(()) => self.write(&users).map(Ok),
            refused => Ok(refused),
        }
    }

    /// Writes it: beside its place, to the disk, and then renamed.
    ///
    /// # Errors
    /// When the system refuses; the file is as it was.
    pub fn write(&self, users: &Users) -> Result<(), FileError> {
        let written = private::replace(&self.0, users.text().as_bytes());
        written.map_err(|source| FileError::Io { what: "write", path: self.0.clone(), source })
    }
}
