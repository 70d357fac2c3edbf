//! Messages on their way to getters that let them come by credit, from the put, or the bytes of its frame, to
//! the bytes for their sockets.
//!
//! Many getters are conversations of two connections, as programs that share a socket are. Several messages
//! are put before the agents look, as happens to a host with much to do: the first go to getters that wait,
//! the others lie on the queues.

use std::hint::black_box;
use std::sync::Arc;

use agents::{Agent, ClientConnection, Limits, LocalUser, PeerInfo, PendingConnection, Wake};
use bytes::{Bytes, BytesMut};
use channel::client::{Credit, Get, Reply, Request, Target, credit, put};
use channel::{Conversation, Flags, Frame, Header, Hello, Kind, Output, RequestNumber};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, SubscribeOptions, SubscriptionDescriptor, Wait,
};
use queue_manager::QueueManager;

use super::MESSAGE_BYTES;
use super::engine::{Bench, TOPIC, run};

const CONNECTIONS: usize = 2;
const CONVERSATIONS: u16 = 8;

/// Publications before the agents look: twice as many as one wait is for.
const BURST: u64 = 64;

/// A delivery has more bytes before its body.
const HEAD_BYTES_MIN: usize = 100;

const FRAME_BYTES_MAX: u32 = 1 << 20;

pub(super) struct NoWake;

impl Wake for NoWake {
    fn wake(&self) {}
}

/// Puts that come together, as one wait is for.
const PUTS: u64 = 32;

/// A connection, and what its program would send and receive.
pub(super) struct Client {
    agent: ClientConnection,
    pub(super) manager: QueueManager,
    input: BytesMut,
    output: Output,
}

impl Client {
    fn new(manager: &QueueManager) -> Self {
        let peer = PeerInfo {
            origin: "instructions".into(),
            user: Some(LocalUser { name: "nobody".into(), is_owner: true }),
            ..PeerInfo::default()
        };
        let (queue_manager, limits, waker) = (manager.clone(), Limits::default(), Arc::new(NoWake));
        let agent =
            ClientConnection::new(PendingConnection { queue_manager, peer, limits, logins: None, waker });
        let (input, output) = (BytesMut::new(), Output::default());
        let mut client = Self { agent, manager: manager.clone(), input, output };
        client.log_in();
        client
    }

    /// One whose conversations, so many, all subscribe.
    fn subscribing(manager: &QueueManager, conversations: u16) -> Self {
        let mut client = Self::new(manager);
        for number in 1..=conversations {
            client.subscribe(Conversation(number));
        }
        client
    }

    /// One that has opened an object in its first conversation.
    pub(super) fn opening(
        manager: &QueueManager,
        object: ObjectDescriptor,
        options: OpenOptions,
    ) -> (Self, ObjectHandle) {
        let mut client = Self::new(manager);
        client.begin(Conversation(1));
        let opened = client.request(&Request::Open { object, options }, Conversation(1));
        (client, opened.expect("it is open"))
    }

    fn log_in(&mut self) {
        let hello = Hello {
            instance: [1; 16],
            application: "instructions".into(),
            user: "nobody".into(),
            ..Hello::default()
        };
        let mut bytes = channel::preamble::MAGIC.to_vec();
        hello.encode(&mut bytes);
        self.send(&bytes);
        assert!(self.release() > 0, "it is let in");
    }

    fn begin(&mut self, conversation: Conversation) {
        let begin = Request::Begin { instance: [0; 16], generation: 1, options: 0 };
        self.request(&begin, conversation);
    }

    fn subscribe(&mut self, conversation: Conversation) {
        self.begin(conversation);
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let descriptor = Box::new(SubscriptionDescriptor::to(TOPIC.to_owned(), options));
        let queue = self.request(&Request::Subscribe { descriptor, queue: None }, conversation);
        self.let_come(conversation, queue.expect("it has a queue"));
    }

    /// Lets all messages of a queue come.
    fn let_come(&mut self, conversation: Conversation, handle: ObjectHandle) {
        let mut bytes = Vec::new();
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
        let options = GetOptions::with(flags, Wait::Unlimited);
        let terms = Some(Get { handle, options, bytes_max: MESSAGE_BYTES as u32 });
        let all = Credit {
            handle,
            messages: u32::MAX,
            bytes: u32::MAX,
            terms,
            reserves_all: false,
            is_called: false,
        };
        credit(&mut bytes, conversation, RequestNumber(3), &all, &MessageDescriptor::default());
        self.send(&bytes);
        assert_eq!(self.release(), 0, "there is nothing yet");
    }

