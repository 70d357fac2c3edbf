//! Dead letters at a queue manager, and their handling.

use std::time::{Duration, Instant};

use bytes::Bytes;
use formats::headers::{Chain, DeadLetterHeader, Header, Place};
use moves::dead_letters::handler::{Go, Passed, SystemQueues};
use moves::dead_letters::{Done, Handler, Obstacle, Outcome, RulesTable};
use mqi::{
    Encoding, MessageDescriptor, MessageId, ObjectDescriptor, ObjectName, Persistence, PutApplicationType,
    PutFlags, PutOptions, Reason, Text, Verbs,
};

use crate::bench::Bench;

const DEAD: &str = "DEAD";
const INTERVAL: Duration = Duration::from_secs(60);

impl Bench {
    /// Puts a letter that was for a queue.
    fn bury(&self, queue: &str, reason: Reason, body: &str) {
        let place = Place { format: Text::truncated("MQSTR"), coded_character_set: 1208, ..Place::default() };
        let header = DeadLetterHeader {
            reason: reason.code(),
            destination_queue: Text::truncated(queue),
            destination_queue_manager: Text::truncated("QM1"),
            following: place,
            put_application_type: PutApplicationType::QMGR,
            put_application_name: Text::truncated("QM1"),
            put_date: Text::BLANK,
            put_time: Text::BLANK,
        };
        let chain = Chain {
            headers: vec![Header::DeadLetter(header)],
            place,
            data: Bytes::copy_from_slice(body.as_bytes()),
        };
        let (place, body) = chain.write(Encoding::NATIVE, 1208).unwrap();
        let mut descriptor = MessageDescriptor {
            persistence: Persistence::Persistent,
            application_identity_data: Text::truncated("kept").into(),
            ..MessageDescriptor::default()
        };
        place.describe(&mut descriptor);
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SET_ALL_CONTEXT);
        self.connect().put1(&object(DEAD), &mut descriptor, &mut options, body).unwrap();
    }

    fn bodies(&self, queue: &str) -> Vec<Bytes> {
        self.take(queue).into_iter().map(|(_, body)| body).collect()
    }
}

/// A queue manager with a dead-letter queue.
fn bench(mqsc: &str) -> Bench {
    Bench::new(&format!("DEFINE QLOCAL({DEAD})\n{mqsc}"))
}

fn object(queue: &str) -> ObjectDescriptor {
    ObjectDescriptor::queue(queue.parse().unwrap())
}

fn rules(text: &str) -> RulesTable {
    RulesTable::parse(text).unwrap()
}

fn dead() -> ObjectName {
    DEAD.parse().unwrap()
}

/// One pass; what it came to and what was told.
fn pass(handler: &mut Handler<'_>, table: &RulesTable, now: Instant) -> (Passed, Vec<Outcome>) {
    let mut told = Vec::new();
    let passed = handler
        .pass(&table.rules, INTERVAL, now, |_, outcome| {
            told.push(outcome.clone());
            Go::On
        })
        .unwrap();
    (passed, told)
}

