//! Runs in, a page out: what stands on it is what was found, and what was not run is seen to be missing.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::results::Results;
use super::shapes::{self, Verdict};
use super::{Made, REPORTS, Scope, comparison, names, page, published, reports};

/// A run of a point of `s1-preloaded`.
fn run(preloaded: u64, number: u64, rate: f64) -> Value {
    let time = |millis: u64| json!({"secs": 0, "nanos": millis * 1_000_000});
    let summary = json!({"mean": 20.0, "p50": 20.0, "p99": 30.0, "p99_9": 40.0, "max": 50.0});
    json!({
        "workload": "s1-preloaded",
        "variant": format!("preloaded={preloaded}"),
        "run": number,
        "when": "2026-01-02T03:04:05Z",
        "version": "0.1.0",
        "settings": {"bytes": 1024, "preloaded": preloaded, "measure": time(300), "warm_up": time(100)},
        "place": {"transport": "tcp", "share": null, "log": "disk"},
        "machine": {
            "processor": "Processor <of> test", "processors": 2, "memory_bytes": 4_u64 << 30, "system": "Linux 6",
            "disk": "ext4 on /dev/vda", "busy": 0.1,
            "floors": {
                "ping_pong_1_byte_us": summary, "ping_pong_2_kib_us": summary, "direct_write_us": null,
                "fdatasync_us": summary, "copy_2_kib_bytes_per_second": 6.1e10, "copy_64_mib_bytes_per_second": 8.2e9,
            },
        },
        "round_trips_per_second": rate, "mean_us": 130.0, "p50_us": 120.0, "p99_us": 200.0, "p99_9_us": 300.0,
        "server_cpu_us": 20.0, "client_cpu_us": 21.0, "forces": 0.5, "log_bytes": 2345.0, "records": 4.0,
        "accounted": 2222,
    })
}

/// A run of one requester of `s1-persistent-grid`.
fn lone(units: &str, forces: f64, p50: f64) -> Value {
    let mut run = run(0, 1, 1000.0);
    run["workload"] = "s1-persistent-grid".into();
    run["variant"] = format!("units={units} clients=1 threads=1").into();
    run["forces"] = forces.into();
    run["p50_us"] = p50.into();
    run["machine"]["floors"]["direct_write_us"] =
        json!({"mean": 100.0, "p50": 100.0, "p99": 1.0, "p99_9": 1.0, "max": 1.0});
    run
}

fn results(runs: &[Value]) -> Results {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("ferry-report-test-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let lines: String = runs.iter().map(|run| format!("{run}\n")).collect();
    std::fs::write(folder.join("s1-preloaded.jsonl"), lines).expect("a file");
    let results = Results::read(&folder).expect("they can be read");
    std::fs::remove_dir_all(&folder).expect("it is ours");
    results
}

#[test]
fn a_run_that_is_kept_twice_counts_once() {
    let (one, other) = (run(0, 1, 1000.0), run(0, 2, 3000.0));
    let named = |name: &str| {
        let mut named = one.clone();
        named["id"] = name.into();
        named
    };
    for (lines, runs, doubles) in [
        // Copies of a file; runs that do not say which they are, are known by all that they say.
        (vec![one.clone(), other.clone(), one.clone(), other], 2, 2),
        // Two that found the same, and one of them again.
        (vec![named("a"), named("b"), named("a")], 2, 1),
    ] {
        let results = results(&lines);
        assert_eq!((results.runs().count(), results.doubles), (runs, doubles));
        let page = page_of(&results);
        assert!(page.contains(&format!("{doubles} line(s) of runs that were there already")), "{page}");
    }
}

fn made() -> Made {
    Made {
        when: "2026-01-02T04:00:00Z".to_owned(),
        command: "ferry report --from results".to_owned(),
        failures: vec!["s1-preloaded preloaded=50: 3 put, 2 <got>".to_owned()],
    }
}

fn page_of(results: &Results) -> String {
    page(&Scope::Full, results, &made()).expect("it can be made")
}

/// The part of a page from one text to the next place of another.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("{from} is not on the page"));
    let rest = &page[start..];
    &rest[..rest.find(to).unwrap_or_else(|| panic!("no {to} after {from}"))]
}

#[test]
fn numbers_on_the_page_are_those_of_the_rows() {
    let runs = [run(0, 1, 7300.0), run(0, 2, 7500.0), run(1000, 1, 7400.0), run(1000, 2, 7390.0)];
    let page = page_of(&results(&runs));
    let exhibit = between(&page, "Persistent request/reply behind messages", "</section>");
    let table = between(exhibit, "<table class=\"figures\">", "</table>");
    let row = between(table, "<tr><td class=\"text\">rate, msg/s</td>", "</tr>");
    // 73 and 43 were published at depth 0; ours is the middle of 7300 and 7500.
    for cell in ["7,400</td>", "3 %</td>", ">73<", "× 101<", ">43<sup>1</sup><", "× 172<"] {
        assert!(row.contains(cell), "{cell} in {row}");
    }
    let raw = between(exhibit, "<table class=\"raw\">", "</table>");
    for cell in [">7,300<", ">7,500<", ">7,400<", ">7,390<", ">2,345<", ">2,222<"] {
        assert!(raw.contains(cell), "{cell} in {raw}");
    }
    let chart = between(exhibit, "<svg class=\"chart\"", "</svg>");
    assert!(chart.contains("FerryMQ: 7,400 at 0"), "{chart}");
    assert!(chart.contains("MQSeries 5.1, persistent: 72.9 at 50"), "{chart}");
}

