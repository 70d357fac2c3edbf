//! Bounds for what users make and what outlives their programs: that they hold, for each user and for all,
//! and that the counts are those of what stands, after a restart too.

use std::sync::atomic::Ordering;

use mqi::{
    CloseOptions, Expiry, MessageDescriptor, ObjectDescriptor, PutFlags, PutOptions, Reason,
    SubscribeOptions, SubscriptionDescriptor, Text,
};
use objects::{Response, mqsc};
use platform::simulated::Survival;
use proptest::prelude::*;
use queue_manager::{
    CallRefusal, ChannelCall, Growth, GrowthBound, GrowthBounds, Identity, Issuer, PreparedBranch,
    PreparedPurpose, Principal, Settings,
};
use security::cover::Encryption;
use storage::{Direction, ObjectId, SyncObject};

use crate::support::{Bench, OUTPUT, Session, message, open, principal, settings, sync};

const OBJECTS: &str =
    "DEFINE QMODEL(PERM) DEFTYPE(PERMDYN) DEFINE TOPIC(TOP) TOPICSTR('top') DEFINE QLOCAL(Q)";

/// Every kind with these bounds.
fn bounds(user_max: u64, all_max: u64) -> GrowthBounds {
    GrowthBounds::of_each(|growth| GrowthBound {
        user_max: growth.user_setting().map(|_| user_max),
        all_max: match growth {
            // A new queue manager has some itself.
            Growth::Definitions | Growth::AuthorityRecords | Growth::Subscriptions => 1_000 + all_max,
            _ => all_max,
        },
    })
}

/// A queue manager with some objects on which the requests of `eve` and `ada` are judged.
fn judged(growth: GrowthBounds) -> Bench {
    let bench = Bench::with(Settings { growth, ..settings() }, 1);
    bench.mqsc(OBJECTS);
    for user in ["eve", "ada"] {
        for (of, rights) in [
            ("OBJTYPE(QMGR)", "CONNECT,CRT,CHG,DSP"),
            ("PROFILE('**') OBJTYPE(QUEUE)", "ALL"),
            ("PROFILE('**') OBJTYPE(TOPIC)", "ALL"),
            ("PROFILE('**') OBJTYPE(CHANNEL)", "ALL"),
        ] {
            bench.mqsc(&format!("SET AUTHREC {of} PRINCIPAL('{user}') AUTHADD({rights})"));
        }
    }
    bench
}

fn told_as(bench: &Bench, principal: Principal, text: &str) -> Response {
    let issuer = Issuer { principal, ..Issuer::default() };
    let command = &mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))[0];
    bench.open(bench.manager.execute_for(&issuer, command))
}

fn make(session: &mut Session, name: &str) -> Result<String, Reason> {
    let object = ObjectDescriptor {
        dynamic_queue_name: Text::truncated(name),
        ..ObjectDescriptor::queue("PERM".parse().unwrap())
    };
    let opened = session.connection.open(&object, OUTPUT);
    let made = open(&session.manager, opened)?;
    let closed = session.connection.close(made.handle, CloseOptions::EMPTY);
    open(&session.manager, closed).unwrap();
    Ok(made.object_name.to_string())
}

fn subscribe(session: &mut Session, name: &str) -> Result<(), Reason> {
    let options = SubscribeOptions::CREATE | SubscribeOptions::DURABLE | SubscribeOptions::MANAGED;
    let wanted =
        SubscriptionDescriptor { name: name.to_owned(), ..SubscriptionDescriptor::to("top", options) };
    let subscribed = session.connection.subscribe(&wanted, None);
    let subscribed = open(&session.manager, subscribed)?;
    for handle in [Some(subscribed.subscription), subscribed.queue].into_iter().flatten() {
        let closed = session.connection.close(handle, CloseOptions::EMPTY);
        open(&session.manager, closed).unwrap();
    }
    Ok(())
}

fn retain(session: &mut Session, topic: &str) -> Result<(), Reason> {
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
    let object = ObjectDescriptor::topic(topic);
    let put = session.connection.put1(&object, &message(true), &options, bytes::Bytes::from_static(b"x"));
    open(&session.manager, put).map(drop)
}

/// The same within the unit of work, for a publication that expires.
fn retain_within(session: &mut Session, topic: &str, tenths: u32) -> Result<(), Reason> {
    let options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::RETAIN);
    let descriptor = MessageDescriptor { expiry: Expiry::tenths(tenths), ..message(true) };
    let object = ObjectDescriptor::topic(topic);
    let put = session.connection.put1(&object, &descriptor, &options, bytes::Bytes::from_static(b"x"));
    open(&session.manager, put).map(drop)
}

