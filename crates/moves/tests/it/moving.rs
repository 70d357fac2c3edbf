//! Messages moved at a queue manager.

use bytes::Bytes;
use moves::{Go, Moved, MovesError, Plan, run};
use mqi::{
    CorrelationId, MessageDescriptor, MessageId, ObjectDescriptor, ObjectName, Persistence, Priority,
    PutFlags, PutOptions, Reason, ReportOptions, Text, Verbs as _,
};

use crate::bench::Bench;

fn name(text: &str) -> ObjectName {
    text.parse().unwrap()
}

impl Bench {
    /// Puts a message with a descriptor whose every part is to survive.
    fn put(&self, queue: &str, number: u8, change: impl FnOnce(&mut MessageDescriptor)) {
        let mut descriptor = MessageDescriptor {
            message_id: MessageId::from_bytes([number; 24]),
            correlation_id: CorrelationId::from_bytes([number % 2; 24]),
            persistence: Persistence::Persistent,
            priority: Priority::new(number % 3),
            user_identifier: Text::truncated("putter"),
            application_identity_data: Text::truncated("kept").into(),
            put_application_name: Text::truncated("orders"),
            put_date: Text::truncated("20250102"),
            put_time: Text::truncated("03040506"),
            reply_to_queue: Text::truncated("REPLIES").into(),
            format: Text::truncated("MQSTR"),
            ..MessageDescriptor::default()
        };
        change(&mut descriptor);
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SET_ALL_CONTEXT);
        let queue = ObjectDescriptor::queue(name(queue));
        let body = Bytes::from(format!("body {number}"));
        self.connect().put1(&queue, &mut descriptor, &mut options, body).unwrap();
    }

    fn numbers(&self, queue: &str) -> Vec<u8> {
        let mut numbers: Vec<u8> =
            self.take(queue).iter().map(|(descriptor, _)| descriptor.message_id.as_bytes()[0]).collect();
        numbers.sort_unstable();
        numbers
    }

    fn run(&self, plan: &Plan) -> Result<Moved, MovesError> {
        run(&mut self.connect(), plan, |_| Go::On)
    }
}

fn bench() -> Bench {
    Bench::new("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QALIAS(AA) TARGET(A)")
}

fn plan() -> Plan {
    Plan::between(name("A"), name("B"))
}

#[test]
fn a_moved_message_is_the_message_it_was() {
    let bench = bench();
    bench.put("A", 1, |_| {});
    bench.put("B", 2, |_| {});
    let before = bench.take("A");
    bench.put("A", 1, |_| {});
    assert_eq!(bench.run(&plan()), Ok(Moved { messages: 1, bytes: 6, ..Moved::default() }));
    assert_eq!(bench.take("A"), []);
    let after = bench.take("B");
    let moved = after.iter().find(|(descriptor, _)| descriptor.message_id.as_bytes()[0] == 1).unwrap();
    assert_eq!(*moved, before[0]);
}

#[test]
fn a_copy_leaves_the_messages_where_they_are() {
    let bench = bench();
    (1..=5).for_each(|number| bench.put("A", number, |_| {}));
    let copied = bench.run(&Plan { copies: true, batch: 2, ..plan() }).unwrap();
    assert_eq!(copied.messages, 5);
    assert_eq!(bench.numbers("A"), [1, 2, 3, 4, 5]);
    assert_eq!(bench.numbers("B"), [1, 2, 3, 4, 5]);
}

#[test]
fn messages_are_chosen_by_identifier_selector_and_number() {
    for (chosen, expected) in [
        (Plan { message_id: MessageId::from_bytes([3; 24]), ..plan() }, vec![3]),
        (Plan { correlation_id: CorrelationId::from_bytes([1; 24]), ..plan() }, vec![1, 3, 5]),
        (Plan { selector: "JMSPriority = 2".to_owned(), ..plan() }, vec![2, 5]),
        (Plan { most: 0, ..plan() }, vec![]),
        (Plan { message_id: MessageId::from_bytes([9; 24]), ..plan() }, vec![]),
    ] {
        let bench = bench();
        (1..=6).for_each(|number| bench.put("A", number, |_| {}));
        let moved = bench.run(&chosen).unwrap();
        assert_eq!(moved.messages, expected.len() as u64, "{chosen:?}");
        assert_eq!(bench.numbers("B"), expected, "{chosen:?}");
        assert_eq!(bench.take("A").len(), 6 - expected.len(), "{chosen:?}");
    }
}

