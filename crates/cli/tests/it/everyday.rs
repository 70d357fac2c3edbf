//! The first hour with the program: names of queue managers, ports, tables, events, moves, and the next
//! step after a wrong word.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::{ObjectDescriptor, OpenOptions, Text, Verbs as _};
use serde_json::Value;

use crate::support::{Ferry, free_port};

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn settings(ferry: &Ferry, name: &str) -> String {
    std::fs::read_to_string(ferry.data().join(name).join("ferry.toml")).unwrap()
}

#[test]
fn messages_on_a_queue_for_development_outlive_a_kill() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.1", "stays"]);
    server.kill();
    let _server = ferry.dev();
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "stays\n");
}

#[test]
fn a_queue_manager_for_development_makes_queues_that_amqp_clients_name() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY CHANNEL(DEV.AMQP) CHLTYPE(AMQP) AUTOMDL AUTOPRF"]);
    for told in ["AUTOMDL(DEV.AMQP.MODEL)", "DEV.*", "test.*", "qit.*"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY QMODEL(DEV.AMQP.MODEL) DEFTYPE SHARE DEFSOPT"]);
    for told in ["DEFTYPE(PERMDYN)", " SHARE", "DEFSOPT(SHARED)"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
}

#[test]
fn queues_that_an_earlier_release_made_for_amqp_clients_are_shared_from_the_next_start_on() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let shares = |queue: &str, is_shared: bool| {
        let shown = ferry.ok(&["mqsc", "-e", &format!("DISPLAY QUEUE('{queue}') SHARE DEFSOPT")]);
        let told = if is_shared { [" SHARE", "DEFSOPT(SHARED)"] } else { ["NOSHARE", "DEFSOPT(EXCL)"] };
        assert!(told.iter().all(|word| shown.contains(word)), "{queue}: {shown}");
    };
    let mqsc = |script: &str| ferry.ok(&["mqsc", "-e", script]);
    // As an earlier release made them: a queue of the model has the attributes of the model.
    mqsc("ALTER QMODEL(DEV.AMQP.MODEL) NOSHARE DEFSOPT(EXCL) DESCR('')");
    mqsc("DEFINE QLOCAL('test.defined') NOSHARE DEFSOPT(EXCL)");
    let address = format!("127.0.0.1:{}", server.port()).parse().unwrap();
    let mut program = Connection::connect(Options::to(address)).unwrap();
    for queue in ["test.one", "qit.two", "DEV.THREE", "other.four"] {
        let model = ObjectDescriptor::queue("DEV.AMQP.MODEL".parse().unwrap());
        let model = ObjectDescriptor { dynamic_queue_name: Text::truncated(queue), ..model };
        program.open(&model, OpenOptions::OUTPUT).unwrap();
        ferry.ok(&["put", queue, "stays"]);
        shares(queue, false);
    }
    server.kill();
    let server = ferry.dev();
    for queue in ["DEV.AMQP.MODEL", "test.one", "qit.two", "DEV.THREE"] {
        shares(queue, true);
    }
    assert_eq!(ferry.ok(&["get", "test.one"]), "stays\n");
    // Those that an administrator defined, or that programs made under other names, stay as they are.
    shares("test.defined", false);
    shares("other.four", false);
    mqsc("ALTER QMODEL(DEV.AMQP.MODEL) NOSHARE DEFSOPT(EXCL)");
    server.kill();
    let _server = ferry.dev();
    shares("DEV.AMQP.MODEL", false);
}

