use super::{AddressError, Pattern};
use mqi::constants::{MQRCCF_IPADDR_ERROR, MQRCCF_IPADDR_RANGE_ERROR};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn pattern(text: &str) -> Pattern {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn parts_match_by_number_range_and_asterisk() {
    for (text, candidate, expected) in [
        ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false),
        ("192.0.2.*", "192.0.2.255", true),
        ("192.0.2.*", "192.0.3.255", false),
        ("192.0.*", "192.0.7.255", true),
        ("192.0.*", "192.1.7.255", false),
        ("192.0.*.2", "192.0.9.2", true),
        ("192.0.*.2", "192.0.9.3", false),
        ("192.*.2", "192.7.9.2", true),
        ("192.*.2", "192.7.2.9", false),
        ("192.*.2.*", "192.7.2.9", true),
        ("192.0.2.1-8", "192.0.2.8", true),
        ("192.0.2.1-8", "192.0.2.9", false),
        ("192.0.*.1-8", "192.0.77.1", true),
        ("*", "192.0.2.1", true),
        ("*", "2001:db8::1", true),
        ("2001:DB8:0:0:0:0:0:0", "2001:db8::", true),
        ("2001:DB8::1", "2001:db8::1", true),
        ("2001:DB8:0:0:0:0:0:*", "2001:db8::7", true),
        ("2001:DB8:0:0:0:*", "2001:db8::7:8:9", true),
        ("2001:DB8:0:0:0:*:0:1", "2001:db8::7:0:1", true),
        ("2001:*:1", "2001:db8::1", true),
        ("2001:*:1", "2001:db8::2", false),
        ("2001:DB8:0:0:0:0:0:0-8", "2001:db8::8", true),
        ("2001:DB8:0:0:0:0:0:0-8", "2001:db8::9", false),
        ("2001:DB8::0-F", "2001:db8::f", true),
        ("2001:DB8:0:0:0:*:0:0-8", "2001:db8::ff:0:3", true),
        ("192.0.2.1", "2001:db8::1", false),
    ] {
        assert_eq!(pattern(text).matches(address(candidate)), expected, "{text} against {candidate}");
    }
}

#[test]
fn a_mapped_address_is_the_ipv4_address_that_it_is() {
    for (text, candidate, expected) in [
        ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("::FFFF:192.0.2.1", "192.0.2.1", true),
        ("::ffff:c000:201", "192.0.2.1", true),
        ("0:0:0:0:0:FFFF:C000:*", "192.0.255.1", true),
        ("0:0:0:0:0:FFFF:C000:*", "192.1.255.1", false),
        ("0:0:0:0:0:FFFF:C000:200-2FF", "192.0.2.7", true),
        ("0:0:0:0:0:FFFF:C000:200-2FF", "192.0.3.7", false),
        ("::192.0.2.1", "192.0.2.1", false),
        ("2001:*", "192.0.2.1", false),
    ] {
        assert_eq!(pattern(text).matches(address(candidate)), expected, "{text} against {candidate}");
    }
    assert_eq!(pattern("0:0:0:0:0:FFFF:C000:*"), pattern("192.0.*"));
    assert_eq!(pattern("::FFFF:192.0.2.1"), pattern("192.0.2.1"));
}

#[test]
fn a_text_that_is_no_address_is_refused() {
    for text in [
        "",
        "192",
        "192.0.2",
        "192.0.2.",
        ".0.2.1",
        "192.0.2.1.5",
        "192.0.2.256",
        "192.0.2.x",
        "192.0.2.1*",
        "192.0.2.-1",
        "192.0.2.1-",
        "192.0.2.1-2-3",
        "192.*.*",
        "192.*.2.1.7",
        "*.*",
        "192.0.2. 1",
        "192.0.2.0001",
        "192.0.2.+1",
        "*.1",
        "**",
        "2001:DB8::*",
        "2001:DB8:0:0:0:0:0",
        "2001:::1",
        "::1::2",
        "2001:DB8:0:0:0:0:0:0:0",
        "2001:DB8:0:0:0:0:0:10000",
        "2001:DB8:0:0:0:0:0:G",
        "::FFFF:192.0.2.*",
        "fe80::1%eth0",
        "10.0.0.1/8",
        "2001:*:0:*:1",
        "app.example.com",
        "192.\u{0}.2.1",
        "١٩٢.0.2.1",
    ] {
        // Two that leave out what stands for itself are the same pattern in fewer parts.
        if ["192.*.*", "*.*", "*.1"].contains(&text) {
            assert!(text.parse::<Pattern>().is_ok(), "{text}");
            continue;
        }
        let error = text.parse::<Pattern>().expect_err(text);
        assert_eq!(error.code(), MQRCCF_IPADDR_ERROR, "{text}");
    }
    let error = "1.\u{1b}".parse::<Pattern>().unwrap_err().to_string();
    assert!(!error.contains('\u{1b}'), "{error}");
}

#[test]
fn a_range_goes_from_a_smaller_number_to_a_larger_one() {
    for text in ["192.0.2.8-1", "192.0.2.8-8", "2001:DB8:0:0:0:0:0:F-A", "2001:DB8::F-F"] {
        let error = text.parse::<Pattern>().unwrap_err();
        assert!(matches!(error, AddressError::Range { .. }), "{text}: {error}");
        assert_eq!(error.code(), MQRCCF_IPADDR_RANGE_ERROR);
    }
}

