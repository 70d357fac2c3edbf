//! Checkpoints: moving live messages out of the oldest extents, and using those again.
//!
//! A checkpoint is fuzzy: puts and gets go on. Its order makes it safe:
//!
//! 1. ask how far replay may be cut (open units, bodies whose put is to come, the engine's snapshot), and
//!    make sure that the snapshot has
//!    room in the manifest;
//! 2. copy live messages of older extents to a segment, and make it durable;
//! 3. tell the engine where they are now;
//! 4. make the log durable to everything the manifest will reflect;
//! 5. make the manifest durable; only now the old extents, and segments with no live message, are free;
//! 6. use the extents again.
//!
//! On a full disk the spare takes the content of the oldest extent (see `extents`), but first gives the
//! manifest the room that it lacks: without a manifest nothing is ever freed. A message that does not fit
//! stays where it is, and so do its extent and those after it; the rest of the checkpoint is taken, and it
//! reports that room is missing. The next spare is made at once, of an extent if need be.
//!
//! A message that is damaged in an extent that is to be used again moves too: as a mark that says what it was
//! and that it is lost (see `store::segment`), or whole if the engine still has it in memory. So does one
//! that the system does not let be read, but not before puts are refused for want of its extent: until then
//! extent and message stay, and the rest of the checkpoint is taken.
//!
//! The work follows what changed: an extent knows the messages put in it, a segment those live in it.

use std::cell::Cell;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use platform::OpenMode;
use platform::sync::atomic::Ordering;

use crate::inner::{Inner, LastCheckpoint};
use crate::log::extent::{Item, extent_path};
use crate::manifest::{self, Manifest, NotStored};
use crate::read::Cache;
use crate::space::usable;
use crate::store::segment::Member;
use crate::store::segment::{self, Mark, Writer};
use crate::store::{COMPACT_BELOW, Described};
use crate::words::errors::is_lack_of_space;
use crate::{
    CheckpointError, Checkpointed, Fatal, Location, Lsn, MessageHead, OutOfSpace, Purpose, RESERVED_SMALL,
    ReadError, Recalled, StoredMessage,
};

struct Copied {
    member: Member,
    to: Location,
    /// Why only a mark was written.
    lost: Option<String>,
}

/// Content of a message as it is copied to a segment.
pub(crate) enum Content {
    Whole(MessageHead, StoredMessage),
    /// It cannot be read any more.
    Known(MessageHead, Mark),
}

impl Content {
    /// Bytes it takes in a segment.
    fn bytes(&self) -> u64 {
        match self {
            Self::Whole(_, message) => {
                segment::MESSAGE_FRAME_BYTES + (message.descriptor.len() + message.body.len()) as u64
            }
            Self::Known(_, mark) => mark.bytes(),
        }
    }
}

/// Where a segment is written.
#[derive(Clone, Copy, Debug)]
enum Room {
    /// A new file, with so many bytes or with one message that is larger.
    New(u64),
    /// The spare, which does not grow: the disk is full.
    Spare(u64),
}

/// Returns the content of a member for a segment; none when it stays where it is, or is gone.
type ContentOf<'a> = dyn Fn(&Member) -> Option<Content> + 'a;

impl Inner {
    /// Bytes of the log when it has the extents it should always have.
    fn nominal_bytes(&self) -> u64 {
        u64::from(self.settings.primary_extents) * self.settings.extent_bytes
    }

    fn space_is_short(&self) -> bool {
        let space = &self.log.space;
        let comfortable = (space.capacity() / 4) as i64;
        space.free() < comfortable.max(self.least_for_puts())
    }

    fn refuses_puts(&self) -> bool {
        self.log.space.free() < self.least_for_puts()
    }

    /// With less than this free, puts like the last one that was refused are refused again.
    fn least_for_puts(&self) -> i64 {
        let space = &self.log.space;
        let refused = i64::try_from(space.wanted().max(RESERVED_SMALL)).unwrap_or(i64::MAX / 2);
        space.floor(Purpose::Fill) + refused
    }

