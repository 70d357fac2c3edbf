//! Copies of a queue manager's files: taken while it runs or not, proved to be whole, and put in place of
//! damaged files.
//!
//! Lives here: the files that a copy needs, the guard that keeps them from being used again meanwhile, and
//! the return of a restart to an older checkpoint. Lives elsewhere: the place and the caller of copies
//! (`server`).
//!
//! Two kinds of copy, both a data directory of their own:
//!
//! - a *backup* is what a crash at one moment would have left: manifest, store segments, and the log to a
//!   place where it was durable; of one that ended in order also the messages that its end kept. A queue
//!   manager starts on it as after that moment.
//! - an *image* is manifest and store segments alone. With the extents of a linear log since that checkpoint
//!   it gives the present state again, even if manifest and segments are lost since: replay starts from the
//!   image instead.
//!
//! Always: a copy reads only blocks that are whole and never written again, and segments, which never change.
//! Extents would be used again under the copier's eyes; the running queue manager sees that they are held
//! (`hold`) and makes new ones.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::{Access, BLOCK_ALIGNMENT, DirectoryLock, Disk, File, OpenMode};

use crate::OpenError;
use crate::guards::Guards;
use crate::hold::HOLD;
use crate::log::block::HEADER_BYTES;
use crate::log::extent::extent_path;
use crate::log::extent::{DATA_OFFSET, Extent, identity_text};
use crate::log::record;
use crate::log::scan::{Extents, Reader, Records, Scan, walk};
use crate::manifest::{self, Manifest};
use crate::read::Cache;
use crate::recovery::{self, open_extents, payload};
use crate::store::kept::{self, Left};
use crate::store::segment::{self, Segment, Unread};
use crate::{KeptFound, Location, Lsn, ObjectId, ReadError, Recovered, Restarted};

/// Bytes copied at once.
const CHUNK_BYTES: usize = 1 << 20;
/// Attempts to read files that are written meanwhile, before a fault in them is believed.
const ATTEMPTS: usize = 3;

/// The part of a queue manager that is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A backup: everything a restart needs.
    Backup,
    /// An image: all but the log.
    Image,
}

/// The progress of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes copied.
    pub bytes: u64,
    /// Bytes to copy in all.
    pub total: u64,
}

/// The listener to the progress of a copy; an error of it ends the copy.
pub type Told<'a> = &'a mut dyn FnMut(Progress) -> io::Result<()>;

/// A copy that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The queue manager, in hexadecimal.
    pub identity: String,
    /// Manifests written before.
    pub generation: u64,
    /// Where replay starts.
    pub replay_from: Lsn,
    /// Everything durable up to here is in a backup; an image needs the log from `replay_from` on.
    pub end: Lsn,
    /// Bytes copied.
    pub bytes: u64,
    /// Parts of files that could not be read and that a start does not need, as far as can be known. The copy
    /// has zeros there.
    pub passed_over: Vec<PassedOver>,
}

/// A part of a file that could not be read and was left out of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// The file.
    pub path: PathBuf,
    /// Where the first of it is.
    pub offset: u64,
    /// Bytes in all.
    pub bytes: u64,
    /// The reason that the system gave for the first.
    pub reason: String,
}

impl fmt::Display for PassedOver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, offset, bytes, reason } = self;
        write!(
            out,
            "{bytes} bytes of {}, the first at offset {offset}, cannot be read: {reason}",
            path.display()
        )
    }
}

/// The result of a proof.
#[derive(Debug, Default)]
pub struct Proved {
    /// Live messages in store segments that were read.
    pub messages: u64,
    /// Records of the log that were read.
    pub records: u64,
    /// Where replay starts, and the end of the log.
    pub log: (Lsn, Lsn),
    /// Manifests written.
    pub generation: u64,
    /// Messages that cannot be read, and why.
    pub damaged: Vec<ReadError>,
    /// Messages without a record that an orderly end kept.
    pub kept: KeptFound,
}

/// Keeps the files of a queue manager from being used again until it is dropped.
#[derive(Debug)]
struct Hold {
    _lock: Box<dyn DirectoryLock>,
}

impl Hold {
    /// None where no queue manager ever ran: nothing is used again there, and the medium may be read-only.
    fn take(disk: &dyn Disk) -> Result<Option<Self>, OpenError> {
        if !recovery::was_ever_locked(disk) {
            return Ok(None);
        }
        let path = PathBuf::from(HOLD);
        let lock = disk.lock(&path).map_err(|source| match source.kind() {
            io::ErrorKind::WouldBlock => OpenError::InUse { path, reason: source.to_string() },
            _ => OpenError::Io { doing: "lock", path, source },
        })?;
        Ok(Some(Self { _lock: lock }))
    }
}