#[test]
fn every_message_is_at_one_place_when_the_target_becomes_full() {
    for batch in [1, 2, 3, 100] {
        let bench = bench();
        bench.manager.command("ALTER QLOCAL(B) MAXDEPTH(4)").unwrap();
        // Priorities are alike, so that the order of arrival decides.
        (1..=7).for_each(|number| bench.put("A", number, |message| message.priority = Priority::new(0)));
        let error = bench.run(&Plan { batch, ..plan() }).unwrap_err();
        let MovesError::Put { queue, message, reason, moved } = error else { panic!("{error}") };
        assert_eq!((queue, reason), (name("B"), Reason::Q_FULL), "{batch}");
        assert_eq!(message.as_bytes()[0], 5, "{batch}");
        assert_eq!(moved.messages, 4, "{batch}");
        assert_eq!(bench.numbers("A"), [5, 6, 7], "{batch}");
        assert_eq!(bench.numbers("B"), [1, 2, 3, 4], "{batch}");
    }
}

#[test]
fn two_names_of_one_queue_are_refused() {
    let bench = bench();
    bench.put("A", 1, |_| {});
    for (from, to) in [("A", "A"), ("AA", "A"), ("A", "AA")] {
        let error = bench.run(&Plan::between(name(from), name(to))).unwrap_err();
        assert!(matches!(error, MovesError::SameQueue { queue, .. } if queue == name("A")), "{error}");
    }
    assert_eq!(bench.numbers("A"), [1]);
}

#[test]
fn a_way_back_to_the_source_ends_with_the_messages_that_were_there() {
    let bench = bench();
    bench
        .manager
        .command("DEFINE TOPIC(T) TOPICSTR('t')\nDEFINE QALIAS(OUT) TARGET(T) TARGTYPE(TOPIC)\nDEFINE SUB(S) TOPICSTR('t') DEST(A)")
        .unwrap();
    (1..=3).for_each(|number| bench.put("A", number, |_| {}));
    let moved = bench.run(&Plan { batch: 1, ..Plan::between(name("A"), name("OUT")) }).unwrap();
    assert_eq!(moved.messages, 3);
    assert_eq!(bench.take("A").len(), 3);
}

#[test]
fn a_queue_that_is_not_there_or_does_not_take_messages_is_named() {
    let bench = bench();
    bench.put("A", 1, |_| {});
    for (from, to, wrong) in [("NONE", "B", "NONE"), ("A", "NONE", "NONE")] {
        let error = bench.run(&Plan::between(name(from), name(to))).unwrap_err();
        let opened = MovesError::Open { queue: name(wrong), reason: Reason::UNKNOWN_OBJECT_NAME };
        assert_eq!(error, opened);
    }
    bench.manager.command("ALTER QLOCAL(B) PUT(DISABLED)").unwrap();
    let error = bench.run(&plan()).unwrap_err();
    assert_eq!((error.reason(), error.moved()), (Some(Reason::PUT_INHIBITED), Moved::default()));
    assert_eq!(bench.numbers("A"), [1]);
}

#[test]
fn the_caller_ends_a_move_between_units_of_work() {
    let bench = bench();
    (1..=6).for_each(|number| bench.put("A", number, |_| {}));
    let mut heard = Vec::new();
    let moved = run(&mut bench.connect(), &Plan { batch: 2, ..plan() }, |moved| {
        heard.push(moved.messages);
        if moved.messages >= 4 { Go::Stop } else { Go::On }
    });
    let moved = moved.unwrap();
    assert_eq!((heard, moved.messages, moved.is_cut_off), (vec![2, 4], 4, true));
    assert_eq!((bench.take("A").len(), bench.take("B").len()), (2, 4));
}

#[test]
fn messages_that_ask_for_reports_are_counted() {
    let bench = bench();
    bench.manager.command("DEFINE QLOCAL(REPLIES)").unwrap();
    bench.put("A", 1, |message| message.report = ReportOptions::COD);
    bench.put("A", 2, |_| {});
    let _ = bench.take("REPLIES");
    assert_eq!(bench.run(&plan()).unwrap().reported, 1);
    assert_eq!(bench.take("REPLIES").len(), 1, "the get of the move confirmed a delivery");
}
