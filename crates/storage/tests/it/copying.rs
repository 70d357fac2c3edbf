//! Backups and images: what they give back, whatever becomes of the files meanwhile.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use platform::simulated::{
    CrashPolicy, Failure, Fault, Images, Machine, OperationKind, Random, Repeat, Rot, Survival,
};
use platform::{Access, Disk, OpenMode, WallTime};
use storage::copy::{self, Progress, Scope};
use storage::images::{self, Within};
use storage::{KeptMessage, Location, LogKind, Lsn, OpenError, Settings, StoredMessage};

use crate::support::{Engine, Kept, body, descriptor, extent_at, head, small};

fn linear() -> Settings {
    Settings { kind: LogKind::Linear, ..small() }
}

fn quiet(_: Progress) {}

/// Messages that came and went, so that some are in segments, some in the log, and extents were used again.
fn lived(machine: &Machine, settings: &Settings) -> Engine {
    let engine = Engine::create(&machine.world(), settings);
    go_on(&engine, 900);
    assert!(engine.storage.statistics().segments > 0);
    engine
}

fn go_on(engine: &Engine, messages: u64) {
    for number in 0..messages {
        let (sequence, _) = engine.put(if number % 40 == 7 { 90_000 } else { 3_000 });
        if number % 5 != 0 {
            engine.get(sequence, None);
        }
        engine.force();
        engine.housekeeping();
    }
}

/// Restarts on this directory and returns the messages found, every body compared.
fn found(machine: &Machine, settings: &Settings) -> Vec<u64> {
    let engine = Engine::open(&machine.world(), settings).unwrap();
    engine.verify();
    engine.visible().into_iter().collect()
}

/// Damages every store segment, and both files of the manifest.
fn ruin(machine: &Machine) {
    for (path, length) in machine.disk.files() {
        if path.starts_with("store") || path.to_string_lossy().starts_with("manifest") {
            machine.disk.rot(&path, Rot::Truncate(length / 2));
        }
    }
}

#[test]
fn a_backup_is_what_was_durable_when_it_began_while_the_log_is_used_again() {
    let (machine, other) = (Machine::new(1), Machine::new(2));
    let settings = Settings { primary_extents: 5, secondary_extents: 0, ..small() };
    let engine = lived(&machine, &settings);
    let expected: Vec<u64> = engine.visible().into_iter().collect();
    let before = engine.storage.statistics().checkpoints;
    let mut calls = 0;
    let copied = copy::copy(&*machine.world().disk, &*other.world().disk, Scope::Backup, &mut |_| {
        calls += 1;
        if calls <= 3 {
            go_on(&engine, 400);
        }
    })
    .unwrap();
    assert!(calls > 1 && engine.storage.statistics().checkpoints > before + 1, "the log went round");

    let proved = copy::prove(&*other.world().disk, Scope::Backup).unwrap();
    assert_eq!(proved.log, (copied.replay_from, copied.end));
    assert!(proved.messages > 0 && proved.records > 0 && proved.damaged.is_empty());
    assert_eq!(found(&other, &settings), expected);
    engine.verify();
    // Extents are used again when nobody copies.
    go_on(&engine, 900);
    assert!(engine.storage.statistics().extents <= 5);
}

/// Ends a run in order, with so many messages kept from it.
fn end_keeping(engine: Engine, messages: u64) {
    engine.force();
    let mut messages = (0..messages).map(|sequence| {
        let (descriptor, body) = (descriptor(sequence, 500), body(sequence, 500));
        let message = StoredMessage { descriptor: Bytes::from(descriptor), body: Bytes::from(body) };
        KeptMessage { head: head(sequence), backout_count: 1, message }
    });
    engine.storage.keep(&mut messages).unwrap();
    drop(engine);
}

fn kept_in(machine: &Machine) -> Vec<u64> {
    let engine = Engine::open(&machine.world(), &small()).unwrap();
    let mut kept = Vec::new();
    let found = engine.storage.read_kept(&mut |message| kept.push(message.head.sequence.0)).unwrap();
    assert_eq!((found.read, found.damage), (kept.len() as u64, None));
    kept
}

