use super::{FRAME_BYTES_MIN, HEAD_BYTES, Offer, Ways, codec};
use crate::frame::{self, HEADER_BYTES, Header};
use crate::login::{Compression, Compressions};
use crate::{Conversation, Error, Frame, Kind, Output, RequestNumber};
use bytes::Bytes;
use mqi::constants::{
    MQCOMPRESS_ANY, MQCOMPRESS_LZ4FAST, MQCOMPRESS_NONE, MQCOMPRESS_RLE, MQCOMPRESS_ZLIBFAST,
    MQCOMPRESS_ZLIBHIGH,
};
use proptest::prelude::*;

const FRAME_BYTES: u32 = 100_000;

fn by(way: Compression) -> Ways {
    Ways { bodies: Some(way), heads: None }
}

fn whole(kind: Kind, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let start = frame::begin(&mut out, Header::new(kind, Conversation(3), RequestNumber(7)));
    out.extend_from_slice(payload);
    frame::finish(&mut out, start, 0);
    out
}

/// A compressed frame with this content, as a peer could make it.
fn payload(way: u8, length: u32, content: &[u8]) -> Vec<u8> {
    let mut payload = vec![way];
    payload.extend_from_slice(&length.to_le_bytes());
    payload.extend_from_slice(content);
    payload
}

fn expand(ways: Ways, bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut expanded = Vec::new();
    ways.expand(bytes, FRAME_BYTES, &mut expanded).map(|_| expanded)
}

#[test]
fn every_way_takes_a_frame_there_and_back_and_makes_text_smaller() {
    let text = "{\"article\":\"hinge-77\",\"quantity\":12}".repeat(100);
    let runs = [vec![0; 300], b"abcdef".to_vec(), vec![7; 500]].concat();
    for way in Compression::ALL {
        let content = if way == Compression::Rle { &runs[..] } else { text.as_bytes() };
        let frame = whole(Kind::Put, content);
        let mut sent = Vec::new();
        let measure = by(way).compress(&frame, &mut sent);
        assert_eq!((measure.way, measure.carries_message), (Some(way), true));
        assert_eq!((measure.plain_bytes, measure.sent_bytes), (frame.len(), sent.len()));
        assert!(sent.len() < frame.len() / 3, "{way:?}: {} of {}", sent.len(), frame.len());
        let outer = Frame::decode(&sent, FRAME_BYTES).unwrap().unwrap();
        assert_eq!((outer.header.kind, outer.bytes()), (Kind::Compressed, sent.len()));
        assert_eq!(expand(by(way), outer.payload).unwrap(), frame, "{way:?}");
    }
}

#[test]
fn a_frame_that_is_not_made_smaller_leaves_nothing_behind_for_the_next_of_the_thread() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    for way in Compression::ALL {
        for bytes in [1_000, 65_536] {
            let noise = whole(Kind::Put, &(0..bytes).map(|_| random()).collect::<Vec<_>>());
            let letters = whole(Kind::Put, &(0..bytes).map(|_| b'a' + random() % 2).collect::<Vec<_>>());
            for frame in [&noise, &letters, &noise, &letters] {
                let mut sent = Vec::new();
                let measure = by(way).compress(frame, &mut sent);
                let outer = Frame::decode(&sent, FRAME_BYTES).unwrap().unwrap();
                // Bytes of a partner that are none come between.
                let cut = outer.payload.len() / 2;
                assert!(expand(by(way), &outer.payload[..cut]).is_err());
                if measure.way.is_some() {
                    assert!(
                        expand(by(way), outer.payload).is_ok_and(|back| back == *frame),
                        "{way:?} {bytes}"
                    );
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_come_back_as_they_went(
        bytes in prop::collection::vec(prop_oneof![Just(0_u8), Just(1), any::<u8>()], 0..3_000),
        way in prop::sample::select(Compression::ALL.to_vec()),
        is_message in any::<bool>(),
    ) {
        let frame = whole(if is_message { Kind::Got } else { Kind::Opened }, &bytes);
        let ways = Ways { bodies: Some(way), heads: Some(way) };
        let mut sent = b"before".to_vec();
        let measure = ways.compress(&frame, &mut sent);
        let outer = Frame::decode(&sent[6..], FRAME_BYTES).unwrap().unwrap();
        prop_assert_eq!(outer.bytes(), measure.sent_bytes);
        match measure.way {
            None => prop_assert_eq!(&sent[6..], &frame[..]),
            Some(_) => {
                prop_assert!(sent.len() - 6 < frame.len());
                prop_assert_eq!(expand(ways, outer.payload).unwrap(), frame);
            }
        }
    }

    #[test]
    fn any_bytes_expand_to_a_frame_of_the_length_they_claim_or_to_an_error(
        content in prop::collection::vec(any::<u8>(), 0..400),
        length in 0_u32..2_000,
        way in prop::sample::select(Compression::ALL.to_vec()),
    ) {
        if let Ok(expanded) = expand(by(way), &payload(way.number(), length, &content)) {
            prop_assert_eq!(expanded.len(), length as usize);
            prop_assert!(Frame::decode(&expanded, FRAME_BYTES).unwrap().is_some());
        }
    }
}

#[test]
fn a_frame_that_would_not_be_smaller_goes_as_it_is() {
    let mut seed = 1_u64;
    let noise: Vec<u8> = (0..2_000)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 56) as u8
        })
        .collect();
    let short = [0; FRAME_BYTES_MIN - HEADER_BYTES - 1];
    for way in Compression::ALL {
        for content in [&noise[..], &short[..]] {
            let frame = whole(Kind::Put, content);
            let mut sent = Vec::new();
            assert_eq!(by(way).compress(&frame, &mut sent).way, None, "{way:?}");
            assert_eq!(sent, frame, "{way:?}");
        }
    }
}

