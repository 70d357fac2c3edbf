use bytes::Bytes;
use formats::headers::{Chain, DescriptorExtension, Header as FormatHeader, Place, TransmissionHeader};
use formats::properties::Property;
use mqi::properties::{CopyOptions, PropertyDescriptor, PropertyType, PropertyValue};

use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, Persistence, Priority, PutApplicationType, ReportOptions, Text, constants,
};
use proptest::prelude::*;

use super::*;
use crate::refusal::{DeadReason, Refusal};

const NOW: i64 = 1_780_000_000_000;

fn text<const N: usize>() -> impl Strategy<Value = Text<N>> {
    prop_oneof![".{0,48}", "[A-Z0-9./%]{0,48}", "(queue://[A-Z/?]{0,9}|topic://a|\n\t.{0,5})"]
        .prop_map(|text| Text::truncated(&text))
}

fn identifiers() -> impl Strategy<Value = [u8; 24]> {
    prop_oneof![Just([0; 24]), any::<[u8; 24]>()]
}

prop_compose! {
    fn origins()(
        user in text::<12>(), token in any::<[u8; 32]>(), identity in text::<32>(), kind in any::<i32>(),
        name in text::<28>(), origin in text::<4>(),
        moment in prop_oneof![Just(("20260203", "12345678")), Just(("20260203", "23595999")), Just(("", "")), Just(("no date", "no time"))],
    ) -> MessageDescriptor {
        MessageDescriptor {
            user_identifier: user,
            accounting_token: AccountingToken(token),
            application_identity_data: identity.into(),
            put_application_type: PutApplicationType(kind),
            put_application_name: name,
            put_date: Text::truncated(moment.0),
            put_time: Text::truncated(moment.1),
            application_origin_data: origin,
            ..MessageDescriptor::default()
        }
    }
}

prop_compose! {
    fn descriptors()(
        origin in origins(),
        (message, correlation, group) in (identifiers(), identifiers(), identifiers()),
        (reply_to, manager, format) in (text::<48>(), text::<48>(), prop_oneof![Just(Text::truncated("MQSTR")), text::<8>()]),
        (ccsid, encoding, report, flags) in (prop_oneof![Just(1208), any::<i32>()], any::<i32>(), any::<i32>(), any::<i32>()),
        kind in prop_oneof![1..=8_i32, 65_536..=999_999_999],
        feedback in prop_oneof![Just(0), 1..=65_535_i32, 65_536..=999_999_999],
        (priority, persistence) in (-1..=12_i32, -1..=1_i32),
        expiry in prop_oneof![Just(-1), 1..=i32::MAX],
        (backout, sequence, offset, length) in (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>()),
    ) -> MessageDescriptor {
        let persistence = match persistence {
            -1 => Persistence::AsQueueDefault,
            0 => Persistence::NotPersistent,
            _ => Persistence::Persistent,
        };
        MessageDescriptor {
            report: ReportOptions::from_bits(report),
            message_type: MessageType(kind),
            expiry: Expiry::from_code(expiry).unwrap(),
            feedback: Feedback(feedback),
            encoding: Encoding(encoding),
            coded_character_set: ccsid,
            format,
            priority: Priority::from_code(priority).unwrap(),
            persistence,
            message_id: MessageId(message),
            correlation_id: CorrelationId(correlation),
            backout_count: backout,
            reply_to_queue: reply_to.into(),
            reply_to_queue_manager: manager.into(),
            group_id: GroupId(group).into(),
            message_sequence_number: sequence,
            offset,
            message_flags: MessageFlags::from_bits(flags),
            original_length: length,
            ..origin
        }
    }
}