#[test]
fn the_port_of_a_queue_manager_is_in_its_settings() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "A", "--port", "2345"]);
    assert!(settings(&ferry, "A").contains("\naddresses = [\"127.0.0.1:2345\"]\n"));
    ferry.ok(&["qmgr", "create", "B"]);
    assert!(settings(&ferry, "B").contains("\naddresses = [\"127.0.0.1:1414\"]\n"));
    let ferry = Ferry::new();
    let port = free_port();
    let server = ferry.start(&["dev", "--port", &port.to_string(), "--http", "none"]);
    assert!(settings(&ferry, "QM1").contains(&format!("\naddresses = [\"127.0.0.1:{port}\"]\n")));
    let taken = ferry.run(&["qmgr", "create", "C", "--port", &port.to_string()]);
    let expected = format!("127.0.0.1:{port} is in use by another program now");
    assert!(taken.code == 0 && taken.stderr.contains(&expected), "{}", taken.stderr);
    assert!(taken.stderr.contains("ferry qmgr start C --port 0"), "{}", taken.stderr);
    let free = ferry.run(&["qmgr", "create", "D", "--port", "0"]);
    assert!(free.code == 0 && !free.stderr.contains("in use"), "{}", free.stderr);
    server.kill();
    let again = ferry.start(&["dev", "-m", "QM1", "--http", "none"]);
    assert_eq!(again.port(), port, "without a word about it the port is that of the settings");
}

#[test]
fn a_restored_copy_says_that_its_port_is_taken_and_takes_another_when_asked() {
    let ferry = Ferry::new();
    let port = free_port();
    let server = ferry.start(&["dev", "--port", &port.to_string(), "--http", "none"]);
    ferry.ok(&["put", "DEV.QUEUE.1", "kept"]);
    let backup = ferry.data().join("backup");
    let backup = backup.to_str().unwrap();
    ferry.ok(&["backup", backup]);
    let there = Ferry::new();
    let said = there.run(&["restore", backup]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let in_use = format!("127.0.0.1:{port} is in use by another process");
    assert!(said.stderr.contains(&in_use), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains(&format!("will listen on 127.0.0.1:{port}")), "{}", said.stdout);

    let elsewhere = Ferry::new();
    let said = elsewhere.run(&["restore", backup, "--port", "0"]);
    assert!(said.code == 0 && !said.stderr.contains("in use"), "{}", said.stderr);
    assert!(said.stdout.starts_with("restored QM1 as of "), "{}", said.stdout);
    assert!(said.stdout.contains("will listen on a free port of 127.0.0.1, as"), "{}", said.stdout);
    let _copy = elsewhere.start(&["qmgr", "start", "QM1"]);
    assert_eq!(elsewhere.ok(&["get", "DEV.QUEUE.1"]), "kept\n");
    server.kill();
    let last = Ferry::new();
    let said = last.run(&["restore", backup]);
    assert!(said.code == 0 && !said.stderr.contains("in use"), "{}", said.stderr);
}

#[test]
fn a_restored_copy_says_that_the_keys_of_its_listener_are_not_in_a_backup() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "A", "--port", "0", "--set", "listener.tls=required"]);
    let made = ferry.run(&["tls", "init", "A"]).stderr;
    assert!(
        made.contains("next: ferry qmgr start A; programs") && !made.contains("set listener.tls"),
        "{made}"
    );
    ferry.ok(&["qmgr", "create", "B", "--port", "0"]);
    let made = Ferry::new();
    made.ok(&["qmgr", "create", "C", "--port", "0"]);
    let made = made.run(&["tls", "init", "C"]).stderr;
    assert!(
        made.contains("next: set listener.tls in ") && made.contains("then ferry qmgr start C"),
        "{made}"
    );
    for (name, says) in [("A", true), ("B", false)] {
        let backup = ferry.data().join(format!("backup-{name}"));
        let backup = backup.to_str().unwrap();
        ferry.ok(&["backup", backup, "-m", name]);
        let there = Ferry::new();
        let said = there.run(&["restore", backup]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(said.stderr.contains("a backup has no keys"), says, "{name}: {}", said.stderr);
        let folder = there.data().join(name).join("security");
        assert_eq!(said.stderr.contains(folder.to_str().unwrap()), says, "{name}: {}", said.stderr);
    }
}

/// The depth of each queue that has messages, as the queue manager tells it.
fn depths(ferry: &Ferry) -> Value {
    let queues = json_lines(&ferry.ok(&["queues", "--over", "0", "-o", "json"]));
    let deep = queues.iter().filter(|queue| queue["depth"] != 0);
    Value::Object(
        deep.map(|queue| (queue["name"].as_str().unwrap().to_owned(), queue["depth"].clone())).collect(),
    )
}

