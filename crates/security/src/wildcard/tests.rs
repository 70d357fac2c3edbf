use super::{LENGTH_MAX, Wildcard};
use proptest::prelude::*;

fn pattern(text: &str) -> Wildcard {
    Wildcard::new(text).unwrap()
}

/// The definition, letter by letter.
fn naive(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => naive(rest, text) || !text.is_empty() && naive(pattern, &text[1..]),
        (Some((first, pattern)), Some((byte, text))) => first == byte && naive(pattern, text),
        _ => false,
    }
}

#[test]
fn an_asterisk_stands_for_any_characters_anywhere() {
    for (text, name, expected) in [
        ("*", "", true),
        ("*", "A", true),
        ("SYSTEM.*", "SYSTEM.DEF.SVRCONN", true),
        ("SYSTEM.*", "SYSTEM", false),
        ("*.SVRCONN", "SYSTEM.DEF.SVRCONN", true),
        ("A*B*C", "AxByBzC", true),
        ("A*B*C", "AxByBzCx", false),
        ("A", "a", false),
        ("A", "AB", false),
        ("AB", "A", false),
    ] {
        assert_eq!(pattern(text).matches(name), expected, "{text} against {name}");
    }
    assert!(pattern("*.Example.com").matches_any_case("APP.EXAMPLE.COM"));
    assert!(!pattern("*.Example.com").matches_any_case("example.com"));
}

#[test]
fn exact_comes_before_longer_and_longer_before_shorter() {
    let mut patterns =
        ["*", "SYSTEM.DEF.SVRCONN", "*.SVRCONN", "S*.SVRCONN", "SYS*DEF*", "SYSTEM.*"].map(pattern).to_vec();
    patterns.sort_by(Wildcard::by_specificity);
    let texts: Vec<&str> = patterns.iter().map(Wildcard::as_str).collect();
    // Of two that are as long the one with the later asterisk comes first.
    assert!(pattern("A*").by_specificity(&pattern("*B")).is_lt());
    assert_eq!(texts, ["SYSTEM.DEF.SVRCONN", "S*.SVRCONN", "*.SVRCONN", "SYSTEM.*", "SYS*DEF*", "*"]);
}

#[test]
fn an_empty_pattern_and_one_too_long_are_none() {
    assert_eq!(Wildcard::new(""), None);
    assert!(Wildcard::new(&"A".repeat(LENGTH_MAX)).is_some());
    assert_eq!(Wildcard::new(&"A".repeat(LENGTH_MAX + 1)), None);
    assert!(pattern("**").is_all() && pattern("**").is_generic() && !pattern("*A").is_all());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn matching_agrees_with_its_definition(text in "[AB*]{1,8}", name in "[AB]{0,10}") {
        prop_assert_eq!(pattern(&text).matches(&name), naive(text.as_bytes(), name.as_bytes()));
    }
}