    pub(crate) fn checkpoint_due(&self) -> bool {
        let logged = self.log.appended().0.saturating_sub(self.checkpoint_at.load(Ordering::Relaxed));
        let nominal = self.nominal_bytes();
        logged >= nominal / 4 || (logged >= nominal / 16 && self.space_is_short())
    }

    pub(crate) fn checkpoint_frees(&self, oldest_unit: Option<Lsn>) -> bool {
        if self.log.space.is_disk_full() && self.store_gives_room() {
            return true;
        }
        let end = self.log.appended();
        let limit = end.min(self.pins.oldest().unwrap_or(end)).min(oldest_unit.unwrap_or(end));
        let redo = self.log.start_before(limit);
        let extents = self.log.files.extents.read();
        extents.first_key_value().is_some_and(|(oldest, _)| *oldest < redo)
    }

    /// Returns true if a checkpoint would give bytes of the store back to the disk: of segments without a
    /// live message, or of thin ones if there is room to copy their messages.
    fn store_gives_room(&self) -> bool {
        let has_room = || self.room_for_thin() >= self.segment_bytes() / u64::from(COMPACT_BELOW);
        self.store.has_dead() || (self.store.has_thin() && has_room())
    }

    /// Longest segment to which messages of thin segments are copied. A disk that is nearly full has room for
    /// a short one, and the segments that this empties give more back.
    fn room_for_thin(&self) -> u64 {
        self.world.disk.bytes_free().unwrap_or(0).min(self.segment_bytes())
    }

    pub(crate) fn could_hold(&self, bytes: u64) -> bool {
        let extents = u64::from(self.settings.extents_max());
        let room = extents * usable(self.settings.extent_bytes);
        let kept_back = self.log.space.floor_of(extents * self.settings.extent_bytes, Purpose::Fill);
        i64::try_from(room).unwrap_or(i64::MAX) - kept_back >= i64::try_from(bytes).unwrap_or(i64::MAX)
    }

    pub(crate) fn oldest_unit_allowed(&self) -> Lsn {
        let extents = u64::from(self.settings.extents_max());
        let possible = if self.extents.failed() {
            self.log.space.capacity()
        } else {
            extents * self.settings.extent_bytes
        };
        Lsn(self.log.appended().0.saturating_sub(possible / 10 * 6))
    }

    pub(crate) fn checkpoint(&self, engine: &dyn Checkpointed) -> Result<(), CheckpointError> {
        let mut last = self.last.lock();
        if let Some(failure) = self.log.failure() {
            return Err(failure.clone().into());
        }
        // Nothing is made in a folder that is another than the one this began in.
        self.look_at_files()?;
        let begin = self.log.appended();
        self.counts.restart_bytes.count(begin.0.saturating_sub(last.redo));
        // Replay can start only where a block is.
        self.make_durable(begin)?;
        let unfinished_body = self.pins.oldest().unwrap_or(begin);
        let oldest_unit = engine.oldest_unit();
        let (snapshot, snapshot_at) = engine.snapshot();
        let younger_part = Lsn(begin.0.saturating_sub(self.kept_in_log()));
        let limit = younger_part.min(unfinished_body).min(oldest_unit.unwrap_or(begin)).min(snapshot_at);
        let redo = self.log.start_before(limit).max(last.redo);
        let redo = self.hold_for_open_units(engine, redo, oldest_unit);
        self.make_room_for_manifest(&last, &snapshot)?;

        self.store.begin_checkpoint();
        let (redo, short) = match self.move_messages(engine, redo) {
            Err(error @ (CheckpointError::OutOfSpace(_) | CheckpointError::Unreadable(_))) => {
                (self.first_unmoved(engine, redo), Some(error))
            }
            moved => moved.map(|()| (redo, None))?,
        };

        let described = self.store.describe();
        let need = described.need.max(self.log.appended());
        self.make_durable(need)?;
        let manifest = self.manifest(&last, redo, &described, snapshot);
        self.write_manifest(&manifest)?;
        last.generation = manifest.generation;
        last.redo = redo;
        if short.is_none() {
            self.checkpoint_at.store(begin.0, Ordering::Relaxed);
        }
        self.counts.checkpoints.fetch_add(1, Ordering::Relaxed);

        self.store.remove(&*self.world.disk, &self.cache, &described.dead);
        self.fragmented.lock().clear();
        self.log.forget_before(redo);
        self.give_up_extents(redo)?;
        if self.log.space.is_spare_gone() {
            // Before what was freed is written to: the next checkpoint may need another.
            let _ = self.prepare();
        }
        short.map_or(Ok(()), Err)
    }

