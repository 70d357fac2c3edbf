//! The log of a publication: one record for any number of subscribers, from which each gets its copy back.

use bytes::Bytes;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions, Reason,
    ReportOptions, Wait,
};
use platform::simulated::Survival;
use queue_manager::Settings;
use storage::inspect::Content;
use storage::{FRAGMENT_BYTES, Record};

use crate::support::*;

const AT_ONCE: PutFlags = PutFlags::NO_SYNCPOINT;
const WITHIN: PutFlags = PutFlags::SYNCPOINT;

fn publish(session: &mut Session, topic: &str, flags: PutFlags, body: &str) -> Result<(), Reason> {
    publish_with(session, topic, &message(true), flags, body)
}

fn publish_with(
    session: &mut Session,
    topic: &str,
    descriptor: &MessageDescriptor,
    flags: PutFlags,
    body: &str,
) -> Result<(), Reason> {
    let (object, body) = (ObjectDescriptor::topic(topic), Bytes::copy_from_slice(body.as_bytes()));
    let put = session.connection.put1(&object, descriptor, &PutOptions::with(flags), body);
    open(&session.manager, put).map(drop)
}

/// A queue manager with so many subscriptions to `a`, each with a queue.
fn subscribed(bench: &Bench, count: usize, attributes: &str) -> Vec<String> {
    let queues: Vec<String> = (0..count).map(|number| format!("S{number}")).collect();
    for queue in &queues {
        bench.mqsc(&format!(
            "DEFINE QLOCAL({queue}) DEFINE SUB('{queue}') TOPICSTR('a') DEST({queue}) {attributes}"
        ));
    }
    queues
}

fn take(session: &mut Session, queue: &str) -> Result<String, Reason> {
    let handle = session.open(queue, INPUT);
    let got = take_from(session, handle);
    let closed = session.connection.close(handle, mqi::CloseOptions::EMPTY);
    open(&session.manager, closed).unwrap();
    got
}

/// Gets a message, without its properties.
fn take_from(session: &mut Session, handle: ObjectHandle) -> Result<String, Reason> {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::NO_PROPERTIES, Wait::No);
    let got = session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20)?.converted();
    Ok(String::from_utf8_lossy(&got.body).into_owned())
}

/// Reads the log behind so many records: for each a letter, and the number of messages that it puts.
fn logged(bench: &Bench, from: usize) -> Vec<(char, usize)> {
    let mut all = Vec::new();
    each_record(bench, |content| {
        all.push(match content {
            Content::Record(Record::PutMany { unit: None, copies }) => ('P', copies.count()),
            Content::Record(Record::PutMany { copies, .. }) => ('p', copies.count()),
            Content::Record(Record::Put { .. }) => ('1', 1),
            Content::Record(Record::Commit { records, .. }) => ('C', *records as usize),
            Content::Record(Record::Backout { .. }) => ('B', 0),
            Content::Fragment(_) => ('f', 0),
            _ => ('-', 0),
        });
    });
    all.split_off(from)
}

fn records(bench: &Bench) -> usize {
    logged(bench, 0).len()
}

