//! Texts of any length with the character set they are in.

use crate::layout::{MQCHARV, Versioned};
use crate::memory::Structure;
use mqi::{Reason, constants};

/// The character set that programs here work in.
pub(crate) const NATIVE_CCSID: i32 = 1208;

/// The set that a number stands for in a program.
pub(crate) fn named(ccsid: i32) -> i32 {
    match ccsid {
        constants::MQCCSI_APPL | constants::MQCCSI_DEFAULT => NATIVE_CCSID,
        ccsid => ccsid,
    }
}

/// Most bytes a byte becomes in UTF-8.
const GROWTH_MAX: usize = 4;

/// A text that a field of variable length holds.
///
/// # Errors
/// `error` when the field makes no sense, and as of [`decode`].
pub(crate) fn of_field<T: Versioned>(
    program: &Structure<T>,
    field: &MQCHARV,
    error: Reason,
) -> Result<String, Reason> {
    decode(&program.variable(field, error)?, field.VSCCSID, error)
}

/// The part of a topic string that a program gives beside the name of an object; none when it begins with a
/// blank or a NUL.
///
/// # Errors
/// As of [`of_field`], with `MQRC_OBJECT_STRING_ERROR`, and when it is longer than any topic string.
pub(crate) fn object_string<T: Versioned>(program: &Structure<T>, field: &MQCHARV) -> Result<String, Reason> {
    let string = of_field(program, field, Reason::OBJECT_STRING_ERROR)?;
    if string.starts_with([' ', '\0']) {
        return Ok(String::new());
    }
    if string.len() > constants::MQ_TOPIC_STR_LENGTH { Err(Reason::OBJECT_STRING_ERROR) } else { Ok(string) }
}

/// A program's text in its character set.
///
/// # Errors
/// `error` when it is not text of that set, `MQRC_SOURCE_CCSID_ERROR` when there is no such set.
pub(crate) fn decode(bytes: &[u8], ccsid: i32, error: Reason) -> Result<String, Reason> {
    let set = named(ccsid);
    if set == NATIVE_CCSID || bytes.is_ascii() && is_superset_of_ascii(set) {
        return String::from_utf8(bytes.to_vec()).map_err(|_| error);
    }
    let room = bytes.len() * GROWTH_MAX;
    let converted = formats::convert::characters(0, set, bytes, NATIVE_CCSID, room);
    let converted = converted.map_err(|reason| match reason {
        Reason::SOURCE_CCSID_ERROR => reason,
        _ => error,
    })?;
    String::from_utf8(converted).map_err(|_| error)
}

/// A field of characters, without its padding.
pub(crate) fn padded(field: &[u8]) -> String {
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).trim_end_matches(' ').to_owned()
}

/// The sets most programs say they work in, whose first half is that of ASCII.
fn is_superset_of_ascii(ccsid: i32) -> bool {
    matches!(ccsid, 437 | 819 | 850 | 923 | 1252)
}

#[cfg(test)]
mod tests {
    use super::decode;
    use mqi::Reason;

    #[test]
    fn a_text_is_read_in_its_character_set() {
        let error = Reason::OBJECT_STRING_ERROR;
        for (bytes, ccsid, expected) in [
            (&b"a/b"[..], -3, Ok("a/b")),
            ("ä".as_bytes(), 1208, Ok("ä")),
            (&[0xE4], 819, Ok("ä")),
            (&[0xC1, 0xC2], 500, Ok("AB")),
            (&[0xFF], 1208, Err(error)),
            (b"a", 1, Err(Reason::SOURCE_CCSID_ERROR)),
            (b"", 1208, Ok("")),
        ] {
            assert_eq!(decode(bytes, ccsid, error), expected.map(str::to_owned), "{bytes:?} in {ccsid}");
        }
    }
}
