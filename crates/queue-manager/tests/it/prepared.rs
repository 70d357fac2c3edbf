//! Units of work that are prepared.

use std::time::Duration;

use mqi::{GetFlags, MessageDescriptor, Reason, Wait};
use platform::simulated::{Random, Survival};
use queue_manager::{Decision, PreparedBranch, PreparedPurpose};
use storage::record::ChannelBatch;
use storage::{Direction, Line, SyncObject, UnitId};

use crate::support::*;

fn branch() -> PreparedPurpose {
    let (global, qualifier, user) = (b"global".to_vec(), b"one".to_vec(), b"anna".to_vec());
    PreparedPurpose::Branch(PreparedBranch { prepared_at: 7, format: 1, global, qualifier, user })
}

/// A batch of a channel whose state is kept.
fn batch(bench: &Bench) -> PreparedPurpose {
    let sync = SyncObject {
        channel: "TO.B".to_owned(),
        direction: Direction::Sends,
        partner: "B".to_owned(),
        partner_identifier: "B_1".to_owned(),
        certificate: String::new(),
        line: Line(1),
        is_used: true,
        before: None,
        stopped_at: None,
        resolved: None,
        wants_reset: false,
    };
    let sync_object = bench.open(bench.manager.channels().define_state(None, sync)).unwrap();
    PreparedPurpose::Channel(ChannelBatch {
        sync_object,
        batch: 5,
        first_sequence: 1,
        last_sequence: 2,
        chain: 9,
    })
}

/// A persistent message is put and another got, and the unit prepared.
fn prepare(bench: &Bench, purpose: PreparedPurpose) -> UnitId {
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "held");
    one.put_within(queue, true, "hidden");
    assert_eq!(one.get_within(queue).as_deref(), Ok("held"));
    let name = bench.open(one.connection.prepare(purpose)).unwrap().expect("it did something");
    one.put_within(queue, true, "of the next unit");
    drop(one);
    name
}

/// Nobody gets what is in doubt, and it is counted.
fn is_in_doubt(bench: &Bench, purpose: &PreparedPurpose, name: UnitId) {
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT);
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(bench.depth("Q"), 1, "the put counts, the get does not");
    assert!(bench.told("DISPLAY QSTATUS(Q) UNCOM").contains("UNCOM(2)"));
    let listed = bench.open(bench.manager.units().prepared());
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].name, &listed[0].purpose), (name, purpose));
    let puts: Vec<bool> = listed[0].messages.iter().map(|message| message.is_put).collect();
    assert_eq!(puts.iter().filter(|is_put| **is_put).count(), 1, "{puts:?}");
    assert_eq!(puts.len(), 2);
}

/// A checkpoint is due, and taken.
fn checkpoint(bench: &Bench) {
    let before = bench.manager.log().statistics().checkpoints;
    bench.mqsc("DEFINE QLOCAL(Z) REPLACE");
    bench.pass(Duration::from_secs(61));
    bench.keep_house();
    assert!(bench.manager.log().statistics().checkpoints > before, "it was taken");
}

fn survivor(bench: Bench) -> Bench {
    bench.crash(Survival::Nothing)
}

#[test]
fn a_prepared_unit_outlives_its_connection_and_a_restart_and_ends_as_decided() {
    for commits in [true, false] {
        for restarts in 0..3 {
            for checkpoints in [false, true] {
                let mut bench = Bench::new();
                bench.mqsc("DEFINE QLOCAL(Q)");
                let name = prepare(&bench, branch());
                is_in_doubt(&bench, &branch(), name);
                for _ in 0..restarts {
                    if checkpoints {
                        checkpoint(&bench);
                    }
                    bench = survivor(bench);
                    is_in_doubt(&bench, &branch(), name);
                }
                let decision = if commits { Decision::Commit } else { Decision::BackOut };
                bench.open(bench.manager.units().settle(name, decision)).unwrap();
                let refused = bench.open(bench.manager.units().settle(name, decision));
                assert_eq!(refused, Err(Reason::UOW_NOT_AVAILABLE), "it has ended");
                let bench = survivor(bench);
                assert!(bench.open(bench.manager.units().prepared()).is_empty());
                let mut two = bench.connect();
                let queue = two.open("Q", INPUT);
                let expected = if commits { "hidden" } else { "held" };
                let options = mqi::GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
                let got = two.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
                assert_eq!(
                    (text(&got).as_str(), got.descriptor.backout_count),
                    (expected, i32::from(!commits))
                );
                assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
                assert_eq!(bench.depth("Q"), 0);
            }
        }
    }
}

