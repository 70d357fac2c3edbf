//! Messages between AMQP clients and programs of the interface.

use std::time::Duration;

use ::amqp::performative::{Attach, Performative};
use ::amqp::terminus::Source;
use ::amqp::types::write::{put_descriptor, put_map, put_string, put_symbol};
use ::amqp::types::{Fields, Raw, one};
use ::amqp::{Transfer, Value};
use agents::Agent;
use mqi::{GetFlags, MessageDescriptor, OpenOptions, Persistence, Reason};

use super::{Came, Peer, message, of_bytes, state, text};
use crate::loopback::{Server, What};

/// The states of deliveries that dispositions tell, as ranges.
fn accepted(frames: &[Came]) -> Vec<(u32, u32)> {
    let range = |came: &Came| match came.performative().0 {
        Performative::Disposition(told) => {
            assert!(told.is_receiver && told.settled);
            assert_eq!(state(told.state), Some(::amqp::DeliveryState::Accepted));
            Some((told.first, told.last.unwrap_or(told.first)))
        }
        _ => None,
    };
    frames.iter().filter_map(range).collect()
}

#[test]
fn a_persistent_message_is_accepted_once_it_is_durable_and_a_program_gets_it() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    peer.put(&message("first", true));
    assert!(peer.released().is_empty(), "it is not durable");
    assert_eq!(accepted(&peer.frames()), [(0, 0)]);
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::INPUT_SHARED);
    let got = program.get(handle, GetFlags::NO_PROPERTIES);
    assert_eq!(got, Ok("first".to_owned()));
}

#[test]
fn accepted_messages_of_one_turn_share_a_disposition() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    for _ in 0..5 {
        peer.put(&message("x", true));
    }
    assert_eq!(accepted(&peer.frames()), [(0, 4)]);
}

#[test]
fn an_accepted_message_survives_a_loss_of_power_and_goes_to_a_receiver() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    peer.put(&message("kept", true));
    assert_eq!(accepted(&peer.frames()), [(0, 0)]);
    peer.put(&message("never durable", true));
    drop(peer);
    let server = server.restarted();
    let mut peer = Peer::receiver(&server, "A", 10);
    assert_eq!(peer.messages(), [(0, "kept".to_owned())]);
}

#[test]
fn a_message_of_a_program_goes_to_a_receiver_that_waits() {
    let server = Server::new();
    let mut peer = Peer::receiver(&server, "A", 10);
    assert!(peer.messages().is_empty());
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::OUTPUT);
    program.put(handle, Persistence::Persistent, "for you");
    assert!(peer.wakes() > 0);
    assert_eq!(peer.messages(), [(0, "for you".to_owned())]);
}

#[test]
fn the_bare_message_goes_through_a_queue_byte_by_byte() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    // Properties with a null among them, a wide encoding of a small number: nothing is written anew.
    let sections: [&[u8]; 3] = [
        &[0x00, 0x53, 0x72, 0xC1, 0x06, 2, 0xA3, 1, b'x', 0x51, 5],
        &[0x00, 0x53, 0x73, 0xD0, 0, 0, 0, 0x0F, 0, 0, 0, 3, 0x80, 0, 0, 0, 0, 0, 0, 0, 9, 0x40, 0x40],
        &[0x00, 0x53, 0x74, 0xC1, 0x09, 2, 0xA1, 1, b'n', 0x70, 0, 0, 0, 7],
    ];
    let bodies: &[&[u8]] = &[
        &[0x00, 0x53, 0x75, 0xB0, 0, 0, 0, 2, b'a', b'b'],
        &[0x00, 0x53, 0x75, 0xA0, 1, b'a', 0x00, 0x53, 0x75, 0xA0, 1, b'b'],
        &[0x00, 0x53, 0x77, 0xB1, 0, 0, 0, 1, b'a'],
        &[0x00, 0x53, 0x77, 0x70, 0, 0, 0, 1],
        &[0x00, 0x53, 0x76, 0xC0, 2, 1, 0x41, 0x00, 0x53, 0x76, 0x45],
        &[],
    ];
    let footer: &[u8] = &[0x00, 0x53, 0x78, 0xC1, 0x07, 2, 0xA3, 2, b'x', b'f', 0x51, 1];
    for body in bodies {
        for with_footer in [false, true] {
            let mut bare = [sections[0], sections[1], sections[2], body].concat();
            if with_footer {
                bare.extend_from_slice(footer);
            }
            let sent = [&[0x00, 0x53, 0x70, 0x45][..], &bare].concat();
            peer.put(&sent);
            peer.frames();
            let mut receiver = Peer::receiver(&server, "A", 1);
            let frames = receiver.frames();
            let transfer = frames.iter().find(|came| came.name == "Transfer").expect("the message comes");
            let (_, payload) = transfer.performative();
            let found = ::amqp::Sections::of(payload).unwrap();
            assert_eq!(payload[found.header.len()..], bare, "{body:02x?}");
            receiver.settle(0, 0, ::amqp::outcome::put_accepted);
            receiver.frames();
        }
    }
}

