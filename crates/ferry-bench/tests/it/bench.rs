//! Every bench runs, accounts for its messages and prints what it promises; the figures are nobody's business
//! here.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Ferry;

fn lines(arguments: &[&str]) -> Vec<Value> {
    let ferry = Ferry::new();
    let said = ferry.ok(&[&["bench"], arguments, &["-o", "json"]].concat());
    said.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn request_reply_measures_every_way_of_calling() {
    let short = ["rr", "--time", "400ms", "--warm-up", "50ms", "--repeat", "2", "--clients", "2"];
    for options in [
        &[][..],
        &["--round-trips", "--transport", "unix"],
        &["--persistent", "--syncpoint", "--window", "4"],
        &["--round-trips", "--persistent", "--transport", "embedded"],
        &["--round-trips", "--preloaded", "2500", "--rate", "400"],
        &["--processes", "3"],
        &["--processes", "2", "--round-trips", "--persistent", "--transport", "unix"],
    ] {
        let lines = lines(&[&short[..], options].concat());
        let [head, one, two, summary] = &lines[..] else { panic!("{options:?}: {lines:?}") };
        assert_eq!(head["workload"]["requesters"], 2);
        assert!(head["machine"]["processors"].as_u64() > Some(0));
        assert!(head["machine"]["floors"]["ping_pong_1_byte_us"]["p50"].as_f64() > Some(0.0), "{head}");
        for run in [one, two] {
            assert!(run["round_trips_per_second"].as_f64() > Some(0.0), "{options:?}: {run}");
            assert!(run["p50_us"].as_f64() <= run["p99_us"].as_f64(), "{options:?}: {run}");
            assert!(run["accounted"].as_u64() >= run["round_trips"].as_u64(), "{options:?}: {run}");
            assert!(run["client_cpu_us"].as_f64() > Some(0.0), "{options:?}: {run}");
            let has_server = !options.contains(&"embedded");
            assert_eq!(run["server_mib"].as_f64() > Some(0.0), has_server, "{options:?}: {run}");
        }
        assert!(summary["round_trips_per_second"]["median"].as_f64() > Some(0.0), "{options:?}: {summary}");
    }
}

/// As where the disk stands still for longer than is measured: it belongs to the figures.
#[test]
fn a_round_trip_that_takes_longer_than_is_measured_is_measured_to_its_end() {
    for options in [&[][..], &["--persistent", "--processes", "2"]] {
        let arguments = [&["rr", "--time", "0s", "--warm-up", "0s", "--repeat", "1"], options].concat();
        let lines = lines(&arguments);
        let [_, run, _] = &lines[..] else { panic!("{options:?}: {lines:?}") };
        assert!(run["round_trips"].as_u64() > Some(0), "{options:?}: {run}");
        assert!(run["max_us"].as_f64() > Some(0.0), "{options:?}: {run}");
    }
}

/// A lone client that has one request under way does nothing else between two of them. It is measured for so
/// long that a flush that takes its time at the end, whose round trip is not counted, takes no more than its
/// share.
#[test]
fn a_round_trip_in_units_of_work_takes_until_its_reply_is_committed() {
    let options = ["-t", "2s", "--warm-up", "100ms", "-r", "1", "--persistent", "--syncpoint"];
    let run = &lines(&[&["rr"], &options[..]].concat())[1];
    let [mean, rate] =
        ["mean_us", "round_trips_per_second"].map(|name| run[name].as_f64().expect("a figure"));
    let share = mean * rate / 1e6;
    assert!((0.88..1.12).contains(&share), "{share} of the time is accounted for: {run}");
}

#[test]
fn one_responder_answers_more_requesters_than_it_has_handles() {
    let options = ["-t", "200ms", "--warm-up", "50ms", "-r", "1", "--transport", "embedded", "-c", "260"];
    let lines = lines(&[&["rr"], &options[..], &["--responders", "1"]].concat());
    assert!(lines[1]["round_trips"].as_u64() > Some(0), "{}", lines[1]);
}

#[test]
fn clients_use_several_queues_in_turn_with_bodies_of_json() {
    let times = ["-t", "200ms", "--warm-up", "50ms", "-r", "1", "-c", "4", "--queues", "3", "--json"];
    for more in [&["--round-trips"][..], &[], &["--round-trips", "--processes", "2"]] {
        let lines = lines(&[&["rr"], &times[..], more].concat());
        let workload = &lines[0]["workload"];
        assert_eq!((&workload["queues"], &workload["bodies"]), (&3.into(), &"json".into()), "{workload}");
        assert_eq!(workload["responders"], 3, "each queue is served");
        assert!(lines[1]["round_trips"].as_u64() > Some(0), "{}", lines[1]);
    }
    let ferry = Ferry::new();
    for (options, words) in [
        (&["--queues", "2", "--responders", "1"][..], "2 request queues need as many responders"),
        (&["--json", "--size", "40"], "a message of JSON has at least 64 bytes"),
        (&["--queues", "0"], "there must be a request queue"),
        (&["--queues", "2", "--round-trips", "--preloaded", "1"], "on one reply queue only"),
    ] {
        let said = ferry.run(&[&["bench", "rr", "-t", "0s"], options].concat()).stderr;
        assert!(said.contains(words), "{options:?}: {said}");
    }
}

#[test]
fn two_queue_managers_pass_messages_over_a_channel_each_way() {
    let short =
        ["-t", "300ms", "--warm-up", "100ms", "-r", "1", "--queue-managers", "2", "--transport", "unix"];
    for options in [
        &["rr", "-c", "4"][..],
        &["rr", "-c", "4", "--round-trips", "--queues", "2", "--processes", "2"],
        &["rr", "-c", "2", "-P", "--syncpoint"],
        &["one-way"],
        &["one-way", "-P", "--unit", "5", "--threads", "2"],
    ] {
        let run = &lines(&[options, &short[..]].concat())[1];
        assert!(run["accounted"].as_u64() > Some(0), "{options:?}: {run}");
        let far = if options[0] == "rr" { "far_cpu_us" } else { "receiver_cpu_us" };
        assert!(run[far].as_f64() > Some(0.0), "{options:?}: {run}");
        let sent = if options[0] == "rr" { "network_bytes" } else { "get_network_bytes" };
        let least = if options[0] == "rr" { 2.0 * 2048.0 } else { 1000.0 };
        assert!(run[sent].as_f64() >= Some(least), "all of it goes over the channel: {options:?}: {run}");
    }
    let said = Ferry::new().run(&["bench", "rr", "--queue-managers", "2", "--transport", "embedded"]).stderr;
    assert!(said.contains("has no other half: use --transport unix or tcp"), "{said}");
}

#[test]
fn clients_of_several_threads_are_a_process_each() {
    let short = ["rr", "-t", "200ms", "--warm-up", "50ms", "-r", "1", "-c", "2", "--threads", "3"];
    let lines = lines(&short);
    let workload = &lines[0]["workload"];
    let [requesters, processes, clients, threads] = ["requesters", "processes", "clients", "threads"]
        .map(|name| workload[name].as_u64().expect("a number"));
    assert_eq!((requesters, processes, clients, threads), (6, 3, 2, 3), "{workload}");
    assert!(lines[1]["round_trips"].as_u64() > Some(0), "{}", lines[1]);
    let none = Ferry::new().run(&["bench", "rr", "-c", "1000000000", "--threads", "1000000000"]).stderr;
    assert!(none.contains("at most 10000 requesters"), "{none}");
}

#[test]
fn publishers_keep_a_rate_and_subscribers_come_another_way() {
    let ferry = Ferry::new();
    let file = ferry.data().join("rated.toml");
    let head = "title = \"t\"\nitems = []\nbench = \"publish\"\n[fixed]\ntransport = \"unix\"\nmode = \"pipelined\"\n";
    let settings = "publishers = 2\nrate = 200\n[[vary]]\ntopics = [\"objects\", \"shared\", \"shared\"]\n\
                    subscribers-by = [\"unix\", \"tcp\", \"rings\"]\n";
    std::fs::write(&file, format!("{head}{settings}")).expect("a file");
    let file = file.to_str().expect("a path in UTF-8");
    let said = ferry.ok(&["bench", "run", file, "-t", "1s", "--warm-up", "100ms", "-r", "1", "-o", "json"]);
    let runs: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(runs.len(), 3, "{said}");
    for run in runs {
        let rate = run["publishes_per_second"].as_f64().expect("a rate");
        // A loaded machine makes less of it, and none makes more.
        assert!(rate > 0.0 && rate < 440.0, "{run}");
        let network = run["network_bytes"].as_f64();
        let is_far = run["place"]["subscribers_by"] == "tcp";
        assert!(!is_far || network >= Some(2048.0), "subscribers come over TCP: {run}");
        assert!(run["accounted"].as_u64() > Some(0), "{run}");
    }
}

#[test]
fn idle_connections_are_there_and_cost_what_is_said() {
    let lines = lines(&["rr", "-t", "200ms", "--warm-up", "50ms", "-r", "3", "--idle", "40", "--share", "1"]);
    assert_eq!(lines[0]["workload"]["idle"], 40);
    for run in &lines[1..4] {
        // Also of those that came after others, whose memory the queue manager uses again.
        assert!(run["idle_kib"].as_f64() > Some(1.0), "{run}");
    }
}

#[test]
fn one_workload_runs_beside_another_at_a_share_of_its_peak() {
    let lines = lines(&[
        "beside",
        "-t",
        "300ms",
        "--warm-up",
        "50ms",
        "-r",
        "1",
        "-c",
        "2",
        "--background-clients",
        "4",
        "--load",
        "20",
    ]);
    let [head, run, _summary] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(head["workload"]["load_percent"], 20);
    let (peak, asked) = (&run["background_peak_per_second"], &run["background_asked_per_second"]);
    let (peak, asked) = (peak.as_f64().expect("a peak"), asked.as_f64().expect("a rate"));
    assert!((asked - peak * 0.2).abs() < 1.0, "{run}");
    // It cannot come to more than it is asked for, beside what was late.
    assert!(
        run["background_per_second"].as_f64().is_some_and(|rate| rate > 0.0 && rate < peak * 0.6),
        "{run}"
    );
    assert!(run["beside_p99_us"].as_f64() >= run["beside_p50_us"].as_f64(), "{run}");
    assert!(run["ratio"].as_f64() > Some(0.0), "{run}");
}

#[test]
fn clients_in_other_processes_need_a_way_to_the_queue_manager() {
    let ferry = Ferry::new();
    let said = ferry.run(&["bench", "rr", "--processes", "2", "--transport", "embedded"]).stderr;
    assert!(said.contains("--transport unix or tcp"), "{said}");
    let said = ferry.run(&["bench", "rr", "--processes", "3"]).stderr;
    assert!(said.contains("more than there are clients"), "{said}");
    let said = ferry.run(&["bench", "clients"]).stderr;
    assert!(said.contains("no order came"), "{said}");
}

#[test]
fn a_fixed_rate_is_kept() {
    let arguments =
        ["rr", "--clients", "4", "--rate", "200", "--warm-up", "0s", "--time", "1s", "--repeat", "1"];
    let begun = Instant::now();
    let run = lines(&arguments)[1].clone();
    let requests = run["accounted"].as_f64().expect("a number");
    // Each of the four may have one more under way; a client that was held up by the machine catches up.
    let due = 200.0 * begun.elapsed().as_secs_f64() + 4.0;
    assert!(requests > 0.0 && requests <= due, "{requests} where {due} were due: {run}");
}

#[test]
fn one_way_gets_all_that_was_put() {
    for options in [
        &["--threads", "3"][..],
        &["--persistent", "--unit", "10", "--round-trips", "--transport", "unix"],
        &["--persistent", "--round-trips", "--transport", "embedded"],
    ] {
        let lines = lines(&[&["one-way", "--time", "100ms", "--repeat", "1"], options].concat());
        let run = &lines[1];
        assert!(run["accounted"].as_u64() > Some(0), "{options:?}: {run}");
        assert!(run["puts_per_second"].as_f64() > Some(0.0), "{options:?}: {run}");
        assert!(run["gets_per_second"].as_f64() > Some(0.0), "{options:?}: {run}");
        assert!(run["put_p99_us"].as_f64() <= run["put_p99_9_us"].as_f64(), "{options:?}: {run}");
        if options.contains(&"unix") {
            assert!(run["put_log_bytes"].as_f64() > Some(1000.0), "every body is logged: {run}");
        }
    }
}

#[test]
fn a_workload_is_run_point_by_point_and_its_runs_are_kept() {
    let ferry = Ferry::new();
    let list = ferry.ok(&["bench", "list"]);
    assert!(list.contains("s1-preloaded ") && list.contains("not yet: there is no bridge yet"), "{list}");
    let results = ferry.data().join("results");
    let short = ["--quick", "--time", "700ms", "--warm-up", "0s", "--repeat", "2", "--results"];
    let run = ["bench", "run", "s1-preloaded"];
    let table = ferry.ok(&[&run[..], &short, &[results.to_str().expect("a path in UTF-8")]].concat());
    let points = ["preloaded=0 ", "preloaded=200 ", "preloaded=1000 "];
    let places = points.map(|point| table.find(point).unwrap_or_else(|| panic!("{point} of {table}")));
    assert!(places.is_sorted(), "{table}");
    let kept = std::fs::read_to_string(results.join("s1-preloaded.jsonl")).expect("runs are kept");
    let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let runs: Vec<_> = kept.iter().map(|line| (line["run"].as_u64(), line["variant"].as_str())).collect();
    assert_eq!(runs.len(), 6);
    assert_eq!(runs[0].1, Some("preloaded=0"));
    assert_eq!((runs[1].0, runs[3].0), (Some(1), Some(2)), "the points take turns: {runs:?}");
    assert!(kept.iter().all(|line| line["round_trips_per_second"].as_f64() > Some(0.0)));
    let forced = |line: &Value| line["machine"]["floors"]["fdatasync_us"]["p50"].as_f64();
    assert!(kept.iter().all(|line| forced(line) > Some(0.0)), "each line has the floors of its machine");
    let refused = ferry.run(&["bench", "run", "s5-bridge"]).stderr;
    assert!(refused.contains("s5-bridge cannot be run yet: there is no bridge yet"), "{refused}");
}

#[test]
fn the_log_alone_lies_on_another_file_system() {
    let ferry = Ferry::new();
    let results = ferry.data().join("results");
    let times = ["--time", "100ms", "--warm-up", "10ms", "--repeat", "1"];
    let kept = ["--results", results.to_str().expect("a path in UTF-8")];
    ferry.ok(&[&["bench", "run", "cost-by-log-place"], &times[..], &kept].concat());
    let kept = std::fs::read_to_string(results.join("cost-by-log-place.jsonl")).expect("runs are kept");
    let kept: Vec<Value> = kept.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let variants: Vec<_> = kept.iter().filter_map(|line| line["variant"].as_str()).collect();
    assert_eq!(variants, ["log=disk", "log=apart", "log=memory"]);
    assert!(kept.iter().all(|line| line["round_trips_per_second"].as_f64() > Some(0.0)), "{kept:?}");
}

#[test]
fn runs_of_a_bench_alone_are_kept_with_what_they_were_made_of() {
    let ferry = Ferry::new();
    let results = ferry.data().join("results");
    let keep = ["--repeat", "1", "--results", results.to_str().expect("a path in UTF-8")];
    let short = ["--time", "200ms", "--warm-up", "20ms"];
    for bench in [
        &["rr"][..],
        &["rr", "--persistent", "--syncpoint"],
        &["one-way"],
        &["corrid", "--depth", "100", "--gets", "100"],
        &["floors", "--time", "20ms"],
    ] {
        let times = if ["rr", "one-way"].contains(&bench[0]) { &short[..] } else { &[] };
        ferry.ok(&[&["bench"], bench, times, &keep].concat());
    }
    let kept = |name: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(results.join(name)).expect("runs are kept");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let rr = kept("rr.jsonl");
    let persistent: Vec<&Value> = rr.iter().map(|run| &run["settings"]["persistent"]).collect();
    assert_eq!(persistent, [false, true], "a later bench does not take the place of an earlier");
    for (name, found) in [
        ("rr.jsonl", "round_trips_per_second"),
        ("one-way.jsonl", "gets_per_second"),
        ("corrid.jsonl", "deep_p50_us"),
    ] {
        let run = &kept(name)[0];
        assert!(run[found].as_f64() > Some(0.0), "{run}");
        assert!(run["settings"]["bytes"].as_u64() > Some(0) && run["run"] == 1, "{run}");
        assert!(run["machine"]["floors"]["fdatasync_us"]["p50"].as_f64() > Some(0.0), "{run}");
        assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(run["build"].as_str().map(str::len), Some(8), "{run}");
    }
    assert!(kept("floors.jsonl")[0]["fdatasync_p50_us"].as_f64() > Some(0.0));
    // A page is made from what a directory has, and takes no bench alone for a point of a table.
    let page = ferry.data().join("page");
    let from = ["report", "--no-pdf", "--from", results.to_str().expect("a path in UTF-8")];
    ferry.ok(&[&from[..], &["--out", page.to_str().expect("a path in UTF-8")]].concat());
}

#[test]
fn publishers_and_subscribers_are_measured_and_accounted_for() {
    let ferry = Ferry::new();
    let file = ferry.data().join("publishing.toml");
    let text = r#"
        title = "Publishing in each way"
        items = []
        bench = "publish"
        [fixed]
        ahead = 50
        [[vary]]
        transport = ["tcp", "tcp", "unix", "embedded", "unix"]
        mode = ["round-trips", "pipelined", "pipelined", "round-trips", "pipelined"]
        publishers = [2, 2, 1, 2, 2]
        subscribers = [0, 3, 2, 1, 1]
        topics = ["shared", "shared", "shared", "own", "own"]
        through = ["topic", "topic", "topic", "topic", "queue"]
        persistent = [false, false, true, false, true]
    "#;
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path in UTF-8");
    let run = ["bench", "run", path, "--time", "300ms", "--warm-up", "0s", "--repeat", "1", "-o", "json"];
    let told = ferry.ok(&run);
    let points: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(points.len(), 5, "{told}");
    for point in &points {
        let number = |name: &str| point[name].as_f64().unwrap_or(0.0);
        let subscribers = point["settings"]["subscribers"].as_u64();
        assert!(number("publishes_per_second") > 0.0 && number("accounted") > 0.0, "{point}");
        assert_eq!(number("deliveries_per_second") > 0.0, subscribers > Some(0), "{point}");
        assert_eq!(number("forces") > 0.0, point["settings"]["persistent"] == true, "{point}");
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
fn restart_replays_all_of_a_log_that_is_larger_than_a_checkpoint_would_leave() {
    let lines = lines(&["restart", "--log", "160MiB", "--size", "64KiB", "--repeat", "1"]);
    let replayed = lines[1]["log_bytes_replayed"].as_u64().expect("a number");
    assert!(replayed >= 160 << 20, "{}", lines[1]);
    assert_eq!(lines[1]["replayed_mib"].as_f64().map(|mib| mib as u64), Some(replayed >> 20), "{}", lines[1]);
}

#[test]
fn every_subscription_is_found_again_after_a_restart() {
    let lines = lines(&["subscriptions", "--subscriptions", "500", "--time", "100ms", "--repeat", "1"]);
    assert!(lines[1]["restart_seconds"].as_f64() > Some(0.0), "{}", lines[1]);
    assert!(lines[1]["published_beside_many"].as_u64() > Some(0), "{}", lines[1]);
}

#[test]
fn subscribers_that_had_stopped_find_every_publication_once_and_in_order_after_a_kill() {
    let small =
        ["slow-subscribers", "--subscribers", "6", "--stopped", "2", "--time", "400ms", "--repeat", "1"];
    let lines = lines(&small);
    let [_, run, summary] = &lines[..] else { panic!("{lines:?}") };
    for found in ["found_after_resuming", "found_after_kill"] {
        assert!(run[found].as_u64() > Some(0), "the stopped had missed some: {run}");
    }
    assert_eq!(summary["verdicts"]["lost"], "holds", "{run}");
}

#[test]
fn fastpath_counts_pairs() {
    let lines = lines(&["fastpath", "--time", "100ms", "--repeat", "1", "--threads", "2"]);
    assert!(lines[1]["pairs"].as_f64() > Some(0.0), "{}", lines[1]);
}

#[test]
fn floors_are_those_of_the_machine_alone() {
    let lines = lines(&["floors", "--time", "20ms", "--repeat", "2"]);
    let [head, one, two, summary] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(head["bench"], "floors");
    for run in [one, two] {
        assert!(run["ping_pong_1_byte_p50_us"].as_f64() > Some(0.0), "{run}");
        assert!(run["fdatasync_p50_us"].as_f64() <= run["fdatasync_p99_us"].as_f64(), "{run}");
        assert!(run["copy_2_kib_gb_per_second"].as_f64() > Some(0.0), "{run}");
    }
    assert!(summary["copy_64_mib_gb_per_second"]["median"].as_f64() > Some(0.0), "{summary}");
}

#[test]
fn the_disk_is_measured_in_blocks_of_the_log_for_a_rate_that_is_given_or_measured() {
    let short = ["--warm-up", "10ms", "--time", "100ms", "--repeat", "1", "--threads", "2"];
    let given = lines(&[&["size", "--rate", "1000", "--size", "2KiB"], &short[..]].concat());
    let [head, run, _] = &given[..] else { panic!("{given:?}") };
    assert_eq!((&head["bench"], &head["workload"]["rate"]), (&"size".into(), &1000.into()), "{head}");
    let number = |run: &Value, name: &str| run[name].as_f64().unwrap_or_else(|| panic!("{name}: {run}"));
    assert!(number(run, "log_bytes") > 2048.0, "the body is in the log: {run}");
    let needed = number(run, "log_bytes") * 1000.0 / 1e6;
    assert!((number(run, "needed_mb_per_second") - needed).abs() < 1e-6, "{run}");
    assert!(number(run, "block_bytes") % 4096.0 == 0.0 && number(run, "disk_p50_us") > 0.0, "{run}");
    let ratio = number(run, "disk_mb_per_second") / needed;
    assert!((number(run, "disk_by_needed") / ratio - 1.0).abs() < 1e-6, "{run}");
    let measured = lines(&[&["size", "--size", "100"], &short[..]].concat());
    assert!(number(&measured[1], "messages_per_second") > 0.0, "{measured:?}");
    let ferry = Ferry::new();
    for (arguments, fault) in [
        (&["--rate", "0"][..], "--rate"),
        (&["--size", "1"], "at least 12 bytes"),
        (&["--directory", "/proc/none", "--time", "10ms", "--rate", "1"], "/proc/none"),
    ] {
        let run = ferry.run(&[&["bench", "size", "--warm-up", "0s", "--repeat", "1"], arguments].concat());
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains(fault), "{}", run.stderr);
    }
}

#[test]
fn a_relay_is_measured_without_a_queue_manager() {
    let lines = lines(&["relay", "--clients", "4", "--warm-up", "10ms", "--time", "50ms", "--repeat", "1"]);
    let [head, run, _] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!((&head["bench"], &head["workload"]["responders"]), (&"relay".into(), &1.into()), "{head}");
    assert!(run["round_trips_per_second"].as_f64() > Some(0.0), "{run}");
    assert!(run["p50_us"].as_f64() <= run["p99_us"].as_f64(), "{run}");
}

#[test]
fn an_interrupted_bench_prints_what_there_is() {
    let ferry = Ferry::new();
    let results = ferry.data().join("results");
    let keep = ["--results", results.to_str().expect("a path in UTF-8")];
    let bench = ["bench", "rr", "--time", "60s", "--warm-up", "0s", "-o", "json"];
    let mut child = ferry
        .command(&[&bench[..], &keep].concat())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut head = String::new();
    std::io::BufRead::read_line(&mut output, &mut head).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    press(&child);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    // The run, and no median of it: it was cut short.
    let run: Value = serde_json::from_str(&rest).unwrap();
    assert!(run["round_trips"].as_u64() > Some(0) && run["interrupted"] == true, "{rest}");
    let kept = std::fs::read_to_string(results.join("rr.jsonl")).expect("it is kept");
    let kept: Value = serde_json::from_str(&kept).expect("a line of JSON");
    assert_eq!(kept["interrupted"], true, "it was not measured for as long as its settings say: {kept}");
}

fn press(child: &std::process::Child) {
    let pressed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(pressed.expect("there is such a program").success());
}

/// Returns true if there is no such process, or one that only waits for somebody to take note of its end.
fn is_dead(process: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
}

#[test]
fn a_second_ctrl_c_takes_servers_clients_and_directories_along() {
    let ferry = Ferry::new();
    let temporary = ferry.data().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let count = || std::fs::read_dir(&temporary).unwrap().count();
    let mut bench = ferry
        .command(&["bench", "rr", "--time", "60s", "--clients", "2", "--processes", "2", "-o", "json"])
        .env("TMPDIR", &temporary)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut head = String::new();
    let mut output = std::io::BufReader::new(bench.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut output, &mut head).unwrap();
    // With the queue manager a directory, and with the clients processes.
    let children = format!("/proc/{0}/task/{0}/children", bench.id());
    let until = Instant::now() + Duration::from_secs(20);
    let processes: Vec<u64> = loop {
        let text = std::fs::read_to_string(&children).unwrap();
        let processes: Vec<u64> = text.split_whitespace().map(|process| process.parse().unwrap()).collect();
        if processes.len() == 3 {
            break processes;
        }
        assert!(Instant::now() < until, "the children of the bench are {processes:?}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(count(), 1);
    // What does not go on does not come to an end in order.
    for process in &processes {
        let stopped = std::process::Command::new("kill").args(["-STOP", &process.to_string()]).status();
        assert!(stopped.unwrap().success());
    }
    press(&bench);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(bench.try_wait().unwrap(), None, "it waits for them");
    press(&bench);
    assert_eq!(bench.wait().unwrap().code(), Some(130));
    assert_eq!(count(), 0, "its directory is still there");
    let until = Instant::now() + Duration::from_secs(5);
    while let Some(alive) = processes.iter().find(|process| !is_dead(**process)) {
        assert!(Instant::now() < until, "{alive} of {processes:?} is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn two_builds_are_compared_in_turns() {
    let ferry = Ferry::new();
    let this = crate::ferry();
    // Another build by its bytes: the system ignores those behind the end of a program.
    let other = ferry.data().join("ferry");
    let mut program = std::fs::read(&this).expect("the program");
    program.push(0);
    std::fs::write(&other, program).expect("a copy");
    let mode = std::fs::metadata(&this).expect("the program").permissions();
    std::fs::set_permissions(&other, mode).expect("it is ours");
    let measuring = env!("CARGO_BIN_EXE_ferry-bench");
    std::fs::copy(measuring, other.with_file_name("ferry-bench")).expect("a copy");
    let [this, other] = [&this, &other].map(|path| path.to_str().expect("a path in UTF-8"));
    let short = ["--time", "300ms", "--warm-up", "0s", "--repeat", "2", "-o", "json"];
    let compare = ["bench", "compare", this, other, "one-client-persistent"];
    let printed = ferry.ok(&[&compare[..], &short].concat());
    let lines: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(!lines.is_empty(), "{printed}");
    for line in &lines {
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{line}"));
        let (low, high) = (number(&line["range"][0]), number(&line["range"][1]));
        assert!(low > 0.0 && low <= number(&line["ratio"]) && number(&line["ratio"]) <= high, "{line}");
        assert_eq!(line["turns"], 2, "{line}");
        assert!(number(&line["medians"][0]) > 0.0 && number(&line["medians"][1]) > 0.0, "{line}");
    }
    let same = ferry.run(&["bench", "compare", this, this]);
    assert!(same.code != 0 && same.stderr.contains("both programs are build"), "{}", same.stderr);
}
