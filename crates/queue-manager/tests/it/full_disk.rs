//! A full disk: every queue can be emptied, puts are refused at once, and all heals when there is room.

use std::collections::VecDeque;
use std::time::Duration;

use mqi::{GetFlags, GetOptions, MessageDescriptor, PutFlags, Reason, Wait};
use queue_manager::Settings;

use crate::support::*;

/// The thing that a disk has no more of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shortage {
    Bytes,
    Files,
}

/// The order of gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    OldestFirst,
    YoungestFirst,
    /// From each segment of the store and from the log in turn, so that no segment is emptied early.
    Scattered,
}

fn log_of(primary_extents: u32, secondary_extents: u32) -> Settings {
    let extent_bytes = 512 << 10;
    let storage =
        storage::Settings { extent_bytes, primary_extents, secondary_extents, ..settings().storage };
    Settings { storage, checkpoint_interval: Duration::from_secs(86_400), ..settings() }
}

impl Shortage {
    fn begin(self, bench: &Bench) {
        let files = bench.machine.disk.files();
        match self {
            Self::Bytes => {
                bench.machine.disk.set_capacity(Some(files.iter().map(|(_, length)| length).sum()));
            }
            Self::Files => bench.machine.disk.set_files_max(Some(files.len())),
        }
    }

    fn end(bench: &Bench) {
        bench.machine.disk.set_capacity(None);
        bench.machine.disk.set_files_max(None);
    }
}

impl Order {
    fn sort(self, messages: &[[u8; 24]]) -> Vec<[u8; 24]> {
        match self {
            Self::OldestFirst => messages.to_vec(),
            Self::YoungestFirst => messages.iter().rev().copied().collect(),
            Self::Scattered => (0..7).flat_map(|at| messages[at..].iter().step_by(7).copied()).collect(),
        }
    }
}

/// A get that waits for nothing but room; how much time it took.
fn get(bench: &Bench, session: &mut Session, queue: mqi::ObjectHandle, id: [u8; 24]) -> Duration {
    let descriptor = MessageDescriptor { message_id: mqi::MessageId(id), ..MessageDescriptor::default() };
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let mut took = Duration::ZERO;
    let token = match session.begin(queue, &descriptor, &options) {
        Ok(got) => {
            assert_eq!(got, Ok("x".repeat(800)));
            return took;
        }
        Err(token) => token,
    };
    loop {
        bench.run_jobs();
        match session.outcome(token) {
            Some(outcome) => {
                assert_eq!(outcome, Ok("x".repeat(800)), "after {took:?}");
                return took;
            }
            None => {
                bench.pass(Duration::from_millis(10));
                took += Duration::from_millis(10);
            }
        }
    }
}

/// Puts until the log refuses one, or `most` were put. Housekeeping runs as a host has it run.
fn put_many(bench: &Bench, session: &mut Session, queue: mqi::ObjectHandle, most: usize) -> Vec<[u8; 24]> {
    let mut put = Vec::new();
    let body = "x".repeat(800);
    while put.len() < most {
        // As every host holds a put back.
        while bench.manager.log().paces() {
            assert!(bench.run_jobs() > 0, "something is coming");
        }
        match session.try_put(queue, &message(true), PutFlags::NEW_MSG_ID, &body) {
            Ok(done) => put.push(done.descriptor.message_id.0),
            Err(reason) => {
                assert_eq!(reason, Reason::STORAGE_MEDIUM_FULL);
                break;
            }
        }
        bench.run_jobs();
        if put.len() % 50 == 0 {
            bench.pass(Duration::from_millis(100));
        }
    }
    put
}

#[test]
fn every_queue_is_emptied_on_a_full_disk_and_puts_go_on_within_a_second_of_room() {
    for shortage in [Shortage::Bytes, Shortage::Files] {
        for (primary, secondary) in [(2, 4), (4, 0), (3, 1)] {
            for order in [Order::OldestFirst, Order::YoungestFirst, Order::Scattered] {
                let case = format!("{shortage:?}, {primary} + {secondary} extents, {order:?}");
                let bench = Bench::with(log_of(primary, secondary), 1);
                bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
                bench.keep_house();
                let mut one = bench.connect();
                let queue = one.open("Q", INPUT | OUTPUT);
                let mut there = put_many(&bench, &mut one, queue, 1000);
                assert_eq!(there.len(), 1000);
                shortage.begin(&bench);
                there.extend(put_many(&bench, &mut one, queue, 5000));
                assert!(there.len() < 6000, "{case}: the log has room without end");
                let mut left: VecDeque<_> = order.sort(&there).into();
                let mut got = 0;
                while let Some(id) = left.pop_front() {
                    got += 1;
                    let took = get(&bench, &mut one, queue, id);
                    assert!(took < Duration::from_secs(1), "{case}: {took:?} with {} left", left.len());
                    if got % 20 == 0 {
                        bench.pass(Duration::from_millis(10));
                    }
                    // A program that puts whenever it can.
                    if got % 50 == 0 {
                        left.extend(put_many(&bench, &mut one, queue, 5));
                    }
                }
                Shortage::end(&bench);
                for _ in 0..9 {
                    bench.pass(Duration::from_millis(100));
                    bench.run_jobs();
                }
                one.put(queue, true, "again");
                assert_eq!(bench.depth("Q"), 1, "{case}");
            }
        }
    }
}

