//! A definition as bytes, for the log and the checkpoint.
//!
//! ```text
//! version u8 = 1 | type u8 | name length u8, name | created i64 | altered i64 | count u16
//! count times, ascending by number:  number u16 | tag u8 = 1, i32        a number
//!                                    number u16 | tag u8 = 2, u16, text  a text
//! ```
//!
//! Integers are little-endian. Values at their default are left out. Nothing follows the last value. Decoding accepts
//! only what encoding writes: whatever else the bytes say is an error that names it.

use mqi::name::ObjectName;

use super::Definition;
use crate::attributes::{self, Number};
use crate::moment::Moment;
use crate::object_type::ObjectType;
use crate::value::Value;

const VERSION: u8 = 1;
const TAG_INTEGER: u8 = 1;
const TAG_TEXT: u8 = 2;

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
        /// What was being read.
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
        let name = self.name.as_str();
        let mut bytes = Vec::with_capacity(32 + name.len() + 16 * self.values.len());
        bytes.extend([VERSION, self.object_type.code(), length_u8(name)]);
        bytes.extend(name.as_bytes());
        bytes.extend(self.created.0.to_le_bytes());
        bytes.extend(self.altered.0.to_le_bytes());
        let count = u16::try_from(self.values.len()).expect("fewer attributes than numbers for them");
        bytes.extend(count.to_le_bytes());
        for (number, value) in &self.values {
            bytes.extend(number.0.to_le_bytes());
            match value {
                Value::Integer(value) => {
                    bytes.push(TAG_INTEGER);
                    bytes.extend(value.to_le_bytes());
                }
                Value::Text(text) => {
                    bytes.push(TAG_TEXT);
                    let length = u16::try_from(text.len()).expect("texts are bounded by their rows");
                    bytes.extend(length.to_le_bytes());
                    bytes.extend(text.as_bytes());
                }
            }
        }
        bytes
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
        let mut definition = Self { object_type, name, created, altered, values: Vec::new() };
        for _ in 0..count {
            let entry = definition.decode_value(&mut reader)?;
            definition.values.push(entry);
        }
        if reader.rest.is_empty() {
            Ok(definition)
        } else {
            Err(DecodeError::Excess { name, excess: reader.rest.len() })
        }
    }

    fn decode_value(&self, reader: &mut Reader<'_>) -> Result<(Number, Value), DecodeError> {
        let number = Number(u16::from_le_bytes(reader.array("an attribute's number")?));
        if self.values.last().is_some_and(|(last, _)| *last >= number) {
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
            TAG_TEXT => {
                let length = u16::from_le_bytes(reader.array("a text's length")?);
                let text = reader.take(usize::from(length), "a text")?;
                Value::Text(std::str::from_utf8(text).map_err(|_| not_taken())?.into())
            }
            _ => return Err(not_taken()),
        };
        let is_as_written = value.check(row).is_ok() && value != row.default_value() && value.is_trimmed();
        if is_as_written { Ok((number, value)) } else { Err(not_taken()) }
    }
}

/// What is left of the bytes.
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
