//! Backs a unit of work out: the second block of the guide about programs in Rust.

use client::{Connection, Options};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Reason,
    Verbs, Wait,
};

fn main() -> examples::Outcome {
    let address = std::env::var("FERRY_CONNECT")?;
    let mut connection = Connection::connect(Options::to(address.parse()?))?;
    let queue = ObjectDescriptor::queue("DEV.QUEUE.2".parse()?);
    let mut how = PutOptions::with(PutFlags::SYNCPOINT);
    connection.put1(&queue, &mut MessageDescriptor::default(), &mut how, "first".into())?;
    connection.put1(&queue, &mut MessageDescriptor::default(), &mut how, "second".into())?;
    connection.back()?;

    let opened = connection.open(&queue, OpenOptions::INPUT_AS_Q_DEF)?;
    let mut how = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = connection.get(opened.handle, &mut MessageDescriptor::default(), &mut how, 4 << 20);
    assert_eq!(got.err(), Some(Reason::NO_MSG_AVAILABLE));
    connection.disconnect()?;
    Ok(())
}
