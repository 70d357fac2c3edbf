//! A receiver has the body that its sender names, after any frames before.

use super::*;
use crate::client::{Described, ForHandle, Message, delivered, delivered_to};
use crate::descriptor::written;
use crate::{Conversation, Header, Kind, RequestNumber};
use mqi::{CorrelationId, Feedback, MessageDescriptor, MessageId, MessageToken, ObjectHandle, ObjectName};
use proptest::prelude::*;

const FRAGMENT_BYTES: usize = 32 * 1024;

/// State of both sides.
struct Sides {
    output: Output,
    bodies: SharedBodies,
    kept: BodyCache,
    /// Bytes that descriptors of this kind of copies share.
    common: [Bytes; 2],
}

impl Sides {
    fn new() -> Self {
        let mut bodies = SharedBodies::default();
        bodies.begin();
        let common = [0, 1].map(|kind| Bytes::from(written(&descriptor(kind))));
        Self { output: Output::default(), bodies, kept: BodyCache::default(), common }
    }

    /// Sends a message to a conversation; the bytes of its frame.
    fn send(&mut self, conversation: u16, body: &Bytes, is_shared: bool) -> Vec<u8> {
        self.send_of_kind(0, conversation, body, is_shared)
    }

    /// The same of copies of which there are two kinds.
    fn send_of_kind(&mut self, kind: usize, conversation: u16, body: &Bytes, is_shared: bool) -> Vec<u8> {
        let whole = descriptor_to(kind, conversation);
        let descriptor = match is_shared {
            true => Described::Written { common: &self.common[kind], correlation_id: &whole.correlation_id },
            false => Described::Whole(&whole),
        };
        let length = body.len() as u32;
        let message = Message {
            warning: None,
            data_length: length,
            resolved_queue_name: ObjectName::BLANK,
            message_token: MessageToken::NONE,
            for_handle: ForHandle::Nothing,
            length,
            body: &[],
        };
        let header = Header::new(Kind::Delivered, Conversation(conversation), RequestNumber(1));
        let to = (ObjectHandle(1), 1);
        let rest = delivered(
            &mut Outlet { output: &mut self.output, bodies: &mut self.bodies },
            header,
            to,
            &message,
            descriptor,
            body.clone(),
            FRAGMENT_BYTES,
        );
        assert!(rest.is_empty(), "it is one frame");
        let bytes = self.output.to_vec();
        self.output.advance(bytes.len());
        bytes
    }

    /// The body that the receiver finds for a frame.
    fn receive(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.receive_whole(bytes).map(|(_, body)| body)
    }

    /// The descriptor and the body that the receiver finds for a frame.
    fn receive_whole(&mut self, bytes: &[u8]) -> Result<(MessageDescriptor, Vec<u8>), Error> {
        let frame = Frame::decode(bytes, 1 << 20).unwrap().unwrap();
        assert_eq!(frame.bytes(), bytes.len());
        let mut seen = crate::client::DeltaReader::default();
        let body = match self.kept.part(&frame)? {
            None => seen.read(&frame, 1 << 20)?.body.to_vec(),
            Some(parted) => {
                let mut head = Vec::new();
                parted.write(&mut head);
                let head = Frame::decode(&head, 1 << 20).unwrap().unwrap();
                assert_eq!(parted.to(), (head.header.conversation, delivered_to(&head).unwrap().0));
                let message = seen.read(&head, 1 << 20)?;
                assert_eq!((message.length as usize, message.body), (parted.body().len(), &[][..]));
                parted.body().to_vec()
            }
        };
        Ok((seen.descriptor().clone(), body))
    }

    /// Sends a body; true if it goes by its place.
    fn names(&mut self, conversation: u16, body: &Bytes) -> bool {
        let bytes = self.send(conversation, body, true);
        assert_eq!(self.receive(&bytes).as_deref(), Ok(&body[..]));
        bytes.len() < body.len()
    }
}

/// The descriptor of this kind of copies.
fn descriptor(kind: usize) -> MessageDescriptor {
    MessageDescriptor {
        message_id: MessageId([7; 24]),
        feedback: Feedback(kind as i32),
        ..Default::default()
    }
}

/// That of the copy for a conversation.
fn descriptor_to(kind: usize, conversation: u16) -> MessageDescriptor {
    MessageDescriptor { correlation_id: CorrelationId([conversation as u8; 24]), ..descriptor(kind) }
}

/// Chooses the form of a body of copies whose descriptors are at this address.
fn share(keeping: &mut Keeping, to: u16, body: &Bytes) -> Option<Shared> {
    static WRITTEN: Bytes = Bytes::from_static(b"as if it were one");
    keeping.share(Conversation(to), &WRITTEN, body)
}

fn body(number: usize, length: usize) -> Bytes {
    Bytes::from(vec![number as u8; length])
}

/// Lengths of bodies: about the bounds as well.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        0..3000_usize,
        Just(BODY_BYTES_MIN),
        BODY_BYTES_MIN..5000,
        Just(BODY_BYTES_MAX),
        BODY_BYTES_MAX - 3..=FRAGMENT_BYTES,
    ]
}

