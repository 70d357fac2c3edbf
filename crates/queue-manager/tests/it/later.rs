//! Messages that are delivered later than they are put.

use std::time::Duration;

use bytes::Bytes;
use mqi::{
    Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, Reason, ReportOptions, SubscribeOptions, SubscriptionDescriptor, Wait,
};
use platform::Clock as _;
use platform::WallTime;
use platform::simulated::Survival;
use queue_manager::{Placement, PutTarget, UnitOfWork};

use crate::support::*;

/// Puts a message that is delivered so many milliseconds from now.
fn put_later(
    bench: &Bench,
    session: &mut Session,
    target: PutTarget<'_>,
    descriptor: &MessageDescriptor,
    (milliseconds, body): (i64, &str),
) -> Result<(), Reason> {
    put_later_in(bench, session, None, target, descriptor, (milliseconds, body))
}

fn put_later_in(
    bench: &Bench,
    session: &mut Session,
    unit: Option<&UnitOfWork>,
    target: PutTarget<'_>,
    descriptor: &MessageDescriptor,
    (milliseconds, body): (i64, &str),
) -> Result<(), Reason> {
    let deliver_at = Some(WallTime(bench.machine.clock.wall().0 + milliseconds * 1000));
    let body = Bytes::copy_from_slice(body.as_bytes());
    let options = PutOptions::with(if unit.is_some() { PutFlags::EMPTY } else { PutFlags::NO_SYNCPOINT });
    let placement = Placement { unit, deliver_at };
    let put = session.connection.put_placed(target, descriptor, &options, body.into(), placement);
    bench.open(put).map(drop)
}

/// The messages that can be got now, in their order.
fn all(session: &mut Session, handle: ObjectHandle) -> Vec<String> {
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let mut all = Vec::new();
    loop {
        match session.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20) {
            Ok(got) => all.push(text(&got.converted())),
            Err(Reason::NO_MSG_AVAILABLE) => return all,
            Err(reason) => panic!("{reason}"),
        }
    }
}

fn delayed(bench: &Bench, queue: &str) -> String {
    let shown = bench.told(&format!("DISPLAY QSTATUS({queue}) DELAYED CURDEPTH"));
    let field = |name: &str| {
        let (_, rest) = shown.split_once(name).unwrap_or_else(|| panic!("{name} in {shown}"));
        rest.trim_start_matches('(').split(')').next().unwrap().to_owned()
    };
    format!("{} of {}", field("DELAYED"), field("CURDEPTH"))
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_message_is_given_to_nobody_before_its_time() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open("Q", INPUT | OUTPUT | BROWSE);
        let input = two.open("Q", INPUT);
        let waiting = two.wait(input, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let target = PutTarget::Handle(queue);
        put_later(&bench, &mut one, target, &message(persistent), (1500, "later")).unwrap();
        put_later(&bench, &mut one, target, &message(persistent), (2500, "latest")).unwrap();
        assert_eq!(two.outcome(waiting), None);
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
        let browsed = one.get_flags(queue, GetFlags::BROWSE_FIRST);
        assert_eq!(browsed, Err(Reason::NO_MSG_AVAILABLE), "nor is it browsed");
        assert_eq!(delayed(&bench, "Q"), "2 of 2", "they count");
        bench.pass(SECOND);
        assert_eq!(two.outcome(waiting), None);
        bench.pass(SECOND);
        assert_eq!(two.outcome(waiting), Some(Ok("later".to_owned())));
        assert_eq!(delayed(&bench, "Q"), "1 of 1");
        bench.pass(SECOND);
        assert_eq!(all(&mut one, queue), ["latest"]);
        put_later(&bench, &mut one, target, &message(persistent), (-5, "at once")).unwrap();
        put_later(&bench, &mut one, target, &message(persistent), (0, "now")).unwrap();
        assert_eq!(all(&mut one, queue), ["at once", "now"], "a time that has come is none");
    }
}

