//! amqsreq: a request from each line of standard input, then the replies.

use std::io::{self, Write as _};
use std::time::Duration;

use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectHandle, ObjectName,
    OpenOptions, Reason, ReportOptions, Wait,
};

use super::{Program, Sample, Stopped, each_line, queue, refused, text_of};
use crate::commands::put;
use crate::message::MESSAGE_BYTES_MAX;

pub(super) const PROGRAM: Program = Program {
    application: "amqsreq",
    usage: "QUEUE [QMGR [REPLY_QUEUE]]",
    object: "queue",
    first_line: "Sample AMQSREQ0 start",
    last_line: "Sample AMQSREQ0 end",
    run,
};

/// Where replies come to when no queue for them is named: a queue is made from this model.
const REPLY_QUEUE: &str = "SYSTEM.DEFAULT.MODEL.QUEUE";

/// A server may be started only by the first request.
const PATIENCE_FIRST: Duration = Duration::from_secs(60);
const PATIENCE: Duration = Duration::from_secs(15);

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    writeln!(sample.output, "server queue is {}", typed[0])?;
    let opening = OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING;
    let requests = sample.open(&queue(&typed[0])?, opening, "unable to open server queue for output")?;
    let reply_queue = typed.get(2).map_or(REPLY_QUEUE, String::as_str);
    let opening = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING;
    let replies = sample.open(&queue(reply_queue)?, opening, "unable to open reply queue")?;
    writeln!(sample.output, "replies to {}", replies.object_name)?;
    sample.output.flush()?;
    let count = ask(sample, requests.handle, replies.object_name)?;
    if count > 0 {
        listen(sample, replies.handle)?;
    }
    sample.close(&requests, CloseOptions::EMPTY)?;
    // One made from a model goes with what is on it.
    let closing = if typed.len() > 2 { CloseOptions::EMPTY } else { CloseOptions::DELETE_PURGE };
    sample.close(&replies, closing)
}

/// Puts a request for each line; how many.
fn ask(sample: &mut Sample, requests: ObjectHandle, reply_to_queue: ObjectName) -> Result<usize, Stopped> {
    let mut count = 0;
    each_line(io::stdin().lock(), |line| {
        let mut descriptor = MessageDescriptor {
            format: MessageDescriptor::string_format(),
            message_type: MessageType::REQUEST,
            report: ReportOptions::EXCEPTION_WITH_DATA,
            reply_to_queue: reply_to_queue.into(),
            ..MessageDescriptor::default()
        };
        let mut how = put::alone();
        count += 1;
        sample.verbs().put(requests, &mut descriptor, &mut how, line.into()).map_err(refused("MQPUT"))
    })?;
    Ok(count)
}

fn listen(sample: &mut Sample, replies: ObjectHandle) -> Result<(), Stopped> {
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    let mut patience = PATIENCE_FIRST;
    loop {
        let mut options = GetOptions::with(flags, Wait::from(patience));
        let mut descriptor = MessageDescriptor::default();
        match sample.verbs().get(replies, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => {
                sample.output.write_all(b"response <")?;
                sample.output.write_all(&text_of(&got.body))?;
                sample.output.write_all(b">\n")?;
                sample.output.flush()?;
            }
            Err(Reason::NO_MSG_AVAILABLE) => {
                writeln!(sample.output, "no more replies")?;
                return Ok(());
            }
            Err(reason) => return Err(refused("MQGET")(reason)),
        }
        patience = PATIENCE;
    }
}
