//! Queues of MSMQ on a queue manager of ours.

use crate::support::Ferry;

const QUEUES: &str = r#"[
  {"Path": "SRV1\\private$\\orders", "Label": "Bestellungen für Köln", "Transactional": true, "MaximumQueueSize": 102400,
   "UseJournalQueue": true, "Authenticate": false, "EncryptionRequired": 1},
  {"Path": "SRV1\\private$\\prices-in", "Label": "", "Transactional": false, "MaximumQueueSize": 4294967295,
   "UseJournalQueue": false, "Authenticate": false, "EncryptionRequired": 0}
]"#;

#[test]
fn exported_queues_are_defined_by_what_is_printed_and_an_old_name_leads_to_its_queue() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let rename = ["config", "from-msmq", "-", "--rename", "prices-in=PRICES.IN"];
    let printed = ferry.with_input(&rename, QUEUES.as_bytes());
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    let applied = ferry.with_input(&["config", "apply", "-"], printed.stdout.as_bytes());
    assert_eq!(applied.code, 0, "{}{}", applied.stdout, applied.stderr);
    let again = ferry.with_input(&["config", "diff", "-"], printed.stdout.as_bytes());
    assert_eq!((again.code, again.stdout.as_str()), (0, ""), "{}", again.stderr);
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL('orders') DESCR DEFPSIST MSGDLVSQ QUOTA MAXDEPTH"]);
    for field in [
        "DESCR(Bestellungen für Köln)",
        "DEFPSIST(YES)",
        "MSGDLVSQ(FIFO)",
        "QUOTA(102400)",
        "MAXDEPTH(999999999)",
    ] {
        assert!(shown.contains(field), "{field} in {shown}");
    }
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(PRICES.IN) AMQPNAME"]);
    assert!(shown.contains("AMQPNAME(prices-in)"), "{shown}");
}

#[test]
fn files_of_the_shell_of_windows_are_read_and_told_in_json() {
    let ferry = Ferry::new();
    let wide = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        ['\u{FEFF}']
            .into_iter()
            .chain(QUEUES.chars())
            .flat_map(|letter| {
                letter.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| order(*unit)).collect::<Vec<u8>>()
            })
            .collect()
    };
    let command = ["config", "from-msmq", "-", "--rename", r"private$\prices-in=PRICES.IN", "-o", "json"];
    for bytes in [QUEUES.as_bytes().to_vec(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        let told = ferry.with_input(&command, &bytes);
        assert_eq!(told.code, 0, "{}", told.stderr);
        let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
        assert_eq!(
            (&told["queues"], told["not_carried"].as_array().unwrap().len()),
            (&2.into(), 1),
            "{told}"
        );
        assert_eq!(told["not_carried"][0]["property"], "UseJournalQueue=True");
        assert_eq!(told["not_carried"][0]["line"], 3);
        assert!(told["commands"].as_str().unwrap().contains("DESCR('Bestellungen für Köln')"), "{told}");
    }
    for (bytes, expected) in [
        (&b"\xFF\xFE["[..], "cannot read standard input: it is not all UTF-16"),
        (b"\xFF\xFE\x00\xD8", "cannot read standard input: it is not all UTF-16"),
        (b"[\n\xFF", "line 2: byte 1 of it (0xFF) is not UTF-8"),
    ] {
        let said = ferry.with_input(&["config", "from-msmq", "-"], bytes);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""));
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
}

#[test]
fn an_export_with_a_fault_prints_nothing_and_names_the_place_and_the_next_step() {
    let ferry = Ferry::new();
    let signed = QUEUES.replacen("\"Authenticate\": false", "\"Authenticate\": true", 1);
    let said = ferry.with_input(&["config", "from-msmq", "-"], signed.as_bytes());
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    for expected in [
        "-, line 3: private$\\orders: Authenticate=True cannot be had",
        "-, line 4: private$\\prices-in cannot have its name here",
        "--rename 'private$\\prices-in=NAME'",
    ] {
        assert!(said.stderr.contains(expected), "{expected} in {}", said.stderr);
    }
    for wrong in ["orders", "=NAME", "orders=", "orders=a-b"] {
        let said = ferry.with_input(&["config", "from-msmq", "-", "--rename", wrong], QUEUES.as_bytes());
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{wrong}");
    }
}
