//! The AMQP agent between a client's frames and the engine, without sockets.

mod amqp_names;
mod bad_input;
mod branch_calls;
mod conditions;
mod drain;
mod holding;
mod lasting;
mod links;
mod login;
mod messages;
mod outcomes;
mod termini;
mod transactions;
mod transcripts;
mod wishes;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::amqp::frame::{Frame, FrameType, Protocol, put_frame};
use ::amqp::outcome::DeliveryState;
use ::amqp::performative::{Attach, Begin, Disposition, Flow, Open, Performative, Transfer};
use ::amqp::sections::{DATA, Header, VALUE};
use ::amqp::terminus::{Source, Target};
use ::amqp::types::write::{Composite, put_binary, put_boolean, put_descriptor, put_string};
use ::amqp::types::{Raw, one};
use ::amqp::{Value, outcome};
use agents::{Agent, AmqpConnection, Close, Logins, Output, PeerInfo, PendingConnection, Wake};
use bytes::BytesMut;
use queue_manager::QueueManager;

use crate::loopback::{Server, drained};

/// Counts how often an agent asked to be released.
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// An AMQP client, with both ends of its connection in hand.
pub(super) struct Peer {
    pub(super) agent: AmqpConnection,
    pub(super) queue_manager: QueueManager,
    pub(super) input: BytesMut,
    pub(super) output: Output,
    wakes: Arc<Wakes>,
    /// Whole frames that came and were not looked at.
    received: Vec<u8>,
    delivery_id: u32,
}

/// A performative that came: its name, and the body of its frame.
#[derive(Clone, Debug)]
pub(super) struct Came {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl Came {
    pub(super) fn performative(&self) -> (Performative<'_>, &[u8]) {
        Performative::decode(&self.bytes).unwrap()
    }

    /// The symbol of the condition that it carries.
    pub(super) fn condition(&self) -> String {
        self.error().0
    }

    /// The words of the error that it carries.
    pub(super) fn text(&self) -> String {
        self.error().1
    }

    fn error(&self) -> (String, String) {
        let error = match self.performative().0 {
            Performative::Detach(detach) => detach.error,
            Performative::End(end) => end.error,
            Performative::Close(close) => close.error,
            Performative::Disposition(disposition) => match state(disposition.state) {
                Some(DeliveryState::Rejected(rejected)) => rejected.error,
                _ => None,
            },
            _ => None,
        };
        let owned = |(condition, text): (&str, &str)| (condition.to_owned(), text.to_owned());
        error.map(|error| owned(outcome::error_text(error))).unwrap_or_default()
    }

