//! Groups and segments where bodies leave memory, files rot, or the queue manager restarts.

use bytes::Bytes;
use formats::headers::{Chain, DescriptorExtension, Header, Place};
use mqi::{
    Encoding, GetFlags, GetOptions, GroupId, MessageDescriptor, MessageFlags, ObjectHandle, PutFlags,
    PutOptions, Reason, Text, Wait,
};
use platform::simulated::{Rot, Survival};
use queue_manager::{Ask, Get, GetPurpose, Reserve, Settings, WaitToken};

use crate::support::*;

/// Puts a logical message in so many segments of 2,009 bytes; returns the whole.
fn put_segments(bench: &Bench, one: &mut Session, queue: ObjectHandle, segments: usize) -> Vec<u8> {
    let mut whole = Vec::new();
    for number in 1..=segments {
        let last = if number == segments { MessageFlags::LAST_SEGMENT } else { MessageFlags::SEGMENT };
        let descriptor = MessageDescriptor { message_flags: last, ..message(true) };
        let body = format!("{number:08} {}", "x".repeat(2000));
        whole.extend_from_slice(body.as_bytes());
        let put = one.try_put(queue, &descriptor, PutFlags::LOGICAL_ORDER, &body);
        assert_eq!(put.unwrap().warning, None);
        if number % 50 == 0 {
            bench.keep_house();
        }
    }
    whole
}

fn complete(one: &mut Session, queue: ObjectHandle, flags: GetFlags) -> Result<Bytes, Reason> {
    let options = GetOptions::with(flags | GetFlags::COMPLETE_MSG, Wait::No);
    one.get_with(queue, &MessageDescriptor::default(), &options, 16 << 20).map(|got| got.converted().body)
}

#[test]
fn a_message_longer_than_memory_is_joined_from_segments_that_left_it() {
    let bench = Bench::with(Settings { memory_budget_bytes: 256 << 10, ..settings() }, 3);
    let at_start = bench.manager.figures().memory_used();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT | BROWSE);
    let whole = put_segments(&bench, &mut one, queue, 700);
    assert!(bench.manager.figures().memory_used() < 512 << 10, "{}", bench.manager.figures().memory_used());
    let browsed = complete(&mut one, queue, GetFlags::BROWSE_FIRST).unwrap();
    assert!(browsed == whole, "browsed as it was put");
    let got = complete(&mut one, queue, GetFlags::SYNCPOINT).unwrap();
    assert!(got == whole, "got as it was put");
    assert_eq!(one.back(), Ok(()));
    let got = complete(&mut one, queue, GetFlags::NO_SYNCPOINT).unwrap();
    assert!(got == whole, "got again");
    assert_eq!(bench.depth("Q"), 0);
    assert_eq!(bench.manager.figures().memory_used(), at_start);
}

#[test]
fn the_quicker_getter_gets_the_segments_that_another_reads() {
    let bench = Bench::with(Settings { memory_budget_bytes: 64 << 10, ..settings() }, 3);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    put_segments(&bench, &mut one, queue, 200);
    let mut two = bench.connect();
    let other = two.open("Q", INPUT);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::COMPLETE_MSG, Wait::No);
    let any = MessageDescriptor::default();
    let asked = one.connection.get(Ask::new(queue, &any, &options, 16 << 20, WaitToken(9)));
    assert!(matches!(asked, Get::Waiting), "its segments are not in memory");
    assert!(two.get(other).unwrap().starts_with("00000001"));
    bench.run_jobs();
    assert_eq!(one.outcome(9), Some(Err(Reason::NO_MSG_AVAILABLE)));
    assert_eq!(bench.depth("Q"), 199);
}

#[test]
fn a_get_that_is_cancelled_while_its_segments_are_read_leaves_them() {
    let bench = Bench::with(Settings { memory_budget_bytes: 64 << 10, ..settings() }, 3);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let whole = put_segments(&bench, &mut one, queue, 100);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::COMPLETE_MSG, Wait::Unlimited);
    let any = MessageDescriptor::default();
    let asked = one.connection.get(Ask::new(queue, &any, &options, 16 << 20, WaitToken(9)));
    assert!(matches!(asked, Get::Waiting));
    assert!(one.connection.cancel(WaitToken(9)));
    bench.run_jobs();
    assert!(one.outcome(9).is_none());
    assert!(complete(&mut one, queue, GetFlags::NO_SYNCPOINT).unwrap() == whole);
}

