//! `ferry uow` against a queue manager.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::branch::{BranchEnd, BranchId, BranchRefusal, BranchStart, Branches as _, RollbackCause};
use mqi::{MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Verbs as _};
use queue_manager::{PreparedBranch, PreparedPurpose};
use serde_json::Value;
use storage::record::ChannelBatch;
use storage::{Direction, Line, SyncObject};
use testing::engine::Offline;

use crate::familiar::Prefix;
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
    assert!(row.contains(&child.id().to_string()) && row.contains(" DEV.QUEUE.1 "), "{listed}");
    let connection = unit["conn"].as_str().unwrap();
    let said = ferry.run(&["uow", "backout", connection]);
    assert_eq!(said.code, 2, "nobody can be asked: {}", said.stderr);
    assert!(said.stderr.contains(&format!("ferry uow backout {connection} --yes")), "{}", said.stderr);
    let said = ferry.run(&["uow", "commit", connection, "--yes"]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("not prepared"), "{}", said.stderr);
    assert!(ferry.ok(&["uow", "list"]).contains(connection));
    assert!(ferry.ok(&["uow", "backout", connection, "--yes"]).contains("backed out"));
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "request\n");
    assert_eq!(ferry.run(&["uow", "backout", "FFFFFFFFFFFFFFFF", "--yes"]).code, 3);
    assert_eq!(ferry.run(&["uow", "backout", "nonsense"]).code, 2);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A queue manager DOUBT with two branches of transactions and a batch of a channel that are prepared; and
/// the numbers of these.
fn in_doubt(ferry: &Ferry) -> [String; 3] {
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
    [one, two, batch].map(|unit| format!("{}.{}", unit.epoch, unit.counter))
}

#[test]
fn units_in_doubt_are_listed_shown_and_decided_by_hand() {
    let ferry = Ferry::new();
    let [one, two, batch] = in_doubt(&ferry);
    let _server = ferry.start(&["qmgr", "start", "DOUBT"]);

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
        let said = ferry.run(&["uow", action, &batch, "--yes"]);
        assert_eq!(said.code, 4, "{}", said.stderr);
    }
    assert!(ferry.run(&["uow", "commit", &batch, "-y"]).stderr.contains("RESOLVE CHANNEL"));

    assert!(ferry.ok(&["uow", "commit", &one, "--yes"]).contains("committed"));
    assert_eq!(ferry.ok(&["get", "ONE"]), "hidden of ONE\n");
    // By the identifier of its coordinator: format, global part and qualifier.
    assert!(ferry.ok(&["uow", "backout", "7:7472616e73666572:74776F", "--yes"]).contains("backed out"));
    assert_eq!(ferry.run(&["uow", "backout", "7:7472616e73666572:00", "--yes"]).code, 3);
    assert_eq!(ferry.ok(&["get", "TWO"]), "held of TWO\n");
    let listed = ferry.ok(&["uow", "list"]);
    for part in ["COMMITTED", "BACKEDOUT"] {
        assert!(listed.contains(part), "{part}:\n{listed}");
    }
    assert_eq!(ferry.run(&["uow", "backout", &one, "--yes"]).code, 4, "it was decided");
    assert!(ferry.ok(&["uow", "forget", &one, "--yes"]).contains("forgotten"));
    assert_eq!(ferry.run(&["uow", "forget", &one, "--yes"]).code, 4);
    let listed = ferry.ok(&["uow", "list"]);
    assert!(
        !listed.contains("COMMITTED") && listed.contains("BACKEDOUT") && listed.contains(&batch),
        "{listed}"
    );
}

