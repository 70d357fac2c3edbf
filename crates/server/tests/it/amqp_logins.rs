//! Channel rules at the login of AMQP clients, with real sockets from addresses of the loopback network and
//! with certificates.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use amqp::frame::{Frame, FrameType, Protocol, put_frame};
use amqp::performative::{Attach, Begin, Open, Performative};
use amqp::sasl::Init;
use amqp::types::{Raw, Symbol};
use client::Connection;

use crate::channel_rules::{PASSWORD, Ruled, relay};
use crate::covered::{ANY, Covered};
use crate::running::{command, eventually};

/// The name of the client, by which its session is shown.
const CONTAINER: &str = "tried";

/// The descriptor of the outcome of a login.
const OUTCOME: u8 = 0x44;

/// Everything that a client says to log in and to attach a link, at once.
pub(crate) fn said(mechanism: &str, word: &[u8]) -> Vec<u8> {
    let mut out = Protocol::Sasl.header().to_vec();
    let init = Init { mechanism: Symbol(mechanism), initial_response: Some(word), ..Init::default() };
    put_frame(&mut out, FrameType::Sasl, 0, |out| init.write(out));
    out.extend_from_slice(&Protocol::Amqp.header());
    let open: Performative<'_> = Open { container_id: CONTAINER, ..Open::default() }.into();
    open.put(&mut out, 0);
    let begin: Performative<'_> =
        Begin { incoming_window: 10, outgoing_window: 10, ..Begin::default() }.into();
    begin.put(&mut out, 0);
    let mut target = Vec::new();
    amqp::Target { address: Some("Q"), ..amqp::Target::default() }.write(&mut target);
    let (target, initial_delivery_count) = (Some(Raw(&target)), Some(0));
    let attach: Performative<'_> =
        Attach { name: "to", target, initial_delivery_count, ..Attach::default() }.into();
    attach.put(&mut out, 0);
    out
}

fn plain() -> Vec<u8> {
    said("PLAIN", format!("\0ada\0{PASSWORD}").as_bytes())
}

fn anonymous() -> Vec<u8> {
    said("ANONYMOUS", b"")
}

/// Says whether the link is attached; false where the login is refused or the connection ends.
pub(crate) fn is_attached(from: &mut impl Read) -> bool {
    let (mut bytes, mut more) = (Vec::new(), [0; 4096]);
    loop {
        match from.read(&mut more) {
            Ok(0) | Err(_) => return false,
            Ok(count) => bytes.extend_from_slice(&more[..count]),
        }
        let mut rest = bytes.as_slice();
        loop {
            while rest.starts_with(b"AMQP") && rest.len() >= 8 {
                rest = &rest[8..];
            }
            let Ok(Some(frame)) = Frame::decode(rest, 1 << 20) else { break };
            rest = &rest[frame.bytes..];
            match frame.frame_type {
                // The code of an outcome is its last byte, and 0 is ok.
                FrameType::Sasl if frame.body[2] == OUTCOME && frame.body.last() != Some(&0) => return false,
                FrameType::Sasl => {}
                FrameType::Amqp => match Performative::decode(frame.body).unwrap().0 {
                    Performative::Attach(attach) => return attach.target.is_some(),
                    Performative::Close(_) => return false,
                    _ => {}
                },
            }
        }
    }
}

/// The user by which the session of the client is shown.
fn user_of(administrator: &mut Connection) -> String {
    let shown = command(administrator, &format!("DISPLAY CONN(*) WHERE(APPLTAG EQ '{CONTAINER}') USERID"));
    let (_, rest) = shown.split_once("USERID(").unwrap_or_else(|| panic!("{shown}"));
    rest.split(')').next().unwrap().trim().to_owned()
}

fn is_gone(administrator: &mut Connection) -> bool {
    !command(administrator, "DISPLAY CONN(*) ALL").contains("APPLTAG(tried)")
}

