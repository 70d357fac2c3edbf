//! Units of work beside a connection, and messages set aside for links.

use std::time::Duration;

use bytes::Bytes;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, RollbackCause,
};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, PutFlags, PutOptions, Reason,
    ReportOptions, Wait,
};
use platform::simulated::Survival;
use queue_manager::{
    Ask, Concluded, Decision, Get, GetPurpose, GotMessage, Placement, PreparedWork, PutDone, PutTarget,
    Reserve, Series, UnitOfWork, WaitToken,
};

use crate::support::*;

/// Puts within a unit of work that is beside a connection.
fn put_in(
    session: &mut Session,
    unit: &UnitOfWork,
    target: PutTarget<'_>,
    descriptor: &MessageDescriptor,
    body: &str,
) -> Result<PutDone, Reason> {
    let body = Bytes::copy_from_slice(body.as_bytes());
    let placement = Placement { unit: Some(unit), ..Placement::default() };
    let put = session.connection.put_placed(
        target,
        descriptor,
        &PutOptions::with(PutFlags::EMPTY),
        body.into(),
        placement,
    );
    open(&session.manager, put)
}

fn commit(session: &Session, unit: UnitOfWork) -> Result<(), Reason> {
    open(&session.manager, unit.commit())
}

fn back(session: &Session, unit: UnitOfWork) -> Result<(), Reason> {
    open(&session.manager, unit.back())
}

/// Sets the next message aside as a link does; none when it waits.
fn reserve(
    session: &mut Session,
    handle: ObjectHandle,
    token: u64,
    wait: Wait,
) -> Option<Result<GotMessage, Reason>> {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, wait);
    let any = MessageDescriptor::default();
    let got = session.connection.get(Ask {
        purpose: GetPurpose::Reserve(Reserve::ForLink),
        ..Ask::new(handle, &any, &options, 1 << 20, WaitToken(token))
    });
    match got {
        Get::Done(outcome) => Some(open(&session.manager, outcome)),
        Get::Waiting => None,
    }
}

fn take_in(session: &mut Session, unit: &UnitOfWork, token: u64) -> Result<(), Reason> {
    let taken = session.connection.take_reserved(WaitToken(token), Some(unit));
    open(&session.manager, taken)
}

#[test]
fn units_of_one_connection_stand_and_fall_each_by_itself() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(R)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT | OUTPUT);
        let other = two.open("R", INPUT);
        let by_name = ObjectDescriptor::queue("R".parse().unwrap());
        one.put(queue, persistent, "there");
        let (stands, falls) = (one.connection.open_unit().unwrap(), one.connection.open_unit().unwrap());
        assert!(reserve(&mut one, queue, 1, Wait::No).unwrap().is_ok());
        take_in(&mut one, &falls, 1).unwrap();
        put_in(&mut one, &stands, PutTarget::Object(&by_name), &message(persistent), "in one").unwrap();
        put_in(&mut one, &falls, PutTarget::Object(&by_name), &message(persistent), "in the other").unwrap();
        one.put_within(queue, persistent, "of the connection");
        assert_eq!(two.get(other), Err(Reason::NO_MSG_AVAILABLE), "none stands");
        assert_eq!(bench.depth("Q"), 1, "the one that was there is taken, the other put");
        assert!(stands.has_work() && falls.has_work());
        commit(&one, stands).unwrap();
        assert_eq!(two.get(other).as_deref(), Ok("in one"));
        assert_eq!(two.get(other), Err(Reason::NO_MSG_AVAILABLE));
        back(&one, falls).unwrap();
        assert_eq!(one.get(queue).as_deref(), Ok("there"), "it is back, before what was put since");
        one.commit().unwrap();
        assert_eq!(one.get(queue).as_deref(), Ok("of the connection"));
        assert_eq!((bench.depth("Q"), bench.depth("R")), (0, 0));
    }
}

