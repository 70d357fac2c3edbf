use proptest::prelude::*;

use super::*;
use crate::error::{Condition, Fault, Scope};
use crate::frame::{Frame, FrameType, Protocol};
use crate::outcome::put_accepted;
use crate::performative::{Attach, Begin, Disposition, Flow, Open, Performative, Transfer};
use crate::performative::{Close, Detach, End};
use crate::sasl::{self, SASL_FRAMES_MAX};
use crate::types::Raw;
use crate::types::write::{Composite, put_descriptor, put_list};

/// A client: the bytes that it sends, and the server that takes them.
struct Peer {
    server: Connection,
    sent: Vec<u8>,
}

impl Peer {
    fn new() -> Self {
        let limits = Limits { channel_max: 3, handle_max: 7, message_bytes_max: 1000, ..Limits::default() };
        Self { server: Connection::new(limits), sent: Vec::new() }
    }

    /// One that is let in without a login, and has opened.
    fn open() -> Self {
        let mut peer = Self::new();
        peer.sent.extend(Protocol::Amqp.header());
        peer.say(0, Open { container_id: "peer", ..Open::default() });
        assert_eq!(peer.events(), ["Header", "Open"]);
        peer
    }

    /// The same with a session on channel 1.
    fn session() -> Self {
        let mut peer = Self::open();
        peer.say(1, Begin { incoming_window: 100, outgoing_window: 100, ..Begin::default() });
        assert_eq!(peer.events(), ["Begin"]);
        peer
    }

    /// The same, sending by a link with handle 2 for which there is credit.
    fn sender(credit: u32) -> Self {
        let mut peer = Self::session();
        peer.attach_sender(2, credit);
        peer
    }

    /// Attaches a link that sends, for which there is credit.
    fn attach_sender(&mut self, handle: u32, credit: u32) {
        self.say(1, Attach { name: "s", handle, initial_delivery_count: Some(0), ..Attach::default() });
        assert_eq!(self.events(), ["Attach"]);
        self.server.link_mut(1, handle).unwrap().receiving.credit = credit;
    }

    fn say<'a>(&mut self, channel: u16, performative: impl Into<Performative<'a>>) {
        performative.into().put(&mut self.sent, channel);
    }

    fn transfer(&mut self, transfer: Transfer<'_>, payload: &[u8]) {
        put_frame_of(&mut self.sent, 1, |out| {
            transfer.write(out);
            out.extend_from_slice(payload);
        });
    }

    /// The results of all that was sent at the server, which goes on behind faults of sessions and links.
    fn results(&mut self) -> Vec<Result<String, Fault>> {
        let mut results = Vec::new();
        loop {
            match self.server.step(&self.sent) {
                Ok(None) => return results,
                Ok(Some(step)) => {
                    let name = format!("{:?}", step.event);
                    let bytes = step.bytes;
                    results.push(Ok(name.split(['(', ' ']).next().unwrap().to_owned()));
                    self.sent.drain(..bytes);
                }
                Err(fault) => {
                    let ends = fault.scope == Scope::Connection;
                    results.push(Err(fault));
                    if ends {
                        return results;
                    }
                    self.sent.drain(..Connection::frame_bytes(&self.sent));
                }
            }
        }
    }

    fn events(&mut self) -> Vec<String> {
        self.results().into_iter().map(|result| result.unwrap()).collect()
    }

    fn fault(&mut self) -> (Scope, Condition) {
        let fault = self.results().pop().expect("a result").expect_err("a fault");
        (fault.scope, fault.condition)
    }
}

fn put_frame_of(out: &mut Vec<u8>, channel: u16, content: impl FnOnce(&mut Vec<u8>)) {
    crate::frame::put_frame(out, FrameType::Amqp, channel, content);
}

fn transfer(id: u32) -> Transfer<'static> {
    Transfer { handle: 2, delivery_id: Some(id), delivery_tag: Some(b"t"), ..Transfer::default() }
}

