//! Commands, as statements ask for them.

use mqi::constants::{MQSUBTYPE_ADMIN, MQSUBTYPE_API, MQSUBTYPE_USER};
use mqi::{NamePattern, ObjectName};

use super::absent::Absent;
use super::filter::Filter;
use super::name::{Name, Names};
use crate::attributes::{self, Attribute, StatusType, Subject};
use crate::messages::MessageRow;
use crate::object_type::{Family, NameSpace, ObjectType};
use crate::response::{Field, Row};
use crate::value::Value;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Make an object.
    Define(Define),
    /// Change an object.
    Alter(Alter),
    /// Remove an object.
    Delete(Delete),
    /// Show definitions or status.
    Display(Display),
    /// Remove the messages of a queue.
    Clear(Clear),
    /// Forget what is retained for a topic.
    ClearTopic(ClearTopic),
    /// Put the messages of a queue on another.
    Move(Move),
    /// Give messages of a queue back that cannot be read.
    Recover(Recover),
    /// End a connection, named by its identifier.
    StopConnection(String),
    /// End a connection's unit of work.
    Resolve(Resolve),
    /// Tell what was counted of queues, and begin to count anew.
    ResetStatistics(NamePattern),
    /// RESET QMGR.
    ResetQueueManager(Reset),
    /// REFRESH QMGR.
    RefreshQueueManager(Refresh),
    /// Ask whether the queue manager answers.
    PingQueueManager,
    /// A command about what there is not.
    Absent(Absent),
}

/// An attribute and the value it shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The attribute's row.
    pub attribute: &'static Attribute,
    /// Its new value, one the row accepts.
    pub value: Value,
}

/// DEFINE type(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The type to make.
    pub object_type: ObjectType,
    /// Its name.
    pub name: Name,
    /// Replaces an object of that name and type, if there is one.
    pub replace: bool,
    /// The object that gives the values not said; else the type's default object.
    pub like: Option<Name>,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// ALTER type(name), or ALTER QMGR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alter {
    /// The type to change.
    pub object_type: ObjectType,
    /// Its name; blank for the queue manager.
    pub name: Name,
    /// Changes it also while programs that the change concerns have it open.
    pub force: bool,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// DELETE type(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// The family to remove from.
    pub family: Family,
    /// Its type, if that was said.
    pub object_type: Option<ObjectType>,
    /// Its name.
    pub name: Name,
    /// Removes its messages with it.
    pub purge: bool,
    /// A missing object is no error.
    pub ignore_missing: bool,
}

/// CLEAR QLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clear {
    /// The queue.
    pub name: ObjectName,
}

/// CLEAR TOPICSTR(topic) CLRTYPE(RETAINED).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearTopic {
    /// The topic string.
    pub topic: Box<str>,
}

/// MOVE QLOCAL(name) TOQLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The queue whose messages are moved.
    pub from: ObjectName,
    /// The queue they are put on.
    pub to: ObjectName,
    /// The queue may hold messages already: TYPE(ADD).
    pub add: bool,
}

/// RECOVER QLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recover {
    /// The queue.
    pub name: ObjectName,
}

/// RESOLVE INDOUBT(connection) ACTION(how).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolve {
    /// The connection whose unit of work is meant.
    pub identifier: String,
    /// The way it ends.
    pub resolution: Resolution,
}

/// RESET QMGR TYPE(what).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Tell statistics, and begin to count anew.
    Statistics,
    /// Begin a new extent of the log.
    AdvanceLog,
    /// Give extents of the log back.
    ReduceLog,
    /// Take note that extents of the log are kept elsewhere.
    Archived,
}

/// REFRESH QMGR TYPE(what).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refresh {
    /// Asks for configuration events, rather than subscriptions for other queue managers.
    pub is_configuration: bool,
    /// The kinds of object they are to tell of.
    pub objects: Refreshed,
    /// The names of those.
    pub names: Option<NamePattern>,
    /// Only objects changed in so many minutes; none for all.
    pub minutes: u32,
}

/// Kinds of object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refreshed {
    /// All.
    #[default]
    All,
    /// Objects of one family.
    Family(Family),
    /// Objects of one type.
    Type(ObjectType),
}

