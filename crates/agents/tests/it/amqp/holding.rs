//! Messages that wait at their links for room on a queue with FULLACT(HOLD).

use ::amqp::outcome::Transactional;
use ::amqp::performative::{Detach, Performative};
use ::amqp::types::write::{Composite, put_binary};
use agents::Agent;
use std::time::Duration;

use super::transactions::{declare, discharge, is_accepted, taken, transacting};
use super::{Came, Peer, message};
use crate::loopback::Server;

/// The deliveries that frames tell outcomes of, and their conditions.
fn outcomes(frames: &[Came]) -> Vec<(u32, String)> {
    let told = frames.iter().filter_map(|came| match came.performative().0 {
        Performative::Disposition(told) => {
            Some((told.first..=told.last.unwrap_or(told.first), came.condition()))
        }
        _ => None,
    });
    told.flat_map(|(deliveries, condition)| deliveries.map(move |one| (one, condition.clone()))).collect()
}

fn accepted(delivery: u32) -> (u32, String) {
    (delivery, String::new())
}

fn holding_server() -> Server {
    let server = Server::new();
    let altered = server.client().command("ALTER QLOCAL(A) MAXDEPTH(1) FULLACT(HOLD)");
    assert!(!altered.failed, "{}", altered.text);
    server
}

#[test]
fn a_message_waits_for_room_with_its_link_and_other_links_go_on() {
    let server = holding_server();
    let mut peer = Peer::sender(&server, "A");
    peer.attach_target(2, "B");
    peer.frames();
    let deliveries: Vec<u32> = ["1", "2", "3"].iter().map(|text| peer.put(&message(text, false))).collect();
    let beside = peer.put_by(2, &message("beside", false), None);
    let mut told = outcomes(&peer.frames());
    told.sort();
    assert_eq!(told, [accepted(deliveries[0]), accepted(beside)]);
    assert!(peer.agent.has_put_aside() && peer.agent.wants_input());
    for (place, text) in ["1", "2"].into_iter().enumerate() {
        assert_eq!(taken(&server, "A"), [text]);
        assert_eq!(outcomes(&peer.frames()), [accepted(deliveries[place + 1])]);
    }
    assert_eq!(taken(&server, "A"), ["3"]);
    assert!(!peer.agent.has_put_aside());
}

#[test]
fn a_message_is_refused_when_its_time_is_over_and_the_next_has_as_long() {
    let server = holding_server();
    let mut peer = Peer::sender(&server, "A");
    let deliveries: Vec<u32> = ["1", "2", "3"].iter().map(|text| peer.put(&message(text, false))).collect();
    assert_eq!(outcomes(&peer.frames()), [accepted(deliveries[0])]);
    for delivery in &deliveries[1..] {
        server.machine.clock.advance(Duration::from_secs(29));
        assert!(outcomes(&peer.frames()).is_empty());
        server.machine.clock.advance(Duration::from_secs(1));
        let refused = (*delivery, "amqp:resource-limit-exceeded".to_owned());
        assert_eq!(outcomes(&peer.frames()), [refused]);
    }
}

#[test]
fn a_discharge_waits_behind_the_messages_of_its_transaction() {
    let server = holding_server();
    let mut peer = transacting(&server, "A");
    peer.put(&message("1", false));
    assert!(is_accepted(&peer.frames()));
    let (one, two) = (declare(&mut peer), declare(&mut peer));
    let mut state = Vec::new();
    let mut fields = Composite::begin(&mut state, Transactional::CODE);
    fields.put(|out| put_binary(out, &one));
    fields.end();
    peer.put_by(1, &message("2", true), Some(&state));
    assert!(peer.frames().is_empty());
    // Another transaction ends meanwhile.
    discharge(&mut peer, &two, false);
    assert!(is_accepted(&peer.frames()));
    discharge(&mut peer, &one, false);
    assert!(outcomes(&peer.frames()).is_empty());
    assert_eq!(taken(&server, "A"), ["1"]);
    let told = outcomes(&peer.frames());
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().all(|(_, condition)| condition.is_empty()), "{told:?}");
    assert_eq!(taken(&server, "A"), ["2"]);
}

#[test]
fn a_link_that_its_client_ends_has_its_messages_refused() {
    let server = holding_server();
    let mut peer = Peer::sender(&server, "A");
    peer.put(&message("1", false));
    peer.frames();
    let waits = peer.put(&message("2", false));
    assert!(peer.frames().is_empty());
    peer.say(Detach { handle: 1, closed: true, error: None });
    let frames = peer.frames();
    assert_eq!(outcomes(&frames), [(waits, "amqp:resource-limit-exceeded".to_owned())]);
    assert!(frames.iter().any(|came| came.name == "Detach"));
    assert!(!peer.agent.has_put_aside());
}