const CONNECTION: Scope = Scope::Connection;

#[test]
fn headers_of_other_protocols_are_refused_at_their_first_wrong_byte() {
    // Inputs 1 and 2: 0-9-1, an unknown protocol, a frame.
    for header in [&b"AMQP\x00\x00\x09\x01"[..], b"AMQP\x02", b"GET ", &[0, 0, 0, 8, 2, 0, 0, 0]] {
        let mut peer = Peer::new();
        peer.sent.extend_from_slice(header);
        assert_eq!(peer.fault(), (CONNECTION, Condition::NotImplemented), "{header:?}");
    }
    let mut peer = Peer::new();
    peer.sent.extend_from_slice(b"AMQP\x00\x01");
    assert!(peer.results().is_empty(), "the header is not whole");
}

#[test]
fn a_client_of_an_earlier_version_is_refused_by_the_name_of_that_version() {
    for (header, version) in [
        (&b"AMQP\x00\x00\x09\x01"[..], "AMQP 0-9-1,"),
        (b"AMQP\x00\x00", "AMQP 0-9-1,"),
        (b"AMQP\x01\x01\x00\x0a", "AMQP 0-10,"),
        (b"AMQP\x01\x01\x08\x00", "AMQP 0-8,"),
    ] {
        let refused = Protocol::of(header).unwrap_err();
        assert!(refused.text.contains(version), "{header:?}: {}", refused.text);
    }
    for header in [&b"AMQP\x00\x00\x09\x02"[..], b"AMQP\x00\x02\x00\x00", b"AMQP\x02", b"GET / HT"] {
        let refused = Protocol::of(header).unwrap_err();
        assert!(refused.text.contains("is not one of AMQP 1.0"), "{header:?}: {}", refused.text);
    }
}

#[test]
fn a_login_over_its_bounds_is_refused() {
    // Input 4.
    let step = |out: &mut Vec<u8>| {
        crate::frame::put_frame(out, FrameType::Sasl, 0, |out| {
            let mut fields = Composite::begin(out, sasl::Response::CODE);
            fields.put(|out| crate::types::write::put_binary(out, b"more"));
            fields.end();
        });
    };
    let mut peer = Peer::new();
    peer.sent.extend(Protocol::Sasl.header());
    (0..SASL_FRAMES_MAX).for_each(|_| step(&mut peer.sent));
    assert_eq!(peer.events().len(), 1 + SASL_FRAMES_MAX as usize);
    step(&mut peer.sent);
    assert_eq!(peer.fault(), (CONNECTION, Condition::FramingError));
    let mut peer = Peer::new();
    peer.sent.extend(Protocol::Sasl.header());
    peer.sent.extend([0, 0, 0x28, 0x01, 2, 1, 0, 0]);
    assert_eq!(peer.fault(), (CONNECTION, Condition::FramingError));
    // A frame of AMQP is no step of a login, and one of SASL none of a connection.
    let mut peer = Peer::new();
    peer.sent.extend(Protocol::Sasl.header());
    peer.say(0, Open::default());
    assert_eq!(peer.fault(), (CONNECTION, Condition::IllegalState));
    let mut peer = Peer::open();
    step(&mut peer.sent);
    assert_eq!(peer.fault(), (CONNECTION, Condition::IllegalState));
}

