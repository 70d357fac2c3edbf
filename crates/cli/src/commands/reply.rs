//! `ferry reply`: answers the requests on a queue, by echo, with a text or by running a command.
//!
//! Always: request and reply are one unit of work; a request that could not be answered is back on its queue.

use std::io::{IsTerminal as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, MessageType, ObjectHandle,
    OpenOptions, PutFlags, PutOptions, Reason, ReportOptions, Verbs, Wait,
};
use serde_json::json;

use super::get::MESSAGE_BYTES_MAX;
use crate::interrupt::Interrupt;
use crate::message;
use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};
use terminal::{connect, units};

/// How to answer.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Queue the requests come to
    queue: String,
    /// Answer with this text; without it the request is sent back as it is
    #[arg(long, conflicts_with = "command")]
    text: Option<String>,
    /// Answer with what this shell command prints; it reads the request from its standard input
    #[arg(short, long, value_name = "COMMAND")]
    command: Option<String>,
    /// End after so many requests
    #[arg(short = 'n', long, value_name = "REQUESTS", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
    /// End when no request came for so long
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME")]
    wait: Option<Duration>,
}

/// So often a wait looks whether somebody wants an end.
const LOOK: Duration = Duration::from_millis(250);

/// Answers until told to end.
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(common)?;
    let opened = session.open_queue(name, OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING)?;
    let queue = format!("{name} at {}", session.queue_manager());
    let interrupt = Interrupt::listen()?;
    if std::io::stderr().is_terminal() && common.output == Format::Table {
        output::say(format!("answering the requests on {queue}; Ctrl-C ends"));
    }
    let mut answered = 0;
    while answered < arguments.count {
        let Some((request, body)) = next_request(session.verbs(), opened.handle, arguments.wait, &interrupt)
            .map_err(|reason| Failure::of_call(format!("cannot get from {queue}"), reason))?
        else {
            break;
        };
        let outcome = answer(session.verbs(), arguments, &request, &body);
        if let Err(failure) = outcome {
            // The failure is what there is to say; that the request is back follows from the broken unit of work.
            let _ = session.verbs().back();
            return Err(failure);
        }
        answered += 1;
        tell(common.output, &request, &body)?;
    }
    session.disconnect()
}

/// The next request, in a unit of work; none when somebody wants an end or nothing came.
fn next_request(
    verbs: &mut dyn Verbs,
    handle: ObjectHandle,
    wait: Option<Duration>,
    interrupt: &Interrupt,
) -> std::result::Result<Option<(MessageDescriptor, Bytes)>, Reason> {
    let until = wait.map(|wait| std::time::Instant::now() + wait);
    loop {
        if interrupt.is_wanted() {
            return Ok(None);
        }
        let left =
            until.map_or(LOOK, |until| until.saturating_duration_since(std::time::Instant::now()).min(LOOK));
        let mut descriptor = MessageDescriptor::default();
        let mut options =
            GetOptions::with(GetFlags::SYNCPOINT | GetFlags::FAIL_IF_QUIESCING, Wait::from(left));
        match verbs.get(handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => return Ok(Some((descriptor, got.body))),
            Err(Reason::NO_MSG_AVAILABLE)
                if until.is_some_and(|until| until <= std::time::Instant::now()) =>
            {
                return Ok(None);
            }
            Err(Reason::NO_MSG_AVAILABLE) => {}
            Err(reason) => return Err(reason),
        }
    }
}

