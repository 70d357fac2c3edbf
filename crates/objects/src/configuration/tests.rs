use super::dump::{Dump, Layout};
use super::script::{ScriptLine, reason_left_out};
use super::*;
use crate::definition::tests::settings_of;
use crate::mqsc;
use proptest::prelude::*;

/// The default objects of every type, as a new queue manager has them.
fn fresh() -> Configuration {
    let mut configuration = Configuration::default();
    for object_type in ObjectType::all() {
        let Some(default) = object_type.default_object() else { continue };
        let subscription = object_type == ObjectType::Subscription;
        let name = if subscription { NO_IDENTIFIER } else { default };
        let mut definition = Definition::new(object_type, name.parse().unwrap(), Moment::default());
        if subscription {
            definition.set_internal(MQCACF_SUB_NAME, Value::from(default));
        }
        configuration.insert(definition);
    }
    configuration
}

fn lines(script: &str) -> Vec<ScriptLine> {
    let statements = mqsc::statements(script).into_iter();
    let line = |statement: mqsc::Statement| ScriptLine {
        line: statement.line,
        command: statement.command.unwrap_or_else(|error| panic!("{error}")),
    };
    statements.map(line).collect()
}

fn run(configuration: &Configuration, script: &str) -> Configuration {
    configuration.after(&lines(script)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_point_that_opens_is_told_once_it_is_new_and_what_narrows_has_none() {
    let base = run(
        &fresh(),
        "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)\nDEFINE CHANNEL(A) CHLTYPE(SVRCONN)\n\
         ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(REQDADM)\n\
         SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN','eve')\n\
         SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS)\n\
         DEFINE CHANNEL(TLS) CHLTYPE(RCVR) SSLCIPH(ANY_TLS12_OR_HIGHER) SSLPEER('CN=lyon')\n\
         DEFINE CHANNEL(OWN) CHLTYPE(RCVR) MCAUSER('clerk')\n\
         DEFINE CHANNEL(NAMED) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER) MCAUSER('clerk')\n\
         DEFINE CHANNEL(COVER) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER)",
    );
    let is_administrator = |user: &str| user == "boss";
    for (script, points) in [
        ("DEFINE QLOCAL(Q)", 0),
        ("ALTER QMGR CHLAUTH(DISABLED) CONNAUTH(' ')", 2),
        ("DEFINE AUTHINFO(X) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)", 1),
        ("ALTER CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('boss')", 1),
        ("ALTER CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('clerk')", 0),
        ("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('eve') ACTION(REMOVE)", 1),
        ("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('ada')  ACTION(ADD)", 0),
        // It warns, and refuses no more.
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS) WARN(YES)", 2),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(MAP) MCAUSER('boss')", 3),
        // A rule without a proof.
        ("SET CHLAUTH('A') TYPE(USERMAP) CLNTUSER('x') USERSRC(MAP) MCAUSER('clerk')", 1),
        ("SET CHLAUTH('A') TYPE(USERMAP) CLNTUSER('x') USERSRC(MAP) MCAUSER('clerk') CHCKCLNT(REQUIRED)", 0),
        ("SET CHLAUTH('A') TYPE(USERMAP) CLNTUSER('x') ADDRESS('10.1.1.1') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(MAP) MCAUSER('clerk')", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('0-255.*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)", 0),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('192.168.*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('1-220.*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('203.0.113.5') USERSRC(MAP) MCAUSER('clerk')", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.1.*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)", 0),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)", 0),
        // A certificate proves its bearer, and not the user that a program names.
        ("SET CHLAUTH('COVER') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('COVER') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)", 0),
        ("SET CHLAUTH('COVER') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(MAP) MCAUSER('clerk')", 0),
        ("SET CHLAUTH('COVER') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('COVER') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(MAP) MCAUSER('clerk')", 0),
        ("SET CHLAUTH('COVER') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)", 0),
        ("SET CHLAUTH('LATER') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('TLS') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(CHANNEL)", 0),
        ("SET CHLAUTH('NAMED') TYPE(SSLPEERMAP) SSLPEER('CN=x') USERSRC(CHANNEL)", 0),
        ("SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(QMGRMAP) QMNAME('LYON') USERSRC(MAP) MCAUSER('clerk')", 1),
        ("SET CHLAUTH('TLS') TYPE(QMGRMAP) QMNAME('LYON') USERSRC(MAP) MCAUSER('clerk')", 0),
        // The nearest list counts alone.
        ("SET CHLAUTH('A*') TYPE(BLOCKUSER) USERLIST('eve')", 1),
        ("SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('*MQADMIN')", 1),
        ("SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('*MQADMIN','EVE','ada')", 0),
        ("SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('*MQADMIN','eve') WARN(YES)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('**') GROUP('nobody') AUTHADD(PUT)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('*') GROUP('nobody') AUTHADD(BROWSE)", 1),
        ("SET AUTHREC OBJTYPE(TOPIC) PROFILE('?*.**') GROUP('nobody') AUTHADD(SUB)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('**') GROUP('nobody') AUTHADD(DSP,INQ)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('PAY.**') GROUP('nobody') AUTHADD(PUT)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('SYSTEM.**') GROUP('nobody') AUTHADD(GET)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('S?ST*.*.LETTER.QUEUE') GROUP('nobody') AUTHADD(GET)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('SYSTEM.DEAD.LETTER.QUEUE') GROUP('nobody') AUTHADD(GET)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('SYSTEM.**') GROUP('nobody') AUTHADD(DSP,INQ)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('S*') GROUP('nobody') AUTHADD(GET)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('SYSTEM.ADMIN.**') PRINCIPAL('eve') AUTHADD(PUT,GET)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('SYSTEM.ADMIN.**') PRINCIPAL('eve') AUTHADD(SETALL)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('**') GROUP('g') AUTHADD(PUT,GET)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('**') GROUP('g') AUTHADD(CHG)", 1),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE('@CLASS') GROUP('g') AUTHADD(CRT)", 1),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CRT)", 1),
        // Less is asked for than before.
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)", 1),
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED)", 0),
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(NONE)", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLCIPH(' ') SSLPEER(' ')", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLPEER(' ')", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLPEER('CN=*')", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLPEER('CN=l*')", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLPEER('O=bank')", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLPEER('CN=lyon,O=bank')", 0),
        ("ALTER CHANNEL(OWN) CHLTYPE(RCVR) MCAUSER(' ')", 1),
        ("ALTER CHANNEL(OWN) CHLTYPE(RCVR) MCAUSER('ada')", 1),
        ("ALTER CHANNEL(OWN) CHLTYPE(RCVR) MCAUSER('nobody')", 0),
        ("ALTER CHANNEL(OWN) CHLTYPE(RCVR) PUTAUT(CTX)", 1),
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) ADOPTCTX(NO)", 1),
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) FAILDLAY(0)", 1),
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) FAILDLAY(2)", 0),
        ("SET CHLAUTH('A') TYPE(SSLPEERMAP) SSLPEER('CN=*') USERSRC(CHANNEL)", 1),
        ("SET CHLAUTH('A') TYPE(SSLPEERMAP) SSLPEER('CN=*') USERSRC(NOACCESS)", 0),
        ("SET CHLAUTH('A') TYPE(SSLPEERMAP) SSLPEER('CN=*,O=bank') USERSRC(CHANNEL)", 1),
        ("SET AUTHREC OBJTYPE(TOPIC) PROFILE(SYSTEM.BASE.TOPIC) GROUP('nobody') AUTHADD(SUB)", 1),
        ("SET AUTHREC OBJTYPE(TOPIC) PROFILE(SYSTEM.BASE.TOPIC) GROUP('nobody') AUTHADD(PUB)", 1),
        ("ALTER CHANNEL(COVER) CHLTYPE(SVRCONN) SSLCAUTH(OPTIONAL)", 1),
        ("ALTER CHANNEL(TLS) CHLTYPE(RCVR) SSLCAUTH(OPTIONAL)", 0),
        ("ALTER QMGR CHAD(ENABLED)", 1),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500) TLS(NO)", 1),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500) TLS(ALLOWED) IPADDR('10.0.0.1')", 1),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500) TLS(NO) IPADDR('127.0.0.1')", 0),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500)", 1),
        ("DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500) IPADDR('::1')", 0),
        ("DEFINE BRIDGE(B) CONNAME('example.org(1414)')", 0),
        ("DEFINE BRIDGE(B) CONNAME('example.org(1414)') TLS(NO)", 1),
        ("DEFINE BRIDGE(B) CONNAME('127.0.0.1(1414), example.org') TLS(NO)", 1),
        ("DEFINE BRIDGE(B) CONNAME('localhost(1414)') TLS(NO)", 0),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(SETALL)", 1),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT,INQ)", 0),
        ("SET AUTHREC OBJTYPE(QUEUE) PROFILE(A) GROUP('g') AUTHADD(SETALL)", 0),
    ] {
        let wanted = run(&base, script);
        let openings = base.openings_to(&wanted, &is_administrator);
        assert_eq!(openings.len(), points, "{script}: {openings:#?}");
        assert_eq!(wanted.openings_to(&wanted, &is_administrator), [], "{script}: it is so already");
    }
}

