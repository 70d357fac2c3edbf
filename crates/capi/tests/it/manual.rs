//! The manual page of the library: it names every call, and can be shown.

use crate::facts::{FUNCTIONS, rows};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("man/libmqm_r.3")
}

/// Calls of exits and of programs that exits are installed with: the library has none.
const OF_EXITS: [&str; 4] = ["MQXCLWLN", "MQXDX", "MQXEP", "MQZEP"];

#[test]
fn every_call_is_described() {
    let text = std::fs::read_to_string(page()).unwrap();
    let described: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix(".It Fn ")?.split(' ').next()).collect();
    let rows = rows(FUNCTIONS);
    let calls: BTreeSet<&str> = rows
        .iter()
        .filter(|row| !row["header"].starts_with("typedef"))
        .map(|row| row["function"].as_str())
        .filter(|name| name.starts_with("MQ") && !OF_EXITS.contains(name))
        .collect();
    assert_eq!(calls.len(), 26);
    assert_eq!(described, calls);
}

#[test]
fn it_is_shown_without_a_warning() {
    let shown = Command::new("groff").args(["-mdoc", "-Tascii", "-ww"]).arg(page()).output();
    let Ok(shown) = shown else {
        // Past the harness, which shows nothing that a passing test prints.
        writeln!(std::io::stderr(), "SKIPPED: groff is not here").expect("standard error is there");
        return;
    };
    assert!(shown.status.success() && shown.stderr.is_empty(), "{}", String::from_utf8_lossy(&shown.stderr));
    assert!(shown.stdout.len() > 4000);
}
