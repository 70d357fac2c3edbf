//! Messages in binary form, such as events, as text, as a line and as JSON.

use std::fmt::Write as _;

use mqi::MessageDescriptor;
use mqi::constants::{self, MQFMT_ADMIN, MQFMT_EVENT, MQFMT_PCF};
use objects::pcf::{ByteOrder, Content, Message, Parameter};
use serde_json::{Map, Value, json};

use terminal::output::harmless;

/// A message in binary form.
pub(crate) struct Event {
    message: Message,
    created: String,
}

impl Event {
    /// The event that a message holds; none where it is not in binary form.
    pub(crate) fn of(descriptor: &MessageDescriptor, body: &[u8]) -> Option<Self> {
        let format = descriptor.format.as_str().trim_end();
        let is_binary = [MQFMT_ADMIN, MQFMT_EVENT, MQFMT_PCF].iter().any(|known| known.trim_end() == format);
        let order = ByteOrder::of_encoding(descriptor.encoding.0)?;
        let message = Message::decode(body, order).ok().filter(|_| is_binary)?;
        Some(Self { message, created: created(descriptor) })
    }

    /// The time of its put.
    pub(crate) fn created(&self) -> &str {
        &self.created
    }

    fn kind(&self) -> String {
        name_of(self.message.header.command, "MQCMD_")
    }

    /// Its reason in words.
    fn reason(&self) -> String {
        match self.message.header.reason {
            constants::MQRC_NONE => "None".to_owned(),
            reason => name_of(reason, "MQRC_"),
        }
    }

    /// Several lines: what happened, when, and each parameter.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        line(&mut text, 0, "Event Type", &format!("{} [{}]", self.kind(), self.message.header.command));
        line(&mut text, 0, "Reason", &format!("{} [{}]", self.reason(), self.message.header.reason));
        line(&mut text, 0, "Event created", &self.created);
        parameters_as_text(&mut text, 1, &self.message.parameters);
        text
    }

    /// One line: the time, what happened, and each parameter that says something.
    pub(crate) fn to_line(&self) -> String {
        let what = match self.message.header.reason {
            constants::MQRC_NONE => self.kind(),
            _ => self.reason(),
        };
        let mut text = format!("{}  {what}", self.created);
        let mut parts = Vec::new();
        parameters_in_line(&mut parts, &self.message.parameters);
        for (name, value) in parts {
            let _ = write!(text, "  {name}={}", harmless(&value));
        }
        text
    }

    /// Everything, for programs.
    pub(crate) fn to_json(&self, place: &str, kind_of_place: &str, queue_manager: &str) -> Value {
        json!({
            "eventSource": {"objectName": place, "objectType": kind_of_place, "queueMgr": queue_manager},
            "eventType": {"name": self.kind(), "value": self.message.header.command},
            "eventReason": {"name": self.reason(), "value": self.message.header.reason},
            "eventCreation": {"timeStamp": self.created},
            "eventData": parameters_as_json(&self.message.parameters),
        })
    }
}

/// Adds names and values in the order of the message, those of groups in place; blank values say nothing.
fn parameters_in_line(parts: &mut Vec<(String, String)>, parameters: &[Parameter]) {
    for parameter in parameters {
        match &parameter.content {
            Content::Group(members) => parameters_in_line(parts, members),
            content => {
                let value = value_as_text(content);
                if !value.is_empty() {
                    parts.push((camel_case(&parameter_name(parameter.identifier)), value));
                }
            }
        }
    }
}

/// The date and time of day of a put, as a person reads them.
fn created(descriptor: &MessageDescriptor) -> String {
    // A program that puts an event of its own making, with context, sets them as it likes.
    let (date, time) = (harmless(descriptor.put_date.as_str()), harmless(descriptor.put_time.as_str()));
    let part = |text: &str, range: std::ops::Range<usize>| text.get(range).unwrap_or_default().to_owned();
    format!(
        "{}-{}-{}T{}:{}:{}.{}Z",
        part(&date, 0..4),
        part(&date, 4..6),
        part(&date, 6..8),
        part(&time, 0..2),
        part(&time, 2..4),
        part(&time, 4..6),
        part(&time, 6..8)
    )
}

/// The width of names before their values.
const NAME_WIDTH: usize = 32;

fn line(text: &mut String, depth: usize, name: &str, value: &str) {
    let indent = 2 * depth;
    let width = NAME_WIDTH.saturating_sub(indent);
    let _ = writeln!(text, "{:indent$}{name:width$} : {}", "", harmless(value));
}

fn parameters_as_text(text: &mut String, depth: usize, parameters: &[Parameter]) {
    for parameter in parameters {
        let name = words(&parameter_name(parameter.identifier), " ");
        match &parameter.content {
            Content::Group(members) => {
                let _ = writeln!(text, "{:indent$}{name}:", "", indent = 2 * depth);
                parameters_as_text(text, depth + 1, members);
            }
            content => line(text, depth, &name, &value_as_text(content)),
        }
    }
}

fn value_as_text(content: &Content) -> String {
    let list = |values: Vec<String>| values.join(", ");
    match content {
        Content::Integer(number) => number.to_string(),
        Content::Integer64(number) => number.to_string(),
        Content::Integers(numbers) => list(numbers.iter().map(ToString::to_string).collect()),
        Content::Integers64(numbers) => list(numbers.iter().map(ToString::to_string).collect()),
        Content::Text(text) => text.trim_end().to_owned(),
        Content::Texts(texts) => list(texts.iter().map(|text| text.trim_end().to_owned()).collect()),
        Content::Bytes(bytes) => hexadecimal(bytes),
        Content::IntegerFilter(operator, number) => format!("{operator} {number}"),
        Content::TextFilter(operator, text) => format!("{operator} {}", text.trim_end()),
        Content::BytesFilter(operator, bytes) => format!("{operator} {}", hexadecimal(bytes)),
        Content::Group(_) => String::new(),
    }
}

