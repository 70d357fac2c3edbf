//! Parts of a queue manager's files that its settings put elsewhere: the recovery log and the store, each on
//! a disk of its own.
//!
//! Lives here: the folder of a part in the directory that a setting names, and the symbolic link to it in the
//! queue manager's folder, by which every other part finds its files.
//!
//! Always: a part is made with the queue manager, for the same users, and goes with it. A start that finds a
//! part elsewhere than the settings say changes nothing.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use platform::os::private;

use crate::configuration::Configuration;
use crate::durable_files::disk;
use crate::foreign::{self, Foreign};

/// The parts, by the name in the folder, which is that of the section of the settings as well.
const PARTS: [&str; 2] = ["log", "store"];

/// The directory that the settings name for a part; none where it is in the queue manager's folder.
fn directory<'a>(configuration: &'a Configuration, part: &str) -> Option<&'a Path> {
    let path = match part {
        "log" => &configuration.log.directory,
        _ => &configuration.store.directory,
    };
    Some(path.0.as_path()).filter(|path| !path.as_os_str().is_empty())
}

/// The place of a part of the queue manager with this folder below a directory.
fn place(directory: &Path, folder: &Path, part: &str) -> Option<PathBuf> {
    Some(directory.join(folder.file_name()?).join(part))
}

/// A part that cannot be made.
#[derive(Debug)]
pub(crate) enum NotMade {
    /// Its place is occupied.
    Occupied(PathBuf),
    /// Others may change it, or a folder above it.
    Foreign(Foreign),
    /// The system refuses it.
    Refused(PathBuf, io::Error),
}

/// Makes the parts that the settings put elsewhere, for a queue manager that is being made in `beside`.
///
/// # Errors
/// When a place is taken, or cannot be made so that it lasts.
pub(crate) fn make(beside: &Path, folder: &Path, configuration: &Configuration) -> Result<(), NotMade> {
    for part in PARTS {
        let place = directory(configuration, part).and_then(|directory| place(directory, folder, part));
        let Some(place) = place else { continue };
        // An empty one as well: it may be of another that is being made.
        if fs::symlink_metadata(&place).is_ok() {
            return Err(NotMade::Occupied(place));
        }
        foreign::check(&place).map_err(NotMade::Foreign)?;
        let made = make_lasting(&place)
            .and_then(|()| symlink(&place, beside.join(part)))
            .and_then(|()| if private::is_shared(beside) { private::share_part(&place) } else { Ok(()) });
        made.map_err(|error| NotMade::Refused(place, error))?;
    }
    Ok(())
}

/// Makes a folder, and has the names above it last.
fn make_lasting(place: &Path) -> io::Result<()> {
    let above: Vec<&Path> = place.ancestors().skip(1).take_while(|path| !path.is_dir()).collect();
    private::make_directories(place)?;
    let first_there = place.ancestors().nth(above.len() + 1);
    for directory in above.into_iter().chain(first_there) {
        disk(directory).sync_directory(Path::new(""))?;
    }
    Ok(())
}

/// Removes the parts that links in a folder of this queue manager lead to, with any content. A link that
/// leads elsewhere than a part of it can be is left alone with its target.
///
/// # Errors
/// When one cannot be removed.
pub(crate) fn remove(of: &Path, folder: &Path) -> io::Result<()> {
    for part in PARTS {
        let Ok(target) = fs::read_link(of.join(part)) else { continue };
        let below = target.ancestors().nth(2).and_then(|directory| place(directory, folder, part));
        let is_own = below.as_ref() == Some(&target);
        if is_own {
            remove_if_there(&target)?;
            // Another part may be there still; and who made the directory may want it.
            if let Some(parent) = target.parent() {
                let _ = fs::remove_dir(parent);
            }
        }
    }
    Ok(())
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// A part that is elsewhere than the settings say.
#[derive(Debug, thiserror::Error)]
#[error(
    "the settings have the {part} in {}, and it is in {}: stop every program that uses it, move that folder to {} and \
     make {} a symbolic link to it, or take `directory` out of [{part}]",
    wanted.display(), found.display(), wanted.display(), link.display()
)]
pub struct Misplaced {
    part: &'static str,
    wanted: PathBuf,
    found: PathBuf,
    link: PathBuf,
}

/// The first folder on the way to a queue manager, or to a part of it elsewhere, that others may change.
pub fn foreign(folder: &Path) -> Option<Foreign> {
    let parts = PARTS.iter().map(|part| folder.join(part));
    std::iter::once(folder.to_owned()).chain(parts).find_map(|path| foreign::check(&path).err())
}

/// Refuses a start where a part is elsewhere than the settings say. Without a directory in them a part may be
/// where an administrator has linked it to.
///
/// # Errors
/// With the place that is wanted, the one that was found, and what to do.
pub(crate) fn check(folder: &Path, configuration: &Configuration) -> Result<(), Misplaced> {
    for part in PARTS {
        let wanted = directory(configuration, part).and_then(|directory| place(directory, folder, part));
        let Some(wanted) = wanted else { continue };
        let link = folder.join(part);
        let same = |one: &Path, other: &Path| match (fs::canonicalize(one), fs::canonicalize(other)) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        };
        if !same(&link, &wanted) {
            let found = fs::read_link(&link).unwrap_or_else(|_| link.clone());
            return Err(Misplaced { part, wanted, found, link });
        }
    }
    Ok(())
}