/// The events with a number, oldest first; they are told once.
fn events(bench: &Bench, id: &str) -> Vec<String> {
    let mut events = bench.host.events.lock();
    let told = events.iter().filter(|event| event.starts_with(id)).cloned().collect();
    events.retain(|event| !event.starts_with(id));
    told
}

#[test]
fn one_user_makes_as_many_permanent_queues_as_its_bound_and_one_more_is_2102_until_one_is_deleted() {
    let bench = judged(bounds(3, 100));
    let mut eve = bench.connect_user("eve");
    for number in 0..3 {
        make(&mut eve, &format!("EVE.{number}")).unwrap();
    }
    let before = bench.manager.log().state();
    assert_eq!(make(&mut eve, "EVE.3"), Err(Reason::RESOURCE_PROBLEM));
    assert_eq!(make(&mut eve, "EVE.*"), Err(Reason::RESOURCE_PROBLEM), "under a generated name, too");
    assert_eq!(bench.manager.log().state(), before, "a refusal leaves nothing");
    let told = events(&bench, "FRY7483W");
    assert!(told[0].contains("user eve") && told[0].contains("growth.dynamic_queues_user_max"), "{told:?}");
    assert!(told[0].contains("DELETE QLOCAL(name)"), "{told:?}");
    // Another user and an administrator go on.
    make(&mut bench.connect_user("ada"), "ADA.0").unwrap();
    let root = Principal::administrator("root", Identity::Kernel).unwrap();
    let mut root = bench.try_connect_by(root, [0; 16], 0).unwrap();
    for number in 0..5 {
        make(&mut root, &format!("ROOT.{number}")).unwrap();
    }
    let listed = bench.told("DISPLAY QLOCAL(*) WHERE(MAKER EQ 'eve')");
    assert!(
        listed.contains("EVE.2") && listed.contains("MAKER(eve)") && !listed.contains("ADA.0"),
        "{listed}"
    );
    assert!(!bench.told("DISPLAY QLOCAL(EVE.0) ALL").contains("MAKER"), "it is shown where it is asked for");
    bench.mqsc("DELETE QLOCAL(EVE.1)");
    make(&mut eve, "EVE.3").unwrap();
    // The counts are those of what stands, after a restart too.
    drop((eve, root));
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.manager.figures().growth(Growth::DynamicQueues, Some("eve")), 3);
    assert_eq!(bench.manager.figures().growth(Growth::DynamicQueues, None), 9);
    assert_eq!(make(&mut bench.connect_user("eve"), "EVE.4"), Err(Reason::RESOURCE_PROBLEM));
}

#[test]
fn a_durable_subscription_beyond_the_bound_is_2102_by_a_program_and_by_a_command_and_leaves_no_queue() {
    let bench = judged(bounds(2, 100));
    let mut eve = bench.connect_user("eve");
    subscribe(&mut eve, "one").unwrap();
    let defined = told_as(&bench, principal("eve"), "DEFINE SUB(two) TOPICSTR('top') DESTCLAS(MANAGED)");
    assert!(defined.is_ok(), "{defined}");
    let before = bench.manager.log().state();
    let queues = bench.manager.figures().queue_names().len();
    assert_eq!(subscribe(&mut eve, "three"), Err(Reason::RESOURCE_PROBLEM));
    for text in
        ["DEFINE SUB(three) TOPICSTR('top') DESTCLAS(MANAGED)", "DEFINE SUB(four) TOPICSTR('top') DEST(Q)"]
    {
        let refused = told_as(&bench, principal("eve"), text).to_string();
        assert!(refused.contains("2102") && refused.contains("growth.subscriptions_user_max"), "{refused}");
    }
    assert_eq!(bench.manager.log().state(), before, "a refusal leaves nothing");
    assert_eq!(bench.manager.figures().queue_names().len(), queues);
    // One that is there is used again, and its end makes room.
    let options = SubscribeOptions::RESUME | SubscribeOptions::DURABLE | SubscribeOptions::MANAGED;
    let wanted = SubscriptionDescriptor { name: "one".into(), ..SubscriptionDescriptor::to("top", options) };
    let resumed = eve.connection.subscribe(&wanted, None);
    let resumed = open(&bench.manager, resumed).unwrap();
    let closed = eve.connection.close(resumed.subscription, CloseOptions::REMOVE_SUB);
    open(&bench.manager, closed).unwrap();
    subscribe(&mut eve, "three").unwrap();
    drop(eve);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.manager.figures().growth(Growth::Subscriptions, Some("eve")), 2);
    assert_eq!(bench.manager.figures().growth(Growth::DynamicQueues, None), 0, "their queues come with them");
}

