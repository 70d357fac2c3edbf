//! Logins of AMQP clients.

use std::sync::Arc;

use ::amqp::frame::{Frame, FrameType, Protocol, put_frame};
use ::amqp::sasl::Init;
use ::amqp::types::{Symbol, Symbols};
use ::amqp::{Open, Performative, Value};
use agents::{Admission, Agent, Close, Denial, Login, Logins, PeerInfo};
use channel::Credentials;
use mqi::Reason;
use queue_manager::LoginFault;
use security::cover::{Encryption, Names};
use security::distinguished_name::Name;
use security::{Identity, Principal};

use super::Peer;
use crate::desk::Desk;
use crate::loopback::{Server, drained};
use crate::patience::at;

/// The frame by which a client chooses a mechanism.
fn init(mechanism: &str, word: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_frame(&mut bytes, FrameType::Sasl, 0, |out| {
        Init { mechanism: Symbol(mechanism), initial_response: Some(word), hostname: None }.write(out);
    });
    bytes
}

/// The frame with an outcome.
fn outcome(code: u8) -> Vec<u8> {
    vec![0, 0, 0, 16, 2, 1, 0, 0, 0x00, 0x53, 0x44, 0xC0, 3, 1, 0x50, code]
}

/// The last word at the end of a connection.
fn last_word(peer: &mut Peer, close: &Close) -> Vec<u8> {
    peer.agent.farewell(close, &mut peer.output);
    drained(&mut peer.output)
}

/// A client that has sent the header of a login, and was offered mechanisms.
fn stranger(server: &Server) -> Peer {
    let mut peer = Peer::stranger(server);
    peer.send(&Protocol::Sasl.header());
    let offered = peer.raw();
    assert!(offered.starts_with(&Protocol::Sasl.header()));
    assert!(offered.ends_with(b"\0\0\0\x05PLAIN\0\0\0\x09ANONYMOUS"), "{offered:?}");
    peer
}

/// Says what is said in an open connection.
fn open(peer: &mut Peer) -> Vec<String> {
    peer.send(&Protocol::Amqp.header());
    peer.say(Open { container_id: "peer", ..Open::default() });
    peer.names()
}

#[test]
fn a_client_of_this_machine_may_be_nobody() {
    let server = Server::new();
    let mut peer = stranger(&server);
    peer.send(&init("ANONYMOUS", b""));
    assert_eq!(peer.raw(), outcome(0));
    assert_eq!(open(&mut peer), ["Open"]);
    // One that leaves the login out is nobody, too.
    assert_eq!(open(&mut Peer::stranger(&server)), ["Open"]);
}

#[test]
fn a_client_from_elsewhere_says_who_it_is() {
    let server = Server::new();
    let elsewhere = || {
        let address = Some("192.0.2.7".parse().unwrap());
        Peer::from(&server, PeerInfo { origin: "tcp 192.0.2.7:9".into(), address, ..PeerInfo::default() })
    };
    let mut peer = elsewhere();
    peer.send(&Protocol::Sasl.header());
    assert!(!peer.raw().windows(9).any(|bytes| bytes == b"ANONYMOUS"), "it is not offered");
    let close = peer.receive(&init("ANONYMOUS", b"")).unwrap_err();
    assert_eq!(last_word(&mut peer, &close), outcome(1));
    assert!(elsewhere().receive(&Protocol::Amqp.header()).is_err());
    let mut peer = elsewhere();
    peer.send(&Protocol::Sasl.header());
    peer.raw();
    peer.send(&init("PLAIN", b"\0ada\0secret"));
    assert_eq!(peer.raw(), outcome(0));
}

#[test]
fn a_client_with_a_certificate_may_have_that_say_who_it_is() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let certificate = Some(Names { subject: Name::default(), issuer: Name::default() });
    let peer = |certificate| {
        let encryption = Encryption::Covered {
            suite: 0x1302,
            certificate,
            shown: Arc::default(),
            channel: Box::default(),
        };
        let address = Some("192.0.2.7".parse().unwrap());
        PeerInfo { origin: "tcp 192.0.2.7:9".into(), address, encryption, ..PeerInfo::default() }
    };
    let logins = Some(Arc::clone(&desk) as Arc<dyn Logins>);
    let mut with = Peer::judged(&server, peer(certificate), logins.clone());
    with.send(&Protocol::Sasl.header());
    assert!(with.raw().windows(8).any(|bytes| bytes == b"EXTERNAL"), "it is offered");
    with.send(&init("EXTERNAL", b""));
    match &desk.0.lock().unwrap()[0].0 {
        Login { credentials: None, encryption, .. } => assert!(encryption.certificate().is_some()),
        other => panic!("{other:?}"),
    }
    desk.say(Ok(Admission { principal: Principal::new("app", Identity::Proved).unwrap(), standing: None }));
    assert_eq!(with.raw(), outcome(0));
    let mut without = Peer::judged(&server, peer(None), logins);
    without.send(&Protocol::Sasl.header());
    assert!(!without.raw().windows(8).any(|bytes| bytes == b"EXTERNAL"));
    assert!(without.receive(&init("EXTERNAL", b"")).is_err(), "nothing says who it is");
}

