//! Publications that take a shorter way since few or none hear them: what they say, and what is refused, is
//! as by the longer one.

use bytes::Bytes;
use mqi::{
    Body, CorrelationId, Expiry, GetFlags, GetOptions, MessageDescriptor, MessageFlags, MessageId,
    ObjectDescriptor, ObjectHandle, OpenOptions, Priority, PutFlags, PutOptions, Reason, ReportOptions, Wait,
};
use queue_manager::GotMessage;

use crate::support::{Bench, INPUT, OUTPUT, Session, message, open};

const AT_ONCE: PutFlags = PutFlags::NO_SYNCPOINT;

fn open_topic(session: &mut Session, string: &str, options: OpenOptions) -> ObjectHandle {
    let opened = session.connection.open(&ObjectDescriptor::topic(string), OUTPUT | options);
    open(&session.manager, opened).unwrap().handle
}

/// Publishes and waits for the answer, or for none; the descriptor that is answered.
fn publish(
    session: &mut Session,
    topic: ObjectHandle,
    descriptor: &MessageDescriptor,
    (options, body): (&PutOptions, &str),
    is_answered: bool,
) -> Result<(Option<MessageDescriptor>, Option<Reason>), Reason> {
    let body = body.as_bytes();
    if is_answered {
        let put = session.connection.put(topic, descriptor, options, Bytes::copy_from_slice(body));
        return open(&session.manager, put)
            .map(|done| (Some(MessageDescriptor::clone(&done.descriptor)), done.warning));
    }
    let put = session.connection.put_without_reply(topic, descriptor, options, Body::Lent(body));
    open(&session.manager, put).map(|warning| (None, warning))
}

fn take(session: &mut Session, queue: &str) -> Result<GotMessage, Reason> {
    let handle = session.open(queue, INPUT);
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::PROPERTIES_FORCE_MQRFH2;
    let options = GetOptions::with(flags, Wait::No);
    session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20).map(GotMessage::converted)
}

/// Messages of many kinds, and how they are put.
fn publications() -> Vec<(MessageDescriptor, PutOptions, &'static str)> {
    let plain = || message(false);
    let at_once = || PutOptions::with(AT_ONCE);
    let string = MessageDescriptor::string_format();
    let asks = MessageDescriptor {
        report: ReportOptions::COD | ReportOptions::EXPIRATION,
        reply_to_queue: "ANSWERS".parse().unwrap(),
        ..plain()
    };
    let split = MessageDescriptor { message_flags: MessageFlags::SEGMENTATION_ALLOWED, ..plain() };
    let named = MessageDescriptor {
        message_id: MessageId([7; 24]),
        correlation_id: CorrelationId([8; 24]),
        user_identifier: mqi::Text::truncated("somebody"),
        application_identity_data: mqi::Text::truncated("whose").into(),
        ..plain()
    };
    vec![
        (plain(), at_once(), ""),
        (MessageDescriptor::default(), at_once(), "as the topic says"),
        (message(true), at_once(), "lasts"),
        (MessageDescriptor { format: string, coded_character_set: 819, ..plain() }, at_once(), "a text"),
        (
            MessageDescriptor { priority: Priority::new(11), expiry: Expiry::tenths(50), ..plain() },
            at_once(),
            "b",
        ),
        (asks.clone(), at_once(), "asks"),
        // A report would need the reply queue.
        (
            MessageDescriptor { report: ReportOptions::EMPTY, ..asks },
            PutOptions::with(AT_ONCE | PutFlags::SUPPRESS_REPLYTO),
            "asks nobody",
        ),
        (
            MessageDescriptor {
                report: ReportOptions::COA,
                reply_to_queue: "ANSWERS".parse().unwrap(),
                ..plain()
            },
            at_once(),
            "c",
        ),
        (split, at_once(), "d"),
        (named.clone(), PutOptions::with(AT_ONCE | PutFlags::NEW_MSG_ID | PutFlags::NEW_CORREL_ID), "new"),
        (named.clone(), PutOptions::with(AT_ONCE | PutFlags::SET_IDENTITY_CONTEXT), "by somebody"),
        (named, PutOptions::with(AT_ONCE | PutFlags::NO_CONTEXT), "by nobody"),
        (plain(), PutOptions { publication_level: 0, ..at_once() }, "below all"),
        (plain(), PutOptions::with(AT_ONCE | PutFlags::WARN_IF_NO_SUBS_MATCHED), "e"),
    ]
}

