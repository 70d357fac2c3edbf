//! amqspub: a publication from each line of standard input.

use std::io::Write as _;

use mqi::{CloseOptions, ObjectDescriptor, OpenOptions};

use super::{Program, Sample, Stopped};

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
    sample.put_lines(&opened)?;
    sample.close(&opened, CloseOptions::EMPTY)
}
