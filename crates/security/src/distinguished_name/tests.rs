use super::{
    AttributeType, Fault, LENGTH_MAX, NAME_ATTRIBUTES_MAX, Name, NamePatternError, Pattern, Unreadable,
};
use proptest::prelude::*;

fn pattern(text: &str) -> Pattern {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A name of attributes in the order of a certificate, the country first.
fn name(attributes: &[(&str, &str)]) -> Name {
    let mut name = Name::new();
    for (word, value) in attributes {
        name.add_attribute(AttributeType::by_word(word).unwrap(), value);
    }
    name
}

fn john() -> Name {
    name(&[
        ("C", "GB"),
        ("O", "Bank"),
        ("OU", "Payments"),
        ("OU", "North"),
        ("OU", "Team, 7"),
        ("DC", "com"),
        ("DC", "example"),
        ("CN", "John Smith"),
        ("E", "john@example.com"),
    ])
}

#[test]
fn a_pattern_asks_for_attributes_and_lets_others_be() {
    for (text, expected) in [
        ("CN=John Smith", true),
        ("CN=john smith", true),
        ("cn=John Smith", true),
        ("CN = John Smith", false),
        ("CN=John  Smith", false),
        ("CN=John Smith, O=Bank ,C=GB", true),
        ("CN=John Smith;O=Bank", true),
        ("  CN=John Smith  ;  O=Bank  ", true),
        ("C=GB,CN=John Smith", true),
        ("CN=\"John Smith\"", true),
        ("CN=\"John Smith\" , O=\"Bank\"", true),
        ("CN=\" John Smith\"", false),
        ("CN=John", false),
        ("CN=John*", true),
        ("CN=*smith", true),
        ("CN=*hn sm*", true),
        ("CN=*", true),
        ("CN=\"*\"", true),
        ("CN=**", true),
        ("CN=John Smith*", true),
        ("CN=\\*", false),
        ("CN=John\\*", false),
        ("T=*", false),
        ("E=*@example.com", true),
        ("MAIL=*", false),
        ("O=Bank,T=Clerk", false),
        ("OU=*Team\\, 7", false),
    ] {
        let Ok(pattern) = text.parse::<Pattern>() else {
            assert!(!expected, "{text} is a pattern");
            continue;
        };
        assert_eq!(pattern.matches(&john()), expected, "{text}");
    }
}

#[test]
fn units_and_domain_parts_match_in_their_order_from_the_first() {
    for (text, expected) in [
        ("OU=Payments", true),
        ("OU=North", false),
        ("OU=Payments,OU=North", true),
        ("OU=North,OU=Payments", false),
        ("OU=*,OU=North", true),
        ("OU=Payments,CN=*,OU=North", true),
        ("OU=Payments,OU=North,OU=\"Team, 7\"", true),
        ("OU=Payments,OU=North,OU=Team\\, 7", true),
        ("OU=Payments,OU=North,OU=*,OU=*", false),
        ("DC=com", true),
        ("DC=com,DC=example", true),
        ("DC=example,DC=com", false),
    ] {
        assert_eq!(pattern(text).matches(&john()), expected, "{text}");
    }
}

#[test]
fn every_word_stands_for_its_attribute() {
    for (words, identifier) in [
        ("MAIL", "0.9.2342.19200300.100.1.3"),
        ("E", "1.2.840.113549.1.9.1"),
        ("UID USERID", "0.9.2342.19200300.100.1.1"),
        ("CN", "2.5.4.3"),
        ("T", "2.5.4.12"),
        ("OU", "2.5.4.11"),
        ("DC", "0.9.2342.19200300.100.1.25"),
        ("O", "2.5.4.10"),
        ("STREET", "2.5.4.9"),
        ("L", "2.5.4.7"),
        ("ST SP S", "2.5.4.8"),
        ("PC", "2.5.4.17"),
        ("C", "2.5.4.6"),
        ("UNSTRUCTUREDNAME", "1.2.840.113549.1.9.2"),
        ("UNSTRUCTUREDADDRESS", "1.2.840.113549.1.9.8"),
        ("DNQ", "2.5.4.46"),
    ] {
        let mut name = Name::new();
        name.add(identifier, Ok("x"));
        for word in words.split(' ') {
            assert!(pattern(&format!("{word}=X")).matches(&name), "{word}");
            assert!(!pattern(&format!("{word}=y")).matches(&name), "{word}");
        }
        let attribute = AttributeType::by_identifier(identifier).unwrap();
        assert_eq!(AttributeType::all().nth(attribute as usize), Some(attribute));
        assert_eq!(Some(attribute.word()), words.split(' ').next());
    }
}

#[test]
fn the_serial_number_is_that_of_the_certificate() {
    let mut name = Name::new();
    name.add("2.5.4.5", Ok("4C:D0"));
    assert!(!pattern("SERIALNUMBER=*").matches(&name), "an attribute of the name is not the serial number");
    assert_eq!(name.fault(), None);
    name.add_serial_number(&[0x4C, 0xD0, 0x09]);
    assert!(pattern("SERIALNUMBER=4c:d0:09").matches(&name));
    assert!(!pattern("SERIALNUMBER=4C:D0").matches(&name));
    assert_eq!(name.to_string(), "SERIALNUMBER=4C:D0:09,OID.2.5.4.5=4C:D0");
}

#[test]
fn a_value_is_never_read_as_another_attribute() {
    let name = name(&[("CN", "a,OU=x"), ("O", "b;CN=y")]);
    assert!(
        !pattern("OU=x").matches(&name) && !pattern("CN=a").matches(&name) && !pattern("CN=y").matches(&name)
    );
    assert!(pattern("CN=\"a,OU=x\"").matches(&name) && pattern("CN=a\\,OU=x").matches(&name));
    assert_eq!(name.to_string(), "CN=a\\,OU=x,O=b\\;CN=y");
}

#[test]
fn a_name_that_is_not_well_formed_matches_nothing_and_is_escaped() {
    for (value, text) in [("a\0b", "CN=a\\{0}b"), ("a\nb", "CN=a\\{a}b"), ("a\u{1b}[2Jb", "CN=a\\{1b}[2Jb")] {
        let name = name(&[("CN", value)]);
        assert_eq!(name.fault(), Some(&Fault::ControlCharacter { attribute: "CN".to_owned() }), "{value:?}");
        assert!(!pattern("CN=*").matches(&name) && !pattern("CN=a*").matches(&name), "{value:?}");
        assert_eq!(name.to_string(), text);
    }
    let twice = name(&[("CN", "a"), ("CN", "a")]);
    assert_eq!(twice.fault(), Some(&Fault::Repeated { attribute: "CN" }));
    assert!(!pattern("CN=a").matches(&twice));
    for identifier in ["2.5.4.3", "2.5.4.5"] {
        let mut unreadable = name(&[("O", "Bank")]);
        unreadable.add(identifier, Err(Unreadable));
        assert!(matches!(unreadable.fault(), Some(Fault::Unreadable { .. })), "{identifier}");
        assert!(!pattern("O=Bank").matches(&unreadable));
    }
    let units = vec![("OU", "x"); NAME_ATTRIBUTES_MAX];
    assert_eq!(name(&units).fault(), None);
    let units = vec![("OU", "x"); NAME_ATTRIBUTES_MAX + 1];
    assert_eq!(name(&units).fault(), Some(&Fault::TooMany));
}

#[test]
fn letters_beyond_ascii_match_themselves_alone() {
    let kelvin = name(&[("CN", "\u{212a}ing"), ("O", "Käse")]);
    assert!(!pattern("CN=King").matches(&kelvin));
    assert!(pattern("CN=\u{212a}ING").matches(&kelvin));
    assert!(pattern("O=käse").matches(&kelvin) && !pattern("O=KÄSE").matches(&kelvin));
    assert!(pattern("O=*\u{e4}*").matches(&kelvin) && pattern("O=K*").matches(&kelvin));
}

#[test]
fn a_text_that_is_no_pattern_is_refused_with_the_reason() {
    for (text, expected) in [
        ("", "\"\" is no attribute; write attributes as TYPE=value, separated by commas"),
        ("CN", "\"CN\" is no attribute; write attributes as TYPE=value, separated by commas"),
        ("CN=a,", "\"\" is no attribute; write attributes as TYPE=value, separated by commas"),
        ("CN=", "\"CN=\" is no attribute; write attributes as TYPE=value, separated by commas"),
        ("CN= ,O=b", "\"CN=\" is no attribute; write attributes as TYPE=value, separated by commas"),
        ("CN=a,CN=b", "CN stands there twice; a pattern repeats OU and DC alone"),
        ("ST=a,S=b", "ST stands there twice; a pattern repeats OU and DC alone"),
        (
            "CN=a*b",
            "the value of CN has * inside; put it at the start or the end, or write \\* for the character",
        ),
        ("CN=\"a", "the value of CN has a quotation mark that does not close it"),
        ("CN=\"a\"b", "the value of CN has a quotation mark that does not close it"),
        ("CN=\"a\\\"", "the value of CN has a quotation mark that does not close it"),
        ("CN=a\u{1b}b", "the value of CN has a control character; take it out"),
    ] {
        assert_eq!(text.parse::<Pattern>().unwrap_err().to_string(), expected, "{text}");
    }
    for text in ["X=a", "CN =a", "C N=a", "=a", "OID.2.5.4.5=a"] {
        assert!(matches!(text.parse::<Pattern>(), Err(NamePatternError::Type { .. })), "{text}");
    }
    let long = format!("CN={}", "a".repeat(LENGTH_MAX - 3));
    assert!(long.parse::<Pattern>().is_ok());
    assert_eq!(
        format!("{long}a").parse::<Pattern>(),
        Err(NamePatternError::TooLong { length: LENGTH_MAX + 1 })
    );
}

#[test]
fn the_attribute_that_stands_first_decides_between_patterns() {
    let expected = [
        "SERIALNUMBER=01,CN=*",
        "CN=John Smith,OU=Payments,OU=North,O=Bank",
        "CN=John Smith,OU=Payments,O=Bank",
        "CN=John Smith,OU=*,O=Bank",
        "CN=John Smith,O=Bank,C=GB",
        "CN=John Smith,O=Bank",
        "CN=John Smith",
        "CN=John*,O=Bank",
        "CN=*th,O=Bank",
        "CN=*th*,O=Bank",
        "CN=*,O=Bank",
        "OU=Payments,OU=North",
        "OU=Payments,OU=*,O=Bank",
        "OU=Payments,O=Bank",
        "O=Bank",
        "C=GB",
    ];
    let mut patterns = expected.map(pattern);
    patterns.reverse();
    patterns.sort_by(Pattern::by_specificity);
    assert_eq!(patterns.each_ref().map(ToString::to_string).map(|text| text.replace('"', "")), expected);
}

#[test]
fn a_pattern_without_asterisks_is_a_name() {
    let text = "CN=a,OU=b,OU=c";
    let name = pattern(text).name().unwrap();
    assert_eq!(name.to_string(), text);
    assert!(pattern(text).matches(&name));
    assert_eq!(pattern("CN=a*").name(), None);
}

fn any_value() -> impl Strategy<Value = String> {
    "[ -~ä]{1,12}"
}

fn any_name() -> impl Strategy<Value = Vec<(usize, String)>> {
    prop::collection::vec((0..17_usize, any_value()), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_text_of_a_name_is_a_pattern_that_matches_it(attributes in any_name()) {
        let mut name = Name::new();
        for (at, value) in attributes {
            name.add_attribute(AttributeType::all().nth(at).unwrap(), &value);
        }
        match name.fault() {
            None => {
                let text = name.to_string();
                let read = text.parse::<Pattern>();
                prop_assert!(read.is_ok(), "{}: {:?}", text, read);
                prop_assert!(read.as_ref().unwrap().matches(&name), "{}", text);
                prop_assert_eq!(read.unwrap().name().unwrap().to_string(), text);
            }
            Some(Fault::Repeated { .. }) => {}
            Some(fault) => prop_assert!(false, "{}", fault),
        }
    }

    #[test]
    fn a_printed_pattern_is_read_back(text in "(CN|OU|O)=[a*\\\\\", ]{1,8}(,(OU|C)=[a*\\\\\"]{1,5})?") {
        if let Ok(read) = text.parse::<Pattern>() {
            let printed = read.to_string();
            prop_assert_eq!(printed.parse::<Pattern>(), Ok(read), "{} from {}", printed, text);
        }
    }

    #[test]
    fn any_text_is_refused_or_read(text in "\\PC{0,60}") {
        match text.parse::<Pattern>() {
            Ok(read) => drop(read.to_string()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
