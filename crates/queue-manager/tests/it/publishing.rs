//! Publications: who is given one, what each is given, and that they stand or fall as one.

use bytes::Bytes;
use formats::headers::Place;
use formats::properties;
use mqi::properties::PropertyValue;
use mqi::{
    CorrelationId, Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    OpenOptions, Opened, Persistence, Priority, PutFlags, PutOptions, Reason, ReportOptions,
    SubscribeOptions, SubscriptionDescriptor, Wait,
};
use platform::simulated::Survival;
use queue_manager::{Ask, GotMessage, PutDone, PutTarget};
use std::time::Duration;

use crate::support::{BROWSE, Bench, INPUT, OUTPUT, Session, message, open, settings};

const AT_ONCE: PutFlags = PutFlags::NO_SYNCPOINT;
const WITHIN: PutFlags = PutFlags::SYNCPOINT;

fn topic(object: &str, string: &str) -> ObjectDescriptor {
    ObjectDescriptor { object_name: object.parse().unwrap(), ..ObjectDescriptor::topic(string) }
}

fn try_open_topic(session: &mut Session, object: &ObjectDescriptor) -> Result<Opened, Reason> {
    let opened = session.connection.open(object, OUTPUT);
    open(&session.manager, opened)
}

fn open_topic(session: &mut Session, string: &str) -> ObjectHandle {
    try_open_topic(session, &ObjectDescriptor::topic(string)).unwrap().handle
}

fn publish(session: &mut Session, string: &str, flags: PutFlags, body: &str) -> Result<PutDone, Reason> {
    publish_with(session, string, &message(false), flags, body)
}

fn publish_with(
    session: &mut Session,
    string: &str,
    descriptor: &MessageDescriptor,
    flags: PutFlags,
    body: &str,
) -> Result<PutDone, Reason> {
    let object = ObjectDescriptor::topic(string);
    let body = Bytes::copy_from_slice(body.as_bytes());
    let put = session.connection.put1(&object, descriptor, &PutOptions::with(flags), body);
    open(&session.manager, put)
}

fn take(session: &mut Session, queue: &str, flags: GetFlags) -> Result<GotMessage, Reason> {
    let handle = session.open(queue, INPUT);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT | flags, Wait::No);
    session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20).map(GotMessage::converted)
}

fn property(got: &GotMessage, name: &str) -> Option<PropertyValue> {
    let all = properties::read(&Place::of(&got.descriptor), &got.body).unwrap();
    all.into_iter().find(|property| property.name == name).map(|property| property.value)
}

fn text(text: &str) -> Option<PropertyValue> {
    Some(PropertyValue::Text(text.to_owned()))
}

const TWO: &str = "DEFINE QLOCAL(A) DEFINE QLOCAL(B) \
     DEFINE SUB('a') TOPICSTR('price/tin') DEST(A) DEFINE SUB('b') TOPICSTR('price/#') DEST(B)";

#[test]
fn a_publication_goes_to_the_queue_of_every_subscription_that_matches() {
    let bench = Bench::new();
    bench.mqsc(TWO);
    let mut one = bench.connect();
    let put = publish(&mut one, "price/tin", AT_ONCE, "x").unwrap();
    assert!(put.resolved_queue_name.is_blank());
    publish(&mut one, "price/zinc", AT_ONCE, "y").unwrap();
    publish(&mut one, "weather", AT_ONCE, "z").unwrap();
    assert_eq!((bench.depth("A"), bench.depth("B")), (1, 2));
    let (a, b) = (take(&mut one, "A", GetFlags::EMPTY), take(&mut one, "B", GetFlags::EMPTY));
    let (a, b) = (a.unwrap(), b.unwrap());
    assert_eq!((&a.body[..], &b.body[..]), (&b"x"[..], &b"x"[..]));
    assert_eq!(a.descriptor.message_id, put.descriptor.message_id);
    assert!(!a.descriptor.correlation_id.is_none());
    assert_ne!(a.descriptor.correlation_id, b.descriptor.correlation_id, "each has its subscription's");
}

#[test]
fn a_copy_says_what_it_is_a_publication_of() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE QLOCAL(B) DEFINE QLOCAL(C) DEFPRTY(3) \
         DEFINE SUB('a') TOPICSTR('price/+') DEST(A) USERDATA('for a & b') PUBPRTY(7) \
         DEFINE SUB('b') TOPICSTR('price/+') DEST(B) PSPROP(NONE) SUBUSER(board) \
         DESTCORL(414243000000000000000000000000000000000000000000) \
         DEFINE SUB('c') TOPICSTR('price/+') DEST(C) PSPROP(RFH2) PUBPRTY(ASQDEF)",
    );
    let mut one = bench.connect();
    let sent = MessageDescriptor { priority: Priority::new(5), ..message(false) };
    publish_with(&mut one, "price/tin", &sent, AT_ONCE, "x").unwrap();
    let force = GetFlags::PROPERTIES_FORCE_MQRFH2;
    let [a, b, c] = ["A", "B", "C"].map(|queue| take(&mut one, queue, force).unwrap());
    assert_eq!(property(&a, "mqps.Top"), text("price/tin"));
    assert_eq!(property(&a, "mqps.Sud"), text("for a & b"));
    assert_eq!((property(&b, "mqps.Top"), &b.body[..]), (None, &b"x"[..]));
    assert_eq!((property(&c, "mqps.Top"), property(&c, "mqps.Sud")), (text("price/tin"), None));
    let priorities = [&a, &b, &c].map(|got| got.descriptor.priority.code());
    assert_eq!(priorities, [7, 5, 3]);
    assert_eq!(&b.descriptor.correlation_id.0[..4], b"ABC\0");
    let users = [&a, &b].map(|got| got.descriptor.user_identifier.as_str().to_owned());
    assert_eq!(users, ["tester", "BOARD"]);
}

