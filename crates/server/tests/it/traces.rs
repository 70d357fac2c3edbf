//! Trace-route messages and activity reports between two queue managers.

use std::time::Duration;

use client::Connection;
use mqi::constants::*;
use mqi::{
    CloseOptions, Encoding, GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectDescriptor,
    OpenOptions, Persistence, PutFlags, PutOptions, Reason, ReportOptions, Text, Verbs as _, Wait,
};
use objects::pcf::{
    ByteOrder, Content, Header, Message, Parameter, TraceRoute, Traced, read_activity_report,
};

use crate::message_channels::Pair;
use crate::running::{command, open};

const ROUTE: TraceRoute = TraceRoute {
    detail: MQROUTE_DETAIL_MEDIUM,
    recorded: 0,
    unrecorded: 0,
    discontinuities: 0,
    activities_max: 0,
    accumulate: MQROUTE_ACCUMULATE_AND_REPLY,
    forward: MQROUTE_FORWARD_ALL,
    deliver: MQROUTE_DELIVER_NO,
};

/// A pair with a way back from B to A, and the queue ANSWERS at A.
fn pair() -> Pair {
    let pair = Pair::new();
    let to = pair.ports[0];
    for text in [
        "DEFINE QLOCAL(A) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
        &format!("DEFINE CHANNEL(B.A) CHLTYPE(SDR) CONNAME('localhost({to})') XMITQ(A)"),
    ] {
        command(&mut pair.connect(1), text);
    }
    for text in ["DEFINE CHANNEL(B.A) CHLTYPE(RCVR)", "DEFINE QLOCAL(ANSWERS)", "DEFINE QLOCAL(HERE)"] {
        command(&mut pair.connect(0), text);
    }
    pair
}

fn body(route: TraceRoute) -> Vec<u8> {
    let mut header = Header::command(MQCMD_TRACE_ROUTE);
    (header.kind, header.version) = (MQCFT_TRACE_ROUTE, MQCFH_VERSION_3);
    Message { header, parameters: vec![route.group()] }.encode(ByteOrder::NATIVE)
}

struct Sent<'a> {
    to: &'a str,
    format: &'a str,
    report: i32,
    persistence: Persistence,
}

const TRACED: Sent<'static> =
    Sent { to: "THERE", format: "MQADMIN", report: 0, persistence: Persistence::Persistent };

/// Puts a message at A whose answers go to ANSWERS; its descriptor.
fn put(one: &mut Connection, sent: &Sent<'_>, body: Vec<u8>) -> MessageDescriptor {
    let mut descriptor = MessageDescriptor {
        message_type: MessageType::REQUEST,
        format: Text::truncated(sent.format),
        report: ReportOptions::from_bits(sent.report),
        persistence: sent.persistence,
        reply_to_queue: Text::truncated("ANSWERS").into(),
        ..MessageDescriptor::default()
    };
    let object = ObjectDescriptor::queue(sent.to.parse().unwrap());
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    one.put1(&object, &mut descriptor, &mut options, body.into()).unwrap();
    descriptor
}

/// The next message of a queue, if one comes.
pub(crate) fn next(
    one: &mut Connection,
    queue: &str,
    wait: Duration,
) -> Option<(MessageDescriptor, Vec<u8>)> {
    let handle = open(one, queue, OpenOptions::INPUT_SHARED);
    let wait = if wait.is_zero() { Wait::No } else { wait.into() };
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, wait);
    let mut descriptor = MessageDescriptor::default();
    let got = one.get(handle, &mut descriptor, &mut options, 1 << 20);
    one.close(handle, CloseOptions::EMPTY).unwrap();
    match got {
        Ok(got) => Some((descriptor, got.body.to_vec())),
        Err(Reason::NO_MSG_AVAILABLE) => None,
        Err(other) => panic!("{other}"),
    }
}

pub(crate) const LONG: Duration = Duration::from_secs(20);

fn traced((descriptor, body): &(MessageDescriptor, Vec<u8>)) -> Traced {
    Traced::read(descriptor.format.as_str(), descriptor.encoding.0, body)
        .expect("it is a trace-route message")
}