/// Copies the files of the queue manager in `source` to `target`, an empty directory.
///
/// # Errors
/// The file that cannot be read or written; `InUse` when another copy is being taken, or an extent is being
/// used again at this moment: worth another try.
pub fn copy(
    source: &dyn Disk,
    target: &dyn Disk,
    scope: Scope,
    progress: &mut dyn FnMut(Progress),
) -> Result<Copied, OpenError> {
    let view = steadily(|| View::open(source, scope))?;
    view.copy_to(target, &mut |bytes| {
        progress(bytes);
        Ok(())
    })
}

/// Reads everything a restart on this directory would need, and all messages in its store.
///
/// # Errors
/// The cause that would keep a queue manager from starting on it. Messages that cannot be read are among what
/// is returned.
pub fn prove(disk: &dyn Disk, scope: Scope) -> Result<Proved, OpenError> {
    prove_unless(disk, scope, &mut || Ok(()))
}

/// Proves a copy, until `goes_on` fails because it is not wanted any more.
pub(crate) fn prove_unless(
    disk: &dyn Disk,
    scope: Scope,
    goes_on: &mut dyn FnMut() -> io::Result<()>,
) -> Result<Proved, OpenError> {
    steadily(|| prove_once(disk, scope, goes_on))
}

fn prove_once(
    disk: &dyn Disk,
    scope: Scope,
    goes_on: &mut dyn FnMut() -> io::Result<()>,
) -> Result<Proved, OpenError> {
    let view = View::open(disk, scope)?;
    let mut proved = Proved {
        log: (Lsn(view.manifest.redo), Lsn(view.end)),
        generation: view.manifest.generation,
        ..Proved::default()
    };
    let mut reader = Reader::new(&view.extents);
    for block in view.scan.iter().flat_map(|scan| &scan.blocks) {
        let mut lists = record::Lists::default();
        for (at, bytes) in Records::new(payload(&mut reader, block)?, block.at + HEADER_BYTES as u64) {
            if record::decode(bytes, &mut lists).is_none() {
                return Err(OpenError::Other(format!("a record of unknown type is in the log, at {at}")));
            }
            if block.lacks_body_of(at, bytes) {
                proved.damaged.push(without_body(&view.extents, at));
            }
            proved.records += 1;
        }
    }
    for entry in &view.manifest.segments {
        let mut heads = Vec::new();
        let mut note = |head| heads.push(head);
        let segment = Unread::open(disk, &view.manifest.identity, entry)?.read(&mut note)?;
        let cache = Cache::default();
        for head in heads {
            let Location::Segment { index, .. } = head.location else { continue };
            goes_on().map_err(refused("read", &segment::path(entry.number)))?;
            match segment.read(&cache, index) {
                Ok(_) => proved.messages += 1,
                Err(damaged) => proved.damaged.push(damaged),
            }
        }
    }
    if let Some(left) = &view.kept {
        proved.kept = kept::read_left(left, &view.manifest.identity, &mut |_| {})?;
    }
    Ok(proved)
}

/// Shows what a restart on this directory would see, and changes nothing. `kept` hears the queue of each
/// message that an orderly end kept. A queue manager that runs may disturb it; an attempt that failed is
/// begun again with an engine that saw nothing.
///
/// # Errors
/// The cause that would keep a queue manager from starting on it.
pub fn show(
    disk: &dyn Disk,
    engine: &mut dyn Restarted,
    kept: &mut dyn FnMut(ObjectId),
) -> Result<(), OpenError> {
    let view = View::open(disk, Scope::Backup)?;
    let manifest = &view.manifest;
    engine.begin(&Recovered { snapshot: manifest.snapshot.clone(), replay_from: Lsn(manifest.redo) })?;
    recovery::open_segments(disk, manifest, engine)?;
    if let Some(scan) = &view.scan {
        recovery::replay(&view.extents, scan, engine)?;
    }
    if let Some(left) = &view.kept {
        kept::read_left(left, &manifest.identity, &mut |message| kept(message.head.queue))?;
    }
    Ok(())
}

/// A message of the log whose body cannot be read.
fn without_body(extents: &Extents, at: Lsn) -> ReadError {
    let first = extents.range(..=at.0).next_back().map_or(at.0, |(first, _)| *first);
    let reason = "the body of the message here, or a piece of it, cannot be read".to_owned();
    ReadError::Damaged { path: extent_path(first), offset: at.0 - first, reason }
}

