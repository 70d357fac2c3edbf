//! The holder of a lock file, as the system tells it: trying the lock could get in the way of a server that
//! starts at this moment.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Where the system lists the locks of all files.
const TABLE: &str = "/proc/locks";

/// Most readings of a table that does not come in one piece.
const LOOKS: usize = 8;

/// The process that holds a lock file.
pub(crate) fn holder(lock: &Path) -> Option<u32> {
    let file = fs::metadata(lock).ok()?;
    let process = match fs::read_to_string(lock) {
        Ok(text) => Some(text.trim().parse().ok()?),
        // A member of the group may look at the file, and not into it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
        Err(_) => return None,
    };
    holder_in_table(file.ino(), process)
}

/// The process that the table has for the lock on the file of this number: this one, if it is known.
fn holder_in_table(inode: u64, process: Option<u32>) -> Option<u32> {
    for _ in 0..LOOKS {
        let (table, is_of_one_moment) = table().ok()?;
        let mut holders = table.lines().filter_map(|line| holder_of(line, inode));
        let found = match process {
            Some(process) => holders.find(|holder| *holder == process),
            None => holders.find(|holder| *holder != 0),
        };
        if found.is_some() || is_of_one_moment {
            return found;
        }
    }
    None
}

/// Reads the table of locks; true if one call of the system gave all of it. A call goes on behind as many
/// lines as earlier ones gave: when a lock of those was let go meanwhile, a held one is passed over. So the
/// first call has room for all that the system gives in one, a page, and a caller that misses a lock in a
/// longer table has to look again.
fn table() -> io::Result<(String, bool)> {
    let mut file = File::open(TABLE)?;
    let mut table = vec![0; 64 << 10];
    let first = loop {
        match file.read(&mut table) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => break outcome?,
        }
    };
    table.truncate(first);
    let more = file.read_to_end(&mut table)?;
    Ok((String::from_utf8_lossy(&table).into_owned(), more == 0))
}

/// The process of a line of the table, if that is a lock on the file of this number. Files of different file
/// systems share numbers, and the table's device numbers are not always those that a file reports: so the
/// process must be the right one too, where it is known.
fn holder_of(line: &str, inode: u64) -> Option<u32> {
    // number: FLOCK ADVISORY WRITE process major:minor:inode start end; "->" marks one that only waits
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_lock = fields.get(1) == Some(&"FLOCK")
        && fields.get(5).is_some_and(|place| place.ends_with(&format!(":{inode}")));
    fields.get(4).filter(|_| is_lock)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};

    use platform::DirectoryLock;

    use super::*;
    use crate::durable_files;

    fn take(directory: &Path, name: &str) -> Box<dyn DirectoryLock> {
        durable_files::disk(directory).lock(Path::new(name)).unwrap()
    }

    /// Missed once in twenty to a hundred looks when the table was read in small pieces.
    #[test]
    fn a_lock_is_not_missed_while_others_come_and_go() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path();
        let files: Vec<PathBuf> = (0..200).map(|number| directory.join(format!("held{number}"))).collect();
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for name in ["one", "another"] {
                scope.spawn(|| {
                    while !ended.load(Ordering::Relaxed) {
                        drop(take(directory, name));
                    }
                });
            }
            let mut held = Vec::new();
            let missed = files.iter().find(|file| {
                held.push(take(directory, file.file_name().unwrap().to_str().unwrap()));
                (0..20).any(|_| holder(file) != Some(std::process::id()))
            });
            ended.store(true, Ordering::Relaxed);
            assert_eq!(missed, None);
        });
    }

    #[test]
    fn a_file_of_the_same_number_on_another_file_system_does_not_count() {
        let ours = "3: FLOCK  ADVISORY  WRITE 4711 07:01:13 0 EOF";
        for (line, expected) in [
            (ours, Some(4711)),
            ("3: FLOCK  ADVISORY  WRITE 815 07:02:13 0 EOF", Some(815)),
            ("3: FLOCK  ADVISORY  WRITE 4711 07:01:113 0 EOF", None),
            ("3: -> FLOCK  ADVISORY  WRITE 4711 07:01:13 0 EOF", None),
            ("3: POSIX  ADVISORY  WRITE 4711 07:01:13 0 EOF", None),
        ] {
            assert_eq!(holder_of(line, 13), expected, "{line}");
        }
    }

    #[test]
    fn the_holder_of_a_lock_is_known_to_those_that_may_not_read_the_file() {
        let place = tempfile::tempdir().unwrap();
        let held = take(place.path(), "held");
        let inode = fs::metadata(place.path().join("held")).unwrap().ino();
        assert_eq!(holder_in_table(inode, None), Some(std::process::id()));
        assert_eq!(holder_in_table(inode, Some(std::process::id() + 1)), None);
        drop(held);
        assert_eq!(holder_in_table(inode, None), None);
    }
}
