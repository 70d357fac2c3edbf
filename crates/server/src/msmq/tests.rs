use std::path::Path;

use objects::mqsc;

use super::*;

/// Properties that a queue must have, as they are when nothing is set.
const PLAIN: &str = r#""Transactional":false,"MaximumQueueSize":4294967295,"UseJournalQueue":false,"Authenticate":false,"EncryptionRequired":1"#;

fn translated(text: &str) -> Translation {
    of(text, &[]).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn of(text: &str, renamed: &[Renamed]) -> Result<Translation, Vec<(usize, String)>> {
    Translation::of(text, renamed, Path::new("queues.json")).map_err(|error| match error {
        Error::Faults { faults, .. } => faults.into_iter().map(|Fault { line, what }| (line, what)).collect(),
        other => panic!("{other}"),
    })
}

fn renamed(queue: &str, name: &str) -> Renamed {
    Renamed { queue: queue.to_owned(), name: name.parse().unwrap() }
}

#[test]
fn a_list_in_json_becomes_definitions_and_comments() {
    let text = r#"[
  {
    "Path": "SRV1\\private$\\orders",
    "Label": "Orders of the shop's tills",
    "Transactional": true,
    "MaximumQueueSize": 102400,
    "UseJournalQueue": true,
    "MaximumJournalSize": 4294967295,
    "Authenticate": false,
    "EncryptionRequired": 1,
    "BasePriority": 0,
    "Category": "00000000-0000-0000-0000-000000000000",
    "Formatter": {"TargetTypes": [], "TargetTypeNames": []},
    "MulticastAddress": null
  },
  {
    "Path": "SRV1\\prices",
    "Transactional": false,
    "MaximumQueueSize": 1000,
    "UseJournalQueue": false,
    "Authenticate": false,
    "EncryptionRequired": "Optional",
    "MulticastAddress": "224.0.1.7:4711"
  }
]"#;
    let translation = translated(text);
    assert_eq!(
        translation.script,
        "* private$\\orders\n\
         *   not carried: UseJournalQueue=True: copies of messages that programs get (JRNLQ) are not yet supported\n\
         DEFINE QLOCAL('orders') MAXDEPTH(999999999) DESCR('Orders of the shop''s tills') SYNCREQ(YES) \
         DEFPSIST(YES) MSGDLVSQ(FIFO) QUOTA(102400)\n\
         * prices\n\
         *   not carried: MulticastAddress=224.0.1.7:4711: senders publish to a topic, and DEFINE SUB leads its \
         publications to the queue\n\
         DEFINE QLOCAL('prices') MAXDEPTH(999999999) DEFPSIST(NO) QUOTA(1000)\n"
    );
    assert_eq!(translation.queues, 2);
    let lines: Vec<usize> = translation.not_carried.iter().map(|one| one.line).collect();
    assert_eq!(lines, [7, 23]);
    assert_eq!(mqsc::parse(&translation.script).unwrap().len(), 2);
}

#[test]
fn comma_separated_values_are_read_as_the_shell_writes_them() {
    let heading =
        r#""QueueName","Label","Transactional","QueueQuota","Journaling","Authenticate","PrivacyLevel""#;
    let text = format!(
        "#TYPE Selected.System.Messaging.MessageQueue\r\n{heading}\r\n\
         \"private$\\orders\",\"two\r\nlines, \"\"quoted\"\"\",\"False\",\"4294967295\",\"False\",\"False\",\"None\"\r\n\
         prices,,True,-1,True,False,Optional"
    );
    let translation = translated(&text);
    let defined: Vec<&str> = translation.script.lines().filter(|line| line.starts_with("DEFINE")).collect();
    assert_eq!(
        defined,
        [
            "DEFINE QLOCAL('orders') MAXDEPTH(999999999) DESCR('two  lines, \"quoted\"') DEFPSIST(NO)",
            "DEFINE QLOCAL('prices') MAXDEPTH(999999999) SYNCREQ(YES) DEFPSIST(YES) MSGDLVSQ(FIFO)",
        ]
    );
    let lines: Vec<usize> = translation.not_carried.iter().map(|one| one.line).collect();
    assert_eq!(lines, [3, 5], "a value with an end of a line is one value of its first line");
}

