//! The behaviour where nothing can be printed.

use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;

use client::{Connection, Options};
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectName, OpenOptions, PutFlags, PutOptions, Text, Verbs as _,
};

use crate::support::Ferry;

/// A device that takes nothing, as a full disk.
fn full() -> File {
    fs::OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[test]
fn a_failure_that_nobody_can_be_told_of_keeps_its_exit_code() {
    let ferry = Ferry::new();
    for (arguments, expected) in [
        (&["qmgr", "stop"][..], 3),
        (&["qmgr", "stop", "-o", "json"], 3),
        (&["qmgr", "list"], 0),
        (&["put", "NOT A NAME", "text"], 2),
        (&["nonsense"], 2),
    ] {
        let status = ferry.command(arguments).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
}

#[test]
fn an_output_that_is_full_is_named_and_what_was_not_written_is_still_there() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for arguments in
        [&["qmgr", "list"][..], &["explain", "2033"], &["mqsc", "--help"], &["mqsc", "-e", "DISPLAY QMGR"]]
    {
        let output = ferry.command(arguments).stdout(full()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(
            said.contains("cannot write to standard output: ") && said.contains("next: "),
            "{arguments:?}: {said}"
        );
    }
    ferry.ok(&["put", "DEV.QUEUE.1", "text", "--repeat", "3"]);
    let output = ferry.command(&["get", "DEV.QUEUE.1", "--all"]).stdout(full()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("got 0 messages from DEV.QUEUE.1 at QM1, then cannot write to standard output: "),
        "{said}"
    );
    assert!(said.contains("what was not written is still on DEV.QUEUE.1"), "{said}");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "text\n".repeat(3));
}

/// Text that clears a terminal, names its window and goes on in a line of its own.
const HARMFUL: &str = "\x1b[2Jevil\x1b]0;\x07\nferry: all is well\u{9b}1m\u{202e}";

/// Letters of what is printed that are neither text nor the ends of lines.
fn harmful_letters(printed: &str) -> Vec<char> {
    printed.chars().filter(|letter| *letter != '\n' && objects::harmless::is_harmful(*letter)).collect()
}

#[test]
fn names_from_outside_are_shown_without_line_ends_and_escapes() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let address = format!("127.0.0.1:{}", server.port()).parse().unwrap();
    let mut program = Connection::connect(Options::to(address).application(HARMFUL)).unwrap();
    let queue = ObjectDescriptor::queue("DEV.QUEUE.1".parse::<ObjectName>().unwrap());
    let opened = program.open(&queue, OpenOptions::OUTPUT).unwrap();
    let mut descriptor = MessageDescriptor {
        user_identifier: Text::truncated("me\x1b[2J\nx"),
        format: Text::truncated("\x1b[2J\n"),
        reply_to_queue: Text::truncated("R\x1b[2J\nx").into(),
        ..MessageDescriptor::default()
    };
    for flags in [PutFlags::NO_SYNCPOINT, PutFlags::SYNCPOINT] {
        let mut options = PutOptions::with(flags);
        program.put(opened.handle, &mut descriptor, &mut options, HARMFUL.into()).unwrap();
    }
    let topic = program.open(&ObjectDescriptor::topic(HARMFUL), OpenOptions::OUTPUT).unwrap();
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
    program.put(topic.handle, &mut MessageDescriptor::default(), &mut options, "news".into()).unwrap();
    for (arguments, shown) in [
        (&["uow", "list"][..], true),
        (&["uow", "list", "-o", "json"], true),
        (&["mqsc", "-e", "DISPLAY CONN(*) ALL"], true),
        (&["mqsc", "-o", "json", "-e", "DISPLAY CONN(*) ALL"], true),
        (&["mqsc", "-e", "DISPLAY QSTATUS(DEV.QUEUE.1) TYPE(HANDLE) ALL"], true),
        (&["browse", "DEV.QUEUE.1"], true),
        (&["browse", "DEV.QUEUE.1", "-o", "json"], true),
        (&["topic", "tree"], true),
        (&["mqsc", "-e", "DISPLAY TPSTATUS('#') ALL"], true),
        (&["log", "show", "QM1"], false),
    ] {
        let printed = ferry.ok(arguments);
        assert_eq!(harmful_letters(&printed), [], "{arguments:?}: {printed}");
        assert_eq!(printed.contains("evil"), shown, "{arguments:?}: {printed}");
        let is_line = printed.lines().any(|line| line.starts_with("ferry: all is well"));
        assert!(!is_line, "{arguments:?}: {printed}");
    }
    let tool = ferry.command(&["DEV.QUEUE.1", "QM1"]).arg0("amqsbcg").output().unwrap();
    let printed = String::from_utf8_lossy(&tool.stdout);
    assert!(tool.status.success() && printed.contains("R\\u{1b}[2J"), "{printed}");
    assert_eq!(harmful_letters(&printed), [], "{printed}");
    let parsed: serde_json::Value =
        serde_json::from_str(ferry.ok(&["browse", "DEV.QUEUE.1", "-o", "json"]).trim()).unwrap();
    assert_eq!(parsed["body"], HARMFUL, "a program reads what was put");

    // What is typed wrongly comes from a script, and that has it from elsewhere.
    for arguments in [
        &["put", HARMFUL, "text"][..],
        &["browse", HARMFUL],
        &["mqsc", "-e", HARMFUL],
        &["qmgr", "start", HARMFUL],
        &["topic", "tree", HARMFUL],
        &["uow", "commit", HARMFUL],
        &[HARMFUL],
        &["qmgr", "list", HARMFUL],
    ] {
        let said = ferry.run(arguments);
        let printed = said.stdout + &said.stderr;
        assert_ne!(said.code, 0, "{arguments:?}");
        assert_eq!(harmful_letters(&printed), [], "{arguments:?}: {printed}");
        assert!(printed.contains("evil"), "{arguments:?}: {printed}");
        let is_line = printed.lines().any(|line| line.starts_with("ferry: all is well"));
        assert!(!is_line, "{arguments:?}: {printed}");
    }
}

