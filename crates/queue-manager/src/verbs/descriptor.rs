//! Descriptors of the messages that are put.

use mqi::{MessageDescriptor, MessageType, Reason};
use queues::message::report_kind;

use crate::verbs::grouped_put as grouped;

/// Checks that a descriptor makes sense.
#[inline]
pub(super) fn check_descriptor(
    descriptor: &MessageDescriptor,
    in_order: bool,
    is_leaving: bool,
) -> Result<(), Reason> {
    if !descriptor.message_type.is_valid() {
        return Err(Reason::MSG_TYPE_ERROR);
    }
    let is_request = descriptor.message_type == MessageType::REQUEST;
    let is_answered = is_request || report_kind::asks_for_any(descriptor.report);
    if is_answered && descriptor.reply_to_queue.is_blank() {
        return Err(Reason::MISSING_REPLY_TO_Q);
    }
    report_kind::check(descriptor.report, is_leaving)?;
    if !descriptor.feedback.is_valid() {
        return Err(Reason::FEEDBACK_ERROR);
    }
    grouped::check(descriptor, in_order, is_leaving)
}
