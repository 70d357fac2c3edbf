//! Figures of the machine, the disk and the queue manager at one moment.

use std::path::Path;
use std::time::Instant;

use queue_manager::{CallCounts, QueueCounters, QueueManager};
use storage::Statistics;

use crate::host::ServerHost;

/// What the system counts processor time in: a hundredth of a second on every Linux in use.
const TICKS_A_SECOND: u64 = 100;

/// Processor time in ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Processor {
    pub(super) user: u64,
    pub(super) system: u64,
    /// With idle time.
    pub(super) all: u64,
}

/// Room on a file system.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    pub(super) all: u64,
    pub(super) free: u64,
}

/// One reading.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    at: Instant,
    pub(super) machine: Processor,
    pub(super) own: Processor,
    /// Averages of the load over one, five and fifteen minutes, in hundredths.
    pub(super) loads: [i64; 3],
    pub(super) memory: Room,
    pub(super) own_memory: u64,
    pub(super) files: Room,
    pub(super) storage: Statistics,
    /// Microseconds that forced writes took in all, and how many there were.
    pub(super) writes: (u64, u64),
    pub(super) calls: CallCounts,
}

/// What passed a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfQueue {
    pub(super) before: QueueCounters,
    pub(super) now: QueueCounters,
}

impl Reading {
    /// Reads everything. What the system does not tell is zero.
    pub(super) fn take(queue_manager: &QueueManager, host: &ServerHost) -> Self {
        let (writes, micros) = host.writes.totals();
        Self {
            at: Instant::now(),
            machine: machine(&read("/proc/stat")),
            own: own(&read("/proc/self/stat")),
            loads: loads(&read("/proc/loadavg")),
            memory: memory(&read("/proc/meminfo")),
            own_memory: resident_bytes(),
            files: room(&host.folder),
            storage: queue_manager.storage_statistics(),
            writes: (micros, writes),
            calls: queue_manager.call_counts(),
        }
    }

    pub(super) fn micros_since(&self, before: &Self) -> i64 {
        i64::try_from(self.at.duration_since(before.at).as_micros()).unwrap_or(i64::MAX)
    }
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The first line of `/proc/stat`: user, nice, system, idle and more.
fn machine(text: &str) -> Processor {
    let first =
        text.lines().next().and_then(|line| line.strip_prefix("cpu ")).map(numbers).unwrap_or_default();
    let at = |place: usize| first.get(place).copied().unwrap_or_default();
    // What guests used is in the first two already.
    Processor { user: at(0) + at(1), system: at(2) + at(5) + at(6), all: first.iter().take(8).sum() }
}

/// `/proc/self/stat`, behind the name of the program, which may have anything in it.
fn own(text: &str) -> Processor {
    let fields: Vec<&str> = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let at = |place: usize| fields.get(place).and_then(|field| field.parse().ok()).unwrap_or_default();
    Processor { user: at(11), system: at(12), all: 0 }
}

/// The share of a second's ticks that were used, in hundredths of a per cent of one processor.
pub(super) fn ticks_to_percent(ticks: u64, micros: i64) -> i64 {
    let whole = TICKS_A_SECOND as i64 * micros / 10_000;
    if whole == 0 { 0 } else { i64::try_from(ticks).unwrap_or_default() * 1_000_000 / whole }
}

/// A part of a whole, in hundredths of a per cent.
pub(super) fn share(part: u64, whole: u64) -> i64 {
    if whole == 0 {
        0
    } else {
        i64::try_from(u128::from(part) * 10_000 / u128::from(whole)).unwrap_or(10_000)
    }
}

fn loads(text: &str) -> [i64; 3] {
    let mut words = text.split_whitespace();
    std::array::from_fn(|_| {
        let (whole, parts) = words.next().and_then(|word| word.split_once('.')).unwrap_or_default();
        whole.parse::<i64>().unwrap_or_default() * 100 + parts.parse::<i64>().unwrap_or_default()
    })
}

/// The bytes that a line of this name has in kilobytes, as the system writes them; 0 when there is none.
pub(crate) fn kibibytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default() * 1024
}

fn memory(text: &str) -> Room {
    Room { all: kibibytes(text, "MemTotal:"), free: kibibytes(text, "MemAvailable:") }
}

/// Memory of this process, as the system counts it.
pub(crate) fn resident_bytes() -> u64 {
    own_memory(&read("/proc/self/status"))
}

fn own_memory(text: &str) -> u64 {
    kibibytes(text, "VmRSS:")
}

fn room(folder: &Path) -> Room {
    rustix::fs::statvfs(folder).map_or_else(
        |_| Room::default(),
        |told| Room { all: told.f_blocks * told.f_frsize, free: told.f_bavail * told.f_frsize },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        let stat = machine("cpu  10 5 20 100 3 1 2 4 9 9\ncpu0 1 1 1 1\n");
        assert_eq!((stat.user, stat.system, stat.all), (15, 23, 145));
        let own = own("7 (a ) name) S 1 7 7 0 -1 4194304 100 0 0 0 31 17 0 0 20 0 1 0 1 1 1");
        assert_eq!((own.user, own.system), (31, 17));
        assert_eq!(loads("0.52 1.08 12.00 2/345 6789"), [52, 108, 1200]);
        let room = memory("MemTotal:  2048 kB\nMemFree: 1 kB\nMemAvailable: 1024 kB\n");
        assert_eq!((room.all, room.free, share(room.free, room.all)), (2 << 20, 1 << 20, 5_000));
        assert_eq!(own_memory("Name: x\nVmRSS:\t  12 kB\n"), 12 << 10);
        assert_eq!(ticks_to_percent(50, 1_000_000), 5_000, "half a processor");
        assert_eq!((machine("").all, loads("")), (0, [0; 3]));
    }
}
