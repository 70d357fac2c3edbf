//! JSON, as `ConvertTo-Json` writes it, to records.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::record::{FIELDS_MAX, Field, QUEUES_MAX, Record, Value};
use crate::configuration::Fault;

/// Reads a text: one object, or a list of them.
pub(super) fn read(text: &str) -> Result<Vec<Record>, Fault> {
    let line = Cell::new(1);
    let counted = Counted { bytes: text.as_bytes(), line: &line };
    let mut deserializer = serde_json::Deserializer::from_reader(counted);
    let read = Records { line: &line }.deserialize(&mut deserializer);
    read.and_then(|records| deserializer.end().map(|()| records)).map_err(|error| {
        let at = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string();
        let what = what.strip_suffix(&at).unwrap_or(&what);
        Fault {
            line: error.line().max(1),
            what: format!("{what}: export the file again with ConvertTo-Json"),
        }
    })
}

/// A text that is read a byte at a time, as the reader asks for it, and its line so far. So a property
/// has the line of its name: the reader stands right behind that when it gives it out.
struct Counted<'a> {
    bytes: &'a [u8],
    line: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some((byte, rest)), Some(place)) = (self.bytes.split_first(), buffer.first_mut()) else {
            return Ok(0);
        };
        *place = *byte;
        self.bytes = rest;
        self.line.set(self.line.get() + usize::from(*byte == b'\n'));
        Ok(1)
    }
}

/// All records.
struct Records<'a> {
    line: &'a Cell<usize>,
}

/// One record.
struct OneRecord<'a> {
    line: &'a Cell<usize>,
}

/// One value.
struct OneValue;

impl<'de> DeserializeSeed<'de> for Records<'_> {
    type Value = Vec<Record>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Record>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Records<'_> {
    type Value = Vec<Record>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a queue or a list of queues")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<Record>, A::Error> {
        Ok(vec![OneRecord { line: self.line }.visit_map(map)?])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<Record>, A::Error> {
        let mut records = Vec::new();
        while let Some(record) = sequence.next_element_seed(OneRecord { line: self.line })? {
            if records.len() == QUEUES_MAX {
                return Err(A::Error::custom(format_args!("there are more than {QUEUES_MAX} queues")));
            }
            records.push(record);
        }
        Ok(records)
    }
}

impl<'de> DeserializeSeed<'de> for OneRecord<'_> {
    type Value = Record;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Record, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for OneRecord<'_> {
    type Value = Record;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a queue with its properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record, A::Error> {
        let mut record = Record { line: self.line.get(), fields: Vec::new() };
        while let Some(name) = map.next_key::<String>()? {
            if record.fields.len() == FIELDS_MAX {
                return Err(A::Error::custom(format_args!("a queue has more than {FIELDS_MAX} properties")));
            }
            let line = self.line.get();
            let value = map.next_value_seed(OneValue)?;
            record.fields.push(Field { name, value, line });
        }
        Ok(record)
    }
}

impl<'de> DeserializeSeed<'de> for OneValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for OneValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Absent)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Other, Value::Number))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Other)
    }
}
