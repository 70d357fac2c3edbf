//! Events and statistics of message channels that run, and receivers that partners have defined.

use std::time::Duration;

use client::Connection;
use mqi::constants::*;
use mqi::{MessageDescriptor, ObjectDescriptor, Persistence, PutFlags, PutOptions, Text, Verbs as _};
use objects::pcf::{ByteOrder, Content, Message, Parameter};
use server::Mode;

use crate::message_channels::{Pair, figure, numbered};
use crate::running::{command, eventually};
use crate::traces::{LONG, next};

/// The next message in binary form of a queue with this command or reason.
fn told(one: &mut Connection, queue: &str, is_meant: impl Fn(&Message) -> bool) -> Message {
    loop {
        let (_, body) = next(one, queue, LONG).unwrap_or_else(|| panic!("no such message on {queue}"));
        let message = Message::decode(&body, ByteOrder::NATIVE).unwrap();
        if is_meant(&message) {
            return message;
        }
    }
}

fn content(parameters: &[Parameter], identifier: i32) -> Content {
    let found = parameters.iter().find(|one| one.identifier == identifier);
    match found.unwrap_or_else(|| panic!("no parameter {identifier}")).content.clone() {
        Content::Text(text) => Content::Text(text.trim().to_owned()),
        other => other,
    }
}

#[test]
fn statistics_tell_what_each_end_of_a_channel_did_once_and_only_where_they_are_asked_for() {
    let pair = Pair::new();
    pair.send(numbered(0..2), Persistence::Persistent);
    assert_eq!(pair.receive(2).len(), 2);
    for which in [0, 1] {
        command(&mut pair.connect(which), "ALTER QMGR STATCHL(MEDIUM)");
    }
    pair.send(numbered(2..12), Persistence::Persistent);
    pair.send(numbered(12..15), Persistence::NotPersistent);
    assert_eq!(pair.receive(13).len(), 13);
    eventually("nothing is in doubt", || !pair.status(0).contains("INDOUBT(YES)"));
    for (which, kind, partner) in [(0, MQCHT_SENDER, "B"), (1, MQCHT_RECEIVER, "A")] {
        let mut one = pair.connect(which);
        command(&mut one, "RESET QMGR TYPE(STATISTICS)");
        let statistics = told(&mut one, "SYSTEM.ADMIN.STATISTICS.QUEUE", |message| {
            message.header.command == MQCMD_STATISTICS_CHANNEL
        });
        let Content::Group(group) = content(&statistics.parameters, MQGACF_CHL_STATISTICS_DATA) else {
            panic!("{statistics:?}")
        };
        assert_eq!(content(&group, MQCACH_CHANNEL_NAME), Content::Text("A.B".into()));
        assert_eq!(content(&group, MQIACH_CHANNEL_TYPE), Content::Integer(kind));
        assert_eq!(content(&group, MQCA_REMOTE_Q_MGR_NAME), Content::Text(partner.into()));
        // What was sent before it was asked for is not told.
        assert_eq!(content(&group, MQIAMO_MSGS), Content::Integers(vec![3, 10]));
        let bytes = [12..15, 2..12].map(|range| numbered(range).map(|body| body.len() as i64).sum());
        assert_eq!(content(&group, MQIAMO64_BYTES), Content::Integers64(bytes.into()));
        let number = |identifier| match content(&group, identifier) {
            Content::Integer(number) => number,
            other => panic!("{other:?}"),
        };
        assert!((1..=10).contains(&number(MQIAMO_INCOMPLETE_BATCHES)) && number(MQIAMO_FULL_BATCHES) == 0);
        assert!((1..=10).contains(&number(MQIAMO_AVG_BATCH_SIZE)));
        assert_eq!(number(MQIAMO_PUT_RETRIES), 0);
        if which == 0 {
            assert!(number(MQIAMO_NET_TIME_MIN) <= number(MQIAMO_NET_TIME_AVG));
            assert!(
                number(MQIAMO_NET_TIME_MAX) >= number(MQIAMO_NET_TIME_AVG) && number(MQIAMO_NET_TIME_MAX) > 0
            );
        }
        // They are told once.
        command(&mut one, "RESET QMGR TYPE(STATISTICS)");
        assert!(next(&mut one, "SYSTEM.ADMIN.STATISTICS.QUEUE", Duration::ZERO).is_none());
    }
    // A connection that is over is told of as well, and a channel that says OFF is not.
    pair.send(numbered(15..16), Persistence::Persistent);
    assert_eq!(pair.receive(1).len(), 1);
    let mut one = pair.connect(0);
    command(&mut one, "STOP CHANNEL(A.B)");
    eventually("it is over", || pair.status(0).contains("STATUS(STOPPED)"));
    command(&mut one, "RESET QMGR TYPE(STATISTICS)");
    let last = told(&mut one, "SYSTEM.ADMIN.STATISTICS.QUEUE", |message| {
        message.header.command == MQCMD_STATISTICS_CHANNEL
    });
    let Content::Group(group) = content(&last.parameters, MQGACF_CHL_STATISTICS_DATA) else { panic!() };
    assert_eq!(content(&group, MQIAMO_MSGS), Content::Integers(vec![0, 1]));
    command(&mut one, "ALTER CHANNEL(A.B) CHLTYPE(SDR) STATCHL(OFF)");
    command(&mut one, "START CHANNEL(A.B)");
    pair.send(numbered(16..17), Persistence::Persistent);
    assert_eq!(pair.receive(1).len(), 1);
    command(&mut one, "RESET QMGR TYPE(STATISTICS)");
    assert!(next(&mut one, "SYSTEM.ADMIN.STATISTICS.QUEUE", Duration::ZERO).is_none());
}

