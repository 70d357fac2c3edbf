//! Places in a body: the form of the next bytes.

use mqi::{Encoding, MessageDescriptor, Text, constants};

use super::error::HeaderError;
use super::fields::Reader;

/// Most headers before the data: programs use two or three.
pub const HEADERS_MAX: usize = 16;

/// Description of the next bytes: format, character set and encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Representation of numbers.
    pub encoding: Encoding,
    /// The character set; negative numbers mean "as before".
    pub coded_character_set: i32,
    /// The format; blank for what only the application knows.
    pub format: Text<8>,
}

impl Place {
    /// Description of the body in a descriptor.
    #[must_use]
    pub const fn of(descriptor: &MessageDescriptor) -> Self {
        Self {
            encoding: descriptor.encoding,
            coded_character_set: descriptor.coded_character_set,
            format: descriptor.format,
        }
    }

    /// Writes this description of the body into a descriptor.
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

    /// True if the format is the one named in full width, such as `MQFMT_STRING`.
    #[must_use]
    pub fn is(&self, format: &str) -> bool {
        self.format.as_str() == format.trim_end_matches(' ')
    }
}

/// A place in a body being read.
pub(super) struct Position<'a> {
    pub(super) place: Place,
    pub(super) bytes: &'a [u8],
    pub(super) offset: usize,
}

impl<'a> Position<'a> {
    pub(super) fn reader(&self, header: &'static str) -> Result<Reader<'a>, HeaderError> {
        let Place { encoding, coded_character_set, .. } = self.place;
        Reader::new(header, self.bytes, self.offset, encoding, coded_character_set)
    }
}