fn parameters_as_json(parameters: &[Parameter]) -> Value {
    let mut object = Map::new();
    for parameter in parameters {
        let name = camel_case(&parameter_name(parameter.identifier));
        let value = match &parameter.content {
            Content::Integer(number) => json!(number),
            Content::Integer64(number) => json!(number),
            Content::Integers(numbers) => json!(numbers),
            Content::Integers64(numbers) => json!(numbers),
            Content::Texts(texts) => json!(texts.iter().map(|text| text.trim_end()).collect::<Vec<_>>()),
            Content::Group(members) => parameters_as_json(members),
            content => json!(value_as_text(content)),
        };
        match object.get_mut(&name) {
            // Groups of one kind come one behind the other.
            Some(Value::Array(earlier)) if matches!(parameter.content, Content::Group(_)) => {
                earlier.push(value)
            }
            Some(earlier) if matches!(parameter.content, Content::Group(_)) => {
                *earlier = json!([earlier.take(), value]);
            }
            _ => drop(object.insert(name, value)),
        }
    }
    Value::Object(object)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}

/// The families of names of parameters, in the order in which a number is looked for.
const PARAMETERS: [&str; 13] = [
    "MQCA_",
    "MQIA_",
    "MQCACF_",
    "MQIACF_",
    "MQCACH_",
    "MQIACH_",
    "MQBACF_",
    "MQGACF_",
    "MQIAMO_",
    "MQIAMO64_",
    "MQCAMO_",
    "MQBT_",
    "MQUIDSUPP_",
];

/// The name of a parameter without its family: `Q_MGR_NAME`; its number when it has none.
fn parameter_name(identifier: i32) -> String {
    let is_bound =
        |name: &&str| !["_FIRST", "_LAST", "_LAST_USED", "_BASE"].iter().any(|end| name.ends_with(end));
    let found = PARAMETERS.iter().find_map(|family| {
        let name = constants::names_of(identifier, family).find(is_bound)?;
        name.strip_prefix(family)
    });
    found.map_or_else(|| format!("PARAMETER_{identifier}"), str::to_owned)
}

/// `Q_MGR_NAME` as `Q Mgr Name`.
fn words(name: &str, between: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{}", first.to_ascii_uppercase(), rest.to_ascii_lowercase())
    };
    name.split('_').map(word).collect::<Vec<_>>().join(between)
}

/// `Q_MGR_NAME` as `queueMgrName`.
fn camel_case(name: &str) -> String {
    let spelled: Vec<&str> = name.split('_').map(|word| if word == "Q" { "QUEUE" } else { word }).collect();
    let joined = words(&spelled.join("_"), "");
    let (first, rest) = joined.split_at(joined.len().min(1));
    format!("{}{rest}", first.to_ascii_lowercase())
}

/// The name of a number of a family in words.
fn name_of(number: i32, family: &str) -> String {
    let found = constants::names_of(number, family).next().and_then(|name| name.strip_prefix(family));
    found.map_or_else(|| "Unknown".to_owned(), |name| words(name, " "))
}

#[cfg(test)]
mod tests {
    use super::{
        MessageDescriptor, camel_case, created, parameter_name, parameters_as_json, parameters_as_text,
    };
    use mqi::constants::{MQCA_Q_MGR_NAME, MQGACF_MONITOR_CLASS, MQIACF_REASON_QUALIFIER};
    use objects::pcf::{Content, Parameter};

    #[test]
    fn parameters_have_the_names_of_their_constants() {
        assert_eq!(parameter_name(MQCA_Q_MGR_NAME), "Q_MGR_NAME");
        assert_eq!(parameter_name(MQIACF_REASON_QUALIFIER), "REASON_QUALIFIER");
        assert_eq!(parameter_name(-5), "PARAMETER_-5");
        assert_eq!(camel_case("Q_MGR_NAME"), "queueMgrName");
        assert_eq!(camel_case(""), "");
    }

    #[test]
    fn the_moment_of_an_event_that_a_program_made_is_shown_harmless() {
        let descriptor = MessageDescriptor {
            put_date: "\u{1b}[2J\n".parse().unwrap(),
            put_time: "\u{9b}2J\r\u{61c}".parse().unwrap(),
            ..MessageDescriptor::default()
        };
        let shown = created(&descriptor);
        assert!(!shown.contains(objects::harmless::is_harmful), "{shown:?}");
    }

    #[test]
    fn groups_are_indented_and_lists_in_json() {
        let member = |text: &str| {
            let inside = vec![Parameter::text(MQCA_Q_MGR_NAME, text)];
            Parameter::new(MQGACF_MONITOR_CLASS, Content::Group(inside))
        };
        let parameters = [member("QM1  "), member("a\x1b[2J")];
        let mut text = String::new();
        parameters_as_text(&mut text, 0, &parameters);
        assert!(text.starts_with("Monitor Class:\n  Q Mgr Name "), "{text}");
        assert!(!text.contains('\x1b'), "what a program wrote is shown harmless");
        let told = parameters_as_json(&parameters);
        assert_eq!(told["monitorClass"][0]["queueMgrName"], "QM1");
        assert_eq!(told["monitorClass"].as_array().unwrap().len(), 2);
    }
}
