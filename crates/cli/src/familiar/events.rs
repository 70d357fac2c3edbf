//! amqsevt: messages in binary form, such as events, as text or JSON.
//!
//! Always: a message is taken off its queue only once it is printed; one that is not in binary form is named
//! and left out of the output, and its place goes on.

use std::io::Write as _;
use std::time::{Duration, Instant};

use mqi::{
    CloseOptions, GetFlags, GetOptions, Got, MessageDescriptor, ObjectHandle, OpenOptions, Reason,
    SubscribeOptions, SubscriptionDescriptor, Wait,
};

use super::clients;
use super::tool::{Answer, Tool, Trouble, as_user, common, ended, note};
use super::words::Typed;
use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::message::MESSAGE_BYTES_MAX;
use terminal::connect::{self, Session};
use terminal::durable_output::DurableOutput as _;
use terminal::failure::Failure;
use terminal::output::{self, Output, harmless};
use terminal::reader::Following;

pub(super) const SHOW: Tool = Tool {
    name: "amqsevt",
    usage: "[-m QMGR] [-q QUEUE | -t TOPIC] [-b] [-w SECONDS] [-o text | json | json_compact] [-c] [-u USER]",
    options: &["m=", "q=", "t=", "b", "w=", "o=", "c", "u="],
    misuse: ended::UNEXPECTED,
    run: show,
};

/// The queue of events of the queue manager itself.
const QUEUE: &str = "SYSTEM.ADMIN.QMGR.EVENT";

/// Interval at which a wait looks for a request to end.
const LOOK: Duration = Duration::from_millis(250);

/// The form of what is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    JsonCompact,
}

/// The source of messages.
struct EventSource {
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
    let failed = Trouble::of(ended::UNEXPECTED);
    let common = common(typed.value("m"));
    let common = match typed.value("u") {
        Some(user) => as_user(common, user, &format!("Password of {user}: ")).map_err(&failed)?,
        None => common,
    };
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

fn open(session: &mut Session, typed: &Typed) -> Result<EventSource, Failure> {
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
        return Ok(EventSource { name: topic.to_owned(), is_topic: true, handle, flags });
    }
    let name = typed.value("q").unwrap_or(QUEUE);
    let way = if browses { OpenOptions::BROWSE } else { OpenOptions::INPUT_AS_Q_DEF };
    let opened = session.open_queue(connect::queue_name(name)?, way | OpenOptions::FAIL_IF_QUIESCING)?;
    Ok(EventSource { name: opened.object_name.to_string(), is_topic: false, handle: opened.handle, flags })
}

/// Prints messages until an end is wanted or none comes for so long.
fn print_all(
    session: &mut Session,
    source: &EventSource,
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
                    output.wait_for_reader(Following::More { grace: Duration::ZERO })?;
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
    (number, source, queue_manager): (u64, &EventSource, &str),
    form: Form,
) -> Option<String> {
    let event = Event::of(descriptor, &got.body)?;
    let object_type = if source.is_topic { "Topic" } else { "Queue" };
    if form == Form::Text {
        let bytes = got.body.len();
        let head = format!(
            "**** Message #{number} ({bytes} Bytes) on {object_type} {} ****",
            harmless(&source.name)
        );
        return Some(format!("{head}\n{}\n", event.to_text()));
    }
    let shown = event.to_json(&source.name, object_type, queue_manager);
    let text = match form {
        Form::JsonCompact => shown.to_string(),
        _ => serde_json::to_string_pretty(&shown).ok()?,
    };
    Some(text + "\n")
}
