//! Calls on branches by `$xa`: transactions of other coordinators.

use ::amqp::outcome::{self, put_accepted};
use ::amqp::performative::{Attach, Performative, Transfer};
use ::amqp::sections::Properties;
use ::amqp::types::Raw;
use ::amqp::types::write::{Composite, put_binary, put_descriptor, put_map, put_scalar, put_string};
use ::amqp::{Sections, Value};
use mqi::{GetFlags, OpenOptions, Persistence};
use queue_manager::Decision;

use super::amqp_names::mqsc;
use super::conditions::of_user;
use super::transactions::{declare, discharge, is_accepted, send, taken, taking, told, transacting, within};
use super::{Came, Peer, message, state};
use crate::loopback::Server;

const XA: u32 = 20;
const ANSWERS: u32 = 21;

/// A call on the branch of this number; none on any.
fn call(name: &str, branch: Option<u8>, reply_to: Option<&str>) -> Vec<u8> {
    let mut properties = vec![("ferry.xa", Value::String(name))];
    let qualifier = [branch.unwrap_or_default()];
    if branch.is_some() {
        properties.push(("ferry.format", Value::Int(7)));
        properties.push(("ferry.global", Value::Binary(b"of the test")));
        properties.push(("ferry.qualifier", Value::Binary(&qualifier)));
    }
    with_properties(&properties, reply_to)
}

