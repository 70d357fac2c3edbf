//! Readings: every number that a figure is made of, at one moment.
//!
//! Always: a counter only goes up while the queue manager runs.

/// Microseconds by which durable writes are told apart.
pub const FORCE_BOUNDS: [u64; 10] = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 1_000_000];

/// The machine, the disk and the queue manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manager {
    /// When it was read, in microseconds of a clock that only goes on.
    pub micros: u64,
    /// Processor time of the machine.
    pub machine: Processor,
    /// Processor time of the queue manager.
    pub own: Processor,
    /// Averages of the load over one, five and fifteen minutes, in hundredths.
    pub loads: [u64; 3],
    /// Memory of the machine.
    pub memory: Room,
    /// Bytes of memory of the queue manager.
    pub own_memory: u64,
    /// The file system of the queue manager's data.
    pub files: Room,
    /// The file system of its error log.
    pub error_files: Room,
    /// Records of first failures in the folder of the error log.
    pub failures: u64,
    /// The recovery log.
    pub log: Log,
    /// Calls of all programs.
    pub calls: Calls,
    /// Units of work.
    pub units: Units,
    /// The process.
    pub process: Process,
}

/// The process of the queue manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// When it began to start, in microseconds since 1970.
    pub started_micros: u64,
    /// Connections.
    pub connections: u64,
    /// Listeners that accept programs, local ones included.
    pub listeners: u64,
    /// Listeners that are to run with the queue manager and could not start.
    pub failed_listeners: u64,
    /// Bytes of message bodies in memory.
    pub message_bytes: u64,
    /// Bytes of spill files.
    pub spill_bytes: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// Requests that the rules of authority refused.
    pub refusals: u64,
    /// Entries of the error log: information, warnings, errors.
    pub events: [u64; 3],
    /// Most channels that may be current.
    pub channels_max: u64,
    /// Most channels that may run.
    pub channels_active_max: u64,
}

/// Processor time in hundredths of a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// In programs.
    pub user: u64,
    /// In the system.
    pub system: u64,
    /// In all, with idle time.
    pub all: u64,
}

/// Bytes of a memory or a file system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// In all.
    pub all: u64,
    /// Free.
    pub free: u64,
}

/// The recovery log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Bytes of its extents.
    pub bytes: u64,
    /// Bytes of them that can still be promised.
    pub bytes_free: u64,
    /// True while the disk takes no more, so that puts are refused.
    pub is_disk_full: bool,
    /// The file system of its extents.
    pub files: Room,
    /// The position to which it is durable.
    pub durable: u64,
    /// Durable writes.
    pub writes: u64,
    /// Bytes of them.
    pub write_bytes: u64,
    /// Microseconds that they took.
    pub write_micros: u64,
    /// Microseconds that the slowest took.
    pub slowest_micros: u64,
    /// When the slowest ended, in microseconds since 1970; 0 before the first.
    pub slowest_at: u64,
    /// Durable writes by the time they took: as many as took no longer than each of [`FORCE_BOUNDS`] and
    /// longer than the one before; last, those that took longer than all.
    pub writes_within: [u64; FORCE_BOUNDS.len() + 1],
    /// Bytes that images need; 0 without images.
    pub media_bytes: u64,
    /// Bytes of extents that are ready to be written.
    pub ready_bytes: u64,
    /// Bytes of its primary extents.
    pub primary_bytes: u64,
    /// Bytes that a restart reads.
    pub restart_bytes: u64,
    /// Bytes that a restart would have read at the latest checkpoints, on average.
    pub restart_bytes_mean: u64,
}

/// A count of messages that are not persistent, and of those that are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Both {
    /// Not persistent.
    pub nonpersistent: u64,
    /// Persistent.
    pub persistent: u64,
}

impl Both {
    /// Both together.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.nonpersistent + self.persistent
    }
}

