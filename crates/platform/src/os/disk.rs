//! A directory of the machine as a [`Disk`].

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fd::OwnedFd;
use rustix::fs::{FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::file::OsFile;
use super::private;
use super::transfer::{naming, uninterrupted, write_fully};
use crate::{Access, DirectoryLock, Disk, File, Identity, OpenMode};

/// Mode of files: for their owner alone, under any mask of the process.
const FILE_MODE: u32 = 0o600;

/// A directory of the machine. Nothing is touched until the first call; `create_directory("")` makes the
/// directory itself.
#[derive(Clone, Debug)]
pub struct OsDisk {
    root: PathBuf,
}

impl OsDisk {
    /// The directory at `root`.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The place of a path of this disk on the machine. A path that would leave the directory is refused.
    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{} is not a path below {}", path.display(), self.root.display()),
            ));
        }
        if path.as_os_str().is_empty() { Ok(self.root.clone()) } else { Ok(self.root.join(path)) }
    }
}

impl Disk for OsDisk {
    fn open(&self, path: &Path, mode: OpenMode, access: Access) -> io::Result<Arc<dyn File>> {
        let place = self.place(path)?;
        let cached = open(&place, flags_of(mode)).map_err(naming("open", &place))?;
        if matches!(mode, OpenMode::CreateNew | OpenMode::Truncate) {
            private::share_open(&place, &cached).map_err(naming("open", &place))?;
        }
        let direct = match (access, mode) {
            (Access::Durable, OpenMode::Write | OpenMode::CreateNew | OpenMode::Truncate) => {
                open_direct(&place).map_err(naming("open", &place))?
            }
            _ => None,
        };
        Ok(Arc::new(OsFile::new(place, cached, direct)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (self.place(from)?, self.place(to)?);
        fs::rename(&from, &to).map_err(naming(&format!("rename to {}", to.display()), &from))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let place = self.place(path)?;
        fs::remove_file(&place).map_err(naming("remove", &place))
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        let place = self.place(path)?;
        private::make_directories(&place).map_err(naming("create the directory", &place))
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        let place = self.place(path)?;
        fs::remove_dir(&place).map_err(naming("remove the directory", &place))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let place = self.place(path)?;
        let mut names = fs::read_dir(&place)
            .and_then(|entries| {
                entries
                    .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                    .collect::<io::Result<Vec<_>>>()
            })
            .map_err(naming("list the directory", &place))?;
        names.sort_unstable();
        Ok(names)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        let place = self.place(path)?;
        open(&place, OFlags::RDONLY | OFlags::DIRECTORY)
            .and_then(|directory| rustix::fs::fsync(directory).map_err(Into::into))
            .map_err(naming("flush the directory", &place))
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        Ok(Box::new(self.take_lock(path)?))
    }

    fn lock_directory(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        Ok(Box::new(hold_directory(&self.place(path)?)?))
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        let place = self.place(path)?;
        let found = uninterrupted(|| rustix::fs::stat(&place)).map_err(naming("look at", &place))?;
        Ok(identity_of(&found))
    }

    fn seen_by_others(&self, path: &Path) -> Option<PathBuf> {
        let place = self.place(path).ok()?;
        Some(std::path::absolute(&place).unwrap_or(place))
    }

    fn bytes_free(&self) -> io::Result<u64> {
        let figures = uninterrupted(|| rustix::fs::statvfs(&self.root))
            .map_err(naming("ask for the free space of", &self.root))?;
        Ok(figures.f_bavail.saturating_mul(figures.f_frsize))
    }
}

impl OsDisk {
    fn take_lock(&self, path: &Path) -> io::Result<OsLock> {
        let place = self.place(path)?;
        let file =
            open(&place, OFlags::RDWR | OFlags::CREATE).map_err(naming("open the lock file", &place))?;
        private::share_open(&place, &file).map_err(naming("open the lock file", &place))?;
        hold(file, &place)
    }
}

/// Takes the lock of a directory. NFS makes locks of files of these, and has none of what cannot be opened
/// for writing.
fn hold_directory(place: &Path) -> io::Result<OsLock> {
    let file =
        open(place, OFlags::RDONLY | OFlags::DIRECTORY).map_err(naming("open the directory", place))?;
    match uninterrupted(|| rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(held_by_another(place)),
        Ok(()) | Err(_) => {}
    }
    is_still_there(&file, place)?;
    Ok(OsLock { file, owner: std::process::id() })
}

/// Identity of a file or directory that the system described.
pub(super) fn identity_of(found: &Stat) -> Identity {
    Identity { device: found.st_dev, number: found.st_ino }
}

/// Takes the lock of a file that was opened at this place.
fn hold(file: OwnedFd, place: &Path) -> io::Result<OsLock> {
    match uninterrupted(|| rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(held_by_another(place)),
        Err(error) => return Err(naming("lock", place)(error)),
    }
    is_still_there(&file, place)?;
    write_holder(&file).map_err(naming("write the lock file", place))?;
    Ok(OsLock { file, owner: std::process::id() })
}

/// Refuses a lock of what is not at its place any more: its holder before may have removed or moved the
/// directory, and then it guards nothing that is found here.
fn is_still_there(locked: &OwnedFd, place: &Path) -> io::Result<()> {
    let held = uninterrupted(|| rustix::fs::fstat(locked)).map_err(naming("look at the lock file", place))?;
    let there = uninterrupted(|| rustix::fs::stat(place)).map_err(naming("look at the lock file", place))?;
    if identity_of(&held) == identity_of(&there) {
        return Ok(());
    }
    let words = format!("{} is another file than the one that was locked", place.display());
    Err(io::Error::new(io::ErrorKind::NotFound, words))
}

/// The kernel drops the lock with the last descriptor of the file, also when the process dies.
#[derive(Debug)]
struct OsLock {
    file: OwnedFd,
    /// The process that took it.
    owner: u32,
}

impl DirectoryLock for OsLock {
    fn identity(&self) -> io::Result<Identity> {
        Ok(identity_of(&uninterrupted(|| rustix::fs::fstat(&self.file))?))
    }
}

impl Drop for OsLock {
    /// A child that was just forked has the descriptor as well until it runs its own program, and must not
    /// hold up the next owner; nor may it, by dropping a lock it never owned, admit another owner beside its
    /// parent.
    fn drop(&mut self) {
        if self.owner == std::process::id() {
            let _ = rustix::fs::flock(&self.file, FlockOperation::Unlock);
        }
    }
}

fn flags_of(mode: OpenMode) -> OFlags {
    match mode {
        OpenMode::Read => OFlags::RDONLY,
        OpenMode::Write => OFlags::RDWR,
        OpenMode::CreateNew => OFlags::RDWR | OFlags::CREATE | OFlags::EXCL,
        OpenMode::Truncate => OFlags::RDWR | OFlags::CREATE | OFlags::TRUNC,
    }
}

fn open(place: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    uninterrupted(|| rustix::fs::open(place, flags | OFlags::CLOEXEC, Mode::from_raw_mode(FILE_MODE)))
}

/// A second descriptor past the page cache, or none where the file system refuses such.
fn open_direct(place: &Path) -> io::Result<Option<OwnedFd>> {
    match open(place, OFlags::WRONLY | OFlags::DIRECT | OFlags::DSYNC) {
        Ok(file) => Ok(Some(file)),
        Err(error) if refuses_direct(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// True if an existing file can be written past the page cache.
pub(super) fn takes_direct(place: &Path) -> io::Result<bool> {
    open_direct(place).map(|file| file.is_some())
}

/// True if the error means that the file system has no direct writes, rather than a failure.
pub(super) fn refuses_direct(error: &io::Error) -> bool {
    [Errno::INVAL, Errno::OPNOTSUPP]
        .iter()
        .any(|refusal| error.raw_os_error() == Some(refusal.raw_os_error()))
}

fn write_holder(file: &OwnedFd) -> io::Result<()> {
    let holder = format!("{}\n", std::process::id());
    uninterrupted(|| rustix::fs::ftruncate(file, 0))?;
    write_fully(holder.len(), 1, |done| rustix::io::pwrite(file, &holder.as_bytes()[done..], done as u64))
}

fn held_by_another(place: &Path) -> io::Error {
    let holder = fs::read_to_string(place).unwrap_or_default();
    let holder = match holder.trim().parse::<u32>() {
        Ok(process) => format!("process {process}"),
        Err(_) => "another process".to_owned(),
    };
    io::Error::new(
        io::ErrorKind::WouldBlock,
        format!("{} is locked by {holder}: end it first, or use another directory", place.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As between the start of a queue manager and its deletion: the one opens the file, the other locks it,
    /// removes all and lets go.
    #[test]
    fn a_lock_file_that_is_not_there_any_more_guards_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("lock");
        let opened = || open(&place, OFlags::RDWR | OFlags::CREATE).unwrap();
        let file = opened();
        fs::remove_file(&place).unwrap();
        assert_eq!(hold(file, &place).unwrap_err().kind(), io::ErrorKind::NotFound);
        let file = opened();
        fs::remove_file(&place).unwrap();
        let _new = hold(opened(), &place).unwrap();
        assert_eq!(hold(file, &place).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_lock_that_was_let_go_is_free_though_a_child_has_the_descriptor() {
        let directory = tempfile::tempdir().unwrap();
        let disk = OsDisk::at(directory.path());
        let name = Path::new("lock");
        let lock = disk.take_lock(name).unwrap();
        // As a forked child has it.
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        let again = disk.take_lock(name).unwrap();
        drop(inherited);

        // A child's own end is none of its parent's.
        drop(OsLock { file: again.file.try_clone().unwrap(), owner: again.owner.wrapping_add(1) });
        assert_eq!(disk.take_lock(name).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }
}