    /// Returns the beginning of replay when some messages did not move, for lack of room or because they
    /// cannot be read. Extents whose messages moved may be given up all the same, and segments without a live
    /// message must go, or a full disk would stay full.
    fn first_unmoved(&self, engine: &dyn Checkpointed, redo: u64) -> u64 {
        let extents: Vec<_> =
            self.log.files.extents.read().range(..redo).map(|(_, extent)| Arc::clone(extent)).collect();
        let is_here = |item: &Item| engine.is_live(item.queue, item.entry, Location::Log(item.at));
        let unmoved = extents.iter().find(|extent| {
            let items = extent.items.lock().clone();
            items.iter().any(is_here)
        });
        unmoved.map_or(redo, |extent| extent.first)
    }

    fn make_durable(&self, need: Lsn) -> Result<(), Fatal> {
        #[cfg(feature = "planted")]
        if crate::planted::is(crate::planted::Fault::CheckpointAhead) {
            return Ok(());
        }
        if self.log.drive_to(need) { Ok(()) } else { Err(self.failure_or(need)) }
    }

    /// A large body put by a unit still open may begin in an extent before the first record of the unit; such
    /// an extent stays.
    fn hold_for_open_units(&self, engine: &dyn Checkpointed, redo: u64, oldest_unit: Option<Lsn>) -> u64 {
        let Some(oldest_unit) = oldest_unit else { return redo };
        let may_be_open = |item: &Item| {
            let at = Location::Log(item.at);
            item.at >= oldest_unit && !engine.is_live(item.queue, item.entry, at)
        };
        let candidates: Vec<_> =
            self.log.files.extents.read().range(..redo).map(|(_, extent)| Arc::clone(extent)).collect();
        let held = candidates.iter().find(|extent| {
            let spanning: Vec<Item> =
                extent.items.lock().iter().filter(|item| item.at.0 >= redo).copied().collect();
            spanning.iter().any(may_be_open)
        });
        held.map_or(redo, |extent| extent.first)
    }

    /// Bytes of the log that keep their bodies: the younger half, since most messages do not grow old; less
    /// when space is short; only the extent being filled when puts are refused for lack of it.
    fn kept_in_log(&self) -> u64 {
        if self.refuses_puts() {
            return 0;
        }
        if self.space_is_short() { self.nominal_bytes() / 4 } else { self.nominal_bytes() / 2 }
    }

    /// Copies live messages of extents before `redo` and tells the engine; then those of thin segments, if
    /// that works. One in an extent that cannot be read stays there, and is the error when the others moved.
    fn move_messages(&self, engine: &dyn Checkpointed, redo: u64) -> Result<(), CheckpointError> {
        let mut members: Vec<Member> = Vec::new();
        for extent in self.log.files.extents.read().range(..redo).map(|(_, extent)| extent) {
            members.extend(extent.items.lock().iter().map(member_of));
        }
        let cache = Cache::default();
        let unreadable = Cell::new(None);
        let content = |member: &Member| match (self.content_of(engine, &cache, member), member.location) {
            (Ok(content), _) => Some(content),
            (Err(error @ (ReadError::Damaged { .. } | ReadError::Io { .. })), Location::Log(_)) => {
                unreadable.set(Some(error));
                None
            }
            // Consumed meanwhile, and its place given away; or damaged in a segment, where it stays for any
            // later reader.
            (Err(_), _) => None,
        };
        self.move_members(engine, members, true, &content)?;
        let thin = self.store.thin(self.segment_bytes());
        match self.move_members(engine, thin, false, &content) {
            // The log does not wait for it: tried again at the next checkpoint.
            Err(CheckpointError::OutOfSpace(_) | CheckpointError::Refused { .. }) => {}
            other => other?,
        }
        unreadable.take().map_or(Ok(()), |error| Err(error.into()))
    }

