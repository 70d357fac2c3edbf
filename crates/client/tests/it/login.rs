//! Words of a client at its login, and of the queue manager.

use crate::place::{BOTH, Place, open, pass_a_look, put, reconnecting_to, within_time};
use channel::login::VERSIONS;
use channel::preamble::MAGIC;
use channel::{
    Conversation, Flags, Frame, Header, Kind, Limits, Offers, Refusals, Reply, RequestNumber, Welcome,
};
use client::{Address, Alternative, CommandResponse, ConnectError, Connection, Credentials, Options, Secret};
use mqi::branch::{BranchId, BranchRefusal, BranchStart, Branches as _};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Opened, PutFlags, Reason, Verbs as _, Wait,
};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream, UdpSocket};
use std::sync::mpsc::{self, Receiver};

fn credentials(user: &str) -> Credentials {
    Credentials::password(user, Secret::new(b"pass".to_vec())).unwrap()
}

/// The users of connections of a program, as they are displayed.
fn users(place: &Place) -> String {
    let shown = place.connect().command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'login') USERID").unwrap();
    shown.text
}

#[test]
fn the_user_of_credentials_is_the_user_of_the_connection() {
    let place = Place::new();
    let options = place.options().application("login");
    let _by_password = Connection::connect(options.clone().credentials(credentials("ada"))).unwrap();
    let shown = users(&place);
    assert!(shown.contains("USERID(ada)"), "{shown}");
    let token = Credentials::token(Secret::new(vec![b't'; 8192])).unwrap();
    let options = Options { user: "grace".into(), ..options };
    let _by_token = Connection::connect(options.credentials(token)).unwrap();
    let shown = users(&place);
    assert!(shown.contains("USERID(grace)"), "{shown}");
}

#[test]
fn connections_of_different_credentials_do_not_share_a_socket() {
    let place = Place::new();
    let one = Connection::connect(place.options().credentials(credentials("ada"))).unwrap();
    let same = Connection::connect(place.options().credentials(credentials("ada"))).unwrap();
    let other = Connection::connect(place.options().credentials(credentials("grace"))).unwrap();
    assert!(std::sync::Arc::ptr_eq(one.channel(), same.channel()));
    assert!(!std::sync::Arc::ptr_eq(one.channel(), other.channel()));
}

#[test]
fn credentials_are_not_sent_from_the_machine() {
    // The address of this machine in a network, where it is in one. Nothing is sent by this.
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let Ok(host) = socket.connect("192.0.2.1:9").and_then(|()| socket.local_addr()) else { return };
    let Ok(listener) = TcpListener::bind((host.ip(), 0)) else { return };
    let address = Address::Tcp { host: host.ip().to_string(), port: listener.local_addr().unwrap().port() };
    let error = Connection::connect(Options::to(address).credentials(credentials("ada"))).unwrap_err();
    assert!(matches!(error, ConnectError::Unprotected { .. }), "{error}");
    assert_eq!(error.reason(), Reason::PASSWORD_PROTECTION_ERROR);
    let mut heard = Vec::new();
    listener.accept().unwrap().0.read_to_end(&mut heard).unwrap();
    assert!(heard.is_empty(), "{heard:?}");
}

/// Lets one program in, tells it where else the queue manager answers, and is gone.
fn brief_server(elsewhere: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        drop(listener);
        let addresses = vec!["no address".into(), "unix:/no/such/socket".into(), elsewhere];
        let_in(&mut stream, VERSIONS.most, addresses);
        read_until(&mut stream, Kind::Open);
    });
    port
}

/// Lets a program in, in a version of the protocol, and begins its conversation.
fn let_in(stream: &mut TcpStream, version: u16, addresses: Vec<String>) {
    let_in_offering(stream, version, addresses, Offers::BRANCHES);
}

fn let_in_offering(stream: &mut TcpStream, version: u16, addresses: Vec<String>, offers: Offers) {
    let (mut let_in, mut begun) = (Vec::new(), Vec::new());
    let welcome = Welcome {
        version,
        refused: Refusals::default(),
        limits: Limits::default(),
        body_compression: None,
        head_compression: None,
        queue_manager: "QM1".into(),
        product: String::new(),
        addresses,
        offers,
    };
    welcome.encode(&mut let_in);
    let header = Header::new(Kind::Begun, Conversation(1), RequestNumber(1));
    Reply::Begun { last_commit: None }.encode(&mut begun, header);
    read_until(stream, Kind::Hello);
    stream.write_all(&let_in).unwrap();
    read_until(stream, Kind::Begin);
    stream.write_all(&begun).unwrap();
}

