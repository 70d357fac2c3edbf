//! The extension of the descriptor (MQMDE): fields of groups and segments as a header before the body, for
//! readers that know the first version of the descriptor alone.
//!
//! Lives here: whether a message needs one, and its bytes before a body. Lives elsewhere: reading one from a
//! put (`verbs`), its layout (`formats`).

use bytes::Bytes;
use formats::convert::Target;
use formats::headers::{Chain, DescriptorExtension, Header, Place};
use mqi::{Encoding, MessageDescriptor, Reason, constants};

/// The character set of headers when the queue manager's own has no table.
const UTF_8: i32 = 1208;

/// True if the descriptor uses a field that only its second version has.
pub fn is_needed(descriptor: &MessageDescriptor) -> bool {
    let default = MessageDescriptor::default();
    !descriptor.group_id.is_none()
        || descriptor.message_sequence_number != default.message_sequence_number
        || descriptor.offset != default.offset
        || !descriptor.message_flags.is_empty()
        || descriptor.original_length != default.original_length
}

/// Bytes of the extension of a descriptor; zero without one.
pub fn length(descriptor: &MessageDescriptor) -> usize {
    if is_needed(descriptor) { constants::MQMDE_LENGTH_2 } else { 0 }
}

/// The extension of a descriptor, as a header.
pub fn header(descriptor: &MessageDescriptor) -> Header {
    Header::DescriptorExtension(DescriptorExtension {
        following: Place::of(descriptor),
        flags: 0,
        group_id: *descriptor.group_id,
        message_sequence_number: descriptor.message_sequence_number,
        offset: descriptor.offset,
        message_flags: descriptor.message_flags,
        original_length: descriptor.original_length,
    })
}

/// A body with the extension of its descriptor in front, in an encoding and character set.
///
/// # Errors
/// When the header cannot be written in them.
pub(crate) fn put_before(
    descriptor: &MessageDescriptor,
    body: Bytes,
    target: Target,
) -> Result<(Place, Bytes), Reason> {
    let chain = Chain { headers: vec![header(descriptor)], place: Place::of(descriptor), data: body };
    write(&chain, target.encoding, target.coded_character_set)
}

/// Headers and data in a character set, or in UTF-8 where that has no table.
pub fn write(chain: &Chain, encoding: Encoding, ccsid: i32) -> Result<(Place, Bytes), Reason> {
    chain.write(encoding, ccsid).or_else(|_| chain.write(encoding, UTF_8))
}
