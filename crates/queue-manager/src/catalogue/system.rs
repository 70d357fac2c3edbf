//! The objects every queue manager has from the start.

use mqi::ObjectName;
use mqi::constants::{MQ_Q_MGR_IDENTIFIER_LENGTH, MQCA_Q_DESC, MQCA_Q_MGR_IDENTIFIER};
use objects::{Definition, Moment, ObjectType, Value};

/// Name, type and description of each.
pub const SYSTEM_OBJECTS: &[(&str, ObjectType, &str)] = &[
    ("SYSTEM.DEFAULT.LOCAL.QUEUE", ObjectType::LocalQueue, "What DEFINE QLOCAL leaves out comes from here"),
    ("SYSTEM.DEFAULT.ALIAS.QUEUE", ObjectType::AliasQueue, "What DEFINE QALIAS leaves out comes from here"),
    ("SYSTEM.DEFAULT.MODEL.QUEUE", ObjectType::ModelQueue, "What DEFINE QMODEL leaves out comes from here"),
    ("SYSTEM.DEAD.LETTER.QUEUE", ObjectType::LocalQueue, "Messages that could not be delivered"),
];

/// The definitions of the system objects.
pub fn system_definitions(now: Moment) -> impl Iterator<Item = Definition> {
    SYSTEM_OBJECTS.iter().map(move |(name, object_type, description)| {
        let name = name.parse().expect("the names of system objects are names");
        let mut definition = Definition::new(*object_type, name, now);
        definition.set_internal(MQCA_Q_DESC, Value::from(*description));
        definition
    })
}

/// The definition of a new queue manager.
pub(super) fn manager_definition(name: ObjectName, now: Moment) -> Definition {
    let mut definition = Definition::new(ObjectType::QueueManager, name, now);
    // Name and time of making, as the family has it; a long name is cut so that the whole time stays.
    let suffix = format!("_{}_{}", now.date(), now.time());
    let name_length = name.as_str().len().min(MQ_Q_MGR_IDENTIFIER_LENGTH - suffix.len());
    let identifier = format!("{}{suffix}", &name.as_str()[..name_length]);
    definition.set_internal(MQCA_Q_MGR_IDENTIFIER, Value::from(identifier.as_str()));
    definition
}
