//! Getters that meet while a message is read back from the disk.
//!
//! Always: a message that is being read is to be had by others as well, and nobody is given a later one
//! before it.

use mqi::{
    CorrelationId, GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageId, ObjectHandle,
    OpenOptions, PutFlags, Reason, Wait,
};
use platform::simulated::Survival;
use queue_manager::{Ask, Concluded, Get, GetPurpose, Reserve, WaitToken};

use crate::support::*;

const FIRST: &str = "first message";

/// The name of the wait of the getter that finds the message first.
const ONE: WaitToken = WaitToken(1 << 40);

/// A queue with a message on the disk, and a later one in memory; the identifier of the one on the disk.
fn one_on_disk() -> (Bench, MessageId) {
    let small = queue_manager::Settings { uncommitted_messages_max: 2, ..settings() };
    let bench = Bench::with(small, 1);
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(OTHER)");
    let mut putter = bench.connect();
    let queue = putter.open("Q", OUTPUT);
    let first = putter.put(queue, true, FIRST).descriptor.message_id;
    drop(putter);
    let bench = bench.crash(Survival::Nothing);
    let mut putter = bench.connect();
    let queue = putter.open("Q", OUTPUT);
    putter.put(queue, true, "second message");
    drop(putter);
    (bench, first)
}

fn options(flags: GetFlags) -> GetOptions {
    GetOptions::with(flags, Wait::No)
}

/// Begins a get with a buffer of so many bytes, which finds the message on the disk.
fn begins(session: &mut Session, queue: ObjectHandle, flags: GetFlags, bytes_max: usize) {
    let any = MessageDescriptor::default();
    let got = session.connection.get(Ask::new(queue, &any, &options(flags), bytes_max, ONE));
    assert!(matches!(got, Get::Waiting), "it is to be read");
}

fn reserves(session: &mut Session, queue: ObjectHandle, bytes_max: usize) {
    let any = MessageDescriptor::default();
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let got = session.connection.get(Ask {
        purpose: GetPurpose::Reserve(Reserve::All),
        ..Ask::new(queue, &any, &options, bytes_max, ONE)
    });
    assert!(matches!(got, Get::Waiting), "it is to be read");
}

/// The outcome of the get that found the message first.
fn outcome(bench: &Bench, session: &Session) -> Option<Result<(String, Option<Reason>), Reason>> {
    let (_, outcome) = session.outcomes.0.lock().pop()?;
    Some(bench.open(outcome).map(|got| (text(&got), got.warning)))
}

/// A getter that asks while the message is read for another, and is given both in order.
fn is_given_both(bench: &Bench, way: &str, end: impl FnOnce()) {
    let mut two = bench.connect();
    let queue = two.open("Q", INPUT);
    let waits = two.try_get(queue, GetFlags::NO_SYNCPOINT);
    let token = waits.expect_err(&format!("{way}: a later message comes before one that is read"));
    end();
    bench.run_jobs();
    assert_eq!(two.outcome(token), Some(Ok(FIRST.to_owned())), "{way}");
    assert_eq!(two.get(queue).as_deref(), Ok("second message"), "{way}");
    assert_eq!(two.get(queue), Err(Reason::NO_MSG_AVAILABLE), "{way}");
}

#[test]
fn a_message_too_long_for_its_getter_comes_to_others_before_later_ones() {
    let too_long = Some(Ok((FIRST[..4].to_owned(), Some(Reason::TRUNCATED_MSG_FAILED))));
    for (way, flags) in [
        ("outside a unit", GetFlags::NO_SYNCPOINT),
        ("within a unit", GetFlags::SYNCPOINT),
        ("within a unit if persistent", GetFlags::SYNCPOINT_IF_PERSISTENT),
    ] {
        let (bench, _) = one_on_disk();
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        begins(&mut one, queue, flags, 4);
        is_given_both(&bench, way, || ());
        assert_eq!(outcome(&bench, &one), too_long, "{way}");
    }
    let (bench, _) = one_on_disk();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    reserves(&mut one, queue, 4);
    is_given_both(&bench, "read ahead", || ());
    assert_eq!(outcome(&bench, &one), too_long, "read ahead");
}

