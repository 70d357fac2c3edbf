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
        // Multicast is refused.
        Kind::Choice { .. } if row.keyword == "MCAST" => vec![Value::Integer(mqi::constants::MQMC_DISABLED)],
        Kind::Choice { words } => words.iter().map(|word| Value::Integer(word.value)).collect(),
        Kind::Switch { .. } => vec![Value::Integer(0), Value::Integer(1)],
        Kind::Text { .. } if row.keyword == "SELECTOR" => vec![Value::from("It = 'a ''text'', ä; +-*'")],
        // A name that stands for no CipherSpec is refused.
        Kind::Text { .. } | Kind::Name { .. } if row.keyword == "SSLCIPH" => vec![Value::from("ANY_TLS13")],
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

/// Settings that objects of a type must have.
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
        ObjectType::Bridge => &["CONNAME"],
        ObjectType::Pipe => &["BRIDGE", "FOREIGN", "QUEUE"],
        _ => &[],
    };
    keywords
        .iter()
        .map(|keyword| setting(object_type, keyword, Value::from(format!("N.{number}").as_str())))
        .collect()
}

/// An object with one attribute at a value that is not its default, for each attribute that is no secret.
fn objects_with_each_attribute() -> (Vec<Command>, usize) {
    let (mut commands, mut number) = (Vec::new(), 0);
    for object_type in ObjectType::definable().filter(|found| *found != ObjectType::QueueManager) {
        for row in attributes::stored(object_type).filter(|row| row.is_settable() && !row.is_secret) {
            let taken = others(row);
            if taken.is_empty() {
                // Text that only blank is taken for, or a word without an alternative.
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
    // A pipe has a user for messages that come in, with a short name.
    let mut value = value;
    if object_type == ObjectType::Pipe && row.keyword == "MCAUSER" {
        settings.push(setting(object_type, "DIRECT", Value::Integer(attributes::PIPE_DIRECTION_IN)));
        value = Value::from("It's 'a' b");
    }
    // One name for AMQP clients leads to one object.
    let value = if row.keyword == "AMQPNAME" { Value::from(&*format!("It's-{number}")) } else { value };
    settings.push(Setting { attribute: row, value });
    let mut definition = Definition::new(object_type, name.parse().unwrap(), Moment::default());
    definition.define(&settings, Moment::default()).ok()?;
    let name = match object_type.family() {
        Family::Subscription => mqsc::Name::Subscription(name.into()),
        _ => mqsc::Name::Object(name.parse().unwrap()),
    };
    let replace = mqsc::Replace::Unsaid;
    Some(Command::Define(mqsc::Define { object_type, name, replace, like: None, settings }))
}

fn manager_with_each_attribute() -> Command {
    let object_type = ObjectType::QueueManager;
    let rows = attributes::stored(object_type).filter(|row| row.is_settable() && !row.is_secret);
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
fn every_attribute_that_a_definition_says_is_shown_as_it_was_said() {
    let bench = Bench::new();
    let (commands, _) = objects_with_each_attribute();
    bench.run(&commands);
    for command in &commands {
        let Command::Define(define) = command else { panic!("{command}") };
        let family = define.object_type.family();
        let question = format!("DISPLAY {}('{}') ALL", family.keyword(), define.name);
        let response = bench.open(bench.manager.execute(&mqsc::parse(&question).unwrap()[0]));
        // A subscription that ends at once is gone.
        let ends =
            |setting: &Setting| setting.attribute.keyword == "EXPIRY" && setting.value == Value::Integer(0);
        if family == Family::Subscription && define.settings.iter().any(ends) {
            continue;
        }
        assert_eq!(response.rows.len(), 1, "{question}: {response}");
        for Setting { attribute, value } in &define.settings {
            let shown = response.rows[0].get(attribute.keyword);
            assert_eq!(shown, Some(value), "{} of {command}", attribute.keyword);
        }
    }
}

/// The value of one attribute that a subscription shows.
fn shown(bench: &Bench, name: &str, keyword: &str) -> String {
    let question = mqsc::parse(&format!("DISPLAY SUB('{name}') ALL")).unwrap().remove(0);
    let response = bench.open(bench.manager.execute(&question));
    let value = response.rows[0].get(keyword).unwrap_or_else(|| panic!("{keyword} of {response}"));
    value.as_text().unwrap().to_owned()
}

#[test]
fn a_subscription_keeps_its_topic_object_and_shows_whose_messages_it_gets() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(A) DEFINE TOPIC(PRICE) TOPICSTR('price')
         DEFINE SUB('below') TOPICOBJ(PRICE) TOPICSTR('+') DEST(A)
         DEFINE SUB('like') LIKE('below')
         DEFINE SUB('other') LIKE('below') TOPICSTR('tin')
         DEFINE SUB('said') TOPICSTR('price/tin') DEST(A) \
            DESTCORL(414243000000000000000000000000000000000000000000)",
    );
    for (name, object, text) in [
        ("below", "PRICE", "+"),
        ("like", "PRICE", "+"),
        ("other", "PRICE", "tin"),
        ("said", "", "price/tin"),
    ] {
        assert_eq!(shown(&bench, name, "TOPICOBJ"), object, "{name}");
        assert_eq!(shown(&bench, name, "TOPICSTR"), text, "{name}");
    }
    let identifier = shown(&bench, "below", "SUBID");
    assert_eq!(shown(&bench, "below", "DESTCORL"), identifier);
    assert!(identifier.chars().any(|digit| digit != '0'), "{identifier}");
    assert_eq!(&shown(&bench, "said", "DESTCORL")[..6], "414243");
    assert!(shown(&bench, "SYSTEM.DEFAULT.SUB", "DESTCORL").chars().all(|digit| digit == '0'));
    let by_correlation = format!("DISPLAY SUB(*) WHERE(DESTCORL EQ {identifier})");
    let found = bench.open(bench.manager.execute(&mqsc::parse(&by_correlation).unwrap()[0]));
    assert_eq!(found.rows.len(), 1, "{found}");

    // The identifier is given anew with each subscription; what was said is in the script and comes back.
    let script = bench.configuration().script();
    assert!(script.contains("TOPICOBJ('PRICE')") && script.contains("TOPICSTR('+')"), "{script}");
    assert!(script.contains("414243") && !script.contains(&identifier), "{script}");
    let again = Bench::new();
    again.run(&mqsc::parse(&script).unwrap_or_else(|errors| panic!("{errors}")));
    assert_eq!(shown(&again, "below", "TOPICOBJ"), "PRICE");
    assert_eq!(shown(&again, "below", "DESTCORL"), shown(&again, "below", "SUBID"));
    assert!(bench.configuration() == again.configuration());

    // Without its topic object it stays where it is, and what is shown makes it again.
    bench.mqsc("DELETE TOPIC(PRICE)");
    for topic in ["", "DEFINE TOPIC(PRICE) TOPICSTR('weather')"] {
        if !topic.is_empty() {
            bench.mqsc(topic);
        }
        assert_eq!(shown(&bench, "below", "TOPICOBJ"), "");
        assert_eq!(shown(&bench, "below", "TOPICSTR"), "price/+");
    }
    again.run(&mqsc::parse(&bench.configuration().script()).unwrap());
    assert_eq!(shown(&again, "below", "TOPICSTR"), "price/+");
    // A new program's log has the whole topic string too.
    let bench = bench.crash(platform::simulated::Survival::Nothing);
    assert_eq!(shown(&bench, "other", "TOPICSTR"), "price/tin");
    bench.mqsc("DELETE TOPIC(PRICE) DEFINE TOPIC(PRICE) TOPICSTR('price')");
    assert_eq!(shown(&bench, "other", "TOPICOBJ"), "PRICE");
}

#[test]
fn a_subscription_of_a_program_shows_its_topic_object() {
    let bench = Bench::new();
    bench.mqsc("DEFINE TOPIC(PRICE) TOPICSTR('price')");
    let mut one = bench.connect();
    let options =
        mqi::SubscribeOptions::CREATE | mqi::SubscribeOptions::MANAGED | mqi::SubscribeOptions::DURABLE;
    let descriptor = mqi::SubscriptionDescriptor {
        object_name: "PRICE".parse().unwrap(),
        name: "mine".into(),
        ..mqi::SubscriptionDescriptor::to("tin", options)
    };
    let subscribed = one.connection.subscribe(&descriptor, None);
    bench.open(subscribed).unwrap();
    assert_eq!(shown(&bench, "mine", "TOPICOBJ"), "PRICE");
    assert_eq!(shown(&bench, "mine", "TOPICSTR"), "tin");
    assert_eq!(shown(&bench, "mine", "DESTCORL"), shown(&bench, "mine", "SUBID"));
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
