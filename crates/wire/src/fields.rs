//! The primitive fields: little-endian numbers, short texts, lists.
//!
//! Always: reading past the end is an error that names the field.

use crate::Error;
use mqi::{ObjectName, QueueManagerName, Reason, Text};

/// Reads fields from the front of a frame's payload.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Fields of a payload, from its first.
    #[inline]
    pub fn of(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    /// Everything that was not read yet, which is still to be read.
    #[inline]
    pub fn ahead(&self) -> &'a [u8] {
        self.rest
    }

    /// Everything that was not read yet.
    #[inline]
    pub fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// The next bytes.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn take(&mut self, length: usize, field: &'static str) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Error::Cut { field })?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(Error::Cut { field })?;
        self.rest = rest;
        Ok(*taken)
    }

    /// A byte.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn u8(&mut self, field: &'static str) -> Result<u8, Error> {
        let [value] = self.array(field)?;
        Ok(value)
    }

    /// A number of two bytes.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn u16(&mut self, field: &'static str) -> Result<u16, Error> {
        self.array(field).map(u16::from_le_bytes)
    }

    /// A number of four bytes.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn u32(&mut self, field: &'static str) -> Result<u32, Error> {
        self.array(field).map(u32::from_le_bytes)
    }

    /// A signed number of four bytes.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn i32(&mut self, field: &'static str) -> Result<i32, Error> {
        self.array(field).map(i32::from_le_bytes)
    }

    /// A number of eight bytes.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn u64(&mut self, field: &'static str) -> Result<u64, Error> {
        self.array(field).map(u64::from_le_bytes)
    }

    /// The bytes of a text with a length of one byte.
    #[inline]
    pub fn short(&mut self, field: &'static str) -> Result<&'a [u8], Error> {
        let length = self.u8(field)?;
        self.take(usize::from(length), field)
    }

    /// A text with a length of one byte.
    pub fn short_text(&mut self, field: &'static str) -> Result<&'a str, Error> {
        let bytes = self.short(field)?;
        utf8(bytes, field)
    }

    /// A text with a length of four bytes.
    pub fn long_text(&mut self, field: &'static str) -> Result<&'a str, Error> {
        let length = self.u32(field)?;
        let bytes = self.take(length as usize, field)?;
        utf8(bytes, field)
    }

    /// A text of a fixed width.
    ///
    /// # Errors
    /// When it is cut, longer than its width, or no text.
    #[inline]
    pub fn fixed_text<const N: usize>(&mut self, field: &'static str) -> Result<Text<N>, Error> {
        let bytes = self.short(field)?;
        if let Some(text) = Text::exact(bytes) {
            return Ok(text);
        }
        utf8(bytes, field)?.parse().map_err(|_| Error::Field { field, reason: Reason::MD_ERROR })
    }

    /// The name of an object; one that is no name fails the request, not the connection.
    #[inline]
    pub fn object_name(&mut self, field: &'static str) -> Result<ObjectName, Error> {
        let bytes = self.short(field)?;
        if let Some(name) = ObjectName::exact(bytes) {
            return Ok(name);
        }
        utf8(bytes, field)?.parse().map_err(|_| Error::Field { field, reason: Reason::OBJECT_NAME_ERROR })
    }

    /// The name of a queue manager; one that is no name fails the request, not the connection.
    ///
    /// # Errors
    /// When it is cut or no name.
    pub fn queue_manager_name(&mut self, field: &'static str) -> Result<QueueManagerName, Error> {
        let bytes = self.short(field)?;
        if let Some(name) = QueueManagerName::exact(bytes) {
            return Ok(name);
        }
        utf8(bytes, field)?
            .parse()
            .map_err(|_| Error::Field { field, reason: Reason::OBJECT_Q_MGR_NAME_ERROR })
    }

    /// A count of things of at least `least` bytes each, so that a list is never sized by a lie.
    pub fn count(&mut self, least: usize, field: &'static str) -> Result<usize, Error> {
        let count = self.u32(field)? as usize;
        if count > self.rest.len() / least {
            return Err(Error::Cut { field });
        }
        Ok(count)
    }
}

fn utf8<'a>(bytes: &'a [u8], field: &'static str) -> Result<&'a str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::Field { field, reason: Reason::SOURCE_CCSID_ERROR })
}