    /// Writes the content of each member to new segments, and tells the engine its new place.
    pub(crate) fn move_members(
        &self,
        engine: &dyn Checkpointed,
        mut members: Vec<Member>,
        with_spare: bool,
        content: &ContentOf<'_>,
    ) -> Result<(), CheckpointError> {
        members.retain(|member| engine.is_live(member.queue, member.entry, member.location));
        let mut rest = &members[..];
        while !rest.is_empty() {
            // Moving much takes long, and the log fills meanwhile. Without room for an extent this goes on:
            // it makes some.
            if self.prepare_due() {
                let _ = self.prepare();
            }
            self.look_at_files()?;
            let (copied, taken) = self.write_segment(engine, rest, with_spare, content)?;
            self.relocate(engine, &copied);
            rest = &rest[taken..];
        }
        Ok(())
    }

    pub(crate) fn segment_bytes(&self) -> u64 {
        self.settings.extent_bytes.min(64 << 20)
    }

    /// Writes one segment with as many of `members` as fit; tells how many were looked at.
    fn write_segment(
        &self,
        engine: &dyn Checkpointed,
        members: &[Member],
        with_spare: bool,
        content: &ContentOf<'_>,
    ) -> Result<(Vec<Copied>, usize), CheckpointError> {
        let disk = &*self.world.disk;
        let bytes_max = if with_spare { self.segment_bytes() } else { self.room_for_thin() };
        match self.try_segment(engine, members, Room::New(bytes_max), content) {
            Err(error) if with_spare && is_lack_of_space(&error) => {
                let _ = disk.remove(segment::unfinished());
                self.take_spare().map_err(|_| error).and_then(|bytes| {
                    let written = self.try_segment(engine, members, Room::Spare(bytes), content);
                    if !matches!(&written, Ok((copied, _)) if !copied.is_empty()) {
                        self.return_spare(bytes);
                    }
                    written
                })
            }
            other => other,
        }
        .map_err(|error| {
            let _ = disk.remove(segment::unfinished());
            refusal(segment::unfinished().to_owned(), self.segment_bytes(), error)
        })
    }

    fn try_segment(
        &self,
        engine: &dyn Checkpointed,
        members: &[Member],
        room: Room,
        content: &ContentOf<'_>,
    ) -> io::Result<(Vec<Copied>, usize)> {
        let disk = &*self.world.disk;
        let (mode, bytes_max) = match room {
            Room::New(bytes) => (OpenMode::Truncate, bytes),
            Room::Spare(bytes) => (OpenMode::Write, bytes),
        };
        let number = self.store.take_number();
        let nonce = self.world.entropy.next_u64();
        let mut writer = Writer::begin(disk, &self.identity, number, nonce, mode)?;
        let mut copied = Vec::new();
        let mut taken = 0;
        for member in members {
            let Some(content) = content(member) else {
                taken += 1;
                continue;
            };
            if writer.bytes() + content.bytes() > bytes_max {
                match room {
                    // What is left is for the next segment.
                    _ if !copied.is_empty() => break,
                    Room::New(_) => {}
                    Room::Spare(_) => return Err(io::Error::from(io::ErrorKind::StorageFull)),
                }
            }
            taken += 1;
            let (index, lost) = match content {
                Content::Whole(head, message) => {
                    let put_second = engine.put_second(&message.descriptor);
                    (writer.add(&head, put_second, &message)?, None)
                }
                Content::Known(head, mark) => {
                    let put_second = engine.put_second(&mark.descriptor);
                    (writer.add_mark(&head, put_second, &mark)?, Some(mark.reason))
                }
            };
            copied.push(Copied { member: *member, to: Location::Segment { segment: number, index }, lost });
        }
        if !copied.is_empty() {
            let segment = writer.finish(disk)?;
            self.counts.messages_stored.fetch_add(copied.len() as u64, Ordering::Relaxed);
            self.store.add(segment);
        }
        Ok((copied, taken))
    }

