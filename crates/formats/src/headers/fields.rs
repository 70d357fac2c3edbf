//! Fields of structures, in the byte order and character set their place says.

use mqi::{Encoding, Reason, Text, constants};

use super::error::{Fault, HeaderError};
use crate::character_set::{ByteOrder, CharacterSet};

/// The set of the characters in fields. A program that leaves it to the queue manager has written them in its
/// own, and nothing but ASCII stands in them.
pub(crate) fn of_fields(ccsid: i32) -> Option<CharacterSet> {
    match ccsid {
        constants::MQCCSI_Q_MGR | constants::MQCCSI_APPL => Some(CharacterSet::utf_8()),
        other => CharacterSet::by_ccsid(other).filter(CharacterSet::fits_fields),
    }
}

/// Reads fields from a structure.
pub(crate) struct Reader<'a> {
    header: &'static str,
    bytes: &'a [u8],
    /// Where `bytes` begins in the whole body.
    base: usize,
    position: usize,
    order: ByteOrder,
    set: CharacterSet,
}

impl<'a> Reader<'a> {
    /// Reads `header` from the front of `bytes`, which stand at `base` of the body.
    pub(crate) fn new(
        header: &'static str,
        bytes: &'a [u8],
        base: usize,
        encoding: Encoding,
        ccsid: i32,
    ) -> Result<Self, HeaderError> {
        let fault = |fault| HeaderError { header, offset: base, fault };
        let order =
            ByteOrder::of_integers(encoding).ok_or_else(|| fault(Fault::Encoding(encoding.code())))?;
        let set = of_fields(ccsid).ok_or_else(|| fault(Fault::CharacterSet(ccsid)))?;
        Ok(Self { header, bytes, base, position: 0, order, set })
    }

    pub(crate) fn error(&self, fault: Fault) -> HeaderError {
        HeaderError { header: self.header, offset: self.base + self.position, fault }
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn order(&self) -> ByteOrder {
        self.order
    }

    pub(crate) fn take(&mut self, length: usize, field: &'static str) -> Result<&'a [u8], HeaderError> {
        let end = self.position.checked_add(length).filter(|end| *end <= self.bytes.len());
        let Some(end) = end else { return Err(self.error(Fault::Cut(field))) };
        let taken = &self.bytes[self.position..end];
        self.position = end;
        Ok(taken)
    }

    /// The four characters a structure begins with.
    pub(crate) fn identifier(&mut self, expected: &'static str) -> Result<(), HeaderError> {
        let found = self.take(4, "StrucId")?;
        let (text, _) = self.set.decode(found, self.order);
        if text == expected {
            return Ok(());
        }
        self.position -= 4;
        Err(self.error(Fault::Identifier(expected)))
    }

    pub(crate) fn number(&mut self, field: &'static str) -> Result<i32, HeaderError> {
        let bytes = self.array::<4>(field)?;
        Ok(self.order.read_u32(bytes).cast_signed())
    }

    /// The version, which must be this.
    pub(crate) fn version(&mut self, expected: i32) -> Result<(), HeaderError> {
        let version = self.number("Version")?;
        if version == expected { Ok(()) } else { Err(self.error(Fault::Version(version))) }
    }

    /// The length of the whole structure, at least `least` and no more than there is.
    pub(crate) fn structure_length(&mut self, least: usize) -> Result<usize, HeaderError> {
        let length = self.number("StrucLength")?;
        match usize::try_from(length) {
            Ok(bytes) if bytes >= least && bytes <= self.bytes.len() => Ok(bytes),
            Ok(bytes) if bytes > self.bytes.len() => Err(self.error(Fault::Cut("the structure"))),
            _ => Err(self.error(Fault::Length { field: "StrucLength", length })),
        }
    }

    /// The length of the whole structure, which must be this.
    pub(crate) fn exact_length(&mut self, expected: usize) -> Result<usize, HeaderError> {
        let length = self.structure_length(expected)?;
        if length == expected {
            return Ok(length);
        }
        let length = i32::try_from(length).unwrap_or(i32::MAX);
        Err(self.error(Fault::Length { field: "StrucLength", length }))
    }

    pub(crate) fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], HeaderError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, field)?);
        Ok(array)
    }

    pub(crate) fn text<const N: usize>(&mut self, field: &'static str) -> Result<Text<N>, HeaderError> {
        let bytes = self.take(N, field)?;
        let (text, _) = self.set.decode(bytes, self.order);
        Ok(Text::truncated(text.split('\0').next().unwrap_or_default()))
    }
}

/// Writes the fields of a structure.
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
    order: ByteOrder,
    set: CharacterSet,
}

impl Writer {
    pub(crate) fn new(encoding: Encoding, ccsid: i32) -> Result<Self, Reason> {
        let order = ByteOrder::of_integers(encoding).ok_or(Reason::TARGET_INTEGER_ENC_ERROR)?;
        let set = of_fields(ccsid).ok_or(Reason::TARGET_CCSID_ERROR)?;
        Ok(Self { bytes: Vec::new(), order, set })
    }

    pub(crate) fn order(&self) -> ByteOrder {
        self.order
    }

    pub(crate) fn set(&self) -> CharacterSet {
        self.set
    }

    /// Characters at their width, padded with blanks, without the last where the set needs more bytes than
    /// the field has.
    pub(crate) fn text(&mut self, text: impl AsRef<str>, width: usize) {
        let mut bytes = self.set.encode_within(text.as_ref(), self.order, width);
        let (blank, _) = self.set.encode(" ", self.order);
        bytes.resize(width, blank[0]);
        self.bytes.extend_from_slice(&bytes);
    }

    pub(crate) fn number(&mut self, value: i32) {
        self.bytes.extend_from_slice(&self.order.write_u32(value.cast_unsigned()));
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes a number over the one at `position`.
    pub(crate) fn set_number(&mut self, position: usize, value: i32) {
        self.bytes[position..position + 4].copy_from_slice(&self.order.write_u32(value.cast_unsigned()));
    }
}
