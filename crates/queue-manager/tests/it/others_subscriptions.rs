//! Subscriptions of other users: each way to one asks for the right to act for others and for its topic.

use bytes::Bytes;
use mqi::{
    CloseOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions, Reason,
    RequestOptions, SubscribeOptions, Subscribed, SubscriptionDescriptor,
};
use objects::mqsc;
use queue_manager::{Begun, Identity, Issuer, LinkSubscription, Principal};

use crate::support::*;

/// A queue manager whose topics `top` and `open` are for eve and ada, and whose subscriptions BOSS and FIXED
/// are those of boss.
fn judged() -> Bench {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(MINE)\nDEFINE QLOCAL(THEIRS)\nDEFINE TOPIC(TOP) TOPICSTR('top')\n\
         DEFINE TOPIC(OPEN) TOPICSTR('open')\nDEFINE TOPIC(PAY) TOPICSTR('pay')\n\
         SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT,DSP)\n\
         DEFINE SUB(BOSS) TOPICSTR('top/x') DEST(THEIRS) SUBUSER('boss')\n\
         DEFINE SUB(FIXED) TOPICSTR('top/x') DEST(THEIRS) SUBUSER('boss') VARUSER(FIXED)\n\
         DEFINE SUB(ADMIN) TOPICSTR('top/x') DEST(THEIRS)",
    );
    for user in ["eve", "ada", "boss"] {
        bench.mqsc(&format!(
            "SET AUTHREC PROFILE(MINE) OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(PUT,GET,BROWSE,INQ)\n\
             SET AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) PRINCIPAL('{user}') AUTHADD(SUB,RESUME)\n\
             SET AUTHREC PROFILE(OPEN) OBJTYPE(TOPIC) PRINCIPAL('{user}') AUTHADD(SUB,RESUME)"
        ));
    }
    bench.mqsc(
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(ALTUSR)\n\
         SET AUTHREC PROFILE(THEIRS) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT,GET,BROWSE,INQ)",
    );
    bench
}

fn root() -> Principal {
    Principal::administrator("root", Identity::Kernel).unwrap()
}

fn told_as(bench: &Bench, user: Principal, text: &str) -> String {
    let issuer = Issuer { principal: user, ..Issuer::default() };
    bench.open(bench.manager.execute_for(&issuer, &mqsc::parse(text).unwrap()[0])).to_string()
}

fn shown(bench: &Bench, name: &str) -> String {
    bench.told(&format!("DISPLAY SUB({name}) ALL"))
}

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

fn close(session: &mut Session, handle: ObjectHandle, options: CloseOptions) -> Result<(), Reason> {
    let closed = session.connection.close(handle, options);
    open(&session.manager, closed).map(drop)
}

const RESUME: SubscribeOptions = SubscribeOptions::RESUME;
const DURABLE: SubscribeOptions = SubscribeOptions::DURABLE;
const CREATE: SubscribeOptions = SubscribeOptions::CREATE;
const MANAGED: SubscribeOptions = SubscribeOptions::MANAGED;

