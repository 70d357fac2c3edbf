//! Values of message properties: what a program sets, and what a selector or a folder sees of it.

use std::borrow::Cow;

use bytes::Bytes;

use crate::{Reason, constants};

/// The type of a property (`MQTYPE_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyType {
    /// The property exists, without a value.
    Null,
    /// True or false.
    Boolean,
    /// Bytes without a meaning to the queue manager.
    Bytes,
    /// A whole number of 8 bits.
    Int8,
    /// A whole number of 16 bits.
    Int16,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// A fraction of 32 bits.
    Float32,
    /// A fraction of 64 bits.
    Float64,
    /// Characters.
    Text,
}

impl PropertyType {
    /// Every type, in the order of its number.
    pub const ALL: [Self; 10] = [
        Self::Null,
        Self::Boolean,
        Self::Bytes,
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::Float32,
        Self::Float64,
        Self::Text,
    ];

    /// The number of the interface.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Null => constants::MQTYPE_NULL,
            Self::Boolean => constants::MQTYPE_BOOLEAN,
            Self::Bytes => constants::MQTYPE_BYTE_STRING,
            Self::Int8 => constants::MQTYPE_INT8,
            Self::Int16 => constants::MQTYPE_INT16,
            Self::Int32 => constants::MQTYPE_INT32,
            Self::Int64 => constants::MQTYPE_INT64,
            Self::Float32 => constants::MQTYPE_FLOAT32,
            Self::Float64 => constants::MQTYPE_FLOAT64,
            Self::Text => constants::MQTYPE_STRING,
        }
    }

    /// Takes the number a program passed.
    ///
    /// # Errors
    /// `MQRC_PROPERTY_TYPE_ERROR` for a number without a meaning here.
    pub fn from_code(code: i32) -> Result<Self, Reason> {
        Self::ALL.into_iter().find(|kind| kind.code() == code).ok_or(Reason::PROPERTY_TYPE_ERROR)
    }

    /// Takes the number of the type that an inquiry asks for; none for that which was set.
    ///
    /// # Errors
    /// As of [`from_code`](Self::from_code).
    pub fn requested(code: i32) -> Result<Option<Self>, Reason> {
        if code == constants::MQTYPE_AS_SET { Ok(None) } else { Self::from_code(code).map(Some) }
    }

    /// Bytes a value of this type has in a program, when that is fixed.
    #[must_use]
    pub const fn width(self) -> Option<usize> {
        match self {
            Self::Null => Some(0),
            Self::Boolean | Self::Int32 | Self::Float32 => Some(4),
            Self::Int8 => Some(1),
            Self::Int16 => Some(2),
            Self::Int64 | Self::Float64 => Some(8),
            Self::Bytes | Self::Text => None,
        }
    }
}

/// The value of a property, with its type.
#[derive(Clone, Debug, PartialEq)]
pub enum PropertyValue {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// Bytes without a meaning to the queue manager.
    Bytes(Bytes),
    /// A whole number of 8 bits.
    Int8(i8),
    /// A whole number of 16 bits.
    Int16(i16),
    /// A whole number of 32 bits.
    Int32(i32),
    /// A whole number of 64 bits.
    Int64(i64),
    /// A fraction of 32 bits.
    Float32(f32),
    /// A fraction of 64 bits.
    Float64(f64),
    /// Characters.
    Text(String),
}

/// A value as a selector compares it: numbers are exact or approximate, at any width.
#[derive(Clone, Debug, PartialEq)]
pub enum View<'a> {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Exact(i64),
    /// A fraction.
    Approximate(f64),
    /// Characters.
    Text(Cow<'a, str>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
}

impl PropertyValue {
    /// Its type.
    #[must_use]
    pub const fn kind(&self) -> PropertyType {
        match self {
            Self::Null => PropertyType::Null,
            Self::Boolean(_) => PropertyType::Boolean,
            Self::Bytes(_) => PropertyType::Bytes,
            Self::Int8(_) => PropertyType::Int8,
            Self::Int16(_) => PropertyType::Int16,
            Self::Int32(_) => PropertyType::Int32,
            Self::Int64(_) => PropertyType::Int64,
            Self::Float32(_) => PropertyType::Float32,
            Self::Float64(_) => PropertyType::Float64,
            Self::Text(_) => PropertyType::Text,
        }
    }

