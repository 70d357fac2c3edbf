//! Listeners as objects: started, changed and stopped by command, with real client connections.

use std::net::{TcpListener, TcpStream};

use client::{Connection, Options};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};

use crate::running::{Place, address, command, connect, eventually, get, open, put};

/// A port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn try_connect(port: u16) -> Option<Connection> {
    let options = Options::to(format!("127.0.0.1:{port}").parse().unwrap()).application("test");
    Connection::connect(options).ok()
}

/// Returns true if the port takes no connection. A client would be another conversation of a connection that
/// it has there.
fn is_closed(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_err()
}

/// Runs a command that is refused; the answer.
fn refused(connection: &mut Connection, text: &str) -> String {
    let response = connection.command(text).unwrap();
    assert!(response.failed, "{text}: {}", response.text);
    response.text
}

/// Puts a message and gets it back.
fn send_one(connection: &mut Connection) {
    let queue = open(connection, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    put(connection, queue, b"hello", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    assert_eq!(get(connection, queue, std::time::Duration::ZERO, GetFlags::EMPTY).unwrap(), b"hello");
}

#[test]
fn a_listener_carries_client_connections_from_its_start_to_its_stop() {
    let place = Place::with_settings("[threads]\nreactors = 2\n");
    let server = place.start();
    let mut one = connect(&address(&server));
    let port = free_port();
    command(&mut one, "DEFINE QLOCAL(Q)");
    command(
        &mut one,
        &format!("DEFINE LISTENER(L) TRPTYPE(TCP) IPADDR('127.0.0.1') PORT({port}) BACKLOG(7)"),
    );
    assert!(is_closed(port), "a definition alone accepts nothing");
    assert!(command(&mut one, "DISPLAY LSSTATUS(*)").contains("FRY8155I"));
    assert!(refused(&mut one, "STOP LISTENER(L)").contains("FRY8731E"));
    assert!(command(&mut one, "STOP LISTENER(L) IGNSTATE(YES)").contains("FRY8729I"), "as asked already");

    let told = command(&mut one, "START LISTENER(L)");
    assert!(
        told.contains(&format!("FRY8021I: Listener L accepts connections on 127.0.0.1:{port}.")),
        "{told}"
    );
    // Connections are dealt to the reactors in turn.
    let mut others: Vec<_> = (0..3).map(|_| try_connect(port).unwrap()).collect();
    others.iter_mut().for_each(send_one);
    let shown = command(&mut one, "DISPLAY LSSTATUS(L) ALL");
    let process = std::process::id();
    for part in [
        "LISTENER(L)",
        "STATUS(RUNNING)",
        "IPADDR(127.0.0.1)",
        "BACKLOG(7)",
        "CONTROL(MANUAL)",
        "TRPTYPE(TCP)",
        &format!("PORT({port})"),
        &format!("PID({process})"),
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(command(&mut one, "DISPLAY LSSTATUS(*) WHERE(PORT EQ 1)").contains("FRY8155I"));
    assert!(refused(&mut one, "START LSTR(L)").contains("FRY8730E"));
    assert!(refused(&mut one, "START LSTR(L) IGNSTATE(NO)").contains("FRY8730E"));
    assert!(command(&mut one, "START LSTR(L) TRPTYPE(TCP) IGNSTATE(YES)").contains("FRY8021I"));
    assert!(refused(&mut one, "DELETE LISTENER(L)").contains("FRY8730E"), "it runs");

    assert!(command(&mut one, "STOP LISTENER(L)").contains("FRY8729I"));
    assert!(is_closed(port), "it accepts no more");
    others.iter_mut().for_each(send_one);
    assert!(command(&mut one, "DISPLAY LSSTATUS(*)").contains("FRY8155I"));
    command(&mut one, "START LISTENER(L)");
    send_one(&mut try_connect(port).unwrap());
    command(&mut one, "STOP LISTENER(L)");
    command(&mut one, "DELETE LISTENER(L)");
    assert!(refused(&mut one, "START LISTENER(L)").contains("FRY8147E"));
}

#[test]
fn a_listener_that_other_machines_could_reach_or_whose_port_is_taken_does_not_start() {
    let place = Place::new();
    let server = place.start();
    let mut one = connect(&address(&server));
    let taken = server.address().unwrap().port();
    let port = free_port();
    for (attributes, why) in [
        (format!("PORT({port})"), "ferry tls init QM1"),
        (format!("IPADDR('0.0.0.0') PORT({port})"), "ferry tls init QM1"),
        (format!("IPADDR('192.0.2.1') PORT({port})"), "ferry tls init QM1"),
        (format!("IPADDR('::') PORT({port})"), "ferry tls init QM1"),
        (format!("IPADDR('::ffff:192.0.2.1') PORT({port})"), "ferry tls init QM1"),
        (format!("IPADDR('0.0.0.0') PORT({port}) TLS(NO)"), "TLS alone"),
        (format!("IPADDR('127.0.0.1') PORT({port}) TLS(REQUIRED)"), "without a key"),
        (format!("IPADDR('localhost') PORT({port})"), "no address"),
        (format!("IPADDR('127.0.0.1') PORT({taken})"), "in use by another program or listener"),
    ] {
        command(&mut one, &format!("DEFINE LISTENER(L) REPLACE {attributes}"));
        let told = refused(&mut one, "START LISTENER(L)");
        assert!(told.contains("FRY8732E") && told.contains(why), "{attributes}: {told}");
    }
    assert!(command(&mut one, "DISPLAY LSSTATUS(*)").contains("FRY8155I"));
    assert!(
        refused(&mut one, "START LISTENER").contains("which other machines reach"),
        "that is the default listener"
    );
}

#[test]
fn a_listener_that_runs_follows_its_definition() {
    let place = Place::new();
    let server = place.start();
    let mut one = connect(&address(&server));
    let taken = server.address().unwrap().port();
    command(&mut one, "DEFINE QLOCAL(Q)");
    let (first, second) = (free_port(), free_port());
    let define = format!("LISTENER(L) IPADDR('127.0.0.1') PORT({first})");
    command(&mut one, &format!("DEFINE {define}"));
    command(&mut one, "START LISTENER(L)");
    let mut old = try_connect(first).unwrap();

    command(&mut one, &format!("ALTER LISTENER(L) PORT({second})"));
    assert!(try_connect(second).is_some(), "the listener is on its new port before the command is answered");
    eventually("the old port is free", || is_closed(first));
    send_one(&mut old);

    // Another backlog on the same port.
    command(&mut one, "ALTER LISTENER(L) BACKLOG(3)");
    assert!(
        command(&mut one, "DISPLAY LSSTATUS(L) BACKLOG").contains("BACKLOG(3)"),
        "the backlog is another"
    );
    eventually("it accepts connections again", || try_connect(second).is_some());

    command(&mut one, &format!("DEFINE {define} REPLACE"));
    assert!(try_connect(first).is_some(), "it followed the new definition");

    command(&mut one, &format!("ALTER LISTENER(L) PORT({taken})"));
    eventually("the error log says that it cannot follow", || place.error_log().contains("FRY5013W"));
    send_one(&mut try_connect(first).unwrap());
    let shown = command(&mut one, "DISPLAY LSSTATUS(L) PORT");
    assert!(shown.contains(&format!("PORT({first})")), "{shown}");
}

#[test]
fn a_listener_starts_with_the_queue_manager_where_its_definition_says_so() {
    let place = Place::new();
    let server = place.start();
    let mut one = connect(&address(&server));
    let ports: Vec<u16> = (0..3).map(|_| free_port()).collect();
    command(&mut one, "DEFINE QLOCAL(Q)");
    for (name, port, control) in
        [("A", ports[0], "QMGR"), ("B", ports[1], "STARTONLY"), ("C", ports[2], "MANUAL")]
    {
        let define = format!("DEFINE LISTENER({name}) IPADDR('127.0.0.1') PORT({port}) CONTROL({control})");
        command(&mut one, &define);
    }
    let same = format!("DEFINE LISTENER(D) IPADDR('127.0.0.1') PORT({}) CONTROL(QMGR)", ports[0]);
    command(&mut one, &same);
    drop((one, server));
    let _server = place.start();
    for port in [ports[0], ports[1]] {
        send_one(&mut try_connect(port).unwrap());
    }
    assert!(is_closed(ports[2]));
    eventually("the error log names the one that could not", || {
        let log = place.error_log();
        log.contains("FRY5014W") && log.contains("Listener D did not start")
    });
}

#[test]
fn a_queue_manager_of_one_program_starts_no_listener() {
    let place = Place::new();
    let manager = server::embedded::QueueManager::open(place.directory.path(), &place.name).unwrap();
    let said = |text: &str| manager.command(text).unwrap()[0].to_string();
    said(&format!("DEFINE LISTENER(L) IPADDR('127.0.0.1') PORT({})", free_port()));
    assert!(said("START LISTENER(L)").contains("FRY8732E"));
    assert!(said("STOP LISTENER(L)").contains("FRY8731E"));
}
