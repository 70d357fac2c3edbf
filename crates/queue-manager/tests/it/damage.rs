//! Messages whose bytes on the disk are not those that were written.

use std::path::PathBuf;

use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageId, ObjectHandle, PutFlags, Reason, Wait,
};
use platform::simulated::{Rot, Survival};
use queue_manager::Settings;

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
