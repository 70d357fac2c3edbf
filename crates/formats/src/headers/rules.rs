//! The rules and formatting headers, which carry names and values.
//!
//! ```text
//! MQRFH   StrucId Version=1 StrucLength Encoding CodedCharSetId Format Flags | NameValueString
//! MQRFH2  StrucId Version=2 StrucLength Encoding CodedCharSetId Format Flags NameValueCCSID
//!         | { NameValueLength NameValueData }   each length a multiple of four, data padded with blanks
//! ```

use mqi::{Encoding, constants};

use super::error::{Fault, HeaderError};
use super::fields::Writer;
use super::place::{Place, Position};
use crate::character_set::{ByteOrder, CharacterSet};

/// The header of version 1: words and values in one string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesHeader1 {
    /// Description of the bytes behind the header.
    pub following: Place,
    /// Flags of the header itself.
    pub flags: i32,
    /// Names and values, as text without padding.
    pub names_and_values: String,
}

/// The header of version 2: folders of names and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesHeader2 {
    /// Description of the bytes behind the header.
    pub following: Place,
    /// Flags of the header itself.
    pub flags: i32,
    /// The character set of the folders, one of Unicode.
    pub names_and_values_ccsid: i32,
    /// The folders, each as the text between its tags and with them, without padding.
    pub folders: Vec<String>,
}

/// The flag of a header whose properties were set in a message handle.
pub(crate) const BY_HANDLE: i32 = 1 << 16;

/// Most bytes of version 1's string: the words of a broker command are far shorter.
const STRING_BYTES_MAX: usize = 64 << 10;

impl RulesHeader1 {
    pub(super) fn read(at: &Position<'_>) -> Result<(Self, usize), HeaderError> {
        let mut reader = at.reader("MQRFH")?;
        reader.identifier(constants::MQRFH_STRUC_ID)?;
        reader.version(constants::MQRFH_VERSION_1)?;
        let length = reader.structure_length(constants::MQRFH_LENGTH_1)?;
        let following = Place {
            encoding: Encoding(reader.number("Encoding")?),
            coded_character_set: reader.number("CodedCharSetId")?,
            format: reader.text("Format")?,
        };
        let flags = reader.number("Flags")?;
        let string = reader.take(length - reader.position(), "NameValueString")?;
        if string.len() > STRING_BYTES_MAX {
            return Err(reader.error(Fault::Content("the string of names and values is too long")));
        }
        // The string is in the character set of what follows, unless that says to look before.
        let ccsid = at.place.inherited(following.coded_character_set);
        let set = CharacterSet::by_ccsid(ccsid).ok_or_else(|| reader.error(Fault::CharacterSet(ccsid)))?;
        let (text, _) = set.decode(string, reader.order());
        let names_and_values = text.trim_end_matches([' ', '\0']).to_owned();
        Ok((Self { following, flags, names_and_values }, length))
    }

    pub(super) fn write(&self, writer: &mut Writer, place: &Place) {
        writer.text(constants::MQRFH_STRUC_ID, 4);
        writer.number(constants::MQRFH_VERSION_1);
        writer.number(0);
        writer.number(self.following.encoding.code());
        writer.number(self.following.coded_character_set);
        writer.text(self.following.format, 8);
        writer.number(self.flags);
        let set = CharacterSet::by_ccsid(place.inherited(self.following.coded_character_set));
        let set = set.unwrap_or_else(|| writer.set());
        writer.raw(&padded(&self.names_and_values, set, writer.order()));
        writer.set_number(8, writer.bytes.len() as i32);
    }

