//! Branches of transactions that outside coordinators decide.

mod bounds;
mod copies;
mod edges;
mod people;
mod table;

use std::time::Duration;

use mqi::Reason;
use mqi::branch::{
    BRIDGE_FORMAT, BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart,
    Heuristic, RollbackCause,
};
use platform::simulated::{CrashPolicy, Random, Survival};
use queue_manager::{BranchBounds, Settings};

use crate::support::*;

fn branch(number: u8) -> BranchId {
    BranchId::new(1, b"transaction", &[number]).unwrap()
}

fn list(most: u32) -> BranchList {
    BranchList { most, ..BranchList::default() }
}

impl Session {
    fn start(&mut self, branch: &BranchId, how: BranchStart) -> Result<(), BranchRefusal> {
        let started = self.connection.branches().start(branch, how);
        open(&self.manager, started)
    }

    fn end(&mut self, branch: &BranchId, how: BranchEnd) -> Result<(), BranchRefusal> {
        let ended = self.connection.branches().end(branch, how);
        open(&self.manager, ended)
    }

    fn prepare(&mut self, branch: &BranchId) -> Result<BranchPrepared, BranchRefusal> {
        let prepared = self.connection.branches().prepare(branch);
        open(&self.manager, prepared)
    }

    fn commit_branch(&mut self, branch: &BranchId, how: BranchCommit) -> Result<(), BranchRefusal> {
        let committed = self.connection.branches().commit(branch, how);
        open(&self.manager, committed)
    }

    fn roll_back(&mut self, branch: &BranchId) -> Result<(), BranchRefusal> {
        let rolled_back = self.connection.branches().back_out(branch);
        open(&self.manager, rolled_back)
    }

    fn forget(&mut self, branch: &BranchId) -> Result<(), BranchRefusal> {
        let forgotten = self.connection.branches().forget(branch);
        open(&self.manager, forgotten)
    }

    fn recover(&mut self, list: &BranchList) -> Vec<BranchId> {
        let listed = self.connection.branches().list(list);
        open(&self.manager, listed).unwrap()
    }

    /// A branch in which a message was put, and that this connection has left.
    fn leave_idle(&mut self, branch: &BranchId, body: &str) {
        self.start(branch, BranchStart::New).unwrap();
        let queue = self.open("Q", OUTPUT);
        self.put_within(queue, true, body);
        self.end(branch, BranchEnd::Success).unwrap();
    }
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench
}

#[test]
pub(crate) fn a_branch_that_is_prepared_is_found_after_a_power_cut_and_committed_by_another_connection() {
    let bench = bench();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "got in it");
    one.start(&branch(1), BranchStart::New).unwrap();
    one.put_within(queue, true, "put in it");
    assert_eq!(one.get_within(queue).as_deref(), Ok("got in it"));
    one.end(&branch(1), BranchEnd::Success).unwrap();
    one.put_within(queue, true, "of its own");
    assert_eq!(one.prepare(&branch(1)), Ok(BranchPrepared::Prepared));

    let bench = bench.crash(Survival::Nothing);
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT);
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE), "what is in doubt is nobody's");
    assert_eq!(two.recover(&list(10)), [branch(1)]);
    assert_eq!(two.start(&branch(1), BranchStart::Join), Err(BranchRefusal::Protocol));
    two.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();

    let bench = bench.crash(Survival::Nothing);
    let mut three = bench.connect();
    let queue = three.open("Q", INPUT);
    assert_eq!(three.get(queue).as_deref(), Ok("put in it"));
    assert_eq!(three.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(three.recover(&list(10)), []);
    assert_eq!(three.commit_branch(&branch(1), BranchCommit::TwoPhase), Err(BranchRefusal::Unknown));
}

/// A coordinator forgets what it decided once it is told so, and would roll back what comes back.
#[test]
pub(crate) fn a_branch_is_not_told_to_be_gone_before_its_end_is_durable() {
    for asks in ["by name", "by list", "by beginning it anew"] {
        let bench = bench();
        let (mut one, mut two) = (bench.connect(), bench.connect());
        one.leave_idle(&branch(1), "in it");
        one.prepare(&branch(1)).unwrap();
        // Committed in memory; the answer waits, and the connection of the one who asked is lost.
        drop(one.connection.branches().commit(&branch(1), BranchCommit::TwoPhase));
        match asks {
            "by name" => {
                let told = two.commit_branch(&branch(1), BranchCommit::TwoPhase);
                assert_eq!(told, Err(BranchRefusal::Unknown));
            }
            "by list" => assert_eq!(two.recover(&list(10)), []),
            _ => two.start(&branch(1), BranchStart::New).unwrap(),
        }
        let bench = bench.crash(Survival::Nothing);
        assert_eq!(bench.connect().recover(&list(10)), [], "{asks}");
        assert_eq!(bench.depth("Q"), 1, "{asks}");
    }
}

