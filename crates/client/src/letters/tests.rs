//! Letters come out as they went in, in order.

use super::*;
use ::channel::client::delivered;
use ::channel::{Conversation, Header, Kind, Outlet, Output, RequestNumber, SharedBodies};
use mqi::{MessageDescriptor, ObjectHandle};

const MESSAGE_BYTES_MAX: u32 = 1 << 20;

/// The frame of a message whose number is its body, so often.
fn written(number: u32, times: usize) -> Vec<u8> {
    let body = number.to_le_bytes().repeat(times);
    let length = body.len() as u32;
    let message = Message {
        warning: None,
        data_length: length,
        resolved_queue_name: ObjectName::BLANK,
        message_token: MessageToken::NONE,
        for_handle: ForHandle::Nothing,
        length,
        body: &[],
    };
    let header = Header::new(Kind::Delivered, Conversation(1), RequestNumber(0));
    let header = if is_even(number) { header.with(Flags::RESERVED) } else { header };
    let (mut output, to) = (Output::default(), (ObjectHandle(1), number));
    let mut outlet = Outlet { output: &mut output, bodies: &mut SharedBodies::default() };
    delivered(&mut outlet, header, to, &message, &MessageDescriptor::default(), body.into(), 1 << 19);
    output.to_vec()
}

/// Messages of these numbers, each third of which has its body apart.
fn letters(numbers: impl IntoIterator<Item = u32>) -> Letters {
    let mut letters = Letters::default();
    for number in numbers {
        let bytes = written(number, 3);
        let frame = Frame::decode(&bytes, u32::MAX).unwrap().unwrap();
        if number.is_multiple_of(3) {
            let (head, body) = frame.payload.split_at(frame.payload.len() - 12);
            let mut one = Letters::without_body(&Frame { payload: head, ..frame });
            one.attach(Bytes::copy_from_slice(body));
            letters.append(&mut one);
        } else {
            letters.push(&frame);
        }
    }
    letters
}

/// Takes the first message in one of both ways; its number.
fn take(letters: &mut Letters, seen: &mut DeltaReader) -> Option<u32> {
    let opened = letters.open(MESSAGE_BYTES_MAX, seen).unwrap()?;
    let mut body = Vec::new();
    if letters.count() % 4 < 2 {
        body.extend_from_slice(&letters.take_body(&opened));
    } else {
        letters.lend_body(&opened, &mut |lent| body.extend_from_slice(lent));
    }
    let number = u32::from_le_bytes(*body.first_chunk().unwrap());
    assert_eq!(body, number.to_le_bytes().repeat(3));
    assert_eq!(
        (opened.is_reserved, opened.number),
        (is_even(number), if is_even(number) { number } else { 0 })
    );
    Some(number)
}

fn is_even(number: u32) -> bool {
    number.is_multiple_of(2)
}

fn taken(mut letters: Letters) -> Vec<u32> {
    let (mut seen, mut count) = (DeltaReader::default(), letters.count());
    let all = std::iter::from_fn(|| {
        let number = take(&mut letters, &mut seen)?;
        count -= 1;
        assert_eq!((letters.count(), letters.is_empty()), (count, count == 0));
        Some(number)
    });
    all.collect()
}

#[test]
fn messages_leave_in_the_order_they_came_with_their_own_bodies() {
    let all: Vec<u32> = (0..50).collect();
    assert_eq!(taken(letters(0..50)), all);
    let (mut first, mut seen) = (letters(0..20), DeltaReader::default());
    (0..7).for_each(|number| assert_eq!(take(&mut first, &mut seen), Some(number)));
    let mut rest = letters(20..50);
    first.append(&mut rest);
    assert!(rest.is_empty());
    assert_eq!(taken(first), all[7..]);
}

#[test]
fn what_is_not_kept_goes_with_its_body_and_one_that_is_chosen_comes_first() {
    let mut all = letters(0..12);
    all.retain(|frame| !is_reserved(frame));
    assert_eq!(taken(all), [1, 3, 5, 7, 9, 11]);
    let (mut all, mut seen) = (letters(0..12), DeltaReader::default());
    assert_eq!(take(&mut all, &mut seen), Some(0));
    all.bring_forward(8);
    assert_eq!(taken(all), [9, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11]);
}

#[test]
fn one_who_is_always_a_little_behind_does_not_keep_what_was_taken() {
    let (mut behind, mut seen) = (letters(0..3), DeltaReader::default());
    for number in 0..10_000 {
        behind.append(&mut letters([number + 3]));
        assert_eq!(take(&mut behind, &mut seen), Some(number));
    }
    assert!(behind.frames.capacity() < 10_000, "{} bytes", behind.frames.capacity());
    assert_eq!(taken(behind), [10_000, 10_001, 10_002]);
}

#[test]
fn memory_is_used_again_unless_it_is_much() {
    let mut letters = letters([1]);
    letters.clear();
    assert!(letters.frames.capacity() > 0);
    letters.frames.reserve(KEPT_BYTES_MAX + 1);
    letters.clear();
    assert_eq!(letters.frames.capacity(), 0);
}

#[test]
fn a_message_that_claims_more_than_came_with_it_is_refused() {
    let mut bytes = written(1, 3);
    bytes.truncate(bytes.len() - 1);
    let length = (bytes.len() - 4) as u32;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    let mut letters = Letters::default();
    letters.push(&Frame::decode(&bytes, u32::MAX).unwrap().unwrap());
    let opened = letters.open(MESSAGE_BYTES_MAX, &mut DeltaReader::default());
    assert!(matches!(opened, Err(Error::Wire(wire::Error::Cut { .. }))), "{opened:?}");
}

#[test]
fn a_message_that_claims_another_length_than_its_body_has_is_refused() {
    let bytes = written(1, 3);
    let frame = Frame::decode(&bytes, u32::MAX).unwrap().unwrap();
    let (head, body) = frame.payload.split_at(frame.payload.len() - 12);
    for (length, is_refused) in [(11, true), (12, false), (13, true)] {
        let mut letters = Letters::without_body(&Frame { payload: head, ..frame });
        letters.attach(Bytes::copy_from_slice(&[body, &[0]].concat()[..length]));
        let opened = letters.open(MESSAGE_BYTES_MAX, &mut DeltaReader::default());
        assert_eq!(
            matches!(opened, Err(Error::Wire(wire::Error::Cut { .. }))),
            is_refused,
            "{length}: {opened:?}"
        );
    }
}
