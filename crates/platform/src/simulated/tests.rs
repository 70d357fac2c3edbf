use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::{Access, AlignedBuffer, BLOCK_ALIGNMENT, Clock, Disk, Entropy, File, OpenMode};

const PAGE: u64 = BLOCK_ALIGNMENT as u64;

fn disk() -> SimulatedDisk {
    SimulatedDisk::new(1)
}

fn create(disk: &SimulatedDisk, path: &str) -> Arc<dyn File> {
    disk.open(Path::new(path), OpenMode::CreateNew, Access::Durable).unwrap()
}

fn block(byte: u8) -> AlignedBuffer {
    let mut block = AlignedBuffer::zeroed(BLOCK_ALIGNMENT);
    block.as_mut_slice().fill(byte);
    block
}

/// A file of two stable pages of ones under a stable name.
fn stable_file(disk: &SimulatedDisk, path: &str) -> Arc<dyn File> {
    let file = create(disk, path);
    file.write_at(&vec![1; 2 * BLOCK_ALIGNMENT], 0).unwrap();
    file.sync().unwrap();
    disk.sync_directory(Path::new("")).unwrap();
    file
}

fn crash(disk: &SimulatedDisk, survival: Survival) -> SimulatedDisk {
    disk.crash(&mut Random::new(5), CrashPolicy::surviving(survival))
}

/// The first byte of each sector.
fn sectors(disk: &SimulatedDisk, path: &str) -> Vec<u8> {
    disk.content(Path::new(path)).unwrap().iter().step_by(SECTOR_BYTES).copied().collect()
}

#[test]
fn readers_see_a_write_at_once_and_a_crash_may_lose_it() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    file.write_at(&[2; 700], 300).unwrap();
    let mut seen = [0; 1100];
    file.read_exact_at(&mut seen, 0).unwrap();
    assert_eq!((seen[299], seen[300], seen[999], seen[1000]), (1, 2, 2, 1));
    assert_eq!(crash(&disk, Survival::Nothing).content(Path::new("log")).unwrap(), vec![1; 8192]);
    assert_eq!(crash(&disk, Survival::Everything).content(Path::new("log")).unwrap()[..1100], seen);

    file.sync().unwrap();
    assert_eq!(crash(&disk, Survival::Nothing).content(Path::new("log")).unwrap()[..1100], seen);
}

#[test]
fn every_subset_of_the_sectors_of_a_torn_write_occurs() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    file.write_at(&[2; 3 * SECTOR_BYTES], 0).unwrap();
    let image = disk.image();
    assert_eq!(image.units(), 3);
    let mut random = Random::new(1);
    let found: BTreeSet<Vec<u8>> = (0..8)
        .map(|index| {
            sectors(&image.crash(&mut random, CrashPolicy::surviving(Survival::Index(index))), "log")
        })
        .map(|sectors| sectors[..4].to_vec())
        .collect();
    assert_eq!(found.len(), 8);
    assert!(found.contains(&vec![2, 1, 2, 1]) && found.iter().all(|sectors| sectors[3] == 1));
}

#[test]
fn a_durable_write_is_stable_on_return_and_torn_before() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    disk.keep_images(Images::Every);
    file.write_durable(&block(7), BLOCK_ALIGNMENT, PAGE).unwrap();
    assert_eq!(sectors(&crash(&disk, Survival::Nothing), "log"), [[1; 8], [7; 8]].concat());

    let images = disk.take_images();
    assert_eq!(images.len(), 1);
    assert_eq!(images[0].0, disk.boundaries());
    let torn = images[0].1.crash(&mut Random::new(1), CrashPolicy::surviving(Survival::Index(0b0110)));
    assert_eq!(sectors(&torn, "log")[8..], [1, 7, 7, 1, 1, 1, 1, 1]);
}

#[test]
fn an_older_write_does_not_come_back_over_a_durable_one() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    file.write_at(&[3; 6000], 1000).unwrap();
    file.write_durable(&block(7), BLOCK_ALIGNMENT, 0).unwrap();
    for survival in [Survival::Nothing, Survival::Everything, Survival::Each { percent: 50 }] {
        assert_eq!(sectors(&crash(&disk, survival), "log")[..8], [7; 8], "{survival:?}");
    }
    assert_eq!(crash(&disk, Survival::Everything).content(Path::new("log")).unwrap()[6999], 3);
}

#[test]
fn a_durable_write_never_extends_the_file() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    let refused = file.write_durable(&block(7), BLOCK_ALIGNMENT, 2 * PAGE).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::InvalidInput);
}