#[test]
fn connections_work_within_the_unit_of_another() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE TOPIC(T) TOPICSTR('t') DEFINE QLOCAL(S)");
    bench.mqsc("DEFINE SUB(S) TOPICSTR('t') DEST(S)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let (of_one, of_two) = (one.open("Q", OUTPUT), two.open("Q", INPUT | OUTPUT));
    let topic = ObjectDescriptor::topic("t");
    two.put(of_two, true, "first");
    assert!(reserve(&mut two, of_two, 7, Wait::No).unwrap().is_ok());
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, PutTarget::Handle(of_one), &message(true), "second").unwrap();
    take_in(&mut two, &unit, 7).unwrap();
    put_in(&mut two, &unit, PutTarget::Object(&topic), &message(true), "published").unwrap();
    assert_eq!(bench.depth("S"), 1, "an uncommitted copy counts");
    let subscriber = one.open("S", INPUT);
    assert_eq!(one.get(subscriber), Err(Reason::NO_MSG_AVAILABLE));
    drop(two);
    commit(&one, unit).unwrap();
    assert_eq!(one.get(subscriber).as_deref(), Ok("published"), "the unit is not of the one that put it");
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue).as_deref(), Ok("second"));
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
}

/// Gets within a unit of work that is beside a connection; none when it waits, under token 90.
fn get_in(
    session: &mut Session,
    unit: &UnitOfWork,
    handle: ObjectHandle,
    options: &GetOptions,
) -> Option<Result<GotMessage, Reason>> {
    let any = MessageDescriptor::default();
    let ask = Ask::new(handle, &any, options, 1 << 20, WaitToken(90));
    match session.connection.get(Ask { unit: Some(unit), ..ask }) {
        Get::Done(outcome) => Some(open(&session.manager, outcome)),
        Get::Waiting => None,
    }
}

#[test]
fn a_get_takes_its_message_in_the_unit_that_it_names() {
    for (persistent, flags) in [
        (false, GetFlags::EMPTY),
        (true, GetFlags::SYNCPOINT),
        (true, GetFlags::SYNCPOINT_IF_PERSISTENT),
        (true, GetFlags::COMPLETE_MSG),
    ] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (queue, of_two) = (one.open("Q", INPUT | OUTPUT), two.open("Q", INPUT));
        for body in ["a", "b"] {
            one.put(queue, persistent, body);
        }
        let (stands, falls) = (one.connection.open_unit().unwrap(), two.connection.open_unit().unwrap());
        let options = GetOptions::with(flags, Wait::No);
        let a = get_in(&mut one, &stands, queue, &options).unwrap().unwrap();
        let b = get_in(&mut one, &falls, queue, &options).unwrap().unwrap();
        assert_eq!((text(&a).as_str(), text(&b).as_str()), ("a", "b"));
        assert!(stands.has_work() && falls.has_work() && !one.connection.has_unit());
        bench.open(one.connection.back()).unwrap();
        assert_eq!(bench.depth("Q"), 0, "the unit of the connection has none of them");
        commit(&one, stands).unwrap();
        back(&two, falls).unwrap();
        assert_eq!(two.get(of_two).as_deref(), Ok("b"), "{flags:?}");
        assert_eq!(two.get(of_two), Err(Reason::NO_MSG_AVAILABLE), "{flags:?}");
    }
}

#[test]
fn a_get_in_a_unit_that_it_names_waits_for_a_message() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (queue, of_two) = (one.open("Q", INPUT), two.open("Q", INPUT | OUTPUT));
        let unit = one.connection.open_unit().unwrap();
        let waits = GetOptions::with(GetFlags::SYNCPOINT, Wait::Unlimited);
        assert!(get_in(&mut one, &unit, queue, &waits).is_none());
        two.put(of_two, persistent, "came");
        assert_eq!(one.outcome(90), Some(Ok("came".to_owned())));
        assert!(unit.has_work() && !one.connection.has_unit());
        back(&one, unit).unwrap();
        assert_eq!(two.get(of_two).as_deref(), Ok("came"));
    }
}

#[test]
fn a_get_that_waits_in_a_unit_that_ends_leaves_the_message_to_others() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (queue, of_two) = (one.open("Q", INPUT), two.open("Q", INPUT | OUTPUT));
        let unit = one.connection.open_unit().unwrap();
        let waits = GetOptions::with(GetFlags::SYNCPOINT, Wait::Unlimited);
        assert!(get_in(&mut one, &unit, queue, &waits).is_none());
        commit(&one, unit).unwrap();
        two.put(of_two, persistent, "late");
        assert_eq!(one.outcome(90), Some(Err(Reason::UOW_NOT_AVAILABLE)), "the connection goes on");
        assert_eq!(two.get(of_two).as_deref(), Ok("late"));
    }
}

