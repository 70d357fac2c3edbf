//! Messages for other queue managers, on their way on a transmission queue.

use bytes::Bytes;
use formats::headers::{Chain, Header, Place, TransmissionHeader};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, MessageFlags, ObjectDescriptor, ObjectHandle, OpenOptions,
    PutFlags, PutOptions, Reason, Wait,
};

use crate::support::{Bench, INPUT, OUTPUT, Session, message};

fn chain(session: &mut Session, handle: ObjectHandle) -> (MessageDescriptor, Vec<Header>, Bytes) {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20).unwrap();
    let Chain { headers, data, .. } = Chain::read(&Place::of(&got.descriptor), &got.body).unwrap();
    ((*got.descriptor).clone(), headers, data)
}

fn elsewhere(queue: &str, manager: &str) -> ObjectDescriptor {
    ObjectDescriptor {
        object_queue_manager_name: manager.parse().unwrap(),
        ..ObjectDescriptor::queue(queue.parse().unwrap())
    }
}

const REMOTE: &str = "DEFINE QLOCAL(QM2) USAGE(XMITQ) DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2)";

#[test]
fn the_header_says_where_a_message_goes_and_what_it_is() {
    let bench = Bench::new();
    bench.mqsc(REMOTE);
    let mut one = bench.connect();
    let opened = one.try_open("R", OUTPUT).unwrap();
    assert_eq!(opened.object_name.as_str(), "R");
    assert_eq!(opened.resolved_queue_name.as_str(), "THERE");
    assert_eq!(opened.resolved_queue_manager_name.as_str(), "QM2");
    let format = "MQSTR".parse().unwrap();
    let put = one
        .try_put(opened.handle, &MessageDescriptor { format, ..message(true) }, PutFlags::NO_SYNCPOINT, "x")
        .unwrap();
    assert_eq!(put.resolved_queue_name.as_str(), "THERE");
    assert_eq!(put.resolved_queue_manager_name.as_str(), "QM2");
    assert_eq!(put.descriptor.format, format);
    let transmission = one.open("QM2", INPUT);
    let (outer, headers, data) = chain(&mut one, transmission);
    let [Header::Transmission(header)] = &headers[..] else { panic!("{headers:?}") };
    let TransmissionHeader { remote_queue, remote_queue_manager, descriptor } = &**header;
    assert_eq!((remote_queue.as_str(), remote_queue_manager.as_str()), ("THERE", "QM2"));
    assert_eq!(descriptor.message_id, put.descriptor.message_id);
    assert_eq!(descriptor.format, format);
    assert_eq!(descriptor.put_application_name.as_str(), "it");
    assert_eq!(outer.correlation_id.0, put.descriptor.message_id.0);
    assert_ne!(outer.message_id, put.descriptor.message_id);
    assert_eq!(outer.put_application_name.as_str(), "TEST");
    assert_eq!(outer.user_identifier, descriptor.user_identifier);
    assert_eq!(&data[..], b"x");
}

#[test]
fn groups_travel_in_an_extension_of_the_descriptor() {
    let bench = Bench::new();
    bench.mqsc(REMOTE);
    let mut one = bench.connect();
    let handle = one.open("R", OUTPUT);
    let flags = PutFlags::LOGICAL_ORDER | PutFlags::NO_SYNCPOINT;
    let member = MessageDescriptor { message_flags: MessageFlags::MSG_IN_GROUP, ..message(false) };
    let groups = [1, 2].map(|_| *one.try_put(handle, &member, flags, "x").unwrap().descriptor.group_id);
    assert_eq!(groups[0], groups[1]);
    let transmission = one.open("QM2", INPUT);
    for number in [1, 2] {
        let (outer, headers, data) = chain(&mut one, transmission);
        assert!(outer.group_id.is_none());
        let [Header::Transmission(_), Header::DescriptorExtension(extension)] = &headers[..] else {
            panic!("{headers:?}")
        };
        assert_eq!((extension.group_id, extension.message_sequence_number), (groups[0], number));
        assert_eq!(&data[..], b"x");
    }
}

#[test]
fn an_alias_of_this_queue_manager_leads_to_its_queues() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QREMOTE(OLD.NAME) RQMNAME(TEST) DEFINE QLOCAL(Q) DEFINE QALIAS(A) TARGET(Q)");
    let mut one = bench.connect();
    for name in ["Q", "A"] {
        let opened = one.connection.open(&elsewhere(name, "OLD.NAME"), OUTPUT);
        let opened = bench.open(opened).unwrap();
        assert_eq!(opened.resolved_queue_name.as_str(), "Q");
        assert_eq!(opened.resolved_queue_manager_name.as_str(), "TEST");
        one.put(opened.handle, true, name);
        let input = one.connection.open(&elsewhere(name, "OLD.NAME"), INPUT);
        assert_eq!(bench.open(input).unwrap_err(), Reason::OPTION_NOT_VALID_FOR_TYPE);
    }
    assert_eq!(bench.depth("Q"), 2);
    let missing = one.connection.open(&elsewhere("NONE", "OLD.NAME"), OUTPUT);
    assert_eq!(bench.open(missing).unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
}

