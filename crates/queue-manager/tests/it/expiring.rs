//! Messages whose time is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mqi::{CloseOptions, Expiry, GetFlags, GetOptions, MessageDescriptor, PutFlags, Reason, Wait};
use platform::simulated::{Machine, SimulatedClock, Survival};
use platform::{Clock, Monotonic, WallTime, World};

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
fn what_has_expired_keeps_no_queue_from_being_deleted() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QMODEL(M) DEFTYPE(PERMDYN)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let made = one.open("M", OUTPUT | INPUT);
    one.try_put(queue, &expiring(5, true), PutFlags::EMPTY, "x").unwrap();
    one.try_put(made, &expiring(5, false), PutFlags::EMPTY, "x").unwrap();
    bench.open(one.connection.close(queue, CloseOptions::EMPTY)).unwrap();
    // No housekeeping comes meanwhile.
    bench.machine.clock.advance(Duration::from_millis(500));
    bench.mqsc("DELETE QLOCAL(Q)");
    assert_eq!(bench.open(one.connection.close(made, CloseOptions::DELETE)), Ok(None));
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
    let before = bench.manager.figures().memory_used();
    bench.pass(Duration::from_secs(1));
    assert!(bench.manager.figures().memory_used() < before / 100);
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
    clock.step_wall(WallTime(Clock::wall(clock).0 + day));
    assert_eq!(bench.depth("Q"), 1);
    clock.step_wall(WallTime(Clock::wall(clock).0 - 2 * day));
    bench.pass(Duration::from_secs(2));
    assert_eq!(bench.depth("Q"), 0);
    let _ = queue;
}

/// A clock by which a put is held up for a second once it has looked at it.
#[derive(Debug)]
struct HoldsUp {
    clock: SimulatedClock,
    /// The next look at the time that has passed, or at the time of day, comes before that second.
    at_now: AtomicBool,
    at_wall: AtomicBool,
}

impl HoldsUp {
    fn after<T>(&self, next: &AtomicBool, time: T) -> T {
        if next.swap(false, Ordering::Relaxed) {
            self.clock.advance(Duration::from_secs(1));
        }
        time
    }

    fn bench() -> (Arc<Self>, Bench) {
        let machine = Machine::new(1);
        let [at_now, at_wall] = [AtomicBool::new(false), AtomicBool::new(false)];
        let clock = Arc::new(Self { clock: machine.clock.clone(), at_now, at_wall });
        let world = World { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..machine.world() };
        (clock, Bench::of((machine, world), settings(), 1))
    }
}

impl Clock for HoldsUp {
    fn now(&self) -> Monotonic {
        self.after(&self.at_now, self.clock.now())
    }

    fn wall(&self) -> WallTime {
        self.after(&self.at_wall, self.clock.wall())
    }
}

#[test]
fn a_put_held_up_until_its_message_has_expired_gives_it_to_nobody() {
    for persistent in [false, true] {
        let (clock, bench) = HoldsUp::bench();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut getter, mut putter) = (bench.connect(), bench.connect());
        let (from, to) = (getter.open("Q", INPUT), putter.open("Q", OUTPUT));
        let token =
            getter.wait(from, &MessageDescriptor::default(), GetFlags::EMPTY, Wait::Milliseconds(5000));
        clock.at_now.store(true, Ordering::Relaxed);
        putter.try_put(to, &expiring(10, persistent), PutFlags::EMPTY, "late").unwrap();
        assert_eq!(getter.outcome(token), None, "its time was over before anyone could have it");
        clock.at_now.store(true, Ordering::Relaxed);
        putter.try_put(to, &expiring(11, persistent), PutFlags::EMPTY, "in time").unwrap();
        assert_eq!(getter.outcome(token), Some(Ok("in time".to_owned())));
        bench.pass(Duration::from_secs(1));
        assert_eq!(bench.depth("Q"), 0);
    }
}

#[test]
fn a_put_held_up_until_there_is_room_finds_it() {
    let (clock, bench) = HoldsUp::bench();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(1)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.try_put(queue, &expiring(10, false), PutFlags::EMPTY, "short").unwrap();
    clock.at_wall.store(true, Ordering::Relaxed);
    one.try_put(queue, &message(false), PutFlags::EMPTY, "stays").unwrap();
    assert_eq!(one.get(queue).as_deref(), Ok("stays"));
}
