//! A queue manager on a simulated machine, and clients that hand its agent bytes.

use agents::{Agent, ClientConnection, Close, Limits, LocalUser, Logins, PeerInfo, PendingConnection, Wake};
use bytes::{Bytes, BytesMut};
use channel::client::{self, CommandResponse, Credit, Get, PutStatus, Reply, Request, Target};
use channel::frame::FRAGMENT_BYTES;
use channel::{BodyCache, Conversation, Flags, Frame, Header, Hello, Kind, Output, Refused, RequestNumber};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, Wait,
};
use platform::simulated::{CrashPolicy, Machine, Random, Survival};
use queue_manager::{Authority, Event, Gated, Host, Outcome, Principal, QueueManager, Settings};
use security::Asked;
use security::cover::Encryption;
use std::io::IoSlice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use storage::LogKind;

use crate::desk::Desk;

/// A host that does nothing: tests drive by hand, channels too where it has any.
#[derive(Default)]
pub(crate) struct NoHost {
    pub(crate) has_channels: bool,
}

impl Host for NoHost {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}
    fn event(&self, _: &Event) {}
    fn runs_channels(&self) -> bool {
        self.has_channels
    }
    fn failed(&self, failure: &storage::Fatal) {
        panic!("the log failed: {failure:?}");
    }
}

/// A queue manager with queues `A` and `B`.
pub(crate) struct Server {
    pub(crate) machine: Machine,
    pub(crate) queue_manager: QueueManager,
    settings: Settings,
    pub(crate) limits: Limits,
    pub(crate) rules: Arc<Rules>,
}

/// Rules that grant everything until they are told to refuse everything.
#[derive(Default)]
pub(crate) struct Rules(AtomicBool);

impl Authority for Rules {
    fn judge(&self, _: &Principal, _: &Asked<'_>) -> Outcome<()> {
        let refuses = self.0.load(Ordering::Relaxed);
        Gated::free(if refuses { Err(Reason::NOT_AUTHORIZED) } else { Ok(()) })
    }
}

