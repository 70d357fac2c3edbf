use super::{Index, Profile, ProfileError};
use proptest::prelude::*;
use std::cmp::Ordering;

fn profile(text: &str) -> Profile {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The definition, with texts alone: a profile without `**` letter by letter, and one with it by what it may
/// stand for.
fn naive(profile: &str, name: &str) -> bool {
    fn letters(profile: &[u8], name: &[u8]) -> bool {
        match (profile.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((b'*', rest)), first) => {
                letters(rest, name)
                    || first.is_some_and(|(byte, name)| *byte != b'.' && letters(profile, name))
            }
            (Some((b'?', rest)), Some((byte, name))) => *byte != b'.' && letters(rest, name),
            (Some((step, rest)), Some((byte, name))) => step == byte && letters(rest, name),
            _ => false,
        }
    }
    if !profile.contains("**") {
        return letters(profile.as_bytes(), name.as_bytes());
    }
    // As many qualifiers as a name can have.
    (0..=name.split('.').count()).any(|count| {
        let between = vec!["*"; count].join(".");
        let mut parts: Vec<&str> =
            profile.split('.').map(|part| if part == "**" { &*between } else { part }).collect();
        if count == 0 {
            let at = profile.split('.').position(|part| part == "**").unwrap();
            parts.remove(at);
        }
        !parts.is_empty() && letters(parts.join(".").as_bytes(), name.as_bytes()) || profile == "**"
    })
}

#[test]
fn a_profile_matches_by_characters_and_qualifiers() {
    for (text, name, expected) in [
        ("ABC", "ABC", true),
        ("ABC", "ABCD", false),
        ("ABC", "abc", false),
        ("AB?", "ABC", true),
        ("AB?", "AB", false),
        ("A?C", "A.C", false),
        ("AB*", "AB", true),
        ("AB*", "ABCD", true),
        ("AB*", "AB.CD", false),
        ("A*C", "AxyC", true),
        ("A*C*E", "ABCDE", true),
        ("A*C*E", "ABCD", false),
        ("AB.*", "AB", false),
        ("AB.*", "AB.CD", true),
        ("AB.*", "AB.CD.EF", false),
        ("*.CD", "AB.CD", true),
        ("*", "AB", true),
        ("*", "AB.CD", false),
        ("ABC.*.JKL", "ABC.DEF.JKL", true),
        ("ABC.*.JKL", "ABC.JKL", false),
        ("ABC.DE*.JKL", "ABC.DE.JKL", true),
        ("ABC.DE*.JKL", "ABC.DEF.JKL", true),
        ("**", "AB", true),
        ("**", "AB.CD.EF", true),
        ("AB.**", "AB", true),
        ("AB.**", "AB.CD.EF", true),
        ("AB.**", "ABCD", false),
        ("**.CD", "CD", true),
        ("**.CD", "AB.XY.CD", true),
        ("**.CD", "ABCD", false),
        ("A.**.C", "A.C", true),
        ("A.**.C", "A.B.C", true),
        ("A.**.C", "A.B.B.C", true),
        ("A.**.C", "A", false),
        ("A.**.A", "A", false),
        ("*.**.C", "C", false),
        ("*.**.C", "B.C", true),
        ("A*.**", "AB", true),
        ("A*.**", "AB.C", true),
        ("A..**", "A.", true),
        ("**..A", ".A", true),
        ("**..A", "A", false),
    ] {
        assert_eq!(profile(text).matches(name), expected, "{text} against {name}");
        assert_eq!(naive(text, name), expected, "the definition: {text} against {name}");
    }
}

#[test]
fn the_most_specific_profile_comes_first() {
    for (one, other) in [
        ("AB.C*", "AB.*"),
        ("AB.CD", "AB.?D"),
        ("AB.?D", "AB.*"),
        ("AB.*", "AB.**"),
        ("AB.**", "A*.CD"),
        ("AB*", "A*"),
        ("A?", "A*"),
        ("A?", "A?*"),
        ("A*B", "A*"),
        ("A*?", "A*"),
        ("A.B", "A.**"),
        ("A", "A.**"),
        ("A", "**.A"),
        ("A*", "A.**"),
        ("*", "**"),
        ("A.**.C", "A.**"),
        ("*.CD", "**.CD"),
        ("A*.CD", "*.CD"),
    ] {
        let (first, second) = (profile(one), profile(other));
        assert_eq!(first.by_specificity(&second), Ordering::Less, "{one} before {other}");
        assert_eq!(second.by_specificity(&first), Ordering::Greater, "{other} after {one}");
    }
}

