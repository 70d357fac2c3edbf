//! Branches that are not prepared as administrators see them, and end them.

use mqi::branch::{BranchCommit, BranchEnd, BranchRefusal, BranchStart, RollbackCause};
use mqi::constants::*;
use objects::pcf::{self, Content, Parameter};

use super::*;

const BY_ORDER: BranchRefusal = BranchRefusal::RolledBack(RollbackCause::ByOrder);

/// The identifier of a branch as DISPLAY CONN shows it.
fn external(number: u8) -> String {
    format!("EXTURID(XA_FORMATID[00000001] XA_GTRID[7472616E73616374696F6E] XA_BQUAL[{number:02X}])")
}

/// The identifier of a branch as commands take it.
fn typed(number: u8) -> String {
    format!("'1:7472616E73616374696F6E:{number:02X}'")
}

/// The rows of an answer in text.
fn rows(told: &str) -> Vec<&str> {
    told.split("FRY8276I").skip(1).collect()
}

fn row_of(told: &str, number: u8) -> &str {
    let of_it: Vec<_> = rows(told).into_iter().filter(|row| row.contains(&external(number))).collect();
    assert_eq!(of_it.len(), 1, "branch {number}:\n{told}");
    of_it[0]
}

fn number_in(row: &str) -> &str {
    row.split("QMURID(").nth(1).and_then(|rest| rest.split(')').next()).unwrap().trim()
}

#[test]
fn display_conn_shows_idle_and_suspended_branches_and_the_branch_of_a_connection() {
    let bench = bench();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    one.leave_idle(&branch(1), "idle");
    one.start(&branch(2), BranchStart::New).unwrap();
    one.end(&branch(2), BranchEnd::Migrate).unwrap();
    let queue = two.open("Q", INPUT | OUTPUT);
    two.start(&branch(3), BranchStart::New).unwrap();
    two.put_within(queue, true, "being worked on");
    one.leave_idle(&branch(4), "prepared");
    one.prepare(&branch(4)).unwrap();
    let shown = |with_one: bool| {
        let told = bench.told("DISPLAY CONN(*) WHERE(URTYPE EQ XA) ALL");
        assert_eq!(rows(&told).len(), 4, "{told}");
        for (number, state, messages) in [(1, "ACTIVE", 1), (2, "ACTIVE", 0), (4, "PREPARED", 1)] {
            let row = row_of(&told, number);
            for part in
                ["CONN(0000000000000000)", &format!("UOWSTATE({state})"), &format!("UOWMSGS({messages})")]
            {
                assert!(row.contains(part), "{part}, the connection is there: {with_one}:\n{row}");
            }
        }
        assert!(row_of(&told, 1).contains("UOWQS(Q)") && !number_in(row_of(&told, 1)).is_empty(), "{told}");
        assert!(row_of(&told, 2).contains("QMURID( )"), "it has no record in the log: {told}");
        let working = row_of(&told, 3);
        assert!(working.contains("UOWMSGS(1)") && !working.contains("CONN(0000000000000000)"), "{working}");
    };
    shown(true);
    drop(one);
    shown(false);

    let condition = external(1).replacen('(', " EQ '", 1).replace(')', "'");
    let alone = bench.told(&format!("DISPLAY CONN(*) WHERE({condition})"));
    assert_eq!(rows(&alone).len(), 1, "{alone}");
    let without_connection = bench.told("DISPLAY CONN(0000000000000000) TYPE(ALL) ALL");
    assert_eq!(without_connection.matches("TYPE(CONN)").count(), 3, "{without_connection}");
    let messages = bench.told("DISPLAY CONN(0000000000000000) TYPE(HANDLE) ALL");
    assert_eq!(messages.matches("MSGOP(PUT)").count(), 2, "{messages}");
    let number = number_in(row_of(&bench.told("DISPLAY CONN(*) ALL"), 1)).to_owned();
    let messages = bench.told(&format!("DISPLAY CONN(*) TYPE(HANDLE) WHERE(QMURID EQ '{number}') ALL"));
    assert!(messages.matches("MSGOP(").count() == 1 && messages.contains("MSGLEN(4)"), "{messages}");
    // One that must be rolled back has nothing left.
    two.end(&branch(3), BranchEnd::Fail).unwrap_err();
    let left = bench.told("DISPLAY CONN(*) WHERE(URTYPE EQ XA) ALL");
    assert_eq!(rows(&left).len(), 3, "{left}");
}

