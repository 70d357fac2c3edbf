//! Having extents when they are needed: made ahead, used again, or removed.
//!
//! Always: names appear in the order of positions, each durable before the next, so that a gap between two
//! extents is a loss and never the trace of a crash.

use std::io;
use std::path::Path;
use std::sync::Arc;

use platform::sync::atomic::Ordering;
use platform::{Access, BLOCK_ALIGNMENT, Disk, OpenMode};

use crate::hold::is_held;
use crate::inner::Inner;
use crate::log::block::HEADER_BYTES;
use crate::log::extent::{DATA_OFFSET, Extent, NotRecycled};
use crate::log::extent::{LOG_DIRECTORY, extent_path};
use crate::log::record::{DELIVER_AT_BYTES, put_length};
use crate::space::{SpareState, usable};
use crate::store::segment;
use crate::upkeep::Leftovers;
use crate::words::errors::is_lack_of_space;
use crate::{Fatal, GroupHead, LogKind, OutOfSpace, Purpose};

/// Fewest extents with which a log goes on: the one being filled, and one that is ready or about to be freed.
const EXTENTS_MIN: usize = 2;

/// Zeros written at once.
const ZEROS: usize = 1 << 20;

/// Room for one segment, made in advance, for the checkpoint that finds the disk full. What has this name
/// counts by its length: a crash may leave the name with a segment that was cut to its end, and other
/// settings with room for smaller extents.
pub(crate) fn spare_path() -> &'static Path {
    Path::new("store/spare.tmp")
}

/// The longest segment of the messages that so much of the log holds.
///
/// A message takes more in the store than in the log, by the most where it has neither descriptor nor body
/// and only such messages are there. That holds for messages put each by a record, inline. Three kinds have
/// no such bound: a body that is in the log once and many times in the store (of a publication), a body
/// mostly in later extents (in fragments), and a mark longer than its damaged message. A checkpoint without
/// room for them gives up less of the log.
fn segment_bytes_of(log_bytes: u64) -> u64 {
    let least_in_log = (put_length(0, 0) - GroupHead::BYTES - DELIVER_AT_BYTES) as u64;
    let records = log_bytes.saturating_sub(DATA_OFFSET + HEADER_BYTES as u64);
    let more_in_store = segment::MESSAGE_FRAME_BYTES - least_in_log;
    segment::FRAME_BYTES + records + records / least_in_log * more_in_store
}

impl Inner {
    pub(crate) fn prepare_due(&self) -> bool {
        self.extent_wanted(self.log.space.wanted()) || self.spare_wanted()
    }

    /// Most bytes needed to move the largest extent that one segment moves.
    fn spare_bytes(&self) -> u64 {
        segment_bytes_of(self.segment_bytes())
    }

    fn spare_wanted(&self) -> bool {
        self.extents.spare_bytes.load(Ordering::Relaxed) < self.spare_bytes()
    }

    /// True if another extent should be made, after a caller was refused this many bytes.
    fn extent_wanted(&self, refused: u64) -> bool {
        let current = self.log.current_extent();
        let extents = self.log.files.extents.read();
        let (total, ready) = (extents.len() as u32, extents.range(current + 1..).count());
        drop(extents);
        let space = &self.log.space;
        let for_refused = space.floor(Purpose::Fill) + i64::try_from(refused).unwrap_or(i64::MAX / 2);
        let short = space.free() < space.unhindered().max(for_refused);
        match self.settings.kind {
            LogKind::Circular => {
                let most = self.settings.extents_max();
                total < self.settings.primary_extents || (total < most && (short || ready == 0))
            }
            LogKind::Linear => ready < 2 || (short && ready < 2 + self.settings.secondary_extents as usize),
        }
    }

    pub(crate) fn prepare(&self) -> Result<(), OutOfSpace> {
        let mut leftovers = self.extents.work.lock();
        let prepared = self.prepare_all(&mut leftovers);
        self.log.space.set_disk_full(prepared.is_err());
        prepared
    }

    fn prepare_all(&self, leftovers: &mut Leftovers) -> Result<(), OutOfSpace> {
        // One that was used comes first: the disk is full, and another extent would take the room that a
        // segment gave back.
        if self.log.space.is_spare_gone() {
            let prepared = self.prepare_spare(leftovers);
            if prepared.is_err() && self.ready() > 0 {
                return prepared;
            }
        }
        self.prepare_extents(leftovers)?;
        self.prepare_spare(leftovers)
    }