#[test]
fn a_publication_outside_units_of_work_is_one_record() {
    let bench = Bench::new();
    let queues = subscribed(&bench, 20, "");
    let mut one = bench.connect();
    let before = records(&bench);
    publish(&mut one, "a", AT_ONCE, "x").unwrap();
    assert_eq!(logged(&bench, before), [('P', 20)]);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    for queue in &queues {
        assert_eq!(take(&mut one, queue).as_deref(), Ok("x"));
        assert_eq!(take(&mut one, queue), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn one_for_nobody_is_not_logged() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let before = records(&bench);
    publish(&mut one, "a", AT_ONCE, "x").unwrap();
    assert_eq!(logged(&bench, before), []);
}

#[test]
fn a_lone_copy_is_a_message_by_itself_and_lasts() {
    let bench = Bench::new();
    let queues = subscribed(&bench, 1, "");
    let mut one = bench.connect();
    let before = records(&bench);
    publish(&mut one, "a", AT_ONCE, "x").unwrap();
    assert_eq!(logged(&bench, before), [('1', 1)]);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    assert_eq!(take(&mut one, &queues[0]).as_deref(), Ok("x"));
    assert_eq!(take(&mut one, &queues[0]), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_lone_copy_that_its_queue_refuses_goes_where_any_would() {
    let bench = Bench::new();
    let queues = subscribed(&bench, 1, "");
    bench.mqsc("DEFINE QLOCAL(DEAD) ALTER QLOCAL(S0) PUT(DISABLED)");
    let mut one = bench.connect();
    assert_eq!(publish(&mut one, "a", AT_ONCE, "x"), Err(Reason::PUBLICATION_FAILURE));
    bench.mqsc("ALTER QMGR DEADQ(DEAD)");
    publish(&mut one, "a", AT_ONCE, "y").unwrap();
    bench.mqsc("ALTER QLOCAL(S0) PUT(ENABLED)");
    assert_eq!(take(&mut one, &queues[0]), Err(Reason::NO_MSG_AVAILABLE));
    let dead = take(&mut one, "DEAD").unwrap();
    assert!(dead.ends_with('y'), "{dead:?}");
}

#[test]
fn in_the_unit_of_work_of_its_publisher_it_stands_and_falls_with_that() {
    let bench = Bench::new();
    subscribed(&bench, 3, "");
    let mut one = bench.connect();
    let before = records(&bench);
    publish(&mut one, "a", WITHIN, "x").unwrap();
    publish(&mut one, "a", WITHIN, "y").unwrap();
    one.commit().unwrap();
    assert_eq!(logged(&bench, before), [('p', 3), ('p', 3), ('C', 6)]);
    let before = records(&bench);
    publish(&mut one, "a", WITHIN, "z").unwrap();
    one.back().unwrap();
    assert_eq!(logged(&bench, before), [('p', 3), ('B', 0)]);
    publish(&mut one, "a", WITHIN, "open").unwrap();
    bench.manager.drive();
    drop(one);
    let bench = bench.crash(Survival::Everything);
    let mut one = bench.connect();
    for queue in ["S0", "S1", "S2"] {
        let got = [take(&mut one, queue), take(&mut one, queue), take(&mut one, queue)];
        assert_eq!(got, [Ok("x".to_owned()), Ok("y".to_owned()), Err(Reason::NO_MSG_AVAILABLE)]);
    }
}

#[test]
fn what_is_retained_stream_copies_reports_and_messages_for_elsewhere_are_in_that_record() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(STREAM) DEFINE QLOCAL(REPORTS) DEFINE QLOCAL(QM2) USAGE(XMITQ) DEFINE QLOCAL(DEAD) \
         ALTER QMGR DEADQ(DEAD) DEFINE QLOCAL(SHUT) PUT(DISABLED) DEFINE QLOCAL(A) STREAMQ(STREAM) \
         DEFINE SUB('a') TOPICSTR('a') DEST(A) USERDATA('own') DEFINE SUB('there') TOPICSTR('a') DEST(THERE) DESTQMGR(QM2) \
         DEFINE SUB('shut') TOPICSTR('a') DEST(SHUT)",
    );
    let mut one = bench.connect();
    let reported = MessageDescriptor {
        report: ReportOptions::COA,
        reply_to_queue: "REPORTS".parse().unwrap(),
        ..message(true)
    };
    let before = records(&bench);
    publish_with(&mut one, "a", &reported, AT_ONCE | PutFlags::RETAIN, "x").unwrap();
    assert_eq!(logged(&bench, before), [('P', 6)]);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let depths = ["A", "STREAM", "QM2", "DEAD", "REPORTS", "SYSTEM.RETAINED.PUB.QUEUE"]
        .map(|queue| bench.depth(queue));
    assert_eq!(depths, [1; 6]);
    let mut one = bench.connect();
    assert_eq!(take(&mut one, "A").as_deref(), Ok("x"));
    assert!(take(&mut one, "QM2").unwrap().ends_with('x'));
    assert!(take(&mut one, "DEAD").unwrap().ends_with('x'));
    bench.mqsc("DEFINE QLOCAL(LATE) DEFINE SUB('late') TOPICSTR('a') DEST(LATE)");
    assert_eq!(take(&mut one, "LATE").as_deref(), Ok("x"));
}

#[test]
fn a_body_too_long_for_a_record_is_in_the_log_once() {
    let bench = Bench::new();
    let queues = subscribed(&bench, 5, "");
    let mut one = bench.connect();
    let body = "long ".repeat(40_000);
    let pieces = body.len().div_ceil(FRAGMENT_BYTES);
    let before = records(&bench);
    publish(&mut one, "a", AT_ONCE, &body).unwrap();
    let expected: Vec<_> = std::iter::repeat_n(('f', 0), pieces).chain([('P', 5)]).collect();
    assert_eq!(logged(&bench, before), expected);
    let free = bench.manager.log().statistics().log_bytes_free;
    publish(&mut one, "a", AT_ONCE, &body).unwrap();
    bench.manager.drive();
    let taken = free - bench.manager.log().statistics().log_bytes_free;
    assert!(taken < body.len() as u64 * 3 / 2, "what was set aside comes back: {taken}");
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    for queue in &queues {
        assert!(take(&mut one, queue).as_ref() == Ok(&body) && take(&mut one, queue).as_ref() == Ok(&body));
    }
}

#[test]
fn more_subscribers_than_a_record_takes_have_several_in_one_unit_and_the_body_once() {
    // What the copies may need at most is set aside first.
    let storage = storage::Settings { primary_extents: 16, ..settings().storage };
    let bench = Bench::with(Settings { storage, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(ALL) MAXDEPTH(10000)");
    for number in 0..1_600 {
        bench.mqsc(&format!("DEFINE SUB('{number}') TOPICSTR('a') DEST(ALL)"));
        if number % 50 == 0 {
            bench.keep_house();
        }
    }
    let mut one = bench.connect();
    let before = records(&bench);
    publish(&mut one, "a", AT_ONCE, "x").unwrap();
    let said = logged(&bench, before);
    let [('f', 0), ('p', first), ('p', second), ('C', 1_600)] = said[..] else { panic!("{said:?}") };
    assert!(first + second == 1_600 && first > 1_300, "{first}");
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.depth("ALL"), 1_600);
    let mut one = bench.connect();
    let all = one.open("ALL", INPUT);
    assert!((0..1_600).all(|_| take_from(&mut one, all).as_deref() == Ok("x")));
}

#[test]
fn a_copy_is_read_back_from_the_log_and_from_the_store() {
    let small = Settings { memory_budget_bytes: 1 << 20, ..settings() };
    let storage = storage::Settings { primary_extents: 2, ..small.storage };
    let bench = Bench::with(Settings { storage, ..small }, 1);
    let queues = subscribed(&bench, 4, "");
    let mut one = bench.connect();
    let body = |number: usize| format!("{number:04} {}", "x".repeat(4_000));
    // More than the log: the first are moved to the store, and hardly any is in memory.
    for number in 0..1_500 {
        publish(&mut one, "a", if number % 3 == 0 { WITHIN } else { AT_ONCE }, &body(number)).unwrap();
        if number % 3 == 0 {
            one.commit().unwrap();
        }
        if number % 20 == 0 {
            bench.keep_house();
        }
    }
    assert!(bench.manager.figures().memory_used() < 4 << 20, "{}", bench.manager.figures().memory_used());
    assert!(bench.manager.log().statistics().messages_stored > 0);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    for queue in &queues {
        let handle = one.open(queue, INPUT);
        for number in 0..1_500 {
            assert_eq!(take_from(&mut one, handle), Ok(body(number)));
            if number % 100 == 0 {
                bench.keep_house();
            }
        }
        assert_eq!(take_from(&mut one, handle), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn a_queue_that_is_deleted_or_has_a_unit_open_takes_nothing_from_the_others() {
    let bench = Bench::new();
    subscribed(&bench, 3, "");
    let mut one = bench.connect();
    publish(&mut one, "a", AT_ONCE, "x").unwrap();
    let mut two = bench.connect();
    let held = two.open("S0", INPUT);
    let within = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
    two.get_with(held, &MessageDescriptor::default(), &within, 1 << 20).unwrap();
    bench.mqsc("DELETE SUB('S1')");
    bench.mqsc("DELETE QLOCAL(S1) PURGE");
    publish(&mut one, "a", AT_ONCE, "y").unwrap();
    bench.manager.drive();
    drop((one, two));
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    for queue in ["S0", "S2"] {
        assert_eq!(take(&mut one, queue).as_deref(), Ok("x"), "{queue}");
        assert_eq!(take(&mut one, queue).as_deref(), Ok("y"), "{queue}");
    }
}

#[test]
fn copies_expire_each_by_itself_also_after_a_restart() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(SHORT) CUSTOM('CAPEXPRY(20)') DEFINE QLOCAL(LONG) DEFINE SUB('short') TOPICSTR('a') DEST(SHORT) \
         DEFINE SUB('long') TOPICSTR('a') DEST(LONG)",
    );
    let mut one = bench.connect();
    publish(&mut one, "a", AT_ONCE, "x").unwrap();
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    bench.pass(std::time::Duration::from_secs(3));
    let mut one = bench.connect();
    assert_eq!(take(&mut one, "SHORT"), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(take(&mut one, "LONG").as_deref(), Ok("x"));
}
