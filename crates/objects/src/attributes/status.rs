//! Displays of the running queue manager beyond definitions: queues, connections. Those of topics are in
//! `topic_status`.

use mqi::constants::*;
use mqi::ours::*;

use super::row::{Attribute, Word, word};
use super::subscription::ZEROS_24;
use super::{authority_status, channel_status, listener_status, route, topic_status};

/// A kind of status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatusType {
    /// DISPLAY QMSTATUS: one answer.
    QueueManager,
    /// DISPLAY QSTATUS TYPE(QUEUE): one answer for each queue.
    Queue,
    /// DISPLAY QSTATUS TYPE(HANDLE): one answer for each handle that has the queue open.
    QueueHandle,
    /// RESET QSTATS: one answer for each queue.
    QueueStatistics,
    /// DISPLAY CONN TYPE(CONN): one answer for each connection.
    Connection,
    /// DISPLAY CONN TYPE(HANDLE): one answer for each handle of a connection.
    ConnectionHandle,
    /// Prepared units of work, with one answer for each of their messages.
    PreparedMessage,
    /// DISPLAY TPSTATUS TYPE(TOPIC): one answer for each place in the topic tree.
    Topic,
    /// DISPLAY TPSTATUS TYPE(SUB): one answer for each subscription of such a place.
    TopicSubscription,
    /// DISPLAY TPSTATUS TYPE(PUB): one answer for each handle that publishes there.
    TopicPublisher,
    /// DISPLAY SBSTATUS: one answer for each subscription.
    Subscription,
    /// DISPLAY CHSTATUS: one answer for each instance of a channel.
    Channel,
    /// DISPLAY LSSTATUS: one answer for each listener that runs.
    Listener,
    /// DISPLAY PUBSUB: one answer for each queue manager of a hierarchy.
    PublishSubscribe,
    /// DISPLAY AUTHREC: one answer for each record.
    AuthorityRecord,
    /// DISPLAY ENTAUTH: one answer.
    EntityAuthority,
    /// DISPLAY AUTHSERV: one answer.
    AuthorityService,
    /// DISPLAY ROUTE: one answer for each step of the way from a name.
    Route,
}

impl StatusType {
    /// Every status.
    pub(crate) const ALL: [Self; 18] = [
        Self::QueueManager,
        Self::Queue,
        Self::QueueHandle,
        Self::QueueStatistics,
        Self::Connection,
        Self::ConnectionHandle,
        Self::PreparedMessage,
        Self::Topic,
        Self::TopicSubscription,
        Self::TopicPublisher,
        Self::Subscription,
        Self::Channel,
        Self::Listener,
        Self::PublishSubscribe,
        Self::AuthorityRecord,
        Self::EntityAuthority,
        Self::AuthorityService,
        Self::Route,
    ];
}

/// The states of a branch that a person decided, as DISPLAY CONN shows them.
pub const UNIT_STATES_BY_HAND: [i32; 2] = [UNIT_COMMITTED_BY_HAND, UNIT_BACKED_OUT_BY_HAND];

/// Rows about the recovery log: LOG of DISPLAY QMSTATUS, MQIACF_Q_MGR_STATUS_LOG in binary form.
pub const LOG_ATTRIBUTES: [&str; 15] = [
    "ARCHLOG", "ARCHSZ", "CURRLOG", "LOGEXTSZ", "LOGINUSE", "LOGPATH", "LOGPRIM", "LOGSEC", "LOGTYPE",
    "LOGUTIL", "MEDIALOG", "MEDIASZ", "RECLOG", "RECSZ", "REUSESZ",
];

