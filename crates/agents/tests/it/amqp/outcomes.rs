//! Messages that receivers fail on: BOTHRESH, BOQNAME and the dead-letter queue.

use ::amqp::outcome::{Modified, put_accepted, put_modified_failed, put_rejected};
use ::amqp::{Condition, ErrorField};
use formats::headers::{Chain, Header, Place};
use mqi::{GetFlags, OpenOptions, Persistence};

use super::transactions::{declare, discharge, is_accepted, taken, transacting, within};
use super::{Peer, message};
use crate::loopback::{Server, What};

fn rejected(out: &mut Vec<u8>) {
    put_rejected(out, &ErrorField::new(Condition::NotAllowed, "no"));
}

fn undeliverable(out: &mut Vec<u8>) {
    Modified { delivery_failed: true, undeliverable_here: true, ..Modified::default() }.write(out);
}

/// A server with a queue A that has a backout queue B, and a dead-letter queue D.
fn server(of_a: &str) -> Server {
    let server = Server::new();
    for command in
        ["DEFINE QLOCAL(D)".to_owned(), "ALTER QMGR DEADQ(D)".to_owned(), format!("ALTER QLOCAL(A) {of_a}")]
    {
        command_of(&server, &command);
    }
    server
}

fn command_of(server: &Server, command: &str) {
    let response = server.client().command(command);
    assert!(!response.failed, "{}", response.text);
}

fn filled(server: &Server, persistence: Persistence, texts: &[&'static str]) {
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::OUTPUT);
    texts.iter().for_each(|text| program.put(handle, persistence, text));
}

/// The reason and the queue that a dead letter tells of, and its data.
fn letter(server: &Server) -> (i32, String, String) {
    let mut program = server.client();
    let handle = program.open("D", OpenOptions::INPUT_SHARED);
    let number = program.cork_get(handle, GetFlags::NO_PROPERTIES, mqi::Wait::No);
    program.send();
    let seen = program.answer(number);
    let What::Got { body, .. } = &seen.what else { panic!("{seen:?}") };
    let chain = Chain::read(&Place::of(&seen.descriptor), body).unwrap();
    let Header::DeadLetter(header) = &chain.headers[0] else { panic!("{chain:?}") };
    let data = String::from_utf8_lossy(&chain.data).into_owned();
    (header.reason, header.destination_queue.to_string(), data)
}

#[test]
fn a_rejected_message_goes_to_the_backout_queue_and_else_is_a_dead_letter() {
    for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
        for outcome in [rejected as fn(&mut Vec<u8>), undeliverable] {
            let with_queue = server("BOQNAME(B)");
            filled(&with_queue, persistence, &["poison"]);
            let mut peer = Peer::receiver(&with_queue, "A", 10);
            assert_eq!(peer.messages().len(), 1);
            peer.settle(0, 0, outcome);
            assert!(peer.messages().is_empty(), "it does not come again");
            assert_eq!(with_queue.depth("A"), 0);
            assert_eq!(taken(&with_queue, "B"), ["poison"]);

            let without = server("BOQNAME(' ')");
            filled(&without, persistence, &["poison"]);
            let mut peer = Peer::receiver(&without, "A", 10);
            assert_eq!(peer.messages().len(), 1);
            peer.settle(0, 0, outcome);
            assert!(peer.messages().is_empty());
            assert_eq!(letter(&without), (2362, "A".to_owned(), "poison".to_owned()));
        }
    }
}

#[test]
fn a_backout_queue_that_takes_no_more_leaves_it_to_the_dead_letter_queue() {
    let server = server("BOQNAME(B)");
    command_of(&server, "ALTER QLOCAL(B) PUT(DISABLED)");
    filled(&server, Persistence::Persistent, &["poison"]);
    let mut peer = Peer::receiver(&server, "A", 10);
    peer.messages();
    peer.settle(0, 0, rejected);
    peer.frames();
    assert_eq!(letter(&server), (2362, "A".to_owned(), "poison".to_owned()));
    // Where that takes none either it goes back, and its count is higher.
    command_of(&server, "ALTER QLOCAL(D) PUT(DISABLED)");
    filled(&server, Persistence::Persistent, &["stays"]);
    let came = peer.messages();
    peer.settle(came[0].0, came[0].0, rejected);
    drop(peer);
    assert_eq!(server.depth("A"), 1);
    let mut next = Peer::receiver(&server, "A", 1);
    let frames = next.frames();
    let (_, payload) = frames[0].performative();
    assert_eq!(::amqp::Sections::of(payload).unwrap().header().delivery_count, 1);
}

