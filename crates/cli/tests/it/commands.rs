//! The commands against a queue manager.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Ferry;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text:?} is not JSON: {error}"))
}

#[test]
fn a_newcomer_puts_looks_and_gets() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    assert_eq!(server.ready["created"], true);
    assert_eq!(server.ready["queues"][0], "DEV.QUEUE.1");
    let put =
        json(&ferry.ok(&["put", "DEV.QUEUE.1", "-P", "-o", "json", "--correlation-id", "order-17", "hello"]));
    assert_eq!((&put["messages"], &put["bytes"], &put["persistent"]), (&1.into(), &5.into(), &true.into()));
    let seen = json(&ferry.ok(&["browse", "DEV.QUEUE.1", "-o", "json"]));
    assert_eq!((&seen["body"], &seen["message_id"]), (&"hello".into(), &put["message_id"]));
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--correlation-id", "order-17"]), "hello\n");
    assert_eq!(ferry.run(&["get", "DEV.QUEUE.1", "--wait", "0"]).code, 5);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "");
}

#[test]
fn what_is_persistent_and_what_is_defined_outlive_a_kill() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(MINE) MAXDEPTH(7)"]);
    ferry.ok(&["put", "DEV.QUEUE.1", "-P", "stays"]);
    ferry.ok(&["put", "DEV.QUEUE.1", "-N", "goes"]);
    server.kill();
    let server = ferry.dev();
    assert_eq!(server.ready["created"], false);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "stays\n");
    assert!(ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(MINE) MAXDEPTH"]).contains("MAXDEPTH(7)"));
}

/// Queues that hold one message, with an alias, a remote queue and a topic; puts are answered when asked for.
const FULL_AFTER_ONE: &str = "
    DEFINE QLOCAL(A) DEFPRESP(ASYNC) MAXDEPTH(1)
    DEFINE QALIAS(B) TARGET(A) DEFPRESP(ASYNC)
    DEFINE QLOCAL(X) USAGE(XMITQ) MAXDEPTH(1)
    DEFINE QREMOTE(C) RNAME(FAR) RQMNAME(AWAY) XMITQ(X) DEFPRESP(ASYNC)
    DEFINE TOPIC(T) TOPICSTR('full') DEFPRESP(ASYNC) PMSGDLV(ALL) NPMSGDLV(ALL) USEDLQ(NO)
    DEFINE SUB(S) TOPICSTR('full') DEST(A)
    DEFINE QLOCAL(REQUESTS)";

#[test]
fn a_put_that_is_refused_fails_although_the_object_leaves_puts_unanswered() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", FULL_AFTER_ONE]);
    assert!(ferry.ok(&["put", "A", "-P", "one"]).contains("on disk now"));
    assert!(ferry.ok(&["put", "C", "-P", "one"]).contains("on disk now"));
    for (command, reason) in [
        (&["put", "A", "-P", "two"][..], "MQRC_Q_FULL"),
        (&["put", "A", "-N", "two"], "MQRC_Q_FULL"),
        (&["put", "A", "--batch", "0", "two", "three"], "MQRC_Q_FULL"),
        (&["put", "A", "two", "three"], "MQRC_Q_FULL"),
        (&["put", "B", "-P", "two"], "MQRC_Q_FULL"),
        (&["put", "B", "--batch", "0", "two", "three"], "MQRC_Q_FULL"),
        (&["put", "C", "-P", "two"], "MQRC_Q_FULL"),
        (&["pub", "full", "-P", "two"], "MQRC_PUBLICATION_FAILURE"),
        (&["pub", "full", "--batch", "0", "two", "three"], "MQRC_PUBLICATION_FAILURE"),
        (&["pub", "full", "-P", "two", "three"], "MQRC_PUBLICATION_FAILURE"),
        (&["request", "A", "two", "--wait", "10ms"], "MQRC_Q_FULL"),
        (&["request", "B", "two", "--wait", "10ms"], "MQRC_Q_FULL"),
    ] {
        let said = ferry.run(command);
        assert!(
            said.code != 0 && said.stderr.contains(reason),
            "{command:?}: {}{}",
            said.stdout,
            said.stderr
        );
        assert!(!said.stdout.contains("on disk"), "{command:?}: {}", said.stdout);
    }
    for reply_to in ["A", "B"] {
        ferry.ok(&["put", "REQUESTS", "--reply-to", reply_to, "ask"]);
        let said = ferry.run(&["reply", "REQUESTS", "-n", "1"]);
        assert!(said.code != 0 && said.stdout.contains("MQRC_Q_FULL"), "{}{}", said.stdout, said.stderr);
        let aside = json(&ferry.ok(&["dlq", "list", "-o", "json"]));
        assert_eq!((&aside["body"], &aside["dead_letter"]["reason"]), (&"ask".into(), &2053.into()));
        ferry.ok(&["dlq", "purge", "--all"]);
    }
    assert_eq!(ferry.ok(&["get", "A", "--all"]), "one\n");
}

