//! The age of the oldest message of a queue, over starts.

use std::time::Duration;

use mqi::{MessageDescriptor, OpenOptions, PutFlags, Text};
use platform::simulated::Survival;
use platform::{Clock as _, WallTime};
use queue_manager::{Arrived, Decision, Destinations, Placement, PreparedBranch, PreparedPurpose, PutTarget};

use crate::support::*;

const HOUR: u64 = 3_600;

/// MSGAGE, which is also what the figures show.
fn age(bench: &Bench, queue: &str) -> u64 {
    let told = bench.told(&format!("DISPLAY QSTATUS({queue}) MSGAGE"));
    let (_, rest) = told.split_once("MSGAGE(").unwrap_or_else(|| panic!("{told}"));
    let age = rest.split(')').next().unwrap().parse().unwrap();
    let overview = bench.open(bench.manager.figures().overview());
    let figures = overview.queues.iter().find(|(name, _)| name.as_str() == queue);
    assert_eq!(figures.map(|(_, queue)| queue.oldest_seconds), Some(age), "{queue}");
    age
}

fn pass(bench: &Bench, seconds: u64) {
    bench.machine.clock.advance(Duration::from_secs(seconds));
}

fn put(bench: &Bench, queue: &str, persistent: bool) {
    let mut one = bench.connect();
    let handle = one.open(queue, OUTPUT);
    one.put(handle, persistent, "x");
}

/// Puts a message with this time of its put, as a program does that sets the context.
fn put_with_time(bench: &Bench, queue: &str, date: &str, time: &str) {
    let mut one = bench.connect();
    let handle = one.open(queue, OUTPUT | OpenOptions::SET_ALL_CONTEXT);
    let descriptor = MessageDescriptor {
        put_date: Text::truncated(date),
        put_time: Text::truncated(time),
        ..message(true)
    };
    one.try_put(handle, &descriptor, PutFlags::SET_ALL_CONTEXT, "x").unwrap();
}

/// Fills the log until a checkpoint has moved what was put before.
fn move_to_store(bench: &Bench) {
    bench.mqsc("DEFINE QLOCAL(WORK) REPLACE");
    let mut one = bench.connect();
    let work = one.open("WORK", INPUT | OUTPUT);
    let before = bench.manager.log().statistics().messages_stored;
    for _ in 0..80 {
        one.put(work, true, &"x".repeat(100_000));
        one.get(work).unwrap();
        bench.keep_house();
    }
    assert!(bench.manager.log().statistics().messages_stored > before, "a checkpoint moved messages");
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench
}

/// A crash; the machine is off for so long.
fn crash_for(bench: Bench, seconds: u64) -> Bench {
    pass(&bench, seconds);
    bench.crash(Survival::Nothing)
}

#[test]
fn an_age_goes_on_over_kills_and_orderly_ends_in_the_log_and_in_the_store() {
    for is_orderly in [false, true] {
        for is_in_store in [false, true] {
            let bench = bench();
            put(&bench, "Q", true);
            if is_in_store {
                move_to_store(&bench);
            }
            pass(&bench, 3 * HOUR);
            put(&bench, "Q", true);
            assert_eq!(age(&bench, "Q"), 3 * HOUR);
            if is_orderly {
                bench.manager.close();
            }
            let bench = crash_for(bench, HOUR);
            assert_eq!(age(&bench, "Q"), 4 * HOUR, "orderly {is_orderly}, in the store {is_in_store}");
            pass(&bench, 60);
            assert_eq!(age(&bench, "Q"), 4 * HOUR + 60);
            let bench = crash_for(bench, 0);
            assert_eq!(age(&bench, "Q"), 4 * HOUR + 60, "over a second start");

            let mut one = bench.connect();
            let handle = one.open("Q", INPUT);
            one.get(handle).unwrap();
            assert_eq!(age(&bench, "Q"), HOUR + 60, "that of the message behind it");
            one.get(handle).unwrap();
            assert_eq!(age(&bench, "Q"), 0);
        }
    }
}

