//! The errors of storage: of an open, of a reservation, of a read, of a checkpoint, and the end of a log.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::positions::{Location, Lsn};

/// Why a data directory cannot be opened. Each names the file and says what to do next.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process, or another part of this one, has it open.
    #[error("{path} is in use: {reason}")]
    InUse {
        /// The lock file.
        path: PathBuf,
        /// The holder, as far as the system tells.
        reason: String,
    },
    /// There is no manifest: nothing was created here, or the directory is another one.
    #[error("there is no queue manager here: {path} does not exist; create one, or check the directory")]
    Absent {
        /// The file that was looked for.
        path: PathBuf,
    },
    /// Create met a queue manager.
    #[error("{path} exists already: a queue manager lives here; choose another directory or delete it first")]
    Exists {
        /// The file that was met.
        path: PathBuf,
    },
    /// Written by a later release.
    #[error(
        "{path} has format version {found}, this program reads up to {supported}; start it with the release that wrote it, or a later one"
    )]
    NewerVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The newest version this program reads.
        supported: u32,
    },
    /// Written in a form that this program does not read, by a build that is no release.
    #[error(
        "{path} has format version {found} and is not as a release writes that: {reason} (offset {offset}); nothing was changed. If an unreleased build wrote it, export the messages with that build and import them into a new queue manager; if a release did, it is damaged: restore the file or a backup"
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// The place that cannot be read.
        offset: u64,
        /// Description of what is there.
        reason: String,
        /// Its version.
        found: u32,
    },
    /// A file of another queue manager.
    #[error("{path} belongs to queue manager {found}, this is {expected}; put the file of this one back")]
    WrongQueueManager {
        /// The file.
        path: PathBuf,
        /// The identity in the manifest.
        expected: String,
        /// The identity in the file.
        found: String,
    },
    /// The two manifests are of two queue managers.
    #[error(
        "manifest.0 belongs to queue manager {even}, manifest.1 to {odd}: files of two are mixed here; nothing was changed, put both of one back"
    )]
    Mixed {
        /// The identity in that of even generations.
        even: String,
        /// The identity in the other.
        odd: String,
    },
    /// A log extent that holds needed records is not there.
    #[error(
        "{path} is missing: it holds the log from {first}; put it back from where it went, or restore a backup"
    )]
    MissingExtent {
        /// The file.
        path: PathBuf,
        /// The first position in it.
        first: Lsn,
    },
    /// A store segment that holds live messages is not there.
    #[error(
        "{path} is missing: it holds {live} messages; put it back from where it went, or restore a backup"
    )]
    MissingSegment {
        /// The file.
        path: PathBuf,
        /// Messages in it.
        live: u32,
    },
    /// A file is shorter than it was made.
    #[error(
        "{path} was cut: it has {found} bytes of {expected}; put the whole file back, or restore a backup"
    )]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its length now.
        found: u64,
        /// The length it was made with.
        expected: u64,
    },
    /// Bytes that were durable are not what they were: starting would lose messages in silence.
    #[error(
        "{path} is damaged at offset {offset}: {reason}; nothing was changed, restore the file or a backup"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it.
        offset: u64,
        /// Description of the damage.
        reason: String,
    },
    /// Neither log nor disk has room for the few pages a start needs.
    #[error("no room to start: {path} needs {wanted} bytes; free space on the disk and start again")]
    NoRoom {
        /// The file that could not be made.
        path: PathBuf,
        /// Its bytes.
        wanted: u64,
    },
    /// A setting that cannot work.
    #[error("setting {name} is {value}: {reason}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: String,
        /// Why not, and what would do.
        reason: &'static str,
    },
    /// The system refused.
    #[error("cannot {doing} {path}: {source}{}", way_out(doing))]
    Io {
        /// The action that failed.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The engine could not make sense of what it was given.
    #[error("{0}")]
    Other(String),
}

/// Advice for an action that the system refused. The system's own words say where.
fn way_out(doing: &str) -> &'static str {
    match doing {
        "read" | "read again" => {
            "; nothing was changed: start again, and if it stays so look at the device and restore the file or a backup"
        }
        _ => "",
    }
}

/// Neither log nor file system has room; heals by itself when there is room again.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no room for {wanted} bytes: {reason}")]
pub struct OutOfSpace {
    /// Bytes asked for.
    pub wanted: u64,
    /// The space that ran out, and the remedy.
    pub reason: String,
}

/// The end of a log: nothing becomes durable after it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Fatal {
    /// The first error on existing log space.
    #[error("the recovery log failed: {operation} of {path} at offset {offset}: {source}")]
    Refused {
        /// The operation that was tried.
        operation: &'static str,
        /// On which file.
        path: PathBuf,
        /// Where in it.
        offset: u64,
        /// The error of the system.
        source: Arc<io::Error>,
    },
    /// A start would not find what becomes durable from now on.
    #[error(transparent)]
    TakenAway(TakenAway),
}

/// Why a message cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A checkpoint moved the message, or it was released: ask the queue where it is now.
    #[error("the message is no longer at {0:?}")]
    Moved(Location),
    /// The bytes are damaged: the message is not given out.
    #[error("{path} is damaged at offset {offset}: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
        /// Description of the damage.
        reason: String,
    },
    /// The system refused.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Why a checkpoint did not happen, or, for lack of space or what cannot be read, moved less than it should;
/// the log goes on.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// No room for the store segment or the manifest.
    #[error(transparent)]
    OutOfSpace(#[from] OutOfSpace),
    /// The system refused a file that nothing refers to yet; tried again at the next checkpoint.
    #[error("the checkpoint could not write {path}, it is tried again: {source}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A message that must be moved cannot be read; tried again at the next checkpoint.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The log failed.
    #[error(transparent)]
    Fatal(#[from] Fatal),
}

/// A file or directory of a running queue manager that its name does not lead to any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {found} while the queue manager runs, so the next start would not open what this one has open: put back what was there, then start it", path.display())]
pub struct TakenAway {
    /// The path, from the root of the file system where that is known.
    pub path: PathBuf,
    /// The thing that it leads to now.
    pub found: Found,
}

/// The thing that a name leads to in place of the file that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// Another file or directory.
    Another,
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nothing => "was removed or renamed",
            Self::Another => "was replaced",
        })
    }
}

/// True if an error says that the file system is full.
pub(crate) fn is_lack_of_space(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), StorageFull | QuotaExceeded | FileTooLarge)
}
