//! `ferry route`: the way of a message from the name of a queue, over the queue managers that it passes.
//!
//! Always: each queue manager says its own part, by DISPLAY ROUTE; the first is asked by its connection, the
//! others by a command that goes their way as a message.

use mqi::ours::INQUIRE_ROUTE;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use clap::Args;
use mqi::constants::{MQCA_Q_MGR_NAME, MQCA_Q_NAME, MQCC_FAILED};
use mqi::{ObjectName, QueueManagerName};
use objects::attributes::{self, Kind};
use objects::pcf::{Content, Header, Message, Parameter};
use objects::{Attribute, StatusType, Subject, Value as Told, quoted};
use serde_json::{Map, Value, json};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, Paint, harmless};
use terminal::units;

use super::answer::shown;
use super::channel::field;
use crate::command_queue::{CommandQueue, Form};

/// Most queue managers that are asked: a longer way is a circle, or none that a person follows.
const HOPS_MAX: usize = 16;

#[derive(Debug, Args)]
pub(crate) struct RouteArguments {
    /// Queue, as a program would open it
    queue: String,
    /// Queue manager, as a program would name it with the queue
    #[arg(default_value = "")]
    queue_manager: String,
    /// Longest wait for each partner (such as 500ms, 5s)
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "5s")]
    wait: Duration,
    /// Ask no partner
    #[arg(long)]
    local: bool,
}

/// The part of the way at one queue manager.
struct Hop {
    at: String,
    queue: String,
    queue_manager: String,
    rows: Vec<Value>,
    /// The reason why the queue manager did not say its part.
    fault: Option<String>,
}

impl Hop {
    fn end(&self) -> Option<&Value> {
        self.rows.iter().find(|row| field(row, "kind") == "END")
    }

    /// The partner of the channel, where one has met it.
    fn partner(&self) -> Option<String> {
        let channels = self.rows.iter().filter(|row| field(row, "kind") == "CHANNEL");
        channels.map(|row| field(row, "rqmname")).find(|name| !name.is_empty())
    }

    /// The queue manager at the other end of the channel, or the one in the header, and the names in that.
    fn next(&self) -> Option<(String, String, String)> {
        let end = self.end().filter(|end| field(end, "ends") == "ELSEWHERE")?;
        let (queue, queue_manager) = (field(end, "rname"), field(end, "rqmname"));
        Some((self.partner().unwrap_or_else(|| queue_manager.clone()), queue, queue_manager))
    }

    fn as_json(&self) -> Value {
        let Self { at, queue, queue_manager, rows, fault } = self;
        json!({ "at": at, "queue": queue, "queue_manager": queue_manager, "steps": rows, "fault": fault })
    }
}

/// Shows the way.
pub(crate) fn run(common: &Common, arguments: &RouteArguments) -> Result<()> {
    let RouteArguments { queue, queue_manager, wait, local } = arguments;
    let name = |text: &str| {
        text.parse::<ObjectName>()
            .map_err(|_| Failure::usage(format!("{text} is no name of a queue or queue manager")))
    };
    name(queue)?;
    name(queue_manager)?;
    let mut session = connect::session(common)?;
    let at = session.queue_manager().to_owned();
    let own = display(&mut session, queue, queue_manager)?;
    let mut hops =
        vec![Hop { at, queue: queue.clone(), queue_manager: queue_manager.clone(), rows: own, fault: None }];
    while let Some((partner, queue, queue_manager)) = hops.last().and_then(Hop::next).filter(|_| !local) {
        let hops_before = hops.len();
        let is_known =
            |hop: &Hop| (&hop.at, &hop.queue, &hop.queue_manager) == (&partner, &queue, &queue_manager);
        let fault = if hops.iter().any(is_known) {
            Some("the way comes here again: it is a circle, and the 65th queue manager makes a dead letter of the message".to_owned())
        } else if hops.len() >= HOPS_MAX {
            Some(format!("{HOPS_MAX} queue managers were asked, and no more are"))
        } else {
            None
        };
        let (rows, fault) = match fault {
            Some(fault) => (Vec::new(), Some(fault)),
            None => match ask(common, &partner, (&queue, &queue_manager), *wait) {
                Ok(rows) => {
                    // The question went by the channel, which knows its partner now: that may be another.
                    if let Some(last) = hops.last_mut().filter(|last| last.partner().is_none()) {
                        last.rows = match hops_before {
                            1 => display(&mut session, &last.queue, &last.queue_manager)?,
                            _ => ask(common, &last.at, (&last.queue, &last.queue_manager), *wait)?,
                        };
                        if last.partner().is_some_and(|met| met != partner) {
                            continue;
                        }
                    }
                    (rows, None)
                }
                Err(failure) => {
                    let words = failure.to_string();
                    (Vec::new(), Some(words.trim_start_matches("ferry: ").to_owned()))
                }
            },
        };
        hops.push(Hop { at: partner, queue, queue_manager, rows, fault });
    }
    session.disconnect()?;
    show(common, &hops)?;
    let last = hops.last();
    let is_dead_end = last.and_then(Hop::end).is_some_and(|end| field(end, "ends") == "NOWHERE");
    if is_dead_end {
        return Err(Failure::new(
            Exit::NotFound,
            "the route leads to no queue: the last line above says why",
        ));
    }
    Ok(())
}

/// The part of the way at the queue manager that is connected to.
fn display(session: &mut Session, queue: &str, manager: &str) -> Result<Vec<Value>> {
    shown(session, &format!("DISPLAY ROUTE({}) QMNAME({})", quoted(queue), quoted(manager)))
}