/// Leads the next restart of a stopped queue manager back to an image: it replays the linear log from there.
/// Everything needed is proved before anything changes. The last step is one write; until then a restart does
/// the same as before.
///
/// # Errors
/// When the queue manager runs, or image or log cannot give the present state.
pub fn recover(
    disk: &dyn Disk,
    image: &dyn Disk,
    progress: &mut dyn FnMut(Progress),
) -> Result<Proved, OpenError> {
    let _guards = Guards::take(disk)?;
    let proved = prove(image, Scope::Image)?;
    if let Some(damaged) = proved.damaged.first() {
        return Err(OpenError::Other(format!("this image cannot be used: {damaged}")));
    }
    let view = View::open(image, Scope::Image)?;
    let present = manifest::load(disk).ok();
    let mut manifest = view.manifest.clone();
    if let Some(present) = &present {
        if present.identity != manifest.identity {
            return Err(OpenError::WrongQueueManager {
                path: manifest::path(manifest.generation),
                expected: identity_text(&present.identity),
                found: identity_text(&manifest.identity),
            });
        }
        if present.reflects > manifest.reflects {
            (manifest.reflects, manifest.nonce) = (present.reflects, present.nonce);
        }
        manifest.segment_next = manifest.segment_next.max(present.segment_next);
        manifest.generation = manifest.generation.max(present.generation);
    }
    let opened = open_extents(disk, &manifest, OpenMode::Read).map_err(|error| match error {
        // There is no other word of whose files these are.
        OpenError::WrongQueueManager { expected, found, .. } if present.is_none() => {
            let path = manifest::path(manifest.generation);
            OpenError::WrongQueueManager { path, expected: found, found: expected }
        }
        other => other,
    });
    let extents = opened?.extents;
    let scan = recovery::read_log(&extents, &manifest)?;
    // The log must have come by the image, too: one that went another way from there gives another state.
    scan.check_time(&extents, &view.manifest.log())?;
    make_directories(disk, &["store"])?;
    let progress: Told<'_> = &mut |bytes| {
        progress(bytes);
        Ok(())
    };
    view.copy_segments(disk, &mut Transfer::new(view.bytes(), progress))?;
    manifest.generation += 1;
    let takes_place_of =
        |present: &Manifest| manifest::path(present.generation) == manifest::path(manifest.generation);
    // Written where the present one is, it would be neither of them if it were cut off.
    if present.as_ref().is_some_and(takes_place_of) {
        manifest.generation += 1;
    }
    store_twice(disk, &manifest)?;
    Ok(Proved {
        records: scan.blocks.iter().map(|block| u64::from(block.header.records)).sum(),
        log: (Lsn(manifest.redo), Lsn(scan.end)),
        generation: manifest.generation,
        ..proved
    })
}

/// Removes extents of a linear log that end before `position`, which a restart and the images that are kept
/// do not need. How many, and their bytes.
///
/// # Errors
/// When the directory cannot be read, or an extent of another queue manager is there, before anything is
/// removed.
pub fn prune(disk: &dyn Disk, position: Lsn) -> Result<(u64, u64), OpenError> {
    let manifest = manifest::load(disk)?;
    let needed_from = manifest.redo.min(position.0);
    let (mut files, mut bytes) = (0, 0);
    let mut extents = recovery::extents_in(disk)?;
    extents.retain(|first| *first < needed_from);
    recovery::refuse_foreign_extents(disk, &manifest, &extents)?;
    for first in extents {
        let path = extent_path(first);
        let length = disk.open(&path, OpenMode::Read, Access::Cached).and_then(|file| file.length());
        let length = length.map_err(refused("measure", &path))?;
        if first + length <= needed_from {
            disk.remove(&path).map_err(refused("remove", &path))?;
            files += 1;
            bytes += length;
        }
    }
    disk.sync_directory(Path::new("log")).map_err(refused("flush", Path::new("log")))?;
    Ok((files, bytes))
}

/// Repeats a reading that a running queue manager may have disturbed.
pub(crate) fn steadily<T>(mut attempt: impl FnMut() -> Result<T, OpenError>) -> Result<T, OpenError> {
    let mut result = attempt();
    for _ in 1..ATTEMPTS {
        if matches!(result, Ok(_) | Err(OpenError::InUse { .. })) {
            break;
        }
        result = attempt();
    }
    result
}

/// The files that a manifest names, open, and not used again for anything else.
pub(crate) struct View {
    pub(crate) manifest: Manifest,
    segments: Vec<(u32, Arc<dyn File>)>,
    segment_bytes: u64,
    extents: Extents,
    scan: Option<Scan>,
    /// The log is whole to here.
    end: u64,
    /// The messages that an orderly end kept, if the log ended with it.
    kept: Option<Left>,
    _hold: Option<Hold>,
}

