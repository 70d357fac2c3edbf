//! Message properties: what a program says about a message beside its descriptor and body.
//!
//! Lives here: typed values, descriptors and names. Lives elsewhere: what selects by them (`selector`), who decides how
//! a getter is given them (`queue-manager`).

mod descriptor;
pub mod descriptor_field;
pub mod name;
mod synonym;
mod value;

pub use descriptor::{CopyOptions, PropertyDescriptor};
pub use descriptor_field::DescriptorField;
pub use name::Meaning;
pub use synonym::{Lookup, Synonym};
pub use value::{PropertyType, PropertyValue, View, bytes_from_hex};