/// After a restart, by which no segment is in memory.
fn with_second_segment_damaged(bench: Bench) -> Bench {
    let bench = bench.crash(Survival::Nothing);
    let place = bench.machine.disk.files().into_iter().find_map(|(path, _)| {
        let content = bench.machine.disk.content(&path)?;
        let at = content.windows(9).position(|bytes| bytes == b"00000002 ")?;
        Some((path, Rot::FlipBit(8 * at as u64)))
    });
    let (path, rot) = place.expect("the segment is on the disk");
    assert!(bench.machine.disk.rot(&path, rot));
    bench
}

#[test]
fn a_segment_that_cannot_be_read_is_told_of_to_the_next_getter_when_the_one_that_joins_is_gone() {
    for joins in [true, false] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        put_segments(&bench, &mut one, queue, 3);
        one.put(queue, true, "another message");
        drop(one);
        let bench = with_second_segment_damaged(bench);
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT);
        let token = one.try_get(queue, GetFlags::NO_SYNCPOINT | GetFlags::COMPLETE_MSG).unwrap_err();
        assert!(one.connection.cancel(WaitToken(token)));
        bench.run_jobs();
        let other = two.open("Q", INPUT | BROWSE);
        let joined = if joins { GetFlags::COMPLETE_MSG } else { GetFlags::EMPTY };
        let mut get = |flags| two.get_flags(other, flags | joined);
        let first = |got: Result<String, Reason>| got.map(|body| body[..8].to_owned());
        if !joins {
            assert_eq!(first(get(GetFlags::BROWSE_NEXT)).as_deref(), Ok("00000001"));
        }
        assert_eq!(get(GetFlags::BROWSE_NEXT), Err(Reason::OBJECT_DAMAGED));
        if !joins {
            assert_eq!(first(get(GetFlags::BROWSE_NEXT)).as_deref(), Ok("00000003"));
        }
        assert_eq!(get(GetFlags::BROWSE_NEXT).as_deref(), Ok("another message"));
        assert_eq!(get(GetFlags::BROWSE_NEXT), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn a_segment_that_cannot_be_read_is_told_of_and_the_rest_is_incomplete() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    put_segments(&bench, &mut one, queue, 3);
    drop(one);
    let bench = with_second_segment_damaged(bench);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(complete(&mut one, queue, GetFlags::NO_SYNCPOINT), Err(Reason::OBJECT_DAMAGED));
    assert_eq!(complete(&mut one, queue, GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
    assert!(one.get(queue).unwrap().starts_with("00000001"));
    assert_eq!(bench.depth("Q"), 2);
}

#[test]
fn a_restart_knows_the_places_of_messages_that_moved_out_of_the_log() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(10000) DEFINE QLOCAL(FILL) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let whole = put_segments(&bench, &mut one, queue, 3);
    let fill = one.open("FILL", INPUT | OUTPUT);
    for _ in 0..200 {
        one.put(fill, true, &"y".repeat(60_000));
        one.get(fill).unwrap();
        bench.keep_house();
    }
    drop(one);
    assert!(
        bench.machine.disk.files().iter().any(|(path, _)| path.starts_with("store")),
        "the segments moved out of the log"
    );
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert!(complete(&mut one, queue, GetFlags::LOGICAL_ORDER).unwrap() == whole);
}

#[test]
fn what_comes_ahead_asks_nothing_of_groups() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, false, "x");
    for flags in [
        GetFlags::LOGICAL_ORDER,
        GetFlags::COMPLETE_MSG,
        GetFlags::ALL_MSGS_AVAILABLE,
        GetFlags::ALL_SEGMENTS_AVAILABLE,
    ] {
        let options = GetOptions::with(flags, Wait::No);
        let any = MessageDescriptor::default();
        match one.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::All),
            ..Ask::new(queue, &any, &options, 10, WaitToken(1))
        }) {
            Get::Done(refused) => assert_eq!(bench.open(refused).unwrap_err(), Reason::OPTIONS_ERROR),
            Get::Waiting => panic!("{flags:?} waits"),
        }
    }
}

