//! The face of this crate: [`Storage`].

use std::sync::Arc;

use bytes::Bytes;
use platform::{Disk, Monotonic, World};

use crate::copies::Copies;
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
    Appended, CheckpointError, Checkpointed, Durable, EntryToken, Fatal, Location, LogKind, LogState, Lsn,
    ObjectId, Observer, OpenError, OutOfSpace, Purpose, ReadError, Record, Restarted, Settings, Statistics,
    StoredMessage, UnitId,
};

/// The durable side of one queue manager. Cheap to clone; all clones are the same storage.
#[derive(Clone, Debug)]
pub struct Storage {
    inner: Arc<Inner>,
}

/// Space set aside in the log; what is not used returns when it is dropped. Append takes from it and cannot
/// fail.
#[derive(Debug)]
pub struct Reservation {
    promise: Promise,
    /// Fragments appended whose put may still come.
    pin: Option<Pin>,
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

    /// True if a failure ended this storage. Asked by each get, for which a copy of the failure costs too
    /// much.
    #[must_use]
    #[inline]
    pub fn has_failed(&self) -> bool {
        self.inner.log.failure().is_some()
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
