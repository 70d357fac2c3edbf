//! Bad input that is known for bad only by the state of the agent.

use ::amqp::outcome::{put_accepted, put_released};
use ::amqp::performative::Transfer;
use agents::Agent;
use mqi::{OpenOptions, Persistence};

use super::{Peer, message, of_bytes};
use crate::loopback::Server;

#[test]
fn outcomes_of_deliveries_that_are_unknown_change_nothing_and_cost_nothing() {
    // Inputs 25 and 26.
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "x");
    let mut peer = Peer::receiver(&server, "A", 1);
    assert_eq!(peer.messages().len(), 1);
    peer.settle(1, i32::MAX as u32, put_accepted);
    peer.settle(5, 9, put_released);
    assert_eq!(server.depth("A"), 1);
    peer.settle(0, i32::MAX as u32, put_accepted);
    peer.settle(0, i32::MAX as u32, put_accepted);
    peer.frames();
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_message_that_is_aborted_is_not_put_and_its_credit_comes_back() {
    // Input 24.
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    for id in 0..600 {
        let part = Transfer {
            handle: 1,
            delivery_id: Some(id),
            delivery_tag: Some(b"t"),
            more: true,
            ..Transfer::default()
        };
        peer.send(&Peer::transfer_bytes(part, &of_bytes(b"never whole")));
        peer.send(&Peer::transfer_bytes(Transfer { aborted: true, ..part }, b""));
        peer.frames();
    }
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_state_that_is_none_ends_its_session_and_a_priority_of_255_counts_as_9() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    // Input 37.
    let urgent = [&[0x00, 0x53, 0x70, 0xC0, 4, 2, 0x40, 0x50, 255][..], &message("x", false)[7..]].concat();
    peer.put(&urgent);
    peer.frames();
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::BROWSE);
    let number = program.cork_get(handle, mqi::GetFlags::BROWSE_FIRST, mqi::Wait::No);
    program.send();
    assert_eq!(program.answer(number).descriptor.priority, mqi::Priority::HIGHEST);
    peer.settle(0, 0, |out| out.extend_from_slice(&[0x00, 0x53, 0x70, 0x45]));
    let frames = peer.frames();
    assert_eq!((frames[0].name.as_str(), frames[0].condition().as_str()), ("End", "amqp:decode-error"));
    assert!(peer.agent.wants_input());
}

#[test]
fn parts_of_messages_are_bounded_over_all_links() {
    let mut server = Server::new();
    server.limits.arriving_bytes_max = 1000;
    let mut peer = Peer::open(&server);
    for handle in 1..4 {
        peer.attach_target(handle, "A");
    }
    peer.frames();
    let part = |handle, id| Transfer {
        handle,
        delivery_id: Some(id),
        delivery_tag: Some(b"t"),
        more: true,
        ..Transfer::default()
    };
    // One message is always let in.
    peer.send(&Peer::transfer_bytes(part(1, 0), &[0; 5000]));
    assert!(peer.frames().is_empty());
    peer.send(&Peer::transfer_bytes(part(2, 1), &[0; 10]));
    let frames = peer.frames();
    assert_eq!(frames[0].condition(), "amqp:resource-limit-exceeded");
    // What was given up makes room.
    peer.send(&Peer::transfer_bytes(Transfer { aborted: true, ..part(1, 0) }, &[]));
    peer.send(&Peer::transfer_bytes(part(3, 2), &[0; 900]));
    assert!(peer.frames().iter().all(|came| came.name != "Detach"));
}