#[test]
fn a_batch_that_is_backed_out_leaves_backout_counts_as_they_were() {
    for restarts in [false, true] {
        let mut bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let purpose = batch(&bench);
        let name = prepare(&bench, purpose);
        if restarts {
            bench = survivor(bench);
        }
        bench.open(bench.manager.units().settle_batch(name, Decision::BackOut)).unwrap();
        let bench = survivor(bench);
        let mut two = bench.connect();
        let queue = two.open("Q", INPUT);
        let options = mqi::GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let got = two.get_with(queue, &MessageDescriptor::default(), &options, 100).unwrap();
        assert_eq!((text(&got).as_str(), got.descriptor.backout_count), ("held", 0));
    }
}

#[test]
fn a_batch_that_is_confirmed_ends_with_its_record() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let purpose = batch(&bench);
    let name = prepare(&bench, purpose.clone());
    checkpoint(&bench);
    let bench = survivor(bench);
    is_in_doubt(&bench, &purpose, name);
    bench.open(bench.manager.units().settle_batch(name, Decision::Commit)).unwrap();
    checkpoint(&bench);
    let bench = survivor(bench);
    assert!(bench.open(bench.manager.units().prepared()).is_empty());
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT);
    assert_eq!(two.get(queue).as_deref(), Ok("hidden"));
}

#[test]
fn a_unit_that_did_nothing_is_not_prepared_and_one_that_nothing_outlives_is() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    assert_eq!(bench.open(one.connection.prepare(branch())), Ok(None));
    let queue = one.open("Q", OUTPUT);
    one.put_within(queue, false, "not persistent");
    let name = bench.open(one.connection.prepare(branch())).unwrap().expect("it was promised");
    let bench = survivor(bench);
    assert_eq!(bench.open(bench.manager.units().prepared()).len(), 1);
    bench.open(bench.manager.units().settle(name, Decision::Commit)).unwrap();
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn no_answer_about_a_prepared_unit_is_out_before_its_record_is_durable() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put_within(queue, true, "x");
    let durable = || bench.manager.durable().lsn();
    let prepared = one.connection.prepare(branch());
    assert!(prepared.need() > durable(), "prepare");
    assert!(bench.manager.units().prepared().need() > durable(), "a list with it");
    let name = bench.open(prepared).unwrap().unwrap();
    let ended = bench.manager.units().settle(name, Decision::BackOut);
    assert!(ended.need() > durable(), "the backout");
    let unknown = bench.manager.units().settle(name, Decision::Commit);
    assert!(unknown.need() >= ended.need(), "that it is unknown");
    assert!(bench.manager.units().prepared().need() >= ended.need(), "a list without it");
}

/// Ways in which a prepared unit is backed out.
#[derive(Clone, Copy, Debug)]
enum Undone {
    Branch,
    ByHand,
    Batch,
}

/// After a crash the unit would be in doubt again, and might be committed.
#[test]
fn nobody_learns_of_what_a_prepared_unit_returns_before_its_backout_is_durable() {
    type Look = fn(&mut Session, &Bench, mqi::ObjectHandle);
    let looks: [(&str, Look); 5] = [
        ("a get", |session, _, queue| assert_eq!(session.get(queue).as_deref(), Ok("held"))),
        ("a get in a unit", |session, _, queue| {
            assert_eq!(session.get_within(queue).as_deref(), Ok("held"));
        }),
        ("a browse", |session, _, queue| {
            assert_eq!(session.get_flags(queue, GetFlags::BROWSE_FIRST).as_deref(), Ok("held"));
        }),
        ("the depth", |_, bench, _| assert_eq!(bench.depth("Q"), 1)),
        ("the status", |_, bench, _| assert!(bench.told("DISPLAY QSTATUS(Q)").contains("CURDEPTH(1)"))),
    ];
    for undone in [Undone::Branch, Undone::ByHand, Undone::Batch] {
        for (persistent, restarts) in [(true, false), (true, true), (false, false)] {
            for (what, look) in looks {
                let mut bench = Bench::new();
                bench.mqsc("DEFINE QLOCAL(Q)");
                let purpose = if matches!(undone, Undone::Batch) { batch(&bench) } else { branch() };
                let mut one = bench.connect();
                let queue = one.open("Q", INPUT | OUTPUT);
                one.put(queue, persistent, "held");
                assert_eq!(one.get_within(queue).as_deref(), Ok("held"));
                let name = bench.open(one.connection.prepare(purpose)).unwrap().unwrap();
                drop(one);
                if restarts {
                    bench = survivor(bench);
                }
                let mut two = bench.connect();
                let queue = two.open("Q", INPUT | BROWSE);
                let need = match undone {
                    Undone::Branch => bench.manager.units().settle(name, Decision::BackOut).need(),
                    Undone::ByHand => {
                        bench.manager.units().resolve_by_hand(name, Decision::BackOut, "anna").need()
                    }
                    Undone::Batch => bench.manager.units().settle_batch(name, Decision::BackOut).need(),
                };
                let durable = || bench.manager.durable().lsn();
                let case = format!("{what}, {undone:?}, persistent {persistent}, restarts {restarts}");
                assert!(durable() < need, "{case}: nothing was driven");
                look(&mut two, &bench, queue);
                assert!(durable() >= need, "{case}");
            }
        }
    }
}

