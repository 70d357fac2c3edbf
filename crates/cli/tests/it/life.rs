//! Queue managers as an administrator meets them: what is refused says of what, why and what to do.

use std::io::{BufRead as _, Write as _};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use client::{Address, Connection, Options};
use mqi::Verbs as _;
use serde_json::Value;

use crate::support::{Ferry, Server, free_port, signal};

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

/// The file of its output is on a full disk.
#[test]
fn a_queue_manager_whose_announcement_cannot_be_written_goes_on() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=1MiB"]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut started = ferry.command(&["qmgr", "start", "QM1"]).stdout(full).spawn().unwrap();
    let begun = Instant::now();
    while ferry.run(&["mqsc", "-e", "DEFINE QLOCAL(Q) REPLACE"]).code != 0
        && begun.elapsed() < Duration::from_secs(20)
    {
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(200));
    let ended = started.try_wait().unwrap();
    assert!(ended.is_none(), "{ended:?}");
    ferry.ok(&["put", "Q", "x"]);
    ferry.ok(&["stop"]);
    assert!(started.wait().unwrap().success());
}

#[test]
fn of_those_who_make_or_start_a_queue_manager_at_once_none_is_told_of_what_the_first_holds() {
    let ferry = Ferry::new();
    // One whose settings come late is still being started.
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=1MiB"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["stop"]);
    assert_eq!(server.wait(), 0);
    let settings = ferry.data().join("QM1/ferry.toml");
    let text = std::fs::read(&settings).unwrap();
    std::fs::remove_file(&settings).unwrap();
    assert!(Command::new("mkfifo").arg(&settings).status().unwrap().success());
    let mut first = ferry.command(&["qmgr", "start", "QM1"]).stdout(Stdio::null()).spawn().unwrap();
    // That it can be written says that it is read.
    let mut late = std::fs::OpenOptions::new().write(true).open(&settings).unwrap();
    let mut second = ferry.command(&["qmgr", "start", "QM1"]).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while second.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = second.kill();
    let said = String::from_utf8(second.wait_with_output().unwrap().stderr).unwrap();
    let already =
        "ferry: queue manager QM1 is being started already\n  next: ferry qmgr list shows when it runs\n";
    assert_eq!(said, already);
    signal(first.id(), "TERM");
    late.write_all(&text).unwrap();
    drop(late);
    assert_eq!(first.wait().unwrap().code(), Some(0));

    let beside = ferry.data().join(".creating.QM2");
    std::fs::create_dir(&beside).unwrap();
    let _making = server::durable_files::disk(&beside).lock(Path::new("making.lock")).unwrap();
    let under_way = "ferry: the creation of queue manager QM2 is under way in another process\n";
    for command in
        [&["qmgr", "create", "QM2"][..], &["dev", "-m", "QM2"], &["qmgr", "delete", "QM2", "--yes"]]
    {
        let said = ferry.run(command);
        assert_eq!((said.code, said.stderr.as_str()), (1, under_way), "{command:?}");
    }
}

#[test]
fn a_queue_manager_in_the_background_holds_nothing_open_of_who_started_it() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let start = format!("{} qmgr start QM1 --detach --port 0 -o json 7>callers", env!("CARGO_BIN_EXE_ferry"));
    let started =
        Command::new("sh").args(["-c", &start]).current_dir(ferry.data()).env("FERRY_DATA", ".").output();
    let started: Value = serde_json::from_slice(&started.unwrap().stdout).expect("it started");
    let open = std::fs::read_dir(format!("/proc/{}/fd", started["process"])).unwrap();
    let open: Vec<_> = open.flat_map(|entry| std::fs::read_link(entry.unwrap().path())).collect();
    ferry.ok(&["stop"]);
    assert!(open.iter().any(|path| path.ends_with("QM1/errors/start.log")), "{open:?}");
    assert!(!open.contains(&ferry.data().join("callers")), "{open:?}");
}

