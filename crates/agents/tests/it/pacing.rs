//! While the log runs short of room, puts that must be logged wait, and nothing else does.

use crate::loopback::{Client, Server, What};
use agents::Agent;
use channel::{Conversation, Flags, RequestNumber};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};

/// Fills the log until it runs short. Nobody runs the jobs that make room.
pub(crate) fn run_short(server: &Server) {
    let mut filler = server.client();
    let handle = filler.open("B", OpenOptions::OUTPUT);
    while !server.queue_manager.log().paces() {
        let body = vec![b'x'; 60 << 10];
        let put = filler.cork_put(handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, body, Flags::NONE);
        filler.send();
        assert_eq!(filler.answer(put).what, What::PutDone);
    }
}

fn make_room(server: &Server) {
    server.queue_manager.tick();
    while let Some(job) = server.queue_manager.take_job() {
        job.run();
    }
    assert!(!server.queue_manager.log().paces());
}

fn told(client: &mut Client) -> Vec<(RequestNumber, What)> {
    client.frames().into_iter().map(|seen| (seen.header.request, seen.what)).collect()
}

#[test]
fn puts_that_need_no_log_go_on_and_none_overtakes_another_of_its_connection() {
    let server = Server::new();
    let (mut one, mut two) = (server.client(), server.client());
    let handles = (one.open("A", OpenOptions::OUTPUT), two.open("A", OpenOptions::OUTPUT));
    run_short(&server);
    // Non-persistent, said so or by the queue's default, in a unit of work or outside.
    one.put(handles.0, Persistence::NotPersistent, "0");
    one.put(handles.0, Persistence::AsQueueDefault, "1");
    let within = one.cork_put(handles.0, Persistence::NotPersistent, PutFlags::SYNCPOINT, "2", Flags::NONE);
    let commit = one.cork(&channel::client::Request::Commit { number: 0 }, Flags::NONE);
    one.send();
    assert_eq!(told(&mut one), [(within, What::PutDone), (commit, What::Done)]);
    assert!(!one.agent.holds_back());
    // A persistent one waits, and what is behind it.
    let held = one.cork_put(handles.0, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "3", Flags::NONE);
    let behind =
        one.cork_put(handles.0, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, "4", Flags::NONE);
    one.send();
    assert!(one.agent.is_paced() && one.frames().is_empty());
    // Another connection goes on.
    two.put(handles.1, Persistence::NotPersistent, "other");
    make_room(&server);
    one.send();
    assert_eq!(told(&mut one), [(held, What::PutDone), (behind, What::PutDone)]);
    let input = one.open("A", OpenOptions::INPUT_SHARED);
    let got: Vec<_> = std::iter::from_fn(|| one.get(input, GetFlags::NO_SYNCPOINT).ok()).collect();
    assert_eq!(got, ["0", "1", "2", "other", "3", "4"]);
}

#[test]
fn a_queue_whose_default_is_persistent_holds_back_puts_that_say_nothing() {
    let server = Server::new();
    let mut one = server.client();
    assert!(!one.command("ALTER QLOCAL(A) DEFPSIST(YES)").failed);
    let handle = one.open("A", OpenOptions::OUTPUT);
    run_short(&server);
    let held = one.cork_put(handle, Persistence::AsQueueDefault, PutFlags::NO_SYNCPOINT, "x", Flags::NONE);
    one.send();
    assert!(one.agent.is_paced() && one.frames().is_empty());
    make_room(&server);
    one.send();
    assert_eq!(one.answer(held).what, What::PutDone);
}

#[test]
fn the_other_conversations_of_a_connection_go_on_beside_a_put_that_waits() {
    let server = Server::new();
    let mut one = server.client();
    let held_back = one.open("A", OpenOptions::OUTPUT);
    one.begin(2, [0; 16]);
    let free = one.open("B", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    run_short(&server);
    one.conversation = Conversation(1);
    let held = one.cork_put(held_back, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "1", Flags::NONE);
    let behind =
        one.cork_put(held_back, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT, "2", Flags::NONE);
    one.send();
    assert!(one.frames().is_empty() && one.agent.has_put_aside() && one.agent.wants_input());

    // The neighbour puts, gets what was there, and commits it.
    one.conversation = Conversation(2);
    one.put(free, Persistence::NotPersistent, "other");
    assert!(one.get(free, GetFlags::SYNCPOINT).is_ok());
    assert_eq!(one.ask(&channel::client::Request::Commit { number: 0 }).what, What::Done);

    make_room(&server);
    // They are run, and their answers wait for the log.
    assert!(one.released().is_empty() && !one.agent.has_put_aside());
    assert_eq!(told(&mut one), [(held, What::PutDone), (behind, What::PutDone)]);
    let got: Vec<_> = {
        one.conversation = Conversation(1);
        let input = one.open("A", OpenOptions::INPUT_SHARED);
        std::iter::from_fn(|| one.get(input, GetFlags::NO_SYNCPOINT).ok()).collect()
    };
    assert_eq!(got, ["1", "2"]);
}

#[test]
fn a_connection_that_says_it_ends_is_heard_behind_what_was_put_aside() {
    let server = Server::new();
    let mut one = server.client();
    let handle = one.open("A", OpenOptions::OUTPUT);
    one.begin(2, [0; 16]);
    run_short(&server);
    one.conversation = Conversation(1);
    one.cork_put(handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, "1", Flags::NO_REPLY);
    one.conversation = Conversation(0);
    one.cork(&channel::client::Request::Disconnect, Flags::NO_REPLY);
    one.send();
    assert!(one.agent.holds_back() && one.agent.is_paced());
    make_room(&server);
    one.released();
    assert!(!one.agent.is_paced());
    assert!(matches!(one.receive(&[]), Err(agents::Close::Disconnected)));
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn what_is_put_aside_has_a_bound_beyond_which_no_more_is_read() {
    let server = Server::new();
    let mut one = server.client();
    let handle = one.open("A", OpenOptions::OUTPUT);
    one.begin(2, [0; 16]);
    run_short(&server);
    one.conversation = Conversation(1);
    let body = vec![b'x'; 60 << 10];
    for _ in 0..30 {
        one.cork_put(handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, body.clone(), Flags::NO_REPLY);
    }
    one.send();
    assert!(one.agent.has_put_aside() && one.agent.holds_back() && !one.agent.wants_input());
    assert!(one.input.len() > 500 << 10, "what has no room stays where it was");
}