#[test]
fn one_queue_alone_is_an_object() {
    let text = format!("{{\"QueueName\":\"private$\\\\orders\",{PLAIN}}}");
    assert_eq!(translated(&text).queues, 1);
    let text = format!("{{\"Path\":\"FormatName:DIRECT=OS:srv1\\\\private$\\\\orders\",{PLAIN}}}");
    assert!(translated(&text).script.contains("DEFINE QLOCAL('orders')"));
}

#[test]
fn queues_of_the_system_are_comments() {
    let paths = [
        r"srv1\\private$\\orders\\Journal$",
        r"srv1\\private$\\orders;poison",
        r"srv1\\Journal$",
        r"srv1\\Deadletter$",
        r"srv1\\XactDeadletter$",
    ];
    let mut records: Vec<String> = paths.iter().map(|path| format!("{{\"Path\":\"{path}\"}}")).collect();
    records.push(format!("{{\"Path\":\"srv1\\\\private$\\\\Order_queue$\",{PLAIN}}}"));
    let translation = translated(&format!("[{}]", records.join(",\n")));
    assert_eq!((translation.queues, translation.not_carried.len()), (0, 6), "{}", translation.script);
    assert!(translation.script.lines().all(|line| line.starts_with('*')));
}

#[test]
fn a_name_that_cannot_be_ours_is_given_one() {
    let text = format!("[{{\"Path\":\"srv1\\\\private$\\\\orders-in\",{PLAIN}}}]");
    let faults = of(&text, &[]).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].1.contains("--rename 'private$\\orders-in=NAME'"), "{faults:?}");
    for queue in ["orders-in", "PRIVATE$\\ORDERS-IN"] {
        let translation = of(&text, &[renamed(queue, "ORDERS.IN")]).unwrap();
        let definition = "DEFINE QLOCAL('ORDERS.IN') MAXDEPTH(999999999) AMQPNAME('orders-in')";
        assert!(translation.script.contains(definition), "{}", translation.script);
    }
    // A name that one of ours can have is not a second name of another.
    let text = format!("[{{\"Path\":\"srv1\\\\orders\",{PLAIN}}}]");
    assert!(!of(&text, &[renamed("orders", "O")]).unwrap().script.contains("AMQPNAME"));
}

