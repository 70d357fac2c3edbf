//! Messages whose bytes on the disk are not those that were written.

use std::path::PathBuf;
use std::sync::Arc;

use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageId, ObjectDescriptor, ObjectHandle,
    PutFlags, PutOptions, Reason, Wait,
};
use platform::simulated::{Rot, Survival};
use queue_manager::{Settings, WaitToken};
use storage::LogKind;
use storage::copy::{self, Scope};
use storage::images::{self, Within};

use crate::support::*;

/// A queue with three messages that must be read back, and the place of a bit of the second.
fn three_messages() -> (Bench, MessageId, (PathBuf, Rot)) {
    three_messages_in(settings())
}

fn three_messages_in(settings: Settings) -> (Bench, MessageId, (PathBuf, Rot)) {
    let bench = Bench::with(settings, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put(queue, true, "first message");
    let second = one.put(queue, true, "second message").descriptor.message_id;
    one.put(queue, true, "third message");
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    let place = bench.machine.disk.files().into_iter().find_map(|(path, _)| {
        let content = bench.machine.disk.content(&path)?;
        let at = content.windows(14).position(|bytes| bytes == b"second message")?;
        Some((path, Rot::FlipBit(8 * at as u64)))
    });
    (bench, second, place.expect("the message is on the disk"))
}

fn by_message_id(
    session: &mut Session,
    queue: ObjectHandle,
    message_id: MessageId,
) -> Result<String, Reason> {
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    options.match_options = MatchOptions::MATCH_MSG_ID;
    let wanted = MessageDescriptor { message_id, ..MessageDescriptor::default() };
    session.get_with(queue, &wanted, &options, 100).map(|got| text(&got))
}

#[test]
fn a_damaged_message_is_told_of_once_and_stops_nobody() {
    let (bench, second, (path, rot)) = three_messages();
    assert!(bench.machine.disk.rot(&path, rot));
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let got: Vec<_> = (0..4).map(|_| one.get(queue)).collect();
    let said = |text: &str| Ok(text.to_owned());
    assert_eq!(
        got,
        [
            said("first message"),
            Err(Reason::OBJECT_DAMAGED),
            said("third message"),
            Err(Reason::NO_MSG_AVAILABLE)
        ]
    );
    let events = bench.host.events.lock().clone();
    let told: Vec<_> = events.iter().filter(|event| event.starts_with("FRY7472E")).collect();
    assert_eq!(told.len(), 1, "{events:?}");
    let names = [second.to_string(), "Q".to_owned(), path.display().to_string()];
    assert!(names.iter().all(|name| told[0].contains(name)), "{}", told[0]);
    // It is still there, for all to see.
    assert_eq!(bench.depth("Q"), 1);
    let shown = bench.say("DISPLAY QSTATUS(Q) CURDEPTH DAMAGED");
    assert!(shown.contains("DAMAGED(1)"), "{shown}");
    assert_eq!(
        by_message_id(&mut one, queue, second),
        Err(Reason::OBJECT_DAMAGED),
        "never that it is not there"
    );
    // Once the file is put right the message is had again.
    assert!(bench.machine.disk.rot(&path, rot));
    assert_eq!(by_message_id(&mut one, queue, second).as_deref(), Ok("second message"));
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_damaged_message_that_is_named_is_read_for_each_who_names_it_whatever_the_selector() {
    for (selector, chosen) in
        [(None, true), (Some("Root.MQMD.Persistence = 1"), true), (Some("Root.MQMD.Persistence = 2"), false)]
    {
        let (bench, second, (path, rot)) = three_messages();
        assert!(bench.machine.disk.rot(&path, rot));
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let first = one.open("Q", INPUT);
        let named = |session: &mut Session| match selector {
            Some(selector) => session.open_selecting("Q", INPUT, selector).unwrap(),
            None => session.open("Q", INPUT),
        };
        let (one_named, two_named) = (named(&mut one), named(&mut two));
        assert_eq!(one.get(first).as_deref(), Ok("first message"));
        assert_eq!(one.get(first), Err(Reason::OBJECT_DAMAGED));
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        options.match_options = MatchOptions::MATCH_MSG_ID;
        let wanted = MessageDescriptor { message_id: second, ..MessageDescriptor::default() };
        for is_mended in [false, true] {
            if is_mended {
                assert!(bench.machine.disk.rot(&path, rot));
            }
            let tokens = [
                one.begin(one_named, &wanted, &options).expect_err("it is read once more"),
                two.begin(two_named, &wanted, &options).expect_err("it is read for another as well"),
            ];
            bench.run_jobs();
            let outcomes = [one.outcome(tokens[0]), two.outcome(tokens[1])];
            let none = Some(Err(Reason::NO_MSG_AVAILABLE));
            let expected = match (is_mended, chosen) {
                (false, _) => [Some(Err(Reason::OBJECT_DAMAGED)), Some(Err(Reason::OBJECT_DAMAGED))],
                (true, true) => [Some(Ok("second message".to_owned())), none],
                (true, false) => [none.clone(), none],
            };
            assert_eq!(outcomes, expected, "{selector:?}, mended: {is_mended}");
        }
        if !chosen {
            assert_eq!(one.get(first).as_deref(), Ok("second message"), "at its place again");
        }
        assert_eq!(one.get(first).as_deref(), Ok("third message"));
        assert!(bench.say("DISPLAY QSTATUS(Q) DAMAGED").contains("DAMAGED(0)"));
    }
}

#[test]
fn a_browse_passes_a_damaged_message_after_it_was_told() {
    let (bench, _, (path, rot)) = three_messages();
    assert!(bench.machine.disk.rot(&path, rot));
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | BROWSE);
    let browsed: Vec<_> = (0..4).map(|_| one.get_flags(queue, GetFlags::BROWSE_NEXT)).collect();
    let said = |text: &str| Ok(text.to_owned());
    assert_eq!(
        browsed,
        [
            said("first message"),
            Err(Reason::OBJECT_DAMAGED),
            said("third message"),
            Err(Reason::NO_MSG_AVAILABLE)
        ]
    );
    assert_eq!(bench.depth("Q"), 3);
}

#[test]
fn a_damaged_message_goes_when_its_queue_is_cleared() {
    let (bench, _, (path, rot)) = three_messages();
    assert!(bench.machine.disk.rot(&path, rot));
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue).as_deref(), Ok("first message"));
    assert_eq!(one.get(queue), Err(Reason::OBJECT_DAMAGED));
    drop(one);
    bench.mqsc("CLEAR QLOCAL(Q)");
    assert_eq!(bench.depth("Q"), 0);
    assert!(bench.say("DISPLAY QSTATUS(Q) DAMAGED").contains("DAMAGED(0)"));
}

