//! Message selectors: conditions over the properties of a message, in the subset of SQL-92 that JMS made its
//! own.
//!
//! Lives here: words (`lexer`), grammar (`parser`), the program a text becomes (`program`) and how it is run
//! against a message (`evaluate`). Lives elsewhere: the properties of a message (`mqi`), when a message is
//! tested (`queue-manager`).
//!
//! Always: running a program allocates only for values that are made up, never recurses, and takes time
//! bounded by its length and that of the texts it compares.
//!
//! ```
//! use mqi::{MessageDescriptor, properties::PropertyValue};
//! use selector::{Message, Selector};
//!
//! let selector = Selector::parse("colour IN ('red', 'blue') AND weight > 2.5")?;
//! let descriptor = MessageDescriptor::default();
//! let red = PropertyValue::Text("red".to_owned());
//! let heavy = PropertyValue::Int32(3);
//! let properties = |name: &str| match name {
//!     "usr.colour" => Some(&red),
//!     "usr.weight" => Some(&heavy),
//!     _ => None,
//! };
//! assert!(selector.matches(&Message { descriptor: &descriptor, properties: &properties }));
//! assert!(Selector::parse("colour = ").is_err());
//! # Ok::<(), selector::Error>(())
//! ```

mod error;
mod evaluate;
mod lexer;
mod like;
mod message;
mod parser;
mod program;
#[cfg(test)]
mod tests;

pub use error::{Error, Fault};
pub use evaluate::Truth;
pub use message::Message;
pub use program::{DEPTH_MAX, Key, LENGTH_MAX, Selector};
