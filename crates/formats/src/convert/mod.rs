//! A body in another character set and encoding (MQGMO_CONVERT), and a text in another character set
//! (MQXCNVC).
//!
//! Headers are written again, each with its numbers and characters as asked for; folders keep their own
//! character set. Data of format `MQSTR` is converted, as are commands, answers and events in binary form;
//! data without a format, or of one that only the application knows, cannot be.
//!
//! Always: what cannot be converted is given as it was, with the reason as a warning: a message is never lost
//! to conversion.

mod commands;
#[cfg(test)]
mod tests;
mod text;

use bytes::Bytes;
use mqi::{Encoding, Reason, constants};

use crate::character_set::{ByteOrder, CharacterSet, Losses};
use crate::headers::{Chain, Place, TriggerMessage};
use text::malformed;
pub use text::text;

/// Character set and encoding that a getter asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Representation of numbers to write.
    pub encoding: Encoding,
    /// The character set of texts.
    pub coded_character_set: i32,
}

/// A body and what it is, after conversion was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Description of the body.
    pub place: Place,
    /// The body.
    pub body: Bytes,
    /// Why it is not what was asked for.
    pub warning: Option<Reason>,
}

/// Converts a body, of which a getter takes at most `bytes_max` bytes.
///
/// A body that is not converted comes back as it was, with the reason: 2110 when its format does not allow it
/// or it is not what its format says, 2111 or 2112 when it says of itself what no converter knows, 2115 or
/// 2116 when the getter asks for that, 2119 when characters do not fit the target, 2150 when bytes are no
/// characters of a set of several bytes, 2120 when the result is longer than the getter takes.
#[must_use]
pub fn body(place: &Place, body: &Bytes, target: Target, bytes_max: usize) -> Converted {
    let unchanged = |warning| Converted { place: *place, body: body.clone(), warning };
    match try_body(place, body, target) {
        Ok((_, converted)) if converted.len() > bytes_max => unchanged(Some(Reason::CONVERTED_MSG_TOO_BIG)),
        Ok((place, body)) => Converted { place, body, warning: None },
        Err(reason) => unchanged(Some(reason)),
    }
}

fn try_body(place: &Place, body: &Bytes, target: Target) -> Result<(Place, Bytes), Reason> {
    let order = ByteOrder::of_integers(target.encoding).ok_or(Reason::TARGET_INTEGER_ENC_ERROR)?;
    let set = CharacterSet::by_ccsid(target.coded_character_set).ok_or(Reason::TARGET_CCSID_ERROR)?;
    if place.encoding == target.encoding && place.coded_character_set == target.coded_character_set {
        return Ok((*place, body.clone()));
    }
    let chain = Chain::read(place, body).map_err(|error| match error.reason() {
        reason @ (Reason::SOURCE_CCSID_ERROR | Reason::SOURCE_INTEGER_ENC_ERROR) => reason,
        _ => Reason::FORMAT_ERROR,
    })?;
    let (data_place, data) = data(&chain.place, &chain.data, target, set, order, !chain.headers.is_empty())?;
    Chain { headers: chain.headers, place: data_place, data }
        .write(target.encoding, target.coded_character_set)
}

