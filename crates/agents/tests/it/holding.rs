//! Puts that find no room on a queue with FULLACT(HOLD) wait for it, and what is behind them.

use crate::loopback::{Client, Server, What};
use agents::Agent;
use channel::client::Request;
use channel::{Conversation, Flags, RequestNumber};
use mqi::{GetFlags, ObjectHandle, OpenOptions, Persistence, PutFlags, Reason};
use std::time::Duration;

/// A server whose queue A takes one message, and its getter.
fn full(attributes: &str) -> (Server, Client, ObjectHandle) {
    let server = Server::new();
    let mut getter = server.client();
    let altered = getter.command(&format!("ALTER QLOCAL(A) {attributes}"));
    assert!(!altered.failed, "{}", altered.text);
    let handle = getter.open("A", OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    getter.put(handle, Persistence::NotPersistent, "first");
    (server, getter, handle)
}

fn put(client: &mut Client, handle: ObjectHandle, body: &'static str) -> RequestNumber {
    client.cork_put(handle, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, body, Flags::NONE)
}

fn told(client: &mut Client) -> Vec<(RequestNumber, What)> {
    client.frames().into_iter().map(|seen| (seen.header.request, seen.what)).collect()
}

#[test]
fn a_put_waits_until_a_message_is_got_and_all_of_its_conversation_behind_it() {
    for attributes in ["MAXDEPTH(1) FULLACT(HOLD)", "QUOTA(1) FULLACT(HOLD)"] {
        let (server, mut getter, handle) = full(attributes);
        // Of two messages of such a length one has room.
        let long: &'static str = "x".repeat(500).leak();
        let mut putter = server.client();
        let output = putter.open("A", OpenOptions::OUTPUT);
        let held = put(&mut putter, output, long);
        let commit = putter.cork(&Request::Commit { number: 0 }, Flags::NONE);
        putter.send();
        assert!(putter.agent.has_put_aside() && putter.agent.holds_back() && putter.frames().is_empty());
        assert_eq!(server.depth("A"), 1, "nothing of it has happened");
        assert_eq!(getter.get(handle, GetFlags::NO_SYNCPOINT).unwrap(), "first");
        putter.send();
        assert_eq!(told(&mut putter), [(held, What::PutDone), (commit, What::Done)]);
        assert!(!putter.agent.has_put_aside() && putter.agent.wants_input());
        assert_eq!(getter.get(handle, GetFlags::NO_SYNCPOINT).unwrap(), long);
    }
}

#[test]
fn a_put_is_refused_when_its_time_is_over() {
    for (attributes, reason) in [
        ("MAXDEPTH(1) FULLACT(HOLD)", Reason::Q_FULL),
        ("QUOTA(1) CUSTOM('FULLACT(HOLD)')", Reason::Q_SPACE_NOT_AVAILABLE),
    ] {
        let (server, ..) = full(attributes);
        let mut putter = server.client();
        let output = putter.open("A", OpenOptions::OUTPUT);
        let held = put(&mut putter, output, "x".repeat(512).leak());
        putter.send();
        server.machine.clock.advance(Duration::from_secs(29));
        assert!(putter.frames().is_empty());
        server.machine.clock.advance(Duration::from_secs(1));
        assert_eq!(told(&mut putter), [(held, What::Failed(reason))]);
        // The next has as long again.
        let held = put(&mut putter, output, "x".repeat(512).leak());
        putter.send();
        assert!(putter.frames().is_empty());
        server.machine.clock.advance(Duration::from_secs(30));
        assert_eq!(told(&mut putter), [(held, What::Failed(reason))]);
    }
}

#[test]
fn a_wait_ends_with_the_attribute_the_queue_manager_or_the_bound() {
    for (command, expected) in [
        ("ALTER QLOCAL(A) FULLACT(REASON)", What::Failed(Reason::Q_FULL)),
        ("ALTER QLOCAL(A) PUT(DISABLED)", What::Failed(Reason::PUT_INHIBITED)),
        ("ALTER QLOCAL(A) MAXDEPTH(2)", What::PutDone),
    ] {
        let (server, mut getter, _) = full("MAXDEPTH(1) FULLACT(HOLD)");
        let mut putter = server.client();
        let output = putter.open("A", OpenOptions::OUTPUT);
        let held = put(&mut putter, output, "second");
        putter.send();
        assert!(putter.frames().is_empty());
        assert!(!getter.command(command).failed);
        assert_eq!(told(&mut putter), [(held, expected)], "{command}");
    }
}

#[test]
fn a_put_that_only_its_own_conversation_can_make_room_for_is_refused_at_once() {
    let (server, mut getter, handle) = full("MAXDEPTH(1) FULLACT(HOLD)");
    // It has got the message in its unit, whose commit would come behind the put. MAXDEPTH does not count
    // that message, so the queue is filled once more.
    assert_eq!(getter.get(handle, GetFlags::SYNCPOINT).unwrap(), "first");
    let mut other = server.client();
    let output = other.open("A", OpenOptions::OUTPUT);
    other.put(output, Persistence::NotPersistent, "second");
    let refused = put(&mut getter, handle, "third");
    getter.send();
    assert_eq!(told(&mut getter), [(refused, What::Failed(Reason::Q_FULL))]);

    // A unit that has filled the queue by itself, and messages that no quota holds.
    let (server, _, _) = full("QUOTA(2) FULLACT(HOLD)");
    let mut putter = server.client();
    let output = putter.open("A", OpenOptions::OUTPUT);
    let refused = put(&mut putter, output, "x".repeat(1537).leak());
    putter.send();
    assert_eq!(told(&mut putter), [(refused, What::Failed(Reason::Q_SPACE_NOT_AVAILABLE))]);
    let within = |putter: &mut Client, bytes: usize| {
        let body = "x".repeat(bytes);
        let number = putter.cork_put(output, Persistence::Persistent, PutFlags::SYNCPOINT, body, Flags::NONE);
        putter.send();
        number
    };
    let first = within(&mut putter, 500);
    assert_eq!(told(&mut putter), [(first, What::PutDone)]);
    let hopeless = within(&mut putter, 525);
    assert_eq!(told(&mut putter), [(hopeless, What::Failed(Reason::Q_SPACE_NOT_AVAILABLE))]);
    // Beside the message of another it waits.
    let held = within(&mut putter, 524);
    assert!(putter.frames().is_empty());
    let mut getter = server.client();
    let input = getter.open("A", OpenOptions::INPUT_SHARED);
    assert_eq!(getter.get(input, GetFlags::NO_SYNCPOINT).unwrap(), "first");
    assert_eq!(told(&mut putter), [(held, What::PutDone)]);
}

#[test]
fn messages_that_came_ahead_hold_the_queue_of_their_conversation() {
    let (_server, mut getter, handle) = full("QUOTA(1) FULLACT(HOLD)");
    getter.credit_to_be_called(handle);
    assert_eq!(getter.frames().len(), 1);
    let refused = put(&mut getter, handle, "x".repeat(512).leak());
    getter.send();
    assert_eq!(told(&mut getter), [(refused, What::Failed(Reason::Q_SPACE_NOT_AVAILABLE))]);
}

#[test]
fn a_large_put_waits_whole_and_other_conversations_go_on() {
    let (server, mut getter, handle) = full("QUOTA(400) FULLACT(HOLD)");
    let mut putter = server.client();
    let output = putter.open("A", OpenOptions::OUTPUT);
    putter.begin(2, [0; 16]);
    let elsewhere = putter.open("B", OpenOptions::OUTPUT);
    putter.conversation = Conversation(1);
    let body = vec![b'x'; 400 * 1024 - 512];
    let held = putter.cork_put(output, Persistence::Persistent, PutFlags::NO_SYNCPOINT, body, Flags::NONE);
    let behind = put(&mut putter, output, "behind");
    putter.conversation = Conversation(2);
    let beside = put(&mut putter, elsewhere, "beside");
    putter.send();
    assert_eq!(told(&mut putter), [(beside, What::PutDone)]);
    assert_eq!(getter.get(handle, GetFlags::NO_SYNCPOINT).unwrap(), "first");
    assert_eq!(told(&mut putter), [(held, What::PutDone)]);
    assert!(putter.agent.has_put_aside(), "the one behind it waits now");
    assert!(getter.get(handle, GetFlags::NO_SYNCPOINT).is_ok());
    assert_eq!(told(&mut putter), [(behind, What::PutDone)]);
}

#[test]
fn a_client_that_says_it_ends_is_heard_behind_its_put() {
    let (server, mut getter, handle) = full("MAXDEPTH(1) FULLACT(HOLD)");
    let mut putter = server.client();
    let output = putter.open("A", OpenOptions::OUTPUT);
    let flags = PutFlags::NO_SYNCPOINT;
    putter.cork_put(output, Persistence::NotPersistent, flags, "second", Flags::NO_REPLY);
    putter.conversation = Conversation(0);
    putter.cork(&Request::Disconnect, Flags::NO_REPLY);
    putter.send();
    assert!(putter.agent.is_paced() && putter.frames().is_empty());
    assert_eq!(getter.get(handle, GetFlags::NO_SYNCPOINT).unwrap(), "first");
    putter.released();
    assert!(!putter.agent.is_paced());
    assert!(matches!(putter.receive(&[]), Err(agents::Close::Disconnected)));
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn puts_that_wait_have_their_turns_in_the_order_of_their_looks() {
    let (server, mut getter, handle) = full("MAXDEPTH(1) FULLACT(HOLD)");
    let (mut one, mut two) = (server.client(), server.client());
    let outputs = (one.open("A", OpenOptions::OUTPUT), two.open("A", OpenOptions::OUTPUT));
    let (first, second) = (put(&mut one, outputs.0, "one"), put(&mut two, outputs.1, "two"));
    one.send();
    two.send();
    assert_eq!(getter.get(handle, GetFlags::NO_SYNCPOINT).unwrap(), "first");
    assert_eq!(told(&mut one), [(first, What::PutDone)]);
    assert!(two.frames().is_empty(), "its room was taken");
    assert_eq!(getter.get(handle, GetFlags::NO_SYNCPOINT).unwrap(), "one");
    assert_eq!(told(&mut two), [(second, What::PutDone)]);
}
