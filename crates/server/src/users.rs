//! The users of the queue manager as they were read last.
//!
//! Lives here: reading their file again once it is another. Lives elsewhere: the file (`identity`), logins
//! by it (`logins`).
//!
//! Always: a file that does not read leaves the users that were read, and its fault is said once.

use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use identity::{Users, UsersFile};
use objects::messages::USERS_NOT_READ;
use parking_lot::Mutex;
use platform::{Clock as _, os::OsClock, os::users};

use crate::covers::Say;

/// The group whose users are administrators.
const ADMINISTRATORS: &str = "ferrymq";

/// The users as they were read last.
pub(crate) struct UserBook {
    file: UsersFile,
    read: Mutex<BookState>,
}

struct BookState {
    users: Arc<Users>,
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
        let state = BookState { users: Arc::default(), seen: None, is_read: false, fault: None };
        Self { file, read: Mutex::new(state) }
    }

    pub(crate) fn users(&self) -> Arc<Users> {
        Arc::clone(&self.read.lock().users)
    }

    /// Reads the file if it is another than before; the users as they were where it was read.
    pub(crate) fn look(&self, say: &Say) -> Option<Arc<Users>> {
        let found = std::fs::metadata(self.file.path()).ok().map(|found| FileState {
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        });
        let mut state = self.read.lock();
        if state.is_read && state.seen == found {
            return None;
        }
        match self.file.read() {
            Ok(users) => {
                let before = std::mem::replace(&mut state.users, Arc::new(users));
                state.fault = None;
                (state.seen, state.is_read) = (found, true);
                Some(before)
            }
            // It is read again at each look, until it reads.
            Err(error) => {
                let text = error.to_string();
                state.is_read = false;
                if state.fault.as_ref() != Some(&text) {
                    say(&USERS_NOT_READ, vec![text.clone()]);
                    state.fault = Some(text);
                }
                None
            }
        }
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

    pub(crate) fn groups(&self, name: &str) -> Vec<Box<str>> {
        groups_of(&self.users(), name)
    }

    pub(crate) fn is_administrator(&self, name: &str) -> bool {
        let users = self.users();
        let is_in_group = |groups: &[String]| groups.iter().any(|group| group == ADMINISTRATORS);
        name == users::current() || users.get(name).is_some_and(|user| is_in_group(&user.groups))
    }
}

/// The groups of a user; a user that is not known has none.
pub(crate) fn groups_of(users: &Users, name: &str) -> Vec<Box<str>> {
    let groups = users.get(name).map(|user| user.groups.iter().map(|group| group.as_str().into()));
    groups.map(Iterator::collect).unwrap_or_default()
}

/// The seconds of the clock since 1970.
pub(crate) fn wall_seconds() -> u64 {
    u64::try_from(OsClock.wall().0 / 1_000_000).unwrap_or_default()
}
