//! Queue managers as an administrator meets them: what is refused says of what, why and what to do.

use std::os::unix::fs::symlink;
use std::process::Command;
use std::thread;

use serde_json::Value;

use crate::support::Ferry;

#[test]
fn of_those_who_start_a_queue_manager_at_once_one_does_and_the_others_hear_that_it_runs() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let start = || ferry.run(&["qmgr", "start", "QM1", "--detach", "--port", "0"]);
    let said: Vec<_> = thread::scope(|scope| {
        let starts = [(); 4].map(|()| scope.spawn(start));
        starts.into_iter().map(|started| started.join().unwrap()).collect()
    });
    ferry.ok(&["stop"]);
    let (started, refused): (Vec<_>, Vec<_>) = said.into_iter().partition(|said| said.code == 0);
    assert_eq!((started.len(), refused.len()), (1, 3));
    for said in refused {
        assert!(
            said.stderr.starts_with("ferry: queue manager QM1 runs already, as process "),
            "{}",
            said.stderr
        );
    }
}

#[test]
fn a_queue_manager_in_the_background_holds_nothing_open_of_who_started_it() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let start = format!("{} qmgr start QM1 --detach --port 0 -o json 7>callers", env!("CARGO_BIN_EXE_ferry"));
    let started = Command::new("sh").args(["-c", &start]).current_dir(ferry.data()).env("FERRY_DATA", ".").output();
    let started: Value = serde_json::from_slice(&started.unwrap().stdout).expect("it started");
    let open = std::fs::read_dir(format!("/proc/{}/fd", started["process"])).unwrap();
    let open: Vec<_> = open.flat_map(|entry| std::fs::read_link(entry.unwrap().path())).collect();
    ferry.ok(&["stop"]);
    assert!(open.iter().any(|path| path.ends_with("QM1/errors/start.log")), "{open:?}");
    assert!(!open.contains(&ferry.data().join("callers")), "{open:?}");
}

#[test]
fn a_folder_that_cannot_be_looked_into_is_not_said_to_be_absent() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let settings = ferry.data().join("QM1/ferry.toml");
    std::fs::remove_file(&settings).unwrap();
    // The system refuses to follow it, as it refuses others who look into the folder.
    symlink("ferry.toml", &settings).unwrap();
    let listed = ferry.run(&["qmgr", "list"]);
    assert!(
        listed.stderr.starts_with("cannot look into ") && !listed.stderr.contains("no queue"),
        "{}",
        listed.stderr
    );
    let said = ferry.run(&["qmgr", "start", "QM1"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.starts_with("ferry: cannot look into ") && said.stderr.contains("next: "),
        "{}",
        said.stderr
    );
}

#[test]
fn settings_that_are_wrong_are_called_as_they_were_typed() {
    let ferry = Ferry::new();
    std::fs::write(ferry.data().join("mine.toml"), "[log]\nextent_size = 7\n").unwrap();
    for (how, expected) in [
        (["--set", "log.extent_size=7"], "--set log.extent_size=7: log.extent_size = 7 is not right"),
        (["--settings", "mine.toml"], "mine.toml, line 2: log.extent_size = 7 is not right"),
    ] {
        let said = ferry.run(&[&["qmgr", "create", "QM1"], &how[..]].concat());
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.starts_with(&format!("ferry: {expected}")), "{}", said.stderr);
        assert!(said.stderr.contains("next: correct it"), "{}", said.stderr);
    }
}

#[test]
fn what_cannot_be_done_to_a_queue_manager_says_what_can() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    for arguments in
        [&["qmgr", "create", "QM1"][..], &["stop", "QM1"], &["qmgr", "list", "--data", "QM1/ferry.toml"]]
    {
        let said = ferry.run(arguments);
        assert!(said.code == 1 && said.stderr.contains("\n  next: "), "{arguments:?}: {}", said.stderr);
    }
}