fn values() -> impl Strategy<Value = PropertyValue> {
    prop_oneof![
        Just(PropertyValue::Null),
        any::<bool>().prop_map(PropertyValue::Boolean),
        proptest::collection::vec(any::<u8>(), 0..20).prop_map(|bytes| PropertyValue::Bytes(bytes.into())),
        "[a-z]{0,5}".prop_map(|text| PropertyValue::Bytes(text.into_bytes().into())),
        any::<i8>().prop_map(PropertyValue::Int8),
        any::<i16>().prop_map(PropertyValue::Int16),
        any::<i32>().prop_map(PropertyValue::Int32),
        any::<i64>().prop_map(PropertyValue::Int64),
        any::<i16>().prop_map(|number| PropertyValue::Float32(f32::from(number) / 8.0)),
        any::<f64>()
            .prop_filter("a number equals itself", |number| !number.is_nan())
            .prop_map(PropertyValue::Float64),
        prop_oneof![".{0,30}", "[ \r\n\t%;=]{0,6}", "-?[0-9]{1,4}"].prop_map(PropertyValue::Text),
    ]
}

prop_compose! {
    fn properties()(
        rows in proptest::collection::btree_map(
            "(usr|shop|mcd)(\\.[a-zA-Z_$x5F2D][a-z0-9_$x-]{0,8}){1,3}|usr\\.n{256}",
            (values(), any::<bool>(), any::<bool>(), 0..3_u8),
            0..6,
        ),
    ) -> Vec<Property> {
        rows.into_iter().map(|(name, (value, is_user_context, is_required, odd))| {
            let is_odd = odd == 0;
            let descriptor = if is_odd {
                let support = if is_required { constants::MQPD_SUPPORT_REQUIRED } else { constants::MQPD_SUPPORT_OPTIONAL };
                PropertyDescriptor { support, is_user_context, copy: CopyOptions::REPLY }
            } else {
                PropertyDescriptor::default()
            };
            let is_text = value.kind() == PropertyType::Text;
            let foreign_type = (odd == 1 && is_text && is_required).then(|| "x-y".to_owned());
            Property { name, value, descriptor, foreign_type }
        }).collect()
    }
}

prop_compose! {
    fn messages()(
        descriptor in descriptors(),
        properties in properties(),
        body in prop_oneof![Just(Vec::new()), proptest::collection::vec(any::<u8>(), 0..3_000), ".{0,60}".prop_map(String::into_bytes)],
        (hops, is_null) in (0..HOPS_MAX, any::<bool>()),
        key in proptest::option::of(proptest::collection::vec(any::<u8>(), 0..9)),
        reply_to in proptest::option::of("[a-z/]{49,300}|\n.{60}"),
    ) -> Message {
        let is_null = is_null && body.is_empty();
        let trail = Trail { hops, key: key.map(Bytes::from), is_null, reply_to };
        Message { descriptor, properties, body: body.into(), trail }
    }
}

fn trusted() -> Inward {
    Inward { keeps_context: true, ..Inward::default() }
}

/// The message as it comes back: the properties in the order of their names, and a bridge more.
fn returned(message: &Message, form: Form) -> Message {
    let sent = outward(message, form, &Outward::default(), NOW).expect("a message within the limits");
    let received = inward(&sent.message, form, &trusted(), NOW).expect("what went out comes in");
    assert_eq!(received.ignored, 0, "{:#?}", sent.message);
    let mut back = received.message;
    back.trail.hops -= 1;
    back.properties.sort_by(|one, other| one.name.cmp(&other.name));
    back
}

