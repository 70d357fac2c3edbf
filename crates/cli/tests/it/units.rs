//! `ferry uow` against a queue manager.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Ferry;

#[test]
fn a_unit_of_work_is_listed_and_backed_out() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    assert_eq!(ferry.ok(&["uow", "list", "-o", "json"]), "");
    ferry.ok(&["put", "DEV.QUEUE.1", "-P", "request", "--reply-to", "DEV.QUEUE.2"]);
    // It has the request in a unit of work as long as its command runs.
    let mut child = ferry
        .command(&["reply", "DEV.QUEUE.1", "--command", "sleep 20"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(10);
    let unit: Value = loop {
        let listed = ferry.ok(&["uow", "list", "-o", "json"]);
        match listed.lines().next() {
            Some(line) => break serde_json::from_str(line).unwrap(),
            None => assert!(Instant::now() < patience, "no unit of work came"),
        }
    };
    assert_eq!((&unit["uowstate"], unit["uowlog"].as_str().map(str::len)), (&"ACTIVE".into(), Some(16)));
    let connection = unit["conn"].as_str().unwrap();
    let said = ferry.run(&["uow", "commit", connection]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("not prepared"), "{}", said.stderr);
    assert!(ferry.ok(&["uow", "list"]).contains(connection));
    assert!(ferry.ok(&["uow", "backout", connection]).contains("backed out"));
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "request\n");
    assert_eq!(ferry.run(&["uow", "backout", "FFFFFFFFFFFFFFFF"]).code, 3);
    assert_eq!(ferry.run(&["uow", "backout", "nonsense"]).code, 2);
    child.kill().unwrap();
    child.wait().unwrap();
}
