//! amqsevt: messages in binary form, such as events, as text or JSON.
//!
//! Always: a message is taken off its queue only once it is printed; one that is not in binary form is named
//! and left out of the output, and its place goes on.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use mqi::constants::{self, MQFMT_ADMIN, MQFMT_EVENT, MQFMT_PCF};
use mqi::{
    CloseOptions, GetFlags, GetOptions, Got, MessageDescriptor, ObjectHandle, OpenOptions, Reason,
    SubscribeOptions, SubscriptionDescriptor, Wait,
};
use objects::pcf::{ByteOrder, Content, Message, Parameter};
use serde_json::{Map, Value, json};

use super::clients;
use super::tool::{Answer, Tool, Trouble, common, ended, forget_password, note};
use super::words::Typed;
use crate::commands::get::MESSAGE_BYTES_MAX;
use crate::interrupt::Interrupt;
use terminal::connect::{self, Session};
use terminal::failure::Failure;
use terminal::output::{self, Output, harmless};

pub(super) const SHOW: Tool = Tool {
    name: "amqsevt",
    usage: "[-m QMGR] [-q QUEUE | -t TOPIC] [-b] [-w SECONDS] [-o text | json | json_compact] [-c] [-u USER]",
    options: &["m=", "q=", "t=", "b", "w=", "o=", "c", "u="],
    misuse: ended::UNEXPECTED,
    run: show,
};

/// The queue of events of the queue manager itself.
const QUEUE: &str = "SYSTEM.ADMIN.QMGR.EVENT";

/// So often a wait looks whether an end is wanted.
const LOOK: Duration = Duration::from_millis(250);

/// The form of what is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    JsonCompact,
}

/// The source of messages.
struct Source {
    name: String,
    is_topic: bool,
    handle: ObjectHandle,
    flags: GetFlags,
}

fn wrong(words: String) -> Trouble {
    Trouble::new(ended::UNEXPECTED, words)
}

fn show(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        return Err(wrong(format!("what is {word}? A queue manager is named by -m, a queue by -q")));
    }
    let form = match typed.value("o").map(str::to_ascii_lowercase).as_deref() {
        None | Some("text") => Form::Text,
        Some("json") => Form::Json,
        Some("json_compact") => Form::JsonCompact,
        Some(other) => {
            return Err(wrong(format!("-o {other} is not there; text, json and json_compact are")));
        }
    };
    let patience = match typed.value("w") {
        None => None,
        Some(text) => {
            let seconds: u32 =
                text.parse().map_err(|_| wrong(format!("-w {text} is no number of seconds")))?;
            Some(Duration::from_secs(seconds.into()))
        }
    };
    if typed.value("q").is_some() && typed.value("t").is_some() {
        return Err(wrong("-q and -t exclude each other".to_owned()));
    }
    if typed.value("u").is_some() {
        forget_password("-u")?;
    }
    let failed = Trouble::of(ended::UNEXPECTED);
    let mut session = session(typed)?;
    let interrupt = Interrupt::listen().map_err(Trouble::from)?;
    let source = open(&mut session, typed).map_err(&failed)?;
    let mut output = output::standard();
    let printed = print_all(&mut session, &source, (form, patience), &interrupt, &mut output);
    output.flush()?;
    printed.map_err(&failed)?;
    session.disconnect().map_err(failed)?;
    Ok(ended::OK)
}

fn session(typed: &Typed) -> Result<Session, Trouble> {
    let common = common(typed.value("m"));
    let failed = Trouble::of(ended::UNEXPECTED);
    if !typed.has("c") {
        return connect::session(&common).map_err(failed);
    }
    let mut refused = None;
    for place in clients::places(&common).map_err(wrong)? {
        match connect::session(&place) {
            Ok(session) => return Ok(session),
            Err(failure) => refused = Some(failed(failure)),
        }
    }
    Err(refused.unwrap_or_else(|| wrong("no host to connect to is named".to_owned())))
}

fn open(session: &mut Session, typed: &Typed) -> Result<Source, Failure> {
    let browses = typed.has("b");
    let flags = GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    let flags = flags | if browses { GetFlags::BROWSE_NEXT } else { GetFlags::SYNCPOINT };
    if let Some(topic) = typed.value("t") {
        let options =
            SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::FAIL_IF_QUIESCING;
        let wanted = SubscriptionDescriptor::to(topic, options);
        let what = || format!("cannot subscribe to {topic}");
        let subscribed = session.verbs().subscribe(&wanted, None);
        let subscribed = subscribed.map_err(|reason| Failure::of_call(what(), reason))?;
        let handle = subscribed.queue.ok_or_else(|| Failure::of_call(what(), Reason::HOBJ_ERROR))?;
        return Ok(Source { name: topic.to_owned(), is_topic: true, handle, flags });
    }
    let name = typed.value("q").unwrap_or(QUEUE);
    let way = if browses { OpenOptions::BROWSE } else { OpenOptions::INPUT_AS_Q_DEF };
    let opened = session.open_queue(connect::queue_name(name)?, way | OpenOptions::FAIL_IF_QUIESCING)?;
    Ok(Source { name: opened.object_name.to_string(), is_topic: false, handle: opened.handle, flags })
}

