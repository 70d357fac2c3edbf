//! Backups and images of the queue managers of a data directory, and starting again from them.
//!
//! Lives here: where backups are kept and what they are called. Lives elsewhere: what is in a copy, and how
//! it is taken while the queue manager runs (`storage::copy`), where images are (`storage::images`).
//!
//! ```text
//! BACKUP/               anywhere; itself a folder that a queue manager could run in
//! ├── backup.json       whose it is and of when; written last, so that an unfinished backup has none
//! ├── ferry.toml        the settings
//! └── …                 recovery log and store
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mqi::{ObjectName, QueueManagerName};
use objects::configuration::openings::Opening;
use platform::os::private;
use platform::{Disk, World};
use serde::{Deserialize, Serialize};
use storage::copy::{self, Copied, Progress, Proved, Scope};
use storage::{Lsn, OpenError, images};

use crate::bounded_input;
use crate::configuration::{self, Configuration, LogKind, Loopback, ServiceAddress};
use crate::directory::{DataDirectory, Folder, SECURITY, USERS};
use crate::durable_files::{self, disk};
use crate::folder_creation::{self, Audience, MAKING, Work};
use crate::foreign::{self, Foreign};
use crate::instances::{self, refused};
use crate::storage_locations;

pub(crate) const LABEL: &str = "backup.json";

/// Most bytes of it: some hundred times what is written there.
const LABEL_BYTES_MAX: usize = 64 << 10;

/// Names that a copy has in its directory before it is whole; there are no others.
const PARTS: [&str; 7] = [MAKING, "log", "store", "spill", "copy.lock", "ferry.toml.new", "backup.json.new"];
/// With a number behind it: a part too.
const PART_MANIFEST: &str = "manifest.";

/// Most attempts at a copy that meets an extent being used again.
const ATTEMPTS: u32 = 40;
const TRY_AGAIN: Duration = Duration::from_millis(50);

/// Label of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The queue manager.
    pub queue_manager: String,
    /// Its identity.
    pub identity: String,
    /// When it was taken.
    pub taken_at: String,
    /// The release that took it.
    pub release: String,
    /// Everything durable up to here is in it.
    pub end: String,
}

/// Why there is no copy, or none that helps.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its folder, or the queue manager in it; or the system refused.
    #[error(transparent)]
    Instance(#[from] instances::Error),
    /// Its settings are wrong.
    #[error(transparent)]
    Configuration(#[from] configuration::Error),
    /// Files cannot be read or written, or are damaged.
    #[error("cannot {what} {}: {source}", path.display())]
    Storage {
        /// The action that failed.
        what: &'static str,
        /// In which directory.
        path: PathBuf,
        /// Why not.
        source: OpenError,
    },
    /// The target exists already.
    #[error(
        "{} is there already, and a copy goes into a directory of its own: name another, or see what it is and move it away", .0.display()
    )]
    NotEmpty(PathBuf),
    /// Others may change the target, or a folder above it.
    #[error(
        "there is no backup in {}: {} {}, so that another user could change what a restore brings back",
        target.display(), foreign.path.display(), foreign.power
    )]
    Foreign {
        /// The target.
        target: PathBuf,
        /// The folder.
        foreign: Foreign,
    },
    /// A directory that is no backup.
    #[error("{} is no finished backup: {reason}", path.display())]
    NoBackup {
        /// The directory.
        path: PathBuf,
        /// Description of the fault.
        reason: String,
    },
    /// The copy is not whole.
    #[error("{} is not whole: {reason}; of {count} such message(s) this is the first", path.display())]
    Damaged {
        /// The directory.
        path: PathBuf,
        /// Description of the first fault.
        reason: String,
        /// Number of messages that cannot be read.
        count: usize,
    },
    /// Images need a linear log.
    #[error(
        "the log of {0} is circular, and an image is of use only with all of the log since; set log.kind = \"linear\", or take a backup"
    )]
    Circular(QueueManagerName),
    /// No image exists to start from.
    #[error("{0} has no image that helps{1}")]
    NoImage(QueueManagerName, String),
}

fn of_storage<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(OpenError) -> Error + use<'a> {
    move |source| Error::Storage { what, path: path.to_owned(), source }
}

fn make_directory(path: &Path) -> Result<(), Error> {
    Ok(durable_files::make_directory(path).map_err(refused("make", path))?)
}

