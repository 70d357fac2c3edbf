use super::*;
use mqi::constants::*;
use proptest::prelude::*;

use crate::attributes::{Kind, Subject};

const NOW: Moment = Moment(1_795_252_811);
const LATER: Moment = Moment(1_795_252_900);

fn name(text: &str) -> ObjectName {
    text.parse().unwrap()
}

fn row(object_type: ObjectType, keyword: &str) -> &'static Attribute {
    attributes::by_keyword(Subject::Object(object_type), keyword).unwrap()
}

fn set(definition: &mut Definition, keyword: &str, value: impl Into<Value>) {
    definition.set(row(definition.object_type(), keyword), value.into()).unwrap();
}

fn local() -> Definition {
    Definition::new(ObjectType::LocalQueue, name("DEV.QUEUE.1"), NOW)
}

#[test]
fn what_is_not_said_has_its_default_and_takes_no_room() {
    let mut definition = local();
    assert_eq!(definition.integer(MQIA_MAX_Q_DEPTH), 5_000);
    set(&mut definition, "MAXDEPTH", 7);
    assert_eq!((definition.integer(MQIA_MAX_Q_DEPTH), definition.changed().count()), (7, 1));
    set(&mut definition, "MAXDEPTH", 5_000);
    assert_eq!(definition, local());
}

#[test]
fn only_attributes_of_the_administrator_are_set_and_only_to_what_they_take() {
    let mut definition = local();
    let depth = row(ObjectType::LocalQueue, "MAXDEPTH");
    assert!(matches!(definition.set(depth, Value::Integer(-1)), Err(SettingError::Value(_))));
    assert!(matches!(definition.set(depth, Value::from("many")), Err(SettingError::Value(_))));
    let current = row(ObjectType::LocalQueue, "CURDEPTH");
    assert_eq!(
        definition.set(current, Value::Integer(0)),
        Err(SettingError::ReadOnly { keyword: "CURDEPTH" })
    );
    let target = row(ObjectType::AliasQueue, "TARGET");
    let refused = definition.set(target, Value::from("A"));
    assert_eq!(refused.unwrap_err().to_string(), "QLOCAL has no attribute TARGET");
    assert_eq!(definition, local());
}

#[test]
fn settings_are_applied_all_or_none() {
    let mut definition = local();
    let good = Setting { attribute: row(ObjectType::LocalQueue, "MAXDEPTH"), value: Value::Integer(1) };
    let bad = Setting { attribute: row(ObjectType::LocalQueue, "DEFPRTY"), value: Value::Integer(10) };
    assert!(definition.apply(&[good.clone(), bad], LATER).is_err());
    assert_eq!(definition, local());
    definition.apply(&[good], LATER).unwrap();
    assert_eq!((definition.integer(MQIA_MAX_Q_DEPTH), definition.altered()), (1, LATER));
}

#[test]
fn a_model_gives_its_values_to_the_queue_made_from_it() {
    let mut model = Definition::new(ObjectType::ModelQueue, name("MODEL"), NOW);
    set(&mut model, "MAXDEPTH", 9);
    set(&mut model, "DEFTYPE", MQQDT_PERMANENT_DYNAMIC);
    let queue = model.copy_as(ObjectType::LocalQueue, name("AMQ.1"), LATER);
    let attributes = QueueAttributes::new(&queue);
    assert_eq!(attributes.depth_max, 9);
    // SHARE and DEFSOPT of a model differ from those of a local queue when nothing was said.
    assert!(!attributes.shareable);
    assert_eq!(attributes.default_share, DefaultShare::Exclusive);
    // What the queue manager sets is not copied.
    assert_eq!(attributes.definition_type, DefinitionType::Predefined);
    assert_eq!(QueueAttributes::new(&model).definition_type, DefinitionType::PermanentDynamic);
}

#[test]
fn the_engine_reads_what_was_set() {
    let mut queue = local();
    set(&mut queue, "GET", MQQA_GET_INHIBITED);
    set(&mut queue, "MSGDLVSQ", MQMDS_FIFO);
    set(&mut queue, "BOQNAME", "BACK.OUT");
    set(&mut queue, "DEFPSIST", 1);
    let attributes = QueueAttributes::new(&queue);
    assert!(attributes.get_inhibited && !attributes.put_inhibited && attributes.default_persistent);
    assert_eq!(attributes.delivery_sequence, DeliverySequence::Fifo);
    assert_eq!(attributes.backout_queue, Some(name("BACK.OUT")));
    assert_eq!(attributes.message_bytes_max, 4_194_304);

    let mut alias = Definition::new(ObjectType::AliasQueue, name("ALIAS"), NOW);
    set(&mut alias, "TARGET", "DEV.QUEUE.1");
    let attributes = QueueAttributes::new(&alias);
    assert_eq!((attributes.target, attributes.target_type), (Some(name("DEV.QUEUE.1")), TargetType::Queue));

    let mut manager = Definition::new(ObjectType::QueueManager, name("QM1"), NOW);
    set(&mut manager, "DEADQ", "DEAD");
    let attributes = QueueManagerAttributes::new(&manager);
    assert_eq!((attributes.dead_letter_queue, attributes.handles_max), (Some(name("DEAD")), 256));
}

