//! What is printed where nothing can be printed.

use std::fs::{File, OpenOptions};

use crate::support::Ferry;

/// A device that takes nothing, as a full disk.
fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[test]
fn a_failure_that_nobody_can_be_told_of_keeps_its_exit_code() {
    let ferry = Ferry::new();
    for (arguments, expected) in [
        (&["qmgr", "stop"][..], 3),
        (&["qmgr", "stop", "-o", "json"], 3),
        (&["qmgr", "list"], 0),
        (&["put", "NOT A NAME", "text"], 2),
        (&["nonsense"], 2),
    ] {
        let status = ferry.command(arguments).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
}

#[test]
fn an_output_that_is_full_is_named_and_what_was_not_written_is_still_there() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for arguments in
        [&["qmgr", "list"][..], &["explain", "2033"], &["mqsc", "--help"], &["mqsc", "-e", "DISPLAY QMGR"]]
    {
        let output = ferry.command(arguments).stdout(full()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(
            said.contains("cannot write to standard output: ") && said.contains("next: "),
            "{arguments:?}: {said}"
        );
    }
    ferry.ok(&["put", "DEV.QUEUE.1", "text", "--repeat", "3"]);
    let output = ferry.command(&["get", "DEV.QUEUE.1", "--all"]).stdout(full()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("got 0 messages from DEV.QUEUE.1 at QM1, then cannot write to standard output: "),
        "{said}"
    );
    assert!(said.contains("what was not written is still on DEV.QUEUE.1"), "{said}");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "text\n".repeat(3));
}