#[test]
fn a_backup_says_how_many_messages_each_queue_has() {
    let ferry = Ferry::new();
    let kind = ["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=\"1 MiB\""];
    ferry.ok(&kind);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(A); DEFINE QLOCAL(B); DEFINE QLOCAL(KEPT) NPMCLASS(HIGH)"]);
    let body = "x".repeat(2_000);
    let mut held: Vec<Value> = Vec::new();
    // The log goes round, so that messages come to the store, and are got from there.
    for round in 0..3 {
        ferry.ok(&["put", "A", "-P", &body, "--repeat", "700"]);
        ferry.ok(&["put", "B", "-P", "small", "--repeat", "300"]);
        ferry.ok(&["put", "B", "lost at the end"]);
        ferry.ok(&["get", "A", "-n", "450"]);
        ferry.ok(&["get", "B", "-n", "100"]);
        let backup = format!("backup{round}");
        let said = json_lines(&ferry.ok(&["backup", &backup, "-o", "json"]));
        let verified = json_lines(&ferry.ok(&["log", "verify", "-o", "json"]));
        assert_eq!(said[0]["queues"], verified[0]["queues"], "{round}");
        let there = Ferry::new();
        there.ok(&["restore", ferry.data().join(&backup).to_str().unwrap()]);
        let copy = there.start(&["qmgr", "start", "QM1"]);
        let counted = said[0]["queues"].clone();
        assert_eq!(counted, depths(&there), "{round}");
        assert_eq!(counted["A"], 250 * (round + 1), "{round}");
        held.push(counted);
        copy.kill();
    }
    ferry.ok(&["put", "KEPT", "kept by an orderly end"]);
    ferry.ok(&["qmgr", "stop", "QM1"]);
    server.wait();
    let said = ferry.ok(&["log", "verify"]);
    assert!(said.contains("a start finds ") && said.contains("           1  KEPT"), "{said}");
    assert_eq!(held.len(), 3);
}

#[test]
fn the_last_records_of_the_log_are_shown_where_they_are_asked_for() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.1", "x", "--repeat", "20", "--batch", "0"]);
    let all = ferry.ok(&["log", "show"]);
    let said = ferry.run(&["log", "show", "--last", "3"]);
    let records = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    let (all, last) = (records(&all), records(&said.stdout));
    assert_eq!(last.len(), 3, "{last:?}");
    assert_eq!(last[..], all[all.len() - 3..]);
    assert!(said.stderr.contains(&format!("the last 3 of {} records", all.len())), "{}", said.stderr);
    assert_eq!(records(&ferry.ok(&["log", "show", "--last", "2", "--blocks"])).len(), 2);
}

#[test]
fn a_command_that_is_told_to_be_quiet_prints_nothing_when_all_went_well() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for arguments in [&["put", "DEV.QUEUE.1", "x", "--quiet"][..], &["pub", "price/tin", "12", "-q"]] {
        let said = ferry.run(arguments);
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "", ""), "{arguments:?}");
    }
    let said = ferry.run(&["put", "NO.SUCH", "x", "--quiet"]);
    assert!(said.code == 3 && said.stderr.contains("NO.SUCH"), "{}", said.stderr);
}

