//! Every bench runs, accounts for its messages and prints what it promises; the figures are nobody's business here.

use serde_json::Value;

use crate::support::Ferry;

fn lines(arguments: &[&str]) -> Vec<Value> {
    let ferry = Ferry::new();
    let said = ferry.ok(&[&["bench"], arguments, &["-o", "json"]].concat());
    said.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn request_reply_measures_every_way_of_calling() {
    let short = ["rr", "--time", "150ms", "--warm-up", "50ms", "--repeat", "2", "--clients", "2"];
    for options in [
        &[][..],
        &["--round-trips", "--transport", "unix"],
        &["--persistent", "--syncpoint", "--window", "4"],
        &["--round-trips", "--persistent", "--transport", "embedded"],
    ] {
        let lines = lines(&[&short[..], options].concat());
        let [head, one, two, summary] = &lines[..] else { panic!("{options:?}: {lines:?}") };
        assert_eq!(head["workload"]["requesters"], 2);
        assert!(head["machine"]["processors"].as_u64() > Some(0));
        for run in [one, two] {
            assert!(run["round_trips_per_second"].as_f64() > Some(0.0), "{options:?}: {run}");
            assert!(run["p50_us"].as_f64() <= run["p99_us"].as_f64(), "{options:?}: {run}");
            assert!(run["accounted"].as_u64() >= run["round_trips"].as_u64(), "{options:?}: {run}");
        }
        assert!(summary["round_trips_per_second"]["median"].as_f64() > Some(0.0), "{options:?}: {summary}");
    }
}

#[test]
fn correlation_compares_an_empty_and_a_deep_queue() {
    for transport in ["tcp", "embedded"] {
        let lines =
            lines(&["corrid", "--depth", "3000", "--gets", "200", "--repeat", "1", "--transport", transport]);
        assert_eq!(lines[1]["depth"], 3000);
        assert!(lines[1]["ratio"].as_f64() > Some(0.0), "{}", lines[1]);
    }
}

#[test]
fn restart_finds_every_message_again() {
    let lines = lines(&["restart", "--log", "4MiB", "--repeat", "1"]);
    assert_eq!(lines[1]["accounted"].as_u64(), lines[1]["messages"].as_f64().map(|messages| messages as u64));
    assert!(lines[1]["log_bytes_replayed"].as_u64() >= Some(4 << 20), "{}", lines[1]);
}

#[test]
fn fastpath_counts_pairs() {
    let lines = lines(&["fastpath", "--time", "100ms", "--repeat", "1", "--threads", "2"]);
    assert!(lines[1]["pairs"].as_f64() > Some(0.0), "{}", lines[1]);
}

#[test]
fn an_interrupted_bench_prints_what_there_is() {
    let ferry = Ferry::new();
    let mut child = ferry
        .command(&["bench", "rr", "--time", "60s", "--warm-up", "0s", "-o", "json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut head = String::new();
    std::io::BufRead::read_line(&mut output, &mut head).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    let interrupted =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let rows: Vec<Value> = rest.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2, "{rest}");
    assert!(rows[0]["round_trips"].as_u64() > Some(0), "{rest}");
}