#[test]
fn a_message_whose_time_comes_goes_to_the_place_of_its_arrival() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let target = PutTarget::Handle(queue);
    one.put(queue, true, "1");
    put_later(&bench, &mut one, target, &message(true), (1000, "2")).unwrap();
    let urgent = MessageDescriptor { priority: mqi::Priority::new(7), ..message(true) };
    put_later(&bench, &mut one, target, &urgent, (1000, "0")).unwrap();
    one.put(queue, true, "3");
    bench.pass(2 * SECOND);
    assert_eq!(all(&mut one, queue), ["0", "1", "2", "3"]);
}

#[test]
fn a_time_in_a_unit_of_work_begins_with_the_commit() {
    for (milliseconds, persistent) in [(500, true), (500, false), (2000, true), (2000, false)] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let target = PutTarget::Handle(queue);
        for ends_well in [true, false] {
            let unit = one.connection.open_unit().unwrap();
            let later = (milliseconds, "m");
            put_later_in(&bench, &mut one, Some(&unit), target, &message(persistent), later).unwrap();
            assert_eq!(delayed(&bench, "Q"), "0 of 1");
            bench.pass(SECOND);
            assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE), "it is not committed");
            bench.open(if ends_well { unit.commit() } else { unit.back() }).unwrap();
            let at_once: &[&str] = if ends_well && milliseconds < 1000 { &["m"] } else { &[] };
            assert_eq!(all(&mut one, queue), at_once);
            bench.pass(2 * SECOND);
            let at_its_time: &[&str] = if ends_well && milliseconds > 1000 { &["m"] } else { &[] };
            assert_eq!(all(&mut one, queue), at_its_time);
            assert_eq!(delayed(&bench, "Q"), "0 of 0");
        }
    }
}

#[test]
fn a_message_that_is_backed_out_leaves_no_time_behind() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let target = PutTarget::Handle(queue);
        let unit = one.connection.open_unit().unwrap();
        put_later_in(&bench, &mut one, Some(&unit), target, &message(persistent), (60_000, "m")).unwrap();
        bench.open(unit.back()).unwrap();
        assert_eq!(delayed(&bench, "Q"), "0 of 0");
        one.put_within(queue, persistent, "in its slot");
        one.commit().unwrap();
        assert_eq!(all(&mut one, queue), ["in its slot"]);
        bench.pass(61 * SECOND);
        assert_eq!(delayed(&bench, "Q"), "0 of 0");
    }
}

#[test]
fn a_time_survives_a_restart_and_a_checkpoint() {
    for is_moved in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(FILL)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let target = PutTarget::Handle(queue);
        put_later(&bench, &mut one, target, &message(true), (60_000, "persistent")).unwrap();
        put_later(&bench, &mut one, target, &message(false), (60_000, "not")).unwrap();
        put_later(&bench, &mut one, target, &message(true), (1_000, "soon")).unwrap();
        let unit = one.connection.open_unit().unwrap();
        put_later_in(&bench, &mut one, Some(&unit), target, &message(true), (60_000, "of a unit")).unwrap();
        bench.open(unit.commit()).unwrap();
        if is_moved {
            let fill = one.open("FILL", OUTPUT | INPUT);
            for _ in 0..200 {
                one.put(fill, true, &"z".repeat(60_000));
                let _ = one.get(fill);
                bench.keep_house();
            }
        }
        bench.manager.drive();
        let bench = bench.crash(Survival::Nothing);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
        assert_eq!(delayed(&bench, "Q"), "3 of 3");
        bench.pass(2 * SECOND);
        assert_eq!(all(&mut one, queue), ["soon"]);
        bench.pass(60 * SECOND);
        assert_eq!(all(&mut one, queue), ["persistent", "of a unit"]);
    }
}

#[test]
fn a_time_that_comes_while_the_queue_manager_is_down_has_come_at_its_start() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    put_later(&bench, &mut one, PutTarget::Handle(queue), &message(true), (1_000, "m")).unwrap();
    bench.machine.clock.advance(10 * SECOND);
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(all(&mut one, queue), ["m"]);
}

