//! Attributes of a queue that the engine reads on the way to a message, unpacked once when the definition
//! changes.
//!
//! Attributes of few queues are behind a pointer: these stand in memory for each of 100,000 queues.

use std::sync::Arc;

use mqi::constants::*;
use mqi::name::ObjectName;

use super::Definition;
use crate::object_type::ObjectType;

/// A number of messages or of other things.
pub type Count = u32;

/// The attributes of a queue that the verbs act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueAttributes {
    /// Local, alias, model or remote.
    pub object_type: ObjectType,
    /// GET(DISABLED).
    pub get_inhibited: bool,
    /// PUT(DISABLED).
    pub put_inhibited: bool,
    /// SYNCREQ(YES), its own or that in CUSTOM.
    pub requires_unit: bool,
    /// Any attribute by which gets are refused: one look for all of them.
    pub restricts_gets: bool,
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
    /// RNAME, RQMNAME and XMITQ of a remote queue.
    pub remote: Option<Arc<Remote>>,
    /// Triggering; none with NOTRIGGER.
    pub trigger: Option<Arc<Trigger>>,
    /// STREAMQ and STRMQOS; none when STREAMQ is blank.
    pub stream: Option<Arc<Stream>>,
    /// QDEPTHHI, QDEPTHLO and the events about depth.
    pub depth_events: DepthEvents,
    /// QSVCIEV.
    pub service_interval_events: ServiceIntervalEvents,
    /// QSVCINT in milliseconds.
    pub service_interval: u32,
    /// HARDENBO.
    pub backout_hardened: bool,
    /// NPMCLASS.
    pub non_persistent_class: NonPersistentClass,
    /// PROPCTL.
    pub property_control: PropertyControl,
    /// CAPEXPRY in tenths of a second, its own or that in CUSTOM; none for NOLIMIT.
    pub expiry_max: Option<u32>,
    /// DEFBIND, an MQBND_ value.
    pub default_bind: i32,
    /// DISTL(YES).
    pub distribution_lists: bool,
    /// SCOPE(CELL).
    pub cell_scope: bool,
    /// FULLACT(HOLD), its own or that in CUSTOM.
    pub holds_puts: bool,
    /// MAXFSIZE in megabytes.
    pub store_megabytes_max: u32,
    /// Most bytes of messages: MAXFSIZE or QUOTA, whichever is less.
    pub bytes_max: u64,
    /// MONQ, an MQMON_ value.
    pub monitoring: i32,
    /// STATQ, an MQMON_ value.
    pub statistics: i32,
    /// ACCTQ, an MQMON_ value.
    pub accounting: i32,
}

/// Megabytes that MAXFSIZE(DEFAULT) stands for, as in the family: two terabytes.
const STORE_MEGABYTES_DEFAULT: u32 = 2_088_960;

/// Where a remote queue is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// RNAME: its name there; none when the definition names a queue manager.
    pub queue: Option<ObjectName>,
    /// RQMNAME.
    pub queue_manager: Option<ObjectName>,
    /// XMITQ.
    pub transmission_queue: Option<ObjectName>,
}

/// When and where trigger messages are made, and what is in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// TRIGTYPE.
    pub kind: TriggerKind,
    /// TRIGDPTH.
    pub depth: Count,
    /// TRIGMPRI.
    pub priority_min: u8,
    /// TRIGDATA.
    pub data: Box<str>,
    /// PROCESS.
    pub process: Option<ObjectName>,
    /// INITQ.
    pub initiation_queue: Option<ObjectName>,
}

/// TRIGTYPE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggerKind {
    /// Never.
    None,
    /// When the depth goes from none to one.
    First,
    /// At every message.
    Every,
    /// When the depth reaches a number.
    Depth,
}

/// Where copies of messages go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// STREAMQ.
    pub queue: ObjectName,
    /// STRMQOS(MUSTDUP): a put fails when its copy cannot be put.
    pub must_duplicate: bool,
}

/// The events about depth, and their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthEvents {
    /// QDEPTHHI in percent of MAXDEPTH.
    pub high_percent: u8,
    /// QDEPTHLO in percent of MAXDEPTH.
    pub low_percent: u8,
    /// QDPHIEV.
    pub high: bool,
    /// QDPLOEV.
    pub low: bool,
    /// QDPMAXEV.
    pub full: bool,
}

