//! Bytes as text for a person: whole, as one line with a bound, and as hexadecimal digits.

use std::borrow::Cow;
use std::fmt::Write as _;

use objects::harmless::{is_harmful, push};

/// Bytes as text that a terminal can show: control characters and what is not UTF-8 are written as escapes.
pub(crate) fn printable(body: &[u8]) -> Cow<'_, str> {
    let is_plain = |text: &str| !text.chars().any(|letter| is_harmful(letter) && letter != '\t');
    if let Ok(text) = std::str::from_utf8(body)
        && is_plain(text)
    {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(body.len() * 2);
    for chunk in body.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\t' | '\n' => text.push(character),
                other => push(&mut text, other),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

/// The beginning of a body on one line, at most so many characters.
pub(crate) fn preview(body: &[u8], characters_max: usize) -> String {
    // Four bytes are the longest character; more need not be looked at.
    let head = &body[..body.len().min(characters_max.saturating_mul(4))];
    let text = printable(head).replace(['\n', '\t'], " ");
    let mut shown: String = text.chars().take(characters_max).collect();
    if text.chars().count() > characters_max || head.len() < body.len() {
        shown.pop();
        shown.push('…');
    }
    shown
}

/// Bytes as hexadecimal digits.
pub(crate) fn hexadecimal(body: &[u8]) -> String {
    body.iter().fold(String::with_capacity(body.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_never_sent_control_sequences() {
        assert_eq!(printable(b"plain"), "plain");
        assert_eq!(printable(b"\x1b[2Jgone"), "\\u{1b}[2Jgone");
        assert_eq!(printable(b"a\xFFb\0"), "a\\xffb\\u{0}");
    }

    #[test]
    fn a_preview_is_one_line_of_bounded_length() {
        assert_eq!(preview(b"short", 10), "short");
        assert_eq!(preview(b"two\nlines", 10), "two lines");
        assert_eq!(preview("ééééé".as_bytes(), 4), "ééé…");
        assert_eq!(preview(&[b'x'; 1000], 4), "xxx…");
    }
}
