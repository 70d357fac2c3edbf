//! The state of the machine, as text for a record: the work of its disks and the waits of this process's
//! threads.

use std::fmt::Write as _;
use std::fs;

/// Files of the system that say what disks and memory are busy with.
const OF_THE_MACHINE: [&str; 5] =
    ["/proc/pressure/io", "/proc/pressure/cpu", "/proc/loadavg", "/proc/diskstats", "/proc/self/io"];

/// Returns the known facts about input and output now, without those that the system does not give.
pub(super) fn input_and_output() -> String {
    let mut text = String::new();
    for path in OF_THE_MACHINE {
        if let Ok(content) = fs::read_to_string(path) {
            let _ = writeln!(text, "{path}:\n{}", content.trim_end());
        }
    }
    let _ = writeln!(text, "threads, their states and what they wait for in the system:");
    for task in fs::read_dir("/proc/self/task").into_iter().flatten().flatten() {
        let read = |name: &str| fs::read_to_string(task.path().join(name)).unwrap_or_default();
        let stat = read("stat");
        let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("?");
        let _ = writeln!(text, "  {:24} {state} {}", read("comm").trim_end(), read("wchan").trim_end());
    }
    text
}
