//! Transactions: units of work by a coordinator.

use ::amqp::outcome::{self, put_accepted, put_modified_failed, put_released, put_transactional};
use ::amqp::performative::{Attach, Begin, Detach, Disposition, Performative, Transfer};
use ::amqp::sections::Properties;
use ::amqp::terminus::{Coordinator, Source, Target};
use ::amqp::types::write::{Composite, put_binary, put_boolean, put_descriptor};
use ::amqp::types::{Raw, one};
use ::amqp::{Value, transaction};
use mqi::{GetFlags, OpenOptions, Persistence};

use super::{Came, Peer, message, of_bytes, state, text};
use crate::loopback::Server;

const COORDINATOR: u32 = 9;

/// A client with a coordinator, which sends to a queue by handle 1.
pub(super) fn transacting(server: &Server, queue: &str) -> Peer {
    let mut peer = Peer::sender(server, queue);
    let mut target = Vec::new();
    Coordinator::default().write(&mut target);
    peer.say(Attach {
        name: "coordinator",
        handle: COORDINATOR,
        target: Some(Raw(&target)),
        initial_delivery_count: Some(0),
        ..Attach::default()
    });
    let frames = peer.frames();
    assert_eq!(frames.iter().map(|came| came.name.as_str()).collect::<Vec<_>>(), ["Attach", "Flow"]);
    peer
}

/// The same, that also was sent so many messages from the queue B by handle 2.
pub(super) fn taking(server: &Server, messages: u32) -> Peer {
    let mut peer = transacting(server, "A");
    peer.attach_source(2, "B");
    peer.frames();
    peer.grant(2, 0, messages, false);
    assert_eq!(peer.messages().len(), messages as usize);
    peer
}

/// The state of the only disposition among frames.
pub(super) fn told(frames: &[Came]) -> &[u8] {
    let told = frames.iter().find(|came| came.name == "Disposition").unwrap_or_else(|| panic!("{frames:?}"));
    match told.performative().0 {
        Performative::Disposition(told) => told.state.unwrap().0,
        other => panic!("{other:?}"),
    }
}

