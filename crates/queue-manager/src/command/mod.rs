//! Administration commands, executed on the catalogue.

pub use objects::{Command, Response};
