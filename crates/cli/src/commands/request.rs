//! `ferry request`: a request onto a queue, and the reply to it.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use bytes::Bytes;
use clap::Args;
use mqi::{
    CloseOptions, CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectName,
    OpenOptions, Persistence, Reason, Wait,
};

use super::get::Printer;
use super::put::{self, MessageAttributes};
use crate::message::{MESSAGE_BYTES_MAX, Message, RawArgument};
use terminal::common::Common;
use terminal::connect::Session;
use terminal::durable_output::DurableOutput as _;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format};
use terminal::reader::Following;
use terminal::{connect, units};

/// Sends a request.
#[derive(Debug, Args)]
pub(crate) struct RequestArguments {
    /// Queue to put the request on
    queue: String,
    /// The request
    text: String,
    #[command(flatten)]
    attributes: MessageAttributes,
    /// Longest wait for the reply
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "10s")]
    wait: Duration,
    /// Model of the dynamic queue the reply comes to; --reply-to names an existing queue instead
    #[arg(long, value_name = "QUEUE", default_value = "SYSTEM.DEFAULT.MODEL.QUEUE")]
    model: String,
    /// Print the descriptor and the properties of the reply too
    #[arg(short, long)]
    describe: bool,
    #[command(flatten)]
    raw: RawArgument,
}

/// Asks, waits and prints the reply.
pub(crate) fn run(common: &Common, arguments: &RequestArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut descriptor = arguments.attributes.descriptor()?;
    let mut session = connect::session(common)?;
    let reply_queue = if descriptor.reply_to_queue.is_blank() {
        connect::queue_name(&arguments.model)?
    } else {
        descriptor.reply_to().object_name
    };
    let replies =
        session.open_queue(reply_queue, OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING)?;
    descriptor.message_type = MessageType::REQUEST;
    // The temporary queue for the reply goes with this command, so a request that outlives it would be
    // answered in vain.
    if descriptor.reply_to_queue.is_blank() && descriptor.persistence == Persistence::AsQueueDefault {
        descriptor.persistence = Persistence::NotPersistent;
    }
    descriptor.reply_to_queue = replies.object_name.into();
    let started = Instant::now();
    put(&mut session, &name, &mut descriptor, arguments.text.clone().into())?;

    let mut reply = MessageDescriptor {
        correlation_id: CorrelationId::from(descriptor.message_id),
        ..MessageDescriptor::default()
    };
    let printer = Printer {
        format: common.output,
        describe: arguments.describe,
        form: arguments.raw.form(),
        is_terminal: io::stdout().is_terminal(),
    };
    let flags = GetFlags::SYNCPOINT | printer.flags();
    let mut options = GetOptions::with(flags, Wait::from(arguments.wait));
    let got = session.verbs().get(replies.handle, &mut reply, &mut options, MESSAGE_BYTES_MAX);
    let elapsed = started.elapsed();
    let got = got.map_err(|reason| no_reply(reason, &name, &session, arguments.wait))?;

    let message = Message { descriptor: reply, body: got.body };
    let mut output = output::standard();
    printer.print(&mut output, &message)?;
    output.settle()?;
    output.wait_for_reader(Following::Nothing)?;
    session.verbs().commit().map_err(|reason| Failure::of_call("cannot commit the reply", reason))?;
    if common.output == Format::Table && io::stderr().is_terminal() {
        output::say(format!("reply after {}", units::duration(elapsed)));
    }
    // A permanent reply queue stays; one made for this request goes with its handle.
    let _ = session.verbs().close(replies.handle, CloseOptions::EMPTY);
    session.disconnect()
}

fn put(
    session: &mut Session,
    name: &ObjectName,
    descriptor: &mut MessageDescriptor,
    body: Bytes,
) -> Result<()> {
    let opened = session.open_queue(*name, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING)?;
    session
        .verbs()
        .put(opened.handle, descriptor, &mut put::alone(), body)
        .map_err(|reason| Failure::of_call(format!("cannot put the request on {name}"), reason))
}

fn no_reply(reason: Reason, name: &ObjectName, session: &Session, wait: Duration) -> Failure {
    if reason != Reason::NO_MSG_AVAILABLE {
        return Failure::of_call("cannot get the reply", reason);
    }
    let what = format!(
        "the request is on {name} at {}, but no reply came within {}",
        session.queue_manager(),
        units::duration(wait)
    );
    Failure::new(Exit::TimedOut, what).next(next_step!(
        "start something that answers: ferry reply {name}; ferry browse {name} shows the request"
    ))
}
