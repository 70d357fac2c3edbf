//! DISPLAY ROUTE: the steps of a name, beside what an open of the same name does.

use std::sync::atomic::Ordering;

use mqi::{MessageDescriptor, ObjectDescriptor, PutOptions, Reason};

use crate::support::*;

const DEFINITIONS: &str = "DEFINE QLOCAL(Q) DEFINE QALIAS(A) TARGET(Q) DEFINE QALIAS(A2) TARGET(R) \
    DEFINE QALIAS(TO.NOTHING) TARGET(NOTHING) DEFINE QALIAS(TO.ALIAS) TARGET(A) \
    DEFINE QMODEL(MODEL) DEFINE QLOCAL(X) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) \
    DEFINE QLOCAL(QM2) USAGE(XMITQ) DEFINE QLOCAL(NORMAL) \
    DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2) DEFINE QREMOTE(RX) RNAME(THERE) RQMNAME(QM9) XMITQ(X) \
    DEFINE QREMOTE(R.LOST) RNAME(THERE) RQMNAME(QM9) \
    DEFINE QREMOTE(R.NO.XMITQ) RNAME(THERE) RQMNAME(QM2) XMITQ(GONE) \
    DEFINE QREMOTE(R.NORMAL) RNAME(THERE) RQMNAME(QM2) XMITQ(NORMAL) \
    DEFINE QREMOTE(R.ALIAS) RNAME(THERE) RQMNAME(QM2) XMITQ(A) \
    DEFINE QREMOTE(ALIAS.OF.QM) RQMNAME(QM2) DEFINE QREMOTE(OTHER.NAME) RQMNAME(TEST) \
    DEFINE CHANNEL(TO.QM2) CHLTYPE(SDR) CONNAME('there(1414)') XMITQ(QM2) \
    DEFINE CHANNEL(X.ONE) CHLTYPE(SVR) XMITQ(X) \
    DEFINE CHANNEL(X.TWO) CHLTYPE(SDR) CONNAME('x(1414)') XMITQ(X)";

/// The value of an attribute in the n-th row that has it.
fn values(told: &str, keyword: &str) -> Vec<String> {
    let opens = format!(" {keyword}(");
    told.match_indices(&opens)
        .map(|(at, _)| told[at + opens.len()..].split(')').next().unwrap().trim().to_owned())
        .collect()
}

#[test]
fn the_route_of_each_name_ends_as_a_put_to_the_name_does() {
    let bench = Bench::new();
    bench.mqsc(DEFINITIONS);
    let one = |reason: Reason| Err(reason);
    let mut session = bench.connect();
    for default in ["", "X"] {
        bench.mqsc(&format!("ALTER QMGR DEFXMITQ('{default}')"));
        let lost = if default.is_empty() { one(Reason::UNKNOWN_REMOTE_Q_MGR) } else { Ok("ELSEWHERE") };
        for (queue, manager, expected) in [
            ("Q", "", Ok("LOCAL")),
            ("A", "", Ok("LOCAL")),
            ("Q", "TEST", Ok("LOCAL")),
            ("R", "", Ok("ELSEWHERE")),
            ("A2", "", Ok("ELSEWHERE")),
            ("RX", "", Ok("ELSEWHERE")),
            ("NOTHING", "", one(Reason::UNKNOWN_OBJECT_NAME)),
            ("TO.NOTHING", "", one(Reason::UNKNOWN_ALIAS_BASE_Q)),
            ("TO.ALIAS", "", one(Reason::ALIAS_BASE_Q_TYPE_ERROR)),
            ("R.LOST", "", lost),
            ("ANY", "QM9", lost),
            ("R.NO.XMITQ", "", one(Reason::UNKNOWN_XMIT_Q)),
            ("R.NORMAL", "", one(Reason::XMIT_Q_USAGE_ERROR)),
            ("R.ALIAS", "", one(Reason::XMIT_Q_TYPE_ERROR)),
            ("ANY", "QM2", Ok("ELSEWHERE")),
            ("ANY", "ALIAS.OF.QM", Ok("ELSEWHERE")),
            ("Q", "OTHER.NAME", Ok("LOCAL")),
            ("ANY", "OTHER.NAME", one(Reason::UNKNOWN_OBJECT_NAME)),
            // Beside a default way a queue that is none has nothing to do with a queue manager.
            ("ANY", "NORMAL", if default.is_empty() { one(Reason::XMIT_Q_USAGE_ERROR) } else { lost }),
        ] {
            let told = bench.told(&format!("DISPLAY ROUTE({queue}) QMNAME('{manager}')"));
            let object = ObjectDescriptor {
                object_queue_manager_name: manager.parse().unwrap(),
                ..ObjectDescriptor::queue(queue.parse().unwrap())
            };
            let put = session.connection.put1(
                &object,
                &MessageDescriptor::default(),
                &PutOptions::default(),
                "x".into(),
            );
            let put = bench.open(put).map(drop);
            let (reason, ends) = match expected {
                Ok(ends) => (Reason::NONE, ends),
                Err(reason) => (reason, "NOWHERE"),
            };
            assert_eq!(put, expected.map(drop), "{queue} at {manager:?}");
            assert_eq!(values(&told, "ENDS"), [ends], "{queue} at {manager:?}: {told}");
            assert_eq!(values(&told, "REASON"), [reason.code().to_string()], "{told}");
            let steps: Vec<String> = (1..=values(&told, "STEP").len()).map(|step| step.to_string()).collect();
            assert_eq!(values(&told, "STEP"), steps, "{told}");
        }
    }
}

