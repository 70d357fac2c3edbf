//! amqsrua: the figures that a queue manager publishes below `$SYS/MQ`, by class and type.
//!
//! Always: classes, types and elements are those that the queue manager tells; nothing is known here by name.

use std::time::{Duration, Instant};

use mqi::constants::*;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Reason, SubscribeOptions,
    SubscriptionDescriptor, Wait,
};
use objects::pcf::{ByteOrder, Content, Message, Parameter};

use super::tool::{Answer, Tool, Trouble, common, ended};
use super::words::Typed;
use crate::interrupt::Interrupt;
use crate::message::MESSAGE_BYTES_MAX;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, harmless};

pub(super) const SHOW: Tool = Tool {
    name: "amqsrua",
    usage: "[-m QMGR] [-c CLASS [-t TYPE [-o QUEUE]]] [-n PUBLICATIONS]",
    options: &["m=", "c=", "t=", "o=", "n="],
    misuse: ended::UNEXPECTED,
    run: show,
};

/// Longest wait for the list of classes and types, which the queue manager keeps ready.
const PATIENCE: Duration = Duration::from_secs(5);

/// Interval at which a wait for figures looks for a request to end.
const LOOK: Duration = Duration::from_millis(250);

/// A name with its description, and where more is told.
struct Entry {
    name: String,
    description: String,
    topic: String,
}

/// A subscription and the queue of its publications.
struct Subscribed {
    subscription: ObjectHandle,
    queue: ObjectHandle,
}

fn show(typed: &Typed) -> Answer {
    let wrong = |words: String| Trouble::new(ended::UNEXPECTED, words);
    if let Some(word) = typed.rest.first() {
        return Err(wrong(format!("what is {word}? A class is named by -c, a type by -t")));
    }
    let count = match typed.value("n") {
        None => u64::MAX,
        Some(text) => text.parse().map_err(|_| wrong(format!("-n {text} is no number of publications")))?,
    };
    if typed.value("c").is_none() && (typed.value("t").is_some() || typed.value("o").is_some()) {
        return Err(wrong("-t and -o go with -c CLASS".to_owned()));
    }
    let failed = Trouble::of(ended::UNEXPECTED);
    let mut session = connect::session(&common(typed.value("m"))).map_err(&failed)?;
    told(&mut session, typed, count).map_err(&failed)?;
    session.disconnect().map_err(failed)?;
    Ok(ended::OK)
}

fn told(session: &mut Session, typed: &Typed, count: u64) -> Result<()> {
    let root = format!("$SYS/MQ/INFO/QMGR/{}/Monitor/METADATA", session.queue_manager());
    let classes = told_at(session, &format!("{root}/CLASSES"))?;
    let classes = entries(&classes, MQGACF_MONITOR_CLASS, MQCAMO_MONITOR_CLASS);
    let Some(class) = typed.value("c") else { return print_entries(&classes) };
    let class = find(&classes, class, "class")?;
    let types = told_at(session, &class.topic)?;
    let types = entries(&types, MQGACF_MONITOR_TYPE, MQCAMO_MONITOR_TYPE);
    let Some(kind) = typed.value("t") else { return print_entries(&types) };
    let kind = find(&types, kind, "type")?;
    let elements = told_at(session, &kind.topic)?;
    let topic = text_of(&elements, MQCA_TOPIC_STRING);
    let topic = match (topic.contains("%s"), typed.value("o")) {
        (true, None) => {
            return Err(Failure::usage(format!("class {} is about one queue", class.name))
                .next("name it with -o QUEUE"));
        }
        (true, Some(queue)) => topic.replace("%s", queue),
        (false, _) => topic,
    };
    print_figures(session, &topic, &elements, count)
}

fn print_entries(entries: &[Entry]) -> Result<()> {
    for entry in entries {
        output::print_line(format!("{} : {}", harmless(&entry.name), harmless(&entry.description)))?;
    }
    Ok(())
}

fn find<'entries>(entries: &'entries [Entry], name: &str, what: &str) -> Result<&'entries Entry> {
    entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        Failure::new(Exit::NotFound, format!("there is no {what} {name}"))
            .next(format!("name one of {}", names.join(", ")))
    })
}

fn entries(message: &[Parameter], group: i32, name: i32) -> Vec<Entry> {
    let members = message.iter().filter(|parameter| parameter.identifier == group);
    let members = members.filter_map(|parameter| match &parameter.content {
        Content::Group(members) => Some(members),
        _ => None,
    });
    members
        .map(|members| Entry {
            name: text_of(members, name),
            description: text_of(members, MQCAMO_MONITOR_DESC),
            topic: text_of(members, MQCA_TOPIC_STRING),
        })
        .collect()
}

fn text_of(parameters: &[Parameter], identifier: i32) -> String {
    let found = parameters.iter().find(|parameter| parameter.identifier == identifier);
    match found.map(|parameter| &parameter.content) {
        Some(Content::Text(text)) => text.trim_end().to_owned(),
        _ => String::new(),
    }
}

fn integer_of(parameters: &[Parameter], identifier: i32) -> i64 {
    let found = parameters.iter().find(|parameter| parameter.identifier == identifier);
    match found.map(|parameter| &parameter.content) {
        Some(Content::Integer(number)) => i64::from(*number),
        Some(Content::Integer64(number)) => *number,
        _ => 0,
    }
}

