//! Requests whose numbers mean nothing: each is answered with the interface's reason for it, and the
//! connection goes on.

use crate::loopback::{Client, Server, What, hello};
use channel::client::{Credit, Request};
use channel::{Conversation, Header, Hello, Kind, Refusals};
use mqi::{
    AttributeValue, CloseOptions, GetFlags, GetOptions, MatchOptions, ObjectDescriptor, ObjectHandle,
    OpenOptions, Reason, Selector,
};

/// The answer to a request of these bytes.
fn answer(client: &mut Client, kind: Kind, payload: &[u8]) -> What {
    let number = client.next_request();
    let mut bytes = Vec::new();
    let start = channel::frame::begin(&mut bytes, Header::new(kind, client.conversation, number));
    bytes.extend_from_slice(payload);
    channel::frame::finish(&mut bytes, start, 0);
    client.receive(&bytes).unwrap();
    client.answer(number).what
}

/// A number as descriptors carry it.
fn number(value: i32) -> Vec<u8> {
    let mut rest = (value << 1 ^ value >> 31).cast_unsigned();
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

/// A put through handle 1 with this field of the descriptor alone.
fn put_with(field: u32, value: i32) -> Vec<u8> {
    let mut payload = [1, 0, 0, 0, 4, 0, 0, 0, 0].to_vec();
    payload.extend((1_u32 << field).to_le_bytes());
    payload.extend(number(value));
    payload.extend(0_u32.to_le_bytes());
    payload
}

#[test]
fn structures_of_another_shape_and_fields_out_of_range_have_their_reasons() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::SET);
    assert_eq!(handle, ObjectHandle(1));
    let put = |present: u8, rest: &[u8]| [&[1, 0, 0, 0, 4, 0, 0, 0, present], rest].concat();
    let get = |present: u8| [&[1, 0, 0, 0, 4, 0, 0, 0, present], &[0; 8][..]].concat();
    let set = [&[1, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0][..], &[2, 0, 0, 0, 0]].concat();
    for (what, kind, payload, reason) in [
        ("an object of more fields", Kind::Open, [0, 0, 0, 0, 64].to_vec(), Reason::OD_ERROR),
        (
            "a queue manager whose name is none",
            Kind::Open,
            [&[16, 0, 0, 0, 2, 1, b'A', 3][..], b"Q M"].concat(),
            Reason::OBJECT_Q_MGR_NAME_ERROR,
        ),
        ("put options of more fields", Kind::Put, put(16, &[]), Reason::PMO_ERROR),
        ("an action that is none", Kind::Put, put(2, &number(77)), Reason::ACTION_ERROR),
        ("a descriptor of more fields", Kind::Put, put(0, &u32::MAX.to_le_bytes()), Reason::MD_ERROR),
        ("get options of more fields", Kind::Get, get(32), Reason::GMO_ERROR),
        ("two waits", Kind::Get, get(3), Reason::GMO_ERROR),
        ("an expiry below none", Kind::Put, put_with(2, -5), Reason::EXPIRY_ERROR),
        ("an expiry of nothing", Kind::Put, put_with(2, 0), Reason::EXPIRY_ERROR),
        ("a priority below none", Kind::Put, put_with(7, -7), Reason::PRIORITY_ERROR),
        ("a persistence that is none", Kind::Put, put_with(8, 9), Reason::PERSISTENCE_ERROR),
        ("a value of no kind", Kind::Set, set, Reason::SELECTOR_ERROR),
    ] {
        assert_eq!(answer(&mut client, kind, &payload), What::Failed(reason), "{what}");
    }
    client.put(handle, mqi::Persistence::Persistent, "still served");
    assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT), Ok("still served".to_owned()));
}

