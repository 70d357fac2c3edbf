//! Settings of the system around the process: ports, memory maps, processes, the clock of processors, and a
//! log on a network file system.
//!
//! Always: a setting that the system does not tell has no finding.

use std::fs;
use std::path::Path;

use super::finding::{Finding, Patient, word};
use terminal::units;

/// Fewest ports for connections that this machine opens: a bench of many clients, or a partner's channels.
const PORTS_MIN: u32 = 10_000;

/// Fewest memory maps of a process: three for each program over rings, and those of the threads.
const MAPS_MIN: u64 = 65_530;

/// Fewest processes and threads of a user: those of the queue manager and of programs that it starts.
const PROCESSES_MIN: u64 = 1_024;

/// Fewest bytes of one read or write over NFS: a block of the log goes in one piece then.
const NFS_BYTES_MIN: u64 = 512 << 10;

/// Looks at the settings of the system.
pub(super) fn look(patient: &Patient<'_>, process: Option<u32>) -> Vec<Finding> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let limits = process.map_or_else(|| read("/proc/self/limits"), |id| read(&format!("/proc/{id}/limits")));
    let mut findings = Vec::new();
    findings.extend(ports(&read("/proc/sys/net/ipv4/ip_local_port_range")));
    findings.extend(maps(&read("/proc/sys/vm/max_map_count")));
    findings.extend(processes(&limits, &read("/proc/sys/kernel/pid_max"), process));
    let frequency = "/sys/devices/system/cpu/cpu0/cpufreq";
    findings.extend(governor(
        &read(&format!("{frequency}/scaling_governor")),
        &read(&format!("{frequency}/scaling_driver")),
    ));
    let mounts = read("/proc/self/mounts");
    let configuration = &patient.configuration;
    let folders =
        [patient.instance.folder.path(), &configuration.log.directory.0, &configuration.store.directory.0];
    findings.extend(folders.into_iter().find_map(|folder| network_file_system(&mounts, folder)));
    findings
}

fn ports(range: &str) -> Option<Finding> {
    let ends: Vec<u32> = range.split_whitespace().filter_map(|end| end.parse().ok()).collect();
    let &[first, last] = &ends[..] else { return None };
    let count = (last + 1).saturating_sub(first);
    (count < PORTS_MIN).then(|| Finding {
        name: "network.ports",
        value: format!("{count} ports for connections that programs of this machine open"),
        wanted: format!("at least {PORTS_MIN}"),
        why: "channels and clients of this machine find no free port once so many connections are open or just closed",
        mend: "sysctl -w net.ipv4.ip_local_port_range='1024 65535'".to_owned(),
    })
}

fn maps(most: &str) -> Option<Finding> {
    let most: u64 = most.trim().parse().ok().filter(|most| *most < MAPS_MIN)?;
    Some(Finding {
        name: "memory.maps",
        value: format!("{most} memory maps of a process"),
        wanted: format!("at least {MAPS_MIN}"),
        why: "programs of this machine get no rings in shared memory, and threads no stacks",
        mend: format!("sysctl -w vm.max_map_count={MAPS_MIN}"),
    })
}

fn processes(limits: &str, most: &str, process: Option<u32>) -> Option<Finding> {
    let row = limits.lines().find_map(|line| line.strip_prefix("Max processes"));
    let soft = row.and_then(|row| row.split_whitespace().next()?.parse::<u64>().ok());
    let of_user = soft.filter(|limit| *limit < PROCESSES_MIN);
    let of_machine = most.trim().parse::<u64>().ok().filter(|most| *most < PROCESSES_MIN);
    let (value, mend) = match (of_user, of_machine, process) {
        (Some(limit), _, Some(id)) => (limit, format!("prlimit --pid {id} --nproc={PROCESSES_MIN}:")),
        (Some(limit), _, None) => (limit, format!("ulimit -u {PROCESSES_MIN}")),
        (None, Some(most), _) => (most, "sysctl -w kernel.pid_max=32768".to_owned()),
        (None, None, _) => return None,
    };
    Some(Finding {
        name: "limits.processes",
        value: format!("{value} processes and threads"),
        wanted: format!("at least {PROCESSES_MIN}"),
        why: "the queue manager ends if it cannot start a thread, and no programs are triggered",
        mend,
    })
}

/// A governor that keeps processors slow. Drivers that choose the clock themselves have one of this name that
/// does not.
fn governor(governor: &str, driver: &str) -> Option<Finding> {
    let chooses_itself = ["intel_pstate", "amd-pstate-epp"].contains(&driver.trim());
    (governor.trim() == "powersave" && !chooses_itself).then(|| Finding {
        name: "processor.governor",
        value: "powersave: processors run at their lowest clock".to_owned(),
        wanted: "performance or schedutil".to_owned(),
        why: "each call takes several times as long",
        mend: "cpupower frequency-set -g performance".to_owned(),
    })
}

/// A mount, as a line of `/proc/self/mounts` tells it.
struct Mount<'a> {
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    /// The mount that has a folder: that of the longest path.
    fn of(mounts: &'a str, folder: &Path) -> Option<Self> {
        let lines = mounts.lines().filter_map(|line| {
            let mut words = line.split(' ').skip(1);
            let (place, kind, options) = (words.next()?, words.next()?, words.next()?);
            let place = place.replace("\\040", " ");
            folder.starts_with(&place).then_some((place.len(), Self { kind, options }))
        });
        // Of two mounts at one place the later one hides the other.
        lines.max_by_key(|(length, _)| *length).map(|(_, mount)| mount)
    }

    fn has(&self, option: &str) -> bool {
        self.options.split(',').any(|found| found == option)
    }

    fn number(&self, option: &str) -> Option<u64> {
        let value =
            self.options.split(',').find_map(|found| found.strip_prefix(option)?.strip_prefix('='))?;
        value.split('.').next()?.parse().ok()
    }
}