    /// Bytes the value has in a program.
    #[must_use]
    pub fn length(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Text(text) => text.len(),
            other => other.kind().width().unwrap_or_default(),
        }
    }

    /// The value as a selector compares it.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        match self {
            Self::Null => View::Null,
            Self::Boolean(value) => View::Boolean(*value),
            Self::Bytes(bytes) => View::Bytes(Cow::Borrowed(bytes)),
            Self::Int8(value) => View::Exact(i64::from(*value)),
            Self::Int16(value) => View::Exact(i64::from(*value)),
            Self::Int32(value) => View::Exact(i64::from(*value)),
            Self::Int64(value) => View::Exact(*value),
            Self::Float32(value) => View::Approximate(f64::from(*value)),
            Self::Float64(value) => View::Approximate(*value),
            Self::Text(text) => View::Text(Cow::Borrowed(text)),
        }
    }

    /// The value as another type (`MQIMPO_CONVERT_TYPE`): a number widens, or narrows when it fits; text is
    /// read as a number, a truth value or hexadecimal bytes, and everything can be written as text.
    ///
    /// # Errors
    /// `MQRC_PROP_CONV_NOT_SUPPORTED` when the types have nothing in common; `MQRC_PROP_NUMBER_FORMAT_ERROR`
    /// for text that is not such a value, or a number that the type cannot hold.
    pub fn converted(&self, kind: PropertyType) -> Result<Self, Reason> {
        if self.kind() == kind {
            return Ok(self.clone());
        }
        match (self, kind) {
            (Self::Null, PropertyType::Text) => Ok(Self::Text(String::new())),
            (Self::Null, _) | (_, PropertyType::Null) => Err(Reason::PROP_CONV_NOT_SUPPORTED),
            (value, PropertyType::Text) => Ok(Self::Text(value.written())),
            (Self::Text(text), kind) => Self::read(text, kind),
            (Self::Bytes(_), _) | (_, PropertyType::Bytes) => Err(Reason::PROP_CONV_NOT_SUPPORTED),
            (Self::Boolean(_), PropertyType::Float32 | PropertyType::Float64) => {
                Err(Reason::PROP_CONV_NOT_SUPPORTED)
            }
            (Self::Boolean(value), kind) => Self::whole(i64::from(*value), kind),
            (value, kind) => match value.view() {
                View::Exact(number) => Self::whole(number, kind),
                View::Approximate(number) => Self::fraction(number, kind),
                _ => Err(Reason::PROP_CONV_NOT_SUPPORTED),
            },
        }
    }

    /// The value as a folder writes it.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Boolean(true) => "TRUE".to_owned(),
            Self::Boolean(false) => "FALSE".to_owned(),
            Self::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02X}")).collect(),
            Self::Int8(value) => value.to_string(),
            Self::Int16(value) => value.to_string(),
            Self::Int32(value) => value.to_string(),
            Self::Int64(value) => value.to_string(),
            Self::Float32(value) => fraction_as_text(f64::from(*value), &format!("{value:?}")),
            Self::Float64(value) => fraction_as_text(*value, &format!("{value:?}")),
            Self::Text(text) => text.clone(),
        }
    }

    /// Reads a value of a type from text.
    ///
    /// # Errors
    /// `MQRC_PROP_NUMBER_FORMAT_ERROR` when the text is not such a value.
    pub fn read(text: &str, kind: PropertyType) -> Result<Self, Reason> {
        let wrong = Reason::PROP_NUMBER_FORMAT_ERROR;
        let trimmed = text.trim_matches(' ');
        match kind {
            PropertyType::Null => Ok(Self::Null),
            PropertyType::Text => Ok(Self::Text(text.to_owned())),
            PropertyType::Boolean => match trimmed {
                "1" => Ok(Self::Boolean(true)),
                "0" => Ok(Self::Boolean(false)),
                word if word.eq_ignore_ascii_case("true") => Ok(Self::Boolean(true)),
                word if word.eq_ignore_ascii_case("false") => Ok(Self::Boolean(false)),
                _ => Err(wrong),
            },
            PropertyType::Bytes => {
                bytes_from_hex(trimmed).map(|bytes| Self::Bytes(bytes.into())).ok_or(wrong)
            }
            PropertyType::Int8 => trimmed.parse().map(Self::Int8).map_err(|_| wrong),
            PropertyType::Int16 => trimmed.parse().map(Self::Int16).map_err(|_| wrong),
            PropertyType::Int32 => trimmed.parse().map(Self::Int32).map_err(|_| wrong),
            PropertyType::Int64 => trimmed.parse().map(Self::Int64).map_err(|_| wrong),
            PropertyType::Float32 => fraction_from_text(trimmed).map(|value| Self::Float32(value as f32)),
            PropertyType::Float64 => fraction_from_text(trimmed).map(Self::Float64),
        }
    }

    fn whole(number: i64, kind: PropertyType) -> Result<Self, Reason> {
        let out_of_range = Reason::PROP_NUMBER_FORMAT_ERROR;
        match kind {
            PropertyType::Boolean => Ok(Self::Boolean(number != 0)),
            PropertyType::Int8 => number.try_into().map(Self::Int8).map_err(|_| out_of_range),
            PropertyType::Int16 => number.try_into().map(Self::Int16).map_err(|_| out_of_range),
            PropertyType::Int32 => number.try_into().map(Self::Int32).map_err(|_| out_of_range),
            PropertyType::Int64 => Ok(Self::Int64(number)),
            PropertyType::Float32 => Ok(Self::Float32(number as f32)),
            PropertyType::Float64 => Ok(Self::Float64(number as f64)),
            _ => Err(Reason::PROP_CONV_NOT_SUPPORTED),
        }
    }

    fn fraction(number: f64, kind: PropertyType) -> Result<Self, Reason> {
        match kind {
            PropertyType::Float32 => Ok(Self::Float32(number as f32)),
            PropertyType::Float64 => Ok(Self::Float64(number)),
            // What is behind the point would be lost, which no program asks for by accident.
            _ => Err(Reason::PROP_CONV_NOT_SUPPORTED),
        }
    }
}

