//! The rows: every family that a page shows. Names are never used again for another meaning.

use super::family::{Family, Kind, Scale, Series};
use crate::readings::{Channel, FORCE_BOUNDS, Manager, Queue, Subscription, Topic};

const fn counter<R>(name: &'static str, help: &'static str, series: &'static [Series<R>]) -> Family<R> {
    Family { name, kind: Kind::Counter, help, series }
}

const fn gauge<R>(name: &'static str, help: &'static str, series: &'static [Series<R>]) -> Family<R> {
    Family { name, kind: Kind::Gauge, help, series }
}

const fn of<R>(labels: &'static [(&'static str, &'static str)], value: fn(&R) -> u64) -> Series<R> {
    Series { suffix: "", labels, scale: Scale::One, value }
}

const fn one<R>(value: fn(&R) -> u64) -> Series<R> {
    of(&[], value)
}

const fn micros_of<R>(labels: &'static [(&'static str, &'static str)], value: fn(&R) -> u64) -> Series<R> {
    Series { suffix: "", labels, scale: Scale::Micros, value }
}

const fn micros<R>(value: fn(&R) -> u64) -> Series<R> {
    micros_of(&[], value)
}

const fn hundredths<R>(labels: &'static [(&'static str, &'static str)], value: fn(&R) -> u64) -> Series<R> {
    Series { suffix: "", labels, scale: Scale::Hundredths, value }
}

/// The labels of calls that carry messages.
macro_rules! call {
    ($call:literal, $persistence:literal, $result:literal) => {
        &[("call", $call), ("persistence", $persistence), ("result", $result)]
    };
}

/// The place of a durable subscription in a count of both.
const DURABLE: usize = 1;
/// The place of the others.
const BRIEF: usize = 0;

