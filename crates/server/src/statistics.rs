//! The counters of the process, told to whoever administers it.

use channel::client::Counter;

use crate::served::Common;

/// What is counted now.
pub(crate) fn tell(common: &Common) -> channel::Statistics {
    let (writes, micros) = common.host.writes.totals();
    let seconds = common.started.elapsed().as_secs();
    let counters = [
        ("uptime_seconds", seconds),
        ("connections", common.queue_manager.connections() as u64),
        ("log_durable_position", common.queue_manager.durable().lsn().0),
        ("log_writes", writes),
        ("log_write_microseconds", micros),
        ("resident_bytes", resident_bytes()),
    ];
    let counters =
        counters.into_iter().map(|(name, value)| Counter { name: name.to_owned(), value }).collect();
    channel::Statistics { counters, queues: Vec::new() }
}

/// Memory of this process, as the system counts it.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}
