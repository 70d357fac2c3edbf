//! The attributes of bridges and pipes. All of them are ours.

use mqi::constants::*;
use mqi::ours::*;

use super::row::{Attribute, Derived, Word, word};
use super::words::NAME;
use crate::object_type::ObjectType::{self, Bridge, Pipe};

const BRIDGE: &[ObjectType] = &[Bridge];
const PIPE: &[ObjectType] = &[Pipe];

/// Most characters of a description.
const DESCRIPTION: usize = 64;

/// Most characters of the name of a place in another system.
const FOREIGN_NAME: usize = 255;

/// SYSTEM(FERRY).
const SYSTEM_FERRY: i32 = 1;

/// The systems that a bridge leads to. A number is never used again.
const SYSTEMS: &[Word] = &[word("FERRY", SYSTEM_FERRY)];

/// TLS(REQUIRED) of a bridge.
const BRIDGE_TLS_REQUIRED: i32 = 1;
/// TLS(NO) of a bridge.
pub(crate) const BRIDGE_TLS_NO: i32 = 2;

const COVERS: &[Word] = &[word("REQUIRED", BRIDGE_TLS_REQUIRED), word("NO", BRIDGE_TLS_NO)];

/// CONTROL(AUTO) of a bridge.
const CONTROL_AUTO: i32 = 1;

const CONTROLS: &[Word] = &[word("AUTO", CONTROL_AUTO), word("MANUAL", 2)];

/// DIRECT(OUT) of a pipe.
const DIRECTION_OUT: i32 = 1;
/// DIRECT(IN) of a pipe.
pub const PIPE_DIRECTION_IN: i32 = 2;

const DIRECTIONS: &[Word] = &[word("OUT", DIRECTION_OUT), word("IN", PIPE_DIRECTION_IN)];

/// SERVICE(NORMAL) of a pipe.
const SERVICE_NORMAL: i32 = 1;

const SERVICES: &[Word] = &[word("NORMAL", SERVICE_NORMAL), word("HIGH", 2)];

#[rustfmt::skip]
pub(super) static BRIDGE_ROWS: &[Attribute] = &[
    Attribute::name("BRIDGE", BRIDGE_NAME, NAME).pcf_only().on(BRIDGE).derived(Derived::Name)
        .means("The bridge's name."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(BRIDGE).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(BRIDGE).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::text("CERTLABL", MQCA_CERT_LABEL, MQ_CERT_LABEL_LENGTH).on(BRIDGE)
        .means("The label of the key that the bridge shows; blank for the usual one of its process."),
    Attribute::text("CHANNEL", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().on(BRIDGE)
        .means("The channel of another FerryMQ to come by; blank for its default."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().on(BRIDGE)
        .means("The address of the other system: host(port)."),
    Attribute::choice("CONTROL", BRIDGE_CONTROL, CONTROLS, CONTROL_AUTO).pcf_only().on(BRIDGE)
        .means("Start of the bridge: with the process of its group, or by `ferry-bridge --bridge` with its name."),
    Attribute::text("DESCR", BRIDGE_DESC, DESCRIPTION).pcf_only().on(BRIDGE)
        .means("A description, for people."),
    Attribute::text("GROUP", BRIDGE_GROUP, NAME).pcf_only().on(BRIDGE)
        .means("The group whose process serves the bridge; blank for the group without a name."),
    Attribute::secret("PASSWORD", BRIDGE_PASSWORD, MQ_CSP_PASSWORD_LENGTH).pcf_only().on(BRIDGE)
        .means("The password of USERID in the other system."),
    Attribute::choice("SYSTEM", BRIDGE_SYSTEM, SYSTEMS, SYSTEM_FERRY).pcf_only().on(BRIDGE)
        .means("The messaging system that the bridge leads to."),
    Attribute::choice("TLS", BRIDGE_TLS, COVERS, BRIDGE_TLS_REQUIRED).pcf_only().on(BRIDGE)
        .means("The encryption of connections to the other system."),
    Attribute::text("USERID", BRIDGE_USER, MQ_CLIENT_USER_ID_LENGTH).pcf_only().on(BRIDGE)
        .means("The user in the other system; blank for the one that the process runs as."),
];

#[rustfmt::skip]
pub(super) static PIPE_ROWS: &[Attribute] = &[
    Attribute::name("PIPE", PIPE_NAME, NAME).pcf_only().on(PIPE).derived(Derived::Name)
        .means("The pipe's name."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(PIPE).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(PIPE).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::integer("BATCHINT", MQIACH_BATCH_INTERVAL, (0, 60_000), 0).pcf_only().on(PIPE)
        .means("Milliseconds for which a batch waits for more messages, from its first."),
    Attribute::integer("BATCHLIM", MQIACH_BATCH_DATA_LIMIT, (0, 999_999), 1_024).pcf_only().on(PIPE)
        .means("Most kilobytes of a batch, to within its last message; 0 for no limit."),
    Attribute::integer("BATCHSZ", MQIACH_BATCH_SIZE, (1, 9_999), 500).pcf_only().on(PIPE)
        .means("Most messages of a batch."),
    Attribute::name("BRIDGE", BRIDGE_NAME, NAME).pcf_only().on(PIPE).definable()
        .means("The bridge that the pipe belongs to."),
    Attribute::text("CRDATE", MQCA_CREATION_DATE, 12).on(PIPE).derived(Derived::CreationDate)
        .means("The day the pipe was defined, UTC. It names the pipe in its state, besides its name."),
    Attribute::text("CRTIME", MQCA_CREATION_TIME, 8).on(PIPE).derived(Derived::CreationTime)
        .means("The time of day the pipe was defined, UTC."),
    Attribute::name("DEADQ", MQCA_DEAD_LETTER_Q_NAME, NAME).on(PIPE)
        .means("The queue for refused messages; blank for that of the queue manager."),
    Attribute::text("DESCR", BRIDGE_DESC, DESCRIPTION).pcf_only().on(PIPE)
        .means("A description, for people."),
    Attribute::choice("DIRECT", PIPE_DIRECTION, DIRECTIONS, DIRECTION_OUT).pcf_only().on(PIPE).definable()
        .means("The direction: OUT from here to the other system, IN from there to here."),
    Attribute::text("FOREIGN", PIPE_FOREIGN, FOREIGN_NAME).pcf_only().on(PIPE)
        .means("The queue in the other system; OUT, an asterisk for the one in the transmission header of a message."),
    Attribute::integer("HANDLIDL", HANDLE_IDLE, (0, 999_999), 300).pcf_only().on(PIPE)
        .means("Seconds after which a queue of the other system that is not used is closed; 0 for never."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, MQ_MAX_MCA_USER_ID_LENGTH).pcf_only().on(PIPE)
        .means("IN, the user that puts the messages; blank for the one that the process runs as."),
    Attribute::name("QUEUE", PIPE_QUEUE, NAME).pcf_only().on(PIPE).definable()
        .means("OUT, the connector queue, whose messages go out; IN, the queue that messages are put on."),
    Attribute::choice("SERVICE", PIPE_SERVICE, SERVICES, SERVICE_NORMAL).pcf_only().on(PIPE).definable()
        .means("The service: NORMAL as the promise of the system says; HIGH may double messages after a break."),
    Attribute::choice("USEDLQ", MQIA_USE_DEAD_LETTER_Q, &[word("NO", MQUSEDLQ_NO), word("YES", MQUSEDLQ_YES)], MQUSEDLQ_YES).on(PIPE)
        .means("YES puts refused messages on the dead-letter queue; NO holds the pipe."),
];
