//! The state that a crash leaves.

use std::collections::BTreeSet;
use std::time::Duration;

use mqi::{GetFlags, GetOptions, MessageDescriptor, Reason, Wait};
use platform::simulated::Survival;

use crate::support::*;

#[test]
fn persistent_messages_survive_and_others_do_not() {
    for checkpoint in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        for (persistent, body) in [(true, "a"), (false, "b"), (true, "c"), (true, "d")] {
            one.put(queue, persistent, body);
        }
        assert_eq!(one.get(queue).as_deref(), Ok("a"));
        if checkpoint {
            bench.pass(Duration::from_secs(61));
            assert!(bench.run_jobs() > 0);
        }
        one.put(queue, true, "e");
        one.put_within(queue, true, "never committed");
        let bench = bench.crash(Survival::Nothing);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.put(queue, true, "f");
        for body in ["c", "d", "e", "f"] {
            assert_eq!(one.get(queue).as_deref(), Ok(body), "checkpoint {checkpoint}");
        }
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn no_message_identifier_is_given_twice_whichever_connection_puts_and_whatever_ended() {
    let mut bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut given = BTreeSet::new();
    for _ in 0..2 {
        let mut connections = [bench.connect(), bench.connect()];
        let queues = connections.each_mut().map(|one| one.open("Q", OUTPUT));
        for number in 0..600 {
            for (one, queue) in connections.iter_mut().zip(queues).take(1 + number % 2) {
                assert!(given.insert(one.put(queue, false, "").descriptor.message_id.0));
            }
            // One that ends with most of its numbers.
            if number % 100 == 0 {
                let mut short = bench.connect();
                let queue = short.open("Q", OUTPUT);
                assert!(given.insert(short.put(queue, false, "").descriptor.message_id.0));
            }
        }
        drop(connections);
        bench = bench.crash(Survival::Everything);
    }
    assert_eq!(given.len(), 2 * (900 + 6));
}

#[test]
fn units_of_work_stand_or_fall_as_a_whole() {
    for checkpoint in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (q, r) = (one.open("Q", INPUT | OUTPUT), one.open("R", INPUT | OUTPUT));
        for body in ["a", "b", "c"] {
            one.put(q, true, body);
        }
        assert_eq!(one.get_within(q).as_deref(), Ok("a"));
        one.put_within(r, true, "from a");
        let q2 = two.open("Q", INPUT);
        assert_eq!(two.get_within(q2).as_deref(), Ok("b"));
        if checkpoint {
            bench.pass(Duration::from_secs(61));
            assert!(bench.run_jobs() > 0);
        }
        one.commit().unwrap();
        let bench = bench.crash(Survival::Nothing);
        let mut one = bench.connect();
        let (q, r) = (one.open("Q", INPUT), one.open("R", INPUT));
        assert_eq!(one.get(q).as_deref(), Ok("b"), "what an open unit had got is there again");
        assert_eq!(one.get(q).as_deref(), Ok("c"));
        assert_eq!(one.get(r).as_deref(), Ok("from a"));
        assert_eq!(one.get(r), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn backout_counts_survive_with_and_without_a_checkpoint() {
    for checkpoint in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.put(queue, true, "a");
        for _ in 0..3 {
            one.get_within(queue).unwrap();
            one.back().unwrap();
        }
        if checkpoint {
            bench.pass(Duration::from_secs(61));
            assert!(bench.run_jobs() > 0);
        }
        one.put(queue, true, "makes the backouts durable");
        let bench = bench.crash(Survival::Nothing);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let got = one.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
        assert_eq!((text(&got).as_str(), got.descriptor.backout_count), ("a", 3), "checkpoint {checkpoint}");
    }
}

#[test]
fn a_message_keeps_its_descriptor_over_a_restart() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let given = MessageDescriptor {
        correlation_id: mqi::CorrelationId([3; 24]),
        group_id: mqi::GroupId([4; 24]).into(),
        message_sequence_number: 5,
        message_flags: mqi::MessageFlags::MSG_IN_GROUP,
        priority: mqi::Priority::new(2),
        format: MessageDescriptor::string_format(),
        reply_to_queue: "R".parse().unwrap(),
        ..message(true)
    };
    let done = one.try_put(queue, &given, mqi::PutFlags::EMPTY, "x").unwrap();
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    let options = GetOptions { match_options: mqi::MatchOptions::EMPTY, ..GetOptions::default() };
    let got = one.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
    assert_eq!(*got.descriptor, *done.descriptor);
    let after = one.open("Q", OUTPUT);
    assert_ne!(one.put(after, true, "y").descriptor.message_id, done.descriptor.message_id);
}

#[test]
fn deep_queues_and_long_messages_survive_many_checkpoints() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let length = |number: usize| if number.is_multiple_of(50) { 150_000 } else { 700 };
    let body = |number: usize| format!("{number:08}{}", "y".repeat(length(number)));
    for number in 0..1500 {
        let put = one.connection.put(queue, &message(true), &Default::default(), body(number).into());
        assert!(bench.open(put).is_ok(), "{number}");
        if number % 3 == 2 {
            assert_eq!(one.get(queue).unwrap().len(), body(number / 3).len());
        }
        bench.keep_house();
    }
    let statistics = bench.manager.log().statistics();
    assert!(statistics.checkpoints > 1, "{statistics:?}");
    drop(one);
    let mut bench = bench.crash(Survival::Everything);
    for round in 0..2 {
        assert_eq!(bench.depth("Q"), 1000 - round);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        assert_eq!(one.get(queue), Ok(body(500 + round as usize)));
        drop(one);
        bench = bench.crash(Survival::Nothing);
    }
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    for number in 502..1500 {
        assert_eq!(one.get(queue), Ok(body(number)));
        bench.keep_house();
    }
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn an_orderly_end_keeps_everything_too() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put(queue, true, "kept");
    one.put_within(queue, true, "open unit");
    bench.manager.close();
    assert_eq!(bench.manager.figures().connections(), 0);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue).as_deref(), Ok("kept"));
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn jobs_that_nobody_ran_do_not_keep_the_directory() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put(queue, true, "a");
    // A checkpoint is due and left as a job.
    bench.pass(Duration::from_secs(61));
    drop(one);
    let Bench { machine, manager, host, settings, .. } = bench;
    drop(manager);
    queue_manager::QueueManager::open(machine.world(), settings, host).expect("nobody holds the lock");
}
