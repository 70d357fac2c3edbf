use std::collections::BTreeMap;

use mqi::properties::PropertyValue;
use mqi::properties::identifier::{named, text_of};
use mqi::{CorrelationId, MessageDescriptor, Persistence, Priority, Reason};

use mqi::properties::Synonym::{CorrelationId as Correlation, MessageId};

use crate::{DEPTH_MAX, Key, LENGTH_MAX, Message, Selector, Truth};

fn descriptor() -> MessageDescriptor {
    MessageDescriptor {
        correlation_id: CorrelationId::from_bytes([0x0C; 24]),
        priority: Priority::new(7),
        persistence: Persistence::Persistent,
        format: MessageDescriptor::string_format(),
        ..Default::default()
    }
}

fn evaluate(selector: &str) -> Truth {
    let properties: BTreeMap<&str, PropertyValue> = [
        ("usr.colour", PropertyValue::Text("red".to_owned())),
        ("usr.quote", PropertyValue::Text("it's".to_owned())),
        ("usr.weight", PropertyValue::Int32(40)),
        ("usr.ratio", PropertyValue::Float64(2.5)),
        ("usr.urgent", PropertyValue::Boolean(true)),
        ("usr.nothing", PropertyValue::Null),
        ("usr.key", PropertyValue::Bytes(vec![0x0A, 0xFC, 0x23].into())),
        ("shop.item", PropertyValue::Text("chair".to_owned())),
        ("mcd.Type", PropertyValue::Text("order".to_owned())),
    ]
    .into();
    let descriptor = descriptor();
    let lookup = |name: &str| properties.get(name);
    Selector::parse(selector)
        .unwrap_or_else(|error| panic!("{selector}: {error}"))
        .evaluate(&Message { descriptor: &descriptor, properties: &lookup })
}

#[test]
fn conditions_have_three_truth_values() {
    for (selector, expected) in [
        ("colour = 'red'", Truth::True),
        ("usr.colour <> 'red'", Truth::False),
        ("quote = 'it''s'", Truth::True),
        ("weight > 39 AND weight <= 4E1", Truth::True),
        ("weight = 050", Truth::True),
        ("weight = 0x28", Truth::True),
        ("weight / 0 = 1", Truth::Unknown),
        ("weight * 2 + 1 = 81", Truth::True),
        ("-weight = -40", Truth::True),
        ("weight - -2 * 3 = 46", Truth::True),
        ("ratio * 2 = 5", Truth::True),
        ("ratio = 2.5d", Truth::True),
        ("weight = 40L", Truth::True),
        ("weight = -9223372036854775808", Truth::False),
        ("weight BETWEEN 40 AND 41", Truth::True),
        ("weight NOT BETWEEN 40 AND 41", Truth::False),
        ("missing BETWEEN 1 AND 2", Truth::Unknown),
        ("missing NOT BETWEEN 1 AND 2", Truth::Unknown),
        ("weight NOT BETWEEN missing AND 39", Truth::True),
        ("colour BETWEEN 1 AND 2", Truth::False),
        ("colour NOT BETWEEN 1 AND 2", Truth::False),
        ("weight NOT BETWEEN colour AND 39", Truth::True),
        ("weight NOT BETWEEN colour AND 41", Truth::False),
        ("urgent", Truth::True),
        ("NOT urgent", Truth::False),
        ("urgent = TRUE", Truth::True),
        ("colour", Truth::Unknown),
        ("missing = 1", Truth::Unknown),
        ("missing = 1 OR TRUE", Truth::True),
        ("missing = 1 AND FALSE", Truth::False),
        ("NOT missing = 1", Truth::Unknown),
        ("missing IS NULL", Truth::True),
        ("nothing IS NULL", Truth::True),
        ("colour IS NOT NULL", Truth::True),
        ("colour IN ('blue', 'red')", Truth::True),
        ("colour NOT IN ('blue')", Truth::True),
        ("missing IN ('a')", Truth::Unknown),
        ("weight IN ('40')", Truth::False),
        ("weight NOT IN ('40')", Truth::False),
        ("colour LIKE 'r_d'", Truth::True),
        ("colour NOT LIKE 'r%'", Truth::False),
        ("colour LIKE 'r!%' ESCAPE '!'", Truth::False),
        ("weight = '40'", Truth::False),
        ("weight <> '40'", Truth::False),
        ("NOT weight = '40'", Truth::True),
        ("key = \"0x0AFC23\"", Truth::True),
        ("key = \"0X0afc23\"", Truth::True),
        ("key = \"0x0AFC2300\"", Truth::False),
        ("shop.item = 'chair'", Truth::True),
        ("COLOUR = 'red'", Truth::Unknown),
        ("Root.MQMD.Priority = 7 and JMSPriority = 7", Truth::True),
        ("Root.MQMD.Format = 'MQSTR   '", Truth::True),
        ("Root.MQMD.Format IN ('MQSTR   ')", Truth::True),
        ("JMSDeliveryMode = 'PERSISTENT'", Truth::True),
        ("JMSType LIKE 'ord%'", Truth::True),
        ("(colour = 'red' OR weight = 1) AND (urgent OR missing)", Truth::True),
        ("9223372036854775807 + 1 > 0", Truth::Unknown),
    ] {
        assert_eq!(evaluate(selector), expected, "{selector}");
    }
    let identifier = "0C".repeat(24);
    assert_eq!(evaluate(&format!("Root.MQMD.CorrelId = \"0x{identifier}\"")), Truth::True);
    assert_eq!(evaluate(&format!("Root.MQMD.CorrelId = 0x{identifier}")), Truth::True);
    assert_eq!(evaluate("Root.MQMD.CorrelId = 0x0C0C"), Truth::False);
    assert_eq!(evaluate(&format!("JMSCorrelationID = 'ID:{}'", "0c".repeat(24))), Truth::True);
}

