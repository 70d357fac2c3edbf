use mqi::{GroupId, MessageDescriptor, MessageFlags, Reason};
use storage::GroupHead;

use super::{Calls, Course, Courses, Manner};
use crate::message::group_place::{self, Key};

const HANDLE: i32 = 7;

fn manner(in_order: bool) -> Manner {
    Manner { in_order, within_unit: true, persistent: true }
}

fn flags(letters: &str) -> MessageFlags {
    letters.chars().fold(MessageFlags::EMPTY, |flags, letter| {
        flags
            | match letter {
                'g' => MessageFlags::MSG_IN_GROUP,
                'G' => MessageFlags::LAST_MSG_IN_GROUP,
                's' => MessageFlags::SEGMENT,
                'S' => MessageFlags::LAST_SEGMENT,
                'a' => MessageFlags::SEGMENTATION_ALLOWED,
                other => panic!("no flag {other}"),
            }
    })
}

/// Puts of one handle, one after the other, each of 10 bytes.
#[derive(Default)]
struct Putter {
    courses: Courses,
    groups: u8,
}

impl Putter {
    fn put(
        &mut self,
        given: &MessageDescriptor,
        manner: Manner,
    ) -> Result<(MessageDescriptor, Option<Reason>), Reason> {
        let numbered = self.courses.of(HANDLE, Calls::Puts).number(given, manner)?;
        let mut filled = given.clone();
        let remark = numbered.fill(&mut filled, 10, || {
            self.groups += 1;
            GroupId([self.groups; 24])
        })?;
        let place = group_place::place_of(&filled, 10);
        let key = Key { group_id: filled.group_id.0, feedback: 0 };
        let key = group_place::is_member(&place).then_some(key);
        self.courses.note((HANDLE, Calls::Puts), key, &place, manner, None);
        Ok((filled, remark))
    }

    fn in_order(&mut self, letters: &str) -> Result<(u8, i32, i32), Reason> {
        let given = MessageDescriptor { message_flags: flags(letters), ..MessageDescriptor::default() };
        let (filled, remark) = self.put(&given, manner(true))?;
        assert_eq!(remark, None);
        Ok((filled.group_id.0[0], filled.message_sequence_number, filled.offset))
    }
}

#[test]
fn in_logical_order_the_queue_manager_numbers_messages_and_segments() {
    let mut putter = Putter::default();
    for (letters, expected) in [
        ("", (0, 1, 0)),
        ("a", (1, 1, 0)),
        ("g", (2, 1, 0)),
        ("g", (2, 2, 0)),
        ("gs", (2, 3, 0)),
        ("gs", (2, 3, 10)),
        ("gS", (2, 3, 20)),
        ("G", (2, 4, 0)),
        ("s", (3, 1, 0)),
        ("sa", (3, 1, 10)),
        ("S", (3, 1, 20)),
        ("G", (4, 1, 0)),
        ("", (0, 1, 0)),
    ] {
        assert_eq!(putter.in_order(letters), Ok(expected), "{letters}");
    }
}

#[test]
fn what_does_not_go_on_is_refused_and_the_group_stays_where_it_was() {
    for (begun, refused, reason) in [
        ("g", "", Reason::INCOMPLETE_GROUP),
        ("g", "s", Reason::INCOMPLETE_GROUP),
        ("gs", "g", Reason::INCOMPLETE_MSG),
        ("gs", "s", Reason::INCOMPLETE_MSG),
        ("gs", "Gs", Reason::INCOMPLETE_MSG),
        ("s", "gs", Reason::INCOMPLETE_MSG),
        ("s", "", Reason::INCOMPLETE_MSG),
    ] {
        let mut putter = Putter::default();
        let (group, ..) = putter.in_order(begun).expect("any message may begin");
        assert_eq!(putter.in_order(refused), Err(reason), "{refused} after {begun}");
        let (same_group, ..) = putter.in_order(begun).expect("it goes on");
        assert_eq!(same_group, group);
    }
}