/// Writes a text with a length of one byte, cut between characters where it is longer than that can say.
pub fn put_short_text(out: &mut Vec<u8>, text: &str) {
    let mut end = text.len().min(usize::from(u8::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out.push(end as u8);
    out.extend_from_slice(&text.as_bytes()[..end]);
}

/// Writes the bytes of a text of a fixed width, at most 255 of them, with a length of one byte.
pub fn put_short(out: &mut Vec<u8>, bytes: &[u8]) {
    assert!(bytes.len() <= usize::from(u8::MAX), "a text of a fixed width has a short length");
    out.push(bytes.len() as u8);
    out.extend_from_slice(bytes);
}

/// Writes a text with a length of four bytes.
pub fn put_long_text(out: &mut Vec<u8>, text: &str) {
    put_u32(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// Fields gathered beside the list that they are appended to, in one piece: each append of its own asks for
/// room, which costs several times as much as the few bytes of a field.
pub struct Gathered<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Gathered<N> {
    #[inline]
    fn default() -> Self {
        Self { bytes: [0; N], length: 0 }
    }
}

impl<const N: usize> Gathered<N> {
    /// A field of a width that the compiler knows.
    ///
    /// # Panics
    /// When there is no room: the fields of a gathering have at most `N` bytes.
    #[inline]
    pub fn put<const WIDTH: usize>(&mut self, field: [u8; WIDTH]) {
        let room = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut);
        *room.expect("the fields have room") = field;
        self.length += WIDTH;
    }

    /// A number, as [`put_number`].
    #[inline]
    pub fn put_number(&mut self, value: i32) {
        each_byte_of_number(value, |byte| self.put([byte]));
    }

    /// A text of a fixed width, as [`put_short`].
    #[inline]
    pub fn put_short(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= usize::from(u8::MAX), "a text of a fixed width has a short length");
        self.put([bytes.len() as u8]);
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// All that was put.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Writes a number of two bytes.
#[inline]
pub fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Writes a number of four bytes.
#[inline]
pub fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Writes a signed number of four bytes.
#[inline]
pub fn put_i32(out: &mut Vec<u8>, value: i32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Writes a number of eight bytes.
#[inline]
pub fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a number, seven bits to a byte, small magnitudes first.
pub fn put_number(out: &mut Vec<u8>, value: i32) {
    each_byte_of_number(value, |byte| out.push(byte));
}

/// The bytes of a number, one after the other: at most [`NUMBER_BYTES_MAX`].
#[inline]
pub fn each_byte_of_number(value: i32, mut put: impl FnMut(u8)) {
    let mut rest = (value as u32).wrapping_shl(1) ^ (value >> 31) as u32;
    while rest >= 0x80 {
        put(rest as u8 | 0x80);
        rest >>= 7;
    }
    put(rest as u8);
}

/// Most bytes of a number.
pub const NUMBER_BYTES_MAX: usize = 5;

/// Reads a number of at most five bytes.
#[inline]
pub fn number(fields: &mut Fields<'_>, field: &'static str) -> Result<i32, Error> {
    let mut rest = 0_u64;
    for place in 0..5 {
        let byte = fields.u8(field)?;
        rest |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            let rest = u32::try_from(rest).map_err(|_| Error::Field { field, reason: Reason::MD_ERROR })?;
            return Ok((rest >> 1) as i32 ^ -((rest & 1) as i32));
        }
    }
    Err(Error::Field { field, reason: Reason::MD_ERROR })
}
