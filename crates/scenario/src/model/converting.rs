//! Characters in other sets, as far as scenarios have them: the letters, digits and signs of ASCII, and the
//! euro sign.
//!
//! Written from the tables of the sets as a person reads them.

use mqi::{Encoding, Reason, constants};

use super::putting::CHARACTER_SET;
use super::refused;
use crate::Expected;
use crate::characters::{Conversion, hexadecimal};

/// Target of a getter's conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) encoding: Encoding,
    pub(super) character_set: i32,
}

/// Description of a body.
pub(super) struct Place<'a> {
    pub(super) encoding: Encoding,
    pub(super) character_set: i32,
    pub(super) format: &'a str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// One byte for what is in ASCII.
    Ascii,
    Ebcdic,
    /// Two bytes, in the order of numbers.
    Wide,
}

const SETS: [(i32, Family); 12] = [
    (37, Family::Ebcdic),
    (437, Family::Ascii),
    (500, Family::Ebcdic),
    (819, Family::Ascii),
    (850, Family::Ascii),
    (1200, Family::Wide),
    (1208, Family::Ascii),
    (1250, Family::Ascii),
    (1251, Family::Ascii),
    (1252, Family::Ascii),
    (858, Family::Ascii),
    (923, Family::Ascii),
];

/// Returns the set itself for the number of the queue manager's own.
pub(super) fn own(character_set: i32) -> i32 {
    if character_set == constants::MQCCSI_Q_MGR { CHARACTER_SET } else { character_set }
}

fn family(character_set: i32) -> Option<Family> {
    SETS.iter().find(|(known, _)| *known == character_set).map(|(_, family)| *family)
}

/// True if integers have their most significant byte first; none for an encoding without integers.
fn is_normal(encoding: Encoding) -> Option<bool> {
    match encoding.code() & constants::MQENC_INTEGER_MASK {
        constants::MQENC_INTEGER_NORMAL => Some(true),
        constants::MQENC_INTEGER_REVERSED => Some(false),
        _ => None,
    }
}

/// The blocks of letters and digits: where they begin in ASCII and in EBCDIC, and how many there are.
const BLOCKS: [(u8, u8, u8); 8] = [
    (b'a', 0x81, 9),
    (b'j', 0x91, 9),
    (b's', 0xA2, 8),
    (b'A', 0xC1, 9),
    (b'J', 0xD1, 9),
    (b'S', 0xE2, 8),
    (b'0', 0xF0, 10),
    (b' ', 0x40, 1),
];

/// A character in EBCDIC; scenarios convert nothing but letters, digits and blanks there.
fn to_ebcdic(character: char) -> Option<u8> {
    let byte = u8::try_from(character).ok()?;
    let block = BLOCKS.iter().find(|(ascii, _, count)| (*ascii..*ascii + *count).contains(&byte))?;
    Some(block.1 + (byte - block.0))
}

fn of_ebcdic(byte: u8) -> Option<char> {
    let block = BLOCKS.iter().find(|(_, ebcdic, count)| (*ebcdic..*ebcdic + *count).contains(&byte))?;
    Some(char::from(block.0 + (byte - block.1)))
}

