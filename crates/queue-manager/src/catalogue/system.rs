//! The objects every queue manager has from the start.

use mqi::ObjectName;
use mqi::constants::{MQ_Q_MGR_IDENTIFIER_LENGTH, MQCA_Q_MGR_IDENTIFIER};
use objects::{Definition, Moment, ObjectType, Value};

/// Name and type of each.
pub const SYSTEM_OBJECTS: &[(&str, ObjectType)] = &[
    ("SYSTEM.DEFAULT.LOCAL.QUEUE", ObjectType::LocalQueue),
    ("SYSTEM.DEFAULT.ALIAS.QUEUE", ObjectType::AliasQueue),
    ("SYSTEM.DEFAULT.MODEL.QUEUE", ObjectType::ModelQueue),
    ("SYSTEM.DEAD.LETTER.QUEUE", ObjectType::LocalQueue),
];

/// The definitions of the system objects. Those that give DEFINE its values have no description, since it would be
/// copied with them.
pub fn system_definitions(now: Moment) -> impl Iterator<Item = Definition> {
    SYSTEM_OBJECTS.iter().map(move |(name, object_type)| {
        let name = name.parse().expect("the names of system objects are names");
        Definition::new(*object_type, name, now)
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
