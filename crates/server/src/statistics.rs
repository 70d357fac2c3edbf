//! The counters of the process, for its administrators.

use channel::client::{Counter, ObjectStatistics};
use security::{Object, ObjectKind, Principal};

use crate::monitoring;
use crate::serving::Common;

/// Returns the present counts, and those of the queues that the reader may display.
pub(crate) fn tell(common: &Common, reader: &Principal) -> channel::Statistics {
    let (writes, micros) = common.host.writes.totals();
    let seconds = common.started.elapsed().as_secs();
    let storage = common.queue_manager.log().statistics();
    let counters = [
        ("uptime_seconds", seconds),
        ("connections", common.queue_manager.figures().connections() as u64),
        ("log_durable_position", common.queue_manager.durable().lsn().0),
        ("log_writes", writes),
        ("log_write_microseconds", micros),
        ("log_bytes_written", storage.forced_bytes),
        ("log_records", storage.records),
        ("log_write_microseconds_mean", storage.force_micros_mean),
        ("log_write_microseconds_max", storage.force_micros_max),
        ("log_bytes", storage.log_bytes),
        ("log_bytes_free", storage.log_bytes_free),
        ("checkpoints", storage.checkpoints),
        ("store_messages", storage.segment_messages),
        ("spill_bytes", storage.spill_bytes),
        ("message_bytes_in_memory", common.queue_manager.figures().memory_used()),
        ("resident_bytes", monitoring::resident_bytes()),
    ];
    let shown = common.queue_manager.figures().queue_counters().into_iter().filter(|(name, _)| {
        common.queue_manager.may_display(reader, Object::named(ObjectKind::Queue, *name))
    });
    let queues = shown.map(|(name, used)| ObjectStatistics {
        name: name.to_string(),
        counters: named([
            ("puts", used.puts),
            ("gets", used.gets),
            ("handed_over", used.handed_over),
            ("taken_back", used.taken_back),
        ]),
    });
    channel::Statistics { counters: named(counters), queues: queues.collect() }
}

fn named<const N: usize>(counters: [(&str, u64); N]) -> Vec<Counter> {
    counters.map(|(name, value)| Counter { name: name.to_owned(), value }).into()
}
