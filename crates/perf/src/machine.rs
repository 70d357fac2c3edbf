//! The machine of a measurement.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::floors::{self, Floors};

/// Facts without which a figure says nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// Processors that this process may use.
    pub processors: usize,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Operating system, its version, and the congestion algorithm of its TCP: one that paces holds
    /// connections within a machine back, too, unless a program chooses another.
    pub system: String,
    /// File system the data is on, with its device.
    pub disk: String,
    /// Part of the processors that others used just before, from 0 to 1; none where the system does not tell.
    #[serde(default)]
    pub busy: Option<f64>,
    /// Its floors, without a queue manager; none where they were not measured.
    pub floors: Option<Floors>,
}

impl Machine {
    /// This machine, with data in `directory`, after a look at what others do on it.
    #[must_use]
    pub fn of(directory: &Path) -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let value = |path: &str, key: &str| {
            text(path)
                .lines()
                .find_map(|line| Some(line.strip_prefix(key)?.trim().to_owned()))
                .unwrap_or_default()
        };
        let memory = value("/proc/meminfo", "MemTotal:");
        Self {
            processor: value("/proc/cpuinfo", "model name").trim_start_matches([':', ' ', '\t']).to_owned(),
            processors: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory.trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024,
            system: format!(
                "{} {}{}",
                text("/proc/sys/kernel/ostype").trim(),
                text("/proc/sys/kernel/osrelease").trim(),
                congestion(&text("/proc/sys/net/ipv4/tcp_congestion_control"))
            ),
            disk: disk_of(&text("/proc/mounts"), directory),
            busy: busy(),
            floors: None,
        }
    }

    /// This machine with its floors, which takes three quarters of a second.
    ///
    /// # Errors
    /// When a floor cannot be measured: the directory takes no file.
    pub fn measured(directory: &Path) -> Result<Self> {
        let machine = Self::of(directory);
        Ok(Self { floors: Some(Floors::measure(directory, floors::TIME)?), ..machine })
    }

    /// Returns the congestion algorithm of TCP here, if that paces: ours does not let it within a machine,
    /// and programs that do not choose are held back.
    #[must_use]
    pub fn pacing(&self) -> Option<&str> {
        self.system.rsplit_once(CONGESTION).map(|(_, algorithm)| algorithm).filter(|it| it.starts_with("bbr"))
    }
}

/// Time that others are looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Part of the processors in use while this process sleeps. The load average would not do: it still has the
/// measurement before this one in it.
fn busy() -> Option<f64> {
    let ticks = || ticks_of(&fs::read_to_string("/proc/stat").ok()?);
    let (idle_before, all_before) = ticks()?;
    thread::sleep(LOOK);
    let (idle, all) = ticks()?;
    let passed = all.checked_sub(all_before).filter(|passed| *passed > 0)?;
    Some(1.0 - idle.saturating_sub(idle_before) as f64 / passed as f64)
}

/// Ticks that all processors were idle, with those that they waited for a disk, and all ticks: the first line
/// of `/proc/stat`.
fn ticks_of(stat: &str) -> Option<(u64, u64)> {
    const IDLE: usize = 3;
    const WAITING: usize = 4;
    let figures = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let ticks: Vec<u64> = figures.map(|figure| figure.parse().ok()).collect::<Option<_>>()?;
    Some((ticks.get(IDLE)? + ticks.get(WAITING)?, ticks.iter().sum()))
}

/// The mount the directory is below: the longest mount point that is a prefix.
fn disk_of(mounts: &str, directory: &Path) -> String {
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let mount = mounts
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?, words.next()?))
        })
        .filter(|(_, point, _)| directory.starts_with(point))
        .max_by_key(|(_, point, _)| point.len());
    mount.map_or_else(|| "unknown".to_owned(), |(device, _, kind)| format!("{kind} on {device}"))
}

/// Before the name of how TCP handles congestion.
const CONGESTION: &str = ", TCP with ";

/// Names the congestion algorithm of TCP, as far as the system tells.
fn congestion(algorithm: &str) -> String {
    let algorithm = algorithm.trim();
    if algorithm.is_empty() { String::new() } else { format!("{CONGESTION}{algorithm}") }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} x {}, {} GiB, {}, {}",
            self.processors,
            if self.processor.is_empty() { "processor of unknown model" } else { &self.processor },
            self.memory_bytes >> 30,
            self.system,
            self.disk,
        )?;
        self.busy.map_or(Ok(()), |busy| write!(formatter, ", {:.0} % busy before", busy * 100.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_is_that_of_the_longest_mount_point() {
        let mounts = "/dev/sda / ext4 rw 0 0\ntmpfs /dev tmpfs rw 0 0\n";
        assert_eq!(disk_of(mounts, Path::new("/dev")), "tmpfs on tmpfs");
        assert_eq!(disk_of(mounts, Path::new("/")), "ext4 on /dev/sda");
        assert_eq!(disk_of("", Path::new("/")), "unknown");
    }

    #[test]
    fn congestion_is_told_where_it_is_known() {
        assert_eq!(congestion("cubic\n"), ", TCP with cubic");
        assert_eq!(congestion(""), "");
    }

    #[test]
    fn a_system_that_paces_is_known() {
        let machine = Machine::of(Path::new("/"));
        let with =
            |algorithm| Machine { system: format!("Linux 6{}", congestion(algorithm)), ..machine.clone() };
        assert_eq!(with("bbr\n").pacing(), Some("bbr"));
        assert_eq!(with("cubic\n").pacing(), None);
        assert_eq!(with("").pacing(), None);
    }

    #[test]
    fn idle_ticks_are_told_from_the_others() {
        let stat = "cpu  10 1 20 600 40 0 3 0 0 0\ncpu0 5 0 10 300 20 0 1 0 0 0\n";
        assert_eq!(ticks_of(stat), Some((640, 674)));
        assert_eq!(ticks_of("cpu  10 1 x 600 40\n"), None);
        assert_eq!(ticks_of(""), None);
    }
}
