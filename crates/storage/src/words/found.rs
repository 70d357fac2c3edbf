//! The words between storage and the engine about what is kept: at a restart, at a checkpoint, read back.

use std::num::NonZeroU32;

use bytes::Bytes;

use crate::{EntryToken, Location, Lsn, MessageHead, ObjectId, OpenError, Record};

/// A record as it was found in the log.
#[derive(Debug)]
pub struct LoggedRecord<'a> {
    /// Its position.
    pub at: Lsn,
    /// The record itself. A put's body may be absent in fragments: use `Storage::read` on its location.
    pub record: Record<'a>,
    /// For a put: bytes of the body, wherever it is.
    pub body_length: u64,
    /// True if a body, or a part of one, cannot be read: what the record has in its place is not what was
    /// put. `Storage::read` says why. Of messages that were put together each says whether it is its own
    /// ([`crate::PutCopy::is_damaged`]).
    pub is_damaged: bool,
}

/// Starting state of a restart, besides the records of the log that follow the checkpoint.
#[derive(Debug)]
pub struct Recovered {
    /// The engine's snapshot of the last checkpoint, as `Checkpointed::snapshot` gave it; none in a new log.
    pub snapshot: Option<Bytes>,
    /// Where replay starts. What records before it did is in snapshot and store; a commit may name a unit
    /// that began before it, whose earlier effects are then there already.
    pub replay_from: Lsn,
}

/// Receiver of the stored state during a restart: first the last checkpoint, then the messages in store
/// segments, then the log.
pub trait Restarted {
    /// Takes the state that everything else builds on; called once, before all else.
    fn begin(&mut self, recovered: &Recovered) -> Result<(), OpenError>;

    /// A message in a store segment that was live at the last checkpoint.
    fn stored(&mut self, stored: &StoredHead);

    /// A record of the log from the checkpoint on, in order.
    fn logged(&mut self, record: LoggedRecord<'_>) -> Result<(), OpenError>;
}

/// A live message in a store segment, known from its footer alone.
#[derive(Clone, Copy, Debug)]
pub struct StoredHead {
    /// The head from the footer.
    pub head: MessageHead,
    /// Where it is.
    pub location: Location,
    /// Bytes of the encoded descriptor.
    pub descriptor_length: u32,
    /// Bytes of the body.
    pub body_length: u64,
    /// True if only a mark is there: the message was damaged before it was copied out of the log. Reading it
    /// gives the reason.
    pub is_damaged: bool,
    /// The time of its put, as [`Checkpointed::put_second`] gave it when it was copied out of the log.
    pub put_second: Option<NonZeroU32>,
}

/// A message read back.
#[derive(Clone, Debug)]
pub struct StoredMessage {
    /// The descriptor as the engine encoded it.
    pub descriptor: Bytes,
    /// The body.
    pub body: Bytes,
}

/// The engine's knowledge of a message that is damaged or cannot be read.
#[derive(Clone, Debug)]
pub struct Recalled {
    /// As in the record of its put.
    pub head: MessageHead,
    /// Bytes of the body.
    pub body_length: u64,
    /// The message, if it is still in memory: it is then stored as if nothing had happened.
    pub message: Option<StoredMessage>,
}

/// Questions that storage asks the engine during a checkpoint. Storage holds none of its locks during a call.
pub trait Checkpointed {
    /// True if the message is committed and still at this location; asked before its bytes are copied.
    fn is_live(&self, queue: ObjectId, entry: EntryToken, at: Location) -> bool;
    /// The message now lives at `to`; false when it was consumed meanwhile (the copy is then dropped).
    fn relocate(&self, queue: ObjectId, entry: EntryToken, from: Location, to: Location) -> bool;
    /// Returns the engine's knowledge of a live message whose bytes, or whose entry in the footer of its
    /// segment, are damaged or cannot be read; none when it was consumed meanwhile.
    fn recall(&self, queue: ObjectId, entry: EntryToken, at: Location) -> Option<Recalled>;
    /// The message lives at `at` now, and cannot be read there or anywhere: its bytes were damaged, or could
    /// not be read, in an extent of the log that is used again. Called after `relocate`.
    fn lost(&self, queue: ObjectId, entry: EntryToken, at: Location, reason: &str);
    /// The second of a message's put, counted from 1970, as its descriptor has it; none where it has no time.
    /// A start learns it from the segment without reading the descriptor.
    fn put_second(&self, descriptor: &[u8]) -> Option<NonZeroU32>;
    /// The first record of the oldest open unit of work, if any is open.
    /// A unit is open until `Storage::release` was called for every message it consumed.
    fn oldest_unit(&self) -> Option<Lsn>;
    /// Everything replay needs besides messages (objects, next sequences, backout counts, client commits),
    /// and the position up to which it holds the effects of every record outside open units;
    /// `Storage::release` was called for every message that a record before it removed.
    fn snapshot(&self) -> (Bytes, Lsn);
}
