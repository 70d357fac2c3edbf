//! The exception report on a message that became a dead letter.
//!
//! Always: a report is made only where the message asks for one and names a queue for it. It is put as the
//! user of the message, so that a message reaches no queue by its report that its sender may not put to.

use bytes::Bytes;
use mqi::{
    CorrelationId, Feedback, MessageDescriptor, MessageId, MessageType, ObjectDescriptor, PutFlags, Rare,
    ReportOptions, constants,
};

use crate::refusal::DeadReason;

/// Bytes of the message in a report that asks for some of its data.
const SOME_BYTES: usize = 100;

/// A report, and the queue that it goes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExceptionReport {
    pub(super) queue: ObjectDescriptor,
    pub(super) descriptor: MessageDescriptor,
    pub(super) body: Bytes,
    /// Options of its put besides those of the unit of work.
    pub(super) flags: PutFlags,
}

/// The report on a message that was refused for this reason; none where it asks for none.
pub(super) fn exception(
    about: &MessageDescriptor,
    body: &Bytes,
    reason: DeadReason,
) -> Option<ExceptionReport> {
    let asked = about.report;
    let length = if asked.contains(ReportOptions::EXCEPTION_WITH_FULL_DATA) {
        body.len()
    } else if asked.contains(ReportOptions::EXCEPTION_WITH_DATA) {
        body.len().min(SOME_BYTES)
    } else if asked.contains(ReportOptions::EXCEPTION) {
        0
    } else {
        return None;
    };
    let queue = about.reply_to();
    if queue.object_name.is_blank() {
        return None;
    }
    let passes_message_id = asked.contains(ReportOptions::PASS_MSG_ID);
    let passes_correlation_id = asked.contains(ReportOptions::PASS_CORREL_ID);
    let descriptor = MessageDescriptor {
        report: ReportOptions::EMPTY,
        message_type: MessageType::REPORT,
        feedback: Feedback(reason.0),
        message_id: if passes_message_id { about.message_id } else { MessageId::NONE },
        correlation_id: if passes_correlation_id {
            about.correlation_id
        } else {
            CorrelationId(about.message_id.0)
        },
        backout_count: 0,
        reply_to_queue: Rare::USUAL,
        reply_to_queue_manager: Rare::USUAL,
        original_length: constants::MQOL_UNDEFINED,
        ..about.clone()
    };
    let is_of_a_user = !about.user_identifier.as_str().trim().is_empty();
    Some(ExceptionReport {
        queue: ObjectDescriptor { alternate_user_identifier: about.user_identifier, ..queue },
        descriptor,
        body: body.slice(..length),
        flags: if is_of_a_user { PutFlags::ALTERNATE_USER_AUTHORITY } else { PutFlags::EMPTY },
    })
}

#[cfg(test)]
mod tests {
    use mqi::Text;

    use super::*;

    #[test]
    fn a_report_is_made_where_it_is_asked_for_with_as_much_of_the_message() {
        let body = Bytes::from(vec![7; 300]);
        for (report, queue, expected) in [
            (ReportOptions::EMPTY, "R", None),
            (ReportOptions::EXCEPTION, "", None),
            (ReportOptions::EXCEPTION, "no name", None),
            (ReportOptions::EXCEPTION, "R", Some(0)),
            (ReportOptions::EXCEPTION_WITH_DATA, "R", Some(100)),
            (ReportOptions::EXCEPTION_WITH_FULL_DATA, "R", Some(300)),
        ] {
            let about = MessageDescriptor {
                report,
                message_id: MessageId([3; 24]),
                reply_to_queue: Text::truncated(queue).into(),
                user_identifier: Text::truncated("ada"),
                ..MessageDescriptor::default()
            };
            let made = exception(&about, &body, DeadReason::UNKNOWN_DESTINATION);
            assert_eq!(made.as_ref().map(|made| made.body.len()), expected, "{report:?} {queue}");
            if let Some(made) = made {
                assert_eq!(made.descriptor.feedback, Feedback(constants::MQRC_UNKNOWN_OBJECT_NAME));
                assert_eq!(made.descriptor.correlation_id, CorrelationId([3; 24]));
                assert_eq!(made.descriptor.message_type, MessageType::REPORT);
                assert_eq!(made.flags, PutFlags::ALTERNATE_USER_AUTHORITY);
            }
        }
    }
}
