//! Principals, requests that are judged for them, and the rules that judge. Nothing here acts: callers ask, and
//! are given a verdict with the record that decides.
//!
//! Principals, requests that are judged for them, and the rules that judge. Nothing here acts: callers ask, and
//! are given a verdict with the record that decides.
//!
//! Lives here: [`Principal`], the identity that a login ends with, and [`Asked`], one request of it;
//! (`address`), other names with `*` (`wildcard`).
//! Lives elsewhere: commands that set records (`objects`), the calls that are judged (`queue-manager`),
//! proofs of identity, sockets, files and certificates.

mod asked;
mod principal;

pub use asked::{Asked, Command, Object, ObjectKind, Use};
pub use principal::{Identity, NAME_BYTES_MAX, NameError, Part, Principal};
//!
//! Always: the same question of the same records has the same answer; nothing here waits, reads a clock or
//! asks a network; all that grows has a bound.

pub mod address;
//! Principals, requests that are judged for them, and the rules that judge. Nothing here acts: callers ask, and
//! are given a verdict with the record that decides.
//!
//! Lives here: [`Principal`], the identity that a login ends with, and [`Asked`], one request of it;


mod asked;
pub mod authority;
pub mod channel_rules;
pub mod cipherspecs;
pub mod distinguished_name;
pub mod needs;
mod principal;

pub use asked::{Asked, Command, Object, ObjectKind, Use};
pub use principal::{Identity, NAME_BYTES_MAX, NameError, Part, Principal};
pub mod profile;
pub mod wildcard;

pub use asked::{Asked, Command, Object, ObjectKind, Use};
pub use principal::{Identity, NAME_BYTES_MAX, NameError, Part, Principal};
