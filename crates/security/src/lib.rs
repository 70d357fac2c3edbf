//! Principals, requests that are judged for them, and the rules that judge.
//! Nothing here acts: callers ask, and are given a verdict with the record that decides.
//!
//! Lives here: [`Principal`], the identity that a login ends with; [`Asked`], one request of it; authorities
//! by profile (`authority`, `profile`) and what calls need (`needs`); rules of channels (`channel_rules`);
//! CipherSpecs (`cipherspecs`) and the encryption of channels (`cover`); patterns of certificates' names
//! (`distinguished_name`), addresses (`address`) and other names (`wildcard`); letters that no name may have
//! (`letters`).
//!
//! Lives elsewhere: the door that every request passes (`queue-manager`, `authority`), the login that finds
//! an identity out (`agents`, `server`), commands that set records (`objects`).
//!
//! Always: a login makes an administrator, a name never does; the same question of the same records has the
//! same answer; nothing here waits, reads a clock or a file, or asks a network; all that grows has a bound.

pub mod address;
mod asked;
pub mod authority;
pub mod channel_rules;
pub mod cipherspecs;
pub mod cover;
pub mod distinguished_name;
pub mod letters;
pub mod needs;
mod principal;
pub mod profile;
pub mod wildcard;

pub use asked::{Asked, Command, Object, ObjectKind, Use};
pub use principal::{Identity, NAME_BYTES_MAX, NameError, Part, Principal, check_given_name, check_name};
