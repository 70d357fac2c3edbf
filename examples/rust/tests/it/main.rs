//! The example programs, run against a queue manager.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use server::embedded::{Listeners, QueueManager};
use server::{DataDirectory, instances};

/// A queue manager that the programs connect to.
struct Bench {
    manager: QueueManager,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, name) = (DataDirectory::at(folder.path()), "QM1".parse().unwrap());
        let settings = "[log]\nextent_size = \"4 MiB\"\n[listener]\naddresses = []\n";
        instances::create(&data, &name, Some(settings)).unwrap();
        let manager = QueueManager::open_with(folder.path(), &name, Listeners::AsConfigured).unwrap();
        manager.command("DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(DEV.DEAD.LETTER.QUEUE)").unwrap();
        Self { manager, folder }
    }

    fn command(&self, program: &str, words: &[&str]) -> Command {
        let socket = self.folder.path().join("QM1/socket");
        let mut command = Command::new(Path::new(program));
        command.args(words).env("FERRY_CONNECT", format!("unix:{}", socket.display()));
        command
    }

    /// Runs a program that must succeed; returns the lines it printed.
    fn lines(&self, program: &str, words: &[&str]) -> Vec<String> {
        let output = self.command(program, words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    fn start(&self, program: &str, words: &[&str]) -> Child {
        self.command(program, words).stdout(Stdio::piped()).spawn().unwrap()
    }
}

const PUT: &str = env!("CARGO_BIN_EXE_put");
const GET: &str = env!("CARGO_BIN_EXE_get");

#[test]
fn messages_come_in_the_order_they_were_put() {
    let bench = Bench::new();
    let identifiers = bench.lines(PUT, &["A", "one", "two"]);
    assert_eq!(identifiers.len(), 2);
    assert_ne!(identifiers[0], identifiers[1]);
    assert_eq!(bench.lines(GET, &["A"]), ["one", "two"]);
    assert_eq!(bench.lines(GET, &["A"]), [""; 0]);
}

#[test]
fn a_request_is_answered() {
    let bench = Bench::new();
    let mut reply = bench.start(env!("CARGO_BIN_EXE_reply"), &["A", "1"]);
    assert_eq!(bench.lines(env!("CARGO_BIN_EXE_request"), &["A", "hello"]), ["HELLO"]);
    assert!(reply.wait().unwrap().success());
}

#[test]
fn a_later_subscriber_is_given_the_retained_publication() {
    let bench = Bench::new();
    bench.lines(env!("CARGO_BIN_EXE_publish"), &["price/tin", "12"]);
    assert_eq!(bench.lines(env!("CARGO_BIN_EXE_subscribe"), &["price/+", "1"]), ["12"]);
}

#[test]
fn a_poison_message_is_set_aside_and_the_others_are_worked_on() {
    let bench = Bench::new();
    bench.lines(PUT, &["A", "1", "poison", "2"]);
    let mut told = bench.lines(env!("CARGO_BIN_EXE_consumer"), &["A", "3"]);
    told.sort();
    assert_eq!(told, ["1", "2", "set aside after 3 attempts"]);
    assert_eq!(bench.lines(GET, &["DEV.DEAD.LETTER.QUEUE"]), ["poison"]);
}

#[test]
fn a_transaction_is_all_or_nothing() {
    let bench = Bench::new();
    let transaction = env!("CARGO_BIN_EXE_transaction");
    bench.lines(PUT, &["A", "20", "22"]);
    let failed = bench.command(transaction, &["A", "B", "3"]).output().unwrap();
    assert!(!failed.status.success(), "there are two messages");
    assert_eq!(bench.lines(transaction, &["A", "B", "2"]), ["42"]);
    assert_eq!(bench.lines(GET, &["B"]), ["42"]);
    assert_eq!(bench.lines(GET, &["A"]), [""; 0]);
}

#[test]
fn a_program_that_is_called_wrongly_says_how() {
    let bench = Bench::new();
    let output = bench.command(PUT, &["A"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("put QUEUE TEXT"), "{output:?}");
    assert!(!output.status.success());
}

/// The programs of the blocks in the guide, in their order there.
const GUIDE: [(&str, &str); 2] = [
    (env!("CARGO_BIN_EXE_guide_put_and_get"), include_str!("../../src/bin/guide_put_and_get.rs")),
    (env!("CARGO_BIN_EXE_guide_unit_of_work"), include_str!("../../src/bin/guide_unit_of_work.rs")),
];

/// The lines of a program or a block that say something, without those that make it a program.
fn said(text: &str) -> Vec<&str> {
    let frame = |line: &&str| {
        !(line.is_empty()
            || line.starts_with("//!")
            || line.starts_with("fn main")
            || ["Ok(())", "}"].contains(line))
    };
    text.lines().map(str::trim).filter(frame).collect()
}

#[test]
fn blocks_of_the_guide_run_as_they_stand() {
    let bench = Bench::new();
    bench.manager.command("DEFINE QLOCAL(DEV.QUEUE.1)\nDEFINE QLOCAL(DEV.QUEUE.2)").unwrap();
    let page = include_str!("../../../../docs/guides/rust.md");
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), GUIDE.len(), "each block has a program");
    for (block, (program, source)) in blocks.into_iter().zip(GUIDE) {
        assert_eq!(said(block), said(source));
        bench.lines(program, &[]);
    }
}
