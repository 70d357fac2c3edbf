//! A file with settings that was found, and that this user cannot rely on.

use server::foreign::Foreign;
use std::path::{Path, PathBuf};

/// A file that nothing of the environment names, while other users may change it: they could have put it
/// there, and what it names would be given the program's password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} is not used, since the environment does not name it and {} {}: another user could have put it there; remove it, \
     or {remedy}", path.display(), foreign.path.display(), foreign.power
)]
pub struct Found {
    path: PathBuf,
    foreign: Foreign,
    remedy: &'static str,
}

impl Found {
    /// Describes a file that was found, with the way to have it used.
    pub(super) fn new(path: &Path, foreign: Foreign, remedy: &'static str) -> Self {
        Self { path: path.to_owned(), foreign, remedy }
    }
}
