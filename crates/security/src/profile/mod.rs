//! Profiles: names of objects with `?`, `*` and `**`, and the most specific one that matches a name.
//!
//! Lives here: the form of a profile, matching, the order of profiles (`form`), and an index of many
//! (`index`). Lives elsewhere: the authorities that a profile stands for (`authority`).
//!
//! ```text
//! PAY.IN     this name                       PAY.*      PAY. and one qualifier
//! PAY.I?     one character for `?`           PAY.**     PAY, and PAY. with any qualifiers
//! PAY.I*     any characters up to the dot    **         every name
//! ```
//!
//! Always: of profiles that match a name one is the most specific; a name without `?` and `*` comes before
//! all others.

mod form;
mod index;
#[cfg(test)]
mod tests;

pub use form::{Profile, ProfileError};
pub use index::Index;
