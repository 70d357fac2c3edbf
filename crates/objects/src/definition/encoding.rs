//! A definition as bytes, for the log and the checkpoint.
//!
//! ```text
//! version u8 = 1 | type u8 | name length u8, name | created i64 | altered i64 | count u16
//! count times, ascending by number:  number u16 | tag u8 = 1, i32                     a number
//!                                    number u16 | tag u8 = 2, u16, text               a text
//!                                    number u16 | tag u8 = 3, u16, as many i32        a list of numbers
//!                                    number u16 | tag u8 = 4, u16, as many u16, text  a list of texts
//! ```
//!
//! Integers are little-endian. Values at their default are left out. Nothing follows the last value. Decoding
//! accepts only what encoding writes: anything else in the bytes is an error that names it.

use mqi::name::ObjectName;

use super::Definition;
use super::values::{TAG_INTEGER, TAG_INTEGERS, TAG_TEXT, TAG_TEXTS, Values};
use crate::attributes::{self, Number};
use crate::moment::Moment;
use crate::object_type::ObjectType;
use crate::value::Value;

const VERSION: u8 = 1;
/// Bytes before the values, without the name.
const HEAD_BYTES: usize = 3 + 8 + 8 + 2;

/// Why bytes are not a definition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Written by a later release.
    #[error("the definition has format version {found}; this release reads version {VERSION}")]
    Version {
        /// The version found.
        found: u8,
    },
    /// A type this release does not know.
    #[error("the definition is of object type {code}, which this release does not know")]
    ObjectType {
        /// The type's code.
        code: u8,
    },
    /// The bytes end too soon.
    #[error("the definition ends after {length} bytes, in the middle of {part}")]
    Truncated {
        /// The part that was being read.
        part: &'static str,
        /// The bytes there are.
        length: usize,
    },
    /// Something follows the last value.
    #[error("{excess} bytes follow the definition of {name}")]
    Excess {
        /// The object.
        name: ObjectName,
        /// The bytes too many.
        excess: usize,
    },
    /// The name is not one.
    #[error("the definition names its object with characters that names do not have")]
    Name,
    /// An attribute this release does not know.
    #[error("the definition of {name} has attribute {number}, which this release does not know for {object_type}", object_type = .object_type.keyword())]
    Attribute {
        /// The object.
        name: ObjectName,
        /// Its type.
        object_type: ObjectType,
        /// The attribute's number.
        number: Number,
    },
    /// A value its attribute does not take.
    #[error("the definition of {name} has a value for {keyword} that it does not take")]
    Value {
        /// The object.
        name: ObjectName,
        /// The attribute.
        keyword: &'static str,
    },
    /// Attributes that do not ascend.
    #[error("the definition of {name} has attribute {number} out of order")]
    Order {
        /// The object.
        name: ObjectName,
        /// The attribute's number.
        number: Number,
    },
}

