//! Messages read by the one before them: of those that come to a getter one after the other, most differ in
//! their identifiers alone.
//!
//! Always: what is read so is what would be read without it.

use crate::FieldSet;
use crate::descriptor::{take_fields, take_present};
use mqi::{CorrelationId, MessageDescriptor, MessageId, ObjectName};
use std::ops::Range;
use wire::{Error, Fields};

/// The field of a message that names its queue.
pub(super) const RESOLVED_QUEUE_NAME: &str = "resolved queue name";

/// Content of the last message that the next is likely to repeat.
#[derive(Debug, Default)]
pub struct DeltaReader {
    pub(super) queue_name: Name,
    pub(super) described: Described,
}

impl DeltaReader {
    /// The descriptor of the message that was read last.
    #[must_use]
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.described.descriptor
    }
}

/// The name of the queue.
#[derive(Debug, Default)]
pub(super) struct Name(ObjectName);

impl Name {
    pub(super) fn take(&mut self, fields: &mut Fields<'_>) -> Result<ObjectName, Error> {
        let mut ahead = *fields;
        if ahead.short(RESOLVED_QUEUE_NAME)? == self.0.as_bytes() {
            *fields = ahead;
        } else {
            self.0 = fields.object_name(RESOLVED_QUEUE_NAME)?;
        }
        Ok(self.0)
    }
}

/// A descriptor, and the bytes it was read from.
#[derive(Debug)]
pub(super) struct Described {
    descriptor: MessageDescriptor,
    present: FieldSet,
    bytes: Vec<u8>,
    /// Where in the bytes the message and correlation identifiers are, as far as they are present.
    identifiers: Range<usize>,
}

impl Default for Described {
    /// One with nothing in it, and what is written of that.
    fn default() -> Self {
        let bytes = vec![0; size_of::<u32>()];
        let identifiers = bytes.len()..bytes.len();
        Self { descriptor: MessageDescriptor::default(), present: FieldSet::NONE, bytes, identifiers }
    }
}

impl Described {
    pub(super) fn take(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        if self.is_alike(fields.ahead()) {
            return self.take_alike(fields);
        }
        let taken = self.take_anew(fields);
        if taken.is_err() {
            *self = Self::default();
        }
        taken
    }

    /// True if the bytes ahead are a descriptor that differs in its identifiers alone.
    fn is_alike(&self, ahead: &[u8]) -> bool {
        let Range { start, end } = self.identifiers;
        let Some(ahead) = ahead.get(..self.bytes.len()) else { return false };
        ahead[..start] == self.bytes[..start] && ahead[end..] == self.bytes[end..]
    }

    fn take_alike(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let mut identifiers =
            Fields::of(&fields.take(self.bytes.len(), "descriptor")?[self.identifiers.clone()]);
        if self.present.contains(FieldSet::MESSAGE_ID) {
            self.descriptor.message_id = MessageId(identifiers.array("message_id")?);
        }
        if self.present.contains(FieldSet::CORRELATION_ID) {
            self.descriptor.correlation_id = CorrelationId(identifiers.array("correlation_id")?);
        }
        Ok(())
    }

    fn take_anew(&mut self, fields: &mut Fields<'_>) -> Result<(), Error> {
        let ahead = fields.ahead();
        let read = |fields: &Fields<'_>| ahead.len() - fields.ahead().len();
        let before = FieldSet::BEFORE_IDENTIFIERS;
        self.present = take_present(fields)?;
        take_fields(fields, self.present.among(before), &mut self.descriptor, before)?;
        let start = read(fields);
        let (present, behind) = (self.present.without(before), FieldSet::ALL.without(before));
        take_fields(fields, present, &mut self.descriptor, behind)?;
        let of = |field| if self.present.contains(field) { size_of::<MessageId>() } else { 0 };
        self.identifiers = start..start + of(FieldSet::MESSAGE_ID) + of(FieldSet::CORRELATION_ID);
        self.bytes.clear();
        self.bytes.extend_from_slice(&ahead[..read(fields)]);
        Ok(())
    }
}
