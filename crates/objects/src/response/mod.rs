//! The answer to a command: rows of attributes and messages, and both as text and as JSON.
//!
//! Always: text and JSON come from the same rows.

use std::fmt::{self, Write as _};

use crate::attributes::{Attribute, Effect, Kind};
use crate::harmless::{harmless, push_json};
use crate::messages::{self, Message, MessageRow, Severity};
use crate::mqsc::Setting;
use crate::value::Value;

/// The answer to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// The objects shown.
    pub rows: Vec<Row>,
    /// Messages besides.
    pub messages: Vec<Message>,
    /// The key of the last thing in this part of an answer, where more follow.
    pub rest: Option<Box<str>>,
}

/// One object shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The message that introduces it.
    pub heading: &'static MessageRow,
    /// Its attributes, in the order in which they are shown.
    pub fields: Vec<Field>,
}

/// One attribute shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The attribute's row.
    pub attribute: &'static Attribute,
    /// Its value.
    pub value: Value,
}

/// Bytes of a message beside its text, and of a row beside its attributes: number, heading, punctuation.
const MESSAGE_BYTES: usize = 80;

/// Bytes of an attribute beside its keyword and value: lengths, quotes, brackets, blanks.
const FIELD_BYTES: usize = 24;

/// Where the second column begins, counted from the first.
const COLUMN_WIDTH: usize = 40;

impl Response {
    /// An answer of one message.
    pub fn message(message: Message) -> Self {
        Self { messages: vec![message], ..Self::default() }
    }

    /// The answer to a definition, which names the attributes that were given a value of their own and have
    /// no effect.
    #[must_use]
    pub fn naming_kept(mut self, settings: &[Setting]) -> Self {
        let is_kept = |setting: &&Setting| {
            let row = setting.attribute;
            row.effect == Effect::KeptOnly && setting.value != row.default_value()
        };
        let kept: Vec<&str> = settings.iter().filter(is_kept).map(|it| it.attribute.keyword).collect();
        if !kept.is_empty() && self.is_ok() {
            self.messages.push(Message::new(&messages::ATTRIBUTES_KEPT, [kept.join(", ")]));
        }
        self
    }

    /// The name of the object that a page ends with, where more follow.
    pub fn page_end(&self) -> Option<&str> {
        let end = self.messages.iter().find(|message| message.row() == &messages::PAGE_ENDS)?;
        end.inserts().first().map(String::as_str)
    }

    /// Ends an answer that goes on behind its rows: a page that was asked for earlier than it was to, at the
    /// end of a name, anything else with a warning.
    #[must_use]
    pub fn ended(mut self, is_page: bool) -> Self {
        if self.rest.take().is_none() {
            return self;
        }
        let name = |row: &Row| row.fields.first().and_then(|field| field.value.as_text()).map(str::to_owned);
        let last = self.rows.last().and_then(name);
        let whole = self.rows.iter().rposition(|row| name(row) != last);
        match (is_page, whole) {
            (true, Some(whole)) => {
                self.rows.truncate(whole + 1);
                let name = self.rows.last().and_then(name).unwrap_or_default();
                self.messages.push(Message::new(&messages::PAGE_ENDS, [name]));
            }
            _ => self.messages.push(Message::new(&messages::ANSWER_CUT, [self.rows.len()])),
        }
        self
    }

    /// Notes that the answer to a further command is left out.
    pub fn leave_out(&mut self, is_ok: bool) {
        let row = if is_ok { &messages::ANSWERS_LEFT_OUT } else { &messages::FAILURES_LEFT_OUT };
        if !self.messages.iter().any(|message| message.row() == row) {
            self.messages.push(Message::new::<&str>(row, []));
        }
    }

    /// Returns true if the command did what it was asked.
    pub fn is_ok(&self) -> bool {
        self.messages.iter().all(|message| message.row().severity < Severity::Error)
    }

    /// Bytes that it takes on its way to a program, about: its rows and messages as data, as text and as
    /// JSON.
    pub fn weight(&self) -> usize {
        let rows: usize = self.rows.iter().map(Row::weight).sum();
        rows + self.messages.iter().map(|message| MESSAGE_BYTES + 3 * message.text().len()).sum::<usize>()
    }

    /// The answer as JSON: `{"messages":[…],"objects":[{"queue":"A","maxdepth":5000,"share":true}]}`.
    pub fn to_json(&self) -> String {
        let mut json = String::from("{\"messages\":[");
        for (index, message) in self.messages.iter().enumerate() {
            separate(index, &mut json);
            let row = message.row();
            let _ =
                write!(json, "{{\"id\":\"{}\",\"severity\":\"{}\",\"text\":", row.id(), row.severity.word());
            write_json_string(&message.text(), &mut json);
            json.push('}');
        }
        json.push_str("],\"objects\":[");
        for (index, row) in self.rows.iter().enumerate() {
            separate(index, &mut json);
            row.write_json(&mut json);
        }
        json.push_str("]}");
        json
    }
}

