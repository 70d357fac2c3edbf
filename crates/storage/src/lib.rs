//! The recovery log with group commit, store segments, checkpoints and restart.
//!
//! Lives here: the durable side of one queue manager. [`Storage`] appends [`Record`]s, makes them durable in
//! groups, keeps the bodies of messages that outlive the log, and gives back after a restart what was
//! durable.
//!
//! Lives elsewhere: what the records mean (`queue-manager`), how bytes reach the device (`platform`).
//!
//! Always: durable <= written <= appended; a flushed page is never written again; the first error on existing
//! log space is the last act of this storage.

mod checkpoint;
mod checksum;
pub mod copies;
pub mod copy;
mod decode;
pub mod error;
mod extents;
pub mod images;
mod inner;
mod input;
pub mod inspect;
mod log;
pub mod log_state;
mod manifest;
mod mending;
#[cfg(feature = "planted")]
pub mod planted;
pub mod position;
mod read;
pub mod record;
mod recovery;
pub mod settings;
mod space;
mod state_object;
pub mod statistics;
pub mod storage;
mod store;
mod whereabouts;

pub use copies::{Copies, CopiesWriter, NewCopy, PutCopy};
pub use decode::decode_any;
pub use error::OpenError;
pub use log_state::LogState;
pub use mending::{Hurt, Mended};
pub use position::{Durable, EntryToken, Location, Lsn, ObjectId, Sequence, UnitId};
pub use record::{
    FRAGMENT_BYTES, GroupHead, INLINE_BODY_BYTES_MAX, MessageHead, RESERVED_END, RESERVED_END_EACH,
    RESERVED_SMALL, RETURNED_MAX, Record, reserved_for_put,
};
pub use settings::{LogKind, Settings};
pub use state_object::{
    AuthorityKey, AuthorityRecord, Direction, Line, LineEnd, ResolvedBatches, ResolvedBranch, StateObject,
    StateObjectError, SyncObject,
};
pub use statistics::{FORCE_BOUNDS, Statistics};
pub use storage::{
    Appended, CheckpointError, Checkpointed, Fatal, LoggedRecord, Observer, OutOfSpace, Purpose, ReadError,
    Recalled, Recovered, Reservation, Restarted, Storage, StoredHead, StoredMessage,
};
pub use store::kept::{KeepError, KeptFound, KeptMessage};
pub use whereabouts::{Found, TakenAway};

/// The versions in which files are written, by the kind of file.
pub const FORMATS: [(&str, u32); 4] = [
    ("manifest", manifest::FORMAT_VERSION),
    ("log", log::extent::FORMAT_VERSION),
    ("store", store::segment::FORMAT_VERSION),
    ("kept", store::kept::FORMAT_VERSION),
];