#[test]
fn each_step_says_by_what_rule_it_was_taken_and_which_were_looked_for_in_vain() {
    let bench = Bench::new();
    bench.mqsc(DEFINITIONS);
    bench.mqsc("ALTER QMGR DEFXMITQ(X) ALTER QALIAS(A) PUT(DISABLED)");
    let told = bench.told("DISPLAY ROUTE(R.LOST)");
    assert_eq!(values(&told, "OBJTYPE"), ["QREMOTE", "NONE", "QLOCAL"], "{told}");
    let rules = values(&told, "RULE");
    assert_eq!(rules[0], "the name that was asked for");
    assert!(
        rules[1].starts_with("XMITQ is blank") && rules[1].ends_with("nothing has the name QM9"),
        "{told}"
    );
    assert!(rules[2].starts_with("DEFXMITQ"), "{told}");
    assert_eq!(values(&told, "NAME"), ["R.LOST", "QM9", "X", "X.ONE", "X.TWO"]);
    assert_eq!(
        (values(&told, "RNAME"), values(&told, "RQMNAME")),
        (vec!["THERE".into(); 2], vec!["QM9".into(); 2])
    );
    // Why the channels do or do not start.
    assert_eq!(values(&told, "CHLTYPE"), ["SVR", "SDR"]);
    assert!(
        rules[3].starts_with("no message starts it") && rules[4].starts_with("no message starts it"),
        "{told}"
    );
    bench.host.runs_channels.store(true, Ordering::Relaxed);
    let told = bench.told("DISPLAY ROUTE(R.LOST)");
    assert!(values(&told, "RULE")[3].starts_with("no message starts it"), "it has no CONNAME: {told}");
    assert_eq!(values(&told, "RULE")[4], "a message starts it");
    bench.told("STOP CHANNEL(X.TWO)");
    let told = bench.told("DISPLAY ROUTE(R.LOST)");
    assert!(values(&told, "RULE")[4].starts_with("a command stopped it"), "{told}");
    assert_eq!(values(&told, "STATUS"), ["INACTIVE", "STOPPED"]);
    let told = bench.told("DISPLAY ROUTE(A)");
    assert_eq!(
        values(&told, "RULE")[0],
        "the name that was asked for; PUT(DISABLED",
        "the way is shut: {told}"
    );
    assert_eq!(values(&told, "TARGET"), ["Q"]);
    bench.told("DELETE CHANNEL(X.ONE)");
    bench.told("DELETE CHANNEL(X.TWO)");
    let told = bench.told("DISPLAY ROUTE(ANY) QMNAME(X)");
    assert_eq!(values(&told, "ENDS"), ["NOWHERE"], "nothing takes the messages away: {told}");
    assert!(told.contains("define one with XMITQ(X"), "{told}");
    assert!(bench.told("DISPLAY ROUTE(MODEL)").contains("ENDS(NOWHERE)"));
}

#[test]
fn a_route_that_is_no_name_is_refused_in_words() {
    for (wrong, words) in [
        ("DISPLAY ROUTE", "( after ROUTE was expected"),
        ("DISPLAY ROUTE('a b')", "ROUTE"),
        ("DISPLAY ROUTE(Q) QMNAME('a b')", "QMNAME takes the name of a queue manager"),
        ("DISPLAY ROUTE(Q) NOPE", "NOPE"),
    ] {
        let refused = format!("{:?}", objects::mqsc::parse(wrong).unwrap_err());
        assert!(refused.contains(words), "{wrong}: {refused}");
    }
    let bench = Bench::new();
    bench.mqsc(DEFINITIONS);
    let one = bench.told("DISPLAY ROUTE(Q) RULE");
    assert!(one.contains("RULE(") && !one.contains("CURDEPTH("), "one attribute may be asked for: {one}");
}

#[test]
fn the_end_of_a_route_is_told_to_those_that_may_display_the_queue_there() {
    let bench = Bench::new();
    bench.mqsc(DEFINITIONS);
    bench.mqsc(
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('low') AUTHADD(CONNECT,DSP)\n\
         SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) PRINCIPAL('low') AUTHADD(DSP)\n\
         SET AUTHREC PROFILE('A2') OBJTYPE(QUEUE) PRINCIPAL('low') AUTHADD(DSP)\n\
         SET AUTHREC PROFILE('TO.NOTHING') OBJTYPE(QUEUE) PRINCIPAL('low') AUTHADD(DSP)",
    );
    let told = |name: &str| {
        let issuer =
            queue_manager::Issuer { principal: principal("low"), ..queue_manager::Issuer::default() };
        let command = &objects::mqsc::parse(&format!("DISPLAY ROUTE({name})")).unwrap()[0];
        bench.open(bench.manager.execute_for(&issuer, command)).to_string()
    };
    for name in ["A", "A2", "TO.NOTHING"] {
        let hidden = told(name);
        assert_eq!(values(&hidden, "NAME"), [name], "{hidden}");
        let rules = values(&hidden, "RULE");
        assert!(rules.last().unwrap().contains("no right to display"), "{hidden}");
        assert!(values(&hidden, "CURDEPTH").is_empty() && values(&hidden, "RNAME").is_empty(), "{hidden}");
    }
    bench.mqsc("SET AUTHREC PROFILE('Q') OBJTYPE(QUEUE) PRINCIPAL('low') AUTHADD(DSP)");
    let shown = told("A");
    assert_eq!(values(&shown, "NAME"), ["A", "Q", "Q"], "{shown}");
}
