//! Bodies of messages that begin with headers: every command shows and takes the data, and properties apart.

use serde_json::{Value, json};

use crate::support::Ferry;

/// The folders that a client of JMS sends before a text.
const FOLDERS: [&str; 3] = [
    "<mcd><Msd>jms_text</Msd></mcd>",
    "<jms><Dst>queue:///DEV.QUEUE.3</Dst><Rto>queue:///DEV.QUEUE.1</Rto></jms>",
    "<usr><colour>red</colour><size dt='i4'>7</size></usr>",
];

/// Numbers of a header in the order that Java programs write, and in that of this machine.
const ENCODINGS: [i32; 2] = [273, 546];

/// A line of `ferry import` with a request of a client of JMS.
fn request(encoding: i32, body: &str) -> Value {
    json!({
        "md": { "MsgType": 1, "ReplyToQ": "DEV.QUEUE.1", "Format": "MQSTR", "CodedCharSetId": 1208,
            "Encoding": encoding, "Persistence": 1 },
        "properties": FOLDERS,
        "body": body,
    })
}

/// The same behind a dead-letter header.
fn letter(encoding: i32, body: &str) -> Value {
    let mut header = b"DLH ".to_vec();
    let number = |header: &mut Vec<u8>, number: i32| header.extend_from_slice(&number.to_le_bytes());
    number(&mut header, 1);
    number(&mut header, 2053);
    header.extend_from_slice(format!("{:48}{:48}", "DEV.QUEUE.2", "").as_bytes());
    number(&mut header, encoding);
    number(&mut header, 1208);
    header.extend_from_slice(b"MQHRF2  ");
    number(&mut header, 7);
    header.extend_from_slice(format!("{:28}2026112009265312", "QM1").as_bytes());
    let mut line = request(encoding, body);
    line["headers"] = json!({
        "Format": "MQDEAD", "Encoding": 546, "CodedCharSetId": 1208, "base64": base64(&header),
    });
    line
}

fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = char::from(alphabet[(bits >> (18 - 6 * place)) as usize & 63]);
            text.push(if place > chunk.len() { '=' } else { digit });
        }
    }
    text
}

fn import(ferry: &Ferry, queue: &str, line: &Value) {
    let said = ferry.with_input(&["import", queue], line.to_string().as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
}

fn json(text: &str) -> Value {
    serde_json::from_str(text.trim_end()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_request_of_jms_is_answered_by_a_text_or_a_command() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for encoding in ENCODINGS {
        for line in [request(encoding, "hello"), letter(encoding, "hello")] {
            for (how, body) in [
                (&["--text", "pong"][..], "pong"),
                (&["--command", "tr a-z A-Z"], "HELLO"),
                (&["--command", "head -c 400", "--raw"], "hello"),
                (&[], "hello"),
            ] {
                import(&ferry, "DEV.QUEUE.3", &line);
                let said = ferry.run(&[&["reply", "DEV.QUEUE.3", "-n", "1"], how].concat());
                assert_eq!(said.code, 0, "{how:?}: {}{}", said.stdout, said.stderr);
                assert!(said.stdout.contains("answered 5 bytes to DEV.QUEUE.1"), "{how:?}: {}", said.stdout);
                let reply = json(&ferry.ok(&["browse", "DEV.QUEUE.1", "-o", "json"]));
                let told = (&reply["body"], &reply["format"], &reply["type"]);
                assert_eq!(told, (&body.into(), &"MQSTR".into(), &"reply".into()), "{how:?}");
                assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), format!("{body}\n"), "{how:?}");
            }
        }
    }
}

#[test]
fn properties_are_shown_beside_the_body() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    for (line, headers) in [(request(273, "42 EUR"), 0), (letter(273, "42 EUR"), 1)] {
        import(&ferry, "DEV.QUEUE.1", &line);
        let table = ferry.ok(&["browse", "DEV.QUEUE.1"]);
        assert!(
            table.contains("6 B  ") && table.contains("42 EUR\n") && !table.contains("jms_text"),
            "{table}"
        );
        let told = ferry.ok(&["browse", "DEV.QUEUE.1", "-d"]);
        for fact in
            ["colour = red\n", "size = 7\n", "format          MQSTR\n", "length          6 B\n42 EUR\n"]
        {
            assert!(told.contains(fact), "{fact}: {told}");
        }
        assert_eq!(told.contains("MQDEAD: dead letter 2053 for DEV.QUEUE.2"), headers == 1, "{told}");
        let raw = ferry.ok(&["browse", "DEV.QUEUE.1", "--raw"]);
        assert!(raw.contains("RFH ") && raw.contains("jms_text") && raw.ends_with("42 EUR\n"), "{raw}");
        let got = json(&ferry.ok(&["get", "DEV.QUEUE.1", "-o", "json"]));
        assert_eq!((&got["body"], &got["length"]), (&"42 EUR".into(), &6.into()));
        assert_eq!((&got["properties"]["colour"], &got["properties"]["size"]), (&"red".into(), &7.into()));
        assert_eq!(got["headers"].as_array().map_or(0, Vec::len), headers, "{got}");
    }
}

