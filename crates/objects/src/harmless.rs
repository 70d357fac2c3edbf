//! Text from outside as it may be shown to a person: nothing in it is taken for anything else than text.
//!
//! Always: a line stays one line, no terminal takes a part of it for a command, and no letter turns or hides
//! those beside it. Text that is safe is not changed.

use std::borrow::Cow;
use std::fmt::Write as _;

pub use security::letters::is_harmful;

/// Adds a letter: a harmful one as an escape, `\n` or `\u{1b}`.
pub fn push(text: &mut String, letter: char) {
    match letter {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        _ if is_harmful(letter) => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(letter));
        }
        _ => text.push(letter),
    }
}

/// Adds a letter of a text of JSON: a harmful one as an escape of JSON, in units of sixteen bits.
pub fn push_json(text: &mut String, letter: char) {
    if is_harmful(letter) {
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    } else {
        text.push(letter);
    }
}

/// Replaces the harmful letters of a text that is shown on one line.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() * 2);
    text.chars().for_each(|letter| push(&mut safe, letter));
    Cow::Owned(safe)
}

/// Replaces the harmful letters of a text of several lines, which may have tabs.
pub fn harmless_lines(text: &str) -> Cow<'_, str> {
    let is_wanted = |letter: char| matches!(letter, '\n' | '\t');
    if !text.contains(|letter| is_harmful(letter) && !is_wanted(letter)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        if is_wanted(letter) { safe.push(letter) } else { push(&mut safe, letter) }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmful_letters_are_shown_as_escapes_and_others_as_they_are() {
        for (text, expected) in [
            ("PAYMENTS.IN", "PAYMENTS.IN"),
            ("größe 東京", "größe 東京"),
            ("A\nB", "A\\nB"),
            ("\x1b[2J", "\\u{1b}[2J"),
            ("\x1b[31mred", "\\u{1b}[31mred"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("\x7f\0", "\\u{7f}\\u{0}"),
            ("a\u{61c}\u{2066}\u{200f}", "a\\u{61c}\\u{2066}\\u{200f}"),
            ("\u{ad}\u{fffa}\u{e0041}", "\\u{ad}\\u{fffa}\\u{e0041}"),
        ] {
            assert_eq!(harmless(text), expected);
        }
    }

    #[test]
    fn harmful_letters_of_json_are_escapes_that_read_back() {
        for (letter, expected) in
            [('a', "a"), ('\u{9b}', "\\u009b"), ('\u{61c}', "\\u061c"), ('\u{e0041}', "\\udb40\\udc41")]
        {
            let mut text = String::new();
            push_json(&mut text, letter);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn lines_and_tabs_stay_and_colours_do_not() {
        for (text, expected) in [
            ("no\n\tnext", "no\n\tnext"),
            ("\x1b[1;31mferry:\x1b[0m no\n\tnext", "\\u{1b}[1;31mferry:\\u{1b}[0m no\n\tnext"),
            ("a\x1b[8mhidden\rx", "a\\u{1b}[8mhidden\\rx"),
            ("\x1b]0;title\x07\u{202e}", "\\u{1b}]0;title\\u{7}\\u{202e}"),
            ("\x1b[", "\\u{1b}["),
        ] {
            assert_eq!(harmless_lines(text), expected);
        }
    }
}