#[test]
fn a_command_on_a_subscription_of_another_needs_the_right_to_act_for_others() {
    let bench = judged();
    bench.host.refusals.lock().clear();
    for name in ["BOSS", "FIXED", "ADMIN"] {
        let identifier = shown(&bench, name);
        let identifier = identifier.split("SUBID(").nth(1).unwrap().split(')').next().unwrap().to_owned();
        let before = shown(&bench, name);
        for text in [
            format!("ALTER SUB({name}) DEST(MINE)"),
            format!("ALTER SUB({name}) USERDATA('x')"),
            format!("ALTER SUB({name}) SUBUSER('eve')"),
            format!("ALTER SUB SUBID({identifier}) DEST(MINE)"),
            format!("DELETE SUB({name})"),
            format!("DELETE SUB SUBID({identifier})"),
            format!("DEFINE SUB({name}) TOPICSTR('top/x') DEST(MINE) REPLACE"),
            format!("DEFINE SUB({name}) TOPICSTR('open/x') DEST(MINE) REPLACE"),
        ] {
            let answer = told_as(&bench, principal("eve"), &text);
            assert!(answer.contains("FRY8135E"), "{text}: {answer}");
            assert_eq!(bench.host.refusals.lock().drain(..).count(), 1, "{text}");
            assert_eq!(shown(&bench, name), before, "{text}");
        }
        for text in [
            format!("ALTER SUB({name}) DEST(MINE)"),
            format!("DEFINE SUB({name}) TOPICSTR('top/x') DEST(MINE) REPLACE"),
            format!("DELETE SUB({name})"),
        ] {
            let answer = told_as(&bench, principal("ada"), &text);
            assert!(!answer.contains("FRY8135E"), "{text}: {answer}");
        }
    }
    // The right to act for others is none to a topic.
    bench.mqsc("DEFINE SUB(PAID) TOPICSTR('pay/x') DEST(THEIRS) SUBUSER('boss')");
    for text in [
        "ALTER SUB(PAID) DEST(MINE)",
        "DELETE SUB(PAID)",
        "DEFINE SUB(PAID) TOPICSTR('top/x') DEST(MINE) REPLACE",
    ] {
        let answer = told_as(&bench, principal("ada"), text);
        assert!(answer.contains("FRY8135E"), "{text}: {answer}");
    }
}