    /// Ends the log on a read-only file system, where a lack of room is reported. The kernel makes a file
    /// system read-only after an error of the device: it takes no write to the log either, and does not heal.
    fn end_if_read_only(&self, path: &Path, error: &io::Error) {
        if error.kind() != io::ErrorKind::ReadOnlyFilesystem || self.log.failure().is_some() {
            return;
        }
        let again = io::Error::new(error.kind(), error.to_string());
        let (path, source) = (path.to_owned(), Arc::new(again));
        self.log.fence(Fatal::Refused { operation: "a new file", path, offset: 0, source });
    }

    /// Extents that nothing was written to yet.
    fn ready(&self) -> usize {
        let current = self.log.current_extent();
        self.log.files.extents.read().range(current + 1..).count()
    }

    fn prepare_extents(&self, leftovers: &mut Leftovers) -> Result<(), OutOfSpace> {
        let refused = self.log.space.take_wanted();
        while self.extent_wanted(refused) && self.log.failure().is_none() {
            let made = self.add_extent(leftovers);
            self.extents.failed.store(made.is_err(), Ordering::Relaxed);
            made.map_err(|error| {
                self.end_if_read_only(Path::new(LOG_DIRECTORY), &error);
                OutOfSpace {
                    wanted: self.settings.extent_bytes,
                    reason: format!("{error}; the log needs another extent, free space on the disk"),
                }
            })?;
        }
        Ok(())
    }

    fn prepare_spare(&self, leftovers: &mut Leftovers) -> Result<(), OutOfSpace> {
        if !self.spare_wanted() {
            return Ok(());
        }
        let disk = &*self.world.disk;
        let bytes = self.spare_bytes();
        make_spare(disk, bytes).and_then(|()| self.name_spare(bytes)).map_err(|error| {
            self.end_if_read_only(unfinished_spare(), &error);
            let _ = disk.remove(unfinished_spare());
            if self.extents.spare_bytes.load(Ordering::Relaxed) == 0
                && !self.give_extent_for_spare(leftovers, bytes)
            {
                self.log.space.set_spare(SpareState::Gone);
            }
            let reason = format!("{error}; one store segment is kept in advance, free space on the disk");
            OutOfSpace { wanted: bytes, reason }
        })
    }

    /// On a full disk an extent that the log does without becomes the segment kept in advance: otherwise
    /// messages in the log could never leave it.
    fn give_extent_for_spare(&self, leftovers: &mut Leftovers, bytes: u64) -> bool {
        #[cfg(feature = "planted")]
        if crate::planted::is(crate::planted::Fault::SpareUsedOnce) {
            return false;
        }
        let disk = &*self.world.disk;
        // An extent of another file system has no room for the store.
        let device = |directory| disk.identity(Path::new(directory)).map(|identity| identity.device).ok();
        if device(LOG_DIRECTORY) != device(segment::DIRECTORY) {
            return false;
        }
        let leftover = self.take_leftover(leftovers).map(Arc::new);
        let Some(extent) = leftover.or_else(|| self.take_last_extent()) else { return false };
        let path = extent.path();
        let given = disk.rename(&path, unfinished_spare()).and_then(|()| {
            // The name is durable before anything else is written to it, or a start might take it for an
            // extent.
            disk.sync_directory(Path::new("store"))?;
            disk.sync_directory(Path::new(LOG_DIRECTORY))?;
            let length = lengthen(disk, extent.length, bytes)?;
            self.name_spare(length)
        });
        if given.is_err() {
            let _ = disk.remove(unfinished_spare());
            let _ = disk.remove(&path);
        }
        given.is_ok()
    }

    /// Takes the last extent out of the log, if it is ready and has no reader, and the others suffice for the
    /// promised space.
    fn take_last_extent(&self) -> Option<Arc<Extent>> {
        if self.settings.kind == LogKind::Linear || is_held(&*self.world.disk) {
            return None;
        }
        let mut extents = self.log.files.extents.write();
        let current = self.log.current_extent();
        let has_enough = extents.len() > EXTENTS_MIN;
        let is_free = |last: &Arc<Extent>| has_enough && last.first > current && Arc::strong_count(last) == 1;
        let last = extents.last_entry().filter(|last| is_free(last.get()))?;
        let room = usable(last.get().length);
        let mut promise = self.log.space.reserve(room, Purpose::Drain).ok()?;
        promise.take(room);
        let last = last.remove();
        self.log.space.set_capacity(extents.values().map(|extent| extent.length).sum());
        Some(last)
    }