impl Rules {
    pub(crate) fn refuse(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn open(machine: &Machine, settings: &Settings, rules: &Arc<Rules>) -> QueueManager {
    let rules: Arc<dyn Authority> = rules.clone();
    QueueManager::open_judged(machine.world(), settings.clone(), Arc::new(NoHost::default()), rules).unwrap()
}

impl Server {
    pub(crate) fn new() -> Self {
        Self::with_log(LogKind::Circular)
    }

    /// One whose requests are judged by authority records, once there is one.
    pub(crate) fn by_records() -> Self {
        let (machine, settings) = Self::created(LogKind::Circular);
        let queue_manager =
            QueueManager::open(machine.world(), settings.clone(), Arc::new(NoHost::default())).unwrap();
        let (limits, rules) = (Limits::default(), Arc::<Rules>::default());
        Self { machine, queue_manager, settings, limits, rules }
    }

    /// A value once it may be known, the log being driven.
    pub(crate) fn driven<T>(&self, mut gated: Gated<T>) -> T {
        loop {
            match gated.open(self.queue_manager.durable()) {
                Ok(value) => return value,
                Err(back) => gated = back,
            }
            self.queue_manager.drive();
        }
    }

    fn created(kind: LogKind) -> (Machine, Settings) {
        let machine = Machine::new(7);
        let settings = Settings {
            name: "QM1".parse().unwrap(),
            memory_budget_bytes: 64 << 20,
            handles_max: 256,
            uncommitted_messages_max: 10_000,
            connections_max: 100,
            storage: storage::Settings { kind, extent_bytes: 8 << 20, ..storage::Settings::default() },
            checkpoint_interval: Duration::from_secs(3600),
            growth: queue_manager::GrowthBounds::default(),
            branches: queue_manager::BranchBounds::default(),
            hold: queue_manager::HOLD,
        };
        QueueManager::create(&machine.world(), &settings).unwrap();
        (machine, settings)
    }

    pub(crate) fn with_log(kind: LogKind) -> Self {
        let (machine, settings) = Self::created(kind);
        let rules = Arc::<Rules>::default();
        let queue_manager = open(&machine, &settings, &rules);
        let server = Self { machine, queue_manager, settings, limits: Limits::default(), rules };
        let mut administrator = server.client();
        for queue in ["A", "B"] {
            let response = administrator.command(&format!("DEFINE QLOCAL({queue})"));
            assert!(!response.failed, "{}", response.text);
        }
        server
    }

    /// A client that has logged in and begun conversation 1.
    pub(crate) fn client(&self) -> Client {
        let mut client = self.stranger();
        client.log_in();
        client.begin(1, [0; 16]);
        client
    }

    /// The same, of another user.
    pub(crate) fn client_of(&self, user: &str) -> Client {
        let mut client = self.stranger_as(Some(LocalUser { name: user.into(), is_owner: false }));
        client.log_in();
        client.begin(1, [0; 16]);
        client
    }

    /// The same, with another hello.
    pub(crate) fn client_with(&self, hello: &Hello) -> Client {
        let mut client = self.stranger();
        client.log_in_as(hello);
        client.begin(1, [0; 16]);
        client
    }

    /// A getter that waits at `A`, with its handle and its request, and a putter with its handle.
    pub(crate) fn waiting_pair(&self) -> ((Client, ObjectHandle, RequestNumber), (Client, ObjectHandle)) {
        let (mut getter, mut putter) = (self.client(), self.client());
        let input = getter.open("A", OpenOptions::INPUT_SHARED);
        let output = putter.open("A", OpenOptions::OUTPUT);
        let get = getter.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        getter.send();
        assert!(getter.frames().is_empty());
        ((getter, input, get), (putter, output))
    }

    /// A connection that was accepted.
    pub(crate) fn stranger(&self) -> Client {
        self.stranger_as(Some(LocalUser { name: "tester".into(), is_owner: false }))
    }

    /// The same, over a network, encrypted so.
    pub(crate) fn covered(&self, encryption: Encryption) -> Client {
        self.stranger_by(PeerInfo { is_by_network: true, encryption, ..PeerInfo::default() }, None)
    }

    /// The same, of this user as the operating system vouches for it.
    pub(crate) fn stranger_as(&self, user: Option<LocalUser>) -> Client {
        self.stranger_by(PeerInfo { is_by_network: user.is_none(), user, ..PeerInfo::default() }, None)
    }

    /// The same, over a network, whose login a desk judges.
    pub(crate) fn stranger_at(&self, desk: &Arc<Desk>) -> Client {
        let peer = PeerInfo { is_by_network: true, ..PeerInfo::default() };
        self.stranger_by(peer, Some(Arc::clone(desk) as Arc<dyn Logins>))
    }

    fn stranger_by(&self, peer: PeerInfo, logins: Option<Arc<dyn Logins>>) -> Client {
        let wakes = Arc::<Wakes>::default();
        let peer = PeerInfo { origin: "loopback".into(), ..peer };
        let waker = Arc::clone(&wakes) as Arc<dyn Wake>;
        let (queue_manager, limits) = (self.queue_manager.clone(), self.limits);
        Client {
            agent: ClientConnection::new(PendingConnection { queue_manager, peer, limits, logins, waker }),
            queue_manager: self.queue_manager.clone(),
            wakes,
            input: BytesMut::new(),
            to_send: Output::default(),
            output: Output::default(),
            received: Vec::new(),
            kept: BodyCache::default(),
            request: 0,
            conversation: Conversation(1),
        }
    }

    /// Does the jobs that wait.
    pub(crate) fn run_jobs(&self) {
        while let Some(job) = self.queue_manager.take_job() {
            job.run();
        }
    }

    /// It after a loss of power, with all that was durable: no message is in memory.
    pub(crate) fn restarted(self) -> Self {
        let Self { machine, queue_manager, settings, limits, rules } = self;
        drop(queue_manager);
        machine.disk.cut_power();
        let disk = machine.disk.crash(&mut Random::new(8), CrashPolicy::surviving(Survival::Nothing));
        let machine = Machine::with_disk(disk, 8);
        let queue_manager = open(&machine, &settings, &rules);
        Self { machine, queue_manager, settings, limits, rules }
    }

    /// Number of messages on a queue, as the queue manager displays it.
    pub(crate) fn depth(&self, queue: &str) -> u64 {
        let response = self.client().command(&format!("DISPLAY QLOCAL({queue}) CURDEPTH"));
        let value =
            response.rows[0].iter().find(|(name, _)| name == "CURDEPTH").map(|(_, value)| value.clone());
        value.unwrap().parse().unwrap()
    }
}

/// Counts how often an agent asked to be released.
#[derive(Default)]
pub(crate) struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A frame that came back, decoded and owned.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) header: Header,
    pub(crate) what: What,
    pub(crate) descriptor: MessageDescriptor,
    /// Of all of its payload.
    pub(crate) bytes: usize,
}

