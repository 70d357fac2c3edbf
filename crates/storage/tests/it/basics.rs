//! Appending, forcing, reading back, starting again.

use platform::World;
use platform::simulated::Machine;
use storage::{LogKind, Lsn, Settings};

use crate::support::{Engine, small};

#[test]
fn what_was_durable_is_there_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let world = World::of_machine(directory.path().join("qm"));
    let engine = Engine::create(&world, &small());
    for length in [0, 10, 2048, 65_536, 65_537, 300_000] {
        engine.put(length);
    }
    let unit = engine.begin();
    engine.get(1, Some(unit));
    engine.try_put(100, Some(unit)).unwrap();
    engine.commit(unit);
    let open = engine.begin();
    engine.get(2, Some(open));
    engine.try_put(100, Some(open)).unwrap();
    engine.force();
    engine.verify();
    drop(engine);

    for start in 2..6 {
        let engine = Engine::open(&world, &small()).unwrap();
        assert_eq!(engine.storage.epoch(), start);
        assert_eq!(engine.visible().into_iter().collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
        engine.verify();
    }
}

#[test]
fn a_busy_log_wraps_and_deep_messages_outlive_it() {
    let directory = tempfile::tempdir().unwrap();
    let world = World::of_machine(directory.path().join("qm"));
    let mut engine = Engine::create(&world, &small());
    let mut deep = Vec::new();
    for round in 0..12 {
        for turn in 0..500 {
            let (sequence, _) = engine.put(2000);
            if turn % 50 == 0 {
                deep.push(sequence);
            } else {
                engine.get(sequence, None);
            }
            if turn % 10 == 0 {
                engine.storage.drive();
                engine.housekeeping();
            }
        }
        engine.force();
        engine.verify();
        if round % 3 == 0 {
            drop(engine);
            engine = Engine::open(&world, &small()).unwrap();
            engine.verify();
        }
        assert_eq!(engine.visible().into_iter().collect::<Vec<_>>(), deep);
    }
    let statistics = engine.storage.statistics();
    assert!(statistics.checkpoints > 2, "{statistics:?}");
    assert!(statistics.extents <= 5, "{statistics:?}");
}

/// The pieces of a large body may lie in an extent before the put of the unit that names them.
#[test]
fn a_checkpoint_keeps_bodies_of_open_units() {
    let directory = tempfile::tempdir().unwrap();
    let world = World::of_machine(directory.path().join("qm"));
    let engine = Engine::create(&world, &small());
    engine.put(30_000);
    let unit = engine.begin();
    let (sequence, put) = engine.try_put(1_100_000, Some(unit)).unwrap();
    assert!(put.at.0 > 1 << 20, "the put is in the second extent");
    engine.force();
    for _ in 0..40 {
        let (other, _) = engine.put(60_000);
        engine.get(other, None);
        engine.force();
        if engine.storage.prepare_due() {
            let _ = engine.storage.prepare();
        }
    }
    engine.checkpoint().unwrap();
    engine.commit(unit);
    engine.force();
    engine.verify();
    assert!(engine.storage.durable().lsn() > put.need);
    drop(engine);
    let engine = Engine::open(&world, &small()).unwrap();
    assert!(engine.visible().contains(&sequence));
    engine.verify();
}

/// Readers and putters at work while checkpoints give extents away: nobody ever reads a wrong byte.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test is the host")]
fn reads_race_checkpoints_safely() {
    let directory = tempfile::tempdir().unwrap();
    let world = World::of_machine(directory.path().join("qm"));
    let engine = Engine::create(&world, &small());
    engine.storage.prepare().unwrap();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let messages = engine.state.lock().messages.clone();
                    for (sequence, kept) in messages {
                        engine.verify_found(sequence, kept.location);
                    }
                }
            });
        }
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                engine.housekeeping();
                std::thread::yield_now();
            }
        });
        for turn in 0..4000 {
            if let Ok((sequence, _)) = engine.try_put(1500, None)
                && turn % 40 != 0
            {
                engine.get(sequence, None);
            }
            engine.storage.drive();
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    engine.force();
    engine.verify();
    let visible = engine.visible();
    assert!(engine.storage.statistics().checkpoints > 2);
    drop(engine);
    let engine = Engine::open(&world, &small()).unwrap();
    assert_eq!(engine.visible(), visible);
    engine.verify();
}

