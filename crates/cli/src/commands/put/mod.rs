//! `ferry put`: messages from arguments, files or standard input onto a queue.
//!
//! Always: memory is bounded by one unit of work, for any input; a message reported as put is committed.

mod putter;
mod source;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mqi::{
    CloseOptions, CorrelationId, Expiry, MessageDescriptor, MessageId, OpenOptions, Opened, Persistence,
    Priority, PutFlags, Rare, Reason, Text,
};
use serde_json::json;

use self::putter::{Done, Putter};
pub(super) use self::source::BodySource;
pub(crate) use crate::command_queue::alone;
use crate::identifier;
use crate::interrupt::Interrupt;
use terminal::common::Common;
use terminal::connect::Session;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format};
use terminal::{connect, units};

/// Puts messages.
#[derive(Debug, Args)]
pub(crate) struct PutArguments {
    /// Queue to put on
    queue: String,
    #[command(flatten)]
    bodies: Bodies,
    #[command(flatten)]
    attributes: MessageAttributes,
    /// Keep the messages from getters for this time (such as 30s, 5m); they are on the queue at once
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "0", hide_default_value = true)]
    delay: Duration,
    /// Messages in one unit of work; 0 puts each outside syncpoint and waits for its reply
    #[arg(long, default_value_t = 500, value_name = "MESSAGES")]
    batch: u64,
    /// Print nothing when all went well
    #[arg(short, long)]
    quiet: bool,
}

/// Where the messages come from, and how often each is put.
#[derive(Debug, Args)]
pub(crate) struct Bodies {
    /// Messages, one for each argument; without any, standard input is read
    #[arg(value_name = "TEXT")]
    texts: Vec<String>,
    /// Put a whole file as one message (may be repeated)
    #[arg(short, long = "file", value_name = "FILE", conflicts_with = "texts")]
    files: Vec<PathBuf>,
    /// Put all of standard input as one message, rather than one for each line
    #[arg(long, conflicts_with_all = ["texts", "files"])]
    whole: bool,
    /// Number of times to put everything
    #[arg(short = 'n', long, default_value_t = 1, value_name = "TIMES", hide_default_value = true)]
    pub(super) repeat: u64,
}

/// Descriptor fields of a message that is put.
#[derive(Debug, Args)]
pub(crate) struct MessageAttributes {
    /// The messages survive a restart of the queue manager
    #[arg(short = 'P', long, conflicts_with = "non_persistent")]
    persistent: bool,
    /// The messages are kept in memory only
    #[arg(short = 'N', long)]
    non_persistent: bool,
    /// Priority: 9 is delivered first, 0 last
    #[arg(short, long, value_parser = clap::value_parser!(u8).range(0..=9), value_name = "0-9")]
    priority: Option<u8>,
    /// Drop the message if nobody got it within this time (such as 30s, 5m)
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME")]
    expiry: Option<Duration>,
    /// Message identifier: a text of at most 24 bytes, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    message_id: Option<[u8; 24]>,
    /// Correlation identifier: a text of at most 24 bytes, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    correlation_id: Option<[u8; 24]>,
    /// Queue that replies should go to
    #[arg(long, value_name = "QUEUE")]
    reply_to: Option<String>,
    /// Message format, such as MQSTR; NONE for application data
    #[arg(long, value_name = "FORMAT", default_value = "MQSTR", hide_default_value = true)]
    format: String,
}

impl MessageAttributes {
    /// The descriptor each message starts from.
    pub(crate) fn descriptor(&self) -> Result<MessageDescriptor> {
        let reply_to_queue = match &self.reply_to {
            Some(name) => connect::queue_name(name)?.into(),
            None => Rare::USUAL,
        };
        Ok(MessageDescriptor {
            persistence: match (self.persistent, self.non_persistent) {
                (true, _) => Persistence::Persistent,
                (_, true) => Persistence::NotPersistent,
                _ => Persistence::AsQueueDefault,
            },
            priority: self.priority.map_or(Priority::AS_Q_DEF, Priority::new),
            expiry: self.expiry.map_or(Expiry::UNLIMITED, expiry),
            message_id: self.message_id.map_or(MessageId::NONE, MessageId::from_bytes),
            correlation_id: self.correlation_id.map_or(CorrelationId::NONE, CorrelationId::from_bytes),
            format: match self.format.as_str() {
                "NONE" => Text::BLANK,
                name => name.parse().map_err(|_| {
                    Failure::usage(format!("the format \"{name}\" is longer than 8 characters"))
                })?,
            },
            reply_to_queue,
            ..MessageDescriptor::default()
        })
    }
}

