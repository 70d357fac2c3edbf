//! What should not arrive: each is named, its connection ends, and the queue manager lives.

use crate::loopback::{Client, Server, What, drained, hello, refusal};
use agents::{Agent, Close};
use channel::client::Request;
use channel::{Conversation, Error, Flags, Foreign, Header, Hello, Kind, Output, RequestNumber, Versions};
use mqi::{OpenOptions, Persistence, Reason};

/// What the bytes end a connection with, and its last words; a neighbour is served as before.
fn end_of(server: &Server, client: &mut Client, bytes: &[u8]) -> (Close, Vec<u8>) {
    let close = client.receive(bytes).expect_err("the connection must end");
    let mut output = Output::default();
    client.agent.farewell(&close, &mut output);
    let mut neighbour = server.client();
    let handle = neighbour.open("A", OpenOptions::OUTPUT);
    neighbour.put(handle, Persistence::Persistent, "still here");
    (close, drained(&mut output))
}

#[test]
fn other_protocols_are_named_and_answered_in_their_language() {
    let server = Server::new();
    for (bytes, foreign, answer) in [
        (&b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..], Foreign::Http, &b"HTTP/1.1 400"[..]),
        (b"POST /mq HTTP/1.1\r\n", Foreign::Http, b"HTTP/1.1 400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", Foreign::Tls, b"\x15\x03"),
        (b"AMQP\x00\x01\x00\x00", Foreign::Amqp, b""),
        (b"\x00\x00\x00\x00\x00\x00", Foreign::Unknown([0; 4]), b""),
        (b"lorem ipsum", Foreign::Unknown(*b"lore"), b""),
    ] {
        let (close, farewell) = end_of(&server, &mut server.stranger(), bytes);
        assert!(matches!(&close, Close::Protocol(Error::Foreign(found)) if *found == foreign), "{close}");
        assert!(farewell.starts_with(answer), "{farewell:?}");
        assert!(!answer.is_empty() || farewell.is_empty());
    }
}

#[test]
fn lengths_out_of_bounds_are_refused_by_their_four_bytes() {
    let server = Server::new();
    for length in [0_u32, 7, 0x7FFF_FFFF, 0xFFFF_FFFF] {
        for is_logged_in in [false, true] {
            let mut client = server.stranger();
            let mut bytes = length.to_le_bytes().to_vec();
            if is_logged_in {
                client.log_in();
            } else {
                bytes.splice(0..0, channel::preamble::MAGIC);
            }
            let (close, farewell) = end_of(&server, &mut client, &bytes);
            assert!(
                matches!(close, Close::Protocol(Error::Length { length: found, .. }) if found == length),
                "{close}"
            );
            assert!(refusal(&farewell).text.contains(&length.to_string()));
            assert_eq!(refusal(&farewell).reason, Reason::CONNECTION_ERROR);
        }
    }
}

#[test]
fn a_version_nobody_speaks_is_refused_with_both_ranges() {
    let server = Server::new();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { versions: Versions { least: 7, most: 9 }, ..hello() }.encode(&mut bytes);
    let (close, farewell) = end_of(&server, &mut server.stranger(), &bytes);
    assert!(matches!(close, Close::Protocol(Error::Version { .. })));
    let text = refusal(&farewell).text;
    assert!(text.contains("7 to 9") && text.contains("1 to 1"), "{text}");
}

#[test]
fn another_queue_manager_is_refused_by_both_names() {
    let server = Server::new();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { queue_manager: "QM2".into(), ..hello() }.encode(&mut bytes);
    let (close, farewell) = end_of(&server, &mut server.stranger(), &bytes);
    assert!(matches!(close, Close::Refused { reason: Reason::Q_MGR_NAME_ERROR, .. }));
    let refused = refusal(&farewell);
    assert!(refused.text.contains("QM1") && refused.text.contains("QM2"), "{}", refused.text);
    assert_eq!(refused.reason, Reason::Q_MGR_NAME_ERROR);
}

