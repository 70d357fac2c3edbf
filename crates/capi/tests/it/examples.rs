//! The programs of `examples/c`, built and run against a queue manager.

use crate::compiler;
use crate::running::{Place, built};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

fn example(file: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c").join(file);
    let name = format!("example-{}", file.replace('.', "-"));
    match file.ends_with(".cpp") {
        true => built(&name, &source, compiler::of_c_plus_plus().first().expect("a compiler"), "c++17"),
        false => built(&name, &source, "cc", "c11"),
    }
}

/// A queue manager, and how programs reach it.
struct Reached {
    place: Place,
    environment: Vec<(&'static str, String)>,
}

impl Reached {
    fn started(&self, file: &str, arguments: &[&str]) -> Child {
        let environment: Vec<(&str, &str)> =
            self.environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut command = self.place.command(&example(file), &environment);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Runs a program, which must end well, and returns its output.
    #[track_caller]
    fn says(&self, file: &str, arguments: &[&str], input: &str) -> String {
        ended(self.started(file, arguments), input)
    }
}

#[track_caller]
fn ended(mut program: Child, input: &str) -> String {
    program.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn run_all(reached: &Reached) {
    assert_eq!(reached.says("put.c", &["A"], "one\ntwo\nthree\n"), "3 put\n");
    assert_eq!(reached.says("transfer.c", &["A", "B", "QM1"], ""), "3 moved\n");
    assert!(reached.says("administer.c", &["B"], "").lines().any(|line| line == "B 3"));
    assert_eq!(reached.says("get.c", &["B", "QM1", "100"], ""), "one\ntwo\nthree\n");
    reached.says("put.c", &["A"], "four\nfive\n");
    assert_eq!(reached.says("consumer.c", &["A", "2"], ""), "four\nfive\n");
    let replies = reached.started("reply.c", &["A", "QM1", "1"]);
    assert_eq!(reached.says("request.c", &["A", "how long?"], ""), "9 characters\n");
    ended(replies, "");
    let told = reached.says("properties.c", &["A"], "");
    assert_eq!(told, "body\ncolour = green\nnumber = 42\n");
    for module in ["sender", "receiver", "putget"] {
        let told = reached.says("rates.c", &[module, "2", "0.2", "p", "t"], "");
        assert!(told.starts_with("done=") && !told.starts_with("done=0 "), "{module}: {told}");
    }
    let responders = reached.started("rates.c", &["responder", "2", "2"]);
    let told = reached.says("rates.c", &["requester", "2", "0.5"], "");
    assert!(!told.starts_with("done=0 "), "{told}");
    ended(responders, "");
    if !compiler::of_c_plus_plus().is_empty() {
        let told = reached.says("orders.cpp", &["B", "QM1"], "");
        assert_eq!(told, "an order\nMQGET: MQRC_NO_MSG_AVAILABLE\n");
    }
}

#[test]
fn they_do_on_this_machine_what_they_say() {
    run_all(&Reached { place: Place::new(), environment: Vec::new() });
}

#[test]
fn they_do_over_the_network_what_they_say() {
    let place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    let environment = vec![("MQ_CONNECT_TYPE", "CLIENT".to_owned()), ("MQSERVER", server)];
    run_all(&Reached { place, environment });
}
