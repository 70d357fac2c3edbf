//! Properties of a message in the kept form, as those of folders.
//!
//! Always: a property whose name or type the folders have not stays with the kept form alone.

use amqp::{Sections, Value};
use bytes::Bytes;
use mqi::properties::{PropertyDescriptor, PropertyValue};

use super::address::{Address, of_queue};
use super::annotations::{DESTINATION_KIND, MESSAGE_KIND, REPLY_KIND, is_topic};
use super::kept::{Kept, Plain};
use crate::properties::folder;
use crate::properties::property::Property;

/// Words of a message's kind, by the number that JMS over AMQP has for it.
pub(super) const KINDS: [&str; 6] =
    ["jms_none", "jms_object", "jms_map", "jms_bytes", "jms_stream", "jms_text"];

/// The number of the kind of a message without a body.
pub(super) const NONE: usize = 0;
/// The number of the kind of a message with an object.
pub(super) const OBJECT: usize = 1;
/// The number of the kind of a message with a map.
pub(super) const MAP: usize = 2;
/// The number of the kind of a message with bytes.
pub(super) const BYTES: usize = 3;
/// The number of the kind of a message with a stream.
pub(super) const STREAM: usize = 4;
/// The number of the kind of a message with a text.
pub(super) const TEXT: usize = 5;

/// The number of a message's kind: as it says, or by its body.
pub(super) fn kind(sections: &Sections<'_>, kept: &Kept<'_>) -> Option<usize> {
    if let Some(number) = said_kind(sections) {
        return usize::try_from(number).ok().filter(|number| *number < KINDS.len());
    }
    let mut pieces = kept.pieces();
    match (pieces.next(), pieces.next()) {
        (None, _) => Some(NONE),
        (Some(piece), _) if piece.code == amqp::sections::DATA => Some(BYTES),
        (Some(piece), None) => piece.plain().map(|plain| match plain {
            Plain::Text(_) => TEXT,
            Plain::Bytes(_) => BYTES,
            Plain::Null => NONE,
        }),
        _ => None,
    }
}

/// The number of the kind that a message says it has.
pub(super) fn said_kind(sections: &Sections<'_>) -> Option<i128> {
    sections.message_annotations().get(MESSAGE_KIND)?.integer()
}

/// The properties of a message.
pub(super) fn properties(kept: &Kept<'_>) -> Vec<Property> {
    let sections = kept.sections();
    let mut all = Vec::new();
    let mut put = |name: String, value: PropertyValue| {
        let descriptor = PropertyDescriptor::default();
        all.push(Property { name, value, descriptor, foreign_type: None });
    };
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    if let Some(kind) = kind(sections, kept) {
        put("mcd.Msd".to_owned(), text(KINDS[kind]));
    }
    let said = sections.properties();
    if let Some(subject) = said.subject {
        put("mcd.Type".to_owned(), text(subject));
    }
    let annotations = sections.message_annotations();
    let uri = |to, kind| PropertyValue::Text(uri(to, is_topic(&annotations, kind)));
    let fields = [
        ("jms.Dst", said.to.map(|to| uri(to, DESTINATION_KIND))),
        ("jms.Rto", said.reply_to.map(|to| uri(to, REPLY_KIND))),
        ("jms.Tms", said.creation_time.map(|at| PropertyValue::Int64(at.0))),
        ("jms.Exp", said.absolute_expiry_time.map(|at| PropertyValue::Int64(at.0))),
        ("jms.Cid", said.correlation_id.map(|id| PropertyValue::Text(shown(&id.value(), false)))),
        ("jms.Gid", said.group_id.map(text)),
        ("jms.Seq", said.group_sequence.map(|place| PropertyValue::Int32(place.cast_signed()))),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            put(name.to_owned(), value);
        }
    }
    for (key, value) in sections.application_properties() {
        let Some(key) = key.text().filter(|key| !key.starts_with("JMS_IBM_")) else { continue };
        let name = format!("usr.{key}");
        if folder::can_carry(&name)
            && let Some(value) = of_value(&value)
        {
            put(name, value);
        }
    }
    all
}

/// The folders of a message, as texts.
pub(super) fn texts(kept: &Kept<'_>) -> Vec<String> {
    let properties = properties(kept);
    folder::write(&properties.iter().collect::<Vec<_>>())
}

fn uri(address: &str, is_topic: bool) -> String {
    match Address::of(address) {
        Address::Name(name) if is_topic => format!("topic://{name}"),
        Address::Name(name) => of_queue(name, ""),
        Address::Queue { .. } | Address::Topic(_) => address.to_owned(),
    }
}

/// An identifier as clients of JMS print it; that of a message begins with a word that says what it is.
pub(super) fn shown(id: &Value<'_>, is_of_message: bool) -> String {
    match *id {
        Value::String(text) if is_of_message && !text.starts_with("ID:") => {
            format!("ID:AMQP_NO_PREFIX:{text}")
        }
        Value::String(text) => text.to_owned(),
        Value::Uuid(uuid) => format!("ID:AMQP_UUID:{}", uuid_text(&uuid)),
        Value::Ulong(number) => format!("ID:AMQP_ULONG:{number}"),
        Value::Binary(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("ID:AMQP_BINARY:{hex}")
        }
        _ => String::new(),
    }
}

fn uuid_text(uuid: &[u8; 16]) -> String {
    let hex: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The value of a property; none for one that folders have not.
pub(super) fn of_value(value: &Value<'_>) -> Option<PropertyValue> {
    Some(match *value {
        Value::Null => PropertyValue::Null,
        Value::Boolean(is) => PropertyValue::Boolean(is),
        Value::Byte(number) => PropertyValue::Int8(number),
        Value::Short(number) => PropertyValue::Int16(number),
        Value::Int(number) => PropertyValue::Int32(number),
        Value::Long(number) => PropertyValue::Int64(number),
        Value::Ubyte(number) => PropertyValue::Int16(number.into()),
        Value::Ushort(number) => PropertyValue::Int32(number.into()),
        Value::Uint(number) => PropertyValue::Int64(number.into()),
        Value::Ulong(number) => match i64::try_from(number) {
            Ok(number) => PropertyValue::Int64(number),
            Err(_) => PropertyValue::Text(number.to_string()),
        },
        Value::Float(number) => PropertyValue::Float32(number),
        Value::Double(number) => PropertyValue::Float64(number),
        Value::String(text) | Value::Symbol(text) => PropertyValue::Text(text.to_owned()),
        Value::Binary(bytes) => PropertyValue::Bytes(Bytes::copy_from_slice(bytes)),
        Value::Char(character) => PropertyValue::Text(character.to_string()),
        Value::Uuid(uuid) => PropertyValue::Text(uuid_text(&uuid)),
        Value::Timestamp(at) => PropertyValue::Text(at.to_string()),
        Value::Decimal32(_)
        | Value::Decimal64(_)
        | Value::Decimal128(_)
        | Value::List(_)
        | Value::Map(_)
        | Value::Array(_)
        | Value::Described(..) => return None,
    })
}
