//! Directories and files that are not ours, or not of this release or time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::simulated::{Machine, Rot};
use platform::{Access, OpenMode, WallTime};
use storage::copy::{self, Scope};
use storage::images::{self, Within};
use storage::{LogKind, Lsn, OpenError, Settings};

use crate::support::{Engine, at_rest, extent_at, logs, position, reseal, tiny};

#[test]
fn what_is_wrong_with_a_directory_is_named() {
    let (machine, _) = at_rest();
    let image = machine.disk.image();
    let files = machine.disk.files();
    let opened = |machine: &Machine| Engine::open(&machine.world(), &tiny()).map(drop);
    let logs: Vec<_> = files.iter().filter(|(path, _)| path.starts_with("log")).collect();
    let stores: Vec<_> =
        files.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "seg")).collect();
    let store = stores.iter().find(|(path, _)| path.starts_with("store")).expect("a segment");

    let machine = Machine::with_disk(image.without_crash(), 1);
    machine.world().disk.remove(&logs[0].0).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::MissingExtent { path, .. } if *path == logs[0].0), "{error}");

    let machine = Machine::with_disk(image.without_crash(), 1);
    machine.world().disk.remove(&store.0).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::MissingSegment { path, .. } if *path == store.0), "{error}");

    let machine = Machine::with_disk(image.without_crash(), 1);
    machine.disk.rot(&logs[0].0, Rot::Truncate(100_000));
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::Cut { found: 100_000, .. }), "{error}");

    for path in [&logs[0].0, &store.0, &PathBuf::from("manifest.0")] {
        let machine = Machine::with_disk(image.without_crash(), 1);
        make_newer(&machine, path);
        let error = opened(&machine).unwrap_err();
        assert!(matches!(&error, OpenError::NewerVersion { found: 99, .. }), "{path:?}: {error}");
        assert!(error.to_string().contains("99"), "{error}");
    }

    let other = Machine::new(77);
    drop(Engine::create(&other.world(), &tiny()));
    let page = other.disk.content(Path::new("log/0000000000000000.seg")).unwrap();
    let machine = Machine::with_disk(image.without_crash(), 1);
    let file = machine.world().disk.open(&logs[0].0, OpenMode::Write, Access::Cached).unwrap();
    file.write_at(&page[..4096], 0).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::WrongQueueManager { .. }), "{error}");

    let machine = Machine::with_disk(image.without_crash(), 1);
    let _held = Engine::open(&machine.world(), &tiny()).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::InUse { .. }), "{error}");

    let error = opened(&Machine::new(1)).unwrap_err();
    assert!(matches!(&error, OpenError::Absent { .. } | OpenError::Io { .. }), "{error}");
    let error =
        storage::Storage::create(&Machine::with_disk(image.without_crash(), 1).world(), &tiny()).unwrap_err();
    assert!(matches!(&error, OpenError::Exists { .. }), "{error}");
}

/// A file of another queue manager lies among ours: it may be all there is of what it holds.
#[test]
fn a_file_of_another_queue_manager_is_named_and_never_removed() {
    let other = Machine::new(77);
    let engine = Engine::create(&other.world(), &tiny());
    while engine.storage.statistics().segments == 0 {
        engine.put(9000);
        engine.force();
        engine.housekeeping();
    }
    drop(engine);
    let (machine, visible) = at_rest();
    let logs = machine.disk.files().into_iter().filter(|(path, _)| path.starts_with("log"));
    let last = logs.map(|(path, _)| position(&path)).max().unwrap();
    let extent = |first: u64| (PathBuf::from(format!("log/{first:016x}.seg")), extent_at(&other.disk, first));
    let segment = other.disk.content(Path::new("store/00000000.seg")).unwrap();
    // Below what a restart reads, where the log would go on, beyond a gap; and one that no manifest names.
    for (path, content) in [
        extent(0),
        extent(last + tiny().extent_bytes),
        extent(last + 16 * tiny().extent_bytes),
        (PathBuf::from("store/00000777.seg"), segment),
    ] {
        let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
        assert!(machine.disk.content(&path).is_none(), "{}", path.display());
        let file = machine.world().disk.open(&path, OpenMode::Truncate, Access::Cached).unwrap();
        file.write_at(&content, 0).unwrap();
        let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
        assert!(
            matches!(&error, OpenError::WrongQueueManager { path: named, .. } if *named == path),
            "{}: {error}",
            path.display()
        );
        assert_eq!(machine.disk.content(&path), Some(content));
        // As soon as it is elsewhere the queue manager starts.
        machine.world().disk.remove(&path).unwrap();
        assert_eq!(Engine::open(&machine.world(), &tiny()).unwrap().visible(), visible);
    }
}

