//! Where queue managers live: the data directory and the folder of each.
//!
//! ```text
//! $FERRY_DATA, ./ferry-data (ferry dev) or /var/lib/ferrymq
//! ├── .deleted.QM2/     one that is being deleted, or whose deletion was cut off
//! ├── .creating.QM3/    one that is being created, or whose creation was cut off
//! ├── .restoring.QM4/   one that is being restored, or whose restore was cut off
//! └── QM1/              one folder for each queue manager; `/` and `%` in names are written %2F and %25
//!     ├── storage.lock  held by the process that runs it, with its process number
//!     ├── start.lock    held by the process that starts it, until it is ready
//!     ├── running       who runs it and where it listens, or how it ended (`runtime_state`)
//!     ├── health        where health is answered, while it is (`health`)
//!     ├── socket        where programs of this machine connect, while it runs
//!     ├── rings         where they are offered rings in shared memory, while it runs
//!     ├── ferry.toml    its settings
//!     ├── incomplete    until who made it has defined what it is to have from the start
//!     ├── errors/       error log and first-failure records
//!     ├── security/     keys and trusted certificates of its listeners (`covers`)
//!     ├── images/       what to start from when other files are damaged (`backups`)
//!     └── …             recovery log and store
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use mqi::QueueManagerName;

use crate::folder_creation::Work;
use crate::foreign::{self, Foreign};

/// The environment variable that names the data directory.
pub const ENVIRONMENT: &str = "FERRY_DATA";

/// The data directory of `ferry dev`, relative to where it is started.
pub const OF_DEVELOPMENT: &str = "ferry-data";

/// The data directory of the machine.
pub const OF_MACHINE: &str = "/var/lib/ferrymq";

/// The file that the process of a queue manager holds, in its folder.
pub(crate) const LOCK: &str = "storage.lock";

/// The file that says of a queue manager that it has not all that it is to have from the start, in its
/// folder.
pub(crate) const INCOMPLETE: &str = "incomplete";

/// The file that the starter of a queue manager holds until it is ready, in its folder.
pub(crate) const START: &str = "start.lock";

/// The folder of keys, certificates and users, in its folder.
pub(crate) const SECURITY: &str = "security";

/// The file of users, in that folder.
pub(crate) const USERS: &str = "users.toml";

/// A `./ferry-data` that is found and that nothing names, while other users may change it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "./{OF_DEVELOPMENT} is not used, since nothing names it and {} {}: another user could have put a queue manager there",
    .0.path.display(), .0.power
)]
pub struct Unnamed(Foreign);

/// A directory in which queue managers live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataDirectory(PathBuf);

impl DataDirectory {
    /// This directory.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The one `ferry dev` uses: `$FERRY_DATA`, else `./ferry-data`.
    ///
    /// # Errors
    /// When it is there, nothing names it, and other users may change it.
    pub fn of_development() -> Result<Self, Unnamed> {
        match Self::from_environment() {
            Some(named) => Ok(named),
            None => Ok(Self::here()?.unwrap_or_else(|| Self::at(OF_DEVELOPMENT))),
        }
    }

    /// The one every other command uses: `$FERRY_DATA`, else `./ferry-data` where `ferry dev` made one, else
    /// `/var/lib/ferrymq`.
    ///
    /// # Errors
    /// When it would be `./ferry-data`, and other users may change that.
    pub fn of_commands() -> Result<Self, Unnamed> {
        match Self::from_environment() {
            Some(named) => Ok(named),
            None => Ok(Self::here()?.unwrap_or_else(|| Self::at(OF_MACHINE))),
        }
    }

    /// The one of this place, if there is one that only root and the user of this process may change. Another
    /// user may have made it for this user to find, and nothing says that it is meant.
    fn here() -> Result<Option<Self>, Unnamed> {
        let here = Path::new(OF_DEVELOPMENT);
        if !here.is_dir() {
            return Ok(None);
        }
        match foreign::check(here) {
            Ok(()) => Ok(Some(Self::at(here))),
            Err(foreign) => Err(Unnamed(foreign)),
        }
    }

    fn from_environment() -> Option<Self> {
        std::env::var_os(ENVIRONMENT).filter(|value| !value.is_empty()).map(Self::at)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of a queue manager, whether it exists or not.
    #[must_use]
    pub fn folder(&self, name: &QueueManagerName) -> Folder {
        Folder { path: self.0.join(encode(name.as_str())), name: *name }
    }

    /// The folders there are, by name.
    ///
    /// # Errors
    /// When the directory cannot be read; an absent one has no folders.
    pub fn folders(&self) -> std::io::Result<Vec<Folder>> {
        self.folders_of(|name| Some(name))
    }

    /// The folders that queue managers would have which are being made, or were when that was cut off.
    pub(crate) fn being_made(&self) -> std::io::Result<Vec<Folder>> {
        self.folders_of(|name| Work::ALL.into_iter().find_map(|work| name.strip_prefix(being_made(work))))
    }

    /// The folders that those there are stand for: each has its name in its own, where `name` finds it.
    fn folders_of(&self, name: impl Fn(&str) -> Option<&str>) -> std::io::Result<Vec<Folder>> {
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut folders = Vec::new();
        for entry in entries {
            let entry = entry?;
            let found = entry.file_name().to_str().and_then(&name).and_then(decode);
            if let Some(name) = found.and_then(|name| name.parse().ok())
                && entry.path().is_dir()
            {
                folders.push(self.folder(&name));
            }
        }
        folders.sort_unstable_by_key(|folder| folder.name.to_string());
        folders.dedup();
        Ok(folders)
    }
}

impl fmt::Display for DataDirectory {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(formatter)
    }
}