/// Fills the log three times over. The puts that found no room even after a checkpoint.
fn fill_the_log_again(bench: &Bench) -> usize {
    let mut one = bench.connect();
    let queue = one.open("WORK", INPUT | OUTPUT);
    let body = "x".repeat(5000);
    let mut refused = 0;
    for _ in 0..600 {
        let put = one.try_put(queue, &message(true), PutFlags::EMPTY, &body).or_else(|_| {
            bench.keep_house();
            bench.keep_house();
            one.try_put(queue, &message(true), PutFlags::EMPTY, &body)
        });
        match put {
            Ok(_) => assert_eq!(one.get(queue).as_deref(), Ok(&*body)),
            Err(_) => refused += 1,
        }
    }
    refused
}

fn told(bench: &Bench) -> Vec<String> {
    let events = bench.host.events.lock();
    events.iter().filter(|event| event.starts_with("FRY7472E")).cloned().collect()
}

#[test]
fn a_message_that_rots_in_log_that_is_used_again_stops_no_put_and_stays_known() {
    let mut small = settings();
    (small.storage.primary_extents, small.storage.secondary_extents) = (2, 0);
    let (bench, second, (path, rot)) = three_messages_in(small);
    bench.mqsc("DEFINE QLOCAL(WORK)");
    assert!(path.starts_with("log"), "{}", path.display());
    assert!(bench.machine.disk.rot(&path, rot));
    assert_eq!(fill_the_log_again(&bench), 0, "puts were refused");
    let known = |bench: &Bench, depth: i32| {
        assert_eq!(bench.depth("Q"), depth);
        let shown = bench.say("DISPLAY QSTATUS(Q) DAMAGED");
        assert!(shown.contains("DAMAGED(1)"), "{shown}");
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT);
        for _ in 0..2 {
            assert_eq!(by_message_id(&mut one, queue, second), Err(Reason::OBJECT_DAMAGED));
        }
        let told = told(bench);
        assert_eq!(told.len(), 1, "{told:?}");
        let names = [second.to_string(), "Q".to_owned(), path.display().to_string()];
        assert!(names.iter().all(|name| told[0].contains(name)), "{}", told[0]);
    };
    known(&bench, 3);
    let bench = bench.crash(Survival::Nothing);
    known(&bench, 3);
    assert_eq!(fill_the_log_again(&bench), 0, "puts were refused after a restart");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue).as_deref(), Ok("first message"));
    assert_eq!(one.get(queue).as_deref(), Ok("third message"));
    assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
    drop(one);
    known(&bench, 1);
    // The segment it is in was thin by now, and was written anew.
    assert_eq!(fill_the_log_again(&bench), 0);
    let bench = bench.crash(Survival::Nothing);
    known(&bench, 1);
    bench.mqsc("CLEAR QLOCAL(Q)");
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.depth("Q"), 0);
    assert!(bench.say("DISPLAY QSTATUS(Q) DAMAGED").contains("DAMAGED(0)"));
    assert!(told(&bench).is_empty());
}