#[test]
fn letters_go_where_the_first_rule_that_fits_says() {
    let bench = bench("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)");
    bench.bury("A", Reason::Q_FULL, "again");
    bench.bury("X.1", Reason::UNKNOWN_OBJECT_NAME, "forwarded");
    bench.bury("X.2", Reason::UNKNOWN_OBJECT_NAME, "with header");
    bench.bury("Y", Reason::UNKNOWN_OBJECT_NAME, "gone");
    bench.bury("Z", Reason::UNKNOWN_OBJECT_NAME, "stays");
    let table = rules(
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\nDESTQ(X.1) ACTION(FWD) FWDQ(B) HEADER(NO)\n\
         DESTQ(X.*) ACTION(FWD) FWDQ(B)\nDESTQ(Y) ACTION(DISCARD)\nDESTQ(Z) ACTION(IGNORE)\n",
    );
    let mut connection = bench.connect();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    let (passed, told) = pass(&mut handler, &table, Instant::now());
    assert_eq!(passed, Passed { handled: 4, pending: 0, left: 1 });
    let by_rule: Vec<_> = told.iter().map(|outcome| outcome.rule).collect();
    assert_eq!(by_rule, [0, 1, 2, 3, 4].map(Some));
    assert_eq!(told[3].result, Ok(Done::Discarded));
    assert_eq!(pass(&mut handler, &table, Instant::now()), (Passed { left: 1, ..Passed::default() }, vec![]));
    handler.close().unwrap();
    let (descriptor, body) = bench.take("A").remove(0);
    assert_eq!(&body[..], b"again");
    assert_eq!(
        (descriptor.format.as_str(), descriptor.application_identity_data.as_str()),
        ("MQSTR", "kept")
    );
    assert_eq!(descriptor.persistence, Persistence::Persistent);
    let forwarded = bench.bodies("B");
    assert_eq!((&forwarded[0][..], forwarded[1].len()), (&b"forwarded"[..], 172 + "with header".len()));
    assert_eq!(bench.take(DEAD).len(), 1);
}

#[test]
fn a_rule_is_tried_as_often_as_it_says_and_then_the_next() {
    let bench = bench("DEFINE QLOCAL(FULL) MAXDEPTH(1)\nDEFINE QLOCAL(B)");
    bench
        .connect()
        .put1(
            &object("FULL"),
            &mut MessageDescriptor::default(),
            &mut PutOptions::with(PutFlags::NO_SYNCPOINT),
            "in the way".into(),
        )
        .unwrap();
    bench.bury("FULL", Reason::Q_FULL, "letter");
    let table = rules("ACTION(RETRY) RETRY(2)\nACTION(FWD) FWDQ(B) HEADER(NO)");
    let mut connection = bench.connect();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    let first = Instant::now();
    let (passed, told) = pass(&mut handler, &table, first);
    assert_eq!((passed.pending, told[0].result.clone()), (1, Err(Reason::Q_FULL.into())));
    let (passed, told) = pass(&mut handler, &table, first + INTERVAL / 2);
    assert_eq!((passed.pending, told.len()), (1, 0), "it is not yet time");
    let (passed, told) = pass(&mut handler, &table, first + INTERVAL);
    assert_eq!(passed.handled, 1);
    let results: Vec<_> = told.into_iter().map(|outcome| (outcome.rule, outcome.result.is_ok())).collect();
    assert_eq!(results, [(Some(0), false), (Some(1), true)]);
    assert_eq!(bench.bodies("B"), ["letter"]);
    assert_eq!(bench.bodies("FULL"), ["in the way"]);
}

#[test]
fn a_letter_that_no_rule_could_move_stays_as_it_was() {
    let bench = bench("");
    bench.bury("NOWHERE", Reason::Q_FULL, "letter");
    let table = rules("ACTION(RETRY)");
    let mut connection = bench.connect();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    let (passed, told) = pass(&mut handler, &table, Instant::now());
    assert_eq!(passed, Passed { left: 1, ..Passed::default() });
    let results: Vec<_> = told.into_iter().map(|outcome| outcome.result).collect();
    assert_eq!(results, [Err(Reason::UNKNOWN_OBJECT_NAME.into()), Ok(Done::Stays)]);
    handler.close().unwrap();
    let left = bench.take(DEAD);
    assert_eq!((left.len(), left[0].0.backout_count), (1, 0));
}

