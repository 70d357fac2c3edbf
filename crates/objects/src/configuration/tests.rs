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

fn run(configuration: &Configuration, script: &str) -> Configuration {
    let commands = mqsc::parse(script).unwrap_or_else(|errors| panic!("{errors}"));
    configuration.after(&commands).unwrap_or_else(|error| panic!("{error}"))
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
    let commands = mqsc::parse("DEFINE QLOCAL(B) REPLACE; DEFINE QLOCAL(C)").unwrap();
    let wanted = present.only(&commands).unwrap();
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
    let commands = mqsc::parse(file).unwrap();
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
    let absent = mqsc::parse("DELETE AUTHREC PROFILE(X) OBJTYPE(QUEUE) PRINCIPAL('ada')").unwrap();
    assert!(matches!(present.after(&absent), Err(ScriptError::Absent(_))));
}

#[test]
fn scripts_that_do_more_than_define_are_refused() {
    for (script, expected) in [
        ("CLEAR QLOCAL(A)", "CLEAR QLOCAL('A') defines nothing"),
        ("ALTER QLOCAL(A) MAXDEPTH(1)", "names an object that is not defined"),
        ("DEFINE QLOCAL(A) QDEPTHHI(1) QDEPTHLO(2)", "QDEPTHLO(2) is above QDEPTHHI(1)"),
    ] {
        let error = fresh().after(&mqsc::parse(script).unwrap()).unwrap_err().to_string();
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
