//! Subscriptions of programs: made, found again, changed and ended.

use bytes::Bytes;
use mqi::constants::{MQIA_CURRENT_Q_DEPTH, MQSR_ACTION_PUBLICATION};
use mqi::{
    AccountingToken, AttributeValue, CloseOptions, CorrelationId, Expiry, GetFlags, GetOptions,
    MessageDescriptor, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions, Reason, RequestOptions,
    Selector, SubscribeOptions, Subscribed, SubscriptionDescriptor, Text, Wait,
};
use platform::simulated::Survival;
use queue_manager::{Begun, GotMessage};
use std::time::Duration;

use crate::support::{Bench, INPUT, OUTPUT, Session, message, open, text};

const CREATE: SubscribeOptions = SubscribeOptions::CREATE;
const RESUME: SubscribeOptions = SubscribeOptions::RESUME;
const MANAGED: SubscribeOptions = SubscribeOptions::MANAGED;
const DURABLE: SubscribeOptions = SubscribeOptions::DURABLE;

fn named(name: &str, topic: &str, options: SubscribeOptions) -> SubscriptionDescriptor {
    SubscriptionDescriptor { name: name.to_owned(), ..SubscriptionDescriptor::to(topic, options) }
}

fn subscribe(
    session: &mut Session,
    wanted: &SubscriptionDescriptor,
    queue: Option<ObjectHandle>,
) -> Result<Subscribed, Reason> {
    let subscribed = session.connection.subscribe(wanted, queue);
    open(&session.manager, subscribed)
}

fn publish(session: &mut Session, topic: &str, persistent: bool, body: &str) {
    let object = ObjectDescriptor::topic(topic);
    let body = Bytes::copy_from_slice(body.as_bytes());
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = session.connection.put1(&object, &message(persistent), &options, body);
    open(&session.manager, put).unwrap();
}

fn take(session: &mut Session, handle: ObjectHandle) -> Result<String, Reason> {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20);
    got.map(GotMessage::converted).map(|got| text(&got))
}

fn close(session: &mut Session, handle: ObjectHandle, options: CloseOptions) -> Result<(), Reason> {
    let closed = session.connection.close(handle, options);
    open(&session.manager, closed).map(drop)
}

fn queues(bench: &Bench) -> usize {
    let all = bench.manager.figures().queue_counters();
    all.iter().filter(|(name, _)| name.as_str().starts_with("SYSTEM.MANAGED.")).count()
}

#[test]
fn a_managed_subscription_that_is_not_durable_ends_with_its_program_and_so_does_its_queue() {
    let bench = Bench::new();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let made = subscribe(&mut one, &SubscriptionDescriptor::to("price/#", CREATE | MANAGED), None).unwrap();
    assert_eq!(made.topic_string, "price/#");
    let queue = made.queue.expect("a managed queue is opened");
    publish(&mut two, "price/tin", true, "x");
    assert_eq!(take(&mut one, queue), Ok("x".to_owned()), "also a persistent one");
    assert_eq!(queues(&bench), 1);
    drop(one);
    assert_eq!(queues(&bench), 0);
    publish(&mut two, "price/tin", true, "nobody is there");
}

#[test]
fn closing_says_what_becomes_of_a_subscription() {
    let bench = Bench::new();
    let mut one = bench.connect();
    for (options, close_options, closes, stays) in [
        (CREATE | MANAGED, CloseOptions::EMPTY, Ok(()), false),
        (CREATE | MANAGED, CloseOptions::REMOVE_SUB, Ok(()), false),
        (CREATE | MANAGED, CloseOptions::KEEP_SUB, Err(Reason::OPTION_NOT_VALID_FOR_TYPE), true),
        (CREATE | MANAGED | DURABLE, CloseOptions::EMPTY, Ok(()), true),
        (CREATE | MANAGED | DURABLE, CloseOptions::KEEP_SUB, Ok(()), true),
        (CREATE | MANAGED | DURABLE, CloseOptions::REMOVE_SUB, Ok(()), false),
    ] {
        let case = format!("{options:?} {close_options:?}");
        let made = subscribe(&mut one, &named(&case, "a", options), None).unwrap();
        let before = queues(&bench);
        assert_eq!(close(&mut one, made.subscription, close_options), closes, "{case}");
        assert_eq!(queues(&bench), before - usize::from(!stays), "{case}");
    }
}

#[test]
fn a_durable_subscription_is_found_again_by_one_program_at_a_time() {
    let mut bench = Bench::new();
    let wanted = named("mine", "price/+", CREATE | MANAGED | DURABLE);
    let again = named("mine", "", RESUME | MANAGED | DURABLE);
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let missing = subscribe(&mut one, &again, None);
    assert_eq!(missing.unwrap_err(), Reason::NO_SUBSCRIPTION);
    subscribe(&mut one, &wanted, None).unwrap();
    assert_eq!(subscribe(&mut two, &wanted, None).unwrap_err(), Reason::SUB_ALREADY_EXISTS);
    assert_eq!(subscribe(&mut two, &again, None).unwrap_err(), Reason::SUBSCRIPTION_IN_USE);
    drop(one);
    publish(&mut two, "price/tin", true, "while nobody looked");
    drop(two);
    bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let found = subscribe(&mut one, &again, None).unwrap();
    assert_eq!(found.topic_string, "price/+");
    assert_eq!(take(&mut one, found.queue.unwrap()), Ok("while nobody looked".to_owned()));
    close(&mut one, found.subscription, CloseOptions::REMOVE_SUB).unwrap();
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(queues(&bench), 0);
}

