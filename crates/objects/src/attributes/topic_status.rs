//! Displays of places in the topic tree, of their publishers and subscribers, and of publish/subscribe as a
//! whole.

use mqi::constants::*;

use super::row::{Attribute, Word, word};
use super::subscription::ZEROS_24;
use super::words::{COUNT_MAX, NAME};

const TYPE: &[Word] =
    &[word("TOPIC", MQIACF_TOPIC_STATUS), word("SUB", MQIACF_TOPIC_SUB), word("PUB", MQIACF_TOPIC_PUB)];
const NO_YES: &[Word] = &[word("NO", MQQSO_NO), word("YES", MQQSO_YES)];
const DELIVERY: &[Word] =
    &[word("ALL", MQDLV_ALL), word("ALLDUR", MQDLV_ALL_DUR), word("ALLAVAIL", MQDLV_ALL_AVAIL)];
const SCOPE: &[Word] = &[word("QMGR", MQSCOPE_QMGR), word("ALL", MQSCOPE_ALL)];
const DURABLE: &[Word] = &[word("YES", MQSUB_DURABLE_YES), word("NO", MQSUB_DURABLE_NO)];
const KINDS: &[Word] = &[
    word("USER", MQSUBTYPE_USER),
    word("ADMIN", MQSUBTYPE_ADMIN),
    word("API", MQSUBTYPE_API),
    word("PROXY", MQSUBTYPE_PROXY),
];

const RELATIONS: &[Word] =
    &[word("LOCAL", MQPSST_LOCAL), word("PARENT", MQPSST_PARENT), word("CHILD", MQPSST_CHILD)];
const ENGINE: &[Word] = &[
    word("INACTIVE", MQPS_STATUS_INACTIVE),
    word("STARTING", MQPS_STATUS_STARTING),
    word("STOPPING", MQPS_STATUS_STOPPING),
    word("ACTIVE", MQPS_STATUS_ACTIVE),
    word("COMPAT", MQPS_STATUS_COMPAT),
    word("ERROR", MQPS_STATUS_ERROR),
    word("REFUSED", MQPS_STATUS_REFUSED),
];

const fn topic_string() -> Attribute {
    Attribute::text("TPSTATUS", MQCA_TOPIC_STRING, MQ_TOPIC_STR_LENGTH)
        .live()
        .means("The topic string; blank for the root of the tree.")
}

const fn kind(default: i32) -> Attribute {
    Attribute::choice("TYPE", MQIACF_TOPIC_STATUS_TYPE, TYPE, default)
        .pcf_only()
        .live()
        .means("The type of status.")
}

const fn connection(meaning: &'static str) -> Attribute {
    Attribute::bytes("ACTCONN", MQBACF_CONNECTION_ID, MQ_CONNECTION_ID_LENGTH, ZEROS_24)
        .pcf_only()
        .live()
        .means(meaning)
}

