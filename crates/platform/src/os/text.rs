//! Files of text.

/// The byte-order mark of UTF-8, which editors of some systems write before a text.
const MARK: &str = "\u{feff}";

/// The bytes of a file of text without a byte-order mark.
#[must_use]
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK.as_bytes()).unwrap_or(bytes)
}

/// A text without a byte-order mark.
#[must_use]
pub fn unmarked(mut text: String) -> String {
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mark_at_the_beginning_goes() {
        for (text, expected) in [
            ("", ""),
            ("\u{feff}", ""),
            ("\u{feff}a\u{feff}", "a\u{feff}"),
            ("a\u{feff}", "a\u{feff}"),
            ("\u{feff}\u{feff}a", "\u{feff}a"),
        ] {
            assert_eq!(unmarked(text.to_owned()), expected);
            assert_eq!(without_mark(text.as_bytes()), expected.as_bytes());
        }
        assert_eq!(without_mark(b"\xEF\xBB"), b"\xEF\xBB", "half a mark is none");
    }
}
