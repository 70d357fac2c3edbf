//! The place of a message in a group, or of a segment in its message.
//!
//! Lives elsewhere: the groups of a queue (`queue::groups`), the place that each handle has reached
//! (`grouping`).

use mqi::{MessageDescriptor, MessageFlags, MessageType};
use storage::GroupHead;

/// Tells one group of a queue from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The group.
    pub group_id: [u8; 24],
    /// Feedback of a report; zero for other messages.
    pub feedback: i32,
}

/// The place that a descriptor gives to a message of so many bytes.
pub fn place_of(descriptor: &MessageDescriptor, bytes: usize) -> GroupHead {
    let flags = descriptor.message_flags.bits() & MessageFlags::KNOWN.bits();
    let is_report = descriptor.message_type == MessageType::REPORT;
    let reported = Some(descriptor.original_length).filter(|length| is_report && *length >= 0);
    GroupHead {
        flags: u8::try_from(flags).expect("the known flags are five"),
        sequence_number: descriptor.message_sequence_number,
        offset: descriptor.offset,
        length: reported.unwrap_or_else(|| i32::try_from(bytes).unwrap_or(i32::MAX)),
        feedback: if is_report { descriptor.feedback.code() } else { 0 },
    }
}

/// True if a place is that of a message in a group, or of a segment. A message that only may be segmented has
/// a group identifier, too.
pub fn is_member(place: &GroupHead) -> bool {
    flags(place).intersects(MessageFlags::MSG_IN_GROUP | MessageFlags::SEGMENT)
}

/// True if it is a segment.
pub(crate) fn is_segment(place: &GroupHead) -> bool {
    flags(place).contains(MessageFlags::SEGMENT)
}

/// True if it is the first of a group, or of a logical message in no group.
pub(crate) fn is_head(place: &GroupHead) -> bool {
    place.sequence_number == 1 && place.offset == 0
}

/// The flags of a place.
pub(crate) fn flags(place: &GroupHead) -> MessageFlags {
    MessageFlags::from_bits(i32::from(place.flags))
}
