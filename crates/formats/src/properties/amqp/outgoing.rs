//! A message of a queue as the sections of a message of AMQP.
//!
//! Always: a message in the kept form gives back its sections byte by byte behind a header that is made
//! anew; of another the sections are made of its descriptor, its properties and its body.

use amqp::sections::{DATA, Header, Properties, VALUE};
use amqp::types::write::{
    Composite, put_binary_head, put_boolean, put_descriptor, put_map, put_scalar, put_string,
    put_string_head, put_symbol, put_ubyte, put_uint,
};
use amqp::types::{Raw, Symbol};
use amqp::{Value, types};
use bytes::Bytes;
use mqi::properties::identifier::text_of;
use mqi::properties::{PropertyValue, Synonym, View};
use mqi::{CorrelationId, MessageDescriptor, MessageFlags, Persistence, constants};

use super::address::{Address, of_queue};
use super::annotations::{DESTINATION_KIND, MESSAGE_KIND, REPLY_KIND};
use super::elements;
use super::folders::{BYTES, KINDS, MAP, NONE, OBJECT, STREAM, TEXT};
use super::identifier;
use super::incoming::UTF_8;
use super::kept::{self, Kept};
use crate::convert;
use crate::headers::Place;
use crate::properties::folder;
use crate::properties::parts::Parts;
use crate::properties::property::Property;

const MESSAGE_ANNOTATIONS: u64 = 0x72;
const APPLICATION_PROPERTIES: u64 = 0x74;

/// The flags of a message in a group. The last message may have only the second.
const IN_GROUP: MessageFlags = MessageFlags::MSG_IN_GROUP.union(MessageFlags::LAST_MSG_IN_GROUP);

/// The content type of an object of Java as bytes.
const SERIALIZED: &str = "application/x-java-serialized-object";

/// Tells the text that an identifier of 24 bytes stands for, where that is known.
pub type Known<'k> = dyn Fn(&CorrelationId) -> Option<String> + 'k;

/// A message that goes, in pieces that follow each other.
#[derive(Clone, Debug, Default)]
pub struct Outgoing {
    /// The sections before the content of the body, and what stands before that.
    pub head: Vec<u8>,
    /// The content of the body.
    pub body: Bytes,
    /// The footer.
    pub tail: Bytes,
}

impl Outgoing {
    /// The sections of a message in the kept form; none of another.
    #[must_use]
    pub fn of_kept(descriptor: &MessageDescriptor, place: &Place, body: &Bytes) -> Option<Self> {
        let kept = kept::is_kept(place).then(|| Kept::read(body).ok()).flatten()?;
        let mut head = begun(descriptor);
        let sections = kept.sections();
        for section in [sections.message_annotations, sections.properties, sections.application_properties] {
            head.extend_from_slice(section);
        }
        let tail = body.slice_ref(sections.footer);
        let mut pieces = kept.pieces();
        Some(match (pieces.next(), pieces.next()) {
            (None, _) => Self { head, body: Bytes::new(), tail },
            (Some(piece), None) => {
                head.extend_from_slice(piece.constructor);
                Self { head, body: body.slice(kept.length..), tail }
            }
            _ => Self { head, body: kept.body().into(), tail },
        })
    }

    /// The sections of a message with this descriptor and these parts.
    #[must_use]
    pub fn of_program(descriptor: &MessageDescriptor, parts: Parts, known: &Known<'_>) -> Self {
        let mut head = begun(descriptor);
        let Parts { folders, place, body } = parts;
        let properties: Vec<Property> =
            folders.iter().filter_map(|text| folder::read(text).ok()).flatten().collect();
        let text = |name: &str| match properties.iter().find(|property| property.name == name)?.value {
            PropertyValue::Text(ref text) => Some(text.as_str()),
            _ => None,
        };
        let said = text("mcd.Msd").and_then(|word| KINDS.iter().position(|kind| *kind == word));
        let is_text = place.is(constants::MQFMT_STRING);
        let body_text = if is_text { as_utf_8(&place, &body) } else { None };
        let of_body = if body_text.is_some() { TEXT } else { BYTES };
        // A map or a stream is one where its XML is.
        let mut values = Vec::new();
        let xml = body_text.as_deref().and_then(|body| std::str::from_utf8(body).ok()).unwrap_or_default();
        let kind = match said {
            Some(MAP) if !elements::put(&mut values, xml, "map") => of_body,
            Some(STREAM) if !elements::put(&mut values, xml, "stream") => of_body,
            said => said.unwrap_or(of_body),
        };
        put_annotations(&mut head, Some(kind), &text);
        put_properties(&mut head, descriptor, (&properties, kind), &text, known);
        put_application_properties(&mut head, descriptor, &place, &properties);
        let body = match body_text {
            Some(_) if !values.is_empty() => {
                put_descriptor(&mut head, VALUE);
                values.into()
            }
            Some(text) => {
                put_descriptor(&mut head, VALUE);
                put_string_head(&mut head, text.len());
                text
            }
            None if said == Some(NONE) && body.is_empty() => body,
            None => {
                put_descriptor(&mut head, DATA);
                put_binary_head(&mut head, body.len());
                body
            }
        };
        Self { head, body, tail: Bytes::new() }
    }
}

