//! Readings of the machine, the disk and the queue manager.

use std::path::Path;

use figures::{Log, Manager, Processor, Room};
use platform::{Clock as _, os::OsClock};
use queue_manager::QueueManager;

use crate::host::ServerHost;
use crate::kibibytes::kibibytes;

const _: () = {
    let mut place = 0;
    while place < storage::FORCE_BOUNDS.len() {
        assert!(storage::FORCE_BOUNDS[place] == figures::FORCE_BOUNDS[place], "writes are told apart alike");
        place += 1;
    }
};

/// Reads everything but what would cost much and is not wanted. What the system does not tell is zero.
pub(crate) fn take(queue_manager: &QueueManager, host: &ServerHost, wanted: Wanted) -> Manager {
    Manager {
        micros: OsClock.now().0 / 1_000,
        machine: machine(&read("/proc/stat")),
        own: own(&read("/proc/self/stat")),
        loads: loads(&read("/proc/loadavg")),
        memory: memory(&read("/proc/meminfo")),
        own_memory: resident_bytes(),
        files: room(&host.folder),
        error_files: room(host.errors.directory()),
        failures: host.errors.failures(),
        log: log(queue_manager, host, wanted),
        calls: queue_manager.figures().call_counts(wanted.deliveries, wanted.takes_marks),
        ..Manager::default()
    }
}

/// Parts of a reading that cost more than a look at a number.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// Publications that subscriptions were given: a look at each subscription.
    pub(crate) deliveries: bool,
    /// The log that images need: a look at their folder.
    pub(crate) images: bool,
    /// The most and the fewest since the reading before, which begin anew.
    pub(crate) takes_marks: bool,
}

/// Reads what room there is: in the log, on the disks, in the memory of the machine.
pub(crate) fn take_room(queue_manager: &QueueManager, host: &ServerHost) -> Manager {
    Manager {
        memory: memory(&read("/proc/meminfo")),
        own_memory: resident_bytes(),
        files: room(&host.folder),
        error_files: room(host.errors.directory()),
        log: log(queue_manager, host, Wanted::default()),
        ..Manager::default()
    }
}

fn log(queue_manager: &QueueManager, host: &ServerHost, wanted: Wanted) -> Log {
    let storage = queue_manager.log().statistics();
    let state = queue_manager.log().state();
    let media = wanted.images.then(|| queue_manager.log().media_bytes()).flatten();
    let since_slowest = OsClock.now().since(storage.force_max_ended).as_micros();
    let slowest_at = OsClock.wall().0 - i64::try_from(since_slowest).unwrap_or(0);
    Log {
        bytes: storage.log_bytes,
        bytes_free: storage.log_bytes_free,
        is_disk_full: storage.is_disk_full,
        files: room(state.directory.as_deref().unwrap_or(&host.folder)),
        durable: queue_manager.durable().lsn().0,
        writes: storage.forces,
        write_bytes: storage.forced_bytes,
        write_micros: storage.force_micros_total,
        slowest_micros: storage.force_micros_max,
        slowest_at: if storage.forces == 0 { 0 } else { u64::try_from(slowest_at).unwrap_or(0) },
        writes_within: storage.forces_within,
        media_bytes: media.unwrap_or(0),
        ready_bytes: state.ready_bytes,
        primary_bytes: state.extent_bytes * u64::from(state.primary_extents),
        restart_bytes: state.restart_bytes(),
        restart_bytes_mean: state.restart_bytes_mean,
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

/// `/proc/self/stat`, behind the name of the program, which may have anything in it. Times are in ticks, of
/// which every Linux in use has a hundred a second.
fn own(text: &str) -> Processor {
    let fields: Vec<&str> = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let at = |place: usize| fields.get(place).and_then(|field| field.parse().ok()).unwrap_or_default();
    Processor { user: at(11), system: at(12), all: 0 }
}

fn loads(text: &str) -> [u64; 3] {
    let mut words = text.split_whitespace();
    std::array::from_fn(|_| {
        let (whole, parts) = words.next().and_then(|word| word.split_once('.')).unwrap_or_default();
        whole.parse::<u64>().unwrap_or_default() * 100 + parts.parse::<u64>().unwrap_or_default()
    })
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
        assert_eq!((room.all, room.free), (2 << 20, 1 << 20));
        assert_eq!(own_memory("Name: x\nVmRSS:\t  12 kB\n"), 12 << 10);
        assert_eq!((machine("").all, loads("")), (0, [0; 3]));
    }
}
