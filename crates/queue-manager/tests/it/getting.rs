//! Put, get and wait.

use std::time::Duration;

use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, ObjectHandle, Priority, PutFlags,
    Reason, ReportOptions, Wait,
};
use queue_manager::{Ask, Get, GetPurpose, Identity, Principal, Quiesce, Reserve, Series, WaitToken};

use crate::support::*;

const OUTSIDE: GetFlags = GetFlags::NO_SYNCPOINT;

#[test]
fn messages_leave_in_the_order_they_came() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for (persistent, body) in [(false, "a"), (true, "b"), (false, "c")] {
        one.put(queue, persistent, body);
    }
    assert_eq!(bench.depth("Q"), 3);
    for body in ["a", "b", "c"] {
        assert_eq!(one.get(queue).as_deref(), Ok(body));
    }
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn priority_decides_the_order_unless_the_queue_says_fifo() {
    for (sequence, expected) in [("PRIORITY", ["d", "b", "a", "c"]), ("FIFO", ["a", "b", "c", "d"])] {
        let bench = Bench::new();
        bench.mqsc(&format!("DEFINE QLOCAL(Q) MSGDLVSQ({sequence}) DEFPRTY(3)"));
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        for (priority, body) in [(None, "a"), (Some(5), "b"), (Some(0), "c"), (Some(9), "d")] {
            let priority = priority.map_or(Priority::AS_Q_DEF, Priority::new);
            let descriptor = MessageDescriptor { priority, ..message(false) };
            one.try_put(queue, &descriptor, PutFlags::EMPTY, body).unwrap();
        }
        for body in expected {
            assert_eq!(one.get(queue).as_deref(), Ok(body), "{sequence}");
        }
    }
}

#[test]
fn another_delivery_sequence_holds_for_messages_that_are_there() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MSGDLVSQ(FIFO)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for (priority, body) in [(1, "a"), (9, "b"), (1, "c")] {
        let descriptor = MessageDescriptor { priority: Priority::new(priority), ..message(false) };
        one.try_put(queue, &descriptor, PutFlags::EMPTY, body).unwrap();
    }
    bench.mqsc("ALTER QLOCAL(Q) MSGDLVSQ(PRIORITY)");
    for body in ["b", "a", "c"] {
        assert_eq!(one.get(queue).as_deref(), Ok(body));
    }
}

#[test]
fn a_priority_above_the_maximum_is_a_warning() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let descriptor = MessageDescriptor { priority: Priority::new(12), ..message(false) };
    let done = one.try_put(queue, &descriptor, PutFlags::EMPTY, "x").unwrap();
    assert_eq!(done.warning, Some(Reason::PRIORITY_EXCEEDS_MAXIMUM));
    assert_eq!(one.get(queue).as_deref(), Ok("x"));
}

#[test]
fn a_waiting_getter_is_given_the_next_message() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let input = one.open("Q", INPUT);
        let output = two.open("Q", OUTPUT);
        let token = one.wait(input, &MessageDescriptor::default(), OUTSIDE, Wait::Unlimited);
        assert_eq!(one.outcome(token), None);
        two.put(output, persistent, "first");
        assert_eq!(one.outcome(token), Some(Ok("first".to_owned())));
        assert_eq!(bench.depth("Q"), 0);
    }
}

#[test]
fn a_message_goes_to_the_oldest_waiter_it_fits() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let input = one.open("Q", INPUT);
    let output = two.open("Q", OUTPUT);
    let with = |id: u8| MessageDescriptor { correlation_id: CorrelationId([id; 24]), ..message(false) };
    let seven = one.wait(input, &with(7), OUTSIDE, Wait::Unlimited);
    let any = one.wait(input, &message(false), OUTSIDE, Wait::Unlimited);
    let other_seven = one.wait(input, &with(7), OUTSIDE, Wait::Unlimited);
    let eight = one.wait(input, &with(8), OUTSIDE, Wait::Unlimited);
    for (id, body, goes_to) in [(8, "8", any), (7, "7", seven), (7, "77", other_seven), (8, "88", eight)] {
        two.try_put(output, &with(id), PutFlags::EMPTY, body).unwrap();
        assert_eq!(one.outcome(goes_to), Some(Ok(body.to_owned())));
    }
    assert_eq!(one.outcomes.0.lock().len(), 0);
}