/// A text in UTF-8; none where it cannot be converted.
fn as_utf_8(place: &Place, body: &Bytes) -> Option<Bytes> {
    let target = convert::Target { encoding: place.encoding, coded_character_set: UTF_8 };
    let converted = convert::body(place, body, target, usize::MAX);
    (converted.warning.is_none() && std::str::from_utf8(&converted.body).is_ok()).then_some(converted.body)
}

/// The header of a message, with room for what follows.
fn begun(descriptor: &MessageDescriptor) -> Vec<u8> {
    let mut head = Vec::with_capacity(512);
    put_header(&mut head, descriptor);
    head
}

fn put_header(out: &mut Vec<u8>, descriptor: &MessageDescriptor) {
    let priority = u8::try_from(descriptor.priority.code()).unwrap_or(4);
    let mut fields = Composite::begin(out, Header::CODE);
    let is_durable = descriptor.persistence == Persistence::Persistent;
    fields.put_or_null(is_durable.then_some(true), put_boolean);
    fields.put_or_null(Some(priority).filter(|priority| *priority != 4), put_ubyte);
    let lives = descriptor.expiry.limit().map(|tenths| tenths.saturating_mul(100));
    fields.put_or_null(lives, put_uint);
    let count = u32::try_from(descriptor.backout_count).unwrap_or(0);
    fields.put_or_null((count == 0).then_some(true), put_boolean);
    fields.put_or_null((count > 0).then_some(count), put_uint);
    fields.end();
}

fn put_annotations<'a>(out: &mut Vec<u8>, kind: Option<usize>, text: &dyn Fn(&str) -> Option<&'a str>) {
    let of_uri = |uri: &str| i8::from(uri.starts_with("topic://"));
    let rows = [
        (MESSAGE_KIND, kind.map(|kind| kind as i8)),
        (DESTINATION_KIND, text("jms.Dst").map(of_uri)),
        (REPLY_KIND, text("jms.Rto").map(of_uri)),
    ];
    let rows: Vec<_> = rows.iter().filter_map(|(name, value)| value.map(|value| (*name, value))).collect();
    if rows.is_empty() {
        return;
    }
    put_descriptor(out, MESSAGE_ANNOTATIONS);
    put_map(out, rows.len() as u32, |out| {
        for (name, value) in rows {
            put_symbol(out, name);
            put_scalar(out, &Value::Byte(value));
        }
    });
}

