//! The effects of time.

use crate::loopback::{Server, What, drained};
use crate::pacing::run_short;
use agents::{Agent, Close};
use channel::client::{self, Get, Request};
use channel::{Flags, Header, Kind};
use mqi::{GetFlags, GetOptions, MessageDescriptor, OpenOptions, Persistence, PutFlags, Wait};
use platform::Monotonic;
use std::time::Duration;

pub(crate) fn at(seconds: u64) -> Monotonic {
    Monotonic(0).after(Duration::from_secs(seconds + 1))
}

#[test]
fn a_login_that_is_not_finished_in_time_ends() {
    let server = Server::new();
    let mut client = server.stranger();
    client.receive(&channel::preamble::MAGIC[..5]).unwrap();
    for seconds in 0..10 {
        client.agent.tick(at(seconds)).unwrap();
    }
    let close = client.agent.tick(at(10)).unwrap_err();
    assert!(matches!(close, Close::Unfinished { seconds: 10, .. }), "{close}");
}

#[test]
fn a_frame_that_is_not_finished_in_time_ends_its_connection() {
    let server = Server::new();
    let mut client = server.client();
    client.receive(&[100, 0, 0, 0, 0x14]).unwrap();
    client.agent.tick(at(0)).unwrap();
    client.agent.tick(at(9)).unwrap();
    let close = client.agent.tick(at(10)).unwrap_err();
    assert!(close.to_string().contains("a frame"), "{close}");
}

#[test]
fn an_idle_client_is_left_alone() {
    let server = Server::new();
    let mut client = server.client();
    for seconds in 0..1000 {
        client.agent.tick(at(seconds)).unwrap();
    }
    assert!(client.frames().is_empty());
}

#[test]
fn a_client_that_waits_for_the_log_is_told_that_the_server_is_there_and_need_not_answer() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    client.agent.tick(at(0)).unwrap();
    client.cork_put(handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    client.send();
    let mut asked = 0;
    for seconds in 1..1000 {
        client.agent.tick(at(seconds)).unwrap();
        asked += client.released().len();
    }
    assert!((10..20).contains(&asked), "{asked} heartbeats in a thousand seconds");
}

#[test]
fn a_client_that_waits_is_asked_and_must_answer() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    client.send();
    for round in 0..5_u64 {
        let mut asked = 0;
        for second in 0..61 {
            client.agent.tick(at(round * 61 + second)).unwrap();
            asked += client.frames().iter().filter(|seen| seen.what == What::Heartbeat).count();
        }
        assert_eq!(asked, 1, "in round {round}");
        client.cork(&Request::Heartbeat, Flags::NO_REPLY);
        client.conversation = channel::Conversation(1);
        client.send();
    }
    let mut second = 5 * 61;
    let close = loop {
        match client.agent.tick(at(second)) {
            Ok(()) => second += 1,
            Err(close) => break close,
        }
        client.frames();
        assert!(second < 5 * 61 + 200);
    };
    assert!(matches!(close, Close::Silent { .. }), "{close}");
}

#[test]
fn a_client_whose_answer_lies_behind_a_put_that_waits_for_room_is_not_taken_to_be_silent() {
    let server = Server::new();
    let mut client = server.client();
    let output = client.open("A", OpenOptions::OUTPUT);
    client.begin(2, [0; 16]);
    let input = client.open("A", OpenOptions::INPUT_SHARED);
    client.cork_get(input, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    client.send();
    run_short(&server);
    client.conversation = channel::Conversation(1);
    // More than is put aside, so that no more is read.
    for _ in 0..30 {
        let body = vec![b'x'; 60 << 10];
        client.cork_put(output, Persistence::Persistent, PutFlags::NO_SYNCPOINT, body, Flags::NO_REPLY);
    }
    client.send();
    assert!(client.agent.holds_back());
    for second in 0..1000 {
        client.agent.tick(at(second)).unwrap_or_else(|close| panic!("after {second} seconds: {close}"));
        if client.frames().iter().any(|seen| seen.what == What::Heartbeat) {
            client.conversation = channel::Conversation(0);
            client.cork(&Request::Heartbeat, Flags::NO_REPLY);
            client.send();
        }
    }
}

#[test]
fn a_client_that_listens_is_told_that_the_server_is_there_and_may_compute() {
    let server = Server::new();
    for (flags, options) in [(Flags::LOOK, GetFlags::NO_SYNCPOINT), (Flags::LISTENS, GetFlags::BROWSE_NEXT)] {
        let mut client = server.client();
        let handle = client.open("A", OpenOptions::INPUT_SHARED | OpenOptions::BROWSE);
        let get = client.next_request();
        let header = Header::new(Kind::Get, client.conversation, get).with(flags);
        let wanted = Get { handle, options: GetOptions::with(options, Wait::Unlimited), bytes_max: 100 };
        let mut output = channel::Output::default();
        client::get_with(output.cork(), header, &wanted, &MessageDescriptor::default());
        client.receive(&drained(&mut output)).unwrap();
        let mut told = 0;
        for seconds in 0..1000 {
            client.agent.tick(at(seconds)).unwrap();
            told += client.frames().iter().filter(|seen| seen.what == What::Heartbeat).count();
        }
        assert!((10..20).contains(&told), "{told} heartbeats in a thousand seconds");
        // Beside it a call that waits is asked as ever.
        client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        client.send();
        assert!((1000..1300).any(|seconds| client.agent.tick(at(seconds)).is_err()));
    }
}