#[test]
fn definitions_of_every_form_count_for_their_author_and_what_replaces_one_counts_as_it() {
    let bench = judged(bounds(4, 100));
    bench.mqsc("SET AUTHREC PROFILE(QM2) OBJTYPE(RQMNAME) PRINCIPAL('eve') AUTHADD(PUT)");
    let by_eve = |text: &str| told_as(&bench, principal("eve"), text);
    for text in [
        "DEFINE QLOCAL(E.1)",
        "DEFINE QALIAS(E.2) TARGET(Q)",
        "DEFINE TOPIC(E.3) TOPICSTR('top/e')",
        "DEFINE CHANNEL(E.4) CHLTYPE(SVRCONN)",
        "DEFINE QLOCAL(E.1) REPLACE DESCR('again')",
        "ALTER QLOCAL(E.1) DESCR('more')",
    ] {
        assert!(by_eve(text).is_ok(), "{text}: {}", by_eve(text));
    }
    for text in [
        "DEFINE QLOCAL(E.5)",
        "DEFINE QLOCAL(E.5) LIKE(E.1)",
        "DEFINE QLOCAL(E.5) REPLACE",
        "DEFINE QREMOTE(E.5) RNAME(Q) RQMNAME(QM2) XMITQ(Q)",
        "DEFINE TOPIC(E.5) TOPICSTR('top/f')",
    ] {
        let refused = by_eve(text).to_string();
        assert!(
            refused.contains("2102") && refused.contains("growth.definitions_user_max"),
            "{text}: {refused}"
        );
    }
    // A queue of hers that an administrator defines anew stays hers, and a copy of it is not.
    bench.mqsc("DEFINE QLOCAL(E.1) REPLACE DEFINE QLOCAL(COPY) LIKE(E.1)");
    assert_eq!(bench.manager.figures().growth(Growth::Definitions, Some("eve")), 4);
    assert!(bench.told("DISPLAY QLOCAL(COPY) MAKER").contains("MAKER( )"));
    bench.mqsc("DELETE TOPIC(E.3)");
    assert!(by_eve("DEFINE QLOCAL(E.5)").is_ok());
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.manager.figures().growth(Growth::Definitions, Some("eve")), 4);
}

#[test]
fn authority_records_and_records_of_channels_count_for_the_user_that_sets_them() {
    let bench = judged(bounds(3, 100));
    let by_eve = |text: &str| told_as(&bench, principal("eve"), text);
    let set = |profile: &str, users: &str| {
        by_eve(&format!("SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) PRINCIPAL({users}) AUTHADD(PUT)"))
    };
    assert!(set("A.**", "'u1','u1','u2'").is_ok());
    assert_eq!(
        bench.manager.figures().growth(Growth::AuthorityRecords, Some("eve")),
        2,
        "one of them was named twice"
    );
    let refused = set("B.**", "'u1','u2'").to_string();
    assert!(refused.contains("2102") && refused.contains("growth.authority_records_user_max"), "{refused}");
    assert_eq!(bench.manager.figures().growth(Growth::AuthorityRecords, Some("eve")), 2, "all or none");
    assert!(set("A.**", "'u1','u2'").is_ok(), "one that is there is set again");
    assert!(set("E.1", "'u1'").is_ok());
    assert!(!set("C.**", "'u1'").is_ok());
    // A record goes with its object, and with a command.
    assert!(by_eve("DEFINE QLOCAL(E.1)").is_ok());
    bench.mqsc("DELETE QLOCAL(E.1)");
    assert_eq!(bench.manager.figures().growth(Growth::AuthorityRecords, Some("eve")), 2);
    bench.mqsc("DELETE AUTHREC PROFILE('A.**') OBJTYPE(QUEUE) PRINCIPAL('u1')");
    // Rules of channels are definitions.
    for number in 0..3 {
        let rule =
            format!("SET CHLAUTH('E.{number}') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(NOACCESS)");
        assert!(by_eve(&rule).is_ok(), "{}", by_eve(&rule));
    }
    let refused = by_eve("SET CHLAUTH('E.9') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(NOACCESS)");
    assert!(refused.to_string().contains("growth.definitions_user_max"), "{refused}");
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.manager.figures().growth(Growth::AuthorityRecords, Some("eve")), 1);
    assert_eq!(bench.manager.figures().growth(Growth::Definitions, Some("eve")), 3);
}

