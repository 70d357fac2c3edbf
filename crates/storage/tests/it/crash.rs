//! Power cut anywhere: what is found is what some moment between the last acknowledgement and the crash
//! looked like.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use platform::simulated::{
    CrashPolicy, DiskImage, Failure, Fault, Images, Machine, Operation, OperationKind, Random, Repeat,
    SimulatedDisk, Survival,
};
use storage::{LogKind, OpenError, Settings, Storage, UnitId};

use crate::support::{Engine, Journal};

/// States of the queue, one after each change, and when they came about.
#[derive(Default)]
struct History {
    /// Boundaries begun when the change was appended, and the committed messages after it.
    states: Vec<(u64, BTreeSet<u64>)>,
    /// Boundaries begun when it was known that so many changes are durable.
    acknowledged: Vec<(u64, usize)>,
}

fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 3, secondary_extents: 3, ..Settings::default() }
}

/// One life: so many random changes.
fn live(engine: &Engine, disk: &SimulatedDisk, random: &mut Random, changes: usize, history: &mut History) {
    let mut open: Vec<UnitId> = Vec::new();
    let journal = Journal { disk: disk.clone(), random: Random::new(random.next_u64()), states: Vec::new() };
    *engine.journal.lock() = Some(journal);
    let states = || engine.journal.lock().as_ref().map_or(0, |journal| journal.states.len());
    for _ in 0..changes {
        if engine.storage.failure().is_some() {
            break;
        }
        let length = *random.pick(&[0, 100, 4000, 20_000, 60_000]);
        let unit = (!open.is_empty() && random.percent(40)).then(|| *random.pick(&open));
        let length = if random.percent(3) { 70_000 } else { length };
        let gettable: Vec<u64> = engine.gettable();
        match random.below(10) {
            0..4 => drop(engine.try_put(length, unit)),
            4..7 if !gettable.is_empty() => {
                engine.get(*random.pick(&gettable), unit);
            }
            7 if open.len() < 3 => open.push(engine.begin()),
            8 if !open.is_empty() => {
                let ended = open.swap_remove(random.index(open.len()));
                engine.commit(ended);
            }
            9 if random.percent(15) => drop(engine.storage.advance_log()),
            _ => {}
        }
        if random.percent(30) {
            let known = states();
            engine.force();
            if engine.storage.failure().is_none() {
                history.acknowledged.push((disk.boundaries(), known));
            }
        }
        if engine.too_old() {
            open.drain(..).for_each(|unit| engine.back_out(unit));
        }
        if (engine.storage.checkpoint_due() && random.percent(70)) || random.percent(2) {
            let _ = engine.checkpoint();
        }
        if engine.storage.prepare_due() && random.percent(50) {
            let _ = engine.storage.prepare();
        }
    }
    history.states = engine.journal.lock().take().map(|journal| journal.states).unwrap_or_default();
}

/// Restarts the disk, and checks that it shows one of the allowed states and reads back each message of it.
fn check(disk: SimulatedDisk, seed: u64, settings: &Settings, history: &History, boundary: u64) -> Engine {
    let machine = Machine::with_disk(disk, seed);
    let engine = Engine::open(&machine.world(), settings).unwrap_or_else(|error| panic!("open: {error}"));
    let found = engine.visible();
    let acknowledged = history
        .acknowledged
        .iter()
        .filter(|(at, _)| *at < boundary)
        .map(|(_, known)| *known)
        .max()
        .unwrap_or(0);
    let appended = history.states.iter().filter(|(at, _)| *at < boundary).count();
    let empty = BTreeSet::new();
    let before = acknowledged.checked_sub(1).map_or(&empty, |last| &history.states[last].1);
    let possible = history.states[acknowledged..appended].iter().map(|(_, state)| state);
    assert!(
        std::iter::once(before).chain(possible).any(|state| *state == found),
        "found {found:?}, acknowledged {before:?}, {} changes after it",
        appended - acknowledged,
    );
    engine.verify();
    engine
}

/// Length of one life, and the number of its moments that are looked at.
#[derive(Clone, Copy, Debug)]
struct Length {
    changes: usize,
    images: usize,
    /// The boundary after which it becomes interesting.
    after: u64,
}

