//! Names of queue managers: which objects lead messages there, and who may make one.

use mqi::{MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags, Reason, Text};
use objects::{Response, mqsc};
use queue_manager::Issuer;

use crate::support::{Bench, Session, open, principal};

/// A queue manager from which `eve` makes queues of any name by models, and may define queues of two names.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(WAY) USAGE(XMITQ)\nDEFINE QMODEL(PERM) DEFTYPE(PERMDYN)\n\
         DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\nDEFINE QMODEL(FORWARDS) DEFTYPE(PERMDYN) USAGE(XMITQ)\n\
         DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(BANK3)\nALTER QMGR DEFXMITQ(WAY)\n\
         SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CONNECT,DSP)\n\
         SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('tester') AUTHADD(CONNECT)\n\
         SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) PRINCIPAL('tester') AUTHADD(PUT)\n\
         SET AUTHREC PROFILE('**') OBJTYPE(RQMNAME) PRINCIPAL('tester') AUTHADD(PUT)\n\
         SET AUTHREC OBJTYPE(QUEUE) PROFILE('@CLASS') PRINCIPAL('eve') AUTHADD(CRT)",
    );
    for (profile, rights) in [
        ("PERM", "ALL"),
        ("TEMP", "ALL"),
        ("FORWARDS", "ALL"),
        ("SYSTEM.DEFAULT.**", "DSP"),
        ("MINE", "DSP,CHG"),
    ] {
        bench.mqsc(&format!(
            "SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) PRINCIPAL('eve') AUTHADD({rights})"
        ));
    }
    bench
}

fn told(bench: &Bench, text: &str) -> Response {
    let issuer = Issuer { principal: principal("eve"), ..Issuer::default() };
    let command = &mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))[0];
    bench.open(bench.manager.execute_for(&issuer, command))
}

fn make(session: &mut Session, model: &str, name: &str) -> ObjectHandle {
    let object = ObjectDescriptor {
        dynamic_queue_name: Text::truncated(name),
        ..ObjectDescriptor::queue(model.parse().unwrap())
    };
    let opened = session.connection.open(&object, OpenOptions::INPUT_SHARED);
    open(&session.manager, opened).unwrap().handle
}

fn depth(bench: &Bench, queue: &str) -> String {
    let shown = bench.told(&format!("DISPLAY QLOCAL({queue}) CURDEPTH"));
    shown.split("CURDEPTH(").nth(1).and_then(|rest| rest.split(')').next()).unwrap().to_owned()
}

/// Puts for a queue of BANK3, by its name and by a definition.
fn put_both(bench: &Bench) {
    let mut session = bench.connect();
    let by_name = ObjectDescriptor {
        object_queue_manager_name: "BANK3".parse().unwrap(),
        ..ObjectDescriptor::queue("Q".parse().unwrap())
    };
    let by_definition = ObjectDescriptor::queue("FAR".parse().unwrap());
    for object in [by_name, by_definition] {
        let opened = session.connection.open(&object, OpenOptions::OUTPUT);
        let opened = open(&session.manager, opened).unwrap_or_else(|reason| panic!("{object:?}: {reason}"));
        session.try_put(opened.handle, &MessageDescriptor::default(), PutFlags::EMPTY, "pay").unwrap();
    }
}

#[test]
fn a_dynamic_queue_named_like_a_queue_manager_takes_none_of_its_messages() {
    for model in ["PERM", "TEMP", "FORWARDS"] {
        let bench = bench();
        let mut eve = bench.connect_user("eve");
        let handle = make(&mut eve, model, "BANK3");
        for text in ["ALTER QLOCAL(BANK3) USAGE(XMITQ)", "ALTER QLOCAL(BANK3) USAGE(XMITQ) FORCE"] {
            let refused = told(&bench, text);
            assert!(!refused.is_ok(), "{model}: {text}: {refused}");
            let refused = bench.refused(text);
            assert!(text.contains("FORCE") <= refused.contains("DEFINE another QLOCAL"), "{text}: {refused}");
        }
        put_both(&bench);
        assert_eq!((depth(&bench, "BANK3"), depth(&bench, "WAY")), ("0".into(), "2".into()), "{model}");
        let shown = bench.told("DISPLAY QLOCAL(BANK3) USAGE");
        assert!(shown.contains("USAGE(NORMAL)"), "{model}: {shown}");
        let _ = handle;
    }
}