#[test]
fn a_topic_more_than_may_have_a_retained_publication_is_2102_and_one_that_has_takes_another() {
    let bench = judged(bounds(10, 3));
    let mut eve = bench.connect_user("eve");
    for topic in ["top/a", "top/b", "top/c"] {
        retain(&mut eve, topic).unwrap();
    }
    assert_eq!(retain(&mut eve, "top/d"), Err(Reason::RESOURCE_PROBLEM));
    let told = events(&bench, "FRY7483W");
    assert!(told[0].contains("growth.retained_publications_max"), "{told:?}");
    assert!(told[0].contains("CLEAR TOPICSTR(topic) CLRTYPE(RETAINED)"), "{told:?}");
    retain(&mut eve, "top/b").unwrap();
    bench.mqsc("CLEAR TOPICSTR('top/a') CLRTYPE(RETAINED)");
    retain(&mut eve, "top/d").unwrap();
    drop(eve);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(retain(&mut bench.connect_user("eve"), "top/e"), Err(Reason::RESOURCE_PROBLEM));
}

/// Topics that are cleared or expire, and a unit of work that is backed out, make room again.
#[test]
fn a_user_has_publications_retained_for_as_many_topics_as_it_may_and_others_go_on() {
    let bench = judged(bounds(3, 100));
    let (mut eve, mut ada) = (bench.connect_user("eve"), bench.connect_user("ada"));
    let count = |user| bench.manager.figures().growth(Growth::RetainedPublications, Some(user));
    let mut root = bench
        .try_connect_by(Principal::administrator("root", Identity::Kernel).unwrap(), [0; 16], 0)
        .unwrap();
    retain(&mut root, "top/r").unwrap();
    for topic in ["top/a", "top/b", "top/c", "top/b", "top/r"] {
        retain(&mut eve, topic).unwrap();
    }
    assert_eq!(count("eve"), 3, "a topic that had one counts for its first user");
    assert_eq!(retain(&mut eve, "top/d"), Err(Reason::RESOURCE_PROBLEM));
    let told = events(&bench, "FRY7483W");
    assert!(
        told[0].contains("user eve") && told[0].contains("growth.retained_publications_user_max"),
        "{told:?}"
    );
    assert!(events(&bench, "FRY7484W")[0].contains("eve"), "it was told before");
    for topic in ["top/d", "top/a"] {
        retain(&mut ada, topic).unwrap();
    }
    retain(&mut root, "top/x").unwrap();
    assert_eq!((count("eve"), count("ada")), (3, 1));
    // Each that is there goes on, and each that is cleared makes room.
    retain(&mut eve, "top/d").unwrap();
    bench.mqsc("CLEAR TOPICSTR('top/a') CLRTYPE(RETAINED)");
    assert_eq!(count("eve"), 2);
    // In a unit of work it counts once that stands.
    retain_within(&mut eve, "top/u", 10_000).unwrap();
    assert_eq!(count("eve"), 2);
    eve.back().unwrap();
    retain_within(&mut eve, "top/u", 10_000).unwrap();
    eve.commit().unwrap();
    assert_eq!(count("eve"), 3);
    assert_eq!(retain(&mut eve, "top/e"), Err(Reason::RESOURCE_PROBLEM));
    // Those that expired are noticed when their user is at its bound.
    bench.pass(std::time::Duration::from_secs(1_001));
    bench.keep_house();
    retain(&mut eve, "top/e").unwrap();
    assert_eq!((count("eve"), retain(&mut eve, "top/f")), (3, Err(Reason::RESOURCE_PROBLEM)));
    // An administrator's publication for a topic of a user still counts for that user.
    retain(&mut root, "top/e").unwrap();
    drop((eve, ada, root));
    // A start counts what stands.
    let bench = bench.crash(Survival::Nothing);
    bench.run_jobs();
    let count = |user| bench.manager.figures().growth(Growth::RetainedPublications, Some(user));
    assert_eq!((count("eve"), count("ada")), (3, 1));
    let mut eve = bench.connect_user("eve");
    assert_eq!(retain(&mut eve, "top/f"), Err(Reason::RESOURCE_PROBLEM));
    bench.mqsc("CLEAR TOPICSTR('top/e') CLRTYPE(RETAINED)");
    retain(&mut eve, "top/f").unwrap();
    assert_eq!((count("eve"), count("ada")), (3, 1));
    assert_eq!(retain(&mut eve, "top/g"), Err(Reason::RESOURCE_PROBLEM));
}

