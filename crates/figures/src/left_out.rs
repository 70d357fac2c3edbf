//! Published elements that have no row, each with the reason.

/// Elements of a type that are not told.
#[derive(Debug)]
pub struct LeftOut {
    /// The class.
    pub class: &'static str,
    /// The type.
    pub kind: &'static str,
    /// The elements.
    pub elements: &'static [&'static str],
    /// The reason.
    pub reason: &'static str,
}

/// Every one of them but those of replicas (`NHAREPLICA`), of which there are none.
pub static LEFT_OUT: &[LeftOut] = &[
    LeftOut {
        class: "DISK",
        kind: "SystemSummary",
        elements: &[
            "Appliance data - bytes in use",
            "Appliance data - free space",
            "System volume - bytes in use",
            "System volume - free space",
        ],
        reason: "They are of an appliance; this is a program on a machine.",
    },
    LeftOut {
        class: "DISK",
        kind: "SystemSummary",
        elements: &["MQ trace file system - bytes in use", "MQ trace file system - free space"],
        reason: "No trace is written to files.",
    },
    LeftOut {
        class: "DISK",
        kind: "Log",
        elements: &["Log - quorum log sequence number"],
        reason: "There are no replicas whose answers could make a quorum.",
    },
    LeftOut {
        class: "DISK",
        kind: "Log",
        elements: &["Log - bytes occupied by extents waiting to be archived"],
        reason: "No extent waits to be archived: one that nothing needs is used again or removed.",
    },
    LeftOut {
        class: "DISK",
        kind: "Log",
        elements: &["Log - logical bytes written"],
        reason: "Records are counted when they are written, with the padding of their block.",
    },
    LeftOut {
        class: "STATMQI",
        kind: "GET",
        elements: &["MQCB count", "Failed MQCB count", "MQCTL count"],
        reason: "Consumers are called in the program's own process; the queue manager sees their gets alone.",
    },
    LeftOut {
        class: "STATMQI",
        kind: "PUBLISH",
        elements: &["Published to subscribers - byte count"],
        reason: "Copies share their bodies and are counted without their lengths.",
    },
    LeftOut {
        class: "STATQ",
        kind: "GENERAL",
        elements: &["open publish count"],
        reason: "A publication comes to a queue by its subscription, not by a handle that is open on the queue.",
    },
    LeftOut {
        class: "STATQ",
        kind: "PUT",
        elements: &["queue avoided bytes"],
        reason: "Messages that pass to a waiting getter are counted without their lengths.",
    },
    LeftOut {
        class: "STATQ",
        kind: "PUT",
        elements: &["lock contention"],
        reason: "Waits for a queue's lock are not counted: counting them would cost each put more than they do.",
    },
    LeftOut {
        class: "STATQ",
        kind: "EXTENDED",
        elements: &[
            "correlid mismatch long count",
            "correlid mismatch short count",
            "intran get skipped count",
            "intran put skipped count",
            "load msg dtl count",
            "msg examine count",
            "msg not found count",
            "msg search count",
            "msgid mismatch count",
            "selection mismatch count",
        ],
        reason: "They tell how a queue is searched message by message; here messages are found by indexes.",
    },
];