/// Copies the queue manager of a folder, running or not, to a directory that is absent or empty, or has what
/// a copy left that was killed, and proves the copy. When it fails the directory is empty again.
///
/// # Errors
/// When it cannot be read or written, or is damaged.
pub fn backup(
    folder: &Folder,
    target: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Copied, Proved), Error> {
    foreign::check(target).map_err(|foreign| Error::Foreign { target: target.to_owned(), foreign })?;
    make_directory(target)?;
    into_empty(target, || copy_and_prove(folder, target, progress))
}

/// Fills a directory that is empty except for leftovers of a copy that was killed, and that no other process
/// fills meanwhile. When it fails it is empty: a part of a copy is of no use, and takes room that the next
/// try may need.
fn into_empty<T>(directory: &Path, fill: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // Before there is a lock, which would pass for that of a copy.
    has_no_other(directory)?;
    let _lock = disk(directory).lock(Path::new(MAKING)).map_err(refused("copy to", directory))?;
    has_no_other(directory)?;
    folder_creation::empty(directory).map_err(refused("remove what was left in", directory))?;
    let filled = fill();
    // What cannot be removed is said to who tries again.
    if filled.is_err() {
        let _ = folder_creation::empty(directory);
    }
    let _ = fs::remove_file(directory.join(MAKING));
    filled
}

/// Checks that a directory has only the leftovers of a copy that was killed; then its lock is there as well.
fn has_no_other(directory: &Path) -> Result<(), Error> {
    let is_of_copy = directory.join(MAKING).exists();
    let is_part = |name: &str| PARTS.contains(&name) || name.starts_with(PART_MANIFEST);
    for entry in fs::read_dir(directory).map_err(refused("list", directory))? {
        let entry = entry.map_err(refused("list", directory))?;
        if !is_of_copy || !entry.file_name().to_str().is_some_and(is_part) {
            return Err(Error::NotEmpty(entry.path()));
        }
    }
    Ok(())
}

fn copy_and_prove(
    folder: &Folder,
    target: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Copied, Proved), Error> {
    let copied = take(folder.path(), target, Scope::Backup, progress)?;
    let proved = prove(target, Scope::Backup)?;
    let files = disk(target);
    copy_settings(&folder.settings(), &*files, target)?;
    let label = Label {
        queue_manager: folder.name().to_string(),
        identity: copied.identity.clone(),
        taken_at: jiff::Timestamp::now().to_string(),
        release: env!("CARGO_PKG_VERSION").to_owned(),
        end: copied.end.to_string(),
    };
    let path = target.join(LABEL);
    let text = serde_json::to_string_pretty(&label).map_err(|error| refused("write", &path)(error.into()))?;
    durable_files::write(&*files, LABEL, (text + "\n").as_bytes()).map_err(refused("write", &path))?;
    Ok((copied, proved))
}

/// Reads the label of a backup.
///
/// # Errors
/// When the directory holds no finished backup.
pub fn label(backup: &Path) -> Result<Label, Error> {
    let path = backup.join(LABEL);
    let read = bounded_input::read_text(&path, "label of a backup", LABEL_BYTES_MAX)
        .and_then(|text| Ok(serde_json::from_str(&text)?));
    read.map_err(|error| Error::NoBackup { path: backup.to_owned(), reason: format!("{LABEL}: {error}") })
}

/// Counts the messages of each queue in the files of a queue manager, a backup among them, as a start would
/// find them.
///
/// # Errors
/// The cause that would keep a queue manager from starting on them.
pub fn contents(directory: &Path, name: &QueueManagerName) -> Result<BTreeMap<ObjectName, u64>, Error> {
    let world = World::of_machine(directory);
    let counted = patiently(|| queue_manager::contents(&world, *name));
    counted.map_err(of_storage("count the messages of", directory))
}

/// The points in which a queue manager that is made of a backup is open further than a new one: its settings
/// and its definitions. `is_administrator` tells the names of administrators.
///
/// # Errors
/// When the backup does not read, or has what no backup has.
pub fn openings(backup: &Path, is_administrator: &dyn Fn(&str) -> bool) -> Result<Vec<Opening>, Error> {
    has_only_files(backup)?;
    let name = named(backup, &label(backup)?)?;
    let settings = Configuration::read(&backup.join(configuration::FILE_NAME))?;
    let found = patiently(|| queue_manager::definitions(&World::of_machine(backup), name));
    let found = found.map_err(of_storage("read the definitions of", backup))?;
    let mut openings = of_settings(&settings);
    openings.extend(queue_manager::fresh_definitions().openings_to(&found, is_administrator));
    // A script of each night restores such a backup, and brings the users besides.
    if found.has_authorities() && !backup.join(SECURITY).join(USERS).exists() {
        openings.push(Opening {
            what: "no users".to_owned(),
            why: "records for users are there, and no password is right until the users are",
            is_told_only: true,
        });
    }
    Ok(openings)
}