#[test]
fn a_resumed_subscription_keeps_its_durability_and_destination_class() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE SUB('given') TOPICSTR('b') DEST(Q)");
    let mut one = bench.connect();
    let made = subscribe(&mut one, &named("managed", "a", CREATE | MANAGED | DURABLE), None).unwrap();
    close(&mut one, made.subscription, CloseOptions::EMPTY).unwrap();
    let (durable, both) = (DURABLE, DURABLE | MANAGED);
    for (name, topic, keeps, other_class) in [("managed", "a", both, durable), ("given", "b", durable, both)]
    {
        for options in [
            RESUME,
            RESUME | DURABLE,
            RESUME | MANAGED,
            RESUME | MANAGED | DURABLE,
            CREATE | RESUME | MANAGED,
            CREATE | RESUME | MANAGED | DURABLE,
        ] {
            let case = format!("{name} {options:?}");
            let found = subscribe(&mut one, &named(name, "", options), None).expect(&case);
            let usual = SubscribeOptions::WILDCARD_TOPIC
                | if keeps == both { SubscribeOptions::FIXED_USERID } else { SubscribeOptions::ANY_USERID };
            assert_eq!(found.is.options, options.without(DURABLE | MANAGED) | keeps | usual, "{case}");
            assert_eq!(found.topic_string, topic, "{case}");
            publish(&mut one, topic, true, &case);
            assert_eq!(take(&mut one, found.queue.expect(&case)), Ok(case.clone()));
            close(&mut one, found.queue.unwrap(), CloseOptions::EMPTY).unwrap();
            close(&mut one, found.subscription, CloseOptions::EMPTY).unwrap();
        }
        for (options, reason) in [
            (SubscribeOptions::ALTER, Reason::DURABILITY_NOT_ALTERABLE),
            (SubscribeOptions::ALTER | RESUME, Reason::DURABILITY_NOT_ALTERABLE),
            (SubscribeOptions::ALTER | other_class, Reason::DEST_CLASS_NOT_ALTERABLE),
            (SubscribeOptions::ALTER | RESUME | other_class, Reason::DEST_CLASS_NOT_ALTERABLE),
        ] {
            let refused = subscribe(&mut one, &named(name, "", options), None);
            assert_eq!(refused.unwrap_err(), reason, "{name} {options:?}");
        }
    }
}

#[test]
fn a_resumed_subscription_returns_the_options_it_was_made_with_and_takes_them_to_be_altered() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    let group = SubscribeOptions::GROUP_SUB | SubscribeOptions::SET_CORREL_ID;
    let (fixed, levels) = (SubscribeOptions::FIXED_USERID, SubscribeOptions::WILDCARD_TOPIC);
    for (name, made, given, keeps) in [
        ("usual", MANAGED, None, MANAGED | fixed | levels),
        ("own queue", SubscribeOptions::EMPTY, Some(queue), fixed | levels),
        ("group", group, Some(queue), group | fixed | levels),
        (
            "any",
            MANAGED | SubscribeOptions::ANY_USERID,
            None,
            MANAGED | SubscribeOptions::ANY_USERID | levels,
        ),
        (
            "request",
            MANAGED | SubscribeOptions::PUBLICATIONS_ON_REQUEST,
            None,
            MANAGED | SubscribeOptions::PUBLICATIONS_ON_REQUEST | fixed | levels,
        ),
        (
            "characters",
            MANAGED | SubscribeOptions::WILDCARD_CHAR,
            None,
            MANAGED | SubscribeOptions::WILDCARD_CHAR | fixed,
        ),
        (
            "scope",
            MANAGED | SubscribeOptions::SCOPE_QMGR,
            None,
            MANAGED | SubscribeOptions::SCOPE_QMGR | fixed | levels,
        ),
    ] {
        let correlation_id = CorrelationId([7; 24]);
        let wanted = SubscriptionDescriptor { correlation_id, ..named(name, "a/#", CREATE | DURABLE | made) };
        let subscribed = subscribe(&mut one, &wanted, given).expect(name);
        close(&mut one, subscribed.subscription, CloseOptions::EMPTY).unwrap();
        let found = subscribe(&mut one, &named(name, "", RESUME), None).expect(name);
        assert_eq!(found.is.options, RESUME | DURABLE | keeps, "{name}");
        close(&mut one, found.subscription, CloseOptions::EMPTY).unwrap();
        let options = found.is.options.without(RESUME) | SubscribeOptions::ALTER;
        let again = SubscriptionDescriptor { options, name: name.to_owned(), ..found.is };
        let altered = subscribe(&mut one, &again, given).expect(name);
        assert_eq!(altered.is.options, options, "{name}");
        close(&mut one, altered.subscription, CloseOptions::EMPTY).unwrap();
    }
}

