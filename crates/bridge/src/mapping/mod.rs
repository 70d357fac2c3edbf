//! Messages of the interface as messages of a foreign system, and back.
//!
//! A foreign message has a body, headers, and some fields of its own (*native* fields: an identifier, a time
//! to live). These carry the part of a message that foreign programs read. Every field of the descriptor that
//! does not come back from them goes in a header `ferry-…` besides, so that a message which goes out and
//! comes in again is equal in every field.
//!
//! ```text
//! out:  descriptor ─> native fields ─> the descriptor that they give; a field differs? ─> a header `ferry-…`
//! in:   native fields ─> descriptor ─> each header `ferry-…` that can be read replaces its field
//! ```
//!
//! Lives here: nothing but names. Lives in its files: the types of both sides (`message`), both ways
//! ([`outward()`], [`inward()`]), fields of the descriptor (`fields`), names and values of properties
//! (`names`, `values`), systems and their destinations ([`form`]), headers of transmission queues
//! ([`envelope`]), rules for names of queues ([`rules`]). A FerryMQ takes messages as they are.
//!
//! Always: bytes from a foreign system never panic, are bounded before anything is made of them, and never
//! decide on a user; an address for an answer is text, and is not looked up.

pub mod envelope;
mod fields;
pub mod form;
mod inward;
mod message;
mod names;
mod native;
mod outward;
pub mod rules;
#[cfg(test)]
mod tests;
mod values;

pub use form::Form;
pub use inward::{BodyType, Inward, Received, inward};
pub use message::{
    ForeignMessage, HEADERS_MAX, HOPS_MAX, Header, Identifier, Message, NativeFields, Trail, VALUE_BYTES_MAX,
};
pub use outward::{Convert, Key, Outward, Sent, outward};
