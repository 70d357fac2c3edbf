//! A message of the queue manager's own on its way: a report, an event, a trigger message, a copy.
//!
//! Lives elsewhere: its content (`reports::content`, `own_message`), its destination (`reports::sending`).

use bytes::Bytes;
use mqi::{MessageDescriptor, ObjectDescriptor, constants};
use storage::record::reserved_for_put;

use super::ReportRights;

/// Most bytes of a report's descriptor in the log: all of its texts at their full length.
pub const DESCRIPTOR_BYTES_MAX: usize = 512;

/// The most bytes that stand in front of a message: a dead-letter header of 172 bytes, or that of a
/// transmission queue with the extension of the descriptor.
pub const IN_FRONT_BYTES: usize = 428 + constants::MQMDE_LENGTH_2;

/// A report, or another message of the queue manager's own.
#[derive(Clone, Debug)]
pub struct Report {
    /// The descriptor.
    pub descriptor: MessageDescriptor,
    /// The body.
    pub body: Bytes,
    /// Where the message says that its reports go.
    pub reply_to: ObjectDescriptor,
    /// True if it may make a trigger message due.
    pub may_trigger: bool,
    /// True if its queue takes it even if the queue is full or allows no puts by now.
    pub is_promised: bool,
    /// True if the stream queue of its queue gets a copy: no copy is copied again.
    pub is_streamed: bool,
    /// True if the room set aside for it covers the copy that the stream queue of its queue must have.
    pub has_room_for_copy: bool,
    /// True if others share its body, which counts by itself against the memory budget.
    pub is_body_shared: bool,
    /// Time of day before which it is not delivered; 0 for at once.
    pub deliver_at: i64,
    /// Rights of the reports about the message: of this one, for a report.
    pub rights: ReportRights,
}

impl Report {
    /// Room in the log for a report with so much data, also on the dead-letter queue.
    pub fn room(data_length: usize) -> u64 {
        reserved_for_put(DESCRIPTOR_BYTES_MAX, data_length + IN_FRONT_BYTES)
    }

    /// A message that the queue manager puts as it is.
    pub fn of_message(descriptor: MessageDescriptor, body: Bytes, reply_to: ObjectDescriptor) -> Self {
        Self {
            descriptor,
            body,
            reply_to,
            may_trigger: true,
            is_promised: false,
            is_streamed: true,
            has_room_for_copy: false,
            is_body_shared: false,
            deliver_at: 0,
            rights: ReportRights::OF_USER,
        }
    }

    /// The same with rights of the reports about it.
    pub fn with_rights(self, rights: ReportRights) -> Self {
        Self { rights, ..self }
    }
}