#[test]
fn a_get_that_contradicts_the_unit_that_it_names_is_refused() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let other = Bench::new();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | BROWSE | OUTPUT);
    one.put(queue, true, "stays");
    let (unit, elsewhere) =
        (one.connection.open_unit().unwrap(), other.connect().connection.open_unit().unwrap());
    for flags in [
        GetFlags::NO_SYNCPOINT,
        GetFlags::LOGICAL_ORDER,
        GetFlags::BROWSE_FIRST,
        GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT,
        GetFlags::UNLOCK,
    ] {
        let refused = get_in(&mut one, &unit, queue, &GetOptions::with(flags, Wait::No)).unwrap();
        assert_eq!(refused.err(), Some(Reason::OPTIONS_ERROR), "{flags:?}");
    }
    let plain = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
    let refused = get_in(&mut one, &elsewhere, queue, &plain).unwrap();
    assert_eq!(refused.err(), Some(Reason::UOW_NOT_AVAILABLE));
    let any = MessageDescriptor::default();
    for purpose in [GetPurpose::Look, GetPurpose::BrowseForLink, GetPurpose::Reserve(Reserve::All)] {
        let ask = Ask::new(queue, &any, &plain, 100, WaitToken(1));
        let Get::Done(refused) = one.connection.get(Ask { purpose, unit: Some(&unit), ..ask }) else {
            panic!("it waits: {purpose:?}")
        };
        assert_eq!(open(&one.manager, refused).err(), Some(Reason::OPTIONS_ERROR), "{purpose:?}");
    }
    assert!(!unit.has_work());
    assert_eq!(one.get(queue).as_deref(), Ok("stays"));
}

#[test]
fn a_unit_beside_a_connection_ends_with_it() {
    for is_stopped in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT | OUTPUT);
        let of_two = two.open("Q", INPUT | OUTPUT);
        one.put(queue, true, "there");
        let unit = one.connection.open_unit().unwrap();
        put_in(&mut one, &unit, PutTarget::Handle(queue), &message(true), "put").unwrap();
        assert!(reserve(&mut one, queue, 1, Wait::No).unwrap().is_ok());
        take_in(&mut one, &unit, 1).unwrap();
        let token = two.wait(of_two, &MessageDescriptor::default(), GetFlags::SYNCPOINT, Wait::Unlimited);
        if is_stopped {
            bench.mqsc(&format!("STOP CONN({:016X})", one.connection.identifier()));
        } else {
            drop(one);
        }
        assert_eq!(two.outcome(token), Some(Ok("there".to_owned())), "it came back");
        assert_eq!(bench.depth("Q"), 0, "what was put is gone");
        let put = put_in(&mut two, &unit, PutTarget::Handle(of_two), &message(false), "late");
        assert_eq!(put.map(drop), Err(Reason::CONNECTION_BROKEN));
        assert_eq!(commit(&two, unit), Err(Reason::CONNECTION_BROKEN));
    }
}

#[test]
fn a_connection_has_so_many_units_beside_it() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let mut units: Vec<UnitOfWork> = (0..64).map(|_| one.connection.open_unit().unwrap()).collect();
    assert_eq!(one.connection.open_unit().map(drop), Err(Reason::RESOURCE_PROBLEM));
    let mut two = bench.connect();
    assert!(two.connection.open_unit().is_ok(), "each connection has its own");
    for end in [commit, back] {
        end(&one, units.pop().unwrap()).unwrap();
        units.push(one.connection.open_unit().unwrap());
    }
    drop(units.pop());
    assert!(one.connection.open_unit().is_ok(), "one that is dropped makes place");
}

