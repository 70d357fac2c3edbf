//! A listener that is to run with its queue manager and does not is told wherever a person looks.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Ferry, Said};

/// The code of `ferry check` for critical.
const CRITICAL: i32 = 2;

fn check(ferry: &Ferry) -> Said {
    ferry.run(&["check", "listeners"])
}

fn define(ferry: &Ferry, name: &str, address: &str, port: u16) {
    let define = format!("DEFINE LISTENER({name}) IPADDR('{address}') PORT({port}) CONTROL(QMGR)");
    ferry.ok(&["mqsc", "-e", &define]);
}

#[test]
fn a_listener_that_did_not_start_is_told_until_it_runs_or_is_to_run_no_more() {
    let ferry = Ferry::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    ferry.ok(&["qmgr", "start", "QM1", "--detach"]);
    define(&ferry, "TAKEN", "127.0.0.1", port);
    // No machine has this address: it is kept for documents.
    define(&ferry, "ELSEWHERE", "192.0.2.1", port);
    define(&ferry, "GONE", "127.0.0.1", port);
    ferry.ok(&["mqsc", "-e", &format!("DEFINE LISTENER(BY.HAND) IPADDR('127.0.0.1') PORT({port})")]);
    assert_eq!(check(&ferry).code, 0, "nothing was to start yet");
    ferry.ok(&["stop"]);
    let started = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert_eq!(started.code, 0, "{}", started.stderr);
    for name in ["TAKEN", "ELSEWHERE", "GONE"] {
        let told = format!("listener {name} of QM1 did not start: ");
        assert!(started.stderr.contains(&told), "{}", started.stderr);
        assert!(started.stderr.contains(&format!("START LISTENER({name})")), "{}", started.stderr);
    }
    assert!(!started.stderr.contains("BY.HAND"), "{}", started.stderr);
    let listed = ferry.run(&["list"]);
    assert!(listed.stderr.contains("listener TAKEN of QM1 did not start: "), "{}", listed.stderr);
    let doctor = ferry.run(&["doctor", "QM1"]);
    assert!(
        doctor.stdout.contains("listener.failed\n  value   listener TAKEN does not run: "),
        "{}",
        doctor.stdout
    );
    let sick = check(&ferry);
    assert_eq!(sick.code, CRITICAL, "{}", sick.stdout);
    assert!(sick.stdout.contains("do not: 3; ferry list names them"), "{}", sick.stdout);
    drop(taken);
    ferry.ok(&["mqsc", "-e", "START LISTENER(TAKEN)"]);
    ferry.ok(&["mqsc", "-e", "DELETE LISTENER(GONE)"]);
    assert_eq!(failed(&ferry), ["ELSEWHERE"]);
    let again = ferry.run(&["mqsc", "-e", "START LISTENER(ELSEWHERE)"]);
    assert_ne!(again.code, 0);
    assert_eq!(failed(&ferry), ["ELSEWHERE"]);
    ferry.ok(&["mqsc", "-e", "ALTER LISTENER(ELSEWHERE) CONTROL(MANUAL)"]);
    assert!(failed(&ferry).is_empty());
    // Its figures are of some seconds before.
    let until = Instant::now() + Duration::from_secs(20);
    while check(&ferry).code != 0 {
        assert!(Instant::now() < until, "{}", check(&ferry).stdout);
        std::thread::sleep(Duration::from_millis(200));
    }
    let doctor = ferry.run(&["doctor", "QM1"]);
    assert!(!doctor.stdout.contains("listener.failed"), "{}", doctor.stdout);
    ferry.ok(&["stop"]);
}

/// The names of the listeners that `ferry list` says did not start.
fn failed(ferry: &Ferry) -> Vec<String> {
    let listed: Value = serde_json::from_str(ferry.ok(&["list", "-o", "json"]).trim()).unwrap();
    listed["failed_listeners"].as_object().unwrap().keys().cloned().collect()
}