/// Of the queue manager.
pub static MANAGER: &[Family<Manager>] = &[
    gauge(
        "start_time_seconds",
        "Time of the start, in seconds since 1970.",
        &[micros(|now| now.process.started_micros)],
    ),
    gauge("connections", "Connections of programs.", &[one(|now| now.process.connections)]),
    gauge(
        "listeners",
        "Listeners that accept programs, local ones included.",
        &[one(|now| now.process.listeners)],
    ),
    gauge(
        "listeners_failed",
        "Listeners that are to run with the queue manager and could not start.",
        &[one(|now| now.process.failed_listeners)],
    ),
    gauge(
        "channels_max",
        "Most channels that may be current, and that may run at a time.",
        &[
            of(&[("limit", "current")], |now| now.process.channels_max),
            of(&[("limit", "active")], |now| now.process.channels_active_max),
        ],
    ),
    counter(
        "calls",
        "Calls of programs, by call, persistence of the message and result.",
        &[
            of(call!("put", "persistent", "done"), |now| now.calls.traffic.puts.persistent),
            of(call!("put", "nonpersistent", "done"), |now| now.calls.traffic.puts.nonpersistent),
            of(call!("put", "", "failed"), |now| now.calls.traffic.puts_failed),
            of(call!("put1", "persistent", "done"), |now| now.calls.traffic.put1s.persistent),
            of(call!("put1", "nonpersistent", "done"), |now| now.calls.traffic.put1s.nonpersistent),
            of(call!("put1", "", "failed"), |now| now.calls.traffic.put1s_failed),
            of(call!("get", "persistent", "done"), |now| now.calls.traffic.gets.persistent),
            of(call!("get", "nonpersistent", "done"), |now| now.calls.traffic.gets.nonpersistent),
            of(call!("get", "", "failed"), |now| {
                let gets = &now.calls.traffic;
                gets.gets_failed.saturating_sub(gets.gets_without_message)
            }),
            of(call!("get", "", "empty"), |now| now.calls.traffic.gets_without_message),
            of(call!("browse", "persistent", "done"), |now| now.calls.traffic.browses.persistent),
            of(call!("browse", "nonpersistent", "done"), |now| now.calls.traffic.browses.nonpersistent),
            of(call!("browse", "", "failed"), |now| {
                let browses = &now.calls.traffic;
                browses.browses_failed.saturating_sub(browses.browses_without_message)
            }),
            of(call!("browse", "", "empty"), |now| now.calls.traffic.browses_without_message),
            of(call!("connect", "", "done"), |now| now.calls.connects),
            of(call!("connect", "", "failed"), |now| now.calls.connects_failed),
            of(call!("disconnect", "", "done"), |now| now.calls.disconnects),
            of(call!("open", "", "done"), |now| now.calls.opens),
            of(call!("open", "", "failed"), |now| now.calls.opens_failed),
            of(call!("close", "", "done"), |now| now.calls.closes),
            of(call!("close", "", "failed"), |now| now.calls.closes_failed),
            of(call!("inquire", "", "done"), |now| now.calls.inquires),
            of(call!("inquire", "", "failed"), |now| now.calls.inquires_failed),
            of(call!("set", "", "done"), |now| now.calls.sets),
            of(call!("set", "", "failed"), |now| now.calls.sets_failed),
            of(call!("commit", "", "done"), |now| now.calls.commits),
            of(call!("commit", "", "failed"), |now| now.calls.commits_failed),
            of(call!("backout", "", "done"), |now| now.calls.backouts),
        ],
    ),
    counter(
        "message_bytes",
        "Bytes of the messages that calls carried.",
        &[
            of(&[("call", "put")], |now| now.calls.traffic.put_bytes.sum()),
            of(&[("call", "get")], |now| now.calls.traffic.get_bytes.sum()),
            of(&[("call", "browse")], |now| now.calls.traffic.browse_bytes.sum()),
        ],
    ),
    counter("expired", "Messages that expired.", &[one(|now| now.calls.expired)]),
    counter("refusals", "Requests that the rules of authority refused.", &[one(|now| now.process.refusals)]),
    counter(
        "units",
        "Units of work that ended, by their end.",
        &[
            of(&[("end", "commit")], |now| now.calls.commits),
            of(&[("end", "backout")], |now| now.calls.backouts),
        ],
    ),
    gauge("units_open", "Units of work that are open.", &[one(|now| now.units.open)]),
    gauge(
        "unit_oldest_seconds",
        "Age of the oldest open unit of work.",
        &[one(|now| now.units.oldest_seconds)],
    ),
    gauge(
        "units_in_doubt",
        "Branches of transactions that are prepared and wait for a decision.",
        &[one(|now| now.units.in_doubt)],
    ),
    gauge(
        "unit_in_doubt_oldest_seconds",
        "Time since the oldest branch that waits for a decision was prepared.",
        &[one(|now| now.units.in_doubt_seconds)],
    ),
    gauge(
        "batches_in_doubt",
        "Batches of message channels that wait for the answer of a partner.",
        &[one(|now| now.units.batches_in_doubt)],
    ),
    Family {
        name: "log_write_seconds",
        kind: Kind::Histogram,
        help: "Time that durable writes of the recovery log took.",
        series: LOG_WRITES,
    },
    counter("log_written_bytes", "Bytes written to the recovery log.", &[one(|now| now.log.write_bytes)]),
    gauge(
        "log_bytes",
        "Bytes of the recovery log.",
        &[
            of(&[("state", "used")], |now| now.log.bytes.saturating_sub(now.log.bytes_free)),
            of(&[("state", "free")], |now| now.log.bytes_free),
        ],
    ),
    gauge(
        "log_restart_bytes",
        "Bytes of the recovery log that a restart would read.",
        &[one(|now| now.log.restart_bytes)],
    ),
    counter("checkpoints", "Checkpoints.", &[one(|now| now.process.checkpoints)]),
    gauge(
        "disk_bytes",
        "Size of the file system.",
        &[
            of(&[("of", "data")], |now| now.files.all),
            of(&[("of", "log")], |now| now.log.files.all),
            of(&[("of", "errors")], |now| now.error_files.all),
        ],
    ),
    gauge(
        "disk_free_bytes",
        "Free bytes of the file system.",
        &[
            of(&[("of", "data")], |now| now.files.free),
            of(&[("of", "log")], |now| now.log.files.free),
            of(&[("of", "errors")], |now| now.error_files.free),
        ],
    ),
    gauge(
        "memory_bytes",
        "Memory of the process, and of message bodies in it.",
        &[
            of(&[("of", "process")], |now| now.own_memory),
            of(&[("of", "messages")], |now| now.process.message_bytes),
        ],
    ),
    counter(
        "cpu_seconds",
        "Processor time of the queue manager.",
        &[
            hundredths(&[("mode", "user")], |now| now.own.user),
            hundredths(&[("mode", "system")], |now| now.own.system),
        ],
    ),
    gauge(
        "spill_bytes",
        "Bytes of non-persistent messages that were spilled to disk.",
        &[one(|now| now.process.spill_bytes)],
    ),
    counter(
        "events",
        "Entries of the error log, by severity.",
        &[
            of(&[("severity", "information")], |now| now.process.events[0]),
            of(&[("severity", "warning")], |now| now.process.events[1]),
            of(&[("severity", "error")], |now| now.process.events[2]),
        ],
    ),
    gauge(
        "failure_records",
        "First-failure records in the folder of the error log.",
        &[one(|now| now.failures)],
    ),
    counter(
        "published",
        "Publications, by persistence.",
        &[
            of(&[("persistence", "persistent")], |now| now.calls.topic_puts.persistent),
            of(&[("persistence", "nonpersistent")], |now| now.calls.topic_puts.nonpersistent),
        ],
    ),
    counter("deliveries", "Publications that subscriptions were given.", &[one(|now| now.calls.delivered)]),
    gauge(
        "subscriptions",
        "Subscriptions.",
        &[
            of(&[("durable", "yes")], |now| now.calls.subscriptions[DURABLE].high),
            of(&[("durable", "no")], |now| now.calls.subscriptions[BRIEF].high),
        ],
    ),
];

