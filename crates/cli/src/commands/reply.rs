//! `ferry reply`: answers the requests on a queue, by echo, with a text or by running a command.
//!
//! Always: request and reply are one unit of work; a request that cannot be answered is set aside in that
//! unit, and is back on its queue when that fails too.

use std::io::{IsTerminal as _, Write as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use formats::headers::{self, Place};
use mqi::constants::{MQFB_APPL_FIRST, MQFMT_STRING};
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, MessageType, ObjectHandle, ObjectName,
    OpenOptions, Persistence, PutFlags, PutOptions, Reason, ReportOptions, Text, Verbs, Wait,
};
use serde_json::json;

use super::poison_messages::PoisonMessages;
use crate::body_summary::gist;
use crate::content::Content;
use crate::interrupt::Interrupt;
use crate::message::MESSAGE_BYTES_MAX;
use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless};
use terminal::{connect, units};

/// Answers requests.
#[derive(Debug, Args)]
pub(crate) struct ReplyArguments {
    /// Queue the requests come to
    queue: String,
    /// Answer with this text; without it the request is sent back as it is
    #[arg(long, conflicts_with = "command")]
    text: Option<String>,
    /// Answer with what this shell command prints; it reads the body of the request from its standard input
    #[arg(short, long, value_name = "COMMAND")]
    command: Option<String>,
    /// Give the command all bytes of the request, headers and properties too, and take its output as such
    #[arg(long, requires = "command")]
    raw: bool,
    /// End after this number of requests
    #[arg(short = 'n', long, value_name = "REQUESTS", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
    /// End when no request came within this time
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME")]
    wait: Option<Duration>,
}

/// Interval at which a wait checks for a wanted end.
const LOOK: Duration = Duration::from_millis(250);

/// The cause that leaves a request without an answer.
enum Unanswered {
    /// The request itself, or the place of its reply: the next request may do better.
    PoisonMessages { why: String, feedback: i32 },
    /// Something that the next request would meet as well.
    Stop(Failure),
}

impl From<Failure> for Unanswered {
    fn from(failure: Failure) -> Self {
        Self::Stop(failure)
    }
}

/// Answers until told to end.
pub(crate) fn run(common: &Common, arguments: &ReplyArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(common)?;
    let options =
        OpenOptions::INPUT_AS_Q_DEF | OpenOptions::SAVE_ALL_CONTEXT | OpenOptions::FAIL_IF_QUIESCING;
    let opened = session.open_queue(name, options)?;
    let queue_manager = session.queue_manager().to_owned();
    let queue = format!("{name} at {queue_manager}");
    let interrupt = Interrupt::listen()?;
    if std::io::stderr().is_terminal() && common.output == Format::Table {
        output::say(format!("answering the requests on {queue}; Ctrl-C ends"));
    }
    let (mut answered, mut set_aside) = (0_u64, 0_u64);
    while answered + set_aside < arguments.count {
        let Some((request, body)) = next_request(session.verbs(), opened.handle, arguments.wait, &interrupt)
            .map_err(|reason| Failure::of_call(format!("cannot get from {queue}"), reason))?
        else {
            break;
        };
        match answer(session.verbs(), arguments, &request, &body) {
            Ok(()) => {
                answered += 1;
                tell(common.output, &request, &body)?;
            }
            Err(Unanswered::PoisonMessages { why, feedback }) => {
                let aside = PoisonMessages {
                    queue: name,
                    handle: Some(opened.handle),
                    queue_manager: &queue_manager,
                    feedback,
                    program: "ferry reply",
                };
                let place = put_aside(session.verbs(), &aside, (&request, &body), &why)?;
                set_aside += 1;
                tell_aside(common.output, &request, place, &why)?;
            }
            Err(Unanswered::Stop(failure)) => {
                // The failure is what there is to say; that the request is back follows from the broken unit
                // of work.
                let _ = session.verbs().back();
                return Err(failure);
            }
        }
    }
    session.disconnect()?;
    match set_aside {
        0 => Ok(()),
        _ => Err(Failure::new(
            Exit::Failed,
            format!("answered {}, set aside {set_aside}", units::counted(answered, "request")),
        )
        .next(NextStep::of(
            "ferry dlq list, or ferry browse of the backout queue (BOQNAME), shows what was set aside",
        ))),
    }
}