#[test]
fn a_getter_that_wants_no_properties_needs_room_for_what_was_published_alone() {
    let bench = Bench::new();
    bench.mqsc(TWO);
    bench.mqsc("DEFINE QLOCAL(C) PROPCTL(ALL) DEFINE SUB('c') TOPICSTR('price/tin') DEST(C)");
    let mut one = bench.connect();
    let sent = MessageDescriptor { format: MessageDescriptor::string_format(), ..message(false) };
    publish_with(&mut one, "price/tin", &sent, AT_ONCE, "hello").unwrap();
    let mut got = |queue: &str, options: OpenOptions, flags: GetFlags, bytes_max: usize| {
        let handle = one.open(queue, options);
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT | flags, Wait::No);
        let got = one.get_with(handle, &MessageDescriptor::default(), &options, bytes_max);
        let got = got.map(GotMessage::converted).unwrap();
        let format = got.descriptor.format;
        (String::from_utf8_lossy(&got.body).into_owned(), got.data_length, format, got.warning)
    };
    let whole = ("hello".to_owned(), 5, sent.format, None);
    assert_eq!(got("A", BROWSE, GetFlags::BROWSE_FIRST, 5), whole);
    assert_eq!(got("A", INPUT, GetFlags::EMPTY, 5), whole);
    let warning = Some(Reason::TRUNCATED_MSG_ACCEPTED);
    let cut = ("hell".to_owned(), 5, sent.format, warning);
    assert_eq!(got("B", INPUT, GetFlags::ACCEPT_TRUNCATED_MSG, 4), cut);
    let (body, length, format, warning) = got("C", INPUT, GetFlags::EMPTY, 5);
    assert_eq!((warning, format.as_str()), (Some(Reason::TRUNCATED_MSG_FAILED), "MQHRF2"));
    assert!(length > 5 && body.starts_with("RFH"), "{body:?}");
}

#[test]
fn subscribers_whose_messages_say_the_same_share_one_body() {
    let bench = Bench::new();
    let queues: Vec<String> = (0..20).map(|number| format!("Q{number}")).collect();
    for queue in &queues {
        let defined = format!("DEFINE QLOCAL({queue}) DEFINE SUB('{queue}') TOPICSTR('a') DEST({queue})");
        bench.mqsc(&format!("{defined} PSPROP(RFH2)"));
    }
    let mut one = bench.connect();
    let before = bench.manager.figures().memory_used();
    publish(&mut one, "a", AT_ONCE, &"x".repeat(10_000)).unwrap();
    let taken = bench.manager.figures().memory_used() - before;
    assert!((10_000..40_000).contains(&taken), "the body counts once against the budget: {taken}");
    let force = GetFlags::PROPERTIES_FORCE_MQRFH2;
    let bodies: Vec<Bytes> = queues.iter().map(|queue| take(&mut one, queue, force).unwrap().body).collect();
    assert!(bodies[0].len() > 10_000);
    assert!(bodies.iter().all(|body| body.as_ptr() == bodies[0].as_ptr()));
    let held = bench.manager.figures().memory_used() - before;
    assert!((10_000..12_000).contains(&held), "until the last of those who got it lets it go: {held}");
    drop(bodies);
    assert_eq!(bench.manager.figures().memory_used(), before);
}

#[test]
fn what_a_publisher_leaves_open_is_as_the_topic_has_it() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE SUB('a') TOPICSTR('#') DEST(A) \
         DEFINE TOPIC(PRICE) TOPICSTR('price') DEFPSIST(YES) DEFPRTY(6) CAPEXPRY(50) \
         DEFINE TOPIC(TIN) TOPICSTR('price/tin') DEFPRTY(2)",
    );
    let mut one = bench.connect();
    let open_ended = MessageDescriptor::default();
    for (string, persistent, priority) in
        [("price/tin/close", true, 2), ("price/zinc", true, 6), ("weather", false, 0)]
    {
        publish_with(&mut one, string, &open_ended, AT_ONCE, "x").unwrap();
        let got = take(&mut one, "A", GetFlags::EMPTY).unwrap();
        let is_persistent = got.descriptor.persistence == Persistence::Persistent;
        assert_eq!((is_persistent, got.descriptor.priority.code()), (persistent, priority), "{string}");
        assert_eq!(got.descriptor.expiry != Expiry::UNLIMITED, string != "weather", "{string}");
        let object = ObjectDescriptor::topic(string);
        let found = one.connection.is_persistent(PutTarget::Object(&object), Persistence::AsQueueDefault);
        assert_eq!(found, Some(persistent));
    }
    bench.mqsc("ALTER TOPIC(SYSTEM.BASE.TOPIC) DEFPSIST(YES)");
    let handle = open_topic(&mut one, "weather");
    let found = one.connection.is_persistent(PutTarget::Handle(handle), Persistence::AsQueueDefault);
    assert_eq!(found, Some(true), "all who inherit have it at once");
}