#[test]
fn a_unit_that_an_administrator_backs_out_says_so_at_its_next_use() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for uses_it_again in [true, false] {
        let unit = one.connection.open_unit().unwrap();
        put_in(&mut one, &unit, PutTarget::Handle(queue), &message(true), "a").unwrap();
        let connection = format!("{:016X}", one.connection.identifier());
        let shown = bench.told(&format!("DISPLAY CONN({connection}) UOWSTATE"));
        assert!(shown.contains("UOWSTATE(ACTIVE)"), "{shown}");
        bench.mqsc(&format!("RESOLVE INDOUBT({connection}) ACTION(BACKOUT)"));
        assert_eq!(bench.depth("Q"), 0);
        if uses_it_again {
            let put = put_in(&mut one, &unit, PutTarget::Handle(queue), &message(true), "b");
            assert_eq!(put.map(drop), Err(Reason::BACKED_OUT));
        }
        assert_eq!(commit(&one, unit), Err(Reason::BACKED_OUT));
        assert_eq!(bench.depth("Q"), 0);
    }
}

#[test]
fn a_unit_beside_a_connection_is_whole_after_a_crash() {
    for (is_committed, survival) in
        [(true, Survival::Nothing), (false, Survival::Nothing), (false, Survival::Everything)]
    {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.put(queue, true, "there");
        let unit = one.connection.open_unit().unwrap();
        for body in ["a", "b"] {
            put_in(&mut one, &unit, PutTarget::Handle(queue), &message(true), body).unwrap();
        }
        assert!(reserve(&mut one, queue, 1, Wait::No).unwrap().is_ok());
        take_in(&mut one, &unit, 1).unwrap();
        // The power goes while they are open: their ends come after it.
        let (left, open): (&[&str], _) = if is_committed {
            commit(&one, unit).unwrap();
            (&["a", "b"], None)
        } else {
            (&["there"], Some(unit))
        };
        let bench = bench.crash(survival);
        drop((one, open));
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        for body in left {
            assert_eq!(one.get(queue).as_deref(), Ok(*body));
        }
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn reports_copies_and_segments_belong_to_the_unit_of_their_message() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(COPIES) DEFINE QLOCAL(Q) STREAMQ(COPIES) DEFINE QLOCAL(ANSWERS)");
    bench.mqsc("DEFINE QLOCAL(P) MAXMSGL(16)");
    let mut one = bench.connect();
    let (queue, answers) = (one.open("Q", INPUT | OUTPUT), one.open("ANSWERS", INPUT));
    let parts = one.open("P", INPUT | OUTPUT);
    let asks = MessageDescriptor {
        report: ReportOptions::COA | ReportOptions::COD,
        reply_to_queue: "ANSWERS".parse().unwrap(),
        ..message(true)
    };
    let may_be_split =
        MessageDescriptor { message_flags: mqi::MessageFlags::SEGMENTATION_ALLOWED, ..message(true) };
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, PutTarget::Handle(queue), &asks, "m").unwrap();
    put_in(&mut one, &unit, PutTarget::Handle(parts), &may_be_split, &"z".repeat(40)).unwrap();
    assert_eq!((bench.depth("ANSWERS"), bench.depth("COPIES"), bench.depth("P")), (1, 1, 3));
    assert_eq!(one.get(answers), Err(Reason::NO_MSG_AVAILABLE));
    back(&one, unit).unwrap();
    assert_eq!((bench.depth("ANSWERS"), bench.depth("COPIES"), bench.depth("P")), (0, 0, 0));
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, PutTarget::Handle(queue), &asks, "m").unwrap();
    commit(&one, unit).unwrap();
    assert!(one.get(answers).is_ok(), "of the arrival");
    assert!(reserve(&mut one, queue, 1, Wait::No).unwrap().is_ok());
    let unit = one.connection.open_unit().unwrap();
    take_in(&mut one, &unit, 1).unwrap();
    assert_eq!(bench.depth("ANSWERS"), 1);
    assert_eq!(one.get(answers), Err(Reason::NO_MSG_AVAILABLE), "the delivery does not stand");
    commit(&one, unit).unwrap();
    assert!(one.get(answers).is_ok(), "of the delivery");
}