#[test]
fn a_message_that_is_read_for_a_look_or_a_full_unit_comes_to_others_before_later_ones() {
    let (bench, _) = one_on_disk();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    let any = MessageDescriptor::default();
    let looked = one.connection.get(Ask {
        purpose: GetPurpose::Look,
        ..Ask::new(queue, &any, &options(GetFlags::NO_SYNCPOINT), 0, ONE)
    });
    assert!(matches!(looked, Get::Waiting));
    is_given_both(&bench, "a look", || ());
    assert_eq!(outcome(&bench, &one), Some(Ok((String::new(), None))));

    let (bench, _) = one_on_disk();
    let mut one = bench.connect();
    let (queue, other) = (one.open("Q", INPUT), one.open("OTHER", OUTPUT));
    begins(&mut one, queue, GetFlags::SYNCPOINT, 100);
    one.put_within(other, true, "one");
    one.put_within(other, true, "two");
    is_given_both(&bench, "a full unit", || ());
    assert_eq!(outcome(&bench, &one), Some(Err(Reason::SYNCPOINT_LIMIT_REACHED)));
}

#[test]
fn a_message_that_is_read_for_a_wait_that_ends_comes_to_others_before_later_ones() {
    for way in ["cancelled", "its handle closed", "its connection ended", "stopped"] {
        let (bench, _) = one_on_disk();
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        if way == "stopped" {
            reserves(&mut one, queue, 4);
        } else {
            begins(&mut one, queue, GetFlags::NO_SYNCPOINT, 100);
        }
        is_given_both(&bench, way, || match way {
            "cancelled" => assert!(one.connection.cancel(ONE)),
            "its handle closed" => {
                bench.open(one.connection.close(queue, mqi::CloseOptions::default())).map(drop).unwrap();
            }
            "its connection ended" => drop(one),
            _ => assert_eq!(one.connection.stop(ONE), Concluded::Reads),
        });
    }
}

#[test]
fn the_getter_that_a_message_is_read_for_has_it_and_the_next_what_follows() {
    for bytes_max in [100, 4] {
        let (bench, _) = one_on_disk();
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let (first, second) = (one.open("Q", INPUT), two.open("Q", INPUT));
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::ACCEPT_TRUNCATED_MSG;
        begins(&mut one, first, flags, bytes_max);
        let token = two.try_get(second, GetFlags::NO_SYNCPOINT).unwrap_err();
        bench.run_jobs();
        let warning = (bytes_max == 4).then_some(Reason::TRUNCATED_MSG_ACCEPTED);
        let expected = FIRST[..bytes_max.min(FIRST.len())].to_owned();
        assert_eq!(outcome(&bench, &one), Some(Ok((expected, warning))));
        assert_eq!(two.outcome(token), Some(Ok("second message".to_owned())));
    }
}

#[test]
fn getters_that_wait_for_a_message_that_comes_back_unread_are_given_it_and_the_next_in_order() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut putter = bench.connect();
    let queue = putter.open("Q", OUTPUT);
    let wanted = MessageDescriptor { correlation_id: CorrelationId([7; 24]), ..message(true) };
    for body in [FIRST, "second message"] {
        putter.try_put(queue, &wanted, PutFlags::SYNCPOINT, body).unwrap();
    }
    for number in 0..600 {
        putter.put_within(queue, true, &number.to_string());
    }
    putter.commit().unwrap();
    drop(putter);
    let bench = bench.crash(Survival::Nothing);
    let (mut one, mut browser) = (bench.connect(), bench.connect());
    let (queue, browsed) = (one.open("Q", INPUT), browser.open("Q", BROWSE));
    assert_eq!(one.get_within(queue).as_deref(), Ok(FIRST));
    assert_eq!(one.get_within(queue).as_deref(), Ok("second message"));
    // So many that the two, which were read back first, leave memory again.
    for number in 0..500 {
        assert_eq!(browser.get_flags(browsed, GetFlags::BROWSE_NEXT), Ok(number.to_string()));
    }
    let (mut short, mut long) = (bench.connect(), bench.connect());
    let (short_queue, long_queue) = (short.open("Q", INPUT), long.open("Q", INPUT));
    let mut waiting = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    waiting.match_options = MatchOptions::MATCH_CORREL_ID;
    assert!(matches!(short.connection.get(Ask::new(short_queue, &wanted, &waiting, 4, ONE)), Get::Waiting));
    let token = long.begin(long_queue, &wanted, &waiting).expect_err("both are in a unit of work");
    one.back().unwrap();
    // In memory they would be given out by now.
    assert_eq!((outcome(&bench, &short), long.outcome(token)), (None, None));
    bench.run_jobs();
    let too_long = Some(Ok((FIRST[..4].to_owned(), Some(Reason::TRUNCATED_MSG_FAILED))));
    assert_eq!(outcome(&bench, &short), too_long);
    assert_eq!(long.outcome(token), Some(Ok(FIRST.to_owned())));
    assert_eq!(long.begin(long_queue, &wanted, &waiting), Ok(Ok("second message".to_owned())));
}

