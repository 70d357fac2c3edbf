//! Costs that do not grow with the depth of a queue: the number of messages passed to find the places of
//! those that come back to its middle, or are committed there.

use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, ObjectHandle, Priority, PutFlags, Wait,
};
use queue_manager::Settings;

use crate::support::*;

/// Messages of the unit of work.
const MESSAGES: usize = 500;

/// Most messages that are passed for one that finds its place in the order and in an index.
const PASSED_MAX: usize = 100;

const OF_ALL: CorrelationId = CorrelationId([7; 24]);

/// A queue with an index, in the middle of which are messages of a unit of work, between those of another.
struct Deep {
    bench: Bench,
    one: Session,
    other: Session,
    queue: ObjectHandle,
    others: ObjectHandle,
    /// The messages of the unit.
    ids: Vec<MessageId>,
}

impl Deep {
    fn new(depth: usize, sequence: &str, put: PutFlags) -> Self {
        let bench = Bench::with(Settings { uncommitted_messages_max: 100_000, ..settings() }, 1);
        bench.mqsc(&format!("DEFINE QLOCAL(Q) MAXDEPTH(999999) MSGDLVSQ({sequence})"));
        let (mut one, mut other) = (bench.connect(), bench.connect());
        let (queue, others) = (one.open("Q", INPUT | OUTPUT), other.open("Q", INPUT | OUTPUT));
        fill(&mut one, queue, depth / 2);
        let absent = MessageDescriptor { correlation_id: CorrelationId([8; 24]), ..numbered(0) };
        assert!(
            one.get_with(queue, &absent, &GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No), 100).is_err()
        );
        let ids = (0..MESSAGES).map(|number| {
            let done = one.try_put(queue, &numbered(number), put, &number.to_string()).unwrap();
            other.try_put(others, &numbered(number), put, "of another").unwrap();
            done.descriptor.message_id
        });
        let ids = ids.collect();
        fill(&mut other, others, depth / 2);
        Self { bench, one, other, queue, others, ids }
    }

    /// Number of messages passed so far, of all that found a place.
    fn passed(&self) -> usize {
        self.bench
            .manager
            .figures()
            .queue_counters()
            .iter()
            .map(|(_, counters)| counters.passed as usize)
            .sum()
    }

    fn get_unit(&mut self) {
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        for id in &self.ids {
            let wanted = MessageDescriptor { message_id: *id, ..MessageDescriptor::default() };
            self.one.get_with(self.queue, &wanted, &options, 100).unwrap();
        }
    }

    /// The messages of the unit in the order in which they are given out.
    fn order(&mut self) -> Vec<usize> {
        let mut order = Vec::new();
        while let Ok(body) = self.other.get(self.others) {
            order.extend(body.parse::<usize>());
        }
        order
    }
}

fn numbered(number: usize) -> MessageDescriptor {
    let priority = Priority::new(u8::try_from(number % 3).unwrap());
    MessageDescriptor { priority, correlation_id: OF_ALL, ..message(false) }
}

fn fill(session: &mut Session, queue: ObjectHandle, messages: usize) {
    for number in 0..messages {
        session.try_put(queue, &numbered(number), PutFlags::NO_SYNCPOINT, "of nobody").unwrap();
    }
}

fn expected(sequence: &str) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..MESSAGES).collect();
    if sequence == "PRIORITY" {
        numbers.sort_by_key(|number| 2 - number % 3);
    }
    numbers
}

#[test]
fn a_unit_of_work_ends_at_the_same_cost_in_the_middle_of_any_depth() {
    for sequence in ["FIFO", "PRIORITY"] {
        for depth in [1_000, 40_000] {
            let mut deep = Deep::new(depth, sequence, PutFlags::SYNCPOINT);
            deep.one.commit().unwrap();
            let of_one = deep.passed();
            deep.other.commit().unwrap();
            let of_other = deep.passed() - of_one;
            assert!(of_one.max(of_other) <= MESSAGES * PASSED_MAX, "puts: {of_one} {of_other} at {depth}");
            deep.get_unit();
            let before = deep.passed();
            deep.one.back().unwrap();
            let of_backout = deep.passed() - before;
            assert!(of_backout <= MESSAGES * PASSED_MAX, "gets that come back: {of_backout} at {depth}");
            deep.get_unit();
            let before = deep.passed();
            assert_eq!(deep.bench.depth("Q"), (depth + MESSAGES) as i32);
            deep.one.back().unwrap();
            assert!(deep.passed() - before <= MESSAGES * PASSED_MAX);
            assert_eq!(deep.order(), expected(sequence));
        }
    }
}

#[test]
fn gets_that_stand_pass_no_message() {
    let mut deep = Deep::new(10_000, "PRIORITY", PutFlags::NO_SYNCPOINT);
    deep.get_unit();
    let before = deep.passed();
    deep.one.commit().unwrap();
    assert_eq!(deep.passed(), before);
    assert_eq!(deep.order(), []);
}

#[test]
fn messages_that_come_back_one_by_one_find_their_places_without_passing_all_others() {
    let mut deep = Deep::new(40_000, "PRIORITY", PutFlags::NO_SYNCPOINT);
    let before = deep.passed();
    let ids = deep.ids.clone();
    for id in ids.iter().rev().step_by(7) {
        deep.ids = vec![*id];
        deep.get_unit();
        deep.one.back().unwrap();
    }
    let passed = deep.passed() - before;
    assert!(passed <= MESSAGES * PASSED_MAX, "{passed}");
    assert_eq!(deep.order(), expected("PRIORITY"));
}