#[derive(Debug, PartialEq)]
pub(crate) enum What {
    Failed(Reason),
    Done,
    Begun(Option<u64>),
    Opened(ObjectHandle),
    PutDone,
    Got { body: Bytes, length: u32 },
    Delivered { number: u32, body: Bytes },
    Fragment(usize),
    Status(PutStatus),
    Long(Bytes),
    Heartbeat,
    Other,
}

/// One client, with both ends of its connection in hand.
pub(crate) struct Client {
    pub(crate) agent: ClientConnection,
    pub(crate) queue_manager: QueueManager,
    wakes: Arc<Wakes>,
    pub(crate) input: BytesMut,
    to_send: Output,
    pub(crate) output: Output,
    received: Vec<u8>,
    kept: BodyCache,
    request: u32,
    pub(crate) conversation: Conversation,
}

impl Client {
    pub(crate) fn log_in(&mut self) {
        self.log_in_as(&hello());
    }

    pub(crate) fn log_in_as(&mut self, hello: &Hello) {
        let mut bytes = channel::preamble::MAGIC.to_vec();
        hello.encode(&mut bytes);
        self.receive(&bytes).unwrap();
        let welcome = self.raw_frames();
        assert_eq!(welcome[0].0.kind, Kind::Welcome);
    }

    pub(crate) fn begin(&mut self, conversation: u16, instance: [u8; 16]) -> Option<u64> {
        self.begin_again(conversation, instance, 1)
    }

    /// Begins under an instance that perhaps began before.
    pub(crate) fn begin_again(
        &mut self,
        conversation: u16,
        instance: [u8; 16],
        generation: u64,
    ) -> Option<u64> {
        self.conversation = Conversation(conversation);
        match self.ask(&Request::Begin { instance, generation, options: 0 }).what {
            What::Begun(last) => last,
            other => panic!("{other:?}"),
        }
    }

