//! A queue of an export before anything of it is understood: its properties in order.

use std::ops::RangeInclusive;

/// Most queues of an export, as many as its bytes have room for with the properties that are needed.
pub const QUEUES_MAX: usize = 50_000;

/// Most properties of a queue, several times those that there are.
pub(super) const FIELDS_MAX: usize = 200;

/// Most bytes of a text of the file in an error.
const SHOWN_BYTES_MAX: usize = 200;

/// A queue of the export.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Record {
    /// The line that it begins on, counted from one.
    pub(super) line: usize,
    pub(super) fields: Vec<Field>,
}

/// A property of a queue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) value: Value,
    /// Its line, counted from one.
    pub(super) line: usize,
}

/// The value of a property. A file of comma-separated values has texts alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Absent,
    Truth(bool),
    Number(i64),
    Text(String),
    /// An object, a list, or a number that no property has.
    Other,
}

impl Field {
    /// The property and its value, as an error or a comment says them.
    pub(super) fn said(&self) -> String {
        let value = match &self.value {
            Value::Absent => "nothing".to_owned(),
            Value::Truth(truth) => if *truth { "True" } else { "False" }.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => shortened(text),
            Value::Other => "{…}".to_owned(),
        };
        format!("{}={value}", shortened(&self.name))
    }

    /// The value as text.
    ///
    /// # Errors
    /// It is none.
    pub(super) fn text(&self) -> Result<&str, String> {
        match &self.value {
            Value::Text(text) => Ok(text),
            Value::Absent => Ok(""),
            _ => Err(self.wrong("a text")),
        }
    }

    /// The value as a truth.
    ///
    /// # Errors
    /// It is none.
    pub(super) fn truth(&self) -> Result<bool, String> {
        match &self.value {
            Value::Truth(truth) => Ok(*truth),
            Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
            Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
            _ => Err(self.wrong("True or False")),
        }
    }

    /// The value as a whole number of a range.
    ///
    /// # Errors
    /// It is none.
    pub(super) fn number(&self, range: RangeInclusive<i64>) -> Result<i64, String> {
        let number = match &self.value {
            Value::Number(number) => Some(*number),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        number.ok_or_else(|| self.wrong(&format!("a number from {} to {}", range.start(), range.end())))
    }

    pub(super) fn wrong(&self, allowed: &str) -> String {
        format!("{} is wrong: it must be {allowed}", self.said())
    }
}

/// A text of the file as an error may repeat it.
pub(super) fn shortened(text: &str) -> String {
    if text.len() <= SHOWN_BYTES_MAX {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(SHOWN_BYTES_MAX)])
}