#[test]
fn a_subscription_that_a_user_defines_is_its_own_unless_it_names_another() {
    let bench = judged();
    for (number, (user, text, owner)) in [
        (principal("eve"), "DEFINE SUB(S) TOPICSTR('top/x') DEST(MINE)", "eve"),
        (principal("eve"), "DEFINE SUB(S) TOPICSTR('top/x') DEST(MINE) REPLACE", "eve"),
        (principal("ada"), "DEFINE SUB(T) TOPICSTR('top/x') DEST(MINE) SUBUSER('boss')", "boss"),
        (root(), "DEFINE SUB(U) TOPICSTR('top/x') DEST(MINE)", " "),
        (principal("eve"), "DEFINE SUB(V) TOPICSTR('top/x') DEST(MINE) SUBUSER(' ')", "eve"),
        (principal("eve"), "DEFINE SUB(W) TOPICSTR('top/x') DEST(MINE) SUBUSER('')", "eve"),
        (principal("eve"), "DEFINE SUB(V) TOPICSTR('top/x') DEST(MINE) SUBUSER(' ') REPLACE", "eve"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = told_as(&bench, user, text);
        assert!(answer.contains("FRY8011I") || !answer.contains("FRY8135E"), "{text}: {answer}");
        let name = ["S", "S", "T", "U", "V", "W", "V"][number];
        assert!(
            shown(&bench, name).contains(&format!("SUBUSER({owner})")),
            "{text}: {}",
            shown(&bench, name)
        );
    }
    let answer = told_as(&bench, principal("eve"), "ALTER SUB(S) USERDATA('own')");
    assert!(!answer.contains("FRY8135E"), "{answer}");
    let answer = told_as(&bench, principal("eve"), "DELETE SUB(S)");
    assert!(!answer.contains("FRY8135E"), "{answer}");
}

#[test]
fn a_program_takes_no_subscription_of_another_without_the_right_to_act_for_others() {
    let bench = judged();
    let before = ["BOSS", "FIXED", "ADMIN"].map(|name| shown(&bench, name));
    let mut eve = bench.connect_user("eve");
    let mine = eve.open("MINE", INPUT);
    for name in ["BOSS", "FIXED", "ADMIN"] {
        for (options, topic) in [
            (RESUME | DURABLE, ""),
            (RESUME | DURABLE, "top/x"),
            (RESUME | DURABLE, "open/x"),
            (SubscribeOptions::ALTER | DURABLE, "top/x"),
            (SubscribeOptions::ALTER | DURABLE, ""),
            (CREATE | RESUME | DURABLE, "top/x"),
            (CREATE | RESUME | DURABLE, "open/x"),
            (CREATE | SubscribeOptions::ALTER | DURABLE, "top/x"),
        ] {
            bench.host.refusals.lock().clear();
            let found = subscribe(&mut eve, &named(name, topic, options), Some(mine));
            assert_eq!(found.err(), Some(Reason::NOT_AUTHORIZED), "{name} {options:?} '{topic}'");
            assert_eq!(bench.host.refusals.lock().len(), 1, "{name} {options:?} '{topic}'");
        }
        let made = subscribe(&mut eve, &named(name, "top/x", CREATE | DURABLE), Some(mine));
        assert_eq!(made.err(), Some(Reason::SUB_ALREADY_EXISTS), "{name}: that takes nothing");
    }
    assert_eq!(["BOSS", "FIXED", "ADMIN"].map(|name| shown(&bench, name)), before);
    // With it VARUSER(ANY) is another's to use, VARUSER(FIXED) is not.
    let mut ada = bench.connect_user("ada");
    let given = ada.open("THEIRS", INPUT);
    for options in [RESUME, SubscribeOptions::ALTER, CREATE | RESUME, CREATE | SubscribeOptions::ALTER] {
        let fixed = subscribe(&mut ada, &named("FIXED", "top/x", options | DURABLE), Some(given));
        assert_eq!(fixed.err(), Some(Reason::IDENTITY_MISMATCH), "{options:?}");
    }
    assert_eq!(shown(&bench, "FIXED"), before[1]);
    let found = subscribe(&mut ada, &named("BOSS", "", RESUME | DURABLE), None).unwrap();
    // What the handle may goes with that right.
    let asks = |ada: &mut Session| {
        let asked = ada.connection.request_publications(
            found.subscription,
            mqi::constants::MQSR_ACTION_PUBLICATION,
            RequestOptions::EMPTY,
        );
        open(&bench.manager, asked).err()
    };
    assert_eq!(asks(&mut ada), Some(Reason::NO_RETAINED_MSG));
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHRMV(ALTUSR)");
    assert_eq!(asks(&mut ada), Some(Reason::NOT_AUTHORIZED));
    assert_eq!(
        close(&mut ada, found.subscription, CloseOptions::REMOVE_SUB).err(),
        Some(Reason::NOT_AUTHORIZED)
    );
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(ALTUSR)");
    assert_eq!(asks(&mut ada), Some(Reason::NO_RETAINED_MSG));
    close(&mut ada, found.subscription, CloseOptions::REMOVE_SUB).unwrap();
    assert!(bench.refused("DISPLAY SUB(BOSS)").contains("FRY"));
}

#[test]
fn a_subscription_is_judged_for_its_own_topic_whatever_the_call_says() {
    let bench = judged();
    // Eve's own, to a topic that she lost, and one that she has.
    bench.mqsc(
        "SET AUTHREC PROFILE(PAY) OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHADD(SUB,RESUME)\n\
         DEFINE SUB(LOST) TOPICSTR('pay/x') DEST(MINE) SUBUSER('eve')\n\
         DEFINE SUB(HELD) TOPICSTR('top/x') DEST(MINE) SUBUSER('eve')\n\
         SET AUTHREC PROFILE(PAY) OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHRMV(SUB,RESUME)",
    );
    let mut eve = bench.connect_user("eve");
    let mine = eve.open("MINE", INPUT);
    for (options, topic) in [
        (RESUME | DURABLE, ""),
        (RESUME | DURABLE, "open/x"),
        (SubscribeOptions::ALTER | DURABLE, ""),
        (CREATE | RESUME | DURABLE, "open/x"),
    ] {
        let found = subscribe(&mut eve, &named("LOST", topic, options), Some(mine));
        assert_eq!(found.err(), Some(Reason::NOT_AUTHORIZED), "{options:?} '{topic}'");
    }
    for text in ["ALTER SUB(LOST) USERDATA('x')", "DELETE SUB(LOST)"] {
        let answer = told_as(&bench, principal("eve"), text);
        assert!(answer.contains("FRY8135E"), "{text}: {answer}");
    }
    // A topic that is left unsaid is the subscription's, for the handle too.
    let found = subscribe(&mut eve, &named("HELD", "", RESUME | DURABLE), None).unwrap();
    bench.mqsc("SET AUTHREC PROFILE(OPEN) OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHRMV(SUB)");
    let request = |eve: &mut Session| {
        let asked = eve.connection.request_publications(
            found.subscription,
            mqi::constants::MQSR_ACTION_PUBLICATION,
            RequestOptions::EMPTY,
        );
        open(&bench.manager, asked).err()
    };
    assert_eq!(request(&mut eve), Some(Reason::NO_RETAINED_MSG));
    bench.mqsc("SET AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHRMV(SUB,RESUME)");
    assert_eq!(request(&mut eve), Some(Reason::NOT_AUTHORIZED));
}

#[test]
fn a_link_takes_and_ends_no_durable_subscription_of_another() {
    let bench = judged();
    let link = |session: &mut Session, name: &str, topic: &str| {
        let wanted = named(name, topic, CREATE | RESUME | DURABLE | MANAGED);
        let of_link = LinkSubscription { begins_anew: true, ..LinkSubscription::default() };
        let begun = session.connection.begin_to_subscribe_for_link(&wanted, None, of_link);
        let Begun::Done(done) = begun else { panic!("nothing is to be read") };
        open(&session.manager, done)
    };
    let mut boss = bench.connect_user("boss");
    let made = link(&mut boss, "link", "top/x").unwrap();
    let object = ObjectDescriptor::topic("top/x");
    let mut administrator = bench.try_connect_by(root(), [0; 16], 0).unwrap();
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = administrator.connection.put1(
        &object,
        &MessageDescriptor::default(),
        &options,
        Bytes::from_static(b"x"),
    );
    open(&bench.manager, put).unwrap();
    close(&mut boss, made.subscription, CloseOptions::KEEP_SUB).unwrap();
    let before = shown(&bench, "'link'");
    let mut eve = bench.connect_user("eve");
    for topic in ["top/x", "top/y", "open/x"] {
        bench.host.refusals.lock().clear();
        assert_eq!(link(&mut eve, "link", topic).err(), Some(Reason::NOT_AUTHORIZED), "{topic}");
        assert_eq!(bench.host.refusals.lock().len(), 1, "{topic}");
    }
    assert_eq!(shown(&bench, "'link'"), before);
    // Its own user begins it anew where it may subscribe.
    assert_eq!(link(&mut boss, "link", "pay/x").err(), Some(Reason::NOT_AUTHORIZED));
    assert_eq!(shown(&bench, "'link'"), before);
    let anew = link(&mut boss, "link", "open/x").unwrap();
    close(&mut boss, anew.subscription, CloseOptions::REMOVE_SUB).unwrap();
}

#[test]
fn a_user_whose_name_begins_alike_has_no_subscription_of_the_other() {
    let bench = judged();
    bench.host.groups.lock().extend([("payments-east", "staff"), ("payments-easter", "staff")]);
    bench.mqsc("SET AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(SUB,RESUME)");
    bench.mqsc("DEFINE SUB(EAST) TOPICSTR('top/x') DEST(MINE) SUBUSER('payments-eas')");
    for (user, refused) in [("payments-easter", true), ("payments-east", false)] {
        let answer = told_as(&bench, principal(user), "DELETE SUB(EAST)");
        assert_eq!(answer.contains("FRY8135E"), refused, "{user}: {answer}");
    }
}
