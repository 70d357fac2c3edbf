//! The files that come with the program, and files that are wrong.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::claim::Found;
use super::file::{Variant, Workload};
use super::{Campaign, FILE_BYTES_MAX, Options, WorkloadFile, all, find};
use crate::floors::Floors;
use crate::jms::Api;
use crate::program::Program;
use crate::report::Runs;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../perf/workloads");

#[test]
fn every_file_of_the_folder_comes_with_the_program_and_can_be_read() {
    let files = all().expect("they are right");
    let built_in: BTreeSet<String> = files.iter().map(|file| format!("{}.toml", file.name)).collect();
    let there: BTreeSet<String> = std::fs::read_dir(FOLDER)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(built_in, there);
    for file in &files {
        assert_eq!(file.variants().is_empty(), file.not_yet().is_some(), "{}", file.name);
        let labels: BTreeSet<&str> = file.variants().iter().map(|variant| variant.label.as_str()).collect();
        assert_eq!(labels.len(), file.variants().len(), "{}: two points alike", file.name);
    }
}

#[test]
fn clients_of_jms_and_native_ones_take_turns_at_one_queue_manager() {
    for name in ["s2-jms", "s3-jms-fan-out", "s3-jms-triplets"] {
        let file = find(name).expect("it comes with the program");
        let variants = file.variants();
        assert!(variants.iter().all(|variant| variant.place == variants[0].place && variant.place.amqp));
        let apis: Vec<Api> = variants.iter().map(|variant| variant.workload.api()).collect();
        assert!(apis.chunks(2).all(|turn| turn == [Api::Jms, Api::Native]), "{name}: {apis:?}");
    }
}

#[test]
fn clients_of_jms_are_refused_what_they_do_not_have() {
    for (setting, is_refused) in [
        ("window = 2", true),
        ("units = \"all\"", true),
        ("rate = 10", true),
        ("bodies = \"json\"", true),
        ("requesters = 3", false),
    ] {
        let text = format!(
            "title = \"t\"\nitems = []\nbench = \"request-reply\"\n[fixed]\napi = \"jms\"\n{setting}\n"
        );
        let parsed = WorkloadFile::parse("jms", &text);
        assert_eq!(parsed.is_err(), is_refused, "{setting}: {parsed:?}");
    }
}

#[test]
fn a_workload_is_found_by_its_name_and_by_its_path() {
    let by_name = find("s1-preloaded").expect("it comes with the program");
    let by_path = find(&format!("{FOLDER}/s1-preloaded.toml")).expect("it is in the folder");
    assert_eq!((&by_name.name, by_name.variants()), (&by_path.name, by_path.variants()));
    let missing = find("s9-nothing").expect_err("there is none").to_string();
    assert!(missing.contains("s9-nothing") && missing.contains("ferry bench list"), "{missing}");
}

#[test]
fn lists_of_one_table_go_together_and_tables_multiply() {
    let text = r#"
        title = "two by three"
        items = []
        bench = "request-reply"
        [fixed]
        persistent = true
        [[vary]]
        requesters = [1, 8]
        responders = [1, 2]
        [[vary]]
        bytes = [100, 200, 300]
    "#;
    let file = WorkloadFile::parse("grid", text).expect("it is right");
    let labels: Vec<&str> = file.variants().iter().map(|variant| variant.label.as_str()).collect();
    assert_eq!(labels.len(), 6);
    assert_eq!(labels[4], "requesters=8 responders=2 bytes=200");
    let Workload::RequestReply(workload) = &file.variants()[4].workload else { panic!("another bench") };
    assert_eq!((workload.requesters, workload.responders, workload.bytes), (8, 2, 200));
    assert!(workload.persistent);
}

#[test]
fn in_units_of_work_half_as_many_answer_as_ask_unless_a_file_says_how_many() {
    for (settings, expected) in [
        ("requesters = 100", 25),
        ("requesters = 100\nunits = \"responders\"", 25),
        ("requesters = 100\nunits = \"all\"", 50),
        ("requesters = 1\nunits = \"all\"", 1),
        ("requesters = 100\nunits = \"all\"\nresponders = 7", 7),
    ] {
        let text = format!("title = \"t\"\nitems = []\nbench = \"request-reply\"\n[fixed]\n{settings}");
        let file = WorkloadFile::parse("units", &text).expect("it is right");
        let Workload::RequestReply(workload) = &file.variants()[0].workload else { panic!("another bench") };
        assert_eq!(workload.responders, expected, "{settings}");
    }
}

#[test]
fn clients_of_the_report_of_2025_in_units_of_work_are_answered_by_half_as_many() {
    for name in ["s2-persistent-by-size", "s2-persistent-by-clients", "s2-log-devices"] {
        let file = find(name).expect("it comes with the program");
        for variant in file.variants() {
            let Workload::RequestReply(workload) = &variant.workload else { panic!("another workload") };
            let answer = workload.units.responders_for(workload.requesters);
            assert_eq!(workload.responders, answer, "{name}, {}", variant.label);
        }
    }
}