#[test]
fn what_cannot_be_altered_has_its_reason() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let options = CREATE | MANAGED | DURABLE;
    let made = subscribe(&mut one, &named("s", "a", options), None).unwrap();
    close(&mut one, made.subscription, CloseOptions::EMPTY).unwrap();
    let alter = SubscribeOptions::ALTER | MANAGED | DURABLE;
    for (wanted, reason) in [
        (named("s", "b", alter), Reason::TOPIC_NOT_ALTERABLE),
        (named("s", "", SubscribeOptions::ALTER | MANAGED), Reason::DURABILITY_NOT_ALTERABLE),
        (named("s", "", SubscribeOptions::ALTER | DURABLE), Reason::DEST_CLASS_NOT_ALTERABLE),
        (SubscriptionDescriptor { level: 2, ..named("s", "", alter) }, Reason::SUBLEVEL_NOT_ALTERABLE),
        (
            SubscriptionDescriptor { selection_string: "a = 1".to_owned(), ..named("s", "", alter) },
            Reason::SELECTOR_NOT_ALTERABLE,
        ),
    ] {
        assert_eq!(subscribe(&mut one, &wanted, None).unwrap_err(), reason, "{wanted:?}");
    }
    let wanted = SubscriptionDescriptor { user_data: "new".to_owned(), ..named("s", "", alter) };
    let found = subscribe(&mut one, &wanted, None).unwrap();
    publish(&mut one, "a", false, "x");
    assert_eq!(take(&mut one, found.queue.unwrap()), Ok("x".to_owned()));
}

#[test]
fn a_subscription_may_have_a_queue_of_its_program() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QMODEL(M) DEFTYPE(TEMPDYN)");
    let mut one = bench.connect();
    let input = one.open("Q", INPUT);
    let made = subscribe(&mut one, &SubscriptionDescriptor::to("a", CREATE), Some(input)).unwrap();
    assert_eq!(made.queue, None);
    publish(&mut one, "a", true, "x");
    assert_eq!(take(&mut one, input), Ok("x".to_owned()));
    close(&mut one, made.subscription, CloseOptions::EMPTY).unwrap();
    publish(&mut one, "a", true, "y");
    assert_eq!(bench.depth("Q"), 0);
    let wanted = named("s", "a", CREATE | DURABLE);
    assert_eq!(subscribe(&mut one, &wanted, None).unwrap_err(), Reason::HOBJ_ERROR);
    let temporary = one.open("M", INPUT);
    assert_eq!(subscribe(&mut one, &wanted, Some(temporary)).unwrap_err(), Reason::INVALID_DESTINATION);
    let output = one.open("Q", OUTPUT);
    subscribe(&mut one, &wanted, Some(output)).unwrap();
}

#[test]
fn a_descriptor_that_makes_no_sense_is_refused() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE TOPIC(OFF) TOPICSTR('off') SUB(DISABLED) DEFINE TOPIC(SHORT) TOPICSTR('short') DURSUB(NO)",
    );
    let mut one = bench.connect();
    let wild = SubscribeOptions::WILDCARD_CHAR;
    for (wanted, reason) in [
        (SubscriptionDescriptor::to("a", MANAGED), Reason::OPTIONS_ERROR),
        (SubscriptionDescriptor::to("", CREATE | MANAGED), Reason::UNKNOWN_OBJECT_NAME),
        (SubscriptionDescriptor::to("a%b", CREATE | MANAGED | wild), Reason::TOPIC_STRING_ERROR),
        (SubscriptionDescriptor::to("a", CREATE | MANAGED | DURABLE), Reason::SUB_NAME_ERROR),
        (SubscriptionDescriptor::to("off/a", CREATE | MANAGED), Reason::SUB_INHIBITED),
        (named("s", "short/a", CREATE | MANAGED | DURABLE), Reason::DURABILITY_NOT_ALLOWED),
        (
            SubscriptionDescriptor { level: 10, ..SubscriptionDescriptor::to("a", CREATE | MANAGED) },
            Reason::SD_ERROR,
        ),
        (
            SubscriptionDescriptor {
                user_data: "x".repeat(10_241),
                ..SubscriptionDescriptor::to("a", CREATE | MANAGED)
            },
            Reason::SUB_USER_DATA_ERROR,
        ),
        (
            SubscriptionDescriptor {
                selection_string: "a =".to_owned(),
                ..SubscriptionDescriptor::to("a", CREATE | MANAGED)
            },
            Reason::SELECTOR_SYNTAX_ERROR,
        ),
    ] {
        assert_eq!(subscribe(&mut one, &wanted, None).unwrap_err(), reason, "{wanted:?}");
    }
    assert_eq!(queues(&bench), 0, "nothing is left behind");
}

/// The descriptor of the next message, which must be there.
fn taken(session: &mut Session, handle: ObjectHandle) -> MessageDescriptor {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20).unwrap();
    MessageDescriptor::clone(&got.descriptor)
}

#[test]
fn of_a_group_the_subscription_that_says_most_of_its_topics_alone_is_given_a_publication() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
    let mut one = bench.connect();
    let (q, r) = (one.open("Q", INPUT), one.open("R", INPUT));
    let options = CREATE | DURABLE | SubscribeOptions::GROUP_SUB | SubscribeOptions::SET_CORREL_ID;
    let of_group = |name: &str, topic: &str, group: &[u8]| SubscriptionDescriptor {
        correlation_id: CorrelationId::from_bytes(group.repeat(24).try_into().unwrap()),
        user_data: name.to_owned(),
        ..named(name, topic, options)
    };
    for (name, topic, group, queue) in [
        ("wide", "price/#", b"g", q),
        ("narrow", "price/tin/+", b"g", q),
        ("other group", "price/#", b"h", q),
        ("other queue", "price/#", b"g", r),
    ] {
        subscribe(&mut one, &of_group(name, topic, group), Some(queue)).unwrap();
    }
    let double = of_group("double", "price/#", b"g");
    assert_eq!(subscribe(&mut one, &double, Some(q)).unwrap_err(), Reason::DUPLICATE_GROUP_SUB);
    publish(&mut one, "price/tin/close", true, "x");
    assert_eq!((bench.depth("Q"), bench.depth("R")), (2, 1));
    publish(&mut one, "price/zinc", true, "x");
    assert_eq!((bench.depth("Q"), bench.depth("R")), (4, 2));
    let mut bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    publish(&mut one, "price/tin/close", true, "x");
    assert_eq!((bench.depth("Q"), bench.depth("R")), (6, 3), "the group is there after a crash");
    let alter = SubscribeOptions::ALTER | DURABLE | SubscribeOptions::GROUP_SUB;
    let of_other = SubscriptionDescriptor {
        options: alter | SubscribeOptions::SET_CORREL_ID,
        ..of_group("wide", "", b"h")
    };
    assert_eq!(subscribe(&mut one, &of_other, None).unwrap_err(), Reason::GROUPING_NOT_ALTERABLE);
    let of_none = named("wide", "", SubscribeOptions::ALTER | DURABLE);
    assert_eq!(subscribe(&mut one, &of_none, None).unwrap_err(), Reason::GROUPING_NOT_ALTERABLE);
    drop(one);
    bench = bench.crash(Survival::Nothing);
    drop(bench);
}

