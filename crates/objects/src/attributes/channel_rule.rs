//! The attributes of channel authentication records.

use mqi::constants::*;

use super::row::{Access, Attribute, Derived, Word, word};
use super::words::NO_YES;
use crate::object_type::ObjectType;

const RULE: &[ObjectType] = &[ObjectType::ChannelRule];

/// Most entries of a list of addresses or users.
const LIST_MAX: usize = 100;
/// Most bytes of the name of a user: `security` takes no longer ones.
const USER_LENGTH: usize = MQ_MAX_MCA_USER_ID_LENGTH;
/// Most bytes of the text that tells a record from others: every value that does.
const KEY_LENGTH: usize = 4_096;

pub(crate) const TYPES: &[Word] = &[
    word("BLOCKUSER", MQCAUT_BLOCKUSER),
    word("BLOCKADDR", MQCAUT_BLOCKADDR),
    word("SSLPEERMAP", MQCAUT_SSLPEERMAP),
    word("ADDRESSMAP", MQCAUT_ADDRESSMAP),
    word("USERMAP", MQCAUT_USERMAP),
    word("QMGRMAP", MQCAUT_QMGRMAP),
];
const SOURCES: &[Word] =
    &[word("MAP", MQUSRC_MAP), word("NOACCESS", MQUSRC_NOACCESS), word("CHANNEL", MQUSRC_CHANNEL)];
const CHECKS: &[Word] = &[
    word("ASQMGR", MQCHK_AS_Q_MGR),
    word("REQDADM", MQCHK_REQUIRED_ADMIN),
    word("REQUIRED", MQCHK_REQUIRED),
];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::text("CHLAUTH", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().on(RULE).definable()
        .means("The channels that the record is for: a name, or a pattern with *."),
    Attribute::choice("TYPE", MQIACF_CHLAUTH_TYPE, TYPES, MQCAUT_ADDRESSMAP).pcf_only().on(RULE).definable()
        .means("The partners that the record is for, or that it blocks."),
    Attribute::text("ADDRESS", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().on(RULE).definable()
        .means("The addresses from which the partner comes, or the names of its host."),
    Attribute::texts("ADDRLIST", MQCACH_CONNECTION_NAME_LIST, MQ_CONN_NAME_LENGTH, LIST_MAX).pcf_only().on(RULE)
        .means("The addresses that are turned away before anything is read."),
    Attribute::text("CLNTUSER", MQCACH_CLIENT_USER_ID, USER_LENGTH).pcf_only().on(RULE).definable()
        .means("The user that a program says to be, or has proved."),
    Attribute::text("QMNAME", MQCA_REMOTE_Q_MGR_NAME, MQ_Q_MGR_NAME_LENGTH).on(RULE).definable()
        .means("The name of the queue manager at the other end, or a pattern."),
    Attribute::text("SSLPEER", MQCACH_SSL_PEER_NAME, MQ_SSL_PEER_NAME_LENGTH).pcf_only().on(RULE).definable()
        .means("The name in the certificate of the partner, or a pattern."),
    Attribute::text("SSLCERTI", MQCA_SSL_CERT_ISSUER_NAME, MQ_SSL_PEER_NAME_LENGTH).on(RULE).definable()
        .means("The name of the issuer of that certificate, or a pattern."),
    Attribute::texts("USERLIST", MQCACH_MCA_USER_ID_LIST, USER_LENGTH, LIST_MAX).pcf_only().on(RULE)
        .means("The users that are turned away; *MQADMIN stands for every administrator."),
    Attribute::choice("USERSRC", MQIACH_USER_SOURCE, SOURCES, MQUSRC_MAP).pcf_only().on(RULE)
        .means("The source of the user that the partner acts as."),
    Attribute::text("ALTDATE", MQCA_ALTERATION_DATE, 12).on(RULE).derived(Derived::AlterationDate)
        .means("The day the record was last changed, UTC."),
    Attribute::text("ALTTIME", MQCA_ALTERATION_TIME, 8).on(RULE).derived(Derived::AlterationTime)
        .means("The time of day the record was last changed, UTC."),
    Attribute::choice("CHCKCLNT", MQIA_CHECK_CLIENT_BINDING, CHECKS, MQCHK_AS_Q_MGR).on(RULE)
        .means("The passwords that the record asks for, beyond those that the queue manager asks for."),
    Attribute::text("CUSTOM", MQCA_CUSTOM, MQ_CUSTOM_LENGTH).on(RULE)
        .means("Attributes of later releases."),
    Attribute::text("DESCR", MQCA_CHLAUTH_DESC, MQ_CHLAUTH_DESC_LENGTH).on(RULE)
        .means("A description, for people."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, USER_LENGTH).pcf_only().on(RULE)
        .means("The user that the partner acts as, with USERSRC(MAP)."),
    Attribute::choice("WARN", MQIACH_WARNING, NO_YES, MQWARN_NO).pcf_only().on(RULE)
        .means("YES: a partner that the record refuses is let in, and told of."),
    Attribute::text("KEY", MQCACF_OBJECT_NAME, KEY_LENGTH).pcf_only().on(RULE).access(Access::Hidden)
        .means("The values that tell the record from others."),
];
