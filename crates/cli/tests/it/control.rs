//! Health and figures of a queue manager in processes of its own: probes, `ferry check`, the control process.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::Instant;

use testing::waiting::{PATIENCE, eventually};

use crate::support::{Ferry, Server, signal};

/// The status and the body at an address, where somebody answers.
fn get(address: &str, path: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

fn status(address: &str, path: &str) -> u16 {
    get(address, path).expect("an answer").0
}

/// A queue manager for development with its control process; where both answer.
struct Watched {
    server: Server,
    health: String,
    http: String,
}

fn dev(ferry: &Ferry) -> Watched {
    let server = ferry.start(&["dev", "--port", "0"]);
    let text =
        |key: &str| server.ready[key].as_str().unwrap_or_else(|| panic!("{}", server.ready)).to_owned();
    let metrics = text("metrics");
    let http = metrics.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/metrics")).unwrap();
    let (health, http) = (text("health"), http.to_owned());
    Watched { server, health, http }
}

fn error_log(ferry: &Ferry) -> String {
    std::fs::read_to_string(ferry.data().join("QM1/errors/errors.log")).unwrap_or_default()
}

/// The control processes that were started, as the error log tells.
fn control_processes(ferry: &Ferry) -> Vec<u32> {
    let log = error_log(ferry);
    let told = log.lines().filter(|line| line.contains("FRY5042I"));
    let numbers =
        told.filter_map(|line| line.split_once("runs as process ")?.1.split(',').next()?.parse().ok());
    numbers.collect()
}

#[test]
fn a_queue_manager_for_development_tells_health_and_figures_where_it_says() {
    let ferry = Ferry::new();
    let watched = dev(&ferry);
    assert_eq!(status(&watched.health, "/livez"), 200);
    assert_eq!(status(&watched.health, "/readyz"), 200);
    ferry.ok(&["put", "DEV.QUEUE.1", "hello"]);
    eventually("the message is on the page", || {
        let page = get(&watched.http, "/metrics").map(|(_, page)| page).unwrap_or_default();
        page.contains("ferry_queue_depth{qmgr=\"QM1\",queue=\"DEV.QUEUE.1\"} 1\n")
    });
    let begun = Instant::now();
    ferry.ok(&["stop"]);
    assert_eq!(watched.server.wait(), 0);
    assert!(begun.elapsed() < PATIENCE, "a quiescing end does not wait for the control process");
    eventually("both are gone", || {
        TcpStream::connect(&watched.health).is_err() && TcpStream::connect(&watched.http).is_err()
    });
}

#[test]
fn a_control_process_that_is_killed_is_back_within_seconds_and_messages_are_where_they_were() {
    let ferry = Ferry::new();
    let watched = dev(&ferry);
    ferry.ok(&["put", "DEV.QUEUE.1", "kept"]);
    eventually("the control process is told of", || !control_processes(&ferry).is_empty());
    signal(control_processes(&ferry)[0], "KILL");
    eventually("another is there", || control_processes(&ferry).len() == 2);
    assert!(error_log(&ferry).contains("FRY5043W"), "{}", error_log(&ferry));
    assert_eq!(status(&watched.health, "/livez"), 200);
    assert_eq!(ferry.ok(&["get", "DEV.QUEUE.1"]), "kept\n");
}

#[test]
fn a_control_process_ends_with_a_queue_manager_that_is_killed() {
    let ferry = Ferry::new();
    let watched = dev(&ferry);
    assert_eq!(status(&watched.http, "/metrics"), 200);
    watched.server.kill();
    eventually("it is gone", || TcpStream::connect(&watched.http).is_err());
}

/// Stopped, it holds its connections and answers nobody.
#[test]
fn health_is_answered_while_the_control_process_is_stopped() {
    let ferry = Ferry::new();
    let watched = dev(&ferry);
    assert_eq!(status(&watched.http, "/metrics"), 200);
    eventually("the control process is told of", || !control_processes(&ferry).is_empty());
    let process = control_processes(&ferry)[0];
    signal(process, "STOP");
    assert_eq!(status(&watched.health, "/livez"), 200);
    assert_eq!(status(&watched.health, "/readyz"), 200);
    assert_eq!(status(&watched.health, "/healthz/log_room"), 200);
    let said = ferry.run(&["check", "log_room"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.starts_with("FERRY OK - QM1: "), "{}", said.stdout);
    signal(process, "CONT");
    assert_eq!(status(&watched.http, "/metrics"), 200);
}

#[test]
fn a_check_ends_with_the_code_of_its_verdict() {
    let ferry = Ferry::new();
    let nothing = ferry.run(&["check"]);
    assert_eq!(
        (nothing.code, nothing.stdout.starts_with("FERRY UNKNOWN - ")),
        (3, true),
        "{}",
        nothing.stdout
    );
    let server = ferry.dev();
    for check in
        ["live", "ready", "log_room", "log_force", "dead_letters", "in_doubt", "oldest_unit", "control"]
    {
        let said = ferry.run(&["check", check]);
        assert_eq!(said.code, 0, "{check}: {}{}", said.stdout, said.stderr);
        assert!(said.stdout.trim_end().ends_with(&format!("| {check}=0")), "{}", said.stdout);
    }
    ferry.ok(&["put", "DEV.DEAD.LETTER.QUEUE", "dead"]);
    eventually("the dead letter is seen", || ferry.run(&["check", "dead_letters"]).code == 1);
    let said = ferry.run(&["check", "dead_letters"]);
    let expected =
        "FERRY WARNING - QM1: dead_letters: 1 messages are on the dead-letter queue | dead_letters=1\n";
    assert_eq!(said.stdout, expected);
    let said = ferry.run(&["check", "dead_letters", "-o", "json"]);
    let json: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((said.code, &json["verdict"]), (1, &"WARNING".into()), "{json}");
    let said = ferry.run(&["check", "nothing"]);
    assert_eq!(said.code, 3);
    assert!(
        said.stdout.contains("there is no check nothing: there are live, ready, log_room"),
        "{}",
        said.stdout
    );
    let address = format!("127.0.0.1:{}", server.port());
    for probe in ["live", "ready"] {
        let said = ferry.run(&["check", probe, "--connect", &address]);
        assert_eq!(
            (said.code, &*said.stdout),
            (0, &*format!("FERRY OK - QM1: accepts programs | {probe}=0\n"))
        );
    }
    drop(server);
    for probe in ["live", "ready"] {
        let said = ferry.run(&["check", probe, "--connect", &address]);
        assert_eq!((said.code, said.stdout.contains("FERRY CRITICAL")), (2, true), "{}", said.stdout);
    }
    let said = ferry.run(&["check"]);
    assert_eq!(said.code, 2);
    assert!(said.stdout.starts_with("FERRY CRITICAL - QM1: live: not running"), "{}", said.stdout);
}

#[test]
fn a_queue_manager_that_is_stopped_by_a_signal_is_found_critical_within_seconds() {
    let ferry = Ferry::new();
    let server = ferry.dev();
    signal(server.id(), "STOP");
    let begun = Instant::now();
    let said = ferry.run(&["check"]);
    signal(server.id(), "CONT");
    assert_eq!(said.code, 2, "{}{}", said.stdout, said.stderr);
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
}

#[test]
fn probes_under_familiar_names_answer_by_their_exit_codes() {
    let ferry = Ferry::new();
    let names = tempfile::tempdir().unwrap();
    let probe = |name: &str, more: &[&str]| {
        let link = names.path().join(name);
        if !link.exists() {
            symlink(env!("CARGO_BIN_EXE_ferry"), &link).unwrap();
        }
        Command::new(link).args(more).env("FERRY_DATA", ferry.data()).status().unwrap().code()
    };
    let all = |more: &[&str]| ["chkmqstarted", "chkmqready", "chkmqhealthy"].map(|name| probe(name, more));
    assert_eq!(all(&[]), [Some(1); 3], "there is none");
    let server = ferry.dev();
    assert_eq!(all(&[]), [Some(0); 3]);
    assert_eq!(all(&["QM1"]), [Some(0); 3]);
    assert_eq!(all(&["QM2"]), [Some(1); 3]);
    server.kill();
    assert_eq!(all(&[]), [Some(1); 3], "it does not run");
}

#[test]
fn a_control_process_that_a_person_starts_serves_the_queue_manager_that_is_meant() {
    let ferry = Ferry::new();
    let _server = ferry.dev();
    let control = ferry.start(&["control", "--listen", "127.0.0.1:0"]);
    let address = control.ready["listens"].as_str().unwrap();
    let (status, page) = get(address, "/metrics").unwrap();
    assert_eq!(status, 200);
    assert!(page.contains("ferry_up{qmgr=\"QM1\"} 1\n"), "{page}");
    let refused = ferry.run(&["control", "--listen", "0.0.0.0:0"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("it must be an address of this machine only"), "{}", refused.stderr);
}

/// A container has no administrator: what it is given as files is there after each start.
#[test]
fn a_container_takes_its_settings_and_definitions_at_each_start_and_logs_on_standard_output() {
    let ferry = Ferry::new();
    let given = tempfile::tempdir().unwrap();
    let (settings, mqsc) = (given.path().join("ferry.toml"), given.path().join("mqsc"));
    std::fs::create_dir(&mqsc).unwrap();
    let listens = "[listener]\naddresses = []\n[health]\naddress = \"127.0.0.1:0\"\n";
    let logs = "[errors]\nformat = \"json\"\nalso = \"stdout\"\n";
    std::fs::write(&settings, format!("{listens}{logs}")).unwrap();
    std::fs::write(mqsc.join("1.mqsc"), "DEFINE QLOCAL(ORDERS) REPLACE MAXDEPTH(7)\n").unwrap();
    std::fs::write(mqsc.join("2.mqsc"), "DEFINE QLOCAL(BAD NAME)\n").unwrap();
    let start = || {
        let mut command = ferry.command(&["container", "--settings"]);
        command.arg(&settings).arg("--mqsc").arg(&mqsc);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command.spawn().unwrap()
    };
    let wait_until_ready = || eventually("it is ready", || ferry.run(&["check", "ready"]).code == 0);
    let mut first = start();
    wait_until_ready();
    eventually("the definitions are there", || {
        ferry.run(&["put", "ORDERS", "kept", "--persistent"]).code == 0
    });
    signal(first.id(), "TERM");
    let mut said = (String::new(), String::new());
    first.stdout.take().unwrap().read_to_string(&mut said.0).unwrap();
    first.stderr.take().unwrap().read_to_string(&mut said.1).unwrap();
    assert!(first.wait().unwrap().success(), "{said:?}");
    assert_eq!(said.1, "", "all that is said is an event");
    let events: Vec<serde_json::Value> =
        said.0.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect();
    let has = |id: &str| events.iter().any(|event| event.to_string().contains(id));
    assert!(has("FRY5001I") && has("FRY5004I"), "from the start to the end: {}", said.0);
    let refused = events.iter().find(|event| event["id"] == "FRY5096W").expect("the refusal is told");
    let told = refused["message"].as_str().unwrap();
    assert!(told.contains("2.mqsc was not made: FRY"), "{told}");

    std::fs::write(mqsc.join("1.mqsc"), "DEFINE QLOCAL(ORDERS) REPLACE MAXDEPTH(9)\n").unwrap();
    let mut second = start();
    wait_until_ready();
    let shown = || ferry.run(&["mqsc", "-e", "DISPLAY QLOCAL(ORDERS) MAXDEPTH"]).stdout;
    eventually("it is defined anew", || shown().contains("MAXDEPTH(9)"));
    assert_eq!(ferry.ok(&["get", "ORDERS"]), "kept\n", "messages stay");
    signal(second.id(), "TERM");
    assert!(second.wait().unwrap().success());
    std::fs::write(&settings, "[health]\naddress = \"nowhere\"\n").unwrap();
    let refused = ferry.run(&["container", "--settings", settings.to_str().unwrap()]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("health.address = \"nowhere\" is not right"), "{}", refused.stderr);
    // A file that does not read is named, with the line and the next step.
    let of_mqsc = mqsc.join("1.mqsc");
    for (file, content, words) in [
        (&settings, &b"[health]\n\xE9"[..], "line 2: byte 1 of it (0xE9) is not UTF-8"),
        (&of_mqsc, b"DEFINE QLOCAL(\xE9)", "line 1: byte 15 of it (0xE9) is not UTF-8"),
    ] {
        std::fs::write(file, content).unwrap();
        let words_of_it =
            ["container", "--settings", settings.to_str().unwrap(), "--mqsc", mqsc.to_str().unwrap()];
        let refused = ferry.run(&words_of_it);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        for words in [file.to_str().unwrap(), words, "save it as UTF-8"] {
            assert!(refused.stderr.contains(words), "{words}: {}", refused.stderr);
        }
        std::fs::write(file, "").unwrap();
    }
    std::fs::write(&settings, "").unwrap();
    let refused = ferry.run(&[
        "container",
        "--settings",
        settings.to_str().unwrap(),
        "--mqsc",
        of_mqsc.to_str().unwrap(),
    ]);
    assert!(
        refused.code != 0 && refused.stderr.contains("name a folder of MQSC files"),
        "{}",
        refused.stderr
    );
}
