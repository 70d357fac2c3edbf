//! `ferry events`: event messages of the queue manager's event queues, printed and followed.
//!
//! Always: an event is taken off its queue, if it shall, only once it is printed; events that are there
//! already come in the order of their time, from all queues together.

use std::io::Write as _;
use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageToken, ObjectHandle, ObjectName,
    OpenOptions, Reason, Wait,
};

use crate::event::Event;
use crate::interrupt::Interrupt;
use crate::message::MESSAGE_BYTES_MAX;
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::durable_output::DurableOutput as _;
use terminal::failure::{Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format, Output};
use terminal::reader::Following;

/// The events to print.
#[derive(Debug, Args)]
#[command(
    after_help = "Events are made where they are switched on: ferry mqsc -e \"ALTER QMGR PERFMEV(ENABLED) \
    AUTHOREV(ENABLED) CHLEV(ENABLED)\". docs/reference/triggers-and-events.md lists them."
)]
pub(crate) struct EventsArguments {
    /// Queue with events (may be repeated); without it, all event queues of the queue manager
    #[arg(short, long = "queue", value_name = "QUEUE")]
    queues: Vec<String>,
    /// Continue, and print events as they arrive
    #[arg(short, long)]
    follow: bool,
    /// Take the events off their queues
    #[arg(long)]
    take: bool,
    /// Print each event in several lines
    #[arg(short, long)]
    describe: bool,
    /// End after this number of events
    #[arg(short = 'n', long, value_name = "EVENTS", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
}

/// The queues that a queue manager puts events on.
const QUEUES: [&str; 7] = [
    "SYSTEM.ADMIN.QMGR.EVENT",
    "SYSTEM.ADMIN.PERFM.EVENT",
    "SYSTEM.ADMIN.CHANNEL.EVENT",
    "SYSTEM.ADMIN.COMMAND.EVENT",
    "SYSTEM.ADMIN.CONFIG.EVENT",
    "SYSTEM.ADMIN.LOGGER.EVENT",
    "SYSTEM.ADMIN.PUBSUB.EVENT",
];

/// The pause between two looks for new events.
const LOOK: Duration = Duration::from_millis(250);

/// A queue with events.
struct EventQueue {
    name: ObjectName,
    handle: ObjectHandle,
    /// The next message of it, which was looked at.
    next: Option<Seen>,
}

struct Seen {
    descriptor: MessageDescriptor,
    body: Bytes,
    token: MessageToken,
}

impl Seen {
    /// A text that sorts by the time of the put.
    fn time(&self) -> (&str, &str) {
        (self.descriptor.put_date.as_str(), self.descriptor.put_time.as_str())
    }
}

/// Prints events until all are printed, or an end is wanted.
pub(crate) fn run(common: &Common, arguments: &EventsArguments) -> Result<()> {
    let mut session = connect::session(common)?;
    let mut sources = open(&mut session, arguments)?;
    let interrupt = Interrupt::listen()?;
    let mut output = output::standard();
    let mut printed = 0;
    while printed < arguments.count && !interrupt.is_wanted() {
        for source in sources.iter_mut().filter(|source| source.next.is_none()) {
            source.next = look(&mut session, source)?;
        }
        let oldest = sources
            .iter_mut()
            .filter(|source| source.next.is_some())
            .min_by(|left, right| time(left).cmp(&time(right)));
        let Some(source) = oldest else {
            output.flush()?;
            if !arguments.follow {
                break;
            }
            interrupt.pause(LOOK);
            continue;
        };
        if let Some(seen) = source.next.take() {
            printed += u64::from(print(&mut output, common, arguments, &session, source, &seen)?);
            if arguments.take {
                output.flush()?;
                output.wait_for_reader(Following::More { grace: Duration::ZERO })?;
                take(&mut session, source, &seen)?;
            }
        }
    }
    output.flush()?;
    if printed == 0 && common.output == Format::Table && !arguments.follow {
        output::say(
            "there are no events; ALTER QMGR switches them on, such as PERFMEV(ENABLED) for queues that fill",
        );
    }
    session.disconnect()
}

fn time(source: &EventQueue) -> Option<(&str, &str)> {
    source.next.as_ref().map(Seen::time)
}

/// Opens the queues named, or those that are there.
fn open(session: &mut Session, arguments: &EventsArguments) -> Result<Vec<EventQueue>> {
    let way = if arguments.take { OpenOptions::INPUT_SHARED } else { OpenOptions::EMPTY };
    let options = OpenOptions::BROWSE | way | OpenOptions::FAIL_IF_QUIESCING;
    let is_named = !arguments.queues.is_empty();
    let names: Vec<&str> =
        if is_named { arguments.queues.iter().map(String::as_str).collect() } else { QUEUES.to_vec() };
    let mut sources = Vec::new();
    for name in names {
        let name = connect::queue_name(name)?;
        match session.open_queue(name, options) {
            Ok(opened) => sources.push(EventQueue { name, handle: opened.handle, next: None }),
            // An administrator may have deleted a queue that no event needs.
            Err(failure) if failure.is_not_found() && !is_named => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(sources)
}

/// The next message of a queue, left where it is.
fn look(session: &mut Session, source: &EventQueue) -> Result<Option<Seen>> {
    let flags = GetFlags::BROWSE_NEXT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    let mut options = GetOptions { match_options: MatchOptions::EMPTY, ..GetOptions::with(flags, Wait::No) };
    let mut descriptor = MessageDescriptor::default();
    match session.verbs().get(source.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
        Ok(got) => Ok(Some(Seen { descriptor, body: got.body, token: got.message_token })),
        Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
        Err(reason) => Err(Failure::of_call(format!("cannot browse {}", source.name), reason)),
    }
}

/// Prints an event; returns whether the message was one.
fn print(
    output: &mut Output,
    common: &Common,
    arguments: &EventsArguments,
    session: &Session,
    source: &EventQueue,
    seen: &Seen,
) -> Result<bool> {
    let Some(event) = Event::of(&seen.descriptor, &seen.body) else {
        output::say(format!(
            "message {id} on {queue} is no event; {shows}",
            id = seen.descriptor.message_id,
            queue = source.name,
            shows = next_step!("ferry browse {} shows it", source.name).at(&common.typed)
        ));
        return Ok(false);
    };
    match (common.output, arguments.describe) {
        (Format::Json, _) => {
            let shown = event.to_json(source.name.as_str(), "Queue", session.queue_manager());
            output::json_line(output, &shown)?;
        }
        (Format::Table, false) => writeln!(output, "{}", event.to_line())?,
        (Format::Table, true) => {
            writeln!(output, "{}  {}\n{}", event.created(), source.name, event.to_text())?
        }
    }
    if arguments.follow {
        output.flush()?;
    }
    Ok(true)
}

/// Takes a message that was printed off its queue; another program may have taken it.
fn take(session: &mut Session, source: &EventQueue, seen: &Seen) -> Result<()> {
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::ACCEPT_TRUNCATED_MSG | GetFlags::FAIL_IF_QUIESCING;
    let mut options = GetOptions {
        match_options: MatchOptions::MATCH_MSG_TOKEN,
        message_token: seen.token,
        ..GetOptions::with(flags, Wait::No)
    };
    let mut descriptor = MessageDescriptor::default();
    match session.verbs().get(source.handle, &mut descriptor, &mut options, 0) {
        Ok(_) | Err(Reason::NO_MSG_AVAILABLE) => Ok(()),
        Err(reason) => Err(Failure::of_call(format!("cannot get from {}", source.name), reason)),
    }
}