#[test]
fn publications_that_come_before_those_of_the_last_run_are_counted_count_once() {
    let bench = judged(bounds(3, 1_000));
    let mut eve = bench.connect_user("eve");
    for topic in ["top/a", "top/b", "top/c"] {
        retain(&mut eve, topic).unwrap();
    }
    drop(eve);
    let bench = bench.crash(Survival::Nothing);
    let count =
        |bench: &Bench, user| bench.manager.figures().growth(Growth::RetainedPublications, Some(user));
    assert_eq!(count(&bench, "eve"), 0, "nobody has read them yet");
    let (mut eve, mut ada) = (bench.connect_user("eve"), bench.connect_user("ada"));
    for _ in 0..2 {
        retain(&mut eve, "top/a").unwrap();
    }
    retain(&mut ada, "top/b").unwrap();
    bench.run_jobs();
    assert_eq!((count(&bench, "eve"), count(&bench, "ada")), (2, 1));
    // A topic that has one counts for nobody else from now on.
    retain(&mut ada, "top/c").unwrap();
    assert_eq!((count(&bench, "eve"), count(&bench, "ada")), (2, 1));
    drop((eve, ada));
    // A lower setting stops nobody at once.
    let mut bench = bench;
    bench.settings.growth = bounds(1, 1_000);
    let bench = bench.crash(Survival::Nothing);
    bench.run_jobs();
    assert_eq!((count(&bench, "eve"), count(&bench, "ada")), (2, 1));
    let mut eve = bench.connect_user("eve");
    for (topic, expected) in [("top/d", Ok(())), ("top/e", Ok(())), ("top/f", Err(Reason::RESOURCE_PROBLEM))]
    {
        assert_eq!(retain(&mut eve, topic), expected, "{topic}");
    }
}

/// Each kind that has a bound for one user.
#[test]
fn no_count_of_a_user_begins_anew_at_a_restart() {
    let bench = judged(bounds(9, 1_000));
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    let mut eve = bench.connect_user("eve");
    make(&mut eve, "EVE.QUEUE").unwrap();
    subscribe(&mut eve, "eve").unwrap();
    retain(&mut eve, "top/eve").unwrap();
    for command in [
        "DEFINE QLOCAL(EVE.DEFINED)",
        "SET AUTHREC PROFILE(EVE.DEFINED) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT)",
    ] {
        let done = told_as(&bench, principal("eve"), command);
        assert!(done.is_ok(), "{done}");
    }
    let prepare = |qualifier: &[u8]| {
        let mut session = bench.connect_user("eve");
        let queue = session.open("Q", OUTPUT);
        session.put_within(queue, true, "prepared");
        let branch = PreparedBranch {
            prepared_at: 7,
            format: 1,
            global: b"global".to_vec(),
            qualifier: qualifier.to_vec(),
            user: b"eve".to_vec(),
        };
        let prepared = session.connection.prepare(PreparedPurpose::Branch(branch));
        open(&bench.manager, prepared).unwrap().unwrap()
    };
    prepare(b"stays");
    let decided = prepare(b"decided");
    let resolve = format!("RESOLVE INDOUBT({}.{}) ACTION(COMMIT)", decided.epoch, decided.counter);
    let resolved = told_as(&bench, principal("eve"), &resolve);
    assert!(resolved.is_ok(), "{resolved}");
    drop(eve);
    let of_eve = |bench: &Bench| -> Vec<(Growth, u64)> {
        let of_users = Growth::ALL.into_iter().filter(|growth| growth.user_setting().is_some());
        of_users.map(|growth| (growth, bench.manager.figures().growth(growth, Some("eve")))).collect()
    };
    let before = of_eve(&bench);
    assert_eq!(before.len(), 7, "each kind that has a bound for one user");
    assert!(before.iter().all(|(_, count)| *count > 0), "{before:?}");
    let bench = bench.crash(Survival::Nothing);
    bench.run_jobs();
    assert_eq!(of_eve(&bench), before);
}

#[test]
fn until_requests_are_judged_there_are_only_the_bounds_for_all() {
    let bench = Bench::with(Settings { growth: bounds(2, 5), ..settings() }, 1);
    bench.mqsc(OBJECTS);
    let mut eve = bench.connect_user("eve");
    for number in 0..5 {
        make(&mut eve, &format!("EVE.{number}")).unwrap();
    }
    assert_eq!(make(&mut eve, "EVE.5"), Err(Reason::RESOURCE_PROBLEM));
    assert!(events(&bench, "FRY7483W")[0].contains("growth.dynamic_queues_max"));
}

#[test]
fn a_queue_manager_that_has_more_when_it_is_opened_may_have_twice_that() {
    let mut bench = judged(bounds(100, 100));
    let mut eve = bench.connect_user("eve");
    for number in 0..6 {
        make(&mut eve, &format!("EVE.{number}")).unwrap();
    }
    drop(eve);
    bench.settings.growth = bounds(4, 100);
    let bench = bench.crash(Survival::Nothing);
    let mut eve = bench.connect_user("eve");
    for number in 6..12 {
        make(&mut eve, &format!("EVE.{number}")).unwrap();
    }
    assert_eq!(make(&mut eve, "EVE.12"), Err(Reason::RESOURCE_PROBLEM));
    let mut ada = bench.connect_user("ada");
    for number in 0..4 {
        make(&mut ada, &format!("ADA.{number}")).unwrap();
    }
    assert_eq!(make(&mut ada, "ADA.4"), Err(Reason::RESOURCE_PROBLEM));
}