impl Refresh {
    /// Returns true if it is about objects of a type.
    #[must_use]
    pub fn is_about(&self, object_type: ObjectType) -> bool {
        match self.objects {
            Refreshed::All => true,
            Refreshed::Family(family) => object_type.family() == family,
            Refreshed::Type(wanted) => object_type == wanted,
        }
    }
}

/// The end of a unit of work by command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// It stands.
    Commit,
    /// It falls.
    Backout,
}

/// DISPLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// The things shown.
    pub target: Target,
    /// The choice among them, by attributes that must have these values: `SUBTYPE(ADMIN)`.
    pub selection: Vec<Setting>,
    /// The choice among them, by a condition.
    pub filter: Option<Filter>,
    /// The attributes shown of each.
    pub shown: Shown,
}

/// The subject of DISPLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Objects of any type of a family, or of one type.
    Objects {
        /// Their family.
        family: Family,
        /// Their names.
        names: Names,
        /// Their type.
        object_type: Option<ObjectType>,
    },
    /// The queue manager.
    QueueManager,
    /// The running state of the queue manager.
    QueueManagerStatus,
    /// The status of local queues.
    QueueStatus {
        /// Their names.
        names: NamePattern,
        /// Of the queue, or of each handle that has it open.
        kind: StatusType,
    },
    /// The status of places in the topic tree.
    TopicStatus {
        /// Their topic strings: one, blank for the root, or with wildcards for levels.
        topics: Box<str>,
        /// Of the place, or of each of its subscriptions or publishers.
        kind: StatusType,
    },
    /// The status of subscriptions.
    SubscriptionStatus {
        /// Their names.
        names: Names,
    },
    /// The state of publish/subscribe, here and with the queue managers of a hierarchy.
    PublishSubscribe {
        /// Of which of these.
        of: Relation,
    },
    /// Connections.
    Connections {
        /// The identifier, or its beginning and an asterisk.
        identifiers: String,
        /// The parts that are told of each.
        answers: ConnectionAnswers,
    },
}

/// Relations between queue managers that publish for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Any of these.
    All,
    /// This queue manager itself.
    Local,
    /// The one above it in a hierarchy.
    Parent,
    /// One below it.
    Child,
}

/// The parts of each connection that DISPLAY CONN tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionAnswers {
    /// The connection.
    Connection,
    /// Its open handles.
    Handles,
    /// Both.
    All,
}

/// The attributes that DISPLAY shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing was said: all of a single object, name and type of several.
    Usual,
    /// All.
    All,
    /// The attributes with these keywords, besides name and type.
    Listed(Vec<&'static str>),
}

impl Delete {
    /// Where the name is looked for.
    pub fn name_space(&self) -> NameSpace {
        let first = || self.family.types().next().expect("a family has types").name_space();
        self.object_type.map_or_else(first, ObjectType::name_space)
    }
}

impl Command {
    /// Returns true if the command only asks and changes nothing.
    pub fn is_question(&self) -> bool {
        matches!(self, Self::Display(_) | Self::PingQueueManager)
    }
}

impl Target {
    /// The subjects whose attributes may be asked for.
    pub fn subjects(&self) -> Vec<Subject> {
        match self {
            Self::Objects { object_type: Some(object_type), .. } => vec![Subject::Object(*object_type)],
            Self::Objects { family, .. } => family.types().map(Subject::Object).collect(),
            Self::QueueManager => vec![Subject::Object(ObjectType::QueueManager)],
            Self::QueueManagerStatus => vec![Subject::Status(StatusType::QueueManager)],
            Self::QueueStatus { kind, .. } | Self::TopicStatus { kind, .. } => vec![Subject::Status(*kind)],
            Self::SubscriptionStatus { .. } => vec![Subject::Status(StatusType::Subscription)],
            Self::PublishSubscribe { .. } => vec![Subject::Status(StatusType::PublishSubscribe)],
            Self::Connections { answers, .. } => {
                answers.kinds().iter().copied().map(Subject::Status).collect()
            }
        }
    }

