//! Records for a later reader: the facts that were known when the process ended by its own decision, or when
//! the disk of the log was slow.
//!
//! Always: a record is there before anything that takes long is added to it.

use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use platform::Clock;
use platform::os::{OsClock, private};

use super::elsewhere;
use super::held::HeldDirectory;
use super::line::{harmless, place};

/// Records kept; older ones are removed so that a restart loop does not fill the disk.
const KEPT: usize = 20;

/// Bytes of a record that are read to show it: its facts come first.
const HEAD_BYTES: u64 = 16 << 10;

/// Subject of a record; the beginning of its name.
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

/// Content of a record.
pub(super) struct Content<'a> {
    pub(super) queue_manager: &'a str,
    pub(super) what: &'a str,
    pub(super) context: &'a str,
    pub(super) recent: &'a [String],
}

impl Content<'_> {
    fn text(&self, time: &str) -> String {
        let mut text = String::new();
        let thread = std::thread::current();
        let facts = [
            ("what", self.what),
            ("time", time),
            ("queue manager", self.queue_manager),
            ("process", &std::process::id().to_string()),
            ("thread", thread.name().unwrap_or("unnamed")),
            ("program", &place().program),
            ("installation", &place().installation),
            ("version", env!("CARGO_PKG_VERSION")),
            ("user", &place().user),
            ("host", &place().host),
        ];
        for (name, fact) in facts {
            let _ = writeln!(text, "{name}: {}", harmless(fact));
        }
        let _ = write!(text, "\n# Context\n{}\n", self.context);
        let _ = write!(text, "\n# Process\n{}", fs::read_to_string("/proc/self/status").unwrap_or_default());
        let _ = writeln!(text, "\n# Last events");
        self.recent.iter().for_each(|line| text.push_str(line));
        text
    }
}

/// Writes a record into the held directory, or elsewhere on the machine where that is refused; returns its
/// place, or none when even that failed.
pub(super) fn record(held: &HeldDirectory, kind: Kind, content: &Content<'_>) -> Option<PathBuf> {
    let time = super::utc(OsClock.wall());
    let text = content.text(&time);
    let name = format!("{}-{}.txt", time.replace([':', '.'], "-"), std::process::id());
    let (way, prefix) = (held.way(), kind.prefix());
    if let Ok(written) = write(&way, prefix, &name, &text) {
        return Some(held.place().join(written));
    }
    let prefix = prefix_elsewhere(prefix, held.identity().ok()?);
    elsewhere::directories().find_map(|directory| {
        let written = write(&directory, &prefix, &name, &text).ok()?;
        Some(directory.join(written))
    })
}

/// Adds where in the program it came to that. Finding names for it may take longer than everything else.
pub(super) fn add_backtrace(record: &Path) {
    let added = OpenOptions::new().append(true).open(record);
    let _ = added.and_then(|mut file| write!(file, "\n# Where\n{}\n", Backtrace::force_capture()));
}

/// Tells the records of one queue manager from those of others: by the directory that refused them, under any
/// name.
fn prefix_elsewhere(prefix: &str, identity: platform::Identity) -> String {
    format!("{prefix}{:x}-{:x}-", identity.device, identity.number)
}

fn write(directory: &Path, prefix: &str, name: &str, text: &str) -> io::Result<String> {
    remove_old(directory, prefix);
    let name = format!("{prefix}{name}");
    let options = &mut OpenOptions::new();
    let mut file = private::open(&directory.join(&name), options.write(true).create_new(true))?;
    file.write_all(text.as_bytes())?;
    Ok(name)
}

/// The records in a directory, oldest first.
fn records(directory: &Path, prefix: &str) -> Vec<PathBuf> {
    let names = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_record =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix));
    let mut records: Vec<PathBuf> = names.filter(is_record).collect();
    records.sort_unstable();
    records
}

fn remove_old(directory: &Path, prefix: &str) {
    let records = records(directory, prefix);
    let surplus = (records.len() + 1).saturating_sub(KEPT);
    for path in &records[..surplus] {
        // One that stays is only untidy.
        let _ = fs::remove_file(path);
    }
}

/// True for a file that is not older than a directory. The number of a directory that is gone may come again,
/// and records of that one are not of this.
fn is_of(directory: &Path, record: &Path) -> bool {
    let born = fs::metadata(directory).and_then(|found| found.created());
    let written = fs::metadata(record).and_then(|found| found.modified());
    // A file system that does not say when leaves the number alone to tell.
    born.is_err() || written.ok() >= born.ok()
}

/// The first-failure records of the queue manager whose error log is in this directory, including those that
/// were written elsewhere because it was not writable.
fn everywhere(errors: &Path) -> impl Iterator<Item = PathBuf> {
    let prefix = Kind::Failure.prefix();
    let identity = HeldDirectory::open(errors).and_then(|held| held.identity()).ok();
    let there = identity.map(|identity| prefix_elsewhere(prefix, identity));
    let there = there.into_iter().flat_map(|prefix| {
        elsewhere::directories_of_all(errors).flat_map(move |directory| records(&directory, &prefix))
    });
    let there = there.filter(|record| is_of(errors, record));
    records(errors, prefix).into_iter().chain(there)
}

/// The number of first-failure records.
pub(super) fn count(errors: &Path) -> u64 {
    everywhere(errors).count() as u64
}

/// A first-failure record, as far as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureRecord {
    /// The file.
    pub path: PathBuf,
    /// The failure, in a sentence.
    pub what: String,
    /// When it was, in UTC.
    pub time: String,
}

impl FailureRecord {
    /// The newest of the queue manager whose error log is in this directory, wherever it could be written.
    #[must_use]
    pub fn newest(errors: &Path) -> Option<Self> {
        let read = everywhere(errors).filter_map(|path| Self::read(&path).ok());
        read.max_by(|one, other| one.time.cmp(&other.time))
    }

    fn read(path: &Path) -> io::Result<Self> {
        let mut head = Vec::new();
        fs::File::open(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
        let head = String::from_utf8_lossy(&head);
        let fact = |name: &str| {
            let found = head.lines().find_map(|line| line.strip_prefix(name));
            found.map(harmless).unwrap_or_default()
        };
        Ok(Self { path: path.to_owned(), what: fact("what: "), time: fact("time: ") })
    }
}
