//! Calls on one queue, and how it stands.

use crate::row::{Class, Counting, Elements, Type, Unit, added, between, level, mean};

pub(super) const CLASS: Class = Class {
    name: "STATQ",
    description: "API per-queue usage statistics",
    counting: Counting::Queue,
    types: &[
        Type {
            name: "GENERAL",
            description: "General",
            elements: Elements::OfQueue(&[
                added("messages expired", |now| now.expired),
                added("queue purged count", |now| now.purged),
                between("average queue time", Unit::Microseconds, |before, now| {
                    mean(
                        now.waited_micros.saturating_sub(before.waited_micros),
                        now.waited.saturating_sub(before.waited),
                    )
                }),
                level("Queue depth", Unit::Number, |now| now.depth),
                level("open browse count", Unit::Number, |now| now.browse_handles),
                level("open input count", Unit::Number, |now| now.input_handles),
                level("open output count", Unit::Number, |now| now.output_handles),
            ]),
        },
        Type {
            name: "OPENCLOSE",
            description: "MQOPEN and MQCLOSE",
            elements: Elements::OfQueue(&[
                added("MQOPEN count", |now| now.opens),
                added("MQCLOSE count", |now| now.closes),
            ]),
        },
        Type {
            name: "INQSET",
            description: "MQINQ and MQSET",
            elements: Elements::OfQueue(&[
                added("MQINQ count", |now| now.inquires),
                added("MQSET count", |now| now.sets),
            ]),
        },
        Type {
            name: "PUT",
            description: "MQPUT and MQPUT1",
            elements: Elements::OfQueue(&[
                added("MQPUT/MQPUT1 count", |now| now.puts),
                added("MQPUT byte count", |now| now.traffic.put_bytes.sum()),
                added("MQPUT non-persistent message count", |now| now.traffic.puts.nonpersistent),
                added("MQPUT persistent message count", |now| now.traffic.puts.persistent),
                added("MQPUT1 non-persistent message count", |now| now.traffic.put1s.nonpersistent),
                added("MQPUT1 persistent message count", |now| now.traffic.put1s.persistent),
                added("non-persistent byte count", |now| now.traffic.put_bytes.nonpersistent),
                added("persistent byte count", |now| now.traffic.put_bytes.persistent),
                added("queue avoided puts", |now| now.not_queued),
                added("rolled back MQPUT count", |now| now.puts_backed_out),
            ]),
        },
        Type {
            name: "GET",
            description: "MQGET",
            elements: Elements::OfQueue(&[
                added("MQGET count", |now| now.gets),
                added("MQGET byte count", |now| now.traffic.get_bytes.sum()),
                added("destructive MQGET non-persistent message count", |now| now.traffic.gets.nonpersistent),
                added("destructive MQGET persistent message count", |now| now.traffic.gets.persistent),
                added("destructive MQGET non-persistent byte count", |now| {
                    now.traffic.get_bytes.nonpersistent
                }),
                added("destructive MQGET persistent byte count", |now| now.traffic.get_bytes.persistent),
                added("destructive MQGET fails", |now| now.traffic.gets_failed),
                added("destructive MQGET fails with MQRC_NO_MSG_AVAILABLE", |now| {
                    now.traffic.gets_without_message
                }),
                added("destructive MQGET fails with MQRC_TRUNCATED_MSG_FAILED", |now| {
                    now.traffic.gets_truncated
                }),
                added("MQGET browse non-persistent message count", |now| now.traffic.browses.nonpersistent),
                added("MQGET browse persistent message count", |now| now.traffic.browses.persistent),
                added("MQGET browse non-persistent byte count", |now| now.traffic.browse_bytes.nonpersistent),
                added("MQGET browse persistent byte count", |now| now.traffic.browse_bytes.persistent),
                added("MQGET browse fails", |now| now.traffic.browses_failed),
                added("MQGET browse fails with MQRC_NO_MSG_AVAILABLE", |now| {
                    now.traffic.browses_without_message
                }),
                added("MQGET browse fails with MQRC_TRUNCATED_MSG_FAILED", |now| {
                    now.traffic.browses_truncated
                }),
                added("rolled back MQGET count", |now| now.gets_backed_out),
            ]),
        },
    ],
};
