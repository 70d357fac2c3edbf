//! A text in another character set.

use mqi::Reason;

use crate::character_set::{ByteOrder, CharacterSet, Losses};

/// The reason that bytes are no text of a character set.
pub(super) fn malformed(set: CharacterSet) -> Reason {
    if set.has_several_bytes() { Reason::DBCS_ERROR } else { Reason::NOT_CONVERTED }
}

/// A text in another character set.
///
/// # Errors
/// `MQRC_NOT_CONVERTED` when the bytes are no text of the source, or the target lacks a character;
/// `MQRC_DBCS_ERROR` when the source is a set of characters of one or several bytes, and these are none of
/// it.
pub fn text(
    bytes: &[u8],
    source: CharacterSet,
    source_order: ByteOrder,
    target: CharacterSet,
    target_order: ByteOrder,
) -> Result<Vec<u8>, Reason> {
    let (text, read) = source.decode(bytes, source_order);
    if read != Losses::default() {
        return Err(malformed(source));
    }
    let (bytes, written) = target.encode(&text, target_order);
    if written == Losses::default() { Ok(bytes) } else { Err(Reason::NOT_CONVERTED) }
}
