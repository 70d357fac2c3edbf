//! Appending, forcing, reading back, starting again.

use platform::World;

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
