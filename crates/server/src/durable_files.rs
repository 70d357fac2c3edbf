//! Files and directories that administration makes, made to outlast a power cut.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::os::private;
use platform::{Access, Disk, OpenMode, World};

/// A directory of the machine.
#[must_use]
pub fn disk(path: &Path) -> Arc<dyn Disk> {
    World::of_machine(path).disk
}

/// Makes a file in the disk's root, or replaces the existing one, so that a reader finds all of it or none,
/// and the file lasts. It is written under the name with `.new` behind it first; an existing file of that
/// name gives it its mode, and a new one is for its owner alone.
///
/// # Errors
/// The disk's refusal. The previous file is unchanged, unless the flush of its new name was refused, and
/// nothing is left beside it.
pub fn write(disk: &dyn Disk, name: &str, bytes: &[u8]) -> io::Result<()> {
    let beside = PathBuf::from(format!("{name}.new"));
    let name = Path::new(name);
    let file = disk.open(&beside, OpenMode::Truncate, Access::Cached)?;
    let written =
        file.write_at(bytes, 0).and_then(|()| file.sync()).and_then(|()| disk.rename(&beside, name));
    written.inspect_err(|_| {
        // It may have a secret, and on a full disk it takes room.
        let _ = disk.remove(&beside);
    })?;
    disk.sync_directory(Path::new(""))
}

/// Makes a directory with its parents, for its owner alone: messages are private. An existing one is fine.
pub(crate) fn make_directory(path: &Path) -> io::Result<()> {
    let path = std::path::absolute(path)?;
    let made: Vec<&Path> = path.ancestors().take_while(|ancestor| !ancestor.exists()).collect();
    private::make_directories(&path)?;
    for parent in made.iter().filter_map(|made| made.parent()) {
        disk(parent).sync_directory(Path::new(""))?;
    }
    Ok(())
}

/// Makes a directory in an existing one, for its owner alone: a folder that was deleted meanwhile is not made
/// again by a mere user of it. An existing one is fine.
pub(crate) fn make_inner(path: &Path) -> io::Result<()> {
    match private::make_directory(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use platform::simulated::{CrashPolicy, Images, Random, SimulatedDisk, Survival};

    use super::*;

    #[test]
    fn a_power_cut_finds_all_of_a_file_or_what_was_there_before() {
        let disk = SimulatedDisk::new(1);
        write(&disk, "settings.toml", &[1; 5000]).unwrap();
        disk.keep_images(Images::Every);
        write(&disk, "settings.toml", &[2; 7000]).unwrap();
        let images = disk.take_images();
        assert!(images.len() > 3, "{}", images.len());
        let mut random = Random::new(1);
        for (boundary, image) in &images {
            for survival in [Survival::Nothing, Survival::Everything] {
                let after = image.crash(&mut random, CrashPolicy::surviving(survival));
                let found = after.content(Path::new("settings.toml")).unwrap();
                assert!(found == [1; 5000] || found == [2; 7000], "at {boundary}, {survival:?}");
            }
        }
        let after = disk.crash(&mut random, CrashPolicy::surviving(Survival::Nothing));
        assert_eq!(after.content(Path::new("settings.toml")).unwrap(), [2; 7000]);
    }

    #[test]
    fn a_file_that_cannot_take_its_place_leaves_nothing_beside_it() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(place.path().join("secret/inside")).unwrap();
        write(&*disk(place.path()), "secret", b"password").unwrap_err();
        let left: Vec<_> =
            std::fs::read_dir(place.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, ["secret"]);
    }

    #[test]
    fn directories_are_made_with_their_parents_for_their_owner() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().unwrap();
        let inner = place.path().join("a/b");
        make_directory(&inner).unwrap();
        make_directory(&inner).unwrap();
        for made in [&inner, &place.path().join("a")] {
            assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        }
    }
}