/// The folder of one queue manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
    name: QueueManagerName,
}

impl Folder {
    /// Name of its queue manager.
    #[must_use]
    pub fn name(&self) -> &QueueManagerName {
        &self.name
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The same folder by another path that leads there.
    pub(crate) fn by(&self, path: PathBuf) -> Self {
        Self { path, name: self.name }
    }

    /// Where it goes to be deleted: no name of a queue manager, so what is left there by a deletion that was
    /// cut off is none.
    pub(crate) fn set_aside(&self) -> PathBuf {
        self.path.with_file_name(format!(".deleted.{}", encode(self.name.as_str())))
    }

    /// Where it is made until it is whole: no name of a queue manager either.
    pub(crate) fn beside(&self, work: Work) -> PathBuf {
        self.path.with_file_name(format!("{}{}", being_made(work), encode(self.name.as_str())))
    }

    /// Held by the process that runs the queue manager.
    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.path.join(LOCK)
    }

    /// File with the process that runs it and its addresses, or with the way in which it ended.
    #[must_use]
    pub fn running(&self) -> PathBuf {
        self.path.join("running")
    }

    /// Messages that end with the process, as it counted them last.
    #[must_use]
    pub fn counted(&self) -> PathBuf {
        self.path.join("running.counted")
    }

    /// Where health is answered, while it is.
    #[must_use]
    pub fn health(&self) -> PathBuf {
        self.path.join("health")
    }

    /// Where programs of this machine connect.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.path.join("socket")
    }

    /// Where they are offered rings in shared memory.
    #[must_use]
    pub fn rings(&self) -> PathBuf {
        self.path.join("rings")
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.path.join(crate::configuration::FILE_NAME)
    }

    /// Exists until the maker has defined the objects that it is to have from the start.
    pub(crate) fn incomplete(&self) -> PathBuf {
        self.path.join(INCOMPLETE)
    }

    /// Its key store.
    #[must_use]
    pub fn security(&self) -> PathBuf {
        self.path.join(SECURITY)
    }

    /// Its users and the hashes of their passwords.
    #[must_use]
    pub fn users(&self) -> PathBuf {
        self.security().join(USERS)
    }

    /// The record of requests that were refused.
    #[must_use]
    pub fn audit(&self) -> PathBuf {
        self.path.join("audit")
    }

    /// Error log and first-failure records.
    #[must_use]
    pub fn errors(&self) -> PathBuf {
        self.path.join("errors")
    }
}

/// Beginning of the name of a folder that is being made.
fn being_made(work: Work) -> &'static str {
    match work {
        Work::Creation => ".creating.",
        Work::Restore => ".restoring.",
    }
}

/// A queue manager's name as a folder name. Names have letters, digits and `._/%`.
pub(crate) fn encode(name: &str) -> String {
    let mut folder = String::with_capacity(name.len());
    for (index, letter) in name.chars().enumerate() {
        match letter {
            '%' => folder.push_str("%25"),
            '/' => folder.push_str("%2F"),
            '.' if index == 0 => folder.push_str("%2E"),
            _ => folder.push(letter),
        }
    }
    folder
}

/// The name a folder name stands for; none when it is not one of ours.
fn decode(folder: &str) -> Option<String> {
    let name = folder.replace("%2E", ".").replace("%2F", "/").replace("%25", "%");
    (encode(&name) == folder).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_folder_of_its_own_below_the_directory() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDirectory::at(directory.path());
        let names = ["QM1", "a/b", "a%2Fb", "..", ".hidden", "%25", "50%", "a.b_c"];
        for name in names {
            let folder = data.folder(&name.parse().unwrap());
            assert_eq!(folder.path().parent(), Some(directory.path()), "{name}");
            std::fs::create_dir(folder.path()).unwrap();
        }
        std::fs::create_dir(directory.path().join("lost+found")).unwrap();
        std::fs::write(directory.path().join("FILE"), "").unwrap();
        let mut found: Vec<_> =
            data.folders().unwrap().iter().map(|folder| folder.name().to_string()).collect();
        let mut expected = names.map(str::to_owned).to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_absent_directory_has_no_queue_managers() {
        assert_eq!(DataDirectory::at("/nonexistent/ferry").folders().unwrap(), []);
    }
}
