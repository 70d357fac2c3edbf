//! Wishes of a client: each is done, or refused in words.

use ::amqp::Value;
use ::amqp::frame::Protocol;
use ::amqp::outcome::{put_accepted, put_rejected_alone, put_released};
use ::amqp::performative::{Attach, Disposition, Flow, Open, Performative, Transfer};
use ::amqp::terminus::Source;
use ::amqp::types::Raw;
use ::amqp::types::write::{put_descriptor, put_map, put_scalar, put_string, put_symbol};
use agents::{Agent, Close};
use mqi::{OpenOptions, Persistence};
use std::time::Duration;

use super::{Came, Peer, message, of_bytes};
use crate::loopback::Server;

fn filled(server: &Server, texts: &[&'static str]) {
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::OUTPUT);
    texts.iter().for_each(|text| program.put(handle, Persistence::NotPersistent, text));
}

/// Attaches a receiver of `A` by handle 2 with a default outcome.
fn attach_with(peer: &mut Peer, outcome: &[u8], max_message_size: u64) -> Vec<Came> {
    let mut source = Vec::new();
    let default_outcome = Some(Raw(outcome)).filter(|outcome| !outcome.0.is_empty());
    Source { address: Some("A"), default_outcome, ..Source::default() }.write(&mut source);
    let source = Some(Raw(&source));
    let attach = Attach { name: "r", handle: 2, is_receiver: true, source, ..Attach::default() };
    peer.say(Attach { max_message_size, ..attach });
    peer.frames()
}

#[test]
fn a_delivery_that_is_settled_without_an_outcome_has_the_one_that_its_receiver_chose() {
    for (put, depths) in [
        (put_accepted as fn(&mut Vec<u8>), (0, 0)),
        (put_released, (1, 0)),
        // It goes where rejected messages go.
        (put_rejected_alone, (0, 1)),
    ] {
        let server = Server::new();
        assert!(!server.client().command("ALTER QLOCAL(A) BOQNAME(B) BOTHRESH(9)").failed);
        filled(&server, &["1"]);
        let mut outcome = Vec::new();
        put(&mut outcome);
        let mut peer = Peer::open(&server);
        let frames = attach_with(&mut peer, &outcome, 0);
        let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
        let told = Source::decode(attach.source.unwrap().0).unwrap();
        assert_eq!(told.default_outcome, Some(Raw(&outcome[..])), "the answer tells it");
        peer.grant(2, 0, 1, false);
        assert_eq!(peer.messages().len(), 1);
        peer.say(Disposition { is_receiver: true, first: 0, settled: true, ..Disposition::default() });
        peer.frames();
        drop(peer);
        assert_eq!((server.depth("A"), server.depth("B")), depths);
    }
}

#[test]
fn a_default_outcome_that_is_none_is_refused() {
    let received = [0x00, 0x53, 0x23, 0xC0, 3, 2, 0x43, 0x44];
    let server = Server::new();
    for outcome in [&received[..], &[0x00, 0x53, 0x70, 0x45], &[0x45]] {
        let frames = attach_with(&mut Peer::open(&server), outcome, 0);
        assert_eq!(frames[1].condition(), "amqp:invalid-field", "{outcome:?}");
    }
}

#[test]
fn a_message_longer_than_its_receiver_takes_ends_the_link_and_stays() {
    let server = Server::new();
    let mut sender = Peer::sender(&server, "A");
    sender.put(&of_bytes(&[7; 5_000]));
    sender.frames();
    for settled in [false, true] {
        let mut peer = Peer::open(&server);
        let mut source = Vec::new();
        Source { address: Some("A"), ..Source::default() }.write(&mut source);
        let source = Some(Raw(&source));
        let attach = Attach { name: "r", handle: 2, is_receiver: true, source, ..Attach::default() };
        peer.say(Attach { max_message_size: 4_000, snd_settle_mode: settled.into(), ..attach });
        peer.frames();
        peer.grant(2, 0, 5, false);
        let frames = peer.frames();
        let names: Vec<&str> = frames.iter().map(|came| came.name.as_str()).collect();
        assert_eq!(names, ["Detach"], "{settled}");
        assert_eq!(frames[0].condition(), "amqp:link:message-size-exceeded");
        assert_eq!(server.depth("A"), 1);
    }
    let mut peer = Peer::open(&server);
    attach_with(&mut peer, &[], 6_000);
    peer.grant(2, 0, 5, false);
    assert_eq!(peer.messages().len(), 1, "one that takes as much has it");
}