/// QSVCIEV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceIntervalEvents {
    /// None.
    None,
    /// When messages wait longer than the interval.
    High,
    /// When they are served within it again.
    Ok,
}

/// NPMCLASS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonPersistentClass {
    /// Gone after any restart.
    Normal,
    /// Kept over an orderly restart.
    High,
}

/// PROPCTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyControl {
    /// As older programs expect.
    Compatibility,
    /// Removed.
    None,
    /// All of them, with the message.
    All,
    /// Always in an MQRFH2.
    Force,
    /// As the message was put.
    Version6,
}

/// In which order messages leave a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliverySequence {
    /// By priority, and by arrival within one priority.
    Priority,
    /// By arrival alone.
    Fifo,
}

/// The sharing with which MQOO_INPUT_AS_Q_DEF opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultShare {
    /// Together with others.
    Shared,
    /// Alone.
    Exclusive,
}

/// The users of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Programs.
    Normal,
    /// Message channels.
    Transmission,
}

/// The origin of a queue, or of queues made from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionType {
    /// Defined by an administrator.
    Predefined,
    /// Made from a model, lasting.
    PermanentDynamic,
    /// Made from a model, gone when closed.
    TemporaryDynamic,
}

/// The target of an alias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetType {
    /// A queue.
    Queue,
    /// A topic.
    Topic,
}

impl QueueAttributes {
    /// Returns true if each message that counts makes a trigger message due.
    pub fn fires_for_each(&self) -> bool {
        self.trigger.as_ref().is_some_and(|trigger| trigger.kind == TriggerKind::Every)
    }

