//! Services of a reader for other threads.

use super::filing::{KNOWN_MAX, Known};
use super::*;
use crate::letters::Letters;
use ::channel::client::{DeltaReader, Described, ForHandle, Message, delivered};
use ::channel::{Frame, Header, Outlet, Output, Refusals, Reply, SharedBodies, Versions};
use mqi::{MessageDescriptor, MessageToken, ObjectHandle, ObjectName};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use transport::inheritance::NotInherited;

/// A link, and the other end of its socket.
pub(super) fn link() -> (Arc<Link>, UnixStream) {
    let (server, ours) = UnixStream::pair().unwrap();
    let Versions { most: version, .. } = VERSIONS;
    let welcome = Welcome {
        version,
        refused: Refusals::default(),
        limits: Limits::default(),
        body_compression: None,
        head_compression: None,
        queue_manager: String::new(),
        product: String::new(),
        addresses: Vec::new(),
        offers: channel::Offers::BRANCHES,
    };
    let link = Link {
        socket: Socket::Unix(NotInherited::new(ours)),
        ways: Ways::default(),
        welcome,
        channel: "".into(),
        writer: Cork::new(Writer::default()),
        turns: Turns::default(),
        sending: Sending::new(Output::default()),
        reader: Lead::new(Receiving::new(Reader::new())),
        mailboxes: Mailboxes::default(),
        looks: Looks::default(),
        is_asked: AtomicBool::new(false),
        has_spoken: AtomicBool::new(false),
        farewell: Mutex::new(None),
    };
    (Arc::new(link), server)
}

/// The handle to which messages come.
const HANDLE: ObjectHandle = ObjectHandle(1);

/// A message of so many bytes, without them.
fn message_of(bytes: usize) -> Message<'static> {
    Message {
        warning: None,
        data_length: bytes as u32,
        resolved_queue_name: ObjectName::BLANK,
        message_token: MessageToken::NONE,
        for_handle: ForHandle::Nothing,
        length: bytes as u32,
        body: &[],
    }
}

/// A message of ten thousand bytes for a conversation.
fn delivery(conversation: Conversation) -> Vec<u8> {
    let mut output = Output::default();
    let header = Header::new(Kind::Delivered, conversation, RequestNumber(0));
    let (to, body) = ((HANDLE, 1), Bytes::from(vec![7; 10_000]));
    let mut outlet = Outlet { output: &mut output, bodies: &mut SharedBodies::default() };
    delivered(&mut outlet, header, to, &message_of(10_000), &MessageDescriptor::default(), body, 1 << 19);
    output.to_vec()
}

/// Number of messages that have come, if any have.
fn come(arrived: &mut Arrived) -> Option<u32> {
    Some(arrived.move_delivered(HANDLE, &mut Letters::default())).filter(|count| *count > 0)
}

#[test]
fn what_is_there_beyond_a_read_is_filed_before_anybody_is_told() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    let (theirs, other) = link.register().unwrap();
    let mut bytes = delivery(ours);
    bytes.extend((0..11).flat_map(|_| delivery(theirs)));
    server.write_all(&bytes).unwrap();
    assert_eq!(link.wait_until(&inbox, None, come), Ok(Some(1)));
    assert_eq!(come(&mut other.lock()), Some(11), "one read takes six of them");
}

#[test]
fn what_came_before_the_end_counts() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    let (buffer, frame) = (64 * 1024, delivery(ours).len());
    let mut bytes: Vec<u8> = (0..20).flat_map(|_| delivery(ours)).collect();
    // As much as two reads take, the second behind what the first left of a frame, so that a third meets the
    // end.
    bytes.truncate(2 * buffer - buffer % frame);
    server.write_all(&bytes).unwrap();
    drop(server);
    let whole = bytes.len() / frame;
    let mut has_come = 0;
    while has_come < whole as u32 {
        has_come += link.wait_until(&inbox, None, come).unwrap().unwrap();
    }
    assert_eq!(link.wait_until(&inbox, None, come), Err(Broken));
}

#[test]
fn a_long_body_comes_behind_what_came_before_it_though_it_is_in_several_frames() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    for bytes in [10, 20_000, 200_000, 30, 100_000, 5] {
        let (mut output, mut bodies) = (Output::default(), SharedBodies::default());
        let mut outlet = Outlet { output: &mut output, bodies: &mut bodies };
        let message = message_of(bytes);
        let header = Header::new(Kind::Delivered, ours, RequestNumber(0));
        let (to, body) = ((HANDLE, 1), Bytes::from(vec![7; bytes]));
        let mut rest =
            delivered(&mut outlet, header, to, &message, &MessageDescriptor::default(), body, 1 << 15);
        while !rest.is_empty() {
            fragment(&mut output, ours, RequestNumber(0), &mut rest, 1 << 15);
        }
        let bytes = output.to_vec();
        thread::scope(|scope| {
            scope.spawn(|| server.write_all(&bytes).unwrap());
            let (mut letters, mut seen) = (Letters::default(), DeltaReader::default());
            link.wait_until(&inbox, None, |arrived| {
                (arrived.move_delivered(HANDLE, &mut letters) > 0).then_some(())
            })
            .unwrap();
            let opened = letters.open(1 << 20, &mut seen).unwrap().unwrap();
            assert_eq!(letters.take_body(&opened).len(), message.length as usize);
            assert!(letters.is_empty());
        });
    }
}

