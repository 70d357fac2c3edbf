//! Puts a message and gets it: the first block of the guide about programs in Rust.

use client::{Connection, Options};
use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions};
use mqi::{Persistence, PutFlags, PutOptions, Verbs, Wait};

fn main() -> examples::Outcome {
    let address = std::env::var("FERRY_CONNECT")?;
    let mut connection = Connection::connect(Options::to(address.parse()?))?;
    let queue = ObjectDescriptor::queue("DEV.QUEUE.1".parse()?);
    let opened = connection.open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_AS_Q_DEF)?;

    let mut message =
        MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
    let mut how = PutOptions::with(PutFlags::NO_SYNCPOINT);
    connection.put(opened.handle, &mut message, &mut how, "hello".into())?;

    let mut how = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(1_000));
    let got = connection.get(opened.handle, &mut MessageDescriptor::default(), &mut how, 4 << 20)?;
    assert_eq!(&got.body[..], b"hello");
    connection.disconnect()?;
    Ok(())
}
