//! The attributes of topic objects and of multicast.

use mqi::constants::*;
use mqi::ours::*;

use super::amqp_name::AMQP_NAME_BYTES_MAX;
use super::row::{Attribute, Derived, Word, word};
use super::words::{COUNT_MAX, NAME};
use crate::object_type::ObjectType::{self, CommunicationInformation, Topic};

const TOPIC: &[ObjectType] = &[Topic];
const COMMUNICATION: &[ObjectType] = &[CommunicationInformation];

const DELIVERY: &[Word] = &[
    word("ASPARENT", MQDLV_AS_PARENT),
    word("ALL", MQDLV_ALL),
    word("ALLDUR", MQDLV_ALL_DUR),
    word("ALLAVAIL", MQDLV_ALL_AVAIL),
];
const SCOPE: &[Word] =
    &[word("ASPARENT", MQSCOPE_AS_PARENT), word("QMGR", MQSCOPE_QMGR), word("ALL", MQSCOPE_ALL)];
const MULTICAST: &[Word] = &[
    word("ASPARENT", MQMC_AS_PARENT),
    word("ENABLED", MQMC_ENABLED),
    word("DISABLED", MQMC_DISABLED),
    word("ONLY", MQMC_ONLY),
];
const DURABLE: &[Word] = &[
    word("ASPARENT", MQSUB_DURABLE_AS_PARENT),
    word("YES", MQSUB_DURABLE_ALLOWED),
    word("NO", MQSUB_DURABLE_INHIBITED),
];
const PERSISTENCE: &[Word] = &[
    word("ASPARENT", MQPER_PERSISTENCE_AS_PARENT),
    word("NO", MQPER_NOT_PERSISTENT),
    word("YES", MQPER_PERSISTENT),
];
const RESPONSE: &[Word] = &[
    word("ASPARENT", MQPRT_RESPONSE_AS_PARENT),
    word("SYNC", MQPRT_SYNC_RESPONSE),
    word("ASYNC", MQPRT_ASYNC_RESPONSE),
];
const DEAD_LETTERS: &[Word] =
    &[word("ASPARENT", MQUSEDLQ_AS_PARENT), word("NO", MQUSEDLQ_NO), word("YES", MQUSEDLQ_YES)];
