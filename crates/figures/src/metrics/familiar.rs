//! Names that dashboards made for other exporters ask for.
//!
//! Lives here: the names of figures of the interval, each with the row of `$SYS/MQ` that it prints. Names of
//! single queues and channels are in `page`.

use crate::row::Elements;
use crate::rows::CLASSES;
use crate::{Element, Manager};

/// A name and the row behind it.
pub(super) struct Familiar {
    /// The name, without `ibmmq_qmgr_` in front.
    pub(super) name: &'static str,
    class: &'static str,
    kind: &'static str,
    element: &'static str,
    /// The value is divided by this, and multiplied by `times`, to come to the unit in the name.
    pub(super) divisor: u64,
    pub(super) times: u64,
}

const fn row(
    name: &'static str,
    (class, kind, element): (&'static str, &'static str, &'static str),
    divisor: u64,
    times: u64,
) -> Familiar {
    Familiar { name, class, kind, element, divisor, times }
}

const MEGABYTE: u64 = 1 << 20;

/// Every name of the queue manager that is of an interval.
pub(super) static FAMILIAR: &[Familiar] = &[
    row("interval_mqput_mqput1_total_count", ("STATMQI", "PUT", "Interval total MQPUT/MQPUT1 count"), 1, 1),
    row(
        "put_non_persistent_messages_bytes",
        ("STATMQI", "PUT", "Put non-persistent messages - byte count"),
        1,
        1,
    ),
    row("put_persistent_messages_bytes", ("STATMQI", "PUT", "Put persistent messages - byte count"), 1, 1),
    row(
        "interval_destructive_get_total_count",
        ("STATMQI", "GET", "Interval total destructive get- count"),
        1,
        1,
    ),
    row(
        "non_persistent_message_browse_count",
        ("STATMQI", "GET", "Non-persistent message browse - count"),
        1,
        1,
    ),
    row("persistent_message_browse_count", ("STATMQI", "GET", "Persistent message browse - count"), 1, 1),
    row(
        "topic_mqput_mqput1_interval_total",
        ("STATMQI", "PUBLISH", "Topic MQPUT/MQPUT1 interval total"),
        1,
        1,
    ),
    row(
        "published_to_subscribers_message_count",
        ("STATMQI", "PUBLISH", "Published to subscribers - message count"),
        1,
        1,
    ),
    row(
        "create_non_durable_subscription",
        ("STATMQI", "SUBSCRIBE", "Create non-durable subscription count"),
        1,
        1,
    ),
    row(
        "non_durable_subscriber_high_water_mark",
        ("STATMQI", "SUBSCRIBE", "Non-durable subscriber - high water mark"),
        1,
        1,
    ),
    row(
        "non_durable_subscriber_low_water_mark",
        ("STATMQI", "SUBSCRIBE", "Non-durable subscriber - low water mark"),
        1,
        1,
    ),
    row("log_write_latency_seconds", ("DISK", "Log", "Log - write latency"), 1_000_000, 1),
    row("log_file_system_in_use_bytes", ("DISK", "Log", "Log file system - bytes in use"), 1, 1),
    row(
        "queue_manager_file_system_in_use_bytes",
        ("DISK", "QMgrSummary", "Queue Manager file system - bytes in use"),
        1,
        MEGABYTE,
    ),
    row(
        "mq_errors_file_system_free_space_percentage",
        ("DISK", "SystemSummary", "MQ errors file system - free space"),
        100,
        1,
    ),
    row("mq_fdc_file_count", ("DISK", "SystemSummary", "MQ FDC file count"), 1, 1),
    row("system_cpu_time_percentage", ("CPU", "SystemSummary", "System CPU time percentage"), 100, 1),
    row("user_cpu_time_percentage", ("CPU", "SystemSummary", "User CPU time percentage"), 100, 1),
];

impl Familiar {
    fn row(&self) -> &'static Element<Manager> {
        let kinds = CLASSES.iter().filter(|class| class.name == self.class).flat_map(|class| class.types);
        let rows = kinds.filter(|kind| kind.name == self.kind).flat_map(|kind| match kind.elements {
            Elements::OfManager(rows) => rows,
            Elements::OfQueue(_) => &[],
        });
        let mut rows = rows.filter(|row| row.description == self.element);
        rows.next().expect("a familiar name has a row below $SYS/MQ; a test looks at each")
    }
}

/// The values under familiar names for the interval between two readings.
#[must_use]
pub fn familiar_values(before: &Manager, now: &Manager) -> Vec<u64> {
    let value = |familiar: &Familiar| familiar.row().source.value(before, now);
    FAMILIAR.iter().map(|familiar| u64::try_from(value(familiar)).unwrap_or_default()).collect()
}
