//! Files that are taken away from under a queue manager.

#![expect(clippy::disallowed_methods, reason = "files are taken away behind the back of the disk")]

use std::fs;
use std::path::{Path, PathBuf};

use platform::World;
use storage::{CheckpointError, Fatal, Found, OpenError};

use crate::support::{Engine, small, tiny};

/// A queue manager with a store segment, and both manifests written since its start.
fn running(folder: &Path) -> Engine {
    let engine = Engine::create(&World::of_machine(folder), &small());
    for round in 0..4 {
        for _ in 0..300 {
            engine.put(2000);
        }
        engine.force();
        let checkpoint = engine.checkpoint();
        assert!(checkpoint.is_ok(), "in round {round}: {checkpoint:?}");
    }
    engine.storage.prepare().unwrap();
    assert!(engine.storage.look_at_files().is_ok());
    engine
}

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

fn remove(path: &Path) {
    if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
}

/// The name of a file in a directory that ends so; the last of them.
fn last_in(directory: &Path, end: &str) -> PathBuf {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    names.filter(|path| path.to_str().unwrap().ends_with(end)).max().expect("there is one")
}

#[test]
fn whatever_is_taken_away_is_named_and_nothing_becomes_durable_after_that() {
    type Chosen = fn(&Path) -> PathBuf;
    let things: [(&str, Chosen); 8] = [
        ("the folder", Path::to_owned),
        ("the lock", |folder| folder.join("storage.lock")),
        ("the log", |folder| folder.join("log")),
        ("the last extent", |folder| last_in(&folder.join("log"), ".seg")),
        ("a manifest", |folder| folder.join("manifest.0")),
        ("the other manifest", |folder| folder.join("manifest.1")),
        ("the store", |folder| folder.join("store")),
        ("a segment", |folder| last_in(&folder.join("store"), ".seg")),
    ];
    for (thing, chosen) in things {
        for (how, found) in
            [("renamed", Found::Nothing), ("removed", Found::Nothing), ("replaced", Found::Another)]
        {
            let place = tempfile::tempdir().unwrap();
            let folder = place.path().join("QM1");
            let engine = running(&folder);
            let (path, beside) = (chosen(&folder), place.path().join("beside"));
            match how {
                "removed" => remove(&path),
                _ => fs::rename(&path, &beside).unwrap(),
            }
            if how == "replaced" {
                copy(&beside, &path);
            }
            let (_, appended) = engine.put(100);
            let Err(Fatal::TakenAway(taken_away)) = engine.storage.look_at_files() else {
                panic!("{thing} {how}: it is not noticed");
            };
            assert_eq!((&taken_away.path, taken_away.found), (&path, found), "{thing} {how}");
            assert!(taken_away.to_string().starts_with(&path.display().to_string()), "{taken_away}");
            assert!(engine.storage.drive().lsn() < appended.need, "{thing} {how}");
            assert_eq!(engine.listener.failures.lock().len(), 1, "{thing} {how}");
        }
    }
}

#[test]
fn what_is_there_again_under_its_name_was_not_taken_away() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("QM1");
    let engine = running(&folder);
    let moved = place.path().join("moved");
    fs::rename(&folder, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &folder).unwrap();
    engine.storage.look_at_files().unwrap();
    let hard = folder.join("log/hard");
    fs::hard_link(last_in(&folder.join("log"), ".seg"), hard).unwrap();
    engine.storage.look_at_files().unwrap();
}

