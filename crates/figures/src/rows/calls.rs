//! Calls of all programs.

use crate::row::{Class, Counting, Elements, Type, Unit, added, level};

/// The place of durable subscriptions in a count of both.
const DURABLE: usize = 1;
/// The place of the others.
const BRIEF: usize = 0;

pub(super) const CLASS: Class = Class {
    name: "STATMQI",
    description: "API usage statistics",
    counting: Counting::Calls,
    types: &[
        Type {
            name: "CONNDISC",
            description: "MQCONN and MQDISC",
            elements: Elements::OfManager(&[
                added("MQCONN/MQCONNX count", |now| now.calls.connects),
                added("Failed MQCONN/MQCONNX count", |now| now.calls.connects_failed),
                level("Concurrent connections - high water mark", Unit::Number, |now| {
                    now.calls.connections_most
                }),
                added("MQDISC count", |now| now.calls.disconnects),
            ]),
        },
        Type {
            name: "OPENCLOSE",
            description: "MQOPEN and MQCLOSE",
            elements: Elements::OfManager(&[
                added("MQOPEN count", |now| now.calls.opens),
                added("Failed MQOPEN count", |now| now.calls.opens_failed),
                added("MQCLOSE count", |now| now.calls.closes),
                added("Failed MQCLOSE count", |now| now.calls.closes_failed),
            ]),
        },
        Type {
            name: "INQSET",
            description: "MQINQ and MQSET",
            elements: Elements::OfManager(&[
                added("MQINQ count", |now| now.calls.inquires),
                added("Failed MQINQ count", |now| now.calls.inquires_failed),
                added("MQSET count", |now| now.calls.sets),
                added("Failed MQSET count", |now| now.calls.sets_failed),
            ]),
        },
        Type {
            name: "PUT",
            description: "MQPUT",
            elements: Elements::OfManager(&[
                added("Interval total MQPUT/MQPUT1 count", |now| {
                    now.calls.traffic.puts.sum() + now.calls.traffic.put1s.sum()
                }),
                added("Interval total MQPUT/MQPUT1 byte count", |now| now.calls.traffic.put_bytes.sum()),
                added("Non-persistent message MQPUT count", |now| now.calls.traffic.puts.nonpersistent),
                added("Persistent message MQPUT count", |now| now.calls.traffic.puts.persistent),
                added("Failed MQPUT count", |now| now.calls.traffic.puts_failed),
                added("Non-persistent message MQPUT1 count", |now| now.calls.traffic.put1s.nonpersistent),
                added("Persistent message MQPUT1 count", |now| now.calls.traffic.put1s.persistent),
                added("Failed MQPUT1 count", |now| now.calls.traffic.put1s_failed),
                added("Put non-persistent messages - byte count", |now| {
                    now.calls.traffic.put_bytes.nonpersistent
                }),
                added("Put persistent messages - byte count", |now| now.calls.traffic.put_bytes.persistent),
                added("MQSTAT count", |now| now.calls.status_calls),
            ]),
        },
        Type {
            name: "GET",
            description: "MQGET",
            elements: Elements::OfManager(&[
                added("Interval total destructive get- count", |now| now.calls.traffic.gets.sum()),
                added("Interval total destructive get - byte count", |now| now.calls.traffic.get_bytes.sum()),
                added("Non-persistent message destructive get - count", |now| {
                    now.calls.traffic.gets.nonpersistent
                }),
                added("Persistent message destructive get - count", |now| now.calls.traffic.gets.persistent),
                added("Failed MQGET - count", |now| now.calls.traffic.gets_failed),
                added("Got non-persistent messages - byte count", |now| {
                    now.calls.traffic.get_bytes.nonpersistent
                }),
                added("Got persistent messages - byte count", |now| now.calls.traffic.get_bytes.persistent),
                added("Non-persistent message browse - count", |now| now.calls.traffic.browses.nonpersistent),
                added("Persistent message browse - count", |now| now.calls.traffic.browses.persistent),
                added("Failed browse count", |now| now.calls.traffic.browses_failed),
                added("Non-persistent message browse - byte count", |now| {
                    now.calls.traffic.browse_bytes.nonpersistent
                }),
                added("Persistent message browse - byte count", |now| {
                    now.calls.traffic.browse_bytes.persistent
                }),
                added("Expired message count", |now| now.calls.expired),
                added("Purged queue count", |now| now.calls.queues_purged),
            ]),
        },
        Type {
            name: "SYNCPOINT",
            description: "Commit and rollback",
            elements: Elements::OfManager(&[
                added("Commit count", |now| now.calls.commits),
                added("Rollback count", |now| now.calls.backouts),
            ]),
        },
        Type {
            name: "SUBSCRIBE",
            description: "Subscribe",
            elements: Elements::OfManager(&[
                added("Create durable subscription count", |now| now.calls.subscriptions_made[DURABLE]),
                added("Alter durable subscription count", |now| now.calls.subscriptions_altered),
                added("Resume durable subscription count", |now| now.calls.subscriptions_resumed),
                added("Create non-durable subscription count", |now| now.calls.subscriptions_made[BRIEF]),
                added("Failed create/alter/resume subscription count", |now| now.calls.subscribes_failed),
                added("Delete durable subscription count", |now| now.calls.subscriptions_ended[DURABLE]),
                added("Delete non-durable subscription count", |now| now.calls.subscriptions_ended[BRIEF]),
                added("Subscription delete failure count", |now| now.calls.removals_failed),
                added("MQSUBRQ count", |now| now.calls.requests),
                added("Failed MQSUBRQ count", |now| now.calls.requests_failed),
                level("Durable subscriber - high water mark", Unit::Number, |now| {
                    now.calls.subscriptions[DURABLE].high
                }),
                level("Durable subscriber - low water mark", Unit::Number, |now| {
                    now.calls.subscriptions[DURABLE].low
                }),
                level("Non-durable subscriber - high water mark", Unit::Number, |now| {
                    now.calls.subscriptions[BRIEF].high
                }),
                level("Non-durable subscriber - low water mark", Unit::Number, |now| {
                    now.calls.subscriptions[BRIEF].low
                }),
            ]),
        },
        Type {
            name: "PUBLISH",
            description: "MQPUT and MQPUT1 to topics",
            elements: Elements::OfManager(&[
                added("Topic MQPUT/MQPUT1 interval total", |now| now.calls.topic_puts.sum()),
                added("Interval total topic bytes put", |now| now.calls.topic_put_bytes),
                added("Published to subscribers - message count", |now| now.calls.delivered),
                added("Non-persistent - topic MQPUT/MQPUT1 count", |now| now.calls.topic_puts.nonpersistent),
                added("Persistent - topic MQPUT/MQPUT1 count", |now| now.calls.topic_puts.persistent),
                added("Failed topic MQPUT/MQPUT1 count", |now| now.calls.topic_puts_failed),
            ]),
        },
    ],
};
