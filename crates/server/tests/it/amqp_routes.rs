//! Requests and answers of AMQP clients over three queue managers that run: A and C are partners of B alone.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use amqp::frame::{Frame, FrameType, Protocol, put_frame};
use amqp::outcome::put_accepted;
use amqp::performative::{Attach, Begin, Disposition, Flow, Open, Performative, Transfer};
use amqp::sections::{DATA, Properties, Sections};
use amqp::terminus::{Source, Target};
use amqp::types::Raw;
use amqp::types::write::{put_binary, put_descriptor};
use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags,
    PutOptions, Verbs as _,
};
use server::{Options, Server};

use crate::message_channels::free_port;
use crate::running::{Place, command, connect, open};

const WAIT: Duration = Duration::from_secs(20);

/// Three queue managers in a row, each with a channel to the next in both directions.
struct Row {
    places: Vec<Place>,
    servers: Vec<Server>,
}

impl Row {
    fn new() -> Self {
        let ports: Vec<u16> = (0..3).map(|_| free_port()).collect();
        let amqp = "[listener]\namqp_channel = \"SYSTEM.DEF.AMQP\"\n";
        let places: Vec<Place> = ["A", "B", "C"].map(|name| Place::named_with(name, amqp)).into();
        let start = |(place, port): (&Place, &u16)| {
            let address = SocketAddr::from(([127, 0, 0, 1], *port));
            Server::start(&Options { addresses: Some(vec![address]), ..place.options() }).unwrap()
        };
        let servers = places.iter().zip(&ports).map(start).collect();
        let row = Self { places, servers };
        for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
            let (own, other) = (row.places[from].name, row.places[to].name);
            let channel = format!("{own}.{other}");
            let mut one = row.connect(from);
            let queue = format!("DEFINE QLOCAL({other}) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)");
            command(&mut one, &queue);
            let place = format!("CONNAME('127.0.0.1({})')", ports[to]);
            command(&mut one, &format!("DEFINE CHANNEL({channel}) CHLTYPE(SDR) {place} XMITQ({other})"));
            command(&mut row.connect(to), &format!("DEFINE CHANNEL({channel}) CHLTYPE(RCVR)"));
        }
        for (at, far) in [(0, "C"), (2, "A")] {
            // The queue manager that is two hops away, and its queue IN.
            let mut one = row.connect(at);
            command(&mut one, &format!("DEFINE QREMOTE({far}) RNAME(' ') RQMNAME({far}) XMITQ(B)"));
            command(&mut one, &format!("DEFINE QREMOTE(FAR) RNAME(IN) RQMNAME({far}) XMITQ(B)"));
            command(&mut one, "DEFINE QLOCAL(IN)");
            command(&mut one, "DEFINE QLOCAL(ANSWERS)");
        }
        row
    }

    /// By the local socket.
    fn connect(&self, which: usize) -> Connection {
        connect(&format!("unix:{}", self.places[which].folder().join("socket").display()))
    }

    fn client(&self, which: usize) -> Client {
        Client::open(self.servers[which].address().unwrap())
    }
}

/// A client of AMQP that waits for what it asked.
pub(crate) struct Client {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// The bodies of frames that came and were not looked at.
    frames: VecDeque<Vec<u8>>,
    handle: u32,
    delivery: u32,
}

/// The parts of a message that a receiver is told.
#[derive(Debug, PartialEq)]
struct Told {
    to: Option<String>,
    reply_to: Option<String>,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn open(at: SocketAddr) -> Self {
        let stream = TcpStream::connect(at).unwrap();
        stream.set_read_timeout(Some(WAIT)).unwrap();
        let mut client = Self { stream, bytes: Vec::new(), frames: VecDeque::new(), handle: 0, delivery: 0 };
        client.stream.write_all(&Protocol::Amqp.header()).unwrap();
        client.say(Open { container_id: "row", ..Open::default() });
        client.say(Begin { incoming_window: 1000, outgoing_window: 1000, ..Begin::default() });
        client
    }