#[test]
fn options_that_contradict_a_unit_beside_the_connection_are_refused() {
    let (bench, elsewhere) = (Bench::new(), Bench::new());
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let unit = one.connection.open_unit().unwrap();
    let foreign = elsewhere.connect().connection.open_unit().unwrap();
    for (unit, flags, refusal) in [
        (&unit, PutFlags::NO_SYNCPOINT, Reason::OPTIONS_ERROR),
        (&unit, PutFlags::LOGICAL_ORDER, Reason::OPTIONS_ERROR),
        (&foreign, PutFlags::EMPTY, Reason::UOW_NOT_AVAILABLE),
    ] {
        let put = one.connection.put_placed(
            PutTarget::Handle(queue),
            &message(true),
            &PutOptions::with(flags),
            Bytes::from_static(b"m").into(),
            Placement { unit: Some(unit), ..Placement::default() },
        );
        assert_eq!(bench.open(put).map(drop), Err(refusal));
    }
    one.put(queue, true, "m");
    assert!(reserve(&mut one, queue, 1, Wait::No).unwrap().is_ok());
    assert_eq!(take_in(&mut one, &foreign, 1), Err(Reason::UOW_NOT_AVAILABLE));
    assert_eq!(take_in(&mut one, &unit, 2), Err(Reason::NO_MSG_AVAILABLE), "nothing has this token");
    take_in(&mut one, &unit, 1).unwrap();
    commit(&one, unit).unwrap();
    assert_eq!(bench.depth("Q"), 0);
    // The next put of the connection is in its own unit again.
    one.put_within(queue, true, "mine");
    one.back().unwrap();
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_message_given_back_as_failed_keeps_its_place_and_its_count() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        one.put(queue, persistent, "first");
        one.put(queue, persistent, "second");
        for count in 0..2 {
            let got = reserve(&mut one, queue, 1, Wait::No).unwrap().unwrap();
            assert_eq!((text(&got).as_str(), got.descriptor.backout_count), ("first", count));
            one.connection.give_back_counted(WaitToken(1));
        }
        let _ = reserve(&mut one, queue, 1, Wait::No).unwrap().unwrap();
        one.connection.give_back(WaitToken(1));
        assert_eq!(bench.depth("Q"), 2);
        if !persistent {
            let got = reserve(&mut one, queue, 1, Wait::No).unwrap().unwrap();
            assert_eq!((text(&got).as_str(), got.descriptor.backout_count), ("first", 2));
            continue;
        }
        bench.manager.drive();
        let mut bench = bench;
        for _ in 0..2 {
            // Once by the record, once by the checkpoint of that start's end.
            bench = bench.crash(Survival::Nothing);
            let mut one = bench.connect();
            let queue = one.open("Q", BROWSE);
            let browses = GetOptions::with(GetFlags::BROWSE_FIRST, Wait::No);
            let got = one.get_with(queue, &MessageDescriptor::default(), &browses, 100).unwrap();
            assert_eq!((text(&got).as_str(), got.descriptor.backout_count), ("first", 2));
            drop(one);
            bench.pass(Duration::from_secs(61));
            bench.keep_house();
        }
    }
}

#[test]
fn a_link_waits_while_gets_are_inhibited() {
    for (name, inhibit, allow) in [
        ("Q", "ALTER QLOCAL(Q) GET(DISABLED)", "ALTER QLOCAL(Q) GET(ENABLED)"),
        ("A", "ALTER QALIAS(A) GET(DISABLED)", "ALTER QALIAS(A) GET(ENABLED)"),
    ] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QALIAS(A) TARGET(Q)");
        let (mut link, mut other) = (bench.connect(), bench.connect());
        let queue = link.open(name, INPUT);
        let of_other = other.open(name, INPUT);
        let output = other.open("Q", OUTPUT);
        assert!(reserve(&mut link, queue, 1, Wait::Unlimited).is_none());
        let ends =
            other.wait(of_other, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        bench.mqsc(inhibit);
        assert_eq!(other.outcome(ends), Some(Err(Reason::GET_INHIBITED)));
        assert_eq!(link.outcome(1), None, "the link waits on");
        other.put(output, true, "m");
        assert_eq!(link.outcome(1), None, "and is given nothing");
        assert_eq!(
            reserve(&mut link, queue, 2, Wait::No).map(|got| got.map(drop)),
            Some(Err(Reason::NO_MSG_AVAILABLE)),
            "there is nothing for a link that does not wait"
        );
        assert!(reserve(&mut link, queue, 3, Wait::Unlimited).is_none(), "one that begins now waits");
        assert!(reserve(&mut link, queue, 4, Wait::Milliseconds(100)).is_none());
        bench.pass(Duration::from_millis(200));
        assert_eq!(link.outcome(4), Some(Err(Reason::NO_MSG_AVAILABLE)), "its time is over");
        assert_eq!(link.connection.stop(WaitToken(3)), Concluded::HasNothing);
        bench.mqsc(allow);
        assert_eq!(link.outcome(1), Some(Ok("m".to_owned())));
        assert_eq!(link.outcome(3), None, "it was stopped");
        let taken = link.connection.take_reserved(WaitToken(1), None);
        bench.open(taken).unwrap();
        assert_eq!(bench.depth("Q"), 0);
    }
}

