//! amqspub: a publication from each line of standard input.

use std::io::Write as _;

use mqi::{CloseOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions};

use super::{Program, Sample, Stopped, each_line, refused};

pub(super) const PROGRAM: Program = Program {
    application: "amqspub",
    usage: "TOPIC [QMGR]",
    object: "topic",
    first_line: "Sample AMQSPUBA start",
    last_line: "Sample AMQSPUBA end",
    run,
};

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    let topic = &typed[0];
    writeln!(sample.output, "target topic is {topic}")?;
    sample.output.flush()?;
    let opening = OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING;
    let object = ObjectDescriptor::topic(topic.as_str());
    let opened = sample.open(&object, opening, "unable to open topic for publish")?;
    each_line(|line| {
        let mut descriptor =
            MessageDescriptor { format: MessageDescriptor::string_format(), ..MessageDescriptor::default() };
        let mut how = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
        sample.verbs().put(opened.handle, &mut descriptor, &mut how, line.into()).map_err(refused("MQPUT"))
    })?;
    sample.close(&opened, CloseOptions::EMPTY)
}