#[test]
fn an_error_points_at_the_word_and_says_why() {
    for (selector, expected) in [
        ("colour == 'red'", "at character 9, '=': expected a name, a value, NOT or '('"),
        (
            "colour != 'red'",
            "at character 8, '!': this character begins no word of a selector; not equal is written <>",
        ),
        ("colour = 'red", "at character 10, ''red': the closing ' is missing"),
        ("", "at character 1, where the text ends: expected a name, a value, NOT or '('"),
        ("größe = 1 AN größe = 2", "at character 11, 'AN': expected AND, OR or the end of the selector"),
        ("20 < b < 30", "at character 8, '<': expected AND, OR or the end of the selector"),
        (
            "weight = 09",
            "at character 10, '09': a number that begins with 0 is octal: it has digits 0 to 7 and fits in 64 bits",
        ),
        ("weight = 3x", "at character 10, '3x': neither a number nor a name: names begin with a letter"),
        (
            "key = \"0xAFC23\"",
            "at character 7, '\"0xAFC23\"': bytes are written as \"0x\" and pairs of hexadecimal digits, such as \"0x0AFF\"",
        ),
        ("colour > 'a'", "at character 10, ''a'': only numbers have an order; others compare with = and <>"),
        ("1 IN ('a')", "at character 1, '1': IN asks about a property: a name stands before it"),
        ("colour IN (1)", "at character 12, '1': expected a text in single quotes"),
        (
            "colour LIKE 'a' ESCAPE 'xy'",
            "at character 24, ''xy'': ESCAPE takes one character in single quotes",
        ),
        ("colour IS 1", "at character 11, '1': expected NULL after IS"),
        ("'a' + 1 = 2", "at character 1, ''a'': +, -, * and / compute with numbers"),
        ("weight + 1", "at character 1, 'weight + 1': this is a value where a condition is needed"),
        ("(a = 1) = TRUE", "at character 1, '(a = 1)': a condition is joined with AND and OR, not compared"),
        ("(a = 1", "at character 7, where the text ends: expected ')'"),
        ("a = NULL", "at character 5, 'NULL': expected a value: NULL stands after IS"),
        ("a NOT 1", "at character 7, '1': expected BETWEEN, IN or LIKE after NOT"),
        (
            "Root.MQMD.Nothing = 1",
            "at character 1, 'Root.MQMD.Nothing': this cannot be the name of a property: see the rules for names \
             (MQRC_PROPERTY_NAME_ERROR)",
        ),
    ] {
        let error = Selector::parse(selector).expect_err(selector);
        assert_eq!(error.to_string(), expected, "{selector}");
        assert_eq!(error.reason(), Reason::SELECTOR_SYNTAX_ERROR);
    }
    let content = Selector::parse("Root.XMLNSC.order.total > 5").expect_err("reads the body");
    assert_eq!(content.reason(), Reason::SELECTION_NOT_AVAILABLE);
}

