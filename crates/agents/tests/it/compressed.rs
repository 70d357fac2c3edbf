//! Compression of a client's connection, by the work that is done on the thread of the agent.

use std::sync::Arc;

use agents::{Admission, Logins};
use channel::login::Compression;
use channel::{Flags, Hello, Kind};
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
    let mut client = server.stranger_as(None);
    if let Some(desk) = desk {
        client.agent = client.agent.judged_by(Arc::clone(desk) as Arc<dyn Logins>);
    }
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