#[test]
fn a_message_that_was_backed_out_as_often_as_bothresh_says_is_given_out_no_more() {
    for (of_a, place) in [("BOTHRESH(2) BOQNAME(B)", "B"), ("BOTHRESH(2)", "D")] {
        let server = server(of_a);
        filled(&server, Persistence::Persistent, &["poison", "good"]);
        let mut peer = Peer::receiver(&server, "A", 1);
        for count in 0..2 {
            let came = peer.messages();
            assert_eq!(came, [(count, "poison".to_owned())]);
            peer.settle(count, count, put_modified_failed);
            // Its credit was used; the next is for the same message, or the one behind it.
            peer.grant(2, count + 1, 1, false);
        }
        assert_eq!(peer.messages(), [(2, "good".to_owned())], "no credit is used for what is moved");
        peer.settle(2, 2, put_accepted);
        peer.frames();
        assert_eq!((server.depth("A"), server.depth(place)), (0, 1));
        // A loss of power finds it there as well.
        drop(peer);
        let server = server.restarted();
        assert_eq!((server.depth("A"), server.depth(place)), (0, 1));
    }
}

#[test]
fn a_browser_sees_what_failed_too_often_and_moves_nothing() {
    let server = server("BOTHRESH(1) BOQNAME(B)");
    filled(&server, Persistence::Persistent, &["poison"]);
    let mut peer = Peer::receiver(&server, "A", 1);
    peer.messages();
    peer.grant(2, 1, 0, false);
    peer.settle(0, 0, put_modified_failed);
    peer.frames();
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::BROWSE);
    assert_eq!(program.get(handle, GetFlags::BROWSE_FIRST).unwrap(), "poison");
    assert_eq!((server.depth("A"), server.depth("B")), (1, 0));
}

#[test]
fn a_message_that_no_queue_takes_is_given_out_again_and_does_not_go_round() {
    let server = server("BOTHRESH(1) BOQNAME(B)");
    command_of(&server, "ALTER QLOCAL(B) PUT(DISABLED)");
    command_of(&server, "ALTER QLOCAL(D) PUT(DISABLED)");
    filled(&server, Persistence::Persistent, &["poison"]);
    let mut peer = Peer::receiver(&server, "A", 1);
    peer.messages();
    peer.settle(0, 0, put_modified_failed);
    peer.grant(2, 1, 1, false);
    assert_eq!(peer.messages(), [(1, "poison".to_owned())]);
    peer.settle(1, 1, put_accepted);
    peer.frames();
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_message_that_is_rejected_in_a_transaction_moves_with_its_commit() {
    for commits in [true, false] {
        let server = server("BOQNAME(B)");
        filled(&server, Persistence::Persistent, &["poison"]);
        let mut peer = transacting(&server, "A");
        peer.attach_source(2, "A");
        peer.frames();
        peer.grant(2, 0, 1, false);
        assert_eq!(peer.messages().len(), 1);
        let name = declare(&mut peer);
        let state = within(&name, rejected);
        peer.settle(0, 0, |out| out.extend_from_slice(&state));
        peer.frames();
        assert_eq!(server.depth("B"), 0);
        discharge(&mut peer, &name, !commits);
        assert!(is_accepted(&peer.frames()));
        assert_eq!((server.depth("A"), server.depth("B")), if commits { (0, 1) } else { (1, 0) });
    }
}

#[test]
fn a_message_that_is_not_in_memory_is_moved_by_a_job() {
    let server = server("BOQNAME(B)");
    filled(&server, Persistence::Persistent, &["poison"]);
    let server = server.restarted();
    let mut peer = Peer::receiver(&server, "A", 1);
    assert_eq!(peer.messages().len(), 1);
    peer.settle(0, 0, rejected);
    peer.frames();
    assert_eq!((server.depth("A"), server.depth("B")), (0, 1));
}

#[test]
fn a_dead_letter_of_an_amqp_client_has_the_form_that_programs_know() {
    let server = server("BOQNAME(' ')");
    let mut sender = Peer::sender(&server, "A");
    let sent = message("poison", true);
    sender.put(&sent);
    sender.frames();
    let mut peer = Peer::receiver(&server, "A", 1);
    peer.messages();
    peer.settle(0, 0, rejected);
    peer.frames();
    assert_eq!(letter(&server), (2362, "A".to_owned(), "poison".to_owned()));
}
