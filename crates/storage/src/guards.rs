//! The locks of a data directory, and the files that its names led to when they were opened.
//!
//! Lives here: taking the locks, the identities of the manifests, the comparison of a name with the file that
//! is open. Lives elsewhere: the comparison of all that is open, and the end of the log (`whereabouts`).

use std::io;
use std::path::Path;

use platform::sync::Mutex;
use platform::{DirectoryLock, Disk, Identity};

use crate::log::extent::LOG_DIRECTORY;
use crate::manifest;
use crate::store::segment;
use crate::{Found, OpenError, TakenAway};

/// The file that the process of a queue manager holds.
pub(crate) const LOCK: &str = "storage.lock";

/// Locks that are held from the start to the end, outermost first: the data directory itself, so that no
/// other process runs the queue manager although the lock file was moved away; the lock file; the directories
/// of the log and of the store.
#[derive(Debug)]
pub(crate) struct Guards {
    locks: Vec<(&'static Path, Box<dyn DirectoryLock>)>,
}

impl Guards {
    /// The first that was taken away.
    pub(crate) fn taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        self.locks.iter().find_map(|(path, lock)| compare(disk, path, lock.identity().ok()?))
    }

    /// Takes a data directory.
    pub(crate) fn take(disk: &dyn Disk) -> Result<Self, OpenError> {
        let path = Path::new(LOCK);
        let lock = disk.lock(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => OpenError::Absent { path: manifest::path(0) },
            _ => refused(path, source),
        })?;
        let root = directory(disk, "")?;
        Ok(Self { locks: vec![root, (path, lock)] })
    }

    /// Takes the directories in it too, which are there by now.
    pub(crate) fn with_directories(mut self, disk: &dyn Disk) -> Result<Self, OpenError> {
        self.locks.extend([directory(disk, LOG_DIRECTORY)?, directory(disk, segment::DIRECTORY)?]);
        Ok(self)
    }
}

fn directory(
    disk: &dyn Disk,
    path: &'static str,
) -> Result<(&'static Path, Box<dyn DirectoryLock>), OpenError> {
    let path = Path::new(path);
    let lock = disk.lock_directory(path).map_err(|source| refused(path, source))?;
    Ok((path, lock))
}

fn refused(path: &Path, source: io::Error) -> OpenError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::WouldBlock => OpenError::InUse { path, reason: source.to_string() },
        _ => OpenError::Io { doing: "lock", path, source },
    }
}

/// The manifests as they were last written, by the parity of their generation; none where there is none.
#[derive(Debug)]
pub(crate) struct Manifests(Mutex<[Option<Identity>; 2]>);

impl Manifests {
    /// Looks for the manifests that are there.
    pub(crate) fn found(disk: &dyn Disk) -> Self {
        Self(Mutex::new([0, 1].map(|generation| disk.identity(&manifest::path(generation)).ok())))
    }

    /// Runs what writes the manifest of this generation.
    pub(crate) fn change<T>(&self, disk: &dyn Disk, generation: u64, write: impl FnOnce() -> T) -> T {
        let mut known = self.0.lock();
        let written = write();
        known[(generation % 2) as usize] = disk.identity(&manifest::path(generation)).ok();
        written
    }

    /// The first whose name leads elsewhere. One that is being written is looked at the next time.
    pub(crate) fn taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        let known = self.0.try_lock()?;
        (0..).zip(*known).find_map(|(generation, known)| compare(disk, &manifest::path(generation), known?))
    }
}

/// Compares a known file with the one at its path now. One that the system does not let be looked at is not
/// taken away.
pub(crate) fn compare(disk: &dyn Disk, path: &Path, known: Identity) -> Option<TakenAway> {
    let found = match disk.identity(path) {
        Ok(identity) if identity == known => return None,
        Ok(_) => Found::Another,
        Err(error) if is_gone(error.kind()) => Found::Nothing,
        Err(_) => return None,
    };
    let path = disk.seen_by_others(path).unwrap_or_else(|| path.to_owned());
    Some(TakenAway { path, found })
}

fn is_gone(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, StaleNetworkFileHandle};
    matches!(kind, NotFound | NotADirectory | StaleNetworkFileHandle)
}