/// In the part of the log that a restart reads, and of a message that is known but for its body.
#[test]
fn a_start_tells_of_a_message_whose_body_cannot_be_read_and_gives_out_the_others() {
    for within_unit in [false, true] {
        let bench = Bench::with(settings(), 1);
        bench.mqsc("DEFINE QLOCAL(Q)");
        let mut one = bench.connect();
        let queue = one.open("Q", OUTPUT);
        one.put(queue, true, "first message");
        let body = format!("second message{}", "x".repeat(20_000));
        let flags = if within_unit { PutFlags::SYNCPOINT } else { PutFlags::EMPTY };
        let second = one.try_put(queue, &message(true), flags, &body).unwrap().descriptor.message_id;
        if within_unit {
            one.commit().unwrap();
        }
        one.put(queue, true, "third message");
        drop(one);
        let bench = bench.crash(Survival::Nothing);
        let log = PathBuf::from("log/0000000000000000.seg");
        let content = bench.machine.disk.content(&log).unwrap();
        let at = content.windows(14).position(|bytes| bytes == b"second message").unwrap();
        assert!(bench.machine.disk.rot(&log, Rot::Unreadable(at as u64 / 4096 + 2)));
        let mut bench = bench;
        for _ in 0..2 {
            bench = bench.crash(Survival::Nothing);
            let told = told(&bench);
            assert_eq!(told.len(), 1, "{told:?}");
            let names = [second.to_string(), "Q".to_owned(), log.display().to_string()];
            assert!(names.iter().all(|name| told[0].contains(name)), "{}", told[0]);
            assert_eq!(bench.depth("Q"), 3);
            let shown = bench.say("DISPLAY QSTATUS(Q) DAMAGED");
            assert!(shown.contains("DAMAGED(1)"), "{shown}");
        }
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | BROWSE);
        let said = |text: &str| Ok(text.to_owned());
        let expected = [
            said("first message"),
            Err(Reason::OBJECT_DAMAGED),
            said("third message"),
            Err(Reason::NO_MSG_AVAILABLE),
        ];
        // The getter or the browser that reaches the message first is told of it.
        if within_unit {
            let browsed: Vec<_> = (0..4).map(|_| one.get_flags(queue, GetFlags::BROWSE_NEXT)).collect();
            assert_eq!(browsed, expected);
            assert_eq!(one.get(queue), expected[0]);
            assert_eq!(one.get(queue), expected[2]);
        } else {
            let got: Vec<_> = (0..4).map(|_| one.get(queue)).collect();
            assert_eq!(got, expected);
        }
        assert_eq!(one.get(queue), Err(Reason::NO_MSG_AVAILABLE));
        assert_eq!(by_message_id(&mut one, queue, second), Err(Reason::OBJECT_DAMAGED));
        assert_eq!(told(&bench).len(), 1, "told of once");
        assert!(bench.say("DISPLAY QSTATUS(Q) DAMAGED").contains("DAMAGED(1)"));
    }
}

