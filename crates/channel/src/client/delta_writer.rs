//! Descriptors written by the one before: of messages that a program puts one after the other, most differ in
//! their identifiers alone.
//!
//! Always: what is written so is what would be written without it.

use crate::FieldSet;
use crate::descriptor::{are_equal, put_descriptor};
use mqi::MessageDescriptor;

/// The fields that may differ.
const IDENTIFIERS: FieldSet = FieldSet::MESSAGE_ID.and(FieldSet::CORRELATION_ID);

/// Content of the last put that the next is likely to repeat.
#[derive(Debug, Default)]
pub struct DeltaWriter {
    descriptor: MessageDescriptor,
    /// As it was written; nothing before the first put.
    bytes: Vec<u8>,
    /// Where in the bytes its identifiers are, or would be.
    identifiers_at: usize,
}

impl DeltaWriter {
    /// Appends a descriptor with all its fields.
    pub(super) fn put_descriptor(&mut self, out: &mut Vec<u8>, descriptor: &MessageDescriptor) {
        let start = out.len();
        if !self.is_alike(descriptor) {
            self.identifiers_at = put_descriptor(out, descriptor, FieldSet::ALL) - start;
            self.descriptor.clone_from(descriptor);
            self.bytes.clear();
            self.bytes.extend_from_slice(&out[start..]);
            return;
        }
        out.extend_from_slice(&self.bytes);
        let mut identifiers =
            out[start + self.identifiers_at..].chunks_exact_mut(size_of_val(&descriptor.message_id));
        for identifier in [descriptor.message_id.0, descriptor.correlation_id.0] {
            if identifier != [0; 24]
                && let Some(written) = identifiers.next()
            {
                written.copy_from_slice(&identifier);
            }
        }
    }

    /// True if a descriptor differs from the last in its identifiers alone, and has the ones that it had.
    fn is_alike(&self, descriptor: &MessageDescriptor) -> bool {
        let last = &self.descriptor;
        !self.bytes.is_empty()
            && descriptor.message_id.is_none() == last.message_id.is_none()
            && descriptor.correlation_id.is_none() == last.correlation_id.is_none()
            && are_equal(descriptor, last, FieldSet::ALL.without(IDENTIFIERS))
    }
}
