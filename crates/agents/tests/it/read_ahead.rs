//! Messages that come by credit.

use crate::loopback::{Client, Server, What};
use agents::Agent;
use channel::Flags;
use channel::client::Request;
use mqi::{CloseOptions, GetFlags, ObjectHandle, OpenOptions, Persistence, Reason, Wait};

const BOTH: OpenOptions = OpenOptions::INPUT_SHARED.union(OpenOptions::OUTPUT);

fn fill(client: &mut Client, handle: ObjectHandle, persistence: Persistence, bodies: &[&'static str]) {
    for body in bodies {
        client.put(handle, persistence, body);
    }
}

/// The bodies that were delivered, each with whether it is reserved.
fn deliveries(client: &mut Client) -> Vec<(String, bool)> {
    let frames = client.frames();
    let is_reserved = |flags: Flags| flags.contains(Flags::RESERVED);
    frames
        .into_iter()
        .filter_map(|seen| match seen.what {
            What::Delivered { body, .. } => {
                Some((String::from_utf8(body.to_vec()).unwrap(), is_reserved(seen.header.flags)))
            }
            _ => None,
        })
        .collect()
}

fn bodies(client: &mut Client) -> Vec<String> {
    deliveries(client).into_iter().map(|(body, _)| body).collect()
}

#[test]
fn as_much_comes_as_there_is_credit_for() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::NotPersistent, &["1", "2", "3", "4"]);
    client.credit(handle, 2, Some(GetFlags::NO_SYNCPOINT));
    assert_eq!(deliveries(&mut client), [("1".into(), false), ("2".into(), false)]);
    client.credit(handle, 3, None);
    assert_eq!(bodies(&mut client), ["3", "4"]);
    let mut putter = server.client();
    let output = putter.open("A", OpenOptions::OUTPUT);
    fill(&mut putter, output, Persistence::NotPersistent, &["5", "6"]);
    assert_eq!(client.wakes(), 1);
    assert_eq!(bodies(&mut client), ["5"], "credit for one was left");
    assert_eq!(server.depth("A"), 1);
}

#[test]
fn one_wait_brings_several_messages_as_far_as_credit_goes() {
    let server = Server::new();
    let (mut client, mut putter) = (server.client(), server.client());
    let handle = client.open("A", BOTH);
    let output = putter.open("A", OpenOptions::OUTPUT);
    client.credit(handle, 3, Some(GetFlags::NO_SYNCPOINT));
    assert!(bodies(&mut client).is_empty());
    for (persistence, body) in [
        (Persistence::NotPersistent, "1"),
        (Persistence::Persistent, "2"),
        (Persistence::NotPersistent, "3"),
        (Persistence::NotPersistent, "4"),
    ] {
        fill(&mut putter, output, persistence, &[body]);
    }
    let expected = [("1".into(), false), ("2".into(), true), ("3".into(), false)];
    assert_eq!(deliveries(&mut client), expected);
    assert_eq!(server.depth("A"), 2, "what is reserved, and what there was no credit for");
    client.credit(handle, 9, None);
    assert_eq!(bodies(&mut client), ["4"]);
    // It waits for more, is given two, and wants none of what is only reserved.
    fill(&mut putter, output, Persistence::Persistent, &["5", "6"]);
    assert_eq!(client.ask(&Request::Release { handle }).what, What::Done);
    fill(&mut putter, output, Persistence::Persistent, &["7"]);
    let mut other = server.client();
    let others = other.open("A", BOTH);
    for body in ["2", "5", "6", "7"] {
        assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok(body));
    }
}

#[test]
fn of_a_burst_a_client_is_given_a_few_before_the_next() {
    let server = Server::new();
    let (mut one, mut two, mut putter) = (server.client(), server.client(), server.client());
    for client in [&mut one, &mut two] {
        let handle = client.open("A", BOTH);
        client.credit(handle, 16, Some(GetFlags::NO_SYNCPOINT));
        assert!(bodies(client).is_empty());
    }
    let output = putter.open("A", OpenOptions::OUTPUT);
    for body in ["1", "2", "3", "4", "5", "6"] {
        fill(&mut putter, output, Persistence::NotPersistent, &[body]);
        // As a host does for an agent with news.
        one.agent.go_on();
        two.agent.go_on();
    }
    let (of_one, of_two) = (bodies(&mut one), bodies(&mut two));
    assert_eq!(of_one.len() + of_two.len(), 6);
    assert_eq!(of_one.len().max(of_two.len()), 4, "{of_one:?} {of_two:?}");
    // Without a host that has them go on, one each.
    fill(&mut putter, output, Persistence::NotPersistent, &["7", "8"]);
    assert_eq!((bodies(&mut one).len(), bodies(&mut two).len()), (1, 1));
}