fn reason<T: std::fmt::Debug>(result: Result<T, Refusal>) -> i32 {
    match result.expect_err("it is refused") {
        Refusal::Permanent { reason, text } => {
            assert!(!text.is_empty());
            reason.0
        }
        Refusal::Transient(text) => panic!("it would be tried for ever: {text}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_field_property_and_body_comes_back_from_every_system(message in messages()) {
        for form in Form::ALL {
            prop_assert_eq!(&returned(&message, form), &message, "{:?}", form);
        }
    }

    #[test]
    fn a_message_is_put_together_as_it_was_taken_apart(message in messages()) {
        let descriptor = MessageDescriptor {
            format: Text::truncated("MQSTR"), encoding: Encoding::NATIVE, coded_character_set: 1208, ..message.descriptor
        };
        let mut message = Message { descriptor, ..message };
        // Folders of programs have no word for the support of a property.
        message.properties.iter_mut().for_each(|property| property.descriptor.support = constants::MQPD_SUPPORT_OPTIONAL);
        let (descriptor, body) = envelope::put_together(&message).unwrap();
        let mut back = envelope::take_apart(descriptor, &body).unwrap();
        back.properties.sort_by(|one, other| one.name.cmp(&other.name));
        prop_assert_eq!(back, message);
    }

    #[test]
    fn headers_of_foreign_programs_come_back_under_their_names(
        rows in proptest::collection::btree_map("[a-zA-Z_x5F2D.$-]{1,20}", "[ -~]{0,20}", 0..8),
        body in proptest::collection::vec(any::<u8>(), 0..50),
    ) {
        let headers: Vec<Header> = rows.iter().map(|(name, text)| Header {
            name: name.clone(), value: PropertyValue::Bytes(text.clone().into_bytes().into()),
        }).collect();
        let foreign = ForeignMessage { body: Some(body.into()), headers: headers.clone(), ..ForeignMessage::default() };
        let received = inward(&foreign, Form::Kafka, &Inward::default(), NOW).unwrap();
        let sent = outward(&received.message, Form::Kafka, &Outward::default(), NOW).unwrap().message;
        prop_assert_eq!(sent.body, foreign.body);
        for header in headers.iter().filter(|header| !header.name.starts_with("ferry-")) {
            prop_assert!(sent.headers.contains(header), "{:?} in {:?}", header, sent.headers);
        }
    }

    #[test]
    fn any_headers_become_a_message_or_a_refusal(
        rows in proptest::collection::vec(("(ferry-[a-z-]{1,12}|JMS_IBM_Format|.{0,9})", values()), 0..20),
        lifetime in any::<Option<i64>>(), reply_to in proptest::option::of(".{0,60}"),
    ) {
        let headers = rows.into_iter().map(|(name, value)| Header { name, value }).collect();
        let native = NativeFields { lifetime, reply_to, ..NativeFields::default() };
        let foreign = ForeignMessage { headers, native, ..ForeignMessage::default() };
        for form in Form::ALL {
            if let Ok(received) = inward(&foreign, form, &trusted(), NOW) {
                let (_, _) = envelope::put_together(&received.message).unwrap();
            }
        }
    }
}

#[test]
fn bodies_to_four_megabytes_in_every_character_set_come_back_byte_by_byte() {
    for ccsid in [37, 500, 819, 850, 1200, 1208, 1252, 5026] {
        for length in [0, 1, 65_535, 4 * 1024 * 1024] {
            let body: Vec<u8> = (0..length).map(|at: usize| (at % 251) as u8).collect();
            let descriptor = MessageDescriptor {
                format: MessageDescriptor::string_format(),
                coded_character_set: ccsid,
                ..MessageDescriptor::default()
            };
            let message =
                Message { descriptor, properties: Vec::new(), body: body.into(), trail: Trail::default() };
            for form in Form::ALL {
                assert!(returned(&message, form) == message, "{ccsid} {length} {form:?}");
            }
        }
    }
}

fn plain(body: &str) -> Message {
    let descriptor = MessageDescriptor {
        format: MessageDescriptor::string_format(),
        coded_character_set: 1208,
        ..MessageDescriptor::default()
    };
    let body = Bytes::copy_from_slice(body.as_bytes());
    Message { descriptor, properties: Vec::new(), body, trail: Trail::default() }
}

fn header<'m>(message: &'m ForeignMessage, name: &str) -> Option<&'m PropertyValue> {
    message.headers.iter().find(|header| header.name == name).map(|header| &header.value)
}

