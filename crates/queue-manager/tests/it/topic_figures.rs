//! Figures of topics and subscriptions, beside what DISPLAY says of them.

use std::time::Duration;

use bytes::Bytes;
use figures::Topic;
use mqi::{CloseOptions, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions, Reason};
use mqi::{SubscribeOptions, SubscriptionDescriptor};
use platform::Clock as _;
use queue_manager::{TopicsOverview, TopicsWatched};

use crate::support::{Bench, OUTPUT, Session, message, open};

const MANAGED: SubscribeOptions = SubscribeOptions::CREATE.union(SubscribeOptions::MANAGED);

/// A queue manager that keeps the counts of topics below `shown`, so many at most, and of subscriptions that
/// begin with `own`, two at most.
fn bench(topics_max: usize) -> Bench {
    let bench = Bench::new();
    bench.manager.figures().watch_topics(TopicsWatched {
        topics: vec!["shown/*".to_owned(), "!shown/secret*".to_owned()],
        topics_max,
        subscriptions: vec!["own*".to_owned()],
        subscriptions_max: 2,
    });
    bench
}

fn look(bench: &Bench) -> TopicsOverview {
    bench.open(bench.manager.figures().overview()).topics
}

/// The topics that are shown.
fn names(bench: &Bench) -> Vec<String> {
    look(bench).topics.topics.iter().map(|(topic, _)| topic.to_string()).collect()
}

fn of(bench: &Bench, topic: &str) -> Topic {
    let shown = look(bench).topics.topics;
    let found = shown.iter().find(|(name, _)| **name == *topic);
    found.unwrap_or_else(|| panic!("{topic} is not shown: {shown:?}")).1
}

fn publish(session: &mut Session, topic: &str) -> Result<(), Reason> {
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let object = ObjectDescriptor::topic(topic);
    let put = session.connection.put1(&object, &message(false), &options, Bytes::from_static(b"x"));
    open(&session.manager, put).map(drop)
}

fn publish_by(session: &mut Session, handle: ObjectHandle) -> Result<(), Reason> {
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = session.connection.put(handle, &message(false), &options, Bytes::from_static(b"x"));
    open(&session.manager, put).map(drop)
}

fn open_topic(session: &mut Session, topic: &str) -> ObjectHandle {
    let opened = session.connection.open(&ObjectDescriptor::topic(topic), OUTPUT);
    open(&session.manager, opened).unwrap().handle
}

fn subscribe(session: &mut Session, name: &str, topic: &str) -> ObjectHandle {
    let options = if name.is_empty() { MANAGED } else { MANAGED | SubscribeOptions::DURABLE };
    let wanted =
        SubscriptionDescriptor { name: name.to_owned(), ..SubscriptionDescriptor::to(topic, options) };
    let subscribed = session.connection.subscribe(&wanted, None);
    open(&session.manager, subscribed).unwrap().subscription
}

fn close(session: &mut Session, handle: ObjectHandle, options: CloseOptions) {
    let closed = session.connection.close(handle, options);
    open(&session.manager, closed).unwrap();
}

/// A number that DISPLAY tells.
fn told(bench: &Bench, command: &str, keyword: &str) -> u64 {
    let told = bench.told(&format!("{command} {keyword}"));
    let (_, rest) = told.split_once(&format!("{keyword}(")).unwrap_or_else(|| panic!("{told}"));
    rest.split(')').next().unwrap().parse().unwrap()
}

#[test]
fn figures_of_topics_and_subscriptions_are_the_numbers_of_display() {
    let bench = bench(10);
    let (mut one, mut two) = (bench.connect(), bench.connect());
    subscribe(&mut one, "own.tin", "shown/tin");
    subscribe(&mut one, "own.all", "shown/+");
    subscribe(&mut one, "other", "shown/tin");
    let handle = open_topic(&mut two, "shown/tin");
    let now = u64::try_from(bench.machine.clock.wall().0 / 1_000_000 * 1_000_000).unwrap();
    (0..3).for_each(|_| publish_by(&mut two, handle).unwrap());
    let figures = of(&bench, "shown/tin");
    let place = "DISPLAY TPSTATUS('shown/tin')";
    assert_eq!(figures.publishers, told(&bench, place, "PUBCOUNT"));
    assert_eq!(figures.subscribers, told(&bench, place, "SUBCOUNT"));
    assert_eq!(figures.published, told(&bench, &format!("{place} TYPE(PUB)"), "NUMPUBS"));
    let each = told(&bench, "DISPLAY SBSTATUS('own.tin')", "NUMMSGS");
    assert_eq!((figures.published, figures.received), (3, 2 * each));
    assert_eq!((figures.last_published_micros, figures.last_received_micros), (now, now));
    let wild = of(&bench, "shown/+");
    assert_eq!((wild.subscribers, wild.published, wild.received), (1, 0, 3), "it counts at its own string");

    let shown = look(&bench);
    let of_all: Vec<_> = shown.subscriptions.iter().map(|one| (one.name.as_str(), one.kind)).collect();
    assert_eq!(of_all, [("own.all", "API"), ("own.tin", "API")]);
    let tin = &shown.subscriptions[1];
    assert_eq!((tin.topic.as_str(), tin.figures.messages), ("shown/tin", each));
    let identifier = bench.told("DISPLAY SBSTATUS('own.tin')");
    assert!(identifier.contains(&format!("SUBID({})", tin.identifier)), "{identifier}");
    subscribe(&mut one, "own.zinc", "elsewhere");
    let shown = look(&bench);
    assert_eq!((shown.subscriptions.len(), shown.subscriptions_in_all), (2, 3), "the first two by name");
}

