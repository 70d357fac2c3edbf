//! Files for their owner alone, such as keys and hashes of passwords.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Writes a file for its owner alone: beside its place, to the disk, and then renamed. A power cut leaves the
/// old file or the new one, whole.
///
/// # Errors
/// When the system refuses; the file is as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    // One that a power cut left behind may be for others to read.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    // A name alone is in the working directory.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    fs::File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
}

/// Opens an empty file for its owner alone. A file that was there loses what it had, and its rights.
///
/// # Errors
/// When the system refuses.
pub fn create(path: &Path) -> io::Result<fs::File> {
    let file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    Ok(file)
}
