//! Files and folders of a store, for their owner alone.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use platform::os::private;

use crate::error::IssueError;

fn refused<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> IssueError + 'a {
    move |source| IssueError::Io { what, path: path.to_owned(), source }
}

/// Makes a folder for its owner alone, if there is none.
pub(crate) fn make_folder(path: &Path) -> Result<(), IssueError> {
    if path.is_dir() {
        return Ok(());
    }
    private::make_directories(path).map_err(refused("make", path))
}

/// Writes a file for its owner alone: beside its place, to the disk, and then renamed.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), IssueError> {
    private::replace(path, bytes).map_err(refused("write", path))
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), IssueError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(refused("remove", path)),
    }
}

/// Reads a file of text.
pub(crate) fn read(path: &Path) -> Result<String, IssueError> {
    fs::read_to_string(path).map(platform::os::text::unmarked).map_err(refused("read", path))
}

/// The path of a file in a folder of a store.
pub(crate) fn file(folder: &Path, name: &str, ending: &str) -> PathBuf {
    folder.join(format!("{name}.{ending}"))
}