/// A queue manager that waits for a program, which is connected, to end.
fn waiting_for_a_program(ferry: &Ferry) -> (Server, Connection) {
    let settings = ["--set", "log.extent_size=1MiB", "--set", "stop.quiesce_seconds=10"];
    ferry.ok(&[&["qmgr", "create", "QM1"], &settings[..]].concat());
    let server = ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    let address: Address = format!("127.0.0.1:{}", server.port()).parse().unwrap();
    let program = Connection::connect(Options::to(address.clone())).unwrap();
    ferry.ok(&["stop", "--no-wait"]);
    while Connection::connect(Options::to(address.clone())).is_ok() {
        thread::sleep(Duration::from_millis(5));
    }
    (server, program)
}

#[test]
fn one_that_waits_for_its_programs_ends_without_them_when_it_is_told_so() {
    for how in ["--immediate", "--preemptive"] {
        let ferry = Ferry::new();
        let _connected = waiting_for_a_program(&ferry);
        ferry.ok(&["stop", how]);
        let log = std::fs::read_to_string(ferry.data().join("QM1/errors/errors.log")).unwrap();
        assert!(!log.contains("the limit of stop.quiesce_seconds"), "{how}: {log}");
    }
}

#[test]
fn one_elsewhere_that_waits_for_its_programs_hears_how_urgent_its_end_is() {
    for (how, waits) in [("--quiesce", true), ("--immediate", false), ("--preemptive", false)] {
        let ferry = Ferry::new();
        let (server, mut program) = waiting_for_a_program(&ferry);
        let said = ferry.ok(&["stop", how, "--connect", &format!("127.0.0.1:{}", server.port())]);
        assert_eq!(said, "QM1 is ending\n");
        if waits {
            program.disconnect().unwrap();
        }
        assert_eq!(server.wait(), 0);
        let log = std::fs::read_to_string(ferry.data().join("QM1/errors/errors.log")).unwrap();
        assert!(!log.contains("the limit of stop.quiesce_seconds"), "{how}: {log}");
    }
}

#[test]
fn one_that_waits_for_its_programs_goes_on_waiting_when_it_is_told_so_again() {
    let ferry = Ferry::new();
    let (server, mut program) = waiting_for_a_program(&ferry);
    let late = ferry.run(&["mqsc", "-e", "PING QMGR"]);
    assert_eq!(late.code, 4, "{}", late.stderr);
    let refused = "ferry: QM1 does not let programs in: 2161 MQRC_Q_MGR_QUIESCING\n";
    assert!(late.stderr.starts_with(refused) && late.stderr.contains("next: "), "{}", late.stderr);
    for _ in 0..2 {
        ferry.ok(&["stop", "--no-wait"]);
    }
    program.disconnect().unwrap();
    assert_eq!(server.wait(), 0);
}

/// Returns the state of QM1 by `dspmq` and by `ferry list`.
fn states(ferry: &Ferry) -> (String, String) {
    let displayed = ferry.command(&["-m", "QM1"]).arg0("dspmq").output().unwrap();
    let displayed = String::from_utf8(displayed.stdout).unwrap();
    let status = displayed.rsplit_once("STATUS(").and_then(|(_, status)| status.split_once(')'));
    let listed: Value = serde_json::from_str(&ferry.ok(&["list", "-o", "json"])).unwrap();
    (status.unwrap().0.to_owned(), listed["state"].as_str().unwrap().to_owned())
}

#[test]
fn who_looks_at_one_is_told_how_far_it_is_and_how_it_ended() {
    let ferry = Ferry::new();
    let is = |status: &str, listed: &str| {
        assert_eq!(states(&ferry), (status.to_owned(), listed.to_owned()));
    };
    let (server, program) = waiting_for_a_program(&ferry);
    is("Quiescing", "quiescing");
    for tool in ["strmqm", "dltmqm"] {
        let refused = ferry.command(&["QM1"]).arg0(tool).output().unwrap();
        assert_eq!(refused.status.code(), Some(49), "{tool}: it is about to end");
    }
    ferry.ok(&["stop", "--immediate"]);
    assert_eq!(server.wait(), 0);
    is("Ended immediately", "ended");
    drop(program);
    let start = || ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    let server = start();
    is("Running", "running");
    ferry.ok(&["stop"]);
    assert_eq!(server.wait(), 0);
    is("Ended normally", "ended");
    start().kill();
    is("Ended unexpectedly", "ended unexpectedly");
    let server = start();
    ferry.ok(&["stop", "--preemptive"]);
    assert_eq!(server.wait(), 0);
    is("Ended pre-emptively", "ended");
}

