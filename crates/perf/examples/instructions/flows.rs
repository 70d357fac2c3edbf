//! One persistent message at a time, outside units of work, or one command: the calls that `cargo xtask flow`
//! follows.
//!
//! Always: the function that is followed is called once for each message, and has the name of its flow. Calls
//! made by [`elsewhere`] belong to no flow.

use bytes::Bytes;
use channel::client::{self, Get};
use channel::{Conversation, Header, Kind, Output, RequestNumber};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Wait,
};

use super::agent::{Client, frame_of_put};
use super::channels::{End, between};
use super::engine::{Bench, TOPIC, run};
use super::links::{Sender, frame_of_transfer};
use super::{MESSAGE_BYTES, Operation};

/// Most bytes of the body in one frame.
const FRAGMENT_BYTES: usize = 1 << 20;

/// All of them.
pub(super) const FLOWS: &[Operation] = &[
    ("put", puts),
    ("get", gets),
    ("pass", passes),
    ("publish", publications),
    ("transfer", transfers),
    ("sender", sends),
    ("define", definitions),
];

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
        Self { putter, getter, put: persistent_put(handle), opened, _bench: bench }
    }

    fn frame_of_get(&self, wait: Wait) -> Vec<u8> {
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, wait);
        let get = Get { handle: self.opened, options, bytes_max: MESSAGE_BYTES as u32 };
        let mut frame = Vec::new();
        client::get(&mut frame, Conversation(1), RequestNumber(4), &get, &MessageDescriptor::default());
        frame
    }
}

/// The frame of a put of one persistent message.
fn persistent_put(handle: ObjectHandle) -> Vec<u8> {
    let header = Header::new(Kind::Put, Conversation(1), RequestNumber(3));
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    frame_of_put(header, handle, Persistence::Persistent, &options)
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

fn publications(count: u64) {
    let (bench, _) = Bench::of_many();
    let topic = ObjectDescriptor::topic(TOPIC.to_owned());
    let (mut publisher, handle) = Client::opening(&bench.manager, topic, OpenOptions::OUTPUT);
    let frame = persistent_put(handle);
    (0..count).for_each(|_| publish(&mut publisher, &frame));
}

/// A publication to sixteen subscriptions, whose copies go to one queue.
fn publish(publisher: &mut Client, frame: &[u8]) {
    publisher.send(frame);
    publisher.manager.drive();
    assert!(publisher.release() > 0, "it is answered");
}

fn transfers(count: u64) {
    let (bench, _) = Bench::of_topic(false);
    let mut sender = Sender::to(&bench.manager, "Q");
    for number in 0..count {
        let frame = frame_of_transfer(u32::try_from(number).expect("few are sent"));
        transfer(&mut sender, &frame);
    }
}

/// A durable message of AMQP to a queue, from its transfer to the disposition.
fn transfer(sender: &mut Sender, frame: &[u8]) {
    sender.send(frame);
    sender.manager.drive();
    assert!(sender.release() > 0, "it is accepted");
}

fn sends(count: u64) {
    let (bench, _) = Bench::of_topic(false);
    let (mut sending, mut receiving) = between(&bench.manager);
    let there = ObjectDescriptor::queue("THERE".parse().expect("a name"));
    let (mut putter, handle) = Client::opening(&bench.manager, there, OpenOptions::OUTPUT);
    let frame = persistent_put(handle);
    for _ in 0..count {
        put(&mut putter, &frame);
        sender(&mut sending, &mut receiving);
    }
}

/// A message from the transmission queue to the partner, and the end of its batch.
fn sender(sending: &mut End, receiving: &mut End) {
    let message = sending.work();
    assert!(message.len() > MESSAGE_BYTES, "the message is sent");
    let answer = elsewhere(receiving, &message);
    sending.receive(&answer);
    assert!(sending.work().is_empty(), "the batch is at its end");
}

/// The part of the other queue manager.
fn elsewhere(receiving: &mut End, message: &[u8]) -> Vec<u8> {
    receiving.receive(message);
    let answer = receiving.work();
    assert!(!answer.is_empty(), "the batch is confirmed");
    answer
}

fn definitions(count: u64) {
    let (bench, _) = Bench::of_topic(false);
    let queue = ObjectDescriptor::queue("Q".parse().expect("a name"));
    let (mut administrator, _) = Client::opening(&bench.manager, queue, OpenOptions::OUTPUT);
    for number in 0..count {
        let text = Bytes::from(format!("DEFINE QLOCAL(DEFINED.{number}) MAXDEPTH(5000) DEFPSIST(YES)"));
        let mut frame = Output::default();
        let rest = client::command(&mut frame, Conversation(1), RequestNumber(5), None, text, FRAGMENT_BYTES);
        assert!(rest.is_empty(), "it is one frame");
        define(&mut administrator, &frame.to_vec());
    }
}

/// A command that defines a queue.
fn define(administrator: &mut Client, frame: &[u8]) {
    administrator.send(frame);
    administrator.manager.drive();
    assert!(administrator.release() > 0, "it is answered");
}