fn with_properties(properties: &[(&str, Value<'_>)], reply_to: Option<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    Properties { reply_to, ..Properties::default() }.write(&mut out);
    put_descriptor(&mut out, 0x74);
    put_map(&mut out, properties.len() as u32, |out| {
        for (name, value) in properties {
            put_string(out, name);
            assert!(put_scalar(out, value));
        }
    });
    out
}

/// The state of a message within a transaction.
fn in_transaction(name: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut fields = Composite::begin(&mut bytes, outcome::Transactional::CODE);
    fields.put(|out| put_binary(out, name));
    fields.end();
    bytes
}

/// Attaches `$xa`, and a source of answers.
fn calling(mut peer: Peer) -> Peer {
    peer.attach_target(XA, "$xa");
    assert_eq!(peer.names(), ["Attach", "Flow"]);
    peer.attach_source(ANSWERS, "R");
    peer.grant(ANSWERS, 0, 1000, false);
    peer.frames();
    peer
}

/// A server with the queues A, B, and R for answers.
fn server() -> Server {
    let server = Server::new();
    let made = server.client().command("DEFINE QLOCAL(R)");
    assert!(!made.failed, "{}", made.text);
    server
}

/// Prepares a transaction as the branch of this number; what comes back.
fn prepare(peer: &mut Peer, name: &[u8], branch: u8, reply_to: Option<&str>) -> Vec<Came> {
    peer.put_by(XA, &call("prepare", Some(branch), reply_to), Some(&in_transaction(name)));
    peer.frames()
}

/// The condition and the words of the outcome within a transaction; empty where it was accepted.
fn outcome_of(frames: &[Came]) -> (String, String) {
    let state = ::amqp::DeliveryState::decode(told(frames)).unwrap();
    let outcome = match state {
        ::amqp::DeliveryState::Transactional(told) => {
            ::amqp::DeliveryState::decode(told.outcome.unwrap().0).unwrap()
        }
        other => other,
    };
    match outcome {
        ::amqp::DeliveryState::Accepted => Default::default(),
        ::amqp::DeliveryState::Rejected(rejected) => {
            let (condition, text) = outcome::error_text(rejected.error.unwrap());
            (condition.to_owned(), text.to_owned())
        }
        other => panic!("{other:?}"),
    }
}

/// The number and the branches of the only answer among frames, a byte for each branch.
fn answer(frames: &[Came]) -> (i128, Vec<u8>) {
    let transfer = frames.iter().find(|came| came.name == "Transfer").unwrap_or_else(|| panic!("{frames:?}"));
    let (_, payload) = transfer.performative();
    let sections = Sections::of(payload).unwrap();
    let result = sections.application_properties().find(|(key, _)| key.text() == Some("ferry.result"));
    let mut body = sections.parts().next().unwrap().content;
    let mut branches = Vec::new();
    while !body.is_empty() {
        assert_eq!(body[..6], [0, 0, 0, 7, 11, 1]);
        assert_eq!(&body[6..17], b"of the test");
        branches.push(body[17]);
        body = &body[18..];
    }
    (result.unwrap().1.integer().unwrap(), branches)
}

/// Makes a call outside of transactions; the number and the branches of its answer.
fn ask(peer: &mut Peer, name: &str, branch: Option<u8>) -> (i128, Vec<u8>) {
    peer.put_by(XA, &call(name, branch, Some("R")), None);
    let frames = peer.frames();
    assert!(is_accepted(&frames), "{frames:?}");
    answer(&frames)
}

#[test]
fn a_prepared_transaction_outlives_its_connection_and_a_restart_and_another_connection_commits_it() {
    let server = server();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "got in it");
    let mut peer = calling(taking(&server, 1));
    let name = declare(&mut peer);
    assert_eq!(send(&mut peer, &name, "put in it"), "");
    let accepted = within(&name, put_accepted);
    peer.settle(0, 0, |out| out.extend_from_slice(&accepted));
    peer.put_by(XA, &call("prepare", Some(1), None), Some(&in_transaction(&name)));
    assert!(peer.released().is_empty(), "the record is not durable");
    assert_eq!(outcome_of(&peer.frames()), Default::default());
    drop(peer);
    let server = server.restarted();
    assert!(taken(&server, "A").is_empty() && taken(&server, "B").is_empty(), "both are in doubt");
    let mut other = calling(Peer::open(&server));
    assert_eq!(ask(&mut other, "recover", None), (0, vec![1]));
    // The answer waits for the record of the end.
    other.put_by(XA, &call("commit", Some(1), Some("R")), None);
    assert!(other.released().is_empty());
    assert_eq!(answer(&other.frames()), (0, vec![]));
    assert_eq!(ask(&mut other, "commit", Some(1)), (-4, vec![]));
    assert_eq!(ask(&mut other, "recover", None), (0, vec![]));
    assert_eq!(taken(&server, "A"), ["put in it"]);
    assert!(taken(&server, "B").is_empty());
}

#[test]
fn a_discharge_decides_what_was_prepared_either_way() {
    for fails in [false, true] {
        let server = server();
        let mut peer = calling(transacting(&server, "A"));
        let name = declare(&mut peer);
        send(&mut peer, &name, "in it");
        assert_eq!(outcome_of(&prepare(&mut peer, &name, 1, None)), Default::default());
        assert!(taken(&server, "A").is_empty());
        discharge(&mut peer, &name, fails);
        assert!(is_accepted(&peer.frames()));
        assert_eq!(taken(&server, "A").len(), usize::from(!fails));
        assert_eq!(ask(&mut peer, "recover", None), (0, vec![]));
        // The connection goes on with others.
        let next = declare(&mut peer);
        send(&mut peer, &next, "behind it");
        discharge(&mut peer, &next, false);
        assert!(is_accepted(&peer.frames()));
        assert_eq!(taken(&server, "A"), ["behind it"]);
    }
}

#[test]
fn what_is_prepared_takes_no_more_messages_and_stands_as_it_is() {
    let server = server();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "too late");
    let mut peer = calling(taking(&server, 1));
    let name = declare(&mut peer);
    send(&mut peer, &name, "in it");
    assert_eq!(outcome_of(&prepare(&mut peer, &name, 1, None)), Default::default());
    assert_eq!(send(&mut peer, &name, "too late"), "amqp:transaction:unknown-id");
    assert_eq!(outcome_of(&prepare(&mut peer, &name, 2, None)).0, "amqp:transaction:unknown-id");
    discharge(&mut peer, &name, false);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(taken(&server, "A"), ["in it"]);
}