    /// The number of the delivery of a transfer.
    pub(super) fn delivery_id(&self) -> u32 {
        match self.performative().0 {
            Performative::Transfer(transfer) => transfer.delivery_id.unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

pub(super) fn state(state: Option<Raw<'_>>) -> Option<DeliveryState<'_>> {
    state.map(|state| DeliveryState::decode(state.0).unwrap())
}

impl Peer {
    /// A client that has connected.
    pub(super) fn stranger(server: &Server) -> Self {
        Self::from(server, Self::of_here())
    }

    /// A place on this machine.
    pub(super) fn of_here() -> PeerInfo {
        let address = Some("127.0.0.1".parse().unwrap());
        PeerInfo { origin: "tcp 127.0.0.1:9".into(), address, ..PeerInfo::default() }
    }

    pub(super) fn from(server: &Server, peer: PeerInfo) -> Self {
        Self::judged(server, peer, None)
    }

    /// A client whose login is judged.
    pub(super) fn judged(server: &Server, peer: PeerInfo, logins: Option<Arc<dyn Logins>>) -> Self {
        let wakes = Arc::new(Wakes(AtomicUsize::new(0)));
        let manager = server.queue_manager.clone();
        let channel = "SYSTEM.DEF.AMQP".parse().unwrap();
        let waker = Arc::clone(&wakes) as Arc<dyn Wake>;
        let (limits, queue_manager) = (server.limits, manager.clone());
        let caller = PendingConnection { queue_manager, peer, limits, logins, waker };
        Self {
            agent: AmqpConnection::new(caller, channel),
            queue_manager: manager,
            input: BytesMut::new(),
            output: Output::default(),
            wakes,
            received: Vec::new(),
            delivery_id: 0,
        }
    }

    /// One that is let in, and has opened, with a session on channel 0.
    pub(super) fn open(server: &Server) -> Self {
        let mut peer = Self::stranger(server);
        peer.send(&Protocol::Amqp.header());
        peer.say(Open { container_id: "peer", ..Open::default() });
        peer.say(Begin { incoming_window: 1000, outgoing_window: 1000, ..Begin::default() });
        assert_eq!(peer.names(), ["Open", "Begin"]);
        peer
    }

    /// The same, that sends to a queue by handle 1.
    pub(super) fn sender(server: &Server, queue: &str) -> Self {
        let mut peer = Self::open(server);
        peer.attach_target(1, queue);
        assert_eq!(peer.names(), ["Attach", "Flow"]);
        peer
    }

    /// The same, that receives from a queue by handle 2 and has granted so much credit.
    pub(super) fn receiver(server: &Server, queue: &str, credit: u32) -> Self {
        let mut peer = Self::open(server);
        peer.attach_source(2, queue);
        assert_eq!(peer.names(), ["Attach"]);
        peer.grant(2, 0, credit, false);
        peer
    }

    pub(super) fn attach_target(&mut self, handle: u32, queue: &str) {
        self.send(&Self::attach_target_bytes(handle, queue));
    }

    pub(super) fn attach_target_bytes(handle: u32, queue: &str) -> Vec<u8> {
        let mut target = Vec::new();
        Target { address: Some(queue), ..Target::default() }.write(&mut target);
        Self::bytes(Attach {
            name: &format!("to-{handle}"),
            handle,
            target: Some(Raw(&target)),
            initial_delivery_count: Some(0),
            ..Attach::default()
        })
    }

    pub(super) fn attach_source(&mut self, handle: u32, queue: &str) {
        self.send(&Self::attach_source_bytes(handle, queue));
    }

    pub(super) fn attach_source_bytes(handle: u32, queue: &str) -> Vec<u8> {
        let mut source = Vec::new();
        Source { address: Some(queue), ..Source::default() }.write(&mut source);
        let name = format!("from-{handle}");
        let source = Some(Raw(&source));
        Self::bytes(Attach { name: &name, handle, is_receiver: true, source, ..Attach::default() })
    }

    pub(super) fn grant(&mut self, handle: u32, known: u32, credit: u32, drain: bool) {
        self.say(Flow {
            next_incoming_id: Some(0),
            incoming_window: 100_000,
            outgoing_window: 1000,
            handle: Some(handle),
            delivery_count: Some(known),
            link_credit: Some(credit),
            drain,
            ..Flow::default()
        });
    }

    pub(super) fn settle(&mut self, first: u32, last: u32, put: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = Vec::new();
        put(&mut bytes);
        let state = Some(Raw(&bytes));
        let (last, settled) = (Some(last), true);
        self.say(Disposition { is_receiver: true, first, last, settled, state, ..Disposition::default() });
    }

    /// Hands the agent bytes as they came from a socket.
    pub(super) fn receive(&mut self, bytes: &[u8]) -> Result<(), Close> {
        self.input.extend_from_slice(bytes);
        self.agent.receive(&mut self.input)?;
        while self.agent.has_more() {
            self.agent.receive(&mut self.input)?;
        }
        Ok(())
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.receive(bytes).unwrap();
    }

    pub(super) fn say<'a>(&mut self, performative: impl Into<Performative<'a>>) {
        self.send(&Self::bytes(performative));
    }

    fn bytes<'a>(performative: impl Into<Performative<'a>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        performative.into().put(&mut bytes, 0);
        bytes
    }

    /// The bytes of a transfer with a payload.
    pub(super) fn transfer_bytes(transfer: Transfer<'_>, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_frame(&mut bytes, FrameType::Amqp, 0, |out| {
            transfer.write(out);
            out.extend_from_slice(payload);
        });
        bytes
    }

    /// Sends a message by handle 1; the number of its delivery.
    pub(super) fn put(&mut self, message: &[u8]) -> u32 {
        self.put_by(1, message, None)
    }

