//! Lengths of the messages that are put.

use formats::headers::{self, Place};
use formats::properties;
use mqi::{MessageDescriptor, Reason, constants};
use objects::{QueueAttributes, QueueManagerAttributes};
use queues::message::presentation;

/// Length of a message without its properties. An error if these are too long, or if judged headers are not
/// right.
#[inline]
pub(super) fn data_length(
    descriptor: &MessageDescriptor,
    body: &[u8],
    manager: &QueueManagerAttributes,
    judges: impl FnOnce() -> bool,
) -> Result<usize, Reason> {
    if presentation::may_have(descriptor) {
        return length_without_properties(descriptor, body, manager, judges());
    }
    if headers::is_judged(&descriptor.format) && judges() {
        headers::check(&place_of(descriptor, manager), body).map_err(|error| error.reason())?;
    }
    Ok(body.len())
}

fn length_without_properties(
    descriptor: &MessageDescriptor,
    body: &[u8],
    manager: &QueueManagerAttributes,
    judges: bool,
) -> Result<usize, Reason> {
    let of_properties = properties::length_of_put(&place_of(descriptor, manager), body, judges)?;
    match manager.properties_bytes_max {
        Some(most) if of_properties > most as usize => Err(Reason::PROPERTIES_TOO_BIG),
        _ => Ok(body.len() - of_properties),
    }
}

fn place_of(descriptor: &MessageDescriptor, manager: &QueueManagerAttributes) -> Place {
    let mut place = Place::of(descriptor);
    if place.coded_character_set == constants::MQCCSI_Q_MGR {
        place.coded_character_set = manager.coded_character_set;
    }
    place
}

/// Checks that a message of this length, with the queue manager's headers in front, fits.
pub(super) fn check_length(
    length: usize,
    in_front: usize,
    queue: &QueueAttributes,
    manager_max: u32,
) -> Result<(), Reason> {
    if length + in_front > queue.message_bytes_max as usize {
        Err(Reason::MSG_TOO_BIG_FOR_Q)
    } else if length > manager_max as usize {
        Err(Reason::MSG_TOO_BIG_FOR_Q_MGR)
    } else {
        Ok(())
    }
}