#[test]
fn inside_a_unit_of_work_what_was_confirmed_is_committed_and_the_rest_goes_back_in_order() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["1", "2", "3", "4", "5"]);
    client.credit(handle, 4, Some(GetFlags::SYNCPOINT));
    let delivered = deliveries(&mut client);
    assert_eq!(delivered.len(), 4);
    assert!(delivered.iter().all(|(_, is_reserved)| *is_reserved));
    client.cork(&Request::Confirm { handle, through: 2 }, Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Commit { number: 0 }).what, What::Done);
    assert_eq!(server.depth("A"), 3);
    client.agent.close();
    let mut other = server.client();
    let handle = other.open("A", BOTH);
    for body in ["3", "4", "5"] {
        assert_eq!(other.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok(body));
    }
}

/// Backout count of each message of A and of B.
fn backout_counts(server: &Server) -> Vec<i32> {
    let mut client = server.client();
    let handles = ["A", "B"].map(|queue| client.open(queue, BOTH));
    for handle in handles {
        client.credit(handle, 10, Some(GetFlags::SYNCPOINT));
    }
    let counts = client.frames().iter().map(|seen| seen.descriptor.backout_count).collect();
    assert_eq!(client.ask(&Request::Back).what, What::Done);
    counts
}

/// Of a program whose link is lost, how often each message counts as backed out that is left.
fn counts_after(what_the_client_does: impl FnOnce(&mut Client, [ObjectHandle; 2])) -> Vec<i32> {
    let server = Server::new();
    let mut client = server.client();
    let handles = ["A", "B"].map(|queue| client.open(queue, BOTH));
    fill(&mut client, handles[0], Persistence::Persistent, &["1", "2", "3"]);
    fill(&mut client, handles[1], Persistence::Persistent, &["4"]);
    what_the_client_does(&mut client, handles);
    client.agent.close();
    backout_counts(&server)
}

#[test]
fn the_first_message_of_a_unit_of_work_may_have_been_heard_by_a_program_that_is_called() {
    let counts = counts_after(|client, [handle, _]| {
        client.credit_to_be_called(handle);
        assert_eq!(bodies(client), ["1"]);
    });
    assert_eq!(counts, [1, 0, 0, 0]);
    let counts = counts_after(|client, [handle, _]| {
        client.credit_to_be_called(handle);
        assert_eq!(bodies(client), ["1"]);
        client.cork(&Request::Confirm { handle, through: 1 }, Flags::NO_REPLY);
        client.credit(handle, 1, None);
        assert_eq!(bodies(client), ["2"]);
    });
    assert_eq!(counts, [1, 0, 0, 0], "the second, not before it says so");
    let counts = counts_after(|client, [handle, _]| {
        client.credit_to_be_called(handle);
        assert_eq!(bodies(client), ["1"]);
        client.cork(&Request::Confirm { handle, through: 1 }, Flags::NO_REPLY);
        client.ask(&Request::Commit { number: 0 });
        client.credit(handle, 1, None);
        assert_eq!(bodies(client), ["2"]);
    });
    assert_eq!(counts, [1, 0, 0], "the second is the first of the next unit");
}

#[test]
fn a_message_that_no_program_can_have_heard_does_not_count_as_backed_out() {
    let counts = counts_after(|client, [handle, _]| client.credit_to_be_called(handle));
    assert_eq!(counts, [0; 4], "it was not sent");
    let counts = counts_after(|client, handles| {
        handles.into_iter().for_each(|handle| client.credit_to_be_called(handle));
        assert_eq!(bodies(client), ["1", "4"]);
    });
    assert_eq!(counts, [0; 4], "it would say which of two");
    let counts = counts_after(|client, [handle, _]| {
        client.credit_to_be_called(handle);
        assert_eq!(bodies(client), ["1"]);
        client.ask(&Request::End);
    });
    assert_eq!(counts, [0; 4], "it said that it was done");
}