#[test]
fn counts_of_closed_handles_and_of_subscriptions_that_ended_stay() {
    let bench = bench(10);
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let brief = subscribe(&mut one, "", "shown/a");
    let durable = subscribe(&mut one, "own", "shown/a");
    let handle = open_topic(&mut two, "shown/a");
    (0..3).for_each(|_| publish_by(&mut two, handle).unwrap());
    publish(&mut two, "shown/a").unwrap();
    let of_a = |bench: &Bench| {
        let Topic { publishers, subscribers, published, received, .. } = of(bench, "shown/a");
        [publishers, subscribers, published, received]
    };
    assert_eq!(of_a(&bench), [1, 2, 4, 8]);
    close(&mut two, handle, CloseOptions::EMPTY);
    close(&mut one, brief, CloseOptions::EMPTY);
    assert_eq!(of_a(&bench), [0, 1, 4, 8]);
    close(&mut one, durable, CloseOptions::EMPTY);
    bench.mqsc("DELETE SUB('own')");
    drop(one);
    assert_eq!(of_a(&bench), [0, 0, 4, 8]);
    let again = open_topic(&mut two, "shown/a");
    publish_by(&mut two, again).unwrap();
    drop(two);
    assert_eq!(of_a(&bench), [0, 0, 5, 8], "the end of a connection closes its handles");
}

#[test]
fn a_subscription_that_is_altered_counts_on_and_one_of_a_topic_that_is_not_named_does_not_count() {
    let bench = bench(10);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE SUB('own') TOPICSTR('shown/a') DEST(Q)");
    bench.mqsc("DEFINE SUB('plain') TOPICSTR('hidden/a') DEST(Q)");
    let mut one = bench.connect();
    for topic in ["shown/a", "hidden/a", "shown/secret/a"] {
        publish(&mut one, topic).unwrap();
    }
    bench.mqsc("ALTER SUB('own') USERDATA('x')");
    publish(&mut one, "shown/a").unwrap();
    assert_eq!(of(&bench, "shown/a").received, 2);
    assert_eq!(names(&bench), ["shown/a"]);
    assert_eq!(look(&bench).subscriptions[0].kind, "ADMIN");
}

#[test]
fn a_refused_publication_takes_no_place_and_counts_for_nothing() {
    let bench = bench(1);
    let mut one = bench.connect();
    bench.mqsc("DEFINE TOPIC(CLOSED) TOPICSTR('closed') PUB(DISABLED)");
    let handle = open_topic(&mut one, "shown/b");
    bench.mqsc("DEFINE TOPIC(SHUT) TOPICSTR('shown') PUB(DISABLED)");
    assert_eq!(publish(&mut one, "shown/a"), Err(Reason::PUT_INHIBITED));
    assert_eq!(publish_by(&mut one, handle), Err(Reason::PUT_INHIBITED));
    assert_eq!(names(&bench), [""; 0]);
    close(&mut one, handle, CloseOptions::EMPTY);
    assert_eq!(names(&bench), [""; 0]);
    bench.mqsc("ALTER TOPIC(SHUT) PUB(ENABLED)");
    publish(&mut one, "shown/c").unwrap();
    assert_eq!(of(&bench, "shown/c").published, 1);
    let seated = look(&bench).topics;
    assert_eq!((seated.left_out, seated.is_full), (0, false));
}

#[test]
fn a_topic_beyond_the_bound_is_counted_and_comes_when_another_leaves_the_tree() {
    let bench = bench(2);
    bench.mqsc("ALTER QMGR TREELIFE(60)");
    bench.mqsc("DEFINE TOPIC(A) TOPICSTR('shown/defined')");
    let mut one = bench.connect();
    publish(&mut one, "shown/brief").unwrap();
    assert_eq!(names(&bench), ["shown/brief", "shown/defined"]);
    let late = open_topic(&mut one, "shown/a.late");
    publish_by(&mut one, late).unwrap();
    publish(&mut one, "shown/b.lost").unwrap();
    let seated = look(&bench).topics;
    assert_eq!((seated.topics.len(), seated.left_out, seated.is_full), (2, 1, true));
    bench.pass(Duration::from_secs(59));
    assert_eq!(names(&bench), ["shown/brief", "shown/defined"]);
    bench.pass(Duration::from_secs(1));
    look(&bench);
    assert_eq!(names(&bench), ["shown/a.late", "shown/defined"], "one that has left gives its place up");
    assert_eq!(of(&bench, "shown/a.late").published, 1);
    let seated = look(&bench).topics;
    assert_eq!((seated.left_out, seated.is_full), (0, false));
    bench.mqsc("DELETE TOPIC(A)");
    look(&bench);
    assert_eq!(names(&bench), ["shown/a.late"]);
}

#[test]
fn nothing_is_kept_unless_figures_are_made_of_topics() {
    let bench = Bench::new();
    let mut one = bench.connect();
    subscribe(&mut one, "own", "shown/a");
    publish(&mut one, "shown/a").unwrap();
    assert_eq!(look(&bench), TopicsOverview::default());
}