/// A checkpoint that meets the damage first knows of it as a start does.
#[test]
fn a_get_answers_once_for_a_message_that_a_checkpoint_found_damaged_and_after_a_restart_once_more() {
    let mut small = settings();
    (small.storage.primary_extents, small.storage.secondary_extents) = (2, 0);
    let (bench, _, (path, rot)) = three_messages_in(small);
    bench.mqsc("DEFINE QLOCAL(WORK)");
    assert!(bench.machine.disk.rot(&path, rot));
    assert_eq!(fill_the_log_again(&bench), 0, "puts were refused");
    let mut bench = bench;
    for _ in 0..2 {
        assert_eq!(told(&bench).len(), 1);
        let mut one = bench.connect();
        let queue = one.open("Q", INPUT | BROWSE);
        let browsed: Vec<_> = (0..4).map(|_| one.get_flags(queue, GetFlags::BROWSE_NEXT)).collect();
        let said = |text: &str| Ok(text.to_owned());
        assert_eq!(browsed[0], said("first message"));
        assert_eq!(browsed[1], Err(Reason::OBJECT_DAMAGED));
        assert_eq!(browsed[2], said("third message"));
        assert_eq!(told(&bench).len(), 1);
        drop(one);
        bench = bench.crash(Survival::Nothing);
    }
}

/// A selector judges a message by what is read of it: the getter that reaches the damaged one is told, and
/// none before it.
#[test]
fn a_getter_with_a_selector_is_told_of_a_damaged_message_when_it_reaches_it() {
    let said = |text: &str| Ok(text.to_owned());
    for (flags, left) in [(GetFlags::NO_SYNCPOINT, 1), (GetFlags::BROWSE_NEXT, 3)] {
        let (bench, second, (path, rot)) = three_messages();
        assert!(bench.machine.disk.rot(&path, rot));
        let mut one = bench.connect();
        let queue = one.open_selecting("Q", INPUT | BROWSE, "Root.MQMD.Priority = 0").unwrap();
        assert_eq!(one.get_flags(queue, flags), said("first message"));
        assert!(told(&bench).is_empty(), "it was read ahead, and no getter reached it yet");
        let got: Vec<_> = (0..3).map(|_| one.get_flags(queue, flags)).collect();
        let expected = [Err(Reason::OBJECT_DAMAGED), said("third message"), Err(Reason::NO_MSG_AVAILABLE)];
        assert_eq!(got, expected);
        assert_eq!((told(&bench).len(), bench.depth("Q")), (1, left));
        let all = one.open("Q", INPUT);
        assert_eq!(by_message_id(&mut one, all, second), Err(Reason::OBJECT_DAMAGED));
    }
    // A selector that takes none of them.
    let (bench, _, (path, rot)) = three_messages();
    assert!(bench.machine.disk.rot(&path, rot));
    let mut one = bench.connect();
    let none = one.open_selecting("Q", INPUT | BROWSE, "Root.MQMD.Priority = 9").unwrap();
    let all = one.open("Q", INPUT);
    let wait = one.wait(none, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    bench.run_jobs();
    assert_eq!(one.outcome(wait), Some(Err(Reason::OBJECT_DAMAGED)));
    assert_eq!(one.get_flags(none, GetFlags::NO_SYNCPOINT), Err(Reason::NO_MSG_AVAILABLE));
    let got: Vec<_> = (0..3).map(|_| one.get(all)).collect();
    assert_eq!(got, [said("first message"), said("third message"), Err(Reason::NO_MSG_AVAILABLE)]);
    assert_eq!(told(&bench).len(), 1);
}

/// The getter that was about to be told of the damage is gone when it is found: the next is told.
#[test]
fn a_damaged_message_is_answered_to_the_next_getter_when_the_one_that_met_it_is_gone() {
    let said = |text: &str| Ok(text.to_owned());
    for selector in ["", "Root.MQMD.Priority = 0"] {
        let (bench, _, (path, rot)) = three_messages();
        assert!(bench.machine.disk.rot(&path, rot));
        let (mut one, mut two) = (bench.connect(), bench.connect());
        let queue = one.open_selecting("Q", INPUT, selector).unwrap();
        let other = two.open("Q", INPUT | BROWSE);
        assert_eq!(one.get(queue), said("first message"));
        let Err(token) = one.try_get(queue, GetFlags::NO_SYNCPOINT) else { panic!("it must be read back") };
        assert!(one.connection.cancel(WaitToken(token)));
        bench.run_jobs();
        let got: Vec<_> = (0..3).map(|_| two.get(other)).collect();
        let expected = [Err(Reason::OBJECT_DAMAGED), said("third message"), Err(Reason::NO_MSG_AVAILABLE)];
        assert_eq!((got, one.outcome(token)), (expected.to_vec(), None), "{selector:?}");
    }
}

#[test]
fn a_run_tells_once_of_a_damaged_message_that_is_in_the_way_of_moving_a_queue() {
    let (bench, _, (path, rot)) = three_messages();
    bench.mqsc("DEFINE QLOCAL(OTHER)");
    assert!(bench.machine.disk.rot(&path, rot));
    for _ in 0..2 {
        assert!(bench.refused("MOVE QLOCAL(Q) TOQLOCAL(OTHER)").contains("2101"));
        assert_eq!(told(&bench).len(), 1);
    }
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    let got: Vec<_> = (0..2).map(|_| one.get(queue)).collect();
    assert_eq!(got, [Ok("first message".to_owned()), Err(Reason::OBJECT_DAMAGED)]);
    assert_eq!(told(&bench).len(), 1);
}

/// Takes an image where queue managers keep theirs.
fn take_image(bench: &Bench) {
    let disk = bench.machine.world().disk;
    let path = images::path(1);
    disk.create_directory(&path).unwrap();
    copy::copy(&*disk, &Within::new(Arc::clone(&disk), path), Scope::Image, &mut |_| {}).unwrap();
    for directory in [images::DIRECTORY, ""] {
        disk.sync_directory(directory.as_ref()).unwrap();
    }
}

/// Where the second of three messages is in the store, of a queue manager that keeps its log; with an image
/// or without.
fn in_the_store(has_image: bool) -> (Bench, MessageId, (PathBuf, Rot)) {
    let mut small = settings();
    (small.storage.primary_extents, small.storage.kind) = (2, LogKind::Linear);
    let (bench, second, _) = three_messages_in(small);
    bench.mqsc("DEFINE QLOCAL(WORK)");
    fill_the_log_again(&bench);
    if has_image {
        take_image(&bench);
    }
    let bench = bench.crash(Survival::Nothing);
    let place = bench.machine.disk.files().into_iter().find_map(|(path, _)| {
        let content = bench.machine.disk.content(&path).filter(|_| path.starts_with("store"))?;
        let at = content.windows(14).position(|bytes| bytes == b"second message")?;
        Some((path, Rot::FlipBit(8 * at as u64)))
    });
    (bench, second, place.expect("a checkpoint moved it"))
}

#[test]
fn a_damaged_message_comes_back_from_an_image_to_its_place_and_to_who_waits() {
    let (bench, second, (path, rot)) = in_the_store(true);
    assert!(bench.machine.disk.rot(&path, rot));
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | BROWSE);
    let mut browse = || one.get_flags(queue, GetFlags::BROWSE_NEXT);
    assert_eq!(browse().as_deref(), Ok("first message"));
    assert_eq!(browse(), Err(Reason::OBJECT_DAMAGED));
    let said = bench.say("RECOVER QLOCAL(Q)");
    assert!(said.contains("FRY8028I") && said.contains("messages read: 3; given back: 1"), "{said}");
    assert!(bench.say("DISPLAY QSTATUS(Q) DAMAGED").contains("DAMAGED(0)"));
    assert_eq!(one.get(queue).as_deref(), Ok("first message"));
    assert_eq!(by_message_id(&mut one, queue, second).as_deref(), Ok("second message"));
    drop(one);
    let said = bench.say("RECOVER QLOCAL(Q)");
    assert!(said.contains("messages read: 1; given back: 0"), "{said}");

    let (bench, _, (path, rot)) = in_the_store(true);
    assert!(bench.machine.disk.rot(&path, rot));
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue).as_deref(), Ok("first message"));
    assert_eq!(one.get(queue), Err(Reason::OBJECT_DAMAGED));
    assert_eq!(one.get(queue).as_deref(), Ok("third message"));
    let waits = one.wait(queue, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    bench.say("RECOVER QLOCAL(Q)");
    bench.run_jobs();
    assert_eq!(one.outcome(waits), Some(Ok("second message".to_owned())));
}