/// The checkpoint that could make room waits for a device that does not answer.
#[test]
fn on_a_full_disk_a_put_is_held_back_for_less_than_a_second() {
    let bench = Bench::with(log_of(2, 4), 1);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    bench.keep_house();
    Shortage::Bytes.begin(&bench);
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    while !bench.manager.log().paces() {
        one.put(queue, true, &"x".repeat(800));
    }
    // The checkpoint does not come to an end; what is to make an extent fails.
    let _checkpoint = bench.manager.take_job().expect("a checkpoint is due");
    bench.manager.take_job().expect("an extent is needed").run();
    assert!(bench.host.events.lock().iter().any(|event| event.starts_with("FRY7463W")));
    assert!(bench.manager.log().paces());
    bench.machine.clock.advance(Duration::from_millis(800));
    assert!(!bench.manager.log().paces());
}

/// Puts until puts are refused for seconds, although housekeeping runs.
fn fill(bench: &Bench, session: &mut Session, queue: mqi::ObjectHandle, body: &str) -> Vec<[u8; 24]> {
    let mut put = Vec::new();
    let mut refused = 0;
    while refused < 20 {
        match session.try_put(queue, &message(true), PutFlags::NEW_MSG_ID, body) {
            Ok(done) => {
                put.push(done.descriptor.message_id.0);
                refused = 0;
            }
            Err(reason) => {
                assert_eq!(reason, Reason::STORAGE_MEDIUM_FULL);
                refused += 1;
            }
        }
        pass_tenths(bench, 1);
        assert!(put.len() < 5_000, "the disk has room without end");
    }
    put
}

fn pass_tenths(bench: &Bench, tenths: usize) {
    for _ in 0..tenths {
        bench.pass(Duration::from_millis(100));
        bench.run_jobs();
    }
}

/// The messages filled it. Their gets write little to the log, so no checkpoint is due for that.
#[test]
fn a_disk_that_messages_filled_takes_puts_within_a_second_of_their_gets() {
    let got_whole = |_: usize| true;
    let one_in_ten_stays = |number: usize| !number.is_multiple_of(10);
    let gets: [(usize, &dyn Fn(usize) -> bool); 3] =
        [(20_000, &got_whole), (40_000, &got_whole), (3_000, &one_in_ten_stays)];
    for (primary, secondary) in [(2, 4), (3, 1), (4, 0), (2, 0)] {
        for (length, is_got) in gets {
            let case = format!("{primary} + {secondary} extents, bodies of {length} B");
            let bench = Bench::with(log_of(primary, secondary), 1);
            bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000)\nDEFINE QLOCAL(R) MAXDEPTH(100000)");
            bench.keep_house();
            let used: u64 = bench.machine.disk.files().iter().map(|(_, length)| length).sum();
            bench.machine.disk.set_capacity(Some(used + (6 << 20)));
            let mut one = bench.connect();
            let (queue, other) = (one.open("Q", INPUT | OUTPUT), one.open("R", INPUT | OUTPUT));
            let body = "x".repeat(length);
            let there = fill(&bench, &mut one, queue, &body);
            assert!(there.len() > 5, "{case}: {} were put", there.len());
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            for (_, id) in there.iter().enumerate().filter(|(number, _)| is_got(*number)) {
                let descriptor =
                    MessageDescriptor { message_id: mqi::MessageId(*id), ..MessageDescriptor::default() };
                one.get_with(queue, &descriptor, &options, 1 << 20).unwrap();
            }
            for number in 0..20 {
                // A second is not over.
                let mut put = |_| {
                    pass_tenths(&bench, 1);
                    one.try_put(other, &message(true), PutFlags::NEW_MSG_ID, &body).is_ok()
                };
                assert!((0..9).any(&mut put), "{case}: put {number} after {}", there.len());
            }
        }
    }
}