#[test]
fn a_message_format_that_is_not_known_is_refused() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    for (id, format) in [(0, 1), (1, 0x8013_3700), (2, u32::MAX)] {
        let (delivery_id, delivery_tag) = (Some(id), Some(&b"t"[..]));
        let transfer = Transfer { handle: 1, delivery_id, delivery_tag, ..Transfer::default() };
        let message = message("x", false);
        peer.send(&Peer::transfer_bytes(Transfer { message_format: Some(format), ..transfer }, &message));
        assert_eq!(peer.frames()[0].condition(), "amqp:not-implemented", "{format}");
    }
    let (delivery_id, delivery_tag) = (Some(3), Some(&b"t"[..]));
    let transfer = Transfer { handle: 1, delivery_id, delivery_tag, ..Transfer::default() };
    let plain = Transfer { message_format: Some(0), ..transfer };
    peer.send(&Peer::transfer_bytes(plain, &message("x", false)));
    assert_eq!(peer.frames()[0].condition(), "");
    // One that is settled has no outcome to tell: its link ends.
    let settled = Transfer { message_format: Some(7), settled: Some(true), ..transfer };
    let settled = Transfer { delivery_id: Some(4), ..settled };
    peer.send(&Peer::transfer_bytes(settled, &message("x", false)));
    assert_eq!(peer.frames()[0].condition(), "amqp:not-implemented");
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn a_client_that_takes_less_than_a_second_of_silence_hears_in_time_and_too_little_is_refused() {
    let server = Server::new();
    for takes in [100, 500, 3_000] {
        let mut peer = Peer::stranger(&server);
        peer.send(&Protocol::Amqp.header());
        peer.say(Open { container_id: "peer", idle_time_out: Some(takes), ..Open::default() });
        peer.raw();
        let mut silent = 0;
        for _ in 0..takes * 4 {
            server.machine.clock.advance(Duration::from_millis(1));
            let now = server.machine.world().clock.now();
            if peer.agent.due().is_some_and(|due| due <= now) {
                peer.agent.tick(now).unwrap();
            }
            silent = if peer.raw().is_empty() { silent + 1 } else { 0 };
            assert!(silent < takes, "{takes}");
        }
    }
    for takes in [1, 50, 99] {
        let mut peer = Peer::stranger(&server);
        peer.send(&Protocol::Amqp.header());
        let mut open = Vec::new();
        let asked = Open { container_id: "peer", idle_time_out: Some(takes), ..Open::default() };
        Performative::from(asked).put(&mut open, 0);
        let Err(Close::Refused { text, .. }) = peer.receive(&open) else { panic!("{takes}") };
        assert!(text.contains("100 ms or more"), "{text}");
    }
}

/// A message with an annotation.
fn annotated(name: &str, value: &Value<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    put_descriptor(&mut out, 0x72);
    put_map(&mut out, 1, |out| {
        put_symbol(out, name);
        match value {
            Value::String(text) => put_string(out, text),
            number => assert!(put_scalar(out, number)),
        }
    });
    out.extend(of_bytes(b"later"));
    out
}