    /// Makes a request; the object opened, or the queue of a subscription.
    fn request(&mut self, request: &Request<'_>, conversation: Conversation) -> Option<ObjectHandle> {
        let mut bytes = Vec::new();
        request.encode(&mut bytes, conversation, RequestNumber(2), Flags::NONE);
        self.send(&bytes);
        self.manager.drive();
        self.agent.release(self.manager.durable(), &mut self.output);
        let bytes = self.output.to_vec();
        self.output.advance(bytes.len());
        let frame = Frame::decode(&bytes, FRAME_BYTES_MAX).expect("a frame").expect("an answer");
        match Reply::decode(&frame, FRAME_BYTES_MAX, &mut MessageDescriptor::default()) {
            Ok(Reply::Subscribed(subscribed)) => subscribed.queue,
            Ok(Reply::Opened(opened)) => Some(opened.handle),
            Ok(Reply::Begun { .. }) => None,
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.send_all(&[bytes]);
    }

    /// Has frames come together. They are copied one after the other, since a long copy counts as many
    /// instructions as it has bytes.
    fn send_all(&mut self, frames: &[impl AsRef<[u8]>]) {
        frames.iter().for_each(|frame| self.input.extend_from_slice(frame.as_ref()));
        self.agent.receive(&mut self.input).expect("the agent goes on");
    }

    /// Has the agent fill its output, and takes that as a socket would; how many bytes there were.
    pub(super) fn release(&mut self) -> usize {
        let mut released = 0;
        loop {
            let goes_on = self.agent.release(self.manager.durable(), &mut self.output);
            let bytes = self.output.len();
            black_box(&mut self.output).advance(bytes);
            released += bytes;
            if !goes_on {
                return released;
            }
            self.agent.receive(&mut self.input).expect("the agent goes on");
        }
    }
}

/// An express publication to sixteen subscribers, each of whose copies becomes a frame.
pub(super) fn deliver(count: u64) {
    let (mut bench, topic) = Bench::of_topic(false);
    let subscribing = || Client::subscribing(&bench.manager, CONVERSATIONS);
    let mut getters: Vec<_> = (0..CONNECTIONS).map(|_| subscribing()).collect();
    for number in 1..=count {
        bench.put_to(topic, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
        if number % BURST == 0 {
            for getters in &mut getters {
                // A body goes once over a connection, and each conversation is sent what is in front of it.
                let least = (MESSAGE_BYTES + HEAD_BYTES_MIN * usize::from(CONVERSATIONS)) * BURST as usize;
                assert!(getters.release() > least, "each was given all");
            }
        }
    }
}

/// Frames of express puts without a reply.
fn puts(handle: ObjectHandle) -> Vec<Vec<u8>> {
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::ASYNC_RESPONSE);
    let frame = |number| {
        let header = Header::new(Kind::Put, Conversation(1), RequestNumber(number as u32));
        frame_of_put(header.with(Flags::NO_REPLY), handle, Persistence::NotPersistent, &options)
    };
    (0..PUTS).map(frame).collect()
}

/// The frame of a put of one message.
pub(super) fn frame_of_put(
    header: Header,
    handle: ObjectHandle,
    persistence: Persistence,
    options: &PutOptions,
) -> Vec<u8> {
    let (target, body) = (Target::Handle(handle), Bytes::from(vec![7; MESSAGE_BYTES]));
    let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
    let mut output = Output::default();
    let rest = put(&mut output, header, &target, &descriptor, options, body, FRAME_BYTES_MAX as usize);
    assert!(rest.is_empty(), "it is one frame");
    output.to_vec()
}

/// An express publication without a reply that nobody hears, from its frame on.
pub(super) fn publish_unheard(count: u64) {
    let (bench, _) = Bench::of_topic(false);
    let topic = ObjectDescriptor::topic(TOPIC.to_owned());
    let (mut publisher, handle) = Client::opening(&bench.manager, topic, OpenOptions::OUTPUT);
    let puts = puts(handle);
    for _ in 0..count / PUTS {
        publisher.send_all(&puts);
    }
}

/// An express put without a reply to a queue, from its frame to that of its getter.
pub(super) fn pass_queue(count: u64) {
    let (bench, _) = Bench::of_topic(false);
    run(&bench.manager, "DEFINE QLOCAL(PAIR)");
    let queue = || ObjectDescriptor::queue("PAIR".parse().expect("a name"));
    let opened = Client::opening(&bench.manager, queue(), OpenOptions::INPUT_SHARED);
    let (mut getter, got_from) = opened;
    getter.let_come(Conversation(1), got_from);
    pass(Client::opening(&bench.manager, queue(), OpenOptions::OUTPUT), getter, count);
}

/// The same to a topic with one subscriber.
pub(super) fn pass_topic(count: u64) {
    let (bench, _) = Bench::of_topic(false);
    let topic = ObjectDescriptor::topic(TOPIC.to_owned());
    let getter = Client::subscribing(&bench.manager, 1);
    pass(Client::opening(&bench.manager, topic, OpenOptions::OUTPUT), getter, count);
}

fn pass((mut putter, handle): (Client, ObjectHandle), mut getter: Client, count: u64) {
    let puts = puts(handle);
    for _ in 0..count / PUTS {
        putter.send_all(&puts);
        assert!(getter.release() > MESSAGE_BYTES * PUTS as usize, "it was given all");
    }
}