#[test]
fn each_list_is_for_its_own_frames() {
    let content = vec![0; 1_000];
    let bodies = by(Compression::ZlibFast);
    let heads = Ways { bodies: None, heads: Some(Compression::System) };
    for (ways, kind, is_compressed) in [
        (bodies, Kind::Put, true),
        (bodies, Kind::Put1, true),
        (bodies, Kind::Got, true),
        (bodies, Kind::Delivered, true),
        (bodies, Kind::Message, true),
        (bodies, Kind::Fragment, true),
        (bodies, Kind::Opened, false),
        (heads, Kind::Put, false),
        (heads, Kind::Message, false),
        (heads, Kind::Subscribe, true),
        (heads, Kind::CommandDone, true),
        (heads, Kind::Welcome, false),
        (heads, Kind::ChannelWelcome, false),
        (heads, Kind::Refused, false),
        (Ways::default(), Kind::Put, false),
    ] {
        let measure = ways.compress(&whole(kind, &content), &mut Vec::new());
        assert_eq!(measure.way.is_some(), is_compressed, "{ways:?} {kind:?}");
    }
}

#[test]
fn a_compressed_frame_that_is_none_is_refused() {
    let way = Compression::ZlibFast;
    let frame = whole(Kind::Put, &[0; 1_000]);
    let mut sent = Vec::new();
    by(way).compress(&frame, &mut sent);
    let content = sent[HEAD_BYTES..].to_vec();
    let length = frame.len() as u32;
    assert_eq!(expand(by(way), &payload(4, length, &content)).map(|_| ()), refused_way());
    assert_eq!(expand(Ways::default(), &payload(way.number(), length, &content)).map(|_| ()), refused_way());
    for wrong in [length - 1, length + 1, 12, FRAME_BYTES + 4] {
        let outcome = expand(by(way), &payload(way.number(), wrong, &content));
        assert!(matches!(outcome, Err(Error::Compressed(_))), "{wrong}: {outcome:?}");
    }
    for wrong in [0, 11, FRAME_BYTES + 5, u32::MAX] {
        let outcome = expand(by(way), &payload(way.number(), wrong, &content));
        assert!(matches!(outcome, Err(Error::Length { .. })), "{wrong}: {outcome:?}");
    }
    for cut in [&content[..content.len() - 1], &content[..3], &[], &[&content[..], &[0]].concat()[..]] {
        let outcome = expand(by(way), &payload(way.number(), length, cut));
        assert!(matches!(outcome, Err(Error::Compressed(_))), "{outcome:?}");
    }
    for short in [&[][..], &[2], &[2, 0, 0]] {
        assert!(expand(by(way), short).is_err());
    }
}

fn refused_way() -> Result<(), Error> {
    Err(Error::Compressed("is compressed by a way that was not agreed"))
}

/// Expands a frame around another compressed one, and returns the result.
fn expand_of(way: Compression, inner: &[u8]) -> Result<Vec<u8>, Error> {
    let mut content = Vec::new();
    assert!(codec::compress(way, inner, &mut content, inner.len() + 1_000));
    expand(by(way), &payload(way.number(), inner.len() as u32, &content))
}

