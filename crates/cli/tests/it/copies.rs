//! Backups, images and what they give back, with a queue manager that runs.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::Ferry;

/// Numbered persistent messages of a kilobyte.
fn put_numbered(ferry: &Ferry, numbers: std::ops::Range<u32>) {
    let lines: String = numbers.map(|number| format!("{number:06}{}\n", "x".repeat(1_000))).collect();
    let said = ferry.with_input(&["put", "DEV.QUEUE.1", "-P"], lines.as_bytes());
    assert_eq!(said.code, 0, "{}", said.stderr);
}

fn numbers(output: &str) -> BTreeSet<u32> {
    output.lines().map(|line| line[..6].parse().unwrap()).collect()
}

fn create(ferry: &Ferry, kind: &str) {
    let kind = format!("log.kind=\"{kind}\"");
    let settings = ["log.extent_size=\"1 MiB\"", &kind];
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0", "--set", settings[0], "--set", settings[1]]);
}

fn start(ferry: &Ferry) -> crate::support::Server {
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let queues = "DEFINE QLOCAL(DEV.QUEUE.1) MAXDEPTH(50000) REPLACE; DEFINE QLOCAL(BUSY) REPLACE";
    ferry.ok(&["mqsc", "-e", queues]);
    server
}

/// Cuts files of a directory to half their length; how many.
fn damage(directory: &Path, is_meant: impl Fn(&str) -> bool) -> usize {
    let mut damaged = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && is_meant(path.file_name().unwrap().to_str().unwrap()) {
            let file = OpenOptions::new().write(true).open(&path).unwrap();
            file.set_len(file.metadata().unwrap().len() / 2).unwrap();
            damaged += 1;
        }
    }
    damaged
}

#[test]
fn a_backup_of_a_queue_manager_at_work_is_restored_elsewhere() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let server = start(&ferry);
    put_numbered(&ferry, 0..3_000);
    let ended = AtomicBool::new(false);
    let backup = ferry.data().join("backup");
    std::thread::scope(|scope| {
        // The log goes round while it is copied.
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                ferry.ok(&["put", "BUSY", "-P", "y", "--repeat", "500"]);
                ferry.ok(&["get", "BUSY", "--all"]);
            }
        });
        let said = ferry.run(&["backup", backup.to_str().unwrap()]);
        ended.store(true, Ordering::Relaxed);
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert!(
            said.stdout.starts_with("backup of QM1 in ") && said.stdout.contains("; proved"),
            "{}",
            said.stdout
        );
    });
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(ferry.run(&["backup", backup.to_str().unwrap()]).code, 4, "it is not empty");
    assert!(ferry.ok(&["log", "verify"]).starts_with("QM1 is whole: "));
    server.kill();

    let there = Ferry::new();
    assert_eq!(ferry.run(&["restore", backup.to_str().unwrap()]).code, 1, "QM1 is there");
    let said = there.ok(&["restore", backup.to_str().unwrap()]);
    assert!(said.contains("next: ferry qmgr start QM1"), "{said}");
    let _server = there.start(&["qmgr", "start", "QM1"]);
    let expected: BTreeSet<u32> = (0..3_000).collect();
    assert_eq!(numbers(&there.ok(&["get", "DEV.QUEUE.1", "--all"])), expected);
}

#[test]
fn a_backup_of_a_stopped_queue_manager_has_the_messages_that_its_end_kept() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let server = start(&ferry);
    ferry.ok(&["mqsc", "-e", "ALTER QLOCAL(BUSY) NPMCLASS(HIGH)"]);
    ferry.ok(&["put", "BUSY", "not persistent"]);
    ferry.ok(&["qmgr", "stop", "QM1"]);
    assert_eq!(server.wait(), 0);
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);

    let there = Ferry::new();
    there.ok(&["restore", backup.to_str().unwrap()]);
    let _server = there.start(&["qmgr", "start", "QM1"]);
    assert_eq!(there.ok(&["get", "BUSY", "--all"]), "not persistent\n");

    assert_eq!(damage(&backup.join("store"), |name| name == "kept"), 1);
    let elsewhere = Ferry::new();
    let said = elsewhere.run(&["restore", backup.to_str().unwrap()]);
    assert!(said.code == 1 && said.stderr.contains("store/kept is damaged"), "{}", said.stderr);
}