#[test]
fn a_topic_is_named_by_its_object_by_a_string_or_by_both() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE SUB('a') TOPICSTR('price/tin') DEST(A) \
         DEFINE TOPIC(PRICE) TOPICSTR('price') DEFINE TOPIC(TIN) TOPICSTR('price/tin')",
    );
    let mut one = bench.connect();
    for object in [topic("PRICE", "tin"), topic("TIN", ""), topic("SYSTEM.BASE.TOPIC", "price/tin")] {
        let opened = try_open_topic(&mut one, &object).unwrap();
        one.put(opened.handle, false, "x");
    }
    assert_eq!(bench.depth("A"), 3);
    for (object, reason) in [
        (topic("NONE", "tin"), Reason::UNKNOWN_OBJECT_NAME),
        (ObjectDescriptor::topic(""), Reason::UNKNOWN_OBJECT_NAME),
        (ObjectDescriptor::topic("a\0"), Reason::TOPIC_STRING_ERROR),
        (ObjectDescriptor::topic("x".repeat(10_241)), Reason::TOPIC_STRING_ERROR),
    ] {
        assert_eq!(try_open_topic(&mut one, &object).unwrap_err(), reason, "{object:?}");
    }
    for options in [INPUT, BROWSE, OpenOptions::INQUIRE, OUTPUT | OpenOptions::SET] {
        let opened = one.connection.open(&topic("TIN", ""), options);
        assert_eq!(bench.open(opened).unwrap_err(), Reason::OPTION_NOT_VALID_FOR_TYPE, "{options:?}");
    }
}

#[test]
fn an_alias_may_stand_for_a_topic() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE SUB('a') TOPICSTR('price') DEST(A) DEFINE TOPIC(PRICE) TOPICSTR('price') \
         DEFINE QALIAS(ALIAS) TARGET(PRICE) TARGTYPE(TOPIC) DEFPSIST(YES) DEFPRTY(4) \
         DEFINE QALIAS(NOWHERE) TARGET(NONE) TARGTYPE(TOPIC)",
    );
    let mut one = bench.connect();
    let handle = one.open("ALIAS", OUTPUT);
    one.try_put(handle, &MessageDescriptor::default(), AT_ONCE, "x").unwrap();
    let got = take(&mut one, "A", GetFlags::EMPTY).unwrap();
    assert_eq!(got.descriptor.persistence, Persistence::Persistent);
    assert_eq!(got.descriptor.priority.code(), 4);
    assert_eq!(one.try_open("ALIAS", INPUT).unwrap_err(), Reason::OPTION_NOT_VALID_FOR_TYPE);
    assert_eq!(one.try_open("NOWHERE", OUTPUT).unwrap_err(), Reason::UNKNOWN_ALIAS_BASE_Q);
    let mut refused = |change: &str| {
        bench.mqsc(&format!("ALTER QALIAS(ALIAS) {change} FORCE"));
        one.try_put(handle, &message(false), AT_ONCE, "x").unwrap_err()
    };
    assert_eq!(refused("PUT(DISABLED)"), Reason::PUT_INHIBITED);
    assert_eq!(refused("TARGET(NONE)"), Reason::OBJECT_CHANGED);
    assert_eq!(refused("TARGET(A) TARGTYPE(QUEUE)"), Reason::ALIAS_TARGTYPE_CHANGED);
}

#[test]
fn publishing_can_be_switched_off_and_what_is_no_subscription_is_refused() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE SUB('a') TOPICSTR('price/#') DEST(A) \
         DEFINE TOPIC(PRICE) TOPICSTR('price') PUB(DISABLED) SUB(DISABLED) \
         DEFINE TOPIC(TIN) TOPICSTR('price/tin') PUB(ENABLED) \
         DEFINE SUB('administrators may') TOPICOBJ(PRICE) TOPICSTR('zinc') DEST(A)",
    );
    let mut one = bench.connect();
    assert_eq!(publish(&mut one, "price/zinc", AT_ONCE, "x").unwrap_err(), Reason::PUT_INHIBITED);
    publish(&mut one, "price/tin/close", AT_ONCE, "x").unwrap();
    assert_eq!(bench.depth("A"), 1);
    for (command, why) in [
        ("DEFINE SUB('b') TOPICSTR('a') SELECTOR('a =') DEST(A)", "SELECTOR: at character 4"),
        ("DEFINE SUB('b') TOPICSTR('a%b') WSCHEMA(CHAR) DEST(A)", "`%` at byte 1 of the topic string"),
        ("DEFINE SUB('b') TOPICOBJ(NONE) DEST(A)", "TOPICOBJ names NONE, which is not defined"),
    ] {
        let commands = objects::mqsc::parse(command).unwrap();
        let response = bench.open(bench.manager.execute(&commands[0]));
        let told = response.to_string();
        assert!(!response.is_ok() && told.contains(why), "{told}");
    }
}

