//! The message that one on a connector queue carries: behind the header of a transmission queue stand its own
//! descriptor, the rest of that, and its properties.
//!
//! Always: a header that is cut, or more of them than a message has, make a dead letter and never a message
//! that is half read.

use bytes::Bytes;
use formats::headers::{self, Chain, Fault, Header, Place};
use formats::properties::{self, Parts, Property, folder};
use mqi::properties::{PropertyDescriptor, PropertyValue};
use mqi::{MessageDescriptor, Text, constants};

use super::message::{Message, Trail};
use super::names;
use crate::refusal::{DeadReason, Refusal};

/// A message with the destination that it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// RemoteQName: the name of the foreign destination where FOREIGN is `*`.
    pub queue: Text<48>,
    /// RemoteQMgrName.
    pub queue_manager: Text<48>,
    /// The message.
    pub message: Message,
}

/// Opens a message of a connector queue.
///
/// # Errors
/// A permanent refusal: 271 for one without a header of a transmission queue that can be read, 2334 and the
/// like for headers or folders behind it.
pub fn open(descriptor: &MessageDescriptor, body: &Bytes) -> Result<Envelope, Refusal> {
    let none = |text: &str| Refusal::permanent(DeadReason::NO_TRANSMISSION_HEADER, text);
    let (header, length) = match headers::first(&Place::of(descriptor), body) {
        Ok(Some((Header::Transmission(header), length))) => (header, length),
        Ok(_) => {
            return Err(none(
                "the message has no header of a transmission queue; put to a remote queue instead",
            ));
        }
        Err(error) => {
            return Err(none(&format!("the header of the transmission queue cannot be read: {error}")));
        }
    };
    let mut own = header.descriptor;
    let mut body = body.slice(length..);
    if let Ok(Some((Header::DescriptorExtension(extension), length))) =
        headers::first(&Place::of(&own), &body)
    {
        own.group_id = extension.group_id.into();
        own.message_sequence_number = extension.message_sequence_number;
        own.offset = extension.offset;
        own.message_flags = extension.message_flags;
        own.original_length = extension.original_length;
        extension.following.describe(&mut own);
        body = body.slice(length..);
    }
    // The time that it waited is off the expiry of the outer descriptor alone.
    own.expiry = descriptor.expiry;
    let message = take_apart(own, &body)?;
    Ok(Envelope { queue: header.remote_queue, queue_manager: header.remote_queue_manager, message })
}

/// Takes a message apart: its properties, and the body behind them.
///
/// # Errors
/// A permanent refusal with the reason of the header that cannot be read.
pub fn take_apart(mut descriptor: MessageDescriptor, body: &Bytes) -> Result<Message, Refusal> {
    let place = Place::of(&descriptor);
    if headers::is_judged(&place.format)
        && let Err(error) = Chain::read(&place, body)
    {
        // A set or an encoding that is not known here may be known there.
        if !matches!(error.fault, Fault::CharacterSet(_) | Fault::Encoding(_)) {
            return Err(Refusal::permanent(DeadReason(error.reason().code()), error.to_string()));
        }
        return Ok(Message {
            descriptor,
            properties: Vec::new(),
            body: body.clone(),
            trail: Trail::default(),
        });
    }
    let refused = |reason: mqi::Reason| {
        Refusal::permanent(
            DeadReason(reason.code()),
            format!("the headers of the message cannot be read: {reason}"),
        )
    };
    let parts = properties::take_out(&place, body).and_then(properties::leave_unread).map_err(refused)?;
    let read = parts.folders.iter().filter_map(|text| folder::read(text).ok());
    let (ours, properties) =
        read.flatten().partition::<Vec<Property>, _>(|property| property.name.starts_with(names::FOLDER));
    let Parts { place, body, .. } = parts;
    place.describe(&mut descriptor);
    Ok(Message { descriptor, properties, body, trail: Trail::of(&ours) })
}

