//! Every named value of the message queue interface, under the name C programs know it by.
//!
//! Made by `cargo xtask generate` from the tables in `crates/mqi/facts`; change those, then run it again.

#![expect(missing_docs, reason = "the name is the documentation; meanings live with the typed forms")]
#![expect(non_upper_case_globals, reason = "names are those of the interface")]

mod bags;
mod commands;
mod core;
mod exits;
mod names;
mod publish_subscribe;
mod services;

pub use bags::*;
pub use commands::*;
pub use core::*;
pub use exits::*;
pub use publish_subscribe::*;
pub use services::*;

/// The number of a constant by its name, such as `MQGMO_WAIT`; none for a text, for bytes and for a name that there
/// is not.
#[must_use]
pub fn number_of(name: &str) -> Option<i32> {
    let at = names::NUMBERS.binary_search_by_key(&name, |(name, _)| name).ok()?;
    names::NUMBERS.get(at).map(|(_, number)| *number)
}

/// The names of a number among those that begin so, in order; looks at every constant.
pub fn names_of(number: i32, prefix: &str) -> impl Iterator<Item = &'static str> {
    let named = names::NUMBERS.iter().filter(move |(_, known)| *known == number);
    named.map(|(name, _)| *name).filter(move |name| name.starts_with(prefix))
}
