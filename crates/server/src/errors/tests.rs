use std::path::Path;

use objects::messages::{
    ACCEPTING_PAUSED, CHECKPOINT_NOT_TAKEN, CONNECTION_BROKEN, LISTENING, NOT_THE_PROTOCOL, SLOW_LOG,
};

use super::*;
use crate::configuration::{Bytes, Configuration};

fn settings(change: impl FnOnce(&mut Errors)) -> Errors {
    let mut errors = Configuration::default().errors;
    change(&mut errors);
    errors
}

fn lines(directory: &Path, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(directory.join(file)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn an_event_is_one_line_with_all_its_circumstances() {
    let directory = tempfile::tempdir().unwrap();
    let log = ErrorLog::open(directory.path(), "QM1", &settings(|_| ()), None).unwrap();
    log.write(&LISTENING, ["QM1", "127.0.0.1:1414"]);
    drop(log);
    let lines = lines(directory.path(), "errors.log");
    assert_eq!(lines.len(), 1);
    let (time, rest) = lines[0].split_once(' ').unwrap();
    assert!(time.len() == "2026-01-01T00:00:00.000000Z".len() && time.ends_with('Z'), "{time}");
    let process = std::process::id();
    assert!(rest.starts_with(&format!("FRY5002I QM1 [{process}/")), "{rest}");
    let installation = std::env::current_exe().unwrap().parent().unwrap().display().to_string();
    for part in [
        "Queue manager QM1 listens on 127.0.0.1:1414. Explanation: Programs can connect there. Action: None.",
        "crates/server/src/errors/tests.rs:",
        &format!("installation {installation}"),
        "version 0.1.0",
    ] {
        assert!(rest.contains(part), "{part} in {rest}");
    }
}

#[test]
fn hostile_inserts_stay_inside_their_line() {
    let evil = "GET /\r\n2026-01-01T00:00:00.000000Z FRY5004I QM1 forged\u{1b}[2J\u{202e}\u{2028}end";
    for format in [ErrorFormat::Text, ErrorFormat::Json] {
        let directory = tempfile::tempdir().unwrap();
        let log = ErrorLog::open(directory.path(), "QM1", &settings(|it| it.format = format), None).unwrap();
        log.write(&NOT_THE_PROTOCOL, ["tcp 127.0.0.1:5", evil]);
        drop(log);
        let text = std::fs::read_to_string(directory.path().join("errors.log")).unwrap();
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        assert!(!text.contains(['\r', '\u{1b}', '\u{202e}', '\u{2028}']), "{text}");
    }
}

#[test]
fn json_lines_can_be_read_by_programs() {
    let directory = tempfile::tempdir().unwrap();
    let json = settings(|it| it.format = ErrorFormat::Json);
    let log = ErrorLog::open(directory.path(), "QM1", &json, Some(Duration::from_micros(7000))).unwrap();
    let inserts = ["write".to_owned(), "4096".to_owned(), "12345".to_owned()].to_vec();
    log.engine_event(&queue_manager::Event::new("FRY6729W", inserts));
    drop(log);
    let line: serde_json::Value = serde_json::from_str(&lines(directory.path(), "errors.log")[0]).unwrap();
    assert_eq!(line["id"], SLOW_LOG.id());
    assert_eq!(line["severity"], "warning");
    let message =
        "A write of 4096 bytes of the recovery log took 12345 microseconds; more than 7000 are reported.";
    assert_eq!(line["message"], message);
    assert_eq!(line["inserts"][3], "7000");
    assert_eq!(line["queue_manager"], "QM1");
    // Where the engine noted it, which here is this test.
    assert!(line["source"].as_str().unwrap().starts_with("crates/server/src/errors/tests.rs:"), "{line}");
    let installation = std::env::current_exe().unwrap();
    assert_eq!(line["installation"].as_str(), installation.parent().unwrap().to_str());
}

#[test]
fn an_event_without_a_row_is_said_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let log = ErrorLog::open(directory.path(), "QM1", &settings(|_| ()), None).unwrap();
    log.engine_event(&queue_manager::Event::new("FRY0042E", vec!["odd".to_owned()]));
    drop(log);
    assert!(lines(directory.path(), "errors.log")[0].contains("FRY0042E, odd."));
}

#[test]
fn full_files_are_put_aside_and_the_oldest_goes() {
    let directory = tempfile::tempdir().unwrap();
    let small = settings(|it| {
        (it.file_size_max, it.files, it.flood_max) = (Bytes(64 << 10), 3, 100_000);
    });
    let log = ErrorLog::open(directory.path(), "QM1", &small, None).unwrap();
    for number in 0..2_000 {
        log.write(&CONNECTION_BROKEN, [format!("tcp 127.0.0.1:{number}"), "test".to_owned()]);
        if number % 100 == 0 {
            log.flush();
        }
    }
    drop(log);
    let mut names: Vec<_> =
        std::fs::read_dir(directory.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort_unstable();
    assert_eq!(names, ["errors.1.log", "errors.2.log", "errors.log"]);
    let kept: Vec<String> = ["errors.2.log", "errors.1.log", "errors.log"]
        .iter()
        .flat_map(|name| lines(directory.path(), name))
        .collect();
    assert!(kept.last().unwrap().contains("127.0.0.1:1999 "));
    let first: usize = 2_000 - kept.len();
    assert!(kept[0].contains(&format!("127.0.0.1:{first} ")), "no line is missing in between");
    for name in ["errors.log", "errors.1.log", "errors.2.log"] {
        assert!(std::fs::metadata(directory.path().join(name)).unwrap().len() <= 64 << 10);
    }
}

#[test]
fn a_file_that_cannot_be_put_aside_is_written_on() {
    let directory = tempfile::tempdir().unwrap();
    let small = settings(|it| {
        (it.file_size_max, it.files, it.flood_max) = (Bytes(64 << 10), 3, 100_000);
    });
    let log = ErrorLog::open(directory.path(), "QM1", &small, None).unwrap();
    std::fs::create_dir_all(directory.path().join("errors.2.log/in the way")).unwrap();
    let write = |numbers: std::ops::Range<u32>| {
        for number in numbers {
            log.write(&CONNECTION_BROKEN, [format!("tcp 127.0.0.1:{number}"), "test".to_owned()]);
            log.flush();
        }
    };
    write(0..500);
    let all = ["errors.1.log", "errors.log"].map(|name| lines(directory.path(), name)).concat();
    assert_eq!(all.len(), 500, "each event is in the log");
    std::fs::remove_dir_all(directory.path().join("errors.2.log")).unwrap();
    write(500..501);
    assert_eq!(lines(directory.path(), "errors.log").len(), 1, "it is put aside when that can be");
}

#[test]
fn a_flood_is_cut_and_counted() {
    let directory = tempfile::tempdir().unwrap();
    let log = ErrorLog::open(directory.path(), "QM1", &settings(|it| it.flood_max = 5), None).unwrap();
    for number in 0..500 {
        log.write(&CONNECTION_BROKEN, [format!("tcp 127.0.0.1:{number}"), "test".to_owned()]);
    }
    log.write(&LISTENING, ["QM1", "elsewhere"]);
    log.flush();
    let soon = lines(directory.path(), "errors.log");
    assert_eq!(soon.len(), 6, "five of the flood and the other one");
    let until = Instant::now() + Duration::from_secs(10);
    while lines(directory.path(), "errors.log").len() < 7 {
        assert!(Instant::now() < until, "the count is said although nothing else happens");
        std::thread::sleep(Duration::from_millis(20));
    }
    let count = &lines(directory.path(), "errors.log")[6];
    assert!(
        count.contains("FRY5007W") && count.contains("495 more events FRY9002W were left out"),
        "{count}"
    );
}

#[test]
fn a_state_that_lasts_is_said_once_and_at_its_end_with_a_count() {
    let directory = tempfile::tempdir().unwrap();
    let log = ErrorLog::open(directory.path(), "QM1", &settings(|_| ()), None).unwrap();
    for (row, text) in [(&ACCEPTING_PAUSED, "no descriptors"), (&CHECKPOINT_NOT_TAKEN, "full")] {
        (0..50).for_each(|_| log.write(row, [text]));
        log.write(row, ["something else"]);
    }
    (0..3).for_each(|number| log.write(&CONNECTION_BROKEN, ["tcp".to_owned(), number.to_string()]));
    log.flush();
    let soon = lines(directory.path(), "errors.log");
    let number = |line: &String| line.split_whitespace().nth(1).unwrap().to_owned();
    let numbers: Vec<String> = soon.iter().map(number).collect();
    let lasting = |id: &str| [id.to_owned(), "FRY5011I".to_owned(), id.to_owned()];
    let rest = ["FRY9002W"; 3].map(str::to_owned);
    assert_eq!(numbers, [&lasting("FRY9004W")[..], &lasting("FRY7464W"), &rest].concat());
    assert!(soon[1].contains("The event FRY9004W came 49 more times"), "{}", soon[1]);
    // One that lasts at the end of the log is told of too.
    log.write(&CHECKPOINT_NOT_TAKEN, ["something else"]);
    drop(log);
    let last = lines(directory.path(), "errors.log").pop().unwrap();
    assert!(last.contains("The event FRY7464W came 1 more times"), "{last}");
}

#[test]
fn a_failure_is_recorded_quickly_and_where_the_disk_takes_nothing_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let system_log = directory.path().join("system");
    let socket = std::os::unix::net::UnixDatagram::bind(&system_log).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let errors = directory.path().join("errors");
    let settings = settings(|it| it.system_log.0 = system_log);
    let log = ErrorLog::open(&errors, "QM1", &settings, None).unwrap();
    let began = Instant::now();
    let here = log.failure("the log failed: I/O error", "").unwrap();
    let took = began.elapsed();
    assert!(here.starts_with(&errors), "{here:?}");
    assert!(took < Duration::from_millis(50), "{took:?}");
    let found = FailureRecord::newest(&errors).unwrap();
    assert_eq!((&found.path, found.what.as_str()), (&here, "the log failed: I/O error"));

    // What is written in a directory that was removed is refused, as by a file system that can only be read.
    let moved = directory.path().join("moved");
    std::fs::rename(&errors, &moved).unwrap();
    let held = HeldDirectory::open(&moved).unwrap();
    std::fs::remove_dir_all(&moved).unwrap();
    let content = failure::Content { queue_manager: "QM1", what: "read-only", context: "", recent: &[] };
    let there = failure::record(&held, failure::Kind::Failure, &content).expect("a place elsewhere");
    assert!(!there.starts_with(directory.path()), "{there:?}");
    assert!(std::fs::read_to_string(&there).unwrap().contains("what: read-only"));
    std::fs::remove_file(there).unwrap();

    let mut entry = [0; 4096];
    let length = socket.recv(&mut entry).unwrap();
    let entry = String::from_utf8_lossy(&entry[..length]);
    assert!(entry.starts_with("<27>ferry[") && entry.contains("the log failed: I/O error"), "{entry}");
}

#[test]
fn warnings_go_to_the_log_of_the_system_where_that_is_wanted_and_what_informs_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let system_log = directory.path().join("system");
    let socket = std::os::unix::net::UnixDatagram::bind(&system_log).unwrap();
    socket.set_nonblocking(true).unwrap();
    for (also, expected) in [(Also::SystemLog, true), (Also::Nothing, false)] {
        let settings = settings(|it| (it.also, it.system_log.0) = (also, system_log.clone()));
        let log = ErrorLog::open(&directory.path().join("errors"), "QM1", &settings, None).unwrap();
        log.write(&LISTENING, ["QM1", "somewhere"]);
        log.write(&CONNECTION_BROKEN, ["tcp", "test"]);
        drop(log);
        let mut entry = [0; 4096];
        let first =
            socket.recv(&mut entry).map(|length| String::from_utf8_lossy(&entry[..length]).into_owned());
        assert_eq!(
            first.is_ok_and(|entry| entry.starts_with("<28>") && entry.contains("FRY9002W")),
            expected
        );
    }
}