#[test]
fn a_definition_tells_its_name_type_and_dates() {
    let queue = local();
    for (keyword, expected) in [
        ("QUEUE", "DEV.QUEUE.1"),
        ("TYPE", "QLOCAL"),
        ("CRDATE", "2026-11-21"),
        ("CRTIME", "09.20.11"),
        ("SHARE", "SHARE"),
    ] {
        let row = row(ObjectType::LocalQueue, keyword);
        assert_eq!(queue.value(row).map(|value| value.shown(row)).as_deref(), Some(expected), "{keyword}");
    }
    assert_eq!(queue.value(row(ObjectType::LocalQueue, "CURDEPTH")), None);
}

#[test]
fn bytes_of_a_later_release_are_refused_by_what_is_new_in_them() {
    let mut queue = local();
    set(&mut queue, "MAXDEPTH", 7);
    let bytes = queue.encode();
    assert_eq!(Definition::decode(&bytes), Ok(queue.clone()));

    let changed = |index: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[index] = byte;
        Definition::decode(&bytes).unwrap_err().to_string()
    };
    assert_eq!(changed(0, 2), "the definition has format version 2; this release reads version 1");
    assert_eq!(changed(1, 200), "the definition is of object type 200, which this release does not know");
    let number = bytes.len() - 7;
    assert_eq!(
        changed(number + 1, 60),
        format!(
            "the definition of DEV.QUEUE.1 has attribute {}, which this release does not know for QLOCAL",
            60 * 256 + MQIA_MAX_Q_DEPTH
        )
    );
    assert_eq!(
        changed(bytes.len() - 1, 0xFF),
        "the definition of DEV.QUEUE.1 has a value for MAXDEPTH that it does not take"
    );
}

