//! The files that are open, compared with those that a start would open.
//!
//! Lives here: the comparison of the directories, the lock, the extents, the manifests and the segments with
//! those on disk, and the end of the log when some of them were taken away. Lives elsewhere: the callers (the
//! host, and each part that is about to make a file here).
//!
//! Always: an extent or a segment is known here only while its name leads to it: it is left out before its
//! file is renamed or removed, and taken in after its file has its name. So one that is still known after its
//! name led elsewhere was taken away.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use platform::sync::Mutex;
use platform::{DirectoryLock, Disk, Identity};

use crate::inner::Inner;
use crate::log::{LOG_DIRECTORY, extent_path};
use crate::manifest;
use crate::recovery::LOCK;
use crate::store::segment;
use crate::{Fatal, OpenError};

/// A file or directory of a running queue manager that its name does not lead to any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {found} while the queue manager runs, so the next start would not open what this one has open: put back what was there, then start it", path.display())]
pub struct TakenAway {
    /// The path, from the root of the file system where that is known.
    pub path: PathBuf,
    /// The thing that it leads to now.
    pub found: Found,
}

/// The thing that a name leads to in place of the file that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// Another file or directory.
    Another,
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nothing => "was removed or renamed",
            Self::Another => "was replaced",
        })
    }
}

/// Locks that are held from the start to the end, outermost first: the data directory itself, so that no
/// other process runs the queue manager although the lock file was moved away; the lock file; the directories
/// of the log and of the store.
#[derive(Debug)]
pub(crate) struct Guards {
    locks: Vec<(&'static Path, Box<dyn DirectoryLock>)>,
}

impl Guards {
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
    fn taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        let known = self.0.try_lock()?;
        (0..).zip(*known).find_map(|(generation, known)| compare(disk, &manifest::path(generation), known?))
    }
}

/// Compares a known file with the one at its path now. One that the system does not let be looked at is not
/// taken away.
fn compare(disk: &dyn Disk, path: &Path, known: Identity) -> Option<TakenAway> {
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

impl Inner {
    /// Ends the log if something of it was taken away: nothing becomes durable after this says so.
    pub(crate) fn look_at_files(&self) -> Result<(), Fatal> {
        let Some(taken_away) = self.taken_away() else { return Ok(()) };
        let fatal = Fatal::TakenAway(taken_away);
        if self.log.failure().is_none() {
            self.log.fence(fatal.clone());
        }
        Err(fatal)
    }

    /// The first of what is open that a start would not open.
    fn taken_away(&self) -> Option<TakenAway> {
        let disk = &*self.world.disk;
        let held =
            || self.guards.locks.iter().find_map(|(path, lock)| compare(disk, path, lock.identity().ok()?));
        held()
            .or_else(|| self.extent_taken_away(disk))
            .or_else(|| self.manifests.taken_away(disk))
            .or_else(|| self.segment_taken_away(disk))
    }

    fn extent_taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        let files = self.log.place.files()?;
        // Copied: names are not looked at under the lock, which a write of the log takes.
        let known: Vec<(u64, Identity)> =
            files.extents.read().values().map(|extent| (extent.first, extent.identity)).collect();
        known.into_iter().find_map(|(first, identity)| {
            let taken_away = compare(disk, &extent_path(first), identity)?;
            files.extents.read().contains_key(&first).then_some(taken_away)
        })
    }

    fn segment_taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        self.store.identities().into_iter().find_map(|(number, identity)| {
            let taken_away = compare(disk, &segment::path(number), identity)?;
            self.store.has(number).then_some(taken_away)
        })
    }
}
