//! A property of a message.

use mqi::properties::{PropertyDescriptor, PropertyValue};

/// One property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its full name, folder included.
    pub name: String,
    /// Its value.
    pub value: PropertyValue,
    /// Its property descriptor.
    pub descriptor: PropertyDescriptor,
    /// The word for its type, where that is none of the interface's: then its value is the text that stands
    /// there.
    pub foreign_type: Option<String>,
}
