//! Calls that fail, and disks that fill up.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use platform::simulated::{CrashPolicy, Failure, Fault, Machine, OperationKind, Random, Repeat, Survival};
use platform::{Access, OpenMode};
use storage::Settings;

use crate::support::{Engine, tiny};

/// Puts, gets, forces and checkpoints until something refuses. What was acknowledged, and all that was
/// appended.
fn work(engine: &Engine) -> (BTreeSet<u64>, Vec<BTreeSet<u64>>) {
    let mut acknowledged = engine.visible();
    let mut since = Vec::new();
    for turn in 0..30 {
        if engine.storage.failure().is_some() {
            break;
        }
        let Ok((sequence, _)) = engine.try_put(3000 * (turn % 4 + 1), None) else { continue };
        since.push(engine.visible());
        if turn % 3 == 0 {
            engine.get(sequence, None);
            since.push(engine.visible());
        }
        let durable = engine.force();
        if durable >= engine.storage.appended() {
            acknowledged = engine.visible();
            since.clear();
        }
        if turn % 5 == 4 {
            let _ = engine.checkpoint();
            let _ = engine.storage.prepare();
        }
    }
    (acknowledged, since)
}

#[test]
fn any_call_may_fail_and_nothing_acknowledged_is_lost() {
    for failure in Failure::ALL {
        for repeat in [Repeat::Once, Repeat::Sticky] {
            // Every call for the errors that differ in what they leave; for the others, and for lasting ones,
            // some.
            let thorough =
                repeat == Repeat::Once && [Failure::InputOutput, Failure::NoSpace].contains(&failure);
            for nth in (1..).step_by(if thorough { 1 } else { 7 }) {
                let machine = Machine::new(nth);
                let engine = Engine::create(&machine.world(), &tiny());
                machine.disk.plan(Fault { kind: None, nth, failure, repeat });
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    let (acknowledged, since) = work(&engine);
                    let untouched = machine.disk.failures() == 0;
                    machine.disk.clear_plan();
                    let told = engine.listener.failures.lock().len();
                    assert_eq!(
                        told,
                        usize::from(engine.storage.failure().is_some()),
                        "told once of a failure"
                    );
                    let crashed = machine.disk.image().without_crash();
                    drop(engine);
                    let engine = Engine::open(&Machine::with_disk(crashed, 1).world(), &tiny()).unwrap();
                    let found = engine.visible();
                    assert!(
                        found == acknowledged || since.contains(&found),
                        "{found:?} for {acknowledged:?}"
                    );
                    engine.verify();
                    untouched
                }));
                match outcome {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(_) => panic!("{failure:?} {repeat:?} at call {nth}"),
                }
            }
        }
    }
}

#[test]
fn any_call_of_a_restart_may_fail_and_the_next_one_succeeds() {
    let machine = Machine::new(5);
    let engine = Engine::create(&machine.world(), &tiny());
    let (acknowledged, _) = work(&engine);
    engine.put(1000);
    let image = machine.disk.image();
    drop(engine);
    for failure in Failure::ALL {
        for nth in 1.. {
            let machine = Machine::with_disk(image.without_crash(), nth);
            machine.disk.plan(Fault { kind: None, nth, failure, repeat: Repeat::Once });
            let first = Engine::open(&machine.world(), &tiny()).map(drop);
            let untouched = machine.disk.failures() == 0;
            machine.disk.clear_plan();
            let engine = Engine::open(&machine.world(), &tiny())
                .unwrap_or_else(|error| panic!("{failure:?} at call {nth}: {error} after {first:?}"));
            assert_eq!(engine.visible(), acknowledged, "{failure:?} at call {nth}");
            engine.verify();
            if untouched {
                break;
            }
        }
    }
}

