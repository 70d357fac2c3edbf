//! Gets messages from a queue until none comes for a second: `get QUEUE`

use examples::{Outcome, connect, queue, words};
use mqi::{GetFlags, GetOptions, MessageDescriptor, OpenOptions, Reason, Verbs as _, Wait};

/// Most bytes of a message that this program takes.
const BYTES_MAX: usize = 4 << 20;

fn main() -> Outcome {
    let words = words("get QUEUE", 1)?;
    let mut connection = connect("get")?;
    let options = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING;
    let opened = connection.open(&queue(&words[0])?, options)?;
    loop {
        let mut descriptor = MessageDescriptor::default();
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions::with(flags, Wait::Milliseconds(1_000));
        match connection.get(opened.handle, &mut descriptor, &mut options, BYTES_MAX) {
            Ok(got) => println!("{}", String::from_utf8_lossy(&got.body)),
            Err(Reason::NO_MSG_AVAILABLE) => break,
            Err(reason) => return Err(reason.into()),
        }
    }
    connection.disconnect()?;
    Ok(())
}