#[test]
fn native_fields_say_what_foreign_programs_read() {
    let mut message = plain("hello");
    message.descriptor.persistence = Persistence::Persistent;
    message.descriptor.priority = Priority::new(7);
    message.descriptor.expiry = Expiry::tenths(50);
    message.descriptor.message_id = MessageId([0xAB; 24]);
    message.descriptor.reply_to_queue = "ANSWERS".parse().unwrap();
    message.descriptor.put_date = Text::truncated("20260203");
    message.descriptor.put_time = Text::truncated("12345678");
    let sent = |form| outward(&message, form, &Outward::default(), NOW).unwrap().message;
    let rabbit = sent(Form::RabbitMq);
    assert_eq!(rabbit.native.message_id, Some(Identifier::Text("AB".repeat(24))));
    assert_eq!((rabbit.native.is_durable, rabbit.native.priority), (Some(true), Some(7)));
    assert_eq!((rabbit.native.lifetime, rabbit.native.reply_to.as_deref()), (Some(5_000), Some("ANSWERS")));
    assert_eq!(rabbit.native.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    // The second is exact there, and the rest comes back by a header.
    assert_eq!(rabbit.native.created, Some(1_770_122_096_000));
    assert!(header(&rabbit, "ferry-put-time").is_some());
    let amqp = sent(Form::Amqp);
    assert_eq!(amqp.native.message_id, Some(Identifier::Bytes(vec![0xAB; 24].into())));
    assert_eq!(amqp.native.created, Some(1_770_122_096_780));
    assert_eq!(header(&amqp, "ferry-put-time"), None);
    let kafka = sent(Form::Kafka);
    assert_eq!(kafka.native, NativeFields { created: Some(1_770_122_096_780), ..NativeFields::default() });
    let bytes = |text: &str| Some(PropertyValue::Bytes(Bytes::copy_from_slice(text.as_bytes())));
    assert_eq!(header(&kafka, "ferry-msgid").cloned(), bytes(&"AB".repeat(24)));
    assert_eq!(header(&kafka, "ferry-reply-to").cloned(), bytes("ANSWERS"));
    assert_eq!(header(&kafka, "ferry-expires").cloned(), bytes(&(NOW + 5_000).to_string()));
    assert_eq!(header(&kafka, "ferry-format").cloned(), bytes("MQSTR"));
}

#[test]
fn conversion_is_that_which_the_pipe_asks_for() {
    let mut message = plain("");
    message.descriptor.coded_character_set = 850;
    message.body = Bytes::from_static(&[b'a', 0x84]);
    let sent = |message: &Message, convert| {
        outward(message, Form::Kafka, &Outward { convert, ..Outward::default() }, NOW)
    };
    assert_eq!(sent(&message, Convert::No).unwrap().message.body.unwrap(), [b'a', 0x84][..]);
    assert_eq!(sent(&message, Convert::Utf8).unwrap().message.body.unwrap(), "a\u{e4}");
    // A set that is not known here.
    message.descriptor.coded_character_set = 31_337;
    let kept = sent(&message, Convert::Utf8).unwrap();
    assert!(kept.is_unconverted && kept.message.body.unwrap() == [b'a', 0x84][..]);
    assert_eq!(reason(sent(&message, Convert::Strict)), 2110);
    // What is no text goes as it is, whatever is asked for.
    message.descriptor.format = Text::BLANK;
    assert!(!sent(&message, Convert::Strict).unwrap().is_unconverted);
}

#[test]
fn a_key_is_made_of_what_the_pipe_names() {
    let mut message = plain("x");
    message.descriptor.message_id = MessageId([1; 24]);
    message.properties.push(Property {
        name: "usr.customer".to_owned(),
        value: PropertyValue::Int32(7),
        descriptor: PropertyDescriptor::default(),
        foreign_type: None,
    });
    let key =
        |key, form| outward(&message, form, &Outward { key, ..Outward::default() }, NOW).unwrap().message.key;
    let property = |name: &str| Key::Property(name.to_owned());
    assert_eq!(key(Key::None, Form::Kafka), None);
    assert_eq!(key(Key::MessageId, Form::Kafka), Some(vec![1; 24].into()));
    assert_eq!(key(Key::CorrelationId, Form::Kafka), None);
    assert_eq!(key(property("usr.customer"), Form::Kafka), Some("7".into()));
    assert_eq!(key(property("usr.none"), Form::Kafka), None);
    assert_eq!(key(Key::MessageId, Form::RabbitMq), None);
}

#[test]
fn names_that_are_no_destination_are_refused_with_2085() {
    for (form, name) in [
        (Form::Kafka, "a b"),
        (Form::Kafka, "a\0b"),
        (Form::Kafka, ".."),
        (Form::Kafka, ""),
        (Form::Nats, "a.*"),
        (Form::Nats, "a.>"),
        (Form::Nats, "a..b"),
        (Form::Nats, "$JS.API.STREAM.DELETE.x"),
        (Form::Nats, "a\r\nPUB b"),
        (Form::RabbitMq, "x/a.#"),
        (Form::RabbitMq, "x/*"),
        (Form::RabbitMq, "a\0"),
        (Form::Amqp, "a.>"),
        (Form::Amqp, "a/#"),
        (Form::Amqp, "a b"),
        (Form::Amqp, ""),
    ] {
        assert_eq!(reason(form.judge_destination(name)), 2085, "{form:?} {name:?}");
    }
    for form in Form::ALL {
        assert_eq!(reason(form.judge_destination(&"n".repeat(1_025))), 2085, "{form:?}");
        assert_eq!(form.judge_destination("orders.eu"), Ok(()), "{form:?}");
    }
    assert_eq!(reason(Form::Kafka.judge_destination(&"n".repeat(300))), 2085);
    assert_eq!(
        Form::RabbitMq.judge_destination("exchange/orders.*eu"),
        Ok(()),
        "a word with an asterisk is no pattern"
    );
}

#[test]
fn a_message_beyond_a_limit_is_refused_either_way() {
    let large = Outward { body_bytes_max: Some(3), ..Outward::default() };
    assert_eq!(reason(outward(&plain("four"), Form::Kafka, &large, NOW)), 2218);
    let property = |name: String, value| Property {
        name,
        value,
        descriptor: PropertyDescriptor::default(),
        foreign_type: None,
    };
    let mut message = plain("x");
    message
        .properties
        .push(property("usr.a".to_owned(), PropertyValue::Text("v".repeat(VALUE_BYTES_MAX + 1))));
    assert_eq!(reason(outward(&message, Form::Nats, &Outward::default(), NOW)), 2218);
    message.properties =
        (0..=HEADERS_MAX).map(|at| property(format!("usr.p{at}"), PropertyValue::Null)).collect();
    assert_eq!(reason(outward(&message, Form::Amqp, &Outward::default(), NOW)), 2218);
    message.properties.clear();
    message.trail.hops = HOPS_MAX;
    assert_eq!(reason(outward(&message, Form::Kafka, &Outward::default(), NOW)), 282);

    let header = |name: &str, text: &str| Header {
        name: name.to_owned(),
        value: PropertyValue::Text(text.to_owned()),
    };
    let foreign =
        |headers| ForeignMessage { body: Some("four".into()), headers, ..ForeignMessage::default() };
    let taken = |foreign: &ForeignMessage, settings: &Inward| inward(foreign, Form::RabbitMq, settings, NOW);
    let small = Inward { body_bytes_max: Some(3), ..Inward::default() };
    assert_eq!(reason(taken(&foreign(Vec::new()), &small)), 2218);
    let many = (0..10_000).map(|at| header(&format!("h{at}"), "v")).collect();
    assert_eq!(reason(taken(&foreign(many), &Inward::default())), 2110);
    for hops in ["65", "256", "-1", "x"] {
        assert_eq!(
            reason(taken(&foreign(vec![header("ferry-hops", hops)]), &Inward::default())),
            282,
            "{hops}"
        );
    }
    assert!(taken(&foreign(vec![header("ferry-hops", "64")]), &Inward::default()).is_ok());
}

#[test]
fn a_message_that_is_over_is_an_expired_one_and_never_comes_in() {
    let expired = constants::MQFB_EXPIRATION;
    let over = |expires: Option<&str>, lifetime| {
        let headers = expires.map(|text| Header {
            name: "ferry-expires".to_owned(),
            value: PropertyValue::Text(text.to_owned()),
        });
        let native = NativeFields { lifetime, ..NativeFields::default() };
        let foreign =
            ForeignMessage { headers: headers.into_iter().collect(), native, ..ForeignMessage::default() };
        inward(&foreign, Form::Amqp, &Inward::default(), NOW)
            .map(|received| received.message.descriptor.expiry.code())
    };
    assert_eq!(reason(over(None, Some(-1))), expired);
    assert_eq!(reason(over(None, Some(0))), expired);
    assert_eq!(reason(over(Some("1"), Some(60_000))), expired, "its own time counts, not that of the system");
    assert_eq!(over(Some(&(NOW + 100).to_string()), Some(60_000)), Ok(1));
    assert_eq!(over(None, Some(i64::MAX)), Ok(-1));
    assert_eq!(over(Some("soon"), None), Ok(-1));
}

#[test]
fn what_a_foreign_program_forges_decides_nothing() {
    let header = |name: &str, value: &str| Header {
        name: name.to_owned(),
        value: PropertyValue::Text(value.to_owned()),
    };
    let headers = vec![
        header("ferry-user", "mqm"),
        header("ferry-appl-type", "7"),
        header("ferry-put-date", "19700101"),
        header("ferry-accounting-token", &"FF".repeat(32)),
        header("ferry-feedback", "-7"),
        header("ferry-msgtype", "0"),
        header("ferry-reply-to", "SYSTEM.ADMIN.COMMAND.QUEUE"),
        header("ferry-property-1", "ferry.Hops;1;0;22;i4;-5"),
        header("ferry-none", "x"),
        header("ferry.Hops", "0"),
        header("x-trace", "one"),
        header("x-trace", "two"),
    ];
    let foreign = ForeignMessage { headers, ..ForeignMessage::default() };
    let Received { message, ignored } = received(&foreign, &Inward::default());
    let expected = MessageDescriptor {
        // An address is text: it is neither opened nor looked up.
        reply_to_queue: "SYSTEM.ADMIN.COMMAND.QUEUE".parse().unwrap(),
        persistence: Persistence::Persistent,
        ..MessageDescriptor::default()
    };
    assert_eq!(message.descriptor, expected);
    assert_eq!((ignored, message.trail.hops), (5, 0));
    let trace = &message.properties[..];
    assert_eq!(
        (trace.len(), &trace[0].value),
        (1, &PropertyValue::Text("two".to_owned())),
        "the last one counts"
    );
    assert_eq!(received(&foreign, &trusted()).message.descriptor.user_identifier, "mqm");
}

fn received(foreign: &ForeignMessage, settings: &Inward) -> Received {
    inward(foreign, Form::RabbitMq, settings, NOW).unwrap()
}

#[test]
fn a_tombstone_is_an_empty_message_that_goes_on_as_one() {
    let foreign = ForeignMessage { key: Some("k".into()), ..ForeignMessage::default() };
    let message = inward(&foreign, Form::Kafka, &Inward::default(), NOW).unwrap().message;
    assert!(message.body.is_empty() && message.trail.is_null);
    let (descriptor, body) = envelope::put_together(&message).unwrap();
    let kept = envelope::take_apart(descriptor, &body).unwrap();
    assert_eq!(kept, message, "queues keep it");
    let sent = outward(&kept, Form::Kafka, &Outward::default(), NOW).unwrap().message;
    assert_eq!((sent.body, sent.key), (None, Some("k".into())));
}

#[test]
fn a_value_that_is_no_text_is_bytes() {
    let value = PropertyValue::Bytes(Bytes::from_static(&[0xFF, 0xFE]));
    let foreign = ForeignMessage {
        headers: vec![Header { name: "raw".to_owned(), value: value.clone() }],
        ..ForeignMessage::default()
    };
    let message = inward(&foreign, Form::Kafka, &Inward::default(), NOW).unwrap().message;
    assert_eq!(message.properties[0].value, value);
}

#[test]
fn the_message_that_one_on_a_connector_queue_carries_is_whole() {
    let mut own = plain("body").descriptor;
    own.message_flags = MessageFlags::MSG_IN_GROUP;
    own.group_id = GroupId([9; 24]).into();
    let extension = FormatHeader::DescriptorExtension(DescriptorExtension {
        following: Place::of(&own),
        flags: 0,
        group_id: GroupId([9; 24]),
        message_sequence_number: 3,
        offset: 0,
        message_flags: MessageFlags::MSG_IN_GROUP,
        original_length: -1,
    });
    let transmission = FormatHeader::Transmission(Box::new(TransmissionHeader {
        remote_queue: Text::truncated("orders"),
        remote_queue_manager: Text::truncated("K1"),
        descriptor: own.clone(),
    }));
    let chain = Chain { headers: vec![transmission, extension], place: Place::of(&own), data: "body".into() };
    let (place, body) = chain.write(Encoding::NATIVE, 1208).unwrap();
    let mut outer = MessageDescriptor { expiry: Expiry::tenths(7), ..MessageDescriptor::default() };
    place.describe(&mut outer);
    let opened = envelope::open(&outer, &body).unwrap();
    assert_eq!((opened.queue.as_str(), opened.queue_manager.as_str()), ("orders", "K1"));
    let carried = &opened.message.descriptor;
    assert_eq!((carried.message_sequence_number, carried.group_id.0), (3, [9; 24]));
    assert_eq!((carried.expiry, carried.format.as_str()), (Expiry::tenths(7), "MQSTR"));
    assert_eq!(opened.message.body, "body");
    for cut in [0, 4, 100, 427] {
        assert_eq!(reason(envelope::open(&outer, &body.slice(..cut))), 271, "{cut} bytes");
    }
    assert_eq!(reason(envelope::open(&plain("x").descriptor, &"x".into())), 271);
}

#[test]
fn headers_past_the_body_and_without_end_are_dead_letters() {
    let own = plain("").descriptor;
    let folder = || formats::headers::RulesHeader2 {
        folders: vec!["<usr><a>1</a></usr>".to_owned()],
        ..formats::headers::RulesHeader2::before(Place::of(&own))
    };
    let of = |count| {
        let headers = (0..count).map(|_| FormatHeader::Rules2(folder())).collect();
        let chain = Chain { headers, place: Place::of(&own), data: "data".into() };
        let (place, body) = chain.write(Encoding::NATIVE, 1208).unwrap();
        let mut descriptor = own.clone();
        place.describe(&mut descriptor);
        (descriptor, body)
    };
    let (descriptor, body) = of(100);
    assert_eq!(reason(envelope::take_apart(descriptor, &body)), 2334);
    let (descriptor, body) = of(1);
    for cut in [8, 36, body.len() - 8] {
        assert_eq!(reason(envelope::take_apart(descriptor.clone(), &body.slice(..cut))), 2334, "{cut} bytes");
    }
    assert_eq!(envelope::take_apart(descriptor, &body).unwrap().properties.len(), 1);
}

#[test]
fn a_dead_letter_has_the_body_behind_its_header_in_any_encoding() {
    for (encoding, ccsid) in
        [(Encoding::NATIVE, 1208), (Encoding(0), 1200), (Encoding::NORMAL, 31_337), (Encoding::S390, 37)]
    {
        let descriptor =
            MessageDescriptor { encoding, coded_character_set: ccsid, ..MessageDescriptor::default() };
        let header = formats::headers::DeadLetterHeader {
            reason: DeadReason::TOO_LARGE.0,
            destination_queue: Text::truncated("orders"),
            destination_queue_manager: Text::truncated("K1"),
            following: Place::of(&descriptor),
            put_application_type: PutApplicationType::UNIX,
            put_application_name: Text::truncated("ferry-bridge"),
            put_date: Text::truncated("20260203"),
            put_time: Text::truncated("12345678"),
        };
        let (outer, body) = envelope::dead_letter(&descriptor, &"body".into(), header).unwrap();
        let chain = Chain::read(&Place::of(&outer), &body).unwrap();
        let FormatHeader::DeadLetter(read) = &chain.headers[0] else { panic!("{encoding:?} {ccsid}") };
        assert_eq!((read.reason, read.destination_queue.as_str()), (2218, "orders"));
        assert_eq!(
            (chain.place, &chain.data[..]),
            (Place::of(&descriptor), &b"body"[..]),
            "{encoding:?} {ccsid}"
        );
    }
}
