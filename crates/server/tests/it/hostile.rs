//! Bytes that are not the protocol: the event names them, and the server lives.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs as _};

use crate::covered::Covered;
use crate::running::{Place, address, command, connect, eventually, get, open, put};

#[test]
fn strangers_are_closed_with_an_event_and_others_go_on() {
    let place = Place::new();
    let server = place.start();
    let address = address(&server);
    let mut friend = connect(&address);
    command(&mut friend, "DEFINE QLOCAL(Q)");
    let handle = open(&mut friend, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    let strangers: [&[u8]; 7] = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"TSH \x00\x00\x01\x0c\x02\x01\x31\x00",
        &[0; 64],
        &[0xFF; 64],
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\r\n2026-01-01T00:00:00.000000Z FRY5004I QM1 forged\r\n\r\n\r\n",
    ];
    for (number, bytes) in strangers.iter().enumerate() {
        let mut stranger = TcpStream::connect(&address).unwrap();
        stranger.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stranger.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        stranger.read_to_end(&mut answer).unwrap();
        let body = [u8::try_from(number).unwrap()];
        put(&mut friend, handle, &body, Persistence::Persistent, PutFlags::EMPTY).unwrap();
        assert_eq!(get(&mut friend, handle, Duration::ZERO, GetFlags::EMPTY).unwrap(), body);
    }
    eventually("an event for each", || {
        let log = place.error_log();
        log.matches("FRY9001W").count() + log.matches("FRY9002W").count() == strangers.len()
    });
    let log = place.error_log();
    assert!(log.contains("HTTP"), "{log}");
    assert!(log.contains("TLS"), "{log}");
    assert!(!log.lines().any(|line| line.ends_with("forged")), "no line of their making: {log}");
}

#[test]
fn logins_that_are_not_finished_break_no_protocol_in_the_log() {
    let settings = "[limits]\nlogin_seconds = 1\n[listener]\namqp_channel = \"SYSTEM.DEF.AMQP\"\n";
    let place = Place::with_settings(settings);
    let server = place.start();
    let began: [&[u8]; 4] =
        [b"", &channel::preamble::MAGIC, b"AMQP\x00\x01\x00\x00", b"AMQP\x03\x01\x00\x00"];
    for begun in began {
        let mut stranger = TcpStream::connect(address(&server)).unwrap();
        stranger.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stranger.write_all(begun).unwrap();
        let _ = stranger.read_to_end(&mut Vec::new());
    }
    eventually("each is told of", || place.error_log().matches("FRY9067W").count() == began.len());
    assert!(!place.error_log().contains("FRY9002W"), "{}", place.error_log());
}

#[test]
fn a_login_that_never_ends_is_cut_at_its_limit() {
    let place = Place::with_settings("[limits]\nlogin_seconds = 1\n");
    let server = place.start();
    // Others come and go at other moments, and some stay.
    let _friend = connect(&address(&server));
    for delay in [0, 300, 650] {
        std::thread::sleep(Duration::from_millis(delay));
        // Taken before the server can know of the caller: it may accept before connect returns here.
        let began = Instant::now();
        let mut stranger = TcpStream::connect(address(&server)).unwrap();
        stranger.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stranger.read_to_end(&mut Vec::new()).unwrap();
        let took = began.elapsed();
        // What is beyond a step of 100 ms is for a machine whose processors are busy.
        assert!((Duration::from_millis(990)..Duration::from_millis(1500)).contains(&took), "{took:?}");
    }
}

#[test]
fn a_login_has_no_more_time_when_its_first_bytes_come_late() {
    // Whatever the bytes begin gets an agent of its own: a client, a partner, a program of AMQP, one in the
    // clear where TLS is allowed.
    let magic = &channel::preamble::MAGIC[..];
    let partner = [magic, &8_u32.to_le_bytes(), &[channel::Kind::ChannelHello as u8]].concat();
    for (tls, settings, first) in [
        ("no", "", magic),
        ("no", "", &partner),
        ("no", "amqp_channel = \"SYSTEM.DEF.AMQP\"\n", &b"AMQP\x03\x01\x00\x00"[..]),
        ("allowed", "", magic),
        ("allowed", "", &partner),
    ] {
        let covered = Covered::with_settings(tls, &format!("{settings}[limits]\nlogin_seconds = 2\n"));
        let (server, _administrator) = covered.start(&[]);
        let mut stranger = TcpStream::connect(address(&server)).unwrap();
        stranger.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(1_200));
        stranger.write_all(first).unwrap();
        // A reset is an end as well.
        let _ = stranger.read_to_end(&mut Vec::new());
        let took = began.elapsed();
        assert!(took < Duration::from_millis(2_900), "{tls} {settings}{first:?}: {took:?}");
    }
}

