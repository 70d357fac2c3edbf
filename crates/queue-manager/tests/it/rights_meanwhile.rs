//! Changes by others between the judgement of a command and its effect, which is judged where it is made.
//! Each test has another user act in the middle of a judgement, at a moment that the host of the tests gives.

use mqi::{CloseOptions, OpenOptions, Reason, SubscribeOptions, SubscriptionDescriptor};
use objects::{Response, mqsc};
use queue_manager::{Course, Identity, Issuer, Piece, Principal, QueueManager};

use crate::support::*;

fn root() -> Principal {
    Principal::administrator("root", Identity::Kernel).unwrap()
}

fn issuer(user: Principal) -> Issuer {
    Issuer { principal: user, ..Issuer::default() }
}

fn told_as(bench: &Bench, user: &str, text: &str) -> Response {
    let command = &mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))[0];
    bench.open(bench.manager.execute_for(&issuer(principal(user)), command))
}

/// Executes commands of an administrator, each of which is done.
fn administer(manager: &QueueManager, text: &str) {
    for command in mqsc::parse(text).unwrap() {
        let done = open(manager, manager.execute_for(&issuer(root()), &command));
        assert!(done.is_ok(), "{text}: {done}");
    }
}

/// A queue manager whose user eve may define objects of some types, and may change none.
fn judged() -> Bench {
    let bench = Bench::new();
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT,DSP)");
    for object_type in ["QUEUE", "TOPIC", "CHANNEL", "PROCESS", "NAMELIST", "LISTENER"] {
        bench.mqsc(&format!(
            "SET AUTHREC PROFILE('@CLASS') OBJTYPE({object_type}) PRINCIPAL('eve') AUTHADD(CRT)\n\
             SET AUTHREC PROFILE('SYSTEM.**') OBJTYPE({object_type}) PRINCIPAL('eve') AUTHADD(DSP)"
        ));
    }
    bench.mqsc("SET AUTHREC PROFILE('SYSTEM.**') OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHADD(ALLMQI)");
    bench.host.refusals.lock().clear();
    bench
}

#[test]
fn define_replace_of_an_object_that_came_during_its_judgement_replaces_nothing() {
    for (object, values) in [
        ("QLOCAL", ""),
        ("QALIAS", ""),
        ("TOPIC", "TOPICSTR('new')"),
        ("CHANNEL", "CHLTYPE(SVRCONN)"),
        ("PROCESS", ""),
        ("NAMELIST", ""),
        ("LISTENER", "TRPTYPE(TCP)"),
    ] {
        let bench = judged();
        let manager = bench.manager.clone();
        let theirs = format!("DEFINE {object}(NEW) {values} DESCR('theirs')");
        bench.host.while_judged("eve", 0, move || administer(&manager, &theirs));
        let answer = told_as(&bench, "eve", &format!("DEFINE {object}(NEW) {values} DESCR('mine') REPLACE"));
        assert!(answer.to_string().contains("FRY8135E"), "{object}: {answer}");
        assert_eq!(bench.host.refusals.lock().len(), 1, "{object}");
        let shown = bench.told(&format!("DISPLAY {object}(NEW) DESCR"));
        assert!(shown.contains("theirs"), "{object}: {shown}");
        // Without another the same command makes the object.
        let made = told_as(&bench, "eve", &format!("DEFINE {object}(FREE) {} REPLACE", free(values)));
        assert!(made.is_ok(), "{object}: {made}");
    }
}

/// The same values for an object beside it.
fn free(values: &str) -> String {
    values.replace("'new'", "'free'")
}

