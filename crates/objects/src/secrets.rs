//! Values that are secrets: passwords of directories, key repositories and partners.
//!
//! Lives here: the sign that stands for a secret, the rows that have one, texts with secrets masked.
//! Lives elsewhere: keeping secrets (the host of the engine), commands that bring them (`commands`), their
//! binary form (`pcf`).
//!
//! Always: a definition has the sign or is blank, so that nothing made of a definition has a secret: display,
//! dump, event, log. The sign given as a value leaves the secret as it is.

use std::borrow::Cow;
use std::ops::Range;

use crate::attributes::{self, Attribute, Subject};
use crate::mqsc::lexer::ends_word;
use crate::object_type::ObjectType;

/// The sign that stands for a secret.
pub const SIGN: &str = "********";

/// The rows of secrets that objects of a type have.
pub fn of(object_type: ObjectType) -> impl Iterator<Item = &'static Attribute> {
    attributes::of(Subject::Object(object_type)).filter(|row| row.is_secret)
}

/// A text that may be MQSC, with an asterisk for each character of a secret. Places in the text stay as they
/// are.
pub(crate) fn masked(text: &str) -> Cow<'_, str> {
    let places = places(text);
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let is_secret = |at: usize| places.iter().any(|place| place.contains(&at));
    let mask = |(at, letter)| if is_secret(at) { '*' } else { letter };
    Cow::Owned(text.char_indices().map(mask).collect())
}

/// A text that may be MQSC, with the sign for each secret, which does not tell its length.
pub fn signed(text: &str) -> Cow<'_, str> {
    let places = places(text);
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut shown, mut from) = (String::new(), 0);
    for place in places {
        // One within another has its sign.
        if place.start >= from {
            shown.push_str(&text[from..place.start]);
            shown.push_str(SIGN);
        }
        from = from.max(place.end);
    }
    shown.push_str(&text[from..]);
    Cow::Owned(shown)
}

/// The places of secrets in a text that may be MQSC, in bytes and in order: all that stands between the
/// brackets behind a keyword, to the end of the text where a bracket or a quote is not closed.
pub(crate) fn places(text: &str) -> Vec<Range<usize>> {
    // Letters of ASCII alone are changed, so that places stay as they are.
    let upper = text.to_ascii_uppercase();
    let mut places: Vec<Range<usize>> =
        keywords().flat_map(|keyword| values_behind(&upper, keyword)).collect();
    places.sort_unstable_by_key(|place| (place.start, place.end));
    places.dedup();
    places
}

/// The keywords of secrets; some more than once.
fn keywords() -> impl Iterator<Item = &'static str> {
    ObjectType::definable().flat_map(of).map(|row| row.keyword)
}

/// The places of the values behind a keyword, quotes left out.
fn values_behind(upper: &str, keyword: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for (at, _) in upper.match_indices(keyword) {
        let (before, behind) = (&upper[..at], at + keyword.len());
        if before.ends_with(|letter: char| letter.is_ascii_alphanumeric()) {
            continue;
        }
        let is_blank = |letter: char| letter.is_whitespace() || letter == ',';
        let value = upper.len() - upper[behind..].trim_start_matches(is_blank).len();
        if upper[value..].starts_with('(') {
            places.extend(values_in_brackets(upper, value + 1));
        } else if value > behind && lacks_brackets(before) {
            places.extend(value_at(upper, value));
        }
    }
    // A blank deletes a secret, and is none.
    places.retain(|place| !upper[place.clone()].trim().is_empty());
    places
}

/// Returns true where a keyword without brackets is a slip and its value a secret: DISPLAY has keywords
/// without values, and a quoted text has words that are none.
fn lacks_brackets(before: &str) -> bool {
    let statement = before.rsplit([';', '\n']).next().unwrap_or_default().trim_start();
    let is_quoted = !before.matches('\'').count().is_multiple_of(2);
    !is_quoted && ["DEF", "ALT"].iter().any(|verb| statement.starts_with(verb))
}

/// The places of the values from here to the bracket that closes.
fn values_in_brackets(upper: &str, from: usize) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let (mut at, mut depth) = (from, 1_usize);
    while let Some(letter) = upper[at..].chars().next() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => break,
            ')' => depth -= 1,
            _ => {
                if let Some(place) = value_at(upper, at) {
                    // The quote that closes is no part of it, and opens no other text.
                    at = place.end + usize::from(letter == '\'' && place.end < upper.len());
                    places.push(place);
                    continue;
                }
            }
        }
        at += letter.len_utf8();
    }
    places
}

