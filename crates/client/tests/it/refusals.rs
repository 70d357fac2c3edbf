//! Connections that cannot be made say where, why and what to do.

use crate::place::Place;
use client::{Address, ConnectError, Connection, Options};
use mqi::Reason;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

fn to(port: u16) -> Options {
    Options::to(Address::Tcp { host: "127.0.0.1".into(), port })
}

/// A server that says `answer` to every client that connects.
fn says(answer: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1000]);
        let _ = stream.write_all(answer);
    });
    port
}

#[test]
fn nobody_there() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = Connection::connect(to(port)).unwrap_err();
    assert!(error.to_string().contains(&format!("127.0.0.1:{port}")), "{error}");
    assert_eq!(error.reason(), Reason::HOST_NOT_AVAILABLE);
    let error = Connection::connect(Options::to(Address::Unix("/no/such/socket".into()))).unwrap_err();
    assert!(error.to_string().contains("unix:/no/such/socket"), "{error}");
}

#[test]
fn somebody_else_there() {
    for answer in [&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], b"\x15\x03\x01\x00\x02\x02\x28", &[0xFF; 20]] {
        let error = Connection::connect(to(says(answer))).unwrap_err();
        assert!(matches!(error, ConnectError::Protocol { .. } | ConnectError::Ended { .. }), "{error}");
    }
    let error = Connection::connect(to(says(b""))).unwrap_err();
    assert!(matches!(error, ConnectError::Ended { .. } | ConnectError::Unreachable { .. }), "{error}");
}

#[test]
fn somebody_silent_there() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let began = Instant::now();
    let mut options = to(port);
    options.connect_timeout = Duration::from_millis(200);
    let error = Connection::connect(options).unwrap_err();
    assert!(matches!(error, ConnectError::Unreachable { .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn another_queue_manager_there() {
    let place = Place::new();
    let error = Connection::connect(place.options().queue_manager("QM2")).unwrap_err();
    assert_eq!(error.reason(), Reason::Q_MGR_NAME_ERROR);
    let text = error.to_string();
    assert!(text.contains("QM1") && text.contains("QM2"), "{text}");
    Connection::connect(place.options().queue_manager("QM1")).unwrap();
}

#[test]
fn the_next_address_is_tried() {
    let place = Place::new();
    let mut options = place.options();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    options.addresses.insert(0, Address::Tcp { host: "127.0.0.1".into(), port: nobody });
    Connection::connect(options).unwrap();
}
