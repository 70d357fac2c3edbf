//! Commands, their answers and events in binary form (`MQADMIN`, `MQEVENT`, `MQPCF`), in another encoding and
//! character set.
//!
//! ```text
//! structure  type i32 | length i32 | parameter i32 | what the type says
//! ```
//!
//! Every structure says how long it is. Integers change their byte order; texts, which say their character
//! set, are converted to that asked for, and so structures may change their length. Bytes stay. A character
//! that the other set does not have refuses the whole message.
//!
//! Always: the structures fill the body to its last byte, or it is not what its format says.

use mqi::Reason;
use mqi::constants::*;

use super::text::text;
use crate::character_set::{ByteOrder, CharacterSet};

/// Character set and encoding of a body, before or after conversion.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) set: CharacterSet,
    pub(super) ccsid: i32,
    pub(super) order: ByteOrder,
}

/// Bytes of the structures whose length does not depend on what they say.
const HEADER_BYTES: usize = 36;

/// A body in another form.
pub(super) fn convert(body: &[u8], source: Form, target: Form) -> Result<Vec<u8>, Reason> {
    let mut converter = Converter { source, target, written: Vec::with_capacity(body.len()) };
    let mut rest = body;
    while !rest.is_empty() {
        let mut reader = Reader { bytes: rest, at: 0, order: source.order };
        let (kind, length) = (reader.number()?, reader.number()?);
        let length = usize::try_from(length).ok().filter(|length| (8..=rest.len()).contains(length));
        let (structure, after) = rest.split_at(length.ok_or(Reason::FORMAT_ERROR)?);
        converter.structure(kind, &mut Reader { bytes: structure, at: 8, order: source.order })?;
        rest = after;
    }
    Ok(converter.written)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    order: ByteOrder,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..length));
        self.at += length;
        taken.ok_or(Reason::FORMAT_ERROR)
    }

    fn number(&mut self) -> Result<i32, Reason> {
        let bytes: [u8; 4] = self.take(4)?.try_into().map_err(|_| Reason::FORMAT_ERROR)?;
        Ok(match self.order {
            ByteOrder::Normal => i32::from_be_bytes(bytes),
            ByteOrder::Reversed => i32::from_le_bytes(bytes),
        })
    }

    fn length(&mut self) -> Result<usize, Reason> {
        usize::try_from(self.number()?).map_err(|_| Reason::FORMAT_ERROR)
    }

    /// Checks that the remaining bytes only pad a structure.
    fn fill(&self) -> Result<(), Reason> {
        if self.bytes.len().saturating_sub(self.at) < 4 { Ok(()) } else { Err(Reason::FORMAT_ERROR) }
    }
}

struct Converter {
    source: Form,
    target: Form,
    written: Vec<u8>,
}

impl Converter {
    fn structure(&mut self, kind: i32, reader: &mut Reader<'_>) -> Result<(), Reason> {
        let begins = self.written.len();
        self.number(kind);
        self.number(0);
        match kind {
            MQCFT_COMMAND | MQCFT_RESPONSE | MQCFT_EVENT | MQCFT_USER | MQCFT_COMMAND_XR | MQCFT_XR_MSG
            | MQCFT_XR_ITEM | MQCFT_XR_SUMMARY | MQCFT_REPORT | MQCFT_TRACE_ROUTE | MQCFT_STATISTICS
            | MQCFT_ACCOUNTING | MQCFT_APP_ACTIVITY | MQCFT_STATUS => {
                self.numbers(reader, HEADER_BYTES / 4 - 2)?
            }
            MQCFT_INTEGER | MQCFT_GROUP => self.numbers(reader, 2)?,
            MQCFT_INTEGER_FILTER => self.numbers(reader, 3)?,
            MQCFT_INTEGER64 => {
                self.numbers(reader, 2)?;
                self.long(reader)?;
            }
            MQCFT_INTEGER_LIST => {
                let count = self.counted(reader)?;
                self.numbers(reader, count)?;
            }
            MQCFT_INTEGER64_LIST => {
                let count = self.counted(reader)?;
                (0..count).try_for_each(|_| self.long(reader))?;
            }
            MQCFT_STRING => {
                self.numbers(reader, 1)?;
                self.text(reader)?;
            }
            MQCFT_STRING_FILTER => {
                self.numbers(reader, 2)?;
                self.text(reader)?;
            }
            MQCFT_STRING_LIST => self.texts(reader)?,
            MQCFT_BYTE_STRING => {
                self.numbers(reader, 1)?;
                self.bytes(reader)?;
            }
            MQCFT_BYTE_STRING_FILTER => {
                self.numbers(reader, 2)?;
                self.bytes(reader)?;
            }
            _ => return Err(Reason::FORMAT_ERROR),
        }
        reader.fill()?;
        while !(self.written.len() - begins).is_multiple_of(4) {
            self.written.push(0);
        }
        let length = i32::try_from(self.written.len() - begins).map_err(|_| Reason::FORMAT_ERROR)?;
        let bytes = self.in_order(length);
        self.written[begins + 4..begins + 8].copy_from_slice(&bytes);
        Ok(())
    }