#[test]
fn the_rules_that_earlier_releases_made_are_told_and_need_no_word() {
    let wanted = run(
        &fresh(),
        "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)\n\
         SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('::1') USERSRC(CHANNEL) DESCR('x')\n\
         SET CHLAUTH(SYSTEM.ADMIN.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)\n\
         SET CHLAUTH(SYSTEM.ADMIN.SVRCONN) TYPE(USERMAP) CLNTUSER('x') USERSRC(MAP) MCAUSER('y')",
    );
    let openings = fresh().openings_to(&wanted, &|_| false);
    let told = openings.iter().filter(|opening| opening.is_told_only).count();
    assert_eq!((told, openings.len()), (3, 4), "{openings:#?}");
}

#[test]
fn a_rule_for_a_channel_of_birth_needs_a_word_unless_it_is_one_of_birth() {
    for rule in [
        "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('203.0.113.5') USERSRC(CHANNEL)",
        "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(MAP) MCAUSER('ada')",
        "SET CHLAUTH(SYSTEM.ADMIN.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)",
    ] {
        let openings = fresh().openings_to(&run(&fresh(), rule), &|_| false);
        assert_eq!(
            openings.iter().map(|opening| opening.is_told_only).collect::<Vec<_>>(),
            [false],
            "{rule}"
        );
    }
}

