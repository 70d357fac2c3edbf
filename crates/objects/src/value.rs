//! The value of one attribute of one object.

use std::fmt::Write as _;

use mqi::name::ObjectName;

use crate::attributes::{Attribute, Kind};

/// A value: a number (also for words and switches) or a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number, or the number a word stands for.
    Integer(i32),
    /// A text or a name, without trailing blanks.
    Text(Box<str>),
}

/// Why a value does not fit its attribute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Not a number.
    #[error("{keyword} takes {expected}")]
    NotAccepted {
        /// The attribute.
        keyword: &'static str,
        /// What it takes.
        expected: String,
    },
    /// Too many characters.
    #[error("{keyword} takes at most {length_max} bytes, this is {length}")]
    TooLong {
        /// The attribute.
        keyword: &'static str,
        /// The bytes given.
        length: usize,
        /// The bytes allowed.
        length_max: usize,
    },
    /// A control character in a text.
    #[error("{keyword} takes text without line breaks, tabs and other control characters")]
    NotText {
        /// The attribute.
        keyword: &'static str,
    },
    /// A character that names do not have.
    #[error("{keyword} takes the name of an object: letters, digits and . _ / % only")]
    NotAName {
        /// The attribute.
        keyword: &'static str,
    },
}

impl Value {
    /// The number, if it is one.
    pub fn as_integer(&self) -> Option<i32> {
        match self {
            Self::Integer(number) => Some(*number),
            Self::Text(_) => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Integer(_) => None,
            Self::Text(text) => Some(text),
        }
    }

    /// Reads what stands between the parentheses of `KEYWORD(…)`.
    pub fn from_mqsc(attribute: &Attribute, text: &str) -> Result<Self, ValueError> {
        let value = match attribute.kind {
            Kind::Integer { .. } | Kind::Choice { .. } | Kind::Switch { .. } => attribute
                .word_value(text)
                .or_else(|| text.parse().ok().filter(|_| matches!(attribute.kind, Kind::Integer { .. })))
                .map(Self::Integer),
            Kind::Text { .. } | Kind::Name { .. } => Some(Self::from(text)),
        };
        let value = value.ok_or_else(|| not_accepted(attribute))?;
        value.check(attribute)?;
        Ok(value)
    }

    /// Whether this value may be given to the attribute.
    pub fn check(&self, attribute: &Attribute) -> Result<(), ValueError> {
        let keyword = attribute.keyword;
        match (attribute.kind, self) {
            (Kind::Integer { minimum, maximum, .. }, Self::Integer(number)) => {
                let fits = (minimum..=maximum).contains(number) || attribute.word_text(*number).is_some();
                fits.then_some(()).ok_or_else(|| not_accepted(attribute))
            }
            (Kind::Choice { .. }, Self::Integer(number)) => {
                attribute.word_text(*number).map(|_| ()).ok_or_else(|| not_accepted(attribute))
            }
            (Kind::Switch { .. }, Self::Integer(number)) => {
                matches!(number, 0 | 1).then_some(()).ok_or_else(|| not_accepted(attribute))
            }
            (Kind::Text { length_max }, Self::Text(text)) => {
                check_length(keyword, text, length_max)?;
                let is_text = !text.chars().any(char::is_control);
                is_text.then_some(()).ok_or(ValueError::NotText { keyword })
            }
            (Kind::Name { length_max }, Self::Text(text)) => {
                check_length(keyword, text, length_max)?;
                let is_name = text.is_empty() || text.bytes().all(mqi::name::is_name_byte);
                is_name.then_some(()).ok_or(ValueError::NotAName { keyword })
            }
            _ => Err(not_accepted(attribute)),
        }
    }

    /// Whether it is a number, or a text without trailing blanks, as values always are.
    pub(crate) fn is_trimmed(&self) -> bool {
        self.as_text().is_none_or(|text| !text.ends_with(' '))
    }

    /// The value as people read it: a word where there is one, texts as they are.
    pub fn shown(&self, attribute: &Attribute) -> String {
        match self {
            Self::Integer(number) => {
                attribute.word_text(*number).map_or_else(|| number.to_string(), str::to_owned)
            }
            Self::Text(text) => text.to_string(),
        }
    }

    /// Appends `KEYWORD(value)` as MQSC that reads back to this value.
    pub fn write_mqsc(&self, attribute: &Attribute, out: &mut String) {
        let shown = self.shown(attribute);
        match attribute.kind {
            Kind::Switch { .. } => out.push_str(&shown),
            Kind::Integer { .. } | Kind::Choice { .. } => {
                let _ = write!(out, "{}({shown})", attribute.keyword);
            }
            Kind::Text { .. } | Kind::Name { .. } => {
                let _ = write!(out, "{}({})", attribute.keyword, quoted(&shown));
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.trim_end_matches(' ').into())
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Integer(number)
    }
}

impl From<&ObjectName> for Value {
    fn from(name: &ObjectName) -> Self {
        Self::from(name.as_str())
    }
}

/// A text in MQSC quotes; blank is written as one blank, as the language wants it.
pub fn quoted(text: &str) -> String {
    if text.is_empty() { "' '".to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

fn check_length(keyword: &'static str, text: &str, length_max: usize) -> Result<(), ValueError> {
    let length = text.len();
    (length <= length_max).then_some(()).ok_or(ValueError::TooLong { keyword, length, length_max })
}

fn not_accepted(attribute: &Attribute) -> ValueError {
    ValueError::NotAccepted { keyword: attribute.keyword, expected: attribute.kind.expectation() }
}

impl Kind {
    /// What values there are, for messages and help: `a number from 0 to 9`.
    pub fn expectation(&self) -> String {
        let list = |words: &[&str]| match words {
            [] => String::new(),
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        };
        match self {
            Self::Integer { minimum, maximum, words } => {
                let mut expectation = format!("a number from {minimum} to {maximum}");
                for word in *words {
                    let _ = write!(expectation, " or {}", word.text);
                }
                expectation
            }
            Self::Text { length_max } => format!("text of at most {length_max} bytes"),
            Self::Name { length_max } => format!("a name of at most {length_max} characters"),
            Self::Choice { words } => list(&words.iter().map(|word| word.text).collect::<Vec<_>>()),
            Self::Switch { on, off } => list(&[on, off]),
        }
    }
}
