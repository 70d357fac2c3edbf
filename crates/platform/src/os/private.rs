//! Files and directories for their owner alone, such as messages, keys and hashes of passwords.
//!
//! Lives here: making them, the check that a file is private, and the one exception: a directory that is
//! shared with group 0, as `ferry container` makes it where its own group is 0. A container is given another
//! user at each start then, and group 0 always. What is made in a shared directory is shared as well.
//! A platform may give all files of a volume another group at each mount, which the process is in too
//! (`fsGroup` of Kubernetes): a shared directory stays one.
//!
//! Always: the directory alone says which of the two holds, by a mode that no other directory has; a mask of
//! the process changes neither.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown,
};
use std::path::Path;

use rustix::fd::AsFd;
use rustix::fs::Mode;
use rustix::process::{getegid, geteuid, getgroups};

const FILE_MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;

/// A file of a shared directory.
const SHARED_FILE_MODE: u32 = 0o660;

/// A shared directory: new files in it have its group.
const SHARED_DIRECTORY_MODE: u32 = 0o2770;

/// The bits of a group.
const OF_GROUP: u32 = 0o070;

/// Writes a private file: beside its place, to the disk, and then renamed. A power cut leaves the old file or
/// the new one, whole.
///
/// # Errors
/// When the system refuses; the file is as it was, and nothing is left beside it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut beside = name.to_owned();
    beside.push(".new");
    let beside = path.with_file_name(beside);
    // One that a power cut left behind may be for others to read.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = open(&beside, fs::OpenOptions::new().write(true).create_new(true))?;
    put_in_place(file, bytes, &beside, path).inspect_err(|_| {
        // It may have a secret, and nobody would look for one under this name.
        let _ = fs::remove_file(&beside);
    })?;
    fs::File::open(directory_of(path))?.sync_all()
}

fn put_in_place(mut file: fs::File, bytes: &[u8], beside: &Path, path: &Path) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(beside, path)
}

/// Opens an empty private file. A file that was there loses what it had, and its rights.
///
/// # Errors
/// When the system refuses.
pub fn create(path: &Path) -> io::Result<fs::File> {
    let file = open(path, fs::OpenOptions::new().write(true).create(true).truncate(true))?;
    if !is_shared(directory_of(path)) {
        file.set_permissions(fs::Permissions::from_mode(FILE_MODE))?;
    }
    Ok(file)
}

/// Opens a file with these options; where they make it, it is private.
///
/// # Errors
/// When the system refuses.
pub fn open(path: &Path, options: &mut fs::OpenOptions) -> io::Result<fs::File> {
    let file = options.mode(FILE_MODE).open(path)?;
    share_open(path, &file)?;
    Ok(file)
}

/// Shares a file that is open, where its directory is shared.
pub(super) fn share_open(path: &Path, file: &impl AsFd) -> io::Result<()> {
    if !is_shared(directory_of(path)) {
        return Ok(());
    }
    let found = rustix::fs::fstat(file)?;
    if found.st_uid == geteuid().as_raw() && found.st_mode & 0o7777 != SHARED_FILE_MODE {
        rustix::fs::fchmod(file, Mode::from_raw_mode(SHARED_FILE_MODE))?;
    }
    Ok(())
}

/// Makes a private directory, and those above it that are missing. An existing one is fine.
///
/// # Errors
/// When the system refuses.
pub fn make_directories(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|path| !path.is_dir()).collect();
    for path in missing.into_iter().rev().filter(|path| !path.as_os_str().is_empty()) {
        match make_directory(path) {
            // Another process made it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            made => made?,
        }
    }
    Ok(())
}

/// Makes a private directory in an existing one.
///
/// # Errors
/// When the system refuses; also when something is there.
pub fn make_directory(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(DIRECTORY_MODE).create(path)?;
    if is_shared(directory_of(path)) { share_one(path) } else { Ok(()) }
}

/// Gives a file or socket that this process made the mode that the directory says.
///
/// # Errors
/// When the system refuses.
pub fn inherit(path: &Path) -> io::Result<()> {
    let mode = if is_shared(directory_of(path)) { SHARED_FILE_MODE } else { FILE_MODE };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// True for a directory that is shared with group 0, or with the group of its volume.
#[must_use]
pub fn is_shared(directory: &Path) -> bool {
    fs::metadata(directory).is_ok_and(|found| {
        found.is_dir() && found.mode() & 0o7777 == SHARED_DIRECTORY_MODE && is_of_container(found.gid())
    })
}

/// True for a group that the users of a container share: group 0, and a group of a volume, which a process of
/// a container is in besides. Such a process is not root, and its own group is 0.
#[must_use]
pub fn is_of_container(group: u32) -> bool {
    let is_in = || getgroups().is_ok_and(|groups| groups.iter().any(|found| found.as_raw() == group));
    group == 0 || (getegid().is_root() && !geteuid().is_root() && is_in())
}

/// Shares a directory with group 0, with what is in it and belongs to the user of this process; what links
/// at its top lead to as well, since parts of a queue manager can be elsewhere.
///
/// # Errors
/// When the system refuses.
pub fn share(directory: &Path) -> io::Result<()> {
    share_all(directory)?;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let target = fs::canonicalize(entry.path()).ok().filter(|target| target.is_dir());
        let Some(target) = target.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_symlink())) else {
            continue;
        };
        let around = target.parent().filter(|around| around.file_name() == directory.file_name());
        around.map_or(Ok(()), share_one)?;
        share_all(&target)?;
    }
    Ok(())
}

/// Shares the directory of a part that is elsewhere, and that of its queue manager around it.
///
/// # Errors
/// When the system refuses.
pub fn share_part(directory: &Path) -> io::Result<()> {
    directory.parent().map_or(Ok(()), share_one)?;
    share_all(directory)
}

fn share_all(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_symlink() {
        return Ok(());
    }
    share_one(path)?;
    if !found.is_dir() {
        return Ok(());
    }
    fs::read_dir(path)?.try_for_each(|entry| match share_all(&entry?.path()) {
        // A running process may have removed it meanwhile.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        shared => shared,
    })
}

fn share_one(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    // The users of earlier starts have shared what is theirs.
    if found.uid() != geteuid().as_raw() {
        return Ok(());
    }
    let mode = match found.file_type() {
        kind if kind.is_dir() => SHARED_DIRECTORY_MODE,
        kind if kind.is_file() || kind.is_socket() => SHARED_FILE_MODE,
        _ => return Ok(()),
    };
    if found.gid() != 0 {
        chown(path, None, Some(0))?;
    }
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

fn directory_of(path: &Path) -> &Path {
    // A name alone is in the working directory.
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    directory.unwrap_or_else(|| Path::new("."))
}

/// The reason for which a file is not private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// Its mode gives others more than it may.
    Mode(u32),
    /// It belongs to this user, who is neither root nor the user of this process.
    Owner(u32),
}

/// Returns the reason for which a file is not private: bits of its mode that are refused, or another owner.
/// Neither its group nor its owner counts in a directory that is shared, if the users of a container share
/// its group.
#[must_use]
pub fn exposure(path: &Path, found: &fs::Metadata, refused: u32) -> Option<Exposure> {
    let is_shared = is_of_container(found.gid()) && is_shared(directory_of(path));
    let refused = if is_shared { refused & !OF_GROUP } else { refused };
    if found.mode() & refused != 0 {
        return Some(Exposure::Mode(found.mode() & 0o7777));
    }
    let is_foreign = found.uid() != geteuid().as_raw() && found.uid() != 0;
    (is_foreign && !is_shared).then(|| Exposure::Owner(found.uid()))
}
