//! Links: attach and detach, credit, outcomes, drain.

use ::amqp::outcome::{put_accepted, put_modified_failed, put_rejected, put_rejected_alone, put_released};
use ::amqp::performative::{Detach, End, Flow, Performative};
use ::amqp::terminus::Source;
use ::amqp::{Condition, ErrorField};
use agents::{Agent, Close};
use mqi::{OpenOptions, Persistence, Reason};

use super::{Came, Peer};
use crate::loopback::Server;
use crate::patience::at;

/// Puts messages on a queue as a program does.
fn filled(server: &Server, queue: &str, texts: &[&'static str]) {
    let mut program = server.client();
    let handle = program.open(queue, OpenOptions::OUTPUT);
    texts.iter().for_each(|text| program.put(handle, Persistence::Persistent, text));
}

/// The texts of messages that come.
fn texts(peer: &mut Peer) -> Vec<String> {
    peer.messages().into_iter().map(|(_, text)| text).collect()
}

/// The last flow of a link: deliveries so far, credit, and whether it answers a drain.
fn flow(frames: &[Came]) -> Option<(u32, u32, bool)> {
    frames.iter().rev().find_map(|came| match came.performative().0 {
        Performative::Flow(Flow { delivery_count, link_credit, drain, .. }) => {
            Some((delivery_count?, link_credit?, drain))
        }
        _ => None,
    })
}

#[test]
fn a_link_that_cannot_be_attached_is_answered_without_its_terminus_and_detached() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    peer.attach_source(2, "NONE.SUCH");
    let frames = peer.frames();
    assert_eq!(frames.iter().map(|came| came.name.as_str()).collect::<Vec<_>>(), ["Attach", "Detach"]);
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert!(attach.source.is_none() && !attach.is_receiver);
    assert_eq!(frames[1].condition(), "amqp:not-found");
    peer.say(Detach { handle: 2, closed: true, error: None });
    peer.attach_target(1, &"A".repeat(4000));
    let frames = peer.frames();
    assert_eq!(frames[1].condition(), "amqp:not-found", "input 38: an address of 4,000 bytes");
    // Its session goes on, and the handle is free.
    peer.say(Detach { handle: 1, closed: true, error: None });
    peer.attach_target(1, "A");
    assert_eq!(peer.names(), ["Attach", "Flow"]);
}

#[test]
fn a_user_without_the_right_is_told_so() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    peer.attach_target(1, "A");
    assert_eq!(peer.names(), ["Attach", "Flow"]);
    server.rules.refuse();
    peer.attach_target(3, "A");
    let frames = peer.frames();
    assert_eq!(frames[1].condition(), "amqp:unauthorized-access");
}

#[test]
fn the_answer_says_which_outcomes_a_source_has() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    peer.attach_source(2, "A");
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    let source = Source::decode(attach.source.unwrap().0).unwrap();
    assert_eq!(source.address, Some("A"));
    assert!(source.outcomes.unwrap().contains("amqp:modified:list") && source.default_outcome.is_some());
    assert_eq!(attach.initial_delivery_count, Some(0));
}

#[test]
fn messages_come_as_credit_is_granted_and_no_further() {
    let server = Server::new();
    filled(&server, "A", &["1", "2", "3", "4"]);
    let mut peer = Peer::receiver(&server, "A", 2);
    assert_eq!(texts(&mut peer), ["1", "2"]);
    peer.grant(2, 2, 1, false);
    assert_eq!(texts(&mut peer), ["3"]);
    peer.grant(2, 3, 0, false);
    assert!(texts(&mut peer).is_empty());
    // A count that is behind: one delivery is on its way.
    peer.grant(2, 2, 2, false);
    assert_eq!(texts(&mut peer), ["4"]);
}

#[test]
fn credit_that_is_taken_back_ends_the_wait_for_more() {
    let server = Server::new();
    let mut peer = Peer::receiver(&server, "A", 5);
    assert!(texts(&mut peer).is_empty());
    peer.grant(2, 0, 0, false);
    filled(&server, "A", &["for another"]);
    assert!(texts(&mut peer).is_empty());
    let mut other = Peer::receiver(&server, "A", 1);
    assert_eq!(texts(&mut other), ["for another"]);
}

