//! The attributes of the queue manager.

use mqi::constants::*;
use mqi::ours::*;

use super::row::{Access, Attribute, Derived, Word, word};
use super::words::{
    COUNT_MAX, DISABLED_ENABLED as EVENTS, MESSAGE_BYTES_MAX, MONITORING as AUTO_LEVELS, NAME, NO_YES,
};
use crate::object_type::ObjectType::{self, QueueManager};

const QMGR: &[ObjectType] = &[QueueManager];
const SECONDS_MAX: i32 = 604_800;

const OFF_ON: &[Word] = &[word("OFF", MQMON_OFF), word("ON", MQMON_ON)];
const NONE_OFF_ON: &[Word] = &[word("NONE", MQMON_NONE), word("OFF", MQMON_OFF), word("ON", MQMON_ON)];
const LEVELS: &[Word] = &[
    word("NONE", MQMON_NONE),
    word("OFF", MQMON_OFF),
    word("LOW", MQMON_LOW),
    word("MEDIUM", MQMON_MEDIUM),
    word("HIGH", MQMON_HIGH),
];
const RECORDING: &[Word] =
    &[word("DISABLED", MQRECORDING_DISABLED), word("QUEUE", MQRECORDING_Q), word("MSG", MQRECORDING_MSG)];
const START: &[Word] = &[word("QMGR", MQSVC_CONTROL_Q_MGR), word("MANUAL", MQSVC_CONTROL_MANUAL)];
const SUPPORT: &[Word] = &[word("DISABLED", MQCAP_NOT_SUPPORTED), word("ENABLED", MQCAP_SUPPORTED)];
const CAPABILITY: &[Word] = &[word("NO", MQCAP_NOT_SUPPORTED), word("YES", MQCAP_SUPPORTED)];
const UNDELIVERED: &[Word] = &[
    word("NORMAL", MQUNDELIVERED_NORMAL),
    word("SAFE", MQUNDELIVERED_SAFE),
    word("DISCARD", MQUNDELIVERED_DISCARD),
    word("KEEP", MQUNDELIVERED_KEEP),
];

