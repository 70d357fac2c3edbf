//! One row for each attribute of each kind of object.
//!
//! Lives here: finding rows by keyword, number or selector. The rows themselves are in a file for each family
//! of objects, and in `status`; their form is in `row`.
//! Lives elsewhere: values (`value`), an object's set of values (`definition`), the text form (`mqsc`).
//!
//! Always: a keyword, a synonym and a number name at most one row for a given subject; a row's default is a
//! value the row accepts. Parser, printer, inquire, encoded definitions, help and the reference page all come
//! from these rows, so a number or a default never changes once released: stored definitions hold only what
//! differs from it.

mod amqp_name;
mod authentication;
mod authority_status;
mod bridge;
mod channel;
mod channel_rule;
mod channel_status;
mod cluster;
mod listener_status;
mod origin;
mod process;
mod queue;
mod queue_manager;
mod route;
mod row;
mod status;
mod subscription;
#[cfg(test)]
mod tests;
mod topic;
mod topic_status;
pub(crate) mod words;

pub use amqp_name::{AMQP_NAME_BYTES_MAX, AmqpNameFault, check_amqp_name};
pub(crate) use bridge::BRIDGE_TLS_NO;
pub use bridge::PIPE_DIRECTION_IN;
pub(crate) use channel_rule::TYPES as CHANNEL_RULE_TYPES;
pub use origin::MAKER_BYTES_MAX;
pub(crate) use process::{LISTENER_TLS_ALLOWED, LISTENER_TLS_NO, LISTENER_TLS_REQUIRED};
pub(crate) use queue::FULL_ACTION_HOLD;
pub use queue_manager::REVOKERS_MAX;
pub use route::{ROUTE_CHANNEL, ROUTE_ELSEWHERE, ROUTE_END, ROUTE_LOCAL, ROUTE_NOWHERE, ROUTE_OBJECT};
pub use row::{Access, Attribute, Derived, Effect, Identifier, Kind, Literal, Number, Word};
pub use status::{LOG_ATTRIBUTES, StatusType, UNIT_STATES_BY_HAND};
pub use subscription::{CLIENT_IDENTIFIER_MAX, LAPSES_NEVER, SUBSCRIPTION_GOES_ON};

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::object_type::{Family, ObjectType};

/// The subject of a set of rows: an object that can be defined, or a state that can only be displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An object an administrator defines.
    Object(ObjectType),
    /// A state that a queue manager tells of itself.
    Status(StatusType),
}

impl Subject {
    /// The word this subject goes by in MQSC, for messages.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Object(object_type) => object_type.keyword(),
            Self::Status(status) => status.keyword(),
        }
    }
}

/// The rows of a subject, in the order in which they are displayed.
pub fn of(subject: Subject) -> impl Iterator<Item = &'static Attribute> {
    let (table, object_type) = match subject {
        Subject::Object(object_type) => (table(object_type.family()), Some(object_type)),
        Subject::Status(status) => (status.rows(), None),
    };
    table.iter().filter(move |row| {
        !matches!(row.access, Access::Hidden | Access::Asked | Access::Elsewhere)
            && object_type.is_none_or(|wanted| row.applies_to.contains(wanted))
    })
}

/// The rows of a subject that only a question by their keyword shows: ALL leaves them out.
pub fn asked(subject: Subject) -> impl Iterator<Item = &'static Attribute> {
    let object_type = match subject {
        Subject::Object(object_type) => Some(object_type),
        Subject::Status(_) => None,
    };
    let rows = origin::ROWS.iter().chain(cluster::ROWS);
    rows.filter(move |row| object_type.is_some_and(|wanted| row.applies_to.contains(wanted)))
}

fn table(family: Family) -> &'static [Attribute] {
    match family {
        Family::Queue => queue::ROWS,
        Family::QueueManager => queue_manager::ROWS,
        Family::Process => process::PROCESS_ROWS,
        Family::Namelist => process::NAMELIST_ROWS,
        Family::Channel => channel::ROWS,
        Family::Listener => process::LISTENER_ROWS,
        Family::Service => process::SERVICE_ROWS,
        Family::Topic => topic::ROWS,
        Family::Subscription => subscription::ROWS,
        Family::Authentication => authentication::ROWS,
        Family::CommunicationInformation => topic::COMMUNICATION_ROWS,
        Family::ChannelRule => channel_rule::ROWS,
        Family::Bridge => bridge::BRIDGE_ROWS,
        Family::Pipe => bridge::PIPE_ROWS,
    }
}

/// The rows of an object that its stored definition carries.
pub fn stored(object_type: ObjectType) -> impl Iterator<Item = &'static Attribute> {
    of(Subject::Object(object_type)).filter(|row| row.is_stored())
}

/// The row that an MQSC keyword, in capitals, names for a subject; either word of a switch names its row.
pub fn by_keyword(subject: Subject, keyword: &str) -> Option<&'static Attribute> {
    of(subject).chain(asked(subject)).find(|row| row.answers_to(keyword))
}

/// Rows of stored definitions by their number: every start asks for some dozens for each queue, and a walk
/// through the rows of a family was a tenth of the time in which an empty queue manager opens.
static BY_NUMBER: LazyLock<BTreeMap<(ObjectType, Number), &'static Attribute>> = LazyLock::new(|| {
    let of_type = |object_type: ObjectType| {
        let rows = table(object_type.family()).iter().chain(origin::ROWS);
        let stored = rows.filter(move |row| row.is_stored() && row.applies_to.contains(object_type));
        stored.filter_map(move |row| Some(((object_type, row.number()?), row)))
    };
    ObjectType::all().flat_map(of_type).collect()
});

/// The row with this number in a stored definition.
pub fn by_number(object_type: ObjectType, number: Number) -> Option<&'static Attribute> {
    BY_NUMBER.get(&(object_type, number)).copied()
}

/// The row that an MQINQ or MQSET selector names.
pub fn by_selector(object_type: ObjectType, selector: i32) -> Option<&'static Attribute> {
    of(Subject::Object(object_type)).find(|row| row.identifier == Identifier::Selector(selector))
}

/// The row that is shown under this number in PCF.
pub fn by_pcf(object_type: ObjectType, number: i32) -> Option<&'static Attribute> {
    of(Subject::Object(object_type)).find(|row| row.identifier_number() == number)
}

/// Returns the number of a subject's first rows that identify its objects; a display always shows them.
pub fn identity_count(subject: Subject) -> usize {
    match subject {
        Subject::Object(object_type) => match object_type.family() {
            Family::Queue
            | Family::Channel
            | Family::Authentication
            | Family::Topic
            | Family::CommunicationInformation
            | Family::Subscription => 2,
            Family::ChannelRule => 10,
            _ => 1,
        },
        Subject::Status(
            StatusType::QueueManager
            | StatusType::QueueStatistics
            | StatusType::Listener
            | StatusType::AuthorityService
            | StatusType::Route,
        ) => 1,
        Subject::Status(StatusType::AuthorityRecord | StatusType::EntityAuthority) => 4,
        Subject::Status(StatusType::Queue | StatusType::QueueHandle) => 2,
        Subject::Status(StatusType::Channel) => 8,
        Subject::Status(StatusType::Topic | StatusType::Subscription | StatusType::PublishSubscribe) => 2,
        Subject::Status(
            StatusType::Connection | StatusType::TopicSubscription | StatusType::TopicPublisher,
        ) => 3,
        Subject::Status(StatusType::ConnectionHandle | StatusType::PreparedMessage) => 5,
    }
}
