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

/// The records, the rules of channels and the description of the queue manager.
fn state(bench: &Bench) -> String {
    let shown = ["DISPLAY AUTHREC", "DISPLAY CHLAUTH('*') ALL", "DISPLAY QMGR DESCR"];
    shown.map(|text| bench.told(text)).concat()
}

/// A queue manager that eve may change, until an administrator takes that away.
fn changed_by_eve() -> (Bench, &'static str) {
    let bench = judged();
    bench.mqsc(
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG)\n\
         SET AUTHREC PROFILE(KEPT) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT)\n\
         SET CHLAUTH('KEPT') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(NOACCESS)\n\
         SET CHLAUTH('KEPT') TYPE(BLOCKUSER) USERLIST('bob','eve')",
    );
    bench.host.refusals.lock().clear();
    (bench, "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHRMV(CHG)")
}

/// She would else give herself the right again that is being taken away.
#[test]
fn a_user_that_loses_the_right_to_change_the_queue_manager_during_a_judgement_changes_nothing() {
    for text in [
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG)",
        "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(ALL)",
        "SET AUTHREC PROFILE(KEPT) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHRMV(PUT)",
        "DELETE AUTHREC PROFILE(KEPT) OBJTYPE(QUEUE) PRINCIPAL('ada')",
        "SET CHLAUTH('NEW') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(NOACCESS)",
        "SET CHLAUTH('KEPT') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(CHANNEL) ACTION(REPLACE)",
        "SET CHLAUTH('KEPT') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') ACTION(REMOVE)",
        "SET CHLAUTH('KEPT') TYPE(ADDRESSMAP) ACTION(REMOVEALL)",
        "SET CHLAUTH('KEPT') TYPE(BLOCKUSER) USERLIST('ada') ACTION(ADD)",
        "SET CHLAUTH('KEPT') TYPE(BLOCKUSER) USERLIST('eve') ACTION(REMOVE)",
        "ALTER QMGR DESCR('mine')",
    ] {
        let (expected, lost) = changed_by_eve();
        administer(&expected.manager, lost);
        let (bench, lost) = changed_by_eve();
        let manager = bench.manager.clone();
        bench.host.while_judged("eve", 0, move || administer(&manager, lost));
        let answer = told_as(&bench, "eve", text);
        assert!(answer.to_string().contains("FRY8135E"), "{text}: {answer}");
        assert_eq!(bench.host.refusals.lock().len(), 1, "{text}");
        assert_eq!(state(&bench), state(&expected), "{text}");
        // Before it is taken away the same command is done.
        let (bench, _) = changed_by_eve();
        let answer = told_as(&bench, "eve", text);
        assert!(answer.is_ok(), "{text}: {answer}");
    }
}

/// The looks at the groups of eve for something that she may do.
fn looks(bench: &Bench, does: impl FnOnce(&Bench)) -> usize {
    bench.host.while_judged("eve", usize::MAX, || ());
    does(bench);
    usize::MAX - bench.host.meanwhile.lock().take().unwrap().skips
}

