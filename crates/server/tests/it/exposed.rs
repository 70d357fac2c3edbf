//! Listeners that other machines reach: the conditions on which they start, and programs that come by an
//! address of this machine that is not loopback.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::process::{Command, Stdio};
use std::time::Duration;

use channel::Kind;
use channel::message::Role;
use client::{ConnectError, Connection, Options, Tls};
use identity::{Cost, HashMemory, Users, UsersFile};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason};
use server::Server;

use crate::covered::{ANY, Covered};
use crate::hostile_partners::introduction;
use crate::running::{Place, RIGHTS_OF_ALL, command, eventually, get, open, put};

/// The answer to a partner that calls a message channel over TLS, as `openssl` hears it; none without that
/// program, and that is said.
fn answer_to_a_partner(at: SocketAddr) -> Option<String> {
    let mut child = Command::new("timeout")
        .args(["20", "openssl", "s_client", "-quiet", "-connect", &at.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("coreutils are here");
    let mut hello = Vec::new();
    introduction(Role::Sender, 1).encode(Kind::ChannelHello, &mut hello);
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(&hello);
    let mut answer = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut answer).unwrap();
    drop(input);
    if child.wait().unwrap().code() == Some(127) {
        eprintln!("SKIPPED: openssl is not here");
        return None;
    }
    Some(String::from_utf8_lossy(&answer).into_owned())
}

/// The address of this machine from which it would reach another; none where it has no network, and that is
/// said.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    // Nothing is sent: the system only looks up the way.
    let found = socket.connect((Ipv4Addr::new(198, 51, 100, 1), 9)).and_then(|()| socket.local_addr());
    let address = found.ok().map(|address| address.ip()).filter(|address| !address.is_loopback());
    if address.is_none() {
        eprintln!("SKIPPED: listening beyond loopback needs a machine with a network");
    }
    address
}

fn start(place: &Place, address: IpAddr, insecure: bool) -> Result<Server, String> {
    let addresses = Some(vec![SocketAddr::new(address, 0)]);
    let options = server::Options { addresses, insecure, ..place.options() };
    Server::start(&options).map_err(|error| error.to_string())
}

fn administrator(place: &Place) -> Connection {
    let local = format!("unix:{}", place.folder().join("socket").display());
    Connection::connect(Options::to(local.parse().unwrap())).unwrap()
}

fn in_the_clear(at: SocketAddr) -> Result<Connection, ConnectError> {
    Connection::connect(Options {
        user: "program".into(),
        ..Options::to(at.to_string().parse().unwrap()).alone()
    })
}

fn by_certificate(
    covered: &Covered,
    label: &str,
    at: SocketAddr,
    channel: &str,
) -> Result<Connection, ConnectError> {
    let tls = Tls {
        key_store: covered.program(label),
        cipherspec: ANY.to_owned(),
        // The certificate names host names, and the program connects to an address.
        peer: "CN=qm1".to_owned(),
        ..Tls::default()
    };
    Connection::connect(Options::to(at.to_string().parse().unwrap()).channel(channel).tls(tls).alone())
}

#[test]
fn a_queue_manager_listens_beyond_loopback_with_a_key_and_somebody_known_or_not_at_all() {
    let Some(own) = own_address() else { return };
    let place = Place::new();
    for address in [own, Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into()] {
        let refused = start(&place, address, false).map(drop).unwrap_err();
        assert!(
            refused.contains("other machines reach") && refused.contains("ferry tls init QM1"),
            "{refused}"
        );
    }
    assert!(place.error_log().contains("FRY5006E"), "the refusal is in the error log");
    // A key alone, without an authority for programs and without users.
    let security = place.folder().join("security");
    {
        let covered = Covered::new("no");
        std::fs::create_dir_all(security.join("keys")).unwrap();
        for file in ["qm1.pem", "qm1.key"] {
            let from = covered.place.folder().join("security/keys").join(file);
            std::fs::copy(from, security.join("keys").join(file)).unwrap();
        }
    }
    let refused = start(&place, own, false).map(drop).unwrap_err();
    assert!(refused.contains("ferry user add QM1"), "{refused}");
    let mut users = Users::default();
    users.add("ada", b"a password", Vec::new(), &[7; 16], Cost::LEAST, &mut HashMemory::default()).unwrap();
    UsersFile::at(security.join("users.toml")).write(&users).unwrap();
    let server = start(&place, own, false).unwrap();
    let at = server.address().unwrap();
    assert_eq!(at.ip(), own);
    if let Some(answer) = answer_to_a_partner(at) {
        assert!(answer.contains("lets no partner like this one in"), "no rule opens the channel: {answer}");
    }
    // TLS alone, whatever the settings say of loopback.
    let refused = in_the_clear(at).map(drop).unwrap_err();
    assert_eq!(refused.reason(), Reason::NOT_AUTHORIZED, "{refused}");
    let log = || place.error_log();
    eventually("the log has the cause", || log().contains("this listener is for TLS alone"));
}