/// A part of the queue manager on NFS, mounted so that messages can be lost or the log is slow.
fn network_file_system(mounts: &str, folder: &Path) -> Option<Finding> {
    let mount = Mount::of(mounts, folder).filter(|mount| mount.kind.starts_with("nfs"))?;
    let size = ["rsize", "wsize"].into_iter().filter_map(|option| mount.number(option)).min();
    let small = size.filter(|size| *size < NFS_BYTES_MIN);
    let (value, why) = if mount.has("soft") || mount.has("softerr") {
        (
            "soft: a write that a server does not answer fails".to_owned(),
            "the queue manager ends at each pause of the server",
        )
    } else if mount.number("vers").is_some_and(|version| version < 4) {
        ("an NFS older than version 4".to_owned(), "its locks do not end with the machine that has them")
    } else if let Some(size) = small {
        (
            format!("reads and writes of {}", units::bytes(size)),
            "a block of the log goes in several round trips",
        )
    } else {
        return None;
    };
    Some(Finding {
        name: "disk.nfs",
        value: format!("{value}, at {}", folder.display()),
        wanted: format!("vers=4.1,hard,rsize={NFS_BYTES_MIN},wsize={NFS_BYTES_MIN}"),
        why,
        mend: format!("findmnt -T {}", word(&folder.display().to_string())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../../../docs/guides/machine.md");

    #[test]
    fn the_page_on_the_machine_has_each_check() {
        let sources = [include_str!("system.rs"), include_str!("machine.rs")];
        let names = sources
            .iter()
            .flat_map(|source| source.lines())
            .filter_map(|line| line.trim().strip_prefix("name: \"")?.strip_suffix("\","));
        let names: Vec<&str> = names.collect();
        assert!(names.len() >= 10, "{names:?}");
        for name in names {
            assert!(PAGE.contains(&format!("`{name}`")), "{name} is not on the page");
        }
        for subject in ["allocator", "TCP_NODELAY", "semaphores", "rsize", "msgmnb", "scheduler", "buffers"] {
            assert!(PAGE.contains(subject), "{subject} is not on the page");
        }
    }

    #[test]
    fn few_ports_maps_and_processes_are_found() {
        assert_eq!(ports("32768\t60999\n"), None);
        assert!(ports("60000 60999").unwrap().value.starts_with("1000 ports"));
        assert_eq!((ports(""), ports("60999"), ports("9 x")), (None, None, None));
        assert!(ports("60999 60000").unwrap().value.starts_with("0 ports"));
        assert_eq!((maps("65530\n"), maps("many")), (None, None));
        assert_eq!(maps("1000\n").unwrap().mend, "sysctl -w vm.max_map_count=65530");
        let limits = "Max processes             100                  100                  processes \n";
        assert_eq!(processes(limits, "32768", Some(7)).unwrap().mend, "prlimit --pid 7 --nproc=1024:");
        assert_eq!(processes(limits, "32768", None).unwrap().mend, "ulimit -u 1024");
        let unlimited = limits.replace("100", "unlimited");
        assert_eq!(processes(&unlimited, "4194304\n", None), None);
        assert!(processes(&unlimited, "300\n", None).unwrap().mend.contains("pid_max"));
    }

    #[test]
    fn a_governor_that_keeps_processors_slow_is_found_where_it_does() {
        assert!(governor("powersave\n", "acpi-cpufreq\n").is_some());
        for (name, driver) in [("powersave\n", "intel_pstate\n"), ("schedutil\n", "acpi-cpufreq\n"), ("", "")]
        {
            assert_eq!(governor(name, driver), None, "{name} of {driver}");
        }
    }

    #[test]
    fn a_log_on_nfs_that_may_lose_writes_or_goes_in_small_pieces_is_found() {
        let mounts = |options: &str| {
            format!("/dev/vda / ext4 rw 0 0\nnas:/q /var/lib/my\\040log nfs4 {options} 0 0\n")
        };
        let folder = Path::new("/var/lib/my log/QM1");
        for (options, expected) in [
            ("rw,vers=4.2,rsize=1048576,wsize=1048576,hard", None),
            ("rw,vers=4.1,rsize=1048576,wsize=1048576,soft", Some("soft")),
            ("rw,vers=3,rsize=1048576,wsize=1048576,hard", Some("older than version 4")),
            ("rw,vers=4.1,rsize=1048576,wsize=65536,hard", Some("64 KiB")),
        ] {
            let found = network_file_system(&mounts(options), folder);
            match expected {
                None => assert_eq!(found, None, "{options}"),
                Some(words) => assert!(found.unwrap().value.contains(words), "{options}"),
            }
        }
        let soft = mounts("rw,soft");
        assert_eq!(network_file_system(&soft, Path::new("/var/lib/other")), None, "it is on another disk");
        assert_eq!(network_file_system("", folder), None, "nothing is told");
        assert_eq!(network_file_system(&soft, Path::new("")), None, "no folder of its own");
    }
}
