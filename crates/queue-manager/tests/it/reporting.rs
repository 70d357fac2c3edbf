//! Reports where scenarios do not reach: the gate, bodies that left memory, messages set aside, connections
//! that end.

use std::time::Duration;

use mqi::{
    Expiry, Feedback, GetFlags, GetOptions, MessageDescriptor, ObjectHandle, PutFlags, PutOptions, Reason,
    ReportOptions, Wait,
};
use platform::simulated::Survival;
use queue_manager::{Ask, Get, GetPurpose, Reserve, Settings, WaitToken};

use crate::support::*;

fn asking(persistent: bool, report: ReportOptions) -> MessageDescriptor {
    MessageDescriptor { report, reply_to_queue: "REPORTS".parse().unwrap(), ..message(persistent) }
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench.mqsc("DEFINE QLOCAL(REPORTS)");
    bench
}

#[test]
fn a_put_and_a_get_wait_for_the_unit_that_has_their_report() {
    let bench = bench();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let both = asking(true, ReportOptions::COA | ReportOptions::COD);
    let appended = bench.manager.durable().lsn();
    let put = one.connection.put(queue, &both, &PutOptions::default(), "x".into());
    let arrived = put.need();
    assert!(arrived > appended);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let any = MessageDescriptor::default();
    let Get::Done(got) = one.connection.get(Ask::new(queue, &any, &options, 100, WaitToken(1))) else {
        panic!("the message is in memory");
    };
    assert!(got.need() > arrived, "the getter waits for the commit of its get and the report");
    let needed = got.need();
    assert_eq!(text(&bench.open(got).unwrap()), "x");
    assert!(bench.manager.durable().lsn() >= needed);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!((bench.depth("Q"), bench.depth("REPORTS")), (0, 2), "what was told survives as a whole");
}

#[test]
fn what_was_not_told_may_be_lost_only_as_a_whole() {
    for survival in [Survival::Nothing, Survival::Everything] {
        let bench = bench();
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let put =
            one.connection.put(queue, &asking(true, ReportOptions::COD), &PutOptions::default(), "x".into());
        bench.open(put).unwrap();
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let _ =
            one.connection.get(Ask::new(queue, &MessageDescriptor::default(), &options, 100, WaitToken(1)));
        drop(one);
        let bench = bench.crash(survival);
        let (messages, reports) = (bench.depth("Q"), bench.depth("REPORTS"));
        assert!([(1, 0), (0, 1)].contains(&(messages, reports)), "{messages} messages, {reports} reports");
    }
}

#[test]
fn expired_messages_that_left_memory_are_read_to_be_reported() {
    for persistent in [false, true] {
        let settings = Settings { memory_budget_bytes: 1 << 20, ..settings() };
        let bench = Bench::with(settings, 3);
        bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
        bench.mqsc("DEFINE QLOCAL(REPORTS) MAXDEPTH(100000)");
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        let reports = one.open("REPORTS", INPUT);
        let expiring = MessageDescriptor {
            expiry: Expiry::tenths(600),
            ..asking(persistent, ReportOptions::EXPIRATION_WITH_DATA)
        };
        let body = |number: usize| format!("{number:08} {}", "x".repeat(2000));
        for number in 0..1500 {
            let put = one.connection.put(queue, &expiring, &PutOptions::default(), body(number).into());
            if number % 50 == 0 {
                bench.open(put).unwrap();
                bench.keep_house();
            }
        }
        assert!(bench.manager.figures().memory_used() < 2 << 20);
        bench.pass(Duration::from_secs(100));
        // As many at a time as the log has room for.
        for _ in 0..10 {
            bench.pass(Duration::from_millis(100));
            bench.run_jobs();
        }
        assert_eq!((bench.depth("Q"), bench.depth("REPORTS")), (0, 1500), "persistent {persistent}");
        let mut seen = vec![false; 1500];
        for _ in 0..1500 {
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = one.get_with(reports, &MessageDescriptor::default(), &options, 10_000).unwrap();
            assert_eq!((got.descriptor.feedback, got.body.len()), (Feedback::EXPIRATION, 100));
            seen[text(&got)[..8].parse::<usize>().unwrap()] = true;
        }
        assert!(seen.iter().all(|seen| *seen), "each message is reported once");
    }
}