#[test]
fn a_damaged_or_unfinished_backup_is_refused() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let backup = ferry.data().join("backup");
    let said = ferry.run(&["restore", backup.to_str().unwrap()]);
    assert_eq!(said.code, 3);
    assert!(
        said.stderr.contains("no finished backup") && said.stderr.contains("backup.json"),
        "{}",
        said.stderr
    );
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    assert_eq!(damage(&backup.join("log"), |name| name.ends_with(".seg")), 1);
    let there = Ferry::new();
    let said = there.run(&["restore", backup.to_str().unwrap()]);
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("was cut"), "{}", said.stderr);
    assert_eq!(there.ok(&["list", "-o", "json"]), "", "nothing was made");
}

#[test]
fn a_backup_that_opens_the_queue_manager_further_is_shown_and_restored_with_a_word_alone() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let _server = start(&ferry);
    let me = platform::os::users::current();
    let map = format!("SET CHLAUTH(A) TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(MAP) MCAUSER('{me}')");
    ferry.ok(&["mqsc", "-e", "DEFINE CHANNEL(A) CHLTYPE(SVRCONN)"]);
    let plain = ferry.data().join("plain");
    ferry.ok(&["backup", plain.to_str().unwrap()]);
    for command in [
        "ALTER QMGR CHLAUTH(DISABLED)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CHG)",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)",
        map.as_str(),
    ] {
        ferry.ok(&["mqsc", "-e", command]);
    }
    let backup = ferry.data().join("open");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    let elsewhere = tempfile::tempdir().unwrap();
    let settings = fs::read_to_string(backup.join("ferry.toml")).unwrap();
    let place = format!("[store]\ndirectory = {:?}\n", elsewhere.path().display().to_string());
    let settings = settings.replace("[store]\n", &place);
    let settings = settings.replace("[security]\n", "[security]\nloopback = \"trusted\"\n");
    fs::write(backup.join("ferry.toml"), settings).unwrap();

    Ferry::new().ok(&["restore", plain.to_str().unwrap()]);
    let there = Ferry::new();
    let said = there.run(&["restore", backup.to_str().unwrap()]);
    assert_eq!(said.code, 4, "{}{}", said.stdout, said.stderr);
    for point in [
        "CHLAUTH(DISABLED)",
        "PRINCIPAL('eve') AUTHADD(CHG)",
        "a record that refuses is gone",
        "as an administrator",
        "store.directory",
        "security.loopback",
    ] {
        let shown = said.stdout.lines().any(|line| line.starts_with("* Opens: ") && line.contains(point));
        assert!(shown, "{point}: {}", said.stdout);
    }
    assert!(said.stderr.contains("--accept"), "{}", said.stderr);
    assert_eq!(there.ok(&["list", "-o", "json"]), "", "nothing was made");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "nor elsewhere");
    there.ok(&["restore", backup.to_str().unwrap(), "--accept"]);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "as its settings say");
}

/// Records and no users, as a script of each night that brings the users besides restores it; no records.
#[test]
fn a_backup_without_users_says_so_and_is_restored_without_a_word() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let server = start(&ferry);
    let back_up = |name: &str| {
        let backup = ferry.data().join(name);
        ferry.ok(&["backup", backup.to_str().unwrap()]);
        backup
    };
    let bare = back_up("bare");
    ferry.ok(&["mqsc", "-e", "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(CONNECT)"]);
    let without = back_up("without");
    assert_eq!(ferry.with_input(&["user", "add", "QM1", "eve"], b"secret\n").code, 0);
    let whole = back_up("whole");
    fs::remove_file(whole.join("security/users.toml")).ok();
    let emptied = whole;
    for (backup, is_said) in [(&bare, false), (&without, true), (&emptied, true)] {
        let there = Ferry::new();
        let said = there.run(&["restore", backup.to_str().unwrap()]);
        assert_eq!(said.code, 0, "{backup:?}: {}{}", said.stdout, said.stderr);
        let told = said.stdout.contains("no users");
        assert_eq!(told, is_said, "{backup:?}: {}", said.stdout);
        assert!(!said.stdout.contains("* Opens: "), "{backup:?}: {}", said.stdout);
        assert!(there.ok(&["list", "-o", "json"]).contains("QM1"), "{backup:?}");
    }
    drop(server);
}

