//! Properties of a message as they travel: in rules and formatting headers before the body.
//!
//! Lives here: reading them from a body, taking them out of it and putting them before it, and the handles
//! programs keep them in (`handle`). Lives elsewhere: their names and values (`mqi`), the form for each
//! getter (`queue-manager`).

pub mod amqp;
pub mod folder;
mod glance;
pub mod handle;
mod parts;
mod property;
#[cfg(test)]
mod tests;
pub mod value;

use bytes::Bytes;
use mqi::properties::PropertyDescriptor;
use mqi::{MessageDescriptor, Reason, constants};

use self::amqp::Outgoing;
use crate::character_set::ByteOrder;
use crate::headers::{self, BY_HANDLE, Chain, HEADERS_MAX, Header, Place, RulesHeader2};
pub use glance::Glance;
pub use parts::Parts;
pub use property::Property;

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
    if amqp::kept::is_kept(place) {
        return amqp::read(body);
    }
    let (headers, length, following) = leading(place, body)?;
    let mut properties = Vec::new();
    for text in headers.iter().flat_map(|header| &header.folders) {
        if folder::is_of_properties(text) {
            properties.extend(folder::read(text)?);
        }
    }
    if amqp::kept::is_kept(&following) {
        properties.extend(amqp::read(&body[length..])?);
    }
    Ok(properties)
}

/// Takes the folders of properties out of a body; other folders stay in a header.
///
/// # Errors
/// The reason the headers cannot be read.
pub fn take_out(place: &Place, body: &Bytes) -> Result<Parts, Reason> {
    if amqp::kept::is_kept(place) {
        return amqp::take_out(body);
    }
    let parts = match Glance::of(place, body) {
        Some(glance) => Parts {
            folders: glance.folders().map(str::to_owned).collect(),
            place: glance.following,
            body: body.slice(glance.length..),
        },
        None => take_out_of_headers(place, body)?,
    };
    if !amqp::kept::is_kept(&parts.place) {
        return Ok(parts);
    }
    let behind = amqp::take_out(&parts.body)?;
    Ok(Parts { folders: [parts.folders, behind.folders].concat(), ..behind })
}

/// Leaves folders that cannot be read in a header before the body: they stay with the message. They are among
/// the folders besides, so that a handle can tell of them.
///
/// # Errors
/// The reason a header cannot be written so.
pub fn leave_unread(parts: Parts) -> Result<Parts, Reason> {
    let unread: Vec<String> =
        parts.folders.iter().filter(|text| folder::read_whole(text).is_err()).cloned().collect();
    let (place, body) = put_before(unread, &parts.place, &parts.body)?;
    Ok(Parts { place, body, ..parts })
}

