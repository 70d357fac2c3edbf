//! Start, stop, and what is in the way of either.

use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use client::StopMode;
use mqi::{GetFlags, OpenOptions, Reason, Verbs};
use server::{DataDirectory, Mode, Options, Server, instances};

use crate::newer::{NEWER, make_newer};
use crate::running::{Place, address, command, connect, eventually, get, open};

/// An end that was told to come, or a start, comes within this: sooner than `stop.quiesce_seconds`, and later
/// than a machine needs whose disk is busy.
const SOON: Duration = Duration::from_secs(25);

fn refusal(options: &Options) -> String {
    match Server::start(options) {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn create_and_start_are_quick() {
    let began = Instant::now();
    let place = Place::new();
    let server = place.start();
    connect(&address(&server));
    // The goal is 200 ms for a release build; a debug build on a machine whose disk is busy gets more.
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert!(place.error_log().is_empty() || place.error_log().contains("FRY5001I"));
}

#[test]
fn a_queue_manager_that_does_not_exist_is_named() {
    let place = Place::new();
    let options = Options::new(DataDirectory::at(place.directory.path()), "QM2".parse().unwrap());
    let text = refusal(&options);
    assert!(text.starts_with("there is no queue manager QM2 in "), "{text}");
    assert!(text.contains("ferry qmgr create QM2"), "{text}");
}

#[test]
fn a_second_server_is_refused_with_name_and_process() {
    let place = Place::new();
    let server = place.start();
    let expected = format!(
        "queue manager QM1 runs already, as process {}: stop it with `ferry qmgr stop QM1`",
        std::process::id()
    );
    assert_eq!(refusal(&place.options()), expected);
    let text = instances::delete(&place.data, &place.name).unwrap_err().to_string();
    assert_eq!(text, expected);
    connect(&address(&server));
}

/// A process that has just taken the lock has not written its number into it yet, and the number of a process
/// in another container says nothing.
#[test]
fn a_queue_manager_whose_lock_is_held_by_any_process_is_not_deleted() {
    let place = Place::new();
    let lock = place.folder().join("storage.lock");
    let world = platform::World::of_machine(place.folder());
    let held = world.disk.lock(std::path::Path::new("storage.lock")).unwrap();
    std::fs::write(&lock, "1").unwrap();
    assert!(instances::find(&place.data, &place.name).unwrap().running.is_none(), "it cannot be seen");
    let text = instances::delete(&place.data, &place.name).unwrap_err().to_string();
    assert!(text.starts_with("cannot remove ") && text.contains("is locked by process 1"), "{text}");
    drop(held);
    connect(&address(&place.start())).disconnect().unwrap();
    instances::delete(&place.data, &place.name).unwrap();
    assert!(!place.folder().exists());
}

#[test]
fn one_whose_lock_files_were_moved_away_is_neither_started_again_nor_deleted() {
    let place = Place::new();
    let server = place.start();
    for name in ["storage.lock", "start.lock"] {
        std::fs::rename(place.folder().join(name), place.directory.path().join(name)).unwrap();
    }
    let text = refusal(&place.options());
    assert!(text.contains("is locked by another process"), "{text}");
    let text = instances::delete(&place.data, &place.name).unwrap_err().to_string();
    assert!(text.contains("is locked by another process"), "{text}");
    drop(server);
    connect(&address(&place.start()));
}

/// The first such start was one on a full disk.
#[test]
fn a_start_that_cannot_say_where_it_listens_is_refused_and_leaves_nothing_running() {
    let place = Place::new();
    let in_the_way = place.folder().join("running.new");
    std::fs::create_dir(&in_the_way).unwrap();
    let options = place.options();
    let (tell, told) = std::sync::mpsc::channel();
    let start = std::thread::spawn(move || tell.send(refusal(&options)));
    let text = told.recv_timeout(Duration::from_secs(20)).expect("a refusal, and no start that hangs");
    start.join().unwrap().unwrap();
    assert!(text.starts_with("cannot write ") && text.contains("running"), "{text}");
    std::fs::remove_dir(&in_the_way).unwrap();
    connect(&address(&place.start()));
}

#[test]
fn what_a_killed_server_left_is_replaced_and_the_socket_goes_with_the_server() {
    let place = Place::new();
    let socket = place.folder().join("socket");
    drop(UnixListener::bind(&socket).unwrap());
    std::fs::write(place.folder().join("running"), r#"{"process":1,"listens":["x"],"since":"then"}"#)
        .unwrap();
    let instance = instances::find(&place.data, &place.name).unwrap();
    assert!(instance.running.is_none(), "the lock says who runs, not the file left behind");
    let server = place.start();
    let running = instances::find(&place.data, &place.name).unwrap().running.unwrap();
    assert_eq!(running.process, std::process::id());
    assert_eq!(running.listens, [address(&server), socket.display().to_string()]);
    std::os::unix::net::UnixStream::connect(&socket).unwrap();
    drop(server);
    assert!(!socket.exists());
    assert_eq!(instances::ended(&instance.folder), Some(Mode::Immediate));
    assert!(instances::find(&place.data, &place.name).unwrap().running.is_none());
}

#[test]
fn several_queue_managers_run_side_by_side() {
    let place = Place::new();
    let second: mqi::QueueManagerName = "dir/QM%2".parse().unwrap();
    instances::create(&place.data, &second, Some("[log]\nextent_size = \"4 MiB\"")).unwrap();
    let first = place.start();
    let other = Server::start(&Options { name: second, ..place.options() }).unwrap();
    assert_ne!(address(&first), address(&other));
    let names: Vec<_> = instances::list(&place.data)
        .unwrap()
        .iter()
        .map(|instance| (instance.folder.name().to_string(), instance.running.is_some()))
        .collect();
    assert_eq!(names, [("QM1".to_owned(), true), ("dir/QM%2".to_owned(), true)]);
    connect(&address(&first)).disconnect().unwrap();
    connect(&address(&other)).disconnect().unwrap();
}

#[test]
fn a_port_in_use_is_named_and_nothing_is_left_running() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let options = Options { addresses: Some(vec![taken.local_addr().unwrap()]), ..place.options() };
    let text = refusal(&options);
    assert!(text.starts_with(&format!("port {port} of 127.0.0.1 is in use by another program")), "{text}");
    eventually("the event is written", || place.error_log().contains("FRY5006E"));
    drop(place.start());
}

#[test]
fn an_address_others_could_reach_is_refused() {
    let place = Place::new();
    let options = Options { addresses: Some(vec!["0.0.0.0:0".parse().unwrap()]), ..place.options() };
    let text = refusal(&options);
    assert!(text.contains("cannot listen on 0.0.0.0:0") && text.contains("ferry tls init QM1"), "{text}");
}

/// With the defaults its log would be a circular one, and write over what images need.
#[test]
fn a_queue_manager_whose_settings_are_gone_does_not_start_with_others() {
    let place = Place::with_settings("kind = \"linear\"");
    let path = place.folder().join("ferry.toml");
    let settings = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let text = refusal(&place.options());
    let expected = format!("the settings {} are not there: put them back; ", path.display());
    assert!(text.starts_with(&expected), "{text}");
    std::fs::write(&path, settings).unwrap();
    drop(place.start());
}

#[test]
fn wrong_settings_are_refused_by_line() {
    let place = Place::new();
    let path = place.folder().join("ferry.toml");
    std::fs::write(&path, "[log]\nkynd = 3\n").unwrap();
    let expected = format!("{}, line 2: there is no setting log.kynd: did you mean kind?", path.display());
    assert_eq!(refusal(&place.options()), expected);
}

#[test]
fn a_directory_of_a_newer_release_is_refused_by_name_and_version() {
    let place = Place::new();
    let manifests = (0..2).map(|number| place.folder().join(format!("manifest.{number}")));
    manifests.filter(|path| path.exists()).for_each(|path| make_newer(&path));
    let text = refusal(&place.options());
    assert!(text.contains(&format!("has format version {NEWER}, this program reads up to ")), "{text}");
}

#[test]
fn slow_writes_of_the_log_are_reported_with_the_threshold_in_microseconds() {
    let place = Place::with_settings("slow_io_microseconds = 1\n");
    let server = place.start();
    command(&mut connect(&address(&server)), "DEFINE QLOCAL(Q)");
    eventually("the event is written", || place.error_log().contains("FRY6729W"));
    let log = place.error_log();
    let line = log.lines().find(|line| line.contains("FRY6729W") && line.contains("write of")).unwrap();
    assert!(line.contains(" bytes of the recovery log took "), "{line}");
    assert!(line.contains(" microseconds; more than 1 are reported."), "{line}");
}

#[test]
fn a_name_in_use_is_not_created_again() {
    let place = Place::new();
    let text = instances::create(&place.data, &place.name, None).unwrap_err().to_string();
    assert!(text.starts_with("queue manager QM1 exists already in "), "{text}");
    assert!(place.folder().join("ferry.toml").exists());
    instances::delete(&place.data, &place.name).unwrap();
    assert!(!place.folder().exists());
    assert_eq!(instances::list(&DataDirectory::at(place.directory.path())).unwrap().len(), 0);
}

#[test]
fn a_quiescing_end_waits_for_programs_and_an_immediate_one_does_not() {
    let place = Place::new();
    let server = place.start();
    let address = address(&server);
    let mut connection = connect(&address);
    server.stop(Mode::Quiesce);
    eventually("new connections are refused", || {
        client::Connection::connect(client::Options::to(address.parse().unwrap())).is_err()
    });
    assert!(instances::find(&place.data, &place.name).unwrap().running.is_some(), "it waits");
    command(&mut connection, "DISPLAY QMGR");
    server.stop(Mode::Immediate);
    let began = Instant::now();
    server.wait();
    assert!(began.elapsed() < SOON);
    assert!(instances::find(&place.data, &place.name).unwrap().running.is_none());
}

#[test]
fn a_quiescing_end_comes_when_the_last_program_disconnects() {
    let place = Place::new();
    let server = place.start();
    let mut connection = connect(&address(&server));
    server.stop(Mode::Quiesce);
    std::thread::sleep(Duration::from_millis(100));
    connection.disconnect().unwrap();
    drop(connection);
    let began = Instant::now();
    server.wait();
    assert!(began.elapsed() < SOON);
}

#[test]
fn an_administrator_ends_it_over_a_connection() {
    for mode in [StopMode::Quiesce, StopMode::Immediate, StopMode::Preemptive] {
        let place = Place::new();
        let server = place.start();
        let options = client::Options::to(address(&server).parse().unwrap());
        let outcome = client::Channel::connect(options).unwrap().stop(mode);
        assert!(outcome.is_ok() || mode == StopMode::Preemptive, "{mode:?}: {outcome:?}");
        let began = Instant::now();
        server.wait();
        assert!(began.elapsed() < SOON, "{mode:?}");
    }
}

#[test]
fn a_waiting_get_is_answered_when_the_queue_manager_ends() {
    let place = Place::new();
    let server = place.start();
    let address = address(&server);
    let mut asker = connect(&address);
    command(&mut asker, "DEFINE QLOCAL(Q)");
    let mut connection = connect(&address);
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    let getter =
        std::thread::spawn(move || get(&mut connection, from, Duration::from_secs(60), GetFlags::EMPTY));
    // By now or in a moment it waits.
    server.stop(Mode::Immediate);
    server.wait();
    let reason = getter.join().unwrap().unwrap_err();
    let expected = [
        Reason::Q_MGR_STOPPING,
        Reason::Q_MGR_QUIESCING,
        Reason::CONNECTION_STOPPING,
        Reason::CONNECTION_QUIESCING,
        Reason::CONNECTION_BROKEN,
    ];
    assert!(expected.contains(&reason), "{reason:?}");
}

#[test]
fn the_error_log_tells_a_life() {
    let place = Place::new();
    let server = place.start();
    let listening = format!("FRY5002I QM1 [{}/", std::process::id());
    server.stop(Mode::Immediate);
    server.wait();
    let log = place.error_log();
    for part in [
        "FRY5001I",
        listening.as_str(),
        "Queue manager QM1 ends (immediate); asked by this process.",
        "FRY5004I",
    ] {
        assert!(log.contains(part), "{part} in {log}");
    }
}
