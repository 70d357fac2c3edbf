//! amqsgbr: the bodies of a queue's messages, a line each, left where they are.

use std::io::Write as _;

use mqi::{CloseOptions, GetFlags, GetOptions, MessageDescriptor, OpenOptions, Reason, Wait, constants};

use super::{Program, Sample, Stopped, options, queue, refused, text_of};
use crate::message::MESSAGE_BYTES_MAX;

pub(super) const PROGRAM: Program = Program {
    application: "amqsgbr",
    usage: "QUEUE [QMGR [OPEN_OPTIONS [CLOSE_OPTIONS]]]",
    object: "queue",
    first_line: "Sample AMQSGBR0 (browse) start",
    last_line: "Sample AMQSGBR0 (browse) end",
    run,
};

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    let usual = constants::MQOO_BROWSE | constants::MQOO_FAIL_IF_QUIESCING;
    let opening = OpenOptions::from_bits(options(typed.get(2), usual)?);
    let closing = CloseOptions::from_bits(options(typed.get(3), constants::MQCO_NONE)?);
    let opened = sample.open(&queue(&typed[0])?, opening, "unable to open queue for browse")?;
    writeln!(sample.output, "Messages for {}", opened.object_name)?;
    let flags = GetFlags::BROWSE_NEXT | GetFlags::CONVERT | GetFlags::FAIL_IF_QUIESCING;
    for number in 1_u64.. {
        let mut options = GetOptions::with(flags, Wait::No);
        let mut descriptor = MessageDescriptor::default();
        match sample.verbs().get(opened.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
            Ok(got) => {
                write!(sample.output, "{number} <")?;
                sample.output.write_all(&text_of(&got.body))?;
                sample.output.write_all(b">\n")?;
            }
            Err(Reason::NO_MSG_AVAILABLE) => break,
            Err(reason) => return Err(refused("MQGET")(reason)),
        }
    }
    writeln!(sample.output, "no more messages")?;
    sample.close(&opened, closing)
}
