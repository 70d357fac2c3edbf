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
    let process: u32 = fs::read_to_string(lock).ok()?.trim().parse().ok()?;
    for _ in 0..LOOKS {
        let (table, is_of_one_moment) = table().ok()?;
        if table.lines().any(|line| is_held_by(line, file.ino(), process)) {
            return Some(process);
        }
        if is_of_one_moment {
            break;
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

/// True if a line of the table is the lock of this process on the file of this number. Files of different
/// file systems share numbers, and the table's device numbers are not always those that a file reports: so
/// the process must be the right one too.
fn is_held_by(line: &str, inode: u64, process: u32) -> bool {
    // number: FLOCK ADVISORY WRITE process major:minor:inode start end; "->" marks one that only waits
    let fields: Vec<&str> = line.split_whitespace().collect();
    fields.get(1) == Some(&"FLOCK")
        && fields.get(4).and_then(|field| field.parse().ok()) == Some(process)
        && fields.get(5).is_some_and(|place| place.ends_with(&format!(":{inode}")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicBool, Ordering};

    use platform::DirectoryLock;

    use super::*;
    use crate::lasting;

    fn take(directory: &Path, name: &str) -> Box<dyn DirectoryLock> {
        lasting::disk(directory).lock(Path::new(name)).unwrap()
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
            (ours, true),
            ("3: FLOCK  ADVISORY  WRITE 815 07:02:13 0 EOF", false),
            ("3: FLOCK  ADVISORY  WRITE 4711 07:01:113 0 EOF", false),
            ("3: -> FLOCK  ADVISORY  WRITE 4711 07:01:13 0 EOF", false),
            ("3: POSIX  ADVISORY  WRITE 4711 07:01:13 0 EOF", false),
        ] {
            assert_eq!(is_held_by(line, 13, 4711), expected, "{line}");
        }
    }
}
