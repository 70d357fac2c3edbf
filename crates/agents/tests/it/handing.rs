//! A persistent message goes to a waiting getter without the log: its putter is answered when the bytes were
//! written.

use crate::loopback::{Client, Server, What};
use agents::Agent;
use channel::client::Request;
use channel::{Conversation, Flags, RequestNumber};
use mqi::{GetFlags, ObjectHandle, OpenOptions, Persistence, PutFlags, Wait};
use std::time::Duration;

/// The longest wait of a put for a getter that is about to come.
const EXPECTED_WITHIN: Duration = Duration::from_micros(20);

/// A getter that waits and a putter, and what was asked.
fn pair(server: &Server) -> (Client, Client, RequestNumber) {
    let (getter, putter, put, _) = pair_with_handle(server);
    (getter, putter, put)
}

/// The same, and the handle of the putter.
fn pair_with_handle(server: &Server) -> (Client, Client, RequestNumber, ObjectHandle) {
    let ((getter, ..), (mut putter, output)) = server.waiting_pair();
    let put = cork(&mut putter, output, "x");
    putter.send();
    (getter, putter, put, output)
}

#[test]
fn the_putter_is_answered_when_the_last_byte_was_written_and_nothing_is_logged() {
    let server = Server::new();
    let (mut getter, mut putter, put) = pair(&server);
    assert!(putter.released().is_empty());
    assert_eq!(putter.agent.lowest_need(), None, "no force would open it");
    getter.agent.release(server.queue_manager.durable(), &mut getter.output);
    let bytes = getter.output.len();
    getter.output.advance(bytes - 1);
    assert!(putter.released().is_empty(), "a byte is missing");
    getter.output.advance(1);
    let answers = putter.released();
    assert_eq!((answers.len(), answers[0].header.request), (1, put));
    assert_eq!(answers[0].what, What::PutDone);
    assert!(!server.queue_manager.log().waits());
}

#[test]
fn a_getter_whose_connection_breaks_before_its_bytes_are_written_has_got_nothing() {
    for (written_first, is_released) in [(0, false), (0, true), (1, true)] {
        let server = Server::new();
        let (mut getter, mut putter, put) = pair(&server);
        let mut other = server.client();
        if is_released {
            getter.agent.release(server.queue_manager.durable(), &mut getter.output);
            getter.output.advance(written_first);
        }
        assert!(putter.released().is_empty());
        drop(getter);
        assert!(putter.released().is_empty(), "its answer waits for the record now");
        assert!(putter.agent.lowest_need().is_some());
        assert_eq!(putter.answer(put).what, What::PutDone);
        let input = other.open("A", OpenOptions::INPUT_SHARED);
        let get = other.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::No);
        other.send();
        assert_eq!(other.answer(get).what, What::Got { body: "x".into(), length: 1 });
    }
}

#[test]
fn a_put_that_is_sent_before_the_one_on_its_way_arrived_does_not_overtake_it() {
    for is_delivered in [true, false] {
        let server = Server::new();
        let (mut getter, mut putter, first, output) = pair_with_handle(&server);
        let mut other = server.client();
        let input = other.open("A", OpenOptions::INPUT_SHARED);
        let flags = PutFlags::NO_SYNCPOINT;
        let second = putter.cork_put(output, Persistence::Persistent, flags, "y", Flags::NONE);
        putter.send();
        assert!(putter.agent.is_paced() && putter.agent.holds_back());
        if is_delivered {
            getter.agent.release(server.queue_manager.durable(), &mut getter.output);
            getter.output.advance(getter.output.len());
        } else {
            drop(getter);
        }
        assert!(!putter.agent.is_paced(), "what becomes of the first is known");
        putter.send();
        let answered: Vec<_> =
            putter.frames().into_iter().map(|seen| (seen.header.request, seen.what)).collect();
        assert_eq!(answered, [(first, What::PutDone), (second, What::PutDone)]);
        let expected: &[&str] = if is_delivered { &["y"] } else { &["x", "y"] };
        for body in expected {
            let get = other.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::No);
            other.send();
            let got = What::Got { body: (*body).into(), length: 1 };
            assert_eq!(other.answer(get).what, got);
        }
    }
}

/// A queue manager whose forces are slow, and a getter and a putter by whose last message it is known that
/// both come, with their handles.
fn acquainted() -> (Server, (Client, ObjectHandle), (Client, ObjectHandle)) {
    let server = Server::new();
    let ((mut getter, input, get), (mut putter, output)) = server.waiting_pair();
    let put = cork(&mut putter, output, "first");
    putter.send();
    assert_eq!(getter.answer(get).what, What::Got { body: "first".into(), length: 5 });
    assert_eq!(putter.answer(put).what, What::PutDone);
    server.queue_manager.log().forces_take(Duration::from_millis(1));
    (server, (getter, input), (putter, output))
}

fn cork(putter: &mut Client, output: ObjectHandle, body: &'static str) -> RequestNumber {
    putter.cork_put(output, Persistence::Persistent, PutFlags::NO_SYNCPOINT, body, Flags::NONE)
}