#[rustfmt::skip]
pub(super) static TOPIC: &[Attribute] = &[
    topic_string(),
    kind(MQIACF_TOPIC_STATUS),
    Attribute::name("ADMIN", MQCA_ADMIN_TOPIC_NAME, NAME).live()
        .means("The topic object that stands here."),
    Attribute::integer("CAPEXPRY", MQIA_CAP_EXPIRY, (1, COUNT_MAX), -1).or(&[word("NOLIMIT", -1)]).live()
        .means("The longest expiry, in tenths of a second, that a publication here may have."),
    Attribute::choice("DEFPRESP", MQIA_DEF_PUT_RESPONSE_TYPE, &[word("SYNC", MQPRT_SYNC_RESPONSE), word("ASYNC", MQPRT_ASYNC_RESPONSE)], MQPRT_SYNC_RESPONSE).live()
        .means("Answer to a publish that leaves it open: SYNC waits for it, ASYNC does not."),
    Attribute::integer("DEFPRTY", MQIA_DEF_PRIORITY, (0, 9), 0).live()
        .means("The priority of a publication that asks for the topic's."),
    Attribute::choice("DEFPSIST", MQIA_TOPIC_DEF_PERSISTENCE, &[word("NO", MQPER_NOT_PERSISTENT), word("YES", MQPER_PERSISTENT)], MQPER_NOT_PERSISTENT).live()
        .means("The persistence of a publication that asks for the topic's."),
    Attribute::choice("DURSUB", MQIA_DURABLE_SUB, &[word("YES", MQSUB_DURABLE_ALLOWED), word("NO", MQSUB_DURABLE_INHIBITED)], MQSUB_DURABLE_ALLOWED).live()
        .means("Permission for programs to make durable subscriptions."),
    Attribute::name("MDURMDL", MQCA_MODEL_DURABLE_Q, NAME).live()
        .means("The model for queues of durable subscriptions that the queue manager looks after."),
    Attribute::name("MNDURMDL", MQCA_MODEL_NON_DURABLE_Q, NAME).live()
        .means("The model for queues of other subscriptions that the queue manager looks after."),
    Attribute::choice("NPMSGDLV", MQIA_NPM_DELIVERY, DELIVERY, MQDLV_ALL_AVAIL).live()
        .means("Subscribers that must get a non-persistent publication for the publish to succeed."),
    Attribute::choice("PMSGDLV", MQIA_PM_DELIVERY, DELIVERY, MQDLV_ALL_DUR).live()
        .means("Subscribers that must get a persistent publication for the publish to succeed."),
    Attribute::choice("PUB", MQIA_INHIBIT_PUB, &[word("ENABLED", MQTA_PUB_ALLOWED), word("DISABLED", MQTA_PUB_INHIBITED)], MQTA_PUB_ALLOWED).live()
        .means("Permission to publish messages."),
    Attribute::integer("PUBCOUNT", MQIA_PUB_COUNT, (0, i32::MAX), 0).live()
        .means("Handles that are open to publish here."),
    Attribute::choice("PUBSCOPE", MQIA_PUB_SCOPE, SCOPE, MQSCOPE_ALL).live()
        .means("Reach of publications: this queue manager alone, or others, too."),
    Attribute::choice("RETAINED", MQIACF_RETAINED_PUBLICATION, NO_YES, MQQSO_NO).pcf_only().live()
        .means("Presence of a retained publication for this topic."),
    Attribute::choice("SUB", MQIA_INHIBIT_SUB, &[word("ENABLED", MQTA_SUB_ALLOWED), word("DISABLED", MQTA_SUB_INHIBITED)], MQTA_SUB_ALLOWED).live()
        .means("Permission to subscribe."),
    Attribute::integer("SUBCOUNT", MQIA_SUB_COUNT, (0, i32::MAX), 0).live()
        .means("Subscriptions with this topic string, also those that no program uses now."),
    Attribute::choice("SUBSCOPE", MQIA_SUB_SCOPE, SCOPE, MQSCOPE_ALL).live()
        .means("Reach of subscriptions: this queue manager alone, or others, too."),
    Attribute::choice("USEDLQ", MQIA_USE_DEAD_LETTER_Q, &[word("NO", MQUSEDLQ_NO), word("YES", MQUSEDLQ_YES)], MQUSEDLQ_YES).live()
        .means("Use of the dead-letter queue for publications that cannot be delivered."),
];

