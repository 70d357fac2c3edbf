//! Commands and counters: answers of any length, carried as bodies.

use crate::Error;
use mqi::Reason;
use wire::fields::{Fields, put_long_text, put_short_text, put_u32, put_u64};

/// Way of ending a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopMode {
    /// When its applications have disconnected.
    Quiesce,
    /// When the calls under way have ended.
    Immediate,
    /// At once.
    Preemptive,
}

impl StopMode {
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Quiesce => 0,
            Self::Immediate => 1,
            Self::Preemptive => 2,
        }
    }

    pub(super) const fn from_number(number: u8) -> Result<Self, Error> {
        match number {
            0 => Ok(Self::Quiesce),
            1 => Ok(Self::Immediate),
            2 => Ok(Self::Preemptive),
            _ => Err(Error::field("stop mode", Reason::OPTIONS_ERROR)),
        }
    }
}

/// A line the queue manager said about a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandMessage {
    /// Its number, such as `FRY8006I`.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// Result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandResponse {
    /// True if it failed.
    pub failed: bool,
    /// Messages of the result.
    pub messages: Vec<CommandMessage>,
    /// Rows of a display: for each object its attributes and their values as MQSC writes them.
    pub rows: Vec<Vec<(String, String)>>,
    /// The answer as JSON.
    pub json: String,
    /// All of it as a person reads it.
    pub text: String,
}

impl CommandResponse {
    /// The answer whose parts these are: objects behind objects, messages behind messages.
    #[must_use]
    pub fn joined(mut parts: Vec<Self>) -> Self {
        if parts.len() <= 1 {
            return parts.pop().unwrap_or_default();
        }
        let mut whole = Self::default();
        let (mut texts, mut objects, mut messages) = (String::new(), Vec::new(), Vec::new());
        for part in &mut parts {
            let text = part.text.len() - part.messages_bytes();
            whole.text.push_str(&part.text[..text]);
            texts.push_str(&part.text[text..]);
            whole.failed |= part.failed;
            whole.rows.append(&mut part.rows);
            whole.messages.append(&mut part.messages);
        }
        whole.text.push_str(&texts);
        for (some_messages, some_objects) in parts.iter().filter_map(|part| lists(&part.json)) {
            messages.extend(Some(some_messages).filter(|list| !list.is_empty()));
            objects.extend(Some(some_objects).filter(|list| !list.is_empty()));
        }
        let (messages, objects) = (messages.join(","), objects.join(","));
        whole.json = [MESSAGES_BEGIN, &messages, OBJECTS_BEGIN, &objects, OBJECTS_END].concat();
        whole
    }

    /// Bytes at the end of the text that its messages take, a line each.
    fn messages_bytes(&self) -> usize {
        let mut left = self.text.as_str();
        for message in self.messages.iter().rev() {
            let line = format!("{}: {}\n", message.id, message.text);
            left = left.strip_suffix(&*line).unwrap_or(left);
        }
        self.text.len() - left.len()
    }

    /// Its bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![u8::from(self.failed)];
        put_u32(&mut out, self.messages.len() as u32);
        for message in &self.messages {
            put_short_text(&mut out, &message.id);
            put_long_text(&mut out, &message.text);
        }
        put_u32(&mut out, self.rows.len() as u32);
        for row in &self.rows {
            put_u32(&mut out, row.len() as u32);
            for (name, value) in row {
                put_short_text(&mut out, name);
                put_long_text(&mut out, value);
            }
        }
        put_long_text(&mut out, &self.text);
        put_long_text(&mut out, &self.json);
        out
    }

    /// Reads them.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(bytes);
        let failed = fields.u8("failed")? != 0;
        let messages = (0..fields.count(5, "messages")?)
            .map(|_| {
                Ok(CommandMessage {
                    id: fields.short_text("message number")?.to_owned(),
                    text: fields.long_text("message text")?.to_owned(),
                })
            })
            .collect::<Result<_, Error>>()?;
        let rows = (0..fields.count(4, "rows")?)
            .map(|_| {
                (0..fields.count(5, "attributes")?)
                    .map(|_| {
                        let name = fields.short_text("attribute name")?.to_owned();
                        Ok((name, fields.long_text("attribute value")?.to_owned()))
                    })
                    .collect::<Result<_, Error>>()
            })
            .collect::<Result<_, Error>>()?;
        let text = fields.long_text("text")?.to_owned();
        let json = fields.long_text("json")?.to_owned();
        Ok(Self { failed, messages, rows, json, text })
    }
}

const MESSAGES_BEGIN: &str = "{\"messages\":[";
const OBJECTS_BEGIN: &str = "],\"objects\":[";
const OBJECTS_END: &str = "]}";

/// The messages and the objects of an answer in JSON.
fn lists(json: &str) -> Option<(&str, &str)> {
    // A quote within a text has a backslash before it, so that this is found in no text.
    let (messages, objects) = json.split_once(OBJECTS_BEGIN)?;
    Some((messages.strip_prefix(MESSAGES_BEGIN)?, objects.trim_end().strip_suffix(OBJECTS_END)?))
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// Its count.
    pub value: u64,
}

/// Counters of one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectStatistics {
    /// Its name.
    pub name: String,
    /// Its counters.
    pub counters: Vec<Counter>,
}

/// Counters of a queue manager and its objects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Of the queue manager and the process.
    pub counters: Vec<Counter>,
    /// Of queues.
    pub queues: Vec<ObjectStatistics>,
}

impl Statistics {
    /// Its bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_counters(&mut out, &self.counters);
        put_u32(&mut out, self.queues.len() as u32);
        for queue in &self.queues {
            put_short_text(&mut out, &queue.name);
            put_counters(&mut out, &queue.counters);
        }
        out
    }

    /// Reads them; fields that a later release appended are skipped.
    ///
    /// # Errors
    /// When a field is cut.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let mut fields = Fields::of(bytes);
        let counters = take_counters(&mut fields)?;
        let queues = (0..fields.count(5, "queues")?)
            .map(|_| {
                let name = fields.short_text("queue name")?.to_owned();
                Ok(ObjectStatistics { name, counters: take_counters(&mut fields)? })
            })
            .collect::<Result<_, Error>>()?;
        Ok(Self { counters, queues })
    }
}

fn put_counters(out: &mut Vec<u8>, counters: &[Counter]) {
    put_u32(out, counters.len() as u32);
    for counter in counters {
        put_short_text(out, &counter.name);
        put_u64(out, counter.value);
    }
}

fn take_counters(fields: &mut Fields<'_>) -> Result<Vec<Counter>, Error> {
    (0..fields.count(9, "counters")?)
        .map(|_| {
            let name = fields.short_text("counter name")?.to_owned();
            Ok(Counter { name, value: fields.u64("counter")? })
        })
        .collect()
}
