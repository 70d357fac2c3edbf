//! MQXCNVC.

use super::messages::length;
use crate::boundary::Done;
use crate::connections;
use crate::layout::{MQHCONN, MQLONG};
use crate::memory::{Buffer, Pointer, Source};
use crate::translate::text;
use mqi::{Characters, Reason, constants};

/// What is to be converted, and where to.
#[derive(Clone, Copy)]
pub(super) struct ToConvert {
    pub(super) options: MQLONG,
    pub(super) source_set: MQLONG,
    pub(super) source: Result<Source, Reason>,
    pub(super) target_set: MQLONG,
    pub(super) target: Result<Buffer, Reason>,
    pub(super) data_length: Pointer<MQLONG>,
}

/// MQXCNVC; it also converts for a program that is not connected.
pub(super) fn convert(connection: MQHCONN, asked: ToConvert) -> Result<Done, Reason> {
    let (source, target) = (asked.source?.copy(), asked.target?);
    if asked.data_length.is_null() {
        return Err(Reason::DATA_LENGTH_ERROR);
    }
    let room = target.length();
    let is_of_nobody = matches!(connection, constants::MQHC_DEF_HCONN | constants::MQHC_UNASSOCIATED_HCONN);
    let converted = if is_of_nobody {
        let (from, to) = (text::named(asked.source_set), text::named(asked.target_set));
        formats::convert::characters(asked.options, from, &source, to, room).map(bytes::Bytes::from)
    } else {
        let from = Characters { ccsid: asked.source_set, bytes: &source };
        connections::with(connection, |verbs| {
            verbs.convert_characters(asked.options, from, asked.target_set, room)
        })
    }?;
    target.write(&converted);
    asked.data_length.write(length(converted.len()));
    Ok(None)
}
