//! A message of a foreign system as one of the interface.

use bytes::Bytes;
use formats::properties::Property;
use mqi::properties::{PropertyDescriptor, PropertyValue, bytes_from_hex};
use mqi::{MessageDescriptor, constants};

use super::fields::{FIELDS, text_of};
use super::form::Form;
use super::message::{ForeignMessage, HEADERS_MAX, HOPS_MAX, Header, Message, Trail};
use super::names::{self, OURS};
use super::native;
use super::values::{Types, of_header, of_line, of_whole};
use crate::refusal::{DeadReason, Refusal};

/// BODYTYPE of a pipe IN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyType {
    /// As the message declares; without a word bytes.
    #[default]
    Declared,
    /// Text, where it is valid UTF-8.
    Text,
    /// Bytes.
    Bytes,
}

/// Settings of the way in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inward {
    /// BODYTYPE.
    pub body_type: BodyType,
    /// True if the pipe trusts the other side with the context: user, accounting, program and time of the
    /// put. Else these are the pipe's own.
    pub keeps_context: bool,
    /// Most bytes of a body here; none for no limit but that of the queue.
    pub body_bytes_max: Option<u64>,
}

/// A message that was mapped.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The message.
    pub message: Message,
    /// Headers of ours that were no value of their field, and were left aside.
    pub ignored: u32,
}

/// Longest value of a property that a header becomes, in bytes: the value of a longer one is left aside.
const PROPERTY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The reason of a message that expired on its way.
const EXPIRED: DeadReason = DeadReason(constants::MQFB_EXPIRATION);

/// Makes a message of the interface. `now` is the time in milliseconds since 1970, with which an expiry is
/// compared.
///
/// # Errors
/// A permanent refusal: 2218 for a body beyond the limit, 2110 for more than [`HEADERS_MAX`] headers, 282 for
/// a message that passed [`HOPS_MAX`] bridges, the feedback of an expiration for one that is over.
pub fn inward(
    foreign: &ForeignMessage,
    form: Form,
    settings: &Inward,
    now: i64,
) -> Result<Received, Refusal> {
    let body = foreign.body.clone().unwrap_or_default();
    judge_size(foreign, &body, settings)?;
    let declared = match settings.body_type {
        BodyType::Declared => None,
        BodyType::Text => Some(true),
        BodyType::Bytes => Some(false),
    };
    let (mut descriptor, reply_to) = native::to_descriptor(&foreign.native, declared, &body);
    if !settings.keeps_context {
        let default = MessageDescriptor::default();
        (descriptor.put_date, descriptor.put_time) = (default.put_date, default.put_time);
    }
    let is_null = foreign.body.is_none();
    let mut read = Reading {
        form,
        keeps_context: settings.keeps_context,
        descriptor,
        trail: Trail { hops: 0, key: foreign.key.clone(), is_null, reply_to },
        properties: Vec::new(),
        expires: None,
        ignored: 0,
    };
    let types = foreign.headers.iter().rfind(|header| header.name.eq_ignore_ascii_case("ferry-types"));
    let types = types.and_then(|header| plain_text(&header.value)).unwrap_or_default();
    for header in &foreign.headers {
        read.take(header, types);
    }
    read.judge(foreign.native.lifetime, now)?;
    let Reading { descriptor, properties, trail, ignored, .. } = read;
    Ok(Received { message: Message { descriptor, properties, body, trail }, ignored })
}

fn judge_size(foreign: &ForeignMessage, body: &Bytes, settings: &Inward) -> Result<(), Refusal> {
    if let Some(most) = settings.body_bytes_max.filter(|most| body.len() as u64 > *most) {
        let text = format!("the body has {} bytes and the queue takes {most}", body.len());
        return Err(Refusal::permanent(DeadReason::TOO_LARGE, text));
    }
    if foreign.headers.len() > HEADERS_MAX {
        let text =
            format!("the message has {} headers and at most {HEADERS_MAX} are taken", foreign.headers.len());
        return Err(Refusal::permanent(DeadReason::UNMAPPABLE, text));
    }
    Ok(())
}