#[test]
fn a_backup_with_a_link_in_it_is_never_restored() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    let aside = ferry.data().join("aside");
    for place in ["ferry.toml", "backup.json", "log", "store/foreign"] {
        let path = backup.join(place);
        let was_there = path.exists();
        if was_there {
            fs::rename(&path, &aside).unwrap();
        }
        std::os::unix::fs::symlink(if was_there { &aside } else { Path::new("/etc/passwd") }, &path).unwrap();
        for words in [&["--accept"][..], &[]] {
            let there = Ferry::new();
            let words: Vec<&str> =
                ["restore", backup.to_str().unwrap()].iter().chain(words).copied().collect();
            let said = there.run(&words);
            assert!(said.code != 0 && said.stderr.contains("is a link"), "{place}: {}", said.stderr);
            assert_eq!(there.ok(&["list", "-o", "json"]), "", "nothing was made");
        }
        fs::remove_file(&path).unwrap();
        if was_there {
            fs::rename(&aside, &path).unwrap();
        }
    }
    Ferry::new().ok(&["restore", backup.to_str().unwrap()]);
}

#[test]
fn a_backup_with_a_named_pipe_or_a_socket_in_it_is_refused_at_once() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    let words = ["restore", backup.to_str().unwrap()];
    let pipe = |place: &str| {
        let path = backup.join(place);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        (path, "is a named pipe")
    };
    let socket = |place: &str| {
        let path = backup.join(place);
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        (path, "is a socket")
    };
    let strange: [&dyn Fn() -> (PathBuf, &'static str); 3] =
        [&|| pipe("pipe"), &|| pipe("store/pipe"), &|| socket("log/socket")];
    for make in strange {
        let (path, expected) = make();
        let there = Ferry::new();
        let said = there.run(&words);
        assert!(said.code != 0 && said.stderr.contains(expected), "{path:?}: {}", said.stderr);
        assert_eq!(there.ok(&["list", "-o", "json"]), "", "nothing was made");
        fs::remove_file(&path).unwrap();
    }
    Ferry::new().ok(&words);
}

#[test]
fn a_backup_that_names_no_queue_manager_fills_no_data_directory() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    let label = backup.join("backup.json");
    let whole = fs::read_to_string(&label).unwrap();
    for name in ["", " ", "        ", &"Q".repeat(49), "\\u0000", "Q'1"] {
        let renamed = whole.replace("\"queue_manager\": \"QM1\"", &format!("\"queue_manager\": \"{name}\""));
        assert_ne!(renamed, whole);
        fs::write(&label, renamed).unwrap();
        let there = Ferry::new();
        let said = there.run(&["restore", backup.to_str().unwrap(), "--accept"]);
        assert!(said.code == 3 && said.stderr.contains("is no finished backup"), "{name:?}: {}", said.stderr);
        assert_eq!(fs::read_dir(there.data()).map_or(0, Iterator::count), 0, "{name:?}: nothing was made");
    }
}

#[test]
fn a_restore_that_fails_leaves_nothing_in_the_way_of_the_next() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    let (settings, aside) = (backup.join("ferry.toml"), ferry.data().join("aside"));
    fs::rename(&settings, &aside).unwrap();
    let there = Ferry::new();
    let said = there.run(&["restore", backup.to_str().unwrap()]);
    assert!(said.code == 1 && said.stderr.contains("ferry.toml"), "{}", said.stderr);
    fs::rename(&aside, &settings).unwrap();
    there.ok(&["restore", backup.to_str().unwrap()]);
}