/// The points in which settings lead out of the folder, let other users in, or leave logins unjudged.
fn of_settings(settings: &Configuration) -> Vec<Opening> {
    let mut openings = Vec::new();
    let usual = Configuration::default();
    let mut path = |key: &str, path: &Path| {
        if !path.as_os_str().is_empty() {
            let what = format!("{key} = {:?}", path.display().to_string());
            openings.push(Opening::asking(what, "files outside the folder of the queue manager are used"));
        }
    };
    path("log.directory", &settings.log.directory.0);
    path("store.directory", &settings.store.directory.0);
    if settings.errors.system_log != usual.errors.system_log {
        path("errors.system_log", &settings.errors.system_log.0);
    }
    if settings.security.loopback == Loopback::Trusted {
        let what = "security.loopback = \"trusted\"".to_owned();
        openings
            .push(Opening::asking(what, "each program of this machine acts as the user that it says to be"));
    }
    if settings.local.group.is_asked_for() {
        let what = format!("local.group = {:?}", settings.local.group.0);
        openings.push(Opening::asking(what, "its members connect through the local socket"));
    }
    if let ServiceAddress::At(address) = settings.health.address
        && !address.ip().is_loopback()
    {
        let what = format!("health.address = \"{address}\"");
        openings.push(Opening::asking(what, "other machines learn if the queue manager is well"));
    }
    // There is no login, so that an address of this machine is open to each of its users.
    let figures = match settings.http.address {
        ServiceAddress::Nowhere => None,
        ServiceAddress::Auto => Some("auto".to_owned()),
        ServiceAddress::At(address) => Some(address.to_string()),
    };
    if let Some(address) = figures {
        let what = format!("http.address = \"{address}\"");
        openings.push(Opening::asking(what, "each user of this machine reads the figures of all queues"));
    }
    openings
}

/// Refuses a backup with anything in it but files and folders. What a symbolic link led to would be read as a
/// part of the queue manager, with the rights of the caller; a named pipe would be waited for without end.
fn has_only_files(folder: &Path) -> Result<(), Error> {
    let entries = fs::read_dir(folder).map_err(refused("list", folder))?;
    for entry in entries {
        let path = entry.map_err(refused("list", folder))?.path();
        let kind = fs::symlink_metadata(&path).map_err(refused("look at", &path))?.file_type();
        if kind.is_dir() {
            has_only_files(&path)?;
        } else if !kind.is_file() {
            let word = match kind {
                kind if kind.is_symlink() => "link",
                kind if kind.is_fifo() => "named pipe",
                kind if kind.is_socket() => "socket",
                _ => "device",
            };
            let reason = format!("{} is a {word}, and a backup has none", path.display());
            return Err(Error::NoBackup { path: folder.to_owned(), reason });
        }
    }
    Ok(())
}

fn named(backup: &Path, label: &Label) -> Result<QueueManagerName, Error> {
    let no_backup = |reason: String| Error::NoBackup { path: backup.to_owned(), reason };
    let name: QueueManagerName = label.queue_manager.parse().map_err(|error| {
        no_backup(format!("{LABEL} names queue manager {:?}: {error}", label.queue_manager))
    })?;
    // The folder of a name that is blank would be the data directory itself.
    if name.is_blank() { Err(no_backup(format!("{LABEL} names no queue manager"))) } else { Ok(name) }
}

/// Makes the queue manager of a backup again, where there is none of its name. The backup is proved first.
///
/// # Errors
/// When it is not whole, or the queue manager is there.
pub fn restore(
    data: &DataDirectory,
    backup: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Folder, Copied), Error> {
    has_only_files(backup)?;
    let name = named(backup, &label(backup)?)?;
    let folder = data.folder(&name);
    match instances::is_free(data, &folder) {
        Err(instances::Error::Occupied(_)) if has_no_other(folder.path()).is_ok() => {}
        free => free?,
    }
    prove(backup, Scope::Backup)?;
    make_directory(data.path())?;
    let audience = Audience::of(data);
    let copied = if folder.path().exists() {
        // An empty directory that somebody made for it, a file system of its own perhaps.
        let copied = into_empty(folder.path(), || {
            if audience == Audience::GroupZero {
                private::share(folder.path()).map_err(refused("share", folder.path()))?;
            }
            fill(folder.path(), &folder, backup, progress)
        })?;
        instances::lasts(data)?;
        copied
    } else {
        folder_creation::make(data, &folder, Work::Restore, audience, |beside| {
            fill(beside, &folder, backup, progress)
        })?
    };
    Ok((folder, copied))
}