/// The operations of activities, each by its number and one of its texts.
fn operations<'a>(activities: impl Iterator<Item = &'a [Parameter]>) -> Vec<(i32, String)> {
    let mut all = Vec::new();
    for group in activities.flatten() {
        let Content::Group(operation) = &group.content else { continue };
        let text = |identifier| {
            operation.iter().find(|one| one.identifier == identifier).map(|one| match &one.content {
                Content::Text(text) => text.trim().to_owned(),
                Content::Integer(number) => number.to_string(),
                other => panic!("{other:?}"),
            })
        };
        let kind = text(MQIACF_OPERATION_TYPE).unwrap().parse().unwrap();
        let shown = match kind {
            MQOPER_SEND | MQOPER_RECEIVE => {
                text(MQCACH_CHANNEL_NAME).unwrap() + " " + &text(MQCA_REMOTE_Q_MGR_NAME).unwrap()
            }
            MQOPER_DISCARD => text(MQIACF_FEEDBACK).unwrap(),
            _ => text(MQCACF_RESOLVED_Q_NAME).unwrap(),
        };
        assert!(text(MQCA_Q_MGR_NAME).is_some() && text(MQCACF_OPERATION_TIME).is_some());
        all.push((kind, shown));
    }
    all
}

fn pairs(expected: &[(i32, &str)]) -> Vec<(i32, String)> {
    expected.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect()
}

const SENT: [(i32, &str); 3] = [(MQOPER_GET, "B"), (MQOPER_SEND, "A.B B"), (MQOPER_RECEIVE, "A.B A")];

#[test]
fn channels_note_their_activities_and_the_reply_tells_them_whether_the_message_is_delivered_or_not() {
    let pair = pair();
    let mut one = pair.connect(0);
    for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
        for (deliver, last, feedback) in [
            (MQROUTE_DELIVER_NO, (MQOPER_DISCARD, "284"), MQFB_NOT_DELIVERED),
            (MQROUTE_DELIVER_YES, (MQOPER_PUT, "IN"), MQFB_NONE),
        ] {
            let sent = Sent { persistence, ..TRACED };
            let put = put(&mut one, &sent, body(TraceRoute { deliver, ..ROUTE }));
            let reply = next(&mut one, "ANSWERS", LONG).unwrap_or_else(|| panic!("{}", pair.told()));
            let (descriptor, _) = &reply;
            assert_eq!(descriptor.correlation_id.as_bytes(), put.message_id.as_bytes());
            assert_eq!((descriptor.message_type, descriptor.feedback.0), (MessageType::REPLY, feedback));
            let told = traced(&reply);
            assert_eq!((told.route.recorded, told.route.unrecorded), (2, 0));
            let expected = pairs(&[SENT[0], SENT[1], SENT[2], last]);
            assert_eq!(operations(told.activities()), expected);
            let delivered = next(&mut pair.connect(1), "IN", Duration::ZERO);
            assert_eq!(delivered.is_some(), deliver == MQROUTE_DELIVER_YES);
            if let Some(delivered) = delivered {
                assert_eq!(operations(traced(&delivered).activities()), expected);
                assert_eq!(delivered.0.persistence, persistence);
            }
        }
    }
}