#[test]
fn a_listener_that_other_machines_reach_is_told_and_needs_no_word() {
    let wanted = run(&fresh(), "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1500) IPADDR('0.0.0.0')");
    let openings = fresh().openings_to(&wanted, &|_| false);
    assert!(matches!(&openings[..], [opening] if opening.is_told_only), "{openings:#?}");
}

/// Any configuration, its default objects changed too. Values that do not agree with one another are left
/// out.
fn any_configuration() -> impl Strategy<Value = Configuration> {
    let types: Vec<ObjectType> = ObjectType::definable().collect();
    let object = (proptest::sample::select(types), 0..3u8).prop_flat_map(|(object_type, number)| {
        settings_of(object_type).prop_map(move |settings| (object_type, number, settings))
    });
    proptest::collection::vec(object, 0..30).prop_map(|objects| {
        let mut configuration = fresh();
        for (object_type, number, settings) in objects {
            let mut definition = match (object_type, number) {
                (ObjectType::QueueManager, _) => configuration.manager.clone(),
                (_, 0) => {
                    let name = object_type.default_object().unwrap().to_owned();
                    configuration.objects[&(object_type.name_space(), name)].clone()
                }
                _ => {
                    let subscription = object_type == ObjectType::Subscription;
                    let name = format!("{}.{number}", object_type.subtype().unwrap_or("OBJECT"));
                    let object_name = if subscription { NO_IDENTIFIER } else { &name };
                    let mut definition =
                        Definition::new(object_type, object_name.parse().unwrap(), Moment::default());
                    if subscription {
                        definition.set_internal(MQCACF_SUB_NAME, Value::from("a name, 'quoted'"));
                    }
                    definition
                }
            };
            let _ = definition.apply(&settings, Moment::default());
            if definition.check().is_ok() {
                configuration.insert(definition.copy_of_all());
            }
        }
        configuration
    })
}