    /// The words and values in pairs; a value in quotes may hold blanks, a doubled quote is one.
    ///
    /// # Errors
    /// The string ends within quotes, or a name has no value.
    pub fn pairs(&self) -> Result<Vec<(String, String)>, HeaderError> {
        let wrong = |why| HeaderError {
            header: "MQRFH",
            offset: constants::MQRFH_LENGTH_1,
            fault: Fault::Content(why),
        };
        let mut words = Vec::new();
        let mut characters = self.names_and_values.chars().peekable();
        while let Some(first) = characters.next() {
            if matches!(first, ' ' | '\0') {
                continue;
            }
            let mut word = String::new();
            if first == '"' {
                loop {
                    match characters.next() {
                        Some('"') if characters.next_if_eq(&'"').is_some() => word.push('"'),
                        Some('"') => break,
                        Some(character) => word.push(character),
                        None => return Err(wrong("a value in quotes has no end")),
                    }
                }
            } else {
                word.push(first);
                while let Some(character) = characters.next_if(|next| !matches!(next, ' ' | '\0')) {
                    word.push(character);
                }
            }
            words.push(word);
        }
        if !words.len().is_multiple_of(2) {
            return Err(wrong("the last name has no value"));
        }
        let mut words = words.into_iter();
        Ok(std::iter::from_fn(|| Some((words.next()?, words.next()?))).collect())
    }
}

impl RulesHeader2 {
    /// A header of folders before something of this place.
    #[must_use]
    pub const fn before(following: Place) -> Self {
        Self { following, flags: 0, names_and_values_ccsid: 1208, folders: Vec::new() }
    }

    pub(super) fn read(at: &Position<'_>) -> Result<(Self, usize), HeaderError> {
        let mut reader = at.reader("MQRFH2")?;
        reader.identifier(constants::MQRFH_STRUC_ID)?;
        reader.version(constants::MQRFH_VERSION_2)?;
        let length = reader.structure_length(constants::MQRFH2_LENGTH_2)?;
        let following = Place {
            encoding: Encoding(reader.number("Encoding")?),
            coded_character_set: reader.number("CodedCharSetId")?,
            format: reader.text("Format")?,
        };
        let flags = reader.number("Flags")?;
        let ccsid = reader.number("NameValueCCSID")?;
        let set = folder_set(ccsid).ok_or_else(|| reader.error(Fault::CharacterSet(ccsid)))?;
        let mut folders = Vec::new();
        while reader.position() < length {
            let folder_length = reader.number("NameValueLength")?;
            let bytes = usize::try_from(folder_length)
                .ok()
                .filter(|bytes| bytes.is_multiple_of(4) && *bytes <= length - reader.position().min(length));
            let Some(bytes) = bytes else {
                return Err(reader.error(Fault::Length { field: "NameValueLength", length: folder_length }));
            };
            let (text, losses) = set.decode(reader.take(bytes, "NameValueData")?, reader.order());
            if losses.malformed > 0 {
                return Err(
                    reader.error(Fault::Content("a folder has bytes that are no characters of its set"))
                );
            }
            folders.push(trimmed(&text));
        }
        if reader.position() != length {
            return Err(reader.error(Fault::Length { field: "StrucLength", length: length as i32 }));
        }
        Ok((Self { following, flags, names_and_values_ccsid: ccsid, folders }, length))
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.text(constants::MQRFH_STRUC_ID, 4);
        writer.number(constants::MQRFH_VERSION_2);
        writer.number(0);
        writer.number(self.following.encoding.code());
        writer.number(self.following.coded_character_set);
        writer.text(self.following.format, 8);
        writer.number(self.flags);
        let set = folder_set(self.names_and_values_ccsid).unwrap_or_else(CharacterSet::utf_8);
        writer.number(set.ccsid());
        for folder in &self.folders {
            let data = padded(folder, set, writer.order());
            writer.number(data.len() as i32);
            writer.raw(&data);
        }
        writer.set_number(8, writer.bytes.len() as i32);
    }
}

/// Returns the character set of folders: Unicode, for a message in any set.
fn folder_set(ccsid: i32) -> Option<CharacterSet> {
    matches!(ccsid, 1200 | 1208 | 13488 | 17584).then(|| CharacterSet::by_ccsid(ccsid)).flatten()
}

fn trimmed(text: &str) -> String {
    text.trim_end_matches([' ', '\0']).to_owned()
}

/// The bytes of a text with blanks to a multiple of four.
fn padded(text: &str, set: CharacterSet, order: ByteOrder) -> Vec<u8> {
    let (mut bytes, _) = set.encode(text, order);
    let (blank, _) = set.encode(" ", order);
    while !bytes.len().is_multiple_of(4) {
        bytes.extend_from_slice(&blank);
    }
    bytes
}