#[test]
fn a_backout_brings_everything_again_in_order() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["1", "2", "3"]);
    client.credit(handle, 10, Some(GetFlags::SYNCPOINT));
    assert_eq!(bodies(&mut client), ["1", "2", "3"]);
    client.cork(&Request::Confirm { handle, through: 1 }, Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Back).what, What::Done);
    assert!(bodies(&mut client).is_empty(), "a backout takes all credit away");
    client.credit(handle, 10, None);
    let frames = client.frames();
    let counts: Vec<_> = frames.iter().map(|seen| seen.descriptor.backout_count).collect();
    let bodies: Vec<_> = frames
        .iter()
        .map(|seen| match &seen.what {
            What::Delivered { body, .. } => body.clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(bodies, ["1", "2", "3"]);
    assert_eq!(counts, [1, 0, 0], "only what the program had seen was backed out");
}

#[test]
fn what_a_get_was_given_in_a_unit_of_work_that_ends_without_a_word_counts_as_backed_out() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["1", "2", "3"]);
    for ends in 1..=2 {
        let mut client = server.client();
        let handle = client.open("A", BOTH);
        client.credit(handle, 2, Some(GetFlags::SYNCPOINT));
        assert_eq!(bodies(&mut client), ["1", "2"]);
        client.agent.close();
        assert_eq!(backout_counts(&server), [ends, 0, 0], "the second came ahead of need");
    }
    // One that says what it has taken, or ends in order, is taken at its word.
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    client.credit(handle, 2, Some(GetFlags::SYNCPOINT));
    assert_eq!(bodies(&mut client), ["1", "2"]);
    client.cork(&Request::Confirm { handle, through: 1 }, Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Commit { number: 0 }).what, What::Done);
    client.agent.close();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    client.credit(handle, 1, Some(GetFlags::SYNCPOINT));
    assert_eq!(bodies(&mut client), ["2"]);
    assert_eq!(client.ask(&Request::End).what, What::Done);
    assert_eq!(backout_counts(&server), [0, 0]);
}

#[test]
fn outside_a_unit_of_work_a_persistent_message_is_kept_until_it_is_confirmed() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["kept", "lost"]);
    client.credit(handle, 10, Some(GetFlags::NO_SYNCPOINT));
    assert_eq!(deliveries(&mut client), [("kept".into(), true), ("lost".into(), true)]);
    let confirm = client.cork(&Request::Confirm { handle, through: 1 }, Flags::NONE);
    client.send();
    assert!(client.released().is_empty(), "it is gone when the log says so");
    assert_eq!(client.answer(confirm).what, What::Done);
    client.agent.close();
    assert_eq!(server.depth("A"), 1);
    let mut other = server.client();
    let handle = other.open("A", BOTH);
    assert_eq!(other.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("lost"));
}

#[test]
fn a_confirmation_that_fails_fails_its_unit_of_work_and_nothing_is_lost() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["1", "2", "3", "4", "5"]);
    let response = client.command("ALTER QMGR MAXUMSGS(2)");
    assert!(!response.failed, "{}", response.text);
    client.credit(handle, 4, Some(GetFlags::SYNCPOINT));
    assert_eq!(bodies(&mut client), ["1", "2", "3", "4"]);
    client.cork(&Request::Confirm { handle, through: 3 }, Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Commit { number: 0 }).what, What::Failed(Reason::BACKED_OUT));
    client.credit(handle, 4, None);
    assert_eq!(bodies(&mut client), ["1", "2", "3", "4"]);
    client.cork(&Request::Confirm { handle, through: 6 }, Flags::NO_REPLY);
    assert_eq!(client.ask(&Request::Commit { number: 0 }).what, What::Done, "the numbers go on");
    assert_eq!(server.depth("A"), 3);
}

#[test]
fn a_release_gives_back_and_stops() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["1", "2"]);
    client.credit(handle, 10, Some(GetFlags::SYNCPOINT));
    assert_eq!(bodies(&mut client), ["1", "2"]);
    assert_eq!(client.ask(&Request::Release { handle }).what, What::Done);
    client.put(handle, Persistence::Persistent, "3");
    assert!(bodies(&mut client).is_empty());
    for body in ["1", "2", "3"] {
        assert_eq!(client.get(handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok(body));
    }
}