#[test]
fn a_backup_of_one_that_ended_in_order_has_what_its_end_kept() {
    let (machine, other, image) = (Machine::new(1), Machine::new(2), Machine::new(3));
    end_keeping(lived(&machine, &small()), 40);
    let from = machine.world().disk;
    copy::copy(&*from, &*other.world().disk, Scope::Backup, &mut quiet).unwrap();
    assert_eq!(copy::prove(&*other.world().disk, Scope::Backup).unwrap().kept.read, 40);
    copy::copy(&*from, &*image.world().disk, Scope::Image, &mut quiet).unwrap();
    assert!(
        image.disk.files().iter().all(|(path, _)| !path.ends_with("kept")),
        "an image is of what the log holds"
    );

    let rotten = Machine::with_disk(other.disk.image().without_crash(), 4);
    rotten.disk.rot(Path::new("store/kept"), Rot::FlipBit(20_000 * 8));
    let proved = copy::prove(&*rotten.world().disk, Scope::Backup).unwrap();
    assert!(proved.kept.damage.is_some() && proved.kept.read < 40, "{:?}", proved.kept);
    assert_eq!(kept_in(&other), (0..40).collect::<Vec<_>>());
}

/// Messages that a start has given back, or an end has kept meanwhile, do not belong to the log that was
/// read.
#[test]
fn a_backup_has_nothing_that_was_kept_at_another_moment() {
    let (machine, other) = (Machine::new(1), Machine::new(2));
    end_keeping(lived(&machine, &small()), 10);
    let engine = Engine::open(&machine.world(), &small()).unwrap();
    engine.storage.forget_kept().unwrap();
    let mut engine = Some(engine);
    copy::copy(&*machine.world().disk, &*other.world().disk, Scope::Backup, &mut |_| {
        if let Some(engine) = engine.take() {
            end_keeping(engine, 20);
        }
    })
    .unwrap();
    assert_eq!(kept_in(&other), []);
    assert_eq!(kept_in(&machine).len(), 20);
}

#[test]
fn one_copy_at_a_time_and_only_into_an_empty_directory() {
    let (machine, other) = (Machine::new(1), Machine::new(2));
    drop(lived(&machine, &small()));
    let (from, to) = (machine.world().disk, other.world().disk);
    let mut second = None;
    copy::copy(&*from, &*to, Scope::Backup, &mut |_| {
        let another = Machine::new(3).world().disk;
        second = Some(copy::copy(&*from, &*another, Scope::Backup, &mut quiet));
    })
    .unwrap();
    assert!(matches!(second, Some(Err(OpenError::InUse { .. }))), "{second:?}");
    let again = copy::copy(&*from, &*to, Scope::Backup, &mut quiet);
    assert!(matches!(again, Err(OpenError::Exists { .. })), "{again:?}");
}

#[test]
fn rot_in_a_backup_is_found_before_anybody_starts_on_it() {
    let (machine, other) = (Machine::new(1), Machine::new(2));
    drop(lived(&machine, &small()));
    copy::copy(&*machine.world().disk, &*other.world().disk, Scope::Backup, &mut quiet).unwrap();
    let expected = found(&Machine::with_disk(other.disk.image().without_crash(), 9), &small());
    let mut random = Random::new(5);
    let mut noticed = 0;
    for seed in 0..120 {
        let rotten = Machine::with_disk(other.disk.image().without_crash(), seed);
        let files = rotten.disk.files();
        let (path, length) = random.pick(&files).clone();
        rotten.disk.rot(&path, Rot::FlipBit(random.below(length.max(1)) * 8 + 3));
        match copy::prove(&*rotten.world().disk, Scope::Backup) {
            Ok(proved) if proved.damaged.is_empty() => {
                // One of two manifests, or a place that holds nothing.
                assert_eq!(found(&rotten, &small()), expected, "{} of seed {seed}", path.display());
            }
            _ => noticed += 1,
        }
    }
    assert!(noticed > 20, "{noticed} of 120");
}