#[test]
fn frames_that_are_none_are_refused_from_their_first_bytes() {
    for (bytes, condition) in [
        // Inputs 7 and 8.
        (&[0, 0, 0, 7, 2, 0, 0, 0][..], Condition::FramingError),
        (&[0, 0, 0, 8, 1, 0, 0, 0], Condition::FramingError),
        (&[0, 0, 0, 8, 3, 0, 0, 0], Condition::FramingError),
        (&[0xFF, 0xFF, 0xFF, 0xFF], Condition::FramingError),
        (&[0, 0, 0, 8, 2, 7, 0, 0], Condition::FramingError),
        // Input 9.
        (&[0, 0, 0, 12, 2, 0, 0, 0, 0x00, 0x53, 0x19, 0x45], Condition::NotImplemented),
        // A performative that is no list, and one with more fields than it has.
        (&[0, 0, 0, 12, 2, 0, 0, 0, 0x00, 0x53, 0x17, 0x41], Condition::DecodeError),
    ] {
        let mut peer = Peer::open();
        peer.sent.extend_from_slice(bytes);
        assert_eq!(peer.fault(), (CONNECTION, condition), "{bytes:02x?}");
    }
    let mut peer = Peer::open();
    put_frame_of(&mut peer.sent, 0, |out| {
        put_descriptor(out, End::CODE);
        put_list(out, 2, |out| out.extend_from_slice(&[0x40, 0x40]));
    });
    assert_eq!(peer.fault(), (CONNECTION, Condition::DecodeError));
}

#[test]
fn an_empty_frame_says_nothing() {
    let mut peer = Peer::open();
    Connection::put_empty(&mut peer.sent);
    assert_eq!(peer.events(), ["Nothing"]);
}

#[test]
fn a_connection_is_opened_once_and_before_everything_else() {
    let mut peer = Peer::open();
    peer.say(0, Open { container_id: "again", ..Open::default() });
    assert_eq!(peer.fault(), (CONNECTION, Condition::IllegalState));
    let mut peer = Peer::new();
    peer.sent.extend(Protocol::Amqp.header());
    peer.say(0, Begin::default());
    assert_eq!(peer.fault(), (CONNECTION, Condition::IllegalState));
    let mut peer = Peer::new();
    peer.sent.extend(Protocol::Amqp.header());
    peer.say(0, Open { container_id: "small", max_frame_size: 511, ..Open::default() });
    assert_eq!(peer.fault(), (CONNECTION, Condition::InvalidField));
}

#[test]
fn channels_in_use_or_beyond_their_bound_are_refused() {
    // Inputs 15 and 16.
    let mut peer = Peer::session();
    peer.say(1, Begin::default());
    assert_eq!(peer.fault(), (CONNECTION, Condition::IllegalState));
    let mut peer = Peer::session();
    peer.say(4, Begin::default());
    assert_eq!(peer.fault(), (CONNECTION, Condition::FramingError));
    let mut peer = Peer::session();
    peer.say(1, Attach { name: "x", handle: 8, is_receiver: true, ..Attach::default() });
    assert_eq!(peer.fault(), (CONNECTION, Condition::FramingError));
    let mut peer = Peer::session();
    peer.say(2, End::default());
    assert_eq!(peer.fault(), (CONNECTION, Condition::IllegalState));
}

#[test]
fn handles_in_use_or_unattached_end_the_session() {
    // Input 17.
    let session = Scope::Session(1);
    let mut peer = Peer::sender(1);
    peer.say(1, Attach { name: "x", handle: 2, is_receiver: true, ..Attach::default() });
    assert_eq!(peer.fault(), (session, Condition::HandleInUse));
    for unattached in [
        Performative::Transfer(Transfer { handle: 5, ..transfer(0) }),
        Performative::Flow(Flow { handle: Some(5), ..Flow::default() }),
        Performative::Detach(Detach { handle: 5, ..Detach::default() }),
    ] {
        let mut peer = Peer::sender(1);
        peer.say(1, unattached);
        assert_eq!(peer.fault(), (session, Condition::UnattachedHandle), "{unattached:?}");
    }
    // By a link that it receives from, a client sends nothing.
    let mut peer = Peer::session();
    peer.say(1, Attach { name: "r", handle: 2, is_receiver: true, ..Attach::default() });
    peer.transfer(transfer(0), b"x");
    assert_eq!(peer.fault(), (session, Condition::IllegalState));
}

