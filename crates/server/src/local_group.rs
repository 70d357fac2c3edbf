//! The group of the machine whose members connect through the local socket.
//!
//! Lives here: the modes and the group of the folder and of the sockets in it. Lives elsewhere: the sockets
//! (`transport`), the user that a connection acts as (`logins`).
//!
//! Always: a member may pass through the folder and connect; it may list no folder, and read no file. Without
//! the group, everything is for the owner alone.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;

use platform::os::users;
use transport::ListenAddress;

use crate::configuration::LocalGroup;
use crate::directory::Folder;

/// The folder of a queue manager whose group may pass through it.
const FOLDER_MODE: u32 = 0o710;

/// A socket that the group may connect to.
const SOCKET_MODE: u32 = 0o660;

/// Passing through a directory, for every user.
const PASS: u32 = 0o001;

/// Lets the members of the group connect through these sockets, and nobody else but the owner.
///
/// # Errors
/// The reason for which the members cannot connect; the owner can.
pub(crate) fn open(folder: &Folder, group: &LocalGroup, sockets: &[ListenAddress]) -> Result<(), String> {
    let path = folder.path();
    let sockets: Vec<&Path> = sockets.iter().filter_map(path_of).collect();
    let number = users::group_number(&group.0).filter(|_| !sockets.is_empty());
    let Some(number) = number else {
        close(path).map_err(|error| format!("{} stays open to its group: {error}", path.display()))?;
        return if group.is_asked_for() && !sockets.is_empty() {
            Err(format!("the machine has no group {}", group.0))
        } else {
            Ok(())
        };
    };
    give(path, number, FOLDER_MODE).map_err(|error| refused(group, path, &error))?;
    for socket in sockets {
        give(socket, number, SOCKET_MODE).map_err(|error| refused(group, socket, &error))?;
    }
    // Names in the directory of data stay unknown to those that only pass through it.
    let data = path.parent().unwrap_or(path);
    let pass = |path: &Path| -> io::Result<()> {
        let mode = fs::metadata(path)?.mode();
        if mode & PASS == 0 {
            fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 | PASS))?;
        }
        Ok(())
    };
    pass(data).map_err(|error| refused(group, data, &error))
}

fn path_of(bound: &ListenAddress) -> Option<&Path> {
    match bound {
        ListenAddress::Unix(path) | ListenAddress::Rings(path) => Some(path),
        ListenAddress::Tcp(_) => None,
    }
}

fn give(path: &Path, group: u32, mode: u32) -> io::Result<()> {
    // The mode last: with it the old group would come in.
    chown(path, None, Some(group))?;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Takes back the permission that an earlier start gave to a group.
fn close(folder: &Path) -> io::Result<()> {
    let mode = fs::metadata(folder)?.mode() & 0o7777;
    if mode == FOLDER_MODE {
        fs::set_permissions(folder, Permissions::from_mode(mode & 0o700))
    } else {
        Ok(())
    }
}

fn refused(group: &LocalGroup, path: &Path, error: &io::Error) -> String {
    format!(
        "{} cannot be opened to group {}: {error}; the user of the queue manager's process must be in the group",
        path.display(),
        group.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::DataDirectory;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn a_group_passes_through_the_folder_to_the_sockets_and_without_it_the_owner_is_alone() {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        let folder = DataDirectory::at(&data).folder(&"QM1".parse().unwrap());
        crate::durable_files::make_directory(folder.path()).unwrap();
        let socket = folder.socket();
        fs::write(&socket, "").unwrap();
        fs::set_permissions(&socket, Permissions::from_mode(0o600)).unwrap();
        let bounds = [ListenAddress::Unix(socket.clone())];
        let own = fs::metadata(&socket).unwrap().gid();
        let name = users::group_name(own).expect("the group of this process has a name");

        assert_eq!(open(&folder, &LocalGroup::default(), &bounds), Ok(()), "no such group here");
        assert_eq!((mode(folder.path()), mode(&socket), mode(&data)), (0o700, 0o600, 0o700));
        assert_eq!(open(&folder, &LocalGroup(name), &bounds), Ok(()));
        assert_eq!((mode(folder.path()), mode(&socket), mode(&data)), (0o710, 0o660, 0o701));
        let absent = open(&folder, &LocalGroup("no such group".to_owned()), &bounds).unwrap_err();
        assert!(absent.contains("no such group"), "{absent}");
        assert_eq!(mode(folder.path()), 0o700, "what an earlier start gave is taken back");
        assert_eq!(open(&folder, &LocalGroup(String::new()), &bounds), Ok(()));
    }
}
