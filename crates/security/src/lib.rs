//! Principals, and the requests that are judged for them.
//!
//! Lives here: [`Principal`], the identity that a login ends with, and [`Asked`], one request of it in the
//! terms that rules are written in. Lives elsewhere: the door that every request passes (`queue-manager`,
//! `authority`), the login that finds an identity out (`agents`, `server`).
//!
//! Always: a login makes an administrator, a name never does; nothing here reads a clock, a file or a queue.

mod asked;
mod principal;

pub use asked::{Asked, Command, Object, ObjectKind, Use};
pub use principal::{Identity, NAME_BYTES_MAX, NameError, Part, Principal};
