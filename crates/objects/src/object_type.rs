//! The kinds of object an administrator can define, one row each.

use mqi::constants::*;

/// A kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectType {
    /// A queue that holds messages.
    LocalQueue,
    /// Another name for a queue.
    AliasQueue,
    /// A pattern from which opening makes a dynamic queue.
    ModelQueue,
    /// The queue manager itself.
    QueueManager,
}

/// A set of object types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectTypes(u32);

struct Row {
    object_type: ObjectType,
    keyword: &'static str,
    synonyms: &'static [&'static str],
    /// Never changes: stored definitions carry it.
    code: u8,
    mqot: i32,
    mqqt: Option<i32>,
    noun: &'static str,
    default_object: Option<&'static str>,
}

const ROWS: &[Row] = &[
    Row {
        object_type: ObjectType::LocalQueue,
        keyword: "QLOCAL",
        synonyms: &["QL"],
        code: 1,
        mqot: MQOT_LOCAL_Q,
        mqqt: Some(MQQT_LOCAL),
        noun: "Queue",
        default_object: Some("SYSTEM.DEFAULT.LOCAL.QUEUE"),
    },
    Row {
        object_type: ObjectType::AliasQueue,
        keyword: "QALIAS",
        synonyms: &["QA"],
        code: 2,
        mqot: MQOT_ALIAS_Q,
        mqqt: Some(MQQT_ALIAS),
        noun: "Queue",
        default_object: Some("SYSTEM.DEFAULT.ALIAS.QUEUE"),
    },
    Row {
        object_type: ObjectType::ModelQueue,
        keyword: "QMODEL",
        synonyms: &["QM"],
        code: 3,
        mqot: MQOT_MODEL_Q,
        mqqt: Some(MQQT_MODEL),
        noun: "Queue",
        default_object: Some("SYSTEM.DEFAULT.MODEL.QUEUE"),
    },
    Row {
        object_type: ObjectType::QueueManager,
        keyword: "QMGR",
        synonyms: &[],
        code: 4,
        mqot: MQOT_Q_MGR,
        mqqt: None,
        noun: "Queue manager",
        default_object: None,
    },
];

impl ObjectType {
    /// Every object type.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.object_type)
    }

    /// The type an MQSC word, in capitals, names.
    pub fn from_keyword(word: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.keyword == word || row.synonyms.contains(&word)).map(|row| row.object_type)
    }

    /// The type with this code in a stored definition.
    pub fn from_code(code: u8) -> Option<Self> {
        ROWS.iter().find(|row| row.code == code).map(|row| row.object_type)
    }

    /// The MQSC word: `QLOCAL`.
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// The number of this type in stored definitions.
    pub fn code(self) -> u8 {
        self.row().code
    }

    /// The MQOT_ value.
    pub fn mqot(self) -> i32 {
        self.row().mqot
    }

    /// The MQQT_ value, for queues.
    pub fn mqqt(self) -> Option<i32> {
        self.row().mqqt
    }

    /// What messages call it: "Queue".
    pub fn noun(self) -> &'static str {
        self.row().noun
    }

    /// The object from which a new one takes what its definition leaves out.
    pub fn default_object(self) -> Option<&'static str> {
        self.row().default_object
    }

    /// Whether it shares the one space of queue names.
    pub fn is_queue(self) -> bool {
        self.row().mqqt.is_some()
    }

    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.object_type == self).expect("every object type has a row")
    }
}

impl ObjectTypes {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The set of these types.
    pub const fn of(object_types: &[ObjectType]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < object_types.len() {
            bits |= 1 << object_types[index] as u32;
            index += 1;
        }
        Self(bits)
    }

    /// Whether the type is in the set.
    pub const fn contains(self, object_type: ObjectType) -> bool {
        self.0 & (1 << object_type as u32) != 0
    }
}
