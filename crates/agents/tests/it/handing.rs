//! A persistent message goes to a waiting getter without the log: its putter is answered when the bytes were
//! written.

use crate::loopback::{Client, Server, What};
use agents::Agent;
use channel::{Flags, RequestNumber};
use mqi::{GetFlags, ObjectHandle, OpenOptions, Persistence, PutFlags, Wait};

/// A getter that waits and a putter, and what was asked.
fn pair(server: &Server) -> (Client, Client, RequestNumber) {
    let (getter, putter, put, _) = pair_with_handle(server);
    (getter, putter, put)
}

/// The same, and the handle of the putter.
fn pair_with_handle(server: &Server) -> (Client, Client, RequestNumber, ObjectHandle) {
    let (mut getter, mut putter) = (server.client(), server.client());
    let input = getter.open("A", OpenOptions::INPUT_SHARED);
    let output = putter.open("A", OpenOptions::OUTPUT);
    getter.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    getter.send();
    assert!(getter.frames().is_empty());
    let flags = PutFlags::NO_SYNCPOINT;
    let put = putter.cork_put(output, Persistence::Persistent, flags, "x", Flags::NONE);
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
    assert!(!server.queue_manager.log_waits());
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