#[test]
fn a_message_said_to_be_on_disk_outlives_a_kill_although_its_queue_leaves_puts_unanswered() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(A) DEFPRESP(ASYNC)"]);
    let said = ferry.ok(&["put", "A", "-P", "stays"]);
    server.kill();
    assert!(said.contains("persistent (on disk now)"), "{said}");
    let _server = ferry.dev();
    assert_eq!(ferry.ok(&["get", "A", "--all"]), "stays\n");
}

#[test]
fn a_publication_without_a_subscriber_is_said_to_be_stored_nowhere() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let objects = "
        DEFINE QLOCAL(A)
        DEFINE TOPIC(T) TOPICSTR('price') DEFPRESP(ASYNC)
        DEFINE TOPIC(N) TOPICSTR('near')
        DEFINE QALIAS(Q.T) TARGET(T) TARGTYPE(TOPIC) DEFPRESP(ASYNC)";
    ferry.ok(&["mqsc", "-e", objects]);
    let nowhere = ", no subscriber: not stored";
    let retained = ", no subscriber: retained only";
    for (command, expected, without) in [
        (&["pub", "price", "-P", "1"][..], nowhere, 1),
        (&["pub", "price", "-N", "1"], nowhere, 1),
        (&["pub", "price", "-P", "1", "2", "3"], nowhere, 3),
        (&["pub", "price", "-P", "--batch", "0", "1", "2"], nowhere, 2),
        (&["pub", "price", "-P", "--batch", "2", "1", "2", "3"], nowhere, 3),
        (&["put", "Q.T", "-P", "1"], nowhere, 1),
        (&["put", "Q.T", "-P", "1", "2"], nowhere, 2),
        (&["pub", "near", "-P", "--retain", "1"], retained, 1),
        (&["pub", "near", "-P", "--retain", "1", "2"], retained, 2),
    ] {
        let said = ferry.ok(command);
        assert!(said.contains(expected), "{command:?}: {said}");
        assert_eq!(said.contains("on disk now"), expected == retained, "{command:?}: {said}");
        let said = json(&ferry.ok(&[command, &["-o", "json"]].concat()));
        assert_eq!(said["without_subscriber"], without, "{command:?}: {said}");
    }
    ferry.ok(&["mqsc", "-e", "DEFINE SUB(S) TOPICSTR('price') DEST(A)"]);
    for command in
        [&["pub", "price", "-P", "1"][..], &["pub", "price", "-P", "1", "2"], &["put", "Q.T", "-P", "1"]]
    {
        let said = ferry.ok(command);
        assert!(said.contains("persistent (on disk for durable subscribers)"), "{command:?}: {said}");
        assert!(
            !said.contains("without a subscriber") && !said.contains("not stored"),
            "{command:?}: {said}"
        );
    }
    assert!(json(&ferry.ok(&["put", "A", "-o", "json", "1"]))["without_subscriber"].is_null());
}

#[test]
fn every_line_of_standard_input_is_a_message_and_comes_back_in_order() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let lines: String = (0..20_000).map(|number| format!("line {number}\n")).collect();
    let said = ferry.with_input(&["put", "DEV.QUEUE.2", "-o", "json"], lines.as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(json(&said.stdout)["messages"], 20_000);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), lines);
}

#[test]
fn a_line_is_put_although_the_pipe_stays_open() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let mut child = ferry.command(&["put", "DEV.QUEUE.2"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"now\n").unwrap();
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--wait", "5s"]), "now\n");
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The rest in the terminal after the end of a command that draws on it or edits lines there, and the time
/// that the end took.
fn told_to_end_on_a_terminal(ferry: &Ferry, arguments: &str) -> (String, Duration) {
    let run = format!(
        "timeout --foreground -k 30 -s TERM 2 {} {arguments}; echo ended with $?; stty -a",
        env!("CARGO_BIN_EXE_ferry")
    );
    let begun = Instant::now();
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &run, "/dev/null"]).current_dir(ferry.data()).env("FERRY_DATA", ferry.data());
    let output = command.stdin(Stdio::null()).output().expect("script runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), begun.elapsed())
}

#[test]
fn a_terminal_is_as_it_was_when_the_command_is_told_to_end() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for arguments in ["top --interval 1m", "mqsc"] {
        let (left, after) = told_to_end_on_a_terminal(&ferry, arguments);
        assert!(left.contains("ended with 124"), "{arguments}: {left}");
        assert!(left.contains(" icanon ") && !left.contains("-icanon"), "{arguments}: {left}");
        assert!(after < Duration::from_secs(30), "{arguments} took {after:?}");
    }
}