/// Prints messages until an end is wanted or none comes for so long.
fn print_all(
    session: &mut Session,
    source: &Source,
    (form, patience): (Form, Option<Duration>),
    interrupt: &Interrupt,
    output: &mut Output,
) -> Result<(), Failure> {
    let queue_manager = session.queue_manager().to_owned();
    let call = |what: &str, reason| Failure::of_call(format!("cannot {what} {}", source.name), reason);
    let mut last = Instant::now();
    let mut number = 0_u64;
    while !interrupt.is_wanted() {
        let left = patience.map_or(LOOK, |patience| patience.saturating_sub(last.elapsed()).min(LOOK));
        let mut options = GetOptions::with(source.flags, Wait::from(left));
        let mut descriptor = MessageDescriptor::default();
        match session.verbs().get(source.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => {
                number += 1;
                let shown = shown(&descriptor, &got, (number, source, &queue_manager), form);
                match shown {
                    Some(text) => output.write_all(text.as_bytes())?,
                    None => note(&format!("message {number} on {} is not in binary form", source.name)),
                }
                output.flush()?;
                if !source.flags.contains(GetFlags::BROWSE_NEXT) {
                    session.verbs().commit().map_err(|reason| call("commit a message of", reason))?;
                }
                last = Instant::now();
            }
            Err(Reason::NO_MSG_AVAILABLE) if patience.is_some_and(|patience| last.elapsed() >= patience) => {
                break;
            }
            Err(Reason::NO_MSG_AVAILABLE) => {}
            Err(reason) => return Err(call("get from", reason)),
        }
    }
    let closed = session.verbs().close(source.handle, CloseOptions::EMPTY);
    closed.map(drop).map_err(|reason| call("close", reason))
}

/// A message as it is printed; none when it is not in binary form.
fn shown(
    descriptor: &MessageDescriptor,
    got: &Got,
    (number, source, queue_manager): (u64, &Source, &str),
    form: Form,
) -> Option<String> {
    let format = descriptor.format.as_str().trim_end();
    let is_binary = [MQFMT_ADMIN, MQFMT_EVENT, MQFMT_PCF].iter().any(|known| known.trim_end() == format);
    let order = ByteOrder::of_encoding(descriptor.encoding.0)?;
    let message = Message::decode(&got.body, order).ok().filter(|_| is_binary)?;
    let kind = name_of(message.header.command, "MQCMD_");
    let reason = reason_of(message.header.reason);
    if form == Form::Text {
        let mut text = String::new();
        // Writing to a String does not fail.
        let place = if source.is_topic { "Topic" } else { "Queue" };
        let _ = writeln!(
            text,
            "**** Message #{number} ({} Bytes) on {place} {} ****",
            got.body.len(),
            harmless(&source.name)
        );
        line(&mut text, 0, "Event Type", &format!("{kind} [{}]", message.header.command));
        line(&mut text, 0, "Reason", &format!("{reason} [{}]", message.header.reason));
        line(&mut text, 0, "Event created", &created(descriptor));
        parameters_as_text(&mut text, 1, &message.parameters);
        text.push('\n');
        return Some(text);
    }
    let object_type = if source.is_topic { "Topic" } else { "Queue" };
    let event = json!({
        "eventSource": {"objectName": source.name, "objectType": object_type, "queueMgr": queue_manager},
        "eventType": {"name": kind, "value": message.header.command},
        "eventReason": {"name": reason, "value": message.header.reason},
        "eventCreation": {"timeStamp": created(descriptor)},
        "eventData": parameters_as_json(&message.parameters),
    });
    let text = match form {
        Form::JsonCompact => event.to_string(),
        _ => serde_json::to_string_pretty(&event).ok()?,
    };
    Some(text + "\n")
}

/// The date and time of day of a put, as a person reads them.
fn created(descriptor: &MessageDescriptor) -> String {
    let (date, time) = (descriptor.put_date.as_str(), descriptor.put_time.as_str());
    let part = |text: &str, range: std::ops::Range<usize>| text.get(range).unwrap_or_default().to_owned();
    format!(
        "{}-{}-{}T{}:{}:{}.{}Z",
        part(date, 0..4),
        part(date, 4..6),
        part(date, 6..8),
        part(time, 0..2),
        part(time, 2..4),
        part(time, 4..6),
        part(time, 6..8)
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

fn reason_of(reason: i32) -> String {
    match reason {
        constants::MQRC_NONE => "None".to_owned(),
        reason => name_of(reason, "MQRC_"),
    }
}

#[cfg(test)]
mod tests {
    use super::{camel_case, parameter_name, parameters_as_json, parameters_as_text};
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