#[test]
fn a_topic_object_of_a_subscription_gives_the_beginning_of_its_topic_string() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE TOPIC(PRICE) TOPICSTR('price') \
         DEFINE SUB('a') TOPICOBJ(PRICE) TOPICSTR('+') DEST(A)",
    );
    let mut one = bench.connect();
    publish(&mut one, "price/tin", AT_ONCE, "x").unwrap();
    bench.mqsc("DELETE TOPIC(PRICE)");
    publish(&mut one, "price/tin", AT_ONCE, "x").unwrap();
    assert_eq!(bench.depth("A"), 2, "it stays where it is when the object goes");
    bench.mqsc("DEFINE SUB('a') TOPICSTR('weather') DEST(A) REPLACE");
    publish(&mut one, "price/tin", AT_ONCE, "x").unwrap();
    publish(&mut one, "weather", AT_ONCE, "x").unwrap();
    assert_eq!(bench.depth("A"), 3);
    bench.mqsc("DEFINE QLOCAL(B) ALTER SUB('a') DEST(B)");
    publish(&mut one, "weather", AT_ONCE, "x").unwrap();
    bench.mqsc("DELETE SUB('a')");
    publish(&mut one, "weather", AT_ONCE, "x").unwrap();
    assert_eq!((bench.depth("A"), bench.depth("B")), (3, 1));
}

/// Two subscriptions: a durable one whose queue is full, and one whose queue is not.
const ONE_IS_FULL: &str = "DEFINE QLOCAL(FULL) MAXDEPTH(0) DEFINE QLOCAL(FREE) DEFINE QLOCAL(DEAD) \
     DEFINE SUB('first') TOPICSTR('a') DEST(FREE) DEFINE SUB('full') TOPICSTR('a') DEST(FULL) \
     DEFINE SUB('last') TOPICSTR('a') DEST(FREE)";

#[test]
fn who_must_be_served_decides_whether_anybody_is() {
    for (rule, uses_dead, persistent, flags, expected) in [
        ("NPMSGDLV(ALL)", "NO", false, AT_ONCE, Err(Reason::PUBLICATION_FAILURE)),
        ("NPMSGDLV(ALLDUR)", "NO", false, AT_ONCE, Err(Reason::PUBLICATION_FAILURE)),
        ("NPMSGDLV(ALLAVAIL)", "NO", false, AT_ONCE, Ok((2, 0))),
        ("NPMSGDLV(ALL)", "YES", false, AT_ONCE, Ok((2, 1))),
        ("NPMSGDLV(ALLAVAIL)", "YES", false, WITHIN, Ok((2, 1))),
        ("PMSGDLV(ALL)", "NO", true, AT_ONCE, Err(Reason::PUBLICATION_FAILURE)),
        ("PMSGDLV(ALL)", "NO", true, WITHIN, Err(Reason::PUBLICATION_FAILURE)),
        ("PMSGDLV(ALLAVAIL)", "NO", true, WITHIN, Ok((2, 0))),
        ("PMSGDLV(ALLDUR)", "YES", true, WITHIN, Ok((2, 1))),
        ("PMSGDLV(ALLDUR)", "YES", true, AT_ONCE, Ok((2, 1))),
    ] {
        let case = format!("{rule} USEDLQ({uses_dead}) {persistent} {flags:?}");
        let bench = Bench::new();
        bench.mqsc(&format!("{ONE_IS_FULL} DEFINE TOPIC(A) TOPICSTR('a') {rule} USEDLQ({uses_dead})"));
        bench.mqsc("ALTER QMGR DEADQ(DEAD)");
        let mut one = bench.connect();
        let put = publish_with(&mut one, "a", &message(persistent), flags, "x").map(drop);
        assert_eq!(put.err(), expected.err(), "{case}");
        one.commit().unwrap();
        let depths = (bench.depth("FREE"), bench.depth("DEAD"));
        assert_eq!(depths, expected.unwrap_or((0, 0)), "{case}");
        if depths.1 == 1 {
            let dead = take(&mut one, "DEAD", GetFlags::EMPTY).unwrap();
            assert_eq!(dead.descriptor.format.as_str(), "MQDEAD");
        }
    }
}

