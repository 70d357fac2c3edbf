//! Rust text as code, comments and literals; enough of the language to count by, no more.

use std::ops::Range;

/// One stretch of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// Bytes of the text.
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Code,
    /// A line comment without its line feed, or a block comment.
    Comment,
    /// A string or a character with its quotes.
    Literal,
}

/// Cuts a text into its parts, in order and without gaps.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let (mut at, mut code_from) = (0, 0);
    while at < bytes.len() {
        let Some((kind, end)) = comment_or_literal(bytes, at) else {
            at += 1;
            continue;
        };
        if code_from < at {
            parts.push(Part { kind: Kind::Code, range: code_from..at });
        }
        parts.push(Part { kind, range: at..end });
        (at, code_from) = (end, end);
    }
    if code_from < at {
        parts.push(Part { kind: Kind::Code, range: code_from..at });
    }
    parts
}

/// The text with comments and literals blanked and test items left out; lines keep their numbers.
pub(super) fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for part in parts(text) {
        let piece = &text[part.range];
        match part.kind {
            Kind::Code => code.push_str(piece),
            Kind::Comment | Kind::Literal => {
                code.extend(piece.chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
            }
        }
    }
    without_tests(&code)
}

/// The kind and the end of a comment or literal that begins here.
fn comment_or_literal(bytes: &[u8], at: usize) -> Option<(Kind, usize)> {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'/', ..] => {
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            Some((Kind::Comment, at + length))
        }
        [b'/', b'*', ..] => Some((Kind::Comment, at + block_comment_length(rest))),
        [b'"', ..] => Some((Kind::Literal, at + 1 + quoted_length(&rest[1..], b'"'))),
        [b'\'', b'\\', ..] => Some((Kind::Literal, at + 1 + quoted_length(&rest[1..], b'\''))),
        [b'\'', ..] => character_length(rest).map(|length| (Kind::Literal, at + length)),
        [b'r', b'"' | b'#', ..] if at == 0 || !is_word(bytes[at - 1]) || bytes[at - 1] == b'b' => {
            raw_length(rest).map(|length| (Kind::Literal, at + length))
        }
        _ => None,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn block_comment_length(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// Bytes up to and with the closing quote, escapes minded.
fn quoted_length(bytes: &[u8], quote: u8) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// `'x'` has a length; the lifetime `'x` has none.
fn character_length(bytes: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(&bytes[1..bytes.len().min(6)]);
    let text = text.or_else(|error| std::str::from_utf8(&bytes[1..=error.valid_up_to()])).ok()?;
    let mut characters = text.chars();
    let width = characters.next()?.len_utf8();
    (characters.next() == Some('\'')).then_some(width + 2)
}

/// `r"…"`, `r#"…"#` and so on; `r#name` is code.
fn raw_length(bytes: &[u8]) -> Option<usize> {
    let hashes = bytes[1..].iter().take_while(|byte| **byte == b'#').count();
    if bytes.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let body = 2 + hashes;
    let closing = [b"\"".as_slice(), "#".repeat(hashes).as_bytes()].concat();
    let length = bytes[body..].windows(closing.len()).position(|window| window == closing);
    Some(length.map_or(bytes.len(), |length| body + length + closing.len()))
}

/// Blanks every item under `#[cfg(test)]`: up to its semicolon, or to the end of its braces.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(start) = rest.find(MARK) {
        kept.push_str(&rest[..start]);
        let item = &rest[start..];
        let length = item_length(&item[MARK.len()..]) + MARK.len();
        kept.extend(item[..length].chars().filter(|character| *character == '\n'));
        rest = &item[length..];
    }
    kept.push_str(rest);
    kept
}

fn item_length(item: &str) -> usize {
    let head = &item[..item.find('{').unwrap_or(item.len())];
    let is_import = head.split_whitespace().any(|word| word == "use");
    let mut depth = 0_usize;
    for (at, byte) in item.bytes().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            // A mark before the last field of a list: the end of the list is not part of it.
            b'}' | b')' | b']' if depth == 0 => return at,
            b'}' if depth == 1 && !is_import => return at + 1,
            b'}' | b')' | b']' => depth -= 1,
            b';' | b',' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    item.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_told_from_code() {
        for (text, expected) in [
            ("a // b \"c\"\nd", "a d"),
            ("a /* b /* c */ d */ e", "a e"),
            ("f(\"// no\", 'x', '\\'', 'a)", "f( , , , 'a)"),
            ("r#\"use a;\"# r#type br\"x\"", "r#type b"),
            ("'é' é", "é"),
        ] {
            let code = code_of(text).split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(code, expected, "{text}");
            assert_eq!(parts(text).last().map(|part| part.range.end), Some(text.len()), "{text}");
        }
    }

    #[test]
    fn items_of_tests_are_left_out_and_lines_keep_their_numbers() {
        let text = "use a;\n#[cfg(test)]\nmod tests {\n    use b;\n}\nuse c;\n#[cfg(test)]\nuse d::{e, f};\nfn g() {}\n";
        let code = code_of(text);
        assert_eq!(
            code.split_whitespace().collect::<Vec<_>>(),
            ["use", "a;", "use", "c;", "fn", "g()", "{}"]
        );
        assert_eq!(code.lines().position(|line| line.contains("fn g")), Some(8));
    }
}