#[test]
fn thirty_messages_a_force_are_claimed_with_a_short_commit_delay() {
    let file = find("messages-a-force").expect("it comes with the program");
    let asking: Vec<(u32, usize)> = file
        .variants()
        .iter()
        .map(|variant| {
            let Workload::RequestReply(workload) = &variant.workload else { panic!("another bench") };
            (variant.place.commit_delay, workload.responders)
        })
        .collect();
    assert_eq!(asking, [(0, 50), (200, 50), (500, 50)]);
    let claims: Vec<String> = file.claims().iter().map(|claim| format!("{claim:?}")).collect();
    assert!(claims.len() == 1 && claims[0].contains("200"), "{claims:?}");
}

#[test]
fn what_is_wrong_with_a_file_is_said() {
    let head = "title = \"t\"\nitems = []\n";
    for (text, said) in [
        ("bench = \"request-reply\"\n[fixed]\nrequester = 1", "requester"),
        ("bench = \"request-reply\"\n[fixed]\nrequesters = 0", "there must be a requester"),
        ("bench = \"request-reply\"\n[[vary]]\nbytes = 100", "give a list"),
        (
            "bench = \"request-reply\"\n[[vary]]\nbytes = [100]\nrequesters = [1, 2]",
            "requesters has 2 values",
        ),
        ("bench = \"request-reply\"\n[fixed]\nbytes = 100\n[[vary]]\nbytes = [100]", "given twice"),
        ("bench = \"one-way\"\n[fixed]\nunit = 0", "at least one message"),
        ("bench = \"publish\"\n[fixed]\npublishers = 0", "there must be a publisher"),
        ("bench = \"publish\"\n[fixed]\nthrough = \"queue\"\nsubscribers = 2", "one consumer"),
        ("bench = \"somehow\"", "somehow"),
        ("", "either its bench or why"),
        ("bench = \"one-way\"\nnot-yet = \"no\"", "either its bench or why"),
    ] {
        let error = WorkloadFile::parse("wrong", &format!("{head}{text}")).expect_err(text);
        let error = format!("{error:#}");
        assert!(error.contains(said) && error.contains("wrong"), "{text:?}: {error}");
    }
}

/// A file of two points with this claim.
fn claiming(claim: &str) -> anyhow::Result<WorkloadFile> {
    let points = "title = \"t\"\nitems = []\nbench = \"request-reply\"\n[[vary]]\npreloaded = [0, 10]\n";
    WorkloadFile::parse("claiming", &format!("{points}[[claim]]\nsays = \"it is flat\"\n{claim}"))
}

/// Returns the judgement of a claim when the two points found these rates, each in its runs.
fn judged(claim: &str, rates: [&[f64]; 2]) -> String {
    let file = claiming(claim).expect("it is right");
    let columns = file.variants()[0].workload.columns();
    let row = |rate: f64| {
        let value = |name| match name {
            "round_trips_per_second" | "p50_us" => Some(rate),
            "forces" => Some(0.1),
            _ => None,
        };
        columns.iter().map(|column| value(column.name)).collect()
    };
    let floors = Floors::by_hand();
    let runs = rates.map(|rates| Runs(rates.iter().map(|rate| row(*rate)).collect()));
    let found: Vec<Found<'_>> = file
        .variants()
        .iter()
        .zip(&runs)
        .map(|(variant, runs)| Found {
            variant,
            runs,
            floors: Some(&floors),
            measured: Duration::from_secs(5),
        })
        .collect();
    let [claim] = file.claims() else { panic!("one claim") };
    claim.judge(file.variants(), &found).expect("it can be judged").to_string()
}

