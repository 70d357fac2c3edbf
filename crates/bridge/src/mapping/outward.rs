//! A message of the interface as one of a foreign system.

use bytes::Bytes;
use formats::convert::{self, Target};
use formats::headers::Place;
use formats::properties::Property;
use mqi::properties::PropertyValue;
use mqi::{MessageDescriptor, constants};

use super::fields::FIELDS;
use super::form::{Form, HeaderKind};
use super::message::{ForeignMessage, HEADERS_MAX, HOPS_MAX, Header, Message, NativeFields, VALUE_BYTES_MAX};
use super::names;
use super::native::{self, UTF_8};
use super::values::{Types, line_of, to_header, whole};
use crate::refusal::{DeadReason, Refusal};

/// CONVERT of a pipe OUT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Convert {
    /// Bodies go as they are.
    #[default]
    No,
    /// Text goes in UTF-8; what cannot be converted goes as it is, and is counted.
    Utf8,
    /// Text goes in UTF-8; what cannot be converted is refused.
    Strict,
}

/// KEY of a pipe OUT: what chooses a partition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Key {
    /// The key that the message had where it came from, or none.
    #[default]
    None,
    /// The message identifier.
    MessageId,
    /// The correlation identifier.
    CorrelationId,
    /// The group identifier.
    GroupId,
    /// A property, by its full name.
    Property(String),
}

/// Settings of the way out.
#[derive(Clone, Debug, Default)]
pub struct Outward {
    /// CONVERT.
    pub convert: Convert,
    /// KEY.
    pub key: Key,
    /// Most bytes of a body there; none for no limit but that of the system.
    pub body_bytes_max: Option<u64>,
}

/// A message that was mapped.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The foreign message.
    pub message: ForeignMessage,
    /// True if a conversion was asked for and did not come about.
    pub is_unconverted: bool,
}

/// Makes a foreign message. `now` is the time in milliseconds since 1970, from which an expiry counts.
///
/// # Errors
/// A permanent refusal: 2218 for a body, a value or headers beyond a limit, 2110 for a body that
/// CONVERT(STRICT) cannot convert, 282 for a message that passed [`HOPS_MAX`] bridges.
pub fn outward(message: &Message, form: Form, settings: &Outward, now: i64) -> Result<Sent, Refusal> {
    if message.trail.hops >= HOPS_MAX {
        let text = format!(
            "the message passed {HOPS_MAX} bridges: its way is a circle; mend the remote queues on it"
        );
        return Err(Refusal::permanent(DeadReason::TOO_MANY_HOPS, text));
    }
    let (descriptor, body, is_unconverted) = converted(message, settings.convert)?;
    let descriptor = descriptor.as_ref().unwrap_or(&message.descriptor);
    if let Some(most) = settings.body_bytes_max.filter(|most| body.len() as u64 > *most) {
        let text = format!("the body has {} bytes and the foreign system takes {most}", body.len());
        return Err(Refusal::permanent(DeadReason::TOO_LARGE, text));
    }
    let is_text = is_utf_8(descriptor, &body);
    let native = native::of_descriptor(descriptor, &message.trail, form, is_text);
    let mut headers = Headers { form, all: Vec::new(), types: Types::default(), whole: 0 };
    let (given, _) = native::to_descriptor(&native, None, &body);
    for field in &FIELDS {
        if (field.write)(&given) != (field.write)(descriptor) {
            headers.put(field.name(form), field.value(descriptor, form));
        }
    }
    if let Some(tenths) = descriptor.expiry.limit() {
        headers.put_text("ferry-expires", &now.saturating_add(i64::from(tenths) * 100).to_string());
    }
    headers.put_trail(message, &native);
    message.properties.iter().for_each(|property| headers.put_property(property));
    headers.put_types();
    headers.judge()?;
    let is_null = message.trail.is_null && body.is_empty() && form.traits().has_key;
    let key = key(message, &settings.key).filter(|_| form.traits().has_key);
    let body = (!is_null).then_some(body);
    Ok(Sent { message: ForeignMessage { key, body, headers: headers.all, native }, is_unconverted })
}

/// The body as it goes, and the descriptor of a converted one.
fn converted(
    message: &Message,
    convert: Convert,
) -> Result<(Option<MessageDescriptor>, Bytes, bool), Refusal> {
    let place = Place::of(&message.descriptor);
    let as_it_is = |is_unconverted| Ok((None, message.body.clone(), is_unconverted));
    let is_text = place.is(constants::MQFMT_STRING) || place.is(constants::MQFMT_RF_HEADER_2);
    if convert == Convert::No || !is_text || place.coded_character_set == UTF_8 {
        return as_it_is(false);
    }
    let target = Target { encoding: place.encoding, coded_character_set: UTF_8 };
    let converted = convert::body(&place, &message.body, target, usize::MAX);
    match (converted.warning, convert) {
        (None, _) => {
            let mut descriptor = message.descriptor.clone();
            converted.place.describe(&mut descriptor);
            Ok((Some(descriptor), converted.body, false))
        }
        (Some(_), Convert::Utf8) => as_it_is(true),
        (Some(reason), _) => {
            let text = format!(
                "the body of character set {} cannot be converted to UTF-8 ({reason}), and the pipe has CONVERT(STRICT)",
                place.coded_character_set
            );
            Err(Refusal::permanent(DeadReason::UNMAPPABLE, text))
        }
    }
}

