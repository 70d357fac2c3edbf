//! What is told below `$SYS`: classes, types of each, elements of each type, and where the figure of an element comes from. One row each;
//! names and units are those that tools of the family know. What such tools know and this queue manager does not measure has no row.

use mqi::constants::*;

use super::reading::{OfQueue, Processor, Reading, Room, share, ticks_to_percent};

/// A class of figures.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// Whether its figures are of single queues.
    pub(super) is_of_queues: bool,
    /// Whether calls must be counted for it.
    pub(super) counts_calls: bool,
    pub(super) types: &'static [Type],
}

impl Class {
    /// Where its types are told.
    pub(super) fn types_topic(&self, root: &str) -> String {
        format!("{root}/METADATA/{}/TYPES", self.name)
    }

    /// Where the elements of one of its types are told.
    pub(super) fn elements_topic(&self, root: &str, of: &Type) -> String {
        format!("{root}/METADATA/{}/{}", self.name, of.name)
    }

    /// Where the figures of one of its types are published, of this queue where they are of queues.
    pub(super) fn figures_topic(&self, root: &str, queue: Option<&str>, of: &Type) -> String {
        match queue {
            Some(queue) => format!("{root}/{}/{queue}/{}", self.name, of.name),
            None => format!("{root}/{}/{}", self.name, of.name),
        }
    }
}

/// A type of figures: what one publication tells.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) elements: &'static [Element],
}

/// One figure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) description: &'static str,
    /// An MQIAMO_MONITOR_ value.
    pub(super) unit: i32,
    pub(super) told: Told,
}

/// Where a figure comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Told {
    /// Two readings, the earlier first.
    OfManager(fn(&Reading, &Reading) -> i64),
    OfQueue(fn(&OfQueue) -> i64),
}

const fn row(description: &'static str, unit: i32, figure: fn(&Reading, &Reading) -> i64) -> Element {
    Element { description, unit, told: Told::OfManager(figure) }
}

const fn of_queue(description: &'static str, unit: i32, figure: fn(&OfQueue) -> i64) -> Element {
    Element { description, unit, told: Told::OfQueue(figure) }
}

const UNIT: i32 = MQIAMO_MONITOR_UNIT;
const DELTA: i32 = MQIAMO_MONITOR_DELTA;
const PERCENT: i32 = MQIAMO_MONITOR_PERCENT;
const HUNDREDTHS: i32 = MQIAMO_MONITOR_HUNDREDTHS;
const MEGABYTES: i32 = MQIAMO_MONITOR_MB;
const MICROSECONDS: i32 = MQIAMO_MONITOR_MICROSEC;

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What was added between two readings.
fn added(before: u64, now: u64) -> i64 {
    signed(now.saturating_sub(before))
}

fn megabytes(bytes: u64) -> i64 {
    signed(bytes >> 20)
}

fn used(room: Room) -> u64 {
    room.all.saturating_sub(room.free)
}

/// The share that a part of the machine's processor time had.
fn of_machine(before: &Reading, now: &Reading, part: fn(&Processor) -> u64) -> i64 {
    let part = part(&now.machine).saturating_sub(part(&before.machine));
    share(part, now.machine.all.saturating_sub(before.machine.all))
}