impl View {
    pub(crate) fn open(disk: &dyn Disk, scope: Scope) -> Result<Self, OpenError> {
        let hold = Hold::take(disk)?;
        let manifest = manifest::load(disk)?;
        let mut view = Self {
            _hold: hold,
            end: manifest.redo,
            manifest,
            segments: Vec::new(),
            segment_bytes: 0,
            extents: Extents::new(),
            scan: None,
            kept: None,
        };
        for entry in &view.manifest.segments {
            let path = segment::path(entry.number);
            let file = disk.open(&path, OpenMode::Read, Access::Cached).map_err(refused("open", &path))?;
            view.segment_bytes += file.length().map_err(refused("measure", &path))?;
            view.segments.push((entry.number, file));
        }
        if scope == Scope::Backup {
            let manifest = &view.manifest;
            let kept = Left::find(disk)?;
            view.extents = open_extents(disk, manifest, OpenMode::Read)?.extents;
            let (scan, end) = walk(&view.extents, &manifest.log());
            end?;
            view.end = scan.end;
            view.scan = Some(scan);
            // One that a start removed, or an end made, while the log was read does not belong to this end of
            // the log.
            let still = Left::find(disk)?;
            view.kept = kept.filter(|kept| still.is_some_and(|still| still.is_same(kept)));
        }
        Ok(view)
    }

    /// Copies the files to an empty directory; the manifest last, so that a directory without one is no copy.
    pub(crate) fn copy_to(&self, target: &dyn Disk, progress: Told<'_>) -> Result<Copied, OpenError> {
        match manifest::load(target) {
            Err(OpenError::Absent { .. }) => {}
            _ => return Err(OpenError::Exists { path: manifest::path(0) }),
        }
        make_directories(target, &["log", "store"])?;
        let mut transfer = Transfer::new(self.bytes(), progress);
        transfer.passed_over.extend(self.unread_behind_end());
        self.copy_segments(target, &mut transfer)?;
        if let Some(left) = &self.kept {
            transfer.file(&*left.file, target, &kept::unfinished(), &kept::path(), &mut |_| true)?;
        }
        for extent in self.extents.values().take_while(|extent| extent.first < self.end) {
            let mut needs = |range: &Range<u64>| {
                let positions = extent.first + range.start..extent.first + range.end;
                self.scan.as_ref().is_none_or(|scan| scan.needs(&positions))
            };
            transfer.extent(extent, target, &self.manifest.identity, self.end, &mut needs)?;
        }
        store_twice(target, &self.manifest)?;
        Ok(self.copied(transfer.done.bytes, transfer.passed_over))
    }

    /// The bytes of a last block that may have been durable, or nothing; the copy leaves them out.
    fn unread_behind_end(&self) -> Option<PassedOver> {
        let mut pages = self.scan.as_ref()?.unreadable.range(self.end..);
        let first = pages.next()?;
        let (_, extent) = self.extents.range(..=first).next_back()?;
        Some(PassedOver {
            path: extent.path(),
            offset: first - extent.first,
            bytes: (1 + pages.count() as u64) * BLOCK_ALIGNMENT as u64,
            reason: "the log is taken to end before that".to_owned(),
        })
    }

    fn copy_segments(&self, target: &dyn Disk, transfer: &mut Transfer<'_>) -> Result<(), OpenError> {
        for ((number, file), entry) in self.segments.iter().zip(&self.manifest.segments) {
            let open = || {
                let unread = Unread::of(Arc::clone(file), &self.manifest.identity, entry).ok()?;
                unread.read(&mut |_| {}).ok()
            };
            let mut opened = None;
            let mut needs = |range: &Range<u64>| {
                let segment: &Option<Segment> = opened.get_or_insert_with(open);
                segment.as_ref().is_none_or(|segment| segment.needs(&entry.live, range))
            };
            transfer.file(&**file, target, segment::unfinished(), &segment::path(*number), &mut needs)?;
        }
        Ok(())
    }

    /// A transfer of so many bytes.
    pub(crate) fn copied(&self, bytes: u64, passed_over: Vec<PassedOver>) -> Copied {
        Copied {
            identity: identity_text(&self.manifest.identity),
            generation: self.manifest.generation,
            replay_from: Lsn(self.manifest.redo),
            end: Lsn(self.end),
            bytes,
            passed_over,
        }
    }

    /// Bytes of the files that a copy takes, but for the manifest.
    pub(crate) fn bytes(&self) -> u64 {
        let kept = self.kept.as_ref().map_or(0, |left| left.length);
        self.segment_bytes + kept + self.end.saturating_sub(self.manifest.redo)
    }
}