fn is_utf_8(descriptor: &MessageDescriptor, body: &[u8]) -> bool {
    let place = Place::of(descriptor);
    let is_text = place.is(constants::MQFMT_STRING) && place.coded_character_set == UTF_8;
    is_text && std::str::from_utf8(body).is_ok()
}

fn key(message: &Message, key: &Key) -> Option<Bytes> {
    let descriptor = &message.descriptor;
    let of_bytes = |bytes: &[u8; 24]| (*bytes != [0; 24]).then(|| Bytes::copy_from_slice(bytes));
    match key {
        Key::None => message.trail.key.clone(),
        Key::MessageId => of_bytes(&descriptor.message_id.0),
        Key::CorrelationId => of_bytes(&descriptor.correlation_id.0),
        Key::GroupId => of_bytes(&descriptor.group_id.0),
        Key::Property(name) => {
            let property = message.properties.iter().find(|property| property.name == *name)?;
            match &property.value {
                PropertyValue::Null => None,
                PropertyValue::Bytes(bytes) => Some(bytes.clone()),
                value => Some(value.written().into_bytes().into()),
            }
        }
    }
}

/// Headers that are being written.
struct Headers {
    form: Form,
    all: Vec<Header>,
    types: Types,
    /// Properties that have a header of ours each.
    whole: u32,
}

impl Headers {
    fn put(&mut self, name: &str, value: PropertyValue) {
        self.all.push(Header { name: name.to_owned(), value });
    }

    /// Puts a header of ours.
    fn put_text(&mut self, name: &str, text: &str) {
        let value = match self.form.traits().headers {
            HeaderKind::Bytes => PropertyValue::Bytes(text.to_owned().into_bytes().into()),
            HeaderKind::Line | HeaderKind::Typed => PropertyValue::Text(text.to_owned()),
        };
        self.put(name, value);
    }

    fn put_trail(&mut self, message: &Message, native: &NativeFields) {
        let trail = &message.trail;
        self.put_text("ferry-hops", &(trail.hops + 1).to_string());
        // What the system has no place for comes back by a header.
        if let Some(reply_to) =
            trail.reply_to.as_ref().filter(|reply_to| native.reply_to.as_ref() != Some(*reply_to))
        {
            self.put_text("ferry-reply-to-address", &line_of(reply_to));
        }
        let has_key = self.form.traits().has_key;
        if let Some(key) = trail.key.as_ref().filter(|_| !has_key) {
            self.put_text("ferry-key", &crate::state::hex(key));
        }
        if trail.is_null && !has_key {
            self.put_text("ferry-null", "1");
        }
    }

    fn put_property(&mut self, property: &Property) {
        if property.name.starts_with(names::FOLDER) {
            return;
        }
        let is_plain = property.foreign_type.is_none() && property.descriptor == Default::default();
        match names::header_of(&property.name, self.form).filter(|_| is_plain) {
            Some(name) => {
                let (value, word) = to_header(&property.value, self.form.traits().headers);
                if let Some(word) = word {
                    self.types.put(&property.name, word);
                }
                // Of two with one name the last one counts, as for headers that come in.
                self.all.retain(|header| header.name != name);
                self.put(&name, value);
            }
            None => {
                self.whole += 1;
                let name = format!("ferry-property-{}", self.whole);
                self.put_text(&name, &whole(property));
            }
        }
    }

    fn put_types(&mut self) {
        if let Some(text) = self.types.text().map(str::to_owned) {
            self.put_text("ferry-types", &text);
        }
    }

    fn judge(&self) -> Result<(), Refusal> {
        if self.all.len() > HEADERS_MAX {
            let text =
                format!("the message has {} headers and at most {HEADERS_MAX} are sent", self.all.len());
            return Err(Refusal::permanent(DeadReason::TOO_LARGE, text));
        }
        let long = self.all.iter().find(|header| header.value.length() > VALUE_BYTES_MAX);
        long.map_or(Ok(()), |header| {
            let (name, bytes) = (&header.name, header.value.length());
            let text =
                format!("the header \"{name}\" has {bytes} bytes and at most {VALUE_BYTES_MAX} are sent");
            Err(Refusal::permanent(DeadReason::TOO_LARGE, text))
        })
    }
}
