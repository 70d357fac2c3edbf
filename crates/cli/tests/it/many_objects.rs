//! Displays of more objects than a page has, by text and in binary form.

use bytes::Bytes;
use client::{Connection, Options};
use mqi::constants::{
    MQCA_Q_NAME, MQCFC_LAST, MQCMD_INQUIRE_Q, MQFMT_ADMIN, MQIA_MAX_Q_DEPTH, MQIACF_Q_ATTRS,
};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Text,
    Verbs as _, Wait,
};
use objects::pcf::{ByteOrder, Content, Header, Message, Parameter};

use crate::support::{Ferry, Server};

/// More than the pages of commands and of the command server have.
const QUEUES: usize = 2_050;

fn name(number: usize) -> String {
    format!("MANY.{number:04}")
}

fn with_many_queues() -> (Ferry, Server) {
    let ferry = Ferry::new();
    let server = ferry.dev();
    let script: String = (0..QUEUES).map(|number| format!("DEFINE QLOCAL({})\n", name(number))).collect();
    let file = ferry.data().join("many.mqsc");
    std::fs::write(&file, script).expect("a file can be written");
    ferry.ok(&["mqsc", "-f", file.to_str().expect("a path")]);
    (ferry, server)
}

#[test]
fn every_object_of_several_pages_is_shown_once() {
    let (ferry, server) = with_many_queues();
    let all: Vec<String> = (0..QUEUES).map(name).collect();
    let shown = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(MANY.*) ALL"]);
    let queues = |text: &str| -> Vec<String> {
        let named = text.split("QUEUE(").skip(1).filter_map(|rest| rest.split(')').next());
        named.filter(|name| name.starts_with("MANY.")).map(str::to_owned).collect()
    };
    assert_eq!(queues(&shown), all);
    assert!(!shown.contains("FRY8421I") && !shown.contains("FRY8420W"), "the pages are one answer");

    let json = ferry.ok(&["mqsc", "-e", "DISPLAY QSTATUS(MANY.*) CURDEPTH", "-o", "json"]);
    assert_eq!(json.lines().count(), 1, "a statement has one line");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let told =
        json["objects"].as_array().expect("objects").iter().filter_map(|object| object["queue"].as_str());
    assert_eq!(told.collect::<Vec<_>>(), all);

    let listed = ferry.ok(&["queues", "MANY.*", "--over", "0", "-o", "json"]);
    assert_eq!(listed.lines().count(), QUEUES);
    let dumped = ferry.ok(&["config", "dump"]);
    assert!(all.iter().all(|name| dumped.contains(name.as_str())), "a dump has all of them");

    let page = ferry.ok(&["mqsc", "-e", "DISPLAY QLOCAL(MANY.*) AFTER(MANY.1000) LIMIT(2)"]);
    assert_eq!(queues(&page), [name(1_001), name(1_002)]);
    assert!(page.contains("FRY8421I: The page ends with MANY.1002; more follow."), "{page}");

    let asked = Message {
        header: Header::command(MQCMD_INQUIRE_Q),
        parameters: vec![
            Parameter::text(MQCA_Q_NAME, "MANY.*"),
            Parameter::new(MQIACF_Q_ATTRS, Content::Integers(vec![MQIA_MAX_Q_DEPTH])),
        ],
    };
    let answers = answers_to(&server, &asked);
    let named = answers.iter().map(|answer| match &answer.parameters[0].content {
        Content::Text(name) => name.trim_end().to_owned(),
        other => panic!("{other:?}"),
    });
    assert_eq!(named.collect::<Vec<_>>(), all);
    let numbers = answers.iter().map(|answer| answer.header.sequence as usize);
    assert!(numbers.eq(1..=QUEUES), "the messages of all pages have one sequence");
}

/// The messages that answer a command in binary form.
fn answers_to(server: &Server, asked: &Message) -> Vec<Message> {
    let address = format!("127.0.0.1:{}", server.port()).parse().expect("an address");
    let mut program = Connection::connect(Options::to(address)).expect("it connects");
    let model = ObjectDescriptor::queue("SYSTEM.DEFAULT.MODEL.QUEUE".parse().expect("a name"));
    let replies = program.open(&model, OpenOptions::INPUT_EXCLUSIVE).expect("a queue for answers");
    let mut descriptor = MessageDescriptor {
        format: Text::from_padded(MQFMT_ADMIN.as_bytes()),
        reply_to_queue: replies.object_name.into(),
        ..MessageDescriptor::default()
    };
    let queue = ObjectDescriptor::queue("SYSTEM.ADMIN.COMMAND.QUEUE".parse().expect("a name"));
    let body = Bytes::from(asked.encode(ByteOrder::Little));
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    program.put1(&queue, &mut descriptor, &mut options, body).expect("a command");
    let mut answers = Vec::new();
    loop {
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Milliseconds(60_000));
        let got = program.get(replies.handle, &mut MessageDescriptor::default(), &mut options, 1 << 20);
        let answer = Message::decode(&got.expect("an answer").body, ByteOrder::Little).expect("an answer");
        let is_last = answer.header.control == MQCFC_LAST;
        answers.push(answer);
        if is_last {
            return answers;
        }
    }
}
