//! The object that a program wants to open.

use crate::{ObjectName, QueueManagerName, Text, constants};

/// A kind of object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// A queue of any type.
    #[default]
    Queue,
    /// A list of names.
    Namelist,
    /// A program that a trigger starts.
    Process,
    /// The queue manager itself.
    QueueManager,
    /// A topic.
    Topic,
    /// Another number of the interface.
    Other(i32),
}

impl ObjectType {
    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Queue => constants::MQOT_Q,
            Self::Namelist => constants::MQOT_NAMELIST,
            Self::Process => constants::MQOT_PROCESS,
            Self::QueueManager => constants::MQOT_Q_MGR,
            Self::Topic => constants::MQOT_TOPIC,
            Self::Other(code) => code,
        }
    }

    /// The kind a number stands for.
    #[must_use]
    pub const fn from_code(code: i32) -> Self {
        match code {
            constants::MQOT_Q => Self::Queue,
            constants::MQOT_NAMELIST => Self::Namelist,
            constants::MQOT_PROCESS => Self::Process,
            constants::MQOT_Q_MGR => Self::QueueManager,
            constants::MQOT_TOPIC => Self::Topic,
            other => Self::Other(other),
        }
    }
}

/// The object descriptor: what a program asks for; what it was given is in [`Opened`](crate::Opened).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectDescriptor {
    /// Type of the object.
    pub object_type: ObjectType,
    /// Its name; for a model queue, the model.
    pub object_name: ObjectName,
    /// Where it is; blank for the queue manager connected to.
    pub object_queue_manager_name: QueueManagerName,
    /// The name a dynamic queue gets; an asterisk at the end asks for a unique one.
    pub dynamic_queue_name: Text<48>,
    /// User whose authority counts, with `ALTERNATE_USER_AUTHORITY`.
    pub alternate_user_identifier: Text<12>,
    /// The topic string, or what follows that of the topic object.
    pub object_string: String,
    /// Selector of the messages that a get through this handle may return; blank for all.
    pub selection_string: String,
}

impl Default for ObjectDescriptor {
    fn default() -> Self {
        Self {
            object_type: ObjectType::Queue,
            object_name: ObjectName::BLANK,
            object_queue_manager_name: QueueManagerName::BLANK,
            dynamic_queue_name: Text::truncated("AMQ.*"),
            alternate_user_identifier: Text::BLANK,
            object_string: String::new(),
            selection_string: String::new(),
        }
    }
}

impl ObjectDescriptor {
    /// A queue of the queue manager connected to.
    #[must_use]
    pub fn queue(name: ObjectName) -> Self {
        Self { object_name: name, ..Self::default() }
    }

    /// The queue manager connected to.
    #[must_use]
    pub fn queue_manager() -> Self {
        Self { object_type: ObjectType::QueueManager, ..Self::default() }
    }

    /// A topic by its string.
    #[must_use]
    pub fn topic(topic_string: impl Into<String>) -> Self {
        Self { object_type: ObjectType::Topic, object_string: topic_string.into(), ..Self::default() }
    }
}