#[test]
fn outcomes_take_a_message_or_give_it_back_with_or_without_a_count() {
    let server = Server::new();
    filled(&server, "A", &["x"]);
    let count = |came: &Came| {
        let (_, payload) = came.performative();
        ::amqp::Sections::of(payload).unwrap().header().delivery_count
    };
    let mut last = 0;
    for (put, counts) in [
        (put_released as fn(&mut Vec<u8>), false),
        (put_modified_failed, true),
        (put_released, false),
        (|out: &mut Vec<u8>| put_rejected(out, &ErrorField::new(Condition::NotAllowed, "no")), true),
    ] {
        let mut peer = Peer::receiver(&server, "A", 1);
        let frames = peer.frames();
        assert_eq!(count(&frames[0]), last, "{frames:?}");
        peer.settle(0, 0, put);
        peer.frames();
        last += u32::from(counts);
    }
    let mut peer = Peer::receiver(&server, "A", 1);
    peer.frames();
    peer.settle(0, 0, put_accepted);
    peer.frames();
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_receiver_that_settles_second_is_told_once_the_log_has_it() {
    let server = Server::new();
    filled(&server, "A", &["x"]);
    let mut peer = Peer::receiver(&server, "A", 1);
    peer.frames();
    let mut state = Vec::new();
    put_accepted(&mut state);
    let state = Some(::amqp::types::Raw(&state));
    peer.say(::amqp::Disposition { is_receiver: true, first: 0, state, ..::amqp::Disposition::default() });
    assert!(peer.released().is_empty(), "the get is not durable");
    let frames = peer.frames();
    let Performative::Disposition(told) = frames[0].performative().0 else { panic!("{frames:?}") };
    assert!(told.settled && !told.is_receiver && told.first == 0);
}

#[test]
fn a_receiver_that_settles_second_is_told_the_outcome_that_it_said() {
    let server = Server::new();
    filled(&server, "A", &["x"]);
    for put in [put_released as fn(&mut Vec<u8>), put_modified_failed, put_rejected_alone, put_accepted] {
        let mut peer = Peer::receiver(&server, "A", 1);
        peer.frames();
        let mut said = Vec::new();
        put(&mut said);
        let state = Some(::amqp::types::Raw(&said));
        peer.say(::amqp::Disposition {
            is_receiver: true,
            first: 0,
            state,
            ..::amqp::Disposition::default()
        });
        let frames = peer.frames();
        let told = frames.iter().find(|came| came.name == "Disposition").expect("an answer");
        let Performative::Disposition(told) = told.performative().0 else { panic!("{frames:?}") };
        assert_eq!(told.state.unwrap().0, said);
    }
}

/// Backout counts of the messages that come, in their order.
fn counts(peer: &mut Peer) -> Vec<u32> {
    let count = |came: Came| {
        let (_, payload) = came.performative();
        ::amqp::Sections::of(payload).unwrap().header().delivery_count
    };
    peer.frames().into_iter().filter(|came| came.name == "Transfer").map(count).collect()
}

#[test]
fn the_first_that_a_lost_client_had_not_settled_counts_as_failed() {
    let server = Server::new();
    filled(&server, "A", &["1", "2", "3"]);
    let mut lost = Peer::receiver(&server, "A", 10);
    lost.messages();
    lost.settle(0, 0, put_accepted);
    lost.frames();
    drop(lost);
    let mut closed = Peer::receiver(&server, "A", 10);
    assert_eq!(counts(&mut closed), [1, 0]);
    let close = ::amqp::Close::default();
    let mut bytes = Vec::new();
    Performative::from(close).put(&mut bytes, 0);
    assert!(closed.receive(&bytes).is_err());
    drop(closed);
    let mut ended = Peer::receiver(&server, "A", 10);
    assert_eq!(counts(&mut ended), [1, 0], "it had settled all that it meant to");
    let close = Close::Refused { reason: Reason::Q_MGR_STOPPING, text: String::new() };
    ended.agent.farewell(&close, &mut ended.output);
    drop(ended);
    assert_eq!(counts(&mut Peer::receiver(&server, "A", 10)), [1, 0], "no program failed");
}

#[test]
fn what_a_link_has_not_settled_goes_back_when_it_ends() {
    let server = Server::new();
    filled(&server, "A", &["1", "2", "3"]);
    for end in 0..4 {
        let mut peer = Peer::receiver(&server, "A", 10);
        assert_eq!(texts(&mut peer), ["1", "2", "3"], "in their order, {end}");
        match end {
            0 => peer.say(Detach { handle: 2, closed: true, error: None }),
            1 => peer.say(End::default()),
            2 => {
                assert!(peer.receive(&[0, 0, 0, 7]).is_err());
            }
            _ => peer.settle(0, 0, put_accepted),
        }
        if end < 2 {
            assert_eq!(peer.names().len(), 1);
        } else {
            peer.released();
        }
    }
    assert_eq!(server.depth("A"), 2);
}

#[test]
fn a_drain_brings_all_there_is_and_uses_the_rest_of_the_credit_up() {
    let server = Server::new();
    let mut peer = Peer::receiver(&server, "A", 5);
    assert!(texts(&mut peer).is_empty());
    filled(&server, "A", &["1", "2"]);
    peer.grant(2, 0, 5, true);
    let frames = peer.frames();
    let names: Vec<&str> = frames.iter().map(|came| came.name.as_str()).collect();
    assert_eq!(names, ["Transfer", "Transfer", "Flow"]);
    assert_eq!(flow(&frames), Some((5, 0, true)));
    // Nothing more comes before there is credit again.
    filled(&server, "A", &["3"]);
    assert!(peer.frames().is_empty());
    peer.grant(2, 5, 1, false);
    assert_eq!(texts(&mut peer), ["3"]);
    // A drain where nothing is there is answered at once, and another one again.
    for (known, after) in [(6, 9), (9, 12)] {
        peer.grant(2, known, 3, true);
        assert_eq!(flow(&peer.frames()), Some((after, 0, true)));
    }
}

#[test]
fn a_link_is_given_sixteen_messages_ahead_and_more_as_they_are_used_up() {
    let server = Server::new();
    filled(&server, "A", &["x"; 100]);
    let mut peer = Peer::receiver(&server, "A", 1000);
    assert_eq!(peer.messages().len(), 16);
    // Another link finds something there.
    let mut other = Peer::receiver(&server, "A", 1000);
    assert_eq!(other.messages().len(), 16);
    // The first uses them up, and has twice as many from then on.
    peer.settle(0, 15, put_accepted);
    assert_eq!(peer.messages().len(), 32);
    // A client that settles nothing until it has more gets them with time.
    other.agent.tick(at(1)).unwrap();
    assert_eq!(other.messages().len(), 16);
    assert_eq!(server.depth("A"), 84);
}

#[test]
fn transfers_wait_for_the_window_of_the_client() {
    let server = Server::new();
    filled(&server, "A", &["1", "2", "3"]);
    let mut peer = Peer::open(&server);
    peer.attach_source(2, "A");
    peer.frames();
    let flow = |window| Flow {
        next_incoming_id: Some(0),
        incoming_window: window,
        handle: Some(2),
        delivery_count: Some(0),
        link_credit: Some(3),
        ..Flow::default()
    };
    peer.say(flow(1));
    assert_eq!(texts(&mut peer), ["1"]);
    assert!(texts(&mut peer).is_empty());
    peer.say(flow(3));
    assert_eq!(texts(&mut peer), ["2", "3"]);
}

#[test]
fn gets_that_are_inhibited_let_the_link_wait() {
    let server = Server::new();
    let mut administrator = server.client();
    let mut peer = Peer::receiver(&server, "A", 5);
    peer.frames();
    assert!(!administrator.command("ALTER QLOCAL(A) GET(DISABLED)").failed);
    filled(&server, "A", &["x"]);
    assert!(peer.frames().is_empty());
    assert!(!administrator.command("ALTER QLOCAL(A) GET(ENABLED)").failed);
    assert_eq!(texts(&mut peer), ["x"]);
}

#[test]
fn credit_for_a_sender_is_topped_up_also_after_rejections() {
    let server = Server::new();
    assert!(!server.client().command("ALTER QLOCAL(A) PUT(DISABLED)").failed);
    let mut peer = Peer::sender(&server, "A");
    let mut credit = 512;
    for _ in 0..2000 {
        assert!(credit > 0, "a client whose messages are rejected is not starved");
        peer.put(&super::message("x", false));
        credit -= 1;
        if let Some((count, granted, _)) = flow(&peer.frames()) {
            credit = granted;
            assert!(count > 0);
        }
    }
}

#[test]
fn a_connection_whose_handles_are_all_open_refuses_one_more_link_and_goes_on() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    for handle in 0..256 {
        peer.attach_target(handle, "A");
    }
    let frames = peer.frames();
    assert_eq!(frames.iter().filter(|came| came.name == "Attach").count(), 256);
    assert!(frames.iter().all(|came| came.name != "Detach"), "MAXHANDS is 256");
    peer.say(Detach { handle: 7, closed: true, error: None });
    assert_eq!(peer.names(), ["Detach"]);
    peer.attach_target(7, "B");
    assert_eq!(peer.names(), ["Attach", "Flow"]);
}