#[test]
fn a_full_queue_names_the_command_that_lets_it_hold_more() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL('small.queue') MAXDEPTH(2)"]);
    let said = ferry.run(&["put", "small.queue", "x", "--repeat", "3"]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    let command = said.stderr.split("-e \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(command, "ALTER QLOCAL('small.queue') MAXDEPTH(20)", "{}", said.stderr);
    ferry.ok(&["mqsc", "-e", command]);
    ferry.ok(&["put", "small.queue", "x", "--repeat", "3"]);
}

#[test]
fn a_wrong_command_is_answered_with_the_right_one() {
    let ferry = Ferry::new();
    for (words, next) in [
        (&["status"][..], "ferry list"),
        (&["queue", "list"], "ferry queues"),
        (&["help"], "ferry --help"),
        (&["send", "ORDERS", "x"], "ferry put"),
        (&["-m", "QM1", "purge", "ORDERS"], "CLEAR QLOCAL"),
    ] {
        let said = ferry.run(words);
        assert_eq!(said.code, 2, "{words:?}");
        let step = said.stderr.lines().find(|line| line.starts_with("  next: ")).unwrap_or_default();
        assert!(step.contains(next), "{words:?}: {}", said.stderr);
    }
    assert!(!ferry.run(&["frobnicate"]).stderr.contains("next: "));
}

#[test]
fn wildcards_of_other_brokers_are_warned_of() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for (arguments, expected) in [
        (&["sub", "orders.>", "--wait", "0"][..], "orders/#"),
        (&["sub", "orders.*", "--wait", "0"], "orders/+"),
        (&["pub", "price/*", "12"], "price/+"),
    ] {
        let said = ferry.run(arguments);
        assert!(said.stderr.contains(expected), "{arguments:?}: {}", said.stderr);
    }
    let said = ferry.run(&["sub", "orders/+", "--wait", "0"]);
    assert!(!said.stderr.contains("stands for one"), "{}", said.stderr);
    let said = ferry.run(&["pub", "price/#", "12"]);
    assert!(said.code == 2 && said.stderr.contains("without + and #"), "{}", said.stderr);
}