#[test]
fn a_program_puts_and_gets_over_mutual_tls_from_another_address_than_loopback() {
    let Some(own) = own_address() else { return };
    let covered = Covered::new("no");
    let server = start(&covered.place, own, false).unwrap();
    let mut administrator = administrator(&covered.place);
    for text in RIGHTS_OF_ALL {
        command(&mut administrator, text);
    }
    for text in [
        "DEFINE QLOCAL(Q)",
        &format!("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) SSLCIPH({ANY}) SSLCAUTH(REQUIRED)"),
        "SET CHLAUTH(APP) TYPE(SSLPEERMAP) SSLPEER('CN=app1,O=Bank') MCAUSER('app1')",
    ] {
        command(&mut administrator, text);
    }
    let at = server.address().unwrap();
    let mut one = by_certificate(&covered, "app1", at, "APP").unwrap();
    let shown = command(&mut administrator, "DISPLAY CONN(*) WHERE(CHANNEL EQ APP) USERID CONNAME");
    assert!(shown.contains("USERID(app1)") && shown.contains(&own.to_string()), "{shown}");
    let to = open(&mut one, "Q", OpenOptions::OUTPUT);
    let from = open(&mut one, "Q", OpenOptions::INPUT_SHARED);
    put(&mut one, to, b"from afar", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    assert_eq!(get(&mut one, from, Duration::ZERO, GetFlags::EMPTY).unwrap(), b"from afar");
    let refused = by_certificate(&covered, "app2", at, "APP").map(drop).unwrap_err();
    assert_eq!(refused.reason(), Reason::NOT_AUTHORIZED, "{refused}");
    let refused = by_certificate(&covered, "app1", at, "").map(drop).unwrap_err();
    assert_eq!(refused.reason(), Reason::CHANNEL_CONFIG_ERROR, "the default channel has no TLS: {refused}");
    let shown = command(&mut administrator, "DISPLAY QMSTATUS");
    assert!(!shown.contains("FRY5024W"), "it is as safe as it should be: {shown}");
}

#[test]
fn insecure_listens_without_and_every_display_says_so() {
    let Some(own) = own_address() else { return };
    let place = Place::new();
    let server = start(&place, own, true).unwrap();
    let mut one = administrator(&place);
    for text in ["DISPLAY QMSTATUS", "DISPLAY QUEUE(SYSTEM.DEFAULT.LOCAL.QUEUE)", "DISPLAY CONN(*)"] {
        let shown = command(&mut one, text);
        assert!(shown.contains("FRY5024W"), "{text}: {shown}");
    }
    // The rules of channels stand: what no record opens is closed.
    let refused = in_the_clear(server.address().unwrap()).map(drop).unwrap_err();
    assert_eq!(refused.reason(), Reason::NOT_AUTHORIZED, "{refused}");
    let any = format!("SET CHLAUTH('SYSTEM.DEF.SVRCONN') TYPE(ADDRESSMAP) ADDRESS('{own}') USERSRC(CHANNEL)");
    command(&mut one, &any);
    in_the_clear(server.address().unwrap()).unwrap();
    drop((one, server));
    // Loopback needs no such word, and no display nags.
    let _server = start(&place, Ipv4Addr::LOCALHOST.into(), true).unwrap();
    assert!(!command(&mut administrator(&place), "DISPLAY QMSTATUS").contains("FRY5024W"));
}

#[test]
fn a_listener_without_ipaddr_takes_programs_by_ipv4_and_ipv6_with_the_address_that_they_have() {
    let Some(own) = own_address() else { return };
    let covered = Covered::new("no");
    let _server = covered.place.start();
    let mut administrator = administrator(&covered.place);
    for text in RIGHTS_OF_ALL {
        command(&mut administrator, text);
    }
    let free = std::net::TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap().local_addr().unwrap().port();
    for text in [
        &format!("DEFINE LISTENER(L) TRPTYPE(TCP) PORT({free})"),
        "START LISTENER(L)",
        &format!("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) SSLCIPH({ANY})"),
        "SET CHLAUTH(APP) TYPE(SSLPEERMAP) SSLPEER('CN=app1') MCAUSER('app1')",
        "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.77')",
    ] {
        command(&mut administrator, text);
    }
    for address in [own, Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()] {
        let at = SocketAddr::new(address, free);
        eventually("the listener is there", || TcpStream::connect(at).is_ok());
        let one = by_certificate(&covered, "app1", at, "APP").unwrap();
        let shown = command(&mut administrator, "DISPLAY CHSTATUS(APP) CONNAME");
        assert!(shown.contains(&format!("CONNAME({address})")), "{address}: {shown}");
        drop(one);
        eventually("the connection is gone", || {
            administrator.command("DISPLAY CHSTATUS(APP)").unwrap().text.contains("FRY8155I")
        });
    }
    // One that is told to speak the clear as well does so on loopback alone.
    let refused = administrator.command("ALTER LISTENER(L) TLS(ALLOWED)").unwrap();
    assert!(!refused.failed, "{}", refused.text);
    eventually("the error log says that it cannot follow", || covered.place.error_log().contains("FRY5013W"));
}
