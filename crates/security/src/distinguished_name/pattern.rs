//! Patterns of certificates' names.
//!
//! ```text
//! CN=app*, OU="Payments, North"; O=Bank
//! ```
//!
//! Attributes stand apart by `,` or `;`, with blanks around them as one likes. A value may stand in `"`,
//! which keep separators and blanks in it. `*` at the start or the end of a value, or at both, stands for any
//! characters; `\` takes its meaning from the `\`, `*`, `"`, `,` or `;` behind it.

use super::attribute::AttributeType;
use super::name::{Name, write_value};
use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::str::FromStr;

/// Most bytes of a pattern.
pub const LENGTH_MAX: usize = 1024;

/// A reason why a text is no pattern of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamePatternError {
    /// The text is longer than a pattern can be.
    #[error("the pattern has {length} bytes where at most {LENGTH_MAX} are allowed; leave attributes out")]
    TooLong {
        /// The number of bytes.
        length: usize,
    },
    /// An attribute has no value.
    #[error("\"{part}\" is no attribute; write attributes as TYPE=value, separated by commas")]
    Form {
        /// The attribute as it was written.
        part: String,
    },
    /// A word stands for no type.
    #[error("{word} is no type of attribute; a pattern has these: {}", words())]
    Type {
        /// The word.
        word: String,
    },
    /// An attribute stands twice that a name has once.
    #[error("{word} stands there twice; a pattern repeats OU and DC alone")]
    Repeated {
        /// The attribute's word.
        word: &'static str,
    },
    /// An asterisk is inside a value.
    #[error(
        "the value of {word} has * inside; put it at the start or the end, or write \\* for the character"
    )]
    Asterisk {
        /// The attribute's word.
        word: &'static str,
    },
    /// A quotation mark is not closed, or something stands behind it.
    #[error("the value of {word} has a quotation mark that does not close it")]
    Quotation {
        /// The attribute's word.
        word: &'static str,
    },
    /// A value has a control character, which no name that matches has.
    #[error("the value of {word} has a control character; take it out")]
    ControlCharacter {
        /// The attribute's word.
        word: &'static str,
    },
}

fn words() -> String {
    AttributeType::all().map(AttributeType::word).collect::<Vec<_>>().join(" ")
}

/// The values that one attribute may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Value {
    text: String,
    /// Any characters may stand in front of the text.
    is_open_before: bool,
    /// Any characters may stand behind it.
    is_open_after: bool,
}

impl Value {
    const fn is_generic(&self) -> bool {
        self.is_open_before || self.is_open_after
    }

    /// Compares letters of ASCII of any case; folding others could make one letter of two.
    fn matches(&self, value: &str) -> bool {
        let (text, value) = (self.text.as_bytes(), value.as_bytes());
        if value.len() < text.len() {
            return false;
        }
        let rest = value.len() - text.len();
        match (self.is_open_before, self.is_open_after) {
            (false, false) => value.eq_ignore_ascii_case(text),
            (false, true) => value[..text.len()].eq_ignore_ascii_case(text),
            (true, false) => value[rest..].eq_ignore_ascii_case(text),
            (true, true) => (0..=rest).any(|at| value[at..at + text.len()].eq_ignore_ascii_case(text)),
        }
    }

    /// The most specific first: a value without `*`, then the longer text, then the one that is open at its
    /// end alone; between texts that are as specific their letters decide, so that the answer is always the
    /// same.
    fn specificity(&self) -> impl Ord + use<> {
        let is_open_at_both = self.is_open_before && self.is_open_after;
        let open = (is_open_at_both, self.is_open_before);
        (self.is_generic(), Reverse(self.text.len()), open, self.text.to_ascii_lowercase())
    }
}

/// A pattern of names, which asks for some attributes and lets any others be there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    attributes: Vec<(AttributeType, Value)>,
}

impl Pattern {
    /// Tells if a name has every attribute that is asked for. Of OU and DC the first of the pattern stands
    /// for the first of the name, the second for the second.
    #[must_use]
    pub fn matches(&self, name: &Name) -> bool {
        name.fault().is_none()
            && AttributeType::all().all(|attribute| {
                let mut values = name.values(attribute);
                self.values(attribute).all(|asked| values.next().is_some_and(|value| asked.matches(value)))
            })
    }

    /// Tells if it can match several values of an attribute that it names.
    #[must_use]
    pub fn is_generic(&self) -> bool {
        self.attributes.iter().any(|(_, value)| value.is_generic())
    }

    /// The name that has the attributes of the pattern and no others; none when the pattern is generic.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        if self.is_generic() {
            return None;
        }
        let mut name = Name::new();
        for (attribute, value) in &self.attributes {
            name.add_attribute(*attribute, &value.text);
        }
        Some(name)
    }

    /// The order of patterns that match the same name, the most specific first. The first type of attribute
    /// in which they differ decides: the one that has it, that has more of it, that has a value without `*`,
    /// with a longer text.
    #[must_use]
    pub fn by_specificity(&self, other: &Self) -> Ordering {
        let by_type = AttributeType::all().map(|attribute| {
            let number = |pattern: &Self| Reverse(pattern.values(attribute).count());
            let values = self.values(attribute).map(Value::specificity);
            number(self)
                .cmp(&number(other))
                .then_with(|| values.cmp(other.values(attribute).map(Value::specificity)))
        });
        let decided = by_type.into_iter().find(|order| order.is_ne());
        // Only the case of letters, or the order of attributes, can still differ.
        decided.unwrap_or_else(|| self.to_string().cmp(&other.to_string()))
    }

    fn values(&self, attribute: AttributeType) -> impl Iterator<Item = &Value> {
        self.attributes.iter().filter(move |(own, _)| *own == attribute).map(|(_, value)| value)
    }
}

