//! Words of a selector.
//!
//! | word | examples |
//! |---|---|
//! | text | `'it''s'` |
//! | bytes | `"0x0AFF"` |
//! | exact number | `57`, `-1L` (the sign is an operator), `0x1F`, `017` |
//! | approximate number | `7E3`, `.5`, `7.`, `2.5d` |
//! | name | `colour`, `Root.MQMD.Priority` |
//! | symbol | `= <> < <= > >= + - * / ( ) ,` |

use mqi::properties::{bytes_from_hex, name};

use crate::error::{Error, Fault};

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    And,
    Between,
    Escape,
    False,
    In,
    Is,
    Like,
    Not,
    Null,
    Or,
    True,
}

const KEYWORDS: &[(&str, Keyword)] = &[
    ("AND", Keyword::And),
    ("BETWEEN", Keyword::Between),
    ("ESCAPE", Keyword::Escape),
    ("FALSE", Keyword::False),
    ("IN", Keyword::In),
    ("IS", Keyword::Is),
    ("LIKE", Keyword::Like),
    ("NOT", Keyword::Not),
    ("NULL", Keyword::Null),
    ("OR", Keyword::Or),
    ("TRUE", Keyword::True),
];

/// The kind of a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Keyword(Keyword),
    Name,
    Text(String),
    Bytes(Vec<u8>),
    Exact(i64),
    /// The magnitude of the lowest whole number, which only a minus sign before it makes one.
    Lowest,
    /// `0x` and digits: a number, or bytes where bytes are compared.
    Hexadecimal {
        number: Option<i64>,
        bytes: Option<Vec<u8>>,
    },
    Approximate(f64),
    Symbol(Symbol),
    End,
}

/// An operator or a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Open,
    Close,
    Comma,
}

/// Longest first, so that `<=` is not read as `<`.
const SYMBOLS: &[(&str, Symbol)] = &[
    ("<>", Symbol::NotEqual),
    ("<=", Symbol::LessOrEqual),
    (">=", Symbol::GreaterOrEqual),
    ("=", Symbol::Equal),
    ("<", Symbol::Less),
    (">", Symbol::Greater),
    ("+", Symbol::Plus),
    ("-", Symbol::Minus),
    ("*", Symbol::Times),
    ("/", Symbol::Divide),
    ("(", Symbol::Open),
    (")", Symbol::Close),
    (",", Symbol::Comma),
];

/// One word and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) kind: Kind,
    pub(crate) position: usize,
    pub(crate) length: usize,
}