#[test]
fn a_segment_that_is_written_anew_keeps_the_times() {
    let bench = bench();
    put(&bench, "Q", true);
    pass(&bench, HOUR);
    let mut one = bench.connect();
    bench.mqsc("DEFINE QLOCAL(MANY)");
    let many = one.open("MANY", INPUT | OUTPUT);
    for _ in 0..20 {
        one.put(many, true, &"x".repeat(20_000));
        bench.keep_house();
    }
    move_to_store(&bench);
    for _ in 0..20 {
        one.get(many).unwrap();
    }
    drop(one);
    move_to_store(&bench);
    let bench = crash_for(crash_for(bench, 10), 10);
    assert_eq!(age(&bench, "Q"), HOUR + 20);
}

#[test]
fn messages_kept_over_an_orderly_end_and_copies_of_publications_keep_their_age() {
    let bench = bench();
    bench.mqsc(
        "DEFINE QLOCAL(KEPT) NPMCLASS(HIGH) DEFINE QLOCAL(COPY) DEFINE QLOCAL(OTHER) \
         DEFINE TOPIC(T) TOPICSTR('t') DEFINE SUB(ONE) TOPICSTR('t') DEST(COPY) DEFINE SUB(TWO) TOPICSTR('t') DEST(OTHER)",
    );
    put(&bench, "KEPT", false);
    let mut one = bench.connect();
    let topic = mqi::ObjectDescriptor::topic("t");
    let publication = message(true);
    let handle = bench.open(one.connection.open(&topic, OUTPUT)).unwrap().handle;
    one.try_put(handle, &publication, PutFlags::EMPTY, "published").unwrap();
    drop(one);
    pass(&bench, HOUR);
    bench.manager.close();
    let bench = crash_for(bench, 60);
    for queue in ["KEPT", "COPY", "OTHER"] {
        assert_eq!(age(&bench, queue), HOUR + 60, "{queue}");
    }
}

#[test]
fn a_unit_of_work_keeps_the_ages_of_its_messages() {
    let bench = bench();
    let mut one = bench.connect();
    let handle = one.open("Q", INPUT | OUTPUT);
    one.put_within(handle, true, "committed");
    pass(&bench, HOUR);
    bench.open(one.connection.commit(None)).unwrap();
    drop(one);
    let mut one = bench.connect();
    let handle = one.open("Q", INPUT | OUTPUT);
    one.get_within(handle).unwrap();
    one.put_within(handle, true, "prepared");
    let branch = PreparedBranch { global: vec![1], ..PreparedBranch::default() };
    let name = bench.open(one.connection.prepare(PreparedPurpose::Branch(branch))).unwrap().unwrap();
    pass(&bench, HOUR);
    let bench = crash_for(bench, 0);
    assert_eq!(age(&bench, "Q"), 0, "what is in doubt is no message to get");
    bench.open(bench.manager.units().settle(name, Decision::BackOut)).unwrap();
    assert_eq!(age(&bench, "Q"), 2 * HOUR);
}

#[test]
fn a_time_that_a_program_set_makes_no_message_of_the_future_and_none_older_than_those_before_it() {
    // The machine's first day is 2026-01-01.
    let in_future = [("20260102", "00000000"), ("20991231", "23595999"), ("99991231", "23595999")];
    let no_time = [
        ("", ""),
        ("20260101", ""),
        ("yesterda", "at noon"),
        ("20261301", "00000000"),
        ("19691231", "00000000"),
    ];
    for (date, time) in in_future.into_iter().chain(no_time) {
        let bench = bench();
        put_with_time(&bench, "Q", date, time);
        pass(&bench, HOUR);
        assert_eq!(age(&bench, "Q"), HOUR, "while it runs the arrival counts");
        let bench = crash_for(bench, 0);
        assert_eq!(age(&bench, "Q"), 0, "{date} {time}: nothing is known but that it was there at the start");
        put(&bench, "Q", true);
        pass(&bench, HOUR);
        let bench = crash_for(bench, 0);
        assert_eq!(age(&bench, "Q"), HOUR, "{date} {time}: as the first whose time is known");
    }
    let bench = bench();
    put(&bench, "Q", true);
    pass(&bench, HOUR);
    put_with_time(&bench, "Q", "20240101", "00000000");
    put_with_time(&bench, "Q", "20991231", "23595999");
    let bench = crash_for(bench, 0);
    let mut one = bench.connect();
    let handle = one.open("Q", INPUT);
    for _ in 0..3 {
        assert_eq!(age(&bench, "Q"), HOUR);
        one.get(handle).unwrap();
    }
    put_with_time(&bench, "Q", "20251231", "00000000");
    let bench = crash_for(bench, 0);
    assert_eq!(age(&bench, "Q"), 25 * HOUR, "the first of a queue has the time that its program set");
}

