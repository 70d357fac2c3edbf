//! Works on messages and sets a poison message aside: `consumer QUEUE COUNT`
//!
//! Several of these programs may share a queue: each message goes to one of them. A message that fails three
//! times is put on `DEV.DEAD.LETTER.QUEUE` instead of coming back for ever.

use examples::{Outcome, connect, queue, words};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, OpenOptions, PutFlags, PutOptions, Reason, Verbs as _, Wait,
};

/// Most bytes of a message.
const BYTES_MAX: usize = 4 << 20;

/// Attempts before a message is set aside.
const ATTEMPTS_MAX: i32 = 3;

fn main() -> Outcome {
    let words = words("consumer QUEUE COUNT", 2)?;
    let mut left: u64 = words[1].parse()?;
    let mut connection = connect("consumer")?;
    let options = OpenOptions::INPUT_SHARED | OpenOptions::FAIL_IF_QUIESCING;
    let opened = connection.open(&queue(&words[0])?, options)?;
    while left > 0 {
        let mut descriptor = MessageDescriptor::default();
        let flags = GetFlags::SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions::with(flags, Wait::Milliseconds(5_000));
        let got = match connection.get(opened.handle, &mut descriptor, &mut options, BYTES_MAX) {
            Ok(got) => got,
            Err(Reason::NO_MSG_AVAILABLE) => return Err("no message came within five seconds".into()),
            Err(reason) => return Err(reason.into()),
        };
        let attempts = descriptor.backout_count;
        if attempts >= ATTEMPTS_MAX {
            let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
            connection.put1(&queue("DEV.DEAD.LETTER.QUEUE")?, &mut descriptor, &mut options, got.body)?;
            connection.commit()?;
            println!("set aside after {attempts} attempts");
            left -= 1;
            continue;
        }
        match work(&got.body) {
            Ok(()) => {
                connection.commit()?;
                left -= 1;
            }
            // The message is back on its queue, and its backout count is one higher.
            Err(why) => {
                eprintln!("{why}");
                connection.back()?;
            }
        }
    }
    connection.disconnect()?;
    Ok(())
}

/// The work of the program: a message must be a number.
fn work(body: &[u8]) -> Outcome {
    let number: i64 = std::str::from_utf8(body)?.trim().parse()?;
    println!("{number}");
    Ok(())
}
