//! Message properties: what a program says about a message beside its descriptor and body.
//!
//! Lives here: typed values, descriptors and names, and the verbs that work on them as a trait. Lives
//! elsewhere: the content of a message handle (`formats`), selection by properties (`selector`), the choice
//! of their form for a getter (`queue-manager`).

mod calls;
mod descriptor;
pub mod descriptor_field;
pub mod identifier;
pub mod name;
mod synonym;
mod value;

pub use calls::{
    Buffer, BufferToHandleOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
    HandleToBufferOptions, InquirePropertyFlags, InquirePropertyOptions, InquiredProperty, MessageHandles,
    SetPropertyOptions,
};
pub use descriptor::{CopyOptions, PropertyDescriptor};
pub use descriptor_field::DescriptorField;
pub use name::Meaning;
pub use synonym::{Lookup, Synonym};
pub use value::{PropertyType, PropertyValue, View, bytes_from_hex};
