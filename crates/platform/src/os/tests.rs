use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::io::Errno;

use super::transfer::{read_fully, write_fully};
use super::*;
use crate::{Access, AlignedBuffer, BLOCK_ALIGNMENT, Disk, OpenMode, World};

fn scratch() -> (tempfile::TempDir, OsDisk) {
    let directory = tempfile::tempdir().unwrap();
    let disk = OsDisk::at(directory.path().join("data"));
    disk.create_directory(Path::new("")).unwrap();
    (directory, disk)
}

#[test]
fn a_file_keeps_what_was_written_through_either_door() {
    let (_directory, disk) = scratch();
    let path = Path::new("log");
    let file = disk.open(path, OpenMode::CreateNew, Access::Durable).unwrap();
    file.write_at(&vec![0; 4 * BLOCK_ALIGNMENT], 0).unwrap();
    file.sync().unwrap();
    let mut block = AlignedBuffer::zeroed(2 * BLOCK_ALIGNMENT);
    block.as_mut_slice().fill(7);
    file.write_durable(&block, 2 * BLOCK_ALIGNMENT, BLOCK_ALIGNMENT as u64).unwrap();

    let mut read = vec![1; 4 * BLOCK_ALIGNMENT];
    disk.open(path, OpenMode::Read, Access::Durable).unwrap().read_exact_at(&mut read, 0).unwrap();
    let sums = read.chunks(BLOCK_ALIGNMENT).map(|page| page.iter().map(|byte| u32::from(*byte)).sum::<u32>());
    assert_eq!(sums.collect::<Vec<_>>(), [0, 7 * 4096, 7 * 4096, 0]);
    assert_eq!(file.length().unwrap(), 4 * BLOCK_ALIGNMENT as u64);
}

#[test]
fn others_find_a_path_where_the_directory_is() {
    let (directory, disk) = scratch();
    let seen = disk.seen_by_others(Path::new("log")).unwrap();
    assert_eq!(seen, directory.path().join("data/log"));
    assert_eq!(disk.seen_by_others(Path::new("../log")), None);
    assert!(OsDisk::at("data").seen_by_others(Path::new("log")).unwrap().is_absolute());
}

#[test]
fn a_file_system_without_direct_writes_is_written_and_flushed() {
    let (_directory, disk) = scratch();
    let file = disk.open(Path::new("log"), OpenMode::CreateNew, Access::Cached).unwrap();
    let mut block = AlignedBuffer::zeroed(BLOCK_ALIGNMENT);
    block.as_mut_slice().fill(3);
    file.write_durable(&block, BLOCK_ALIGNMENT, 0).unwrap();
    let mut read = vec![0; BLOCK_ALIGNMENT];
    file.read_exact_at(&mut read, 0).unwrap();
    assert_eq!(read, block.as_slice());
}

#[test]
fn errors_name_the_file_and_keep_their_kind() {
    let (_directory, disk) = scratch();
    let missing = disk.open(Path::new("absent"), OpenMode::Read, Access::Cached).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    assert!(missing.to_string().contains("absent"), "{missing}");

    let file = disk.open(Path::new("short"), OpenMode::Truncate, Access::Cached).unwrap();
    file.write_at(b"abc", 0).unwrap();
    let short = file.read_exact_at(&mut [0; 8], 0).unwrap_err();
    assert_eq!(short.kind(), ErrorKind::UnexpectedEof);
    assert!(short.to_string().contains("short"), "{short}");

    let twice = disk.open(Path::new("short"), OpenMode::CreateNew, Access::Cached).unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::AlreadyExists);
    assert_eq!(disk.list(Path::new("nowhere")).unwrap_err().kind(), ErrorKind::NotFound);
    for outside in ["/etc/passwd", "../other", "a/../../b"] {
        let refused = disk.open(Path::new(outside), OpenMode::Read, Access::Cached).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::InvalidInput, "{outside}");
    }
}

#[test]
fn names_are_created_renamed_listed_and_removed() {
    let (_directory, disk) = scratch();
    disk.create_directory(Path::new("store/old")).unwrap();
    disk.create_directory(Path::new("store/old")).unwrap();
    for name in ["store/b", "store/a"] {
        disk.open(Path::new(name), OpenMode::CreateNew, Access::Cached).unwrap();
    }
    assert_eq!(disk.list(Path::new("store")).unwrap(), ["a", "b", "old"]);
    disk.rename(Path::new("store/a"), Path::new("store/b")).unwrap();
    disk.sync_directory(Path::new("store")).unwrap();
    assert_eq!(disk.list(Path::new("store")).unwrap(), ["b", "old"]);
    disk.remove(Path::new("store/b")).unwrap();
    assert_eq!(disk.list(Path::new("store")).unwrap(), ["old"]);
    assert!(disk.bytes_free().unwrap() > 0);
}