#[test]
fn a_message_that_is_to_be_kept_keeps_its_time_over_an_orderly_end() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) NPMCLASS(HIGH)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    put_later(&bench, &mut one, PutTarget::Handle(queue), &message(false), (5_000, "m")).unwrap();
    drop(one);
    bench.manager.close();
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!((all(&mut one, queue), delayed(&bench, "Q").as_str()), (Vec::new(), "1 of 1"));
    bench.pass(6 * SECOND);
    assert_eq!(all(&mut one, queue), ["m"]);
}

#[test]
fn a_message_whose_life_is_over_before_its_time_expires() {
    for persistent in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(ANSWERS)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let short = MessageDescriptor {
            expiry: Expiry::tenths(10),
            report: ReportOptions::EXPIRATION,
            reply_to_queue: "ANSWERS".parse().unwrap(),
            ..message(persistent)
        };
        put_later(&bench, &mut one, PutTarget::Handle(queue), &short, (5_000, "m")).unwrap();
        bench.pass(2 * SECOND);
        bench.pass(SECOND);
        bench.run_jobs();
        assert_eq!(delayed(&bench, "Q"), "0 of 0");
        assert_eq!(bench.depth("ANSWERS"), 1, "which is reported");
        bench.pass(5 * SECOND);
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    }
}

#[test]
fn copies_of_a_publication_are_placed_at_once_and_delivered_later() {
    for persistent in [false, true] {
        for subscribers in [1, 3] {
            let bench = Bench::new();
            bench.mqsc("DEFINE QLOCAL(COPIES) DEFINE QLOCAL(S) STREAMQ(COPIES)");
            bench.mqsc("DEFINE SUB(S) TOPICSTR('t') DEST(S)");
            let mut publisher = bench.connect();
            let mut sessions: Vec<_> = (1..subscribers).map(|_| bench.connect()).collect();
            let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
            let handles: Vec<ObjectHandle> = sessions
                .iter_mut()
                .map(|session| {
                    let wanted = SubscriptionDescriptor::to("t", options);
                    let subscribed = session.connection.subscribe(&wanted, None);
                    bench.open(subscribed).unwrap().queue.unwrap()
                })
                .collect();
            let topic = ObjectDescriptor::topic("t");
            let target = PutTarget::Object(&topic);
            put_later(&bench, &mut publisher, target, &message(persistent), (1500, "m")).unwrap();
            let mut late = bench.connect();
            let wanted = SubscriptionDescriptor::to("t", options);
            let subscribed = late.connection.subscribe(&wanted, None);
            let of_late = bench.open(subscribed).unwrap().queue.unwrap();
            let stream = publisher.open("S", INPUT);
            let drained = |session: &mut Session, handle| all(session, handle);
            assert_eq!(delayed(&bench, "S"), "1 of 1");
            assert_eq!(delayed(&bench, "COPIES"), "0 of 1", "a copy of the copy shows what was put");
            assert_eq!(drained(&mut publisher, stream), Vec::<String>::new());
            bench.pass(2 * SECOND);
            assert_eq!(drained(&mut publisher, stream), ["m"]);
            for (session, handle) in sessions.iter_mut().zip(&handles) {
                assert_eq!(drained(session, *handle), ["m"]);
            }
            assert_eq!(drained(&mut late, of_late), Vec::<String>::new(), "it subscribed after it was sent");
        }
    }
}

