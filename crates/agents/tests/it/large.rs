//! Bodies in fragments.

use crate::loopback::{Client, Server, What};
use channel::Flags;
use channel::client::{Request, Target};
use channel::frame::FRAGMENT_BYTES;
use mqi::{
    GetFlags, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions, Reason,
    Wait,
};

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
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let target = Target::Handle(handle);
        let descriptor = MessageDescriptor::default();
        frames.push(begin_body(&mut client, conversation, (&target, &descriptor, &options), Flags::NONE));
    }
    for (_, bytes) in &frames {
        client.receive(bytes).unwrap();
    }
    let seen = client.frames();
    let of = |number| &seen.iter().find(|seen| seen.header.request == number).unwrap().what;
    assert_eq!(of(frames[0].0), &What::PutDone);
    assert_eq!(of(frames[1].0), &What::Failed(Reason::RESOURCE_PROBLEM));
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

/// Sends the first frame of a put of a large body; the number of the request, and the frames that follow.
fn begin_body(
    client: &mut Client,
    conversation: u16,
    (target, descriptor, options): (&Target, &MessageDescriptor, &PutOptions),
    flags: Flags,
) -> (channel::RequestNumber, Vec<u8>) {
    let mut output = channel::Output::default();
    let number = client.next_request();
    let conversation = channel::Conversation(conversation);
    let kind = if matches!(target, Target::Handle(_)) { channel::Kind::Put } else { channel::Kind::Put1 };
    let header = channel::Header::new(kind, conversation, number).with(flags);
    let body = bytes::Bytes::from(vec![1; 600_000]);
    let mut rest =
        channel::client::put(&mut output, header, target, descriptor, options, body, FRAGMENT_BYTES);
    client.receive(&crate::loopback::drained(&mut output)).unwrap();
    while !rest.is_empty() {
        channel::client::fragment(&mut output, conversation, number, &mut rest, FRAGMENT_BYTES);
    }
    (number, crate::loopback::drained(&mut output))
}

/// A put that is refused before it is run is judged by its message as one that is run and fails.
#[test]
fn a_put_without_a_reply_that_has_no_room_fails_its_unit_of_work_if_its_message_is_persistent() {
    let mut server = Server::new();
    server.limits.arriving_bytes_max = 1_000_000;
    let mut client = server.client();
    let (first, quick) = (client.open("A", OpenOptions::OUTPUT), client.open("B", OpenOptions::OUTPUT));
    client.begin(2, [0; 16]);
    client.conversation = channel::Conversation(1);
    client.command("ALTER QLOCAL(B) DEFPSIST(NO)");
    let by_handle = Target::Handle(quick);
    let by_name = Target::Object(Box::new(ObjectDescriptor::queue("B".parse().unwrap())));
    let nowhere = Target::Object(Box::new(ObjectDescriptor::queue("C".parse().unwrap())));
    let as_default = Persistence::AsQueueDefault;
    let mut depth = 0;
    for (place, (target, persistence, flags, commits)) in [
        (&by_handle, Persistence::Persistent, PutFlags::SYNCPOINT, false),
        (&by_handle, Persistence::NotPersistent, PutFlags::SYNCPOINT, true),
        (&by_handle, as_default, PutFlags::SYNCPOINT, true),
        (&by_name, Persistence::Persistent, PutFlags::SYNCPOINT, false),
        (&by_name, Persistence::NotPersistent, PutFlags::SYNCPOINT, true),
        (&by_name, as_default, PutFlags::SYNCPOINT, true),
        (&nowhere, as_default, PutFlags::SYNCPOINT, false),
        (&nowhere, Persistence::NotPersistent, PutFlags::SYNCPOINT, true),
        (&by_handle, Persistence::Persistent, PutFlags::NO_SYNCPOINT, true),
    ]
    .into_iter()
    .enumerate()
    {
        // A body of the other conversation takes the room.
        let filler = (&by_name, &MessageDescriptor::default(), &PutOptions::with(PutFlags::NO_SYNCPOINT));
        let (_, rest_of_filler) = begin_body(&mut client, 2, filler, Flags::NO_REPLY);
        client.cork_put(first, Persistence::Persistent, PutFlags::SYNCPOINT, "x", Flags::NO_REPLY);
        client.send();
        let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let put = (target, &descriptor, &PutOptions::with(flags));
        let (_, rest) = begin_body(&mut client, 1, put, Flags::NO_REPLY);
        client.receive(&rest).unwrap();
        let commit = client.ask(&Request::Commit { number: place as u64 + 1 }).what;
        let told = format!("case {place}: {persistence:?} {flags:?}");
        let expected = if commits { What::Done } else { What::Failed(Reason::BACKED_OUT) };
        assert_eq!(commit, expected, "{told}");
        depth += u64::from(commits);
        assert_eq!(server.depth("A"), depth, "{told}");
        let What::Status(status) = client.ask(&Request::Status).what else { panic!("no status") };
        let counted = (status.puts, status.failures, status.reason);
        assert_eq!(counted, (1, 1, Some(Reason::RESOURCE_PROBLEM)), "{told}");
        client.receive(&rest_of_filler).unwrap();
    }
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
    let target = Target::Handle(handle);
    let mut rest = channel::client::put(
        &mut output,
        header,
        &target,
        &MessageDescriptor::default(),
        &PutOptions::default(),
        bytes::Bytes::from(vec![1; 600_000]),
        FRAGMENT_BYTES,
    );
    while !rest.is_empty() {
        channel::client::fragment(&mut output, client.conversation, number, &mut rest, FRAGMENT_BYTES);
    }
    let mut bytes = crate::loopback::drained(&mut output);
    bytes[12 + 4 + 4 + 1 + 3] = 0xFF;
    client.receive(&bytes).unwrap();
    assert_eq!(client.answer(number).what, What::Failed(Reason::MD_ERROR));
    client.put(handle, Persistence::NotPersistent, "and on it goes");
    assert_eq!(server.depth("A"), 1);
}