/// Messages that came and went, and calls that were refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// MQPUT.
    pub puts: Both,
    /// MQPUT that failed.
    pub puts_failed: u64,
    /// MQPUT1.
    pub put1s: Both,
    /// MQPUT1 that failed.
    pub put1s_failed: u64,
    /// Bytes of both.
    pub put_bytes: Both,
    /// MQGET that took a message.
    pub gets: Both,
    /// MQGET that took none.
    pub gets_failed: u64,
    /// MQGET that took none since there was none.
    pub gets_without_message: u64,
    /// MQGET that took none since it was too long.
    pub gets_truncated: u64,
    /// Bytes taken.
    pub get_bytes: Both,
    /// MQGET that browsed a message.
    pub browses: Both,
    /// MQGET that browsed none.
    pub browses_failed: u64,
    /// MQGET that browsed none since there was none.
    pub browses_without_message: u64,
    /// MQGET that browsed a part, since the message was too long.
    pub browses_truncated: u64,
    /// Bytes browsed.
    pub browse_bytes: Both,
}

/// Calls of all programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Connections made.
    pub connects: u64,
    /// Connections refused.
    pub connects_failed: u64,
    /// Connections that ended.
    pub disconnects: u64,
    /// The most connections at one time since the reading before.
    pub connections_most: u64,
    /// MQOPEN.
    pub opens: u64,
    /// MQOPEN that failed.
    pub opens_failed: u64,
    /// MQCLOSE.
    pub closes: u64,
    /// MQCLOSE that failed.
    pub closes_failed: u64,
    /// MQINQ.
    pub inquires: u64,
    /// MQINQ that failed.
    pub inquires_failed: u64,
    /// MQSET.
    pub sets: u64,
    /// MQSET that failed.
    pub sets_failed: u64,
    /// Messages.
    pub traffic: Traffic,
    /// MQSTAT.
    pub status_calls: u64,
    /// MQCMIT.
    pub commits: u64,
    /// MQCMIT that failed.
    pub commits_failed: u64,
    /// MQBACK.
    pub backouts: u64,
    /// Messages that expired.
    pub expired: u64,
    /// Queues that were emptied by a command, or deleted with their messages.
    pub queues_purged: u64,
    /// MQPUT and MQPUT1 to topics.
    pub topic_puts: Both,
    /// Publications by topic that failed.
    pub topic_puts_failed: u64,
    /// Bytes of those that did not.
    pub topic_put_bytes: u64,
    /// Publications that subscriptions were given.
    pub delivered: u64,
    /// MQSUB that made a subscription: one that is not durable, and one that is.
    pub subscriptions_made: [u64; 2],
    /// MQSUB that altered a durable subscription.
    pub subscriptions_altered: u64,
    /// MQSUB that took a durable subscription into use again.
    pub subscriptions_resumed: u64,
    /// MQSUB that failed.
    pub subscribes_failed: u64,
    /// Subscriptions of programs that ended, likewise.
    pub subscriptions_ended: [u64; 2],
    /// MQCLOSE that was to end a subscription and did not.
    pub removals_failed: u64,
    /// MQSUBRQ.
    pub requests: u64,
    /// MQSUBRQ that failed.
    pub requests_failed: u64,
    /// Subscriptions since the reading before, likewise.
    pub subscriptions: [SubscriptionMarks; 2],
}

/// The most and the fewest subscriptions there were at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionMarks {
    /// The most.
    pub high: u64,
    /// The fewest.
    pub low: u64,
}

