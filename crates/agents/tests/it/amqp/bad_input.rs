//! Bad input that is known for bad only by the state of the agent.

use ::amqp::outcome::{put_accepted, put_released};
use ::amqp::performative::{Attach, Performative, Transfer};
use ::amqp::terminus::{Source, Target};
use ::amqp::types::write::{put_descriptor, put_map, put_scalar, put_string};
use ::amqp::types::{Raw, Symbols};
use ::amqp::{Value, sections};
use agents::Agent;
use mqi::{OpenOptions, Persistence};

use super::transactions::{declare, discharge, is_accepted, taken, transacting, within};
use super::{Came, Peer, message, of_bytes};
use crate::loopback::{Server, What};

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
        let names = peer.names();
        assert!(names.iter().all(|name| name == "Flow"), "{id}: {names:?}");
    }
    assert_eq!(server.depth("A"), 0);
    // More than the credit that the link was given: a whole message is taken as before.
    let whole =
        Transfer { handle: 1, delivery_id: Some(600), delivery_tag: Some(b"t"), ..Transfer::default() };
    peer.send(&Peer::transfer_bytes(whole, &of_bytes(b"whole")));
    assert_eq!(peer.frames()[0].condition(), "");
    assert_eq!(server.depth("A"), 1);
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

/// A part of a message of a handle, of which more is to come.
fn part(handle: u32, id: u32) -> Transfer<'static> {
    let (delivery_id, delivery_tag) = (Some(id), Some(&b"t"[..]));
    Transfer { handle, delivery_id, delivery_tag, more: true, ..Transfer::default() }
}