#[test]
fn a_queue_whose_name_has_small_letters_is_made_as_the_hint_says_and_watched() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let said = ferry.run(&["put", "lower.q", "x"]);
    let (_, hint) = said.stderr.split_once("ferry mqsc -e \"").expect("a hint");
    let (command, _) = hint.split_once('"').expect("a command in quotes");
    ferry.ok(&["mqsc", "-e", command]);
    ferry.ok(&["put", "lower.q", "x"]);
    for prefix in ["lower", "LOWER.Q"] {
        let shown = json(&ferry.ok(&["top", "--once", "-o", "json", "--queue", prefix]));
        assert_eq!(
            (shown["queues"].as_array().map(Vec::len), &shown["queues"][0]["name"]),
            (Some(1), &"lower.q".into())
        );
    }
}

#[test]
fn a_script_is_read_up_to_its_end() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let said = ferry.with_input(&["mqsc"], b"DEFINE QLOCAL(BEFORE)\nend\nDEFINE QLOCAL(BEHIND)\n");
    assert_eq!(said.code, 0, "{}", said.stdout);
    assert!(ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(BE*)"]).contains("BEFORE"));
    assert_eq!(ferry.run(&["mqsc", "-e", "DISPLAY QLOCAL(BEHIND)"]).code, 1);
}

/// A body beyond the buffer is written by itself, and leaves nothing in the buffer that could fail when the
/// get ends.
#[test]
fn a_message_that_a_full_disk_does_not_take_stays_on_its_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let body = ferry.data().join("body");
    std::fs::write(&body, "x".repeat(200_000)).unwrap();
    for arguments in [&["get", "DEV.QUEUE.1"][..], &["get", "DEV.QUEUE.1", "--all"]] {
        ferry.ok(&["put", "DEV.QUEUE.1", "-P", "--file", body.to_str().unwrap()]);
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let said = ferry.command(arguments).stdout(full).output().unwrap();
        assert_eq!(said.status.code(), Some(1), "{}", String::from_utf8_lossy(&said.stderr));
        assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--wait", "0"]).len(), 200_001, "{arguments:?}");
    }
}

#[test]
fn a_request_is_answered_by_a_command() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let mut responder = ferry
        .command(&["reply", "DEV.QUEUE.3", "--command", "tr a-z A-Z", "-n", "3"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(ferry.ok(&["request", "DEV.QUEUE.3", "hello"]), "HELLO\n");
    assert_eq!(ferry.ok(&["request", "DEV.QUEUE.3", "again", "--reply-to", "DEV.QUEUE.1"]), "AGAIN\n");
    assert_eq!(ferry.ok(&["request", "DEV.QUEUE.3", "kept", "-P"]), "KEPT\n", "to a temporary queue");
    assert!(responder.wait().unwrap().success());
    let said = ferry.run(&["request", "DEV.QUEUE.3", "nobody", "--wait", "100ms"]);
    assert_eq!(said.code, 5, "{}", said.stderr);
    assert!(said.stderr.contains("ferry reply DEV.QUEUE.3"), "{}", said.stderr);
}

#[test]
fn a_request_that_cannot_be_answered_is_set_aside_and_the_next_is_answered() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let command = "read line; test $line != poison && echo fine";
    for (backout, text, reply_to) in [
        (false, "poison", Some("DEV.QUEUE.1")),
        (false, "silent", None),
        (false, "lost", Some("NO.SUCH.QUEUE")),
        (true, "poison", Some("DEV.QUEUE.1")),
        (true, "silent", None),
    ] {
        let name = if backout { "ASIDE" } else { "" };
        let define = "DEFINE QLOCAL(ASIDE) REPLACE; ALTER QLOCAL(DEV.QUEUE.3)";
        ferry.ok(&["mqsc", "-e", &format!("{define} BOQNAME('{name}')")]);
        let put = |text: &str, reply_to: Option<&str>| {
            let mut arguments = vec!["put", "DEV.QUEUE.3", text];
            arguments.extend(reply_to.iter().flat_map(|queue| ["--reply-to", queue]));
            ferry.ok(&arguments);
        };
        put(text, reply_to);
        put("good", Some("DEV.QUEUE.2"));
        let said = ferry.run(&["reply", "DEV.QUEUE.3", "--command", command, "-n", "2"]);
        let (case, told) = ((backout, text), format!("{}{}", said.stdout, said.stderr));
        assert_eq!(said.code, 1, "{case:?}: {told}");
        assert!(told.contains("answered 1 request, set aside 1"), "{case:?}: {told}");
        assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2"]), "fine\n", "{case:?}");
        if backout {
            assert_eq!(ferry.ok(&["get", "ASIDE"]), format!("{text}\n"), "{case:?}");
        } else {
            let aside = json(&ferry.ok(&["dlq", "list", "-o", "json"]));
            assert_eq!(aside["body"], text, "{case:?}");
            assert_eq!(aside["dead_letter"]["put_by"], "ferry reply", "{case:?}");
            ferry.ok(&["dlq", "purge", "--all"]);
        }
    }
}