#[test]
fn a_message_of_many_frames_goes_both_ways() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    let body: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
    let message = of_bytes(&body);
    let transfer =
        Transfer { handle: 1, delivery_id: Some(0), delivery_tag: Some(b"t"), ..Transfer::default() };
    let parts: Vec<&[u8]> = message.chunks(60_000).collect();
    for (place, part) in parts.iter().enumerate() {
        let more = place + 1 < parts.len();
        peer.send(&Peer::transfer_bytes(Transfer { more, ..transfer }, part));
    }
    assert_eq!(accepted(&peer.frames()), [(0, 0)]);
    let mut receiver = Peer::receiver(&server, "A", 1);
    let frames = receiver.frames();
    let transfers: Vec<&Came> = frames.iter().filter(|came| came.name == "Transfer").collect();
    assert!(transfers.len() > 3, "{} frames", transfers.len());
    let whole: Vec<u8> = transfers.iter().flat_map(|came| came.performative().1.to_vec()).collect();
    let sections = ::amqp::Sections::of(&whole).unwrap();
    assert_eq!(sections.parts().next().unwrap().content, body);
}

#[test]
fn a_message_that_is_refused_is_rejected_with_the_condition_of_its_reason() {
    let server = Server::new();
    let mut administrator = server.client();
    let mut peer = Peer::sender(&server, "A");
    for (command, condition) in [
        ("ALTER QLOCAL(A) PUT(DISABLED)", "amqp:not-allowed"),
        ("ALTER QLOCAL(A) PUT(ENABLED) MAXMSGL(10)", "amqp:link:message-size-exceeded"),
        ("ALTER QLOCAL(A) MAXMSGL(1000) MAXDEPTH(0)", "amqp:resource-limit-exceeded"),
    ] {
        assert!(!administrator.command(command).failed, "{command}");
        peer.put(&message("a text of some length", false));
        let frames = peer.frames();
        let told = frames.iter().find(|came| came.name == "Disposition").expect("an outcome");
        assert_eq!(told.condition(), condition, "{command}");
    }
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn a_message_whose_bytes_are_none_is_rejected_and_the_link_goes_on() {
    // Inputs 33 and 34.
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    let two_kinds = [of_bytes(b"x"), message("y", false)].concat();
    for wrong in [&b"\xFF\xFF"[..], &two_kinds, &[0x00, 0x53, 0x77, 0xA1, 2, 0xC3, 0x28]] {
        peer.put(wrong);
        let frames = peer.frames();
        assert_eq!(
            frames.iter().map(Came::condition).collect::<Vec<_>>(),
            ["amqp:decode-error"],
            "{wrong:?}"
        );
    }
    peer.put(&message("right", false));
    assert_eq!(accepted(&peer.frames()), [(3, 3)]);
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn a_program_gets_properties_of_an_amqp_message_and_an_amqp_client_those_of_a_program() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    let with_property = [
        &[0x00, 0x53, 0x74, 0xC1, 0x0C, 2, 0xA1, 4][..],
        b"size",
        &[0x71, 0, 0, 0, 7],
        &message("text", false)[7..],
    ]
    .concat();
    peer.put(&with_property);
    assert_eq!(accepted(&peer.frames()), [(0, 0)]);
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    let number = program.cork_get(handle, GetFlags::PROPERTIES_FORCE_MQRFH2, mqi::Wait::No);
    program.send();
    let seen = program.answer(number);
    assert_eq!(seen.descriptor.format.as_str(), "MQHRF2");
    let What::Got { body, .. } = seen.what else { panic!("{seen:?}") };
    let shown = String::from_utf8_lossy(&body).into_owned();
    assert!(shown.contains("<mcd><Msd>jms_text</Msd></mcd>"), "{shown}");
    assert!(shown.contains("<usr><size dt='i4'>7</size></usr>") && shown.ends_with("text"), "{shown}");
    // Put again as it was got, it goes to an AMQP client with the same property.
    assert_eq!(program.put_message(handle, &seen.descriptor, &body), What::PutDone);
    let mut receiver = Peer::receiver(&server, "A", 1);
    let frames = receiver.frames();
    let came = frames.iter().find(|came| came.name == "Transfer").expect("the message");
    let (_, payload) = came.performative();
    let sections = ::amqp::Sections::of(payload).unwrap();
    let kind = sections.message_annotations().get("x-opt-jms-msg-type");
    assert_eq!(kind, Some(::amqp::Value::Byte(5)));
    assert_eq!(sections.application_properties().get("size"), Some(::amqp::Value::Int(7)));
    assert_eq!(text(came), "text");
}

#[test]
fn an_answer_of_a_program_has_the_text_by_which_its_request_is_known() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    let id = "ID:client-with-a-long-name:1:1:1-1";
    let mut request = Vec::new();
    ::amqp::types::write::put_descriptor(&mut request, ::amqp::sections::Properties::CODE);
    ::amqp::types::write::put_list(&mut request, 5, |out| {
        ::amqp::types::write::put_string(out, id);
        (0..3).for_each(|_| ::amqp::types::write::put_null(out));
        ::amqp::types::write::put_string(out, "B");
    });
    request.extend_from_slice(&message("question", false)[7..]);
    peer.put(&request);
    assert_eq!(accepted(&peer.frames()), [(0, 0)]);
    let mut program = server.client();
    let questions = program.open("A", OpenOptions::INPUT_SHARED);
    let number = program.cork_get(questions, GetFlags::NO_PROPERTIES, mqi::Wait::No);
    program.send();
    let asked = program.answer(number).descriptor;
    let answers = program.open(asked.reply_to_queue.as_str(), OpenOptions::OUTPUT);
    let answer = MessageDescriptor {
        correlation_id: mqi::CorrelationId(asked.message_id.0),
        ..MessageDescriptor::default()
    };
    assert_eq!(program.put_message(answers, &answer, b"answer"), What::PutDone);
    let correlation = |peer: &mut Peer| {
        let frames = peer.frames();
        let came = frames.iter().find(|came| came.name == "Transfer").expect("the answer");
        let (_, payload) = came.performative();
        let said = ::amqp::Sections::of(payload).unwrap().properties().correlation_id.unwrap().value();
        said.text().map(str::to_owned)
    };
    peer.attach_source(2, "B");
    peer.frames();
    peer.grant(2, 0, 1, false);
    assert_eq!(correlation(&mut peer).as_deref(), Some(id));
    // A connection that did not ask knows the bytes alone, unless its link asks for the text.
    drop(peer);
    assert_eq!(correlation(&mut Peer::receiver(&server, "B", 1)), None);
    let selecting = |text: &str| {
        let mut filter = Vec::new();
        put_map(&mut filter, 1, |out| {
            put_symbol(out, "jms-selector");
            put_descriptor(out, 0x0000_468C_0000_0004);
            put_string(out, &format!("JMSCorrelationID='{text}'"));
        });
        let Ok((Value::Map(entries), _)) = one(&filter) else { panic!("a map") };
        let source = Source { address: Some("B"), filter: Some(Fields(entries)), ..Source::default() };
        let mut bytes = Vec::new();
        source.write(&mut bytes);
        let mut peer = Peer::open(&server);
        let source = Some(Raw(&bytes));
        peer.say(Attach { name: "b", handle: 2, is_receiver: true, source, ..Attach::default() });
        peer.frames();
        peer.grant(2, 0, 1, true);
        peer
    };
    assert_eq!(selecting("ID:client:another").messages(), []);
    assert_eq!(correlation(&mut selecting(id)).as_deref(), Some(id));
}