#[test]
fn a_flood_of_one_source_is_told_of_ten_times_a_second_and_the_rest_is_counted() {
    let place = Place::with_settings("[errors]\nflood_max = 100000\n");
    let server = place.start();
    let strange = |bytes: &[u8]| {
        let mut stranger = TcpStream::connect(address(&server)).unwrap();
        stranger.write_all(bytes).unwrap();
        let _ = stranger.read_to_end(&mut Vec::new());
    };
    let told = || {
        let log = place.error_log();
        log.matches("FRY9001W").count() + log.matches("FRY9002W").count()
    };
    let began = Instant::now();
    for _ in 0..100 {
        strange(b"lorem ipsum");
        // A length that no frame has.
        strange(&[&channel::preamble::MAGIC[..], &[0, 0, 0, 0, 1, 0, 0, 0]].concat());
    }
    let seconds = began.elapsed().as_secs() as usize;
    std::thread::sleep(Duration::from_millis(1_100));
    strange(b"lorem ipsum");
    eventually("the others are counted", || place.error_log().contains(" more from there were not recorded"));
    let told = told();
    assert!((10..=10 * (seconds + 3)).contains(&told), "{told} in {seconds} s: {}", place.error_log());
}

#[test]
fn a_flood_of_broken_amqp_puts_nothing_and_is_told_of_twenty_times_a_second() {
    let place = Place::with_settings("[listener]\namqp_channel = \"SYSTEM.DEF.AMQP\"\n");
    let server = place.start();
    let mut friend = connect(&address(&server));
    command(&mut friend, "DEFINE QLOCAL(Q)");
    let header = &b"AMQP\x00\x01\x00\x00"[..];
    // Another version; sizes below eight and beyond all bounds; a wrong offset; an unknown performative, and
    // one before the login.
    let wrong: [(&[u8], &[u8]); 6] = [
        (b"", b"AMQP\x00\x00\x09\x01"),
        (header, &[0, 0, 0, 7, 2, 0, 0, 0]),
        (header, &[0xFF; 16]),
        (header, &[0, 0, 0, 8, 9, 0, 0, 0]),
        (header, &[0, 0, 0, 12, 2, 0, 0, 0, 0x00, 0x53, 0x19, 0x45]),
        (b"AMQP\x03\x01\x00\x00", &[0, 0, 0, 12, 2, 0, 0, 0, 0x00, 0x53, 0x10, 0x45]),
    ];
    let told = || {
        let log = place.error_log();
        log.matches("FRY9001W").count() + log.matches("FRY9002W").count()
    };
    let began = Instant::now();
    for (begin, bytes) in wrong.iter().cycle().take(120) {
        let mut stranger = TcpStream::connect(address(&server)).unwrap();
        stranger.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stranger.write_all(&[*begin, *bytes].concat()).unwrap();
        let mut answer = Vec::new();
        // A reset is an end as well.
        let ended = stranger.read_to_end(&mut answer);
        let is_late = ended.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(!is_late, "{bytes:02x?} is not ended: {answer:02x?}");
    }
    eventually("the others are counted", || {
        place.error_log().contains(" more events FRY9002W were left out")
    });
    let (told, seconds) = (told(), began.elapsed().as_secs() as usize);
    assert!((20..=20 * (seconds + 2)).contains(&told), "{told} in {seconds} s: {}", place.error_log());
    let shown = command(&mut friend, "DISPLAY QLOCAL(*) CURDEPTH WHERE(CURDEPTH GT 0)");
    assert!(!shown.contains("QUEUE(Q)"), "{shown}");
}

#[test]
fn as_many_programs_as_the_limit_says_are_let_in() {
    let place = Place::with_settings("[limits]\nconnections_max = 3\n");
    let server = place.start();
    let options = || client::Options::to(address(&server).parse().unwrap());
    for _ in 0..2 {
        let mut programs: Vec<_> = (0..3).map(|_| connect(&address(&server))).collect();
        // The command server, and who tells of the machine, have their own.
        eventually("the command server has its own connection", || {
            command(&mut programs[0], "DISPLAY CONN(*) APPLTAG").contains("command server")
        });
        // The fourth is turned away, and told why.
        let refused = client::Connection::connect(options()).err().map(|error| error.reason());
        assert_eq!(refused, Some(Reason::MAX_CONNS_LIMIT_REACHED));
        programs.into_iter().for_each(|mut program| program.disconnect().unwrap());
        eventually("all have gone", || server.queue_manager().figures().connections() < 3);
    }
}