#[test]
fn a_lone_copy_says_what_it_would_beside_others() {
    const QUEUES: &str = "DEFINE QLOCAL(A) DEFPRTY(3) DEFINE QLOCAL(B) DEFINE QLOCAL(ANSWERS)";
    for subscription in [
        "",
        "PSPROP(NONE) SUBUSER(board)",
        "PSPROP(RFH2) PUBPRTY(ASQDEF)",
        "PUBPRTY(7) DESTCORL(414243000000000000000000000000000000000000000000)",
        "USERDATA('for a') PUBACCT(01) PUBAPPID('mine')",
        "REQONLY(YES)",
        "SELECTOR('MQMD.Priority > 2')",
    ] {
        for (descriptor, options, body) in publications() {
            for is_answered in [true, false] {
                let case = format!("{subscription} {body} {is_answered}");
                let [alone, beside] = [false, true].map(|is_beside| {
                    let bench = Bench::new();
                    let one = format!("DEFINE SUB('a') TOPICSTR('price/tin') DEST(A) {subscription}");
                    bench.mqsc(&format!("{QUEUES} {one}"));
                    let other = if is_beside { "price/tin" } else { "elsewhere" };
                    bench.mqsc(&format!("DEFINE SUB('b') TOPICSTR('{other}') DEST(B)"));
                    let mut session = bench.connect();
                    let topic = open_topic(&mut session, "price/tin", OpenOptions::SET_IDENTITY_CONTEXT);
                    let told = publish(&mut session, topic, &descriptor, (&options, body), is_answered);
                    let warns = options.flags.contains(PutFlags::WARN_IF_NO_SUBS_MATCHED);
                    let told = told.map(|(shown, remark)| (shown, remark.filter(|_| !warns)));
                    let got = take(&mut session, "A").map(|got| {
                        let descriptor = MessageDescriptor::clone(&got.descriptor);
                        (descriptor, got.body, got.data_length, got.warning)
                    });
                    let passed = bench.told("DISPLAY TPSTATUS('price/tin') TYPE(PUB)").contains("NUMPUBS(1)");
                    let arrived_beside =
                        is_beside && descriptor.report.contains(ReportOptions::COA) && told.is_ok();
                    (told, got, passed, bench.depth("ANSWERS") - i32::from(arrived_beside))
                });
                assert_eq!(alone, beside, "{case}");
                assert!(alone.2, "{case}");
            }
        }
    }
}

#[test]
fn copies_that_say_the_same_are_what_each_would_be_alone() {
    for subscription in ["", "PUBPRTY(ASQDEF)", "PSPROP(NONE)", "PSPROP(RFH2)", "SUBUSER(board)"] {
        for (descriptor, options, body) in publications() {
            let hears = |queues: &[&str]| {
                let bench = Bench::new();
                bench.mqsc("DEFINE QLOCAL(ANSWERS)");
                for queue in ["A", "B", "C"] {
                    bench.mqsc(&format!("DEFINE QLOCAL({queue}) DEFPRTY(3)"));
                }
                for queue in ["A", "B", "C"] {
                    let string = if queues.contains(&queue) { "price/tin" } else { "elsewhere" };
                    let one = format!("DEFINE SUB('{queue}') TOPICSTR('{string}') DEST({queue})");
                    let correlation_id = "4142434445464748494A4B4C4D4E4F505152535455565758";
                    bench.mqsc(&format!("{one} DESTCORL({correlation_id}) {subscription}"));
                }
                let mut session = bench.connect();
                let topic = open_topic(&mut session, "price/tin", OpenOptions::SET_IDENTITY_CONTEXT);
                let told = publish(&mut session, topic, &descriptor, (&options, body), false);
                let copies: Vec<_> = queues
                    .iter()
                    .map(|queue| {
                        take(&mut session, queue).map(|got| {
                            let descriptor = MessageDescriptor::clone(&got.descriptor);
                            (descriptor, got.body, got.data_length, got.warning)
                        })
                    })
                    .collect();
                (told, copies)
            };
            let (told, alone) = hears(&["C"]);
            let (told_of_all, all) = hears(&["A", "B", "C"]);
            assert_eq!((told, &alone[0]), (told_of_all, &all[2]), "{subscription} {body}");
            assert_eq!(all[1], all[2], "{subscription} {body}");
        }
    }
}

#[test]
fn copies_that_say_the_same_follow_what_their_queues_have_become() {
    let bench = Bench::new();
    for queue in ["A", "B", "C"] {
        bench.mqsc(&format!("DEFINE QLOCAL({queue}) DEFPRTY(3)"));
        bench.mqsc(&format!("DEFINE SUB('{queue}') TOPICSTR('x') DEST({queue}) PUBPRTY(ASQDEF)"));
    }
    let mut session = bench.connect();
    let topic = open_topic(&mut session, "x", OpenOptions::EMPTY);
    let mut priorities = |change: &str| {
        bench.mqsc(change);
        let options = PutOptions::with(AT_ONCE);
        publish(&mut session, topic, &message(false), (&options, "four"), false).unwrap();
        let mut reader = bench.connect();
        ["A", "B", "C"].map(|queue| take(&mut reader, queue).ok().map(|got| got.descriptor.priority.code()))
    };
    assert_eq!(priorities("ALTER QLOCAL(A) DEFPRTY(3)"), [Some(3); 3]);
    assert_eq!(priorities("DELETE QLOCAL(C) DEFINE QLOCAL(C) DEFPRTY(3)"), [Some(3); 3]);
    assert_eq!(priorities("ALTER QLOCAL(B) DEFPRTY(6)"), [Some(3), Some(6), Some(3)]);
    assert_eq!(priorities("ALTER QLOCAL(C) MAXMSGL(3)"), [Some(3), Some(6), None]);
    assert_eq!(priorities("ALTER QLOCAL(C) MAXMSGL(4) PUT(DISABLED)"), [Some(3), Some(6), None]);
    assert_eq!(
        priorities("DEFINE QLOCAL(S) ALTER QLOCAL(C) PUT(ENABLED) STREAMQ(S)"),
        [Some(3), Some(6), Some(3)]
    );
    assert_eq!(bench.depth("S"), 1, "its stream queue has one, too");
    assert_eq!(
        priorities("DELETE QLOCAL(C) DEFINE QLOCAL(C) DEFPRTY(8)"),
        [Some(3), Some(6), Some(8)],
        "the name is that of another queue, whose priority counts"
    );
    assert_eq!(priorities("ALTER QLOCAL(C) DEFPRTY(9)"), [Some(3), Some(6), Some(9)]);
    let status = bench.told("DISPLAY SBSTATUS('C') NUMMSGS");
    assert!(status.contains("NUMMSGS(6)"), "{status}");
}

