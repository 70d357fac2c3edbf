//! Directories that need none of the disks: for a first-failure record that its own disk refuses.
//!
//! Always: a directory counts only if the user it is for owns it and no other user can write there; in a
//! place that all users share, another may have made one of that name.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// The directory that the system's service manager makes for the program.
const OF_SERVICE: &str = "/run/ferrymq";

/// Names of the directories of a user, the best first.
fn of_user(user: u32, runtime: Option<OsString>) -> [PathBuf; 4] {
    let own = runtime
        .filter(|path| !path.is_empty())
        .map_or_else(|| format!("/run/user/{user}").into(), PathBuf::from);
    let shared = format!("ferrymq-{user}");
    [
        PathBuf::from(OF_SERVICE),
        own.join("ferrymq"),
        Path::new("/dev/shm").join(&shared),
        std::env::temp_dir().join(&shared),
    ]
}

fn is_own(directory: &Path, user: u32) -> bool {
    let found = fs::symlink_metadata(directory);
    found.is_ok_and(|found| found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0)
}

/// The directories that this process can write to, made where they are missing.
pub(super) fn directories() -> impl Iterator<Item = PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let all = of_user(user, std::env::var_os("XDG_RUNTIME_DIR")).into_iter();
    all.filter(move |directory| {
        // One that is there already, or cannot be made, shows in the next look.
        let _ = DirBuilder::new().mode(0o700).create(directory);
        is_own(directory, user)
    })
}

/// The directories in which the queue manager of this one may have left something: run by its owner, by this
/// user or by the system's.
pub(super) fn directories_of_all(owned: &Path) -> impl Iterator<Item = PathBuf> {
    let mut users = vec![0, rustix::process::geteuid().as_raw()];
    users.extend(fs::metadata(owned).map(|found| found.uid()));
    users.sort_unstable();
    users.dedup();
    users.into_iter().flat_map(|user| {
        // This user's runtime directory is none of another's.
        let runtime =
            std::env::var_os("XDG_RUNTIME_DIR").filter(|_| user == rustix::process::geteuid().as_raw());
        of_user(user, runtime).into_iter().filter(move |directory| is_own(directory, user))
    })
}
