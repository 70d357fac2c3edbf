//! A header of properties looked at where it lies.
//!
//! Nearly every message with properties begins with one header of folders in UTF-8, all of them folders of
//! properties. Of such a message this says what the whole reading would say, without copying a byte; a
//! publication is looked at so for each of its subscribers. Any other body, also one with something wrong in
//! it, is left to the whole reading.

use mqi::{Text, constants};

use super::folder;
use crate::character_set::ByteOrder;
use crate::headers::Place;

/// Content of one header of folders of properties.
pub struct Glance<'a> {
    /// The lengths and texts of the folders.
    names_and_values: &'a [u8],
    order: ByteOrder,
    /// Its own flags.
    pub(super) flags: i32,
    /// Its length in bytes.
    pub length: usize,
    /// Description of the bytes behind it, which are no further header of folders.
    pub following: Place,
}

/// Character sets in which the fields of a header are as in ASCII: that of nearly every message.
const AS_IN_ASCII: [i32; 7] = [1208, 819, 437, 850, 1252, constants::MQCCSI_Q_MGR, constants::MQCCSI_APPL];

impl<'a> Glance<'a> {
    /// Reads the header before the data of a body; none where the full reader is needed.
    #[must_use]
    pub fn of(place: &Place, body: &'a [u8]) -> Option<Self> {
        if !place.is(constants::MQFMT_RF_HEADER_2) || !AS_IN_ASCII.contains(&place.coded_character_set) {
            return None;
        }
        let order = ByteOrder::of_integers(place.encoding)?;
        let (fields, _) = body.split_first_chunk::<{ constants::MQRFH2_LENGTH_2 }>()?;
        let number = |at: usize| {
            order.read_u32([fields[at], fields[at + 1], fields[at + 2], fields[at + 3]]).cast_signed()
        };
        let length = usize::try_from(number(8)).ok().filter(|length| *length <= body.len())?;
        let is_plain = fields.starts_with(constants::MQRFH_STRUC_ID.as_bytes())
            && number(4) == constants::MQRFH_VERSION_2
            && number(32) == 1208;
        let format = std::str::from_utf8(&fields[20..28]).ok().filter(|format| format.is_ascii())?;
        let following = Place {
            encoding: mqi::Encoding(number(12)),
            coded_character_set: place.inherited(number(16)),
            format: Text::truncated(format.split('\0').next().unwrap_or_default()),
        };
        let glance = Self {
            names_and_values: body.get(constants::MQRFH2_LENGTH_2..length)?,
            order,
            flags: number(28),
            length,
            following,
        };
        let is_last = !following.is(constants::MQFMT_RF_HEADER_2);
        (is_plain && is_last && glance.has_only_properties()).then_some(glance)
    }

    /// The folders, each as the text between its tags and with them.
    pub fn folders(&self) -> impl Iterator<Item = &'a str> {
        Folders { rest: self.names_and_values, order: self.order }.map_while(|folder| folder)
    }

    fn has_only_properties(&self) -> bool {
        let mut folders = Folders { rest: self.names_and_values, order: self.order }.peekable();
        folders.peek().is_some() && folders.all(|folder| folder.is_some_and(folder::is_of_properties))
    }
}

/// Folders of a header one after the other; none in the place of what is no folder.
struct Folders<'a> {
    rest: &'a [u8],
    order: ByteOrder,
}

impl<'a> Iterator for Folders<'a> {
    type Item = Option<&'a str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let rest = std::mem::take(&mut self.rest);
        let Some((length, rest)) = rest.split_first_chunk::<4>() else { return Some(None) };
        let length = usize::try_from(self.order.read_u32(*length).cast_signed());
        let Some((text, rest)) = length
            .ok()
            .filter(|length| length.is_multiple_of(4))
            .and_then(|length| rest.split_at_checked(length))
        else {
            return Some(None);
        };
        self.rest = rest;
        Some(std::str::from_utf8(text).ok().map(|text| text.trim_end_matches([' ', '\0'])))
    }
}