#[test]
fn every_fault_is_named_by_its_line_and_nothing_is_translated() {
    let one = |path: &str| format!("{{\"Path\":\"{path}\",{PLAIN}}}");
    let with = |property: &str, value: &str| {
        let text = format!("{{\"Path\":\"srv1\\\\orders\",{PLAIN}}}");
        let at = text.find(&format!("\"{property}\"")).unwrap_or(1);
        let rest = text[at..].find([',', '}']).map_or("", |end| &text[at + end..]);
        let rest = if at == 1 { format!(",{}", &text[1..]) } else { rest.to_owned() };
        format!("{}\n\"{property}\":{value}{rest}", &text[..at])
    };
    let long = "x".repeat(300);
    for (text, line, expected) in [
        (String::new(), 1, "the file has no queue"),
        ("[]".to_owned(), 1, "the file has no queue"),
        ("[1]".to_owned(), 1, "expected a queue with its properties"),
        ("[{},\n{\"Path\":".to_owned(), 2, "EOF while parsing a value: export the file again"),
        (format!("{} x", one("srv1\\\\a")), 1, "trailing characters"),
        (format!("[\n{{{PLAIN}}}]"), 2, "neither Path nor QueueName"),
        (
            "[\n\n{\"Path\":\"srv1\\\\orders\"}]".to_owned(),
            3,
            "no Transactional, MaximumQueueSize, UseJournalQueue",
        ),
        (
            format!("[{},\n{}]", one("srv1\\\\a"), one("srv2\\\\b")),
            2,
            "the machine srv2, earlier ones are of srv1",
        ),
        (
            format!("[{},\n{}]", one("srv1\\\\a"), one("srv1\\\\private$\\\\a")),
            2,
            "as the queue of line 1 does",
        ),
        (one("orders"), 1, "Path=orders is wrong: \"orders\" is no path name"),
        (one("FormatName:PUBLIC=0f9c5e3a-3d1b-4c57-9b7e-2f1d4f6a8b90"), 1, "names no queue by its name"),
        (one("srv1\\\\SYSTEM.MINE"), 1, "names that begin with SYSTEM. are the system's"),
        (one(&format!("srv1\\\\{}", &long[..60])), 1, "cannot have its name here"),
        (with("Authenticate", "true"), 2, "Authenticate=True cannot be had"),
        (with("Authenticate", "\"maybe\""), 2, "it must be True or False"),
        (with("EncryptionRequired", "2"), 2, "EncryptionRequired=2 cannot be had"),
        (with("EncryptionRequired", "\"body\""), 2, "EncryptionRequired=body cannot be had"),
        (with("EncryptionRequired", "3"), 2, "it must be None (0), Optional (1) or Body (2)"),
        (with("MaximumQueueSize", "-2"), 2, "it must be a number from -1 to 4294967295"),
        (with("MaximumQueueSize", "{}"), 2, "MaximumQueueSize={…} is wrong"),
        (with("BasePriority", "40000"), 2, "it must be a number from -32768 to 32767"),
        (with("Label", "7"), 2, "Label=7 is wrong: it must be a text"),
        (with("Labell", "\"\""), 2, "no property Labell (did you mean Label?)"),
        (with(&long, "1"), 2, "a queue has no property xxx"),
        (with("QueueQuota", "1"), 2, "first on line 2 as QueueQuota"),
        ("a;b\n1;2".to_owned(), 1, "export with -Delimiter ','"),
        ("Path,Label\nx\n".to_owned(), 2, "the line has 1 values, and the line of names has 2"),
        ("Path\n\"x".to_owned(), 2, "a quoted value has no end"),
        ("Path\n\"x\"y\n".to_owned(), 2, "there is text behind the quoted value x"),
        ("\"\"\"".to_owned(), 1, "a quoted value has no end"),
    ] {
        let faults = of(&text, &[]).unwrap_err();
        let found = faults.iter().find(|(_, what)| what.contains(expected));
        assert_eq!(found.map(|(line, _)| *line), Some(line), "{expected}: {faults:?} in {text}");
        assert!(faults.iter().all(|(_, what)| what.len() < 600), "{faults:?}");
    }
    let text = one("srv1\\\\orders");
    let faults = of(&text, &[renamed("prices", "PRICES")]).unwrap_err();
    assert_eq!(faults, [(1, "--rename prices: the file has no such queue; leave the option out".to_owned())]);
}

#[test]
fn an_export_has_bounds() {
    let large = " ".repeat(FILE_BYTES_MAX + 1);
    assert!(of(&large, &[]).unwrap_err()[0].1.contains("more than 16 MiB"));
    let many = format!("Path\n{}", "srv1\\a\n".repeat(QUEUES_MAX + 1));
    assert!(of(&many, &[]).unwrap_err()[0].1.contains("more than 50000 queues"));
    let many = format!("[{}{{}}]", "{},".repeat(QUEUES_MAX));
    assert!(of(&many, &[]).unwrap_err()[0].1.contains("more than 50000 queues"));
    let properties: Vec<String> = (0..=record::FIELDS_MAX).map(|number| format!("\"p{number}\":1")).collect();
    assert!(
        of(&format!("{{{}}}", properties.join(",")), &[]).unwrap_err()[0]
            .1
            .contains("more than 200 properties")
    );
    let values = ",".repeat(record::FIELDS_MAX);
    assert!(of(&values, &[]).unwrap_err()[0].1.contains("more than 200 values"));
    let nested = format!("{{\"Formatter\":{}", "[".repeat(1 << 20));
    assert!(of(&nested, &[]).unwrap_err()[0].1.contains("export the file again"));
}

#[test]
fn the_reference_page_is_what_the_table_of_properties_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/msmq-queues.md");
    if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, reference()).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == reference(),
        "{}: write it with FERRY_WRITE_REFERENCE=1 cargo test -p server",
        path.display()
    );
}