#[test]
fn a_waiting_getter_is_not_answered_before_the_backout_that_returns_its_message_is_durable() {
    for flags in [GetFlags::NO_SYNCPOINT, GetFlags::SYNCPOINT, GetFlags::BROWSE_NEXT] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let name = prepare(&bench, branch());
        let mut two = bench.connect();
        let queue = two.open("Q", INPUT | BROWSE);
        let token = two.wait(queue, &MessageDescriptor::default(), flags, Wait::Unlimited);
        let need = bench.manager.units().settle(name, Decision::BackOut).need();
        assert!(bench.manager.durable().lsn() < need, "nothing was driven");
        bench.run_jobs();
        assert_eq!(two.outcome(token), Some(Ok("held".to_owned())));
        assert!(bench.manager.durable().lsn() >= need, "{flags:?}");
    }
}

#[test]
fn a_queue_with_messages_in_doubt_is_neither_cleared_nor_deleted() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let name = prepare(&bench, branch());
    let bench = survivor(bench);
    for command in ["CLEAR QLOCAL(Q)", "DELETE QLOCAL(Q) PURGE"] {
        bench.refused(command);
    }
    bench.open(bench.manager.units().settle(name, Decision::Commit)).unwrap();
    bench.told("CLEAR QLOCAL(Q)");
}

#[test]
fn a_waiting_getter_is_given_what_a_decision_after_a_restart_makes_available() {
    for decision in [Decision::Commit, Decision::BackOut] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let name = prepare(&bench, branch());
        let bench = survivor(bench);
        let mut two = bench.connect();
        let queue = two.open("Q", INPUT);
        let wait = Wait::Unlimited;
        let token = two.wait(queue, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, wait);
        assert_eq!(two.outcome(token), None);
        bench.open(bench.manager.units().settle(name, decision)).unwrap();
        bench.run_jobs();
        let expected = if decision == Decision::BackOut { "held" } else { "hidden" };
        assert_eq!(two.outcome(token), Some(Ok(expected.to_owned())));
    }
}

/// Weeks in doubt do not hold the log.
#[test]
fn ten_wraps_of_the_log_under_a_prepared_unit_take_one_extent_more_at_most() {
    for (body, in_doubt) in [(100, false), (100, true), (300_000, false), (300_000, true)] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
        let mut one = bench.connect();
        let (queue, other) = (one.open("Q", INPUT | OUTPUT), one.open("R", INPUT | OUTPUT));
        let name = in_doubt.then(|| {
            one.put(queue, true, "held");
            one.put_within(queue, true, &"x".repeat(body));
            assert_eq!(one.get_within(queue).as_deref(), Ok("held"));
            bench.open(one.connection.prepare(branch())).unwrap().unwrap()
        });
        let begun = bench.manager.log().state().end.0;
        let wrapped = begun + 10 * (4 << 20);
        while bench.manager.log().state().end.0 < wrapped {
            one.put(other, true, &"y".repeat(50_000));
            one.get(other).unwrap();
            bench.manager.tick();
            bench.run_jobs();
        }
        let state = bench.manager.log().state();
        let used = state.end.0 - state.restart_from.0;
        assert!(used <= 5 << 20, "{used} bytes in use of 4 extents, with a unit in doubt: {in_doubt}");
        drop(one);
        let bench = survivor(bench);
        let Some(name) = name else { continue };
        let mut two = bench.connect();
        let queue = two.open("Q", INPUT);
        assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
        bench.open(bench.manager.units().settle(name, Decision::Commit)).unwrap();
        assert_eq!(two.get(queue).map(|got| got.len()), Ok(body));
        assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    }
}

