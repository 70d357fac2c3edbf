//! The promises about messages, their holders, and the effect of a configuration on them.
//!
//! Lives here: the table of promises (`table`), each with the tests that hold it; what can be lost of each
//! class of message and when (`windows`); the reference page (`page`). `ferry guarantees` prints them.
//!
//! Always: a promise that is kept today names a test; a tidy check finds the test by path and name.

mod page;
mod table;
mod windows;

#[cfg(test)]
mod tests;

pub use page::page;
pub use table::{Holder, NOT_PROMISED, PROMISES, Promise};
pub use windows::{Window, Writes, windows};
