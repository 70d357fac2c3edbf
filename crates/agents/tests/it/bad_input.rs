//! Bad input: each is named, its connection ends, and the queue manager lives.

use crate::loopback::{Client, Server, What, drained, hello, refusal};
use crate::patience::at;
use agents::{Agent, Close};
use channel::client::Request;
use channel::frame::HEADER_BYTES;
use channel::login::Compression;
use channel::{
    Conversation, Credentials, Error, Flags, Foreign, Header, Hello, Kind, Output, Refused, RequestNumber,
    Secret, Versions, Welcome,
};
use mqi::{OpenOptions, Persistence, Reason};

/// Sends bytes that end a connection, and returns the cause and its last words; a neighbour is served as
/// before.
fn end_of(server: &Server, client: &mut Client, bytes: &[u8]) -> (Close, Vec<u8>) {
    let close = client.receive(bytes).expect_err("the connection must end");
    let mut output = Output::default();
    client.agent.farewell(&close, &mut output);
    let mut neighbour = server.client();
    let handle = neighbour.open("A", OpenOptions::OUTPUT);
    neighbour.put(handle, Persistence::Persistent, "still here");
    (close, drained(&mut output))
}

/// The first bytes of a connection whose hello has this payload.
fn opening(payload: &[u8]) -> Vec<u8> {
    let mut bytes = channel::preamble::MAGIC.to_vec();
    bytes.extend((payload.len() as u32 + 8).to_le_bytes());
    bytes.extend_from_slice(&[0x01, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend_from_slice(payload);
    bytes
}

/// A hello with something in each of its fields.
fn whole_hello() -> Hello {
    Hello {
        identifies: true,
        body_compressions: [Compression::Lz4Fast].into_iter().collect(),
        head_compressions: [Compression::System].into_iter().collect(),
        ..hello()
    }
}

fn credentials() -> Credentials {
    Credentials::password("ada", Secret::new(b"pass".to_vec())).unwrap()
}

/// The refusal that a connection ends with.
fn last_words(client: &mut Client, close: &Close) -> Refused {
    let mut output = Output::default();
    client.agent.farewell(close, &mut output);
    refusal(&drained(&mut output))
}

/// A login that goes no further ends within ten seconds, and not before.
fn assert_is_given_up_in_time(client: &mut Client) {
    client.agent.tick(at(0)).unwrap();
    client.agent.tick(at(9)).unwrap();
    let close = client.agent.tick(at(10)).unwrap_err();
    assert!(matches!(close, Close::Unfinished { seconds: 10, .. }), "{close}");
}

#[test]
fn other_protocols_are_named_and_answered_in_their_language() {
    let server = Server::new();
    for (bytes, foreign, answer) in [
        (&b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[..], Foreign::Http, &b"HTTP/1.1 400"[..]),
        (b"POST /mq HTTP/1.1\r\n", Foreign::Http, b"HTTP/1.1 400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", Foreign::Tls, b"This port does not use TLS."),
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
fn words_of_the_client_come_back_to_it_without_what_a_terminal_obeys() {
    let server = Server::new();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { queue_manager: "x\n\u{1b}[2J\u{202e}y".to_owned(), ..hello() }.encode(&mut bytes);
    let (_, farewell) = end_of(&server, &mut server.stranger(), &bytes);
    let text = refusal(&farewell).text;
    assert!(text.contains("x\\n\\u{1b}[2J\\u{202e}y"), "{text}");
}

#[test]
fn a_version_nobody_speaks_is_refused_with_both_ranges() {
    let server = Server::new();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { versions: Versions { least: 7, most: 9 }, ..hello() }.encode(&mut bytes);
    let (close, farewell) = end_of(&server, &mut server.stranger(), &bytes);
    assert!(matches!(close, Close::Protocol(Error::Version { .. })));
    let text = refusal(&farewell).text;
    assert!(text.contains("versions 7 to 9") && text.contains("versions 2 to 4:"), "{text}");
}

#[test]
fn a_client_of_version_1_is_refused_in_words() {
    let server = Server::new();
    // Versions, refusals, limits with a heartbeat of two bytes, instance, application, user, process, queue
    // manager.
    let mut hello = vec![1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0x40, 6, 0xE7, 3, 60, 0];
    hello.extend_from_slice(&[7; 16]);
    hello.extend_from_slice(b"\x07payroll\x03ada\x67\x12\0\0\x03QM1");
    let (close, farewell) = end_of(&server, &mut server.stranger(), &opening(&hello));
    assert!(matches!(close, Close::Protocol(Error::Version { .. })), "{close}");
    let Refused { reason, text } = refusal(&farewell);
    assert_eq!(reason, Reason::CONNECTION_ERROR);
    assert!(text.contains("speaks version 1 of the channel protocol"), "{text}");
    assert!(text.contains("use a client and a queue manager of releases"), "{text}");
}

#[test]
fn a_hello_that_is_cut_at_any_byte_is_refused_in_words_or_given_up_in_the_time_of_the_login() {
    let server = Server::new();
    let mut whole = channel::preamble::MAGIC.to_vec();
    whole_hello().encode(&mut whole);
    let payload = &whole[channel::preamble::MAGIC.len() + HEADER_BYTES..];
    for end in 0..payload.len() {
        let mut client = server.stranger();
        let close =
            client.receive(&opening(&payload[..end])).expect_err("a hello that ends early is refused");
        assert_eq!(last_words(&mut client, &close).text, close.to_string(), "{end} bytes");
        assert!(close.to_string().contains("ends where its field"), "{end} bytes: {close}");
    }
    for end in 1..whole.len() {
        let mut client = server.stranger();
        client.receive(&whole[..end]).unwrap();
        assert_is_given_up_in_time(&mut client);
        assert!(drained(&mut client.output).is_empty(), "{end} bytes");
    }
}

#[test]
fn a_channel_name_of_twenty_one_bytes_is_refused_by_both_lengths() {
    let server = Server::new();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { channel: "C".repeat(21), ..hello() }.encode(&mut bytes);
    let (_, farewell) = end_of(&server, &mut server.stranger(), &bytes);
    let text = refusal(&farewell).text;
    assert!(text.contains("channel name has a length of 21") && text.contains("at most 20"), "{text}");
}

#[test]
fn credentials_that_were_announced_and_do_not_come_are_given_up_in_the_time_of_the_login() {
    let server = Server::new();
    let mut announced = channel::preamble::MAGIC.to_vec();
    whole_hello().encode(&mut announced);
    let mut identify = Vec::new();
    credentials().encode(&mut identify);
    for end in 0..identify.len() {
        let mut client = server.stranger();
        client.receive(&[&announced[..], &identify[..end]].concat()).unwrap();
        assert!(client.released().is_empty(), "nothing is answered before the login is whole");
        assert_is_given_up_in_time(&mut client);
    }
    let mut client = server.stranger();
    client.receive(&[&announced[..], &identify[..]].concat()).unwrap();
    assert_eq!(client.raw_frames()[0].0.kind, Kind::Welcome);
}

#[test]
fn other_frames_than_the_credentials_that_were_announced_are_refused_in_words() {
    let server = Server::new();
    let identify_of = |payload: &[u8]| {
        let mut bytes = (payload.len() as u32 + 8).to_le_bytes().to_vec();
        bytes.extend_from_slice(&[0x05, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend_from_slice(payload);
        bytes
    };
    let (mut identify, mut begin, mut second_hello) = (Vec::new(), Vec::new(), Vec::new());
    credentials().encode(&mut identify);
    whole_hello().encode(&mut second_hello);
    let instance = [0; 16];
    Request::Begin { instance, generation: 1, options: 0 }.encode(
        &mut begin,
        Conversation(1),
        RequestNumber(1),
        Flags::NONE,
    );
    for (is_announced, frame, words) in [
        (true, begin, "the hello announced credentials"),
        (true, second_hello, "the hello announced credentials"),
        (false, identify.clone(), "it is not a request of a client"),
        (true, [identify.clone(), identify].concat(), "it is not a request of a client"),
        (true, identify_of(b""), "\"means of the credentials\""),
        (true, identify_of(b"\x04\0\0\0\0"), "\"means of the credentials\""),
        (true, identify_of(b"\x03\x03\0ada\x01\0p"), "\"new password\""),
        (true, identify_of(b"\x03\0\0\x01\0p\x01\0n"), "\"user of the credentials\""),
        (true, identify_of(b"\x01\x03\0ad"), "\"user of the credentials\""),
        (true, identify_of(b"\x01\x03\0ada\xFF"), "\"password\""),
        (true, identify_of(b"\x01\x03\0ada\x04\0abc"), "\"password\""),
        (true, identify_of(b"\x01\x01\0\xFF\x01\0p"), "\"user of the credentials\""),
        // Each of them claims far more than came, and is refused by its two bytes.
        (true, identify_of(b"\x01\xFF\xFF"), "user of the credentials has a length of 65535"),
        (true, identify_of(b"\x01\0\0\xFF\xFF"), "password has a length of 65535"),
        (true, identify_of(b"\x02\0\0\x01\x20"), "token has a length of 8193"),
        (true, identify_of(b"\x02\x01\0a\0\0"), "user of the credentials has a length of 1"),
        (true, 10_241_u32.to_le_bytes().to_vec(), "a frame claims 10241 bytes; at least 8 and at most 10240"),
        (
            true,
            identify_of(&[&b"\x01\x41\0"[..], &[b'u'; 65], b"\0\0"].concat()),
            "the user name has 65 bytes",
        ),
    ] {
        let mut client = server.stranger_as(None);
        let mut bytes = channel::preamble::MAGIC.to_vec();
        Hello { identifies: is_announced, ..hello() }.encode(&mut bytes);
        bytes.extend_from_slice(&frame);
        let close = client.receive(&bytes).expect_err("the login is refused");
        let Refused { text, .. } = last_words(&mut client, &close);
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn nothing_is_told_about_the_product_before_the_login() {
    let server = Server::new();
    let mut refusals = Vec::new();
    for hello in [
        Hello { versions: Versions { least: 1, most: 1 }, ..hello() },
        Hello { queue_manager: "QM2".into(), ..hello() },
        Hello { channel: "C".repeat(21), ..hello() },
        Hello { user: "u".repeat(65), ..hello() },
        Hello { limits: channel::Limits { conversations_max: 0, ..channel::Limits::default() }, ..hello() },
    ] {
        let mut bytes = channel::preamble::MAGIC.to_vec();
        hello.encode(&mut bytes);
        refusals.push(end_of(&server, &mut server.stranger_as(None), &bytes).1);
    }
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"\x16\x03\x01\x02\0\x01\0\x01\xfc", b"AMQP\0\x01\0\0"] {
        refusals.push(end_of(&server, &mut server.stranger(), bytes).1);
    }
    for refusal in &refusals {
        let text = String::from_utf8_lossy(refusal);
        assert!(!text.contains("Ferry") && !text.contains(env!("CARGO_PKG_VERSION")), "{text}");
    }
    let mut client = server.stranger();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    hello().encode(&mut bytes);
    client.receive(&bytes).unwrap();
    let (_, payload) = client.raw_frames().remove(0);
    assert_eq!(Welcome::decode(&payload).unwrap().product, concat!("FerryMQ ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn another_queue_manager_is_refused_by_both_names() {
    let server = Server::new();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { queue_manager: "QM2".into(), ..hello() }.encode(&mut bytes);
    let (close, farewell) = end_of(&server, &mut server.stranger(), &bytes);
    assert!(matches!(&close, Close::Denied(denial) if denial.reason == Reason::Q_MGR_NAME_ERROR), "{close}");
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
        ("credentials behind the login", raw(0x05, b"\x01\0\0\0\0")),
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