#[test]
fn what_was_not_run_is_shown_missing() {
    let page = page_of(&results(&[run(0, 1, 7300.0), run(1000, 1, 7400.0)]));
    let exhibit = between(&page, "Persistent request/reply behind messages", "</section>");
    assert!(page.contains("Failed, and missing below: s1-preloaded preloaded=50: 3 put, 2 &lt;got&gt;"));
    assert!(exhibit.contains("2 of 13 points run"), "{exhibit}");
    let absent = "<b>Not run</b> of <code>s1-preloaded</code>: preloaded=50; preloaded=100;";
    assert!(exhibit.contains(absent), "{exhibit}");
    assert!(exhibit.contains("<code>s1-preloaded-deep</code>: all its points."), "{exhibit}");
    assert!(exhibit.contains("<span class=\"missing\">not run</span>"), "{exhibit}");
    let other = between(&page, "Transactional request/reply by length", "</section>");
    assert!(other.contains("No chart: none of its points was run.") && !other.contains("<svg"), "{other}");
    let bridge = between(&page, "Throughput outside transactions", "</section>");
    assert!(bridge.contains("not run: there is no bridge yet"), "{bridge}");
    let judged = between(&page, "<td class=\"text\">SH-08</td>", "</tr>");
    assert!(judged.contains("holds") && judged.contains("7,300 a second at 0, 7,400 at 1,000"), "{judged}");
    let judged = between(&page, "<td class=\"text\">SH-03</td>", "</tr>");
    assert!(judged.contains("not run") && judged.contains("s1-transactional-by-size"), "{judged}");
}

#[test]
fn no_figure_of_ours_is_missing_without_a_reason() {
    let none = Results::none().expect("the workloads are right");
    for report in reports(&Scope::Full).expect("they are right") {
        for exhibit in &report.exhibits {
            for line in comparison::Table::of(exhibit, &none).expect("it can be made").lines {
                let figure = line.first();
                let what = format!("{}: {} of {}", exhibit.title, figure.metric, figure.table);
                if let comparison::Ours::Nothing(reason) = &line.ours {
                    assert!(!comparison::is_general(reason), "{what}: {reason}");
                }
            }
        }
    }
    // One row says what it lacks below its table.
    let page = page_of(&results(&[lone("none", 1.8, 230.0)]));
    let exhibit = between(&page, "Transactional request/reply by number of requesters", "</section>");
    assert!(!exhibit.contains(">–</td>") && exhibit.contains(">–<sup>"), "{exhibit}");
    assert!(exhibit.contains("the text says where the curve tends to"), "{exhibit}");
}

#[test]
fn processor_time_at_the_peak_is_that_of_the_point_with_the_highest_rate() {
    let point = |requesters: u64, rate: f64, server: f64| {
        let found = [("round_trips_per_second", rate), ("server_cpu_us", server)];
        let of = format!("mode=pipelined requesters={requesters}");
        let mut run = run_of("s2-non-persistent-by-clients", of, 1, &found);
        run["settings"]["requesters"] = requesters.into();
        run
    };
    let page = page_of(&results(&[point(8, 1000.0, 900.0), point(64, 2000.0, 300.0)]));
    let exhibit = between(&page, "Non-persistent request/reply of clients, 2 KB, by number", "</section>");
    let row = between(exhibit, "server CPU at peak, %", "</tr>");
    // 2000 times 300 µs of two processors.
    assert!(row.contains(">30.0<") && row.contains(">76.13<"), "{row}");
    let both = between(&page, "of clients beside non-persistent", "</section>");
    let row = between(both, "requesters at optimum", "</tr>");
    assert!(row.contains(">64.0<") && row.contains(">150<"), "{row}");
}

#[test]
fn a_chart_of_peaks_has_the_highest_rate_of_each_length_beside_the_published_length() {
    let point = |requesters: u64, rate: f64| {
        let of = format!("bytes=2048 requesters={requesters}");
        let mut run = run_of("s2-between-queue-managers", of, 1, &[("round_trips_per_second", rate)]);
        run["settings"]["requesters"] = requesters.into();
        run
    };
    let page = page_of(&results(&[point(1, 1000.0), point(4, 3000.0)]));
    let exhibit = between(&page, "Request/reply between two queue managers", "</section>");
    let chart = between(exhibit, "Table 4: by length", "</svg>");
    assert!(chart.contains(": 3,000 at 2,048") && !chart.contains(": 1,000 at 2,048"), "{chart}");
    assert!(chart.contains(": 467.3 k at 2,048"), "{chart}");
}

