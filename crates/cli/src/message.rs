//! A message as it is printed: its body as a line, its descriptor and properties as lines, all of it as JSON.

use std::fmt::Write as _;
use std::io::{self, Write};

use bytes::Bytes;
use clap::Args;
use mqi::properties::{PropertyValue, name};
use mqi::{MessageDescriptor, Persistence};
use serde_json::{Map, Value, json};

use crate::content::Content;
use crate::{body_summary, text};
use terminal::output::harmless;
use terminal::units;

/// Most bytes of a message: the interface's own limit.
pub(crate) const MESSAGE_BYTES_MAX: usize = 100 << 20;

/// A message that was got or browsed.
pub(crate) struct Message {
    /// Its descriptor.
    pub(crate) descriptor: MessageDescriptor,
    /// Its body, with the headers before the data.
    pub(crate) body: Bytes,
}

impl Message {
    /// The parts to print.
    pub(crate) fn parts(&self, form: BodyForm) -> Printed<'_> {
        let content = match form {
            BodyForm::Apart => Content::of(&self.descriptor, &self.body),
            BodyForm::Raw => Content::whole(&self.descriptor, &self.body),
        };
        Printed { descriptor: &self.descriptor, content, form }
    }
}

/// Choice of the bytes of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Args)]
#[group(skip)]
pub(crate) struct RawArgument {
    /// Show bodies as their bytes, with the headers and properties before the data
    #[arg(long)]
    raw: bool,
}

impl RawArgument {
    /// The form that is meant.
    pub(crate) const fn form(self) -> BodyForm {
        if self.raw { BodyForm::Raw } else { BodyForm::Apart }
    }
}

/// Form of a body that is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyForm {
    /// The data; headers and properties apart.
    Apart,
    /// All bytes.
    Raw,
}

/// A message taken apart to be printed.
pub(crate) struct Printed<'a> {
    descriptor: &'a MessageDescriptor,
    content: Content,
    form: BodyForm,
}

impl Printed<'_> {
    /// Writes the data and a line end: to a terminal as text without what could upset it, elsewhere byte for
    /// byte.
    pub(crate) fn write_body(&self, output: &mut impl Write, is_terminal: bool) -> io::Result<()> {
        let data = &self.content.data;
        match self.form {
            _ if !is_terminal => output.write_all(data)?,
            BodyForm::Raw => output.write_all(text::printable(data).as_bytes())?,
            BodyForm::Apart => {
                output.write_all(text::printable(&self.content.shown(data.len())).as_bytes())?;
            }
        }
        output.write_all(b"\n")
    }

    /// The descriptor, headers and properties, one fact a line, facts that say nothing left out.
    pub(crate) fn description(&self) -> String {
        let descriptor = self.descriptor;
        let mut text = String::new();
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "  {name:16}{}", harmless(&value.to_string()));
        };
        line("message id", &descriptor.message_id);
        if !descriptor.correlation_id.is_none() {
            line("correlation id", &descriptor.correlation_id);
        }
        if !descriptor.group_id.is_none() {
            line("group id", &descriptor.group_id);
        }
        line("type", &message_type(descriptor));
        line("persistence", &persistence(descriptor.persistence));
        line("priority", &descriptor.priority.code());
        if let Some(tenths) = descriptor.expiry.limit() {
            line("expires in", &format!("{:.1} s", f64::from(tenths) / 10.0));
        }
        line("put", &put_time(descriptor));
        if !descriptor.put_application_name.is_blank() {
            line("put by", &descriptor.put_application_name);
        }
        if !descriptor.user_identifier.is_blank() {
            line("user", &descriptor.user_identifier);
        }
        if !descriptor.reply_to_queue.is_blank() {
            line("reply to", &reply_to(descriptor));
        }
        if descriptor.backout_count > 0 {
            line("backed out", &units::counted(descriptor.backout_count as u64, "time"));
        }
        for header in &self.content.headers {
            line("header", &format!("{}: {}", header.format().trim_end(), body_summary::header(header)));
        }
        for property in &self.content.properties {
            line(
                "property",
                &format!("{} = {}", name::short(&property.name), value_as_text(&property.value)),
            );
        }
        if !self.content.place.format.is_blank() {
            line("format", &self.content.place.format);
        }
        line("length", &units::bytes(self.content.data.len() as u64));
        text
    }

    /// Everything, for programs.
    pub(crate) fn to_json(&self) -> Value {
        let (descriptor, content) = (self.descriptor, &self.content);
        let mut object = Map::new();
        object.insert("message_id".into(), descriptor.message_id.to_string().into());
        if !descriptor.correlation_id.is_none() {
            object.insert("correlation_id".into(), descriptor.correlation_id.to_string().into());
        }
        if !descriptor.group_id.is_none() {
            object.insert("group_id".into(), descriptor.group_id.to_string().into());
        }
        object.insert("type".into(), message_type(descriptor).into());
        object.insert("persistent".into(), (descriptor.persistence == Persistence::Persistent).into());
        object.insert("priority".into(), descriptor.priority.code().into());
        if let Some(tenths) = descriptor.expiry.limit() {
            object.insert("expires_in_seconds".into(), (f64::from(tenths) / 10.0).into());
        }
        object.insert("put_at".into(), put_time(descriptor).into());
        object.insert("put_by".into(), descriptor.put_application_name.as_str().into());
        object.insert("user".into(), descriptor.user_identifier.as_str().into());
        object.insert("format".into(), content.place.format.as_str().into());
        if !descriptor.reply_to_queue.is_blank() {
            object.insert("reply_to".into(), reply_to(descriptor).into());
        }
        object.insert("backout_count".into(), descriptor.backout_count.into());
        if !content.headers.is_empty() {
            let headers = content
                .headers
                .iter()
                .map(|header| json!({ "format": header.format().trim_end(), "text": body_summary::header(header) }));
            object.insert("headers".into(), headers.collect::<Vec<Value>>().into());
        }
        if !content.properties.is_empty() {
            object.insert("properties".into(), self.properties().into());
        }
        object.insert("length".into(), content.data.len().into());
        let text = match self.form {
            BodyForm::Apart => content.text(),
            BodyForm::Raw => std::str::from_utf8(&content.data).ok().map(Into::into),
        };
        match text {
            Some(text) => object.insert("body".into(), text.into()),
            None => object.insert("body_hex".into(), text::hexadecimal(&content.data).into()),
        };
        json!(object)
    }

    /// The value of a property by the name that programs know.
    pub(crate) fn property(&self, name: &str) -> Option<&PropertyValue> {
        let found = self.content.properties.iter().find(|property| name::short(&property.name) == name);
        found.map(|property| &property.value)
    }

    /// The properties by the names that programs know; of several with one name the first, as MQINQMP
    /// answers.
    fn properties(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        for property in &self.content.properties {
            let name = name::short(&property.name);
            properties.entry(name).or_insert_with(|| value_to_json(&property.value));
        }
        properties
    }
}

