//! Steps at random about topics: who subscribes, asks for what is retained and leaves, and what is published.
//!
//! Courses with topics are some of all, so that subscribers and publishers meet in them. Subscriptions are
//! few and their names are the same for all clients, so that they are found again, used by others, and in
//! each other's way. Handles are not chosen by number here: what a call through that of a subscription comes
//! to the model does not know.

use platform::simulated::Random;

use super::words::{Line, Way, Writer, draw};

/// Of a hundred courses so many are about topics.
const COURSES_PERCENT: u8 = 35;
/// Of a hundred steps of such a course so many are.
pub(super) const STEPS_PERCENT: u8 = 45;

const STEPS: [Way; 8] = [
    (220, subscribe),
    (330, publish),
    (260, take),
    (70, unsubscribe),
    (60, request),
    (25, open_topic),
    (30, publish_open),
    (30, command),
];

/// Commands at the beginning of a course about topics.
const OBJECTS: [&str; 6] = [
    "DEFINE TOPIC(PRICE) TOPICSTR('price') DEFPSIST(YES) DEFPRTY(2)",
    "DEFINE TOPIC(ZINC) TOPICSTR('price/zinc') PMSGDLV(ALL) NPMSGDLV(ALL) USEDLQ(NO)",
    "DEFINE TOPIC(NONE) TOPICSTR('weather') DURSUB(NO)",
    "DEFINE QLOCAL(OWN)",
    "DEFINE SUB('ADMIN') TOPICSTR('price/#') DEST(REPLIES)",
    "DEFINE SUB('SMALL') TOPICSTR('price/+') DEST(SMALL)",
];

const TOPICS: [&str; 5] = ["price/tin", "price/tin", "price/zinc", "price", "weather"];
const PATTERNS: [&str; 6] = ["price/+", "price/#", "#", "+", "weather/#", "price/+/#"];
const NAMES: [&str; 3] = ["S", "S", "T"];

/// Returns the beginning of a course, if it is about topics.
pub(super) fn opening(random: &mut Random, clients: &[&str]) -> Option<Vec<Line>> {
    if !random.percent(COURSES_PERCENT) {
        return None;
    }
    let mut lines: Vec<Line> = OBJECTS.iter().map(|command| Line::Command((*command).to_owned())).collect();
    for client in clients.iter().filter(|_| random.percent(40)) {
        lines.push(Line::Step(format!("{client}: open OWN input+output shared")));
    }
    Some(lines)
}

/// A step about topics.
pub(super) fn write(writer: &mut Writer<'_>) {
    draw(writer.random, &STEPS)(writer);
}

fn topic(writer: &mut Writer<'_>) {
    let topic = *writer.random.pick(&TOPICS);
    writer.say(format!("\"{topic}\""));
}

fn subscription(writer: &mut Writer<'_>) {
    writer.perhaps(100, &NAMES);
}

fn subscribe(writer: &mut Writer<'_>) {
    writer.say("subscribe");
    subscription(writer);
    match writer.random.below(100) {
        0..45 => topic(writer),
        45..48 => writer.say("\"\""),
        48..56 => writer.say("\"price/*\" +MQSO_WILDCARD_CHAR"),
        _ => {
            let pattern = *writer.random.pick(&PATTERNS);
            writer.say(format!("\"{pattern}\""));
        }
    }
    writer.perhaps(
        97,
        &["create", "create", "create resume", "create resume", "resume", "alter", "create alter"],
    );
    let is_managed = writer.random.percent(80);
    if is_managed {
        writer.say("managed");
    } else {
        writer.perhaps(97, &["into OWN"]);
    }
    writer.perhaps(50, &["durable"]);
    if !is_managed && writer.random.percent(30) {
        writer.perhaps(90, &["+MQSO_GROUP_SUB +MQSO_SET_CORREL_ID correlation-id g"]);
    } else {
        writer.perhaps(15, &["+MQSO_SET_CORREL_ID", "+MQSO_SET_CORREL_ID correlation-id a"]);
    }
    writer.perhaps(10, &["user-data mine", "user-data \"for me\""]);
    writer.perhaps(12, &["priority 7", "priority 0", "priority -2", "priority 10"]);
    writer.perhaps(10, &["level 3", "level 0", "level 10"]);
    writer.perhaps(8, &["selector \"JMSPriority > 3\"", "selector \"colour = 'red'\""]);
    writer.perhaps(10, &["+MQSO_SET_IDENTITY_CONTEXT identity-data told", "+MQSO_SET_IDENTITY_CONTEXT"]);
    writer.perhaps(12, &["+MQSO_PUBLICATIONS_ON_REQUEST", "+MQSO_NEW_PUBLICATIONS_ONLY"]);
    writer.perhaps(25, &OPTIONS);
    writer.perhaps(3, &["topic PRICE", "topic NONE", "topic NOWHERE", "name \"\"", "+MQSO_0x400"]);
}

