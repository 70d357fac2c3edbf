//! `ferry qmgr delete`, and what is there when it was cut off.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::Ferry;

/// So many files take a while to remove.
const FILES: usize = 20_000;

fn create(ferry: &Ferry) {
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=\"1 MiB\""]);
}

fn count(directory: &Path) -> usize {
    fs::read_dir(directory).map_or(0, |entries| entries.count())
}

#[test]
fn a_queue_manager_whose_deletion_is_killed_is_whole_or_none() {
    let ferry = Ferry::new();
    create(&ferry);
    let folder = ferry.data().join("QM1");
    // Wherever in the order of removal these come, something else comes before them or after.
    let many = folder.join("images");
    fs::create_dir(&many).unwrap();
    for number in 0..FILES {
        fs::write(many.join(number.to_string()), "").unwrap();
    }
    let entries = count(&folder);
    let mut deletion =
        ferry.command(&["qmgr", "delete", "QM1", "--yes"]).stdout(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while count(&many) == FILES && count(&folder) >= entries {
        assert!(Instant::now() < until, "nothing is removed");
    }
    deletion.kill().unwrap();
    deletion.wait().unwrap();
    assert!(!folder.exists(), "{} of {entries} entries, {} of {FILES} files", count(&folder), count(&many));
    assert_eq!(ferry.ok(&["qmgr", "list", "-o", "json"]), "");
}

#[test]
fn a_deletion_that_was_cut_off_is_finished_by_the_next_or_by_a_creation() {
    let ferry = Ferry::new();
    let left = ferry.data().join(".deleted.QM1");
    let cut_off = || {
        fs::create_dir(&left).unwrap();
        fs::write(left.join("manifest.0"), "").unwrap();
    };
    cut_off();
    assert_eq!(ferry.ok(&["qmgr", "list", "-o", "json"]), "");
    let start = ferry.run(&["qmgr", "start", "QM1"]);
    assert_eq!(start.code, 3, "{}", start.stderr);
    assert!(start.stderr.contains("there is no queue manager QM1"), "{}", start.stderr);
    assert_eq!(ferry.ok(&["qmgr", "delete", "QM1"]), "deleted queue manager QM1\n");
    assert!(!left.exists());
    assert_eq!(ferry.run(&["qmgr", "delete", "QM1", "--yes"]).code, 3, "there is none now");
    cut_off();
    create(&ferry);
    assert!(!left.exists());
    cut_off();
    ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
    assert_eq!(count(ferry.data()), 0);
}
