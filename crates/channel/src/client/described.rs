//! The descriptor of a message on its way to a getter: whole, or written before for several messages.

use bytes::Bytes;
use mqi::{CorrelationId, MessageDescriptor};

/// A descriptor to be written.
#[derive(Clone, Copy, Debug)]
pub enum Described<'a> {
    /// All of it.
    Whole(&'a MessageDescriptor),
    /// One that differs from others in its correlation identifier alone.
    Written {
        /// Common bytes that [`written`](crate::descriptor::written) made of one of them.
        common: &'a Bytes,
        /// Its own.
        correlation_id: &'a CorrelationId,
    },
}

impl<'a> From<&'a MessageDescriptor> for Described<'a> {
    fn from(descriptor: &'a MessageDescriptor) -> Self {
        Self::Whole(descriptor)
    }
}