#[test]
fn who_must_be_served_is_served_or_the_publication_is_refused() {
    const NO_STREAM: &str = "DEFINE QLOCAL(S) PUT(DISABLED)";
    for (case, setup, dead) in [
        ("its stream queue", "DEFINE QLOCAL(A) STREAMQ(S) STRMQOS(MUSTDUP)", ""),
        ("the same with dead letters", "DEFINE QLOCAL(A) STREAMQ(S) STRMQOS(MUSTDUP)", "DEFINE QLOCAL(DEAD)"),
        ("a letter that is longer", "DEFINE QLOCAL(A) MAXMSGL(10)", "DEFINE QLOCAL(DEAD) MAXMSGL(100)"),
        (
            "the second letter",
            "DEFINE QLOCAL(A) PUT(DISABLED) DEFINE SUB('b') TOPICSTR('a') DEST(A)",
            "DEFINE QLOCAL(DEAD) MAXDEPTH(1)",
        ),
        (
            "the stream queue of letters",
            "DEFINE QLOCAL(A) PUT(DISABLED)",
            "DEFINE QLOCAL(DEAD) STREAMQ(S) STRMQOS(MUSTDUP)",
        ),
    ] {
        for flags in [AT_ONCE, WITHIN] {
            let bench = Bench::new();
            bench.mqsc(&format!("{NO_STREAM} {setup} DEFINE SUB('a') TOPICSTR('a') DEST(A)"));
            if !dead.is_empty() {
                bench.mqsc(&format!("{dead} ALTER QMGR DEADQ(DEAD)"));
            }
            let mut one = bench.connect();
            let copies = if case == "the second letter" { 2 } else { 1 };
            let put = publish_with(&mut one, "a", &message(true), flags, &"x".repeat(50)).map(drop);
            one.commit().unwrap();
            let letters = if dead.is_empty() { 0 } else { bench.depth("DEAD") };
            match put {
                Ok(()) => assert_eq!(letters, copies, "{case} {flags:?}"),
                Err(reason) => {
                    assert_eq!((reason, letters), (Reason::PUBLICATION_FAILURE, 0), "{case} {flags:?}");
                }
            }
        }
    }
}

#[test]
fn publications_belong_to_the_unit_of_work_of_their_publisher() {
    let bench = Bench::new();
    bench.mqsc(TWO);
    let mut one = bench.connect();
    for (persistent, stands) in [(false, true), (true, true), (false, false), (true, false)] {
        publish_with(&mut one, "price/tin", &message(persistent), WITHIN, "x").unwrap();
        for queue in ["A", "B"] {
            assert_eq!(take(&mut one, queue, GetFlags::EMPTY).unwrap_err(), Reason::NO_MSG_AVAILABLE);
        }
        if stands {
            one.commit().unwrap()
        } else {
            one.back().unwrap()
        }
        for queue in ["A", "B"] {
            assert_eq!(take(&mut one, queue, GetFlags::EMPTY).is_ok(), stands);
        }
    }
    bench.mqsc("ALTER QMGR MAXUMSGS(3)");
    publish(&mut one, "price/tin", WITHIN, "x").unwrap();
    let refused = publish(&mut one, "price/tin", WITHIN, "x").unwrap_err();
    assert_eq!(refused, Reason::SYNCPOINT_LIMIT_REACHED, "of two more none fits");
    one.commit().unwrap();
    assert_eq!((bench.depth("A"), bench.depth("B")), (1, 1));
}

#[test]
fn subscriptions_and_persistent_publications_survive_the_loss_of_power() {
    let mut bench = Bench::new();
    bench.mqsc(TWO);
    for life in 1..4 {
        let mut one = bench.connect();
        publish_with(&mut one, "price/tin", &message(true), AT_ONCE, "x").unwrap();
        publish_with(&mut one, "price/tin", &message(true), WITHIN, "uncommitted").unwrap();
        publish(&mut one, "price/tin", AT_ONCE, "not kept").unwrap();
        drop(one);
        bench = bench.crash(Survival::Nothing);
        assert_eq!((bench.depth("A"), bench.depth("B")), (life, life), "life {life}");
        bench.keep_house();
    }
    bench.mqsc("DELETE SUB('a')");
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    publish(&mut one, "price/tin", AT_ONCE, "x").unwrap();
    assert_eq!((bench.depth("A"), bench.depth("B")), (3, 4));
}

#[test]
fn a_copy_is_not_given_before_the_subscription_that_led_to_it_is_durable() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(A)");
    let mut one = bench.connect();
    let handle = one.open("A", INPUT);
    let defined = objects::mqsc::parse("DEFINE SUB('a') TOPICSTR('a') DEST(A)").unwrap();
    let defined = bench.manager.execute(&defined[0]);
    let body = Bytes::from_static(b"x");
    let put =
        one.connection.put1(&ObjectDescriptor::topic("a"), &message(false), &PutOptions::with(AT_ONCE), body);
    assert!(put.need() >= defined.need() && defined.need() > bench.manager.durable().lsn());
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let token = queue_manager::WaitToken(1);
    match one.connection.get(Ask::new(handle, &MessageDescriptor::default(), &options, 100, token)) {
        queue_manager::Get::Done(got) => assert!(got.need() >= defined.need()),
        queue_manager::Get::Waiting => panic!("the message is there"),
    }
}

