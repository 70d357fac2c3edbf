//! Headers that a put judges: each must be the structure that the format before it says.
//!
//! Lives here: the walk along the headers of a body, and the shapes of those of which nothing else is read.
//! Lives elsewhere: reading the fields of headers (`structures`, `rules`), deciding which puts are judged
//! (`queue-manager`).
//!
//! Always: the walk ends behind the first dead-letter header, behind [`HEADERS_MAX`] headers, and at a header
//! with an unknown character set or encoding.

use mqi::{Text, constants};

use super::error::{Fault, HeaderError};
use super::header::Header;
use super::place::{HEADERS_MAX, Place, Position};
use super::rules::BY_HANDLE;
use super::structures::place;
use crate::properties::folder;

/// Versions of a structure, each with the length it has.
type Versions = &'static [(i32, usize)];

const OF_CICS: Versions = &[
    (constants::MQCIH_VERSION_1, constants::MQCIH_LENGTH_1),
    (constants::MQCIH_VERSION_2, constants::MQCIH_LENGTH_2),
];
const OF_IMS: Versions = &[(constants::MQIIH_VERSION_1, constants::MQIIH_LENGTH_1)];

const fn unpadded(format: &'static str) -> &'static [u8] {
    format.as_bytes().trim_ascii_end()
}

/// Returns true if a format announces a header that [`check`] judges.
#[inline]
#[must_use]
pub fn is_judged(format: &Text<8>) -> bool {
    // Most messages have none.
    !format.is_blank() && is_of_judged_header(format)
}

fn is_of_judged_header(format: &Text<8>) -> bool {
    const DEAD_LETTER: &[u8] = unpadded(constants::MQFMT_DEAD_LETTER_HEADER);
    const TRANSMISSION: &[u8] = unpadded(constants::MQFMT_XMIT_Q_HEADER);
    const EXTENSION: &[u8] = unpadded(constants::MQFMT_MD_EXTENSION);
    const RULES_1: &[u8] = unpadded(constants::MQFMT_RF_HEADER_1);
    const RULES_2: &[u8] = unpadded(constants::MQFMT_RF_HEADER_2);
    const CICS: &[u8] = unpadded(constants::MQFMT_CICS);
    const IMS: &[u8] = unpadded(constants::MQFMT_IMS);
    matches!(format.as_bytes(), DEAD_LETTER | TRANSMISSION | EXTENSION | RULES_1 | RULES_2 | CICS | IMS)
}

/// Judges the headers of a body that is what `place` says.
///
/// # Errors
/// The first header that is not what its format says, and why.
pub fn check(place: &Place, body: &[u8]) -> Result<(), HeaderError> {
    let mut at = Position { place: *place, bytes: body, offset: 0 };
    for _ in 0..HEADERS_MAX {
        let (following, length) = match judge(&at) {
            Ok(Some(next)) => next,
            Ok(None) => return Ok(()),
            Err(error) if is_left_alone(&at, &error) => return Ok(()),
            // The set of the folders, not one of a header's own fields.
            Err(HeaderError { fault: Fault::CharacterSet(length), header, offset }) => {
                return Err(HeaderError {
                    fault: Fault::Length { field: "NameValueCCSID", length },
                    header,
                    offset,
                });
            }
            Err(error) => return Err(error),
        };
        if at.place.is(constants::MQFMT_DEAD_LETTER_HEADER) {
            return Ok(());
        }
        at = Position { place: following, bytes: &at.bytes[length..], offset: at.offset + length };
    }
    Ok(())
}

/// Returns true if bytes that are not the announced header count as data: the getter may be able to read what
/// cannot be read here.
fn is_left_alone(at: &Position<'_>, error: &HeaderError) -> bool {
    match error.fault {
        Fault::CharacterSet(_) | Fault::Encoding(_) => error.offset == at.offset,
        Fault::Version(_) => at.place.is(constants::MQFMT_MD_EXTENSION),
        _ => false,
    }
}

/// Returns the place behind a header and the header's length; none where no header is announced.
fn judge(at: &Position<'_>) -> Result<Option<(Place, usize)>, HeaderError> {
    let announced = &at.place;
    if announced.is(constants::MQFMT_CICS) {
        return shape(at, "MQCIH", constants::MQCIH_STRUC_ID, OF_CICS).map(Some);
    }
    if announced.is(constants::MQFMT_IMS) {
        return shape(at, "MQIIH", constants::MQIIH_STRUC_ID, OF_IMS).map(Some);
    }
    if announced.is(constants::MQFMT_RF_HEADER_1) {
        let mut reader = at.reader("MQRFH")?;
        reader.identifier(constants::MQRFH_STRUC_ID)?;
        reader.version(constants::MQRFH_VERSION_1)?;
        let length = reader.structure_length(constants::MQRFH_LENGTH_1)?;
        let following = place(&mut reader)?;
        check_character_set(at, "MQRFH", &following)?;
        return Ok(Some((resolved(announced, following), length)));
    }
    let Some((header, length)) = Header::read(at)? else { return Ok(None) };
    match &header {
        Header::DeadLetter(header) => check_character_set(at, "MQDLH", &header.following)?,
        Header::DescriptorExtension(header) => check_character_set(at, "MQMDE", &header.following)?,
        Header::Rules2(header) => {
            let error = |fault| HeaderError { header: "MQRFH2", offset: at.offset, fault };
            // What a descriptor may say of its body, a header that stands for a message handle repeats.
            if header.flags & BY_HANDLE == 0 {
                check_character_set(at, "MQRFH2", &header.following)?;
            }
            if !header.folders.iter().all(|text| folder::begins(text)) {
                return Err(error(Fault::Content("a folder does not begin with a tag")));
            }
        }
        // A transmission header describes what follows as a descriptor does.
        Header::Transmission(_) | Header::Rules1(_) => {}
    }
    Ok(Some((header.following(announced), length)))
}

/// Judges a structure by its identifier, version and length.
fn shape(
    at: &Position<'_>,
    header: &'static str,
    identifier: &'static str,
    versions: Versions,
) -> Result<(Place, usize), HeaderError> {
    let mut reader = at.reader(header)?;
    reader.identifier(identifier)?;
    let version = reader.number("Version")?;
    let known = versions.iter().find(|(known, _)| *known == version);
    let (_, expected) = *known.ok_or_else(|| reader.error(Fault::Version(version)))?;
    let length = reader.exact_length(expected)?;
    let following = place(&mut reader)?;
    check_character_set(at, header, &following)?;
    Ok((resolved(&at.place, following), length))
}

/// Refuses special character sets (negative numbers) for the data behind a header, except that of the data
/// before it. Zero means the same as before.
fn check_character_set(
    at: &Position<'_>,
    header: &'static str,
    following: &Place,
) -> Result<(), HeaderError> {
    let number = following.coded_character_set;
    if number >= 0 || number == constants::MQCCSI_INHERIT {
        return Ok(());
    }
    let fault = Fault::Length { field: "CodedCharSetId", length: number };
    Err(HeaderError { header, offset: at.offset, fault })
}

fn resolved(before: &Place, following: Place) -> Place {
    Place { coded_character_set: before.inherited(following.coded_character_set), ..following }
}