#[test]
fn a_first_failure_record_says_what_was_known() {
    let directory = tempfile::tempdir().unwrap();
    let log = ErrorLog::open(directory.path(), "QM1", &settings(|_| ()), None).unwrap();
    log.write(&LISTENING, ["QM1", "127.0.0.1:1414"]);
    let record =
        log.failure("the log failed: write of log/1 at offset 8192: I/O error", "settings: …").unwrap();
    let text = std::fs::read_to_string(record).unwrap();
    for part in
        ["what: the log failed: write of log/1", "queue manager: QM1", "FRY5002I", "settings: …", "VmRSS"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    for _ in 0..30 {
        log.failure("again", "");
    }
    let records = std::fs::read_dir(directory.path()).unwrap().count() - 1;
    assert!(records <= 20, "{records} records");
}

#[test]
fn a_slow_write_leaves_one_record_when_asked_to_and_no_second_one_at_once() {
    for (asked, expected) in [(false, 0), (true, 1)] {
        let directory = tempfile::tempdir().unwrap();
        let log =
            ErrorLog::open(directory.path(), "QM1", &settings(|it| it.slow_io_record = asked), None).unwrap();
        let inserts: Vec<String> = ["write", "4096", "12345", "7000"].map(str::to_owned).to_vec();
        for _ in 0..3 {
            log.engine_event(&queue_manager::Event::new("FRY6729W", inserts.clone()));
        }
        drop(log);
        let names = std::fs::read_dir(directory.path()).unwrap().flatten().map(|entry| entry.path());
        let is_record = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("slow-io-");
        let records: Vec<PathBuf> = names.filter(is_record).collect();
        assert_eq!(records.len(), expected);
        for path in records {
            let text = std::fs::read_to_string(path).unwrap();
            for part in ["12345 microseconds", "queue manager: QM1", "ferry-errors", "# Last events"] {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
    }
}

/// Runs one of these tests alone in a process of its own, of which standard error takes nothing; whether this
/// is that process.
fn is_on_full_standard_error(test: &str) -> bool {
    const MARK: &str = "FERRY_TEST_ON_FULL_STANDARD_ERROR";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--nocapture", "--exact", &format!("errors::tests::{test}")]).env(MARK, "1").stderr(full);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    false
}

#[test]
fn an_event_that_can_be_said_nowhere_does_not_keep_later_ones_out_of_the_log() {
    let directory = tempfile::tempdir().unwrap();
    if !is_on_full_standard_error("an_event_that_can_be_said_nowhere_does_not_keep_later_ones_out_of_the_log")
    {
        return;
    }
    let errors = directory.path().join("errors.log");
    std::os::unix::fs::symlink("/dev/full", &errors).unwrap();
    let log = ErrorLog::open(directory.path(), "QM1", &settings(|_| ()), None).unwrap();
    log.write(&LISTENING, ["QM1", "one"]);
    log.flush();
    std::fs::remove_file(&errors).unwrap();
    log.shared.file.lock().file = Rotating::open(directory.path(), "errors", 1 << 20, 3).unwrap();
    log.write(&LISTENING, ["QM1", "two"]);
    drop(log);
    let lines = lines(directory.path(), "errors.log");
    assert!(lines.len() == 1 && lines[0].contains("listens on two"), "{lines:?}");
}