    /// The attribute a keyword names here, in the first subject that has it.
    pub fn attribute(&self, keyword: &str) -> Option<&'static Attribute> {
        self.attributes_named(keyword).next()
    }

    /// The attributes a keyword names here, one for each subject that has it: they may take different words,
    /// as SSLCAUTH does for channels of different types.
    pub(super) fn attributes_named(&self, keyword: &str) -> impl Iterator<Item = &'static Attribute> {
        self.subjects().into_iter().filter_map(move |subject| attributes::by_keyword(subject, keyword))
    }

    /// Returns true if several objects can be meant.
    pub fn is_generic(&self) -> bool {
        match self {
            Self::Objects { names, .. } => names.is_generic(),
            Self::QueueStatus { names, .. } => names.is_generic(),
            Self::TopicStatus { topics, .. } => topics.split('/').any(|level| level == "+" || level == "#"),
            Self::SubscriptionStatus { names } => names.is_generic(),
            Self::Connections { identifiers, .. } => identifiers.ends_with('*'),
            Self::QueueManager | Self::QueueManagerStatus | Self::PublishSubscribe { .. } => false,
        }
    }

    /// The word that follows DISPLAY.
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Objects { family: Family::Queue, object_type: Some(object_type), .. } => {
                object_type.keyword()
            }
            Self::Objects { family, .. } => family.keyword(),
            Self::QueueManager => "QMGR",
            Self::QueueManagerStatus => "QMSTATUS",
            Self::QueueStatus { .. } => "QSTATUS",
            Self::TopicStatus { .. } => "TPSTATUS",
            Self::SubscriptionStatus { .. } => "SBSTATUS",
            Self::PublishSubscribe { .. } => "PUBSUB",
            Self::Connections { .. } => "CONN",
        }
    }
}

impl Relation {
    /// The word for each.
    pub(super) const WORDS: &[(&str, Self)] =
        &[("ALL", Self::All), ("LOCAL", Self::Local), ("PARENT", Self::Parent), ("CHILD", Self::Child)];

    /// Returns true if the queue manager itself is meant.
    pub fn has_local(self) -> bool {
        matches!(self, Self::All | Self::Local)
    }
}

impl ConnectionAnswers {
    /// The kinds of status this asks for.
    pub fn kinds(self) -> &'static [StatusType] {
        match self {
            Self::Connection => &[StatusType::Connection],
            Self::Handles => &[StatusType::ConnectionHandle],
            Self::All => &[StatusType::Connection, StatusType::ConnectionHandle],
        }
    }
}

impl Display {
    /// Returns the attributes of a subject that an answer shows, in order: those that identify the object,
    /// then those asked for and those the filter looked at.
    pub fn attributes(&self, subject: Subject) -> Vec<&'static Attribute> {
        let identity = attributes::identity_count(subject);
        let filtered = self.filter.as_ref().map(|filter| filter.keyword);
        attributes::of(subject)
            .enumerate()
            .filter(|(index, row)| {
                *index < identity
                    || filtered == Some(row.keyword)
                    || self.selection.iter().any(|setting| setting.attribute.keyword == row.keyword)
                    || match &self.shown {
                        Shown::All => true,
                        Shown::Usual => !self.target.is_generic(),
                        Shown::Listed(keywords) => keywords.contains(&row.keyword),
                    }
            })
            .map(|(_, row)| row)
            .collect()
    }

    /// Returns the row of something that has these values; nothing when the filter says no. Without the
    /// attribute that is compared nothing is shown.
    pub fn row(
        &self,
        subject: Subject,
        heading: &'static MessageRow,
        value: impl Fn(&'static Attribute) -> Option<Value>,
    ) -> Option<Row> {
        let compared = |keyword| attributes::by_keyword(subject, keyword).and_then(&value);
        if let Some(filter) = &self.filter {
            compared(filter.keyword).filter(|value| filter.matches(value))?;
        }
        let is_selected = |setting: &Setting| {
            compared(setting.attribute.keyword).is_some_and(|value| selects(setting, &value))
        };
        if !self.selection.iter().all(is_selected) {
            return None;
        }
        let shown = self.attributes(subject).into_iter();
        let fields = shown.filter_map(|attribute| value(attribute).map(|value| Field { attribute, value }));
        Some(Row { heading, fields: fields.collect() })
    }
}

/// Returns true if a value is the one asked for. Subscriptions of users are those that were not made for
/// other queue managers.
fn selects(setting: &Setting, value: &Value) -> bool {
    let is_of_user = || matches!(value, Value::Integer(MQSUBTYPE_ADMIN | MQSUBTYPE_API));
    setting.value == *value || setting.value == Value::Integer(MQSUBTYPE_USER) && is_of_user()
}
