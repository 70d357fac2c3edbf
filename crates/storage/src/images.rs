//! Images that are kept in the directory of the queue manager they are of.
//!
//! ```text
//! images/
//! └── 00000017/             of the 23rd checkpoint (hexadecimal)
//!     ├── taken             when, in microseconds since 1970, as text
//!     ├── store/            segments
//!     └── manifest.0, .1    written last: a directory without one is no image
//! ```
//!
//! Lives here: where they are, taking and removing them, and a directory seen as a disk of its own. Lives
//! elsewhere: what is in one (`copy`), giving messages back from one (`mending`), when one is due (the
//! engine).
//!
//! Always: the process that takes one holds the files of the queue manager, so there is one at a time; one
//! that fails takes no room, and leftovers of a crash go with the next. An image of another queue manager
//! that was put here is reported, not used and not removed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::{Access, DirectoryLock, Disk, File, Identity, OpenMode, WallTime};

use crate::Lsn;
use crate::OpenError;
use crate::copy::{self, Copied, Proved, Scope, Told, View};
use crate::log::extent::identity_text;
use crate::manifest::{self, Manifest};

/// The directory of all images; each has one of its own in it, named by the checkpoint it is of.
pub const DIRECTORY: &str = "images";

/// When an image was taken.
const TAKEN: &str = "taken";
/// Longer than any time that fits, and a line's end.
const TAKEN_BYTES_MAX: u64 = 32;
/// Directories that a copy makes.
const INNER: [&str; 2] = ["log", "store"];

/// The directory of the image of a checkpoint.
#[must_use]
pub fn path(generation: u64) -> PathBuf {
    Path::new(DIRECTORY).join(format!("{generation:08x}"))
}

/// The images that there are, the newest first: the checkpoint each is of.
#[derive(Debug, Default)]
pub struct Found {
    /// Images that count: of the queue manager on this disk, and of checkpoints that it has reached. An image
    /// with an unreadable manifest counts, and all count while our own manifest cannot be read.
    pub counting: Vec<u64>,
    /// Images that do not count, each with the reason: they are of another queue manager, or of another time.
    /// They are never removed.
    pub foreign: Vec<(u64, OpenError)>,
}

/// The images that count, the newest first.
///
/// # Errors
/// When their directory cannot be read.
pub fn list(disk: &dyn Disk) -> io::Result<Vec<u64>> {
    Ok(find(disk)?.counting)
}

/// All images that there are.
///
/// # Errors
/// When their directory cannot be read.
pub fn find(disk: &dyn Disk) -> io::Result<Found> {
    let mut found = Found::default();
    let generations = directories(disk)?;
    if generations.is_empty() {
        return Ok(found);
    }
    let present = manifest::load(disk).ok();
    for generation in generations {
        if !is_finished(disk, generation)? {
            continue;
        }
        let refusal = present.as_ref().and_then(|present| {
            let foreign = refusal(disk, generation, &present.identity);
            foreign.or_else(|| of_another_time(generation, present.generation))
        });
        match refusal {
            Some(error) => found.foreign.push((generation, error)),
            None => found.counting.push(generation),
        }
    }
    Ok(found)
}

/// The fault of an image whose checkpoint is later than the last one of the queue manager: the folder was
/// restored to an earlier state after the image was taken. The very next generation is allowed: where the
/// newest manifest cannot be read, the one before it counts as the last.
fn of_another_time(generation: u64, last: u64) -> Option<OpenError> {
    (generation > last + 1).then(|| {
        let path = path(generation);
        let of = path.display();
        OpenError::Other(format!(
            "{of} is of a checkpoint that is to come: the last was {last:08x}; it is of another time"
        ))
    })
}

/// Why an image is not of this queue manager, if its manifest says so.
fn refusal(disk: &dyn Disk, generation: u64, identity: &[u8; 16]) -> Option<OpenError> {
    let image = manifest::load_in(disk, &path(generation)).ok()?;
    (image.identity != *identity).then(|| OpenError::WrongQueueManager {
        path: path(generation),
        expected: identity_text(identity),
        found: identity_text(&image.identity),
    })
}

