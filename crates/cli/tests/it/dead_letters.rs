//! `ferry dlq` against a queue manager.

use client::{Connection, Options};
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectName, OpenOptions, PutFlags, PutOptions, Text, Verbs as _,
};
use serde_json::Value;

use crate::support::{Ferry, Server};

/// A dead letter as bytes: the header in the order of bytes that most machines have, and the message it was.
fn letter(reason: u32, queue: &str, body: &str) -> Vec<u8> {
    let mut bytes = b"DLH ".to_vec();
    let number = |bytes: &mut Vec<u8>, number: u32| bytes.extend_from_slice(&number.to_le_bytes());
    number(&mut bytes, 1);
    number(&mut bytes, reason);
    bytes.extend_from_slice(format!("{queue:48}{:48}", "").as_bytes());
    number(&mut bytes, 546);
    number(&mut bytes, 1208);
    bytes.extend_from_slice(b"MQSTR   ");
    number(&mut bytes, 7);
    bytes.extend_from_slice(format!("{:28}2026112009265312", "QM1").as_bytes());
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

fn bury(ferry: &Ferry, reason: u32, queue: &str, body: &str) {
    let file = ferry.data().join("letter");
    std::fs::write(&file, letter(reason, queue, body)).unwrap();
    let file = file.to_str().unwrap();
    ferry.ok(&["put", "SYSTEM.DEAD.LETTER.QUEUE", "--file", file, "--format", "MQDEAD", "-P"]);
}

/// Buries a letter of a message that another user put.
fn bury_of(server: &Server, user: &str, reason: u32, body: &str) {
    let address = format!("127.0.0.1:{}", server.port()).parse().unwrap();
    let mut program = Connection::connect(Options::to(address)).unwrap();
    let queue = ObjectDescriptor::queue("SYSTEM.DEAD.LETTER.QUEUE".parse::<ObjectName>().unwrap());
    let opened = program.open(&queue, OpenOptions::OUTPUT | OpenOptions::SET_IDENTITY_CONTEXT).unwrap();
    let mut descriptor = MessageDescriptor {
        user_identifier: Text::truncated(user),
        format: Text::truncated("MQDEAD"),
        ..MessageDescriptor::default()
    };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SET_IDENTITY_CONTEXT);
    program
        .put(opened.handle, &mut descriptor, &mut options, letter(reason, "DEV.QUEUE.1", body).into())
        .unwrap();
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn dead_letters_are_listed_and_sent_where_they_were_going() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"]);
    bury(&ferry, 2053, "DEV.QUEUE.1", "was full");
    bury(&ferry, 2085, "NOWHERE", "lost");
    ferry.ok(&["put", "SYSTEM.DEAD.LETTER.QUEUE", "no header"]);
    let listed = lines(&ferry.ok(&["dlq", "list", "-o", "json"]));
    assert_eq!(listed.len(), 3);
    assert_eq!(listed[0]["dead_letter"]["name"], "MQRC_Q_FULL");
    assert_eq!((&listed[0]["body"], &listed[0]["format"]), (&"was full".into(), &"MQSTR".into()));
    assert_eq!(listed[2]["dead_letter"], Value::Null);
    let table = ferry.ok(&["dlq", "list", "--reason", "MQRC_Q_FULL"]);
    assert!(table.contains("2053 MQRC_Q_FULL") && !table.contains("lost"), "{table}");
    assert!(ferry.ok(&["dlq", "show", "--destination", "NO*"]).contains("lost"));
    let said = ferry.run(&["dlq", "replay"]);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("1 letter could not be replayed"), "{}", said.stderr);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "was full\n");
    ferry.ok(&["dlq", "move", "--to", "DEV.QUEUE.2", "--strip", "--reason", "2085"]);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.2"]), "lost\n");
    assert_eq!(ferry.run(&["dlq", "purge"]).code, 2, "nothing says which");
    assert_eq!(ferry.ok(&["dlq", "purge", "--all"]), "removed 1 letter\n");
    assert_eq!(ferry.ok(&["dlq", "list", "-o", "json"]), "");
}