#[test]
fn frames_out_of_place_end_the_connection() {
    let server = Server::new();
    let plain = |request: Request<'_>, conversation: u16| {
        let mut bytes = Vec::new();
        request.encode(&mut bytes, Conversation(conversation), RequestNumber(1), Flags::NONE);
        bytes
    };
    let raw = |kind: u8, payload: &[u8]| {
        let mut bytes = (payload.len() as u32 + 8).to_le_bytes().to_vec();
        bytes.extend_from_slice(&[kind, 0, 1, 0, 1, 0, 0, 0]);
        bytes.extend_from_slice(payload);
        bytes
    };
    for (what, bytes) in [
        ("a kind that does not exist", raw(0x7F, b"")),
        ("a reply", raw(0x9A, b"")),
        ("a second hello", raw(0x01, b"")),
        ("a fragment of nothing", raw(0x04, b"abc")),
        ("a payload with a tail", raw(0x1B, b"abc")),
        ("a payload that is cut", raw(0x13, &[1])),
        ("a put that is cut", raw(0x14, &[1, 0, 0, 0])),
        ("a put that announces four gigabytes", {
            let mut payload = vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
            payload.extend_from_slice(&u32::MAX.to_le_bytes());
            raw(0x14, &payload)
        }),
        (
            "a conversation begun twice",
            plain(Request::Begin { instance: [0; 16], generation: 0, options: 0 }, 1),
        ),
        (
            "a conversation beyond the limit",
            plain(Request::Begin { instance: [0; 16], generation: 0, options: 0 }, 60_000),
        ),
        ("a verb for the connection itself", plain(Request::Back, 0)),
        ("a verb for a conversation that has not begun", plain(Request::Back, 5)),
    ] {
        let mut client = server.client();
        let (close, farewell) = end_of(&server, &mut client, &bytes);
        assert!(!matches!(close, Close::Disconnected), "{what}");
        assert_eq!(refusal(&farewell).text, close.to_string(), "{what}");
    }
    let mut stranger = server.stranger();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    bytes.extend(plain(Request::Back, 1));
    let (close, _) = end_of(&server, &mut stranger, &bytes);
    assert!(close.to_string().contains("hello"), "{close}");
}

#[test]
fn names_that_are_none_fail_their_request_and_nothing_else() {
    let server = Server::new();
    let mut client = server.client();
    for name in [&[b'A'; 49][..], b"BAD NAME", b"NO-DASH", "KÖNIG".as_bytes()] {
        let number = client.next_request();
        let mut bytes = Vec::new();
        let header = Header::new(Kind::Open, client.conversation, number);
        let start = channel::frame::begin(&mut bytes, header);
        bytes.extend_from_slice(&[0, 0, 0, 0, 0, name.len() as u8]);
        bytes.extend_from_slice(name);
        channel::frame::finish(&mut bytes, start, 0);
        client.receive(&bytes).unwrap();
        let seen = client.answer(number);
        assert_eq!(seen.what, What::Failed(Reason::OBJECT_NAME_ERROR));
        assert_eq!(seen.header.kind, Kind::Opened);
    }
    client.open("A", OpenOptions::OUTPUT);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]
    #[test]
    fn no_bytes_behind_a_login_make_the_agent_panic(
        frames in proptest::collection::vec(
            (proptest::sample::select(Kind::ALL), 0_u16..3, proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60)),
            1..20,
        ),
    ) {
        thread_local! {
            static SERVER: Server = Server::new();
        }
        SERVER.with(|server| {
            let mut client = server.client();
            client.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
            let mut bytes = Vec::new();
            for (index, (kind, conversation, payload)) in frames.iter().enumerate() {
                let header = Header::new(*kind, Conversation(*conversation), RequestNumber(index as u32 + 10));
                let start = channel::frame::begin(&mut bytes, header);
                // Numbers that often mean something.
                bytes.extend(payload.iter().map(|byte| if byte % 3 == 0 { byte % 4 } else { *byte }));
                channel::frame::finish(&mut bytes, start, 0);
            }
            let _ = client.receive(&bytes);
            let proof = server.queue_manager.drive();
            client.agent.release(proof, &mut client.output);
        });
    }
}
