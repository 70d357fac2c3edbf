//! Drain and the window of the client: answers in order, and none too early, too late or not at all.

use ::amqp::outcome::put_accepted;
use ::amqp::performative::{Begin, Flow, Open, Performative};
use ::amqp::types::Raw;
use agents::Agent;

use super::{Came, Peer, message};
use crate::loopback::Server;

/// A length of messages that take three transfers of the shortest frames.
const THREE_FRAMES: usize = 1_200;

/// A client with the shortest frames that receives from `A` by handle 2.
fn receiver(server: &Server) -> Peer {
    with_window(server, 1)
}

/// The same, with a window to begin with.
fn with_window(server: &Server, incoming_window: u32) -> Peer {
    let mut peer = Peer::stranger(server);
    peer.send(&::amqp::frame::Protocol::Amqp.header());
    peer.say(Open { container_id: "peer", max_frame_size: 512, ..Open::default() });
    peer.say(Begin { incoming_window, outgoing_window: 1000, ..Begin::default() });
    peer.attach_source(2, "A");
    assert_eq!(peer.names(), ["Open", "Begin", "Attach"]);
    peer
}

/// Opens the window for so many transfers behind those that came, and tells the credit of a link, if any.
fn flow(peer: &mut Peer, (came, window): (u32, u32), credit: Option<(u32, u32, u32)>, drain: bool) {
    let (handle, known, credit) = credit
        .map_or((None, None, None), |(handle, known, credit)| (Some(handle), Some(known), Some(credit)));
    peer.say(Flow {
        next_incoming_id: Some(came),
        incoming_window: window,
        outgoing_window: 1000,
        handle,
        delivery_count: known,
        link_credit: credit,
        drain,
        ..Flow::default()
    });
}

/// Puts a message of so many bytes on `A`, filled with a letter.
fn put(server: &Server, letter: char, bytes: usize) {
    let mut putter = Peer::sender(server, "A");
    putter.put(&message(&letter.to_string().repeat(bytes), false));
    assert_eq!(putter.names(), ["Disposition"]);
}

/// Each frame in short: the numbers of deliveries that begin, `more` of one, and flows of links.
fn told(frames: &[Came]) -> Vec<String> {
    let tell = |came: &Came| match came.performative().0 {
        Performative::Transfer(transfer) => match transfer.delivery_id {
            Some(id) => format!("delivery {id} of {}", transfer.handle),
            None => format!("more of {}", transfer.handle),
        },
        Performative::Flow(Flow { delivery_count: Some(count), link_credit, drain, .. }) => {
            format!("count {count}, credit {}, drain {drain}", link_credit.unwrap())
        }
        other => format!("{other:?}").split(['(', ' ']).next().unwrap().to_owned(),
    };
    frames.iter().map(tell).collect()
}

#[test]
fn an_answer_that_has_not_left_uses_up_no_credit_that_was_granted_since() {
    let server = Server::new();
    put(&server, 'a', THREE_FRAMES);
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 1), Some((2, 0, 5)), true);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2"], "the answer waits behind the message");
    flow(&mut peer, (1, 100), Some((2, 1, 4)), false);
    assert_eq!(told(&peer.frames()), ["more of 2", "more of 2"], "the client drains no more");
    put(&server, 'b', 1);
    assert_eq!(told(&peer.frames()), ["delivery 1 of 2"]);
    flow(&mut peer, (4, 100), Some((2, 2, 3)), true);
    assert_eq!(told(&peer.frames()), ["count 5, credit 0, drain true"]);
}

#[test]
fn a_second_drain_brings_the_messages_that_came_since_the_first() {
    let server = Server::new();
    put(&server, 'a', THREE_FRAMES);
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 1), Some((2, 0, 1)), true);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2"]);
    put(&server, 'b', 1);
    flow(&mut peer, (1, 100), Some((2, 1, 5)), true);
    let expected = ["more of 2", "more of 2", "delivery 1 of 2", "count 6, credit 0, drain true"];
    assert_eq!(told(&peer.frames()), expected);
}

#[test]
fn a_link_is_attached_while_the_window_is_shut() {
    let server = Server::new();
    let mut peer = with_window(&server, 0);
    put(&server, 'a', 1);
    flow(&mut peer, (0, 1), Some((2, 0, 3)), false);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2"]);
}