#[test]
fn lengths_survive_in_order_and_bytes_beyond_them_are_gone() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    file.write_at(&[2; 512], 2 * PAGE).unwrap();
    file.set_length(512).unwrap();
    for (index, expected) in [
        (0b000, vec![1; 16]),
        (0b001, [vec![1; 16], vec![0]].concat()),
        (0b010, vec![1; 16]),
        (0b011, [vec![1; 16], vec![2]].concat()),
        (0b100, vec![1; 16]),
        (0b111, vec![1]),
    ] {
        assert_eq!(sectors(&crash(&disk, Survival::Index(index)), "log"), expected, "{index:b}");
    }
}

#[test]
fn names_last_after_their_directory_was_flushed() {
    let disk = disk();
    disk.create_directory(Path::new("store/deep")).unwrap();
    let file = create(&disk, "store/deep/one");
    file.sync().unwrap();
    assert!(crash(&disk, Survival::Nothing).files().is_empty());
    disk.sync_directory(Path::new("store/deep")).unwrap();
    assert!(crash(&disk, Survival::Nothing).files().is_empty(), "the directory itself is not stable yet");
    disk.sync_directory(Path::new("store")).unwrap();
    disk.sync_directory(Path::new("")).unwrap();
    assert_eq!(crash(&disk, Survival::Nothing).list(Path::new("store/deep")).unwrap(), ["one"]);

    disk.remove(Path::new("store/deep/one")).unwrap();
    assert_eq!(disk.list(Path::new("store/deep")).unwrap(), [""; 0]);
    assert_eq!(crash(&disk, Survival::Nothing).list(Path::new("store/deep")).unwrap(), ["one"]);
}

#[test]
fn a_rename_happens_wholly_or_not_at_all() {
    let disk = disk();
    stable_file(&disk, "current");
    let new = create(&disk, "new");
    new.write_at(&[2; 512], 0).unwrap();
    new.sync().unwrap();
    disk.rename(Path::new("new"), Path::new("current")).unwrap();
    for index in 0..4 {
        let found = crash(&disk, Survival::Index(index));
        let expected = if index & 0b10 == 0 { 8192 } else { 512 };
        assert_eq!(found.content(Path::new("current")).unwrap().len(), expected, "{index:b}");
        let leftover = found.content(Path::new("new"));
        assert!(index != 0b01 || leftover.is_some());
        assert!(index & 0b10 == 0 || leftover.is_none());
    }
    disk.sync_directory(Path::new("")).unwrap();
    assert_eq!(crash(&disk, Survival::Nothing).content(Path::new("current")).unwrap().len(), 512);
}

#[test]
fn one_sector_may_come_out_damaged() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    file.write_at(&[2; 8 * SECTOR_BYTES], 0).unwrap();
    let mut random = Random::new(3);
    for damage in [Damage::Garbage, Damage::Unreadable] {
        let policy = CrashPolicy { survival: Survival::Everything, damage: Some(damage) };
        let found = disk.crash(&mut random, policy);
        let content = found.content(Path::new("log")).unwrap();
        let whole = content[..4096].chunks(512).filter(|sector| sector.iter().all(|byte| *byte == 2)).count();
        assert_eq!(whole, 7);
        let read = found.open(Path::new("log"), OpenMode::Write, Access::Cached).unwrap();
        assert_eq!(read.read_exact_at(&mut [0; 4096], 0).is_ok(), damage == Damage::Garbage);
        read.write_at(&[5; 4096], 0).unwrap();
        read.read_exact_at(&mut [0; 4096], 0).unwrap();
    }
}

#[test]
fn after_the_power_failed_every_call_says_so() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    let boundary = disk.boundaries() + 2;
    disk.crash_at(boundary);
    file.write_at(&[2; 512], 0).unwrap();
    for error in [
        file.sync().unwrap_err(),
        file.sync().unwrap_err(),
        file.read_exact_at(&mut [0], 0).unwrap_err(),
        disk.list(Path::new("")).unwrap_err(),
        disk.bytes_free().unwrap_err(),
    ] {
        assert!(SimulatedDisk::is_power_loss(&error), "{error}");
    }
    assert!(disk.has_lost_power());
    let found = crash(&disk, Survival::Each { percent: 50 });
    found.lock(Path::new("lock")).unwrap();
    assert_eq!(sectors(&found, "log").len(), 16);
}

#[test]
fn the_nth_call_of_a_kind_fails_once_or_from_then_on() {
    for (repeat, expected) in [(Repeat::Once, [true, false, true]), (Repeat::Sticky, [true, false, false])] {
        let disk = disk();
        let file = stable_file(&disk, "log");
        let kind = Some(OperationKind::Write);
        disk.plan(Fault { kind, nth: 2, failure: Failure::NoSpace, repeat });
        let done: Vec<bool> = (0..3)
            .map(|_| {
                file.sync().unwrap();
                let result = file.write_at(&[2; 512], 0);
                assert!(result.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::StorageFull));
                result.is_ok()
            })
            .collect();
        assert_eq!(done, expected);
        disk.clear_plan();
        file.write_at(&[2; 512], 0).unwrap();
        assert_eq!(disk.failures(), expected.iter().filter(|done| !**done).count() as u64);
    }
}

