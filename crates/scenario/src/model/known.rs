//! The calls that the model knows, and those that it judges.

use mqi::{GetFlags, MessageDescriptor, ObjectType, Wait, constants};

use super::Unmodelled;
use super::definitions::from_the_start;
use super::selecting::Selector;
use crate::Call;

/// The kind of a question whose answer the model does not judge, if the call is one.
pub(crate) fn question(call: &Call) -> Option<String> {
    let known = [
        constants::MQCA_Q_DESC,
        constants::MQIA_INHIBIT_PUT,
        constants::MQIA_INHIBIT_GET,
        constants::MQIA_CURRENT_Q_DEPTH,
        constants::MQIA_OPEN_INPUT_COUNT,
        constants::MQIA_OPEN_OUTPUT_COUNT,
        constants::MQIA_MAX_Q_DEPTH,
        constants::MQIA_TRIGGER_CONTROL,
    ];
    match call {
        Call::Get { .. } if is_of_no_concern(call) => Some("gets from other system queues".to_owned()),
        Call::Inquire { selector, .. } if !known.contains(&selector.0) => {
            Some("inquire of other attributes".to_owned())
        }
        _ => None,
    }
}

fn is_other_system(name: &str) -> bool {
    name.starts_with("SYSTEM.") && !from_the_start().contains_key(name)
}

/// True if a call changes nothing that the model has: a get at once, outside units of work, of the queue
/// manager's own messages.
pub(super) fn is_of_no_concern(call: &Call) -> bool {
    let Call::Get { name, options, .. } = call else { return false };
    let units = GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT;
    is_other_system(name.as_str()) && options.wait == Wait::No && !options.flags.intersects(units)
}

/// Refuses what the model does not know, so that a new word of the language is not passed over.
pub(super) fn check(call: &Call) -> Result<(), Unmodelled> {
    let name = call.object().unwrap_or_default();
    if is_other_system(name.as_str()) && !is_of_no_concern(call) {
        return Err(Unmodelled::change("other system objects"));
    }
    match call {
        Call::Open { object, .. }
            if !object.selection_string.trim().is_empty()
                && Selector::read(&object.selection_string).is_none() =>
        {
            Err(Unmodelled::change("an open with a selector"))
        }
        Call::Open { object, .. } if !object.object_queue_manager_name.is_blank() => {
            Err(Unmodelled::change("an open of another queue manager's queue"))
        }
        Call::Open { object, .. } if !matches!(object.object_type, ObjectType::Queue | ObjectType::Topic) => {
            Err(Unmodelled::change("an open of another kind of object"))
        }
        Call::Open { object, .. } if !is_plain_name(object.dynamic_queue_name.as_str()) => {
            Err(Unmodelled::change("a dynamic queue of an odd name"))
        }
        Call::Subscribe { descriptor, .. }
            if !descriptor.selection_string.trim().is_empty()
                && Selector::read(&descriptor.selection_string).is_none() =>
        {
            Err(Unmodelled::change("an open with a selector"))
        }
        Call::Through { call, .. } => check(call),
        Call::Naming { call, .. } => check(call),
        Call::Put { descriptor, .. } | Call::Put1 { descriptor, .. } => check_descriptor(descriptor),
        Call::Set { values, .. } => {
            let known = [
                constants::MQIA_INHIBIT_PUT,
                constants::MQIA_INHIBIT_GET,
                constants::MQIA_MAX_Q_DEPTH,
                constants::MQIA_TRIGGER_CONTROL,
                constants::MQIA_TRIGGER_DEPTH,
                constants::MQIA_TRIGGER_MSG_PRIORITY,
            ];
            match values.iter().find(|(selector, _)| !known.contains(&selector.0)) {
                Some(_) => Err(Unmodelled::change("a set of other attributes")),
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// True if a dynamic queue may have this name, or one that begins so.
fn is_plain_name(name: &str) -> bool {
    let prefix = name.strip_suffix('*');
    let is_short = prefix.is_none_or(|prefix| prefix.len() <= 33);
    !name.is_empty() && !name.contains(' ') && !name.starts_with("SYSTEM.") && is_short
}

fn check_descriptor(descriptor: &MessageDescriptor) -> Result<(), Unmodelled> {
    let is = |format: &str| descriptor.format.as_str() == format.trim_end();
    if is(constants::MQFMT_MD_EXTENSION) {
        return Err(Unmodelled::change("a put with an extension of the descriptor"));
    }
    Ok(())
}