#[test]
fn a_message_set_aside_is_reported_when_its_application_has_it() {
    for within in [false, true] {
        let bench = bench();
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let reports = one.open("REPORTS", INPUT);
        one.try_put(queue, &asking(true, ReportOptions::COD), PutFlags::EMPTY, "x").unwrap();
        let flags = if within { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let options = GetOptions::with(flags, Wait::No);
        let any = MessageDescriptor::default();
        for is_taken in [false, true] {
            let token = WaitToken(7);
            let Get::Done(got) = one.connection.get(Ask {
                purpose: GetPurpose::Reserve(Reserve::All),
                ..Ask::new(queue, &any, &options, 100, token)
            }) else {
                panic!("the message is in memory");
            };
            assert_eq!(text(&bench.open(got).unwrap()), "x");
            assert_eq!(one.get(reports), Err(Reason::NO_MSG_AVAILABLE));
            if is_taken {
                let taken = one.connection.take_reserved(token, None);
                bench.open(taken).unwrap();
            } else {
                one.connection.give_back(token);
            }
        }
        if within {
            assert_eq!(one.get(reports), Err(Reason::NO_MSG_AVAILABLE));
            one.commit().unwrap();
        }
        assert_eq!(one.get(reports).as_deref(), Ok(""));
        assert_eq!(bench.depth("Q"), 0);
    }
}

/// Puts so many messages that the queue outgrows memory; the one of this number asks for a report of its
/// delivery.
fn put_deep(bench: &Bench, session: &mut Session, queue: ObjectHandle, (count, asks): (usize, usize)) {
    for number in 0..count {
        let asking = asking(true, ReportOptions::COD);
        let descriptor = if number == asks { asking } else { message(true) };
        let body = format!("{number:08} {}", "x".repeat(2000));
        session.try_put(queue, &descriptor, PutFlags::NO_SYNCPOINT, &body).unwrap();
        if number % 20 == 0 {
            bench.keep_house();
        }
    }
}

#[test]
fn a_message_set_aside_is_reported_after_many_others_were_read_back() {
    for is_given_back in [false, true] {
        let bench = Bench::with(small_memory(), 7);
        bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000) DEFINE QLOCAL(REPORTS)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT | OUTPUT);
        let also = two.open("Q", INPUT);
        put_deep(&bench, &mut one, queue, (1500, 700));
        for _ in 0..700 {
            two.get(also).unwrap();
        }
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let any = MessageDescriptor::default();
        let token = WaitToken(7_000);
        let reserved = one.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::All),
            ..Ask::new(queue, &any, &options, 10_000, token)
        });
        bench.run_jobs();
        match reserved {
            Get::Done(got) => assert!(text(&bench.open(got).unwrap()).starts_with("00000700")),
            Get::Waiting => assert!(one.outcome(token.0).unwrap().unwrap().starts_with("00000700")),
        }
        for _ in 0..400 {
            two.get(also).unwrap();
        }
        if is_given_back {
            one.connection.give_back(token);
            assert!(one.get(queue).unwrap().starts_with("00000700"));
        } else {
            let taken = one.connection.take_reserved(token, None);
            bench.open(taken).unwrap();
        }
        assert_eq!(bench.depth("REPORTS"), 1);
        while two.get(also).is_ok() {}
        let reports = one.open("REPORTS", INPUT);
        assert_eq!(one.get(reports).as_deref(), Ok(""));
        assert!(bench.manager.figures().memory_used() < 10_000, "what is not there takes no memory");
    }
}

#[test]
fn a_message_set_aside_as_it_arrived_is_reported_although_memory_is_short() {
    let bench = Bench::with(small_memory(), 8);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000) DEFINE QLOCAL(REPORTS)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    let also = two.open("Q", OUTPUT);
    put_deep(&bench, &mut two, also, (1000, usize::MAX));
    let mine = MessageDescriptor {
        correlation_id: mqi::CorrelationId::from_bytes([7; 24]),
        ..asking(true, ReportOptions::COD)
    };
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let token = WaitToken(7);
    let reserved = one.connection.get(Ask {
        purpose: GetPurpose::Reserve(Reserve::All),
        ..Ask::new(queue, &mine, &options, 10_000, token)
    });
    assert!(matches!(reserved, Get::Waiting));
    two.try_put(also, &mine, PutFlags::NO_SYNCPOINT, "mine").unwrap();
    assert_eq!(one.outcome(token.0), Some(Ok("mine".to_owned())));
    put_deep(&bench, &mut two, also, (200, usize::MAX));
    let taken = one.connection.take_reserved(token, None);
    bench.open(taken).unwrap();
    assert_eq!(bench.depth("REPORTS"), 1);
}

#[test]
fn a_connection_that_ends_takes_its_reports_back() {
    let bench = bench();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    one.try_put(queue, &asking(true, ReportOptions::COD), PutFlags::EMPTY, "x").unwrap();
    let also = two.open("Q", INPUT);
    assert_eq!(two.get_within(also).as_deref(), Ok("x"));
    assert_eq!(bench.depth("REPORTS"), 1, "the report is there for programs that may see it");
    drop(two);
    assert_eq!((bench.depth("Q"), bench.depth("REPORTS")), (1, 0));
    assert_eq!(one.get(queue).as_deref(), Ok("x"));
    assert_eq!(bench.depth("REPORTS"), 1);
}