/// eve has a subscription, which an administrator gives to ada during the judgement.
#[test]
fn a_subscription_that_changes_hands_during_a_judgement_is_the_new_owners() {
    for text in [
        "ALTER SUB(HERS) USERDATA('mine')",
        "DELETE SUB(HERS)",
        "DEFINE SUB(HERS) TOPICSTR('top') DEST(OWN) USERDATA('mine') REPLACE",
    ] {
        let bench = judged();
        bench.mqsc(
            "DEFINE QLOCAL(OWN)\nSET AUTHREC PROFILE(OWN) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(PUT)\n\
             DEFINE SUB(HERS) TOPICSTR('top') DEST(OWN) SUBUSER('eve') USERDATA('theirs')",
        );
        let manager = bench.manager.clone();
        let given = "ALTER SUB(HERS) SUBUSER('ada')";
        bench.host.while_judged("eve", 0, move || administer(&manager, given));
        let answer = told_as(&bench, "eve", text);
        assert!(answer.to_string().contains("FRY8135E"), "{text}: {answer}");
        assert_eq!(bench.host.refusals.lock().len(), 1, "{text}");
        let shown = bench.told("DISPLAY SUB(HERS) SUBUSER USERDATA");
        assert!(shown.contains("SUBUSER(ada)") && shown.contains("theirs"), "{text}: {shown}");
    }
}

const USE: SubscribeOptions =
    SubscribeOptions::ALTER.union(SubscribeOptions::DURABLE).union(SubscribeOptions::MANAGED);

/// A program of eve, whose subscription HERS is not in use.
fn with_subscription(bench: &Bench) -> (Session, SubscriptionDescriptor) {
    let mut eve = bench.connect_user("eve");
    let options = USE | SubscribeOptions::CREATE | SubscribeOptions::ANY_USERID;
    let wanted = SubscriptionDescriptor {
        name: "HERS".to_owned(),
        user_data: "of eve".to_owned(),
        ..SubscriptionDescriptor::to("top", options)
    };
    let made = eve.connection.subscribe(&wanted, None);
    let made = open(&eve.manager, made).unwrap();
    let closed = eve.connection.close(made.subscription, CloseOptions::EMPTY);
    open(&eve.manager, closed).unwrap();
    let options = options.without(SubscribeOptions::CREATE);
    (eve, SubscriptionDescriptor { options, ..wanted })
}

fn subscribe(session: &mut Session, wanted: &SubscriptionDescriptor) -> Result<(), Reason> {
    let subscribed = session.connection.subscribe(wanted, None);
    open(&session.manager, subscribed).map(drop)
}

/// The same while a program takes it into use again: it is judged when it asks, and once the subscription is
/// its own to use.
#[test]
fn a_program_that_resumes_a_subscription_while_it_changes_hands_does_not_take_it_back() {
    let bench = judged();
    let (mut eve, altering) = with_subscription(&bench);
    // The looks at her groups for one judgement: one that another use ends has no more.
    let mut other = bench.connect_user("eve");
    subscribe(&mut other, &altering).unwrap();
    bench.host.while_judged("eve", usize::MAX, || ());
    assert_eq!(subscribe(&mut eve, &altering), Err(Reason::SUBSCRIPTION_IN_USE));
    let looks = usize::MAX - bench.host.meanwhile.lock().take().unwrap().skips;
    assert!(looks > 0);
    for skips in 0..2 * looks {
        let bench = judged();
        let (mut eve, altering) = with_subscription(&bench);
        let manager = bench.manager.clone();
        let given = "ALTER SUB(HERS) SUBUSER('ada') USERDATA('of ada')";
        bench.host.while_judged("eve", skips, move || administer(&manager, given));
        assert_eq!(subscribe(&mut eve, &altering), Err(Reason::NOT_AUTHORIZED), "after {skips} looks");
        assert!(bench.host.meanwhile.lock().is_none(), "it was given away after {skips} looks");
        let shown = bench.told("DISPLAY SUB(HERS) SUBUSER USERDATA");
        assert!(shown.contains("SUBUSER(ada)") && shown.contains("of ada"), "{skips}: {shown}");
    }
}

