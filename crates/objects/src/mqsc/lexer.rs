//! From a statement to its words.

use std::ops::Range;

/// A word, a quoted text or a sign, and where it stands in the statement, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Text outside quotes, folded to capitals.
    Word(String),
    /// Text inside quotes, as it is.
    Quoted(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
}

/// A quote that opens and never closes, by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unclosed {
    pub(crate) offset: usize,
}

/// Cuts a statement into tokens.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Unclosed> {
    let mut tokens = Vec::new();
    let mut offset = 0;
    while let Some(first) = text[offset..].chars().next() {
        let start = offset;
        offset += first.len_utf8();
        let kind = match first {
            _ if first.is_whitespace() => continue,
            '(' => TokenKind::Open,
            ')' => TokenKind::Close,
            ',' => TokenKind::Comma,
            '\'' => {
                let (quoted, end) = quoted(text, offset).ok_or(Unclosed { offset: start })?;
                offset = end;
                TokenKind::Quoted(quoted)
            }
            _ => {
                let length = text[offset..].find(ends_word).unwrap_or(text.len() - offset);
                offset += length;
                TokenKind::Word(text[start..offset].to_ascii_uppercase())
            }
        };
        tokens.push(Token { kind, span: start..offset });
    }
    Ok(tokens)
}

/// The text up to the closing quote, doubled quotes made single, and the place after that quote.
fn quoted(text: &str, start: usize) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut offset = start;
    loop {
        let length = text[offset..].find('\'')?;
        content.push_str(&text[offset..offset + length]);
        offset += length + 1;
        if !text[offset..].starts_with('\'') {
            return Some((content, offset));
        }
        content.push('\'');
        offset += 1;
    }
}

/// Returns true for a character that is no part of a word.
pub(crate) fn ends_word(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | ',' | '\'')
}
