//! Messages taken to a pipe whose reader ends early, late, or once it has all it wants.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use crate::support::Ferry;

/// Starts a command that writes to a pipe and tells of faults by another.
fn piped(ferry: &Ferry, arguments: &[&str]) -> Child {
    let mut command = ferry.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("ferry runs")
}

/// Reads the first so many lines of a command, and no more; what it says of that, and its exit code.
fn cut_off_after(ferry: &Ferry, arguments: &[&str], lines: usize) -> (String, i32) {
    let mut child = piped(ferry, arguments);
    let mut output = BufReader::with_capacity(1, child.stdout.take().unwrap());
    for _ in 0..lines {
        assert!(output.read_line(&mut String::new()).unwrap() > 0, "{arguments:?}");
    }
    drop(output);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (said, child.wait().unwrap().code().unwrap())
}

fn left(ferry: &Ferry, queue: &str) -> usize {
    ferry.ok(&["browse", queue, "--bodies"]).lines().count()
}

#[test]
fn a_reader_that_ends_early_leaves_what_it_did_not_read_on_the_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.1", "x", "--repeat", "100"]);
    for (arguments, lines) in [
        (&["get", "DEV.QUEUE.1", "--all"][..], 2),
        (&["get", "DEV.QUEUE.1", "-n", "100"], 2),
        (&["get", "DEV.QUEUE.1", "-n", "5"], 1),
        (&["get", "DEV.QUEUE.1", "-n", "200", "-w", "10s"], 1),
        (&["get", "DEV.QUEUE.1", "--all", "-o", "json"], 0),
        (&["export", "DEV.QUEUE.1", "--take"], 2),
        (&["export", "DEV.QUEUE.1", "--take", "-n", "5"], 1),
    ] {
        let (said, code) = cut_off_after(&ferry, arguments, lines);
        assert_eq!((left(&ferry, "DEV.QUEUE.1"), code), (100, 1), "{arguments:?}: {said}");
        let told = [
            "the reader of standard output ended",
            "no message was taken off DEV.QUEUE.1",
            " -n 2 takes two",
        ];
        assert!(told.iter().all(|told| said.contains(told)), "{arguments:?}: {said}");
    }
}

#[test]
fn publications_that_a_reader_did_not_read_stay_with_their_subscription() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let durable = ["sub", "news/#", "--durable", "READER", "-w", "0"];
    ferry.ok(&durable);
    ferry.ok(&["pub", "news/today", "x", "--repeat", "100"]);
    for _ in 0..2 {
        let (said, code) = cut_off_after(&ferry, &durable, 2);
        assert!(code == 1 && said.contains("no publication was taken off news/# at QM1"), "{code}: {said}");
    }
    assert_eq!(ferry.ok(&durable).lines().count(), 100);
}

#[test]
fn what_a_reader_has_read_whole_is_taken_when_the_number_was_asked_for() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for (arguments, asked) in [
        (&["get", "DEV.QUEUE.1", "-n", "2"][..], 2),
        (&["get", "DEV.QUEUE.1"], 1),
        (&["export", "DEV.QUEUE.1", "--take", "-n", "2"], 2),
    ] {
        ferry.ok(&["put", "DEV.QUEUE.1", "x", "--repeat", "3"]);
        let (said, code) = cut_off_after(&ferry, arguments, asked);
        assert_eq!((said.as_str(), code, left(&ferry, "DEV.QUEUE.1")), ("", 0, 3 - asked), "{arguments:?}");
        ferry.ok(&["get", "DEV.QUEUE.1", "--all"]);
    }
}

#[test]
fn a_reader_that_reads_after_the_end_of_the_command_is_given_everything() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    // As many as the pipe holds: a command does not end before it has written all.
    for (arguments, messages) in
        [(&["get", "DEV.QUEUE.1", "--all"][..], 250), (&["export", "DEV.QUEUE.1", "--take"], 40)]
    {
        ferry.ok(&["put", "DEV.QUEUE.1", "x", "--repeat", &messages.to_string()]);
        let mut child = piped(&ferry, arguments);
        assert!(child.wait().unwrap().success(), "{arguments:?}");
        let read = BufReader::new(child.stdout.take().unwrap()).lines().count();
        assert_eq!((read, left(&ferry, "DEV.QUEUE.1")), (messages, 0), "{arguments:?}");
    }
}

#[test]
fn what_is_taken_for_good_when_the_reader_ends_is_told() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    const MESSAGES: usize = 20_000;
    ferry.ok(&["put", "DEV.QUEUE.1", "0123456789", "--repeat", &MESSAGES.to_string()]);
    let (said, code) = cut_off_after(&ferry, &["get", "DEV.QUEUE.1", "--all"], 5_000);
    let left = left(&ferry, "DEV.QUEUE.1");
    let told = said.split("ended: ").nth(1).and_then(|rest| rest.split(" messages taken off").next());
    let taken: usize = told.unwrap_or_else(|| panic!("{said}")).replace(',', "").parse().unwrap();
    assert_eq!((taken + left, code), (MESSAGES, 1), "{said}");
    // What the pipe holds and one unit of work may be taken beyond what was read.
    assert!((4_900..12_000).contains(&taken), "{taken}");
}
