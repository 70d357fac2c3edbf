//! The disk of a simulated machine.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::crash::{CrashPolicy, DiskImage};
use super::fault::{Failure, Fault};
use super::file::SimulatedFile;
use super::names::{Node, parent};
use super::rot::Rot;
use super::state::{Call, Medium, State};
use super::trace::{Operation, OperationKind};
use super::{Random, SimulatedClock};
use crate::{Access, DirectoryLock, Disk, File, Identity, OpenMode};

/// A disk in memory that behaves as badly as real ones are allowed to. Clones are the same disk.
///
/// A *boundary* lies inside every changing call: the change is under way and not yet stable. A crash image
/// taken at boundary `n` may hold any part of what call `n` changes; what returned before it is as stable as
/// the contract says. See [`SimulatedDisk::boundaries`].
#[derive(Clone)]
pub struct SimulatedDisk {
    pub(super) state: Arc<Mutex<State>>,
}

/// At which boundaries to keep an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Images {
    /// At none.
    #[default]
    None,
    /// At every one.
    Every,
    /// At these.
    At(BTreeSet<u64>),
}

impl Images {
    pub(super) fn includes(&self, boundary: u64) -> bool {
        match self {
            Self::None => false,
            Self::Every => true,
            Self::At(wanted) => wanted.contains(&boundary),
        }
    }
}

/// The error of every call after the power failed.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the simulated machine has lost power")]
pub struct PowerLost;

impl From<PowerLost> for io::Error {
    fn from(lost: PowerLost) -> Self {
        Self::other(lost)
    }
}

pub(super) fn is_power_loss(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<PowerLost>())
}

impl std::fmt::Debug for SimulatedDisk {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "SimulatedDisk({} boundaries)", self.boundaries())
    }
}