/// Of all queues together, those that have no series of their own included.
pub static QUEUES: &[Family<Queue>] = &[
    gauge("queues_depth", "Messages on all queues.", &[one(|sum| sum.depth)]),
    gauge("queues_bytes", "Bytes of the messages on all queues.", &[one(|sum| sum.bytes)]),
    counter("queues_puts", "Messages put on all queues.", &[one(|sum| sum.puts)]),
    counter("queues_gets", "Messages got from all queues.", &[one(|sum| sum.gets)]),
];

/// Of one queue.
pub static QUEUE: &[Family<Queue>] = &[
    gauge("queue_depth", "Messages on the queue.", &[one(|now| now.depth)]),
    gauge("queue_depth_max", "Most messages that the queue takes (MAXDEPTH).", &[one(|now| now.depth_max)]),
    gauge("queue_bytes", "Bytes of the messages on the queue.", &[one(|now| now.bytes)]),
    gauge(
        "queue_uncommitted",
        "Messages put or got by units of work that are open.",
        &[one(|now| now.uncommitted)],
    ),
    gauge(
        "queue_oldest_seconds",
        "Age of the oldest message that can be got.",
        &[one(|now| now.oldest_seconds)],
    ),
    gauge(
        "queue_handles",
        "Handles of programs on the queue.",
        &[
            of(&[("for", "input")], |now| now.input_handles),
            of(&[("for", "output")], |now| now.output_handles),
            of(&[("for", "browse")], |now| now.browse_handles),
        ],
    ),
    counter("queue_puts", "Messages put on the queue.", &[one(|now| now.puts)]),
    counter("queue_gets", "Messages got from the queue.", &[one(|now| now.gets)]),
    gauge(
        "queue_last_put_seconds",
        "Time of the last put in seconds since 1970; 0 before the first.",
        &[micros(|now| now.last_put_micros)],
    ),
    gauge(
        "queue_last_get_seconds",
        "Time of the last get in seconds since 1970; 0 before the first.",
        &[micros(|now| now.last_get_micros)],
    ),
];

/// The labels of figures that are averaged.
macro_rules! averaged {
    ($series:ident, $figure:ident) => {
        &[
            $series(&[("term", "short")], |now| now.$figure.short),
            $series(&[("term", "long")], |now| now.$figure.long),
        ]
    };
}

/// Of one channel.
pub static CHANNEL: &[Family<Channel>] = &[
    gauge(
        "channel_status",
        "Instances of the channel, by status; 1 for a channel without any, at its own.",
        &[
            of(&[("status", "running")], |now| now.running),
            of(&[("status", "stopping")], |now| now.ending),
            of(&[("status", "retrying")], |now| now.retrying),
            of(&[("status", "stopped")], |now| now.stopped),
            of(&[("status", "inactive")], |now| now.inactive),
            of(&[("status", "changing")], |now| now.changing),
        ],
    ),
    gauge("channel_halted", "1 while a fault keeps the channel stopped.", &[one(|now| now.halted)]),
    counter(
        "channel_messages",
        "Messages sent or received; of clients also calls.",
        &[one(|now| now.messages)],
    ),
    counter(
        "channel_bytes",
        "Bytes of the channel's connections.",
        &[of(&[("way", "sent")], |now| now.bytes_sent), of(&[("way", "received")], |now| now.bytes_received)],
    ),
    counter(
        "channel_buffers",
        "Writes to the channel's connections, and reads from them.",
        &[
            of(&[("way", "sent")], |now| now.buffers_sent),
            of(&[("way", "received")], |now| now.buffers_received),
        ],
    ),
    counter("channel_batches", "Batches that ended.", &[one(|now| now.batches)]),
    counter("channel_retries", "Faults after which the channel tries again.", &[one(|now| now.retries)]),
    gauge("channel_batch_messages", "Messages of a batch.", averaged!(of, batch_messages)),
    gauge(
        "channel_net_seconds",
        "Time from the end of a batch to its confirmation, without the receiver's own.",
        averaged!(micros_of, net_micros),
    ),
    gauge(
        "channel_wait_seconds",
        "Time that messages waited on the transmission queue.",
        averaged!(micros_of, wait_micros),
    ),
    gauge(
        "channel_compression_ratio",
        "Part of the bytes that compression saves.",
        &[hundredths(&[], |now| now.compression_percent)],
    ),
    gauge(
        "channel_last_message_seconds",
        "Time of the last message in seconds since 1970; 0 before the first.",
        &[micros(|now| now.last_message_micros)],
    ),
    gauge("channel_in_doubt", "Messages of batches in doubt.", &[one(|now| now.in_doubt)]),
    gauge(
        "channel_in_doubt_seconds",
        "Time without a connection while messages are in doubt.",
        &[one(|now| now.in_doubt_seconds)],
    ),
    gauge("channel_waiting", "Messages on the channel's transmission queue.", &[one(|now| now.waiting)]),
    gauge(
        "channel_instances_max",
        "Most instances of the channel of clients, and most of one client (MAXINST, MAXINSTC).",
        &[
            of(&[("of", "channel")], |now| now.instances_max),
            of(&[("of", "client")], |now| now.client_instances_max),
        ],
    ),
];

