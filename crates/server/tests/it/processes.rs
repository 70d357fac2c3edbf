//! A server in a process of its own, killed and told to end. The process is this test program again, running
//! the test `serve` below.

use std::io::{BufRead, BufReader, Lines, Read as _, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, setrlimit};
use server::process::Owner;
use server::{DataDirectory, Mode, Server, instances};
use signal_hook::consts::{SIGUSR2, SIGXFSZ};
use signal_hook::iterator::Signals;

use crate::running::{Place, command, connect, eventually, get, open, put};

const DATA: &str = "FERRY_TEST_DATA";
const HARM: &str = "FERRY_TEST_HARM";
/// The fault that a child is to have planted.
#[cfg(feature = "planted")]
pub(crate) const PLANTED: &str = "FERRY_TEST_PLANTED";

/// The child: runs QM1 of the directory named by the environment until it is told to end.
#[test]
#[ignore = "run in processes of their own by the tests below"]
fn serve() {
    #[cfg(feature = "planted")]
    if let Ok(name) = std::env::var(PLANTED) {
        let fault = storage::planted::Fault::named(&name).expect("the name of a fault");
        storage::planted::plant_everywhere(fault);
    }
    let data = DataDirectory::at(std::env::var_os(DATA).unwrap());
    let options = server::Options {
        addresses: Some(vec!["127.0.0.1:0".parse().unwrap()]),
        ends_process: true,
        ..server::Options::new(data, "QM1".parse().unwrap())
    };
    let owner = Owner::start(&options).unwrap();
    if let Some(harm) = std::env::var_os(HARM) {
        let signals = Signals::new([SIGUSR2]).unwrap();
        std::thread::spawn(move || do_harm(&harm.to_string_lossy(), signals));
    }
    let say = |server: &Server| writeln!(std::io::stdout(), "\nlistens {}", server.address().unwrap());
    owner.run(say).unwrap();
}

/// Harms the child's own process when it receives SIGUSR2.
fn do_harm(harm: &str, mut signals: Signals) {
    // A file may grow no further than this; what is written beyond fails, as on a broken disk.
    let beyond = Rlimit { current: Some(1 << 20), maximum: Some(1 << 20) };
    signal_hook::flag::register(SIGXFSZ, Arc::default()).unwrap();
    signals.forever().next();
    match harm {
        "log" => setrlimit(Resource::Fsize, beyond).unwrap(),
        _ => panic!("a shelf is {harm}"),
    }
}

/// Longer than any end takes: a machine whose disk is busy flushes a few times a second.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Process {
    child: Child,
    address: String,
    /// Kept, or the child could not say how it ended.
    _says: Lines<BufReader<ChildStdout>>,
}

impl Process {
    pub(crate) fn start(place: &Place) -> Self {
        Self::start_with(place, &[])
    }

    pub(crate) fn start_with(place: &Place, environment: &[(&str, &str)]) -> Self {
        Self::start_by(
            Command::new(std::env::current_exe().unwrap()).envs(environment.iter().copied()),
            place,
        )
    }