proptest! {
    #[test]
    fn every_message_arrives_with_its_own_descriptor_and_body(
        lengths in prop::collection::vec(length(), 1..100),
        steps in prop::collection::vec((any::<prop::sample::Index>(), 1_u16..10, 0_u8..12), 1..600),
    ) {
        let mut sides = Sides::new();
        let mut bodies: Vec<_> = lengths.iter().enumerate().map(|(number, length)| body(number, *length)).collect();
        for (number, (which, conversation, how)) in steps.into_iter().enumerate() {
            let place = which.index(bodies.len());
            match how {
                0 => sides.bodies.begin_turn(),
                // Another lies where it lay, if nobody else has it.
                1 => {
                    let length = bodies[place].len();
                    bodies[place] = Bytes::new();
                    bodies[place] = body(number, length);
                }
                _ => {}
            }
            let kind = usize::from(how % 4 == 3);
            let bytes = sides.send_of_kind(kind, conversation, &bodies[place], how < 11);
            let sent = (descriptor_to(kind, conversation), bodies[place].to_vec());
            prop_assert_eq!(sides.receive_whole(&bytes), Ok(sent));
            let Sides { bodies: shared, kept, .. } = &sides;
            prop_assert!(shared.keep_as(kept), "both sides keep the same");
        }
    }

    #[test]
    fn what_is_kept_stays_within_its_bounds(lengths in prop::collection::vec(0..2 * BYTES_MAX, 1..200)) {
        let mut last = Last::default();
        for (number, length) in lengths.iter().enumerate() {
            last.keep(Content { written: Bytes::new(), body: body(number, *length) });
            let bytes: usize = last.contents.iter().map(|content| content.body.len()).sum();
            prop_assert_eq!(last.bytes, bytes);
            prop_assert!(bytes <= BYTES_MAX && last.contents.len() <= BODIES_MAX);
        }
    }
}

#[test]
fn a_body_goes_once_over_a_connection_for_all_its_conversations() {
    let mut sides = Sides::new();
    let bodies: Vec<_> = (0..BODIES_MAX / 2).map(|number| body(number, 2048)).collect();
    for conversation in 0..10 {
        for body in &bodies {
            assert_eq!(sides.names(conversation, body), conversation > 0);
        }
    }
}

#[test]
fn a_conversation_that_is_sent_a_body_for_two_handles_is_sent_it_once() {
    let mut sides = Sides::new();
    let bodies: Vec<_> = (0..20).map(|number| body(number, 2048)).collect();
    for (time, all) in [&bodies, &bodies].into_iter().enumerate() {
        assert!(all.iter().all(|body| sides.names(1, body) == (time > 0)));
    }
    for number in 20..40 {
        let body = body(number, 2048);
        assert_eq!([sides.names(1, &body), sides.names(1, &body)], [false, true]);
    }
}

#[test]
fn bodies_that_are_equal_but_lie_apart_are_not_the_same() {
    let mut sides = Sides::new();
    let (one, other) = (body(7, 2048), body(7, 2048));
    assert!(!sides.names(1, &one));
    assert!(!sides.names(2, &other), "comparing them would cost as much as sending");
    assert!(sides.names(3, &one) && sides.names(3, &other));
    assert!(!sides.names(4, &one.slice(1..)), "a part of it is another");
}

#[test]
fn short_and_long_bodies_and_those_that_nobody_shares_are_sent_each_time() {
    let mut sides = Sides::new();
    for length in [0, BODY_BYTES_MIN - 1, BODY_BYTES_MAX - 1] {
        let body = body(1, length);
        let is_shared = length == BODY_BYTES_MAX - 1;
        for conversation in 0..3 {
            let bytes = sides.send(conversation, &body, !is_shared);
            assert!(bytes.len() > length, "{length}");
            assert_eq!(sides.receive(&bytes).as_deref(), Ok(&body[..]));
        }
    }
    assert!(sides.kept.last.contents.is_empty());
}

#[test]
fn a_place_at_which_nothing_is_kept_is_refused_and_named() {
    let mut sides = Sides::new();
    let body = body(1, 2048);
    sides.names(1, &body);
    let again = sides.send(2, &body, true);
    let place = HEADER_BYTES + TO_BYTES;
    let other = again[place + 2] ^ 1;
    for (at, value, named) in [
        (place, 2, (2, 2048)),
        (place, 255, (255, 2048)),
        (place + 2, other, (1, 2048)),
        (place + 4, 1, (1, 2049)),
    ] {
        let mut bytes = again.clone();
        bytes[at] = value;
        let (place, length) = named;
        assert_eq!(sides.receive(&bytes), Err(Error::NotKept { place, length, kept: 1 }));
    }
    // Nor may one that follows be longer than what follows.
    let mut bytes = again.clone();
    bytes[place..place + 2].copy_from_slice(&FOLLOWS.to_le_bytes());
    assert_eq!(sides.receive(&bytes), Err(Error::cut("body")));
    assert_eq!(sides.receive(&again).as_deref(), Ok(&body[..]));
}

