//! Folders and files that other users of the machine may change: a queue manager below one is not safe from
//! them, and settings in one are not those of this user.
//!
//! Lives here: the walk along a path and its links, and the verdict on each folder and file. Lives elsewhere:
//! refusing to make a queue manager there (`folder_creation`), telling of one that is there already
//! (`lifecycle`).
//!
//! Always: nothing is changed. Root and the user of this process may change every folder; a sticky folder
//! counts as its owner's, since the others cannot replace what they do not own.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use platform::os::{private, users};

/// Most symbolic links on a way, as the system has it.
const LINKS_MAX: usize = 40;

const STICKY: u32 = 0o1000;
const WRITE_OF_GROUP: u32 = 0o020;
const WRITE_OF_OTHERS: u32 = 0o002;

/// A folder, or a link to one, that others may change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} {}, so that another user could replace the files of a queue manager there: {}",
    path.display(), power, power.remedy(path)
)]
pub struct Foreign {
    /// The folder or link.
    pub path: PathBuf,
    /// The power of the others.
    pub power: Power,
}

/// The power of other users over a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Power {
    /// It belongs to this user.
    Owner(String),
    /// The members of this group may write.
    Group(String),
    /// Everybody may write.
    Everybody,
}

impl std::fmt::Display for Power {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Owner(user) => write!(formatter, "belongs to user {user}"),
            Self::Group(group) => write!(formatter, "may be changed by the members of group {group}"),
            Self::Everybody => formatter.write_str("may be changed by every user of the machine"),
        }
    }
}

impl Power {
    fn remedy(&self, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::Owner(user) => {
                format!("work as user {user}, or name another data directory by --data or FERRY_DATA")
            }
            Self::Group(_) => {
                format!("chmod g-w {path}, or name another data directory by --data or FERRY_DATA")
            }
            Self::Everybody => {
                format!("chmod o-w {path}, or name another data directory by --data or FERRY_DATA")
            }
        }
    }
}

/// A folder as the system describes it.
#[derive(Clone, Copy, Debug)]
struct Facts {
    owner: u32,
    group: u32,
    mode: u32,
}

/// The user of this process, and the groups that matter.
struct Own<'a> {
    user: u32,
    /// The process is of group 0 and not of root, as containers have it.
    is_of_group_zero: bool,
    /// Tells if the users of a container share a group besides.
    is_of_container: &'a dyn Fn(u32) -> bool,
    /// Tells if nobody else is in a group.
    is_private: &'a dyn Fn(u32) -> bool,
}

/// The power of others over a folder, if they have any.
fn power(Facts { owner, group, mode }: Facts, own: &Own<'_>) -> Option<Power> {
    let is_shared = (group == 0 || (own.is_of_container)(group)) && own.is_of_group_zero;
    if is_shared && mode & WRITE_OF_OTHERS == 0 {
        return None;
    }
    if owner != own.user && owner != 0 {
        return Some(Power::Owner(users::name_of(owner)));
    }
    if mode & STICKY != 0 {
        return None;
    }
    if mode & WRITE_OF_OTHERS != 0 {
        return Some(Power::Everybody);
    }
    let is_groups = mode & WRITE_OF_GROUP != 0 && group != 0 && !(own.is_private)(group);
    is_groups.then(|| Power::Group(users::group_name(group).unwrap_or_else(|| group.to_string())))
}

/// Finds the first folder or link on the way to a path, and at its end, that others may change. What is not
/// there yet is made by this process.
///
/// # Errors
/// With what was found. A path that the system does not let through is refused by what uses it.
pub fn check(path: &Path) -> Result<(), Foreign> {
    let Ok(path) = std::path::absolute(path) else { return Ok(()) };
    as_own(|own| walk(&path, own))
}

/// Checks a file that is open, with each folder and link on the way to it.
///
/// # Errors
/// With the first one that others may change.
pub fn check_open(path: &Path, file: &fs::File) -> Result<(), Foreign> {
    check(path)?;
    // By now another one may be there, so the one that was opened counts.
    let Ok(found) = file.metadata() else { return Ok(()) };
    as_own(|own| verdict(path, &found, own))
}