#[test]
fn a_get_that_names_a_message_waits_while_it_is_read_for_another() {
    for (way, selector) in [
        ("by its identifier", None),
        ("by a selector", Some("Root.MQMD.Persistence = 1")),
        ("by a selector and its identifier", Some("Root.MQMD.Persistence = 1")),
    ] {
        for is_given in [true, false] {
            let (bench, message_id) = one_on_disk();
            let (mut one, mut two) = (bench.connect(), bench.connect());
            let first = one.open("Q", INPUT);
            let second = match selector {
                Some(selector) => two.open_selecting("Q", INPUT, selector).unwrap(),
                None => two.open("Q", INPUT),
            };
            begins(&mut one, first, GetFlags::NO_SYNCPOINT, if is_given { 100 } else { 4 });
            let mut named = options(GetFlags::NO_SYNCPOINT);
            let mut wanted = MessageDescriptor::default();
            if way.contains("identifier") {
                named.match_options = MatchOptions::MATCH_MSG_ID;
                wanted.message_id = message_id;
            }
            let token = two.begin(second, &wanted, &named).expect_err(way);
            bench.run_jobs();
            let expected = match is_given {
                false => Ok(FIRST.to_owned()),
                true if wanted.message_id == message_id => Err(Reason::NO_MSG_AVAILABLE),
                true => Ok("second message".to_owned()),
            };
            assert_eq!(two.outcome(token), Some(expected), "{way}, given to another: {is_given}");
        }
    }
}

#[test]
fn a_get_under_the_cursor_is_told_when_its_message_went_to_another_while_it_was_read() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut putter = bench.connect();
    let queue = putter.open("Q", OUTPUT);
    for number in 0..600 {
        putter.put_within(queue, true, &number.to_string());
    }
    putter.commit().unwrap();
    drop(putter);
    let bench = bench.crash(Survival::Nothing);
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let (first, second) = (one.open("Q", INPUT | BROWSE), two.open("Q", INPUT | BROWSE));
    assert_eq!(one.get_flags(first, GetFlags::BROWSE_FIRST).as_deref(), Ok("0"));
    // So many that those read back first leave memory again.
    for number in 0..500 {
        assert_eq!(two.get_flags(second, GetFlags::BROWSE_NEXT), Ok(number.to_string()));
    }
    let flags = GetFlags::MSG_UNDER_CURSOR | GetFlags::NO_SYNCPOINT;
    let token = one.wait(first, &MessageDescriptor::default(), flags, Wait::Unlimited);
    let job = bench.manager.take_job().expect("it is read");
    assert_eq!(two.get(second).as_deref(), Ok("0"));
    job.run();
    bench.run_jobs();
    assert_eq!(one.outcome(token), Some(Err(Reason::NO_MSG_UNDER_CURSOR)));
    assert_eq!(one.get(first).as_deref(), Ok("1"));
}

#[test]
fn an_inhibition_of_gets_ends_those_that_wait_for_a_message_to_be_read() {
    let (bench, _) = one_on_disk();
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OpenOptions::SET);
    begins(&mut one, queue, GetFlags::NO_SYNCPOINT, 100);
    bench.mqsc("ALTER QLOCAL(Q) GET(DISABLED)");
    bench.run_jobs();
    assert_eq!(outcome(&bench, &one), Some(Err(Reason::GET_INHIBITED)));
    bench.mqsc("ALTER QLOCAL(Q) GET(ENABLED)");
    assert_eq!(one.get(queue).as_deref(), Ok(FIRST));
}