    fn name_spare(&self, bytes: u64) -> io::Result<()> {
        let disk = &*self.world.disk;
        let _naming = self.extents.spare_naming.lock();
        disk.rename(unfinished_spare(), spare_path())?;
        self.extents.spare_bytes.store(bytes, Ordering::Relaxed);
        self.log.space.set_spare(SpareState::Whole);
        disk.sync_directory(Path::new("store"))
    }

    /// Gives the room made in advance the name of the segment that is being written, and tells how much it
    /// is; fails when there is none.
    pub(crate) fn take_spare(&self) -> io::Result<u64> {
        let _naming = self.extents.spare_naming.lock();
        let renamed = self.world.disk.rename(spare_path(), segment::unfinished());
        if renamed.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
            // It is there still.
            return renamed.map(|()| 0);
        }
        self.log.space.set_spare(SpareState::Gone);
        let bytes = self.extents.spare_bytes.swap(0, Ordering::Relaxed);
        renamed.map(|()| bytes)
    }

    /// Takes the room back, if no segment came of it: on a full disk there would be no other. Not once it was
    /// cut.
    pub(crate) fn return_spare(&self, bytes: u64) {
        let disk = &*self.world.disk;
        let _naming = self.extents.spare_naming.lock();
        let is_whole = length_of(disk, segment::unfinished()).is_ok_and(|length| length == bytes);
        let is_wanted = self.extents.spare_bytes.load(Ordering::Relaxed) == 0;
        if is_whole && is_wanted && disk.rename(segment::unfinished(), spare_path()).is_ok() {
            self.extents.spare_bytes.store(bytes, Ordering::Relaxed);
            self.log.space.set_spare(SpareState::Whole);
        }
    }

    /// Gives so much of the room made in advance back to the disk. Fails when there is none.
    pub(crate) fn cut_spare(&self, bytes: u64) -> io::Result<()> {
        let _naming = self.extents.spare_naming.lock();
        let file = self.world.disk.open(spare_path(), OpenMode::Write, Access::Cached)?;
        let left = file.length()?.saturating_sub(bytes);
        file.set_length(left)?;
        self.extents.spare_bytes.store(left, Ordering::Relaxed);
        self.log.space.set_spare(SpareState::Cut);
        Ok(())
    }

    /// Puts one more extent after the last, an old one if there is one.
    fn add_extent(&self, leftovers: &mut Leftovers) -> io::Result<()> {
        let disk = &*self.world.disk;
        self.look_at_files().map_err(io::Error::other)?;
        let first = self.end_of_extents();
        let again = match self.take_leftover(leftovers) {
            Some(old) => self.use_again(old, first).map_err(io::Error::other)?,
            None => None,
        };
        let made = match again {
            Some(again) => again,
            None => Extent::create(disk, &self.identity, first, self.settings.extent_bytes)?,
        };
        self.insert(made);
        Ok(())
    }

    /// None when the system refused the new name: the file is left for the one that is made in its place.
    fn use_again(&self, old: Extent, first: u64) -> Result<Option<Extent>, Fatal> {
        let path = old.path();
        match old.recycle(&*self.world.disk, &self.identity, first) {
            Ok(extent) => Ok(Some(extent)),
            Err(NotRecycled::Unfit) => {
                let _ = self.world.disk.remove(&path);
                Ok(None)
            }
            Err(NotRecycled::Write(error)) if is_lack_of_space(&error) => Ok(None),
            Err(NotRecycled::Write(source)) => {
                let fatal = Fatal::Refused { operation: "write", path, offset: 0, source: Arc::new(source) };
                self.log.fence(fatal.clone());
                Err(fatal)
            }
        }
    }

    fn end_of_extents(&self) -> u64 {
        let extents = self.log.files.extents.read();
        extents.last_key_value().map_or(0, |(_, extent)| extent.end())
    }

    fn insert(&self, extent: Extent) {
        let room = usable(extent.length) as i64;
        let mut extents = self.log.files.extents.write();
        extents.insert(extent.first, Arc::new(extent));
        self.log.space.set_capacity(extents.values().map(|extent| extent.length).sum());
        drop(extents);
        self.log.space.give(room);
    }

    /// Takes an extent below the ones that restart needs, of the right length and without holders. Others are
    /// removed on the way.
    fn take_leftover(&self, leftovers: &mut Leftovers) -> Option<Extent> {
        let disk = &*self.world.disk;
        if self.settings.kind == LogKind::Linear || is_empty(leftovers) || is_held(disk) {
            return None;
        }
        while let Some(first) = leftovers.files.pop() {
            match Extent::open(disk, &self.identity, first, OpenMode::Write) {
                Ok(extent) if extent.length == self.settings.extent_bytes => return Some(extent),
                _ => drop(disk.remove(&extent_path(first))),
            }
        }
        let free = leftovers.held.iter().position(|extent| Arc::strong_count(extent) == 1)?;
        let extent = Arc::into_inner(leftovers.held.swap_remove(free))?;
        if extent.length == self.settings.extent_bytes {
            return Some(extent);
        }
        let _ = disk.remove(&extent.path());
        None
    }

    /// Takes extents before `redo` out of the log: used again as far as they are needed, else removed.
    pub(crate) fn give_up_extents(&self, redo: u64) -> Result<(), Fatal> {
        let mut leftovers = self.extents.work.lock();
        let mut extents = self.log.files.extents.write();
        let kept = extents.split_off(&redo);
        let given_up = std::mem::replace(&mut *extents, kept);
        self.log.space.set_capacity(extents.values().map(|extent| extent.length).sum());
        let mut total = extents.len();
        drop(extents);
        if self.settings.kind == LogKind::Linear {
            return Ok(());
        }
        leftovers.held.extend(given_up.into_values());
        while total < self.settings.primary_extents as usize {
            let Some(old) = self.take_leftover(&mut leftovers) else { break };
            if let Some(again) = self.use_again(old, self.end_of_extents())? {
                self.insert(again);
                total += 1;
            }
        }
        let spared = usize::from(total < self.settings.extents_max() as usize);
        self.remove_leftovers(&mut leftovers, spared);
        Ok(())
    }

    /// Removes all but so many that the log may need again before the next checkpoint: to make one costs as
    /// much as to fill it.
    fn remove_leftovers(&self, leftovers: &mut Leftovers, mut spared: usize) {
        let disk = &*self.world.disk;
        leftovers.files.drain(..).for_each(|first| drop(disk.remove(&extent_path(first))));
        leftovers.held.retain(|extent| {
            let is_held = Arc::strong_count(extent) > 1;
            let is_spared = !is_held && spared > 0;
            spared -= usize::from(is_spared);
            if !is_held && !is_spared {
                let _ = disk.remove(&extent.path());
            }
            is_held || is_spared
        });
    }
}