#[test]
fn a_put_here_honours_the_wishes_of_a_trace_route_message_within_units_of_work_too() {
    let pair = pair();
    let mut one = pair.connect(0);
    let unknown = 0x0010_0000;
    for (route, to, feedback) in [
        (ROUTE, "HERE", Some(MQFB_NOT_DELIVERED)),
        (TraceRoute { deliver: unknown, ..ROUTE }, "HERE", Some(MQFB_UNSUPPORTED_DELIVERY)),
        (TraceRoute { forward: unknown, ..ROUTE }, "THERE", Some(MQFB_UNSUPPORTED_FORWARDING)),
        (TraceRoute { recorded: 3, activities_max: 2, ..ROUTE }, "THERE", Some(MQFB_MAX_ACTIVITIES)),
        (TraceRoute { deliver: MQROUTE_DELIVER_YES, ..ROUTE }, "HERE", None),
    ] {
        put(&mut one, &Sent { to, ..TRACED }, body(route));
        let reply = next(&mut one, "ANSWERS", Duration::ZERO).expect("a reply at once");
        assert_eq!(reply.0.feedback.0, feedback.unwrap_or(MQFB_NONE), "{route:?}");
        assert_eq!(next(&mut one, "HERE", Duration::ZERO).is_some(), feedback.is_none(), "{route:?}");
    }
    // A put within a unit of work: the reply is there with the commit, and goes with a backout.
    let here = open(&mut one, "HERE", OpenOptions::OUTPUT);
    for commits in [false, true] {
        let mut descriptor = MessageDescriptor {
            format: Text::truncated("MQADMIN"),
            reply_to_queue: Text::truncated("ANSWERS").into(),
            ..MessageDescriptor::default()
        };
        let mut options = PutOptions::with(PutFlags::SYNCPOINT);
        one.put(here, &mut descriptor, &mut options, body(ROUTE).into()).unwrap();
        assert!(next(&mut one, "ANSWERS", Duration::ZERO).is_none(), "not before the commit");
        if commits {
            one.commit().unwrap()
        } else {
            one.back().unwrap()
        };
        assert_eq!(next(&mut one, "ANSWERS", Duration::ZERO).is_some(), commits);
    }
    // Without the wish for a reply there is none.
    put(
        &mut one,
        &Sent { to: "HERE", ..TRACED },
        body(TraceRoute { accumulate: MQROUTE_ACCUMULATE_NONE, ..ROUTE }),
    );
    assert!(next(&mut one, "ANSWERS", Duration::ZERO).is_none());
    assert!(next(&mut one, "HERE", Duration::ZERO).is_none());
}

#[test]
fn what_is_no_trace_route_message_goes_its_way_unchanged() {
    let pair = pair();
    let mut one = pair.connect(0);
    let whole = body(ROUTE);
    let mut other_kind = whole.clone();
    other_kind[0..4].copy_from_slice(&MQCFT_COMMAND.to_ne_bytes());
    let mut many = whole.clone();
    many[32..36].copy_from_slice(&i32::MAX.to_ne_bytes());
    let mut negative = whole.clone();
    negative[32..36].copy_from_slice(&(-1_i32).to_ne_bytes());
    for (format, bytes) in [
        ("MQADMIN", Vec::new()),
        ("MQADMIN", whole[..whole.len() - 3].to_vec()),
        ("MQADMIN", other_kind),
        ("MQADMIN", many),
        ("MQADMIN", negative),
        ("MQSTR", whole.clone()),
    ] {
        put(&mut one, &Sent { format, ..TRACED }, bytes.clone());
        let (descriptor, got) = next(&mut pair.connect(1), "IN", LONG).unwrap();
        assert_eq!((got, descriptor.format.as_str()), (bytes, format));
    }
    assert!(next(&mut one, "ANSWERS", Duration::ZERO).is_none());
}

#[test]
fn the_data_of_a_program_stays_behind_embedded_groups() {
    let pair = pair();
    let mut one = pair.connect(0);
    let groups =
        body(TraceRoute { deliver: MQROUTE_DELIVER_YES, accumulate: MQROUTE_ACCUMULATE_IN_MSG, ..ROUTE });
    let mut embedded = b"EPH ".to_vec();
    for number in [MQEPH_VERSION_1, 32 + groups.len() as i32, Encoding::NATIVE.0, 1208] {
        embedded.extend(number.to_ne_bytes());
    }
    embedded.extend(b"MQSTR   \0\0\0\0");
    embedded.extend(groups);
    embedded.extend(b"what the program says");
    put(&mut one, &Sent { format: "MQHEPCF", ..TRACED }, embedded);
    let got = next(&mut pair.connect(1), "IN", LONG).unwrap();
    assert_eq!(
        operations(traced(&got).activities()),
        pairs(&[SENT[0], SENT[1], SENT[2], (MQOPER_PUT, "IN")])
    );
    assert!(got.1.ends_with(b"what the program says"));
}