#[test]
fn published_points_of_several_lengths_are_lines_of_their_own() {
    let found = [("round_trips_per_second", 3000.0)];
    let ours = run_of("s1-transactional-grid", "bytes=1024 clients=2 threads=1".to_owned(), 1, &found);
    let page = page_of(&results(&[ours]));
    let exhibit = between(&page, "Transactional request/reply by number of requesters", "</section>");
    let chart = between(exhibit, "<svg class=\"chart\"", "</svg>");
    assert!(
        chart.contains("Figure 2: 1 KB") && chart.contains("FerryMQ, 2 client(s): 3,000 at 1"),
        "{chart}"
    );
    assert!(
        chart.contains(": 45.4 at 1") && !chart.contains(": 12.4 at 1"),
        "64 KB has a chart of its own: {chart}"
    );
    assert!(!chart.contains(": 43.9 at 2"), "8 clients have a chart of their own: {chart}");
}

#[test]
fn runs_with_other_settings_than_their_workload_has_now_are_said_to_be() {
    let with = |responders: u64| {
        let mut run = run(0, 1, 7300.0);
        run["settings"]["responders"] = responders.into();
        page_of(&results(&[run]))
    };
    let said = "<b>Run with other settings</b> than <code>s1-preloaded</code> has now: preloaded=0: responders 5 (now 1)";
    assert!(with(5).contains(said));
    assert!(!with(1).contains("<b>Run with other settings</b>"));
}

#[test]
fn a_rate_that_does_not_rise_although_commits_share_forced_writes_does_not_hold() {
    for (last, verdict) in [(95.0, Verdict::DoesNotHold), (150.0, Verdict::BeatenByDesign)] {
        // What one alone makes is not meant.
        let runs = [(1, 1, 20.0), (2, 1, 100.0), (8, 15, last)].map(|(clients, threads, rate)| {
            let of = format!("bytes=1024 clients={clients} threads={threads}");
            run_of("s1-transactional-grid", of, 1, &[("round_trips_per_second", rate)])
        });
        let (found, why) = judged("SH-02", &runs);
        assert_eq!(found, verdict, "{why}");
    }
}

#[test]
fn a_lone_client_stands_beside_its_floor() {
    let page = page_of(&results(&[lone("responders", 2.0, 312.0)]));
    let distance = between(&page, "One client, and what the machine allows", "</section>");
    let row = between(distance, "units=responders clients=1 threads=1", "</tr>");
    // Two forced writes of 100 µs and three ping-pongs of 20 µs.
    for cell in [">2.00<", ">100<", ">3<", ">20.0<", ">260<", ">312<", ">1.20<"] {
        assert!(row.contains(cell), "{cell} in {row}");
    }
    assert!(!page_of(&results(&[run(0, 1, 7300.0)])).contains("what the machine allows"));
}

#[test]
fn runs_too_short_for_figures_are_said_to_be() {
    let page = page_of(&results(&[run(0, 1, 7300.0)]));
    assert!(page.contains("1 of 1 runs were measured for less than a second."), "{page}");
}

#[test]
fn a_page_of_nothing_says_so_and_has_no_chart() {
    let page = page_of(&Results::none().expect("the workloads are right"));
    assert!(page.contains("Nothing was run"), "{page}");
    assert!(!page.contains("<svg class=\"chart\""));
}

#[test]
fn a_page_needs_nothing_but_itself() {
    let page = page_of(&results(&[run(0, 1, 7300.0)]));
    for outside in ["http://", "https://", "src=", "@import", "url(", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("Processor &lt;of&gt; test"), "what others named is text");
}

#[test]
fn a_run_of_no_known_point_is_counted_and_left_out() {
    let results = results(&[run(0, 1, 7300.0), run(77, 1, 1.0)]);
    assert_eq!(results.strangers, 1);
    assert!(page_of(&results).contains("1 runs are of points that no workload has"));
}

#[test]
fn builds_that_were_measured_are_told_apart() {
    let of = |build: Option<&str>, number| {
        let mut run = run(0, number, 7300.0);
        run["build"] = build.into();
        run
    };
    let page = page_of(&results(&[of(Some("0123abcd"), 1), of(Some("4567cdef"), 2)]));
    assert!(page.contains("0.1.0 (build 0123abcd) and 0.1.0 (build 4567cdef)"));
    assert!(page_of(&results(&[of(None, 1)])).contains("<td class=\"text\">0.1.0</td>"));
}

#[test]
fn two_builds_stand_beside_each_other_as_they_were_compared() {
    let compared = |metric: &str, medians: [f64; 2], ratio: f64| {
        json!({
            "bench": "compare", "builds": ["0123abcd", "4567cdef"], "id": metric, "when": "2026-01-02T03:04:05Z",
            "compared": {
                "workload": "s1-preloaded", "variant": "preloaded=<0>", "metric": metric, "medians": medians,
                "ratio": ratio, "range": [0.9, 1.4], "turns": 6,
            },
        })
    };
    let rate = compared("round_trips_per_second", [7300.0, 8030.0], 1.1);
    let time = compared("server_cpu_us", [20.0, 15.0], 0.75);
    let page = page_of(&results(&[run(0, 1, 7300.0), rate.clone(), time, rate]));
    let section = between(&page, "Two builds beside each other", "</section>");
    let row = between(section, "round trips per second", "</tr>");
    for cell in ["0123abcd", "4567cdef", ">7,300<", ">8,030<", "1.100", "0.900 and 1.400", ">6<"] {
        assert!(row.contains(cell), "{cell} in {row}");
    }
    assert!(section.contains("preloaded=&lt;0&gt;") && section.contains("0.750"), "{section}");
    assert!(page.contains("1 line(s) of runs that were there already"), "the rate is kept twice");
    assert!(page_of(&results(&[run(0, 1, 7300.0)])).contains("No comparison is kept among these results"));
}