/// Sets a request aside in the unit of work that got it; when that fails, the request is back on its queue.
fn put_aside(
    verbs: &mut dyn Verbs,
    aside: &PoisonMessages<'_>,
    (request, body): (&MessageDescriptor, &Bytes),
    why: &str,
) -> Result<ObjectName> {
    let put = aside.put(verbs, request, body);
    let failure = match put {
        Ok(place) => match verbs.commit() {
            Ok(()) => return Ok(place),
            Err(reason) => Failure::of_call(format!("cannot commit a request that was set aside: {why}"), reason),
        },
        Err((queue, _)) if queue.is_blank() => Failure::new(
            Exit::Failed,
            format!("{why}; it is back on {}, which has no backout queue and no dead-letter queue", aside.queue),
        )
        .next(next_step!(
            "ferry mqsc -e \"ALTER QLOCAL({}) BOQNAME(ASIDE)\" names a queue that takes such requests; or give the \
             queue manager a dead-letter queue (ALTER QMGR DEADQ)",
            connect::in_mqsc(aside.queue.as_str())
        )),
        Err((queue, reason)) => {
            Failure::of_call(format!("{why}; it is back on {}, and cannot be put on {queue}", aside.queue), reason)
        }
    };
    let _ = verbs.back();
    Err(failure)
}

/// Returns true if the place of one reply is the cause, and not the connection or the queue manager.
fn is_of_place(reason: Reason) -> bool {
    [
        Reason::UNKNOWN_OBJECT_NAME,
        Reason::UNKNOWN_OBJECT_Q_MGR,
        Reason::UNKNOWN_REMOTE_Q_MGR,
        Reason::UNKNOWN_ALIAS_BASE_Q,
        Reason::UNKNOWN_XMIT_Q,
        Reason::OBJECT_NAME_ERROR,
        Reason::OBJECT_TYPE_ERROR,
        Reason::Q_TYPE_ERROR,
        Reason::Q_DELETED,
        Reason::Q_FULL,
        Reason::PUT_INHIBITED,
        Reason::NOT_AUTHORIZED,
        Reason::MSG_TOO_BIG_FOR_Q,
        Reason::MSG_TOO_BIG_FOR_Q_MGR,
    ]
    .contains(&reason)
}

/// Returns the next request, in a unit of work; none when an end is wanted or nothing came.
fn next_request(
    verbs: &mut dyn Verbs,
    handle: ObjectHandle,
    wait: Option<Duration>,
    interrupt: &Interrupt,
) -> std::result::Result<Option<(MessageDescriptor, Bytes)>, Reason> {
    // A request that is set aside or sent back keeps its properties, whatever its queue says (PROPCTL).
    let flags = GetFlags::SYNCPOINT | GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING;
    let until = wait.map(|wait| std::time::Instant::now() + wait);
    loop {
        if interrupt.is_wanted() {
            return Ok(None);
        }
        let left =
            until.map_or(LOOK, |until| until.saturating_duration_since(std::time::Instant::now()).min(LOOK));
        let mut descriptor = MessageDescriptor::default();
        let mut options = GetOptions::with(flags, Wait::from(left));
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
    arguments: &ReplyArguments,
    request: &MessageDescriptor,
    body: &Bytes,
) -> std::result::Result<(), Unanswered> {
    if request.reply_to_queue.is_blank() {
        return Err(Unanswered::PoisonMessages {
            why: format!("message {} names no reply queue", request.message_id),
            feedback: Reason::MISSING_REPLY_TO_Q.code(),
        });
    }
    let content = Content::of(request, body);
    let (place, text) = match (&arguments.text, &arguments.command) {
        (Some(text), _) => (place_of_text(&content), text.clone().into()),
        (None, Some(command)) if arguments.raw => (Place::of(request), run_command(command, body)?),
        (None, Some(command)) => {
            let data = content.text().map_or_else(|| content.data.clone(), |text| text.into_owned().into());
            (place_of_text(&content), run_command(command, &data)?)
        }
        (None, None) => (Place::of(request), body.clone()),
    };
    let mut reply = reply_descriptor(request);
    place.describe(&mut reply);
    let target = request.reply_to();
    let flags = PutFlags::SYNCPOINT | PutFlags::SYNC_RESPONSE | PutFlags::FAIL_IF_QUIESCING;
    let mut put = |persistence| {
        let mut reply = MessageDescriptor { persistence, ..reply.clone() };
        verbs.put1(&target, &mut reply, &mut PutOptions::with(flags), text.clone())
    };
    let outcome = match put(reply.persistence) {
        // A temporary queue goes with its requester, and so does what is on it.
        Err(Reason::PERSISTENT_NOT_ALLOWED) => put(Persistence::NotPersistent),
        outcome => outcome,
    };
    outcome.map_err(|reason| {
        if is_of_place(reason) {
            let why = format!(
                "the reply to {} cannot be put on {}: {reason}",
                request.message_id, target.object_name
            );
            return Unanswered::PoisonMessages { why, feedback: reason.code() };
        }
        let what = format!("cannot put the reply on {}", request.reply_to_queue);
        Unanswered::Stop(Failure::of_call(what, reason))
    })?;
    verbs.commit().map_err(|reason| Failure::of_call("cannot commit the reply", reason).into())
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
        ..MessageDescriptor::default()
    }
}

