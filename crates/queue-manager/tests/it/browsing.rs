//! Browsing and cursors.

use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Priority,
    PutFlags, Reason, Wait,
};

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
        let descriptor =
            MessageDescriptor { priority: Priority::new((number % 4) as u8), ..MessageDescriptor::default() };
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

const CO_OP: OpenOptions = OpenOptions::CO_OP;

/// Options of co-operating browsers.
fn shared() -> GetFlags {
    GetFlags::MARK_BROWSE_CO_OP | GetFlags::UNMARKED_BROWSE_MSG
}

#[test]
fn browsers_that_co_operate_share_what_must_be_read_from_the_disk() {
    let bench = Bench::with(small_memory(), 9);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(10000)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let (queue, other) = (one.open("Q", OUTPUT | BROWSE | CO_OP), two.open("Q", BROWSE | CO_OP));
    for number in 0..1_000 {
        one.put(queue, false, &format!("{number:02000}"));
    }
    bench.run_jobs();
    let mut seen = 0;
    let waits = loop {
        match one.try_get(queue, NEXT | shared()) {
            Ok(shown) => assert_eq!(shown, Ok(format!("{seen:02000}"))),
            Err(token) => break token,
        }
        seen += 1;
    };
    let also_waits = two.try_get(other, FIRST | shared()).unwrap_err();
    bench.run_jobs();
    assert_eq!(one.outcome(waits), Some(Ok(format!("{seen:02000}"))));
    assert_eq!(two.outcome(also_waits), Some(Ok(format!("{:02000}", seen + 1))));
}

#[test]
fn a_browser_that_chooses_is_shown_what_it_has_passed_when_the_mark_on_it_goes() {
    let bench = Bench::with(small_memory(), 10);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(10000) MSGDLVSQ(FIFO)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", OUTPUT | BROWSE | CO_OP);
    let urgent = MessageDescriptor { priority: Priority::HIGHEST, ..message(false) };
    one.try_put(queue, &urgent, PutFlags::NO_SYNCPOINT, "wanted").unwrap();
    for number in 0..1_000 {
        one.put(queue, false, &format!("{number:02000}"));
    }
    bench.run_jobs();
    assert_eq!(one.get_flags(queue, FIRST | shared()), Ok("wanted".to_owned()));
    let object = ObjectDescriptor {
        selection_string: "JMSPriority > 4".to_owned(),
        ..ObjectDescriptor::queue("Q".parse().unwrap())
    };
    let chooses = bench.open(two.connection.open(&object, BROWSE | CO_OP)).unwrap().handle;
    let any = MessageDescriptor::default();
    let waits = two.wait(chooses, &any, FIRST | shared(), Wait::Unlimited);
    // It has looked at what is in memory, and is about to have more of it read.
    bench.manager.take_job().expect("a job that looks on").run();
    assert_eq!(two.outcome(waits), None);
    assert_eq!(one.get_flags(queue, HERE | GetFlags::UNMARK_BROWSE_CO_OP), Ok("wanted".to_owned()));
    bench.run_jobs();
    assert_eq!(two.outcome(waits), Some(Ok("wanted".to_owned())));
}