impl SimulatedDisk {
    /// An empty disk; its own choices follow from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::holding(Medium::default(), seed, 0)
    }

    pub(super) fn holding(medium: Medium, seed: u64, fate: u64) -> Self {
        Self { state: Arc::new(Mutex::new(State::new(medium, seed, fate))) }
    }

    /// Number of changing calls that have begun. Changes acknowledged when this was `n` must survive a crash
    /// at any boundary above `n`.
    #[must_use]
    pub fn boundaries(&self) -> u64 {
        self.state.lock().boundaries
    }

    /// Fails the power inside the changing call with this number, and every call after it.
    pub fn crash_at(&self, boundary: u64) {
        self.state.lock().crash_at = Some(boundary);
    }

    /// Fails the power now.
    pub fn cut_power(&self) {
        self.state.lock().power_lost = true;
    }

    /// True if the power has failed.
    #[must_use]
    pub fn has_lost_power(&self) -> bool {
        self.state.lock().power_lost
    }

    /// True if this error came from lost power.
    #[must_use]
    pub fn is_power_loss(error: &io::Error) -> bool {
        is_power_loss(error)
    }

    /// Fingerprint of the changes that survived the crash that made this disk: crashes of one image differ if
    /// and only if this does (but for the bytes of a damaged sector).
    #[must_use]
    pub fn fate(&self) -> u64 {
        self.state.lock().fate
    }

    /// Copies the state of the medium and of the changes on the way to it, at this moment.
    #[must_use]
    pub fn image(&self) -> DiskImage {
        let state = self.state.lock();
        DiskImage::new(state.medium.clone(), state.seed)
    }

    /// The disk as found after losing power at this moment.
    #[must_use]
    pub fn crash(&self, random: &mut Random, policy: CrashPolicy) -> Self {
        self.image().crash(random, policy)
    }

    /// Keeps an image at these boundaries, to be taken by [`SimulatedDisk::take_images`].
    pub fn keep_images(&self, images: Images) {
        self.state.lock().images_wanted = images;
    }

    /// The images kept since the last call, with their boundaries.
    #[must_use]
    pub fn take_images(&self) -> Vec<(u64, DiskImage)> {
        std::mem::take(&mut self.state.lock().images)
    }

    /// Plans a failure.
    pub fn plan(&self, fault: Fault) {
        self.state.lock().faults.add(fault);
    }

    /// Forgets all planned failures.
    pub fn clear_plan(&self) {
        self.state.lock().faults.clear();
    }

    /// Number of calls that failed by plan.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.state.lock().faults.struck()
    }

    /// Limits the bytes that files may take together; `None` lifts the limit.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.state.lock().capacity = bytes;
    }

    /// Limits how many files may have a name; `None` lifts the limit.
    pub fn set_files_max(&self, files: Option<usize>) {
        self.state.lock().files_max = files;
    }

    /// Lets every call of a kind take time on the attached clock.
    pub fn set_latency(&self, kind: OperationKind, latency: Duration) {
        self.state.lock().latencies.insert(kind, latency);
    }

    /// The clock that slow calls move.
    pub fn attach_clock(&self, clock: &SimulatedClock) {
        self.state.lock().clock = Some(clock.clone());
    }

    /// Has flushes and durable writes return success and make nothing stable, as some devices do, if `lie` is
    /// true.
    pub fn lie_about_flushes(&self, lie: bool) {
        self.state.lock().flushes_lie = lie;
    }

    /// Has flushes of directories return success and make nothing stable, if `lie` is true: the disk keeps
    /// the data of files and loses names.
    pub fn lie_about_names(&self, lie: bool) {
        self.state.lock().name_flushes_lie = lie;
    }

    /// Has a rename come apart from now on, as in a file system without a journal: a crash may leave both
    /// names or none, and each becomes stable with its own directory.
    pub fn take_renames_apart(&self) {
        self.state.lock().medium.names.is_apart = true;
    }

    /// Has durable writes go through the page cache and a flush, as where the file system refuses direct
    /// ones: readers, in this process and the next, see the bytes of one that failed.
    pub fn refuse_direct_writes(&self, refuse: bool) {
        self.state.lock().direct_refused = refuse;
    }

    /// Keeps the content of every file at each flush, so that it can be rolled back by [`Rot`].
    pub fn keep_versions(&self) {
        self.state.lock().versions_kept = true;
    }

    /// Damages a file on the medium; tells whether its bytes changed.
    pub fn rot(&self, path: &Path, rot: Rot) -> bool {
        let mut state = self.state.lock();
        let Some(id) = state.medium.file(path) else { return false };
        rot.apply(state.medium.inode_mut(id))
    }

    /// Every file with its length, by name.
    #[must_use]
    pub fn files(&self) -> Vec<(PathBuf, u64)> {
        let state = self.state.lock();
        let medium = &state.medium;
        medium
            .names
            .current
            .iter()
            .filter_map(|(path, node)| match node {
                Node::File(id) => Some((path.clone(), medium.inode(*id).current.length())),
                Node::Directory => None,
            })
            .collect()
    }

    /// True if a sector of some file cannot be read.
    #[must_use]
    pub fn has_unreadable(&self) -> bool {
        self.state.lock().medium.inodes.values().any(|inode| inode.current.has_unreadable())
    }

    /// The bytes of a file, read without counting as a call.
    #[must_use]
    pub fn content(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state.lock();
        let id = state.medium.file(path)?;
        Some(state.medium.inode(id).current.to_vec())
    }

    /// Starts keeping every call for [`SimulatedDisk::operations`].
    pub fn keep_operations(&self) {
        self.state.lock().trace.keep_operations();
    }

    /// The calls since [`SimulatedDisk::keep_operations`].
    #[must_use]
    pub fn operations(&self) -> Vec<Operation> {
        self.state.lock().trace.operations().to_vec()
    }

    /// A number that two runs share only if they made the same calls with the same bytes.
    #[must_use]
    pub fn trace_digest(&self) -> u64 {
        self.state.lock().trace.digest()
    }

    /// One changing call on names: checked, made, caught in the act by a crash, recorded.
    fn change_names(
        &self,
        kind: OperationKind,
        path: &Path,
        change: impl FnOnce(&mut State) -> io::Result<()>,
        then: impl FnOnce(&mut State),
    ) -> io::Result<()> {
        let state = &mut *self.state.lock();
        let call = Call { kind, path, offset: 0, length: 0 };
        let result = state.begin(kind).and_then(|failure| match failure {
            Some(failure) => Err(failure.error()),
            None => change(state).and_then(|()| state.boundary()),
        });
        if result.is_ok() {
            then(state);
        }
        state.record(call, &[], result)
    }
}