const OPTIONS: [&str; 9] = [
    "+MQSO_FIXED_USERID",
    "+MQSO_ANY_USERID",
    "+MQSO_NO_MULTICAST",
    "+MQSO_FAIL_IF_QUIESCING",
    "+MQSO_ALTERNATE_USER_AUTHORITY",
    "+MQSO_WILDCARD_TOPIC",
    "+MQSO_SCOPE_QMGR",
    "+MQSO_READ_AHEAD",
    "+MQSO_NO_READ_AHEAD",
];

fn unsubscribe(writer: &mut Writer<'_>) {
    writer.say("unsubscribe");
    subscription(writer);
    writer.perhaps(60, &["keep", "remove"]);
    writer.perhaps(5, &["keep remove", "+MQCO_DELETE", "+MQCO_QUIESCE"]);
}

fn request(writer: &mut Writer<'_>) {
    writer.say("request");
    subscription(writer);
    writer.perhaps(20, &["+MQSRO_FAIL_IF_QUIESCING"]);
    writer.perhaps(4, &["action 2", "+MQSRO_0x1"]);
}

fn what_is_published(writer: &mut Writer<'_>) {
    let number = writer.random.below(1_000_000);
    writer.say(format!("\"p{number}\""));
    writer.perhaps(60, &["persistent", "persistent", "nonpersistent"]);
    writer.perhaps(20, &["priority 2", "priority 7"]);
    writer.perhaps(8, &["expiry 400ms", "expiry 2s"]);
    writer.identified(15, "correlation-id");
    writer.perhaps(30, &["syncpoint"]);
    writer.perhaps(25, &["+MQPMO_RETAIN"]);
    writer.perhaps(
        20,
        &[
            "+MQPMO_NOT_OWN_SUBS",
            "+MQPMO_WARN_IF_NO_SUBS_MATCHED",
            "+MQPMO_SUPPRESS_REPLYTO reply-to REPLIES",
            "+MQPMO_SCOPE_QMGR",
            "level 2",
        ],
    );
}

fn publish(writer: &mut Writer<'_>) {
    writer.say("put1 \"\"");
    what_is_published(writer);
    writer.say("type MQOT_TOPIC string");
    topic(writer);
}

/// Topics are opened without a name, so each client has one that is open for output.
fn open_topic(writer: &mut Writer<'_>) {
    if writer.random.percent(40) {
        return writer.say("close \"\"");
    }
    writer.say("open \"\" output type MQOT_TOPIC string");
    topic(writer);
}

fn publish_open(writer: &mut Writer<'_>) {
    writer.say("put \"\"");
    what_is_published(writer);
}

/// Gets what a managed queue or an own one has been given.
fn take(writer: &mut Writer<'_>) {
    writer.say("get");
    writer.perhaps(100, &["S", "S", "T", "OWN", "REPLIES", "SMALL"]);
    writer.perhaps(30, &["syncpoint"]);
    writer.perhaps(10, &["wait 50ms", "wait 1s"]);
}

const ORDERS: [&str; 14] = [
    "ALTER TOPIC(PRICE) PUB(DISABLED)",
    "ALTER TOPIC(PRICE) PUB(ENABLED) SUB(ENABLED)",
    "ALTER TOPIC(PRICE) SUB(DISABLED)",
    "ALTER TOPIC(PRICE) PMSGDLV(ALLAVAIL)",
    "ALTER TOPIC(PRICE) NPMSGDLV(ALL)",
    "ALTER TOPIC(ZINC) WILDCARD(BLOCK)",
    "ALTER TOPIC(ZINC) WILDCARD(PASSTHRU)",
    "DEFINE SUB('LATE') TOPICSTR('price/+') DEST(OTHER)",
    "DELETE SUB('LATE')",
    "DELETE SUB('ADMIN')",
    "DELETE SUB('S')",
    "DEFINE SUB('ADMIN') TOPICSTR('price/#') DEST(REPLIES)",
    "CLEAR TOPICSTR('price/tin') CLRTYPE(RETAINED)",
    "CLEAR QLOCAL(OWN)",
];

fn command(writer: &mut Writer<'_>) {
    let order = *writer.random.pick(&ORDERS);
    writer.order(order.to_owned());
}
