//! `ferry trigger-monitor` with programs that are really started.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Ferry;

/// A program that writes down what it was started with.
fn install_clerk(ferry: &Ferry) -> String {
    let path = ferry.data().join("clerk");
    fs::write(&path, "#!/bin/sh\nprintf '%s' \"$1\" > said\nshift\necho \"$@\" > rest\n").expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    path.display().to_string()
}

#[test]
fn a_message_has_the_program_of_its_queue_started_with_the_trigger_message() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let clerk = install_clerk(&ferry);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(STARTS)"]);
    let process =
        format!("DEFINE PROCESS(CLERK) APPLICID('{clerk}') USERDATA('night; shift') ENVRDATA('-v')");
    ferry.ok(&["mqsc", "-e", &process]);
    ferry.ok(&[
        "mqsc",
        "-e",
        "DEFINE QLOCAL(ORDERS) TRIGGER INITQ(STARTS) PROCESS(CLERK) TRIGDATA('$(touch broken)')",
    ]);
    ferry.ok(&["put", "ORDERS", "first"]);
    let told = ferry.ok(&["trigger-monitor", "-q", "STARTS", "--count", "1"]);
    assert!(told.contains(&format!("started: {clerk} for queue ORDERS (process CLERK)")), "{told}");
    assert!(told.contains("ended: "), "{told}");
    let said = fs::read_to_string(ferry.data().join("said")).expect("what the program was told");
    assert_eq!(said.len(), 732, "an MQTMC2 structure: {said}");
    assert!(said.starts_with("TMC    2ORDERS "), "{said}");
    assert_eq!(said[56..104].trim_end(), "CLERK");
    assert_eq!(said[104..168].trim_end(), "$(touch broken)");
    assert_eq!(said[556..684].trim_end(), "night; shift");
    assert!(!ferry.data().join("broken").exists(), "what a trigger message says is no command");
    assert_eq!(fs::read_to_string(ferry.data().join("rest")).expect("the rest"), "-v\n");
}

#[test]
fn what_cannot_be_started_is_kept_on_the_dead_letter_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(STARTS)"]);
    ferry.ok(&["mqsc", "-e", "DEFINE PROCESS(ABSENT) APPLICID('/nowhere/clerk')"]);
    ferry.ok(&["mqsc", "-e", "DEFINE PROCESS(FOREIGN) APPLICID('CLERK') APPLTYPE(CICS)"]);
    for process in ["ABSENT", "FOREIGN"] {
        let queue = format!("DEFINE QLOCAL(TO.{process}) TRIGGER INITQ(STARTS) PROCESS({process})");
        ferry.ok(&["mqsc", "-e", &queue]);
        ferry.ok(&["put", &format!("TO.{process}"), "first"]);
    }
    ferry.ok(&["put", "STARTS", "no trigger message"]);
    let told = ferry.ok(&["trigger-monitor", "-q", "STARTS", "--count", "3"]);
    assert_eq!(told.matches("not started: ").count(), 3, "{told}");
    let answer = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) CURDEPTH"]);
    assert!(answer.contains("CURDEPTH(3)"), "{answer}");
    let answer = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(STARTS) CURDEPTH"]);
    assert!(answer.contains("CURDEPTH(0)"), "{answer}");
}

#[test]
fn a_program_that_runs_beside_the_monitor_does_not_hold_up_the_next() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(STARTS)"]);
    let process = "DEFINE PROCESS(SLOW) APPLICID('while ! [ -e go ]; do sleep 0.05; done; touch gone; true') ENVRDATA('&')";
    ferry.ok(&["mqsc", "-e", process]);
    let other = "DEFINE PROCESS(QUICK) APPLICID('touch go; true')";
    ferry.ok(&["mqsc", "-e", other]);
    for (queue, process) in [("A", "SLOW"), ("B", "QUICK")] {
        ferry.ok(&[
            "mqsc",
            "-e",
            &format!("DEFINE QLOCAL({queue}) TRIGGER INITQ(STARTS) PROCESS({process})"),
        ]);
        ferry.ok(&["put", queue, "first"]);
    }
    // It ends when nothing came for a while, in which the slow one, let go by the quick one, ends.
    let told = ferry.ok(&["trigger-monitor", "-q", "STARTS", "--wait", "2s"]);
    assert_eq!(told.matches("started: ").count(), 2, "{told}");
    assert_eq!(told.matches("ended: ").count(), 2, "{told}");
    assert!(ferry.data().join("gone").exists(), "{told}");
}