#[test]
fn what_was_given_back_outlives_a_crash_and_other_queues_are_as_they_were() {
    let (bench, _, (path, rot)) = in_the_store(true);
    bench.mqsc("DEFINE QLOCAL(OTHER)");
    let mut one = bench.connect();
    let other = one.open("OTHER", OUTPUT);
    one.put(other, true, "another queue");
    drop(one);
    assert!(bench.machine.disk.rot(&path, rot));
    assert!(bench.say("RECOVER QLOCAL(Q)").contains("FRY8028I"));
    let bench = bench.crash(Survival::Nothing);
    let mut one = bench.connect();
    for (queue, expected) in [
        ("Q", Ok("first message".to_owned())),
        ("Q", Ok("second message".to_owned())),
        ("Q", Ok("third message".to_owned())),
        ("Q", Err(Reason::NO_MSG_AVAILABLE)),
        ("OTHER", Ok("another queue".to_owned())),
    ] {
        let handle = one.open(queue, INPUT);
        assert_eq!(one.get(handle), expected, "{queue}");
    }
    assert!(told(&bench).is_empty());
}

#[test]
fn without_an_image_that_has_it_a_damaged_message_stays_and_the_answer_says_so() {
    let (bench, second, (path, rot)) = in_the_store(false);
    assert!(bench.machine.disk.rot(&path, rot));
    let said = bench.refused("RECOVER QLOCAL(Q)");
    assert!(said.contains("FRY8029E") && said.contains("that still cannot be read: 1"), "{said}");
    assert!(said.contains("there is no image that has them"), "{said}");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(by_message_id(&mut one, queue, second), Err(Reason::OBJECT_DAMAGED));
    assert_eq!(bench.depth("Q"), 3);
}

