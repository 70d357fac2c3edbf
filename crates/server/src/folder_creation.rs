//! A queue manager's folder, made under another name until it is whole: if the process ends early, there is
//! no half of a queue manager under its name. Leftovers are found again and named here.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use mqi::QueueManagerName;
use platform::DirectoryLock;
use platform::os::{private, users};

use crate::directory::{DataDirectory, Folder};
use crate::durable_files::{self, disk};
use crate::foreign;
use crate::instances::{self, Error, refused};
use crate::locks;
use crate::storage_locations;

/// Held by the maker of a folder, in it.
pub(crate) const MAKING: &str = "making.lock";

/// Origin of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Work {
    /// Making a new queue manager.
    Creation,
    /// Making one again from a backup.
    Restore,
}

/// The users that a new queue manager is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The one that makes it.
    Owner,
    /// That one, and group 0: a container is given another user at each start.
    GroupZero,
}

impl Audience {
    /// The users that a data directory is for: group 0 where it may write there as this process may, as in a
    /// container.
    #[must_use]
    pub fn of(data: &DataDirectory) -> Self {
        let is_for_group = |found: fs::Metadata| {
            private::is_of_container(found.gid())
                && found.mode() & 0o070 == 0o070
                && found.mode() & 0o002 == 0
        };
        let is_shared = users::current_group() == 0 && fs::metadata(data.path()).is_ok_and(is_for_group);
        if is_shared { Self::GroupZero } else { Self::Owner }
    }
}

impl Work {
    pub(crate) const ALL: [Self; 2] = [Self::Creation, Self::Restore];
}

impl fmt::Display for Work {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Creation => "creation",
            Self::Restore => "restore",
        })
    }
}

/// Unfinished rest of a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The work that was not finished.
    pub work: Work,
    /// The process that is still at it.
    pub process: Option<u32>,
}

impl Unfinished {
    /// Returns advice on the unfinished queue manager of this name.
    #[must_use]
    pub fn advice(&self, name: &QueueManagerName) -> String {
        match (self.process, self.work) {
            (Some(process), _) => format!("process {process} is still at it"),
            (None, Work::Creation) => format!(
                "`ferry qmgr create {name}` makes it anew, `ferry qmgr delete {name}` removes what there is of it"
            ),
            (None, Work::Restore) => format!(
                "`ferry restore` of its backup makes it anew, `ferry qmgr delete {name}` removes what there is of it"
            ),
        }
    }

    /// Says that it was cut off, or that it is under way.
    #[must_use]
    pub fn state(&self) -> &'static str {
        if self.process.is_some() { "is under way" } else { "was cut off" }
    }
}

/// Of the queue manager of this folder, if anything is there.
pub(crate) fn unfinished(folder: &Folder) -> Option<Unfinished> {
    let work = Work::ALL.into_iter().find(|work| folder.beside(*work).is_dir())?;
    let process = locks::holder(&folder.beside(work).join(MAKING));
    Some(Unfinished { work, process })
}

/// Makes a folder of its own name out of one that `fill` fills, which outlasts a power cut when this returns.
/// An empty one that is there already becomes it. When it fails nothing is left behind.
pub(crate) fn make<Made, Failed: From<Error>>(
    data: &DataDirectory,
    folder: &Folder,
    work: Work,
    audience: Audience,
    fill: impl FnOnce(&Path) -> Result<Made, Failed>,
) -> Result<Made, Failed> {
    foreign::check(folder.path()).map_err(Error::from)?;
    let beside = folder.beside(work);
    durable_files::make_directory(&beside).map_err(refused("make", &beside))?;
    if audience == Audience::GroupZero {
        private::share(&beside).map_err(refused("share", &beside))?;
    }
    let _lock = hold(folder, work, "make")?;
    let left = storage_locations::remove(&beside, folder.path()).and_then(|()| empty(&beside));
    left.map_err(refused("remove what was left in", &beside))?;
    let made = fill(&beside).and_then(|made| {
        name(data, &beside, folder)?;
        Ok(made)
    });
    // It is of no use any more, and in nobody's way.
    let _ = match made {
        Ok(_) => fs::remove_file(folder.path().join(MAKING)),
        Err(_) => {
            storage_locations::remove(&beside, folder.path()).and_then(|()| fs::remove_dir_all(&beside))
        }
    };
    made
}

/// Takes the lock of a folder's maker.
fn hold(folder: &Folder, work: Work, what: &'static str) -> Result<Box<dyn DirectoryLock>, Error> {
    let beside = folder.beside(work);
    let held = disk(&beside).lock(Path::new(MAKING));
    held.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => Error::BeingMade { name: *folder.name(), work },
        _ => refused(what, &beside)(error),
    })
}

/// Gives it its name, and has that last.
fn name(data: &DataDirectory, beside: &Path, folder: &Folder) -> Result<(), Error> {
    fs::rename(beside, folder.path()).map_err(|error| match error.kind() {
        io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists => {
            Error::Exists { name: *folder.name(), directory: data.path().to_owned() }
        }
        _ => refused("name", folder.path())(error),
    })?;
    instances::lasts(data).inspect_err(|_| {
        // Nobody relies on it yet.
        let _ = fs::rename(folder.path(), beside);
    })
}

/// Removes what is left of a queue manager that is not whole.
///
/// # Errors
/// When its maker is still at it, or it cannot be removed.
pub(crate) fn remove_unfinished(folder: &Folder) -> Result<(), Error> {
    for work in Work::ALL {
        let beside = folder.beside(work);
        if beside.is_dir() {
            let _lock = hold(folder, work, "remove")?;
            let removed =
                storage_locations::remove(&beside, folder.path()).and_then(|()| fs::remove_dir_all(&beside));
            removed.map_err(refused("remove", &beside))?;
        }
    }
    Ok(())
}

/// Removes all of a directory but the lock of its maker.
pub(crate) fn empty(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MAKING {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