/// Most boundaries after a moment that still count as soon.
const SOON: u64 = 60;

fn torture(seed: u64, settings: &Settings, changes: usize, images: usize) {
    let machine = Machine::new(seed);
    let engine = Engine::create(&machine.world(), settings);
    torment(&engine, &machine.disk, seed, settings, Length { changes, images, after: 0 });
}

/// Lets an engine live, and cuts the power at some of its moments, each in some way.
fn torment(engine: &Engine, disk: &SimulatedDisk, seed: u64, settings: &Settings, length: Length) {
    let mut random = Random::new(seed);
    disk.keep_images(Images::Every);
    let mut history = History::default();
    history.acknowledged.push((disk.boundaries(), 0));
    live(engine, disk, &mut random, length.changes, &mut history);
    let mut taken = disk.take_images();
    random.shuffle(&mut taken);
    // Every other one from soon after, if there are as many.
    let (soon, others): (Vec<_>, Vec<_>) =
        taken.into_iter().partition(|(boundary, _)| (length.after..length.after + SOON).contains(boundary));
    let soon_wanted = length.images.div_ceil(2);
    let taken = soon.into_iter().take(soon_wanted).chain(others);
    for (boundary, image) in taken.take(length.images) {
        let policy = match random.percent(30) {
            true => CrashPolicy::surviving(Survival::Nothing),
            false => CrashPolicy::random(&mut random),
        };
        let crashed = image.crash(&mut random, policy);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let engine = check(crashed, seed, settings, &history, boundary);
            // What was found goes on to live.
            for _ in 0..3 {
                engine.put(3000);
            }
            engine.force();
            engine.checkpoint().unwrap();
            engine.verify();
        }));
        assert!(outcome.is_ok(), "seed {seed} boundary {boundary} {policy:?}");
    }
}

#[test]
fn any_power_cut_leaves_a_state_that_was() {
    for seed in 0..10 {
        torture(seed, &tiny(), 150, 30);
    }
}

/// Not at some moments but within every call, and all that no flush made last is gone: a flush that is missed
/// is seen, of a new extent, of one used again, of a segment and of the manifest alike.
#[test]
fn a_power_cut_within_any_call_takes_nothing_that_was_acknowledged() {
    for kind in [LogKind::Circular, LogKind::Linear] {
        let settings = Settings { kind, ..tiny() };
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &settings);
        machine.disk.keep_images(Images::Every);
        let mut history = History::default();
        history.acknowledged.push((machine.disk.boundaries(), 0));
        live(&engine, &machine.disk, &mut Random::new(1), 400, &mut history);
        for (boundary, image) in machine.disk.take_images() {
            let crashed = image.crash(&mut Random::new(boundary), CrashPolicy::surviving(Survival::Nothing));
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                drop(check(crashed, boundary, &settings, &history, boundary));
            }));
            assert!(outcome.is_ok(), "{kind:?}: cut within call {boundary}");
        }
    }
}

/// An administrator who makes it again after that is not told that it exists and may not start.
#[test]
fn a_power_cut_while_a_queue_manager_is_made_leaves_it_whole_or_none() {
    let machine = Machine::new(1);
    machine.disk.keep_images(Images::Every);
    Storage::create(&machine.world(), &tiny()).unwrap();
    let mut random = Random::new(1);
    let (mut whole, mut none) = (0, 0);
    for (boundary, image) in machine.disk.take_images() {
        for _ in 0..40 {
            let policy = CrashPolicy::random(&mut random);
            let machine = Machine::with_disk(image.crash(&mut random, policy), boundary);
            let engine = match Engine::open(&machine.world(), &tiny()) {
                Ok(engine) => engine,
                Err(OpenError::Absent { .. }) => {
                    none += 1;
                    Engine::create(&machine.world(), &tiny())
                }
                Err(error) => panic!("cut within call {boundary}, {policy:?}: {error}"),
            };
            whole += 1;
            engine.put(1000);
            engine.force();
        }
    }
    assert!(none > 20 && whole > none + 20, "{none} of {whole}");
}