#[test]
fn a_dynamic_queue_of_the_name_of_a_missing_transmission_queue_is_none() {
    let bench = bench();
    bench.mqsc("DEFINE QREMOTE(NAMED) RNAME(Q) RQMNAME(BANK4) XMITQ(GONE)");
    let mut eve = bench.connect_user("eve");
    make(&mut eve, "FORWARDS", "GONE");
    let mut session = bench.connect();
    assert_eq!(session.try_open("NAMED", OpenOptions::OUTPUT).unwrap_err(), Reason::XMIT_Q_USAGE_ERROR);
    bench.mqsc("ALTER QMGR DEFXMITQ(GONE)");
    assert_eq!(session.try_open("FAR", OpenOptions::OUTPUT).unwrap_err(), Reason::DEF_XMIT_Q_USAGE_ERROR);
}

#[test]
fn a_dynamic_queue_is_not_replaced_so_that_no_maker_keeps_rights_on_a_queue_of_others() {
    for model in ["PERM", "TEMP"] {
        let bench = bench();
        let mut eve = bench.connect_user("eve");
        let handle = make(&mut eve, model, "ORDERS.NEW");
        for text in [
            "DEFINE QLOCAL(ORDERS.NEW) REPLACE",
            "DEFINE QLOCAL(ORDERS.NEW) REPLACE USAGE(XMITQ)",
            "DEFINE QLOCAL(ORDERS.NEW) REPLACE LIKE(WAY)",
        ] {
            let refused = bench.refused(text);
            assert!(
                refused.contains("DELETE QLOCAL(ORDERS.NEW) first") || refused.contains("in use"),
                "{model}: {text}: {refused}"
            );
        }
        if model == "PERM" {
            let closed = eve.connection.close(handle, mqi::CloseOptions::EMPTY);
            open(&eve.manager, closed).unwrap();
            bench.mqsc("DELETE QLOCAL(ORDERS.NEW)\nDEFINE QLOCAL(ORDERS.NEW) REPLACE");
            let reason = eve.try_open("ORDERS.NEW", OpenOptions::BROWSE).unwrap_err();
            assert_eq!(reason, Reason::NOT_AUTHORIZED);
        }
    }
}

/// Each kind of object that eve may define by the name of a queue manager that is reached by default.
#[test]
fn an_object_of_the_name_of_a_queue_manager_stops_no_message_where_there_is_a_default_way() {
    for text in [
        "DEFINE QLOCAL(BANK3)",
        "DEFINE QALIAS(BANK3)",
        "DEFINE QMODEL(BANK3)",
        "DEFINE QREMOTE(BANK3) RNAME(MINE)",
    ] {
        let bench = bench();
        put_both(&bench);
        let defined = told(&bench, text);
        assert!(defined.is_ok(), "{text}: {defined}");
        put_both(&bench);
        assert_eq!(depth(&bench, "WAY"), "4", "{text}");
        // Without a default way the object that is there is named, as before.
        bench.mqsc("ALTER QMGR DEFXMITQ(' ')");
        let mut session = bench.connect();
        let reason = session.try_open("FAR", OpenOptions::OUTPUT).unwrap_err();
        assert!(
            [Reason::XMIT_Q_USAGE_ERROR, Reason::XMIT_Q_TYPE_ERROR].contains(&reason),
            "{text}: {reason}"
        );
    }
}

#[test]
fn a_transmission_queue_and_an_alias_go_before_the_default_way() {
    for text in ["DEFINE QLOCAL(BANK3) USAGE(XMITQ)", "DEFINE QREMOTE(BANK3) RQMNAME(QM7) XMITQ(OTHER)"] {
        let bench = bench();
        bench.mqsc(&format!("DEFINE QLOCAL(OTHER) USAGE(XMITQ)\n{text}"));
        let mut session = bench.connect();
        let by_name = ObjectDescriptor {
            object_queue_manager_name: "BANK3".parse().unwrap(),
            ..ObjectDescriptor::queue("Q".parse().unwrap())
        };
        let opened = session.connection.open(&by_name, OpenOptions::OUTPUT);
        let opened = open(&session.manager, opened).unwrap();
        session.try_put(opened.handle, &MessageDescriptor::default(), PutFlags::EMPTY, "pay").unwrap();
        assert_eq!(depth(&bench, "WAY"), "0", "{text}");
    }
}
