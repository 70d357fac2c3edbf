//! Messages whose time is over.

use std::time::Duration;

use mqi::{Expiry, GetFlags, GetOptions, MessageDescriptor, PutFlags, Reason, Wait};
use platform::simulated::Survival;

use crate::support::*;

fn expiring(tenths: u32, persistent: bool) -> MessageDescriptor {
    MessageDescriptor { expiry: Expiry::tenths(tenths), ..message(persistent) }
}

#[test]
fn an_expired_message_is_not_given_out_and_goes() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.try_put(queue, &expiring(10, persistent), PutFlags::EMPTY, "short").unwrap();
        one.try_put(queue, &expiring(50, persistent), PutFlags::EMPTY, "long").unwrap();
        one.put(queue, persistent, "stays");
        bench.machine.clock.advance(Duration::from_millis(1000));
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        let got = one.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
        assert_eq!((text(&got).as_str(), got.descriptor.expiry), ("long", Expiry::tenths(40)));
        bench.pass(Duration::from_secs(10));
        assert_eq!(bench.depth("Q"), 1, "a message that a unit holds does not expire");
        one.back().unwrap();
        assert_eq!(one.get(queue).as_deref(), Ok("stays"));
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn housekeeping_removes_what_nobody_asks_for() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    for _ in 0..1200 {
        one.try_put(queue, &expiring(5, true), PutFlags::EMPTY, "x").unwrap();
        bench.keep_house();
    }
    let before = bench.manager.memory_used();
    bench.pass(Duration::from_secs(1));
    assert!(bench.manager.memory_used() < before / 100);
    assert_eq!(bench.depth("Q"), 0);
    drop(one);
    assert_eq!(bench.crash(Survival::Nothing).depth("Q"), 0);
}

#[test]
fn expiry_goes_on_over_a_restart() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.try_put(queue, &expiring(100, true), PutFlags::EMPTY, "short").unwrap();
    one.try_put(queue, &expiring(10_000, true), PutFlags::EMPTY, "long").unwrap();
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.depth("Q"), 2);
    bench.pass(Duration::from_secs(11));
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn the_time_of_day_may_step_without_effect() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.try_put(queue, &expiring(10, true), PutFlags::EMPTY, "x").unwrap();
    let clock = &bench.machine.clock;
    let day = 86_400_000_000;
    clock.step_wall(platform::WallTime(platform::Clock::wall(clock).0 + day));
    assert_eq!(bench.depth("Q"), 1);
    clock.step_wall(platform::WallTime(platform::Clock::wall(clock).0 - 2 * day));
    bench.pass(Duration::from_secs(2));
    assert_eq!(bench.depth("Q"), 0);
    let _ = queue;
}