#[test]
fn a_text_that_is_no_profile_is_refused() {
    assert_eq!("".parse::<Profile>(), Err(ProfileError::Blank));
    assert_eq!("A".repeat(49).parse::<Profile>(), Err(ProfileError::TooLong { length: 49 }));
    assert!("A".repeat(48).parse::<Profile>().is_ok() && "?".repeat(48).parse::<Profile>().is_ok());
    for (text, character, position) in
        [("A B", ' ', 2), ("@CLASS", '@', 1), ("A\u{1b}", '\u{1b}', 2), ("ä", 'ä', 1)]
    {
        let Err(ProfileError::Character { character: found, position: place, .. }) = text.parse::<Profile>()
        else {
            panic!("{text} is refused for a character")
        };
        assert_eq!((found, place), (character, position), "{text}");
    }
    for text in ["***", "A**", "**A", "A.**.**", "**.**", "A.***", ".**", "**.", "A.**B", "****"] {
        assert!(matches!(text.parse::<Profile>(), Err(ProfileError::Asterisks { .. })), "{text}");
    }
    assert_eq!(Profile::exact("A.*"), None);
    assert_eq!(Profile::exact(""), None);
    assert_eq!(Profile::exact(&"A".repeat(49)), None);
    assert_eq!(Profile::exact("A.B"), Some(profile("A.B")));
    assert_eq!(Profile::all(), profile("**"));
}

#[test]
fn an_index_finds_the_most_specific_and_forgets_what_is_removed() {
    let mut index = Index::default();
    let texts = ["**", "PAY.**", "PAY.*", "PAY.I*", "PAY.I?", "PAY.IN", "**.IN", "*.IN", "*"];
    for (value, text) in texts.iter().enumerate() {
        assert_eq!(index.insert(profile(text), value), None);
    }
    assert_eq!(index.len(), texts.len());
    for expected in ["PAY.IN", "PAY.I?", "PAY.I*", "PAY.*", "PAY.**", "*.IN", "**.IN", "**"] {
        let (found, value) = index.find("PAY.IN").expect(expected);
        assert_eq!((found.to_string().as_str(), texts[*value]), (expected, expected));
        assert_eq!(index.get(found), Some(value));
        let found = *found;
        assert!(index.remove(&found).is_some() && index.remove(&found).is_none());
    }
    assert_eq!(index.find("PAY.IN"), None);
    assert_eq!(index.find("PAY").map(|(found, _)| found.to_string()).as_deref(), Some("*"));
    assert_eq!(index.insert(profile("*"), 7), Some(8));
    assert_eq!(
        index.iter().map(|(profile, value)| (profile.to_string(), *value)).collect::<Vec<_>>(),
        [("*".to_owned(), 7)]
    );
}

#[test]
fn profiles_with_many_asterisks_cost_no_more() {
    let name = "A".repeat(48);
    let mut index = Index::default();
    for end in b'B'..=b'Z' {
        let text = format!("{}{}", "*A".repeat(22), char::from(end));
        assert!(!profile(&text).matches(&name));
        index.insert(profile(&text), ());
        index.insert(profile(&format!("{text}.**")), ());
    }
    assert_eq!(index.find(&name), None);
    index.insert(profile(&format!("{}*", "*A".repeat(22))), ());
    assert!(index.find(&name).is_some());
}

#[test]
fn a_text_longer_than_names_is_judged_alike_by_profile_and_index() {
    let mut index = Index::default();
    index.insert(profile("*A*A"), ());
    index.insert(profile("B.**"), ());
    for name in ["A".repeat(60), "B.".repeat(40), "C".repeat(60), "A*\u{fffd}A".repeat(20)] {
        let fits = profile("*A*A").matches(&name) || profile("B.**").matches(&name);
        assert_eq!(index.find(&name).is_some(), fits, "{name}");
    }
}