#[test]
fn a_put_waits_a_moment_for_a_getter_that_is_about_to_come() {
    let (server, (mut getter, input), (mut putter, output)) = acquainted();
    let put = cork(&mut putter, output, "x");
    putter.send();
    assert!(putter.agent.expects_getter() && putter.agent.is_paced() && putter.agent.holds_back());
    assert_eq!(server.depth("A"), 0, "nothing of it has happened");
    let get = getter.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    getter.send();
    assert!(!putter.agent.is_paced(), "its getter is there");
    putter.send();
    assert!(!putter.agent.expects_getter() && putter.frames().is_empty());
    assert_eq!(getter.answer(get).what, What::Got { body: "x".into(), length: 1 });
    assert_eq!(putter.answer(put).what, What::PutDone);
    assert!(!server.queue_manager.log().waits());
}

#[test]
fn a_put_whose_getter_does_not_come_is_made_when_the_moment_is_over_and_soon_waits_no_more() {
    let (server, (mut getter, input), (mut putter, output)) = acquainted();
    for is_expected in [true, true, true, true, false] {
        let put = cork(&mut putter, output, "x");
        putter.send();
        assert_eq!(putter.agent.expects_getter(), is_expected);
        if is_expected {
            server.machine.clock.advance(EXPECTED_WITHIN - Duration::from_nanos(1));
            assert!(putter.agent.is_paced());
            server.machine.clock.advance(Duration::from_nanos(1));
            assert!(!putter.agent.is_paced());
            putter.send();
        }
        assert!(server.queue_manager.log().waits());
        assert_eq!(putter.answer(put).what, What::PutDone);
        // One that takes what is there says nothing of the next.
        assert_eq!(getter.get(input, GetFlags::NO_SYNCPOINT), Ok("x".to_owned()));
    }
}

#[test]
fn a_put_does_not_wait_beside_others_that_are_forced() {
    let (server, _, (mut putter, output)) = acquainted();
    let mut other = server.client();
    let elsewhere = other.open("B", OpenOptions::OUTPUT);
    let put = cork(&mut putter, output, "x");
    putter.send();
    assert!(putter.agent.is_paced());
    other.cork_put(elsewhere, Persistence::Persistent, PutFlags::SYNCPOINT, "y", Flags::NONE);
    other.send();
    assert!(!putter.agent.is_paced());
    putter.send();
    assert_eq!(putter.answer(put).what, What::PutDone);
}

#[test]
fn only_a_put_that_would_be_forced_for_itself_waits_for_a_getter() {
    let (persistent, outside) = (Persistence::Persistent, PutFlags::NO_SYNCPOINT);
    for (persistence, options, flags, is_held) in [
        (persistent, outside, Flags::NONE, true),
        (Persistence::NotPersistent, outside, Flags::NONE, false),
        (persistent, PutFlags::SYNCPOINT, Flags::NONE, false),
        (persistent, outside, Flags::NO_REPLY, false),
    ] {
        let (_server, _getter, (mut putter, output)) = acquainted();
        putter.cork_put(output, persistence, options, "x", flags);
        putter.send();
        assert_eq!(putter.agent.expects_getter(), is_held, "{persistence:?} {options:?} {flags:?}");
    }
    // Where forces are quick, and behind another message.
    let (server, _getter, (mut putter, output)) = acquainted();
    server.queue_manager.log().forces_take(Duration::from_micros(30));
    putter.put(output, persistent, "x");
    server.queue_manager.log().forces_take(Duration::from_millis(1));
    putter.put(output, persistent, "y");
    assert_eq!(server.depth("A"), 2);
}

#[test]
fn a_program_that_takes_over_a_conversation_is_not_known_by_the_puts_before_it() {
    let (_server, _getter, (mut putter, _)) = acquainted();
    assert_eq!(putter.ask(&Request::End).what, What::Done);
    putter.begin(1, [0; 16]);
    let output = putter.open("A", OpenOptions::OUTPUT);
    cork(&mut putter, output, "x");
    putter.send();
    assert!(!putter.agent.expects_getter());
}

#[test]
fn a_connection_that_ends_while_its_put_waits_has_put_nothing() {
    let (server, (mut getter, input), (mut putter, output)) = acquainted();
    cork(&mut putter, output, "x");
    putter.send();
    assert!(putter.agent.expects_getter());
    drop(putter);
    assert!(!server.queue_manager.log().waits());
    assert!(getter.get(input, GetFlags::NO_SYNCPOINT).is_err());
}

#[test]
fn a_getter_of_the_same_connection_comes_past_the_put_that_waits_for_it() {
    let (server, _getter, (mut one, output)) = acquainted();
    one.begin(2, [0; 16]);
    let input = one.open("A", OpenOptions::INPUT_SHARED);
    one.conversation = Conversation(1);
    let put = cork(&mut one, output, "x");
    one.send();
    assert!(one.agent.expects_getter() && one.agent.has_put_aside() && one.agent.wants_input());
    one.conversation = Conversation(2);
    let get = one.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    one.send();
    assert_eq!(one.answer(get).what, What::Got { body: "x".into(), length: 1 });
    assert_eq!(one.answer(put).what, What::PutDone);
    assert!(!one.agent.expects_getter() && !server.queue_manager.log().waits());
}