impl Definition {
    /// The same, made at the beginning of time: when it was changed is not compared.
    fn copy_of_all(&self) -> Self {
        let mut copy = self.copy(*self.name(), Moment::default());
        if self.object_type() == ObjectType::Subscription {
            copy.set_internal(MQCACF_SUB_NAME, Value::from(self.shown_name()));
        }
        copy
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_script_makes_the_configuration_again(configuration in any_configuration()) {
        prop_assert!(run(&fresh(), &configuration.script()) == configuration);
    }

    #[test]
    fn a_dump_in_any_form_makes_the_configuration_again(
        configuration in any_configuration(),
        layout in proptest::sample::select(&[Layout::AttributeALine, Layout::OneLine, Layout::TwoLines]),
    ) {
        let script = configuration.dump(&Dump { all_attributes: true, layout, ..Dump::default() });
        prop_assert!(run(&fresh(), &script) == configuration);
    }

    #[test]
    fn the_commands_from_one_to_another_make_the_other(
        one in any_configuration(), other in any_configuration(),
    ) {
        let commands = one.changes_to(&other, Unwanted::Delete);
        let text: String = commands.iter().map(|command| format!("{command}\n")).collect();
        prop_assert!(run(&one, &text) == other);
        prop_assert!(other.changes_to(&other, Unwanted::Delete).is_empty());
    }
}

#[test]
fn a_dump_has_the_types_and_names_that_are_asked_for() {
    let all = run(
        &fresh(),
        "DEFINE QLOCAL(A.1) MAXDEPTH(5); DEFINE QALIAS(A.2); DEFINE QLOCAL(B); ALTER QMGR MAXHANDS(9)",
    );
    let dump = |types: &[ObjectType], names: Option<&str>, layout| {
        let names = names.map(|names| names.parse().unwrap());
        let dump =
            Dump { types: types.to_vec(), names, layout, heading: "head".to_owned(), ..Dump::default() };
        let text = all.dump(&dump);
        text.strip_prefix("* head\n").unwrap().to_owned()
    };
    let local = "DEFINE QLOCAL('A.1') REPLACE MAXDEPTH(5)\n";
    assert_eq!(dump(&[ObjectType::LocalQueue], Some("A*"), Layout::OneLine), local);
    assert_eq!(dump(&[], Some("A*"), Layout::OneLine), format!("{local}DEFINE QALIAS('A.2') REPLACE\n"));
    let of_manager = dump(&[ObjectType::QueueManager], None, Layout::OneLine);
    assert_eq!(of_manager, "ALTER QMGR MAXHANDS(9)\n");
    let long = run(&fresh(), "DEFINE QLOCAL(A.1) MAXDEPTH(5) PUT(DISABLED)");
    let dump = Dump { names: Some("A*".parse().unwrap()), layout: Layout::TwoLines, ..Dump::default() };
    let expected = "DEFINE QLOCAL('A.1') REPLACE +\n       MAXDEPTH(5) PUT(DISABLED)\n";
    assert_eq!(long.dump(&dump).split_once('\n').unwrap().1, expected);
}

#[test]
fn only_what_differs_is_said() {
    let one =
        run(&fresh(), "DEFINE QLOCAL(A) MAXDEPTH(5); DEFINE NAMELIST(N) NAMES(X,Y); DEFINE QLOCAL(GONE)");
    let other =
        run(&fresh(), "DEFINE QLOCAL(A) MAXDEPTH(6); DEFINE NAMELIST(N) NAMES(X,Y); DEFINE QALIAS(B)");
    let shown =
        |unwanted| one.changes_to(&other, unwanted).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(shown(Unwanted::Keep), ["ALTER QLOCAL('A') MAXDEPTH(6)", "DEFINE QALIAS('B')"]);
    assert_eq!(shown(Unwanted::Delete)[0], "DELETE QLOCAL('GONE')");
}

#[test]
fn what_a_script_does_not_say_is_not_wanted_when_only_it_counts() {
    let present = run(&fresh(), "DEFINE QLOCAL(A); DEFINE QLOCAL(B)");
    let wanted = present.only(&lines("DEFINE QLOCAL(B) REPLACE; DEFINE QLOCAL(C)")).unwrap();
    let changes: Vec<String> =
        present.changes_to(&wanted, Unwanted::Delete).iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["DELETE QLOCAL('A')", "DEFINE QLOCAL('C')"]);
}

