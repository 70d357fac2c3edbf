//! The queue managers of a data directory, seen from outside: create, list, whether they run, start in the
//! background, stop by signal, delete.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mqi::QueueManagerName;
use platform::os::{descriptors, private};
use platform::{DirectoryLock, Disk, World};
use queue_manager::QueueManager;
use rustix::process::{Pid, Signal, kill_process};
use storage::Storage;

use crate::backups;
use crate::configuration::{self, Configuration, default_file};
use crate::directory::{DataDirectory, Folder, INCOMPLETE, LOCK, START};
use crate::durable_files;
use crate::ending::{END_IMMEDIATELY, Mode};
use crate::folder_creation::{self, Audience, Unfinished, Work};
use crate::foreign::Foreign;
use crate::locks::holder;
use crate::runtime_state::Running;
use crate::storage_locations::{self, NotMade};

pub use crate::runtime_state::{ended, running};

/// Interval between looks for the act of another process.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Why a queue manager could not be created, found, started or deleted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The queue manager has no folder.
    #[error("there is no queue manager {name} in {directory}: {}", without(name, *unfinished))]
    Absent {
        /// The name given.
        name: QueueManagerName,
        /// Where it was looked for.
        directory: PathBuf,
        /// The unfinished rest of it, if there is one.
        unfinished: Option<Unfinished>,
    },
    /// It exists already.
    #[error("queue manager {name} exists already in {directory}")]
    Exists {
        /// Its name.
        name: QueueManagerName,
        /// Where.
        directory: PathBuf,
    },
    /// Something else is where it is to be.
    #[error("{} is not empty and no queue manager is there: see what it is, and remove it or move it away", .0.display())]
    Occupied(PathBuf),
    /// A process runs it.
    #[error("queue manager {name} runs already, as process {process}: stop it with `ferry qmgr stop {name}`")]
    Runs {
        /// Its name.
        name: QueueManagerName,
        /// The process.
        process: u32,
    },
    /// Another start of it is on its way.
    #[error("queue manager {0} is being started already")]
    Starts(QueueManagerName),
    /// Another process is making it.
    #[error("the {work} of queue manager {name} is under way in another process")]
    BeingMade {
        /// Its name.
        name: QueueManagerName,
        /// Origin of the unfinished folder.
        work: Work,
    },
    /// No process runs it.
    #[error("queue manager {0} does not run")]
    NotRunning(QueueManagerName),
    /// A program has it inside, and only that can end it.
    #[error(
        "queue manager {name} is inside a program, process {process}, which alone can end it: end that program"
    )]
    InProgram {
        /// Its name.
        name: QueueManagerName,
        /// The program.
        process: u32,
    },
    /// Others may change its folder, or one above it.
    #[error(transparent)]
    Foreign(#[from] Foreign),
    /// A name is needed.
    #[error("a queue manager needs a name")]
    NoName,
    /// Its settings are wrong.
    #[error(transparent)]
    Configuration(#[from] configuration::Error),
    /// Its files cannot be made.
    #[error(transparent)]
    Create(#[from] queue_manager::CreateError),
    /// The queue manager was started and ended again.
    #[error("queue manager {name} did not start: {reason}")]
    DidNotStart {
        /// Its name.
        name: QueueManagerName,
        /// Its message.
        reason: String,
    },
    /// The system refused.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// The action that failed.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

fn without(name: &QueueManagerName, unfinished: Option<Unfinished>) -> String {
    match unfinished {
        None => format!("create it with `ferry qmgr create {name}`, or set FERRY_DATA"),
        Some(unfinished) => {
            format!("its {} {}: {}", unfinished.work, unfinished.state(), unfinished.advice(name))
        }
    }
}

pub(crate) fn refused<'a>(what: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> Error + use<'a> {
    move |source| Error::Io { what, path: path.to_owned(), source }
}

/// A queue manager and whether it runs.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its folder, which has its name.
    pub folder: Folder,
    /// Process that runs it; the addresses are empty until it is ready.
    pub running: Option<Running>,
}

impl Instance {
    /// Describes a folder that does not start for lack of a manifest, and the remedies. Either a creation by
    /// an earlier release was cut off, or files of a queue manager are gone; the folder does not tell which.
    #[must_use]
    pub fn without_manifest(&self) -> Option<String> {
        let disk = durable_files::disk(self.folder.path());
        let is_deleted = || !is_ours(&self.folder).unwrap_or(true);
        if self.running.is_some() || Storage::has_manifest(&*disk) || is_deleted() {
            return None;
        }
        let name = self.folder.name();
        Some(format!(
            "{name} has no manifest in {} and does not start: if its creation was cut off, `ferry qmgr delete {name}` removes what there \
             is of it; if it had messages, restore its files or a backup",
            self.folder.path().display()
        ))
    }
}

/// Creates a queue manager: folder, settings, log, system objects. It outlasts a power cut when this returns.
///
/// # Errors
/// When it exists, or its files cannot be made; then nothing is left behind.
pub fn create(
    data: &DataDirectory,
    name: &QueueManagerName,
    settings: Option<&str>,
) -> Result<Folder, Error> {
    create_for(data, name, settings, Audience::Owner)
}

/// Creates one for these users.
///
/// # Errors
/// As for [`create`].
pub fn create_for(
    data: &DataDirectory,
    name: &QueueManagerName,
    settings: Option<&str>,
    audience: Audience,
) -> Result<Folder, Error> {
    create_with(data, name, settings, audience, |_| Ok(()))
}

/// Creates one that is to have objects of its own from the start, which the caller has yet to define. Until
/// [`complete`] is called [`is_incomplete`] is true, even for a later process if this one does not get there.
///
/// # Errors
/// As for [`create`].
pub fn create_incomplete(
    data: &DataDirectory,
    name: &QueueManagerName,
    settings: Option<&str>,
) -> Result<Folder, Error> {
    create_with(data, name, settings, Audience::Owner, |disk| {
        durable_files::write(disk, INCOMPLETE, b"").map_err(refused("write", Path::new(INCOMPLETE)))
    })
}

/// True if objects that it is to have from the start are not all defined yet.
#[must_use]
pub fn is_incomplete(folder: &Folder) -> bool {
    folder.incomplete().exists()
}

/// All that it is to have from the start is defined.
///
/// # Errors
/// When that cannot be noted so that it lasts.
pub fn complete(folder: &Folder) -> Result<(), Error> {
    let disk = durable_files::disk(folder.path());
    let removed = disk.remove(Path::new(INCOMPLETE)).and_then(|()| disk.sync_directory(Path::new("")));
    removed.map_err(refused("remove", &folder.incomplete()))
}

fn create_with(
    data: &DataDirectory,
    name: &QueueManagerName,
    settings: Option<&str>,
    audience: Audience,
    more: impl FnOnce(&dyn Disk) -> Result<(), Error>,
) -> Result<Folder, Error> {
    if name.is_blank() {
        return Err(Error::NoName);
    }
    let folder = data.folder(name);
    let settings_path = folder.settings();
    let text = settings.map_or_else(|| default_file(name.as_str()), str::to_owned);
    let configuration = Configuration::parse(&text, &settings_path)?;
    durable_files::make_directory(data.path()).map_err(refused("create the data directory", data.path()))?;
    // It would only take room; what keeps it there is said to who deletes again.
    let _ = remove_set_aside(&folder);
    is_free(data, &folder)?;
    folder_creation::make(data, &folder, Work::Creation, audience, |beside| {
        storage_locations::make(beside, folder.path(), &configuration).map_err(not_made)?;
        let world = World::of_machine(beside);
        more(&*world.disk)?;
        fill(&world, &text, &configuration.engine(*name))
    })?;
    Ok(folder)
}

/// A part of its files that cannot be made where its settings say.
pub(crate) fn not_made(error: NotMade) -> Error {
    match error {
        NotMade::Occupied(place) => Error::Occupied(place),
        NotMade::Foreign(foreign) => foreign.into(),
        NotMade::Refused(place, error) => refused("make", &place)(error),
    }
}

/// Checks that a queue manager can be made in a folder: it is absent or empty.
pub(crate) fn is_free(data: &DataDirectory, folder: &Folder) -> Result<(), Error> {
    match fs::read_dir(folder.path()).is_ok_and(|mut entries| entries.next().is_some()) {
        false => Ok(()),
        true if is_ours(folder).unwrap_or(true) => {
            Err(Error::Exists { name: *folder.name(), directory: data.path().to_owned() })
        }
        true => Err(Error::Occupied(folder.path().to_owned())),
    }
}

/// Makes the files of a new queue manager in its folder. The settings last before there is a log: one with
/// other settings would start.
fn fill(world: &World, settings: &str, engine: &queue_manager::Settings) -> Result<(), Error> {
    durable_files::write(&*world.disk, configuration::FILE_NAME, settings.as_bytes())
        .map_err(refused("write", Path::new(configuration::FILE_NAME)))?;
    Ok(QueueManager::create(world, engine)?)
}

/// Makes the names of the folders in a data directory last.
pub(crate) fn lasts(data: &DataDirectory) -> Result<(), Error> {
    durable_files::disk(data.path()).sync_directory(Path::new("")).map_err(refused("flush", data.path()))
}

/// All queue managers of a data directory.
///
/// # Errors
/// When the directory cannot be read.
pub fn list(data: &DataDirectory) -> Result<Vec<Instance>, Error> {
    let folders = data.folders().map_err(refused("read", data.path()))?;
    let ours = folders.into_iter().filter(|folder| is_ours(folder).unwrap_or(false));
    Ok(ours.map(|folder| Instance { running: running(&folder), folder }).collect())
}

/// Lists the folders that the system does not let this user look into, each with the system's error: their
/// owner is not known.
///
/// # Errors
/// When the directory cannot be read.
pub fn closed(data: &DataDirectory) -> Result<Vec<(QueueManagerName, io::Error)>, Error> {
    let folders = data.folders().map_err(refused("read", data.path()))?;
    Ok(folders.iter().filter_map(|folder| Some((*folder.name(), is_ours(folder).err()?))).collect())
}

/// Lists the queue managers that are being made, and those whose creation or restore was cut off.
///
/// # Errors
/// When the directory cannot be read.
pub fn unfinished(data: &DataDirectory) -> Result<Vec<(QueueManagerName, Unfinished)>, Error> {
    let folders = data.being_made().map_err(refused("read", data.path()))?;
    let folders = folders.iter().filter(|folder| !is_ours(folder).unwrap_or(true));
    Ok(folders.filter_map(|folder| Some((*folder.name(), folder_creation::unfinished(folder)?))).collect())
}

/// One queue manager of a data directory.
///
/// # Errors
/// When there is none of this name, or its folder cannot be looked into.
pub fn find(data: &DataDirectory, name: &QueueManagerName) -> Result<Instance, Error> {
    let folder = data.folder(name);
    if !is_ours(&folder).map_err(refused("look into", folder.path()))? {
        let unfinished = folder_creation::unfinished(&folder);
        return Err(Error::Absent { name: *name, directory: data.path().to_owned(), unfinished });
    }
    Ok(Instance { running: running(&folder), folder })
}

/// A backup that is kept here is none.
fn is_ours(folder: &Folder) -> io::Result<bool> {
    let has = |path: &Path| match fs::metadata(path) {
        Ok(found) => Ok(found.is_file()),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error),
    };
    Ok((has(&folder.settings())? || has(&folder.lock())?) && !has(&folder.path().join(backups::LABEL))?)
}

/// Deletes a queue manager with all its messages; or goes on where an earlier deletion was cut off, or
/// removes what an unfinished creation or restore left.
///
/// Its folder is set aside under another name first, which is one step: if this process ends later, there is
/// no queue manager with a part of its files.
///
/// It tries the lock, besides reading its holder: a queue manager that starts at this moment has not written
/// its number yet, and one in a container of its own cannot be seen by its process.
///
/// # Errors
/// When there is none, it runs, or its files cannot be removed.
pub fn delete(data: &DataDirectory, name: &QueueManagerName) -> Result<(), Error> {
    let folder = data.folder(name);
    let was_set_aside = folder.set_aside().exists();
    let instance = match find(data, name) {
        Err(Error::Absent { unfinished, .. }) if was_set_aside || unfinished.is_some() => {
            folder_creation::remove_unfinished(&folder)?;
            return remove_set_aside(&folder);
        }
        found => found?,
    };
    if let Some(running) = instance.running {
        return Err(Error::Runs { name: *name, process: running.process });
    }
    let path = folder.path();
    let disk = durable_files::disk(path);
    let _lock = disk.lock(Path::new(LOCK)).map_err(refused("remove", path))?;
    // The lock file may have been moved away from one that runs.
    let _folder = disk.lock_directory(Path::new("")).map_err(refused("remove", path))?;
    remove_set_aside(&folder)?;
    fs::rename(path, folder.set_aside()).map_err(refused("set aside", path))?;
    lasts(data)?;
    remove_set_aside(&folder)?;
    // That of an earlier one of this name. What keeps it there is said to who deletes again.
    let _ = folder_creation::remove_unfinished(&folder);
    Ok(())
}

/// Removes what is left of a queue manager that is deleted, if anything is.
fn remove_set_aside(folder: &Folder) -> Result<(), Error> {
    let path = folder.set_aside();
    storage_locations::remove(&path, folder.path())
        .map_err(refused("remove the log or the store of", &path))?;
    match fs::remove_dir_all(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome.map_err(refused("remove", &path)),
    }
}

/// Starts a queue manager as a process of its own, which outlives this one, and waits until it is ready.
/// `command` is the program with its arguments that runs the queue manager in the foreground. It has nothing
/// open of this process, nor has any other program that is started later.
///
/// # Errors
/// When it runs already, or ends before it is ready: then with what it said.
pub fn start_in_background(
    data: &DataDirectory,
    name: &QueueManagerName,
    mut command: Command,
) -> Result<Running, Error> {
    let folder = find(data, name)?.folder;
    let (_turn, said_path) = start_log(&folder)?;
    // Checked when it is our turn: another process may have started it meanwhile, and it runs by now.
    if let Some(running) = running(&folder) {
        return Err(Error::Runs { name: *name, process: running.process });
    }
    // Opened for itself: who is given what `_turn` was opened with has the lock for as long as it lives.
    let begun = fs::OpenOptions::new().append(true).open(&said_path);
    let said = begun.and_then(|file| {
        file.set_len(0)?;
        Ok(file)
    });
    let said = said.map_err(refused("write", &said_path))?;
    let stderr = said.try_clone().map_err(refused("write", &said_path))?;
    command.stdin(Stdio::null()).stdout(said).stderr(stderr).process_group(0);
    descriptors::keep_from_programs();
    let mut child = command.spawn().map_err(|source| Error::Io {
        what: "start",
        path: command.get_program().into(),
        source,
    })?;
    loop {
        if let Some(running) = running(&folder)
            && running.process == child.id()
            && !running.since.is_empty()
        {
            return Ok(running);
        }
        if let Ok(Some(status)) = child.try_wait() {
            // What it said is a help, not a need.
            let said = fs::read_to_string(&said_path).unwrap_or_default();
            let reason = match said.trim() {
                "" => format!(
                    "its process ended with {status} and said nothing; {} may say more",
                    folder.errors().display()
                ),
                said => said.to_owned(),
            };
            return Err(Error::DidNotStart { name: *name, reason });
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// The turn to start a queue manager, for one process at a time: until its lock is taken, what the others
/// find in the way is the first's.
pub(crate) fn turn_to_start(folder: &Folder) -> Result<Box<dyn DirectoryLock>, Error> {
    let turn = durable_files::disk(folder.path()).lock(Path::new(START));
    turn.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => Error::Starts(*folder.name()),
        _ => refused("start", folder.path())(error),
    })
}

/// Opens the file for the output of a queue manager that is started in the background, until it is ready. The
/// process that starts one holds the file and waits for earlier holders, so that no two of them write it at a
/// time.
fn start_log(folder: &Folder) -> Result<(fs::File, PathBuf), Error> {
    let path = folder.errors().join("start.log");
    durable_files::make_inner(&folder.errors()).map_err(refused("create", &path))?;
    let opened = private::open(&path, fs::OpenOptions::new().append(true).create(true));
    let held = opened.and_then(|file| {
        file.lock()?;
        Ok(file)
    });
    Ok((held.map_err(refused("write", &path))?, path))
}

/// Asks the process of a running queue manager to end: one that does not answer, or accepts no more programs.
///
/// # Errors
/// When it does not run, or a program has it inside, or the system does not let this user signal it.
pub fn signal(instance: &Instance, mode: Mode) -> Result<u32, Error> {
    let name = *instance.folder.name();
    let running = instance.running.as_ref().ok_or(Error::NotRunning(name))?;
    if running.in_program {
        return Err(Error::InProgram { name, process: running.process });
    }
    let process =
        i32::try_from(running.process).ok().and_then(Pid::from_raw).ok_or(Error::NotRunning(name))?;
    let signal = match mode {
        Mode::Quiesce => Signal::TERM,
        Mode::Immediate => END_IMMEDIATELY,
        // Of two of one kind that come close together a process hears one. What was acknowledged is in the
        // log.
        Mode::Preemptive => Signal::KILL,
    };
    kill_process(process, signal).map_err(|source| Error::Io {
        what: "signal the process of",
        path: instance.folder.path().to_owned(),
        source: source.into(),
    })?;
    Ok(running.process)
}

/// Waits until the process that was found to run the queue manager does so no more; whether that was so in
/// time. Another may by then: what starts it again as soon as it ends.
#[must_use]
pub fn wait_until_ended(instance: &Instance, within: Duration) -> bool {
    let until = Instant::now() + within;
    let Some(Running { process, .. }) = instance.running else { return true };
    while holder(&instance.folder.lock()) == Some(process) {
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(LOOK_AGAIN);
    }
    true
}

#[cfg(test)]
mod tests {
    use platform::Disk as _;
    use platform::simulated::{CrashPolicy, Machine, Random, Survival};

    use super::*;

    #[test]
    fn settings_and_log_of_a_new_queue_manager_outlast_a_power_cut() {
        let machine = Machine::new(1);
        let configuration =
            Configuration::parse("[log]\nkind = \"linear\"\n", Path::new("ferry.toml")).unwrap();
        let engine = configuration.engine("QM1".parse().unwrap());
        machine.disk.create_directory(Path::new("")).unwrap();
        fill(&machine.world(), "[log]\nkind = \"linear\"\n", &engine).unwrap();
        let after = machine.disk.crash(&mut Random::new(1), CrashPolicy::surviving(Survival::Nothing));
        let settings = after.content(Path::new(configuration::FILE_NAME)).unwrap();
        assert_eq!(settings, b"[log]\nkind = \"linear\"\n");
        storage::copy::prove(&after, storage::copy::Scope::Backup).unwrap();
    }

    #[test]
    fn one_that_is_deleted_while_it_is_looked_at_is_not_said_to_lack_a_manifest() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        fs::write(folder.settings(), "").unwrap();
        let instance = Instance { folder, running: None };
        assert!(instance.without_manifest().is_some());
        fs::remove_dir_all(instance.folder.path()).unwrap();
        assert_eq!(instance.without_manifest(), None);
    }

    #[test]
    fn who_waits_for_an_end_does_not_wait_for_that_of_one_who_started_it_again() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        fs::create_dir(folder.path()).unwrap();
        let _again = durable_files::disk(folder.path()).lock(Path::new(LOCK)).unwrap();
        let now = running(&folder);
        let process = std::process::id() + 1;
        let before = now.clone().map(|now| Running { process, ..now });
        for (running, has_ended) in [(now, false), (before, true), (None, true)] {
            let instance = Instance { folder: folder.clone(), running };
            assert_eq!(wait_until_ended(&instance, LOOK_AGAIN), has_ended, "{instance:?}");
        }
    }

    #[test]
    fn who_starts_a_queue_manager_that_was_just_deleted_does_not_make_its_folder_again() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        let error = start_log(&folder).unwrap_err().to_string();
        assert!(error.contains("cannot create ") && !folder.path().exists(), "{error}");
        fs::create_dir(folder.path()).unwrap();
        start_log(&folder).unwrap();
        start_log(&folder).unwrap();
    }
}
