//! Programs that would be refused, named by what has logins judged.

use mqi::constants::{
    MQAUTH_CONNECT, MQCACF_PRINCIPAL_ENTITY_NAMES, MQCMD_SET_AUTH_REC, MQIACF_AUTH_ADD_AUTHS,
    MQIACF_OBJECT_TYPE, MQOT_Q_MGR,
};
use objects::pcf::{self, Content, Header, Parameter};

use crate::support::Bench;

const REFUSED: Result<&str, &str> = Err("a rule");

/// The number of refused programs that a command names, and that the error log has of it.
fn named(bench: &Bench, command: &str) -> (usize, usize) {
    let in_log = || bench.host.events.lock().iter().filter(|event| event.starts_with("FRY5075W")).count();
    let before = in_log();
    let told = bench.told(command);
    (told.matches("FRY5075W").count(), in_log() - before)
}

#[test]
fn the_first_record_names_programs_that_lack_the_right_to_connect_and_no_others() {
    let bench = Bench::new();
    bench.host.logins.lock().extend([("A", Ok("ada")), ("A", Ok("bob")), ("B", Ok("root")), ("B", REFUSED)]);
    bench.host.administrators.lock().push("root");
    let told = bench.told("DISPLAY AUTHSERV");
    assert_eq!(told.matches("from the first user, key or authority record on").count(), 4, "{told}");
    let first = "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT)";
    assert_eq!(named(&bench, first), (3, 3), "all but ada, whose record it is");
    assert_eq!(named(&bench, "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob') AUTHADD(DSP)"), (0, 0), "once");
    let told = bench.told("DISPLAY AUTHSERV");
    assert!(told.contains("program bob would be refused when it connects again"), "{told}");
    assert!(told.contains("it is allowed by SET AUTHREC"), "{told}");
}

#[test]
fn the_first_record_names_them_in_the_error_log_when_a_program_sets_it_by_a_message() {
    let bench = Bench::new();
    bench.host.logins.lock().extend([("A", Ok("ada")), ("A", Ok("bob"))]);
    let parameters = vec![
        Parameter::integer(MQIACF_OBJECT_TYPE, MQOT_Q_MGR),
        Parameter::new(MQCACF_PRINCIPAL_ENTITY_NAMES, Content::Texts(vec!["ada".to_owned()])),
        Parameter::integer(MQIACF_AUTH_ADD_AUTHS, MQAUTH_CONNECT),
    ];
    let message = pcf::Message { header: Header::command(MQCMD_SET_AUTH_REC), parameters };
    let request = pcf::request(&message).unwrap();
    let pcf::Request::Command(command) = &request else { panic!("{request:?}") };
    let response = bench.open(bench.manager.execute(command));
    let answers = pcf::responses(MQCMD_SET_AUTH_REC, &request, &response);
    assert_eq!(answers.iter().map(|answer| answer.header.reason).collect::<Vec<_>>(), [0], "{response}");
    let events = bench.host.events.lock();
    let told: Vec<&String> = events.iter().filter(|event| event.starts_with("FRY5075W")).collect();
    assert!(told.len() == 1 && told[0].contains("program bob"), "{told:?}");
}

#[test]
fn a_user_or_a_key_names_them_in_the_error_log() {
    let bench = Bench::new();
    bench.host.logins.lock().push(("A", Ok("ada")));
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    let events = bench.host.events.lock();
    let told: Vec<&String> = events.iter().filter(|event| event.starts_with("FRY5075W")).collect();
    assert!(told.len() == 1 && told[0].contains("program ada"), "{told:?}");
}

#[test]
fn a_rule_names_programs_of_its_channels_and_another_check_those_of_all() {
    let bench = Bench::new();
    bench.host.logins.lock().extend([("APP.ONE", REFUSED), ("APP.TWO", REFUSED), ("OTHER", REFUSED)]);
    let rule = |profile: &str| {
        format!("SET CHLAUTH('{profile}') TYPE(ADDRESSMAP) ADDRESS('192.0.2.7') USERSRC(NOACCESS)")
    };
    assert_eq!(named(&bench, &rule("APP.*")), (2, 2));
    assert_eq!(named(&bench, &rule("NONE")), (0, 0));
    assert_eq!(named(&bench, "ALTER QMGR CHLAUTH(DISABLED)"), (3, 3));
    assert_eq!(named(&bench, "ALTER QMGR DESCR('no login is judged otherwise')"), (0, 0));
    let check = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED)";
    assert_eq!(named(&bench, check), (3, 3));
}

#[test]
fn twenty_are_named_and_the_rest_counted() {
    let bench = Bench::new();
    bench.host.logins.lock().extend(vec![("A", REFUSED); 1_000]);
    let told = bench.told("DISPLAY AUTHSERV");
    assert_eq!(told.matches("FRY5075W").count(), 20);
    assert!(told.contains("FRY5076W") && told.contains("980"), "{told}");
}
