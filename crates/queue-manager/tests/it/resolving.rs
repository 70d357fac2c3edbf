//! Connections and units of work that an administrator ends, and messages that are moved by command.

use std::sync::Arc;
use std::time::Duration;

use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, Reason, Wait};
use objects::{Response, mqsc};
use parking_lot::Mutex;
use platform::simulated::{CrashPolicy, Images, Random};
use queue_manager::connection::Connection;
use queue_manager::{
    Ask, Completions, ConnectRequest, Course, Get, GotMessage, Issuer, Outcome, Piece, Quiesce, WaitToken,
};

use crate::support::{Bench, INPUT, OUTPUT, Outcomes, Session, principal, settings};

fn run(bench: &Bench, text: &str) -> Response {
    let commands = mqsc::parse(text).unwrap();
    bench.open(bench.manager.execute(&commands[0]))
}

fn named(verb: &str, connection: &Connection, rest: &str) -> String {
    format!("{verb}({:016X}){rest}", connection.identifier())
}

/// Returns an attribute that DISPLAY CONN shows of a connection.
fn shown(bench: &Bench, connection: &Connection, keyword: &str) -> String {
    let question = named("DISPLAY CONN", connection, " ALL");
    let text = run(bench, &question).to_string();
    let from = text.find(&format!("{keyword}(")).unwrap_or_else(|| panic!("{keyword} in {text}"));
    text[from..].split([')', '(']).nth(1).unwrap().trim().to_owned()
}

#[test]
fn a_connection_that_is_stopped_leaves_nothing_behind() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(EMPTY)");
    let mut one = bench.connect();
    let output = one.open("Q", OUTPUT);
    one.put_within(output, true, "gone");
    let input = one.open("EMPTY", INPUT);
    let token = one.wait(input, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let stopped = run(&bench, &named("STOP CONN", &one.connection, ""));
    assert!(stopped.is_ok(), "{stopped:?}");
    assert_eq!(one.outcome(token), Some(Err(Reason::CONNECTION_BROKEN)), "who waits is told");
    assert_eq!(one.commit(), Err(Reason::CONNECTION_BROKEN));
    assert_eq!(one.get(input), Err(Reason::CONNECTION_BROKEN));
    assert_eq!(bench.depth("Q"), 0);
    assert!(run(&bench, "DELETE QLOCAL(EMPTY)").is_ok(), "its handles are closed");
    assert!(!run(&bench, &named("STOP CONN", &one.connection, "")).messages.is_empty());
}

/// Outcomes, upon the first of which somebody else puts a message.
#[derive(Default)]
struct PutsAtFirst {
    outcomes: Outcomes,
    putter: Mutex<Option<(Session, ObjectHandle)>>,
}

impl Completions for PutsAtFirst {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.outcomes.complete(token, outcome);
        let putter = self.putter.lock().take();
        if let Some((mut putter, queue)) = putter {
            putter.put(queue, false, "for somebody else");
        }
    }
}

#[test]
fn each_wait_of_a_connection_that_is_stopped_is_told_though_a_message_comes_just_then() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let outcomes = Arc::new(PutsAtFirst::default());
    let request = ConnectRequest {
        accounting: mqi::AccountingChoice::default(),
        application: "it".to_owned(),
        origin: "embedded".to_owned(),
        channel: mqi::ObjectName::BLANK,
        process: 0,
        instance: [0; 16],
        generation: 0,
        principal: principal("tester"),
        completions: outcomes.clone(),
    };
    let mut stopped = bench.open(bench.manager.connect(request)).unwrap();
    let object = ObjectDescriptor::queue("Q".parse().unwrap());
    let queue = bench.open(stopped.open(&object, INPUT)).unwrap().handle;
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let any = MessageDescriptor::default();
    for token in [1, 2] {
        let got = stopped.get(Ask::new(queue, &any, &options, 100, WaitToken(token)));
        assert!(matches!(got, Get::Waiting));
    }
    let mut other = bench.connect();
    let output = other.open("Q", OUTPUT);
    *outcomes.putter.lock() = Some((other, output));
    assert!(run(&bench, &named("STOP CONN", &stopped, "")).is_ok());
    let told = std::mem::take(&mut *outcomes.outcomes.0.lock());
    let told: Vec<_> = told.into_iter().map(|(token, outcome)| (token, bench.open(outcome).err())).collect();
    let broken = Some(Reason::CONNECTION_BROKEN);
    assert_eq!(told, [(1, broken), (2, broken)]);
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn a_unit_of_work_is_backed_out_and_its_program_told() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    for persistent in [true, false] {
        let mut one = bench.connect();
        let (output, input) = (one.open("Q", OUTPUT), one.open("Q", INPUT));
        one.put(output, persistent, "stays");
        assert_eq!(one.get_within(input), Ok("stays".to_owned()));
        one.put_within(output, persistent, "falls");
        let resolve = |action| run(&bench, &named("RESOLVE INDOUBT", &one.connection, action));
        let refused = resolve(" ACTION(COMMIT)");
        assert!(refused.to_string().contains("not prepared"), "{refused}");
        assert!(resolve(" ACTION(BACKOUT)").is_ok());
        assert!(!resolve(" ACTION(BACKOUT)").is_ok(), "there is none any more");
        assert_eq!(one.commit(), Err(Reason::BACKED_OUT));
        assert_eq!(one.get(input), Ok("stays".to_owned()));
        assert_eq!(one.get(input), Err(Reason::NO_MSG_AVAILABLE));
        one.put_within(output, persistent, "next");
        one.commit().unwrap();
        assert_eq!(one.get(input), Ok("next".to_owned()));
    }
}