    /// Returns the content of a message that must move. One that is damaged in the log does not keep the log
    /// from being used again: its known facts go to the store in its place.
    fn content_of(
        &self,
        engine: &dyn Checkpointed,
        cache: &Cache,
        member: &Member,
    ) -> Result<Content, ReadError> {
        if let Location::Segment { segment, index } = member.location
            && let Some((head, mark)) = self.store.mark(cache, segment, index)?
        {
            return Ok(Content::Known(head, mark));
        }
        let read = self.read_with_head(cache, member.location);
        match (read, member.location) {
            (Err(ReadError::Damaged { .. } | ReadError::Io { .. }), Location::Log(at)) => {
                self.recall(engine, member, at)
            }
            // What the engine knows of it is not lost with a footer that rotted.
            (Err(ReadError::Damaged { .. } | ReadError::Io { .. }), Location::Segment { segment, index }) => {
                let recalled = engine.recall(member.queue, member.entry, member.location);
                let Recalled { head, message, .. } = recalled.ok_or(ReadError::Moved(member.location))?;
                let message = message.map_or_else(|| self.store.read(cache, segment, index), Ok)?;
                Ok(Content::Whole(head, message))
            }
            (read, _) => read.map(|(head, message)| Content::Whole(head, message)),
        }
    }

    /// Recalls as much as possible of a message that is damaged in the log, or cannot be read there. Reads it
    /// once more, past all caches. The system may later give bytes that it refuses now, so the extent stays
    /// until puts are refused for lack of space.
    fn recall(&self, engine: &dyn Checkpointed, member: &Member, at: Lsn) -> Result<Content, ReadError> {
        let afresh = Cache::default();
        let error = match self.log.read(&afresh, at) {
            Err(error @ (ReadError::Damaged { .. } | ReadError::Io { .. })) => error,
            other => return other.map(|(head, message)| Content::Whole(head, message)),
        };
        let recalled = engine.recall(member.queue, member.entry, member.location);
        let Recalled { head, body_length, message } = recalled.ok_or(ReadError::Moved(member.location))?;
        let logged = self.log.read_descriptor(&afresh, at).ok();
        let (head, descriptor) = logged.unwrap_or((head, Bytes::new()));
        match message {
            Some(message) => Ok(Content::Whole(head, message)),
            None if matches!(error, ReadError::Io { .. }) && !self.refuses_puts() => Err(error),
            None => {
                let mark = Mark { descriptor, body_length, reason: error.to_string() };
                Ok(Content::Known(head, mark))
            }
        }
    }

    fn read_with_head(
        &self,
        cache: &Cache,
        location: Location,
    ) -> Result<(MessageHead, StoredMessage), ReadError> {
        match location {
            Location::Log(at) => self.log.read(cache, at),
            Location::Segment { segment, index } => self.store.read_with_head(cache, segment, index),
            Location::Spill { .. } => Err(ReadError::Moved(location)),
        }
    }

    fn relocate(&self, engine: &dyn Checkpointed, copied: &[Copied]) {
        for Copied { member, to, lost } in copied {
            let Location::Segment { segment, index } = *to else { continue };
            self.store.adopt(segment, index, member.queue, member.entry);
            self.store.note_move(member.location, *to);
            let moved = engine.relocate(member.queue, member.entry, member.location, *to);
            if let Some(reason) = lost.as_deref().filter(|_| moved) {
                engine.lost(member.queue, member.entry, *to, reason);
            }
            let left = if moved { member.location } else { *to };
            if let Location::Segment { segment, index } = left {
                self.store.release(segment, index, self.log.appended());
            }
        }
    }