/// An unknown kind would end the connection.
#[test]
fn a_queue_manager_of_an_earlier_release_is_not_asked_for_branches_or_copies_that_it_does_not_offer() {
    let branch = BranchId::new(1, b"transaction", b"1").unwrap();
    for offers in [Offers::NONE, Offers::BRANCHES] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, is_asked) = mpsc::channel();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let_in_offering(&mut stream, VERSIONS.most, Vec::new(), offers);
            if offers.contains(Offers::BRANCHES) {
                read_until(&mut stream, Kind::Branch);
                let mut answer = Vec::new();
                let header = Header::new(Kind::BranchAnswered, Conversation(1), RequestNumber(2));
                Reply::Branch { code: 0 }.encode(&mut answer, header);
                stream.write_all(&answer).unwrap();
            }
            is_asked.recv().unwrap();
            stream.set_read_timeout(Some(std::time::Duration::from_millis(200))).unwrap();
            let mut heard = Vec::new();
            let _nothing_more = stream.read_to_end(&mut heard);
            heard
        });
        within_time(move || {
            let address = Address::Tcp { host: "127.0.0.1".into(), port };
            let mut connection = Connection::connect(Options::to(address)).unwrap();
            let started = connection.start_branch(&branch, BranchStart::New);
            let expected = if offers == Offers::NONE { Err(BranchRefusal::Failed) } else { Ok(()) };
            assert_eq!(started, expected);
            assert_eq!(connection.prepared_messages(&branch), Err(BranchRefusal::Failed));
            asked.send(()).unwrap();
            let heard = server.join().unwrap();
            let mut rest = &heard[..];
            while let Ok(Some(frame)) = Frame::decode(rest, 1 << 20) {
                let kinds = [Kind::Branch, Kind::ListBranches, Kind::PreparedMessage];
                assert!(!kinds.contains(&frame.header.kind), "{offers:?}: {:?}", frame.header);
                rest = &rest[frame.bytes()..];
            }
        });
    }
}

#[test]
fn a_queue_manager_of_an_earlier_version_is_sent_a_text_as_a_whole_and_a_newer_one_portions() {
    let text = "ALTER QLOCAL(A) MAXDEPTH(5)\n".repeat(2_000);
    for (version, portions) in [(2, 1), (3, 3)] {
        let text = text.clone();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let_in(&mut stream, version, Vec::new());
            let mut heard = Vec::new();
            for portion in 0..portions {
                let (flags, payload) = read_until(&mut stream, Kind::Command);
                let answer = CommandResponse { json: format!("{portion}"), ..CommandResponse::default() };
                // The second request of the conversation is the first command.
                let header = Header::new(Kind::CommandDone, Conversation(1), RequestNumber(2 + portion));
                let mut output = channel::Output::default();
                let content = answer.encode().into();
                assert!(channel::client::long_reply(&mut output, header, content, 1 << 16).is_empty());
                let mut bytes = Vec::new();
                output.copy_front(output.len(), &mut bytes);
                stream.write_all(&bytes).unwrap();
                heard.push((flags, payload));
            }
            heard
        });
        within_time(move || {
            let mut connection = Connection::connect(reconnecting_to(port)).unwrap();
            let mut answers = 0;
            connection.command_in_parts(&text, &mut |_| answers += 1).unwrap();
            assert_eq!(answers, portions);
            let heard = server.join().unwrap();
            let is_in_parts = version == 3;
            assert!(heard.iter().all(|(flags, _)| flags.contains(Flags::IN_PARTS) == is_in_parts));
            let before = if is_in_parts { 8 } else { 4 };
            let whole: Vec<u8> = heard.iter().flat_map(|(_, payload)| payload[before..].to_vec()).collect();
            assert_eq!(whole, text.as_bytes());
            if is_in_parts {
                let line = u32::from_le_bytes(heard[1].1[..4].try_into().unwrap());
                let lines = heard[0].1.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(line as usize, 1 + lines);
            }
        });
    }
}

#[test]
fn a_queue_manager_of_an_earlier_version_is_not_asked_for_the_extension_of_the_descriptor() {
    for version in [3, 4] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let_in(&mut stream, version, Vec::new());
            read_until(&mut stream, Kind::Open);
            let mut opened = Vec::new();
            let header = Header::new(Kind::Opened, Conversation(1), RequestNumber(2));
            let queue = Opened {
                handle: ObjectHandle(1),
                object_name: "A".parse().unwrap(),
                resolved_queue_name: "A".parse().unwrap(),
                resolved_queue_manager_name: "QM1".parse().unwrap(),
                topic_string: None,
                puts_asynchronously: false,
                reads_ahead: false,
            };
            Reply::Opened(queue).encode(&mut opened, header);
            stream.write_all(&opened).unwrap();
            let (_, payload) = read_until(&mut stream, Kind::Get);
            GetFlags::from_bits(i32::from_le_bytes(payload[4..8].try_into().unwrap()))
        });
        within_time(move || {
            let mut connection =
                Connection::connect(Options::to(format!("127.0.0.1:{port}").parse().unwrap())).unwrap();
            let handle = open(&mut connection, "A", BOTH);
            let mut options =
                GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::DESCRIPTOR_EXTENSION, Wait::No);
            let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, 10);
            assert_eq!(got.map(drop), Err(Reason::CONNECTION_BROKEN));
            let asked = server.join().unwrap();
            assert_eq!(asked.contains(GetFlags::DESCRIPTOR_EXTENSION), version == 4, "version {version}");
        });
    }
}