    /// Hands the agent bytes as they came from a socket.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Result<(), Close> {
        self.input.extend_from_slice(bytes);
        self.agent.receive(&mut self.input)?;
        while self.agent.has_more() {
            self.agent.receive(&mut self.input)?;
        }
        Ok(())
    }

    /// Numbers requests from the start, as another program that uses the connection does.
    pub(crate) fn number_anew(&mut self) {
        self.request = 0;
    }

    pub(crate) fn next_request(&mut self) -> RequestNumber {
        self.request += 1;
        RequestNumber(self.request)
    }

    /// Encodes a request to be sent by the next [`send`](Self::send).
    pub(crate) fn cork(&mut self, request: &Request<'_>, flags: Flags) -> RequestNumber {
        let number = self.next_request();
        request.encode(self.to_send.cork(), self.conversation, number, flags);
        number
    }

    /// Sends what is corked.
    pub(crate) fn send(&mut self) {
        let bytes = drained(&mut self.to_send);
        self.receive(&bytes).unwrap();
    }

    /// Sends one request and returns the next frame that comes back once the log is durable.
    pub(crate) fn ask(&mut self, request: &Request<'_>) -> Seen {
        let number = self.cork(request, Flags::NONE);
        self.send();
        self.answer(number)
    }

    /// The frame that answers a request, the log being driven, and the jobs where it takes one.
    pub(crate) fn answer(&mut self, number: RequestNumber) -> Seen {
        let is_answer = |seen: &Seen| seen.header.request == number;
        let mut frames = self.frames();
        if !frames.iter().any(is_answer) {
            // A long command is a job.
            while let Some(job) = self.queue_manager.take_job() {
                job.run();
            }
            frames.extend(self.frames());
        }
        let place = frames.iter().position(is_answer);
        let place = place.unwrap_or_else(|| panic!("no answer to {number:?} in {frames:#?}"));
        frames.remove(place)
    }

    /// All frames that come back once the log is durable.
    pub(crate) fn frames(&mut self) -> Vec<Seen> {
        let mut frames = Vec::new();
        loop {
            while self.queue_manager.log().waits() {
                self.queue_manager.drive();
            }
            frames.extend(self.released());
            // What was held back until now may have had its turn.
            if !self.queue_manager.log().waits() {
                return frames;
            }
        }
    }

    /// All frames that come back without the log being driven.
    pub(crate) fn released(&mut self) -> Vec<Seen> {
        let frames = self.raw_frames();
        let seen = |(header, payload): &(Header, Vec<u8>)| {
            let frame = Frame { header: *header, payload };
            match self.kept.part(&frame).unwrap() {
                None => seen(&frame, None, payload.len()),
                Some(parted) => {
                    let mut head = Vec::new();
                    parted.write(&mut head);
                    let head = Frame::decode(&head, 1 << 20).unwrap().unwrap();
                    seen(&head, Some(parted.body().clone()), payload.len())
                }
            }
        };
        frames.iter().map(seen).collect()
    }

    /// The same, not decoded; the agent released until it has nothing more to say.
    pub(crate) fn raw_frames(&mut self) -> Vec<(Header, Vec<u8>)> {
        loop {
            let wants_more = self.agent.release(self.queue_manager.durable(), &mut self.output);
            self.received.extend(drained(&mut self.output));
            if !wants_more {
                break;
            }
            self.agent.receive(&mut self.input).unwrap();
        }
        let mut frames = Vec::new();
        let mut rest = &self.received[..];
        while let Some(frame) = Frame::decode(rest, 1 << 20).unwrap() {
            frames.push((frame.header, frame.payload.to_vec()));
            rest = &rest[frame.bytes()..];
        }
        self.received = rest.to_vec();
        frames
    }

    pub(crate) fn open(&mut self, queue: &str, options: OpenOptions) -> ObjectHandle {
        let object = ObjectDescriptor::queue(queue.parse().unwrap());
        match self.ask(&Request::Open { object, options }).what {
            What::Opened(handle) => handle,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn cork_put(
        &mut self,
        handle: ObjectHandle,
        persistence: Persistence,
        flags: PutFlags,
        body: impl Into<Bytes>,
        frame_flags: Flags,
    ) -> RequestNumber {
        let number = self.next_request();
        let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let header = Header::new(Kind::Put, self.conversation, number).with(frame_flags);
        let target = Target::Handle(handle);
        let options = PutOptions::with(flags);
        let mut rest = client::put(
            &mut self.to_send,
            header,
            &target,
            &descriptor,
            &options,
            body.into(),
            FRAGMENT_BYTES,
        );
        while !rest.is_empty() {
            client::fragment(&mut self.to_send, self.conversation, number, &mut rest, FRAGMENT_BYTES);
        }
        number
    }

    /// Puts a message outside syncpoint, waiting for the answer.
    pub(crate) fn put(&mut self, handle: ObjectHandle, persistence: Persistence, body: &'static str) {
        let number = self.cork_put(handle, persistence, PutFlags::NO_SYNCPOINT, body, Flags::NONE);
        self.send();
        assert_eq!(self.answer(number).what, What::PutDone);
    }

    /// Puts a message with this descriptor, and waits for the answer.
    pub(crate) fn put_message(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        body: &[u8],
    ) -> What {
        let number = self.next_request();
        let header = Header::new(Kind::Put, self.conversation, number);
        let (target, options) = (Target::Handle(handle), PutOptions::default());
        let body = Bytes::copy_from_slice(body);
        let rest =
            client::put(&mut self.to_send, header, &target, descriptor, &options, body, FRAGMENT_BYTES);
        assert!(rest.is_empty(), "one frame holds it");
        self.send();
        self.answer(number).what
    }

    pub(crate) fn cork_get(&mut self, handle: ObjectHandle, flags: GetFlags, wait: Wait) -> RequestNumber {
        let number = self.next_request();
        let get = Get { handle, options: GetOptions::with(flags, wait), bytes_max: 1 << 24 };
        client::get(self.to_send.cork(), self.conversation, number, &get, &MessageDescriptor::default());
        number
    }

    /// Gets without waiting: the body, or the reason.
    pub(crate) fn get(&mut self, handle: ObjectHandle, flags: GetFlags) -> Result<String, Reason> {
        let number = self.cork_get(handle, flags, Wait::No);
        self.send();
        match self.answer(number).what {
            What::Got { body, .. } => Ok(String::from_utf8(body.to_vec()).unwrap()),
            What::Failed(reason) => Err(reason),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn credit(&mut self, handle: ObjectHandle, messages: u32, flags: Option<GetFlags>) {
        let terms = flags.map(|flags| (flags, 1 << 24));
        self.credit_of(handle, messages, terms, false);
    }

    /// Credit outside units of work for messages that are no longer than so.
    pub(crate) fn credit_of_short(&mut self, handle: ObjectHandle, messages: u32, bytes_max: u32) {
        self.credit_of(handle, messages, Some((GetFlags::NO_SYNCPOINT, bytes_max)), false);
    }

    /// Credit for one message in a unit of work, with which the program is called.
    pub(crate) fn credit_to_be_called(&mut self, handle: ObjectHandle) {
        self.credit_of(handle, 1, Some((GetFlags::SYNCPOINT, 1 << 24)), true);
    }

    fn credit_of(
        &mut self,
        handle: ObjectHandle,
        messages: u32,
        terms: Option<(GetFlags, u32)>,
        is_called: bool,
    ) {
        let number = self.next_request();
        let terms = terms.map(|(flags, bytes_max)| Get {
            handle,
            options: GetOptions::with(flags, Wait::Unlimited),
            bytes_max,
        });
        let credit = Credit { handle, messages, bytes: 1 << 30, terms, reserves_all: is_called, is_called };
        let descriptor = MessageDescriptor::default();
        client::credit(self.to_send.cork(), self.conversation, number, &credit, &descriptor);
        self.send();
    }

    pub(crate) fn command(&mut self, text: &str) -> CommandResponse {
        let number = self.next_request();
        let text = Bytes::copy_from_slice(text.as_bytes());
        client::command(&mut self.to_send, self.conversation, number, None, text, FRAGMENT_BYTES);
        self.send();
        match self.answer(number).what {
            What::Long(content) => CommandResponse::decode(&content).unwrap(),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn wakes(&self) -> usize {
        self.wakes.0.load(Ordering::Relaxed)
    }
}

pub(crate) fn hello() -> Hello {
    Hello {
        instance: [1; 16],
        process: 4711,
        queue_manager: "QM1".into(),
        application: "loopback".into(),
        user: "somebody".into(),
        ..Hello::default()
    }
}

/// Everything an output holds, taken out as a socket would.
pub(crate) fn drained(output: &mut Output) -> Vec<u8> {
    let mut bytes = Vec::new();
    while !output.is_empty() {
        let mut slices = [IoSlice::new(&[]); 8];
        let filled = output.slices(&mut slices);
        let before = bytes.len();
        slices[..filled].iter().for_each(|slice| bytes.extend_from_slice(slice));
        output.advance(bytes.len() - before);
    }
    bytes
}

/// A frame of so many bytes that was perhaps parted from its body.
fn seen(frame: &Frame<'_>, apart: Option<Bytes>, bytes: usize) -> Seen {
    let mut descriptor = MessageDescriptor::default();
    let what = match Reply::decode(frame, 100 << 20, &mut descriptor).unwrap() {
        Reply::Failed { reason, .. } => What::Failed(reason),
        Reply::Done | Reply::Closed { warning: None } => What::Done,
        Reply::Begun { last_commit } => What::Begun(last_commit),
        Reply::Opened(opened) => What::Opened(opened.handle),
        Reply::PutDone { .. } => What::PutDone,
        Reply::Got(message) => {
            What::Got { body: Bytes::copy_from_slice(message.body), length: message.length }
        }
        Reply::Delivered { number, message, .. } => {
            let body = apart.unwrap_or_else(|| Bytes::copy_from_slice(message.body));
            What::Delivered { number, body }
        }
        Reply::Fragment(bytes) => What::Fragment(bytes.len()),
        Reply::Status(status) => What::Status(status),
        Reply::Long { part, .. } => What::Long(Bytes::copy_from_slice(part)),
        Reply::Heartbeat => What::Heartbeat,
        Reply::Refused(_)
        | Reply::Inquired(_)
        | Reply::Subscribed(_)
        | Reply::PublicationsRequested(_)
        | Reply::Branch { .. }
        | Reply::Branches(_)
        | Reply::Closed { warning: Some(_) } => What::Other,
    };
    Seen { header: frame.header, what, descriptor, bytes }
}

/// The refusal at the end of what was written.
pub(crate) fn refusal(bytes: &[u8]) -> Refused {
    let frame = Frame::decode(bytes, 1 << 20).unwrap().unwrap();
    assert_eq!(frame.header.kind, Kind::Refused);
    Refused::decode(frame.payload).unwrap()
}
