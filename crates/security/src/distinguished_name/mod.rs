//! Names of certificates, and the patterns of them that SSLPEER and SSLCERTI write.
//!
//! Lives here: the types of attributes (`attribute`), a certificate's name from its parts and as text
//! (`name`), patterns, matching, and the order of patterns that match the same name (`pattern`). Lives
//! elsewhere: taking a certificate apart, and trusting it.
//!
//! ```
//! use security::distinguished_name::{AttributeType, Name, Pattern};
//!
//! let mut name = Name::new();
//! name.add("2.5.4.10", Ok("Bank"));
//! name.add("2.5.4.11", Ok("Payments"));
//! name.add("2.5.4.3", Ok("app1"));
//! assert_eq!(name.to_string(), "CN=app1,OU=Payments,O=Bank");
//! assert!("CN=APP*, OU=payments".parse::<Pattern>()?.matches(&name));
//! assert!(!"CN=app1, OU=Sales".parse::<Pattern>()?.matches(&name));
//! # Ok::<(), security::distinguished_name::NamePatternError>(())
//! ```
//!
//! Always: a name that is not well formed matches no pattern; an attribute's value is never read as another
//! attribute.

mod attribute;
mod name;
mod pattern;
#[cfg(test)]
mod tests;

pub use attribute::AttributeType;
pub use name::{Fault, NAME_ATTRIBUTES_MAX, Name, Unreadable};
pub use pattern::{LENGTH_MAX, NamePatternError, Pattern};
