//! Publishes a text: `publish TOPIC TEXT`
//!
//! The publication is retained: a program that subscribes later is given it first.

use examples::{Outcome, connect, words};
use mqi::{MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Text, Verbs as _};

fn main() -> Outcome {
    let words = words("publish TOPIC TEXT", 2)?;
    let mut connection = connect("publish")?;
    let topic = ObjectDescriptor::topic(&words[0]);
    let opened = connection.open(&topic, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING)?;
    let mut descriptor =
        MessageDescriptor { format: Text::truncated("MQSTR"), ..MessageDescriptor::default() };
    let flags = PutFlags::NO_SYNCPOINT | PutFlags::RETAIN | PutFlags::FAIL_IF_QUIESCING;
    connection.put(opened.handle, &mut descriptor, &mut PutOptions::with(flags), words[1].clone().into())?;
    connection.disconnect()?;
    Ok(())
}