#[test]
fn copies_and_reports_of_a_message_come_at_once_and_its_segments_at_its_time() {
    for in_unit in [false, true] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(COPIES) DEFINE QLOCAL(ANSWERS)");
        bench.mqsc("DEFINE QLOCAL(Q) STREAMQ(COPIES) MAXMSGL(16) MAXDEPTH(100)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        let asks = MessageDescriptor {
            report: ReportOptions::COA,
            reply_to_queue: "ANSWERS".parse().unwrap(),
            ..message(true)
        };
        let long =
            MessageDescriptor { message_flags: mqi::MessageFlags::SEGMENTATION_ALLOWED, ..message(true) };
        let unit = one.connection.open_unit().unwrap();
        let within = in_unit.then_some(&unit);
        let target = PutTarget::Handle(queue);
        put_later_in(&bench, &mut one, within, target, &asks, (1500, "short")).unwrap();
        let body = "z".repeat(40);
        put_later_in(&bench, &mut one, within, target, &long, (1500, &body)).unwrap();
        bench.open(unit.commit()).unwrap();
        assert_eq!((delayed(&bench, "Q").as_str(), delayed(&bench, "COPIES").as_str()), ("4 of 4", "0 of 4"));
        assert_eq!(bench.depth("ANSWERS"), 1);
        bench.pass(2 * SECOND);
        assert_eq!(all(&mut one, queue).concat(), format!("short{body}"));
    }
}

#[test]
fn a_message_for_another_queue_manager_waits_on_the_transmission_queue() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ) DEFINE QREMOTE(R) RNAME(Q) RQMNAME(OTHER) XMITQ(X)");
    let mut one = bench.connect();
    let remote = one.open("R", OUTPUT);
    let leaving = one.open("X", INPUT);
    put_later(&bench, &mut one, PutTarget::Handle(remote), &message(true), (1500, "m")).unwrap();
    assert_eq!((one.get(leaving), delayed(&bench, "X").as_str()), (Err(Reason::NO_MSG_AVAILABLE), "1 of 1"));
    bench.pass(2 * SECOND);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = one.get_with(leaving, &MessageDescriptor::default(), &options, 1 << 20).unwrap();
    assert!(got.body.ends_with(b"m"));
}

#[test]
fn commands_on_queues_reach_messages_whose_time_is_still_to_come() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(2) DEFINE QLOCAL(P)");
    let fill = |bench: &Bench| {
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        let target = PutTarget::Handle(queue);
        put_later(bench, &mut one, target, &message(true), (5_000, "later")).unwrap();
        put_later(bench, &mut one, target, &message(false), (5_000, "later")).unwrap();
        let full = put_later(bench, &mut one, target, &message(true), (5_000, "too many"));
        assert_eq!(full, Err(Reason::Q_FULL));
    };
    fill(&bench);
    assert!(bench.refused("DELETE QLOCAL(Q)").contains('Q'), "it is not empty");
    bench.mqsc("CLEAR QLOCAL(Q)");
    assert_eq!(delayed(&bench, "Q"), "0 of 0");
    fill(&bench);
    bench.mqsc("MOVE QLOCAL(Q) TOQLOCAL(P) TYPE(ADD)");
    assert_eq!((delayed(&bench, "Q").as_str(), delayed(&bench, "P").as_str()), ("0 of 0", "2 of 2"));
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    let moved = one.open("P", INPUT);
    assert_eq!(one.get(moved), Err(Reason::NO_MSG_AVAILABLE), "it keeps its time where it was moved");
    bench.pass(6 * SECOND);
    assert_eq!(all(&mut one, moved), ["later"]);
    fill(&bench);
    bench.mqsc("DELETE QLOCAL(Q) PURGE");
    bench.pass(6 * SECOND);
}

#[test]
fn a_trigger_comes_with_the_time_of_its_message() {
    for (kind, expected) in [("FIRST", [0, 1, 1]), ("EVERY", [0, 2, 2]), ("DEPTH) TRIGDPTH(2", [0, 1, 1])] {
        for in_unit in [false, true] {
            let bench = Bench::new();
            bench.mqsc("DEFINE QLOCAL(I) DEFINE PROCESS(P) APPLICID('p')");
            bench.mqsc(&format!("DEFINE QLOCAL(Q) TRIGGER TRIGTYPE({kind}) INITQ(I) PROCESS(P)"));
            let mut monitor = bench.connect();
            let _taken = monitor.open("I", INPUT);
            let mut one = bench.connect();
            let queue = one.open("Q", OUTPUT);
            let unit = one.connection.open_unit().unwrap();
            for _ in 0..2 {
                let within = in_unit.then_some(&unit);
                let target = PutTarget::Handle(queue);
                put_later_in(&bench, &mut one, within, target, &message(true), (1500, "m")).unwrap();
            }
            bench.open(unit.commit()).unwrap();
            let mut seen = [0; 3];
            for (index, seen) in seen.iter_mut().enumerate() {
                if index > 0 {
                    bench.pass(2 * SECOND);
                }
                *seen = bench.depth("I");
            }
            assert_eq!(seen, expected, "{kind}, in a unit: {in_unit}");
        }
    }
}

