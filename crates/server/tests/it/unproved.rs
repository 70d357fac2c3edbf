//! Logins that prove nothing: they are told one answer, by every protocol, and the log has the cause.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use amqp::frame::Protocol;
use amqp::performative::{Open, Performative};
use channel::message::Role;
use channel::message::frame::FRAME_BYTES_MAX;
use channel::{Frame, Kind, Refused};
use client::{ConnectError, Connection, Credentials, Options, Secret, Tls};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::Reason;
use server::Server;

use crate::covered::{ANY, Covered};
use crate::hostile_partners::introduction;
use crate::running::{Place, eventually};

const PASSWORD: &str = "tall giraffe";

const CHANNELS: [&str; 6] = [
    "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(REQUIRED)",
    "DEFINE CHANNEL(PLAIN) CHLTYPE(SVRCONN)",
    "DEFINE CHANNEL(FROM.X) CHLTYPE(RCVR)",
    "DEFINE CHANNEL(TLS.X) CHLTYPE(RCVR) SSLCIPH(ANY_TLS12_OR_HIGHER)",
    "DEFINE CHANNEL(APP.AMQP) CHLTYPE(AMQP) SSLCIPH(ANY_TLS12_OR_HIGHER) SSLCAUTH(OPTIONAL)",
    "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) FAILDLAY(0)",
];

/// A queue manager with user `ada`, channels that ask for TLS and others that do not, and a rule that lets in
/// all by unknown channels alone.
fn closed() -> (Covered, Server, Connection) {
    let covered =
        Covered::with_settings("allowed", "amqp_channel = \"APP.AMQP\"\n[errors]\nflood_max = 1000\n");
    let mut users = Users::default();
    let memory = &mut HashMemory::default();
    users.add("ada", PASSWORD.as_bytes(), Vec::new(), &[7; 16], Cost::LEAST, memory).unwrap();
    UsersFile::at(covered.place.folder().join("security/users.toml")).write(&users).unwrap();
    let (server, administrator) = covered.start(&CHANNELS);
    (covered, server, administrator)
}

/// A question of a program: the channel and the queue manager that it names.
const QUESTIONS: [(&str, &str, Reason, &str); 6] = [
    ("NO.SUCH.CHANNEL", "", Reason::UNKNOWN_CHANNEL_NAME, "there is no channel"),
    ("app", "", Reason::UNKNOWN_CHANNEL_NAME, "there is no channel"),
    ("APP", "", Reason::SSL_INITIALIZATION_ERROR, "asks for TLS"),
    ("FROM.X", "", Reason::CHANNEL_CONFIG_ERROR, "CHLTYPE(RCVR)"),
    ("PLAIN", "QM2", Reason::Q_MGR_NAME_ERROR, "this is queue manager QM1"),
    ("PLAIN", "", Reason::NOT_AUTHORIZED, "NOACCESS"),
];

fn refused(connected: Result<Connection, ConnectError>) -> (Reason, String) {
    match connected {
        Ok(_) => panic!("the program is let in"),
        Err(ConnectError::Refused { reason, text, .. }) => (reason, text),
        Err(error) => panic!("{error}"),
    }
}

fn asking(address: &str, channel: &str, queue_manager: &str) -> Options {
    let options = Options::to(address.parse().unwrap()).channel(channel).queue_manager(queue_manager);
    Options { user: "stranger".into(), ..options.alone() }
}

fn with_password(options: Options, password: &str) -> Options {
    let secret = Secret::new(password.as_bytes().to_vec());
    options.credentials(Credentials::password("ada", secret).unwrap())
}

fn with_tls(options: Options, key_store: &Path) -> Options {
    options.tls(Tls { key_store: key_store.to_owned(), cipherspec: ANY.to_owned(), ..Tls::default() })
}

fn causes(place: &Place) -> Vec<String> {
    place.error_log().lines().filter(|line| line.contains("FRY5020")).map(str::to_owned).collect()
}

#[test]
fn a_stranger_is_told_one_answer_whatever_it_asks_and_a_proved_login_the_cause() {
    let (covered, server, _administrator) = closed();
    let place = &covered.place;
    let address = server.address().unwrap().to_string();
    let by_name = format!("localhost({})", server.address().unwrap().port());
    let socket = format!("unix:{}", place.folder().join("socket").display());
    let (no_key, key) = (place.folder().join("security/authority/ca.pem"), covered.program("app1"));
    let mut told = Vec::new();
    for (channel, queue_manager, reason, cause) in QUESTIONS {
        // A source is told of ten times a second.
        std::thread::sleep(Duration::from_millis(400));
        let before = causes(place).len();
        told.push(refused(Connection::connect(asking(&address, channel, queue_manager))));
        eventually("the cause is in the log", || causes(place).len() > before);
        let last = causes(place).pop().unwrap();
        assert!(last.contains(cause), "{channel} {queue_manager}: {last}");
        // A wrong password is one, whatever else is wrong.
        let options = with_password(asking(&address, channel, queue_manager), "wrong");
        let (code, text) = refused(Connection::connect(options));
        assert!(code == Reason::NOT_AUTHORIZED && text.contains("is not right"), "{channel}: {text}");
        // A right one is told the cause.
        let options = with_password(asking(&address, channel, queue_manager), PASSWORD);
        let (code, text) = refused(Connection::connect(options));
        assert_eq!(code, reason, "{channel} {queue_manager}: {text}");
        assert!(code == Reason::NOT_AUTHORIZED || text.contains(cause), "{text}");
    }
    // By TLS: without a certificate it is a stranger, with one it has proved something.
    for (channel, reason) in [
        ("NO.SUCH.CHANNEL", Reason::UNKNOWN_CHANNEL_NAME),
        ("PLAIN", Reason::CHANNEL_CONFIG_ERROR),
        ("FROM.X", Reason::CHANNEL_CONFIG_ERROR),
        ("APP", Reason::NOT_AUTHORIZED),
    ] {
        told.push(refused(Connection::connect(with_tls(asking(&by_name, channel, ""), &no_key))));
        let (code, text) = refused(Connection::connect(with_tls(asking(&by_name, channel, ""), &key)));
        assert_eq!(code, reason, "{channel}: {text}");
    }
    let first = told[0].clone();
    assert_eq!(first.0, Reason::NOT_AUTHORIZED);
    for name in ["QM1", "TLS", "APP", "PLAIN", "SSLCIPH"] {
        assert!(!first.1.contains(name), "{}", first.1);
    }
    for (number, answer) in told.iter().enumerate() {
        assert_eq!(*answer, first, "question {number}");
    }
    // The system vouches for a program of the machine.
    let (code, _) = refused(Connection::connect(asking(&socket, "NO.SUCH.CHANNEL", "")));
    assert_eq!(code, Reason::UNKNOWN_CHANNEL_NAME);
    let (code, _) = refused(Connection::connect(asking(&socket, "", "QM2")));
    assert_eq!(code, Reason::Q_MGR_NAME_ERROR);
}