#[test]
fn length_and_depth_are_bounded() {
    let padded = |length: usize| format!("a = 1{}", " ".repeat(length - 5));
    assert!(Selector::parse(&padded(LENGTH_MAX)).is_ok());
    let too_long = Selector::parse(&padded(LENGTH_MAX + 1)).expect_err("one byte too many");
    assert_eq!(too_long.reason(), Reason::SELECTION_STRING_ERROR);
    let nested = |depth: usize| format!("{}a = 1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Selector::parse(&nested(DEPTH_MAX)).is_ok());
    assert!(Selector::parse(&nested(DEPTH_MAX + 1)).is_err());
    assert!(Selector::parse(&"NOT ".repeat(DEPTH_MAX + 1)).is_err());
    assert!(Selector::parse(&format!("{}1 = a", "-".repeat(DEPTH_MAX + 1))).is_err());
    let long_chain = vec!["a"; LENGTH_MAX / 5].join(" OR ");
    assert!(Selector::parse(&long_chain).is_ok(), "a chain is not nesting");
}

/// The text whose bytes `HASHED` are; stored messages keep both.
const TEXT: &str = "ID:AMQP:order-1";
const HASHED: &str = "465259533a84af029cd54840b65b0461cdf999ff09c24a77";

#[test]
fn an_identifier_is_compared_with_the_bytes_that_a_text_of_jms_stands_for() {
    let uuid = format!("4652595500000000{}", "07".repeat(16));
    let ulong = format!("4652594c{}000000000000002a", "00".repeat(12));
    for (bytes, text, expected) in [
        (HASHED, TEXT, true),
        (HASHED, "ID:AMQP_NO_PREFIX:ID:AMQP:order-1", true),
        (HASHED, "ID:AMQP_STRING:ID:AMQP:order-1", true),
        (HASHED, &format!("ID:{HASHED}"), true),
        (HASHED, "ID:AMQP:order-2", false),
        (&uuid, "ID:AMQP_UUID:07070707-0707-0707-0707-070707070707", true),
        (&uuid, "ID:AMQP_UUID:07070707-0707-0707-0707-07070707070", false),
        (&ulong, "ID:AMQP_ULONG:42", true),
        (&ulong, "ID:AMQP_ULONG:43", false),
        (&"0c".repeat(24), &format!("ID:AMQP_BINARY:{}", "0C".repeat(24)), true),
        (&format!("0c0d{}", "00".repeat(22)), "ID:AMQP_BINARY:0C0D", true),
        (&"0c".repeat(24), "ID:AMQP_BINARY:0C0", false),
    ] {
        let bytes: [u8; 24] = mqi::properties::bytes_from_hex(bytes).unwrap().try_into().unwrap();
        let descriptor = MessageDescriptor {
            message_id: mqi::MessageId::from_bytes(bytes),
            correlation_id: CorrelationId::from_bytes(bytes),
            ..Default::default()
        };
        for name in ["JMSCorrelationID", "JMSMessageID"] {
            for (selector, expected) in [
                (format!("{name} = '{text}'"), expected),
                (format!("('{text}') = ({name})"), expected),
                (format!("{name} <> '{text}'"), !expected),
                (format!("{name} IN ('a', '{text}', 'z')"), expected),
                (format!("{name} NOT IN ('a', '{text}', 'z')"), !expected),
                (format!("NOT {name} = '{text}' OR JMSPriority > 9"), !expected),
            ] {
                let parsed = Selector::parse(&selector).unwrap();
                let message = Message { descriptor: &descriptor, properties: &|_| None };
                assert_eq!(parsed.matches(&message), expected, "{selector} for {bytes:x?}");
            }
        }
    }
}

#[test]
fn a_text_of_the_message_itself_stands_before_the_bytes_of_its_identifier() {
    let bytes: [u8; 24] = mqi::properties::bytes_from_hex(HASHED).unwrap().try_into().unwrap();
    let descriptor = MessageDescriptor {
        correlation_id: CorrelationId::from_bytes(bytes),
        group_id: mqi::GroupId::from_bytes(bytes).into(),
        ..Default::default()
    };
    let own = PropertyValue::Text("own".to_owned());
    let number = PropertyValue::Int32(7);
    for (name, full) in [("JMSCorrelationID", "jms.Cid"), ("JMSXGroupID", "jms.Gid")] {
        for (value, text, expected) in [
            (Some(&own), "own", Truth::True),
            (Some(&own), TEXT, Truth::False),
            (Some(&number), TEXT, Truth::False),
            (None, TEXT, Truth::True),
        ] {
            let properties = |name: &str| value.filter(|_| name == full);
            let selector = Selector::parse(&format!("{name} = '{text}'")).unwrap();
            let message = Message { descriptor: &descriptor, properties: &properties };
            assert_eq!(selector.evaluate(&message), expected, "{name} = {text} of {value:?}");
        }
    }
    let several =
        "JMSMessageID <> 'm' AND JMSCorrelationID IN ('a', 'b') AND JMSType = 't' AND 'g' = JMSXGroupID";
    let several = Selector::parse(several).unwrap();
    assert_eq!(several.identifiers().collect::<Vec<_>>(), ["m", "a", "b", "g"]);
    let none = MessageDescriptor::default();
    for text in ["JMSCorrelationID = 'x'", "JMSCorrelationID <> 'x'", "JMSMessageID IN ('x')"] {
        let selector = Selector::parse(text).unwrap();
        let message = Message { descriptor: &none, properties: &|_| None };
        assert_eq!(selector.evaluate(&message), Truth::Unknown, "{text}");
    }
}

#[test]
fn an_identifier_that_every_selected_message_has_is_found() {
    for (text, expected) in [
        ("JMSCorrelationID = 'x'", Some((Correlation, "x"))),
        ("'x' = JMSCorrelationID", Some((Correlation, "x"))),
        ("((JMSMessageID = 'ID:0a'))", Some((MessageId, "ID:0a"))),
        ("a > 1 AND JMSCorrelationID = 'x' AND b LIKE '%'", Some((Correlation, "x"))),
        ("(a = 1 OR b = 2) AND (NOT c AND JMSCorrelationID = 'x')", Some((Correlation, "x"))),
        ("JMSMessageID = 'm' AND JMSCorrelationID = 'c'", Some((MessageId, "m"))),
        ("JMSCorrelationID = 'x' OR a = 1", None),
        ("a = 1 OR b = 2 AND JMSCorrelationID = 'x'", None),
        ("NOT JMSCorrelationID = 'x'", None),
        ("NOT (a = 1 AND JMSCorrelationID = 'x')", None),
        ("JMSCorrelationID <> 'x'", None),
        ("JMSCorrelationID = a", None),
        ("JMSCorrelationID LIKE 'x'", None),
        ("JMSCorrelationID IN ('x', 'y')", None),
        ("JMSCorrelationID IS NULL", None),
        ("JMSType = 'x'", None),
        ("a BETWEEN 1 AND 2 AND -b + 1 = 3", None),
    ] {
        let selector = Selector::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let key = selector.key().map(|Key { synonym, text, bytes }| ((synonym, text), bytes.to_owned()));
        let expected = expected.map(|(synonym, text)| ((synonym, text), text_of(&named(text))));
        assert_eq!(key, expected, "{text}");
    }
}
