//! Put, get, browse and wait.

use mqi::{GetFlags, MessageDescriptor, Reason, Wait};

use crate::support::*;

#[test]
fn messages_leave_in_the_order_they_came() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for (persistent, body) in [(false, "a"), (true, "b"), (false, "c")] {
        one.put(queue, persistent, body);
    }
    assert_eq!(bench.depth("Q"), 3);
    for body in ["a", "b", "c"] {
        assert_eq!(one.get(queue).as_deref(), Ok(body));
    }
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_waiting_getter_is_given_the_next_message() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let input = one.open("Q", INPUT);
    let output = two.open("Q", OUTPUT);
    let any = MessageDescriptor::default();
    let token = one.wait(input, &any, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    assert_eq!(one.outcome(token), None);
    two.put(output, true, "first");
    assert_eq!(one.outcome(token), Some(Ok("first".to_owned())));
    assert_eq!(bench.depth("Q"), 0);
}
