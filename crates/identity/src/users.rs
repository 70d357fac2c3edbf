//! Users: their hashes, groups and states, and the proof of one by a password.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use security::authority::NOBODY;
use security::{NAME_BYTES_MAX, NameError, check_given_name};
use serde::Deserialize;

use crate::hash::{Cost, Hash, HashError, HashMemory, SALT_BYTES};

/// Most users of a file; more belong into a directory.
pub const USERS_MAX: usize = 10_000;

/// Bytes of a UserIdentifier, as messages carry it.
const SHORT_BYTES: usize = 12;

/// Most groups of a user.
pub const GROUPS_MAX: usize = 64;

/// One user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The hash of the password.
    pub hash: Hash,
    /// No login proves it until it is unlocked.
    pub is_locked: bool,
    /// The second since 1970 from which on no login proves it.
    pub expires_at: Option<u64>,
    /// The groups.
    pub groups: Vec<String>,
}

/// All users of a queue manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Users {
    users: BTreeMap<String, User>,
}

/// Why users are not read or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsersError {
    /// The text is not of the form.
    #[error("{0}; correct it, or restore the file from a backup")]
    Form(String),
    /// A name cannot be a user's or a group's.
    #[error(
        "{0:?} is no name: use 1 to {NAME_BYTES_MAX} bytes without control characters, quotation marks and blanks \
         at its ends, and another than {NOBODY}"
    )]
    Name(String),
    /// A new user or group cannot have the name.
    #[error(transparent)]
    GivenName(#[from] NameError),
    /// The password or hash is not right.
    #[error("{user}: {error}")]
    Hash {
        /// The user.
        user: String,
        /// The reason.
        error: HashError,
    },
    /// There are too many.
    #[error("there are more than {USERS_MAX} users, or more than {GROUPS_MAX} groups of one")]
    TooMany,
    /// The user is there already.
    #[error("the user {0} is there already: change the password by `ferry user passwd QM {0}`")]
    Exists(String),
    /// Messages of the two carry the same user.
    #[error(
        "messages of {user} and of {other} carry the same UserIdentifier, which has {SHORT_BYTES} bytes: choose a \
         name that begins otherwise"
    )]
    Alike {
        /// The name.
        user: String,
        /// The user that is there.
        other: String,
    },
    /// The user is not there.
    #[error("there is no user {0}: names are exact, upper and lower case included")]
    Unknown(String),
}

/// Reason for which a password proves no user. A program is told none of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// No such user exists.
    #[error("there is no such user")]
    Unknown,
    /// The password is another.
    #[error("the password is wrong")]
    Password,
    /// The user is locked.
    #[error("the user is locked")]
    Locked,
    /// The user has expired.
    #[error("the user has expired")]
    Expired,
}

/// The file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    users: BTreeMap<String, RawUser>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawUser {
    hash: String,
    #[serde(default)]
    locked: bool,
    expires: Option<u64>,
    #[serde(default)]
    groups: Vec<String>,
}

impl Users {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// When any part is not right; the error names it, and never a hash.
    pub fn read(text: &str) -> Result<Self, UsersError> {
        // The library's own words would show the line, with its hash.
        let raw: Raw = toml::from_str(text).map_err(|error| UsersError::Form(place(text, &error)))?;
        if raw.users.len() > USERS_MAX || raw.users.values().any(|user| user.groups.len() > GROUPS_MAX) {
            return Err(UsersError::TooMany);
        }
        let mut users = BTreeMap::new();
        for (name, RawUser { hash, locked, expires, groups }) in raw.users {
            check_name(&name)?;
            groups.iter().try_for_each(|group| check_name(group))?;
            let hash = hash.parse().map_err(|error| UsersError::Hash { user: name.clone(), error })?;
            users.insert(name, User { hash, is_locked: locked, expires_at: expires, groups });
        }
        Ok(Self { users })
    }