#[test]
fn options_that_nobody_knows_are_refused_by_every_verb() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::BROWSE);
    let object = ObjectDescriptor::queue("A".parse().unwrap());
    for bits in [1 << 30, i32::MIN, -1] {
        let open = Request::Open { object: object.clone(), options: OpenOptions::from_bits(bits) };
        assert_eq!(client.ask(&open).what, What::Failed(Reason::OPTIONS_ERROR), "{bits:#x}");
        let close = Request::Close { handle, options: CloseOptions::from_bits(bits) };
        assert_eq!(client.ask(&close).what, What::Failed(Reason::OPTIONS_ERROR), "{bits:#x}");
        assert_eq!(client.get(handle, GetFlags::from_bits(bits)), Err(Reason::OPTIONS_ERROR), "{bits:#x}");
        let mut payload = [handle.0.to_le_bytes(), bits.to_le_bytes()].concat();
        payload.extend([0; 9]);
        let put = answer(&mut client, Kind::Put, &payload);
        assert_eq!(put, What::Failed(Reason::OPTIONS_ERROR), "{bits:#x}");
        let mut payload = [handle.0.to_le_bytes(), 4_i32.to_le_bytes()].concat();
        payload.extend([4, 0, 1, 0, 0]);
        payload.extend(bits.to_le_bytes());
        payload.extend([0; 4]);
        let matched = answer(&mut client, Kind::Get, &payload);
        assert_eq!(matched, What::Failed(Reason::MATCH_OPTIONS_ERROR), "{bits:#x}");
    }
    assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(MatchOptions::from_bits(1 << 30).unknown().bits(), 1 << 30);
    assert_eq!(GetOptions::default().match_options.unknown(), MatchOptions::EMPTY);
}

#[test]
fn handles_that_name_nothing_are_refused_by_every_verb() {
    let server = Server::new();
    let mut client = server.client();
    let closed = client.open("A", OpenOptions::INPUT_SHARED);
    let closing = Request::Close { handle: closed, options: CloseOptions::EMPTY };
    assert_eq!(client.ask(&closing).what, What::Done);
    // Another conversation of the same connection has a handle of a number that this one has not.
    client.begin(2, [2; 16]);
    client.open("A", OpenOptions::INPUT_SHARED);
    let others = client.open("B", OpenOptions::INPUT_SHARED);
    client.conversation = Conversation(1);
    for handle in
        [ObjectHandle::NONE, ObjectHandle(-1), ObjectHandle(i32::MIN), ObjectHandle(i32::MAX), closed, others]
    {
        let refused = What::Failed(Reason::HOBJ_ERROR);
        let values = vec![(Selector(mqi::constants::MQIA_INHIBIT_PUT), AttributeValue::Integer(0))];
        for request in [
            Request::Close { handle, options: CloseOptions::EMPTY },
            Request::Inquire { handle, selectors: vec![Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH)] },
            Request::Set { handle, values },
        ] {
            assert_eq!(client.ask(&request).what, refused, "{request:?}");
        }
        assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT), Err(Reason::HOBJ_ERROR), "{handle}");
        let mut payload = [handle.0.to_le_bytes(), 4_i32.to_le_bytes()].concat();
        payload.extend([0; 9]);
        assert_eq!(answer(&mut client, Kind::Put, &payload), refused, "{handle}");
    }
}

#[test]
fn what_a_connection_agreed_not_to_do_is_refused() {
    let server = Server::new();
    let mut client = server.stranger();
    let refuses = Refusals::COMMANDS.and(Refusals::READ_AHEAD);
    client.log_in_as(&Hello { refuses, ..hello() });
    client.begin(1, [0; 16]);
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    let credit =
        Credit { handle, messages: 1, bytes: 1000, terms: None, reserves_all: false, is_called: false };
    let number = client.next_request();
    let mut output = channel::Output::default();
    let descriptor = mqi::MessageDescriptor::default();
    channel::client::credit(output.cork(), client.conversation, number, &credit, &descriptor);
    client.receive(&crate::loopback::drained(&mut output)).unwrap();
    assert_eq!(client.answer(number).what, What::Failed(Reason::FUNCTION_NOT_SUPPORTED));
    let command = client.next_request();
    let text = bytes::Bytes::from_static(b"DELETE QLOCAL(A)");
    channel::client::command(&mut output, client.conversation, command, None, text, 1000);
    client.receive(&crate::loopback::drained(&mut output)).unwrap();
    assert_eq!(client.answer(command).what, What::Failed(Reason::FUNCTION_NOT_SUPPORTED));
}

#[test]
fn there_are_as_many_connections_as_the_queue_manager_takes() {
    let server = Server::new();
    let mut clients: Vec<Client> = Vec::new();
    let refused = loop {
        let mut client = server.stranger();
        client.log_in();
        client.conversation = Conversation(1);
        match client.ask(&Request::Begin { instance: [0; 16], generation: 1, options: 0 }).what {
            What::Begun(_) => clients.push(client),
            other => break other,
        }
        assert!(clients.len() <= 100, "the server of these tests takes a hundred");
    };
    assert_eq!(refused, What::Failed(Reason::MAX_CONNS_LIMIT_REACHED));
    clients.pop();
    server.client();
}
