//! State that is kept about units of work that are prepared: the state of channels, and decisions by hand.

use mqi::ours::IN_DOUBT_FORGET;
use std::sync::Barrier;
use std::time::Duration;

use mqi::constants::*;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, OpenOptions, Priority, PutFlags, PutOptions, Reason, Wait,
};
use objects::attributes::UNIT_STATES_BY_HAND;
use objects::pcf::{self, Content, Parameter};
use platform::simulated::{CrashPolicy, Random, SimulatedDisk, Survival};
use queue_manager::{
    ChannelState, Decision, Growth, GrowthBound, GrowthBounds, Identity, Issuer, NotResolved, PreparedBranch,
    PreparedPurpose, Principal, Settings, Settled,
};
use storage::inspect::{Content as Logged, Inspection};
use storage::record::{ChannelBatch, ChannelCommit};
use storage::{
    Direction, Line, LineEnd, Lsn, ObjectId, Record, ResolvedBatches, ResolvedBranch, StateObject,
    SyncObject, UnitId,
};

use crate::support::*;

fn branch() -> PreparedPurpose {
    let (global, qualifier, user) = (b"global".to_vec(), b"one".to_vec(), b"anna".to_vec());
    PreparedPurpose::Branch(PreparedBranch { prepared_at: 7, format: 1, global, qualifier, user })
}

fn sync(channel: &str) -> SyncObject {
    SyncObject {
        channel: channel.to_owned(),
        direction: Direction::Sends,
        partner: "B".to_owned(),
        partner_identifier: "B_2026-11-26".to_owned(),
        certificate: "CN=b".to_owned(),
        line: Line(7),
        is_used: true,
        before: Some(LineEnd { line: Line(5), batch: 12, chain: 13, sequence: 14 }),
        stopped_at: Some(Line(6)),
        resolved: Some(ResolvedBatches { first: 2, last: 3, is_committed: true, at: 99 }),
        wants_reset: false,
    }
}

/// The queue manager after a power cut, with or without a checkpoint before.
fn restarted(bench: Bench, checkpoints: bool) -> Bench {
    if checkpoints {
        bench.mqsc("DEFINE QLOCAL(Z) REPLACE");
        let before = bench.manager.log().statistics().checkpoints;
        bench.pass(Duration::from_secs(61));
        bench.keep_house();
        assert!(bench.manager.log().statistics().checkpoints > before, "it was taken");
    }
    bench.crash(Survival::Nothing)
}

fn states(bench: &Bench) -> Vec<ChannelState> {
    bench.open(bench.manager.channels().states())
}

/// A persistent message is put and another got, and the unit prepared.
fn prepare(bench: &Bench, purpose: PreparedPurpose) -> UnitId {
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    one.put(queue, true, "held");
    one.put_within(queue, true, "hidden");
    assert_eq!(one.get_within(queue).as_deref(), Ok("held"));
    bench.open(one.connection.prepare(purpose)).unwrap().expect("it did something")
}

fn left(bench: &Bench) -> Vec<String> {
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT);
    std::iter::from_fn(|| two.get(queue).ok()).collect()
}

#[test]
fn the_state_of_a_channel_is_kept_over_checkpoints_and_restarts_until_it_is_forgotten() {
    for checkpoints in [false, true] {
        let bench = Bench::new();
        let first = bench.open(bench.manager.channels().define_state(None, sync("TO.B"))).unwrap();
        let second = bench.open(bench.manager.channels().define_state(None, sync("TO.C"))).unwrap();
        assert_ne!(first, second);
        let changed = SyncObject { line: Line(8), is_used: false, ..sync("TO.B") };
        let (defines, read) =
            (|known, sync| bench.open(bench.manager.channels().define_state(known, sync)), sync("TO.B"));
        assert_eq!(defines(Some((first, &read)), changed.clone()), Ok(first));
        // Another connection has read the state of before, or none: it changes nothing.
        let late = SyncObject { line: Line(9), ..sync("TO.B") };
        assert_eq!(defines(Some((first, &read)), late.clone()), Err(Reason::OBJECT_CHANGED));
        assert_eq!(defines(None, late), Err(Reason::OBJECT_CHANGED));
        let bench = restarted(bench, checkpoints);
        let state = |object, sync| ChannelState { object, sync, confirmed: None };
        assert_eq!(states(&bench), [state(first, changed), state(second, sync("TO.C"))]);
        bench.open(bench.manager.channels().forget_state(second)).unwrap();
        let bench = restarted(bench, checkpoints);
        assert_eq!(states(&bench).len(), 1);
        let unknown = Err(Reason::UNKNOWN_OBJECT_NAME);
        assert_eq!(bench.open(bench.manager.channels().forget_state(second)), unknown.map(drop));
        assert_eq!(
            bench.open(bench.manager.channels().define_state(Some((second, &sync("TO.C"))), sync("TO.C"))),
            unknown
        );
        let third = bench.open(bench.manager.channels().define_state(None, sync("TO.C"))).unwrap();
        assert!(third > second, "an identifier is never given again");
    }
}