#[test]
fn messages_have_the_identity_and_the_correlation_identifier_of_their_subscription() {
    let bench = Bench::new();
    let (mut one, mut two) = (bench.connect(), bench.connect_user("other"));
    let token = AccountingToken::from_bytes([7; 32]);
    let set = SubscribeOptions::SET_IDENTITY_CONTEXT | SubscribeOptions::SET_CORREL_ID;
    let alike = SubscriptionDescriptor {
        accounting_token: token,
        application_identity_data: Text::truncated("identity"),
        correlation_id: CorrelationId::from_bytes([9; 24]),
        priority: 8,
        ..SubscriptionDescriptor::to("a", CREATE | MANAGED)
    };
    let plain = subscribe(&mut one, &alike, None).unwrap();
    let own = subscribe(
        &mut one,
        &SubscriptionDescriptor { options: CREATE | MANAGED | set, ..alike.clone() },
        None,
    );
    let own = own.unwrap();
    let published = SubscriptionDescriptor {
        options: CREATE | MANAGED | SubscribeOptions::SET_CORREL_ID,
        correlation_id: CorrelationId::NONE,
        ..alike
    };
    let as_published = subscribe(&mut one, &published, None).unwrap();
    let object = ObjectDescriptor::topic("a");
    let told = MessageDescriptor { correlation_id: CorrelationId::from_bytes([5; 24]), ..message(false) };
    let put = two.connection.put1(&object, &told, &PutOptions::with(PutFlags::NO_SYNCPOINT), Bytes::new());
    open(&two.manager, put).unwrap();
    let (plain_message, own_message) =
        (taken(&mut one, plain.queue.unwrap()), taken(&mut one, own.queue.unwrap()));
    assert_eq!(plain_message.correlation_id, plain.is.correlation_id);
    assert!(!plain.is.correlation_id.is_none());
    assert_eq!(plain_message.user_identifier.as_str(), "tester", "the subscriber, not the publisher");
    assert_eq!(plain_message.accounting_token, AccountingToken::NONE);
    assert_eq!(plain_message.priority.code(), 8);
    assert_eq!(own_message.correlation_id.0, [9; 24]);
    assert_eq!(own_message.accounting_token, token);
    assert_eq!(own_message.application_identity_data.as_str(), "identity");
    assert_eq!(taken(&mut one, as_published.queue.unwrap()).correlation_id.0, [5; 24]);
}

#[test]
fn a_subscription_for_any_user_passes_to_who_uses_it() {
    let bench = Bench::new();
    let (mut one, mut two) = (bench.connect(), bench.connect_user("other"));
    let any = SubscribeOptions::ANY_USERID;
    for (name, options) in [("fixed", CREATE), ("any", CREATE | any)] {
        let made = subscribe(&mut one, &named(name, "a", options | MANAGED | DURABLE), None).unwrap();
        close(&mut one, made.subscription, CloseOptions::KEEP_SUB).unwrap();
    }
    let refused = subscribe(&mut two, &named("fixed", "", RESUME | MANAGED | DURABLE), None);
    assert_eq!(refused.unwrap_err(), Reason::IDENTITY_MISMATCH);
    let found = subscribe(&mut two, &named("any", "", RESUME | MANAGED | DURABLE), None).unwrap();
    publish(&mut one, "a", false, "x");
    assert_eq!(taken(&mut two, found.queue.unwrap()).user_identifier.as_str(), "other");
}

