//! What a statement asks for.

use mqi::{NamePattern, ObjectName};

use super::filter::Filter;
use crate::attributes::{self, Attribute, StatusType, Subject};
use crate::object_type::ObjectType;
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
    /// Ask whether the queue manager answers.
    PingQueueManager,
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
    /// What to make.
    pub object_type: ObjectType,
    /// Its name.
    pub name: ObjectName,
    /// Whether an object of that name and type may exist and is then replaced.
    pub replace: bool,
    /// The object that gives the values not said; else the type's default object.
    pub like: Option<ObjectName>,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// ALTER type(name), or ALTER QMGR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alter {
    /// What to change.
    pub object_type: ObjectType,
    /// Its name; blank for the queue manager.
    pub name: ObjectName,
    /// Whether to change it also while programs that the change concerns have it open.
    pub force: bool,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// DELETE type(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// What to remove.
    pub object_type: ObjectType,
    /// Its name.
    pub name: ObjectName,
    /// Whether its messages go with it.
    pub purge: bool,
    /// Whether it is no error when there is no such object.
    pub ignore_missing: bool,
}

/// CLEAR QLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clear {
    /// The queue.
    pub name: ObjectName,
}

/// DISPLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Display {
    /// What is shown.
    pub target: Target,
    /// Which of it is shown.
    pub filter: Option<Filter>,
    /// Which attributes of it are shown.
    pub shown: Shown,
}

/// What DISPLAY is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Queues of any type, or of one.
    Queues {
        /// Their names.
        names: NamePattern,
        /// Their type.
        object_type: Option<ObjectType>,
    },
    /// The queue manager.
    QueueManager,
    /// The status of local queues.
    QueueStatus {
        /// Their names.
        names: NamePattern,
        /// Of the queue, or of each handle that has it open.
        kind: StatusType,
    },
    /// Connections.
    Connections {
        /// The identifier, or its beginning and an asterisk.
        identifiers: String,
        /// What is told of each.
        answers: ConnectionAnswers,
    },
}

/// What DISPLAY CONN tells of each connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionAnswers {
    /// The connection.
    Connection,
    /// What it has open.
    Handles,
    /// Both.
    All,
}

/// Which attributes DISPLAY shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing was said: all of a single object, name and type of several.
    Usual,
    /// All.
    All,
    /// Those with these keywords, besides name and type.
    Listed(Vec<&'static str>),
}

impl Command {
    /// Whether the command only asks and changes nothing.
    pub fn is_question(&self) -> bool {
        matches!(self, Self::Display(_) | Self::PingQueueManager)
    }
}

impl Target {
    /// The subjects whose attributes may be asked for.
    pub fn subjects(&self) -> Vec<Subject> {
        match self {
            Self::Queues { object_type: Some(object_type), .. } => vec![Subject::Object(*object_type)],
            Self::Queues { object_type: None, .. } => {
                ObjectType::all().filter(|object_type| object_type.is_queue()).map(Subject::Object).collect()
            }
            Self::QueueManager => vec![Subject::Object(ObjectType::QueueManager)],
            Self::QueueStatus { kind, .. } => vec![Subject::Status(*kind)],
            Self::Connections { answers, .. } => {
                answers.kinds().iter().copied().map(Subject::Status).collect()
            }
        }
    }

    /// The attribute a keyword names here, in the first subject that has it.
    pub fn attribute(&self, keyword: &str) -> Option<&'static Attribute> {
        self.subjects().into_iter().find_map(|subject| attributes::by_keyword(subject, keyword))
    }

    /// Whether several objects can be meant.
    pub fn is_generic(&self) -> bool {
        match self {
            Self::Queues { names, .. } | Self::QueueStatus { names, .. } => names.is_generic(),
            Self::Connections { identifiers, .. } => identifiers.ends_with('*'),
            Self::QueueManager => false,
        }
    }

    /// The word that follows DISPLAY.
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Queues { object_type, .. } => object_type.map_or("QUEUE", ObjectType::keyword),
            Self::QueueManager => "QMGR",
            Self::QueueStatus { .. } => "QSTATUS",
            Self::Connections { .. } => "CONN",
        }
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
    /// The attributes of a subject that an answer shows, in order: what identifies the object, then what was asked
    /// for and what the filter looked at.
    pub fn attributes(&self, subject: Subject) -> Vec<&'static Attribute> {
        let identity = attributes::identity_count(subject);
        let filtered = self.filter.as_ref().map(|filter| filter.keyword);
        attributes::of(subject)
            .enumerate()
            .filter(|(index, row)| {
                *index < identity
                    || filtered == Some(row.keyword)
                    || match &self.shown {
                        Shown::All => true,
                        Shown::Usual => !self.target.is_generic(),
                        Shown::Listed(keywords) => keywords.contains(&row.keyword),
                    }
            })
            .map(|(_, row)| row)
            .collect()
    }
}
