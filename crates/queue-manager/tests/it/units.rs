//! Units of work.

use std::time::Duration;

use mqi::{CorrelationId, GetFlags, GetOptions, MessageDescriptor, Priority, PutFlags, Reason, Wait};
use queue_manager::{Ask, Get, GetPurpose, Reserve, WaitToken};
use storage::record::ClientCommit;

use crate::support::*;

#[test]
fn what_is_put_in_a_unit_is_seen_after_commit() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (q, r) = (one.open("Q", OUTPUT), one.open("R", OUTPUT));
        let (q2, r2) = (two.open("Q", INPUT), two.open("R", INPUT));
        one.put_within(q, persistent, "a");
        one.put_within(r, persistent, "b");
        assert_eq!(two.get(q2), Err(Reason::NO_MSG_AVAILABLE));
        assert_eq!(bench.depth("Q"), 1, "uncommitted puts count");
        one.commit().unwrap();
        assert_eq!(two.get(q2).as_deref(), Ok("a"));
        assert_eq!(two.get(r2).as_deref(), Ok("b"));
    }
}

#[test]
fn a_backout_undoes_puts_and_returns_gets_to_their_places() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        for body in ["a", "b", "c"] {
            one.put(queue, persistent, body);
        }
        one.put_within(queue, persistent, "d");
        assert_eq!(one.get_within(queue).as_deref(), Ok("a"));
        assert_eq!(one.get_within(queue).as_deref(), Ok("b"));
        assert_eq!(bench.depth("Q"), 2);
        one.back().unwrap();
        assert_eq!(bench.depth("Q"), 3);
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        for (body, count) in [("a", 1), ("b", 1), ("c", 0)] {
            let got = one.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
            assert_eq!((text(&got).as_str(), got.descriptor.backout_count), (body, count));
        }
        one.commit().unwrap();
        assert_eq!(bench.depth("Q"), 0);
    }
}

#[test]
fn a_commit_hands_messages_to_those_who_wait() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let output = one.open("Q", OUTPUT);
    let input = two.open("Q", INPUT);
    let token = two.wait(input, &MessageDescriptor::default(), GetFlags::SYNCPOINT, Wait::Unlimited);
    one.put_within(output, true, "x");
    assert_eq!(two.outcome(token), None);
    one.commit().unwrap();
    assert_eq!(two.outcome(token), Some(Ok("x".to_owned())));
    two.back().unwrap();
    assert_eq!(bench.depth("Q"), 1, "the hand-over belonged to the getter's unit of work");
}

#[test]
fn a_backout_offers_the_message_to_the_next_waiter() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    let input = two.open("Q", INPUT);
    one.put(queue, true, "x");
    assert_eq!(one.get_within(queue).as_deref(), Ok("x"));
    let token = two.wait(input, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    drop(one);
    assert_eq!(two.outcome(token), Some(Ok("x".to_owned())));
}

#[test]
fn only_persistent_messages_are_in_the_unit_when_so_asked() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, false, "np");
    one.put(queue, true, "p");
    for body in ["np", "p"] {
        assert_eq!(one.get_flags(queue, GetFlags::SYNCPOINT_IF_PERSISTENT).as_deref(), Ok(body));
    }
    one.back().unwrap();
    assert_eq!(one.get(queue).as_deref(), Ok("p"));
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_unit_has_a_limit() {
    let bench = Bench::with(queue_manager::Settings { uncommitted_messages_max: 3, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "there");
    for body in ["a", "b", "c"] {
        one.put_within(queue, true, body);
    }
    let refused = one.try_put(queue, &message(true), PutFlags::SYNCPOINT, "d");
    assert_eq!(refused.unwrap_err(), Reason::SYNCPOINT_LIMIT_REACHED);
    assert_eq!(one.get_within(queue), Err(Reason::SYNCPOINT_LIMIT_REACHED));
    one.commit().unwrap();
    assert_eq!(bench.depth("Q"), 4);
}

#[test]
fn disconnecting_commits_and_dropping_backs_out() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    for (in_order, depth) in [(false, 0), (true, 1)] {
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        one.put_within(queue, true, "x");
        if in_order {
            let Session { connection, .. } = one;
            bench.open(connection.disconnect()).unwrap();
        } else {
            drop(one);
        }
        assert_eq!(bench.depth("Q"), depth);
    }
}