/// Puts a message together again: the descriptor and the body with its properties in front.
///
/// # Errors
/// A permanent refusal with the reason that a header cannot be written so.
pub fn put_together(message: &Message) -> Result<(MessageDescriptor, Bytes), Refusal> {
    let ours = message.trail.properties();
    let all: Vec<&Property> = message.properties.iter().chain(&ours).collect();
    let mut descriptor = message.descriptor.clone();
    let place = Place::of(&descriptor);
    let by = properties::By::Handle;
    let (place, body) =
        properties::put_before_as(folder::write(&all), by, &place, &message.body).map_err(|reason| {
            Refusal::permanent(
                DeadReason(reason.code()),
                format!("the properties cannot be written: {reason}"),
            )
        })?;
    place.describe(&mut descriptor);
    Ok((descriptor, body))
}

impl Trail {
    /// The properties that keep it.
    fn properties(&self) -> Vec<Property> {
        let hops = (self.hops > 0).then(|| ("Hops", PropertyValue::Int32(self.hops.into())));
        let key = self.key.clone().map(|key| ("Key", PropertyValue::Bytes(key)));
        let null = self.is_null.then_some(("Null", PropertyValue::Boolean(true)));
        let reply_to = self.reply_to.clone().map(|address| ("ReplyTo", PropertyValue::Text(address)));
        let all = [hops, key, null, reply_to].into_iter().flatten();
        let named = all.map(|(name, value)| Property {
            name: format!("{}{name}", names::FOLDER),
            value,
            descriptor: PropertyDescriptor::default(),
            foreign_type: None,
        });
        named.collect()
    }

    /// Reads it; what is no value of its property is left aside, but for hops, which a circle must not lose.
    fn of(properties: &[Property]) -> Self {
        let mut trail = Self::default();
        for property in properties {
            match (property.name.strip_prefix(names::FOLDER), &property.value) {
                (Some("Hops"), PropertyValue::Int32(hops)) => {
                    trail.hops = u8::try_from(*hops).unwrap_or(u8::MAX)
                }
                (Some("Hops"), _) => trail.hops = u8::MAX,
                (Some("Key"), PropertyValue::Bytes(key)) => trail.key = Some(key.clone()),
                (Some("Null"), PropertyValue::Boolean(is_null)) => trail.is_null = *is_null,
                (Some("ReplyTo"), PropertyValue::Text(address)) => trail.reply_to = Some(address.clone()),
                _ => {}
            }
        }
        trail
    }
}

/// The dead-letter header of a message that a pipe refuses, before the body as it was got.
///
/// # Errors
/// A permanent refusal where the header cannot be written in the encoding of the body.
pub fn dead_letter(
    descriptor: &MessageDescriptor,
    body: &Bytes,
    header: headers::DeadLetterHeader,
) -> Result<(MessageDescriptor, Bytes), Refusal> {
    let place = Place::of(descriptor);
    let chain = Chain { headers: vec![Header::DeadLetter(header)], place, data: body.clone() };
    // A body in an encoding without an order of bytes has its header in ours.
    let has_order = formats::character_set::ByteOrder::of_integers(place.encoding).is_some();
    let encoding = if has_order { place.encoding } else { mqi::Encoding::NATIVE };
    let is_set = formats::character_set::CharacterSet::by_ccsid(place.coded_character_set)
        .is_some_and(|set| set.fits_fields());
    let ccsid = if is_set { place.coded_character_set } else { constants::MQCCSI_Q_MGR };
    let written = chain.write(encoding, ccsid).or_else(|_| chain.write(encoding, super::native::UTF_8));
    let (place, body) = written.map_err(|reason| {
        Refusal::permanent(
            DeadReason(reason.code()),
            format!("the dead-letter header cannot be written: {reason}"),
        )
    })?;
    let mut descriptor = descriptor.clone();
    place.describe(&mut descriptor);
    Ok((descriptor, body))
}
