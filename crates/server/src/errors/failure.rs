//! Records for whoever looks into it later: what was known when the process ended by its own decision, or when the disk
//! of the log was slow.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use platform::{Clock, os::OsClock};

use super::line::{harmless, place};

/// Records kept; older ones are removed so that a restart loop does not fill the disk.
const KEPT: usize = 20;

/// What a record is about; the beginning of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The process ended.
    Failure,
    /// A read or write of the log was slow.
    SlowIo,
}

impl Kind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Failure => "failure-",
            Self::SlowIo => "slow-io-",
        }
    }
}

/// Writes a record; returns where it is, or nothing when even that failed.
pub(super) fn record(
    directory: &Path,
    kind: Kind,
    queue_manager: &str,
    what: &str,
    context: &str,
    recent: &[String],
) -> Option<PathBuf> {
    remove_old(directory, kind);
    let time = super::utc(OsClock.wall());
    let mut text = String::new();
    let thread = std::thread::current();
    let facts = [
        ("what", what),
        ("time", &time),
        ("queue manager", queue_manager),
        ("process", &std::process::id().to_string()),
        ("thread", thread.name().unwrap_or("unnamed")),
        ("program", &place().program),
        ("version", env!("CARGO_PKG_VERSION")),
        ("user", &place().user),
        ("host", &place().host),
    ];
    for (name, fact) in facts {
        let _ = writeln!(text, "{name}: {}", harmless(fact));
    }
    let _ = write!(text, "\n# Context\n{context}\n\n# Where\n{}\n", Backtrace::force_capture());
    let _ = write!(text, "\n# Process\n{}", fs::read_to_string("/proc/self/status").unwrap_or_default());
    let _ = writeln!(text, "\n# Last events");
    for line in recent {
        text.push_str(line);
    }
    let name = format!("{}{}-{}.txt", kind.prefix(), time.replace([':', '.'], "-"), std::process::id());
    let path = directory.join(name);
    fs::write(&path, text).ok()?;
    Some(path)
}

/// Counts the records of ends.
pub(super) fn count(directory: &Path) -> u64 {
    records(directory, Kind::Failure).len() as u64
}

fn remove_old(directory: &Path, kind: Kind) {
    let mut records = records(directory, kind);
    records.sort_unstable();
    let surplus = (records.len() + 1).saturating_sub(KEPT);
    for path in &records[..surplus] {
        // One that stays is only untidy.
        let _ = fs::remove_file(path);
    }
}

fn records(directory: &Path, kind: Kind) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let is_record = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(kind.prefix()))
    };
    entries.flatten().map(|entry| entry.path()).filter(is_record).collect()
}