#[test]
fn manifests_of_two_queue_managers_are_named_and_no_other_file() {
    let (machine, visible) = at_rest();
    let image = machine.disk.image();
    let (mut named, mut started) = (0, 0);
    for turns in [1, 40] {
        let other = Machine::new(77);
        let engine = Engine::create(&other.world(), &tiny());
        for _ in 0..turns {
            engine.put(9000);
            engine.force();
            engine.checkpoint().unwrap();
            engine.storage.prepare().unwrap();
        }
        drop(engine);
        for path in ["manifest.0", "manifest.1"].map(Path::new) {
            let machine = Machine::with_disk(image.without_crash(), 1);
            let file = machine.world().disk.open(path, OpenMode::Truncate, Access::Cached).unwrap();
            file.write_at(&other.disk.content(path).unwrap(), 0).unwrap();
            drop(file);
            match Engine::open(&machine.world(), &tiny()) {
                // The one that counts is the right one.
                Ok(engine) => {
                    assert_eq!(engine.visible(), visible);
                    started += 1;
                }
                Err(error) => {
                    let text = error.to_string();
                    let is_named = ["manifest.0", "manifest.1"].iter().all(|name| text.contains(name));
                    assert!(is_named && matches!(error, OpenError::Mixed { .. }), "{text}");
                    named += 1;
                }
            }
        }
    }
    assert!(named >= 2 && started > 0, "{named} {started}");
}

/// Its manifests are gone, and with them all knowledge of what its files hold.
#[test]
fn a_creation_makes_no_queue_manager_over_the_files_of_another() {
    let (machine, _) = at_rest();
    lose_manifests(&machine);
    let only_log = Machine::new(1);
    let engine = Engine::create(&only_log.world(), &tiny());
    engine.put(10);
    engine.force();
    drop(engine);
    lose_manifests(&only_log);
    for machine in [machine, only_log] {
        let before = machine.disk.files();
        let error = storage::Storage::create(&machine.world(), &tiny()).unwrap_err();
        assert!(matches!(&error, OpenError::Exists { path } if !path.starts_with("manifest")), "{error}");
        assert_eq!(machine.disk.files(), before);
    }
}

/// A queue manager at rest that went on from where all these are the same: one and a backup of it, say, that
/// somebody started beside it.
fn branch(entropy: u64, go_on: impl FnOnce(&Engine)) -> Machine {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(10);
    engine.force();
    drop(engine);
    again(&machine, entropy, go_on)
}

/// The same after another start.
fn again(machine: &Machine, entropy: u64, go_on: impl FnOnce(&Engine)) -> Machine {
    let machine = Machine::with_disk(machine.disk.image().without_crash(), entropy);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    go_on(&engine);
    engine.force();
    drop(engine);
    machine
}

fn lose_manifests(machine: &Machine) {
    for path in ["manifest.0", "manifest.1"] {
        machine.world().disk.remove(Path::new(path)).unwrap();
    }
}

/// Gives one machine a file of another.
fn take_over(machine: &Machine, other: &Machine, path: &Path) {
    let file = machine.world().disk.open(path, OpenMode::Truncate, Access::Cached).unwrap();
    file.write_at(&other.disk.content(path).unwrap(), 0).unwrap();
}

/// Has messages of this length, put before all others, be in the store.
fn store(engine: &Engine, messages: u64, length: usize) {
    for _ in 0..messages {
        engine.put(length);
    }
    engine.force();
    while engine.storage.statistics().segments == 0 {
        let (passing, _) = engine.put(4000);
        engine.get(passing, None);
        engine.force();
        engine.housekeeping();
    }
}

/// The manifest knows of a segment how many messages are in it, and what sets it apart from others with so
/// many.
#[test]
fn a_segment_of_another_time_is_not_taken_for_the_one_that_the_manifest_names() {
    let segment = Path::new("store/00000000.seg");
    for (messages, length) in [(11, 10), (10, 11), (10, 10)] {
        let machine = branch(2, |engine| store(engine, 10, 10));
        let other = branch(3, |engine| store(engine, messages, length));
        take_over(&machine, &other, segment);
        let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
        assert!(matches!(&error, OpenError::Damaged { path, .. } if path == segment), "{error}");
        let proved = copy::prove(&*machine.world().disk, Scope::Backup).map(drop).unwrap_err();
        assert!(matches!(&proved, OpenError::Damaged { path, .. } if path == segment), "{proved}");
    }
}

