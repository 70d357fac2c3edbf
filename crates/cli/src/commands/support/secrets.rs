//! Text without anything that may be a secret.
//!
//! Lives here: the forms that secrets have in logs, settings and definitions. Always: a word that looks like
//! a secret is left out, even where it is none.

/// The words that stand in the place of a secret.
const LEFT_OUT: &str = "(left out)";

/// Names behind which a secret follows, in small letters; a longer name that ends so counts as well.
const NAMES: [&str; 15] = [
    "password",
    "passwd",
    "passwort",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "private_key",
    "credentials",
    "authorization",
    "sslkeyp",
    "accesskey",
];

/// Attributes whose text belongs to programs or people, and may be anything.
const FREE_ATTRIBUTES: [&str; 16] = [
    "PASSWORD", "LDAPPWD", "KEYRPWD", "SSLKEYP", "SSLCRYP", "STARTARG", "STOPARG", "USERDATA", "TRIGDATA",
    "ENVRDATA", "CUSTOM", "SCYDATA", "SENDDATA", "RCVDATA", "MSGDATA", "APPLICID",
];

/// The beginnings of words that are secrets by themselves: hashes of passwords, tokens, keys of services.
const BEGINNINGS: [&str; 8] = ["$argon2", "$6$", "$y$", "eyJ", "AKIA", "ghp_", "xoxb-", "sk_live_"];

/// Least letters of such a word.
const WORD_LETTERS_MIN: usize = 12;

/// A text of lines, as logs and settings are.
pub(super) fn without(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut is_in_key = false;
    for line in text.lines() {
        let (begins, ends) = (line.contains("-----BEGIN "), line.contains("-----END "));
        if is_in_key || begins {
            if begins {
                clean.push_str("(keys or certificates left out)\n");
            }
            is_in_key = !ends;
            continue;
        }
        clean.push_str(&line_without(line));
        clean.push('\n');
    }
    clean
}

fn line_without(line: &str) -> String {
    without_words(&without_logins(&without_named(line)))
}

/// Leaves out values behind names of secrets: `password=x`, `"token": "x"`, `PWD('x')`, `--secret x`.
fn without_named(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let mut clean = String::with_capacity(line.len());
    let mut at = 0;
    while let Some((begin, name)) = next_name(&lower, at) {
        let end_of_name = begin + name.len();
        let Some((from, to)) = value_behind(line, end_of_name) else {
            clean.push_str(&line[at..end_of_name]);
            at = end_of_name;
            continue;
        };
        clean.push_str(&line[at..from]);
        clean.push_str(LEFT_OUT);
        at = to;
    }
    clean.push_str(&line[at..]);
    clean
}

/// The next name from a place on: the first, and of those that begin there the longest.
fn next_name(lower: &str, at: usize) -> Option<(usize, &'static str)> {
    let found = NAMES.iter().filter_map(|name| Some((at + lower[at..].find(name)?, *name)));
    found.min_by_key(|(begin, name)| (*begin, usize::MAX - name.len()))
}

/// The place of the value behind a name, if one follows.
fn value_behind(line: &str, end_of_name: usize) -> Option<(usize, usize)> {
    let rest = &line[end_of_name..];
    let is_between = |letter: char| " \t=:\"'({>".contains(letter);
    let value = rest.trim_start_matches(is_between);
    let between = &rest[..rest.len() - value.len()];
    if between.is_empty() || value.is_empty() {
        return None;
    }
    let from = end_of_name + between.len();
    let quote = between.chars().rev().find(|letter| "\"'({".contains(*letter));
    let end = match quote {
        Some('(' | '{') => value.find([')', '}']),
        Some(quote) => value.find(quote),
        // A word of speech behind a name of speech is one word too many left out, which does no harm.
        None => value.find([' ', '\t', ',', ';', '&', '<', '"', '\'']),
    };
    // The kind of proof stands before the proof: Bearer, Basic.
    let length = end.unwrap_or(value.len());
    let is_kind = ["bearer", "basic"].contains(&value[..length].to_ascii_lowercase().as_str());
    let length = if is_kind && quote.is_none() {
        let after = value[length..].trim_start();
        let word = after.find([' ', '\t', ',', '"', '\'']).unwrap_or(after.len());
        value.len() - after.len() + word
    } else {
        length
    };
    Some((from, from + length))
}

