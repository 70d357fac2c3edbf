//! The calls of a client, on a socket whose other end the same thread writes and reads between them.
//!
//! Always: conversations share the socket, as those of one program do, and each is called by the only thread
//! there is. No thread waits for another, so the count is that of the way of a message and not that of a
//! wake-up.

use std::hint::black_box;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use bytes::Bytes;
use channel::client::{Described, ForHandle, Message, delivered};
use channel::frame::HEADER_BYTES;
use channel::login::VERSIONS;
use channel::{
    Conversation, Frame, Header, Kind, Limits, Outlet, Output, Refusals, Reply, RequestNumber, SharedBodies,
    Welcome, preamble,
};
use client::{Address, Channel, Connection, Options};
use mqi::{
    AccountingToken, CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, MessageToken,
    ObjectDescriptor, ObjectHandle, OpenOptions, Opened, Persistence, PutFlags, PutOptions, QueueManagerName,
    Text, Verbs, Wait,
};

use super::MESSAGE_BYTES;

/// Conversations that share a socket, as many as SHARECNV allows unless it is changed.
const CONVERSATIONS: u16 = 10;

/// Messages for each of them in what is sent at once.
const MESSAGES_EACH: u32 = 2;

const FRAME_BYTES_MAX: u32 = 1 << 20;

/// The name of the one queue there is, as long as those that are made for subscriptions.
const QUEUE: &str = "SYSTEM.MANAGED.NDURABLE.0000000000000001";

/// A client's conversations, each with an open queue, and the other end of their socket.
struct Place {
    connections: Vec<(Connection, ObjectHandle)>,
    queue_manager: UnixStream,
    /// Where what the client sends is read.
    sent: Vec<u8>,
}

impl Place {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("ferry-instructions-{}", std::process::id()));
        let listener = UnixListener::bind(&path).expect("there is room for a socket");
        let queue_manager = answering(listener);
        let channel = Channel::connect(Options::to(Address::Unix(path.clone()))).expect("it is let in");
        std::fs::remove_file(&path).expect("it is there");
        let connections = (0..CONVERSATIONS).map(|_| open(&channel)).collect();
        let queue_manager = queue_manager.join().expect("it ends when all have opened");
        queue_manager.set_nonblocking(true).expect("it is a socket");
        Self { connections, queue_manager, sent: vec![0; 64 * 1024] }
    }

    /// Takes what the client has sent, and looks at none of it.
    fn drain(&mut self) {
        loop {
            match self.queue_manager.read(&mut self.sent) {
                Ok(0) => panic!("the client has left"),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) => panic!("the socket broke: {error}"),
            }
        }
    }
}

fn open(channel: &Arc<Channel>) -> (Connection, ObjectHandle) {
    let mut connection = channel.conversation().expect("there is room");
    let object = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let opened = connection.open(&object, OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    let handle = opened.expect("it is open").handle;
    (connection, handle)
}

/// A queue manager that says what is needed until each conversation has opened its queue.
fn answering(listener: UnixListener) -> JoinHandle<UnixStream> {
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client comes");
        let mut magic = [0; preamble::MAGIC.len()];
        stream.read_exact(&mut magic).expect("it says what it speaks");
        for _ in 0..=2 * CONVERSATIONS {
            let header = asked(&mut stream);
            let mut answer = Vec::new();
            let header_of = |kind| Header::new(kind, header.conversation, header.request);
            match header.kind {
                Kind::Hello => welcome().encode(&mut answer),
                Kind::Begin => Reply::Begun { last_commit: None }.encode(&mut answer, header_of(Kind::Begun)),
                Kind::Open => opened().encode(&mut answer, header_of(Kind::Opened)),
                kind => panic!("nobody asks this here: {kind:?}"),
            }
            stream.write_all(&answer).expect("the client is there");
        }
        stream
    })
}

/// The header of the next request.
fn asked(stream: &mut UnixStream) -> Header {
    let mut bytes = vec![0; HEADER_BYTES];
    stream.read_exact(&mut bytes).expect("a request comes");
    let whole = Frame::length(&bytes, FRAME_BYTES_MAX).expect("a length").expect("all of it");
    bytes.resize(whole, 0);
    stream.read_exact(&mut bytes[HEADER_BYTES..]).expect("the rest comes");
    Frame::decode(&bytes, FRAME_BYTES_MAX).expect("a frame").expect("a whole one").header
}

fn welcome() -> Welcome {
    Welcome {
        version: VERSIONS.most,
        refused: Refusals::default(),
        limits: Limits { heartbeat_milliseconds: 0, ..Limits::default() },
        body_compression: None,
        head_compression: None,
        queue_manager: "BENCH".to_owned(),
        product: "instructions".to_owned(),
        addresses: Vec::new(),
        offers: channel::Offers::BRANCHES,
    }
}