#[test]
fn transfers_without_credit_or_beyond_the_window_are_refused() {
    // Input 18.
    let mut peer = Peer::sender(1);
    peer.transfer(transfer(0), b"x");
    peer.transfer(transfer(1), b"x");
    assert_eq!(peer.fault(), (Scope::Link(1, 2), Condition::TransferLimitExceeded));
    // Input 19.
    let mut peer = Peer::sender(u32::MAX / 2);
    for id in 0..INCOMING_WINDOW {
        peer.transfer(transfer(id), b"");
    }
    assert_eq!(peer.events().len(), INCOMING_WINDOW as usize);
    peer.transfer(transfer(INCOMING_WINDOW), b"");
    assert_eq!(peer.fault(), (Scope::Session(1), Condition::WindowViolation));
    // A flow of ours renews it.
    let mut peer = Peer::sender(u32::MAX / 2);
    for id in 0..INCOMING_WINDOW + 1 {
        peer.transfer(transfer(id), b"");
        peer.server.session(1).unwrap().wants_window().then(|| peer.server.put_window(&mut Vec::new(), 1));
        assert_eq!(peer.events(), ["Transfer"]);
    }
}

#[test]
fn deliveries_that_jump_or_change_end_the_session() {
    let invalid = (Scope::Session(1), Condition::InvalidField);
    let more = Transfer { more: true, ..transfer(0) };
    for (first, second) in [
        // Input 20.
        (Some(transfer(0)), transfer(2)),
        (Some(transfer(0)), transfer(0)),
        // Input 21.
        (None, Transfer { delivery_tag: None, ..transfer(0) }),
        (None, Transfer { delivery_tag: Some(&[7; 33]), ..transfer(0) }),
        (None, Transfer { delivery_id: None, ..transfer(0) }),
        // Input 22.
        (Some(more), Transfer { delivery_id: Some(1), delivery_tag: None, ..more }),
        (Some(more), Transfer { delivery_tag: Some(b"u"), ..more }),
    ] {
        let mut peer = Peer::sender(9);
        if let Some(first) = first {
            peer.transfer(first, b"x");
        }
        peer.transfer(second, b"x");
        assert_eq!(peer.fault(), invalid, "{second:?}");
    }
    let mut peer = Peer::sender(9);
    peer.transfer(transfer(u32::MAX), b"x");
    peer.transfer(Transfer { more: true, ..transfer(0) }, b"x");
    peer.transfer(Transfer { delivery_id: None, delivery_tag: None, ..transfer(0) }, b"x");
    peer.transfer(Transfer { delivery_tag: Some(&[7; 32]), ..transfer(1) }, b"x");
    assert_eq!(peer.events(), ["Transfer"; 4], "identifiers wrap, and later transfers need not repeat them");
}

#[test]
fn a_message_that_never_ends_is_refused_at_the_length_that_its_target_takes() {
    // Input 23.
    let mut peer = Peer::sender(2);
    for _ in 0..10 {
        peer.transfer(Transfer { more: true, ..transfer(0) }, &[0; 100]);
    }
    assert_eq!(peer.events(), ["Transfer"; 10]);
    peer.transfer(Transfer { more: true, ..transfer(0) }, &[0; 1]);
    assert_eq!(peer.fault(), (Scope::Link(1, 2), Condition::MessageSizeExceeded));
    // Once it is detached for that, the rest of it says nothing, nor does its detach.
    peer.server.put_detach(&mut Vec::new(), (1, 2), true, None);
    peer.transfer(Transfer { more: true, ..transfer(0) }, &[0; 1]);
    peer.say(1, Detach { handle: 2, closed: true, ..Detach::default() });
    assert_eq!(peer.events(), ["Nothing", "Nothing"]);
}