#[test]
fn a_message_without_a_header_is_nobody_s_letter() {
    let bench = bench("");
    bench
        .connect()
        .put1(
            &object(DEAD),
            &mut MessageDescriptor::default(),
            &mut PutOptions::with(PutFlags::NO_SYNCPOINT),
            "plain".into(),
        )
        .unwrap();
    let table = rules("ACTION(DISCARD)");
    let mut connection = bench.connect();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    assert_eq!(pass(&mut handler, &table, Instant::now()).0, Passed { left: 1, ..Passed::default() });
    let mut taking = table.clone();
    taking.rules[0].pattern.takes_headerless = true;
    handler.close().unwrap();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    assert_eq!(pass(&mut handler, &taking, Instant::now()).0.handled, 1);
}

#[test]
fn a_letter_leads_to_a_queue_of_the_system_only_where_that_was_said() {
    let bench = bench(
        "DEFINE QALIAS(DOOR) TARGET(SYSTEM.ADMIN.COMMAND.QUEUE)\nDEFINE QALIAS(OTHER) TARGET(SYSTEM.DEFAULT.LOCAL.QUEUE)",
    );
    let system = "SYSTEM.DEFAULT.LOCAL.QUEUE";
    for queue in [system, "SYSTEM.ADMIN.COMMAND.QUEUE", "DOOR", "OTHER"] {
        bench.bury(queue, Reason::Q_FULL, "DELETE QLOCAL(A)");
    }
    let mut connection = bench.connect();
    for rule in
        ["ACTION(RETRY)", "ACTION(FWD) FWDQ(&DESTQ) HEADER(NO)", "ACTION(FWD) FWDQ(&DESTQ) PUTAUT(CTX)"]
    {
        let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
        let (passed, told) = pass(&mut handler, &rules(rule), Instant::now());
        assert_eq!(passed, Passed { left: 4, ..Passed::default() }, "{rule}");
        let refused =
            told.iter().filter(|outcome| outcome.result == Err(Reason::NOT_AUTHORIZED.into())).count();
        assert_eq!(refused, 4, "{rule}: {told:?}");
        handler.close().unwrap();
    }
    assert!(bench.take(system).is_empty() && bench.take("SYSTEM.ADMIN.COMMAND.QUEUE").is_empty());
    let named = rules(&format!("DESTQ(OTHER) ACTION(FWD) FWDQ({system}) HEADER(NO)"));
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    assert_eq!(pass(&mut handler, &named, Instant::now()).0.handled, 1, "the rule's own word");
    handler.close().unwrap();
    let handler = Handler::open(&mut connection, dead(), true).unwrap();
    let mut handler = handler.with_system_queues(SystemQueues::Allowed);
    assert_eq!(
        pass(&mut handler, &rules(&format!("DESTQ({system}) ACTION(RETRY)")), Instant::now()).0.handled,
        1
    );
    handler.close().unwrap();
    assert_eq!(bench.take(system).len(), 2);
}

#[test]
fn a_letter_that_somebody_took_meanwhile_is_put_nowhere() {
    let bench = bench("DEFINE QLOCAL(A)");
    bench.bury("A", Reason::Q_FULL, "letter");
    let mut connection = bench.connect();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    let mut letters = Vec::new();
    handler
        .each(|letter| {
            letters.push(letter.clone());
            Go::On
        })
        .unwrap();
    assert_eq!(bench.take(DEAD).len(), 1);
    let retry = &rules("ACTION(RETRY)").rules[0].action;
    assert_eq!(handler.carry_out(retry, &letters[0]), Err(Reason::NO_MSG_AVAILABLE.into()));
    assert_eq!(bench.take("A").len(), 0);
    assert_ne!(letters[0].descriptor.message_id, MessageId::NONE);
}