/// Copies a backup to the folder of its queue manager. The settings come last: without them there is no queue
/// manager there.
fn fill(
    directory: &Path,
    folder: &Folder,
    backup: &Path,
    progress: &mut dyn FnMut(Progress),
) -> Result<Copied, Error> {
    let settings = backup.join(configuration::FILE_NAME);
    let configuration = Configuration::read(&settings)?;
    storage_locations::make(directory, folder.path(), &configuration).map_err(instances::not_made)?;
    let mut copy = || {
        let copied = take(backup, directory, Scope::Backup, progress)?;
        prove(directory, Scope::Backup)?;
        make_directory(&directory.join("spill"))?;
        copy_settings(&settings, &*disk(directory), directory)?;
        Ok(copied)
    };
    copy().inspect_err(|_| {
        // A part of a copy is of no use. A failure to remove it is said to the next who tries.
        let _ = storage_locations::remove(directory, folder.path());
    })
}

fn copy_settings(from: &Path, to: &dyn Disk, directory: &Path) -> Result<(), Error> {
    let settings = fs::File::open(from)
        .and_then(|file| bounded_input::read(file, "file of settings", configuration::FILE_BYTES_MAX))
        .map_err(refused("read the settings", from))?;
    let written = durable_files::write(to, configuration::FILE_NAME, &settings);
    Ok(written.map_err(refused("write the settings to", directory))?)
}

/// Takes an image of a queue manager with a linear log, running or not, and proves it.
///
/// # Errors
/// When the log is circular, or something cannot be read or written.
pub fn image(folder: &Folder, progress: &mut dyn FnMut(Progress)) -> Result<(Copied, Proved), Error> {
    linear(folder)?;
    let World { disk, clock, .. } = World::of_machine(folder.path());
    let mut told = |bytes| {
        progress(bytes);
        Ok(())
    };
    let taken = patiently(|| images::take(&disk, clock.wall(), &mut told));
    let (copied, proved) = taken.map_err(of_storage("take an image of", folder.path()))?;
    whole(folder.path(), &proved)?;
    Ok((copied, proved))
}

/// Checks that the log is kept, as images need.
///
/// # Errors
/// When it is circular, or the settings cannot be read.
pub fn linear(folder: &Folder) -> Result<(), Error> {
    match Configuration::read(&folder.settings())?.log.kind {
        LogKind::Circular => Err(Error::Circular(*folder.name())),
        LogKind::Linear => Ok(()),
    }
}

fn images(folder: &Folder) -> Result<images::Found, Error> {
    let directory = folder.path().join(images::DIRECTORY);
    Ok(images::find(&*disk(folder.path())).map_err(refused("list", &directory))?)
}

/// The images in its folder that are of another queue manager or another time, and why they do not count.
/// None of these is ever removed.
///
/// # Errors
/// When their directory cannot be read.
pub fn foreign_images(folder: &Folder) -> Result<Vec<(u64, OpenError)>, Error> {
    Ok(images(folder)?.foreign)
}

/// Result of removing old images and log files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Images kept.
    pub kept: usize,
    /// Images removed.
    pub images: usize,
    /// Log extents removed.
    pub extents: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Keeps the newest `keep` images that are whole, and the log since the oldest of these; removes older ones.
///
/// # Errors
/// When the log is circular, there is no image that is whole, or something cannot be removed.
pub fn prune(folder: &Folder, keep: usize) -> Result<Pruned, Error> {
    linear(folder)?;
    let mut pruned = Pruned::default();
    let mut needed_from = Lsn(u64::MAX);
    for generation in images(folder)?.counting {
        let path = folder.path().join(images::path(generation));
        match prove(&path, Scope::Image) {
            Ok(proved) if pruned.kept < keep.max(1) => {
                pruned.kept += 1;
                needed_from = needed_from.min(proved.log.0);
            }
            // A damaged image that is newer than those kept stays for an administrator to look into.
            Err(_) if pruned.kept < keep.max(1) => {}
            _ => {
                images::remove(&*disk(folder.path()), generation).map_err(refused("remove", &path))?;
                pruned.images += 1;
            }
        }
    }
    if pruned.kept == 0 {
        let advice = "; take one with `ferry log image` before old log files are removed";
        return Err(Error::NoImage(*folder.name(), advice.to_owned()));
    }
    let removed = copy::prune(&*disk(folder.path()), needed_from);
    (pruned.extents, pruned.bytes) = removed.map_err(of_storage("remove old log files of", folder.path()))?;
    Ok(pruned)
}