/// All of it verifies, and it follows on what both have in common.
#[test]
fn a_log_of_another_time_is_not_taken_for_the_one_that_the_manifest_is_of() {
    let log = Path::new("log/0000000000000000.seg");
    let went_on = |entropy: u64, length: usize, puts: u64| {
        let machine = branch(entropy, |engine| {
            (0..puts).for_each(|_| {
                engine.put(length);
                engine.force();
            });
        });
        again(&machine, entropy, |engine| {
            engine.checkpoint().unwrap();
            engine.put(100);
        })
    };
    // Blocks in the same places, too, and of the other one more of them or longer ones.
    for (length, puts) in [(100, 1), (10, 1), (100, 4), (20_000, 4)] {
        let (machine, other) = (went_on(2, 100, 1), went_on(3, length, puts));
        take_over(&machine, &other, log);
        let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
        assert!(matches!(&error, OpenError::Damaged { path, .. } if path == log), "{error}");
    }
}

/// Nothing in it follows on the extent before it, but it is not empty.
#[test]
fn an_extent_of_another_time_is_not_taken_for_one_that_the_log_did_not_reach() {
    let extent = PathBuf::from(format!("log/{:016x}.seg", tiny().extent_bytes));
    let went_on = |entropy: u64, length: usize, starts: u64| {
        let machine =
            (0..starts).fold(branch(entropy, |_| {}), |machine, start| again(&machine, start, |_| {}));
        again(&machine, entropy, |engine| {
            engine.storage.prepare().unwrap();
            while engine.storage.current_extent() == Lsn::ZERO {
                engine.put(length);
                engine.force();
            }
            // A little more than the first block of it.
            engine.put(length);
        })
    };
    // Started as often, less often and more often; with as many blocks, more and fewer.
    for starts in [1, 0, 3] {
        for length in [3000, 2000, 9000] {
            let (machine, other) = (went_on(2, 3000, 1), went_on(3, length, starts));
            take_over(&machine, &other, &extent);
            let error = Engine::open(&machine.world(), &tiny()).map(drop);
            let error = error.expect_err(&format!("{starts} starts, {length} bytes"));
            assert!(error.to_string().contains(&*extent.to_string_lossy()), "{error}");
        }
    }
}

fn linear() -> Settings {
    Settings { kind: LogKind::Linear, ..tiny() }
}

/// One with a linear log, messages in the store, so many checkpoints and an image of the last.
fn with_image(machine: &Machine, checkpoints: u64) -> Engine {
    let engine = Engine::create(&machine.world(), &linear());
    store(&engine, 10, 10);
    (0..checkpoints).for_each(|_| engine.checkpoint().unwrap());
    take_image(machine);
    engine
}

fn take_image(machine: &Machine) -> u64 {
    images::take(&machine.world().disk, WallTime(0), &mut |_| Ok(())).unwrap().0.generation
}

/// Gives one machine the images of another; their directories.
fn take_images_over(machine: &Machine, other: &Machine) -> Vec<u64> {
    let images = images::list(&*other.world().disk).unwrap();
    for image in &images {
        machine.world().disk.create_directory(&images::path(*image).join("store")).unwrap();
    }
    for (path, _) in other.disk.files().into_iter().filter(|(path, _)| path.starts_with(images::DIRECTORY)) {
        take_over(machine, other, &path);
    }
    images
}

/// Files of all images on a machine, with what is in them.
fn files_of_images(machine: &Machine, images: &[u64]) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let files = machine.disk.files().into_iter().map(|(path, _)| path);
    let is_in_one = |path: &PathBuf| images.iter().any(|image| path.starts_with(images::path(*image)));
    files.filter(is_in_one).map(|path| (path.clone(), machine.disk.content(&path))).collect()
}

