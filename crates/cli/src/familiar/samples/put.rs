//! amqsput: a message from each line of standard input.

use std::io::Write as _;

use mqi::{CloseOptions, OpenOptions, Text, constants};

use super::{Program, Sample, Stopped, misused, options, queue};

pub(super) const PROGRAM: Program = Program {
    application: "amqsput",
    usage: "QUEUE [QMGR [OPEN_OPTIONS [CLOSE_OPTIONS [TARGET_QMGR [DYNAMIC_QUEUE]]]]]",
    object: "queue",
    first_line: "Sample AMQSPUT0 start",
    last_line: "Sample AMQSPUT0 end",
    run,
};

fn run(sample: &mut Sample, typed: &[String]) -> Result<(), Stopped> {
    let mut object = queue(&typed[0])?;
    let usual = constants::MQOO_OUTPUT | constants::MQOO_FAIL_IF_QUIESCING;
    let opening = OpenOptions::from_bits(options(typed.get(2), usual)?);
    let closing = CloseOptions::from_bits(options(typed.get(3), constants::MQCO_NONE)?);
    if let Some(target) = typed.get(4) {
        object.object_queue_manager_name =
            target.parse().map_err(|error: mqi::NameError| misused(format!("{target}: {error}")))?;
        writeln!(sample.output, "target queue manager is {target}")?;
    }
    if let Some(dynamic) = typed.get(5) {
        object.dynamic_queue_name = Text::truncated(dynamic);
        writeln!(sample.output, "dynamic queue name is {dynamic}")?;
    }
    writeln!(sample.output, "target queue is {}", typed[0])?;
    sample.output.flush()?;
    let opened = sample.open(&object, opening, "unable to open queue for output")?;
    sample.put_lines(&opened)?;
    sample.close(&opened, closing)
}