const PUBLISHING: &[Word] = &[
    word("ASPARENT", MQTA_PUB_AS_PARENT),
    word("ENABLED", MQTA_PUB_ALLOWED),
    word("DISABLED", MQTA_PUB_INHIBITED),
];
const SUBSCRIBING: &[Word] = &[
    word("ASPARENT", MQTA_SUB_AS_PARENT),
    word("ENABLED", MQTA_SUB_ALLOWED),
    word("DISABLED", MQTA_SUB_INHIBITED),
];
const MULTICAST_PROPERTIES: &[Word] = &[
    word("ALL", MQMCP_ALL),
    word("REPLY", MQMCP_REPLY),
    word("USER", MQMCP_USER),
    word("NONE", MQMCP_NONE),
    word("COMPAT", MQMCP_COMPAT),
];
const ENCODINGS: &[Word] = &[
    word("ASPUB", MQENC_AS_PUBLISHED),
    word("NORMAL", MQENC_NORMAL),
    word("REVERSED", MQENC_REVERSED),
    word("S390", MQENC_S390),
    word("TNS", MQENC_TNS),
];
const COMMUNICATION_EVENTS: &[Word] =
    &[word("DISABLED", MQEVR_DISABLED), word("ENABLED", MQEVR_ENABLED), word("EXCEPTION", MQEVR_EXCEPTION)];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::name("TOPIC", MQCA_TOPIC_NAME, NAME).on(TOPIC).derived(Derived::Name)
        .means("The topic object's name."),
    Attribute::choice("TYPE", MQIA_TOPIC_TYPE, &[word("LOCAL", MQTOPT_LOCAL)], MQTOPT_LOCAL).on(TOPIC)
        .means("Origin of the object: a definition here, or a cluster."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(TOPIC).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(TOPIC).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::text("AMQPNAME", AMQP_NAME, AMQP_NAME_BYTES_MAX).pcf_only().on(TOPIC)
        .means("A name of the topic for AMQP clients that do not say its kind; no queue can have it. Of ours."),
    Attribute::integer("CAPEXPRY", MQIA_CAP_EXPIRY, (1, COUNT_MAX), -2).or(&[word("ASPARENT", -2), word("NOLIMIT", -1)]).on(TOPIC)
        .means("The longest expiry, in tenths of a second, that a publication here may have."),
    Attribute::choice("CLROUTE", MQIA_CLUSTER_PUB_ROUTE, &[word("DIRECT", MQCLROUTE_DIRECT), word("TOPICHOST", MQCLROUTE_TOPIC_HOST)], MQCLROUTE_DIRECT).on(TOPIC).kept_only()
        .means("Way of publications in a cluster: from each to each, or by the topic's hosts."),
    Attribute::name("CLUSTER", MQCA_CLUSTER_NAME, NAME).on(TOPIC).kept_only()
        .means("The cluster the topic is known in."),
    Attribute::name("COMMINFO", MQCA_COMM_INFO_NAME, NAME).on(TOPIC).kept_only()
        .means("The communication information that says how publications are multicast."),
    Attribute::text("CUSTOM", MQCA_CUSTOM, MQ_CUSTOM_LENGTH).on(TOPIC)
        .means("Attributes as KEYWORD(value): CAPEXPRY acts here, too, unless it is given by itself."),
    Attribute::choice("DEFPRESP", MQIA_DEF_PUT_RESPONSE_TYPE, RESPONSE, MQPRT_RESPONSE_AS_PARENT).on(TOPIC)
        .means("Answer to a publish that leaves it open: SYNC waits for it, ASYNC does not."),
    Attribute::integer("DEFPRTY", MQIA_DEF_PRIORITY, (0, 9), MQPRI_PRIORITY_AS_PARENT).or(&[word("ASPARENT", MQPRI_PRIORITY_AS_PARENT)]).on(TOPIC)
        .means("The priority of a publication that asks for the topic's."),
    Attribute::choice("DEFPSIST", MQIA_TOPIC_DEF_PERSISTENCE, PERSISTENCE, MQPER_PERSISTENCE_AS_PARENT).on(TOPIC)
        .means("The persistence of a publication that asks for the topic's."),
    Attribute::text("DESCR", MQCA_TOPIC_DESC, MQ_TOPIC_DESC_LENGTH).on(TOPIC)
        .means("A description, for people."),
    Attribute::choice("DURSUB", MQIA_DURABLE_SUB, DURABLE, MQSUB_DURABLE_AS_PARENT).on(TOPIC)
        .means("Permission for programs to make durable subscriptions."),
    Attribute::choice("MCAST", MQIA_MULTICAST, MULTICAST, MQMC_AS_PARENT).on(TOPIC).kept_only()
        .means("Multicast of publications."),
    Attribute::name("MDURMDL", MQCA_MODEL_DURABLE_Q, NAME).on(TOPIC)
        .means("The model for queues of durable subscriptions that the queue manager looks after."),
    Attribute::name("MNDURMDL", MQCA_MODEL_NON_DURABLE_Q, NAME).on(TOPIC)
        .means("The model for queues of other subscriptions that the queue manager looks after."),
    Attribute::choice("NPMSGDLV", MQIA_NPM_DELIVERY, DELIVERY, MQDLV_AS_PARENT).also(&["NPMGDLV"]).on(TOPIC)
        .means("Subscribers that must get a non-persistent publication for the publish to succeed."),
    Attribute::choice("OTELPCTL", MQIA_OTEL_PROPAGATION_CONTROL, &[word("ASPARENT", MQOTEL_PCTL_AS_PARENT), word("QMGR", MQOTEL_PCTL_QMGR), word("MANUAL", MQOTEL_PCTL_MANUAL), word("AUTO", MQOTEL_PCTL_AUTO)], MQOTEL_PCTL_AS_PARENT).on(TOPIC).kept_only()
        .means("Party that passes on trace context in publications."),
    Attribute::choice("OTELTRAC", MQIA_OTEL_TRACE, &[word("ASPARENT", MQOTEL_TRACE_AS_PARENT), word("QMGR", MQOTEL_TRACE_QMGR), word("OFF", MQOTEL_TRACE_OFF), word("ON", MQOTEL_TRACE_ON)], MQOTEL_TRACE_AS_PARENT).on(TOPIC).kept_only()
        .means("Tracing of publications here."),
    Attribute::choice("PMSGDLV", MQIA_PM_DELIVERY, DELIVERY, MQDLV_AS_PARENT).on(TOPIC)
        .means("Subscribers that must get a persistent publication for the publish to succeed."),
    Attribute::choice("PROXYSUB", MQIA_PROXY_SUB, &[word("FORCE", MQTA_PROXY_SUB_FORCE), word("FIRSTUSE", MQTA_PROXY_SUB_FIRSTUSE)], MQTA_PROXY_SUB_FIRSTUSE).on(TOPIC).kept_only()
        .means("Occasion to tell other queue managers of interest: at the first subscription, or always."),
    Attribute::choice("PUB", MQIA_INHIBIT_PUB, PUBLISHING, MQTA_PUB_AS_PARENT).on(TOPIC)
        .means("Permission to publish messages."),
    Attribute::choice("PUBSCOPE", MQIA_PUB_SCOPE, SCOPE, MQSCOPE_AS_PARENT).on(TOPIC).kept_only()
        .means("Reach of publications: this queue manager alone, or others, too."),
    Attribute::choice("SUB", MQIA_INHIBIT_SUB, SUBSCRIBING, MQTA_SUB_AS_PARENT).on(TOPIC)
        .means("Permission to subscribe."),
    Attribute::choice("SUBSCOPE", MQIA_SUB_SCOPE, SCOPE, MQSCOPE_AS_PARENT).on(TOPIC).kept_only()
        .means("Reach of subscriptions: this queue manager alone, or others, too."),
    Attribute::text("TOPICSTR", MQCA_TOPIC_STRING, MQ_TOPIC_STR_LENGTH).on(TOPIC).definable()
        .means("The place in the topic tree whose attributes these are."),
    Attribute::choice("USEDLQ", MQIA_USE_DEAD_LETTER_Q, DEAD_LETTERS, MQUSEDLQ_AS_PARENT).also(&["USEDQLQ"]).on(TOPIC)
        .means("Use of the dead-letter queue for publications that cannot be delivered."),
    Attribute::choice("WILDCARD", MQIA_WILDCARD_OPERATION, &[word("BLOCK", MQTA_BLOCK), word("PASSTHRU", MQTA_PASSTHRU)], MQTA_PASSTHRU).on(TOPIC)
        .means("Reach of wildcards from above: BLOCK ends it at this place."),
];

