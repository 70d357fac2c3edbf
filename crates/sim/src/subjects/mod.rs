//! What is tortured.
//!
//! Lives here: [`Toy`], a queue manager of a few lines over a journal, right unless told to be wrong in one of the ways of
//! [`Flaw`]: it shows that the torture finds what it must find.

mod toy;

pub use toy::{Flaw, Toy};
