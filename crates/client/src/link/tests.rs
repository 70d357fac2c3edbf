//! What one who reads does for others.

use super::*;
use crate::inbox::Delivery;
use ::channel::client::{ForHandle, Message, delivered};
use ::channel::{Header, Output, Versions};
use mqi::{CorrelationId, MessageDescriptor, MessageToken, ObjectHandle, ObjectName, Priority, Text};
use std::io::Write;
use std::os::unix::net::UnixStream;

/// A link, and the other end of its socket.
fn link() -> (Arc<Link>, UnixStream) {
    let (server, ours) = UnixStream::pair().unwrap();
    let Versions { most: version, .. } = VERSIONS;
    let welcome = Welcome {
        version,
        refused: Refusals::default(),
        limits: Limits::default(),
        queue_manager: String::new(),
        product: String::new(),
    };
    let link = Link {
        socket: Socket::Unix(ours),
        welcome,
        writer: Cork::new(Writer::default()),
        sending: Sending::new(Output::default()),
        reader: Lead::new(Receiving::new(Reader::new())),
        mailboxes: Mailboxes::default(),
        is_asked: AtomicBool::new(false),
        farewell: Mutex::new(None),
    };
    (Arc::new(link), server)
}

/// A message of ten thousand bytes for a conversation.
fn delivery(conversation: Conversation) -> Vec<u8> {
    described(conversation, &MessageDescriptor::default())
}

/// The same with a descriptor.
fn described(conversation: Conversation, descriptor: &MessageDescriptor) -> Vec<u8> {
    let mut output = Output::default();
    let message = Message {
        warning: None,
        data_length: 10_000,
        resolved_queue_name: ObjectName::BLANK,
        message_token: MessageToken::NONE,
        for_handle: ForHandle::Nothing,
        length: 10_000,
        body: &[],
    };
    let header = Header::new(Kind::Delivered, conversation, RequestNumber(0));
    let (to, body) = ((ObjectHandle(1), 1), Bytes::from(vec![7; 10_000]));
    delivered(&mut output, header, to, &message, descriptor, body, 1 << 19);
    output.to_vec()
}

#[test]
fn what_is_there_beyond_a_read_is_filed_before_anybody_is_told() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    let (theirs, other) = link.register().unwrap();
    let mut bytes = delivery(ours);
    bytes.extend((0..11).flat_map(|_| delivery(theirs)));
    server.write_all(&bytes).unwrap();
    link.wait_until(&inbox, None, |arrived| arrived.deliveries.pop_front()).unwrap();
    assert_eq!(other.lock().deliveries.len(), 11, "one read takes six of them");
}

#[test]
fn what_came_before_the_end_counts() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    let (buffer, frame) = (64 * 1024, delivery(ours).len());
    let mut bytes: Vec<u8> = (0..20).flat_map(|_| delivery(ours)).collect();
    // As much as two reads take, the second behind what the first left of a frame, so that a third meets the end.
    bytes.truncate(2 * buffer - buffer % frame);
    server.write_all(&bytes).unwrap();
    drop(server);
    let whole = bytes.len() / frame;
    for number in 0..whole {
        let got = link.wait_until(&inbox, None, |arrived| arrived.deliveries.pop_front());
        assert!(matches!(got, Ok(Some(_))), "{number}: {got:?}");
    }
    let end = link.wait_until(&inbox, None, |arrived| arrived.deliveries.pop_front());
    assert!(matches!(end, Err(Broken)), "{end:?}");
}

#[test]
fn the_box_of_a_message_that_was_taken_brings_another_and_nothing_of_the_first() {
    let (link, mut server) = link();
    let (ours, inbox) = link.register().unwrap();
    let full = MessageDescriptor {
        correlation_id: CorrelationId([5; 24]),
        put_application_name: Text::truncated("somebody"),
        priority: Priority::from_code(7).unwrap(),
        ..MessageDescriptor::default()
    };
    let mut places = Vec::new();
    for descriptor in [&full, &full, &MessageDescriptor::default()] {
        server.write_all(&described(ours, descriptor)).unwrap();
        let got = link.wait_until(&inbox, None, |arrived| arrived.deliveries.pop_front());
        let Ok(Some(Delivery::Message { message, .. })) = got else { panic!("{got:?}") };
        assert_eq!((&message.descriptor, message.body.len()), (descriptor, 10_000));
        places.push(std::ptr::from_ref(&*message));
        inbox.lock().keep(&mut vec![message]);
    }
    assert_eq!(places[0], places[2], "one box is filled while the other is with the program");
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
fn few_mailboxes_are_kept_at_hand_and_each_is_the_right_one() {
    let mailboxes = Mailboxes::default();
    let mut known = Known::default();
    let all: Vec<_> = (0..3 * KNOWN_MAX).map(|_| mailboxes.register(u16::MAX).unwrap()).collect();
    for (number, inbox) in all.iter().chain(&all) {
        assert!(Arc::ptr_eq(known.mailbox(*number, &mailboxes).unwrap(), inbox));
    }
    assert!(known.mailbox(Conversation(1_000), &mailboxes).is_none());
}