#[test]
fn records_about_addresses_and_users_decide_about_clients_of_amqp() {
    let mut ruled = Ruled::with_settings(
        "[listener]\namqp_channel = \"APP.AMQP\"\n",
        &[
            "DEFINE QLOCAL(Q)",
            "DEFINE CHANNEL(APP.AMQP) CHLTYPE(AMQP) MCAUSER('service')",
            "SET CHLAUTH(APP.AMQP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL)",
            "SET CHLAUTH(APP.AMQP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.8-9') MCAUSER('office')",
            "SET CHLAUTH(APP.AMQP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.9') USERSRC(NOACCESS)",
            "SET CHLAUTH(APP.AMQP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.10') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
            "SET CHLAUTH(APP.AMQP) TYPE(USERMAP) CLNTUSER('ada') ADDRESS('127.0.0.11') MCAUSER('payroll')",
            "SET CHLAUTH(APP.AMQP) TYPE(USERMAP) CLNTUSER('ada') ADDRESS('127.0.0.12') USERSRC(NOACCESS)",
            "SET CHLAUTH(APP.AMQP) TYPE(BLOCKUSER) USERLIST('payroll2')",
        ],
    );
    for (source, words, expected) in [
        ("127.0.0.1", plain(), Some("ada")),
        ("127.0.0.1", anonymous(), Some("service")),
        ("127.0.0.1", said("PLAIN", b"\0ada\0wrong"), None),
        ("127.0.0.8", plain(), Some("office")),
        ("127.0.0.8", anonymous(), Some("office")),
        ("127.0.0.9", plain(), None),
        ("127.0.0.9", anonymous(), None),
        ("127.0.0.10", plain(), Some("ada")),
        ("127.0.0.10", anonymous(), None),
        ("127.0.0.11", plain(), Some("payroll")),
        ("127.0.0.11", anonymous(), None),
        ("127.0.0.12", plain(), None),
        ("127.0.0.16", plain(), None),
    ] {
        let row = format!("{} from {source}", String::from_utf8_lossy(&words[16..40]));
        let mut stream = std::net::TcpStream::connect(relay(source, ruled.at())).unwrap();
        stream.write_all(&words).unwrap();
        let user = is_attached(&mut stream).then(|| user_of(&mut ruled.administrator));
        assert_eq!(user.as_deref(), expected, "{row}");
        drop(stream);
        eventually("the session is gone", || is_gone(&mut ruled.administrator));
    }
}

#[test]
fn records_about_certificates_decide_about_clients_of_amqp() {
    let covered = Covered::with_settings("required", "amqp_channel = \"APP.AMQP\"\n");
    let (server, mut administrator) = covered.start(&[
        "DEFINE QLOCAL(Q)",
        &format!("DEFINE CHANNEL(APP.AMQP) CHLTYPE(AMQP) SSLCIPH({ANY}) SSLCAUTH(OPTIONAL)"),
        "SET CHLAUTH(APP.AMQP) TYPE(SSLPEERMAP) SSLPEER('O=Bank') SSLCERTI('CN=other') MCAUSER('wrong')",
        "SET CHLAUTH(APP.AMQP) TYPE(SSLPEERMAP) SSLPEER('CN=app*,OU=Payments,O=Bank') MCAUSER('payer')",
        "SET CHLAUTH(APP.AMQP) TYPE(SSLPEERMAP) SSLPEER('CN=app2') USERSRC(NOACCESS)",
    ]);
    let mut user_by = |label: &str| {
        let bundle = covered.program(label);
        let child = Command::new("timeout")
            .args(["20", "openssl", "s_client", "-quiet", "-no_ign_eof", "-connect"])
            .arg(server.address().unwrap().to_string())
            .arg("-cert")
            .arg(&bundle)
            .arg("-key")
            .arg(&bundle)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = child.expect("coreutils are here");
        let mut input = child.stdin.take().unwrap();
        // One that is refused early reads no more.
        let _ = input.write_all(&said("EXTERNAL", b""));
        let _ = input.flush();
        let attached = is_attached(child.stdout.as_mut().unwrap());
        let user = attached.then(|| user_of(&mut administrator));
        drop(input);
        if child.wait().unwrap().code() == Some(127) {
            eprintln!("SKIPPED: openssl is not here");
            return None;
        }
        eventually("the session is gone", || is_gone(&mut administrator));
        Some(user)
    };
    for (label, expected) in [("app1", Some("payer")), ("app2", None), ("other", None)] {
        let Some(user) = user_by(label) else { return };
        assert_eq!(user.as_deref(), expected, "{label}");
    }
    // A certificate makes an administrator where a record names both and no list blocks it; an address
    // does not.
    let me = platform::os::users::current();
    let local = format!("unix:{}", covered.place.folder().join("socket").display());
    let mut owner = Connection::connect(client::Options::to(local.parse().unwrap())).unwrap();
    for text in [
        "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHRMV(ALL)",
        &format!("SET CHLAUTH(APP.AMQP) TYPE(SSLPEERMAP) SSLPEER('CN=boss,O=Bank') MCAUSER('{me}')"),
        &format!("SET CHLAUTH(APP.AMQP) TYPE(ADDRESSMAP) ADDRESS('127.0.0.*') MCAUSER('{me}')"),
    ] {
        command(&mut owner, text);
    }
    assert_eq!(user_by("boss"), Some(None), "the list of birth blocks administrators");
    command(&mut owner, "SET CHLAUTH(APP.AMQP) TYPE(BLOCKUSER) USERLIST('nobody')");
    for (label, expected) in [("boss", Some(&me)), ("app1", None), ("other", None)] {
        assert_eq!(user_by(label), Some(expected.cloned()), "{label}");
    }
}