#[test]
fn records_of_authority_are_dumped_compared_and_deleted_where_only_the_file_counts() {
    let present = run(
        &fresh(),
        "SET AUTHREC PROFILE(A.**) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT,GET)\n\
         SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHADD(CONNECT)\n\
         SET AUTHREC PROFILE(B) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(NONE)",
    );
    assert!(run(&fresh(), &present.script()) == present, "{}", present.script());
    let file = "SET AUTHREC PROFILE(A.**) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(INQ) AUTHRMV(GET)\n\
                SET AUTHREC PROFILE(C) OBJTYPE(TOPIC) PRINCIPAL('ada') AUTHADD(SUB)";
    let commands = lines(file);
    let shown = |wanted: &Configuration, unwanted| {
        let changes = present.changes_to(wanted, unwanted);
        changes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let changed = [
        "SET AUTHREC PROFILE('A.**') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(INQ) AUTHRMV(GET)",
        "SET AUTHREC PROFILE('C') OBJTYPE(TOPIC) PRINCIPAL('ada') AUTHADD(SUB)",
    ];
    assert_eq!(shown(&present.after(&commands).unwrap(), Unwanted::Keep), changed);
    let only = shown(&present.only(&commands).unwrap(), Unwanted::Delete);
    let deleted = [
        "DELETE AUTHREC PROFILE('B') OBJTYPE(QUEUE) PRINCIPAL('ada')",
        "DELETE AUTHREC PROFILE('SELF') OBJTYPE(QMGR) GROUP('staff')",
    ];
    assert_eq!(only, [&deleted[..], &changed[..]].concat());
    let absent = lines("DELETE AUTHREC PROFILE(X) OBJTYPE(QUEUE) PRINCIPAL('ada')");
    assert_eq!(present.after(&absent), Ok(present.clone()), "what is not there is deleted already");
    // What a change that failed later did is taken back.
    let wanted = present.after(&commands).unwrap();
    let changes = present.changes_to(&wanted, Unwanted::Keep);
    let back = present.undoing(&changes, &wanted);
    let text: String = back.iter().map(|command| format!("{command}\n")).collect();
    assert!(run(&wanted, &text) == present, "{text}");
}

#[test]
fn scripts_that_are_wrong_are_refused_by_line() {
    for (script, expected) in [
        (
            "\nALTER QLOCAL(A) MAXDEPTH(1)",
            "line 2: ALTER QLOCAL('A') MAXDEPTH(1) names an object that is not",
        ),
        ("DEFINE QLOCAL(A) QDEPTHHI(1) QDEPTHLO(2)", "QDEPTHLO(2) is above QDEPTHHI(1)"),
        ("DEFINE QLOCAL(A)\nDELETE QLOCAL(A)\nALTER QLOCAL(A) +\n MAXDEPTH(1)", "line 3: ALTER QLOCAL('A')"),
        (
            "DEFINE QALIAS(A)\nALTER QLOCAL(A) MAXDEPTH(1)",
            "line 2: ALTER QLOCAL('A') MAXDEPTH(1): A is a QALIAS",
        ),
        ("DEFINE QALIAS(A)\nDEFINE QLOCAL(B) LIKE(A)", "line 2: DEFINE QLOCAL('B') LIKE('A'): A is a QALIAS"),
        ("DEFINE QALIAS(A)\nDELETE QLOCAL(A)", "line 2: DELETE QLOCAL('A'): A is a QALIAS"),
        (
            "DEFINE QLOCAL(B) LIKE(A)",
            "line 1: DEFINE QLOCAL('B') LIKE('A'): the object of LIKE is not defined",
        ),
        ("DEFINE QLOCAL(A) LIKE(B)\nDEFINE QLOCAL(B) LIKE(A)", "line 2: DEFINE QLOCAL('B') LIKE('A')"),
    ] {
        let error = fresh().after(&lines(script)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn records_of_channels_are_dumped_and_lead_from_one_set_to_another() {
    let one = run(
        &fresh(),
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN')
         SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.*') MCAUSER(app)
         SET CHLAUTH('OLD.*') TYPE(BLOCKUSER) USERLIST(one,two)
         SET CHLAUTH('OLD.*') TYPE(BLOCKUSER) USERLIST(three)
         SET CHLAUTH('OLD.*') TYPE(BLOCKUSER) USERLIST(two) ACTION(REMOVE)",
    );
    let script = one.script();
    assert!(script.contains("USERLIST('ONE','THREE')"), "{script}");
    assert_eq!(run(&fresh(), &script), one, "{script}");
    let other = run(
        &fresh(),
        "SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(NOACCESS) WARN(YES)
         SET CHLAUTH('NEW.*') TYPE(USERMAP) CLNTUSER(x) MCAUSER(y)",
    );
    let text: Vec<String> =
        one.changes_to(&other, Unwanted::Delete).iter().map(ToString::to_string).collect();
    assert_eq!(run(&one, &text.join("\n")).changes_to(&other, Unwanted::Delete), [], "{text:?}");
    let closed = text.iter().any(|command| command.contains("SET CHLAUTH('*')"));
    assert!(!closed, "a record for every channel stays, whatever a script leaves out: {text:?}");
    let gone = run(&one, "SET CHLAUTH('OLD.*') TYPE(BLOCKUSER) ACTION(REMOVEALL)");
    assert!(!gone.script().contains("OLD.*"));
}

#[test]
fn commands_that_define_nothing_are_left_out_with_a_reason() {
    let script =
        "DISPLAY QMGR; PING QMGR; START CHANNEL(A); STOP CHANNEL(A); START LISTENER(A); STOP LISTENER(A)
        STOP CONN(0123456789ABCDEF); REFRESH QMGR TYPE(CONFIGEV); REFRESH SECURITY(*); START SERVICE(A)
        DISPLAY CHSTATUS(*); CLEAR QLOCAL(A); MOVE QLOCAL(A) TOQLOCAL(B); RECOVER QLOCAL(A)
        STOP LISTENER(A) IGNSTATE(YES); CLEAR TOPICSTR('a') CLRTYPE(RETAINED); DEFINE QLOCAL(A)";
    let script = lines(script);
    let (left, kept): (Vec<_>, Vec<_>) =
        script.iter().partition(|line| reason_left_out(&line.command).is_some());
    assert_eq!((left.len(), kept.len()), (script.len() - 1, 1));
    let changes = fresh().changes_to(&fresh().after(&script).unwrap(), Unwanted::Keep);
    assert_eq!(changes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["DEFINE QLOCAL('A')"]);
}

#[test]
fn like_may_name_what_comes_later() {
    let script = "DEFINE QLOCAL(C) LIKE(B) DESCR('c')\nALTER QLOCAL(C) MAXMSGL(9)\nDEFINE QLOCAL(B) LIKE(A)
        DEFINE QLOCAL(A) MAXDEPTH(7)\nALTER QLOCAL(A) MAXDEPTH(8)\nDELETE QLOCAL(B)";
    let ordered =
        "DEFINE QLOCAL(A) MAXDEPTH(7)\nDEFINE QLOCAL(B) LIKE(A)\nDEFINE QLOCAL(C) LIKE(B) DESCR('c')
        ALTER QLOCAL(C) MAXMSGL(9)\nALTER QLOCAL(A) MAXDEPTH(8)\nDELETE QLOCAL(B)";
    assert!(run(&fresh(), script) == run(&fresh(), ordered));
    let wanted = run(&fresh(), script);
    let shown: Vec<String> =
        fresh().changes_to(&wanted, Unwanted::Keep).iter().map(ToString::to_string).collect();
    let expected = ["DEFINE QLOCAL('A') MAXDEPTH(8)", "DEFINE QLOCAL('C') DESCR('c') MAXDEPTH(7) MAXMSGL(9)"];
    assert_eq!(shown, expected);
}

#[test]
fn deleting_what_is_absent_changes_nothing() {
    let present = run(&fresh(), "DEFINE QLOCAL(A)");
    assert!(
        run(&present, "DELETE QLOCAL(GONE)\nDELETE CHANNEL(GONE) IGNSTATE(NO)\nDELETE TOPIC(T)") == present
    );
}

#[test]
fn changes_that_were_made_are_undone_and_no_others() {
    let before =
        run(&fresh(), "DEFINE QLOCAL(A) MAXDEPTH(5); DEFINE QLOCAL(GONE) DESCR('x'); DEFINE QLOCAL(MINE)");
    let wanted = run(
        &before,
        "ALTER QLOCAL(A) MAXDEPTH(6); DELETE QLOCAL(GONE); DEFINE QLOCAL(NEW); ALTER QMGR MAXHANDS(9)",
    );
    let changes = before.changes_to(&wanted, Unwanted::Delete);
    for made in 0..=changes.len() {
        let text: String = changes[..made].iter().map(|command| format!("{command}\n")).collect();
        // Another administrator defines and alters meanwhile.
        let present = run(&before, &format!("{text}DEFINE QLOCAL(THEIRS); ALTER QLOCAL(MINE) MAXDEPTH(1)"));
        let back = before.undoing(&changes[..made], &present);
        let text: String = back.iter().map(|command| format!("{command}\n")).collect();
        let expected = run(&before, "DEFINE QLOCAL(THEIRS); ALTER QLOCAL(MINE) MAXDEPTH(1)");
        assert!(run(&present, &text) == expected, "{text}");
    }
}

#[test]
fn secrets_go_to_their_objects_each_time_and_into_no_dump() {
    let script = "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('ldap') SHORTUSR('sn') USRFIELD('uid') LDAPPWD('hunter2')
        ALTER QMGR KEYRPWD('hunter3'); DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h') PASSWORD('hunter4')
        ALTER CHANNEL(C) CHLTYPE(CLNTCONN) DESCR('d')";
    let shown =
        |changes: Vec<Command>| changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let wanted = fresh().after(&lines(script)).unwrap();
    let first = shown(fresh().changes_to(&wanted, Unwanted::Keep));
    for secret in ["LDAPPWD('hunter2')", "KEYRPWD('hunter3')", "PASSWORD('hunter4')"] {
        assert_eq!(first.matches(secret).count(), 1, "{first}");
    }
    assert!(!first.contains("********"), "{first}");
    // A queue manager shows the sign of what it keeps, which cannot be compared with what the script says.
    let present = Configuration { secrets: Default::default(), ..wanted };
    let again = shown(present.changes_to(&present.after(&lines(script)).unwrap(), Unwanted::Keep));
    let expected = "ALTER QMGR KEYRPWD('hunter3')
ALTER AUTHINFO('L') AUTHTYPE(IDPWLDAP) LDAPPWD('hunter2')
ALTER CHANNEL('C') CHLTYPE(CLNTCONN) PASSWORD('hunter4')";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again), sorted(expected));
    assert_eq!(
        present.changes_to(&present.after(&lines("DEFINE QLOCAL(A)")).unwrap(), Unwanted::Keep).len(),
        1
    );
    let forgotten = shown(present.changes_to(
        &present.after(&lines("ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD(' ')")).unwrap(),
        Unwanted::Keep,
    ));
    assert_eq!(forgotten, "ALTER AUTHINFO('L') AUTHTYPE(IDPWLDAP) LDAPPWD(' ')");
    for all_attributes in [false, true] {
        let dump = present.dump(&Dump { all_attributes, ..Default::default() });
        assert!(!dump.contains("********") && !dump.contains("hunter"), "{dump}");
        assert!(dump.contains("* Left out, since it is a secret: LDAPPWD of AUTHINFO L\n"), "{dump}");
        assert!(dump.contains("* Left out, since it is a secret: KEYRPWD of QMGR\n"), "{dump}");
    }
    let error =
        fresh().after(&lines("ALTER AUTHINFO(GONE) AUTHTYPE(IDPWLDAP) LDAPPWD('hunter2')")).unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[test]
fn passwords_change_last_and_those_that_an_undoing_cannot_give_back_are_named() {
    let channel = |name: &str, rest: &str| {
        format!("DEFINE CHANNEL({name}) CHLTYPE(SDR) CONNAME('h') XMITQ(X) {rest}\n")
    };
    let mut before = run(&fresh(), &format!("{}{}", channel("HAD", "PASSWORD('old')"), channel("NONE", "")));
    before.secrets.clear();
    let lost = |changes: &[Command]| before.lost_by(changes);
    for (script, last, expected) in [
        (
            "ALTER CHANNEL(HAD) CHLTYPE(SDR) CONNAME('new') PASSWORD('new')",
            "ALTER CHANNEL('HAD') CHLTYPE(SDR) PASSWORD('new')",
            &["PASSWORD of CHANNEL HAD"][..],
        ),
        (
            "ALTER CHANNEL(HAD) CHLTYPE(SDR) PASSWORD(' ')",
            "ALTER CHANNEL('HAD') CHLTYPE(SDR) PASSWORD(' ')",
            &["PASSWORD of CHANNEL HAD"],
        ),
        ("DELETE CHANNEL(HAD)", "DELETE CHANNEL('HAD')", &["PASSWORD of CHANNEL HAD"]),
        (
            "ALTER CHANNEL(NONE) CHLTYPE(SDR) PASSWORD('new')",
            "ALTER CHANNEL('NONE') CHLTYPE(SDR) PASSWORD('new')",
            &[],
        ),
    ] {
        let others =
            "DEFINE TOPIC(T) TOPICSTR('a')\nSET AUTHREC PROFILE(X) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)";
        let wanted = run(&before, &format!("{script}\n{others}"));
        let changes = before.changes_to(&wanted, Unwanted::Delete);
        assert_eq!(changes.last().map(ToString::to_string).as_deref(), Some(last), "{changes:#?}");
        assert_eq!(lost(&changes), expected, "{script}");
        assert_eq!(lost(&changes[..changes.len() - 1]), [""; 0], "{script}");
    }
    // A password where none was is taken away again.
    let mut present = run(&before, "ALTER CHANNEL(NONE) CHLTYPE(SDR) PASSWORD('new')");
    present.secrets.clear();
    let made =
        before.changes_to(&run(&before, "ALTER CHANNEL(NONE) CHLTYPE(SDR) PASSWORD('new')"), Unwanted::Keep);
    let back: Vec<String> = before.undoing(&made, &present).iter().map(ToString::to_string).collect();
    assert_eq!(back, ["ALTER CHANNEL('NONE') CHLTYPE(SDR) PASSWORD(' ')"]);
}

#[test]
fn undoing_a_deletion_gives_back_the_records_that_went_with_the_object() {
    let record = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)";
    let before = run(&fresh(), &format!("DEFINE QLOCAL(A)\n{record}"));
    let made = lines("DELETE QLOCAL(A)").remove(0).command;
    let present = run(&before, "DELETE QLOCAL(A)\nDELETE AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g')");
    let back: Vec<String> = before.undoing(&[made], &present).iter().map(ToString::to_string).collect();
    assert_eq!(back.len(), 2, "{back:?}");
    assert!(run(&present, &back.join("\n")) == before);
}

#[test]
fn marks_of_a_script_stay_with_its_objects_and_purges_come_last() {
    let before = run(
        &fresh(),
        "DEFINE QLOCAL(FULL); DEFINE QLOCAL(KEPT); DEFINE QALIAS(OPEN) TARGET(KEPT); DEFINE QLOCAL(OTHER)",
    );
    let wanted = run(
        &before,
        "DELETE QLOCAL(FULL) PURGE; ALTER QALIAS(OPEN) TARGET(OTHER) FORCE; ALTER QALIAS(OPEN) DESCR('d')
         DELETE QLOCAL(KEPT); DEFINE TOPIC(T) TOPICSTR('a'); ALTER QLOCAL(OTHER) MAXDEPTH(7)",
    );
    let changes = before.changes_to(&wanted, Unwanted::Delete);
    let shown: Vec<String> = changes.iter().map(ToString::to_string).collect();
    let expected = [
        "DELETE QLOCAL('KEPT')",
        "ALTER QALIAS('OPEN') FORCE DESCR('d') TARGET('OTHER')",
        "ALTER QLOCAL('OTHER') MAXDEPTH(7)",
        "DEFINE TOPIC('T') TOPICSTR('a')",
        "DELETE QLOCAL('FULL') PURGE",
    ];
    assert_eq!(shown, expected);
    assert_eq!(before.lost_by(&changes), ["messages of QLOCAL FULL"]);
    let present = run(&before, &shown[..4].join("\n"));
    let back: Vec<String> = before.undoing(&changes[..4], &present).iter().map(ToString::to_string).collect();
    assert!(back.iter().any(|command| command.starts_with("ALTER QALIAS('OPEN') FORCE ")), "{back:?}");
}

#[test]
fn noreplace_leaves_alone_what_is_there_and_makes_what_is_not() {
    let present = run(&fresh(), "DEFINE QLOCAL(X) MAXDEPTH(5)");
    let script = lines(
        "DEFINE QLOCAL(X) NOREPLACE MAXDEPTH(77)
         DEFINE QLOCAL(Y) NOREPLACE MAXDEPTH(7)
         DEFINE QLOCAL(Y) NOREPLACE MAXDEPTH(8)
         DEFINE QALIAS(X) NOREPLACE TARGET(Y)",
    );
    for wanted in [present.after(&script), present.only(&script)] {
        let wanted = wanted.unwrap();
        let changes = present.changes_to(&wanted, Unwanted::Delete);
        let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, ["DEFINE QLOCAL('Y') MAXDEPTH(7)"]);
        let kept: Vec<bool> = script.iter().map(|line| wanted.has_kept(line)).collect();
        assert_eq!(kept, [true, false, true, true]);
    }
    assert!(
        run(&present, "DEFINE QLOCAL(X) NOREPLACE LIKE(GONE)")
            .changes_to(&present, Unwanted::Delete)
            .is_empty()
    );
}

#[test]
fn a_record_is_deleted_before_the_object_that_would_take_it_along() {
    let records = "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)
        SET AUTHREC PROFILE(C) OBJTYPE(CHANNEL) GROUP('g') AUTHADD(DSP)";
    let script = "DEFINE QLOCAL(A); DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h') PASSWORD('p')";
    let mut present = run(&fresh(), &format!("{script}\n{records}"));
    present.secrets.clear();
    let changes = present.changes_to(&fresh(), Unwanted::Delete);
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    let expected = [
        "DELETE AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('g')",
        "DELETE AUTHREC PROFILE('C') OBJTYPE(CHANNEL) GROUP('g')",
        "DELETE QLOCAL('A')",
        "DELETE CHANNEL('C') CHLTABLE(CLNTTAB)",
    ];
    assert_eq!(changes, expected);
}

#[test]
fn a_name_in_amqp_is_given_up_before_another_object_has_it() {
    let before = run(
        &fresh(),
        "DEFINE QLOCAL(A) AMQPNAME('a-b'); DEFINE QLOCAL(B) AMQPNAME('c-d'); DEFINE QLOCAL(GONE) AMQPNAME('e-f')",
    );
    let none: [&str; 0] = [];
    for (script, expected) in [
        // A name moves, and two are exchanged.
        (
            "ALTER QLOCAL(B) AMQPNAME('a-b'); ALTER QLOCAL(A) AMQPNAME(' ')",
            &[
                "ALTER QLOCAL('A') AMQPNAME(' ')",
                "ALTER QLOCAL('A') AMQPNAME(' ')",
                "ALTER QLOCAL('B') AMQPNAME('a-b')",
            ][..],
        ),
        (
            "ALTER QLOCAL(A) AMQPNAME('c-d'); ALTER QLOCAL(B) AMQPNAME('a-b')",
            &[
                "ALTER QLOCAL('A') AMQPNAME(' ')",
                "ALTER QLOCAL('B') AMQPNAME(' ')",
                "ALTER QLOCAL('A') AMQPNAME('c-d')",
                "ALTER QLOCAL('B') AMQPNAME('a-b')",
            ],
        ),
        // Its holder is deleted, after the one that is to have it.
        (
            "DELETE QLOCAL(GONE) PURGE; DEFINE TOPIC(T) TOPICSTR('t') AMQPNAME('e-f')",
            &[
                "ALTER QLOCAL('GONE') AMQPNAME(' ')",
                "DEFINE TOPIC('T') AMQPNAME('e-f') TOPICSTR('t')",
                "DELETE QLOCAL('GONE') PURGE",
            ],
        ),
        ("ALTER QLOCAL(A) MAXDEPTH(7)", &["ALTER QLOCAL('A') MAXDEPTH(7)"]),
        ("ALTER QLOCAL(A) AMQPNAME('a-b')", &none),
    ] {
        let changes = before.changes_to(&run(&before, script), Unwanted::Delete);
        let shown: Vec<String> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(shown, expected, "{script}");
    }
}
