//! Control groups, which bound the memory or the processes of a program; either kind of tree.

use std::fs;
use std::path::{Path, PathBuf};

use super::installation::Broken;

/// A thing that a group bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Bytes of memory, pages of files included.
    Memory,
    /// Processes and threads.
    Tasks,
}

impl Bound {
    /// The folders in which a group can be made, each with the file of its bound.
    fn places(self) -> [(&'static str, &'static str); 2] {
        match self {
            Self::Memory => {
                [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")]
            }
            Self::Tasks => [("/sys/fs/cgroup/pids", "pids.max"), ("/sys/fs/cgroup", "pids.max")],
        }
    }
}

/// A group, which is removed when this is dropped; its programs must have ended by then.
#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
    file: &'static str,
}

impl Group {
    /// A new one with that bound; the thing that is missing where none can be made.
    pub(super) fn new(name: &str, bound: Bound, most: u64) -> Result<Self, String> {
        let name = format!("ferry-torture-{}-{name}", std::process::id());
        for (tree, file) in bound.places() {
            let folder = Path::new(tree).join(&name);
            if fs::create_dir(&folder).is_ok() {
                let group = Self { folder, file };
                if group.set(most).is_ok() {
                    return Ok(group);
                }
            }
        }
        Err(format!("a control group for {bound:?} (run as root)").to_lowercase())
    }

    /// Changes the bound.
    pub(super) fn set(&self, most: u64) -> Result<(), Broken> {
        let path = self.folder.join(self.file);
        fs::write(&path, most.to_string()).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The words of a shell that joins it and becomes the program that follows them.
    pub(super) fn joining(&self) -> Vec<String> {
        let script = format!("echo $$ > {}/cgroup.procs; exec \"$@\"", self.folder.display());
        vec!["-ec".to_owned(), script, "sh".to_owned()]
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // It stays where a program of it has not ended, which takes no room.
        let _ = fs::remove_dir(&self.folder);
    }
}