#[test]
fn a_delivery_that_ends_its_link_counts_for_the_others_of_its_session() {
    // Too large, or without credit; numbers wrap on the way.
    for (credit, bytes, condition) in
        [(1, 1001, Condition::MessageSizeExceeded), (0, 1, Condition::TransferLimitExceeded)]
    {
        let mut peer = Peer::sender(credit);
        peer.attach_sender(3, 9);
        let other = |id| Transfer { handle: 3, ..transfer(id) };
        peer.transfer(other(u32::MAX - 1), b"x");
        peer.transfer(transfer(u32::MAX), &vec![0; bytes]);
        assert_eq!(peer.fault(), (Scope::Link(1, 2), condition));
        peer.server.put_detach(&mut Vec::new(), (1, 2), true, None);
        peer.transfer(other(0), b"x");
        // Late parts of the ended link repeat a number, or leave it out.
        peer.transfer(Transfer { more: true, ..transfer(u32::MAX) }, b"x");
        peer.transfer(Transfer { delivery_id: None, ..transfer(0) }, b"x");
        peer.transfer(other(1), b"x");
        // A delivery that it begins counts.
        peer.transfer(transfer(2), b"x");
        peer.transfer(other(3), b"x");
        let expected = ["Transfer", "Nothing", "Nothing", "Transfer", "Nothing", "Transfer"];
        assert_eq!(peer.events(), expected, "{condition:?}");
    }
}

#[test]
fn the_first_delivery_of_a_session_counts_even_if_it_ends_its_link() {
    let mut peer = Peer::sender(0);
    peer.attach_sender(3, 9);
    peer.transfer(transfer(7), b"x");
    assert_eq!(peer.fault(), (Scope::Link(1, 2), Condition::TransferLimitExceeded));
    peer.transfer(Transfer { handle: 3, ..transfer(9) }, b"x");
    assert_eq!(peer.fault(), (Scope::Session(1), Condition::InvalidField), "8 is missing");
}

#[test]
fn a_delivery_that_begins_aborted_counts() {
    let aborted = |id| Transfer { aborted: true, ..transfer(id) };
    let mut peer = Peer::sender(9);
    peer.transfer(transfer(0), b"x");
    peer.transfer(aborted(1), b"");
    peer.transfer(transfer(2), b"x");
    assert_eq!(peer.events(), ["Transfer"; 3]);
    assert_eq!(peer.server.link_mut(1, 2).unwrap().receiving.delivery_count, 3);
    peer.transfer(aborted(4), b"");
    assert_eq!(peer.fault(), (Scope::Session(1), Condition::InvalidField), "3 is missing");
}

#[test]
fn a_message_that_is_aborted_ends_and_its_delivery_counts() {
    // Input 24.
    let mut peer = Peer::sender(2);
    peer.transfer(Transfer { more: true, ..transfer(0) }, &[0; 900]);
    peer.transfer(Transfer { aborted: true, more: true, ..transfer(0) }, &[0; 900]);
    peer.transfer(transfer(1), b"x");
    assert_eq!(peer.events(), ["Transfer"; 3]);
    let receiving = peer.server.link_mut(1, 2).unwrap().receiving;
    assert_eq!(receiving, Receiving { delivery_count: 2, credit: 0 });
}

#[test]
fn a_disposition_of_a_range_that_is_none_ends_the_session() {
    // Input 25.
    let mut state = Vec::new();
    put_accepted(&mut state);
    for (first, last) in [(5, 4), (0, 1 << 31), (1, 0)] {
        let mut peer = Peer::session();
        peer.say(
            1,
            Disposition {
                is_receiver: true,
                first,
                last: Some(last),
                state: Some(Raw(&state)),
                ..Disposition::default()
            },
        );
        assert_eq!(peer.fault(), (Scope::Session(1), Condition::InvalidField), "{first} to {last}");
    }
    let mut peer = Peer::session();
    peer.say(1, Disposition { first: u32::MAX, last: Some(3), ..Disposition::default() });
    assert_eq!(peer.events(), ["Disposition"], "a range may wrap");
}

