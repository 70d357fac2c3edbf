use super::{Pattern, Wildcards};
use crate::{Error, TopicString};

fn matches(pattern: &str, wildcards: Wildcards, topic: &str) -> bool {
    let pattern = Pattern::new(pattern, wildcards).expect("a pattern");
    pattern.matches(&TopicString::new(topic).expect("a topic"))
}

#[test]
fn a_wildcard_matches_whole_levels() {
    for (pattern, topic, expected) in [
        ("price/+/close", "price/tin/close", true),
        ("price/+/close", "price/tin/spot/close", false),
        ("price/+", "price", false),
        ("price/+", "price/", true),
        ("price/#", "price", true),
        ("price/#", "price/tin/close", true),
        ("price/#", "prices", false),
        ("#", "a/b", true),
        ("#/close", "close", true),
        ("#/close", "price/tin/close", true),
        ("price/#/close", "price/close", true),
        ("price/#/close", "price/tin/spot/close", true),
        ("price/#/close", "price/tin/open", false),
        ("#/a/#/b", "a/x/b/a/y/b", true),
        ("#/#", "a", true),
        ("+/price", "/price", true),
        ("price+", "price+", true),
        ("price+", "prices", false),
        ("pri#e/x", "pri#e/x", true),
        ("price/*", "price/tin", false),
        ("price/%*", "price/%*", true),
    ] {
        assert_eq!(matches(pattern, Wildcards::Levels, topic), expected, "{pattern} against {topic}");
    }
}

#[test]
fn a_wildcard_matches_characters_and_slashes_are_some() {
    for (pattern, topic, expected) in [
        ("price/*", "price/tin/close", true),
        ("price/*", "price", false),
        ("price*", "price", true),
        ("price?tin", "price/tin", true),
        ("t?n", "tän", true),
        ("t?n", "tn", false),
        ("*in*", "price/tin/close", true),
        ("**", "a", true),
        ("price/+", "price/tin", false),
        ("price/%*", "price/*", true),
        ("price/%*", "price/tin", false),
        ("100%%", "100%", true),
        ("%?*", "?what", true),
    ] {
        assert_eq!(matches(pattern, Wildcards::Characters, topic), expected, "{pattern} against {topic}");
    }
}

#[test]
fn a_pattern_without_wildcards_means_one_topic() {
    for (pattern, wildcards, topic) in [
        ("price/tin", Wildcards::Levels, Some("price/tin")),
        ("price/*", Wildcards::Levels, Some("price/*")),
        ("price/%*", Wildcards::Characters, Some("price/*")),
        ("price/#", Wildcards::Levels, None),
        ("price/*", Wildcards::Characters, None),
    ] {
        let pattern = Pattern::new(pattern, wildcards).expect("a pattern");
        assert_eq!(pattern.topic().map(TopicString::as_str), topic, "{pattern}");
    }
}

#[test]
fn levels_before_the_first_wildcard_are_counted() {
    for (pattern, wildcards, fixed) in [
        ("a/b", Wildcards::Levels, None),
        ("a/b/#", Wildcards::Levels, Some(2)),
        ("+/b", Wildcards::Levels, Some(0)),
        ("a/b*", Wildcards::Characters, Some(1)),
        ("a/b/*", Wildcards::Characters, Some(2)),
        ("*", Wildcards::Characters, Some(0)),
    ] {
        assert_eq!(Pattern::new(pattern, wildcards).expect("a pattern").fixed_levels(), fixed, "{pattern}");
    }
}

#[test]
fn an_escape_that_escapes_nothing_is_refused() {
    assert_eq!(Pattern::new("a%b", Wildcards::Characters), Err(Error::Escape(1)));
    assert_eq!(Pattern::new("ab%", Wildcards::Characters), Err(Error::Escape(2)));
    assert!(Pattern::new("a%b", Wildcards::Levels).is_ok());
}