#[test]
fn a_wait_ends_when_its_time_is_over() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let any = MessageDescriptor::default();
    let long = one.wait(queue, &any, OUTSIDE, Wait::Milliseconds(500));
    let short = one.wait(queue, &any, OUTSIDE, Wait::Milliseconds(100));
    let never = one.wait(queue, &any, OUTSIDE, Wait::Unlimited);
    bench.pass(Duration::from_millis(99));
    assert_eq!(one.outcome(short), None);
    bench.pass(Duration::from_millis(1));
    assert_eq!(one.outcome(short), Some(Err(Reason::NO_MSG_AVAILABLE)));
    assert_eq!(one.outcome(long), None);
    bench.pass(Duration::from_millis(400));
    assert_eq!(one.outcome(long), Some(Err(Reason::NO_MSG_AVAILABLE)));
    bench.pass(Duration::from_secs(1000));
    assert_eq!(one.outcome(never), None);
    one.put(queue, false, "late");
    assert_eq!(one.outcome(never), Some(Ok("late".to_owned())));
}

#[test]
fn a_cancelled_wait_takes_no_message() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let token = one.wait(queue, &MessageDescriptor::default(), OUTSIDE, Wait::Unlimited);
    assert!(one.connection.cancel(WaitToken(token)));
    assert!(!one.connection.cancel(WaitToken(token)));
    one.put(queue, false, "x");
    assert_eq!(one.outcome(token), None);
    assert_eq!(one.get(queue).as_deref(), Ok("x"));
}

#[test]
fn the_waits_of_a_connection_end_with_it() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let input = one.open("Q", INPUT);
    let queue = two.open("Q", INPUT | OUTPUT);
    let token = one.wait(input, &MessageDescriptor::default(), OUTSIDE, Wait::Unlimited);
    let outcomes = one.outcomes.clone();
    drop(one);
    two.put(queue, true, "x");
    assert!(!outcomes.0.lock().iter().any(|(other, _)| *other == token));
    assert_eq!(two.get(queue).as_deref(), Ok("x"));
    assert_eq!(bench.manager.figures().connections(), 1);
}

#[test]
fn inhibiting_get_refuses_those_who_wait() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let token = one.wait(queue, &MessageDescriptor::default(), OUTSIDE, Wait::Unlimited);
    bench.mqsc("ALTER QLOCAL(Q) GET(DISABLED)");
    assert_eq!(one.outcome(token), Some(Err(Reason::GET_INHIBITED)));
    one.put(queue, false, "x");
    assert_eq!(one.get(queue), Err(Reason::GET_INHIBITED));
    bench.mqsc("ALTER QLOCAL(Q) GET(ENABLED) PUT(DISABLED)");
    assert_eq!(one.get(queue).as_deref(), Ok("x"));
    let refused = one.try_put(queue, &message(false), PutFlags::EMPTY, "y");
    assert_eq!(refused.unwrap_err(), Reason::PUT_INHIBITED);
}

#[test]
fn ending_the_queue_manager_answers_those_who_wait() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let any = MessageDescriptor::default();
    let stays = one.wait(queue, &any, OUTSIDE, Wait::Unlimited);
    let fails = one.wait(queue, &any, OUTSIDE | GetFlags::FAIL_IF_QUIESCING, Wait::Unlimited);
    bench.manager.quiesce(Quiesce::Controlled);
    assert_eq!(one.outcome(fails), Some(Err(Reason::Q_MGR_QUIESCING)));
    assert_eq!(one.outcome(stays), None);
    assert_eq!(one.get_flags(queue, OUTSIDE | GetFlags::FAIL_IF_QUIESCING), Err(Reason::Q_MGR_QUIESCING));
    one.put(queue, false, "still");
    assert_eq!(one.outcome(stays), Some(Ok("still".to_owned())));
    bench.manager.quiesce(Quiesce::Immediate);
    assert_eq!(one.get(queue), Err(Reason::Q_MGR_STOPPING));
}

#[test]
fn a_short_buffer_keeps_the_message_unless_truncation_is_accepted() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "0123456789");
    let any = MessageDescriptor::default();
    let options = GetOptions::with(OUTSIDE, Wait::No);
    let got = one.get_with(queue, &any, &options, 4).unwrap();
    assert_eq!(
        (got.warning, got.data_length, text(&got)),
        (Some(Reason::TRUNCATED_MSG_FAILED), 10, "0123".into())
    );
    assert_eq!(bench.depth("Q"), 1);
    let options = GetOptions::with(OUTSIDE | GetFlags::ACCEPT_TRUNCATED_MSG, Wait::No);
    let got = one.get_with(queue, &any, &options, 4).unwrap();
    assert_eq!(
        (got.warning, got.data_length, text(&got)),
        (Some(Reason::TRUNCATED_MSG_ACCEPTED), 10, "0123".into())
    );
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_waiter_whose_buffer_is_short_leaves_the_message_to_the_next() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let options = GetOptions::with(OUTSIDE, Wait::Unlimited);
    let any = MessageDescriptor::default();
    assert!(matches!(one.connection.get(Ask::new(queue, &any, &options, 2, WaitToken(900))), Get::Waiting));
    let next = one.wait(queue, &any, OUTSIDE, Wait::Unlimited);
    one.put(queue, false, "long enough");
    assert_eq!(one.outcome(900), Some(Ok("lo".to_owned())));
    assert_eq!(one.outcome(next), Some(Ok("long enough".to_owned())));
}

