//! Next steps that are printed reach the queue manager that was meant: they are run as printed, in a shell
//! whose environment leads to another queue manager of the same name.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ferry, Said, ferry};

/// A command that prints a next step.
struct Row<'a> {
    /// The words typed, behind the options of the place.
    typed: &'a [&'a str],
    /// The next step that is printed, behind the options of the place.
    step: &'a str,
    /// Words that a person adds to it.
    added: &'a str,
    /// The exit code of the next step.
    code: i32,
}

const fn row<'a>(typed: &'a [&'a str], step: &'a str) -> Row<'a> {
    Row { typed, step, added: "", code: 0 }
}

/// A person in a shell whose environment leads to the first data directory.
struct Person<'a> {
    first: &'a Ferry,
    contexts: &'a Path,
}

impl Person<'_> {
    fn run(&self, command: &mut Command) -> Said {
        let output = command
            .current_dir(self.contexts)
            .env("FERRY_CONTEXTS", self.contexts.join("contexts.toml"))
            .stdin(std::process::Stdio::null())
            .output()
            .expect("the command runs");
        Said {
            code: output.status.code().expect("it ends by itself"),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn ferry(&self, typed: &[&str]) -> Command {
        let mut command = ferry(typed);
        command.env("FERRY_DATA", self.first.data());
        command
    }

    fn ok(&self, place: &[&str], typed: &[&str]) {
        let said = self.run(&mut self.ferry(&[place, typed].concat()));
        assert_eq!(said.code, 0, "{typed:?}: {}", said.stderr);
    }

    /// Types a command, finds the next step with the options of the place, and runs it as printed.
    fn follow(&self, place: &[&str], Row { typed, step, added, code }: &Row<'_>) {
        let said = self.run(&mut self.ferry(&[place, typed].concat()));
        let told = said.stdout + &said.stderr;
        let command = format!("ferry {} {step}", place.join(" "));
        assert!(told.contains(&command), "{typed:?} does not print {command:?}:\n{told}");
        let program = Path::new(env!("CARGO_BIN_EXE_ferry")).parent().expect("a folder");
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{command}{added}")]).env("PATH", path).env("FERRY_PORT", "0");
        shell.env("FERRY_DATA", self.first.data());
        let done = self.run(&mut shell);
        assert_eq!(done.code, *code, "{command}{added}: {}{}", done.stdout, done.stderr);
    }
}

/// The definitions of a queue manager, and the process that runs it.
fn state(ferry: &Ferry) -> (String, Value) {
    let listed: Value =
        serde_json::from_str(ferry.ok(&["list", "-o", "json"]).lines().next().unwrap()).unwrap();
    (ferry.ok(&["config", "dump"]), listed["process"].clone())
}

#[test]
fn printed_next_steps_are_run_in_a_second_data_directory() {
    let (first, second) = (Ferry::new(), Ferry::new());
    let _first = first.dev();
    let before = state(&first);
    let person = Person { first: &first, contexts: second.data() };
    let data = second.data().join("second").display().to_string();
    let place = ["--data", data.as_str()];
    let detached = " --detach --port 0";
    let backup = second.data().join("backup").display().to_string();
    for row in [
        row(&["list"], "qmgr create QM1"),
        Row { added: detached, ..row(&["qmgr", "create", "QM2", "--port", "0"], "qmgr start QM2") },
        row(&["qmgr", "start", "QM2"], "qmgr stop QM2"),
        row(&["qmgr", "delete", "QM2"], "qmgr delete QM2 --yes"),
        Row { added: detached, ..row(&["stop", "QM1"], "qmgr start QM1") },
        row(&["put", "NOPE", "x"], "mqsc -e \"DEFINE QLOCAL(NOPE)\""),
        row(&["put", "NOPE.2", "x"], "mqsc -e \"DISPLAY QUEUE(*)\""),
        Row { added: " --wait 0", code: 5, ..row(&["get", "NOPE", "--wait", "0"], "get NOPE") },
        row(&["get", "NOPE", "--wait", "0"], "browse NOPE"),
        row(&["status"], "list"),
        row(&["status"], "queues"),
        row(&["queue", "create", "ORDERS"], "mqsc -e \"DEFINE QLOCAL(ORDERS)\""),
        row(&["connections"], "mqsc -e \"DISPLAY CONN(*) ALL\""),
        row(&["channel", "show", "NO.SUCH"], "channel list"),
        row(&["uow", "commit", "no-unit"], "uow list"),
        row(&["why", "QM1", "deadbeef"], "why QM1"),
        row(&["topic", "tree", "nothing/here"], "topic tree"),
        row(&["queues", "NOTHING"], "queues"),
        Row { code: 3, ..row(&["copy"], "move FROM TO --copy") },
        row(&["pub", "", "x"], "pub price/tin 12"),
        row(&["request", "ORDERS", "x", "--wait", "10ms"], "browse ORDERS"),
        row(&["put", "ORDERS", "x", "y"], "mqsc -e \"ALTER QLOCAL(ORDERS) MAXDEPTH(10)\""),
        row(&["tls", "init", "QM1"], "qmgr stop QM1"),
        row(&["qmgr", "delete", "QM1"], "qmgr delete QM1 --yes"),
        Row { added: detached, ..row(&["restore", &backup, "--port", "0"], "qmgr start QM1") },
        row(&["qmgr", "start", "QM1"], "qmgr stop QM1"),
    ] {
        if row.step.starts_with("mqsc -e \"ALTER QLOCAL(ORDERS) MAXDEPTH") {
            person.ok(&place, &["mqsc", "-e", "ALTER QLOCAL(ORDERS) MAXDEPTH(1)"]);
            person.ok(&place, &["-m", "QM1", "backup", &backup]);
        }
        person.follow(&place, &row);
    }
    assert_eq!(state(&first), before, "a next step reached the first queue manager");
}

#[test]
fn next_steps_go_by_the_address_the_name_or_the_context_that_was_typed() {
    let (first, second) = (Ferry::new(), Ferry::new());
    let _first = first.dev();
    let before = state(&first);
    let server = second.dev();
    let person = Person { first: &first, contexts: second.data() };
    let socket = format!("unix:{}", second.data().join("QM1/socket").display());
    let data = second.data().display().to_string();
    person.ok(&[], &["context", "add", "two", "--data", &data, "-m", "QM1"]);
    let both = ["-m", "QM1", "--data", &data];
    for (place, queue) in [
        (&["--connect", &socket][..], "BY.ADDRESS"),
        (&["--context", "two"], "BY.CONTEXT"),
        (&both, "BY.NAME"),
    ] {
        let define = format!("mqsc -e \"DEFINE QLOCAL({queue})\"");
        person.follow(place, &row(&["put", queue, "x"], &define));
        person.follow(place, &row(&["get", queue, "--wait", "0"], &format!("browse {queue}")));
        person.follow(place, &row(&["channel", "show", "NO.SUCH"], "channel list"));
        let shown = second.ok(&["mqsc", "-e", &format!("DISPLAY QLOCAL({queue})")]);
        assert!(shown.contains(queue), "{shown}");
    }
    // A context that gives the data directory gives it to the commands that work on files too.
    person.ok(&["--context", "two"], &["stop"]);
    assert_eq!(server.wait(), 0);
    // So does one that was chosen, to the commands of the step.
    person.ok(&[], &["context", "use", "two"]);
    for (typed, start) in [
        (&["--context", "two", "get", "BY.NAME"][..], "ferry --context two qmgr start QM1 starts it"),
        (&["get", "BY.NAME"], &format!("ferry --data {data} qmgr start QM1 starts it")),
    ] {
        let said = person.run(&mut ferry(typed));
        assert!(said.stderr.contains(start), "{}", said.stderr);
    }
    assert_eq!(state(&first), before, "a next step reached the first queue manager");
}