    /// By a command that runs this program with the arguments it is given.
    fn start_by(command: &mut Command, place: &Place) -> Self {
        let mut child = command
            .args(["--ignored", "--exact", "processes::serve", "--nocapture", "--test-threads=1"])
            .env(DATA, place.data.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = says
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listens ").map(str::to_owned))
            .expect("the server says where it listens");
        Self { child, address, _says: says }
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The memory of the process that is resident.
    pub(crate) fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().trim().parse::<u64>().unwrap() << 10
    }

    /// Ends it as `kill -9` does; gone when this returns.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.ends_within(PATIENCE).expect("what is killed ends");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn ends_within(&mut self, limit: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + limit;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The access rights of everything in a folder, at any depth. A running queue manager renames and removes
/// files meanwhile: what has gone since it was listed is left out.
fn modes_of(folder: &std::path::Path) -> Vec<(std::path::PathBuf, u32)> {
    use std::os::unix::fs::PermissionsExt as _;
    let is_gone = |error: std::io::Error| {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{}: {error}", folder.display());
    };
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder).map_err(is_gone) else { return found };
    for entry in entries {
        let path = entry.unwrap().path();
        let Ok(metadata) = std::fs::metadata(&path).map_err(is_gone) else { continue };
        if metadata.is_dir() {
            found.extend(modes_of(&path));
        }
        found.push((path, metadata.permissions().mode()));
    }
    found
}

#[test]
fn modes_are_read_while_files_are_renamed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, ends) = (folder.path().to_owned(), Arc::new(AtomicBool::new(false)));
    let until = Arc::clone(&ends);
    let writer = std::thread::spawn(move || {
        while !until.load(Ordering::Relaxed) {
            let inner = path.join("inner");
            std::fs::create_dir(&inner).unwrap();
            std::fs::write(inner.join("file.new"), "").unwrap();
            std::fs::rename(inner.join("file.new"), inner.join("file")).unwrap();
            std::fs::remove_dir_all(&inner).unwrap();
        }
    });
    std::fs::write(folder.path().join("stays"), "").unwrap();
    for _ in 0..2_000 {
        assert!(modes_of(folder.path()).iter().any(|(path, _)| path.ends_with("stays")));
    }
    ends.store(true, Ordering::Relaxed);
    writer.join().unwrap();
}