#[test]
fn one_that_ends_already_and_lets_nobody_in_is_not_cut_off_by_who_asks_it_to_end_in_order() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let server = ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    // As it is when its end hangs.
    let path = ferry.data().join("QM1/running");
    let mut said: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    said["listens"] = Value::Array(Vec::new());
    said["state"] = serde_json::json!({"ending": "immediate"});
    std::fs::write(&path, said.to_string()).unwrap();
    for how in ["--quiesce", "--quiesce", "--immediate"] {
        ferry.ok(&["stop", how, "--no-wait"]);
    }
    let late = ferry.run(&["mqsc", "-e", "PING QMGR"]).stderr;
    assert!(late.starts_with("ferry: queue manager QM1 is ending\n  next: "), "{late}");
    thread::sleep(Duration::from_millis(100));
    let log = std::fs::read_to_string(ferry.data().join("QM1/errors/errors.log")).unwrap();
    assert!(!log.contains("SIGTERM") && !log.contains("SIGUSR1"), "{log}");
    signal(server.id(), "TERM");
    assert_eq!(server.wait(), 0);
}

#[test]
fn one_that_starts_is_not_said_to_be_ended() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let server = ferry.start(&["qmgr", "start", "QM1", "--port", "0"]);
    std::fs::remove_file(ferry.data().join("QM1/running")).unwrap();
    assert_eq!(states(&ferry), ("Starting".to_owned(), "starting".to_owned()));
    for named in [&["-m", "QM1"][..], &[]] {
        let said = ferry.run(&[&["mqsc", "-e", "PING QMGR"], named].concat());
        assert!(said.stderr.starts_with("ferry: queue manager QM1 is starting\n"), "{}", said.stderr);
    }
    signal(server.id(), "TERM");
    assert_eq!(server.wait(), 0);
}

fn catches_sigterm(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & 1 << (15 - 1) != 0
}