/// The command level we answer with: that of the public interface whose attributes these tables hold.
const COMMAND_LEVEL: i32 = MQCMDL_LEVEL_945;

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::name("QMNAME", MQCA_Q_MGR_NAME, NAME).on(QMGR).derived(Derived::Name)
        .means("The queue manager's name."),
    Attribute::choice("ACCTCONO", MQIA_ACCOUNTING_CONN_OVERRIDE, EVENTS, MQMON_DISABLED).on(QMGR)
        .means("Permission for programs to override the accounting settings."),
    Attribute::integer("ACCTINT", MQIA_ACCOUNTING_INTERVAL, (0, SECONDS_MAX), 1800).on(QMGR)
        .means("Seconds between accounting records of a long connection."),
    Attribute::choice("ACCTMQI", MQIA_ACCOUNTING_MQI, OFF_ON, MQMON_OFF).on(QMGR)
        .means("Collection of accounting data about MQI calls."),
    Attribute::choice("ACCTQ", MQIA_ACCOUNTING_Q, NONE_OFF_ON, MQMON_OFF).on(QMGR)
        .means("Collection of accounting data for queues with ACCTQ(QMGR)."),
    Attribute::choice("ACTIVREC", MQIA_ACTIVITY_RECORDING, RECORDING, MQRECORDING_MSG).on(QMGR)
        .means("Destination of activity reports of messages that ask for them."),
    Attribute::choice("ACTVCONO", MQIA_ACTIVITY_CONN_OVERRIDE, EVENTS, MQMON_DISABLED).on(QMGR).kept_only()
        .means("Permission for programs to override the activity trace setting."),
    Attribute::choice("ACTVTRC", MQIA_ACTIVITY_TRACE, OFF_ON, MQMON_OFF).on(QMGR).kept_only()
        .means("Collection of an activity trace of programs."),
    Attribute::choice("ADVCAP", MQIA_ADVANCED_CAPABILITY, SUPPORT, MQCAP_NOT_SUPPORTED).on(QMGR).derived(Derived::Constant)
        .means("Extended capabilities of a licence; there is no such licence."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(QMGR).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(QMGR).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::choice("AMQPCAP", MQIA_AMQP_CAPABILITY, CAPABILITY, MQCAP_NOT_SUPPORTED).on(QMGR).derived(Derived::Constant)
        .means("Support for AMQP channels."),
    Attribute::choice("AUTHOREV", MQIA_AUTHORITY_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about refusals for lack of authority."),
    Attribute::integer("CCSID", MQIA_CODED_CHAR_SET_ID, (1, 65_535), 1208).on(QMGR)
        .means("The coded character set of the queue manager's own text."),
    Attribute::text("CERTLABL", MQCA_CERT_LABEL, MQ_CERT_LABEL_LENGTH).on(QMGR)
        .means("The label of the queue manager's certificate."),
    Attribute::choice("CERTVPOL", MQIA_CERT_VAL_POLICY, &[word("ANY", 0), word("RFC5280", 1)], 0).on(QMGR).kept_only()
        .means("By which rules certificates of partners are checked."),
    Attribute::choice("CHAD", MQIA_CHANNEL_AUTO_DEF, &[word("DISABLED", MQCHAD_DISABLED), word("ENABLED", MQCHAD_ENABLED)], MQCHAD_DISABLED).on(QMGR)
        .means("Automatic definition of receiving channels when a partner asks for them."),
    Attribute::choice("CHADEV", MQIA_CHANNEL_AUTO_DEF_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about such definitions."),
    Attribute::text("CHADEXIT", MQCA_CHANNEL_AUTO_DEF_EXIT, MQ_EXIT_NAME_LENGTH).on(QMGR).kept_only()
        .means("The exit that sees such definitions."),
    Attribute::choice("CHLAUTH", MQIA_CHLAUTH_RECORDS, &[word("DISABLED", MQCHLA_DISABLED), word("ENABLED", MQCHLA_ENABLED)], MQCHLA_ENABLED).on(QMGR)
        .means("Use of channel authentication rules."),
    Attribute::choice("CHLEV", MQIA_CHANNEL_EVENT, &[word("DISABLED", MQEVR_DISABLED), word("ENABLED", MQEVR_ENABLED), word("EXCEPTION", MQEVR_EXCEPTION)], MQEVR_DISABLED).on(QMGR)
        .means("Channel events: all, those of exceptions alone, or none."),
    Attribute::text("CLWLDATA", MQCA_CLUSTER_WORKLOAD_DATA, MQ_EXIT_DATA_LENGTH).on(QMGR).kept_only()
        .means("Text handed to the cluster workload exit."),
    Attribute::text("CLWLEXIT", MQCA_CLUSTER_WORKLOAD_EXIT, MQ_EXIT_NAME_LENGTH).on(QMGR).kept_only()
        .means("The exit that chooses where a cluster message goes."),
    Attribute::integer("CLWLLEN", MQIA_CLUSTER_WORKLOAD_LENGTH, (0, COUNT_MAX), 100).on(QMGR).kept_only()
        .means("Most bytes of a message that the exit sees."),
    Attribute::integer("CLWLMRUC", MQIA_CLWL_MRU_CHANNELS, (1, COUNT_MAX), COUNT_MAX).on(QMGR).kept_only()
        .means("Most cluster channels in use at once."),
    Attribute::choice("CLWLUSEQ", MQIA_CLWL_USEQ, &[word("LOCAL", MQCLWL_USEQ_LOCAL), word("ANY", MQCLWL_USEQ_ANY)], MQCLWL_USEQ_LOCAL).on(QMGR).kept_only()
        .means("Choice of a cluster where there is a local instance: any instance, or the local one alone."),
    Attribute::choice("CMDEV", MQIA_COMMAND_EVENT, &[word("DISABLED", MQEVR_DISABLED), word("ENABLED", MQEVR_ENABLED), word("NODISPLAY", MQEVR_NO_DISPLAY)], MQEVR_DISABLED).on(QMGR)
        .means("Commands that make events: all, all but DISPLAY, or none."),
    Attribute::integer("CMDLEVEL", MQIA_COMMAND_LEVEL, (0, i32::MAX), COMMAND_LEVEL).on(QMGR).derived(Derived::Constant)
        .means("The level of commands understood."),
    Attribute::name("COMMANDQ", MQCA_COMMAND_INPUT_Q_NAME, NAME).on(QMGR).default_text("SYSTEM.ADMIN.COMMAND.QUEUE").derived(Derived::Constant)
        .means("Queue for command messages."),
    Attribute::choice("CONFIGEV", MQIA_CONFIGURATION_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about changes of definitions."),
    Attribute::name("CONNAUTH", MQCA_CONN_AUTH, NAME).on(QMGR)
        .means("The authentication information object that checks user and password."),
    Attribute::integer("CPILEVEL", MQIA_CPI_LEVEL, (0, i32::MAX), 3).on(QMGR).derived(Derived::Constant)
        .means("The level of the program interface; kept for old programs."),
    Attribute::text("CRDATE", MQCA_CREATION_DATE, 12).on(QMGR).derived(Derived::CreationDate)
        .means("The day the queue manager was created, UTC."),
    Attribute::text("CRTIME", MQCA_CREATION_TIME, 8).on(QMGR).derived(Derived::CreationTime)
        .means("The time of day the queue manager was created, UTC."),
    Attribute::text("CUSTOM", MQCA_CUSTOM, MQ_CUSTOM_LENGTH).on(QMGR)
        .means("Attributes as KEYWORD(value); IMGINTVL and IMGLOGLN act here unless given by themselves."),
    Attribute::name("DEADQ", MQCA_DEAD_LETTER_Q_NAME, NAME).on(QMGR)
        .means("Queue for messages that cannot be delivered."),
    Attribute::choice("DEFCLXQ", MQIA_DEF_CLUSTER_XMIT_Q_TYPE, &[word("SCTQ", MQCLXQ_SCTQ), word("CHANNEL", MQCLXQ_CHANNEL)], MQCLXQ_SCTQ).on(QMGR).kept_only()
        .means("Sharing of a transmission queue by cluster channels."),
    Attribute::name("DEFXMITQ", MQCA_DEF_XMIT_Q_NAME, NAME).on(QMGR)
        .means("The transmission queue for queue managers without one of their own."),
    Attribute::text("DESCR", MQCA_Q_MGR_DESC, MQ_Q_MGR_DESC_LENGTH).on(QMGR)
        .means("A description, for people."),
    Attribute::choice("DISTL", MQIA_DIST_LISTS, NO_YES, MQDL_NOT_SUPPORTED).on(QMGR).derived(Derived::Constant)
        .means("Support for distribution lists."),
    Attribute::integer("IMGINTVL", MQIA_MEDIA_IMAGE_INTERVAL, (1, COUNT_MAX), 60).or(&[word("OFF", MQMEDIMGINTVL_OFF)]).on(QMGR)
        .means("After how many minutes a linear log has the next media image taken on its own."),
    Attribute::integer("IMGLOGLN", MQIA_MEDIA_IMAGE_LOG_LENGTH, (1, COUNT_MAX), MQMEDIMGLOGLN_OFF).or(&[word("OFF", MQMEDIMGLOGLN_OFF)]).on(QMGR)
        .means("After how many megabytes of log the next media image is taken on its own."),
    Attribute::choice("IMGRCOVO", MQIA_MEDIA_IMAGE_RECOVER_OBJ, NO_YES, MQIMGRCOV_YES).on(QMGR)
        .means("Recovery of objects other than queues from a media image."),
    Attribute::choice("IMGRCOVQ", MQIA_MEDIA_IMAGE_RECOVER_Q, NO_YES, MQIMGRCOV_YES).on(QMGR)
        .means("Recovery from a media image of queues with IMGRCOVQ(QMGR)."),
    Attribute::choice("IMGSCHED", MQIA_MEDIA_IMAGE_SCHEDULING, &[word("MANUAL", MQMEDIMGSCHED_MANUAL), word("AUTO", MQMEDIMGSCHED_AUTO)], MQMEDIMGSCHED_AUTO).on(QMGR)
        .means("Media images that the queue manager takes by itself, where its log is linear."),
    Attribute::choice("INHIBTEV", MQIA_INHIBIT_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about puts and gets on inhibited queues."),
    Attribute::secret("INITKEY", MQCA_INITIAL_KEY, MQ_INITIAL_KEY_LENGTH).on(QMGR).kept_only()
        .means("The key that protects stored passwords."),
    Attribute::choice("IPADDRV", MQIA_IP_ADDRESS_VERSION, &[word("IPV4", MQIPADDR_IPV4), word("IPV6", MQIPADDR_IPV6)], MQIPADDR_IPV4).on(QMGR).kept_only()
        .means("Version of IP that a channel tries where both would do."),
    Attribute::secret("KEYRPWD", MQCA_SSL_KEY_REPO_PASSWORD, MQ_SSL_KEY_REPO_PWD_LEN).on(QMGR).kept_only()
        .means("The password of the key repository."),
    Attribute::choice("LOCALEV", MQIA_LOCAL_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about errors of local objects."),
    Attribute::choice("LOGGEREV", MQIA_LOGGER_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR).kept_only()
        .means("Events about changes of log extent."),
    Attribute::integer("MARKINT", MQIA_MSG_MARK_BROWSE_INTERVAL, (0, COUNT_MAX), 5_000).or(&[word("NOLIMIT", -1)]).on(QMGR)
        .means("For how many milliseconds a browse mark that several handles share lasts."),
    Attribute::integer("MAXHANDS", MQIA_MAX_HANDLES, (1, COUNT_MAX), 256).on(QMGR)
        .means("Most handles that one connection may have open."),
    Attribute::integer("MAXMSGL", MQIA_MAX_MSG_LENGTH, (32_768, MESSAGE_BYTES_MAX), 4_194_304).on(QMGR)
        .means("The longest message any queue takes, in bytes."),
    Attribute::integer("MAXPROPL", MQIA_MAX_PROPERTIES_LENGTH, (0, MESSAGE_BYTES_MAX), -1).or(&[word("NOLIMIT", MQPROP_UNRESTRICTED_LENGTH)]).on(QMGR)
        .means("Most bytes of a message's properties."),
    Attribute::integer("MAXPRTY", MQIA_MAX_PRIORITY, (0, 9), 9).on(QMGR).derived(Derived::Constant)
        .means("The highest priority a message can have."),
    Attribute::integer("MAXUMSGS", MQIA_MAX_UNCOMMITTED_MSGS, (1, COUNT_MAX), 10_000).on(QMGR)
        .means("Most messages that one unit of work may put and get."),
    Attribute::choice("MONACLS", MQIA_MONITORING_AUTO_CLUSSDR, AUTO_LEVELS, MQMON_Q_MGR).on(QMGR).kept_only()
        .means("Collection of monitoring data for cluster channels that are defined automatically, and its level."),
    Attribute::choice("MONCHL", MQIA_MONITORING_CHANNEL, LEVELS, MQMON_OFF).on(QMGR).kept_only()
        .means("Collection of monitoring data for channels with MONCHL(QMGR), and its level."),
    Attribute::choice("MONQ", MQIA_MONITORING_Q, LEVELS, MQMON_OFF).on(QMGR)
        .means("Collection of monitoring data for queues with MONQ(QMGR), and its level."),
    Attribute::choice("OTELPCTL", MQIA_OTEL_PROPAGATION_CONTROL, &[word("MANUAL", MQOTEL_PCTL_MANUAL), word("AUTO", MQOTEL_PCTL_AUTO)], MQOTEL_PCTL_MANUAL).on(QMGR).kept_only()
        .means("Party that passes on trace context in messages."),
    Attribute::choice("OTELTRAC", MQIA_OTEL_TRACE, &[word("OFF", MQOTEL_TRACE_OFF), word("ON", MQOTEL_TRACE_ON), word("NONE", MQOTEL_TRACE_NONE)], MQOTEL_TRACE_OFF).on(QMGR).kept_only()
        .means("Tracing of messages of queues with OTELTRAC(QMGR)."),
    Attribute::name("PARENT", MQCA_PARENT, NAME).on(QMGR).kept_only()
        .means("The queue manager above this one in a publish/subscribe hierarchy."),
    Attribute::choice("PERFMEV", MQIA_PERFORMANCE_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about queue depth and service intervals."),
    Attribute::choice("PLATFORM", MQIA_PLATFORM, &[word("UNIX", MQPL_UNIX)], MQPL_UNIX).on(QMGR).derived(Derived::Constant)
        .means("The kind of system the queue manager runs on."),
    Attribute::choice("PSCLUS", MQIA_PUBSUB_CLUSTER, &[word("DISABLED", MQPSCLUS_DISABLED), word("ENABLED", MQPSCLUS_ENABLED)], MQPSCLUS_ENABLED).on(QMGR).kept_only()
        .means("Part of the queue manager in publish/subscribe clusters."),
    Attribute::choice("PSMODE", MQIA_PUBSUB_MODE, &[word("DISABLED", MQPSM_DISABLED), word("COMPAT", MQPSM_COMPAT), word("ENABLED", MQPSM_ENABLED)], MQPSM_ENABLED).on(QMGR)
        .means("Publish/subscribe: programs may use it unless this is DISABLED."),
    Attribute::choice("PSNPMSG", MQIA_PUBSUB_NP_MSG, UNDELIVERED, MQUNDELIVERED_DISCARD).on(QMGR).kept_only()
        .means("Fate of a non-persistent queued publish/subscribe command that cannot be run."),
    Attribute::choice("PSNPRES", MQIA_PUBSUB_NP_RESP, UNDELIVERED, MQUNDELIVERED_NORMAL).on(QMGR).kept_only()
        .means("Fate of a response to such a command that cannot be delivered."),
    Attribute::integer("PSRTYCNT", MQIA_PUBSUB_MAXMSG_RETRY_COUNT, (0, COUNT_MAX), 5).on(QMGR).kept_only()
        .means("Number of retries of a queued publish/subscribe command."),
    Attribute::choice("PSSYNCPT", MQIA_PUBSUB_SYNC_PT, &[word("YES", MQSYNCPOINT_YES), word("IFPER", MQSYNCPOINT_IFPER)], MQSYNCPOINT_IFPER).on(QMGR).kept_only()
        .means("Queued publish/subscribe commands that are run in a unit of work."),
    Attribute::text("QMID", MQCA_Q_MGR_IDENTIFIER, MQ_Q_MGR_IDENTIFIER_LENGTH).on(QMGR).access(Access::Stored)
        .means("A name for this queue manager that no other has."),
    Attribute::integer("QUOTA", MANAGER_QUOTA, (1, COUNT_MAX), -1).or(&[word("NOLIMIT", -1)]).pcf_only().on(QMGR)
        .means("Most megabytes of messages on all queues, as MAXFSIZE counts them. Of ours."),
    Attribute::choice("REMOTEEV", MQIA_REMOTE_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about errors of remote objects."),
    Attribute::name("REPOS", MQCA_REPOSITORY_NAME, NAME).on(QMGR).kept_only()
        .means("The cluster this queue manager is a repository of."),
    Attribute::name("REPOSNL", MQCA_REPOSITORY_NAMELIST, NAME).on(QMGR).kept_only()
        .means("The namelist of clusters this queue manager is a repository of."),
    Attribute::choice("REVDNS", MQIA_REVERSE_DNS_LOOKUP, &[word("DISABLED", MQRDNS_DISABLED), word("ENABLED", MQRDNS_ENABLED)], MQRDNS_ENABLED).on(QMGR).kept_only()
        .means("Lookup of partners' names from their addresses."),
    Attribute::choice("ROUTEREC", MQIA_TRACE_ROUTE_RECORDING, RECORDING, MQRECORDING_MSG).on(QMGR)
        .means("Destination of trace-route information."),
    Attribute::choice("SCHINIT", MQIA_CHINIT_CONTROL, START, MQSVC_CONTROL_Q_MGR).on(QMGR).kept_only()
        .means("Start of the channel initiator: by command, or with the queue manager."),
    Attribute::choice("SCMDSERV", MQIA_CMD_SERVER_CONTROL, START, MQSVC_CONTROL_Q_MGR).on(QMGR).kept_only()
        .means("Start of the command server: by command, or with the queue manager."),
    Attribute::choice("SPLCAP", MQIA_PROT_POLICY_CAPABILITY, SUPPORT, MQCAP_NOT_SUPPORTED).on(QMGR).derived(Derived::Constant)
        .means("Support for protection of messages by policy."),
    Attribute::name("SSLCRLNL", MQCA_SSL_CRL_NAMELIST, NAME).on(QMGR).kept_only()
        .means("The namelist of places to look for revoked certificates."),
    Attribute::text("SSLCRYP", MQCA_SSL_CRYPTO_HARDWARE, MQ_SSL_CRYPTO_HARDWARE_LENGTH).on(QMGR).kept_only()
        .means("Settings of cryptographic hardware."),
    Attribute::choice("SSLEV", MQIA_SSL_EVENT, EVENTS, MQEVR_DISABLED).on(QMGR)
        .means("Events about TLS failures of channels."),
    Attribute::choice("SSLFIPS", MQIA_SSL_FIPS_REQUIRED, NO_YES, MQSSL_FIPS_NO).on(QMGR).kept_only()
        .means("Restriction to certified cryptography."),
    Attribute::text("SSLKEYR", MQCA_SSL_KEY_REPOSITORY, MQ_SSL_KEY_REPOSITORY_LENGTH).on(QMGR).kept_only()
        .means("Key store with the queue manager's keys and certificates."),
    Attribute::integer("SSLRKEYC", MQIA_SSL_RESET_COUNT, (0, COUNT_MAX), 0).on(QMGR).kept_only()
        .means("After how many bytes a channel renews its secret key; 0 for never."),
    Attribute::choice("STATACLS", MQIA_STATISTICS_AUTO_CLUSSDR, AUTO_LEVELS, MQMON_Q_MGR).on(QMGR).kept_only()
        .means("Collection of statistics for cluster channels that are defined automatically, and its level."),
    Attribute::choice("STATCHL", MQIA_STATISTICS_CHANNEL, LEVELS, MQMON_OFF).on(QMGR)
        .means("Collection of statistics for channels with STATCHL(QMGR), and its level."),
    Attribute::integer("STATINT", MQIA_STATISTICS_INTERVAL, (0, SECONDS_MAX), 1800).on(QMGR)
        .means("Seconds between statistics records."),
    Attribute::choice("STATMQI", MQIA_STATISTICS_MQI, OFF_ON, MQMON_OFF).on(QMGR)
        .means("Collection of statistics of the queue manager."),
    Attribute::choice("STATQ", MQIA_STATISTICS_Q, NONE_OFF_ON, MQMON_OFF).on(QMGR)
        .means("Collection of statistics for queues with STATQ(QMGR)."),
    Attribute::choice("STRSTPEV", MQIA_START_STOP_EVENT, EVENTS, MQEVR_ENABLED).on(QMGR)
        .means("Events about start and stop."),
    Attribute::choice("SUITEB", MQIA_SUITE_B_STRENGTH, &[word("NONE", MQ_SUITE_B_NONE), word("128_BIT", MQ_SUITE_B_128_BIT), word("192_BIT", MQ_SUITE_B_192_BIT), word("128_BIT,192_BIT", MQ_SUITE_B_128_BIT | MQ_SUITE_B_192_BIT)], MQ_SUITE_B_NONE).on(QMGR).kept_only()
        .means("Restriction of cryptography to Suite B, and its strength in bits."),
    Attribute::choice("SYNCPT", MQIA_SYNCPOINT, &[word("NO", MQSP_NOT_AVAILABLE), word("YES", MQSP_AVAILABLE)], MQSP_AVAILABLE).on(QMGR).also(&["SYNCPOINT"]).derived(Derived::Constant)
        .means("Support for units of work."),
    Attribute::integer("TREELIFE", MQIA_TREE_LIFE_TIME, (0, 604_000), 1800).on(QMGR)
        .means("Seconds for which an unused place in the topic tree is shown; 0: as long as there is room."),
    Attribute::integer("TRIGINT", MQIA_TRIGGER_INTERVAL, (0, COUNT_MAX), COUNT_MAX).on(QMGR)
        .means("Milliseconds after which a trigger of type FIRST may fire again."),
    Attribute::text("VERSION", MQCA_VERSION, MQ_VERSION_LENGTH).on(QMGR).default_text(VERSION).derived(Derived::Constant)
        .means("The version of the queue manager: two digits each of version, release, modification and fix."),
    Attribute::choice("XRCAP", MQIA_XR_CAPABILITY, CAPABILITY, MQCAP_NOT_SUPPORTED).on(QMGR).derived(Derived::Constant)
        .means("Support for MQTT channels."),
    Attribute::integer("GUARD", GUARD, (0, 2), 0).pcf_only().on(QMGR).access(Access::Hidden)
        .means("1: the records of channels were made; 2: an earlier release saw users or keys as well."),
    Attribute::texts("REVOKERS", REVOKERS, REVOKER_LENGTH_MAX, REVOKERS_MAX).pcf_only().on(QMGR).access(Access::Hidden)
        .means("Issuers with a list of revoked certificates, each by the bytes of its name in figures."),
];

/// Our version, in the eight digits of this attribute.
const VERSION: &str = "00010000";

/// Most characters of an issuer there: two for each byte of a name.
const REVOKER_LENGTH_MAX: usize = 1_024;

/// Most issuers: each certificate authority of a store has one list, and a store trusts few.
pub const REVOKERS_MAX: usize = 64;