#[test]
fn persistence_and_unit_of_work_are_those_of_the_first() {
    let message = MessageDescriptor { message_flags: flags("g"), ..MessageDescriptor::default() };
    for (changed, reason) in [
        (Manner { persistent: false, ..manner(true) }, Reason::INCONSISTENT_PERSISTENCE),
        (Manner { within_unit: false, ..manner(true) }, Reason::INCONSISTENT_UOW),
    ] {
        let mut putter = Putter::default();
        assert!(putter.put(&message, manner(true)).is_ok());
        assert_eq!(putter.put(&message, changed).map(drop), Err(reason));
        // Out of order the same is a remark, if the message goes on at all.
        let next = MessageDescriptor {
            group_id: GroupId([1; 24]).into(),
            message_sequence_number: 2,
            ..message.clone()
        };
        let (_, remark) = putter.put(&next, Manner { in_order: false, ..changed }).expect("it is put");
        assert_eq!(remark, Some(reason));
    }
}

#[test]
fn a_program_may_go_on_in_the_middle_of_a_group() {
    let mut putter = Putter::default();
    let middle = MessageDescriptor {
        message_flags: flags("g"),
        group_id: GroupId([9; 24]).into(),
        message_sequence_number: 5,
        ..MessageDescriptor::default()
    };
    assert_eq!(putter.put(&middle, manner(false)).map(|(_, remark)| remark), Ok(None));
    assert_eq!(putter.in_order("G"), Ok((9, 6, 0)));
}

#[test]
fn leaving_a_group_in_the_middle_is_remarked_on() {
    let mut putter = Putter::default();
    assert!(putter.in_order("g").is_ok());
    let lone = MessageDescriptor::default();
    let remark = putter.put(&lone, manner(false)).map(|(_, remark)| remark);
    assert_eq!(remark, Ok(Some(Reason::INCOMPLETE_GROUP)));
    assert_eq!(putter.courses.close(HANDLE), None);
    assert!(putter.in_order("gs").is_ok());
    assert_eq!(putter.courses.close(HANDLE), Some(Reason::INCOMPLETE_MSG));
    assert!(!putter.courses.are_used());
    assert!(putter.in_order("G").is_ok());
}

#[test]
fn a_place_that_no_message_may_have_is_refused() {
    let mut putter = Putter::default();
    let given = |letters, offset, original_length| MessageDescriptor {
        message_flags: flags(letters),
        offset,
        original_length,
        ..MessageDescriptor::default()
    };
    let refused = putter.put(&given("s", 999_999_995, 0), manner(false)).map(drop);
    assert_eq!(refused, Err(Reason::OFFSET_ERROR));
    for (original_length, expected) in [(9, false), (10, true), (11, true)] {
        let report =
            MessageDescriptor { message_type: mqi::MessageType::REPORT, ..given("s", 0, original_length) };
        let put = putter.put(&report, manner(false)).map(drop);
        assert_eq!(put, if expected { Ok(()) } else { Err(Reason::ORIGINAL_LENGTH_ERROR) });
    }
    let mut empty = given("s", 0, -1);
    let numbered = Course::default().number(&empty, manner(true)).expect("it may begin");
    let filled = numbered.fill(&mut empty, 0, || GroupId([1; 24])).map(drop);
    assert_eq!(filled, Err(Reason::SEGMENT_LENGTH_ZERO));
}

#[test]
fn a_get_that_does_not_go_on_is_remarked_on_and_one_in_another_manner_refused() {
    let courses = Courses::default();
    let key = Key { group_id: [3; 24], feedback: 0 };
    let place = |number, letters: &str| GroupHead {
        flags: u8::try_from(flags(letters).bits()).expect("a byte"),
        sequence_number: number,
        ..GroupHead::default()
    };
    courses.note((HANDLE, Calls::Gets), Some(key), &place(1, "g"), manner(true), None);
    let judge = |key, place: &GroupHead, manner| courses.judge_get(HANDLE, key, place, manner);
    let outside = |in_order| Manner { within_unit: false, ..manner(in_order) };
    assert_eq!(judge(Some(key), &place(2, "g"), manner(true)), Ok(None));
    assert_eq!(judge(Some(key), &place(2, "g"), outside(true)), Err(Reason::INCONSISTENT_UOW));
    assert_eq!(judge(Some(key), &place(2, "g"), outside(false)), Ok(Some(Reason::INCONSISTENT_UOW)));
    assert_eq!(judge(Some(key), &place(3, "g"), manner(false)), Ok(Some(Reason::INCOMPLETE_GROUP)));
    assert_eq!(judge(None, &GroupHead::default(), manner(false)), Ok(Some(Reason::INCOMPLETE_GROUP)));
}