#[test]
fn identifiers_of_state_objects_and_of_queues_are_never_alike() {
    for checkpoints in [false, true] {
        let bench = Bench::new();
        let object = bench.open(bench.manager.channels().define_state(None, sync("TO.B"))).unwrap();
        let bench = restarted(bench, checkpoints);
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut defined = Vec::new();
        each_record(&bench, |content| {
            if let Logged::Record(Record::Define { object, definition }) = content
                && !StateObject::is_marked(definition)
            {
                defined.push(*object);
            }
        });
        assert!(!defined.is_empty() && !defined.contains(&object));
    }
}

#[test]
fn texts_that_are_too_long_and_objects_of_other_kinds_are_refused() {
    let bench = Bench::new();
    let long = SyncObject { partner: "B".repeat(49), ..sync("TO.B") };
    let refused = bench.open(bench.manager.channels().define_state(None, long));
    assert_eq!(refused, Err(Reason::CHANNEL_CONFIG_ERROR));
    let queue = ObjectId(1);
    let refused =
        bench.open(bench.manager.channels().define_state(Some((queue, &sync("TO.B"))), sync("TO.B")));
    assert_eq!(refused, Err(Reason::UNKNOWN_OBJECT_NAME));
    assert_eq!(bench.open(bench.manager.channels().forget_state(queue)), Err(Reason::UNKNOWN_OBJECT_NAME));
}

#[test]
fn a_batch_that_arrived_is_counted_by_its_own_commit() {
    for checkpoints in [false, true] {
        for persistent in [true, false] {
            let bench = Bench::new();
            bench.mqsc("DEFINE QLOCAL(Q)");
            let object = bench.open(bench.manager.channels().define_state(None, sync("FROM.B"))).unwrap();
            let count = |batch| ChannelCommit { sync_object: object, chain: 70 + batch, batch, sequence: 50 };
            let mut one = bench.connect();
            let queue = one.open("Q", OUTPUT);
            one.put_within(queue, persistent, "first");
            bench.open(one.connection.commit_batch(count(1))).unwrap();
            let bench = restarted(bench, checkpoints);
            assert_eq!(states(&bench)[0].confirmed, Some(count(1)));
            assert_eq!(bench.depth("Q"), i32::from(persistent));
            // What was not durable has not arrived, and is not counted.
            let mut one = bench.connect();
            let queue = one.open("Q", OUTPUT);
            one.put_within(queue, persistent, "second");
            let committed = one.connection.commit_batch(count(2));
            assert!(committed.need() > bench.manager.durable().lsn());
            assert!(bench.manager.channels().states().need() >= committed.need(), "that it is counted");
            drop((one, committed));
            let bench = bench.crash(Survival::Nothing);
            assert_eq!(states(&bench)[0].confirmed, Some(count(1)));
            assert_eq!(bench.depth("Q"), i32::from(persistent));
        }
    }
}

#[test]
fn a_batch_needs_the_object_that_keeps_the_state_of_its_channel() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let unknown = ObjectId(1 << 40);
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put_within(queue, true, "stays in the unit");
    let count = ChannelCommit { sync_object: unknown, chain: 1, batch: 1, sequence: 1 };
    assert_eq!(bench.open(one.connection.commit_batch(count)), Err(Reason::UNKNOWN_OBJECT_NAME));
    let batch =
        ChannelBatch { sync_object: unknown, batch: 1, first_sequence: 1, last_sequence: 1, chain: 1 };
    let refused = bench.open(one.connection.prepare(PreparedPurpose::Channel(batch)));
    assert_eq!(refused, Err(Reason::UNKNOWN_OBJECT_NAME));
    one.commit().unwrap();
    assert_eq!(left(&bench), ["stays in the unit"]);
}

