//! Nothing is known outside before it is durable.

use mqi::{GetFlags, GetOptions, MessageDescriptor, PutFlags, PutOptions, Reason, Wait};
use queue_manager::{Ask, Get, Outcome, WaitToken};
use storage::Lsn;

use crate::support::*;

fn need_of<T>(bench: &Bench, outcome: Outcome<T>) -> Lsn {
    let need = outcome.need();
    let is_open = outcome.open(bench.manager.durable()).is_ok();
    assert_eq!(is_open, need <= bench.manager.durable().lsn(), "only proof opens");
    need
}

fn get(one: &mut Session, handle: mqi::ObjectHandle, flags: GetFlags) -> Outcome<queue_manager::GotMessage> {
    let options = GetOptions::with(flags, Wait::No);
    match one.connection.get(Ask::new(handle, &MessageDescriptor::default(), &options, 100, WaitToken(1))) {
        Get::Done(outcome) => outcome,
        Get::Waiting => panic!("the message is in memory"),
    }
}

#[test]
fn a_persistent_message_and_its_absence_wait_for_the_log() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let output = one.open("Q", OUTPUT | BROWSE);
    let input = two.open("Q", INPUT);
    let durable = bench.manager.durable().lsn();
    let put = one.connection.put(output, &message(true), &PutOptions::default(), "x".into());
    let put = need_of(&bench, put);
    assert!(put > durable, "the put waits");
    let browsed = get(&mut one, output, GetFlags::BROWSE_NEXT);
    assert!(need_of(&bench, browsed) >= put, "who looks waits for the put");
    let got = get(&mut two, input, GetFlags::NO_SYNCPOINT);
    let got = need_of(&bench, got);
    assert!(got > put, "the getter waits for the get as well");
    let absent = get(&mut two, input, GetFlags::NO_SYNCPOINT);
    assert!(need_of(&bench, absent) >= got, "who finds nothing waits for the get that took it");
    assert_eq!(bench.manager.durable().lsn(), durable, "nobody drove");
}

#[test]
fn a_commit_gates_what_it_made_visible_even_if_it_is_not_persistent() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let (q, r) = (one.open("Q", OUTPUT), one.open("R", OUTPUT));
    let input = two.open("R", INPUT);
    let within = PutOptions::with(PutFlags::SYNCPOINT);
    let put = one.connection.put(q, &message(true), &within, "p".into());
    assert_eq!(need_of(&bench, put), Lsn::ZERO, "a put in a unit promises nothing yet");
    let put = one.connection.put(r, &message(false), &within, "np".into());
    assert_eq!(need_of(&bench, put), Lsn::ZERO);
    let committed = one.connection.commit(None);
    let committed = need_of(&bench, committed);
    assert!(committed > bench.manager.durable().lsn());
    let got = get(&mut two, input, GetFlags::NO_SYNCPOINT);
    assert_eq!(need_of(&bench, got), committed);
}

#[test]
fn non_persistent_messages_wait_for_nothing() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let durable = bench.manager.durable().lsn();
    let put = one.connection.put(queue, &message(false), &PutOptions::default(), "x".into());
    assert!(need_of(&bench, put) <= durable);
    let got = get(&mut one, queue, GetFlags::NO_SYNCPOINT);
    assert!(need_of(&bench, got) <= durable);
    assert!(!bench.manager.log().waits());
}

#[test]
fn a_hand_off_waits_for_put_and_get() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let input = one.open("Q", INPUT);
    let output = two.open("Q", OUTPUT);
    let token = one.wait(input, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let put = two.connection.put(output, &message(true), &PutOptions::default(), "x".into());
    let need = one.outcomes.0.lock()[0].1.need();
    assert!(need > put.need());
    assert_eq!(bench.open(put).map(|_| ()), Ok(()));
    assert_eq!(one.outcome(token), Some(Ok("x".to_owned())));
}

#[test]
fn a_refusal_of_a_full_queue_waits_for_what_filled_it() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(1)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let put = one.connection.put(queue, &message(true), &PutOptions::default(), "x".into());
    let full = one.connection.put(queue, &message(true), &PutOptions::default(), "y".into());
    assert!(full.need() >= put.need());
    assert_eq!(bench.open(full).unwrap_err(), Reason::Q_FULL);
}