#[test]
fn subscriptions_choose_by_selector_level_and_time() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(ALL) DEFINE QLOCAL(HIGH) DEFINE QLOCAL(SHORT) DEFINE QLOCAL(ASKED) \
         DEFINE SUB('all') TOPICSTR('a') DEST(ALL) \
         DEFINE SUB('high') TOPICSTR('a') DEST(HIGH) SUBLEVEL(5) SELECTOR('JMSPriority > 4') \
         DEFINE SUB('short') TOPICSTR('a') DEST(SHORT) EXPIRY(20) \
         DEFINE SUB('asked') TOPICSTR('a') DEST(ASKED) REQONLY(YES)",
    );
    let mut one = bench.connect();
    let mut depths = |priority, level| {
        let descriptor = MessageDescriptor { priority: Priority::new(priority), ..message(false) };
        let options = PutOptions { publication_level: level, ..PutOptions::with(AT_ONCE) };
        let object = ObjectDescriptor::topic("a");
        let put = one.connection.put1(&object, &descriptor, &options, Bytes::from_static(b"x"));
        let put = bench.open(put).map(drop);
        put.map(|()| ["ALL", "HIGH", "SHORT", "ASKED"].map(|queue| bench.depth(queue)))
    };
    assert_eq!(depths(4, 9), Ok([1, 0, 1, 0]));
    assert_eq!(depths(5, 9), Ok([1, 1, 1, 0]), "the higher level stands in front");
    assert_eq!(depths(5, 4), Ok([2, 1, 2, 0]), "what is published again below it goes on");
    assert_eq!(depths(5, 10), Err(Reason::PMO_ERROR));
    bench.pass(Duration::from_secs(3));
    assert_eq!(depths(4, 9), Ok([3, 1, 2, 0]), "one subscription is over");
}

#[test]
fn a_publisher_is_told_when_nobody_is_there_and_keeps_what_it_asked_to_keep() {
    let bench = Bench::new();
    bench.mqsc(TWO);
    let mut one = bench.connect();
    let warns = AT_ONCE | PutFlags::WARN_IF_NO_SUBS_MATCHED;
    for (string, warning) in [("price/tin", None), ("weather", Some(Reason::NO_SUBS_MATCHED))] {
        assert_eq!(publish(&mut one, string, warns, "x").unwrap().warning, warning);
    }
    let asks = MessageDescriptor { reply_to_queue: "ANSWERS".parse().unwrap(), ..message(false) };
    for (flags, shown) in [(PutFlags::EMPTY, "ANSWERS"), (PutFlags::SUPPRESS_REPLYTO, "")] {
        while take(&mut one, "A", GetFlags::EMPTY).is_ok() {}
        let put = publish_with(&mut one, "price/tin", &asks, AT_ONCE | flags, "x").unwrap();
        assert_eq!(put.descriptor.reply_to_queue.as_str(), "ANSWERS");
        let got = take(&mut one, "A", GetFlags::EMPTY).unwrap();
        assert_eq!(got.descriptor.reply_to_queue.as_str(), shown);
    }
    let ordered = publish(&mut one, "price/tin", AT_ONCE | PutFlags::LOGICAL_ORDER, "x");
    assert_eq!(ordered.unwrap_err(), Reason::OPTIONS_ERROR);
}

#[test]
fn copies_are_streamed_reported_carried_elsewhere_and_start_programs_like_other_messages() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(STREAM) DEFINE QLOCAL(INIT) DEFINE QLOCAL(REPORTS) DEFINE QLOCAL(QM2) USAGE(XMITQ) \
         DEFINE QLOCAL(A) STREAMQ(STREAM) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(INIT) \
         DEFINE PROCESS(P) APPLICID('p') \
         DEFINE SUB('a') TOPICSTR('a') DEST(A) DEFINE SUB('there') TOPICSTR('a') DEST(THERE) DESTQMGR(QM2)",
    );
    let mut one = bench.connect();
    let _monitor = one.open("INIT", INPUT);
    let reporting = |persistent| MessageDescriptor {
        report: ReportOptions::COA,
        reply_to_queue: "REPORTS".parse().unwrap(),
        ..message(persistent)
    };
    for (times, (persistent, flags)) in
        (1..).zip([(false, AT_ONCE), (true, AT_ONCE), (false, WITHIN), (true, WITHIN)])
    {
        publish_with(&mut one, "a", &reporting(persistent), flags, "x").unwrap();
        one.commit().unwrap();
        let depths = ["A", "STREAM", "INIT", "QM2", "REPORTS"].map(|queue| bench.depth(queue));
        assert_eq!(depths, [times; 5], "{persistent} {flags:?}");
    }
}

#[test]
fn without_room_in_the_log_nobody_is_given_a_copy() {
    let storage = storage::Settings { primary_extents: 2, secondary_extents: 1, ..settings().storage };
    let bench = Bench::with(queue_manager::Settings { storage, ..settings() }, 1);
    bench.mqsc(TWO);
    let mut one = bench.connect();
    let body = "x".repeat(60_000);
    let mut published = 0;
    let refused = loop {
        match publish_with(&mut one, "price/tin", &message(true), WITHIN, &body) {
            Ok(_) => published += 1,
            Err(reason) => break reason,
        }
        assert!(published < 1_000, "the log is small");
    };
    assert_eq!(refused, Reason::STORAGE_MEDIUM_FULL);
    one.commit().unwrap();
    assert_eq!((bench.depth("A"), bench.depth("B")), (published, published));
}