#[test]
fn a_request_that_cannot_be_set_aside_is_back_on_its_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(' ')"]);
    ferry.ok(&["put", "DEV.QUEUE.3", "--reply-to", "DEV.QUEUE.1", "poison"]);
    for (command, expected) in [("exit 3", "BOQNAME"), ("no-such-command-here", "run the command by hand")] {
        let said = ferry.run(&["reply", "DEV.QUEUE.3", "--command", command]);
        assert_eq!(said.code, 1, "{}", said.stderr);
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let back = json(&ferry.ok(&["browse", "DEV.QUEUE.3", "-o", "json"]));
    assert_eq!((&back["body"], &back["backout_count"]), (&"poison".into(), &2.into()));
}

#[test]
fn exit_codes_say_what_went_wrong() {
    let ferry = Ferry::new();
    for (arguments, code) in [
        (&["put", "Q", "text"][..], 1),
        (&["put"], 2),
        (&["frobnicate"], 2),
        (&["put", "BAD NAME", "x"], 2),
        (&["get", "Q", "--connect", "host:0"], 2),
        (&["put", "Q", "--file", "/nonexistent"], 3),
        (&["explain", "nonsense"], 3),
        (&["qmgr", "start"], 3),
        (&["qmgr", "start", "NONE"], 3),
        (&["stop"], 3),
        (&["mqsc", "--check", "-e", "DISPLY QMGR"], 2),
        (&["mqsc", "--check", "-e", "DISPLAY QMGR"], 0),
    ] {
        let said = ferry.run(arguments);
        assert_eq!(said.code, code, "ferry {arguments:?}: {}{}", said.stdout, said.stderr);
    }
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(SHUT) PUT(DISABLED); DEFINE QLOCAL(SMALL) MAXDEPTH(1)"]);
    for (arguments, code) in [
        (&["put", "NO.SUCH.QUEUE", "x"][..], 3),
        (&["put", "SHUT", "x"], 4),
        (&["put", "SMALL", "one", "two"], 4),
        (&["get", "SMALL", "--wait", "50ms"], 5),
        (&["mqsc", "-e", "DISPLAY QLOCAL(NOPE)"], 1),
        (&["mqsc", "-e", "DISPLY QMGR"], 2),
        (&["put", "SMALL", "x", "-m", "OTHER"], 3),
        (&["qmgr", "delete", "QM1", "--yes"], 1),
        (&["dev", "--port", "0"], 1),
    ] {
        let said = ferry.run(arguments);
        assert_eq!(said.code, code, "ferry {arguments:?}: {}{}", said.stdout, said.stderr);
        assert!(said.stdout.len() + said.stderr.len() > 0, "ferry {arguments:?} says nothing");
    }
}

#[test]
fn the_port_looked_at_last_is_that_of_the_environment() {
    let (ferry, elsewhere) = (Ferry::new(), Ferry::new());
    let server = ferry.dev();
    for (port, code, expected) in [
        (server.port().to_string(), 0, ""),
        ("0".to_owned(), 1, "none answers at 127.0.0.1:0"),
        ("many".to_owned(), 2, "FERRY_PORT is \"many\", which is no port"),
    ] {
        let output = elsewhere.command(&["put", "DEV.QUEUE.1", "x"]).env("FERRY_PORT", &port).output();
        let output = output.expect("ferry runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{port}: {stderr}");
        assert!(stderr.contains(expected), "{port}: {stderr}");
    }
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "x\n");
}

#[test]
fn several_queue_managers_run_side_by_side() {
    let ferry = Ferry::new();
    for name in ["ONE", "TWO"] {
        ferry.ok(&["qmgr", "create", name, "--port", "0", "--set", "log.extent_size=1MiB"]);
    }
    let one = ferry.start(&["qmgr", "start", "ONE"]);
    let two = ferry.start(&["qmgr", "start", "TWO"]);
    let said = ferry.run(&["put", "Q", "x"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("ONE, TWO") && said.stderr.contains("-m ONE"), "{}", said.stderr);
    ferry.ok(&["mqsc", "ONE", "-e", "DEFINE QLOCAL(Q)"]);
    ferry.ok(&["put", "Q", "x", "-m", "ONE"]);
    let listed: Vec<Value> = ferry.ok(&["list", "-o", "json"]).lines().map(json).collect();
    assert_eq!(listed.len(), 2);
    assert!(listed.iter().all(|instance| instance["running"] == true), "{listed:?}");
    ferry.ok(&["stop", "ONE"]);
    assert_eq!(one.wait(), 0);
    let address = format!("127.0.0.1:{}", two.port());
    assert_eq!(ferry.run(&["put", "Q", "x", "--connect", &address]).code, 3);
    ferry.ok(&["stop", "TWO", "--immediate"]);
    assert_eq!(two.wait(), 0);
    ferry.ok(&["qmgr", "delete", "ONE", "--yes"]);
    assert_eq!(ferry.ok(&["list", "-o", "json"]).lines().count(), 1);
}

#[test]
fn one_in_the_background_outlives_the_command_that_started_it() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "BACK"]);
    let started = json(&ferry.ok(&["qmgr", "start", "--detach", "--port", "0", "-o", "json"]));
    assert_eq!(started["queue_manager"], "BACK");
    ferry.ok(&["mqsc", "-e", "PING QMGR"]);
    let begun = Instant::now();
    ferry.ok(&["stop", "--preemptive"]);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(ferry.run(&["stop"]).code, 3);
}

