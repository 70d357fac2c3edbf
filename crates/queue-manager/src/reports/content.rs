//! The content of a report: its descriptor, made from that of the message it is about, and some of the
//! message.

use bytes::Bytes;
use mqi::{
    CorrelationId, Expiry, MessageDescriptor, MessageFlags, MessageType, ObjectDescriptor,
    PutApplicationType, Rare, ReportOptions, Text, constants,
};
use storage::record::reserved_for_put;

use super::kind::Kind;
use crate::engine::Engine;
use crate::message::context::Origin;
use crate::message::{Payload, ReportRights};
use crate::naming::transmission;
use crate::unit_of_work::gathering::Beginnings;

/// Most bytes of a report's descriptor in the log: all of its texts at their full length.
const DESCRIPTOR_BYTES_MAX: usize = 512;

/// The header that may come before a report: a dead-letter header of 172 bytes, or that of a transmission
/// queue.
const IN_FRONT_BYTES: usize = transmission::HEADER_BYTES_MAX;

/// A report on its way.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) descriptor: MessageDescriptor,
    pub(crate) body: Bytes,
    /// Where the message says that its reports go.
    pub(crate) reply_to: ObjectDescriptor,
    /// True if it may make a trigger message due.
    pub(crate) may_trigger: bool,
    /// True if its queue takes it even if the queue is full or allows no puts by now.
    pub(crate) is_promised: bool,
    /// True if the stream queue of its queue gets a copy: no copy is copied again.
    pub(crate) is_streamed: bool,
    /// True if the room set aside for it covers the copy that the stream queue of its queue must have.
    pub(crate) has_room_for_copy: bool,
    /// True if others share its body, which counts by itself against the memory budget.
    pub(crate) is_body_shared: bool,
    /// Time of day before which it is not delivered; 0 for at once.
    pub(crate) deliver_at: i64,
    /// Rights of the reports about the message: of this one, for a report.
    pub(crate) rights: ReportRights,
}

impl Report {
    /// Room in the log for a report with so much data, also on the dead-letter queue.
    pub(crate) fn room(data_length: usize) -> u64 {
        reserved_for_put(DESCRIPTOR_BYTES_MAX, data_length + IN_FRONT_BYTES)
    }

    /// Room in the log for a message that is put together with others whose bodies end alike, also on the
    /// dead-letter queue.
    pub(crate) fn room_beside(body: &Bytes, beginnings: &mut Beginnings) -> u64 {
        match beginnings.of(body) {
            Some(beginning) => beginning.room(DESCRIPTOR_BYTES_MAX) + IN_FRONT_BYTES as u64,
            None => Self::room(body.len()),
        }
    }
}

impl Report {
    /// A message that the queue manager puts as it is.
    pub(crate) fn of_message(descriptor: MessageDescriptor, body: Bytes, reply_to: ObjectDescriptor) -> Self {
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

    pub(crate) fn with_rights(self, rights: ReportRights) -> Self {
        Self { rights, ..self }
    }
}

impl Engine {
    /// The report of a kind about a message that has `left` to live.
    pub(crate) fn report_about(&self, kind: Kind, original: &Payload, left: Expiry) -> Report {
        let carried = if kind == Kind::Expiration { transmission::carried(original) } else { None };
        let original = carried.as_ref().unwrap_or(original);
        let about = &original.descriptor;
        let asked = about.report;
        let passes = asked.contains(ReportOptions::PASS_DISCARD_AND_EXPIRY);
        let discards = passes && asked.contains(ReportOptions::DISCARD_MSG);
        let is_segment = about.message_flags.contains(MessageFlags::SEGMENT);
        let passes_message_id = asked.contains(ReportOptions::PASS_MSG_ID);
        let mut descriptor = MessageDescriptor {
            report: if discards { ReportOptions::DISCARD_MSG } else { ReportOptions::EMPTY },
            message_type: MessageType::REPORT,
            // What has expired leaves nothing to pass on.
            expiry: if passes && kind != Kind::Expiration { left } else { Expiry::UNLIMITED },
            feedback: kind.feedback(),
            message_id: if passes_message_id { about.message_id } else { self.identifiers.next() },
            correlation_id: if asked.contains(ReportOptions::PASS_CORREL_ID) {
                about.correlation_id
            } else {
                CorrelationId(about.message_id.0)
            },
            backout_count: 0,
            reply_to_queue: Rare::USUAL,
            reply_to_queue_manager: self.name.into(),
            original_length: if is_segment {
                i32::try_from(original.body.len()).unwrap_or(i32::MAX)
            } else {
                constants::MQOL_UNDEFINED
            },
            ..about.clone()
        };
        self.own_origin().fill_origin(&mut descriptor, self.world.clock.wall());
        let body = match kind.data_length(original) {
            all if all == original.body.len() => original.body.clone(),
            // A copy, which does not keep the rest in memory.
            some => Bytes::copy_from_slice(&original.body[..some]),
        };
        Report::of_message(descriptor, body, about.reply_to()).with_rights(original.report_rights)
    }

    /// Identity of the queue manager in its own messages.
    pub(crate) fn own_origin(&self) -> Origin {
        Origin {
            user: Text::BLANK,
            application: Text::truncated(self.name.as_str()),
            application_type: PutApplicationType::QMGR,
        }
    }
}
