//! The face of this crate: [`Storage`].

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use platform::{Disk, Monotonic, World};

use crate::copies::Copies;
use crate::error::OpenError;
use crate::inner::{Inner, Pin};
use crate::log::buffer::Message;
use crate::log::record::Entry;
use crate::manifest;
use crate::mending::{Hurt, Mended};
use crate::record::{Body, FRAGMENT_BYTES};
use crate::recovery;
use crate::space::Promise;
use crate::store::kept::{self, KeepError, KeptFound, KeptMessage};
use crate::{
    Durable, EntryToken, Location, LogKind, LogState, Lsn, MessageHead, ObjectId, Record, Settings,
    Statistics, TakenAway, UnitId,
};

/// The durable side of one queue manager. Cheap to clone; all clones are the same storage.
#[derive(Clone, Debug)]
pub struct Storage {
    inner: Arc<Inner>,
}

/// Purpose of a reservation. Reservations are made before any lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Adds to what is kept (put, define): refused first, so that the others go on.
    Fill,
    /// Takes away or ends (get, commit, backout, remove, delete): has a reserve of its own.
    Drain,
}

/// Space set aside in the log; what is not used returns when it is dropped. Append takes from it and cannot
/// fail.
#[derive(Debug)]
pub struct Reservation {
    promise: Promise,
    /// Fragments appended whose put may still come.
    pin: Option<Pin>,
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

/// Result of an append.
#[derive(Clone, Copy, Debug)]
pub struct Appended {
    /// The position of the record.
    pub at: Lsn,
    /// End of the record: it must be durable before the outcome is shown outside.
    pub need: Lsn,
}

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
    /// The first record of the oldest open unit of work, if any is open.
    /// A unit is open until `Storage::release` was called for every message it consumed.
    fn oldest_unit(&self) -> Option<Lsn>;
    /// Everything replay needs besides messages (objects, next sequences, backout counts, client commits),
    /// and the position up to which it holds the effects of every record outside open units;
    /// `Storage::release` was called for every message that a record before it removed.
    fn snapshot(&self) -> (Bytes, Lsn);
}

/// Receiver of reports of the log's actions. Called under no lock of storage; must be quick.
pub trait Observer: Send + Sync {
    /// Reports an append to a log that had nothing waiting: a thread must drive it.
    fn log_has_work(&self);
    /// The log is durable up to here.
    fn durable(&self, durable: Durable);
    /// A log write or read took longer than `Settings::slow_io`.
    fn slow_io(&self, operation: &str, bytes: usize, micros: u64);
    /// The log failed; nothing will become durable any more and the process must end.
    fn failed(&self, failure: &Fatal);
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
        source: Arc<std::io::Error>,
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
        source: std::io::Error,
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
        source: std::io::Error,
    },
    /// A message that must be moved cannot be read; tried again at the next checkpoint.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The log failed.
    #[error(transparent)]
    Fatal(#[from] Fatal),
}

impl Reservation {
    /// Bytes still set aside.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.promise.left()
    }

    /// Splits a part off, to be kept for later by another owner; less when there is less.
    #[must_use]
    pub fn split(&mut self, bytes: u64) -> Self {
        Self { promise: self.promise.split(bytes), pin: None }
    }

    /// Adds what another set aside.
    ///
    /// # Panics
    /// When the other holds fragments whose put is still to come.
    pub fn absorb(&mut self, other: Self) {
        assert!(other.pin.is_none(), "fragments belong to the reservation they were appended with");
        self.promise.absorb(other.promise);
    }
}

impl Storage {
    /// Makes the files of a new queue manager: the first extent, an empty manifest.
    pub fn create(world: &World, settings: &Settings) -> Result<(), OpenError> {
        settings.check()?;
        recovery::create(world, settings)
    }

    /// True if a data directory has a manifest, readable or not. Without one, no queue manager was created in
    /// it, or its files are gone.
    pub fn has_manifest(disk: &dyn Disk) -> bool {
        manifest::is_there(disk)
    }

