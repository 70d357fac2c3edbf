//! Every figure below `$SYS/MQ` is moved by the thing that it counts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use mqi::constants::*;
use mqi::{
    AttributeValue, CloseOptions, Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor,
    ObjectHandle, OpenOptions, Persistence, PutFlags, PutOptions, Reason, RequestOptions, Selector,
    StatusType, SubscribeOptions, SubscriptionDescriptor, Verbs, Wait,
};
use queue_manager::{Completions, ConnectRequest, GotMessage, Outcome, Principal, WaitToken};
use server::backups;
use server::directory::DataDirectory;
use server::embedded::{Connection, QueueManager};

use crate::monitoring::{Described, described, next, open, subscribe};
use crate::published_form::{number, text};

const AT_ONCE: PutFlags = PutFlags::NO_SYNCPOINT;

fn message(persistent: bool) -> MessageDescriptor {
    let persistence = if persistent { Persistence::Persistent } else { Persistence::NotPersistent };
    MessageDescriptor { persistence, ..MessageDescriptor::default() }
}

fn put(program: &mut Connection, queue: ObjectHandle, persistent: bool, body: &str) -> Result<(), Reason> {
    let body = Bytes::copy_from_slice(body.as_bytes());
    program.put(queue, &mut message(persistent), &mut PutOptions::with(AT_ONCE), body)
}

fn put1(
    program: &mut Connection,
    object: &ObjectDescriptor,
    persistent: bool,
    body: &str,
) -> Result<(), Reason> {
    let body = Bytes::copy_from_slice(body.as_bytes());
    program.put1(object, &mut message(persistent), &mut PutOptions::with(AT_ONCE), body)
}

fn get(program: &mut Connection, queue: ObjectHandle, flags: GetFlags, most: usize) -> Result<(), Reason> {
    let mut options = GetOptions::with(flags, Wait::No);
    let got = program.get(queue, &mut MessageDescriptor::default(), &mut options, most)?;
    got.warning.map_or(Ok(()), Err)
}

fn named(name: &str) -> ObjectDescriptor {
    ObjectDescriptor::queue(name.parse().unwrap())
}

/// Completions of a connection of the engine's own on which nobody waits.
#[derive(Debug)]
struct Nobody;

impl Completions for Nobody {
    fn complete(&self, _token: WaitToken, _outcome: Outcome<GotMessage>) {}
}

fn run(queue_manager: &QueueManager, command: &str) {
    let answers = queue_manager.command(command).unwrap();
    assert!(answers.iter().all(objects::Response::is_ok), "{command}: {answers:?}");
}

/// Has a getter wait on a queue until a message is put for it.
fn hand_over(queue_manager: &QueueManager, program: &mut Connection, queue: ObjectHandle) {
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let mut getter = queue_manager.connect("getter").unwrap();
            let opened = getter.open(&named("ORDERS"), OpenOptions::INPUT_SHARED).unwrap();
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(30_000));
            let got = getter.get(opened.handle, &mut MessageDescriptor::default(), &mut options, 100);
            assert_eq!(got.unwrap().body.len(), 4);
            getter.close(opened.handle, CloseOptions::EMPTY).unwrap();
            getter.disconnect().unwrap();
        });
        std::thread::sleep(Duration::from_millis(300));
        put(program, queue, false, "wait").unwrap();
        waiter.join().unwrap();
    });
}