#[test]
fn without_room_in_the_log_nobody_is_given_a_copy_that_needs_none() {
    let storage = storage::Settings { primary_extents: 2, secondary_extents: 1, ..settings().storage };
    let bench = Bench::with(queue_manager::Settings { storage, ..settings() }, 1);
    bench.mqsc(TWO);
    bench.mqsc("DEFINE QLOCAL(OWN)");
    let mut one = bench.connect();
    let own = one.open("OWN", INPUT);
    let create = SubscribeOptions::CREATE;
    let managed = SubscriptionDescriptor::to("pair", create | SubscribeOptions::MANAGED);
    let managed = one.connection.subscribe(&managed, None);
    let managed = open(&bench.manager, managed).unwrap().queue_name;
    let persistent = one.connection.subscribe(&SubscriptionDescriptor::to("pair", create), Some(own));
    open(&bench.manager, persistent).unwrap();
    let mut two = bench.connect();
    let body = "x".repeat(60_000);
    while publish_with(&mut two, "price/tin", &message(true), WITHIN, &body).is_ok() {}
    let mut published = 0;
    let refused = loop {
        match publish_with(&mut two, "pair", &message(true), AT_ONCE, &body) {
            Ok(_) => published += 1,
            Err(reason) => break reason,
        }
        assert!(published < 1_000, "the log is small");
    };
    assert_eq!(refused, Reason::STORAGE_MEDIUM_FULL);
    assert_eq!((bench.depth("OWN"), bench.depth(managed.as_str())), (published, published));
}

#[test]
fn copies_follow_the_name_of_their_queue_when_it_ends_and_is_another() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) MAXMSGL(5) DEFINE QLOCAL(OTHER) \
         DEFINE SUB('a') TOPICSTR('price/tin') DEST(A) PUBPRTY(ASQDEF) PSPROP(NONE)",
    );
    let mut one = bench.connect();
    let price = open_topic(&mut one, "price/tin");
    let mut put = |persistent, body: &str| {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let put = one.connection.put(price, &message(persistent), &PutOptions::with(AT_ONCE), body);
        open(&bench.manager, put).map(drop)
    };
    let mut two = bench.connect();
    let mut taken = |queue: &str| {
        let handle = two.open(queue, INPUT);
        let all: Vec<_> = std::iter::from_fn(|| two.get(handle).ok()).collect();
        open(&bench.manager, two.connection.close(handle, mqi::CloseOptions::default())).unwrap();
        all
    };
    for persistent in [false, true] {
        put(persistent, "found").unwrap();
        put(persistent, "found again").unwrap_or_else(|reason| {
            assert_eq!((persistent, reason), (true, Reason::PUBLICATION_FAILURE), "longer than A takes");
        });
        put(persistent, "kept").unwrap();
        assert_eq!(taken("A"), ["found", "kept"]);
        bench.mqsc("DELETE QLOCAL(A)");
        let nowhere = put(persistent, "lost");
        assert_eq!(nowhere.is_err(), persistent, "who is durable must be given what is persistent");
        bench.mqsc("DEFINE QLOCAL(A)");
        put(persistent, "found anew").unwrap();
        bench.mqsc("ALTER QLOCAL(A) PUT(DISABLED)");
        assert_eq!(put(persistent, "refused").is_err(), persistent);
        bench.mqsc("ALTER QLOCAL(A) PUT(ENABLED)");
        put(persistent, "put").unwrap();
        assert_eq!(taken("A"), ["found anew", "put"]);
        bench.mqsc("DELETE QLOCAL(A) DEFINE QALIAS(A) TARGET(OTHER)");
        put(persistent, "by an alias").unwrap();
        bench.mqsc("ALTER QALIAS(A) PUT(DISABLED)");
        assert_eq!(put(persistent, "refused").is_err(), persistent);
        assert_eq!(taken("OTHER"), ["by an alias"]);
        bench.mqsc("DELETE QALIAS(A) DEFINE QLOCAL(A) MAXMSGL(5)");
    }
    put(false, "x").unwrap();
    assert_eq!(taken("A"), ["x"]);
}

/// The queue manager with a publication's four copies on A, two of which differ in nothing but their
/// correlation identifiers: those of all are given with their users, as they lie there.
fn four_copies(bench: &Bench, sent: &MessageDescriptor) -> Vec<(CorrelationId, String)> {
    bench.mqsc("DEFINE QLOCAL(A) NPMCLASS(HIGH) DEFINE QLOCAL(B) DEFINE QLOCAL(R)");
    for (digit, says) in ["", "", " SUBUSER(board)", " PUBPRTY(0)"].iter().enumerate() {
        let correlation = digit.to_string().repeat(48);
        bench.mqsc(&format!("DEFINE SUB('{digit}') TOPICSTR('a') DEST(A) DESTCORL({correlation}){says}"));
    }
    let mut one = bench.connect();
    let sent = MessageDescriptor { priority: Priority::new(5), ..sent.clone() };
    publish_with(&mut one, "a", &sent, AT_ONCE, "x").unwrap();
    [0_u8, 1, 2, 3]
        .map(|digit| (of_digit(digit), if digit == 2 { "BOARD" } else { "tester" }.to_owned()))
        .into()
}

