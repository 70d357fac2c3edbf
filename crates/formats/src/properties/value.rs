//! Values of properties as C programs hold them: so many bytes, in an encoding and a character set.
//!
//! Always: numbers of any length and type from a program give a value or a reason.

use bytes::Bytes;
use mqi::properties::{PropertyType, PropertyValue};
use mqi::{Encoding, Reason, constants};

use crate::character_set::{ByteOrder, CharacterSet, Losses};

/// A value in bytes, and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The bytes.
    pub bytes: Bytes,
    /// Representation of numbers.
    pub encoding: Encoding,
    /// The character set of a text.
    pub coded_character_set: i32,
    /// Why they are not what was asked for.
    pub warning: Option<Reason>,
}

/// Takes the type, length and bytes of a value from a program's call.
///
/// # Errors
/// `MQRC_PROPERTY_TYPE_ERROR` for a type that is none, `MQRC_BUFFER_LENGTH_ERROR` for a length that values of
/// the type do not have, `MQRC_BUFFER_ERROR` when there are fewer bytes than that, `MQRC_SOURCE_CCSID_ERROR`
/// and `MQRC_SOURCE_INTEGER_ENC_ERROR` for texts and numbers that cannot be read,
/// `MQRC_PROP_VALUE_NOT_CONVERTED` for bytes that are no text of the character set.
pub fn of_program(
    kind: i32,
    length: i32,
    bytes: &[u8],
    encoding: Encoding,
    ccsid: i32,
) -> Result<PropertyValue, Reason> {
    let kind = PropertyType::from_code(kind)?;
    let length = match (kind, length) {
        (PropertyType::Text, constants::MQVL_NULL_TERMINATED) => {
            bytes.iter().position(|byte| *byte == 0).ok_or(Reason::BUFFER_ERROR)?
        }
        (_, length) => usize::try_from(length).map_err(|_| Reason::BUFFER_LENGTH_ERROR)?,
    };
    if kind.width().is_some_and(|width| width != length) {
        return Err(Reason::BUFFER_LENGTH_ERROR);
    }
    read(kind, bytes.get(..length).ok_or(Reason::BUFFER_ERROR)?, encoding, ccsid)
}

fn read(kind: PropertyType, bytes: &[u8], encoding: Encoding, ccsid: i32) -> Result<PropertyValue, Reason> {
    let order = ByteOrder::of_integers(encoding).ok_or(Reason::SOURCE_INTEGER_ENC_ERROR);
    Ok(match kind {
        PropertyType::Null => PropertyValue::Null,
        PropertyType::Bytes => PropertyValue::Bytes(Bytes::copy_from_slice(bytes)),
        PropertyType::Text => {
            let set = character_set(ccsid).ok_or(Reason::SOURCE_CCSID_ERROR)?;
            let (text, losses) = set.decode(bytes, order.unwrap_or(ByteOrder::Normal));
            if losses != Losses::default() {
                return Err(Reason::PROP_VALUE_NOT_CONVERTED);
            }
            PropertyValue::Text(text.into_owned())
        }
        PropertyType::Boolean => PropertyValue::Boolean(i32::from_be_bytes(number(bytes, order?)?) != 0),
        PropertyType::Int8 => PropertyValue::Int8(i8::from_be_bytes(number(bytes, order?)?)),
        PropertyType::Int16 => PropertyValue::Int16(i16::from_be_bytes(number(bytes, order?)?)),
        PropertyType::Int32 => PropertyValue::Int32(i32::from_be_bytes(number(bytes, order?)?)),
        PropertyType::Int64 => PropertyValue::Int64(i64::from_be_bytes(number(bytes, order?)?)),
        PropertyType::Float32 => {
            let order = order_of_fractions(encoding).ok_or(Reason::SOURCE_FLOAT_ENC_ERROR)?;
            PropertyValue::Float32(f32::from_be_bytes(number(bytes, order)?))
        }
        PropertyType::Float64 => {
            let order = order_of_fractions(encoding).ok_or(Reason::SOURCE_FLOAT_ENC_ERROR)?;
            PropertyValue::Float64(f64::from_be_bytes(number(bytes, order)?))
        }
    })
}