/// The output of a command on a terminal where a person types this, and whether it did its work.
fn on_a_terminal(ferry: &Ferry, arguments: &[&str], typed: &str) -> (String, bool) {
    let quoted: Vec<String> = arguments.iter().map(|word| format!("'{word}'")).collect();
    let ferry_itself = env!("CARGO_BIN_EXE_ferry");
    let script = format!("'{ferry_itself}' {}", quoted.join(" "));
    let mut command = Command::new("script");
    command.args(["-qec", &script, "/dev/null"]).current_dir(ferry.data()).env("FERRY_DATA", ferry.data());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("script runs");
    child.stdin.take().expect("a pipe").write_all(typed.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
}

#[test]
fn a_person_is_told_what_becomes_of_the_messages_and_asked_before_a_unit_ends() {
    let ferry = Ferry::new();
    let [one, two, _] = in_doubt(&ferry);
    let _server = ferry.start(&["qmgr", "start", "DOUBT"]);
    for (typed, is_done) in [("no\n", false), ("commit\n", true)] {
        let (shown, done) = on_a_terminal(&ferry, &["uow", "commit", &one], typed);
        for part in
            ["appears  put on ONE, 13 bytes", "is gone  got from ONE, 11 bytes", "of anna", "Type commit"]
        {
            assert!(shown.contains(part), "{part}:\n{shown}");
        }
        assert_eq!(done, is_done, "{shown}");
        assert_eq!(ferry.ok(&["uow", "list"]).contains("COMMITTED"), is_done, "{shown}");
    }
    let (shown, done) = on_a_terminal(&ferry, &["uow", "backout", &two], "backout\n");
    assert!(
        done && shown.contains("is gone  put on TWO") && shown.contains("returns  got from TWO"),
        "{shown}"
    );
    let (shown, done) = on_a_terminal(&ferry, &["uow", "forget", &two], "forget\n");
    assert!(done && shown.contains("then learns that the unit is unknown"), "{shown}");
}

#[test]
fn a_branch_that_is_not_prepared_is_listed_and_backed_out() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let mut program =
        Connection::connect(Options::to(format!("127.0.0.1:{}", server.port()).parse().unwrap())).unwrap();
    let branch = |number: u8| BranchId::new(7, b"transfer", &[number]).unwrap();
    let queue =
        program.open(&ObjectDescriptor::queue("DEV.QUEUE.1".parse().unwrap()), OpenOptions::OUTPUT).unwrap();
    for (number, persistence) in [(1, Persistence::Persistent), (2, Persistence::NotPersistent)] {
        program.start_branch(&branch(number), BranchStart::New).unwrap();
        let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let mut options = PutOptions::with(PutFlags::SYNCPOINT);
        program.put(queue.handle, &mut descriptor, &mut options, "in it".into()).unwrap();
        program.end_branch(&branch(number), BranchEnd::Success).unwrap();
    }
    let listed = ferry.ok(&["uow", "list"]);
    assert_eq!(listed.lines().filter(|line| line.contains("ACTIVE")).count(), 2, "{listed}");
    // One that is not in the log has no number.
    assert!(listed.contains("00000007:7472616E73666572:02"), "{listed}");
    assert!(!listed.contains("00000007:7472616E73666572:01"), "{listed}");
    assert_eq!(ferry.run(&["uow", "commit", "7:7472616E73666572:1", "--yes"]).code, 2, "half a byte");
    for number in ["01", "02"] {
        let name = format!("7:7472616E73666572:{number}");
        let refused = ferry.run(&["uow", "commit", &name, "--yes"]);
        assert!(refused.code == 4 && refused.stderr.contains("not prepared"), "{}", refused.stderr);
        assert!(ferry.ok(&["uow", "backout", &name, "--yes"]).contains("rolled back"));
    }
    assert_eq!(ferry.run(&["uow", "list"]).stdout, "");
    assert_eq!(program.prepare_branch(&branch(1)), Err(BranchRefusal::RolledBack(RollbackCause::ByOrder)));
}