fn is_empty(leftovers: &Leftovers) -> bool {
    leftovers.held.is_empty() && leftovers.files.is_empty()
}

fn unfinished_spare() -> &'static Path {
    Path::new("store/unfinished-spare.tmp")
}

fn length_of(disk: &dyn Disk, path: &Path) -> io::Result<u64> {
    disk.open(path, OpenMode::Read, Access::Cached)?.length()
}

/// Bytes of room that a start finds made in advance.
pub(crate) fn spare_found(disk: &dyn Disk) -> u64 {
    length_of(disk, spare_path()).unwrap_or(0)
}

/// Returns true if no extent and no segment has the file of the spare. A rename that became durable in one of
/// its directories alone leaves a file with both names; what is written to the spare would be written over
/// the other.
pub(crate) fn spare_is_alone(disk: &dyn Disk) -> bool {
    let Ok(spare) = disk.identity(spare_path()) else { return true };
    let is_other = |directory: &str, name: &String| {
        let path = Path::new(directory).join(name);
        path.extension().is_some_and(|end| end == "seg")
            && disk.identity(&path).is_ok_and(|file| file == spare)
    };
    [LOG_DIRECTORY, segment::DIRECTORY].iter().all(|directory| {
        let names = disk.list(Path::new(directory)).unwrap_or_default();
        !names.iter().any(|name| is_other(directory, name))
    })
}

/// Makes the spare under another name than it is taken by: a file that is still being written must not become
/// a segment.
fn make_spare(disk: &dyn Disk, bytes: u64) -> io::Result<()> {
    // It is tried again and again while the disk is full: not by writing until the last byte is used.
    if disk.bytes_free()? < bytes {
        return Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"));
    }
    let file = disk.open(unfinished_spare(), OpenMode::Truncate, Access::Cached)?;
    let zeros = vec![0; ZEROS.min(bytes as usize)];
    for offset in (0..bytes).step_by(zeros.len()) {
        file.write_at(&zeros, offset)?;
    }
    file.sync()
}

/// Makes an extent that becomes the spare as long as one should be, as far as the disk has room. Returns its
/// length.
fn lengthen(disk: &dyn Disk, length: u64, wanted: u64) -> io::Result<u64> {
    let file = disk.open(unfinished_spare(), OpenMode::Write, Access::Cached)?;
    let page = [0; BLOCK_ALIGNMENT];
    for offset in (length..wanted).step_by(page.len()) {
        if file.write_at(&page, offset).is_err() {
            break;
        }
    }
    file.sync()?;
    file.length()
}