#[test]
fn a_message_that_cannot_be_converted_is_a_dead_letter_and_an_event() {
    let pair = Pair::new();
    let mut one = pair.connect(0);
    for text in [
        "ALTER CHANNEL(A.B) CHLTYPE(SDR) CONVERT(YES)",
        "DEFINE QLOCAL(DEAD)",
        "ALTER QMGR DEADQ(DEAD) CHLEV(EXCEPTION)",
    ] {
        command(&mut one, text);
    }
    let mut descriptor = MessageDescriptor {
        format: Text::truncated("MQSTR"),
        coded_character_set: 64_999,
        persistence: Persistence::Persistent,
        ..MessageDescriptor::default()
    };
    let object = ObjectDescriptor::queue("THERE".parse().unwrap());
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    one.put1(&object, &mut descriptor, &mut options, b"text".to_vec().into()).unwrap();
    let event = told(&mut one, "SYSTEM.ADMIN.CHANNEL.EVENT", |message| {
        message.header.reason == MQRC_CHANNEL_CONV_ERROR
    });
    assert_eq!(content(&event.parameters, MQCACH_CHANNEL_NAME), Content::Text("A.B".into()));
    assert_eq!(content(&event.parameters, MQCACH_FORMAT_NAME), Content::Text("MQSTR".into()));
    assert_eq!(content(&event.parameters, MQCACH_XMIT_Q_NAME), Content::Text("B".into()));
    let Content::Integer(reason) = content(&event.parameters, MQIACF_CONV_REASON_CODE) else { panic!() };
    assert!((2110..=2120).contains(&reason), "{reason}");
    assert!(next(&mut one, "DEAD", LONG).is_some());
}

#[test]
fn a_transmission_queue_whose_messages_stay_tells_of_its_depth_and_of_their_age() {
    let pair = Pair::new();
    let mut one = pair.connect(0);
    for text in [
        "STOP CHANNEL(A.B)",
        "ALTER QMGR PERFMEV(ENABLED)",
        "ALTER QLOCAL(B) MAXDEPTH(10) QDEPTHHI(50) QDPHIEV(ENABLED) QSVCIEV(HIGH) QSVCINT(100)",
    ] {
        command(&mut one, text);
    }
    pair.send(numbered(0..5), Persistence::Persistent);
    let event =
        told(&mut one, "SYSTEM.ADMIN.PERFM.EVENT", |message| message.header.reason == MQRC_Q_DEPTH_HIGH);
    assert_eq!(content(&event.parameters, MQCA_BASE_OBJECT_NAME), Content::Text("B".into()));
    std::thread::sleep(Duration::from_millis(300));
    pair.send(numbered(5..6), Persistence::Persistent);
    let event = told(&mut one, "SYSTEM.ADMIN.PERFM.EVENT", |message| {
        message.header.reason == MQRC_Q_SERVICE_INTERVAL_HIGH
    });
    assert_eq!(content(&event.parameters, MQCA_BASE_OBJECT_NAME), Content::Text("B".into()));
}