#[test]
fn a_batch_in_doubt_is_ended_by_its_channel_alone_and_keeps_its_object() {
    for commits in [true, false] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let object = bench.open(bench.manager.channels().define_state(None, sync("TO.B"))).unwrap();
        let batch =
            ChannelBatch { sync_object: object, batch: 5, first_sequence: 8, last_sequence: 9, chain: 77 };
        let name = prepare(&bench, PreparedPurpose::Channel(batch));
        let bench = restarted(bench, true);
        let decision = if commits { Decision::Commit } else { Decision::BackOut };
        assert_eq!(bench.open(bench.manager.units().settle(name, decision)), Err(Reason::UOW_NOT_AVAILABLE));
        let refused = bench.open(bench.manager.units().resolve_by_hand(name, decision, "anna"));
        assert_eq!(refused, Err(NotResolved::OfChannel(batch)));
        assert_eq!(bench.open(bench.manager.channels().forget_state(object)), Err(Reason::OBJECT_IN_USE));
        assert_eq!(bench.open(bench.manager.units().prepared()).len(), 1, "nothing of this ended it");
        bench.open(bench.manager.units().settle_batch(name, decision)).unwrap();
        let bench = restarted(bench, true);
        let confirmed = ChannelCommit { sync_object: object, chain: 77, batch: 5, sequence: 9 };
        assert_eq!(states(&bench)[0].confirmed, commits.then_some(confirmed));
        assert_eq!(left(&bench), [if commits { "hidden" } else { "held" }]);
        bench.open(bench.manager.channels().forget_state(object)).unwrap();
        let bench = restarted(bench, false);
        assert!(states(&bench).is_empty(), "the commit before its end does not bring it back");
    }
}

#[test]
fn a_channel_does_not_end_a_branch() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let name = prepare(&bench, branch());
    let refused = bench.open(bench.manager.units().settle_batch(name, Decision::Commit));
    assert_eq!(refused, Err(Reason::UOW_NOT_AVAILABLE));
    assert_eq!(bench.open(bench.manager.units().prepared()).len(), 1);
}

#[test]
fn a_decision_by_hand_is_told_to_the_coordinator_until_it_is_forgotten() {
    for commits in [true, false] {
        for checkpoints in [false, true] {
            let bench = Bench::new();
            bench.mqsc("DEFINE QLOCAL(Q)");
            let name = prepare(&bench, branch());
            let bench = restarted(bench, checkpoints);
            let decision = if commits { Decision::Commit } else { Decision::BackOut };
            let forget = format!("RESOLVE INDOUBT({}.{}) ACTION(FORGET)", name.epoch, name.counter);
            assert!(bench.refused(&forget).contains("no person decided it"));
            bench.open(bench.manager.units().resolve_by_hand(name, decision, "beate")).unwrap();
            let expected = ResolvedBranch {
                unit: name,
                is_committed: commits,
                prepared_at: 7,
                decided_at: bench.machine.world().clock.wall().0,
                format: 1,
                global: b"global".to_vec(),
                qualifier: b"one".to_vec(),
                user: b"anna".to_vec(),
                decided_by: b"beate".to_vec(),
            };
            let bench = restarted(bench, checkpoints);
            assert!(bench.open(bench.manager.units().prepared()).is_empty());
            assert_eq!(left(&bench), [if commits { "hidden" } else { "held" }]);
            assert_eq!(bench.open(bench.manager.units().resolved_by_hand()), std::slice::from_ref(&expected));
            for asked in [Decision::Commit, Decision::BackOut] {
                let told = bench.open(bench.manager.units().settle(name, asked));
                assert_eq!(told, Ok(Settled::ByHand(expected.clone())));
                let again = bench.open(bench.manager.units().resolve_by_hand(name, asked, "carl"));
                assert_eq!(again, Err(NotResolved::Decided));
            }
            let before = bench.manager.durable().lsn();
            assert!(bench.told(&forget).contains("was forgotten"));
            assert!(bench.manager.units().settle(name, decision).need() > before, "that it is unknown");
            let bench = restarted(bench, checkpoints);
            assert_eq!(
                bench.open(bench.manager.units().settle(name, decision)),
                Err(Reason::UOW_NOT_AVAILABLE)
            );
            assert!(bench.open(bench.manager.units().resolved_by_hand()).is_empty());
            let unknown = bench.open(bench.manager.units().resolve_by_hand(name, decision, "carl"));
            assert_eq!(unknown, Err(NotResolved::Unknown));
        }
    }
}

/// True for a unit that was decided by hand as the log on a disk says, and for one that ended.
fn said(disk: &SimulatedDisk, name: UnitId) -> (bool, bool) {
    let (mut decided, mut ended) = (false, false);
    let inspection = Inspection::open(disk).unwrap();
    for block in inspection.blocks() {
        let seen = inspection.records(&block, &mut |logged| {
            match &logged.content {
                Logged::Record(Record::Define { definition, .. }) => {
                    decided |= StateObject::is_marked(definition);
                }
                Logged::Record(Record::Commit { unit, .. } | Record::Backout { unit, .. }) => {
                    ended |= *unit == name;
                }
                _ => {}
            }
            true
        });
        assert!(seen.unwrap());
    }
    (decided, ended)
}

