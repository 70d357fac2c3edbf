//! Properties of a message as they travel: in rules and formatting headers before the body.
//!
//! Lives here: reading them from a body, taking them out of it and putting them before it, and the handles programs keep
//! them in (`handle`). Lives elsewhere: their names and values (`mqi`), who is given them in which form
//! (`queue-manager`).

pub mod folder;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use mqi::properties::{PropertyDescriptor, PropertyValue};
use mqi::{Reason, constants};

use crate::headers::{self, Chain, HEADERS_MAX, Header, Place, RulesHeader2};

/// One property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Its full name, folder included.
    pub name: String,
    /// Its value.
    pub value: PropertyValue,
    /// What it says about itself.
    pub descriptor: PropertyDescriptor,
}

/// A body taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// The folders that were properties, in their order.
    pub folders: Vec<String>,
    /// What the rest is.
    pub place: Place,
    /// The rest.
    pub body: Bytes,
}

/// The headers of folders a body begins with, how many bytes they take, and what follows them.
fn leading(place: &Place, body: &[u8]) -> Result<(Vec<RulesHeader2>, usize, Place), Reason> {
    let mut found = Vec::new();
    let (mut place, mut offset) = (*place, 0);
    while place.is(constants::MQFMT_RF_HEADER_2) && found.len() < HEADERS_MAX {
        let read = headers::first(&place, &body[offset..]).map_err(|error| error.reason())?;
        let Some((header, length)) = read else { break };
        place = header.following(&place);
        offset += length;
        if let Header::Rules2(header) = header {
            found.push(header);
        }
    }
    Ok((found, offset, place))
}

/// The properties a body begins with; none for one without such headers.
///
/// # Errors
/// The reason the headers or a folder of properties cannot be read.
pub fn read(place: &Place, body: &[u8]) -> Result<Vec<Property>, Reason> {
    let (headers, _, _) = leading(place, body)?;
    let mut properties = Vec::new();
    for text in headers.iter().flat_map(|header| &header.folders) {
        if folder::is_of_properties(text) {
            properties.extend(folder::read(text)?);
        }
    }
    Ok(properties)
}

/// Takes the folders of properties out of a body; other folders stay in a header.
///
/// # Errors
/// The reason the headers cannot be read.
pub fn take_out(place: &Place, body: &Bytes) -> Result<Parts, Reason> {
    let (headers, length, following) = leading(place, body)?;
    let mut folders = Vec::new();
    let mut kept = Vec::new();
    for mut header in headers {
        let (of_properties, others) =
            header.folders.drain(..).partition::<Vec<_>, _>(|text| folder::is_of_properties(text));
        folders.extend(of_properties);
        if !others.is_empty() {
            header.folders = others;
            kept.push(Header::Rules2(header));
        }
    }
    let data = body.slice(length..);
    let chain = Chain { headers: kept, place: following, data };
    let (place, body) = chain.write(place.encoding, place.coded_character_set)?;
    Ok(Parts { folders, place, body })
}

/// Puts folders before a body, in the body's own encoding.
///
/// # Errors
/// The reason a header cannot be written so.
pub fn put_before(folders: Vec<String>, place: &Place, body: &Bytes) -> Result<(Place, Bytes), Reason> {
    if folders.is_empty() {
        return Ok((*place, body.clone()));
    }
    let header = RulesHeader2 { folders, ..RulesHeader2::before(*place) };
    let chain = Chain { headers: vec![Header::Rules2(header)], place: *place, data: body.clone() };
    let order = place.encoding.code() & constants::MQENC_INTEGER_MASK;
    let encoding = if order == 0 { mqi::Encoding::NATIVE } else { place.encoding };
    // A header's own characters have one byte each.
    let is_wide = crate::character_set::CharacterSet::by_ccsid(place.coded_character_set)
        .is_none_or(|set| !set.fits_fields());
    let ccsid = if is_wide { 1208 } else { place.coded_character_set };
    chain.write(encoding, ccsid)
}