#[test]
fn a_claim_is_held_against_what_was_found_at_its_points() {
    let flat = "metric = \"round_trips_per_second\"\nof = { preloaded = 0 }\nat-least = 0.95";
    let deep = "metric = \"round_trips_per_second\"\nat = { preloaded = 10 }\n";
    for (claim, rates, said) in [
        (
            flat.to_owned(),
            [&[100.0, 101.0, 99.0][..], &[97.0, 97.0, 110.0]],
            "holds         it is flat: 0.97, at least 0.95; between 0.96 and 1.11 by its runs",
        ),
        // The middles are 100 and 90. Run by run it is 1 and a little more, as a slow minute took the first
        // two of one and the last two of the other.
        (
            flat.to_owned(),
            [&[70.0, 80.0, 100.0, 101.0, 102.0], &[70.0, 80.0, 102.0, 103.0, 90.0]],
            "not settled   it is flat: 1, at least 0.95; between 0.88 and 1.02 by its runs, of which more",
        ),
        (
            flat.to_owned(),
            [&[100.0, 200.0, 300.0], &[90.0, 180.0, 273.0]],
            "does not hold it is flat: 0.9, at least 0.95; between 0.9 and 0.91 by its runs",
        ),
        (flat.to_owned(), [&[100.0], &[90.0]], "does not hold it is flat: 0.9, at least 0.95"),
        (
            flat.to_owned(),
            [&[100.0], &[]],
            "not judged    it is flat: what it needs was not run at preloaded=10",
        ),
        (
            flat.to_owned(),
            [&[], &[100.0]],
            "not judged    it is flat: what it needs was not run at preloaded=0",
        ),
        (
            format!("{deep}at-least = {{ accept = 10, target = 90, stretch = 200 }}"),
            [&[], &[95.0]],
            "target        it is flat: 95, ",
        ),
        (
            format!("{deep}at-least = {{ accept = 10, target = 90, stretch = 200 }}"),
            [&[], &[95.0, 85.0, 99.0]],
            "target        it is flat: 95, at least 10 (target 90, stretch 200); between 85 and 99 by its runs",
        ),
        (format!("{deep}at-least = 90"), [&[], &[95.0, 85.0, 99.0]], "not settled   it is flat: 95, "),
        (
            format!("{deep}of = \"first-run\"\nat-most = 1.05"),
            [&[], &[100.0, 500.0, 104.0]],
            "holds         it is flat: 1.04",
        ),
        (format!("{deep}of = \"first-run\"\nat-most = 1.05"), [&[], &[100.0]], "not judged"),
        (
            format!("{deep}of = \"first-run\"\nseconds-min = 16\nat-most = 1.05"),
            [&[], &[100.0, 101.0, 102.0]],
            "not judged    it is flat: it is claimed of 16 s, measured were 15 (--time, --repeat)",
        ),
        (
            format!("{deep}of = \"first-run\"\nseconds-min = 15\nat-most = 1.05"),
            [&[], &[100.0, 101.0, 102.0]],
            "holds         it is flat: 1.02",
        ),
        (
            format!("{deep}of = {{ preloaded = 0 }}\nalong = \"preloaded\"\nat-most = 1"),
            [&[100.0], &[120.0]],
            "does not hold it is flat: 2, ",
        ),
        (
            "metric = \"messages_per_force\"\nat-least = 30".to_owned(),
            [&[1.0], &[1.0]],
            "does not hold it is flat: 20, ",
        ),
        (
            "metric = \"times_the_floor\"\nat-most = 1.3".to_owned(),
            [&[1e9], &[1e9]],
            "does not hold it is flat: ",
        ),
        (
            "metric = \"times_the_floor\"\nat-most = 1.3".to_owned(),
            [&[0.1], &[0.1]],
            "not judged    it is flat: 0 times the floor: the machine was busier",
        ),
    ] {
        let found = judged(&claim, rates);
        assert!(found.starts_with(said), "{claim}: {found}");
    }
}

#[test]
fn a_claim_that_cannot_be_judged_is_refused() {
    for (claim, said) in [
        ("metric = \"rate\"\nat-most = 1", "the bench has no rate"),
        ("metric = \"p50_us\"", "either at-most or at-least"),
        ("metric = \"p50_us\"\nat-most = 1\nat-least = 1", "either at-most or at-least"),
        ("metric = \"p50_us\"\nat = { preloaded = 11 }\nat-most = 1", "no point has"),
        ("metric = \"p50_us\"\nof = { preloaded = 11 }\nat-most = 1", "0 points have"),
        ("metric = \"p50_us\"\nalong = \"preloaded\"\nat-most = 1", "begins at another point"),
        ("metric = \"p50_us\"\nat-most = { accept = 1 }", "at-most"),
    ] {
        let error = format!("{:#}", claiming(claim).expect_err(claim));
        assert!(error.contains(said) && error.contains("claiming"), "{claim}: {error}");
    }
}

#[test]
fn what_is_claimed_of_ten_minutes_is_not_judged_by_less() {
    let file = find("cost-by-time").expect("it comes with the program");
    let [variant] = file.variants() else { panic!("one point") };
    let row = vec![Some(1.0); variant.workload.columns().len()];
    let [claim] = file.claims() else { panic!("one claim") };
    for (seconds, count, said) in [(5, 3, "not judged"), (60, 9, "not judged"), (60, 10, "holds")] {
        let runs = Runs(vec![row.clone(); count]);
        let found = [Found { variant, runs: &runs, floors: None, measured: Duration::from_secs(seconds) }];
        let judged = claim.judge(file.variants(), &found).expect("it can be judged").to_string();
        assert!(judged.starts_with(said), "{count} x {seconds} s: {judged}");
    }
}