#[rustfmt::skip]
static PREPARED_MESSAGE: &[Attribute] = &[
    Attribute::text("CONN", MQBACF_CONNECTION_ID, 16).pcf_only().live()
        .means("Zeros: a unit of work that is prepared belongs to no connection."),
    Attribute::text("EXTCONN", EXTERNAL_CONNECTION, 32).pcf_only().live()
        .means("The first half of the identifier, which all connections to this queue manager share."),
    Attribute::choice("TYPE", MQIACF_CONN_INFO_TYPE, CONNECTION_TYPE, MQIACF_CONN_INFO_HANDLE).pcf_only().live()
        .means("The type of answer."),
    Attribute::text("QMURID", MQBACF_Q_MGR_UOW_ID, UNIT_LENGTH).pcf_only().live()
        .means("The number of the unit of work."),
    Attribute::text("OBJNAME", MQCACF_OBJECT_NAME, NAME).pcf_only().live()
        .means("The queue of the message."),
    Attribute::bytes("CORRELID", MQBACF_CORREL_ID, MQ_CORREL_ID_LENGTH, ZEROS_24).pcf_only().live()
        .means("The correlation identifier of the message."),
    Attribute::bytes("MSGID", MQBACF_MSG_ID, MQ_MSG_ID_LENGTH, ZEROS_24).pcf_only().live()
        .means("The identifier of the message."),
    Attribute::integer("MSGLEN", MQIACF_MSG_LENGTH, (0, i32::MAX), 0).pcf_only().live()
        .means("The bytes of the message."),
    Attribute::choice("MSGOP", MESSAGE_EFFECT, EFFECT, 0).pcf_only().live()
        .means("PUT: the message comes with the commit; GOT: it goes then. Of ours."),
];

/// The texts around the parts of an identifier, and at most eight and twice 128 hexadecimal digits.
const EXTERNAL_UNIT_LENGTH: usize = 320;
/// Two numbers and the point between.
const UNIT_LENGTH: usize = 31;
const NAME: usize = MQ_OBJECT_NAME_LENGTH;
const MONITORING: &[Word] =
    &[word("OFF", MQMON_OFF), word("LOW", MQMON_LOW), word("MEDIUM", MQMON_MEDIUM), word("HIGH", MQMON_HIGH)];
/// Shown for a figure that monitoring would give.
const NOT_MONITORED: &[Word] = &[word(" ", MQMON_NOT_AVAILABLE)];
const NO_YES: &[Word] = &[word("NO", MQQSO_NO), word("YES", MQQSO_YES)];
const INPUT: &[Word] = &[word("NO", MQQSO_NO), word("SHARED", MQQSO_SHARED), word("EXCL", MQQSO_EXCLUSIVE)];
const UNIT_OF_WORK_STATE: &[Word] = &[
    word("NONE", MQUOWST_NONE),
    word("ACTIVE", MQUOWST_ACTIVE),
    word("PREPARED", MQUOWST_PREPARED),
    word("UNRESOLVED", MQUOWST_UNRESOLVED),
    word("COMMITTED", UNIT_COMMITTED_BY_HAND),
    word("BACKEDOUT", UNIT_BACKED_OUT_BY_HAND),
];
const EFFECT: &[Word] = &[word("PUT", 0), word("GOT", 1)];
const HANDLE_STATE: &[Word] = &[word("INACTIVE", MQHSTATE_INACTIVE), word("ACTIVE", MQHSTATE_ACTIVE)];
const OBJECT: &[Word] = &[word("QUEUE", MQOT_Q), word("QMGR", MQOT_Q_MGR), word("TOPIC", MQOT_TOPIC)];
const APPLICATION: &[Word] =
    &[word("SYSTEM", MQAT_QMGR), word("CHANNEL", MQAT_CHANNEL_INITIATOR), word("USER", MQAT_USER)];
const STATUS_TYPE: &[Word] = &[word("QUEUE", MQIACF_Q_STATUS), word("HANDLE", MQIACF_Q_HANDLE)];
const CONNECTION_TYPE: &[Word] =
    &[word("CONN", MQIACF_CONN_INFO_CONN), word("HANDLE", MQIACF_CONN_INFO_HANDLE)];
const UNIT_OF_WORK_TYPE: &[Word] = &[word("QMGR", MQUOWT_Q_MGR), word("XA", MQUOWT_XA)];

const SERVER_STATUS: &[Word] =
    &[word("STOPPED", MQSVC_STATUS_STOPPED), word("RUNNING", MQSVC_STATUS_RUNNING)];