/// Uses the queue ORDERS, which is counted throughout. Returns the sums that its figures must reach.
fn use_queue(queue_manager: &QueueManager, program: &mut Connection) -> Vec<(&'static str, i64)> {
    let all = OpenOptions::INPUT_SHARED
        | OpenOptions::BROWSE
        | OpenOptions::OUTPUT
        | OpenOptions::INQUIRE
        | OpenOptions::SET;
    let queue = program.open(&named("ORDERS"), all).unwrap().handle;
    let (taken, none) = (GetFlags::NO_SYNCPOINT, Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(get(program, queue, taken, 100), none);
    assert_eq!(get(program, queue, GetFlags::BROWSE_FIRST, 100), none);
    for persistent in [false, true] {
        put(program, queue, persistent, "five!").unwrap();
        put1(program, &named("ORDERS"), persistent, "seven..").unwrap();
    }
    assert_eq!(put(program, queue, false, &"x".repeat(1_001)), Err(Reason::MSG_TOO_BIG_FOR_Q));
    // Browsed: the first message, of 5 bytes and not persistent, too long at first; and the third, which is
    // persistent.
    let (first, following) = (GetFlags::BROWSE_FIRST, GetFlags::BROWSE_NEXT);
    assert_eq!(get(program, queue, first, 2), Err(Reason::TRUNCATED_MSG_FAILED));
    assert_eq!(get(program, queue, first, 100), Ok(()));
    assert_eq!(get(program, queue, following, 100), Ok(()));
    assert_eq!(get(program, queue, following, 100), Ok(()));
    assert_eq!(get(program, queue, taken, 2), Err(Reason::TRUNCATED_MSG_FAILED));
    // A unit of work that is backed out, of one put and one get.
    let mut within = PutOptions::with(PutFlags::SYNCPOINT);
    program.put(queue, &mut message(true), &mut within, Bytes::from_static(b"undone")).unwrap();
    assert_eq!(get(program, queue, GetFlags::SYNCPOINT, 100), Ok(()));
    program.back().unwrap();
    for _ in 0..4 {
        assert_eq!(get(program, queue, taken, 100), Ok(()));
    }
    // One expires, one is handed to a getter that waits.
    let mut brief = MessageDescriptor { expiry: Expiry::tenths(1), ..message(false) };
    program.put(queue, &mut brief, &mut PutOptions::with(AT_ONCE), Bytes::from_static(b"brief")).unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(get(program, queue, taken, 100), none);
    hand_over(queue_manager, program, queue);
    let depth = [Selector(MQIA_CURRENT_Q_DEPTH)];
    program.inquire(queue, &depth).unwrap();
    program.set(queue, &[(Selector(MQIA_INHIBIT_GET), AttributeValue::from(MQQA_GET_ALLOWED))]).unwrap();
    // Messages that stay until the queue is emptied.
    put(program, queue, true, "stays").unwrap();
    vec![
        ("MQOPEN count", 2),
        ("MQCLOSE count", 1),
        ("MQINQ count", 1),
        ("MQSET count", 1),
        ("MQPUT/MQPUT1 count", 8),
        ("MQPUT non-persistent message count", 3),
        ("MQPUT persistent message count", 3),
        ("MQPUT1 non-persistent message count", 1),
        ("MQPUT1 persistent message count", 1),
        ("MQPUT byte count", 5 + 7 + 5 + 7 + 6 + 5 + 4 + 5),
        ("non-persistent byte count", 5 + 7 + 5 + 4),
        ("persistent byte count", 5 + 7 + 6 + 5),
        ("queue avoided puts", 1),
        ("rolled back MQPUT count", 1),
        ("rolled back MQGET count", 1),
        ("MQGET count", 6),
        ("destructive MQGET non-persistent message count", 4),
        ("destructive MQGET persistent message count", 2),
        ("MQGET byte count", 5 + 5 + 7 + 5 + 7 + 4),
        ("destructive MQGET non-persistent byte count", 5 + 5 + 7 + 4),
        ("destructive MQGET persistent byte count", 5 + 7),
        ("destructive MQGET fails", 3),
        ("destructive MQGET fails with MQRC_NO_MSG_AVAILABLE", 2),
        ("destructive MQGET fails with MQRC_TRUNCATED_MSG_FAILED", 1),
        ("MQGET browse non-persistent message count", 2),
        ("MQGET browse persistent message count", 1),
        ("MQGET browse non-persistent byte count", 5 + 7),
        ("MQGET browse persistent byte count", 5),
        ("MQGET browse fails", 2),
        ("MQGET browse fails with MQRC_NO_MSG_AVAILABLE", 1),
        ("MQGET browse fails with MQRC_TRUNCATED_MSG_FAILED", 1),
        ("messages expired", 1),
    ]
}

/// Every call of which the figures of all programs tell, those that fail included.
fn use_everything_else(queue_manager: &QueueManager, program: &mut Connection) {
    assert!(program.open(&named("NONE"), OpenOptions::OUTPUT).is_err());
    assert!(program.close(ObjectHandle(9_999), CloseOptions::EMPTY).is_err());
    assert!(put1(program, &named("NONE"), false, "x").is_err());
    let other = program.open(&named("OTHER"), OpenOptions::OUTPUT | OpenOptions::BROWSE).unwrap().handle;
    assert!(program.inquire(other, &[Selector(MQIA_CURRENT_Q_DEPTH)]).is_err());
    let allowed = [(Selector(MQIA_INHIBIT_PUT), AttributeValue::from(MQQA_PUT_ALLOWED))];
    assert!(program.set(other, &allowed).is_err());
    program.commit().unwrap();
    program.stat(StatusType::AsyncError).unwrap();
    put(program, other, false, "purged").unwrap();
    program.close(other, CloseOptions::EMPTY).unwrap();
    run(queue_manager, "CLEAR QLOCAL(OTHER)");

    // Topics.
    let price = ObjectDescriptor::topic("price");
    let handle = program.open(&price, OpenOptions::OUTPUT).unwrap().handle;
    put(program, handle, false, "published").unwrap();
    put1(program, &price, true, "published").unwrap();
    let closed = ObjectDescriptor::topic("closed");
    assert!(put1(program, &closed, false, "x").is_err());

    // Subscriptions.
    let durable = SubscribeOptions::DURABLE | SubscribeOptions::MANAGED;
    let wanted = |name: &str, topic: &str, options: SubscribeOptions| SubscriptionDescriptor {
        name: name.to_owned(),
        ..SubscriptionDescriptor::to(topic, options)
    };
    let made = program.subscribe(&wanted("mine", "price", durable | SubscribeOptions::CREATE), None).unwrap();
    let request = |program: &mut Connection, subscription: ObjectHandle| {
        program.request_publications(subscription, MQSR_ACTION_PUBLICATION, RequestOptions::EMPTY)
    };
    assert_eq!(request(program, made.subscription), Err(Reason::NO_RETAINED_MSG));
    let mut retained = PutOptions::with(AT_ONCE | PutFlags::RETAIN);
    program.put(handle, &mut message(false), &mut retained, Bytes::from_static(b"kept")).unwrap();
    assert_eq!(request(program, made.subscription), Ok(1));
    program.close(made.subscription, CloseOptions::KEEP_SUB).unwrap();
    for options in [SubscribeOptions::RESUME, SubscribeOptions::ALTER] {
        let again = program.subscribe(&wanted("mine", "price", durable | options), None).unwrap();
        program.close(again.subscription, CloseOptions::KEEP_SUB).unwrap();
    }
    assert!(program.subscribe(&wanted("none", "price", durable | SubscribeOptions::RESUME), None).is_err());
    let again =
        program.subscribe(&wanted("mine", "price", durable | SubscribeOptions::RESUME), None).unwrap();
    let both = CloseOptions::REMOVE_SUB | CloseOptions::DELETE;
    assert!(program.close(again.subscription, both).is_err());
    program.close(again.subscription, CloseOptions::REMOVE_SUB).unwrap();
    let brief = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    let brief = program.subscribe(&wanted("", "price", brief), None).unwrap();
    program.close(brief.subscription, CloseOptions::EMPTY).unwrap();

    // A connection that is made, and one that is refused since its instance is there already.
    let engine = queue_manager.server().queue_manager();
    let again = || ConnectRequest {
        application: "again".into(),
        origin: "embedded".into(),
        channel: mqi::ObjectName::BLANK,
        process: 0,
        instance: [7; 16],
        generation: 1,
        principal: Principal::of_process(),
        accounting: mqi::AccountingChoice::default(),
        completions: Arc::new(Nobody),
    };
    let stays = engine.connect(again());
    let refused = engine.connect(again()).open(engine.durable());
    assert!(matches!(refused, Ok(Err(Reason::CONNECTION_BROKEN))));
    drop(stays);
}

/// Sums of what increases, and the greatest of everything else.
type Figures = BTreeMap<(String, String, String), i64>;

/// Adds what was told of a type, if anything was.
fn gather(tool: &mut Connection, of: &Described, queue: ObjectHandle, figures: &mut Figures) {
    while let Ok(told) = next(tool, queue, Wait::No) {
        let told = told.structures;
        assert_eq!(text(&told, MQCA_Q_NAME), of.topic.contains("%s").then_some("ORDERS"));
        for (element, name, unit) in &of.elements {
            let value = number(&told, *element).unwrap_or_else(|| panic!("{name} in {told:?}"));
            assert!(value >= 0, "{name}: {value}");
            let figure = figures.entry((of.class.clone(), of.kind.clone(), name.clone())).or_default();
            match i32::try_from(*unit).unwrap() {
                MQIAMO_MONITOR_DELTA => *figure += value,
                _ => *figure = value.max(*figure),
            }
        }
    }
}

#[test]
fn every_figure_is_moved_by_what_it_counts() {
    let directory = tempfile::tempdir().unwrap();
    let settings = "interval_seconds = 1\n[log]\nkind = \"linear\"";
    let queue_manager = open(directory.path(), settings);
    run(
        &queue_manager,
        "DEFINE QLOCAL(ORDERS) MAXMSGL(1000)\nDEFINE QLOCAL(OTHER)\n\
         DEFINE TOPIC(CLOSED) TOPICSTR('closed') PUB(DISABLED)",
    );
    let name = "QM1".parse().unwrap();
    backups::image(&DataDirectory::at(directory.path()).folder(&name), &mut |_| ()).unwrap();
    let mut tool = queue_manager.connect("tool").unwrap();
    let kinds = described(&mut tool);
    let subscribed: Vec<(Described, ObjectHandle)> = kinds
        .into_iter()
        .map(|kind| {
            let queue = subscribe(&mut tool, &kind.topic.replace("%s", "ORDERS"));
            (kind, queue)
        })
        .collect();
    // One durable subscription stands all the time, with publications that it is given.
    run(&queue_manager, "DEFINE SUB('stays') TOPICSTR('price') DEST(OTHER)");
    // With the first figures begins the time of those that count.
    for (_, queue) in &subscribed {
        next(&mut tool, *queue, crate::monitoring::WAIT).unwrap();
    }

    let mut program = queue_manager.connect("program").unwrap();
    let exact = use_queue(&queue_manager, &mut program);
    use_everything_else(&queue_manager, &mut program);
    let record = queue_manager.server().errors().failure("a test", "that wants a record");
    assert!(record.is_some());

    let mut figures = Figures::new();
    let begun = Instant::now();
    let mut has_closed = false;
    let unmoved = loop {
        for (kind, queue) in &subscribed {
            gather(&mut tool, kind, *queue, &mut figures);
        }
        let unmoved: Vec<_> = figures.iter().filter(|(_, value)| **value == 0).map(|(key, _)| key).collect();
        // Handles must be seen open before they are closed, and the queue can be emptied when nothing has it
        // open.
        // Classes come one after the other, and those of the queue need not be the first.
        let value = |of: &str| figures.get(&("STATQ".into(), "GENERAL".into(), of.into())).copied();
        let is_moved = |of: &str| value(of).is_some_and(|value| value > 0);
        let is_seen = is_moved("open browse count") && is_moved("Queue depth");
        if !has_closed && is_seen {
            has_closed = true;
            program.disconnect().unwrap();
            run(&queue_manager, "CLEAR QLOCAL(ORDERS)");
        }
        if has_closed && unmoved.is_empty() || begun.elapsed() > Duration::from_secs(60) {
            break unmoved.into_iter().cloned().collect::<Vec<_>>();
        }
        // Processor time of the queue manager is some that it uses.
        let until = Instant::now() + Duration::from_millis(200);
        while Instant::now() < until {
            std::hint::black_box(std::fs::read("/proc/self/stat").unwrap());
        }
    };
    assert_eq!(unmoved, Vec::new());
    assert!(figures.len() >= 120, "{}", figures.len());
    for (name, expected) in exact {
        let found = figures.iter().find(|((class, _, element), _)| class == "STATQ" && element == name);
        assert_eq!(found.map(|(_, value)| *value), Some(expected), "{name}");
    }
    let of = |class: &str, kind: &str, element: &str| figures[&(class.into(), kind.into(), element.into())];
    for (kind, element, expected) in [
        ("PUBLISH", "Topic MQPUT/MQPUT1 interval total", 3),
        ("PUBLISH", "Interval total topic bytes put", 9 + 9 + 4),
        ("PUBLISH", "Non-persistent - topic MQPUT/MQPUT1 count", 2),
        ("PUBLISH", "Persistent - topic MQPUT/MQPUT1 count", 1),
        ("PUBLISH", "Failed topic MQPUT/MQPUT1 count", 1),
        ("SUBSCRIBE", "Create durable subscription count", 1),
        ("SUBSCRIBE", "Alter durable subscription count", 1),
        ("SUBSCRIBE", "Resume durable subscription count", 2),
        ("SUBSCRIBE", "Create non-durable subscription count", 1),
        ("SUBSCRIBE", "Failed create/alter/resume subscription count", 1),
        ("SUBSCRIBE", "Delete durable subscription count", 1),
        ("SUBSCRIBE", "Delete non-durable subscription count", 1),
        ("SUBSCRIBE", "Subscription delete failure count", 1),
        ("SUBSCRIBE", "MQSUBRQ count", 1),
        ("SUBSCRIBE", "Failed MQSUBRQ count", 1),
        ("SUBSCRIBE", "Durable subscriber - high water mark", 2),
        ("SUBSCRIBE", "Durable subscriber - low water mark", 1),
        ("PUT", "MQSTAT count", 1),
        ("GET", "Purged queue count", 2),
        ("SYNCPOINT", "Commit count", 1),
        ("SYNCPOINT", "Rollback count", 1),
        ("CONNDISC", "Failed MQCONN/MQCONNX count", 1),
    ] {
        assert_eq!(of("STATMQI", kind, element), expected, "{element}");
    }
    assert_eq!(of("DISK", "SystemSummary", "MQ FDC file count"), 1);
    let delivered = of("STATMQI", "PUBLISH", "Published to subscribers - message count");
    assert!(delivered >= 3, "{delivered}");
}