    /// Sends a message by a handle, in a state.
    pub(super) fn put_by(&mut self, handle: u32, message: &[u8], state: Option<&[u8]>) -> u32 {
        let id = self.next_delivery();
        let (delivery_id, delivery_tag, state) = (Some(id), Some(&b"t"[..]), state.map(Raw));
        let transfer = Transfer { handle, delivery_id, delivery_tag, state, ..Transfer::default() };
        self.send(&Self::transfer_bytes(transfer, message));
        id
    }

    /// The number of the next delivery.
    pub(super) fn next_delivery(&mut self) -> u32 {
        let id = self.delivery_id;
        self.delivery_id += 1;
        id
    }

    /// Everything that comes without the log being driven.
    pub(super) fn released(&mut self) -> Vec<Came> {
        let mut bytes = self.raw();
        // Headers and frames of a login are looked at as bytes.
        if bytes.starts_with(b"AMQP") {
            bytes.drain(..8);
        }
        let mut came = Vec::new();
        while let Some(frame) = Frame::decode(&bytes, 1 << 20).unwrap() {
            let length = frame.bytes;
            if !frame.body.is_empty() {
                let (performative, _) = Performative::decode(frame.body).unwrap();
                let name = format!("{performative:?}").split('(').next().unwrap().to_owned();
                came.push(Came { name, bytes: frame.body.to_vec() });
            }
            bytes.drain(..length);
        }
        assert!(bytes.is_empty(), "whole frames are sent");
        came
    }

    /// The bytes that come, the agent released until it has nothing more to say.
    pub(super) fn raw(&mut self) -> Vec<u8> {
        for _ in 0..1000 {
            let wants_more = self.agent.release(self.queue_manager.durable(), &mut self.output);
            let sent = drained(&mut self.output);
            let idle = sent.is_empty();
            self.received.extend(sent);
            if !wants_more && idle {
                break;
            }
            self.agent.receive(&mut self.input).unwrap();
        }
        std::mem::take(&mut self.received)
    }

    /// All that comes once the log is durable.
    pub(super) fn frames(&mut self) -> Vec<Came> {
        let mut all = self.released();
        loop {
            let mut drove = false;
            while self.queue_manager.log().waits() {
                self.queue_manager.drive();
                drove = true;
            }
            while let Some(job) = self.queue_manager.take_job() {
                job.run();
                drove = true;
            }
            let more = self.released();
            if more.is_empty() && !drove {
                return all;
            }
            all.extend(more);
        }
    }

    pub(super) fn names(&mut self) -> Vec<String> {
        self.frames().into_iter().map(|came| came.name).collect()
    }

    /// The bodies of the messages that come, as texts, and the numbers of their deliveries.
    pub(super) fn messages(&mut self) -> Vec<(u32, String)> {
        let frames = self.frames();
        let of_transfer = |came: &Came| came.name == "Transfer";
        frames.iter().filter(|came| of_transfer(came)).map(|came| (came.delivery_id(), text(came))).collect()
    }

    pub(super) fn wakes(&self) -> usize {
        self.wakes.0.load(Ordering::Relaxed)
    }
}

/// A message of AMQP with a text.
pub(super) fn message(text: &str, is_durable: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut fields = Composite::begin(&mut out, Header::CODE);
    fields.put(|out| put_boolean(out, is_durable));
    fields.end();
    put_descriptor(&mut out, VALUE);
    put_string(&mut out, text);
    out
}

/// A message of AMQP with bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    put_descriptor(&mut out, DATA);
    put_binary(&mut out, bytes);
    out
}

/// The text of the message that a transfer brings.
pub(super) fn text(came: &Came) -> String {
    let (_, payload) = came.performative();
    let sections = ::amqp::Sections::of(payload).unwrap();
    let part = sections.parts().next().unwrap();
    match one(part.content) {
        _ if part.is_text => String::from_utf8(part.content.to_vec()).unwrap(),
        Ok((Value::String(text), _)) => text.to_owned(),
        _ => String::from_utf8_lossy(part.content).into_owned(),
    }
}
