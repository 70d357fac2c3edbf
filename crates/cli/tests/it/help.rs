//! Texts that people read: help, which is the reference page, and errors.

use crate::reference;
use crate::support::Ferry;

/// Commands of another program, which has a page of its own.
const ELSEWHERE: [&str; 2] = ["bench", "report"];

/// Every command as it is typed, in the order of the help.
fn commands(ferry: &Ferry, above: &[String]) -> Vec<Vec<String>> {
    let words: Vec<&str> = above.iter().map(String::as_str).chain(["--help"]).collect();
    let help = ferry.ok(&words);
    let Some((_, listed)) = help.split_once("\nCommands:\n") else { return vec![above.to_vec()] };
    let lines = listed.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let below = names.filter(|name| !ELSEWHERE.contains(name)).flat_map(|name| {
        let below = above.iter().cloned().chain([name.to_owned()]).collect::<Vec<_>>();
        commands(ferry, &below)
    });
    below.collect()
}

const HEAD: &str = "\
# The ferry command

Made from the help of the command by `FERRY_WRITE_REFERENCE=1 cargo test -p cli`, which compares it otherwise.

Results go to standard output, everything else to standard error. Colours and progress appear only on a terminal, and
no colours when `NO_COLOR` is set.

| exit code | means |
|---|---|
| 0 | done |
| 1 | failed |
| 2 | wrong usage: the command or an option does not exist, or has a wrong value |
| 3 | the named object does not exist |
| 4 | the queue manager refused it |
| 5 | nothing came in time |

A command finds its queue manager by the first of these that applies:

1. the address in `--connect`;
2. the context of `ferry context` in `--context`;
3. `FERRY_CONNECT`, then `FERRY_CONTEXT`;
4. the context chosen by `ferry context use`, unless a queue manager or a data directory is named;
5. the queue manager in `-m` or `FERRY_QMGR`, or the only one that runs in the data directory, over its local socket;
6. the port in `FERRY_PORT` on this machine, or 1414.

The data directory is `--data` or `FERRY_DATA`, else `./ferry-data` if it exists, else `/var/lib/ferrymq`.

A body that is shown is the data behind all headers. `ferry get`, `browse`, `sub`, `request` and `dlq show` show headers and properties
apart, with `--describe` or `-o json`; `--raw` shows the bytes. `ferry reply --command` gives its command the body of the request.

`ferry put` commits a unit of work when it is full or its input is silent, and reports what is committed. `ferry get`
commits what it has written out, so a reader that goes away, or Ctrl-C, leaves the rest on the queue.

`ferry export --take` commits up to 100 messages at a time, once their lines are out: in a file for good, in a pipe so that it has
them. When its output fails, all that was not committed stays on the queue, and a file of `--file` ends with the last message that
left it; of the lines on standard output, the error says how many are of messages that left the queue.
";

#[test]
fn the_reference_page_is_what_the_help_says() {
    let commands = commands(&Ferry::new(), &[]);
    let commands: Vec<Vec<&str>> =
        commands.iter().map(|words| words.iter().map(String::as_str).collect()).collect();
    let commands: Vec<&[&str]> = commands.iter().map(Vec::as_slice).collect();
    assert!(commands.contains(&["uow", "list"].as_slice()) && commands.contains(&["put"].as_slice()));
    reference::compare(HEAD, &commands, "cli", "ferry.md");
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

#[test]
fn the_version_names_commit_build_and_formats_when_all_is_asked_for() {
    let ferry = Ferry::new();
    for words in [["--version", "--verbose"], ["--verbose", "-V"]] {
        let told = ferry.ok(&words);
        let heads: Vec<&str> = told.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(heads, ["ferry", "commit", "build", "formats", "channels"], "{told}");
        assert!(told.contains("manifest 2, log ") && told.contains("protocol 2 to "), "{told}");
    }
    assert_eq!(ferry.ok(&["--version"]), format!("ferry {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(ferry.run(&["--verbose"]).code, 2);
}

#[test]
fn each_command_has_a_page_of_the_manual() {
    let (ferry, folder) = (Ferry::new(), tempfile::tempdir().expect("a temporary directory"));
    ferry.ok(&["manual", "--to", folder.path().to_str().expect("a path")]);
    for command in commands(&ferry, &[]) {
        let page = folder.path().join(format!("ferry-{}.1", command.join("-")));
        let text =
            std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
        assert!(text.contains(".SH NAME"), "{text}");
    }
    let missing = ferry.run(&["manual", "--to", "/nowhere/at/all"]);
    assert!(missing.code == 1 && missing.stderr.contains("name a folder"), "{}", missing.stderr);
}