    fn say<'a>(&mut self, performative: impl Into<Performative<'a>>) {
        let mut bytes = Vec::new();
        performative.into().put(&mut bytes, 0);
        self.stream.write_all(&bytes).unwrap();
    }

    /// The first of the next performatives that is wanted: what `look` makes of it and of what is behind it.
    pub(crate) fn wait<T>(&mut self, mut look: impl FnMut(&Performative<'_>, &[u8]) -> Option<T>) -> T {
        loop {
            while let Some(body) = self.frames.pop_front() {
                let (performative, payload) = Performative::decode(&body).unwrap();
                if let Some(found) = look(&performative, payload) {
                    return found;
                }
            }
            let mut more = [0; 4096];
            let count = self.stream.read(&mut more).expect("an answer in time");
            assert!(count > 0, "the connection ends");
            self.bytes.extend_from_slice(&more[..count]);
            if self.bytes.starts_with(b"AMQP") {
                self.bytes.drain(..8);
            }
            while let Some(frame) = Frame::decode(&self.bytes, 1 << 20).unwrap() {
                let length = frame.bytes;
                if !frame.body.is_empty() {
                    self.frames.push_back(frame.body.to_vec());
                }
                self.bytes.drain(..length);
            }
        }
    }

    /// Attaches to a target, as it is encoded; the handle of the link.
    pub(crate) fn attach(&mut self, target: &[u8]) -> u32 {
        self.handle += 1;
        let handle = self.handle;
        let name = format!("to {handle}");
        let target = Some(Raw(target));
        let initial_delivery_count = Some(0);
        self.say(Attach { name: &name, handle, target, initial_delivery_count, ..Attach::default() });
        let is_attached = self.wait(|performative, _| match performative {
            Performative::Attach(attach) => Some(attach.target.is_some()),
            _ => None,
        });
        assert!(is_attached, "the target of {name}");
        handle
    }

    /// Sends a message in a state.
    pub(crate) fn put(&mut self, handle: u32, message: &[u8], state: Option<&[u8]>) {
        let (delivery_id, delivery_tag) = (Some(self.delivery), Some(&b"t"[..]));
        self.delivery += 1;
        let mut bytes = Vec::new();
        put_frame(&mut bytes, FrameType::Amqp, 0, |out| {
            let state = state.map(Raw);
            Transfer { handle, delivery_id, delivery_tag, state, ..Transfer::default() }.write(out);
            out.extend_from_slice(message);
        });
        self.stream.write_all(&bytes).unwrap();
    }

    /// Sends a message in a state; the state that it has then, as it is encoded.
    pub(crate) fn transfer(&mut self, handle: u32, message: &[u8], state: Option<&[u8]>) -> Vec<u8> {
        self.put(handle, message, state);
        self.wait(|performative, _| match performative {
            Performative::Disposition(disposition) => {
                Some(disposition.state.map(|state| state.0.to_vec()).unwrap_or_default())
            }
            _ => None,
        })
    }

    /// Sends a message, which is taken.
    fn send(&mut self, address: &str, reply_to: Option<&str>, body: &[u8]) {
        let mut target = Vec::new();
        Target { address: Some(address), ..Target::default() }.write(&mut target);
        let handle = self.attach(&target);
        let mut message = Vec::new();
        Properties { to: Some(address), reply_to, ..Properties::default() }.write(&mut message);
        put_descriptor(&mut message, DATA);
        put_binary(&mut message, body);
        let mut accepted = Vec::new();
        put_accepted(&mut accepted);
        assert_eq!(self.transfer(handle, &message, None), accepted, "{address} takes the message");
    }

    /// Attaches to a queue, or to a new one of its own; the address of it.
    pub(crate) fn listen(&mut self, address: Option<&str>) -> String {
        self.handle += 1;
        let (handle, mut source) = (self.handle, Vec::new());
        Source { address, dynamic: address.is_none(), ..Source::default() }.write(&mut source);
        let name = format!("from {handle}");
        let source = Some(Raw(&source));
        self.say(Attach { name: &name, handle, is_receiver: true, source, ..Attach::default() });
        let found = self.wait(|performative, _| match performative {
            Performative::Attach(attach) => {
                let source = attach.source.expect("it is attached");
                Some(Source::decode(source.0).unwrap().address.unwrap_or_default().to_owned())
            }
            _ => None,
        });
        self.say(Flow {
            next_incoming_id: Some(0),
            incoming_window: 1000,
            outgoing_window: 1000,
            handle: Some(handle),
            delivery_count: Some(0),
            link_credit: Some(100),
            ..Flow::default()
        });
        found
    }

    fn receive(&mut self) -> Told {
        let (told, delivery) = self.wait(|performative, payload| {
            let Performative::Transfer(transfer) = performative else { return None };
            let sections = Sections::of(payload).unwrap();
            let properties = sections.properties();
            let body = sections.parts().next().unwrap().content.to_vec();
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let told = Told { to: owned(properties.to), reply_to: owned(properties.reply_to), body };
            Some((told, transfer.delivery_id.unwrap()))
        });
        let mut state = Vec::new();
        put_accepted(&mut state);
        let (first, last, state) = (delivery, Some(delivery), Some(Raw(&state)));
        let is_receiver = true;
        self.say(Disposition { is_receiver, first, last, settled: true, state, ..Disposition::default() });
        told
    }
}