#[test]
fn a_user_near_its_bound_is_told_of_once_in_the_log_and_with_each_answer_about_the_queue_manager() {
    let bench = judged(bounds(10, 1_000));
    let mut eve = bench.connect_user("eve");
    for number in 0..8 {
        make(&mut eve, &format!("EVE.{number}")).unwrap();
    }
    assert!(events(&bench, "FRY7484W").is_empty());
    assert!(!bench.told("DISPLAY QMGR QMNAME").contains("FRY7484W"));
    make(&mut eve, "EVE.8").unwrap();
    make(&mut eve, "EVE.9").unwrap();
    let told = events(&bench, "FRY7484W");
    assert_eq!(told.len(), 1, "{told:?}");
    let shown = bench.told("DISPLAY QMGR QMNAME");
    for part in ["FRY7484W", "user eve has 10", "WHERE(DEFTYPE EQ PERMDYN) MAKER", "DELETE QLOCAL(name)"] {
        assert!(shown.contains(part), "{shown}");
    }
    assert!(!bench.told("DISPLAY QLOCAL(Q)").contains("FRY7484W"));
}

#[test]
fn a_name_that_no_line_of_text_has_is_counted_and_shown_without_harm() {
    let bench = judged(bounds(1, 100));
    for (user, shown) in [
        ("e\u{1b}[2Jve\nx", "e?[2Jve?x"),
        ("' OR '", "' OR '"),
        ("\u{202e}eve", "\u{202e}eve"),
        ("", "nobody"),
    ] {
        bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
        bench.mqsc("SET AUTHREC PROFILE('PERM') OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(GET,PUT,DSP)");
        // No login has such a name: a message may.
        let named = Principal::of_message(Text::truncated(user));
        let mut session = bench.try_connect_by(named, [0; 16], 0).unwrap();
        make(&mut session, "X.*").unwrap();
        assert_eq!(make(&mut session, "X.*"), Err(Reason::RESOURCE_PROBLEM), "{user:?}");
        assert_eq!(bench.manager.figures().growth(Growth::DynamicQueues, Some(shown)), 1, "{user:?}");
        let told = events(&bench, "FRY7483W");
        assert!(!told[0].contains(['\u{1b}', '\n', '\u{202e}']), "{told:?}");
    }
    for command in ["DISPLAY QLOCAL('X.*') MAKER", "DISPLAY QMGR QMNAME"] {
        let shown = bench.told(command);
        assert!(shown.contains("[2Jve"), "{shown}");
        let harmful = shown.chars().find(|letter| *letter != '\n' && security::letters::is_harmful(*letter));
        assert_eq!(harmful, None, "{shown}");
        assert!(!shown.lines().any(|line| line.starts_with("ve")), "a name begins no line: {shown}");
    }
}

#[test]
fn a_partner_beyond_a_thousand_names_of_a_channel_is_2102_and_others_go_on() {
    let bench = Bench::new();
    let state = |channel: &str, partner: usize| SyncObject {
        channel: channel.to_owned(),
        partner: format!("P{partner}"),
        ..sync(1, Direction::Receives)
    };
    let define = |bench: &Bench, known: Option<(ObjectId, &SyncObject)>, state| {
        bench.open(bench.manager.channels().define_state(known, state))
    };
    let first = define(&bench, None, state("IN", 0)).unwrap();
    for partner in 1..1_000 {
        // Each is a block of the log, which has room again once the house is kept.
        if partner % 50 == 0 {
            bench.keep_house();
        }
        let made = define(&bench, None, state("IN", partner));
        assert!(made.is_ok(), "{partner}: {made:?}");
    }
    bench.keep_house();
    let before = bench.manager.log().state();
    for partner in [1_000, 1_001, usize::MAX] {
        let refused = define(&bench, None, state("IN", partner));
        assert_eq!(refused, Err(Reason::RESOURCE_PROBLEM), "{partner}");
    }
    assert_eq!(bench.manager.log().state(), before, "a refusal leaves nothing");
    define(&bench, Some((first, &state("IN", 0))), state("IN", 0)).expect("one that is known goes on");
    define(&bench, None, state("OTHER", 1_000)).expect("so does a partner of another channel");
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(define(&bench, None, state("IN", 1_000)), Err(Reason::RESOURCE_PROBLEM));
    define(&bench, None, state("OTHER", 1_001)).unwrap();
}