#[test]
fn a_damaged_queue_manager_starts_again_from_an_image_and_the_linear_log() {
    let ferry = Ferry::new();
    create(&ferry, "linear");
    let server = start(&ferry);
    put_numbered(&ferry, 0..4_000);
    assert!(ferry.ok(&["log", "image"]).starts_with("image of QM1 in images/"));
    assert!(ferry.ok(&["log", "image", "--queue", "DEV.QUEUE.1"]).starts_with("image of QM1 in images/"));
    assert_eq!(ferry.run(&["log", "image", "--queue", "NO.SUCH"]).code, 3);
    ferry.ok(&["mqsc", "-e", "ALTER QLOCAL(BUSY) IMGRCOVQ(NO)"]);
    let said = ferry.run(&["log", "image", "--queue", "BUSY"]);
    assert!(said.code == 4 && said.stderr.contains("IMGRCOVQ(YES)"), "{}", said.stderr);
    assert!(ferry.ok(&["mqsc", "-e", "RESET QMGR TYPE(ADVANCELOG)"]).contains("FRY8453I"));
    put_numbered(&ferry, 4_000..6_000);
    assert_eq!(numbers(&ferry.ok(&["get", "DEV.QUEUE.1", "--count", "1000"])), (0..1_000).collect());
    let said = ferry.run(&["recover"]);
    assert!(said.code == 1 && said.stderr.contains("runs already"), "{}", said.stderr);
    let said = ferry.ok(&["recover", "--queue", "DEV.QUEUE.1"]);
    assert!(said.contains("Queue DEV.QUEUE.1: messages read: 5000; given back: 0."), "{said}");
    let said = ferry.run(&["recover", "--queue", "NO.SUCH"]);
    assert!(said.code == 4 && said.stderr.contains("NO.SUCH"), "{}", said.stderr);
    server.kill();

    let folder = ferry.data().join("QM1");
    assert_eq!(damage(&folder, |name| name.starts_with("manifest.")), 2);
    assert!(damage(&folder.join("store"), |name| name.ends_with(".seg")) > 0);
    assert_eq!(ferry.run(&["qmgr", "start", "QM1"]).code, 1);
    let said = ferry.ok(&["recover"]);
    assert!(said.contains("next: ferry qmgr start QM1"), "{said}");
    let server = start(&ferry);
    assert_eq!(numbers(&ferry.ok(&["get", "DEV.QUEUE.1", "--all"])), (1_000..6_000).collect());

    // With newer images, old ones and the log before them go.
    ferry.ok(&["log", "image"]);
    let said = ferry.ok(&["log", "prune", "--keep", "1"]);
    assert!(said.contains("1 image kept") && !said.contains(" 0 files"), "{said}");
    server.kill();
    assert!(ferry.ok(&["log", "verify"]).starts_with("QM1 is whole: "));
}

#[test]
fn an_image_needs_a_linear_log() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    for of_images in [["log", "image"], ["log", "prune"]] {
        let said = ferry.run(&of_images);
        assert!(said.code == 4 && said.stderr.contains("log.kind = \"linear\""), "{}", said.stderr);
    }
    let said = ferry.run(&["recover"]);
    assert!(said.code == 3 && said.stderr.contains("restore a backup"), "{}", said.stderr);

    let linear = Ferry::new();
    create(&linear, "linear");
    let said = linear.run(&["log", "prune"]);
    assert!(said.code == 3 && said.stderr.contains("take one with `ferry log image`"), "{}", said.stderr);
    assert!(!said.stderr.contains("restore a backup"), "{}", said.stderr);
}

/// Kills a backup when it is as far as that: the settings come last, and a pipe keeps it from having them.
fn killed_backup(ferry: &Ferry, is_far: impl Fn() -> bool) {
    let (settings, aside) = (ferry.data().join("QM1/ferry.toml"), ferry.data().join("aside"));
    fs::rename(&settings, &aside).unwrap();
    assert!(Command::new("mkfifo").arg(&settings).status().unwrap().success());
    let mut copying = ferry.command(&["backup", "kept", "-m", "QM1"]).spawn().unwrap();
    while !is_far() {
        assert!(copying.try_wait().unwrap().is_none(), "it has ended");
    }
    copying.kill().unwrap();
    copying.wait().unwrap();
    fs::rename(&aside, &settings).unwrap();
}