#[test]
fn credit_is_capped_and_counted_by_serial_numbers() {
    // Input 29.
    let flow = |count, credit| Flow { delivery_count: count, link_credit: Some(credit), ..Flow::default() };
    for (sent, known, credit, expected) in [
        (0, Some(0), u32::MAX, CREDIT_MAX),
        (10, Some(4), 10, 4),
        (10, Some(4), 3, 0),
        (3, Some(u32::MAX), 10, 6),
        // A count that was never reached is that of now.
        (10, Some(1000), 7, 7),
        // A receiver that has not seen the attach counts from its initial-delivery-count: 10 went, of 7.
        (10, None, 7, 0),
        (3, None, 7, 4),
        (0, None, 7, 7),
    ] {
        let mut sending = Sending { delivery_count: sent, ..Sending::default() };
        sending.hear(&flow(known, credit));
        assert_eq!(sending.credit, expected, "{sent} sent, {known:?} known, credit {credit}");
    }
    let mut sending = Sending { delivery_count: u32::MAX, credit: 3, drain: true };
    assert!(sending.deliver(false));
    sending.use_up();
    assert_eq!(sending, Sending { delivery_count: 2, credit: 0, drain: false });
    assert!(!sending.deliver(false));
    // A message that is off its queue goes all the same.
    assert!(sending.deliver(true));
}

#[test]
fn a_link_counts_from_the_count_that_its_attach_says() {
    let mut peer = Peer::session();
    peer.say(1, Attach { name: "r", handle: 2, is_receiver: true, ..Attach::default() });
    assert_eq!(peer.events(), ["Attach"]);
    let mut answer = Vec::new();
    peer.server.put_attach(&mut answer, 1, Attach { name: "r", handle: 2, ..Attach::default() });
    let frame = Frame::decode(&answer, 512).unwrap().unwrap();
    let (Performative::Attach(attach), _) = Performative::decode(frame.body).unwrap() else {
        panic!("an attach")
    };
    let link = peer.server.link_mut(1, 2).unwrap();
    assert_eq!(attach.initial_delivery_count, Some(link.sending.delivery_count));
    // Of one that receives it is the client that says it.
    let mut answer = Vec::new();
    peer.server.put_attach(&mut answer, 1, Attach { name: "s", is_receiver: true, ..Attach::default() });
    let frame = Frame::decode(&answer, 512).unwrap().unwrap();
    assert!(matches!(
        Performative::decode(frame.body),
        Ok((Performative::Attach(Attach { initial_delivery_count: None, .. }), _))
    ));
}

#[test]
fn a_window_is_counted_from_what_the_client_has_seen() {
    // Input 30.
    let mut peer = Peer::session();
    for _ in 0..10 {
        assert!(peer.server.session_mut(1).unwrap().count_transfer());
    }
    for (next, window, room) in
        [(Some(10), 5, 5), (Some(4), 10, 4), (None, 12, 2), (None, 3, 0), (Some(99), 7, 7)]
    {
        peer.say(1, Flow { next_incoming_id: next, incoming_window: window, ..Flow::default() });
        assert_eq!(peer.events(), ["Flow"]);
        assert_eq!(peer.server.session(1).unwrap().outgoing_room(), room, "next {next:?}, window {window}");
    }
}

#[test]
fn nothing_is_told_of_a_session_that_ended_here_until_its_client_ends_it() {
    let mut peer = Peer::sender(5);
    peer.server.put_end(&mut Vec::new(), 1, None);
    peer.transfer(transfer(0), b"x");
    peer.say(1, End::default());
    assert_eq!(peer.events(), ["Nothing", "Nothing"]);
    peer.say(1, Begin::default());
    assert_eq!(peer.events(), ["Begin"], "the channel is free");
    peer.say(0, Close::default());
    peer.say(1, End::default());
    assert_eq!(peer.events(), ["Close", "Nothing"]);
}

