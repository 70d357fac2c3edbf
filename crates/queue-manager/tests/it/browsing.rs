//! Browsing and cursors.

use mqi::{CorrelationId, GetFlags, GetOptions, MessageDescriptor, PutFlags, Reason, Wait};

use crate::support::*;

const FIRST: GetFlags = GetFlags::BROWSE_FIRST;
const NEXT: GetFlags = GetFlags::BROWSE_NEXT;
const HERE: GetFlags = GetFlags::BROWSE_MSG_UNDER_CURSOR;
const TAKE: GetFlags = GetFlags::MSG_UNDER_CURSOR;

fn filled(bench: &Bench, bodies: &[&str]) -> (Session, mqi::ObjectHandle) {
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT | BROWSE);
    for body in bodies {
        one.put(queue, false, body);
    }
    (one, queue)
}

#[test]
fn a_cursor_moves_over_every_message_and_takes_none() {
    let bench = Bench::new();
    let (mut one, queue) = filled(&bench, &["a", "b", "c"]);
    assert_eq!(one.get_flags(queue, HERE), Err(Reason::NO_MSG_UNDER_CURSOR));
    for (flags, expected) in [
        (NEXT, Ok("a")),
        (NEXT, Ok("b")),
        (HERE, Ok("b")),
        (NEXT, Ok("c")),
        (NEXT, Err(Reason::NO_MSG_AVAILABLE)),
        (FIRST, Ok("a")),
        (NEXT, Ok("b")),
    ] {
        assert_eq!(one.get_flags(queue, flags), expected.map(str::to_owned));
    }
    assert_eq!(bench.depth("Q"), 3);
}

#[test]
fn the_message_under_the_cursor_can_be_taken_and_the_cursor_goes_on() {
    let bench = Bench::new();
    let (mut one, queue) = filled(&bench, &["a", "b", "c", "d"]);
    for (flags, expected) in [
        (NEXT, Ok("a")),
        (NEXT, Ok("b")),
        (TAKE, Ok("b")),
        (TAKE, Err(Reason::NO_MSG_UNDER_CURSOR)),
        (NEXT, Ok("c")),
        (TAKE, Ok("c")),
        (NEXT, Ok("d")),
        (FIRST, Ok("a")),
    ] {
        assert_eq!(one.get_flags(queue, flags), expected.map(str::to_owned));
    }
}

#[test]
fn a_cursor_stands_where_its_message_was() {
    let bench = Bench::new();
    let (mut one, queue) = filled(&bench, &["a", "b", "c", "d"]);
    let mut two = bench.connect();
    let other = two.open("Q", INPUT);
    assert_eq!(one.get_flags(queue, NEXT).as_deref(), Ok("a"));
    assert_eq!(one.get_flags(queue, NEXT).as_deref(), Ok("b"));
    for body in ["a", "b", "c"] {
        assert_eq!(two.get_within(other).as_deref(), Ok(body));
    }
    assert_eq!(one.get_flags(queue, HERE), Err(Reason::NO_MSG_UNDER_CURSOR));
    assert_eq!(one.get_flags(queue, NEXT).as_deref(), Ok("d"));
    two.back().unwrap();
    assert_eq!(one.get_flags(queue, FIRST).as_deref(), Ok("a"));
}

#[test]
fn browsing_can_ask_for_identifiers() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT | BROWSE);
    // Deep enough that the queue is indexed.
    for number in 0..100_u8 {
        let correlation_id = CorrelationId([number % 3 + 1; 24]);
        let descriptor = MessageDescriptor { correlation_id, ..message(false) };
        one.try_put(queue, &descriptor, PutFlags::EMPTY, &number.to_string()).unwrap();
    }
    let wanted = MessageDescriptor { correlation_id: CorrelationId([2; 24]), ..Default::default() };
    for (flags, body) in [(FIRST, "1"), (NEXT, "4"), (NEXT, "7"), (FIRST, "1"), (NEXT, "4")] {
        let got = one.get_with(queue, &wanted, &GetOptions::with(flags, Wait::No), 100).unwrap();
        assert_eq!(text(&got), body);
    }
}

#[test]
fn a_waiting_browser_looks_and_a_getter_takes() {
    let bench = Bench::new();
    let (mut one, queue) = filled(&bench, &[]);
    let any = MessageDescriptor::default();
    let looks = one.wait(queue, &any, NEXT, Wait::Unlimited);
    let takes = one.wait(queue, &any, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    one.put(queue, false, "x");
    assert_eq!(one.outcome(looks), Some(Ok("x".to_owned())));
    assert_eq!(one.outcome(takes), Some(Ok("x".to_owned())));
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn locks_that_move_over_a_queue_leave_its_order_as_it_was() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT | BROWSE);
    for number in 0..300_i32 {
        let descriptor = MessageDescriptor {
            priority: mqi::Priority::new((number % 4) as u8),
            ..MessageDescriptor::default()
        };
        let put =
            one.connection.put(queue, &descriptor, &mqi::PutOptions::default(), number.to_string().into());
        bench.open(put).unwrap();
    }
    let mut others = bench.connect();
    let seen_by_others = others.open("Q", INPUT | BROWSE);
    let mut looked_at = Vec::new();
    let mut steps = 0;
    while let Ok(body) = one.get_flags(queue, NEXT | GetFlags::LOCK) {
        steps += 1;
        // One in ten goes while it is the one before, or after, what is locked.
        if steps % 10 == 3 {
            let first = others.get_flags(seen_by_others, FIRST).unwrap();
            assert_eq!(others.get_flags(seen_by_others, TAKE), Ok(first.clone()));
            looked_at.retain(|other| *other != first);
        }
        looked_at.push(body);
    }
    let left: Vec<String> =
        std::iter::from_fn(|| others.get_flags(seen_by_others, GetFlags::EMPTY).ok()).collect();
    assert_eq!(left, looked_at);
    assert!(left.len() > 250, "{}", left.len());
}