#[test]
fn a_message_that_left_memory_comes_at_its_time() {
    let bench = Bench::with(small_memory(), 3);
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(10000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for number in 0..1500 {
        let body = format!("{number:02000}");
        put_later(&bench, &mut one, PutTarget::Handle(queue), &message(true), (600_000, &body)).unwrap();
        if number % 20 == 0 {
            bench.keep_house();
        }
    }
    assert_eq!(delayed(&bench, "Q"), "1500 of 1500");
    bench.pass(601 * SECOND);
    assert_eq!(delayed(&bench, "Q"), "0 of 1500");
    for number in 0..1500 {
        assert_eq!(one.get(queue), Ok(format!("{number:02000}")));
    }
}

#[test]
fn a_unit_in_doubt_keeps_the_times_of_its_messages() {
    use queue_manager::{Decision, PreparedBranch, PreparedPurpose};
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let deliver_at = Some(WallTime(bench.machine.clock.wall().0 + 5_000_000));
    let put = one.connection.put_placed(
        PutTarget::Handle(queue),
        &MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() },
        &PutOptions::with(PutFlags::SYNCPOINT),
        Bytes::from_static(b"m").into(),
        Placement { deliver_at, unit: None },
    );
    bench.open(put).unwrap();
    let branch = PreparedBranch { global: vec![1], ..PreparedBranch::default() };
    let prepared = one.connection.prepare(PreparedPurpose::Branch(branch));
    let name = bench.open(prepared).unwrap().unwrap();
    let bench = bench.crash(Survival::Nothing);
    bench.open(bench.manager.units().settle(name, Decision::Commit)).unwrap();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OpenOptions::INQUIRE);
    assert_eq!((all(&mut one, queue), delayed(&bench, "Q").as_str()), (Vec::new(), "1 of 1"));
    bench.pass(6 * SECOND);
    assert_eq!(all(&mut one, queue), ["m"]);
}

#[test]
fn what_a_unit_in_doubt_got_has_come_to_its_time_also_where_the_clock_was_set_back() {
    use queue_manager::{Decision, PreparedBranch, PreparedPurpose};
    for (decision, expected) in [(Decision::Commit, &["next"][..]), (Decision::BackOut, &["m", "next"])] {
        let bench = Bench::new();
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT);
        put_later(&bench, &mut one, PutTarget::Handle(queue), &message(true), (1_000, "m")).unwrap();
        bench.pass(2 * SECOND);
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        one.get_with(queue, &MessageDescriptor::default(), &options, 1 << 20).unwrap();
        let branch = PreparedBranch { global: vec![1], ..PreparedBranch::default() };
        let prepared = one.connection.prepare(PreparedPurpose::Branch(branch));
        let name = bench.open(prepared).unwrap().unwrap();
        bench.machine.clock.step_wall(WallTime(bench.machine.clock.wall().0 - 3_600_000_000));
        let bench = bench.crash(Survival::Nothing);
        bench.open(bench.manager.units().settle(name, decision)).unwrap();

        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | OUTPUT | OpenOptions::INQUIRE);
        one.put_within(queue, true, "next");
        bench.open(one.connection.commit(None)).unwrap();
        assert_eq!(delayed(&bench, "Q"), format!("0 of {}", expected.len()));
        assert_eq!(all(&mut one, queue), expected, "{decision:?}");
    }
}