/// The place of the quoted text or the word that begins here, if one does.
fn value_at(upper: &str, at: usize) -> Option<Range<usize>> {
    if let Some(quoted) = upper[at..].strip_prefix('\'') {
        // Two quotes stand for one, and do not end the text.
        let length = quoted.replace("''", "\0\0").find('\'').unwrap_or(quoted.len());
        return Some(at + 1..at + 1 + length);
    }
    let length = upper[at..].find(ends_word).unwrap_or(upper.len() - at);
    (length > 0).then_some(at..at + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mqsc::Command;
    use crate::value::Value;

    fn command(text: &str) -> Command {
        crate::mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).remove(0)
    }

    #[test]
    fn every_attribute_for_a_password_is_a_secret_and_takes_a_text() {
        let mut found: Vec<&str> = keywords().collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, ["INITKEY", "KEYRPWD", "LDAPPWD", "PASSWORD", "SSLKEYP"]);
        for row in ObjectType::definable().flat_map(of) {
            assert_eq!(Value::from("hunter2").check(row), Ok(()), "{}", row.keyword);
            assert_eq!(Value::from(SIGN).check(row), Ok(()), "{}", row.keyword);
        }
    }

    #[test]
    fn a_command_is_shown_with_the_sign() {
        let text =
            "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('ldap') LDAPPWD('hunter2') LDAPUSER('cn=x')";
        let shown = command(text).without_secrets().to_string();
        assert!(shown.contains("LDAPPWD('********')") && !shown.contains("hunter2"), "{shown}");
        let blank = command("ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD(' ')");
        assert!(!blank.brings_secret());
        assert_eq!(blank.settings()[0].secret(), Some(""));
        let sign = command("ALTER AUTHINFO(L) AUTHTYPE(IDPWLDAP) LDAPPWD('********')");
        assert_eq!(sign.settings()[0].secret(), None);
    }

    #[test]
    fn texts_lose_their_secrets_and_keep_their_places() {
        for (text, expected) in [
            ("ALTER X LDAPPWD('hunter2') DESCR('d')", "ALTER X LDAPPWD('*******') DESCR('d')"),
            ("alter x ldappwd ( 'it''s' ) descr(d)", "alter x ldappwd ( '*****' ) descr(d)"),
            ("PASSWORD(abc) KEYRPWD('ä)b')", "PASSWORD(***) KEYRPWD('***')"),
            ("INITKEY('never closed", "INITKEY('************"),
            ("PASSWORD,(,'abc',) SSLKEYP , (abc)", "PASSWORD,(,'***',) SSLKEYP , (***)"),
            ("ALTER X LDAPPWD(' ') KEYRPWD('')", "ALTER X LDAPPWD(' ') KEYRPWD('')"),
            ("INITKEY(never closed", "INITKEY(***** ******"),
            ("PASSWORD('it's' (a)b) DESCR(d)", "PASSWORD('**'*'***************"),
            ("PASSWORD('a' b(c)d) DESCR(d)", "PASSWORD('*' *(*)*) DESCR(d)"),
            ("ALTER X LDAPPWD 'a b' DESCR('d')", "ALTER X LDAPPWD '***' DESCR('d')"),
            ("DEF X LDAPPWD ab) DESCR('PASSWORD x')", "DEF X LDAPPWD **) DESCR('PASSWORD x')"),
            ("DISPLAY AUTHINFO(*) LDAPPWD LDAPUSER", "DISPLAY AUTHINFO(*) LDAPPWD LDAPUSER"),
            ("DEFINE QLOCAL(MYPASSWORD) DESCR('PASSWORD')", "DEFINE QLOCAL(MYPASSWORD) DESCR('PASSWORD')"),
        ] {
            assert_eq!(masked(text), expected);
        }
    }

    #[test]
    fn an_echo_has_the_sign_for_a_secret_of_any_length() {
        for (text, expected) in [
            ("ALTER X PASSWORD('a') DESCR('d')", "ALTER X PASSWORD('********') DESCR('d')"),
            ("PASSWORD,('hunter88')", "PASSWORD,('********')"),
            ("PASSWORD(a) KEYRPWD('x PASSWORD(y) z')", "PASSWORD(********) KEYRPWD('********')"),
            ("DESCR(é) KEYRPWD('é", "DESCR(é) KEYRPWD('********"),
            ("ALTER X LDAPPWD(' ')", "ALTER X LDAPPWD(' ')"),
        ] {
            assert_eq!(signed(text), expected);
        }
    }
}