#[test]
fn an_image_of_another_queue_manager_is_named_and_neither_counted_nor_used_nor_removed() {
    // Of more checkpoints than ours, and of fewer.
    for checkpoints in [20, 0] {
        let (machine, other) = (Machine::new(1), Machine::new(77));
        drop(with_image(&other, checkpoints));
        let engine = with_image(&machine, 4);
        let disk = machine.world().disk;
        let known = || (images::list(&*disk), images::newest(&disk), images::needed_from(&disk));
        let before = format!("{:?}", known());
        let images = take_images_over(&machine, &other);
        let foreign = files_of_images(&machine, &images);
        assert!(foreign.len() > 3);
        assert_eq!(format!("{:?}", known()), before);
        let [(found, error)] = &images::find(&*disk).unwrap().foreign[..] else { panic!("it is not named") };
        assert_eq!([*found], images[..]);
        assert!(matches!(error, OpenError::WrongQueueManager { path, .. } if *path == images::path(*found)));

        // At the checkpoint whose image would be where it is.
        let generation = engine.storage.statistics().checkpoints;
        let visible = engine.visible();
        if checkpoints > 4 {
            let mut refused = None;
            for _ in generation..checkpoints + 40 {
                engine.checkpoint().unwrap();
                let taken = images::take(&disk, WallTime(0), &mut |_| Ok(()));
                refused = refused.or_else(|| taken.err());
            }
            assert!(matches!(refused, Some(OpenError::WrongQueueManager { .. })), "{refused:?}");
        }
        drop(engine);
        assert_eq!(files_of_images(&machine, &images), foreign);

        // Without a manifest nothing but the log tells whose this is.
        for is_ruined in [false, true] {
            let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
            let disk = machine.world().disk;
            if is_ruined {
                lose_manifests(&machine);
            }
            let image = Within::new(Arc::clone(&disk), images::path(*found));
            let error = copy::recover(&*disk, &image, &mut |_| {}).map(drop).unwrap_err();
            let is_named = matches!(&error, OpenError::WrongQueueManager { path, .. }
                if path.starts_with("manifest.0") || path.starts_with("manifest.1"));
            assert!(is_named, "{error}");
            let own = images::list(&*disk).unwrap().into_iter().find(|image| image != found).unwrap();
            let image = Within::new(Arc::clone(&disk), images::path(own));
            copy::recover(&*disk, &image, &mut |_| {}).unwrap();
            assert_eq!(Engine::open(&machine.world(), &linear()).unwrap().visible(), visible);
        }
    }
}

/// A queue manager that was restored from a backup has its number again.
#[test]
fn an_image_of_a_checkpoint_to_come_is_named_and_does_not_count() {
    let beginning = Machine::new(1);
    drop(with_image(&beginning, 0));
    let (machine, other) = (beginning.disk.image().without_crash(), beginning.disk.image().without_crash());
    let (machine, other) = (Machine::with_disk(machine, 2), Machine::with_disk(other, 3));
    let go_on = |machine: &Machine, checkpoints: u64| {
        let engine = Engine::open(&machine.world(), &linear()).unwrap();
        (0..checkpoints).for_each(|_| engine.checkpoint().unwrap());
        take_image(machine)
    };
    let (ours, theirs) = (go_on(&machine, 2), go_on(&other, 30));
    take_images_over(&machine, &other);
    let disk = machine.world().disk;
    assert!(
        images::list(&*disk).unwrap().contains(&ours) && !images::list(&*disk).unwrap().contains(&theirs)
    );
    assert_eq!(images::newest(&disk).unwrap().map(|newest| newest.generation), Some(ours));
    let foreign = images::find(&*disk).unwrap().foreign;
    let text = foreign.iter().map(|(found, error)| format!("{found} {error}")).collect::<String>();
    assert!(foreign.len() == 1 && foreign[0].0 == theirs && text.contains("of another time"), "{text}");
}

/// Its messages would be mixed with the log of another life.
#[test]
fn an_image_of_another_time_is_not_used_and_makes_room_for_that_of_the_checkpoint_it_is_named_by() {
    let beginning = Machine::new(1);
    drop(with_image(&beginning, 0));
    let went_on = |entropy: u64, length: usize| {
        let machine = Machine::with_disk(beginning.disk.image().without_crash(), entropy);
        let engine = Engine::open(&machine.world(), &linear()).unwrap();
        engine.put(length);
        engine.force();
        engine.checkpoint().unwrap();
        engine.put(length);
        engine.force();
        (engine.visible(), machine)
    };
    // Taken when more was logged than there is now, and when less was.
    for (length, length_of_other) in [(10, 20_000), (20_000, 10)] {
        let ((visible, machine), (_, other)) = (went_on(2, length), went_on(3, length_of_other));
        let generation = take_image(&other);
        take_images_over(&machine, &other);
        for is_ruined in [false, true] {
            let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
            let disk = machine.world().disk;
            if is_ruined {
                lose_manifests(&machine);
            }
            let image = Within::new(Arc::clone(&disk), images::path(generation));
            let error = copy::recover(&*disk, &image, &mut |_| {}).map(drop).unwrap_err();
            assert!(matches!(&error, OpenError::Damaged { .. }), "{error}");
        }
        assert_eq!(take_image(&machine), generation, "of the same checkpoint of another life");
        lose_manifests(&machine);
        let disk = machine.world().disk;
        let image = Within::new(Arc::clone(&disk), images::path(generation));
        copy::recover(&*disk, &image, &mut |_| {}).unwrap();
        assert_eq!(Engine::open(&machine.world(), &linear()).unwrap().visible(), visible);
    }
}

