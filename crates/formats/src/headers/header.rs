//! One header, of any of the known formats.

use mqi::{Reason, constants};

use super::error::HeaderError;
use super::fields::Writer;
use super::place::{Place, Position};
use super::rules::{RulesHeader1, RulesHeader2};
use super::structures::{DeadLetterHeader, DescriptorExtension, TransmissionHeader};

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

    /// Returns the description of the bytes behind it, when the header itself is at `place`.
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

    /// Sets the description of the bytes behind it.
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
    pub(super) fn read(at: &Position<'_>) -> Result<Option<(Self, usize)>, HeaderError> {
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

    pub(super) fn write(&self, place: &Place) -> Result<Vec<u8>, Reason> {
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
/// The fault of the header.
pub fn first(place: &Place, body: &[u8]) -> Result<Option<(Header, usize)>, HeaderError> {
    Header::read(&Position { place: *place, bytes: body, offset: 0 })
}