/// A value for a person.
fn value_as_text(value: &PropertyValue) -> String {
    match value_to_json(value) {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// A value for programs: bytes as hexadecimal digits, fractions that are no numbers as their words.
fn value_to_json(value: &PropertyValue) -> Value {
    let fraction = |number: f64| {
        serde_json::Number::from_f64(number).map_or_else(|| number.to_string().into(), Value::Number)
    };
    match value {
        PropertyValue::Null => Value::Null,
        PropertyValue::Boolean(value) => (*value).into(),
        PropertyValue::Bytes(bytes) => text::hexadecimal(bytes).into(),
        PropertyValue::Int8(number) => (*number).into(),
        PropertyValue::Int16(number) => (*number).into(),
        PropertyValue::Int32(number) => (*number).into(),
        PropertyValue::Int64(number) => (*number).into(),
        PropertyValue::Float32(number) => fraction(f64::from(*number)),
        PropertyValue::Float64(number) => fraction(*number),
        PropertyValue::Text(text) => text.as_str().into(),
    }
}

/// `persistent` or `non-persistent`.
pub(crate) fn persistence(persistence: Persistence) -> &'static str {
    match persistence {
        Persistence::Persistent => "persistent",
        Persistence::NotPersistent => "non-persistent",
        Persistence::AsQueueDefault => "as the queue says",
    }
}

/// `2026-11-20 09:26:53.12 UTC` from the put date and time; as they are, without what could upset a terminal,
/// when they are not of that form: a program that passes context sets them as it likes.
pub(crate) fn put_time(descriptor: &MessageDescriptor) -> String {
    let (date, time) = (descriptor.put_date.as_str(), descriptor.put_time.as_str());
    let is_of_form = |text: &str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !(is_of_form(date) && is_of_form(time)) {
        return harmless(format!("{date} {time}").trim()).into_owned();
    }
    format!(
        "{}-{}-{} {}:{}:{}.{} UTC",
        &date[..4],
        &date[4..6],
        &date[6..],
        &time[..2],
        &time[2..4],
        &time[4..6],
        &time[6..]
    )
}

fn message_type(descriptor: &MessageDescriptor) -> String {
    match descriptor.message_type {
        mqi::MessageType::DATAGRAM => "datagram".to_owned(),
        mqi::MessageType::REQUEST => "request".to_owned(),
        mqi::MessageType::REPLY => "reply".to_owned(),
        mqi::MessageType::REPORT => "report".to_owned(),
        other => other.code().to_string(),
    }
}

fn reply_to(descriptor: &MessageDescriptor) -> String {
    if descriptor.reply_to_queue_manager.is_blank() {
        descriptor.reply_to_queue.to_string()
    } else {
        format!("{} at {}", descriptor.reply_to_queue, descriptor.reply_to_queue_manager)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_no_text_is_hexadecimal_in_json() {
        let message =
            |body: &'static [u8]| Message { descriptor: MessageDescriptor::default(), body: body.into() };
        for form in [BodyForm::Apart, BodyForm::Raw] {
            assert_eq!(message(b"hello").parts(form).to_json()["body"], "hello");
            assert_eq!(message(b"\xFF\x00").parts(form).to_json()["body_hex"], "FF00");
        }
    }

    #[test]
    fn the_put_time_is_readable() {
        let descriptor = MessageDescriptor {
            put_date: mqi::Text::truncated("20261120"),
            put_time: mqi::Text::truncated("09265312"),
            ..MessageDescriptor::default()
        };
        assert_eq!(put_time(&descriptor), "2026-11-20 09:26:53.12 UTC");
        assert_eq!(put_time(&MessageDescriptor::default()), "");
        let forged = MessageDescriptor {
            put_date: "\u{1b}[2J\n\u{9b}m".parse().unwrap(),
            put_time: "\r\u{202e}10".parse().unwrap(),
            ..MessageDescriptor::default()
        };
        assert_eq!(put_time(&forged), "\\u{1b}[2J\\n\\u{9b}m \\r\\u{202e}10");
    }
}
