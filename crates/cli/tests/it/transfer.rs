//! `ferry export` and `ferry import` against a queue manager.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Ferry, signal};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn messages_go_out_as_lines_and_come_back_the_same() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for body in ["first", "second \"quoted\"\n"] {
        ferry.ok(&["put", "DEV.QUEUE.1", "-P", "-p", "7", "--correlation-id", "order-17", body]);
    }
    let binary = ferry.data().join("binary");
    fs::write(&binary, [0xFF, 0x00, 0xFE]).unwrap();
    ferry.ok(&["put", "DEV.QUEUE.1", "-N", "--format", "NONE", "--file", binary.to_str().unwrap()]);
    let shown = ferry.ok(&["export", "DEV.QUEUE.1"]);
    let all = lines(&shown);
    assert_eq!((all.len(), &all[0]["md"]["Priority"], &all[0]["body"]), (3, &7.into(), &"first".into()));
    assert_eq!(all[2]["body_base64"], "/wD+");
    let file = ferry.data().join("messages");
    let file = file.to_str().unwrap();
    assert_eq!(
        ferry.ok(&["export", "DEV.QUEUE.1", "--take", "--file", file]),
        "exported 3 messages of DEV.QUEUE.1\n"
    );
    assert_eq!(ferry.run(&["export", "DEV.QUEUE.1", "--file", file]).code, 1, "the file is there already");
    assert_eq!(ferry.ok(&["browse", "DEV.QUEUE.1", "-o", "json"]), "");
    assert_eq!(ferry.ok(&["import", "DEV.QUEUE.2", file]), "imported 3 messages to DEV.QUEUE.2\n");
    assert_eq!(ferry.ok(&["export", "DEV.QUEUE.2"]), shown, "descriptor, context and body are the same");
}

#[test]
fn an_import_stops_at_a_line_that_is_no_message_and_says_what_is_on_the_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let input = "{\"body\":\"one\"}\n\n{\"body\":\"two\"}\n{\"bodi\":\"three\"}\n{\"body\":\"four\"}\n";
    let said = ferry.with_input(&["import", "DEV.QUEUE.2", "-"], input.as_bytes());
    assert_eq!(said.code, 2, "{}", said.stderr);
    assert!(said.stderr.contains("imported 2 messages") && said.stderr.contains("line 4"), "{}", said.stderr);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "one\ntwo\n");
}

#[test]
fn an_import_names_the_line_that_is_no_text() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let said = ferry.with_input(&["import", "DEV.QUEUE.2"], b"{\"body\":\"one\"}\n{\"body\":\"\xE9\"}\n");
    assert_eq!(said.code, 2, "{}", said.stderr);
    let expected = "imported 1 message to DEV.QUEUE.2, then line 2: byte 10 of it (0xE9) is not UTF-8";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "one\n");
}

/// A user who removes the file when the command has ended well would lose the rest.
#[test]
fn what_is_told_to_end_before_all_is_put_does_not_end_well() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for (arguments, line, said) in [
        (
            &["import", "DEV.QUEUE.2", "--batch", "1"][..],
            "{\"body\":\"one\"}\n",
            "imported 1 message to DEV.QUEUE.2, then was told to end",
        ),
        (&["put", "DEV.QUEUE.2"], "one\n", "was told to end after 1 message"),
    ] {
        let mut command = ferry.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        // It listens for signals before it reads.
        while ferry.ok(&["browse", "DEV.QUEUE.2", "-o", "json"]).is_empty() {
            assert!(child.try_wait().unwrap().is_none(), "{arguments:?} has ended");
        }
        signal(child.id(), "TERM");
        // The input goes on all the while.
        let output = child.wait_with_output().unwrap();
        drop(input);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
        assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "one\n", "{arguments:?}");
    }
}

