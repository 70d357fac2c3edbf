//! A report is made of what is kept, on the screen and on paper, and says what it lacks.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::Ferry;

/// Two points of one workload, measured for a moment.
fn measured(ferry: &Ferry) -> PathBuf {
    let results = ferry.data().join("results");
    let short = ["--quick", "--time", "300ms", "--warm-up", "0s", "--repeat", "1", "--results"];
    ferry.ok(&[&["bench", "run", "s1-preloaded"], &short[..], &[text(&results)]].concat());
    results
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// A program in the place of a browser.
fn browser(ferry: &Ferry, name: &str, script: &str) -> PathBuf {
    let path = ferry.data().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    path
}

#[test]
fn a_report_shows_what_is_kept_and_a_browser_prints_it() {
    let ferry = Ferry::new();
    let results = measured(&ferry);
    let out = ferry.data().join("report");
    let prints = r#"for option; do case $option in
        --print-to-pdf=*) printed=${option#*=} ;;
        file://*) page=${option#file://} ;;
    esac; done
    grep -q 'Performance report' "$page" && echo '%PDF' > "$printed""#;
    let browser = browser(&ferry, "prints", prints);
    let from = ["report", "mqseries51", "--from", text(&results), "--out", text(&out)];
    let said = ferry.ok(&[&from[..], &["--browser", text(&browser), "-o", "json"]].concat());
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    let printed = page(&out).with_extension("pdf");
    assert_eq!(said["pdf"].as_str(), Some(text(&printed)));
    assert_eq!(fs::read_to_string(printed).expect("it is printed"), "%PDF\n");
    let page = fs::read_to_string(said["html"].as_str().expect("a page")).expect("it is there");
    let kept = fs::read_to_string(results.join("s1-preloaded.jsonl")).expect("runs are kept");
    for line in kept.lines() {
        let run: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let accounted = run["accounted"].as_u64().expect("messages were accounted for");
        assert!(
            page.replace(',', "").contains(&format!(">{accounted}<")),
            "{accounted} is a row behind the chart"
        );
    }
    assert!(page.contains("preloaded=0") && page.contains("3 of 13 points run"));
    assert!(page.contains("No chart: none of its points was run."));
    assert!(!page.contains("IBM MQ 9.4"), "one report alone was asked for");
}

#[test]
fn a_browser_that_does_not_print_is_named_and_the_page_is_there() {
    let ferry = Ferry::new();
    let results = measured(&ferry);
    let out = ferry.data().join("report");
    let from = ["report", "--from", text(&results), "--out", text(&out)];
    for (script, reason) in [("exit 3", "exit status: 3"), ("exit 0", "printed nothing")] {
        let browser = browser(&ferry, "fails", script);
        let run = ferry.run(&[&from[..], &["--browser", text(&browser)]].concat());
        assert!(run.stderr.contains("fails") && run.stderr.contains(reason), "{}", run.stderr);
        assert!(page(&out).is_file());
    }
    let said = ferry.ok(&[&from[..], &["--no-pdf"]].concat());
    assert_eq!(said.trim(), text(&page(&out)));
}

/// The page of a report: its name says whether the machine was busy.
fn page(out: &Path) -> PathBuf {
    let busy = out.join("report-of-a-busy-machine.html");
    if busy.is_file() { busy } else { out.join("report.html") }
}

#[test]
fn what_cannot_be_reported_is_said() {
    let ferry = Ferry::new();
    let unknown = ferry.run(&["report", "mq7"]).stderr;
    assert!(unknown.contains("mq7") && unknown.contains("mqseries51"), "{unknown}");
    let empty = ferry.data().join("empty");
    fs::create_dir(&empty).expect("a directory");
    let out = ferry.data().join("report");
    let nothing = ferry.run(&["report", "--from", text(&empty), "--out", text(&out)]).stderr;
    assert!(nothing.contains("has no results") && nothing.contains("ferry bench run"), "{nothing}");
}

/// Presses Ctrl-C for this process alone.
fn press(process: u32) {
    let sent = Command::new("kill").args(["-INT", &process.to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Returns true if a process has ended, waited for or not.
fn is_dead(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with('Z'))
}

/// A browser that writes down its number and that of a process of its own, and goes on for longer than
/// anybody waits.
#[test]
fn a_second_ctrl_c_takes_the_browser_and_its_profile_along() {
    let ferry = Ferry::new();
    let results = measured(&ferry);
    let (out, temporary) = (ferry.data().join("report"), ferry.data().join("temporary"));
    fs::create_dir(&temporary).expect("a directory");
    let started = ferry.data().join("started");
    let script = format!("sleep 300 & echo $$ $! > {0}.new; mv {0}.new {0}; wait", text(&started));
    let browser = browser(&ferry, "sleeps", &script);
    let from = ["report", "--from", text(&results), "--out", text(&out), "--browser", text(&browser)];
    let mut command = ferry.command(&from);
    command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
    let mut report = command.spawn().expect("ferry runs");
    let until = Instant::now() + Duration::from_secs(20);
    while !started.exists() {
        assert!(Instant::now() < until && report.try_wait().expect("a state").is_none(), "no browser starts");
        thread::sleep(Duration::from_millis(10));
    }
    let processes = fs::read_to_string(&started).expect("it is written");
    press(report.id());
    thread::sleep(Duration::from_millis(200));
    let after_one = report.try_wait().expect("a state");
    if after_one.is_none() {
        press(report.id());
    }
    let code = report.wait().expect("it ends").code();
    let alive = || processes.split_whitespace().find(|process| !is_dead(process));
    let until = Instant::now() + Duration::from_secs(5);
    while alive().is_some() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    let survivor = alive();
    for process in processes.split_whitespace().filter(|process| !is_dead(process)) {
        // What survives must not outlive the test too.
        let _ = Command::new("kill").args(["-KILL", process]).status();
    }
    assert_eq!((after_one, survivor, code), (None, None, Some(130)));
    assert_eq!(fs::read_dir(&temporary).expect("a directory").count(), 0, "its profile is still there");
}
