//! The content of a report: its descriptor, made from that of the message it is about, and some of the
//! message.

use bytes::Bytes;
use mqi::{
    CorrelationId, Expiry, MessageDescriptor, MessageFlags, MessageType, PutApplicationType, Rare,
    ReportOptions, Text, constants,
};
use queues::message::Payload;
use queues::message::context::Origin;
use queues::message::report::Report;
use queues::message::report_kind::Kind;

use crate::directory::Directory;
use crate::naming::transmission;

impl Directory {
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
        self.own_origin().fill_origin(&mut descriptor, self.ground().world.clock.wall());
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
