//! Secrets of definitions: passwords that an administrator gives with DEFINE and ALTER.
//!
//! ```text
//! security/secrets/AUTHINFO-LDAP.ONE-LDAPPWD     the text, as it was given
//! ```
//!
//! Always: for the queue manager's own user alone (0600 in 0700), whole or not at all, never in the recovery
//! log, a backup, a dump or a display; no more than [`FILES_MAX`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use queue_manager::SecretChanges;

use crate::directory::{SECURITY, encode};
use crate::durable_files;

/// The folder of secrets, in that of keys and users.
const FOLDER: &str = "secrets";

/// Most secrets of a queue manager: one for each channel of a large one.
const FILES_MAX: usize = 10_000;

/// The secrets of a queue manager.
pub(crate) struct Secrets {
    folder: PathBuf,
    /// Held while files change: two that change one secret at a time would share its new file.
    changing: Mutex<()>,
}

impl Secrets {
    /// The secrets of a queue manager's folder.
    pub(crate) fn of(folder: &Path) -> Self {
        Self { folder: folder.join(SECURITY).join(FOLDER), changing: Mutex::new(()) }
    }

    /// Keeps secrets, and forgets others; the reason when it cannot.
    pub(crate) fn change(&self, changes: &SecretChanges) -> Result<(), String> {
        let _alone = self.changing.lock();
        for (keyword, secret) in &changes.changes {
            let name = format!("{}-{}-{keyword}", changes.family.keyword(), encode(&changes.name));
            let outcome = match secret {
                Some(secret) => self.keep(&name, secret),
                None => self.forget(&name),
            };
            outcome.map_err(|error| format!("{}: {error}", self.folder.join(&name).display()))?;
        }
        Ok(())
    }

    fn keep(&self, name: &str, secret: &str) -> io::Result<()> {
        self.folder.parent().map_or(Ok(()), durable_files::make_inner)?;
        durable_files::make_inner(&self.folder)?;
        if !self.folder.join(name).exists() && fs::read_dir(&self.folder)?.count() >= FILES_MAX {
            return Err(io::Error::other(format!("{FILES_MAX} secrets are kept, and more may not be")));
        }
        durable_files::write(&*durable_files::disk(&self.folder), name, secret.as_bytes())
    }

    fn forget(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => durable_files::disk(&self.folder).sync_directory(Path::new("")),
        }
    }
}
