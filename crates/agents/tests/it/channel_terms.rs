//! Attributes of a server connection channel, by their effect on a client that comes by it.

use agents::{Agent, Close};
use channel::{Hello, Welcome};
use mqi::{GetFlags, OpenOptions, PutFlags, Wait};

use crate::loopback::{Client, Server, What, hello};
use crate::patience::at;

/// A client that came over a network by channel `APP`, and the limits that it was let in with.
fn by_channel(server: &Server, attributes: &str, offered: channel::Limits) -> (Client, channel::Limits) {
    let define = format!("DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) REPLACE {attributes}");
    let response = server.client().command(&define);
    assert!(!response.failed, "{}", response.text);
    let mut client = server.stranger_as(None);
    let mut bytes = channel::preamble::MAGIC.to_vec();
    Hello { channel: "APP".into(), limits: offered, ..hello() }.encode(&mut bytes);
    client.receive(&bytes).unwrap();
    let welcome = Welcome::decode(&client.raw_frames()[0].1).unwrap();
    client.begin(1, [0; 16]);
    (client, welcome.limits)
}

#[test]
fn maxmsgl_hbint_and_sharecnv_bound_what_is_agreed_and_the_lower_of_both_counts() {
    let server = Server::new();
    let ours = channel::Limits::default();
    let offered = channel::Limits { message_bytes_max: 3_000, heartbeat_milliseconds: 20_000, ..ours };
    for (attributes, offered, bytes, heartbeat, conversations) in [
        ("MAXMSGL(1000) HBINT(5) SHARECNV(3)", ours, 1_000, 5_000, 3),
        ("MAXMSGL(5000) HBINT(300) SHARECNV(0)", offered, 3_000, 20_000, 1),
        ("MAXMSGL(0) HBINT(0) SHARECNV(1)", offered, 3_000, 0, 1),
        // As the reference says of 0.
        ("MAXMSGL(0) HBINT(0) SHARECNV(1)", ours, 104_857_600, 0, 1),
    ] {
        let (_, agreed) = by_channel(&server, attributes, offered);
        let found = (agreed.message_bytes_max, agreed.heartbeat_milliseconds, agreed.conversations_max);
        assert_eq!(found, (bytes, heartbeat, conversations), "{attributes}");
    }
}

#[test]
fn a_client_of_the_machine_that_names_no_channel_has_the_limits_of_the_queue_manager() {
    let server = Server::new();
    let mut client = server.stranger();
    let mut bytes = channel::preamble::MAGIC.to_vec();
    hello().encode(&mut bytes);
    client.receive(&bytes).unwrap();
    let agreed = Welcome::decode(&client.raw_frames()[0].1).unwrap().limits;
    assert_eq!(agreed.message_bytes_max, channel::Limits::default().message_bytes_max);
}

#[test]
fn a_client_that_waits_is_asked_after_hbint() {
    let server = Server::new();
    for (attributes, first) in [("HBINT(5)", Some(5)), ("HBINT(300)", Some(60)), ("HBINT(0)", None)] {
        let (mut client, _) = by_channel(&server, attributes, channel::Limits::default());
        let handle = client.open("A", OpenOptions::INPUT_SHARED);
        client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        client.send();
        let asked = (0..100).find(|second| {
            client.agent.tick(at(*second)).unwrap();
            client.frames().iter().any(|seen| seen.what == What::Heartbeat)
        });
        assert_eq!(asked, first, "{attributes}");
    }
}

#[test]
fn a_client_that_asks_for_nothing_is_ended_after_discint_and_one_that_waits_is_not() {
    let server = Server::new();
    let default = channel::Limits::default();
    let (mut client, _) = by_channel(&server, "DISCINT(10)", default);
    let handle = client.open("A", OpenOptions::OUTPUT);
    for second in 0..8 {
        client.agent.tick(at(second)).unwrap();
    }
    client.cork_put(
        handle,
        mqi::Persistence::NotPersistent,
        PutFlags::NO_SYNCPOINT,
        "x",
        channel::Flags::NONE,
    );
    client.send();
    client.frames();
    for second in 8..18 {
        client.agent.tick(at(second)).unwrap();
    }
    let close = client.agent.tick(at(18)).unwrap_err();
    assert!(matches!(close, Close::Idle { seconds: 10 }), "{close}");
    // One that waits for a message is in a call.
    let (mut client, _) = by_channel(&server, "DISCINT(10)", default);
    let handle = client.open("B", OpenOptions::INPUT_SHARED);
    client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    client.send();
    for second in 0..50 {
        client.agent.tick(at(second)).unwrap();
    }
    let (mut client, _) = by_channel(&server, "DISCINT(0)", default);
    for second in 0..1_000 {
        client.agent.tick(at(second)).unwrap();
    }
}