/// A user who clears the queue when the command has ended well would lose the rest.
#[test]
fn an_export_that_is_told_to_end_before_all_is_out_does_not_end_well() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    put_numbers(&ferry, 200);
    let mut command = ferry.command(&["export", "DEV.QUEUE.1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It listens for signals before it writes, and a pipe does not take all of it.
    let mut reader = BufReader::with_capacity(1 << 10, child.stdout.take().unwrap());
    reader.read_line(&mut String::new()).unwrap();
    signal(child.id(), "TERM");
    let read = reader.lines().map_while(Result::ok).count() + 1;
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let said =
        format!("exported {read} messages of DEV.QUEUE.1, then was told to end\n  next: every message");
    assert!(read < 200 && stderr.contains(&said), "{read} read: {stderr}");
    assert_eq!(left(&ferry).len(), 200);
}

/// The numbers of the messages that are on a queue.
fn left(ferry: &Ferry) -> Vec<usize> {
    let bodies = ferry.ok(&["browse", "DEV.QUEUE.1", "--bodies"]);
    bodies.lines().map(|body| body.trim_start_matches('0').parse().unwrap_or(0)).collect()
}

/// Messages that are their numbers, each 2,000 digits long.
fn put_numbers(ferry: &Ferry, count: usize) {
    let lines: String = (0..count).map(|number| format!("{number:02000}\n")).collect();
    assert_eq!(ferry.with_input(&["put", "DEV.QUEUE.1"], lines.as_bytes()).code, 0);
}

#[test]
fn an_export_to_a_full_disk_says_what_is_there_and_takes_nothing_that_is_not() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    put_numbers(&ferry, 3);
    for (arguments, rest) in [
        (&["export", "DEV.QUEUE.1"][..], "every message is still on DEV.QUEUE.1"),
        (&["export", "DEV.QUEUE.1", "--take"], "no message was taken off DEV.QUEUE.1"),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = ferry.command(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        let said = "exported 0 messages of DEV.QUEUE.1 whole, then standard output failed: No space left";
        assert!(stderr.contains(said) && stderr.contains(rest), "{stderr}");
        assert_eq!(left(&ferry), [0, 1, 2], "{arguments:?}");
    }
}

/// A file that may have 300 KiB: two units of work of lines of some 2,700 bytes do not fit.
#[test]
fn a_file_that_has_no_room_for_all_ends_with_the_last_message_that_was_taken() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    put_numbers(&ferry, 150);
    let file = ferry.data().join("messages");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 600; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_ferry")]);
    limited.args(["export", "DEV.QUEUE.1", "--take", "--file", file.to_str().unwrap()]);
    limited.env("FERRY_DATA", ferry.data()).env_remove("FERRY_CONNECT").env_remove("FERRY_QMGR");
    let output = limited.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let said = ["exported 100 messages of DEV.QUEUE.1 whole, then the file ", "what was exported is off"];
    assert!(said.iter().all(|part| stderr.contains(part)), "{stderr}");
    assert_eq!(lines(&fs::read_to_string(&file).unwrap()).len(), 100);
    assert_eq!(left(&ferry), (100..150).collect::<Vec<_>>());
}

#[test]
fn an_export_whose_reader_goes_away_says_which_messages_left_the_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    put_numbers(&ferry, 350);
    let mut command = ferry.command(&["export", "DEV.QUEUE.1", "--take"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // More than 100 are through when the 150th is, and of no more than 100 the last is in the pipe unread.
    let mut reader = BufReader::with_capacity(1 << 10, child.stdout.take().unwrap());
    let mut line = String::new();
    for _ in 0..150 {
        line.clear();
        reader.read_line(&mut line).unwrap();
    }
    drop(reader);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let written = stderr.strip_prefix("ferry: exported ").and_then(|rest| rest.split(' ').next()).unwrap();
    assert!((150..=200).contains(&written.parse::<usize>().unwrap()), "{stderr}");
    let said =
        ["whole, then the reader of standard output ended", "the first 100 messages are off DEV.QUEUE.1"];
    assert!(said.iter().all(|part| stderr.contains(part)), "{stderr}");
    assert_eq!(left(&ferry), (100..350).collect::<Vec<_>>());
}

#[test]
fn an_import_from_a_pipe_that_is_silent_keeps_nothing_back() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let mut child = ferry.command(&["import", "DEV.QUEUE.2"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"body\":\"one\"}\n").unwrap();
    let said = ferry.run(&["get", "DEV.QUEUE.2", "--wait", "10s"]);
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(said.stdout, "one\n", "{}", said.stderr);
}