pub(super) fn declare(peer: &mut Peer) -> Vec<u8> {
    let mut request = Vec::new();
    put_descriptor(&mut request, 0x77);
    Composite::begin(&mut request, transaction::Declare::CODE).end();
    peer.put_by(COORDINATOR, &request, None);
    let frames = peer.frames();
    let Ok((Value::Described(_, fields), _)) = one(told(&frames)) else { panic!("{frames:?}") };
    let Ok((Value::List(mut fields), _)) = one(fields) else { panic!("{frames:?}") };
    match fields.next() {
        Some(Value::Binary(name)) => name.to_vec(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn discharge(peer: &mut Peer, name: &[u8], fail: bool) {
    let mut request = Vec::new();
    put_descriptor(&mut request, 0x77);
    let mut fields = Composite::begin(&mut request, transaction::Discharge::CODE);
    fields.put(|out| put_binary(out, name));
    fields.put(|out| put_boolean(out, fail));
    fields.end();
    peer.put_by(COORDINATOR, &request, None);
}

/// A state within a transaction.
pub(super) fn within(name: &[u8], outcome: fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_transactional(&mut bytes, name, outcome);
    bytes
}

/// Sends a message within a transaction; the condition that its outcome has.
pub(super) fn send(peer: &mut Peer, name: &[u8], text: &str) -> String {
    let mut in_transaction = Vec::new();
    let mut fields = Composite::begin(&mut in_transaction, outcome::Transactional::CODE);
    fields.put(|out| put_binary(out, name));
    fields.end();
    peer.put_by(1, &message(text, true), Some(&in_transaction));
    let frames = peer.frames();
    let state = told(&frames);
    let Ok(::amqp::DeliveryState::Transactional(told)) = ::amqp::DeliveryState::decode(state) else {
        return frames.iter().find(|came| came.name == "Disposition").unwrap().condition();
    };
    assert_eq!(told.txn_id, name);
    match ::amqp::DeliveryState::decode(told.outcome.unwrap().0) {
        Ok(::amqp::DeliveryState::Rejected(rejected)) => {
            outcome::error_text(rejected.error.unwrap()).0.to_owned()
        }
        Ok(::amqp::DeliveryState::Accepted) => String::new(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn is_accepted(frames: &[Came]) -> bool {
    state(Some(Raw(told(frames)))) == Some(::amqp::DeliveryState::Accepted)
}

/// The texts of all messages on a queue, taken.
pub(super) fn taken(server: &Server, queue: &str) -> Vec<String> {
    let mut program = server.client();
    let handle = program.open(queue, OpenOptions::INPUT_SHARED);
    std::iter::from_fn(|| program.get(handle, GetFlags::NO_PROPERTIES).ok()).collect()
}

#[test]
fn messages_of_a_transaction_are_there_once_it_is_committed_and_durable() {
    let server = Server::new();
    let mut peer = transacting(&server, "A");
    let name = declare(&mut peer);
    assert_eq!(send(&mut peer, &name, "one"), "");
    assert_eq!(send(&mut peer, &name, "two"), "");
    let mut receiver = Peer::receiver(&server, "A", 10);
    assert!(receiver.messages().is_empty());
    discharge(&mut peer, &name, false);
    assert!(peer.released().is_empty(), "the commit is not durable");
    assert!(is_accepted(&peer.frames()));
    drop((receiver, peer));
    let server = server.restarted();
    let came: Vec<String> =
        Peer::receiver(&server, "A", 10).messages().into_iter().map(|(_, text)| text).collect();
    assert_eq!(came, ["one", "two"]);
}

#[test]
fn a_transaction_that_is_backed_out_puts_nothing_and_gives_back_what_it_took() {
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "taken");
    let mut peer = taking(&server, 1);
    let name = declare(&mut peer);
    send(&mut peer, &name, "never");
    let accepted = within(&name, put_accepted);
    peer.settle(0, 0, |out| out.extend_from_slice(&accepted));
    discharge(&mut peer, &name, true);
    assert!(is_accepted(&peer.frames()));
    assert!(taken(&server, "A").is_empty());
    peer.grant(2, 1, 1, false);
    let frames = peer.frames();
    let again = frames.iter().find(|came| came.name == "Transfer").expect("it is there again");
    let (_, payload) = again.performative();
    assert_eq!(::amqp::Sections::of(payload).unwrap().header().delivery_count, 1);
    assert_eq!(text(again), "taken");
}

#[test]
fn what_is_taken_in_a_transaction_is_gone_with_its_commit_and_released_ones_are_back() {
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    for text in ["taken", "released"] {
        program.put(handle, Persistence::Persistent, text);
    }
    let mut peer = taking(&server, 2);
    let name = declare(&mut peer);
    for (id, outcome) in [(0, put_accepted as fn(&mut Vec<u8>)), (1, put_released)] {
        let bytes = within(&name, outcome);
        peer.settle(id, id, |out| out.extend_from_slice(&bytes));
    }
    assert!(taken(&server, "B").is_empty(), "both are held until it ends");
    discharge(&mut peer, &name, false);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(taken(&server, "B"), ["released"]);
}

#[test]
fn several_transactions_of_a_session_are_apart() {
    let server = Server::new();
    let mut peer = transacting(&server, "A");
    let (first, second) = (declare(&mut peer), declare(&mut peer));
    assert_ne!(first, second);
    send(&mut peer, &first, "of the first");
    send(&mut peer, &second, "of the second");
    discharge(&mut peer, &second, false);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(taken(&server, "A"), ["of the second"]);
    discharge(&mut peer, &first, true);
    assert!(is_accepted(&peer.frames()));
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn a_transaction_in_which_something_failed_is_backed_out_and_its_client_told_why() {
    let server = Server::new();
    let mut peer = transacting(&server, "A");
    let name = declare(&mut peer);
    send(&mut peer, &name, "put");
    assert!(!server.client().command("ALTER QLOCAL(A) PUT(DISABLED)").failed);
    assert_eq!(send(&mut peer, &name, "refused"), "amqp:not-allowed");
    discharge(&mut peer, &name, false);
    let frames = peer.frames();
    // Never the condition of a rollback: clients take it for a commit in doubt.
    assert_eq!(frames[0].condition(), "amqp:not-allowed");
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn a_transaction_that_is_unknown_or_over_is_refused_by_that_name() {
    // Input 27.
    let server = Server::new();
    let mut peer = transacting(&server, "A");
    let name = declare(&mut peer);
    discharge(&mut peer, &name, false);
    peer.frames();
    for unknown in [&name[..], b"", b"12345678", &[0; 32]] {
        assert_eq!(send(&mut peer, unknown, "x"), "amqp:transaction:unknown-id", "{unknown:?}");
        discharge(&mut peer, unknown, false);
        assert_eq!(peer.frames()[0].condition(), "amqp:transaction:unknown-id");
    }
    assert!(taken(&server, "A").is_empty());
    // An outcome in one ends the session, and the message is there for others.
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "kept");
    peer.attach_source(2, "B");
    peer.frames();
    peer.grant(2, 0, 1, false);
    assert_eq!(peer.messages().len(), 1);
    let bytes = within(&name, put_accepted);
    peer.settle(0, 0, |out| out.extend_from_slice(&bytes));
    assert_eq!(peer.frames()[0].condition(), "amqp:transaction:unknown-id");
    assert_eq!(taken(&server, "B"), ["kept"]);
}

#[test]
fn a_discharge_while_a_message_of_it_is_half_sent_ends_the_coordinator_and_backs_out() {
    // Input 28.
    let server = Server::new();
    let mut peer = transacting(&server, "A");
    let name = declare(&mut peer);
    send(&mut peer, &name, "whole");
    let in_transaction = within(&name, put_accepted);
    let part = Transfer {
        handle: 1,
        delivery_id: Some(peer.next_delivery()),
        delivery_tag: Some(b"t"),
        more: true,
        state: Some(Raw(&in_transaction)),
        ..Transfer::default()
    };
    peer.send(&Peer::transfer_bytes(part, b"half"));
    discharge(&mut peer, &name, false);
    let frames = peer.frames();
    assert_eq!(
        (frames[0].name.as_str(), frames[0].condition().as_str()),
        ("Detach", "amqp:transaction:rollback")
    );
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn a_coordinator_or_a_session_that_ends_backs_its_transactions_out() {
    let server = Server::new();
    for detaches in [true, false] {
        let mut peer = transacting(&server, "A");
        let name = declare(&mut peer);
        send(&mut peer, &name, "never");
        match detaches {
            true => peer.say(Detach { handle: COORDINATOR, closed: true, error: None }),
            false => peer.say(::amqp::End::default()),
        }
        assert_eq!(peer.names().len(), 1);
        assert!(taken(&server, "A").is_empty());
        if detaches {
            assert_eq!(send(&mut peer, &name, "late"), "amqp:transaction:unknown-id");
        }
    }
}

#[test]
fn a_message_that_does_not_come_to_be_put_dooms_its_transaction() {
    for (way, condition) in [
        ("to no name", "amqp:not-found"),
        ("bytes", "amqp:decode-error"),
        ("too long", "amqp:precondition-failed"),
        ("no state", ""),
    ] {
        let mut server = Server::new();
        server.limits.channel.message_bytes_max = 1000;
        let mut peer = transacting(&server, "A");
        let mut relay = Vec::new();
        Target::default().write(&mut relay);
        let (target, initial_delivery_count) = (Some(Raw(&relay)), Some(0));
        peer.say(Attach { name: "relay", handle: 3, target, initial_delivery_count, ..Attach::default() });
        peer.frames();
        let name = declare(&mut peer);
        assert_eq!(send(&mut peer, &name, "put"), "");
        let state = within(&name, put_accepted);
        let mut to_no_name = Vec::new();
        Properties { to: Some("no name"), ..Properties::default() }.write(&mut to_no_name);
        to_no_name.extend(of_bytes(b"x"));
        match way {
            "to no name" => peer.put_by(3, &to_no_name, Some(&state)),
            "bytes" => peer.put_by(1, b"\x00", Some(&state)),
            "too long" => peer.put_by(1, &message(&"x".repeat(100_000), true), Some(&state)),
            _ => peer.put_by(1, &message("outside", true), Some(&[0x00, 0x53, 0x77, 0x45])),
        };
        let told: Vec<String> = peer.frames().iter().map(Came::condition).collect();
        assert!(!told.is_empty(), "{way}");
        if way != "no state" {
            discharge(&mut peer, &name, false);
            assert_eq!(peer.frames()[0].condition(), condition, "{way}: {told:?}");
        }
        drop(peer);
        assert!(taken(&server, "A").is_empty(), "{way}");
    }
}

#[test]
fn outcomes_in_a_transaction_without_a_discharge_give_messages_back() {
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "x");
    for outcome in [put_accepted as fn(&mut Vec<u8>), put_released, put_modified_failed] {
        let mut peer = taking(&server, 1);
        let name = declare(&mut peer);
        let state = within(&name, outcome);
        peer.settle(0, 0, |out| out.extend_from_slice(&state));
        peer.say(Detach { handle: COORDINATOR, closed: true, error: None });
        peer.frames();
        let mut other = Peer::receiver(&server, "B", 1);
        assert_eq!(other.messages().len(), 1, "while its receiver is attached");
    }
}

#[test]
fn a_session_that_ends_by_a_fault_dooms_the_transactions_of_others() {
    let server = Server::new();
    let mut peer = transacting(&server, "A");
    let name = declare(&mut peer);
    assert_eq!(send(&mut peer, &name, "put"), "");
    let mut bytes = Vec::new();
    Performative::from(Begin { incoming_window: 10, outgoing_window: 10, ..Begin::default() })
        .put(&mut bytes, 1);
    let state = Some(Raw(&[0x00, 0x53, 0x77, 0x45]));
    let faulty = Disposition { is_receiver: true, first: 0, settled: true, state, ..Disposition::default() };
    Performative::from(faulty).put(&mut bytes, 1);
    peer.send(&bytes);
    assert_eq!(peer.names(), ["Begin", "End"]);
    discharge(&mut peer, &name, false);
    assert_eq!(peer.frames()[0].condition(), "amqp:precondition-failed");
    drop(peer);
    assert!(taken(&server, "A").is_empty());
}

#[test]
fn of_a_lost_client_that_accepted_in_a_transaction_no_other_message_counts_as_failed() {
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    for text in ["had", "ahead"] {
        program.put(handle, Persistence::Persistent, text);
    }
    for outcome in [put_accepted as fn(&mut Vec<u8>), put_released] {
        let mut peer = taking(&server, 2);
        let name = declare(&mut peer);
        let state = within(&name, outcome);
        peer.settle(0, 0, |out| out.extend_from_slice(&state));
        peer.frames();
    }
    let count = |came: Came| {
        let (_, payload) = came.performative();
        ::amqp::Sections::of(payload).unwrap().header().delivery_count
    };
    let counts: Vec<u32> = Peer::receiver(&server, "B", 2).frames().into_iter().map(count).collect();
    assert_eq!(counts, [2, 0]);
}

#[test]
fn a_queue_that_requires_units_of_work_is_used_in_transactions_alone() {
    let server = Server::new();
    for queue in ["A", "B"] {
        let response = server.client().command(&format!("ALTER QLOCAL({queue}) SYNCREQ(YES)"));
        assert!(!response.failed, "{}", response.text);
    }
    let mut peer = transacting(&server, "A");
    peer.put(&message("outside", true));
    let refused = peer.frames();
    let rejected = refused.iter().find(|came| came.name == "Disposition").expect("an outcome");
    assert_eq!(rejected.condition(), "amqp:precondition-failed");
    assert!(rejected.text().contains("2232"), "{}", rejected.text());
    let name = declare(&mut peer);
    assert_eq!(send(&mut peer, &name, "within"), "");
    discharge(&mut peer, &name, false);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(server.depth("A"), 1);

    // Accepted outside a transaction it stays, and its link ends.
    let mut receiver = Peer::receiver(&server, "A", 10);
    assert_eq!(receiver.messages().len(), 1);
    receiver.settle(0, 0, put_accepted);
    let frames = receiver.frames();
    let detached = frames.iter().find(|came| came.name == "Detach").unwrap_or_else(|| panic!("{frames:?}"));
    assert_eq!(detached.condition(), "amqp:precondition-failed");
    assert!(!frames.iter().any(|came| came.name == "Transfer"), "it comes again: {frames:?}");
    assert_eq!(server.depth("A"), 1);
    drop(receiver);

    // Within one it is gone with the commit, and released ones go back in none.
    peer.attach_source(2, "A");
    peer.frames();
    peer.grant(2, 0, 2, false);
    assert_eq!(peer.messages().len(), 1);
    peer.settle(0, 0, put_released);
    let again = peer.messages();
    assert_eq!(again.len(), 1, "released, it comes again");
    let name = declare(&mut peer);
    let accepted = within(&name, put_accepted);
    peer.settle(1, 1, |out| out.extend_from_slice(&accepted));
    discharge(&mut peer, &name, false);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_link_of_settled_messages_gets_none_from_a_queue_that_requires_units_of_work() {
    let server = Server::new();
    let response = server.client().command("ALTER QLOCAL(A) SYNCREQ(YES)");
    assert!(!response.failed, "{}", response.text);
    let mut peer = transacting(&server, "A");
    let name = declare(&mut peer);
    assert_eq!(send(&mut peer, &name, "stays"), "");
    discharge(&mut peer, &name, false);
    assert!(is_accepted(&peer.frames()));
    let mut source = Vec::new();
    Source { address: Some("A"), ..Source::default() }.write(&mut source);
    let attach = Attach {
        name: "settled",
        handle: 2,
        is_receiver: true,
        source: Some(Raw(&source)),
        ..Attach::default()
    };
    peer.say(Attach { snd_settle_mode: 1, ..attach });
    peer.frames();
    peer.grant(2, 0, 2, false);
    let frames = peer.frames();
    let detached = frames.iter().find(|came| came.name == "Detach").unwrap_or_else(|| panic!("{frames:?}"));
    assert_eq!(detached.condition(), "amqp:precondition-failed");
    assert_eq!(server.depth("A"), 1);
}
