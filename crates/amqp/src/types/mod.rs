//! The type system: values that borrow the bytes they were read from.
//!
//! Lives here: [`Value`] and what it is made of. `walk` checks bytes without recursion, `scalar` and `read`
//! read values, `write` writes them, `field` converts them to the types of fields.
//!
//! Always: a compound value is only made of bytes that were walked over, so that what is in it reads without
//! surprise; its nesting is bounded by [`NESTING_MAX`].

pub(crate) mod bounds;
mod codes;
pub(crate) mod field;
pub(crate) mod read;
pub(crate) mod scalar;
pub(crate) mod value;
pub(crate) mod walk;
pub mod write;

#[cfg(test)]
mod tests;

pub use bounds::{EMPTY_ELEMENTS_MAX, MAP_PAIRS_MAX, NESTING_MAX};
pub use field::{Field, Fields, Raw, Symbol, Symbols, Timestamp};
pub use read::{one, pass_over};
pub use value::{Descriptor, Entries, Items, Value};
pub use walk::walk;