#[test]
fn a_control_character_in_a_text_is_no_step_of_a_profile() {
    let profiles = ["*", "*?", "?", "?*", "**", "A.**", "*.*"].map(profile);
    let mut index = Index::default();
    for profile in profiles {
        index.insert(profile, ());
    }
    for name in ["\0", "\u{1}", "\u{2}", "\u{3}", "\0.\0", "A.\u{1}", "\u{2}\u{3}", "A.\u{2}", "\u{fffd}A.B"]
    {
        let fitting = profiles.iter().filter(|profile| profile.matches(name));
        let expected = fitting.min_by(|one, other| one.by_specificity(other));
        assert_eq!(index.find(name).map(|(profile, ())| profile), expected, "{name:?}");
    }
}

/// The cost of a look among 100,000 profiles; the least of several rounds, which no load of the machine
/// lengthens.
#[test]
#[ignore = "it measures the machine: cargo test --release -p security -- --ignored"]
#[expect(clippy::disallowed_methods, reason = "the test measures")]
fn a_look_among_a_hundred_thousand_profiles_is_short() {
    /// Two microseconds is the promise for a release; a build for tests is slower by far.
    const NANOSECONDS_MAX: u128 = if cfg!(debug_assertions) { 40_000 } else { 2_000 };
    for (kind, form) in
        [("prefixes", "APP#.**"), ("suffixes", "*.APP#"), ("middles", "T?.*#*.IN"), ("ends", "*#")]
    {
        let mut index = Index::default();
        for number in 0..100_000 {
            index.insert(profile(&form.replace('#', &format!("{number:05}"))), number);
        }
        let name = form.replace('#', "77777").replace(".**", ".QUEUE.IN").replace('*', "X").replace('?', "1");
        let round = || {
            let start = std::time::Instant::now();
            for _ in 0..100 {
                assert_eq!(std::hint::black_box(&index).find(&name).map(|(_, value)| *value), Some(77_777));
            }
            start.elapsed().as_nanos() / 100
        };
        let least = (0..20).map(|_| round()).min().unwrap();
        println!("{kind}: {least} ns");
        assert!(least <= NANOSECONDS_MAX, "{kind}: {least} ns");
    }
}

fn any_profile() -> impl Strategy<Value = String> {
    let qualifier = prop_oneof![3 => "[AB]{1,2}", 3 => "[AB?*]{1,3}", 1 => Just("**".to_owned()), 1 => Just(String::new())];
    prop::collection::vec(qualifier, 1..4).prop_map(|parts| parts.join("."))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn matching_agrees_with_its_definition(text in any_profile(), name in "[AB.]{1,7}") {
        if let Ok(read) = text.parse::<Profile>() {
            prop_assert_eq!(read.matches(&name), naive(&text, &name), "{} against {}", text, name);
            prop_assert_eq!(read.to_string(), text);
        }
    }

    #[test]
    fn an_index_finds_what_a_list_finds(
        texts in prop::collection::vec(any_profile(), 0..40), names in prop::collection::vec("[AB.]{1,7}", 1..20),
    ) {
        let profiles: Vec<Profile> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        let mut index = Index::default();
        for profile in &profiles {
            index.insert(*profile, profile.to_string());
        }
        for name in names {
            let fitting = profiles.iter().filter(|profile| naive(&profile.to_string(), &name));
            let expected = fitting.min_by(|one, other| one.by_specificity(other));
            let found = index.find(&name);
            prop_assert_eq!(found.map(|(profile, _)| profile), expected, "{}", name);
            prop_assert_eq!(found.map(|(_, value)| value.clone()), expected.map(ToString::to_string));
        }
    }

    #[test]
    fn the_order_is_total(texts in prop::collection::vec(any_profile(), 3)) {
        let profiles: Vec<Profile> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        if let [one, two, three] = profiles[..] {
            prop_assert_eq!(one.by_specificity(&two), two.by_specificity(&one).reverse());
            prop_assert_eq!(one.by_specificity(&two).is_eq(), one == two);
            if one.by_specificity(&two).is_le() && two.by_specificity(&three).is_le() {
                prop_assert!(one.by_specificity(&three).is_le());
            }
        }
    }

    #[test]
    fn any_text_is_refused_or_read(text in "\\PC{0,50}") {
        match text.parse::<Profile>() {
            Ok(read) => prop_assert_eq!(read.to_string(), text),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