/// The decision is in the log before the end: a power cut behind any write leaves the end alone never.
#[test]
pub(crate) fn a_branch_that_ended_by_hand_is_never_without_the_decision() {
    let (mut ended, mut open) = (0, 0);
    for writes in 1..=3 {
        let bench = bench();
        let mut one = bench.connect();
        one.leave_idle(&branch(1), "in it");
        one.prepare(&branch(1)).unwrap();
        let name = bench.open(bench.manager.units().prepared())[0].name;
        bench.machine.disk.crash_at(bench.machine.disk.boundaries() + writes);
        drop(bench.manager.units().resolve_by_hand(name, queue_manager::Decision::Commit, "anna"));
        for _ in 0..4 {
            bench.manager.drive();
        }
        let image = bench.machine.disk.image();
        let mut random = Random::new(writes);
        for _ in 0..8 {
            let disk = image.crash(&mut random, CrashPolicy::surviving(Survival::InOrder));
            match bench.start_on(disk).connect().commit_branch(&branch(1), BranchCommit::TwoPhase) {
                // Neither is there: the branch was in doubt, and its coordinator has decided it now.
                Ok(()) => open += 1,
                told => {
                    assert_eq!(told, Err(BranchRefusal::ByHand(Heuristic::Committed)), "{writes} writes");
                    ended += 1;
                }
            }
        }
    }
    assert!(open > 0 && ended > 0, "{open} were open and {ended} had ended");
}

#[test]
pub(crate) fn a_connection_does_not_leave_a_branch_while_a_get_of_it_waits() {
    let bench = bench();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.start(&branch(1), BranchStart::New).unwrap();
    let any = mqi::MessageDescriptor::default();
    let token = one.wait(queue, &any, mqi::GetFlags::SYNCPOINT, mqi::Wait::Unlimited);
    assert_eq!(one.end(&branch(1), BranchEnd::Success), Err(BranchRefusal::Protocol));
    let mut two = bench.connect();
    let other = two.open("Q", OUTPUT);
    two.put(other, true, "waited for");
    assert_eq!(one.outcome(token), Some(Ok("waited for".to_owned())));
    one.end(&branch(1), BranchEnd::Success).unwrap();
    one.roll_back(&branch(1)).unwrap();
    assert_eq!(one.get(queue).as_deref(), Ok("waited for"), "the get was of the branch");
}