#[test]
fn the_log_shows_what_was_done_whether_it_runs_or_not() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.1", "-P", "one", "two", "three"]);
    for running in [true, false] {
        if !running {
            ferry.ok(&["stop"]);
        }
        let lines: Vec<Value> =
            ferry.ok(&["log", "show", "--from", "0/0", "-o", "json"]).lines().map(json).collect();
        assert_eq!(lines[0]["queue_manager"], "QM1");
        assert!(lines.iter().any(|line| line["type"] == "epoch"), "running: {running}: {lines:?}");
        let text = ferry.ok(&["log", "show"]);
        assert!(text.starts_with("log of QM1   restart replays from "), "{text}");
    }
    assert_eq!(server.wait(), 0);
}

#[test]
fn top_prints_depths_when_nobody_watches() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.2", "x", "--repeat", "12"]);
    let sample = json(&ferry.ok(&["top", "--once", "-o", "json", "--queue", "dev.queue.2"]));
    assert_eq!(
        (&sample["queues"][0]["name"], &sample["queues"][0]["depth"]),
        (&"DEV.QUEUE.2".into(), &12.into())
    );
    assert!(ferry.ok(&["top", "--once"]).contains("DEV.QUEUE.1"));
}

#[test]
fn what_is_dumped_makes_another_queue_manager_the_same() {
    let one = Ferry::new();
    let _one = one.dev();
    one.ok(&[
        "mqsc",
        "-e",
        "DEFINE QLOCAL(ORDERS) MAXDEPTH(7) DESCR('It''s + for orders -')",
        "-e",
        "DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN) COMPMSG(ZLIBFAST,RLE)",
        "-e",
        "DEFINE SUB('a name; of any kind') TOPICSTR('orders/#') DEST(ORDERS)",
        "-e",
        "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)",
    ]);
    let script = one.ok(&["config", "dump"]);
    let other = Ferry::new();
    let _other = other.dev();
    let record = "SET AUTHREC PROFILE(MINE) OBJTYPE(QUEUE) GROUP('root') AUTHADD(PUT)";
    other.ok(&["mqsc", "-e", "DEFINE QLOCAL(MINE)", "-e", record]);
    let said = other.with_input(&["config", "diff", "-", "--prune"], script.as_bytes());
    assert!(said.stdout.contains("DELETE QLOCAL('MINE')"), "{}", said.stdout);
    let applied = other.with_input(&["config", "apply", "-", "--prune"], script.as_bytes());
    assert_eq!(applied.code, 0, "{}{}", applied.stdout, applied.stderr);
    assert_eq!(other.ok(&["config", "dump"]), script);
    assert_eq!(other.with_input(&["config", "diff", "-", "--prune"], script.as_bytes()).stdout, "");
    let cleared = other.with_input(&["config", "apply", "-"], b"CLEAR QLOCAL(ORDERS)");
    assert_eq!(cleared.code, 0, "{}", cleared.stderr);
    assert!(cleared.stdout.starts_with("* Left out, line 1: CLEAR QLOCAL('ORDERS'): "), "{}", cleared.stdout);
}

#[test]
fn a_script_with_more_than_definitions_is_applied_and_the_rest_is_listed() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let script = "* a script as it is found\nDISPLAY QMGR\nDEFINE QLOCAL(B) LIKE(A); * as A\nDELETE QLOCAL(GONE)\n\
        DEFINE QLOCAL(A) MAXDEPTH(7)\nSTART CHANNEL(TO.QM2)\nREFRESH SECURITY TYPE(CONNAUTH)\n\
        DELETE QLOCAL(SYSTEM.REST.REPLY.QUEUE)\nEXIT\nnonsense\n";
    let applied = ferry.with_input(&["config", "apply", "-"], script.as_bytes());
    assert_eq!(applied.code, 0, "{}{}", applied.stdout, applied.stderr);
    for left_out in [
        "line 2: DISPLAY QMGR",
        "line 6: START CHANNEL('TO.QM2')",
        "line 7: REFRESH SECURITY",
        "line 8: DELETE QLOCAL('SYSTEM.REST.REPLY.QUEUE'): system objects stay",
    ] {
        assert!(applied.stdout.contains(&format!("* Left out, {left_out}")), "{}", applied.stdout);
    }
    let first_change = applied.stdout.find("DEFINE QLOCAL('A')").unwrap();
    assert!(applied.stdout.rfind("* Left out").unwrap() < first_change, "{}", applied.stdout);
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(B) MAXDEPTH"]);
    assert!(shown.contains("MAXDEPTH(7)"), "{shown}");
    let told = ferry.with_input(&["config", "diff", "-", "-o", "json"], script.as_bytes()).stdout;
    assert!(told.lines().all(|line| json(line)["left_out"].is_string()), "{told}");
}

