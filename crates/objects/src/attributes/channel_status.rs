//! Displays of instances of channels.

use mqi::constants::*;

use super::row::{Attribute, Word, word};

/// Bytes of a client identifier that are shown.
const CLIENT_LENGTH: usize = 256;

const TYPES: &[Word] = &[word("SVRCONN", MQCHT_SVRCONN), word("AMQP", MQCHT_AMQP)];
const STATE: &[Word] = &[word("RUNNING", MQCHS_RUNNING), word("STOPPING", MQCHS_STOPPING)];

#[rustfmt::skip]
pub(super) static CHANNEL: &[Attribute] = &[
    Attribute::name("CHANNEL", MQCACH_CHANNEL_NAME, MQ_CHANNEL_NAME_LENGTH).pcf_only().live()
        .means("The channel's name."),
    Attribute::choice("CHLTYPE", MQIACH_CHANNEL_TYPE, TYPES, MQCHT_SVRCONN).pcf_only().live()
        .means("The type of channel."),
    Attribute::integer("AMQPKA", MQIACH_AMQP_KEEP_ALIVE, (0, 99_999), -1).or(&[word("AUTO", -1)]).pcf_only().live()
        .means("Seconds of silence after which the AMQP client is given up; AUTO where its channel leaves that open."),
    Attribute::text("CHSTADA", MQCACH_CHANNEL_START_DATE, 12).pcf_only().live()
        .means("The day on which the instance began, UTC."),
    Attribute::text("CHSTATI", MQCACH_CHANNEL_START_TIME, 8).pcf_only().live()
        .means("The time of day at which the instance began, UTC."),
    Attribute::text("CLIENTID", MQCACH_CLIENT_ID, CLIENT_LENGTH).pcf_only().live()
        .means("The identifier of the AMQP client; blank for a client of another kind."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().live()
        .means("The address that the client comes from."),
    Attribute::text("MCAUSER", MQCACH_MCA_USER_ID, MQ_MAX_USER_ID_LENGTH).pcf_only().live()
        .means("The user that acts."),
    Attribute::text("RAPPLTAG", MQCACH_REMOTE_APPL_TAG, MQ_APPL_TAG_LENGTH).pcf_only().live()
        .means("The program at the other end."),
    Attribute::choice("STATUS", MQIACH_CHANNEL_STATUS, STATE, MQCHS_RUNNING).pcf_only().live()
        .means("The state of the instance."),
];