#[test]
fn a_log_alone_in_memory_is_judged_beside_everything_in_memory_and_not_by_the_disk() {
    let file = find("cost-by-log-place").expect("it comes with the program");
    let [claim] = file.claims() else { panic!("one claim") };
    for (apart, said) in [(95.0, "holds"), (80.0, "does not hold")] {
        let row = |variant: &Variant| {
            let rate = match variant.label.as_str() {
                "log=disk" => 10.0,
                "log=apart" => apart,
                "log=memory" => 100.0,
                label => panic!("another point: {label}"),
            };
            let columns = variant.workload.columns();
            columns.iter().map(|column| (column.name == "round_trips_per_second").then_some(rate)).collect()
        };
        let runs: Vec<Runs> = file.variants().iter().map(|variant| Runs(vec![row(variant)])).collect();
        let points = file.variants().iter().zip(&runs);
        let found: Vec<Found<'_>> = points
            .map(|(variant, runs)| Found { variant, runs, floors: None, measured: Duration::from_secs(5) })
            .collect();
        let judged = claim.judge(file.variants(), &found).expect("it can be judged").to_string();
        assert!(judged.starts_with(said), "{apart}: {judged}");
    }
}

#[test]
fn a_claim_beside_a_background_short_of_its_rate_is_not_judged() {
    let text = "title = \"t\"\nitems = []\nbench = \"beside\"\n[[vary]]\nload = [50]\n\
                [[claim]]\nsays = \"it is quick\"\nmetric = \"beside_p99_us\"\nat-most = 1000";
    let file = WorkloadFile::parse("beside", text).expect("it is right");
    let [variant] = file.variants() else { panic!("one point") };
    let [claim] = file.claims() else { panic!("one claim") };
    let row = |background: f64| {
        let value = |name| match name {
            "background_peak_per_second" => 2000.0,
            "background_per_second" => background,
            _ => 100.0,
        };
        variant.workload.columns().iter().map(|column| Some(value(column.name))).collect()
    };
    for (backgrounds, said) in [
        ([990.0, 951.0], "holds         it is quick: 100, "),
        (
            [1000.0, 900.0],
            "not judged    it is quick: the background made 0.9 of the rate that was asked of it at load=50",
        ),
    ] {
        let runs = Runs(backgrounds.map(row).to_vec());
        let found = [Found { variant, runs: &runs, floors: None, measured: Duration::from_secs(5) }];
        let judged = claim.judge(file.variants(), &found).expect("it can be judged").to_string();
        assert!(judged.starts_with(said), "{judged}");
    }
}

#[test]
fn a_run_that_is_cut_short_is_not_kept() {
    let directory = std::env::temp_dir().join(format!("ferry-cut-short-test-{}", std::process::id()));
    let text = "title = \"t\"\nitems = []\nbench = \"request-reply\"\n[fixed]\ntransport = \"embedded\"";
    let file = WorkloadFile::parse("cut-short", text).expect("it is right");
    let interrupt = AtomicBool::new(false);
    let options = Options {
        warm_up: Duration::ZERO,
        measure: Duration::from_secs(600),
        repetitions: 2,
        quick: false,
        results: Some(directory.clone()),
        resume: false,
        format: None,
        ferry: Program::at(std::env::current_exe().expect("it has a file")).expect("it can be read"),
    };
    let campaign = Campaign::new(&file, &options).expect("it can be run");
    let failures = std::thread::scope(|scope| {
        scope.spawn(|| {
            // Long enough for the queue manager to be there and the run to have begun.
            std::thread::sleep(Duration::from_secs(3));
            interrupt.store(true, Ordering::Relaxed);
        });
        campaign.run(&interrupt, None).expect("it prints")
    });
    assert!(failures.is_empty(), "{failures:?}");
    assert_eq!(std::fs::read_to_string(directory.join("cut-short.jsonl")).expect("it is there"), "");
    std::fs::remove_dir_all(&directory).expect("it is ours");
}

#[test]
fn a_workload_file_that_is_not_read_is_refused_with_the_reason() {
    let directory = std::env::temp_dir().join(format!("ferry-workload-file-test-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("it is ours");
    let long = directory.join("long.toml");
    std::fs::write(&long, "#".repeat(FILE_BYTES_MAX + 1)).expect("it is ours");
    for (path, expected) in [
        (&long, "it has more than 1 MiB, which no workload file has"),
        (&directory, "Is a directory"),
        (&directory.join("none.toml"), "No such file"),
    ] {
        let refused = find(path.to_str().expect("a path in UTF-8")).expect_err("it is no workload");
        assert!(format!("{refused:#}").contains(expected), "{refused:#}");
    }
    std::fs::remove_dir_all(&directory).expect("it is ours");
}