/// Kills a restore at the first file that is longer than some kilobytes, by a limit of the system: a part of
/// the queue manager is there then.
fn killed_restore(ferry: &Ferry, backup: &str) {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -c 0; ulimit -f 100; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_ferry")]);
    limited.args(["restore", backup]).current_dir(ferry.data()).env("FERRY_DATA", ferry.data());
    let ended = limited.status().unwrap();
    assert_eq!(ended.signal(), Some(signal_hook::consts::SIGXFSZ), "{ended}");
}

#[test]
fn a_backup_that_is_killed_is_not_in_the_way_of_the_next() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let kept = ferry.data().join("kept");
    let is_far = || kept.join("manifest.1").exists();
    killed_backup(&ferry, is_far);
    let said = ferry.run(&["restore", "kept"]);
    assert!(said.stderr.contains("kept is no finished backup"), "{}", said.stderr);
    ferry.ok(&["backup", "kept", "-m", "QM1"]);
    let parts = fs::read_dir(&kept).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let parts: BTreeSet<String> = parts.collect();
    assert!(parts.contains("backup.json") && !parts.contains("making.lock"), "{parts:?}");

    // What is not a part of a copy is not removed, nor is a whole copy.
    let whole = ferry.run(&["backup", "kept", "-m", "QM1"]);
    assert!(whole.code == 4 && whole.stderr.contains("is there already"), "{}", whole.stderr);
    fs::remove_dir_all(&kept).unwrap();
    killed_backup(&ferry, is_far);
    fs::write(kept.join("notes"), "mine").unwrap();
    let said = ferry.run(&["backup", "kept", "-m", "QM1"]);
    assert!(said.code == 4 && said.stderr.contains("kept/notes is there already"), "{}", said.stderr);
    assert_eq!(fs::read_to_string(kept.join("notes")).unwrap(), "mine");
}

#[test]
fn a_restore_that_is_killed_goes_on_in_the_directory_that_was_made_for_it() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    ferry.ok(&["backup", "kept", "-m", "QM1"]);
    ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
    let folder = ferry.data().join("QM1");
    fs::create_dir(&folder).unwrap();
    killed_restore(&ferry, "kept");
    assert!(fs::read_dir(&folder).unwrap().count() > 0, "a part is there");
    ferry.ok(&["restore", "kept"]);
    assert!(ferry.ok(&["qmgr", "list"]).contains("QM1   ended"));
}

#[test]
fn a_restore_that_is_killed_is_not_in_the_way_of_the_next() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let server = start(&ferry);
    put_numbered(&ferry, 0..2_000);
    let backup = ferry.data().join("backup");
    ferry.ok(&["backup", backup.to_str().unwrap()]);
    server.kill();
    ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
    let folders = || -> Vec<_> {
        let entries = fs::read_dir(ferry.data()).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.to_string_lossy().contains("QM1")).collect()
    };
    killed_restore(&ferry, "backup");
    assert!(!folders().is_empty(), "a part is there");
    let listed = ferry.run(&["qmgr", "list", "-o", "json"]);
    assert_eq!(listed.stdout, "");
    assert!(listed.stderr.contains("the restore of QM1 was cut off: `ferry restore`"), "{}", listed.stderr);
    ferry.ok(&["restore", backup.to_str().unwrap()]);
    assert_eq!(folders(), [ferry.data().join("QM1")]);
    assert!(!ferry.data().join("QM1/making.lock").exists());
    let _server = start(&ferry);
    assert_eq!(numbers(&ferry.ok(&["get", "DEV.QUEUE.1", "--all"])).len(), 2_000);
}

#[test]
fn a_backup_that_fails_leaves_its_directory_for_the_next_try() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let (settings, aside) = (ferry.data().join("QM1/ferry.toml"), ferry.data().join("aside"));
    fs::rename(&settings, &aside).unwrap();
    let failed = ferry.run(&["backup", "kept", "-m", "QM1"]);
    assert!(failed.code == 1 && failed.stderr.contains("ferry.toml"), "{}", failed.stderr);
    assert_eq!(fs::read_dir(ferry.data().join("kept")).unwrap().count(), 0);
    fs::rename(&aside, &settings).unwrap();
    ferry.ok(&["backup", "kept", "-m", "QM1"]);
}

