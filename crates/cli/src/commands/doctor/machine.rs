//! Limits of the process, disk and memory of the machine.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use server::configuration::Budget;
use server::files::own_files;

use super::finding::{Finding, Patient, word};
use terminal::{next_step, units};

/// A flush of the disk that is slow for a recovery log.
const FLUSH_MAX: Duration = Duration::from_millis(50);

/// Looks at the machine, for a process that runs the queue manager or for one that is about to.
pub(super) fn look(patient: &Patient<'_>, process: Option<u32>) -> Vec<Finding> {
    let limits = match process {
        Some(process) => fs::read_to_string(format!("/proc/{process}/limits")),
        None => fs::read_to_string("/proc/self/limits"),
    };
    let limits = limits.unwrap_or_default();
    let mut findings = Vec::new();
    findings.extend(match &patient.instance.running {
        Some(running) => running.few_files.as_ref().map(|words| few_files(patient, words)),
        None => open_files(&limits, &Files::of(patient)),
    });
    findings.extend(core_dumps(&limits, process));
    findings.extend(space(patient));
    findings.extend(flush(patient.instance.folder.path()));
    findings.extend(budget(patient));
    findings.extend(rings(patient, process));
    findings
}

/// The soft limit of a row of `/proc/PID/limits`; none for unlimited.
fn soft(limits: &str, row: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(row))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The hard limit of such a row.
fn hard(limits: &str, row: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(row))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Files that the queue manager needs.
struct Files {
    /// For the connections of its settings.
    connections: u64,
    /// For itself.
    own: u64,
}

impl Files {
    fn of(patient: &Patient<'_>) -> Self {
        let (configuration, folder) = (&patient.configuration, patient.instance.folder.path());
        Self {
            connections: configuration.limits.connections_max.into(),
            own: own_files(configuration, folder),
        }
    }

    fn needed(&self) -> u64 {
        self.connections + self.own
    }
}

/// A limit of this process up to which a queue manager that it starts could not raise its own.
fn open_files(limits: &str, files: &Files) -> Option<Finding> {
    let needed = files.needed();
    let limit = hard(limits, "Max open files").filter(|limit| *limit < needed)?;
    Some(few_files_of(format!("at most {limit} open files"), files, format!("ulimit -n {needed}")))
}

/// A limit that the queue manager met when it started, which is when it decides how many connections it
/// takes.
fn few_files(patient: &Patient<'_>, words: &str) -> Finding {
    let files = Files::of(patient);
    let needed = files.needed();
    let name = word(&patient.name);
    let again =
        next_step!("ferry qmgr stop {name} && ferry qmgr start {name} --detach").at(&patient.common.typed);
    few_files_of(words.to_owned(), &files, format!("ulimit -n {needed} && {again}"))
}

fn few_files_of(value: String, files: &Files, mend: String) -> Finding {
    let (needed, own) = (files.needed(), files.own);
    Finding {
        name: "limits.files",
        value,
        wanted: format!("{needed} open files: limits.connections_max and {own} more"),
        why: "connections are refused before their limit is reached",
        mend,
    }
}

/// A limit that lets a process that runs write a dump. One that starts has its limit set to 0.
fn core_dumps(limits: &str, process: Option<u32>) -> Option<Finding> {
    let process = process?;
    let row = limits.lines().find(|line| line.starts_with("Max core file size"))?;
    if soft(row, "Max core file size") == Some(0) {
        return None;
    }
    Some(Finding {
        name: "limits.core",
        value: "core dumps are written".to_owned(),
        wanted: "a limit of 0".to_owned(),
        why: "a dump has keys, passwords and messages in it",
        mend: format!("prlimit --pid {process} --core=0:"),
    })
}

/// Room on the disk for the log files that may still be made.
fn space(patient: &Patient<'_>) -> Option<Finding> {
    let path = patient.instance.folder.path();
    let free = server::durable_files::disk(path).bytes_free().ok()?;
    let log = &patient.configuration.log;
    let needed = log.extent_size.0 * u64::from(log.secondary_extents);
    (free < needed).then(|| Finding {
        name: "disk.space",
        value: format!("{} free at {}", units::bytes(free), path.display()),
        wanted: format!("{}: log.secondary_extents of log.extent_size", units::bytes(needed)),
        why: "long units of work are refused, and then puts",
        mend: format!("sed -i 's/^#*secondary_extents *=.*/secondary_extents = 0/' {}", settings(patient)),
    })
}

