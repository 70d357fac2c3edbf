//! Frames at the edge of a login: credentials, and frames that are compressed by what it agreed on.

use channel::login::{Compression, Credentials, IDENTIFY_FRAME_BYTES_MAX};
use channel::{Frame, Ways};

/// The payload of an Identify.
pub fn identify(bytes: &[u8]) {
    let Ok(credentials) = Credentials::decode(bytes) else { return };
    let mut frame = Vec::new();
    credentials.encode(&mut frame);
    let again = Frame::decode(&frame, IDENTIFY_FRAME_BYTES_MAX).expect("it is as long as it may be");
    let payload = again.expect("it is whole").payload;
    assert_eq!(Credentials::decode(payload), Ok(credentials), "decoding is the inverse of encoding");
}

/// The longest frame here: a bomb is one that grows beyond it.
const FRAME_BYTES_MAX: u32 = 64 * 1024;

/// The payload of a Compressed behind a byte that says which way was agreed; then the same bytes as a frame
/// that is to be compressed.
pub fn compressed(bytes: &[u8]) {
    let Some((first, payload)) = bytes.split_first() else { return };
    let way = Compression::ALL[usize::from(*first) % Compression::ALL.len()];
    let ways = Ways { bodies: Some(way), heads: Some(way) };
    let mut whole = Vec::new();
    if ways.expand(payload, FRAME_BYTES_MAX, &mut whole).is_ok() {
        let frame = Frame::decode(&whole, FRAME_BYTES_MAX).expect("its length was checked");
        assert_eq!(frame.map(|frame| frame.bytes()), Some(whole.len()), "it is one whole frame");
    }
    assert!(whole.len() <= FRAME_BYTES_MAX as usize + 4, "nothing grows beyond the longest frame");
    let mut sent = Vec::new();
    let measure = ways.compress(payload, &mut sent);
    assert!(sent.len() <= payload.len().max(1), "nothing grows");
    if measure.way.is_some() {
        let outer = Frame::decode(&sent, u32::MAX).expect("it is a frame").expect("it is whole");
        let expanded = ways.expand(outer.payload, u32::MAX, &mut whole);
        // What was no whole frame before it was compressed is none after it.
        assert!(expanded.is_err() || whole == payload, "expanding is the inverse of compressing");
    }
}
