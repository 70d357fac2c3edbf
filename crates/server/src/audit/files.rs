//! The files of the record of refusals.

use std::path::{Path, PathBuf};

/// Most bytes of one file.
pub(super) const FILE_BYTES_MAX: u64 = 16 << 20;

/// Most files: some hundred thousand refusals.
pub(super) const FILES: u32 = 5;

/// The beginning of the names of the files.
pub(super) const STEM: &str = "audit";

/// The files, the newest first.
pub(super) fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = folder.to_owned();
    (0..FILES).map(move |number| match number {
        0 => folder.join(format!("{STEM}.log")),
        _ => folder.join(format!("{STEM}.{number}.log")),
    })
}