const LOG_TYPE: &[Word] = &[word("CIRCULAR", MQLOGTYPE_CIRCULAR), word("LINEAR", MQLOGTYPE_LINEAR)];
const QUEUE_MANAGER_STATUS: &[Word] = &[
    word("STARTING", MQQMSTA_STARTING),
    word("RUNNING", MQQMSTA_RUNNING),
    word("QUIESCING", MQQMSTA_QUIESCING),
];

#[rustfmt::skip]
static QUEUE_MANAGER: &[Attribute] = &[
    Attribute::name("QMNAME", MQCA_Q_MGR_NAME, NAME).live()
        .means("The queue manager's name."),
    Attribute::integer("ACTCHL", MQIA_ACTIVE_CHANNELS, (0, i32::MAX), 0).pcf_only().live()
        .means("The most channels of any type that may run: limits.active_channels_max, MaxActiveChannels elsewhere."),
    Attribute::text("ARCHLOG", MQCACF_ARCHIVE_LOG_EXTENT_NAME, MQ_LOG_EXTENT_NAME_LENGTH).pcf_only().live()
        .means("The oldest log extent that waits to be archived: blank, since none does."),
    Attribute::integer("ARCHSZ", MQIACF_ARCHIVE_LOG_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Megabytes of log extents that wait to be archived."),
    Attribute::choice("CHINIT", MQIACF_CHINIT_STATUS, SERVER_STATUS, MQSVC_STATUS_STOPPED).pcf_only().live()
        .means("State of the channel initiator."),
    Attribute::choice("CMDSERV", MQIACF_CMD_SERVER_STATUS, SERVER_STATUS, MQSVC_STATUS_STOPPED).pcf_only().live()
        .means("State of the command server."),
    Attribute::integer("CONNS", MQIACF_CONNECTION_COUNT, (0, i32::MAX), 0).pcf_only().live()
        .means("Number of connections."),
    Attribute::integer("CURCHL", CHANNELS_CURRENT, (0, i32::MAX), 0).pcf_only().live()
        .means("The channels that run, retry or are stopped, each instance counted. Of ours."),
    Attribute::text("CURRLOG", MQCACF_CURRENT_LOG_EXTENT_NAME, MQ_LOG_EXTENT_NAME_LENGTH).pcf_only().live()
        .means("The log extent that is being written; blank with a circular log."),
    Attribute::text("HOSTNAME", MQCACF_HOST_NAME, MQ_HOST_NAME_LENGTH).pcf_only().live()
        .means("The name of the host that the queue manager runs on."),
    Attribute::integer("LOGEXTSZ", MQIACF_LOG_EXTENT_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Size of each log extent, in KiB."),
    Attribute::integer("LOGINUSE", MQIACF_LOG_IN_USE, (0, i32::MAX), 0).pcf_only().live()
        .means("Part of the primary log extents that a restart needs, in percent; above 100 it needs secondary ones."),
    Attribute::text("LOGPATH", MQCACF_LOG_PATH, MQ_LOG_PATH_LENGTH).pcf_only().live()
        .means("The directory of the log extents."),
    Attribute::integer("LOGPRIM", MQIACF_LOG_PRIMARIES, (0, i32::MAX), 0).pcf_only().live()
        .means("Number of primary log extents."),
    Attribute::integer("LOGSEC", MQIACF_LOG_SECONDARIES, (0, i32::MAX), 0).pcf_only().live()
        .means("Most log extents that are added when the primary ones do not suffice."),
    Attribute::choice("LOGTYPE", MQIACF_LOG_TYPE, LOG_TYPE, MQLOGTYPE_CIRCULAR).pcf_only().live()
        .means("Use of log extents: used again, or kept."),
    Attribute::integer("LOGUTIL", MQIACF_LOG_UTILIZATION, (0, i32::MAX), 0).pcf_only().live()
        .means("Part of the primary log extents that a restart needed at the latest checkpoints, on average, in percent."),
    Attribute::integer("MAXCHL", MQIA_MAX_CHANNELS, (0, i32::MAX), 0).pcf_only().live()
        .means("The most channels of any type that may be current: limits.channels_max, MaxChannels elsewhere."),
    Attribute::text("MEDIALOG", MQCACF_MEDIA_LOG_EXTENT_NAME, MQ_LOG_EXTENT_NAME_LENGTH).pcf_only().live()
        .means("The oldest log extent that an image needs; blank with a circular log, and without an image."),
    Attribute::integer("MEDIASZ", MQIACF_MEDIA_LOG_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Megabytes of log that the images need, begun ones counted."),
    Attribute::text("RECLOG", MQCACF_RESTART_LOG_EXTENT_NAME, MQ_LOG_EXTENT_NAME_LENGTH).pcf_only().live()
        .means("The oldest log extent that a restart needs; blank with a circular log."),
    Attribute::integer("RECSZ", MQIACF_RESTART_LOG_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Megabytes of log that a restart needs, begun ones counted."),
    Attribute::integer("REUSESZ", MQIACF_REUSABLE_LOG_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Megabytes of log extents that are ready to be written."),
    Attribute::integer("RUNCHL", CHANNELS_RUNNING, (0, i32::MAX), 0).pcf_only().live()
        .means("The instances of channels of any type that run. Of ours."),
    Attribute::choice("STANDBY", MQIACF_PERMIT_STANDBY, &[word("NOPERMIT", MQSTDBY_NOT_PERMITTED), word("PERMIT", MQSTDBY_PERMITTED)], MQSTDBY_NOT_PERMITTED).pcf_only().live()
        .means("Permission for another instance to wait and take over."),
    Attribute::text("STARTDA", MQCACF_Q_MGR_START_DATE, 12).pcf_only().live()
        .means("The day the queue manager started, UTC."),
    Attribute::text("STARTTI", MQCACF_Q_MGR_START_TIME, 8).pcf_only().live()
        .means("The time of day the queue manager started, UTC."),
    Attribute::choice("STATUS", MQIACF_Q_MGR_STATUS, QUEUE_MANAGER_STATUS, MQQMSTA_RUNNING).pcf_only().live()
        .means("State of the queue manager."),
];

#[rustfmt::skip]
static QUEUE: &[Attribute] = &[
    Attribute::name("QUEUE", MQCA_Q_NAME, NAME).live()
        .means("The queue's name."),
    Attribute::choice("TYPE", MQIACF_Q_STATUS_TYPE, STATUS_TYPE, MQIACF_Q_STATUS).pcf_only().live()
        .means("The type of status."),
    Attribute::integer("CURDEPTH", MQIA_CURRENT_Q_DEPTH, (0, i32::MAX), 0).live()
        .means("Messages on the queue, uncommitted ones included."),
    Attribute::integer("CURFSIZE", MQIACF_CUR_Q_FILE_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Megabytes of the queue's messages, begun ones counted, as MAXFSIZE counts them."),
    Attribute::integer("CURMAXFS", MQIACF_CUR_MAX_FILE_SIZE, (0, i32::MAX), 0).pcf_only().live()
        .means("Most megabytes of the queue's messages: MAXFSIZE, of which DEFAULT is 2088960."),
    Attribute::integer("DAMAGED", DAMAGED_MESSAGES, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages of the queue that are set aside because they cannot be read back."),
    Attribute::integer("DELAYED", DELAYED_MESSAGES, (0, i32::MAX), 0).pcf_only().live()
        .means("The number of committed messages that are delivered later; CURDEPTH counts them too. Of ours."),
    Attribute::integer("IPPROCS", MQIA_OPEN_INPUT_COUNT, (0, i32::MAX), 0).live()
        .means("Handles that have the queue open for input."),
    Attribute::text("LGETDATE", MQCACF_LAST_GET_DATE, 12).pcf_only().live()
        .means("The day of the last get, UTC; blank when there was none since the start."),
    Attribute::text("LGETTIME", MQCACF_LAST_GET_TIME, 8).pcf_only().live()
        .means("The time of day of the last get, UTC."),
    Attribute::text("LPUTDATE", MQCACF_LAST_PUT_DATE, 12).pcf_only().live()
        .means("The day of the last put, UTC; blank when there was none since the start."),
    Attribute::text("LPUTTIME", MQCACF_LAST_PUT_TIME, 8).pcf_only().live()
        .means("The time of day of the last put, UTC."),
    Attribute::text("MEDIALOG", MQCACF_MEDIA_LOG_EXTENT_NAME, MQ_LOG_EXTENT_NAME_LENGTH).pcf_only().live()
        .means("The oldest log extent that recovering the queue from an image needs; blank where it cannot be."),
    Attribute::choice("MONQ", MQIA_MONITORING_Q, MONITORING, MQMON_OFF).live()
        .means("Collection of monitoring data of the queue, and its level."),
    Attribute::integer("MSGAGE", MQIACF_OLDEST_MSG_AGE, (0, 999_999_999), 0).or(NOT_MONITORED).pcf_only().live()
        .means("The age of the oldest message, in seconds, whatever MONQ says."),
    Attribute::integer("OPPROCS", MQIA_OPEN_OUTPUT_COUNT, (0, i32::MAX), 0).live()
        .means("Handles that have the queue open for output."),
    Attribute::words("QTIME", MQIACF_Q_TIME_INDICATOR, (NOT_MONITORED, 2), &[MQMON_NOT_AVAILABLE; 2]).pcf_only().live()
        .means("Mean microseconds on the queue, of the last few messages got and of more; blank with MONQ(OFF)."),
    Attribute::integer("UNCOM", MQIACF_UNCOMMITTED_MSGS, (1, i32::MAX), 0).or(&[word("NO", 0)]).pcf_only().live()
        .means("Messages of the queue in units of work that have not ended; NO without any."),
];

#[rustfmt::skip]
static QUEUE_HANDLE: &[Attribute] = &[
    Attribute::name("QUEUE", MQCA_Q_NAME, NAME).live()
        .means("The queue's name."),
    Attribute::choice("TYPE", MQIACF_Q_STATUS_TYPE, STATUS_TYPE, MQIACF_Q_HANDLE).pcf_only().live()
        .means("The type of status."),
    Attribute::text("APPLTAG", MQCACF_APPL_TAG, MQ_APPL_TAG_LENGTH).pcf_only().live()
        .means("The program's name."),
    Attribute::choice("APPLTYPE", MQIA_APPL_TYPE, APPLICATION, MQAT_USER).live()
        .means("The kind of program."),
    Attribute::choice("BROWSE", MQIACF_OPEN_BROWSE, NO_YES, MQQSO_NO).pcf_only().live()
        .means("Permission of the handle to browse."),
    Attribute::text("CHANNEL", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().live()
        .means("The channel the program came by."),
    Attribute::text("CONN", MQBACF_CONNECTION_ID, 16).pcf_only().live()
        .means("The connection the handle belongs to."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().live()
        .means("The network address the program came from."),
    Attribute::choice("HSTATE", MQIACF_HANDLE_STATE, HANDLE_STATE, MQHSTATE_INACTIVE).pcf_only().live()
        .means("State of the handle: ACTIVE while a call on it is under way."),
    Attribute::choice("INPUT", MQIACF_OPEN_INPUT_TYPE, INPUT, MQQSO_NO).pcf_only().live()
        .means("Permission of the handle to get, shared or exclusive."),
    Attribute::choice("INQUIRE", MQIACF_OPEN_INQUIRE, NO_YES, MQQSO_NO).pcf_only().live()
        .means("Permission of the handle to inquire."),
    Attribute::choice("OUTPUT", MQIACF_OPEN_OUTPUT, NO_YES, MQQSO_NO).pcf_only().live()
        .means("Permission of the handle to put."),
    Attribute::integer("PID", MQIACF_PROCESS_ID, (0, i32::MAX), 0).pcf_only().live()
        .means("The program's process identifier."),
    Attribute::choice("SET", MQIACF_OPEN_SET, NO_YES, MQQSO_NO).pcf_only().live()
        .means("Permission of the handle to set attributes."),
    Attribute::integer("TID", MQIACF_THREAD_ID, (0, i32::MAX), 0).pcf_only().live()
        .means("The program's thread identifier."),
    Attribute::text("USERID", MQCACF_USER_IDENTIFIER, MQ_MAX_USER_ID_LENGTH).pcf_only().live()
        .means("The user the program runs as."),
];

#[rustfmt::skip]
static QUEUE_STATISTICS: &[Attribute] = &[
    Attribute::name("QSTATS", MQCA_Q_NAME, NAME).live()
        .means("The queue's name."),
    Attribute::integer("HIQDEPTH", MQIA_HIGH_Q_DEPTH, (0, i32::MAX), 0).pcf_only().live()
        .means("The greatest depth since the last reset."),
    Attribute::integer("MSGSIN", MQIA_MSG_ENQ_COUNT, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages put since the last reset."),
    Attribute::integer("MSGSOUT", MQIA_MSG_DEQ_COUNT, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages got since the last reset."),
    Attribute::integer("RESETINT", MQIA_TIME_SINCE_RESET, (0, i32::MAX), 0).pcf_only().live()
        .means("Seconds since the last reset."),
];

#[rustfmt::skip]
static CONNECTION: &[Attribute] = &[
    Attribute::text("CONN", MQBACF_CONNECTION_ID, 16).pcf_only().live()
        .means("The connection's identifier."),
    Attribute::text("EXTCONN", EXTERNAL_CONNECTION, 32).pcf_only().live()
        .means("The first half of the identifier, which all connections to this queue manager share."),
    Attribute::choice("TYPE", MQIACF_CONN_INFO_TYPE, CONNECTION_TYPE, MQIACF_CONN_INFO_CONN).pcf_only().live()
        .means("The type of answer."),
    Attribute::text("APPLTAG", MQCACF_APPL_TAG, MQ_APPL_TAG_LENGTH).pcf_only().live()
        .means("The program's name."),
    Attribute::choice("APPLTYPE", MQIA_APPL_TYPE, APPLICATION, MQAT_USER).live()
        .means("The kind of program."),
    Attribute::text("CHANNEL", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().live()
        .means("The channel the program came by."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().live()
        .means("The network address the program came from."),
    Attribute::text("EXTURID", MQBACF_EXTERNAL_UOW_ID, EXTERNAL_UNIT_LENGTH).pcf_only().live()
        .means("The identifier that an outside coordinator gave the unit of work."),
    Attribute::integer("PID", MQIACF_PROCESS_ID, (0, i32::MAX), 0).pcf_only().live()
        .means("The program's process identifier."),
    Attribute::text("QMURID", MQBACF_Q_MGR_UOW_ID, UNIT_LENGTH).pcf_only().live()
        .means("The number of the unit of work, m.n."),
    Attribute::integer("TID", MQIACF_THREAD_ID, (0, i32::MAX), 0).pcf_only().live()
        .means("The program's thread identifier."),
    Attribute::integer("UNITS", UNITS_BESIDE, (0, i32::MAX), 0).pcf_only().live()
        .means("The number of units of work beside the connection's own, as of AMQP transactions. Of ours."),
    Attribute::text("UOWLOG", MQCACF_UOW_LOG_EXTENT_NAME, MQ_LOG_EXTENT_NAME_LENGTH).pcf_only().live()
        .means("The position in the log of its first record; the log is kept from there on."),
    Attribute::text("UOWLOGDA", MQCACF_UOW_LOG_START_DATE, 12).pcf_only().live()
        .means("The day the unit of work first wrote to the log, UTC."),
    Attribute::text("UOWLOGTI", MQCACF_UOW_LOG_START_TIME, 8).pcf_only().live()
        .means("The time of day the unit of work first wrote to the log, UTC."),
    Attribute::integer("UOWMSGS", UNIT_MESSAGES, (0, i32::MAX), 0).pcf_only().live()
        .means("The number of messages put and got in the unit of work. Of ours."),
    Attribute::names("UOWQS", UNIT_QUEUES, NAME, 100).pcf_only().live()
        .means("The queues of these messages, at most 100. Of ours."),
    Attribute::choice("UOWSTATE", MQIACF_UOW_STATE, UNIT_OF_WORK_STATE, MQUOWST_NONE).pcf_only().live()
        .means("The state of the unit of work; COMMITTED and BACKEDOUT by hand."),
    Attribute::text("UOWSTDA", MQCACF_UOW_START_DATE, 12).pcf_only().live()
        .means("The day the unit of work began, UTC."),
    Attribute::text("UOWSTTI", MQCACF_UOW_START_TIME, 8).pcf_only().live()
        .means("The time of day the unit of work began, UTC."),
    Attribute::choice("URTYPE", MQIACF_UOW_TYPE, UNIT_OF_WORK_TYPE, MQUOWT_Q_MGR).pcf_only().live()
        .means("Coordinator of the unit of work."),
    Attribute::text("USERID", MQCACF_USER_IDENTIFIER, MQ_MAX_USER_ID_LENGTH).pcf_only().live()
        .means("The user the program runs as."),
];

#[rustfmt::skip]
static CONNECTION_HANDLE: &[Attribute] = &[
    Attribute::text("CONN", MQBACF_CONNECTION_ID, 16).pcf_only().live()
        .means("The connection's identifier."),
    Attribute::text("EXTCONN", EXTERNAL_CONNECTION, 32).pcf_only().live()
        .means("The first half of the identifier, which all connections to this queue manager share."),
    Attribute::choice("TYPE", MQIACF_CONN_INFO_TYPE, CONNECTION_TYPE, MQIACF_CONN_INFO_HANDLE).pcf_only().live()
        .means("The type of answer."),
    Attribute::text("OBJNAME", MQCACF_OBJECT_NAME, NAME).pcf_only().live()
        .means("The object that is open."),
    Attribute::choice("OBJTYPE", MQIACF_OBJECT_TYPE, OBJECT, MQOT_Q).pcf_only().live()
        .means("The type of that object."),
    Attribute::choice("HSTATE", MQIACF_HANDLE_STATE, HANDLE_STATE, MQHSTATE_INACTIVE).pcf_only().live()
        .means("State of the handle: ACTIVE while a call on it is under way."),
    Attribute::integer("OPENOPTS", MQIACF_OPEN_OPTIONS, (0, i32::MAX), 0).pcf_only().live()
        .means("The options the object was opened with."),
];

impl StatusType {
    /// The rows of this kind of status.
    pub fn rows(self) -> &'static [Attribute] {
        match self {
            Self::QueueManager => QUEUE_MANAGER,
            Self::Queue => QUEUE,
            Self::QueueHandle => QUEUE_HANDLE,
            Self::QueueStatistics => QUEUE_STATISTICS,
            Self::Connection => CONNECTION,
            Self::ConnectionHandle => CONNECTION_HANDLE,
            Self::PreparedMessage => PREPARED_MESSAGE,
            Self::Topic => topic_status::TOPIC,
            Self::TopicSubscription => topic_status::TOPIC_SUBSCRIPTION,
            Self::TopicPublisher => topic_status::TOPIC_PUBLISHER,
            Self::Subscription => topic_status::SUBSCRIPTION,
            Self::Channel => channel_status::CHANNEL,
            Self::Listener => listener_status::LISTENER,
            Self::PublishSubscribe => topic_status::PUBLISH_SUBSCRIBE,
            Self::AuthorityRecord => authority_status::RECORD,
            Self::EntityAuthority => authority_status::ENTITY_AUTHORITY,
            Self::AuthorityService => authority_status::SERVICE,
            Self::Route => route::ROUTE,
        }
    }

    /// The word that follows DISPLAY.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::QueueManager => "QMSTATUS",
            Self::Queue | Self::QueueHandle => "QSTATUS",
            Self::QueueStatistics => "QSTATS",
            Self::Connection | Self::ConnectionHandle | Self::PreparedMessage => "CONN",
            Self::Topic | Self::TopicSubscription | Self::TopicPublisher => "TPSTATUS",
            Self::Subscription => "SBSTATUS",
            Self::Channel => "CHSTATUS",
            Self::Listener => "LSSTATUS",
            Self::PublishSubscribe => "PUBSUB",
            Self::AuthorityRecord => "AUTHREC",
            Self::EntityAuthority => "ENTAUTH",
            Self::AuthorityService => "AUTHSERV",
            Self::Route => "ROUTE",
        }
    }
}