#[test]
fn queues_are_one_table_that_is_sorted_and_filtered() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(ORDERS.A); DEFINE QLOCAL(ORDERS.B); DEFINE QLOCAL(EMPTY)"]);
    ferry.ok(&["put", "ORDERS.A", "x", "--repeat", "2"]);
    ferry.ok(&["put", "ORDERS.B", "x", "--repeat", "5"]);
    let names = |arguments: &[&str]| -> Vec<String> {
        let shown = ferry.ok(&[&["queues", "--over", "0", "-o", "json"], arguments].concat());
        json_lines(&shown).iter().map(|queue| queue["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["ORD*"]), ["ORDERS.A", "ORDERS.B"]);
    assert_eq!(names(&["ord*", "--sort", "depth"]), ["ORDERS.B", "ORDERS.A"]);
    assert_eq!(names(&["--where", "CURDEPTH GT 0"]), ["ORDERS.A", "ORDERS.B"]);
    assert_eq!(names(&["ORD*", "--where", "CURDEPTH GT 99"]), [""; 0]);
    assert!(names(&["SYSTEM.ADMIN*"]).contains(&"SYSTEM.ADMIN.QMGR.EVENT".to_owned()));
    assert!(!names(&[]).iter().any(|name| name.starts_with("SYSTEM.")));
    // MONQ(OFF) is the default, and the age is shown all the same.
    let orders = json_lines(&ferry.ok(&["queues", "ORDERS.A", "-o", "json"]));
    assert!(orders[0]["oldest_seconds"].is_u64(), "{orders:?}");
    let table = ferry.ok(&["queues", "ORDERS.A"]);
    assert!(table.starts_with("QUEUE ") && table.lines().nth(1).unwrap().starts_with("ORDERS.A "), "{table}");
    let said = ferry.run(&["queues", "NO.SUCH"]);
    assert!(said.code == 3 && said.stderr.contains("NO.SUCH"), "{}", said.stderr);
    for wrong in ["CURDEPTH", "CURDEPTH GT 0); CLEAR QLOCAL(ORDERS.A", "NOSUCHWORD EQ 1"] {
        let said = ferry.run(&["queues", "--where", wrong]);
        assert!(said.code != 0 && said.stdout.is_empty(), "{wrong}: {}{}", said.stdout, said.stderr);
    }
    assert_eq!(names(&["ORDERS.A", "--where", "CURDEPTH EQ 2"]), ["ORDERS.A"], "nothing was cleared");
}

#[test]
fn events_are_printed_followed_and_taken() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR PERFMEV(ENABLED) CONFIGEV(ENABLED)"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(FULL) MAXDEPTH(1) QDPMAXEV(ENABLED)"]);
    ferry.run(&["put", "FULL", "x", "--repeat", "2"]);
    let lines = ferry.ok(&["events", "-q", "SYSTEM.ADMIN.PERFM.EVENT"]);
    assert!(lines.contains("Q Full") && lines.contains("baseObjectName=FULL"), "{lines}");
    let all = json_lines(&ferry.ok(&["events", "-o", "json"]));
    assert!(all.len() >= 2, "the definition and the full queue: {all:?}");
    let times: Vec<&str> =
        all.iter().map(|event| event["eventCreation"]["timeStamp"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let full = all.iter().find(|event| event["eventReason"]["name"] == "Q Full").unwrap();
    assert_eq!(full["eventData"]["baseObjectName"], "FULL");

    let mut following = ferry
        .command(&["events", "--follow", "-q", "SYSTEM.ADMIN.CONFIG.EVENT", "-n", "200", "-o", "json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(LATER)"]);
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    let patience = Instant::now() + Duration::from_secs(20);
    while !lines.next().unwrap().unwrap().contains("LATER") {
        assert!(Instant::now() < patience, "the event of LATER did not come");
    }
    following.kill().unwrap();
    following.wait().unwrap();

    ferry.ok(&["events", "--take"]);
    let said = ferry.run(&["events"]);
    assert!(said.stdout.is_empty() && said.stderr.contains("PERFMEV(ENABLED)"), "{}", said.stderr);
    ferry.ok(&["put", "SYSTEM.ADMIN.QMGR.EVENT", "no event"]);
    let said = ferry.run(&["events"]);
    assert!(said.code == 0 && said.stderr.contains("is no event"), "{}", said.stderr);
    assert_eq!(ferry.run(&["events", "-q", "NO.SUCH"]).code, 3);
}

#[test]
fn messages_are_moved_and_copied_between_queues() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.1", "one", "--priority", "3"]);
    ferry.ok(&["put", "DEV.QUEUE.1", "two", "--message-id", "second"]);
    ferry.ok(&["put", "DEV.QUEUE.1", "three", "--priority", "9"]);
    let said = ferry.ok(&["move", "DEV.QUEUE.1", "DEV.QUEUE.2", "--message-id", "second"]);
    assert!(said.starts_with("moved 1 message from DEV.QUEUE.1 to DEV.QUEUE.2"), "{said}");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "two\n");
    let said = ferry.ok(&[
        "move",
        "DEV.QUEUE.1",
        "DEV.QUEUE.2",
        "--selector",
        "JMSPriority > 5",
        "--copy",
        "-o",
        "json",
    ]);
    assert_eq!(json_lines(&said)[0]["copied"], 1, "{said}");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "three\n");
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(SMALL) MAXDEPTH(1)"]);
    let said = ferry.run(&["move", "DEV.QUEUE.1", "SMALL"]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("moved 1 message from DEV.QUEUE.1 to SMALL, then"), "{}", said.stderr);
    assert_eq!(ferry.ok(&["get", "SMALL", "--all"]), "three\n");
    assert_eq!(ferry.ok(&["browse", "DEV.QUEUE.1", "--bodies"]), "one\n");
    for (arguments, code) in [
        (&["move", "DEV.QUEUE.1", "NO.SUCH"][..], 3),
        (&["move", "DEV.QUEUE.1", "DEV.QUEUE.1"], 2),
        (&["move", "DEV.QUEUE.1"], 2),
        (&["move", "DEV.QUEUE.1", "SMALL", "--selector", "colour ="], 1),
    ] {
        assert_eq!(ferry.run(arguments).code, code, "{arguments:?}");
    }
}