/// Directories of images, finished or not, the newest first.
fn directories(disk: &dyn Disk) -> io::Result<Vec<u64>> {
    let names = match disk.list(Path::new(DIRECTORY)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let number_in = |name: &String| {
        let generation = u64::from_str_radix(name, 16).ok()?;
        (path(generation).file_name()? == name.as_str()).then_some(generation)
    };
    let mut generations: Vec<u64> = names.iter().filter_map(number_in).collect();
    generations.sort_unstable_by(|one, other| other.cmp(one));
    Ok(generations)
}

fn is_finished(disk: &dyn Disk, generation: u64) -> io::Result<bool> {
    let manifests = [manifest::path(0), manifest::path(1)];
    let names = disk.list(&path(generation))?;
    Ok(names.iter().any(|name| manifests.iter().any(|manifest| manifest == Path::new(name))))
}

/// The newest image that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// The checkpoint it is of.
    pub generation: u64,
    /// When it was taken, if it says so.
    pub taken: Option<WallTime>,
    /// Position up to which it has the effects of the log.
    pub reflects: Lsn,
}

/// The newest image whose manifest can be read.
///
/// # Errors
/// When the directory cannot be read.
pub fn newest(disk: &Arc<dyn Disk>) -> io::Result<Option<Newest>> {
    Ok(newest_of(disk, &list(&**disk)?))
}

/// The first of these whose manifest can be read.
#[must_use]
pub fn newest_of(disk: &Arc<dyn Disk>, generations: &[u64]) -> Option<Newest> {
    generations.iter().find_map(|&generation| {
        let image = Within::new(Arc::clone(disk), path(generation));
        let reflects = Lsn(manifest::load(&image).ok()?.reflects);
        Some(Newest { generation, taken: taken(&image), reflects })
    })
}

/// From where on the log is needed so that each image there is gives the present state; none without images.
///
/// # Errors
/// When the directory cannot be read.
pub fn needed_from(disk: &Arc<dyn Disk>) -> io::Result<Option<Lsn>> {
    let images = list(&**disk)?.into_iter().map(|generation| Within::new(Arc::clone(disk), path(generation)));
    Ok(images.filter_map(|image| manifest::load(&image).ok()).map(|manifest| Lsn(manifest.redo)).min())
}

fn taken(image: &dyn Disk) -> Option<WallTime> {
    let file = image.open(Path::new(TAKEN), OpenMode::Read, Access::Cached).ok()?;
    let length = file.length().ok().filter(|length| *length <= TAKEN_BYTES_MAX)?;
    let mut text = vec![0; length as usize];
    file.read_exact_at(&mut text, 0).ok()?;
    std::str::from_utf8(&text).ok()?.trim().parse().ok().map(WallTime)
}

/// Takes an image of the queue manager on this disk, running or not, and proves it. One of the same
/// checkpoint that is whole stays instead; one of a checkpoint of another time that had its number is
/// replaced; one with messages that cannot be read goes again, and `Proved::damaged` says which.
///
/// # Errors
/// A file that cannot be read or written; lack of room; `InUse` while another copy is being taken, which is
/// worth another try; an image of another queue manager in its place; any error that `told` returns. Nothing
/// stays of an image that was begun.
pub fn take(disk: &Arc<dyn Disk>, now: WallTime, told: Told<'_>) -> Result<(Copied, Proved), OpenError> {
    let view = copy::steadily(|| View::open(&**disk, Scope::Image))?;
    let generation = view.manifest.generation;
    let directory = path(generation);
    let refused = |source| OpenError::Io { doing: "write", path: directory.clone(), source };
    let image = Within::new(Arc::clone(disk), directory.clone());
    for found in directories(&**disk).map_err(refused)? {
        if !is_finished(&**disk, found).map_err(refused)? {
            remove(&**disk, found).map_err(refused)?;
        } else if found == generation {
            if let Some(error) = refusal(&**disk, found, &view.manifest.identity) {
                return Err(error);
            }
            let is_it = manifest::load_in(&**disk, &directory)
                .is_ok_and(|manifest| Manifest { generation, ..manifest } == view.manifest);
            let proved = copy::prove_unless(&image, Scope::Image, &mut || told(copy::Progress::default()));
            if let Ok(proved) = proved
                && proved.damaged.is_empty()
                && is_it
            {
                return Ok((view.copied(0, Vec::new()), proved));
            }
            remove(&**disk, found).map_err(refused)?;
        }
    }
    // A copy that is broken off for it would have filled the disk until then: the log needs room too.
    let bytes = view.bytes();
    if let Ok(free) = disk.bytes_free()
        && free < bytes
    {
        let why = format!("the image has {bytes} bytes, and {free} are free on the disk");
        return Err(refused(io::Error::new(io::ErrorKind::StorageFull, why)));
    }
    let taken = fill(disk, &view, &image, now, told);
    match &taken {
        Ok((_, proved)) if proved.damaged.is_empty() => {}
        Ok(_) => remove(&**disk, generation).map_err(refused)?,
        // What cannot be removed now goes with the next.
        Err(_) => drop(remove(&**disk, generation)),
    }
    taken
}

