//! `ferry export` and `ferry import` against a queue manager.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::Ferry;

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
    std::fs::write(&binary, [0xFF, 0x00, 0xFE]).unwrap();
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
    assert_eq!(ferry.ok(&["import", "DEV.QUEUE.2", file]), "imported 3 messages of DEV.QUEUE.2\n");
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

/// Who removes the file when the command has ended well would lose the rest.
#[test]
fn what_is_told_to_end_before_all_is_put_does_not_end_well() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    // An import looks at each line whether to end, blank ones too; who puts looks all the time.
    for (arguments, line, next, said) in [
        (
            &["import", "DEV.QUEUE.2", "--batch", "1"][..],
            "{\"body\":\"one\"}\n",
            "\n",
            "imported 1 message to DEV.QUEUE.2, then was told to end",
        ),
        (&["put", "DEV.QUEUE.2"], "one\n", "", "was told to end after 1 message"),
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
        let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        input.write_all(next.as_bytes()).unwrap();
        // The input goes on all the while.
        let output = child.wait_with_output().unwrap();
        drop(input);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said), "{arguments:?}: {stderr}");
        assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2", "--all"]), "one\n", "{arguments:?}");
    }
}
