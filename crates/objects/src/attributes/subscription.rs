//! The attributes of subscriptions.

use mqi::constants::*;
use mqi::ours::*;

use super::row::{Access, Attribute, Derived, Word, word};
use super::words::{COUNT_MAX, NAME, NO_YES};
use crate::object_type::ObjectType::{self, Subscription};

const SUBSCRIPTION: &[ObjectType] = &[Subscription];

/// The value of it for a subscription that does not end by itself.
pub const LAPSES_NEVER: i32 = -1;

/// Most bytes of the identifier of a client whose own publications a subscription leaves out.
pub const CLIENT_IDENTIFIER_MAX: usize = 1_000;

/// No correlation identifier: the subscription's own is used.
pub(super) const ZEROS_24: &str = "000000000000000000000000000000000000000000000000";
/// No accounting token.
const ZEROS_32: &str = "0000000000000000000000000000000000000000000000000000000000000000";

const NO_YES_DURABLE: &[Word] = &[word("YES", MQSUB_DURABLE_YES), word("NO", MQSUB_DURABLE_NO)];
const PROPERTIES: &[Word] = &[
    word("NONE", MQPSPROP_NONE),
    word("COMPAT", MQPSPROP_COMPAT),
    word("RFH2", MQPSPROP_RFH2),
    word("MSGPROP", MQPSPROP_MSGPROP),
];
const KINDS: &[Word] = &[
    word("USER", MQSUBTYPE_USER),
    word("ADMIN", MQSUBTYPE_ADMIN),
    word("API", MQSUBTYPE_API),
    word("PROXY", MQSUBTYPE_PROXY),
];
/// The value of it for a subscription that is given publications.
pub const SUBSCRIPTION_GOES_ON: i32 = 0;