#[test]
fn a_queue_that_withholds_properties_from_programs_shows_them_here() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(PLAIN) PROPCTL(NONE)"]);
    import(&ferry, "PLAIN", &request(546, "data"));
    assert_eq!(json(&ferry.ok(&["browse", "PLAIN", "-o", "json"]))["properties"]["colour"], "red");
    assert_eq!(ferry.ok(&["browse", "PLAIN", "--raw"]), "data\n", "programs are given the body alone");
    assert_eq!(ferry.ok(&["get", "PLAIN"]), "data\n");
}

#[test]
fn a_dead_letter_of_jms_is_listed_moved_and_exported_by_its_body() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let dead = "SYSTEM.DEAD.LETTER.QUEUE";
    ferry.ok(&["mqsc", "-e", &format!("ALTER QMGR DEADQ({dead})")]);
    import(&ferry, dead, &letter(273, "42 EUR"));
    let listed = ferry.ok(&["dlq", "list"]);
    assert!(listed.contains("6 B  42 EUR\n") && !listed.contains("jms_text"), "{listed}");
    let shown = ferry.ok(&["dlq", "show"]);
    assert!(shown.contains("colour = red\n") && shown.ends_with("\n42 EUR\n"), "{shown}");
    assert!(ferry.ok(&["dlq", "show", "--raw"]).contains("RFH "));
    let listed = json(&ferry.ok(&["dlq", "list", "-o", "json"]));
    assert_eq!((&listed["body"], &listed["properties"]["size"]), (&"42 EUR".into(), &7.into()));
    let exported = json(&ferry.ok(&["export", dead]));
    assert_eq!((&exported["body"], &exported["headers"]["Format"]), (&"42 EUR".into(), &"MQDEAD".into()));
    assert_eq!(exported["properties"], json!(FOLDERS));
    ferry.ok(&["dlq", "move", "--to", "DEV.QUEUE.1"]);
    ferry.ok(&["move", "DEV.QUEUE.1", "DEV.QUEUE.2"]);
    let moved = json(&ferry.ok(&["export", "DEV.QUEUE.2"]));
    assert_eq!((&moved["body"], &moved["properties"]), (&exported["body"], &exported["properties"]));
    assert_eq!(moved["headers"], exported["headers"]);
    ferry.ok(&["get", "DEV.QUEUE.2"]);
    import(&ferry, dead, &moved);
    ferry.ok(&["dlq", "replay"]);
    let replayed = json(&ferry.ok(&["get", "DEV.QUEUE.2", "-o", "json"]));
    assert_eq!((&replayed["body"], replayed.get("headers")), (&"42 EUR".into(), None));
}

#[test]
fn the_reply_to_a_request_and_a_publication_are_shown_by_their_bodies() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let mut answering = ferry
        .command(&["reply", "DEV.QUEUE.3", "-n", "1", "--raw", "--command", "cat"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let answer = json(&ferry.ok(&["request", "DEV.QUEUE.3", "ask", "-o", "json"]));
    assert_eq!(answer["body"], "ask");
    assert!(answering.wait().unwrap().success());
    ferry.ok(&["sub", "prices/tin", "--durable", "PRICES", "--wait", "0"]);
    ferry.ok(&["pub", "prices/tin", "42"]);
    let got = json(&ferry.ok(&[
        "sub",
        "prices/tin",
        "--durable",
        "PRICES",
        "--wait",
        "0",
        "--remove",
        "-o",
        "json",
    ]));
    assert_eq!(
        (&got["body"], &got["topic"], &got["retained"]),
        (&"42".into(), &"prices/tin".into(), &false.into())
    );
    assert_eq!(got["properties"]["MQTopicString"], "prices/tin");
}