#[test]
fn a_script_that_opens_the_queue_manager_further_is_shown_and_applied_with_a_word_alone() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let before = ferry.ok(&["config", "dump"]);
    let apply = |script: &str, words: &[&str]| {
        let words: Vec<&str> = ["config", "apply", "-"].iter().chain(words).copied().collect();
        ferry.with_input(&words, script.as_bytes())
    };
    let me = platform::os::users::current();
    let map = format!("SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(MAP) MCAUSER('{me}')");
    for (script, point) in [
        ("ALTER QMGR CHLAUTH(DISABLED)", "CHLAUTH(DISABLED)"),
        ("ALTER QMGR CONNAUTH(' ')", "CONNAUTH(' ')"),
        ("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)", "CHCKCLNT(NONE)"),
        ("SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)", "is gone"),
        ("SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') WARN(YES)", "WARN(YES)"),
        ("SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)", "is gone"),
        (map.as_str(), "as an administrator"),
        (
            "SET CHLAUTH(A) TYPE(SSLPEERMAP) SSLPEER('CN=a') USERSRC(MAP) MCAUSER('mqm')",
            "as an administrator",
        ),
        ("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('mqm')", "MCAUSER(mqm)"),
        ("DEFINE CHANNEL(A) CHLTYPE(RCVR) MCAUSER('root')", "MCAUSER(root)"),
        ("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG)", "others, or change rights"),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHADD(ALTUSR)", "others, or change rights"),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('staff') AUTHADD(ALLMQI)", "others, or change rights"),
    ] {
        let said = apply(script, &[]);
        assert_eq!(said.code, 4, "{script}\n{}{}", said.stdout, said.stderr);
        let shown: Vec<&str> = said.stdout.lines().filter(|line| line.starts_with("* Opens: ")).collect();
        assert!(shown.iter().any(|line| line.contains(point)), "{script}\n{}", said.stdout);
        assert!(said.stderr.contains("--accept"), "{script}\n{}", said.stderr);
        assert_eq!(ferry.ok(&["config", "dump"]), before, "{script}");
        let diff = ferry.with_input(&["config", "diff", "-"], script.as_bytes());
        assert!(diff.code == 0 && diff.stdout.contains(shown[0]), "{script}\n{}", diff.stdout);
    }
    // What narrows, and what is so already, needs no word.
    for script in [
        "SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)",
        "SET CHLAUTH(A) TYPE(BLOCKUSER) USERLIST('*MQADMIN','eve')",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CONNECT,INQ,DSP)",
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('eve')",
        "ALTER QMGR CHLAUTH(ENABLED)",
    ] {
        let said = apply(script, &[]);
        assert_eq!(said.code, 0, "{script}\n{}{}", said.stdout, said.stderr);
    }
    let off = "ALTER QMGR CHLAUTH(DISABLED)";
    assert_eq!(apply(off, &["--accept"]).code, 0);
    assert!(ferry.ok(&["mqsc", "-e", "DISPLAY QMGR CHLAUTH"]).contains("CHLAUTH(DISABLED)"));
    assert_eq!(apply(off, &[]).code, 0, "it is off already");
    let told = ferry.with_input(&["config", "diff", "-", "-o", "json"], b"ALTER QMGR CONNAUTH(' ')").stdout;
    assert!(told.lines().any(|line| json(line)["opens"] == "CONNAUTH(' ')"), "{told}");
    // An administrator of the users file counts as one of the machine does.
    let map = "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('ada') USERSRC(MAP) MCAUSER('boss')";
    let said = ferry.with_input(&["user", "add", "QM1", "boss", "--group", "ferrymq"], b"first\n");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let until = Instant::now() + Duration::from_secs(10);
    while !apply(map, &[]).stdout.contains("as an administrator") {
        assert!(Instant::now() < until, "the file of users is read within half a second");
        ferry.ok(&["mqsc", "-e", "SET CHLAUTH(A) TYPE(USERMAP) ACTION(REMOVEALL)"]);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(apply(map, &[]).code, 4);
    assert_eq!(apply(map, &["--accept"]).code, 0);
}