#[test]
fn a_message_that_came_by_a_channel_has_the_time_of_its_first_put() {
    let bench = bench();
    let mut one = bench.connect();
    let mut to = Destinations::default();
    let descriptor = MessageDescriptor {
        put_date: Text::truncated("20251231"),
        put_time: Text::truncated("23000000"),
        ..message(true)
    };
    let arrived = Arrived {
        queue: "Q".parse().unwrap(),
        queue_manager: "TEST".parse().unwrap(),
        hops: 0,
        descriptor,
        body: "x".into(),
    };
    bench.open(one.connection.arrivals().put(&mut to, &arrived, true)).unwrap();
    one.commit().unwrap();
    drop(one);
    pass(&bench, 60);
    assert_eq!(age(&bench, "Q"), 60, "its time on this queue");
    let bench = crash_for(bench, 0);
    assert_eq!(age(&bench, "Q"), HOUR + 60, "after a start that on its way is a part of it");
}

#[test]
fn a_clock_that_is_set_changes_no_age_while_it_runs_and_makes_none_negative() {
    let bench = bench();
    put(&bench, "Q", true);
    pass(&bench, 2 * HOUR);
    let set = |bench: &Bench, hours: i64| {
        let clock = &bench.machine.clock;
        clock.step_wall(WallTime(clock.wall().0 + hours * 3_600_000_000));
    };
    for hours in [48, -60, 12] {
        set(&bench, hours);
        assert_eq!(age(&bench, "Q"), 2 * HOUR);
    }
    set(&bench, -1);
    let bench = crash_for(bench, 0);
    assert_eq!(age(&bench, "Q"), HOUR, "by the clock of the start");
    set(&bench, 10);
    assert_eq!(age(&bench, "Q"), HOUR);
    put(&bench, "Q", true);
    set(&bench, -10);
    let bench = crash_for(bench, 0);
    let mut one = bench.connect();
    let handle = one.open("Q", INPUT);
    assert_eq!(age(&bench, "Q"), HOUR);
    one.get(handle).unwrap();
    assert_eq!(age(&bench, "Q"), HOUR, "put in the future: no younger than the message before it");
}

#[test]
fn a_message_that_is_delivered_later_ages_from_its_delivery() {
    let bench = bench();
    let mut one = bench.connect();
    let handle = one.open("Q", OUTPUT);
    for seconds in [600, 1_800] {
        let deliver_at = Some(WallTime(bench.machine.clock.wall().0 + seconds * 1_000_000));
        let placement = Placement { unit: None, deliver_at };
        let options = mqi::PutOptions::with(PutFlags::NO_SYNCPOINT);
        let target = PutTarget::Handle(handle);
        let put = one.connection.put_placed(
            target,
            &message(true),
            &options,
            bytes::Bytes::from_static(b"later").into(),
            placement,
        );
        bench.open(put).unwrap();
    }
    drop(one);
    bench.pass(Duration::from_secs(600));
    bench.pass(Duration::from_secs(400));
    assert_eq!(age(&bench, "Q"), 400);
    let bench = crash_for(bench, 100);
    assert_eq!(age(&bench, "Q"), 500);
    let mut one = bench.connect();
    let handle = one.open("Q", INPUT);
    one.get(handle).unwrap();
    bench.pass(Duration::from_secs(700));
    bench.pass(Duration::from_secs(300));
    assert_eq!(age(&bench, "Q"), 300);
}

#[test]
fn a_restored_copy_counts_from_the_puts_and_a_channel_tells_the_time_on_its_queue() {
    let bench = bench();
    bench.mqsc("DEFINE QLOCAL(QM2) USAGE(XMITQ) DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2)");
    put(&bench, "Q", true);
    put(&bench, "R", true);
    pass(&bench, 60);
    bench.manager.close();
    let copy = bench.machine.disk.image().without_crash();
    pass(&bench, 30 * 24 * HOUR);
    let bench = bench.start_on(copy);
    assert_eq!((age(&bench, "Q"), age(&bench, "QM2")), (30 * 24 * HOUR + 60, 30 * 24 * HOUR + 60));
}
