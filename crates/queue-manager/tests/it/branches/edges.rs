//! Branches at the edges of other things: their bounds of time, a thread of work that is not told, the end of
//! the queue manager, a log that is full of them.

use std::time::Duration;

use mqi::branch::{BranchEnd, BranchId, BranchPrepared, BranchRefusal, BranchStart, RollbackCause};
use mqi::{GetFlags, Reason, Wait};
use platform::simulated::Survival;
use queue_manager::{BranchBounds, Settings};

use super::branch;
use crate::support::*;

#[test]
fn a_branch_that_was_open_for_too_long_is_forgotten_also_when_its_connections_ended_before() {
    let bounds = BranchBounds {
        idle: Duration::from_secs(300),
        active: Some(Duration::from_secs(60)),
        ..BranchBounds::default()
    };
    let bench = Bench::with(Settings { branches: bounds, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "in it");
    drop(one);
    bench.pass(Duration::from_secs(61));
    let mut two = bench.connect();
    let timed_out = Err(BranchRefusal::RolledBack(RollbackCause::TimeOut));
    assert_eq!(two.start(&branch(1), BranchStart::Join), timed_out, "its coordinator is told");
    bench.pass(Duration::from_secs(301));
    assert_eq!(two.start(&branch(1), BranchStart::Join), Err(BranchRefusal::Unknown), "forgotten");
}

#[test]
fn a_thread_that_suspended_a_branch_is_told_that_it_is_gone() {
    let bench = super::bench();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    for how in [BranchEnd::Success, BranchEnd::Fail, BranchEnd::Suspend] {
        one.start(&branch(1), BranchStart::New).unwrap();
        one.end(&branch(1), BranchEnd::Suspend).unwrap();
        two.roll_back(&branch(1)).unwrap();
        assert_eq!(one.end(&branch(1), how), Err(BranchRefusal::Unknown), "{how:?}");
    }
    // Another of this identifier is none of its own.
    one.start(&branch(1), BranchStart::New).unwrap();
    one.end(&branch(1), BranchEnd::Suspend).unwrap();
    two.roll_back(&branch(1)).unwrap();
    two.leave_idle(&branch(1), "of another");
    assert_eq!(one.end(&branch(1), BranchEnd::Fail), Err(BranchRefusal::Protocol));
    assert_eq!(two.prepare(&branch(1)), Ok(BranchPrepared::Prepared));
}

#[test]
fn a_stranger_that_ends_a_branch_does_not_learn_that_it_is_there() {
    let bench = super::bench();
    for user in ["eve", "ada"] {
        bench.mqsc(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(CONNECT)"));
        bench.mqsc(&format!("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(PUT)"));
    }
    let (mut eve, mut ada) = (bench.connect_user("eve"), bench.connect_user("ada"));
    ada.leave_idle(&branch(1), "begun");
    ada.leave_idle(&branch(2), "prepared");
    ada.prepare(&branch(2)).unwrap();
    for number in [1, 2] {
        assert_eq!(ada.end(&branch(number), BranchEnd::Success), Err(BranchRefusal::Protocol));
        assert_eq!(eve.end(&branch(number), BranchEnd::Success), Err(BranchRefusal::Unknown));
    }
}

/// As the unit of work of a connection is that ends with the queue manager.
#[test]
fn what_an_idle_branch_got_is_kept_at_an_orderly_end() {
    let bench = super::bench();
    bench.mqsc("DEFINE QLOCAL(HIGH) NPMCLASS(HIGH)");
    let mut one = bench.connect();
    let handle = one.open("HIGH", INPUT | OUTPUT);
    one.put(handle, false, "got in it");
    one.start(&branch(1), BranchStart::New).unwrap();
    assert_eq!(one.get_within(handle).as_deref(), Ok("got in it"));
    one.put_within(handle, false, "put in it");
    one.end(&branch(1), BranchEnd::Success).unwrap();
    bench.manager.close();
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut two = bench.connect();
    let handle = two.open("HIGH", INPUT);
    assert_eq!(two.get(handle).as_deref(), Ok("got in it"));
    assert_eq!(two.get(handle), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_get_that_waits_in_a_branch_which_falls_takes_nothing() {
    let bench = super::bench();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT);
    one.start(&branch(1), BranchStart::New).unwrap();
    let any = mqi::MessageDescriptor::default();
    let token = one.wait(queue, &any, GetFlags::SYNCPOINT, Wait::Unlimited);
    two.start(&branch(1), BranchStart::Join).unwrap();
    two.end(&branch(1), BranchEnd::Fail).unwrap_err();
    two.roll_back(&branch(1)).unwrap_err();
    let other = two.open("Q", INPUT | OUTPUT);
    two.put(other, true, "for another");
    assert_eq!(one.outcome(token), Some(Err(Reason::BACKED_OUT)));
    assert_eq!(two.get(other).as_deref(), Ok("for another"));
    let failed = Err(BranchRefusal::RolledBack(RollbackCause::ByOrder));
    assert_eq!(one.end(&branch(1), BranchEnd::Success), failed);
}

/// A coordinator that never comes keeps neither programs nor channels from the log.
#[test]
fn branches_that_are_prepared_leave_most_of_the_log_to_others() {
    let storage = storage::Settings {
        extent_bytes: 512 << 10,
        primary_extents: 2,
        secondary_extents: 2,
        ..storage::Settings::default()
    };
    let bench = Bench::with(Settings { storage, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for number in 0..600 {
        one.put(queue, true, &format!("{number}"));
        bench.keep_house();
    }
    let mut prepared = 0_u32;
    for number in 0..600_u32 {
        let id = BranchId::new(1, &number.to_be_bytes(), b"").unwrap();
        one.start(&id, BranchStart::New).unwrap();
        if one.get_within(queue).is_err() {
            break;
        }
        one.end(&id, BranchEnd::Success).unwrap();
        match one.prepare(&id) {
            Ok(_) => prepared += 1,
            Err(refusal) => {
                assert_eq!(refusal, BranchRefusal::RolledBack(RollbackCause::NoRoom));
                break;
            }
        }
        bench.keep_house();
    }
    assert!(prepared > 20, "{prepared}");
    bench.keep_house();
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT | OUTPUT);
    for number in 0..100 {
        two.put(queue, true, "goes on");
        two.get(queue).unwrap_or_else(|reason| panic!("{reason} at {number} behind {prepared}"));
        bench.keep_house();
    }
}