#[test]
fn exits_of_a_dump_are_read_and_none_is_ever_called() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let address = format!("127.0.0.1({})", server.port());
    let trace = ferry.data().join("called");
    let program = ferry.data().join("exit.sh");
    let touch = format!("#!/bin/sh\ntouch '{}'\n", trace.display());
    std::fs::write(&program, touch).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    for exit in ["SCYEXIT", "SENDEXIT", "RCVEXIT", "MSGEXIT"] {
        let script = format!(
            "DEFINE CHANNEL(WITH.EXIT) CHLTYPE(SVRCONN) {exit}('{}(run)') REPLACE\nDEFINE QLOCAL(Q) REPLACE",
            program.display()
        );
        let said = ferry.with_input(&["config", "apply", "-"], script.as_bytes());
        // Kept for a dump, or no attribute of the channel.
        assert!([0, 2].contains(&said.code), "{exit}: {}{}", said.stdout, said.stderr);
        if said.code == 0 {
            ferry.ok(&["put", "Q", "x", "--channel", "WITH.EXIT", "--connect", &address]);
        }
    }
    assert!(!trace.exists(), "nothing was started");
}

#[test]
fn a_script_that_is_refused_or_cut_changes_nothing() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(FULL)", "-e", "DEFINE QLOCAL(OTHER) MAXDEPTH(3)"]);
    ferry.ok(&["put", "FULL", "a message"]);
    let before = ferry.ok(&["config", "dump"]);
    for (script, code, expected) in [
        // The queue manager refuses to delete a queue with messages, after other changes were made.
        (
            "DEFINE TOPIC(NEW) TOPICSTR(new)\nALTER QLOCAL(OTHER) MAXDEPTH(4)\nALTER QMGR MAXHANDS(9)\nDELETE QLOCAL(FULL)",
            1,
            "nothing is changed",
        ),
        ("DEFINE QLOCAL(NEW) +\n  MAXDEPTH(5) +\n", 2, "ends within the command of line 1"),
        ("DEFINE QLOCAL(NEW)\nDEFINE QLOCAL(X) DESCR('cut here", 2, "this quote is not closed"),
        ("DEFINE QLOCAL(NEW)\nDELETE QLOCAL(OTHER)\nALTER QLOCAL(OTHER) MAXDEPTH(9)", 2, "line 3: ALTER"),
    ] {
        let said = ferry.with_input(&["config", "apply", "-"], script.as_bytes());
        assert_eq!(said.code, code, "{script}\n{}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(expected), "{script}\n{}", said.stderr);
        assert_eq!(ferry.ok(&["config", "dump"]), before, "{script}");
    }
}

#[test]
fn a_script_forces_and_purges_where_it_says_so() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&[
        "mqsc",
        "-e",
        "DEFINE QLOCAL(FULL)",
        "-e",
        "DEFINE QLOCAL(OTHER)",
        "-e",
        "DEFINE QALIAS(OPEN) TARGET(OTHER)",
        "-e",
        "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME('h') PASSWORD('old')",
    ]);
    ferry.ok(&["put", "FULL", "a message"]);
    let mut waiting = ferry.command(&["get", "OPEN", "-w", "60s"]).stdout(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while !ferry.ok(&["mqsc", "-e", "DISPLAY QSTATUS(OTHER) IPPROCS"]).contains("IPPROCS(1)") {
        assert!(started.elapsed() < Duration::from_secs(30), "nobody waits");
    }
    let apply = |script: &str| ferry.with_input(&["config", "apply", "-"], script.as_bytes());
    // A purge that is refused comes last, behind a password, which is named.
    let said = apply("ALTER CHANNEL(C) CHLTYPE(CLNTCONN) PASSWORD('new')\nDELETE QLOCAL(OTHER) PURGE");
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("* Cannot be undone: messages of QLOCAL OTHER"), "{}", said.stdout);
    assert!(said.stderr.contains("lost or changed for good: PASSWORD of CHANNEL C"), "{}", said.stderr);
    let said = apply("ALTER QALIAS(OPEN) TARGET(FULL) FORCE");
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    let said = apply("DEFINE QLOCAL(FULL) NOREPLACE MAXDEPTH(77)");
    let kept = "* Left out, line 1: DEFINE QLOCAL('FULL') NOREPLACE MAXDEPTH(77): NOREPLACE keeps the object that is there\n";
    assert_eq!((said.code, said.stdout.as_str()), (0, kept), "{}", said.stderr);
    let said = apply("DELETE QLOCAL(FULL) PURGE");
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    waiting.kill().unwrap();
    waiting.wait().unwrap();
}

