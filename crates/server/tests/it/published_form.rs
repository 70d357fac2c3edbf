//! A reader of messages in binary form, written from the published pages of the structures and nothing of
//! ours.
//!
//! Every structure begins with its type, its length in bytes and its parameter, each a number of four bytes:
//!
//! ```text
//! header     36 bytes: type, length, version, command, sequence, control, completion, reason, parameters
//! 3  number  16 bytes: value                     23 number  24 bytes: four unused bytes, eight of the value
//! 5  numbers count, values of four bytes         25 numbers count, values of eight bytes
//! 4  string  character set, length, text         6  strings character set, count, length of each, texts
//! 14 condition operator, character set, length, text
//! 9  bytes   length, bytes                       20 group   16 bytes: count of the structures in it
//! ```

/// A header, and the structures behind it.
#[derive(Debug)]
pub(crate) struct Told {
    /// The header's numbers behind its length: version, command, sequence, control, completion code, reason,
    /// count of parameters.
    pub(crate) header: [i32; 7],
    /// The type in the header.
    pub(crate) kind: i32,
    pub(crate) structures: Vec<Structure>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structure {
    pub(crate) parameter: i32,
    pub(crate) value: Value,
}

/// Texts are as they stand, with what they are padded with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(i64),
    Numbers(Vec<i64>),
    Text(String),
    Texts(Vec<String>),
    Condition { operator: i32, text: String },
    Bytes(Vec<u8>),
    Group(Vec<Structure>),
}

struct Bytes<'told> {
    left: &'told [u8],
}

impl Bytes<'_> {
    fn take(&mut self, count: usize) -> Vec<u8> {
        assert!(count <= self.left.len(), "a structure says more than there is");
        let (taken, left) = self.left.split_at(count);
        self.left = left;
        taken.to_vec()
    }

    fn number(&mut self) -> i32 {
        i32::from_ne_bytes(self.take(4).try_into().unwrap())
    }

    fn long(&mut self) -> i64 {
        i64::from_ne_bytes(self.take(8).try_into().unwrap())
    }

    fn count(&mut self) -> usize {
        usize::try_from(self.number()).unwrap()
    }

    fn text(&mut self, length: usize) -> String {
        String::from_utf8(self.take(length)).unwrap()
    }

    fn structure(&mut self) -> Structure {
        let before = self.left.len();
        let (kind, length, parameter) = (self.number(), self.count(), self.number());
        let value = match kind {
            3 => Value::Number(self.number().into()),
            23 => {
                self.number();
                Value::Number(self.long())
            }
            5 => {
                let count = self.count();
                Value::Numbers((0..count).map(|_| self.number().into()).collect())
            }
            25 => {
                let count = self.count();
                Value::Numbers((0..count).map(|_| self.long()).collect())
            }
            4 => {
                assert_eq!(self.number(), 1208, "the character set");
                let length = self.count();
                Value::Text(self.text(length))
            }
            6 => {
                assert_eq!(self.number(), 1208, "the character set");
                let (count, length) = (self.count(), self.count());
                Value::Texts((0..count).map(|_| self.text(length)).collect())
            }
            14 => {
                let operator = self.number();
                assert_eq!(self.number(), 1208, "the character set");
                let length = self.count();
                Value::Condition { operator, text: self.text(length) }
            }
            9 => {
                let length = self.count();
                Value::Bytes(self.take(length))
            }
            20 => {
                assert_eq!(length, 16, "a group's own length");
                let count = self.count();
                return Structure {
                    parameter,
                    value: Value::Group((0..count).map(|_| self.structure()).collect()),
                };
            }
            other => panic!("a structure of type {other}"),
        };
        assert_eq!(length % 4, 0, "the length of a structure");
        let read = before - self.left.len();
        self.take(length - read);
        Structure { parameter, value }
    }
}

/// Reads a message that was written on this machine.
pub(crate) fn read(bytes: &[u8]) -> Told {
    let mut bytes = Bytes { left: bytes };
    let kind = bytes.number();
    assert_eq!(bytes.number(), 36, "the length of the header");
    let header: [i32; 7] = std::array::from_fn(|_| bytes.number());
    let structures = (0..header[6]).map(|_| bytes.structure()).collect();
    assert_eq!(bytes.left, b"", "what is left");
    Told { header, kind, structures }
}

/// The first value of a parameter.
pub(crate) fn value(structures: &[Structure], parameter: i32) -> Option<&Value> {
    structures.iter().find(|found| found.parameter == parameter).map(|found| &found.value)
}

/// The text of a parameter without its padding.
pub(crate) fn text(structures: &[Structure], parameter: i32) -> Option<&str> {
    match value(structures, parameter)? {
        Value::Text(text) => Some(text.trim_end_matches(' ')),
        _ => None,
    }
}

/// The number of a parameter.
pub(crate) fn number(structures: &[Structure], parameter: i32) -> Option<i64> {
    match value(structures, parameter)? {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// Every group of this parameter.
pub(crate) fn groups(structures: &[Structure], parameter: i32) -> Vec<&[Structure]> {
    let groups = structures.iter().filter(|found| found.parameter == parameter);
    groups
        .filter_map(|found| match &found.value {
            Value::Group(inner) => Some(&inner[..]),
            _ => None,
        })
        .collect()
}