#[test]
fn after_a_failed_flush_a_second_one_makes_nothing_stable() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    disk.plan(Fault {
        kind: Some(OperationKind::Sync),
        nth: 1,
        failure: Failure::InputOutput,
        repeat: Repeat::Once,
    });
    file.write_at(&vec![2; BLOCK_ALIGNMENT], 0).unwrap();
    file.sync().unwrap_err();
    file.sync().unwrap();
    let mut seen = [0; BLOCK_ALIGNMENT];
    file.read_exact_at(&mut seen, 0).unwrap();
    assert_eq!(seen, [2; BLOCK_ALIGNMENT]);
    let found = sectors(&crash(&disk, Survival::Everything), "log");
    assert!(found[..8].contains(&1) && found[..8].contains(&2), "{found:?}");
}

#[test]
fn a_program_started_again_reads_what_a_failed_flush_did_not_make_stable() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    disk.plan(Fault {
        kind: Some(OperationKind::Sync),
        nth: 1,
        failure: Failure::InputOutput,
        repeat: Repeat::Once,
    });
    file.write_at(&vec![2; BLOCK_ALIGNMENT], 0).unwrap();
    file.sync().unwrap_err();
    let next = disk.image().restarted();
    assert_eq!(sectors(&next, "log")[..8], [2; 8]);
    let reopened = next.open(Path::new("log"), OpenMode::Write, Access::Cached).unwrap();
    reopened.sync().unwrap();
    assert_ne!(sectors(&crash(&next, Survival::Everything), "log")[..8], [2; 8]);
    reopened.write_at(&vec![2; BLOCK_ALIGNMENT], 0).unwrap();
    reopened.sync().unwrap();
    assert_eq!(sectors(&crash(&next, Survival::Nothing), "log")[..8], [2; 8]);
}

#[test]
fn without_direct_writes_readers_see_a_durable_write_whose_flush_failed() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    disk.refuse_direct_writes(true);
    let kind = Some(OperationKind::WriteDurable);
    disk.plan(Fault { kind, nth: 1, failure: Failure::InputOutput, repeat: Repeat::Once });
    file.write_durable(&block(7), BLOCK_ALIGNMENT, 0).unwrap_err();
    assert_eq!(sectors(&disk.image().restarted(), "log")[..8], [7; 8]);
    let found = sectors(&crash(&disk, Survival::Everything), "log");
    assert!(found[..8].contains(&1) && found[..8].contains(&7), "{found:?}");
}

#[test]
fn a_short_write_leaves_its_first_half() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    for kind in [OperationKind::Write, OperationKind::WriteDurable] {
        disk.plan(Fault { kind: Some(kind), nth: 1, failure: Failure::Short, repeat: Repeat::Once });
    }
    file.write_at(&[2; 1024], 0).unwrap_err();
    file.write_durable(&block(3), BLOCK_ALIGNMENT, PAGE).unwrap_err();
    assert_eq!(sectors(&disk, "log"), [2, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 1, 1, 1, 1]);
}

#[test]
fn a_full_disk_refuses_growth_until_there_is_room() {
    let disk = disk();
    disk.set_capacity(Some(3 * PAGE));
    let file = stable_file(&disk, "log");
    assert_eq!(disk.bytes_free().unwrap(), PAGE);
    let other = create(&disk, "other");
    assert_eq!(other.write_at(&[1; 5000], 0).unwrap_err().kind(), ErrorKind::StorageFull);
    file.write_at(&[2; 8192], 0).unwrap();
    disk.set_capacity(Some(4 * PAGE));
    other.write_at(&[1; 5000], 0).unwrap();
    drop(other);
    disk.remove(Path::new("other")).unwrap();
    assert_eq!(disk.bytes_free().unwrap(), 2 * PAGE);
}

#[test]
fn a_lying_disk_loses_what_it_said_was_stable() {
    let disk = disk();
    let file = stable_file(&disk, "log");
    disk.lie_about_flushes(true);
    file.write_durable(&block(7), BLOCK_ALIGNMENT, 0).unwrap();
    file.sync().unwrap();
    assert_eq!(sectors(&crash(&disk, Survival::Nothing), "log"), [1; 16]);
}

#[test]
fn slow_calls_move_the_clock() {
    let machine = Machine::new(1);
    let before = (machine.clock.now(), machine.clock.wall());
    let file = stable_file(&machine.disk, "log");
    machine.disk.set_latency(OperationKind::Sync, Duration::from_millis(7));
    file.sync().unwrap();
    assert_eq!(machine.clock.now().since(before.0), Duration::from_millis(7));
    assert_eq!(machine.clock.wall().0 - before.1.0, 7000);
    machine.clock.step_wall(crate::WallTime(0));
    assert_eq!(machine.clock.now().since(before.0), Duration::from_millis(7));
}

