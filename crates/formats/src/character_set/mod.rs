//! Character sets by their number (CCSID).
//!
//! Single-byte sets are tables of facts (`facts/single_byte.txt`, the public mappings of each set to Unicode:
//! 256 code points a line, `----` where there is none), and so are mixed EBCDIC sets (`mixed`, made by
//! `facts/character_sets.py`). Other sets of several bytes come from `encoding_rs`; Unicode is written here.
//!
//! Always: a character that the target does not have becomes the target's substitute and is reported as such,
//! and bytes that are none of the source are reported too, so that the caller decides whether that is an
//! error.

mod losses;
mod mixed;
mod single_byte;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

pub use losses::Losses;
use mixed::Mixed;
use single_byte::SingleByte;

/// A character set that texts can be read from and written to.
#[derive(Clone, Copy, Debug)]
pub struct CharacterSet {
    ccsid: i32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Utf8,
    /// Two or four bytes a character; the order is that of the numbers beside it.
    Utf16,
    Utf32,
    /// Seven bits.
    Ascii,
    SingleByte(&'static SingleByte),
    MultiByte(&'static Encoding),
    /// One byte, and two between shift-out and shift-in.
    Mixed(&'static Mixed),
}

/// The order of bytes in a number, or in a character of two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// Most significant first (`MQENC_INTEGER_NORMAL`).
    Normal,
    /// Least significant first (`MQENC_INTEGER_REVERSED`).
    Reversed,
}

/// Numbers of Unicode: UTF-8, and the several of UTF-16 that programs use.
const UTF_8: [i32; 2] = [1208, 1209];
const UTF_16: [i32; 6] = [1200, 1201, 1202, 13488, 17584, 61952];
const UTF_32: [i32; 3] = [1232, 1233, 1234];

/// Sets of several bytes, by the numbers they go by. Where a number differs from the set in a few characters
/// of the vendor's own, the common ones are what programs exchange.
const MULTI_BYTE: &[(&[i32], &Encoding)] = &[
    (&[932, 942, 943], SHIFT_JIS),
    (&[954, 5050, 33722], EUC_JP),
    (&[949, 970, 1363], EUC_KR),
    (&[950, 1370], BIG5),
    (&[936, 1381, 1383, 1386], GBK),
    (&[1392, 5488, 54_936], GB18030),
];

impl CharacterSet {
    /// The set a number stands for.
    #[must_use]
    pub fn by_ccsid(ccsid: i32) -> Option<Self> {
        let kind = if UTF_8.contains(&ccsid) {
            Kind::Utf8
        } else if UTF_16.contains(&ccsid) {
            Kind::Utf16
        } else if UTF_32.contains(&ccsid) {
            Kind::Utf32
        } else if ccsid == 367 {
            Kind::Ascii
        } else if let Some(table) = single_byte::by_ccsid(ccsid) {
            Kind::SingleByte(table)
        } else if let Some(table) = mixed::by_ccsid(ccsid) {
            Kind::Mixed(table)
        } else {
            let row = MULTI_BYTE.iter().find(|(numbers, _)| numbers.contains(&ccsid))?;
            Kind::MultiByte(row.1)
        };
        Some(Self { ccsid, kind })
    }

    /// UTF-8.
    #[must_use]
    pub const fn utf_8() -> Self {
        Self { ccsid: 1208, kind: Kind::Utf8 }
    }

    /// Its number.
    #[must_use]
    pub const fn ccsid(&self) -> i32 {
        self.ccsid
    }

    /// True if its characters have one or several bytes, so that some byte sequences are no text.
    #[must_use]
    pub const fn has_several_bytes(&self) -> bool {
        matches!(self.kind, Kind::MultiByte(_) | Kind::Mixed(_))
    }

    /// True if the characters of fixed fields have one byte each, as the structures of the interface need.
    #[must_use]
    pub const fn fits_fields(&self) -> bool {
        !matches!(self.kind, Kind::Utf16 | Kind::Utf32)
    }

    /// Reads a text.
    #[must_use]
    pub fn decode<'a>(&self, bytes: &'a [u8], order: ByteOrder) -> (Cow<'a, str>, Losses) {
        match self.kind {
            Kind::Utf8 => utf_8(bytes),
            Kind::Utf16 => utf_16(bytes, order),
            Kind::Utf32 => utf_32(bytes, order),
            Kind::Ascii => ascii(bytes),
            Kind::SingleByte(table) => table.decode(bytes),
            Kind::MultiByte(encoding) => {
                let (text, is_malformed) = encoding.decode_without_bom_handling(bytes);
                (text, Losses { malformed: usize::from(is_malformed), ..Losses::default() })
            }
            Kind::Mixed(table) => {
                let (text, losses) = table.decode(bytes);
                (text.into(), losses)
            }
        }
    }

    /// Writes a text.
    #[must_use]
    pub fn encode(&self, text: &str, order: ByteOrder) -> (Vec<u8>, Losses) {
        match self.kind {
            Kind::Utf8 => (text.as_bytes().to_vec(), Losses::default()),
            Kind::Utf16 => {
                (text.encode_utf16().flat_map(|unit| order.write_u16(unit)).collect(), Losses::default())
            }
            Kind::Utf32 => {
                let units = text.chars().map(u32::from);
                (units.flat_map(|unit| order.write_u32(unit)).collect(), Losses::default())
            }
            Kind::Ascii => {
                replacing(text, |character| u8::try_from(character).ok().filter(u8::is_ascii), b'?')
            }
            Kind::SingleByte(table) => {
                replacing(text, |character| table.byte_of(character), table.substitute())
            }
            Kind::MultiByte(encoding) => multi_byte(encoding, text),
            Kind::Mixed(table) => table.encode(text),
        }
    }

    /// Writes as much of a text as fits a width, in whole characters and with the shifts that belong to them.
    #[must_use]
    pub fn encode_within(&self, text: &str, order: ByteOrder, width: usize) -> Vec<u8> {
        let mut kept = text;
        loop {
            let (bytes, _) = self.encode(kept, order);
            if bytes.len() <= width {
                return bytes;
            }
            // No set writes more characters than bytes.
            let within = kept.char_indices().nth(width).map_or(kept, |(end, _)| &kept[..end]);
            kept = if within.len() < kept.len() { within } else { without_last(kept) };
        }
    }
}

impl ByteOrder {
    /// The byte order of whole numbers in an encoding (`MQENC_`); none for an encoding without one.
    #[must_use]
    pub const fn of_integers(encoding: mqi::Encoding) -> Option<Self> {
        match encoding.code() & mqi::constants::MQENC_INTEGER_MASK {
            mqi::constants::MQENC_INTEGER_NORMAL => Some(Self::Normal),
            mqi::constants::MQENC_INTEGER_REVERSED => Some(Self::Reversed),
            _ => None,
        }
    }

