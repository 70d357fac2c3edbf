//! The effect of DEFINE SUB on the topic tree, and the queues of subscriptions that have DESTCLAS(MANAGED).
//!
//! Lives elsewhere: the change itself (`others`, `catalogue`).

use std::borrow::Cow;

use mqi::constants::*;
use mqi::{ObjectName, Reason};
use objects::mqsc::Setting;
use objects::{Definition, ObjectType, SettingError, Value};
use security::Principal;
use topic::TopicString;

use crate::engine::Engine;

/// Gives a new subscription its whole topic string, so that later changes to the topic object do not move it.
/// Without words about its topic it takes that of the model. Whether programs may subscribe there (SUB,
/// DURSUB) does not bind an administrator: what is there can always be defined again.
pub(super) fn settle(
    engine: &Engine,
    definition: &mut Definition,
    settings: &[Setting],
    model: &Definition,
) -> Result<(), String> {
    let is_about_topic = |setting: &Setting| {
        [MQCA_TOPIC_NAME, MQCA_TOPIC_STRING].contains(&setting.attribute.identifier_number())
    };
    let whole = match definition.name_in(MQCA_TOPIC_NAME) {
        None => String::new(),
        Some(_) if !settings.iter().any(is_about_topic) => model.topic_string(),
        Some(name) => below(engine, &name, &definition.text(MQCA_TOPIC_STRING))?,
    };
    definition.set_internal(MQCACF_TOPIC, Value::from(whole.as_str()));
    Ok(())
}

/// Makes a new subscription that names no user that of the user who defines it: it is his to alter and to
/// delete, and has no rights of another, whatever it is like. A blank SUBUSER names none: its messages would
/// say the names of publishers.
pub(super) fn give_owner(definition: &mut Definition, settings: &[Setting], user: &Principal) {
    let names_user = settings.iter().any(|setting| {
        let text = setting.value.as_text().unwrap_or_default();
        setting.attribute.identifier_number() == MQCACF_SUB_USER_ID && !text.trim().is_empty()
    });
    if !names_user {
        definition.set_internal(MQCACF_SUB_USER_ID, Value::from(user.short_name().as_str()));
    }
}

/// The topic string that a topic object and what follows it give.
fn below(engine: &Engine, topic: &ObjectName, rest: &str) -> Result<String, String> {
    let space = ObjectType::Topic.name_space();
    let (object, _) = engine.directory.catalogue.find_defined(space, topic.as_str());
    let object = object.ok_or_else(|| format!("TOPICOBJ names {topic}, which is not defined"))?;
    let first = object.current().definition.text(MQCA_TOPIC_STRING);
    let whole = TopicString::joined(&first, rest).map_err(|error| error.to_string())?;
    Ok(whole.as_str().to_owned())
}

/// A definition as it is shown: as it was given. A subscription whose topic object is gone, or names another
/// topic by now, is shown with its whole topic string instead, so that what is shown still makes the same
/// subscription.
pub(super) fn shown<'found>(engine: &Engine, found: &'found Definition) -> Cow<'found, Definition> {
    if found.object_type() != ObjectType::Subscription {
        return Cow::Borrowed(found);
    }
    let whole = found.topic_string();
    let stands = |name: ObjectName| {
        let below = below(engine, &name, &found.text(MQCA_TOPIC_STRING));
        below.is_ok_and(|below| below == whole)
    };
    if found.name_in(MQCA_TOPIC_NAME).is_none_or(stands) {
        return Cow::Borrowed(found);
    }
    let mut shown = found.clone();
    shown.set_internal(MQCA_TOPIC_NAME, Value::from(""));
    shown.set_internal(MQCA_TOPIC_STRING, Value::from(whole.as_str()));
    Cow::Owned(shown)
}

/// Gives a subscription that is to have a managed queue one: that which it has, or a new one. True for a new
/// one.
pub(super) fn give_queue(engine: &Engine, definition: &mut Definition) -> Result<bool, Reason> {
    if definition.object_type() != ObjectType::Subscription {
        return Ok(false);
    }
    let space = ObjectType::Subscription.name_space();
    let (existing, _) = engine.directory.catalogue.find_defined(space, definition.shown_name());
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
    engine.broker.make_managed_by_command(definition).1.map(|()| true)
}

/// True if a definition is a subscription that publications come to without a request.
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
