//! Bodies in fragments.

use crate::loopback::{Server, What};
use channel::Flags;
use channel::frame::FRAGMENT_BYTES;
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Wait};

#[test]
fn a_large_message_goes_there_and_back_while_others_have_their_turns() {
    let server = Server::new();
    let mut client = server.client();
    let both = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
    let large = client.open("A", both);
    client.begin(2, [0; 16]);
    let small = client.open("B", both);
    client.conversation = channel::Conversation(1);
    let body: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    client.cork_put(large, Persistence::Persistent, PutFlags::NO_SYNCPOINT, body.clone(), Flags::NO_REPLY);
    client.send();
    client.frames();
    let get = client.cork_get(large, GetFlags::NO_SYNCPOINT, Wait::No);
    client.conversation = channel::Conversation(2);
    let other = client.cork_get(small, GetFlags::NO_SYNCPOINT, Wait::No);
    client.send();
    let frames = client.frames();
    let place = frames.iter().position(|seen| seen.header.request == other).unwrap();
    assert!(place < 3, "the small reply is frame {place}");
    let mut got = 0;
    for seen in frames.iter().filter(|seen| seen.header.request == get) {
        match &seen.what {
            What::Got { body: first, length } => {
                assert_eq!((*length as usize, first.len()), (body.len(), FRAGMENT_BYTES));
                assert_eq!(first[..], body[..FRAGMENT_BYTES]);
                got += first.len();
            }
            What::Fragment(bytes) => got += bytes,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(got, body.len());
}

#[test]
fn bodies_on_their_way_in_are_bounded_together() {
    let mut server = Server::new();
    server.limits.arriving_bytes_max = 1_000_000;
    let mut client = server.client();
    let first = client.open("A", OpenOptions::OUTPUT);
    client.begin(2, [0; 16]);
    let second = client.open("B", OpenOptions::OUTPUT);
    // The first frames of both arrive before the rest of either.
    let mut frames = Vec::new();
    for (conversation, handle) in [(1, first), (2, second)] {
        let mut output = channel::Output::default();
        let number = client.next_request();
        let conversation = channel::Conversation(conversation);
        let header = channel::Header::new(channel::Kind::Put, conversation, number);
        let target = channel::client::Target::Handle(handle);
        let mut rest = channel::client::put(
            &mut output,
            header,
            &target,
            &mqi::MessageDescriptor::default(),
            &mqi::PutOptions::with(PutFlags::NO_SYNCPOINT),
            bytes::Bytes::from(vec![1; 600_000]),
            FRAGMENT_BYTES,
        );
        client.receive(&crate::loopback::drained(&mut output)).unwrap();
        while !rest.is_empty() {
            channel::client::fragment(&mut output, conversation, number, &mut rest, FRAGMENT_BYTES);
        }
        frames.push((number, crate::loopback::drained(&mut output)));
    }
    for (_, bytes) in &frames {
        client.receive(bytes).unwrap();
    }
    let seen = client.frames();
    let of = |number| &seen.iter().find(|seen| seen.header.request == number).unwrap().what;
    assert_eq!(of(frames[0].0), &What::PutDone);
    assert_eq!(of(frames[1].0), &What::Failed(mqi::Reason::RESOURCE_PROBLEM));
    // What has arrived makes room again.
    let again = client.cork_put(
        second,
        Persistence::NotPersistent,
        PutFlags::NO_SYNCPOINT,
        vec![2; 600_000],
        Flags::NONE,
    );
    client.send();
    assert_eq!(client.answer(again).what, What::PutDone);
}

#[test]
fn a_refused_put_takes_its_fragments_with_it() {
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::OUTPUT);
    // The descriptor of the first frame is spoilt where its mask stands.
    let mut output = channel::Output::default();
    let number = client.next_request();
    let header = channel::Header::new(channel::Kind::Put, client.conversation, number);
    let target = channel::client::Target::Handle(handle);
    let mut rest = channel::client::put(
        &mut output,
        header,
        &target,
        &mqi::MessageDescriptor::default(),
        &mqi::PutOptions::default(),
        bytes::Bytes::from(vec![1; 600_000]),
        FRAGMENT_BYTES,
    );
    while !rest.is_empty() {
        channel::client::fragment(&mut output, client.conversation, number, &mut rest, FRAGMENT_BYTES);
    }
    let mut bytes = crate::loopback::drained(&mut output);
    bytes[12 + 4 + 4 + 1 + 3] = 0xFF;
    client.receive(&bytes).unwrap();
    assert_eq!(client.answer(number).what, What::Failed(mqi::Reason::MD_ERROR));
    client.put(handle, Persistence::NotPersistent, "and on it goes");
    assert_eq!(server.depth("A"), 1);
}
