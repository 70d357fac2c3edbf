//! Processors, memory, files and the recovery log.

use crate::readings::{Manager, Processor};
use crate::row::{Class, Counting, Elements, Type, Unit, added, between, level, mean, share};

/// The share of a part of the machine's processor time.
fn of_machine(before: &Manager, now: &Manager, part: fn(&Processor) -> u64) -> u64 {
    let part = part(&now.machine).saturating_sub(part(&before.machine));
    share(part, now.machine.all.saturating_sub(before.machine.all))
}

/// The queue manager's share of one processor.
fn of_own(before: &Manager, now: &Manager, part: fn(&Processor) -> u64) -> u64 {
    // Hundredths of a second, in microseconds.
    let used = part(&now.own).saturating_sub(part(&before.own)) * 10_000;
    share(used, now.micros.saturating_sub(before.micros))
}

const fn megabytes(bytes: u64) -> u64 {
    bytes >> 20
}

pub(super) const PROCESSOR: Class = Class {
    name: "CPU",
    description: "Platform central processing units",
    counting: Counting::None,
    types: &[
        Type {
            name: "SystemSummary",
            description: "CPU performance - platform wide",
            elements: Elements::OfManager(&[
                between("User CPU time percentage", Unit::Percent, |before, now| {
                    of_machine(before, now, |all| all.user)
                }),
                between("System CPU time percentage", Unit::Percent, |before, now| {
                    of_machine(before, now, |all| all.system)
                }),
                level("CPU load - one minute average", Unit::Hundredths, |now| now.loads[0]),
                level("CPU load - five minute average", Unit::Hundredths, |now| now.loads[1]),
                level("CPU load - fifteen minute average", Unit::Hundredths, |now| now.loads[2]),
                level("RAM free percentage", Unit::Percent, |now| share(now.memory.free, now.memory.all)),
                level("RAM total bytes", Unit::Megabytes, |now| megabytes(now.memory.all)),
            ]),
        },
        Type {
            name: "QMgrSummary",
            description: "CPU performance - running queue manager",
            elements: Elements::OfManager(&[
                between(
                    "User CPU time - percentage estimate for queue manager",
                    Unit::Percent,
                    |before, now| of_own(before, now, |own| own.user),
                ),
                between(
                    "System CPU time - percentage estimate for queue manager",
                    Unit::Percent,
                    |before, now| of_own(before, now, |own| own.system),
                ),
                level("RAM total bytes - estimate for queue manager", Unit::Megabytes, |now| {
                    megabytes(now.own_memory)
                }),
            ]),
        },
    ],
};

pub(super) const DISK: Class = Class {
    name: "DISK",
    description: "Platform persistent data stores",
    counting: Counting::None,
    types: &[
        Type {
            name: "SystemSummary",
            description: "Disk usage - platform wide",
            elements: Elements::OfManager(&[
                level("MQ errors file system - bytes in use", Unit::Megabytes, |now| {
                    megabytes(now.error_files.used())
                }),
                level("MQ errors file system - free space", Unit::Percent, |now| {
                    share(now.error_files.free, now.error_files.all)
                }),
                level("MQ FDC file count", Unit::Number, |now| now.failures),
            ]),
        },
        Type {
            name: "QMgrSummary",
            description: "Disk usage - running queue managers",
            elements: Elements::OfManager(&[
                level("Queue Manager file system - bytes in use", Unit::Megabytes, |now| {
                    megabytes(now.files.used())
                }),
                level("Queue Manager file system - free space", Unit::Percent, |now| {
                    share(now.files.free, now.files.all)
                }),
            ]),
        },
        Type {
            name: "Log",
            description: "Disk usage - queue manager recovery log",
            elements: Elements::OfManager(&[
                level("Log - bytes in use", Unit::Number, |now| {
                    now.log.bytes.saturating_sub(now.log.bytes_free)
                }),
                level("Log - bytes max", Unit::Number, |now| now.log.bytes),
                level("Log file system - bytes in use", Unit::Number, |now| now.log.files.used()),
                level("Log file system - bytes max", Unit::Number, |now| now.log.files.all),
                level("Log file system - free space", Unit::Percent, |now| {
                    share(now.log.files.free, now.log.files.all)
                }),
                added("Log - physical bytes written", |now| now.log.write_bytes),
                between("Log - write latency", Unit::Microseconds, |before, now| {
                    mean(
                        now.log.write_micros.saturating_sub(before.log.write_micros),
                        now.log.writes.saturating_sub(before.log.writes),
                    )
                }),
                between("Log - write size", Unit::Number, |before, now| {
                    mean(
                        now.log.write_bytes.saturating_sub(before.log.write_bytes),
                        now.log.writes.saturating_sub(before.log.writes),
                    )
                }),
                level("Log - slowest write since restart", Unit::Microseconds, |now| now.log.slowest_micros),
                level("Log - timestamp of slowest write", Unit::Moment, |now| now.log.slowest_at),
                level("Log - disk written log sequence number", Unit::Position, |now| now.log.durable),
                level("Log - current primary space in use", Unit::Percent, |now| {
                    share(now.log.restart_bytes, now.log.primary_bytes)
                }),
                level("Log - workload primary space utilization", Unit::Percent, |now| {
                    share(now.log.restart_bytes_mean, now.log.primary_bytes)
                }),
                level("Log - bytes required for media recovery", Unit::Megabytes, |now| {
                    now.log.media_bytes.div_ceil(1 << 20)
                }),
                level("Log - bytes occupied by reusable extents", Unit::Megabytes, |now| {
                    megabytes(now.log.ready_bytes)
                }),
            ]),
        },
    ],
};
