//! Displays of authority records, of the rights of a user on an object, and of the service that judges.

use mqi::constants::*;
use mqi::ours::{OBJECT_TYPE_BRIDGE, OBJECT_TYPE_PIPE};
use security::authority::{Authority, ENTITY_LENGTH_MAX};

use super::row::{Attribute, Word, word};
use super::words::{NAME, NO_YES};

/// Every authority by its keyword.
const AUTHORITIES: [Word; Authority::ALL.len()] = {
    let mut words = [word("", 0); Authority::ALL.len()];
    let mut index = 0;
    while index < words.len() {
        words[index] = word(Authority::ALL[index].keyword(), Authority::ALL[index].number());
        index += 1;
    }
    words
};
const ENTITY: &[Word] = &[word("PRINCIPAL", MQZAET_PRINCIPAL), word("GROUP", MQZAET_GROUP)];
pub(super) const OBJECT: &[Word] = &[
    word("QUEUE", MQOT_Q),
    word("QMGR", MQOT_Q_MGR),
    word("TOPIC", MQOT_TOPIC),
    word("PROCESS", MQOT_PROCESS),
    word("NAMELIST", MQOT_NAMELIST),
    word("AUTHINFO", MQOT_AUTH_INFO),
    word("CHANNEL", MQOT_CHANNEL),
    word("CLNTCONN", MQOT_CLNTCONN_CHANNEL),
    word("LISTENER", MQOT_LISTENER),
    word("SERVICE", MQOT_SERVICE),
    word("COMMINFO", MQOT_COMM_INFO),
    word("BRIDGE", OBJECT_TYPE_BRIDGE),
    word("PIPE", OBJECT_TYPE_PIPE),
    word("RQMNAME", MQOT_REMOTE_Q_MGR_NAME),
];

const fn authorities() -> Attribute {
    Attribute::words("AUTHLIST", MQIACF_AUTHORIZATION_LIST, (&AUTHORITIES, AUTHORITIES.len()), &[])
        .pcf_only()
        .live()
        .means("The authorities.")
}

const fn entity() -> Attribute {
    Attribute::text("ENTITY", MQCACF_ENTITY_NAME, ENTITY_LENGTH_MAX)
        .pcf_only()
        .live()
        .means("The name of the user or group.")
}

const fn entity_type() -> Attribute {
    Attribute::choice("ENTTYPE", MQIACF_ENTITY_TYPE, ENTITY, MQZAET_PRINCIPAL)
        .pcf_only()
        .live()
        .means("A user, which is a PRINCIPAL, or a group.")
}

const fn object_type() -> Attribute {
    Attribute::choice("OBJTYPE", MQIACF_OBJECT_TYPE, OBJECT, MQOT_Q)
        .pcf_only()
        .live()
        .means("The type of object.")
}

pub(super) static RECORD: &[Attribute] = &[
    Attribute::text("PROFILE", MQCACF_AUTH_PROFILE_NAME, NAME)
        .pcf_only()
        .live()
        .means("The name of the objects, with ? and * where several are meant; @CLASS for the type itself."),
    entity(),
    entity_type(),
    object_type(),
    authorities(),
];

pub(super) static ENTITY_AUTHORITY: &[Attribute] = &[
    Attribute::text("OBJNAME", MQCACF_OBJECT_NAME, NAME)
        .pcf_only()
        .live()
        .means("The object; blank for the queue manager."),
    entity(),
    entity_type(),
    object_type(),
    authorities(),
];

pub(super) static SERVICE: &[Attribute] = &[
    Attribute::text("SERVCOMP", MQCACF_SERVICE_COMPONENT, MQ_SERVICE_COMPONENT_LENGTH)
        .pcf_only()
        .live()
        .means("The part that judges."),
    Attribute::integer("IFVER", MQIACF_INTERFACE_VERSION, (0, i32::MAX), 0)
        .pcf_only()
        .live()
        .means("The version of the interface of the service."),
    Attribute::choice("UIDSUPP", MQIACF_USER_ID_SUPPORT, NO_YES, MQUIDSUPP_YES)
        .pcf_only()
        .live()
        .means("YES: records may be for users, as well as for groups."),
];
