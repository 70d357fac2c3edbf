//! Displays of the way from a name to the queue or the channel that takes its messages.

use mqi::constants::*;
use mqi::ours::*;

use super::channel::TYPES;
use super::channel_status::STATE;
use super::row::{Attribute, Word, word};
use super::words::{COUNT_MAX, NAME};

/// Most bytes of the words of a rule.
const RULE_BYTES_MAX: usize = 512;

/// A step is an object or a channel.
pub const ROUTE_OBJECT: i32 = 0;
/// The same.
pub const ROUTE_CHANNEL: i32 = 1;
/// The last step.
pub const ROUTE_END: i32 = 2;

/// The way ends at a queue here, leaves by a channel, or ends in nothing.
pub const ROUTE_LOCAL: i32 = 0;
/// The same.
pub const ROUTE_ELSEWHERE: i32 = 1;
/// The same.
pub const ROUTE_NOWHERE: i32 = 2;

const KINDS: &[Word] =
    &[word("OBJECT", ROUTE_OBJECT), word("CHANNEL", ROUTE_CHANNEL), word("END", ROUTE_END)];
const ENDS: &[Word] =
    &[word("LOCAL", ROUTE_LOCAL), word("ELSEWHERE", ROUTE_ELSEWHERE), word("NOWHERE", ROUTE_NOWHERE)];

#[rustfmt::skip]
pub(super) static ROUTE: &[Attribute] = &[
    Attribute::integer("STEP", ROUTE_STEP, (1, COUNT_MAX), 1).pcf_only().live()
        .means("The number of the step."),
    Attribute::choice("KIND", ROUTE_KIND, KINDS, ROUTE_OBJECT).pcf_only().live()
        .means("OBJECT for a definition that was looked for, CHANNEL for one that takes the messages away, END for the last step."),
    Attribute::name("NAME", MQCACF_OBJECT_NAME, NAME).pcf_only().live()
        .means("The name of the object, of the channel, or of the queue at the end."),
    Attribute::text("OBJTYPE", ROUTE_OBJECT_TYPE, 16).pcf_only().live()
        .means("The type of the object; NONE where nothing has the name."),
    Attribute::text("RULE", ROUTE_RULE, RULE_BYTES_MAX).pcf_only().live()
        .means("The rule by which the step was taken, and what it means for a message."),
    Attribute::name("TARGET", MQCA_BASE_OBJECT_NAME, NAME).pcf_only().live()
        .means("The queue that an alias stands for."),
    Attribute::name("RNAME", MQCA_REMOTE_Q_NAME, NAME).pcf_only().live()
        .means("The queue at the other queue manager."),
    Attribute::name("RQMNAME", MQCA_REMOTE_Q_MGR_NAME, NAME).pcf_only().live()
        .means("That queue manager; of a channel the partner that it met."),
    Attribute::name("XMITQ", MQCA_XMIT_Q_NAME, NAME).pcf_only().live()
        .means("The transmission queue."),
    Attribute::integer("CURDEPTH", MQIA_CURRENT_Q_DEPTH, (0, i32::MAX), 0).pcf_only().live()
        .means("Messages on the queue."),
    Attribute::choice("CHLTYPE", MQIACH_CHANNEL_TYPE, TYPES, MQCHT_SENDER).pcf_only().live()
        .means("The type of the channel."),
    Attribute::choice("STATUS", MQIACH_CHANNEL_STATUS, STATE, MQCHS_INACTIVE).pcf_only().live()
        .means("The state of the channel."),
    Attribute::text("CONNAME", MQCACH_CONNECTION_NAME, MQ_CONN_NAME_LENGTH).pcf_only().live()
        .means("The address that the channel calls."),
    Attribute::choice("ENDS", ROUTE_ENDS, ENDS, ROUTE_NOWHERE).pcf_only().live()
        .means("LOCAL for a queue here, ELSEWHERE for a message that leaves by a channel, NOWHERE for a dead end."),
    Attribute::integer("REASON", MQIACF_REASON_CODE, (0, i32::MAX), 0).pcf_only().live()
        .means("The reason with which an MQOPEN of the name fails; 0 for one that does not."),
];
