//! The structures in messages that the queue manager makes: the fields of a trigger message, the parameters
//! of a message in the form of commands.
//!
//! | words of a result | meaning |
//! |---|---|
//! | `field QName ORDERS` | a field of a trigger message, by its name |
//! | `field reason MQRC_Q_FULL`, `field command MQCMD_PERFM_EVENT` | what stands at the head of an event |
//! | `field MQCA_Q_NAME "ORDERS"` | a parameter of it, also in a group; a number by name or digits |
//! | `field MQIACF_X none` | there is no such parameter |
//! | `field MQIACF_X some` | there is one, whatever it says |

use std::ops::RangeInclusive;
use std::time::Duration;

use bytes::Bytes;
use formats::headers::{Place, TriggerMessage};
use mqi::constants::MQIA_TIME_SINCE_RESET;
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
    /// A number of seconds that may have grown while the step was late.
    Within(RangeInclusive<u64>),
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

    /// Takes more time since something happened, by up to `late`, as if nothing had been late.
    pub(super) fn forgive(&mut self, late: Duration) {
        if self.name != MQIA_TIME_SINCE_RESET.to_string() {
            return;
        }
        if let Value::Is(value) = &self.value
            && let Ok(seconds) = value.parse::<u64>()
        {
            self.value = Value::Within(seconds..=seconds + late.as_secs());
        }
    }

    pub(super) fn agrees(&self, found: &[(String, String)]) -> bool {
        let mut named = found.iter().filter(|(name, _)| *name == self.name);
        match &self.value {
            Value::None => named.next().is_none(),
            Value::Some => named.next().is_some(),
            Value::Is(value) => named.any(|(_, found)| found == value),
            Value::Within(range) => {
                named.any(|(_, found)| found.parse().is_ok_and(|seconds| range.contains(&seconds)))
            }
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::StructureExpected;

    #[test]
    fn time_since_a_reset_may_be_more_by_the_lateness_of_the_step() {
        for (name, found, late, agrees) in [
            ("MQIA_TIME_SINCE_RESET", "7", 0, true),
            ("MQIA_TIME_SINCE_RESET", "8", 0, false),
            ("MQIA_TIME_SINCE_RESET", "8", 1, true),
            ("MQIA_TIME_SINCE_RESET", "9", 1, false),
            ("MQIA_TIME_SINCE_RESET", "6", 1, false),
            ("MQIA_HIGH_Q_DEPTH", "8", 1, false),
        ] {
            let mut expected = StructureExpected::parse(name, "7").unwrap();
            let parameter = (expected.name.clone(), found.to_owned());
            expected.forgive(Duration::from_secs(late));
            assert_eq!(expected.agrees(&[parameter]), agrees, "{name} {found} after {late} s");
        }
    }
}
