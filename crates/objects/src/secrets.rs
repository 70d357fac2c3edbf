//! Values that are secrets: passwords of directories, key repositories and partners.
//!
//! Lives here: the sign that stands for a secret, the rows that have one, texts with secrets masked.
//! Lives elsewhere: keeping secrets (the host of the engine), commands that bring them (`commands`), their
//! binary form (`pcf`).
//!
//! Always: a definition has the sign or is blank, so that nothing made of a definition has a secret: display,
//! dump, event, log. The sign given as a value leaves the secret as it is.

use std::borrow::Cow;

use crate::attributes::{self, Attribute, Subject};
use crate::object_type::ObjectType;

/// The sign that stands for a secret.
pub const SIGN: &str = "********";

/// The rows of secrets that objects of a type have.
pub fn of(object_type: ObjectType) -> impl Iterator<Item = &'static Attribute> {
    attributes::of(Subject::Object(object_type)).filter(|row| row.is_secret)
}

/// A text that may be MQSC, with an asterisk for each character of a secret. Places in the text stay as they
/// are.
pub fn masked(text: &str) -> Cow<'_, str> {
    let upper = text.to_ascii_uppercase();
    let mut places: Vec<(usize, usize)> =
        keywords().flat_map(|keyword| values_behind(&upper, keyword)).collect();
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    places.sort_unstable();
    let is_secret = |at: usize| places.iter().any(|(from, to)| (*from..*to).contains(&at));
    let mask = |(at, letter)| if is_secret(at) { '*' } else { letter };
    Cow::Owned(text.char_indices().map(mask).collect())
}

/// The keywords of secrets; some more than once.
fn keywords() -> impl Iterator<Item = &'static str> {
    ObjectType::definable().flat_map(of).map(|row| row.keyword)
}

/// The places between the brackets behind a keyword, quotes left out; to the end of the text where a bracket
/// is not closed. Bytes as in the text: letters of ASCII alone were changed.
fn values_behind(upper: &str, keyword: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (at, _) in upper.match_indices(keyword) {
        let behind = at + keyword.len();
        let rest = &upper[behind..];
        let inner = rest.trim_start().strip_prefix('(').map(str::trim_start);
        let begins_word = !upper[..at].ends_with(|letter: char| letter.is_ascii_alphanumeric());
        let Some(inner) = inner.filter(|_| begins_word) else { continue };
        let from = upper.len() - inner.len();
        let (from, end) = match inner.strip_prefix('\'') {
            // Two quotes stand for one, and do not end the text.
            Some(quoted) => (from + 1, quoted.replace("''", "\0\0").find('\'')),
            None => (from, inner.find(')')),
        };
        places.push((from, end.map_or(upper.len(), |length| from + length)));
    }
    places
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
            ("DEFINE QLOCAL(MYPASSWORD) DESCR('PASSWORD')", "DEFINE QLOCAL(MYPASSWORD) DESCR('PASSWORD')"),
        ] {
            assert_eq!(masked(text), expected);
        }
    }
}