/// The queue of this queue manager to which a name leads; none where it leads elsewhere, or nowhere.
///
/// # Errors
/// When the queue manager does not show the way.
pub(super) fn local_end(session: &mut Session, queue: &str, manager: &str) -> Result<Option<String>> {
    let rows = display(session, queue, manager)?;
    let end = rows.iter().find(|row| field(row, "kind") == "END" && field(row, "ends") == "LOCAL");
    Ok(end.map(|end| field(end, "name")))
}

/// Asks a partner for its part of the way.
fn ask(common: &Common, partner: &str, (queue, manager): (&str, &str), wait: Duration) -> Result<Vec<Value>> {
    let target: QueueManagerName =
        partner.parse().map_err(|_| Failure::usage(format!("{partner} is no name of a queue manager")))?;
    let mut indirect = CommandQueue::open(connect::session(common)?, Some(target), Form::Escape, wait)?;
    let parameters = vec![Parameter::text(MQCA_Q_NAME, queue), Parameter::text(MQCA_Q_MGR_NAME, manager)];
    let answers = indirect.inquire(&Message { header: Header::command(INQUIRE_ROUTE), parameters })?;
    indirect.end()?;
    let Some(answers) = answers else {
        return Err(Failure::new(
            Exit::Failed,
            format!("{partner} did not answer within {} ms", wait.as_millis()),
        ));
    };
    if let Some(refused) = answers.iter().find(|answer| answer.header.completion == MQCC_FAILED) {
        return Err(Failure::new(
            Exit::Refused,
            format!("{partner} refuses: reason {}", refused.header.reason),
        ));
    }
    Ok(answers.iter().filter(|answer| !answer.parameters.is_empty()).map(row_of).collect())
}

/// The row that an answer in binary form is.
fn row_of(answer: &Message) -> Value {
    let rows = || attributes::of(Subject::Status(StatusType::Route));
    let mut row = Map::new();
    for Parameter { identifier, content } in &answer.parameters {
        let Some(attribute) = rows().find(|row| row.identifier_number() == *identifier) else { continue };
        let value = match content {
            Content::Integer(number) if matches!(attribute.kind, Kind::Integer { .. }) => json!(number),
            Content::Integer(number) => json!(word_of(attribute, *number)),
            Content::Text(text) => json!(text.trim_end()),
            _ => continue,
        };
        row.insert(attribute.keyword.to_lowercase(), value);
    }
    Value::Object(row)
}

fn word_of(attribute: &Attribute, number: i32) -> String {
    Told::Integer(number).shown(attribute)
}

fn show(common: &Common, hops: &[Hop]) -> Result<()> {
    let mut out = output::standard();
    if common.output == Format::Json {
        for hop in hops {
            output::json_line(&mut out, &hop.as_json())?;
        }
        return Ok(out.flush()?);
    }
    let paint = Paint::for_stream(io::stdout().is_terminal());
    for hop in hops {
        let of =
            if hop.queue_manager.is_empty() { String::new() } else { format!(" of {}", hop.queue_manager) };
        let at = format!("at {}: queue {}{of}", hop.at, hop.queue);
        writeln!(out, "{}", paint.dim(harmless(&at)))?;
        for row in &hop.rows {
            writeln!(out, "  {}", harmless(&line(row)))?;
        }
        if let Some(fault) = &hop.fault {
            writeln!(out, "  not followed: {}", harmless(fault))?;
        }
    }
    Ok(out.flush()?)
}

fn line(row: &Value) -> String {
    let get = |name| field(row, name);
    let kind = get("kind");
    let what = match kind.as_str() {
        "CHANNEL" => format!("channel {} {} {}", get("name"), get("chltype"), get("status")),
        "END" => match get("ends").as_str() {
            "NOWHERE" => "dead end".to_owned(),
            _ => "end".to_owned(),
        },
        _ => format!("{} {}", get("objtype"), get("name")),
    };
    let mut notes = vec![get("rule")];
    let mut note = |label: &str, value: String| {
        if !value.is_empty() {
            notes.push(format!("{label} {value}"));
        }
    };
    if kind == "OBJECT" {
        note("stands for", get("target"));
        let remote =
            [get("rname"), get("rqmname")].map(|name| if name.is_empty() { "-".to_owned() } else { name });
        if remote != ["-", "-"] {
            note("leads to", format!("{} at {}", remote[0], remote[1]));
        }
        note("by", get("xmitq"));
        note("messages on it:", get("curdepth"));
    } else if kind == "CHANNEL" {
        note("calls", get("conname"));
        note("partner", get("rqmname"));
    } else if get("reason") != "0" {
        note("reason", get("reason"));
    }
    format!("{:>2}  {what:34}  {}", get("step"), notes.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_binary_form_is_the_row_that_a_display_shows() {
        let number = |keyword: &str| {
            let rows = attributes::of(Subject::Status(StatusType::Route));
            rows.into_iter().find(|row| row.keyword == keyword).unwrap().identifier_number()
        };
        let parameters = vec![
            Parameter::integer(number("STEP"), 3),
            Parameter::integer(number("KIND"), attributes::ROUTE_END),
            Parameter::integer(number("ENDS"), attributes::ROUTE_LOCAL),
            Parameter::text(number("NAME"), "IN      "),
            Parameter::integer(9_999, 1),
        ];
        let row = row_of(&Message { header: Header::command(INQUIRE_ROUTE), parameters });
        assert_eq!(row, json!({ "step": 3, "kind": "END", "ends": "LOCAL", "name": "IN" }));
    }
}