/// Description of a text that answers a request: the format of the request's data, without headers.
fn place_of_text(request: &Content) -> Place {
    let format = request.place.format;
    let format = if headers::is_judged(&format) { Text::truncated(MQFMT_STRING) } else { format };
    Place { format, ..Place::of(&MessageDescriptor::default()) }
}

/// The exit codes of a shell that does not find a command, or may not run it.
const NOT_RUN: [i32; 2] = [126, 127];

fn run_command(command: &str, body: &Bytes) -> std::result::Result<Bytes, Unanswered> {
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
    match output.status.code() {
        Some(0) => {}
        // The command ran and did not like this request.
        Some(code) if !NOT_RUN.contains(&code) => {
            let why = format!("the command `{command}` failed with this request: {}", output.status);
            return Err(Unanswered::PoisonMessages { why, feedback: MQFB_APPL_FIRST });
        }
        _ => return Err(failed(format!("failed: {}", output.status)).into()),
    }
    let mut text = output.stdout;
    if text.ends_with(b"\n") {
        text.pop();
    }
    Ok(text.into())
}

fn tell_aside(format: Format, request: &MessageDescriptor, place: ObjectName, why: &str) -> Result<()> {
    match format {
        Format::Json => output::print_json(&json!({
            "set_aside": request.message_id.to_string(), "on": place.as_str(), "why": why,
        }))?,
        Format::Table => output::print_line(format!("set aside on {place}: {}", harmless(why)))?,
    }
    Ok(())
}

fn tell(format: Format, request: &MessageDescriptor, body: &Bytes) -> Result<()> {
    match format {
        Format::Json => output::print_json(&json!({
            "answered": request.message_id.to_string(), "reply_to": request.reply_to_queue.as_str(),
            "length": Content::of(request, body).data.len(),
        }))?,
        Format::Table => {
            let gist = gist(request, body, 40);
            output::print_line(format!(
                "answered {} bytes to {}  {}",
                units::count(gist.bytes as u64),
                harmless(request.reply_to_queue.as_str()),
                gist.line
            ))?;
        }
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
        let run = |command: &str, body: &Bytes| match run_command(command, body) {
            Ok(reply) => Ok(reply),
            Err(Unanswered::PoisonMessages { why, .. }) => Err(format!("aside: {why}")),
            Err(Unanswered::Stop(failure)) => Err(failure.to_string()),
        };
        assert_eq!(run("tr a-z A-Z", &"hello".into()).unwrap(), "HELLO");
        let aside = run("exit 3", &"".into()).unwrap_err();
        assert!(aside.starts_with("aside: ") && aside.contains("exit status: 3"), "{aside}");
        for stops in ["exit 127", "no-such-command-here", "kill -9 $$"] {
            assert!(run(stops, &"".into()).unwrap_err().starts_with("ferry: "), "{stops}");
        }
        let large = Bytes::from(vec![b'x'; 1 << 20]);
        assert_eq!(run("cat", &large).unwrap().len(), 1 << 20);
    }
}
