//! `ferry get`: messages from a queue to standard output.
//!
//! Always: a message leaves the queue only after it was written out; a reader that goes away (`| head`) or
//! Ctrl-C leaves the rest where it was.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::Args;
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, ObjectHandle, OpenOptions, Reason,
    Verbs, Wait,
};

use super::stopped::Stopped;
use crate::identifier;
use crate::message::{BodyForm, Message, RawArgument};
use crate::progress::Progress;
use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::lasting::Lasting as _;
use terminal::output::{self, Format, Output};
use terminal::{connect, units};

/// Gets messages.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
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

impl Chosen {
    /// The descriptor that a get matches with.
    pub(crate) fn descriptor(&self) -> MessageDescriptor {
        MessageDescriptor {
            message_id: self.message_id.map_or(MessageId::NONE, MessageId::from_bytes),
            correlation_id: self.correlation_id.map_or(CorrelationId::NONE, CorrelationId::from_bytes),
            ..MessageDescriptor::default()
        }
    }
}

/// Most bytes of a message: the interface's own limit.
pub(crate) const MESSAGE_BYTES_MAX: usize = 100 << 20;

/// Messages written out before they are committed together.
const BATCH: u64 = 100;

/// Gets and prints.
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(common)?;
    let wanted = if arguments.all { u64::MAX } else { arguments.count };
    let mut open = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING;
    if wanted > 1 {
        open |= OpenOptions::READ_AHEAD;
    }
    let opened = session.open_queue(name, open)?;
    let queue = format!("{name} at {}", session.queue_manager());
    let wait = match (arguments.all, arguments.wait) {
        (true, _) => Wait::No,
        (_, Some(time)) if time.is_zero() => Wait::No,
        (_, Some(time)) => Wait::from(time),
        (_, None) => Wait::Unlimited,
    };
    let mut getter = Getter {
        verbs: session.verbs(),
        handle: opened.handle,
        pattern: arguments.chosen.descriptor(),
        output: output::standard(),
        printer: Printer {
            format: common.output,
            describe: arguments.describe,
            form: arguments.raw.form(),
            is_terminal: io::stdout().is_terminal(),
        },
        got: 0,
        uncommitted: 0,
    };
    let outcome = getter.get(wanted, wait);
    let (got, committed) = (getter.got, getter.got - getter.uncommitted);
    match outcome {
        Ok(()) => session.disconnect(),
        Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) if arguments.all => session.disconnect(),
        Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) => {
            let what = match arguments.wait {
                Some(time) if !time.is_zero() => {
                    format!("no message came on {queue} within {}", units::duration(time))
                }
                _ => format!("there is no message on {queue}"),
            };
            let after =
                if got > 0 { format!("got {}, then {what}", units::counted(got, "message")) } else { what };
            Err(Failure::new(Exit::TimedOut, after).next(format!(
                "ferry get {name} waits until there is one; ferry browse {name} shows what is there"
            )))
        }
        Err(Stopped::Reason(reason)) => Err(Failure::of_call(format!("cannot get from {queue}"), reason)),
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(error.into()),
        Err(Stopped::Output(error)) => {
            let committed = units::counted(committed, "message");
            Err(Failure::new(Exit::Failed, format!("got {committed} from {queue}, then {error}"))
                .next(format!("what was not written is still on {name}; make room, and get again")))
        }
        Err(Stopped::Line(what)) => Err(Failure::new(Exit::Failed, what)),
    }
}

struct Getter<'a> {
    verbs: &'a mut dyn Verbs,
    handle: ObjectHandle,
    pattern: MessageDescriptor,
    output: Output,
    printer: Printer,
    got: u64,
    uncommitted: u64,
}

impl Getter<'_> {
    /// Gets so many messages, or fails with 2033 when there are no more; what was written is committed either
    /// way.
    fn get(&mut self, wanted: u64, wait: Wait) -> std::result::Result<(), Stopped> {
        let mut progress = Progress::new((wanted < u64::MAX).then_some(wanted), "messages");
        while self.got < wanted {
            // Nothing written may wait for a message that does not come.
            let wait_now = if self.uncommitted == 0 { wait } else { Wait::No };
            match self.get_one(wait_now) {
                Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) if wait_now != wait => {
                    self.commit()?;
                    continue;
                }
                // A body longer than the buffer may be out in part, and nothing is left in the buffer that
                // could fail again: what was got since the last commit goes back to the queue with the
                // connection.
                Err(stopped @ Stopped::Output(_)) => return Err(stopped),
                Err(stopped) => {
                    self.commit()?;
                    return Err(stopped);
                }
                Ok(()) => {}
            }
            if self.uncommitted >= BATCH {
                self.commit()?;
            }
            if !self.printer.is_terminal {
                progress.add(1);
            }
        }
        self.commit()
    }

    fn get_one(&mut self, wait: Wait) -> std::result::Result<(), Stopped> {
        let mut descriptor = self.pattern.clone();
        let mut options = GetOptions::with(GetFlags::SYNCPOINT | self.printer.flags(), wait);
        let got = self.verbs.get(self.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX)?;
        self.printer.print(&mut self.output, &Message { descriptor, body: got.body })?;
        self.uncommitted += 1;
        self.got += 1;
        Ok(())
    }

    /// Writes all output first, to a file for good, so that no message is gone unseen.
    fn commit(&mut self) -> std::result::Result<(), Stopped> {
        if self.uncommitted > 0 {
            self.output.settle()?;
            self.verbs.commit()?;
            self.uncommitted = 0;
        }
        Ok(())
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