#[test]
fn an_answer_finds_the_queue_of_the_request_over_two_hops_in_both_directions() {
    let row = Row::new();
    for (here, there) in [(0, 2), (2, 0)] {
        let names = [here, there].map(|which: usize| row.places[which].name);
        let (mut asks, mut answers) = (row.client(here), row.client(there));
        answers.listen(Some("IN"));
        let own = asks.listen(None);
        asks.listen(Some("ANSWERS"));
        // A queue by its name, by its address, and one that lives as long as its client.
        for reply_to in ["ANSWERS", "queue:///ANSWERS", &own] {
            let queue = reply_to.trim_start_matches("queue:///");
            asks.send("FAR", Some(reply_to), b"ask");
            let request = answers.receive();
            let at_home = format!("queue://{}/{queue}", names[0]);
            let to = Some(format!("queue://{}/FAR", names[0]));
            assert_eq!(request, Told { to, reply_to: Some(at_home.clone()), body: b"ask".into() });
            answers.send(&at_home, None, b"answer");
            let answer = asks.receive();
            assert_eq!(answer, Told { to: Some(at_home), reply_to: None, body: b"answer".into() });
        }
        // A queue of the queue manager between, named in full, stays what it is.
        asks.send(&format!("queue://{}/IN", names[1]), Some("queue://B/SOME"), b"to all");
        let told = answers.receive();
        let to = Some(format!("queue://{}/IN", names[1]));
        assert_eq!(told, Told { to, reply_to: Some("queue://B/SOME".into()), body: b"to all".into() });
    }
}

#[test]
fn programs_and_clients_of_amqp_answer_each_other_over_two_hops() {
    let row = Row::new();
    // A client of AMQP asks a program.
    let (mut asks, mut program) = (row.client(0), row.connect(2));
    asks.listen(Some("ANSWERS"));
    asks.send("FAR", Some("ANSWERS"), b"ask");
    let queue = open(&mut program, "IN", OpenOptions::INPUT_SHARED);
    let mut request = MessageDescriptor::default();
    let mut options = GetOptions::with(GetFlags::EMPTY, WAIT.into());
    program.get(queue, &mut request, &mut options, 1 << 20).unwrap();
    assert_eq!((request.reply_to_queue.as_str(), request.reply_to_queue_manager.as_str()), ("ANSWERS", "A"));
    let object = ObjectDescriptor {
        object_queue_manager_name: request.reply_to_queue_manager.as_str().parse().unwrap(),
        ..ObjectDescriptor::queue(request.reply_to_queue.as_str().parse().unwrap())
    };
    let answer =
        &mut MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
    program.put1(&object, answer, &mut PutOptions::with(PutFlags::EMPTY), b"answer".to_vec().into()).unwrap();
    assert_eq!(asks.receive().body, b"answer");
    // A program asks a client of AMQP, from the other end.
    let mut answers = row.client(0);
    answers.listen(Some("IN"));
    let far = open(&mut program, "FAR", OpenOptions::OUTPUT);
    let request =
        &mut MessageDescriptor { reply_to_queue: "ANSWERS".parse().unwrap(), ..MessageDescriptor::default() };
    program.put(far, request, &mut PutOptions::with(PutFlags::EMPTY), b"ask".to_vec().into()).unwrap();
    let told = answers.receive();
    assert_eq!(told.reply_to.as_deref(), Some("queue://C/ANSWERS"), "{told:?}");
    answers.send(&told.reply_to.unwrap(), None, b"answer");
    let own = open(&mut program, "ANSWERS", OpenOptions::INPUT_SHARED);
    let mut options = GetOptions::with(GetFlags::EMPTY, WAIT.into());
    let got = program.get(own, &mut MessageDescriptor::default(), &mut options, 1 << 20).unwrap();
    assert!(got.body.ends_with(b"answer"), "{:?}", got.body);
}
