//! A client of AMQP that sends to a queue, without a socket.

use std::net::Ipv4Addr;
use std::sync::Arc;

use agents::{Agent, AmqpConnection, Limits, PeerInfo, PendingConnection};
use amqp::frame::{FrameType, Protocol, put_frame};
use amqp::performative::{Attach, Begin, Open, Performative, Transfer};
use amqp::sections::{DATA, Header};
use amqp::terminus::Target;
use amqp::types::Raw;
use amqp::types::write::{Composite, put_binary, put_boolean, put_descriptor};
use bytes::BytesMut;
use channel::Output;
use queue_manager::QueueManager;

use super::MESSAGE_BYTES;
use super::agent::NoWake;

/// The channel of its session, and the handle of its link.
const CHANNEL: u16 = 0;
const HANDLE: u32 = 0;

/// A connection whose one link leads to a queue.
pub(super) struct Sender {
    agent: AmqpConnection,
    pub(super) manager: QueueManager,
    input: BytesMut,
    output: Output,
}

impl Sender {
    /// One that has opened a link to the queue.
    pub(super) fn to(manager: &QueueManager, queue: &str) -> Self {
        // One of this machine need not log in.
        let address = Some(Ipv4Addr::LOCALHOST.into());
        let peer = PeerInfo { origin: "instructions".into(), address, ..PeerInfo::default() };
        let (queue_manager, limits) = (manager.clone(), Limits::default());
        let pending =
            PendingConnection { queue_manager, peer, limits, logins: None, waker: Arc::new(NoWake) };
        let agent = AmqpConnection::new(pending, "SYSTEM.DEF.AMQP".parse().expect("a name"));
        let (input, output) = (BytesMut::new(), Output::default());
        let mut sender = Self { agent, manager: manager.clone(), input, output };
        sender.send(&Protocol::Amqp.header());
        sender.say(Open { container_id: "instructions", ..Open::default() });
        sender.say(Begin { incoming_window: 1_000, outgoing_window: 1_000, ..Begin::default() });
        let mut target = Vec::new();
        Target { address: Some(queue), ..Target::default() }.write(&mut target);
        sender.say(Attach {
            name: "instructions",
            handle: HANDLE,
            target: Some(Raw(&target)),
            initial_delivery_count: Some(0),
            ..Attach::default()
        });
        assert!(sender.release() > 0, "it is let in");
        sender
    }

    fn say<'a>(&mut self, performative: impl Into<Performative<'a>>) {
        let mut bytes = Vec::new();
        performative.into().put(&mut bytes, CHANNEL);
        self.send(&bytes);
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.input.extend_from_slice(bytes);
        self.agent.receive(&mut self.input).expect("the agent goes on");
    }

    /// Has the agent fill its output, and takes that as a socket would; how many bytes there were.
    pub(super) fn release(&mut self) -> usize {
        let mut released = 0;
        loop {
            let goes_on = self.agent.release(self.manager.durable(), &mut self.output);
            let bytes = self.output.len();
            self.output.advance(bytes);
            released += bytes;
            if !goes_on {
                return released;
            }
        }
    }
}

/// The frame of a transfer of one durable message, the `number`th of the session.
pub(super) fn frame_of_transfer(number: u32) -> Vec<u8> {
    let mut frame = Vec::new();
    let tag = number.to_be_bytes();
    let (delivery_id, delivery_tag) = (Some(number), Some(&tag[..]));
    let transfer = Transfer { handle: HANDLE, delivery_id, delivery_tag, ..Transfer::default() };
    put_frame(&mut frame, FrameType::Amqp, CHANNEL, |out| {
        transfer.write(out);
        let mut header = Composite::begin(out, Header::CODE);
        header.put(|out| put_boolean(out, true));
        header.end();
        put_descriptor(out, DATA);
        put_binary(out, &[7; MESSAGE_BYTES]);
    });
    frame
}