#[test]
fn a_log_that_goes_round_makes_no_more_extents() {
    let machine = Machine::new(1);
    let settings = Settings {
        extent_bytes: 4 << 20,
        block_bytes_max: 64 << 10,
        primary_extents: 4,
        secondary_extents: 4,
        ..Settings::default()
    };
    let engine = Engine::create(&machine.world(), &settings);
    engine.storage.prepare().unwrap();
    let use_log = |turns| {
        for turn in 0..turns {
            let (sequence, _) = engine.put(20_000);
            engine.get(sequence, None);
            engine.force();
            if engine.storage.prepare_due() {
                engine.storage.prepare().unwrap();
            }
            // The log goes on while a checkpoint that is due is taken.
            if turn % 50 == 0 {
                engine.housekeeping();
            }
        }
        engine.storage.statistics().checkpoints
    };
    let checkpoints = use_log(1_000);
    machine.disk.keep_operations();
    assert!(use_log(2_000) > checkpoints + 5);
    let made = machine
        .disk
        .operations()
        .into_iter()
        .filter(|operation| operation.path.ends_with("log/unfinished.tmp"));
    assert_eq!(made.count(), 0, "each costs as much as what is logged in it");
    let logs = machine.disk.files().into_iter().filter(|(path, _)| path.starts_with("log"));
    assert!(logs.count() <= 6, "others are removed");
}

/// The files of the log that end before a position, and what is in them.
fn log_before(machine: &Machine, position: Lsn) -> Vec<(String, Vec<u8>)> {
    let files = machine.disk.files().into_iter().map(|(path, _)| path);
    let before = files.filter(|path| {
        path.starts_with("log") && *path.to_string_lossy() < *format!("log/{:016x}", position.0)
    });
    before.map(|path| (path.display().to_string(), machine.disk.content(&path).unwrap())).collect()
}

#[test]
fn nothing_is_written_to_an_extent_that_the_log_was_told_to_leave() {
    let machine = Machine::new(1);
    let settings = Settings { kind: LogKind::Linear, ..small() };
    let mut engine = Engine::create(&machine.world(), &settings);
    for round in 0..12 {
        engine.put(3_000);
        engine.housekeeping();
        let begins = engine.storage.advance_log().unwrap();
        assert_eq!(engine.storage.advance_log().unwrap(), begins, "nothing is in it yet");
        let (_, appended) = engine.put(100);
        assert!(appended.at > begins, "{round}");
        engine.force();
        let left = log_before(&machine, begins);
        engine.put(70_000);
        engine.force();
        drop(engine);
        engine = Engine::open(&machine.world(), &settings).unwrap();
        engine.put(100);
        engine.force();
        assert!(log_before(&machine, begins) == left, "round {round}");
        engine.verify();
    }
    assert_eq!(engine.visible().len(), 12 * 4);
}

#[test]
fn the_log_is_not_advanced_beyond_what_is_kept_back() {
    let machine = Machine::new(1);
    let settings = Settings { kind: LogKind::Linear, ..small() };
    let engine = Engine::create(&machine.world(), &settings);
    engine.put(100);
    engine.housekeeping();
    let mut advanced = 0;
    while engine.storage.advance_log().is_ok() {
        engine.put(100);
        engine.force();
        advanced += 1;
        assert!(advanced < 10, "nobody makes extents");
    }
    let before = engine.visible();
    engine.get(*before.first().unwrap(), None);
    engine.force();
    engine.housekeeping();
    engine.storage.advance_log().unwrap();
    engine.put(100);
    engine.force();
    engine.verify();
}

/// Messages that were moved from the log, and again from a segment.
#[test]
fn a_segment_keeps_the_time_of_each_put() {
    let machine = Machine::new(1);
    let mut engine = Engine::create(&machine.world(), &small());
    for _ in 0..2 {
        for _ in 0..600 {
            engine.put(6_000);
            engine.force();
            // Most of a segment goes, and the rest moves to another.
            let gettable = engine.gettable();
            if gettable.len() > 200 {
                engine.get(gettable[gettable.len() / 2], None);
            }
            engine.housekeeping();
        }
        engine.force();
        drop(engine);
        engine = Engine::open(&machine.world(), &small()).unwrap();
        assert!(engine.put_seconds.len() > 50, "{}", engine.put_seconds.len());
        for (sequence, found) in &engine.put_seconds {
            assert_eq!(found.map(std::num::NonZeroU32::get), Some(*sequence as u32 + 1));
        }
    }
}