#[test]
fn nothing_is_made_in_a_folder_that_took_the_place_of_the_one_that_is_open() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("QM1");
    let engine = running(&folder);
    engine.put(2000);
    engine.force();
    fs::rename(&folder, place.path().join("moved")).unwrap();
    for directory in ["", "log", "store", "spill"] {
        fs::create_dir(folder.join(directory)).unwrap();
    }
    let checkpoint = engine.checkpoint();
    assert!(matches!(checkpoint, Err(CheckpointError::Fatal(Fatal::TakenAway(_)))), "{checkpoint:?}");
    for directory in ["log", "store", "spill"] {
        assert_eq!(fs::read_dir(folder.join(directory)).unwrap().count(), 0, "{directory}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn a_second_one_does_not_start_while_the_lock_file_of_the_first_is_elsewhere() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("QM1");
    let engine = running(&folder);
    let second = |folder: &Path| Engine::open(&World::of_machine(folder), &small());
    fs::rename(folder.join("storage.lock"), place.path().join("storage.lock")).unwrap();
    assert!(matches!(second(&folder), Err(OpenError::InUse { .. })));
    // Where all of its files are in a new folder, the locks of the directories `log` and `store` are still
    // held.
    let new = place.path().join("new");
    fs::create_dir(&new).unwrap();
    for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
        fs::rename(entry.path(), new.join(entry.file_name())).unwrap();
    }
    assert!(matches!(second(&new), Err(OpenError::InUse { .. })));
    let visible = engine.visible();
    drop(engine);
    assert_eq!(second(&new).map(|engine| engine.visible()).unwrap(), visible);
}

#[test]
fn the_extent_that_is_written_is_missed_when_it_is_taken_away() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("QM1");
    let engine = running(&folder);
    let path = folder.join(format!("log/{:016x}.seg", engine.storage.current_extent().0));
    fs::remove_file(&path).unwrap();
    let gone = engine.storage.look_at_files();
    assert!(matches!(&gone, Err(Fatal::TakenAway(it)) if it.path == path), "{gone:?}");
}

#[test]
fn a_file_in_the_place_of_an_extent_that_waits_to_be_used_again_is_not_used() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("QM1");
    let engine = running(&folder);
    let oldest = fs::read_dir(folder.join("log")).unwrap().map(|it| it.unwrap().path()).min().unwrap();
    assert!(engine.storage.look_at_files().is_ok());
    fs::rename(&oldest, place.path().join("moved")).unwrap();
    fs::write(&oldest, "of others").unwrap();
    assert!(engine.storage.look_at_files().is_ok(), "a start does not need it");
    for _ in 0..3000 {
        let (sequence, _) = engine.put(2000);
        engine.get(sequence, None);
        engine.storage.drive();
        engine.housekeeping();
    }
    engine.force();
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&World::of_machine(&folder), &small()).unwrap();
    assert_eq!(engine.visible(), visible);
    engine.verify();
}

/// A file is given its name before it counts as open, and stops to count before it loses it.
#[test]
fn extents_that_are_used_again_are_no_alarm() {
    use_extents_again(150);
}

/// More than a minute: `cargo test -p storage --test it ten_thousand -- --ignored`.
#[test]
#[ignore = "writes ten thousand extents"]
fn ten_thousand_extents_that_are_used_again_are_no_alarm() {
    use_extents_again(10_000);
}

/// Writes so many extents, more than are kept at a time by far, while another thread looks at the files.
fn use_extents_again(extents: u64) {
    let place = tempfile::tempdir().unwrap();
    let settings = tiny();
    let engine = Engine::create(&World::of_machine(place.path().join("QM1")), &settings);
    let ended = std::sync::atomic::AtomicBool::new(false);
    let recycled = std::thread::scope(|scope| {
        let looks = scope.spawn(|| {
            let mut looks = 0_u64;
            while !ended.load(std::sync::atomic::Ordering::Relaxed) {
                engine.storage.look_at_files().unwrap();
                looks += 1;
            }
            looks
        });
        while engine.storage.appended().0 < extents * settings.extent_bytes {
            let (sequence, _) = engine.put(400_000);
            engine.get(sequence, None);
            engine.force();
            engine.housekeeping();
        }
        ended.store(true, std::sync::atomic::Ordering::Relaxed);
        looks.join().unwrap()
    });
    assert!(recycled > extents, "{recycled} looks");
    assert!(engine.listener.failures.lock().is_empty());
}