/// The bytes of a number, the most significant first.
fn number<const N: usize>(bytes: &[u8], order: ByteOrder) -> Result<[u8; N], Reason> {
    let mut bytes: [u8; N] = bytes.try_into().map_err(|_| Reason::BUFFER_LENGTH_ERROR)?;
    if order == ByteOrder::Reversed {
        bytes.reverse();
    }
    Ok(bytes)
}

/// A value in an encoding and character set; in those of this machine, with a warning, where that cannot be.
#[must_use]
pub fn write(value: &PropertyValue, encoding: Encoding, ccsid: i32) -> Written {
    if let Some(bytes) = try_write(value, encoding, ccsid) {
        return Written { bytes, encoding, coded_character_set: resolved(ccsid), warning: None };
    }
    let native = CharacterSet::utf_8().ccsid();
    let bytes = try_write(value, Encoding::NATIVE, native).unwrap_or_default();
    let warning = Some(Reason::PROP_VALUE_NOT_CONVERTED);
    Written { bytes, encoding: Encoding::NATIVE, coded_character_set: native, warning }
}

fn try_write(value: &PropertyValue, encoding: Encoding, ccsid: i32) -> Option<Bytes> {
    let order = ByteOrder::of_integers(encoding);
    let ordered = |order: Option<ByteOrder>, mut bytes: Vec<u8>| {
        if order? == ByteOrder::Reversed {
            bytes.reverse();
        }
        Some(bytes)
    };
    let bytes = match value {
        PropertyValue::Null => Vec::new(),
        PropertyValue::Bytes(bytes) => return Some(bytes.clone()),
        PropertyValue::Text(text) => {
            let (bytes, losses) = character_set(ccsid)?.encode(text, order.unwrap_or(ByteOrder::Normal));
            (losses == Losses::default()).then_some(bytes)?
        }
        PropertyValue::Boolean(value) => ordered(order, i32::from(*value).to_be_bytes().to_vec())?,
        PropertyValue::Int8(value) => value.to_be_bytes().to_vec(),
        PropertyValue::Int16(value) => ordered(order, value.to_be_bytes().to_vec())?,
        PropertyValue::Int32(value) => ordered(order, value.to_be_bytes().to_vec())?,
        PropertyValue::Int64(value) => ordered(order, value.to_be_bytes().to_vec())?,
        PropertyValue::Float32(value) => ordered(order_of_fractions(encoding), value.to_be_bytes().to_vec())?,
        PropertyValue::Float64(value) => ordered(order_of_fractions(encoding), value.to_be_bytes().to_vec())?,
    };
    Some(bytes.into())
}

/// A program's character set: its own is Unicode unless it says otherwise.
fn character_set(ccsid: i32) -> Option<CharacterSet> {
    CharacterSet::by_ccsid(resolved(ccsid))
}

const fn resolved(ccsid: i32) -> i32 {
    match ccsid {
        constants::MQCCSI_APPL | constants::MQCCSI_DEFAULT => CharacterSet::utf_8().ccsid(),
        other => other,
    }
}

