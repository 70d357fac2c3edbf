//! The end of a queue manager while commands are connected, and what it says on streams that programs read.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::Verbs as _;
use serde_json::Value;

use crate::support::{Ferry, signal};

fn piped(ferry: &Ferry, arguments: &[&str]) -> Child {
    let mut command = ferry.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("ferry runs")
}

/// Waits for the end of a command; its exit code and all that it said on both streams.
fn end_of(mut child: Child) -> (i32, String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code().unwrap(), out, err)
}

fn connections(ferry: &Ferry) -> usize {
    ferry.ok(&["mqsc", "-e", "DISPLAY CONN(*) APPLTAG"]).matches("APPLTAG(ferry").count()
}

#[test]
fn commands_that_only_watch_leave_when_the_queue_manager_is_to_end() {
    let ferry = Ferry::new();
    for watching in [
        &["top", "--interval", "60s", "-o", "json"][..],
        &["top", "--interval", "1s", "-o", "json"],
        &["queues", "--over", "60s"],
        &["channel", "wait", "IN", "--for", "60s"],
        &["events", "--follow"],
        &["sub", "news/#"],
        &["get", "DEV.QUEUE.1"],
    ] {
        let server = ferry.dev();
        ferry.ok(&["mqsc", "-e", "DEFINE CHANNEL(IN) CHLTYPE(RCVR) REPLACE"]);
        let before = connections(&ferry);
        let child = piped(&ferry, watching);
        let until = Instant::now() + Duration::from_secs(30);
        while connections(&ferry) == before && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(50));
        }
        let begun = Instant::now();
        signal(server.id(), "INT");
        assert_eq!(server.wait(), 0);
        assert!(begun.elapsed() < Duration::from_secs(15), "{watching:?}: {:?}", begun.elapsed());
        let (code, _, said) = end_of(child);
        assert!(code == 4 && said.contains("2161"), "{watching:?}: {code}: {said}");
    }
}

#[test]
fn programs_that_a_queue_manager_waits_for_are_named() {
    let ferry = Ferry::new();
    let mut child = piped(&ferry, &["dev", "--port", "0", "--http", "none", "-o", "json"]);
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    let address = ready["listens"][0].as_str().unwrap().parse().unwrap();
    let mut stays =
        Connection::connect(Options { application: "payments".to_owned(), ..Options::to(address) }).unwrap();
    let begun = Instant::now();
    signal(child.id(), "INT");
    let mut said = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    let told = "Queue manager QM1 waits 30 seconds at most for programs to disconnect: payments";
    assert!(said.starts_with(told), "{said}");
    let stopping = piped(&ferry, &["stop"]);
    std::thread::sleep(Duration::from_secs(3));
    stays.disconnect().unwrap();
    let (code, out, said) = end_of(stopping);
    assert_eq!((code, out.as_str()), (0, "QM1 has ended\n"));
    assert!(said.contains("QM1 waits for its programs") && said.contains("--immediate"), "{said}");
    assert_eq!(end_of(child).0, 0);
    let log = std::fs::read_to_string(ferry.data().join("QM1/errors/errors.log")).unwrap();
    assert!(log.contains("FRY5095I") && log.contains("payments (process "), "{log}");
}

/// Makes a queue manager whose events are objects on one of its streams.
fn with_objects_on(ferry: &Ferry, also: &str) {
    let also = format!("errors.also=\"{also}\"");
    ferry.ok(&["qmgr", "create", "A", "--port", "0", "--set", "errors.format=\"json\"", "--set", &also]);
}

fn assert_objects(text: &str, what: &str) {
    for line in text.lines() {
        let object: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{what}: {line}"));
        assert!(object.is_object(), "{what}: {line}");
    }
}

#[test]
fn streams_with_events_as_objects_have_nothing_but_objects() {
    for (also, command) in [
        ("stdout", &["qmgr", "start", "A"][..]),
        ("stderr", &["qmgr", "start", "A"]),
        ("stdout", &["dev", "-m", "A", "--http", "none"]),
    ] {
        let ferry = Ferry::new();
        with_objects_on(&ferry, also);
        let child = piped(&ferry, command);
        let until = Instant::now() + Duration::from_secs(60);
        while ferry.run(&["mqsc", "-e", "DISPLAY QMGR"]).code != 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(50));
        }
        signal(child.id(), "TERM");
        let (code, out, err) = end_of(child);
        assert_eq!(code, 0, "{also}: {out}{err}");
        assert_objects(&out, "standard output");
        assert_objects(&err, "standard error");
        assert_eq!(out.contains("FRY5004I"), also == "stdout", "{out}");
        assert!(out.contains("\"listens\""), "where it listens is told as an object: {out}");
    }
}

#[test]
fn a_start_that_fails_says_so_as_an_object_where_events_are_objects() {
    let ferry = Ferry::new();
    with_objects_on(&ferry, "stdout");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = ferry.run(&["qmgr", "start", "A", "--port", &port]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert_objects(&said.stdout, "standard output");
    assert_objects(&said.stderr, "standard error");
    assert!(said.stderr.contains("is in use by another program"), "{}", said.stderr);
}