    /// Unpacks the definition of a queue.
    ///
    /// # Panics
    /// When the definition is not of a queue.
    pub fn new(definition: &Definition) -> Self {
        let object_type = definition.object_type();
        assert!(object_type.is_queue(), "{} is not a queue", definition.name());
        let is_alias = object_type == ObjectType::AliasQueue;
        let is_remote = object_type == ObjectType::RemoteQueue;
        let holds = !is_alias && !is_remote;
        let holding = |selector, otherwise| if holds { definition.integer(selector) } else { otherwise };
        let gettable = |selector, otherwise| if is_remote { otherwise } else { definition.integer(selector) };
        let bound = |selector, otherwise| {
            let has_bind = object_type != ObjectType::ModelQueue;
            if has_bind { definition.integer(selector) } else { otherwise }
        };
        let get_inhibited = gettable(MQIA_INHIBIT_GET, MQQA_GET_ALLOWED) == MQQA_GET_INHIBITED;
        let requires_unit = holds && definition.requires_unit();
        let store_megabytes_max =
            u32::try_from(holding(MQIA_MAX_Q_FILE_SIZE, -1)).unwrap_or(STORE_MEGABYTES_DEFAULT);
        let quota = if holds { definition.quota() } else { None };
        let quota_bytes = quota.map_or(u64::MAX, |kilobytes| u64::from(kilobytes) << 10);
        Self {
            object_type,
            get_inhibited,
            requires_unit,
            restricts_gets: get_inhibited || requires_unit,
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
            default_read_ahead: gettable(MQIA_DEF_READ_AHEAD, MQREADA_NO),
            backout_threshold: holding(MQIA_BACKOUT_THRESHOLD, 0).unsigned_abs(),
            backout_queue: holds.then(|| definition.name_in(MQCA_BACKOUT_REQ_Q_NAME)).flatten(),
            // Programs choose the names of dynamic queues: none is a transmission queue.
            usage: match holding(MQIA_USAGE, MQUS_NORMAL) {
                MQUS_TRANSMISSION if !definition.is_dynamic() => Usage::Transmission,
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
            remote: is_remote.then(|| {
                Arc::new(Remote {
                    queue: definition.name_in(MQCA_REMOTE_Q_NAME),
                    queue_manager: definition.name_in(MQCA_REMOTE_Q_MGR_NAME),
                    transmission_queue: definition.name_in(MQCA_XMIT_Q_NAME),
                })
            }),
            trigger: (holding(MQIA_TRIGGER_CONTROL, MQTC_OFF) == MQTC_ON)
                .then(|| Arc::new(trigger(definition))),
            stream: holds.then(|| definition.name_in(MQCA_STREAM_QUEUE_NAME)).flatten().map(|queue| {
                let must_duplicate = definition.integer(MQIA_STREAM_QUEUE_QOS) == MQST_MUST_DUP;
                Arc::new(Stream { queue, must_duplicate })
            }),
            depth_events: DepthEvents {
                high_percent: holding(MQIA_Q_DEPTH_HIGH_LIMIT, 80) as u8,
                low_percent: holding(MQIA_Q_DEPTH_LOW_LIMIT, 20) as u8,
                high: holding(MQIA_Q_DEPTH_HIGH_EVENT, MQEVR_DISABLED) == MQEVR_ENABLED,
                low: holding(MQIA_Q_DEPTH_LOW_EVENT, MQEVR_DISABLED) == MQEVR_ENABLED,
                full: holding(MQIA_Q_DEPTH_MAX_EVENT, MQEVR_DISABLED) == MQEVR_ENABLED,
            },
            service_interval_events: match holding(MQIA_Q_SERVICE_INTERVAL_EVENT, MQQSIE_NONE) {
                MQQSIE_HIGH => ServiceIntervalEvents::High,
                MQQSIE_OK => ServiceIntervalEvents::Ok,
                _ => ServiceIntervalEvents::None,
            },
            service_interval: holding(MQIA_Q_SERVICE_INTERVAL, 0).unsigned_abs(),
            backout_hardened: holding(MQIA_HARDEN_GET_BACKOUT, MQQA_BACKOUT_HARDENED)
                == MQQA_BACKOUT_HARDENED,
            non_persistent_class: match holding(MQIA_NPM_CLASS, MQNPM_CLASS_NORMAL) {
                MQNPM_CLASS_HIGH => NonPersistentClass::High,
                _ => NonPersistentClass::Normal,
            },
            property_control: match gettable(MQIA_PROPERTY_CONTROL, MQPROP_COMPATIBILITY) {
                MQPROP_NONE => PropertyControl::None,
                MQPROP_ALL => PropertyControl::All,
                MQPROP_FORCE_MQRFH2 => PropertyControl::Force,
                MQPROP_V6COMPAT => PropertyControl::Version6,
                _ => PropertyControl::Compatibility,
            },
            expiry_max: u32::try_from(definition.expiry_max()).ok(),
            default_bind: bound(MQIA_DEF_BIND, MQBND_BIND_ON_OPEN),
            distribution_lists: holding(MQIA_DIST_LISTS, MQDL_NOT_SUPPORTED) == MQDL_SUPPORTED,
            cell_scope: bound(MQIA_SCOPE, MQSCO_Q_MGR) == MQSCO_CELL,
            holds_puts: holds && definition.holds_puts(),
            store_megabytes_max,
            bytes_max: quota_bytes.min(u64::from(store_megabytes_max) << 20),
            monitoring: holding(MQIA_MONITORING_Q, MQMON_OFF),
            statistics: holding(MQIA_STATISTICS_Q, MQMON_OFF),
            accounting: holding(MQIA_ACCOUNTING_Q, MQMON_OFF),
        }
    }
}

fn trigger(definition: &Definition) -> Trigger {
    Trigger {
        kind: match definition.integer(MQIA_TRIGGER_TYPE) {
            MQTT_FIRST => TriggerKind::First,
            MQTT_EVERY => TriggerKind::Every,
            MQTT_DEPTH => TriggerKind::Depth,
            _ => TriggerKind::None,
        },
        depth: definition.integer(MQIA_TRIGGER_DEPTH).unsigned_abs(),
        priority_min: definition.integer(MQIA_TRIGGER_MSG_PRIORITY) as u8,
        data: definition.text(MQCA_TRIGGER_DATA).into(),
        process: definition.name_in(MQCA_PROCESS_NAME),
        initiation_queue: definition.name_in(MQCA_INITIATION_Q_NAME),
    }
}
