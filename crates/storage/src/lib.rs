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
mod extents;
mod guards;
mod hold;
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
mod read;
pub mod record;
mod recovery;
pub mod settings;
mod space;
mod state_object;
pub mod statistics;
pub mod storage;
mod store;
mod upkeep;
mod whereabouts;
mod words;

pub use copies::{Copies, CopiesWriter, NewCopy, PutCopy};
pub use decode::decode_any;
pub use log_state::LogState;
pub use mending::{Hurt, Mended};
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
pub use storage::{Reservation, Storage};
pub use store::kept::{KeepError, KeptFound, KeptMessage};
pub use words::appending::{Appended, Observer, Purpose};
pub use words::errors::{CheckpointError, Fatal, Found, OpenError, OutOfSpace, ReadError, TakenAway};
pub use words::found::{
    Checkpointed, LoggedRecord, Recalled, Recovered, Restarted, StoredHead, StoredMessage,
};
pub use words::positions::{Durable, EntryToken, Location, Lsn, ObjectId, Sequence, UnitId};

/// The versions in which files are written, by the kind of file.
pub const FORMATS: [(&str, u32); 4] = [
    ("manifest", manifest::FORMAT_VERSION),
    ("log", log::extent::FORMAT_VERSION),
    ("store", store::segment::FORMAT_VERSION),
    ("kept", store::kept::FORMAT_VERSION),
];
