//! `ferry get`: messages from a queue to standard output.
//!
//! Lives elsewhere: taking the messages in units of work (`taking`).

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::Args;
use mqi::{CorrelationId, GetFlags, MessageDescriptor, MessageId, OpenOptions, Reason, Wait};

use super::stopped::Stopped;
use super::taking::{Taken, Taker, unread};
use crate::identifier;
use crate::message::{BodyForm, Message, RawArgument};
use crate::progress::Progress;
use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format, Output};
use terminal::{connect, units};

/// Gets messages.
#[derive(Debug, Args)]
pub(crate) struct GetArguments {
    /// Queue to get from
    queue: String,
    /// Get everything, one message a line, until the queue is empty
    #[arg(short, long, conflicts_with_all = ["count", "wait"])]
    all: bool,
    /// Number of messages to get
    #[arg(short = 'n', long, value_name = "MESSAGES", default_value_t = 1, hide_default_value = true)]
    count: u64,
    /// Longest wait for each message (such as 500ms, 5s; 0 does not wait); without it, as long as it
    /// takes
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME")]
    wait: Option<Duration>,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    condition: Condition,
    /// Print the descriptor and the properties before each message
    #[arg(short, long)]
    describe: bool,
    #[command(flatten)]
    raw: RawArgument,
}

/// Choice of messages.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// Only the message with this identifier: a text, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    message_id: Option<[u8; 24]>,
    /// Only messages with this correlation identifier: a text, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    correlation_id: Option<[u8; 24]>,
}

/// Choice of messages by a condition.
#[derive(Debug, Default, Args)]
#[group(skip)]
pub(crate) struct Condition {
    /// Only messages that this condition is true of, such as "JMSPriority > 4 AND colour = 'red'"
    #[arg(
        long = "where",
        visible_alias = "selector",
        value_name = "CONDITION",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) condition: String,
}

impl Chosen {
    /// Says whether every message is meant.
    pub(crate) fn is_all(&self) -> bool {
        self.message_id.is_none() && self.correlation_id.is_none()
    }

    /// The descriptor that a get matches with.
    pub(crate) fn descriptor(&self) -> MessageDescriptor {
        MessageDescriptor {
            message_id: self.message_id.map_or(MessageId::NONE, MessageId::from_bytes),
            correlation_id: self.correlation_id.map_or(CorrelationId::NONE, CorrelationId::from_bytes),
            ..MessageDescriptor::default()
        }
    }
}

impl GetArguments {
    /// The word before "message" where not every message is meant.
    fn such(&self) -> &'static str {
        if self.chosen.is_all() && self.condition.condition.is_empty() { "" } else { "such " }
    }
}

/// Gets and prints.
pub(crate) fn run(common: &Common, arguments: &GetArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(common)?;
    let wanted = if arguments.all { u64::MAX } else { arguments.count };
    let mut open = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING;
    if wanted > 1 {
        open |= OpenOptions::READ_AHEAD;
    }
    let opened = session.open_selecting(name, open, &arguments.condition.condition)?;
    let queue = format!("{name} at {}", session.queue_manager());
    let wait = match (arguments.all, arguments.wait) {
        (true, _) => Wait::No,
        (_, Some(time)) if time.is_zero() => Wait::No,
        (_, Some(time)) => Wait::from(time),
        (_, None) => Wait::Unlimited,
    };
    let printer = Printer {
        format: common.output,
        describe: arguments.describe,
        form: arguments.raw.form(),
        is_terminal: io::stdout().is_terminal(),
    };
    let steps = (!arguments.all).then_some(wanted);
    let mut taker = Taker {
        verbs: session.verbs(),
        handle: opened.handle,
        pattern: arguments.chosen.descriptor(),
        flags: printer.flags(),
        print: &|output, message| printer.print(output, message),
        output: output::standard(),
        progress: (!printer.is_terminal).then(|| Progress::new(steps, "messages")),
        taken: Taken::default(),
    };
    let outcome = taker.take(wanted, wait);
    let Taken { got, committed } = taker.taken;
    drop(taker);
    match outcome {
        Ok(()) => session.disconnect(),
        Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) if arguments.all => session.disconnect(),
        Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) => {
            let what = match arguments.wait {
                Some(time) if !time.is_zero() => {
                    format!("no {}message came on {queue} within {}", arguments.such(), units::duration(time))
                }
                _ => format!("there is no {}message on {queue}", arguments.such()),
            };
            let after =
                if got > 0 { format!("got {}, then {what}", units::counted(got, "message")) } else { what };
            Err(Failure::new(Exit::TimedOut, after).next(next_step!(
                "ferry get {name} waits until there is one; ferry browse {name} shows what is there"
            )))
        }
        Err(Stopped::Reason(reason)) => Err(Failure::of_call(format!("cannot get from {queue}"), reason)),
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            let again = next_step!("ferry get {name} -n 2 takes two and no more");
            Err(unread(committed, "message", &queue, again))
        }
        Err(Stopped::Output(error)) => {
            let committed = units::counted(committed, "message");
            Err(Failure::new(Exit::Failed, format!("got {committed} from {queue}, then {error}"))
                .next(format!("what was not written is still on {name}; make room, and get again")))
        }
        Err(Stopped::Line(what)) => Err(Failure::new(Exit::Failed, what)),
    }
}

/// Prints messages in one way.
pub(crate) struct Printer {
    /// Text or JSON.
    pub(crate) format: Format,
    /// True if the descriptor is printed too.
    pub(crate) describe: bool,
    /// The body with its headers, or without.
    pub(crate) form: BodyForm,
    /// True if a person reads.
    pub(crate) is_terminal: bool,
}

impl Printer {
    /// Options of the gets whose messages are printed: properties come with each message to be shown apart,
    /// and in bytes as the queue says (PROPCTL).
    pub(crate) fn flags(&self) -> GetFlags {
        match self.form {
            BodyForm::Apart => GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING,
            BodyForm::Raw => GetFlags::FAIL_IF_QUIESCING,
        }
    }

    /// Writes one message.
    pub(crate) fn print(&self, output: &mut Output, message: &Message) -> io::Result<()> {
        let parts = message.parts(self.form);
        match self.format {
            Format::Json => output::json_line(output, &parts.to_json()),
            Format::Table => {
                if self.describe {
                    output.write_all(parts.description().as_bytes())?;
                }
                parts.write_body(output, self.is_terminal)
            }
        }
    }
}
