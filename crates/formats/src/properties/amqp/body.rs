//! The payload of a message in the kept form, as a program of the interface is given it.

use std::fmt::Write as _;

use amqp::Value;
use bytes::Bytes;
use mqi::{Text, constants};

use super::folders::{MAP, STREAM, kind};
use super::incoming::UTF_8;
use super::kept::Kept;
use crate::headers::Place;

/// The payload, and its form: a map or a stream of JMS as XML, a text or binary value without its encoding,
/// everything else as it is.
pub(super) fn of_program(kept: &Kept<'_>, body: &Bytes) -> (Place, Bytes) {
    let as_it_is = || (kept.following, body.slice(kept.data_at()..));
    let xml = match kind(kept.sections(), kept) {
        Some(MAP) => xml(kept, "map"),
        Some(STREAM) => xml(kept, "stream"),
        _ => return as_it_is(),
    };
    let Some(xml) = xml else { return as_it_is() };
    let format = Text::truncated(constants::MQFMT_STRING.trim_end());
    (Place { coded_character_set: UTF_8, format, ..kept.following }, xml.into())
}

/// The text of a map or a stream; none of anything else.
fn xml(kept: &Kept<'_>, element: &str) -> Option<String> {
    let mut text = format!("<{element}>");
    for piece in kept.pieces() {
        // Characters and bytes may look like the encoding of a map.
        if piece.is_bare {
            return None;
        }
        match amqp::types::one(piece.content).ok()?.0 {
            Value::Map(entries) => {
                for (key, value) in entries {
                    put_element(&mut text, key.text(), &value)?;
                }
            }
            Value::List(items) => {
                for value in items {
                    put_element(&mut text, None, &value)?;
                }
            }
            _ => return None,
        }
    }
    let _ = write!(text, "</{element}>");
    Some(text)
}

fn put_element(text: &mut String, name: Option<&str>, value: &Value<'_>) -> Option<()> {
    text.push_str("<elt");
    if let Some(name) = name {
        text.push_str(" name=\"");
        put_escaped(text, name);
        text.push('"');
    }
    let (kind, shown) = match *value {
        Value::Null => {
            text.push_str(" xsi:nil='true'></elt>");
            return Some(());
        }
        Value::String(shown) | Value::Symbol(shown) => ("", shown.to_owned()),
        Value::Boolean(is) => ("boolean", u8::from(is).to_string()),
        Value::Byte(number) => ("i1", number.to_string()),
        Value::Short(number) => ("i2", number.to_string()),
        Value::Int(number) => ("i4", number.to_string()),
        Value::Long(number) => ("i8", number.to_string()),
        Value::Float(number) => ("r4", number.to_string()),
        Value::Double(number) => ("r8", number.to_string()),
        Value::Char(character) => ("char", character.to_string()),
        Value::Binary(bytes) => ("bin.hex", bytes.iter().map(|byte| format!("{byte:02X}")).collect()),
        _ => return None,
    };
    if !kind.is_empty() {
        let _ = write!(text, " dt='{kind}'");
    }
    text.push('>');
    put_escaped(text, &shown);
    text.push_str("</elt>");
    Some(())
}

fn put_escaped(text: &mut String, value: &str) {
    for character in value.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&apos;"),
            other => text.push(other),
        }
    }
}
