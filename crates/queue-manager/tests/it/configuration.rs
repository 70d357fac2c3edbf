//! A queue manager's definitions as a script: run on a new one, it makes the same definitions.

use std::collections::BTreeSet;

use objects::attributes::{self, Attribute, Kind, Subject};
use objects::configuration::{Configuration, Unwanted};
use objects::{Command, Definition, Family, Moment, ObjectType, Setting, Value, mqsc};

use crate::support::*;

impl Bench {
    /// Everything that is defined, as displays show it.
    fn configuration(&self) -> Configuration {
        let mut configuration = Configuration::default();
        for (family, question) in Configuration::questions() {
            let question = mqsc::parse(&question).unwrap().remove(0);
            for row in self.open(self.manager.execute(&question)).rows {
                configuration.add(family, |attribute| row.get(attribute.keyword).cloned());
            }
        }
        configuration
    }

    fn run(&self, commands: &[Command]) {
        for command in commands {
            let response = self.open(self.manager.execute(command));
            assert!(response.is_ok(), "{command}\n{response}");
            // The log of a test is small.
            self.keep_house();
        }
    }
}

/// Values an attribute takes besides its default.
fn others(row: &Attribute) -> Vec<Value> {
    let text = |text: &str| Value::Texts([text.into(), "OTHER".into()].into());
    let candidates = match row.kind {
        Kind::Integer { minimum, maximum, words } => {
            let numbers = [minimum, maximum, minimum + 1].into_iter();
            numbers.chain(words.iter().map(|word| word.value)).map(Value::Integer).collect()
        }
        Kind::Choice { words } => words.iter().map(|word| Value::Integer(word.value)).collect(),
        Kind::Switch { .. } => vec![Value::Integer(0), Value::Integer(1)],
        Kind::Text { .. } if row.keyword == "SELECTOR" => vec![Value::from("It = 'a ''text'', ä; +-*'")],
        Kind::Text { length_max } => vec![Value::from(&"It's a 'text', ä; +-*"[..length_max.min(20)])],
        // What is below a topic object has to be there.
        Kind::Name { .. } if row.keyword == "TOPICOBJ" => vec![Value::from("SYSTEM.ADMIN.TOPIC")],
        Kind::Name { length_max } => {
            vec![Value::from(&"a.Name/of%some_length.it.can.have.here"[..length_max.min(38)])]
        }
        Kind::Bytes { length } => vec![Value::from("AB".repeat(length).as_str())],
        Kind::Texts { .. } => vec![text("one, two")],
        Kind::Names { .. } => vec![text("ONE")],
        Kind::Words { words, .. } => {
            vec![Value::Integers(words.iter().rev().map(|word| word.value).collect())]
        }
    };
    let default = row.default_value();
    candidates.into_iter().filter(|value| *value != default && value.check(row).is_ok()).collect()
}

fn setting(object_type: ObjectType, keyword: &str, value: impl Into<Value>) -> Setting {
    let attribute = attributes::by_keyword(Subject::Object(object_type), keyword).unwrap();
    Setting { attribute, value: value.into() }
}

/// What objects of a type must say.
fn needed(object_type: ObjectType, number: usize) -> Vec<Setting> {
    let keywords: &[&str] = match object_type {
        ObjectType::SenderChannel => &["CONNAME", "XMITQ"],
        ObjectType::ServerChannel => &["XMITQ"],
        ObjectType::RequesterChannel
        | ObjectType::ClientConnectionChannel
        | ObjectType::ClusterSenderChannel
        | ObjectType::CrlLdapAuthentication => &["CONNAME"],
        ObjectType::OcspAuthentication => &["OCSPURL"],
        ObjectType::LdapAuthentication => &["CONNAME", "SHORTUSR", "USRFIELD"],
        ObjectType::Subscription => &["DEST", "TOPICSTR"],
        ObjectType::Topic => &["TOPICSTR"],
        _ => &[],
    };
    keywords
        .iter()
        .map(|keyword| setting(object_type, keyword, Value::from(format!("N.{number}").as_str())))
        .collect()
}