/// An older program would take records that it does not know for damage.
#[test]
fn a_log_that_goes_on_in_an_extent_of_an_older_format_gives_its_page_the_present_one() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(100);
    engine.force();
    let visible = engine.visible();
    drop(engine);
    let path = Path::new("log/0000000000000000.seg");
    let version = || u32::from_le_bytes(machine.disk.content(path).unwrap()[8..12].try_into().unwrap());
    let present = version();
    for older in 1..present {
        set_version(&machine, path, older);
        let engine = Engine::open(&machine.world(), &tiny()).unwrap();
        assert_eq!((engine.visible(), version()), (visible.clone(), present), "from version {older}");
    }
}

/// The files are whole. An administrator who is told of damage looks at the device, and gives up what another
/// build could read.
#[test]
fn a_file_that_no_release_wrote_is_told_as_that_and_not_as_damage() {
    let refused = |machine: &Machine, path: &Path, version: u32| {
        let before = machine.disk.content(path);
        let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
        assert!(
            matches!(&error, OpenError::OtherBuild { path: named, found, .. } if named == path && *found == version),
            "{}: {error}",
            path.display()
        );
        let text = error.to_string();
        for part in
            [&format!("format version {version}"), "nothing was changed", "export the messages", "backup"]
        {
            assert!(text.contains(part), "{text} has no \"{part}\"");
        }
        assert_eq!(machine.disk.content(path), before);
    };
    let (machine, _) = at_rest();
    let image = machine.disk.image();
    let manifests = ["manifest.0", "manifest.1"].map(Path::new);
    // A version before the first: of an extent, of a segment, and of both manifests.
    let paths = machine.disk.files().into_iter().map(|(path, _)| path);
    let mut segments = paths.filter(|path| path.starts_with("store"));
    let segment = segments.find(|path| path.extension().is_some_and(|kind| kind == "seg")).unwrap();
    for path in [&logs(&machine)[0], &segment] {
        let machine = Machine::with_disk(image.without_crash(), 1);
        set_version(&machine, path, 0);
        refused(&machine, path, 0);
    }
    let machine = Machine::with_disk(image.without_crash(), 1);
    manifests.iter().for_each(|path| set_version(&machine, path, 0));
    refused(&machine, manifests[1], 0);
    // Manifests of the present version whose content is none.
    let machine = Machine::with_disk(image.without_crash(), 1);
    for path in manifests {
        let mut bytes = machine.disk.content(path).unwrap();
        let end = 64 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize;
        bytes[64..end].fill(0xFF);
        reseal(&mut bytes[..end]);
        let file = machine.world().disk.open(path, OpenMode::Write, Access::Cached).unwrap();
        file.write_at(&bytes[..end], 0).unwrap();
    }
    refused(&machine, manifests[1], 2);
    // A block that does not verify, in an extent of each version: only in one of the present version is it
    // damage and nothing else.
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    for _ in 0..3 {
        engine.put(100);
        engine.force();
    }
    drop(engine);
    let path = Path::new("log/0000000000000000.seg");
    assert!(machine.disk.rot(path, Rot::ZeroBlock(2)));
    let image = machine.disk.image();
    let present = u32::from_le_bytes(machine.disk.content(path).unwrap()[8..12].try_into().unwrap());
    for version in 1..=present {
        let machine = Machine::with_disk(image.without_crash(), 1);
        set_version(&machine, path, version);
        if version < present {
            refused(&machine, path, version);
        } else {
            let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
            assert!(matches!(&error, OpenError::Damaged { .. }), "{error}");
        }
    }
}

/// Gives a file the version of a release to come.
fn make_newer(machine: &Machine, path: &Path) {
    set_version(machine, path, 99);
}

fn set_version(machine: &Machine, path: &Path, version: u32) {
    let mut bytes = machine.disk.content(path).unwrap();
    let end = match path.extension().is_some_and(|extension| extension == "seg") {
        true => 48,
        false => 64 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize,
    };
    bytes[8..12].copy_from_slice(&version.to_le_bytes());
    reseal(&mut bytes[..end]);
    let file = machine.world().disk.open(path, OpenMode::Write, Access::Cached).unwrap();
    file.write_at(&bytes[..end], 0).unwrap();
}