#[test]
fn a_browsing_link_waits_while_gets_are_inhibited() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut link, mut other) = (bench.connect(), bench.connect());
    let queue = link.open("Q", BROWSE);
    let output = other.open("Q", OUTPUT);
    let options = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::Unlimited);
    let any = MessageDescriptor::default();
    bench.mqsc("ALTER QLOCAL(Q) GET(DISABLED)");
    let browsed = link.connection.get(Ask {
        purpose: GetPurpose::BrowseForLink,
        ..Ask::new(queue, &any, &options, 100, WaitToken(1))
    });
    assert!(matches!(browsed, Get::Waiting));
    other.put(output, false, "m");
    assert_eq!(link.outcome(1), None);
    bench.mqsc("ALTER QLOCAL(Q) GET(ENABLED)");
    assert_eq!(link.outcome(1), Some(Ok("m".to_owned())));
    assert_eq!(bench.depth("Q"), 1);
    let takes = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let Get::Done(refused) = link
        .connection
        .get(Ask { purpose: GetPurpose::BrowseForLink, ..Ask::new(queue, &any, &takes, 100, WaitToken(2)) })
    else {
        panic!("it does not browse")
    };
    assert_eq!(bench.open(refused).map(drop), Err(Reason::OPTIONS_ERROR));
}

#[test]
fn what_a_link_holds_is_taken_in_any_order_and_comes_back_in_that_of_its_arrival() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut link, mut other) = (bench.connect(), bench.connect());
    let queue = link.open("Q", INPUT | OUTPUT);
    let of_other = other.open("Q", INPUT);
    for number in 0..300_u64 {
        link.put(queue, false, &number.to_string());
    }
    let any = MessageDescriptor::default();
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    for number in 0..300_u64 {
        let series = Series { token: WaitToken(number), messages: 1, bytes: u64::MAX };
        let got = link.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::ForLink),
            ..Ask::new(queue, &any, &options, 100, series)
        });
        assert!(matches!(got, Get::Done(_)));
    }
    for number in (0..300).rev().filter(|number| number % 10 != 0) {
        let taken = link.connection.take_reserved(WaitToken(number), None);
        bench.open(taken).unwrap();
    }
    let waiting: Vec<u64> =
        (0..3).map(|_| other.wait(of_other, &any, GetFlags::NO_SYNCPOINT, Wait::Unlimited)).collect();
    drop(link);
    for (token, expected) in waiting.into_iter().zip(["0", "10", "20"]) {
        assert_eq!(other.outcome(token), Some(Ok(expected.to_owned())));
    }
    assert_eq!(bench.depth("Q"), 27);
}

/// The identifier of a branch.
fn branch(number: u8) -> BranchId {
    BranchId::new(1, b"late", &[number]).unwrap()
}

/// Prepares a unit of work as a branch; what is left of it, and the answer.
fn prepare(
    session: &mut Session,
    unit: UnitOfWork,
    number: u8,
) -> (PreparedWork, Result<BranchPrepared, BranchRefusal>) {
    let (left, prepared) = session.connection.branches().prepare_unit(unit, &branch(number));
    (left, open(&session.manager, prepared))
}

fn settle(session: &Session, left: PreparedWork, decision: Decision) -> Result<(), BranchRefusal> {
    open(&session.manager, left.settle(decision))
}