#[test]
fn half_sent_messages_of_all_connections_share_one_room_and_the_newest_is_refused() {
    // The budget is 64 MiB, half of it for messages under way.
    let server = Server::new();
    let mut peers: Vec<Peer> = (0..20).map(|_| Peer::open(&server)).collect();
    let mut kept = 0;
    for peer in &mut peers {
        for handle in 1..4 {
            peer.attach_target(handle, "A");
            peer.frames();
            for _ in 0..5 {
                peer.send(&Peer::transfer_bytes(part(handle, handle - 1), &[0; 200_000]));
            }
            match peer.frames().first() {
                None => kept += 1_000_000,
                Some(refused) => {
                    assert_eq!(refused.condition(), "amqp:resource-limit-exceeded");
                    assert!(refused.text().contains("send it again later"), "{}", refused.text());
                }
            }
        }
    }
    assert!((10_000_000..=32 << 20).contains(&kept), "{kept}");
    // A program of the message queue interface has a part of the same room.
    let mut program = server.client();
    let output = program.open("A", OpenOptions::OUTPUT);
    let mut put = || {
        let (outside, none) = (mqi::PutFlags::NO_SYNCPOINT, channel::Flags::NONE);
        let number = program.cork_put(output, Persistence::NotPersistent, outside, vec![7; 3_900_000], none);
        program.send();
        program.answer(number).what
    };
    assert_eq!(put(), What::Failed(mqi::Reason::RESOURCE_PROBLEM));
    // A client that ends, and one that aborts, give back what they had.
    drop(peers.split_off(1));
    peers[0].send(&Peer::transfer_bytes(Transfer { aborted: true, ..part(1, 0) }, &[]));
    assert_eq!(put(), What::PutDone);
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn a_half_sent_message_that_comes_no_further_is_given_up_once_others_need_its_room() {
    let server = Server::new();
    let (mut small, mut large) = (Peer::sender(&server, "A"), Peer::open(&server));
    small.send(&Peer::transfer_bytes(part(1, 0), &[0; 1_000]));
    let tick = |peer: &mut Peer, seconds: u64| {
        for _ in 0..seconds {
            server.machine.clock.advance(std::time::Duration::from_secs(1));
            // Signs of life, so that its silence does not end it.
            peer.send(&[0, 0, 0, 8, 2, 0, 0, 0]);
            peer.agent.tick(server.machine.world().clock.now()).unwrap();
        }
        peer.frames()
    };
    assert!(tick(&mut small, 200).iter().all(|came| came.name != "Detach"), "there is room for all");
    for handle in 1..9 {
        large.attach_target(handle, "A");
        assert_eq!(large.names(), ["Attach", "Flow"]);
        for _ in 0..15 {
            large.send(&Peer::transfer_bytes(part(handle, handle - 1), &[0; 200_000]));
        }
    }
    let refused: Vec<String> =
        large.frames().iter().map(Came::text).filter(|text| !text.is_empty()).collect();
    assert!(refused.is_empty(), "{refused:?}");
    assert!(tick(&mut large, 15).iter().all(|came| came.name != "Detach"));
    large.send(&Peer::transfer_bytes(part(1, 0), &[0; 1]));
    let frames = tick(&mut large, 15);
    let given_up: Vec<&Came> = frames.iter().filter(|came| came.name == "Detach").collect();
    assert_eq!(given_up.len(), 7, "all but the one that goes on");
    for detach in given_up {
        assert_eq!(detach.condition(), "amqp:resource-limit-exceeded");
        assert!(detach.text().contains("20 seconds"), "{}", detach.text());
    }
    assert!(tick(&mut small, 30).iter().all(|came| came.name != "Detach"), "the room is there again");
}

#[test]
fn an_outcome_in_a_second_transaction_changes_nothing() {
    // Input 28: the first that was told holds.
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("B", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "once");
    let mut peer = transacting(&server, "A");
    peer.attach_source(2, "B");
    peer.frames();
    peer.grant(2, 0, 1, false);
    assert_eq!(peer.messages().len(), 1);
    let (first, second) = (declare(&mut peer), declare(&mut peer));
    for name in [&first, &second] {
        let state = within(name, put_accepted);
        peer.settle(0, 0, |out| out.extend_from_slice(&state));
    }
    peer.frames();
    discharge(&mut peer, &second, true);
    assert!(is_accepted(&peer.frames()));
    assert!(taken(&server, "B").is_empty(), "it is in the first");
    discharge(&mut peer, &first, true);
    assert!(is_accepted(&peer.frames()));
    assert_eq!(taken(&server, "B"), ["once"]);
}

/// A message with so many bytes of properties.
fn with_properties(bytes: usize) -> Vec<u8> {
    let mut out = Vec::new();
    put_descriptor(&mut out, 0x74);
    put_map(&mut out, 1, |out| {
        put_string(out, "large");
        put_string(out, &"x".repeat(bytes));
    });
    out.extend_from_slice(&message("x", false)[7..]);
    out
}

#[test]
fn properties_beyond_maxpropl_have_their_message_rejected_and_the_link_goes_on() {
    // Input 35.
    let server = Server::new();
    let response = server.client().command("ALTER QMGR MAXPROPL(1000)");
    assert!(!response.failed, "{}", response.text);
    let mut peer = Peer::sender(&server, "A");
    peer.put(&with_properties(2000));
    assert_eq!(peer.frames()[0].condition(), "amqp:resource-limit-exceeded");
    peer.put(&with_properties(500));
    peer.frames();
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn a_message_whose_time_was_over_when_it_came_is_accepted_and_expires() {
    // Input 36.
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    let mut over = Vec::new();
    put_descriptor(&mut over, sections::Properties::CODE);
    ::amqp::types::write::put_list(&mut over, 9, |out| {
        (0..8).for_each(|_| ::amqp::types::write::put_null(out));
        put_scalar(out, &Value::Timestamp(1));
    });
    over.extend_from_slice(&message("over", true)[7..]);
    peer.put(&over);
    let frames = peer.frames();
    assert_eq!((frames[0].name.as_str(), frames[0].condition().as_str()), ("Disposition", ""));
    server.machine.clock.advance(std::time::Duration::from_millis(200));
    let mut receiver = Peer::receiver(&server, "A", 1);
    assert!(receiver.messages().is_empty());
}

#[test]
fn addresses_that_are_none_and_wildcards_as_targets_are_refused() {
    // Inputs 38 and 39.
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let long = "A".repeat(4_000);
    let topic = Some(Symbols::Ours(&["topic"]));
    for (handle, (address, capabilities, condition)) in [
        (long.as_str(), None, "amqp:not-found"),
        ("A\0", None, "amqp:not-found"),
        ("", None, "amqp:not-found"),
        ("price/#", topic, "amqp:not-allowed"),
        ("price/+/close", topic, "amqp:not-allowed"),
        ("topic://price/#", None, "amqp:not-allowed"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut target = Vec::new();
        Target { address: Some(address), capabilities, ..Target::default() }.write(&mut target);
        let target = Some(Raw(&target));
        let handle = handle as u32;
        peer.say(Attach { name: "t", handle, target, initial_delivery_count: Some(0), ..Attach::default() });
        let frames = peer.frames();
        assert!(frames.len() == 2, "{address:.20}: {frames:?}");
        let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
        assert!(attach.target.is_none(), "{address:.20}");
        assert_eq!(frames[1].condition(), condition, "{address:.20}");
        if !address.contains(['#', '+']) {
            let mut source = Vec::new();
            Source { address: Some(address), ..Source::default() }.write(&mut source);
            let source = Some(Raw(&source));
            let handle = handle + 20;
            peer.say(Attach { name: "s", handle, is_receiver: true, source, ..Attach::default() });
            assert_eq!(peer.frames()[1].condition(), condition, "{address:.20}");
        }
    }
}