#[test]
fn the_number_of_a_conversation_that_ended_is_the_next_ones_at_once() {
    let mailboxes = Mailboxes::default();
    let mut known = Known::default();
    let (number, first) = mailboxes.register(1).unwrap();
    assert!(Arc::ptr_eq(known.mailbox(number, &mailboxes).unwrap(), &first));
    mailboxes.forget(number, true);
    let (again, second) = mailboxes.register(1).unwrap();
    assert_eq!(again, number);
    known.forget(number);
    assert!(Arc::ptr_eq(known.mailbox(number, &mailboxes).unwrap(), &second));
}

#[test]
fn what_comes_for_a_number_that_is_used_again_is_not_filed_where_the_end_was() {
    let (link, mut server) = link();
    let mut receiving = link.reader.try_turn().unwrap();
    let mut told = Told::default();
    let mut filing = Filing::telling(&mut told);
    let mut answer = |kind, conversation, reply: Reply<'_>| {
        let mut bytes = Vec::new();
        reply.encode(&mut bytes, Header::new(kind, conversation, RequestNumber(1)));
        server.write_all(&bytes).unwrap();
        receiving.reader.poll(&link.socket, 1 << 20).unwrap();
        link.file(&mut receiving, &mut filing).unwrap();
    };
    let (number, first) = link.register().unwrap();
    answer(Kind::Ended, number, Reply::Done);
    assert!(first.lock().has(RequestNumber(1)));
    link.forget(number, true);
    let (again, second) = link.register().unwrap();
    assert_eq!(again, number);
    answer(Kind::Begun, again, Reply::Begun { last_commit: None });
    assert!(second.lock().has(RequestNumber(1)));
    // One that was given up: its end is for nobody.
    link.forget(again, false);
    answer(Kind::Ended, again, Reply::Done);
    let (third, inbox) = link.register().unwrap();
    assert_eq!(third, again);
    assert!(!inbox.lock().has(RequestNumber(1)));
}

#[test]
fn few_mailboxes_are_kept_at_hand_and_each_is_the_right_one() {
    let mailboxes = Mailboxes::default();
    let mut known = Known::default();
    let all: Vec<_> = (0..3 * KNOWN_MAX).map(|_| mailboxes.register(u16::MAX).unwrap()).collect();
    for (number, inbox) in all.iter().chain(&all) {
        assert!(Arc::ptr_eq(known.mailbox(*number, &mailboxes).unwrap(), inbox));
    }
    assert!(known.mailbox(Conversation(1_000), &mailboxes).is_none());
}

#[test]
fn what_is_sent_for_its_length_goes_into_a_segment_unless_it_is_one_request_that_does_not() {
    let half = SEGMENT_BYTES / 2;
    for request in [100, 2_110, 20_000, half, half + 1, SEGMENT_BYTES, SEGMENT_BYTES + 1] {
        let (link, _server) = link();
        // With the turn to send, so that nobody else sends what is corked meanwhile.
        let _turn = link.sending.try_turn().unwrap();
        let is_wanted_with = |requests: &usize| {
            link.cork(|output| output.cork().resize(requests * request, 0)).unwrap();
            link.writer.lock().is_wanted
        };
        let fits = (SEGMENT_BYTES / request).max(1);
        assert_eq!((1..=fits).find(is_wanted_with), Some(fits), "requests of {request} bytes");
    }
}

#[test]
fn who_corks_beside_one_who_sends_waits_only_when_much_has_gathered() {
    let (link, mut server) = link();
    let drained = thread::spawn(move || server.read_to_end(&mut Vec::new()));
    let turn = link.sending.try_turn().unwrap();
    let (told, hears) = std::sync::mpsc::channel();
    let corking = thread::spawn({
        let link = Arc::clone(&link);
        move || {
            let cork = |bytes| link.cork(|output| output.cork().resize(bytes, 0));
            for bytes in [SEGMENT_BYTES, GATHERED_BYTES_MAX - 1, GATHERED_BYTES_MAX] {
                assert_eq!(cork(bytes), Ok(()));
                told.send(bytes).unwrap();
            }
        }
    });
    for bytes in [SEGMENT_BYTES, GATHERED_BYTES_MAX - 1] {
        assert_eq!(hears.recv_timeout(Duration::from_secs(10)), Ok(bytes), "it does not wait");
    }
    assert!(hears.recv_timeout(Duration::from_millis(50)).is_err(), "so much may gather and no more");
    drop(turn);
    assert_eq!(hears.recv_timeout(Duration::from_secs(10)), Ok(GATHERED_BYTES_MAX));
    corking.join().unwrap();
    drop(link);
    let sent = drained.join().unwrap().unwrap();
    assert!(sent >= GATHERED_BYTES_MAX, "all of it was sent: {sent}");
}

