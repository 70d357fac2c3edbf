//! What DEFINE SUB asks of the topic tree.
//!
//! Lives elsewhere: the change itself (`others`, `catalogue`).

use mqi::constants::{MQCA_TOPIC_NAME, MQCA_TOPIC_STRING};
use objects::{Definition, ObjectType, Value};
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