fn as_own<T>(judge: impl FnOnce(&Own<'_>) -> T) -> T {
    let user = rustix::process::geteuid().as_raw();
    let groups = || rustix::process::getgroups().unwrap_or_default();
    let is_zero = || rustix::process::getegid().is_root() || groups().iter().any(|group| group.is_root());
    let is_private = |group: u32| !users::group_has_others(group, user);
    judge(&Own {
        user,
        is_of_group_zero: user != 0 && is_zero(),
        is_of_container: &private::is_of_container,
        is_private: &is_private,
    })
}

fn walk(path: &Path, own: &Own<'_>) -> Result<(), Foreign> {
    let mut left: Vec<PathBuf> = parts(path);
    let mut at = PathBuf::from("/");
    let mut links = 0;
    judge(&at, own)?;
    while let Some(part) = left.pop() {
        if part == Path::new("..") {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        let Ok(found) = fs::symlink_metadata(&next) else { return Ok(()) };
        if !found.is_symlink() {
            at = next;
            judge(&at, own)?;
            continue;
        }
        // In a sticky folder the owner of a link may lead it elsewhere.
        if found.uid() != own.user && found.uid() != 0 {
            return Err(Foreign { path: next, power: Power::Owner(users::name_of(found.uid())) });
        }
        links += 1;
        let (Ok(target), true) = (fs::read_link(&next), links <= LINKS_MAX) else { return Ok(()) };
        if target.is_absolute() {
            at = PathBuf::from("/");
        }
        left.extend(parts(&target));
    }
    Ok(())
}

/// The parts of a path behind its root, the last first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let parts = path.components().filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir));
    parts.rev().map(|part| PathBuf::from(part.as_os_str())).collect()
}

fn judge(path: &Path, own: &Own<'_>) -> Result<(), Foreign> {
    let found: io::Result<fs::Metadata> = fs::symlink_metadata(path);
    let Ok(found) = found else { return Ok(()) };
    verdict(path, &found, own)
}

fn verdict(path: &Path, found: &fs::Metadata, own: &Own<'_>) -> Result<(), Foreign> {
    let mode = match found.file_type() {
        kind if kind.is_dir() => found.mode(),
        // The bit has no meaning for a file.
        kind if kind.is_file() => found.mode() & !STICKY,
        _ => return Ok(()),
    };
    match power(Facts { owner: found.uid(), group: found.gid(), mode }, own) {
        Some(power) => Err(Foreign { path: path.to_owned(), power }),
        None => Ok(()),
    }
}

/// The user that a folder belongs to, where that is neither root nor the user of this process.
pub(crate) fn owner(path: &Path) -> Option<Foreign> {
    let found = fs::metadata(path).ok()?;
    let own = rustix::process::geteuid().as_raw();
    // Root starts the queue managers of others; it can be told, and not be kept out.
    let is_foreign = own != 0 && found.uid() != own && found.uid() != 0 && !private::is_shared(path);
    is_foreign.then(|| Foreign { path: path.to_owned(), power: Power::Owner(users::name_of(found.uid())) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn the_owner_the_group_and_everybody_else_count_but_for_sticky_folders_and_groups_of_one() {
        let own = |is_of_group_zero| Own {
            user: 1000,
            is_of_group_zero,
            is_of_container: &|group| group == 5_000,
            is_private: &|group| group == 1000,
        };
        let (ada, eve) = (1000, 4_294_000_000);
        for (owner, group, mode, is_of_group_zero, expected) in [
            (ada, 1000, 0o700, false, None),
            (ada, 1000, 0o775, false, None),
            (0, 0, 0o755, false, None),
            (0, 0, 0o775, false, None),
            (0, 1000, 0o2775, false, None),
            (ada, 4_294_000_001, 0o775, false, Some(Power::Group("4294000001".to_owned()))),
            (ada, 4_294_000_001, 0o755, false, None),
            (ada, 1000, 0o777, false, Some(Power::Everybody)),
            (0, 0, 0o1777, false, None),
            (ada, 1000, 0o1777, false, None),
            (eve, 1000, 0o755, false, Some(Power::Owner("4294000000".to_owned()))),
            (eve, 1000, 0o1777, false, Some(Power::Owner("4294000000".to_owned()))),
            (eve, 0, 0o775, true, None),
            (eve, 5_000, 0o2770, true, None),
            (eve, 5_000, 0o2777, true, Some(Power::Owner("4294000000".to_owned()))),
            (eve, 5_000, 0o2770, false, Some(Power::Owner("4294000000".to_owned()))),
            (eve, 0, 0o777, true, Some(Power::Owner("4294000000".to_owned()))),
            (eve, 0, 0o775, false, Some(Power::Owner("4294000000".to_owned()))),
        ] {
            let found = power(Facts { owner, group, mode }, &own(is_of_group_zero));
            assert_eq!(found, expected, "{owner}:{group} {mode:o}");
        }
    }

    #[test]
    fn each_folder_on_the_way_and_each_link_counts_and_what_is_not_there_does_not() {
        let place = tempfile::tempdir().unwrap();
        let at = |text: &str| place.path().join(text);
        fs::create_dir_all(at("open/inside/data")).unwrap();
        fs::create_dir_all(at("closed/data")).unwrap();
        let mode =
            |path: &str, mode| fs::set_permissions(at(path), fs::Permissions::from_mode(mode)).unwrap();
        for path in ["open/inside/data", "open/inside", "closed/data", "closed"] {
            mode(path, 0o755);
        }
        mode("open", 0o777);
        symlink(at("open/inside"), at("closed/absolute")).unwrap();
        symlink("../open/inside", at("closed/relative")).unwrap();
        symlink("absolute", at("closed/twice")).unwrap();
        symlink("around", at("closed/around")).unwrap();
        for (path, is_foreign) in [
            ("closed/data", false),
            ("closed/none/yet", false),
            ("open", true),
            ("open/inside/data", true),
            ("open/none/yet", true),
            ("closed/absolute/data", true),
            ("closed/relative/data", true),
            ("closed/twice/data", true),
            ("closed/data/../../open/inside", true),
            ("closed/around", false),
        ] {
            let found = check(&at(path));
            assert_eq!(found.is_err(), is_foreign, "{path}: {found:?}");
            if let Err(found) = found {
                assert_eq!(found.path, fs::canonicalize(at("open")).unwrap(), "{path}");
                assert!(found.to_string().contains("chmod o-w"), "{found}");
            }
        }
        mode("open", 0o1777);
        assert_eq!(check(&at("closed/absolute/data")), Ok(()));
    }

    #[test]
    fn a_folder_or_link_of_another_user_counts_in_a_sticky_folder_too() {
        if rustix::process::geteuid().as_raw() != 0 {
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let at = |text: &str| place.path().join(text);
        fs::create_dir(at("sticky")).unwrap();
        fs::set_permissions(at("sticky"), fs::Permissions::from_mode(0o1777)).unwrap();
        fs::create_dir(at("sticky/theirs")).unwrap();
        std::os::unix::fs::chown(at("sticky/theirs"), Some(4_000_000), None).unwrap();
        fs::create_dir(at("own")).unwrap();
        symlink(at("own"), at("sticky/link")).unwrap();
        std::os::unix::fs::lchown(at("sticky/link"), Some(4_000_000), None).unwrap();
        for path in ["sticky/theirs", "sticky/theirs/data", "sticky/link/data"] {
            let found = check(&at(path)).unwrap_err();
            assert!(found.to_string().contains("belongs to user 4000000"), "{found}");
        }
        assert_eq!(check(&at("sticky/own")), Ok(()));
    }
}
