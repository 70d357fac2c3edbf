//! Descriptors of the messages that are put.

use mqi::{MessageDescriptor, MessageType, Reason, constants};
use queues::grouping::GROUP_NUMBER_MAX;
use queues::message::report_kind;

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
    let asks = !descriptor.report.is_empty();
    let is_answered = is_request || asks && report_kind::asks_for_any(descriptor.report);
    if is_answered && descriptor.reply_to_queue.is_blank() {
        return Err(Reason::MISSING_REPLY_TO_Q);
    }
    if asks {
        report_kind::check(descriptor.report, is_leaving)?;
    }
    if !descriptor.feedback.is_valid() {
        return Err(Reason::FEEDBACK_ERROR);
    }
    check_groups(descriptor, in_order, is_leaving)
}

/// The fields of groups and segments. In logical order those that the queue manager fills are not looked at.
#[inline]
fn check_groups(descriptor: &MessageDescriptor, in_order: bool, is_leaving: bool) -> Result<(), Reason> {
    let of_others = if is_leaving { 0 } else { constants::MQMF_ACCEPT_UNSUP_IF_XMIT_MASK };
    let refused_flags = constants::MQMF_REJECT_UNSUP_MASK | of_others;
    let is_numbered = (1..=GROUP_NUMBER_MAX).contains(&descriptor.message_sequence_number);
    if descriptor.message_flags.unknown().bits() & refused_flags != 0 {
        Err(Reason::MSG_FLAGS_ERROR)
    } else if !in_order && !is_numbered {
        Err(Reason::MSG_SEQ_NUMBER_ERROR)
    } else if !in_order && !(0..=GROUP_NUMBER_MAX).contains(&descriptor.offset) {
        Err(Reason::OFFSET_ERROR)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::check_groups as check;
    use mqi::{MessageDescriptor, MessageFlags, Reason};

    #[test]
    fn numbers_out_of_range_are_refused_unless_the_queue_manager_gives_them() {
        let given = |number, offset, flags| MessageDescriptor {
            message_sequence_number: number,
            offset,
            message_flags: MessageFlags::from_bits(flags),
            ..MessageDescriptor::default()
        };
        for (given, refusal) in [
            (given(0, 0, 0), Reason::MSG_SEQ_NUMBER_ERROR),
            (given(1_000_000_000, 0, 0), Reason::MSG_SEQ_NUMBER_ERROR),
            (given(1, -1, 0), Reason::OFFSET_ERROR),
            (given(1, 1_000_000_000, 0), Reason::OFFSET_ERROR),
        ] {
            assert_eq!(check(&given, false, false), Err(refusal));
            assert_eq!(check(&given, true, false), Ok(()));
        }
        assert_eq!(check(&given(1, 0, 0x40), true, false), Err(Reason::MSG_FLAGS_ERROR));
        assert_eq!(check(&given(1, 0, 0x1000), true, false), Err(Reason::MSG_FLAGS_ERROR));
        assert_eq!(check(&given(1, 0, 0x1000), true, true), Ok(()));
    }
}