#[test]
fn a_getter_that_goes_on_comes_first_for_a_moment() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two, mut putter) = (bench.connect(), bench.connect(), bench.connect());
    let (first, second) = (one.open("Q", INPUT), two.open("Q", INPUT));
    let output = putter.open("Q", OUTPUT);
    let any = MessageDescriptor::default();
    let waits = GetOptions::with(OUTSIDE, Wait::Unlimited);
    let mut go_on = |token| {
        let token = WaitToken(token);
        let got = one.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::Persistent),
            goes_on: true,
            ..Ask::new(first, &any, &waits, 100, token)
        });
        assert!(matches!(got, Get::Waiting));
    };
    let longest = two.wait(second, &any, OUTSIDE, Wait::Unlimited);
    let longer = two.wait(second, &any, OUTSIDE, Wait::Unlimited);
    go_on(70);
    putter.put(output, false, "a");
    go_on(71);
    bench.pass(Duration::from_millis(1));
    for body in ["b", "c", "d"] {
        putter.put(output, false, body);
    }
    assert_eq!(one.outcome(70), Some(Ok("a".to_owned())));
    assert_eq!(two.outcome(longest), Some(Ok("b".to_owned())), "its moment is over");
    assert_eq!(two.outcome(longer), Some(Ok("c".to_owned())));
    assert_eq!(one.outcome(71), Some(Ok("d".to_owned())), "and it is last");
}

/// Waits for several messages by credit.
fn wait_ahead(one: &mut Session, queue: ObjectHandle, series: Series) {
    let any = MessageDescriptor::default();
    let options = GetOptions::with(OUTSIDE, Wait::Unlimited);
    let got = one.connection.get(Ask {
        purpose: GetPurpose::Reserve(Reserve::Persistent),
        ..Ask::new(queue, &any, &options, 100, series)
    });
    assert!(matches!(got, Get::Waiting));
}

#[test]
fn a_getter_of_several_messages_waits_on_until_it_has_them() {
    for (series, how, expected) in [
        (Series { token: WaitToken(80), messages: 3, bytes: 100 }, INPUT, 3),
        (Series { token: WaitToken(80), messages: 3, bytes: 100 }, INPUT | BROWSE, 3),
        (Series { token: WaitToken(80), messages: 9, bytes: 2 }, INPUT, 2),
        (WaitToken(80).into(), INPUT, 1),
    ] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", how | OUTPUT);
        wait_ahead(&mut one, queue, series);
        let bodies = ["a", "b", "c", "d"];
        bodies.iter().zip([false, true, false, false]).for_each(|(body, persistent)| {
            one.put(queue, persistent, body);
        });
        for (token, body) in (80..80 + expected).zip(bodies) {
            assert_eq!(one.outcome(token), Some(Ok(body.to_owned())));
        }
        assert!(one.outcomes.0.lock().is_empty());
        let reserved = i32::from(expected > 1);
        assert_eq!(bench.depth("Q"), 4 - expected as i32 + reserved);
        if expected > 1 {
            let taken = one.connection.take_reserved(WaitToken(81), None);
            assert_eq!(bench.open(taken), Ok(()), "the persistent one was reserved under its own token");
        }
    }
}

