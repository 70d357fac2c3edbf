//! The attributes of queues: local, alias, model and remote.

use mqi::constants::*;
use mqi::ours::*;

use super::amqp_name::AMQP_NAME_BYTES_MAX;
use super::row::{Access, Attribute, Derived, Word, word};
use super::words::{
    COUNT_MAX, DISABLED_ENABLED, MESSAGE_BYTES_DEFAULT, MESSAGE_BYTES_MAX, MONITORING, NAME, NO_YES,
};
use crate::object_type::ObjectType::{self, AliasQueue, LocalQueue, ModelQueue, RemoteQueue};

const ALL: &[ObjectType] = &[LocalQueue, AliasQueue, ModelQueue, RemoteQueue];
/// Queues that messages can be got from by their name.
const GETTABLE: &[ObjectType] = &[LocalQueue, AliasQueue, ModelQueue];
const HOLDING: &[ObjectType] = &[LocalQueue, ModelQueue];
const LOCAL: &[ObjectType] = &[LocalQueue];
const ALIAS: &[ObjectType] = &[AliasQueue];
const MODEL: &[ObjectType] = &[ModelQueue];
const REMOTE: &[ObjectType] = &[RemoteQueue];
const CLUSTERED: &[ObjectType] = &[LocalQueue, AliasQueue, RemoteQueue];
/// Queues that have a name of their own in AMQP; those that a model makes would share one.
const NAMED: &[ObjectType] = &[LocalQueue, AliasQueue, RemoteQueue];

const QMGR_OFF_ON: &[Word] = &[word("QMGR", MQMON_Q_MGR), word("OFF", MQMON_OFF), word("ON", MQMON_ON)];
const INHIBIT_GET: &[Word] = &[word("ENABLED", MQQA_GET_ALLOWED), word("DISABLED", MQQA_GET_INHIBITED)];
const INHIBIT_PUT: &[Word] = &[word("ENABLED", MQQA_PUT_ALLOWED), word("DISABLED", MQQA_PUT_INHIBITED)];
const DEFINITION: &[Word] = &[
    word("PREDEFINED", MQQDT_PREDEFINED),
    word("PERMDYN", MQQDT_PERMANENT_DYNAMIC),
    word("TEMPDYN", MQQDT_TEMPORARY_DYNAMIC),
];
/// FULLACT(REASON): the put is refused at once.
const FULL_ACTION_REASON: i32 = 0;
/// FULLACT(HOLD): the put waits.
pub(crate) const FULL_ACTION_HOLD: i32 = 1;
const FULL_ACTIONS: &[Word] = &[word("REASON", FULL_ACTION_REASON), word("HOLD", FULL_ACTION_HOLD)];
const DYNAMIC: &[Word] =
    &[word("PERMDYN", MQQDT_PERMANENT_DYNAMIC), word("TEMPDYN", MQQDT_TEMPORARY_DYNAMIC)];
const SHARE_OPTION: &[Word] = &[word("SHARED", MQOO_INPUT_SHARED), word("EXCL", MQOO_INPUT_EXCLUSIVE)];

