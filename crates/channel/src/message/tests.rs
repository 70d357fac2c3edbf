use std::collections::VecDeque;
use std::num::NonZeroU64;
use std::time::Duration;

use bytes::Bytes;
use mqi::{MessageDescriptor, MessageId, QueueManagerName, Reason};
use proptest::prelude::*;
use wire::Output;

use super::frame::{Destination, FRAME_BYTES_MAX, Message, decode_any, put_plain};
use super::negotiate::{Offer, patience};
use super::*;
use crate::login::{Compression, VERSIONS};
use crate::{Error, Frame, Kind, frame::FRAGMENT_BYTES, frame::LOGIN_FRAME_BYTES_MAX, preamble};

const OFFER: Offer = Offer {
    batch_messages_max: 50,
    batch_kilobytes_max: 5_000,
    message_bytes_max: 4_194_304,
    heartbeat_seconds: 300,
    wrap: 999_999_999,
    in_flight_max: 4,
    is_fast: true,
};

fn terms() -> Terms {
    OFFER.agreed(&OFFER).unwrap()
}

fn introduction() -> Introduction {
    Introduction {
        versions: VERSIONS,
        role: Role::Sender,
        generation: Generation { start: 7, connection: 9 },
        offer: OFFER,
        coded_character_set: 1208,
        encoding: 546,
        channel: "A.TO.B".into(),
        queue_manager: "A".parse().unwrap(),
        identifier: "A_2026-11-26_06.00.00".into(),
        product: "FerryMQ 0.1.0".into(),
        body_compressions: [Compression::Lz4Fast].into_iter().collect(),
        head_compressions: [].into_iter().collect(),
    }
}

fn mark(batch: u64, sequence: u32) -> Mark {
    let chain = Chain::default().with_message(&[1; 24], sequence).with_end(BatchNumber(batch));
    Mark { batch: BatchNumber(batch), sequence: Sequence(sequence), chain }
}

/// The payload of a frame, and the same with a field that a later release appended.
fn payloads(kind: Kind, encode: impl FnOnce(&mut Vec<u8>)) -> [Vec<u8>; 2] {
    let mut bytes = Vec::new();
    encode(&mut bytes);
    let frame = Frame::decode(&bytes, LOGIN_FRAME_BYTES_MAX).unwrap().unwrap();
    assert_eq!((frame.header.kind, frame.bytes()), (kind, bytes.len()));
    let payload = frame.payload.to_vec();
    let later = [&payload[..], b"new"].concat();
    [payload, later]
}

#[test]
fn an_introduction_reads_back_and_so_does_that_of_a_later_release() {
    let mut bytes = Vec::new();
    introduction().encode(Kind::ChannelHello, &mut bytes);
    assert!(bytes.starts_with(&preamble::MAGIC), "the one that calls says the protocol first");
    let hello = Frame::decode(&bytes[preamble::MAGIC.len()..], LOGIN_FRAME_BYTES_MAX).unwrap().unwrap();
    assert_eq!(Introduction::decode(hello.payload), Ok(introduction()));
    for payload in payloads(Kind::ChannelWelcome, |out| introduction().encode(Kind::ChannelWelcome, out)) {
        assert_eq!(Introduction::decode(&payload), Ok(introduction()));
    }
}