#[test]
fn a_frame_within_a_compressed_one_is_one_that_may_be_there() {
    for way in Compression::ALL {
        let nested = whole(Kind::Compressed, &[0; 200]);
        let hello = whole(Kind::Hello, &[0; 200]);
        for inner in [nested, hello] {
            let outcome = expand_of(way, &inner);
            assert_eq!(outcome, Err(Error::Compressed("has a frame in it that is never compressed")));
        }
        let mut longer = whole(Kind::Put, &[0; 200]);
        longer.push(0);
        let outcome = expand_of(way, &longer);
        assert_eq!(outcome, Err(Error::Compressed("has another length than the frame in it")));
        let mut unknown = whole(Kind::Put, &[0; 200]);
        unknown[4] = 0x7F;
        assert_eq!(expand_of(way, &unknown), Err(Error::Kind(0x7F)));
    }
}

#[test]
fn a_bomb_ends_at_the_longest_frame() {
    let zeros = vec![0; 3 << 20];
    for way in Compression::ALL {
        let mut content = Vec::new();
        assert!(codec::compress(way, &zeros, &mut content, zeros.len()), "{way:?}");
        let claimed = payload(way.number(), zeros.len() as u32, &content);
        assert!(matches!(expand(by(way), &claimed), Err(Error::Length { .. })), "{way:?}");
        let mut expanded = Vec::new();
        let hidden = payload(way.number(), FRAME_BYTES, &content);
        assert!(by(way).expand(&hidden, FRAME_BYTES, &mut expanded).is_err(), "{way:?}");
        assert!(expanded.capacity() <= 2 * FRAME_BYTES as usize, "{way:?}: {}", expanded.capacity());
    }
}

#[test]
fn the_list_of_the_end_that_calls_counts() {
    let (none, rle, fast, high) = (MQCOMPRESS_NONE, MQCOMPRESS_RLE, MQCOMPRESS_ZLIBFAST, MQCOMPRESS_ZLIBHIGH);
    let (lz4, any) = (MQCOMPRESS_LZ4FAST, MQCOMPRESS_ANY);
    for (caller, called, expected) in [
        (vec![rle, fast], vec![fast, rle], Some(Compression::Rle)),
        (vec![rle, fast], vec![high, fast], Some(Compression::ZlibFast)),
        (vec![rle], vec![fast], None),
        (vec![none], vec![fast], None),
        (vec![none, rle], vec![rle], None),
        (vec![rle, none, fast], vec![fast], None),
        (vec![lz4], vec![none, lz4], Some(Compression::Lz4Fast)),
        (vec![lz4, rle], vec![any], Some(Compression::Lz4Fast)),
        (vec![any], vec![high], Some(Compression::ZlibHigh)),
        (vec![], vec![any], None),
    ] {
        let offer = |values: &[i32], calls| Offer::of_attributes(values, &[none], calls);
        let ways = Ways::agreed(&offer(&caller, true), &offer(&called, false));
        assert_eq!(ways, Ways { bodies: expected, heads: None }, "{caller:?} at {called:?}");
    }
    assert_eq!(Compressions::of_values(&[any; 16], true), Compressions::of_values(&[any], true));
}

#[test]
fn frames_pass_from_one_output_to_another_in_order() {
    let (mut plain, mut out) = (Output::default(), Output::default());
    let body = Bytes::from(vec![5; 20_000]);
    let start = frame::begin(plain.cork(), Header::new(Kind::Delivered, Conversation(1), RequestNumber(2)));
    plain.cork().extend_from_slice(b"head");
    frame::finish(plain.cork(), start, body.len());
    plain.body(body);
    plain.cork().extend_from_slice(&whole(Kind::Committed, b""));
    let expected = plain.to_vec();
    let ways = by(Compression::Lz4Fast);
    let mut sent = 0;
    while let Some(measure) = ways.pass(&mut plain, &mut out) {
        sent += measure.sent_bytes;
    }
    assert!(plain.is_empty() && out.len() == sent);
    let (bytes, mut received, mut at) = (out.to_vec(), Vec::new(), 0);
    while let Some(frame) = Frame::decode(&bytes[at..], FRAME_BYTES).unwrap() {
        match frame.header.kind {
            Kind::Compressed => received.extend(expand(ways, frame.payload).unwrap()),
            _ => received.extend_from_slice(&bytes[at..at + frame.bytes()]),
        }
        at += frame.bytes();
    }
    assert_eq!((received, at), (expected, bytes.len()));
}