#[test]
fn a_folder_that_is_no_queue_manager_is_not_said_to_be_one() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    ferry.ok(&["backup", "kept", "-m", "QM1"]);
    ferry.ok(&["qmgr", "delete", "QM1", "--yes"]);
    let folder = ferry.data().join("QM1");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("notes"), "").unwrap();
    for arguments in [&["qmgr", "create", "QM1"][..], &["restore", "kept"]] {
        let said = ferry.run(arguments);
        assert!(said.stderr.contains("QM1 is not empty and no queue manager is there"), "{}", said.stderr);
    }
    fs::remove_file(folder.join("notes")).unwrap();
    ferry.ok(&["restore", "kept"]);
}

/// Each command that writes into a folder what is used again later: a backup, messages, a bundle.
#[test]
fn nothing_that_is_used_again_is_written_into_a_folder_that_another_user_may_change() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    ferry.ok(&["tls", "init", "QM1"]);
    ferry.ok(&["tls", "issue", "QM1", "app1"]);
    let place = ferry.data().join("place");
    fs::create_dir_all(place.join("empty")).unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let _server = start(&ferry);
    put_numbered(&ferry, 0..1);
    let at = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let all = [
        vec!["backup".to_owned(), at("empty")],
        vec!["backup".to_owned(), at("none/yet")],
        vec!["export".to_owned(), "DEV.QUEUE.1".to_owned(), "--file".to_owned(), at("messages")],
        ["tls", "bundle", "QM1", "app1"].map(str::to_owned).into_iter().chain([at("app1.ferry")]).collect(),
    ];
    let run = |words: &[String]| ferry.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let refused = |why: &str| {
        for words in &all {
            let said = run(words);
            assert_eq!(said.code, 4, "{words:?}: {}{}", said.stdout, said.stderr);
            assert!(said.stderr.contains(why) && said.stderr.contains("another user"), "{}", said.stderr);
            assert!(said.stderr.contains("next: name a "), "{}", said.stderr);
        }
        let names: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["empty"]);
        assert_eq!(fs::read_dir(place.join("empty")).unwrap().count(), 0);
    };
    mode(&place, 0o777);
    refused("place may be changed by every user");
    mode(&place, 0o755);
    mode(&place.join("empty"), 0o777);
    let said = run(&all[0]);
    assert!(said.code == 4 && said.stderr.contains("empty may be changed by every user"), "{}", said.stderr);
    match std::os::unix::fs::chown(&place, Some(4_000_000), None) {
        Ok(()) => {
            mode(&place, 0o1777);
            refused("place belongs to user 4000000");
            std::os::unix::fs::chown(&place, Some(0), None).unwrap();
        }
        Err(_) => eprintln!("SKIPPED: only root gives files away"),
    }
    // In a sticky folder nobody else replaces what is this user's.
    mode(&place, 0o1777);
    mode(&place.join("empty"), 0o755);
    for words in &all {
        let said = run(words);
        assert_eq!(said.code, 0, "{words:?}: {}{}", said.stdout, said.stderr);
    }
}

#[test]
fn a_program_and_a_user_are_let_in_only_where_their_bundle_can_be_written() {
    let ferry = Ferry::new();
    create(&ferry, "circular");
    let here = ferry.data().join("here");
    fs::create_dir(&here).unwrap();
    fs::set_permissions(&here, fs::Permissions::from_mode(0o777)).unwrap();
    let password = ferry.data().join("password");
    fs::write(&password, "correct horse\n").unwrap();
    fs::set_permissions(&password, fs::Permissions::from_mode(0o600)).unwrap();
    let password = password.to_str().unwrap();
    for words in [
        &["tls", "init", "QM1", "--client", "app1", "--expose", "1416"][..],
        &["user", "add", "QM1", "ada", "--password-file", password, "--expose", "1417"],
    ] {
        let output = ferry.command(words).current_dir(&here).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains(".ferry is not written") && said.contains("here may be changed"), "{said}");
        assert_eq!(fs::read_dir(&here).unwrap().count(), 0);
        assert!(!ferry.data().join("QM1/security").exists(), "nothing is made");
    }
}