#[test]
fn the_limit_of_activities_and_the_detail_are_kept_on_the_way() {
    let pair = pair();
    let mut one = pair.connect(0);
    put(&mut one, &TRACED, body(TraceRoute { activities_max: 1, ..ROUTE }));
    let reply = next(&mut one, "ANSWERS", LONG).unwrap();
    assert_eq!(reply.0.feedback.0, MQFB_MAX_ACTIVITIES);
    assert_eq!(operations(traced(&reply).activities()).last(), pairs(&[(MQOPER_DISCARD, "282")]).first());
    put(&mut one, &TRACED, body(TraceRoute { detail: MQROUTE_DETAIL_LOW, ..ROUTE }));
    let reply = traced(&next(&mut one, "ANSWERS", LONG).unwrap());
    assert_eq!((reply.route.recorded, reply.route.unrecorded, reply.activities().count()), (0, 2, 0));
}

#[test]
fn activities_are_reported_where_a_message_asks_and_the_queue_managers_allow_it() {
    let pair = pair();
    let mut one = pair.connect(0);
    let asks = Sent { format: "MQSTR", report: MQRO_ACTIVITY, ..TRACED };
    let reports = |one: &mut Connection, count: usize| -> Vec<Vec<(i32, String)>> {
        (0..count)
            .map(|_| {
                let (descriptor, body) = next(one, "ANSWERS", LONG).expect("a report");
                assert_eq!(
                    (descriptor.message_type, descriptor.feedback.0),
                    (MessageType::REPORT, MQFB_ACTIVITY)
                );
                assert_eq!(descriptor.format.as_str(), "MQHEPCF");
                let report = read_activity_report(descriptor.encoding.0, &body).unwrap();
                let groups = report.parameters.iter().filter_map(|one| match &one.content {
                    Content::Group(group) => Some(group.as_slice()),
                    _ => None,
                });
                operations(groups)
            })
            .collect()
    };
    let sends = pairs(&SENT[..2]);
    let receives = pairs(&[SENT[2], (MQOPER_PUT, "IN")]);
    for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
        put(&mut one, &Sent { persistence, ..asks }, b"text".to_vec());
        assert_eq!(reports(&mut one, 2), [sends.clone(), receives.clone()]);
        assert_eq!(
            next(&mut pair.connect(1), "IN", LONG).unwrap().1,
            b"text",
            "the message itself is as it was"
        );
    }
    // B keeps its reports for itself, and then makes none.
    command(&mut pair.connect(1), "ALTER QMGR ACTIVREC(QUEUE)");
    put(&mut one, &asks, b"text".to_vec());
    assert_eq!(reports(&mut one, 1), std::slice::from_ref(&sends));
    assert!(next(&mut pair.connect(1), "SYSTEM.ADMIN.ACTIVITY.QUEUE", LONG).is_some());
    command(&mut pair.connect(1), "ALTER QMGR ACTIVREC(DISABLED)");
    put(&mut one, &asks, b"text".to_vec());
    assert_eq!(reports(&mut one, 1), [sends]);
    // ROUTEREC is about what is written into messages, and about replies.
    command(&mut pair.connect(1), "ALTER QMGR ROUTEREC(QUEUE)");
    put(&mut one, &TRACED, body(ROUTE));
    let reply = next(&mut pair.connect(1), "SYSTEM.ADMIN.TRACE.ROUTE.QUEUE", LONG).unwrap();
    assert_eq!(traced(&reply).activities().count(), 2);
    command(&mut pair.connect(1), "ALTER QMGR ROUTEREC(DISABLED)");
    put(&mut one, &TRACED, body(TraceRoute { deliver: MQROUTE_DELIVER_YES, ..ROUTE }));
    let mut found = next(&mut pair.connect(1), "IN", LONG);
    while found.as_ref().is_some_and(|(descriptor, _)| descriptor.format.as_str() == "MQSTR") {
        found = next(&mut pair.connect(1), "IN", LONG);
    }
    let got = traced(&found.unwrap());
    assert_eq!((got.route.recorded, got.route.unrecorded), (1, 1), "B writes nothing, and counts");
    assert!(next(&mut one, "ANSWERS", Duration::from_millis(500)).is_none());
}
