//! amqssub: the publications of a topic, a line each, until none comes for a while.

use std::io::Write as _;
use std::time::Duration;

use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, Reason, SubscribeOptions, SubscriptionDescriptor,
    Wait,
};

use super::{Program, Sample, Stopped, refused, text_of};
use crate::message::MESSAGE_BYTES_MAX;

pub(super) const PROGRAM: Program = Program {
    application: "amqssub",
    usage: "TOPIC [QMGR]",
    object: "topic",
    first_line: "Sample AMQSSUBA start",
    last_line: "Sample AMQSSUBA end",
    run,
};

/// Time that it waits for a publication.
const PATIENCE: Duration = Duration::from_secs(30);

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::FAIL_IF_QUIESCING;
    let wanted = SubscriptionDescriptor::to(typed[0].as_str(), options);
    let subscribed = sample.verbs().subscribe(&wanted, None).map_err(refused("MQSUB"))?;
    let queue = subscribed.queue.ok_or_else(|| refused("MQSUB")(Reason::HOBJ_ERROR))?;
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    loop {
        writeln!(sample.output, "Calling MQGET : {} seconds wait time", PATIENCE.as_secs())?;
        sample.output.flush()?;
        let mut options = GetOptions::with(flags, Wait::from(PATIENCE));
        let mut descriptor = MessageDescriptor::default();
        match sample.verbs().get(queue, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => {
                sample.output.write_all(b"message <")?;
                sample.output.write_all(&text_of(&got.body))?;
                sample.output.write_all(b">\n")?;
            }
            Err(Reason::NO_MSG_AVAILABLE) => {
                writeln!(sample.output, "no more messages")?;
                break;
            }
            Err(reason) => return Err(refused("MQGET")(reason)),
        }
    }
    let closed = sample.verbs().close(subscribed.subscription, CloseOptions::EMPTY);
    closed.map_err(refused("MQCLOSE")).map(drop)
}
