//! The last block of a log, when only the memory of the machine has it: what a start found and showed stays,
//! however many starts fail and power cuts follow, wherever in its extent the block was.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use platform::simulated::{
    CrashPolicy, DiskImage, Failure, Fault, Machine, OperationKind, Random, Repeat, Rot, SimulatedDisk,
    Survival,
};
use storage::Settings;

use crate::support::{Engine, body, committed};

const PAGE: u64 = 4096;

fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 3, secondary_extents: 5, ..Settings::default() }
}

/// One start and what follows it.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// The durable write that fails at the flush: a start restates the last block, if needed, then begins its
    /// epoch.
    fails: Option<u64>,
    /// True if the power is cut then; else the process ends and the machine goes on.
    cut: bool,
}

fn starts() -> impl Iterator<Item = Start> {
    let fails = [None, Some(1), Some(2)].into_iter();
    fails.flat_map(|fails| [false, true].map(|cut| Start { fails, cut }))
}

/// Has the next flush of a durable write fail: readers see the bytes, the medium has some of them.
fn fail_flush(disk: &SimulatedDisk, nth: u64) {
    disk.refuse_direct_writes(true);
    let kind = Some(OperationKind::WriteDurable);
    disk.plan(Fault { kind, nth, failure: Failure::InputOutput, repeat: Repeat::Once });
}

fn after(image: &DiskImage, cut: bool, random: &mut Random) -> SimulatedDisk {
    match cut {
        true => image.crash(random, CrashPolicy::surviving(Survival::Nothing)),
        false => image.restarted(),
    }
}

/// A log whose last block has so many pages, leaves so many in its extent, and is in the memory of the
/// machine only.
fn unflushed_end(pages: u64, left: u64) -> (DiskImage, BTreeSet<u64>) {
    let machine = Machine::new(pages * 10 + left);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    while engine.storage.durable().lsn().0 + (pages + left) * PAGE < tiny().extent_bytes {
        engine.put(3000);
        engine.force();
    }
    let before = engine.visible();
    fail_flush(&machine.disk, 1);
    engine.put(((pages - 1) * PAGE) as usize + 3000);
    engine.storage.drive();
    assert!(engine.storage.failure().is_some());
    (machine.disk.image(), before)
}

/// Goes on until a restart begins after the extent where the last start began, and starts again from each
/// checkpoint on the way. A body of an open unit begins in that extent and is named by a put of the next one.
fn go_on(engine: &Engine, machine: &Machine) {
    let first = engine.storage.current_extent();
    let end = first.0 + tiny().extent_bytes;
    while end - engine.storage.appended().0 > 150_000 {
        engine.put(50_000);
        engine.force();
    }
    let unit = engine.begin();
    engine.try_put(200_000, Some(unit)).unwrap();
    engine.force();
    assert!(engine.storage.current_extent() > first);
    let mut from = engine.storage.log_state().restart_from;
    while from <= first {
        if engine.too_old() {
            engine.back_out(unit);
        }
        let (passing, _) = engine.put(50_000);
        engine.get(passing, None);
        engine.force();
        engine.checkpoint().unwrap();
        let _ = engine.storage.prepare();
        if engine.storage.log_state().restart_from != from {
            from = engine.storage.log_state().restart_from;
            let again = Machine::with_disk(machine.disk.image().without_crash(), 1);
            let again = Engine::open(&again.world(), &tiny())
                .unwrap_or_else(|error| panic!("start from {from}: {error}"));
            assert_eq!(again.visible(), committed(&engine.state.lock()), "start from {from}");
            again.verify();
        }
    }
}

/// So many starts, one after the other, each of which may fail, with or without a power cut after it.
fn start_again_and_again(image: &DiskImage, before: &BTreeSet<u64>, starts: &[Start]) {
    let mut random = Random::new(1);
    let mut disk = image.restarted();
    let mut shown: Option<BTreeSet<u64>> = None;
    for start in starts {
        let machine = Machine::with_disk(disk, 1);
        machine.disk.refuse_direct_writes(true);
        if let Some(nth) = start.fails {
            fail_flush(&machine.disk, nth);
        }
        match Engine::open(&machine.world(), &tiny()) {
            Ok(engine) => shown = Some(check_shown(&engine, before, shown)),
            Err(error) => assert!(start.fails.is_some() && machine.disk.failures() > 0, "{error}"),
        }
        disk = after(&machine.disk.image(), start.cut, &mut random);
    }
    let machine = Machine::with_disk(disk, 1);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap_or_else(|error| panic!("{error}"));
    check_shown(&engine, before, shown);
    go_on(&engine, &machine);
}

/// Checks that a later start shows all that an earlier one showed.
fn check_shown(engine: &Engine, before: &BTreeSet<u64>, shown: Option<BTreeSet<u64>>) -> BTreeSet<u64> {
    let found = engine.visible();
    match shown {
        Some(shown) => assert_eq!(found, shown),
        None => assert!(found.is_superset(before)),
    }
    engine.verify();
    found
}

/// Tries each sequence of starts that begins with `earlier` and goes on with so many more.
fn try_all(image: &DiskImage, before: &BTreeSet<u64>, earlier: &[Start], more: usize) {
    if more == 0 {
        let outcome = catch_unwind(AssertUnwindSafe(|| start_again_and_again(image, before, earlier)));
        assert!(outcome.is_ok(), "{earlier:?}");
        return;
    }
    for start in starts() {
        try_all(image, before, &[earlier, &[start]].concat(), more - 1);
    }
}