    pub(crate) fn write_u16(self, value: u16) -> [u8; 2] {
        match self {
            Self::Normal => value.to_be_bytes(),
            Self::Reversed => value.to_le_bytes(),
        }
    }

    pub(crate) fn write_u32(self, value: u32) -> [u8; 4] {
        match self {
            Self::Normal => value.to_be_bytes(),
            Self::Reversed => value.to_le_bytes(),
        }
    }

    pub(crate) fn read_u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Normal => u32::from_be_bytes(bytes),
            Self::Reversed => u32::from_le_bytes(bytes),
        }
    }
}

fn without_last(text: &str) -> &str {
    let mut characters = text.chars();
    characters.next_back();
    characters.as_str()
}

fn utf_8(bytes: &[u8]) -> (Cow<'_, str>, Losses) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), Losses::default()),
        Err(_) => {
            let malformed = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            (String::from_utf8_lossy(bytes), Losses { malformed, ..Losses::default() })
        }
    }
}

fn utf_16<'a>(bytes: &[u8], order: ByteOrder) -> (Cow<'a, str>, Losses) {
    let mut losses = Losses { malformed: bytes.len() % 2, ..Losses::default() };
    let units = bytes.chunks_exact(2).map(|pair| match order {
        ByteOrder::Normal => u16::from_be_bytes([pair[0], pair[1]]),
        ByteOrder::Reversed => u16::from_le_bytes([pair[0], pair[1]]),
    });
    let text = char::decode_utf16(units).map(|character| {
        character.unwrap_or_else(|_| {
            losses.malformed += 1;
            char::REPLACEMENT_CHARACTER
        })
    });
    let text: String = text.collect();
    (Cow::Owned(text), losses)
}

fn utf_32<'a>(bytes: &[u8], order: ByteOrder) -> (Cow<'a, str>, Losses) {
    let mut losses = Losses { malformed: usize::from(!bytes.len().is_multiple_of(4)), ..Losses::default() };
    let mut text = String::with_capacity(bytes.len() / 4);
    for unit in bytes.chunks_exact(4) {
        let character = char::from_u32(order.read_u32([unit[0], unit[1], unit[2], unit[3]]));
        losses.malformed += usize::from(character.is_none());
        text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    (Cow::Owned(text), losses)
}

fn ascii(bytes: &[u8]) -> (Cow<'_, str>, Losses) {
    if let (true, Ok(text)) = (bytes.is_ascii(), std::str::from_utf8(bytes)) {
        return (Cow::Borrowed(text), Losses::default());
    }
    let malformed = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let text = bytes
        .iter()
        .map(|byte| if byte.is_ascii() { char::from(*byte) } else { char::REPLACEMENT_CHARACTER });
    (Cow::Owned(text.collect()), Losses { malformed, ..Losses::default() })
}

fn replacing(text: &str, byte_of: impl Fn(char) -> Option<u8>, substitute: u8) -> (Vec<u8>, Losses) {
    let mut losses = Losses::default();
    let bytes = text.chars().map(|character| {
        byte_of(character).unwrap_or_else(|| {
            losses.substituted += 1;
            substitute
        })
    });
    let bytes: Vec<u8> = bytes.collect();
    (bytes, losses)
}

fn multi_byte(encoding: &'static Encoding, text: &str) -> (Vec<u8>, Losses) {
    let mut losses = Losses::default();
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut encoder = encoding.new_encoder();
    let mut block = [0; 1024];
    loop {
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(rest, &mut block, true);
        bytes.extend_from_slice(&block[..written]);
        rest = &rest[read..];
        match result {
            encoding_rs::EncoderResult::InputEmpty => return (bytes, losses),
            encoding_rs::EncoderResult::OutputFull => {}
            encoding_rs::EncoderResult::Unmappable(_) => {
                losses.substituted += 1;
                bytes.push(b'?');
            }
        }
    }
}

#[cfg(test)]
fn single_byte_facts() -> std::str::Lines<'static> {
    single_byte::FACTS.lines()
}
