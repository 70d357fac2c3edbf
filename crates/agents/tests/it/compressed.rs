//! Compression of a client's connection, by the work that is done on the thread of the agent.

use std::sync::Arc;

use agents::{Admission, Close};
use channel::frame::{HEADER_BYTES, Header};
use channel::login::Compression;
use channel::{Conversation, Error, Flags, Hello, Kind, RequestNumber, Ways};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Wait};
use security::{Identity, Principal};

use crate::desk::Desk;
use crate::loopback::{Client, Server, hello};

/// A client by a channel that compresses messages in one way; with a host whose threads have no place, or
/// that has none.
fn client(server: &Server, way: Compression, desk: Option<&Arc<Desk>>) -> Client {
    let response = server
        .client()
        .command(&format!("DEFINE CHANNEL(C) CHLTYPE(SVRCONN) REPLACE COMPMSG({})", way.word()));
    assert!(!response.failed, "{}", response.text);
    let mut client = desk.map_or_else(|| server.stranger_as(None), |desk| server.stranger_at(desk));
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { channel: "C".into(), body_compressions: [way].into_iter().collect(), ..hello() }
        .encode(&mut bytes);
    client.receive(&bytes).unwrap();
    if let Some(desk) = desk {
        let principal = Principal::new("ada", Identity::Proved).unwrap();
        desk.say(Ok(Admission { principal, standing: None }));
    }
    assert_eq!(client.raw_frames()[0].0.kind, Kind::Welcome);
    client.receive(&[]).unwrap();
    client.begin(1, [0; 16]);
    client
}

#[test]
fn a_slow_way_is_left_to_the_threads_of_the_host_and_a_frame_that_finds_no_place_there_goes_as_it_is() {
    let server = Server::new();
    let desk = Arc::<Desk>::default();
    let (few, many) = (1_000, 60_000);
    for (way, desk, bytes, expected) in [
        (Compression::ZlibHigh, Some(&desk), many, Kind::Got),
        (Compression::ZlibHigh, Some(&desk), few, Kind::Compressed),
        (Compression::ZlibHigh, None, many, Kind::Compressed),
        (Compression::Lz4High, Some(&desk), many, Kind::Got),
        (Compression::ZlibFast, Some(&desk), many, Kind::Compressed),
        (Compression::Lz4Fast, Some(&desk), many, Kind::Compressed),
    ] {
        let mut client = client(&server, way, desk);
        let queue = client.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        let body: Vec<u8> = (0..bytes).map(|place: u32| b'a' + (place.count_ones() % 2) as u8).collect();
        client.cork_put(queue, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, body, Flags::NO_REPLY);
        client.cork_get(queue, GetFlags::NO_SYNCPOINT, Wait::No);
        client.send();
        let kinds: Vec<Kind> = client.raw_frames().iter().map(|(header, _)| header.kind).collect();
        assert_eq!(kinds, [expected], "{way:?}, threads: {}, {bytes} bytes", desk.is_some());
    }
}

fn frame(kind: Kind, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    let begun = channel::frame::begin(&mut frame, Header::new(kind, Conversation(1), RequestNumber(1)));
    frame.extend_from_slice(payload);
    channel::frame::finish(&mut frame, begun, 0);
    frame
}

fn compressed(way: Compression, frame: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let ways = Ways { bodies: Some(way), heads: None };
    assert_eq!(ways.compress(frame, &mut out).way, Some(way));
    out
}

/// A frame in one that is as long, as no program of ours makes it: zlib that stores its bytes as they are.
fn wrapped(inner: &[u8]) -> Vec<u8> {
    let length = u16::try_from(inner.len()).unwrap();
    let (low, high) = inner.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    let mut payload = vec![Compression::ZlibFast.number()];
    payload.extend(u32::from(length).to_le_bytes());
    payload.extend([0x78, 0x01, 0x01]);
    payload.extend(length.to_le_bytes());
    payload.extend((!length).to_le_bytes());
    payload.extend_from_slice(inner);
    payload.extend((high << 16 | low).to_be_bytes());
    frame(Kind::Compressed, &payload)
}

#[test]
fn a_compressed_frame_that_is_none_ends_its_connection_and_does_nothing_else() {
    let server = Server::new();
    let way = Compression::ZlibFast;
    let put = frame(Kind::Put, &[0; 40_000]);
    // The length behind the algorithm, as another program might say it.
    let claiming = |length: u32| {
        let mut bytes = compressed(way, &put);
        bytes[HEADER_BYTES + 1..HEADER_BYTES + 5].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    let length = u32::try_from(put.len()).unwrap();
    for (name, bytes) in [
        ("a compressed frame in it", wrapped(&compressed(way, &put))),
        ("a login in it", wrapped(&frame(Kind::Hello, &[0; 1_000]))),
        ("by a method that was not agreed", compressed(Compression::Lz4Fast, &put)),
        ("shorter than it is", claiming(length - 1)),
        ("longer than it is", claiming(length + 1)),
        ("a bomb that claims little", claiming(100)),
        ("a bomb that claims all there is", claiming(u32::MAX)),
    ] {
        let mut client = client(&server, way, None);
        let close = client.receive(&bytes).expect_err(name);
        let is_named = matches!(close, Close::Protocol(Error::Compressed(_) | Error::Length { .. }));
        assert!(is_named, "{name}: {close}");
        let expected = if name.ends_with("in it") { "a frame in it that is never compressed" } else { "" };
        assert!(close.to_string().contains(expected), "{name}: {close}");
        let mut neighbour = server.client();
        let queue = neighbour.open("A", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        neighbour.put(queue, Persistence::Persistent, "still here");
        assert_eq!(neighbour.get(queue, GetFlags::NO_SYNCPOINT).as_deref(), Ok("still here"), "{name}");
    }
}