#[test]
fn a_partner_by_a_channel_that_is_not_there_gets_a_receiver_where_that_is_wanted() {
    let pair = Pair::new();
    let mut other = pair.connect(1);
    command(&mut other, "DELETE CHANNEL(A.B)");
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    eventually("it is refused", || figure(&pair.status(0), "LASTERR").contains("there is no channel"));
    command(&mut other, "ALTER CHANNEL(SYSTEM.AUTO.RECEIVER) CHLTYPE(RCVR) BATCHSZ(7) MRRTY(3)");
    command(&mut other, "ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)");
    command(&mut pair.connect(0), "START CHANNEL(A.B) IGNSTATE(YES)");
    pair.send(numbered(0..3), Persistence::Persistent);
    assert_eq!(pair.receive(3).len(), 3);
    let defined = command(&mut other, "DISPLAY CHANNEL(A.B) ALL");
    assert!(defined.contains("CHLTYPE(RCVR)") && defined.contains("BATCHSZ(7)"), "{defined}");
    let event = told(&mut other, "SYSTEM.ADMIN.CHANNEL.EVENT", |message| {
        message.header.reason == MQRC_CHANNEL_AUTO_DEF_OK
    });
    assert_eq!(content(&event.parameters, MQCACH_CHANNEL_NAME), Content::Text("A.B".into()));
    // Without the model there is nothing to make it like.
    command(&mut other, "DELETE CHANNEL(SYSTEM.AUTO.RECEIVER)");
    command(&mut pair.connect(0), "DEFINE CHANNEL(A.C) CHLTYPE(SDR) LIKE(A.B)");
    command(&mut pair.connect(0), "START CHANNEL(A.C)");
    let event = told(&mut other, "SYSTEM.ADMIN.CHANNEL.EVENT", |message| {
        message.header.reason == MQRC_CHANNEL_AUTO_DEF_ERROR
    });
    assert_eq!(content(&event.parameters, MQCACH_CHANNEL_NAME), Content::Text("A.C".into()));
    assert!(other.command("DISPLAY CHANNEL(A.C)").unwrap().failed);
}

#[test]
fn a_partner_that_no_rule_lets_in_gets_no_receiver() {
    let pair = Pair::with_users_at_b(&["clerk"]);
    let mut other = pair.connect(1);
    command(&mut other, "DELETE CHANNEL(A.B)");
    command(&mut other, "ALTER QMGR CHAD(ENABLED)");
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    eventually("it is refused", || figure(&pair.status(0), "LASTERR").contains("lets no partner"));
    assert!(other.command("DISPLAY CHANNEL(A.B)").unwrap().failed, "nothing is made for a stranger");
    command(&mut other, "SET CHLAUTH('A.B') TYPE(QMGRMAP) QMNAME('A') MCAUSER('clerk')");
    command(&mut pair.connect(0), "START CHANNEL(A.B) IGNSTATE(YES)");
    eventually("it is made for one that is let in", || {
        !other.command("DISPLAY CHANNEL(A.B)").unwrap().failed
    });
}

#[test]
fn a_partner_by_one_automatic_channel_too_many_is_refused_with_the_reason_at_both_ends() {
    let mut pair = Pair::new();
    pair.stop(1, Mode::Immediate);
    let settings = pair.places[1].folder().join("ferry.toml");
    let before = std::fs::read_to_string(&settings).unwrap();
    let section = "[growth]\nautomatic_channels_max = 1\n";
    let after = match before.contains("[growth]\n") {
        true => before.replace("[growth]\n", section),
        false => format!("{before}\n{section}"),
    };
    std::fs::write(&settings, after).unwrap();
    pair.start(1);
    let (mut one, mut other) = (pair.connect(0), pair.connect(1));
    for text in ["DELETE CHANNEL(A.B)", "ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)"] {
        command(&mut other, text);
    }
    command(&mut one, "START CHANNEL(A.B)");
    pair.send(numbered(0..1), Persistence::Persistent);
    assert_eq!(pair.receive(1).len(), 1);
    for text in ["STOP CHANNEL(A.B)", "DEFINE CHANNEL(A.C) CHLTYPE(SDR) LIKE(A.B)", "START CHANNEL(A.C)"] {
        command(&mut one, text);
    }
    let parts = ["A.C", "there are 1 automatically defined channels", "growth.automatic_channels_max"];
    let status = |one: &mut Connection| command(one, "DISPLAY CHSTATUS(A.C) ALL");
    eventually("the caller is told", || status(&mut one).contains("2102"));
    let told = status(&mut one);
    assert!(parts.iter().all(|part| told.contains(part)), "{told}");
    for which in [0, 1] {
        eventually("it is in the error log", || {
            let log = pair.places[which].error_log();
            log.contains("growth.automatic_channels_max") && log.contains("DELETE CHANNEL(name)")
        });
    }
    let event = told_of(&mut other);
    assert_eq!(event, "A.C");
    assert!(other.command("DISPLAY CHANNEL(A.C)").unwrap().failed);
    // A channel less makes room.
    command(&mut other, "DELETE CHANNEL(A.B)");
    command(&mut one, "START CHANNEL(A.C) IGNSTATE(YES)");
    eventually("one is made", || !other.command("DISPLAY CHANNEL(A.C)").unwrap().failed);
}

/// The channel of the next event about one that was not made.
fn told_of(other: &mut Connection) -> String {
    let event = told(other, "SYSTEM.ADMIN.CHANNEL.EVENT", |message| {
        message.header.reason == MQRC_CHANNEL_AUTO_DEF_ERROR
    });
    let Content::Text(channel) = content(&event.parameters, MQCACH_CHANNEL_NAME) else { panic!() };
    channel
}