    /// Writes the text of a file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::from("# Users of this queue manager. Change them by `ferry user`.\n");
        for (name, User { hash, is_locked, expires_at, groups }) in &self.users {
            let mut line = |line: &str| text.push_str(&format!("{line}\n"));
            line(&format!("\n[users.{}]", quoted(name)));
            line(&format!("hash = \"{hash}\""));
            if *is_locked {
                line("locked = true");
            }
            if let Some(at) = expires_at {
                line(&format!("expires = {at}"));
            }
            if !groups.is_empty() {
                let groups: Vec<String> = groups.iter().map(|group| quoted(group)).collect();
                line(&format!("groups = [{}]", groups.join(", ")));
            }
        }
        text
    }

    /// Every user, by name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &User)> {
        self.users.iter().map(|(name, user)| (name.as_str(), user))
    }

    /// One user.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&User> {
        self.users.get(name)
    }

    /// The user whose messages carry this UserIdentifier; none where several do, or none.
    #[must_use]
    pub fn by_short(&self, identifier: &str) -> Option<&str> {
        let mut found = self.users.keys().filter(|name| short(name) == identifier);
        found.next().filter(|_| found.next().is_none()).map(String::as_str)
    }

    /// The users whose messages carry the UserIdentifier of another, each with one such.
    pub fn alike(&self) -> impl Iterator<Item = (&str, &str)> {
        let other = |name: &str| {
            self.users.keys().find(|other| *other != name && short(other) == short(name)).map(String::as_str)
        };
        self.users.keys().filter_map(move |name| Some((name.as_str(), other(name)?)))
    }

    /// The cost of the hash that takes most memory, of these and of those that are made.
    #[must_use]
    pub fn cost_max(&self) -> Cost {
        let costs = self.users.values().map(|user| user.hash.cost());
        costs.chain([Cost::USUAL]).max_by_key(|cost| cost.memory_kib).unwrap_or(Cost::USUAL)
    }

    /// Adds a user.
    ///
    /// # Errors
    /// When the name is taken or none, or another user's messages would carry the same identifier, the
    /// password is none, or there are too many.
    pub fn add(
        &mut self,
        name: &str,
        password: &[u8],
        groups: Vec<String>,
        salt: &[u8; SALT_BYTES],
        cost: Cost,
        memory: &mut HashMemory,
    ) -> Result<(), UsersError> {
        for name in groups.iter().map(String::as_str).chain([name]) {
            check_name(name)?;
            // A file of an earlier release may have others, and is read.
            check_given_name(name)?;
        }
        if self.users.contains_key(name) {
            return Err(UsersError::Exists(name.to_owned()));
        }
        if let Some(other) = self.users.keys().find(|other| short(other) == short(name)) {
            return Err(UsersError::Alike { user: name.to_owned(), other: other.clone() });
        }
        if self.users.len() >= USERS_MAX || groups.len() > GROUPS_MAX {
            return Err(UsersError::TooMany);
        }
        let hash = hash(name, password, salt, cost, memory)?;
        self.users.insert(name.to_owned(), User { hash, is_locked: false, expires_at: None, groups });
        Ok(())
    }

    /// Gives a user another password.
    ///
    /// # Errors
    /// When there is no such user, or the password is none.
    pub fn set_password(
        &mut self,
        name: &str,
        password: &[u8],
        salt: &[u8; SALT_BYTES],
        cost: Cost,
        memory: &mut HashMemory,
    ) -> Result<(), UsersError> {
        let user = self.user(name)?;
        user.hash = hash(name, password, salt, cost, memory)?;
        Ok(())
    }

    /// Locks or unlocks a user.
    ///
    /// # Errors
    /// When there is no such user.
    pub fn lock(&mut self, name: &str, is_locked: bool) -> Result<(), UsersError> {
        self.user(name)?.is_locked = is_locked;
        Ok(())
    }

    /// Sets the second from which on no login proves a user; none for never.
    ///
    /// # Errors
    /// When there is no such user.
    pub fn expire(&mut self, name: &str, at: Option<u64>) -> Result<(), UsersError> {
        self.user(name)?.expires_at = at;
        Ok(())
    }

    /// Removes a user.
    ///
    /// # Errors
    /// When there is no such user.
    pub fn remove(&mut self, name: &str) -> Result<(), UsersError> {
        self.users.remove(name).map(drop).ok_or_else(|| UsersError::Unknown(name.to_owned()))
    }

    /// Proves a user by a password at this second. Takes the time of a hash for any answer.
    ///
    /// # Errors
    /// When it proves no user.
    pub fn prove(
        &self,
        name: &str,
        password: &[u8],
        now: u64,
        memory: &mut HashMemory,
    ) -> Result<&User, ProofError> {
        let Some(user) = self.users.get(name) else {
            let cost = self.users.values().next().map_or(Cost::USUAL, |any| any.hash.cost());
            let _ = Hash::of_nobody(cost).is_of(password, memory);
            return Err(ProofError::Unknown);
        };
        if !user.hash.is_of(password, memory) {
            return Err(ProofError::Password);
        }
        // Only the bearer of the password learns of these, and only from the log.
        if user.is_locked {
            return Err(ProofError::Locked);
        }
        if user.expires_at.is_some_and(|at| now >= at) {
            return Err(ProofError::Expired);
        }
        Ok(user)
    }

    fn user(&mut self, name: &str) -> Result<&mut User, UsersError> {
        self.users.get_mut(name).ok_or_else(|| UsersError::Unknown(name.to_owned()))
    }
}

fn hash(
    name: &str,
    password: &[u8],
    salt: &[u8; SALT_BYTES],
    cost: Cost,
    memory: &mut HashMemory,
) -> Result<Hash, UsersError> {
    Hash::new(password, salt, cost, memory).map_err(|error| UsersError::Hash { user: name.to_owned(), error })
}

fn check_name(name: &str) -> Result<(), UsersError> {
    let is_right = (1..=NAME_BYTES_MAX).contains(&name.len())
        && !name.chars().any(|character| character.is_control() || matches!(character, '"' | '\'' | '\\'))
        && name.trim() == name
        && name != NOBODY;
    if is_right { Ok(()) } else { Err(UsersError::Name(name.to_owned())) }
}

/// The UserIdentifier of the messages of a user.
fn short(name: &str) -> &str {
    &name[..name.floor_char_boundary(SHORT_BYTES)]
}

/// A name as a text of the file; names have no character that would need more.
fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// The place of a fault, without the line itself.
fn place(text: &str, error: &toml::de::Error) -> String {
    let mut place = String::from("the file is not of its form");
    if let Some(span) = error.span() {
        let line =
            text.as_bytes()[..span.start.min(text.len())].iter().filter(|byte| **byte == b'\n').count();
        let _ = write!(place, " in line {}", line + 1);
    }
    place
}