#[test]
fn ranges_cross_when_they_overlap_and_neither_covers_the_other() {
    for (one, other, expected) in [
        ("10.0.0.1-8", "10.0.0.5-12", true),
        ("10.0.0.1-8", "10.0.0.8-12", true),
        ("10.0.0.1-8", "10.0.0.2-7", false),
        ("10.0.0.1-8", "10.0.0.1-8", false),
        ("10.0.0.1-8", "10.0.0.9-12", false),
        ("10.0.0.1-8", "10.0.1.5-12", false),
        ("10.0.1-8.*", "10.0.5-12.1", true),
        ("10.0.0.1-8", "10.0.0.*", false),
        ("10.0.0.1-8", "10.*", false),
        ("10.0.*.1-8", "10.0.0.5-12", true),
        ("10.0.0.1-8", "*", false),
        ("*", "*", false),
        ("10.0.0.1-8", "2001:DB8::1-8", false),
        ("2001:DB8::1-8", "2001:DB8::5-C", true),
        ("2001:DB8::1-8", "2001:DB8::5-7", false),
    ] {
        assert_eq!(pattern(one).crosses(&pattern(other)), expected, "{one} and {other}");
        assert_eq!(pattern(other).crosses(&pattern(one)), expected, "{other} and {one}");
    }
}

#[test]
fn the_narrowest_pattern_comes_first() {
    let expected = [
        "10.0.0.1",
        "10.0.0.1-8",
        "10.0.0.*",
        "10.0.0-5.1",
        "10.0.*.1",
        "10.0.*",
        "10.*.0.1",
        "10.*",
        "*.*.*.1",
        "*.*.*.*",
        "0:0:0:0:0:FFFF:A00:0-FF",
        "0:0:0:0:0:*",
        "*",
    ];
    let mut patterns = expected.map(pattern);
    patterns.reverse();
    patterns.sort_by(Pattern::by_specificity);
    assert_eq!(patterns, expected.map(pattern));
    assert!(patterns.iter().all(|pattern| pattern.matches(address("10.0.0.1"))));
}

#[test]
fn one_address_alone_is_single() {
    assert_eq!(pattern("10.0.0.1").single(), Some(address("10.0.0.1")));
    assert_eq!(pattern("2001:db8::1").single(), Some(address("2001:db8::1")));
    for text in ["*", "10.0.0.*", "10.0.0.1-2", "2001:DB8:*"] {
        assert_eq!(pattern(text).single(), None, "{text}");
    }
}

fn any_pattern() -> impl Strategy<Value = String> {
    let part = |digits: &'static str| prop_oneof![digits, Just("*".to_owned())];
    let v4 =
        prop::collection::vec(prop_oneof![part("[0-3]"), Just("0-1".to_owned()), Just("1-2".to_owned())], 4);
    let v6 =
        prop::collection::vec(prop_oneof![part("[0-2]"), Just("FFFF".to_owned()), Just("1-2".to_owned())], 8);
    prop_oneof![
        v4.prop_map(|parts| parts.join(".")),
        v6.prop_map(|parts| parts.join(":")),
        Just("*".to_owned())
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_printed_pattern_is_read_back(text in any_pattern()) {
        let once = pattern(&text);
        prop_assert_eq!(pattern(&once.to_string()), once);
    }

    #[test]
    fn an_address_matches_itself_alone(number: u128, other: u128, is_short: bool) {
        let address = |number: u128| match is_short {
            true => IpAddr::from(Ipv4Addr::from(number as u32)),
            false => IpAddr::from(Ipv6Addr::from(number)),
        };
        let own = Pattern::exactly(address(number));
        prop_assert!(own.matches(address(number)));
        prop_assert_eq!(own.matches(address(other)), address(other) == address(number));
        prop_assert_eq!(own.single(), Some(address(number).to_canonical()));
        prop_assert_eq!(pattern(&address(number).to_string()), own);
    }

    #[test]
    fn patterns_that_do_not_cross_are_ordered_by_what_they_cover(
        one in any_pattern(), other in any_pattern(), numbers in prop::collection::vec(0u8..4, 4),
    ) {
        let (one, other) = (pattern(&one), pattern(&other));
        let covers = |wide: &Pattern, narrow: &Pattern| {
            wide.parts().len() == narrow.parts().len()
                && wide.parts().iter().zip(narrow.parts()).all(|(wide, narrow)| wide.covers(*narrow))
        };
        if one != other && covers(&one, &other) {
            prop_assert_eq!(one.by_specificity(&other), Ordering::Greater, "{} and {}", one, other);
            let candidate = IpAddr::from([numbers[0], numbers[1], numbers[2], numbers[3]]);
            prop_assert!(one.matches(candidate) || !other.matches(candidate));
        }
        prop_assert_eq!(one.by_specificity(&other), other.by_specificity(&one).reverse());
    }

    #[test]
    fn any_text_is_refused_or_read(text in "[0-9A-F.:*-]{0,30}") {
        if let Ok(read) = text.parse::<Pattern>() {
            prop_assert_eq!(pattern(&read.to_string()), read);
        }
    }
}

#[test]
fn what_is_counted_by_address_counts_loopback_once_and_so_a_network_of_ipv6() {
    let network = |text: &str| super::network_of(address(text)).to_string();
    for (text, expected) in [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.2", "127.0.0.1"),
        ("127.255.255.254", "127.0.0.1"),
        ("::1", "127.0.0.1"),
        ("::ffff:127.9.9.9", "127.0.0.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.2", "192.0.2.2"),
        ("128.0.0.1", "128.0.0.1"),
        ("2001:db8::1", "2001:db8::"),
        ("2001:db8::ffff:1", "2001:db8::"),
        ("2001:db8:0:1::1", "2001:db8:0:1::"),
    ] {
        assert_eq!(network(text), expected, "{text}");
    }
}