/// Of one topic.
pub static TOPIC: &[Family<Topic>] = &[
    gauge("topic_publishers", "Handles of programs that publish to the topic.", &[one(|now| now.publishers)]),
    gauge(
        "topic_subscribers",
        "Subscriptions with the topic string of the topic.",
        &[one(|now| now.subscribers)],
    ),
    counter(
        "topic_messages",
        "Publications to the topic, and those that subscriptions with its topic string received.",
        &[of(&[("way", "published")], |now| now.published), of(&[("way", "received")], |now| now.received)],
    ),
    gauge(
        "topic_last_message_seconds",
        "Time of the last of them in seconds since 1970; 0 before the first.",
        &[
            micros_of(&[("way", "published")], |now| now.last_published_micros),
            micros_of(&[("way", "received")], |now| now.last_received_micros),
        ],
    ),
];

/// Of one subscription.
pub static SUBSCRIPTION: &[Family<Subscription>] = &[
    counter(
        "subscription_messages",
        "Publications that the subscription received.",
        &[one(|now| now.messages)],
    ),
    gauge(
        "subscription_last_message_seconds",
        "Time of the last in seconds since 1970; 0 before the first.",
        &[micros(|now| now.last_message_micros)],
    ),
];

const fn writes_within(
    bound: &'static [(&'static str, &'static str)],
    value: fn(&Manager) -> u64,
) -> Series<Manager> {
    Series { suffix: "_bucket", labels: bound, scale: Scale::One, value }
}

/// Writes that took no longer than the bound of this place.
fn within(now: &Manager, place: usize) -> u64 {
    now.log.writes_within[..=place].iter().sum()
}

/// The bounds as labels: those of [`FORCE_BOUNDS`], in seconds.
static LOG_WRITES: &[Series<Manager>] = &[
    writes_within(&[("le", "0.0001")], |now| within(now, 0)),
    writes_within(&[("le", "0.00025")], |now| within(now, 1)),
    writes_within(&[("le", "0.0005")], |now| within(now, 2)),
    writes_within(&[("le", "0.001")], |now| within(now, 3)),
    writes_within(&[("le", "0.0025")], |now| within(now, 4)),
    writes_within(&[("le", "0.005")], |now| within(now, 5)),
    writes_within(&[("le", "0.01")], |now| within(now, 6)),
    writes_within(&[("le", "0.025")], |now| within(now, 7)),
    writes_within(&[("le", "0.1")], |now| within(now, 8)),
    writes_within(&[("le", "1")], |now| within(now, 9)),
    writes_within(&[("le", "+Inf")], |now| within(now, FORCE_BOUNDS.len())),
    Series { suffix: "_sum", labels: &[], scale: Scale::Micros, value: |now| now.log.write_micros },
    Series { suffix: "_count", labels: &[], scale: Scale::One, value: |now| within(now, FORCE_BOUNDS.len()) },
];

/// The values of all series in a reading, in order.
fn values<R>(families: &[Family<R>], reading: &R) -> Vec<u64> {
    families.iter().flat_map(|family| family.series).map(|series| (series.value)(reading)).collect()
}

/// The values of the queue manager's own series.
#[must_use]
pub fn manager_values(reading: &Manager) -> Vec<u64> {
    values(MANAGER, reading)
}

/// The values of the series of one queue.
#[must_use]
pub fn queue_values(reading: &Queue) -> Vec<u64> {
    values(QUEUE, reading)
}

/// The values of the series of all queues together.
#[must_use]
pub fn sum_values(sum: &Queue) -> Vec<u64> {
    values(QUEUES, sum)
}

/// The values of the series of one channel.
#[must_use]
pub fn channel_values(reading: &Channel) -> Vec<u64> {
    values(CHANNEL, reading)
}

/// The values of the series of one topic.
#[must_use]
pub fn topic_values(reading: &Topic) -> Vec<u64> {
    values(TOPIC, reading)
}

/// The values of the series of one subscription.
#[must_use]
pub fn subscription_values(reading: &Subscription) -> Vec<u64> {
    values(SUBSCRIPTION, reading)
}
