use super::NamePattern;

#[test]
fn an_asterisk_stands_for_any_ending() {
    for (pattern, name, expected) in [
        ("DEV.*", "DEV.QUEUE.1", true),
        ("DEV.*", "DEV.", true),
        ("DEV.*", "DEVELOPMENT", false),
        ("*", "ANYTHING", true),
        ("DEV.QUEUE.1", "DEV.QUEUE.1", true),
        ("DEV.QUEUE.1", "DEV.QUEUE.10", false),
        ("dev.*", "DEV.QUEUE.1", false),
    ] {
        let parsed: NamePattern = pattern.parse().unwrap();
        assert_eq!(parsed.matches(name), expected, "{pattern} against {name}");
        assert_eq!(super::matches(pattern, name), expected, "{pattern} against {name}");
        assert_eq!(parsed.to_string(), pattern);
    }
}

#[test]
fn an_asterisk_elsewhere_is_not_a_pattern() {
    assert!("DEV.*.1".parse::<NamePattern>().is_err());
    assert!("A**".parse::<NamePattern>().is_err());
}