/// The same at length: `cargo test --release -p storage -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn no_power_cut_of_many_leaves_a_state_that_never_was() {
    for seed in 1000..1500 {
        torture(seed, &tiny(), 250, 50);
    }
}

#[test]
fn a_linear_log_survives_as_well() {
    let settings = Settings { kind: LogKind::Linear, ..tiny() };
    for seed in 100..104 {
        torture(seed, &settings, 120, 20);
    }
}

/// Purpose of a call: its kind, the file without its number, and true if it is at the head of the file.
type Purpose = (OperationKind, String, bool);

fn purpose_of(operation: &Operation) -> Purpose {
    let path = operation.path.to_string_lossy();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = path.split(['/', '.']).find(|part| !part.is_empty() && is_number(part));
    let name = number.map_or_else(|| path.clone().into_owned(), |number| path.replace(number, "#"));
    (operation.kind, name, operation.offset == 0)
}

/// Length of one life, and the number of its moments that are looked at.
const LIFE: Length = Length { changes: 250, images: 10, after: 0 };

/// Calls after which something counts as durable.
const FLUSHES: [OperationKind; 3] =
    [OperationKind::WriteDurable, OperationKind::Sync, OperationKind::SyncDirectory];

/// For each purpose of a call, which calls of its kind have it, counted from 1, and at which boundary.
fn purposes(seed: u64) -> BTreeMap<Purpose, Vec<(u64, u64)>> {
    use OperationKind::{Open, Remove, Rename, SetLength, Sync, SyncDirectory, Write, WriteDurable};
    let machine = Machine::new(seed);
    let engine = Engine::create(&machine.world(), &tiny());
    machine.disk.keep_operations();
    live(&engine, &machine.disk, &mut Random::new(seed), LIFE.changes, &mut History::default());
    let mut counts: BTreeMap<OperationKind, u64> = BTreeMap::new();
    let mut purposes: BTreeMap<Purpose, Vec<(u64, u64)>> = BTreeMap::new();
    for operation in machine.disk.operations() {
        if [Open, Remove, Rename, SetLength, Sync, SyncDirectory, Write, WriteDurable]
            .contains(&operation.kind)
        {
            let count = counts.entry(operation.kind).or_default();
            *count += 1;
            purposes.entry(purpose_of(&operation)).or_default().push((*count, operation.boundary));
        }
    }
    purposes
}

/// A device that refused one call goes on as if nothing had been: a flush after one that failed says nothing
/// of what that one was for. Either the engine ends with it, or what needed it is not relied on, or is
/// written anew.
#[test]
fn no_power_cut_after_a_call_that_failed_takes_what_was_acknowledged() {
    let seed = 7;
    let purposes = purposes(seed);
    for (kind, name) in [
        (OperationKind::WriteDurable, "log/#.seg"),
        (OperationKind::Sync, "log/unfinished.tmp"),
        (OperationKind::Sync, "store/unfinished.tmp"),
        (OperationKind::Sync, "store/unfinished-spare.tmp"),
        (OperationKind::Sync, "manifest.#"),
        (OperationKind::SyncDirectory, "log"),
        (OperationKind::SyncDirectory, "store"),
    ] {
        assert!(purposes.keys().any(|(found, path, _)| (*found, &**path) == (kind, name)), "{kind:?} {name}");
    }
    for (purpose, calls) in purposes {
        let many = if FLUSHES.contains(&purpose.0) { 8 } else { 3 };
        let some: BTreeSet<_> =
            (0..many).map(|place| calls[place * (calls.len() - 1) / (many - 1)]).collect();
        for (nth, after) in some {
            let machine = Machine::new(seed);
            machine.disk.refuse_direct_writes(nth % 2 == 0);
            let engine = Engine::create(&machine.world(), &tiny());
            let failure = if nth % 3 == 0 { Failure::Short } else { Failure::InputOutput };
            machine.disk.plan(Fault { kind: Some(purpose.0), nth, failure, repeat: Repeat::Once });
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                torment(&engine, &machine.disk, seed, &tiny(), Length { after, ..LIFE })
            }));
            assert!(outcome.is_ok() && machine.disk.failures() == 1, "call {nth}, {purpose:?}");
        }
    }
}