/// Colours, hidden text, another title and a turned line, as a file may have them.
const PAINTED: [&str; 3] =
    ["\x1b[31mevil\x1b[8m", "\x1b]0;evil\x07\x1b[1;31m\x1bc", "evil\u{202e}\u{9b}1m\u{2066}\x1b[2m"];

#[test]
fn nothing_of_a_file_or_of_its_name_is_printed_raw() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let write = |name: &str, content: &[u8]| {
        let path = ferry.data().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (number, painted) in PAINTED.into_iter().enumerate() {
        let script = write(
            &format!("script{number}"),
            format!("* {painted}\nDEFINE QLOCAL('{painted}')\nDISPLAY '\"{painted}\nDEFINE {painted}(Q)\n")
                .as_bytes(),
        );
        let left = write(
            &format!("left{number}"),
            format!("DEFINE QLOCAL(Q) DESCR('x') LIKE({painted})\nCLEAR QLOCAL(Q) {painted}\n").as_bytes(),
        );
        let named = write(&format!("named{painted}"), b"DISPLAY QMGR");
        let ini = write(&format!("ini{number}"), format!("{painted}:\n  Key{painted}=1\n").as_bytes());
        let rules =
            write(&format!("rules{number}"), format!("REASON({painted}) ACTION({painted})\n").as_bytes());
        let contexts =
            write(&format!("contexts{number}"), format!("[context.'{painted}']\nuser=1\n").as_bytes());
        let bundle = write(&format!("bundle{number}"), format!("address: {painted}\n{painted}\n").as_bytes());
        let none = format!("no/{painted}");
        for arguments in [
            &["mqsc", "QM1", "-f", &script][..],
            &["mqsc", "QM1", "--check", "-f", &script],
            &["mqsc", "QM1", "-f", &named],
            &["mqsc", "QM1", "-f", &none],
            &["config", "diff", "-m", "QM1", &script],
            &["config", "apply", "-m", "QM1", &left],
            &["config", "apply", "-m", "QM1", &none],
            &["config", "from-ini", &ini],
            &["dlq", "rules", "--check", &rules],
            &["dlq", "rules", "--check", &none],
            &["import", "DEV.QUEUE.1", &script],
            &["import", "DEV.QUEUE.1", &none],
            &["put", "DEV.QUEUE.1", "--with", &bundle, "x"],
            &["put", "DEV.QUEUE.1", "--with", &none, "x"],
            &["tls", "import", "QM1", "theirs", "--certificates", &script],
            &["tls", "import", "QM1", "theirs", "--certificates", &none],
            &["user", "add", "QM1", "kim", "--password-file", &none],
            &["restore", &none, "QM1"],
            &["--data", &none, "qmgr", "list"],
            &["--data", &none, "doctor", "QM9"],
            &["context", "list"],
        ] {
            let output = ferry.command(arguments).env("FERRY_CONTEXTS", &contexts).output().unwrap();
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).unwrap().replace('\t', "");
            assert_eq!(harmful_letters(&printed), [], "{arguments:?}: {printed}");
            assert!(!printed.contains('\x1b'), "{arguments:?}: {printed}");
        }
    }
    let invalid = write("invalid", b"DEFINE QLOCAL(Q) DESCR('\xff\xfe\x1b[31m')\n\xc3(\n");
    for arguments in [&["mqsc", "QM1", "-f", &invalid][..], &["config", "apply", "-m", "QM1", &invalid]] {
        let said = ferry.run(arguments);
        assert!(said.code != 0 && said.stderr.contains("is not UTF-8"), "{}", said.stderr);
        assert_eq!(harmful_letters(&(said.stdout + &said.stderr)), []);
    }
}
