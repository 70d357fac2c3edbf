//! Gets by identifier, at depth.

use mqi::{
    CorrelationId, GetFlags, GetOptions, GroupId, MatchOptions, MessageDescriptor, MessageFlags, PutFlags,
    Reason, Wait,
};

use crate::support::*;

fn by_correlation(number: u32) -> MessageDescriptor {
    let mut id = [0xC0; 24];
    id[..4].copy_from_slice(&number.to_le_bytes());
    MessageDescriptor { correlation_id: CorrelationId(id), ..message(false) }
}

#[test]
fn a_message_is_found_by_its_identifiers() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let mut ids = Vec::new();
    for number in 0..10_000 {
        let done = one.try_put(queue, &by_correlation(number), PutFlags::EMPTY, &number.to_string()).unwrap();
        ids.push(done.descriptor.message_id);
    }
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    for number in (0..10_000).rev().step_by(7) {
        let got = one.get_with(queue, &by_correlation(number), &options, 100).unwrap();
        assert_eq!(text(&got), number.to_string());
        assert_eq!(got.descriptor.message_id, ids[number as usize]);
        let again = one.get_with(queue, &by_correlation(number), &options, 100);
        assert_eq!(again.unwrap_err(), Reason::NO_MSG_AVAILABLE);
    }
    let wanted = MessageDescriptor { message_id: ids[1], ..Default::default() };
    assert_eq!(text(&one.get_with(queue, &wanted, &options, 100).unwrap()), "1");
    // The rest is still in order.
    assert_eq!(one.get(queue).as_deref(), Ok("0"));
    assert_eq!(one.get(queue).as_deref(), Ok("2"), "1 was taken by its identifier");
    assert_eq!(one.get(queue).as_deref(), Ok("4"), "3 was taken by the loop");
}

#[test]
fn both_identifiers_must_agree_when_both_are_given() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let done = one.try_put(queue, &by_correlation(1), PutFlags::EMPTY, "x").unwrap();
    let message_id = done.descriptor.message_id;
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let wrong = MessageDescriptor { message_id, ..by_correlation(2) };
    assert_eq!(one.get_with(queue, &wrong, &options, 9).unwrap_err(), Reason::NO_MSG_AVAILABLE);
    let ignoring = GetOptions { match_options: MatchOptions::MATCH_MSG_ID, ..options };
    assert_eq!(text(&one.get_with(queue, &wrong, &ignoring, 9).unwrap()), "x");
}

#[test]
fn members_of_a_group_are_found_by_group_and_place() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for group in 1..=20_u8 {
        for place in 1..=3 {
            let descriptor = MessageDescriptor {
                group_id: GroupId([group; 24]).into(),
                message_sequence_number: place,
                message_flags: MessageFlags::MSG_IN_GROUP,
                ..message(false)
            };
            one.try_put(queue, &descriptor, PutFlags::EMPTY, &format!("{group}.{place}")).unwrap();
        }
    }
    let wanted = MessageDescriptor {
        group_id: GroupId([9; 24]).into(),
        message_sequence_number: 2,
        ..Default::default()
    };
    let options = GetOptions {
        match_options: MatchOptions::MATCH_GROUP_ID | MatchOptions::MATCH_MSG_SEQ_NUMBER,
        ..GetOptions::default()
    };
    assert_eq!(text(&one.get_with(queue, &wanted, &options, 9).unwrap()), "9.2");
    assert_eq!(one.get_with(queue, &wanted, &options, 9).unwrap_err(), Reason::NO_MSG_AVAILABLE);
}