/// Recovery killed at each of its own writes, over and over, ends where an undisturbed one does.
#[test]
fn recovery_may_be_killed_anywhere() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let machine = Machine::new(seed);
        let engine = Engine::create(&machine.world(), &tiny());
        let mut history = History::default();
        live(&engine, &machine.disk, &mut random, 60, &mut history);
        for _ in 0..5 {
            engine.put(3000);
        }
        engine.storage.drive();
        let image = machine.disk.image();
        for policy in 0..4 {
            let policy_kind = CrashPolicy::random(&mut random);
            let mut disk = image.crash(&mut random, policy_kind);
            let undisturbed = {
                let again = disk.image().without_crash();
                Engine::open(&Machine::with_disk(again, seed).world(), &tiny()).unwrap().visible()
            };
            for kill in 1..6 {
                let machine = Machine::with_disk(disk.image().without_crash(), seed + policy);
                machine.disk.crash_at(machine.disk.boundaries() + kill);
                let survived = Engine::open(&machine.world(), &tiny()).is_ok();
                let policy = CrashPolicy::random(&mut random);
                disk = machine.disk.crash(&mut random, policy);
                if survived {
                    break;
                }
            }
            let engine = Engine::open(&Machine::with_disk(disk, seed).world(), &tiny()).unwrap();
            assert_eq!(engine.visible(), undisturbed, "seed {seed} {policy_kind:?}");
            engine.verify();
        }
    }
}

/// Goes round the log, with a checkpoint now and then, until something fails.
fn go_round(engine: &Engine) {
    for turn in 0..40 {
        let Ok((sequence, _)) = engine.try_put(50_000, None) else { return };
        if turn % 4 != 0 {
            engine.get(sequence, None);
        }
        engine.force();
        if turn % 8 == 7 {
            let _ = engine.checkpoint();
            let _ = engine.storage.prepare();
        }
    }
}

/// The process ends and the machine goes on. The next process takes what it finds for granted: it removes
/// files, uses extents again and acknowledges messages. Then the power is cut, in peace or within a
/// checkpoint.
fn end_then_cut(image: &DiskImage, seed: u64) {
    let nothing = CrashPolicy::surviving(Survival::Nothing);
    for cut_within in [None, Some(1 + seed % 9)] {
        let machine = Machine::with_disk(image.restarted(), seed);
        let engine = Engine::open(&machine.world(), &tiny()).expect("after the end of the process");
        engine.storage.prepare().unwrap();
        let begun = engine.storage.current_extent();
        while engine.storage.current_extent() == begun {
            engine.put(50_000);
        }
        engine.force();
        if let Some(call) = cut_within {
            machine.disk.crash_at(machine.disk.boundaries() + call);
            let _ = engine.checkpoint();
        }
        let expected = engine.visible();
        let crashed = machine.disk.crash(&mut Random::new(seed), nothing);
        let engine = Engine::open(&Machine::with_disk(crashed, seed).world(), &tiny())
            .unwrap_or_else(|error| panic!("after the power cut ({cut_within:?}): {error}"));
        assert_eq!(engine.visible(), expected);
        engine.verify();
    }
}

#[test]
fn what_a_killed_process_left_in_memory_outlasts_the_next_power_cut() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    machine.disk.keep_images(Images::Every);
    go_round(&engine);
    for (boundary, image) in machine.disk.take_images() {
        let outcome = catch_unwind(AssertUnwindSafe(|| end_then_cut(&image, boundary)));
        assert!(outcome.is_ok(), "killed within call {boundary}");
    }
}

#[test]
fn what_a_failed_flush_left_in_memory_outlasts_the_next_power_cut() {
    for nth in 1.. {
        let machine = Machine::new(nth);
        let engine = Engine::create(&machine.world(), &tiny());
        let (kind, failure) = (Some(OperationKind::Sync), Failure::InputOutput);
        machine.disk.plan(Fault { kind, nth, failure, repeat: Repeat::Once });
        go_round(&engine);
        if machine.disk.failures() == 0 {
            break;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| end_then_cut(&machine.disk.image(), nth)));
        assert!(outcome.is_ok(), "flush {nth} failed");
    }
}
