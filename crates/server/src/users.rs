//! The users of the queue manager as they were read last.
//!
//! Lives here: reading their file again once it is another. Lives elsewhere: the file (`identity`), logins
//! by it (`logins`).
//!
//! Always: a file that does not read leaves the users that were read, and its fault is said once.

use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use identity::{Cost, HashMemory, KEY_BYTES, ProofError, Proofs, SALT_BYTES, Users, UsersFile};
use objects::messages::USERS_NOT_READ;
use parking_lot::Mutex;
use platform::os::{OsClock, OsEntropy, users};
use platform::{Clock as _, Entropy as _};
use security::authority::{ADMINISTRATORS, Entity};

use crate::covers::Say;

/// The users as they were read last.
pub(crate) struct UserBook {
    file: UsersFile,
    read: Mutex<BookState>,
    /// Passwords that were proved lately, by the users as they were read last.
    proofs: Mutex<Proofs>,
}

struct BookState {
    users: Arc<Users>,
    /// The largest cost of their hashes.
    cost_max: Cost,
    /// The file as it was then; none where there was none.
    seen: Option<FileState>,
    is_read: bool,
    /// The fault that was said last.
    fault: Option<String>,
}

/// The state of a file, by which another one is known.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileState {
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl UserBook {
    pub(crate) fn new(file: UsersFile) -> Self {
        let state = BookState {
            users: Arc::default(),
            cost_max: Cost::USUAL,
            seen: None,
            is_read: false,
            fault: None,
        };
        let mut key = [0; KEY_BYTES];
        OsEntropy.fill(&mut key);
        Self { file, read: Mutex::new(state), proofs: Mutex::new(Proofs::under(key)) }
    }

    pub(crate) fn users(&self) -> Arc<Users> {
        Arc::clone(&self.read.lock().users)
    }

    /// The file as it is now.
    fn found(&self) -> Option<FileState> {
        std::fs::metadata(self.file.path()).ok().map(|found| FileState {
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }

    /// Tells if a password proved this user lately, by the file as it is now. Takes no hash, so that a
    /// reactor may ask.
    pub(crate) fn is_proved_lately(&self, name: &str, password: &[u8]) -> bool {
        let is_kept = self.proofs.lock().has(name, password, wall_seconds()) && self.has(name);
        is_kept && {
            let found = self.found();
            let state = self.read.lock();
            state.is_read && state.seen == found
        }
    }

    /// Reads the file if it is another than before; true where it was read.
    pub(crate) fn look(&self, say: &Say) -> bool {
        let found = self.found();
        let mut state = self.read.lock();
        if state.is_read && state.seen == found {
            return false;
        }
        match self.file.read() {
            Ok(users) => {
                (state.cost_max, state.fault) = (users.cost_max(), None);
                state.users = Arc::new(users);
                (state.seen, state.is_read) = (found, true);
                // A proof looks at the users under the lock of the proofs.
                drop(state);
                self.proofs.lock().forget();
                true
            }
            // It is read again at each look, until it reads.
            Err(error) => {
                let text = error.to_string();
                state.is_read = false;
                if state.fault.as_ref() != Some(&text) {
                    say(&USERS_NOT_READ, vec![text.clone()]);
                    state.fault = Some(text);
                }
                false
            }
        }
    }

    /// Proves a user by a password. One that proved it lately needs no hash, so that many users who come back
    /// at once are let in at once; a wrong one takes the time of a hash.
    ///
    /// # Errors
    /// When it proves no user.
    pub(crate) fn prove(
        &self,
        name: &str,
        password: &[u8],
        memory: &mut HashMemory,
    ) -> Result<(), ProofError> {
        let (users, now) = (self.users(), wall_seconds());
        if self.proofs.lock().has(name, password, now) && self.has(name) {
            return Ok(());
        }
        memory.shrink_to(self.read.lock().cost_max);
        users.prove(name, password, now, memory)?;
        let mut proofs = self.proofs.lock();
        // Read again meanwhile, the users may be others.
        if Arc::ptr_eq(&users, &self.users()) {
            proofs.keep(name, password, now);
        }
        Ok(())
    }

    /// Gives a user that was proved another password.
    ///
    /// # Errors
    /// The fault, for the administrator; the password is as it was.
    pub(crate) fn set_password(
        &self,
        name: &str,
        password: &[u8],
        memory: &mut HashMemory,
    ) -> Result<(), String> {
        let mut salt = [0; SALT_BYTES];
        OsEntropy.fill(&mut salt);
        let changed =
            self.file.change(|users| users.set_password(name, password, &salt, Cost::USUAL, memory));
        changed.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    /// The fault for which the file does not read now.
    pub(crate) fn fault(&self) -> Option<String> {
        self.read.lock().fault.clone()
    }

    /// Returns true while a login would prove this user by the right password.
    pub(crate) fn has(&self, name: &str) -> bool {
        let users = self.users();
        let is_over = |at: Option<u64>| at.is_some_and(|at| wall_seconds() >= at);
        users.get(name).is_some_and(|user| !user.is_locked && !is_over(user.expires_at))
    }

    /// The groups of a user; a user that is not known has none.
    pub(crate) fn groups(&self, name: &str) -> Vec<Box<str>> {
        let users = self.users();
        let groups = users.get(name).map(|user| user.groups.iter().map(|group| group.as_str().into()));
        groups.map(Iterator::collect).unwrap_or_default()
    }

    /// Tells if the file, or those of the machine, have a user or group of this name.
    pub(crate) fn knows(&self, entity: Entity<'_>) -> bool {
        let users = self.users();
        match entity {
            Entity::User(name) => users.get(name).is_some() || users::has_user(name),
            Entity::Group(name) => {
                let is_of_user =
                    || users.all().any(|(_, user)| user.groups.iter().any(|group| group == name));
                users::group_number(name).is_some() || is_of_user()
            }
        }
    }

    pub(crate) fn is_administrator(&self, name: &str) -> bool {
        let users = self.users();
        let is_in_group = |groups: &[String]| groups.iter().any(|group| group == ADMINISTRATORS);
        name == users::current() || users.get(name).is_some_and(|user| is_in_group(&user.groups))
    }
}

/// The seconds of the clock since 1970.
pub(crate) fn wall_seconds() -> u64 {
    u64::try_from(OsClock.wall().0 / 1_000_000).unwrap_or_default()
}