#[test]
fn two_connections_work_in_one_branch_and_a_third_commits_it() {
    let bench = bench();
    let (mut one, mut two, mut three) = (bench.connect(), bench.connect(), bench.connect());
    let (queue_of_one, queue_of_two) = (one.open("Q", OUTPUT), two.open("Q", OUTPUT));
    one.start(&branch(1), BranchStart::New).unwrap();
    two.start(&branch(1), BranchStart::Join).unwrap();
    one.put_within(queue_of_one, true, "of one");
    two.put_within(queue_of_two, false, "of two");
    one.end(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(three.prepare(&branch(1)), Err(BranchRefusal::Protocol), "two works in it");
    two.end(&branch(1), BranchEnd::Success).unwrap();
    let queue = three.open("Q", INPUT);
    assert_eq!(three.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    three.commit_branch(&branch(1), BranchCommit::OnePhase).unwrap();
    assert_eq!(three.get(queue).as_deref(), Ok("of one"));
    assert_eq!(three.get(queue).as_deref(), Ok("of two"));
}

#[test]
pub(crate) fn a_connection_that_is_lost_in_a_branch_rolls_it_back_and_one_that_left_does_not() {
    let bench = bench();
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "left");
    one.start(&branch(2), BranchStart::New).unwrap();
    let queue = one.open("Q", OUTPUT);
    one.put_within(queue, true, "lost");
    drop(one);
    let mut two = bench.connect();
    let lost = Err(BranchRefusal::RolledBack(RollbackCause::ConnectionLost));
    assert_eq!(two.commit_branch(&branch(2), BranchCommit::OnePhase), lost);
    assert_eq!(two.roll_back(&branch(2)), Err(BranchRefusal::Unknown));
    two.commit_branch(&branch(1), BranchCommit::OnePhase).unwrap();
    let queue = two.open("Q", INPUT);
    assert_eq!(two.get(queue).as_deref(), Ok("left"));
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn units_of_work_in_a_branch_are_ended_by_its_coordinator_alone() {
    let bench = bench();
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put_within(queue, true, "of its own");
    assert_eq!(one.start(&branch(1), BranchStart::New), Err(BranchRefusal::Outside));
    one.commit().unwrap();
    one.start(&branch(1), BranchStart::New).unwrap();
    one.put_within(queue, true, "in it");
    assert_eq!(one.commit(), Err(Reason::ENVIRONMENT_ERROR));
    assert_eq!(one.back(), Err(Reason::ENVIRONMENT_ERROR));
    assert_eq!(open(&one.manager, one.connection.begin()), Err(Reason::ENVIRONMENT_ERROR));
    one.end(&branch(1), BranchEnd::Fail).unwrap_err();
    let rolled_back = Err(BranchRefusal::RolledBack(RollbackCause::ByOrder));
    assert_eq!(one.prepare(&branch(1)), rolled_back);
    assert_eq!(bench.depth("Q"), 1);
    one.put_within(queue, true, "of its own again");
    one.commit().unwrap();
    assert_eq!(bench.depth("Q"), 2);
}

#[test]
fn a_branch_that_did_nothing_is_over_when_it_is_prepared() {
    let bench = bench();
    let mut one = bench.connect();
    one.start(&branch(1), BranchStart::New).unwrap();
    one.end(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(one.prepare(&branch(1)), Ok(BranchPrepared::ReadOnly));
    assert_eq!(one.commit_branch(&branch(1), BranchCommit::TwoPhase), Err(BranchRefusal::Unknown));
}

#[test]
fn an_idle_branch_is_rolled_back_only_long_after_its_connections() {
    let bounds = BranchBounds { idle: Duration::from_secs(300), ..BranchBounds::default() };
    let bench = Bench::with(Settings { branches: bounds, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "first");
    one.leave_idle(&branch(2), "second");
    let mut two = bench.connect();
    two.start(&branch(2), BranchStart::Join).unwrap();
    two.end(&branch(2), BranchEnd::Success).unwrap();
    bench.pass(Duration::from_secs(1_000));
    bench.keep_house();
    drop(one);
    bench.pass(Duration::from_secs(299));
    bench.keep_house();
    two.commit_branch(&branch(2), BranchCommit::OnePhase).unwrap();
    bench.pass(Duration::from_secs(2));
    bench.keep_house();
    assert_eq!(bench.depth("Q"), 1, "the first is rolled back");
    let timed_out = Err(BranchRefusal::RolledBack(RollbackCause::TimeOut));
    assert_eq!(two.start(&branch(1), BranchStart::Join), timed_out, "its coordinator is told");
    bench.pass(Duration::from_secs(301));
    bench.keep_house();
    assert_eq!(two.start(&branch(1), BranchStart::Join), Err(BranchRefusal::Unknown), "forgotten");
}

#[test]
fn a_branch_that_is_active_for_too_long_is_rolled_back_under_its_program() {
    let bounds = BranchBounds { active: Some(Duration::from_secs(5)), ..BranchBounds::default() };
    let bench = Bench::with(Settings { branches: bounds, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.start(&branch(1), BranchStart::New).unwrap();
    one.put_within(queue, true, "in it");
    bench.pass(Duration::from_secs(6));
    bench.keep_house();
    assert_eq!(bench.depth("Q"), 0);
    let refused = one.try_put(queue, &message(true), mqi::PutFlags::SYNCPOINT, "too late");
    assert_eq!(refused.unwrap_err(), Reason::BACKED_OUT);
    let timed_out = Err(BranchRefusal::RolledBack(RollbackCause::TimeOut));
    assert_eq!(one.end(&branch(1), BranchEnd::Success), timed_out);
    assert_eq!(one.roll_back(&branch(1)), timed_out);
    // One in which nothing was done yet takes nothing either.
    one.start(&branch(2), BranchStart::New).unwrap();
    bench.pass(Duration::from_secs(6));
    bench.keep_house();
    let refused = one.try_put(queue, &message(true), mqi::PutFlags::SYNCPOINT, "too late");
    assert_eq!(refused.unwrap_err(), Reason::BACKED_OUT);
    assert_eq!(one.roll_back(&branch(2)), timed_out, "also while its thread is within");
    let refused = one.try_put(queue, &message(true), mqi::PutFlags::SYNCPOINT, "too late");
    assert_eq!(refused.unwrap_err(), Reason::BACKED_OUT);
    assert_eq!(one.end(&branch(2), BranchEnd::Success), timed_out);
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_user_has_so_many_branches_begun_and_others_are_not_kept_out() {
    let bounds = BranchBounds { open_max: 3, ..BranchBounds::default() };
    let bench = Bench::with(Settings { branches: bounds, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect_user("eve");
    for number in 0..3 {
        one.leave_idle(&branch(number), "in it");
    }
    assert_eq!(one.start(&branch(3), BranchStart::New), Err(BranchRefusal::Failed));
    bench.connect_user("ada").start(&branch(4), BranchStart::New).unwrap();
    assert_eq!(one.prepare(&branch(0)), Ok(BranchPrepared::Prepared));
    one.start(&branch(3), BranchStart::New).unwrap();
}

/// A careless or hostile coordinator keeps no more than the bound, and not for long.
#[test]
fn a_hundred_thousand_branches_of_a_user_are_a_thousand_and_end_with_their_time() {
    let bench = bench();
    let mut one = bench.connect_user("eve");
    let number = |number: u32| BranchId::new(1, b"many", &number.to_be_bytes()).unwrap();
    let begun = (0..100_000).filter(|each| {
        let is_begun = one.start(&number(*each), BranchStart::New).is_ok();
        is_begun && one.end(&number(*each), BranchEnd::Success).is_ok()
    });
    assert_eq!(begun.count(), 1_000);
    assert_eq!(one.start(&number(5_000), BranchStart::New), Err(BranchRefusal::Failed));
    // The program works on, and so does another user.
    let queue = bench.connect_user("ada").open("Q", OUTPUT);
    bench.connect_user("ada").start(&branch(1), BranchStart::New).unwrap();
    assert!(queue.0 > 0);
    one.roll_back(&number(7)).unwrap();
    one.start(&number(5_000), BranchStart::New).unwrap();
    one.end(&number(5_000), BranchEnd::Success).unwrap();
    drop(one);
    // Their coordinator has as long again to learn of it.
    for _ in 0..2 {
        bench.pass(Duration::from_secs(301));
        bench.keep_house();
    }
    let mut one = bench.connect_user("eve");
    assert_eq!(one.start(&number(8), BranchStart::Join), Err(BranchRefusal::Unknown));
    one.start(&number(7), BranchStart::New).unwrap();
}

#[test]
fn branches_of_another_user_are_neither_decided_nor_listed_nor_known() {
    let bench = bench();
    for user in ["eve", "ada"] {
        bench.mqsc(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(CONNECT)"));
        bench.mqsc(&format!("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(PUT)"));
    }
    let (mut eve, mut ada) = (bench.connect_user("eve"), bench.connect_user("ada"));
    ada.leave_idle(&branch(1), "begun");
    ada.leave_idle(&branch(2), "prepared");
    ada.prepare(&branch(2)).unwrap();
    for number in [1, 2] {
        let branch = branch(number);
        assert_eq!(eve.start(&branch, BranchStart::New), Err(BranchRefusal::Duplicate));
        assert_eq!(eve.start(&branch, BranchStart::Join), Err(BranchRefusal::Unknown));
        assert_eq!(eve.prepare(&branch), Err(BranchRefusal::Unknown));
        for how in [BranchCommit::OnePhase, BranchCommit::TwoPhase] {
            assert_eq!(eve.commit_branch(&branch, how), Err(BranchRefusal::Unknown));
        }
        assert_eq!(eve.roll_back(&branch), Err(BranchRefusal::Unknown));
        assert_eq!(eve.forget(&branch), Err(BranchRefusal::Unknown));
    }
    assert_eq!(eve.recover(&list(10)), []);
    assert_eq!(ada.recover(&list(10)), [branch(2)]);
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG, DSP)");
    assert_eq!(eve.recover(&list(10)), [], "each lists its own alone");
    eve.commit_branch(&branch(2), BranchCommit::TwoPhase).unwrap();
    eve.roll_back(&branch(1)).unwrap();
    assert!(bench.told("DISPLAY QLOCAL(Q) CURDEPTH").contains("CURDEPTH(1)"));
}

#[test]
fn branches_are_listed_in_pages_without_those_of_bridges() {
    let bench = bench();
    let mut one = bench.connect();
    let bridge = BranchId::new(BRIDGE_FORMAT, b"pipe", b"1").unwrap();
    for branch in (0..7).map(branch).chain([bridge]) {
        one.leave_idle(&branch, "in it");
        one.prepare(&branch).unwrap();
    }
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = one.recover(&BranchList { after, ..list(3) });
        after = page.last().copied();
        if after.is_none() {
            break;
        }
        assert!(page.len() <= 3);
        listed.extend(page);
    }
    assert_eq!(listed, (0..7).map(branch).collect::<Vec<_>>());
    let of_bridges = BranchList { format: Some(BRIDGE_FORMAT), prefix: b"pi".to_vec(), ..list(10) };
    assert_eq!(one.recover(&of_bridges), [bridge]);
    let of_none = BranchList { format: Some(BRIDGE_FORMAT), prefix: b"pq".to_vec(), ..list(10) };
    assert_eq!(one.recover(&of_none), []);
}

#[test]
pub(crate) fn a_coordinator_is_told_what_a_person_decided_until_it_forgets() {
    for commits in [true, false] {
        let bench = bench();
        let mut one = bench.connect();
        one.leave_idle(&branch(1), "in it");
        one.prepare(&branch(1)).unwrap();
        let shown = bench.told("DISPLAY CONN(*) TYPE(CONN) QMURID WHERE(UOWSTATE EQ PREPARED)");
        let number = shown.split("QMURID(").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
        let action = if commits { "COMMIT" } else { "BACKOUT" };
        bench.mqsc(&format!("RESOLVE INDOUBT('{number}') ACTION({action})"));
        let bench = bench.crash(Survival::Nothing);
        let mut two = bench.connect();
        let decided = if commits { Heuristic::Committed } else { Heuristic::BackedOut };
        assert_eq!(two.recover(&list(10)), [branch(1)]);
        for how in [BranchCommit::OnePhase, BranchCommit::TwoPhase] {
            assert_eq!(two.commit_branch(&branch(1), how), Err(BranchRefusal::ByHand(decided)));
        }
        assert_eq!(two.roll_back(&branch(1)), Err(BranchRefusal::ByHand(decided)));
        assert_eq!(two.start(&branch(1), BranchStart::New), Err(BranchRefusal::Duplicate));
        two.forget(&branch(1)).unwrap();
        assert_eq!(two.forget(&branch(1)), Err(BranchRefusal::Unknown));
        let bench = bench.crash(Survival::Nothing);
        assert_eq!(bench.connect().recover(&list(10)), []);
        assert_eq!(bench.depth("Q"), i32::from(commits));
    }
}

#[test]
pub(crate) fn an_idle_branch_without_a_connection_does_not_keep_the_log() {
    let bench = bench();
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "in it");
    drop(one);
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT | OUTPUT);
    let body = "x".repeat(100_000);
    let mut told = String::new();
    for _ in 0..2_000 {
        two.put(queue, true, &body);
        two.get(queue).unwrap();
        bench.keep_house();
        bench.run_jobs();
        told = bench.host.events.lock().join("\n");
        if told.contains("FRY7485W") {
            break;
        }
    }
    assert!(told.contains("XA_GTRID[7472616E73616374696F6E]"), "its event names it: {told}");
    let no_room = Err(BranchRefusal::RolledBack(RollbackCause::NoRoom));
    assert_eq!(two.prepare(&branch(1)), no_room);
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn what_is_retained_cannot_be_put_in_a_branch() {
    let bench = bench();
    let mut one = bench.connect();
    let prices = mqi::ObjectDescriptor::topic("prices");
    let opened = one.connection.open(&prices, OUTPUT);
    let topic = bench.open(opened).unwrap().handle;
    one.start(&branch(1), BranchStart::New).unwrap();
    let flags = mqi::PutFlags::SYNCPOINT | mqi::PutFlags::RETAIN;
    assert_eq!(one.try_put(topic, &message(true), flags, "7").unwrap_err(), Reason::UOW_NOT_AVAILABLE);
    one.end(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(one.prepare(&branch(1)), Ok(BranchPrepared::ReadOnly));
}

#[test]
fn no_branch_is_begun_while_the_queue_manager_quiesces_and_those_there_are_ended() {
    let bench = bench();
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "prepared");
    one.prepare(&branch(1)).unwrap();
    one.leave_idle(&branch(2), "begun");
    bench.manager.quiesce(queue_manager::Quiesce::Controlled);
    assert_eq!(one.start(&branch(3), BranchStart::New), Err(BranchRefusal::Failed));
    assert_eq!(one.recover(&list(10)), [branch(1)]);
    one.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();
    assert_eq!(one.prepare(&branch(2)), Ok(BranchPrepared::Prepared));
    one.roll_back(&branch(2)).unwrap();
    assert_eq!(one.recover(&list(10)), []);
}