/// Copies files one after the other, and tells how far it is.
struct Transfer<'a> {
    done: Progress,
    progress: Told<'a>,
    passed_over: Vec<PassedOver>,
}

/// Tells of a stretch of a file that cannot be read: true if anything in it is needed.
type Needs<'a> = dyn FnMut(&Range<u64>) -> bool + 'a;

impl<'a> Transfer<'a> {
    fn new(total: u64, progress: Told<'a>) -> Self {
        Self { done: Progress { bytes: 0, total }, progress, passed_over: Vec::new() }
    }

    /// Under another name first: a file of that name may be there and in use.
    fn file(
        &mut self,
        from: &dyn File,
        disk: &dyn Disk,
        unfinished: &Path,
        path: &Path,
        needs: &mut Needs<'_>,
    ) -> Result<(), OpenError> {
        let to = disk.open(unfinished, OpenMode::Truncate, Access::Cached).map_err(refused("make", path))?;
        let length = from.length().map_err(refused("measure", path))?;
        self.bytes(from, &*to, 0..length, path, needs)?;
        let named = disk.rename(unfinished, path).and_then(|()| disk.sync_directory(Path::new("store")));
        named.map_err(refused("name", path))
    }

    /// The blocks before `end`; what follows in the copy is zeros.
    fn extent(
        &mut self,
        from: &Extent,
        disk: &dyn Disk,
        identity: &[u8; 16],
        end: u64,
        needs: &mut Needs<'_>,
    ) -> Result<(), OpenError> {
        let path = from.path();
        let to = Extent::create(disk, identity, from.first, from.length).map_err(refused("make", &path))?;
        let used = end.min(from.end()) - from.first;
        self.bytes(&*from.file, &*to.file, DATA_OFFSET..used.max(DATA_OFFSET), &path, needs)
    }

    fn bytes(
        &mut self,
        from: &dyn File,
        to: &dyn File,
        range: Range<u64>,
        path: &Path,
        needs: &mut Needs<'_>,
    ) -> Result<(), OpenError> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut at = range.start;
        while at < range.end {
            let length = (range.end - at).min(CHUNK_BYTES as u64) as usize;
            if from.read_exact_at(&mut chunk[..length], at).is_err() {
                self.read_in_pages(from, &mut chunk[..length], at, path, needs)?;
            }
            to.write_at(&chunk[..length], at).map_err(refused("write", path))?;
            at += length as u64;
            self.done.bytes += length as u64;
            (self.progress)(self.done).map_err(refused("copy", path))?;
        }
        to.sync().map_err(refused("flush", path))
    }

    /// Reads a stretch in pages after a failure, with zeros for the pages that cannot be read at all and are
    /// not needed.
    fn read_in_pages(
        &mut self,
        from: &dyn File,
        chunk: &mut [u8],
        at: u64,
        path: &Path,
        needs: &mut Needs<'_>,
    ) -> Result<(), OpenError> {
        for (page, bytes) in chunk.chunks_mut(BLOCK_ALIGNMENT).enumerate() {
            let offset = at + (page * BLOCK_ALIGNMENT) as u64;
            let length = bytes.len() as u64;
            let Err(error) = from.read_exact_at(bytes, offset) else { continue };
            if needs(&(offset..offset + length)) {
                return Err(refused("read", path)(error));
            }
            bytes.fill(0);
            match self.passed_over.last_mut().filter(|passed_over| passed_over.path == path) {
                Some(passed_over) => passed_over.bytes += length,
                None => self.passed_over.push(PassedOver {
                    path: path.to_owned(),
                    offset,
                    bytes: length,
                    reason: error.to_string(),
                }),
            }
        }
        Ok(())
    }
}

/// Makes directories that last before a manifest names their content: a power cut could keep its name and
/// lose theirs.
fn make_directories(disk: &dyn Disk, names: &[&str]) -> Result<(), OpenError> {
    for name in names {
        disk.create_directory(Path::new(name)).map_err(refused("make", Path::new(name)))?;
    }
    disk.sync_directory(Path::new("")).map_err(refused("make", Path::new("")))
}

/// Both files of the manifest, so that one may rot.
fn store_twice(disk: &dyn Disk, manifest: &Manifest) -> Result<(), OpenError> {
    for generation in [manifest.generation, manifest.generation + 1] {
        let path = manifest::path(generation);
        manifest::store(disk, &Manifest { generation, ..manifest.clone() })
            .map_err(|failure| refused("write", &path)(failure.into_error()))?;
    }
    Ok(())
}

fn refused(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.to_owned();
    move |source| OpenError::Io { doing, path, source }
}