/// The data behind the headers. Behind headers, data that cannot be converted stays as it is: its place says
/// what it is.
fn data(
    place: &Place,
    data: &Bytes,
    target: Target,
    set: CharacterSet,
    order: ByteOrder,
    is_behind_headers: bool,
) -> Result<(Place, Bytes), Reason> {
    let converted = Place {
        encoding: target.encoding,
        coded_character_set: target.coded_character_set,
        format: place.format,
    };
    if place.is(constants::MQFMT_STRING) {
        let source = CharacterSet::by_ccsid(place.coded_character_set).ok_or(Reason::SOURCE_CCSID_ERROR)?;
        let source_order = ByteOrder::of_integers(place.encoding).unwrap_or(order);
        let text = text(data, source, source_order, set, order)?;
        return Ok((converted, text.into()));
    }
    if place.is(constants::MQFMT_TRIGGER) {
        let trigger = TriggerMessage::read(place, data).map_err(|_| Reason::FORMAT_ERROR)?;
        return Ok((converted, trigger.write(&converted)?.into()));
    }
    let is_of_commands = [constants::MQFMT_ADMIN, constants::MQFMT_EVENT, constants::MQFMT_PCF];
    if is_of_commands.iter().any(|format| place.is(format)) {
        let source_set = CharacterSet::by_ccsid(place.coded_character_set);
        let source_order = ByteOrder::of_integers(place.encoding);
        let source = commands::Form {
            set: source_set.ok_or(Reason::SOURCE_CCSID_ERROR)?,
            ccsid: place.coded_character_set,
            order: source_order.ok_or(Reason::SOURCE_INTEGER_ENC_ERROR)?,
        };
        let target = commands::Form { set, ccsid: target.coded_character_set, order };
        return Ok((converted, commands::convert(data, source, target)?.into()));
    }
    if is_behind_headers { Ok((*place, data.clone())) } else { Err(Reason::FORMAT_ERROR) }
}

/// MQXCNVC: converts `source` between character sets into at most `bytes_max` bytes, padding with blanks when
/// the options ask for a full buffer. Without default conversion a character that the target lacks refuses
/// the whole.
///
/// # Errors
/// `MQRC_OPTIONS_ERROR`, `MQRC_SOURCE_CCSID_ERROR`, `MQRC_TARGET_CCSID_ERROR`, `MQRC_NOT_CONVERTED`,
/// `MQRC_DBCS_ERROR`, `MQRC_CONVERTED_STRING_TOO_BIG`.
pub fn characters(
    options: i32,
    source_ccsid: i32,
    source: &[u8],
    target_ccsid: i32,
    bytes_max: usize,
) -> Result<Vec<u8>, Reason> {
    let known = constants::MQDCC_DEFAULT_CONVERSION
        | constants::MQDCC_FILL_TARGET_BUFFER
        | constants::MQDCC_INT_DEFAULT_CONVERSION
        | constants::MQDCC_SOURCE_ENC_MASK
        | constants::MQDCC_TARGET_ENC_MASK;
    if options & !known != 0 {
        return Err(Reason::OPTIONS_ERROR);
    }
    let order = |mask: i32, factor: i32| match (options & mask) / factor {
        0 | constants::MQENC_INTEGER_REVERSED => Ok(ByteOrder::Reversed),
        constants::MQENC_INTEGER_NORMAL => Ok(ByteOrder::Normal),
        _ => Err(Reason::OPTIONS_ERROR),
    };
    let source_order = order(constants::MQDCC_SOURCE_ENC_MASK, constants::MQDCC_SOURCE_ENC_FACTOR)?;
    let target_order = order(constants::MQDCC_TARGET_ENC_MASK, constants::MQDCC_TARGET_ENC_FACTOR)?;
    let source_set = CharacterSet::by_ccsid(source_ccsid).ok_or(Reason::SOURCE_CCSID_ERROR)?;
    let target_set = CharacterSet::by_ccsid(target_ccsid).ok_or(Reason::TARGET_CCSID_ERROR)?;
    let (text, read) = source_set.decode(source, source_order);
    let (mut bytes, written) = target_set.encode(&text, target_order);
    let by_default = options & constants::MQDCC_DEFAULT_CONVERSION != 0;
    if read != Losses::default() && !by_default {
        return Err(malformed(source_set));
    }
    if written != Losses::default() && !by_default {
        return Err(Reason::NOT_CONVERTED);
    }
    if bytes.len() > bytes_max {
        return Err(Reason::CONVERTED_STRING_TOO_BIG);
    }
    if options & constants::MQDCC_FILL_TARGET_BUFFER != 0 {
        let (blank, _) = target_set.encode(" ", target_order);
        while bytes.len() + blank.len() <= bytes_max {
            bytes.extend_from_slice(&blank);
        }
    }
    Ok(bytes)
}