/// Bytes in another set, or why not.
pub(super) fn characters(
    bytes: &[u8],
    (source, source_normal): (i32, bool),
    (target, target_normal): (i32, bool),
) -> Result<Vec<u8>, Reason> {
    let from = family(source).ok_or(Reason::SOURCE_CCSID_ERROR)?;
    let to = family(target).ok_or(Reason::TARGET_CCSID_ERROR)?;
    // What the sets of this family have in common is in the same places, which is more than the blocks below.
    if (from, to) == (Family::Ebcdic, Family::Ebcdic) {
        return Ok(bytes.to_vec());
    }
    let text: Option<String> = match from {
        Family::Ebcdic => bytes.iter().map(|byte| of_ebcdic(*byte)).collect(),
        // Signs beyond ASCII differ from set to set.
        Family::Ascii if bytes.is_ascii() || source == CHARACTER_SET => {
            std::str::from_utf8(bytes).ok().map(str::to_owned)
        }
        Family::Ascii => None,
        Family::Wide => {
            let pairs = bytes.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
            let wide: Vec<u16> = match source_normal {
                true => pairs.map(u16::from_be_bytes).collect(),
                false => pairs.map(u16::from_le_bytes).collect(),
            };
            String::from_utf16(&wide).ok().filter(|_| bytes.len().is_multiple_of(2))
        }
    };
    let text = text.ok_or(Reason::NOT_CONVERTED)?;
    let bytes: Option<Vec<u8>> = match to {
        Family::Ebcdic => text.chars().map(to_ebcdic).collect(),
        Family::Ascii if text.is_ascii() || target == CHARACTER_SET => Some(text.into_bytes()),
        Family::Ascii => None,
        Family::Wide => {
            let order = |unit: u16| if target_normal { unit.to_be_bytes() } else { unit.to_le_bytes() };
            Some(text.encode_utf16().flat_map(order).collect())
        }
    };
    bytes.ok_or(Reason::NOT_CONVERTED)
}

/// A body as its getter wants it, of which all comes behind a header or not: what it is then. One that cannot
/// be converted is refused with the reason that the getter is warned with.
pub(super) fn body(
    place: &Place<'_>,
    bytes: &[u8],
    target: Target,
    has_header: bool,
) -> Result<Option<Vec<u8>>, Reason> {
    let target_normal = is_normal(target.encoding).ok_or(Reason::TARGET_INTEGER_ENC_ERROR)?;
    let to = family(target.character_set).ok_or(Reason::TARGET_CCSID_ERROR)?;
    if (place.encoding, place.character_set) == (target.encoding, target.character_set) {
        return Ok(None);
    }
    // The texts of headers have one byte for each character.
    if has_header && to == Family::Wide {
        return Err(Reason::TARGET_CCSID_ERROR);
    }
    if place.format != constants::MQFMT_STRING.trim_end() {
        return if has_header { Ok(None) } else { Err(Reason::FORMAT_ERROR) };
    }
    let source = (place.character_set, is_normal(place.encoding).unwrap_or(target_normal));
    characters(bytes, source, (target.character_set, target_normal)).map(Some)
}

/// The options of MQXCNVC.
const DEFAULTS: i32 = constants::MQDCC_DEFAULT_CONVERSION | constants::MQDCC_INT_DEFAULT_CONVERSION;
const ORDERS: i32 = 0xFF0;

/// Returns the answer of MQXCNVC.
pub(super) fn reply(conversion: &Conversion) -> Expected {
    match call(conversion) {
        Ok(bytes) => Expected { facts: vec![hexadecimal(&bytes)], ..Expected::default() },
        Err(reason) => refused(reason),
    }
}

fn call(conversion: &Conversion) -> Result<Vec<u8>, Reason> {
    let Conversion { options, bytes, from, to, bytes_max } = conversion;
    if options & !(DEFAULTS | constants::MQDCC_FILL_TARGET_BUFFER | ORDERS) != 0 {
        return Err(Reason::OPTIONS_ERROR);
    }
    let order = |digit: i32| match digit {
        0 | 2 => Ok(false),
        1 => Ok(true),
        _ => Err(Reason::OPTIONS_ERROR),
    };
    let source = (own(*from), order(options >> 4 & 0xF)?);
    let target = (own(*to), order(options >> 8 & 0xF)?);
    let mut converted = characters(bytes, source, target)?;
    if converted.len() > *bytes_max {
        return Err(Reason::CONVERTED_STRING_TOO_BIG);
    }
    if options & constants::MQDCC_FILL_TARGET_BUFFER != 0 {
        let blank = characters(b" ", (CHARACTER_SET, false), target)?;
        while converted.len() + blank.len() <= *bytes_max {
            converted.extend_from_slice(&blank);
        }
    }
    Ok(converted)
}