#[test]
fn a_stream_that_waits_keeps_its_number_to_itself() {
    let server = Server::new();
    let mut client = server.client();
    let waiting = client.open("A", BOTH);
    let polling = client.open("B", BOTH);
    client.credit(waiting, 1, Some(GetFlags::NO_SYNCPOINT));
    assert!(bodies(&mut client).is_empty());
    // Until streams have been numbered once around.
    for _ in 0..=0x7FFF {
        client.credit(polling, 1, Some(GetFlags::NO_SYNCPOINT));
        client.cork(&Request::Cancel { get: channel::RequestNumber(0) }, Flags::NONE);
        client.cork(&Request::Release { handle: polling }, Flags::NONE);
        client.send();
        assert_eq!(client.released().len(), 2);
    }
    let mut putter = server.client();
    let output = putter.open("A", OpenOptions::OUTPUT);
    fill(&mut putter, output, Persistence::NotPersistent, &["for who waits"]);
    assert_eq!(bodies(&mut client), ["for who waits"]);
    client.credit(polling, 1, Some(GetFlags::NO_SYNCPOINT));
    assert_eq!(client.ask(&Request::Cancel { get: channel::RequestNumber(0) }).what, What::Done);
}

#[test]
fn who_waits_is_given_the_first_of_what_goes_back() {
    let server = Server::new();
    for is_closed in [false, true] {
        let (mut client, mut other) = (server.client(), server.client());
        let handle = client.open("A", BOTH);
        let others = other.open("A", BOTH);
        fill(&mut client, handle, Persistence::Persistent, &["1", "2", "3"]);
        client.credit(handle, 9, Some(GetFlags::SYNCPOINT));
        assert_eq!(bodies(&mut client), ["1", "2", "3"]);
        let get = other.cork_get(others, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        other.send();
        let end = match is_closed {
            true => Request::Close { handle, options: CloseOptions::EMPTY },
            false => Request::Release { handle },
        };
        assert_eq!(client.ask(&end).what, What::Done);
        let What::Got { body, .. } = other.answer(get).what else { panic!("nothing was got") };
        assert_eq!(body, "1");
        for body in ["2", "3"] {
            assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok(body));
        }
    }
}

#[test]
fn who_waits_is_given_the_first_of_a_unit_of_work_that_is_backed_out() {
    let server = Server::new();
    let (mut client, mut other) = (server.client(), server.client());
    let handle = client.open("A", BOTH);
    let others = other.open("A", BOTH);
    fill(&mut client, handle, Persistence::Persistent, &["1", "2", "3"]);
    client.credit(handle, 9, Some(GetFlags::SYNCPOINT));
    assert_eq!(bodies(&mut client), ["1", "2", "3"]);
    client.cork(&Request::Confirm { handle, through: 1 }, Flags::NO_REPLY);
    client.send();
    let get = other.cork_get(others, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    other.send();
    assert_eq!(client.ask(&Request::Back).what, What::Done);
    let What::Got { body, .. } = other.answer(get).what else { panic!("nothing was got") };
    assert_eq!(body, "1");
    for body in ["2", "3"] {
        assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok(body));
    }
}

#[test]
fn behind_a_marker_nothing_is_on_its_way() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", BOTH);
    fill(&mut client, handle, Persistence::NotPersistent, &["1", "2"]);
    client.credit(handle, 10, Some(GetFlags::NO_SYNCPOINT));
    let marker = client.cork(&Request::Cancel { get: channel::RequestNumber(0) }, Flags::NONE);
    client.send();
    let frames = client.frames();
    assert_eq!(frames.len(), 3);
    assert_eq!(frames[2].header.request, marker);
}

#[test]
fn a_stream_that_cannot_go_on_says_why() {
    let server = Server::new();
    let mut client = server.client();
    client.credit(ObjectHandle(5), 10, Some(GetFlags::NO_SYNCPOINT));
    let frames = client.frames();
    assert_eq!(frames[0].what, What::Failed(Reason::HOBJ_ERROR));
    let handle = client.open("A", BOTH);
    client.credit(handle, 10, Some(GetFlags::NO_SYNCPOINT));
    assert!(client.frames().is_empty());
    let response = server.client().command("ALTER QLOCAL(A) GET(DISABLED)");
    assert!(!response.failed, "{}", response.text);
    let frames = client.frames();
    assert_eq!(frames[0].what, What::Failed(Reason::GET_INHIBITED));
}