/// Hands out the words of a text one by one.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    /// The next word; past the last one, the end again and again.
    pub(crate) fn next(&mut self) -> Result<Word, Error> {
        let blank = |character: char| character.is_whitespace() || character == '\0';
        self.position += self.rest().len() - self.rest().trim_start_matches(blank).len();
        let start = self.position;
        let kind = self.kind()?;
        Ok(Word { kind, position: start, length: self.position - start })
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn kind(&mut self) -> Result<Kind, Error> {
        let Some(first) = self.rest().chars().next() else { return Ok(Kind::End) };
        match first {
            '\'' => self.text(),
            '"' => self.bytes(),
            '0'..='9' => self.number(),
            '.' if self.rest()[1..].starts_with(|next: char| next.is_ascii_digit()) => self.number(),
            _ if name::is_start(first) => Ok(self.name()),
            _ => self.symbol(first),
        }
    }

    fn text(&mut self) -> Result<Kind, Error> {
        let mut text = String::new();
        let mut rest = &self.rest()[1..];
        let mut length = 1;
        loop {
            let Some(end) = rest.find('\'') else {
                return Err(self.error(self.rest().len(), Fault::Unclosed('\'')));
            };
            text.push_str(&rest[..end]);
            length += end + 1;
            rest = &rest[end + 1..];
            let Some(after) = rest.strip_prefix('\'') else { break };
            text.push('\'');
            length += 1;
            rest = after;
        }
        self.position += length;
        Ok(Kind::Text(text))
    }

    fn bytes(&mut self) -> Result<Kind, Error> {
        let Some(end) = self.rest()[1..].find('"') else {
            return Err(self.error(self.rest().len(), Fault::Unclosed('"')));
        };
        let length = end + 2;
        let inner = &self.rest()[1..=end];
        let digits = inner.strip_prefix("0x").or_else(|| inner.strip_prefix("0X"));
        let Some(bytes) = digits.and_then(bytes_of) else { return Err(self.error(length, Fault::Bytes)) };
        self.position += length;
        Ok(Kind::Bytes(bytes))
    }

    fn name(&mut self) -> Kind {
        let rest = self.rest();
        let is_part = |character: char| name::is_part(character) || character == '.';
        let length = rest.find(|character: char| !is_part(character)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.position += length;
        match KEYWORDS.iter().find(|(keyword, _)| keyword.eq_ignore_ascii_case(word)) {
            Some((_, keyword)) => Kind::Keyword(*keyword),
            None => Kind::Name,
        }
    }

    fn symbol(&mut self, first: char) -> Result<Kind, Error> {
        let found = SYMBOLS.iter().find(|(symbol, _)| self.rest().starts_with(symbol));
        let Some((symbol, kind)) = found else {
            let instead = match first {
                '!' => "; not equal is written <>",
                '&' | '|' => "; conditions are joined with AND and OR",
                '%' | '?' => "; wildcards stand in the quotes after LIKE",
                '\u{2018}' | '\u{2019}' => "; texts stand in straight single quotes",
                _ => "",
            };
            return Err(self.error(first.len_utf8(), Fault::Character(instead)));
        };
        self.position += symbol.len();
        Ok(Kind::Symbol(*kind))
    }

    fn number(&mut self) -> Result<Kind, Error> {
        let rest = self.rest();
        if rest.starts_with("0x") || rest.starts_with("0X") {
            return self.hexadecimal();
        }
        let bytes = rest.as_bytes();
        let digits_from =
            |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits_from(0);
        let mut is_exact = true;
        if bytes.get(end) == Some(&b'.') {
            is_exact = false;
            end = digits_from(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits_from(end + 1 + sign);
            if exponent > end + 1 + sign {
                is_exact = false;
                end = exponent;
            }
        }
        let digits = &rest[..end];
        let suffix = bytes.get(end).map(u8::to_ascii_lowercase);
        let (length, is_exact) = match suffix {
            Some(b'l') if is_exact => (end + 1, true),
            Some(b'd' | b'f') => (end + 1, false),
            _ => (end, is_exact),
        };
        if rest[length..].starts_with(name::is_part) {
            let end =
                rest.find(|character: char| !name::is_part(character)).unwrap_or(rest.len()).max(length);
            return Err(
                self.error(end, Fault::Number("neither a number nor a name: names begin with a letter"))
            );
        }
        let kind = if is_exact { exact(digits) } else { approximate(digits) };
        let kind = kind.map_err(|why| self.error(length, Fault::Number(why)))?;
        self.position += length;
        Ok(kind)
    }

    fn hexadecimal(&mut self) -> Result<Kind, Error> {
        let rest = self.rest();
        let word = rest.find(|character: char| !name::is_part(character)).unwrap_or(rest.len());
        let digits = &rest[2..word];
        let digits = digits.strip_suffix(['l', 'L']).unwrap_or(digits);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.error(word, Fault::Number("after 0x come hexadecimal digits")));
        }
        self.position += word;
        let number = i64::from_str_radix(digits, 16).ok();
        Ok(Kind::Hexadecimal { number, bytes: bytes_of(digits) })
    }

    fn error(&self, length: usize, fault: Fault) -> Error {
        Error::new(self.text, self.position, length, fault)
    }
}

fn exact(digits: &str) -> Result<Kind, &'static str> {
    if digits.len() > 1 && digits.starts_with('0') {
        return i64::from_str_radix(digits, 8)
            .map(Kind::Exact)
            .map_err(|_| "a number that begins with 0 is octal: it has digits 0 to 7 and fits in 64 bits");
    }
    if digits.parse() == Ok(i64::MIN.unsigned_abs()) {
        return Ok(Kind::Lowest);
    }
    digits
        .parse()
        .map(Kind::Exact)
        .map_err(|_| "an exact number fits in 64 bits; with a point it is approximate")
}

fn approximate(digits: &str) -> Result<Kind, &'static str> {
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(Kind::Approximate(number)),
        _ => Err("this number is out of range"),
    }
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    if digits.is_empty() { None } else { bytes_from_hex(digits) }
}