/// A sector of the device that cannot be read keeps nobody from a backup where it holds nothing.
#[test]
fn a_backup_goes_on_past_what_cannot_be_read_where_nothing_of_value_is_and_names_it() {
    let machine = Machine::new(1);
    let engine = lived(&machine, &small());
    for (place, sequence) in engine.gettable().into_iter().enumerate() {
        if place % 10 < 6 {
            engine.get(sequence, None);
        }
    }
    engine.force();
    engine.checkpoint().unwrap();
    drop(engine);
    let expected = found(&Machine::with_disk(machine.disk.image().without_crash(), 9), &small());
    let image = machine.disk.image();
    let (mut passed_over, mut refused, mut kinds) = (0, 0, BTreeSet::new());
    let files = machine.disk.files().into_iter().filter(|(path, _)| path.extension() == Some("seg".as_ref()));
    for (path, length) in files {
        for block in 0..length.div_ceil(4096) {
            // Of each kind of place there are many.
            if block > 2 && block + 3 < length / 4096 && block % 17 != 0 {
                continue;
            }
            let (hurt, other) = (Machine::with_disk(image.without_crash(), 1), Machine::new(2));
            assert!(hurt.disk.rot(&path, Rot::Unreadable(block)));
            let names_it = |text: &str| text.contains(&*path.to_string_lossy());
            match copy::copy(&*hurt.world().disk, &*other.world().disk, Scope::Backup, &mut quiet) {
                Ok(copied) => {
                    let said: Vec<String> = copied.passed_over.iter().map(ToString::to_string).collect();
                    assert!(said.len() <= 1 && said.iter().all(|said| names_it(said)), "{said:?}");
                    assert_eq!(found(&other, &small()), expected, "{} {block}", path.display());
                    let proved = copy::prove(&*other.world().disk, Scope::Backup).unwrap();
                    assert!(proved.damaged.is_empty(), "{} {block}: {proved:?}", path.display());
                    passed_over += said.len();
                    kinds.extend(said.first().map(|_| path.parent().map(Path::to_owned)));
                }
                Err(error) => {
                    assert!(names_it(&error.to_string()), "{error}");
                    assert!(Engine::open(&hurt.world(), &small()).is_err() || is_missed(&hurt), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(passed_over > 10 && refused > 20 && kinds.len() == 2, "{passed_over} {refused} {kinds:?}");
}

/// A start would take it for what a power cut left of a block under way.
#[test]
fn a_backup_names_what_it_cannot_read_behind_the_end_of_the_log() {
    let (machine, other) = (Machine::new(1), Machine::new(2));
    let engine = lived(&machine, &small());
    let mut expected: Vec<u64> = engine.visible().into_iter().collect();
    let (last, put) = engine.put(100);
    engine.force();
    let extent = engine.storage.current_extent();
    let log = PathBuf::from(format!("log/{:016x}.seg", extent.0));
    assert!(machine.disk.rot(&log, Rot::Unreadable((put.at.0 - extent.0) / 4096)));
    let copied = copy::copy(&*machine.world().disk, &*other.world().disk, Scope::Backup, &mut quiet).unwrap();
    let [passed_over] = &copied.passed_over[..] else { panic!("{:?}", copied.passed_over) };
    assert_eq!((&passed_over.path, passed_over.bytes), (&log, 4096));
    expected.retain(|sequence| *sequence != last);
    assert_eq!(found(&other, &small()), expected);
}

/// True if the body of a message cannot be read.
fn is_missed(machine: &Machine) -> bool {
    let engine = Engine::open(&machine.world(), &small()).unwrap();
    let messages = engine.state.lock().messages.clone();
    let is_missed = |kept: &Kept| engine.storage.read(kept.location).is_err();
    !engine.damaged.lock().is_empty() || messages.values().any(is_missed)
}

#[test]
fn an_image_and_a_linear_log_give_the_present_state_whatever_became_of_manifest_and_store() {
    let (machine, image) = (Machine::new(1), Machine::new(2));
    let engine = lived(&machine, &linear());
    copy::copy(&*machine.world().disk, &*image.world().disk, Scope::Image, &mut quiet).unwrap();
    go_on(&engine, 500);
    let open = engine.begin();
    engine.try_put(100, Some(open)).unwrap();
    engine.force();
    let expected: Vec<u64> = engine.gettable();
    drop(engine);
    ruin(&machine);
    assert!(Engine::open(&machine.world(), &linear()).is_err());
    copy::recover(&*machine.world().disk, &*image.world().disk, &mut quiet).unwrap();
    assert_eq!(found(&machine, &linear()), expected);
}

/// Whatever a power cut leaves of an image that is being taken counts only when it is whole.
#[test]
fn an_image_that_a_power_cut_leaves_is_whole_or_none() {
    let machine = Machine::new(1);
    drop(lived(&machine, &linear()));
    machine.disk.keep_images(Images::Every);
    let disk = machine.world().disk;
    images::take(&disk, WallTime(0), &mut |_| Ok(())).unwrap();
    let mut random = Random::new(4);
    let mut whole = 0;
    for (boundary, left) in machine.disk.take_images() {
        for _ in 0..40 {
            let policy = CrashPolicy::surviving(Survival::Each { percent: 50 });
            let after: Arc<dyn Disk> = Arc::new(left.crash(&mut random, policy));
            for generation in images::list(&*after).unwrap() {
                let image = Within::new(Arc::clone(&after), images::path(generation));
                let proved = copy::prove(&image, Scope::Image).map(|proved| proved.damaged.len());
                assert!(matches!(proved, Ok(0)), "at {boundary}: {proved:?}");
                whole += 1;
            }
        }
    }
    assert!(whole > 40, "{whole}");
}

/// A file that grows without end, or lies about what it is, would fill the memory.
#[test]
fn of_the_time_of_an_image_no_more_is_read_than_a_time_is_long() {
    let machine = Machine::new(1);
    drop(lived(&machine, &linear()));
    let disk = machine.world().disk;
    images::take(&disk, WallTime(7), &mut |_| Ok(())).unwrap();
    let newest = || images::newest(&disk).unwrap().expect("one was taken");
    assert_eq!(newest().taken, Some(WallTime(7)));
    let taken = images::path(newest().generation).join("taken");
    let file = disk.open(&taken, OpenMode::Write, Access::Cached).unwrap();
    file.write_at(&[b' '; 4096], file.length().unwrap()).unwrap();
    assert_eq!(newest().taken, None);
}

/// A partial image would leave no room for the log either.
#[test]
fn an_image_that_cannot_be_taken_takes_no_room() {
    let machine = Machine::new(1);
    drop(lived(&machine, &linear()));
    let disk = machine.world().disk;
    let used: u64 = machine.disk.files().iter().map(|(_, length)| length).sum();
    let is_as_before = |room: u64| {
        assert_eq!(disk.bytes_free().unwrap(), room);
        assert!(images::list(&*disk).unwrap().is_empty());
    };
    let is_copied = |path: &Path| path.starts_with("store") && path.extension() == Some("seg".as_ref());
    let store = machine.disk.files().into_iter().filter(|(path, _)| is_copied(path));
    let store: u64 = store.map(|(_, length)| length).sum();
    for room in [0, 5000, store / 4, store / 2] {
        machine.disk.set_capacity(Some(used + room));
        images::take(&disk, WallTime(0), &mut |_| Ok(())).unwrap_err();
        is_as_before(room);
    }
    // Broken off at a message, while it is copied or proved; or by a device that fails.
    let room = 10 * store;
    machine.disk.set_capacity(Some(used + room));
    let mut broken_off = 0;
    for last in (0..).step_by(9) {
        let mut calls = 0;
        let mut told = |_| {
            calls += 1;
            if calls > last { Err(io::Error::other("enough")) } else { Ok(()) }
        };
        if images::take(&disk, WallTime(0), &mut told).is_ok() {
            break;
        }
        is_as_before(room);
        broken_off += 1;
    }
    assert!(broken_off > 2, "{broken_off}");
    let [taken] = images::list(&*disk).unwrap()[..] else { panic!("it was taken") };
    images::remove(&*disk, taken).unwrap();
    for kind in [OperationKind::Write, OperationKind::Sync, OperationKind::Rename] {
        for nth in 1.. {
            let failure = Failure::InputOutput;
            let failed_before = machine.disk.failures();
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            let taken = images::take(&disk, WallTime(0), &mut |_| Ok(()));
            machine.disk.clear_plan();
            if machine.disk.failures() == failed_before {
                break;
            }
            assert!(taken.is_err(), "{kind:?} {nth}");
            is_as_before(room);
        }
        let [taken] = images::list(&*disk).unwrap()[..] else { panic!("it was taken") };
        images::remove(&*disk, taken).unwrap();
    }
}

/// Recovery from an image cut off at each of its own changes can be done again, and the state is the same.
#[test]
fn recovery_from_an_image_may_be_cut_off_anywhere() {
    let (machine, image) = (Machine::new(1), Machine::new(2));
    let engine = lived(&machine, &linear());
    copy::copy(&*machine.world().disk, &*image.world().disk, Scope::Image, &mut quiet).unwrap();
    go_on(&engine, 100);
    let expected: Vec<u64> = engine.gettable();
    drop(engine);
    let mut random = Random::new(3);
    let mut cuts = 0;
    for (is_ruined, cut) in (1..40).flat_map(|cut| [(false, cut), (true, cut)]) {
        let hurt = Machine::with_disk(machine.disk.image().without_crash(), cut);
        if is_ruined {
            ruin(&hurt);
        }
        hurt.disk.crash_at(hurt.disk.boundaries() + cut);
        if copy::recover(&*hurt.world().disk, &*image.world().disk, &mut quiet).is_ok() {
            continue;
        }
        cuts += 1;
        let policy = CrashPolicy::random(&mut random);
        let after = Machine::with_disk(hurt.disk.crash(&mut random, policy), cut);
        if is_ruined {
            copy::recover(&*after.world().disk, &*image.world().disk, &mut quiet).unwrap();
        }
        assert_eq!(found(&after, &linear()), expected, "cut {cut}, {policy:?}");
    }
    assert!(cuts > 30, "{cuts}");
}

/// An image of the last checkpoint has the number that comes next: written where the present manifest is, it
/// would take that away.
#[test]
fn a_recovery_that_is_cut_off_leaves_what_could_start() {
    let (machine, image) = (Machine::new(1), Machine::new(2));
    let engine = lived(&machine, &linear());
    engine.checkpoint().unwrap();
    // The manifest before the last is of no use any more: segments that it names are gone.
    let in_store =
        |sequence: &u64| matches!(engine.state.lock().messages[sequence].location, Location::Segment { .. });
    for sequence in engine.gettable().into_iter().filter(in_store) {
        engine.get(sequence, None);
    }
    engine.force();
    engine.checkpoint().unwrap();
    copy::copy(&*machine.world().disk, &*image.world().disk, Scope::Image, &mut quiet).unwrap();
    let expected: Vec<u64> = engine.gettable();
    drop(engine);
    let mut random = Random::new(3);
    for cut in 1..40 {
        let cut_off = Machine::with_disk(machine.disk.image().without_crash(), cut);
        cut_off.disk.crash_at(cut_off.disk.boundaries() + cut);
        if copy::recover(&*cut_off.world().disk, &*image.world().disk, &mut quiet).is_ok() {
            break;
        }
        for _ in 0..20 {
            let policy = CrashPolicy::random(&mut random);
            let after = Machine::with_disk(cut_off.disk.crash(&mut random, policy), cut);
            assert_eq!(found(&after, &linear()), expected, "cut {cut}, {policy:?}");
        }
    }
}

#[test]
fn a_recovery_that_cannot_give_the_present_state_changes_nothing() {
    let (machine, image) = (Machine::new(1), Machine::new(2));
    let engine = lived(&machine, &linear());
    copy::copy(&*machine.world().disk, &*image.world().disk, Scope::Image, &mut quiet).unwrap();
    let (from, to) = (machine.world().disk, image.world().disk);
    let running = copy::recover(&*from, &*to, &mut quiet);
    assert!(matches!(running, Err(OpenError::InUse { .. })), "{running:?}");
    go_on(&engine, 400);
    drop(engine);
    let before = machine.disk.files();

    let gap = Machine::with_disk(machine.disk.image().without_crash(), 1);
    let extents: Vec<PathBuf> =
        before.iter().map(|(path, _)| path.clone()).filter(|path| path.starts_with("log")).collect();
    gap.world().disk.remove(&extents[extents.len() - 3]).unwrap();
    let missing = copy::recover(&*gap.world().disk, &*to, &mut quiet);
    assert!(matches!(missing, Err(OpenError::MissingExtent { .. })), "{missing:?}");

    let rotten = Machine::with_disk(image.disk.image().without_crash(), 1);
    let segment = rotten.disk.files().into_iter().find(|(path, _)| path.starts_with("store")).unwrap().0;
    rotten.disk.rot(&segment, Rot::ZeroBlock(2));
    assert!(copy::recover(&*from, &*rotten.world().disk, &mut quiet).is_err());

    let stranger = Machine::new(7);
    drop(lived(&stranger, &linear()));
    let wrong = copy::recover(&*stranger.world().disk, &*to, &mut quiet);
    assert!(matches!(wrong, Err(OpenError::WrongQueueManager { .. })), "{wrong:?}");

    let names = |files: &[(PathBuf, u64)]| files.to_vec();
    assert_eq!(names(&machine.disk.files()), names(&before));
}

#[test]
fn extents_are_removed_up_to_what_the_oldest_image_needs() {
    let (machine, image) = (Machine::new(1), Machine::new(2));
    let engine = lived(&machine, &linear());
    let disk = machine.world().disk;
    let copied = copy::copy(&*disk, &*image.world().disk, Scope::Image, &mut quiet).unwrap();
    go_on(&engine, 400);
    let other = Machine::new(3);
    drop(Engine::create(&other.world(), &linear()));
    let foreign = Path::new("log/0000000000001000.seg");
    let file = disk.open(foreign, OpenMode::Truncate, Access::Cached).unwrap();
    file.write_at(&extent_at(&other.disk, 4096), 0).unwrap();
    let before = machine.disk.files();
    let error = copy::prune(&*disk, copied.replay_from).unwrap_err();
    assert!(matches!(&error, OpenError::WrongQueueManager { path, .. } if path == foreign), "{error}");
    assert_eq!(machine.disk.files(), before);
    disk.remove(foreign).unwrap();
    let (files, bytes) = copy::prune(&*disk, copied.replay_from).unwrap();
    assert!(files > 0 && bytes >= files << 19, "{files} {bytes}");
    assert_eq!(copy::prune(&*disk, copied.replay_from).unwrap(), (0, 0));
    let expected: Vec<u64> = engine.gettable();
    drop(engine);
    ruin(&machine);
    copy::recover(&*disk, &*image.world().disk, &mut quiet).unwrap();
    assert_eq!(found(&machine, &linear()), expected);
    assert!(copy::prune(&*disk, Lsn(u64::MAX)).is_ok());
    assert_eq!(found(&machine, &linear()), expected, "what a restart needs stays");
    assert!(disk.list(Path::new("log")).unwrap().len() > 1);
}
