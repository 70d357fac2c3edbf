//! Puts messages on a queue: `put QUEUE TEXT...`

use examples::{Outcome, connect, queue, words};
use mqi::{MessageDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Text, Verbs as _};

fn main() -> Outcome {
    let words = words("put QUEUE TEXT...", 2)?;
    let mut connection = connect("put")?;
    let opened = connection.open(&queue(&words[0])?, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING)?;
    for text in &words[1..] {
        let mut descriptor = MessageDescriptor {
            // The call returns when the message is on disk.
            persistence: Persistence::Persistent,
            format: Text::truncated("MQSTR"),
            ..MessageDescriptor::default()
        };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
        connection.put(opened.handle, &mut descriptor, &mut options, text.clone().into())?;
        println!("{}", descriptor.message_id);
    }
    connection.disconnect()?;
    Ok(())
}