fn put_properties<'a>(
    out: &mut Vec<u8>,
    descriptor: &MessageDescriptor,
    (properties, kind): (&'a [Property], usize),
    text: &dyn Fn(&str) -> Option<&'a str>,
    known: &Known<'_>,
) {
    let number = |name: &str| match properties.iter().find(|property| property.name == name)?.value.view() {
        View::Exact(number) => Some(number),
        _ => text(name)?.trim().parse().ok(),
    };
    let encoded = |value: &Value<'_>| {
        let mut bytes = Vec::new();
        put_scalar(&mut bytes, value);
        bytes
    };
    let message_id = encoded(&identifier::to_value(descriptor.message_id.as_bytes()));
    let known = known(&descriptor.correlation_id);
    let said = text("jms.Cid").or(known.as_deref());
    let correlation = match (said, descriptor.correlation_id == CorrelationId::NONE) {
        (Some(text), _) => Some(encoded(&Value::String(text))),
        (None, true) => None,
        (None, false) => Some(encoded(&identifier::to_value(descriptor.correlation_id.as_bytes()))),
    };
    let reply_to = match (text("jms.Rto"), descriptor.reply_to_queue.is_blank()) {
        (Some(uri), true) => Some(uri.to_owned()),
        (None, true) => None,
        (said, false) => {
            let (queue, manager) = (&descriptor.reply_to_queue, &descriptor.reply_to_queue_manager);
            let of_descriptor = of_queue(queue.as_str(), manager.as_str());
            // The program that wrote the folder may be one of another queue manager.
            let is_bare = |uri: &&str| Address::of(uri).queue() == Some((queue.as_str(), ""));
            Some(said.filter(|uri| !is_bare(uri)).map_or(of_descriptor, str::to_owned))
        }
    };
    let created = number("jms.Tms").or_else(|| match Synonym::Timestamp.view(descriptor, &|_| None) {
        View::Exact(at) => Some(at),
        _ => None,
    });
    let is_in_group = descriptor.message_flags.intersects(IN_GROUP) && !descriptor.group_id.is_none();
    let group = is_in_group.then(|| text_of(descriptor.group_id.as_bytes()));
    let place = is_in_group.then(|| i64::from(descriptor.message_sequence_number));
    let user = descriptor.user_identifier.as_str();
    let said = Properties {
        message_id: Some(Raw(&message_id)),
        user_id: Some(user.as_bytes()).filter(|user| !user.is_empty()),
        to: text("jms.Dst"),
        subject: text("mcd.Type"),
        reply_to: reply_to.as_deref(),
        correlation_id: correlation.as_deref().map(Raw),
        absolute_expiry_time: number("jms.Exp").filter(|at| *at > 0).map(types::Timestamp),
        creation_time: created.map(types::Timestamp),
        content_type: (kind == OBJECT).then_some(Symbol(SERIALIZED)),
        group_id: text("jms.Gid").or(group.as_deref()),
        group_sequence: number("jms.Seq").or(place).and_then(|place| u32::try_from(place).ok()),
        ..Properties::default()
    };
    said.write(out);
}

fn put_application_properties(
    out: &mut Vec<u8>,
    descriptor: &MessageDescriptor,
    place: &Place,
    properties: &[Property],
) {
    let mut pairs = Vec::new();
    let mut count = 0;
    let mut put = |name: &str, write: &dyn Fn(&mut Vec<u8>)| {
        put_string(&mut pairs, name);
        write(&mut pairs);
        count += 1;
    };
    for property in properties {
        let Some(name) = property.name.strip_prefix("usr.") else { continue };
        put(name, &|out| put_value(out, &property.value));
    }
    if !place.format.is_blank() {
        put("JMS_IBM_Format", &|out| put_string(out, place.format.as_str()));
    }
    let number = |number: i32| {
        move |out: &mut Vec<u8>| {
            put_scalar(out, &Value::Int(number));
        }
    };
    put("JMS_IBM_MsgType", &number(descriptor.message_type.code()));
    if descriptor.feedback.code() != 0 {
        put("JMS_IBM_Feedback", &number(descriptor.feedback.code()));
    }
    if descriptor.message_flags.contains(MessageFlags::LAST_MSG_IN_GROUP) {
        put("JMS_IBM_Last_Msg_In_Group", &|out| put_boolean(out, true));
    }
    put("JMS_IBM_Encoding", &number(place.encoding.0));
    put("JMS_IBM_Character_Set", &|out| put_string(out, &place.coded_character_set.to_string()));
    if !descriptor.put_application_name.is_blank() {
        put("JMSXAppID", &|out| put_string(out, descriptor.put_application_name.as_str()));
    }
    put_descriptor(out, APPLICATION_PROPERTIES);
    put_map(out, count, |out| out.extend_from_slice(&pairs));
}

fn put_value(out: &mut Vec<u8>, value: &PropertyValue) {
    put_scalar(
        out,
        &match value {
            PropertyValue::Null => Value::Null,
            PropertyValue::Boolean(is) => Value::Boolean(*is),
            PropertyValue::Bytes(bytes) => Value::Binary(bytes),
            PropertyValue::Int8(number) => Value::Byte(*number),
            PropertyValue::Int16(number) => Value::Short(*number),
            PropertyValue::Int32(number) => Value::Int(*number),
            PropertyValue::Int64(number) => Value::Long(*number),
            PropertyValue::Float32(number) => Value::Float(*number),
            PropertyValue::Float64(number) => Value::Double(*number),
            PropertyValue::Text(text) => Value::String(text),
        },
    );
}
