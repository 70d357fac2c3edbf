//! Names of users that no rule could hold, by each protocol: refused at first sight, and shown harmless.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use channel::{Hello, preamble};
use client::{ConnectError, Connection, Credentials, Options, Secret};
use mqi::Reason;
use security::letters::is_harmful;
use server::Server;

use crate::amqp_logins::{is_attached, said};
use crate::running::{Place, command, eventually};

/// Names that no record and no rule can mean, and one that each can.
fn names() -> Vec<(String, bool)> {
    let bad = "\nallowed by  SET AUTHREC OBJTYPE(QMGR)PRINCIPAL(X)AUTHADD(ALL);";
    vec![
        ("a".to_owned(), true),
        ("abcdefghijkl".to_owned(), true),
        ("x".repeat(64), true),
        ("x')GROUP('y".to_owned(), true),
        ("[a](b){\"c\"}".to_owned(), true),
        ("x".repeat(65), false),
        (bad.to_owned(), false),
        ("\u{1b}]0;title\u{7}".to_owned(), false),
        ("a\u{9b}2J".to_owned(), false),
        ("\u{202e}nimda".to_owned(), false),
        ("ad\u{61c}\u{200f}a".to_owned(), false),
        ("ada\r".to_owned(), false),
        (format!("{}\u{0}", "y".repeat(11)), false),
    ]
}

fn started(settings: &str) -> (Place, Server) {
    let place = Place::with_settings(&format!("[errors]\nflood_max = 1000\n{settings}"));
    let server = place.start();
    (place, server)
}

fn by_network(server: &Server) -> Options {
    let port = server.address().unwrap().port();
    Options::to(format!("127.0.0.1({port})").parse().unwrap()).application("program").alone()
}

fn refusal(connected: Result<Connection, ConnectError>) -> Option<(Reason, String)> {
    match connected {
        Ok(_) => None,
        Err(ConnectError::Refused { reason, text, .. }) => Some((reason, text)),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_name_that_no_rule_could_hold_is_refused_in_a_hello_and_in_credentials_before_anything_is_judged() {
    let (place, server) = started("");
    for (name, is_possible) in names() {
        let asserted = Options { user: name.clone(), ..by_network(&server) };
        let password = Secret::new(b"secret".to_vec());
        let proved = by_network(&server).credentials(Credentials::password(&name, password).unwrap());
        for (way, options) in [("hello", asserted), ("credentials", proved)] {
            let refused = refusal(Connection::connect(options));
            // A name that may be is let in where nothing is judged, or its password is wrong.
            let told = refused.as_ref().map_or(String::new(), |(_, text)| text.clone());
            let is_of_name = told.contains("user name");
            assert_eq!(is_of_name, !is_possible, "{way} {name:?}: {refused:?}");
            assert!(!told.contains(is_harmful), "{told:?}");
            if !is_possible {
                assert_eq!(refused.unwrap().0, Reason::NOT_AUTHORIZED);
            }
        }
    }
    shows_no_harm(&place);
}

#[test]
fn a_name_that_no_rule_could_hold_is_refused_by_amqp() {
    let (place, server) = started("[listener]\namqp_channel = \"APP.AMQP\"\n");
    let local = format!("unix:{}", place.folder().join("socket").display());
    let mut administrator = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    for text in [
        "DEFINE QLOCAL(Q)",
        "DEFINE CHANNEL(APP.AMQP) CHLTYPE(AMQP)",
        // A name is asserted then, and nothing else.
        "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)",
    ] {
        command(&mut administrator, text);
    }
    let address = server.address().unwrap();
    // The parts of the first word of PLAIN have zeros between them: a name with one is another message.
    for (name, is_possible) in names().into_iter().filter(|(name, _)| !name.contains('\0')) {
        for words in [format!("\0{name}\0secret"), format!("{name}\0{name}\0")] {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
            stream.write_all(&said("PLAIN", words.as_bytes())).unwrap();
            assert_eq!(is_attached(&mut stream), is_possible, "{words:?}");
        }
    }
    shows_no_harm(&place);
}

#[test]
fn bytes_that_are_no_text_and_names_of_thousands_of_bytes_end_the_connection_and_are_shown_harmless() {
    let (place, server) = started("");
    let address = server.address().unwrap();
    for name in [&b"\xff\xfe\x80"[..], &b"\x1b[2J\xff"[..], &[b'x'; 4_000][..], &[0x9b; 4_000][..]] {
        let mut frame = Vec::new();
        Hello { user: "NAME".into(), ..hello() }.encode(&mut frame);
        let at = frame.windows(4).position(|bytes| bytes == b"NAME").unwrap();
        let mut forged = frame[..at - 1].to_vec();
        forged.push(u8::try_from(name.len().min(255)).unwrap());
        forged.extend(name);
        forged.extend(&frame[at + 4..]);
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let _ = stream.write_all(&[&preamble::MAGIC[..], &forged[..]].concat());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!String::from_utf8_lossy(&answer).contains(['\u{1b}', '\u{9b}']), "{answer:?}");
    }
    assert!(refusal(Connection::connect(by_network(&server))).is_none(), "others are served");
    shows_no_harm(&place);
}

fn hello() -> Hello {
    Hello {
        versions: channel::login::VERSIONS,
        identifies: false,
        refuses: channel::Refusals::default(),
        limits: channel::Limits::default(),
        instance: [7; 16],
        process: 1,
        channel: String::new(),
        queue_manager: String::new(),
        application: "forged".into(),
        user: String::new(),
        body_compressions: std::iter::empty().collect(),
        head_compressions: std::iter::empty().collect(),
    }
}

/// Neither the error log nor the record of refusals has a letter that harms.
fn shows_no_harm(place: &Place) {
    let harmless = |text: &str| !text.contains(|letter| letter != '\n' && is_harmful(letter));
    eventually("the error log is written", || !place.error_log().is_empty());
    let log = place.error_log();
    assert!(harmless(&log), "{log}");
    assert!(log.lines().all(|line| !line.starts_with("allowed by")), "{log}");
    let audit = std::fs::read_to_string(place.folder().join("audit/audit.log")).unwrap_or_default();
    assert!(harmless(&audit) && audit.lines().all(|line| line.starts_with('{')), "{audit}");
}