/// The log is forced in blocks: where the decision is the last record of one, a power cut leaves it without
/// the end of the unit.
#[test]
fn a_power_cut_between_a_decision_by_hand_and_the_end_leaves_the_decision() {
    let mut between = 0;
    let blocks = storage::Settings { block_bytes_max: 64 << 10, ..settings().storage };
    for commits in [true, false] {
        for length in (64_900..65_300).step_by(16) {
            let bench = Bench::with(Settings { storage: blocks.clone(), ..settings() }, 1);
            bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(OTHER)");
            let name = prepare(&bench, branch());
            let mut one = bench.connect();
            let other = one.open("OTHER", OUTPUT);
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            let put = one.connection.put(other, &message(true), &options, vec![b'x'; length].into());
            let decision = if commits { Decision::Commit } else { Decision::BackOut };
            drop((put, bench.manager.units().resolve_by_hand(name, decision, "anna")));
            bench.manager.drive();
            bench.machine.disk.cut_power();
            let nothing = CrashPolicy::surviving(Survival::Nothing);
            let disk = bench.machine.disk.crash(&mut Random::new(7), nothing);
            let (decided, ended) = said(&disk, name);
            assert!(decided || !ended, "the decision is logged first");
            between += u32::from(decided && !ended);
            let bench = bench.start_on(disk);
            assert_eq!(bench.open(bench.manager.units().prepared()).is_empty(), decided);
            assert_eq!(bench.open(bench.manager.units().resolved_by_hand()).len(), usize::from(decided));
            if decided {
                assert_eq!(left(&bench), [if commits { "hidden" } else { "held" }]);
            }
            // What the start ended stays ended.
            let bench = bench.crash(Survival::Nothing);
            assert_eq!(bench.open(bench.manager.units().prepared()).is_empty(), decided);
        }
    }
    assert!(between >= 2, "{between} cuts came between");
}

/// One who asks while another decides learns of the end no sooner than its record is durable.
#[test]
#[expect(clippy::disallowed_methods, reason = "this test is about real threads")]
fn of_two_who_decide_at_once_the_second_is_gated_by_the_end_of_the_first() {
    let mut bench = Bench::new();
    for turn in 0..400 {
        // The log of one has room for some of the turns.
        if turn % 20 == 0 {
            bench = Bench::new();
            bench.mqsc("DEFINE QLOCAL(Q)");
        }
        let name = prepare(&bench, branch());
        let barrier = Barrier::new(2);
        let needs: Vec<(bool, Lsn)> = std::thread::scope(|scope| {
            let decide = |decision| {
                let (manager, barrier) = (&bench.manager, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    let settled = manager.units().settle(name, decision);
                    let need = settled.need();
                    (open(manager, settled).is_ok(), need)
                })
            };
            let decided = [decide(Decision::Commit), decide(Decision::BackOut)];
            decided.map(|decided| decided.join().unwrap()).to_vec()
        });
        let ended: Vec<Lsn> = needs.iter().filter(|(ends, _)| *ends).map(|(_, need)| *need).collect();
        assert_eq!(ended.len(), 1, "one decides: {needs:?}");
        assert!(needs.iter().all(|(_, need)| *need >= ended[0]), "turn {turn}: {needs:?}");
        assert!(!left(&bench).is_empty(), "the next turn begins with an empty queue");
    }
}

#[test]
fn what_a_prepared_unit_put_has_its_program_started_when_it_ends_after_a_restart() {
    for (kind, lasting, expected) in
        [("EVERY", "NO", 2), ("EVERY", "YES", 2), ("FIRST", "NO", 1), ("FIRST", "YES", 1)]
    {
        for restarts in [0, 1, 2] {
            let mut bench = Bench::new();
            bench.mqsc(&format!("DEFINE QLOCAL(STARTS) DEFPSIST({lasting}) DEFINE PROCESS(CLERK)"));
            bench.mqsc(&format!(
                "DEFINE QLOCAL(Q) TRIGGER TRIGTYPE({kind}) TRIGMPRI(3) INITQ(STARTS) PROCESS(CLERK)"
            ));
            let mut monitor = bench.connect();
            monitor.open("STARTS", INPUT);
            let mut one = bench.connect();
            let queue = one.open("Q", OUTPUT);
            for priority in [5, 1, 5] {
                let descriptor = MessageDescriptor { priority: Priority::new(priority), ..message(true) };
                let body = format!("of priority {priority}");
                one.try_put(queue, &descriptor, PutFlags::SYNCPOINT, &body).unwrap();
            }
            let name = bench.open(one.connection.prepare(branch())).unwrap().unwrap();
            drop((one, monitor));
            for restart in 0..restarts {
                bench = restarted(bench, restart == 1);
            }
            assert_eq!(starts(&bench), 0, "{kind} {lasting}: nothing starts before the end");
            let mut monitor = bench.connect();
            let started = monitor.open("STARTS", INPUT);
            while monitor.get(started).is_ok() {}
            bench.open(bench.manager.units().settle(name, Decision::Commit)).unwrap();
            let made = std::iter::from_fn(|| monitor.get(started).ok()).count();
            assert_eq!(made, expected, "{kind} {lasting} after {restarts} restarts");
        }
    }
}

