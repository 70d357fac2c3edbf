//! Folders for files that are used again later, such as bundles and exported messages.
//!
//! Lives elsewhere: the verdict on a folder (`server::foreign`), the same check for data directories and
//! backups (`server`).

use std::path::Path;

use server::foreign;
use terminal::failure::{Exit, Failure, Result};

/// Refuses a file in a folder that another user may change: the file could be replaced by another, which
/// leads a program elsewhere, or has other messages.
pub(crate) fn check(file: &Path) -> Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    foreign::check(folder.unwrap_or_else(|| Path::new("."))).map_err(|foreign| {
        let what = format!(
            "{} is not written: {} {}, so that another user could replace it",
            file.display(),
            foreign.path.display(),
            foreign.power
        );
        Failure::new(Exit::Refused, what).next("name a file in a folder that only this user may change")
    })
}