/// One queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Messages on it.
    pub depth: u64,
    /// Handles that are open for input.
    pub input_handles: u64,
    /// Handles that are open for output.
    pub output_handles: u64,
    /// Handles that are open to browse.
    pub browse_handles: u64,
    /// Messages put since the start, with any outcome of their units of work.
    pub puts: u64,
    /// Messages got since the start, likewise.
    pub gets: u64,
    /// Messages that expired.
    pub expired: u64,
    /// Times that it was emptied by a command.
    pub purged: u64,
    /// Messages put that a backout took back.
    pub puts_backed_out: u64,
    /// Messages got that a backout gave back.
    pub gets_backed_out: u64,
    /// Messages put that a getter waited for, and that never stood on it.
    pub not_queued: u64,
    /// Messages got of which it is known how long they were on it.
    pub waited: u64,
    /// Microseconds that these were on it, together.
    pub waited_micros: u64,
    /// MQOPEN.
    pub opens: u64,
    /// MQCLOSE.
    pub closes: u64,
    /// MQINQ.
    pub inquires: u64,
    /// MQSET.
    pub sets: u64,
    /// Messages.
    pub traffic: Traffic,
    /// MAXDEPTH.
    pub depth_max: u64,
    /// Bytes of the messages on it.
    pub bytes: u64,
    /// Messages put or got by units of work that are open.
    pub uncommitted: u64,
    /// Seconds since the oldest message arrived that can be got.
    pub oldest_seconds: u64,
    /// When a message was put last, in microseconds since 1970; 0 for never since the start.
    pub last_put_micros: u64,
    /// When a message was got last, likewise.
    pub last_get_micros: u64,
    /// True for a transmission queue.
    pub is_transmission: bool,
}

/// A figure that is averaged over a short and a long time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Average {
    /// Over the last few.
    pub short: u64,
    /// Over many.
    pub long: u64,
}

/// One channel that is defined, whether it runs or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channel {
    /// Instances that run.
    pub running: u64,
    /// Instances that a command ends.
    pub ending: u64,
    /// Instances that begin; 1 for a channel whose instance is about to.
    pub changing: u64,
    /// 1 while it waits for its next try.
    pub retrying: u64,
    /// 1 while it is stopped, by a command or a fault.
    pub stopped: u64,
    /// 1 while it is none of these.
    pub inactive: u64,
    /// 1 while a fault keeps it stopped.
    pub halted: u64,
    /// Messages sent or received since the start; of clients also calls.
    pub messages: u64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Writes to its connections.
    pub buffers_sent: u64,
    /// Reads from them.
    pub buffers_received: u64,
    /// Batches that ended.
    pub batches: u64,
    /// Faults after which it tries again.
    pub retries: u64,
    /// Messages of a batch.
    pub batch_messages: Average,
    /// Microseconds from the end of a batch to its confirmation.
    pub net_micros: Average,
    /// Microseconds that messages waited on the transmission queue.
    pub wait_micros: Average,
    /// Per cent that compression saves.
    pub compression_percent: u64,
    /// When the last message went or came, in microseconds since 1970; 0 for never since the start.
    pub last_message_micros: u64,
    /// Messages in doubt.
    pub in_doubt: u64,
    /// Seconds without a connection while messages are in doubt.
    pub in_doubt_seconds: u64,
    /// Messages on its transmission queue.
    pub waiting: u64,
    /// MAXINST.
    pub instances_max: u64,
    /// MAXINSTC.
    pub client_instances_max: u64,
}

/// One topic that is in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// Handles of programs that publish to it.
    pub publishers: u64,
    /// Subscriptions with its topic string.
    pub subscribers: u64,
    /// Publications to it.
    pub published: u64,
    /// Publications that those subscriptions were given.
    pub received: u64,
    /// When a publication to it was last, in microseconds since 1970; 0 for never.
    pub last_published_micros: u64,
    /// When such a subscription was last given one, likewise.
    pub last_received_micros: u64,
}

/// One subscription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Subscription {
    /// Publications that it was given since the start.
    pub messages: u64,
    /// When it was last given one, in microseconds since 1970; 0 for never.
    pub last_message_micros: u64,
}

/// Units of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Open.
    pub open: u64,
    /// Branches that are prepared, and wait for a decision.
    pub in_doubt: u64,
    /// Seconds since the oldest of these was prepared.
    pub in_doubt_seconds: u64,
    /// Batches of message channels that are prepared, and wait for an answer.
    pub batches_in_doubt: u64,
    /// Age of the oldest open one in seconds.
    pub oldest_seconds: u64,
}

impl Room {
    /// Bytes in use.
    #[must_use]
    pub const fn used(self) -> u64 {
        self.all.saturating_sub(self.free)
    }
}