const SELECTORS: &[Word] = &[
    word("NONE", MQSELTYPE_NONE),
    word("STANDARD", MQSELTYPE_STANDARD),
    word("EXTENDED", MQSELTYPE_EXTENDED),
];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::text("SUB", MQCACF_SUB_NAME, MQ_SUB_NAME_LENGTH).pcf_only().on(SUBSCRIPTION).access(Access::Stored)
        .means("The subscription's name."),
    Attribute::bytes("SUBID", MQBACF_SUB_ID, MQ_CORREL_ID_LENGTH, ZEROS_24).pcf_only().on(SUBSCRIPTION).derived(Derived::Name)
        .means("The subscription's identifier, given once."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(SUBSCRIPTION).derived(Derived::AlterationDate)
        .means("The day the definition was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(SUBSCRIPTION).derived(Derived::AlterationTime)
        .means("The time of day the definition was last changed, UTC."),
    Attribute::text("CRDATE", MQCA_CREATION_DATE, 12).on(SUBSCRIPTION).derived(Derived::CreationDate)
        .means("The day the subscription was made, UTC."),
    Attribute::text("CRTIME", MQCA_CREATION_TIME, 8).on(SUBSCRIPTION).derived(Derived::CreationTime)
        .means("The time of day the subscription was made, UTC."),
    Attribute::name("DEST", MQCACF_DESTINATION, NAME).pcf_only().on(SUBSCRIPTION)
        .means("The queue that gets the publications."),
    Attribute::choice("DESTCLAS", MQIACF_DESTINATION_CLASS, &[word("PROVIDED", MQDC_PROVIDED), word("MANAGED", MQDC_MANAGED)], MQDC_PROVIDED).pcf_only().on(SUBSCRIPTION).definable()
        .means("Kind of the queue: one that is named, or one that the queue manager makes and looks after."),
    Attribute::bytes("DESTCORL", MQBACF_DESTINATION_CORREL_ID, MQ_CORREL_ID_LENGTH, ZEROS_24).pcf_only().on(SUBSCRIPTION)
        .means("The correlation identifier of the messages: that of the subscription, where none or zeros were said."),
    Attribute::name("DESTQMGR", MQCACF_DESTINATION_Q_MGR, NAME).pcf_only().on(SUBSCRIPTION)
        .means("The queue manager of that queue; blank for this one."),
    Attribute::choice("DURABLE", MQIACF_DURABLE_SUBSCRIPTION, NO_YES_DURABLE, MQSUB_DURABLE_YES).pcf_only().on(SUBSCRIPTION).access(Access::Stored)
        .means("Durability: a durable subscription outlives the program that made it."),
    Attribute::integer("EXPIRY", MQIACF_EXPIRY, (0, COUNT_MAX), MQEI_UNLIMITED).or(&[word("UNLIMITED", MQEI_UNLIMITED)]).pcf_only().on(SUBSCRIPTION)
        .means("Tenths of a second after which the subscription ends."),
    Attribute::choice("PSPROP", MQIACF_PUBSUB_PROPERTIES, PROPERTIES, MQPSPROP_MSGPROP).pcf_only().on(SUBSCRIPTION)
        .means("Form of the properties about a publication that its messages carry."),
    Attribute::bytes("PUBACCT", MQBACF_ACCOUNTING_TOKEN, MQ_ACCOUNTING_TOKEN_LENGTH, ZEROS_32).pcf_only().on(SUBSCRIPTION)
        .means("The accounting token of the messages."),
    Attribute::text("PUBAPPID", MQCACF_APPL_IDENTITY_DATA, MQ_APPL_IDENTITY_DATA_LENGTH).pcf_only().on(SUBSCRIPTION)
        .means("The application identity data of the messages."),
    Attribute::integer("PUBPRTY", MQIACF_PUB_PRIORITY, (0, 9), MQPRI_PRIORITY_AS_PUBLISHED).or(&[word("ASPUB", MQPRI_PRIORITY_AS_PUBLISHED), word("ASQDEF", MQPRI_PRIORITY_AS_Q_DEF)]).pcf_only().on(SUBSCRIPTION)
        .means("The priority of the messages."),
    Attribute::choice("REQONLY", MQIACF_REQUEST_ONLY, &[word("NO", MQRU_PUBLISH_ALL), word("YES", MQRU_PUBLISH_ON_REQUEST)], MQRU_PUBLISH_ALL).pcf_only().on(SUBSCRIPTION).definable()
        .means("Delivery on request alone."),
    Attribute::text("SELECTOR", MQCACF_SUB_SELECTOR, MQ_SELECTOR_LENGTH).pcf_only().on(SUBSCRIPTION).definable()
        .means("The condition that publications must satisfy."),
    Attribute::choice("SELTYPE", MQIACF_SELECTOR_TYPE, SELECTORS, MQSELTYPE_NONE).pcf_only().on(SUBSCRIPTION).derived(Derived::SelectorType)
        .means("Kind of that condition: none, one of the queue manager's language, or another."),
    Attribute::choice("STOPPED", SUBSCRIPTION_STOPPED, NO_YES, SUBSCRIPTION_GOES_ON).pcf_only().on(SUBSCRIPTION).access(Access::Stored)
        .means("YES: its user has lost the right to subscribe, and no publications come until the right is back. Of ours."),
    Attribute::integer("SUBLEVEL", MQIACF_SUB_LEVEL, (0, 9), 1).pcf_only().on(SUBSCRIPTION).definable()
        .means("The level at which publications are intercepted."),
    Attribute::integer("SUBOPTS", MQIACF_SUB_OPTIONS, (0, i32::MAX), MQSO_NONE).pcf_only().on(SUBSCRIPTION).access(Access::Stored)
        .means("The options (`MQSO_`) of the program that made or altered the subscription; none for an administrator's."),
    Attribute::choice("SUBSCOPE", MQIACF_SUBSCRIPTION_SCOPE, &[word("QMGR", MQTSCOPE_QMGR), word("ALL", MQTSCOPE_ALL)], MQTSCOPE_ALL).pcf_only().on(SUBSCRIPTION).definable().kept_only()
        .means("Reach of the subscription: publications of this queue manager alone, or of others, too."),
    Attribute::choice("SUBTYPE", MQIACF_SUB_TYPE, KINDS, MQSUBTYPE_ADMIN).pcf_only().on(SUBSCRIPTION).access(Access::Stored)
        .means("Origin of the subscription."),
    Attribute::text("SUBUSER", MQCACF_SUB_USER_ID, MQ_MAX_USER_ID_LENGTH).pcf_only().on(SUBSCRIPTION)
        .means("The user whose authority counts when a publication is put to the queue."),
    Attribute::name("TOPICOBJ", MQCA_TOPIC_NAME, NAME).on(SUBSCRIPTION).definable()
        .means("The topic object whose topic string comes first."),
    Attribute::text("TOPICSTR", MQCA_TOPIC_STRING, MQ_TOPIC_STR_LENGTH).on(SUBSCRIPTION).definable()
        .means("The topic string, which may have wildcards; below that of TOPICOBJ if there is one."),
    Attribute::text("TOPICALL", MQCACF_TOPIC, MQ_TOPIC_STR_LENGTH).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("The whole topic string, where TOPICOBJ gave its beginning."),
    Attribute::integer("SHARED", SHARED_SUBSCRIPTION, (0, 1), 0).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("True for a subscription that several programs use at a time, each message going to one."),
    Attribute::text("NOLOCAL", EXCLUDED_CLIENT, CLIENT_IDENTIFIER_MAX).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("The client whose own publications the subscription leaves out."),
    Attribute::integer("LAPSEAFT", LAPSE_AFTER, (0, COUNT_MAX), LAPSES_NEVER).or(&[word("NEVER", LAPSES_NEVER)]).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("Seconds after its last use until a subscription of a link ends."),
    Attribute::integer("LAPSEFRM", LAPSE_FROM, (0, 2), 0).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("The end from which those seconds count: of the link, of its session, or of its connection."),
    Attribute::integer("LINKDUR", LINK_DURABILITY, (0, 2), 0).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("The durability that the client of a link was granted."),
    Attribute::text("RIGHT", SUBSCRIPTION_RIGHT, MQ_MAX_USER_ID_LENGTH + 1).pcf_only().on(SUBSCRIPTION).access(Access::Hidden)
        .means("The user that a record gave the right to subscribe, behind a sign: without the right it is stopped."),
    Attribute::text("USERDATA", MQCACF_SUB_USER_DATA, MQ_USER_DATA_LENGTH).pcf_only().on(SUBSCRIPTION)
        .means("Text that goes with each message as a property."),
    Attribute::choice("VARUSER", MQIACF_VARIABLE_USER_ID, &[word("ANY", MQVU_ANY_USER), word("FIXED", MQVU_FIXED_USER)], MQVU_ANY_USER).pcf_only().on(SUBSCRIPTION)
        .means("Permission for others who have ALTUSR to resume and alter the subscription by MQSUB."),
    Attribute::choice("WSCHEMA", MQIACF_WILDCARD_SCHEMA, &[word("CHAR", MQWS_CHAR), word("TOPIC", MQWS_TOPIC)], MQWS_TOPIC).pcf_only().on(SUBSCRIPTION).definable()
        .means("Meaning of wildcards: characters, or levels of the topic string."),
];
