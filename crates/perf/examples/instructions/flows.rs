//! One persistent message at a time, on a client channel and outside units of work: the calls that
//! `cargo xtask flow` follows.
//!
//! Always: the function that is followed is called once for each message, and has the name of its flow.

use channel::client::{self, Get};
use channel::{Conversation, Header, Kind, RequestNumber};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Wait,
};

use super::agent::{Client, frame_of_put};
use super::engine::{Bench, run};
use super::{MESSAGE_BYTES, Operation};

/// All of them.
pub(super) const FLOWS: &[Operation] = &[("put", puts), ("get", gets), ("pass", passes)];

/// A putter and a getter of one queue, and their requests.
struct Pair {
    putter: Client,
    getter: Client,
    put: Vec<u8>,
    opened: ObjectHandle,
    _bench: Bench,
}

impl Pair {
    fn new() -> Self {
        let (bench, _) = Bench::of_topic(false);
        run(&bench.manager, "DEFINE QLOCAL(PAIR)");
        let queue = || ObjectDescriptor::queue("PAIR".parse().expect("a name"));
        let (putter, handle) = Client::opening(&bench.manager, queue(), OpenOptions::OUTPUT);
        let (getter, opened) = Client::opening(&bench.manager, queue(), OpenOptions::INPUT_SHARED);
        let header = Header::new(Kind::Put, Conversation(1), RequestNumber(3));
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = frame_of_put(header, handle, Persistence::Persistent, &options);
        Self { putter, getter, put, opened, _bench: bench }
    }

    fn frame_of_get(&self, wait: Wait) -> Vec<u8> {
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, wait);
        let get = Get { handle: self.opened, options, bytes_max: MESSAGE_BYTES as u32 };
        let mut frame = Vec::new();
        client::get(&mut frame, Conversation(1), RequestNumber(4), &get, &MessageDescriptor::default());
        frame
    }
}

fn puts(count: u64) {
    let Pair { mut putter, put: frame, .. } = Pair::new();
    (0..count).for_each(|_| put(&mut putter, &frame));
}

/// A put onto a queue that nobody gets from: frame, record, block, reply.
fn put(putter: &mut Client, frame: &[u8]) {
    putter.send(frame);
    putter.manager.drive();
    assert!(putter.release() > 0, "it is answered");
}

fn gets(count: u64) {
    let mut pair = Pair::new();
    let frame = pair.frame_of_get(Wait::No);
    (0..count).for_each(|_| put(&mut pair.putter, &pair.put));
    (0..count).for_each(|_| get(&mut pair.getter, &frame));
}

/// A get of a message that is there.
fn get(getter: &mut Client, frame: &[u8]) {
    getter.send(frame);
    getter.manager.drive();
    assert!(getter.release() > MESSAGE_BYTES, "it is given a message");
}

fn passes(count: u64) {
    let mut pair = Pair::new();
    let wait = pair.frame_of_get(Wait::Unlimited);
    for _ in 0..count {
        pair.getter.send(&wait);
        pair.getter.manager.drive();
        assert_eq!(pair.getter.release(), 0, "there is nothing yet");
        pass(&mut pair.putter, &pair.put, &mut pair.getter);
    }
}

/// A put to a getter that waits.
fn pass(putter: &mut Client, frame: &[u8], getter: &mut Client) {
    putter.send(frame);
    putter.manager.drive();
    assert!(getter.release() > MESSAGE_BYTES, "it is given the message");
    putter.manager.drive();
    assert!(putter.release() > 0, "it is answered");
}