#[test]
fn before_anything_is_judged_all_is_told() {
    let place = Place::new();
    let server = place.start();
    let address = server.address().unwrap().to_string();
    for (channel, queue_manager, reason) in [
        ("NO.SUCH.CHANNEL", "", Reason::UNKNOWN_CHANNEL_NAME),
        ("SYSTEM.DEF.RECEIVER", "", Reason::CHANNEL_CONFIG_ERROR),
        ("", "QM2", Reason::Q_MGR_NAME_ERROR),
    ] {
        let (code, text) = refused(Connection::connect(asking(&address, channel, queue_manager)));
        assert_eq!(code, reason, "{channel} {queue_manager}: {text}");
    }
}

/// The refusal of a partner that names this channel.
fn partner_refused(server: &Server, channel: &str, role: Role) -> (Reason, String) {
    let mut stream = TcpStream::connect(server.address().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut bytes = Vec::new();
    let mut words = introduction(role, 1);
    words.channel = channel.to_owned();
    words.encode(Kind::ChannelHello, &mut bytes);
    stream.write_all(&bytes).unwrap();
    let mut came = Vec::new();
    let _ = stream.read_to_end(&mut came);
    let frame = Frame::decode(&came, FRAME_BYTES_MAX).unwrap().expect("it is answered");
    assert_eq!(frame.header.kind, Kind::Refused);
    let refused = Refused::decode(frame.payload).unwrap();
    (refused.reason, refused.text)
}

#[test]
fn a_partner_that_proves_nothing_is_told_one_answer_and_the_log_has_the_cause() {
    let (covered, server, _administrator) = closed();
    let place = &covered.place;
    let mut told = Vec::new();
    for (channel, role, cause) in [
        ("NO.SUCH.CHANNEL", Role::Sender, "there is no channel"),
        ("", Role::Sender, "there is no channel"),
        ("APP", Role::Sender, "there is no channel"),
        ("TLS.X", Role::Sender, "asks for TLS"),
        ("FROM.X", Role::Receiver, "does not go with the caller"),
        ("FROM.X", Role::Sender, "NOACCESS"),
    ] {
        let before = causes(place).len();
        told.push(partner_refused(&server, channel, role));
        eventually("the cause is in the log", || causes(place).len() > before);
        let last = causes(place).pop().unwrap();
        assert!(last.contains(cause) && last.contains("queue manager X"), "{channel}: {last}");
    }
    assert_eq!(told[0].0, Reason::NOT_AUTHORIZED);
    assert!(told.iter().all(|answer| *answer == told[0]), "{told:#?}");
}

#[test]
fn a_client_of_amqp_that_proves_nothing_learns_neither_the_name_nor_the_encryption() {
    let (covered, server, mut administrator) = closed();
    let place = &covered.place;
    let answer = |words: &[u8]| {
        let mut stream = TcpStream::connect(server.address().unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(words).unwrap();
        let mut came = Vec::new();
        let _ = stream.read_to_end(&mut came);
        came
    };
    let mut bare = Protocol::Amqp.header().to_vec();
    let open: Performative<'_> = Open { container_id: "tried", ..Open::default() }.into();
    open.put(&mut bare, 0);
    let mut told = Vec::new();
    // The channel asks for TLS, then it is not there, then a rule refuses.
    for (command, cause) in [
        ("DISPLAY QMGR", "asks for TLS"),
        ("DELETE CHANNEL(APP.AMQP)", "there is no channel"),
        ("DEFINE CHANNEL(APP.AMQP) CHLTYPE(AMQP)", "NOACCESS"),
    ] {
        crate::running::command(&mut administrator, command);
        let before = causes(place).len();
        told.push(answer(&bare));
        eventually("the cause is in the log", || causes(place).len() > before);
        let last = causes(place).pop().unwrap();
        assert!(last.contains(cause), "{command}: {last}");
    }
    let text = String::from_utf8_lossy(&told[0]);
    assert!(text.contains("unauthorized-access"), "{text}");
    for word in ["QM1", "TLS", "channel APP"] {
        assert!(!text.contains(word), "{text}");
    }
    assert!(told.iter().all(|answer| *answer == told[0]), "{told:?}");
}