#[test]
fn who_asks_for_it_gets_nothing_of_its_own_and_nothing_unasked() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let on_request = CREATE | MANAGED | SubscribeOptions::PUBLICATIONS_ON_REQUEST;
    let asking = subscribe(&mut one, &SubscriptionDescriptor::to("a", on_request), None).unwrap();
    let made = subscribe(&mut one, &SubscriptionDescriptor::to("a", CREATE | MANAGED), None).unwrap();
    let publish_with = |session: &mut Session, flags: PutFlags| {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT | flags);
        let put =
            session.connection.put1(&ObjectDescriptor::topic("a"), &message(false), &options, Bytes::new());
        open(&session.manager, put).unwrap();
    };
    publish_with(&mut one, PutFlags::NOT_OWN_SUBS);
    assert_eq!(take(&mut one, made.queue.unwrap()), Err(Reason::NO_MSG_AVAILABLE));
    let mut two = bench.connect();
    publish_with(&mut two, PutFlags::NOT_OWN_SUBS);
    assert_eq!(take(&mut one, made.queue.unwrap()), Ok(String::new()));
    assert_eq!(take(&mut one, asking.queue.unwrap()), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_subscription_whose_time_is_over_is_gone() {
    let bench = Bench::new();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let options = CREATE | MANAGED | DURABLE;
    let wanted = SubscriptionDescriptor { expiry: Expiry::tenths(50), ..named("s", "a", options) };
    let made = subscribe(&mut one, &wanted, None).unwrap();
    close(&mut one, made.subscription, CloseOptions::EMPTY).unwrap();
    publish(&mut two, "a", true, "in time");
    bench.machine.clock.advance(Duration::from_secs(6));
    publish(&mut two, "a", true, "too late");
    let refused = subscribe(&mut one, &named("s", "", RESUME | MANAGED | DURABLE), None);
    assert_eq!(refused.unwrap_err(), Reason::NO_SUBSCRIPTION);
    assert_eq!(queues(&bench), 0);
    subscribe(&mut one, &wanted, None).unwrap();
}

#[test]
fn an_administrator_may_have_the_queue_looked_after_and_removes_no_subscription_in_use() {
    let mut bench = Bench::new();
    bench.mqsc("DEFINE SUB('s') TOPICSTR('a') DESTCLAS(MANAGED)");
    assert_eq!(queues(&bench), 1);
    bench.mqsc("DEFINE SUB('s') TOPICSTR('a') DESTCLAS(MANAGED) USERDATA('x') REPLACE");
    bench.mqsc("ALTER SUB('s') USERDATA('y')");
    bench.mqsc("DEFINE SUB('t') TOPICSTR('b') DESTCLAS(MANAGED) LIKE('s')");
    assert_eq!(queues(&bench), 2, "each has a queue of its own");
    bench.mqsc("DELETE SUB('t')");
    assert_eq!(queues(&bench), 1);
    let mut one = bench.connect();
    publish(&mut one, "a", true, "x");
    drop(one);
    bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let found = subscribe(&mut one, &named("s", "", RESUME | MANAGED | DURABLE), None).unwrap();
    assert_eq!(take(&mut one, found.queue.unwrap()), Ok("x".to_owned()));
    for (command, says) in [
        ("DELETE SUB('s')", "2429"),
        ("ALTER SUB('s') DEST(Q)", "DEST"),
        ("DEFINE SUB('s') TOPICSTR('a') DEST(Q) REPLACE", "2533"),
    ] {
        let answer = bench.refused(command);
        assert!(answer.contains(says), "{command}: {answer}");
    }
    close(&mut one, found.subscription, CloseOptions::KEEP_SUB).unwrap();
    bench.mqsc("DELETE SUB('s')");
    assert_eq!(queues(&bench), 0);
}

#[test]
fn what_cannot_be_retained_is_not_published() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE SUB('s') TOPICSTR('a') DEST(Q)");
    bench.mqsc("ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) PUT(DISABLED)");
    let mut one = bench.connect();
    for flags in [PutFlags::NO_SYNCPOINT, PutFlags::SYNCPOINT] {
        let options = PutOptions::with(flags | PutFlags::RETAIN);
        let object = ObjectDescriptor::topic("a");
        let put = one.connection.put1(&object, &message(true), &options, Bytes::new());
        assert_eq!(open(&one.manager, put).unwrap_err(), Reason::PUT_NOT_RETAINED);
    }
    let committed = one.connection.commit(None);
    open(&one.manager, committed).unwrap();
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn what_is_retained_and_cannot_be_had_is_said() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
    let put = one.connection.put1(&ObjectDescriptor::topic("a"), &message(true), &options, Bytes::new());
    open(&one.manager, put).unwrap();
    let asking = subscribe(&mut one, &named("asks", "a", CREATE | MANAGED), None).unwrap();
    let new_only = CREATE | MANAGED | SubscribeOptions::NEW_PUBLICATIONS_ONLY;
    for hidden in [
        "ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) GET(DISABLED)",
        "DELETE QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) PURGE",
    ] {
        bench.mqsc(hidden);
        let wanted = named("s", "a", CREATE | MANAGED | DURABLE);
        assert_eq!(subscribe(&mut one, &wanted, None).unwrap_err(), Reason::RETAINED_MSG_Q_ERROR, "{hidden}");
        let found = subscribe(&mut one, &named("s", "a", RESUME | MANAGED | DURABLE), None);
        assert_eq!(found.unwrap_err(), Reason::NO_SUBSCRIPTION, "it was not made");
        let asked = one.connection.request_publications(asking.subscription, 1, RequestOptions::EMPTY);
        assert_eq!(open(&one.manager, asked).unwrap_err(), Reason::RETAINED_MSG_Q_ERROR);
        subscribe(&mut one, &SubscriptionDescriptor::to("a", new_only), None).unwrap();
    }
    // The queue of the subscription that asks, and those of the two that want new ones alone.
    assert_eq!(queues(&bench), 3);
}

