//! Nothing leaves before the log is durable to what it depends on, and nobody waits for a neighbour.

use crate::loopback::{Server, What};
use agents::Agent;
use channel::client::Request;
use channel::{Flags, Kind};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Wait};

#[test]
fn the_reply_to_a_persistent_put_waits_for_the_log() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    let put = client.cork_put(handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    client.send();
    assert!(client.released().is_empty());
    let need = client.agent.lowest_need().unwrap();
    assert!(need > server.queue_manager.durable().lsn());
    assert_eq!(client.answer(put).what, What::PutDone);
    assert_eq!(client.agent.lowest_need(), None);
}

#[test]
fn a_conversation_that_needs_nothing_is_not_held_by_its_neighbour() {
    let server = Server::new();
    let mut client = server.client();
    let persistent = client.open("A", OpenOptions::OUTPUT);
    client.begin(2, [0; 16]);
    let other = client.open("B", OpenOptions::OUTPUT);
    client.conversation = channel::Conversation(1);
    let held = client.cork_put(persistent, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    let behind =
        client.cork_put(persistent, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    client.conversation = channel::Conversation(2);
    let free = client.cork_put(other, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    client.send();
    let requests = |frames: Vec<crate::loopback::Seen>| {
        frames.iter().map(|seen| seen.header.request).collect::<Vec<_>>()
    };
    assert_eq!(requests(client.released()), [free]);
    assert_eq!(requests(client.frames()), [held, behind], "in order within the conversation");
}

#[test]
fn what_comes_by_credit_does_not_overtake_what_is_held() {
    let server = Server::new();
    let mut client = server.client();
    let (input, output) =
        (client.open("A", OpenOptions::INPUT_SHARED), client.open("B", OpenOptions::OUTPUT));
    let mut putter = server.client();
    let lying = putter.open("A", OpenOptions::OUTPUT);
    for body in ["1", "2", "3"] {
        putter.put(lying, Persistence::NotPersistent, body);
    }
    let held = client.cork_put(output, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    client.credit(input, 2, Some(GetFlags::NO_SYNCPOINT));
    assert!(client.released().is_empty());
    let kinds: Vec<_> = client.frames().iter().map(|seen| (seen.header.kind, seen.header.request)).collect();
    assert_eq!(kinds[0], (Kind::PutDone, held));
    assert_eq!(kinds[1..].iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [Kind::Delivered; 2]);
}

#[test]
fn a_getter_hears_of_a_persistent_message_when_its_put_is_durable() {
    let server = Server::new();
    let ((mut getter, _, get), (mut putter, output)) = server.waiting_pair();
    // Nobody waits for its answer, so it is logged rather than handed over.
    putter.cork_put(output, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "x", Flags::NO_REPLY);
    putter.send();
    assert!(getter.released().is_empty() && putter.released().is_empty());
    assert_eq!(getter.answer(get).what, What::Got { body: "x".into(), length: 1 });
}

#[test]
fn that_a_commit_was_done_is_told_to_a_returning_client_when_it_is_durable() {
    let server = Server::new();
    let instance = [5; 16];
    let mut first = server.stranger();
    first.log_in();
    first.begin(1, instance);
    let handle = first.open("A", OpenOptions::OUTPUT);
    first.cork_put(handle, Persistence::Persistent, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
    first.cork(&Request::Commit { number: 1 }, Flags::NONE);
    first.send();
    let mut second = server.stranger();
    second.log_in();
    let begin = second.cork(&Request::Begin { instance, generation: 2, options: 0 }, Flags::NONE);
    second.send();
    assert!(second.released().is_empty());
    assert_eq!(second.answer(begin).what, What::Begun(Some(1)));
}

#[test]
fn a_unit_of_work_without_persistent_messages_waits_for_no_log() {
    let server = Server::new();
    let mut client = server.stranger();
    client.log_in();
    client.begin(1, [6; 16]);
    let handle = client.open("A", OpenOptions::OUTPUT);
    client.cork_put(handle, Persistence::NotPersistent, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
    client.cork(&Request::Commit { number: 1 }, Flags::NONE);
    client.send();
    assert_eq!(client.released().len(), 1);
}

#[test]
fn that_a_queue_is_empty_is_an_observation_too() {
    let server = Server::new();
    let (mut first, mut second) = (server.client(), server.client());
    let both = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
    let (one, two) = (first.open("A", both), second.open("A", both));
    first.put(one, Persistence::Persistent, "x");
    first.cork_get(one, GetFlags::NO_SYNCPOINT, Wait::No);
    first.send();
    let get = second.cork_get(two, GetFlags::NO_SYNCPOINT, Wait::No);
    second.send();
    assert!(second.released().is_empty(), "the get that emptied it is not durable");
    assert_eq!(second.answer(get).what, What::Failed(mqi::Reason::NO_MSG_AVAILABLE));
}

#[test]
fn no_more_is_read_while_too_much_waits_to_be_written() {
    let mut server = Server::new();
    server.limits.output_bytes_max = 100_000;
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    for _ in 0..100 {
        let body = vec![7; 10_000];
        client.cork_put(handle, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, body, Flags::NO_REPLY);
    }
    client.send();
    let gets: Vec<_> = (0..100).map(|_| client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::No)).collect();
    client.send();
    let proof = server.queue_manager.durable();
    let must_return = client.agent.release(proof, &mut client.output);
    assert!(must_return && !client.agent.wants_input());
    assert!(client.output.len() < 1_000_000, "{} bytes wait", client.output.len());
    // Once it is written the rest comes, in order.
    let bytes = crate::loopback::drained(&mut client.output);
    let first = channel::Frame::decode(&bytes, 1 << 20).unwrap().unwrap().header.request;
    assert_eq!(first, gets[0]);
    let rest = client.frames();
    assert_eq!(rest.last().unwrap().header.request, gets[99]);
    assert!(client.agent.wants_input());
    assert_eq!(client.ask(&Request::Back).what, What::Done);
}

/// Puts so many messages of so many bytes, which others have in memory as well.
fn fill(server: &Server, messages: usize, bytes: usize) {
    let mut putter = server.client();
    let handle = putter.open("A", OpenOptions::OUTPUT);
    for _ in 0..messages {
        let body = vec![7; bytes];
        putter.cork_put(handle, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, body, Flags::NO_REPLY);
        putter.send();
    }
}

#[test]
fn messages_that_are_asked_for_at_once_leave_their_queue_only_as_they_are_read() {
    let mut server = Server::new();
    server.limits.output_bytes_max = 100_000;
    for flags in [GetFlags::NO_SYNCPOINT, GetFlags::NO_SYNCPOINT | GetFlags::FAIL_IF_QUIESCING] {
        fill(&server, 100, 10_000);
        let mut client = server.client();
        let handle = client.open("A", OpenOptions::INPUT_SHARED);
        let gets: Vec<_> = (0..100).map(|_| client.cork_get(handle, flags, Wait::No)).collect();
        client.send();
        assert!(!client.agent.wants_input(), "{flags:?}");
        let left = server.depth("A");
        assert!((85..100).contains(&left), "{left} messages are left, {flags:?}");
        let come: Vec<_> = client.frames().iter().map(|frame| frame.header.request).collect();
        assert_eq!(come, gets, "{flags:?}");
        assert_eq!(server.depth("A"), 0, "{flags:?}");
    }
}

#[test]
fn messages_that_come_by_credit_leave_their_queue_only_as_they_are_read() {
    const MESSAGES: usize = 400;
    const BYTES: usize = 30_000;
    let server = Server::new();
    for streams in [1, 3] {
        fill(&server, MESSAGES, BYTES);
        let mut client = server.client();
        let handles: Vec<_> = (0..streams).map(|_| client.open("A", OpenOptions::INPUT_SHARED)).collect();
        for handle in handles {
            client.credit(handle, 10_000, Some(GetFlags::NO_SYNCPOINT));
        }
        // Nothing of the output is written.
        for _ in 0..10 {
            client.agent.release(server.queue_manager.durable(), &mut client.output);
            client.agent.go_on();
        }
        let held = MESSAGES - usize::try_from(server.depth("A")).unwrap();
        assert!(held > 0 && held * BYTES <= 10 << 20, "{held} messages of {BYTES} bytes, {streams}");
        let bytes = crate::loopback::drained(&mut client.output);
        let mut come = 0;
        let mut rest = &bytes[..];
        while let Some(frame) = channel::Frame::decode(rest, 1 << 20).unwrap() {
            come += 1;
            rest = &rest[frame.bytes()..];
        }
        come += client.frames().len();
        assert!(come >= MESSAGES, "{come} frames, {streams}");
    }
}
