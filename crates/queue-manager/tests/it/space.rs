//! A log without room, and a disk that fails.

use mqi::{PutFlags, Reason};
use platform::simulated::{Failure, Fault, OperationKind, Repeat, Survival};
use queue_manager::Settings;

use crate::support::*;

fn small_log() -> Settings {
    Settings {
        storage: storage::Settings { primary_extents: 2, secondary_extents: 0, ..settings().storage },
        ..settings()
    }
}

#[test]
fn without_room_puts_are_refused_and_everything_else_goes_on() {
    let bench = Bench::with(small_log(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "taken in a unit");
    assert!(one.get_within(queue).is_ok());
    let body = "x".repeat(5000);
    let mut kept = 0;
    let refused = loop {
        match one.try_put(queue, &message(true), PutFlags::EMPTY, &body) {
            Ok(_) => kept += 1,
            Err(reason) => break reason,
        }
    };
    assert_eq!(refused, Reason::STORAGE_MEDIUM_FULL);
    assert!(kept > 50, "{kept}");
    one.put(queue, false, "non-persistent messages need no room");
    assert_eq!(one.commit(), Ok(()));
    assert_eq!(one.get(queue), Ok(body.clone()));
    assert!(one.get_within(queue).is_ok());
    assert_eq!(one.back(), Ok(()));
    assert_eq!(bench.depth("Q"), kept);
    // A checkpoint moves messages to the store and makes room: puts go on without a restart.
    bench.keep_house();
    bench.keep_house();
    one.put(queue, true, "again");
    drop(one);
    assert_eq!(bench.crash(Survival::Nothing).depth("Q"), kept);
}

#[test]
fn gets_that_wait_for_no_force_take_only_the_room_they_need() {
    let bench = Bench::with(small_log(), 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "got and put back");
    for _ in 0..2000 {
        assert_eq!(one.get_within(queue).as_deref(), Ok("got and put back"));
        assert_eq!(one.back(), Ok(()));
    }
}

/// A host that does what it is asked for at once, but whose checkpoints take as long as the test says.
#[test]
fn extents_are_made_while_a_checkpoint_takes_long_and_only_gets_fill_the_log() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench.keep_house();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "got and put back");
    let mut slow_checkpoint = None;
    let begin = bench.manager.storage_statistics().forced_bytes;
    while bench.manager.storage_statistics().forced_bytes - begin < 16 << 20 {
        assert_eq!(one.get_within(queue).as_deref(), Ok("got and put back"));
        assert_eq!(one.back(), Ok(()));
        bench.manager.drive();
        bench.manager.tick();
        if slow_checkpoint.is_none() {
            slow_checkpoint = bench.manager.take_job();
        } else {
            bench.run_jobs();
        }
    }
    slow_checkpoint.expect("a checkpoint became due").run();
    bench.keep_house();
    one.put(queue, true, "again");
    assert_eq!(bench.depth("Q"), 2);
}

#[test]
fn after_a_failed_log_write_nothing_more_is_promised() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "promised");
    let fault = Fault {
        kind: Some(OperationKind::WriteDurable),
        nth: 1,
        failure: Failure::InputOutput,
        repeat: Repeat::Once,
    };
    bench.machine.disk.plan(fault);
    let put = one.connection.put(queue, &message(true), &Default::default(), "lost".into());
    bench.manager.drive();
    assert_eq!(bench.host.failures.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert!(put.open(bench.manager.drive()).is_err(), "the gate stays shut");
    let refused = one.connection.put(queue, &message(true), &Default::default(), "no".into());
    assert_eq!(bench.open(refused).unwrap_err(), Reason::Q_MGR_NOT_AVAILABLE);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue).as_deref(), Ok("promised"));
    // Nobody was told what became of the other: it may be there or not.
    let other = one.get(queue);
    assert!(other == Err(Reason::NO_MSG_AVAILABLE) || other.as_deref() == Ok("lost"), "{other:?}");
}
