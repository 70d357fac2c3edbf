//! Channel authentication records: commands in both forms, what survives, and the verdict on a login.

use std::time::Duration;

use mqi::constants::*;
use objects::pcf::{self, Content, Header, Message, Parameter};
use objects::{Response, Row, mqsc};
use platform::simulated::Survival;
use storage::Lsn;

use crate::support::*;

impl Bench {
    /// The answer to a command, and the position that it waits for.
    fn answered(&self, text: &str) -> (Lsn, Response) {
        let commands = mqsc::parse(text).unwrap_or_else(|errors| panic!("{errors}"));
        let gated = self.manager.execute(&commands[0]);
        (gated.need(), self.open(gated))
    }

    /// The records that a question finds, a line each: the values of these keywords.
    fn records(&self, question: &str, keywords: &[&str]) -> Vec<String> {
        let value = |row: &Row, keyword: &&str| {
            let field = row.fields.iter().find(|field| field.attribute.keyword == *keyword);
            field.map(|field| field.value.shown(field.attribute)).unwrap_or_default()
        };
        let rows = self.answered(question).1.rows;
        rows.iter()
            .map(|row| keywords.iter().map(|keyword| value(row, keyword)).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// The answer to a message of a program: the reason, and the parameters of each answer.
    fn asked(&self, command: i32, parameters: Vec<Parameter>) -> (i32, Vec<Vec<Parameter>>) {
        let message = Message { header: Header::command(command), parameters };
        let request = match pcf::request(&message) {
            Ok(request) => request,
            Err(refusal) => return (refusal.reason, Vec::new()),
        };
        let pcf::Request::Command(asked) = &request else { panic!("{request:?} is no command") };
        let response = self.open(self.manager.execute(asked));
        let answers = pcf::responses(command, &request, &response);
        (answers[0].header.reason, answers.into_iter().map(|answer| answer.parameters).collect())
    }
}

const WHOLE: [&str; 6] = ["CHLAUTH", "TYPE", "ADDRESS", "USERLIST", "USERSRC", "MCAUSER"];

#[test]
fn a_new_queue_manager_has_the_records_that_close_what_none_opens() {
    let bench = Bench::new();
    assert_eq!(
        bench.records("DISPLAY CHLAUTH(*)", &WHOLE[..5]),
        [
            "* BLOCKUSER  *MQADMIN ",
            "* ADDRESSMAP *  NOACCESS",
            "SYSTEM.* ADDRESSMAP *  NOACCESS",
            "SYSTEM.ADMIN.SVRCONN ADDRESSMAP *  CHANNEL",
            "SYSTEM.DEF.SVRCONN ADDRESSMAP ::1  CHANNEL",
            "SYSTEM.DEF.SVRCONN ADDRESSMAP 127.0.0.1  CHANNEL",
        ]
    );
}

#[test]
fn each_action_changes_the_records_as_it_says() {
    let bench = Bench::new();
    let shown = || bench.records("DISPLAY CHLAUTH('APP.*') ALL", &WHOLE);
    bench.told("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*') MCAUSER(app)");
    assert_eq!(shown(), ["APP.* ADDRESSMAP 10.1.*  MAP APP"]);
    // The same once more is no fault, whatever its description; the one that is there stays.
    for again in ["", "DESCR('again') ", "ACTION(ADD) USERSRC(MAP) "] {
        let text = format!("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*.*') {again}MCAUSER(app)");
        bench.told(&text);
        assert_eq!(shown(), ["APP.* ADDRESSMAP 10.1.*  MAP APP"], "{text}");
    }
    // Another one for the same partner is refused, by whatever text it comes; to replace it is not.
    for other in ["MCAUSER(other)", "USERSRC(CHANNEL)", "MCAUSER(app) CHCKCLNT(REQUIRED)"] {
        let text = format!("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*') {other}");
        assert!(bench.refused(&text).contains("ACTION(REPLACE)"), "{text}");
    }
    let again = bench.refused("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*.*') USERSRC(NOACCESS)");
    assert!(again.contains("ACTION(REPLACE)"), "{again}");
    bench.told("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*.*') USERSRC(NOACCESS) ACTION(REPLACE)");
    assert_eq!(shown(), ["APP.* ADDRESSMAP 10.1.*.*  NOACCESS "]);
    bench.told("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*') ACTION(REMOVE)");
    assert_eq!(shown(), [""; 0]);
    let gone = bench.refused("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.1.*') ACTION(REMOVE)");
    assert!(gone.contains("no such record"), "{gone}");
    // Lists grow and shrink, and go with their last entry.
    bench.told("SET CHLAUTH('APP.*') TYPE(BLOCKUSER) USERLIST(one,two)");
    bench.told("SET CHLAUTH('APP.*') TYPE(BLOCKUSER) USERLIST(two,three)");
    assert_eq!(shown(), ["APP.* BLOCKUSER  ONE,TWO,THREE  "]);
    bench.refused("SET CHLAUTH('APP.*') TYPE(BLOCKUSER) USERLIST(four) ACTION(REMOVE)");
    bench.told("SET CHLAUTH('APP.*') TYPE(BLOCKUSER) USERLIST(one,three) ACTION(REMOVE)");
    assert_eq!(shown(), ["APP.* BLOCKUSER  TWO  "]);
    bench.told("SET CHLAUTH('APP.*') TYPE(BLOCKUSER) USERLIST(two) ACTION(REMOVE)");
    assert_eq!(shown(), [""; 0]);
    // Everything of a type for a profile, and of no other.
    for address in ["10.*", "11.*", "12.*"] {
        bench.told(&format!("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('{address}') USERSRC(CHANNEL)"));
    }
    bench.told("SET CHLAUTH('APP.*') TYPE(USERMAP) CLNTUSER(x) MCAUSER(y)");
    bench.refused("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.*') ACTION(REMOVEALL)");
    bench.told("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ACTION(REMOVEALL)");
    assert_eq!(shown(), ["APP.* USERMAP   MAP Y"]);
    bench.told("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ACTION(REMOVEALL)");
    assert_eq!(bench.records("DISPLAY CHLAUTH(*)", &["CHLAUTH"]).len(), 7);
}

#[test]
fn a_record_that_cannot_be_is_refused_with_its_reason_and_changes_nothing() {
    let bench = Bench::new();
    let before = bench.records("DISPLAY CHLAUTH(*) ALL", &WHOLE);
    let text = |number, text: &str| Parameter::text(number, text);
    let address = |value: &str| text(MQCACH_CONNECTION_NAME, value);
    let number = Parameter::integer;
    let user = || text(MQCACH_MCA_USER_ID, "app");
    let list = |number, entries: &[&str]| {
        Parameter::new(number, Content::Texts(entries.iter().map(|entry| (*entry).to_owned()).collect()))
    };
    for (profile, rule_type, parameters, expected) in [
        ("A", MQCAUT_ADDRESSMAP, vec![user()], MQRCCF_IPADDR_ERROR),
        ("A", MQCAUT_ADDRESSMAP, vec![address("1.2.3.300"), user()], MQRCCF_IPADDR_ERROR),
        ("A", MQCAUT_ADDRESSMAP, vec![address("1.2.3.8-1"), user()], MQRCCF_IPADDR_RANGE_ERROR),
        ("A", MQCAUT_ADDRESSMAP, vec![address("host.example"), user()], MQRCCF_IPADDR_ERROR),
        ("A", MQCAUT_ADDRESSMAP, vec![address("*")], MQRCCF_CHLAUTH_USERSRC_ERROR),
        (
            "A",
            MQCAUT_BLOCKADDR,
            vec![list(MQCACH_CONNECTION_NAME_LIST, &["10.*"])],
            MQRCCF_CHLAUTH_NAME_ERROR,
        ),
        ("*", MQCAUT_BLOCKADDR, vec![], MQRCCF_CHLAUTH_MAX_EXCEEDED),
        ("A", MQCAUT_USERMAP, vec![text(MQCACH_CLIENT_USER_ID, "a*"), user()], MQRCCF_CHLAUTH_CLNTUSER_ERROR),
        ("A", MQCAUT_USERMAP, vec![user()], MQRCCF_PARM_MISSING),
        ("A", MQCAUT_SSLPEERMAP, vec![text(MQCACH_SSL_PEER_NAME, "CN"), user()], MQRCCF_SSL_PEER_NAME_ERROR),
        ("A", MQCAUT_USERMAP, vec![text(MQCACH_SSL_PEER_NAME, "CN=a"), user()], MQRCCF_PARM_CONFLICT),
        (
            "A",
            MQCAUT_ADDRESSMAP,
            vec![address("*"), user(), number(MQIACH_USER_SOURCE, MQUSRC_NOACCESS)],
            MQRCCF_PARM_CONFLICT,
        ),
        (
            "A",
            MQCAUT_ADDRESSMAP,
            vec![address("*"), user(), number(MQIACH_WARNING, MQWARN_YES)],
            MQRCCF_CHLAUTH_WARN_ERROR,
        ),
        (
            "A",
            MQCAUT_ADDRESSMAP,
            vec![
                address("*"),
                number(MQIACH_USER_SOURCE, MQUSRC_NOACCESS),
                number(MQIA_CHECK_CLIENT_BINDING, MQCHK_REQUIRED),
            ],
            MQRCCF_CHLAUTH_CHKCLI_ERROR,
        ),
        ("A", 99, vec![], MQRCCF_CHLAUTH_TYPE_ERROR),
        ("A", MQCAUT_ADDRESSMAP, vec![number(MQIACF_ACTION, 99)], MQRCCF_CHLAUTH_ACTION_ERROR),
        (
            "A",
            MQCAUT_ADDRESSMAP,
            vec![number(MQIACF_ACTION, MQACT_REMOVE), address("9.9.9.9")],
            MQRCCF_CHLAUTH_NOT_FOUND,
        ),
        (
            "*",
            MQCAUT_ADDRESSMAP,
            vec![address("*"), number(MQIACH_USER_SOURCE, MQUSRC_CHANNEL)],
            MQRCCF_CHLAUTH_ALREADY_EXISTS,
        ),
    ] {
        let shown = format!("{profile} {rule_type} {parameters:?}");
        let mut all = vec![text(MQCACH_CHANNEL_NAME, profile), number(MQIACF_CHLAUTH_TYPE, rule_type)];
        all.extend(parameters);
        assert_eq!(bench.asked(MQCMD_SET_CHLAUTH_REC, all).0, expected, "{shown}");
    }
    bench.told("SET CHLAUTH(R) TYPE(ADDRESSMAP) ADDRESS('10.0.0.1-20') USERSRC(CHANNEL)");
    let crossing = "SET CHLAUTH(R) TYPE(ADDRESSMAP) ADDRESS('10.0.0.10-30') USERSRC(NOACCESS)";
    assert!(bench.refused(crossing).contains("overlaps 10.0.0.1-20"));
    bench.told("SET CHLAUTH(R) TYPE(ADDRESSMAP) ACTION(REMOVEALL)");
    assert_eq!(bench.records("DISPLAY CHLAUTH(*) ALL", &WHOLE), before);
}

#[test]
fn records_come_and_go_in_binary_form_as_in_text() {
    let bench = Bench::new();
    let name = |text: &str| Parameter::text(MQCACH_CHANNEL_NAME, text);
    let list = Content::Texts(vec!["alice".to_owned(), "Bob".to_owned()]);
    let set = vec![
        name("PAY.*"),
        Parameter::integer(MQIACF_CHLAUTH_TYPE, MQCAUT_BLOCKUSER),
        Parameter::new(MQCACH_MCA_USER_ID_LIST, list.clone()),
        Parameter::text(MQCA_CHLAUTH_DESC, "not these"),
    ];
    assert_eq!(bench.asked(MQCMD_SET_CHLAUTH_REC, set), (0, vec![vec![]]));
    assert_eq!(bench.records("DISPLAY CHLAUTH('PAY.*')", &["USERLIST"]), ["alice,Bob"]);
    let (reason, answers) = bench.asked(MQCMD_INQUIRE_CHLAUTH_RECS, vec![name("PAY.*")]);
    assert_eq!((reason, answers.len()), (0, 1));
    for parameter in [
        name("PAY.*"),
        Parameter::integer(MQIACF_CHLAUTH_TYPE, MQCAUT_BLOCKUSER),
        Parameter::new(MQCACH_MCA_USER_ID_LIST, list),
        Parameter::text(MQCA_CHLAUTH_DESC, "not these"),
    ] {
        assert!(answers[0].contains(&parameter), "{parameter:?} in {:?}", answers[0]);
    }
    let is_of_map = |parameter: &Parameter| parameter.identifier == MQIACH_USER_SOURCE;
    assert!(!answers[0].iter().any(is_of_map), "a list maps nobody: {:?}", answers[0]);
    let of_type = Parameter::integer(MQIACF_CHLAUTH_TYPE, MQCAUT_BLOCKUSER);
    let (_, answers) = bench.asked(MQCMD_INQUIRE_CHLAUTH_RECS, vec![name("*"), of_type]);
    assert_eq!(answers.len(), 2, "{answers:?}");
    let of_exactly = Parameter::integer(MQIACH_MATCH, MQMATCH_EXACT);
    let (_, answers) = bench.asked(MQCMD_INQUIRE_CHLAUTH_RECS, vec![name("*"), of_exactly]);
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(bench.asked(MQCMD_INQUIRE_CHLAUTH_RECS, vec![name("NONE")]).0, MQRCCF_CHLAUTH_NOT_FOUND);
}

#[test]
fn a_question_finds_the_records_that_its_match_means() {
    let bench = Bench::new();
    for profile in ["ABC", "ABC*", "ABCD", "A*"] {
        bench.told(&format!("SET CHLAUTH('{profile}') TYPE(USERMAP) CLNTUSER(x) MCAUSER(y)"));
    }
    for (question, expected) in [
        ("('ABC*')", vec!["ABC", "ABC*", "ABCD"]),
        ("('ABC*') MATCH(GENERIC)", vec!["ABC", "ABC*", "ABCD"]),
        ("('ABC*') MATCH(EXACT)", vec!["ABC*"]),
        ("(ABC) MATCH(EXACT)", vec!["ABC"]),
        ("(ABC) MATCH(GENERIC)", vec!["ABC"]),
        ("(ABCX) MATCH(ALL) TYPE(USERMAP)", vec!["A*", "ABC*"]),
        ("(*) TYPE(BLOCKUSER)", vec!["*"]),
        ("(*) TYPE(USERMAP) WHERE(CHLAUTH LK 'ABC*')", vec!["ABC", "ABC*", "ABCD"]),
        ("(*) WHERE(CLNTUSER EQ X)", vec!["A*", "ABC", "ABC*", "ABCD"]),
    ] {
        let mut found = bench.records(&format!("DISPLAY CHLAUTH{question}"), &["CHLAUTH"]);
        found.sort();
        assert_eq!(found, expected, "{question}");
    }
}

#[test]
fn records_are_logged_like_definitions_and_survive_what_a_crash_leaves() {
    for checkpoint in [false, true] {
        let bench = Bench::new();
        let durable = bench.manager.durable().lsn();
        let (need, _) = bench.answered("SET CHLAUTH(A) TYPE(BLOCKUSER) USERLIST(one,two)");
        assert!(need > durable, "the answer waits for its record");
        let (asked, _) = bench.answered("DISPLAY CHLAUTH(*)");
        assert!(asked >= need, "what is shown waits for the last change");
        bench.told("SET CHLAUTH(B) TYPE(ADDRESSMAP) ADDRESS('10.*') MCAUSER(app) DESCR('ours')");
        bench.told("SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('10.*') MCAUSER(app)");
        bench.told("SET CHLAUTH(A) TYPE(BLOCKUSER) USERLIST(one) ACTION(REMOVE)");
        bench.told("SET CHLAUTH(C) TYPE(ADDRESSMAP) ACTION(REMOVEALL)");
        // A default that was taken away does not come back.
        bench.told("SET CHLAUTH('SYSTEM.ADMIN.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)");
        if checkpoint {
            bench.pass(Duration::from_secs(61));
            assert!(bench.run_jobs() > 0);
        }
        let before = bench.records("DISPLAY CHLAUTH(*) ALL", &WHOLE);
        assert_eq!(before.len(), 7);
        let bench = bench.crash(Survival::Nothing);
        assert_eq!(bench.records("DISPLAY CHLAUTH(*) ALL", &WHOLE), before, "checkpoint {checkpoint}");
        let rules = bench.manager.logins().channel_rules().expect("CHLAUTH is ENABLED");
        assert_eq!(rules.rules().records().len(), before.len());
        bench.told("SET CHLAUTH(A) TYPE(BLOCKUSER) USERLIST(two) ACTION(REMOVE)");
        assert_eq!(bench.records("DISPLAY CHLAUTH(*)", &WHOLE).len(), 6);
    }
}

#[test]
fn run_check_says_which_record_decides_and_the_user_that_a_login_acts_as() {
    let bench = Bench::new();
    bench.mqsc("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) MCAUSER('service')");
    bench.told("SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)");
    bench.told("SET CHLAUTH(APP) TYPE(ADDRESSMAP) ADDRESS('10.1.1.1') USERSRC(NOACCESS)");
    bench.told("SET CHLAUTH(APP) TYPE(USERMAP) CLNTUSER('kim') MCAUSER('payroll')");
    bench.told("SET CHLAUTH(APP) TYPE(SSLPEERMAP) SSLPEER('CN=app*') MCAUSER('certified')");
    bench.told("SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('192.168.*')");
    bench.told("SET CHLAUTH(APP) TYPE(BLOCKUSER) USERLIST('certified2')");
    for (login, verdict, record) in [
        ("ADDRESS('10.2.2.2') CLNTUSER('x')", "as user service", "APP ADDRESSMAP 10.*"),
        ("ADDRESS('10.1.1.1') CLNTUSER('x')", "USERSRC(NOACCESS)", "APP ADDRESSMAP 10.1.1.1"),
        ("ADDRESS('10.1.1.1') CLNTUSER('kim')", "as user payroll", "APP USERMAP "),
        ("ADDRESS('9.9.9.9') CLNTUSER('x')", "USERSRC(NOACCESS)", "* ADDRESSMAP *"),
        ("ADDRESS('9.9.9.9') CLNTUSER('kim') SSLPEER('CN=app1')", "as user certified", "APP SSLPEERMAP "),
        ("ADDRESS('192.168.7.7') CLNTUSER('kim')", "TYPE(BLOCKADDR)", "* BLOCKADDR "),
        ("ADDRESS('::ffff:192.168.7.7') CLNTUSER('kim')", "TYPE(BLOCKADDR)", "* BLOCKADDR "),
    ] {
        let question = format!("DISPLAY CHLAUTH(APP) MATCH(RUNCHECK) {login}");
        let text = bench.told(&question);
        assert!(text.contains(verdict), "{login}: {text}");
        assert_eq!(bench.records(&question, &["CHLAUTH", "TYPE", "ADDRESS"]), [record], "{login}");
    }
    for (login, expected) in [
        ("CLNTUSER('x')", "needs ADDRESS"),
        ("ADDRESS('10.2.2.2')", "CLNTUSER or QMNAME"),
        ("ADDRESS('10.*') CLNTUSER('x')", "without * and ranges"),
        ("ADDRESS('host.example') CLNTUSER('x')", "without * and ranges"),
        ("ADDRESS('10.2.2.2') CLNTUSER('x*')", "without * and ranges"),
        ("ADDRESS('10.2.2.2') CLNTUSER('x') TYPE(USERMAP)", "leave TYPE out"),
        ("ADDRESS('10.2.2.2') CLNTUSER('x') SSLPEER('CN=a*')", "without * and ranges"),
    ] {
        let refused = bench.refused(&format!("DISPLAY CHLAUTH(APP) MATCH(RUNCHECK) {login}"));
        assert!(refused.contains(expected), "{login}: {refused}");
    }
    let refused = bench.refused("DISPLAY CHLAUTH('APP*') MATCH(RUNCHECK) ADDRESS('10.2.2.2') CLNTUSER('x')");
    assert!(refused.contains("CHLAUTH must be one value"), "{refused}");
    bench.told("ALTER QMGR CHLAUTH(DISABLED)");
    let off = bench.refused("DISPLAY CHLAUTH(APP) MATCH(RUNCHECK) ADDRESS('10.2.2.2') CLNTUSER('x')");
    assert!(off.contains("DISABLED"), "{off}");
    assert!(bench.manager.logins().channel_rules().is_none());
}

/// Rules of birth as earlier releases made them: they ask for no password.
const OPEN: [&str; 3] = [
    "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) ACTION(REPLACE)",
    "SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('::1') USERSRC(CHANNEL) ACTION(REPLACE)",
    "SET CHLAUTH('SYSTEM.ADMIN.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)",
];

impl Bench {
    /// The commands that warnings of an answer name, each to close a rule.
    fn closing(&self, command: &str) -> Vec<String> {
        let (_, answer) = self.answered(command);
        let warnings = answer.messages.into_iter().filter(|message| message.row().id() == "FRY5033W");
        warnings.map(|message| message.inserts()[1].clone()).collect()
    }

    fn check(&self, channel: &str, address: &str) -> String {
        let question =
            format!("DISPLAY CHLAUTH({channel}) MATCH(RUNCHECK) CLNTUSER('ada') ADDRESS('{address}')");
        self.answered(&question).1.to_string()
    }
}

#[test]
fn the_rules_of_a_new_queue_manager_let_no_program_act_as_a_user_without_a_password() {
    let bench = Bench::new();
    for (channel, address) in [
        ("SYSTEM.DEF.SVRCONN", "127.0.0.1"),
        ("SYSTEM.DEF.SVRCONN", "::1"),
        ("SYSTEM.ADMIN.SVRCONN", "127.0.0.1"),
        ("SYSTEM.ADMIN.SVRCONN", "10.1.2.3"),
    ] {
        let verdict = bench.check(channel, address);
        assert!(verdict.contains("CHCKCLNT asks for a password"), "{channel} from {address}: {verdict}");
    }
    assert_eq!(bench.closing("DISPLAY CHLAUTH(*)"), [""; 0]);
    assert_eq!(bench.closing("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT)"), [""; 0]);
}

#[test]
fn rules_of_an_earlier_release_stay_and_what_first_judges_names_the_command_that_closes_each() {
    let bench = Bench::new();
    OPEN.iter().for_each(|rule| _ = bench.told(rule));
    let verdict = bench.check("SYSTEM.DEF.SVRCONN", "127.0.0.1");
    assert!(verdict.contains("ada"), "{verdict}");
    assert_eq!(bench.closing("DISPLAY CHLAUTH(SYSTEM.ADMIN.SVRCONN)").len(), 1);
    // An administrator's own rule, as public scripts have it, is none of these.
    bench.told("SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL)");
    let first = bench.closing("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT)");
    assert_eq!(first.len(), 3, "{first:?}");
    assert_eq!(bench.closing("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(DSP)"), [""; 0]);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.closing("DISPLAY CHLAUTH(*)"), first);
    for command in &first {
        assert!(command.contains("CHCKCLNT(REQUIRED)") && command.ends_with("ACTION(REPLACE)"), "{command}");
        bench.told(command);
    }
    assert_eq!(bench.closing("DISPLAY CHLAUTH(*)"), [""; 0]);
    let verdict = bench.check("SYSTEM.DEF.SVRCONN", "127.0.0.1");
    assert!(verdict.contains("CHCKCLNT asks for a password"), "{verdict}");
}

#[test]
fn an_open_rule_of_birth_is_told_at_the_start_and_by_what_begins_to_judge() {
    let bench = Bench::new();
    OPEN.iter().for_each(|rule| _ = bench.told(rule));
    let told =
        |bench: &Bench| bench.host.events.lock().iter().filter(|event| event.starts_with("FRY5033W")).count();
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    assert_eq!(told(&bench), 3);
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    assert_eq!(told(&bench), 3);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(told(&bench), 3);
}

#[test]
fn with_a_blank_connauth_the_command_says_what_to_change_before() {
    let bench = Bench::new();
    OPEN.iter().for_each(|rule| _ = bench.told(rule));
    bench.told("ALTER QMGR CONNAUTH(' ')");
    let shown = bench.answered("DISPLAY CHLAUTH(SYSTEM.DEF.SVRCONN)").1.to_string();
    assert!(shown.contains("2063") && shown.contains("ALTER QMGR CONNAUTH("), "{shown}");
    // All are asked for a password then, and act as the users that they prove.
    bench.told("ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)");
    bench.told("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED)");
    assert_eq!(bench.closing("DISPLAY CHLAUTH(*)"), [""; 0]);
    bench.told("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) ADOPTCTX(NO)");
    assert_eq!(bench.closing("DISPLAY CHLAUTH(*)").len(), 3);
}

#[test]
fn the_answer_to_a_rule_counts_the_records_of_its_channels_and_no_others() {
    let bench = Bench::new();
    for (command, count) in [
        ("SET CHLAUTH(SHOP) TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(NOACCESS)", 1),
        ("SET CHLAUTH(SHOP) TYPE(ADDRESSMAP) ADDRESS('10.2.*') USERSRC(NOACCESS)", 2),
        ("SET CHLAUTH('SHOP*') TYPE(ADDRESSMAP) ADDRESS('10.2.*') USERSRC(NOACCESS)", 1),
        ("SET CHLAUTH(SHOP) TYPE(ADDRESSMAP) ACTION(REMOVEALL)", 0),
    ] {
        let told = bench.told(command);
        assert!(told.contains(&format!("there are now {count} of it")), "{command}: {told}");
    }
}
