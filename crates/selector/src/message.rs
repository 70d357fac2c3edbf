//! A message as a selector sees it.

use mqi::MessageDescriptor;
use mqi::properties::{PropertyValue, View};

use crate::program::Name;

/// A message as a selector sees it.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// Its descriptor.
    pub descriptor: &'a MessageDescriptor,
    /// Its properties by their full names, such as `usr.colour`.
    pub properties: &'a dyn Fn(&str) -> Option<&'a PropertyValue>,
}

impl<'a> Message<'a> {
    pub(crate) fn value(&self, name: &Name) -> View<'a> {
        match name {
            Name::Field(field) => field.view(self.descriptor),
            Name::Synonym(synonym) => synonym.view(self.descriptor, self.properties),
            Name::Property(name) => (self.properties)(name).map_or(View::Null, PropertyValue::view),
        }
    }
}
