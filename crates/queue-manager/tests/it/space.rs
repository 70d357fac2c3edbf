//! A log without room, and a disk that fails.

use std::time::Duration;

use mqi::{GetFlags, MessageDescriptor, ObjectHandle, PutFlags, Reason, ReportOptions, Wait};
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

#[test]
fn a_get_that_finds_no_room_waits_for_the_checkpoint() {
    let bench = Bench::with(small_log(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(PLAIN)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "got and put back");
    let token = get_and_back_out_until_no_room(&bench, &mut one, queue);
    // What needs no record goes on meanwhile.
    let plain = two.open("PLAIN", INPUT | OUTPUT);
    two.put(plain, false, "plain");
    assert_eq!(two.get(plain).as_deref(), Ok("plain"));
    assert_eq!(one.outcome(token), None);
    bench.keep_house();
    assert_eq!(one.outcome(token), Some(Ok("got and put back".to_owned())));
    assert_eq!(one.commit(), Ok(()));
    assert_eq!(bench.crash(Survival::Nothing).depth("Q"), 0);
}

#[test]
fn a_unit_of_work_that_keeps_the_log_is_backed_out_before_gets_stop() {
    let bench = Bench::with(small_log(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(OLD)");
    let (mut one, mut old) = (bench.connect(), bench.connect());
    let held = old.open("OLD", INPUT | OUTPUT);
    let queue = one.open("Q", INPUT | OUTPUT);
    // Late in the first extent, so that it is not old when the second one is full.
    fill_by_gets(&bench, &mut one, queue, 900 << 10);
    old.put(held, true, "held");
    assert!(old.get_within(held).is_ok());
    let token = get_and_back_out_until_no_room(&bench, &mut one, queue);
    bench.keep_house();
    bench.keep_house();
    assert_eq!(one.outcome(token), Some(Ok("got and put back".to_owned())));
    assert_eq!(old.commit(), Err(Reason::BACKED_OUT));
    assert_eq!(bench.depth("OLD"), 1);
}

#[test]
fn a_get_for_which_no_room_can_be_made_is_refused_in_the_end() {
    let bench = Bench::with(small_log(), 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "got and put back");
    let token = get_and_back_out_until_no_room(&bench, &mut one, queue);
    for _ in 0..60 {
        bench.pass(Duration::from_millis(100));
    }
    assert_eq!(one.outcome(token), Some(Err(Reason::RESOURCE_PROBLEM)));
    // Jobs run again.
    bench.run_jobs();
    assert_eq!(one.get(queue).as_deref(), Ok("got and put back"));
}

#[test]
fn a_put_is_refused_that_leaves_no_room_for_the_copy_that_must_be_of_its_report() {
    let body = "x".repeat(1_300_000);
    for filler in 0..60 {
        // What is kept back for gets is less than the report takes.
        let storage = storage::Settings { primary_extents: 8, ..small_log().storage };
        let bench = Bench::with(Settings { storage, ..small_log() }, 1);
        bench.keep_house();
        bench.mqsc(
            "DEFINE QLOCAL(Q) MAXDEPTH(1000) DEFINE QLOCAL(COPIES) \
             DEFINE QLOCAL(REPLIES) STREAMQ(COPIES) STRMQOS(MUSTDUP)",
        );
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        for _ in 0..filler {
            one.put(queue, true, &body[..100_000]);
            bench.run_jobs();
        }
        let asking = MessageDescriptor {
            report: ReportOptions::COA_WITH_FULL_DATA,
            reply_to_queue: "REPLIES".parse().unwrap(),
            ..message(true)
        };
        if let Err(reason) = one.try_put(queue, &asking, PutFlags::SYNCPOINT, &body) {
            assert_eq!(reason, Reason::STORAGE_MEDIUM_FULL);
            assert!(filler > 0);
            return;
        }
        one.commit().unwrap();
        assert_eq!((bench.depth("REPLIES"), bench.depth("COPIES")), (1, 1), "after {filler}");
    }
    panic!("the log has room without end");
}

#[test]
fn a_commit_has_room_for_the_trigger_messages_of_its_puts_in_a_full_log() {
    for stream in ["", "STREAMQ(COPIES) STRMQOS(MUSTDUP)"] {
        let bench = Bench::with(small_log(), 1);
        bench.mqsc(&format!("DEFINE QLOCAL(COPIES) DEFINE QLOCAL(STARTS) DEFPSIST(YES) {stream}"));
        bench.mqsc("DEFINE PROCESS(CLERK) DEFINE QLOCAL(Q)");
        bench.mqsc("DEFINE QLOCAL(ORDERS) TRIGGER TRIGTYPE(EVERY) INITQ(STARTS) PROCESS(CLERK)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        two.open("STARTS", INPUT);
        let orders = one.open("ORDERS", OUTPUT);
        let queue = two.open("Q", INPUT | OUTPUT);
        two.put(queue, true, "got and put back");
        (0..30).for_each(|_| drop(one.put_within(orders, true, "x")));
        get_and_back_out_until_no_room(&bench, &mut two, queue);
        one.commit().unwrap();
        assert_eq!(bench.depth("STARTS"), 30);
        assert_eq!(bench.depth("COPIES"), if stream.is_empty() { 0 } else { 30 });
    }
}

/// A log that no timer looks after.
fn log_without_timer() -> Settings {
    let storage = storage::Settings { primary_extents: 4, secondary_extents: 4, ..settings().storage };
    Settings { storage, checkpoint_interval: Duration::from_secs(86_400), ..settings() }
}

/// Puts and gets, each forced alone, while a unit of work of `holder` keeps the log, until a put is refused.
fn fill_until_puts_are_refused(bench: &Bench, holder: &mut Session, held: ObjectHandle) {
    let mut filler = bench.connect();
    let queue = filler.open("Q", INPUT | OUTPUT);
    let body = "x".repeat(4000);
    for round in 0..3000 {
        if round == 65 {
            holder.put_within(held, true, "held");
        }
        if let Err(reason) = filler.try_put(queue, &message(true), PutFlags::EMPTY, &body) {
            assert_eq!(reason, Reason::STORAGE_MEDIUM_FULL);
            return;
        }
        assert_eq!(filler.get(queue).as_ref(), Ok(&body));
        bench.run_jobs();
    }
    panic!("the log has room without end");
}

#[test]
fn puts_go_on_within_a_second_of_the_end_of_the_unit_that_kept_the_log() {
    for commits in [true, false] {
        let bench = Bench::with(log_without_timer(), 1);
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(HELD)");
        let mut holder = bench.connect();
        let held = holder.open("HELD", OUTPUT);
        fill_until_puts_are_refused(&bench, &mut holder, held);
        assert_eq!(if commits { holder.commit() } else { holder.back() }, Ok(()));
        keep_house_for_most_of_a_second(&bench);
        holder.put(held, true, "again");
        assert_eq!(bench.depth("HELD"), if commits { 2 } else { 1 });
        assert_eq!(times_told(&bench, "FRY7469W"), 0, "no unit was backed out");
    }
}

#[test]
fn definitions_go_on_within_a_second_of_the_end_of_the_unit_that_kept_the_log() {
    let bench = Bench::with(log_without_timer(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(HELD)");
    let mut holder = bench.connect();
    let held = holder.open("HELD", OUTPUT);
    fill_until_puts_are_refused(&bench, &mut holder, held);
    assert!(bench.refused("DEFINE QLOCAL(NEW)").contains("2192"));
    assert_eq!(holder.back(), Ok(()));
    keep_house_for_most_of_a_second(&bench);
    bench.mqsc("DEFINE QLOCAL(NEW)");
}

#[test]
fn the_unit_that_keeps_the_log_is_backed_out_when_puts_are_refused_and_told_of_once() {
    let log = log_without_timer();
    let storage = storage::Settings { primary_extents: 2, secondary_extents: 2, ..log.storage };
    let bench = Bench::with(Settings { storage, ..log }, 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(HELD)");
    let (mut holder, mut other) = (bench.connect(), bench.connect());
    let held = holder.open("HELD", OUTPUT);
    // Not so old that it is backed out for its age.
    fill_until_puts_are_refused(&bench, &mut holder, held);
    let queue = other.open("Q", OUTPUT);
    assert_eq!(times_told(&bench, "FRY7482W"), 0);
    bench.pass(Duration::from_millis(100));
    assert_eq!(times_told(&bench, "FRY7469W"), 0, "it has time to end by itself");
    keep_house_for_most_of_a_second(&bench);
    other.put(queue, true, "again");
    assert_eq!(holder.commit(), Err(Reason::BACKED_OUT));
    assert_eq!((times_told(&bench, "FRY7482W"), times_told(&bench, "FRY7469W")), (1, 1));
}

#[test]
fn a_put_that_no_log_could_hold_has_no_unit_backed_out() {
    let bench = Bench::with(log_without_timer(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) MAXMSGL(104857600) DEFINE QLOCAL(HELD) ALTER QMGR MAXMSGL(104857600)");
    let (mut holder, mut other) = (bench.connect(), bench.connect());
    let held = holder.open("HELD", OUTPUT);
    let queue = other.open("Q", INPUT | OUTPUT);
    holder.put_within(held, true, "held");
    for _ in 0..200 {
        other.put(queue, true, &"x".repeat(4000));
        assert!(other.get(queue).is_ok());
        bench.run_jobs();
    }
    let refused = other.try_put(queue, &message(true), PutFlags::EMPTY, &"x".repeat(9 << 20));
    assert_eq!(refused.unwrap_err(), Reason::STORAGE_MEDIUM_FULL);
    keep_house_for_most_of_a_second(&bench);
    assert_eq!(holder.commit(), Ok(()));
}

fn keep_house_for_most_of_a_second(bench: &Bench) {
    for _ in 0..9 {
        bench.pass(Duration::from_millis(100));
        bench.run_jobs();
    }
}

fn times_told(bench: &Bench, event: &str) -> usize {
    bench.host.events.lock().iter().filter(|told| told.starts_with(event)).count()
}

fn fill_by_gets(bench: &Bench, session: &mut Session, queue: ObjectHandle, bytes: u64) {
    session.put(queue, true, "got and put back");
    let begin = bench.manager.log().statistics().forced_bytes;
    while bench.manager.log().statistics().forced_bytes - begin < bytes {
        assert!(session.get_within(queue).is_ok());
        assert_eq!(session.back(), Ok(()));
        bench.manager.drive();
    }
}

/// Gets and backs out, each forced alone, until a get waits although its message is there.
fn get_and_back_out_until_no_room(bench: &Bench, session: &mut Session, queue: ObjectHandle) -> u64 {
    for _ in 0..2000 {
        match session.try_get(queue, GetFlags::SYNCPOINT) {
            Err(token) => return token,
            Ok(got) => assert!(got.is_ok()),
        }
        bench.manager.drive();
        assert_eq!(session.back(), Ok(()));
        bench.manager.drive();
    }
    panic!("the log has room without end");
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
    let begin = bench.manager.log().statistics().forced_bytes;
    while bench.manager.log().statistics().forced_bytes - begin < 16 << 20 {
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

#[test]
fn a_restart_with_a_full_log_makes_room_before_anybody_is_let_in() {
    let bench = Bench::with(small_log(), 1);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let body = "x".repeat(5000);
    let mut kept = 0;
    while one.try_put(queue, &message(true), PutFlags::EMPTY, &body).is_ok() {
        kept += 1;
    }
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    bench.mqsc("DEFINE QLOCAL(NEW)");
    assert!(!bench.manager.log().paces());
    assert_eq!(bench.depth("Q"), kept);
}

#[test]
fn gets_that_wait_or_found_nothing_leave_the_log_to_putters() {
    const GETTERS: usize = 1_000;
    let eight_mib = storage::Settings { primary_extents: 8, secondary_extents: 0, ..settings().storage };
    // Messages that are put before one is refused.
    let put_beside = |getters: usize, flags: GetFlags, wait: Wait| {
        let connections_max = GETTERS as u32 + 10;
        let bench = Bench::with(Settings { connections_max, storage: eight_mib.clone(), ..settings() }, 1);
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(OTHER)");
        let mut getters: Vec<_> = (0..getters).map(|_| bench.connect()).collect();
        for getter in &mut getters {
            let queue = getter.open("Q", INPUT);
            if wait == Wait::No {
                assert_eq!(getter.get_flags(queue, flags), Err(Reason::NO_MSG_AVAILABLE));
            } else {
                getter.wait(queue, &MessageDescriptor::default(), flags, wait);
            }
        }
        bench.run_jobs();
        let mut putter = bench.connect();
        let other = putter.open("OTHER", OUTPUT);
        let body = "x".repeat(4_000);
        let puts = (0..4_000).map(|_| putter.try_put(other, &message(true), PutFlags::NO_SYNCPOINT, &body));
        puts.take_while(Result::is_ok).count()
    };
    for flags in [GetFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT, GetFlags::SYNCPOINT_IF_PERSISTENT] {
        for wait in [Wait::Unlimited, Wait::Milliseconds(60_000), Wait::No] {
            let [alone, beside] = [0, GETTERS].map(|getters| put_beside(getters, flags, wait));
            assert!(alone > 100 && alone < 4_000, "{alone}");
            assert!(beside * 10 >= alone * 9, "{flags:?} {wait:?}: {beside} puts, and {alone} alone");
        }
    }
}