/// True if a process comes to watch signals in time. It is killed when it does not.
fn watches_signals(server: &mut Child) -> bool {
    let begun = Instant::now();
    while !catches_sigterm(server.id()) {
        if begun.elapsed() > Duration::from_secs(20) {
            server.kill().unwrap();
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Has QM1 started and told to end before it has: settings that come late hold the start up.
fn told_to_end_while_it_starts(ferry: &Ferry, start: &[&str]) {
    let settings = ferry.data().join("QM1/ferry.toml");
    let text = std::fs::read(&settings).unwrap();
    std::fs::remove_file(&settings).unwrap();
    assert!(Command::new("mkfifo").arg(&settings).status().unwrap().success());
    let mut server = ferry.command(start).stdout(Stdio::null()).spawn().unwrap();
    assert!(watches_signals(&mut server), "before it has started");
    signal(server.id(), "TERM");
    std::fs::write(&settings, &text).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    std::fs::remove_file(&settings).unwrap();
    std::fs::write(&settings, &text).unwrap();
}

#[test]
fn one_that_is_told_to_end_while_it_starts_ends_in_order() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=1MiB"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    ferry.ok(&["mqsc", "-e", "DEFINE QLOCAL(Q) NPMCLASS(HIGH)"]);
    ferry.ok(&["put", "Q", "not persistent"]);
    ferry.ok(&["stop"]);
    assert_eq!(server.wait(), 0);
    told_to_end_while_it_starts(&ferry, &["qmgr", "start", "QM1"]);
    assert_eq!(states(&ferry).0, "Ended normally");
    let _server = ferry.start(&["qmgr", "start", "QM1"]);
    assert_eq!(ferry.ok(&["get", "Q"]), "not persistent\n");
}

#[test]
fn one_that_is_told_to_end_while_it_says_that_it_is_ready_ends_in_order() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let (mut output, mut said) = std::io::pipe().unwrap();
    // Full, so that it cannot say anything.
    said.write_all(&[b' '; 1 << 16]).unwrap();
    let mut server = ferry.command(&["qmgr", "start", "QM1", "--port", "0"]).stdout(said).spawn().unwrap();
    while !ferry.data().join("QM1/running").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    assert!(watches_signals(&mut server), "before it has said that it is ready");
    signal(server.id(), "TERM");
    std::io::copy(&mut output, &mut std::io::sink()).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
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
    let closed = format!("as far as can be seen: cannot look into {}: ", ferry.data().join("QM1").display());
    let mut commands = vec![&["qmgr", "start"][..], &["stop"]];
    // Where no queue manager is found, a listener at the usual port is asked.
    if std::net::TcpStream::connect(("127.0.0.1", client::PORT)).is_err() {
        commands.extend([&["mqsc", "-e", "PING QMGR"][..], &["put", "Q", "text"]]);
    }
    for arguments in commands {
        let said = ferry.run(arguments);
        assert!(
            said.code == 1
                && said.stderr.contains(&closed)
                && said.stderr.contains("next: do it as the user"),
            "{arguments:?}: {}",
            said.stderr
        );
    }
    let displayed = ferry.command(&[]).arg0("dspmq").output().unwrap();
    let said = String::from_utf8_lossy(&displayed.stderr);
    assert!(said.contains("cannot look into "), "{said}");
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
fn one_that_does_not_start_says_why_in_the_background_as_in_the_foreground() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let start = ["qmgr", "start", "QM1", "--port", &port];
    let [here, behind] = [&start[..], &[&start[..], &["--detach"]].concat()].map(|start| ferry.run(start));
    let expected = format!(
        "ferry: queue manager QM1 cannot start: port {port} of 127.0.0.1 is in use by another program\n  next: ferry qmgr \
         start QM1 --port 0 takes a free port this time; to keep another port, change listener.addresses in {}\n",
        ferry.data().join("QM1/ferry.toml").display()
    );
    assert_eq!((here.code, here.stderr.as_str()), (1, expected.as_str()));
    // The process in the background was given the data directory, so its next step has it.
    let option = format!("next: ferry --data {} qmgr", ferry.data().display());
    let expected_behind = expected.replace("next: ferry qmgr", &option);
    assert_eq!((behind.code, behind.stderr.as_str()), (1, expected_behind.as_str()));
    std::fs::write(ferry.data().join("QM1/ferry.toml"), "[log]\nextent_size = 7\n").unwrap();
    let behind = ferry.run(&["qmgr", "start", "QM1", "--detach"]).stderr;
    assert!(behind.starts_with("ferry: ") && !behind.contains("did not start"), "{behind}");
    assert_eq!(behind.matches("\n  next: correct it").count(), 1, "{behind}");
}

#[test]
fn a_first_start_to_try_things_that_fails_does_not_leave_one_without_its_queues() {
    let ferry = Ferry::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let failed = ferry.run(&["dev", "--port", &taken.local_addr().unwrap().port().to_string()]);
    assert!(failed.code == 1 && failed.stderr.contains("is in use"), "{}", failed.stderr);
    let created = format!("ferry: created QM1 in {}, but queue", ferry.data().join("QM1").display());
    assert!(failed.stderr.starts_with(&created), "{}", failed.stderr);
    assert!(failed.stderr.contains("next: ferry dev --port 0 takes a free port"), "{}", failed.stderr);
    let server = ferry.dev();
    assert_eq!(server.ready["queues"].as_array().map(Vec::len), Some(3));
    ferry.ok(&["put", "DEV.QUEUE.1", "hello"]);
}

#[test]
fn a_first_start_to_try_things_that_is_killed_leaves_its_queues_to_the_next() {
    let ferry = Ferry::new();
    let mut first = ferry.command(&["dev", "--port", "0"]).stdout(Stdio::null()).spawn().unwrap();
    while !ferry.data().join("QM1").exists() {
        thread::yield_now();
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.3", "hello"]);
    assert!(ferry.ok(&["mqsc", "-e", "DISPLAY QMGR DEADQ"]).contains("DEADQ(DEV.DEAD.LETTER.QUEUE)"));
    ferry.ok(&["mqsc", "-e", "DELETE QLOCAL(DEV.QUEUE.1)"]);
    ferry.ok(&["stop"]);
    assert_eq!(server.wait(), 0);
    let again = ferry.dev();
    assert_eq!(again.ready["queues"].as_array().map(Vec::len), Some(0), "what was deleted stays so");
}

#[test]
fn a_first_start_to_try_things_that_is_told_to_end_before_it_has_its_queues_ends_in_order() {
    let ferry = Ferry::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    assert_eq!(ferry.run(&["dev", "--port", &taken.local_addr().unwrap().port().to_string()]).code, 1);
    told_to_end_while_it_starts(&ferry, &["dev", "--port", "0"]);
    let _server = ferry.dev();
    ferry.ok(&["put", "DEV.QUEUE.1", "hello"]);
}

#[test]
fn one_whose_files_the_system_refuses_does_not_start_and_says_what_to_do() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--set", "log.extent_size=1MiB"]);
    let log = ferry.data().join("QM1/log/0000000000000000.seg");
    std::fs::remove_file(&log).unwrap();
    // The system refuses to follow it, as it refuses others to open it.
    symlink("0000000000000000.seg", &log).unwrap();
    let said = ferry.run(&["qmgr", "start", "QM1", "--port", "0"]).stderr;
    assert!(said.contains(log.to_str().unwrap()) && said.contains("\n  next: see that it is"), "{said}");
}

#[test]
fn of_several_queue_managers_the_only_one_that_runs_is_meant() {
    let ferry = Ferry::new();
    for name in ["A", "B"] {
        ferry.ok(&["qmgr", "create", name, "--port", "0", "--set", "log.extent_size=1MiB"]);
    }
    let commands = [&["log", "show", "-n", "1"][..], &["log", "verify"], &["guarantees"], &["check"]];
    for command in &commands[..3] {
        let said = ferry.run(command);
        assert_eq!(said.code, 2, "{command:?}");
        assert!(
            said.stderr.contains("there are several") && said.stderr.contains(": -m A"),
            "{}",
            said.stderr
        );
    }
    let _server = ferry.start(&["qmgr", "start", "B"]);
    for command in commands {
        let said = ferry.run(command);
        assert!(said.code == 0 || command == ["check"], "{command:?}: {}", said.stderr);
        let head = said.stdout.lines().next().unwrap_or_default();
        assert!(head.contains('B') && !head.contains(" A "), "{command:?}: {head}");
    }
}

#[test]
fn a_start_tells_the_listener_objects_that_it_opened_and_its_end() {
    let ferry = Ferry::new();
    ferry.ok(&["qmgr", "create", "QM1", "--port", "0", "--set", "log.extent_size=1MiB"]);
    let server = ferry.start(&["qmgr", "start", "QM1"]);
    let port = free_port();
    let mqsc = format!("DEFINE LISTENER(NEAR) TRPTYPE(TCP) IPADDR('127.0.0.1') PORT({port}) CONTROL(QMGR)");
    ferry.ok(&["mqsc", "-e", &mqsc]);
    ferry.ok(&["stop"]);
    assert_eq!(server.wait(), 0);
    let told = ferry.run(&["qmgr", "start", "QM1", "--detach"]);
    assert!(told.stdout.contains("; listener NEAR on 127.0.0.1:"), "{}{}", told.stdout, told.stderr);
    ferry.ok(&["stop"]);
    let again = ferry.start(&["qmgr", "start", "QM1"]);
    let address = again.ready["listeners"]["NEAR"].as_str().unwrap_or_default();
    assert!(address.starts_with("127.0.0.1:"), "{}", again.ready);
    for (command, is_listed) in
        [("PING QMGR", true), ("STOP LISTENER(NEAR)", false), ("START LISTENER(NEAR)", true)]
    {
        ferry.ok(&["mqsc", "-e", command]);
        assert_eq!(ferry.ok(&["list"]).contains(address), is_listed, "{command}");
    }
    drop(again);
    let mut server = ferry.command(&["qmgr", "start", "QM1"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(server.stdout.take().unwrap()).lines();
    let ready: Vec<String> =
        lines.by_ref().map(Result::unwrap).take_while(|line| !line.contains("Ctrl-C")).collect();
    assert!(ready.iter().any(|line| line.starts_with("  listener    NEAR on 127.0.0.1:")), "{ready:?}");
    ferry.ok(&["stop"]);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(rest, ["QM1 has ended"]);
    assert!(server.wait().unwrap().success());
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