/// The last call of a checkpoint that moved messages to the store, and each that follows: whatever of this a
/// start cannot read, the next one finds what was there. The older of the two manifests may do where the
/// newer cannot be read; then it must not come to count again, since the start removed what it alone names.
#[test]
fn a_start_that_does_with_the_older_manifest_keeps_nobody_from_the_next() {
    let machine = Machine::new(5);
    let engine = Engine::create(&machine.world(), &tiny());
    let mut done_with_the_older = 0;
    for _ in 0..12 {
        for _ in 0..20 {
            engine.put(9000);
            engine.force();
        }
        engine.checkpoint().unwrap();
        engine.storage.prepare().unwrap();
        let visible = engine.visible();
        let image = machine.disk.image();
        for (kind, nth) in [OperationKind::Open, OperationKind::Read]
            .into_iter()
            .flat_map(|kind| (1..8).map(move |nth| (kind, nth)))
        {
            let machine = Machine::with_disk(image.without_crash(), nth);
            let failure = Failure::InputOutput;
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            let Ok(first) = Engine::open(&machine.world(), &tiny()) else { continue };
            machine.disk.clear_plan();
            done_with_the_older += 1;
            assert_eq!(first.visible(), visible, "{kind:?} {nth}");
            drop(first);
            let next = Engine::open(&machine.world(), &tiny())
                .unwrap_or_else(|error| panic!("{kind:?} {nth}: {error}"));
            assert_eq!(next.visible(), visible, "{kind:?} {nth}");
            next.verify();
        }
    }
    assert!(done_with_the_older > 0);
}

#[test]
fn after_a_failed_write_nothing_becomes_durable() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(100);
    let durable = engine.force();
    engine.put(100);
    machine.disk.plan(Fault {
        kind: Some(OperationKind::WriteDurable),
        nth: 1,
        failure: Failure::InputOutput,
        repeat: Repeat::Once,
    });
    assert_eq!(engine.storage.drive().lsn(), durable);
    machine.disk.clear_plan();
    let (_, appended) = engine.put(100);
    assert_eq!(engine.storage.drive().lsn(), durable);
    assert!(appended.need > durable);
    let failure = engine.storage.failure().unwrap().to_string();
    assert!(failure.contains("write of log/0000000000000000.seg at offset"), "{failure}");
    assert_eq!(*engine.listener.failures.lock(), [failure]);
}

/// Where direct writes are refused, a write whose flush failed is in memory of the machine only: the next
/// start sees it, and no flush will ever bring it to the device.
#[test]
fn what_a_restart_saw_outlasts_the_next_power_cut() {
    let log = Path::new("log/0000000000000000.seg");
    for length in [200, 20_000] {
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &tiny());
        engine.put(100);
        engine.force();
        let before = machine.disk.image();
        let (_, put) = engine.put(length);
        let end = engine.force().0 as usize;
        let start = put.at.0 as usize - put.at.0 as usize % 4096;
        let written = machine.disk.content(log).unwrap()[start..end].to_vec();
        drop(engine);

        let mut machine = Machine::with_disk(before.without_crash(), 2);
        let world = machine.world();
        let file = world.disk.open(log, OpenMode::Write, Access::Cached).unwrap();
        file.write_at(&written, start as u64).unwrap();
        for start in 0..3 {
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            assert_eq!(engine.visible().len(), 2 + start);
            engine.put(300);
            engine.force();
            let expected = engine.visible();
            let nothing = CrashPolicy::surviving(Survival::Nothing);
            let crashed = machine.disk.crash(&mut Random::new(1), nothing);
            drop(engine);
            machine = Machine::with_disk(crashed, 3);
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            assert_eq!(engine.visible(), expected);
            engine.verify();
        }
    }
}

/// Lack of file descriptors is no reason to end: what needs a new file is tried again.
#[test]
fn refused_files_end_nothing() {
    for kind in [OperationKind::Open, OperationKind::Rename] {
        for nth in 1..40 {
            let machine = Machine::new(nth);
            let engine = Engine::create(&machine.world(), &tiny());
            let failure = Failure::TooManyFiles;
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            work(&engine);
            assert!(engine.storage.failure().is_none(), "{kind:?} {nth}: {:?}", engine.storage.failure());
            machine.disk.clear_plan();
            engine.storage.prepare().unwrap();
            engine.checkpoint().unwrap();
            let visible = engine.visible();
            drop(engine);
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            assert_eq!(engine.visible(), visible);
            engine.verify();
        }
    }
}

/// A start on a full disk makes nothing that needs room.
#[test]
fn a_full_disk_keeps_nobody_from_starting() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    work(&engine);
    let visible = engine.visible();
    drop(engine);
    machine.disk.set_capacity(Some(machine.disk.files().iter().map(|(_, length)| length).sum()));
    for _ in 0..3 {
        let engine = Engine::open(&machine.world(), &tiny()).unwrap();
        assert_eq!(engine.visible(), visible);
    }
    let crashed = machine.disk.crash(&mut Random::new(1), CrashPolicy::surviving(Survival::Nothing));
    let engine = Engine::open(&Machine::with_disk(crashed, 1).world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
}