#[test]
fn a_mechanism_that_was_not_offered_or_a_wrong_word_is_refused_with_the_outcome_auth() {
    // Input 3.
    let server = Server::new();
    for (mechanism, word) in [
        ("GSSAPI", &b""[..]),
        ("plain", b"\0ada\0secret"),
        ("PLAIN", b"ada"),
        ("PLAIN", b"\0\0secret"),
        ("PLAIN", b"eve\0ada\0secret"),
        ("PLAIN", b"\0\xFF\0secret"),
    ] {
        let mut peer = stranger(&server);
        let close = peer.receive(&init(mechanism, word)).unwrap_err();
        assert_eq!(last_word(&mut peer, &close), outcome(1), "{mechanism} {word:?}");
    }
}

#[test]
fn a_password_is_judged_by_the_host_and_nothing_is_read_meanwhile() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let mut peer = Peer::judged(&server, Peer::of_here(), Some(Arc::clone(&desk) as Arc<dyn Logins>));
    peer.send(&Protocol::Sasl.header());
    peer.raw();
    let mut behind = init("PLAIN", b"ada\0ada\0secret");
    behind.extend(Protocol::Amqp.header());
    peer.send(&behind);
    assert!(peer.raw().is_empty() && !peer.agent.wants_input());
    assert!(!peer.input.windows(6).any(|bytes| bytes == b"secret"), "the password was overwritten");
    match &desk.0.lock().unwrap()[0].0 {
        Login { credentials: Some(Credentials::Password { user, password }), channel, .. } => {
            assert_eq!((user.as_str(), password.bytes()), ("ada", &b"secret"[..]));
            assert_eq!(channel, "SYSTEM.DEF.AMQP");
        }
        other => panic!("{other:?}"),
    }
    desk.say(Ok(Admission { principal: Principal::new("ada", Identity::Proved).unwrap(), standing: None }));
    let answered = [outcome(0), Protocol::Amqp.header().to_vec()].concat();
    assert_eq!(peer.raw(), answered);
    peer.say(Open { container_id: "peer", ..Open::default() });
    assert_eq!(peer.names(), ["Open"]);
}

#[test]
fn a_password_that_proves_nobody_ends_the_login_with_the_outcome_auth() {
    let (server, desk) = (Server::new(), Arc::<Desk>::default());
    let mut peer = Peer::judged(&server, Peer::of_here(), Some(Arc::clone(&desk) as Arc<dyn Logins>));
    peer.send(&Protocol::Sasl.header());
    peer.send(&init("PLAIN", b"\0ada\0wrong"));
    peer.raw();
    let (reason, told) = (Reason::NOT_AUTHORIZED, "no".to_owned());
    desk.say(Err(Box::new(Denial {
        reason,
        told,
        channel: "IN".into(),
        user: "ada".into(),
        cause: "wrong".into(),
        kind: LoginFault::default(),
        certificate: String::new(),
    })));
    assert_eq!(peer.wakes(), 1);
    assert!(peer.agent.release(peer.queue_manager.durable(), &mut peer.output) || peer.output.is_empty());
    let close = peer.agent.stopped().expect("it is at its end");
    assert!(matches!(close, Close::Denied(_)));
    assert_eq!(last_word(&mut peer, &close), outcome(1));
}

#[test]
fn a_login_or_a_frame_that_is_not_finished_ends_the_connection() {
    // Inputs 5 and 6.
    let server = Server::new();
    let mut peer = stranger(&server);
    peer.agent.tick(at(0)).unwrap();
    peer.agent.tick(at(9)).unwrap();
    assert!(matches!(peer.agent.tick(at(10)), Err(Close::Unfinished { what: "its login", .. })));
    let mut peer = Peer::open(&server);
    peer.send(&[0, 0, 0, 20, 2]);
    peer.agent.tick(at(0)).unwrap();
    assert!(matches!(peer.agent.tick(at(10)), Err(Close::Unfinished { what: "a frame", .. })));
}

