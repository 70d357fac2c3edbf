//! The last block of a log, when only the memory of the machine has it: what a start found and showed stays, however many starts fail
//! and power cuts follow, wherever in its extent the block was.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use platform::simulated::{
    CrashPolicy, DiskImage, Failure, Fault, Machine, OperationKind, Random, Repeat, SimulatedDisk, Survival,
};
use storage::Settings;

use crate::support::{Engine, committed};

const PAGE: u64 = 4096;

fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 3, secondary_extents: 5, ..Settings::default() }
}

/// One start and what follows it.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Which of its durable writes fails at the flush: it says the last block again, if that is needed, then it begins its epoch.
    fails: Option<u64>,
    /// Whether the power is cut then; else the process ends and the machine goes on.
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

/// A log whose last block has so many pages, leaves so many in its extent, and is in the memory of the machine only.
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

/// Goes on until a restart begins after the extent where the last start began, and starts again from each checkpoint on the way. A
/// body of an open unit begins in that extent and is named by a put of the next one.
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

/// What one start showed every later one shows.
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