/// The text of a header as it is.
fn plain_text(value: &PropertyValue) -> Option<&str> {
    match value {
        PropertyValue::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        PropertyValue::Text(text) => Some(text),
        _ => None,
    }
}

/// A message that is being read.
struct Reading {
    form: Form,
    keeps_context: bool,
    descriptor: MessageDescriptor,
    trail: Trail,
    properties: Vec<Property>,
    /// Milliseconds from 1970 to its end.
    expires: Option<i64>,
    ignored: u32,
}

impl Reading {
    fn take(&mut self, header: &Header, types: &str) {
        if let Some(field) = FIELDS.iter().find(|field| field.name(self.form) == header.name) {
            if field.is_context && !self.keeps_context {
                return;
            }
            self.ignored += u32::from(!field.take(&mut self.descriptor, &header.value));
            return;
        }
        let is_ours = header.name.get(..OURS.len()).is_some_and(|start| start.eq_ignore_ascii_case(OURS));
        if is_ours {
            self.ignored += u32::from(self.take_ours(header).is_none());
            return;
        }
        if header.value.length() > PROPERTY_BYTES_MAX {
            self.ignored += 1;
            return;
        }
        let name = names::property_of(&header.name);
        // Longer names are none of a property, and no folder has them. Those of our folder are ours alone.
        let is_name = name.len() <= mqi::properties::name::LENGTH_MAX
            && formats::properties::folder::can_carry(&name)
            && !name.starts_with(names::FOLDER);
        if !is_name {
            self.ignored += 1;
            return;
        }
        let value = of_header(&header.value, Types::find(types, &name), self.form.traits().headers);
        let descriptor = PropertyDescriptor::default();
        self.put(Property { name, value, descriptor, foreign_type: None });
    }

    /// Takes a header of ours that is no field of the descriptor; none for one that is no value or is not
    /// known.
    fn take_ours(&mut self, header: &Header) -> Option<()> {
        let name = header.name.to_ascii_lowercase();
        let is_types = name == "ferry-types";
        if is_types {
            return Some(());
        }
        if name.starts_with("ferry-property-") {
            let property = of_whole(plain_text(&header.value)?)?;
            let is_allowed = !property.name.starts_with(names::FOLDER);
            is_allowed.then(|| self.put(property))
        } else {
            let text = text_of(&header.value)?;
            match name.as_str() {
                "ferry-expires" => self.expires = Some(text.parse().ok()?),
                "ferry-hops" => self.trail.hops = text.parse().unwrap_or(u8::MAX),
                "ferry-key" => self.trail.key = Some(bytes_from_hex(&text)?.into()),
                "ferry-null" => self.trail.is_null = true,
                "ferry-reply-to-address" => self.trail.reply_to = Some(of_line(plain_text(&header.value)?)?),
                _ => return None,
            }
            Some(())
        }
    }

    /// Adds a property: of two with one name the last one counts.
    fn put(&mut self, property: Property) {
        self.properties.retain(|other| other.name != property.name);
        self.properties.push(property);
    }

    fn judge(&mut self, lifetime: Option<i64>, now: i64) -> Result<(), Refusal> {
        if self.trail.hops > HOPS_MAX {
            let text =
                format!("the message passed {HOPS_MAX} bridges: its way is a circle; mend the rules on it");
            return Err(Refusal::permanent(DeadReason::TOO_MANY_HOPS, text));
        }
        let left = self.expires.map(|expires| expires.saturating_sub(now)).or(lifetime);
        if let Some(left) = left {
            if left <= 0 {
                return Err(Refusal::permanent(EXPIRED, "the message expired on its way"));
            }
            self.descriptor.expiry = native::expiry_of(left);
        }
        Ok(())
    }
}
