//! A recovery log and a store in directories of their own.

use std::fs;
use std::path::{Path, PathBuf};

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};
use server::ending::Mode;
use server::{DataDirectory, Server, instances};

use crate::running::{Place, address, command, connect, get, open, put};

/// Directories for the log and the store, on another file system than the queue manager where there is one.
struct Elsewhere {
    log: tempfile::TempDir,
    store: tempfile::TempDir,
}

impl Elsewhere {
    fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let directory = || match memory.is_dir() {
            true => tempfile::tempdir_in(memory).unwrap(),
            false => tempfile::tempdir().unwrap(),
        };
        Self { log: directory(), store: directory() }
    }

    fn settings(&self) -> String {
        format!("directory = {:?}\n[store]\ndirectory = {:?}\n", self.log.path(), self.store.path())
    }

    /// The folders of a queue manager's log and store.
    fn places(&self, name: &str) -> [PathBuf; 2] {
        [self.log.path().join(name).join("log"), self.store.path().join(name).join("store")]
    }
}

fn files(directory: &Path) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

/// Puts a message for good, or gets it.
fn put_one(server: &Server, body: &str) {
    let mut connection = connect(&address(server));
    command(&mut connection, "DEFINE QLOCAL(Q) REPLACE");
    let queue = open(&mut connection, "Q", OpenOptions::OUTPUT);
    put(&mut connection, queue, body.as_bytes(), Persistence::Persistent, PutFlags::EMPTY).unwrap();
}

fn get_one(server: &Server) -> String {
    let mut connection = connect(&address(server));
    let queue = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    let got = get(&mut connection, queue, std::time::Duration::ZERO, GetFlags::EMPTY).unwrap();
    String::from_utf8(got).unwrap()
}

fn stop(server: Server) {
    server.stop(Mode::Immediate);
    server.wait();
}

#[test]
fn log_and_store_are_where_the_settings_put_them_and_go_with_the_queue_manager() {
    let elsewhere = Elsewhere::new();
    let place = Place::with_settings(&elsewhere.settings());
    let [log, store] = elsewhere.places("QM1");
    let server = place.start();
    put_one(&server, "kept");
    stop(server);
    assert!(files(&log) > 0 && store.is_dir(), "{log:?} {store:?}");
    for (part, target) in [("log", &log), ("store", &store)] {
        assert_eq!(fs::read_link(place.folder().join(part)).unwrap(), *target);
    }
    let server = place.start();
    assert_eq!(get_one(&server), "kept");
    stop(server);
    instances::delete(&place.data, &place.name).unwrap();
    assert!(!log.exists() && !store.exists(), "nothing of it is left");
    assert!(elsewhere.log.path().is_dir(), "the directory is the administrator's");
}

#[test]
fn a_place_that_is_taken_is_refused_and_nothing_is_made() {
    let elsewhere = Elsewhere::new();
    let [log, store] = elsewhere.places("QM1");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("somebody's"), "").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let data = DataDirectory::at(directory.path());
    let settings = format!("[log]\n{}", elsewhere.settings());
    let refused = instances::create(&data, &"QM1".parse().unwrap(), Some(&settings)).unwrap_err().to_string();
    assert!(refused.contains("store is not empty"), "{refused}");
    assert!(!log.exists() && store.join("somebody's").exists(), "what was there is as it was");
    assert_eq!(files(directory.path()), 0, "no folder is left");
}

#[test]
fn a_start_with_a_part_elsewhere_than_the_settings_say_names_both_places() {
    let elsewhere = Elsewhere::new();
    let place = Place::new();
    let server = place.start();
    put_one(&server, "kept");
    stop(server);
    let path = place.folder().join("ferry.toml");
    let before = fs::read_to_string(&path).unwrap();
    let wanted = elsewhere.log.path();
    fs::write(&path, before.replace("[log]\n", &format!("[log]\ndirectory = {wanted:?}\n"))).unwrap();
    let refused = Server::start(&place.options()).err().expect("the log is in its folder").to_string();
    let [log, _] = elsewhere.places("QM1");
    assert!(refused.contains(&log.display().to_string()), "{refused}");
    assert!(refused.contains(&place.folder().join("log").display().to_string()), "{refused}");
    assert!(!log.exists(), "a start makes nothing");

    // As the refusal says.
    let link = place.folder().join("log");
    fs::create_dir_all(&log).unwrap();
    for entry in fs::read_dir(&link).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), log.join(entry.file_name())).unwrap();
    }
    fs::remove_dir_all(&link).unwrap();
    std::os::unix::fs::symlink(&log, &link).unwrap();
    let server = place.start();
    assert_eq!(get_one(&server), "kept");
    stop(server);
}

#[test]
fn a_backup_is_restored_to_the_places_of_its_settings() {
    let elsewhere = Elsewhere::new();
    let place = Place::with_settings(&elsewhere.settings());
    let server = place.start();
    put_one(&server, "kept");
    stop(server);
    let beside = tempfile::tempdir().unwrap();
    let copy = beside.path().join("copy");
    server::backups::backup(&place.data.folder(&place.name), &copy, &mut |_| {}).unwrap();
    let taken = server::backups::restore(&DataDirectory::at(beside.path()), &copy, &mut |_| {}).unwrap_err();
    assert!(taken.to_string().contains("is not empty"), "the first one has its places: {taken}");
    assert!(!beside.path().join("QM1").exists(), "nothing is left of it");
    let server = place.start();
    assert_eq!(get_one(&server), "kept", "the first one is as it was");
    stop(server);
    instances::delete(&place.data, &place.name).unwrap();
    server::backups::restore(&place.data, &copy, &mut |_| {}).unwrap();
    let [log, _] = elsewhere.places("QM1");
    assert!(files(&log) > 0, "{log:?}");
    let server = place.start();
    assert_eq!(get_one(&server), "kept");
    stop(server);
}

#[test]
fn a_link_that_leads_elsewhere_is_left_alone_with_what_is_there() {
    let place = Place::new();
    let beside = tempfile::tempdir().unwrap();
    let (moved, link) = (beside.path().join("by-hand"), place.folder().join("log"));
    fs::create_dir(&moved).unwrap();
    fs::write(moved.join("somebody's"), "").unwrap();
    fs::remove_dir_all(&link).unwrap();
    std::os::unix::fs::symlink(&moved, &link).unwrap();
    instances::delete(&place.data, &place.name).unwrap();
    assert!(moved.join("somebody's").exists());
    assert!(!place.folder().exists());
}