/// Leads the next start of a stopped queue manager back to an image (the newest that helps, unless
/// `generation` names one), from which it replays the linear log up to the present.
///
/// # Errors
/// When it runs, or no image gives the present state; then nothing is changed.
pub fn recover(
    folder: &Folder,
    generation: Option<u64>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(u64, Proved), Error> {
    let mut tried = String::new();
    // Those that do not count as well: whether one is of this log is proved, and the manifest may be what is
    // of another time.
    let images::Found { counting, foreign } = images(folder)?;
    for found in counting.into_iter().chain(foreign.into_iter().map(|(found, _)| found)) {
        if generation.is_some_and(|wanted| wanted != found) {
            continue;
        }
        let path = folder.path().join(images::path(found));
        match copy::recover(&*disk(folder.path()), &*disk(&path), progress) {
            Ok(proved) => return Ok((found, proved)),
            Err(error @ OpenError::InUse { .. }) => return Err(of_storage("recover", folder.path())(error)),
            Err(error) => tried += &format!("; image {found:x}: {error}"),
        }
    }
    Err(Error::NoImage(*folder.name(), tried + "; restore a backup"))
}

/// Reads everything a restart would need, and every message in the store.
///
/// # Errors
/// A fault that would keep it from starting; or messages that cannot be read.
pub fn verify(path: &Path) -> Result<Proved, Error> {
    prove(path, Scope::Backup)
}

fn prove(path: &Path, scope: Scope) -> Result<Proved, Error> {
    let disk = disk(path);
    let proved = patiently(|| copy::prove(&*disk, scope)).map_err(of_storage("verify", path))?;
    whole(path, &proved)?;
    Ok(proved)
}

/// Refuses what has messages that cannot be read.
fn whole(path: &Path, proved: &Proved) -> Result<(), Error> {
    let kept = &proved.kept;
    let first = proved.damaged.first().map(ToString::to_string).or_else(|| kept.damage.clone());
    match first {
        None => Ok(()),
        Some(reason) => {
            let count = proved.damaged.len() + (kept.kept - kept.read) as usize;
            Err(Error::Damaged { path: path.to_owned(), reason, count: count.max(1) })
        }
    }
}

fn take(from: &Path, to: &Path, scope: Scope, progress: &mut dyn FnMut(Progress)) -> Result<Copied, Error> {
    let (source, target) = (disk(from), disk(to));
    patiently(|| copy::copy(&*source, &*target, scope, progress)).map_err(of_storage("copy", from))
}

/// Tries again what came at the moment when an extent was used again.
fn patiently<T>(mut attempt: impl FnMut() -> Result<T, OpenError>) -> Result<T, OpenError> {
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(OpenError::InUse { .. }) => std::thread::sleep(TRY_AGAIN),
            other => return other,
        }
    }
    attempt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_let_others_in_or_lead_elsewhere_are_points_that_need_a_word() {
        for (text, points) in [
            ("", 0),
            ("[local]\ngroup = \"staff\"", 1),
            ("[local]\ngroup = \"\"", 0),
            ("[health]\naddress = \"0.0.0.0:9414\"", 1),
            ("[health]\naddress = \"[::]:9414\"", 1),
            ("[health]\naddress = \"127.0.0.1:9500\"", 0),
            ("[health]\naddress = \"none\"", 0),
            ("[http]\naddress = \"auto\"", 1),
            ("[http]\naddress = \"127.0.0.1:9443\"", 1),
            ("[security]\nloopback = \"trusted\"", 1),
            ("[log]\ndirectory = \"/elsewhere\"\n[store]\ndirectory = \"/elsewhere\"", 2),
        ] {
            let settings = Configuration::parse(text, Path::new("ferry.toml")).unwrap();
            let openings = of_settings(&settings);
            assert_eq!(openings.len(), points, "{text}: {openings:?}");
            assert!(openings.iter().all(|opening| !opening.is_told_only));
        }
    }
}
