//! Headers before the data of a message: each says what follows it, the descriptor says what comes first.
//!
//! Lives here: the chain of headers, read and built. Lives elsewhere: the properties in folders
//! (`properties`).
//!
//! Always: at most [`HEADERS_MAX`] headers are followed, so that hostile bytes end soon.

mod check;
mod error;
mod fields;
mod header;
mod place;
mod rules;
mod structures;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use mqi::{Encoding, Reason, Text};

pub use check::{check, is_judged};
pub use error::{Fault, HeaderError};
pub(crate) use fields::of_fields;
pub use header::{Header, first};
pub use place::{HEADERS_MAX, Place};
pub(crate) use rules::BY_HANDLE;
pub use rules::{RulesHeader1, RulesHeader2};
pub use structures::{DeadLetterHeader, DescriptorExtension, TransmissionHeader, TriggerMessage};

use place::Position;

/// The headers of a message and the data behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The headers in their order.
    pub headers: Vec<Header>,
    /// Description of the data.
    pub place: Place,
    /// The data.
    pub data: Bytes,
}

impl Chain {
    /// Reads the headers of a body that is what `place` says.
    ///
    /// # Errors
    /// The header that cannot be read, and why.
    pub fn read(place: &Place, body: &Bytes) -> Result<Self, HeaderError> {
        let mut place = *place;
        let mut offset = 0;
        let mut headers = Vec::new();
        while let Some((header, length)) = Header::read(&Position { place, bytes: &body[offset..], offset })?
        {
            if headers.len() == HEADERS_MAX {
                let fault = Fault::TooMany(HEADERS_MAX);
                return Err(HeaderError { header: "the chain of headers", offset, fault });
            }
            place = header.following(&place);
            offset += length;
            headers.push(header);
        }
        Ok(Self { headers, place, data: body.slice(offset..) })
    }

    /// The body with its headers in this encoding and character set, and what the descriptor says of it. Each
    /// header is made to say what follows it.
    ///
    /// # Errors
    /// `MQRC_TARGET_CCSID_ERROR` or `MQRC_TARGET_INTEGER_ENC_ERROR` when headers cannot be written so.
    pub fn write(&self, encoding: Encoding, ccsid: i32) -> Result<(Place, Bytes), Reason> {
        let mut bytes = Vec::with_capacity(self.data.len() + 256 * self.headers.len());
        let mut headers = self.headers.iter().peekable();
        let mut first = self.place;
        let mut is_first = true;
        while let Some(header) = headers.next() {
            let place = Place { encoding, coded_character_set: ccsid, format: format_text(header.format()) };
            if is_first {
                first = place;
                is_first = false;
            }
            let mut header = header.clone();
            header.set_following(match headers.peek() {
                Some(next) => {
                    Place { encoding, coded_character_set: ccsid, format: format_text(next.format()) }
                }
                None => self.place,
            });
            bytes.extend_from_slice(&header.write(&place)?);
        }
        if is_first {
            return Ok((first, self.data.clone()));
        }
        bytes.extend_from_slice(&self.data);
        Ok((first, bytes.into()))
    }
}

fn format_text(format: &str) -> Text<8> {
    Text::truncated(format)
}