#[test]
fn a_queue_that_is_not_to_be_recovered_is_not() {
    let (bench, _, (path, rot)) = in_the_store(true);
    assert!(bench.machine.disk.rot(&path, rot));
    for (attributes, whose) in [
        ("ALTER QLOCAL(Q) IMGRCOVQ(NO)", "IMGRCOVQ of the queue says NO"),
        ("ALTER QLOCAL(Q) IMGRCOVQ(QMGR) ALTER QMGR IMGRCOVQ(NO)", "IMGRCOVQ of the queue manager says NO"),
    ] {
        bench.mqsc(attributes);
        let said = bench.refused("RECOVER QLOCAL(Q)");
        assert!(said.contains("FRY8101E") && said.contains(whose), "{said}");
    }
    bench.mqsc("ALTER QLOCAL(Q) IMGRCOVQ(YES)");
    assert!(bench.say("RECOVER QLOCAL(Q)").contains("given back: 1"));
}

/// Copies of a publication are one record, in which each has the beginning of its body and all have its
/// end.
#[test]
fn a_bit_that_flips_in_a_publication_costs_the_copies_that_have_it() {
    for (wanted, damaged) in
        [("what is published", ["A", "B", "C"].as_slice()), ("for a alone", &["A"]), ("for c alone", &["C"])]
    {
        let bench = Bench::with(settings(), 1);
        bench.mqsc(
            "DEFINE QLOCAL(A) DEFINE QLOCAL(B) DEFINE QLOCAL(C) \
             DEFINE SUB('a') TOPICSTR('price') DEST(A) USERDATA('for a alone') \
             DEFINE SUB('b') TOPICSTR('price') DEST(B) \
             DEFINE SUB('c') TOPICSTR('price') DEST(C) USERDATA('for c alone')",
        );
        let mut one = bench.connect();
        let (topic, options) = (ObjectDescriptor::topic("price"), PutOptions::with(PutFlags::NO_SYNCPOINT));
        for body in ["the first of two", "what is published"] {
            let published = one.connection.put1(&topic, &message(true), &options, body.into());
            open(&bench.manager, published).unwrap();
        }
        drop(one);
        let log = PathBuf::from("log/0000000000000000.seg");
        let content = bench.machine.disk.content(&log).unwrap();
        let at = content.windows(wanted.len()).rposition(|bytes| bytes == wanted.as_bytes()).unwrap();
        assert!(bench.machine.disk.rot(&log, Rot::FlipBit(8 * at as u64 + 1)));
        let bench = bench.crash(Survival::Nothing);
        let mut one = bench.connect();
        let queues = ["A", "B", "C"].map(|queue| one.open(queue, INPUT));
        let bodies = ["the first of two", "what is published"];
        // Each copy has its properties before that.
        let mut take = |from| {
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = one.get_with(from, &MessageDescriptor::default(), &options, 1000)?;
            Ok(bodies.into_iter().find(|body| got.body.ends_with(body.as_bytes())))
        };
        for (queue, from) in ["A", "B", "C"].into_iter().zip(queues) {
            let second = match damaged.contains(&queue) {
                true => Err(Reason::OBJECT_DAMAGED),
                false => Ok(Some(bodies[1])),
            };
            let expected = [Ok(Some(bodies[0])), second, Err(Reason::NO_MSG_AVAILABLE)];
            assert_eq!([take(from), take(from), take(from)], expected, "{wanted} in {queue}");
        }
        assert_eq!(told(&bench).len(), damaged.len(), "{wanted}");
    }
}
