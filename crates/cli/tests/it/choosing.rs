//! Messages that are chosen by a condition, and messages that getters receive later.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testing::waiting::eventually;

use crate::support::Ferry;

/// Puts a message of each colour, in this order, with its place as its body.
fn put_colours(ferry: &Ferry, colours: &[&str]) {
    let line = |(number, colour): (usize, &&str)| {
        let properties = [format!("<usr><colour>{colour}</colour><size dt='i4'>{number}</size></usr>")];
        format!("{}\n", json!({"properties": properties, "body": number.to_string()}))
    };
    let lines: String = colours.iter().enumerate().map(line).collect();
    let said = ferry.with_input(&["import", "DEV.QUEUE.1"], lines.as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
}

#[test]
fn a_condition_chooses_the_messages_that_are_got_browsed_and_moved() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    put_colours(&ferry, &["red", "blue", "red", "green", "blue"]);
    for (condition, expected) in [
        ("colour = 'red'", "0\n2\n"),
        ("colour = 'blue' AND size > 2", "4\n"),
        ("colour LIKE 'gr%' OR size = 0", "0\n3\n"),
        ("NOT colour IN ('red', 'blue')", "3\n"),
        ("shape = 'round'", ""),
        ("", "0\n1\n2\n3\n4\n"),
    ] {
        let browsed = ferry.ok(&["browse", "DEV.QUEUE.1", "--bodies", "--where", condition]);
        assert_eq!(browsed, expected, "{condition}");
    }
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--where", "colour = 'blue'"]), "1\n");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all", "--where", "colour = 'red'"]), "0\n2\n");
    ferry.ok(&["move", "DEV.QUEUE.1", "DEV.QUEUE.2", "--where", "size = 4"]);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "4\n");
    let none = ferry.run(&["get", "DEV.QUEUE.1", "--wait", "0", "--where", "colour = 'red'"]);
    assert_eq!((none.code, none.stdout.as_str()), (5, ""));
    assert!(none.stderr.contains("there is no such message on DEV.QUEUE.1"), "{}", none.stderr);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "3\n", "what no condition chose is still there");
}

#[test]
fn a_condition_that_is_none_is_refused_with_an_example() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for condition in ["colour = ", "colour == 'red'", "colour = 'red", "'red'", "AND"] {
        for command in ["get", "browse"] {
            let said = ferry.run(&[command, "DEV.QUEUE.1", "--where", condition]);
            assert_eq!(said.code, 1, "{command} {condition}: {}", said.stderr);
            assert!(said.stderr.contains("MQRC_SELECTOR_SYNTAX_ERROR"), "{condition}: {}", said.stderr);
            assert!(said.stderr.contains("colour = 'red' AND size > 3"), "{condition}: {}", said.stderr);
        }
    }
    let long = format!("colour = '{}'", "x".repeat(20_000));
    let said = ferry.run(&["get", "DEV.QUEUE.1", "--where", &long]);
    assert!(said.code == 1 && said.stderr.contains("MQRC_SELECTION_STRING_ERROR"), "{}", said.stderr);
}

#[test]
fn a_message_with_a_delay_is_counted_at_once_and_given_to_getters_when_it_is_due() {
    const DELAY: Duration = Duration::from_secs(3);
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&[
        "mqsc",
        "-e",
        "DEFINE QALIAS(NEWS) TARGET(DEV.NEWS) TARGTYPE(TOPIC)\nDEFINE TOPIC(DEV.NEWS) TOPICSTR('news')",
    ]);
    ferry.ok(&["sub", "news", "--durable", "READER", "--wait", "0"]);
    for arguments in [
        &["put", "DEV.QUEUE.1", "one", "-P", "--delay", "3s"][..],
        &["put", "DEV.QUEUE.1", "two", "three", "-P", "--delay", "3s"],
        &["put", "NEWS", "four", "-P", "--delay", "3s"],
    ] {
        let begun = Instant::now();
        let put: Value = serde_json::from_str(&ferry.ok(&[arguments, &["-o", "json"]].concat())).unwrap();
        assert_eq!(put["delay_seconds"], 3.0, "{put}");
        let getting: &[&str] = match arguments[1] {
            "NEWS" => &["sub", "news", "--durable", "READER", "-n", "1", "--wait", "20s"],
            queue => &["get", queue, "-n", if arguments.len() > 6 { "2" } else { "1" }, "--wait", "20s"],
        };
        let early = ferry.run(&[&getting[..getting.len() - 1], &["0"]].concat());
        if begun.elapsed() < DELAY {
            assert_eq!((early.code, early.stdout.as_str()), (5, ""), "{arguments:?}");
        }
        let got = ferry.ok(getting);
        assert!(begun.elapsed() >= DELAY, "{arguments:?}: {:?}", begun.elapsed());
        assert_eq!(
            got.lines().count(),
            arguments.iter().filter(|word| ["one", "two", "three", "four"].contains(word)).count()
        );
    }
    let begun = Instant::now();
    ferry.ok(&["put", "DEV.QUEUE.1", "kept", "-P", "--delay", "5s"]);
    assert!(ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(DEV.QUEUE.1) CURDEPTH"]).contains("CURDEPTH(1)"));
    server.kill();
    let _server = ferry.dev();
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--wait", "30s"]), "kept\n");
    assert!(begun.elapsed() >= Duration::from_secs(5), "the delay outlives a crash: {:?}", begun.elapsed());
    for delay in ["soon", "-1s", "3 parsecs"] {
        assert_eq!(ferry.run(&["put", "DEV.QUEUE.1", "x", "--delay", delay]).code, 2, "{delay}");
    }
    let put = ferry.ok(&["put", "DEV.QUEUE.1", "x", "--delay", "20s"]);
    assert!(put.contains("  for getters in 20.00 s"), "{put}");
}

#[test]
fn memory_of_small_messages_goes_back_to_the_system() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let memory = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() >> 10
    };
    let before = memory();
    ferry.ok(&["put", "DEV.QUEUE.1", "0123456789", "-N", "--repeat", "60000"]);
    let full = memory();
    assert!(full > before + 20, "{before} MiB, {full} MiB full");
    // What is left after the first go is too little by itself to be given back at once.
    for count in [40_000, 20_000] {
        let got = ferry.ok(&["get", "DEV.QUEUE.1", "-n", &count.to_string()]);
        assert_eq!(got.lines().count(), count);
        std::thread::sleep(Duration::from_secs(1));
    }
    eventually("most of the memory is given back", || memory() <= before + (full - before) / 3);
}

#[test]
fn pages_of_the_manual_have_examples() {
    let ferry = Ferry::new();
    let pages = tempfile::tempdir().unwrap();
    ferry.ok(&["manual", "--to", pages.path().to_str().unwrap()]);
    for (page, line) in [
        ("ferry-get.1", r"\fBferry get ORDERS \-n 2 \-\-wait 5s\fR"),
        ("ferry-qmgr-create.1", r"\fBferry qmgr create QM1 \-\-port 1415\fR"),
        ("ferry-browse.1", r#"\-\-where "colour = \(aqred\(aq""#),
    ] {
        let text = std::fs::read_to_string(pages.path().join(page)).unwrap();
        let (_, examples) = text.split_once(".SH EXAMPLES\n").unwrap_or_else(|| panic!("{page}: {text}"));
        assert!(examples.contains(line), "{page}: {examples}");
    }
}
