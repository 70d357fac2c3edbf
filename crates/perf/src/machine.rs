//! What a measurement was made on.

use std::fs;
use std::path::Path;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::floors::{self, Floors};

/// Facts without which a figure says nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// How many of them this process may use.
    pub processors: usize,
    /// Bytes of memory.
    pub memory_bytes: u64,
    /// Operating system and version.
    pub system: String,
    /// File system the data is on, with its device.
    pub disk: String,
    /// Load of the last minute before the measurement began.
    pub load: f64,
    /// What it does without a queue manager; none where nobody measured it.
    pub floors: Option<Floors>,
}

impl Machine {
    /// This machine, with data in `directory`.
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
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory.trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024,
            system: format!(
                "{} {}",
                text("/proc/sys/kernel/ostype").trim(),
                text("/proc/sys/kernel/osrelease").trim()
            ),
            disk: disk_of(&text("/proc/mounts"), directory),
            load: text("/proc/loadavg")
                .split_whitespace()
                .next()
                .and_then(|load| load.parse().ok())
                .unwrap_or(0.0),
            floors: None,
        }
    }

    /// This machine with its floors, which takes half a second.
    ///
    /// # Errors
    /// When a floor cannot be measured: the directory takes no file.
    pub fn measured(directory: &Path) -> Result<Self> {
        let machine = Self::of(directory);
        Ok(Self { floors: Some(Floors::measure(directory, floors::TIME)?), ..machine })
    }
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

impl std::fmt::Display for Machine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} x {}, {} GiB, {}, {}, load {:.1}",
            self.processors,
            if self.processor.is_empty() { "processor of unknown model" } else { &self.processor },
            self.memory_bytes >> 30,
            self.system,
            self.disk,
            self.load
        )
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
}