/// Copies to the directory of an image, and proves what is there then.
fn fill(
    disk: &Arc<dyn Disk>,
    view: &View,
    image: &Within,
    now: WallTime,
    told: Told<'_>,
) -> Result<(Copied, Proved), OpenError> {
    let refused = |source| OpenError::Io { doing: "write", path: image.directory.clone(), source };
    disk.create_directory(&image.directory).map_err(refused)?;
    note_taken(image, now).map_err(refused)?;
    let mut done = copy::Progress::default();
    let copied = view.copy_to(image, &mut |progress| {
        done = progress;
        told(progress)
    })?;
    for directory in [DIRECTORY, ""] {
        disk.sync_directory(Path::new(directory)).map_err(refused)?;
    }
    let proved = copy::prove_unless(image, Scope::Image, &mut || told(done))?;
    Ok((copied, proved))
}

fn note_taken(image: &dyn Disk, now: WallTime) -> io::Result<()> {
    let file = image.open(Path::new(TAKEN), OpenMode::Truncate, Access::Cached)?;
    file.write_at(format!("{}\n", now.0).as_bytes(), 0)?;
    file.sync()
}

/// Removes an image.
///
/// # Errors
/// When something of it cannot be removed; what is left is no image.
pub fn remove(disk: &dyn Disk, generation: u64) -> io::Result<()> {
    let directory = path(generation);
    for manifest in [manifest::path(0), manifest::path(1)] {
        absent_is_fine(disk.remove(&directory.join(manifest)))?;
    }
    disk.sync_directory(&directory)?;
    for inner in INNER {
        let inner = directory.join(inner);
        if disk.list(&directory)?.iter().any(|name| inner.ends_with(name)) {
            remove_files(disk, &inner)?;
        }
    }
    remove_files(disk, &directory)?;
    disk.sync_directory(Path::new(DIRECTORY))
}

fn remove_files(disk: &dyn Disk, directory: &Path) -> io::Result<()> {
    for name in disk.list(directory)? {
        disk.remove(&directory.join(name))?;
    }
    disk.remove_directory(directory)
}

fn absent_is_fine(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A directory of a disk as a disk of its own.
#[derive(Clone, Debug)]
pub struct Within {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
}

impl Within {
    /// The directory, which must exist for anything to be made in it.
    #[must_use]
    pub fn new(disk: Arc<dyn Disk>, directory: PathBuf) -> Self {
        Self { disk, directory }
    }

    fn at(&self, path: &Path) -> PathBuf {
        self.directory.join(path)
    }
}

impl Disk for Within {
    fn open(&self, path: &Path, mode: OpenMode, access: Access) -> io::Result<Arc<dyn File>> {
        self.disk.open(&self.at(path), mode, access)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(&self.at(from), &self.at(to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(&self.at(path))
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.create_directory(&self.at(path))
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.remove_directory(&self.at(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        self.disk.list(&self.at(path))
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_directory(&self.at(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.disk.lock(&self.at(path))
    }

    fn lock_directory(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.disk.lock_directory(&self.at(path))
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        self.disk.identity(&self.at(path))
    }

    fn seen_by_others(&self, path: &Path) -> Option<PathBuf> {
        self.disk.seen_by_others(&self.at(path))
    }

    fn bytes_free(&self) -> io::Result<u64> {
        self.disk.bytes_free()
    }
}