#[test]
fn a_client_that_is_silent_is_ended_and_one_that_waits_hears_from_us() {
    let server = Server::new();
    let mut peer = Peer::stranger(&server);
    peer.send(&Protocol::Amqp.header());
    peer.say(Open { container_id: "peer", idle_time_out: Some(8000), ..Open::default() });
    peer.frames();
    let mut heard = 0;
    for second in 0..60 {
        peer.agent.tick(at(second)).unwrap();
        let empty = peer.raw();
        assert!(empty.is_empty() || empty == [0, 0, 0, 8, 2, 0, 0, 0], "{second}: {empty:?}");
        if !empty.is_empty() {
            heard = second;
        }
        assert!(second - heard < 5, "silence from {heard} to {second} s, of which the client takes 8");
    }
    assert!(matches!(peer.agent.tick(at(60)), Err(Close::Silent { .. })));
    // An empty frame of its own is a sign of life.
    let mut peer = Peer::open(&server);
    peer.agent.tick(at(0)).unwrap();
    peer.send(&[0, 0, 0, 8, 2, 0, 0, 0]);
    peer.agent.tick(at(59)).unwrap();
    peer.agent.tick(at(118)).unwrap();
}

#[test]
fn a_fault_is_answered_in_the_words_of_the_protocol() {
    let server = Server::new();
    let mut peer = Peer::stranger(&server);
    let close = peer.receive(b"AMQP\x00\x00\x09\x01").unwrap_err();
    assert_eq!(last_word(&mut peer, &close), Protocol::Sasl.header(), "the header that would be right");
    let mut peer = Peer::open(&server);
    let close = peer.receive(&[0, 0, 0, 7]).unwrap_err();
    let word = last_word(&mut peer, &close);
    let Ok((Performative::Close(said), _)) = Performative::decode(&word[8..]) else { panic!("{word:?}") };
    assert_eq!(::amqp::outcome::error_text(said.error.unwrap()).0, "amqp:connection:framing-error");
    // A client that closes is answered, without an error.
    let mut peer = Peer::open(&server);
    let mut bytes = Vec::new();
    Performative::Close(::amqp::Close::default()).put(&mut bytes, 0);
    let close = peer.receive(&bytes).unwrap_err();
    assert!(matches!(close, Close::Disconnected));
    assert_eq!(last_word(&mut peer, &close), bytes);
}

#[test]
fn a_client_that_is_to_be_alone_refuses_another_under_its_identifier() {
    let server = Server::new();
    let alone = Some(Symbols::Ours(&["sole-connection-for-container"]));
    let say = |peer: &mut Peer, container_id: &str, desired_capabilities| {
        let mut bytes = Protocol::Amqp.header().to_vec();
        let open = Open { container_id, desired_capabilities, ..Open::default() };
        Performative::Open(open).put(&mut bytes, 0);
        peer.receive(&bytes)
    };
    let mut first = Peer::stranger(&server);
    say(&mut first, "one", alone).unwrap();
    assert_eq!(first.names(), ["Open"]);
    for desired in [alone, None] {
        let mut second = Peer::stranger(&server);
        let close = say(&mut second, "one", desired).unwrap_err();
        let word = last_word(&mut second, &close);
        assert!(word.starts_with(&Protocol::Amqp.header()), "the header that came is answered first");
        let open = Frame::decode(&word[8..], 1 << 20).unwrap().unwrap();
        let Ok((Performative::Open(said), _)) = Performative::decode(open.body) else { panic!("{word:?}") };
        let mut properties = said.properties.unwrap().0;
        let key = Value::Symbol("amqp:connection-establishment-failed");
        assert_eq!(properties.next(), Some((key, Value::Boolean(true))));
        let close = Frame::decode(&word[8 + open.bytes..], 1 << 20).unwrap().unwrap();
        let text = String::from_utf8_lossy(close.body);
        for expected in ["amqp:invalid-field", "invalid-field", "container-id", "one"] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }
    // Another identifier is another client, and once the first has ended its identifier is free.
    say(&mut Peer::stranger(&server), "two", alone).unwrap();
    drop(first);
    let mut next = Peer::stranger(&server);
    say(&mut next, "one", None).unwrap();
    let close = say(&mut Peer::stranger(&server), "one", alone).unwrap_err();
    assert!(close.to_string().contains("connected already"), "one that was there is not ended: {close}");
}