#[test]
fn an_introduction_that_cannot_be_is_refused() {
    let [good, _] = payloads(Kind::ChannelWelcome, |out| introduction().encode(Kind::ChannelWelcome, out));
    for end in 0..good.len() {
        assert!(Introduction::decode(&good[..end]).is_err(), "{end} bytes of it");
    }
    for (offer, why) in [
        (Offer { batch_messages_max: 0, ..OFFER }, "no messages"),
        (Offer { batch_messages_max: 10_000, ..OFFER }, "too many messages"),
        (Offer { message_bytes_max: 0, ..OFFER }, "no bytes"),
        (Offer { message_bytes_max: u32::MAX, ..OFFER }, "too many bytes"),
        (Offer { wrap: 99, ..OFFER }, "a wrap that is too low"),
        (Offer { wrap: 1_000_000_000, ..OFFER }, "a wrap that is too high"),
        (Offer { in_flight_max: 0, ..OFFER }, "no batch"),
        (Offer { in_flight_max: 65, ..OFFER }, "too many batches"),
        (Offer { heartbeat_seconds: 1_000_000, ..OFFER }, "a heartbeat that is too long"),
    ] {
        let other = Introduction { offer, ..introduction() };
        let [bytes, _] = payloads(Kind::ChannelWelcome, |out| other.encode(Kind::ChannelWelcome, out));
        assert!(Introduction::decode(&bytes).is_err(), "{why}");
    }
    for (other, why) in [
        (Introduction { channel: "A".repeat(21), ..introduction() }, "the name of the channel"),
        (Introduction { identifier: "A".repeat(49), ..introduction() }, "the identifier"),
        (Introduction { product: "A".repeat(65), ..introduction() }, "the product"),
    ] {
        let [bytes, _] = payloads(Kind::ChannelWelcome, |out| other.encode(Kind::ChannelWelcome, out));
        assert!(matches!(Introduction::decode(&bytes), Err(Error::TooLong { .. })), "{why}");
    }
    for (other, why) in [
        (Introduction { queue_manager: QueueManagerName::BLANK, ..introduction() }, "no queue manager"),
        (Introduction { identifier: String::new(), ..introduction() }, "no identifier"),
        (Introduction { identifier: " ".repeat(48), ..introduction() }, "an identifier of blanks"),
    ] {
        let [bytes, _] = payloads(Kind::ChannelWelcome, |out| other.encode(Kind::ChannelWelcome, out));
        assert!(matches!(Introduction::decode(&bytes), Err(Error::Wire(wire::Error::Field { .. }))), "{why}");
    }
    let versions = crate::Versions { least: 90, most: 91 };
    let [bytes, _] = payloads(Kind::ChannelWelcome, |out| {
        Introduction { versions, ..introduction() }.encode(Kind::ChannelWelcome, out);
    });
    assert!(matches!(Introduction::decode(&bytes), Err(Error::Version { .. })));
}

/// Reads back what was encoded, also with bytes of a later release, and never what is cut.
fn reads_back<T: PartialEq + std::fmt::Debug>(
    value: &T,
    kind: Kind,
    encode: impl FnOnce(&mut Vec<u8>),
    decode: impl Fn(&[u8]) -> Result<T, Error>,
) {
    let [payload, later] = payloads(kind, encode);
    assert_eq!(decode(&payload).as_ref(), Ok(value));
    assert_eq!(decode(&later).as_ref(), Ok(value));
    for end in 0..payload.len() {
        assert!(decode(&payload[..end]).is_err(), "{kind:?} of {end} bytes");
    }
}