fn fraction_as_text(value: f64, shortest: &str) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "INF".to_owned() } else { "-INF".to_owned() }
    } else {
        shortest.to_owned()
    }
}

fn fraction_from_text(text: &str) -> Result<f64, Reason> {
    match text {
        "INF" => Ok(f64::INFINITY),
        "-INF" => Ok(f64::NEG_INFINITY),
        "NaN" => Ok(f64::NAN),
        _ if text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) => {
            text.parse().map_err(|_| Reason::PROP_NUMBER_FORMAT_ERROR)
        }
        _ => Err(Reason::PROP_NUMBER_FORMAT_ERROR),
    }
}

/// Bytes written as pairs of hexadecimal digits; `None` for anything else.
#[must_use]
pub fn bytes_from_hex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    text.as_bytes().chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::{PropertyType, PropertyValue, View};
    use crate::Reason;
    use bytes::Bytes;

    #[test]
    fn a_value_converts_where_the_types_have_something_in_common() {
        let text = |text: &str| PropertyValue::Text(text.to_owned());
        for (value, kind, expected) in [
            (PropertyValue::Int32(7), PropertyType::Int64, Ok(PropertyValue::Int64(7))),
            (PropertyValue::Int64(300), PropertyType::Int8, Err(Reason::PROP_NUMBER_FORMAT_ERROR)),
            (PropertyValue::Int64(-128), PropertyType::Int8, Ok(PropertyValue::Int8(-128))),
            (PropertyValue::Int16(2), PropertyType::Float64, Ok(PropertyValue::Float64(2.0))),
            (PropertyValue::Float64(2.5), PropertyType::Int32, Err(Reason::PROP_CONV_NOT_SUPPORTED)),
            (PropertyValue::Boolean(true), PropertyType::Int32, Ok(PropertyValue::Int32(1))),
            (PropertyValue::Boolean(true), PropertyType::Float32, Err(Reason::PROP_CONV_NOT_SUPPORTED)),
            (PropertyValue::Boolean(false), PropertyType::Text, Ok(text("FALSE"))),
            (text("12"), PropertyType::Int32, Ok(PropertyValue::Int32(12))),
            (text("twelve"), PropertyType::Int32, Err(Reason::PROP_NUMBER_FORMAT_ERROR)),
            (text("0aFf"), PropertyType::Bytes, Ok(PropertyValue::Bytes(Bytes::from_static(&[0x0A, 0xFF])))),
            (text("é"), PropertyType::Bytes, Err(Reason::PROP_NUMBER_FORMAT_ERROR)),
            (text("true"), PropertyType::Boolean, Ok(PropertyValue::Boolean(true))),
            (PropertyValue::Bytes(Bytes::from_static(&[1, 0xAB])), PropertyType::Text, Ok(text("01AB"))),
            (
                PropertyValue::Bytes(Bytes::from_static(&[1])),
                PropertyType::Int8,
                Err(Reason::PROP_CONV_NOT_SUPPORTED),
            ),
            (PropertyValue::Null, PropertyType::Int32, Err(Reason::PROP_CONV_NOT_SUPPORTED)),
        ] {
            assert_eq!(value.converted(kind), expected, "{value:?} as {kind:?}");
        }
    }

    #[test]
    fn every_value_reads_back_from_what_is_written() {
        for value in [
            PropertyValue::Boolean(true),
            PropertyValue::Bytes(Bytes::from_static(&[0, 1, 254])),
            PropertyValue::Int8(i8::MIN),
            PropertyValue::Int16(i16::MAX),
            PropertyValue::Int32(i32::MIN),
            PropertyValue::Int64(i64::MAX),
            PropertyValue::Float32(1.5e-7),
            PropertyValue::Float64(f64::MAX),
            PropertyValue::Float64(f64::NEG_INFINITY),
            PropertyValue::Text("a < b & 'c'".to_owned()),
        ] {
            assert_eq!(PropertyValue::read(&value.written(), value.kind()), Ok(value.clone()), "{value:?}");
        }
    }

    #[test]
    fn types_are_those_of_the_interface() {
        for kind in PropertyType::ALL {
            assert_eq!(PropertyType::from_code(kind.code()), Ok(kind));
        }
        assert_eq!(PropertyType::from_code(3), Err(Reason::PROPERTY_TYPE_ERROR));
        assert_eq!(PropertyValue::Int8(3).view(), View::Exact(3));
    }
}
