//! A message as it is printed: its body as a line, its descriptor as lines, all of it as JSON.

use std::fmt::Write as _;
use std::io::{self, Write};

use bytes::Bytes;
use mqi::{MessageDescriptor, Persistence};
use serde_json::{Map, Value, json};

use crate::{gist, text};
use terminal::output::harmless;
use terminal::units;

/// A message that was got or browsed.
pub(crate) struct Message {
    /// Its descriptor.
    pub(crate) descriptor: MessageDescriptor,
    /// Its body.
    pub(crate) body: Bytes,
}

impl Message {
    /// Writes the body and a line end: to a terminal without what could upset it, elsewhere byte for byte.
    pub(crate) fn write_body(&self, output: &mut impl Write, is_terminal: bool) -> io::Result<()> {
        if is_terminal {
            output.write_all(text::printable(&self.body).as_bytes())?;
        } else {
            output.write_all(&self.body)?;
        }
        output.write_all(b"\n")
    }

    /// The descriptor, one fact a line, facts that say nothing left out.
    pub(crate) fn description(&self) -> String {
        let descriptor = &self.descriptor;
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
        if !descriptor.format.is_blank() {
            line("format", &descriptor.format);
        }
        if descriptor.backout_count > 0 {
            line("backed out", &units::counted(descriptor.backout_count as u64, "time"));
        }
        line("length", &units::bytes(self.body.len() as u64));
        text
    }

    /// Everything, for programs.
    pub(crate) fn to_json(&self) -> Value {
        let descriptor = &self.descriptor;
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
        object.insert("format".into(), descriptor.format.as_str().into());
        if !descriptor.reply_to_queue.is_blank() {
            object.insert("reply_to".into(), reply_to(descriptor).into());
        }
        object.insert("backout_count".into(), descriptor.backout_count.into());
        object.insert("length".into(), self.body.len().into());
        match std::str::from_utf8(&self.body) {
            Ok(text) => object.insert("body".into(), text.into()),
            Err(_) => object.insert("body_hex".into(), text::hexadecimal(&self.body).into()),
        };
        if let Some(content) = gist::to_json(descriptor, &self.body) {
            object.insert("content".into(), content);
        }
        json!(object)
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
        assert_eq!(message(b"hello").to_json()["body"], "hello");
        assert_eq!(message(b"\xFF\x00").to_json()["body_hex"], "FF00");
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