fn settings(patient: &Patient<'_>) -> String {
    word(&patient.instance.folder.settings().display().to_string())
}

/// The time that a small write takes to be durable: the middle of five.
fn flush(folder: &Path) -> Option<Finding> {
    let path = folder.join(format!(".doctor-{}", std::process::id()));
    let attempt = || -> std::io::Result<Vec<Duration>> {
        let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&path)?;
        let mut times = Vec::new();
        for _ in 0..5 {
            let began = Instant::now();
            file.write_all(&[0; 4096])?;
            file.sync_data()?;
            times.push(began.elapsed());
        }
        times.sort();
        Ok(times)
    };
    let times = attempt();
    let _ = fs::remove_file(&path);
    slow(*times.ok()?.get(2)?, folder)
}

fn slow(time: Duration, folder: &Path) -> Option<Finding> {
    (time > FLUSH_MAX).then(|| Finding {
        name: "disk.flush",
        value: format!("{} ms to make 4 KiB durable", time.as_millis()),
        wanted: format!("at most {} ms", FLUSH_MAX.as_millis()),
        why: "each commit of persistent messages waits for it",
        mend: format!("findmnt -T {}", word(&folder.display().to_string())),
    })
}

/// A budget for messages that leaves others nothing.
fn budget(patient: &Patient<'_>) -> Option<Finding> {
    let Budget::Bytes(asked) = patient.configuration.memory.budget else { return None };
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let all = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let all: u64 = all.split_whitespace().next()?.parse::<u64>().ok()? * 1024;
    (asked > all / 2).then(|| Finding {
        name: "memory.budget",
        value: format!("{} for messages, of {}", units::bytes(asked), units::bytes(all)),
        wanted: "at most half of the machine's memory".to_owned(),
        why: "the system ends the process when memory runs out",
        mend: format!("sed -i 's/^budget *=.*/budget = \"auto\"/' {}", settings(patient)),
    })
}

/// Rings in shared memory for programs of this machine.
fn rings(patient: &Patient<'_>, process: Option<u32>) -> Option<Finding> {
    let is_offered = match process {
        Some(_) => patient.instance.folder.rings().exists(),
        None => patient.configuration.listener.local_socket,
    };
    (!is_offered).then(|| Finding {
        name: "memory.rings",
        value: "no rings in shared memory are offered".to_owned(),
        wanted: "listener.local_socket = true".to_owned(),
        why: "programs of this machine use slower sockets, and a locked-out administrator has no way in",
        mend: format!("sed -i 's/^local_socket *=.*/local_socket = true/' {}", settings(patient)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = "Limit                     Soft Limit           Hard Limit           Units     \n\
        Max core file size        0                    unlimited            bytes     \n\
        Max open files            1024                 524288               files     \n";

    #[test]
    fn limits_that_are_too_small_or_let_memory_out_are_found() {
        let open_files = |limits: &str, connections, own| open_files(limits, &Files { connections, own });
        assert_eq!(open_files(LIMITS, 10_000, 200), None, "a start raises the soft limit");
        let low = LIMITS.replace("524288", "1024  ");
        assert_eq!(open_files(&low, 10_000, 200).unwrap().mend, "ulimit -n 10200");
        assert_eq!(open_files(&low, 824, 200), None);
        let stored = open_files(&low, 824, 700).unwrap();
        assert_eq!(stored.mend, "ulimit -n 1524", "segments of the store are files");
        assert!(stored.wanted.ends_with("and 700 more"), "{}", stored.wanted);
        let unlimited = LIMITS.replace("524288", "unlimited").replace("        0  ", "unlimited");
        assert_eq!(open_files(&unlimited, 10_000, 200), None);
        assert_eq!(core_dumps(LIMITS, None), None);
        assert_eq!(core_dumps(&unlimited, Some(7)).unwrap().mend, "prlimit --pid 7 --core=0:");
    }

    #[test]
    fn a_flush_is_slow_beyond_the_bound() {
        assert_eq!(slow(FLUSH_MAX, Path::new("/a b")), None);
        assert_eq!(slow(FLUSH_MAX * 2, Path::new("/a b")).unwrap().mend, "findmnt -T '/a b'");
    }
}