#[test]
fn a_queue_manager_is_named_by_the_option_or_by_a_word_in_every_command() {
    let ferry = Ferry::new();
    let create = |arguments: &[&str]| ferry.ok(&[&["qmgr", "create", "--port", "0"], arguments].concat());
    create(&["A"]);
    create(&["-m", "B"]);
    let (a, b) = (ferry.start(&["qmgr", "start", "A"]), ferry.start(&["qmgr", "start", "-m", "B"]));
    for (command, rest) in [
        (&["mqsc"][..], &["-e", "PING QMGR"][..]),
        (&["config", "dump"], &[]),
        (&["log", "show"], &["-n", "1"]),
        (&["log", "verify"], &[]),
        (&["guarantees"], &[]),
    ] {
        for named in [&["A"][..], &["-m", "A"], &["A", "-m", "A"]] {
            ferry.ok(&[command, named, rest].concat());
        }
        let said = ferry.run(&[command, &["A", "-m", "B"], rest].concat());
        assert_eq!(said.code, 2, "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains("two queue managers are named: A, and B by -m"), "{}", said.stderr);
        // A word stands over the environment.
        let output =
            ferry.command(&[command, &["A"], rest].concat()).env("FERRY_QMGR", "B").output().unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for named in [
        &["queues"][..],
        &["uow", "list"],
        &["events"],
        &["dlq", "list", "--queue", "SYSTEM.DEAD.LETTER.QUEUE"],
    ] {
        ferry.ok(&[named, &["-m", "A"]].concat());
        assert_eq!(ferry.run(named).code, 2, "{named:?}: two of them run");
    }
    ferry.ok(&["qmgr", "stop", "-m", "A"]);
    ferry.ok(&["qmgr", "stop", "B"]);
    a.wait();
    b.wait();
    ferry.ok(&["qmgr", "delete", "-m", "A", "--yes"]);
    assert_eq!(ferry.run(&["qmgr", "delete", "--yes"]).code, 2);
}

#[test]
fn exit_codes_are_those_of_the_table() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&[
        "mqsc",
        "-e",
        "DEFINE QLOCAL(SHUT) PUT(DISABLED) GET(DISABLED); DEFINE QLOCAL(ONE) MAXDEPTH(1)",
    ]);
    ferry.ok(&[
        "mqsc",
        "-e",
        "DEFINE QALIAS(NOWHERE) TARGET(NO.SUCH); DEFINE QREMOTE(FAR) RNAME(X) RQMNAME(NO.SUCH)",
    ]);
    ferry.ok(&["mqsc", "-e", "DEFINE TOPIC(SHUT) TOPICSTR('shut') PUB(DISABLED) SUB(DISABLED)"]);
    ferry.ok(&["put", "ONE", "x"]);
    for (arguments, code) in [
        (&["put", "ONE", "x"][..], 4),
        (&["put", "SHUT", "x"], 4),
        (&["get", "SHUT"], 4),
        (&["pub", "shut", "x"], 4),
        (&["sub", "shut"], 4),
        (&["put", "NO.SUCH", "x"], 3),
        (&["put", "NOWHERE", "x"], 3),
        (&["put", "FAR", "x"], 3),
        (&["get", "NO.SUCH"], 3),
        (&["browse", "NO.SUCH"], 3),
        (&["dlq", "list", "--queue", "NO.SUCH"], 3),
        (&["export", "NO.SUCH"], 3),
        (&["put", "ONE", "--file", "no-such-file"], 3),
        (&["mqsc", "-f", "no-such-file"], 3),
        (&["put", "ONE", "x", "--with", "no-such-file"], 3),
        (&["log", "show", "NONE"], 3),
        (&["restore", "no-such-backup"], 3),
        (&["explain", "99999"], 3),
        (&["get", "DEV.QUEUE.1", "--wait", "0"], 5),
        (&["get", "DEV.QUEUE.1", "--wait", "10ms"], 5),
        (&["request", "DEV.QUEUE.1", "x", "--wait", "10ms"], 5),
        (&["put", "BAD NAME", "x"], 2),
        (&["get"], 2),
        (&["get", "DEV.QUEUE.1", "--wait", "soon"], 2),
        (&["mqsc", "-e", "DEFINE QLOCAL(A) MAXDEPT(5)"], 2),
        (&["mqsc", "-e", "DELETE QLOCAL(NO.SUCH)"], 1),
        (&["put", "DEV.QUEUE.1", "x", "--connect", "127.0.0.1:1"], 1),
    ] {
        let said = ferry.run(arguments);
        assert_eq!(said.code, code, "{arguments:?}: {}{}", said.stdout, said.stderr);
        assert_ne!(said.stdout + &said.stderr, "", "{arguments:?} says why");
    }
}