fn answer(
    verbs: &mut dyn Verbs,
    arguments: &Arguments,
    request: &MessageDescriptor,
    body: &Bytes,
) -> Result<()> {
    if request.reply_to_queue.is_blank() {
        return Err(Failure::new(
            Exit::Failed,
            format!("message {} names no reply queue, so it cannot be answered", request.message_id),
        )
        .next("take it off with ferry get, or put requests with ferry request or ferry put --reply-to"));
    }
    let text = match (&arguments.text, &arguments.command) {
        (Some(text), _) => Bytes::from(text.clone()),
        (None, Some(command)) => run_command(command, body)?,
        (None, None) => body.clone(),
    };
    let target = request.reply_to();
    let mut reply = reply_descriptor(request);
    let flags = PutFlags::SYNCPOINT | PutFlags::SYNC_RESPONSE | PutFlags::FAIL_IF_QUIESCING;
    verbs.put1(&target, &mut reply, &mut PutOptions::with(flags), text).map_err(|reason| {
        Failure::of_call(format!("cannot put the reply on {}", request.reply_to_queue), reason)
    })?;
    verbs.commit().map_err(|reason| Failure::of_call("cannot commit the reply", reason))
}

/// The reply carries what the request's report options ask for.
fn reply_descriptor(request: &MessageDescriptor) -> MessageDescriptor {
    let keeps_message_id = request.report.contains(ReportOptions::PASS_MSG_ID);
    let keeps_correlation_id = request.report.contains(ReportOptions::PASS_CORREL_ID);
    MessageDescriptor {
        message_type: MessageType::REPLY,
        message_id: if keeps_message_id { request.message_id } else { MessageId::NONE },
        correlation_id: if keeps_correlation_id {
            request.correlation_id
        } else {
            CorrelationId::from(request.message_id)
        },
        persistence: request.persistence,
        priority: request.priority,
        expiry: request.expiry,
        format: request.format,
        ..MessageDescriptor::default()
    }
}

fn run_command(command: &str, body: &Bytes) -> Result<Bytes> {
    let failed = |what: String| {
        Failure::new(Exit::Failed, format!("the command `{command}` {what}"))
            .next("the request is back on its queue; run the command by hand to see what is wrong")
    };
    let mut child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("cannot be started: {error}")))?;
    let input = child.stdin.take();
    let body = body.clone();
    // A command may print before it has read everything, or never read at all.
    let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(&body)));
    let output = child.wait_with_output().map_err(|error| failed(format!("cannot be read: {error}")))?;
    // It is the command's own business how much of its input it reads.
    let _ = writer.join();
    if !output.status.success() {
        return Err(failed(format!("failed: {}", output.status)));
    }
    let mut text = output.stdout;
    if text.ends_with(b"\n") {
        text.pop();
    }
    Ok(text.into())
}

fn tell(format: Format, request: &MessageDescriptor, body: &Bytes) -> Result<()> {
    match format {
        Format::Json => output::print_json(&json!({
            "answered": request.message_id.to_string(), "reply_to": request.reply_to_queue.as_str(),
            "length": body.len(),
        }))?,
        Format::Table => output::print_line(format!(
            "answered {} bytes to {}  {}",
            units::count(body.len() as u64),
            request.reply_to_queue,
            message::preview(body, 40)
        ))?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_tied_to_its_request_as_the_report_options_say() {
        let mut request = MessageDescriptor {
            message_id: MessageId::from_bytes([1; 24]),
            correlation_id: CorrelationId::from_bytes([2; 24]),
            ..MessageDescriptor::default()
        };
        assert_eq!(reply_descriptor(&request).correlation_id.as_bytes(), &[1; 24]);
        assert!(reply_descriptor(&request).message_id.is_none());
        request.report = ReportOptions::PASS_CORREL_ID | ReportOptions::PASS_MSG_ID;
        assert_eq!(reply_descriptor(&request).correlation_id.as_bytes(), &[2; 24]);
        assert_eq!(reply_descriptor(&request).message_id.as_bytes(), &[1; 24]);
    }

    #[test]
    fn a_command_reads_the_request_and_prints_the_reply() {
        assert_eq!(run_command("tr a-z A-Z", &"hello".into()).unwrap(), "HELLO");
        assert!(run_command("exit 3", &"".into()).unwrap_err().to_string().contains("exit status: 3"));
        let large = Bytes::from(vec![b'x'; 1 << 20]);
        assert_eq!(run_command("cat", &large).unwrap().len(), 1 << 20);
    }
}
