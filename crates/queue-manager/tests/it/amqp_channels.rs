//! Channels of AMQP clients, and the listeners that name them.

use std::sync::Arc;

use bytes::Bytes;
use mqi::{ObjectDescriptor, PutApplicationType, PutFlags, PutOptions};
use queue_manager::{ChannelRefusal, ConnectRequest};

use crate::support::*;

#[test]
fn an_amqp_channel_has_terms_that_its_definition_says() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE CHANNEL(A) CHLTYPE(AMQP) AMQPKA(7) MAXMSGL(1000) MCAUSER('app') TMPMODEL(M) TMPQPRFX('T.*') \
         AUTOMDL(Q.MODEL) AUTOPRF('DEV.*', 'ONE')",
    );
    let terms = bench.manager.logins().amqp_terms("A").unwrap();
    assert_eq!(
        (terms.silence_seconds_max, terms.message_bytes_max, terms.user.as_str()),
        (Some(7), Some(1000), "app")
    );
    assert_eq!(bench.manager.logins().channel_user("A"), "app", "the user that a login by it acts as");
    assert_eq!((terms.temporary_model.as_str(), terms.temporary_prefix.as_str()), ("M", "T.*"));
    let model = |queue: &str| terms.model_for(&queue.parse().unwrap());
    for (queue, is_made) in [("DEV.Q", true), ("ONE", true), ("ONE.MORE", false), ("PROD.Q", false)] {
        assert_eq!(model(queue).map(|model| model.to_string()), is_made.then(|| "Q.MODEL".to_owned()));
    }
    bench.mqsc("ALTER CHANNEL(A) CHLTYPE(AMQP) AMQPKA(AUTO) AUTOMDL(' ') MAXMSGL(0)");
    let terms = bench.manager.logins().amqp_terms("A").unwrap();
    assert_eq!((terms.silence_seconds_max, terms.message_bytes_max), (None, None));
    assert_eq!(terms.model_for(&"DEV.Q".parse().unwrap()), None);
    assert!(bench.manager.channels().cover("A").is_some_and(|cover| cover.terms.is_ok()));
    assert!(matches!(bench.manager.logins().amqp_terms("NO"), Err(ChannelRefusal::Unknown { .. })));
    let refused = bench.manager.logins().amqp_terms("SYSTEM.DEF.SVRCONN").unwrap_err();
    assert!(refused.to_string().contains("a client comes by one with CHLTYPE(AMQP)"), "{refused}");
    let refused = bench.manager.logins().client_terms("A").unwrap_err();
    assert!(refused.to_string().contains("has CHLTYPE(AMQP)"), "{refused}");
}

#[test]
fn a_listener_names_the_channel_of_its_amqp_clients() {
    let bench = Bench::new();
    bench.mqsc("DEFINE LISTENER(L) TRPTYPE(TCP) AMQPCHL(A)");
    let shown = bench.told("DISPLAY LISTENER(L) AMQPCHL");
    assert!(shown.contains("AMQPCHL(A)"), "{shown}");
    bench.mqsc("ALTER LISTENER(L) TRPTYPE(TCP) AMQPCHL(' ')");
    let shown = bench.told("DISPLAY LISTENER(L) AMQPCHL");
    assert!(shown.contains("AMQPCHL( )"), "{shown}");
}

#[test]
fn instances_of_amqp_channels_are_counted_shown_and_stopped() {
    let bench = Bench::new();
    bench.mqsc("DEFINE CHANNEL(A) CHLTYPE(AMQP) MAXINST(2) AMQPKA(9)\nDEFINE CHANNEL(S) CHLTYPE(SVRCONN)");
    let (channel, of_clients) = ("A".parse().unwrap(), "S".parse().unwrap());
    let begin = |identifier: &str| {
        bench.manager.channels().begin_instance(channel, &client("tcp 127.0.0.1:1", identifier))
    };
    let one = begin("first").unwrap().unwrap();
    let two = begin("second").unwrap().unwrap();
    let _native =
        bench.manager.channels().begin_instance(of_clients, &client("tcp 127.0.0.1:2", "")).unwrap();
    assert!(begin("third").is_err(), "MAXINST");
    drop(two);
    let shown = bench.told("DISPLAY CHSTATUS(*) CHLTYPE(AMQP) ALL");
    for expected in ["CHLTYPE(AMQP)", "CLIENTID(first)", "AMQPKA(9)", "STATUS(RUNNING)", "MCAUSER(app)"] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    assert!(!shown.contains("CHANNEL(S)") && !shown.contains("second"), "{shown}");
    let shown = bench.told("DISPLAY CHSTATUS(*) CHLTYPE(SVRCONN) ALL");
    assert!(shown.contains("CHANNEL(S)") && !shown.contains("CLIENTID"), "{shown}");
    let shown = bench.told("DISPLAY CHSTATUS(*) WHERE(CLIENTID EQ 'first')");
    assert!(shown.contains("CHANNEL(A)") && !shown.contains("CHANNEL(S)"), "{shown}");
    bench.mqsc("STOP CHANNEL(A)");
    assert!(one.is_ended());
    assert!(begin("fourth").is_err(), "it is stopped");
    drop(one);
    bench.mqsc("START CHANNEL(A)");
    assert!(begin("fifth").unwrap().is_some());
}

#[test]
fn units_beside_a_connection_are_counted_where_it_is_shown() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let unit = one.connection.open_unit().unwrap();
    let command = format!("DISPLAY CONN({:016X}) UNITS UOWSTATE", one.connection.identifier());
    let shown = bench.told(&command);
    assert!(shown.contains("UNITS(1)") && shown.contains("UOWSTATE(NONE)"), "{shown}");
    drop(unit);
    assert!(bench.told(&command).contains("UNITS(0)"));
}

#[test]
fn messages_of_an_amqp_session_say_where_they_come_from() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let request = ConnectRequest {
        accounting: mqi::AccountingChoice::default(),
        application: "prog".to_owned(),
        origin: "tcp 127.0.0.1:1".to_owned(),
        channel: "A".parse().unwrap(),
        process: 0,
        instance: [0; 16],
        generation: 0,
        principal: principal("app"),
        completions: Arc::new(Outcomes::default()),
    };
    let mut session = bench.open(bench.manager.connect_amqp(request)).unwrap();
    let put = session.put1(
        &ObjectDescriptor::queue("Q".parse().unwrap()),
        &message(true),
        &PutOptions::with(PutFlags::NO_SYNCPOINT),
        Bytes::from_static(b"m"),
    );
    let put = bench.open(put).unwrap();
    assert_eq!(put.descriptor.put_application_type, PutApplicationType::AMQP);
    let shown = bench.told(&format!("DISPLAY CONN({:016X}) CHANNEL USERID", session.identifier()));
    assert!(shown.contains("CHANNEL(A)") && shown.contains("USERID(app)"), "{shown}");
}