#[test]
fn names_that_lead_nowhere_have_their_reasons() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QREMOTE(HERE) RNAME(Q) RQMNAME(TEST) DEFINE QLOCAL(QM2) USAGE(XMITQ)");
    let mut one = bench.connect();
    assert_eq!(one.try_open("HERE", OUTPUT).unwrap_err(), Reason::UNKNOWN_REMOTE_Q_MGR);
    let unnamed = ObjectDescriptor { object_name: mqi::ObjectName::BLANK, ..elsewhere("Q", "QM2") };
    let opened = one.connection.open(&unnamed, OUTPUT);
    assert_eq!(bench.open(opened).unwrap_err(), Reason::REMOTE_Q_NAME_ERROR);
    let process = ObjectDescriptor { object_type: mqi::ObjectType::Process, ..elsewhere("P", "QM2") };
    let opened = one.connection.open(&process, OpenOptions::INQUIRE);
    assert_eq!(bench.open(opened).unwrap_err(), Reason::UNKNOWN_OBJECT_Q_MGR);
}

#[test]
fn an_alias_of_an_answer_queue_is_replaced_before_the_message_leaves() {
    let bench = Bench::new();
    bench.mqsc(&format!("{REMOTE} DEFINE QREMOTE(ANSWERS) RNAME(REPLIES) RQMNAME(TEST.ALIAS)"));
    let mut one = bench.connect();
    let asking = MessageDescriptor { reply_to_queue: "ANSWERS".parse().unwrap(), ..message(false) };
    let put = one.connection.put1(
        &ObjectDescriptor::queue("R".parse().unwrap()),
        &asking,
        &PutOptions::with(PutFlags::NO_SYNCPOINT),
        Bytes::from_static(b"ask"),
    );
    let shown = bench.open(put).unwrap().descriptor;
    let named = |shown: &MessageDescriptor| {
        (shown.reply_to_queue.as_str().to_owned(), shown.reply_to_queue_manager.as_str().to_owned())
    };
    let as_named = ("ANSWERS".to_owned(), "TEST".to_owned());
    assert_eq!(named(&shown), as_named, "the putter is not shown what the alias leads to");
    let local = one.open("SYSTEM.DEFAULT.LOCAL.QUEUE", OUTPUT);
    let shown = one.try_put(local, &asking, PutFlags::NO_SYNCPOINT, "ask").unwrap().descriptor;
    assert_eq!(named(&shown), as_named);
    let transmission = one.open("QM2", INPUT);
    let (outer, headers, _) = chain(&mut one, transmission);
    let Header::Transmission(header) = &headers[0] else { panic!("{headers:?}") };
    for descriptor in [&outer, &header.descriptor] {
        assert_eq!(descriptor.reply_to_queue.as_str(), "REPLIES");
        assert_eq!(descriptor.reply_to_queue_manager.as_str(), "TEST.ALIAS");
    }
}

#[test]
fn what_waits_on_a_transmission_queue_is_there_after_a_crash() {
    let bench = Bench::new();
    bench.mqsc(REMOTE);
    let mut one = bench.connect();
    let handle = one.open("R", OUTPUT);
    one.put(handle, true, "kept");
    one.put_within(handle, true, "committed");
    one.commit().unwrap();
    one.put_within(handle, true, "not committed");
    drop(one);
    let bench = bench.crash(platform::simulated::Survival::Nothing);
    let mut one = bench.connect();
    let transmission = one.open("QM2", INPUT);
    for expected in ["kept", "committed"] {
        assert_eq!(chain(&mut one, transmission).2, expected.as_bytes());
    }
    assert_eq!(one.get(transmission), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_message_that_may_be_split_has_one_header_however_near_it_is_to_the_most_bytes() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(QM2) USAGE(XMITQ) MAXMSGL(2000) DEFINE QREMOTE(R) RNAME(THERE) RQMNAME(QM2)");
    let mut one = bench.connect();
    let handle = one.open("R", OUTPUT);
    let may_be_split =
        MessageDescriptor { message_flags: MessageFlags::SEGMENTATION_ALLOWED, ..message(false) };
    // Between both, a message fits with one header and would not with two.
    for length in [1000, 1300, 1500] {
        one.try_put(handle, &may_be_split, PutFlags::NO_SYNCPOINT, &"x".repeat(length)).unwrap();
    }
    assert_eq!(bench.depth("QM2"), 3, "none of them is split");
    let transmission = one.open("QM2", INPUT);
    for length in [1000, 1300, 1500] {
        let (_, headers, data) = chain(&mut one, transmission);
        assert!(matches!(&headers[..], [Header::Transmission(_), ..]), "{headers:?}");
        assert_eq!(headers.iter().filter(|one| matches!(one, Header::Transmission(_))).count(), 1);
        assert_eq!(data.len(), length);
    }
}
