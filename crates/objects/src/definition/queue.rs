//! What the engine reads of a queue on the way to a message, unpacked once when the definition changes.

use mqi::constants::*;
use mqi::name::ObjectName;

use super::Definition;
use crate::object_type::ObjectType;

/// A number of messages or of other things.
pub type Count = u32;

/// The attributes of a queue that the verbs act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueAttributes {
    /// Local, alias or model.
    pub object_type: ObjectType,
    /// GET(DISABLED).
    pub get_inhibited: bool,
    /// PUT(DISABLED).
    pub put_inhibited: bool,
    /// MAXDEPTH; without limit for an alias.
    pub depth_max: Count,
    /// MAXMSGL in bytes; without limit for an alias.
    pub message_bytes_max: u32,
    /// MSGDLVSQ.
    pub delivery_sequence: DeliverySequence,
    /// DEFPSIST(YES).
    pub default_persistent: bool,
    /// DEFPRTY, 0 to 9.
    pub default_priority: u8,
    /// SHARE.
    pub shareable: bool,
    /// DEFSOPT.
    pub default_share: DefaultShare,
    /// DEFPRESP(ASYNC).
    pub default_put_asynchronous: bool,
    /// DEFREADA, an MQREADA_ value.
    pub default_read_ahead: i32,
    /// BOTHRESH.
    pub backout_threshold: Count,
    /// BOQNAME.
    pub backout_queue: Option<ObjectName>,
    /// USAGE.
    pub usage: Usage,
    /// DEFTYPE: for a model, of the queues made from it.
    pub definition_type: DefinitionType,
    /// TARGET of an alias.
    pub target: Option<ObjectName>,
    /// TARGTYPE of an alias.
    pub target_type: TargetType,
}

/// In which order messages leave a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliverySequence {
    /// By priority, and by arrival within one priority.
    Priority,
    /// By arrival alone.
    Fifo,
}

/// How MQOO_INPUT_AS_Q_DEF opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultShare {
    /// Together with others.
    Shared,
    /// Alone.
    Exclusive,
}

/// Whom a queue serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Programs.
    Normal,
    /// Message channels.
    Transmission,
}

/// How a queue came to be, or will.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionType {
    /// Defined by an administrator.
    Predefined,
    /// Made from a model, lasting.
    PermanentDynamic,
    /// Made from a model, gone when closed.
    TemporaryDynamic,
}

/// What an alias stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// A queue.
    Queue,
    /// A topic.
    Topic,
}

impl QueueAttributes {
    /// Unpacks the definition of a queue.
    ///
    /// # Panics
    /// When the definition is not of a queue.
    pub fn new(definition: &Definition) -> Self {
        let object_type = definition.object_type();
        assert!(object_type.is_queue(), "{} is not a queue", definition.name());
        let is_alias = object_type == ObjectType::AliasQueue;
        let holding = |selector, otherwise| {
            if is_alias { otherwise } else { definition.integer(selector) }
        };
        Self {
            object_type,
            get_inhibited: definition.integer(MQIA_INHIBIT_GET) == MQQA_GET_INHIBITED,
            put_inhibited: definition.integer(MQIA_INHIBIT_PUT) == MQQA_PUT_INHIBITED,
            depth_max: holding(MQIA_MAX_Q_DEPTH, i32::MAX).unsigned_abs(),
            message_bytes_max: holding(MQIA_MAX_MSG_LENGTH, i32::MAX).unsigned_abs(),
            delivery_sequence: match holding(MQIA_MSG_DELIVERY_SEQUENCE, MQMDS_PRIORITY) {
                MQMDS_FIFO => DeliverySequence::Fifo,
                _ => DeliverySequence::Priority,
            },
            default_persistent: definition.integer(MQIA_DEF_PERSISTENCE) == MQPER_PERSISTENT,
            default_priority: definition.integer(MQIA_DEF_PRIORITY) as u8,
            shareable: holding(MQIA_SHAREABILITY, MQQA_SHAREABLE) == MQQA_SHAREABLE,
            default_share: match holding(MQIA_DEF_INPUT_OPEN_OPTION, MQOO_INPUT_SHARED) {
                MQOO_INPUT_EXCLUSIVE => DefaultShare::Exclusive,
                _ => DefaultShare::Shared,
            },
            default_put_asynchronous: definition.integer(MQIA_DEF_PUT_RESPONSE_TYPE) == MQPRT_ASYNC_RESPONSE,
            default_read_ahead: definition.integer(MQIA_DEF_READ_AHEAD),
            backout_threshold: holding(MQIA_BACKOUT_THRESHOLD, 0).unsigned_abs(),
            backout_queue: (!is_alias).then(|| definition.name_in(MQCA_BACKOUT_REQ_Q_NAME)).flatten(),
            usage: match holding(MQIA_USAGE, MQUS_NORMAL) {
                MQUS_TRANSMISSION => Usage::Transmission,
                _ => Usage::Normal,
            },
            definition_type: match holding(MQIA_DEFINITION_TYPE, MQQDT_PREDEFINED) {
                MQQDT_PERMANENT_DYNAMIC => DefinitionType::PermanentDynamic,
                MQQDT_TEMPORARY_DYNAMIC => DefinitionType::TemporaryDynamic,
                _ => DefinitionType::Predefined,
            },
            target: is_alias.then(|| definition.name_in(MQCA_BASE_OBJECT_NAME)).flatten(),
            target_type: match is_alias.then(|| definition.integer(MQIA_BASE_TYPE)) {
                Some(MQOT_TOPIC) => TargetType::Topic,
                _ => TargetType::Queue,
            },
        }
    }
}