#[test]
fn a_branch_that_is_not_prepared_is_backed_out_by_a_person_and_its_coordinator_learns_of_it() {
    for how in ["by number", "by identifier", "by connection"] {
        let bench = bench();
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.put(queue, true, "got in it");
        one.start(&branch(1), BranchStart::New).unwrap();
        one.put_within(queue, true, "put in it");
        assert_eq!(one.get_within(queue).as_deref(), Ok("got in it"));
        if how != "by connection" {
            one.end(&branch(1), BranchEnd::Success).unwrap();
        }
        let told = bench.told("DISPLAY CONN(*) ALL");
        let row = row_of(&told, 1);
        let name = match how {
            "by number" => number_in(row).to_owned(),
            "by identifier" => typed(1),
            _ => row.split("CONN(").nth(1).and_then(|rest| rest.split(')').next()).unwrap().to_owned(),
        };
        for (action, why) in [("COMMIT", "not prepared"), ("FORGET", "")] {
            let refused = bench.refused(&format!("RESOLVE INDOUBT({name}) ACTION({action})"));
            assert!(refused.contains(why), "{how}: {refused}");
        }
        let told = bench.told(&format!("RESOLVE INDOUBT({name}) ACTION(BACKOUT)"));
        assert!(told.contains(if how == "by connection" { "FRY8458I" } else { "FRY8463I" }), "{how}: {told}");
        bench.refused(&format!("RESOLVE INDOUBT({name}) ACTION(BACKOUT)"));
        if how == "by connection" {
            let refused = one.try_put(queue, &message(true), mqi::PutFlags::SYNCPOINT, "too late");
            assert_eq!(refused.unwrap_err(), Reason::BACKED_OUT);
            assert_eq!(one.end(&branch(1), BranchEnd::Success), Err(BY_ORDER));
        }
        assert_eq!(one.start(&branch(1), BranchStart::Join), Err(BY_ORDER), "{how}");
        assert_eq!(one.prepare(&branch(1)), Err(BY_ORDER), "{how}");
        assert_eq!(one.commit_branch(&branch(1), BranchCommit::TwoPhase), Err(BranchRefusal::Unknown));
        assert_eq!(one.get(queue).as_deref(), Ok("got in it"), "{how}");
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE), "{how}");
    }
}

#[test]
fn a_prepared_branch_is_decided_by_its_identifier_and_one_that_is_nowhere_is_refused() {
    let bench = bench();
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "in it");
    one.prepare(&branch(1)).unwrap();
    for wrong in ["'1:61'", "'1:6:62'", "'G:61:62'", "'1::62'"] {
        let refused = objects::mqsc::parse(&format!("RESOLVE INDOUBT({wrong}) ACTION(BACKOUT)")).unwrap_err();
        assert!(refused.to_string().contains("FORMAT:GLOBAL:QUALIFIER"), "{wrong}: {refused}");
    }
    for action in ["COMMIT", "BACKOUT", "FORGET"] {
        let refused = bench.refused(&format!("RESOLVE INDOUBT({}) ACTION({action})", typed(2)));
        assert!(refused.contains("there is no such unit of work"), "{refused}");
    }
    // In binary form.
    let unit = Parameter::new(
        MQBACF_EXTERNAL_UOW_ID,
        Content::Bytes([&[0, 0, 0, 1, 0, 0, 0, 11, 0, 0, 0, 1][..], b"transaction\x01"].concat()),
    );
    let parameters = vec![unit, Parameter::integer(MQIACH_IN_DOUBT, MQIDO_COMMIT)];
    let header = pcf::Header::command(MQCMD_RESOLVE_INDOUBT);
    let request = pcf::request(&pcf::Message { header, parameters }).unwrap();
    let pcf::Request::Command(command) = &request else { panic!("{request:?}") };
    let response = bench.open(bench.manager.execute(command));
    assert_eq!(pcf::responses(MQCMD_RESOLVE_INDOUBT, &request, &response)[0].header.completion, MQCC_OK);
    assert_eq!(bench.depth("Q"), 1);
    let refused = bench.refused(&format!("RESOLVE INDOUBT({}) ACTION(BACKOUT)", typed(1)));
    assert!(refused.contains("a person decided it before"), "{refused}");
    bench.told(&format!("RESOLVE INDOUBT({}) ACTION(FORGET)", typed(1)));
    assert_eq!(one.commit_branch(&branch(1), BranchCommit::TwoPhase), Err(BranchRefusal::Unknown));
}