proptest! {
    /// Both ends of a link agree on its credit, whatever is granted, sent and drained, and in whichever order
    /// flows and transfers cross.
    #[test]
    fn both_ends_of_a_link_agree_on_credit(
        steps in proptest::collection::vec((0_u8..4, 0_u32..20), 1..200),
        first in prop_oneof![Just(0_u32), Just(u32::MAX - 5)],
    ) {
        let mut receiver = Receiving { delivery_count: first, credit: 0 };
        let mut sender = Sending { delivery_count: first, ..Sending::default() };
        let (mut flows, mut transfers) = (std::collections::VecDeque::new(), 0_u32);
        for (step, number) in steps {
            match step {
                0 => {
                    receiver.credit = number;
                    flows.push_back((receiver.delivery_count, receiver.credit));
                }
                1 => if let Some((count, credit)) = flows.pop_front() {
                    let flow = Flow { delivery_count: Some(count), link_credit: Some(credit), ..Flow::default() };
                    sender.hear(&flow);
                },
                2 => transfers += u32::from(sender.deliver(false)),
                // A receiver that lowered its credit may see what was on the way.
                _ => if transfers > 0 {
                    transfers -= 1;
                    receiver.credit = receiver.credit.max(1);
                    prop_assert!(receiver.receive());
                },
            }
        }
        for (count, credit) in flows {
            sender.hear(&Flow { delivery_count: Some(count), link_credit: Some(credit), ..Flow::default() });
        }
        while transfers > 0 {
            transfers -= 1;
            receiver.credit = receiver.credit.max(1);
            prop_assert!(receiver.receive());
        }
        prop_assert_eq!(sender.delivery_count, receiver.delivery_count);
        let all = Flow { delivery_count: Some(receiver.delivery_count), link_credit: Some(7), ..Flow::default() };
        sender.hear(&all);
        prop_assert_eq!(sender.credit, 7);
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut peer = Peer::sender(3);
        peer.sent.extend_from_slice(&bytes);
        peer.results();
    }
}

#[test]
fn performatives_read_back_and_leave_out_what_they_do_not_say() {
    let begin = Begin { remote_channel: Some(3), next_outgoing_id: 300, ..Begin::default() };
    let mut bytes = Vec::new();
    Performative::Begin(begin).put(&mut bytes, 9);
    // Windows of zero, and nothing behind them.
    let body = [0x00, 0x53, 0x11, 0xC0, 0x0B, 4, 0x60, 0, 3, 0x70, 0, 0, 1, 0x2C, 0x43, 0x43];
    assert_eq!(bytes[8..], body);
    assert_eq!(bytes[..8], [0, 0, 0, 24, 2, 0, 0, 9]);
    assert_eq!(Performative::decode(&bytes[8..]), Ok((Performative::Begin(begin), &[][..])));
    let attach = Attach { name: "n", handle: 1, is_receiver: true, snd_settle_mode: 1, ..Attach::default() };
    let mut bytes = Vec::new();
    Performative::Attach(attach).put(&mut bytes, 0);
    assert_eq!(Performative::decode(&bytes[8..]), Ok((Performative::Attach(attach), &[][..])));
    let mut head = Vec::new();
    TransferHead { handle: 2, delivery: Some((7, b"tag")), is_settled: false, more: true }
        .put(&mut head, 1, 3);
    head.extend_from_slice(b"abc");
    let frame = Frame::decode(&head, 512).unwrap().unwrap();
    assert_eq!((frame.channel, frame.bytes), (1, head.len()));
    let (Performative::Transfer(transfer), payload) = Performative::decode(frame.body).unwrap() else {
        panic!("a transfer")
    };
    assert_eq!(
        (transfer.delivery_id, transfer.delivery_tag, transfer.more),
        (Some(7), Some(&b"tag"[..]), true)
    );
    assert_eq!(payload, b"abc");
}
