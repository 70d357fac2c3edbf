//! Contexts: ways to queue managers under names, in a file of the person.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Ferry, ferry};

/// A person with a file of contexts, who is nowhere near a data directory.
struct Person {
    folder: tempfile::TempDir,
}

impl Person {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary directory") }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("contexts.toml")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = ferry(arguments);
        command.current_dir(self.folder.path()).env("FERRY_CONTEXTS", self.file());
        command
    }

    /// The exit code and all that was said.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        said(&mut self.command(arguments))
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let (code, said) = self.run(arguments);
        assert_eq!(code, Some(0), "ferry {arguments:?}: {said}");
        said
    }
}

fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("ferry runs");
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), text.concat())
}

fn address(data: &Path, name: &str) -> String {
    format!("unix:{}", data.join(name).join("socket").display())
}

#[test]
fn a_context_leads_to_its_queue_manager_named_chosen_or_by_the_environment() {
    let (one, other) = (Ferry::new(), Ferry::new());
    let (_one, _other) = (one.dev(), other.dev());
    let person = Person::new();
    for (name, ferry) in [("one", &one), ("other", &other)] {
        let address = address(ferry.data(), "QM1");
        person.ok(&["context", "add", name, "--connect", &address, "--qmgr", "QM1"]);
        person.ok(&["--context", name, "put", "DEV.QUEUE.1", &format!("of {name}")]);
    }
    person.ok(&["context", "use", "one"]);
    assert_eq!(person.ok(&["browse", "DEV.QUEUE.1", "--bodies"]).trim(), "of one", "the chosen one");
    assert_eq!(person.ok(&["--context", "other", "get", "DEV.QUEUE.1"]).trim(), "of other", "the named one");
    let (code, got) =
        said(person.command(&["get", "DEV.QUEUE.1", "--wait", "0"]).env("FERRY_CONTEXT", "other"));
    assert_eq!(code, Some(5), "the one of the environment stands over the chosen one: {got}");
    let (code, got) =
        said(person.command(&["--context", "one", "get", "DEV.QUEUE.1"]).env("FERRY_CONNECT", "127.0.0.1:1"));
    assert_eq!((code, got.trim()), (Some(0), "of one"), "the named one stands over the environment");
    // A data directory of this machine stands over the chosen one.
    other.ok(&["put", "DEV.QUEUE.1", "here"]);
    let (code, got) = said(person.command(&["get", "DEV.QUEUE.1"]).env("FERRY_DATA", other.data()));
    assert_eq!((code, got.trim()), (Some(0), "here"));
    assert_eq!(person.ok(&["check", "ready"]).split(':').next(), Some("FERRY OK - QM1"));
    person.ok(&["context", "use", "--none"]);
    let (code, got) = person.run(&["put", "DEV.QUEUE.1", "nowhere"]);
    assert_ne!(code, Some(0), "{got}");
}

#[test]
fn contexts_are_listed_shown_replaced_and_removed_and_each_fault_says_what_to_do() {
    let person = Person::new();
    assert!(person.ok(&["context", "list"]).contains("ferry context add NAME"));
    person.ok(&[
        "context",
        "add",
        "prod",
        "--connect",
        "mq:1414",
        "--user",
        "anna",
        "--password",
        "env:SECRET",
    ]);
    person.ok(&["context", "use", "prod"]);
    let listed = person.ok(&["context", "list", "-o", "json"]);
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("one object");
    assert_eq!((&listed["context"], &listed["chosen"]), (&"prod".into(), &true.into()));
    let shown = person.ok(&["context", "show"]);
    assert!(shown.contains("mq:1414") && shown.contains("env:SECRET"), "{shown}");
    for (arguments, expected, code) in [
        (&["context", "add", "prod", "--connect", "mq:1"][..], "--replace", 1),
        (&["context", "add", "empty"], "--connect HOST:PORT", 2),
        (&["context", "add", "a/b", "--connect", "mq:1"], "A-Z a-z 0-9", 2),
        (&["context", "add", "x", "--connect", "mq(1"], "where one host should be", 2),
        (&["context", "add", "x", "--connect", "mq:1", "--password", "hunter2"], "file:PATH", 2),
        (&["context", "use", "none"], "there are prod", 3),
        (&["context", "remove", "none"], "there are prod", 3),
        (&["--context", "none", "--connect", "mq:1", "list"], "cannot be used with", 2),
        (&["--context", "none", "put", "Q", "x"], "there is no context none", 3),
        (&["put", "Q", "x"], "the variable SECRET", 1),
    ] {
        let (found, said) = person.run(arguments);
        assert_eq!((found, said.contains(expected)), (Some(code), true), "{arguments:?}: {said}");
    }
    person.ok(&["context", "add", "prod", "--connect", "mq:1", "--replace"]);
    person.ok(&["context", "remove", "prod"]);
    assert!(!std::fs::read_to_string(person.file()).expect("the file").contains("prod"));
    std::fs::write(person.file(), "broken").expect("the file can be written");
    let (code, said) = person.run(&["put", "Q", "x"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("contexts.toml") && said.contains("correct the file"), "{said}");
    assert_eq!(person.run(&["explain", "2033"]).0, Some(0), "other commands go on");
}

#[test]
fn a_place_of_a_context_that_does_not_answer_names_the_context_and_how_to_leave_it() {
    let person = Person::new();
    person.ok(&["context", "add", "test", "--connect", "127.0.0.1:1"]);
    let (code, said) = person.run(&["--context", "test", "put", "Q", "x"]);
    assert_eq!(code, Some(1), "{said}");
    let named = "cannot connect to 127.0.0.1:1: ";
    assert!(said.contains(named) && said.contains("context test, which --context or"), "{said}");
    assert!(said.contains("next: ferry context show test"), "{said}");
    person.ok(&["context", "use", "test"]);
    let (code, said) = person.run(&["put", "Q", "x"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("context test, which `ferry context use test` chose"), "{said}");
    assert!(said.contains("next: ferry context use --none leaves the context; --connect"), "{said}");
    // Another address that is typed is not the context's.
    let (_, said) = person.run(&["put", "Q", "x", "--connect", "127.0.0.1:2"]);
    assert!(said.contains("ferry dev starts one") && !said.contains("context"), "{said}");
}

#[test]
fn contexts_that_another_user_may_change_are_used_only_where_they_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let person = Person::new();
    let file = person.folder.path().join(".config/ferrymq/contexts.toml");
    let at_home = |words: &[&str]| {
        let mut command = ferry(words);
        command.current_dir(person.folder.path()).env_remove("FERRY_CONTEXTS").env_remove("XDG_CONFIG_HOME");
        command.env("HOME", person.folder.path());
        command
    };
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    assert_eq!(said(&mut at_home(&["context", "add", "one", "--connect", "mq.example:1414"])).0, Some(0));
    let list = ["context", "list"];
    assert!(said(&mut at_home(&list)).1.contains("mq.example"));
    mode(0o666);
    for words in [&list[..], &["--context", "one", "put", "Q", "x"]] {
        let (code, text) = said(&mut at_home(words));
        assert_eq!(code, Some(4), "{text}");
        assert!(
            text.contains("contexts.toml may be changed by every user") && text.contains("FERRY_CONTEXTS"),
            "{text}"
        );
    }
    assert!(said(at_home(&list).env("FERRY_CONTEXTS", &file)).1.contains("mq.example"), "it is named");
    mode(0o600);
    assert_eq!(said(&mut at_home(&list)).0, Some(0));
}