#[test]
fn a_unit_beside_is_named_as_a_branch_when_it_is_prepared_and_outlives_a_power_cut() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let by_handle = PutTarget::Handle(queue);
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, by_handle, &message(true), "in it").unwrap();
    let (left, prepared) = prepare(&mut one, unit, 1);
    assert_eq!(prepared, Ok(BranchPrepared::Prepared));
    drop(left);
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT);
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE), "it is in doubt");
    let listed = two.connection.branches().list(&BranchList { most: 10, ..BranchList::default() });
    assert_eq!(bench.open(listed), Ok(vec![branch(1)]));
    let committed = two.connection.branches().commit(&branch(1), BranchCommit::TwoPhase);
    assert_eq!(bench.open(committed), Ok(()));
    assert_eq!(two.get(queue).as_deref(), Ok("in it"));
}

#[test]
fn an_identifier_has_one_branch_whichever_way_it_came_by_it() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let by_handle = PutTarget::Handle(one.open("Q", OUTPUT));
    let begun = two.connection.branches().start(&branch(1), BranchStart::New);
    assert_eq!(bench.open(begun), Ok(()));
    // A coordinator began it.
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, by_handle, &message(true), "of one").unwrap();
    let (left, refused) = prepare(&mut one, unit, 1);
    assert_eq!(refused, Err(BranchRefusal::Duplicate));
    assert_eq!(settle(&one, left, Decision::Commit), Err(BranchRefusal::Duplicate), "it is backed out");
    // Another unit was prepared as it.
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, by_handle, &message(true), "of one").unwrap();
    let (left, prepared) = prepare(&mut one, unit, 2);
    assert_eq!(prepared, Ok(BranchPrepared::Prepared));
    let unit = one.connection.open_unit().unwrap();
    assert_eq!(prepare(&mut one, unit, 2).1, Err(BranchRefusal::Duplicate));
    let ended = two.connection.branches().end(&branch(1), BranchEnd::Success);
    assert_eq!(bench.open(ended), Ok(()));
    let begun = two.connection.branches().start(&branch(2), BranchStart::New);
    assert_eq!(bench.open(begun), Err(BranchRefusal::Duplicate));
    // Once it is over another may have it, and is not settled in its place.
    let rolled_back = two.connection.branches().back_out(&branch(2));
    assert_eq!(bench.open(rolled_back), Ok(()));
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, by_handle, &message(true), "of another").unwrap();
    let (other, prepared) = prepare(&mut one, unit, 2);
    assert_eq!(prepared, Ok(BranchPrepared::Prepared));
    let queue = two.open("Q", INPUT);
    assert_eq!(settle(&one, left, Decision::Commit), Err(BranchRefusal::Unknown));
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(settle(&one, other, Decision::Commit), Ok(()));
    assert_eq!(two.get(queue).as_deref(), Ok("of another"));
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_unit_that_retains_a_publication_is_rolled_back_when_it_is_to_be_prepared() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let by_handle = PutTarget::Handle(one.open("Q", OUTPUT));
    let unit = one.connection.open_unit().unwrap();
    put_in(&mut one, &unit, by_handle, &message(true), "beside it").unwrap();
    let prices = ObjectDescriptor::topic("prices");
    let placement = Placement { unit: Some(&unit), ..Placement::default() };
    let options = PutOptions::with(PutFlags::RETAIN);
    let target = PutTarget::Object(&prices);
    let published =
        one.connection.put_placed(target, &message(true), &options, Bytes::from("7").into(), placement);
    open(&one.manager, published).unwrap();
    let (left, refused) = prepare(&mut one, unit, 1);
    assert_eq!(refused, Err(BranchRefusal::RolledBack(RollbackCause::Other)));
    assert_eq!(settle(&one, left, Decision::BackOut), Ok(()));
    assert_eq!(bench.depth("Q"), 0);
    let listed = one.connection.branches().list(&BranchList { most: 10, ..BranchList::default() });
    assert_eq!(bench.open(listed), Ok(vec![]));
}

#[test]
fn a_unit_that_did_nothing_is_over_when_it_is_to_be_prepared() {
    let bench = Bench::new();
    let mut one = bench.connect();
    let unit = one.connection.open_unit().unwrap();
    let (left, prepared) = prepare(&mut one, unit, 1);
    assert_eq!(prepared, Ok(BranchPrepared::ReadOnly));
    assert_eq!(settle(&one, left, Decision::Commit), Ok(()));
    let unit = one.connection.open_unit().unwrap();
    assert_eq!(prepare(&mut one, unit, 1).1, Ok(BranchPrepared::ReadOnly), "it has no name");
}