#[test]
fn files_and_directories_are_for_their_owner_alone() {
    let (directory, disk) = scratch();
    disk.open(Path::new("file"), OpenMode::CreateNew, Access::Cached).unwrap();
    let mode =
        |path: &str| std::fs::metadata(directory.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("data"), 0o700);
    assert_eq!(mode("data/file"), 0o600);
}

#[test]
fn a_private_file_is_for_its_owner_alone_also_where_it_was_for_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, "of others").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    drop(private::create(&path).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Names and modes of everything below a directory.
fn modes(directory: &Path) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(path) = left.pop() {
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            left.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        let name = path.strip_prefix(directory).unwrap().display().to_string();
        found.push((name, metadata.permissions().mode() & 0o7777));
    }
    found.sort();
    found
}

#[test]
fn what_is_made_in_a_shared_directory_is_shared_and_nothing_else_is() {
    use std::os::unix::fs::MetadataExt as _;
    let place = tempfile::tempdir().unwrap();
    // Only a process of group 0 can share.
    let may_share = std::os::unix::fs::chown(place.path(), None, Some(0)).is_ok();
    for share in [false, may_share] {
        let directory = place.path().join(format!("{share}"));
        private::make_directories(&directory.join("old/inner")).unwrap();
        std::fs::write(directory.join("old/file"), "").unwrap();
        std::fs::set_permissions(directory.join("old/file"), std::fs::Permissions::from_mode(0o600)).unwrap();
        if share {
            private::share(&directory).unwrap();
        }
        assert_eq!(private::is_shared(&directory), share);
        let disk = OsDisk::at(&directory);
        disk.create_directory(Path::new("log/deep")).unwrap();
        disk.open(Path::new("log/extent"), OpenMode::CreateNew, Access::Durable).unwrap();
        disk.open(Path::new("log/deep/note"), OpenMode::Truncate, Access::Cached).unwrap();
        drop(disk.lock(Path::new("lock")).unwrap());
        private::replace(&directory.join("key"), b"secret").unwrap();
        drop(private::create(&directory.join("running")).unwrap());
        let (file, inner) = if share { (0o660, 0o2770) } else { (0o600, 0o700) };
        for (name, mode) in modes(&directory) {
            let is_directory = directory.join(&name).is_dir();
            assert_eq!(mode, if is_directory { inner } else { file }, "{name} {share}");
        }
        for name in ["key", "running", "lock"] {
            let path = directory.join(name);
            let found = path.metadata().unwrap();
            assert_eq!(private::exposure(&path, &found, 0o077), None, "{name}");
            assert!(!share || found.gid() == 0);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o664)).unwrap();
            let found = path.metadata().unwrap();
            assert_eq!(private::exposure(&path, &found, 0o077), Some(private::Exposure::Mode(0o664)));
        }
    }
    // A directory that is merely open to the group is not shared.
    let open = place.path().join("open");
    private::make_directory(&open).unwrap();
    for mode in [0o770, 0o775, 0o2775, 0o3770] {
        std::fs::set_permissions(&open, std::fs::Permissions::from_mode(mode)).unwrap();
        private::replace(&open.join("key"), b"secret").unwrap();
        assert!(!private::is_shared(&open));
        assert_eq!(open.join("key").metadata().unwrap().permissions().mode() & 0o777, 0o600, "{mode:o}");
    }
}

#[test]
fn a_shared_directory_shares_the_parts_that_links_lead_to_and_no_further() {
    let place = tempfile::tempdir().unwrap();
    if std::os::unix::fs::chown(place.path(), None, Some(0)).is_err() {
        return;
    }
    let at = |path: &str| place.path().join(path);
    for path in ["data/QM1/security", "logs/QM1/log", "other/elsewhere"] {
        private::make_directories(&at(path)).unwrap();
    }
    std::os::unix::fs::symlink(at("logs/QM1/log"), at("data/QM1/log")).unwrap();
    std::os::unix::fs::symlink(at("other/elsewhere"), at("data/QM1/store")).unwrap();
    std::os::unix::fs::symlink(at("other"), at("data/QM1/security/keys")).unwrap();
    private::share(&at("data/QM1")).unwrap();
    for (path, is_shared) in [
        ("data/QM1/security", true),
        ("logs/QM1/log", true),
        ("logs/QM1", true),
        ("other/elsewhere", true),
        ("other", false),
        ("logs", false),
        ("data", false),
    ] {
        assert_eq!(private::is_shared(&at(path)), is_shared, "{path}");
    }
}

