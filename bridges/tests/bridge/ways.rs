//! One message the whole way, and messages that do not arrive.

use std::time::Duration;

use mqi::{
    MessageDescriptor, MessageType, OpenOptions, Persistence, PutFlags, PutOptions, ReportOptions, Text,
    Verbs as _, constants,
};

use crate::installation::{Bridge, PATIENCE, Pair, eventually, get, open, passes, put};

#[test]
fn a_message_for_a_remote_queue_arrives_at_the_other_queue_manager_as_it_was_put() {
    let pair = Pair::new("");
    let bridge = Bridge::start(&pair.left);
    let (mut left, mut right) = (pair.left.connect(), pair.right.connect());
    for number in 0..20_u8 {
        passes(&mut left, "THERE", &mut right, "IN", &[number; 100]);
    }
    eventually("the connector queue is empty", || (pair.left.depth("K1") == 0).then_some(()));
    assert!(bridge.end().success());
    let from = open(&mut right, "IN", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut right, from, Duration::ZERO), None);
    // What a pipe knows is on the state queue: a seat, and the state in two slots.
    assert_eq!(pair.left.depth("SYSTEM.FERRY.BRIDGE.STATE"), 3);
    assert_eq!(pair.right.depth("SYSTEM.FERRY.BRIDGE.STATE"), 1);
}

#[test]
fn a_message_that_the_other_side_refuses_is_a_dead_letter_with_its_reason_and_holds_no_other_up() {
    let pair = Pair::new("");
    let mut left = pair.left.connect();
    pair.left.define(&["DEFINE QLOCAL(REPORTS)"]);
    for queue in ["THERE", "NOWHERE", "THERE", "TOOSMALL", "THERE"] {
        let to = open(&mut left, queue, OpenOptions::OUTPUT);
        let mut descriptor = MessageDescriptor {
            persistence: Persistence::Persistent,
            report: ReportOptions::EXCEPTION,
            reply_to_queue: Text::truncated("REPORTS").into(),
            ..MessageDescriptor::default()
        };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        left.put(to, &mut descriptor, &mut options, b"more than ten bytes"[..].into()).unwrap();
    }
    let _bridge = Bridge::start(&pair.left);
    let mut right = pair.right.connect();
    let from = open(&mut right, "IN", OpenOptions::INPUT_SHARED);
    for _ in 0..3 {
        assert!(get(&mut right, from, PATIENCE).is_some());
    }
    let dead = open(&mut left, "DLQ", OpenOptions::INPUT_SHARED);
    let mut reasons: Vec<i32> = (0..2)
        .map(|_| {
            let (descriptor, body) = get(&mut left, dead, PATIENCE).expect("a dead letter");
            assert_eq!(descriptor.format.as_str(), constants::MQFMT_DEAD_LETTER_HEADER.trim());
            assert!(body.ends_with(b"more than ten bytes"));
            i32::from_le_bytes(body[8..12].try_into().unwrap())
        })
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons, [constants::MQRC_MSG_TOO_BIG_FOR_Q, constants::MQRC_UNKNOWN_OBJECT_NAME]);
    assert_eq!(get(&mut left, dead, Duration::ZERO), None);
    let reports = open(&mut left, "REPORTS", OpenOptions::INPUT_SHARED);
    let mut feedbacks: Vec<i32> = (0..2)
        .map(|_| {
            let (report, body) = get(&mut left, reports, PATIENCE).expect("a report");
            assert_eq!((report.message_type, body.len()), (MessageType::REPORT, 0));
            report.feedback.0
        })
        .collect();
    feedbacks.sort_unstable();
    assert_eq!(feedbacks, reasons);
    assert_eq!(get(&mut right, from, Duration::ZERO), None);
}

