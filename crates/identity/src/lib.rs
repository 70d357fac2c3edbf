//! Users, their passwords, and the verdict on a login.
//!
//! Lives here: hashes of passwords (`hash`); users and their proof (`users`) in a file for its owner alone
//! (`file`); proofs that are kept for some minutes (`proofs`); the one order in which a login is judged
//! (`login`).
//!
//! Lives elsewhere: rules of channels and patterns (`security`), the frames that carry credentials
//! (`channel`), threads that hash (the host).
//!
//! Always: a name is exact, and never cut; a password is compared by its hash alone and is not trimmed; the
//! answer to a name that is not there costs as much as that to a wrong password; time and randomness are
//! handed in.

mod file;
mod hash;
pub mod login;
mod proofs;
mod users;

pub use file::{FileError, UsersFile};
pub use hash::{Cost, Hash, HashError, HashMemory, PASSWORD_BYTES_MAX, SALT_BYTES};
pub use proofs::{KEY_BYTES, Proofs};
pub use users::{GROUPS_MAX, ProofError, USERS_MAX, User, Users, UsersError};