#[test]
fn a_getter_of_several_messages_keeps_none_from_another_who_waits() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    let any = MessageDescriptor::default();
    wait_ahead(&mut one, queue, Series { token: WaitToken(80), messages: 9, bytes: 100 });
    one.put(queue, false, "a");
    let other = two.open("Q", INPUT);
    let waits = two.wait(other, &any, OUTSIDE, Wait::Unlimited);
    for body in ["b", "c", "d"] {
        one.put(queue, false, body);
    }
    assert_eq!(one.outcome(80), Some(Ok("a".to_owned())));
    assert_eq!(one.outcome(81), Some(Ok("b".to_owned())), "it waited on, and somebody else behind it");
    assert_eq!(two.outcome(waits), Some(Ok("c".to_owned())));
    assert_eq!(one.outcome(82), None, "its wait was over");
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn a_wait_for_several_messages_ends_as_one_for_one_does() {
    let series = Series { token: WaitToken(80), messages: 9, bytes: 100 };
    let begin = || {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (queue, other) = (one.open("Q", INPUT), two.open("Q", OUTPUT));
        wait_ahead(&mut one, queue, series);
        two.put(other, false, "a");
        (bench, one, two, other)
    };
    let (bench, mut one, mut two, other) = begin();
    assert!(!one.connection.cancel(WaitToken(80)), "this one is over");
    assert!(one.connection.cancel(WaitToken(81)));
    two.put(other, false, "b");
    assert_eq!((one.outcome(81), bench.depth("Q")), (None, 1));

    let (bench, one, mut two, other) = begin();
    drop(one);
    two.put(other, false, "b");
    assert_eq!(bench.depth("Q"), 1);

    let (bench, mut one, ..) = begin();
    bench.mqsc("ALTER QLOCAL(Q) GET(DISABLED)");
    assert_eq!(one.outcome(81), Some(Err(Reason::GET_INHIBITED)));

    let (bench, mut one, mut two, other) = begin();
    two.put(other, false, &"x".repeat(101));
    let told = one.outcome(81).expect("it is told that the message is too long");
    assert_eq!(told.map(|body| body.len()), Ok(100));
    two.put(other, false, "b");
    assert_eq!(
        (one.outcome(82), bench.depth("Q")),
        (None, 2),
        "nobody waits behind a message that has stayed"
    );
}

#[test]
fn a_wait_for_several_messages_ends_with_its_right_between_two_and_leaves_the_rest() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(Q)\nSET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)\n\
         SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(GET)",
    );
    let root = Principal::administrator("root", Identity::Kernel).unwrap();
    let (mut one, mut two) = (bench.connect_user("ada"), bench.try_connect_by(root, [0; 16], 0).unwrap());
    let (queue, other) = (one.open("Q", INPUT), two.open("Q", OUTPUT));
    wait_ahead(&mut one, queue, Series { token: WaitToken(80), messages: 9, bytes: 100 });
    two.put(other, false, "a");
    assert_eq!(one.outcome(80), Some(Ok("a".to_owned())));
    bench.mqsc("DELETE AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('ada')");
    assert_eq!(one.outcome(81), Some(Err(Reason::NOT_AUTHORIZED)));
    two.put(other, false, "b");
    assert_eq!(one.outcome(82), None, "no more comes");
    assert!(bench.told("DISPLAY QSTATUS(Q) CURDEPTH").contains("CURDEPTH(1)"), "it stays for others");
}

#[test]
fn what_is_there_is_given_at_once_as_far_as_it_takes_and_no_record_is_needed() {
    let not = |body| (body, false);
    for (messages, bytes, put, expected) in [
        (9, 100, vec![not("a"), not("b"), not("c")], &["a", "b", "c"][..]),
        (2, 100, vec![not("a"), not("b"), not("c")], &["a", "b"]),
        (9, 2, vec![not("a"), not("b"), not("c")], &["a", "b"]),
        (9, 100, vec![not("a"), ("b", true), not("c")], &["a"]),
        (9, 100, vec![("a", true), not("b"), ("c", true)], &["a", "b"]),
    ] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        put.iter().for_each(|(body, persistent)| drop(one.put(queue, *persistent, body)));
        let series = Series { token: WaitToken(80), messages, bytes };
        let options = GetOptions::with(OUTSIDE, Wait::Unlimited);
        let mut given = Vec::new();
        let any = MessageDescriptor::default();
        let got = one.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::Persistent),
            take: Some(&mut |got| given.push(got)),
            ..Ask::new(queue, &any, &options, 100, series)
        });
        let Get::Done(last) = got else { panic!("there was something") };
        given.push(last);
        let given: Vec<_> = given.into_iter().map(|got| text(&bench.open(got).unwrap())).collect();
        assert_eq!(given, expected, "{messages} messages, {bytes} bytes of {put:?}");
        let reserved = put[0].1;
        assert_eq!(bench.depth("Q"), (put.len() - expected.len() + usize::from(reserved)) as i32);
        if reserved {
            assert_eq!(
                bench.open(one.connection.take_reserved(WaitToken(80), None)),
                Ok(()),
                "by its own name"
            );
        }
    }
}