/// Tenths of a second, rounded up, since a message that was to live a while must not die at once.
fn expiry(time: Duration) -> Expiry {
    u32::try_from(time.as_millis().div_ceil(100)).map_or(Expiry::UNLIMITED, Expiry::tenths)
}

/// Where messages go, in words.
pub(super) struct Target<'a> {
    /// Kind of the object, and its name.
    pub(super) kind: &'static str,
    pub(super) name: &'a str,
    /// Verb for a message, and its past form: put on a queue, published to a topic.
    pub(super) verb: &'static str,
    pub(super) past: &'static str,
    pub(super) preposition: &'static str,
}

/// Manner of putting messages.
pub(super) struct How {
    pub(super) descriptor: MessageDescriptor,
    /// Options besides those that follow from the unit of work.
    pub(super) flags: PutFlags,
    /// Time for which getters are not given the messages.
    pub(super) delay: Duration,
    /// Messages in one unit of work.
    pub(super) batch: u64,
}

/// Puts the messages and says what was put.
pub(crate) fn run(common: &Common, arguments: &PutArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let descriptor = arguments.attributes.descriptor()?;
    let source = BodySource::of(&arguments.bodies)?;
    let mut session = connect::session(common)?;
    let opened = session.open_queue(name, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING)?;
    let target = Target { kind: "queue", name: name.as_str(), verb: "put", past: "put", preposition: "on" };
    let how = How { descriptor, flags: PutFlags::EMPTY, delay: arguments.delay, batch: arguments.batch };
    put_all(common.output, arguments.quiet, session, &opened, &target, how, (source, arguments.bodies.repeat))
}

/// Puts all on an open object, and says what was put.
pub(super) fn put_all(
    format: Format,
    is_quiet: bool,
    mut session: Session,
    opened: &Opened,
    target: &Target<'_>,
    mut how: How,
    (source, repeat): (BodySource, u64),
) -> Result<()> {
    let reach = match (&opened.topic_string, how.flags.contains(PutFlags::RETAIN)) {
        (None, _) => Reach::Queue,
        (Some(_), false) => Reach::Subscribers,
        (Some(_), true) => Reach::RetainedToo,
    };
    if reach != Reach::Queue {
        how.flags |= PutFlags::WARN_IF_NO_SUBS_MATCHED;
    }
    let mut putter = Putter::new(session.connection(), opened.handle, how);
    let interrupt = Interrupt::listen()?;
    let outcome = putter.put_all(source, repeat, &interrupt);
    let done = putter.done();
    match outcome {
        Ok(()) => {
            if !is_quiet {
                report(format, target, reach, &session, &done)?;
            }
            let _ = session.verbs().close(opened.handle, CloseOptions::EMPTY);
            session.disconnect()?;
            if done.is_cut_off {
                let what = format!("was told to end after {}", units::counted(done.messages, "message"));
                return Err(Failure::new(Exit::Failed, what).next(format!(
                    "{} the rest, which is not {} {}",
                    target.verb, target.preposition, target.name
                )));
            }
            Ok(())
        }
        Err(reason) => {
            let Target { name, verb, past, preposition, .. } = target;
            let place = format!("{preposition} {name} at {}", session.queue_manager());
            let what = if done.messages == 0 {
                format!("cannot {verb} {place}")
            } else {
                format!("{past} {} {place}, then failed", units::counted(done.messages, "message"))
            };
            let failure = Failure::of_call(what, reason.reason);
            let failure = match reason.reason {
                Reason::Q_FULL => failure.next(make_room(&mut session, name)),
                _ => failure,
            };
            Err(match reason.input {
                Some(unread) => Failure::new(Exit::Failed, format!("{}: {unread}", failure.what())),
                None => failure,
            })
        }
    }
}

