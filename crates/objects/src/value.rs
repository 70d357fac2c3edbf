//! The value of one attribute of one object.

use std::fmt::Write as _;

use mqi::name::ObjectName;

use crate::attributes::{Attribute, Kind, Word};

/// A value: a number (also for words and switches), a text, or a list of either.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number, or the number a word stands for.
    Integer(i32),
    /// A text, a name or bytes in hexadecimal, without trailing blanks.
    Text(Box<str>),
    /// Numbers, for a list of words.
    Integers(Box<[i32]>),
    /// Texts or names, each without trailing blanks and none of them blank.
    Texts(Box<[Box<str>]>),
}

/// Why a value does not fit its attribute.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Not a number.
    #[error("{keyword} takes {expected}")]
    NotAccepted {
        /// The attribute.
        keyword: &'static str,
        /// The values it takes.
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
    /// Too many entries.
    #[error("{keyword} takes at most {count_max} values, these are {count}")]
    TooMany {
        /// The attribute.
        keyword: &'static str,
        /// The entries given.
        count: usize,
        /// The entries allowed.
        count_max: usize,
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
            _ => None,
        }
    }

    /// Bytes of its text, about.
    pub fn weight(&self, attribute: &Attribute) -> usize {
        let number = |number: &i32| attribute.word_text(*number).map_or(11, |word| word.len());
        match self {
            Self::Integer(one) => number(one),
            Self::Text(text) => text.len(),
            Self::Integers(numbers) => numbers.iter().map(|one| number(one) + 1).sum(),
            Self::Texts(texts) => texts.iter().map(|text| text.len() + 3).sum(),
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The texts of a list of them.
    pub fn as_texts(&self) -> Option<&[Box<str>]> {
        match self {
            Self::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    /// The numbers of a list of them.
    pub fn as_integers(&self) -> Option<&[i32]> {
        match self {
            Self::Integers(numbers) => Some(numbers),
            _ => None,
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
            Kind::Bytes { length } => bytes_in_full(text, length).map(|digits| Self::from(digits.as_str())),
            Kind::Texts { .. } | Kind::Names { .. } | Kind::Words { .. } => {
                return Self::from_mqsc_list(attribute, &[text]);
            }
        };
        let value = value.ok_or_else(|| not_accepted(attribute))?;
        value.check(attribute)?;
        Ok(value)
    }

    /// Reads the content of the parentheses of `KEYWORD(one,other)`; for an attribute that takes one value,
    /// the entries are joined again.
    pub fn from_mqsc_list<Entry: AsRef<str>>(
        attribute: &Attribute,
        entries: &[Entry],
    ) -> Result<Self, ValueError> {
        let texts = || {
            let entries = entries.iter().map(|entry| entry.as_ref().trim_end_matches(' '));
            entries.filter(|entry| !entry.is_empty())
        };
        let value = match attribute.kind {
            Kind::Texts { .. } => Self::Texts(texts().map(Into::into).collect()),
            Kind::Names { .. } => Self::Texts(texts().map(|name| name.trim().into()).collect()),
            Kind::Words { .. } => {
                let numbers = texts().map(|word| attribute.word_value(&word.trim().to_ascii_uppercase()));
                Self::Integers(numbers.collect::<Option<_>>().ok_or_else(|| not_accepted(attribute))?)
            }
            _ => {
                let joined: Vec<&str> = entries.iter().map(AsRef::as_ref).collect();
                return Self::from_mqsc(attribute, &joined.join(","));
            }
        };
        value.check(attribute)?;
        Ok(value)
    }

    /// Checks that this value may be given to the attribute.
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
            (Kind::Text { length_max }, Self::Text(text)) => check_text(keyword, text, length_max),
            (Kind::Name { length_max }, Self::Text(text)) => check_name(keyword, text, length_max),
            (Kind::Bytes { length }, Self::Text(digits)) => {
                let is_whole = bytes_in_full(digits, length).is_some_and(|full| full.as_str() == &**digits);
                is_whole.then_some(()).ok_or_else(|| not_accepted(attribute))
            }
            (Kind::Texts { length_max, count_max }, Self::Texts(texts)) => {
                check_count(keyword, texts.len(), count_max)?;
                texts.iter().try_for_each(|text| check_text(keyword, text, length_max))
            }
            (Kind::Names { length_max, count_max }, Self::Texts(names)) => {
                check_count(keyword, names.len(), count_max)?;
                names.iter().try_for_each(|name| check_name(keyword, name, length_max))
            }
            (Kind::Words { count_max, .. }, Self::Integers(numbers)) => {
                check_count(keyword, numbers.len(), count_max)?;
                let are_words = !numbers.is_empty()
                    && numbers.iter().all(|number| attribute.word_text(*number).is_some());
                are_words.then_some(()).ok_or_else(|| not_accepted(attribute))
            }
            _ => Err(not_accepted(attribute)),
        }
    }

    /// Returns true if its texts have no trailing blanks and its lists no blank entries, as values never do.
    pub(crate) fn is_trimmed(&self) -> bool {
        match self {
            Self::Integer(_) | Self::Integers(_) => true,
            Self::Text(text) => !text.ends_with(' '),
            Self::Texts(texts) => texts.iter().all(|text| !text.is_empty() && !text.ends_with(' ')),
        }
    }

    /// The value as people read it: a word where there is one, texts as they are.
    pub fn shown(&self, attribute: &Attribute) -> String {
        match self {
            Self::Integer(number) => shown_number(attribute, *number),
            Self::Text(text) => text.to_string(),
            Self::Integers(numbers) => {
                numbers.iter().map(|number| shown_number(attribute, *number)).collect::<Vec<_>>().join(",")
            }
            Self::Texts(texts) => texts.join(","),
        }
    }

    /// Appends `KEYWORD(value)` as MQSC that reads back to this value.
    pub fn write_mqsc(&self, attribute: &Attribute, out: &mut String) {
        if matches!(attribute.kind, Kind::Switch { .. }) {
            out.push_str(&self.shown(attribute));
        } else {
            let _ = write!(out, "{}({})", attribute.keyword, self.mqsc(attribute));
        }
    }

    /// The value as it stands between parentheses in MQSC, quoted where it may need it.
    pub fn mqsc(&self, attribute: &Attribute) -> String {
        match self {
            Self::Integer(_) | Self::Integers(_) => self.shown(attribute),
            Self::Text(text) => quoted(text),
            Self::Texts(texts) if texts.is_empty() => quoted(""),
            Self::Texts(texts) => texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(","),
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

fn shown_number(attribute: &Attribute, number: i32) -> String {
    attribute.word_text(number).map_or_else(|| number.to_string(), str::to_owned)
}

/// Hexadecimal digits as they are kept: capitals, filled up with zeros to the full length.
fn bytes_in_full(digits: &str, length: usize) -> Option<String> {
    let digits = digits.trim_end_matches(' ').to_ascii_uppercase();
    let fits = digits.len() <= 2 * length && digits.len().is_multiple_of(2);
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (fits && is_hexadecimal).then(|| format!("{digits:0<width$}", width = 2 * length))
}

fn check_text(keyword: &'static str, text: &str, length_max: usize) -> Result<(), ValueError> {
    check_length(keyword, text, length_max)?;
    let is_text = !text.chars().any(char::is_control);
    is_text.then_some(()).ok_or(ValueError::NotText { keyword })
}

fn check_name(keyword: &'static str, name: &str, length_max: usize) -> Result<(), ValueError> {
    check_length(keyword, name, length_max)?;
    let is_name = name.bytes().all(mqi::name::is_name_byte);
    is_name.then_some(()).ok_or(ValueError::NotAName { keyword })
}

fn check_count(keyword: &'static str, count: usize, count_max: usize) -> Result<(), ValueError> {
    (count <= count_max).then_some(()).ok_or(ValueError::TooMany { keyword, count, count_max })
}

fn check_length(keyword: &'static str, text: &str, length_max: usize) -> Result<(), ValueError> {
    let length = text.len();
    (length <= length_max).then_some(()).ok_or(ValueError::TooLong { keyword, length, length_max })
}

fn not_accepted(attribute: &Attribute) -> ValueError {
    ValueError::NotAccepted { keyword: attribute.keyword, expected: attribute.kind.expectation() }
}

impl Kind {
    /// Describes the possible values, for messages and help: `a number from 0 to 9`.
    pub fn expectation(&self) -> String {
        let list = |words: &[&str]| match words {
            [] => String::new(),
            [only] => (*only).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        };
        match self {
            Self::Integer { minimum, maximum, words } => {
                let mut expectation = format!("a number from {minimum} to {maximum}");
                for word in words.iter().filter(|word| !word.is_blank()) {
                    let _ = write!(expectation, " or {}", word.text);
                }
                expectation
            }
            Self::Text { length_max } => format!("text of at most {length_max} bytes"),
            Self::Name { length_max } => format!("a name of at most {length_max} characters"),
            Self::Bytes { length } => format!("at most {} hexadecimal digits, two for each byte", 2 * length),
            Self::Texts { length_max, count_max } => {
                format!("at most {count_max} texts of at most {length_max} bytes, separated by commas")
            }
            Self::Names { length_max, count_max } => {
                format!("at most {count_max} names of at most {length_max} characters, separated by commas")
            }
            Self::Words { words, count_max } if words.iter().all(Word::is_blank) => {
                format!("{count_max} numbers")
            }
            Self::Words { words, count_max } => {
                let words = list(&words.iter().map(|word| word.text).collect::<Vec<_>>());
                format!("{words}; at most {count_max}, separated by commas")
            }
            Self::Choice { words } => list(&words.iter().map(|word| word.text).collect::<Vec<_>>()),
            Self::Switch { on, off } => list(&[on, off]),
        }
    }
}
