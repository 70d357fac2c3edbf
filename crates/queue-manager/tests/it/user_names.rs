//! Names of users that no record can mean: acted for by nobody, and proposed in no command.

use bytes::Bytes;
use mqi::{
    MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Reason, SubscribeOptions,
    SubscriptionDescriptor, Text,
};
use objects::mqsc;
use queue_manager::{Identity, Issuer, LoginReport, Principal};

use crate::support::{Bench, OUTPUT, open};

/// Names with a letter that ends a line, moves a cursor, turns text or is not seen.
const HARMFUL: [&str; 6] =
    ["a\nallowed", "\u{1b}[2J", "a\u{9b}2J", "\u{202e}nimda", "ad\u{200f}a", "ad\u{61c}a"];

/// A queue manager on which everybody may put to PAY.IN and subscribe.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(PAY.IN)\nDEFINE QLOCAL(PAY.OUT)\nDEFINE TOPIC(TOP) TOPICSTR('top')");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('clerk') AUTHADD(ALTUSR)");
    bench.mqsc("SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(PUT)");
    bench.mqsc("SET AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) GROUP('nobody') AUTHADD(SUB)");
    bench
}

#[test]
fn nobody_acts_for_a_user_whose_name_no_record_can_mean() {
    let bench = bench();
    let root = Principal::administrator("root", Identity::Kernel).unwrap();
    let clerk = Principal::new("clerk", Identity::Proved).unwrap();
    for principal in [root, clerk] {
        let mut session = bench.try_connect_by(principal, [0; 16], 0).unwrap();
        let mut outcomes = |user: &str| {
            let object = ObjectDescriptor {
                alternate_user_identifier: Text::truncated(user),
                ..ObjectDescriptor::queue("PAY.IN".parse().unwrap())
            };
            let opened = session.connection.open(&object, OUTPUT | OpenOptions::ALTERNATE_USER_AUTHORITY);
            let opened = open(&bench.manager, opened).map(drop);
            let flags = PutFlags::ALTERNATE_USER_AUTHORITY | PutFlags::NO_SYNCPOINT;
            let (descriptor, options) = (MessageDescriptor::default(), PutOptions::with(flags));
            let put = session.connection.put1(&object, &descriptor, &options, Bytes::from_static(b"x"));
            let put = open(&bench.manager, put).map(drop);
            let options = SubscribeOptions::CREATE
                | SubscribeOptions::MANAGED
                | SubscribeOptions::ALTERNATE_USER_AUTHORITY;
            let wanted = SubscriptionDescriptor {
                alternate_user_identifier: Text::truncated(user),
                ..SubscriptionDescriptor::to("top", options)
            };
            let subscribed = open(&bench.manager, session.connection.subscribe(&wanted, None)).map(drop);
            [opened, put, subscribed]
        };
        assert_eq!(outcomes("eve"), [Ok(()), Ok(()), Ok(())], "everybody may");
        for name in HARMFUL {
            assert_eq!(outcomes(name), [Err(Reason::NOT_AUTHORIZED); 3], "{name:?}");
        }
    }
    assert!(bench.host.refusals.lock().iter().all(|refusal| !refusal.options.contains(char::is_control)));
}

#[test]
fn a_refusal_of_a_name_that_no_record_can_mean_proposes_no_command() {
    let bench = bench();
    let remedy = |user: &str| {
        let principal = Principal::of_message(Text::truncated(user));
        let mut session = bench.try_connect_by(principal, [0; 16], 0).unwrap();
        session.try_open("PAY.OUT", OUTPUT).unwrap_err();
        bench.host.refusals.lock().pop().unwrap().explanation.expect("the records decided").remedy
    };
    for name in HARMFUL.into_iter().chain(["*", "*MQADMIN", "../x"]) {
        assert_eq!(remedy(name), None, "{name:?}");
    }
    for name in ["", "nobody"] {
        assert_eq!(remedy(name), None, "a record of nobody is one for everybody");
    }
    for name in ["ada", "x')GROUP('y", "it's", "a)AUTHADD(A"] {
        let command = remedy(name).expect("a record allows it");
        let commands = mqsc::parse(&command).unwrap_or_else(|error| panic!("{command}: {error}"));
        assert_eq!(commands.len(), 1, "{command}");
        bench.mqsc(&command);
        let principal = Principal::of_message(Text::truncated(name));
        let mut session = bench.try_connect_by(principal, [0; 16], 0).unwrap();
        assert!(session.try_open("PAY.OUT", OUTPUT).is_ok(), "{command}");
    }
}