fn starts(bench: &Bench) -> i32 {
    let mut one = bench.connect();
    let queue = one.open("STARTS", BROWSE | OpenOptions::INQUIRE);
    let mut found = 0;
    let options = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::No);
    while one.get_with(queue, &MessageDescriptor::default(), &options, 1000).is_ok() {
        found += 1;
    }
    found
}

#[test]
fn a_unit_that_is_to_be_prepared_has_the_room_for_it_before_its_first_put() {
    let small = storage::Settings { primary_extents: 2, secondary_extents: 0, ..settings().storage };
    let bench = Bench::with(Settings { storage: small, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(FULL) MAXDEPTH(100000)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", OUTPUT);
    bench.open(one.connection.expect_prepare()).unwrap();
    bench.open(one.connection.expect_prepare()).unwrap();
    one.put_within(queue, true, "in doubt");
    let full = two.open("FULL", OUTPUT);
    let body = "x".repeat(5000);
    while two.try_put(full, &message(true), PutFlags::NO_SYNCPOINT, &body).is_ok() {}
    // A batch that is sent makes room: it may use what is kept back from putters, as far as that goes.
    let mut others: Vec<_> = (0..90).map(|_| bench.connect()).collect();
    let kept = others.iter_mut().map(|other| bench.open(other.connection.expect_prepare()));
    let refused: Vec<_> = kept.filter_map(Result::err).collect();
    assert!((1..90).contains(&refused.len()), "{refused:?}");
    assert!(refused.iter().all(|reason| *reason == Reason::RESOURCE_PROBLEM), "{refused:?}");
    drop(others);
    let name = bench.open(one.connection.prepare(branch())).unwrap().unwrap();
    bench.open(bench.manager.units().settle(name, Decision::Commit)).unwrap();
    assert_eq!(left(&bench), ["in doubt"]);
    // What is kept for a unit that is not prepared is given back with its end.
    bench.keep_house();
    bench.keep_house();
    for ends in 0..3000 {
        bench.open(one.connection.expect_prepare()).unwrap();
        assert_eq!(if ends % 2 == 0 { one.commit() } else { one.back() }, Ok(()));
    }
}

fn batch_of(bench: &Bench) -> PreparedPurpose {
    let sync_object = bench.open(bench.manager.channels().define_state(None, sync("TO.B"))).unwrap();
    PreparedPurpose::Channel(ChannelBatch {
        sync_object,
        batch: 5,
        first_sequence: 8,
        last_sequence: 9,
        chain: 77,
    })
}

#[test]
fn display_conn_shows_units_in_doubt_and_their_messages() {
    let mut bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let one = prepare(&bench, branch());
    let two = prepare(&bench, batch_of(&bench));
    let three = prepare(&bench, branch());
    bench.open(bench.manager.units().resolve_by_hand(three, Decision::BackOut, "beate")).unwrap();
    for checkpoints in [None, Some(false), Some(true)] {
        if let Some(checkpoints) = checkpoints {
            bench = restarted(bench, checkpoints);
        }
        are_shown(&bench, [one, two, three]);
    }
}

fn are_shown(bench: &Bench, [one, two, three]: [UnitId; 3]) {
    let shown = |unit: UnitId| format!("QMURID({}.{})", unit.epoch, unit.counter);
    let conn = |what: &str| bench.told(&format!("DISPLAY CONN(*) {what}"));
    let all = conn("WHERE(UOWSTATE EQ PREPARED) ALL");
    for part in [
        "CONN(0000000000000000)",
        &shown(one),
        "EXTURID(XA_FORMATID[00000001] XA_GTRID[676C6F62616C] XA_BQUAL[6F6E65])",
        "URTYPE(XA)",
        "USERID(anna)",
        &shown(two),
        "URTYPE(QMGR)",
        "CHANNEL(TO.B)",
    ] {
        assert!(all.contains(part), "{part}:\n{all}");
    }
    assert!(!all.contains(&shown(three)), "{all}");
    let by_hand = conn("WHERE(UOWSTATE EQ BACKEDOUT) QMURID");
    assert!(by_hand.contains(&shown(three)) && !by_hand.contains(&shown(one)), "{by_hand}");
    let messages = conn(&format!("TYPE(HANDLE) WHERE(QMURID EQ '{}.{}') ALL", one.epoch, one.counter));
    assert_eq!(messages.matches("OBJNAME(Q)").count(), 2, "{messages}");
    for part in ["MSGOP(PUT)", "MSGOP(GOT)", "MSGLEN(6)", "MSGLEN(4)"] {
        assert_eq!(messages.matches(part).count(), 1, "{part}:\n{messages}");
    }
    let of_all = conn("TYPE(ALL) ALL");
    assert_eq!(of_all.matches("MSGOP(").count(), 4, "two units in doubt have messages:\n{of_all}");
}

#[test]
fn resolve_indoubt_decides_a_branch_and_refuses_a_batch_and_what_is_not_there() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let one = prepare(&bench, branch());
    let two = prepare(&bench, batch_of(&bench));
    let named = |unit: UnitId| format!("{}.{}", unit.epoch, unit.counter);
    let resolve = |unit: &str, action: &str| format!("RESOLVE INDOUBT({unit}) ACTION({action})");
    for action in ["COMMIT", "BACKOUT", "FORGET"] {
        let refused = bench.refused(&resolve(&named(two), action));
        assert!(refused.contains("FRY8462E"), "{refused}");
        bench.refused(&resolve("9.9", action));
    }
    assert!(bench.refused(&resolve(&named(two), "COMMIT")).contains("RESOLVE CHANNEL"));
    bench.refused(&resolve(&named(one), "FORGET"));
    let told = bench.told(&resolve(&named(one), "COMMIT"));
    assert!(told.contains("FRY8459I") && told.contains("committed"), "{told}");
    assert_eq!(left(&bench), ["hidden"]);
    let again = bench.refused(&resolve(&named(one), "BACKOUT"));
    assert!(again.contains("a person decided it before"), "{again}");
    assert!(bench.told(&resolve(&named(one), "FORGET")).contains("FRY8460I"));
    bench.refused(&resolve(&named(one), "FORGET"));
    assert_eq!(bench.open(bench.manager.units().prepared()).len(), 1, "the batch stays in doubt");
    assert!(bench.told("DISPLAY CONN(*) WHERE(UOWSTATE EQ COMMITTED)").contains("FRY8461I"));
}

/// A coordinator that never comes keeps no other user and no channel from preparing.
#[test]
fn a_user_prepares_as_many_branches_as_it_may_until_some_end_and_channels_go_on() {
    let bound = GrowthBound { user_max: Some(2), all_max: 3 };
    let growth = GrowthBounds::default().with(Growth::PreparedBranches, bound);
    let bench = Bench::with(Settings { growth, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)\nSET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(PUT,GET)");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    let root = Principal::administrator("root", Identity::Kernel).unwrap();
    let of = |user: &str| PreparedBranch {
        prepared_at: 7,
        format: 1,
        global: b"global".to_vec(),
        qualifier: b"one".to_vec(),
        user: user.into(),
    };
    let prepare_by = |session: &mut Session, purpose: PreparedPurpose| {
        let queue = session.open("Q", OUTPUT);
        session.put_within(queue, true, "hidden");
        let prepared = session.connection.prepare(purpose);
        open(&session.manager, prepared).map(|unit| unit.expect("it did something"))
    };
    let prepare_as = |bench: &Bench, user: &str| {
        let mut session = bench.connect_user(user);
        let prepared = prepare_by(&mut session, PreparedPurpose::Branch(of(user)));
        if prepared.is_err() {
            assert_eq!(session.back(), Ok(()), "its unit of work is still there");
        }
        prepared
    };
    let counts = |bench: &Bench| {
        [None, Some("eve"), Some("ada")]
            .map(|user| bench.manager.figures().growth(Growth::PreparedBranches, user))
    };
    let first = prepare_as(&bench, "eve").unwrap();
    let second = prepare_as(&bench, "eve").unwrap();
    assert_eq!(prepare_as(&bench, "eve"), Err(Reason::RESOURCE_PROBLEM));
    let told = bench.host.events.lock().join("\n");
    assert!(told.contains("FRY7483W") && told.contains("growth.prepared_branches_user_max"), "{told}");
    // One that did nothing is none.
    let mut idle = bench.connect_user("ada");
    assert_eq!(bench.open(idle.connection.prepare(PreparedPurpose::Branch(of("ada")))), Ok(None));
    assert_eq!(counts(&bench), [2, 2, 0]);
    prepare_as(&bench, "ada").unwrap();
    assert_eq!(prepare_as(&bench, "ada"), Err(Reason::RESOURCE_PROBLEM), "all together have as many");
    let mut channel = bench.try_connect_by(root.clone(), [0; 16], 0).unwrap();
    let batch = prepare_by(&mut channel, batch_of(&bench)).unwrap();
    assert_eq!(counts(&bench), [3, 2, 1], "a batch of a channel counts for nobody");
    bench.open(bench.manager.units().settle_batch(batch, Decision::BackOut)).unwrap();
    // The decisions of a coordinator and of a person make room.
    bench.open(bench.manager.units().settle(first, Decision::Commit)).unwrap();
    let third = prepare_as(&bench, "eve").unwrap();
    let bench = restarted(bench, false);
    assert_eq!(counts(&bench), [3, 2, 1]);
    bench.open(bench.manager.units().resolve_by_hand(second, Decision::BackOut, "root")).unwrap();
    let mut own = bench.try_connect_by(root, [0; 16], 0).unwrap();
    prepare_by(&mut own, PreparedPurpose::Branch(of("root"))).unwrap();
    assert_eq!(counts(&bench), [3, 1, 1], "an administrator counts for all alone");
    bench.open(bench.manager.units().settle(third, Decision::BackOut)).unwrap();
    assert_eq!(counts(&bench), [2, 0, 1]);
}

#[test]
fn a_user_decides_as_many_branches_as_it_may_until_some_are_forgotten() {
    let bound = GrowthBound { user_max: Some(2), all_max: 4 };
    let growth = GrowthBounds::default().with(Growth::ResolvedBranches, bound);
    let bench = Bench::with(Settings { growth, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let units: Vec<UnitId> = (0..6).map(|_| prepare(&bench, branch())).collect();
    for user in ["eve", "ada"] {
        bench.mqsc(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(CONNECT,DSP,CHG)"));
    }
    let resolve = |bench: &Bench, user: &str, at: usize, action: &str| {
        let UnitId { epoch, counter } = units[at];
        let issuer = Issuer { principal: principal(user), ..Issuer::default() };
        let text = format!("RESOLVE INDOUBT({epoch}.{counter}) ACTION({action})");
        let command = &objects::mqsc::parse(&text).unwrap()[0];
        bench.open(bench.manager.execute_for(&issuer, command))
    };
    assert!(resolve(&bench, "eve", 0, "COMMIT").is_ok() && resolve(&bench, "eve", 1, "BACKOUT").is_ok());
    let refused = resolve(&bench, "eve", 2, "COMMIT");
    let text = refused.to_string();
    assert!(text.contains("2102") && text.contains("growth.resolved_branches_user_max"), "{text}");
    assert!(text.contains("RESOLVE INDOUBT(number) ACTION(FORGET)"), "{text}");
    assert_eq!(bench.open(bench.manager.units().prepared()).len(), 4, "a refused decision ends nothing");
    assert!(resolve(&bench, "ada", 2, "COMMIT").is_ok());
    // An administrator meets the bound for all alone.
    let command =
        |at: usize| format!("RESOLVE INDOUBT({}.{}) ACTION(COMMIT)", units[at].epoch, units[at].counter);
    let root = Principal::administrator("root", Identity::Kernel).unwrap();
    let by_root = |at: usize| {
        let issuer = Issuer { principal: root.clone(), ..Issuer::default() };
        bench.open(bench.manager.execute_for(&issuer, &objects::mqsc::parse(&command(at)).unwrap()[0]))
    };
    assert!(by_root(3).is_ok());
    let text = by_root(4).to_string();
    assert!(text.contains("growth.resolved_branches_max"), "{text}");
    assert!(resolve(&bench, "eve", 0, "FORGET").is_ok());
    assert!(resolve(&bench, "eve", 4, "BACKOUT").is_ok());
    let counts = |bench: &Bench| {
        [None, Some("eve"), Some("ada")]
            .map(|user| bench.manager.figures().growth(Growth::ResolvedBranches, user))
    };
    assert_eq!(counts(&bench), [4, 2, 1]);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(counts(&bench), [4, 2, 1]);
    assert!(!resolve(&bench, "ada", 5, "COMMIT").is_ok());
    assert!(resolve(&bench, "ada", 2, "FORGET").is_ok() && resolve(&bench, "ada", 5, "COMMIT").is_ok());
}

#[test]
fn a_branch_is_decided_by_nobody_without_the_right_to_change_the_queue_manager() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let unit = prepare(&bench, branch());
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CONNECT,DSP,INQ,ALTUSR)");
    let issuer = Issuer { principal: principal("eve"), ..Issuer::default() };
    let resolve = |action: &str| {
        let text = format!("RESOLVE INDOUBT({}.{}) ACTION({action})", unit.epoch, unit.counter);
        let command = &objects::mqsc::parse(&text).unwrap()[0];
        bench.open(bench.manager.execute_for(&issuer, command)).to_string()
    };
    for action in ["COMMIT", "BACKOUT", "FORGET"] {
        assert!(resolve(action).contains("FRY8135E"), "{action}: {}", resolve(action));
    }
    assert_eq!(bench.open(bench.manager.units().prepared()).len(), 1, "it stays in doubt");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG)");
    assert!(resolve("COMMIT").contains("FRY8459I"));
}

/// A command in binary form, and its answers.
fn asked(bench: &Bench, number: i32, parameters: Vec<Parameter>) -> Vec<pcf::Message> {
    let request = pcf::request(&pcf::Message { header: pcf::Header::command(number), parameters }).unwrap();
    let pcf::Request::Command(command) = &request else { panic!("{request:?}") };
    let response = bench.open(bench.manager.execute(command));
    pcf::responses(number, &request, &response)
}

#[test]
fn programs_are_shown_units_in_doubt_and_decide_them_in_binary_form() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (one, two) = (prepare(&bench, branch()), prepare(&bench, batch_of(&bench)));
    let number = |unit: UnitId| {
        let counter = u32::try_from(unit.counter).unwrap();
        Content::Bytes([unit.epoch.to_be_bytes(), counter.to_be_bytes()].concat())
    };
    let of = |message: &pcf::Message, identifier: i32| {
        let parameter = message.parameters.iter().find(|parameter| parameter.identifier == identifier);
        parameter.map(|parameter| parameter.content.clone())
    };
    let inquire = || {
        let all = Parameter::new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(Vec::new()));
        asked(&bench, MQCMD_INQUIRE_CONNECTION, vec![all])
    };
    let about = |answers: &[pcf::Message], unit| {
        let is_about = |answer: &&pcf::Message| of(answer, MQBACF_Q_MGR_UOW_ID) == Some(number(unit));
        answers.iter().find(is_about).cloned().expect("it is shown")
    };
    let shown = about(&inquire(), one);
    let parts = [&1_u32.to_be_bytes()[..], &6_u32.to_be_bytes(), &3_u32.to_be_bytes(), b"globalone"];
    assert_eq!(of(&shown, MQBACF_EXTERNAL_UOW_ID), Some(Content::Bytes(parts.concat())));
    assert_eq!(of(&shown, MQIACF_UOW_STATE), Some(Content::Integer(MQUOWST_PREPARED)));
    assert_eq!(of(&shown, MQIACF_UOW_TYPE), Some(Content::Integer(MQUOWT_XA)));
    let shown = about(&inquire(), two);
    assert_eq!(of(&shown, MQBACF_EXTERNAL_UOW_ID), Some(Content::Bytes(Vec::new())));
    assert_eq!(of(&shown, MQIACF_UOW_TYPE), Some(Content::Integer(MQUOWT_Q_MGR)));
    let resolve = |unit, how| {
        let unit = Parameter::new(MQBACF_Q_MGR_UOW_ID, number(unit));
        let answers =
            asked(&bench, MQCMD_RESOLVE_INDOUBT, vec![unit, Parameter::integer(MQIACH_IN_DOUBT, how)]);
        answers[0].header.completion
    };
    assert_eq!(resolve(two, MQIDO_COMMIT), MQCC_FAILED, "a batch is its channel's");
    assert_eq!(resolve(one, IN_DOUBT_FORGET), MQCC_FAILED);
    assert_eq!(resolve(one, MQIDO_BACKOUT), MQCC_OK);
    let [_, backed_out] = UNIT_STATES_BY_HAND;
    assert_eq!(of(&about(&inquire(), one), MQIACF_UOW_STATE), Some(Content::Integer(backed_out)));
    assert_eq!(left(&bench), ["held"]);
    assert_eq!(resolve(one, MQIDO_COMMIT), MQCC_FAILED);
    assert_eq!(resolve(one, IN_DOUBT_FORGET), MQCC_OK);
    for wrong in [Content::Bytes(vec![1; 7]), Content::Integer(1)] {
        let parameters =
            vec![Parameter::new(MQBACF_Q_MGR_UOW_ID, wrong), Parameter::integer(MQIACH_IN_DOUBT, 1)];
        let header = pcf::Header::command(MQCMD_RESOLVE_INDOUBT);
        assert!(pcf::request(&pcf::Message { header, parameters }).is_err());
    }
}
