//! Files and folders of a store, for their owner alone.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::error::IssueError;

fn refused<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> IssueError + 'a {
    move |source| IssueError::Io { what, path: path.to_owned(), source }
}

/// Makes a folder for its owner alone, if there is none.
pub(super) fn make_folder(path: &Path) -> Result<(), IssueError> {
    if path.is_dir() {
        return Ok(());
    }
    fs::DirBuilder::new().mode(0o700).recursive(true).create(path).map_err(refused("make", path))
}

/// Writes a file for its owner alone: beside its place, to the disk, and then renamed.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), IssueError> {
    let beside = path.with_extension("new");
    let attempt = || -> io::Result<()> {
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
    };
    attempt().map_err(refused("write", path))
}

/// Reads a file of text.
pub(super) fn read(path: &Path) -> Result<String, IssueError> {
    fs::read_to_string(path).map_err(refused("read", path))
}

/// The path of a file in a folder of a store.
pub(super) fn file(folder: &Path, name: &str, ending: &str) -> PathBuf {
    folder.join(format!("{name}.{ending}"))
}
