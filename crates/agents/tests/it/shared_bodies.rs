//! Publications for several conversations of a connection, over which each body goes once.

use crate::loopback::{Client, Seen, Server, What};
use crate::stopping::{connections, stop};
use bytes::Bytes;
use channel::client::Request;
use channel::{Conversation, Flags};
use mqi::{
    GetFlags, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence, PutFlags, SubscribeOptions,
    SubscriptionDescriptor,
};
use std::collections::BTreeSet;

/// The queue of a subscription, which is the first thing its conversation has open.
const QUEUE: ObjectHandle = ObjectHandle(1);

const BYTES: usize = 2000;

/// A client of these conversations, each of which subscribes.
fn subscribers(server: &Server, conversations: &[u16]) -> Client {
    let mut client = server.client();
    for number in conversations {
        if *number != 1 {
            client.begin(*number, [0; 16]);
        }
        subscribe(&mut client);
    }
    client
}

fn subscribe(client: &mut Client) {
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    let descriptor = Box::new(SubscriptionDescriptor::to("price/tin", options));
    assert_eq!(client.ask(&Request::Subscribe { descriptor, queue: None }).what, What::Other);
    client.credit(QUEUE, 1000, Some(GetFlags::NO_SYNCPOINT));
    assert!(client.frames().is_empty());
}

/// Publishes bodies of one byte, repeated.
fn publish(server: &Server, persistence: Persistence, bodies: &[u8]) {
    let mut publisher = server.client();
    let object = ObjectDescriptor::topic("price/tin");
    let opened = publisher.ask(&Request::Open { object, options: OpenOptions::OUTPUT });
    let What::Opened(topic) = opened.what else { panic!("{opened:?}") };
    for body in bodies {
        let body = Bytes::from(vec![*body; BYTES]);
        let put = publisher.cork_put(topic, persistence, PutFlags::NO_SYNCPOINT, body, Flags::NONE);
        publisher.send();
        assert_eq!(publisher.answer(put).what, What::PutDone);
    }
}

/// Messages that came to a conversation, as single bytes.
fn come(frames: &[Seen], conversation: u16) -> Vec<u8> {
    let of_it = frames.iter().filter(|seen| seen.header.conversation == Conversation(conversation));
    of_it
        .map(|seen| match &seen.what {
            What::Delivered { body, .. } if body.len() == BYTES => body[0],
            other => panic!("{other:?}"),
        })
        .collect()
}

/// Number of frames that contain a body.
fn sent(frames: &[Seen]) -> usize {
    frames.iter().filter(|seen| seen.bytes > BYTES).count()
}

#[test]
fn conversations_of_a_connection_are_sent_a_publication_once_and_each_has_its_own_identifiers() {
    let server = Server::new();
    let mut client = subscribers(&server, &[1, 2, 3]);
    publish(&server, Persistence::NotPersistent, &[1, 2, 3, 4, 5]);
    let frames = client.frames();
    for conversation in 1..=3 {
        assert_eq!(come(&frames, conversation), [1, 2, 3, 4, 5]);
    }
    assert_eq!((frames.len(), sent(&frames)), (15, 5));
    let correlation_ids: BTreeSet<_> = frames.iter().map(|seen| seen.descriptor.correlation_id.0).collect();
    assert_eq!(correlation_ids.len(), 3, "one for each subscription");
    let message_ids: BTreeSet<_> = frames.iter().map(|seen| seen.descriptor.message_id.0).collect();
    assert_eq!(message_ids.len(), 5, "one for each publication");
}

#[test]
fn who_gets_alone_on_a_connection_is_sent_nothing_that_is_kept() {
    let server = Server::new();
    let (mut one, mut other) = (subscribers(&server, &[1]), subscribers(&server, &[1]));
    publish(&server, Persistence::NotPersistent, &[1, 2]);
    for client in [&mut one, &mut other] {
        let frames = client.frames();
        assert_eq!((come(&frames, 1), sent(&frames)), (vec![1, 2], 2));
        assert!(frames.iter().all(|seen| !seen.header.flags.contains(Flags::SHARED)));
    }
}

#[test]
fn a_conversation_that_ends_takes_nothing_from_its_neighbours() {
    let server = Server::new();
    let mut administrator = server.client();
    let mut client = subscribers(&server, &[1, 2]);
    let before = connections(&mut administrator);
    client.begin(3, [0; 16]);
    subscribe(&mut client);
    let third = connections(&mut administrator).into_iter().find(|one| !before.contains(one)).unwrap();
    publish(&server, Persistence::NotPersistent, &[1]);
    assert_eq!(sent(&client.frames()), 1);
    // One ends with publications on their way to it.
    publish(&server, Persistence::NotPersistent, &[2, 3]);
    client.conversation = Conversation(1);
    client.cork(&Request::End, Flags::NO_REPLY);
    client.send();
    let frames = client.frames();
    assert_eq!((come(&frames, 2), come(&frames, 3)), (vec![2, 3], vec![2, 3]));
    assert_eq!(sent(&frames), 2);
    // Another is ended by an administrator.
    publish(&server, Persistence::NotPersistent, &[4]);
    stop(&mut administrator, &third);
    publish(&server, Persistence::NotPersistent, &[5]);
    assert_eq!(come(&client.frames(), 2), [4, 5]);
}

#[test]
fn persistent_publications_arrive_whole_too() {
    let server = Server::new();
    let mut client = subscribers(&server, &[1, 2]);
    publish(&server, Persistence::Persistent, &[1, 2]);
    publish(&server, Persistence::NotPersistent, &[3]);
    let frames = client.frames();
    for conversation in 1..=2 {
        assert_eq!(come(&frames, conversation), [1, 2, 3]);
    }
}

#[test]
fn those_who_are_far_behind_are_sent_what_is_not_kept_any_more() {
    let server = Server::new();
    let mut client = subscribers(&server, &[1]);
    client.begin(2, [0; 16]);
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    let descriptor = Box::new(SubscriptionDescriptor::to("price/tin", options));
    client.ask(&Request::Subscribe { descriptor, queue: None });
    client.credit(QUEUE, 1, Some(GetFlags::NO_SYNCPOINT));
    client.conversation = Conversation(1);
    client.credit(QUEUE, 1000, None);
    let all: Vec<u8> = (0..channel::body_cache::BODIES_MAX + 300).map(|number| number as u8).collect();
    publish(&server, Persistence::NotPersistent, &all);
    let frames = client.frames();
    assert_eq!((come(&frames, 1), come(&frames, 2)), (all.clone(), vec![0]));
    client.conversation = Conversation(2);
    client.credit(QUEUE, 2000, None);
    assert_eq!(come(&client.frames(), 2), all[1..]);
}
