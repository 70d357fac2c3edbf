//! Flushes of a disk, as the system counts them when they are done. They show that forced writes reach the
//! disk, whatever the program that made them says.
//!
//! They are those of all programs on the machine, and several that wait at one time are one. Looking costs
//! the read of a file in memory.
//!
//! Always: a disk that does not count a forced write of our own counts nothing for us.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{major, minor};

/// Where the number of flushes stands among those of a block device (`Documentation/block/stat.rst` of
/// Linux).
const FIELD: usize = 15;

/// The disk that holds a directory.
#[derive(Clone, Debug)]
pub struct Disk {
    statistics: PathBuf,
}

impl Disk {
    /// None where flushes are not counted: a file system in memory or of another machine, a disk without a
    /// cache.
    #[must_use]
    pub fn of(directory: &Path) -> Option<Self> {
        let device = fs::metadata(directory).ok()?.dev();
        let place = fs::canonicalize(format!("/sys/dev/block/{}:{}", major(device), minor(device))).ok()?;
        // Those of a partition are counted with the whole.
        let whole = if place.join("partition").is_file() { place.parent()? } else { &place };
        let disk = Self { statistics: whole.join("stat") };
        let before = disk.flushes()?;
        force(&directory.join(format!("ferry-flush-{}", std::process::id()))).ok()?;
        (disk.flushes()? > before).then_some(disk)
    }

    /// Returns the number of flushes since the system started.
    #[must_use]
    pub fn flushes(&self) -> Option<u64> {
        fs::read_to_string(&self.statistics).ok()?.split_whitespace().nth(FIELD)?.parse().ok()
    }
}

/// Forces a file, and removes it.
fn force(path: &Path) -> std::io::Result<()> {
    let mut file = File::create_new(path)?;
    let forced = file.write_all(&[0]).and_then(|()| file.sync_data());
    fs::remove_file(path)?;
    forced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_write_is_counted_or_the_disk_is_not_believed() {
        let directory = std::env::temp_dir().join(format!("ferry-flushes-test-{}", std::process::id()));
        fs::create_dir(&directory).expect("a directory");
        if let Some(disk) = Disk::of(&directory) {
            let before = disk.flushes().expect("it counts");
            for number in 0..3 {
                force(&directory.join(number.to_string())).expect("it can be written");
            }
            assert!(disk.flushes().expect("it counts") >= before + 3);
        }
        let left = fs::read_dir(&directory).expect("it is there").count();
        fs::remove_dir_all(&directory).expect("it is ours");
        assert_eq!(left, 0);
    }

    #[test]
    fn a_file_system_in_memory_counts_none() {
        assert!(Disk::of(Path::new("/proc")).is_none());
    }
}