#[test]
fn what_is_published_comes_to_those_who_subscribe() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let told = json(&ferry.ok(&["pub", "price/tin", "12", "--retain", "-P", "-o", "json"]));
    assert_eq!((&told["topic"], &told["messages"]), (&"price/tin".into(), &1.into()));
    let taken = |more: &[&str]| ferry.ok(&[&["sub", "price/+", "-w", "0"], more].concat());
    assert_eq!(taken(&[]), "12\n");
    assert_eq!(taken(&["--topics"]), "price/tin  12\n");
    assert_eq!(taken(&["--new-only"]), "");
    let shown = json(&taken(&["-o", "json"]));
    assert_eq!((&shown["topic"], &shown["retained"]), (&"price/tin".into(), &true.into()));
    assert_eq!(taken(&["--durable", "board", "--selector", "JMSPriority > 4"]), "");
    ferry.ok(&["pub", "price/zinc", "seven", "-p", "7"]);
    ferry.ok(&["pub", "price/zinc", "three", "-p", "3"]);
    assert_eq!(taken(&["--durable", "board", "--remove"]), "seven\n");
    assert!(ferry.run(&["mqsc", "-e", "DISPLAY SUB('board')"]).stdout.contains("not found"));
    let none = ferry.run(&["sub", "price/iron", "-n", "1", "-w", "10ms"]);
    assert_eq!(none.code, 5);
    assert!(none.stderr.contains("received 0 of 1 publication on price/iron"), "{}", none.stderr);
    assert_eq!(ferry.run(&["sub", ""]).code, 2);
}

#[test]
fn a_line_is_published_to_one_who_waits() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let waiting = ferry.command(&["sub", "news/#", "-n", "2"]).stdout(Stdio::piped()).spawn().unwrap();
    let is_there = || ferry.ok(&["topic", "tree"]).contains("1 subscription");
    let started = Instant::now();
    while !is_there() {
        assert!(started.elapsed() < Duration::from_secs(20), "nobody subscribes");
    }
    let said = ferry.with_input(&["pub", "news/sport"], b"first\nsecond\n");
    assert_eq!(said.code, 0, "{}", said.stderr);
    let heard = waiting.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&heard.stdout), "first\nsecond\n");
}

#[test]
fn the_topic_tree_shows_what_is_where() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE TOPIC(PRICE) TOPICSTR('price')"]);
    ferry.ok(&["mqsc", "-e", "DEFINE SUB('board') TOPICSTR('price/+') DEST(DEV.QUEUE.1)"]);
    ferry.ok(&["pub", "price/tin", "12", "--retain"]);
    let tree = ferry.ok(&["topic", "tree", "price"]);
    assert_eq!(tree, "  price  (PRICE)\n    +  1 subscription\n    tin  retained\n");
    assert!(ferry.ok(&["topic", "tree"]).starts_with("all topics  (SYSTEM.BASE.TOPIC)\n"));
    let places = ferry.ok(&["topic", "tree", "price", "-o", "json"]);
    assert_eq!(json(places.lines().last().unwrap())["retained"], "YES");
    let nothing = ferry.run(&["topic", "tree", "weather"]);
    assert_eq!(nothing.code, 3, "{}", nothing.stderr);
}

#[test]
fn a_script_that_is_not_utf_8_is_named_by_line_and_byte_and_nothing_of_it_is_run() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let script = ferry.data().join("script.mqsc");
    std::fs::write(
        &script,
        b"DEFINE QLOCAL(LATIN)\n* abc\xC3\xA9\nALTER QLOCAL(LATIN) +\n  DESCR('abc\xE9')\n",
    )
    .unwrap();
    let path = script.to_str().unwrap();
    let said = ferry.run(&["mqsc", "-f", path]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    let fault = format!("{path}, line 4: byte 13 of it (0xE9) is not UTF-8");
    assert!(said.stderr.contains(&fault) && said.stderr.contains("nothing was run"), "{}", said.stderr);
    assert_eq!(ferry.run(&["mqsc", "-e", "DISPLAY QLOCAL(LATIN)"]).code, 1, "it is not there");
    // What comes by a pipe is run as it comes.
    let said = ferry.with_input(&["mqsc"], &std::fs::read(&script).unwrap());
    let expected = ["standard input, line 4: byte 13", "1 command before it went to the queue manager"];
    assert!(expected.iter().all(|part| said.stderr.contains(part)), "{}", said.stderr);
    ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(LATIN)"]);
}

#[test]
fn a_script_without_ends_of_lines_is_refused_by_its_bound() {
    let ferry = Ferry::new();
    let script = ferry.data().join("script.mqsc");
    std::fs::write(&script, vec![b'x'; 2 << 20]).unwrap();
    let said = ferry.run(&["mqsc", "--check", "-f", script.to_str().unwrap()]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("script.mqsc, line 1 has more than 1 MiB"), "{}", said.stderr);
}