#[test]
fn a_process_leaves_no_core_and_all_its_files_are_for_their_owner_alone() {
    let place = Place::with_settings("[health]\naddress = \"127.0.0.1:0\"\n");
    let process = Process::start(&place);
    let mut connection = connect(process.address());
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", process.id())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().nth(4), Some("0"), "{core}");
    eventually("it has counted", || place.folder().join("running.counted").exists());
    let modes = modes_of(&place.folder());
    for name in ["running", "running.counted", "health"] {
        assert!(modes.iter().any(|(path, _)| path.ends_with(name)), "{name} is not there");
    }
    for (path, mode) in modes {
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    let place = Place::new();
    let mut acknowledged = Vec::new();
    let mut got = Vec::new();
    for round in 0..5_u8 {
        let mut process = Process::start(&place);
        let mut connection = connect(&process.address);
        if round == 0 {
            command(&mut connection, "DEFINE QLOCAL(Q) MAXDEPTH(100000)");
        }
        let mut getter = connect(&process.address);
        let from = open(&mut getter, "Q", OpenOptions::INPUT_SHARED);
        for _ in 0..(acknowledged.len() - got.len()) / 2 {
            got.push(get(&mut getter, from, Duration::ZERO, GetFlags::EMPTY).unwrap());
        }
        let mut putting = connect(&process.address);
        let putter = std::thread::spawn(move || {
            let connection = &mut putting;
            let queue = mqi::ObjectDescriptor::queue("Q".parse().unwrap());
            let Ok(opened) = connection.open(&queue, OpenOptions::OUTPUT) else { return Vec::new() };
            let to = opened.handle;
            (0..=255_u8)
                .map_while(|number| {
                    let body = vec![round, number];
                    let put = put(connection, to, &body, Persistence::Persistent, PutFlags::EMPTY);
                    put.ok().map(|_| body)
                })
                .collect::<Vec<_>>()
        });
        // An open unit of work that the kill must undo.
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        put(&mut connection, to, b"never", Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
        std::thread::sleep(Duration::from_millis(15 * u64::from(round + 1)));
        process.signal(Signal::KILL);
        process.ends_within(PATIENCE).unwrap();
        acknowledged.extend(putter.join().unwrap());
    }
    let process = Process::start(&place);
    let mut connection = connect(&process.address);
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    while let Ok(body) = get(&mut connection, from, Duration::ZERO, GetFlags::EMPTY) {
        got.push(body);
    }
    assert!(got.is_sorted(), "in order");
    let distinct: std::collections::BTreeSet<_> = got.iter().cloned().collect();
    assert_eq!(distinct.len(), got.len(), "each once");
    // A put that was under way when the server died may be there although nobody was told.
    for body in &acknowledged {
        assert!(distinct.contains(body), "{body:?} was acknowledged and is lost");
    }
    assert!(distinct.iter().all(|body| body.len() == 2), "nothing of a unit of work that never ended");
    assert!(got.len() <= acknowledged.len() + 5, "at most one unacknowledged put for each kill");
}

#[test]
fn a_signal_quiesces_and_a_second_one_ends_at_once() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut connection = connect(&process.address);
    process.signal(Signal::TERM);
    assert!(process.ends_within(Duration::from_millis(300)).is_none(), "it waits for the program");
    assert!(connection.commit().is_ok());
    process.signal(Signal::TERM);
    let status = process.ends_within(PATIENCE).expect("the second signal ends it");
    assert_eq!(status.code(), Some(server::process::CUT_OFF));

    let mut process = Process::start(&place);
    drop(connect(&process.address));
    process.signal(Signal::INT);
    let status = process.ends_within(PATIENCE).expect("nobody is connected");
    assert!(status.success());
    assert!(!place.folder().join("socket").exists());
}

/// As under nohup: the terminal it was started from is closed, and it goes on.
#[test]
fn a_hang_up_ends_it_unless_it_was_started_to_outlive_its_terminal() {
    let place = Place::new();
    // The process that runs the tests may have been started to outlive its own.
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP").arg(std::env::current_exe().unwrap());
    let mut process = Process::start_by(&mut command, &place);
    process.signal(Signal::HUP);
    assert!(process.ends_within(PATIENCE).expect("nobody is connected").success());

    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(std::env::current_exe().unwrap());
    let mut process = Process::start_by(&mut command, &place);
    process.signal(Signal::HUP);
    assert!(process.ends_within(Duration::from_millis(300)).is_none(), "it goes on");
    connect(&process.address).disconnect().unwrap();
    process.signal(Signal::TERM);
    assert!(process.ends_within(PATIENCE).expect("it is told to end").success());
}

#[test]
fn a_second_process_on_the_same_directory_is_refused() {
    let place = Place::new();
    let process = Process::start(&place);
    let error = match Server::start(&place.options()) {
        Ok(_) => panic!("two servers on one directory"),
        Err(error) => error.to_string(),
    };
    let expected = format!("queue manager QM1 runs already, as process {}:", process.child.id());
    assert!(error.starts_with(&expected), "{error}");
    let instance = instances::find(&place.data, &place.name).unwrap();
    assert_eq!(instances::signal(&instance, Mode::Quiesce).unwrap(), process.child.id());
    eventually("it ends", || instances::find(&place.data, &place.name).unwrap().running.is_none());
    assert_eq!(
        instances::signal(&instances::find(&place.data, &place.name).unwrap(), Mode::Quiesce)
            .unwrap_err()
            .to_string(),
        "queue manager QM1 does not run"
    );
}

#[test]
fn a_start_after_an_unexpected_end_says_so_on_standard_error_where_the_settings_want_it() {
    for (also, is_said) in [("stderr", true), ("nothing", false)] {
        let place = Place::with_settings(&format!("[errors]\nalso = \"{also}\"\n"));
        let counted = place.folder().join("running.counted");
        let mut process = Process::start(&place);
        let mut connection = connect(&process.address);
        command(&mut connection, "DEFINE QLOCAL(Q)");
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        for persistence in [Persistence::Persistent, Persistence::NotPersistent, Persistence::NotPersistent] {
            put(&mut connection, to, b"x", persistence, PutFlags::EMPTY).unwrap();
        }
        // With the event that tells of the start.
        let is_counted =
            || std::fs::read_to_string(&counted).is_ok_and(|text| text.contains("\"not_persistent\":3"));
        eventually("they are counted", is_counted);
        process.signal(Signal::KILL);
        process.ends_within(PATIENCE).unwrap();

        let mut test = Command::new(std::env::current_exe().unwrap());
        let mut process = Process::start_by(test.stderr(Stdio::piped()), &place);
        let mut said = process.child.stderr.take().unwrap();
        eventually("the start is told of", || place.error_log().contains("FRY5010W"));
        process.signal(Signal::TERM);
        assert_eq!(process.ends_within(PATIENCE).unwrap().code(), Some(0));
        let mut text = String::new();
        said.read_to_string(&mut text).unwrap();
        assert_eq!(text.contains("FRY5010W"), is_said, "{also}: {text}");
        assert!(!text.contains("FRY5001I"), "information is not said: {text}");
        let told = place.error_log();
        let expected = "did not end in order; messages on its queues now: 1; non-persistent messages that are gone: \
                        about 3 (counted at 2";
        assert!(told.contains(expected), "{told}");
        assert!(!counted.exists(), "the last end was in order");
    }
}

/// The event that tells of a start is put by that start.
#[test]
fn a_start_after_an_unexpected_end_counts_what_it_found_and_says_what_it_does_not_know() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut connection = connect(&process.address);
    command(&mut connection, "ALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) DEFPSIST(YES)");
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    for _ in 0..2 {
        put(&mut connection, to, b"x", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    }
    let counted = place.folder().join("running.counted");
    for (found, removed) in [(2, false), (3, true)] {
        let is_counted = || std::fs::metadata(&counted).is_ok_and(|found| found.len() > 0);
        eventually("its messages are counted", is_counted);
        process.signal(Signal::KILL);
        process.ends_within(PATIENCE).unwrap();
        if removed {
            std::fs::remove_file(&counted).unwrap();
        }
        let before = place.error_log().len();
        process = Process::start(&place);
        let lost = match removed {
            false => "about ",
            true => "their number is not known",
        };
        let expected =
            format!("; messages on its queues now: {found}; non-persistent messages that are gone: {lost}");
        eventually("the start is told of", || place.error_log()[before..].contains(&expected));
    }
}

/// From the moment when files are taken away to the end of the process: a second, and another for a busy
/// machine.
const NOTICED_WITHIN: Duration = Duration::from_secs(2);

#[test]
fn what_is_taken_away_from_under_a_queue_manager_ends_it_and_is_named() {
    for (thing, is_replaced) in [
        ("", false),
        ("", true),
        ("log", false),
        ("storage.lock", false),
        ("manifest.0", true),
        ("store", true),
    ] {
        let place = Place::new();
        let folder = place.folder();
        let mut process = Process::start(&place);
        let mut connection = connect(&process.address);
        command(&mut connection, "DEFINE QLOCAL(Q)");
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        let mut put_one = || put(&mut connection, to, b"kept", Persistence::Persistent, PutFlags::EMPTY);
        put_one().unwrap();
        let (path, aside) = (folder.join(thing), place.directory.path().join(".aside"));
        if is_replaced {
            // In one step: between two the thing is away, and that would be noticed instead.
            copy(&path, &aside);
            swap(&path, &aside);
        } else {
            std::fs::rename(&path, &aside).unwrap();
        }
        let began = Instant::now();
        let acknowledged = 1 + std::iter::from_fn(|| put_one().ok()).count();
        let status = process.ends_within(PATIENCE).expect("it ends by its own decision");
        let took = began.elapsed();
        assert!(took < NOTICED_WITHIN, "{thing}: {took:?}");
        assert_eq!(status.code(), Some(server::process::FAILED), "{thing}");

        // Nobody made anything where the folder was, and what was said is where it went.
        if is_replaced {
            let _ = std::fs::remove_dir_all(&path).or_else(|_| std::fs::remove_file(&path));
        }
        assert!(!path.exists(), "{thing}");
        std::fs::rename(&aside, &path).unwrap();
        let records = failure_records(&place);
        let expected = format!("{} was {}", path.display(), if is_replaced { "replaced" } else { "removed" });
        let expected = expected.replace("QM1/ was", "QM1 was");
        assert!(records.len() == 1 && records[0].contains(&expected), "{expected} in {records:?}");
        assert!(place.error_log().contains(&expected), "{}", place.error_log());

        let end = server::UnexpectedEnd::of(&place.data.folder(&place.name)).expect("it had no last word");
        assert!(end.failure.is_some_and(|record| record.what.contains(&expected)), "{thing}");
        let server = place.start();
        eventually("the start is told of", || place.error_log().contains("FRY5010W"));
        let log = place.error_log();
        let first = log.lines().skip_while(|line| !line.contains("FRY5005E")).nth(1).unwrap_or_default();
        assert!(first.contains("FRY5010W") && first.contains(&expected), "{thing}: {log}");
        let mut connection = connect(&crate::running::address(&server));
        let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
        let got =
            std::iter::from_fn(|| get(&mut connection, from, Duration::ZERO, GetFlags::EMPTY).ok()).count();
        assert!((acknowledged..=acknowledged + 1).contains(&got), "{thing}: {acknowledged}, {got} got");
    }
}

/// A copy made while the queue manager runs: a file that goes away meanwhile is not in it.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    Command::new("cp").arg("-r").args([from, to]).status().unwrap();
    assert!(to.exists(), "{} was copied", from.display());
}