#[test]
fn an_extension_of_the_descriptor_before_the_body_says_where_in_a_group_a_message_is() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let following =
        Place { encoding: Encoding::NATIVE, coded_character_set: 1208, format: Text::truncated("MQSTR") };
    let extension = |message_sequence_number| DescriptorExtension {
        following,
        flags: 0,
        group_id: GroupId([5; 24]),
        message_sequence_number,
        offset: 0,
        message_flags: MessageFlags::LAST_MSG_IN_GROUP,
        original_length: -1,
    };
    let with_extension = |number| {
        let headers = vec![Header::DescriptorExtension(extension(number))];
        let chain = Chain { headers, place: following, data: Bytes::from_static(b"text") };
        let (place, body) = chain.write(Encoding::NATIVE, 1208).unwrap();
        let mut descriptor = message(false);
        place.describe(&mut descriptor);
        (descriptor, body)
    };
    let mut put = |descriptor: &MessageDescriptor, body: Bytes| {
        let put = one.connection.put(queue, descriptor, &PutOptions::default(), body);
        bench.open(put).map(|done| done.descriptor)
    };
    let (descriptor, body) = with_extension(3);
    let filled = put(&descriptor, body.clone()).unwrap();
    assert_eq!((*filled.group_id, filled.message_sequence_number), (GroupId([5; 24]), 3));
    // Beside fields of groups in the descriptor itself it is data.
    let beside =
        MessageDescriptor { message_flags: MessageFlags::SEGMENTATION_ALLOWED, ..descriptor.clone() };
    assert!(put(&beside, body.clone()).is_ok());
    let changed = |at: usize, number: i32| {
        let mut changed = body.to_vec();
        changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
        Bytes::from(changed)
    };
    // Identifier, length and a cut: none is an extension, whatever the descriptor says itself.
    for wrong in [body.slice(..40), changed(0, 0), changed(8, 76), changed(8, 71)] {
        for descriptor in [&descriptor, &beside] {
            assert_eq!(put(descriptor, wrong.clone()).map(drop), Err(Reason::MDE_ERROR), "{wrong:?}");
        }
    }
    // Another version, or numbers that cannot be read here: data.
    let of_another_version = changed(4, 3);
    let unread = MessageDescriptor { encoding: Encoding(0x1000), ..descriptor.clone() };
    for (descriptor, body) in [(&descriptor, &of_another_version), (&unread, &body)] {
        let filled = put(descriptor, body.clone()).unwrap();
        assert_eq!((filled.format.as_str(), *filled.group_id), ("MQHMDE", GroupId::NONE));
    }
    let (descriptor, body) = with_extension(0);
    assert_eq!(put(&descriptor, body).map(drop), Err(Reason::MSG_SEQ_NUMBER_ERROR));
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = one.get_with(queue, &MessageDescriptor::default(), &options, 1000).unwrap();
    assert_eq!((&got.body[..], got.descriptor.format.as_str()), (&b"text"[..], "MQSTR"));
    assert!(got.descriptor.message_flags.contains(MessageFlags::MSG_IN_GROUP));
    for _ in 0..3 {
        let got = one.get_with(queue, &MessageDescriptor::default(), &options, 1000).unwrap();
        assert_eq!(got.descriptor.format.as_str(), "MQHMDE");
    }
}

#[test]
fn a_crash_leaves_all_segments_or_none_whatever_of_the_log_survives() {
    let mut seen = [0; 2];
    for seed in 0..60 {
        let survival = [Survival::Nothing, Survival::Everything, Survival::InOrder][seed as usize % 3];
        let bench = Bench::with(settings(), seed);
        bench.mqsc("DEFINE QLOCAL(Q) MAXMSGL(1000)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let split = MessageDescriptor { message_flags: MessageFlags::SEGMENTATION_ALLOWED, ..message(true) };
        let body = Bytes::from(vec![7; 4500]);
        let flags = if seed % 2 == 0 { PutFlags::NO_SYNCPOINT } else { PutFlags::SYNCPOINT };
        let put = one.connection.put(queue, &split, &PutOptions::with(flags), body.clone());
        let committed = one.connection.commit(None);
        let is_told = seed % 4 < 2;
        if is_told {
            bench.open(put).unwrap();
            bench.open(committed).unwrap();
        } else if seed % 4 == 2 {
            bench.manager.drive();
        }
        let bench = bench.crash(survival);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let got = complete(&mut one, queue, GetFlags::SYNCPOINT);
        match &got {
            Ok(got) => assert_eq!(*got, body),
            Err(reason) => assert_eq!((*reason, is_told), (Reason::NO_MSG_AVAILABLE, false)),
        }
        seen[usize::from(got.is_ok())] += 1;
        assert_eq!(one.back(), Ok(()));
        assert_eq!(bench.depth("Q"), if got.is_ok() { 5 } else { 0 }, "seed {seed}");
        // The same of a get that nobody is told of.
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::COMPLETE_MSG, Wait::No);
        let any = MessageDescriptor::default();
        if let Get::Waiting = one.connection.get(Ask::new(queue, &any, &options, 1 << 20, WaitToken(5))) {
            bench.run_jobs();
        }
        if seed % 5 == 0 {
            bench.manager.drive();
        }
        drop(one);
        let bench = bench.crash(survival);
        let depth = bench.depth("Q");
        assert!(depth == 0 || got.is_ok() && depth == 5, "seed {seed}: {depth} of 5 segments are left");
    }
    assert!(seen.iter().all(|count| *count > 5), "both come about: {seen:?}");
}
