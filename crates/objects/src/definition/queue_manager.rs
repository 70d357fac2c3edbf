//! Attributes of the queue manager that the engine reads, unpacked once when they change.

use std::time::Duration;

use mqi::constants::*;
use mqi::name::ObjectName;
use mqi::ours::MANAGER_QUOTA;

use super::{Count, Definition};
use crate::object_type::ObjectType;

/// The attributes of the queue manager that the verbs act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueManagerAttributes {
    /// DEADQ.
    pub dead_letter_queue: Option<ObjectName>,
    /// DEFXMITQ.
    pub default_transmission_queue: Option<ObjectName>,
    /// MAXMSGL in bytes.
    pub message_bytes_max: u32,
    /// MAXHANDS: open handles of one connection.
    pub handles_max: Count,
    /// MAXUMSGS: messages put and got by one unit of work.
    pub uncommitted_max: Count,
    /// CCSID.
    pub coded_character_set: i32,
    /// PSMODE: whether programs may publish and subscribe.
    pub serves_topics: bool,
    /// MAXPROPL: bytes of the properties of one message; none for any length.
    pub properties_bytes_max: Option<u32>,
    /// QUOTA: bytes of the messages on all queues; none for NOLIMIT.
    pub quota: Option<u64>,
    /// The events it tells of.
    pub events: Events,
    /// Statistics and accounting of programs, queues and connections.
    pub collected: Collected,
    /// TRIGINT in milliseconds.
    pub trigger_interval: u32,
    /// TREELIFE: how long a place in the topic tree is shown after programs used it last; none for ever.
    pub tree_life: Option<Duration>,
    /// MARKINT: how long a mark of co-operating browsers lasts; none for as long as they are there.
    pub browse_mark_interval: Option<Duration>,
}

/// Statistics and accounting that the queue manager asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collected {
    /// STATMQI.
    pub statistics: bool,
    /// STATQ, an MQMON_ value.
    pub queue_statistics: i32,
    /// STATCHL, an MQMON_ value.
    pub channel_statistics: i32,
    /// STATINT; none for never.
    pub statistics_interval: Option<Duration>,
    /// ACCTMQI.
    pub accounting: bool,
    /// ACCTQ, an MQMON_ value.
    pub queue_accounting: i32,
    /// ACCTINT; none for only at the end of a connection.
    pub accounting_interval: Option<Duration>,
    /// ACCTCONO: a connection may choose for itself.
    pub connections_choose: bool,
    /// MONQ, an MQMON_ value.
    pub monitoring: i32,
}

/// The events the queue manager tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an attribute of its own")]
pub struct Events {
    /// AUTHOREV.
    pub authority: bool,
    /// INHIBTEV.
    pub inhibit: bool,
    /// LOCALEV.
    pub local: bool,
    /// REMOTEEV.
    pub remote: bool,
    /// STRSTPEV.
    pub start_stop: bool,
    /// PERFMEV.
    pub performance: bool,
    /// CONFIGEV.
    pub configuration: bool,
    /// CMDEV.
    pub command: CommandEvents,
}

/// CMDEV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandEvents {
    /// Of no command.
    None,
    /// Of all but DISPLAY.
    ButDisplays,
    /// Of every command.
    All,
}

impl QueueManagerAttributes {
    /// Unpacks the definition of a queue manager.
    ///
    /// # Panics
    /// When the definition is not of a queue manager.
    pub fn new(definition: &Definition) -> Self {
        assert_eq!(definition.object_type(), ObjectType::QueueManager, "{} is not one", definition.name());
        Self {
            dead_letter_queue: definition.name_in(MQCA_DEAD_LETTER_Q_NAME),
            default_transmission_queue: definition.name_in(MQCA_DEF_XMIT_Q_NAME),
            message_bytes_max: definition.integer(MQIA_MAX_MSG_LENGTH).unsigned_abs(),
            handles_max: definition.integer(MQIA_MAX_HANDLES).unsigned_abs(),
            uncommitted_max: definition.integer(MQIA_MAX_UNCOMMITTED_MSGS).unsigned_abs(),
            coded_character_set: definition.integer(MQIA_CODED_CHAR_SET_ID),
            serves_topics: definition.integer(MQIA_PUBSUB_MODE) != MQPSM_DISABLED,
            properties_bytes_max: u32::try_from(definition.integer(MQIA_MAX_PROPERTIES_LENGTH)).ok(),
            quota: u64::try_from(definition.integer(MANAGER_QUOTA)).ok().map(|megabytes| megabytes << 20),
            events: Events {
                authority: definition.integer(MQIA_AUTHORITY_EVENT) == MQEVR_ENABLED,
                inhibit: definition.integer(MQIA_INHIBIT_EVENT) == MQEVR_ENABLED,
                local: definition.integer(MQIA_LOCAL_EVENT) == MQEVR_ENABLED,
                remote: definition.integer(MQIA_REMOTE_EVENT) == MQEVR_ENABLED,
                start_stop: definition.integer(MQIA_START_STOP_EVENT) == MQEVR_ENABLED,
                performance: definition.integer(MQIA_PERFORMANCE_EVENT) == MQEVR_ENABLED,
                configuration: definition.integer(MQIA_CONFIGURATION_EVENT) == MQEVR_ENABLED,
                command: match definition.integer(MQIA_COMMAND_EVENT) {
                    MQEVR_ENABLED => CommandEvents::All,
                    MQEVR_NO_DISPLAY => CommandEvents::ButDisplays,
                    _ => CommandEvents::None,
                },
            },
            collected: Collected {
                statistics: definition.integer(MQIA_STATISTICS_MQI) == MQMON_ON,
                queue_statistics: definition.integer(MQIA_STATISTICS_Q),
                channel_statistics: definition.integer(MQIA_STATISTICS_CHANNEL),
                statistics_interval: interval(definition.integer(MQIA_STATISTICS_INTERVAL)),
                accounting: definition.integer(MQIA_ACCOUNTING_MQI) == MQMON_ON,
                queue_accounting: definition.integer(MQIA_ACCOUNTING_Q),
                accounting_interval: interval(definition.integer(MQIA_ACCOUNTING_INTERVAL)),
                connections_choose: definition.integer(MQIA_ACCOUNTING_CONN_OVERRIDE) == MQMON_ENABLED,
                monitoring: definition.integer(MQIA_MONITORING_Q),
            },
            trigger_interval: definition.integer(MQIA_TRIGGER_INTERVAL).unsigned_abs(),
            tree_life: interval(definition.integer(MQIA_TREE_LIFE_TIME)),
            browse_mark_interval: u64::try_from(definition.integer(MQIA_MSG_MARK_BROWSE_INTERVAL))
                .ok()
                .map(Duration::from_millis),
        }
    }
}

/// The interval of a number of seconds; none for zero.
fn interval(seconds: i32) -> Option<Duration> {
    u64::try_from(seconds).ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
}

/// Combines a queue's attribute with the queue manager's: a queue that says QMGR leaves it to that one, whose
/// NONE overrules every queue.
pub fn effective(of_queue: i32, of_manager: i32) -> i32 {
    match (of_queue, of_manager) {
        (_, MQMON_NONE) => MQMON_OFF,
        (MQMON_Q_MGR, of_manager) => of_manager,
        (of_queue, _) => of_queue,
    }
}