#[test]
fn a_connection_begins_with_nothing_kept() {
    let mut sides = Sides::new();
    let body = body(1, 2048);
    sides.names(1, &body);
    let again = sides.send(2, &body, true);
    sides.kept = BodyCache::default();
    assert_eq!(sides.receive(&again), Err(Error::NotKept { place: 1, length: 2048, kept: 0 }));
    sides.bodies = SharedBodies::default();
    sides.bodies.begin();
    assert!(!sides.names(1, &body), "the other side has nothing of it any more");
}

#[test]
fn where_nobody_else_is_sent_a_body_few_are_kept_until_somebody_is() {
    let mut keeping = Keeping::default();
    let mut kept = 0;
    for number in 0..10_000 {
        kept += u32::from(share(&mut keeping, 1, &body(number, 600)).is_some());
    }
    let tries = 10_000 / TRIED_OF;
    assert!((tries..=WORTH_AT_FIRST + tries).contains(&kept), "{kept}");
    let mut named = 0;
    for number in 0..1000 {
        let body = body(number, 600);
        named +=
            u32::from((1..3).filter_map(|to| share(&mut keeping, to, &body)).any(|shared| !shared.follows()));
    }
    assert!(named > 900, "{named}");
}

#[test]
fn a_turn_ends_before_it_pushes_out_what_it_kept() {
    for length in [BODY_BYTES_MIN, 2048, 5000, BODY_BYTES_MAX] {
        let mut sides = Sides::new();
        sides.bodies.begin_turn();
        let mut bodies = Vec::new();
        while !sides.bodies.is_turn_over() {
            bodies.push(body(bodies.len(), length));
            assert!(!sides.names(1, &bodies[bodies.len() - 1]));
        }
        assert!(bodies.len() > 1 && bodies.len() <= BODIES_MAX / 2);
        for conversation in 2..5 {
            sides.bodies.begin_turn();
            assert!(bodies.iter().all(|body| sides.names(conversation, body)), "{length}");
            assert!(!sides.bodies.is_turn_over());
        }
    }
}

#[test]
fn one_who_is_behind_does_not_push_out_what_others_are_sent_and_comes_back_to_it() {
    let mut keeping = Keeping::default();
    let bodies: Vec<_> = (0..2 * BODIES_MAX).map(|number| body(number, 600)).collect();
    let mut share = |to, body: &Bytes| share(&mut keeping, to, body);
    for body in &bodies {
        share(1, body);
        share(2, body);
    }
    assert!(share(3, &bodies[0]).is_none(), "it is gone");
    let kept = |shared: Option<Shared>| shared.is_some_and(Shared::follows);
    let pushed = bodies[1..BODIES_MAX].iter().filter(|body| kept(share(3, body))).count();
    assert!(pushed <= BODIES_MAX / TRIED_OF as usize, "{pushed}");
    let named =
        bodies[BODIES_MAX..].iter().filter(|body| share(3, body).is_some_and(|shared| !shared.follows()));
    assert!(named.count() > BODIES_MAX - 2 * LOOKED_AT_MAX);
}

impl SharedBodies {
    /// Compares what a receiver keeps.
    fn keep_as(&self, kept: &BodyCache) -> bool {
        self.0.as_ref().is_some_and(|keeping| keeping.is_as(kept))
    }
}

impl Keeping {
    /// True if a receiver keeps the bodies that this side believes, all at the same places.
    fn is_as(&self, kept: &BodyCache) -> bool {
        let (ours, theirs) = (&self.kept, &kept.last);
        let is_same =
            |(one, other): (&Content, &Content)| (&one.written, &one.body) == (&other.written, &other.body);
        ours.bytes == theirs.bytes
            && ours.contents.len() == theirs.contents.len()
            && ours.contents.iter().zip(&theirs.contents).all(is_same)
    }
}

#[test]
fn copies_that_say_something_else_do_not_have_the_descriptor_of_others() {
    let mut sides = Sides::new();
    let body = body(1, 2048);
    for (kind, conversation, is_named) in [(0, 1, false), (1, 2, false), (0, 3, true), (1, 4, true)] {
        let bytes = sides.send_of_kind(kind, conversation, &body, true);
        assert_eq!(bytes.len() < body.len(), is_named, "{conversation}");
        let sent = (descriptor_to(kind, conversation), body.to_vec());
        assert_eq!(sides.receive_whole(&bytes), Ok(sent));
    }
}

#[test]
fn a_descriptor_without_room_for_a_correlation_identifier_is_refused() {
    let mut sides = Sides::new();
    let bytes = sides.send(1, &body(1, 2048), true);
    let descriptor = bytes.len() - 2048 - sides.common[0].len();
    for gap in [sides.common[0].len() as u16 - 2 - 23, u16::MAX] {
        let mut bytes = bytes.clone();
        bytes[descriptor..][..2].copy_from_slice(&gap.to_le_bytes());
        assert_eq!(sides.receive(&bytes), Err(Error::cut("descriptor")));
    }
}
