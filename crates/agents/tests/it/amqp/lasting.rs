//! The life of subscriptions of topics: each ends as its client was told, and not before.

use ::amqp::performative::{Attach, Close, Detach, End, Performative};
use ::amqp::terminus::Source;
use ::amqp::types::{Raw, Symbol, Symbols};
use std::time::Duration;

use super::Peer;
use crate::loopback::Server;

/// Durability, expiry policy and timeout of a source.
type Life = (u32, &'static str, u32);

fn attach(peer: &mut Peer, handle: u32, (durable, policy, timeout): Life) -> Result<Life, String> {
    let mut bytes = Vec::new();
    let address = Some("topic://t");
    Source { address, durable, expiry_policy: Symbol(policy), timeout, ..Source::default() }
        .write(&mut bytes);
    attach_by(peer, handle, Some(Raw(&bytes)))
}

/// Attaches the link `sub`; the life that its source is told to have.
fn attach_by(peer: &mut Peer, handle: u32, source: Option<Raw<'_>>) -> Result<Life, String> {
    peer.say(Attach { name: "sub", handle, is_receiver: true, source, ..Attach::default() });
    let frames = peer.frames();
    let Performative::Attach(attach) = frames[0].performative().0 else { panic!("{frames:?}") };
    let Some(source) = attach.source else { return Err(frames[1].condition()) };
    let source = Source::decode(source.0).unwrap();
    let policy = ["link-detach", "session-end", "connection-close", "never"];
    let policy = policy.into_iter().find(|policy| *policy == source.expiry_policy.0).unwrap();
    Ok((source.durable, policy, source.timeout))
}

fn detach(peer: &mut Peer, handle: u32) {
    peer.say(Detach { handle, closed: false, error: None });
    assert_eq!(peer.names(), ["Detach"]);
}

/// Lets a time go by, as the host of a queue manager sees it.
fn pass(server: &Server, seconds: u64) {
    for _ in 0..seconds {
        server.machine.clock.advance(Duration::from_secs(1));
        server.queue_manager.tick();
        while server.queue_manager.log().waits() {
            server.queue_manager.drive();
        }
        server.run_jobs();
    }
}

fn is_there(server: &Server) -> bool {
    let shown = server.client().command("DISPLAY SUB(*) WHERE(SUBTYPE EQ API) EXPIRY");
    shown.rows.iter().any(|row| row.iter().any(|(_, value)| value.ends_with(":peer:sub")))
}

/// The time for which a subscription must stand, and the time after which it must be gone.
fn ends(server: &Server, timeout: u32) {
    if timeout > 0 {
        pass(server, u64::from(timeout) - 1);
        assert!(is_there(server), "before its time");
    }
    pass(server, 3);
    assert!(!is_there(server), "after its time");
}

#[test]
fn a_subscription_ends_as_its_client_was_told() {
    let policies = ["link-detach", "session-end", "connection-close", "never"];
    let lives = policies.iter().flat_map(|policy| (0..3).map(move |durable| (durable, *policy)));
    for (durable, policy) in lives {
        for timeout in [0, 2, 60] {
            let server = Server::new();
            let mut peer = Peer::open(&server);
            let asked = (durable, policy, timeout);
            let (told, policy, timeout) = attach(&mut peer, 2, asked).unwrap();
            pass(&server, 100);
            assert_eq!(is_there(&server), told > 0, "in use: {asked:?}");
            detach(&mut peer, 2);
            if told == 0 {
                assert_eq!((policy, timeout), ("link-detach", 0));
                continue;
            }
            match policy {
                "link-detach" => ends(&server, timeout),
                "session-end" => {
                    pass(&server, 100);
                    assert!(is_there(&server), "its session goes on: {asked:?}");
                    peer.say(End::default());
                    peer.frames();
                    ends(&server, timeout);
                }
                "connection-close" => {
                    peer.say(End::default());
                    peer.frames();
                    pass(&server, 100);
                    assert!(is_there(&server), "its connection goes on: {asked:?}");
                    drop(peer);
                    ends(&server, timeout);
                }
                _ => {
                    assert_eq!(timeout, 0);
                    drop(peer);
                    pass(&server, 1_000);
                    let server = server.restarted();
                    pass(&server, 100);
                    assert!(is_there(&server), "it never ends: {asked:?}");
                }
            }
        }
    }
}

#[test]
fn the_end_of_a_subscription_comes_over_a_restart() {
    for policy in ["link-detach", "session-end", "connection-close"] {
        for timeout in [2, 60] {
            // In use at the loss of power, detached before it, and with its connection closed before it.
            for ended in 0..3 {
                let server = Server::new();
                let mut peer = Peer::open(&server);
                assert_eq!(attach(&mut peer, 2, (1, policy, timeout)), Ok((1, policy, timeout)));
                if ended > 0 {
                    detach(&mut peer, 2);
                }
                if ended > 1 {
                    let _ = peer.receive(&close());
                }
                drop(peer);
                while server.queue_manager.log().waits() {
                    server.queue_manager.drive();
                }
                let server = server.restarted();
                pass(&server, 1);
                assert!(is_there(&server), "{policy} {timeout} {ended}");
                pass(&server, u64::from(timeout) + 3);
                assert!(!is_there(&server), "{policy} {timeout} {ended}");
            }
        }
    }
}

fn close() -> Vec<u8> {
    let mut bytes = Vec::new();
    Performative::from(Close::default()).put(&mut bytes, 0);
    bytes
}

#[test]
fn a_subscription_that_is_used_again_in_time_goes_on() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    let life = (2, "link-detach", 10);
    for _ in 0..5 {
        assert_eq!(attach(&mut peer, 2, life), Ok(life));
        pass(&server, 30);
        detach(&mut peer, 2);
        pass(&server, 8);
        assert!(is_there(&server));
    }
    // Found by its name it tells how long it lasts; another life takes the place of that.
    assert_eq!(attach_by(&mut peer, 2, None), Ok(life));
    detach(&mut peer, 2);
    assert_eq!(attach(&mut peer, 2, (1, "never", 7)), Ok((1, "never", 0)));
    detach(&mut peer, 2);
    pass(&server, 1_000);
    assert!(is_there(&server));
    assert_eq!(attach(&mut peer, 2, (1, "link-detach", 0)), Ok((1, "link-detach", 0)));
    detach(&mut peer, 2);
    assert!(!is_there(&server), "it ends at once");
}