fn swap(one: &std::path::Path, other: &std::path::Path) {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("the file system swaps two names");
}

#[test]
fn a_copy_and_a_restore_beside_it_are_no_alarm() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut connection = connect(&process.address);
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    for round in 0..3 {
        put(&mut connection, to, b"kept", Persistence::Persistent, PutFlags::EMPTY).unwrap();
        let copy = place.directory.path().join(format!("copy{round}"));
        server::backups::backup(&place.data.folder(&place.name), &copy, &mut |_| {}).unwrap();
        let other = DataDirectory::at(place.directory.path().join(format!("other{round}")));
        server::backups::restore(&other, &copy, &mut |_| {}).unwrap();
    }
    std::thread::sleep(NOTICED_WITHIN);
    put(&mut connection, to, b"kept", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    process.signal(Signal::TERM);
    drop(connection);
    assert_eq!(process.ends_within(PATIENCE).unwrap().code(), Some(0));
}

#[test]
fn a_getter_waits_across_nothing_but_its_own_server() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut connection = connect(&process.address);
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    let waiting =
        std::thread::spawn(move || get(&mut connection, from, Duration::from_secs(30), GetFlags::EMPTY));
    std::thread::sleep(Duration::from_millis(100));
    process.signal(Signal::KILL);
    process.ends_within(PATIENCE).unwrap();
    assert_eq!(waiting.join().unwrap(), Err(Reason::CONNECTION_BROKEN));
}