#[test]
fn a_second_holder_is_told_who_the_first_is() {
    let (_directory, disk) = scratch();
    let held = disk.lock(Path::new("lock")).unwrap();
    let refused = disk.lock(Path::new("lock")).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::WouldBlock);
    assert!(refused.to_string().contains(&format!("process {}", std::process::id())), "{refused}");
    drop(held);
    disk.lock(Path::new("lock")).unwrap();
}

#[test]
fn a_directory_is_locked_whatever_becomes_of_its_name() {
    let (directory, disk) = scratch();
    let held = disk.lock_directory(Path::new("")).unwrap();
    assert_eq!(disk.lock_directory(Path::new("")).unwrap_err().kind(), ErrorKind::WouldBlock);
    let moved = OsDisk::at(directory.path().join("moved"));
    std::fs::rename(directory.path().join("data"), directory.path().join("moved")).unwrap();
    assert_eq!(disk.identity(Path::new("")).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(moved.identity(Path::new("")).unwrap(), held.identity().unwrap());
    assert_eq!(moved.lock_directory(Path::new("")).unwrap_err().kind(), ErrorKind::WouldBlock);
    drop(held);
    moved.lock_directory(Path::new("")).unwrap();
}

#[test]
fn a_file_is_known_by_its_identity_and_not_by_its_name() {
    let (_directory, of_machine) = scratch();
    for disk in [&of_machine as &dyn Disk, &crate::simulated::SimulatedDisk::new(1)] {
        let (one, other) = (Path::new("one"), Path::new("other"));
        let file = disk.open(one, OpenMode::CreateNew, Access::Cached).unwrap();
        assert_eq!(disk.identity(one).unwrap(), file.identity().unwrap());
        disk.rename(one, other).unwrap();
        assert_eq!(disk.identity(one).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(disk.identity(other).unwrap(), file.identity().unwrap());
        disk.open(one, OpenMode::CreateNew, Access::Cached).unwrap();
        assert_ne!(disk.identity(one).unwrap(), file.identity().unwrap());
    }
}

#[test]
fn interrupted_and_short_writes_are_finished() {
    let script = [Ok(5000), Err(Errno::INTR), Ok(4096), Ok(4096)];
    let mut asked = Vec::new();
    let mut answers = script.into_iter();
    write_fully(3 * 4096, 4096, |done| {
        asked.push(done);
        answers.next().unwrap()
    })
    .unwrap();
    assert_eq!(asked, [0, 4096, 4096, 8192]);

    assert_eq!(write_fully(10, 1, |_| Ok(0)).unwrap_err().kind(), ErrorKind::WriteZero);
    assert_eq!(write_fully(10, 1, |_| Err(Errno::NOSPC)).unwrap_err().kind(), ErrorKind::StorageFull);

    let mut answers = [Ok(1), Err(Errno::INTR), Ok(2), Ok(0)].into_iter();
    assert_eq!(read_fully(3, |_| answers.next().unwrap()).map_err(|error| error.kind()), Ok(()));
    let mut answers = [Ok(1), Ok(0)].into_iter();
    assert_eq!(read_fully(3, |_| answers.next().unwrap()).unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn clocks_advance_and_entropy_differs() {
    let world = World::of_machine("unused");
    assert!(world.clock.now() <= world.clock.now());
    assert!(world.clock.wall() > WallTime(1_700_000_000_000_000));
    assert_ne!(world.entropy.next_u64(), world.entropy.next_u64());
}

#[test]
fn a_private_file_that_cannot_take_its_place_leaves_nothing_beside_it_and_what_is_there_stays() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    std::fs::create_dir_all(at("app1.ferry/inside")).unwrap();
    std::fs::write(at("app1.new"), "of the user").unwrap();
    private::replace(&at("app1.ferry"), b"secret").unwrap_err();
    let mut names: Vec<_> =
        std::fs::read_dir(place.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["app1.ferry", "app1.new"]);
    assert!(at("app1.ferry/inside").is_dir());
    std::fs::remove_dir_all(at("app1.ferry")).unwrap();
    private::replace(&at("app1.ferry"), b"secret").unwrap();
    private::replace(&at("app1.ferry"), b"another").unwrap();
    assert_eq!(std::fs::read(at("app1.ferry")).unwrap(), b"another");
    assert_eq!(std::fs::read(at("app1.new")).unwrap(), b"of the user", "the name is another file's");
}