impl fmt::Display for Response {
    /// Two columns, each object under its heading, then the messages; every line ends.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            writeln!(formatter, "{}", Message::new::<&str>(row.heading, []))?;
            row.fmt(formatter)?;
        }
        self.messages.iter().try_for_each(|message| writeln!(formatter, "{message}"))
    }
}

impl Row {
    /// The value of the attribute with this keyword.
    pub fn get(&self, keyword: &str) -> Option<&Value> {
        self.fields.iter().find(|field| field.attribute.keyword == keyword).map(|field| &field.value)
    }

    /// Bytes that it takes on its way to a program, about.
    pub fn weight(&self) -> usize {
        let weight = |field: &Field| {
            FIELD_BYTES + 3 * (field.attribute.keyword.len() + field.value.weight(field.attribute))
        };
        MESSAGE_BYTES + self.fields.iter().map(weight).sum::<usize>()
    }

    fn write_json(&self, json: &mut String) {
        json.push('{');
        for (index, field) in self.fields.iter().enumerate() {
            separate(index, json);
            let _ = write!(json, "\"{}\":", field.attribute.keyword.to_ascii_lowercase());
            match (&field.value, field.attribute.kind) {
                (Value::Integer(number), Kind::Switch { .. }) => {
                    json.push_str(if *number == 0 { "false" } else { "true" });
                }
                (Value::Texts(texts), _) => write_json_list(texts.iter().map(|text| text.to_string()), json),
                (Value::Integers(numbers), _) => {
                    let shown = |number: &i32| Value::Integer(*number).shown(field.attribute);
                    write_json_list(numbers.iter().map(shown), json);
                }
                (Value::Integer(number), _) if field.attribute.word_text(*number).is_none() => {
                    let _ = write!(json, "{number}");
                }
                (value, _) => write_json_string(&value.shown(field.attribute), json),
            }
        }
        json.push('}');
    }
}

impl fmt::Display for Row {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pending: Option<String> = None;
        for field in &self.fields {
            let text = field.to_string();
            let is_wide = text.chars().count() >= COLUMN_WIDTH;
            match pending.take() {
                Some(first) if is_wide => write!(formatter, "   {first}\n   {text}\n")?,
                Some(first) => writeln!(formatter, "   {first:COLUMN_WIDTH$}{text}")?,
                None if is_wide => writeln!(formatter, "   {text}")?,
                None => pending = Some(text),
            }
        }
        pending.map_or(Ok(()), |last| writeln!(formatter, "   {last}"))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.value.shown(self.attribute);
        let shown = harmless(&shown);
        match self.attribute.kind {
            Kind::Switch { .. } => formatter.write_str(&shown),
            _ if shown.is_empty() => write!(formatter, "{}( )", self.attribute.keyword),
            _ => write!(formatter, "{}({shown})", self.attribute.keyword),
        }
    }
}

/// The summary of a script; prints as the lines that end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScriptSummary {
    /// Statements read.
    pub read: usize,
    /// Statements that were no command.
    pub syntax_errors: usize,
    /// Commands that were refused or failed.
    pub failed: usize,
}

impl ScriptSummary {
    /// Returns true if all went well.
    pub fn is_ok(&self) -> bool {
        self.syntax_errors == 0 && self.failed == 0
    }
}

impl fmt::Display for ScriptSummary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commands = |count: usize| match count {
            0 => "No commands".to_owned(),
            1 => "One command".to_owned(),
            count => format!("{count} commands"),
        };
        writeln!(formatter, "{} read.", commands(self.read))?;
        writeln!(formatter, "{} with a syntax error.", commands(self.syntax_errors))?;
        match self.failed {
            0 => writeln!(formatter, "All valid commands were processed."),
            count => writeln!(formatter, "{} could not be processed.", commands(count)),
        }
    }
}

fn separate(index: usize, json: &mut String) {
    if index > 0 {
        json.push(',');
    }
}

fn write_json_list(texts: impl Iterator<Item = String>, json: &mut String) {
    json.push('[');
    for (index, text) in texts.enumerate() {
        separate(index, json);
        write_json_string(&text, json);
    }
    json.push(']');
}

fn write_json_string(text: &str, json: &mut String) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            other => push_json(json, other),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests;