impl FromStr for Pattern {
    type Err = NamePatternError;

    fn from_str(text: &str) -> Result<Self, NamePatternError> {
        if text.len() > LENGTH_MAX {
            return Err(NamePatternError::TooLong { length: text.len() });
        }
        let mut pattern = Self { attributes: Vec::new() };
        let mut rest = text;
        loop {
            let (word, after) =
                rest.split_once('=').ok_or_else(|| NamePatternError::Form { part: shown(rest) })?;
            let word = word.trim_start_matches(' ');
            let attribute =
                AttributeType::by_word(word).ok_or_else(|| NamePatternError::Type { word: shown(word) })?;
            if !attribute.repeats() && pattern.values(attribute).next().is_some() {
                return Err(NamePatternError::Repeated { word: attribute.word() });
            }
            let (value, after) = value(attribute, after)?;
            pattern.attributes.push((attribute, value));
            match after {
                Some(after) => rest = after,
                None => return Ok(pattern),
            }
        }
    }
}

/// Takes the value at the start of a text, and the text behind its separator; none when there is no
/// separator.
fn value(attribute: AttributeType, text: &str) -> Result<(Value, Option<&str>), NamePatternError> {
    let word = attribute.word();
    let text = text.trim_start_matches(' ');
    let mut is_quoted = text.starts_with('"');
    let was_quoted = is_quoted;
    let mut characters = text.char_indices().skip(usize::from(is_quoted)).peekable();
    // Characters with their meaning: `*` as itself, all others as they are.
    let mut read: Vec<Read> = Vec::new();
    let mut end = None;
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if matches!(characters.peek(), Some((_, '\\' | '*' | '"' | ',' | ';'))) => {
                read.extend(characters.next().map(|(_, escaped)| Read::Character(escaped)));
            }
            '"' if is_quoted => {
                is_quoted = false;
                let behind = text[at + 1..].trim_start_matches(' ');
                if !behind.is_empty() && !behind.starts_with([',', ';']) {
                    return Err(NamePatternError::Quotation { word });
                }
                end = behind.get(1..);
                break;
            }
            ',' | ';' if !is_quoted => {
                end = Some(&text[at + 1..]);
                break;
            }
            '*' => read.push(Read::Asterisk),
            character if character.is_control() => return Err(NamePatternError::ControlCharacter { word }),
            character => read.push(Read::Character(character)),
        }
    }
    if is_quoted {
        return Err(NamePatternError::Quotation { word });
    }
    if !was_quoted {
        while read.last() == Some(&Read::Character(' ')) {
            read.pop();
        }
        if read.is_empty() {
            return Err(NamePatternError::Form { part: format!("{word}=") });
        }
    }
    Ok((closed(word, &read)?, end))
}

/// A character of a value, or an asterisk that stands for any.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Character(char),
    Asterisk,
}

/// Makes a value of what was read: asterisks at both ends, and the text between.
fn closed(word: &'static str, read: &[Read]) -> Result<Value, NamePatternError> {
    let is_open_before = read.first() == Some(&Read::Asterisk);
    let text = if is_open_before { &read[1..] } else { read };
    let is_open_after = text.last() == Some(&Read::Asterisk) || is_open_before && text.is_empty();
    let text = if text.last() == Some(&Read::Asterisk) { &text[..text.len() - 1] } else { text };
    let characters = text.iter().map(|read| match read {
        Read::Character(character) => Ok(*character),
        Read::Asterisk => Err(NamePatternError::Asterisk { word }),
    });
    Ok(Value { text: characters.collect::<Result<_, _>>()?, is_open_before, is_open_after })
}

/// A part of a text as an error shows it: cut, and without characters that act on a terminal.
fn shown(text: &str) -> String {
    /// Most characters that an error repeats.
    const SHOWN_MAX: usize = 48;
    text.trim().chars().take(SHOWN_MAX).flat_map(char::escape_debug).collect()
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (attribute, value)) in self.attributes.iter().enumerate() {
            let separator = if index == 0 { "" } else { "," };
            write!(formatter, "{separator}{}=", attribute.word())?;
            if value.is_open_before && value.text.is_empty() {
                formatter.write_str("*")?;
                continue;
            }
            write_asterisked(value, formatter)?;
        }
        Ok(())
    }
}

/// Writes a value with its asterisks; a blank beside one needs no quotation marks.
fn write_asterisked(value: &Value, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !value.is_generic() {
        return write_value(&value.text, formatter);
    }
    formatter.write_str(if value.is_open_before { "\"*" } else { "\"" })?;
    for character in value.text.chars() {
        if matches!(character, '\\' | '*' | '"' | ',' | ';') {
            formatter.write_str("\\")?;
        }
        write!(formatter, "{character}")?;
    }
    formatter.write_str(if value.is_open_after { "*\"" } else { "\"" })
}