#[test]
fn a_letter_for_a_queue_of_the_system_is_replayed_only_where_that_was_said() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QALIAS(DOOR) TARGET(SYSTEM.DEFAULT.LOCAL.QUEUE)"]);
    bury(&ferry, 2053, "SYSTEM.DEFAULT.LOCAL.QUEUE", "one");
    bury(&ferry, 2053, "DOOR", "two");
    let said = ferry.run(&["dlq", "replay"]);
    assert!(said.code != 0 && said.stderr.contains("2 letters could not be replayed"), "{}", said.stderr);
    assert!(said.stderr.contains("--system"), "{}", said.stderr);
    assert_eq!(ferry.ok(&["browse", "SYSTEM.DEFAULT.LOCAL.QUEUE", "-o", "json"]), "");
    assert_eq!(ferry.ok(&["dlq", "replay", "--system"]), "replayed 2 letters\n");
    assert_eq!(ferry.ok(&["get", "SYSTEM.DEFAULT.LOCAL.QUEUE"]), "one\n");
}

#[test]
fn letters_that_rights_refused_are_replayed_only_where_that_was_said_and_each_shows_its_user() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"]);
    let users = ["eve\x1b[2J", "o'h)\"x", "a\u{202e}b"];
    for user in users {
        bury_of(&server, user, 2035, "forbidden");
    }
    bury_of(&server, "ada", 2053, "was full");
    bury_of(&server, "ada", 2085, "of another reason");
    let listed = ferry.ok(&["dlq", "list"]);
    for user in ["eve\\u{1b}[2J", "o'h)\"x", "a\\u{202e}b", "ada"] {
        assert!(listed.contains(user), "{user}: {listed}");
    }
    assert!(!listed.contains(|letter| letter != '\n' && objects::harmless::is_harmful(letter)), "{listed}");
    let json = ferry.ok(&["dlq", "list", "-o", "json"]);
    assert!(!json.contains(|letter| letter != '\n' && objects::harmless::is_harmful(letter)), "{json}");
    let told: Vec<Value> = lines(&json).iter().map(|line| line["user"].clone()).collect();
    assert_eq!(told, [users[0], users[1], users[2], "ada", "ada"]);
    for (chosen, count) in [(&["--reason", "2053"][..], 1), (&["-n", "1"], 1)] {
        let said = ferry.run(&[&["dlq", "replay"], chosen].concat());
        assert!(
            said.stdout.starts_with(&format!("replayed {count} letter")),
            "{}{}",
            said.stdout,
            said.stderr
        );
    }
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "was full\nof another reason\n");
    for chosen in [&[][..], &["--reason", "2035"], &["--destination", "DEV.*"]] {
        let said = ferry.run(&[&["dlq", "replay"], chosen].concat());
        assert_eq!(said.code, 4, "{}", said.stderr);
        let left = "left 3 letters on SYSTEM.DEAD.LETTER.QUEUE that rights refused (2035)";
        assert!(said.stderr.contains(left) && said.stderr.contains("--refused"), "{}", said.stderr);
    }
    assert_eq!(ferry.ok(&["browse", "DEV.QUEUE.1", "-o", "json"]), "");
    let said = ferry.run(&["dlq", "replay", "-o", "json"]);
    assert_eq!(lines(&said.stdout)[0]["spared"], 3, "{}", said.stdout);
    // Beside one that cannot be put both are told.
    bury(&ferry, 2053, "NOWHERE", "lost");
    let said = ferry.run(&["dlq", "replay"]);
    let both = "1 letter could not be replayed and stay on SYSTEM.DEAD.LETTER.QUEUE; left 3 letters there";
    assert!(said.code == 3 && said.stderr.contains(both), "{}", said.stderr);
    ferry.ok(&["dlq", "purge", "--destination", "NOWHERE"]);
    assert_eq!(ferry.ok(&["dlq", "replay", "--refused"]), "replayed 3 letters\n");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1", "--all"]), "forbidden\n".repeat(3));
}