#[test]
fn what_a_start_found_in_memory_outlasts_starts_that_fail_and_power_cuts() {
    for (pages, left) in [(1, 0), (3, 2), (3, 7)] {
        let (image, before) = unflushed_end(pages, left);
        try_all(&image, &before, &[], 2);
    }
}

/// The same at length: `cargo test --release -p storage -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn no_sequence_of_failing_starts_and_power_cuts_takes_what_one_of_them_showed() {
    for (pages, left) in [(1, 0), (1, 1), (1, 2), (3, 0), (3, 2), (3, 3), (3, 7)] {
        let (image, before) = unflushed_end(pages, left);
        try_all(&image, &before, &[], 3);
    }
}

/// Where each block of the log begins that a start wrote to begin its epoch (1) or to say another one again
/// (2), with how many pages it has.
fn written_by_starts(disk: &SimulatedDisk, flag: u8) -> Vec<(PathBuf, u64, u64)> {
    let mut found = Vec::new();
    for (path, _) in
        disk.files().into_iter().filter(|(path, _)| path.extension().is_some_and(|of| of == "seg"))
    {
        let content = disk.content(&path).unwrap();
        for (page, bytes) in content.chunks(PAGE as usize).enumerate() {
            if bytes.starts_with(b"FBLK") && bytes[56] == flag {
                let used = u32::from_le_bytes(bytes[32..36].try_into().unwrap());
                found.push((path.clone(), page as u64, (64 + u64::from(used)).div_ceil(PAGE)));
            }
        }
    }
    found
}

/// A restated block is in its first place, too: any one page of either may be lost while others are left.
#[test]
fn what_was_said_again_may_be_lost_in_one_of_its_places() {
    let mut lost = 0;
    for (pages, left) in [(1, 0), (1, 1), (1, 3), (3, 0), (3, 4), (3, 7)] {
        for (fails, places) in [(None, 1), (Some(1), 2)] {
            let (image, _) = unflushed_end(pages, left);
            let mut disk = image.restarted();
            if fails.is_some() {
                let machine = Machine::with_disk(disk, 1);
                fail_flush(&machine.disk, 1);
                assert!(Engine::open(&machine.world(), &tiny()).is_err());
                disk = machine.disk.image().restarted();
            }
            let machine = Machine::with_disk(disk, 1);
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            engine.put(3000);
            engine.force();
            let visible = engine.visible();
            drop(engine);
            let image = machine.disk.image();
            let said_again = written_by_starts(&machine.disk, 2);
            assert_eq!(said_again.len(), places, "{said_again:?}");
            for (path, first, length) in said_again {
                assert_eq!(length, pages);
                for page in first..first + length {
                    for rot in [Rot::Unreadable(page), Rot::FlipBit(page * PAGE * 8 + 100)] {
                        let machine = Machine::with_disk(image.restarted(), 1);
                        assert!(machine.disk.rot(&path, rot));
                        let what = format!("{rot:?} of {}, {pages} pages, {left} left", path.display());
                        let engine = Engine::open(&machine.world(), &tiny());
                        let engine = engine.unwrap_or_else(|error| panic!("{what}: {error}"));
                        assert_eq!(engine.visible(), visible, "{what}");
                        engine.verify();
                        go_on(&engine, &machine);
                        lost += 1;
                    }
                }
            }
        }
    }
    assert_eq!(lost, 2 * 3 * (1 + 3) * 3);
}

/// It stands for a block that is gone, so what is lost of it is damage, unless it is nothing: what counts as
/// zeros was zeros.
#[test]
fn what_stands_for_a_lost_block_is_missed_only_where_something_was_written() {
    let mut outcomes = [0, 0];
    for (before, length) in (0..256).flat_map(|before| (7_970..8_000).map(move |length| (before, length))) {
        if body(before + 1, length).last() != Some(&0) {
            continue;
        }
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &tiny());
        for _ in 0..before {
            engine.put(10);
        }
        engine.force();
        let earlier = engine.visible();
        fail_flush(&machine.disk, 1);
        engine.put(length);
        engine.storage.drive();
        drop(engine);
        let machine = Machine::with_disk(machine.disk.image().restarted(), 1);
        let engine = Engine::open(&machine.world(), &tiny()).unwrap();
        let visible = engine.visible();
        assert_eq!(visible.len(), earlier.len() + 1);
        drop(engine);
        // The first place was in memory only, and so is gone; the other one is on the disk.
        let image = machine.disk.image();
        let nothing = CrashPolicy::surviving(Survival::Nothing);
        let cut = |seed| Machine::with_disk(image.crash(&mut Random::new(seed), nothing), 1);
        let (path, first, pages) = written_by_starts(&cut(1).disk, 2).pop().unwrap();
        let last = (first + pages - 1) * PAGE;
        let content = cut(1).disk.content(&path).unwrap();
        if content[last as usize..].iter().take(PAGE as usize).any(|byte| *byte != 0) {
            continue;
        }
        for page in first..first + pages {
            let machine = cut(1);
            assert!(machine.disk.rot(&path, Rot::Unreadable(page)));
            let opened = Engine::open(&machine.world(), &tiny());
            if page * PAGE == last {
                let engine = opened.unwrap_or_else(|error| panic!("{before} before {length}: {error}"));
                // Who gets the message hears that it cannot be read.
                assert_eq!(engine.visible(), visible);
                outcomes[0] += 1;
            } else {
                let refused = opened.err().expect("a message is missing").to_string();
                assert!(refused.contains("says that the log was durable"), "{refused}");
                outcomes[1] += 1;
            }
        }
    }
    assert!(outcomes[0] > 0 && outcomes[1] > 0, "{outcomes:?}");
}
