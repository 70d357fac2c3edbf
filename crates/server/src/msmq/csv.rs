//! Comma-separated values, as RFC 4180 and `Export-Csv` write them, to records.
//!
//! ```text
//! #TYPE Selected.System.Messaging.MessageQueue        a first line of older shells
//! "Path","Label","Transactional"                      the names
//! "srv1\private$\orders","Orders, ""new"" ones","True"
//! ```

use super::record::{FIELDS_MAX, Field, QUEUES_MAX, Record, Value, shortened};
use crate::configuration::Fault;

/// A line of the file, or several where a quoted value has ends of lines.
struct Row {
    line: usize,
    values: Vec<String>,
}

/// Reads a text.
pub(super) fn read(text: &str) -> Result<Vec<Record>, Fault> {
    let mut rows = Rows { text, at: 0, line: 1 };
    let mut heading = None;
    let mut records = Vec::new();
    while let Some(Row { line, values }) = rows.next()? {
        let fault = |what| Err(Fault { line, what });
        if values.len() == 1 && (values[0].trim().is_empty() || (line == 1 && values[0].starts_with("#TYPE")))
        {
            continue;
        }
        let Some(names) = &heading else {
            if values.len() == 1 && values[0].contains([';', '\t']) {
                return fault("the names are not separated by commas: export with -Delimiter ','".to_owned());
            }
            heading = Some(values);
            continue;
        };
        if values.len() != names.len() {
            return fault(format!(
                "the line has {} values, and the line of names has {}: export the file again",
                values.len(),
                names.len()
            ));
        }
        if records.len() == QUEUES_MAX {
            return fault(format!("the file has more than {QUEUES_MAX} queues: export it in parts"));
        }
        let field = |(name, value): (&String, String)| {
            let value = if value.is_empty() { Value::Absent } else { Value::Text(value) };
            Field { name: name.trim().to_owned(), value, line }
        };
        records.push(Record { line, fields: names.iter().zip(values).map(field).collect() });
    }
    Ok(records)
}

/// The rest of the text.
struct Rows<'text> {
    text: &'text str,
    at: usize,
    /// The line of the next byte, counted from one.
    line: usize,
}

impl Rows<'_> {
    fn next(&mut self) -> Result<Option<Row>, Fault> {
        if self.at == self.text.len() {
            return Ok(None);
        }
        let line = self.line;
        let mut values = Vec::new();
        loop {
            if values.len() == FIELDS_MAX {
                return Err(Fault { line, what: format!("the line has more than {FIELDS_MAX} values") });
            }
            values.push(self.value()?);
            let rest = &self.text[self.at..];
            if rest.starts_with(',') {
                self.at += 1;
                continue;
            }
            // A value ends before a comma, or an end of a line or of the text.
            self.at += if rest.starts_with("\r\n") { 2 } else { rest.len().min(1) };
            self.line += usize::from(!rest.is_empty());
            return Ok(Some(Row { line, values }));
        }
    }

    /// The next value. The place is behind it then.
    fn value(&mut self) -> Result<String, Fault> {
        let rest = &self.text[self.at..];
        let Some(quoted) = rest.strip_prefix('"') else {
            let end = rest.find([',', '\n']).unwrap_or(rest.len());
            let value = &rest[..end];
            let value =
                if rest[end..].starts_with('\n') { value.strip_suffix('\r').unwrap_or(value) } else { value };
            self.at += value.len();
            return Ok(value.to_owned());
        };
        let line = self.line;
        let fault = |what: String| Err(Fault { line, what });
        let (mut value, mut from) = (String::new(), 0);
        loop {
            let Some(quote) = quoted[from..].find('"') else {
                return fault("a quoted value has no end: export the file again, whole".to_owned());
            };
            value.push_str(&quoted[from..from + quote]);
            from += quote + 1;
            if !quoted[from..].starts_with('"') {
                break;
            }
            value.push('"');
            from += 1;
        }
        self.at += 1 + from;
        self.line += value.matches('\n').count();
        let behind = &self.text[self.at..];
        if behind.is_empty() || behind.starts_with([',', '\n']) || behind.starts_with("\r\n") {
            Ok(value)
        } else {
            fault(format!(
                "there is text behind the quoted value {}: export the file again",
                shortened(&value)
            ))
        }
    }
}