#[test]
fn a_file_of_names_for_jms_has_the_address_queues_and_topics_and_nothing_of_the_system() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(MINE)\nDEFINE QALIAS(ALSO) TARGET(MINE)"]);
    ferry.ok(&["mqsc", "-e", "DEFINE TOPIC(PRICES) TOPICSTR('price/tin')"]);
    let text = ferry.ok(&["jndi"]);
    for line in [
        "java.naming.factory.initial = org.apache.qpid.jms.jndi.JmsInitialContextFactory",
        &format!("connectionfactory.ConnectionFactory = amqp\\://127.0.0.1\\:{}", server.port()),
        "queue.ALSO = ALSO",
        "queue.DEV.QUEUE.1 = DEV.QUEUE.1",
        "queue.MINE = MINE",
        "topic.PRICES = price/tin",
    ] {
        assert!(text.lines().any(|said| said == line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("SYSTEM."), "{text}");
    let two = [
        "jndi",
        "--amqps",
        "--username",
        "app",
        "--factory",
        "orders",
        "--address",
        "a:1",
        "--address",
        "b:2",
    ];
    let line = "connectionfactory.orders = failover\\:(amqps\\://a\\:1,amqps\\://b\\:2)?jms.username\\=app";
    let text = ferry.ok(&two);
    assert!(text.lines().any(|said| said == line), "{text}");
}

#[test]
fn a_command_that_is_proposed_names_the_data_directory_that_was_typed() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let made = ferry.data().join("two words");
    let said = ferry.ok(&["qmgr", "create", "QM2", "--port", "0", "--data", made.to_str().unwrap()]);
    let option = format!("--data '{}'", made.display());
    assert!(said.contains(&format!("ferry {option} qmgr start QM2\n")), "{said}");
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    let said = ferry.ok(&["restore", backup.to_str().unwrap(), "--data", made.to_str().unwrap()]);
    assert!(said.contains(&format!("next: ferry {option} qmgr start QM1\n")), "{said}");
    let said = ferry.ok(&["qmgr", "create", "QM3", "--port", "0"]);
    assert!(said.contains("ferry qmgr start QM3\n"), "the environment has the directory: {said}");
    // So do commands that are proposed after a failure.
    let next = |arguments: &[&str]| {
        let said = ferry.run(arguments).stderr;
        said.lines()
            .find_map(|line| line.trim().strip_prefix("next: ").map(str::to_owned))
            .expect("a next step")
    };
    let started = next(&["put", "-m", "QM2", "A", "x", "--data", made.to_str().unwrap()]);
    assert_eq!(started, format!("ferry {option} qmgr start QM2 starts it"));
    assert_eq!(next(&["put", "-m", "QM3", "A", "x"]), "ferry qmgr start QM3 starts it");
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    let defined = next(&["put", "-m", "QM1", "NOPE", "x"]);
    let expected = "ferry -m QM1 mqsc -e \"DEFINE QLOCAL(NOPE)\"";
    assert!(defined.starts_with(expected), "{defined}");
    assert_eq!(defined.matches("ferry -m QM1 mqsc ").count(), 2, "{defined}");
}

#[test]
fn a_queue_that_was_typed_in_small_letters_is_proposed_as_it_is_called() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for verb in [&["put", "dev.queue.1", "x"][..], &["browse", "Dev.Queue.1"], &["get", "dev.queue.1"]] {
        let said = ferry.run(verb);
        assert_eq!(said.code, 3, "{}", said.stderr);
        assert!(said.stderr.contains("next: use DEV.QUEUE.1, which is there"), "{}", said.stderr);
    }
    let said = ferry.run(&["put", "dev.queue.9", "x"]);
    assert!(said.stderr.contains("DEFINE QLOCAL('dev.queue.9')"), "{}", said.stderr);
}

#[test]
fn a_backup_that_cannot_be_made_proposes_another_directory_for_it() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0"]);
    let said = ferry.run(&["backup", "/proc/monday"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("cannot make /proc/monday"), "{}", said.stderr);
    let next = "next: name a directory that this user can make: ferry backup DIRECTORY";
    assert!(said.stderr.contains(next) && !said.stderr.contains("--data"), "{}", said.stderr);
}
