use std::collections::BTreeMap;

use mqi::properties::PropertyValue;
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
        let expected = expected.map(|(synonym, text)| Key { synonym, text });
        assert_eq!(selector.key(), expected, "{text}");
    }
}