#[test]
fn what_nobody_hears_is_judged_and_counted_all_the_same() {
    let with = |change: fn(&mut MessageDescriptor)| {
        let mut descriptor = message(false);
        change(&mut descriptor);
        (descriptor, PutOptions::with(AT_ONCE), "x".to_owned())
    };
    let put = |flags| (message(false), PutOptions::with(AT_ONCE | flags), "x".to_owned());
    let level = PutOptions { publication_level: 10, ..PutOptions::with(AT_ONCE) };
    let too_many = Some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
    for ((descriptor, options, body), expected) in [
        (with(|_| {}), Ok(None)),
        (with(|put| put.priority = Priority::new(11)), Ok(too_many)),
        (with(|put| put.message_type = mqi::MessageType::REQUEST), Err(Reason::MISSING_REPLY_TO_Q)),
        (with(|put| put.report = ReportOptions::from_bits(0x0000_0200)), Err(Reason::REPORT_OPTIONS_ERROR)),
        (with(|put| put.message_sequence_number = 0), Err(Reason::MSG_SEQ_NUMBER_ERROR)),
        (with(|put| put.format = mqi::Text::truncated("MQHMDE")), Err(Reason::MDE_ERROR)),
        (with(|put| put.format = mqi::Text::truncated("MQHRF2")), Err(Reason::RFH_ERROR)),
        (put(PutFlags::LOGICAL_ORDER), Err(Reason::OPTIONS_ERROR)),
        (put(PutFlags::SET_ALL_CONTEXT), Err(Reason::NOT_OPEN_FOR_SET_ALL)),
        (put(PutFlags::PASS_IDENTITY_CONTEXT), Err(Reason::NOT_OPEN_FOR_PASS_IDENT)),
        (put(PutFlags::WARN_IF_NO_SUBS_MATCHED), Ok(Some(Reason::NO_SUBS_MATCHED))),
        ((message(true), level, "x".to_owned()), Err(Reason::PMO_ERROR)),
        ((message(false), PutOptions::with(AT_ONCE), "x".repeat(40_000)), Err(Reason::MSG_TOO_BIG_FOR_Q_MGR)),
    ] {
        for is_answered in [true, false] {
            let bench = Bench::new();
            bench.mqsc("ALTER QMGR MAXMSGL(32768)");
            let mut session = bench.connect();
            let topic = open_topic(&mut session, "news", OpenOptions::EMPTY);
            let case = format!("{} {:?} {is_answered}", descriptor.format.as_str(), options.flags);
            let told = publish(&mut session, topic, &descriptor, (&options, &body), is_answered);
            assert_eq!(told.map(|(_, remark)| remark), expected, "{case}");
            let status = bench.told("DISPLAY TPSTATUS('news') TYPE(PUB)");
            let count = usize::from(expected.is_ok());
            assert!(status.contains(&format!("NUMPUBS({count})")), "{case}: {status}");
            bench.mqsc("DEFINE TOPIC(NEWS) TOPICSTR('news') PUB(DISABLED)");
            let told = publish(&mut session, topic, &descriptor, (&options, &body), is_answered);
            assert_eq!(told.map(drop), Err(Reason::PUT_INHIBITED), "{case}");
        }
    }
}

#[test]
fn a_lone_copy_that_is_refused_is_told_of_once() {
    let bench = Bench::new();
    bench.mqsc("ALTER QMGR PERFMEV(ENABLED)");
    bench.mqsc("DEFINE QLOCAL(FULL) MAXDEPTH(1) QDPMAXEV(ENABLED) DEFINE SUB('a') TOPICSTR('a') DEST(FULL)");
    let mut session = bench.connect();
    let topic = open_topic(&mut session, "a", OpenOptions::EMPTY);
    let mut events = Vec::new();
    for is_answered in [true, false, true, false] {
        let options = PutOptions::with(AT_ONCE);
        publish(&mut session, topic, &message(false), (&options, "x"), is_answered).unwrap();
        bench.run_jobs();
        events.push(bench.depth("SYSTEM.ADMIN.PERFM.EVENT"));
    }
    assert_eq!(bench.depth("FULL"), 1);
    assert_eq!(events, [0, 1, 1, 1]);
}
