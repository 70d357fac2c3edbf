//! Values of displays that several commands show.

use mqi::ObjectName;
use mqi::constants::*;
use objects::{Definition, Moment, Value};

use crate::directory::shared_identifier;

/// Names as the value of a list.
pub(super) fn names(names: &[ObjectName]) -> Value {
    Value::Texts(names.iter().map(|name| Box::from(name.as_str())).collect())
}

pub(super) fn shown_identifier(identifier: u64) -> String {
    format!("{identifier:016X}")
}

/// The half of the connection identifiers that all connections of a queue manager share: four letters of ours
/// and twelve of its name, in hexadecimal.
pub(super) fn external_identifier(manager: &ObjectName) -> Value {
    let digits: String = shared_identifier(manager).iter().map(|byte| format!("{byte:02X}")).collect();
    Value::from(digits.as_str())
}

pub(super) fn count(count: u32) -> Value {
    Value::Integer(i32::try_from(count).unwrap_or(i32::MAX))
}

pub(super) fn date(moment: Option<Moment>) -> Value {
    Value::from(moment.map(Moment::date).unwrap_or_default().as_str())
}

pub(super) fn time(moment: Option<Moment>) -> Value {
    Value::from(moment.map(Moment::time).unwrap_or_default().as_str())
}

/// True if a queue may be recovered from an image.
pub(super) fn may_be_recovered(queue: &Definition, manager: &Definition) -> bool {
    match queue.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) {
        MQIMGRCOV_AS_Q_MGR => manager.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) != MQIMGRCOV_NO,
        own => own != MQIMGRCOV_NO,
    }
}
