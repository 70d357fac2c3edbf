//! amqsget: the messages of a queue, a line each, until none comes for a while.

use std::io::Write as _;
use std::time::Duration;

use mqi::{CloseOptions, GetFlags, GetOptions, MessageDescriptor, OpenOptions, Reason, Wait, constants};

use super::{Program, Sample, Stopped, options, queue, refused, text_of};
use crate::message::MESSAGE_BYTES_MAX;

pub(super) const PROGRAM: Program = Program {
    application: "amqsget",
    usage: "QUEUE [QMGR [OPEN_OPTIONS [CLOSE_OPTIONS]]]",
    object: "queue",
    first_line: "Sample AMQSGET0 start",
    last_line: "Sample AMQSGET0 end",
    run,
};

/// Time that it waits for a message.
const PATIENCE: Duration = Duration::from_secs(15);

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    let usual = constants::MQOO_INPUT_AS_Q_DEF | constants::MQOO_FAIL_IF_QUIESCING;
    let opening = OpenOptions::from_bits(options(typed.get(2), usual)?);
    let closing = CloseOptions::from_bits(options(typed.get(3), constants::MQCO_NONE)?);
    let opened = sample.open(&queue(&typed[0])?, opening, "unable to open queue for input")?;
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    loop {
        let mut options = GetOptions::with(flags, Wait::from(PATIENCE));
        let mut descriptor = MessageDescriptor::default();
        match sample.verbs().get(opened.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => {
                sample.output.write_all(b"message <")?;
                sample.output.write_all(&text_of(&got.body))?;
                sample.output.write_all(b">\n")?;
                // A reader who follows along is to see it now: the next may be long in coming.
                sample.output.flush()?;
            }
            Err(Reason::NO_MSG_AVAILABLE) => {
                writeln!(sample.output, "no more messages")?;
                return sample.close(&opened, closing);
            }
            Err(reason) => return Err(refused("MQGET")(reason)),
        }
    }
}