#[test]
fn a_table_of_rules_is_checked_and_carried_out() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    bury(&ferry, 2053, "DEV.QUEUE.1", "again");
    bury(&ferry, 2085, "NOWHERE", "stays");
    let table = "INPUTQ(SYSTEM.DEAD.LETTER.QUEUE) WAIT(NO)\nREASON(MQRC_Q_FULL) +\n  ACTION(RETRY)\n";
    let said = ferry.with_input(&["dlq", "rules", "-", "--check"], table.as_bytes());
    assert_eq!((said.code, said.stdout.as_str()), (0, "- has no errors: 1 rule\n"), "{}", said.stderr);
    let said = ferry.with_input(&["dlq", "rules", "-", "-o", "json"], table.as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let told = lines(&said.stdout);
    assert_eq!((&told[0]["rule"], &told[0]["done"]), (&1.into(), &true.into()));
    assert_eq!(told[1]["outcome"], "stays");
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "again\n");
    assert_eq!(
        lines(&ferry.ok(&["dlq", "list", "--queue", "SYSTEM.DEAD.LETTER.QUEUE", "-o", "json"])).len(),
        1
    );
    ferry.ok(&["put", "SYSTEM.DEAD.LETTER.QUEUE", "no letter"]);
    let all = b"INPUTQ(SYSTEM.DEAD.LETTER.QUEUE) WAIT(NO)\nACTION(DISCARD)\n";
    let said = ferry.with_input(&["dlq", "rules", "-"], all).stdout;
    assert!(said.contains(" for NOWHERE: rule 1: discarded\n"), "{said}");
    assert!(said.ends_with(": it has no dead-letter header: stays\n"), "{said}");
    let said = ferry.with_input(&["dlq", "rules", "-"], b"ACTION(LOSE)\n");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("line 1: ACTION is DISCARD"), "{}", said.stderr);
}

#[test]
fn a_table_that_is_too_long_or_no_text_is_named_with_what_is_wrong() {
    let ferry = Ferry::new();
    let file = ferry.data().join("rules");
    let path = file.to_str().unwrap();
    for (content, wrong) in [
        (vec![b'*'; (1 << 20) + 1], "it has more than 1 MiB, which no table of rules has"),
        (b"* one\nDESTQ('\xE9') ACTION(IGNORE)\n".to_vec(), "line 2: byte 8 of it (0xE9) is not UTF-8"),
    ] {
        std::fs::write(&file, &content).unwrap();
        for (name, said) in [
            (format!("the file {path}"), ferry.run(&["dlq", "rules", "--check", path])),
            ("standard input".to_owned(), ferry.with_input(&["dlq", "rules", "--check", "-"], &content)),
        ] {
            assert_eq!(said.code, 2, "{}", said.stderr);
            let expected = format!("ferry: cannot read {name}: {wrong}\n  next: ");
            assert!(said.stderr.starts_with(&expected), "{}", said.stderr);
        }
    }
    let most = [&vec![b'*'; (1 << 20) - 15], &b"\nACTION(IGNORE)"[..]].concat();
    std::fs::write(&file, most).unwrap();
    assert_eq!(ferry.ok(&["dlq", "rules", "--check", path]), format!("{path} has no errors: 1 rule\n"));
}

