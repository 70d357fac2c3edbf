//! Connections that an administrator ends, and the lines they came by.

use crate::loopback::{Client, Server, What, hello};
use agents::{Agent, Answer, Close, Control};
use channel::client::Request;
use channel::{Flags, StopMode};
use mqi::{GetFlags, OpenOptions, Reason, Wait};
use queue_manager::Quiesce;

/// The identifiers of the connections there are.
pub(crate) fn connections(administrator: &mut Client) -> Vec<String> {
    let shown = administrator.command("DISPLAY CONN(*) CONN");
    let identifier = |row: &Vec<(String, String)>| {
        row.iter().find(|(name, _)| name == "CONN").expect("an identifier").1.clone()
    };
    shown.rows.iter().map(identifier).collect()
}

pub(crate) fn stop(administrator: &mut Client, identifier: &str) {
    let stopped = administrator.command(&format!("STOP CONN({identifier})"));
    assert!(!stopped.failed, "{}", stopped.text);
}

#[test]
fn a_line_ends_with_the_last_connection_on_it_that_is_stopped() {
    let server = Server::new();
    let mut administrator = server.client();
    let before = connections(&mut administrator);
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    let first = connections(&mut administrator).into_iter().find(|one| !before.contains(one)).unwrap();
    client.begin(2, [0; 16]);
    let mut known = before.clone();
    known.push(first.clone());
    let second = connections(&mut administrator).into_iter().find(|one| !known.contains(one)).unwrap();

    client.conversation = channel::Conversation(1);
    let waits = client.cork_get(handle, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    client.send();
    assert!(client.frames().is_empty());
    let wakes = client.wakes();
    stop(&mut administrator, &first);
    assert!(client.wakes() > wakes, "the thread that writes to the socket is told");
    assert_eq!(client.answer(waits).what, What::Failed(Reason::CONNECTION_BROKEN));
    assert!(client.agent.stopped().is_none(), "another connection goes on");
    client.conversation = channel::Conversation(2);
    client.open("B", OpenOptions::OUTPUT);

    stop(&mut administrator, &second);
    assert!(matches!(client.agent.stopped(), Some(Close::Stopped)));
    assert_eq!(connections(&mut administrator), before);
}

#[test]
fn a_connection_that_ends_by_itself_does_not_take_its_line_along() {
    let server = Server::new();
    let mut client = server.client();
    client.ask(&Request::End);
    assert!(client.agent.stopped().is_none());
}

#[test]
fn the_wish_to_end_is_heard_from_who_is_let_in_for_nothing_else_because_the_queue_manager_quiesces() {
    let server = Server::new();
    server.queue_manager.quiesce(Quiesce::Controlled);
    let mut client = server.stranger();
    client.log_in();
    let wish = client.cork(&Request::Stop { mode: StopMode::Immediate }, Flags::NONE);
    client.send();
    let control = client.agent.take_control().expect("the host is asked");
    assert!(matches!(control, Control::Stop(StopMode::Immediate, _)));
    client.agent.answer(&control, &Answer::Stopping);
    assert_eq!(client.answer(wish).what, What::Done);
    let counters = client.cork(&Request::Statistics, Flags::NONE);
    client.send();
    assert!(client.agent.take_control().is_none());
    assert_eq!(client.answer(counters).what, What::Failed(Reason::HCONN_ERROR));
}

#[test]
fn the_rules_keep_a_client_from_the_end_of_the_queue_manager_without_a_conversation_too() {
    let server = Server::new();
    let mut client = server.stranger();
    client.log_in();
    server.rules.refuse();
    let refused = client.ask(&Request::Stop { mode: StopMode::Preemptive });
    assert_eq!(refused.what, What::Failed(Reason::NOT_AUTHORIZED));
    assert!(client.agent.take_control().is_none());
}

#[test]
fn the_rules_keep_a_client_from_a_conversation_from_commands_and_from_what_only_the_host_can_do() {
    let server = Server::new();
    let mut client = server.client();
    let mut stranger = server.stranger();
    stranger.log_in();
    server.rules.refuse();
    let refused = stranger.ask(&Request::Begin { instance: [0; 16], generation: 0, options: 0 });
    assert_eq!(refused.what, What::Failed(Reason::NOT_AUTHORIZED));
    for request in [Request::Stop { mode: StopMode::Preemptive }, Request::Statistics] {
        let refused = client.ask(&request);
        assert_eq!(refused.what, What::Failed(Reason::NOT_AUTHORIZED), "{request:?}");
    }
    assert!(client.agent.take_control().is_none());
    let response = client.command("DELETE QLOCAL(A)\nDISPLAY QMGR");
    assert!(response.failed && response.rows.is_empty());
    assert_eq!(response.text.matches("FRY8135E").count(), 2, "{}", response.text);
}

#[test]
fn a_user_whose_name_has_more_than_sixty_four_bytes_is_not_let_in() {
    let server = Server::new();
    for (length, is_let_in) in [(64, true), (65, false)] {
        let mut client = server.stranger_as(None);
        let mut bytes = channel::preamble::MAGIC.to_vec();
        channel::Hello { user: "u".repeat(length), ..hello() }.encode(&mut bytes);
        match client.receive(&bytes) {
            Ok(()) => assert!(is_let_in, "{length}"),
            Err(Close::Refused { reason, text }) => {
                assert!(!is_let_in && text.contains("65 bytes"), "{text}");
                assert_eq!(reason, Reason::NOT_AUTHORIZED);
            }
            Err(other) => panic!("{other}"),
        }
    }
}