impl Definition {
    /// The definition as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded_bytes());
        self.encode_into(&mut bytes);
        bytes
    }

    /// Returns the number of these bytes.
    pub fn encoded_bytes(&self) -> usize {
        HEAD_BYTES + self.name.as_str().len() + self.values.bytes().len()
    }

    /// Writes them behind others.
    pub fn encode_into(&self, bytes: &mut Vec<u8>) {
        let name = self.name.as_str();
        bytes.extend([VERSION, self.object_type.code(), length_u8(name)]);
        bytes.extend(name.as_bytes());
        bytes.extend(self.created.0.to_le_bytes());
        bytes.extend(self.altered.0.to_le_bytes());
        let count = u16::try_from(self.values.count()).expect("fewer attributes than numbers for them");
        bytes.extend(count.to_le_bytes());
        bytes.extend(self.values.bytes());
    }

    /// Reads a definition back.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader { rest: bytes, length: bytes.len() };
        let [version, code, name_length] = reader.array("the header")?;
        if version != VERSION {
            return Err(DecodeError::Version { found: version });
        }
        let object_type = ObjectType::from_code(code).ok_or(DecodeError::ObjectType { code })?;
        let name = reader.take(usize::from(name_length), "the name")?;
        let name = std::str::from_utf8(name).ok().and_then(|name| name.parse::<ObjectName>().ok());
        let name = name.filter(|name| name.as_str().len() == usize::from(name_length));
        let name = name.ok_or(DecodeError::Name)?;
        let created = Moment(i64::from_le_bytes(reader.array("the time of creation")?));
        let altered = Moment(i64::from_le_bytes(reader.array("the time of alteration")?));
        let count = u16::from_le_bytes(reader.array("the number of attributes")?);
        let empty = Self { object_type, name, created, altered, values: Values::default() };
        let values = reader.rest;
        let mut last = None;
        for _ in 0..count {
            last = Some(empty.check_value(last, &mut reader)?);
        }
        if reader.rest.is_empty() {
            Ok(Self { values: Values::of(values), ..empty })
        } else {
            Err(DecodeError::Excess { name, excess: reader.rest.len() })
        }
    }

    /// The number of the next value, which is as this release writes it.
    fn check_value(&self, last: Option<Number>, reader: &mut Reader<'_>) -> Result<Number, DecodeError> {
        let number = Number(u16::from_le_bytes(reader.array("an attribute's number")?));
        if last.is_some_and(|last| last >= number) {
            return Err(DecodeError::Order { name: self.name, number });
        }
        let row = attributes::by_number(self.object_type, number).ok_or(DecodeError::Attribute {
            name: self.name,
            object_type: self.object_type,
            number,
        })?;
        let not_taken = || DecodeError::Value { name: self.name, keyword: row.keyword };
        let [tag] = reader.array("a value's tag")?;
        let value = match tag {
            TAG_INTEGER => Value::Integer(i32::from_le_bytes(reader.array("a number")?)),
            TAG_TEXT => Value::Text(reader.text()?.ok_or_else(not_taken)?.into()),
            TAG_INTEGERS => {
                let count = u16::from_le_bytes(reader.array("the length of a list")?);
                let number = |_| reader.array("a number").map(i32::from_le_bytes);
                Value::Integers((0..count).map(number).collect::<Result<_, _>>()?)
            }
            TAG_TEXTS => {
                let count = u16::from_le_bytes(reader.array("the length of a list")?);
                let mut texts: Vec<Box<str>> = Vec::new();
                for _ in 0..count {
                    texts.push(reader.text()?.ok_or_else(not_taken)?.into());
                }
                Value::Texts(texts.into())
            }
            _ => return Err(not_taken()),
        };
        let is_as_written = value.check(row).is_ok() && value != row.default_value() && value.is_trimmed();
        if is_as_written { Ok(number) } else { Err(not_taken()) }
    }
}

/// The rest of the bytes.
struct Reader<'bytes> {
    rest: &'bytes [u8],
    length: usize,
}

impl<'bytes> Reader<'bytes> {
    fn take(&mut self, count: usize, part: &'static str) -> Result<&'bytes [u8], DecodeError> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or(DecodeError::Truncated { part, length: self.length })?;
        self.rest = rest;
        Ok(taken)
    }

    /// A text; nothing when its bytes are none.
    fn text(&mut self) -> Result<Option<&'bytes str>, DecodeError> {
        let length = u16::from_le_bytes(self.array("a text's length")?);
        self.take(usize::from(length), "a text").map(|text| std::str::from_utf8(text).ok())
    }

    fn array<const COUNT: usize>(&mut self, part: &'static str) -> Result<[u8; COUNT], DecodeError> {
        let (taken, rest) =
            self.rest.split_first_chunk().ok_or(DecodeError::Truncated { part, length: self.length })?;
        self.rest = rest;
        Ok(*taken)
    }
}

fn length_u8(name: &str) -> u8 {
    u8::try_from(name.len()).expect("names have at most 48 characters")
}