const TYPES: &[Word] = &[
    word("QLOCAL", MQQT_LOCAL),
    word("QALIAS", MQQT_ALIAS),
    word("QMODEL", MQQT_MODEL),
    word("QREMOTE", MQQT_REMOTE),
];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::name("QUEUE", MQCA_Q_NAME, NAME).on(ALL).derived(Derived::Name)
        .means("The queue's name."),
    Attribute::choice("TYPE", MQIA_Q_TYPE, TYPES, MQQT_LOCAL).also(&["QTYPE"]).on(ALL).derived(Derived::Type)
        .means("The type of queue."),
    Attribute::choice("ACCTQ", MQIA_ACCOUNTING_Q, QMGR_OFF_ON, MQMON_Q_MGR).on(HOLDING)
        .means("Collection of accounting data for the queue."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(ALL).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(ALL).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::text("AMQPNAME", AMQP_NAME, AMQP_NAME_BYTES_MAX).pcf_only().on(NAMED)
        .means("Another name of the queue for AMQP clients; one that no queue can have. Of ours."),
    Attribute::name("BOQNAME", MQCA_BACKOUT_REQ_Q_NAME, NAME).on(HOLDING)
        .means("Queue for messages that were backed out too often; an application puts them there."),
    Attribute::integer("BOTHRESH", MQIA_BACKOUT_THRESHOLD, (0, COUNT_MAX), 0).on(HOLDING)
        .means("Backouts of a message that an application should accept; 0 for no limit."),
    Attribute::integer("CAPEXPRY", MQIA_CAP_EXPIRY, (1, COUNT_MAX), -1).or(&[word("NOLIMIT", -1)]).on(ALL)
        .means("The longest expiry, in tenths of a second, that a message put here may have."),
    Attribute::name("CLCHNAME", MQCA_CLUS_CHL_NAME, 20).on(LOCAL).kept_only()
        .means("The cluster-sender channels that use this transmission queue."),
    Attribute::name("CLUSNL", MQCA_CLUSTER_NAMELIST, NAME).on(CLUSTERED).kept_only()
        .means("The namelist of clusters the queue is in."),
    Attribute::name("CLUSTER", MQCA_CLUSTER_NAME, NAME).on(CLUSTERED).kept_only()
        .means("The cluster the queue is in."),
    Attribute::integer("CLWLPRTY", MQIA_CLWL_Q_PRIORITY, (0, 9), 0).on(CLUSTERED).kept_only()
        .means("The queue's priority when a cluster chooses among instances."),
    Attribute::integer("CLWLRANK", MQIA_CLWL_Q_RANK, (0, 9), 0).on(CLUSTERED).kept_only()
        .means("The queue's rank when a cluster chooses among instances."),
    Attribute::choice("CLWLUSEQ", MQIA_CLWL_USEQ, &[word("QMGR", MQCLWL_USEQ_AS_Q_MGR), word("LOCAL", MQCLWL_USEQ_LOCAL), word("ANY", MQCLWL_USEQ_ANY)], MQCLWL_USEQ_AS_Q_MGR).on(LOCAL).kept_only()
        .means("Choice of a cluster where there is a local instance: any instance, or the local one alone."),
    Attribute::text("CRDATE", MQCA_CREATION_DATE, 12).on(HOLDING).derived(Derived::CreationDate)
        .means("The day the queue was defined, UTC."),
    Attribute::text("CRTIME", MQCA_CREATION_TIME, 8).on(HOLDING).derived(Derived::CreationTime)
        .means("The time of day the queue was defined, UTC."),
    Attribute::integer("CURDEPTH", MQIA_CURRENT_Q_DEPTH, (0, i32::MAX), 0).on(LOCAL).live()
        .means("Messages on the queue, uncommitted ones included."),
    Attribute::text("CUSTOM", MQCA_CUSTOM, MQ_CUSTOM_LENGTH).on(ALL)
        .means("Attributes as KEYWORD(value): CAPEXPRY acts here, too, unless it is given by itself."),
    Attribute::choice("DEFBIND", MQIA_DEF_BIND, &[word("OPEN", MQBND_BIND_ON_OPEN), word("NOTFIXED", MQBND_BIND_NOT_FIXED), word("GROUP", MQBND_BIND_ON_GROUP)], MQBND_BIND_ON_OPEN).on(CLUSTERED).kept_only()
        .means("Moment at which a cluster settles the instance for a put."),
    Attribute::choice("DEFPRESP", MQIA_DEF_PUT_RESPONSE_TYPE, &[word("SYNC", MQPRT_SYNC_RESPONSE), word("ASYNC", MQPRT_ASYNC_RESPONSE)], MQPRT_SYNC_RESPONSE).on(ALL)
        .means("Answer to a put that leaves it open: SYNC waits for it, ASYNC does not."),
    Attribute::integer("DEFPRTY", MQIA_DEF_PRIORITY, (0, 9), 0).on(ALL)
        .means("The priority of a message that asks for the queue's."),
    Attribute::choice("DEFPSIST", MQIA_DEF_PERSISTENCE, NO_YES, MQPER_NOT_PERSISTENT).on(ALL)
        .means("The persistence of a message that asks for the queue's."),
    Attribute::choice("DEFREADA", MQIA_DEF_READ_AHEAD, &[word("NO", MQREADA_NO), word("YES", MQREADA_YES), word("DISABLED", MQREADA_DISABLED)], MQREADA_NO).on(GETTABLE)
        .means("Read-ahead of clients that leave it open: messages are sent before they are asked for."),
    Attribute::choice("DEFSOPT", MQIA_DEF_INPUT_OPEN_OPTION, SHARE_OPTION, MQOO_INPUT_SHARED).on(LOCAL)
        .means("Sharing of the queue by programs that open it for input and leave that open."),
    Attribute::choice("DEFSOPT", MQIA_DEF_INPUT_OPEN_OPTION, SHARE_OPTION, MQOO_INPUT_EXCLUSIVE).on(MODEL)
        .means("Sharing of the queue by programs that open it for input and leave that open."),
    Attribute::choice("DEFTYPE", MQIA_DEFINITION_TYPE, DEFINITION, MQQDT_PREDEFINED).on(LOCAL).access(Access::Stored)
        .means("Origin of the queue: a definition, or a model queue that was opened."),
    Attribute::choice("DEFTYPE", MQIA_DEFINITION_TYPE, DYNAMIC, MQQDT_TEMPORARY_DYNAMIC).on(MODEL)
        .means("Kind of the queues made from this one: permanent, or gone with the program that opened them."),
    Attribute::text("DESCR", MQCA_Q_DESC, MQ_Q_DESC_LENGTH).on(ALL)
        .means("A description, for people."),
    Attribute::choice("DISTL", MQIA_DIST_LISTS, NO_YES, MQDL_NOT_SUPPORTED).on(HOLDING).kept_only()
        .means("Support for distribution lists by the queue manager at the other end."),
    Attribute::choice("FULLACT", FULL_ACTION, FULL_ACTIONS, FULL_ACTION_REASON).pcf_only().on(HOLDING)
        .means("Fate of a put that finds the queue full: refused at once, or held for a time. Of ours."),
    Attribute::choice("GET", MQIA_INHIBIT_GET, INHIBIT_GET, MQQA_GET_ALLOWED).on(GETTABLE)
        .means("Permission to get messages."),
    Attribute::switch("HARDENBO", "NOHARDENBO", MQIA_HARDEN_GET_BACKOUT, MQQA_BACKOUT_HARDENED).on(HOLDING)
        .means("Durability of backout counts over a restart; they always survive one."),
    Attribute::choice("IMGRCOVQ", MQIA_MEDIA_IMAGE_RECOVER_Q, &[word("QMGR", MQIMGRCOV_AS_Q_MGR), word("YES", MQIMGRCOV_YES), word("NO", MQIMGRCOV_NO)], MQIMGRCOV_AS_Q_MGR).on(HOLDING)
        .means("Recovery of damaged messages from a media image by RECOVER QLOCAL."),
    Attribute::name("INITQ", MQCA_INITIATION_Q_NAME, NAME).on(HOLDING)
        .means("Initiation queue for trigger messages of this queue."),
    Attribute::integer("IPPROCS", MQIA_OPEN_INPUT_COUNT, (0, i32::MAX), 0).on(LOCAL).live()
        .means("Handles that have the queue open for input."),
    Attribute::integer("MAXDEPTH", MQIA_MAX_Q_DEPTH, (0, COUNT_MAX), 5_000).on(HOLDING)
        .means("Most messages on the queue."),
    Attribute::integer("MAXFSIZE", MQIA_MAX_Q_FILE_SIZE, (20, 267_386_880), -1).or(&[word("DEFAULT", -1)]).on(HOLDING)
        .means("Most megabytes of messages on the queue, each with 512 bytes beside its body; DEFAULT is 2088960."),
    Attribute::integer("MAXMSGL", MQIA_MAX_MSG_LENGTH, (0, MESSAGE_BYTES_MAX), MESSAGE_BYTES_DEFAULT).on(HOLDING)
        .means("The longest message the queue takes, in bytes."),
    Attribute::choice("MONQ", MQIA_MONITORING_Q, MONITORING, MQMON_Q_MGR).on(HOLDING)
        .means("Collection of monitoring data for the queue, and its level."),
    Attribute::choice("MSGDLVSQ", MQIA_MSG_DELIVERY_SEQUENCE, &[word("PRIORITY", MQMDS_PRIORITY), word("FIFO", MQMDS_FIFO)], MQMDS_PRIORITY).on(HOLDING)
        .means("Order in which messages leave: by priority and then arrival, or by arrival alone."),
    Attribute::choice("NPMCLASS", MQIA_NPM_CLASS, &[word("NORMAL", MQNPM_CLASS_NORMAL), word("HIGH", MQNPM_CLASS_HIGH)], MQNPM_CLASS_NORMAL).on(HOLDING)
        .means("Fate of non-persistent messages at an orderly end of the queue manager: gone with NORMAL, kept with HIGH."),
    Attribute::integer("OPPROCS", MQIA_OPEN_OUTPUT_COUNT, (0, i32::MAX), 0).on(LOCAL).live()
        .means("Handles that have the queue open for output."),
    Attribute::choice("OTELPCTL", MQIA_OTEL_PROPAGATION_CONTROL, &[word("QMGR", MQOTEL_PCTL_QMGR), word("MANUAL", MQOTEL_PCTL_MANUAL), word("AUTO", MQOTEL_PCTL_AUTO)], MQOTEL_PCTL_QMGR).on(ALL).kept_only()
        .means("Party that passes on trace context in messages."),
    Attribute::choice("OTELTRAC", MQIA_OTEL_TRACE, &[word("QMGR", MQOTEL_TRACE_QMGR), word("OFF", MQOTEL_TRACE_OFF), word("ON", MQOTEL_TRACE_ON)], MQOTEL_TRACE_QMGR).on(ALL).kept_only()
        .means("Tracing of messages of this queue."),
    Attribute::name("PROCESS", MQCA_PROCESS_NAME, NAME).on(HOLDING)
        .means("The process definition that a trigger message names."),
    Attribute::choice("PROPCTL", MQIA_PROPERTY_CONTROL, &[word("COMPAT", MQPROP_COMPATIBILITY), word("NONE", MQPROP_NONE), word("ALL", MQPROP_ALL), word("FORCE", MQPROP_FORCE_MQRFH2), word("V6COMPAT", MQPROP_V6COMPAT)], MQPROP_COMPATIBILITY).on(GETTABLE)
        .means("Form of message properties for a program that gets without a message handle."),
    Attribute::choice("PUT", MQIA_INHIBIT_PUT, INHIBIT_PUT, MQQA_PUT_ALLOWED).on(ALL)
        .means("Permission to put messages."),
    Attribute::integer("QDEPTHHI", MQIA_Q_DEPTH_HIGH_LIMIT, (0, 100), 80).on(HOLDING)
        .means("The share of MAXDEPTH, in percent, at which a depth high event is due."),
    Attribute::integer("QDEPTHLO", MQIA_Q_DEPTH_LOW_LIMIT, (0, 100), 20).on(HOLDING)
        .means("The share of MAXDEPTH, in percent, at which a depth low event is due."),
    Attribute::choice("QDPHIEV", MQIA_Q_DEPTH_HIGH_EVENT, DISABLED_ENABLED, MQEVR_DISABLED).on(HOLDING)
        .means("Depth high events."),
    Attribute::choice("QDPLOEV", MQIA_Q_DEPTH_LOW_EVENT, DISABLED_ENABLED, MQEVR_DISABLED).on(HOLDING)
        .means("Depth low events."),
    Attribute::choice("QDPMAXEV", MQIA_Q_DEPTH_MAX_EVENT, DISABLED_ENABLED, MQEVR_ENABLED).on(HOLDING)
        .means("Queue full events."),
    Attribute::choice("QSVCIEV", MQIA_Q_SERVICE_INTERVAL_EVENT, &[word("NONE", MQQSIE_NONE), word("HIGH", MQQSIE_HIGH), word("OK", MQQSIE_OK)], MQQSIE_NONE).on(HOLDING)
        .means("Service interval events: HIGH, OK or none."),
    Attribute::integer("QSVCINT", MQIA_Q_SERVICE_INTERVAL, (0, COUNT_MAX), COUNT_MAX).on(HOLDING)
        .means("The service interval, in milliseconds, that those events compare with."),
    Attribute::integer("QUOTA", QUEUE_QUOTA, (1, COUNT_MAX), -1).or(&[word("NOLIMIT", -1)]).pcf_only().on(HOLDING)
        .means("Most kilobytes of messages on the queue, as MAXFSIZE counts them. The smaller holds. Of ours."),
    Attribute::integer("RETINTVL", MQIA_RETENTION_INTERVAL, (0, COUNT_MAX), COUNT_MAX).on(HOLDING).kept_only()
        .means("For how many hours after its creation the queue is meant to be needed."),
    Attribute::name("RNAME", MQCA_REMOTE_Q_NAME, NAME).on(REMOTE)
        .means("The queue's name on the other queue manager; blank for a name of a queue manager."),
    Attribute::name("RQMNAME", MQCA_REMOTE_Q_MGR_NAME, NAME).on(REMOTE)
        .means("The other queue manager."),
    Attribute::choice("SCOPE", MQIA_SCOPE, &[word("QMGR", MQSCO_Q_MGR), word("CELL", MQSCO_CELL)], MQSCO_Q_MGR).on(CLUSTERED).kept_only()
        .means("Reach of the queue's definition."),
    Attribute::switch("SHARE", "NOSHARE", MQIA_SHAREABILITY, MQQA_SHAREABLE).on(LOCAL)
        .means("Permission for several handles to have the queue open for input."),
    Attribute::switch("SHARE", "NOSHARE", MQIA_SHAREABILITY, MQQA_NOT_SHAREABLE).on(MODEL)
        .means("Permission for several handles to have the queue open for input."),
    Attribute::choice("STATQ", MQIA_STATISTICS_Q, QMGR_OFF_ON, MQMON_Q_MGR).on(HOLDING)
        .means("Collection of statistics for the queue."),
    Attribute::name("STREAMQ", MQCA_STREAM_QUEUE_NAME, NAME).on(HOLDING)
        .means("The queue that gets a copy of every message put here."),
    Attribute::choice("STRMQOS", MQIA_STREAM_QUEUE_QOS, &[word("BESTEF", MQST_BEST_EFFORT), word("MUSTDUP", MQST_MUST_DUP)], MQST_BEST_EFFORT).on(HOLDING)
        .means("Failure of a put when its copy cannot be put."),
    Attribute::choice("SYNCREQ", SYNCPOINT_REQUIRED, NO_YES, 0).pcf_only().on(HOLDING)
        .means("Refusal (2232) of puts and gets of programs that are in no unit of work. Of ours."),
    Attribute::name("TARGET", MQCA_BASE_OBJECT_NAME, NAME).also(&["TARGQ"]).on(ALIAS)
        .means("The object the alias stands for."),
    Attribute::choice("TARGTYPE", MQIA_BASE_TYPE, &[word("QUEUE", MQOT_Q), word("TOPIC", MQOT_TOPIC)], MQOT_Q).on(ALIAS)
        .means("The type of object the alias stands for."),
    Attribute::text("TRIGDATA", MQCA_TRIGGER_DATA, MQ_TRIGGER_DATA_LENGTH).on(HOLDING)
        .means("Free text that goes into trigger messages."),
    Attribute::integer("TRIGDPTH", MQIA_TRIGGER_DEPTH, (1, COUNT_MAX), 1).on(HOLDING)
        .means("The depth at which a trigger of type DEPTH fires."),
    Attribute::switch("TRIGGER", "NOTRIGGER", MQIA_TRIGGER_CONTROL, MQTC_OFF).on(HOLDING)
        .means("Making of trigger messages."),
    Attribute::integer("TRIGMPRI", MQIA_TRIGGER_MSG_PRIORITY, (0, 9), 0).on(HOLDING)
        .means("The lowest priority of messages that count for triggering."),
    Attribute::choice("TRIGTYPE", MQIA_TRIGGER_TYPE, &[word("NONE", MQTT_NONE), word("FIRST", MQTT_FIRST), word("EVERY", MQTT_EVERY), word("DEPTH", MQTT_DEPTH)], MQTT_FIRST).on(HOLDING)
        .means("Occasion for a trigger message: the first message, each one, or a depth."),
    Attribute::choice("USAGE", MQIA_USAGE, &[word("NORMAL", MQUS_NORMAL), word("XMITQ", MQUS_TRANSMISSION)], MQUS_NORMAL).on(HOLDING)
        .means("Users of the queue: programs with NORMAL, message channels with XMITQ."),
    Attribute::name("XMITQ", MQCA_XMIT_Q_NAME, NAME).on(REMOTE)
        .means("The transmission queue; blank for the one named like the other queue manager."),
];