/// The next step where a queue is full: the command that lets it hold more, with a number.
fn make_room(session: &mut Session, queue: &str) -> NextStep {
    let name = connect::in_mqsc(queue);
    let shown = session.command(&format!("DISPLAY QLOCAL({name}) MAXDEPTH"));
    // The queue may be reached under another name, or by another queue manager; then its limit is not known
    // here.
    let rows = shown.map(|response| response.rows).unwrap_or_default();
    let limit = rows.iter().flatten().find(|(keyword, _)| keyword == "MAXDEPTH");
    let Some(limit) = limit.and_then(|(_, value)| value.trim().parse::<u64>().ok()) else {
        return next_step!(
            "ferry browse {queue} -n 5 shows what fills it; get messages, or raise MAXDEPTH of it"
        );
    };
    let more = limit.saturating_mul(10).clamp(10, DEPTH_MAX);
    next_step!(
        "ferry mqsc -e \"ALTER QLOCAL({name}) MAXDEPTH({more})\" lets it hold more than {limit}; ferry browse \
         {queue} -n 5 shows what fills it"
    )
}

/// The greatest MAXDEPTH.
const DEPTH_MAX: u64 = 999_999_999;

/// Places that a message is stored in, as far as its putter knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// A queue.
    Queue,
    /// A topic, or a queue that stands for one: the queues of its subscribers, if there are any.
    Subscribers,
    /// A topic that keeps its last publication.
    RetainedToo,
}

impl Reach {
    /// The places, in words that go behind the number of messages.
    fn of(self, done: &Done) -> String {
        let is_retained = self == Self::RetainedToo;
        if done.unheard > 0 && done.unheard == done.messages && !is_retained {
            return ", no subscriber: not stored".to_owned();
        }
        let durability = match (done.persistence, self) {
            // The queue that is looked after for a subscription that is not durable keeps nothing on disk.
            (Some(Persistence::Persistent), Self::Subscribers) => {
                ", persistent (on disk for durable subscribers)"
            }
            (Some(Persistence::Persistent), _) => ", persistent (on disk now)",
            (Some(_), _) => ", non-persistent (in memory)",
            (None, _) => "",
        };
        let unheard = match (done.unheard, is_retained) {
            (0, _) => String::new(),
            (_, true) if done.unheard == done.messages => ", no subscriber: retained only".to_owned(),
            (unheard, true) => format!(", {} without a subscriber: retained only", units::count(unheard)),
            (unheard, false) => format!(", {} without a subscriber: not stored", units::count(unheard)),
        };
        format!("{durability}{unheard}")
    }
}

fn report(format: Format, target: &Target<'_>, reach: Reach, session: &Session, done: &Done) -> Result<()> {
    let rate = units::rate(done.messages, done.elapsed);
    if format == Format::Json {
        return Ok(output::print_json(&json!({
            target.kind: target.name,
            "queue_manager": session.queue_manager(),
            "messages": done.messages,
            "bytes": done.bytes,
            "persistent": done.persistence.map(|persistence| persistence == Persistence::Persistent),
            "without_subscriber": (reach != Reach::Queue).then_some(done.unheard),
            "delay_seconds": (!done.delay.is_zero()).then_some(done.delay.as_secs_f64()),
            "units_of_work": done.units,
            "message_id": (done.messages == 1).then(|| done.message_id.to_string()),
            "seconds": done.elapsed.as_secs_f64(),
            "messages_per_second": units::Rate(rate),
        }))?);
    }
    let mut line = format!(
        "{} {} {} {}  {}{}  {}",
        target.past,
        units::counted(done.messages, "message"),
        target.preposition,
        target.name,
        units::bytes(done.bytes),
        reach.of(done),
        units::duration(done.elapsed)
    );
    if !done.delay.is_zero() {
        line.push_str(&format!("  for getters in {}", units::duration(done.delay)));
    }
    if done.messages > 1 {
        line.push_str(&format!("  {}/s", units::count(rate as u64)));
    }
    Ok(output::print_line(line)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expiry_never_rounds_down_to_nothing() {
        assert_eq!(expiry(Duration::from_millis(1)).limit(), Some(1));
        assert_eq!(expiry(Duration::from_millis(1001)).limit(), Some(11));
        assert_eq!(expiry(Duration::from_secs(1 << 40)), Expiry::UNLIMITED);
    }
}
