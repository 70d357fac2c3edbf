//! Messages that an orderly end keeps for queues with NPMCLASS(HIGH).

use std::path::Path;
use std::time::Duration;

use mqi::{GetFlags, GetOptions, MessageDescriptor, Priority, PutFlags, Reason, Wait};
use platform::simulated::{
    CrashPolicy, Failure, Fault, Images, OperationKind, Random, Repeat, Rot, Survival,
};
use queue_manager::Settings;

use crate::support::*;

/// A queue that keeps, one that does not, and messages on both.
fn filled(settings: Settings) -> Bench {
    let bench = Bench::with(settings, 9);
    bench.mqsc("DEFINE QLOCAL(HIGH) NPMCLASS(HIGH) DEFINE QLOCAL(NORMAL) NPMCLASS(NORMAL)");
    let mut one = bench.connect();
    for queue in ["HIGH", "NORMAL"] {
        let handle = one.open(queue, OUTPUT);
        for (persistent, body) in [(false, "a"), (true, "b"), (false, "c"), (false, "d")] {
            one.put(handle, persistent, body);
        }
    }
    drop(one);
    bench
}

/// An orderly end, and a start on what it left.
fn restart(bench: Bench) -> Bench {
    bench.manager.close();
    bench.crash(Survival::Nothing)
}

fn drain(bench: &Bench, queue: &str) -> Vec<String> {
    let mut one = bench.connect();
    let handle = one.open(queue, INPUT);
    let mut bodies = Vec::new();
    while let Ok(body) = one.get(handle) {
        bodies.push(body);
    }
    bodies
}

#[test]
fn messages_of_a_high_class_outlive_an_orderly_end_and_no_failure() {
    let bench = restart(filled(settings()));
    assert_eq!(drain(&bench, "HIGH"), ["a", "b", "c", "d"]);
    assert_eq!(drain(&bench, "NORMAL"), ["b"]);
    let bench = filled(settings()).crash(Survival::Everything);
    assert_eq!(drain(&bench, "HIGH"), ["b"]);
}

#[test]
fn what_came_back_is_kept_again_and_lost_by_a_failure_like_any_other() {
    let bench = restart(restart(filled(settings())));
    let mut one = bench.connect();
    let handle = one.open("HIGH", INPUT);
    assert_eq!(one.get(handle).as_deref(), Ok("a"));
    drop(one);
    let bench = bench.crash(Survival::Everything);
    assert_eq!(drain(&bench, "HIGH"), ["b"], "a message that was got, and one that was not, are gone");
}

#[test]
fn a_message_that_was_kept_is_as_it_was() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(HIGH) NPMCLASS(HIGH)");
    let mut one = bench.connect();
    let handle = one.open("HIGH", INPUT | OUTPUT);
    let given = MessageDescriptor {
        correlation_id: mqi::CorrelationId([3; 24]),
        group_id: mqi::GroupId([4; 24]).into(),
        message_sequence_number: 5,
        message_flags: mqi::MessageFlags::MSG_IN_GROUP,
        priority: Priority::new(7),
        reply_to_queue: "R".parse().unwrap(),
        ..message(false)
    };
    let done = one.try_put(handle, &given, PutFlags::NO_SYNCPOINT, "x").unwrap();
    one.get_within(handle).unwrap();
    one.back().unwrap();
    drop(one);
    let bench = restart(bench);
    let mut one = bench.connect();
    let handle = one.open("HIGH", INPUT);
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = one.get_with(handle, &MessageDescriptor::default(), &options, 100).unwrap();
    assert_eq!(*got.descriptor, MessageDescriptor { backout_count: 1, ..(*done.descriptor).clone() });
}

#[test]
fn a_kept_message_lives_as_long_as_it_would_have() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(HIGH) NPMCLASS(HIGH)");
    let mut one = bench.connect();
    let handle = one.open("HIGH", OUTPUT);
    for (tenths, body) in [(50, "short"), (600, "long")] {
        let given = MessageDescriptor { expiry: mqi::Expiry::tenths(tenths), ..message(false) };
        one.try_put(handle, &given, PutFlags::NO_SYNCPOINT, body).unwrap();
    }
    drop(one);
    let bench = restart(bench);
    bench.pass(Duration::from_secs(6));
    assert_eq!(drain(&bench, "HIGH"), ["long"]);
}

#[test]
fn what_a_unit_of_work_held_at_the_end_is_kept_as_its_backout_leaves_it() {
    let bench = filled(settings());
    let mut one = bench.connect();
    let handle = one.open("HIGH", INPUT | OUTPUT);
    assert_eq!(one.get_within(handle).as_deref(), Ok("a"));
    one.put_within(handle, false, "never committed");
    bench.manager.close();
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(drain(&bench, "HIGH"), ["a", "b", "c", "d"]);
}