#[test]
fn a_flood_beyond_the_last_place_is_told_of_once_and_the_rest_is_counted() {
    let place = Place::with_settings("[limits]\nconnections_max = 1\n[errors]\nflood_max = 100000\n");
    let server = place.start();
    let _only = connect(&address(&server));
    for _ in 0..200 {
        drop(TcpStream::connect(address(&server)));
        let refused = client::Connection::connect(client::Options::to(address(&server).parse().unwrap()));
        assert!(refused.is_err());
    }
    let log = place.error_log();
    assert_eq!(log.lines().filter(|line| line.contains("FRY9003W")).count(), 1, "{log}");
    assert!(!log.contains("FRY9065W"), "{log}");
}

/// Connects by the local socket, as the user that runs the queue manager.
fn connect_locally(place: &Place) -> Result<client::Connection, client::ConnectError> {
    let address = format!("unix:{}", place.folder().join("socket").display());
    client::Connection::connect(client::Options::to(address.parse().unwrap()))
}

#[test]
fn an_administrator_has_four_places_by_the_local_socket_when_all_others_are_taken() {
    let place = Place::with_settings("[limits]\nconnections_max = 2\n");
    let server = place.start();
    let _programs = [connect(&address(&server)), connect(&address(&server))];
    let mut administrators: Vec<_> = (0..4).map(|_| connect_locally(&place).unwrap()).collect();
    for _ in 0..20 {
        let refused = connect_locally(&place).err().map(|error| error.reason());
        assert_eq!(refused, Some(Reason::MAX_CONNS_LIMIT_REACHED));
    }
    administrators.pop().unwrap().disconnect().unwrap();
    eventually("its place is free", || connect_locally(&place).is_ok());
}

#[test]
fn strangers_at_all_places_do_not_shut_an_administrator_out() {
    let place = Place::with_settings("[limits]\nconnections_max = 2\nlogin_seconds = 60\n");
    let server = place.start();
    let _silent = [0; 2].map(|_| TcpStream::connect(address(&server)).unwrap());
    let _administrator = connect_locally(&place).unwrap();
    let refused = client::Connection::connect(client::Options::to(address(&server).parse().unwrap())).err();
    assert_eq!(refused.map(|error| error.reason()), Some(Reason::MAX_CONNS_LIMIT_REACHED));
}

#[test]
fn a_stranger_at_the_last_place_makes_room_for_a_program() {
    let place = Place::with_settings("[limits]\nconnections_max = 1\nlogin_seconds = 60\n");
    let server = place.start();
    let _silent = TcpStream::connect(address(&server)).unwrap();
    let connected = || {
        let options = client::Options::to(address(&server).parse().unwrap());
        client::Connection::connect(options).is_ok()
    };
    eventually("the stranger has gone", connected);
}

#[test]
fn a_client_that_sends_nonsense_after_its_login_only_harms_itself() {
    // The login of a real client, replayed, followed by impossible frame lengths.
    let place = Place::new();
    let server = place.start();
    let login = record_login(&address(&server));
    for length in [0_u32, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
        for bytes in [length.to_le_bytes(), length.to_be_bytes()] {
            let mut stranger = TcpStream::connect(address(&server)).unwrap();
            stranger.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            stranger.write_all(&login).unwrap();
            let mut frame = bytes.to_vec();
            frame.extend([0xEE; 64]);
            let _ = stranger.write_all(&frame);
            let _ = stranger.shutdown(std::net::Shutdown::Write);
            let _ = stranger.read_to_end(&mut Vec::new());
        }
    }
    connect(&address(&server));
}

/// The first bytes a real client sends, taken by a relay.
fn record_login(address: &str) -> Vec<u8> {
    let relay = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let here = relay.local_addr().unwrap().to_string();
    let client = std::thread::spawn(move || {
        let options = client::Options::to(here.parse().unwrap());
        let _ = client::Connection::connect(options);
    });
    let (mut from_client, _) = relay.accept().unwrap();
    let mut to_server = TcpStream::connect(address).unwrap();
    let mut bytes = vec![0; 4096];
    let read = from_client.read(&mut bytes).unwrap();
    bytes.truncate(read);
    to_server.write_all(&bytes).unwrap();
    drop((from_client, to_server));
    client.join().unwrap();
    bytes
}

#[test]
fn many_connections_opened_and_closed_leave_no_descriptors() {
    let place = Place::new();
    let server = place.start();
    let address = address(&server);
    let port: u16 = address.rsplit(':').next().unwrap().parse().unwrap();
    for _ in 0..300 {
        connect(&address);
    }
    for _ in 0..300 {
        drop(TcpStream::connect(&address).unwrap());
    }
    let suffix = format!(":{port:04X}");
    eventually("no socket of the port is held", || {
        let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
        let sockets = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        sockets.filter(|of| of[1].ends_with(&suffix) && ["01", "08"].contains(&of[3])).count() == 0
    });
    // That of the command server stays.
    eventually("no connection is left in the engine", || server.queue_manager().figures().connections() == 1);
}
