//! The index beside a list that is searched: random arrivals and departures, every answer compared after
//! each.

use proptest::prelude::*;
use storage::GroupHead;

use super::super::order::Position;
use super::{Groups, Key, Member, Readiness};

const IN_GROUP: u8 = 8;
const LAST_IN_GROUP: u8 = 16 | IN_GROUP;
const SEGMENT: u8 = 2;
const LAST_SEGMENT: u8 = 4 | SEGMENT;

/// The rules, by searching.
#[derive(Default)]
struct Naive(Vec<Member>);

impl Naive {
    fn first(&self, key: &Key, number: i32, offset: i32) -> Option<&Member> {
        let there = |member: &&Member| {
            member.key == *key && (member.place.sequence_number, member.place.offset) == (number, offset)
        };
        self.0.iter().filter(there).min_by_key(|member| member.position)
    }

    fn segments(&self, key: &Key, number: i32) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        let mut offset = 0;
        loop {
            let member = self.first(key, number, offset)?;
            found.push(member.slot);
            match member.place.flags {
                flags if flags & SEGMENT == 0 => return (offset == 0).then_some(found),
                flags if flags & LAST_SEGMENT == LAST_SEGMENT => return Some(found),
                _ if member.place.length <= 0 => return None,
                _ => offset += member.place.length,
            }
        }
    }

    fn is_complete(&self, key: &Key) -> bool {
        let ends = |member: &&Member| member.place.flags & LAST_IN_GROUP != IN_GROUP;
        let of_group = self.0.iter().filter(|member| member.key == *key);
        let last = of_group.filter(ends).map(|member| member.place.sequence_number).min();
        last.is_some_and(|last| (1..=last).all(|number| self.segments(key, number).is_some()))
    }

    fn is_ready(&self, key: &Key, number: i32, readiness: Readiness) -> bool {
        match readiness {
            Readiness::First => self.0.iter().any(|member| member.key == *key),
            Readiness::Message => self.segments(key, number).is_some(),
            Readiness::Group => self.is_complete(key),
        }
    }

    fn first_head(&self, readiness: Readiness, after: Option<Position>) -> Option<(Position, u32)> {
        let is_head =
            |member: &&Member| self.first(&member.key, 1, 0).is_some_and(|head| head.slot == member.slot);
        let heads = self.0.iter().filter(is_head);
        heads
            .filter(|head| self.is_ready(&head.key, 1, readiness))
            .filter(|head| after.is_none_or(|after| head.position > after))
            .map(|head| (head.position, head.slot))
            .min()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Arrive { group: u8, feedback: i32, number: i32, offset: i32, length: i32, flags: u8, rank: u8 },
    Leave(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let flags = prop_oneof![
        Just(IN_GROUP),
        Just(LAST_IN_GROUP),
        Just(SEGMENT),
        Just(LAST_SEGMENT),
        Just(SEGMENT | IN_GROUP),
        Just(LAST_SEGMENT | IN_GROUP),
        Just(SEGMENT | LAST_IN_GROUP),
        Just(LAST_SEGMENT | LAST_IN_GROUP),
    ];
    // Segments begin at tens and are ten long, most of them; some overlap, some leave a gap, some are empty.
    let length = prop_oneof![8 => Just(10), 1 => Just(20), 1 => Just(0), 1 => Just(7)];
    let arrive = (0..3_u8, prop_oneof![4 => Just(0), 1 => Just(259)], 1..5, 0..4, length, flags, 0..2_u8);
    let arrive = arrive.prop_map(|(group, feedback, number, tens, length, flags, rank)| {
        let offset = if flags & SEGMENT == 0 { 0 } else { tens * 10 };
        Step::Arrive { group, feedback, number, offset, length, flags, rank }
    });
    prop_oneof![3 => arrive, 2 => any::<prop::sample::Index>().prop_map(Step::Leave)]
}

fn compare(groups: &Groups, naive: &Naive) {
    assert_eq!(groups.members(), naive.0.len());
    for member in &naive.0 {
        let Member { key, place, .. } = member;
        let number = place.sequence_number;
        for number in 1..5 {
            for readiness in Readiness::ALL {
                let expected = naive.is_ready(key, number, readiness);
                assert_eq!(
                    groups.is_ready(key, number, readiness),
                    expected,
                    "{key:?} {number} {readiness:?}"
                );
            }
        }
        let expected = naive.first(key, number, place.offset).map(|first| first.slot);
        assert_eq!(groups.at(key, number, place.offset), expected);
        let is_segmented = naive.first(key, number, 0).is_some_and(|first| first.place.flags & SEGMENT != 0);
        if let Some(expected) = naive.segments(key, number).filter(|_| is_segmented) {
            assert_eq!(groups.segments(key, number), expected);
        }
        let mut slots: Vec<u32> = groups.slots(key, Some(number)).collect();
        slots.sort_unstable();
        let of_message =
            |other: &&Member| other.key == *key && other.place.sequence_number == place.sequence_number;
        let mut expected: Vec<u32> = naive.0.iter().filter(of_message).map(|member| member.slot).collect();
        expected.sort_unstable();
        assert_eq!(slots, expected);
    }
    for readiness in Readiness::ALL {
        for after in std::iter::once(None).chain(naive.0.iter().map(|member| Some(member.position))) {
            let expected = naive.first_head(readiness, after);
            assert_eq!(groups.first_head(readiness, after, |_| true), expected, "{readiness:?} {after:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_index_answers_as_a_search_would(steps in prop::collection::vec(step(), 1..50)) {
        let (mut groups, mut naive) = (Groups::new(7), Naive::default());
        let mut left: Vec<Member> = Vec::new();
        for (sequence, step) in (1_u64..).zip(steps) {
            match step {
                Step::Arrive { group, feedback, number, offset, length, flags, rank } => {
                    // Every third comes back to where it was, as after a backout.
                    let member = match left.pop().filter(|_| sequence.is_multiple_of(3)) {
                        Some(member) => member,
                        None => Member {
                            key: Key { group_id: [group + 1; 24], feedback },
                            place: GroupHead { flags, sequence_number: number, offset, length, feedback },
                            position: Position { rank, sequence },
                            slot: u32::try_from(sequence).unwrap(),
                        },
                    };
                    groups.insert(&member);
                    naive.0.push(member);
                }
                Step::Leave(which) if !naive.0.is_empty() => {
                    let member = naive.0.swap_remove(which.index(naive.0.len()));
                    groups.remove(&member);
                    left.push(member);
                }
                Step::Leave(_) => {}
            }
            compare(&groups, &naive);
        }
    }
}

#[test]
fn a_group_as_long_as_any_is_complete_by_its_count() {
    let mut groups = Groups::new(1);
    let key = Key { group_id: [9; 24], feedback: 0 };
    let member = |number: i32| Member {
        key,
        place: GroupHead {
            flags: if number == 100_000 { LAST_IN_GROUP } else { IN_GROUP },
            sequence_number: number,
            ..GroupHead::default()
        },
        position: Position { rank: 0, sequence: number.unsigned_abs().into() },
        slot: number.unsigned_abs(),
    };
    for number in (1..=100_000).rev() {
        assert!(!groups.is_ready(&key, 1, Readiness::Group));
        groups.insert(&member(number));
    }
    assert!(groups.is_ready(&key, 1, Readiness::Group));
    for number in 1..=100_000 {
        groups.remove(&member(number));
        assert!(!groups.is_ready(&key, 1, Readiness::Group));
    }
    assert_eq!(groups.members(), 0);
}