/// A client may use the handle of a link again as soon as it sent the detach, without the answer.
#[test]
fn a_handle_that_is_used_again_before_the_detach_is_answered_is_that_of_the_new_link() {
    let server = Server::new();
    let mut peer = Peer::receiver(&server, "A", 1);
    let again = |handle, attach: &[u8]| {
        let mut bytes = Vec::new();
        Performative::from(Detach { handle, closed: true, error: None }).put(&mut bytes, 0);
        [&bytes, attach].concat()
    };
    // Each link that is not closed keeps a handle of the 256 that a connection has.
    for _ in 0..600 {
        peer.send(&again(2, &Peer::attach_source_bytes(2, "A")));
        assert_eq!(peer.names(), ["Detach", "Attach"]);
    }
    peer.grant(2, 0, 1, false);
    filled(&server, "A", &["to the last of them"]);
    assert_eq!(texts(&mut peer), ["to the last of them"]);
    // What a sender puts by its new link is not lost.
    let mut peer = Peer::sender(&server, "B");
    peer.send(&again(1, &Peer::attach_target_bytes(1, "B")));
    assert_eq!(peer.names(), ["Detach", "Attach", "Flow"]);
    peer.put(&super::message("kept", true));
    assert_eq!(peer.names(), ["Disposition"]);
}