#[test]
fn without_dead_letters_a_pipe_holds_the_message_until_its_queue_is_there() {
    let pair = Pair::new("USEDLQ(NO)");
    let mut left = pair.left.connect();
    let to = open(&mut left, "NOWHERE", OpenOptions::OUTPUT);
    put(&mut left, to, b"held").unwrap();
    let _bridge = Bridge::start(&pair.left);
    eventually("the pipe took its seat", || (pair.left.depth("SYSTEM.FERRY.BRIDGE.STATE") > 0).then_some(()));
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(pair.left.depth("DLQ"), 0);
    pair.right.define(&["DEFINE QLOCAL(ABSENT)"]);
    let mut right = pair.right.connect();
    let from = open(&mut right, "ABSENT", OpenOptions::INPUT_SHARED);
    let (_, body) = get(&mut right, from, PATIENCE).expect("it arrives");
    assert_eq!(body, b"held");
}

#[test]
fn two_processes_that_serve_one_pipe_double_nothing() {
    let pair = Pair::new("BATCHSZ(5)");
    let _bridges = [Bridge::start(&pair.left), Bridge::start(&pair.left)];
    let (mut left, mut right) = (pair.left.connect(), pair.right.connect());
    let to = open(&mut left, "THERE", OpenOptions::OUTPUT);
    let from = open(&mut right, "IN", OpenOptions::INPUT_SHARED);
    for number in 0..200_u8 {
        put(&mut left, to, &[number]).unwrap();
    }
    for number in 0..200_u8 {
        let (_, body) = get(&mut right, from, PATIENCE).expect("it arrives");
        assert_eq!(body, [number]);
    }
    assert_eq!(get(&mut right, from, Duration::from_secs(1)), None);
}

#[test]
fn the_high_service_moves_messages_without_a_state() {
    let pair = Pair::new("SERVICE(HIGH)");
    let bridge = Bridge::start(&pair.left);
    let (mut left, mut right) = (pair.left.connect(), pair.right.connect());
    let from = open(&mut right, "IN", OpenOptions::INPUT_SHARED);
    for queue in ["THERE", "NOWHERE", "THERE"] {
        let to = open(&mut left, queue, OpenOptions::OUTPUT);
        put(&mut left, to, b"high").unwrap();
    }
    for _ in 0..2 {
        let (_, body) = get(&mut right, from, PATIENCE).expect("it arrives");
        assert_eq!(body, b"high");
    }
    let dead = open(&mut left, "DLQ", OpenOptions::INPUT_SHARED);
    assert!(get(&mut left, dead, PATIENCE).is_some());
    eventually("the connector queue is empty", || (pair.left.depth("K1") == 0).then_some(()));
    assert!(bridge.end().success());
    // The seat alone.
    assert_eq!(pair.left.depth("SYSTEM.FERRY.BRIDGE.STATE"), 1);
    assert_eq!(pair.right.depth("SYSTEM.FERRY.BRIDGE.STATE"), 0);
}

#[test]
fn a_message_of_a_queue_of_the_other_queue_manager_arrives_here_as_it_was_put() {
    for (service, records) in [("", [1, 3]), ("SERVICE(HIGH)", [0, 1])] {
        let pair = Pair::inward(service);
        let bridge = Bridge::start(&pair.left);
        let (mut left, mut right) = (pair.left.connect(), pair.right.connect());
        for number in 0..20_u8 {
            passes(&mut right, "LEAVING", &mut left, "ARRIVED", &[number; 100]);
        }
        eventually("the queue there is empty", || (pair.right.depth("LEAVING") == 0).then_some(()));
        assert!(bridge.end().success());
        let from = open(&mut left, "ARRIVED", OpenOptions::INPUT_SHARED);
        assert_eq!(get(&mut left, from, Duration::ZERO), None);
        // The seat and the state are where branches are, the record of the last batch is with the messages.
        let depths = [&pair.left, &pair.right].map(|manager| manager.depth("SYSTEM.FERRY.BRIDGE.STATE"));
        assert_eq!(depths, records, "{service}");
    }
}