#[test]
fn the_calls_of_partners_make_a_hundred_channels_and_one_more_is_refused_with_its_reason() {
    let bench = Bench::new();
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    bench.mqsc("ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED) DEFINE CHANNEL(OWN) CHLTYPE(RCVR)");
    let encryption = &Encryption::Clear { is_cover_required: false };
    let accept = |bench: &Bench, channel: &str| {
        let call = ChannelCall {
            channel,
            address: "tcp 10.0.0.7:51000",
            partner: "QM2",
            partner_identifier: "QM2_1",
            sends: true,
            user: None,
            encryption,
        };
        bench.manager.channels().accept(&call).map(drop)
    };
    assert!(accept(&bench, "SYSTEM.AUTO").is_err(), "no partner makes a channel of the system");
    assert!(bench.refused("DISPLAY CHANNEL(SYSTEM.AUTO)").contains("not found"));
    for number in 0..100 {
        accept(&bench, &format!("AUTO.{number}")).unwrap();
    }
    let refusal = accept(&bench, "AUTO.100").unwrap_err();
    let CallRefusal::Beyond { .. } = &refusal else { panic!("{refusal:?}") };
    assert_eq!(refusal.reason(), Reason::RESOURCE_PROBLEM);
    let text = refusal.to_string();
    for part in ["AUTO.100", "100 automatically defined channels", "growth.automatic_channels_max"] {
        assert!(text.contains(part), "{text}");
    }
    let told = events(&bench, "FRY7483W");
    assert!(told[0].contains("DELETE CHANNEL(name)"), "{told:?}");
    assert!(bench.refused("DISPLAY CHANNEL(AUTO.100)").contains("not found"));
    // Those that are there go on, and what an administrator defines does not count.
    accept(&bench, "AUTO.7").unwrap();
    accept(&bench, "OWN").unwrap();
    bench.mqsc("DEFINE CHANNEL(MORE) CHLTYPE(RCVR) DEFINE CHANNEL(COPY) CHLTYPE(RCVR) LIKE(AUTO.1)");
    let listed = bench.told("DISPLAY CHANNEL(*) WHERE(AUTODEF EQ 1)");
    assert_eq!(listed.matches("CHANNEL(AUTO.").count(), 100, "{listed}");
    assert!(!listed.contains("COPY") && !listed.contains("OWN"), "{listed}");
    assert!(bench.told("DISPLAY QMGR CHAD").contains("growth.automatic_channels_max"));
    // After a restart too; a channel that is deleted, or defined anew, makes room.
    let bench = bench.crash(Survival::Nothing);
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    assert!(matches!(accept(&bench, "AUTO.100"), Err(CallRefusal::Beyond { .. })));
    bench.mqsc("DELETE CHANNEL(AUTO.7) DEFINE CHANNEL(AUTO.8) CHLTYPE(RCVR) REPLACE");
    accept(&bench, "AUTO.100").unwrap();
    accept(&bench, "AUTO.101").unwrap();
    assert!(matches!(accept(&bench, "AUTO.102"), Err(CallRefusal::Beyond { .. })));
}

#[derive(Clone, Debug)]
enum Step {
    Make(usize, u8),
    Subscribe(usize, u8),
    Define(usize, u8),
    Replace(usize, u8),
    Grant(usize, u8, u8),
    Delete(u8),
    DeleteSubscription(u8),
    DeleteQueue(u8),
    Revoke(u8, u8),
    Checkpoint,
    Restart,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..3usize, 0..8u8).prop_map(|(user, name)| Step::Make(user, name)),
        3 => (0..3usize, 0..8u8).prop_map(|(user, name)| Step::Subscribe(user, name)),
        3 => (0..3usize, 0..8u8).prop_map(|(user, name)| Step::Define(user, name)),
        1 => (0..3usize, 0..8u8).prop_map(|(user, name)| Step::Replace(user, name)),
        3 => (0..3usize, 0..8u8, 0..8u8).prop_map(|(user, name, other)| Step::Grant(user, name, other)),
        2 => (0..8u8).prop_map(Step::Delete),
        2 => (0..8u8).prop_map(Step::DeleteSubscription),
        2 => (0..8u8).prop_map(Step::DeleteQueue),
        1 => (0..8u8, 0..8u8).prop_map(|(name, other)| Step::Revoke(name, other)),
        1 => Just(Step::Checkpoint),
        1 => Just(Step::Restart),
    ];
    prop::collection::vec(step, 0..60)
}

/// The count of a kind for a user, as displays find what stands.
fn recount(bench: &Bench, growth: Growth, user: &str) -> u64 {
    let condition = match growth {
        Growth::DynamicQueues => "DISPLAY QLOCAL(DYN*)",
        Growth::Subscriptions => "DISPLAY SUB(*)",
        _ => "DISPLAY QLOCAL(DEF*)",
    };
    let shown = bench.told(&format!("{condition} WHERE(MAKER EQ '{user}')"));
    shown.matches("MAKER(").count() as u64
}

