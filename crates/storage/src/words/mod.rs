//! The words of this crate, which every part of it may use.
//!
//! Lives here: positions and identities (`positions`), errors (`errors`), what is found again (`found`), an
//! append and its purpose (`appending`). Lives elsewhere: everything that does something with them.
//!
//! Always: nothing here names a file, the log or the store.

pub(crate) mod appending;
pub(crate) mod errors;
pub(crate) mod found;
pub(crate) mod positions;