#[test]
fn a_report_of_delivery_is_made_before_the_next_is_given() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let reported = MessageDescriptor {
        report: ReportOptions::COD,
        reply_to_queue: "R".parse().unwrap(),
        ..message(false)
    };
    one.put(queue, false, "a");
    one.try_put(queue, &reported, PutFlags::NO_SYNCPOINT, "b").unwrap();
    one.put(queue, false, "c");
    let options = GetOptions::with(OUTSIDE, Wait::Unlimited);
    let any = MessageDescriptor::default();
    let mut given = Vec::new();
    let series = Series { token: WaitToken(80), messages: 9, bytes: 100 };
    let got = one.connection.get(Ask {
        purpose: GetPurpose::Reserve(Reserve::Persistent),
        take: Some(&mut |got| given.push(got)),
        ..Ask::new(queue, &any, &options, 100, series)
    });
    let Get::Done(last) = got else { panic!("there was something") };
    assert_eq!((given.len(), text(&bench.open(last).unwrap())), (1, "b".to_owned()));
    assert_eq!((bench.depth("R"), bench.depth("Q")), (1, 1));
}

#[test]
fn a_message_that_passes_the_queue_counts_as_one_that_stood_on_it() {
    let named = MessageDescriptor { message_id: MessageId([9; 24]), ..message(false) };
    let options = GetOptions::with(OUTSIDE, Wait::Unlimited);
    for series in [None, Some(1), Some(3)] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.put(queue, true, "stays");
        bench.told("RESET QSTATS(Q)");
        let token = match series {
            None => one.wait(queue, &named, OUTSIDE, Wait::Unlimited),
            Some(messages) => {
                let series = Series { token: WaitToken(80), messages, bytes: 100 };
                let got = one.connection.get(Ask {
                    purpose: GetPurpose::Reserve(Reserve::Persistent),
                    ..Ask::new(queue, &named, &options, 100, series)
                });
                assert!(matches!(got, Get::Waiting));
                80
            }
        };
        one.try_put(queue, &named, PutFlags::NO_SYNCPOINT, "passes").unwrap();
        assert_eq!(one.outcome(token), Some(Ok("passes".to_owned())));
        let told = bench.told("RESET QSTATS(Q)");
        for counted in ["HIQDEPTH(2)", "MSGSIN(1)", "MSGSOUT(1)"] {
            assert!(told.contains(counted), "{counted} in {told}");
        }
        assert_eq!(one.get(queue).as_deref(), Ok("stays"));
    }
}

#[test]
fn a_reserved_message_is_taken_or_comes_back() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT | OUTPUT);
        let other = two.open("Q", INPUT);
        one.put(queue, persistent, "a");
        one.put(queue, persistent, "b");
        let any = MessageDescriptor::default();
        let options = GetOptions::with(OUTSIDE, Wait::No);
        for token in [50, 51] {
            let got = one.connection.get(Ask {
                purpose: GetPurpose::Reserve(Reserve::All),
                ..Ask::new(queue, &any, &options, 100, WaitToken(token))
            });
            assert!(matches!(got, Get::Done(_)));
        }
        assert_eq!(two.get(other), Err(Reason::NO_MSG_AVAILABLE));
        one.connection.give_back(WaitToken(50));
        assert_eq!(two.get(other).as_deref(), Ok("a"));
        let taken = one.connection.take_reserved(WaitToken(51), None);
        assert_eq!(bench.open(taken), Ok(()));
        assert_eq!(bench.depth("Q"), 0);
        one.put(queue, persistent, "c");
        let _ = one.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::All),
            ..Ask::new(queue, &any, &options, 100, WaitToken(52))
        });
        assert_eq!(two.get(other), Err(Reason::NO_MSG_AVAILABLE));
        drop(one);
        assert_eq!(two.get(other).as_deref(), Ok("c"));
    }
}

#[test]
fn read_ahead_takes_what_may_be_lost_and_reserves_what_may_not() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, false, "np");
    one.put(queue, true, "p");
    let any = MessageDescriptor::default();
    let options = GetOptions::with(OUTSIDE, Wait::No);
    for token in [60, 61] {
        let _ = one.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::Persistent),
            ..Ask::new(queue, &any, &options, 100, WaitToken(token))
        });
    }
    let outcome = one.connection.take_reserved(WaitToken(60), None);
    assert_eq!(bench.open(outcome), Err(Reason::NO_MSG_AVAILABLE), "taken before");
    assert_eq!(bench.depth("Q"), 1);
    let outcome = one.connection.take_reserved(WaitToken(61), None);
    assert_eq!(bench.open(outcome), Ok(()));
    assert_eq!(bench.depth("Q"), 0);
}