/// Reads until a frame of this kind has come; its flags and its payload.
fn read_until(stream: &mut TcpStream, kind: Kind) -> (Flags, Vec<u8>) {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "the client does not hang up before it has said {kind:?}");
        bytes.extend_from_slice(&piece[..length]);
        let start = if bytes.starts_with(&MAGIC) { MAGIC.len() } else { 0 };
        let mut rest = &bytes[start..];
        while let Some(frame) = Frame::decode(rest, 1 << 20).unwrap() {
            if frame.header.kind == kind {
                return (frame.header.flags, frame.payload.to_vec());
            }
            rest = &rest[frame.bytes()..];
        }
    }
}

#[test]
fn a_client_that_reconnects_tries_the_places_that_the_queue_manager_told_it() {
    let place = Place::new();
    let port = brief_server(format!("127.0.0.1:{}", place.port()));
    within_time(move || {
        let mut connection = Connection::connect(reconnecting_to(port)).unwrap();
        let queue = open(&mut connection, "A", BOTH);
        put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "x").unwrap();
    });
    assert_eq!(place.drain("A"), ["x"]);
}

#[test]
fn an_unknown_channel_is_2540_and_the_words_say_which() {
    let place = Place::new();
    let error = Connection::connect(place.options().channel("NO.SUCH.CHANNEL")).unwrap_err();
    assert_eq!(error.reason(), Reason::UNKNOWN_CHANNEL_NAME);
    assert!(error.to_string().contains("NO.SUCH.CHANNEL"), "{error}");
    let _by_one = Connection::connect(place.options().application("login").channel("ONE")).unwrap();
    let shown = place.connect().command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'login') CHANNEL").unwrap().text;
    assert!(shown.contains("CHANNEL(ONE)"), "{shown}");
    let local = Connection::connect(Options::to(place.socket()).channel("NO.SUCH.CHANNEL")).unwrap_err();
    assert_eq!(local.reason(), Reason::UNKNOWN_CHANNEL_NAME);
}

/// Passes on one connection, whose two ends come when it is there.
fn relay(to: u16) -> (u16, Receiver<[TcpStream; 2]>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, ends) = mpsc::channel();
    std::thread::spawn(move || {
        let (client, _) = listener.accept().unwrap();
        let server = TcpStream::connect(("127.0.0.1", to)).unwrap();
        sender.send([&client, &server].map(|end| end.try_clone().unwrap())).unwrap();
        let (mut answers, mut heard) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut answers, &mut heard));
        let (mut client, mut server) = (client, server);
        let _ = std::io::copy(&mut client, &mut server);
    });
    (port, ends)
}

#[test]
fn a_program_that_returns_by_another_channel_does_so_under_an_instance_of_its_own() {
    let place = Place::new();
    let (port, ends) = relay(place.port());
    let to = |port| vec![Address::Tcp { host: "127.0.0.1".into(), port }];
    let entry = |name: &str, port| Alternative {
        name: name.into(),
        weight: 0,
        is_preferred: true,
        addresses: to(port),
        limits: Limits::default(),
        compression: client::CompressionOffer::default(),
        tls: None,
    };
    let options = Options {
        channel: "ONE".into(),
        alternatives: vec![entry("ONE", port), entry("TWO", place.port())],
        ..reconnecting_to(port)
    };
    let mut connection = Connection::connect(options.application("login")).unwrap();
    let queue = open(&mut connection, "A", BOTH);
    // The queue manager is not told that the link is gone, so the old conversation is there.
    let [client, _server] = ends.recv().unwrap();
    client.shutdown(Shutdown::Both).unwrap();
    pass_a_look();
    let _connection = within_time(move || {
        put(&mut connection, queue, PutFlags::NO_SYNCPOINT, "x").unwrap();
        connection
    });
    let shown = place.connect().command("DISPLAY CONN(*) WHERE(APPLTAG EQ 'login') CHANNEL").unwrap().text;
    assert!(shown.contains("CHANNEL(ONE)") && shown.contains("CHANNEL(TWO)"), "{shown}");
    assert_eq!(place.drain("A"), ["x"]);
}
