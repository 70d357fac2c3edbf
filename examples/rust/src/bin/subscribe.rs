//! Prints publications: `subscribe TOPIC COUNT`; + stands for one level of a topic, # for any number of them

use examples::{Outcome, connect, words};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, Reason, SubscribeOptions, SubscriptionDescriptor, Verbs as _,
    Wait,
};

/// Most bytes of a publication.
const BYTES_MAX: usize = 4 << 20;

fn main() -> Outcome {
    let words = words("subscribe TOPIC COUNT", 2)?;
    let count: u64 = words[1].parse()?;
    let mut connection = connect("subscribe")?;
    // A managed subscription brings a queue of its own, which goes with it.
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::FAIL_IF_QUIESCING;
    let subscribed = connection.subscribe(&SubscriptionDescriptor::to(&words[0], options), None)?;
    let queue = subscribed.queue.ok_or("the subscription has no queue")?;
    for _ in 0..count {
        let mut descriptor = MessageDescriptor::default();
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions::with(flags, Wait::Milliseconds(10_000));
        match connection.get(queue, &mut descriptor, &mut options, BYTES_MAX) {
            Ok(got) => println!("{}", String::from_utf8_lossy(&got.body)),
            Err(Reason::NO_MSG_AVAILABLE) => return Err("nothing was published within ten seconds".into()),
            Err(reason) => return Err(reason.into()),
        }
    }
    connection.disconnect()?;
    Ok(())
}
