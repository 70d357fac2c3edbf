//! Texts of rules and definitions: names of certificates, addresses, profiles, CipherSpecs, queues of MSMQ.
//!
//! Names of certificates come from partners that have not logged in; the others from administrators.

use std::net::{IpAddr, Ipv6Addr};

use formats::msmq;
use security::address::Pattern as AddressPattern;
use security::channel_rules::Address;
use security::cipherspecs::{Build, Choice};
use security::distinguished_name::{Name, Pattern as NamePattern, Unreadable};
use security::profile::{Index, Profile};
use security::wildcard::Wildcard;

/// A pattern of certificates' names, and behind a zero byte each an attribute of a name: a byte that chooses
/// its type, and its value. A pattern that is printed is read back; the text of a name that is well formed is
/// a pattern of it.
pub fn distinguished_names(bytes: &[u8]) {
    const IDENTIFIERS: [&str; 8] = [
        "2.5.4.3",
        "2.5.4.11",
        "2.5.4.10",
        "2.5.4.5",
        "0.9.2342.19200300.100.1.25",
        "2.5.4.6",
        "1.2.840.113549.1.9.1",
        "1.2.3",
    ];
    let mut parts = bytes.split(|byte| *byte == 0);
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default());
    let mut name = Name::new();
    let mut is_whole = true;
    for part in parts {
        let Some((first, value)) = part.split_first() else { continue };
        let identifier = IDENTIFIERS[usize::from(*first) % IDENTIFIERS.len()];
        // Attributes that no pattern names are in the text, and would not be read back.
        is_whole &= !matches!(identifier, "2.5.4.5" | "1.2.3");
        name.add(identifier, std::str::from_utf8(value).map_err(|_| Unreadable));
    }
    let shown = name.to_string();
    assert!(!shown.chars().any(char::is_control), "no character acts on a terminal");
    if name.fault().is_none() && is_whole && !shown.is_empty() && shown.len() <= 1024 {
        let own: NamePattern = shown.parse().expect("the text of a name is a pattern");
        assert!(own.matches(&name), "a name matches its own text");
    }
    match text.parse::<NamePattern>() {
        Ok(pattern) => {
            // Backslashes make a text longer.
            if let Ok(again) = pattern.to_string().parse::<NamePattern>() {
                assert_eq!(again, pattern, "a printed pattern is read back");
            }
            let matches = pattern.matches(&name);
            assert!(!matches || name.fault().is_none(), "a name with a fault matches nothing");
            if let Some(own) = pattern.name().filter(|own| own.fault().is_none()) {
                assert!(pattern.matches(&own));
            }
        }
        Err(error) => drop(error.to_string()),
    }
}

/// A name of a queue of MSMQ: a format name, several, or a path name.
pub fn format_names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let names = match msmq::parse_format_names(&text) {
        Ok(names) => names,
        Err(fault) => {
            drop(fault.to_string());
            msmq::parse_path_name(&text).into_iter().collect()
        }
    };
    if !names.is_empty() {
        let printed = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        assert_eq!(msmq::parse_format_names(&printed), Ok(names), "a printed name is read back");
    }
}

/// Two patterns of addresses on two lines, and sixteen bytes of an address behind a zero byte.
pub fn addresses(bytes: &[u8]) {
    let (texts, address) = match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[][..]),
    };
    let mut octets = [0; 16];
    let length = address.len().min(octets.len());
    octets[..length].copy_from_slice(&address[..length]);
    let address = IpAddr::from(Ipv6Addr::from(octets));
    let own = AddressPattern::exactly(address);
    assert!(own.matches(address) && own.single() == Some(address.to_canonical()));
    let texts = String::from_utf8_lossy(texts);
    let mut read: Vec<AddressPattern> = Vec::new();
    for text in texts.split('\n').take(2) {
        match text.parse::<AddressPattern>() {
            Ok(pattern) => {
                let again = pattern.to_string().parse();
                assert_eq!(again.as_ref(), Ok(&pattern), "a printed pattern is read back");
                read.push(pattern);
            }
            Err(error) => drop(error.to_string()),
        }
        match Address::parse(text) {
            Ok(address) => drop(address.to_string()),
            Err(error) => drop(error.to_string()),
        }
    }
    if let [one, other] = &read[..] {
        assert_eq!(one.crosses(other), other.crosses(one));
        assert_eq!(one.by_specificity(other), other.by_specificity(one).reverse());
        let both = one.matches(address) && other.matches(address);
        assert!(!both || one == other || one.by_specificity(other).is_ne(), "one of both comes first");
    }
}

/// A name, and profiles on lines of their own: an index finds the one that a list finds. Texts that are no
/// profiles are names of CipherSpecs and patterns with `*`.
pub fn profiles(bytes: &[u8]) {
    /// Most profiles of an input; each costs a look of a list.
    const PROFILES_MAX: usize = 256;
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let name = lines.next().unwrap_or_default();
    let mut index = Index::default();
    for line in lines.take(PROFILES_MAX) {
        match line.parse::<Profile>() {
            Ok(profile) => {
                assert_eq!(profile.to_string(), line, "a profile that is printed is the one that was read");
                index.insert(profile, ());
            }
            Err(error) => drop(error.to_string()),
        }
        match Choice::find(line) {
            Ok(choice) => assert_eq!((choice.name(), choice.suites(Build::Legacy).count() > 0), (line, true)),
            Err(refusal) => drop(refusal.to_string()),
        }
        if let Some(pattern) = Wildcard::new(line) {
            assert!(pattern.is_generic() || pattern.matches(name) == (line == name));
        }
    }
    let fitting = index.iter().map(|(profile, ())| profile).filter(|profile| profile.matches(name));
    let expected = fitting.min_by(|one, other| one.by_specificity(other));
    assert_eq!(index.find(name).map(|(profile, ())| profile), expected, "an index finds what a list finds");
}