#[test]
fn of_many_retained_publications_each_topic_has_its_own() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let topics = 200;
    for round in 0..3 {
        for number in 0..topics {
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
            let object = ObjectDescriptor::topic(format!("many/{number}"));
            let body = Bytes::from(format!("{round} {number}"));
            let put = one.connection.put1(&object, &message(number % 2 == 0), &options, body);
            open(&one.manager, put).unwrap();
            // The log of a test is small.
            bench.keep_house();
        }
    }
    assert_eq!(bench.depth("SYSTEM.RETAINED.PUB.QUEUE"), topics, "those before are gone");
    let all = subscribe(&mut one, &SubscriptionDescriptor::to("many/+", CREATE | MANAGED), None).unwrap();
    for number in 0..topics {
        assert_eq!(
            take(&mut one, all.queue.unwrap()).map(|body| body.ends_with(&format!("2 {number}"))),
            Ok(true)
        );
    }
    let alone = subscribe(&mut one, &SubscriptionDescriptor::to("many/7", CREATE | MANAGED), None).unwrap();
    assert!(take(&mut one, alone.queue.unwrap()).unwrap().ends_with("2 7"));
    assert_eq!(take(&mut one, alone.queue.unwrap()), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn status_counts_what_passes_and_says_who_is_there() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE SUB('administered') TOPICSTR('price/+') DEST(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let own = subscribe(&mut one, &named("own", "price/tin", CREATE | MANAGED | DURABLE), None).unwrap();
    let topic = two.connection.open(&ObjectDescriptor::topic("price/tin"), OUTPUT);
    let topic = open(&two.manager, topic).unwrap().handle;
    for _ in 0..3 {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = two.connection.put(topic, &message(true), &options, Bytes::from_static(b"x"));
        open(&two.manager, put).unwrap();
    }
    let has = |command: &str, parts: &[&str]| {
        let shown = bench.told(command);
        for part in parts {
            assert!(shown.contains(part), "{part} is missing in {shown}");
        }
    };
    has(
        "DISPLAY TPSTATUS('price/tin') PUBCOUNT SUBCOUNT RETAINED",
        &["PUBCOUNT(1)", "SUBCOUNT(1)", "RETAINED(NO)"],
    );
    has("DISPLAY TPSTATUS('price/+') TYPE(PUB)", &["TPSTATUS(price/tin)"]);
    has("DISPLAY TPSTATUS('price/tin') TYPE(PUB)", &["NUMPUBS(3)"]);
    has("DISPLAY SBSTATUS('own')", &["NUMMSGS(3)", "DURABLE(YES)", "SUBTYPE(API)"]);
    has("DISPLAY SBSTATUS('administered')", &["NUMMSGS(3)", "SUBTYPE(ADMIN)", "ACTCONN(0000"]);
    bench.mqsc("ALTER SUB('administered') USERDATA('x')");
    publish(&mut two, "price/zinc", false, "not by the handle");
    has("DISPLAY SBSTATUS('administered')", &["NUMMSGS(4)"]);
    has("DISPLAY TPSTATUS('price/tin') TYPE(PUB)", &["NUMPUBS(3)"]);
    let in_use = bench.told("DISPLAY SBSTATUS('own') ACTCONN RESMDATE");
    assert!(!in_use.contains("ACTCONN(0000") && !in_use.contains("RESMDATE( )"), "{in_use}");
    close(&mut one, own.subscription, CloseOptions::EMPTY).unwrap();
    let left = bench.told("DISPLAY SBSTATUS('own') ACTCONN RESMDATE");
    assert!(
        left.contains("ACTCONN(0000") && !left.contains("RESMDATE( )"),
        "the last use stays known: {left}"
    );
    has("DISPLAY SBSTATUS('administered') RESMDATE", &["RESMDATE( )"]);
    drop(two);
    has("DISPLAY TPSTATUS('price/tin') PUBCOUNT", &["PUBCOUNT(0)"]);
}

#[test]
fn a_place_that_programs_used_is_shown_for_as_long_as_treelife_says() {
    let bench = Bench::new();
    bench.mqsc("ALTER QMGR TREELIFE(60)");
    let mut one = bench.connect();
    let topic = one.connection.open(&ObjectDescriptor::topic("handle/closed"), OUTPUT);
    let topic = open(&one.manager, topic).unwrap().handle;
    let subscribed =
        subscribe(&mut one, &SubscriptionDescriptor::to("subscription/#", CREATE | MANAGED), None).unwrap();
    bench.pass(Duration::from_secs(1_000));
    close(&mut one, topic, CloseOptions::EMPTY).unwrap();
    close(&mut one, subscribed.subscription, CloseOptions::EMPTY).unwrap();
    publish(&mut one, "by/name", false, "x");
    let places = ["handle/closed", "handle", "subscription/#", "by/name"];
    let shown = |bench: &Bench| {
        let all = bench.told("DISPLAY TPSTATUS('#')");
        places.map(|place| all.contains(&format!("TPSTATUS({place})")))
    };
    assert_eq!(shown(&bench), [true; 4]);
    bench.pass(Duration::from_secs(59));
    assert_eq!(shown(&bench), [true; 4]);
    publish(&mut one, "by/name", false, "again");
    bench.pass(Duration::from_secs(1));
    assert_eq!(shown(&bench), [false, false, false, true]);
    bench.refused("DISPLAY TPSTATUS('handle/closed')");
    bench.mqsc("ALTER QMGR TREELIFE(0)");
    bench.pass(Duration::from_secs(1_000_000));
    assert_eq!(shown(&bench), [false, false, false, true]);
    drop(one);
    let bench = bench.crash(Survival::Everything);
    assert_eq!(shown(&bench), [false; 4]);
}

#[test]
fn what_is_retained_and_on_the_disk_is_read_by_who_may_wait() {
    let retain = |one: &mut Session, body: &'static str| {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
        let object = ObjectDescriptor::topic("price/tin");
        let put = one.connection.put1(&object, &message(true), &options, Bytes::from_static(body.as_bytes()));
        open(&one.manager, put).unwrap();
    };
    let bench = Bench::new();
    retain(&mut bench.connect(), "12");
    // After a restart nothing is in memory.
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let none = SubscriptionDescriptor::to("price/lead", CREATE | MANAGED);
    let Begun::Done(none) = one.connection.begin_to_subscribe(&none, None) else { panic!("nothing is read") };
    open(&one.manager, none).unwrap();
    let wanted = named("s", "price/+", CREATE | MANAGED | DURABLE);
    let Begun::Reads(rest) = one.connection.begin_to_subscribe(&wanted, None) else {
        panic!("it is not in memory")
    };
    let subscribed = open(&one.manager, rest.finish(&bench.manager)).unwrap();
    assert_eq!(take(&mut one, subscribed.queue.unwrap()), Ok("12".to_owned()));
    drop(one);

    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let found = subscribe(&mut one, &named("s", "", RESUME | MANAGED | DURABLE), None).unwrap();
    let queue = found.queue.unwrap();
    let asked = |one: &Session| {
        one.connection.begin_to_request(found.subscription, MQSR_ACTION_PUBLICATION, RequestOptions::EMPTY)
    };
    let Begun::Reads(rest) = asked(&one) else { panic!("it is not in memory") };
    assert_eq!(open(&one.manager, rest.finish(&bench.manager)), Ok(1));
    let Begun::Done(again) = asked(&one) else { panic!("it was read") };
    assert_eq!(open(&one.manager, again), Ok(1));
    assert_eq!([take(&mut one, queue), take(&mut one, queue)], [Ok("12".to_owned()), Ok("12".to_owned())]);
    drop(one);

    // What is published instead goes beside it, until a job has read it and taken it away.
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let found = subscribe(&mut one, &named("s", "", RESUME | MANAGED | DURABLE), None).unwrap();
    retain(&mut one, "13");
    assert_eq!(bench.depth("SYSTEM.RETAINED.PUB.QUEUE"), 2);
    bench.keep_house();
    assert_eq!(bench.depth("SYSTEM.RETAINED.PUB.QUEUE"), 1);
    assert_eq!(take(&mut one, found.queue.unwrap()), Ok("13".to_owned()));
}

