//! Memory that this process may have: all of the machine's, or less where a control group bounds it.

use std::path::{Component, Path, PathBuf};

use crate::kibibytes::kibibytes;

/// The least budget for message bodies.
pub(super) const BUDGET_BYTES_MIN: u64 = 8 << 20;

/// The budget where the system does not tell how much memory there is.
const BUDGET_BYTES_UNKNOWN: u64 = 96 << 20;

/// The part of the memory that message bodies may take: what else the queue manager keeps for each message is
/// beside it, and others live on the machine, too.
const BUDGET_PART: u64 = 8;

/// The budget for message bodies on this machine.
pub(super) fn budget_bytes() -> u64 {
    budget_of(bytes_max(|path| std::fs::read_to_string(path).ok()))
}

fn budget_of(memory: Option<u64>) -> u64 {
    memory.map_or(BUDGET_BYTES_UNKNOWN, |bytes| (bytes / BUDGET_PART).max(BUDGET_BYTES_MIN))
}

/// The memory that this process may use: that of the machine, or the lowest limit of the control groups that
/// the process is in.
fn bytes_max(read: impl Fn(&Path) -> Option<String>) -> Option<u64> {
    let meminfo = read(Path::new("/proc/meminfo"));
    let of_machine = meminfo.map(|text| kibibytes(&text, "MemTotal:")).filter(|bytes| *bytes > 0);
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let bounds = groups.lines().flat_map(places).filter_map(|place| read(&place)?.trim().parse().ok());
    of_machine.into_iter().chain(bounds).min()
}

/// Where the bounds of a control group and of those around it are, by its line in `/proc/self/cgroup`
/// (cgroups(7)): all kinds of bound are in one tree of groups (`0::/path`), or those of memory have a tree of
/// their own (`4:memory:/path`). `max` and huge numbers are for none.
fn places(line: &str) -> Vec<PathBuf> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let (tree, name) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        some if some.split(',').any(|it| it == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return Vec::new(),
    };
    let below: PathBuf =
        Path::new(path).components().filter(|part| matches!(part, Component::Normal(_))).collect();
    below.ancestors().map(|group| Path::new(tree).join(group).join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory of a machine of 16 GiB with these files.
    fn bytes_with(files: &[(&str, &str)]) -> Option<u64> {
        let meminfo = ("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\n");
        let all: Vec<_> = files.iter().copied().chain([meminfo]).collect();
        bytes_max(|path| {
            let found = all.iter().find(|(name, _)| Path::new(name) == path)?;
            Some(found.1.to_owned())
        })
    }

    #[test]
    fn the_memory_is_what_the_machine_has_or_what_a_control_group_allows() {
        let mib = |number: u64| Some(number << 20);
        assert_eq!(bytes_with(&[]), mib(16 << 10));
        let own = ("/proc/self/cgroup", "0::/system.slice/ferrymq.service\n");
        let slice = "/sys/fs/cgroup/system.slice/memory.max";
        let service = "/sys/fs/cgroup/system.slice/ferrymq.service/memory.max";
        assert_eq!(bytes_with(&[own, (service, "max\n")]), mib(16 << 10));
        assert_eq!(bytes_with(&[own, (service, "536870912\n")]), mib(512));
        assert_eq!(bytes_with(&[own, (service, "536870912\n"), (slice, "268435456\n")]), mib(256));
        // In a container its own group is the root that it sees.
        let inside = ("/proc/self/cgroup", "0::/\n");
        assert_eq!(bytes_with(&[inside, ("/sys/fs/cgroup/memory.max", "134217728\n")]), mib(128));
        let old = ("/proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n");
        let bound = "/sys/fs/cgroup/memory/a/memory.limit_in_bytes";
        assert_eq!(bytes_with(&[old, (bound, "268435456\n")]), mib(256));
        assert_eq!(bytes_with(&[old, (bound, "9223372036854771712\n")]), mib(16 << 10));
        assert_eq!(bytes_max(|_| None), None);
    }

    #[test]
    fn message_bodies_may_take_an_eighth_of_it() {
        assert_eq!(budget_of(Some(16 << 30)), 2 << 30);
        assert_eq!(budget_of(Some(32 << 20)), BUDGET_BYTES_MIN);
        assert_eq!(budget_of(None), BUDGET_BYTES_UNKNOWN);
        assert!(budget_bytes() >= BUDGET_BYTES_MIN);
    }
}
