//! What DEFINE SUB asks of the topic tree, and the queues of subscriptions that have DESTCLAS(MANAGED).
//!
//! Lives elsewhere: the change itself (`others`, `catalogue`).

use mqi::Reason;
use mqi::constants::*;
use objects::mqsc::Setting;
use objects::{Definition, ObjectType, SettingError, Value};
use topic::TopicString;

use super::live::Running;

/// Gives a new subscription its whole topic string. A definition names the topic itself from then on, so that what becomes of
/// the topic object does not move it. Whether programs may subscribe there (SUB, DURSUB) does not bind an administrator: what
/// is there can always be defined again.
pub(super) fn settle<E: Running>(engine: &E, definition: &mut Definition) -> Result<(), String> {
    if let Some(name) = definition.name_in(MQCA_TOPIC_NAME) {
        let space = ObjectType::Topic.name_space();
        let (object, _) = engine.catalogue().find_defined(space, name.as_str());
        let object = object.ok_or_else(|| format!("TOPICOBJ names {name}, which is not defined"))?;
        let first = object.current().definition.text(MQCA_TOPIC_STRING);
        let whole = TopicString::joined(&first, &definition.text(MQCA_TOPIC_STRING));
        let whole = whole.map_err(|error| error.to_string())?;
        definition.set_internal(MQCA_TOPIC_STRING, Value::from(whole.as_str()));
        definition.set_internal(MQCA_TOPIC_NAME, Value::from(""));
    }
    Ok(())
}

/// Gives a subscription that is to have a managed queue one: that which it has, or a new one. True for a new one.
pub(super) fn give_queue<E: Running>(engine: &E, definition: &mut Definition) -> Result<bool, Reason> {
    if definition.object_type() != ObjectType::Subscription {
        return Ok(false);
    }
    let space = ObjectType::Subscription.name_space();
    let (existing, _) = engine.catalogue().find_defined(space, definition.shown_name());
    if let Some(existing) = existing.map(|existing| existing.current()) {
        let of = |definition: &Definition| definition.integer(MQIACF_DESTINATION_CLASS);
        if of(&existing.definition) != of(definition) {
            return Err(Reason::DEST_CLASS_NOT_ALTERABLE);
        }
        if is_managed(definition) {
            let queue = existing.definition.text(MQCACF_DESTINATION);
            definition.set_internal(MQCACF_DESTINATION, Value::from(queue.as_str()));
        }
        return Ok(false);
    }
    let is_default = ObjectType::Subscription.default_object() == Some(definition.shown_name());
    if !is_managed(definition) || is_default {
        return Ok(false);
    }
    engine.make_managed_queue(definition).map(|()| true)
}

/// Whether a definition is a subscription that publications come to unasked.
pub(super) fn is_given_all(definition: &Definition) -> bool {
    definition.object_type() == ObjectType::Subscription
        && ObjectType::Subscription.default_object() != Some(definition.shown_name())
        && definition.integer(MQIACF_REQUEST_ONLY) != MQRU_PUBLISH_ON_REQUEST
}

/// A managed queue is not exchanged for another.
pub(super) fn check_alter(definition: &Definition, settings: &[Setting]) -> Result<(), SettingError> {
    let is_of_queue = |setting: &&Setting| {
        [MQCACF_DESTINATION, MQCACF_DESTINATION_Q_MGR].contains(&setting.attribute.identifier_number())
    };
    match settings.iter().find(is_of_queue) {
        Some(setting) if definition.object_type() == ObjectType::Subscription && is_managed(definition) => {
            Err(SettingError::Fixed { keyword: setting.attribute.keyword })
        }
        _ => Ok(()),
    }
}

fn is_managed(definition: &Definition) -> bool {
    definition.integer(MQIACF_DESTINATION_CLASS) == MQDC_MANAGED
}