#[test]
fn what_was_retained_is_not_given_behind_what_took_its_place_while_it_was_read() {
    let retain = |one: &mut Session, topic: &str, body: &'static str| {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
        let object = ObjectDescriptor::topic(topic);
        let put = one.connection.put1(&object, &message(true), &options, Bytes::from_static(body.as_bytes()));
        open(&one.manager, put).unwrap();
    };
    let bench = Bench::new();
    for topic in ["price/tin", "price/zinc"] {
        retain(&mut bench.connect(), topic, "12");
    }
    // After a restart nothing is in memory.
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let wanted = SubscriptionDescriptor::to("price/+", CREATE | MANAGED);
    let Begun::Reads(rest) = one.connection.begin_to_subscribe(&wanted, None) else {
        panic!("it is not in memory")
    };
    retain(&mut bench.connect(), "price/tin", "13");
    let subscribed = open(&one.manager, rest.finish(&bench.manager)).unwrap();
    let queue = subscribed.queue.unwrap();
    let taken: Vec<_> = std::iter::from_fn(|| take(&mut one, queue).ok()).collect();
    assert_eq!(taken, ["13", "12"], "the first price of tin is gone, and that of zinc is the one there is");
}

#[test]
fn what_is_retained_is_given_to_no_subscription_that_ended_before_it_was_read() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(DEAD) ALTER QMGR DEADQ(DEAD)");
    let mut one = bench.connect();
    for topic in ["price/tin", "price/zinc"] {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
        let object = ObjectDescriptor::topic(topic);
        let put = one.connection.put1(&object, &message(true), &options, Bytes::from_static(b"12"));
        open(&one.manager, put).unwrap();
    }
    drop(one);
    // After a restart nothing is in memory.
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let wanted = SubscriptionDescriptor::to("#", CREATE | MANAGED);
    let Begun::Reads(rest) = one.connection.begin_to_subscribe(&wanted, None) else {
        panic!("it is not in memory")
    };
    drop(one);
    bench.keep_house();
    let _nobody = rest.finish(&bench.manager);
    assert_eq!((queues(&bench), bench.depth("DEAD")), (0, 0));
}