/// As subscription number 0 has no correlation identifier given, it has its own.
fn of_digit(digit: u8) -> CorrelationId {
    CorrelationId([digit * 0x11; 24])
}

/// The correlation identifiers and users of what is on a queue, but for that of the first, which is no
/// other's.
fn told_apart(session: &mut Session, queue: &str) -> Vec<(CorrelationId, String)> {
    let handle = session.open(queue, INPUT);
    let next = || {
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let got = session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20).ok()?;
        let mut copied = MessageDescriptor::default();
        got.descriptor.copy_to(&mut copied);
        assert_eq!(copied, *got.descriptor);
        Some((copied.correlation_id, copied.user_identifier.as_str().to_owned()))
    };
    let mut all: Vec<_> = std::iter::from_fn(next).collect();
    let is_given = |id: &CorrelationId| (1..4).any(|digit| *id == of_digit(digit));
    let own = all.iter_mut().find(|(id, _)| !is_given(id)).expect("one has its own");
    assert!(!own.0.is_none());
    own.0 = of_digit(0);
    all
}

/// Fate of copies, and the queue they are on then.
type Way = fn(Bench) -> (Bench, &'static str);

#[test]
fn copies_that_share_all_but_their_correlation_identifiers_are_told_apart_wherever_they_go() {
    let ways: [Way; 4] = [
        |bench| (bench, "A"),
        |bench| {
            bench.mqsc("MOVE QLOCAL(A) TOQLOCAL(B)");
            (bench, "B")
        },
        |bench| {
            bench.manager.close();
            (bench.crash(Survival::Nothing), "A")
        },
        |bench| {
            // A unit of work that gets and gives back.
            let mut one = bench.connect();
            let handle = one.open("A", INPUT);
            while one.get_within(handle).is_ok() {}
            one.back().unwrap();
            (bench, "A")
        },
    ];
    for (number, way) in ways.into_iter().enumerate() {
        let bench = Bench::new();
        let expected = four_copies(&bench, &message(false));
        let (bench, queue) = way(bench);
        assert_eq!(told_apart(&mut bench.connect(), queue), expected, "way {number}");
    }
}

#[test]
fn a_copy_is_chosen_by_its_own_correlation_identifier() {
    let bench = Bench::new();
    four_copies(&bench, &message(false));
    let mut one = bench.connect();
    let digits = "1".repeat(48);
    let selector = format!("Root.MQMD.CorrelId = 0x{digits} AND Root.MQMD.UserIdentifier = 'tester'");
    let object =
        ObjectDescriptor { selection_string: selector, ..ObjectDescriptor::queue("A".parse().unwrap()) };
    let opened = one.connection.open(&object, INPUT | BROWSE);
    let selecting = open(&bench.manager, opened).unwrap().handle;
    let all = one.open("A", INPUT);
    for (handle, flags, digit) in [
        (selecting, GetFlags::BROWSE_FIRST, 1),
        (all, GetFlags::NO_SYNCPOINT, 2),
        (selecting, GetFlags::NO_SYNCPOINT, 1),
    ] {
        let wanted = MessageDescriptor { correlation_id: of_digit(digit), ..MessageDescriptor::default() };
        let got = one.get_with(handle, &wanted, &GetOptions::with(flags, Wait::No), 9).unwrap();
        assert_eq!(got.descriptor.correlation_id, of_digit(digit));
    }
    assert_eq!(one.get(selecting), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(bench.depth("A"), 2);
}

#[test]
fn reports_about_copies_say_which() {
    let bench = Bench::new();
    let asks = MessageDescriptor {
        report: ReportOptions::COD | ReportOptions::EXPIRATION | ReportOptions::PASS_CORREL_ID,
        reply_to_queue: "R".parse().unwrap(),
        expiry: Expiry::tenths(50),
        ..message(false)
    };
    let expected = four_copies(&bench, &asks);
    let mut one = bench.connect();
    let handle = one.open("A", INPUT);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    for digit in [1, 2] {
        let wanted = MessageDescriptor { correlation_id: of_digit(digit), ..MessageDescriptor::default() };
        one.get_with(handle, &wanted, &options, 9).unwrap();
    }
    bench.pass(Duration::from_secs(6));
    bench.run_jobs();
    let mut reported: Vec<_> = told_apart(&mut one, "R").into_iter().map(|(id, _)| id).collect();
    reported.sort_unstable_by_key(|id| id.0);
    assert_eq!(reported, expected.into_iter().map(|(id, _)| id).collect::<Vec<_>>());
}
