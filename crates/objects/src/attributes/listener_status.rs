//! Displays of running listeners.

use mqi::constants::*;

use super::row::{Attribute, Word, word};
use super::words::{CONTROL, COUNT_MAX};

const STATE: &[Word] = &[
    word("STARTING", MQSVC_STATUS_STARTING),
    word("RUNNING", MQSVC_STATUS_RUNNING),
    word("STOPPING", MQSVC_STATUS_STOPPING),
];

#[rustfmt::skip]
pub(super) static LISTENER: &[Attribute] = &[
    Attribute::name("LISTENER", MQCACH_LISTENER_NAME, MQ_LISTENER_NAME_LENGTH).pcf_only().live()
        .means("The listener's name."),
    Attribute::integer("BACKLOG", MQIACH_BACKLOG, (0, COUNT_MAX), 0).pcf_only().live()
        .means("The number of connections that may wait to be accepted; 0 for the system's own number."),
    Attribute::choice("CONTROL", MQIACH_LISTENER_CONTROL, CONTROL, MQSVC_CONTROL_MANUAL).pcf_only().live()
        .means("Start and stop of the listener: by command, or with the queue manager."),
    Attribute::text("DESCR", MQCACH_LISTENER_DESC, MQ_LISTENER_DESC_LENGTH).pcf_only().live()
        .means("The description of its definition."),
    Attribute::text("IPADDR", MQCACH_IP_ADDRESS, MQ_IP_ADDRESS_LENGTH).pcf_only().live()
        .means("The address that it accepts connections on."),
    Attribute::integer("PID", MQIACF_PROCESS_ID, (0, i32::MAX), 0).pcf_only().live()
        .means("The process that accepts the connections."),
    Attribute::integer("PORT", MQIACH_PORT, (0, 65_535), 0).pcf_only().live()
        .means("The port that it accepts connections on."),
    Attribute::text("STARTDA", MQCACH_LISTENER_START_DATE, 12).pcf_only().live()
        .means("The day on which it started, UTC."),
    Attribute::text("STARTTI", MQCACH_LISTENER_START_TIME, 8).pcf_only().live()
        .means("The time of day at which it started, UTC."),
    Attribute::choice("STATUS", MQIACH_LISTENER_STATUS, STATE, MQSVC_STATUS_RUNNING).pcf_only().live()
        .means("The state of the listener."),
    Attribute::choice("TRPTYPE", MQIACH_XMIT_PROTOCOL_TYPE, &[word("TCP", MQXPT_TCP)], MQXPT_TCP).pcf_only().live()
        .means("The transport."),
];