fn take_out_of_headers(place: &Place, body: &Bytes) -> Result<Parts, Reason> {
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

/// True if a body is in the kept form, at its front or behind one header of properties, as a publication has
/// it.
#[must_use]
pub fn has_kept_form(place: &Place, body: &[u8]) -> bool {
    amqp::kept::is_kept(place)
        || Glance::of(place, body).is_some_and(|glance| amqp::kept::is_kept(&glance.following))
}

/// A body in the kept form with its folders in a header before its payload, as programs know them; any other
/// as it is.
///
/// # Errors
/// The reason the headers cannot be read or written.
pub fn without_kept_form(place: &Place, body: &Bytes) -> Result<(Place, Bytes), Reason> {
    if !has_kept_form(place, body) {
        return Ok((*place, body.clone()));
    }
    let by = if is_by_handle(place, body) { By::Handle } else { By::Message };
    let parts = take_out(place, body)?;
    put_before_as(parts.folders, by, &parts.place, &parts.body)
}

/// The sections of a message for a receiver of AMQP, which may know texts of identifiers.
#[must_use]
pub fn outgoing(descriptor: &MessageDescriptor, body: &Bytes, known: &amqp::Known<'_>) -> Outgoing {
    let place = Place::of(descriptor);
    if let Some(kept) = Outgoing::of_kept(descriptor, &place, body) {
        return kept;
    }
    if let Some(glance) = Glance::of(&place, body)
        && let Some(kept) = Outgoing::of_kept(descriptor, &glance.following, &body.slice(glance.length..))
    {
        return kept;
    }
    let unread = |_| Parts { folders: Vec::new(), place, body: body.clone() };
    Outgoing::of_program(descriptor, take_out(&place, body).unwrap_or_else(unread), known)
}

/// Puts folders before a body, in the body's own encoding.
///
/// # Errors
/// The reason a header cannot be written so.
pub fn put_before(folders: Vec<String>, place: &Place, body: &Bytes) -> Result<(Place, Bytes), Reason> {
    put_before_as(folders, By::Message, place, body)
}

/// Does the same in a header that tells the origin of the folders.
///
/// # Errors
/// The reason a header cannot be written so.
pub fn put_before_as(
    folders: Vec<String>,
    by: By,
    place: &Place,
    body: &Bytes,
) -> Result<(Place, Bytes), Reason> {
    if folders.is_empty() {
        return Ok((*place, body.clone()));
    }
    let flags = if by == By::Handle { BY_HANDLE } else { 0 };
    let header = RulesHeader2 { folders, flags, ..RulesHeader2::before(*place) };
    let chain = Chain { headers: vec![Header::Rules2(header)], place: *place, data: body.clone() };
    let has_order = ByteOrder::of_integers(place.encoding).is_some();
    let encoding = if has_order { place.encoding } else { mqi::Encoding::NATIVE };
    // A header's own characters have one byte each.
    let is_wide = headers::of_fields(place.coded_character_set).is_none();
    let ccsid = if is_wide { 1208 } else { place.coded_character_set };
    chain.write(encoding, ccsid)
}

/// Origin of a header of properties before a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The program put it there, as part of its message.
    Message,
    /// It holds what was set in a message handle. Only queue managers see that: it is written in a flag that
    /// the interface keeps for them.
    Handle,
}

/// Where the flags of a header are.
const FLAGS_AT: usize = 28;

/// True if the first header of a body holds properties that were set in a message handle.
#[must_use]
pub fn is_by_handle(place: &Place, body: &[u8]) -> bool {
    if !place.is(constants::MQFMT_RF_HEADER_2) {
        return false;
    }
    if let Some(glance) = Glance::of(place, body) {
        return glance.flags & BY_HANDLE != 0;
    }
    match headers::first(place, body) {
        Ok(Some((Header::Rules2(header), _))) => header.flags & BY_HANDLE != 0,
        _ => false,
    }
}

/// The body as programs see it: nothing in it says how its header came.
#[must_use]
pub fn without_origin(place: &Place, body: &Bytes) -> Bytes {
    let Some(order) = ByteOrder::of_integers(place.encoding).filter(|_| is_by_handle(place, body)) else {
        return body.clone();
    };
    let mut bytes = body.to_vec();
    let flags = &mut bytes[FLAGS_AT..FLAGS_AT + 4];
    let cleared = order.read_u32([flags[0], flags[1], flags[2], flags[3]]) & !BY_HANDLE.cast_unsigned();
    flags.copy_from_slice(&order.write_u32(cleared));
    bytes.into()
}

/// Takes the first header off a body, with all of its folders.
///
/// # Errors
/// The reason there is no header that can be read.
pub fn take_first(place: &Place, body: &Bytes) -> Result<Parts, Reason> {
    match headers::first(place, body).map_err(|error| error.reason())? {
        Some((Header::Rules2(header), length)) => {
            let following = Header::Rules2(header.clone()).following(place);
            Ok(Parts { folders: header.folders, place: following, body: body.slice(length..) })
        }
        _ => Err(Reason::RFH_ERROR),
    }
}

/// A message as its subscribers are given it, when it has properties that say they are not for these
/// (MQCOPY_PUBLISH); none when they are given all of it.
#[must_use]
pub fn published(place: &Place, body: &Bytes) -> Option<(Place, Bytes)> {
    let Ok(Some((Header::Rules2(header), length))) = headers::first(place, body) else { return None };
    // Nearly always: nothing is said of any property.
    if !header.folders.iter().any(|text| text.contains("copy=")) {
        return None;
    }
    let is_given = |property: &&Property| property.descriptor.copy.is_published();
    let mut folders = Vec::with_capacity(header.folders.len());
    let mut is_less = false;
    for text in &header.folders {
        match folder::read_whole(text) {
            Ok(read) if !read.properties.iter().all(|property| is_given(&property)) => {
                is_less = true;
                folders.extend(folder::write(&read.properties.iter().filter(is_given).collect::<Vec<_>>()));
                folders.extend(read.reserved);
            }
            _ => folders.push(text.clone()),
        }
    }
    if !is_less {
        return None;
    }
    let by = if header.flags & BY_HANDLE != 0 { By::Handle } else { By::Message };
    let following = Header::Rules2(header).following(place);
    put_before_as(folders, by, &following, &body.slice(length..)).ok()
}