impl SimulatedDisk {
    /// Takes the lock of what `find` finds at the path, or makes there.
    fn take_lock(
        &self,
        path: &Path,
        find: impl FnOnce(&mut State) -> io::Result<()>,
    ) -> io::Result<Box<dyn DirectoryLock>> {
        check(path)?;
        let state = &mut *self.state.lock();
        let call = Call { kind: OperationKind::Lock, path, offset: 0, length: 0 };
        let result = state.begin(OperationKind::Lock).and_then(|failure| {
            if let Some(failure) = failure {
                return Err(failure.error());
            }
            if state.locks.contains(path) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            find(state)?;
            identity(state, path)
        });
        let identity = state.record(call, &[], result)?;
        state.locks.insert(path.to_owned());
        Ok(Box::new(SimulatedLock { state: self.state.clone(), path: path.to_owned(), identity }))
    }
}

impl Disk for SimulatedDisk {
    fn open(&self, path: &Path, mode: OpenMode, access: Access) -> io::Result<Arc<dyn File>> {
        check(path)?;
        let state = &mut *self.state.lock();
        let call = Call { kind: OperationKind::Open, path, offset: 0, length: 0 };
        let result = state.begin(OperationKind::Open).and_then(|failure| match failure {
            Some(failure) => Err(failure.error()),
            None => open(state, path, mode),
        });
        let id = state.record(call, &[], result)?;
        state.medium.inode_mut(id).handles += 1;
        let writable = mode != OpenMode::Read;
        Ok(Arc::new(SimulatedFile { state: self.state.clone(), id, path: path.to_owned(), writable, access }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        check(from)?;
        check(to)?;
        let change = |state: &mut State| {
            let id = file_at(state, from)?;
            parent_exists(state, to)?;
            if state.medium.names.get(to) == Some(Node::Directory) {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            let order = state.medium.order();
            if state.medium.names.is_apart {
                let orders = [order, state.medium.order()];
                state.medium.names.rename_apart(from, to, id, orders);
            } else {
                state.medium.names.rename(from, to, id, order);
            }
            Ok(())
        };
        self.change_names(OperationKind::Rename, from, change, |_| {})
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        check(path)?;
        let change = |state: &mut State| {
            let id = file_at(state, path)?;
            let order = state.medium.order();
            state.medium.names.remove(path, id, order);
            Ok(())
        };
        self.change_names(OperationKind::Remove, path, change, |_| {})
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        check(path)?;
        let change = |state: &mut State| {
            let above: Vec<&Path> = path.ancestors().collect();
            for directory in above.into_iter().rev() {
                match state.medium.names.get(directory) {
                    Some(Node::Directory) => {}
                    Some(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                    None => {
                        let order = state.medium.order();
                        state.medium.names.create(directory, Node::Directory, order);
                    }
                }
            }
            Ok(())
        };
        self.change_names(OperationKind::CreateDirectory, path, change, |_| {})
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        check(path)?;
        let change = |state: &mut State| {
            directory_at(state, path)?;
            if !names_in(state, path).is_empty() {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
            let order = state.medium.order();
            state.medium.names.remove_directory(path, order);
            Ok(())
        };
        self.change_names(OperationKind::Remove, path, change, |_| {})
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        check(path)?;
        let state = &mut *self.state.lock();
        let call = Call { kind: OperationKind::List, path, offset: 0, length: 0 };
        let result = state.begin(OperationKind::List).and_then(|failure| match failure {
            Some(failure) => Err(failure.error()),
            None => directory_at(state, path).map(|()| names_in(state, path)),
        });
        state.record(call, &[], result)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        check(path)?;
        self.change_names(
            OperationKind::SyncDirectory,
            path,
            |state| directory_at(state, path),
            |state| {
                if !state.flushes_lie && !state.name_flushes_lie {
                    state.medium.names.flush(path);
                    state.medium.collect();
                }
            },
        )
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.take_lock(path, |state| match state.medium.file(path) {
            Some(_) => Ok(()),
            None => open(state, path, OpenMode::CreateNew).map(drop),
        })
    }

    fn lock_directory(&self, path: &Path) -> io::Result<Box<dyn DirectoryLock>> {
        self.take_lock(path, |state| directory_at(state, path))
    }

    fn identity(&self, path: &Path) -> io::Result<Identity> {
        check(path)?;
        let state = self.state.lock();
        state.powered()?;
        identity(&state, path)
    }

    fn bytes_free(&self) -> io::Result<u64> {
        let state = self.state.lock();
        state.powered()?;
        Ok(state.bytes_free().unwrap_or(u64::MAX))
    }
}

#[derive(Debug)]
struct SimulatedLock {
    state: Arc<Mutex<State>>,
    path: PathBuf,
    identity: Identity,
}

impl DirectoryLock for SimulatedLock {
    fn identity(&self) -> io::Result<Identity> {
        Ok(self.identity)
    }
}

fn identity(state: &State, path: &Path) -> io::Result<Identity> {
    let node = state.medium.names.get(path).ok_or(io::ErrorKind::NotFound)?;
    Ok(node.identity())
}

impl Drop for SimulatedLock {
    fn drop(&mut self) {
        self.state.lock().locks.remove(&self.path);
    }
}

fn check(path: &Path) -> io::Result<()> {
    if path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(());
    }
    let text = format!("{} is not a path below the data directory", path.display());
    Err(io::Error::new(io::ErrorKind::InvalidInput, text))
}

fn open(state: &mut State, path: &Path, mode: OpenMode) -> io::Result<super::names::InodeId> {
    match (state.medium.names.get(path), mode) {
        (Some(Node::Directory), _) => Err(io::ErrorKind::IsADirectory.into()),
        (Some(Node::File(_)), OpenMode::CreateNew) => Err(io::ErrorKind::AlreadyExists.into()),
        (None, OpenMode::Read | OpenMode::Write) => Err(io::ErrorKind::NotFound.into()),
        (Some(Node::File(id)), OpenMode::Read | OpenMode::Write) => Ok(id),
        (Some(Node::File(id)), OpenMode::Truncate) => {
            let order = state.medium.order();
            state.medium.inode_mut(id).set_length(0, order);
            state.boundary().map(|()| id)
        }
        (None, OpenMode::CreateNew | OpenMode::Truncate) => {
            parent_exists(state, path)?;
            if state.bytes_free() == Some(0) || state.files_max.is_some_and(|most| state.files() >= most) {
                return Err(Failure::NoSpace.error());
            }
            let id = state.medium.create_inode();
            let order = state.medium.order();
            state.medium.names.create(path, Node::File(id), order);
            state.boundary().map(|()| id)
        }
    }
}

fn file_at(state: &State, path: &Path) -> io::Result<super::names::InodeId> {
    match state.medium.names.get(path) {
        Some(Node::File(id)) => Ok(id),
        Some(Node::Directory) => Err(io::ErrorKind::IsADirectory.into()),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

fn directory_at(state: &State, path: &Path) -> io::Result<()> {
    match state.medium.names.get(path) {
        Some(Node::Directory) => Ok(()),
        Some(Node::File(_)) => Err(io::ErrorKind::NotADirectory.into()),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

fn parent_exists(state: &State, path: &Path) -> io::Result<()> {
    directory_at(state, parent(path))
}

fn names_in(state: &State, directory: &Path) -> Vec<String> {
    let inside = state.medium.names.current.keys().filter(|path| parent(path) == directory);
    inside.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}
