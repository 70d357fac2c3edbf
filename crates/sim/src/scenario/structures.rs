//! What stands in messages that the queue manager makes: the fields of a trigger message, the parameters of a message in
//! the form of commands.
//!
//! | words of a result | meaning |
//! |---|---|
//! | `field QName ORDERS` | a field of a trigger message, by its name |
//! | `field reason MQRC_Q_FULL`, `field command MQCMD_PERFM_EVENT` | what stands at the head of an event |
//! | `field MQCA_Q_NAME "ORDERS"` | a parameter of it, also in a group; a number by name or digits |
//! | `field MQIACF_X none` | there is no such parameter |
//! | `field MQIACF_X some` | there is one, whatever it says |

use bytes::Bytes;
use formats::headers::{Place, TriggerMessage};
use mqi::{MessageDescriptor, constants};
use objects::pcf::{ByteOrder, Content, Message, Parameter};

use super::fields::number;

/// A field of a message and what is expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureExpected {
    /// As [`found`] names it.
    name: String,
    value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Is(String),
    Some,
    None,
}

impl StructureExpected {
    pub(super) fn parse(name: &str, value: &str) -> Result<Self, String> {
        let is_constant = name.starts_with("MQ");
        let name = if is_constant { number(name)?.to_string() } else { name.to_owned() };
        let value = match value {
            "some" => Value::Some,
            "none" => Value::None,
            constant if constant.starts_with("MQ") => Value::Is(number(constant)?.to_string()),
            text => Value::Is(text.to_owned()),
        };
        Ok(Self { name, value })
    }

    pub(super) fn agrees(&self, found: &[(String, String)]) -> bool {
        let mut named = found.iter().filter(|(name, _)| *name == self.name);
        match &self.value {
            Value::None => named.next().is_none(),
            Value::Some => named.next().is_some(),
            Value::Is(value) => named.any(|(_, found)| found == value),
        }
    }
}

/// The fields of a message, each by its name or its parameter's number.
pub(super) fn found(descriptor: &MessageDescriptor, body: &Bytes) -> Vec<(String, String)> {
    let place = Place::of(descriptor);
    if place.is(constants::MQFMT_TRIGGER) {
        return TriggerMessage::read(&place, body)
            .map_or_else(|_| Vec::new(), |message| of_trigger(&message));
    }
    let Some(order) = ByteOrder::of_encoding(descriptor.encoding.code()) else { return Vec::new() };
    let Ok(message) = Message::decode(body, order) else { return Vec::new() };
    let header = message.header;
    let mut found: Vec<(String, String)> = [
        ("kind", header.kind),
        ("command", header.command),
        ("reason", header.reason),
        ("sequence", header.sequence),
        ("control", header.control),
        ("completion", header.completion),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_string()))
    .into();
    add(&message.parameters, &mut found);
    found
}

fn of_trigger(message: &TriggerMessage) -> Vec<(String, String)> {
    [
        ("QName", message.queue.to_string()),
        ("ProcessName", message.process.to_string()),
        ("TriggerData", message.trigger_data.to_string()),
        ("ApplType", message.application_type.to_string()),
        ("ApplId", message.application_id.trim_end().to_owned()),
        ("EnvData", message.environment_data.to_string()),
        ("UserData", message.user_data.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

fn add(parameters: &[Parameter], found: &mut Vec<(String, String)>) {
    for Parameter { identifier, content } in parameters {
        let joined = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(" ");
        let value = match content {
            Content::Group(inner) => {
                found.push((identifier.to_string(), String::new()));
                add(inner, found);
                continue;
            }
            Content::Integer(value) => value.to_string(),
            Content::Integer64(value) => value.to_string(),
            Content::Integers(values) => joined(&mut values.iter().map(ToString::to_string)),
            Content::Integers64(values) => joined(&mut values.iter().map(ToString::to_string)),
            Content::Text(text) => text.trim_end().to_owned(),
            Content::Texts(texts) => joined(&mut texts.iter().cloned()),
            Content::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02X}")).collect(),
            Content::IntegerFilter(..) | Content::TextFilter(..) | Content::BytesFilter(..) => String::new(),
        };
        found.push((identifier.to_string(), value));
    }
}