/// eve has all rights to a queue that she made from a model, and none to another of its name.
#[test]
fn a_queue_that_follows_one_of_its_name_during_a_judgement_is_not_its_makers() {
    for text in ["ALTER QLOCAL(OF.EVE) MAXDEPTH(7)", "CLEAR QLOCAL(OF.EVE)", "DELETE QLOCAL(OF.EVE) PURGE"] {
        let bench = judged();
        bench.mqsc(
            "DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)\n\
             SET AUTHREC PROFILE(MODEL) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(GET,DSP)",
        );
        let mut eve = bench.connect_user("eve");
        let model = mqi::ObjectDescriptor {
            dynamic_queue_name: "OF.EVE".parse().unwrap(),
            ..mqi::ObjectDescriptor::queue("MODEL".parse().unwrap())
        };
        let made = eve.connection.open(&model, INPUT);
        let made = open(&eve.manager, made).unwrap().handle;
        let closed = eve.connection.close(made, CloseOptions::EMPTY);
        open(&eve.manager, closed).unwrap();
        let manager = bench.manager.clone();
        bench.host.while_judged("eve", 0, move || {
            administer(&manager, "DELETE QLOCAL(OF.EVE)\nDEFINE QLOCAL(OF.EVE) MAXDEPTH(9)");
            let mut other = Bench::session_of(&manager, root());
            let queue = other.open("OF.EVE", OUTPUT);
            other.put(queue, true, "of another");
        });
        let answer = told_as(&bench, "eve", text);
        assert!(answer.to_string().contains("FRY8135E"), "{text}: {answer}");
        let shown = bench.told("DISPLAY QLOCAL(OF.EVE) MAXDEPTH CURDEPTH");
        assert!(shown.contains("MAXDEPTH(9)") && shown.contains("CURDEPTH(1)"), "{text}: {shown}");
    }
}

/// Three portions; the right goes after the first.
#[test]
fn a_right_that_is_taken_away_in_the_course_of_a_move_leaves_the_rest_where_it_is() {
    for lost in [
        "DELETE AUTHREC PROFILE(SOURCE) OBJTYPE(QUEUE) PRINCIPAL('eve')",
        "DELETE AUTHREC PROFILE(TARGET) OBJTYPE(QUEUE) PRINCIPAL('eve')",
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHRMV(DSP)",
    ] {
        let bench = judged();
        bench.mqsc(
            "DEFINE QLOCAL(SOURCE)\nDEFINE QLOCAL(TARGET)\n\
             SET AUTHREC PROFILE(SOURCE) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(CLR,GET,DSP)\n\
             SET AUTHREC PROFILE(TARGET) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(PUT,PASSALL)",
        );
        let mut putter = Bench::session_of(&bench.manager, root());
        let queue = putter.open("SOURCE", OpenOptions::OUTPUT);
        for _ in 0..250 {
            putter.put(queue, false, "x");
        }
        let closed = putter.connection.close(queue, CloseOptions::EMPTY);
        open(&bench.manager, closed).unwrap();
        let command = mqsc::parse("MOVE QLOCAL(SOURCE) TOQLOCAL(TARGET)").unwrap().remove(0);
        let mut course = Course::new(issuer(principal("eve")), command);
        assert!(matches!(course.go_on(&bench.manager, 1 << 20), Piece::Working), "{lost}");
        bench.mqsc(lost);
        bench.host.refusals.lock().clear();
        let Piece::Last(answer) = course.go_on(&bench.manager, 1 << 20) else { panic!("it goes on: {lost}") };
        let answer = bench.open(answer).to_string();
        assert!(answer.contains("FRY8135E") && answer.contains("100"), "{lost}: {answer}");
        assert_eq!(bench.host.refusals.lock().len(), 1, "{lost}");
        assert_eq!((depth(&bench, "SOURCE"), depth(&bench, "TARGET")), (150, 100), "{lost}");
    }
}

fn depth(bench: &Bench, queue: &str) -> usize {
    let shown = bench.told(&format!("DISPLAY QLOCAL({queue}) CURDEPTH"));
    shown.split("CURDEPTH(").nth(1).unwrap().split(')').next().unwrap().parse().unwrap()
}
