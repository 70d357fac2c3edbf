//! Streams that are stopped: what they have reserved stays so, and nothing more comes.

use crate::loopback::{Client, Server, What};
use channel::client::Request;
use channel::{Flags, RequestNumber};
use mqi::{GetFlags, ObjectHandle, OpenOptions, Persistence, Reason};

const BOTH: OpenOptions = OpenOptions::INPUT_SHARED.union(OpenOptions::OUTPUT);

/// Tells in words of the bodies that came, and of the reasons why no more come.
fn arrivals(client: &mut Client) -> Vec<String> {
    let told = |what: What| match what {
        What::Delivered { body, .. } => Some(String::from_utf8(body.to_vec()).unwrap()),
        What::Failed(reason) => Some(reason.to_string()),
        _ => None,
    };
    client.frames().into_iter().filter_map(|seen| told(seen.what)).collect()
}

/// Stops the stream of a handle; the request that is answered behind what it brings.
fn stop(client: &mut Client, handle: ObjectHandle) -> RequestNumber {
    let number = client.cork(&Request::Release { handle }, Flags::KEEPS);
    client.send();
    number
}

#[test]
fn what_a_stopped_stream_has_reserved_is_its_programs_until_that_has_it() {
    for flags in [GetFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT] {
        let server = Server::new();
        let (mut client, mut other) = (server.client(), server.client());
        let handle = client.open("A", BOTH);
        let others = other.open("A", BOTH);
        for body in ["1", "2"] {
            other.put(others, Persistence::Persistent, body);
        }
        client.credit(handle, 10, Some(flags));
        assert_eq!(arrivals(&mut client), ["1", "2"]);
        // On its way when the stream is stopped.
        other.put(others, Persistence::Persistent, "3");
        let stopped = stop(&mut client, handle);
        let frames = client.frames();
        assert!(matches!(&frames[0].what, What::Delivered { body, .. } if body == "3"), "{frames:?}");
        assert!(frames[1].header.request == stopped && frames[1].what == What::Done, "{frames:?}");
        client.credit(handle, 10, None);
        other.put(others, Persistence::Persistent, "4");
        assert_eq!(arrivals(&mut client), Vec::<String>::new(), "{flags:?}: nothing more comes");
        assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok("4"));
        for through in 1..=3 {
            assert_eq!(client.ask(&Request::Confirm { handle, through }).what, What::Done);
        }
        client.ask(&Request::Commit { number: 0 });
        assert_eq!(server.depth("A"), 0, "{flags:?}");
        // It begins anew like any other.
        client.credit(handle, 1, Some(flags));
        other.put(others, Persistence::Persistent, "5");
        assert_eq!(arrivals(&mut client), ["5"]);
    }
}

#[test]
fn what_a_stopped_stream_has_reserved_goes_back_with_its_handle_or_a_release_that_keeps_nothing() {
    let server = Server::new();
    for is_closed in [false, true] {
        let (mut client, mut other) = (server.client(), server.client());
        let handle = client.open("A", BOTH);
        let others = other.open("A", BOTH);
        client.put(handle, Persistence::Persistent, "1");
        client.credit(handle, 9, Some(GetFlags::SYNCPOINT));
        assert_eq!(arrivals(&mut client), ["1"]);
        stop(&mut client, handle);
        assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
        let options = mqi::CloseOptions::EMPTY;
        let end = if is_closed { Request::Close { handle, options } } else { Request::Release { handle } };
        client.ask(&end);
        assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok("1"));
    }
}

/// Given back, it would come to others after what follows it.
#[test]
fn a_stop_is_answered_behind_a_message_that_is_being_read_from_the_disk() {
    let server = Server::new();
    {
        let mut client = server.client();
        let handle = client.open("A", BOTH);
        for body in ["1", "2"] {
            client.put(handle, Persistence::Persistent, body);
        }
    }
    let server = server.restarted();
    let (mut client, mut other) = (server.client(), server.client());
    let handle = client.open("A", BOTH);
    let others = other.open("A", BOTH);
    client.credit(handle, 9, Some(GetFlags::NO_SYNCPOINT));
    assert!(arrivals(&mut client).is_empty(), "it is being read");
    let stopped = stop(&mut client, handle);
    assert!(client.frames().is_empty());
    server.run_jobs();
    let frames = client.frames();
    assert!(matches!(&frames[0].what, What::Delivered { body, .. } if body == "1"), "{frames:?}");
    assert!(frames[1].header.request == stopped && frames[1].what == What::Done, "{frames:?}");
    assert_eq!(frames.len(), 2, "{frames:?}");
    assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok("2"));
    assert_eq!(client.ask(&Request::Confirm { handle, through: 1 }).what, What::Done);
    assert_eq!(server.depth("A"), 0);
}

/// The client has yet to read that no more come when it grants more. A message that came to it would be
/// reserved, and nobody would know.
#[test]
fn nothing_comes_behind_the_word_that_no_more_come_whatever_credit_is_added() {
    let server = Server::new();
    let (mut client, mut other) = (server.client(), server.client());
    let handle = client.open("A", BOTH);
    let others = other.open("A", BOTH);
    for body in ["too long", "1", "2"] {
        other.put(others, Persistence::Persistent, body);
    }
    client.credit_of_short(handle, 4, 3);
    assert_eq!(arrivals(&mut client), [Reason::TRUNCATED_MSG_FAILED.to_string()]);
    assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok("too long"));
    client.credit(handle, 4, None);
    assert_eq!(arrivals(&mut client), Vec::<String>::new());
    assert_eq!(other.get(others, GetFlags::NO_SYNCPOINT).as_deref(), Ok("1"), "it is for others");

    // The same where the queue allows no gets for a while.
    client.credit(handle, 4, Some(GetFlags::NO_SYNCPOINT));
    assert_eq!(arrivals(&mut client), ["2"]);
    other.command("ALTER QLOCAL(A) GET(DISABLED)");
    assert_eq!(arrivals(&mut client), [Reason::GET_INHIBITED.to_string()]);
    other.command("ALTER QLOCAL(A) GET(ENABLED)");
    other.put(others, Persistence::Persistent, "3");
    client.credit(handle, 4, None);
    assert_eq!(arrivals(&mut client), Vec::<String>::new());
    client.credit(handle, 4, Some(GetFlags::NO_SYNCPOINT));
    assert_eq!(arrivals(&mut client), ["2", "3"], "it begins anew");
}
