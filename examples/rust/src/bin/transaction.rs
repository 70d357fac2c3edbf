//! Takes messages off one queue and puts their sum on another, all of it or nothing: `transaction FROM TO
//! COUNT`

use examples::{Outcome, connect, queue, words};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Text,
    Verbs as _, Wait,
};

/// Most bytes of a message.
const BYTES_MAX: usize = 4 << 20;

fn main() -> Outcome {
    let words = words("transaction FROM TO COUNT", 3)?;
    let count: u64 = words[2].parse()?;
    let mut connection = connect("transaction")?;
    let options = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::FAIL_IF_QUIESCING;
    let from = connection.open(&queue(&words[0])?, options)?;
    let mut sum = 0_i64;
    for _ in 0..count {
        let mut options =
            GetOptions::with(GetFlags::SYNCPOINT | GetFlags::FAIL_IF_QUIESCING, Wait::Milliseconds(1_000));
        let got = connection.get(from.handle, &mut MessageDescriptor::default(), &mut options, BYTES_MAX);
        // A program that ends without a commit leaves every message where it was.
        let number: i64 = String::from_utf8(got?.body.to_vec())?.trim().parse()?;
        sum += number;
    }
    let mut descriptor = MessageDescriptor {
        persistence: Persistence::Persistent,
        format: Text::truncated("MQSTR"),
        ..MessageDescriptor::default()
    };
    let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::FAIL_IF_QUIESCING);
    connection.put1(&queue(&words[1])?, &mut descriptor, &mut options, sum.to_string().into())?;
    connection.commit()?;
    println!("{sum}");
    connection.disconnect()?;
    Ok(())
}
