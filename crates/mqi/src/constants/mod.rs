//! Every named value of the message queue interface, under the name C programs know it by.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

#![expect(missing_docs, reason = "the name is the documentation; meanings live with the typed forms")]
#![expect(non_upper_case_globals, reason = "names are those of the interface")]

mod bags;
mod commands;
mod core;
mod exits;
mod publish_subscribe;
mod services;

pub use bags::*;
pub use commands::*;
pub use core::*;
pub use exits::*;
pub use publish_subscribe::*;
pub use services::*;