    /// Opens the files, shows `engine` what they hold, and proves the tail of the log. Nothing is written
    /// that would change a second recovery. Appending works when this returns, and the Epoch block is
    /// durable.
    pub fn open(
        world: &World,
        settings: &Settings,
        observer: Arc<dyn Observer>,
        engine: &mut dyn Restarted,
    ) -> Result<Self, OpenError> {
        let inner = recovery::open(world, settings, observer, engine)?;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Sets aside room for records of `bytes` in all (see [`Record::reserved_bytes`]). After a refusal
    /// [`Storage::prepare`] and [`Storage::checkpoint`] may make room: it is worth a second try.
    pub fn reserve(&self, bytes: u64, purpose: Purpose) -> Result<Reservation, OutOfSpace> {
        let promise = self.inner.log.space.reserve(bytes, purpose)?;
        Ok(Reservation { promise, pin: None })
    }

    /// Makes an empty reservation, which never fails: a small record appended with it draws on the reserve.
    /// For the rare caller who must append and can no longer refuse.
    #[must_use]
    pub fn reserve_nothing(&self) -> Reservation {
        Reservation { promise: self.inner.log.space.promise_nothing(), pin: None }
    }

    /// Appends a record. Infallible: the reservation was made before.
    /// For a put, `entry` is the engine's handle of the message, asked about at checkpoints.
    pub fn append(
        &self,
        record: &Record<'_>,
        entry: Option<EntryToken>,
        reservation: &mut Reservation,
    ) -> Appended {
        let message = match (record, entry) {
            (Record::Put { head, body, .. }, Some(entry)) => {
                let fragments_from = match body {
                    Body::Inline(_) => None,
                    Body::Fragments { at, .. } => at.first().copied(),
                };
                Some((0, Message { queue: head.queue, entry, fragments_from }))
            }
            _ => None,
        };
        self.inner.log.append(&Entry::Engine(record.clone()), message, &mut reservation.promise)
    }

    /// Appends the record of messages put together, with the engine's handle of each. Each is where
    /// [`PutCopy::offset`] says, counted from the position that is given back; until the reservation is
    /// dropped no checkpoint asks for them there.
    ///
    /// [`PutCopy::offset`]: crate::PutCopy::offset
    pub fn append_many(
        &self,
        unit: Option<UnitId>,
        copies: &Copies<'_>,
        entries: &[EntryToken],
        reservation: &mut Reservation,
    ) -> Appended {
        self.pin(reservation);
        let fragments_from = copies.first_fragment();
        let messages = copies.iter().zip(entries).map(|(copy, entry)| {
            let fragments_from = fragments_from.filter(|_| copy.has_end);
            (copy.offset, Message { queue: copy.head.queue, entry: *entry, fragments_from })
        });
        let record = Record::PutMany { unit, copies: copies.clone() };
        self.inner.log.append(&Entry::Engine(record), messages, &mut reservation.promise)
    }

    /// Keeps what is appended with this reservation in the log until it is dropped.
    fn pin(&self, reservation: &mut Reservation) {
        if reservation.pin.is_none() {
            reservation.pin = Some(self.inner.pins.pin(self.appended()));
        }
    }

    /// Appends a large body in fragments, which may interleave with other records; takes no queue lock. The
    /// put that names them must be appended with the same reservation, which keeps them in the log until it
    /// is dropped.
    pub fn append_body(&self, body: &Bytes, reservation: &mut Reservation) -> Vec<Lsn> {
        self.pin(reservation);
        let fragments = body.chunks(FRAGMENT_BYTES);
        let append =
            |bytes| self.inner.log.append(&Entry::Fragment(bytes), None, &mut reservation.promise).at;
        fragments.map(append).collect()
    }

    /// After replay: the message at this location is live and known to the engine as `entry`. A message found
    /// in a segment and not adopted before the first checkpoint is dead.
    pub fn adopt(&self, queue: ObjectId, entry: EntryToken, location: Location) {
        self.inner.adopt(queue, entry, location);
    }

    /// The message there is gone for good once the log is durable to `need`.
    pub fn release(&self, location: Location, need: Lsn) {
        self.inner.release(location, need);
    }

    /// Everything appended so far.
    #[must_use]
    pub fn appended(&self) -> Lsn {
        self.inner.log.appended()
    }

    /// Proof of how far the log is durable.
    #[must_use]
    pub fn durable(&self) -> Durable {
        self.inner.log.durable()
    }

    /// Writes one block if something waits and no other caller is writing; returns the proof after it.
    pub fn drive(&self) -> Durable {
        self.inner.log.drive()
    }

    /// Reads a message back, from log, segment or spill file.
    pub fn read(&self, location: Location) -> Result<StoredMessage, ReadError> {
        self.inner.read(location)
    }

    /// Writes a message that need not survive this run to a spill file.
    pub fn spill(&self, descriptor: &[u8], body: &[u8]) -> Result<Location, OutOfSpace> {
        self.inner.store.spill.write(descriptor, body)
    }

    /// Keeps messages that no log holds for the next start; returns their number. The last act of a run that
    /// ends in order: no getter may take one of them after this.
    ///
    /// # Panics
    /// When the log is not durable to its end: messages would come back beside what their units of work undo.
    pub fn keep(&self, messages: &mut dyn Iterator<Item = KeptMessage>) -> Result<u64, KeepError> {
        assert!(self.durable().lsn() >= self.appended(), "what messages are kept beside is durable");
        self.look_at_files()
            .map_err(|error| KeepError { path: kept::path(), source: std::io::Error::other(error) })?;
        let nonce = self.inner.world.entropy.next_u64();
        kept::write(&*self.inner.world.disk, &self.inner.identity, nonce, messages)
    }

    /// Gives what the end before this start kept to `take`. It is there until [`Storage::forget_kept`].
    pub fn read_kept(&self, take: &mut dyn FnMut(KeptMessage)) -> Result<KeptFound, OpenError> {
        kept::read(&*self.inner.world.disk, &self.inner.identity, take)
    }

    /// Removes the kept messages, so that no later start finds them. Call it before any of them can be got.
    pub fn forget_kept(&self) -> Result<(), OpenError> {
        kept::remove(&*self.inner.world.disk)
    }

    /// Looks whether a start would find the files that are open: a few names, each without a look at the disk
    /// where the system has it in memory. A file that was taken away is the failure of this storage.
    pub fn look_at_files(&self) -> Result<(), Fatal> {
        self.inner.look_at_files()
    }

    /// True if enough was logged since the last checkpoint, or space runs short. Cheap.
    #[must_use]
    pub fn checkpoint_due(&self) -> bool {
        self.inner.checkpoint_due()
    }

    /// Returns true if a checkpoint would free an extent of the log, when the oldest open unit of work begins
    /// there. Its cost is another question: see [`Storage::checkpoint_due`].
    #[must_use]
    pub fn checkpoint_frees(&self, oldest_unit: Option<Lsn>) -> bool {
        self.inner.checkpoint_frees(oldest_unit)
    }

    /// The largest request with [`Purpose::Fill`] that was refused, until [`Storage::forget_refused`].
    #[must_use]
    pub fn refused(&self) -> Option<u64> {
        self.inner.log.space.refused()
    }

    /// Forgets a request that was refused, unless a larger one was meanwhile.
    pub fn forget_refused(&self, bytes: u64) {
        self.inner.log.space.forget_refused(bytes);
    }

    /// Returns true if a request like this, with [`Purpose::Fill`], would not be refused now.
    #[must_use]
    pub fn has_room_for(&self, bytes: u64) -> bool {
        self.inner.log.space.has_room_for(bytes)
    }

    /// Returns true if an empty log with all its extents could hold so much besides the room that it keeps
    /// back.
    #[must_use]
    pub fn could_hold(&self, bytes: u64) -> bool {
        self.inner.could_hold(bytes)
    }

    /// Takes a checkpoint: moves live messages out of the oldest extents, writes the manifest, recycles
    /// extents.
    pub fn checkpoint(&self, engine: &dyn Checkpointed) -> Result<(), CheckpointError> {
        self.inner.checkpoint(engine)
    }

    /// Gives messages back whose bytes are damaged, from the images that there are and the log since. Those
    /// that are found are somewhere else afterwards, durably; the engine was told by
    /// `Checkpointed::relocate`. Nothing else is touched. Blocks.
    pub fn mend(&self, engine: &dyn Checkpointed, hurt: &[Hurt]) -> Result<Mended, CheckpointError> {
        self.inner.mend(engine, hurt)
    }

    /// When the oldest open unit of work began before this position it pins too much of the log and must be
    /// backed out (reason 2003).
    #[must_use]
    pub fn oldest_unit_allowed(&self) -> Lsn {
        self.inner.oldest_unit_allowed()
    }

    /// The log's kind: says if extents are kept for media recovery.
    #[must_use]
    pub fn log_kind(&self) -> LogKind {
        self.inner.settings.kind
    }

    /// Makes the next record begin another extent, so that nothing is written to the current one once that
    /// record is durable. Returns the beginning of the next extent.
    ///
    /// # Errors
    /// When no extent is ready, or what would be skipped is needed; [`Storage::prepare`] makes extents.
    pub fn advance_log(&self) -> Result<Lsn, OutOfSpace> {
        if self.inner.log.advance()? {
            return Ok(self.current_extent());
        }
        let reason = "no extent of the log is ready; one is being made".to_owned();
        Err(OutOfSpace { wanted: self.inner.settings.extent_bytes, reason })
    }

    /// Makes extents ahead of need; called by housekeeping, never by a reactor.
    pub fn prepare(&self) -> Result<(), OutOfSpace> {
        self.inner.prepare()
    }

    /// Beginning of the extent that is being filled: its space cannot be freed, even if its units of work
    /// end.
    #[must_use]
    pub fn current_extent(&self) -> Lsn {
        Lsn(self.inner.log.current_extent())
    }

    /// True if [`Storage::prepare`] has work to do. Cheap.
    #[must_use]
    pub fn prepare_due(&self) -> bool {
        self.inner.prepare_due()
    }

    /// True if the space that puts may fill is nearly used up: puts had better wait for the checkpoint that
    /// makes room.
    #[must_use]
    pub fn runs_short(&self) -> bool {
        let space = &self.inner.log.space;
        space.free() < space.unhindered() || space.is_spare_gone()
    }

    /// The number of this start.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.inner.epoch
    }

    /// The failure that ended this storage, if any.
    #[must_use]
    pub fn failure(&self) -> Option<Fatal> {
        self.inner.log.failure().cloned()
    }

    /// The time at which the force began that is under way, if one is. Waits for no lock.
    #[must_use]
    pub fn force_under_way(&self) -> Option<Monotonic> {
        self.inner.log.forces.under_way()
    }

    /// Counts since the files were opened, and their present state.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }

    /// Returns the state of the recovery log.
    #[must_use]
    pub fn log_state(&self) -> LogState {
        self.inner.log_state()
    }

    /// Names a unit of this epoch.
    #[must_use]
    pub fn unit(&self, counter: u64) -> UnitId {
        UnitId { epoch: self.epoch(), counter }
    }
}

impl fmt::Debug for dyn Observer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Observer")
    }
}