#[test]
fn a_temporary_queue_and_a_deleted_one_take_what_is_theirs_with_them() {
    let bench = filled(settings());
    bench.mqsc("DEFINE QMODEL(MODEL) DEFTYPE(TEMPDYN) NPMCLASS(HIGH)");
    let mut one = bench.connect();
    let object = mqi::ObjectDescriptor {
        dynamic_queue_name: "T".parse().unwrap(),
        ..mqi::ObjectDescriptor::queue("MODEL".parse().unwrap())
    };
    let opened = one.connection.open(&object, OUTPUT);
    let handle = bench.open(opened).unwrap().handle;
    one.put(handle, false, "temporary");
    bench.manager.close();
    drop(one);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.connect().try_open("T", INPUT).err(), Some(Reason::UNKNOWN_OBJECT_NAME));
    bench.mqsc("ALTER QLOCAL(HIGH) NPMCLASS(NORMAL)");
    let bench = restart(bench);
    assert_eq!(drain(&bench, "HIGH"), ["b"], "the class at the end counts");
}

#[test]
fn a_deep_queue_is_kept_from_the_spill_files_and_comes_back_to_them() {
    let small = Settings { memory_budget_bytes: 1 << 20, ..settings() };
    let bench = Bench::with(small, 3);
    bench.mqsc("DEFINE QLOCAL(HIGH) NPMCLASS(HIGH) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let handle = one.open("HIGH", OUTPUT);
    let body = |number: usize| format!("{number:08} {}", "x".repeat(2000));
    for number in 0..2000 {
        one.put(handle, false, &body(number));
    }
    drop(one);
    let bench = restart(bench);
    let used = bench.manager.figures().memory_used();
    assert!(used <= 1 << 20, "{used} bytes of {}", 2000 * 2009);
    assert!(bench.manager.log().statistics().spill_bytes > 2 << 20);
    let bodies = drain(&bench, "HIGH");
    assert_eq!(bodies.len(), 2000);
    assert!(bodies.iter().enumerate().all(|(number, found)| *found == body(number)));
}

#[test]
fn a_crash_half_way_through_end_or_start_leaves_all_or_nothing_and_doubles_nothing() {
    let bench = filled(settings());
    bench.machine.disk.keep_images(Images::Every);
    bench.manager.close();
    let mut images = bench.machine.disk.take_images();
    let at_the_end = images.len();
    let disk = bench.machine.disk.image().without_crash();
    disk.keep_images(Images::Every);
    drop(bench.start_on(disk.clone()));
    images.extend(disk.take_images());
    assert!(at_the_end > 3 && images.len() > at_the_end + 1, "moments to cut the power at");
    let mut random = Random::new(4);
    let mut seen = [0_u32; 2];
    for (_, image) in images {
        for survival in [Survival::Nothing, Survival::Everything, Survival::Each { percent: 50 }] {
            let after = bench.start_on(image.crash(&mut random, CrashPolicy::surviving(survival)));
            let mut one = after.connect();
            let handle = one.open("HIGH", INPUT);
            let first = one.get(handle).unwrap();
            drop(one);
            let (left, left_by_a_failure): (&[&str], &[&str]) = match first.as_str() {
                "a" => (&["b", "c", "d"], &["b"]),
                "b" => (&[], &[]),
                other => panic!("{other} came first"),
            };
            seen[usize::from(first == "a")] += 1;
            // What was given out is not given out again, whenever the next failure comes.
            let failed = after.machine.disk.crash(&mut random, CrashPolicy::surviving(Survival::Nothing));
            assert_eq!(drain(&after.start_on(failed), "HIGH"), left_by_a_failure);
            assert_eq!(drain(&after, "HIGH"), left);
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "both are met: {seen:?}");
}

#[test]
fn an_end_that_cannot_keep_says_so_and_is_an_end_all_the_same() {
    for kind in [OperationKind::Write, OperationKind::Sync, OperationKind::Rename] {
        let bench = filled(settings());
        // The checkpoint of the end needs room, too, and is refused it.
        let failure = Failure::NoSpace;
        bench.machine.disk.plan(Fault { kind: Some(kind), nth: 1, failure, repeat: Repeat::Sticky });
        bench.manager.close();
        bench.machine.disk.clear_plan();
        let events = bench.host.events.lock().join("\n");
        assert!(events.contains("FRY7475W cannot write store/kept.tmp"), "{kind:?}: {events}");
        let bench = bench.crash(Survival::Everything);
        assert_eq!(drain(&bench, "HIGH"), ["b"], "{kind:?}");
    }
}

#[test]
fn a_file_of_kept_messages_that_rotted_is_told_of_and_gives_nothing_wrong() {
    let bench = filled(settings());
    bench.manager.close();
    let kept = Path::new("store/kept");
    let bits = bench.machine.disk.content(kept).expect("the file of kept messages").len() as u64 * 8;
    let image = bench.machine.disk.image();
    let mut rots: Vec<Rot> = (0..bits).step_by(101).map(Rot::FlipBit).collect();
    rots.extend((0..bits / 8).step_by(19).map(Rot::Truncate));
    for rot in rots {
        let disk = image.without_crash();
        assert!(disk.rot(kept, rot));
        let after = bench.start_on(disk);
        let found = drain(&after, "HIGH");
        let expected = ["a", "c", "d"];
        let kept: Vec<&String> = found.iter().filter(|body| *body != "b").collect();
        assert!(
            kept.len() < 3 && kept.iter().zip(expected).all(|(body, kept)| *body == kept),
            "{rot:?}: {found:?}"
        );
        assert!(found.contains(&"b".to_owned()), "{rot:?}");
        let events = after.host.events.lock().join("\n");
        assert!(events.contains("FRY7476W") && events.contains("store/kept is damaged"), "{rot:?}: {events}");
    }
}