#[test]
fn messages_in_are_put_as_the_user_of_their_pipe_whatever_the_other_side_says() {
    let pair = Pair::inward("MCAUSER('putter')");
    // From the first record on rights are judged.
    pair.left.define(&["SET AUTHREC PROFILE(NONE) OBJTYPE(QUEUE) PRINCIPAL('putter') AUTHADD(GET)"]);
    let mut right = pair.right.connect();
    let to = open(&mut right, "LEAVING", OpenOptions::OUTPUT);
    let sent = put(&mut right, to, b"not yet").unwrap();
    assert_ne!(sent.user_identifier.as_str().trim(), "putter");
    let _bridge = Bridge::start(&pair.left);
    let mut left = pair.left.connect_locally();
    let dead = open(&mut left, "DLQ", OpenOptions::INPUT_SHARED);
    let (_, body) = get(&mut left, dead, PATIENCE).expect("a dead letter");
    assert_eq!(i32::from_le_bytes(body[8..12].try_into().unwrap()), constants::MQRC_NOT_AUTHORIZED);
    pair.left.define(&[
        "SET AUTHREC PROFILE(ARRIVED) OBJTYPE(QUEUE) PRINCIPAL('putter') AUTHADD(PUT,SETALL)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('putter') AUTHADD(CONNECT,SETALL)",
    ]);
    put(&mut right, to, b"now").unwrap();
    let from = open(&mut left, "ARRIVED", OpenOptions::INPUT_SHARED);
    let (arrived, body) = get(&mut left, from, PATIENCE).expect("it arrives");
    assert_eq!(body, b"now");
    assert_eq!(arrived.user_identifier.as_str().trim(), "putter");
}

#[test]
fn a_message_in_that_is_refused_here_is_a_dead_letter_here_and_its_report_goes_back() {
    for service in ["BATCHSZ(10)", "SERVICE(HIGH)"] {
        let pair = Pair::inward(service);
        pair.left.define(&["ALTER QLOCAL(ARRIVED) MAXMSGL(10)"]);
        pair.right.define(&["DEFINE QLOCAL(REPORTS)"]);
        let (mut left, mut right) = (pair.left.connect(), pair.right.connect());
        let to = open(&mut right, "LEAVING", OpenOptions::OUTPUT);
        for body in ["first", "more than ten bytes", "second"] {
            let mut descriptor = MessageDescriptor {
                persistence: Persistence::Persistent,
                report: ReportOptions::EXCEPTION,
                reply_to_queue: Text::truncated("REPORTS").into(),
                ..MessageDescriptor::default()
            };
            let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            right.put(to, &mut descriptor, &mut options, body.as_bytes().into()).unwrap();
        }
        let _bridge = Bridge::start(&pair.left);
        let from = open(&mut left, "ARRIVED", OpenOptions::INPUT_SHARED);
        for expected in ["first", "second"] {
            let (_, body) = get(&mut left, from, PATIENCE).expect("it arrives");
            assert_eq!(body, expected.as_bytes(), "{service}");
        }
        let dead = open(&mut left, "DLQ", OpenOptions::INPUT_SHARED);
        let (_, body) = get(&mut left, dead, PATIENCE).expect("a dead letter");
        assert!(body.ends_with(b"more than ten bytes"), "{service}");
        let reason = i32::from_le_bytes(body[8..12].try_into().unwrap());
        assert_eq!(reason, constants::MQRC_MSG_TOO_BIG_FOR_Q, "{service}");
        let reports = open(&mut right, "REPORTS", OpenOptions::INPUT_SHARED);
        let (report, _) = get(&mut right, reports, PATIENCE).expect("a report");
        assert_eq!(report.feedback.0, reason, "{service}");
        eventually("the queue there is empty", || (pair.right.depth("LEAVING") == 0).then_some(()));
        for queue in ["ARRIVED", "DLQ"] {
            assert_eq!(pair.left.depth(queue), 0, "{service} {queue}");
        }
    }
}
