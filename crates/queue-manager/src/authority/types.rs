//! The kinds of object that requests name: by the types of definitions, and as types of records.

use mqi::ObjectName;
use objects::{Definition, Family, ObjectType as DefinedType};
use security::authority::ObjectType;
use security::{Object, ObjectKind};

/// The type of the records that are for a kind of object; none for subscriptions, whose rights are those on
/// their topics.
pub(crate) fn type_of(kind: ObjectKind) -> Option<ObjectType> {
    Some(match kind {
        ObjectKind::QueueManager => ObjectType::QueueManager,
        ObjectKind::Queue => ObjectType::Queue,
        ObjectKind::RemoteQueueManager => ObjectType::RemoteQueueManager,
        ObjectKind::Topic => ObjectType::Topic,
        ObjectKind::Subscription => return None,
        ObjectKind::Process => ObjectType::Process,
        ObjectKind::Namelist => ObjectType::Namelist,
        ObjectKind::Channel => ObjectType::Channel,
        ObjectKind::ClientChannel => ObjectType::ClientConnection,
        ObjectKind::Listener => ObjectType::Listener,
        ObjectKind::Service => ObjectType::Service,
        ObjectKind::Authentication => ObjectType::AuthenticationInformation,
        ObjectKind::CommunicationInformation => ObjectType::CommunicationInformation,
        ObjectKind::Bridge => ObjectType::Bridge,
        ObjectKind::Pipe => ObjectType::Pipe,
    })
}

/// The kind of object that records of a type are for.
pub(crate) fn kind_of_record(object_type: ObjectType) -> ObjectKind {
    match object_type {
        ObjectType::QueueManager => ObjectKind::QueueManager,
        ObjectType::Queue => ObjectKind::Queue,
        ObjectType::RemoteQueueManager => ObjectKind::RemoteQueueManager,
        ObjectType::Topic => ObjectKind::Topic,
        ObjectType::Process => ObjectKind::Process,
        ObjectType::Namelist => ObjectKind::Namelist,
        ObjectType::Channel => ObjectKind::Channel,
        ObjectType::ClientConnection => ObjectKind::ClientChannel,
        ObjectType::Listener => ObjectKind::Listener,
        ObjectType::Service => ObjectKind::Service,
        ObjectType::AuthenticationInformation => ObjectKind::Authentication,
        ObjectType::CommunicationInformation => ObjectKind::CommunicationInformation,
        ObjectType::Bridge => ObjectKind::Bridge,
        ObjectType::Pipe => ObjectKind::Pipe,
    }
}

/// The object on which rights are given for a definition.
pub(crate) fn of_definition(definition: &Definition) -> Object<'_> {
    let object_type = definition.object_type();
    match object_type {
        DefinedType::QueueManager | DefinedType::ChannelRule => Object::MANAGER,
        DefinedType::Subscription => {
            Object::texted(kind_of(object_type), ObjectName::BLANK, definition.shown_name())
        }
        _ => Object::named(kind_of(object_type), *definition.name()),
    }
}

/// The kind of object on which rights are given for a type.
pub(crate) fn kind_of(object_type: DefinedType) -> ObjectKind {
    match object_type {
        DefinedType::ClientConnectionChannel => ObjectKind::ClientChannel,
        other => match other.family() {
            Family::Queue => ObjectKind::Queue,
            // Records are part of the queue manager.
            Family::QueueManager | Family::ChannelRule => ObjectKind::QueueManager,
            Family::Process => ObjectKind::Process,
            Family::Namelist => ObjectKind::Namelist,
            Family::Channel => ObjectKind::Channel,
            Family::Listener => ObjectKind::Listener,
            Family::Service => ObjectKind::Service,
            Family::Topic => ObjectKind::Topic,
            Family::Subscription => ObjectKind::Subscription,
            Family::Authentication => ObjectKind::Authentication,
            Family::CommunicationInformation => ObjectKind::CommunicationInformation,
            Family::Bridge => ObjectKind::Bridge,
            Family::Pipe => ObjectKind::Pipe,
        },
    }
}
