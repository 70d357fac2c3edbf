//! The files that come with the program, and files that are wrong.

use std::collections::BTreeSet;

use super::file::Workload;
use super::{WorkloadFile, all, find};

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