fn failure_records(place: &Place) -> Vec<String> {
    let files = std::fs::read_dir(place.folder().join("errors")).unwrap().map(|entry| entry.unwrap().path());
    let records = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("failure-"));
    records.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn a_log_that_fails_ends_the_process_with_a_record_and_loses_nothing_acknowledged() {
    let place = Place::new();
    let mut process = Process::start_with(&place, &[(HARM, "log")]);
    let mut connection = connect(&process.address);
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    process.signal(Signal::USR2);
    let body = vec![1; 20_000];
    let mut put_one = |_| put(&mut connection, to, &body, Persistence::Persistent, PutFlags::EMPTY);
    let acknowledged = (0..1_000).map_while(|number| put_one(number).ok()).count();
    assert!((1..200).contains(&acknowledged), "the log failed after about a mebibyte: {acknowledged}");
    let status = process.ends_within(PATIENCE).expect("it ends by its own decision");
    assert_eq!(status.code(), Some(server::process::FAILED));
    assert!(place.error_log().contains("FRY5005E"), "{}", place.error_log());
    let records = failure_records(&place);
    assert_eq!(records.len(), 1);
    for part in ["the recovery log failed", "queue manager: QM1", "extent_size", "FRY5001I"] {
        assert!(records[0].contains(part), "{part} in {}", records[0]);
    }
    drop(process);
    let server = place.start();
    let mut connection = connect(&crate::running::address(&server));
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    let got = std::iter::from_fn(|| get(&mut connection, from, Duration::ZERO, GetFlags::EMPTY).ok()).count();
    assert!((acknowledged..=acknowledged + 1).contains(&got), "{acknowledged} acknowledged, {got} got");
}

#[test]
fn a_broken_invariant_leaves_a_record_and_ends_the_process() {
    let place = Place::new();
    let mut process = Process::start_with(&place, &[(HARM, "broken")]);
    process.signal(Signal::USR2);
    let status = process.ends_within(PATIENCE).expect("it ends by its own decision");
    assert_eq!(status.code(), Some(server::process::FAILED));
    let records = failure_records(&place);
    assert_eq!(records.len(), 1);
    assert!(
        records[0].contains("an invariant is broken") && records[0].contains("a shelf is broken"),
        "{}",
        records[0]
    );
    drop(place.start());
}