/// As long as a branch that was left is remembered, so that its coordinator learns why it is gone.
#[test]
fn a_branch_that_a_person_backed_out_is_remembered_as_long_again() {
    let bench = bench();
    let mut one = bench.connect();
    one.leave_idle(&branch(1), "in it");
    drop(one);
    bench.pass(Duration::from_secs(299));
    bench.keep_house();
    bench.told(&format!("RESOLVE INDOUBT({}) ACTION(BACKOUT)", typed(1)));
    bench.pass(Duration::from_secs(299));
    bench.keep_house();
    let mut two = bench.connect();
    assert_eq!(two.start(&branch(1), BranchStart::Join), Err(BY_ORDER));
    bench.pass(Duration::from_secs(2));
    bench.keep_house();
    assert_eq!(two.start(&branch(1), BranchStart::Join), Err(BranchRefusal::Unknown));
}

#[test]
fn a_branch_that_waits_long_is_told_of_after_five_minutes_and_then_daily_over_restarts() {
    let bench = bench();
    let mut one = bench.connect();
    for number in [1, 2] {
        one.leave_idle(&branch(number), "in doubt");
        one.prepare(&branch(number)).unwrap();
    }
    let after = |bench: &Bench, minutes: u64| {
        bench.pass(Duration::from_secs(minutes * 60));
        bench.keep_house();
        let events = bench.host.events.lock();
        let told = events.iter().filter(|event| event.contains("FRY7486W")).cloned().collect::<Vec<_>>();
        (told.len(), told.last().cloned().unwrap_or_default())
    };
    assert_eq!(after(&bench, 4).0, 0);
    let (times, told) = after(&bench, 2);
    assert_eq!(times, 1, "those that are due together are one event");
    let first = "1:7472616E73616374696F6E:01 tester 6 minutes 1";
    assert!(told.ends_with(first), "{told}");
    assert_eq!(after(&bench, 23 * 60).0, 1);
    let (times, told) = after(&bench, 60);
    assert!(times == 2 && told.contains("24 hours"), "{told}");
    one.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();
    let bench = bench.crash(Survival::Nothing);
    let (times, told) = after(&bench, 1);
    assert!(told.contains(":02 tester 24 hours 0"), "{times}: {told}");
    let mut two = bench.connect();
    two.commit_branch(&branch(2), BranchCommit::TwoPhase).unwrap();
    assert_eq!(after(&bench, 25 * 60).0, times, "it is decided");
}

#[test]
fn figures_tell_of_open_branches_and_of_the_oldest_that_is_in_doubt() {
    let bench = bench();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    one.leave_idle(&branch(1), "idle");
    two.start(&branch(2), BranchStart::New).unwrap();
    one.start(&branch(2), BranchStart::Join).unwrap();
    one.end(&branch(2), BranchEnd::Success).unwrap();
    one.start(&branch(2), BranchStart::Join).unwrap();
    bench.pass(Duration::from_secs(40));
    let units = || bench.open(bench.manager.figures().overview()).units;
    assert_eq!((units().open, units().oldest_seconds, units().in_doubt), (2, 40, 0));
    one.end(&branch(2), BranchEnd::Success).unwrap();
    one.prepare(&branch(1)).unwrap();
    bench.pass(Duration::from_secs(30));
    one.leave_idle(&branch(3), "prepared later");
    one.prepare(&branch(3)).unwrap();
    let units = units();
    assert_eq!((units.in_doubt, units.in_doubt_seconds, units.batches_in_doubt), (2, 30, 0));
    assert_eq!((units.open, units.oldest_seconds), (1, 70));
}