proptest! {
    #[test]
    fn every_frame_reads_back(
        line in 1_u64.., batch: u64, sequence: u32, chain: u64, flag: bool, number: u32, text in "[a-z ]{0,40}",
    ) {
        let at = Mark { batch: BatchNumber(batch), sequence: Sequence(sequence), chain: Chain(chain) };
        let position = Position { line: Line(line), last: at, wants_reset: flag };
        reads_back(&position, Kind::Position, |out| position.encode(out), Position::decode);
        let resume = Resume { line: Line(line), is_new: flag, batch: at.batch, sequence: at.sequence };
        reads_back(&resume, Kind::Resume, |out| resume.encode(out), Resume::decode);
        let end = EndOfBatch { mark: at, messages: number };
        reads_back(&end, Kind::EndOfBatch, |out| end.encode(out), EndOfBatch::decode);
        let done = BatchDone { batch: at.batch, microseconds: number };
        reads_back(&done, Kind::BatchDone, |out| done.encode(out), BatchDone::decode);
        let reason = Reason::Q_FULL;
        let refused =
            BatchRefused { batch: at.batch, sequence: at.sequence, reason, text: text.clone() };
        reads_back(&refused, Kind::BatchRefused, |out| refused.encode(out), BatchRefused::decode);
        let waiting = Waiting { sequence: at.sequence, reason, tries_left: number };
        reads_back(&waiting, Kind::Waiting, |out| waiting.encode(out), Waiting::decode);
        let how = if flag { How::Quiesce } else { How::Force };
        let ending = Ending { how, reason, retries: flag, text };
        for kind in [Kind::StopChannel, Kind::EndChannel] {
            reads_back(&ending, kind, |out| ending.encode(kind, out), Ending::decode);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode_any(&bytes);
        let _ = Introduction::decode(&bytes);
        let _ = Position::decode(&bytes);
        let _ = Ending::decode(&bytes);
    }

    #[test]
    fn a_chain_tells_any_two_histories_apart(
        one in prop::collection::vec(0_u8..4, 1..6), other in prop::collection::vec(0_u8..4, 1..6),
    ) {
        // 0 ends a batch, others are messages.
        let fold = |history: &[u8]| {
            let mut batch = BatchNumber(1);
            history.iter().fold(Chain::default(), |chain, step| match step {
                0 => {
                    let ended = chain.with_end(batch);
                    batch = batch.next();
                    ended
                }
                message => chain.with_message(&[*message; 24], 5),
            })
        };
        prop_assert_eq!(fold(&one) == fold(&other), one == other);
    }
}

#[test]
fn a_message_reads_back_whole_and_in_fragments() {
    let descriptor = MessageDescriptor { message_id: MessageId([3; 24]), ..MessageDescriptor::default() };
    let destination = Some(Destination { queue: "Q".parse().unwrap(), queue_manager: "B".parse().unwrap() });
    for (head, length) in [
        (MessageHead { sequence: Sequence(5), destination, hops: 3 }, 10),
        (MessageHead { sequence: Sequence(0), destination: None, hops: 0 }, 0),
        (MessageHead { sequence: Sequence(u32::MAX), destination: None, hops: 1 }, 700_000),
    ] {
        let body = Bytes::from(vec![7; length]);
        let mut output = Output::default();
        let mut rest = head.encode(&descriptor, body.clone(), FRAGMENT_BYTES, &mut output);
        let number = crate::RequestNumber(head.sequence.0);
        while !rest.is_empty() {
            let most = FRAGMENT_BYTES;
            crate::client::fragment(&mut output, crate::Conversation::CONNECTION, number, &mut rest, most);
        }
        let bytes = output.to_vec();
        let first = Frame::decode(&bytes, FRAME_BYTES_MAX).unwrap().unwrap();
        let mut read = MessageDescriptor::default();
        let message = Message::decode(&first, 1 << 20, &mut read).unwrap();
        assert_eq!((message.head, message.length as usize), (head, length));
        assert_eq!(read, descriptor);
        let mut arrived = message.body.to_vec();
        let mut at = first.bytes();
        while let Some(frame) = Frame::decode(&bytes[at..], FRAME_BYTES_MAX).unwrap() {
            assert_eq!((frame.header.kind, frame.header.request), (Kind::Fragment, number));
            arrived.extend_from_slice(frame.payload);
            at += frame.bytes();
        }
        assert_eq!(arrived, body);
        assert_eq!(decode_any(&bytes), Ok(1 + length.saturating_sub(1) / FRAGMENT_BYTES));
        assert!(
            matches!(
                Message::decode(&first, 9, &mut read),
                Err(Error::Wire(wire::Error::MessageLength { .. }))
            ) || length < 10,
            "a body longer than agreed"
        );
    }
}

#[test]
fn a_small_message_costs_its_body_and_less_than_sixty_bytes() {
    let descriptor = MessageDescriptor { message_id: MessageId([3; 24]), ..MessageDescriptor::default() };
    let head = MessageHead { sequence: Sequence(5), destination: None, hops: 0 };
    let mut output = Output::default();
    assert!(head.encode(&descriptor, Bytes::from_static(&[0; 100]), FRAGMENT_BYTES, &mut output).is_empty());
    assert!(output.len() < 160, "{} bytes", output.len());
}

#[test]
fn a_channel_is_told_from_a_client_by_its_first_frame() {
    let mut channel = Vec::new();
    introduction().encode(Kind::ChannelHello, &mut channel);
    let mut client = preamble::MAGIC.to_vec();
    crate::Hello::default().encode(&mut client);
    for (bytes, expected) in
        [(&channel, true), (&client, false), (&b"GET / HTTP/1.1\r\n\r\n".to_vec(), false)]
    {
        for end in 0..=12 {
            assert_eq!(opens_channel(&bytes[..end]), None, "{end} bytes do not tell");
        }
        assert_eq!(opens_channel(bytes), Some(expected));
    }
}

#[test]
fn frames_without_fields_have_their_bytes_alone() {
    let mut bytes = Vec::new();
    put_plain(Kind::Ping, b"data", &mut bytes);
    put_plain(Kind::Ask, b"", &mut bytes);
    let ping = Frame::decode(&bytes, 100).unwrap().unwrap();
    assert_eq!((ping.header.kind, ping.payload), (Kind::Ping, &b"data"[..]));
    assert_eq!(decode_any(&bytes), Ok(2));
}

#[test]
fn both_ends_agree_on_the_tighter_terms() {
    let other = Offer {
        batch_messages_max: 10,
        batch_kilobytes_max: 0,
        message_bytes_max: 1_000,
        heartbeat_seconds: 500,
        wrap: OFFER.wrap,
        in_flight_max: 64,
        is_fast: false,
    };
    let agreed = OFFER.agreed(&other).unwrap();
    assert_eq!(agreed, other.agreed(&OFFER).unwrap());
    assert_eq!(
        agreed,
        Terms {
            batch_messages_max: 10,
            batch_bytes_max: NonZeroU64::new(5_000_000),
            message_bytes_max: 1_000,
            heartbeat_seconds: 500,
            highest: Sequence(999_999_999),
            in_flight_max: 4,
            is_fast: false,
        }
    );
    let without = Offer { heartbeat_seconds: 0, ..OFFER };
    assert_eq!(OFFER.agreed(&without).unwrap().patience(), None);
    let disagreement = OFFER.agreed(&Offer { wrap: 100, ..OFFER }).unwrap_err();
    assert!(disagreement.to_string().contains("SEQWRAP is 999999999 at this end"), "{disagreement}");
    for (heartbeat, expected) in [(5, 10), (59, 118), (60, 120), (300, 360)] {
        assert_eq!(patience(Duration::from_secs(heartbeat)), Duration::from_secs(expected));
    }
}

#[test]
fn sequence_numbers_wrap_to_one() {
    let highest = Sequence(100);
    for (from, to) in [(0, 1), (1, 2), (99, 100), (100, 1), (200, 1)] {
        assert_eq!(Sequence(from).next(highest), Sequence(to));
    }
}

#[test]
fn a_batch_ends_by_its_limits_its_age_or_for_want_of_messages() {
    let terms = Terms { batch_messages_max: 3, batch_bytes_max: NonZeroU64::new(1_000), ..terms() };
    let filled = |messages: u32, bytes: u32| {
        let mut filling = Filling::after(Mark::START);
        for _ in 0..messages {
            let facts = Facts { identifier: &[1; 24], bytes };
            filling.take(facts, terms.highest, Duration::from_secs(100));
        }
        filling
    };
    let ms = Duration::from_millis;
    for (messages, bytes, after, idle, interval, expected) in [
        (0, 0, ms(60_000), true, ms(0), false),
        (1, 10, ms(0), true, ms(0), true),
        (1, 10, ms(0), false, ms(0), false),
        (3, 10, ms(0), false, ms(0), true),
        (1, 1_000, ms(0), false, ms(0), true),
        (2, 499, ms(0), false, ms(0), false),
        (1, 10, ms(49), true, ms(50), false),
        (1, 10, ms(50), true, ms(50), true),
        (1, 10, ms(4_999), false, ms(0), false),
        (1, 10, ms(5_000), false, ms(0), true),
        (1, 10, ms(5_000), false, ms(9_000), false),
    ] {
        let now = Duration::from_secs(100) + after;
        let due = filled(messages, bytes).is_due(&terms, now, idle, interval);
        assert_eq!(
            due, expected,
            "{messages} of {bytes} after {after:?}, idle {idle}, BATCHINT {interval:?}"
        );
    }
}

/// A sender's books: confirmed up to one mark, with others in doubt.
fn books(line: u64, confirmed: Mark, prepared: &[Mark]) -> SenderState {
    SenderState {
        line: Line(line),
        is_used: confirmed != Mark::START || !prepared.is_empty(),
        confirmed,
        prepared: VecDeque::from(prepared.to_vec()),
        ..SenderState::default()
    }
}

#[test]
fn each_case_of_the_table_is_decided() {
    let at = |line: u64, last: Mark| Position { line: Line(line), last, wants_reset: false };
    let (one, two, three) = (mark(1, 10), mark(2, 20), mark(3, 30));
    let other = Mark { chain: Chain(99), ..two };
    let in_doubt = books(7, one, &[two, three]);
    let go_on = |commits, last| Verdict::GoOn { commits, last };
    let stops = |verdict: Verdict, line: u64| match verdict {
        Verdict::Stop(contradiction) => assert_eq!(contradiction.line(), Line(line), "{contradiction}"),
        other => panic!("{other:?}"),
    };
    for (last, expected) in [(one, go_on(0, one)), (two, go_on(1, two)), (three, go_on(2, three))] {
        assert_eq!(in_doubt::judge(&in_doubt, &at(7, last), false), expected);
    }
    for last in [Mark::START, mark(4, 40), other] {
        stops(in_doubt::judge(&in_doubt, &at(7, last), false), 7);
    }
    // A used line is lost, or another is known.
    stops(in_doubt::judge(&in_doubt, &Position::default(), false), 0);
    stops(in_doubt::judge(&in_doubt, &at(8, one), false), 8);
    // Nobody knows a line, or the receiver one that this end never began.
    let fresh = SenderState::default();
    let new_line = |keeps, finding| Verdict::NewLine { commits: 0, keeps, finding };
    let first = in_doubt::judge(&fresh, &Position::default(), false);
    assert_eq!(first, new_line(None, Finding::default()));
    stops(in_doubt::judge(&fresh, &at(8, one), false), 8);
    // A RESET began a line; the receiver is at the one before.
    let reset =
        SenderState { before: Some(LineEnd { line: Line(6), mark: two }), ..books(7, Mark::START, &[]) };
    let to_tell = |doubled, missing| Finding { doubled, missing, is_forgotten: false };
    let range = |first, last| Some((BatchNumber(first), BatchNumber(last)));
    for (last, finding) in [
        (two, Finding::default()),
        (one, to_tell(None, range(2, 2))),
        (three, to_tell(range(3, 3), None)),
        (other, to_tell(range(1, 2), range(1, 2))),
    ] {
        let verdict = in_doubt::judge(&reset, &at(6, last), false);
        assert_eq!(verdict, new_line(Some(Line(7)), finding), "{last:?}");
    }
    let forgotten = Finding { is_forgotten: true, ..Finding::default() };
    let verdict = in_doubt::judge(&reset, &Position::default(), false);
    assert_eq!(verdict, new_line(Some(Line(7)), forgotten));
    stops(in_doubt::judge(&reset, &at(5, one), false), 5);
    let given_up = SenderState { replaces: Line(5), ..reset };
    let verdict = in_doubt::judge(&given_up, &at(5, one), false);
    assert_eq!(verdict, new_line(Some(Line(7)), Finding::default()));
    // The receiver wants a new line: settled by its position, then begun; done once it is answered.
    let wish = Position { wants_reset: true, ..at(7, two) };
    let settled = Verdict::NewLine { commits: 1, keeps: None, finding: Finding::default() };
    assert_eq!(in_doubt::judge(&in_doubt, &wish, false), settled);
    assert_eq!(in_doubt::judge(&in_doubt, &wish, true), go_on(1, two));
    // Another queue manager of the same name.
    let another = SenderState { is_in_doubt_with_another: true, ..SenderState::default() };
    let verdict = in_doubt::judge(&another, &Position::default(), false);
    assert_eq!(verdict, Verdict::Stop(Contradiction::OtherPartner));
}

#[test]
fn a_stop_names_the_commands_that_end_it_in_a_text_that_the_partner_hears_whole() {
    let at = |line: u64, last: Mark| Position { line: Line(line), last, wants_reset: false };
    let [one, two, three] =
        [(100_001, 10), (100_002, 20), (100_003, 30)].map(|(batch, last)| mark(batch, last));
    let settled = books(7, two, &[]);
    let in_doubt = books(7, two, &[three]);
    let other = Mark { chain: Chain(99), ..three };
    for (books, theirs, expected) in [
        (&settled, at(7, one), "compare both ends, then enter RESET CHANNEL"),
        (&in_doubt, at(7, one), "enter RESOLVE CHANNEL ACTION(BACKOUT) and RESET CHANNEL"),
        (&in_doubt, at(7, mark(100_004, 40)), "enter RESOLVE CHANNEL ACTION(COMMIT) and RESET CHANNEL"),
        (&in_doubt, at(7, other), "enter RESOLVE CHANNEL and RESET CHANNEL"),
        (&settled, Position::default(), "compare both ends, then enter RESET CHANNEL"),
        (&in_doubt, Position::default(), "enter RESOLVE CHANNEL and RESET CHANNEL"),
        (&in_doubt, at(8, one), "enter RESOLVE CHANNEL and RESET CHANNEL"),
    ] {
        let Verdict::Stop(contradiction) = in_doubt::judge(books, &theirs, false) else {
            panic!("{theirs:?}")
        };
        let text = contradiction.to_string();
        assert!(text.ends_with(expected) && text.len() <= 255, "{}: {text}", text.len());
    }
}

#[test]
fn a_resolve_that_was_wrong_is_named_by_its_batches() {
    let (one, two, three) = (mark(1, 10), mark(2, 20), mark(3, 30));
    let resolved =
        |is_committed| Some(Resolved { first: BatchNumber(2), last: BatchNumber(3), is_committed });
    for (confirmed, is_committed, last, expected) in [
        (three, true, one, "batches 2 to 3 are missing"),
        (three, true, two, "batches 3 to 3 are missing"),
        (one, false, three, "batches 2 to 3 are doubled"),
        (one, false, two, "batches 2 to 2 are doubled"),
    ] {
        let books = SenderState { resolved: resolved(is_committed), ..books(7, confirmed, &[]) };
        let position = Position { line: Line(7), last, wants_reset: false };
        let Verdict::Stop(contradiction) = in_doubt::judge(&books, &position, false) else {
            panic!("{last:?} agrees")
        };
        assert!(contradiction.to_string().contains(expected), "{contradiction}");
    }
}

/// Both ends at the beginning of a line.
fn bound(terms: Terms) -> (Sending, Receiving) {
    let mut sending = Sending::new(terms, SenderState::default());
    let mut receiving = Receiving::new(terms, ReceiverState::default());
    let verdict = sending.hear_position(&receiving.position()).unwrap();
    assert!(matches!(verdict, Verdict::NewLine { .. }));
    sending.begin_line(Line(3));
    let resumed = receiving.hear_resume(&sending.resume()).unwrap();
    assert_eq!(resumed, Resumed::NewLine { line: Line(3), before: None, begins: Mark::START });
    sending.hear_position(&receiving.position()).unwrap();
    assert_eq!(receiving.hear_resume(&sending.resume()), Ok(Resumed::Running));
    (sending, receiving)
}

#[test]
fn batches_go_over_until_the_window_is_full_and_on_when_they_are_done() {
    let terms = Terms { batch_messages_max: 2, in_flight_max: 2, highest: Sequence(100), ..terms() };
    let (mut sending, mut receiving) = bound(terms);
    let facts = |number: &'static [u8; 24]| Facts { identifier: number, bytes: 4 };
    let mut ends = Vec::new();
    for round in 0..2 {
        for identifier in [&[1; 24], &[2; 24]] {
            assert!(sending.may_take());
            let sequence = sending.take(facts(identifier), Duration::ZERO);
            receiving.hear_message(sequence, facts(identifier)).unwrap();
        }
        assert!(!sending.may_take(), "the batch is full");
        assert!(sending.is_end_due(Duration::ZERO, false, Duration::ZERO));
        let prepare = sending.end_batch();
        assert_eq!((prepare.first, prepare.uses_line), (Sequence(2 * round + 1), round == 0));
        ends.push(receiving.hear_end(&prepare.end).unwrap());
    }
    sending.take(facts(&[1; 24]), Duration::ZERO);
    assert!(!sending.is_end_due(Duration::ZERO, true, Duration::ZERO), "the window is full");
    assert_eq!(sending.hear_done(ends[1].batch), Ok(2), "all up to it");
    assert!(sending.is_end_due(Duration::ZERO, true, Duration::ZERO));
    assert!(sending.hear_done(ends[1].batch).is_err(), "it is in doubt no more");
    sending.stop();
    assert!(!sending.is_over());
    let end = sending.end_batch().end;
    sending.hear_done(end.mark.batch).unwrap();
    assert!(sending.is_over());
}

#[test]
fn a_refused_batch_takes_those_behind_it_along() {
    let terms = Terms { batch_messages_max: 1, in_flight_max: 4, ..terms() };
    for (refused, expected) in [(1, Ok(3)), (2, Ok(2)), (3, Ok(1)), (4, Ok(0))] {
        let (mut sending, _) = bound(terms);
        for _ in 0..3 {
            sending.take(Facts { identifier: &[1; 24], bytes: 4 }, Duration::ZERO);
            sending.end_batch();
        }
        assert_eq!(sending.hear_refused(BatchNumber(refused)), expected);
        assert!(sending.is_over());
    }
    let (mut sending, _) = bound(terms);
    assert!(sending.hear_refused(BatchNumber(7)).is_err());
}

/// A partner that has no batch of the line can say that it has them, or that it refuses them.
#[test]
fn an_answer_before_the_position_settles_nothing() {
    let (one, two, three) = (mark(1, 1), mark(2, 2), mark(3, 3));
    for batch in 1..=4 {
        let in_doubt = books(7, one, &[two, three]);
        let mut sending = Sending::new(terms(), in_doubt.clone());
        assert!(sending.hear_done(BatchNumber(batch)).is_err(), "{batch}");
        assert!(sending.hear_refused(BatchNumber(batch)).is_err(), "{batch}");
        assert_eq!(*sending.books(), in_doubt, "{batch}");
        // The Position is awaited still, and decides.
        let position = Position { line: Line(7), last: two, wants_reset: false };
        assert_eq!(sending.hear_position(&position), Ok(Verdict::GoOn { commits: 1, last: two }));
    }
}

#[test]
fn whatever_is_not_next_ends_the_receiver() {
    let terms = Terms { batch_messages_max: 2, ..terms() };
    let facts = Facts { identifier: &[1; 24], bytes: 4 };
    let next = Mark {
        batch: BatchNumber(1),
        sequence: Sequence(1),
        chain: Chain::default().with_message(&[1; 24], 4).with_end(BatchNumber(1)),
    };
    let good = EndOfBatch { mark: next, messages: 1 };
    for (end, why) in [
        (EndOfBatch { mark: Mark { batch: BatchNumber(2), ..next }, ..good }, "batch 2 was named"),
        (EndOfBatch { mark: Mark { sequence: Sequence(2), ..next }, ..good }, "sequence number 2"),
        (EndOfBatch { mark: Mark { chain: Chain(1), ..next }, ..good }, "chain 0000000000000001"),
        (EndOfBatch { messages: 2, ..good }, "says that it has 2"),
    ] {
        let (_, mut receiving) = bound(terms);
        receiving.hear_message(Sequence(1), facts).unwrap();
        let violation = receiving.hear_end(&end).unwrap_err();
        assert!(violation.to_string().contains(why), "{violation}");
        assert!(receiving.hear_end(&good).is_err(), "nothing is heard behind it");
    }
    let (_, mut receiving) = bound(terms);
    assert!(receiving.hear_message(Sequence(2), facts).is_err(), "a message is missing");
    let (_, mut receiving) = bound(terms);
    receiving.hear_message(Sequence(1), facts).unwrap();
    receiving.hear_message(Sequence(2), facts).unwrap();
    assert_eq!(receiving.hear_message(Sequence(3), facts), Err(Violation::TooMany { most: 2 }));
    let (_, mut receiving) = bound(Terms { is_fast: false, ..terms });
    assert!(receiving.hear_fast().is_err());
    let mut receiving = Receiving::new(terms, ReceiverState::default());
    assert!(receiving.hear_message(Sequence(1), facts).is_err(), "before a Resume");
    for resume in [
        Resume { line: Line(3), is_new: false, batch: BatchNumber(1), sequence: Sequence(1) },
        Resume { line: Line(3), is_new: true, batch: BatchNumber(2), sequence: Sequence(1) },
        Resume { line: Line(3), is_new: true, batch: BatchNumber(1), sequence: Sequence(0) },
        Resume { line: Line::NONE, is_new: true, batch: BatchNumber(1), sequence: Sequence(1) },
    ] {
        let mut receiving = Receiving::new(terms, ReceiverState::default());
        assert!(receiving.hear_resume(&resume).is_err(), "{resume:?}");
    }
}