fn subscribe(session: &mut Session, topic: &str) -> Result<Subscribed> {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::FAIL_IF_QUIESCING;
    let wanted = SubscriptionDescriptor::to(topic, options);
    let failed = |reason| Failure::of_call(format!("cannot subscribe to {topic}"), reason);
    let subscribed = session.verbs().subscribe(&wanted, None).map_err(failed)?;
    let queue = subscribed.queue.ok_or_else(|| failed(Reason::HOBJ_ERROR))?;
    Ok(Subscribed { subscription: subscribed.subscription, queue })
}

/// The next publication; none when none comes in time.
fn next(session: &mut Session, queue: ObjectHandle, wait: Duration) -> Result<Option<Vec<Parameter>>> {
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    let mut options = GetOptions::with(flags, Wait::from(wait));
    let mut descriptor = MessageDescriptor::default();
    match session.verbs().get(queue, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
        Ok(got) => {
            let order = ByteOrder::of_encoding(descriptor.encoding.0).unwrap_or(ByteOrder::NATIVE);
            let message = Message::decode(&got.body, order).map_err(|error| {
                Failure::new(Exit::Failed, format!("a publication is not in binary form: {error}"))
                    .next("use a queue manager and a command of the same release")
            })?;
            Ok(Some(message.parameters))
        }
        Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
        Err(reason) => Err(Failure::of_call("cannot get publications".to_owned(), reason)),
    }
}

/// The publication that is retained at a topic.
fn told_at(session: &mut Session, topic: &str) -> Result<Vec<Parameter>> {
    let subscribed = subscribe(session, topic)?;
    let told = next(session, subscribed.queue, PATIENCE)?;
    close(session, &subscribed)?;
    told.ok_or_else(|| {
        Failure::new(Exit::TimedOut, format!("nothing is told at {topic}"))
            .next("set monitoring.system_topics = true in the settings of the queue manager")
    })
}

fn close(session: &mut Session, subscribed: &Subscribed) -> Result<()> {
    let closed = session.verbs().close(subscribed.subscription, CloseOptions::EMPTY);
    closed.map(drop).map_err(|reason| Failure::of_call("cannot end a subscription".to_owned(), reason))
}

/// Prints so many publications of figures, each element a line.
fn print_figures(session: &mut Session, topic: &str, elements: &[Parameter], count: u64) -> Result<()> {
    let elements: Vec<(i64, i64, String)> = elements
        .iter()
        .filter_map(|parameter| match &parameter.content {
            Content::Group(members) if parameter.identifier == MQGACF_MONITOR_ELEMENT => Some((
                integer_of(members, MQIAMO_MONITOR_ELEMENT),
                integer_of(members, MQIAMO_MONITOR_DATATYPE),
                text_of(members, MQCAMO_MONITOR_DESC),
            )),
            _ => None,
        })
        .collect();
    let interrupt = Interrupt::listen()?;
    let subscribed = subscribe(session, topic)?;
    let mut printed = 0;
    while printed < count && !interrupt.is_wanted() {
        let began = Instant::now();
        let Some(figures) = next(session, subscribed.queue, LOOK)? else {
            std::thread::sleep(LOOK.saturating_sub(began.elapsed()));
            continue;
        };
        let micros = integer_of(&figures, MQIAMO64_MONITOR_INTERVAL);
        output::print_line(format!("Publication received Interval:{:.3} seconds", micros as f64 / 1e6))?;
        for (element, unit, description) in &elements {
            let value = i32::try_from(*element).map_or(0, |element| integer_of(&figures, element));
            output::print_line(format!("{} {}", harmless(description), figure(value, *unit, micros)))?;
        }
        output::print_line("")?;
        printed += 1;
    }
    close(session, &subscribed)
}

/// A figure in its unit; a counter with its rate.
fn figure(value: i64, unit: i64, micros: i64) -> String {
    let hundredths = |value: i64| format!("{}.{:02}", value / 100, (value % 100).abs());
    match i32::try_from(unit) {
        Ok(MQIAMO_MONITOR_DELTA) if micros > 0 => {
            let rate = i128::from(value) * 1_000_000 / i128::from(micros);
            format!("{value} {rate}/sec")
        }
        Ok(MQIAMO_MONITOR_HUNDREDTHS) => hundredths(value),
        Ok(MQIAMO_MONITOR_PERCENT) => format!("{}%", hundredths(value)),
        Ok(MQIAMO_MONITOR_KB) => format!("{value}KB"),
        Ok(MQIAMO_MONITOR_MB) => format!("{value}MB"),
        Ok(MQIAMO_MONITOR_GB) => format!("{value}GB"),
        Ok(MQIAMO_MONITOR_MICROSEC) => format!("{value} uSec"),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::figure;
    use mqi::constants::*;

    #[test]
    fn figures_are_shown_in_their_units() {
        for (value, unit, expected) in [
            (1234, MQIAMO_MONITOR_PERCENT, "12.34%"),
            (5, MQIAMO_MONITOR_HUNDREDTHS, "0.05"),
            (50, MQIAMO_MONITOR_DELTA, "50 5/sec"),
            (7, MQIAMO_MONITOR_MB, "7MB"),
            (7, MQIAMO_MONITOR_UNIT, "7"),
            (i64::MAX, MQIAMO_MONITOR_DELTA, "9223372036854775807 922337203685477580/sec"),
        ] {
            assert_eq!(figure(value, unit.into(), 10_000_000), expected);
        }
    }
}