#[test]
fn delays_of_every_name_put_a_message_off() {
    let server = Server::new();
    let now = server.machine.world().clock.wall().0 / 1000;
    let mut peer = Peer::sender(&server, "A");
    let mut receiver = Peer::receiver(&server, "A", 100);
    for (name, value) in [
        ("x-opt-delivery-delay", Value::Long(5_000)),
        ("x-opt-delivery-delay", Value::Uint(5_000)),
        ("x-opt-scheduled-enqueue-time", Value::Timestamp(now + 5_000)),
        ("x-opt-delivery-time", Value::Long(now + 5_000)),
    ] {
        peer.put(&annotated(name, &value));
        assert_eq!(peer.frames()[0].condition(), "", "{name}");
    }
    server.machine.clock.advance(Duration::from_secs(4));
    server.queue_manager.tick();
    assert!(receiver.messages().is_empty());
    server.machine.clock.advance(Duration::from_secs(2));
    server.queue_manager.tick();
    assert_eq!(receiver.messages().len(), 4);
    // A time that is over, or no delay, puts nothing off.
    for (name, value) in [
        ("x-opt-delivery-delay", Value::Long(-9)),
        ("x-opt-delivery-delay", Value::Long(0)),
        ("x-opt-scheduled-enqueue-time", Value::Timestamp(1)),
    ] {
        peer.put(&annotated(name, &value));
        assert_eq!(peer.frames()[0].condition(), "", "{name}");
        assert_eq!(receiver.messages().len(), 1, "{name}");
    }
    // A delay that is no number is refused, and not taken for none.
    for name in ["x-opt-delivery-delay", "x-opt-scheduled-enqueue-time", "x-opt-delivery-time"] {
        peer.put(&annotated(name, &Value::String("soon")));
        let frames = peer.frames();
        assert_eq!(frames[0].condition(), "amqp:decode-error", "{name}");
        assert!(frames[0].text().contains(name), "{}", frames[0].text());
    }
    let far = annotated("x-opt-delivery-delay", &Value::Ulong(u64::MAX));
    peer.put(&far);
    assert_eq!(peer.frames()[0].condition(), "");
    assert!(receiver.messages().is_empty());
}

#[test]
fn a_full_queue_gives_credit_for_a_message_a_second_and_all_of_it_with_room() {
    let server = Server::new();
    assert!(!server.client().command("ALTER QLOCAL(A) MAXDEPTH(1)").failed);
    let mut peer = Peer::sender(&server, "A");
    peer.put(&message("1", false));
    assert_eq!(peer.frames()[0].condition(), "");
    let second = |peer: &mut Peer| {
        server.machine.clock.advance(Duration::from_secs(1));
        peer.agent.tick(server.machine.world().clock.now()).unwrap();
        credits(&peer.frames())
    };
    // What credit it has it may use up; then no more comes but one a second.
    for _ in 0..511 {
        peer.put(&message("2", false));
        let frames = peer.frames();
        assert_eq!(frames[0].condition(), "amqp:resource-limit-exceeded");
        assert_eq!(credits(&frames), [], "none comes with a refusal");
    }
    for _ in 0..3 {
        assert_eq!(second(&mut peer), [1]);
        assert_eq!(second(&mut peer), [], "it has one");
        peer.put(&message("3", false));
        assert_eq!(peer.frames()[0].condition(), "amqp:resource-limit-exceeded");
    }
    let mut receiver = Peer::receiver(&server, "A", 1);
    assert_eq!(receiver.messages().len(), 1);
    receiver.settle(0, 0, put_accepted);
    receiver.frames();
    assert_eq!(second(&mut peer), [1]);
    peer.put(&message("4", false));
    assert_eq!(credits(&peer.frames()), [512]);
}

/// The credit that flows give.
fn credits(frames: &[Came]) -> Vec<u32> {
    let of = |came: &Came| match came.performative().0 {
        Performative::Flow(Flow { handle: Some(_), link_credit, .. }) => link_credit,
        _ => None,
    };
    frames.iter().filter_map(of).collect()
}

#[test]
fn a_name_that_no_queue_can_have_is_answered_in_words() {
    let server = Server::new();
    let long = "A".repeat(49);
    for name in ["orders-in", "no queue", &long, "queue:///orders-in"] {
        let mut peer = Peer::open(&server);
        peer.attach_source(2, name);
        let frames = peer.frames();
        assert_eq!(frames[1].condition(), "amqp:not-found", "{name}");
        assert!(frames[1].text().contains("1 to 48 letters"), "{}", frames[1].text());
    }
}