#[test]
fn transactions_are_shown_and_resolved_under_familiar_names() {
    let prefix = Prefix::new();
    std::fs::create_dir_all(prefix.data()).unwrap();
    let ferry = Ferry::at(&prefix.data());
    let [one, two, batch] = in_doubt(&ferry);
    assert_eq!(prefix.run("dspmqtrn", &["-m", "DOUBT"]).code, 40);
    assert_eq!(prefix.run("rsvmqtrn", &["-m", "DOUBT", "-b", &one]).code, 40);
    let _server = ferry.start(&["qmgr", "start", "DOUBT"]);
    let shown = |arguments: &[&str], code: u8| {
        let told = prefix.run("dspmqtrn", &[&["-m", "DOUBT"][..], arguments].concat());
        assert_eq!(told.code, i32::from(code), "{arguments:?}: {}{}", told.stdout, told.stderr);
        told.stdout
    };
    let number = |number: &str| format!("QMURID({number})");
    let both = shown(&[], 0);
    assert!(both.contains(&number(&one)) && both.contains(&number(&two)), "{both}");
    assert!(both.contains("EXTURID(XA_FORMATID[00000007]") && !both.contains(&number(&batch)), "{both}");
    assert_eq!(shown(&["-e"], 0), both);
    assert_eq!(shown(&["-i"], 102), "");
    assert_eq!(shown(&["-h"], 102), "");
    let all = shown(&["-a"], 0);
    assert!(
        all.contains(&number(&batch)) && all.contains("USERID(anna)") && !all.contains("OBJECT("),
        "{all}"
    );
    let objects = shown(&["-q"], 0);
    assert!(objects.contains("OBJECT(ONE)") && objects.contains("OBJECT(BATCH)"), "{objects}");

    let resolved = |arguments: &[&str], code: i32| {
        let told = prefix.run("rsvmqtrn", arguments);
        assert_eq!(told.code, code, "{arguments:?}: {}{}", told.stdout, told.stderr);
    };
    let comma = one.replace('.', ",");
    for (arguments, code) in [
        (&["-m", "DOUBT"][..], 36),
        (&["-b", &one], 36),
        (&["-m", "DOUBT", "-b", "12"], 36),
        (&["-m", "NOPE", "-b", &one], 72),
        (&["-m", "DOUBT", "-a"], 0),
        (&["-m", "DOUBT", "-r", "1", &one], 34),
        (&["-m", "DOUBT", "-b", "9.9"], 85),
        (&["-m", "DOUBT", "-b", &batch], 32),
        (&["-m", "DOUBT", "-f", &one], 32),
        (&["-m", "DOUBT", "-c", &comma], 0),
        (&["-m", "DOUBT", "-b", &one], 32),
        (&["-m", "DOUBT", "-b", &two], 0),
    ] {
        resolved(arguments, code);
    }
    assert_eq!(ferry.ok(&["get", "ONE"]), "hidden of ONE\n");
    assert_eq!(ferry.ok(&["get", "TWO"]), "held of TWO\n");
    assert_eq!(shown(&[], 102), "");
    let by_hand = shown(&["-h"], 0);
    assert!(by_hand.contains("UOWSTATE(COMMITTED)") && by_hand.contains("UOWSTATE(BACKEDOUT)"), "{by_hand}");
    resolved(&["-m", "DOUBT", "-f", &one], 0);
    resolved(&["-m", "DOUBT", "-f", &one], 85);
    for (tool, arguments, code) in
        [("dspmqtrn", vec!["-m", "NO PE"], 72), ("dspmqtrn", vec!["-y"], 36), ("rsvmqtrn", vec!["-y"], 36)]
    {
        assert_eq!(prefix.run(tool, &arguments).code, code, "{tool} {arguments:?}");
    }
}

#[test]
fn doctor_and_check_tell_of_branches_that_have_waited_long() {
    let ferry = Ferry::new();
    let [one, two, _] = in_doubt(&ferry);
    let _server = ferry.start(&["qmgr", "start", "DOUBT"]);
    let doctor = || ferry.run(&["doctor", "DOUBT", "-o", "json"]).stdout;
    let told = doctor();
    for part in ["unit.in-doubt", "branches without a decision: 2", &format!("ferry uow show {one} -m DOUBT")]
    {
        assert!(told.contains(part), "{part}:\n{told}");
    }
    let until = Instant::now() + Duration::from_secs(30);
    let checks = |code: i32, part: &str| loop {
        // Figures are renewed once a second.
        let check = ferry.run(&["check", "in_doubt", "-m", "DOUBT"]);
        if check.code == code && check.stdout.contains(part) {
            return;
        }
        assert!(Instant::now() < until, "{}{}", check.stdout, check.stderr);
        std::thread::sleep(Duration::from_millis(200));
    };
    checks(1, "branches that wait for a decision: 2");
    ferry.ok(&["uow", "commit", &one, "--yes"]);
    ferry.ok(&["uow", "backout", &two, "--yes"]);
    checks(0, "no branch of a transaction waits");
    assert!(!doctor().contains("unit.in-doubt"), "{told}");
}