/// A right is taken away at each moment of an open that makes a queue.
#[test]
fn a_queue_is_made_from_a_model_by_no_user_that_loses_the_right_to_it_meanwhile() {
    let model = |name: &str, of: &str| mqi::ObjectDescriptor {
        dynamic_queue_name: name.parse().unwrap(),
        ..mqi::ObjectDescriptor::queue(of.parse().unwrap())
    };
    let with_models = || {
        let bench = judged();
        bench.mqsc(
            "DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)\nDEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\n\
             SET AUTHREC PROFILE(PERM) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(GET,DSP)\n\
             SET AUTHREC PROFILE(TEMP) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(GET,DSP)\n\
             SET AUTHREC PROFILE('COVERED.**') OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(GET)",
        );
        bench.host.refusals.lock().clear();
        bench
    };
    let make = |bench: &Bench, name: &str, of: &str| {
        let mut eve = bench.connect_user("eve");
        let opened = eve.connection.open(&model(name, of), INPUT);
        open(&bench.manager, opened).map(drop)
    };
    for (name, of, lost) in [
        ("OF.EVE", "PERM", "SET AUTHREC PROFILE(PERM) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHRMV(DSP)"),
        ("OF.EVE", "TEMP", "SET AUTHREC PROFILE(TEMP) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHRMV(DSP)"),
        (
            "COVERED.Q",
            "PERM",
            "SET AUTHREC PROFILE('COVERED.**') OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHRMV(GET)",
        ),
        (
            "COVERED.Q",
            "TEMP",
            "SET AUTHREC PROFILE('COVERED.**') OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHRMV(GET)",
        ),
    ] {
        // Her connect is the first.
        let first = looks(&with_models(), |bench| drop(bench.connect_user("eve")));
        let all = looks(&with_models(), |bench| make(bench, name, of).unwrap());
        assert!(all > first, "{all} looks, {first} of them for the connect");
        for skips in first..all {
            let bench = with_models();
            let queues = bench.manager.figures().queue_names();
            let manager = bench.manager.clone();
            bench.host.while_judged("eve", skips, move || administer(&manager, lost));
            let made = make(&bench, name, of);
            assert_eq!(made, Err(Reason::NOT_AUTHORIZED), "{name} of {of} after {skips} looks");
            assert_eq!(bench.host.refusals.lock().len(), 1, "{name} of {of} after {skips} looks");
            assert!(bench.host.meanwhile.lock().is_none(), "{name} of {of} after {skips} looks");
            assert_eq!(bench.manager.figures().queue_names(), queues, "{name} of {of} after {skips} looks");
            let records = bench.told("DISPLAY AUTHREC");
            assert!(!records.contains(&format!("PROFILE({name})")), "after {skips} looks: {records}");
        }
    }
}

/// The same of a new subscription: its topic, or its queue.
#[test]
fn a_subscription_is_made_by_no_user_that_loses_the_right_to_it_meanwhile() {
    let with_queue = || {
        let bench = judged();
        bench.mqsc(
            "DEFINE QLOCAL(OWN)\n\
             SET AUTHREC PROFILE(OWN) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD(PUT,GET,BROWSE)",
        );
        bench.host.refusals.lock().clear();
        bench
    };
    let subscribe = |eve: &mut Session, is_managed: bool, queue: mqi::ObjectHandle| {
        let how = if is_managed { SubscribeOptions::MANAGED } else { SubscribeOptions::EMPTY };
        let options = SubscribeOptions::CREATE | SubscribeOptions::DURABLE | how;
        let wanted =
            SubscriptionDescriptor { name: "HERS".to_owned(), ..SubscriptionDescriptor::to("top", options) };
        let subscribed = eve.connection.subscribe(&wanted, (!is_managed).then_some(queue));
        open(&eve.manager, subscribed).map(drop)
    };
    for (is_managed, lost) in [
        (true, "SET AUTHREC PROFILE('SYSTEM.**') OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHRMV(SUB)"),
        (false, "SET AUTHREC PROFILE('SYSTEM.**') OBJTYPE(TOPIC) PRINCIPAL('eve') AUTHRMV(SUB)"),
        (false, "SET AUTHREC PROFILE(OWN) OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHRMV(PUT)"),
    ] {
        let session = |bench: &Bench| {
            let mut eve = bench.connect_user("eve");
            let queue = eve.open("OWN", INPUT);
            (eve, queue)
        };
        let bench = with_queue();
        let (mut eve, queue) = session(&bench);
        let all = looks(&bench, |_| subscribe(&mut eve, is_managed, queue).unwrap());
        // The queue that is managed is a definition, so that the last judgement is one under the lock.
        let all = all - usize::from(is_managed);
        assert!(all > 0);
        for skips in 0..all {
            let bench = with_queue();
            let (mut eve, queue) = session(&bench);
            let queues = bench.manager.figures().queue_names();
            let manager = bench.manager.clone();
            bench.host.while_judged("eve", skips, move || administer(&manager, lost));
            let made = subscribe(&mut eve, is_managed, queue);
            assert_eq!(made, Err(Reason::NOT_AUTHORIZED), "{lost} after {skips} looks");
            assert_eq!(bench.host.refusals.lock().len(), 1, "{lost} after {skips} looks");
            assert!(bench.host.meanwhile.lock().is_none(), "{lost} after {skips} looks");
            assert_eq!(bench.manager.figures().queue_names(), queues, "{lost} after {skips} looks");
            assert!(bench.refused("DISPLAY SUB(HERS)").contains("not found"), "{lost} after {skips} looks");
        }
    }
}