/// Leaves out users and passwords of addresses: `scheme://user:password@host`.
fn without_logins(line: &str) -> String {
    let mut clean = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(scheme) = rest.find("://") {
        let (before, after) = rest.split_at(scheme + "://".len());
        clean.push_str(before);
        let authority = after.find(['/', ' ', '\t', '"', '\'', ')', ',']).unwrap_or(after.len());
        rest = after;
        if let Some(at) = after[..authority].rfind('@') {
            clean.push_str(LEFT_OUT);
            rest = &after[at..];
        }
    }
    clean.push_str(rest);
    clean
}

/// Leaves out words that are secrets by their beginning.
fn without_words(line: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "$._-+/=,".contains(letter);
    let mut clean = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(begin) = rest.find(is_letter) {
        let (before, after) = rest.split_at(begin);
        let length = after.find(|letter| !is_letter(letter)).unwrap_or(after.len());
        let (word, behind) = after.split_at(length);
        clean.push_str(before);
        clean.push_str(&word_without(word));
        rest = behind;
    }
    clean.push_str(rest);
    clean
}

fn word_without(word: &str) -> String {
    let secret = BEGINNINGS.iter().filter_map(|beginning| word.find(beginning)).min();
    match secret {
        Some(at) if word.len() - at >= WORD_LETTERS_MIN => format!("{}{LEFT_OUT}", &word[..at]),
        _ => word.to_owned(),
    }
}

/// A script of definitions. Attributes whose text may be anything keep only that they are set.
pub(super) fn without_in_definitions(script: &str) -> String {
    let mut clean = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((name, value)) = next_free_attribute(rest) {
        clean.push_str(&rest[..name]);
        let end = end_of_text(&rest[value..]);
        clean.push_str(if rest[value..].starts_with("' '") { "' '" } else { "'(left out)'" });
        rest = &rest[value + end..];
    }
    clean.push_str(rest);
    without(&clean)
}

/// The place where the quoted text of such an attribute begins, twice: the end of what stays, and the text.
fn next_free_attribute(script: &str) -> Option<(usize, usize)> {
    let places = FREE_ATTRIBUTES.iter().filter_map(|name| {
        let found = script.find(&format!("{name}('"))?;
        Some(found + name.len() + 1)
    });
    places.min().map(|place| (place, place))
}

/// The end of a quoted text, in which a quote stands twice.
fn end_of_text(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'\'', Some(b'\'')) => at += 2,
            (b'\'', _) => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_left_out_in_each_of_their_forms_and_the_rest_of_the_line_stays() {
        for (line, expected) in [
            ("user=anna password=hunter2 host=mq", "user=anna password=(left out) host=mq"),
            (
                "{\"token\": \"hunter2\", \"queue\": \"ORDERS\"}",
                "{\"token\": \"(left out)\", \"queue\": \"ORDERS\"}",
            ),
            ("ALTER X LDAPPWD('hunter2') DESCR('d')", "ALTER X LDAPPWD('(left out)') DESCR('d')"),
            ("db.password: 'hunter 2' and more", "db.password: '(left out)' and more"),
            ("Authorization: Bearer hunter2 next", "Authorization: (left out) next"),
            ("amqp://anna:hunter2@mq:5672/x", "amqp://(left out)@mq:5672/x"),
            ("hash $argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA end", "hash (left out) end"),
            ("jwt eyJhbGciOiJIUzI1NiJ9.e30.c2ln end", "jwt (left out) end"),
            ("the password", "the password"),
            ("FRY5020W QM1: 3 messages", "FRY5020W QM1: 3 messages"),
            ("pwd=übergrün, next", "pwd=(left out), next"),
        ] {
            assert_eq!(line_without(line), expected);
        }
        let keys = "a\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nb\n";
        assert_eq!(without(keys), "a\n(keys or certificates left out)\nb\n");
        assert_eq!(without("-----BEGIN X-----\nMIIE\n"), "(keys or certificates left out)\n", "cut off");
    }

    #[test]
    fn attributes_whose_text_may_be_anything_are_left_out_of_definitions() {
        let script = "DEFINE SERVICE(S) STARTARG('-u a -p ''hunter2''') +\n STOPARG(' ') DESCR('it')\n";
        let expected = "DEFINE SERVICE(S) STARTARG('(left out)') +\n STOPARG(' ') DESCR('it')\n";
        assert_eq!(without_in_definitions(script), expected);
        assert_eq!(without_in_definitions("X CUSTOM('no end"), "X CUSTOM('(left out)'\n");
    }
}