#[test]
fn a_unit_of_work_is_shown_with_its_age_and_its_place_in_the_log() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let output = one.open("Q", OUTPUT);
    let before = |keyword| shown(&bench, &one.connection, keyword);
    assert_eq!(
        (before("UOWSTATE"), before("UOWSTDA"), before("UOWLOG")),
        ("NONE".into(), "".into(), "".into())
    );
    one.put_within(output, false, "not in the log");
    assert_eq!(shown(&bench, &one.connection, "UOWSTATE"), "ACTIVE");
    assert_eq!(shown(&bench, &one.connection, "UOWLOG"), "");
    let began = shown(&bench, &one.connection, "UOWSTTI");
    bench.pass(Duration::from_secs(90));
    one.put_within(output, true, "in the log");
    assert_eq!(shown(&bench, &one.connection, "UOWSTTI"), began);
    assert_ne!(shown(&bench, &one.connection, "UOWLOGTI"), began);
    assert_eq!(shown(&bench, &one.connection, "UOWLOG").len(), 16);
    one.commit().unwrap();
    assert_eq!(shown(&bench, &one.connection, "UOWLOG"), "");
}

#[test]
fn many_messages_are_moved_also_those_that_are_not_in_memory() {
    let small = queue_manager::Settings { memory_budget_bytes: 64 << 10, ..settings() };
    let bench = Bench::with(small, 7);
    bench.mqsc("DEFINE QLOCAL(FROM) DEFINE QLOCAL(TO)");
    let mut one = bench.connect();
    let output = one.open("FROM", OUTPUT);
    let body = |number: usize| format!("{number:04}{}", "x".repeat(500));
    for number in 0..350 {
        one.put(output, number % 3 > 0, &body(number));
        bench.run_jobs();
    }
    let closed = one.connection.close(output, mqi::CloseOptions::EMPTY);
    bench.open(closed).unwrap();
    let moved = run(&bench, "MOVE QLOCAL(FROM) TOQLOCAL(TO)");
    assert!(moved.to_string().contains("350"), "{moved}");
    assert_eq!((bench.depth("FROM"), bench.depth("TO")), (0, 350));
    let input = one.open("TO", INPUT);
    for number in 0..350 {
        assert_eq!(one.get(input), Ok(body(number)), "{number}");
    }
}

/// Where the messages of a move are: those on the queue they leave, and those on the other, in order.
fn where_they_are(bench: &Bench) -> (Vec<String>, Vec<String>) {
    let mut one = bench.connect();
    let mut all = |queue| {
        let input = one.open(queue, INPUT);
        std::iter::from_fn(|| one.get(input).ok()).collect()
    };
    (all("FROM"), all("TO"))
}

#[test]
fn a_power_cut_while_messages_are_moved_leaves_each_on_one_queue() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(FROM) DEFINE QLOCAL(TO)");
    let mut one = bench.connect();
    let output = one.open("FROM", OUTPUT);
    let bodies: Vec<String> = (0..320).map(|number| format!("{number:04}")).collect();
    for body in &bodies {
        one.put(output, true, body);
        bench.run_jobs();
    }
    let closed = one.connection.close(output, mqi::CloseOptions::EMPTY);
    bench.open(closed).unwrap();
    drop(one);
    bench.machine.disk.keep_images(Images::Every);
    let command = mqsc::parse("MOVE QLOCAL(FROM) TOQLOCAL(TO)").unwrap().remove(0);
    let mut course = Course::new(Issuer::default(), command);
    let mut pieces = 0;
    let answer = loop {
        let done = course.go_on(&bench.manager, 1);
        pieces += 1;
        bench.manager.drive();
        if let Piece::Last(answer) = done {
            break bench.open(answer);
        }
    };
    assert!(answer.to_string().contains("320") && pieces == 5, "{pieces}: {answer}");
    let mut random = Random::new(7);
    let mut moved = std::collections::BTreeSet::new();
    for (boundary, image) in bench.machine.disk.take_images() {
        let policy = CrashPolicy::random(&mut random);
        let after = bench.start_on(image.crash(&mut random, policy));
        let (left, gone) = where_they_are(&after);
        let all: Vec<&String> = gone.iter().chain(&left).collect();
        assert!(all.into_iter().eq(&bodies), "boundary {boundary}, {policy:?}: {} on TO", gone.len());
        moved.insert(gone.len());
    }
    assert!(moved.len() > 2, "cut between pieces: {moved:?}");
}

#[test]
fn a_queue_manager_that_ends_moves_no_more() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(FROM) DEFINE QLOCAL(TO)");
    let mut one = bench.connect();
    let output = one.open("FROM", OUTPUT);
    for _ in 0..150 {
        one.put(output, true, "x");
        bench.run_jobs();
    }
    let closed = one.connection.close(output, mqi::CloseOptions::EMPTY);
    bench.open(closed).unwrap();
    let command = mqsc::parse("MOVE QLOCAL(FROM) TOQLOCAL(TO)").unwrap().remove(0);
    let mut course = Course::new(Issuer::default(), command);
    assert!(matches!(course.go_on(&bench.manager, 1), Piece::Working));
    bench.manager.quiesce(Quiesce::Immediate);
    let Piece::Last(answer) = course.go_on(&bench.manager, 1) else { panic!("it ends") };
    let answer = bench.open(answer);
    assert!(!answer.is_ok() && answer.to_string().contains("100"), "{answer}");
}
