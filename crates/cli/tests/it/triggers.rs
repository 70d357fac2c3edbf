//! `ferry trigger-monitor` with programs that are really started.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Ferry;

/// A program that writes down what it was started with.
fn install_clerk(ferry: &Ferry) -> String {
    install(ferry, "clerk", "printf '%s' \"$1\" > said\nshift\necho \"$@\" > rest")
}

/// A program of one script; its path.
fn install(ferry: &Ferry, name: &str, script: &str) -> String {
    let path = ferry.data().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
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
    let slow = install(&ferry, "slow", "while ! [ -e go ]; do sleep 0.05; done; touch gone");
    ferry.ok(&["mqsc", "-e", &format!("DEFINE PROCESS(SLOW) APPLICID('{slow}') ENVRDATA('&')")]);
    let quick = install(&ferry, "quick", "touch go");
    ferry.ok(&["mqsc", "-e", &format!("DEFINE PROCESS(QUICK) APPLICID('{quick}')")]);
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

/// A trigger message as its putter likes: MQTM in the order of bytes that most machines have.
fn forged(process: &str, application: &str, environment: &str) -> Vec<u8> {
    let mut bytes = b"TM  ".to_vec();
    bytes.extend_from_slice(&1_u32.to_le_bytes());
    bytes.extend_from_slice(format!("{:48}{process:48}{:64}", "ORDERS", "$(touch broken)").as_bytes());
    bytes.extend_from_slice(&6_u32.to_le_bytes());
    bytes.extend_from_slice(format!("{application:256}{environment:128}{:128}", "forged").as_bytes());
    bytes
}

#[test]
fn a_forged_trigger_message_starts_the_program_of_its_process_and_no_shell() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"]);
    let clerk = install_clerk(&ferry);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(STARTS)"]);
    let process = format!("DEFINE PROCESS(CLERK) APPLICID('{clerk}') USERDATA('defined') ENVRDATA('-v')");
    ferry.ok(&["mqsc", "-e", &process]);
    ferry.ok(&["mqsc", "-e", "DEFINE PROCESS(SHELL) APPLICID('touch broken; true')"]);
    ferry.ok(&["mqsc", "-e", "DEFINE PROCESS(LATER) APPLICID('touch') ENVRDATA('$(touch broken)')"]);
    for (process, application, environment) in [
        ("CLERK", "touch broken", "; touch broken &"),
        ("NOWHERE", "/usr/bin/touch broken", ""),
        ("", "/usr/bin/touch broken", ""),
        ("'; touch broken '", "/usr/bin/touch broken", ""),
        ("SHELL", "true", ""),
        ("LATER", "true", ""),
    ] {
        let file = ferry.data().join("forged");
        fs::write(&file, forged(process, application, environment)).unwrap();
        ferry.ok(&["put", "STARTS", "--file", file.to_str().unwrap(), "--format", "MQTRIG"]);
    }
    let told = ferry.ok(&["trigger-monitor", "-q", "STARTS", "--count", "6"]);
    assert_eq!(told.matches(&format!("started: {clerk} for")).count(), 1, "{told}");
    assert_eq!(told.matches("not started: ").count(), 5, "{told}");
    assert!(told.contains("APPLICID has ; outside of quotes, and no shell reads it"), "{told}");
    assert!(!ferry.data().join("broken").exists(), "{told}");
    let said = fs::read_to_string(ferry.data().join("said")).expect("the argument of the program");
    assert!(said.starts_with("TMC    2ORDERS "), "one argument: {said}");
    assert_eq!(said[172..428].trim_end(), clerk, "the program of the process");
    assert_eq!(said[428..556].trim_end(), "-v", "the environment of the process");
    assert_eq!(said[556..684].trim_end(), "defined", "the user data of the process");
    assert_eq!(fs::read_to_string(ferry.data().join("rest")).expect("the rest"), "-v\n");
    let answer = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) CURDEPTH"]);
    assert!(answer.contains("CURDEPTH(5)"), "{answer}");
}