#[test]
fn a_full_disk_refuses_puts_lets_gets_go_on_and_heals() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    let used: u64 = machine.disk.files().iter().map(|(_, length)| length).sum();
    machine.disk.set_capacity(Some(used));
    let mut refused = None;
    for _ in 0..1000 {
        if let Err(error) = engine.try_put(4000, None) {
            refused = Some(error.to_string());
            break;
        }
        engine.force();
        engine.storage.checkpoint_due().then(|| engine.checkpoint());
    }
    let refused = refused.expect("a full disk ends puts");
    assert!(refused.contains("recovery log has") || refused.contains("the disk is full"), "{refused}");
    let all = engine.visible();
    for sequence in all.iter().take(5) {
        engine.get(*sequence, None);
        engine.force();
    }
    engine.verify();
    assert!(engine.storage.failure().is_none());
    machine.disk.set_capacity(None);
    engine.storage.prepare().unwrap();
    engine.checkpoint().unwrap();
    for _ in 0..20 {
        engine.put(4000);
    }
    engine.force();
    engine.verify();
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
}

#[test]
fn a_full_disk_is_drained_and_puts_go_on_when_it_has_room() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    let used: u64 = machine.disk.files().iter().map(|(_, length)| length).sum();
    machine.disk.set_capacity(Some(used));
    while engine.try_put(4000, None).is_ok() {
        engine.force();
    }
    for sequence in engine.visible() {
        engine.get(sequence, None);
        engine.force();
        if engine.storage.checkpoint_due() {
            let _ = engine.checkpoint();
        }
    }
    assert!(engine.storage.failure().is_none());
    assert!(engine.visible().is_empty());
    // The log is as short as it can be until the disk has room.
    machine.disk.set_capacity(None);
    engine.storage.prepare().unwrap();
    for _ in 0..20 {
        engine.put(4000);
        engine.force();
    }
}

#[test]
fn slow_calls_are_reported() {
    let machine = Machine::new(1);
    let settings = Settings { slow_io: Some(Duration::from_millis(20)), ..tiny() };
    let engine = Engine::create(&machine.world(), &settings);
    engine.put(10);
    engine.force();
    assert_eq!(engine.listener.slow.load(std::sync::atomic::Ordering::Relaxed), 0);
    machine.disk.set_latency(OperationKind::WriteDurable, Duration::from_millis(30));
    engine.put(10);
    engine.force();
    assert_eq!(engine.listener.slow.load(std::sync::atomic::Ordering::Relaxed), 1);
    let statistics = engine.storage.statistics();
    assert_eq!(
        (statistics.forces, statistics.force_micros_last, statistics.force_micros_max),
        (2, 30_000, 30_000)
    );
}

/// A segment whose name could not be made to last belongs to nobody, and would take its room until the next
/// start.
#[test]
fn what_a_refused_checkpoint_wrote_takes_no_room() {
    // The call after the one that gives it its name, and the one after that.
    for kind in [OperationKind::SyncDirectory, OperationKind::Open] {
        for (nth, failure) in (1..8).flat_map(|nth| [(nth, Failure::Quota), (nth, Failure::InputOutput)]) {
            let machine = Machine::new(nth);
            let engine = Engine::create(&machine.world(), &tiny());
            engine.storage.prepare().unwrap();
            while engine.storage.current_extent().0 < 2 * tiny().extent_bytes {
                engine.put(20_000);
                engine.force();
                let _ = engine.storage.prepare();
            }
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            let outcome = engine.checkpoint();
            assert!(nth > 1 || outcome.is_err() || failure == Failure::Quota, "{kind:?} was refused");
            let is_segment = |path: &Path| {
                path.starts_with("store") && path.extension().is_some_and(|extension| extension == "seg")
            };
            let files = machine.disk.files().iter().filter(|(path, _)| is_segment(path)).count();
            assert_eq!(files as u64, engine.storage.statistics().segments, "{kind:?} {nth} {failure:?}");
        }
    }
}

#[test]
fn a_file_system_that_turned_read_only_is_a_failure_and_no_lack_of_room() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    let (failure, repeat) = (Failure::ReadOnly, Repeat::Sticky);
    machine.disk.plan(Fault { kind: None, nth: 1, failure, repeat });
    assert!(engine.storage.prepare().is_err());
    let failures = engine.listener.failures.lock().clone();
    assert!(failures.len() == 1 && failures[0].to_lowercase().contains("read-only file"), "{failures:?}");
}