#[test]
fn a_coordinator_that_ends_leaves_what_is_prepared_in_doubt() {
    let server = server();
    let mut peer = calling(transacting(&server, "A"));
    let name = declare(&mut peer);
    send(&mut peer, &name, "in it");
    assert_eq!(outcome_of(&prepare(&mut peer, &name, 1, None)), Default::default());
    peer.say(::amqp::Detach { handle: 9, closed: true, error: None });
    peer.frames();
    assert_eq!(ask(&mut peer, "recover", None), (0, vec![1]));
    assert_eq!(ask(&mut peer, "rollback", Some(1)), (0, vec![]));
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn a_preparation_is_answered_by_its_number_as_well_if_it_asks_for_that() {
    let server = server();
    let made = server.client().command("ALTER QLOCAL(A) MAXDEPTH(1)");
    assert!(!made.failed, "{}", made.text);
    let mut peer = calling(transacting(&server, "A"));
    // Nothing was done.
    let name = declare(&mut peer);
    let frames = prepare(&mut peer, &name, 1, Some("R"));
    let (condition, text) = outcome_of(&frames);
    assert_eq!((condition.as_str(), answer(&frames).0), ("amqp:precondition-failed", 3));
    assert!(text.ends_with("it is over (XA 3)"), "{text}");
    discharge(&mut peer, &name, false);
    assert!(is_accepted(&peer.frames()));
    // All went well.
    let good = declare(&mut peer);
    send(&mut peer, &good, "one");
    let frames = prepare(&mut peer, &good, 2, Some("R"));
    assert_eq!((outcome_of(&frames).0.as_str(), answer(&frames).0), ("", 0));
    // Another has the identifier.
    let other = declare(&mut peer);
    peer.attach_target(3, "B");
    peer.frames();
    peer.put_by(3, &message("two", true), Some(&in_transaction(&other)));
    peer.frames();
    let frames = prepare(&mut peer, &other, 2, Some("R"));
    assert_eq!((outcome_of(&frames).0.as_str(), answer(&frames).0), ("amqp:resource-locked", -8));
    discharge(&mut peer, &other, false);
    assert!(peer.frames()[0].text().contains("(XA -8)"));
    // A put failed in it.
    let bad = declare(&mut peer);
    assert_eq!(send(&mut peer, &bad, "beyond"), "amqp:resource-limit-exceeded");
    let frames = prepare(&mut peer, &bad, 3, Some("R"));
    let (condition, text) = outcome_of(&frames);
    assert_eq!((condition.as_str(), answer(&frames).0), ("amqp:precondition-failed", 104));
    assert!(text.contains("(XA 104)") && text.contains("2053 MQRC_Q_FULL"), "{text}");
    discharge(&mut peer, &bad, true);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(ask(&mut peer, "recover", None), (0, vec![2]));
    assert!(taken(&server, "B").is_empty());
}

#[test]
fn a_branch_that_another_decided_answers_its_discharge_with_that() {
    let server = server();
    let mut peer = transacting(&server, "A");
    peer.attach_target(XA, "$xa");
    peer.frames();
    for (number, expected) in [(1, "(XA -4)"), (2, "(XA 6)")] {
        let name = declare(&mut peer);
        send(&mut peer, &name, "in it");
        assert_eq!(outcome_of(&prepare(&mut peer, &name, number, None)), Default::default());
        if number == 1 {
            let mut other = calling(Peer::open(&server));
            assert_eq!(ask(&mut other, "rollback", Some(1)), (0, vec![]));
        } else {
            let unit = server.driven(server.queue_manager.units().prepared())[0].name;
            let units = server.queue_manager.units();
            server.driven(units.resolve_by_hand(unit, Decision::BackOut, "ada")).unwrap();
        }
        discharge(&mut peer, &name, false);
        let frames = peer.frames();
        assert!(frames[0].text().contains(expected), "{}", frames[0].text());
    }
    // A person's decision is told until it is forgotten.
    drop(peer);
    let mut peer = calling(Peer::open(&server));
    assert_eq!(ask(&mut peer, "commit", Some(2)), (6, vec![]));
    assert_eq!(ask(&mut peer, "recover", None), (0, vec![2]));
    assert_eq!(ask(&mut peer, "forget", Some(2)), (0, vec![]));
    assert_eq!(ask(&mut peer, "forget", Some(2)), (-4, vec![]));
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn branches_are_listed_in_pages_of_a_hundred() {
    let server = server();
    let mut peer = calling(transacting(&server, "A"));
    for number in 0..201 {
        let name = declare(&mut peer);
        send(&mut peer, &name, "in it");
        assert_eq!(outcome_of(&prepare(&mut peer, &name, number, None)), Default::default());
    }
    let (_, first) = ask(&mut peer, "recover", None);
    let (_, second) = ask(&mut peer, "recover", first.last().copied());
    let (_, last) = ask(&mut peer, "recover", second.last().copied());
    assert_eq!([first.len(), second.len(), last.len()], [100, 100, 1]);
    assert_eq!([first, second, last].concat(), (0..201).collect::<Vec<u8>>());
}

#[test]
fn branches_are_those_of_their_user_and_of_administrators_and_others_know_of_none() {
    let server = Server::by_records();
    for command in [
        "DEFINE QLOCAL(A)",
        "DEFINE QLOCAL(R)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob') AUTHADD(CONNECT)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('chief') AUTHADD(CONNECT,CHG,DSP)",
        "SET AUTHREC PROFILE('*') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(PUT,GET)",
        "SET AUTHREC PROFILE('*') OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(PUT,GET)",
        "SET AUTHREC PROFILE('*') OBJTYPE(QUEUE) PRINCIPAL('chief') AUTHADD(PUT,GET)",
    ] {
        mqsc(&server, command);
    }
    // One that may not connect has no link to it.
    let mut eve = of_user(&server, "eve");
    eve.attach_target(XA, "$xa");
    let frames = eve.frames();
    let refused: Vec<_> = frames.iter().map(Came::condition).collect();
    assert_eq!(refused, ["", "amqp:unauthorized-access"], "{frames:?}");

    let mut ada = of_user(&server, "ada");
    ada.attach_target(1, "A");
    let mut target = Vec::new();
    ::amqp::terminus::Coordinator::default().write(&mut target);
    let target = Some(Raw(&target[..]));
    let initial_delivery_count = Some(0);
    ada.say(Attach { name: "c", handle: 9, target, initial_delivery_count, ..Attach::default() });
    ada.frames();
    let mut ada = calling(ada);
    for number in [1, 2] {
        let name = declare(&mut ada);
        send(&mut ada, &name, "in it");
        assert_eq!(outcome_of(&prepare(&mut ada, &name, number, None)), Default::default());
    }
    drop(ada);
    let mut bob = calling(of_user(&server, "bob"));
    for call in ["commit", "rollback", "forget"] {
        assert_eq!(ask(&mut bob, call, Some(1)), (-4, vec![]), "{call}");
    }
    assert_eq!(ask(&mut bob, "recover", None), (0, vec![]));
    drop(bob);
    let mut chief = calling(of_user(&server, "chief"));
    assert_eq!(ask(&mut chief, "recover", None), (0, vec![]), "each lists its own alone");
    assert_eq!(ask(&mut chief, "commit", Some(1)), (0, vec![]));
    drop(chief);
    let mut ada = calling(of_user(&server, "ada"));
    assert_eq!(ask(&mut ada, "recover", None), (0, vec![2]));
    assert_eq!(ask(&mut ada, "rollback", Some(2)), (0, vec![]));
}

#[test]
fn calls_that_make_no_sense_are_refused_in_words_and_doom_their_transaction() {
    let server = server();
    let mut peer = calling(transacting(&server, "A"));
    let unknown = [0xFF; 8];
    let name = declare(&mut peer);
    for (bytes, transaction, words) in [
        (call("prepare", Some(1), None), None, "prepare is sent within the transaction"),
        (call("commit", Some(1), Some("R")), Some(&name[..]), "only prepare is sent to $xa within"),
        (call("commit", Some(1), None), None, "needs a reply-to"),
        (call("commit", None, Some("R")), None, "needs the property ferry.format"),
        (call("end", Some(1), Some("R")), None, "is no call on a branch"),
        (with_properties(&[("ferry.gtrid", Value::Int(1))], None), None, "is no property of $xa"),
        (b"rubbish".to_vec(), None, "a message to $xa cannot be decoded"),
        (call("prepare", Some(1), None), Some(&unknown[..]), "there is no such transaction"),
        (call("commit", Some(1), Some("NOWHERE")), None, "2085"),
        (call("commit", Some(1), Some("no queue")), None, "2152"),
    ] {
        peer.put_by(XA, &bytes, transaction.map(in_transaction).as_deref());
        let (condition, text) = outcome_of(&peer.frames());
        assert!(text.contains(words) && !condition.is_empty(), "{condition} {text}, not {words}");
    }
    // The one that was sent in the transaction.
    let (_, text) = outcome_of(&prepare(&mut peer, &name, 1, None));
    assert!(text.contains("(XA 104)"), "{text}");
    discharge(&mut peer, &name, false);
    let frames = peer.frames();
    assert_eq!(
        state(Some(Raw(told(&frames)))).map(|state| matches!(state, ::amqp::DeliveryState::Rejected(_))),
        Some(true)
    );
}

#[test]
fn a_preparation_that_is_sent_settled_ends_its_link_and_never_stands() {
    let server = server();
    let mut peer = calling(transacting(&server, "A"));
    let name = declare(&mut peer);
    send(&mut peer, &name, "in it");
    let state = in_transaction(&name);
    let transfer = Transfer {
        handle: XA,
        delivery_id: Some(peer.next_delivery()),
        delivery_tag: Some(b"t"),
        settled: Some(true),
        state: Some(Raw(&state)),
        ..Transfer::default()
    };
    peer.send(&Peer::transfer_bytes(transfer, &call("prepare", Some(1), None)));
    let frames = peer.frames();
    let Performative::Detach(_) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert!(frames[0].text().contains("send it unsettled"), "{}", frames[0].text());
    discharge(&mut peer, &name, false);
    assert!(!is_accepted(&peer.frames()));
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn a_message_that_is_half_sent_keeps_its_transaction_from_being_prepared() {
    let server = server();
    let mut peer = calling(transacting(&server, "A"));
    let name = declare(&mut peer);
    let state = in_transaction(&name);
    let transfer = Transfer {
        handle: 1,
        delivery_id: Some(peer.next_delivery()),
        delivery_tag: Some(b"t"),
        more: true,
        state: Some(Raw(&state)),
        ..Transfer::default()
    };
    peer.send(&Peer::transfer_bytes(transfer, b"\x00\x53"));
    let (_, text) = outcome_of(&prepare(&mut peer, &name, 1, None));
    assert!(text.contains("(XA 104)") && text.contains("2242"), "{text}");
    assert_eq!(ask(&mut peer, "recover", None), (0, vec![]));
}

#[test]
fn the_address_of_calls_is_no_source_and_no_name_leads_elsewhere() {
    let server = server();
    let mut peer = Peer::open(&server);
    peer.attach_source(2, "$xa");
    let conditions: Vec<_> = peer.frames().iter().map(Came::condition).collect();
    assert_eq!(conditions, ["", "amqp:not-found"]);
    let mut program = of_user(&server, "ada");
    program.attach_target(1, "queue:///$xa");
    let conditions: Vec<_> = program.frames().iter().map(Came::condition).collect();
    assert_eq!(conditions, ["", "amqp:not-found"]);
    let mut mqi = server.client();
    let handle = mqi.open("A", OpenOptions::INPUT_SHARED);
    assert!(mqi.get(handle, GetFlags::NO_PROPERTIES).is_err());
}