/// Every class.
pub(super) static CLASSES: &[Class] = &[
    Class {
        name: "CPU",
        description: "Platform central processing units",
        is_of_queues: false,
        counts_calls: false,
        types: &[
            Type {
                name: "SystemSummary",
                description: "CPU performance - platform wide",
                elements: &[
                    row("User CPU time percentage", PERCENT, |before, now| {
                        of_machine(before, now, |all| all.user)
                    }),
                    row("System CPU time percentage", PERCENT, |before, now| {
                        of_machine(before, now, |all| all.system)
                    }),
                    row("CPU load - one minute average", HUNDREDTHS, |_, now| now.loads[0]),
                    row("CPU load - five minute average", HUNDREDTHS, |_, now| now.loads[1]),
                    row("CPU load - fifteen minute average", HUNDREDTHS, |_, now| now.loads[2]),
                    row("RAM free percentage", PERCENT, |_, now| share(now.memory.free, now.memory.all)),
                    row("RAM total bytes", MEGABYTES, |_, now| megabytes(now.memory.all)),
                ],
            },
            Type {
                name: "QMgrSummary",
                description: "CPU performance - running queue manager",
                elements: &[
                    row("User CPU time - percentage estimate for queue manager", PERCENT, |before, now| {
                        ticks_to_percent(
                            now.own.user.saturating_sub(before.own.user),
                            now.micros_since(before),
                        )
                    }),
                    row("System CPU time - percentage estimate for queue manager", PERCENT, |before, now| {
                        ticks_to_percent(
                            now.own.system.saturating_sub(before.own.system),
                            now.micros_since(before),
                        )
                    }),
                    row("RAM total bytes - estimate for queue manager", MEGABYTES, |_, now| {
                        megabytes(now.own_memory)
                    }),
                ],
            },
        ],
    },
    Class {
        name: "DISK",
        description: "Platform persistent data stores",
        is_of_queues: false,
        counts_calls: false,
        types: &[
            Type {
                name: "QMgrSummary",
                description: "Disk usage - running queue managers",
                elements: &[
                    row("Queue Manager file system - bytes in use", MEGABYTES, |_, now| {
                        megabytes(used(now.files))
                    }),
                    row("Queue Manager file system - free space", PERCENT, |_, now| {
                        share(now.files.free, now.files.all)
                    }),
                ],
            },
            Type {
                name: "Log",
                description: "Disk usage - queue manager recovery log",
                elements: &[
                    row("Log - bytes in use", UNIT, |_, now| {
                        signed(now.storage.log_bytes.saturating_sub(now.storage.log_bytes_free))
                    }),
                    row("Log - bytes max", UNIT, |_, now| signed(now.storage.log_bytes)),
                    row("Log file system - bytes in use", UNIT, |_, now| signed(used(now.files))),
                    row("Log file system - bytes max", UNIT, |_, now| signed(now.files.all)),
                    row("Log - physical bytes written", DELTA, |before, now| {
                        added(before.storage.forced_bytes, now.storage.forced_bytes)
                    }),
                    row("Log - write latency", MICROSECONDS, |before, now| {
                        let (micros, writes) =
                            (now.writes.0 - before.writes.0, now.writes.1 - before.writes.1);
                        signed(micros.checked_div(writes).unwrap_or_default())
                    }),
                ],
            },
        ],
    },
    Class {
        name: "STATMQI",
        description: "API usage statistics",
        is_of_queues: false,
        counts_calls: true,
        types: &[
            Type {
                name: "CONNDISC",
                description: "MQCONN and MQDISC",
                elements: &[
                    row("MQCONN/MQCONNX count", DELTA, |before, now| {
                        added(before.calls.connects, now.calls.connects)
                    }),
                    row("Failed MQCONN/MQCONNX count", DELTA, |before, now| {
                        added(before.calls.connects_failed, now.calls.connects_failed)
                    }),
                    row("Concurrent connections - high water mark", UNIT, |_, now| {
                        signed(now.calls.connections_most)
                    }),
                    row("MQDISC count", DELTA, |before, now| {
                        added(before.calls.disconnects, now.calls.disconnects)
                    }),
                ],
            },
            Type {
                name: "OPENCLOSE",
                description: "MQOPEN and MQCLOSE",
                elements: &[
                    row("MQOPEN count", DELTA, |before, now| added(before.calls.opens, now.calls.opens)),
                    row("Failed MQOPEN count", DELTA, |before, now| {
                        added(before.calls.opens_failed, now.calls.opens_failed)
                    }),
                    row("MQCLOSE count", DELTA, |before, now| added(before.calls.closes, now.calls.closes)),
                    row("Failed MQCLOSE count", DELTA, |before, now| {
                        added(before.calls.closes_failed, now.calls.closes_failed)
                    }),
                ],
            },
            Type {
                name: "INQSET",
                description: "MQINQ and MQSET",
                elements: &[
                    row("MQINQ count", DELTA, |before, now| added(before.calls.inquires, now.calls.inquires)),
                    row("Failed MQINQ count", DELTA, |before, now| {
                        added(before.calls.inquires_failed, now.calls.inquires_failed)
                    }),
                    row("MQSET count", DELTA, |before, now| added(before.calls.sets, now.calls.sets)),
                    row("Failed MQSET count", DELTA, |before, now| {
                        added(before.calls.sets_failed, now.calls.sets_failed)
                    }),
                ],
            },
            Type {
                name: "PUT",
                description: "MQPUT",
                elements: &[
                    row("Interval total MQPUT/MQPUT1 count", DELTA, |before, now| {
                        let all = |reading: &Reading| reading.calls.puts.sum() + reading.calls.put1s.sum();
                        added(all(before), all(now))
                    }),
                    row("Interval total MQPUT/MQPUT1 byte count", DELTA, |before, now| {
                        added(before.calls.put_bytes.sum(), now.calls.put_bytes.sum())
                    }),
                    row("Non-persistent message MQPUT count", DELTA, |before, now| {
                        added(before.calls.puts.nonpersistent, now.calls.puts.nonpersistent)
                    }),
                    row("Persistent message MQPUT count", DELTA, |before, now| {
                        added(before.calls.puts.persistent, now.calls.puts.persistent)
                    }),
                    row("Failed MQPUT count", DELTA, |before, now| {
                        added(before.calls.puts_failed, now.calls.puts_failed)
                    }),
                    row("Non-persistent message MQPUT1 count", DELTA, |before, now| {
                        added(before.calls.put1s.nonpersistent, now.calls.put1s.nonpersistent)
                    }),
                    row("Persistent message MQPUT1 count", DELTA, |before, now| {
                        added(before.calls.put1s.persistent, now.calls.put1s.persistent)
                    }),
                    row("Failed MQPUT1 count", DELTA, |before, now| {
                        added(before.calls.put1s_failed, now.calls.put1s_failed)
                    }),
                    row("Put non-persistent messages - byte count", DELTA, |before, now| {
                        added(before.calls.put_bytes.nonpersistent, now.calls.put_bytes.nonpersistent)
                    }),
                    row("Put persistent messages - byte count", DELTA, |before, now| {
                        added(before.calls.put_bytes.persistent, now.calls.put_bytes.persistent)
                    }),
                ],
            },
            Type {
                name: "GET",
                description: "MQGET",
                elements: &[
                    row("Interval total destructive get- count", DELTA, |before, now| {
                        added(before.calls.gets.sum(), now.calls.gets.sum())
                    }),
                    row("Interval total destructive get - byte count", DELTA, |before, now| {
                        added(before.calls.get_bytes.sum(), now.calls.get_bytes.sum())
                    }),
                    row("Non-persistent message destructive get - count", DELTA, |before, now| {
                        added(before.calls.gets.nonpersistent, now.calls.gets.nonpersistent)
                    }),
                    row("Persistent message destructive get - count", DELTA, |before, now| {
                        added(before.calls.gets.persistent, now.calls.gets.persistent)
                    }),
                    row("Failed MQGET - count", DELTA, |before, now| {
                        added(before.calls.gets_failed, now.calls.gets_failed)
                    }),
                    row("Got non-persistent messages - byte count", DELTA, |before, now| {
                        added(before.calls.get_bytes.nonpersistent, now.calls.get_bytes.nonpersistent)
                    }),
                    row("Got persistent messages - byte count", DELTA, |before, now| {
                        added(before.calls.get_bytes.persistent, now.calls.get_bytes.persistent)
                    }),
                    row("Non-persistent message browse - count", DELTA, |before, now| {
                        added(before.calls.browses.nonpersistent, now.calls.browses.nonpersistent)
                    }),
                    row("Persistent message browse - count", DELTA, |before, now| {
                        added(before.calls.browses.persistent, now.calls.browses.persistent)
                    }),
                    row("Failed browse count", DELTA, |before, now| {
                        added(before.calls.browses_failed, now.calls.browses_failed)
                    }),
                    row("Non-persistent message browse - byte count", DELTA, |before, now| {
                        added(before.calls.browse_bytes.nonpersistent, now.calls.browse_bytes.nonpersistent)
                    }),
                    row("Persistent message browse - byte count", DELTA, |before, now| {
                        added(before.calls.browse_bytes.persistent, now.calls.browse_bytes.persistent)
                    }),
                    row("Expired message count", DELTA, |before, now| {
                        added(before.calls.expired, now.calls.expired)
                    }),
                ],
            },
            Type {
                name: "SYNCPOINT",
                description: "Commit and rollback",
                elements: &[
                    row("Commit count", DELTA, |before, now| added(before.calls.commits, now.calls.commits)),
                    row("Rollback count", DELTA, |before, now| {
                        added(before.calls.backouts, now.calls.backouts)
                    }),
                ],
            },
        ],
    },
    Class {
        name: "STATQ",
        description: "API per-queue usage statistics",
        is_of_queues: true,
        counts_calls: false,
        types: &[
            Type {
                name: "PUT",
                description: "MQPUT and MQPUT1",
                elements: &[of_queue("MQPUT/MQPUT1 count", DELTA, |queue| {
                    added(queue.before.puts, queue.now.puts)
                })],
            },
            Type {
                name: "GET",
                description: "MQGET",
                elements: &[of_queue("MQGET count", DELTA, |queue| added(queue.before.gets, queue.now.gets))],
            },
        ],
    },
];