#[test]
fn an_exhibit_with_a_figure_that_waits_is_not_run_although_all_its_points_are() {
    let logs = ["disk", "memory", "slowed"];
    let sizes = [(2048, 100), (20480, 64), (204_800, 16), (2_097_152, 4)];
    let point = |log: &str, (bytes, requesters): (u64, u64)| {
        let found = [("round_trips_per_second", 1000.0), ("server_cpu_us", 100.0)];
        run_of("s2-log-devices", format!("log={log} bytes={bytes} requesters={requesters}"), 1, &found)
    };
    let runs: Vec<Value> = logs.iter().flat_map(|log| sizes.map(|size| point(log, size))).collect();
    let page = page_of(&results(&runs));
    let exhibit = between(&page, "Persistent request/reply by what holds the log", "</h3>");
    assert!(exhibit.contains("run as far as it can be: no storage network is at hand"), "{exhibit}");
    let depths = [0, 50, 100, 150, 200, 300, 500, 1000].map(|depth| run(depth, 1, 100.0));
    let deep = [0, 1000, 10_000, 100_000, 1_000_000].map(|depth| {
        let mut run = run(depth, 1, 100.0);
        run["workload"] = "s1-preloaded-deep".into();
        run
    });
    let page = page_of(&results(&[&depths[..], &deep[..]].concat()));
    let exhibit = between(&page, "Persistent request/reply behind messages", "</h3>");
    assert!(exhibit.contains(">run<"), "{exhibit}");
}

#[test]
fn a_shape_that_does_not_hold_has_a_cause_and_a_busy_machine_stands_first() {
    let rates = |busy: f64, seconds: u64| {
        [0, 1000].map(|depth| {
            let mut run = run(depth, 1, if depth == 0 { 100.0 } else { 50.0 });
            run["machine"]["busy"] = busy.into();
            run["settings"]["measure"] = json!({"secs": seconds, "nanos": 0});
            run
        })
    };
    let (verdict, quiet) = judged("SH-08", &rates(0.0, 5));
    assert_eq!(verdict, Verdict::DoesNotHold);
    assert!(quiet.contains(". Cause: What lies on the queue"), "{quiet}");
    let (_, busy) = judged("SH-08", &rates(0.6, 0));
    assert!(busy.contains("Cause: Other programs used 60 % of the processors. A run of 0.0 s"), "{busy}");
}

#[test]
fn subscribers_over_tcp_lose_what_is_missing_beside_local_ones() {
    let point = |by: &str, subscribers: u64, rate: f64| {
        let of = format!("subscribers-by={by} subscribers={subscribers}");
        run_of("s3-local-and-remote-subscribers", of, 1, &[("messages_per_second", rate)])
    };
    let runs =
        [point("unix", 1, 100.0), point("tcp", 1, 95.0), point("unix", 48, 200.0), point("tcp", 48, 160.0)];
    let page = page_of(&results(&runs));
    let exhibit = between(&page, "local subscribers beside remote ones", "</section>");
    let row = between(exhibit, "worst degradation, %", "</tr>");
    assert!(row.contains("20.0") && row.contains(">15<"), "{row}");
    let chart = between(exhibit, "<svg class=\"chart\"", "</svg>");
    assert!(chart.contains("subscribers over TCP: 160 at 48"), "{chart}");
}

#[test]
fn triplets_that_keep_their_rate_and_processor_time_at_the_peak_stand_beside_the_report() {
    let rated = |publishers: u64, rate: f64| {
        let of = format!("persistent=false rate=4000 transport=unix through=topic publishers={publishers}");
        let mut run = run_of(
            "s3-rated-triplets",
            of,
            1,
            &[("publishes_per_second", rate), ("messages_per_second", 2.0 * rate)],
        );
        run["settings"]["publishers"] = publishers.into();
        run["settings"]["rate"] = 4000.into();
        run
    };
    let page = page_of(&results(&[rated(1, 4000.0), rated(8, 31_900.0), rated(16, 40_000.0)]));
    let exhibit = between(&page, "Triplets at a fixed rate", "</section>");
    let row = between(exhibit, "triplets at which the rated load still holds", "</tr>");
    assert!(row.contains("8.00") && row.contains(">99<"), "{row}");
    // 30 µs of two processors for a publication of two messages: 15 ms of 1 s for 1,000 messages.
    let mut peaks = triplets("persistent=false transport=unix", &[(2, 1000.0, 900.0)]);
    for run in &mut peaks {
        run["publishes_per_second"] = (run["messages_per_second"].as_f64().expect("a rate") / 2.0).into();
        run["server_cpu_us"] = 20.0.into();
        run["client_cpu_us"] = 10.0.into();
    }
    let page = page_of(&results(&peaks));
    let exhibit = between(&page, "Peaks of triplets beside point-to-point", "</section>");
    let row = between(exhibit, "machine CPU per 1000 msg/s at peak", "</tr>");
    assert!(row.contains("0.75") && row.contains(">0.13<"), "{row}");
}

