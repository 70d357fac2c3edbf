//! Texts that people read: help and errors.

use crate::support::Ferry;

#[test]
fn help_of_every_command() {
    let ferry = Ferry::new();
    let commands: [&[&str]; 20] = [
        &["--help"],
        &["dev", "--help"],
        &["qmgr", "--help"],
        &["qmgr", "create", "--help"],
        &["qmgr", "start", "--help"],
        &["qmgr", "stop", "--help"],
        &["qmgr", "delete", "--help"],
        &["put", "--help"],
        &["get", "--help"],
        &["browse", "--help"],
        &["request", "--help"],
        &["reply", "--help"],
        &["mqsc", "--help"],
        &["log", "show", "--help"],
        &["explain", "--help"],
        &["top", "--help"],
        &["bench", "--help"],
        &["bench", "rr", "--help"],
        &["bench", "corrid", "--help"],
        &["bench", "restart", "--help"],
    ];
    for arguments in commands {
        let name =
            arguments.iter().filter(|word| !word.starts_with('-')).copied().collect::<Vec<_>>().join("-");
        let name = if name.is_empty() { "ferry".to_owned() } else { name };
        insta::assert_snapshot!(name, ferry.ok(arguments));
    }
}

#[test]
fn errors_name_the_thing_the_reason_and_the_next_step() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(SHUT) PUT(DISABLED)"]);
    let mut text = String::new();
    let commands: [&[&str]; 9] = [
        &["put", "NO.SUCH.QUEUE", "x"],
        &["put", "SHUT", "x"],
        &["get", "DEV.QUEUE.1", "--wait", "0"],
        &["get", "DEV.QUEUE.1", "--wait", "soon"],
        &["put", "DEV QUEUE", "x"],
        &["explain", "full"],
        &["mqsc", "-e", "DEFINE QLOCAL(A) MAXDEPT(5)"],
        &["qmgr", "start", "NONE"],
        &["put", "DEV.QUEUE.1", "--file", "missing.txt"],
    ];
    for arguments in commands {
        let said = ferry.run(arguments);
        let data = ferry.data().to_string_lossy().into_owned();
        let said = format!("{}{}", said.stdout, said.stderr).replace(&data, "DATA");
        text.push_str(&format!("$ ferry {}\n{said}\n", arguments.join(" ")));
    }
    insta::assert_snapshot!(text);
}