/// Messages for these conversations, one with each body, as a queue manager writes those that share bodies.
fn shared(conversations: &[Conversation], bodies: &[Bytes]) -> Vec<u8> {
    let (mut output, mut shared) = (Output::default(), SharedBodies::default());
    shared.begin();
    let mut outlet = Outlet { output: &mut output, bodies: &mut shared };
    let common = Bytes::from(::channel::descriptor::written(&MessageDescriptor::default()));
    for conversation in conversations {
        for body in bodies {
            let correlation_id = mqi::CorrelationId([conversation.0 as u8; 24]);
            let described = Described::Written { common: &common, correlation_id: &correlation_id };
            let header = Header::new(Kind::Delivered, *conversation, RequestNumber(0));
            let message = message_of(body.len());
            delivered(&mut outlet, header, (HANDLE, 1), &message, described, body.clone(), 1 << 19);
        }
    }
    output.to_vec()
}

#[test]
fn a_body_that_is_named_is_that_of_the_conversation_before_even_of_one_that_is_gone() {
    let (link, mut server) = link();
    let (gone, _) = link.register().unwrap();
    let others: Vec<_> = (0..3).map(|_| link.register().unwrap()).collect();
    let bodies: Vec<_> = (1..20).map(|number| Bytes::from(vec![number; 1000])).collect();
    let conversations: Vec<_> =
        std::iter::once(gone).chain(others.iter().map(|(conversation, _)| *conversation)).collect();
    let bytes = shared(&conversations, &bodies);
    assert!(bytes.len() < 2 * 20 * 1000, "sent once");
    link.forget(gone, false);
    server.write_all(&bytes).unwrap();
    for (conversation, inbox) in &others {
        let mut letters = Letters::default();
        let mut all = |arrived: &mut Arrived| {
            arrived.move_delivered(HANDLE, &mut letters);
            (letters.count() == bodies.len() as u32).then_some(())
        };
        link.wait_until(inbox, None, &mut all).unwrap();
        let mut seen = DeltaReader::default();
        for body in &bodies {
            let opened = letters.open(1 << 20, &mut seen).unwrap().unwrap();
            assert_eq!(seen.descriptor().correlation_id.0, [conversation.0 as u8; 24]);
            let mut lent = Bytes::new();
            letters.lend_body(&opened, &mut |bytes| lent = Bytes::copy_from_slice(bytes));
            assert_eq!(lent, body);
        }
    }
}

#[test]
fn a_body_that_was_never_sent_is_the_end_of_the_link() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    let body = Bytes::from(vec![1; 1000]);
    let bytes = shared(&[ours, ours], &[body]);
    let first = Frame::length(&bytes, 1 << 20).unwrap().unwrap();
    server.write_all(&bytes[first..]).unwrap();
    assert_eq!(link.wait_until(&inbox, None, come), Err(Broken));
    assert!(link.is_broken());
}

#[test]
fn a_writer_without_room_bears_with_a_server_that_speaks_and_not_with_one_that_is_silent() {
    let (mut link, mut server) = link();
    let the_link = Arc::get_mut(&mut link).unwrap();
    the_link.welcome.limits.heartbeat_milliseconds = 1_000;
    if let Socket::Unix(socket) = &the_link.socket {
        socket.set_write_timeout(Some(Duration::from_millis(20))).unwrap();
    }
    let patience = link.patience().unwrap();
    let writing = thread::spawn({
        let link = Arc::clone(&link);
        move || link.send(|output| output.cork().resize(16 << 20, 0))
    });
    let mut heartbeat = Output::default();
    let header = Header::new(Kind::Heartbeat, Conversation::CONNECTION, RequestNumber(0));
    Reply::Heartbeat.encode(heartbeat.cork(), header);
    let spoke_until = Instant::now() + patience + Duration::from_secs(1);
    while Instant::now() < spoke_until {
        server.write_all(&heartbeat.to_vec()).unwrap();
        thread::sleep(Duration::from_millis(200));
    }
    assert!(!link.is_broken(), "it spoke");
    let silent_since = Instant::now();
    assert_eq!(writing.join().unwrap(), Err(Broken));
    assert!(silent_since.elapsed() >= patience - Duration::from_secs(1), "{:?}", silent_since.elapsed());
}
