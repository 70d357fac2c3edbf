//! Messages and states that no bridge should meet.

use std::time::Duration;

use ferry_bridge::definitions::Direction;
use mqi::{MessageDescriptor, OpenOptions, PutFlags, PutOptions, Reason, Text, Verbs as _, constants};

use crate::installation::{
    Bridge, Installation, PATIENCE, Pair, arrives_at, eventually, get, open, put, put_on, taken_from,
};

const STATE_QUEUE: &str = "SYSTEM.FERRY.BRIDGE.STATE";

/// The reason in the header of the next dead letter.
fn dead_letter(pair: &Pair) -> i32 {
    let mut connection = pair.left.connect();
    let from = open(&mut connection, "DLQ", OpenOptions::INPUT_SHARED);
    let (descriptor, body) = get(&mut connection, from, PATIENCE).expect("a dead letter");
    assert_eq!(descriptor.format.as_str(), constants::MQFMT_DEAD_LETTER_HEADER.trim());
    i32::from_le_bytes(body[8..12].try_into().unwrap())
}

#[test]
fn a_message_without_a_transmission_header_is_a_dead_letter_and_holds_no_other_up() {
    let pair = Pair::of(Direction::Out, "");
    let mut left = pair.left.connect();
    let connector = open(&mut left, "K1", OpenOptions::OUTPUT);
    put(&mut left, connector, b"no header").unwrap();
    // A header that is cut does not come so far.
    let format = Text::truncated(constants::MQFMT_XMIT_Q_HEADER);
    let mut cut = MessageDescriptor { format, ..MessageDescriptor::default() };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
    let refused = left.put(connector, &mut cut, &mut options, b"XQH \x01\0\0\0cut"[..].into());
    assert_eq!(refused, Err(Reason::XQH_ERROR));
    let to = open(&mut left, "THERE", OpenOptions::OUTPUT);
    put(&mut left, to, b"whole").unwrap();
    let _bridge = Bridge::start(&pair.left);
    let mut right = pair.right.connect();
    let from = open(&mut right, "IN", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut right, from, PATIENCE).expect("it arrives").1, b"whole");
    assert_eq!(dead_letter(&pair), constants::MQFB_XMIT_Q_MSG_ERROR);
}

#[test]
fn a_message_in_a_circle_of_two_pipes_is_a_dead_letter_after_64_bridges() {
    let pair = Pair::of(Direction::Out, "");
    pair.right.define(&["DEFINE QLOCAL(LEAVING)"]);
    pair.left.define(&[
        "DEFINE QREMOTE(CIRCLE) RNAME(LEAVING) RQMNAME(K1)",
        "DEFINE PIPE(K1.IN) BRIDGE(K1) DIRECT(IN) QUEUE(CIRCLE) FOREIGN('LEAVING')",
    ]);
    let _bridge = Bridge::start(&pair.left);
    let mut left = pair.left.connect();
    let to = open(&mut left, "CIRCLE", OpenOptions::OUTPUT);
    put(&mut left, to, b"round and round").unwrap();
    assert_eq!(dead_letter(&pair), constants::MQFB_MAX_ACTIVITIES);
    eventually("the circle is empty", || {
        (pair.left.depth("K1") + pair.right.depth("LEAVING") == 0).then_some(())
    });
    assert_eq!(pair.left.depth("DLQ"), 0);
}

/// Takes the messages of the state queue whose text begins so, and puts them again as `edit` says.
fn edit_states(of: &Installation, head: &str, edit: impl Fn(&str) -> Option<String>) {
    let mut connection = of.connect();
    let queue = open(&mut connection, STATE_QUEUE, OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    let mut found = Vec::new();
    while let Some(record) = get(&mut connection, queue, Duration::ZERO) {
        found.push(record);
    }
    let mut edited = 0;
    for (mut descriptor, body) in found {
        let text = String::from_utf8(body).unwrap();
        let is_meant = text.starts_with(head);
        edited += usize::from(is_meant);
        let Some(text) = (if is_meant { edit(&text) } else { Some(text) }) else { continue };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
        connection.put(queue, &mut descriptor, &mut options, text.into_bytes().into()).unwrap();
    }
    assert!(edited > 0, "no state begins with {head}");
}

#[test]
fn a_state_or_seat_that_was_deleted_or_edited_stops_the_pipe_and_moves_nothing() {
    const STATE: &str = "ferry-bridge-state";
    let of_line = |text: &str| Some(text.replace("used=1", "used=7"));
    let ahead = |text: &str| Some(text.replace("batch=1\n", "batch=9\n"));
    let gone = |_: &str| None;
    type Edit<'e> = (&'e str, &'e dyn Fn(&str) -> Option<String>, &'e str);
    let edits: [Edit<'_>; 4] = [
        (STATE, &of_line, "cannot be read at \"used\""),
        (STATE, &ahead, "is stopped"),
        (STATE, &gone, "is stopped"),
        ("ferry-bridge-seat", &|text| Some(text.replace("epoch=", "epoch=x")), "cannot be read at \"epoch\""),
    ];
    for way in [Direction::Out, Direction::In] {
        for (head, edit, said) in edits {
            let pair = Pair::of(way, "");
            let mut source = pair.source(way).connect();
            let to = open(&mut source, put_on(way), OpenOptions::OUTPUT);
            put(&mut source, to, b"before").unwrap();
            let bridge = Bridge::start(&pair.left);
            eventually("it arrived", || (pair.target(way).depth(arrives_at(way)) == 1).then_some(()));
            assert!(bridge.end().success());
            edit_states(pair.source(way), head, edit);
            put(&mut source, to, b"behind").unwrap();
            let mut bridge = Bridge::heard(&pair.left, &[]);
            bridge.wait_for(said);
            assert_eq!(pair.target(way).depth(arrives_at(way)), 1, "{way:?} {said}");
            assert_eq!(pair.source(way).depth(taken_from(way)), 1, "{way:?} {said}");
        }
    }
}
