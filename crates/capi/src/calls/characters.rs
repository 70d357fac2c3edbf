//! MQXCNVC.

use super::messages::length;
use crate::boundary::Done;
use crate::connections;
use crate::layout::{MQHCONN, MQLONG};
use crate::memory::{Buffer, Pointer, Source};
use crate::translate::text;
use bytes::Bytes;
use mqi::{Characters, Reason, constants};

/// Arguments of a conversion.
#[derive(Clone, Copy)]
pub(super) struct ToConvert {
    pub(super) options: MQLONG,
    pub(super) source_set: MQLONG,
    pub(super) source: Result<Source, Reason>,
    pub(super) target_set: MQLONG,
    pub(super) target: Result<Buffer, Reason>,
    pub(super) data_length: Pointer<MQLONG>,
}

/// MQXCNVC; it also converts for a program that is not connected. What there is no room for is left out, with
/// a warning unless the options say that it means nothing.
pub(super) fn convert(connection: MQHCONN, asked: ToConvert) -> Result<Done, Reason> {
    let (source, target) = (asked.source?.copy(), asked.target?);
    if asked.data_length.is_null() {
        return Err(Reason::DATA_LENGTH_ERROR);
    }
    let room = target.length();
    let is_of_nobody = matches!(connection, constants::MQHC_DEF_HCONN | constants::MQHC_UNASSOCIATED_HCONN);
    let (converted, warning) = if is_of_nobody {
        asked.fitted(&source, room, &mut |options, from, to, most| {
            let (ccsid, to) = (text::named(from.ccsid), text::named(to));
            formats::convert::characters(options, ccsid, from.bytes, to, most).map(Bytes::from)
        })
    } else {
        connections::with(connection, |verbs| {
            asked.fitted(&source, room, &mut |options, from, to, most| {
                verbs.convert_characters(options, from, to, most)
            })
        })
    }?;
    target.write(&converted);
    asked.data_length.write(length(converted.len()));
    Ok(warning)
}

/// Converts by options from one set to another, into at most so many bytes.
type Convert<'a> = dyn FnMut(MQLONG, Characters<'_>, MQLONG, usize) -> Result<Bytes, Reason> + 'a;

impl ToConvert {
    /// The text converted, or as many characters of it as there is room for.
    fn fitted(&self, source: &[u8], room: usize, convert: &mut Convert<'_>) -> Result<(Bytes, Done), Reason> {
        let from = Characters { ccsid: self.source_set, bytes: source };
        let fills = self.options & constants::MQDCC_FILL_TARGET_BUFFER != 0;
        let (converted, warning) = match convert(self.options, from, self.target_set, room) {
            Err(Reason::CONVERTED_STRING_TOO_BIG) => {
                let options = self.options & !constants::MQDCC_FILL_TARGET_BUFFER;
                let text = convert(options, from, text::NATIVE_CCSID, usize::MAX)?;
                let text = std::str::from_utf8(&text).map_err(|_| Reason::NOT_CONVERTED)?;
                let mut beginning = |end: usize| {
                    let from = Characters { ccsid: text::NATIVE_CCSID, bytes: &text.as_bytes()[..end] };
                    convert(self.options, from, self.target_set, room)
                };
                let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
                let fitting = ends.partition_point(|end| beginning(*end).is_ok());
                let end = ends[..fitting].last().copied().unwrap_or_default();
                let (kept, lost) = text.split_at(end);
                let means_nothing = fills && (kept.contains('\0') || lost.bytes().all(|byte| byte == b' '));
                (beginning(end)?, (!means_nothing).then_some(Reason::CONVERTED_MSG_TOO_BIG))
            }
            converted => (converted?, None),
        };
        // What is left is less than a character.
        if fills && converted.len() < room {
            Err(Reason::TARGET_LENGTH_ERROR)
        } else {
            Ok((converted, warning))
        }
    }
}