    fn manifest(&self, last: &LastCheckpoint, redo: u64, described: &Described, snapshot: Bytes) -> Manifest {
        Manifest {
            identity: self.identity,
            secret: self.secret,
            generation: last.generation + 1,
            redo,
            reflects: self.log.durable().lsn().0,
            nonce: self.log.nonce(),
            chain: self.log.chain_at(redo),
            segment_next: described.next,
            segments: described.segments.clone(),
            snapshot: Some(snapshot),
        }
    }

    /// Makes the room that the files of the manifest lack, both the one that is written next and the one
    /// after. Before messages move: they would take the last room, and in vain.
    fn make_room_for_manifest(&self, last: &LastCheckpoint, snapshot: &Bytes) -> Result<(), CheckpointError> {
        let disk = &*self.world.disk;
        let manifest = self.manifest(last, last.redo, &self.store.describe(), snapshot.clone());
        let room = manifest.room();
        for generation in [manifest.generation, last.generation] {
            let refused = |source| refusal(manifest::path(generation), room, source);
            let lacking = manifest::lacks(disk, generation, room).map_err(refused)?;
            let make_room = || manifest::make_room(disk, generation, room);
            let made = match lacking {
                0 => Ok(()),
                _ => make_room().or_else(|error| match is_lack_of_space(&error) {
                    true => self.cut_spare(lacking).map_err(|_| error).and_then(|()| make_room()),
                    false => Err(error),
                }),
            };
            let has_room_now = generation == last.generation || lacking <= manifest::ENTRY_BYTES_MAX as u64;
            match made {
                // It may do without room for more.
                Err(error) if has_room_now && is_lack_of_space(&error) => {}
                made => made.map_err(refused)?,
            }
        }
        Ok(())
    }

    /// A failure on the way to a new file heals; one of the file that restart looks at is the last act.
    fn write_manifest(&self, manifest: &Manifest) -> Result<(), CheckpointError> {
        let path = manifest::path(manifest.generation);
        let wanted = manifest.snapshot.as_ref().map_or(0, |bytes| bytes.len() as u64);
        self.look_at_files()?;
        let disk = &*self.world.disk;
        let store = || manifest::store(disk, manifest);
        self.manifests.change(disk, manifest.generation, store).map_err(|failure| match failure {
            NotStored::Before(source) => refusal(path, wanted, source),
            NotStored::During(source) if is_lack_of_space(&source) => refusal(path, wanted, source),
            NotStored::During(source) => {
                let fatal = Fatal::Refused { operation: "write", path, offset: 0, source: Arc::new(source) };
                self.log.fence(fatal.clone());
                CheckpointError::Fatal(fatal)
            }
        })
    }

    fn failure_or(&self, need: Lsn) -> Fatal {
        self.log.failure().cloned().unwrap_or_else(|| Fatal::Refused {
            operation: "force",
            path: self
                .log
                .files
                .span_at(need.0)
                .map_or_else(Default::default, |span| extent_path(span.first)),
            offset: 0,
            source: Arc::new(io::Error::other("what was appended cannot be found")),
        })
    }
}

/// Why a file that nothing refers to yet was not written. Nothing is lost by it.
fn refusal(path: PathBuf, wanted: u64, source: io::Error) -> CheckpointError {
    if is_lack_of_space(&source) {
        let reason = format!("{source}; the checkpoint is tried again, free space on the disk");
        return CheckpointError::OutOfSpace(OutOfSpace { wanted, reason });
    }
    CheckpointError::Refused { path, source }
}

fn member_of(item: &Item) -> Member {
    Member { queue: item.queue, entry: item.entry, location: Location::Log(item.at) }
}