#[test]
fn a_rule_that_forwards_to_the_queue_that_it_reads_is_refused() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    bury(&ferry, 2053, "DEV.QUEUE.1", "letter");
    let dead = "SYSTEM.DEAD.LETTER.QUEUE";
    let wrong = format!("rule 2 forwards to {dead}, the queue that it reads");
    let rules = format!("ACTION(IGNORE)\nACTION(FWD) FWDQ({dead})");
    let checked = ["dlq", "rules", "-", "--check"];
    for (table, arguments) in [
        (format!("INPUTQ({dead})\n{rules}\n"), &checked[..]),
        (format!("INPUTQ({dead}) INPUTQM(QM7)\n{rules} FWDQM(QM7)\n"), &checked),
        (format!("{rules}\n"), &["dlq", "rules", "-", "--check", "--queue", dead]),
        (format!("INPUTQ({dead}) WAIT(NO)\n{rules}\n"), &checked[..3]),
        (format!("WAIT(NO)\n{rules}\n"), &["dlq", "rules", "-", "--queue", dead]),
    ] {
        let said = ferry.with_input(arguments, table.as_bytes());
        assert_eq!(said.code, 2, "{table}: {}", said.stdout);
        assert!(said.stderr.contains(&wrong), "{table}: {}", said.stderr);
    }
    for table in [format!("INPUTQ({dead})\n{rules} FWDQM(QM7)\n"), format!("INPUTQ(OTHER)\n{rules}\n")] {
        let said = ferry.with_input(&checked, table.as_bytes());
        assert_eq!(said.code, 0, "{table}: {}", said.stderr);
    }
    // Names are looked up: of a queue, of a queue manager, and of the queue that is read, also by DEADQ.
    ferry.ok(&["mqsc", "-e", &format!("ALTER QMGR DEADQ({dead})")]);
    ferry.ok(&["mqsc", "-e", &format!("DEFINE QALIAS(ROUND) TARGET({dead})")]);
    ferry.ok(&["mqsc", "-e", "DEFINE QREMOTE(HOME) RNAME(' ') RQMNAME(QM1)", "-e", "DEFINE QLOCAL(ELSE)"]);
    for (table, name) in [
        (format!("INPUTQ({dead}) WAIT(NO)\nACTION(IGNORE)\nACTION(FWD) FWDQ(ROUND)\n"), "ROUND"),
        (
            format!("INPUTQ({dead}) WAIT(NO)\nACTION(FWD) FWDQ(ELSE)\nACTION(FWD) FWDQ(ROUND) FWDQM(QM1)\n"),
            "ROUND",
        ),
        (format!("INPUTQ({dead}) WAIT(NO)\nACTION(IGNORE)\nACTION(FWD) FWDQ({dead}) FWDQM(HOME)\n"), dead),
        (format!("INPUTQ(ROUND) WAIT(NO)\nACTION(IGNORE)\nACTION(FWD) FWDQ({dead})\n"), dead),
        ("WAIT(NO)\nACTION(IGNORE)\nACTION(FWD) FWDQ(ROUND)\n".to_owned(), "ROUND"),
    ] {
        for arguments in [&["dlq", "rules", "-"][..], &["dlq", "rules", "-", "--check"]] {
            let said = ferry.with_input(arguments, table.as_bytes());
            let wrong = format!("rule 2 forwards to {name}, which leads to ");
            assert!(said.code == 2 && said.stderr.contains(&wrong), "{table}: {}", said.stderr);
        }
    }
    let table = format!("INPUTQ({dead})\nACTION(FWD) FWDQ(ELSE)\nACTION(FWD) FWDQ(ROUND) FWDQM(QM7)\n");
    let said = ferry.with_input(&checked, table.as_bytes());
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{}", said.stdout);
    let table = format!("INPUTQ({dead}) INPUTQM(QM7)\nACTION(FWD) FWDQ(ROUND)\n");
    let said = ferry.with_input(&checked, table.as_bytes());
    assert!(said.code == 0 && said.stdout == "- has no errors: 1 rule\n", "{}", said.stderr);
    assert!(said.stderr.starts_with("not checked: where the names in FWDQ lead"), "{}", said.stderr);
    // A name that a letter has is found at the letter, which stays.
    bury(&ferry, 2053, "ROUND", "round");
    let table = format!("INPUTQ({dead}) WAIT(NO)\nDESTQ(ROUND) ACTION(FWD) FWDQ(&DESTQ)\n");
    let said = ferry.with_input(&["dlq", "rules", "-", "--system"], table.as_bytes());
    let told = "rule 1: not done: the destination is the queue that the letter is on\n";
    assert!(said.code == 0 && said.stdout.contains(told), "{}{}", said.stdout, said.stderr);
    ferry.ok(&["dlq", "purge", "--queue", dead, "--destination", "ROUND"]);
    for to in [dead, "ROUND"] {
        let said = ferry.run(&["dlq", "move", "--queue", dead, "--to", to]);
        assert_eq!(said.code, 2, "{}", said.stdout);
        assert!(
            said.stderr.contains("the destination is the queue that the letter is on"),
            "{}",
            said.stderr
        );
    }
    assert_eq!(lines(&ferry.ok(&["dlq", "list", "--queue", dead, "-o", "json"])).len(), 1);
}

#[test]
fn a_dead_letter_queue_that_is_not_there_is_told_with_the_command_that_makes_it() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "ALTER QMGR DEADQ(LOST)"]);
    for arguments in [&["dlq", "list"][..], &["dlq", "show"], &["dlq", "replay"], &["dlq", "purge", "--all"]]
    {
        let said = ferry.run(arguments);
        assert_eq!(said.code, 3, "{arguments:?}: {}", said.stderr);
        assert!(said.stderr.contains("DEADQ of the queue manager names LOST"), "{}", said.stderr);
        assert!(said.stderr.contains("mqsc -e \"DEFINE QLOCAL('LOST')\" makes it"), "{}", said.stderr);
    }
    let said = ferry.run(&["dlq", "list", "--queue", "OTHER"]);
    assert!(said.stderr.contains("where none is named, the one in DEADQ"), "{}", said.stderr);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL('LOST')"]);
    assert_eq!(ferry.run(&["dlq", "list"]).stderr, "LOST has no letter\n");
}