fn opened() -> Reply<'static> {
    Reply::Opened(Opened {
        handle: ObjectHandle(1),
        object_name: QUEUE.parse().expect("a name"),
        resolved_queue_name: QUEUE.parse().expect("a name"),
        resolved_queue_manager_name: QueueManagerName::BLANK,
        topic_string: None,
        puts_asynchronously: true,
        reads_ahead: true,
    })
}

/// A descriptor as full as that of a publication.
fn descriptor() -> MessageDescriptor {
    MessageDescriptor {
        persistence: Persistence::NotPersistent,
        message_id: MessageId([1; 24]),
        correlation_id: CorrelationId([2; 24]),
        user_identifier: Text::truncated("somebody"),
        accounting_token: AccountingToken([3; 32]),
        put_application_name: Text::truncated("ferry bench publish"),
        put_date: Text::truncated("20260101"),
        put_time: Text::truncated("12000000"),
        ..MessageDescriptor::default()
    }
}

/// Messages for all conversations in turn: with bodies of their own or, as copies of publications are
/// written, with shared ones.
fn deliveries(are_shared: bool) -> Vec<u8> {
    let (mut output, mut shared) = (Output::default(), SharedBodies::default());
    if are_shared {
        shared.begin();
    }
    let mut outlet = Outlet { output: &mut output, bodies: &mut shared };
    let descriptor = descriptor();
    let common = Bytes::from(channel::descriptor::written(&descriptor));
    let described = match are_shared {
        true => Described::Written { common: &common, correlation_id: &descriptor.correlation_id },
        false => Described::Whole(&descriptor),
    };
    let bodies: Vec<_> = (0..MESSAGES_EACH).map(|_| Bytes::from(vec![7; MESSAGE_BYTES])).collect();
    let mut order: Vec<_> =
        (0..MESSAGES_EACH).flat_map(|number| (1..=CONVERSATIONS).map(move |to| (number, to))).collect();
    if are_shared {
        // Each conversation has a turn.
        order.sort_by_key(|(number, to)| (*to, *number));
    }
    for (number, conversation) in order {
        let header = Header::new(Kind::Delivered, Conversation(conversation), RequestNumber(0));
        let message = Message {
            warning: None,
            data_length: MESSAGE_BYTES as u32,
            resolved_queue_name: QUEUE.parse().expect("a name"),
            message_token: MessageToken([4; 16]),
            for_handle: ForHandle::Nothing,
            length: MESSAGE_BYTES as u32,
            body: &[],
        };
        let (to, body) = ((ObjectHandle(1), number), &bodies[number as usize]);
        let rest = delivered(&mut outlet, header, to, &message, described, body.clone(), 1 << 19);
        assert!(rest.is_empty(), "it is one frame");
    }
    output.to_vec()
}

/// A message that came by credit, from the socket to its program.
pub(super) fn deliver(count: u64) {
    deliver_by(count, false, |connection, handle, options| {
        let got =
            connection.get(handle, &mut MessageDescriptor::default(), &mut options.clone(), MESSAGE_BYTES);
        got.expect("it has come").body.len()
    });
}

/// The same, and the program is lent its body.
pub(super) fn deliver_lent(count: u64) {
    deliver_by(count, false, length_lent);
}

/// The same of publications that all conversations of the socket are sent.
pub(super) fn deliver_shared(count: u64) {
    deliver_by(count, true, length_lent);
}

/// Returns the length of the message that a program is lent next.
fn length_lent(connection: &mut Connection, handle: ObjectHandle, options: &GetOptions) -> usize {
    let (mut descriptor, mut options, mut length) = (MessageDescriptor::default(), options.clone(), 0);
    let mut borrow = |body: &[u8]| length = black_box(body).len();
    let got = connection.get_lent(handle, &mut descriptor, &mut options, MESSAGE_BYTES, &mut borrow);
    black_box(got.expect("it has come"));
    length
}

/// Messages that a program gets one by one; how long each was.
fn deliver_by(
    count: u64,
    are_shared: bool,
    get: impl Fn(&mut Connection, ObjectHandle, &GetOptions) -> usize,
) {
    let mut place = Place::new();
    let deliveries = deliveries(are_shared);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(10_000));
    for _ in 0..count / u64::from(MESSAGES_EACH) / u64::from(CONVERSATIONS) {
        place.queue_manager.write_all(&deliveries).expect("the socket takes as much");
        for (connection, handle) in &mut place.connections {
            for _ in 0..MESSAGES_EACH {
                assert_eq!(black_box(get(connection, *handle, &options)), MESSAGE_BYTES);
            }
        }
        place.drain();
    }
}

/// A put that nobody answers, from a program to the socket.
pub(super) fn put(count: u64) {
    let mut place = Place::new();
    let (body, options) = (Bytes::from(vec![7; MESSAGE_BYTES]), PutOptions::with(PutFlags::NO_SYNCPOINT));
    for _ in 0..count / u64::from(CONVERSATIONS) {
        for (connection, handle) in &mut place.connections {
            let put = connection.put_async(*handle, &MessageDescriptor::default(), &options, body.clone());
            assert_eq!(black_box(put), Ok(()));
        }
        place.drain();
    }
}