    fn in_order(&self, number: i32) -> [u8; 4] {
        match self.target.order {
            ByteOrder::Normal => number.to_be_bytes(),
            ByteOrder::Reversed => number.to_le_bytes(),
        }
    }

    fn number(&mut self, number: i32) {
        let bytes = self.in_order(number);
        self.written.extend_from_slice(&bytes);
    }

    fn numbers(&mut self, reader: &mut Reader<'_>, count: usize) -> Result<(), Reason> {
        for _ in 0..count {
            let number = reader.number()?;
            self.number(number);
        }
        Ok(())
    }

    /// A parameter and the count of what follows it.
    fn counted(&mut self, reader: &mut Reader<'_>) -> Result<usize, Reason> {
        self.numbers(reader, 1)?;
        let count = reader.length()?;
        self.number(i32::try_from(count).map_err(|_| Reason::FORMAT_ERROR)?);
        Ok(count)
    }

    fn long(&mut self, reader: &mut Reader<'_>) -> Result<(), Reason> {
        let mut bytes: [u8; 8] = reader.take(8)?.try_into().map_err(|_| Reason::FORMAT_ERROR)?;
        if self.source.order != self.target.order {
            bytes.reverse();
        }
        self.written.extend_from_slice(&bytes);
        Ok(())
    }

    /// The character set of a text, and what it will be in: a text that names none is in that of the message.
    fn character_set(&mut self, reader: &mut Reader<'_>) -> Result<CharacterSet, Reason> {
        let ccsid = reader.number()?;
        let (source, target) = match ccsid {
            MQCCSI_DEFAULT | MQCCSI_INHERIT | MQCCSI_EMBEDDED => (self.source.set, ccsid),
            ccsid => (CharacterSet::by_ccsid(ccsid).ok_or(Reason::SOURCE_CCSID_ERROR)?, self.target.ccsid),
        };
        self.number(target);
        Ok(source)
    }

    fn converted(&self, bytes: &[u8], set: CharacterSet) -> Result<Vec<u8>, Reason> {
        text(bytes, set, self.source.order, self.target.set, self.target.order)
    }

    fn text(&mut self, reader: &mut Reader<'_>) -> Result<(), Reason> {
        let set = self.character_set(reader)?;
        let length = reader.length()?;
        let converted = self.converted(reader.take(length)?, set)?;
        self.number(i32::try_from(converted.len()).map_err(|_| Reason::FORMAT_ERROR)?);
        self.written.extend_from_slice(&converted);
        Ok(())
    }

    /// Texts of one length: the longest after conversion, the others filled up with blanks.
    fn texts(&mut self, reader: &mut Reader<'_>) -> Result<(), Reason> {
        self.numbers(reader, 1)?;
        let set = self.character_set(reader)?;
        let (count, length) = (reader.length()?, reader.length()?);
        if length == 0 || count > reader.bytes.len() / length.max(1) {
            return if count == 0 || length == 0 { self.no_texts(count) } else { Err(Reason::FORMAT_ERROR) };
        }
        let all: Result<Vec<_>, Reason> =
            (0..count).map(|_| self.converted(reader.take(length)?, set)).collect();
        let all = all?;
        let (blank, _) = self.target.set.encode(" ", self.target.order);
        let longest = all.iter().map(Vec::len).max().unwrap_or_default();
        self.number(i32::try_from(count).map_err(|_| Reason::FORMAT_ERROR)?);
        self.number(i32::try_from(longest).map_err(|_| Reason::FORMAT_ERROR)?);
        for mut text in all {
            while text.len() + blank.len() <= longest {
                text.extend_from_slice(&blank);
            }
            text.resize(longest, 0);
            self.written.extend_from_slice(&text);
        }
        Ok(())
    }

    fn no_texts(&mut self, count: usize) -> Result<(), Reason> {
        self.number(i32::try_from(count).map_err(|_| Reason::FORMAT_ERROR)?);
        self.number(0);
        Ok(())
    }

    fn bytes(&mut self, reader: &mut Reader<'_>) -> Result<(), Reason> {
        let length = reader.length()?;
        let bytes = reader.take(length)?;
        self.number(i32::try_from(length).map_err(|_| Reason::FORMAT_ERROR)?);
        self.written.extend_from_slice(bytes);
        Ok(())
    }
}
