//! Media images that the queue manager takes on its own.

use std::sync::Arc;
use std::time::Duration;

use mqi::Reason;
use platform::simulated::{CrashPolicy, Images, Machine, Random, Rot, SimulatedDisk, Survival};
use storage::LogKind;
use storage::copy;
use storage::images::{self, Within};

use crate::support::*;

const MINUTE: Duration = Duration::from_secs(60);

/// A queue manager that keeps its log, with these attributes and a queue.
fn keeping_its_log(attributes: &str) -> Bench {
    let mut settings = settings();
    settings.storage.kind = LogKind::Linear;
    settings.checkpoint_interval = Duration::from_secs(10);
    let bench = Bench::with(settings, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench.mqsc(&format!("ALTER QMGR {attributes}"));
    bench
}

fn put(bench: &Bench, body: &str) {
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    one.put(queue, true, body);
}

fn bodies(bench: &Bench) -> Vec<String> {
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    let mut bodies = Vec::new();
    loop {
        match one.get(queue) {
            Ok(body) => bodies.push(body),
            Err(reason) => {
                assert_eq!(reason, Reason::NO_MSG_AVAILABLE);
                return bodies;
            }
        }
    }
}

fn listed(disk: &SimulatedDisk) -> Vec<u64> {
    images::list(disk).unwrap()
}

fn images_of(bench: &Bench) -> Vec<u64> {
    listed(&bench.machine.disk)
}

/// Lets time pass, with what is done in it.
fn pass(bench: &Bench, time: Duration) {
    bench.pass(time);
    bench.run_jobs();
}

fn told(bench: &Bench, event: &str) -> usize {
    bench.host.events.lock().iter().filter(|told| told.starts_with(event)).count()
}

#[test]
fn an_image_is_taken_when_the_interval_is_over_and_something_was_logged() {
    let bench = keeping_its_log("IMGINTVL(1)");
    pass(&bench, MINUTE - Duration::from_secs(1));
    assert_eq!(images_of(&bench), []);
    pass(&bench, Duration::from_secs(1));
    let [first] = images_of(&bench)[..] else { panic!("no image: {:?}", bench.host.events.lock()) };
    assert_eq!(told(&bench, "FRY7477I"), 1);
    // Nothing is logged, so another would say the same.
    for _ in 0..3 {
        pass(&bench, MINUTE);
    }
    assert_eq!(images_of(&bench), [first]);
    let mut taken = vec![first];
    for round in 0..3 {
        put(&bench, &format!("message {round}"));
        pass(&bench, MINUTE);
        taken.insert(0, images_of(&bench)[0]);
    }
    // The two newest stay.
    assert_eq!(images_of(&bench), taken[..2]);
    assert!(taken.is_sorted_by(|one, other| one > other), "{taken:?}");
    let directories = bench.machine.world().disk.list(images::DIRECTORY.as_ref()).unwrap();
    assert_eq!(directories.len(), 2, "{directories:?}");
}

#[test]
fn an_image_is_taken_when_so_much_was_logged() {
    let bench = keeping_its_log("IMGINTVL(OFF) IMGLOGLN(1)");
    pass(&bench, MINUTE);
    assert_eq!(images_of(&bench), []);
    for _ in 0..12 {
        put(&bench, &"x".repeat(100_000));
    }
    pass(&bench, Duration::from_secs(1));
    assert_eq!(images_of(&bench).len(), 1);
}

/// The value of an attribute in what a command shows.
fn shown(bench: &Bench, command: &str, attribute: &str) -> String {
    let said = bench.say(&format!("{command} {attribute}"));
    let (_, value) = said.split_once(&format!(" {attribute}(")).unwrap_or_else(|| panic!("{said}"));
    value.split_once(')').unwrap().0.trim().to_owned()
}

#[test]
fn status_names_the_extents_that_a_restart_and_images_need() {
    let bench = keeping_its_log("IMGINTVL(1)");
    let of_manager = |attribute: &str| shown(&bench, "DISPLAY QMSTATUS", attribute);
    let of_queue = || shown(&bench, "DISPLAY QSTATUS(Q)", "MEDIALOG");
    let first = of_manager("CURRLOG");
    assert_eq!(of_manager("RECLOG"), first);
    assert_eq!(
        (of_manager("MEDIALOG"), of_manager("MEDIASZ"), of_queue()),
        (String::new(), "0".to_owned(), String::new())
    );
    pass(&bench, MINUTE);
    assert_eq!((of_manager("MEDIALOG"), of_queue()), (first.clone(), first.clone()));
    while of_manager("RECLOG") == first {
        (0..4).for_each(|_| put(&bench, &"x".repeat(100_000)));
        pass(&bench, Duration::from_secs(10));
    }
    let names = [of_manager("MEDIALOG"), of_manager("RECLOG"), of_manager("CURRLOG")];
    assert!(names.is_sorted(), "{names:?}");
    let oldest = images::needed_from(&bench.machine.world().disk).unwrap().unwrap();
    assert_eq!(names[0], storage::LogState::extent_name(oldest));
    let files = bench.machine.world().disk.list("log".as_ref()).unwrap();
    assert!(names.iter().all(|name| files.contains(name)), "{names:?} in {files:?}");
    assert_ne!(of_manager("LOGUTIL"), "0");
    // Images to come need less of it.
    pass(&bench, MINUTE);
    put(&bench, "another");
    pass(&bench, MINUTE);
    assert!(of_manager("MEDIALOG") > first);
    bench.mqsc("ALTER QLOCAL(Q) IMGRCOVQ(NO)");
    assert_eq!(of_queue(), "");
}

#[test]
fn attributes_say_whether_images_are_taken() {
    for (attributes, expected) in [
        ("IMGINTVL(1) IMGSCHED(MANUAL)", 0),
        ("IMGINTVL(OFF)", 0),
        ("IMGINTVL(1) IMGRCOVO(NO) IMGRCOVQ(NO)", 0),
        ("IMGINTVL(1) IMGRCOVO(NO) IMGRCOVQ(YES)", 1),
        ("IMGINTVL(1) IMGRCOVO(YES) IMGRCOVQ(NO)", 1),
    ] {
        let bench = keeping_its_log(attributes);
        pass(&bench, MINUTE);
        assert_eq!(images_of(&bench).len(), expected, "{attributes}");
    }
    // Attributes may stand in CUSTOM, and by themselves come before it.
    for (attributes, expected) in [
        ("CUSTOM('IMGINTVL(1)')", 1),
        ("CUSTOM('IMGINTVL(1)') IMGINTVL(2)", 0),
        ("IMGINTVL(OFF) CUSTOM('OWNER(me) IMGINTVL(1)')", 0),
    ] {
        let bench = keeping_its_log(attributes);
        pass(&bench, MINUTE);
        assert_eq!(images_of(&bench).len(), expected, "{attributes}");
    }
    // One queue is enough, and what is wanted later is taken later.
    let bench = keeping_its_log("IMGINTVL(1) IMGRCOVO(NO) IMGRCOVQ(NO)");
    pass(&bench, MINUTE);
    bench.mqsc("ALTER QLOCAL(Q) IMGRCOVQ(YES)");
    pass(&bench, MINUTE);
    assert_eq!(images_of(&bench).len(), 1);

    let circular = Bench::new();
    circular.mqsc("ALTER QMGR IMGINTVL(1) IMGLOGLN(1)");
    pass(&circular, 2 * MINUTE);
    assert_eq!(images_of(&circular), []);
}

#[test]
fn the_time_since_the_last_image_counts_over_restarts_and_for_images_of_others() {
    let bench = keeping_its_log("IMGINTVL(1)");
    pass(&bench, MINUTE);
    let [first] = images_of(&bench)[..] else { panic!("no image") };
    pass(&bench, Duration::from_secs(40));
    let bench = bench.crash(Survival::Nothing);
    pass(&bench, Duration::from_secs(15));
    assert_eq!(images_of(&bench), [first]);
    pass(&bench, Duration::from_secs(5));
    let second = images_of(&bench)[0];
    assert!(second > first);

    put(&bench, "a message");
    pass(&bench, Duration::from_secs(30));
    let world = bench.machine.world();
    let by_hand = images::take(&world.disk, world.clock.wall(), &mut |_| Ok(())).unwrap().0.generation;
    pass(&bench, Duration::from_secs(30));
    assert_eq!(images_of(&bench)[..2], [by_hand, second]);
    put(&bench, "another");
    pass(&bench, Duration::from_secs(30));
    assert!(images_of(&bench)[0] > by_hand);
}

#[test]
fn what_cannot_be_copied_is_told_and_leaves_the_images_there_are() {
    let bench = keeping_its_log("IMGINTVL(1)");
    put(&bench, "second message");
    move_to_store(&bench);
    pass(&bench, MINUTE);
    let before = images_of(&bench);
    assert!(!before.is_empty());
    let disk = &bench.machine.disk;
    let (path, at) = disk
        .files()
        .into_iter()
        .filter(|(path, _)| path.starts_with("store"))
        .find_map(|(path, _)| {
            let at = disk.content(&path)?.windows(14).position(|bytes| bytes == b"second message")?;
            Some((path, at))
        })
        .expect("a checkpoint moved it");
    let rot = Rot::FlipBit(8 * at as u64);
    assert!(disk.rot(&path, rot));
    put(&bench, "another");
    pass(&bench, MINUTE);
    assert_eq!(images_of(&bench), before);
    assert_eq!(told(&bench, "FRY7478W"), 1, "{:?}", bench.host.events.lock());
    // Not at every tick.
    pass(&bench, Duration::from_secs(2));
    assert_eq!(told(&bench, "FRY7478W"), 1);
    assert!(disk.rot(&path, rot));
    pass(&bench, MINUTE);
    assert!(images_of(&bench)[0] > before[0]);
}

/// Fills the log until a checkpoint has moved what was put before.
fn move_to_store(bench: &Bench) {
    bench.mqsc("DEFINE QLOCAL(WORK) REPLACE");
    let mut one = bench.connect();
    let work = one.open("WORK", INPUT | OUTPUT);
    for _ in 0..80 {
        one.put(work, true, &"x".repeat(100_000));
        one.get(work).unwrap();
        bench.keep_house();
    }
}

#[test]
fn a_power_cut_while_images_come_and_go_leaves_every_message_and_an_image_that_helps() {
    let bench = keeping_its_log("IMGINTVL(1)");
    put(&bench, "in the store");
    move_to_store(&bench);
    for body in ["first", "second"] {
        pass(&bench, MINUTE);
        put(&bench, body);
    }
    assert_eq!(images_of(&bench).len(), 2);
    let expected = ["in the store", "first", "second"];
    bench.machine.disk.keep_images(Images::Every);
    let _ = bench.machine.disk.take_images();
    pass(&bench, MINUTE);
    assert_eq!(told(&bench, "FRY7477I"), 3);
    let moments = bench.machine.disk.take_images();
    bench.machine.disk.keep_images(Images::None);
    assert!(moments.len() > 20, "only {} moments", moments.len());
    let mut random = Random::new(7);
    for (boundary, image) in &moments {
        let policies =
            [CrashPolicy::surviving(Survival::Nothing), CrashPolicy::surviving(Survival::Everything)];
        for policy in policies.into_iter().chain([CrashPolicy::random(&mut random)]) {
            let seed = random.next_u64();
            let crashed = || image.crash(&mut Random::new(seed), policy);
            let after = bench.start_on(crashed());
            assert_eq!(bodies(&after), expected, "at {boundary}, {policy:?}");
            let after = bench.start_on(led_back(crashed()));
            assert_eq!(bodies(&after), expected, "at {boundary}, {policy:?}, from an image");
            // The next image comes, and what this one left goes.
            put(&after, "later");
            pass(&after, MINUTE);
            let found = images_of(&after);
            let directories = after.machine.world().disk.list(images::DIRECTORY.as_ref()).unwrap();
            assert!(found.len() == 2 && directories.len() == 2, "at {boundary}: {directories:?}");
        }
    }
}

/// Without its manifests, and led back to the newest image that helps.
fn led_back(disk: SimulatedDisk) -> SimulatedDisk {
    let world = Machine::with_disk(disk.clone(), 1).world();
    for (path, _) in disk.files() {
        if path.parent().is_some_and(|parent| parent.as_os_str().is_empty())
            && path.to_string_lossy().starts_with("manifest.")
        {
            world.disk.remove(&path).unwrap();
        }
    }
    let helped = listed(&disk).into_iter().find(|generation| {
        let image = Within::new(Arc::clone(&world.disk), images::path(*generation));
        copy::recover(&*world.disk, &image, &mut |_| {}).is_ok()
    });
    assert!(helped.is_some(), "of {:?} none helps", listed(&disk));
    disk
}

#[test]
fn a_full_disk_leaves_the_images_there_are() {
    let bench = keeping_its_log("IMGINTVL(1)");
    put(&bench, &"x".repeat(100_000));
    move_to_store(&bench);
    pass(&bench, MINUTE);
    let before = images_of(&bench);
    let used: u64 = bench.machine.disk.files().iter().map(|(_, length)| length).sum();
    put(&bench, "another");
    bench.machine.disk.set_capacity(Some(used + 60_000));
    pass(&bench, MINUTE);
    assert_eq!(images_of(&bench), before);
    assert_eq!(told(&bench, "FRY7478W"), 1, "{:?}", bench.host.events.lock());
    bench.machine.disk.set_capacity(None);
    pass(&bench, MINUTE);
    assert!(images_of(&bench)[0] > before[0]);
}

/// Somebody put its files here. It is told of, and kept from none of ours.
#[test]
fn an_image_of_another_queue_manager_does_not_count() {
    let (bench, other) = (keeping_its_log("IMGINTVL(1)"), Bench::with(settings(), 2));
    put(&bench, "ours");
    pass(&bench, MINUTE);
    let ours = images_of(&bench);
    let (disk, theirs) = (bench.machine.world().disk, other.machine.world().disk);
    let foreign = images::path(ours[0] + 1000);
    disk.create_directory(&foreign.join("store")).unwrap();
    copy::copy(&*theirs, &Within::new(disk, foreign.clone()), copy::Scope::Image, &mut |_| {}).unwrap();
    let bench = bench.crash(Survival::Everything);
    let events = bench.host.events.lock().clone();
    let is_named =
        |event: &String| event.starts_with("FRY7481W") && event.contains(&*foreign.to_string_lossy());
    assert_eq!(events.iter().filter(|event| is_named(event)).count(), 1, "{events:?}");
    assert_eq!(images_of(&bench), ours);
    for _ in 0..3 {
        put(&bench, "another");
        pass(&bench, MINUTE);
    }
    assert!(images_of(&bench).iter().all(|image| *image > ours[0]) && images_of(&bench).len() == 2);
    assert!(bench.machine.disk.files().iter().any(|(path, _)| path.starts_with(&foreign)));
}

/// A sector of the store under a message that was got.
#[test]
fn what_cannot_be_read_and_is_not_needed_is_left_out_of_an_image_and_named() {
    let bench = keeping_its_log("IMGINTVL(1)");
    (0..3).for_each(|_| put(&bench, &"x".repeat(20_000)));
    move_to_store(&bench);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    one.get(queue).unwrap();
    let disk = &bench.machine.disk;
    let segments = disk.files().into_iter().map(|(path, _)| path);
    let segment = segments
        .filter(|path| path.starts_with("store"))
        .find(|path| disk.content(path).is_some_and(|content| content.get(8192..8292) == Some(&[b'x'; 100])));
    let segment = segment.expect("a checkpoint moved them");
    assert!(disk.rot(&segment, Rot::Unreadable(2)));
    pass(&bench, MINUTE);
    assert_eq!(images_of(&bench).len(), 1, "{:?}", bench.host.events.lock());
    assert_eq!(told(&bench, "FRY7480W"), 1, "{:?}", bench.host.events.lock());
}