#[test]
fn a_rule_that_leads_back_to_the_queue_that_is_read_is_not_carried_out() {
    let bench =
        bench(&format!("DEFINE QALIAS(ITSELF) TARGET({DEAD})\nDEFINE QREMOTE(HERE) RNAME(' ') RQMNAME(QM1)"));
    let mut connection = bench.connect();
    for way in
        ["FWDQ(DEAD)", "FWDQ(DEAD) FWDQM(QM1)", "FWDQ(DEAD) FWDQM(HERE)", "FWDQ(ITSELF)", "FWDQ(&DESTQ)"]
    {
        for header in ["HEADER(YES)", "HEADER(NO)"] {
            bench.bury(DEAD, Reason::Q_FULL, "letter");
            for read in [DEAD, "ITSELF"] {
                let mut handler = Handler::open(&mut connection, read.parse().unwrap(), true).unwrap();
                let table = rules(&format!("ACTION(FWD) {way} {header}\n"));
                let (passed, told) = pass(&mut handler, &table, Instant::now());
                assert_eq!(passed, Passed { left: 1, ..Passed::default() }, "{way} {header} from {read}");
                assert_eq!(told[0].result, Err(Obstacle::SameQueue), "{way} {header} from {read}");
                handler.close().unwrap();
            }
            let letters = bench.take(DEAD);
            assert_eq!((letters.len(), letters[0].0.backout_count), (1, 0), "{way} {header}");
        }
    }
    bench.bury(DEAD, Reason::Q_FULL, "letter");
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    let (_, told) = pass(&mut handler, &rules("ACTION(RETRY)\nACTION(DISCARD)"), Instant::now());
    let results: Vec<_> = told.into_iter().map(|outcome| outcome.result).collect();
    assert_eq!(results, [Err(Obstacle::SameQueue), Ok(Done::Discarded)], "the next rule is tried");
}

#[test]
fn letters_that_two_handlers_forward_to_each_other_turn_once_in_an_interval() {
    let bench = bench("DEFINE QLOCAL(OTHER)");
    for number in 0..10 {
        bench.bury("NOWHERE", Reason::Q_FULL, &format!("letter {number}"));
    }
    let (mut first, mut second) = (bench.connect(), bench.connect());
    let mut there = Handler::open(&mut first, dead(), true).unwrap();
    let mut back = Handler::open(&mut second, "OTHER".parse().unwrap(), true).unwrap();
    let (to_other, to_dead) = (rules("ACTION(FWD) FWDQ(OTHER)"), rules("ACTION(FWD) FWDQ(DEAD)"));
    let start = Instant::now();
    for turn in 0..3 {
        let now = start + INTERVAL * turn;
        assert_eq!(pass(&mut there, &to_other, now).0.handled, 10, "turn {turn}");
        assert_eq!(pass(&mut back, &to_dead, now).0.handled, 10, "turn {turn}");
        for looks in 0..3 {
            let (passed, told) = pass(&mut there, &to_other, now + INTERVAL / 2);
            assert_eq!(passed, Passed { left: 10, ..Passed::default() }, "turn {turn}, look {looks}");
            assert!(told.is_empty(), "{told:?}");
        }
    }
    bench.bury("NOWHERE", Reason::Q_FULL, "a new one");
    let passed = pass(&mut there, &to_other, start + INTERVAL * 2).0;
    assert_eq!((passed.handled, passed.left), (1, 10), "a new letter does not wait");
}

#[test]
fn a_letter_that_a_subscription_brings_back_is_forwarded_once() {
    let bench = bench(&format!(
        "DEFINE TOPIC(LETTERS) TOPICSTR('letters')\nDEFINE QALIAS(ROUND) TARGET(LETTERS) TARGTYPE(TOPIC)\n\
         DEFINE SUB(S) TOPICSTR('letters') DEST({DEAD})"
    ));
    bench.bury("NOWHERE", Reason::Q_FULL, "letter");
    let mut connection = bench.connect();
    let mut handler = Handler::open(&mut connection, dead(), true).unwrap();
    let table = rules("ACTION(FWD) FWDQ(ROUND)");
    for handled in [1, 0, 0] {
        let passed = pass(&mut handler, &table, Instant::now()).0;
        assert_eq!(passed, Passed { handled, pending: 0, left: 1 });
    }
    assert_eq!(bench.take(DEAD).len(), 1);
}