#[test]
fn what_is_retained_is_shown_and_cleared() {
    let bench = Bench::new();
    let mut one = bench.connect();
    for (topic, persistent) in [("price/tin", true), ("price/zinc", false)] {
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
        let object = ObjectDescriptor::topic(topic);
        let put = one.connection.put1(&object, &message(persistent), &options, Bytes::from_static(b"x"));
        open(&one.manager, put).unwrap();
    }
    let retained = |bench: &Bench| {
        let shown = bench.told("DISPLAY TPSTATUS('#') WHERE(RETAINED EQ YES)");
        ["price/tin", "price/zinc"].map(|topic| shown.contains(topic))
    };
    assert_eq!(retained(&bench), [true, true]);
    for topic in ["price/tin", "price/zinc"] {
        let clear = format!("CLEAR TOPICSTR('{topic}') CLRTYPE(RETAINED)");
        assert!(bench.told(&clear).contains("is gone"));
        assert!(bench.told(&clear).contains("Nothing is retained"));
    }
    assert_eq!(retained(&bench), [false, false]);
    let all = subscribe(&mut one, &SubscriptionDescriptor::to("#", CREATE | MANAGED), None).unwrap();
    assert_eq!(take(&mut one, all.queue.unwrap()), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_subscription_whose_time_is_over_goes_with_its_queue_unless_it_is_used() {
    let bench = Bench::new();
    let mut one = bench.connect();
    for (name, is_left) in [("left", true), ("used", false)] {
        let wanted = SubscriptionDescriptor {
            expiry: Expiry::tenths(20),
            ..named(name, "a", CREATE | MANAGED | DURABLE)
        };
        let made = subscribe(&mut one, &wanted, None).unwrap();
        if is_left {
            close(&mut one, made.subscription, CloseOptions::EMPTY).unwrap();
        }
    }
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE SUB('defined') TOPICSTR('a') DEST(Q) EXPIRY(20)");
    bench.mqsc("DEFINE SUB('longer') TOPICSTR('a') DEST(Q) EXPIRY(20)");
    bench.mqsc("ALTER SUB('longer') EXPIRY(600)");
    bench.keep_house();
    assert_eq!(queues(&bench), 2);
    bench.machine.clock.advance(Duration::from_secs(4));
    bench.keep_house();
    assert_eq!(queues(&bench), 1);
    assert!(bench.refused("DISPLAY SUB('left')").contains("not found"));
    assert!(bench.refused("DISPLAY SUB('defined')").contains("not found"));
    assert!(bench.told("DISPLAY SUB('longer')").contains("EXPIRY(600)"));
    assert!(bench.told("DISPLAY SUB('used')").contains("SUB(used)"));
    drop(one);
    bench.keep_house();
    assert_eq!(queues(&bench), 0);
    assert!(bench.refused("DISPLAY SUB('used')").contains("not found"));
}

/// The queue that is looked after for the only subscription.
fn managed_queue(bench: &Bench) -> String {
    let all = bench.manager.figures().queue_counters();
    let managed = all.iter().find(|(name, _)| name.as_str().starts_with("SYSTEM.MANAGED."));
    managed.expect("there is one").0.as_str().to_owned()
}

#[test]
fn a_durable_subscription_whose_managed_queue_was_deleted_is_not_resumed() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let made = subscribe(&mut one, &named("s", "a", CREATE | MANAGED | DURABLE), None).unwrap();
    close(&mut one, made.queue.unwrap(), CloseOptions::EMPTY).unwrap();
    close(&mut one, made.subscription, CloseOptions::EMPTY).unwrap();
    publish(&mut one, "a", true, "is lost with the queue");
    let name = managed_queue(&bench);
    bench.mqsc(&format!("DELETE QLOCAL('{name}') PURGE"));
    publish(&mut one, "a", false, "has nowhere to go");
    let user_data = "new".to_owned();
    for wanted in [
        named("s", "", RESUME | MANAGED | DURABLE),
        named("s", "a", CREATE | RESUME | MANAGED | DURABLE),
        SubscriptionDescriptor { user_data, ..named("s", "", SubscribeOptions::ALTER | MANAGED | DURABLE) },
    ] {
        // Again, as it is in use by nobody.
        for _ in 0..2 {
            assert_eq!(
                subscribe(&mut one, &wanted, None).unwrap_err(),
                Reason::INVALID_DESTINATION,
                "{wanted:?}"
            );
        }
    }
    assert_eq!(bench.manager.figures().connections(), 1);
    drop(one);
    // It stands until its queue is made again, as it was.
    let bench = bench.crash(Survival::Nothing);
    bench.mqsc(&format!("DEFINE QLOCAL('{name}')"));
    let mut one = bench.connect();
    let found = subscribe(&mut one, &named("s", "", RESUME | MANAGED | DURABLE), None).unwrap();
    assert_eq!(found.is.user_data, "");
    publish(&mut one, "a", true, "arrives");
    assert_eq!(take(&mut one, found.queue.unwrap()), Ok("arrives".to_owned()));
    close(&mut one, found.subscription, CloseOptions::REMOVE_SUB).unwrap();
    assert_eq!(queues(&bench), 0);
}

#[test]
fn a_managed_subscription_needs_a_model_that_lasts_as_long_as_it() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QMODEL(M) DEFTYPE(TEMPDYN) DEFINE TOPIC(BRIEF) TOPICSTR('brief') MDURMDL(M) MNDURMDL(M) \
         DEFINE TOPIC(NONE) TOPICSTR('none') MDURMDL(MISSING) MNDURMDL(MISSING)",
    );
    let mut one = bench.connect();
    subscribe(&mut one, &SubscriptionDescriptor::to("brief", CREATE | MANAGED), None).unwrap();
    for wanted in [
        named("s", "brief", CREATE | MANAGED | DURABLE),
        named("s", "none", CREATE | MANAGED | DURABLE),
        SubscriptionDescriptor::to("none", CREATE | MANAGED),
    ] {
        assert_eq!(
            subscribe(&mut one, &wanted, None).unwrap_err(),
            Reason::INVALID_DESTINATION,
            "{wanted:?}"
        );
    }
    assert_eq!(queues(&bench), 1);
}

#[test]
fn a_managed_queue_may_be_inquired_through_its_handle() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let made = subscribe(&mut one, &SubscriptionDescriptor::to("a", CREATE | MANAGED), None).unwrap();
    let queue = made.queue.unwrap();
    publish(&mut one, "a", false, "x");
    let inquired = one.connection.inquire(queue, &[Selector(MQIA_CURRENT_Q_DEPTH)]);
    assert_eq!(
        open(&one.manager, inquired).map(|inquired| inquired.values),
        Ok(vec![AttributeValue::Integer(1)])
    );
    assert_eq!(take(&mut one, queue), Ok("x".to_owned()));
}