fn take_step(bench: &Bench, step: &Step) {
    let users = ["eve", "ada", "root"];
    let by = |user: usize| match users[user] {
        "root" => Principal::administrator("root", Identity::Kernel).unwrap(),
        user => principal(user),
    };
    let session = |user: usize| bench.try_connect_by(by(user), [0; 16], 0).unwrap();
    let tell = |user: usize, text: String| drop(told_as(bench, by(user), &text));
    match *step {
        Step::Make(user, name) => drop(make(&mut session(user), &format!("DYN.{name}"))),
        Step::Subscribe(user, name) => drop(subscribe(&mut session(user), &format!("s{name}"))),
        Step::Define(user, name) => tell(user, format!("DEFINE QLOCAL(DEF.{name})")),
        Step::Replace(user, name) => tell(user, format!("DEFINE QLOCAL(DEF.{name}) REPLACE")),
        Step::Grant(user, name, other) => tell(
            user,
            format!(
                "SET AUTHREC PROFILE(DEF.{name}) OBJTYPE(QUEUE) PRINCIPAL('u{name}','u{other}') AUTHADD(PUT)"
            ),
        ),
        Step::Delete(name) => tell(2, format!("DELETE QLOCAL(DEF.{name})")),
        Step::DeleteSubscription(name) => tell(2, format!("DELETE SUB(s{name})")),
        Step::DeleteQueue(name) => tell(2, format!("DELETE QLOCAL(DYN.{name})")),
        Step::Revoke(name, other) => {
            tell(2, format!("DELETE AUTHREC PROFILE(DEF.{name}) OBJTYPE(QUEUE) PRINCIPAL('u{other}')"))
        }
        Step::Checkpoint => {
            bench.pass(std::time::Duration::from_secs(61));
            bench.run_jobs();
        }
        Step::Restart => unreachable!("the caller restarts"),
    }
}

fn counts(bench: &Bench) -> Vec<(Growth, Option<&'static str>, u64)> {
    let owners = || [None, Some("eve"), Some("ada"), Some("root")];
    let all = Growth::ALL.into_iter().flat_map(|growth| owners().map(|owner| (growth, owner)));
    all.map(|(growth, owner)| (growth, owner, bench.manager.figures().growth(growth, owner))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn counts_are_those_of_what_stands_after_any_makes_deletes_and_restarts(steps in steps()) {
        let mut bench = judged(bounds(4, 9));
        for step in &steps {
            if matches!(step, Step::Restart) {
                let before = counts(&bench);
                bench = bench.crash(Survival::Nothing);
                prop_assert_eq!(counts(&bench), before);
            } else {
                take_step(&bench, step);
            }
            for user in ["eve", "ada"] {
                for growth in [Growth::DynamicQueues, Growth::Subscriptions, Growth::Definitions] {
                    let counted = bench.manager.figures().growth(growth, Some(user));
                    prop_assert!(counted <= 4);
                    prop_assert_eq!(counted, recount(&bench, growth, user), "{:?} of {}", growth, user);
                }
                prop_assert!(bench.manager.figures().growth(Growth::AuthorityRecords, Some(user)) <= 4);
            }
        }
        let records = bench.told("DISPLAY AUTHREC").matches("ENTITY(").count() as u64;
        prop_assert_eq!(bench.manager.figures().growth(Growth::AuthorityRecords, None), records);
    }
}

/// Whichever way a topic comes by its first publication, it counts.
#[test]
fn a_topic_counts_for_its_user_also_when_two_publications_of_it_come_together() {
    let bench = judged(bounds(3, 100));
    let (mut eve, mut other) = (bench.connect_user("eve"), bench.connect_user("eve"));
    let count = || bench.manager.figures().growth(Growth::RetainedPublications, Some("eve"));
    // Twice in one unit of work.
    retain_within(&mut eve, "top/a", 10_000).unwrap();
    retain_within(&mut eve, "top/a", 10_000).unwrap();
    eve.commit().unwrap();
    assert_eq!(count(), 1);
    // In two units of work, of which one follows the other or is backed out.
    retain_within(&mut eve, "top/b", 10_000).unwrap();
    retain_within(&mut other, "top/b", 10_000).unwrap();
    other.commit().unwrap();
    eve.commit().unwrap();
    assert_eq!(count(), 2);
    retain_within(&mut eve, "top/c", 10_000).unwrap();
    retain(&mut other, "top/c").unwrap();
    eve.back().unwrap();
    assert_eq!(count(), 3);
    assert_eq!(retain(&mut other, "top/d"), Err(Reason::RESOURCE_PROBLEM));
    // What is counted comes to an end with its publication.
    bench.mqsc("CLEAR TOPICSTR('top/a') CLRTYPE(RETAINED)");
    assert_eq!(count(), 2);
}