/// Rows about a subscription, for any display.
macro_rules! subscription_rows {
    ($($first:expr),+; $($last:expr),*) => {
        &[
            $($first,)+
            Attribute::bytes("SUBID", MQBACF_SUB_ID, MQ_CORREL_ID_LENGTH, ZEROS_24).pcf_only().live()
                .means("The subscription's identifier, given once."),
            connection("The connection of the program that uses the subscription; zeros when none does."),
            Attribute::choice("DURABLE", MQIACF_DURABLE_SUBSCRIPTION, DURABLE, MQSUB_DURABLE_YES).pcf_only().live()
                .means("Durability: a durable subscription outlives the program that made it."),
            Attribute::text("LMSGDATE", MQCACF_LAST_MSG_DATE, 12).pcf_only().live()
                .means("The day the last publication was put for it, UTC; blank when none was since the start."),
            Attribute::text("LMSGTIME", MQCACF_LAST_MSG_TIME, 8).pcf_only().live()
                .means("The time of day the last publication was put for it, UTC."),
            Attribute::integer("NUMMSGS", MQIACF_MESSAGE_COUNT, (0, i32::MAX), 0).pcf_only().live()
                .means("Publications put for it since it was made or the queue manager started."),
            Attribute::text("RESMDATE", MQCA_RESUME_DATE, 12).live()
                .means("The day of the last MQSUB that took it into use since the queue manager started, UTC; blank when none did."),
            Attribute::text("RESMTIME", MQCA_RESUME_TIME, 8).live()
                .means("The time of day of that MQSUB, UTC."),
            Attribute::choice("SUBTYPE", MQIACF_SUB_TYPE, KINDS, MQSUBTYPE_ADMIN).pcf_only().live()
                .means("Origin of the subscription."),
            Attribute::text("SUBUSER", MQCACF_SUB_USER_ID, MQ_MAX_USER_ID_LENGTH).pcf_only().live()
                .means("The user of the subscription."),
            $($last,)*
        ]
    };
}

#[rustfmt::skip]
pub(super) static TOPIC_SUBSCRIPTION: &[Attribute] = subscription_rows![topic_string(), kind(MQIACF_TOPIC_SUB);];

#[rustfmt::skip]
pub(super) static SUBSCRIPTION: &[Attribute] = subscription_rows![
    Attribute::text("SUB", MQCACF_SUB_NAME, MQ_SUB_NAME_LENGTH).pcf_only().live()
        .means("The subscription's name.");
    Attribute::text("TOPICSTR", MQCA_TOPIC_STRING, MQ_TOPIC_STR_LENGTH).live()
        .means("The topic string, which may have wildcards.")
];

#[rustfmt::skip]
pub(super) static TOPIC_PUBLISHER: &[Attribute] = &[
    topic_string(),
    kind(MQIACF_TOPIC_PUB),
    connection("The connection that has the topic open to publish."),
    Attribute::text("LPUBDATE", MQCACF_LAST_PUB_DATE, 12).pcf_only().live()
        .means("The day of the last publication through the handle, UTC; blank when there was none."),
    Attribute::text("LPUBTIME", MQCACF_LAST_PUB_TIME, 8).pcf_only().live()
        .means("The time of day of the last publication through the handle, UTC."),
    Attribute::integer("NUMPUBS", MQIACF_PUBLISH_COUNT, (0, i32::MAX), 0).pcf_only().live()
        .means("Publications through the handle."),
];

#[rustfmt::skip]
pub(super) static PUBLISH_SUBSCRIBE: &[Attribute] = &[
    Attribute::name("QMNAME", MQCA_Q_MGR_NAME, NAME).live()
        .means("The queue manager's name."),
    Attribute::choice("TYPE", MQIACF_PS_STATUS_TYPE, RELATIONS, MQPSST_LOCAL).pcf_only().live()
        .means("Relation to this queue manager: itself, since hierarchies are not yet supported."),
    Attribute::choice("STATUS", MQIACF_PUBSUB_STATUS, ENGINE, MQPS_STATUS_COMPAT).pcf_only().live()
        .means("COMPAT: programs publish and subscribe by calls, and not by messages to queues of a broker."),
    Attribute::integer("SUBCOUNT", MQIA_SUB_COUNT, (0, COUNT_MAX), 0).live()
        .means("Number of subscriptions."),
    Attribute::integer("TPCOUNT", MQIA_TOPIC_NODE_COUNT, (0, COUNT_MAX), 0).live()
        .means("Places in the topic tree, those above places in use included."),
];