#[rustfmt::skip]
pub(super) static COMMUNICATION_ROWS: &[Attribute] = &[
    Attribute::name("COMMINFO", MQCA_COMM_INFO_NAME, MQ_COMM_INFO_NAME_LENGTH).on(COMMUNICATION).derived(Derived::Name)
        .means("The name of the communication information."),
    Attribute::choice("TYPE", MQIA_COMM_INFO_TYPE, &[word("MULTICAST", MQCIT_MULTICAST)], MQCIT_MULTICAST).on(COMMUNICATION)
        .means("The kind of communication."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(COMMUNICATION).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(COMMUNICATION).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::choice("BRIDGE", MQIA_MCAST_BRIDGE, &[word("DISABLED", MQMCB_DISABLED), word("ENABLED", MQMCB_ENABLED)], MQMCB_ENABLED).on(COMMUNICATION).kept_only()
        .means("Multicast of publications of programs that do not multicast."),
    Attribute::integer("CCSID", MQIA_CODED_CHAR_SET_ID, (1, 65_535), MQCCSI_AS_PUBLISHED).or(&[word("ASPUB", MQCCSI_AS_PUBLISHED)]).on(COMMUNICATION).kept_only()
        .means("The coded character set in which messages are sent."),
    Attribute::choice("COMMEV", MQIA_COMM_EVENT, COMMUNICATION_EVENTS, MQEVR_DISABLED).on(COMMUNICATION).kept_only()
        .means("Multicast events: all, those of exceptions alone, or none."),
    Attribute::text("DESCR", MQCA_COMM_INFO_DESC, MQ_COMM_INFO_DESC_LENGTH).on(COMMUNICATION)
        .means("A description, for people."),
    Attribute::integer("ENCODING", MQIACF_ENCODING, (0, 4_095), MQENC_AS_PUBLISHED).or(ENCODINGS).also(&["ENC"]).pcf_only().on(COMMUNICATION).kept_only()
        .means("The encoding of numbers in which messages are sent."),
    Attribute::text("GRPADDR", MQCACH_GROUP_ADDRESS, MQ_GROUP_ADDRESS_LENGTH).pcf_only().default_text("239.0.0.0").on(COMMUNICATION).kept_only()
        .means("The group address."),
    Attribute::integer("MCHBINT", MQIACH_MC_HB_INTERVAL, (0, 999_999), 2_000).pcf_only().on(COMMUNICATION).kept_only()
        .means("Milliseconds after which a silent source tells that it is there."),
    Attribute::choice("MCPROP", MQIACH_MULTICAST_PROPERTIES, MULTICAST_PROPERTIES, MQMCP_ALL).pcf_only().on(COMMUNICATION).kept_only()
        .means("Message properties and fields that travel with a message."),
    Attribute::integer("MONINT", MQIA_MONITOR_INTERVAL, (0, 999_999), 60).on(COMMUNICATION).kept_only()
        .means("Seconds between reports of how multicast goes; 0 for none."),
    Attribute::integer("MSGHIST", MQIACH_MSG_HISTORY, (0, COUNT_MAX), 100).pcf_only().on(COMMUNICATION).kept_only()
        .means("Kilobytes of messages kept to be sent again."),
    Attribute::choice("NSUBHIST", MQIACH_NEW_SUBSCRIBER_HISTORY, &[word("NONE", MQNSH_NONE), word("ALL", MQNSH_ALL)], MQNSH_NONE).pcf_only().on(COMMUNICATION).kept_only()
        .means("History that a new subscriber gets: none, or all that is kept."),
    Attribute::integer("PORT", MQIACH_PORT, (0, 65_535), 1_414).pcf_only().on(COMMUNICATION).kept_only()
        .means("The port."),
];