#[test]
fn a_file_rots_in_every_way() {
    let path = Path::new("log");
    let grown = || {
        let disk = disk();
        disk.keep_versions();
        let file = stable_file(&disk, "log");
        file.write_durable(&block(7), BLOCK_ALIGNMENT, PAGE).unwrap();
        disk
    };
    for (rot, expected) in [
        (Rot::FlipBit(8 * 512 + 1), [[1, 3, 1, 1, 1, 1, 1, 1], [7; 8]].concat()),
        (Rot::ZeroBlock(1), [[1; 8], [0; 8]].concat()),
        (Rot::SwapBlocks(0, 1), [[7; 8], [1; 8]].concat()),
        (Rot::Misdirect(1, 0), vec![7; 16]),
        (Rot::OldBlock { block: 1, back: 1 }, vec![1; 16]),
        (Rot::RollBack { back: 1 }, vec![1; 16]),
        (Rot::Truncate(PAGE), vec![1; 8]),
    ] {
        let disk = grown();
        assert!(disk.rot(path, rot), "{rot:?}");
        assert_eq!(sectors(&disk, "log"), expected, "{rot:?}");
        assert_eq!(sectors(&crash(&disk, Survival::Nothing), "log"), expected, "{rot:?}");
    }
    for rot in [Rot::FlipBit(1 << 40), Rot::ZeroBlock(9), Rot::Truncate(8192), Rot::RollBack { back: 9 }] {
        assert!(!grown().rot(path, rot), "{rot:?}");
    }
    let disk = grown();
    assert!(disk.rot(path, Rot::Unreadable(1)) && !disk.rot(path, Rot::Unreadable(2)));
    let file = disk.open(path, OpenMode::Write, Access::Durable).unwrap();
    let mut byte = [0];
    assert!(file.read_exact_at(&mut byte, PAGE - 1).is_ok() && file.read_exact_at(&mut byte, PAGE).is_err());
    file.write_durable(&block(8), BLOCK_ALIGNMENT, PAGE).unwrap();
    assert!(file.read_exact_at(&mut byte, PAGE).is_ok() && byte == [8]);
}

#[test]
fn one_holder_at_a_time_has_the_lock() {
    let disk = disk();
    let held = disk.lock(Path::new("lock")).unwrap();
    assert_eq!(disk.lock(Path::new("lock")).unwrap_err().kind(), ErrorKind::WouldBlock);
    drop(held);
    disk.lock(Path::new("lock")).unwrap();
}

#[test]
fn the_same_seed_gives_the_same_trace_and_the_same_crashes() {
    let run = |seed: u64| {
        let machine = Machine::new(seed);
        machine.disk.keep_operations();
        let file = stable_file(&machine.disk, "log");
        for step in 0..20 {
            let mut bytes = [0; 700];
            machine.entropy.fill(&mut bytes);
            file.write_at(&bytes, step * 300).unwrap();
        }
        let mut random = Random::stream(seed, "crash");
        let policy = CrashPolicy::random(&mut random);
        let found = machine.disk.crash(&mut random, policy);
        (machine.disk.trace_digest(), machine.disk.operations().len(), found.content(Path::new("log")))
    };
    assert_eq!(run(9), run(9));
    assert_ne!(run(9).0, run(10).0);
    assert_eq!(run(9).1, 24);
}

#[test]
fn programs_use_it_through_the_same_doors_as_the_machine() {
    let machine = Machine::new(3);
    let world = machine.world();
    world.disk.create_directory(Path::new("a/b")).unwrap();
    let absent = world.disk.open(Path::new("a/x"), OpenMode::Read, Access::Cached).unwrap_err();
    assert_eq!(absent.kind(), ErrorKind::NotFound);
    assert!(absent.to_string().contains("a/x"), "{absent}");
    assert_eq!(
        world.disk.open(Path::new("c/x"), OpenMode::CreateNew, Access::Cached).unwrap_err().kind(),
        ErrorKind::NotFound
    );
    assert_eq!(world.disk.list(Path::new("a")).unwrap(), ["b"]);
    world.disk.open(Path::new("a/b/f"), OpenMode::Truncate, Access::Cached).unwrap();
    let read_only = world.disk.open(Path::new("a/b/f"), OpenMode::Read, Access::Cached).unwrap();
    assert_eq!(read_only.write_at(b"x", 0).unwrap_err().kind(), ErrorKind::PermissionDenied);
    assert_eq!(read_only.read_exact_at(&mut [0], 0).unwrap_err().kind(), ErrorKind::UnexpectedEof);
}