#[test]
fn a_record_for_a_name_that_no_user_has_is_refused_however_it_comes() {
    let bench = bench();
    for name in ["*", "*MQADMIN", "../x", "a\u{202e}b"] {
        for text in [
            format!("SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) PRINCIPAL('{name}') AUTHADD(GET)"),
            format!("SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) GROUP('{name}') AUTHADD(GET)"),
            format!("SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(MAP) MCAUSER('{name}')"),
        ] {
            let refused = match mqsc::parse(&text) {
                Err(_) => true,
                Ok(commands) => {
                    let issuer = Issuer::default();
                    !bench.open(bench.manager.execute_for(&issuer, &commands[0])).is_ok()
                }
            };
            assert!(refused, "{text}");
        }
    }
    let listed = "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN','eve')";
    bench.mqsc(&format!("{listed} ACTION(REPLACE)"));
    bench.refused("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*') ACTION(REPLACE)");
}

#[test]
fn a_display_warns_of_rules_and_passwords_that_are_off_once_requests_are_judged() {
    let warned = |bench: &Bench, text: &str| {
        let told = bench.told(text);
        ["FRY5030W", "FRY5031W"].map(|id| told.matches(id).count())
    };
    let open = "ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')";
    let bench = Bench::new();
    bench.mqsc(open);
    assert_eq!(warned(&bench, "DISPLAY QMGR CHLAUTH"), [0, 0], "nothing is judged yet");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    for text in ["DISPLAY QMGR CHLAUTH", "DISPLAY QLOCAL(*)", "DISPLAY CONN(*)", "DISPLAY CHLAUTH(*)"] {
        assert_eq!(warned(&bench, text), [1, 1], "{text}");
    }
    bench.mqsc("ALTER QMGR CHLAUTH(ENABLED)");
    assert_eq!(warned(&bench, "DISPLAY QMGR CHLAUTH"), [0, 1]);
    bench.mqsc("ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)");
    assert_eq!(warned(&bench, "DISPLAY QMGR CHLAUTH"), [0, 0]);
}

#[test]
fn a_refused_login_is_recorded_without_a_letter_that_harms_whatever_the_stranger_sent() {
    let bench = bench();
    for (user, shown) in [
        ("", String::new()),
        ("a", "a".to_owned()),
        ("abcdefghijkl", "abcdefghijkl".to_owned()),
        ("\n\u{1b}[2J\"')\u{202e}", "\\n\\u{1b}[2J\"')\\u{202e}".to_owned()),
        (&"x".repeat(65), "x".repeat(64)),
        (&"\u{9b}".repeat(4_000), "\\u{9b}".repeat(64)[..64].to_owned()),
        (&"é".repeat(4_000), "é".repeat(32)),
    ] {
        let report = LoginReport {
            user: user.to_owned(),
            channel: user.to_owned(),
            certificate: user.to_owned(),
            cause: user.to_owned(),
            ..LoginReport::default()
        };
        bench.manager.logins().refuse(&report, Reason::NOT_AUTHORIZED);
        let refusal = bench.host.refusals.lock().pop().unwrap();
        assert_eq!(refusal.user.name(), shown);
        let login = refusal.login.unwrap();
        let told = [refusal.object, refusal.options, login.origin, login.cause].concat();
        assert!(!told.contains(security::letters::is_harmful), "{told:?}");
    }
}
