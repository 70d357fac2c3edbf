//! Bytes of AMQP.

use amqp::engine::{Connection, Limits};
use amqp::frame::Frame;
use amqp::outcome::DeliveryState;
use amqp::terminus::{Source, TargetEnd};
use amqp::{Performative, Scope, Sections, sasl, transaction};
use formats::properties::amqp::branch_calls::BranchCallMessage;
use mqi::branch::BranchId;

/// Longest frame that is taken.
const FRAME_BYTES_MAX: u32 = 1 << 20;

/// Frames of AMQP in a row, and what is in them.
pub fn amqp_frames(bytes: &[u8]) {
    let mut rest = bytes;
    while let Ok(Some(frame)) = Frame::decode(rest, FRAME_BYTES_MAX) {
        let _ = sasl::Step::decode(frame.body);
        if let Ok((performative, _)) = Performative::decode(frame.body) {
            let mut again = Vec::new();
            performative.put(&mut again, frame.channel);
            let frame = Frame::decode(&again, u32::MAX).ok().flatten().expect("a frame of ours is one");
            assert!(Performative::decode(frame.body).is_ok(), "what was written is read");
            look_into(&performative);
        }
        rest = &rest[frame.bytes..];
    }
}

fn look_into(performative: &Performative<'_>) {
    match performative {
        Performative::Attach(attach) => {
            let _ = attach.source.map(|source| Source::decode(source.0));
            let _ = attach.target.map(|target| TargetEnd::decode(target.0));
        }
        Performative::Transfer(transfer) => drop(transfer.state.map(|state| DeliveryState::decode(state.0))),
        Performative::Disposition(told) => drop(told.state.map(|state| DeliveryState::decode(state.0))),
        _ => {}
    }
}

/// All that a client may say, to the state of its connection.
pub fn amqp_connection(bytes: &[u8]) {
    let mut connection = Connection::new(Limits::default());
    let mut rest = bytes;
    loop {
        match connection.step(rest) {
            Ok(None) => return,
            Ok(Some(step)) => {
                assert!(step.bytes > 0, "a step takes bytes");
                if matches!(step.event, amqp::engine::Event::Login(_)) {
                    connection.let_in();
                }
                rest = &rest[step.bytes..];
            }
            Err(fault) if fault.scope == Scope::Connection => return,
            Err(_) => rest = &rest[Connection::frame_bytes(rest)..],
        }
    }
}

/// A message of AMQP.
pub fn amqp_message(bytes: &[u8]) {
    let _ = transaction::Request::decode(bytes);
    let Ok(sections) = Sections::of(bytes) else { return };
    let all = [
        sections.header,
        sections.delivery_annotations,
        sections.message_annotations,
        sections.properties,
        sections.application_properties,
        sections.body,
        sections.footer,
    ];
    assert_eq!(all.concat(), bytes, "every byte belongs to one section");
    let parts: Vec<u8> = sections.parts().flat_map(|part| [part.head, part.content].concat()).collect();
    assert_eq!(parts, sections.body, "a body is its parts");
}

/// A call on a branch, and the answer to it.
pub fn branch_calls(bytes: &[u8]) {
    let branches = [BranchId::new(7, &[1; 64], &[2; 64]).expect("lengths of an identifier")];
    match BranchCallMessage::decode(bytes) {
        Ok(call) => {
            let answer = call.answer(-4, &branches);
            assert!(Sections::of(&answer).is_ok(), "an answer is a message");
        }
        // It is told to a person.
        Err(refusal) => assert!(!refusal.to_string().is_empty(), "a refusal has words"),
    }
}
