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
