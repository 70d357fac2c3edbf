//! Headers before the data of a message: each says what follows it, the descriptor says what comes first.
//!
//! Lives here: the chain of headers, read and built. Lives elsewhere: the properties in folders (`properties`).
//!
//! Always: at most [`HEADERS_MAX`] headers are followed, so that hostile bytes end soon.

mod check;
mod error;
mod fields;
mod rules;
mod structures;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use mqi::{Encoding, MessageDescriptor, Reason, Text, constants};

pub use check::{check, is_judged};
pub use error::{Fault, HeaderError};
pub(crate) use fields::{Reader, of_fields};
pub use rules::{RulesHeader1, RulesHeader2};
pub use structures::{DeadLetterHeader, DescriptorExtension, TransmissionHeader, TriggerMessage};

use fields::Writer;

/// Most headers before the data: programs use two or three.
pub const HEADERS_MAX: usize = 16;

/// What the next bytes are: format, character set and encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How numbers are written.
    pub encoding: Encoding,
    /// The character set; negative numbers mean "as before".
    pub coded_character_set: i32,
    /// The format; blank for what only the application knows.
    pub format: Text<8>,
}

impl Place {
    /// What a descriptor says of the body.
    #[must_use]
    pub const fn of(descriptor: &MessageDescriptor) -> Self {
        Self {
            encoding: descriptor.encoding,
            coded_character_set: descriptor.coded_character_set,
            format: descriptor.format,
        }
    }

    /// Has a descriptor say this of the body.
    pub const fn describe(&self, descriptor: &mut MessageDescriptor) {
        descriptor.encoding = self.encoding;
        descriptor.coded_character_set = self.coded_character_set;
        descriptor.format = self.format;
    }

    /// The character set that a number in a header at this place means.
    #[must_use]
    pub const fn inherited(&self, ccsid: i32) -> i32 {
        match ccsid {
            constants::MQCCSI_INHERIT | constants::MQCCSI_UNDEFINED => self.coded_character_set,
            other => other,
        }
    }

    /// Whether the format is the one named in full width, such as `MQFMT_STRING`.
    #[must_use]
    pub fn is(&self, format: &str) -> bool {
        self.format.as_str() == format.trim_end_matches(' ')
    }
}

/// A place in a body being read.
struct Position<'a> {
    place: Place,
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Position<'a> {
    fn reader(&self, header: &'static str) -> Result<Reader<'a>, HeaderError> {
        let Place { encoding, coded_character_set, .. } = self.place;
        Reader::new(header, self.bytes, self.offset, encoding, coded_character_set)
    }
}

/// One header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Header {
    /// Why the message was not delivered.
    DeadLetter(DeadLetterHeader),
    /// The rest of the descriptor.
    DescriptorExtension(DescriptorExtension),
    /// Where it goes.
    Transmission(Box<TransmissionHeader>),
    /// Names and values in one string.
    Rules1(RulesHeader1),
    /// Folders of names and values.
    Rules2(RulesHeader2),
}

impl Header {
    /// The format that announces it.
    #[must_use]
    pub const fn format(&self) -> &'static str {
        match self {
            Self::DeadLetter(_) => constants::MQFMT_DEAD_LETTER_HEADER,
            Self::DescriptorExtension(_) => constants::MQFMT_MD_EXTENSION,
            Self::Transmission(_) => constants::MQFMT_XMIT_Q_HEADER,
            Self::Rules1(_) => constants::MQFMT_RF_HEADER_1,
            Self::Rules2(_) => constants::MQFMT_RF_HEADER_2,
        }
    }

    /// What follows it, when the header itself stands at `place`.
    #[must_use]
    pub fn following(&self, place: &Place) -> Place {
        let following = match self {
            Self::DeadLetter(header) => header.following,
            Self::DescriptorExtension(header) => header.following,
            Self::Transmission(header) => Place::of(&header.descriptor),
            Self::Rules1(header) => header.following,
            Self::Rules2(header) => header.following,
        };
        Place { coded_character_set: place.inherited(following.coded_character_set), ..following }
    }

    /// Has it say that this follows.
    pub fn set_following(&mut self, place: Place) {
        match self {
            Self::DeadLetter(header) => header.following = place,
            Self::DescriptorExtension(header) => header.following = place,
            Self::Transmission(header) => place.describe(&mut header.descriptor),
            Self::Rules1(header) => header.following = place,
            Self::Rules2(header) => header.following = place,
        }
    }

    /// Reads the header that stands at a place; none when the format announces no header known here.
    fn read(at: &Position<'_>) -> Result<Option<(Self, usize)>, HeaderError> {
        let place = &at.place;
        let read = if place.is(constants::MQFMT_DEAD_LETTER_HEADER) {
            DeadLetterHeader::read(at).map(|(header, length)| (Self::DeadLetter(header), length))
        } else if place.is(constants::MQFMT_MD_EXTENSION) {
            DescriptorExtension::read(at).map(|(header, length)| (Self::DescriptorExtension(header), length))
        } else if place.is(constants::MQFMT_XMIT_Q_HEADER) {
            TransmissionHeader::read(at)
                .map(|(header, length)| (Self::Transmission(Box::new(header)), length))
        } else if place.is(constants::MQFMT_RF_HEADER_1) {
            RulesHeader1::read(at).map(|(header, length)| (Self::Rules1(header), length))
        } else if place.is(constants::MQFMT_RF_HEADER_2) {
            RulesHeader2::read(at).map(|(header, length)| (Self::Rules2(header), length))
        } else {
            return Ok(None);
        };
        read.map(Some)
    }

    fn write(&self, place: &Place) -> Result<Vec<u8>, Reason> {
        let mut writer = Writer::new(place.encoding, place.coded_character_set)?;
        match self {
            Self::DeadLetter(header) => header.write(&mut writer),
            Self::DescriptorExtension(header) => header.write(&mut writer),
            Self::Transmission(header) => header.write(&mut writer),
            Self::Rules1(header) => header.write(&mut writer, place),
            Self::Rules2(header) => header.write(&mut writer),
        }
        Ok(writer.bytes)
    }
}

/// Reads the first header of a body and says how many bytes it takes; none when the format announces none.
///
/// # Errors
/// What is wrong with the header.
pub fn first(place: &Place, body: &[u8]) -> Result<Option<(Header, usize)>, HeaderError> {
    Header::read(&Position { place: *place, bytes: body, offset: 0 })
}

/// The headers of a message and the data behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The headers in their order.
    pub headers: Vec<Header>,
    /// What the data is.
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

    /// The body with its headers in this encoding and character set, and what the descriptor says of it. Each header is
    /// made to say what follows it.
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