/// The order of bytes in fractions; none for those that are not of IEEE.
const fn order_of_fractions(encoding: Encoding) -> Option<ByteOrder> {
    match encoding.code() & constants::MQENC_FLOAT_MASK {
        constants::MQENC_FLOAT_IEEE_NORMAL => Some(ByteOrder::Normal),
        constants::MQENC_FLOAT_IEEE_REVERSED => Some(ByteOrder::Reversed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{of_program, write};
    use bytes::Bytes;
    use mqi::properties::{PropertyType, PropertyValue};
    use mqi::{Encoding, Reason, constants};

    #[test]
    fn a_value_is_taken_from_a_program_or_refused() {
        for (kind, length, bytes, expected) in [
            (PropertyType::Int16, 2, &[1, 2][..], Ok(PropertyValue::Int16(0x0201))),
            (PropertyType::Boolean, 4, &[0, 0, 1, 0], Ok(PropertyValue::Boolean(true))),
            (PropertyType::Null, 0, &[], Ok(PropertyValue::Null)),
            (PropertyType::Text, 2, b"abc", Ok(PropertyValue::Text("ab".to_owned()))),
            (PropertyType::Text, -1, b"abc\0d", Ok(PropertyValue::Text("abc".to_owned()))),
            (PropertyType::Text, -1, b"abc", Err(Reason::BUFFER_ERROR)),
            (PropertyType::Text, -2, b"abc", Err(Reason::BUFFER_LENGTH_ERROR)),
            (PropertyType::Text, i32::MIN, b"abc", Err(Reason::BUFFER_LENGTH_ERROR)),
            (PropertyType::Text, i32::MAX, b"abc", Err(Reason::BUFFER_ERROR)),
            (PropertyType::Text, 1, &[0xFF], Err(Reason::PROP_VALUE_NOT_CONVERTED)),
            (PropertyType::Bytes, -1, b"abc\0", Err(Reason::BUFFER_LENGTH_ERROR)),
            (PropertyType::Bytes, 1, &[0xFF], Ok(PropertyValue::Bytes(Bytes::from_static(&[0xFF])))),
            (PropertyType::Int32, 2, &[1, 2], Err(Reason::BUFFER_LENGTH_ERROR)),
            (PropertyType::Null, 1, &[1], Err(Reason::BUFFER_LENGTH_ERROR)),
        ] {
            let found = of_program(kind.code(), length, bytes, Encoding::NATIVE, constants::MQCCSI_APPL);
            assert_eq!(found, expected, "{kind:?} of {length} in {bytes:?}");
        }
        assert_eq!(of_program(3, 0, &[], Encoding::NATIVE, 1208), Err(Reason::PROPERTY_TYPE_ERROR));
        let text = PropertyType::Text.code();
        assert_eq!(of_program(text, 1, b"a", Encoding::NATIVE, 4711), Err(Reason::SOURCE_CCSID_ERROR));
        let number = PropertyType::Int32.code();
        let none = of_program(number, 4, &[0; 4], Encoding(0), 1208);
        assert_eq!(none, Err(Reason::SOURCE_INTEGER_ENC_ERROR));
    }

    #[test]
    fn every_value_is_read_from_what_is_written() {
        for value in [
            PropertyValue::Null,
            PropertyValue::Boolean(true),
            PropertyValue::Bytes(Bytes::from_static(&[0, 1, 254])),
            PropertyValue::Int8(-3),
            PropertyValue::Int16(i16::MAX),
            PropertyValue::Int32(i32::MIN),
            PropertyValue::Int64(i64::MAX - 1),
            PropertyValue::Float32(1.5e-7),
            PropertyValue::Float64(f64::MAX),
            PropertyValue::Text("größe".to_owned()),
        ] {
            for (encoding, ccsid) in
                [(Encoding::NATIVE, 1208), (Encoding::NORMAL, 819), (Encoding::NORMAL, 500)]
            {
                let written = write(&value, encoding, ccsid);
                assert_eq!(written.warning, None);
                let length = i32::try_from(written.bytes.len()).unwrap();
                let read = of_program(value.kind().code(), length, &written.bytes, encoding, ccsid);
                assert_eq!(read, Ok(value.clone()), "{encoding:?} {ccsid}");
            }
        }
    }

    #[test]
    fn what_cannot_be_converted_comes_as_this_machine_has_it() {
        for (value, encoding, ccsid) in [
            (PropertyValue::Text("größe".to_owned()), Encoding::NATIVE, 367),
            (PropertyValue::Text("a".to_owned()), Encoding::NATIVE, 4711),
            (PropertyValue::Int32(1), Encoding(0), 1208),
            (PropertyValue::Float64(1.0), Encoding::S390, 1208),
        ] {
            let written = write(&value, encoding, ccsid);
            assert_eq!(written.warning, Some(Reason::PROP_VALUE_NOT_CONVERTED), "{value:?}");
            assert_eq!((written.encoding, written.coded_character_set), (Encoding::NATIVE, 1208));
        }
    }
}
