//! A publication on its way to getters that let messages come by credit, from the put to the bytes for their sockets.
//!
//! The getters are conversations of two connections, as programs that share a socket are. Several publications are made before the
//! agents look, as happens to a host with much to do: the first go to getters that wait, the others lie on the queues.

use std::hint::black_box;
use std::sync::Arc;

use agents::{ClientConnection, Limits, PeerInfo, Wake};
use bytes::BytesMut;
use channel::client::{Credit, Get, Reply, Request, credit};
use channel::{Conversation, Flags, Frame, Hello, Output, RequestNumber};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Persistence, PutFlags, SubscribeOptions,
    SubscriptionDescriptor, Wait,
};
use queue_manager::QueueManager;

use super::MESSAGE_BYTES;
use super::engine::{Bench, TOPIC};

const CONNECTIONS: usize = 2;
const CONVERSATIONS: u16 = 8;

/// Publications before the agents look: twice as many as one wait is for.
const BURST: u64 = 64;

const FRAME_BYTES_MAX: u32 = 1 << 20;

struct NoWake;

impl Wake for NoWake {
    fn wake(&self) {}
}

/// A connection whose conversations all subscribe.
struct Getters {
    agent: ClientConnection,
    manager: QueueManager,
    input: BytesMut,
    output: Output,
}

impl Getters {
    fn new(manager: &QueueManager) -> Self {
        let peer = PeerInfo {
            origin: "instructions".into(),
            user: Some("nobody".into()),
            process: None,
            is_administrator: true,
        };
        let agent = ClientConnection::new(manager.clone(), peer, Limits::default(), Arc::new(NoWake));
        let (input, output) = (BytesMut::new(), Output::default());
        let mut getters = Self { agent, manager: manager.clone(), input, output };
        getters.log_in();
        for number in 1..=CONVERSATIONS {
            getters.subscribe(Conversation(number));
        }
        getters
    }

    fn log_in(&mut self) {
        let hello = Hello {
            versions: channel::login::VERSIONS,
            refuses: channel::Refusals::default(),
            limits: channel::Limits::default(),
            instance: [1; 16],
            application: "instructions".into(),
            user: "nobody".into(),
            process: 0,
            queue_manager: String::new(),
        };
        let mut bytes = channel::preamble::MAGIC.to_vec();
        hello.encode(&mut bytes);
        self.send(&bytes);
        assert!(self.release() > 0, "it is let in");
    }

    fn subscribe(&mut self, conversation: Conversation) {
        let begin = Request::Begin { instance: [0; 16], generation: 1, options: 0 };
        self.request(&begin, conversation);
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let descriptor = Box::new(SubscriptionDescriptor::to(TOPIC.to_owned(), options));
        let queue = self.request(&Request::Subscribe { descriptor, queue: None }, conversation);
        let mut bytes = Vec::new();
        let handle = queue.expect("it has a queue");
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING;
        let options = GetOptions::with(flags, Wait::Unlimited);
        let terms = Some(Get { handle, options, bytes_max: MESSAGE_BYTES as u32 });
        let all = Credit { handle, messages: u32::MAX, bytes: u32::MAX, terms, reserves_all: false };
        credit(&mut bytes, conversation, RequestNumber(3), &all, &MessageDescriptor::default());
        self.send(&bytes);
        assert_eq!(self.release(), 0, "there is nothing yet");
    }

    /// Makes a request; the queue of a subscription.
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
            Ok(Reply::Begun { .. }) => None,
            other => panic!("{other:?}"),
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
        self.agent.receive(&mut self.input).expect("the agent goes on");
    }

    /// Has the agent fill its output, and takes that as a socket would; how many bytes there were.
    fn release(&mut self) -> usize {
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
    let mut getters: Vec<_> = (0..CONNECTIONS).map(|_| Getters::new(&bench.manager)).collect();
    for number in 1..=count {
        bench.put_to(topic, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
        if number % BURST == 0 {
            for getters in &mut getters {
                let least = MESSAGE_BYTES * usize::from(CONVERSATIONS) * BURST as usize;
                assert!(getters.release() > least, "each was given all");
            }
        }
    }
}