#[test]
fn a_shared_subscription_ends_after_its_last_link() {
    let server = Server::new();
    let shared = Some(Symbols::Ours(&["topic", "shared"]));
    let mut bytes = Vec::new();
    let expiry_policy = Symbol("link-detach");
    let source = Source { address: Some("t"), durable: 1, expiry_policy, timeout: 5, ..Source::default() };
    Source { capabilities: shared, ..source }.write(&mut bytes);
    let (mut one, mut other) = (Peer::open(&server), Peer::open(&server));
    for peer in [&mut one, &mut other] {
        assert_eq!(attach_by(peer, 2, Some(Raw(&bytes))), Ok((1, "link-detach", 5)));
    }
    detach(&mut one, 2);
    pass(&server, 100);
    assert!(is_there(&server), "the other has it");
    drop(other);
    ends(&server, 5);
}

#[test]
fn a_life_that_there_is_not_is_refused() {
    let server = Server::new();
    let mut peer = Peer::open(&server);
    for (handle, life) in [(2, (3, "never", 0)), (3, (1, "sometime", 2)), (4, (u32::MAX, "link-detach", 0))] {
        assert_eq!(attach(&mut peer, handle, life), Err("amqp:invalid-field".to_owned()), "{life:?}");
        assert!(!is_there(&server));
    }
}