#[test]
fn every_cut_and_every_excess_is_an_error() {
    let mut queue = local();
    set(&mut queue, "DESCR", "orders of the day");
    let bytes = queue.encode();
    for length in 0..bytes.len() {
        let cut = Definition::decode(&bytes[..length]);
        assert!(matches!(cut, Err(DecodeError::Truncated { .. })), "{length}: {cut:?}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(matches!(Definition::decode(&longer), Err(DecodeError::Excess { excess: 1, .. })));
}

/// Any value a row takes.
pub(crate) fn value_of(row: &'static Attribute) -> BoxedStrategy<Value> {
    match row.kind {
        // The others become the sign, which tells nothing of them (`secrets`).
        Kind::Text { .. } if row.is_secret => Just(Value::from("")).boxed(),
        Kind::Integer { minimum, maximum, words } => {
            let special: Vec<i32> = words.iter().map(|word| word.value).collect();
            if special.is_empty() {
                (minimum..=maximum).prop_map(Value::Integer).boxed()
            } else {
                prop_oneof![minimum..=maximum, proptest::sample::select(special)]
                    .prop_map(Value::Integer)
                    .boxed()
            }
        }
        Kind::Choice { words } => {
            proptest::sample::select(words).prop_map(|word| Value::Integer(word.value)).boxed()
        }
        Kind::Switch { .. } => (0..=1).prop_map(Value::Integer).boxed(),
        Kind::Text { .. } if row.identifier_number() == MQCACH_SSL_CIPHER_SPEC => {
            proptest::sample::select(vec!["", "ANY_TLS13", "TLS_AES_128_CCM_SHA256"])
                .prop_map(Value::from)
                .boxed()
        }
        Kind::Text { length_max } => "[ -~äß]{0,64}"
            .prop_filter("short enough", move |text| text.len() <= length_max)
            .prop_map(|text| Value::from(text.as_str()))
            .boxed(),
        Kind::Bytes { length } => proptest::collection::vec(any::<u8>(), length)
            .prop_map(|bytes| {
                let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
                Value::from(digits.as_str())
            })
            .boxed(),
        Kind::Texts { length_max, count_max } => proptest::collection::vec("[!-~]{1,32}", 0..=count_max)
            .prop_map(move |texts| {
                Value::Texts(texts.iter().map(|text| text[..text.len().min(length_max)].into()).collect())
            })
            .boxed(),
        Kind::Names { count_max, .. } => {
            proptest::collection::vec("[A-Za-z0-9._/%]{1,48}", 0..=count_max.min(40))
                .prop_map(|names| Value::Texts(names.into_iter().map(Into::into).collect()))
                .boxed()
        }
        Kind::Words { words, count_max } => {
            proptest::collection::vec(proptest::sample::select(words), 1..=count_max)
                .prop_map(|words| Value::Integers(words.iter().map(|word| word.value).collect()))
                .boxed()
        }
        Kind::Name { length_max } => "[A-Za-z0-9._/%]{0,48}"
            .prop_map(move |text| Value::from(&text[..text.len().min(length_max)]))
            .boxed(),
    }
}

/// Any settings of a type, each attribute once.
pub(crate) fn settings_of(object_type: ObjectType) -> impl Strategy<Value = Vec<Setting>> {
    let rows: Vec<&'static Attribute> =
        attributes::stored(object_type).filter(|row| row.is_settable()).collect();
    let most = rows.len().min(12);
    proptest::sample::subsequence(rows, 0..=most).prop_flat_map(|rows| {
        rows.into_iter()
            .map(|attribute| value_of(attribute).prop_map(move |value| Setting { attribute, value }))
            .collect::<Vec<_>>()
    })
}

/// Any type of object that DEFINE makes.
pub(crate) fn object_type() -> impl Strategy<Value = ObjectType> {
    proptest::sample::select(ObjectType::definable().collect::<Vec<_>>())
}

/// Any definition.
fn definition() -> impl Strategy<Value = Definition> {
    any_definition_of(object_type())
}

/// Any definition of some types.
fn any_definition_of(types: impl Strategy<Value = ObjectType>) -> impl Strategy<Value = Definition> {
    types.prop_flat_map(|object_type| {
        let stamps = (any::<i64>(), any::<i64>());
        ("[A-Za-z0-9._/%]{1,48}", stamps, settings_of(object_type)).prop_map(
            move |(name, (created, altered), settings)| {
                let name = &name[..name.len().min(object_type.name_length_max())];
                let mut definition = Definition::new(object_type, name.parse().unwrap(), Moment(created));
                definition.apply(&settings, Moment(altered)).unwrap();
                if object_type == ObjectType::Subscription {
                    definition.set_internal(MQCACF_SUB_NAME, Value::from("a/subscription of ours"));
                }
                definition
            },
        )
    })
}

proptest! {
    #[test]
    fn a_definition_survives_its_bytes(definition in definition()) {
        let bytes = definition.encode();
        prop_assert_eq!(bytes.len(), definition.encoded_bytes());
        prop_assert_eq!(Definition::decode(&bytes), Ok(definition));
    }

    #[test]
    fn no_bytes_make_decoding_panic_and_what_decodes_encodes_the_same(
        definition in definition(),
        index in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = definition.encode();
        let index = index.index(bytes.len());
        bytes[index] = byte;
        if let Ok(decoded) = Definition::decode(&bytes) {
            prop_assert_eq!(decoded.encode(), bytes);
        }
    }

    #[test]
    fn the_command_that_makes_a_definition_makes_it_again(definition in definition()) {
        let commands = crate::mqsc::parse(&definition.to_mqsc()).unwrap();
        let settings = match commands.as_slice() {
            [crate::Command::Define(define)] => &define.settings,
            [crate::Command::Alter(alter)] => &alter.settings,
            other => panic!("{other:?}"),
        };
        let mut again =
            Definition::new(definition.object_type(), *definition.name(), definition.created());
        again.apply(settings, definition.altered()).unwrap();
        if let [crate::Command::Define(define)] = commands.as_slice()
            && definition.object_type() == ObjectType::Subscription
        {
            again.set_internal(MQCACF_SUB_NAME, Value::from(define.name.as_str()));
        }
        prop_assert_eq!(again, definition);
    }
}

/// The record that a command sets.
fn record(command: &str) -> Definition {
    let commands = crate::mqsc::parse(command).unwrap_or_else(|errors| panic!("{errors}"));
    let [crate::mqsc::Command::SetChannelRule(set)] = &commands[..] else { panic!("{command}") };
    Definition::channel_rule(&set.all_settings(), NOW).unwrap()
}

#[test]
fn a_record_of_channels_survives_its_bytes_and_the_command_that_makes_it() {
    for command in [
        "SET CHLAUTH('APP.*') TYPE(ADDRESSMAP) ADDRESS('10.*') USERSRC(CHANNEL) DESCR('its office')",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN',root) WARN(YES)",
        "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('10.1-8.*','::1')",
        "SET CHLAUTH(A) TYPE(SSLPEERMAP) SSLPEER('CN=\"a, b\",O=x*') SSLCERTI('CN=ca') MCAUSER(app)",
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('Alice Ames') USERSRC(NOACCESS)",
        "SET CHLAUTH(A) TYPE(QMGRMAP) QMNAME('QM*') ADDRESS('10.0.0.1') MCAUSER(qm) CUSTOM('x')",
    ] {
        let made = record(command);
        assert_eq!(Definition::decode(&made.encode()).as_ref(), Ok(&made), "{command}");
        assert_eq!(record(&made.to_mqsc()), made, "{}", made.to_mqsc());
    }
}

#[test]
fn records_of_different_partners_have_different_keys() {
    let commands = [
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('x 1:y') MCAUSER(u)",
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER(X) MCAUSER(u)",
        "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER(X) ADDRESS('10.*') MCAUSER(u)",
        "SET CHLAUTH(A) TYPE(QMGRMAP) QMNAME(X) MCAUSER(u)",
        "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('X') MCAUSER(u)",
        "SET CHLAUTH(AX) TYPE(USERMAP) CLNTUSER(' ') MCAUSER(u)",
    ];
    let keys: std::collections::BTreeSet<_> =
        commands.iter().map(|command| record(command).shown_name().to_owned()).collect();
    assert_eq!(keys.len(), commands.len(), "{keys:?}");
    let other = record("SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER(X) MCAUSER(v) DESCR('another')");
    assert!(keys.contains(other.shown_name()), "what a record gives does not tell it from others");
}

#[test]
fn a_definition_has_the_sign_of_a_secret_and_never_the_text() {
    let mut definition =
        Definition::new(ObjectType::LdapAuthentication, "L".parse().unwrap(), Moment::default());
    let row = attributes::by_keyword(Subject::Object(definition.object_type()), "LDAPPWD").unwrap();
    let kept = |definition: &Definition| definition.stored(row).as_text().unwrap().to_owned();
    definition.set(row, Value::from("hunter2")).unwrap();
    assert_eq!(kept(&definition), "********");
    definition.set(row, Value::from("********")).unwrap();
    assert_eq!(kept(&definition), "********", "the sign leaves it as it is");
    let bytes = definition.encode();
    assert!(!bytes.windows(7).any(|window| window == b"hunter2"));
    assert_eq!(Definition::decode(&bytes).unwrap(), definition);
    assert_eq!(kept(&definition.copy("M".parse().unwrap(), Moment::default())), "", "LIKE takes no secret");
    definition.set(row, Value::from("")).unwrap();
    definition.set(row, Value::from("********")).unwrap();
    assert_eq!(kept(&definition), "", "there is none to leave as it is");
    let long = definition.set(row, Value::from("x".repeat(33).as_str())).unwrap_err().to_string();
    assert_eq!(long, "LDAPPWD takes at most 32 bytes, this is 33");
}

#[test]
fn a_name_in_amqp_is_none_that_a_queue_can_have_and_is_not_given_to_copies() {
    let types = [
        (ObjectType::LocalQueue, true),
        (ObjectType::AliasQueue, true),
        (ObjectType::RemoteQueue, true),
        (ObjectType::Topic, true),
        (ObjectType::ModelQueue, false),
    ];
    for (object_type, has_it) in types {
        let found = attributes::by_keyword(Subject::Object(object_type), "AMQPNAME");
        assert_eq!(found.is_some(), has_it, "{object_type:?}");
        let Some(row) = found else { continue };
        let mut definition = Definition::new(object_type, name("ORDERS"), NOW);
        if object_type == ObjectType::Topic {
            set(&mut definition, "TOPICSTR", "orders");
        }
        assert_eq!(definition.amqp_name(), "");
        let given = |text: &str| vec![Setting { attribute: row, value: Value::from(text) }];
        let long = "a-".repeat(150);
        for (wrong, why) in [
            ("ORDERS.IN", "a queue can have this name"),
            ("orders\u{1}in", "control"),
            ("orders\0in", "control"),
            (long.as_str(), "300"),
            (" orders-in", "blank"),
            ("queue:///orders-in", "queue://"),
            ("orders-in?x=1", "question mark"),
        ] {
            let refused = definition.define(&given(wrong), LATER).unwrap_err().to_string();
            assert!(refused.contains(why), "{wrong:?}: {refused}");
            assert_eq!(definition.amqp_name(), "");
        }
        definition.define(&given("orders-in"), LATER).unwrap();
        assert_eq!(definition.amqp_name(), "orders-in");
        assert_eq!(Definition::decode(&definition.encode()).unwrap(), definition);
        assert!(definition.to_mqsc().ends_with(" AMQPNAME('orders-in')"), "{}", definition.to_mqsc());
        assert_eq!(definition.copy(name("COPY"), LATER).amqp_name(), "");
        definition.define(&given(" "), LATER).unwrap();
        assert_eq!(definition.amqp_name(), "");
    }
}