#[test]
fn a_unit_that_holds_too_much_of_the_log_is_backed_out() {
    let settings = queue_manager::Settings {
        storage: storage::Settings { secondary_extents: 0, ..settings().storage },
        ..settings()
    };
    let bench = Bench::with(settings, 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let q = one.open("Q", OUTPUT);
    one.put_within(q, true, "old");
    let r = two.open("R", INPUT | OUTPUT);
    let body = "x".repeat(30_000);
    for _ in 0..2000 {
        if bench.host.events.lock().iter().any(|event| event.starts_with("FRY7469W")) {
            break;
        }
        two.put(r, true, &body);
        two.get(r).unwrap();
        bench.keep_house();
    }
    // Room that is set aside for a preparation does not take the notice: a batch would go on.
    bench.open(one.connection.expect_prepare()).unwrap();
    assert_eq!(one.commit(), Err(Reason::BACKED_OUT));
    assert_eq!(bench.depth("Q"), 0);
    one.put_within(q, true, "new");
    one.commit().unwrap();
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn a_repeated_commit_is_answered_as_the_first_also_after_a_restart() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let instance = [7; 16];
    let mut one = bench.connect_as(instance, 1);
    assert_eq!(bench.open(one.connection.last_commit()), None);
    let queue = one.open("Q", OUTPUT);
    one.put_within(queue, true, "x");
    let client = ClientCommit { instance, number: 41 };
    let committed = one.connection.commit(Some(client));
    assert_eq!(bench.open(committed), Ok(()));
    let mut again = bench.connect_as(instance, 2);
    assert_eq!(one.get(queue), Err(Reason::CONNECTION_BROKEN), "the old connection is fenced");
    assert_eq!(bench.open(again.connection.last_commit()), Some(41));
    let repeated = again.connection.commit(Some(client));
    assert_eq!(bench.open(repeated), Ok(()));
    assert_eq!(bench.depth("Q"), 1);
    drop((one, again));
    for checkpoint in [false, true] {
        if checkpoint {
            bench.pass(Duration::from_secs(61));
            bench.run_jobs();
        }
    }
    let bench = bench.crash(platform::simulated::Survival::Nothing);
    assert_eq!(bench.open(bench.connect_as(instance, 3).connection.last_commit()), Some(41));
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn a_beginning_that_comes_late_does_not_end_its_newer_self() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let instance = [7; 16];
    let mut newer = bench.connect_as(instance, 2);
    let queue = newer.open("Q", OUTPUT);
    newer.put_within(queue, true, "kept");
    for late in [1, 2] {
        assert_eq!(bench.try_connect_as(instance, late).err(), Some(Reason::CONNECTION_BROKEN), "{late}");
    }
    newer.commit().unwrap();
    assert_eq!(bench.depth("Q"), 1);
    let newest = bench.connect_as(instance, 3);
    assert_eq!(newer.commit(), Err(Reason::CONNECTION_BROKEN), "the fence still works forwards");
    // Nothing that lives can be taken away.
    drop((newer, newest));
    bench.connect_as(instance, 1);
}

#[test]
fn a_waiter_is_given_the_first_message_that_a_unit_leaves() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(OTHER)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (queue, other) = (one.open("Q", INPUT | OUTPUT), one.open("OTHER", OUTPUT));
        let input = two.open("Q", INPUT);
        let wait = |two: &mut Session| {
            two.wait(input, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited)
        };
        for body in ["a", "b"] {
            one.put(queue, persistent, body);
        }
        for body in ["a", "b"] {
            assert_eq!(one.get_within(queue).as_deref(), Ok(body));
            one.put_within(other, persistent, "between");
        }
        let token = wait(&mut two);
        one.back().unwrap();
        assert_eq!(two.outcome(token), Some(Ok("a".to_owned())), "the earlier of two that come back");
        assert_eq!(one.get(queue).as_deref(), Ok("b"));

        let token = wait(&mut two);
        for (priority, body) in [(0, "low"), (9, "high")] {
            let descriptor = MessageDescriptor { priority: Priority::new(priority), ..message(persistent) };
            one.try_put(queue, &descriptor, PutFlags::SYNCPOINT, body).unwrap();
            one.put_within(other, persistent, "between");
        }
        one.commit().unwrap();
        assert_eq!(two.outcome(token), Some(Ok("high".to_owned())), "the more urgent of two that appear");
    }
}

#[test]
fn a_connection_that_ends_gives_back_what_it_reserved_behind_its_unit() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT | OUTPUT);
        let input = two.open("Q", INPUT);
        let any = MessageDescriptor::default();
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        for (token, body) in [(1, "a"), (2, "b"), (3, "c")] {
            one.put(queue, persistent, body);
            let got = one.connection.get(Ask {
                purpose: GetPurpose::Reserve(Reserve::All),
                ..Ask::new(queue, &any, &options, 100, WaitToken(token))
            });
            assert!(matches!(got, Get::Done(_)));
        }
        let taken = one.connection.take_reserved(WaitToken(1), None);
        bench.open(taken).unwrap();
        let token = two.wait(input, &any, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        drop(one);
        assert_eq!(two.outcome(token), Some(Ok("a".to_owned())), "the earliest of what came back");
        assert_eq!(two.get(input).as_deref(), Ok("b"));
        assert_eq!(two.get(input).as_deref(), Ok("c"));
    }
}

#[test]
fn a_connection_that_ends_gives_back_what_was_being_read_for_it_behind_its_unit() {
    let bench = Bench::with(small_memory(), 5);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    let input = two.open("Q", INPUT);
    let wanted = MessageDescriptor { correlation_id: CorrelationId([7; 24]), ..message(true) };
    for number in 0..1500 {
        let descriptor = if [0, 700].contains(&number) { wanted.clone() } else { message(true) };
        let body = format!("{number:02000}");
        one.try_put(queue, &descriptor, PutFlags::NO_SYNCPOINT, &body).unwrap();
        if number % 20 == 0 {
            bench.keep_house();
        }
    }
    let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
    assert!(one.get_with(queue, &wanted, &options, 10_000).is_ok());
    let second = one.connection.get(Ask::new(queue, &wanted, &options, 10_000, WaitToken(77)));
    assert!(matches!(second, Get::Waiting), "it is not in memory");
    let token = two.wait(input, &wanted, GetFlags::SYNCPOINT, Wait::Unlimited);
    drop(one);
    bench.run_jobs();
    let came = two.outcome(token).unwrap().unwrap();
    assert_eq!(came.parse(), Ok(0), "the earliest of what came back");
}