#[test]
fn a_line_that_is_no_run_is_named() {
    let folder = std::env::temp_dir().join(format!("ferry-report-test-{}-bad", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("bad.jsonl"), "{}\n").expect("a file");
    let said = format!("{:#}", Results::read(&folder).expect_err("it is no run"));
    std::fs::remove_file(folder.join("bad.jsonl")).expect("it is there");
    let empty = format!("{:#}", Results::read(&folder).expect_err("there is nothing"));
    std::fs::remove_dir_all(&folder).expect("it is ours");
    assert!(said.contains("bad.jsonl:1 is not a run"), "{said}");
    assert!(empty.contains("has no results"), "{empty}");
}

#[test]
fn every_table_and_chart_of_the_reports_has_its_exhibit() {
    // Pictures of set-ups and lists of hardware are described in text and have nothing to measure.
    let is_measured = |item: &published::Item| {
        !item.file.ends_with("-config.csv") && !item.status.starts_with("desc") && item.status != "diagram"
    };
    let index = published::items().expect("it is right");
    let wanted: BTreeSet<(String, String)> = index
        .iter()
        .filter(|item| is_measured(item))
        .map(|item| (item.report.clone(), item.item.clone()))
        .collect();
    let mut shown = BTreeSet::new();
    for report in reports(&Scope::Full).expect("they are right") {
        for item in report.exhibits.iter().flat_map(|exhibit| &exhibit.items) {
            let is_new = shown.insert((report.report.clone(), published::item_name(item)));
            assert!(is_new, "{} {item} has two exhibits", report.report);
        }
    }
    assert_eq!(wanted, shown);
}

#[test]
fn every_workload_is_of_an_exhibit_that_has_its_items() {
    let none = Results::none().expect("the workloads are right");
    for report in reports(&Scope::Full).expect("they are right") {
        for exhibit in &report.exhibits {
            comparison::Table::of(exhibit, &none)
                .unwrap_or_else(|error| panic!("{}: {error:#}", exhibit.title));
            for name in &exhibit.workloads {
                let workload = &none.workload(name).expect("it is known").file;
                let of_report = format!("{}-", report.report);
                let has = |item: &String| {
                    exhibit.items.iter().any(|own| item.strip_prefix(&of_report) == Some(own.as_str()))
                };
                assert!(workload.items().iter().any(has), "{name} says it shows none of {:?}", exhibit.items);
            }
        }
    }
    // One that stands for nothing published is for `ferry bench run` alone.
    let published = crate::workloads::all().expect("they are right").into_iter();
    for file in published.filter(|file| !file.items().is_empty()) {
        let shown = reports(&Scope::Full)
            .expect("they are right")
            .into_iter()
            .any(|report| report.exhibits.iter().any(|exhibit| exhibit.workloads.contains(&file.name)));
        assert!(shown, "no exhibit shows {}", file.name);
    }
}

#[test]
fn every_figure_that_ours_stands_beside_finds_its_point() {
    // A rule that matches no point of its workload would be not run for ever.
    let none = Results::none().expect("the workloads are right");
    for report in reports(&Scope::Full).expect("they are right") {
        for exhibit in report.exhibits.iter().filter(|exhibit| !exhibit.matches.is_empty()) {
            let table = comparison::Table::of(exhibit, &none).expect("it can be made");
            let found = table.lines.iter().any(|line| line.ours == comparison::Ours::NotRun);
            assert!(found, "{}: no figure of ours stands beside any", exhibit.title);
        }
    }
}

#[test]
fn every_rule_is_for_a_published_figure_and_says_something_of_it() {
    let none = Results::none().expect("the workloads are right");
    for report in reports(&Scope::Full).expect("they are right") {
        for exhibit in &report.exhibits {
            let figures = exhibit.figures().expect("they are carried");
            for (number, rule) in exhibit.matches.iter().enumerate() {
                let is_for = |figure: &&published::Figure| {
                    exhibit
                        .rule_of(figure)
                        .expect("its columns are there")
                        .is_some_and(|found| std::ptr::eq(found, rule))
                };
                let figure = figures.iter().find(is_for);
                let what = format!("{}, rule {}", exhibit.title, number + 1);
                let figure = figure.unwrap_or_else(|| panic!("{what}: it is for no figure"));
                if rule.waits_for.is_some() || rule.nothing.is_some() {
                    continue;
                }
                let selection = rule.selection(figure).expect("its columns are there");
                let Some(selection) = selection else { panic!("{what}: not for {}", figure.metric) };
                for name in exhibit
                    .workloads
                    .iter()
                    .filter(|name| rule.workload.as_ref().is_none_or(|of| of == *name))
                {
                    let points = &none.workload(name).expect("it is known").points;
                    let is_run = none.workload(name).expect("it is known").not_yet().is_none();
                    let taken = points.iter().filter(|point| selection.takes(point));
                    assert!(!is_run || taken.count() > 0, "{what}: no point of {name}");
                }
            }
        }
    }
}

/// A run of a point of `s3-fan-out` that publishes so many a second.
fn published_to(subscribers: u64, rate: f64) -> Value {
    let mut run = run(0, 1, 0.0);
    run["workload"] = "s3-fan-out".into();
    run["variant"] = format!("persistent=false transport=unix subscribers={subscribers}").into();
    run["settings"] = json!({"publishers": 1, "subscribers": subscribers});
    run["publishes_per_second"] = rate.into();
    run["messages_per_second"] = (rate * (subscribers + 1) as f64).into();
    run
}

#[test]
fn what_a_subscriber_adds_is_the_growth_between_two_points() {
    // 10 µs with one subscriber, 10 + 47 x 2 with 48.
    let page = page_of(&results(&[published_to(1, 1e5), published_to(48, 1e6 / 104.0)]));
    let exhibit = between(&page, "One publisher, more and more subscribers", "</section>");
    let cached = between(exhibit, "extra time per subscriber, cached handle", "</tr>");
    assert!(cached.contains("2.00</td>") && cached.contains(">4.7<"), "{cached}");
    let peak = between(exhibit, "subscribers at peak low", "</tr>");
    assert!(peak.contains("48.0"), "{peak}");
    assert!(exhibit.contains("the steps are those of the network there"), "{exhibit}");
    let chart = between(exhibit, "<svg class=\"chart\"", "</svg>");
    assert!(chart.contains("FerryMQ, local socket: 200 k at 1"), "{chart}");
    assert!(chart.contains("IBM MQ 8.0, publisher local, peak total message rate: 200.3 k"), "{chart}");
}

#[test]
fn a_report_is_found_by_its_name() {
    let of = |name: &str| reports(&Scope::Report(name.to_owned()));
    assert_eq!(names().count(), REPORTS.len());
    for name in names() {
        assert_eq!(of(name).expect("it is there").len(), 1);
    }
    let said = of("mq7").expect_err("there is none").to_string();
    assert!(said.contains("mq7") && said.contains("mqseries51"), "{said}");
}

#[test]
fn files_of_the_folders_are_those_that_are_carried() {
    let folder = |name: &str| {
        let path = format!("{}/../../perf/{name}", env!("CARGO_MANIFEST_DIR"));
        let entries = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect::<BTreeSet<String>>()
    };
    let carried: BTreeSet<String> = REPORTS.iter().map(|(name, _)| format!("{name}.toml")).collect();
    assert_eq!(folder("reports"), carried);
    let there = folder("published");
    for (name, _) in published::FILES {
        assert!(there.contains(&format!("{name}.csv")), "{name}");
    }
}

#[test]
fn a_machine_that_was_busy_all_the_while_is_named() {
    let busy = |run: Value| {
        let mut run = run;
        run["machine"]["busy"] = 0.6.into();
        run
    };
    let said = "busy with other work";
    assert!(page_of(&results(&[busy(run(0, 1, 7300.0)), busy(run(50, 1, 7300.0))])).contains(said));
    assert!(!page_of(&results(&[busy(run(0, 1, 7300.0)), run(50, 1, 7300.0)])).contains(said));
}

/// A run of a point that found this.
fn run_of(workload: &str, variant: String, number: u64, found: &[(&str, f64)]) -> Value {
    let mut run = run(0, number, 0.0);
    run["workload"] = workload.into();
    run["variant"] = variant.into();
    for (name, value) in found {
        run[*name] = (*value).into();
    }
    run
}

fn judged(id: &str, runs: &[Value]) -> (Verdict, String) {
    shapes::verdict(id, &results(runs)).expect("its workloads are known")
}

#[test]
fn programs_of_the_machine_fall_as_printed_or_not_at_all_or_do_not_hold() {
    use Verdict::{BeatenByDesign, DoesNotHold, Holds};
    for (rates, verdict) in [
        // Linear to two on two processors, then slower at more processor time.
        ([(1, 100.0, 10.0), (2, 195.0, 10.0), (3, 160.0, 12.0), (4, 120.0, 16.0)], Holds),
        ([(1, 100.0, 10.0), (2, 195.0, 10.0), (3, 160.0, 9.0), (4, 120.0, 8.0)], DoesNotHold),
        ([(1, 100.0, 10.0), (2, 195.0, 10.0), (3, 190.0, 10.0), (4, 196.0, 10.0)], BeatenByDesign),
        ([(1, 163.0, 10.0), (3, 121.0, 10.0), (8, 142.0, 12.0), (16, 237.0, 12.0)], DoesNotHold),
        ([(1, 100.0, 10.0), (8, 150.0, 10.0), (16, 160.0, 12.0), (24, 100.0, 20.0)], DoesNotHold),
    ] {
        let runs = rates.map(|(publishers, rate, time)| {
            let of = format!("mode=round-trips topics=shared transport=unix publishers={publishers}");
            let found = [("publishes_per_second", rate), ("server_cpu_us", time), ("client_cpu_us", time)];
            run_of("s3-null-publish", of, 1, &found)
        });
        let (found, why) = judged("SH-20", &runs);
        assert_eq!(found, verdict, "{rates:?}: {why}");
    }
}

#[test]
fn one_topic_that_slows_its_publishers_does_not_hold() {
    for (last, verdict) in [(95.0, Verdict::BeatenByDesign), (60.0, Verdict::DoesNotHold)] {
        let runs = [(1, 80.0), (4, 100.0), (24, last)].map(|(publishers, rate)| {
            let of = format!("mode=round-trips topics=shared transport=embedded publishers={publishers}");
            run_of("s3-null-publish", of, 1, &[("publishes_per_second", rate)])
        });
        assert_eq!(judged("SH-21", &runs).0, verdict);
    }
}

#[test]
fn a_rate_that_falls_without_a_step_at_the_cache_does_not_hold() {
    // What a publication takes, and what each subscriber adds up to 48 of them and beyond.
    for (within, beyond, verdict) in
        [(1.0, 2.0, Verdict::Holds), (0.41, 0.60, Verdict::DoesNotHold), (1.0, 1.0, Verdict::BeatenByDesign)]
    {
        let runs = [1.0_f64, 12.0, 24.0, 47.0, 48.0, 49.0, 100.0, 200.0].map(|subscribers| {
            let time = 1.0 + within * subscribers.min(48.0) + beyond * (subscribers - 48.0).max(0.0);
            let found = [
                ("publishes_per_second", 1e6 / time),
                ("messages_per_second", (subscribers + 1.0) * 1e6 / time),
            ];
            run_of(
                "s3-fan-out",
                format!("persistent=false transport=unix subscribers={subscribers}"),
                1,
                &found,
            )
        });
        let (found, why) = judged("SH-23", &runs);
        assert_eq!(found, verdict, "{within} and {beyond}: {why}");
    }
}

/// Runs of triplets with these rates by a topic and by a queue.
fn triplets(of: &str, rates: &[(u64, f64, f64)]) -> Vec<Value> {
    let run = |through: &str, publishers: u64, rate: f64| {
        let variant = format!("{of} through={through} publishers={publishers}");
        run_of("s3-triplets", variant, 1, &[("messages_per_second", rate)])
    };
    let both =
        |(publishers, topic, queue)| [run("topic", publishers, topic), run("queue", publishers, queue)];
    rates.iter().copied().flat_map(both).collect()
}

#[test]
fn triplets_with_a_topic_each_hold_their_peak_or_the_shape_does_not_hold() {
    let of = "persistent=false transport=unix";
    for (last, verdict) in [(95.0, Verdict::Holds), (84.0, Verdict::DoesNotHold), (120.0, Verdict::Holds)] {
        let runs = triplets(of, &[(1, 90.0, 70.0), (2, 80.0, 70.0), (8, 100.0, 80.0), (32, last, 60.0)]);
        let (found, why) = judged("SH-28", &runs);
        assert_eq!(found, verdict, "{why}");
    }
}

#[test]
fn triplets_are_within_the_printed_share_of_queues() {
    let of = "persistent=false transport=tcp";
    for (topic, verdict) in [
        (96.0, Verdict::DoesNotHold),
        (98.5, Verdict::Holds),
        (101.5, Verdict::Holds),
        (106.0, Verdict::DoesNotHold),
    ] {
        let (found, why) = judged("SH-30", &triplets(of, &[(1, topic, 100.0)]));
        assert_eq!(found, verdict, "{topic}: {why}");
        assert!(!why.contains("decides"), "each was run once: {why}");
    }
    let mut runs = triplets(of, &[(1, 96.0, 100.0)]);
    for number in [2, 3] {
        let mut again = runs[0].clone();
        again["run"] = number.into();
        again["messages_per_second"] = (90.0 + 3.0 * number as f64).into();
        runs.push(again);
    }
    let (found, why) = judged("SH-30", &runs);
    assert_eq!(found, Verdict::DoesNotHold);
    assert!(why.contains("0.96 times (the runs spread by 3 %, more than what decides)"), "{why}");

    let persistent = "persistent=true transport=unix";
    for (last, verdict) in [(95.0, Verdict::Holds), (60.0, Verdict::DoesNotHold)] {
        let runs = triplets(persistent, &[(1, 100.0, 100.0), (2, last, 100.0)]);
        assert_eq!(judged("SH-29", &runs).0, verdict, "a drop after the peak");
    }
}

#[test]
fn the_gap_between_logs_widens_with_the_messages_or_the_shape_does_not_hold() {
    // Rates with a log on the disk, in memory and slowed down, by size.
    let points = [(2048, 100), (20480, 64), (204_800, 16)];
    for (rates, verdict) in [
        ([[100.0, 110.0, 60.0], [80.0, 90.0, 20.0], [40.0, 44.0, 7.0]], Verdict::Holds),
        ([[349.0, 398.0, 43.0], [229.0, 262.0, 34.0], [45.0, 50.0, 7.5]], Verdict::DoesNotHold),
        ([[100.0, 97.0, 60.0], [80.0, 90.0, 20.0], [40.0, 44.0, 7.0]], Verdict::DoesNotHold),
    ] {
        let runs: Vec<Value> = points
            .iter()
            .zip(rates)
            .flat_map(|((bytes, requesters), rates)| {
                ["disk", "memory", "slowed"].into_iter().zip(rates).map(move |(log, rate)| {
                    let of = format!("log={log} bytes={bytes} requesters={requesters}");
                    run_of("s2-log-devices", of, 1, &[("round_trips_per_second", rate)])
                })
            })
            .collect();
        let (found, why) = judged("SH-16", &runs);
        assert_eq!(found, verdict, "{why}");
        assert_eq!(judged("SH-16", &runs[..5]).0, Verdict::NotRun, "a log was not run at the second size");
    }
}

#[test]
fn the_rate_is_that_of_an_empty_queue_at_each_depth() {
    for (between, deep, verdict) in [
        (99.0, 98.0, Verdict::Holds),
        (99.0, 97.0, Verdict::DoesNotHold),
        (97.0, 100.0, Verdict::DoesNotHold),
    ] {
        let runs = [run(0, 1, 100.0), run(500, 1, between), run(1000, 1, deep)];
        let (found, why) = judged("SH-08", &runs);
        assert_eq!(found, verdict, "{between} and {deep}: {why}");
    }
    assert_eq!(judged("SH-08", &[run(0, 1, 100.0), run(500, 1, 100.0)]).0, Verdict::NotRun);
    let deep = |preloaded| {
        let mut run = run(preloaded, 1, if preloaded == 10_000 { 97.0 } else { 100.0 });
        run["workload"] = "s1-preloaded-deep".into();
        run
    };
    let shallow = [run(0, 1, 100.0), run(1000, 1, 100.0)];
    let runs: Vec<Value> = shallow.into_iter().chain([deep(0), deep(10_000), deep(100_000)]).collect();
    assert_eq!(judged("SH-08", &runs).0, Verdict::DoesNotHold, "at 10,000");
}

#[test]
fn every_headline_is_a_figure_of_its_report() {
    let none = Results::none().expect("the workloads are right");
    let page = page_of(&none);
    let said = page::headlines();
    assert!(said.len() >= 8, "{said:?}");
    for (report, says) in said {
        assert!(names().any(|name| name == report), "{report}");
        assert!(page.contains(&format!("{says} <small>")), "{says}");
    }
    let first = page.split("</section>").next().expect("a section");
    assert_eq!(first.matches(" is better</span>").count(), page.matches(" is better</span>").count());
    assert!(first.contains("At a glance") && first.contains("▼ lower is better"), "{first}");
    assert!(first.contains("<small>µs</small>") && !first.contains("<small>us<"), "{first}");
}

#[test]
fn headlines_that_were_run_stand_before_those_that_were_not() {
    let some = results(&[run(1000, 1, 7300.0)]);
    let page = page_of(&some);
    let first = between(&page, "At a glance", "</section>");
    // Behind the line of headings.
    let lines: Vec<&str> = first.split("<tr>").skip(2).collect();
    assert!(lines[0].contains("behind 1,000 messages") && lines[0].contains(">7,300<"), "{}", lines[0]);
    // The report has 72.8 round trips a second there.
    assert!(lines[0].contains("× 100") && lines[0].contains("MQSeries 5.1"), "{}", lines[0]);
    assert!(lines[1..].iter().all(|line| line.contains("not run")), "{first}");
    let alone = super::page(&Scope::Report("bridge".to_owned()), &some, &made()).expect("a page");
    let first = alone.split("</section>").next().expect("a section");
    assert_eq!(first.matches("is better").count(), 1, "{first}");
}

#[test]
fn brokers_stand_beside_ours_by_the_latest_turns_that_were_measured_together() {
    let folder = std::env::temp_dir().join(format!("ferry-report-peers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let turn = |peer: &str, whose: &str, rate: f64, build: &str, day: u32| {
        json!({
            "workload": "get by request, clients: 4, messages lying: 1000", "peer": peer, "whose": whose,
            "rate": rate, "build": build, "when": format!("2026-01-{day:02}T00:00:00Z"), "settings": {"bytes": 2048},
        })
    };
    let turns = [
        turn("artemis", "ours", 100.0, "old", 1),
        turn("artemis", "theirs", 1.0, "old", 1),
        turn("artemis", "ours", 800.0, "new", 2),
        turn("artemis", "ours", 1200.0, "new", 2),
        turn("artemis", "theirs", 500.0, "new", 3),
        turn("other", "ours", 500.0, "new", 2),
        turn("other", "theirs", 1000.0, "new", 2),
        json!({"workload": "x", "peer": "y", "refused": "it", "build": "new", "when": "2026-01-02T00:00:00Z"}),
    ];
    let lines: String = turns.iter().map(|turn| format!("{turn}\n")).collect();
    std::fs::write(folder.join("peers.jsonl"), lines).expect("a file");
    let peers = super::Peers::read(&folder).expect("they can be read");
    let page = page_of(&results(&[run(1000, 1, 7300.0)]).beside(peers));
    assert!(page.contains("other&nbsp;×&nbsp;0.500 · artemis&nbsp;×&nbsp;2.00"), "{page}");
    assert!(page.contains("the last on 2026-01-03"), "{page}");
    std::fs::write(folder.join("peers.jsonl"), "{\"peer\": 1}\n").expect("a file");
    let wrong = super::Peers::read(&folder).expect_err("no turn").to_string();
    assert!(wrong.contains("peers.jsonl:1 is not a turn"), "{wrong}");
    std::fs::remove_dir_all(&folder).expect("it is ours");
    assert!(super::Peers::read(&folder).expect_err("nothing").to_string().contains("cargo xtask peers"));
}
