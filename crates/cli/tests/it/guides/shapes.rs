//! Comparison of an output that a document shows with one of a run.
//!
//! Numbers, times and identifiers are apart, with the units after them. White space counts as one
//! blank, so that a document may break a long line. `…` in a document stands for any text. Numbers of
//! messages (`FRY8006I`) and every word have to be as shown.

/// Words after a number that differ with it.
const UNITS: &[&str] = &["B", "KiB", "MiB", "GiB", "µs", "ms", "s", "min"];

/// Words of a date as `date` prints it.
const DATE: &[&str] = &[
    "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
    "Sep", "Oct", "Nov", "Dec",
];

/// The beginning of the number of a message, which counts.
const MESSAGE: &str = "FRY";

/// Stands for any text.
const ANYTHING: char = '…';

/// The difference of an output shown from one of a run, if there is one.
pub(super) fn difference(shown: &str, said: &str) -> Option<String> {
    let matches = shows(&shape(shown), &shape(said));
    (!matches).then(|| format!("\n--- shown\n{shown}\n--- printed\n{said}"))
}

/// The shown text, with its gaps, is the whole of the other.
fn shows(shown: &str, said: &str) -> bool {
    let mut parts = shown.split(ANYTHING).map(str::trim);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = said.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            match rest.split_once(middle) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

/// A text without what differs from run to run.
fn shape(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let shaped = if DATE.contains(&word) { "#".to_owned() } else { without_numbers(word) };
        let after_number = words.last().is_some_and(|before| before.ends_with('#'));
        if !(after_number && UNITS.contains(&word.trim_end_matches([',', ';', ')']))) {
            words.push(shaped);
        }
    }
    words.join(" ")
}

/// Numbers become `#`: digits and hexadecimal letters, with single marks between them, if a digit is
/// among them.
fn without_numbers(word: &str) -> String {
    if word.starts_with(MESSAGE) {
        return word.to_owned();
    }
    let mut shaped = String::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let (run, after) = rest.split_at(number_length(rest).max(first.len_utf8()));
        shaped += if run.contains(|letter: char| letter.is_ascii_digit()) { "#" } else { run };
        rest = after;
    }
    shaped
}

/// Bytes at the beginning of a text that may be a number.
fn number_length(text: &str) -> usize {
    let of_number = |letter: char| matches!(letter, '0'..='9' | 'A'..='F');
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let goes_on = match letter {
            ',' if at > 0 => next.is_ascii_digit(),
            '.' | ':' | '-' | '/' if at > 0 => of_number(next),
            letter => of_number(letter),
        };
        if !goes_on {
            return at;
        }
    }
    text.len()
}

#[test]
fn numbers_times_and_gaps_are_apart_and_words_are_not() {
    let said = "put 1,000 messages on Q.1  5 B, persistent  98 ms  10,160/s\nFRY8006I: Queue A created.";
    for (shown, same) in [
        ("put 7 messages on Q.1  5.1 MiB, persistent 3 s  9/s FRY8006I: Queue A created.", true),
        ("put … created.", true),
        ("put 7 messages … persistent … FRY8006I: Queue A created.", true),
        ("… Queue A created.", true),
        ("put 7 messages on Q.…  5 B, …: Queue A created.", true),
        ("put 7 messages …", true),
        ("put 7 messages on Q.1", false),
        ("put 7 messages … volatile … created.", false),
        ("… FRY8006I: Queue B created.", false),
        ("… FRY8007I: Queue A created.", false),
        ("", false),
    ] {
        assert_eq!(difference(shown, said).is_none(), same, "{shown}");
    }
    assert_eq!(shape("Thu Nov 26 03:19:41 UTC 2026"), shape("Sun Dec 6 13:19:01 UTC 2027"));
    assert_eq!(
        shape("log 0/0000F000 at 2026-11-26T03:19:30.13Z"),
        shape("log 1/00010000 at 2027-01-01T00:00:00Z")
    );
}