/// The messages as they must be: those that may be got, and what each unit in doubt put and got.
#[derive(Default)]
struct Model {
    available: Vec<String>,
    in_doubt: Vec<(UnitId, Vec<String>, Vec<String>)>,
}

impl Model {
    fn settle(&mut self, at: usize, commits: bool) -> UnitId {
        let (name, put, got) = self.in_doubt.remove(at);
        self.available.extend(if commits { put } else { got });
        self.available.sort();
        name
    }
}

/// Whatever comes between: checkpoints that move what is in doubt, wraps of the log, power cuts and orderly
/// starts, once more before a decision and after it.
#[test]
fn units_in_doubt_end_as_decided_whatever_checkpoints_and_power_cuts_come_between() {
    for seed in 1..=30 {
        let mut random = Random::new(seed);
        let mut bench = Bench::with(settings(), seed);
        bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(100000) DEFINE QLOCAL(R)");
        let mut model = Model::default();
        let mut number = 0;
        for step in 0..40 {
            bench.keep_house();
            match random.below(10) {
                0..=3 => {
                    let mut one = bench.connect();
                    let queue = one.open("Q", INPUT | OUTPUT);
                    let (mut put, mut got) = (Vec::new(), Vec::new());
                    for _ in 0..random.below(4) {
                        number += 1;
                        let length = [1, 3000, 70_000][random.below(3) as usize];
                        let body = format!("{number:06}{}", "x".repeat(length));
                        one.put_within(queue, true, &body);
                        put.push(body);
                    }
                    for _ in 0..random.below(3) {
                        let Ok(body) = one.get_within(queue) else { break };
                        model.available.retain(|other| *other != body);
                        got.push(body);
                    }
                    let is_end = random.below(3) == 0;
                    if is_end {
                        one.commit().unwrap();
                        model.available.extend(put);
                    } else if let Some(name) = bench.open(one.connection.prepare(branch())).unwrap() {
                        model.in_doubt.push((name, put, got));
                    } else {
                        assert!(put.is_empty() && got.is_empty());
                    }
                    model.available.sort();
                }
                4..=5 if !model.in_doubt.is_empty() => {
                    let at = random.below(model.in_doubt.len() as u64) as usize;
                    let commits = random.below(2) == 0;
                    let name = model.settle(at, commits);
                    let decision = if commits { Decision::Commit } else { Decision::BackOut };
                    bench.open(bench.manager.units().settle(name, decision)).unwrap();
                }
                6 => checkpoint(&bench),
                7 => {
                    let mut one = bench.connect();
                    let queue = one.open("R", INPUT | OUTPUT);
                    for _ in 0..60 {
                        one.put(queue, true, &"y".repeat(50_000));
                        one.get(queue).unwrap();
                        bench.keep_house();
                    }
                }
                _ => {
                    bench.keep_house();
                    // Everything that was answered is durable.
                    bench.mqsc("DEFINE QLOCAL(Z) REPLACE");
                    let percent = [0, 50, 100][random.below(3) as usize];
                    bench = bench.crash(Survival::Each { percent });
                }
            }
            let mut listed: Vec<_> =
                bench.open(bench.manager.units().prepared()).iter().map(|unit| unit.name).collect();
            let mut expected: Vec<_> = model.in_doubt.iter().map(|(name, ..)| *name).collect();
            listed.sort();
            expected.sort();
            assert_eq!(listed, expected, "seed {seed} step {step}");
            let depth =
                model.available.len() + model.in_doubt.iter().map(|(_, put, _)| put.len()).sum::<usize>();
            assert_eq!(bench.depth("Q"), depth as i32, "seed {seed} step {step}");
        }
        while !model.in_doubt.is_empty() {
            let commits = random.below(2) == 0;
            let name = model.settle(0, commits);
            let decision = if commits { Decision::Commit } else { Decision::BackOut };
            bench.open(bench.manager.units().settle(name, decision)).unwrap();
        }
        let bench = survivor(bench);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        let mut left: Vec<_> = std::iter::from_fn(|| one.get(queue).ok()).collect();
        left.sort();
        assert!(left == model.available, "seed {seed}: {} of {}", left.len(), model.available.len());
    }
}
