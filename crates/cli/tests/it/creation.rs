//! `ferry qmgr create`, and what is there when it was cut off.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::support::Ferry;

const CREATE: [&str; 7] = ["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=\"4 MiB\""];

fn is_listed(ferry: &Ferry) -> bool {
    ferry.ok(&["qmgr", "list", "-o", "json"]).contains("\"queue_manager\":\"QM1\"")
}

fn entries(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// It is whole: it starts, and ends.
fn works(ferry: &Ferry) {
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(ORDERS)"]);
    ferry.ok(&["qmgr", "stop", "QM1", "--immediate"]);
    assert_eq!(server.wait(), 0);
}

#[test]
fn a_queue_manager_whose_creation_is_killed_is_whole_or_none() {
    let ferry = Ferry::new();
    let beside = ferry.data().join(".creating.QM1");
    let (mut seen, mut time) = (Vec::new(), Duration::ZERO);
    loop {
        let mut creation = ferry.command(&CREATE).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(time);
        // It may have ended already.
        creation.kill().unwrap();
        let ended = creation.wait().unwrap();
        let found = entries(&beside);
        if is_listed(&ferry) {
            works(&ferry);
            ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
        } else {
            assert_eq!(entries(&ferry.data().join("QM1")), [""; 0], "after {time:?}");
        }
        if let Some(code) = ended.code() {
            assert_eq!(code, 0, "after {time:?}");
            break;
        }
        time += Duration::from_millis(1);
        seen.extend(found);
    }
    assert!(!seen.is_empty(), "it was always killed before it began, or when it had ended");
    assert_eq!(entries(ferry.data()), [""; 0]);
}

/// Each step of a creation, as the next command finds it when that was the last.
#[test]
fn a_creation_that_was_cut_off_is_said_and_finished_by_the_next_or_removed() {
    let ferry = Ferry::new();
    ferry.ok(&CREATE);
    let whole = ferry.data().join("whole");
    fs::rename(ferry.data().join("QM1"), &whole).unwrap();
    let beside = ferry.data().join(".creating.QM1");
    let mut steps = vec!["making.lock", "ferry.new", "ferry.toml", "storage.lock", "log", "store", "spill"];
    steps.extend(["log/0000000000000000", "manifest.1", "manifest.0"]);
    for count in 0..=steps.len() {
        for is_deleted in [true, false] {
            fs::create_dir(&beside).unwrap();
            for step in &steps[..count] {
                let (from, to) = (whole.join(step), beside.join(step));
                if from.is_dir() {
                    fs::create_dir(&to).unwrap();
                } else if from.is_file() {
                    fs::copy(&from, &to).unwrap();
                } else {
                    fs::write(&to, "").unwrap();
                }
            }
            let after = &steps[..count];
            assert!(!is_listed(&ferry), "{after:?}");
            let said = ferry.run(&["qmgr", "list"]).stderr;
            assert!(said.contains("the creation of QM1 was cut off"), "{after:?}: {said}");
            for command in [&["qmgr", "start", "QM1"][..], &["qmgr", "stop", "QM1"], &["log", "show", "QM1"]]
            {
                let refused = ferry.run(command);
                assert_eq!(refused.code, 3, "{after:?}: {}", refused.stderr);
                assert!(refused.stderr.contains("its creation was cut off"), "{after:?}: {}", refused.stderr);
                assert!(refused.stderr.contains("ferry qmgr create QM1"), "{after:?}: {}", refused.stderr);
            }
            if is_deleted {
                assert_eq!(ferry.ok(&["qmgr", "delete", "QM1"]), "deleted queue manager QM1\n");
                assert_eq!(ferry.run(&["qmgr", "delete", "QM1", "--yes"]).code, 3, "there is none now");
            } else {
                ferry.ok(&CREATE);
                assert!(is_listed(&ferry), "{after:?}");
                if count == 0 || count == steps.len() {
                    works(&ferry);
                }
                assert_eq!(ferry.run(&["qmgr", "list"]).stderr, "");
                ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
            }
            assert_eq!(entries(ferry.data()), ["whole"], "{after:?}");
        }
    }
}

#[test]
fn settings_that_are_too_long_or_not_there_are_named_and_make_no_queue_manager() {
    let ferry = Ferry::new();
    let file = ferry.data().join("settings");
    let create = ["qmgr", "create", "QM1", "--settings", file.to_str().unwrap()];
    let absent = ferry.run(&create);
    assert_eq!(absent.code, 3, "{}", absent.stderr);
    fs::write(&file, vec![b'#'; (1 << 20) + 1]).unwrap();
    let said = ferry.run(&create);
    assert_eq!(said.code, 2, "{}", said.stderr);
    let expected =
        [file.to_str().unwrap(), "it has more than 1 MiB, which no file of settings has", "next: "];
    assert!(expected.iter().all(|part| said.stderr.contains(part)), "{}", said.stderr);
    assert_eq!(entries(ferry.data()), ["settings"]);
}

/// Earlier releases made a queue manager under its name, and a kill left this; so does the loss of files of
/// one that had messages.
#[test]
fn a_folder_without_a_manifest_is_listed_as_such_with_what_to_do() {
    let ferry = Ferry::new();
    ferry.ok(&CREATE);
    assert!(ferry.ok(&["qmgr", "list"]).contains("ended"));
    assert_eq!(ferry.run(&["qmgr", "list"]).stderr, "");
    let folder = ferry.data().join("QM1");
    fs::remove_file(folder.join("manifest.0")).unwrap();
    assert_eq!(ferry.run(&["qmgr", "list"]).stderr, "", "one of them is left");
    fs::remove_file(folder.join("manifest.1")).unwrap();
    let listed = ferry.run(&["qmgr", "list"]);
    assert!(listed.stdout.contains("no manifest"), "{}", listed.stdout);
    for expected in ["QM1 has no manifest in", "`ferry qmgr delete QM1`", "restore its files or a backup"] {
        assert!(listed.stderr.contains(expected), "{}", listed.stderr);
    }
    assert!(is_listed(&ferry));
    assert_ne!(ferry.run(&["qmgr", "start", "QM1"]).code, 0);
    ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
    assert_eq!(entries(ferry.data()), [""; 0]);
}
