//! `ferry uow` against a queue manager.

use std::process::Stdio;
use std::time::{Duration, Instant};

use queue_manager::{PreparedBranch, PreparedPurpose};
use serde_json::Value;
use storage::record::ChannelBatch;
use storage::{Direction, Line, SyncObject};
use testing::engine::Offline;

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
    assert_eq!((&unit["uowmsgs"], &unit["uowqs"][0]), (&1.into(), &"DEV.QUEUE.1".into()), "{unit}");
    assert_eq!(unit["pid"].as_u64(), Some(child.id().into()));
    let listed = ferry.ok(&["uow", "list"]);
    let row = listed.lines().nth(1).unwrap();
    assert!(row.contains(&child.id().to_string()) && row.ends_with(" DEV.QUEUE.1"), "{listed}");
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

#[test]
fn units_in_doubt_are_listed_shown_and_decided_by_hand() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "DOUBT", "--port", "0"]);
    let folder = ferry.data().join("DOUBT");
    let settings = server::Configuration::read(&folder.join("ferry.toml")).unwrap();
    let offline = Offline::start(&folder, settings.engine("DOUBT".parse().unwrap()));
    offline.command("DEFINE QLOCAL(ONE); DEFINE QLOCAL(TWO); DEFINE QLOCAL(BATCH)");
    let branch = |qualifier: &[u8]| {
        PreparedPurpose::Branch(PreparedBranch {
            prepared_at: 1_700_000_000_000_000,
            format: 7,
            global: b"transfer".to_vec(),
            qualifier: qualifier.to_vec(),
            user: b"anna".to_vec(),
        })
    };
    let one = offline.prepared("ONE", branch(b"one"));
    let two = offline.prepared("TWO", branch(b"two"));
    let sync = SyncObject {
        channel: "TO.B".to_owned(),
        direction: Direction::Sends,
        partner: "B".to_owned(),
        partner_identifier: "B_1".to_owned(),
        certificate: String::new(),
        line: Line(1),
        is_used: true,
        before: None,
        stopped_at: None,
        resolved: None,
        wants_reset: false,
    };
    let sync_object = offline.open(offline.manager.channels().define_state(None, sync)).unwrap();
    let batch = ChannelBatch { sync_object, batch: 5, first_sequence: 1, last_sequence: 2, chain: 9 };
    let batch = offline.prepared("BATCH", PreparedPurpose::Channel(batch));
    drop(offline);
    let _server = ferry.start(&["qmgr", "start", "DOUBT"]);
    let [one, two, batch] = [one, two, batch].map(|unit| format!("{}.{}", unit.epoch, unit.counter));

    let listed = ferry.ok(&["uow", "list"]);
    for part in [&one, &two, &batch, "PREPARED", " d  ", "anna", "TO.B"] {
        assert!(listed.contains(part), "{part}:\n{listed}");
    }
    let in_doubt = ferry.ok(&["uow", "list", "--in-doubt", "-o", "json"]);
    assert_eq!(in_doubt.lines().count(), 3, "{in_doubt}");

    let shown = ferry.ok(&["uow", "show", &one]);
    for part in ["XA_GTRID[7472616E73666572]", "put on ONE, 13 bytes", "got from ONE, 11 bytes", "anna"] {
        assert!(shown.contains(part), "{part}:\n{shown}");
    }
    let json: Value = serde_json::from_str(&ferry.ok(&["uow", "show", &one, "-o", "json"])).unwrap();
    assert_eq!(json["messages"].as_array().map(Vec::len), Some(2), "{json}");
    assert_eq!(ferry.run(&["uow", "show", "9.9"]).code, 3);

    for action in ["commit", "backout", "forget"] {
        let said = ferry.run(&["uow", action, &batch]);
        assert_eq!(said.code, 4, "{}", said.stderr);
    }
    assert!(ferry.run(&["uow", "commit", &batch]).stderr.contains("RESOLVE CHANNEL"));

    assert!(ferry.ok(&["uow", "commit", &one]).contains("committed"));
    assert_eq!(ferry.ok(&["get", "ONE"]), "hidden of ONE\n");
    // By the identifier of its coordinator: format, global part and qualifier.
    assert!(ferry.ok(&["uow", "backout", "7:7472616e73666572:74776F"]).contains("backed out"));
    assert_eq!(ferry.run(&["uow", "backout", "7:7472616e73666572:00"]).code, 3);
    assert_eq!(ferry.ok(&["get", "TWO"]), "held of TWO\n");
    let listed = ferry.ok(&["uow", "list"]);
    for part in ["COMMITTED", "BACKEDOUT"] {
        assert!(listed.contains(part), "{part}:\n{listed}");
    }
    assert_eq!(ferry.run(&["uow", "backout", &one]).code, 4, "it was decided");
    assert!(ferry.ok(&["uow", "forget", &one]).contains("forgotten"));
    assert_eq!(ferry.run(&["uow", "forget", &one]).code, 4);
    let listed = ferry.ok(&["uow", "list"]);
    assert!(
        !listed.contains("COMMITTED") && listed.contains("BACKEDOUT") && listed.contains(&batch),
        "{listed}"
    );
}