/// An object with one attribute at a value that is not its default, for each attribute there is.
fn objects_with_each_attribute() -> (Vec<Command>, usize) {
    let (mut commands, mut number) = (Vec::new(), 0);
    for object_type in ObjectType::all().filter(|found| *found != ObjectType::QueueManager) {
        for row in attributes::stored(object_type).filter(|row| row.is_settable()) {
            let taken = others(row);
            if taken.is_empty() {
                // A secret, which only blank is taken for, or a word without an alternative.
                let has_one = matches!(row.kind, Kind::Text { length_max: 0 } | Kind::Choice { .. });
                assert!(has_one, "{} of {object_type:?}", row.keyword);
                continue;
            }
            number += 1;
            let command = taken.into_iter().find_map(|value| defined(object_type, number, row, value));
            commands.push(command.unwrap_or_else(|| panic!("{} of {object_type:?}", row.keyword)));
        }
    }
    (commands, number)
}

fn defined(object_type: ObjectType, number: usize, row: &'static Attribute, value: Value) -> Option<Command> {
    let name = format!("OBJECT.{number}");
    let mut settings = needed(object_type, number);
    settings.retain(|setting| setting.attribute.keyword != row.keyword);
    // A destination is named or looked after, not both.
    if row.keyword == "DESTCLAS" {
        settings.retain(|setting| setting.attribute.keyword != "DEST");
    }
    settings.push(Setting { attribute: row, value });
    let mut definition = Definition::new(object_type, name.parse().unwrap(), Moment::default());
    definition.define(&settings, Moment::default()).ok()?;
    let name = match object_type.family() {
        Family::Subscription => mqsc::Name::Subscription(name.into()),
        _ => mqsc::Name::Object(name.parse().unwrap()),
    };
    Some(Command::Define(mqsc::Define { object_type, name, replace: false, like: None, settings }))
}

fn manager_with_each_attribute() -> Command {
    let object_type = ObjectType::QueueManager;
    let rows = attributes::stored(object_type).filter(|row| row.is_settable());
    let settings: Vec<Setting> = rows
        .filter_map(|attribute| Some(Setting { attribute, value: others(attribute).into_iter().next()? }))
        .collect();
    let name = mqsc::Name::Object(mqi::ObjectName::BLANK);
    Command::Alter(mqsc::Alter { object_type, name, force: false, settings })
}

/// A queue manager with each attribute of each object at a value that is not its default.
fn bench_with_each_attribute() -> Bench {
    let bench = Bench::new();
    let (commands, count) = objects_with_each_attribute();
    assert!(count > 400, "{count}");
    bench.run(&commands);
    bench.run(&[manager_with_each_attribute()]);
    bench
}

#[test]
fn what_differs_in_every_attribute_of_every_object_is_applied_and_taken_back() {
    let (full, other) = (bench_with_each_attribute().configuration(), Bench::new());
    let plain = other.configuration();
    let apply = |wanted: &Configuration| {
        let commands: String = other
            .configuration()
            .changes_to(wanted, Unwanted::Delete)
            .iter()
            .map(|command| format!("{command}\n"))
            .collect();
        other.run(&mqsc::parse(&commands).unwrap_or_else(|errors| panic!("{errors}")));
        let left = other.configuration().changes_to(wanted, Unwanted::Delete);
        assert!(left.is_empty(), "{}", left[0]);
    };
    apply(&full);
    apply(&plain);
}

#[test]
fn every_attribute_of_every_object_is_in_the_script_and_comes_back() {
    let bench = bench_with_each_attribute();
    // What new objects take from is changed too, after they were made.
    bench.mqsc(
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(77) DESCR('from the default')
         ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) SHARECNV(3) COMPMSG(RLE)
         ALTER NAMELIST(SYSTEM.DEFAULT.NAMELIST) NAMES(A,B)
         ALTER SUB(SYSTEM.DEFAULT.SUB) PUBAPPID('default')
         ALTER TOPIC(SYSTEM.BASE.TOPIC) DEFPRTY(4)",
    );
    let first = bench.configuration();
    let script = first.script();

    let again = Bench::new();
    again.run(&mqsc::parse(&script).unwrap_or_else(|errors| panic!("{errors}")));
    let second = again.configuration();
    let differences: BTreeSet<String> =
        first.changes_to(&second, Unwanted::Delete).iter().map(ToString::to_string).collect();
    assert_eq!(differences, BTreeSet::new());
    assert!(first == second && second.script() == script);
}