#[test]
fn a_delayed_message_is_accepted_at_once_and_comes_when_it_is_due() {
    let server = Server::new();
    let mut peer = Peer::sender(&server, "A");
    let due = peer.queue_manager.wall().0 / 1000 + 5_000;
    let mut delayed = vec![0x00, 0x53, 0x72, 0xC1, 31, 2, 0xA3, 19];
    delayed.extend_from_slice(b"x-opt-delivery-time");
    delayed.push(0x81);
    delayed.extend_from_slice(&due.to_be_bytes());
    delayed.extend_from_slice(&message("later", true)[7..]);
    peer.put(&delayed);
    assert_eq!(accepted(&peer.frames()), [(0, 0)]);
    let mut receiver = Peer::receiver(&server, "A", 1);
    assert!(receiver.messages().is_empty(), "it is not due");
    server.machine.clock.advance(Duration::from_secs(6));
    server.queue_manager.tick();
    assert_eq!(receiver.messages(), [(0, "later".to_owned())]);
}

#[test]
fn a_false_kept_form_of_a_program_is_refused() {
    // Input 41.
    let server = Server::new();
    let mut program = server.client();
    let handle = program.open("A", OpenOptions::OUTPUT);
    let descriptor =
        MessageDescriptor { format: mqi::Text::truncated("FRYAMQP"), ..MessageDescriptor::default() };
    for body in [&b""[..], b"FRYA", &[b'F'; 100]] {
        let put = program.put_message(handle, &descriptor, body);
        assert_eq!(put, What::Failed(Reason::RFH_ERROR), "{body:?}");
    }
    assert_eq!(server.depth("A"), 0);
}

#[test]
fn input_waits_while_the_message_before_it_is_on_its_way_to_a_getter() {
    let server = Server::new();
    let mut program = server.client();
    let getter = program.open("A", OpenOptions::INPUT_SHARED);
    program.cork_get(getter, GetFlags::NO_SYNCPOINT, mqi::Wait::Unlimited);
    program.send();
    program.released();
    let mut peer = Peer::sender(&server, "A");
    peer.put(&message("handed over", true));
    assert!(peer.released().is_empty(), "its outcome waits for the getter");
    peer.put(&message("behind it", true));
    assert!(peer.agent.holds_back() && peer.agent.is_paced() && !peer.input.is_empty());
    // The getter is sent the message, and the putter its outcome.
    assert_eq!(program.released().len(), 1);
    peer.send(&[]);
    assert!(!peer.agent.holds_back());
    assert_eq!(accepted(&peer.frames()), [(0, 0), (1, 1)]);
}