/// Counts the bytes of a body that are properties, which are not part of the message's length. A header
/// counts with its folders when all of them are of properties; otherwise only those that are.
///
/// # Errors
/// `MQRC_UNSUPPORTED_PROPERTY` for a property of the product's own that must be understood and is not, or the
/// reason the headers cannot be read.
pub fn length(place: &Place, body: &[u8]) -> Result<usize, Reason> {
    if amqp::kept::is_kept(place) {
        return amqp::length(body);
    }
    match Glance::of(place, body) {
        Some(glance) if amqp::kept::is_kept(&glance.following) => {
            Ok(glance.length + amqp::length(&body[glance.length..])?)
        }
        Some(glance) if glance.folders().all(|text| folder::name(text) != Some("mq")) => Ok(glance.length),
        _ => length_in_headers(place, body),
    }
}

/// Returns how many bytes of a body that is put are properties. Headers are judged if the putter uses message
/// handles, or options as new as these. From other putters, headers that cannot be read are data.
///
/// # Errors
/// `MQRC_UNSUPPORTED_PROPERTY` as above, or the reason that a header which is judged is not what its format
/// says.
pub fn length_of_put(place: &Place, body: &[u8], judges: bool) -> Result<usize, Reason> {
    if amqp::kept::is_kept(place) {
        return amqp::length(body);
    }
    let judge = |place: &Place, body: &[u8]| headers::check(place, body).map_err(|error| error.reason());
    match Glance::of(place, body) {
        Some(glance)
            if glance.following.coded_character_set >= 0
                && glance.folders().all(|text| folder::name(text) != Some("mq")) =>
        {
            let is_judged = judges || glance.flags & BY_HANDLE != 0;
            if is_judged && headers::is_judged(&glance.following.format) {
                judge(&glance.following, &body[glance.length..])?;
            }
            return Ok(glance.length);
        }
        _ => {}
    }
    let is_judged = judges || is_by_handle(place, body);
    if is_judged {
        judge(place, body)?;
    }
    match length_in_headers(place, body) {
        Ok(length) => Ok(length),
        Err(Reason::UNSUPPORTED_PROPERTY) => Err(Reason::UNSUPPORTED_PROPERTY),
        // Nobody here can read it, and the getter may.
        Err(Reason::SOURCE_CCSID_ERROR | Reason::SOURCE_INTEGER_ENC_ERROR) => Ok(0),
        Err(reason) if is_judged => Err(reason),
        Err(_) => Ok(0),
    }
}

fn length_in_headers(place: &Place, body: &[u8]) -> Result<usize, Reason> {
    let (headers, length, _) = leading(place, body)?;
    let mut of_others = 0;
    for header in &headers {
        let others = header.folders.iter().filter(|text| !folder::is_of_properties(text));
        let bytes: usize = others.map(|text| 4 + text.len().next_multiple_of(4)).sum();
        if bytes > 0 || header.folders.is_empty() {
            of_others += constants::MQRFH2_LENGTH_2 + bytes;
        }
        for text in header.folders.iter().filter(|text| folder::name(text) == Some("mq")) {
            let properties = folder::read(text).unwrap_or_default();
            if properties.iter().any(|property| must_be_understood(&property.descriptor)) {
                return Err(Reason::UNSUPPORTED_PROPERTY);
            }
        }
    }
    Ok(length.saturating_sub(of_others))
}

/// True if a queue manager that does not know the property must refuse its message.
fn must_be_understood(descriptor: &PropertyDescriptor) -> bool {
    matches!(descriptor.support, constants::MQPD_SUPPORT_REQUIRED | constants::MQPD_SUPPORT_REQUIRED_IF_LOCAL)
}