#[test]
fn a_drain_is_answered_while_the_window_is_shut() {
    let server = Server::new();
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 0), Some((2, 0, 3)), true);
    assert_eq!(told(&peer.frames()), ["count 3, credit 0, drain true"]);
    // A message needs the window, and the answer of its drain comes behind it.
    put(&server, 'a', 1);
    flow(&mut peer, (0, 0), Some((2, 3, 2)), true);
    assert!(peer.frames().is_empty());
    flow(&mut peer, (0, 1), None, false);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2", "count 5, credit 0, drain true"]);
    // An acceptance is confirmed without a window.
    let mut state = Vec::new();
    put_accepted(&mut state);
    let state = Some(Raw(&state));
    peer.say(::amqp::Disposition { is_receiver: true, first: 0, state, ..::amqp::Disposition::default() });
    assert_eq!(told(&peer.frames()), ["Disposition"]);
}

#[test]
fn deliveries_are_numbered_in_the_order_in_which_they_leave() {
    let server = Server::new();
    for letter in ['a', 'b', 'c'] {
        put(&server, letter, 1);
    }
    let mut peer = receiver(&server);
    peer.attach_source(3, "B");
    assert_eq!(peer.names(), ["Attach"]);
    flow(&mut peer, (0, 1), Some((2, 0, 3)), false);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2"]);
    flow(&mut peer, (1, 0), Some((3, 0, 3)), false);
    let mut putter = Peer::sender(&server, "B");
    putter.put(&message("d", false));
    putter.frames();
    flow(&mut peer, (1, 100), None, false);
    let frames = peer.frames();
    let ids: Vec<u32> = frames.iter().map(Came::delivery_id).collect();
    assert_eq!(ids, [1, 2, 3], "{:?}", told(&frames));
}

#[test]
fn flows_are_read_while_confirmations_wait_behind_a_message_that_is_sent_in_part() {
    let mut server = Server::new();
    server.limits.replies_max = 4;
    (0..8).for_each(|_| put(&server, 'a', 1));
    put(&server, 'b', THREE_FRAMES);
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 9), Some((2, 0, 9)), false);
    let frames = peer.frames();
    assert_eq!(frames.len(), 9, "{:?}", told(&frames));
    let mut state = Vec::new();
    put_accepted(&mut state);
    let state = Some(Raw(&state));
    for first in 0..8 {
        peer.say(::amqp::Disposition { is_receiver: true, first, state, ..::amqp::Disposition::default() });
    }
    assert!(peer.frames().is_empty(), "they wait behind the message");
    assert!(peer.agent.wants_input(), "and the client's flow can come");
    flow(&mut peer, (9, 100), None, false);
    let all = told(&peer.frames());
    assert_eq!(all[..2], ["more of 2", "more of 2"]);
    assert_eq!(all.iter().filter(|told| *told == "Disposition").count(), 8);
}

#[test]
fn a_link_is_given_no_more_messages_than_its_window_lets_go() {
    let server = Server::new();
    (0..400).for_each(|_| put(&server, 'a', 1));
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 1), Some((2, 0, 10_000)), true);
    assert_eq!(peer.frames().len(), 1);
    // Another is not kept from those that the first cannot be sent.
    let mut other = Peer::receiver(&server, "A", 16);
    assert_eq!(other.messages().len(), 16);
}

#[test]
fn a_drain_that_is_taken_back_while_a_message_is_read_holds_up_no_later_one() {
    let server = Server::new();
    let mut putter = Peer::sender(&server, "A");
    putter.put(&message("kept", true));
    assert_eq!(putter.names(), ["Disposition"]);
    drop(putter);
    let server = server.restarted();
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 100), Some((2, 0, 5)), false);
    assert!(peer.released().is_empty(), "the message is read first");
    flow(&mut peer, (0, 100), Some((2, 0, 5)), true);
    assert!(peer.released().is_empty(), "and the answer comes behind it");
    flow(&mut peer, (0, 100), Some((2, 0, 0)), false);
    assert!(peer.released().is_empty(), "unless the client takes both back");
    flow(&mut peer, (0, 100), Some((2, 0, 3)), true);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2", "count 3, credit 0, drain true"]);
}

#[test]
fn messages_that_come_between_two_turns_at_the_output_are_sent() {
    let server = Server::new();
    let mut peer = receiver(&server);
    flow(&mut peer, (0, 100), Some((2, 0, 1)), false);
    assert!(peer.frames().is_empty());
    put(&server, 'a', 1);
    assert_eq!(told(&peer.frames()), ["delivery 0 of 2"], "to a link that waits");
    put(&server, 'b', 1);
    flow(&mut peer, (1, 100), Some((2, 1, 1)), false);
    peer.agent.go_on();
    assert_eq!(told(&peer.frames()), ["delivery 1 of 2"]);
}
