//! The primitive fields: little-endian numbers, short texts, lists.
//!
//! Always: reading past the end is an error that names the field.

use crate::Error;
use crate::descriptor::each_byte_of_number;
use mqi::{ObjectName, QueueManagerName, Reason, Text};

/// Reads fields from the front of a frame's payload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(crate) fn of(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    /// Everything that was not read yet, which is still to be read.
    #[inline]
    pub(crate) fn ahead(&self) -> &'a [u8] {
        self.rest
    }

    /// Everything that was not read yet.
    #[inline]
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    #[inline]
    pub(crate) fn take(&mut self, length: usize, field: &'static str) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Error::Cut { field })?;
        self.rest = rest;
        Ok(taken)
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(Error::Cut { field })?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline]
    pub(crate) fn u8(&mut self, field: &'static str) -> Result<u8, Error> {
        let [value] = self.array(field)?;
        Ok(value)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16, Error> {
        self.array(field).map(u16::from_le_bytes)
    }

    #[inline]
    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32, Error> {
        self.array(field).map(u32::from_le_bytes)
    }

    #[inline]
    pub(crate) fn i32(&mut self, field: &'static str) -> Result<i32, Error> {
        self.array(field).map(i32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self, field: &'static str) -> Result<u64, Error> {
        self.array(field).map(u64::from_le_bytes)
    }

    /// The bytes of a text with a length of one byte.
    #[inline]
    pub(crate) fn short(&mut self, field: &'static str) -> Result<&'a [u8], Error> {
        let length = self.u8(field)?;
        self.take(usize::from(length), field)
    }

    /// A text with a length of one byte.
    pub(crate) fn short_text(&mut self, field: &'static str) -> Result<&'a str, Error> {
        let bytes = self.short(field)?;
        utf8(bytes, field)
    }

    /// A text with a length of four bytes.
    pub(crate) fn long_text(&mut self, field: &'static str) -> Result<&'a str, Error> {
        let length = self.u32(field)?;
        let bytes = self.take(length as usize, field)?;
        utf8(bytes, field)
    }

    pub(crate) fn fixed_text<const N: usize>(&mut self, field: &'static str) -> Result<Text<N>, Error> {
        let bytes = self.short(field)?;
        if let Some(text) = Text::exact(bytes) {
            return Ok(text);
        }
        utf8(bytes, field)?.parse().map_err(|_| Error::Field { field, reason: Reason::MD_ERROR })
    }

    /// The name of an object; one that is no name fails the request, not the connection.
    pub(crate) fn object_name(&mut self, field: &'static str) -> Result<ObjectName, Error> {
        let bytes = self.short(field)?;
        if let Some(name) = ObjectName::exact(bytes) {
            return Ok(name);
        }
        utf8(bytes, field)?.parse().map_err(|_| Error::Field { field, reason: Reason::OBJECT_NAME_ERROR })
    }

    pub(crate) fn queue_manager_name(&mut self, field: &'static str) -> Result<QueueManagerName, Error> {
        let bytes = self.short(field)?;
        if let Some(name) = QueueManagerName::exact(bytes) {
            return Ok(name);
        }
        utf8(bytes, field)?
            .parse()
            .map_err(|_| Error::Field { field, reason: Reason::OBJECT_Q_MGR_NAME_ERROR })
    }

    /// A count of things of at least `least` bytes each, so that a list is never sized by a lie.
    pub(crate) fn count(&mut self, least: usize, field: &'static str) -> Result<usize, Error> {
        let count = self.u32(field)? as usize;
        if count > self.rest.len() / least {
            return Err(Error::Cut { field });
        }
        Ok(count)
    }

    /// Nothing may follow.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::Trailing(self.rest.len())) }
    }
}

fn utf8<'a>(bytes: &'a [u8], field: &'static str) -> Result<&'a str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::Field { field, reason: Reason::SOURCE_CCSID_ERROR })
}

/// Writes a text with a length of one byte, cut between characters where it is longer than that can say.
pub(crate) fn put_short_text(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(usize::from(u8::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.push(end as u8);
    out.extend_from_slice(&text.as_bytes()[..end]);
}

/// Writes the bytes of a text of a fixed width, at most 255 of them, with a length of one byte.
pub(crate) fn put_short(out: &mut Vec<u8>, bytes: &[u8]) {
    assert!(bytes.len() <= usize::from(u8::MAX), "a text of a fixed width has a short length");
    out.push(bytes.len() as u8);
    out.extend_from_slice(bytes);
}

/// Writes a text with a length of four bytes.
pub(crate) fn put_long_text(out: &mut Vec<u8>, text: &str) {
    put_u32(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// Fields gathered beside the list they are to be appended to, in one piece: each append of its own asks for room, which costs several
/// times what the few bytes of a field do.
pub(crate) struct Gathered<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Gathered<N> {
    /// Nothing yet.
    #[inline]
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; N], length: 0 }
    }

    /// A field of a width that the compiler knows.
    ///
    /// # Panics
    /// When there is no room: the fields of a gathering have at most `N` bytes.
    #[inline]
    pub(crate) fn put<const WIDTH: usize>(&mut self, field: [u8; WIDTH]) {
        let room = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut);
        *room.expect("the fields have room") = field;
        self.length += WIDTH;
    }

    /// A number, as [`put_number`](crate::descriptor::put_number).
    #[inline]
    pub(crate) fn put_number(&mut self, value: i32) {
        each_byte_of_number(value, |byte| self.put([byte]));
    }

    /// A text of a fixed width, as [`put_short`].
    #[inline]
    pub(crate) fn put_short(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= usize::from(u8::MAX), "a text of a fixed width has a short length");
        self.put([bytes.len() as u8]);
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// All that was put.
    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

pub(crate) fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_i32(out: &mut Vec<u8>, value: i32) {
    out.extend_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}
