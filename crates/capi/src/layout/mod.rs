//! The structures of the interface as C programs lay them out, on a machine with pointers of 64 bits.
//!
//! Lives here: every structure with its types, the values it starts with and the length it has in each
//! version, made from the tables by `cargo xtask headers`; and [`Versioned`], by which those that say their
//! version are known.
//!
//! Lives elsewhere: the same structures as values of Rust (`mqi`).
//!
//! Always: a program's structure may end where the version in it ends. It is read up to
//! [`Versioned::length_of`] and no further, so it must never be behind a reference to the whole structure.

#![expect(
    missing_docs,
    reason = "names are those of the interface, and their documentation; meanings live in `mqi`"
)]
#![expect(non_camel_case_types, non_snake_case, reason = "names are those of the interface")]
#![allow(clippy::upper_case_acronyms, reason = "names are those of the interface")]

mod channels;
mod commands;
mod core;
mod exits;
mod functions;
mod types;

pub use channels::*;
pub use commands::*;
pub use core::*;
pub use exits::*;
pub use functions::*;
pub use types::*;

/// A structure whose caller says, by the version in it, how much of it there is.
pub trait Versioned: Copy {
    /// Its name in C.
    const NAME: &'static str;
    /// The four characters it begins with; none for the channel definition, which begins with a name.
    const IDENTIFIER: Option<[u8; 4]>;
    /// Where the version is.
    const VERSION_OFFSET: usize;
    /// Every version there is, ascending.
    const VERSIONS: &'static [Version];

    /// Length of the structure in a version; none for an unknown version.
    #[must_use]
    fn length_of(version: i32) -> Option<usize> {
        Self::VERSIONS.iter().find(|known| known.number == version).map(|known| known.length)
    }
}

/// A version of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// As its version field says.
    pub number: i32,
    /// Bytes from the beginning to the end of the last field that the version has, with what alignment adds.
    pub length: usize,
}

/// The four bytes of an identifier.
const fn identifier(text: &str) -> [u8; 4] {
    let bytes = text.as_bytes();
    assert!(bytes.len() == 4, "an identifier has four characters");
    [bytes[0], bytes[1], bytes[2], bytes[3]]
}
